//! In which order the steps of a platform are read.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::found::PlatformPage;
use super::group::below;
use super::key::{segments, without_number};
use super::{Document, DocumentId};
use crate::conventions::Convention;
use crate::index::IndexVec;
use crate::source::Navigation;

/// Sorts the pages of the platform with the folder `root`: by `order`; else by the navigation's list; else by the numbers
/// in front of names, and by names.
///
/// Where `order` counts by folder, the folders are walked depth first. A folder comes where its position says, or else that
/// of its own page, which is its first.
pub(super) fn sort(
    pages: &mut [PlatformPage],
    root: &str,
    documents: &IndexVec<DocumentId, Arc<Document>>,
    convention: &Convention,
    navigation: &Navigation,
) {
    let has_order = pages.iter().any(|page| documents[page.id].front.order.is_some());
    if has_order && !convention.orders_by_folder {
        pages.sort_by(|a, b| reading_order(&documents[a.id], &documents[b.id]));
        return;
    }
    let folders = folder_positions(pages, root, documents, navigation);
    pages.sort_by_cached_key(|page| {
        let order = documents[page.id].front.order;
        (walk(&page.rest, order, &folders), documents[page.id].published_path.clone())
    });
    if !has_order {
        order_by_list(pages, |page| name_in_list(below(&documents[page.id])), &navigation.pages);
    }
}

/// Sorts things by the places of their names in a list of paths; those that are not in it come last, in the order that
/// they have.
pub(super) fn order_by_list<T, S: AsRef<str>>(things: &mut [T], name: impl Fn(&T) -> String, list: &[S]) {
    if list.is_empty() {
        return;
    }
    let mut places: HashMap<String, usize> = HashMap::new();
    for (place, path) in list.iter().enumerate() {
        places.entry(name_in_list(path.as_ref())).or_insert(place);
    }
    things.sort_by_cached_key(|thing| places.get(&name(thing)).copied().unwrap_or(usize::MAX));
}

/// A path as lists of steps are compared: without its ending, and without the name of a folder's page.
pub(super) fn name_in_list(path: &str) -> String {
    segments(path).join("/")
}

/// By `order` over all of them, ties by path; those without come last, by title.
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

/// Where a folder or a page comes in its folder.
#[derive(Clone, Debug)]
struct Item {
    position: Option<f64>,
    number: Option<u64>,
    name: String,
}

impl Item {
    fn new(name: &str, position: Option<f64>) -> Self {
        let (number, name) = without_number(name);
        Self { position, number, name: name.to_string() }
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

/// Nothing comes after everything.
fn last_without<T>(a: Option<&T>, b: Option<&T>, compare: impl Fn(&T, &T) -> Ordering) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => compare(a, b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

/// A page's place: that of each folder above it, and its own in the last of them. The page of a folder has that of the
/// folder, and so comes before all others in there.
fn walk(rest: &str, order: Option<f64>, folders: &BTreeMap<String, f64>) -> Vec<Item> {
    let names = segments(rest);
    let is_folders_page = names.len() < rest.split('/').filter(|part| !part.is_empty()).count();
    let items = (0..names.len()).map(|at| {
        let is_page = at + 1 == names.len() && !is_folders_page;
        let position = if is_page { order } else { folders.get(&names[..=at].join("/")).copied() };
        Item::new(names[at], position)
    });
    items.collect()
}

/// The positions of the folders below a platform, by their paths in there.
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
            // Of a page that is no folder's this is never asked.
            positions.insert(names.join("/"), order);
        }
    }
    let start = format!("{root}/");
    let inside =
        navigation.folders.range(start.clone()..).take_while(|(folder, _)| folder.starts_with(&start));
    positions.extend(inside.map(|(folder, position)| (folder[start.len()..].to_string(), *position)));
    positions
}
