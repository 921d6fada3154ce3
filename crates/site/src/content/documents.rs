//! The documents of a site by folder, and comparisons between them.

use std::ops::Deref;
use std::sync::{Arc, Mutex};

use crate::content::{Document, DocumentId};
use base::address::{Address, slug_of};
use base::index::IndexVec;
use base::site_path::{SitePath, join};
use base::sort::StableSort as _;
use base::sorted::SortedSet;
use base::store::lock;
use input::config::{self, Config};
use input::conventions::Repository;
use input::languages::Languages;
use input::source::Navigation;

/// The order of pages from sources other than front matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order<'a> {
    pub(super) repository: &'a Repository,
    pub(super) navigation: &'a Navigation,
    pub(super) languages: Option<&'a Languages>,
}

/// The documents of a site, by address and by folder.
pub(super) struct Documents<'a> {
    all: &'a IndexVec<DocumentId, Arc<Document>>,
    pub(super) order: Order<'a>,
    /// The title of a family that covers the complete site.
    pub(super) site_title: String,
    /// Sorted by published path.
    by_path: Vec<DocumentId>,
    /// Documents whose texts were compared.
    pub(super) compared: Mutex<SortedSet<SitePath>>,
}

impl<'a> Documents<'a> {
    pub(super) fn new(
        all: &'a IndexVec<DocumentId, Arc<Document>>,
        config: &Config,
        order: Order<'a>,
    ) -> Self {
        // A translation next to its original, such as `install.ja.md`, isn't a separate step.
        let is_beside = |id: &DocumentId| {
            order.languages.is_some_and(|languages| languages.has_suffix(all[*id].path.as_str()))
        };
        let mut by_path: Vec<DocumentId> = all.indices().filter(|id| !is_beside(id)).collect();
        by_path.stable_sort_by_key(|&id| all[id].published_path.as_str());
        let site_title = config.title.clone().unwrap_or_else(|| "Documentation".to_string());
        Self { all, order, site_title, by_path, compared: Mutex::default() }
    }

    /// Returns the address of a folder in the folder of pages.
    pub(super) fn address_of(&self, folder: &str) -> Address {
        self.order.repository.address(&join(folder, "page.md"), None, None).parent()
    }

    pub(super) fn repository(&self) -> &Repository {
        self.order.repository
    }

    /// Returns the documents in a folder of `content`.
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

    /// Whether two pages share at least half of their headings, or if both have none, the titles of components and most words.
    pub(super) fn have_equal_headings(&self, a: &Document, b: &Document) -> bool {
        const FEW: usize = 2;
        lock(&self.compared).extend([a.path.clone(), b.path.clone()]);
        let is_equal = |one: &SortedSet<String>, other: &SortedSet<String>| {
            let common = one.intersection(other).count();
            common >= FEW && 2 * common >= one.len().max(other.len())
        };
        let (one, other) = (headings(a), headings(b));
        let are_without = one.is_empty() && other.is_empty();
        is_equal(&one, &other) || are_without && is_equal(&titles(a), &titles(b)) && reads_alike(a, b)
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

/// Returns the folders that are configured not to be tutorials, each with a trailing slash.
pub(super) fn folders_of_no_tutorials(config: &Config) -> Vec<String> {
    let roots = config.families.no_tutorials.iter();
    roots.map(|root| format!("{}/", config::folder(root.get_ref()))).collect()
}

/// Whether two pages use mostly the same words, or too few to compare.
///
/// Two versions of a step share more than half of their words. Other pages by the same authors rarely share as many.
pub(super) fn reads_alike(a: &Document, b: &Document) -> bool {
    const FEW: usize = 12;
    let words = |document: &Document| -> SortedSet<String> {
        let body = document.text()[document.body..].to_lowercase();
        let words = body.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1);
        words.map(str::to_string).collect()
    };
    let (a, b) = (words(a), words(b));
    let common = a.intersection(&b).count();
    a.len().max(b.len()) < FEW || 4 * common >= a.len() + b.len()
}

/// Returns the headings of a text after its title, as written.
pub(super) fn headings(document: &Document) -> SortedSet<String> {
    let text = document.text();
    let headings = text[document.body..].lines().filter(|line| line.starts_with("##"));
    headings.map(|line| slug_of(line.trim_matches(['#', ' ']))).collect()
}

/// Returns the titles of components in a text: `Install` in `<Step title="Install">`.
fn titles(document: &Document) -> SortedSet<String> {
    let text = document.text();
    let titles = text[document.body..].split(" title=\"").skip(1);
    titles.filter_map(|rest| Some(slug_of(rest.split_once('"')?.0))).collect()
}

/// Returns a title in lower case without its number: `create a connection` for `Step 4. Create a connection`.
pub fn bare_title(title: &str) -> String {
    let title = title.trim().to_lowercase();
    let rest = title.strip_prefix("step").map_or(title.as_str(), str::trim_start);
    let bare = rest.trim_start_matches(|c: char| c.is_ascii_digit() || ".:)- ".contains(c));
    if bare.len() < rest.len() && !bare.is_empty() { bare.to_string() } else { title }
}

/// Returns the number in a title such as `Step 4. Create a connection`.
pub fn title_number(title: &str) -> Option<i64> {
    let lower = title.trim_start().to_lowercase();
    let rest = lower.strip_prefix("step")?.trim_start();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Returns the prefix with the number: `Step 4. ` for `Step 4. Create a connection`.
pub fn number_mark(title: &str) -> Option<&str> {
    title_number(title)?;
    let digits = title.find(|c: char| c.is_ascii_digit())?;
    let rest = title[digits..].trim_start_matches(|c: char| c.is_ascii_digit() || ".:)- ".contains(c));
    Some(&title[..title.len() - rest.len()])
}

/// Replaces the number in a title or its prefix. A text without a number stays.
pub fn with_title_number(title: &str, number: i64) -> String {
    let start = title.find(|c: char| c.is_ascii_digit()).filter(|_| title_number(title).is_some());
    let Some(start) = start else { return title.to_string() };
    let rest = title[start..].trim_start_matches(|c: char| c.is_ascii_digit());
    format!("{}{number}{rest}", &title[..start])
}

pub(super) fn below(document: &Document) -> &str {
    document.below()
}
