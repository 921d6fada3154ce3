//! Finds families by the names of folders and files: siblings that are named after platforms and contain pages with
//! the same names.
//!
//! In: the documents outside known families. Out: for each family, its platforms and their pages. Three layouts are
//! detected: a folder for each platform with any subfolders, `{family}/{platform}/{section…}/{step}`; one page for
//! each platform in one folder, `{family}/{platform}`; and several such folders next to each other,
//! `{family}/{step}/{platform}`. Words next to a platform in the name of a folder, and the platform in the names of its pages, are
//! ignored: `ios-sdk/ios-install`. Pages whose names only contain a platform, such as `{step}-{platform}` and `{step}-{platform}-{more}`,
//! are treated as if they were in such folders if they are alike.
//!
//! Sections of platforms belong to a single family, because readers switch platforms on any page, and continue from
//! the last page of a section to the next section. Therefore outer folders take precedence over inner ones.

use std::borrow::Cow;

use super::documents::{Documents, below};
use super::key::{StepKey, is_index, segments};
use super::{Document, DocumentId};
use base::hash::{HashMap, HashSet};
use base::items::only;
use base::platforms::{is_platform, is_said_of_anything, nearly_a_platform};
use base::site_path::{self, join};
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};

/// A page of a platform.
#[derive(Clone, Debug)]
pub(super) struct PlatformPage {
    pub(super) id: DocumentId,
    /// Its path without the platform, as written.
    pub(super) rest: String,
    pub(super) key: StepKey,
}

/// A platform with its pages.
#[derive(Clone, Debug)]
pub(super) struct FoundPlatform {
    /// Name of its folder or page.
    pub(super) name: String,
    /// Its folder in `content/`, or the path that such a folder would have.
    pub(super) root: String,
    pub(super) pages: Vec<PlatformPage>,
}

/// Platforms that share a tutorial.
#[derive(Clone, Debug)]
pub(super) struct FoundFamily {
    pub(super) folder: String,
    pub(super) platforms: Vec<FoundPlatform>,
}

/// Returns the families that names show. `is_out` is set for pages that can't belong to a family.
pub(super) fn families(documents: &Documents<'_>, is_out: &dyn Fn(DocumentId) -> bool) -> Vec<FoundFamily> {
    let by_path = folders(documents, is_out);
    let by_name =
        named_folders(documents, is_out).into_iter().filter(|(path, _)| !by_path.contains_key(path));
    let by_name: Vec<FolderEntries> = by_name.map(|(_, folder)| folder).collect();
    let mut folders: Vec<FolderEntries> = by_path.into_values().chain(by_name).collect();
    // Outer folders first.
    folders.stable_sort_by_key(|folder| folder.path.split('/').filter(|part| !part.is_empty()).count());
    let mut taken: HashSet<DocumentId> = HashSet::default();
    let mut found: Vec<FoundFamily> = Vec::new();
    let mut of_pages: Vec<FoundFamily> = Vec::new();
    for mut folder in folders {
        folder.entries.retain(|_, pages| pages.iter().all(|page| !taken.contains(&page.id)));
        let (families, others) = folder.families_of_folders(documents);
        let rest = FolderEntries { entries: others, ..folder };
        let of_its_pages = if families.is_empty() { rest.family_of_pages(documents) } else { None };
        let all = families.iter().chain(&of_its_pages).flat_map(|family| &family.platforms);
        taken.extend(all.flat_map(|platform| platform.pages.iter().map(|page| page.id)));
        found.extend(families);
        of_pages.extend(of_its_pages);
    }
    found.extend(side_by_side(of_pages));
    found
}

/// The entries of a folder whose names may be those of platforms.
#[derive(Clone, Debug)]
pub(super) struct FolderEntries {
    pub(super) path: String,
    pub(super) entries: SortedMap<String, Vec<PlatformPage>>,
    /// Whether the names of the pages only contain the platforms.
    is_by_name: bool,
}

/// Returns the folders with at least two platform names. Folders with the same words next to the platform, `ios-sdk` and `android-sdk`,
/// also count if none has the name of a platform alone.
fn folders(
    documents: &Documents<'_>,
    is_out: &dyn Fn(DocumentId) -> bool,
) -> SortedMap<String, FolderEntries> {
    let mut known: HashMap<&str, SortedMap<&str, SortedSet<&str>>> = HashMap::default();
    let mut named: HashMap<&str, Option<(&str, &str)>> = HashMap::default();
    let ids: Vec<DocumentId> = documents.indices().filter(|&id| !is_out(id)).collect();
    for &id in &ids {
        for (folder, name, rest) in places(below(&documents[id])) {
            let found = *named
                .entry(name)
                .or_insert_with(|| if is_platform(name) { Some((name, "")) } else { platform_in(name) });
            if let Some((platform, words)) = found.filter(|(_, words)| words.is_empty() || !rest.is_empty()) {
                known.entry(folder).or_default().entry(words).or_default().insert(platform);
            }
        }
    }
    let known: HashMap<&str, &str> =
        known.into_iter().filter_map(|(folder, named)| Some((folder, common_words(&named)?))).collect();
    let is_step = |document: &Document| is_step(documents, document);
    let mut of_steps: HashSet<(&str, &str)> = HashSet::default();
    let mut folders: SortedMap<String, FolderEntries> = SortedMap::new();
    for &id in &ids {
        let document = &documents[id];
        for (path, name, rest) in places(below(document)) {
            let Some(&words) = known.get(path) else { continue };
            let platform =
                named[name].filter(|(_, its)| *its == words).map_or(name, |(platform, _)| platform);
            if is_step(document) {
                of_steps.insert((path, platform));
                continue;
            }
            let folder = folders.entry(path.to_string()).or_insert_with(|| FolderEntries::new(path, false));
            let key = StepKey::new(&without_platform(rest, platform), document, documents.repository());
            let page = PlatformPage { id, rest: rest.to_string(), key };
            folder.entries.entry(platform.to_string()).or_default().push(page);
        }
    }
    for folder in folders.values_mut() {
        folder.entries.retain(|name, _| !of_steps.contains(&(folder.path.as_str(), name.as_str())));
    }
    folders
}

/// Returns the words next to most platforms of a folder: none if at least two have the names of platforms alone.
fn common_words<'n>(named: &SortedMap<&'n str, SortedSet<&'n str>>) -> Option<&'n str> {
    let several = || named.iter().filter(|(_, platforms)| platforms.len() >= 2);
    let most = several().max_by_key(|(_, platforms)| platforms.len());
    let (words, _) = several().find(|(words, _)| words.is_empty()).or(most)?;
    Some(*words)
}

/// Returns the path of a page in a platform's folder without the platform in its names: `install.md` for `ios-install.md`.
fn without_platform(rest: &str, platform: &str) -> String {
    let without = |name: &str| {
        let (stem, ending) = name.split_once('.').map_or((name, ""), |(stem, _)| (stem, &name[stem.len()..]));
        match platform_in(stem).filter(|(found, _)| found.eq_ignore_ascii_case(platform)) {
            Some((_, words)) => format!("{words}{ending}"),
            None => name.to_string(),
        }
    };
    rest.split('/').map(without).collect::<Vec<_>>().join("/")
}

/// In Stepkin sites, `order` marks pages as steps.
fn is_step(documents: &Documents<'_>, document: &Document) -> bool {
    documents.repository().is_ours() && document.front.order.is_some()
}

/// Returns the first two pages in a folder whose names differ only in their platforms.
pub(super) fn named_alike<'d>(documents: &'d Documents<'_>) -> Option<[&'d Document; 2]> {
    let folders = named_folders(documents, &|_| false);
    let (_, folder) = folders.iter().next()?;
    let mut pages = folder.entries.values().filter_map(|pages| pages.first());
    Some([&*documents[pages.next()?.id], &*documents[pages.next()?.id]])
}

/// Returns the folders that pages would be in if platforms in their names were names of pages, with at least two platforms.
fn named_folders(
    documents: &Documents<'_>,
    is_out: &dyn Fn(DocumentId) -> bool,
) -> SortedMap<String, FolderEntries> {
    let mut folders: SortedMap<String, FolderEntries> = SortedMap::new();
    for (id, document) in documents.indexed().filter(|(id, it)| !is_out(*id) && !is_step(documents, it)) {
        let Some((folder, name, _)) = places(below(document)).last() else { continue };
        let Some((platform, rest)) = platform_within(name) else { continue };
        let path = join(folder, &rest);
        let page = PlatformPage { id, rest: String::new(), key: StepKey::default() };
        let folder = folders.entry(path.clone()).or_insert_with(|| FolderEntries::new(&path, true));
        folder.entries.entry(platform.to_string()).or_default().push(page);
    }
    folders.retain(|_, folder| folder.entries.len() >= 2);
    folders
}

/// Returns the platform in the name of a page, which comes last or first, and the rest of the name: `java` and `build` for
/// `build-java` and `build-with-java`.
fn platform_in(name: &str) -> Option<(&str, &str)> {
    const BEFORE_PLATFORMS: [&str; 5] = ["for", "in", "on", "using", "with"];
    let separators = || name.match_indices(BETWEEN).map(|(at, _)| at);
    let before = |rest| match str::rsplit_once(rest, BETWEEN) {
        Some((start, word)) if BEFORE_PLATFORMS.contains(&word) => start,
        _ => rest,
    };
    let last = separators().map(|at| (&name[at + 1..], before(&name[..at])));
    let first = separators().rev().map(|at| (&name[..at], &name[at + 1..]));
    last.chain(first).find(|(platform, rest)| is_platform(platform) && !rest.is_empty() && !is_platform(rest))
}

/// The same, also between other words: `go` and `tutorial-stream` for `tutorial-go-stream`.
fn platform_within(name: &str) -> Option<(&str, Cow<'_, str>)> {
    if let Some((platform, rest)) = platform_in(name) {
        return Some((platform, rest.into()));
    }
    let words = name.split(BETWEEN).map(|word| (word, word.as_ptr() as usize - name.as_ptr() as usize));
    let is_within = |word: &str, at: usize| at > 0 && at + word.len() < name.len();
    let (platform, at) = only(words.filter(|(word, at)| is_within(word, *at) && is_platform(word)))?;
    Some((platform, format!("{}{}", &name[..at], &name[at + platform.len() + 1..]).into()))
}

/// Signs between the words of a name.
const BETWEEN: [char; 5] = ['-', '_', ' ', '+', '.'];

/// Returns, for every folder above a page, the folder, the name of its entry that contains the page, and the rest of
/// the page's path. Returns nothing for parts of pages, which are in folders whose names begin with `_`.
pub(super) fn places(path: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let folders = site_path::parent(path);
    let is_part = folders.split('/').any(|folder| folder.starts_with('_'));
    let starts = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
    starts.filter(move |_| !is_part).filter_map(move |start| {
        let folder = path[..start].trim_end_matches('/');
        if let Some((name, rest)) = path[start..].split_once('/') {
            return Some((folder, name, rest));
        }
        let stem = path[start..].rsplit_once('.').map_or(&path[start..], |(stem, _)| stem);
        // `README.iOS`, and not the language in `install.ja`.
        let name = match stem.split_once('.') {
            Some((name, word)) if !is_platform(word) => name,
            _ => stem,
        };
        (!is_index(name)).then_some((folder, name, ""))
    })
}

impl FolderEntries {
    fn new(path: &str, is_by_name: bool) -> Self {
        Self { path: path.to_string(), entries: SortedMap::new(), is_by_name }
    }

    /// Returns the families whose platforms are subfolders of this folder, and the rest.
    fn families_of_folders(
        &self,
        documents: &Documents<'_>,
    ) -> (Vec<FoundFamily>, SortedMap<String, Vec<PlatformPage>>) {
        let (mut folders, mut others): (SortedMap<_, _>, SortedMap<_, _>) =
            self.entries.clone().into_iter().partition(|(_, pages)| pages.iter().any(PlatformPage::is_below));
        let known: Vec<&String> = folders.keys().filter(|name| is_platform(name)).collect();
        let mut groups: Vec<Vec<String>> =
            connected(&known, |one, other| are_one_tutorial(&folders[*one], &folders[*other], documents));
        groups.retain(|group| group.len() >= 2);
        groups.stable_sort_by_key(|group| std::cmp::Reverse(group.len()));
        let mut families = Vec::new();
        for mut group in groups {
            group.extend(siblings(&group, &folders));
            let platforms = group.into_iter().filter_map(|name| {
                let pages = folders.remove(&name)?;
                Some(FoundPlatform { root: join(&self.path, &name), name, pages })
            });
            families.push(FoundFamily { folder: self.path.clone(), platforms: platforms.collect() });
        }
        others.extend(folders);
        (families, others)
    }

    /// Returns the family of the pages in this folder, if nearly all are named after platforms or their headings
    /// match. If their names only contain the platforms, their headings or words must match.
    fn family_of_pages(&self, documents: &Documents<'_>) -> Option<FoundFamily> {
        /// Required number of pages that are named after platforms for each page with another name.
        const KNOWN_FOR_ONE: usize = 8;
        let is_page = |pages: &[PlatformPage]| !pages.iter().any(PlatformPage::is_below);
        let has_page = |pages: &[PlatformPage]| !pages.iter().all(PlatformPage::is_below);
        let all: Vec<(&String, &Vec<PlatformPage>)> = self.entries.iter().collect();
        let (mut known, with_folders): (Vec<&String>, Vec<&String>) = all
            .iter()
            .filter(|(name, pages)| is_platform(name) && has_page(pages))
            .map(|it| it.0)
            .partition(|name| is_page(&self.entries[*name]));
        // A few of the platforms may have other pages, too.
        if with_folders.len() < known.len() {
            known.extend(with_folders);
        }
        if known.len() < 2 {
            return None;
        }
        let others = all.len() - known.len();
        let names: Vec<String> = if 4 * others <= known.len() && !self.is_by_name {
            let is_one_too = |name: &str, pages: &[PlatformPage]| {
                known.len() >= KNOWN_FOR_ONE * others && is_page(pages) && !is_said_of_anything(name)
            };
            let all = all.iter().filter(|(name, pages)| known.contains(name) || is_one_too(name, pages));
            all.map(|(name, _)| (*name).clone()).collect()
        } else {
            let id = |name: &String| self.entries[name][0].id;
            let groups = connected(&known, |one, other| {
                let (one, other) = (&documents[id(one)], &documents[id(other)]);
                documents.have_equal_headings(one, other)
                    || self.is_by_name && documents.read_alike(one, other)
            });
            groups.into_iter().filter(|group| group.len() >= 2).max_by_key(Vec::len)?
        };
        let platforms = names.into_iter().map(|name| {
            let pages = self.entries[&name].iter().filter(|page| !page.is_below()).cloned();
            let pages =
                pages.map(|page| PlatformPage { rest: String::new(), key: StepKey::default(), ..page });
            FoundPlatform { root: join(&self.path, &name), pages: pages.collect(), name }
        });
        Some(FoundFamily { folder: self.path.clone(), platforms: platforms.collect() })
    }
}

impl PlatformPage {
    /// Whether it is in the platform's folder, and isn't the folder's own page.
    fn is_below(&self) -> bool {
        !segments(&self.rest).is_empty()
    }
}

fn keys(pages: &[PlatformPage]) -> SortedSet<&StepKey> {
    pages.iter().filter(|page| page.is_below()).map(|page| &page.key).collect()
}

/// Whether two platforms share at least half of the smaller one's steps. A single common step may be a coincidence,
/// because many folders contain an overview.
fn are_one_tutorial(one: &[PlatformPage], other: &[PlatformPage], documents: &Documents<'_>) -> bool {
    const FEW: usize = 2;
    let (first, second) = (keys(one), keys(other));
    let mut common = first.intersection(&second);
    let number = common.clone().count();
    let agrees = |key: &StepKey| {
        let page = |pages: &[PlatformPage]| pages.iter().find(|page| page.key == *key).map(|page| page.id);
        let (Some(one), Some(other)) = (page(one), page(other)) else { return false };
        documents.read_alike(&documents[one], &documents[other])
    };
    number > 0
        && 2 * number >= first.len().min(second.len())
        && (number >= FEW || first.len().max(second.len()) <= FEW || common.any(|key| agrees(key)))
}

/// Returns the groups of names that are joined directly or through others.
fn connected(names: &[&String], are_joined: impl Fn(&&String, &&String) -> bool) -> Vec<Vec<String>> {
    let mut left: Vec<&String> = names.to_vec();
    let mut groups = Vec::new();
    while !left.is_empty() {
        let mut group = vec![left.remove(0)];
        let mut at = 0;
        while let Some(one) = group.get(at).copied() {
            let (joined, others) = left.into_iter().partition(|other| are_joined(&one, other));
            left = others;
            group.extend::<Vec<_>>(joined);
            at += 1;
        }
        groups.push(group.into_iter().cloned().collect());
    }
    groups
}

/// Returns folders next to those of platforms that share at least half of their page names with one of them. If there are many more of
/// them than platforms, the folders have another order.
pub(super) fn siblings(group: &[String], folders: &SortedMap<String, Vec<PlatformPage>>) -> Vec<String> {
    /// Minimum number of common names. Fewer may be a coincidence.
    const ENOUGH: usize = 3;
    /// Maximum number of such folders for each platform.
    const MOST: usize = 2;
    let mut with: HashMap<&StepKey, Vec<&String>> = HashMap::default();
    for name in group {
        for key in folders.get(name).map(|pages| keys(pages)).unwrap_or_default() {
            with.entry(key).or_default().push(name);
        }
    }
    let is_sibling = |(name, pages): &(&String, &Vec<PlatformPage>)| {
        if is_platform(name) || is_said_of_anything(name) || nearly_a_platform(name).is_some() {
            return false;
        }
        let own = keys(pages);
        let mut common: HashMap<&String, usize> = HashMap::default();
        for platform in own.iter().flat_map(|key| with.get(key).into_iter().flatten()) {
            *common.entry(platform).or_default() += 1;
        }
        common.values().any(|common| *common >= ENOUGH && 2 * common >= own.len())
    };
    let found: Vec<String> = folders.iter().filter(is_sibling).map(|(name, _)| name.clone()).collect();
    if found.len() <= MOST * group.len() { found } else { Vec::new() }
}

/// Joins adjacent folders with one page for each platform into one family, if they share platforms. Each folder is a
/// step.
fn side_by_side(families: Vec<FoundFamily>) -> Vec<FoundFamily> {
    let mut by_parent: SortedMap<String, Vec<FoundFamily>> = SortedMap::new();
    for family in families {
        // The root is in no folder.
        let parent = if family.folder.is_empty() { "/" } else { site_path::parent(&family.folder) };
        by_parent.entry(parent.to_string()).or_default().push(family);
    }
    by_parent.into_iter().flat_map(|(parent, families)| joined(&parent, families)).collect()
}

fn joined(parent: &str, families: Vec<FoundFamily>) -> Vec<FoundFamily> {
    let names = |family: &FoundFamily| -> SortedSet<String> {
        family.platforms.iter().map(|it| it.name.to_lowercase()).collect()
    };
    let all: Vec<SortedSet<String>> = families.iter().map(names).collect();
    let shares = |at: usize| {
        all.iter().enumerate().any(|(other, its)| other != at && its.intersection(&all[at]).count() >= 2)
    };
    let is_step: Vec<bool> = (0..families.len()).map(shares).collect();
    let mut platforms: SortedMap<String, FoundPlatform> = SortedMap::new();
    let mut alone = Vec::new();
    for (family, is_step) in families.into_iter().zip(is_step) {
        if !is_step {
            alone.push(family);
            continue;
        }
        let step = site_path::file_name(&family.folder).to_string();
        for platform in family.platforms {
            let whole = platforms.entry(platform.name.to_lowercase()).or_insert_with(|| FoundPlatform {
                root: join(parent, &platform.name),
                name: platform.name.clone(),
                pages: Vec::new(),
            });
            let pages = platform.pages.into_iter();
            whole.pages.extend(pages.map(|page| PlatformPage {
                id: page.id,
                rest: step.clone(),
                key: StepKey::of_folder(&step),
            }));
        }
    }
    if !platforms.is_empty() {
        alone.push(FoundFamily { folder: parent.to_string(), platforms: platforms.into_values().collect() });
    }
    alone
}
