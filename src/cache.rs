//! Keeps what pages and code blocks became, by the content they were made from.
//!
//! Keys are hashes of everything the result depends on, so a kept result is the result: with any
//! cache the same bytes as without.
//!
//! While a run lasts, results are kept in memory. Between runs they are kept in `.stepkin/` below the site's
//! root, which git and backups leave alone:
//!
//! | file | what it holds |
//! | --- | --- |
//! | `pages.index`, `pages-1.data` | parsed pages, see [`store`] |
//! | `code.index`, `code-1.data` | highlighted blocks |
//! | `build-….last` | what a build read and wrote, see [`LastBuild`] |
//!
//! Every file names the program that wrote it and carries a seal. What is damaged, cut short or written by
//! another version is not there, and is replaced by the next run that keeps something. Files are replaced by
//! renames, one run at a time; a run that finds another one writing keeps nothing. So neither two builds at once
//! nor a kill at any moment can spoil more than time. A folder that cannot be made or written is no failure.

mod folder;
mod last_build;
mod store;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

pub use self::last_build::{Inputs, LastBuild, Output, Said, Verdict};

use self::folder::Folder;
use self::store::{Key, Store};
use crate::content::Document;
use crate::markdown::{self, Page};
use crate::render::highlight;

/// Parsed pages and highlighted code, in memory, and of earlier runs where there is a folder for them.
#[derive(Debug, Default)]
pub struct Cache {
    pages: Mutex<HashMap<blake3::Hash, Arc<Page>>>,
    code: Mutex<HashMap<blake3::Hash, Arc<str>>>,
    kept: Option<Kept>,
}

/// What is kept between runs.
#[derive(Debug)]
struct Kept {
    folder: Folder,
    /// Opened when first asked for: a build that finds nothing changed needs neither.
    pages: OnceLock<Store>,
    code: OnceLock<Store>,
    /// Made by this run.
    new_pages: Mutex<HashMap<Key, Arc<Page>>>,
    new_code: Mutex<HashMap<Key, Arc<str>>>,
}

/// More blocks than any site shows at once; beyond it an editing session has piled up old ones.
const MOST_BLOCKS: usize = 200_000;

impl Cache {
    /// A cache that knows what earlier runs kept for the site below `root`.
    pub fn of(root: &Path) -> Self {
        let kept = Kept {
            folder: Folder::of(root),
            pages: OnceLock::new(),
            code: OnceLock::new(),
            new_pages: Mutex::default(),
            new_code: Mutex::default(),
        };
        Self { kept: Some(kept), ..Self::default() }
    }

    /// The page of a document, parsed if it is new.
    pub fn page(&self, document: &Document) -> Arc<Page> {
        if let Some(page) = lock(&self.pages).get(&document.hash) {
            return page.clone();
        }
        let page = self.kept_page(document).unwrap_or_else(|| {
            let page = Arc::new(markdown::parse(&document.text, document.body));
            if let Some(kept) = &self.kept {
                lock(&kept.new_pages).insert(*document.hash.as_bytes(), page.clone());
            }
            page
        });
        lock(&self.pages).insert(document.hash, page.clone());
        page
    }

    fn kept_page(&self, document: &Document) -> Option<Arc<Page>> {
        let bytes = self.kept.as_ref()?.pages().get(document.hash.as_bytes())?;
        postcard::from_bytes(&bytes).ok().map(Arc::new)
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
        let html = self.kept_code(&key).unwrap_or_else(|| {
            let html: Arc<str> = highlight::highlight(language, code).into();
            if let Some(kept) = &self.kept {
                lock(&kept.new_code).insert(*key.as_bytes(), html.clone());
            }
            html
        });
        let mut known = lock(&self.code);
        if known.len() >= MOST_BLOCKS {
            known.clear();
        }
        known.insert(key, html.clone());
        html
    }

    fn kept_code(&self, key: &blake3::Hash) -> Option<Arc<str>> {
        let bytes = self.kept.as_ref()?.code().get(key.as_bytes())?;
        String::from_utf8(bytes).ok().map(Into::into)
    }

    /// Keeps for later runs what this one has made, where that is possible.
    pub fn keep(&self) {
        let Some(kept) = &self.kept else { return };
        let (pages, code) =
            (std::mem::take(&mut *lock(&kept.new_pages)), std::mem::take(&mut *lock(&kept.new_code)));
        if pages.is_empty() && code.is_empty() {
            return;
        }
        // A cache that cannot be written costs time, and nothing else.
        if let Ok(Some(lock)) = kept.folder.lock() {
            _ = kept.pages().keep(&lock, encoded(pages));
            _ = kept.code().keep(&lock, code.iter().map(|(key, html)| (*key, html.as_bytes().to_vec())));
        }
    }
}

impl Kept {
    fn pages(&self) -> &Store {
        self.pages.get_or_init(|| Store::open(&self.folder, "pages"))
    }

    fn code(&self) -> &Store {
        self.code.get_or_init(|| Store::open(&self.folder, "code"))
    }
}

/// Pages as they are kept, one after the other: all of them at once would be a second site in memory.
fn encoded(pages: HashMap<Key, Arc<Page>>) -> impl Iterator<Item = (Key, Vec<u8>)> {
    pages.into_iter().filter_map(|(key, page)| Some((key, postcard::to_stdvec(&*page).ok()?)))
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
