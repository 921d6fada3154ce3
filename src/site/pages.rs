//! The pages of a site, each parsed when somebody first asks for it.
//!
//! In: [`Site`]. Out: [`Pages`], by document. A stage that looks at a few pages costs no more than these: a
//! server answers before the site is parsed. What goes through all of them takes some at a time, with `Pages` of
//! their own, and lets them go.

use std::convert::Infallible;
use std::ops::Index;
use std::sync::{Arc, Mutex, OnceLock};

use crate::base::hash::{HashMap, HashSet};
use crate::base::index::IndexVec;
use crate::base::store::{Flush, Key, Record, Store, Table, lock};
use crate::base::timings::{Stage, part};
use crate::input::link_map::Anchor;
use crate::input::source::MOST_HELD;
use crate::markup::markdown::{self, Page, WholePage};
use crate::site::content::{Document, DocumentId, Site};

impl Record for WholePage {}

/// So many pages are taken at once by what goes through all of them: enough for all threads.
pub(crate) const BATCH: usize = 400;

/// What of a page is parsed where it is not known yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    #[default]
    Whole,
    /// Everything but the HTML, for runs that publish nothing.
    WithoutHtml,
}

/// A page, with its HTML or without. Only what is whole is kept for later runs.
#[derive(Clone, Debug)]
enum Known {
    Whole(Arc<WholePage>),
    WithoutHtml(Arc<Page>),
}

impl Known {
    fn page(&self) -> &Page {
        match self {
            Self::Whole(whole) => &whole.page,
            Self::WithoutHtml(page) => page,
        }
    }
}

/// Parsed pages by the key of their document: those asked for last in memory, and those of earlier runs.
#[derive(Debug, Default)]
pub struct Parsed {
    memory: Mutex<Memory>,
    minutes_in_memory: Mutex<HashMap<blake3::Hash, f64>>,
    /// As [`written`] writes them.
    anchors_in_memory: Mutex<HashMap<blake3::Hash, Arc<str>>>,
    pages: Table<Arc<WholePage>>,
    minutes: Table<f64>,
    anchors: Table<Arc<str>>,
}

#[derive(Debug, Default)]
struct Memory {
    pages: HashMap<blake3::Hash, Known>,
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
    fn hold(&mut self, document: &Document, page: Known) {
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
        Self {
            pages: store.table("pages"),
            minutes: store.table("minutes"),
            anchors: store.table("anchors"),
            ..Self::default()
        }
    }

    /// The page of a document, at least these parts of it, parsed if it is new.
    fn page(&self, document: &Document, parts: Detail) -> Known {
        match parts {
            Detail::Whole => Known::Whole(self.whole(document)),
            Detail::WithoutHtml => self.without_html(document),
        }
    }

    /// The page of a document without its HTML, if that is not known already.
    fn without_html(&self, document: &Document) -> Known {
        if let Some(page) = lock(&self.memory).pages.get(&document.key) {
            return page.clone();
        }
        let Document { body, edition, dialect, .. } = document;
        let page = match self.of_earlier_runs(document) {
            Some(whole) => Known::Whole(whole),
            None => {
                self.pages.pass();
                let _part = part(Stage::Parse);
                let page = markdown::parse_without_html(&document.text(), *body, edition, dialect);
                Known::WithoutHtml(Arc::new(page))
            }
        };
        lock(&self.minutes_in_memory).insert(document.key, page.page().minutes);
        lock(&self.memory).hold(document, page.clone());
        page
    }

    fn of_earlier_runs(&self, document: &Document) -> Option<Arc<WholePage>> {
        let _part = part(Stage::Cache);
        self.pages.get(document.key.as_bytes())
    }

    /// The page of a document with its HTML, parsed if it is new.
    fn whole(&self, document: &Document) -> Arc<WholePage> {
        if let Some(Known::Whole(whole)) = lock(&self.memory).pages.get(&document.key) {
            return whole.clone();
        }
        let known = self.of_earlier_runs(document);
        let is_new = known.is_none();
        let page = known.unwrap_or_else(|| {
            let _part = part(Stage::Parse);
            Arc::new(markdown::parse(&document.text(), document.body, &document.edition, &document.dialect))
        });
        lock(&self.minutes_in_memory).insert(document.key, page.minutes);
        let anchors: Arc<str> = written(&page).into();
        if is_new {
            self.anchors.put(*document.key.as_bytes(), anchors.clone());
        }
        lock(&self.anchors_in_memory).insert(document.key, anchors);
        let mut memory = lock(&self.memory);
        memory.hold(document, Known::Whole(page.clone()));
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
        let of = || Ok::<_, Infallible>(known.unwrap_or_else(|| self.whole(document).minutes));
        let Ok(minutes) = self.minutes.get_or_make(*document.key.as_bytes(), of);
        minutes
    }

    /// The anchors of a page with their titles. The map of the site asks for those of all pages, and for nothing else of
    /// them.
    fn anchors(&self, document: &Document) -> Arc<str> {
        let known = || lock(&self.anchors_in_memory).get(&document.key).cloned();
        let of = || Ok::<_, Infallible>(known().unwrap_or_else(|| written(&self.whole(document)).into()));
        let Ok(anchors) = self.anchors.get_or_make(*document.key.as_bytes(), of);
        anchors
    }

    /// Puts what is kept of the page with this key, beside the page itself, into `other`.
    pub fn copy_facts(&self, key: &Key, other: &Self) {
        self.minutes.copy(key, &other.minutes);
        self.anchors.copy(key, &other.anchors);
    }

    pub fn tables(&self) -> [&(dyn Flush + Sync); 3] {
        [&self.pages, &self.minutes, &self.anchors]
    }
}

/// The anchors of a page, each once, on a line of its own: the id, and for a heading a tab and its title.
fn written(page: &Page) -> String {
    let titles: HashMap<&str, &str> = page.headings.iter().rev().map(|it| (&*it.id, &*it.text)).collect();
    let (mut seen, mut lines) = (HashSet::default(), String::new());
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for id in page.anchors.iter().map(|anchor| anchor.id.as_str()).filter(|id| !id.contains(['\n', '\t'])) {
        if seen.insert(id) {
            let title = titles.get(id).map_or_else(String::new, |title| format!("\t{}", words(title)));
            lines.extend([id, &title, "\n"]);
        }
    }
    lines
}

/// Every page of a site.
#[derive(Debug)]
pub struct Pages {
    by_document: IndexVec<DocumentId, Lazy>,
    parsed: Arc<Parsed>,
    parts: Detail,
}

#[derive(Debug)]
struct Lazy {
    document: Arc<Document>,
    page: OnceLock<Known>,
    /// The same with its HTML, where that was asked for later.
    whole: OnceLock<Arc<WholePage>>,
}

impl Lazy {
    fn of(document: &Arc<Document>) -> Self {
        Self { document: document.clone(), page: OnceLock::new(), whole: OnceLock::new() }
    }
}

impl Pages {
    /// The pages of a site, of which these parts will be asked for.
    pub fn of(site: &Site, parsed: &Arc<Parsed>, parts: Detail) -> Self {
        Self { by_document: site.documents.iter().map(Lazy::of).collect(), parsed: parsed.clone(), parts }
    }

    /// The pages of another site, parsed with the same memory.
    pub(crate) fn of_other(&self, site: &Site) -> Self {
        Self::of(site, &self.parsed, self.parts)
    }

    /// The same pages, none of them held yet.
    #[must_use]
    pub fn fresh(&self) -> Self {
        let by_document = self.by_document.iter().map(|lazy| Lazy::of(&lazy.document)).collect();
        Self { by_document, parsed: self.parsed.clone(), parts: self.parts }
    }

    /// A page with its HTML.
    pub fn whole(&self, id: DocumentId) -> &WholePage {
        match self.known(id) {
            Known::Whole(whole) => whole,
            Known::WithoutHtml(_) => {
                let Lazy { document, whole, .. } = &self.by_document[id];
                whole.get_or_init(|| self.parsed.whole(document))
            }
        }
    }

    fn known(&self, id: DocumentId) -> &Known {
        let Lazy { document, page, .. } = &self.by_document[id];
        page.get_or_init(|| self.parsed.page(document, self.parts))
    }

    /// How many minutes it takes to read and to follow a page, as [`Page::minutes`].
    pub(crate) fn minutes(&self, id: DocumentId) -> f64 {
        // A list of all pages must not hold them.
        self.parsed.minutes(&self.by_document[id].document)
    }

    /// The anchors of a page in their order, each once.
    pub(crate) fn anchors(&self, id: DocumentId) -> Vec<Anchor> {
        let anchor = |line: &str| match line.split_once('\t') {
            Some((id, title)) => Anchor { id: id.to_string(), title: Some(title.to_string()) },
            None => Anchor { id: line.to_string(), title: None },
        };
        self.parsed.anchors(&self.by_document[id].document).lines().map(anchor).collect()
    }
}

impl Index<DocumentId> for Pages {
    type Output = Page;

    fn index(&self, id: DocumentId) -> &Page {
        self.known(id).page()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::site_path::SitePath;
    use crate::input::source::{Sources, Text};
    use crate::output::pipeline::{self, Options};
    use crate::output::render::{self, Rendering};

    fn parsed(work: &Rendering) -> Vec<&str> {
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
            pipeline::plan(sources, &Options::default(), &crate::output::cache::Cache::default())
                .expect("it loads");
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
