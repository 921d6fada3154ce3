//! Which files of an output are ours.
//!
//! The manifest lies in the output, so that it moves and disappears together with the files it names. It is
//! published with the site and says nothing that the site does not: no time, no folder of the author.

use std::borrow::Cow;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::place::INSIDE;
use crate::error::{Error, Result};

pub(crate) const NAME: &str = ".stepkin-manifest.json";

/// Raised when an older stepkin would misread the file. It then refuses the folder instead of guessing.
const VERSION: u32 = 1;

/// A list of output paths that can be written side by side.
///
/// Sorted and unique; every path is relative and stays below the output; none is a folder of another, and none
/// is the manifest itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Manifest {
    files: Vec<String>,
}

/// The manifest as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    version: u32,
    files: Cow<'a, [String]>,
}

impl Manifest {
    pub(super) fn new(files: Vec<String>) -> Result<Self> {
        if let Some(path) = files.iter().find(|path| !is_plain(path)) {
            return Err(Error::usage(format!("cannot publish `{path}`: not a plain path below the output")));
        }
        for pair in files.windows(2) {
            if pair[0] == pair[1] {
                return Err(Error::usage(format!("cannot publish `{}`: two files have this path", pair[0])));
            }
            if pair[0] > pair[1] {
                let text = format!("cannot publish `{}` after `{}`: paths must be sorted", pair[1], pair[0]);
                return Err(Error::usage(text));
            }
        }
        for (at, path) in files.iter().enumerate() {
            let mut longer = files[at + 1..].iter().map_while(|file| file.strip_prefix(path.as_str()));
            if longer.any(|rest| rest.starts_with('/')) {
                return Err(Error::usage(format!(
                    "cannot publish `{path}`: other files need a folder of this name"
                )));
            }
        }
        Ok(Self { files })
    }

    /// Reads the manifest of `output`. `None` when the folder is missing or empty.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a folder that holds something, but no manifest that we can trust. A manifest with a
    /// path that leads out of the folder is not trusted.
    pub(super) fn read(output: &Path) -> Result<Option<Self>> {
        let file = output.join(NAME);
        let text = match fs::read(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound && is_empty(output)? => return Ok(None),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let output = output.display();
                return Err(Error::usage(format!(
                    "cannot publish into `{output}`: it holds files that were not published by stepkin; \
                     choose another folder with --output, or empty this one"
                )));
            }
            Err(error) => return Err(Error::io("read", &file)(error)),
        };
        let manifest = serde_json::from_slice(&text).ok().and_then(|document: Document| {
            if document.version == VERSION { Self::new(document.files.into_owned()).ok() } else { None }
        });
        let unusable = || {
            Error::usage(format!(
                "cannot publish into `{}`: its manifest `{NAME}` is damaged, or of another version of stepkin; \
                 choose another folder with --output, or delete this one",
                output.display()
            ))
        };
        manifest.ok_or_else(unusable).map(Some)
    }

    /// Writes it as a file of its own; the folder that it tells of knows it by its [`NAME`].
    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let document = Document { version: VERSION, files: Cow::Borrowed(&self.files) };
        let mut text = serde_json::to_vec_pretty(&document).expect("a number and strings are valid JSON");
        text.push(b'\n');
        fs::write(file, text).map_err(Error::io("write", file))
    }

    pub(super) fn names(&self, path: &str) -> bool {
        self.files.binary_search_by(|file| file.as_str().cmp(path)).is_ok()
    }

    /// Whether a file is named for which `path` must be a folder.
    pub(super) fn names_below(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        let first = self.files.partition_point(|file| *file < folder);
        self.files.get(first).is_some_and(|file| file.starts_with(&folder))
    }

    /// The same with `others`, where all of them can stand side by side.
    pub(super) fn and<'o>(&self, others: impl Iterator<Item = &'o str>) -> Option<Self> {
        let mut files = self.files.clone();
        files.extend(others.map(str::to_string));
        files.sort_unstable();
        Self::new(files).ok()
    }

    /// The files that are named here, and not in `other`.
    pub(super) fn missing_in(&self, other: &Self) -> impl Iterator<Item = &str> {
        self.files.iter().filter(|file| !other.names(file)).map(String::as_str)
    }
}

/// Whether `path` leads to a file below the output, in the one spelling we use, and not to the manifest.
fn is_plain(path: &str) -> bool {
    let plain = |segment: &str| !matches!(segment, "" | "." | "..") && !segment.contains('\0');
    path.split('/').all(plain) && path.split('/').next() != Some(NAME)
}

/// Whether a folder holds nothing, or at most what a killed run has brought into it; a missing one does not either.
pub(super) fn is_empty(folder: &Path) -> Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == INSIDE))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(Error::io("read", folder)(error)),
    }
}
