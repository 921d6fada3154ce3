//! The folder of a store, and how files get into it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::hash::sum;

/// Below the site's root, where no other place is named.
pub(super) const NAME: &str = ".stepkin";

/// Says which program the folder is of, as a line of text.
const PROGRAM: &str = "program";

/// What git leaves alone, and what backups do.
const MARKS: [(&str, &str); 2] = [(".gitignore", "*\n"), ("CACHEDIR.TAG", TAG)];

/// How the names of files end that hold results. Others, such as answers of other hosts, are not the program's work.
const RESULTS: [&str; 4] = [".index", ".data", ".last", ".new"];

/// What every file begins with; a file of another program does not.
const MAGIC: &[u8; 16] = b"stepkin cache\x00\x1a\n";

/// Bytes of the sum that guards a file or an entry: enough against damage, and nobody gains from forging one.
pub(super) const SEAL: usize = 16;

/// What keeps a folder of rubbish out of backups: <https://bford.info/cachedir/>.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# What stepkin can make again.\n";

/// The folder of a store. It need not exist before something is written.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// The program, by a hash of everything that it was compiled from, in hexadecimal digits: a kept result depends
    /// on it and on the content. The time of its file says nothing, as machines that share a store differ in it.
    program: &'static str,
}

impl Folder {
    pub(super) fn at(path: PathBuf) -> Self {
        Self { path, program: env!("STEPKIN_BUILD") }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Reads what [`Self::write`] wrote. `None` when there is nothing, or anything but that.
    pub(super) fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let bytes = fs::read(self.file(name)).ok()?;
        let (body, seal) = bytes.split_last_chunk::<SEAL>()?;
        let content = body.strip_prefix(MAGIC)?.strip_prefix(self.program.as_bytes())?;
        if seal_of(name.as_bytes(), body) != *seal {
            return None;
        }
        postcard::from_bytes(content).ok()
    }

    /// Replaces a file in one step: a reader finds the old one or the new one.
    pub(super) fn write(&self, _lock: &Lock, name: &str, value: &impl Serialize) -> io::Result<()> {
        let bytes = [MAGIC.as_slice(), self.program.as_bytes()].concat();
        let mut bytes = postcard::to_extend(value, bytes).map_err(io::Error::other)?;
        bytes.extend_from_slice(&seal_of(name.as_bytes(), &bytes));
        // One name is enough: the lock keeps others from writing, and a killed run's rest is written over.
        let new = self.file(&format!("{name}.new"));
        fs::write(&new, bytes)?;
        fs::rename(&new, self.file(name))
    }

    /// Makes the folder if it is missing, and keeps other runs from writing to it. `None` when another one does
    /// just now: what it keeps is as good. What another program kept is removed.
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
        // A file system without locks gives another error. Then two runs may spoil each other's files, and the
        // seals tell.
        if locked == Err(rustix::io::Errno::WOULDBLOCK) {
            return Ok(None);
        }
        self.claim()?;
        Ok(Some(Lock { _file: file }))
    }

    /// Makes the folder that of this program. Should the run be killed, the next one does the rest.
    fn claim(&self) -> io::Result<()> {
        let file = self.file(PROGRAM);
        let owner = fs::read(&file);
        if owner.as_ref().is_ok_and(|owner| owner == self.line().as_bytes()) {
            return Ok(());
        }
        for name in self.names("").into_iter().filter(|name| is_result(name)) {
            // A folder in the place of a file stays, and counts as missing.
            _ = fs::remove_file(self.file(&name));
        }
        let new = self.file("program.new");
        fs::write(&new, self.line())?;
        fs::rename(new, file)
    }

    /// Whether it holds results, and all of them are another program's.
    pub(super) fn is_of_another_program(&self) -> bool {
        match fs::read(self.file(PROGRAM)) {
            Ok(owner) => owner != self.line().as_bytes(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.names("").iter().any(|name| is_result(name))
            }
            Err(_) => false,
        }
    }

    /// Whether it holds files, and no store ever made it: such a folder is not for us to write to.
    pub(super) fn is_foreign(&self, known: &str) -> bool {
        let is_marked = |(name, text): (&str, &str)| {
            fs::read(self.file(name)).is_ok_and(|found| found == text.as_bytes())
        };
        let is_ours = MARKS.into_iter().all(is_marked) || self.file(PROGRAM).exists();
        let is_folder = self.path.is_dir();
        let is_new = !is_folder && fs::symlink_metadata(&self.path).is_err();
        !is_new && !is_ours && (!is_folder || self.names("").iter().any(|name| name != known))
    }

    /// What [`PROGRAM`] holds.
    fn line(&self) -> String {
        format!("{}\n", self.program)
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

/// The seal of bytes that are called `name`.
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
    fn the_next_program_that_writes_removes_what_another_kept_and_nothing_else() {
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
        // A folder that does not say whose it is, is nobody's.
        fs::remove_file(two.file(PROGRAM)).unwrap();
        assert!(two.is_of_another_program());
    }

    #[test]
    fn a_folder_with_the_files_of_others_is_foreign() {
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
        let file = Folder::at(ours.file("thesis.tex"));
        assert!(file.is_foreign("answers.json"));
    }
}
