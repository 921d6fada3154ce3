//! The words of parts, collected once for each version of a part.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use super::VERSION;
use super::part::SearchPart;
use super::words::InFile;
use base::store::{Flush, Key, Store, Table, lock};
use site::memo::{Dependency, Memo, MemoKey};

/// Words of parts, and files of words, of earlier runs.
#[derive(Debug, Default)]
pub struct SearchTables {
    words: Table<Arc<str>>,
    /// Files of words, by a hash of their words.
    lists: Table<Arc<[u8]>>,
    /// Locked by the thread that generates the files of words, so that others wait for them.
    making: Mutex<()>,
}

/// The results of this process and of earlier ones.
#[derive(Clone, Copy, Debug)]
pub struct StoredSearch<'a> {
    pub tables: &'a SearchTables,
    pub memo: &'a Memo,
}

/// The words of a part, in the memo.
struct PartWords(Arc<str>);

/// The files of words, in the memo.
pub(super) struct WordFiles(pub(super) Vec<Arc<[u8]>>);

impl SearchTables {
    pub fn of(store: &Store) -> Self {
        Self { words: store.table("words"), lists: store.table("lists"), ..Self::default() }
    }

    /// Copies the words of a part with this key to `other`.
    pub fn copy_words(&self, key: &Key, other: &Self) {
        self.words.copy(key, &other.words);
    }

    /// Returns the file for these words.
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

impl StoredSearch<'_> {
    /// Returns the words of a part, in the format of [`super::words::of`].
    pub(super) fn words(self, part: &SearchPart<'_>, make: impl FnOnce() -> String) -> Arc<str> {
        let mut key = MemoKey::default();
        key.add(Dependency::Texts, &part.key);
        let words = self.memo.get_or_make(part.address.as_str(), &key, || {
            let Ok(words) = self.tables.words.get_or_make(part.key, || Ok::<_, Infallible>(make().into()));
            PartWords(words)
        });
        words.0.clone()
    }

    /// Returns the files of words. Generates them if their words have changed.
    pub(super) fn files_of_words(self, sum: Key, make: impl FnOnce() -> WordFiles) -> Arc<WordFiles> {
        let _making = lock(&self.tables.making);
        let mut key = MemoKey::default();
        key.add(Dependency::Texts, &sum);
        self.memo.get_or_make("", &key, make)
    }
}
