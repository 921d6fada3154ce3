//! The openings of files, cached by text.

use std::sync::{Arc, Mutex};

use serde_bytes::{ByteArray, Bytes};

use super::{Document, Opening};
use base::hash::{HashMap, HashSet};
use base::store::{Store, StoreWriter, lock};
use input::conventions::Kind;
use input::source::{Sources, Text};

/// Openings by the kind of repository and the hash of their file.
#[derive(Debug, Default)]
pub struct Openings(Mutex<HashMap<(Kind, blake3::Hash), Arc<Opening>>>);

/// The front matter of pages. It is a single file because nearly every run needs nearly all of it.
const FILE: &str = "openings.last";

/// An opening with the kind of repository and the hash of its file.
type StoredOpening = (Kind, ByteArray<32>, Opening);

impl Openings {
    /// Returns a file's opening, and parses it if its text is new.
    pub(super) fn of(&self, text: &Text, kind: Kind, read: impl FnOnce(&Text) -> Opening) -> Arc<Opening> {
        if let Some(known) = lock(&self.0).get(&(kind, text.hash)) {
            return known.clone();
        }
        let fresh = Arc::new(read(text));
        lock(&self.0).insert((kind, text.hash), fresh.clone());
        fresh
    }

    /// Adds the openings of an earlier run.
    pub fn read(&self, store: &Store) {
        let kept: Vec<StoredOpening> = store.read(FILE).unwrap_or_default();
        let kept = kept
            .into_iter()
            .map(|(kind, hash, opening)| ((kind, hash.into_array().into()), Arc::new(opening)));
        lock(&self.0).extend(kept);
    }

    /// Stores the openings of `sources` for later runs.
    pub fn write(&self, writer: &StoreWriter<'_>, sources: &Sources) {
        let openings = lock(&self.0);
        let hashes: HashSet<_> = sources.pages.values().map(|text| text.hash).collect();
        let kind = sources.repository.kind();
        let openings: Vec<(Kind, &Bytes, &Opening)> = hashes
            .iter()
            .filter_map(|hash| Some((kind, Bytes::new(hash.as_bytes()), &**openings.get(&(kind, *hash))?)))
            .collect();
        writer.write(FILE, &openings);
    }

    /// Drops the openings of other documents when there are too many.
    pub fn hold(&self, documents: &[Arc<Document>]) {
        let mut openings = lock(&self.0);
        if openings.len() > 2 * documents.len() {
            let known: HashSet<_> = documents.iter().map(|document| document.file()).collect();
            openings.retain(|(_, hash), _| known.contains(hash));
        }
    }
}
