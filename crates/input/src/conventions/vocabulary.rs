//! The names of components and blocks that the pages of a site may use, if all of them are known.

use std::sync::Arc;

use super::tree::FileTree;
use base::hash::sum;
use base::sorted::SortedSet;

/// The names that pages may use. `None` if there may be others, because a program of the site defines them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// Components that pages may use without importing them.
    pub components: Option<Arc<KnownNames>>,
    /// Names after `:::`.
    pub blocks: Option<Arc<KnownNames>>,
}

impl Vocabulary {
    /// Returns a hash of all names.
    pub fn key(&self) -> [u128; 2] {
        [&self.components, &self.blocks].map(|names| names.as_ref().map_or(0, |names| names.key))
    }
}

/// Names, hashed once for all pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownNames {
    names: SortedSet<String>,
    key: u128,
}

impl KnownNames {
    /// Returns the names that a generator knows, and all words of the programs of a site, which may define others.
    pub(super) fn of(built_in: &[&str], programs: &[String]) -> Arc<Self> {
        let words = programs.iter().flat_map(|text| words(text));
        let names: SortedSet<String> = words.chain(built_in.iter().copied()).map(str::to_string).collect();
        let key = sum(format!("{names:?}").as_bytes());
        Arc::new(Self { names, key })
    }

    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

/// Returns the words of a program. A name may contain `-`.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_')).filter(|word| !word.is_empty())
}

/// Returns the texts of the files in a folder whose paths begin with a name: of `Admonition.js` and `Admonition/Types.js`.
pub(super) fn programs(tree: &dyn FileTree, folder: &str, name: &str) -> Vec<String> {
    let files = tree.files(folder).into_iter().filter(|file| file.starts_with(name));
    files.filter_map(|file| tree.text(&format!("{folder}/{file}"))).collect()
}
