//! Folders of addresses, and which of them a site publishes or links to.

use base::diagnostic::distance_within;
use base::hash::{HashMap, HashSet};
use base::site_path;
use base::sorted::{SortedMap, SortedSet};
use site::plan::Artifact;
use site::project::Project;

/// Maximum depth of a region. Deeper folders are parts of it.
const DEEPEST: usize = 6;

/// Letters by which a slip differs at most; names that differ in more are others.
const MOST_SLIPS: usize = 2;

/// The folders of addresses with published content: the lower-case names of the entries of each folder, by its path.
pub(super) struct PublishedFolders(HashMap<String, HashSet<String>>);

impl PublishedFolders {
    pub(super) fn of(project: &Project) -> Self {
        let is_published = |it: &Artifact| !matches!(it, Artifact::Folder(_) | Artifact::Redirect { .. });
        let published = project.plan.artifacts().filter(|(_, it)| is_published(it));
        Self::with(published.map(|(address, _)| address.as_str()))
    }

    pub(super) fn with<'a>(addresses: impl Iterator<Item = &'a str>) -> Self {
        let mut known: HashMap<String, HashSet<String>> = HashMap::default();
        for address in addresses {
            for (around, name) in folders(address) {
                let names = known.entry(around.to_string()).or_default();
                if !names.contains(name) {
                    names.insert(name.to_string());
                }
            }
        }
        Self(known)
    }

    /// Returns the open region that contains a path, by the first of its folders without published content.
    pub(super) fn region(&self, path: &str) -> Option<String> {
        let is_unknown =
            |(around, name): &(&str, &str)| self.0.get(*around).is_none_or(|it| !it.contains(*name));
        let path = path.trim_end_matches('/');
        if let Some((around, name)) = folders(path).take(DEEPEST).find(is_unknown) {
            return (!self.is_slip(around, name)).then(|| format!("{around}{name}/"));
        }
        // The page of a folder in which nothing else is published.
        let folder = around(path);
        let is_leaf = folder != "/" && folders(path).count() <= DEEPEST && !self.has_folder(folder);
        is_leaf.then(|| folder.to_string())
    }

    /// Whether something is published in a folder, besides the page of the folder.
    pub(super) fn has_folder(&self, path: &str) -> bool {
        self.0.contains_key(&format!("{}/", path.trim_end_matches('/')))
    }

    /// Whether a path is a misspelling of a known one.
    pub(super) fn is_near(&self, path: &str) -> bool {
        let path = format!("{}/", path.trim_end_matches('/'));
        let is_unknown =
            |(around, name): &(&str, &str)| self.0.get(*around).is_none_or(|it| !it.contains(*name));
        folders(&path).find(is_unknown).is_none_or(|(around, name)| self.is_slip(around, name))
    }

    /// Returns the first folder or page of a path, as a folder, if nothing is published at it or in it.
    pub(super) fn outside(&self, path: &str) -> Option<String> {
        let first = path.strip_prefix('/')?.split('/').next()?;
        let is_known = self.0.get("/").is_some_and(|names| names.contains(first));
        let is_free = !first.is_empty() && !is_known && !self.is_slip("/", first);
        is_free.then(|| format!("/{first}/"))
    }

    /// Whether the name of a folder resembles one next to it.
    pub(super) fn is_slip(&self, around: &str, name: &str) -> bool {
        let name = name.to_lowercase();
        let limit = (name.chars().count() / 4).min(MOST_SLIPS);
        let mut others = self.0.get(around).into_iter().flatten();
        others.any(|other| distance_within(&name, &other.to_lowercase(), limit).is_some())
    }
}

/// What links of pages lead to. Collected when many lead nowhere.
#[derive(Default)]
pub(super) struct Linked {
    /// The fragments, by the address.
    pub(super) fragments: SortedMap<String, SortedSet<String>>,
    /// The first folders of addresses to which a link from the root leads.
    pub(super) folders: SortedSet<String>,
    /// The same for links without the site's base path.
    pub(super) without_base: SortedSet<String>,
    /// The number of links from the root that lead to a page.
    pub(super) from_root: usize,
    /// The files that aren't pages.
    pub(super) files: SortedSet<String>,
}

impl Linked {
    /// Returns the number of anchors to which links point in a page or folder.
    pub(super) fn anchors(&self, place: &str) -> usize {
        let is_there = |address: &str| address == place || around(address) == place;
        let all = self.fragments.iter().filter(|(address, _)| is_there(address)).flat_map(|(_, it)| it);
        all.collect::<SortedSet<_>>().len()
    }

    /// Returns the number of files in a folder to which links lead.
    pub(super) fn files_in(&self, folder: &str) -> usize {
        self.files.iter().filter(|file| site_path::is_inside(file, folder)).count()
    }
}

/// Returns the folder that contains a path, or the path itself for the root.
pub(super) fn folder_of(path: &str) -> String {
    match around(path) {
        "/" => path.trim_end_matches('/').to_string(),
        folder => folder.to_string(),
    }
}

/// Returns the last segment of a path: `install` for `/docs/install/`.
pub(super) fn last_name(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    &path[path.rfind('/').map_or(0, |slash| slash + 1)..]
}

/// Returns the first folder of an address: `/docs/` of `/docs/install/`.
pub(super) fn first_folder(address: &str) -> Option<String> {
    let end = address.get(1..)?.find('/')? + 2;
    (end < address.len()).then(|| address[..end].to_string())
}

/// Returns the parent of a folder: `/docs/` for `/docs/install/`.
pub(super) fn around(folder: &str) -> &str {
    let name = folder.trim_end_matches('/');
    &name[..name.rfind('/').map_or(0, |end| end + 1)]
}

/// Returns the folders of a path, each as its parent and name: `/` and `docs`, `/docs/` and `install` for
/// `/docs/install/linux`.
pub(super) fn folders(path: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends = path.match_indices('/').map(|(end, _)| end);
    ends.clone().zip(ends.skip(1)).map(|(start, end)| (&path[..=start], &path[start + 1..end]))
}

/// Returns the deepest folder that contains all addresses, with a slash at both ends.
pub(super) fn folder_of_all<'a>(mut addresses: impl Iterator<Item = &'a str>) -> String {
    let mut folder = addresses.next().unwrap_or("/").to_string();
    folder.truncate(folder.rfind('/').map_or(0, |end| end + 1));
    for address in addresses {
        while !address.starts_with(&folder) {
            let around = folder.trim_end_matches('/').rfind('/');
            folder.truncate(around.map_or(0, |end| end + 1));
        }
    }
    folder
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expected` is empty if the path isn't in an open region.
    #[track_caller]
    fn check(path: &str, expected: &str) {
        let known =
            PublishedFolders::with(["/", "/docs/install/a/", "/docs/install/", "/img/a.png"].into_iter());
        assert_eq!(known.region(path).unwrap_or_default(), expected, "{path}");
    }

    #[test]
    fn a_region_is_the_first_folder_that_nothing_is_published_in() {
        check("/docs/instal/", "");
        check("/instal", "");
        check("/docs/install/linux", "");
        check("/api/classes/color/", "/api/");
        check("/docs/api/color/", "/docs/api/");
        check("/docs/api/", "");
        check("/docs/install/b/c/d/e", "/docs/install/b/");
    }

    #[test]
    fn the_folder_of_all_pages() {
        for (addresses, folder) in [
            (&["/docs/a/", "/docs/b/c/"][..], "/docs/"),
            (&["/docs/a/", "/"], "/"),
            (&["/docs/"], "/docs/"),
            (&["/docs/ab/", "/docs/a"], "/docs/"),
            (&[], "/"),
        ] {
            assert_eq!(folder_of_all(addresses.iter().copied()), folder, "{addresses:?}");
        }
    }

    #[test]
    fn other_parts_of_a_host_are_outside() {
        let known = PublishedFolders::with(["/docs/install/a/", "/img/a.png"].into_iter());
        for (path, name) in [
            ("/pricing", "/pricing/"),
            ("/contact/support", "/contact/"),
            ("/dosc/install", ""),
            ("/docs/x", ""),
            ("/img/x", ""),
            ("/", ""),
        ] {
            assert_eq!(known.outside(path).unwrap_or_default(), name, "{path}");
        }
    }

    #[test]
    fn a_slip_in_the_name_of_a_folder_is_none() {
        check("/dosc/install/", "");
        check("/docs/instal/linux/", "");
        check("/imgs/a.png", "");
        check("/Docs/install/x/", "");
    }
}
