//! A folder of results by the hash of what they are made from. It knows none of their types.
//!
//! [`Table`] holds results of one kind: those of earlier runs, and what this one adds. Beside tables there are
//! files that are read and written as a whole. A store without a folder holds nothing and keeps nothing.
//!
//! Every file names the program that wrote it and carries a seal. What is damaged, cut short or written by
//! another program counts as missing, and is removed or replaced by the next run that writes. Nothing depends on where
//! the folder is or on the times of its files, so it can be copied to another machine. Files are replaced by
//! renames, by one run at a time; a run that finds another one writing writes nothing. So neither two runs at once
//! nor a kill at any moment can spoil more than time. A folder that cannot be made or written is no failure.

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

/// The folder that a site's results are kept in, if there is one.
#[derive(Clone, Debug, Default)]
pub struct Store {
    folder: Option<Folder>,
    /// Where tables find what is not in it. Nothing is written there.
    others: Vec<Folder>,
}

/// The right to write to a store; others wait for their next run.
#[derive(Debug)]
pub struct StoreWriter<'a> {
    folder: &'a Folder,
    lock: Lock,
}

impl Store {
    /// The store in a folder, which need not exist before something is written.
    pub fn at(folder: &Path) -> Self {
        Self { folder: Some(Folder::at(folder.to_path_buf())), others: Vec::new() }
    }

    /// The same store, whose tables find what `others` hold, too.
    #[must_use]
    pub fn with(self, others: impl IntoIterator<Item = Self>) -> Self {
        Self { others: others.into_iter().filter_map(|other| other.folder).collect(), ..self }
    }

    /// Where the store of a site is, if nobody says another place: `.stepkin/` below its root.
    pub fn folder_below(root: &Path) -> PathBuf {
        root.join(folder::NAME)
    }

    /// Where it is.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_ref().map(Folder::path)
    }

    /// Whether its folder holds what another program kept. Nothing of that is read, and the first write removes it.
    pub fn is_of_another_program(&self) -> bool {
        self.folder.as_ref().is_some_and(Folder::is_of_another_program)
    }

    /// Whether its folder holds files of others, and was never a store: it must not become one. Files that are `known`
    /// by name may be there.
    pub fn is_foreign(&self, known: &str) -> bool {
        self.folder.as_ref().is_some_and(|folder| folder.is_foreign(known))
    }

    /// The results of one kind; its name is that of its files.
    pub fn table<V: Storable>(&self, kind: &'static str) -> Table<V> {
        Table::new(self.folder.as_ref(), &self.others, kind)
    }

    /// Whether anything can be kept.
    pub fn is_kept(&self) -> bool {
        self.folder.is_some()
    }

    /// Reads what [`StoreWriter::write`] wrote. `None` when there is nothing, or anything but that.
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.folder.as_ref()?.read(name)
    }

    /// `None` where nothing can be written, or another run writes just now: what it keeps is as good.
    pub fn writer(&self) -> Option<StoreWriter<'_>> {
        let folder = self.folder.as_ref()?;
        Some(StoreWriter { folder, lock: folder.lock().ok().flatten()? })
    }
}

impl StoreWriter<'_> {
    /// Writes what is new in a table.
    pub fn flush(&self, table: &dyn Flush) {
        // What cannot be written costs time, and nothing else.
        _ = table.flush(&self.lock);
    }

    /// Replaces a file, if that is possible.
    pub fn write(&self, name: &str, value: &impl Serialize) {
        // What cannot be written is made again by the next run.
        _ = self.folder.write(&self.lock, name, value);
    }

    /// Removes the oldest of the files whose names begin with `start`, so that no more than `most` are left.
    pub fn remove_oldest(&self, start: &str, most: usize) {
        let mut files: Vec<_> = self.folder.names(start).iter().map(|name| self.folder.file(name)).collect();
        if files.len() > most {
            files.sort_by_key(|file| std::fs::metadata(file).and_then(|metadata| metadata.modified()).ok());
            for file in &files[..files.len() - most] {
                _ = std::fs::remove_file(file);
            }
        }
    }
}

/// A panic elsewhere leaves whole entries behind, so what is held is still true.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a part to what is hashed, with its length, so that no two lists of parts have the same bytes.
pub(crate) fn add(part: &(impl AsRef<[u8]> + ?Sized), hasher: &mut blake3::Hasher) {
    let bytes = part.as_ref();
    hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
}
