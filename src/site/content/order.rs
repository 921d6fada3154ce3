//! In which order the steps of a platform are read.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::documents::below;
use super::found::PlatformPage;
use super::key::segments;
use super::{Document, DocumentId};
use crate::base::hash::HashMap;
use crate::base::index::IndexVec;
use crate::input::conventions::{Repository, without_number};
use crate::input::source::Navigation;

/// Sorts the pages of the platform with the folder `root`: by `order`; else by the navigation's list; else by the numbers
/// in front of names, and by names.
///
/// Where `order` counts by folder, the folders are walked depth first. A folder comes where its position says, or else that
/// of its own page, which is its first.
pub(super) fn sort(
    pages: &mut [PlatformPage],
    root: &str,
    documents: &IndexVec<DocumentId, Arc<Document>>,
    repository: &Repository,
    navigation: &Navigation,
) {
    let has_order = pages.iter().any(|page| documents[page.id].front.order.is_some());
    if has_order && !repository.convention.orders_by_folder {
        pages.sort_by(|a, b| reading_order(&documents[a.id], &documents[b.id]));
        return;
    }
    let folders = folder_positions(pages, root, documents, navigation);
    pages.sort_by_cached_key(|page| {
        let order = documents[page.id].front.order;
        (walk(&page.rest, order, &folders, repository.is_numbered), documents[page.id].published_path.clone())
    });
    let names = |page: &PlatformPage| names_in_list(&documents[page.id], repository);
    order_by_list(pages, names, &navigation.list.pages);
    // A list may leave out the page that says of the others what they are.
    let places = places(&navigation.list.pages);
    let is_unlisted = |page: &PlatformPage| names(page).iter().all(|name| !places.contains_key(name));
    pages.sort_by_cached_key(|page| !(segments(&page.rest).is_empty() && is_unlisted(page)));
}

/// Sorts things by the places of their names in a list of paths; those that are not in it come last, in the order that
/// they have.
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
    things.sort_by_cached_key(|thing| place(thing).unwrap_or(usize::MAX));
}

/// The place of each path in a list, by its name.
fn places<S: AsRef<str>>(list: &[S]) -> HashMap<String, usize> {
    let mut places: HashMap<String, usize> = HashMap::default();
    for (place, path) in list.iter().enumerate() {
        places.entry(name_in_list(path.as_ref())).or_insert(place);
    }
    places
}

/// The names by which a list may mean a page: by its file, as the generator calls that, and by its address.
pub(crate) fn names_in_list(document: &Document, repository: &Repository) -> Vec<String> {
    let file = name_in_list(below(document));
    let called =
        file.split('/').map(|name| if repository.is_numbered { without_number(name).1 } else { name });
    let mut called = called.collect::<Vec<_>>().join("/");
    if repository.convention.is_lower_case {
        called = called.to_lowercase();
    }
    if let Some(id) = &document.front.id {
        let folder = called.rsplit_once('/').map_or("", |(folder, _)| folder);
        called = [folder, id.as_str()].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("/");
    }
    let address = name_in_list(document.address.as_str());
    vec![called, file, address]
}

/// A path as lists of steps are compared: without its ending, and without the name of a folder's page.
pub(crate) fn name_in_list(path: &str) -> String {
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

/// The places of pages in the list of a generator.
pub(crate) struct PlacesInLists {
    pages: HashMap<String, usize>,
    /// Of folders of which all pages are listed.
    folders: HashMap<String, usize>,
}

/// The places that the generator's list says.
pub(crate) fn place_in_lists(navigation: &Navigation) -> PlacesInLists {
    let list = &navigation.list;
    let folders =
        list.folders.iter().filter_map(|&place| Some((name_in_list(list.pages.get(place)?), place)));
    PlacesInLists { pages: places(&list.pages), folders: folders.collect() }
}

impl PlacesInLists {
    /// The place of a page, or of a folder around it, where it is listed.
    pub(crate) fn of(&self, document: &Document, repository: &Repository) -> Option<usize> {
        let names = names_in_list(document, repository);
        names.iter().find_map(|name| self.pages.get(name)).or_else(|| self.of_folder(&names)).copied()
    }

    /// The names of all that is listed.
    pub(crate) fn named(&self) -> impl Iterator<Item = &str> {
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

/// Where a page or a folder comes among its neighbours when no list says it: by its position, by the number in front of its
/// name, then by its title.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Neighbour {
    item: Item,
    title: Vec<Run>,
}

impl Neighbour {
    pub(crate) fn new(name: &str, order: Option<f64>, title: &str, is_numbered: bool) -> Self {
        let item = Item { name: String::new(), ..Item::new(name, order, is_numbered) };
        Self { item, title: runs(title) }
    }
}

/// A part of a title: a number, by its value, or what stands between numbers, in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Run {
    /// How many digits it has without zeros in front, and these.
    Number(usize, String),
    Text(String),
}

/// A title as people sort it: `Part 2` before `Part 10`.
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

/// Where a folder or a page comes in its folder.
#[derive(Clone, Debug)]
struct Item {
    position: Option<f64>,
    number: Option<u64>,
    name: String,
}

impl Item {
    /// Where a number in front of a name `is_position`, it says the same as a position that is written.
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
    positions.extend(
        inside.filter_map(|(folder, said)| Some((folder[start.len()..].to_string(), said.position?))),
    );
    positions
}
