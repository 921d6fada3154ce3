//! A folder of results, by the hash of their inputs. The store doesn't depend on the types of the results.
//!
//! A [`Table`] contains results of one kind, both from earlier runs and from this one. There are also single files,
//! which are read and written completely. A store without a folder is empty and discards what is added.
//!
//! Every file contains the version of the program that wrote it, and a seal. Damaged or truncated files, and files of
//! other versions, count as missing. The next run that writes removes or replaces them. The path of the folder and
//! the times of its files don't matter, so you can copy it to another machine. Files are replaced by renaming, by one
//! run at a time. A run that finds another one writing writes nothing. Two concurrent runs, or a run that is killed
//! at any moment, can therefore only cost time. It is not an error if the folder can't be created or written to.

mod entries;
mod folder;
mod table;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use self::entries::Key;
use self::folder::{Folder, Lock};
pub use self::table::{Flush, Record, Storable, Table, TableUse};
use crate::sort::StableSort as _;

/// The folder with a site's cached results, if there is one.
#[derive(Clone, Debug, Default)]
pub struct Store {
    folder: Option<Folder>,
    /// Additional folders in which tables look for results. They are read only.
    others: Vec<Folder>,
}

/// Permission to write to a store. Other runs skip writing in the meantime.
#[derive(Debug)]
pub struct StoreWriter<'a> {
    folder: &'a Folder,
    lock: Lock,
}

impl Store {
    /// Returns the store in a folder, which is created on the first write. It contains only results of one `program`,
    /// which is identified by a hash of everything from which it was compiled.
    pub fn at(folder: &Path, program: &'static str) -> Self {
        Self { folder: Some(Folder::at(folder.to_path_buf(), program)), others: Vec::new() }
    }

    /// Adds stores in which tables also look for results.
    #[must_use]
    pub fn with(self, others: impl IntoIterator<Item = Self>) -> Self {
        Self { others: others.into_iter().filter_map(|other| other.folder).collect(), ..self }
    }

    /// Returns the default folder of a site's store: `.stepkin/` in its root.
    pub fn folder_below(root: &Path) -> PathBuf {
        root.join(folder::NAME)
    }

    /// Returns the folder of the store.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_ref().map(Folder::path)
    }

    /// Whether the folder contains results of another version of the program. They are not read, and the first write
    /// removes them.
    pub fn is_of_another_program(&self) -> bool {
        self.folder.as_ref().is_some_and(Folder::is_of_another_program)
    }

    /// Whether the folder contains files and was never a store. Such a folder must not be used as a store. Files
    /// whose names are `known` are allowed.
    pub fn is_foreign(&self, known: &str) -> bool {
        self.folder.as_ref().is_some_and(|folder| folder.is_foreign(known))
    }

    /// Opens the table for one kind of result, which also names its files.
    pub fn table<V: Storable>(&self, kind: &'static str) -> Table<V> {
        Table::new(self.folder.as_ref(), &self.others, kind)
    }

    /// Whether the store has a folder.
    pub fn is_kept(&self) -> bool {
        self.folder.is_some()
    }

    /// Reads a file that [`StoreWriter::write`] wrote. Returns `None` if it is missing or damaged.
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.folder.as_ref()?.read(name)
    }

    /// Returns `None` if the folder isn't writable, or if another run is writing to it, because that run's results
    /// are equally good.
    pub fn writer(&self) -> Option<StoreWriter<'_>> {
        let folder = self.folder.as_ref()?;
        Some(StoreWriter { folder, lock: folder.lock().ok().flatten()? })
    }
}

impl StoreWriter<'_> {
    /// Writes the new results of a table. More results of the same build follow, unless it `is_last`.
    pub fn flush(&self, table: &dyn Flush, is_last: bool) {
        // A failed write only costs time.
        _ = table.flush(&self.lock, is_last);
    }

    /// Replaces a file, if possible.
    pub fn write(&self, name: &str, value: &impl Serialize) {
        // After a failed write, the next run creates the value again.
        _ = self.folder.write(&self.lock, name, value);
    }

    /// Removes the oldest files whose names begin with `start`, until at most `most` remain.
    pub fn remove_oldest(&self, start: &str, most: usize) {
        let mut files: Vec<_> = self.folder.names(start).iter().map(|name| self.folder.file(name)).collect();
        if files.len() > most {
            files.stable_sort_by_key(|file| {
                std::fs::metadata(file).and_then(|metadata| metadata.modified()).ok()
            });
            for file in &files[..files.len() - most] {
                _ = std::fs::remove_file(file);
            }
        }
    }
}

/// Locks a mutex and ignores poisoning, because a panic in another thread leaves only complete entries behind.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hashes a part with its length, so that different lists of parts have different hashes.
pub fn add(part: &(impl AsRef<[u8]> + ?Sized), hasher: &mut blake3::Hasher) {
    let bytes = part.as_ref();
    hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
}
