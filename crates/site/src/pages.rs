//! The pages of a site, each parsed on first use.
//!
//! In: [`Site`]. Out: [`Pages`], by document. A stage pays only for the pages that it uses: a server answers before
//! all pages are parsed. Code that uses all pages does so in batches, each with its own `Pages`, and frees them
//! afterwards.

use std::convert::Infallible;
use std::ops::Index;
use std::sync::{Arc, Mutex, OnceLock};

use crate::content::{Document, DocumentId, Site};
use base::hash::{HashMap, HashSet};
use base::index::IndexVec;
use base::store::{Flush, Key, Store, Table, lock};
use base::timings::{Stage, part};
use input::link_map::{Anchor, AnchorList};
use input::source::MOST_HELD;
use markup::markdown::{self, Page, WholePage};

/// Number of pages in a batch: enough for all threads.
pub const BATCH: usize = 400;

/// The parts of a page to parse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    #[default]
    Whole,
    /// Everything except the HTML, for runs that publish nothing.
    WithoutHtml,
}

/// A page with or without its HTML. Only complete pages are stored for later runs.
#[derive(Clone, Debug)]
enum CachedPage {
    Whole(Arc<WholePage>),
    WithoutHtml(Arc<Page>),
}

impl CachedPage {
    fn page(&self) -> &Page {
        match self {
            Self::Whole(whole) => &whole.page,
            Self::WithoutHtml(page) => page,
        }
    }
}

/// Parsed pages by the key of their document: the recently used ones in memory, and those of earlier runs.
#[derive(Debug, Default)]
pub struct Parsed {
    memory: Mutex<Memory>,
    minutes_in_memory: Mutex<HashMap<blake3::Hash, f64>>,
    /// In the form of [`written`].
    anchors_in_memory: Mutex<HashMap<blake3::Hash, Arc<str>>>,
    pages: Table<Arc<WholePage>>,
    minutes: Table<f64>,
    anchors: Table<Arc<str>>,
}

#[derive(Debug, Default)]
struct Memory {
    pages: HashMap<blake3::Hash, CachedPage>,
    /// Size of their texts in bytes. Parsed, they need about five times as much memory.
    size: usize,
    /// Whether the limit was ever reached. In this case, few pages stay in memory, because most are dropped before
    /// they are used again.
    was_full: bool,
    /// Size in bytes of the texts of pages that were stored for later runs.
    kept: usize,
}

impl Memory {
    /// Adds a page to memory. At the limit, all others are dropped, because a run processes a large site in order,
    /// and the oldest pages are needed last.
    fn hold(&mut self, document: &Document, page: CachedPage) {
        let most = if self.was_full { MOST_HELD / 8 } else { MOST_HELD };
        if self.size + document.size() > most {
            self.pages = HashMap::default();
            self.size = 0;
            self.was_full = true;
        }
        if self.pages.insert(document.key, page).is_none() {
            self.size += document.size();
        }
    }

    /// Whether another page may be stored.
    fn has_room(&mut self, document: &Document) -> bool {
        self.kept += document.size();
        self.kept <= MOST_HELD
    }
}

impl Parsed {
    pub fn of(store: &Store) -> Self {
        Self {
            pages: store.table("pages"),
            minutes: store.table("minutes"),
            anchors: store.table("anchors"),
            ..Self::default()
        }
    }

    /// Returns at least the requested parts of a page, and parses it if it is new.
    fn page(&self, document: &Document, parts: Detail) -> CachedPage {
        match parts {
            Detail::Whole => CachedPage::Whole(self.whole(document)),
            Detail::WithoutHtml => self.without_html(document),
        }
    }

    /// Returns a page without its HTML, unless the HTML is available.
    fn without_html(&self, document: &Document) -> CachedPage {
        if let Some(page) = lock(&self.memory).pages.get(&document.key) {
            return page.clone();
        }
        let Document { body, edition, dialect, .. } = document;
        let page = if let Some(whole) = self.of_earlier_runs(document) {
            CachedPage::Whole(whole)
        } else {
            self.pages.pass();
            let _part = part(Stage::Parse);
            let page = markdown::parse_without_html(&document.text(), *body, edition, dialect);
            CachedPage::WithoutHtml(Arc::new(page))
        };
        if let CachedPage::Whole(whole) = &page {
            lock(&self.minutes_in_memory).insert(document.key, whole.minutes);
        }
        lock(&self.memory).hold(document, page.clone());
        page
    }

    fn of_earlier_runs(&self, document: &Document) -> Option<Arc<WholePage>> {
        let _part = part(Stage::Cache);
        self.pages.get(document.key.as_bytes())
    }

    /// Returns a page with its HTML, and parses it if it is new.
    fn whole(&self, document: &Document) -> Arc<WholePage> {
        if let Some(CachedPage::Whole(whole)) = lock(&self.memory).pages.get(&document.key) {
            return whole.clone();
        }
        let known = self.of_earlier_runs(document);
        let is_new = known.is_none();
        let page = known.unwrap_or_else(|| {
            let _part = part(Stage::Parse);
            Arc::new(markdown::parse(&document.text(), document.body, &document.edition, &document.dialect))
        });
        lock(&self.minutes_in_memory).insert(document.key, page.minutes);
        let anchors = listed(&page);
        if is_new {
            self.anchors.put(*document.key.as_bytes(), anchors.clone());
        }
        lock(&self.anchors_in_memory).insert(document.key, anchors);
        let mut memory = lock(&self.memory);
        memory.hold(document, CachedPage::Whole(page.clone()));
        if is_new && memory.has_room(document) {
            self.pages.put(*document.key.as_bytes(), page.clone());
        } else if is_new {
            self.pages.pass();
        }
        page
    }

    /// Returns the reading time of a page in minutes. It is stored separately, because lists of all pages need
    /// nothing else.
    fn minutes(&self, document: &Document) -> f64 {
        let known = lock(&self.minutes_in_memory).get(&document.key).copied();
        let of = || Ok::<_, Infallible>(known.unwrap_or_else(|| self.whole(document).minutes));
        let Ok(minutes) = self.minutes.get_or_make(*document.key.as_bytes(), of);
        minutes
    }

    /// Returns the anchors of a page with their titles. They are stored separately, because the site's link map needs
    /// nothing else.
    fn anchors(&self, document: &Document) -> AnchorList {
        let known = || lock(&self.anchors_in_memory).get(&document.key).cloned();
        let of = || Ok::<_, Infallible>(known().unwrap_or_else(|| listed(&self.whole(document))));
        let Ok(anchors) = self.anchors.get_or_make(*document.key.as_bytes(), of);
        AnchorList::of_text(anchors)
    }

    /// Returns the IDs of the headings of a page, without duplicates.
    pub fn headings(&self, document: &Document) -> Vec<String> {
        let anchors = self.anchors(document);
        anchors.iter().filter(|it| it.title.is_some()).map(|heading| heading.id.to_string()).collect()
    }

    /// Copies the separately stored facts of the page with this key into `other`.
    pub fn copy_facts(&self, key: &Key, other: &Self) {
        self.minutes.copy(key, &other.minutes);
        self.anchors.copy(key, &other.anchors);
    }

    pub fn tables(&self) -> [&(dyn Flush + Sync); 3] {
        [&self.pages, &self.minutes, &self.anchors]
    }
}

/// Lists the distinct anchors of a page, with the titles of headings.
fn listed(page: &Page) -> Arc<str> {
    let titles: HashMap<&str, &str> = page.headings.iter().rev().map(|it| (&*it.id, &*it.text)).collect();
    let mut seen = HashSet::default();
    let ids = page.anchors.iter().map(|anchor| anchor.id.as_str()).filter(|id| seen.insert(*id));
    AnchorList::of(ids.map(|id| Anchor { id, title: titles.get(id).copied() })).text().clone()
}

/// All pages of a site.
#[derive(Debug)]
pub struct Pages {
    by_document: IndexVec<DocumentId, Lazy>,
    parsed: Arc<Parsed>,
    parts: Detail,
}

#[derive(Debug)]
struct Lazy {
    document: Arc<Document>,
    page: OnceLock<CachedPage>,
    /// The page with its HTML, if it was requested later.
    whole: OnceLock<Arc<WholePage>>,
    /// The reading time, which every list of steps has.
    minutes: OnceLock<f64>,
}

impl Lazy {
    fn of(document: &Arc<Document>) -> Self {
        Self {
            document: document.clone(),
            page: OnceLock::new(),
            whole: OnceLock::new(),
            minutes: OnceLock::new(),
        }
    }
}

impl Pages {
    /// Returns the pages of a site. `parts` are the parts that will be needed.
    pub fn of(site: &Site, parsed: &Arc<Parsed>, parts: Detail) -> Self {
        Self { by_document: site.documents.iter().map(Lazy::of).collect(), parsed: parsed.clone(), parts }
    }

    /// Returns the pages of another site with the same cache.
    pub(crate) fn of_other(&self, site: &Site) -> Self {
        Self::of(site, &self.parsed, self.parts)
    }

    /// Whether the parsed page of a document is in memory.
    pub fn holds(&self, document: &Document) -> bool {
        lock(&self.parsed.memory).pages.contains_key(&document.key)
    }

    /// Returns the same pages with none of them parsed.
    #[must_use]
    pub fn fresh(&self) -> Self {
        let by_document = self.by_document.iter().map(|lazy| Lazy::of(&lazy.document)).collect();
        Self { by_document, parsed: self.parsed.clone(), parts: self.parts }
    }

    /// Returns a page with its HTML.
    pub fn whole(&self, id: DocumentId) -> &WholePage {
        match self.known(id) {
            CachedPage::Whole(whole) => whole,
            CachedPage::WithoutHtml(_) => {
                let Lazy { document, whole, .. } = &self.by_document[id];
                whole.get_or_init(|| self.parsed.whole(document))
            }
        }
    }

    fn known(&self, id: DocumentId) -> &CachedPage {
        let Lazy { document, page, .. } = &self.by_document[id];
        page.get_or_init(|| self.parsed.page(document, self.parts))
    }

    /// Returns the reading time of a page: see [`WholePage::minutes`].
    pub fn minutes(&self, id: DocumentId) -> f64 {
        // A list of all pages must not keep them in memory.
        let Lazy { document, minutes, .. } = &self.by_document[id];
        *minutes.get_or_init(|| self.parsed.minutes(document))
    }

    /// Returns the distinct anchors of a page in order.
    pub fn anchors(&self, id: DocumentId) -> AnchorList {
        self.parsed.anchors(&self.by_document[id].document)
    }
}

impl Index<DocumentId> for Pages {
    type Output = Page;

    fn index(&self, id: DocumentId) -> &Page {
        self.known(id).page()
    }
}
