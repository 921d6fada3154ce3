//! The context of `section.html`, and what other pages show of the tree around them.

use std::collections::HashSet;

use serde::Serialize;

use super::Renderer;
use super::view::{Link, PageView};
use crate::base::address::Address;
use crate::markup::markdown::ReferenceKind;
use crate::site::content::DocumentId;
use crate::site::plan::{At, Destination, Node};

/// `section.html`
#[derive(Debug, Serialize)]
pub(super) struct FolderView {
    page: PageView,
    #[serde(flatten)]
    around: AroundView,
}

/// What a page shows of the tree.
#[derive(Debug, Default, Serialize)]
pub(super) struct AroundView {
    /// What the list beside the page is about, and the list itself.
    section: Option<Link>,
    tree: Vec<Item>,
    previous: Option<Turn>,
    next: Option<Turn>,
    contents: Vec<Entry>,
}

/// A line of the list beside a page.
#[derive(Debug, Serialize)]
struct Item {
    title: String,
    url: String,
    current: bool,
    /// It leads to all of this many in its folder, of which only some are listed.
    all: Option<usize>,
    /// Whether a list of what is in it follows.
    opens: bool,
    /// For each list that ends behind it: its depth.
    closes: Vec<usize>,
}

/// The page before or after another, and what it is in; nothing for what is right below the home page.
#[derive(Debug, Serialize)]
struct Turn {
    title: String,
    url: String,
    section: Option<String>,
}

/// What is in a folder.
#[derive(Debug, Serialize)]
pub(super) struct Entry {
    title: String,
    url: String,
    description: Option<String>,
    /// Pages that are no steps, itself and below.
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

    /// What the page at an address shows of the tree; `id` is its own text.
    pub(super) fn around_view(&self, address: &Address, id: Option<DocumentId>) -> AroundView {
        let around = self.map.around(address);
        let link = |node: &Node| Link { title: node.title.clone(), url: self.url(&node.address) };
        let turn = |(node, parent): (&Node, &Node)| Turn {
            title: node.title.clone(),
            url: self.url(&node.address),
            section: (parent.at != At::Home).then(|| parent.title.clone()),
        };
        let (section, listed) = around.list.unzip();
        let listed = listed.unwrap_or_default();
        let depths: Vec<usize> = listed.iter().map(|it| it.depth).collect();
        let items = listed.into_iter().enumerate().map(|(at, it)| {
            let next = depths.get(at + 1).copied().unwrap_or(0);
            let Link { title, url } = link(it.node);
            let closes = (next..it.depth).collect();
            Item { title, url, current: it.is_current, all: it.all, opens: next > it.depth, closes }
        });
        AroundView {
            tree: items.collect(),
            section: section.map(|node| match node.at {
                At::Home => Link { title: self.project.site_title(), url: self.url(&node.address) },
                _ => link(node),
            }),
            previous: around.previous.map(turn),
            next: around.next.map(turn),
            contents: self.contents(address, id),
        }
    }

    /// What is right below an address, for a list on its page: nothing where the page's own text links all of it. The
    /// home page has a list of tutorials beside this.
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
            title: node.title.clone(),
            url: self.url(&node.address),
            description: node.description.clone(),
            pages: node.pages,
        };
        children.into_iter().map(entry).collect()
    }

    /// The addresses that the text of a page links.
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
