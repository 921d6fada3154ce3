//! A family and its platforms.

use super::key::StepKey;
use crate::content::{DocumentId, PlatformIx, StepIx};
use base::address::Address;
use base::hash::HashSet;
use base::index::IndexVec;
use base::platforms::{also_called, display_name, known_ids, rank};
use base::sort::StableSort as _;
use base::sorted::SortedMap;

/// A tutorial for several platforms.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// Unique on the site.
    pub id: String,
    pub title: String,
    /// Unique among all families. If another family has the same title, it includes the titles of parent pages.
    pub name: String,
    /// Address of the overview.
    pub address: Address,
    pub platforms: IndexVec<PlatformIx, Platform>,
    /// Whether steps are matched only by path, because there is no `order` or it counts by folder.
    pub is_by_key: bool,
    /// Whether its platforms share pages that mark content for platforms.
    pub is_within_pages: bool,
}

impl Family {
    /// Returns a family of editions within pages. The steps of each platform are given with their keys.
    pub(super) fn within_pages(platforms: SortedMap<String, Vec<(DocumentId, StepKey)>>) -> Self {
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
        platforms.stable_sort_by_key(|platform| rank(&platform.id));
        let title = "Versions within pages".to_string();
        let id = "within-pages".to_string();
        let platforms = platforms.into();
        Self { name: title.clone(), title, id, address, platforms, is_by_key: true, is_within_pages: true }
    }

    /// For example `Web, iOS`.
    pub fn platform_names(&self) -> String {
        self.platforms.iter().map(|platform| platform.name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// A family's pages for one platform.
#[derive(Clone, Debug, PartialEq)]
pub struct Platform {
    /// Name of its folder in lower case: `ios`.
    pub id: String,
    /// Name for readers: `iOS`.
    pub name: String,
    /// Its folder in `content/`, without slashes at the ends. If its pages aren't in a separate folder, the path that
    /// such a folder would have, next to those of the other platforms.
    pub root: String,
    /// Address of its folder.
    pub(super) address: Address,
    /// In reading order.
    pub steps: IndexVec<StepIx, DocumentId>,
    /// The key of each step, which is the same on every platform.
    pub keys: IndexVec<StepIx, StepKey>,
    /// Other names of the platform on its pages.
    pub words: Vec<String>,
}

impl Platform {
    /// Returns the address of its folder, whether or not it has a page.
    pub fn folder(&self) -> Address {
        self.address.clone()
    }

    /// Returns the address of the page with all of its steps.
    pub fn print(&self) -> Address {
        Address::new(&format!("{}print/", self.address))
    }

    /// For each step, returns its folder relative to the platform's. A folder's own page is in that folder. Empty for
    /// steps outside folders.
    pub fn sections(&self) -> IndexVec<StepIx, &str> {
        let folders: HashSet<&str> = self.keys.iter().map(StepKey::section).collect();
        let section = |key: &'_ StepKey| folders.contains(key.as_str());
        self.keys.iter().map(|key| if section(key) { key.as_str() } else { key.section() }).collect()
    }

    /// Whether a text mentions the platform.
    pub fn is_named_in(&self, text: &str) -> bool {
        [&self.name, &self.id].into_iter().chain(&self.words).any(|name| has_word(text, name))
    }
}

/// Whether a text contains a word as written or capitalized.
fn has_word(text: &str, word: &str) -> bool {
    let is_end = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    let mut capital = word.chars();
    let capital = capital.next().map(|first| first.to_uppercase().collect::<String>() + capital.as_str());
    capital.iter().map(String::as_str).chain([word]).filter(|word| word.len() > 1).any(|word| {
        text.match_indices(word).any(|(at, _)| {
            is_end(text[..at].chars().next_back()) && is_end(text[at + word.len()..].chars().next())
        })
    })
}

/// Returns the IDs of the families' platforms, and of all well-known platforms.
pub(super) fn platform_ids(families: &[Family]) -> Vec<&str> {
    let used = families.iter().flat_map(|family| &family.platforms).map(|platform| platform.id.as_str());
    used.chain(known_ids()).collect()
}
