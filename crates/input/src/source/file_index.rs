//! Files that an earlier run read, so that unchanged files need not be read again.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::text::{Text, TextReader};
use super::{Asset, ListedFile, Listing, Sources, Stamp};
use base::site_path::SitePath;
use base::sort::StableSort as _;

/// Files that an earlier run read, sorted by path. It includes only files whose stamps are certain to change with
/// their content: see [`Stamp::is_settled`].
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FileIndex(Vec<(SitePath, Stamp, IndexedFile)>);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum IndexedFile {
    /// The hash of a page and its size in bytes.
    Page(#[serde(with = "serde_bytes")] [u8; 32], usize),
    Asset(Asset),
}

impl FileIndex {
    /// Returns the files in `sources`, which were read after `listing`.
    pub fn of(sources: &Sources, listing: &Listing) -> Self {
        let seen = |path: &SitePath| match sources.pages.get(path) {
            Some(text) => {
                text.invalid.is_none().then(|| IndexedFile::Page(*text.hash.as_bytes(), text.size()))
            }
            None => sources.assets.get(path).cloned().map(IndexedFile::Asset),
        };
        let settled = listing.files.iter().filter(|file| file.stamp.is_settled(listing.begun));
        let known = settled.filter_map(|file| Some((file.path.clone(), file.stamp, seen(&file.path)?)));
        let mut known: Vec<_> = known.collect();
        known.stable_sort_by(|(one, ..), (other, ..)| one.cmp(other));
        Self(known)
    }

    /// Whether writing this index takes less time than reading the files again that the `known` one doesn't contain.
    pub fn is_worth_keeping(&self, known: &Self) -> bool {
        /// In the time for writing this number of entries, one file can be read again.
        const FILES: usize = 128;
        let mut earlier = known.0.iter().peekable();
        // Both are sorted.
        let is_new = |file: &&(SitePath, Stamp, IndexedFile)| {
            while earlier.next_if(|known| known.0 < file.0).is_some() {}
            earlier.next_if(|known| known.0 == file.0) != Some(*file)
        };
        self.0.iter().filter(is_new).count() > self.0.len() / FILES
    }

    pub(super) fn text(&self, file: &ListedFile, reader: &Arc<TextReader>) -> Option<Text> {
        match self.get(file)? {
            IndexedFile::Page(hash, size) => {
                Some(Text::seen(file.path.clone(), (*hash).into(), *size, reader))
            }
            IndexedFile::Asset(_) => None,
        }
    }

    pub(super) fn asset(&self, file: &ListedFile) -> Option<Asset> {
        match self.get(file)? {
            IndexedFile::Page(..) => None,
            IndexedFile::Asset(asset) => Some(asset.clone()),
        }
    }

    fn get(&self, file: &ListedFile) -> Option<&IndexedFile> {
        let at = self.0.binary_search_by(|(path, ..)| path.cmp(&file.path)).ok()?;
        let (_, stamp, seen) = &self.0[at];
        Some(seen).filter(|_| *stamp == file.stamp)
    }
}
