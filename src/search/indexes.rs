//! The indexes of a site, each made once for what it is made from.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use serde_bytes::ByteArray;

use crate::error::Result;
use crate::store::{Flush, Record, Store, Table, Value, lock};

/// Files by name.
pub(super) type Files = BTreeMap<String, Arc<[u8]>>;

/// The files of indexes: of each the newest in memory, and those of earlier runs.
#[derive(Debug, Default)]
pub struct Indexes {
    /// By the folder of the index.
    memory: Mutex<HashMap<String, Arc<Slot>>>,
    files: Table<Arc<Files>>,
    names: Table<Arc<Names>>,
}

/// The names of an index's files, with the BLAKE3 of what they hold: enough to see that a published one is right.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Names(pub(super) Vec<(String, ByteArray<32>)>);

impl Record for Names {}

/// A place for what is made once; other threads wait for it.
#[derive(Debug)]
struct Slot {
    key: blake3::Hash,
    files: Mutex<Option<Arc<Files>>>,
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

impl Indexes {
    pub fn of(store: &Store) -> Self {
        Self { files: store.table("search"), names: store.table("search-names"), ..Self::default() }
    }

    /// The names of an index's files; of one that is known the files are not read.
    pub(super) fn names(
        &self,
        key: blake3::Hash,
        files: impl FnOnce() -> Result<Arc<Files>>,
    ) -> Result<Arc<Names>> {
        self.names.get_or_make(*key.as_bytes(), || {
            let files = files()?;
            let hash = |bytes: &[u8]| ByteArray::new(*blake3::hash(bytes).as_bytes());
            Ok(Arc::new(Names(files.iter().map(|(name, bytes)| (name.clone(), hash(bytes))).collect())))
        })
    }

    /// The files of an index, made if what it is made from is new.
    pub(super) fn files(
        &self,
        folder: &str,
        key: blake3::Hash,
        make: impl FnOnce() -> Result<Files>,
    ) -> Result<Arc<Files>> {
        let slot = {
            let mut slots = lock(&self.memory);
            match slots.get(folder) {
                Some(slot) if slot.key == key => slot.clone(),
                _ => {
                    let slot = Arc::new(Slot { key, files: Mutex::default() });
                    slots.insert(folder.to_string(), slot.clone());
                    slot
                }
            }
        };
        let mut files = lock(&slot.files);
        if let Some(files) = &*files {
            return Ok(files.clone());
        }
        let fresh = self.files.get_or_make(*key.as_bytes(), || make().map(Arc::new))?;
        *files = Some(fresh.clone());
        Ok(fresh)
    }

    pub fn tables(&self) -> [&(dyn Flush + Sync); 2] {
        [&self.files, &self.names]
    }
}
