//! Results of one kind, from earlier runs and from this one.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::entries::{Entries, Key};
use super::folder::{Folder, Lock};
use super::lock;

use crate::hash::HashMap;

/// A value that can be stored as bytes. Bytes that can't be decoded count as missing.
pub trait Storable: Clone {
    fn to_bytes(&self) -> Option<Vec<u8>>;
    fn from_bytes(bytes: Vec<u8>) -> Option<Self>;
}

/// A value that is stored in postcard's format.
pub trait Record: Serialize + DeserializeOwned {}

impl<T: Record> Record for Vec<T> {}

impl<T: Record> Storable for Arc<T> {
    fn to_bytes(&self) -> Option<Vec<u8>> {
        postcard::to_stdvec(&**self).ok()
    }

    fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        postcard::from_bytes(&bytes).ok().map(Self::new)
    }
}

impl Storable for f64 {
    fn to_bytes(&self) -> Option<Vec<u8>> {
        Some(self.to_le_bytes().to_vec())
    }

    fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        bytes.try_into().ok().map(Self::from_le_bytes)
    }
}

impl Storable for Arc<str> {
    fn to_bytes(&self) -> Option<Vec<u8>> {
        Some(self.as_bytes().to_vec())
    }

    fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        String::from_utf8(bytes).ok().map(Into::into)
    }
}

impl Storable for Arc<[u8]> {
    fn to_bytes(&self) -> Option<Vec<u8>> {
        Some(self.to_vec())
    }

    fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        Some(bytes.into())
    }
}

/// Results of one kind, by key. A table without a folder, as [`Default`] creates it, is empty and discards what is
/// added.
#[derive(Debug)]
pub struct Table<V> {
    kept: Option<StoredTable<V>>,
    /// Number of results of earlier runs that were used.
    known: AtomicUsize,
    /// Number of results that were created.
    made: AtomicUsize,
}

/// How many results of one kind a run has reused and created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableUse {
    pub known: usize,
    pub made: usize,
}

#[derive(Debug)]
struct StoredTable<V> {
    folder: Folder,
    others: Vec<Folder>,
    kind: &'static str,
    /// Results of earlier runs. Opened on first use, because a build without changes doesn't need them.
    old: OnceLock<EarlierEntries>,
    /// Results of this run.
    new: Mutex<HashMap<Key, V>>,
}

/// The entries in all folders.
#[derive(Debug)]
struct EarlierEntries {
    entries: Entries,
    others: Vec<Entries>,
}

impl<V> Default for Table<V> {
    fn default() -> Self {
        Self { kept: None, known: AtomicUsize::new(0), made: AtomicUsize::new(0) }
    }
}

impl<V: Storable> Table<V> {
    pub(super) fn new(folder: Option<&Folder>, others: &[Folder], kind: &'static str) -> Self {
        let kept = |folder: &Folder| StoredTable {
            folder: folder.clone(),
            others: others.to_vec(),
            kind,
            old: OnceLock::new(),
            new: Mutex::default(),
        };
        Self { kept: folder.map(kept), ..Self::default() }
    }

    pub fn get(&self, key: &Key) -> Option<V> {
        self.get_if(key, |_| true)
    }

    /// Returns the stored result if it satisfies `holds`.
    pub fn get_if(&self, key: &Key, holds: impl Fn(&V) -> bool) -> Option<V> {
        let kept = self.kept.as_ref()?;
        let new = lock(&kept.new).get(key).cloned();
        if new.is_some() {
            return new.filter(holds);
        }
        let old = kept.old().get(key).and_then(V::from_bytes).filter(holds)?;
        self.known.fetch_add(1, Ordering::Relaxed);
        Some(old)
    }

    pub fn put(&self, key: Key, value: V) {
        // Two threads may create the same result at once.
        if self.kept.as_ref().is_none_or(|kept| lock(&kept.new).insert(key, value).is_none()) {
            self.pass();
        }
    }

    /// Counts a result that is created but not worth storing.
    pub fn pass(&self) {
        self.made.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the stored result, or creates and stores it.
    pub fn get_or_make<E>(&self, key: Key, make: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        if let Some(kept) = self.get(&key) {
            return Ok(kept);
        }
        let fresh = make()?;
        self.put(key, fresh.clone());
        Ok(fresh)
    }

    /// Copies a result into another table, if it exists.
    pub fn copy(&self, key: &Key, other: &Self) {
        if let Some(value) = self.get(key) {
            other.put(*key, value);
        }
    }
}

impl<V> StoredTable<V> {
    fn old(&self) -> &EarlierEntries {
        let open = |folder: &Folder| Entries::open(folder, self.kind);
        self.old.get_or_init(|| EarlierEntries {
            entries: open(&self.folder),
            others: self.others.iter().map(open).collect(),
        })
    }
}

impl EarlierEntries {
    fn get(&self, key: &Key) -> Option<Vec<u8>> {
        self.entries.get(key).or_else(|| self.others.iter().find_map(|other| other.get(key)))
    }
}

/// A table of any type.
pub trait Flush {
    fn tally(&self) -> TableUse;

    fn has_new(&self) -> bool;

    /// Writes the new results and removes them from memory. More results of the same build follow, unless it `is_last`.
    fn flush(&self, folder: &Lock, is_last: bool) -> io::Result<()>;
}

impl<V: Storable> Flush for Table<V> {
    fn tally(&self) -> TableUse {
        TableUse { known: self.known.load(Ordering::Relaxed), made: self.made.load(Ordering::Relaxed) }
    }

    fn has_new(&self) -> bool {
        self.kept.as_ref().is_some_and(|kept| !lock(&kept.new).is_empty())
    }

    fn flush(&self, folder: &Lock, is_last: bool) -> io::Result<()> {
        let Some(kept) = &self.kept else { return Ok(()) };
        // One at a time, because the bytes of all results together would take as much memory as the site.
        let new = std::mem::take(&mut *lock(&kept.new));
        let bytes = new.into_iter().filter_map(|(key, value)| Some((key, value.to_bytes()?)));
        kept.old().entries.keep(folder, bytes, is_last)
    }
}
