//! View of `section.html`, and the tree for other pages.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::Renderer;
use super::view::{Link, PageView};
use base::address::Address;
use base::names::{self, Namesake};
use markup::markdown::ReferenceKind;
use site::content::DocumentId;
use site::plan::{At, Destination, Listed, Node};

/// `section.html`
#[derive(Debug, Serialize)]
pub(super) struct FolderView {
    page: PageView,
    #[serde(flatten)]
    around: AroundView,
}

/// The part of the tree that a page shows.
#[derive(Debug, Default, Serialize)]
pub(super) struct AroundView {
    /// The title of the sidebar list, and the list.
    section: Option<Link>,
    tree: Vec<Item>,
    previous: Option<Turn>,
    next: Option<Turn>,
    contents: Vec<Entry>,
}

/// An entry of the sidebar list.
#[derive(Debug, Serialize)]
struct Item {
    title: String,
    /// Text before the title for readers who hear links one by one. For entries with the same title, it is the title
    /// of their parent. Otherwise it is empty.
    within: String,
    url: String,
    current: bool,
    /// If set, it links to all of this many entries of its folder, of which only some are listed.
    all: Option<usize>,
    /// Whether a nested list follows.
    opens: bool,
    /// The depth of each list that ends after it.
    closes: Vec<usize>,
}

/// The previous or next page, and its parent. Directly under the home page, there is no parent.
#[derive(Debug, Serialize)]
struct Turn {
    title: String,
    url: String,
    section: Option<String>,
}

/// An entry of a folder.
#[derive(Debug, Serialize)]
pub(super) struct Entry {
    title: String,
    url: String,
    description: Option<String>,
    /// Number of pages that aren't steps, including itself.
    pages: usize,
}

impl Renderer<'_> {
    pub(super) fn folder_view(&self, address: &Address, node: &Node) -> FolderView {
        FolderView {
            page: PageView::described(
                self.made_view(address, node.title.clone(), None),
                node.description.clone(),
            ),
            around: self.around_view(address, None),
        }
    }

    /// Returns the part of the tree for the page at an address. `id` is its own text.
    pub(super) fn around_view(&self, address: &Address, id: Option<DocumentId>) -> AroundView {
        let around = self.map.around(address);
        let turn = |(node, parent): (&Node, &Node)| Turn {
            title: node.name.clone(),
            url: self.url(&node.address),
            section: (parent.at != At::Home).then(|| parent.title.clone()),
        };
        let (section, listed) = around.list.unzip();
        let listed = listed.unwrap_or_default();
        let depths: Vec<usize> = listed.iter().map(|it| it.depth).collect();
        let section = section.map(|node| match node.at {
            At::Home => Link { title: self.project.site_title(), url: self.url(&node.address) },
            _ => Link { title: node.title.clone(), url: self.url(&node.address) },
        });
        let mut within = self.within(section.as_ref().map_or("", |it| &it.title), &listed);
        let items = listed.into_iter().enumerate().map(|(at, it)| {
            let next = depths.get(at + 1).copied().unwrap_or(0);
            Item {
                title: it.node.name.clone(),
                within: within.remove(&at).unwrap_or_default(),
                url: self.url(&it.node.address),
                current: it.is_current,
                all: it.all,
                opens: next > it.depth,
                closes: (next..it.depth).collect(),
            }
        });
        let (mut previous, mut next) = (around.previous.map(turn), around.next.map(turn));
        if let (Some(one), Some(other)) = (&mut previous, &mut next)
            && one.title == other.title
        {
            for it in [one, other] {
                it.title =
                    it.section.iter().fold(it.title.clone(), |title, above| names::within(above, &title));
            }
        }
        AroundView { tree: items.collect(), section, previous, next, contents: self.contents(address, id) }
    }

    /// Returns texts that distinguish entries with the same name at different depths of a list with this title.
    fn within(&self, title: &str, listed: &[Listed<'_>]) -> HashMap<usize, String> {
        let entries: Vec<usize> = (0..listed.len()).filter(|&at| listed[at].all.is_none()).collect();
        let names = entries.iter().map(|&at| listed[at].node.name.as_str());
        let titles: Vec<&str> = std::iter::once(title).chain(names).collect();
        let namesake = |place: usize| match place.checked_sub(1).map(|entry| entries[entry]) {
            None => Namesake { of: None, title: title.to_string(), above: Vec::new(), path: String::new() },
            Some(at) => Namesake {
                of: Some(at),
                title: listed[at].node.name.clone(),
                above: self.map.titles_above(&listed[at].node.address),
                path: listed[at].node.address.to_string(),
            },
        };
        let names = names::distinct_names(&titles, namesake);
        let within = |(at, name): (Option<usize>, String)| {
            let at = at?;
            let before = name.strip_suffix(&listed[at].node.name).map(str::to_string);
            Some((at, before.unwrap_or_else(|| format!("{} ", listed[at].node.address))))
        };
        names.into_iter().filter_map(within).collect()
    }

    /// Returns the children of an address for a list on its page, or nothing if the page's own text links to all of
    /// them. The home page has a separate list of tutorials.
    pub(super) fn contents(&self, address: &Address, id: Option<DocumentId>) -> Vec<Entry> {
        let children = self.map.around(address).children.into_iter();
        let is_home = address.as_str() == "/";
        let children: Vec<&Node> =
            children.filter(|node| !(is_home && matches!(node.at, At::Family(_)))).collect();
        let linked = id.map(|id| self.linked(id)).unwrap_or_default();
        if children.iter().all(|node| linked.contains(&node.address)) {
            return Vec::new();
        }
        let entry = |node: &Node| Entry {
            title: node.name.clone(),
            url: self.url(&node.address),
            description: node.description.clone(),
            pages: node.pages,
        };
        children.into_iter().map(entry).collect()
    }

    /// Returns the addresses to which the text of a page links.
    fn linked(&self, id: DocumentId) -> HashSet<&Address> {
        let document = self.site.document(id);
        let links = self.pages[id].references.iter().filter(|it| it.kind == ReferenceKind::Link);
        let targets = links.filter_map(|link| match self.resolver().resolve(document, &link.target) {
            Destination::Here(here) => Some(here.address),
            _ => None,
        });
        targets.collect()
    }
}
