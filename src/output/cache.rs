//! Everything that is kept of what a run makes: in memory while it lasts, and between runs in a [`Store`].
//!
//! Keys are hashes of everything that a result depends on, so with any cache the same bytes are published as
//! without. Each kind of result belongs to the module that makes it; here they are put together.
//!
//! The files in the store's folder, which git and backups leave alone:
//!
//! | file | what it holds |
//! | --- | --- |
//! | `pages.index`, `pages-1.data` | parsed pages |
//! | `minutes.index`, `minutes-1.data` | how long each page takes to read |
//! | `anchors.index`, `anchors-1.data` | which anchors each page has |
//! | `code.index`, `code-1.data` | highlighted blocks |
//! | `pictures.index`, `pictures-1.data` | which smaller versions pictures have |
//! | `renditions.index`, `renditions-1.data` | the smaller versions |
//! | `words.index`, `words-1.data` | the words of each part of the search |
//! | `lists.index`, `lists-1.data` | the files that say in which parts words are |
//! | `findings.index`, `findings-1.data` | what the check found on the pages of each unit |
//! | `rendered.index`, `rendered-1.data` | what each unit asked for when it was rendered |
//! | `translations.index`, `translations-1.data` | what was found about each translation |
//! | `sources.last` | which files were read |
//! | `openings.last` | the front matter of pages |
//! | `build-….last` | what a build read and wrote |
//! | `program` | which program keeps all this |

use std::path::Path;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use crate::base::store::{Flush, Store, TableUse, lock};
use crate::base::timings::{Stage, part};
use crate::input::conventions::Repository;
use crate::input::link_map::Maps;
use crate::input::source::git::Days;
use crate::input::source::{FileIndex, Listing, Sources};
use crate::markup::highlight::HighlightedCode;
use crate::output::pictures::Pictures;
use crate::output::search::Kept;
use crate::output::unit::UnitTables;
use crate::review::drift;
use crate::review::translations::PageStates;
use crate::site::content::{Document, Openings};
use crate::site::pages::Parsed;

/// What is kept of each kind. The default is kept in memory alone.
#[derive(Debug, Default)]
pub struct Cache {
    pub store: Store,
    pub openings: Openings,
    pub pages: Arc<Parsed>,
    pub code: Arc<HighlightedCode>,
    pub pictures: Arc<Pictures>,
    pub search: Kept,
    pub units: UnitTables,
    pub drift: drift::Memo,
    pub translations: PageStates,
    pub maps: Maps,
    days: Mutex<Arc<Days>>,
}

/// Which files were read.
const SOURCES: &str = "sources.last";

impl Cache {
    /// A cache that knows what earlier runs kept in `.stepkin/` below a site's root.
    pub fn of(root: &Path) -> Self {
        Self::new(Store::at(&Store::folder_below(root)))
    }

    /// A cache that knows what earlier runs found about translations, and nothing else.
    pub fn of_translations(root: &Path) -> Self {
        let store = Store::at(&Store::folder_below(root));
        Self { translations: store.table("translations"), store, ..Self::default() }
    }

    /// A cache that knows what earlier runs kept in a store.
    pub fn new(store: Store) -> Self {
        Self {
            openings: Openings::default(),
            pages: Arc::new(Parsed::of(&store)),
            code: Arc::new(HighlightedCode::of(&store)),
            pictures: Arc::new(Pictures::of(&store)),
            search: Kept::of(&store),
            units: UnitTables::of(&store),
            drift: drift::Memo::default(),
            translations: store.table("translations"),
            maps: Maps::default(),
            store,
            days: Mutex::default(),
        }
    }

    /// The days on which the files of a site were changed; git is asked again after a commit.
    pub fn days(&self, root: &Path, repository: &Repository) -> Arc<Days> {
        let mut days = lock(&self.days);
        if !days.are_of(root) {
            *days = Arc::new(Days::read(root, repository));
        }
        days.clone()
    }

    /// What an earlier run read.
    pub fn sources(&self) -> FileIndex {
        let known = || self.store.read(SOURCES).unwrap_or_default();
        rayon::join(known, || self.openings.read(&self.store)).0
    }

    /// Keeps for later runs what this one has read beside what was `known`.
    pub fn keep_sources(&self, known: &FileIndex, sources: &Sources, listing: &Listing) {
        if !self.store.is_kept() {
            return;
        }
        let read = FileIndex::of(sources, listing);
        if read.is_worth_keeping(known)
            && let Some(writer) = self.store.writer()
        {
            self.openings.write(&writer, sources);
            // This comes last: by it the next run tells whether there is anything to keep.
            writer.write(SOURCES, &read);
        }
    }

    /// Forgets what an editing session typed, once it is far more than the site: nobody asks for it again.
    pub fn forget_others(&self, documents: &[Arc<Document>]) {
        self.openings.hold(documents);
    }

    /// How much of each kind earlier runs had made, and this one.
    pub fn tallies(&self) -> [(&'static str, TableUse); 5] {
        let ([pages, ..], [pictures, _]) = (self.pages.tables(), self.pictures.tables());
        let [search, _] = self.search.tables();
        [
            ("pages", pages.tally()),
            ("blocks", self.code.table().tally()),
            ("pictures", pictures.tally()),
            ("indexes", search.tally()),
            ("units", self.units.findings().tally()),
        ]
    }

    /// Keeps for later runs what this one has made, where that is possible.
    pub fn flush(&self) {
        let [pages, minutes, anchors] = self.pages.tables();
        let (findings, rendered) = (self.units.findings(), self.units.rendered());
        let [pictures, renditions] = self.pictures.tables();
        let (code, [words, lists]) = (self.code.table(), self.search.tables());
        self.write(&[pages, minutes, anchors, code, pictures, renditions, words, lists, findings, rendered]);
    }

    /// Keeps what was found on pages and no more: of pages that are parsed, a check needs few again, and to write
    /// all of them takes longer.
    pub fn flush_findings(&self) {
        self.write(&[self.units.findings() as &(dyn Flush + Sync)]);
    }

    /// Keeps what was found about translations.
    pub fn flush_translations(&self) {
        self.write(&[&self.translations as &(dyn Flush + Sync)]);
    }

    fn write(&self, tables: &[&(dyn Flush + Sync)]) {
        if tables.iter().any(|table| table.has_new())
            && let Some(writer) = self.store.writer()
        {
            tables.par_iter().for_each(|table| part(Stage::Cache, || writer.flush(*table)));
        }
    }
}
