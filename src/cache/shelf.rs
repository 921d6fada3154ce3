//! Results of one kind: those of earlier runs, and what this one adds.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, OnceLock};

use super::folder::{Folder, Lock};
use super::store::{Key, Store};
use super::{Files, lock};
use crate::check::Checked;
use crate::markdown::Page;

/// What can be kept as bytes. What cannot be read back is as if it were not there.
pub(super) trait Value: Clone {
    fn to_bytes(&self) -> Option<Vec<u8>>;
    fn from_bytes(bytes: Vec<u8>) -> Option<Self>;
}

#[derive(Debug)]
pub(super) struct Shelf<T> {
    folder: Folder,
    kind: &'static str,
    /// Of earlier runs; opened when first asked for, as a build that finds nothing changed needs none.
    store: OnceLock<Store>,
    /// Made by this run.
    new: Mutex<HashMap<Key, T>>,
}

impl<T: Value> Shelf<T> {
    pub(super) fn new(folder: &Folder, kind: &'static str) -> Self {
        Self { folder: folder.clone(), kind, store: OnceLock::new(), new: Mutex::default() }
    }

    fn store(&self) -> &Store {
        self.store.get_or_init(|| Store::open(&self.folder, self.kind))
    }

    pub(super) fn get(&self, key: &Key) -> Option<T> {
        let new = lock(&self.new).get(key).cloned();
        new.or_else(|| self.store().get(key).and_then(T::from_bytes))
    }

    pub(super) fn put(&self, key: Key, value: T) {
        lock(&self.new).insert(key, value);
    }

    pub(super) fn get_or_make<E>(&self, key: Key, make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        if let Some(kept) = self.get(&key) {
            return Ok(kept);
        }
        let fresh = make()?;
        self.put(key, fresh.clone());
        Ok(fresh)
    }
}

/// A shelf of any kind.
pub(super) trait Keep {
    fn has_new(&self) -> bool;

    /// Writes what is new.
    fn keep(&self, folder: &Lock) -> io::Result<()>;
}

impl<T: Value> Keep for Shelf<T> {
    fn has_new(&self) -> bool {
        !lock(&self.new).is_empty()
    }

    fn keep(&self, folder: &Lock) -> io::Result<()> {
        // One after the other: all bytes at once would be a second site in memory.
        let new = std::mem::take(&mut *lock(&self.new));
        let bytes = new.into_iter().filter_map(|(key, value)| Some((key, value.to_bytes()?)));
        self.store().keep(folder, bytes)
    }
}

impl Value for Arc<Page> {
    fn to_bytes(&self) -> Option<Vec<u8>> {
        postcard::to_stdvec(&**self).ok()
    }

    fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        postcard::from_bytes(&bytes).ok().map(Self::new)
    }
}

impl Value for Arc<Checked> {
    fn to_bytes(&self) -> Option<Vec<u8>> {
        postcard::to_stdvec(&**self).ok()
    }

    fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        postcard::from_bytes(&bytes).ok().map(Self::new)
    }
}

impl Value for f64 {
    fn to_bytes(&self) -> Option<Vec<u8>> {
        Some(self.to_le_bytes().to_vec())
    }

    fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        bytes.try_into().ok().map(Self::from_le_bytes)
    }
}

impl Value for Arc<str> {
    fn to_bytes(&self) -> Option<Vec<u8>> {
        Some(self.as_bytes().to_vec())
    }

    fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        String::from_utf8(bytes).ok().map(Into::into)
    }
}

impl Value for Arc<Files> {
    fn to_bytes(&self) -> Option<Vec<u8>> {
        let files: Vec<(&str, &[u8])> = self.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
        postcard::to_stdvec(&files).ok()
    }

    fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        let files: Vec<(String, &[u8])> = postcard::from_bytes(&bytes).ok()?;
        Some(Self::new(files.into_iter().map(|(name, bytes)| (name, bytes.into())).collect()))
    }
}
