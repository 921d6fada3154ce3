//! Stepkin sites.

use super::targets::inline_targets;
use super::values::Values;
use super::{
    BasePath, Convention, FileTree, FrontMatterReader, Kind, OUR_KEYS, Repository, Syntax, USUAL, plain,
};
use base::site_path::{self, CONFIG};
use base::sorted::SortedSet;

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
        // A key that only Stepkin knows makes reading more pages unnecessary.
        let is_by_pages = || {
            begins_with_own_key(tree) || plain::by_commands(tree, "content").is_none() && !is_of_another(tree)
        };
        let is_ours = || {
            tree.has_pages("content")
                && !plain::has_generator(tree)
                && plain::configured_generator(tree, "content").is_none()
                && !is_hugos()
                && is_by_pages()
        };
        (tree.is_folder("content") && (is_configured() || is_ours())).then(Repository::default)
    },
    syntax: &[Syntax::CodeFiles],
    base: BasePath::Added,
    front_matter: FrontMatterReader::Strict,
    ..USUAL
};

/// Keys of front matter that only Stepkin knows.
const OWN: [&str; 5] = ["order", "step", "platforms", "duration", "drift"];

/// Whether one of the first pages has such a key.
fn begins_with_own_key(tree: &dyn FileTree) -> bool {
    const MOST: usize = 5;
    let first = tree.pages("content", "md").into_iter().take(MOST);
    let keys = first.filter_map(|page| tree.peek(&page)).flat_map(|text| Values::of_page(&text).keys(""));
    keys.into_iter().any(|key| OWN.contains(&key.as_str()))
}

/// Whether the pages are those of another program: all have the same key in their front matter, which Stepkin doesn't know, or most
/// of their links lead to the HTML file of a page. None has a key that only Stepkin knows.
fn is_of_another(tree: &dyn FileTree) -> bool {
    /// Pages that are read.
    const MOST: usize = 50;
    let all = tree.pages("content", "md").into_iter().collect::<SortedSet<String>>();
    let texts: Vec<(&str, String)> =
        all.iter().take(MOST).filter_map(|page| Some((page.as_str(), tree.peek(page)?))).collect();
    let keys = |text: &str| Values::of_page(text).keys("").into_iter().collect::<SortedSet<String>>();
    let keys: Vec<SortedSet<String>> =
        texts.iter().map(|(_, text)| keys(text)).filter(|keys| !keys.is_empty()).collect();
    let is_own = |keys: &SortedSet<String>| OWN.iter().any(|key| keys.contains(*key));
    !keys.iter().any(is_own) && (have_other_key(&keys) || link_to_html(&texts, &all))
}

/// Whether all pages have the same unknown key.
fn have_other_key(all: &[SortedSet<String>]) -> bool {
    /// Pages with the key.
    const FEWEST: usize = 4;
    let is_other = |key: &String| {
        !OUR_KEYS.iter().any(|(name, _)| name == key) && all.iter().all(|keys| keys.contains(key))
    };
    all.len() >= FEWEST && all[0].iter().any(is_other)
}

/// Whether most links to pages have the name of a source in the same folder, but the ending of an HTML file.
fn link_to_html(texts: &[(&str, String)], pages: &SortedSet<String>) -> bool {
    let (mut to_html, mut to_others) = (0, 0);
    for (page, text) in texts {
        let folder = site_path::parent(page);
        for target in inline_targets(text).filter_map(|target| target.split('#').next()) {
            let (stem, ending) = target.rsplit_once('.').unwrap_or((target, ""));
            if ending == "html" && pages.contains(format!("{folder}/{stem}.md").as_str()) {
                to_html += 1;
            } else if !target.is_empty() && !target.contains(':') {
                to_others += 1;
            }
        }
    }
    to_html > to_others
}
