//! A family and its platforms.

use std::collections::BTreeMap;

use super::key::StepKey;
use crate::base::address::Address;
use crate::base::hash::HashSet;
use crate::base::index::IndexVec;
use crate::base::platforms::{also_called, display_name, known_ids, rank};
use crate::site::content::{DocumentId, PlatformIx, StepIx};

/// One tutorial for several platforms.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// Unique in the site.
    pub id: String,
    pub title: String,
    /// The same among all families: with what it is in before it, where another has its title.
    pub name: String,
    /// The overview's address.
    pub address: Address,
    pub platforms: IndexVec<PlatformIx, Platform>,
    /// Whether the paths of its pages alone say which are the same step: no `order` does, or it counts by folder.
    pub is_by_key: bool,
    /// Whether its platforms share their pages, which mark what is for whom.
    pub is_within_pages: bool,
}

impl Family {
    /// A family of versions within pages; the steps of each platform have their keys.
    pub(super) fn within_pages(platforms: BTreeMap<String, Vec<(DocumentId, StepKey)>>) -> Self {
        let address = Address::new("/");
        let platform = |(id, steps): (String, Vec<(DocumentId, StepKey)>)| {
            let (steps, keys): (Vec<_>, Vec<_>) = steps.into_iter().unzip();
            Platform {
                name: display_name(&id),
                words: also_called(&id).iter().map(|word| (*word).to_string()).collect(),
                id,
                root: String::new(),
                address: address.clone(),
                steps: steps.into(),
                keys: keys.into(),
            }
        };
        let mut platforms: Vec<Platform> = platforms.into_iter().map(platform).collect();
        platforms.sort_by_key(|platform| rank(&platform.id));
        let title = "Versions within pages".to_string();
        let id = "within-pages".to_string();
        let platforms = platforms.into();
        Self { name: title.clone(), title, id, address, platforms, is_by_key: true, is_within_pages: true }
    }

    /// `Web, iOS`
    pub(crate) fn platform_names(&self) -> String {
        self.platforms.iter().map(|platform| platform.name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// A family on one platform.
#[derive(Clone, Debug, PartialEq)]
pub struct Platform {
    /// As its folder is named, in lower case: `ios`.
    pub id: String,
    /// As readers know it: `iOS`.
    pub name: String,
    /// Its folder below `content/`, no slash at either end. Where its pages are in no folder of its own: where that
    /// would be, beside those of the other platforms.
    pub root: String,
    /// Of its folder.
    pub(super) address: Address,
    /// In the order of reading.
    pub steps: IndexVec<StepIx, DocumentId>,
    /// Of each step: what it is called on every platform.
    pub keys: IndexVec<StepIx, StepKey>,
    /// How its pages call it, beside its id and name.
    pub words: Vec<String>,
}

impl Platform {
    /// The address of its folder, whether a page is there or not.
    pub fn folder(&self) -> Address {
        self.address.clone()
    }

    /// Where all its steps are on one page.
    pub fn print(&self) -> Address {
        Address::new(&format!("{}print/", self.address))
    }

    /// For each step: the folder that it is in, below the platform's; that of a folder's own page is the folder. Empty for
    /// steps in no folder.
    pub fn sections(&self) -> IndexVec<StepIx, &str> {
        let folders: HashSet<&str> = self.keys.iter().map(StepKey::section).collect();
        let section = |key: &'_ StepKey| folders.contains(key.as_str());
        self.keys.iter().map(|key| if section(key) { key.as_str() } else { key.section() }).collect()
    }
}

/// The ids of the platforms of these families, and of all others that have a name here.
pub(super) fn platform_ids(families: &[Family]) -> Vec<&str> {
    let used = families.iter().flat_map(|family| &family.platforms).map(|platform| platform.id.as_str());
    used.chain(known_ids()).collect()
}
