//! Which files of an output are ours.
//!
//! The manifest lies in the output, so that it moves and disappears together with the files it names. It is
//! published with the site and says nothing that the site does not: no time, no folder of the author. Hosts and
//! programs that upload the site read in it what each file holds and is. What it says is never taken for what a file
//! holds; before a file counts as unchanged, it is read.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::place::INSIDE;
use crate::base::error::{Error, Result};
use crate::base::hash::HashMap;
use crate::site::plan::Class;

pub(crate) use crate::base::site_path::MANIFEST as NAME;

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
        io::copy(&mut File::open(path)?, &mut hasher)?;
        Ok(Self::found_by(&hasher))
    }

    /// Of all that was given to a hasher.
    pub(crate) fn found_by(hasher: &blake3::Hasher) -> Self {
        Self { size: hasher.count(), hash: *hasher.finalize().as_bytes() }
    }
}

/// Output paths whose files can be side by side.
///
/// Sorted and unique; every path is relative and stays below the output; none is a folder of another, and none
/// is the manifest itself.
#[derive(Debug)]
pub struct OutputPaths(Vec<String>);

/// What is known of a published file.
pub(super) type KnownFile = (Class, Fingerprint);

/// What a manifest says: a line for each path, paths as in [`OutputPaths`].
#[derive(Clone, Debug, Default)]
pub(super) struct Manifest<'p>(Vec<Line<'p>>);

/// What a manifest says of a file, where that is known. Nothing is known of a file that was published by the first
/// version, or is about to be replaced.
#[derive(Clone, Debug)]
struct Line<'p> {
    path: &'p str,
    said: Option<(Fingerprint, Kind)>,
}

/// The end of a line, with a file's type and class: many files are of few kinds.
type Kind = Arc<[u8]>;

/// A manifest as it was found in an output.
#[derive(Debug)]
pub(super) struct FoundManifest {
    pub(super) names: OutputPaths,
}

/// What a manifest that was read says of a file. Nothing but its path is known of a file that was published by the first
/// version, or was about to be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestFile {
    /// As in `OutputPaths`.
    pub path: String,
    pub class: Option<Class>,
    pub fingerprint: Option<Fingerprint>,
}

/// A published file. Its type is for other programs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedFile<'a> {
    path: String,
    size: Option<u64>,
    #[serde(borrow)]
    hash: Option<Cow<'a, str>>,
    #[serde(rename = "type")]
    _media_type: Option<IgnoredAny>,
    class: Option<Class>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    version: u32,
    #[serde(borrow)]
    files: Vec<PublishedFile<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FirstDocument {
    version: u32,
    files: Vec<String>,
}

/// The type of a file by its name; text is UTF-8.
pub fn media_type(path: &str) -> String {
    type_of(extension(path))
}

fn type_of(extension: &str) -> String {
    let guess = mime_guess::from_ext(extension).first_or_octet_stream();
    let is_text =
        guess.type_() == "text" || matches!(guess.subtype().as_str(), "javascript" | "json" | "xml");
    if is_text { format!("{guess}; charset=utf-8") } else { guess.to_string() }
}

/// What follows the last point of a file's name, unless the name begins with it.
fn extension(path: &str) -> &str {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or("", |(_, extension)| extension)
}

impl Deref for OutputPaths {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl OutputPaths {
    /// # Errors
    ///
    /// [`Error::Usage`] when the paths are not as they must be.
    pub fn new(paths: Vec<String>) -> Result<Self> {
        if let Some(path) = paths.iter().find(|path| !is_plain(path)) {
            return Err(Error::usage(format!("cannot write `{path}`: it is not a plain path in the output")));
        }
        for pair in paths.windows(2) {
            match pair[0].cmp(&pair[1]) {
                Ordering::Less => {}
                Ordering::Equal => {
                    return Err(Error::usage(format!(
                        "cannot write `{}`: two files have this path",
                        pair[0]
                    )));
                }
                Ordering::Greater => {
                    let text =
                        format!("cannot write `{}` after `{}`: paths must be sorted", pair[1], pair[0]);
                    return Err(Error::usage(text));
                }
            }
        }
        for (at, path) in paths.iter().enumerate() {
            let mut longer = paths[at + 1..].iter().map_while(|longer| longer.strip_prefix(path.as_str()));
            if longer.any(|rest| rest.starts_with('/')) {
                return Err(Error::usage(format!(
                    "cannot write `{path}`: other files need a directory with this name"
                )));
            }
        }
        Ok(Self(paths))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub(super) fn contains(&self, path: &str) -> bool {
        self.0.binary_search_by(|name| name.as_str().cmp(path)).is_ok()
    }

    /// Whether a file is named for which `path` must be a folder.
    pub(super) fn has_below(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        let first = self.0.partition_point(|name| *name < folder);
        self.0.get(first).is_some_and(|name| name.starts_with(&folder))
    }
}

impl<'p> Manifest<'p> {
    /// `known` is what is known of the files of `names`, in their order.
    pub(super) fn new(names: &'p OutputPaths, known: impl Iterator<Item = KnownFile>) -> Self {
        let mut kinds: HashMap<(&str, Class), Kind> = HashMap::default();
        let line = |(path, (class, found)): (&'p str, KnownFile)| {
            let extension = extension(path);
            let kind = kinds.entry((extension, class)).or_insert_with(|| kind_of(extension, class));
            Line { path, said: Some((found, kind.clone())) }
        };
        Self(names.iter().zip(known).map(line).collect())
    }

    /// The same, that says something of those files alone for which `is_said`.
    pub(super) fn only(&self, is_said: &[bool]) -> Self {
        let line = |(line, is_said): (&Line<'p>, &bool)| match is_said {
            true => line.clone(),
            false => Line { path: line.path, said: None },
        };
        Self(self.0.iter().zip(is_said).map(line).collect())
    }

    /// The same with `others`, which are not named and can be beside these.
    pub(super) fn and(&self, others: &[&'p str]) -> Self {
        let mut lines = self.0.clone();
        lines.extend(others.iter().map(|path| Line { path, said: None }));
        lines.sort_by_key(|line| line.path);
        Self(lines)
    }

    /// Writes it as a file of its own; the folder that it is about knows it by its [`NAME`].
    pub(super) fn write(&self, file: &Path) -> Result<()> {
        fs::write(file, self.text()).map_err(Error::io("write", file))
    }

    fn text(&self) -> Vec<u8> {
        /// Bytes of a line beside its path.
        const LINE: usize = 180;
        let mut text = format!("{{\n\"version\": {VERSION},\n\"files\": [").into_bytes();
        text.reserve(self.0.iter().map(|line| line.path.len() + LINE).sum());
        for (at, line) in self.0.iter().enumerate() {
            text.extend_from_slice(if at == 0 { b"\n" } else { b",\n" });
            line.write(&mut text);
        }
        text.extend_from_slice(b"\n]\n}\n");
        text
    }
}

impl Line<'_> {
    fn write(&self, json: &mut Vec<u8>) {
        json.extend_from_slice(b"{\"path\":");
        let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
        // Nearly all are.
        if self.path.bytes().fold(true, |all, byte| all & is_plain(byte)) {
            json.push(b'"');
            json.extend_from_slice(self.path.as_bytes());
            json.push(b'"');
        } else {
            add(self.path, json);
        }
        if let Some((found, kind)) = &self.said {
            json.extend_from_slice(b",\"size\":");
            add(&found.size, json);
            json.extend_from_slice(b",\"hash\":\"");
            json.extend_from_slice(&digits(&found.hash));
            json.extend_from_slice(kind);
        }
        json.push(b'}');
    }
}

fn kind_of(extension: &str, class: Class) -> Kind {
    let mut json = b"\",\"type\":".to_vec();
    add(&type_of(extension), &mut json);
    json.extend_from_slice(b",\"class\":");
    add(&class, &mut json);
    json.into()
}

fn add(value: &(impl Serialize + ?Sized), json: &mut Vec<u8>) {
    serde_json::to_writer(json, value).expect("a number or a string is valid JSON");
}

/// The files of any manifest, sorted by path; `None` where it is damaged, names a path that could not be in an output, or is of
/// another version of stepkin. It may come from anywhere: nothing of it is trusted, and it needs some times its own size of
/// memory at most.
pub fn listed(text: &[u8]) -> Option<Vec<ManifestFile>> {
    let files = json(text)?;
    let paths = files.iter().map(|file| file.path.clone()).collect();
    OutputPaths::new(paths).ok()?;
    files.into_iter().map(PublishedFile::listed).collect()
}

impl PublishedFile<'_> {
    /// `None` where its hash is none.
    fn listed(self) -> Option<ManifestFile> {
        let hash = self.hash.map(|digits| blake3::Hash::from_hex(digits.as_bytes())).transpose().ok()?;
        let fingerprint =
            self.size.zip(hash).map(|(size, hash)| Fingerprint { size, hash: *hash.as_bytes() });
        Some(ManifestFile { path: self.path, class: self.class, fingerprint })
    }
}

/// In hexadecimal.
fn digits(hash: &[u8; 32]) -> [u8; 64] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut digits = [0; 64];
    for (pair, byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(hash) {
        *pair = [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
    }
    digits
}

impl FoundManifest {
    /// Reads the manifest of `output`, unless `published` gives what it names. `None` when the folder is missing or
    /// empty.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a folder that holds something, but no manifest that we can trust. A manifest with a
    /// path that leads out of the folder is not trusted.
    pub(super) fn read(
        output: &Path,
        published: impl FnOnce() -> Option<Vec<String>>,
    ) -> Result<Option<Self>> {
        let Some(mut file) = open(output)? else { return Ok(None) };
        if let Some(names) = published().and_then(|paths| OutputPaths::new(paths).ok()) {
            return Ok(Some(Self { names }));
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(Error::io("read", &output.join(NAME)))?;
        let unusable = || {
            Error::usage(format!(
                "cannot build into `{}`: its manifest `{NAME}` is damaged or from another Stepkin version; \
                 choose another directory with --output, or delete this one",
                output.display()
            ))
        };
        Ok(Some(Self { names: parse(&text).ok_or_else(unusable)? }))
    }
}

/// Whether the manifest of `output` says all that `manifest` says, and no more.
pub(super) fn says(output: &Path, manifest: &Manifest<'_>) -> Result<bool> {
    let file = output.join(NAME);
    let text = fs::read(&file).map_err(Error::io("read", &file))?;
    Ok(text == manifest.text())
}

/// Opens the manifest of `output`. `None` when the folder is missing or empty.
///
/// # Errors
///
/// [`Error::Usage`] for a folder that holds something, but no manifest.
pub(super) fn open(output: &Path) -> Result<Option<File>> {
    let file = output.join(NAME);
    match File::open(&file) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == ErrorKind::NotFound && is_empty(output)? => Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let output = output.display();
            Err(Error::usage(format!(
                "cannot build into `{output}`: it contains files that Stepkin didn't create; \
                 choose another directory with --output, or empty this one"
            )))
        }
        Err(error) => Err(Error::io("read", &file)(error)),
    }
}

/// The files that a manifest names.
fn parse(text: &[u8]) -> Option<OutputPaths> {
    // The paths are trusted no more than others.
    OutputPaths::new(json(text)?.into_iter().map(|file| file.path).collect()).ok()
}

/// The files in any manifest.
fn json(text: &[u8]) -> Option<Vec<PublishedFile<'_>>> {
    if let Ok(Document { version, files }) = serde_json::from_slice(text) {
        return (version == VERSION).then_some(files);
    }
    let FirstDocument { version, files } = serde_json::from_slice(text).ok()?;
    let file = |path| PublishedFile { path, size: None, hash: None, _media_type: None, class: None };
    (version == FIRST_VERSION).then(|| files.into_iter().map(file).collect())
}

/// Whether `path` leads to a file below the output, in the one spelling we use, and not to the manifest.
pub fn is_plain(path: &str) -> bool {
    let bytes = path.as_bytes();
    let is_name = |name: &[u8]| !matches!(name, b"" | b"." | b"..");
    let mut start = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            0 => return false,
            b'/' if !is_name(&bytes[start..at]) => return false,
            b'/' => start = at + 1,
            _ => {}
        }
    }
    let is_manifest = path.strip_prefix(NAME).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    is_name(&bytes[start..]) && !is_manifest
}

/// Whether a folder holds nothing, or at most what a killed run has brought into it; a missing one does not either.
pub(super) fn is_empty(folder: &Path) -> Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == INSIDE))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(Error::io("read", folder)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What others have edited is read as what was written is.
    #[test]
    fn a_manifest_is_read_however_its_lines_are_broken() {
        let paths = || ["a", "b \"c\"", "d/é.html"].map(String::from).to_vec();
        let plain = OutputPaths::new(vec!["a".to_string(), "d/é.html".to_string()]).unwrap();
        let names = OutputPaths::new(paths()).unwrap();
        let text = |names: &OutputPaths, said: &[bool]| {
            let known = (Class::Page, Fingerprint::of(b"text"));
            let manifest = Manifest::new(names, std::iter::repeat(known)).only(said);
            String::from_utf8(manifest.text()).unwrap()
        };
        for said in [[true, true], [true, false], [false, true]] {
            let listed = listed(text(&plain, &said).as_bytes()).unwrap();
            assert_eq!(
                listed.iter().map(|file| &file.path).collect::<Vec<_>>(),
                plain.iter().collect::<Vec<_>>()
            );
            for (file, said) in listed.iter().zip(said) {
                let known = said.then_some((Class::Page, Fingerprint::of(b"text")));
                assert_eq!(file.class.zip(file.fingerprint), known);
            }
        }
        let written = text(&names, &[true, false, true]);
        let one_line = written.replace('\n', " ");
        let joined = text(&plain, &[true; 2]).replace(",\n{", ", {");
        let split = text(&plain, &[true; 2]).replace(",\"size\"", ",\n\"size\"");
        for edited in [&written, &one_line, &joined, &split] {
            let expected = if edited.contains("\\\"") { &names } else { &plain };
            assert_eq!(&parse(edited.as_bytes()).unwrap().0, &expected.0);
        }
        for damaged in [&written[1..], &written[..written.len() - 2], &written.replace("2,", "3,"), "", "{}"]
        {
            assert!(parse(damaged.as_bytes()).is_none(), "{damaged}");
        }
        assert_eq!(listed(&Manifest::default().text()), Some(Vec::new()));
        let one = text(&plain, &[true; 2]);
        for hostile in [
            one.replace("\"a\"", "\"../a\""),
            one.replace("\"a\"", "\"/etc/passwd\""),
            one.replace("\"hash\":\"", "\"hash\":\"zz"),
            one.replace("d/é.html", "a"),
            "[".repeat(1_000_000),
        ] {
            assert_eq!(super::listed(hostile.as_bytes()), None, "{}", &hostile[..hostile.len().min(200)]);
        }
    }

    #[test]
    fn the_type_of_a_file_is_that_of_its_extension() {
        for (path, expected) in [
            ("a.d/page.html", "text/html; charset=utf-8"),
            ("a/b.tar.GZ", "application/gzip"),
            ("feed.xml", "text/xml; charset=utf-8"),
            ("a.css/CNAME", "application/octet-stream"),
            (".html", "application/octet-stream"),
            ("a/.html", "application/octet-stream"),
            ("a.html/b.", "application/octet-stream"),
        ] {
            assert_eq!(media_type(path), expected, "{path}");
            let guess = mime_guess::from_path(path).first_or_octet_stream();
            assert!(expected.starts_with(guess.as_ref()), "{path}");
        }
    }
}
