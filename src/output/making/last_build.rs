//! What the last build read and wrote, so that the next one can tell what is still so.
//!
//! A file with the same [`Stamp`] is the same. One with another, as all have in a fresh clone, is read and compared by
//! its hash; and so is one that was written in the same moment as it was looked at, which could be written again without
//! a trace.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::files::{FileRecord, FileRecords};
use crate::base::hash::{HashMap, HashSet, sum};
use crate::base::site_path::{SitePath, on_disk};
use crate::base::store::{Store, add};
use crate::base::timings::{Stage, part};
use crate::input::source::{ListedFile, Listing, Moment, PassedOver, STAMP, Stamp, git};
use crate::output::publish::{Fingerprint, MANIFEST};
use crate::output::unit::UnitKey;
use crate::site::work::Work;

/// What a build depended on and what it made. It exists only for builds that published their site.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LastBuild {
    inputs: Inputs,
    /// Sorted by path, the manifest among them.
    outputs: FileRecords<PublishedFile>,
    /// When the outputs were looked at.
    looked: Moment,
    pub(super) summary: BuildSummary,
}

/// Everything that a build reads.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Inputs {
    /// In the order of [`crate::input::source::list`].
    files: FileRecords<Input>,
    /// What was not read.
    passed_over: Vec<PassedOver>,
    /// Files that the configuration names; an absolute path leads out of the site.
    beside: FileRecords<Input>,
    /// Whether pages name files that were not to be had, and may be there now.
    has_absent: bool,
    /// The commit at that time, where pages say when git saw them change.
    commit: Option<String>,
    /// When reading began.
    begun: Option<Moment>,
}

#[derive(Clone, Copy, Debug)]
struct Input {
    stamp: Stamp,
    /// Of the content, where it was read.
    hash: Option<Hash>,
}

/// BLAKE3.
type Hash = [u8; HASH];

/// Bytes of one.
const HASH: usize = 32;

/// A published file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PublishedFile {
    /// A hash of everything that its content depends on, or `None` if that is unknown. A unit's files have the unit's key: see
    /// [`Compiler::rendered`](crate::output::unit::Compiler::rendered).
    pub(super) key: Option<UnitKey>,
    /// What was written.
    pub(super) found: Option<Fingerprint>,
    /// `None` when it is gone, or no file.
    pub(super) stamp: Option<Stamp>,
}

/// What a build comes to, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildSummary {
    pub pages: usize,
    pub files: usize,
    pub errors: usize,
    pub warnings: usize,
    /// Pieces of other tools' syntax that are not understood, and so not in the pages.
    pub left_out: usize,
}

/// What a look at the disk says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiskState {
    /// Nothing has changed.
    Same,
    /// Nothing has changed, but some of it had to be read: a new look would spare the next run the reading.
    SameByContent,
    /// Something has changed, or may have.
    Changed,
}

/// So many builds of one site into different folders or with different settings are remembered.
const MOST_BUILDS: usize = 16;

/// The last build with these `settings`, any text that tells builds apart which make different things.
pub(super) fn read(store: &Store, settings: &str) -> Option<LastBuild> {
    let _part = part(Stage::Cache);
    store.read(&file_name(settings))
}

/// Remembers a build.
pub(super) fn keep(store: &Store, settings: &str, build: &LastBuild) {
    let _part = part(Stage::Cache);
    // Where nothing can be kept, the next run builds again.
    if let Some(writer) = store.writer() {
        writer.write(&file_name(settings), build);
        writer.remove_oldest("build-", MOST_BUILDS);
    }
}

fn file_name(settings: &str) -> String {
    format!("build-{:032x}.last", sum(settings.as_bytes()))
}

impl Inputs {
    /// What a site was made from: the files that were listed, and what its configuration asks for beside them.
    pub(super) fn of<'l>(work: &Work, listing: &'l Listing) -> Self {
        let _part = part(Stage::Cache);
        let (sources, config) = (&work.project.sources, &work.project.site.config);
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
            has_absent: !sources.absent.is_empty(),
            commit: config.last_change.then(|| git::commit(&sources.root)),
            begun: Some(listing.begun),
        }
    }

    /// Adds the hashes of files that were `published` as they are, if they are still those that were listed: what else
    /// was made from one was made before.
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

    /// The stamps of all files that are certain to change with the file's content.
    pub(super) fn settled(&self) -> HashMap<&str, Stamp> {
        let Some(begun) = self.begun else { return HashMap::default() };
        let settled = self.files.iter().filter(|(_, input)| input.stamp.is_settled(begun));
        settled.map(|(path, input)| (path, input.stamp)).collect()
    }

    fn verdict(&self, root: &Path, listing: &Listing) -> DiskState {
        let Some(begun) = self.begun else { return DiskState::Changed };
        let same_names = self.files.len() == listing.files.len()
            && self.files.paths().zip(&listing.files).all(|(old, new)| old == new.path.as_str());
        let same_commit = self.commit.as_ref().is_none_or(|commit| *commit == git::commit(root));
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

/// The key of a file that is published as it is and has this stamp.
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

/// Whether the file that had the stamp `old` at a time, and content of that hash, is still the same.
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

/// The stamp of a file, or of what a link leads to.
fn stamp_of(path: &Path) -> Option<Stamp> {
    fs::metadata(path).ok().map(|metadata| Stamp::of(&metadata))
}

/// The stamp of a regular file; a link is none.
fn stamp_at(path: &Path) -> Option<Stamp> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| Stamp::of(&metadata))
}

impl PublishedFile {
    /// Its text below `output`, as it was rendered; `None` when it is anything else by now.
    pub(super) fn read(&self, output: &Path, path: &str) -> Option<String> {
        let text = fs::read_to_string(output.join(path)).ok()?;
        (self.found? == Fingerprint::of(text.as_bytes())).then_some(text)
    }
}

impl LastBuild {
    /// Looks at what was published into `output`: `files` is all that was planned, sorted by path.
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

    /// Whether a build now would read the same and find its output in place.
    pub(super) fn verdict(&self, root: &Path, listing: &Listing, output: &Path) -> DiskState {
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

    /// Where each of some paths is among its outputs; they are sorted.
    pub(super) fn positions(&self, paths: &[String]) -> Vec<Option<usize>> {
        let mut known = self.outputs.paths().enumerate().peekable();
        let position = |path: &String| {
            while known.next_if(|(_, known)| *known < path.as_str()).is_some() {}
            known.next_if(|(_, known)| *known == path.as_str()).map(|(at, _)| at)
        };
        paths.iter().map(position).collect()
    }

    /// Returns what was written to the path at a position, if it depended on the same and is unchanged since.
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

    /// The same build, looked at again: its files are the same, and their stamps may be others.
    #[must_use]
    pub(super) fn seen_again(&self, root: &Path, listing: &Listing, output: &Path) -> Self {
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

    /// What was read of a file before it was changed is not vouched for by what was published afterwards.
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
        // Written in the moment of the look.
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
