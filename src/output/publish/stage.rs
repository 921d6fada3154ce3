//! The new site while it is written.

use std::fs::{self, File};
use std::io::{self, BufRead, ErrorKind, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

use rayon::prelude::*;
use rustix::fs::{Mode, OFlags, mkdirat};
use rustix::io::Errno;

use super::manifest::{self, Fingerprint, Manifest};
use super::place::{OutputFolders, look, with_parent};
use super::previous::UnmanagedFile;
use super::swap::{self, Exchange};
use super::{contents, interrupt, open};
use base::error::{Error, Result};
use base::hash::HashSet;
use base::site_path::{self, on_disk};
use base::store::lock;
use base::timings::{Stage, part};
use site::plan::Content;

/// A folder next to the output. It is created for the first file, so that a run without changes leaves no trace, and
/// it is removed when this value is dropped: after a failure, after a panic, and at the end.
#[derive(Debug)]
pub(super) struct StageFolder<'a> {
    place: &'a OutputFolders,
    made: OnceLock<Folder<'a>>,
    making: Mutex<()>,
    _busy: interrupt::Busy,
}

/// A folder in which files are created by its handle, and the subfolders that were created so far.
#[derive(Debug)]
struct Folder<'a> {
    path: &'a Path,
    handle: OwnedFd,
    /// Without a final slash.
    made: Mutex<HashSet<Box<str>>>,
}

impl<'a> StageFolder<'a> {
    pub(super) fn new(place: &'a OutputFolders) -> Self {
        Self { place, made: OnceLock::new(), making: Mutex::default(), _busy: interrupt::Busy::begin() }
    }

    pub(super) fn place(&self) -> &'a OutputFolders {
        self.place
    }

    /// Returns the fingerprint of the written content.
    pub(super) fn write(&self, path: &str, content: &Content) -> Result<Fingerprint> {
        let folder = self.folder()?;
        let failed = |error| Error::io("write", &folder.path.join(path))(error);
        match content {
            Content::Bytes(bytes) => {
                folder.create(path).and_then(|mut file| file.write_all(bytes)).map_err(failed)?;
                Ok(Fingerprint::of(bytes))
            }
            Content::File(source) => {
                let (file, _) = open(source)?;
                let mut new = folder.create(path).map_err(failed)?;
                // Not `fs::copy`, because a source that only its author can read is published for everyone.
                copy(file, &mut new).map_err(Error::io("copy", source))
            }
        }
    }

    /// `paths` are sorted.
    pub(super) fn link_unchanged(&self, paths: &[&str]) -> Result<()> {
        let folder = self.folder()?;
        paths.par_chunk_by(|one, other| site_path::parent(one) == site_path::parent(other)).try_for_each(
            |paths| {
                let _part = part(Stage::Write);
                let new = site_path::parent(paths[0]);
                folder.make(new).map_err(|error| Error::io("create", &folder.path.join(new))(error))?;
                let link = |path: &&str| {
                    link_or_copy(&on_disk(&self.place.output, path), &on_disk(folder.path, path))
                };
                paths.iter().try_for_each(link)
            },
        )
    }

    /// Carries over the files that other programs added to the output. `foreign` lists a folder before its content.
    pub(super) fn take_along<'f>(
        &self,
        foreign: impl DoubleEndedIterator<Item = &'f UnmanagedFile> + Clone,
    ) -> Result<()> {
        let folder = self.folder()?.path;
        for UnmanagedFile { path, kind } in foreign.clone() {
            let (old, new) = (self.place.output.join(path), folder.join(path));
            if kind.is_dir() {
                fs::create_dir_all(&new).map_err(Error::io("create", &new))?;
            } else if kind.is_symlink() {
                let target = fs::read_link(&old).map_err(Error::io("read", &old))?;
                with_parent(&new, || symlink(&target, &new)).map_err(Error::io("create", &new))?;
            } else {
                link_or_copy(&old, &new)?;
            }
        }
        // Last, and from the inside out, because a folder may be read-only.
        for UnmanagedFile { path, .. } in foreign.rev().filter(|foreign| foreign.kind.is_dir()) {
            keep_permissions(&self.place.output.join(path), &folder.join(path))?;
        }
        Ok(())
    }

    /// Moves a folder of the stage to the output and removes the old one, and then moves the files outside it in
    /// `alone`. Returns `false` if that isn't possible in one step, in which case readers have seen no change.
    ///
    /// In the meantime, the output has the manifest `both`, which lists the old and the new files, without properties
    /// that may be wrong. Whenever the run is killed, the output lists our files.
    pub(super) fn put_folder_in_place(
        &self,
        below: &str,
        alone: &[&str],
        (both, manifest): (&Manifest<'_>, &Manifest<'_>),
        exchange: Exchange,
    ) -> Result<bool> {
        let (new, old) = (self.folder()?.path.join(below), self.place.output.join(below));
        // If something is in the way, exchanging the complete output also fails and reports it.
        if !look(&old)?.is_some_and(|found| found.is_dir()) {
            return Ok(false);
        }
        if !self.replace_manifest(both)? {
            return Ok(false);
        }
        let is_done = exchange(&new, &old).is_ok();
        if is_done {
            for path in alone {
                swap::rename(&self.folder()?.path.join(path), &self.place.output.join(path))?;
            }
            self.replace_manifest(manifest)?;
        }
        Ok(is_done)
    }

    /// Replaces the manifest in the output in one step. Returns `false` if the output is a mount point.
    pub(super) fn replace_manifest(&self, manifest: &Manifest<'_>) -> Result<bool> {
        let new = self.folder()?.path.join(format!("{}.new", manifest::NAME));
        manifest.write(&new)?;
        match swap::rename(&new, &self.place.output.join(manifest::NAME)) {
            Err(Error::Io { source, .. }) if contents::is_immovable(&source) => Ok(false),
            renamed => renamed.map(|()| true),
        }
    }

    /// Moves the stage to the output, and removes the old output. Returns `false` if the output is a mount point,
    /// which can't be moved or replaced. Both are unchanged in this case.
    pub(super) fn put_in_place(
        &self,
        manifest: &Manifest<'_>,
        replaces: bool,
        exchange: Exchange,
    ) -> Result<bool> {
        let folder = self.folder()?.path;
        manifest.write(&folder.join(manifest::NAME))?;
        keep_permissions(&self.place.output, folder)?;
        let put = if replaces {
            swap::replace(self.place, exchange)
        } else {
            swap::rename(&self.place.stage, &self.place.output)
        };
        match put {
            Err(Error::Io { source, .. }) if contents::is_immovable(&source) => Ok(false),
            Err(error) => Err(error),
            Ok(()) if replaces => swap::discard(&self.place.stage).map(|()| true),
            Ok(()) => Ok(true),
        }
    }

    fn folder(&self) -> Result<&Folder<'a>> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        let _making = lock(&self.making);
        match self.made.get() {
            Some(made) => Ok(made),
            None => Folder::begin(&self.place.stage).map(|made| self.made.get_or_init(|| made)),
        }
    }
}

impl<'a> Folder<'a> {
    fn begin(path: &'a Path) -> Result<Self> {
        fs::create_dir(path).map_err(Error::io("create", path))?;
        let begun = Self::open(path).map_err(Error::io("open", path)).and_then(|folder| {
            // Written first, because by its manifest the next run recognizes the folder as ours and removes it.
            Manifest::default().write(&path.join(manifest::NAME))?;
            Ok(folder)
        });
        begun.inspect_err(|_| _ = swap::discard(path))
    }

    fn open(path: &'a Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self { path, handle: rustix::fs::open(path, flags, Mode::empty())?, made: Mutex::default() })
    }

    /// Creates a folder and its parents, each once. `folder` has no final slash.
    fn make(&self, folder: &str) -> io::Result<()> {
        let mut made = lock(&self.made);
        if folder.is_empty() || made.contains(folder) {
            return Ok(());
        }
        for end in folder.match_indices('/').map(|(end, _)| end).chain([folder.len()]) {
            let folder = &folder[..end];
            if !made.contains(folder) {
                match mkdirat(&self.handle, folder, Mode::from_raw_mode(0o777)) {
                    // Another program's folder in the old output may have been carried over.
                    Ok(()) | Err(Errno::EXIST) => _ = made.insert(folder.into()),
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    /// Creates a new file and its folders.
    fn create(&self, path: &str) -> io::Result<File> {
        self.make(site_path::parent(path))?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let open = || rustix::fs::openat(&self.handle, path, flags, Mode::from_raw_mode(0o666));
        Ok(rustix::io::retry_on_intr(open)?.into())
    }
}

impl Drop for StageFolder<'_> {
    fn drop(&mut self) {
        if self.made.get().is_some() {
            // The run has ended, successfully or with a more important error. The next run removes the rest.
            let _ = swap::discard(&self.place.stage);
        }
    }
}

/// Copies a file, and returns its fingerprint.
fn copy(mut from: impl BufRead, to: &mut File) -> io::Result<Fingerprint> {
    let (mut hasher, mut size) = (blake3::Hasher::new(), 0);
    loop {
        let block = from.fill_buf()?;
        let length = block.len();
        if length == 0 {
            return Ok(Fingerprint { size, hash: *hasher.finalize().as_bytes() });
        }
        to.write_all(block)?;
        hasher.update(block);
        size += length as u64;
        from.consume(length);
    }
}

/// Hard-links a file of the old output, or copies it if the file system doesn't support links.
fn link_or_copy(old: &Path, new: &Path) -> Result<()> {
    let linked = with_parent(new, || match fs::hard_link(old, new) {
        Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) => {
            fs::copy(old, new).map(drop)
        }
        linked => linked,
    });
    linked.map_err(Error::io("keep", old))
}

fn keep_permissions(old: &Path, new: &Path) -> Result<()> {
    match look(old)? {
        Some(found) => {
            fs::set_permissions(new, found.permissions()).map_err(Error::io("set permissions of", new))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hard links between file systems aren't possible. If there is only one file system, this tests nothing.
    #[test]
    fn files_that_cannot_be_linked_are_copied() {
        let Ok(memory) = tempfile::tempdir_in("/dev/shm") else { return };
        let disk = tempfile::tempdir().unwrap();
        let (old, new) = (disk.path().join("old"), memory.path().join("folder/new"));
        fs::write(&old, "text").unwrap();
        link_or_copy(&old, &new).unwrap();
        assert_eq!(fs::read_to_string(new).unwrap(), "text");
    }
}
