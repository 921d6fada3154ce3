//! Which files of an output are ours.
//!
//! The manifest lies in the output, so that it moves and disappears together with the files it names. It is
//! published with the site and says nothing that the site does not: no time, no folder of the author. Hosts and
//! programs that upload the site read in it what each file holds and is. What it says is never taken for what a file
//! holds; before a file counts as unchanged, it is read.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::place::INSIDE;
use crate::error::{Error, Result};
use crate::plan::Class;

pub(crate) const NAME: &str = ".stepkin-manifest.json";

/// Raised when an older stepkin would misread the file. It then refuses the folder instead of guessing.
const VERSION: u32 = 2;
/// It named files and said nothing of them.
const FIRST_VERSION: u32 = 1;

/// What a published file holds, so that it is recognised wherever it is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Bytes.
    pub size: u64,
    /// BLAKE3.
    #[serde(with = "serde_bytes")]
    pub hash: [u8; 32],
}

impl Fingerprint {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { size: bytes.len() as u64, hash: *blake3::hash(bytes).as_bytes() }
    }

    /// Of a file on disk.
    pub(crate) fn of_file(path: &Path) -> io::Result<Self> {
        let mut hasher = blake3::Hasher::new();
        let size = io::copy(&mut fs::File::open(path)?, &mut hasher)?;
        Ok(Self { size, hash: *hasher.finalize().as_bytes() })
    }
}

/// A list of output paths that can be written side by side, and what is known of their files.
///
/// Sorted and unique; every path is relative and stays below the output; none is a folder of another, and none
/// is the manifest itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Manifest {
    files: Vec<File>,
}

/// A published file, a line of the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    /// In hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    media_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<Class>,
}

impl File {
    /// A file of which nothing else is said: it was published before, or is about to be replaced.
    fn named(path: String) -> Self {
        Self { path, size: None, hash: None, media_type: None, class: None }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    files: Vec<File>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FirstDocument {
    version: u32,
    files: Vec<String>,
}

/// The type of a file by its name; text is UTF-8.
pub fn media_type(path: &str) -> String {
    let guess = mime_guess::from_path(path).first_or_octet_stream();
    let is_text =
        guess.type_() == "text" || matches!(guess.subtype().as_str(), "javascript" | "json" | "xml");
    if is_text { format!("{guess}; charset=utf-8") } else { guess.to_string() }
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
        Ok(Self { files: files.into_iter().map(File::named).collect() })
    }

    /// The same paths with what is known of each, in their order.
    pub(super) fn with(&self, known: impl Iterator<Item = (Class, Option<Fingerprint>)>) -> Self {
        let file = |(file, (class, found)): (&File, (Class, Option<Fingerprint>))| match found {
            None => File::named(file.path.clone()),
            Some(Fingerprint { size, hash }) => File {
                path: file.path.clone(),
                size: Some(size),
                hash: Some(blake3::Hash::from_bytes(hash).to_hex().to_string()),
                media_type: Some(media_type(&file.path)),
                class: Some(class),
            },
        };
        Self { files: self.files.iter().zip(known).map(file).collect() }
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
        let manifest = Self::parse(&text);
        let unusable = || {
            Error::usage(format!(
                "cannot publish into `{}`: its manifest `{NAME}` is damaged, or of another version of stepkin; \
                 choose another folder with --output, or delete this one",
                output.display()
            ))
        };
        manifest.ok_or_else(unusable).map(Some)
    }

    fn parse(text: &[u8]) -> Option<Self> {
        if let Ok(Document { version, files }) = serde_json::from_slice(text) {
            // The paths are trusted no more than others.
            let paths = files.iter().map(|file| file.path.clone()).collect();
            return (version == VERSION && Self::new(paths).is_ok()).then_some(Self { files });
        }
        let FirstDocument { version, files } = serde_json::from_slice(text).ok()?;
        if version == FIRST_VERSION { Self::new(files).ok() } else { None }
    }

    /// Writes it as a file of its own, with a line for each of its files; the folder that it is about knows it by its
    /// [`NAME`].
    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let mut text = format!("{{\n\"version\": {VERSION},\n\"files\": [").into_bytes();
        for (at, file) in self.files.iter().enumerate() {
            text.extend_from_slice(if at == 0 { b"\n" } else { b",\n" });
            serde_json::to_writer(&mut text, file).expect("a number and strings are valid JSON");
        }
        text.extend_from_slice(b"\n]\n}\n");
        fs::write(file, text).map_err(Error::io("write", file))
    }

    pub(super) fn names(&self, path: &str) -> bool {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok()
    }

    /// Whether both name the same files.
    pub(super) fn has_names_of(&self, other: &Self) -> bool {
        self.files.len() == other.files.len()
            && self.files.iter().zip(&other.files).all(|(one, other)| one.path == other.path)
    }

    /// Whether a file is named for which `path` must be a folder.
    pub(super) fn names_below(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        let first = self.files.partition_point(|file| file.path < folder);
        self.files.get(first).is_some_and(|file| file.path.starts_with(&folder))
    }

    /// The same with `others`, where all of them can be side by side.
    pub(super) fn and<'o>(&self, others: impl Iterator<Item = &'o str>) -> Option<Self> {
        let mut files = self.files.clone();
        files.extend(others.map(|path| File::named(path.to_string())));
        files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        Self::new(files.iter().map(|file| file.path.clone()).collect()).ok()?;
        Some(Self { files })
    }

    /// The files that are named here, and not in `other`.
    pub(super) fn missing_in(&self, other: &Self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.path.as_str()).filter(|path| !other.names(path))
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
