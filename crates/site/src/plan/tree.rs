//! The tree of folders through which readers browse, for every page that isn't a step.
//!
//! A *node* is a page, a tutorial, or a folder without a page. Its parent is the nearest node above its address, so
//! the tree follows the addresses, and the home page is its root. Steps aren't in the tree, because their tutorial
//! lists them. Siblings are sorted by the generator's list of pages, or else by `order`, positions of folders and
//! number prefixes, or else by title.

use crate::content::{Document, DocumentId, FamilyId, Neighbour, Platform, Site, place_in_lists};
use base::address::Address;
use base::hash::{HashMap, HashSet};
use base::index::{IndexVec, newtype_index};
use base::names::{self, Namesake};
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use input::source::Navigation;
use markup::markdown::repair;

newtype_index! {
    /// Position of a [`Node`] in reading order.
    pub struct NodeIx
}

/// The content of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    Home,
    Family(FamilyId),
    Page(DocumentId),
    /// A folder without a page.
    Folder,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub address: Address,
    pub title: String,
    /// Name in lists. It is unique within the parent.
    pub name: String,
    /// The author's description, or else a list of its content.
    pub description: Option<String>,
    pub at: At,
    /// Number of pages that aren't steps, here and under it.
    pub pages: usize,
    parent: Option<NodeIx>,
    children: Vec<NodeIx>,
    /// The previous page in reading order, within one child of the root.
    previous: Option<NodeIx>,
    next: Option<NodeIx>,
}

impl Node {
    /// Whether it has no children.
    pub fn is_leaf(&self) -> bool {
        self.children.is_empty()
    }
}

/// All nodes of a site.
#[derive(Debug, Default)]
pub struct Tree {
    /// In reading order. The first one is the root.
    nodes: IndexVec<NodeIx, Node>,
    by_address: HashMap<Address, NodeIx>,
    /// The titles of folders that are not nodes because they contain only one entry.
    passed: HashMap<Address, String>,
}

/// The part of the tree that a page shows.
#[derive(Debug, Default)]
pub struct Around<'t> {
    /// The sidebar list, with its node. The home page and tutorials have none.
    pub list: Option<(&'t Node, Vec<Listed<'t>>)>,
    /// The previous and next page, each with its parent node.
    pub previous: Option<(&'t Node, &'t Node)>,
    pub next: Option<(&'t Node, &'t Node)>,
    /// The children.
    pub children: Vec<&'t Node>,
}

/// An entry of the sidebar list.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'t> {
    pub node: &'t Node,
    /// Counted from 0.
    pub depth: usize,
    pub is_current: bool,
    /// If set, the entry links to all of this many children of the node, of which the list contains only those near
    /// the page.
    pub all: Option<usize>,
}

/// Maximum number of siblings in the list. A page lists the siblings of all its ancestors, so without a limit the
/// size of all lists would grow with the square of the number of pages.
pub const MOST_LISTED: usize = 40;

/// Maximum length of a description that consists of titles.
const LONGEST_LIST: usize = 90;

/// Builds the tree of these pages. `is_free` returns whether an address is unused.
pub(super) fn tree(
    site: &Site,
    navigation: &Navigation,
    mut found: SortedMap<Address, At>,
    is_free: impl Fn(&Address) -> bool,
) -> Tree {
    let home = Address::new("/");
    found.entry(home.clone()).or_insert(At::Home);
    let passed = add_folders(site, &mut found, is_free);
    let mut children: SortedMap<&Address, Vec<&Address>> = SortedMap::new();
    for address in found.keys().filter(|address| **address != home) {
        let above = address.above().find(|above| found.contains_key(above));
        if let Some((parent, _)) = found.get_key_value(&above.unwrap_or_else(|| home.clone())) {
            children.entry(parent).or_default().push(address);
        }
    }
    let sorted = Sorting::new(site, navigation, &found).sort(children);
    Tree::new(site, &found, &sorted, passed)
}

/// Returns the folders with more than one child. Readers need no page for a single child.
fn with_several(found: &SortedMap<Address, At>, folders: &SortedSet<Address>) -> Vec<Address> {
    let nearest = |address: &Address| {
        address.above().find(|above| folders.contains(above)).filter(|folder| {
            // Content of a folder in between counts for that folder.
            !address.above().take_while(|above| above != folder).any(|above| found.contains_key(&above))
        })
    };
    let mut counts: HashMap<Address, usize> = HashMap::default();
    for folder in found.keys().filter_map(nearest) {
        *counts.entry(folder).or_default() += 1;
    }
    let mut kept = Vec::new();
    // The content of a folder follows it.
    for folder in folders.iter().rev() {
        let count = counts.get(folder).copied().unwrap_or(0);
        if let Some(above) = nearest(folder) {
            *counts.entry(above).or_default() += count.min(1);
        }
        if count > 1 {
            kept.push(folder.clone());
        }
    }
    kept
}

/// Adds the folders around the found nodes at addresses without a node. Folders of platforms are left out, because
/// the tutorial lists their content. Returns the titles of folders that are left out because they contain only one
/// entry.
fn add_folders(
    site: &Site,
    found: &mut SortedMap<Address, At>,
    is_free: impl Fn(&Address) -> bool,
) -> HashMap<Address, String> {
    let platforms: HashSet<Address> =
        site.families.iter().flat_map(|family| &family.platforms).map(Platform::folder).collect();
    let mut folders: SortedSet<Address> = SortedSet::new();
    for address in found.keys() {
        for folder in address.above() {
            if folders.contains(&folder) {
                break;
            }
            if !found.contains_key(&folder) && !platforms.contains(&folder) && is_free(&folder) {
                folders.insert(folder);
            }
        }
    }
    let kept = with_several(found, &folders);
    found.extend(kept.into_iter().map(|folder| (folder, At::Folder)));
    let passed = folders.into_iter().filter(|folder| !found.contains_key(folder) && folder.as_str() != "/");
    passed.map(|folder| (folder.clone(), title(site, &folder, At::Folder))).collect()
}

/// Sorts siblings.
struct Sorting<'a> {
    site: &'a Site,
    navigation: &'a Navigation,
    found: &'a SortedMap<Address, At>,
    /// The folders of pages by address.
    folders: HashMap<Address, String>,
    /// The position in the generator's list of each listed page, and of the first listed page under each node.
    listed: HashMap<Address, usize>,
}

impl<'a> Sorting<'a> {
    fn new(site: &'a Site, navigation: &'a Navigation, found: &'a SortedMap<Address, At>) -> Self {
        let mut listed: HashMap<Address, usize> = HashMap::default();
        let places = place_in_lists(navigation);
        let mut put = |address: Address, place: usize| {
            let known = listed.entry(address).or_insert(place);
            *known = place.min(*known);
        };
        for document in site.documents.iter().filter(|_| !navigation.list.pages.is_empty()) {
            if let Some(place) = places.of(document, &site.repository) {
                for address in std::iter::once(document.address.clone()).chain(document.address.above()) {
                    put(address, place);
                }
            }
        }
        Self { site, navigation, found, folders: folders(site), listed }
    }

    fn sort<'t>(
        &self,
        mut children: SortedMap<&'t Address, Vec<&'t Address>>,
    ) -> HashMap<&'t Address, Vec<&'t Address>> {
        for neighbours in children.values_mut() {
            neighbours.stable_sort_by_cached_key(|address| {
                let place = self.listed.get(*address).copied().unwrap_or(usize::MAX);
                (place, self.neighbour(address), (*address).clone())
            });
        }
        children.into_iter().collect()
    }

    fn neighbour(&self, address: &Address) -> Neighbour {
        let page = self.page(address);
        let folder = self.folders.get(address);
        let position = || self.navigation.folders.get(folder?)?.position;
        let name = folder.map(String::as_str).or_else(|| {
            let below = page?.below();
            Some(below.rsplit_once('.').map_or(below, |(stem, _)| stem))
        });
        let name = name.and_then(|name| name.rsplit('/').next()).unwrap_or_default();
        let order = page.and_then(|page| page.front.order).or_else(position);
        let title = self.title(address);
        Neighbour::new(name, order, &title, self.site.repository.is_numbered)
    }

    fn page(&self, address: &Address) -> Option<&'a Document> {
        match self.found.get(address)? {
            At::Page(id) => Some(self.site.document(*id)),
            At::Family(family) => overview(self.site, *family),
            At::Home | At::Folder => None,
        }
    }

    fn title(&self, address: &Address) -> String {
        let at = self.found.get(address).copied().unwrap_or(At::Folder);
        title(self.site, address, at)
    }
}

/// Returns the folders that contain pages, by address.
fn folders(site: &Site) -> HashMap<Address, String> {
    let mut seen: HashSet<&str> = HashSet::default();
    let mut folders = HashMap::default();
    for document in &site.documents {
        let below = document.below();
        for (end, _) in below.rmatch_indices('/') {
            let folder = &below[..end];
            if !seen.insert(folder) {
                break;
            }
            let address = site.repository.address(&format!("{folder}/page.md"), None, None).parent();
            folders.entry(address).or_insert_with(|| folder.to_string());
        }
    }
    folders
}

fn title(site: &Site, address: &Address, at: At) -> String {
    match at {
        At::Family(family) => site.families[family].title.clone(),
        At::Page(id) => repair(&site.document(id).title).into_owned(),
        At::Home | At::Folder => {
            let label = site.labels.name(address).map(str::to_string);
            let by_name = || address.last_segment().map_or_else(|| "/".to_string(), names::of_segment);
            label.unwrap_or_else(by_name)
        }
    }
}

impl Tree {
    fn new(
        site: &Site,
        found: &SortedMap<Address, At>,
        children: &HashMap<&Address, Vec<&Address>>,
        passed: HashMap<Address, String>,
    ) -> Self {
        let home = Address::new("/");
        let mut tree = Self { passed, ..Self::default() };
        // Nodes to be added, the next one at the end.
        let mut waiting: Vec<(&Address, Option<NodeIx>)> = vec![(&home, None)];
        while let Some((address, parent)) = waiting.pop() {
            let at = found.get(address).copied().unwrap_or(At::Home);
            let ix = tree.nodes.next_index();
            let title = title(site, address, at);
            let node = Node {
                address: address.clone(),
                name: title.clone(),
                title,
                description: said(site, address, at),
                at,
                pages: usize::from(matches!(at, At::Page(_))),
                parent,
                children: Vec::new(),
                previous: None,
                next: None,
            };
            tree.nodes.push(node);
            tree.by_address.insert(address.clone(), ix);
            if let Some(parent) = parent {
                tree.nodes[parent].children.push(ix);
            }
            let below = children.get(address).into_iter().flatten().rev();
            waiting.extend(below.map(|below| (*below, Some(ix))));
        }
        tree.count();
        tree.name();
        tree.describe();
        tree.turn();
        tree
    }

    /// Counts the pages under each node.
    fn count(&mut self) {
        for ix in self.nodes.indices().rev() {
            if let Some(parent) = self.nodes[ix].parent {
                self.nodes[parent].pages += self.nodes[ix].pages;
            }
        }
    }

    /// Names the nodes within each parent. If a node is the only one in its folder, its title is preceded by the name
    /// of the folder.
    fn name(&mut self) {
        for parent in self.nodes.indices() {
            let children = self.nodes[parent].children.clone();
            let listed = children.iter().map(|&child| {
                let node = &self.nodes[child];
                let mut above: Vec<String> = self.passed_above(node).cloned().collect();
                let title = if above.is_empty() {
                    node.title.clone()
                } else {
                    names::in_folder(&above.remove(0), &node.title)
                };
                Namesake { of: child, title, above, path: node.address.to_string() }
            });
            let listed: Vec<Namesake<NodeIx>> = listed.collect();
            for it in &listed {
                self.nodes[it.of].name.clone_from(&it.title);
            }
            for (child, name) in names::distinct_names_in(&listed) {
                self.nodes[child].name = name;
            }
        }
    }

    /// Returns the titles of the folders between a node and its parent, nearest first.
    fn passed_above(&self, node: &Node) -> impl Iterator<Item = &String> {
        let parent = node.parent.map(|parent| self.nodes[parent].address.clone());
        let between = node.address.above().take_while(move |folder| Some(folder) != parent.as_ref());
        between.filter_map(|folder| self.passed.get(&folder))
    }

    /// Returns the title of a folder that isn't a node because it contains only one entry.
    pub fn passed(&self, folder: &Address) -> Option<&str> {
        self.passed.get(folder).map(String::as_str)
    }

    /// Returns the titles of all ancestors of an address, nearest first, without the home page.
    pub fn titles_above(&self, address: &Address) -> Vec<String> {
        let folders = address.above().filter(|folder| folder.as_str() != "/");
        let title = |folder: Address| match self.at(&folder) {
            Some(node) => Some(node.title.clone()),
            None => self.passed.get(&folder).cloned(),
        };
        folders.filter_map(title).collect()
    }

    /// Describes nodes without an author's description by their content.
    fn describe(&mut self) {
        for ix in self.nodes.indices() {
            let node = &self.nodes[ix];
            if node.description.is_none() && !node.children.is_empty() && node.parent.is_some() {
                let titles = node.children.iter().map(|&child| self.nodes[child].name.as_str());
                self.nodes[ix].description = Some(some_of(titles));
            }
        }
    }

    /// Sets the previous and next page of each node. Pages directly under the root without children follow one
    /// another. Every other child of the root is a separate sequence.
    fn turn(&mut self) {
        let mut last: HashMap<NodeIx, NodeIx> = HashMap::default();
        for ix in self.nodes.indices() {
            if !matches!(self.nodes[ix].at, At::Page(_) | At::Folder) {
                continue;
            }
            if let Some(previous) = last.insert(self.top(ix), ix) {
                self.nodes[ix].previous = Some(previous);
                self.nodes[previous].next = Some(ix);
            }
        }
    }

    /// Returns the child of the root that contains a node, or the root for its children without children.
    fn top(&self, ix: NodeIx) -> NodeIx {
        let mut path = self.path(ix);
        let root = path.next_back().unwrap_or(ix);
        match path.next_back() {
            Some(top) if top == ix && self.nodes[ix].children.is_empty() => root,
            top => top.unwrap_or(root),
        }
    }

    /// Returns the nodes from one up to the root.
    fn path(&self, ix: NodeIx) -> std::vec::IntoIter<NodeIx> {
        let path: Vec<NodeIx> = std::iter::successors(Some(ix), |&ix| self.nodes[ix].parent).collect();
        path.into_iter()
    }

    /// Returns the position of an address in reading order.
    pub fn position(&self, address: &Address) -> Option<NodeIx> {
        self.by_address.get(address).copied()
    }

    /// Returns the node at an address.
    pub fn at(&self, address: &Address) -> Option<&Node> {
        Some(&self.nodes[self.position(address)?])
    }

    /// Returns the node at a position.
    pub fn node(&self, ix: NodeIx) -> &Node {
        &self.nodes[ix]
    }

    pub fn indexed(&self) -> impl Iterator<Item = (NodeIx, &Node)> {
        self.nodes.indexed()
    }

    /// Returns the ancestors of a node, the nearest first.
    pub fn above<'t>(&'t self, node: &'t Node) -> impl Iterator<Item = &'t Node> {
        std::iter::successors(node.parent, |&ix| self.nodes[ix].parent).map(|ix| &self.nodes[ix])
    }

    /// Returns the children of a node.
    pub fn children<'t>(&'t self, node: &'t Node) -> impl Iterator<Item = &'t Node> {
        node.children.iter().map(|&child| &self.nodes[child])
    }

    /// Returns the part of the tree that the page at an address shows.
    pub fn around(&self, address: &Address) -> Around<'_> {
        let Some(&ix) = self.by_address.get(address) else { return Around::default() };
        let node = &self.nodes[ix];
        let with_parent = |ix: NodeIx| {
            let node = &self.nodes[ix];
            (node, node.parent.map_or(node, |parent| &self.nodes[parent]))
        };
        let top = self.top(ix);
        let mut list = Vec::new();
        if matches!(node.at, At::Page(_) | At::Folder) {
            let path: HashSet<NodeIx> = self.path(ix).collect();
            self.list(top, ix, &path, 0, &mut list);
        }
        let is_alone = match &list[..] {
            [] => true,
            [only] => only.is_current && self.nodes[top].parent.is_none(),
            _ => false,
        };
        Around {
            list: (!is_alone).then(|| (&self.nodes[top], list)),
            previous: node.previous.map(with_parent),
            next: node.next.map(with_parent),
            children: node.children.iter().map(|&child| &self.nodes[child]).collect(),
        }
    }

    /// Lists the content of `folder`: in long lists, the siblings near the page, and in deeper folders, those on the
    /// path to it.
    fn list<'t>(
        &'t self,
        folder: NodeIx,
        page: NodeIx,
        path: &HashSet<NodeIx>,
        depth: usize,
        list: &mut Vec<Listed<'t>>,
    ) {
        let children = &self.nodes[folder].children;
        let on_path = children.iter().position(|child| path.contains(child));
        let last_start = children.len().saturating_sub(MOST_LISTED);
        let start = on_path.unwrap_or(0).saturating_sub(MOST_LISTED / 2).min(last_start);
        for &child in children.iter().skip(start).take(MOST_LISTED) {
            let node = &self.nodes[child];
            list.push(Listed { node, depth, is_current: child == page, all: None });
            if path.contains(&child) {
                self.list(child, page, path, depth + 1, list);
            }
        }
        if last_start > 0 {
            let node = &self.nodes[folder];
            list.push(Listed { node, depth, is_current: false, all: Some(children.len()) });
        }
    }
}

impl Around<'_> {
    /// Passes every text of the result to `say`, for hashes.
    pub fn texts(&self, mut say: impl FnMut(&str)) {
        let mut node = |node: &Node, more: &str| {
            say(node.address.as_str());
            say(&node.title);
            say(&node.name);
            say(more);
        };
        if let Some((top, list)) = &self.list {
            node(top, "list");
            for it in list {
                node(it.node, &format!("{} {} {:?}", it.depth, it.is_current, it.all));
            }
        }
        for (name, turn) in [("previous", self.previous), ("next", self.next)] {
            if let Some((it, parent)) = turn {
                node(it, name);
                node(parent, "in");
            }
        }
        for child in &self.children {
            let Node { at, description, pages, .. } = child;
            node(child, &format!("{:?} {description:?} {pages} {}", at.kind(), child.is_leaf()));
        }
    }
}

impl At {
    /// Without positions, because these change with other pages.
    fn kind(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Family(_) => "family",
            Self::Page(_) => "page",
            Self::Folder => "folder",
        }
    }
}

/// Returns the author's description, or the platforms of a tutorial.
fn said(site: &Site, address: &Address, at: At) -> Option<String> {
    let description = |page: &Document| {
        let said = page.front.description.as_deref()?;
        Some(repair(said).split_whitespace().collect::<Vec<_>>().join(" "))
    };
    match at {
        At::Page(id) => description(site.document(id)),
        At::Family(family) => overview(site, family).and_then(description).or_else(|| {
            let names = site.families[family].platforms.iter().map(|platform| platform.name.as_str());
            Some(some_of(names))
        }),
        At::Home | At::Folder => site.labels.description(address).map(str::to_string),
    }
}

/// Returns the page that an author wrote for the overview of a family. Documents are sorted by address.
fn overview(site: &Site, family: FamilyId) -> Option<&Document> {
    let address = &site.families[family].address;
    let first = site.documents.partition_point(|document| document.address < *address);
    let page = site.documents.get(first.into())?;
    (page.address == *address).then_some(page)
}

/// Joins as many names as fit into a line.
fn some_of<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut line = String::new();
    for name in names {
        if line.is_empty() {
            line.push_str(name);
        } else if line.len() + name.len() > LONGEST_LIST {
            line.push_str(", …");
            break;
        } else {
            line.push_str(", ");
            line.push_str(name);
        }
    }
    line
}
