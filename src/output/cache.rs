//! The cache: results of a run, in memory while it lasts, in a [`Memo`], and between runs in a [`Store`].
//!
//! A stored result stays valid while its key and the facts that it looked up stay the same, so the published bytes are
//! the same with and without a cache. The types of results belong to the modules that create them. This module
//! combines them.
//!
//! The files in the store's folder, which git and backups ignore:
//!
//! | file | content |
//! | --- | --- |
//! | `pages.index`, `pages-1.data` | parsed pages |
//! | `minutes.index`, `minutes-1.data` | the reading time of each page |
//! | `anchors.index`, `anchors-1.data` | the anchors of each page |
//! | `code.index`, `code-1.data` | highlighted code blocks |
//! | `pictures.index`, `pictures-1.data` | the smaller versions of each image |
//! | `renditions.index`, `renditions-1.data` | the content of smaller images |
//! | `diagrams.index`, `diagrams-1.data` | the images that programs draw: diagrams and cards |
//! | `words.index`, `words-1.data` | the words in each part of the search |
//! | `lists.index`, `lists-1.data` | the files that map words to parts |
//! | `findings.index`, `findings-1.data` | the findings on the pages of each unit |
//! | `rendered.index`, `rendered-1.data` | the imports of each rendered unit |
//! | `translations.index`, `translations-1.data` | how each translation compares with its original |
//! | `sources.last` | the files that were read |
//! | `openings.last` | the front matter of pages |
//! | `build-….last` | the files that a build read and wrote |
//! | `program` | the version of the program that wrote the store |

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::output::drawn::Drawn;
use crate::output::pictures::Pictures;
use crate::output::search::{SearchTables, StoredSearch};
use crate::output::unit::UnitTables;
use base::store::{Flush, Store, TableUse};
use base::timings::{Stage, part};
use input::source::{FileIndex, Listing, Sources};
use markup::highlight::HighlightedCode;
use review::translations::PageStates;
use site::content::Openings;
use site::lags::Lags;
use site::memo::Memo;
use site::pages::Parsed;

/// The cached results of each kind. The default exists only in memory.
#[derive(Debug, Default)]
pub struct Cache {
    pub store: Store,
    /// The results of stages in this process.
    pub memo: Memo,
    pub openings: Openings,
    pub pages: Arc<Parsed>,
    pub code: Arc<HighlightedCode>,
    pub pictures: Arc<Pictures>,
    pub drawn: Arc<Drawn>,
    pub search: SearchTables,
    pub units: UnitTables,
    pub translations: PageStates,
    /// The translated pages that are behind their originals, as found last in this process.
    pub lags: Arc<Lags>,
}

/// Returns the store in a folder, with results of this version of the program.
pub fn store_at(folder: &Path) -> Store {
    Store::at(folder, env!("STEPKIN_BUILD"))
}

/// The files that were read.
const SOURCES: &str = "sources.last";

impl Cache {
    /// Returns a cache with the results of earlier runs in `.stepkin/` in a site's root.
    pub fn of(root: &Path) -> Self {
        Self::new(store_at(&Store::folder_below(root)))
    }

    /// Returns a cache with only the stored results about translations.
    pub fn of_translations(root: &Path) -> Self {
        let store = store_at(&Store::folder_below(root));
        Self { translations: store.table("translations"), store, ..Self::default() }
    }

    /// Returns a cache with the results of earlier runs in a store.
    pub fn new(store: Store) -> Self {
        Self {
            openings: Openings::default(),
            pages: Arc::new(Parsed::of(&store)),
            code: Arc::new(HighlightedCode::of(&store)),
            pictures: Arc::new(Pictures::of(&store)),
            drawn: Arc::new(Drawn::of(&store)),
            search: SearchTables::of(&store),
            units: UnitTables::of(&store),
            translations: store.table("translations"),
            lags: Arc::default(),
            memo: Memo::default(),
            store,
        }
    }

    /// Returns the stored results of the search.
    pub fn stored_search(&self) -> StoredSearch<'_> {
        StoredSearch { tables: &self.search, memo: &self.memo }
    }

    /// Returns the files that an earlier run read.
    pub fn sources(&self) -> FileIndex {
        let _part = part(Stage::Cache);
        let known = || self.store.read(SOURCES).unwrap_or_default();
        rayon::join(known, || self.openings.read(&self.store)).0
    }

    /// Stores the files that this run read in addition to the `known` ones.
    pub fn keep_sources(&self, known: &FileIndex, sources: &Sources, listing: &Listing) {
        if !self.store.is_kept() {
            return;
        }
        let _part = part(Stage::Cache);
        let read = FileIndex::of(sources, listing);
        if read.is_worth_keeping(known)
            && let Some(writer) = self.store.writer()
        {
            self.openings.write(&writer, sources);
            // This is written last, because the next run uses it to determine whether anything needs to be stored.
            writer.write(SOURCES, &read);
        }
    }

    /// Returns the numbers of reused and new results of each kind.
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

    /// Stores the results of this run, if possible.
    pub fn flush(&self) {
        let [pages, minutes, anchors] = self.pages.tables();
        let (findings, rendered) = (self.units.findings(), self.units.rendered());
        let [pictures, renditions] = self.pictures.tables();
        let (code, [words, lists]) = (self.code.table(), self.search.tables());
        let drawn = self.drawn.table();
        self.write(
            &[pages, minutes, anchors, code, pictures, renditions, drawn, words, lists, findings, rendered],
            true,
        );
    }

    /// Stores the results that the rest of a build doesn't need, so that they don't stay in memory.
    pub fn flush_pages(&self) {
        let [pages, ..] = self.pages.tables();
        self.write(&[pages, self.code.table()], false);
    }

    /// Stores only findings. A check needs few parsed pages again, and writing all of them takes longer.
    pub fn flush_findings(&self) {
        self.write(&[self.units.findings() as &(dyn Flush + Sync)], true);
    }

    /// Stores the results about translations.
    pub fn flush_translations(&self) {
        self.write(&[&self.translations as &(dyn Flush + Sync)], true);
    }

    fn write(&self, tables: &[&(dyn Flush + Sync)], is_last: bool) {
        if tables.iter().any(|table| table.has_new())
            && let Some(writer) = self.store.writer()
        {
            tables.par_iter().for_each(|table| {
                let _part = part(Stage::Cache);
                writer.flush(*table, is_last);
            });
        }
    }
}
