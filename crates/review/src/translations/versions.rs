//! Versions of one original, read once for all its translations.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::lag::changed_ids;
use base::error::Result;
use base::hash::HashMap;
use base::sorted::SortedSet;
use input::source::git::{GitObject, ObjectReader};
use site::languages::{Sketch, SketchReader};

/// A version of an original.
pub(super) struct OriginalVersion {
    pub(super) text: String,
    pub(super) sketch: Sketch,
}

/// Versions by blob ID. They are dropped after the last translation of the page, because all versions of a site need much memory.
pub(super) struct OriginalVersions<'a> {
    pub(super) reader: &'a SketchReader,
    versions: HashMap<String, Arc<OriginalVersion>>,
    /// IDs of the sections that differ between two versions.
    changed: HashMap<(String, String), Arc<SortedSet<String>>>,
}

impl<'a> OriginalVersions<'a> {
    pub(super) fn new(reader: &'a SketchReader) -> Self {
        Self { reader, versions: HashMap::default(), changed: HashMap::default() }
    }

    /// Returns a version, or `None` if git lacks it.
    pub(super) fn get(
        &mut self,
        blob: &str,
        objects: &mut ObjectReader,
    ) -> Result<Option<Arc<OriginalVersion>>> {
        if let Some(known) = self.versions.get(blob) {
            return Ok(Some(known.clone()));
        }
        let GitObject::Content { bytes, .. } = objects.read(blob)? else { return Ok(None) };
        Ok(Some(self.put(blob, &String::from_utf8_lossy(&bytes))))
    }

    /// Returns the version with this text.
    pub(super) fn put(&mut self, blob: &str, text: &str) -> Arc<OriginalVersion> {
        let reader = self.reader;
        let read = || Arc::new(OriginalVersion { text: text.to_string(), sketch: reader.read(text) });
        self.versions.entry(blob.to_string()).or_insert_with(read).clone()
    }

    /// Returns the ids of the sections that differ between two versions that were read.
    pub(super) fn changed(&mut self, before: &str, after: &str) -> Arc<SortedSet<String>> {
        let (Some(one), Some(other)) = (self.versions.get(before), self.versions.get(after)) else {
            return Arc::default();
        };
        match self.changed.entry((before.to_string(), after.to_string())) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(place) => place.insert(Arc::new(changed_ids(&one.sketch, &other.sketch))).clone(),
        }
    }
}
