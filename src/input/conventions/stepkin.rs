//! Stepkin sites.

use super::values::Values;
use super::{
    BasePath, Convention, FileTree, FrontMatterReader, Kind, OUR_KEYS, Repository, Syntax, USUAL, plain,
};
use crate::base::site_path::CONFIG;
use crate::base::sorted::SortedSet;

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Stepkin,
    name: "a Stepkin site",
    has_other_keys: false,
    orders_by_folder: false,
    read: |tree| {
        // Other generators and programs also have a folder of this name.
        let is_configured = || tree.names("").iter().any(|name| name == CONFIG);
        // Hugo's name for the page of a folder.
        let folders = || tree.names("content").into_iter().map(|name| format!("content/{name}"));
        let has_index = |folder: String| tree.names(&folder).iter().any(|name| name == "_index.md");
        let is_hugos = || folders().chain(["content".to_string()]).any(has_index);
        let is_ours = || {
            tree.has_pages("content") && !plain::has_generator(tree) && !is_hugos() && !has_other_keys(tree)
        };
        (tree.is_folder("content") && (is_configured() || is_ours())).then(Repository::default)
    },
    syntax: &[Syntax::CodeFiles],
    base: BasePath::Added,
    front_matter: FrontMatterReader::Strict,
    ..USUAL
};

/// Whether the front matter of all pages has the same key, which a program needs and Stepkin doesn't know, and none has a key that only
/// Stepkin knows.
fn has_other_keys(tree: &dyn FileTree) -> bool {
    /// Pages with the key.
    const FEWEST: usize = 4;
    /// Pages that are read.
    const MOST: usize = 50;
    const OWN: [&str; 5] = ["order", "step", "platforms", "duration", "drift"];
    let pages = tree.pages("content", "md").into_iter().take(MOST).filter_map(|page| tree.peek(&page));
    let keys = |page: String| Values::of_page(&page).keys("").into_iter().collect::<SortedSet<String>>();
    let all: Vec<SortedSet<String>> = pages.map(keys).filter(|keys| !keys.is_empty()).collect();
    let is_other = |key: &String| {
        !OUR_KEYS.iter().any(|(name, _)| name == key) && all.iter().all(|keys| keys.contains(key))
    };
    let is_own = |keys: &SortedSet<String>| OWN.iter().any(|key| keys.contains(*key));
    all.len() >= FEWEST && !all.iter().any(is_own) && all[0].iter().any(is_other)
}
