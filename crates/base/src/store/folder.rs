//! The folder of a store, and how its files are written.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::hash::sum;

/// The default name, in the site's root.
pub(super) const NAME: &str = ".stepkin";

/// The file that contains the version of the program, as a line of text.
const PROGRAM: &str = "program";

/// Files that make git and backups skip the folder.
const MARKS: [(&str, &str); 2] = [(".gitignore", "*\n"), ("CACHEDIR.TAG", TAG)];

/// Endings of result files. Other files, such as responses of other hosts, don't depend on the program.
const RESULTS: [&str; 4] = [".index", ".data", ".last", ".new"];

/// First bytes of every result file.
const MAGIC: &[u8; 16] = b"stepkin cache\x00\x1a\n";

/// Length of a seal in bytes. It protects against damage, not against forgery, which would gain nothing.
pub(super) const SEAL: usize = 16;

/// The tag that excludes cache folders from backups: <https://bford.info/cachedir/>.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# Cached results of Stepkin.\n";

/// The folder of a store. It is created on the first write.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Identifies the program, because cached results depend on everything from which it was compiled. The modification
    /// time of the executable can't be used because it differs between machines that share a store.
    program: &'static str,
}

impl Folder {
    pub(super) fn at(path: PathBuf, program: &'static str) -> Self {
        Self { path, program }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Reads a file that [`Self::write`] wrote. Returns `None` if it is missing or damaged.
    pub(super) fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let bytes = fs::read(self.file(name)).ok()?;
        let (body, seal) = bytes.split_last_chunk::<SEAL>()?;
        let content = body.strip_prefix(MAGIC)?.strip_prefix(self.program.as_bytes())?;
        if seal_of(name.as_bytes(), body) != *seal {
            return None;
        }
        postcard::from_bytes(content).ok()
    }

    /// Replaces a file atomically: readers see the old version or the new one.
    pub(super) fn write(&self, _lock: &Lock, name: &str, value: &impl Serialize) -> io::Result<()> {
        let bytes = [MAGIC.as_slice(), self.program.as_bytes()].concat();
        let mut bytes = postcard::to_extend(value, bytes).map_err(io::Error::other)?;
        bytes.extend_from_slice(&seal_of(name.as_bytes(), &bytes));
        // A fixed name is enough, because the lock excludes other writers, and a killed run's file is overwritten.
        let new = self.file(&format!("{name}.new"));
        fs::write(&new, bytes)?;
        fs::rename(&new, self.file(name))
    }

    /// Creates the folder if necessary and locks it against other runs. Returns `None` if another run holds the lock,
    /// because its results are equally good. Results of other versions of the program are removed.
    pub(super) fn lock(&self) -> io::Result<Option<Lock>> {
        fs::create_dir_all(&self.path)?;
        for (name, text) in MARKS {
            match File::create_new(self.file(name)) {
                Ok(mut file) => file.write_all(text.as_bytes())?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        let file = File::open(&self.path)?;
        let locked = rustix::io::retry_on_intr(|| flock(&file, FlockOperation::NonBlockingLockExclusive));
        // File systems without locks return another error. Two runs may then damage each other's files, which the
        // seals detect.
        if locked == Err(rustix::io::Errno::WOULDBLOCK) {
            return Ok(None);
        }
        self.claim()?;
        Ok(Some(Lock { _file: file }))
    }

    /// Marks the folder as this version's. If the run is killed, the next one completes this.
    fn claim(&self) -> io::Result<()> {
        let file = self.file(PROGRAM);
        let owner = fs::read(&file);
        if owner.as_ref().is_ok_and(|owner| owner == self.line().as_bytes()) {
            return Ok(());
        }
        for name in self.names("").into_iter().filter(|name| is_result(name)) {
            // A folder with the name of a file stays, and counts as missing.
            _ = fs::remove_file(self.file(&name));
        }
        let new = self.file("program.new");
        fs::write(&new, self.line())?;
        fs::rename(new, file)
    }

    /// Whether the folder contains results, all of them of another version of the program.
    pub(super) fn is_of_another_program(&self) -> bool {
        match fs::read(self.file(PROGRAM)) {
            Ok(owner) => owner != self.line().as_bytes(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.names("").iter().any(|name| is_result(name))
            }
            Err(_) => false,
        }
    }

    /// Whether the folder contains files and was never a store. Stepkin doesn't write to such a folder.
    pub(super) fn is_foreign(&self, known: &str) -> bool {
        let is_marked = |(name, text): (&str, &str)| {
            fs::read(self.file(name)).is_ok_and(|found| found == text.as_bytes())
        };
        let is_ours = MARKS.into_iter().all(is_marked) || self.file(PROGRAM).exists();
        let is_folder = self.path.is_dir();
        let is_new = !is_folder && fs::symlink_metadata(&self.path).is_err();
        !is_new && !is_ours && (!is_folder || self.names("").iter().any(|name| name != known))
    }

    /// Returns the content of [`PROGRAM`].
    fn line(&self) -> String {
        format!("{}\n", self.program)
    }

    /// Returns the names of the files that begin with `start`.
    pub(super) fn names(&self, start: &str) -> Vec<String> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter(|name| name.starts_with(start)).collect()
    }
}

/// The lock of the folder, released on drop.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Returns the seal of bytes with this name.
pub(super) fn seal_of(name: &[u8], bytes: &[u8]) -> [u8; SEAL] {
    let (name, bytes) = (sum(name).to_le_bytes(), sum(bytes).to_le_bytes());
    sum([name, bytes].as_flattened()).to_le_bytes()
}

fn is_result(name: &str) -> bool {
    RESULTS.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(root: &Path, program: &'static str) -> Folder {
        Folder { path: root.join(NAME), program }
    }

    fn write(folder: &Folder, name: &str, text: &str) {
        folder.write(&folder.lock().unwrap().unwrap(), name, &text).unwrap();
    }

    #[test]
    fn the_next_run_removes_only_the_entries_of_another_version() {
        let root = tempfile::tempdir().unwrap();
        let [one, two] = ["1".repeat(64), "2".repeat(64)].map(|name| folder(root.path(), name.leak()));
        assert!(!one.is_of_another_program());
        write(&one, "a.last", "one");
        fs::write(one.file("answers.json"), "{}").unwrap();
        assert!(!one.is_of_another_program() && two.is_of_another_program());
        assert_eq!(two.read::<String>("a.last"), None);
        write(&two, "b.last", "two");
        assert!(one.is_of_another_program() && !two.is_of_another_program());
        let mut names = two.names("");
        names.sort();
        assert_eq!(names, [".gitignore", "CACHEDIR.TAG", "answers.json", "b.last", "program"]);
        // A folder without the file with the program's version belongs to no version.
        fs::remove_file(two.file(PROGRAM)).unwrap();
        assert!(two.is_of_another_program());
    }

    #[test]
    fn a_folder_with_other_files_is_not_ours() {
        let root = tempfile::tempdir().unwrap();
        let ours = folder(root.path(), "1");
        assert!(!ours.is_foreign("answers.json"));
        fs::create_dir(&ours.path).unwrap();
        fs::write(ours.file("answers.json"), "{}").unwrap();
        assert!(!ours.is_foreign("answers.json"));
        fs::write(ours.file("thesis.tex"), "mine").unwrap();
        assert!(ours.is_foreign("answers.json"));
        fs::remove_file(ours.file("thesis.tex")).unwrap();
        ours.lock().unwrap();
        fs::write(ours.file("thesis.tex"), "mine").unwrap();
        assert!(!ours.is_foreign("answers.json"));
        let file = Folder::at(ours.file("thesis.tex"), "1");
        assert!(file.is_foreign("answers.json"));
    }
}
