//! Everything that is stored of what a run makes: in memory while it lasts, in a [`Memo`], and between runs in a [`Store`].
//!
//! A stored result stays valid while its key and the facts that it looked up stay the same, so with any cache the same
//! bytes are published as without. Each kind of result belongs to the module that makes it; here they are put together.
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
//! | `sources.last` | which files were read |
//! | `openings.last` | the front matter of pages |
//! | `build-….last` | what a build read and wrote |
//! | `program` | which program keeps all this |

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::base::memo::Memo;
use crate::base::store::{Flush, Store, TableUse};
use crate::base::timings::{Stage, part};
use crate::input::source::{FileIndex, Listing, Sources};
use crate::markup::highlight::HighlightedCode;
use crate::output::pictures::Pictures;
use crate::output::search::{SearchTables, StoredSearch};
use crate::output::unit::UnitTables;
use crate::site::content::Openings;
use crate::site::pages::Parsed;

/// What is kept of each kind. The default is kept in memory alone.
#[derive(Debug, Default)]
pub struct Cache {
    pub store: Store,
    /// The results of stages in this process.
    pub memo: Memo,
    pub openings: Openings,
    pub pages: Arc<Parsed>,
    pub code: Arc<HighlightedCode>,
    pub pictures: Arc<Pictures>,
    pub search: SearchTables,
    pub units: UnitTables,
}

/// Which files were read.
const SOURCES: &str = "sources.last";

impl Cache {
    /// A cache that knows what earlier runs kept in `.stepkin/` below a site's root.
    pub fn of(root: &Path) -> Self {
        Self::new(Store::at(&Store::folder_below(root)))
    }

    /// A cache that knows what earlier runs kept in a store.
    pub fn new(store: Store) -> Self {
        Self {
            openings: Openings::default(),
            pages: Arc::new(Parsed::of(&store)),
            code: Arc::new(HighlightedCode::of(&store)),
            pictures: Arc::new(Pictures::of(&store)),
            search: SearchTables::of(&store),
            units: UnitTables::of(&store),
            memo: Memo::default(),
            store,
        }
    }

    /// What is stored of the search.
    pub fn stored_search(&self) -> StoredSearch<'_> {
        StoredSearch { tables: &self.search, memo: &self.memo }
    }

    /// What an earlier run read.
    pub fn sources(&self) -> FileIndex {
        let _part = part(Stage::Cache);
        let known = || self.store.read(SOURCES).unwrap_or_default();
        rayon::join(known, || self.openings.read(&self.store)).0
    }

    /// Keeps for later runs what this one has read beside what was `known`.
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
            // This comes last: by it the next run tells whether there is anything to keep.
            writer.write(SOURCES, &read);
        }
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

    fn write(&self, tables: &[&(dyn Flush + Sync)]) {
        if tables.iter().any(|table| table.has_new())
            && let Some(writer) = self.store.writer()
        {
            tables.par_iter().for_each(|table| {
                let _part = part(Stage::Cache);
                writer.flush(*table);
            });
        }
    }
}
