//! Keeps what pages and code blocks became, by the content they were made from.
//!
//! Keys are hashes of everything the result depends on, so a kept result is the result: with any
//! cache the same bytes as without.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::content::Document;
use crate::markdown::{self, Page};
use crate::render::highlight;
use crate::timings::{Stage, part};

/// Parsed pages and highlighted code, in memory.
#[derive(Debug, Default)]
pub struct Cache {
    pages: Mutex<HashMap<blake3::Hash, Arc<Page>>>,
    code: Mutex<HashMap<blake3::Hash, Arc<str>>>,
}

/// More blocks than any site shows at once; beyond it an editing session has piled up old ones.
const MOST_BLOCKS: usize = 200_000;

impl Cache {
    /// The page of a document, parsed if it is new.
    pub fn page(&self, document: &Document) -> Arc<Page> {
        if let Some(page) = lock(&self.pages).get(&document.hash) {
            return page.clone();
        }
        let page = Arc::new(part(Stage::Parse, || markdown::parse(&document.text, document.body)));
        lock(&self.pages).insert(document.hash, page.clone());
        page
    }

    /// Forgets every page but those of `documents`: what an editing session typed is never asked for again.
    pub fn keep_pages(&self, documents: &[Document]) {
        let mut pages = lock(&self.pages);
        if pages.len() > 2 * documents.len() {
            let kept: HashMap<_, _> =
                documents.iter().filter_map(|document| pages.remove_entry(&document.hash)).collect();
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
