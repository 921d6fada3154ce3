//! Results of one kind: those of earlier runs, and what this one adds.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::entries::{Entries, Key};
use super::folder::{Folder, Lock};
use super::lock;

use crate::base::hash::HashMap;

/// What can be kept as bytes. What cannot be read back counts as missing.
pub trait Storable: Clone {
    fn to_bytes(&self) -> Option<Vec<u8>>;
    fn from_bytes(bytes: Vec<u8>) -> Option<Self>;
}

/// A value that is kept as postcard writes it.
pub trait Record: Serialize + DeserializeOwned {}

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

/// Results of one kind by their keys. One without a folder, as [`Default`] gives it, holds nothing.
#[derive(Debug)]
pub struct Table<V> {
    kept: Option<Kept<V>>,
    /// Results of earlier runs that were asked for.
    known: AtomicUsize,
    /// Results that were none of them.
    made: AtomicUsize,
}

/// How much of one kind a run has found and made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableUse {
    pub known: usize,
    pub made: usize,
}

#[derive(Debug)]
struct Kept<V> {
    folder: Folder,
    others: Vec<Folder>,
    kind: &'static str,
    /// Of earlier runs; opened when first asked for, as a build that finds nothing changed needs none.
    old: OnceLock<Old>,
    /// Made by this run.
    new: Mutex<HashMap<Key, V>>,
}

/// What is in the folders.
#[derive(Debug)]
struct Old {
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
        let kept = |folder: &Folder| Kept {
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

    /// The result that is kept, if it `holds`.
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
        // Two threads may make the same at once.
        if self.kept.as_ref().is_none_or(|kept| lock(&kept.new).insert(key, value).is_none()) {
            self.pass();
        }
    }

    /// Counts a result that is made and not worth keeping.
    pub fn pass(&self) {
        self.made.fetch_add(1, Ordering::Relaxed);
    }

    /// The result that is kept, or a new one, which is kept from now on.
    pub fn get_or_make<E>(&self, key: Key, make: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        if let Some(kept) = self.get(&key) {
            return Ok(kept);
        }
        let fresh = make()?;
        self.put(key, fresh.clone());
        Ok(fresh)
    }

    /// Puts a result into another table, if there is one.
    pub fn copy(&self, key: &Key, other: &Self) {
        if let Some(value) = self.get(key) {
            other.put(*key, value);
        }
    }
}

impl<V> Kept<V> {
    fn old(&self) -> &Old {
        let open = |folder: &Folder| Entries::open(folder, self.kind);
        self.old.get_or_init(|| Old {
            entries: open(&self.folder),
            others: self.others.iter().map(open).collect(),
        })
    }
}

impl Old {
    fn get(&self, key: &Key) -> Option<Vec<u8>> {
        self.entries.get(key).or_else(|| self.others.iter().find_map(|other| other.get(key)))
    }
}

/// A table of any kind.
pub trait Flush {
    fn tally(&self) -> TableUse;

    fn has_new(&self) -> bool;

    /// Writes what is new, and holds it no longer.
    fn flush(&self, folder: &Lock) -> io::Result<()>;
}

impl<V: Storable> Flush for Table<V> {
    fn tally(&self) -> TableUse {
        TableUse { known: self.known.load(Ordering::Relaxed), made: self.made.load(Ordering::Relaxed) }
    }

    fn has_new(&self) -> bool {
        self.kept.as_ref().is_some_and(|kept| !lock(&kept.new).is_empty())
    }

    fn flush(&self, folder: &Lock) -> io::Result<()> {
        let Some(kept) = &self.kept else { return Ok(()) };
        // One after the other: all bytes at once would be a second site in memory.
        let new = std::mem::take(&mut *lock(&kept.new));
        let bytes = new.into_iter().filter_map(|(key, value)| Some((key, value.to_bytes()?)));
        kept.old().entries.keep(folder, bytes)
    }
}
