//! The documents of a site by their folders, and what two of them have in common.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::{Arc, Mutex};

use crate::base::address::{Address, slug_of};
use crate::base::index::IndexVec;
use crate::base::site_path::SitePath;
use crate::base::store::lock;
use crate::input::config::{self, Config};
use crate::input::conventions::{Kind, Repository};
use crate::input::languages::Languages;
use crate::input::source::Navigation;
use crate::site::content::{Document, DocumentId};

/// What is known of the order of pages beside their front matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order<'a> {
    pub(super) repository: &'a Repository,
    pub(super) navigation: &'a Navigation,
    pub(super) languages: Option<&'a Languages>,
}

/// The documents of a site, sorted by address, and by their folders.
pub(super) struct Documents<'a> {
    all: &'a IndexVec<DocumentId, Arc<Document>>,
    pub(super) order: Order<'a>,
    /// What the family of a whole site is called.
    pub(super) site_title: String,
    /// Sorted by where they are published.
    by_path: Vec<DocumentId>,
    /// Those whose texts were compared.
    pub(super) compared: Mutex<BTreeSet<SitePath>>,
}

impl<'a> Documents<'a> {
    pub(super) fn new(
        all: &'a IndexVec<DocumentId, Arc<Document>>,
        config: &Config,
        order: Order<'a>,
    ) -> Self {
        // A translation next to its original, `install.ja.md`, is no step of its own.
        let is_beside = |id: &DocumentId| {
            order.languages.is_some_and(|languages| languages.has_suffix(all[*id].path.as_str()))
        };
        let mut by_path: Vec<DocumentId> = all.indices().filter(|id| !is_beside(id)).collect();
        by_path.sort_by_key(|&id| all[id].published_path.as_str());
        let site_title = config.title.clone().unwrap_or_else(|| "Documentation".to_string());
        Self { all, order, site_title, by_path, compared: Mutex::default() }
    }

    /// The address of a folder below that of the pages.
    pub(super) fn address_of(&self, folder: &str) -> Address {
        self.order.repository.address(&join(folder, "page.md"), None, None).parent()
    }

    pub(super) fn repository(&self) -> &Repository {
        self.order.repository
    }

    pub(super) fn kind(&self) -> Kind {
        self.order.repository.kind()
    }

    /// Those below a folder of `content`.
    pub(super) fn below(&self, folder: &str) -> impl Iterator<Item = DocumentId> {
        let start = format!("{folder}/");
        let path = |id: DocumentId| self.all[id].below();
        let first = self.by_path.partition_point(|&id| path(id) < start.as_str());
        self.by_path[first..].iter().copied().take_while(move |&id| path(id).starts_with(&start))
    }

    pub(super) fn read_alike(&self, a: &Document, b: &Document) -> bool {
        lock(&self.compared).extend([a.path.clone(), b.path.clone()]);
        reads_alike(a, b)
    }

    /// Whether two pages share at least half of their headings.
    pub(super) fn have_equal_headings(&self, a: &Document, b: &Document) -> bool {
        const FEW: usize = 2;
        lock(&self.compared).extend([a.path.clone(), b.path.clone()]);
        let (a, b) = (headings(a), headings(b));
        let common = a.intersection(&b).count();
        common >= FEW && 2 * common >= a.len().max(b.len())
    }

    pub(super) fn at(&self, address: &Address) -> Option<&Document> {
        let first = self.partition_point(|document| document.address < *address);
        self.get(first.into()).map(|document| &**document).filter(|document| document.address == *address)
    }
}

impl Deref for Documents<'_> {
    type Target = IndexVec<DocumentId, Arc<Document>>;

    fn deref(&self) -> &Self::Target {
        self.all
    }
}

/// The folders that are said to be no tutorials, each with a slash behind.
pub(super) fn folders_of_no_tutorials(config: &Config) -> Vec<String> {
    let roots = config.families.no_tutorials.iter();
    roots.map(|root| format!("{}/", config::folder(root.get_ref()))).collect()
}

/// Whether two pages use much the same words, or too few to tell.
///
/// Two versions of a step share more than half of theirs; other pages of the same authors hardly reach it.
pub(super) fn reads_alike(a: &Document, b: &Document) -> bool {
    const FEW: usize = 12;
    let words = |document: &Document| -> BTreeSet<String> {
        let body = document.text()[document.body..].to_lowercase();
        let words = body.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1);
        words.map(str::to_string).collect()
    };
    let (a, b) = (words(a), words(b));
    let common = a.intersection(&b).count();
    a.len().max(b.len()) < FEW || 4 * common >= a.len() + b.len()
}

/// The headings below the title that a text has, as they are written.
pub(super) fn headings(document: &Document) -> BTreeSet<String> {
    let text = document.text();
    let headings = text[document.body..].lines().filter(|line| line.starts_with("##"));
    headings.map(|line| slug_of(line.trim_matches(['#', ' ']))).collect()
}

/// A title without what numbering adds: `Step 4. Create a connection` is `create a connection`.
pub(crate) fn bare_title(title: &str) -> String {
    let title = title.trim().to_lowercase();
    let rest = title.strip_prefix("step").map_or(title.as_str(), str::trim_start);
    let bare = rest.trim_start_matches(|c: char| c.is_ascii_digit() || ".:)- ".contains(c));
    if bare.len() < rest.len() && !bare.is_empty() { bare.to_string() } else { title }
}

/// The number of `Step 4. Create a connection`.
pub(crate) fn title_number(title: &str) -> Option<i64> {
    let lower = title.trim_start().to_lowercase();
    let rest = lower.strip_prefix("step")?.trim_start();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// What a title with a number begins with: `Step 4. ` of `Step 4. Create a connection`.
pub(crate) fn number_mark(title: &str) -> Option<&str> {
    title_number(title)?;
    let digits = title.find(|c: char| c.is_ascii_digit())?;
    let rest = title[digits..].trim_start_matches(|c: char| c.is_ascii_digit() || ".:)- ".contains(c));
    Some(&title[..title.len() - rest.len()])
}

/// The same title, or its mark, with another number; as it is, where it has none.
pub(crate) fn with_title_number(title: &str, number: i64) -> String {
    let start = title.find(|c: char| c.is_ascii_digit()).filter(|_| title_number(title).is_some());
    let Some(start) = start else { return title.to_string() };
    let rest = title[start..].trim_start_matches(|c: char| c.is_ascii_digit());
    format!("{}{number}{rest}", &title[..start])
}

pub(super) fn parent_of(folder: &str) -> &str {
    folder.rsplit_once('/').map_or("", |(parent, _)| parent)
}

pub(super) fn below(document: &Document) -> &str {
    document.below()
}

pub(super) fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_string() } else { format!("{parent}/{name}") }
}
