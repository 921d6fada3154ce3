//! Pages as Markdown, and lists of them for language models.
//!
//! A small site has one list of all pages and one file with all texts. On a site with more than `MOST_IN_ONE_FILE`
//! pages, the list links to those of its families, and to those of sections with too many pages. A section's list
//! does the same for its own sections.

use super::{Artifact, At, Layout, ListScope, Node, Tree};
use crate::content::Site;
use base::address::Address;

/// Maximum number of pages in one list, or in one Markdown file. A thousand pages have some million tokens, the
/// context length of language models.
const MOST_IN_ONE_FILE: usize = 1000;

/// Whether all pages of a site are in one list and in one file.
pub fn are_one(site: &Site) -> bool {
    site.documents.len() <= MOST_IN_ONE_FILE
}

/// Adds every page as Markdown, and lists of them.
pub(super) fn add(tree: &Tree, layout: &mut Layout<'_>) {
    let site = layout.site;
    let mut lists = vec![(Address::new("/"), ListScope::Site)];
    for (family, its) in site.families.indexed() {
        for (platform, its) in its.platforms.indexed() {
            lists.push((its.folder(), ListScope::Platform { family, platform }));
        }
    }
    for (folder, scope) in lists {
        layout.fill(folder.list(), Artifact::Llms(scope));
        if scope != ListScope::Site || are_one(site) {
            layout.fill(Address::new(&format!("{folder}llms-full.txt")), Artifact::LlmsFull(scope));
        }
    }
    if !are_one(site) {
        for (_, node) in tree.indexed().filter(|(_, node)| has_own_list(tree, node)) {
            layout.fill(node.address.list(), Artifact::LlmsBelow(node.address.clone()));
        }
    }
    let pages = layout.artifacts.iter().filter(|(_, artifact)| artifact.facts().has_twin);
    let pages: Vec<Address> = pages.map(|(address, _)| address.clone()).collect();
    for page in pages {
        layout.fill(page.twin(), Artifact::Twin(page));
    }
}

/// Whether a node has its own list on a site with several: a family, or a section that doesn't fit into its parent's
/// list.
fn has_own_list(tree: &Tree, node: &Node) -> bool {
    match node.at {
        At::Home => false,
        At::Family(_) => true,
        At::Page(_) | At::Folder => {
            let parent = tree.above(node).next();
            !node.is_leaf() && parent.is_some_and(|parent| parent.pages > MOST_IN_ONE_FILE)
        }
    }
}
