//! A record of what was asked of the plan: it shows later whether the answers are still the same.
//!
//! A unit sees the rest of the site through a [`Reader`] only. What it asked for are its [`Import`]s. They are kept
//! with what was made of the unit, see [`Imports`](crate::output::unit::Imports).

use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::Rendition;
use super::{Around, Artifact, Plan};
use crate::base::address::Address;
use crate::base::hash::HashSet;
use crate::base::store::lock;
use crate::input::source::Dimensions;

/// Where a redirect leads, after all that follow it.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    Here {
        address: Address,
        query: String,
        fragment: Option<String>,
    },
    External(String),
    /// This site, but there is nothing at this decoded path.
    Missing(String),
}

/// A fact of the site that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Import {
    /// What is at an address: its kind, its file, size and smaller versions of a picture, where a redirect ends.
    At(Address),
    /// The title of what is at an address.
    Title(Address),
    /// What the tree has around the page at an address.
    Around(Address),
    /// What the page at an address is called among all others.
    Name(Address),
    /// Everything about the page or the family at an address, its text included.
    Whole(Address),
    /// The address that a path means.
    Find(String),
    /// The address of the page whose file gives another one.
    OfFile(String),
    /// Every address with what is there.
    Addresses,
    /// The titles of all pages.
    Titles,
    /// The titles and addresses of all families, in their order.
    Families,
}

impl Import {
    /// What kind of fact it is, and what of.
    pub fn parts(&self) -> (&'static str, &str) {
        match self {
            Self::At(address) => ("at", address.as_str()),
            Self::Title(address) => ("title", address.as_str()),
            Self::Around(address) => ("around", address.as_str()),
            Self::Name(address) => ("name", address.as_str()),
            Self::Whole(address) => ("whole", address.as_str()),
            Self::Find(path) => ("find", path),
            Self::OfFile(file) => ("of file", file),
            Self::Addresses => ("addresses", ""),
            Self::Titles => ("titles", ""),
            Self::Families => ("families", ""),
        }
    }
}

/// What was asked for so far.
#[derive(Debug, Default)]
pub struct Asked(Mutex<Noted>);

#[derive(Debug, Default)]
struct Noted {
    /// Positions in the plan of addresses, for [`Import::At`]: nearly all that is asked for is there.
    at: HashSet<usize>,
    others: HashSet<Import>,
}

impl Asked {
    pub fn note(&self, import: Import) {
        self.noted(|noted| _ = noted.others.insert(import));
    }

    fn noted(&self, note: impl FnOnce(&mut Noted)) {
        note(&mut lock(&self.0));
    }

    /// Everything that was asked for, sorted, each fact once: positions in the plan, for [`Import::At`], and all others.
    pub fn imports(&self) -> (Vec<usize>, Vec<Import>) {
        let (mut at, mut others) = (Vec::new(), Vec::new());
        self.noted(|noted| {
            at.extend(noted.at.iter().copied());
            others.extend(noted.others.iter().cloned());
        });
        at.sort_unstable();
        others.sort_unstable();
        (at, others)
    }
}

/// Looks things up in a plan, and notes what was asked for where that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    plan: &'a Plan,
    asked: Option<&'a Asked>,
}

impl<'a> Reader<'a> {
    /// Notes what is asked for in `asked`.
    pub fn new(plan: &'a Plan, asked: Option<&'a Asked>) -> Self {
        Self { plan, asked }
    }

    /// Notes that a fact was asked for by other means.
    pub fn note(&self, import: impl FnOnce() -> Import) {
        if let Some(asked) = self.asked {
            asked.note(import());
        }
    }

    /// As [`Plan::get`].
    pub fn get(&self, address: &Address) -> Option<&'a Artifact> {
        let at = self.position(address)?;
        Some(&self.plan.artifacts[at].1)
    }

    /// What is at an address, with the address as the plan has it.
    pub(crate) fn entry(&self, address: &Address) -> Option<(&'a Address, &'a Artifact)> {
        let at = self.position(address)?;
        let (address, artifact) = &self.plan.artifacts[at];
        Some((address, artifact))
    }

    /// As [`Plan::dimensions`].
    pub fn dimensions(&self, address: &Address) -> Option<Dimensions> {
        self.position(address)?;
        self.plan.dimensions(address)
    }

    /// As [`Plan::renditions`].
    pub fn renditions(&self, address: &Address) -> &'a [(Rendition, Address)] {
        self.position(address);
        self.plan.renditions(address)
    }

    /// As [`Plan::name`].
    pub fn name(&self, address: &Address) -> Option<&'a str> {
        self.note(|| Import::Name(address.clone()));
        self.plan.name(address)
    }

    /// As [`Tree::around`](super::Tree::around).
    pub fn around(&self, address: &Address) -> Around<'a> {
        self.note(|| Import::Around(address.clone()));
        self.plan.tree.around(address)
    }

    /// As [`Tree::titles_above`](super::Tree::titles_above).
    pub fn titles_above(&self, address: &Address) -> Vec<String> {
        for folder in address.above() {
            self.note(|| Import::Title(folder));
        }
        self.plan.tree.titles_above(address)
    }

    /// As [`Plan::end`].
    pub fn end(&self, address: &Address) -> Option<&'a End> {
        self.position(address)?;
        self.plan.end(address)
    }

    /// As [`Plan::find`].
    pub(crate) fn find(&self, path: &str) -> Option<&'a Address> {
        // Most are written as they are published.
        if let Some(&at) = self.plan.index.get(path) {
            self.note_position(at);
            return Some(&self.plan.artifacts[at].0);
        }
        self.note(|| Import::Find(path.to_string()));
        self.plan.find(path)
    }

    /// As [`Plan::of_file`].
    pub(crate) fn of_file(&self, file: &str) -> Option<&'a Address> {
        self.note(|| Import::OfFile(file.to_string()));
        self.plan.of_file(file)
    }

    /// As [`Plan::find_ignoring_case`]. Any address may be the answer.
    pub(crate) fn find_ignoring_case(&self, path: &str) -> Option<&'a Address> {
        self.note(|| Import::Addresses);
        self.plan.find_ignoring_case(path)
    }

    fn position(&self, address: &Address) -> Option<usize> {
        let at = self.plan.index.get(address).copied();
        match at {
            Some(at) => self.note_position(at),
            None => self.note(|| Import::At(address.clone())),
        }
        at
    }

    fn note_position(&self, at: usize) {
        if let Some(asked) = self.asked {
            asked.noted(|noted| _ = noted.at.insert(at));
        }
    }
}
