//! The folder `.stepkin` below a site's root, and how files get into it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rustix::fs::{FlockOperation, flock};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Below the site's root.
pub(super) const NAME: &str = ".stepkin";

/// Raised when the files are laid out in another way.
const FORMAT: u32 = 1;

/// What every file begins with; a file of another program does not.
const MAGIC: &[u8; 16] = b"stepkin cache\x00\x1a\n";

/// Bytes of BLAKE3 that guard a file or an entry: enough against damage, and nobody gains from forging one.
pub const SEAL: usize = 16;

/// What keeps a folder of rubbish out of backups: <https://bford.info/cachedir/>.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# What stepkin can make again.\n";

/// The cache folder of a site. It need not exist before something is written.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Everything outside of the content that a kept result depends on.
    program: [u8; 32],
}

impl Folder {
    pub(super) fn of(root: &Path) -> Self {
        Self { path: root.join(NAME), program: program() }
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Reads what [`Self::write`] wrote. `None` when there is nothing, or anything but that.
    pub(super) fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let bytes = fs::read(self.file(name)).ok()?;
        let (body, seal) = bytes.split_last_chunk::<SEAL>()?;
        let content = body.strip_prefix(MAGIC)?.strip_prefix(&self.program)?;
        if seal_of(&[name.as_bytes(), body]) != *seal {
            return None;
        }
        postcard::from_bytes(content).ok()
    }

    /// Replaces a file in one step: whoever reads it meets the old one or the new one.
    pub(super) fn write(&self, _lock: &Lock, name: &str, value: &impl Serialize) -> io::Result<()> {
        let content = postcard::to_stdvec(value).map_err(io::Error::other)?;
        let seal = seal_of(&[name.as_bytes(), MAGIC, &self.program, &content]);
        // One name is enough: the lock keeps others from writing, and a killed run's rest is written over.
        let new = self.file(&format!("{name}.new"));
        let mut file = File::create(&new)?;
        for part in [MAGIC.as_slice(), &self.program, &content, &seal] {
            file.write_all(part)?;
        }
        drop(file);
        fs::rename(&new, self.file(name))
    }

    /// Makes the folder if it is missing, and keeps other runs from writing to it. `None` when another one does
    /// just now: what it keeps is as good.
    pub(super) fn lock(&self) -> io::Result<Option<Lock>> {
        fs::create_dir_all(&self.path)?;
        for (name, text) in [(".gitignore", "*\n"), ("CACHEDIR.TAG", TAG)] {
            match File::create_new(self.file(name)) {
                Ok(mut file) => file.write_all(text.as_bytes())?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        let file = File::open(&self.path)?;
        let locked = rustix::io::retry_on_intr(|| flock(&file, FlockOperation::NonBlockingLockExclusive));
        // A file system without locks gives another error. Then two runs may spoil each other's files, and the
        // seals tell.
        Ok((locked != Err(rustix::io::Errno::WOULDBLOCK)).then_some(Lock { _file: file }))
    }

    /// The names of the folder's files that begin with `start`.
    pub(super) fn names(&self, start: &str) -> Vec<String> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter(|name| name.starts_with(start)).collect()
    }
}

/// Dropping it lets others write again.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

pub fn seal_of(parts: &[&[u8]]) -> [u8; SEAL] {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    *hasher.finalize().as_bytes().first_chunk().expect("a hash is longer")
}

/// The program and how it keeps things. The version alone would not do while the program is being changed, so
/// size and time of its file count as well.
fn program() -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&FORMAT.to_le_bytes());
    hasher.update(env!("STEPKIN_VERSION").as_bytes());
    if let Ok(metadata) = std::env::current_exe().and_then(fs::metadata) {
        hasher.update(&metadata.len().to_le_bytes());
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        hasher.update(&modified.map_or(0, |since| since.as_nanos()).to_le_bytes());
    }
    *hasher.finalize().as_bytes()
}
