//! How a repository was recognized: by its configuration, or by the links of its pages.

use std::fmt;

use super::Kind;

/// Values in the configuration that replace recognized ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    pub kind: Option<Kind>,
    pub content: Option<String>,
    pub statics: Option<Vec<String>>,
    /// The base path of links.
    pub base: Option<String>,
}

/// The number of links that confirm a folder, out of those that could.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    pub links: usize,
    pub all: usize,
}

impl Proof {
    pub(super) fn is_enough(self) -> bool {
        are_nearly_all(self.links, self.all)
    }
}

/// Whether nine of ten are enough, because pages contain mistakes: the share by which a rule counts as that of a site.
pub fn are_nearly_all(some: usize, all: usize) -> bool {
    10 * some >= 9 * all
}

/// Whether a few differ from what a site does elsewhere, and so are mistakes: one in ten, or one alone next to several others.
pub fn are_exceptions(few: usize, others: usize) -> bool {
    const SEVERAL: usize = 4;
    are_nearly_all(others, few + others) || few == 1 && others >= SEVERAL
}

/// For example `1,040 of 1,090 links lead there`.
impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lead = if self.all == 1 { "link leads" } else { "links lead" };
        write!(f, "{} of {} {lead} there", grouped(self.links), grouped(self.all))
    }
}

/// Formats a number with commas between thousands.
fn grouped(number: usize) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), number % 1000),
    }
}
