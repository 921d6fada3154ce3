//! Keeps what pages, code blocks and search indexes became, by the content they were made from.
//!
//! Keys are hashes of everything the result depends on, so a kept result is the result: with any
//! cache the same bytes as without.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::content::Document;
use crate::error::Result;
use crate::markdown::{self, Page};
use crate::render::highlight;
use crate::timings::{Stage, part};

/// Parsed pages, highlighted code and search indexes, in memory.
#[derive(Debug, Default)]
pub struct Cache {
    pages: Mutex<HashMap<blake3::Hash, Arc<Page>>>,
    code: Mutex<HashMap<blake3::Hash, Arc<str>>>,
    search: Mutex<HashMap<String, Arc<Slot>>>,
}

/// Files by name.
pub type Files = BTreeMap<String, Arc<[u8]>>;

/// A place for what is made once; who comes meanwhile waits.
#[derive(Debug)]
struct Slot {
    key: blake3::Hash,
    files: Mutex<Option<Arc<Files>>>,
}

/// More blocks than any site shows at once; beyond it an editing session has piled up old ones.
const MOST_BLOCKS: usize = 200_000;

impl Cache {
    /// The page of a document, parsed if it is new.
    pub fn page(&self, document: &Document) -> Arc<Page> {
        let key = page_key(document);
        if let Some(page) = lock(&self.pages).get(&key) {
            return page.clone();
        }
        let page = Arc::new(part(Stage::Parse, || {
            markdown::parse(&document.text, document.body, &document.telling)
        }));
        lock(&self.pages).insert(key, page.clone());
        page
    }

    /// Forgets every page but those of `documents`: what an editing session typed is never asked for again.
    pub fn keep_pages(&self, documents: &[Document]) {
        let mut pages = lock(&self.pages);
        if pages.len() > 2 * documents.len() {
            let kept: HashMap<_, _> =
                documents.iter().filter_map(|document| pages.remove_entry(&page_key(document))).collect();
            *pages = kept;
        }
    }

    /// A code block's HTML, highlighted if it is new.
    pub fn highlighted(&self, language: &str, code: &str) -> Arc<str> {
        let key = code_key(language, code);
        if let Some(html) = lock(&self.code).get(&key) {
            return html.clone();
        }
        let html: Arc<str> = highlight::highlight(language, code).into();
        let mut kept = lock(&self.code);
        if kept.len() >= MOST_BLOCKS {
            kept.clear();
        }
        kept.insert(key, html.clone());
        html
    }

    /// The files of a search index, made if what it is made from is new. For each index the newest are kept.
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
        let fresh = Arc::new(make()?);
        *files = Some(fresh.clone());
        Ok(fresh)
    }
}

/// Most pages are the same for every platform, and are told by their text alone.
fn page_key(document: &Document) -> blake3::Hash {
    if !document.telling.matters_to(&document.text) {
        return document.hash;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(document.hash.as_bytes());
    // What derives `Debug` writes every field, and quotes texts so that none can pass for two.
    hasher.update(format!("{:?}", document.telling).as_bytes());
    hasher.finalize()
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
