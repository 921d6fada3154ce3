//! The pages of a site, each parsed when somebody first asks for it.
//!
//! In: [`Site`]. Out: [`Pages`], by document. A stage that looks at a few pages costs no more than these: a
//! server answers before the site is parsed. What goes through all of them does so part by part, each with
//! `Pages` of its own, and holds no more than a part at once; see [`Site::parts`].

use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::Index;
use std::sync::{Arc, Mutex, OnceLock};

use crate::content::{Document, DocumentId, Site};
use crate::index::IndexVec;
use crate::markdown::{self, Page};
use crate::source::MOST_HELD;
use crate::store::{Flush, Record, Store, Table, lock};
use crate::timings::{Stage, part};

impl Record for Page {}

/// Parsed pages by the key of their document: in memory, but of a large site none, and of earlier runs.
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
    /// Whether the site has more pages than are held. Then none is, nor kept for later runs: a run goes through all of
    /// them in their order and more than once, and few would be held again when they are asked for.
    are_too_many: bool,
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
        let known = self.pages.get(document.key.as_bytes());
        let is_new = known.is_none();
        let parse = || markdown::parse(&document.text(), document.body, &document.edition);
        let page = known.unwrap_or_else(|| Arc::new(part(Stage::Parse, parse)));
        lock(&self.minutes_in_memory).insert(document.key, page.minutes);
        let mut memory = lock(&self.memory);
        if memory.are_too_many {
            if is_new {
                self.pages.pass();
            }
            return page;
        }
        memory.pages.insert(document.key, page.clone());
        if is_new {
            self.pages.put(*document.key.as_bytes(), page.clone());
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

    /// Whether every page that is parsed stays in memory.
    pub fn are_held(&self) -> bool {
        !lock(&self.memory).are_too_many
    }

    /// Makes room for the pages of a site, or for none; forgets those of others, once they are many.
    pub fn hold(&self, documents: &[Arc<Document>]) {
        // Parsed they take some five times as much as their text.
        let text: usize = documents.iter().map(|document| document.size()).sum();
        let mut memory = lock(&self.memory);
        memory.are_too_many = text > MOST_HELD;
        let pages = &mut memory.pages;
        if pages.len() > 2 * documents.len() {
            let live = documents.iter().filter_map(|document| pages.remove_entry(&document.key)).collect();
            *pages = live;
        }
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

    /// Whether every page that is parsed stays in memory.
    pub fn are_held(&self) -> bool {
        self.parsed.are_held()
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
    use crate::render::{self, Walk};
    use crate::site_path::SitePath;
    use crate::source::{Sources, Text};

    fn parsed(walk: &Walk) -> Vec<&str> {
        let parsed = walk
            .site
            .documents
            .iter()
            .filter(|document| lock(&walk.pages.parsed.memory).pages.contains_key(&document.key));
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
        let (walk, report) =
            pipeline::plan(sources, &Options::default(), &crate::cache::Cache::default()).expect("it loads");
        assert!(report.is_empty() && parsed(&walk).is_empty(), "{:?}", parsed(&walk));
        let (address, artifact) =
            walk.plan.artifacts().find(|(address, _)| address.as_str() == "/tour/web/a/").expect("a page");
        render::artifact(&walk, address, artifact).expect("built-in templates");
        assert_eq!(parsed(&walk), ["/tour/ios/a/", "/tour/web/a/", "/tour/web/b/"]);
    }
}
