//! The indexes of a site, each made once for what it is made from.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use crate::error::Result;
use crate::store::{Flush, Store, Table, Value, lock};

/// Files by name.
pub(super) type Files = BTreeMap<String, Arc<[u8]>>;

/// The files of indexes: of each the newest in memory, and those of earlier runs.
#[derive(Debug, Default)]
pub struct Indexes {
    /// By the folder of the index.
    memory: Mutex<HashMap<String, Arc<Slot>>>,
    table: Table<Arc<Files>>,
}

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
        Self { table: store.table("search"), ..Self::default() }
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
        let fresh = self.table.get_or_make(*key.as_bytes(), || make().map(Arc::new))?;
        *files = Some(fresh.clone());
        Ok(fresh)
    }

    pub fn table(&self) -> &(dyn Flush + Sync) {
        &self.table
    }
}
