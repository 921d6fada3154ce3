//! Why a repository is read as it is: its own configuration, or the links of its pages.

use std::fmt;

use super::Kind;

/// What the configuration says in the place of what was recognised.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    pub kind: Option<Kind>,
    pub content: Option<String>,
    pub statics: Option<Vec<String>>,
    /// The path of the site's root in links.
    pub base: Option<String>,
}

/// How many links show something, of those that could.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    pub links: usize,
    pub all: usize,
}

impl Proof {
    pub(super) fn is_enough(self) -> bool {
        10 * self.links >= 9 * self.all
    }
}

/// `1,040 of 1,090 links`
impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let links = if self.all == 1 { "link" } else { "links" };
        write!(f, "{} of {} {links}", grouped(self.links), grouped(self.all))
    }
}

/// A number with commas between thousands.
fn grouped(number: usize) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), number % 1000),
    }
}
