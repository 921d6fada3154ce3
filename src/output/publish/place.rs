//! Where a site may be published, and what lies beside it.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use crate::base::error::{Error, Result};

/// The output and its neighbours, as absolute paths without links. It exists only for an output that is
/// neither a file nor anywhere near a source.
#[derive(Debug)]
pub struct OutputFolders {
    pub(super) output: PathBuf,
    /// The new site while it is made, afterwards the old one while it is removed. Nothing in it is needed.
    pub(super) stage: PathBuf,
    /// The old site, whole, in the moment between two renames. See [`super::swap`].
    pub(super) kept: PathBuf,
    /// New files, within an output that cannot be exchanged. See [`super::contents`].
    pub(super) inside: PathBuf,
    parent: PathBuf,
}

/// The name of [`OutputFolders::inside`]. Hidden, so that servers and listings skip it.
pub(super) const INSIDE: &str = ".stepkin-stage";

impl OutputFolders {
    /// The folders of an output.
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
            // A link to nothing holds no sources.
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

    /// Waits until no other run publishes below the same parent folder, which is made when it is missing.
    /// Dropping the file ends the lock.
    pub(super) fn lock(&self) -> Result<File> {
        fs::create_dir_all(&self.parent).map_err(Error::io("create", &self.parent))?;
        let folder = File::open(&self.parent).map_err(Error::io("open", &self.parent))?;
        // Refused by file systems that know no locks, such as some network mounts. The run goes on without:
        // most never meet a second one.
        let _ = rustix::io::retry_on_intr(|| flock(&folder, FlockOperation::LockExclusive));
        Ok(folder)
    }
}

/// `.dist.stepkin-stage`: hidden, so that servers and listings skip it, and told apart by the output's name.
fn hidden(name: &OsStr, purpose: &str) -> PathBuf {
    let mut hidden = OsStr::new(".").to_os_string();
    hidden.push(name);
    hidden.push(format!(".stepkin-{purpose}"));
    hidden.into()
}

/// The absolute path, without links, of something that need not exist.
///
/// Names are followed one by one, as the system does it: `..` leads out of the folder that a link points to.
/// A name that does not exist stands for a folder to be made, and `..` after it takes it back. A link to
/// nothing is an error, because writing to it could make a file anywhere.
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

/// What is at `path`, a link being a link; `None` when there is nothing.
pub(super) fn look(path: &Path) -> Result<Option<Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("look at", path)(error)),
    }
}

/// Does what needs a folder, and makes the folder only when it turns out to be missing.
pub(super) fn with_parent<T>(path: &Path, action: impl Fn() -> io::Result<T>) -> io::Result<T> {
    match (action(), path.parent()) {
        (Err(error), Some(parent)) if error.kind() == ErrorKind::NotFound => {
            fs::create_dir_all(parent)?;
            action()
        }
        (result, _) => result,
    }
}
