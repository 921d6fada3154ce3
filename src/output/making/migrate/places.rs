//! The paths of all pages and files on a migrated site.

use std::collections::HashSet;

use base::address::Address;
use base::index::IndexVec;
use base::site_path::{self, SitePath};
use base::sorted::SortedMap;
use input::conventions::Repository;
use site::content::{Document, DocumentId};
use site::plan::Artifact;
use site::work::Work;

/// The paths on a new site.
pub(super) struct Places {
    /// The file of each page, and its `slug` if the file name doesn't give the address.
    pub(super) pages: IndexVec<DocumentId, (SitePath, Option<String>)>,
    /// New files with the files from which they are copied.
    pub(super) files: SortedMap<SitePath, SitePath>,
}

impl Places {
    pub(super) fn of(old: &Work) -> Self {
        let site = &old.project.site;
        let mut taken: HashSet<String> = HashSet::new();
        let mut pages = IndexVec::default();
        for document in &site.documents {
            let candidates = candidates(document, &site.repository);
            let again = |number: usize| {
                let (path, slug) = &candidates[0];
                let stem = path.trim_end_matches(".md");
                let slug = slug.clone().or_else(|| document.address.last_segment().map(str::to_string));
                (format!("{stem}-{number}.md"), slug)
            };
            let all = candidates.iter().cloned().chain((2..).map(again));
            // On some disks, names that differ only in case are equal.
            let free = all.into_iter().find(|(path, _)| taken.insert(path.to_lowercase()));
            let (path, slug) = free.expect("numbers never end");
            pages.push((format!("content/{path}").into(), slug));
        }
        let files = old.project.plan.artifacts().filter_map(|(address, artifact)| match artifact {
            Artifact::Asset(from) => Some((place_of_file(address, from, &site.repository)?, from.clone())),
            _ => None,
        });
        Self { files: files.collect(), pages }
    }
}

/// Returns the paths in `content` that give a page its address, the best first.
fn candidates(document: &Document, repository: &Repository) -> Vec<(String, Option<String>)> {
    let address = &document.address;
    let Some(last) = address.last_segment() else { return vec![("index.md".into(), None)] };
    let below = document.below();
    let usual = repository.address(below, None, None);
    let is_index = is_page_of_folder(below, &usual, repository);
    let path = address.as_str().trim_matches('/');
    let as_file = || (format!("{path}.md"), None);
    let as_folder = || (format!("{path}/index.md"), None);
    let is_hidden = |name: &str| name.starts_with(['_', '.']);
    let fits = !last.contains(['/', '\\', '?', '#', '%', '\0']);
    let mut candidates = Vec::new();
    // The author's file name, with the address as a slug.
    if !is_index && usual != *address && usual.parent() == address.parent() && fits {
        let stem = usual.as_str().trim_matches('/');
        if !stem.rsplit('/').next().is_some_and(|name| name == "index" || is_hidden(name)) {
            candidates.push((format!("{stem}.md"), Some(last.to_string())));
        }
    }
    let needs_slug = is_hidden(last) && fits;
    if needs_slug {
        let parent = address.parent();
        let name = last.trim_start_matches(['_', '.']);
        let name = if name.is_empty() { "page" } else { name };
        candidates.push((format!("{}{name}.md", &parent.as_str()[1..]), Some(last.to_string())));
    } else if is_index || last == "index" {
        candidates.extend([as_folder(), as_file()]);
    } else {
        candidates.extend([as_file(), as_folder()]);
    }
    candidates
}

/// Whether a page is at the address of its folder.
fn is_page_of_folder(below: &str, usual: &Address, repository: &Repository) -> bool {
    let folder = site_path::parent(below);
    let beside = if folder.is_empty() { "a-page.md".to_string() } else { format!("{folder}/a-page.md") };
    repository.address(&beside, None, None).parent() == *usual
}

/// Returns the path of a file that is published unchanged, or nothing for pages that aren't read, which would
/// otherwise become pages.
fn place_of_file(address: &Address, from: &SitePath, repository: &Repository) -> Option<SitePath> {
    let path = address.as_str();
    if repository.below_content(&repository.in_place(from.as_str())).is_none() {
        return Some(format!("static{path}").into());
    }
    let is_page = [".md", ".mdx", ".markdown"].iter().any(|ending| path.ends_with(ending));
    // In `content`, such names mark authors' private files.
    let is_hidden = path.split('/').any(|name| name.starts_with(['_', '.']));
    (!is_page).then(|| format!("{}{path}", if is_hidden { "static" } else { "content" }).into())
}
