//! The reading order of a platform's steps.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::documents::below;
use super::found::PlatformPage;
use super::key::segments;
use super::{Document, DocumentId};
use base::hash::HashMap;
use base::index::IndexVec;
use base::site_path;
use base::sort::StableSort as _;
use input::conventions::{Repository, without_number};
use input::source::Navigation;

/// Sorts the pages of the platform in the folder `root`: by `order`, or else by the generator's list, or else by
/// number prefixes and names.
///
/// If `order` counts by folder, folders are traversed depth first. A folder is sorted by its own position, or else by
/// that of its page, which comes first in it.
pub(super) fn sort(
    pages: &mut [PlatformPage],
    root: &str,
    documents: &IndexVec<DocumentId, Arc<Document>>,
    repository: &Repository,
    navigation: &Navigation,
) {
    let has_order = pages.iter().any(|page| documents[page.id].front.order.is_some());
    if has_order && !repository.convention.orders_by_folder {
        pages.stable_sort_by(|a, b| reading_order(&documents[a.id], &documents[b.id]));
        return;
    }
    let folders = folder_positions(pages, root, documents, navigation);
    pages.stable_sort_by_cached_key(|page| {
        let order = documents[page.id].front.order;
        (walk(&page.rest, order, &folders, repository.is_numbered), documents[page.id].published_path.clone())
    });
    let names = |page: &PlatformPage| names_in_list(&documents[page.id], repository);
    order_by_list(pages, names, &navigation.list.pages);
    // A list may omit the page that introduces the others.
    let places = places(&navigation.list.pages);
    let is_unlisted = |page: &PlatformPage| names(page).iter().all(|name| !places.contains_key(name));
    pages.stable_sort_by_cached_key(|page| !(segments(&page.rest).is_empty() && is_unlisted(page)));
}

/// Sorts items by the positions of their names in a list of paths. Items that aren't listed come last, in their
/// current order.
pub(super) fn order_by_list<T, S: AsRef<str>>(
    things: &mut [T],
    names: impl Fn(&T) -> Vec<String>,
    list: &[S],
) {
    if list.is_empty() {
        return;
    }
    let places = places(list);
    let place = |thing: &T| names(thing).iter().find_map(|name| places.get(name)).copied();
    things.stable_sort_by_cached_key(|thing| place(thing).unwrap_or(usize::MAX));
}

/// Returns the position of each path in a list, by name.
fn places<S: AsRef<str>>(list: &[S]) -> HashMap<String, usize> {
    let mut places: HashMap<String, usize> = HashMap::default();
    for (place, path) in list.iter().enumerate() {
        places.entry(name_in_list(path.as_ref())).or_insert(place);
    }
    places
}

/// Returns the names that a list may use for a page: of its file, as the generator names it, and of its address.
pub fn names_in_list(document: &Document, repository: &Repository) -> Vec<String> {
    let file = name_in_list(below(document));
    let called =
        file.split('/').map(|name| if repository.is_numbered { without_number(name).1 } else { name });
    let mut called = called.collect::<Vec<_>>().join("/");
    if repository.convention.is_lower_case {
        let names = called.split('/').map(|name| repository.convention.name_in_address(name));
        called = names.collect::<Vec<_>>().join("/");
    }
    if let Some(id) = &document.front.id {
        let folder = site_path::parent(&called);
        called = [folder, id.as_str()].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("/");
    }
    let address = name_in_list(document.address.as_str());
    // A list has the IDs of pages, or the names of addresses if these differ from those of files.
    if document.front.id.is_some() {
        vec![called]
    } else if repository.convention.is_lower_case {
        vec![called, address]
    } else {
        vec![called, file, address]
    }
}

/// Normalizes a path for comparison in lists of steps: without its extension, and without the name of an index page.
pub fn name_in_list(path: &str) -> String {
    segments(path).join("/")
}

/// Sorts by `order` among all pages, with ties sorted by path. Pages without `order` come last, by title.
pub(super) fn reading_order(a: &Document, b: &Document) -> Ordering {
    match (a.front.order, b.front.order) {
        (Some(first), Some(second)) => {
            first.total_cmp(&second).then_with(|| a.published_path.cmp(&b.published_path))
        }
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => (&a.title, &a.published_path).cmp(&(&b.title, &b.published_path)),
    }
}

/// The positions of pages in a generator's list.
#[derive(Debug)]
pub struct PlacesInLists {
    pages: HashMap<String, usize>,
    /// Positions of folders whose pages are all listed.
    folders: HashMap<String, usize>,
}

/// Returns the positions in the generator's list.
pub fn place_in_lists(navigation: &Navigation) -> PlacesInLists {
    let list = &navigation.list;
    let folders =
        list.folders.iter().filter_map(|&place| Some((name_in_list(list.pages.get(place)?), place)));
    PlacesInLists { pages: places(&list.pages), folders: folders.collect() }
}

impl PlacesInLists {
    /// Returns the position of a page, or of a listed folder that contains it.
    pub fn of(&self, document: &Document, repository: &Repository) -> Option<usize> {
        let names = names_in_list(document, repository);
        names.iter().find_map(|name| self.pages.get(name)).or_else(|| self.of_folder(&names)).copied()
    }

    /// Returns the names of all entries.
    pub fn named(&self) -> impl Iterator<Item = &str> {
        self.pages.keys().map(String::as_str)
    }

    fn of_folder(&self, names: &[String]) -> Option<&usize> {
        if self.folders.is_empty() {
            return None;
        }
        let around = |name: &str| {
            let ends = name.rmatch_indices('/').map(|(end, _)| end);
            ends.chain([0]).find_map(|end| self.folders.get(&name[..end]))
        };
        names.iter().find_map(|name| around(name))
    }
}

/// Sorts a page or folder among its neighbors if no list does: by its position, by its number prefix, then by its
/// title.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Neighbour {
    item: Item,
    title: Vec<Run>,
}

impl Neighbour {
    pub fn new(name: &str, order: Option<f64>, title: &str, is_numbered: bool) -> Self {
        let item = Item { name: String::new(), ..Item::new(name, order, is_numbered) };
        Self { item, title: runs(title) }
    }
}

/// A part of a title: a number, compared by value, or the text between numbers in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Run {
    /// Number of digits without leading zeros, and the digits.
    Number(usize, String),
    Text(String),
}

/// Splits a title for natural sorting: `Part 2` before `Part 10`.
fn runs(title: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut rest = title;
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_number).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        let digits = run.trim_start_matches('0');
        runs.push(if is_number {
            Run::Number(digits.len(), digits.to_string())
        } else {
            Run::Text(run.to_lowercase())
        });
        rest = after;
    }
    runs
}

/// The sort key of a page or folder in its folder.
#[derive(Clone, Debug)]
struct Item {
    position: Option<f64>,
    number: Option<u64>,
    name: String,
}

impl Item {
    /// If number prefixes count as positions (`is_position`), they equal written positions.
    fn new(name: &str, position: Option<f64>, is_position: bool) -> Self {
        let (number, name) = without_number(name);
        #[expect(clippy::cast_precision_loss, reason = "nobody counts so far")]
        let by_name = number.filter(|_| is_position).map(|number| number as f64);
        Self { position: position.or(by_name), number, name: name.to_string() }
    }
}

impl Ord for Item {
    fn cmp(&self, other: &Self) -> Ordering {
        let position = last_without(self.position.as_ref(), other.position.as_ref(), f64::total_cmp);
        let number = || last_without(self.number.as_ref(), other.number.as_ref(), Ord::cmp);
        position.then_with(number).then_with(|| self.name.cmp(&other.name))
    }
}

impl PartialOrd for Item {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Item {}

/// Compares, with `None` last.
fn last_without<T>(a: Option<&T>, b: Option<&T>, compare: impl Fn(&T, &T) -> Ordering) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => compare(a, b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

/// Returns a page's sort keys: one for each folder above it, and its own. The page of a folder has only the folder's,
/// so it precedes all others in it.
fn walk(rest: &str, order: Option<f64>, folders: &BTreeMap<String, f64>, is_position: bool) -> Vec<Item> {
    let names = segments(rest);
    let is_folders_page = names.len() < rest.split('/').filter(|part| !part.is_empty()).count();
    let items = (0..names.len()).map(|at| {
        let is_page = at + 1 == names.len() && !is_folders_page;
        let position = if is_page { order } else { folders.get(&names[..=at].join("/")).copied() };
        Item::new(names[at], position, is_position)
    });
    items.collect()
}

/// Returns the positions of the folders of a platform, by their paths relative to it.
fn folder_positions(
    pages: &[PlatformPage],
    root: &str,
    documents: &IndexVec<DocumentId, Arc<Document>>,
    navigation: &Navigation,
) -> BTreeMap<String, f64> {
    let mut positions = BTreeMap::new();
    for page in pages {
        let names = segments(&page.rest);
        if let Some(order) = documents[page.id].front.order {
            // For other pages, this is never used.
            positions.insert(names.join("/"), order);
        }
    }
    let start = format!("{root}/");
    let inside =
        navigation.folders.range(start.clone()..).take_while(|(folder, _)| folder.starts_with(&start));
    positions.extend(
        inside.filter_map(|(folder, said)| Some((folder[start.len()..].to_string(), said.position?))),
    );
    positions
}
