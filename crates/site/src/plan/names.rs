//! Unique names of pages whose titles aren't unique.

use super::{Artifact, Layout, Tree};
use crate::content::{Document, Site};
use base::address::Address;
use base::diagnostic::{Code, Diagnostic, Problem};
use base::hash::HashMap;
use base::names::{Namesake, distinct_names_in};
use base::quoted::quoted;
use base::site_path;
use markup::markdown::repair;

/// Returns the names of all pages whose titles aren't unique, by address. Each name begins with the nearest ancestor
/// that the other pages don't have, or else with all ancestors.
pub(super) fn names(layout: &Layout<'_>, tree: &Tree) -> HashMap<Address, String> {
    let mut by_platform: HashMap<Option<&str>, Vec<Namesake<&Address>>> = HashMap::default();
    for (address, artifact) in &layout.artifacts {
        if let Some((title, platform, above)) = titles(layout.site, tree, address, artifact) {
            let page = Namesake { of: address, title, above, path: address.to_string() };
            by_platform.entry(platform).or_default().push(page);
        }
    }
    let names = by_platform.into_values().flat_map(|pages| distinct_names_in(&pages));
    names.map(|(address, name)| (address.clone(), name)).collect()
}

/// Returns the title of a page, the platform that is shown with it if it is a step, and the titles of its ancestors.
fn titles<'s>(
    site: &'s Site,
    tree: &Tree,
    address: &Address,
    artifact: &Artifact,
) -> Option<(String, Option<&'s str>, Vec<String>)> {
    let place = match artifact {
        Artifact::Page(id) => site.place(*id),
        Artifact::Home(_) | Artifact::Overview { .. } | Artifact::Folder(_) => None,
        _ => return None,
    };
    let above = |address: &Address| tree.titles_above(address);
    let Some(place) = place else { return Some((tree.at(address)?.title.clone(), None, above(address))) };
    let (family, platform) = (site.family_of(place), site.platform_of(place));
    let section = platform.keys[place.step].section();
    let mut titles: Vec<String> = site.section_title(place, section).into_iter().collect();
    titles.push(family.title.clone());
    titles.extend(above(&family.address));
    let title = repair(&site.document(platform.steps[place.step]).title).into_owned();
    Some((title, Some(&*platform.name), titles))
}

/// Reports adjacent pages with the same title, except those of different platforms.
pub(super) fn duplicates(site: &Site, artifacts: &[(Address, Artifact)]) -> Vec<Diagnostic> {
    let mut first: HashMap<_, &Document> = HashMap::default();
    let mut found = Vec::new();
    let pages = artifacts.iter().filter_map(|(address, artifact)| match artifact {
        Artifact::Page(id) => Some((address, *id)),
        _ => None,
    });
    for (address, id) in pages {
        let page = site.document(id);
        let platform = site.place(id).map(|place| (place.family, place.platform));
        let folder = site_path::parent(address.as_str().trim_end_matches('/'));
        let other = *first.entry((folder, platform, page.title.as_str())).or_insert(page);
        let is_named = page.front.title.is_some() && other.front.title.is_some();
        // In other generators, the titles of sections needn't differ.
        let file_folder = |page: &Document| site_path::parent(page.path.as_str()).to_string();
        let is_of_section = !site.repository.is_ours() && file_folder(page) != file_folder(other);
        // A file may be published at several addresses.
        if other.path == page.path || !is_named || is_of_section {
            continue;
        }
        let message = format!("another page in this folder also has the title {}", quoted(&page.title));
        let help =
            "change one of the titles, so that readers can distinguish them in lists and search results";
        let problem = Problem::new(Code::DuplicateTitle, page.top(), message).help(help.to_string());
        found.push(problem.related(&other.path, other.top(), "the other").at(&page.path));
    }
    found
}
