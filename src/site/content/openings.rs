//! What files say of themselves, read once for each text.

use std::sync::{Arc, Mutex};

use serde_bytes::{ByteArray, Bytes};

use super::{Document, Opening};
use crate::base::hash::{HashMap, HashSet};
use crate::base::store::{Store, StoreWriter, lock};
use crate::input::conventions::Kind;
use crate::input::source::{Sources, Text};

/// Openings by the kind of repository and the hash of their file.
#[derive(Debug, Default)]
pub struct Openings(Mutex<HashMap<(Kind, blake3::Hash), Arc<Opening>>>);

/// The front matter of pages. Nearly every run needs nearly all, so they are one file.
const FILE: &str = "openings.last";

/// By the kind of repository and the hash of its file.
type Kept = (Kind, ByteArray<32>, Opening);

impl Openings {
    /// What a file says of itself, read if its text is new.
    pub(super) fn of(&self, text: &Text, kind: Kind, read: impl FnOnce(&Text) -> Opening) -> Arc<Opening> {
        if let Some(known) = lock(&self.0).get(&(kind, text.hash)) {
            return known.clone();
        }
        let fresh = Arc::new(read(text));
        lock(&self.0).insert((kind, text.hash), fresh.clone());
        fresh
    }

    /// Adds those of an earlier run.
    pub fn read(&self, store: &Store) {
        let kept: Vec<Kept> = store.read(FILE).unwrap_or_default();
        let kept = kept
            .into_iter()
            .map(|(kind, hash, opening)| ((kind, hash.into_array().into()), Arc::new(opening)));
        lock(&self.0).extend(kept);
    }

    /// Keeps those of `sources` for later runs.
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

    /// Forgets those of other documents, once they are many.
    pub fn hold(&self, documents: &[Arc<Document>]) {
        let mut openings = lock(&self.0);
        if openings.len() > 2 * documents.len() {
            let known: HashSet<_> = documents.iter().map(|document| document.file()).collect();
            openings.retain(|(_, hash), _| known.contains(hash));
        }
    }
}
