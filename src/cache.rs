//! Keeps what pages, code blocks and search indexes became, and what was found on pages, by the content they
//! were made from.
//!
//! Keys are hashes of everything the result depends on, so a kept result is the result: with any
//! cache the same bytes as without.
//!
//! While a run lasts, results are kept in memory; of a large site no parsed pages. Between runs they are kept in
//! `.stepkin/` below the site's root, which git and backups leave alone:
//!
//! | file | what it holds |
//! | --- | --- |
//! | `pages.index`, `pages-1.data` | parsed pages, see `cache/store.rs` |
//! | `code.index`, `code-1.data` | highlighted blocks |
//! | `search.index`, `search-1.data` | search indexes |
//! | `findings.index`, `findings-1.data` | what the check found on each page |
//! | `minutes.index`, `minutes-1.data` | how long each page takes to read |
//! | `sources.last` | which files were read |
//! | `openings.last` | the front matter of pages |
//! | `build-….last` | what a build read and wrote, see [`LastBuild`] |
//!
//! Every file names the program that wrote it and carries a seal. What is damaged, cut short or written by
//! another version is not there, and is replaced by the next run that keeps something. Files are replaced by
//! renames, one run at a time; a run that finds another one writing keeps nothing. So neither two builds at once
//! nor a kill at any moment can spoil more than time. A folder that cannot be made or written is no failure.

mod folder;
mod last_build;
mod shelf;
mod store;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::convert::Infallible;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use serde_bytes::{ByteArray, Bytes};

pub use self::last_build::{Inputs, LastBuild, Output, Said, Verdict};

use self::folder::Folder;
use self::shelf::{Keep, Shelf, Value};
use crate::check::Checked;
use crate::content::{Document, Opening};
use crate::error::Result;
use crate::markdown::{self, Page};
use crate::render::highlight;
use crate::source::{Known, Listing, MOST_HELD, Sources, Text};
use crate::timings::{Stage, part};

/// Parsed pages, highlighted code, search indexes and findings: in memory, and of earlier runs where there is a
/// folder for them.
#[derive(Debug, Default)]
pub struct Cache {
    /// By the hash of the file.
    openings: Mutex<HashMap<blake3::Hash, Arc<Opening>>>,
    pages: Mutex<Pages>,
    minutes: Mutex<HashMap<blake3::Hash, f64>>,
    code: Mutex<HashMap<blake3::Hash, Arc<str>>>,
    search: Mutex<HashMap<String, Arc<Slot>>>,
    kept: Option<Kept>,
}

/// Parsed pages in memory.
#[derive(Debug, Default)]
struct Pages {
    pages: HashMap<blake3::Hash, Arc<Page>>,
    /// Whether the site has more pages than are held. Then none is, nor kept for later runs: a run goes through all of
    /// them in their order and more than once, and few would be held again when they are asked for.
    are_too_many: bool,
}

/// Files by name.
pub type Files = BTreeMap<String, Arc<[u8]>>;

/// A place for what is made once; who comes meanwhile waits.
#[derive(Debug)]
struct Slot {
    key: blake3::Hash,
    files: Mutex<Option<Arc<Files>>>,
}

/// What is kept between runs.
#[derive(Debug)]
struct Kept {
    folder: Folder,
    pages: Shelf<Arc<Page>>,
    code: Shelf<Arc<str>>,
    search: Shelf<Arc<Files>>,
    findings: Shelf<Arc<Checked>>,
    minutes: Shelf<f64>,
}

/// The files of what was read.
const SOURCES: &str = "sources.last";
const OPENINGS: &str = "openings.last";

/// By the hash of its file.
type KeptOpening = (ByteArray<32>, Opening);

/// More blocks than any site shows at once; beyond it an editing session has piled up old ones.
const MOST_BLOCKS: usize = 200_000;

impl Cache {
    /// A cache that knows what earlier runs kept for the site below `root`.
    pub fn of(root: &Path) -> Self {
        let folder = Folder::of(root);
        let kept = Kept {
            pages: Shelf::new(&folder, "pages"),
            code: Shelf::new(&folder, "code"),
            search: Shelf::new(&folder, "search"),
            findings: Shelf::new(&folder, "findings"),
            minutes: Shelf::new(&folder, "minutes"),
            folder,
        };
        Self { kept: Some(kept), ..Self::default() }
    }

    /// The page of a document, parsed if it is new.
    pub fn page(&self, document: &Document) -> Arc<Page> {
        if let Some(page) = lock(&self.pages).pages.get(&document.key) {
            return page.clone();
        }
        let known = self.kept.as_ref().and_then(|kept| kept.pages.get(document.key.as_bytes()));
        let is_new = known.is_none();
        let parse = || markdown::parse(&document.text(), document.body, &document.telling);
        let page = known.unwrap_or_else(|| Arc::new(part(Stage::Parse, parse)));
        lock(&self.minutes).insert(document.key, page.minutes);
        let mut held = lock(&self.pages);
        if held.are_too_many {
            return page;
        }
        held.pages.insert(document.key, page.clone());
        if let Some(kept) = self.kept.as_ref().filter(|_| is_new) {
            kept.pages.put(*document.key.as_bytes(), page.clone());
        }
        page
    }

    #[cfg(test)]
    pub(crate) fn has_page(&self, document: &Document) -> bool {
        lock(&self.pages).pages.contains_key(&document.key)
    }

    /// How many minutes a page takes. Lists of all pages ask for nothing else of them, so it is kept apart.
    pub(crate) fn minutes(&self, document: &Document, of: impl FnOnce() -> f64) -> f64 {
        let known = lock(&self.minutes).get(&document.key).copied();
        let of = || Ok::<_, Infallible>(known.unwrap_or_else(of));
        let Ok(minutes) = self.kept_or_made(|kept| &kept.minutes, &document.key, of);
        minutes
    }

    /// What a file says of itself, read if its text is new.
    pub(crate) fn opening(&self, text: &Text, read: impl FnOnce(&Text) -> Opening) -> Arc<Opening> {
        if let Some(known) = lock(&self.openings).get(&text.hash) {
            return known.clone();
        }
        let fresh = Arc::new(read(text));
        lock(&self.openings).insert(text.hash, fresh.clone());
        fresh
    }

    /// Whether every page that is parsed stays in memory.
    pub fn holds_pages(&self) -> bool {
        !lock(&self.pages).are_too_many
    }

    /// Makes room for the pages of a site, or for none, and forgets all others once there are far more: what an editing
    /// session typed is never asked for again.
    pub fn hold_pages(&self, documents: &[Arc<Document>]) {
        let mut openings = lock(&self.openings);
        if openings.len() > 2 * documents.len() {
            let known: HashSet<_> = documents.iter().map(|document| document.file()).collect();
            openings.retain(|hash, _| known.contains(hash));
        }
        drop(openings);
        // Parsed they take some five times as much as their text.
        let text: usize = documents.iter().map(|document| document.size()).sum();
        let mut held = lock(&self.pages);
        held.are_too_many = text > MOST_HELD;
        if held.pages.len() > 2 * documents.len() {
            held.pages = documents.iter().filter_map(|it| held.pages.remove_entry(&it.key)).collect();
        }
    }

    /// A code block's HTML, highlighted if it is new.
    pub fn highlighted(&self, language: &str, code: &str) -> Arc<str> {
        let key = code_key(language, code);
        if let Some(html) = lock(&self.code).get(&key) {
            return html.clone();
        }
        let Ok(html) = self.kept_or_made(
            |kept| &kept.code,
            &key,
            || Ok::<Arc<str>, Infallible>(highlight::highlight(language, code).into()),
        );
        let mut known = lock(&self.code);
        if known.len() >= MOST_BLOCKS {
            known.clear();
        }
        known.insert(key, html.clone());
        html
    }

    /// The files of a search index, made if what it is made from is new. In memory the newest of each index are kept.
    pub fn search(
        &self,
        index: &str,
        key: blake3::Hash,
        make: impl FnOnce() -> Result<Files>,
    ) -> Result<Arc<Files>> {
        let slot = {
            let mut slots = lock(&self.search);
            match slots.get(index) {
                Some(slot) if slot.key == key => slot.clone(),
                _ => {
                    let slot = Arc::new(Slot { key, files: Mutex::default() });
                    slots.insert(index.to_string(), slot.clone());
                    slot
                }
            }
        };
        let mut files = lock(&slot.files);
        if let Some(files) = &*files {
            return Ok(files.clone());
        }
        let fresh = self.kept_or_made(|kept| &kept.search, &key, || make().map(Arc::new))?;
        *files = Some(fresh.clone());
        Ok(fresh)
    }

    /// What an earlier check found on a page; the key is the check's own.
    pub(crate) fn checked(&self, key: &blake3::Hash) -> Option<Arc<Checked>> {
        self.kept.as_ref()?.findings.get(key.as_bytes())
    }

    /// Keeps what was found on a page for later checks.
    pub(crate) fn keep_checked(&self, key: &blake3::Hash, checked: &Arc<Checked>) {
        if let Some(kept) = &self.kept {
            kept.findings.put(*key.as_bytes(), checked.clone());
        }
    }

    /// What an earlier run read.
    pub fn sources(&self) -> Known {
        let Some(Kept { folder, .. }) = &self.kept else { return Known::default() };
        let openings = || folder.read::<Vec<KeptOpening>>(OPENINGS).unwrap_or_default();
        let (known, kept) = rayon::join(|| folder.read(SOURCES).unwrap_or_default(), openings);
        let kept = kept.into_iter().map(|(hash, opening)| (hash.into_array().into(), Arc::new(opening)));
        lock(&self.openings).extend(kept);
        known
    }

    /// Keeps for later runs what this one has read beside what was `known`.
    pub fn keep_sources(&self, known: &Known, sources: &Sources, listing: &Listing) {
        let (Some(Kept { folder, .. }), read) = (&self.kept, Known::of(sources, listing)) else { return };
        if read == *known {
            return;
        }
        let openings = lock(&self.openings);
        let hashes: HashSet<_> = sources.pages.values().map(|text| text.hash).collect();
        let openings: Vec<(&Bytes, &Opening)> = hashes
            .iter()
            .filter_map(|hash| Some((Bytes::new(hash.as_bytes()), &**openings.get(hash)?)))
            .collect();
        // Whoever cannot remember reads again.
        if let Ok(Some(lock)) = folder.lock() {
            // What was read comes last: by it the next run tells whether there is anything to keep.
            _ = folder.write(&lock, OPENINGS, &openings);
            _ = folder.write(&lock, SOURCES, &read);
        }
    }

    fn kept_or_made<T: Value, E>(
        &self,
        of: impl FnOnce(&Kept) -> &Shelf<T>,
        key: &blake3::Hash,
        make: impl FnOnce() -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        match &self.kept {
            Some(kept) => of(kept).get_or_make(*key.as_bytes(), make),
            None => make(),
        }
    }

    /// Keeps for later runs what this one has made, where that is possible.
    pub fn keep(&self) {
        if let Some(Kept { folder, pages, code, search, findings, minutes }) = &self.kept {
            keep(folder, &[pages, code, search, findings, minutes]);
        }
    }

    /// Keeps what was found on pages and no more: of pages that are parsed, a check needs few again, and to write
    /// all of them takes longer.
    pub fn keep_findings(&self) {
        if let Some(Kept { folder, findings, .. }) = &self.kept {
            keep(folder, &[findings]);
        }
    }
}

fn keep(folder: &Folder, shelves: &[&(dyn Keep + Sync)]) {
    if !shelves.iter().any(|shelf| shelf.has_new()) {
        return;
    }
    // A cache that cannot be written costs time, and nothing else.
    if let Ok(Some(lock)) = folder.lock() {
        shelves.par_iter().for_each(|shelf| _ = shelf.keep(&lock));
    }
}

fn code_key(language: &str, code: &str) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&highlight::VERSION.to_le_bytes());
    hasher.update(language.as_bytes());
    hasher.update(b"\n");
    hasher.update(code.as_bytes());
    hasher.finalize()
}

/// A panic elsewhere leaves whole entries behind, so what is kept is still true.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
