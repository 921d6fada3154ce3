//! Record of the last build: its inputs and outputs, so that the next build can detect changes.
//!
//! A file with an unchanged [`Stamp`] is considered unchanged. If the stamp differs, as it does for all files in a
//! fresh clone, the file is read and its hash is compared. The same applies to a file that was written at the moment
//! when it was examined, because a second write at that moment might not change the stamp.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::files::{FileRecord, FileRecords};
use crate::output::pipeline::has_lags;
use crate::output::publish::{Fingerprint, MANIFEST};
use crate::output::unit::UnitKey;
use base::diagnostic::Report;
use base::hash::{HashMap, HashSet, sum};
use base::site_path::{SitePath, on_disk};
use base::store::{Store, add};
use base::timings::{Stage, part};
use input::source::{ListedFile, Listing, Moment, PassedOver, STAMP, Stamp, git};
use review::translations::LOCK;
use site::work::Work;

/// Inputs and outputs of a build. Only builds that published their site are recorded.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LastBuild {
    inputs: Inputs,
    /// Sorted by path, including the manifest.
    outputs: FileRecords<PublishedFile>,
    /// Time when the outputs were examined.
    looked: Moment,
    pub(super) summary: BuildSummary,
}

/// Everything that a build reads.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Inputs {
    /// In the order of [`input::source::list`].
    files: FileRecords<Input>,
    /// Files that were skipped.
    passed_over: Vec<PassedOver>,
    /// Files that the configuration refers to. An absolute path is outside the site.
    beside: FileRecords<Input>,
    /// Whether pages refer to files that didn't exist, or images couldn't be drawn. The files and programs may exist now.
    has_absent: bool,
    /// The commit at that time and a hash of `translations.lock`, if the site shows the dates of commits, or that originals have
    /// changed.
    commit: Option<String>,
    /// Time when reading began.
    begun: Option<Moment>,
}

#[derive(Clone, Copy, Debug)]
struct Input {
    stamp: Stamp,
    /// Hash of the content, if it was read.
    hash: Option<Hash>,
}

/// A BLAKE3 hash.
type Hash = [u8; HASH];

/// Size of a hash in bytes.
const HASH: usize = 32;

/// A published file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PublishedFile {
    /// A hash of everything that its content depends on, or `None` if that is unknown. A unit's files have the unit's key: see
    /// [`Compiler::rendered`](crate::output::unit::Compiler::rendered).
    pub(super) key: Option<UnitKey>,
    /// Fingerprint of the written content.
    pub(super) found: Option<Fingerprint>,
    /// `None` if the file no longer exists or isn't a file.
    pub(super) stamp: Option<Stamp>,
}

/// Figures of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildSummary {
    pub pages: usize,
    pub files: usize,
    pub errors: usize,
    pub warnings: usize,
    /// Number of constructs in unsupported syntax that were left out of the pages.
    pub left_out: usize,
}

/// Result of comparing the files on disk with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DiskState {
    /// Nothing has changed.
    Same,
    /// Nothing has changed, but some files had to be read because their stamps changed. Recording the new stamps
    /// saves the next run from reading them.
    SameByContent,
    /// Something has changed, or may have.
    Changed,
}

/// Maximum number of records per site, for builds with different settings or output folders.
const MOST_BUILDS: usize = 16;

/// Returns the record of the last build with these `settings`, a text that identifies builds with equal results.
pub(super) fn read(store: &Store, settings: &str) -> Option<LastBuild> {
    let _part = part(Stage::Cache);
    store.read(&file_name(settings))
}

/// Stores the record of a build.
pub(super) fn keep(store: &Store, settings: &str, build: &LastBuild) {
    let _part = part(Stage::Cache);
    // If nothing can be stored, the next run builds everything again.
    if let Some(writer) = store.writer() {
        writer.write(&file_name(settings), build);
        writer.remove_oldest("build-", MOST_BUILDS);
    }
}

fn file_name(settings: &str) -> String {
    format!("build-{:032x}.last", sum(settings.as_bytes()))
}

impl Inputs {
    /// Returns the inputs of a site: the listed files, and other files that the configuration refers to.
    pub(super) fn of<'l>(work: &Work, listing: &'l Listing, found: &Report) -> Self {
        let _part = part(Stage::Cache);
        let (sources, config) = (work.project.sources.whole(), &work.project.site.config);
        let hash = |path: &SitePath| {
            let of_asset = || sources.assets.get(path)?.hash;
            sources.text(path).map(|text| text.hash).or_else(of_asset).map(Into::into)
        };
        let input =
            |file: &'l ListedFile| (file.path.as_str(), Input { stamp: file.stamp, hash: hash(&file.path) });
        let listed: HashSet<&SitePath> = listing.files.iter().map(|file| &file.path).collect();
        let parts = sources.beside.keys().filter(|path| !listed.contains(path)).map(SitePath::as_str);
        let beside = config.check.files().chain(parts).filter_map(|path| {
            let disk = sources.root.join(path);
            let stamp = Stamp::of(&fs::metadata(&disk).ok()?);
            let hash = Fingerprint::of_file(&disk).ok().map(|found| found.hash);
            Some((path, Input { stamp, hash }))
        });
        Self {
            files: listing.files.iter().map(input).collect(),
            passed_over: listing.passed_over.clone(),
            beside: beside.collect(),
            has_absent: !sources.absent.is_empty()
                || found.iter().any(|it| it.problem.code.rule().is_of_drawing),
            commit: (config.has_dates() || has_lags(work)).then(|| history(&sources.root)),
            begun: Some(listing.begun),
        }
    }

    /// Adds the hashes of files that were `published` unchanged, unless they have changed since they were listed.
    /// Rendered versions of a file were created before that.
    pub(super) fn add_assets(&mut self, root: &Path, published: &HashMap<&str, Fingerprint>) {
        let _part = part(Stage::Cache);
        let Some(begun) = self.begun else { return };
        self.files = self.files.with(|_, path, file| {
            let found = published.get(path).filter(|_| file.hash.is_none());
            let Some(found) = found.filter(|_| file.stamp.is_settled(begun)) else { return file };
            let is_same = stamp_of(&root.join(path)) == Some(file.stamp);
            Input { hash: is_same.then_some(found.hash), ..file }
        });
    }

    /// Returns the stamps of all files that are certain to change with the file's content.
    pub(super) fn settled(&self) -> HashMap<&str, Stamp> {
        let Some(begun) = self.begun else { return HashMap::default() };
        let settled = self.files.iter().filter(|(_, input)| input.stamp.is_settled(begun));
        settled.map(|(path, input)| (path, input.stamp)).collect()
    }

    fn verdict(&self, root: &Path, listing: &Listing) -> DiskState {
        let Some(begun) = self.begun else { return DiskState::Changed };
        let same_names = self.files.len() == listing.files.len()
            && self.files.paths().zip(&listing.files).all(|(old, new)| old == new.path.as_str());
        let same_commit = self.commit.as_ref().is_none_or(|commit| *commit == history(root));
        if self.has_absent || !same_names || !same_commit || self.passed_over != listing.passed_over {
            return DiskState::Changed;
        }
        let files = self.files.par_iter().zip(&listing.files).map(|(old, new)| {
            let Some((path, old)) = old else { return DiskState::Changed };
            let _part = part(Stage::Cache);
            verdict(|| on_disk(root, path), (old.stamp, old.hash, begun), Some(new.stamp))
        });
        let beside = self.beside.par_iter().map(|old| {
            let Some((path, old)) = old else { return DiskState::Changed };
            let path = root.join(path);
            let stamp = stamp_of(&path);
            verdict(|| path, (old.stamp, old.hash, begun), stamp)
        });
        files.chain(beside).reduce(|| DiskState::Same, DiskState::and)
    }
}

/// Returns the current commit, and a hash of the file with the versions from which pages were translated.
fn history(root: &Path) -> String {
    let lock = fs::read(root.join(LOCK)).unwrap_or_default();
    format!("{}{:x}", git::commit(root), sum(&lock))
}

/// Returns the key of a file with this stamp that is published unchanged.
pub(super) fn asset_key(path: &SitePath, stamp: &Stamp) -> UnitKey {
    let Stamp { size, modified, changed, device, inode } = stamp;
    let mut hasher = blake3::Hasher::new();
    add(path.as_str(), &mut hasher);
    for number in [*size, modified.cast_unsigned(), changed.cast_unsigned(), *device, *inode] {
        hasher.update(&number.to_le_bytes());
    }
    *hasher.finalize().as_bytes()
}

impl FileRecord for Input {
    const SIZE: usize = 1 + STAMP + HASH;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(self.hash.is_some()));
        bytes.extend_from_slice(&self.stamp.to_bytes());
        bytes.extend_from_slice(&self.hash.unwrap_or_default());
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (&has_hash, bytes) = bytes.split_first()?;
        let (stamp, hash) = bytes.split_first_chunk::<STAMP>()?;
        let hash = *hash.first_chunk::<HASH>()?;
        Some(Self { stamp: Stamp::of_bytes(*stamp), hash: (has_hash == 1).then_some(hash) })
    }
}

impl FileRecord for PublishedFile {
    const SIZE: usize = 1 + HASH + 8 + HASH + STAMP;

    fn write(&self, bytes: &mut Vec<u8>) {
        let Self { key, found, stamp } = self;
        let said = [key.is_some(), found.is_some(), stamp.is_some()];
        bytes.push(said.iter().rev().fold(0, |said, is_said| said << 1 | u8::from(*is_said)));
        bytes.extend_from_slice(&key.unwrap_or_default());
        let Fingerprint { size, hash } = found.unwrap_or(Fingerprint { size: 0, hash: [0; HASH] });
        bytes.extend_from_slice(&size.to_le_bytes());
        bytes.extend_from_slice(&hash);
        bytes.extend_from_slice(&stamp.map_or([0; STAMP], Stamp::to_bytes));
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (&said, bytes) = bytes.split_first()?;
        let (key, bytes) = bytes.split_first_chunk::<HASH>()?;
        let (size, bytes) = bytes.split_first_chunk::<8>()?;
        let (hash, bytes) = bytes.split_first_chunk::<HASH>()?;
        let stamp = *bytes.first_chunk::<STAMP>()?;
        let found = Fingerprint { size: u64::from_le_bytes(*size), hash: *hash };
        Some(Self {
            key: (said & 1 != 0).then_some(*key),
            found: (said & 2 != 0).then_some(found),
            stamp: (said & 4 != 0).then(|| Stamp::of_bytes(stamp)),
        })
    }
}

impl DiskState {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Changed, _) | (_, Self::Changed) => Self::Changed,
            (Self::SameByContent, _) | (_, Self::SameByContent) => Self::SameByContent,
            _ => Self::Same,
        }
    }
}

/// Returns whether a file with the stamp `old` at an earlier time, and this content hash, is unchanged.
fn verdict(
    path: impl FnOnce() -> PathBuf,
    old: (Stamp, Option<Hash>, Moment),
    new: Option<Stamp>,
) -> DiskState {
    let (stamp, hash, looked) = old;
    let (Some(new), is_settled) = (new, stamp.is_settled(looked)) else { return DiskState::Changed };
    if new == stamp && is_settled {
        return DiskState::Same;
    }
    let is_same =
        |hash| new.size == stamp.size && Fingerprint::of_file(&path()).is_ok_and(|found| found.hash == hash);
    if hash.is_some_and(is_same) { DiskState::SameByContent } else { DiskState::Changed }
}

/// Returns the stamp of a file, or of the target of a link.
fn stamp_of(path: &Path) -> Option<Stamp> {
    fs::metadata(path).ok().map(|metadata| Stamp::of(&metadata))
}

/// Returns the stamp of a regular file, or `None` for a link.
fn stamp_at(path: &Path) -> Option<Stamp> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| Stamp::of(&metadata))
}

impl PublishedFile {
    /// Returns its text in the `output` folder, or `None` if it has changed since it was rendered.
    pub(super) fn read(&self, output: &Path, path: &str) -> Option<String> {
        let text = fs::read_to_string(output.join(path)).ok()?;
        (self.found? == Fingerprint::of(text.as_bytes())).then_some(text)
    }
}

impl LastBuild {
    /// Returns the figures of the last build if its inputs and outputs are unchanged.
    pub(super) fn if_unchanged(
        &self,
        (root, listing, output): (&Path, &Listing, &Path),
        (store, name): (&Store, &str),
    ) -> Option<BuildSummary> {
        match self.verdict(root, listing, output) {
            DiskState::Changed => return None,
            DiskState::Same => {}
            DiskState::SameByContent => keep(store, name, &self.seen_again(root, listing, output)),
        }
        Some(self.summary)
    }

    /// Records what was published into `output`. `files` contains all planned files, sorted by path.
    pub(super) fn new<'f>(
        inputs: Inputs,
        summary: BuildSummary,
        output: &Path,
        files: impl Iterator<Item = (&'f str, PublishedFile)>,
    ) -> Self {
        let _part = part(Stage::Cache);
        let found = Fingerprint::of_file(&output.join(MANIFEST)).ok();
        let manifest = (MANIFEST, PublishedFile { found, ..PublishedFile::default() });
        let mut files: Vec<(&str, PublishedFile)> = files.collect();
        let at = files.partition_point(|(path, _)| *path < MANIFEST);
        files.insert(at, manifest);
        files.par_iter_mut().for_each(|(path, file)| {
            let _part = part(Stage::Cache);
            file.stamp = stamp_at(&on_disk(output, path));
        });
        Self { inputs, outputs: files.into_iter().collect(), looked: Moment::now(), summary }
    }

    /// Returns whether a build would read the same inputs and find its output unchanged.
    fn verdict(&self, root: &Path, listing: &Listing, output: &Path) -> DiskState {
        let _part = part(Stage::Cache);
        let outputs = || {
            let verdicts = self.outputs.par_iter().map(|file| {
                let Some((path, file)) = file else { return DiskState::Changed };
                let _part = part(Stage::Cache);
                self.output_verdict(output, path, &file)
            });
            verdicts.reduce(|| DiskState::Same, DiskState::and)
        };
        match self.inputs.verdict(root, listing) {
            DiskState::Changed => DiskState::Changed,
            inputs => inputs.and(outputs()),
        }
    }

    fn output_verdict(&self, output: &Path, path: &str, file: &PublishedFile) -> DiskState {
        let Some(stamp) = file.stamp else { return DiskState::Changed };
        let path = on_disk(output, path);
        let now = stamp_at(&path);
        verdict(|| path, (stamp, file.found.map(|found| found.hash), self.looked), now)
    }

    /// Returns the position of each path among the outputs. The paths must be sorted.
    pub(super) fn positions(&self, paths: &[String]) -> Vec<Option<usize>> {
        let mut known = self.outputs.paths().enumerate().peekable();
        let position = |path: &String| {
            while known.next_if(|(_, known)| *known < path.as_str()).is_some() {}
            known.next_if(|(_, known)| *known == path.as_str()).map(|(at, _)| at)
        };
        paths.iter().map(position).collect()
    }

    /// Returns the file at a position if its key is the same and it hasn't changed since it was written.
    pub(super) fn current(&self, output: &Path, at: usize, key: &UnitKey) -> Option<PublishedFile> {
        let (path, file) = self.outputs.get(at)?;
        let is_same =
            file.key.as_ref() == Some(key) && self.output_verdict(output, path, &file) != DiskState::Changed;
        is_same.then_some(file)
    }

    /// Returns the files in the manifest of the output, if the manifest is unchanged since it was written.
    pub(super) fn published(&self, output: &Path) -> Option<Vec<String>> {
        let manifest = self.outputs.find(MANIFEST)?;
        let is_same = self.output_verdict(output, MANIFEST, &manifest) != DiskState::Changed;
        let paths = self.outputs.paths().filter(|path| *path != MANIFEST).map(str::to_string);
        is_same.then(|| paths.collect())
    }

    /// Returns the record with current stamps, for unchanged files.
    #[must_use]
    fn seen_again(&self, root: &Path, listing: &Listing, output: &Path) -> Self {
        let mut inputs = self.inputs.clone();
        inputs.begun = Some(listing.begun);
        let now = |at: usize, old: Stamp| listing.files.get(at).map_or(old, |file| file.stamp);
        inputs.files = inputs.files.with(|at, _, old| Input { stamp: now(at, old.stamp), ..old });
        inputs.beside = inputs
            .beside
            .with(|_, path, old| Input { stamp: stamp_of(&root.join(path)).unwrap_or(old.stamp), ..old });
        let files = self.outputs.iter().filter(|(path, _)| *path != MANIFEST);
        Self::new(inputs, self.summary, output, files)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A published file doesn't confirm the hash of a source file that has changed since it was read.
    #[test]
    fn a_file_that_changes_while_a_build_runs_gets_no_hash() {
        let root = tempfile::tempdir().unwrap();
        let path = SitePath::from("a.png");
        let disk = root.path().join(path.as_str());
        fs::write(&disk, "one").unwrap();
        let listed = || {
            std::thread::sleep(Duration::from_millis(60));
            let input = (path.as_str(), Input { stamp: stamp_of(&disk).unwrap(), hash: None });
            Inputs { files: [input].into_iter().collect(), begun: Some(Moment::now()), ..Inputs::default() }
        };
        let hash_of = |mut inputs: Inputs| {
            let published = [(path.as_str(), Fingerprint::of_file(&disk).unwrap())].into_iter().collect();
            inputs.add_assets(root.path(), &published);
            inputs.files.get(0).unwrap().1.hash
        };
        assert_eq!(hash_of(listed()), Some(*blake3::hash(b"one").as_bytes()));
        let inputs = listed();
        fs::write(&disk, "two").unwrap();
        assert_eq!(hash_of(inputs), None);
        // The file was written at the moment when it was examined.
        let inputs = Inputs { begun: Some(Moment::now()), ..listed() };
        fs::write(&disk, "two").unwrap();
        let just_written = Inputs {
            files: [(path.as_str(), Input { stamp: stamp_of(&disk).unwrap(), hash: None })]
                .into_iter()
                .collect(),
            ..inputs
        };
        assert_eq!(hash_of(just_written), None);
    }
}
