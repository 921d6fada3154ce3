//! Files by path, each with a record of fixed size: read and written completely, and accessed individually.

use std::marker::PhantomData;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use base::texts::Texts;

/// A record of a file with a fixed size in bytes.
pub(super) trait FileRecord: Sized + Send {
    const SIZE: usize;

    fn write(&self, bytes: &mut Vec<u8>);

    /// Returns `None` for invalid bytes.
    fn read(bytes: &[u8]) -> Option<Self>;
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FileRecords<R> {
    paths: Texts,
    #[serde(with = "serde_bytes")]
    records: Vec<u8>,
    of: PhantomData<fn() -> R>,
}

impl<R> Default for FileRecords<R> {
    fn default() -> Self {
        Self { paths: Texts::default(), records: Vec::new(), of: PhantomData }
    }
}

impl<R: FileRecord> FileRecords<R> {
    pub(super) fn len(&self) -> usize {
        self.paths.count()
    }

    pub(super) fn paths(&self) -> impl ExactSizeIterator<Item = &str> {
        self.paths.iter()
    }

    pub(super) fn get(&self, at: usize) -> Option<(&str, R)> {
        let record = self.records.get(at * R::SIZE..)?.get(..R::SIZE)?;
        Some((self.paths.get(at), R::read(record)?))
    }

    /// Returns the record of a file. They are sorted by path.
    pub(super) fn find(&self, path: &str) -> Option<R> {
        Some(self.get(self.paths.find(path)?)?.1)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, R)> {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    pub(super) fn par_iter(&self) -> impl IndexedParallelIterator<Item = Option<(&str, R)>> {
        (0..self.len()).into_par_iter().map(|at| self.get(at))
    }

    /// Returns the same files with records that `change` returns.
    #[must_use]
    pub(super) fn with(&self, change: impl Fn(usize, &str, R) -> R) -> Self {
        let changed = |(at, (path, record))| (path, change(at, path, record));
        self.iter().enumerate().map(changed).collect()
    }
}

impl<P: AsRef<str>, R: FileRecord> FromIterator<(P, R)> for FileRecords<R> {
    fn from_iter<I: IntoIterator<Item = (P, R)>>(files: I) -> Self {
        let mut all = Self::default();
        for (path, record) in files {
            all.paths.push(path.as_ref());
            record.write(&mut all.records);
        }
        all
    }
}
