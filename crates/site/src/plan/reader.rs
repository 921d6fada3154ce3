//! Records lookups in the plan, so that a later run can check whether their results are still the same.
//!
//! A unit accesses the rest of the site only through a [`Reader`], which records its [`Import`]s. They are stored
//! with the unit's results: see `output::unit::Imports`.

use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::Rendition;
use super::{Around, Artifact, Plan};
use base::address::Address;
use base::hash::HashSet;
use base::store::lock;
use input::source::Dimensions;

/// The final target of a redirect.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    Here {
        address: Address,
        query: String,
        fragment: Option<String>,
    },
    External(String),
    /// An address of this site without content. Contains the decoded path.
    Missing(String),
}

/// A fact of the site that was looked up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Import {
    /// The artifact at an address: its kind, its file, the size and smaller versions of an image, the target of a
    /// redirect.
    At(Address),
    /// The title of the artifact at an address.
    Title(Address),
    /// The tree around the page at an address.
    Around(Address),
    /// The unique name of the page at an address.
    Name(Address),
    /// Everything about the page or the family at an address, including its text.
    Whole(Address),
    /// The address for a path.
    Find(String),
    /// The address of a page by the address for its file name.
    OfFile(String),
    /// Every address with its artifact.
    Addresses,
    /// The titles of all pages.
    Titles,
    /// The titles and addresses of all families, in order.
    Families,
    /// The page at an address in the other languages.
    Alternates(Address),
}

impl Import {
    /// Returns the kind of the fact and its subject.
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
            Self::Alternates(address) => ("alternates", address.as_str()),
        }
    }
}

/// The facts that were looked up so far.
#[derive(Debug, Default)]
pub struct Lookups(Mutex<LookupSets>);

#[derive(Debug, Default)]
struct LookupSets {
    /// Positions of addresses in the plan for [`Import::At`], because nearly all lookups succeed.
    at: HashSet<usize>,
    others: HashSet<Import>,
}

impl Lookups {
    pub fn note(&self, import: Import) {
        self.noted(|noted| _ = noted.others.insert(import));
    }

    fn noted(&self, note: impl FnOnce(&mut LookupSets)) {
        note(&mut lock(&self.0));
    }

    /// Returns the distinct facts that were looked up, sorted: positions in the plan for [`Import::At`], and all
    /// others.
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

/// Looks things up in a plan, and optionally records the lookups.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    plan: &'a Plan,
    asked: Option<&'a Lookups>,
}

impl<'a> Reader<'a> {
    /// Records lookups in `asked`.
    pub fn new(plan: &'a Plan, asked: Option<&'a Lookups>) -> Self {
        Self { plan, asked }
    }

    /// Records a fact that was looked up in another way.
    pub fn note(&self, import: impl FnOnce() -> Import) {
        if let Some(asked) = self.asked {
            asked.note(import());
        }
    }

    /// See [`Plan::get`].
    pub fn get(&self, address: &Address) -> Option<&'a Artifact> {
        let at = self.position(address)?;
        Some(&self.plan.artifacts[at].1)
    }

    /// Returns the artifact at an address, with the plan's copy of the address.
    pub fn entry(&self, address: &Address) -> Option<(&'a Address, &'a Artifact)> {
        let at = self.position(address)?;
        let (address, artifact) = &self.plan.artifacts[at];
        Some((address, artifact))
    }

    /// See [`Plan::dimensions`].
    pub fn dimensions(&self, address: &Address) -> Option<Dimensions> {
        self.position(address)?;
        self.plan.dimensions(address)
    }

    /// See [`Plan::renditions`].
    pub fn renditions(&self, address: &Address) -> &'a [(Rendition, Address)] {
        self.position(address);
        self.plan.renditions(address)
    }

    /// See [`Plan::is_shared`].
    pub fn is_shared(&self, address: &Address) -> bool {
        if self.plan.shared.is_empty() {
            return false;
        }
        self.position(address);
        self.plan.is_shared(address)
    }

    /// See [`Plan::name`].
    pub fn name(&self, address: &Address) -> Option<&'a str> {
        self.note(|| Import::Name(address.clone()));
        self.plan.name(address)
    }

    /// See [`Tree::around`](super::Tree::around).
    pub fn around(&self, address: &Address) -> Around<'a> {
        self.note(|| Import::Around(address.clone()));
        self.plan.tree.around(address)
    }

    /// Same as [`Tree::titles_above`](super::Tree::titles_above).
    pub fn titles_above(&self, address: &Address) -> Vec<String> {
        for folder in address.above() {
            self.note(|| Import::Title(folder));
        }
        self.plan.tree.titles_above(address)
    }

    /// Same as [`Plan::end`].
    pub fn end(&self, address: &Address) -> Option<&'a End> {
        self.position(address)?;
        self.plan.end(address)
    }

    /// See [`Plan::find`].
    pub fn find(&self, path: &str) -> Option<&'a Address> {
        // Fast path: most links are written as published.
        if let Some(&at) = self.plan.index.get(path) {
            self.note_position(at);
            return Some(&self.plan.artifacts[at].0);
        }
        self.note(|| Import::Find(path.to_string()));
        self.plan.find(path)
    }

    /// See [`Plan::of_file`].
    pub fn of_file(&self, file: &str) -> Option<&'a Address> {
        self.note(|| Import::OfFile(file.to_string()));
        self.plan.of_file(file)
    }

    /// See [`Plan::find_ignoring_case`]. The result depends on all addresses.
    pub fn find_ignoring_case(&self, path: &str) -> Option<&'a Address> {
        self.note(|| Import::Addresses);
        self.plan.find_ignoring_case(path)
    }

    /// See [`Plan::find_by_end`]. The result depends on all addresses.
    pub(crate) fn find_by_end(&self, end: &str, from: &Address, is_folded: bool) -> Option<&'a Address> {
        self.note(|| Import::Addresses);
        self.plan.find_by_end(end, from, is_folded)
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
