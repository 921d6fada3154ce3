//! The words of parts, collected once for each version of a part.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use super::VERSION;
use super::part::SearchPart;
use super::words::InFile;
use crate::base::hash::HashMap;
use crate::base::store::{Flush, Key, Store, Table, lock};

/// Words of parts, in memory for this run, and from earlier runs.
#[derive(Debug, Default)]
pub struct Kept {
    /// The newest version of each part, by its address.
    memory: Mutex<HashMap<String, (Key, Arc<str>)>>,
    words: Table<Arc<str>>,
    /// The newest version.
    files: Mutex<Option<(Key, Files)>>,
    /// Files of words, by a hash of the words.
    lists: Table<Arc<[u8]>>,
}

/// Files of words.
type Files = Arc<Vec<Arc<[u8]>>>;

impl Kept {
    pub fn of(store: &Store) -> Self {
        Self { words: store.table("words"), lists: store.table("lists"), ..Self::default() }
    }

    /// Returns the words of a part: see [`super::words::of`].
    pub(super) fn words(&self, part: &SearchPart<'_>, make: impl FnOnce() -> String) -> Arc<str> {
        let address = part.address.as_str();
        if let Some((key, words)) = lock(&self.memory).get(address)
            && *key == part.key
        {
            return words.clone();
        }
        let fresh = || Ok::<_, Infallible>(make().into());
        let Ok(words) = self.words.get_or_make(part.key, fresh);
        lock(&self.memory).insert(address.to_string(), (part.key, words.clone()));
        words
    }

    /// Copies the words of the part with this key into `other`.
    pub fn copy_words(&self, key: &Key, other: &Self) {
        self.words.copy(key, &other.words);
    }

    /// Returns the files of words, and generates them if their words are new. Other threads wait for them.
    pub(super) fn files_of_words(&self, key: Key, make: impl FnOnce() -> Vec<Arc<[u8]>>) -> Files {
        let mut files = lock(&self.files);
        if let Some((known, files)) = &*files
            && *known == key
        {
            return files.clone();
        }
        let fresh = Arc::new(make());
        *files = Some((key, fresh.clone()));
        fresh
    }

    /// Returns the file of some words.
    pub(super) fn file_of_words(&self, words: &InFile<'_>) -> Arc<[u8]> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&VERSION.to_le_bytes()).update(&words.sum().to_le_bytes());
        let fresh = || Ok::<_, Infallible>(words.bytes().into());
        let Ok(file) = self.lists.get_or_make(*hasher.finalize().as_bytes(), fresh);
        file
    }

    /// Returns the words of parts, and the files of words.
    pub fn tables(&self) -> [&(dyn Flush + Sync); 2] {
        [&self.words, &self.lists]
    }
}
