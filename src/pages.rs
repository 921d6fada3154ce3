//! The pages of a site, each parsed when somebody first asks for it.
//!
//! In: [`Site`]. Out: [`Pages`], by document. A stage that looks at a few pages costs no more than these: a
//! server answers before the site is parsed. What goes through all of them takes some at a time, with `Pages` of
//! their own, and lets them go.

use std::convert::Infallible;
use std::ops::Index;
use std::sync::{Arc, Mutex, OnceLock};

use crate::content::{Document, DocumentId, Site};
use crate::hash::HashMap;
use crate::index::IndexVec;
use crate::markdown::{self, Page};
use crate::source::MOST_HELD;
use crate::store::{Flush, Record, Store, Table, lock};
use crate::timings::{Stage, part};

impl Record for Page {}

/// So many pages are taken at once by what goes through all of them: enough for all threads.
pub(crate) const BATCH: usize = 400;

/// Parsed pages by the key of their document: those asked for last in memory, and those of earlier runs.
#[derive(Debug, Default)]
pub struct Parsed {
    memory: Mutex<Memory>,
    minutes_in_memory: Mutex<HashMap<blake3::Hash, f64>>,
    pages: Table<Arc<Page>>,
    minutes: Table<f64>,
}

#[derive(Debug, Default)]
struct Memory {
    pages: HashMap<blake3::Hash, Arc<Page>>,
    /// Bytes of their texts. Parsed they take some five times as much.
    size: usize,
    /// Whether there were once too many. Of such a site few are held: most are let go before they are asked for again.
    was_full: bool,
    /// Bytes of the texts of pages that were put aside for later runs.
    kept: usize,
}

impl Memory {
    /// Holds a page. Where it is one too many, all others are let go: a run goes through a large site in its order, and
    /// the oldest are asked for last.
    fn hold(&mut self, document: &Document, page: Arc<Page>) {
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

    /// Whether there is room to put aside another page.
    fn has_room(&mut self, document: &Document) -> bool {
        self.kept += document.size();
        self.kept <= MOST_HELD
    }
}

impl Parsed {
    pub fn of(store: &Store) -> Self {
        Self { pages: store.table("pages"), minutes: store.table("minutes"), ..Self::default() }
    }

    /// The page of a document, parsed if it is new.
    pub fn page(&self, document: &Document) -> Arc<Page> {
        if let Some(page) = lock(&self.memory).pages.get(&document.key) {
            return page.clone();
        }
        let known = part(Stage::Cache, || self.pages.get(document.key.as_bytes()));
        let is_new = known.is_none();
        let parse = || markdown::parse(&document.text(), document.body, &document.edition, &document.dialect);
        let page = known.unwrap_or_else(|| Arc::new(part(Stage::Parse, parse)));
        lock(&self.minutes_in_memory).insert(document.key, page.minutes);
        let mut memory = lock(&self.memory);
        memory.hold(document, page.clone());
        match is_new && memory.has_room(document) {
            true => self.pages.put(*document.key.as_bytes(), page.clone()),
            false if is_new => self.pages.pass(),
            false => {}
        }
        page
    }

    /// How many minutes a page takes. Lists of all pages ask for nothing else of them, so it is kept apart.
    fn minutes(&self, document: &Document) -> f64 {
        let known = lock(&self.minutes_in_memory).get(&document.key).copied();
        let of = || Ok::<_, Infallible>(known.unwrap_or_else(|| self.page(document).minutes));
        let Ok(minutes) = self.minutes.get_or_make(*document.key.as_bytes(), of);
        minutes
    }

    pub fn tables(&self) -> [&(dyn Flush + Sync); 2] {
        [&self.pages, &self.minutes]
    }
}

/// Every page of a site.
#[derive(Debug)]
pub struct Pages {
    pages: IndexVec<DocumentId, Lazy>,
    parsed: Arc<Parsed>,
}

#[derive(Debug)]
struct Lazy {
    document: Arc<Document>,
    page: OnceLock<Arc<Page>>,
}

impl Lazy {
    fn of(document: &Arc<Document>) -> Self {
        Self { document: document.clone(), page: OnceLock::new() }
    }
}

impl Pages {
    pub fn of(site: &Site, parsed: &Arc<Parsed>) -> Self {
        Self { pages: site.documents.iter().map(Lazy::of).collect(), parsed: parsed.clone() }
    }

    /// The same pages, none of them held yet.
    #[must_use]
    pub fn fresh(&self) -> Self {
        let pages = self.pages.iter().map(|lazy| Lazy::of(&lazy.document));
        Self { pages: pages.collect(), parsed: self.parsed.clone() }
    }

    /// How many minutes it takes to read and to follow a page, as [`Page::minutes`].
    pub(crate) fn minutes(&self, id: DocumentId) -> f64 {
        // A list of all pages must not hold them.
        self.parsed.minutes(&self.pages[id].document)
    }
}

impl Index<DocumentId> for Pages {
    type Output = Page;

    fn index(&self, id: DocumentId) -> &Page {
        let Lazy { document, page } = &self.pages[id];
        page.get_or_init(|| self.parsed.page(document))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{self, Options};
    use crate::render::{self, Work};
    use crate::site_path::SitePath;
    use crate::source::{Sources, Text};

    fn parsed(work: &Work) -> Vec<&str> {
        let parsed = work
            .project
            .site
            .documents
            .iter()
            .filter(|document| lock(&work.pages.parsed.memory).pages.contains_key(&document.key));
        parsed.map(|document| document.address.as_str()).collect()
    }

    #[test]
    fn a_page_is_answered_without_parsing_others_than_its_siblings_and_the_steps_that_follow() {
        let mut sources = Sources::default();
        for page in ["tour/web/a", "tour/web/b", "tour/ios/a", "tour/ios/b", "other"] {
            let path = SitePath::from(format!("content/{page}.md"));
            let order = if page.ends_with('a') { 1 } else { 2 };
            let text = format!("---\ntitle: Step {order}\norder: {order}\n---\n\n[b](/tour/web/b/) {page}\n");
            sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
        }
        let (work, report) =
            pipeline::plan(sources, &Options::default(), &crate::cache::Cache::default()).expect("it loads");
        assert!(report.is_empty() && parsed(&work).is_empty(), "{:?}", parsed(&work));
        let (address, artifact) = work
            .project
            .plan
            .artifacts()
            .find(|(address, _)| address.as_str() == "/tour/web/a/")
            .expect("a page");
        render::artifact(&work, address, artifact).expect("built-in templates");
        assert_eq!(parsed(&work), ["/tour/ios/a/", "/tour/web/a/", "/tour/web/b/"]);
    }
}
