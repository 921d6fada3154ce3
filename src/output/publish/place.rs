//! Folders into which a site may be published, and temporary folders next to them.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use base::error::{Error, Result};

/// The output and the folders next to it, as absolute paths without links. It exists only for an output that is
/// neither a file nor overlaps with sources.
#[derive(Debug)]
pub struct OutputFolders {
    pub(super) output: PathBuf,
    /// The new site while it is written, and then the old one while it is removed. Its content isn't needed.
    pub(super) stage: PathBuf,
    /// The complete old site between two renames. See [`super::swap`].
    pub(super) kept: PathBuf,
    /// New files inside an output that can't be exchanged. See [`super::contents`].
    pub(super) inside: PathBuf,
    parent: PathBuf,
}

/// The name of [`OutputFolders::inside`]. Hidden, so that servers and listings skip it.
pub(super) const INSIDE: &str = ".stepkin-stage";

impl OutputFolders {
    /// Returns the folders of an output.
    ///
    /// # Errors
    ///
    /// When it must never become one, see [`allowed`](super::allowed).
    pub fn find(output: &Path, root: &Path, sources: &[PathBuf]) -> Result<Self> {
        let refuse = |reason: &str| {
            let output = output.display();
            Error::usage(format!(
                "cannot build into `{output}`: {reason}; choose another directory with --output"
            ))
        };
        let real = resolve(output)?;
        if resolve(root)?.starts_with(&real) {
            return Err(refuse("it contains the site's sources"));
        }
        for source in sources {
            // A dangling link contains no sources.
            if look(source)?.is_some_and(|found| found.is_symlink()) && !source.exists() {
                continue;
            }
            let real_source = resolve(source)?;
            if real_source.starts_with(&real) {
                return Err(refuse("it contains sources"));
            }
            if real.starts_with(&real_source) {
                return Err(refuse(&format!("it is in `{}`, which contains sources", source.display())));
            }
        }
        if look(&real)?.is_some_and(|found| !found.is_dir()) {
            return Err(refuse("it is a file"));
        }
        let (Some(parent), Some(name)) = (real.parent(), real.file_name()) else {
            return Err(refuse("it is the root of the file system"));
        };
        Ok(Self {
            stage: parent.join(hidden(name, "stage")),
            kept: parent.join(hidden(name, "kept")),
            inside: real.join(INSIDE),
            parent: parent.to_path_buf(),
            output: real,
        })
    }

    /// Waits until no other run publishes into the same parent folder, which is created if necessary. Dropping the
    /// file releases the lock.
    pub(super) fn lock(&self) -> Result<File> {
        fs::create_dir_all(&self.parent).map_err(Error::io("create", &self.parent))?;
        let folder = File::open(&self.parent).map_err(Error::io("open", &self.parent))?;
        // Refused by file systems without locks, such as some network mounts. The run continues, because there is
        // rarely a second one.
        let _ = rustix::io::retry_on_intr(|| flock(&folder, FlockOperation::LockExclusive));
        Ok(folder)
    }
}

/// Returns `.dist.stepkin-stage`: hidden, so that servers and listings skip it, and unique to the output's name.
fn hidden(name: &OsStr, purpose: &str) -> PathBuf {
    let mut hidden = OsStr::new(".").to_os_string();
    hidden.push(name);
    hidden.push(format!(".stepkin-{purpose}"));
    hidden.into()
}

/// Returns the absolute path without links of a file or folder that need not exist.
///
/// Names are resolved one by one, as the system does: `..` leaves the folder to which a link points. A name that
/// doesn't exist is a folder to be created, and `..` after it cancels it. A dangling link is an error, because
/// writing to it could create a file anywhere.
fn resolve(path: &Path) -> Result<PathBuf> {
    let absolute = std::path::absolute(path).map_err(Error::io("resolve", path))?;
    let mut real = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                real.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                real.push(component);
                if look(&real)?.is_some_and(|found| found.is_symlink()) {
                    real = real.canonicalize().map_err(Error::io("follow the link", &real))?;
                }
            }
        }
    }
    Ok(real)
}

/// Returns the metadata at `path` without following a link, or `None` if nothing exists.
pub(super) fn look(path: &Path) -> Result<Option<Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("look at", path)(error)),
    }
}

/// Performs an action that needs a folder, and creates the folder only if it is missing.
pub(super) fn with_parent<T>(path: &Path, action: impl Fn() -> io::Result<T>) -> io::Result<T> {
    match (action(), path.parent()) {
        (Err(error), Some(parent)) if error.kind() == ErrorKind::NotFound => {
            fs::create_dir_all(parent)?;
            action()
        }
        (result, _) => result,
    }
}
