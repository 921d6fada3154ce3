//! What pages are called where their titles alone do not tell them apart.

use std::collections::{HashMap, HashSet};

use super::{Artifact, Layout, Tree};
use crate::address::Address;
use crate::content::{Document, Site};
use crate::diagnostic::{Code, Diagnostic, Problem};
use crate::markdown::repair;

/// Between the title of a page and that of what it is in.
const IN: &str = " › ";

/// A page among others of the same title.
struct Namesake<'a> {
    address: &'a Address,
    title: String,
    /// The titles of what it is in, the nearest first.
    above: Vec<String>,
}

/// The names of all pages whose titles others have too, by address. Each has in front of its title the nearest of what it is in
/// that no other of them is in; else all of it.
pub(super) fn names(layout: &Layout<'_>, tree: &Tree) -> HashMap<Address, String> {
    let mut by_title: HashMap<(String, Option<&str>), Vec<Namesake<'_>>> = HashMap::new();
    for (address, artifact) in &layout.artifacts {
        if let Some((title, platform, above)) = titles(layout.site, tree, address, artifact) {
            by_title.entry((title.clone(), platform)).or_default().push(Namesake { address, title, above });
        }
    }
    let several = by_title.into_values().filter(|pages| pages.len() > 1);
    several.flat_map(told_apart).collect()
}

/// The title of a page, of a step the platform that is shown beside it, and the titles of what it is in.
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
    let above = |address: &Address| -> Vec<String> {
        let node = tree.at(address).into_iter();
        let above = node.flat_map(|node| tree.above(node)).filter(|node| node.address.as_str() != "/");
        above.map(|node| node.title.clone()).collect()
    };
    let Some(place) = place else { return Some((tree.at(address)?.title.clone(), None, above(address))) };
    let (family, platform) = (site.family_of(place), site.platform_of(place));
    let section = platform.keys[place.step].section();
    let mut titles: Vec<String> = site.section_title(place, section).into_iter().collect();
    titles.push(family.title.clone());
    titles.extend(above(&family.address));
    let title = repair(&site.document(platform.steps[place.step]).title).into_owned();
    Some((title, Some(&*platform.name), titles))
}

/// Names for pages of the same title. One that is in nothing may keep its title.
fn told_apart(mut pages: Vec<Namesake<'_>>) -> Vec<(Address, String)> {
    let mut names = Vec::new();
    let mut taken: HashSet<String> = HashSet::new();
    let deepest = pages.iter().map(|page| page.above.len()).max().unwrap_or(0);
    for height in 0..deepest {
        let mut count: HashMap<String, usize> = HashMap::new();
        for page in &pages {
            if let Some(above) = page.above.get(height) {
                *count.entry(above.clone()).or_default() += 1;
            }
        }
        pages.retain(|page| {
            let Some(above) = page.above.get(height).filter(|above| count[*above] == 1) else { return true };
            let name = format!("{above}{IN}{}", page.title);
            let is_new = taken.insert(name.clone());
            if is_new {
                names.push((page.address.clone(), name));
            }
            !is_new
        });
    }
    names.extend(pages.into_iter().filter(|page| !page.above.is_empty()).map(|page| {
        let above = page.above.iter().rev().cloned();
        (page.address.clone(), above.chain([page.title.clone()]).collect::<Vec<_>>().join(IN))
    }));
    names
}

/// Pages that stand beside each other and have the same title, those of different platforms left out.
pub(super) fn duplicates(site: &Site, artifacts: &[(Address, Artifact)]) -> Vec<Diagnostic> {
    let mut first: HashMap<_, &Document> = HashMap::new();
    let mut found = Vec::new();
    let pages = artifacts.iter().filter_map(|(address, artifact)| match artifact {
        Artifact::Page(id) => Some((address, *id)),
        _ => None,
    });
    for (address, id) in pages {
        let page = site.document(id);
        let platform = site.place(id).map(|place| (place.family, place.platform));
        let other = *first.entry((address.parent(), platform, page.title.as_str())).or_insert(page);
        let is_named = page.front.title.is_some() && other.front.title.is_some();
        // A file may be published at several places.
        if other.path == page.path || !is_named {
            continue;
        }
        let message = format!("another page of this folder has the title `{}`, too", page.title);
        let help = "give one of them a title that tells them apart in lists and search results";
        let problem = Problem::new(Code::DuplicateTitle, page.top(), message).help(help.to_string());
        found.push(problem.related(&other.path, other.top(), "the other").at(&page.path));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the names of pages of one title, each given by what it is in, the nearest first.
    #[track_caller]
    fn check(pages: &[&[&str]], expected: &[&str]) {
        let addresses: Vec<Address> = (0..pages.len()).map(|at| Address::new(&format!("/{at}/"))).collect();
        let namesake = |(address, above): (_, &&[&str])| {
            let above = above.iter().map(|it| (*it).to_string()).collect();
            Namesake { address, title: "T".into(), above }
        };
        let told: HashMap<Address, String> =
            told_apart(addresses.iter().zip(pages).map(namesake).collect()).into_iter().collect();
        let names = addresses.iter().map(|address| told.get(address).map_or("T", |name| name));
        assert_eq!(names.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_nearest_that_tells_pages_apart_is_in_front() {
        check(&[&["Braze"], &["Adjust"]], &["Braze › T", "Adjust › T"]);
        check(&[&["X", "A"], &["X", "B"], &["Y", "A"]], &["A › T", "B › T", "Y › T"]);
        check(&[&[], &["Braze"]], &["T", "Braze › T"]);
        check(&[&["X", "A"], &["A"]], &["X › T", "A › T"]);
        check(
            &[&["X", "A", "P"], &["Y", "A", "Q"], &["X", "B", "P"], &["Y", "B", "Q"]],
            &["P › A › X › T", "Q › A › Y › T", "P › B › X › T", "Q › B › Y › T"],
        );
        check(&[&["X"], &["X"]], &["X › T", "X › T"]);
    }
}
