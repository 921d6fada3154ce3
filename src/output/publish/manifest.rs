//! The manifest, which lists the files of an output that Stepkin published.
//!
//! The manifest is in the output, so that it is moved and deleted together with its files. It is published with the
//! site and contains nothing private: no time, and no folder of the author. Hosts and programs that upload the site
//! read the type and the content hash of each file. Before a file counts as unchanged, its content is read, whatever
//! the manifest contains.

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
use base::error::{Error, Result};
use base::hash::HashMap;
use base::sort::StableSort as _;
use site::plan::Class;

pub(crate) use base::site_path::MANIFEST as NAME;

/// Increased when an older version of Stepkin would misread the file. That version then refuses the folder.
const VERSION: u32 = 2;
/// This version contains only paths.
const FIRST_VERSION: u32 = 1;

/// The content of a published file, so that it is recognized in every copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// In bytes.
    pub size: u64,
    /// BLAKE3.
    #[serde(with = "serde_bytes")]
    pub hash: [u8; 32],
}

impl Fingerprint {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { size: bytes.len() as u64, hash: *blake3::hash(bytes).as_bytes() }
    }

    /// Returns the fingerprint of a file on disk.
    pub(crate) fn of_file(path: &Path) -> io::Result<Self> {
        let mut hasher = blake3::Hasher::new();
        io::copy(&mut File::open(path)?, &mut hasher)?;
        Ok(Self::found_by(&hasher))
    }

    /// Returns the fingerprint of all input of a hasher.
    pub(crate) fn found_by(hasher: &blake3::Hasher) -> Self {
        Self { size: hasher.count(), hash: *hasher.finalize().as_bytes() }
    }
}

/// Output paths that can coexist.
///
/// Sorted and unique. Every path is relative and stays inside the output. None is a folder of another, and none is
/// the manifest itself.
#[derive(Debug)]
pub struct OutputPaths(Vec<String>);

/// The known properties of a published file.
pub(super) type KnownFile = (Class, Fingerprint);

/// The content of a manifest: a line for each path. The paths are like those in [`OutputPaths`].
#[derive(Clone, Debug, Default)]
pub(super) struct Manifest<'p>(Vec<Line<'p>>);

/// A file in a manifest, with its properties if they are known. They are unknown for a file that the first version
/// published, or that is about to be replaced.
#[derive(Clone, Debug)]
struct Line<'p> {
    path: &'p str,
    said: Option<(Fingerprint, Kind)>,
}

/// The end of a line with a file's type and class, shared because many files are of few kinds.
type Kind = Arc<[u8]>;

/// An existing manifest of an output.
#[derive(Debug)]
pub(super) struct FoundManifest {
    pub(super) names: OutputPaths,
}

/// A file in a parsed manifest. Only the path is known of a file that the first version published, or that was about
/// to be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestFile {
    /// Like the paths in `OutputPaths`.
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

/// Returns the media type for a file name. Text is UTF-8.
pub fn media_type(path: &str) -> String {
    type_of(extension(path))
}

fn type_of(extension: &str) -> String {
    let guess = mime_guess::from_ext(extension).first_or_octet_stream();
    let is_text =
        guess.type_() == "text" || matches!(guess.subtype().as_str(), "javascript" | "json" | "xml");
    if is_text { format!("{guess}; charset=utf-8") } else { guess.to_string() }
}

/// Returns the part after the last dot of a file's name, unless that is its first character.
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

    /// Whether a listed file needs `path` as a folder.
    pub(super) fn has_below(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        let first = self.0.partition_point(|name| *name < folder);
        self.0.get(first).is_some_and(|name| name.starts_with(&folder))
    }
}

impl<'p> Manifest<'p> {
    /// `known` contains the properties of the files in `names`, in order.
    pub(super) fn new(names: &'p OutputPaths, known: impl Iterator<Item = KnownFile>) -> Self {
        let mut kinds: HashMap<(&str, Class), Kind> = HashMap::default();
        let line = |(path, (class, found)): (&'p str, KnownFile)| {
            let extension = extension(path);
            let kind = kinds.entry((extension, class)).or_insert_with(|| kind_of(extension, class));
            Line { path, said: Some((found, kind.clone())) }
        };
        Self(names.iter().zip(known).map(line).collect())
    }

    /// Returns the manifest with properties only for files with `is_said`.
    pub(super) fn only(&self, is_said: &[bool]) -> Self {
        let line = |(line, is_said): (&Line<'p>, &bool)| {
            if *is_said { line.clone() } else { Line { path: line.path, said: None } }
        };
        Self(self.0.iter().zip(is_said).map(line).collect())
    }

    /// Adds `others`, which aren't listed and can coexist with these.
    pub(super) fn and(&self, others: &[&'p str]) -> Self {
        let mut lines = self.0.clone();
        lines.extend(others.iter().map(|path| Line { path, said: None }));
        lines.stable_sort_by_key(|line| line.path);
        Self(lines)
    }

    /// Writes a separate file. In its folder, its name is [`NAME`].
    pub(super) fn write(&self, file: &Path) -> Result<()> {
        fs::write(file, self.text()).map_err(Error::io("write", file))
    }

    fn text(&self) -> Vec<u8> {
        /// Bytes of a line in addition to its path.
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
        // Fast path: nearly all paths are plain.
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

/// Returns the files of a manifest, sorted by path. Returns `None` if it is damaged, contains a path that isn't
/// possible in an output, or has another version. The manifest isn't trusted, and parsing takes at most a few times
/// its size in memory.
pub fn listed(text: &[u8]) -> Option<Vec<ManifestFile>> {
    let files = json(text)?;
    let paths = files.iter().map(|file| file.path.clone()).collect();
    OutputPaths::new(paths).ok()?;
    files.into_iter().map(PublishedFile::listed).collect()
}

impl PublishedFile<'_> {
    /// Returns `None` if its hash is invalid.
    fn listed(self) -> Option<ManifestFile> {
        let hash = self.hash.map(|digits| blake3::Hash::from_hex(digits.as_bytes())).transpose().ok()?;
        let fingerprint =
            self.size.zip(hash).map(|(size, hash)| Fingerprint { size, hash: *hash.as_bytes() });
        Some(ManifestFile { path: self.path, class: self.class, fingerprint })
    }
}

/// Returns hexadecimal digits.
fn digits(hash: &[u8; 32]) -> [u8; 64] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut digits = [0; 64];
    for (pair, byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(hash) {
        *pair = [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
    }
    digits
}

impl FoundManifest {
    /// Reads the manifest of `output`, unless `published` returns its paths. Returns `None` if the folder is missing
    /// or empty.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a folder with files but without a valid manifest. A manifest with a path outside the
    /// folder is invalid.
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

/// Whether the manifest of `output` has exactly the content of `manifest`.
pub(super) fn says(output: &Path, manifest: &Manifest<'_>) -> Result<bool> {
    let file = output.join(NAME);
    let text = fs::read(&file).map_err(Error::io("read", &file))?;
    Ok(text == manifest.text())
}

/// Opens the manifest of `output`. Returns `None` if the folder is missing or empty.
///
/// # Errors
///
/// [`Error::Usage`] for a folder with files but without a manifest.
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

/// Returns the paths in a manifest.
fn parse(text: &[u8]) -> Option<OutputPaths> {
    // The paths are validated like any others.
    OutputPaths::new(json(text)?.into_iter().map(|file| file.path).collect()).ok()
}

/// Returns the files in a manifest.
fn json(text: &[u8]) -> Option<Vec<PublishedFile<'_>>> {
    if let Ok(Document { version, files }) = serde_json::from_slice(text) {
        return (version == VERSION).then_some(files);
    }
    let FirstDocument { version, files } = serde_json::from_slice(text).ok()?;
    let file = |path| PublishedFile { path, size: None, hash: None, _media_type: None, class: None };
    (version == FIRST_VERSION).then(|| files.into_iter().map(file).collect())
}

/// Whether `path` is the path of a file in the output in normalized form, and not that of the manifest.
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

/// Whether a folder is missing, empty, or contains only files that a killed run left.
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

    /// Manifests that were reformatted are parsed like original ones.
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
