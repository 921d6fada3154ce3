//! What the last build read and wrote, so that the next one can tell what is still so.
//!
//! A file with the same [`Stamp`] is the same. One with another, as all have in a fresh clone, is read and compared by
//! its hash; and so is one that was written in the same moment as it was looked at, which could be written again without
//! a trace.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::publish::Fingerprint;
use crate::render::Work;
use crate::site_path::{SitePath, on_disk};
use crate::source::{Listed, Listing, Moment, PassedOver, Stamp, git};
use crate::store::{Store, add, seal_of};
use crate::timings::{Stage, part};
use crate::unit::Key;

/// What a build depended on and what it made. It exists only for builds that published their site.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LastBuild {
    inputs: Inputs,
    /// Sorted by path, the manifest among them.
    outputs: Vec<Output>,
    /// When the outputs were looked at.
    looked: Moment,
    pub(super) summary: Summary,
}

/// Everything that a build reads.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Inputs {
    /// In the order of [`crate::source::list`].
    files: Vec<Input>,
    /// What was not read.
    passed_over: Vec<PassedOver>,
    /// Files that the configuration names; an absolute path leads out of the site.
    beside: Vec<Input>,
    /// Whether pages name files that were not to be had, and may be there now.
    has_absent: bool,
    /// The commit at that time, where pages say when git saw them change.
    commit: Option<String>,
    /// When reading began.
    begun: Option<Moment>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Input {
    path: SitePath,
    stamp: Stamp,
    /// Of the content, where it was read.
    #[serde(with = "serde_bytes")]
    hash: Option<Hash>,
}

/// BLAKE3.
type Hash = [u8; 32];

/// A published file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Output {
    /// As in the plan.
    pub(super) path: String,
    /// Of everything that its content depends on; `None` where nobody can say. Of a unit's files it is the unit's, see
    /// [`Compiler::rendered`](crate::unit::Compiler::rendered).
    #[serde(with = "serde_bytes")]
    pub(super) key: Option<[u8; 32]>,
    /// What was written.
    pub(super) found: Option<Fingerprint>,
    /// `None` when it is gone, or no file.
    pub(super) stamp: Option<Stamp>,
}

/// What a build comes to, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    pub pages: usize,
    pub files: usize,
    pub errors: usize,
    pub warnings: usize,
    /// Pieces of other tools' syntax that are not understood, and so not in the pages.
    pub left_out: usize,
}

/// What a look at the disk says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
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
    store.read(&file_name(settings))
}

/// Remembers a build.
pub(super) fn keep(store: &Store, settings: &str, build: &LastBuild) {
    // Where nothing can be kept, the next run builds again.
    if let Some(writer) = store.writer() {
        writer.write(&file_name(settings), build);
        writer.remove_oldest("build-", MOST_BUILDS);
    }
}

fn file_name(settings: &str) -> String {
    format!("build-{:032x}.last", u128::from_le_bytes(seal_of(&[settings.as_bytes()])))
}

impl Inputs {
    /// What a site was made from: the files that were listed, and what its configuration asks for beside them.
    pub(super) fn of(work: &Work, listing: &Listing) -> Self {
        let (sources, config) = (&work.project.sources, &work.project.site.config);
        let hash = |path: &SitePath| {
            let of_asset = || sources.assets.get(path)?.hash;
            sources.text(path).map(|text| text.hash).or_else(of_asset).map(Into::into)
        };
        let input =
            |file: &Listed| Input { path: file.path.clone(), stamp: file.stamp, hash: hash(&file.path) };
        let listed: HashSet<&SitePath> = listing.files.iter().map(|file| &file.path).collect();
        let parts = sources.beside.keys().filter(|path| !listed.contains(path)).map(SitePath::as_str);
        let beside = config.check.routes.iter().map(String::as_str).chain(parts).filter_map(|path| {
            let disk = sources.root.join(path);
            let stamp = Stamp::of(&fs::metadata(&disk).ok()?);
            let hash = Fingerprint::of_file(&disk).ok().map(|found| found.hash);
            Some(Input { path: path.into(), stamp, hash })
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
    pub(super) fn add_assets(&mut self, root: &Path, published: &HashMap<&SitePath, Fingerprint>) {
        let Some(begun) = self.begun else { return };
        self.files.par_iter_mut().filter(|file| file.hash.is_none()).for_each(|file| {
            let is_same =
                file.stamp.is_settled(begun) && stamp_of(&root.join(file.path.as_str())) == Some(file.stamp);
            file.hash = published.get(&file.path).filter(|_| is_same).map(|found| found.hash);
        });
    }

    /// The stamps of all files that are certain to change with the file's content.
    pub(super) fn settled(&self) -> HashMap<&SitePath, Stamp> {
        let Some(begun) = self.begun else { return HashMap::new() };
        let settled = self.files.iter().filter(|input| input.stamp.is_settled(begun));
        settled.map(|input| (&input.path, input.stamp)).collect()
    }

    fn verdict(&self, root: &Path, listing: &Listing) -> Verdict {
        let Some(begun) = self.begun else { return Verdict::Changed };
        let same_names = self.files.len() == listing.files.len()
            && self.files.iter().zip(&listing.files).all(|(old, new)| old.path == new.path);
        let same_commit = self.commit.as_ref().is_none_or(|commit| *commit == git::commit(root));
        if self.has_absent || !same_names || !same_commit || self.passed_over != listing.passed_over {
            return Verdict::Changed;
        }
        let files = self.files.par_iter().zip(&listing.files).map(|(old, new)| {
            verdict(&on_disk(root, old.path.as_str()), (old.stamp, old.hash, begun), Some(new.stamp))
        });
        let beside = self.beside.par_iter().map(|old| {
            let path = root.join(old.path.as_str());
            verdict(&path, (old.stamp, old.hash, begun), stamp_of(&path))
        });
        files.chain(beside).reduce(|| Verdict::Same, Verdict::and)
    }
}

/// The key of a file that is published as it is and has this stamp.
pub(super) fn asset_key(path: &SitePath, stamp: &Stamp) -> Key {
    let Stamp { size, modified, changed, device, inode } = stamp;
    let mut hasher = blake3::Hasher::new();
    add(path.as_str(), &mut hasher);
    for number in [*size, modified.cast_unsigned(), changed.cast_unsigned(), *device, *inode] {
        hasher.update(&number.to_le_bytes());
    }
    *hasher.finalize().as_bytes()
}

impl Verdict {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Changed, _) | (_, Self::Changed) => Self::Changed,
            (Self::SameByContent, _) | (_, Self::SameByContent) => Self::SameByContent,
            _ => Self::Same,
        }
    }
}

/// Whether the file that had the stamp `old` at a time, and content of that hash, is still the same.
fn verdict(path: &Path, old: (Stamp, Option<Hash>, Moment), new: Option<Stamp>) -> Verdict {
    let (stamp, hash, looked) = old;
    let (Some(new), is_settled) = (new, stamp.is_settled(looked)) else { return Verdict::Changed };
    if new == stamp && is_settled {
        return Verdict::Same;
    }
    let is_same =
        |hash| new.size == stamp.size && Fingerprint::of_file(path).is_ok_and(|found| found.hash == hash);
    if hash.is_some_and(is_same) { Verdict::SameByContent } else { Verdict::Changed }
}

/// The stamp of a file, or of what a link leads to.
fn stamp_of(path: &Path) -> Option<Stamp> {
    fs::metadata(path).ok().map(|metadata| Stamp::of(&metadata))
}

/// The stamp of a regular file; a link is none.
fn stamp_at(path: &Path) -> Option<Stamp> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| Stamp::of(&metadata))
}

impl Output {
    /// Its text, as it was rendered; `None` when it is anything else by now.
    pub(super) fn read(&self, output: &Path) -> Option<String> {
        let text = fs::read_to_string(output.join(&self.path)).ok()?;
        (self.found? == Fingerprint::of(text.as_bytes())).then_some(text)
    }
}

impl LastBuild {
    /// Looks at what was published into `output`: `files` are paths, keys and hashes of all that was planned.
    pub(super) fn new(inputs: Inputs, summary: Summary, output: &Path, mut files: Vec<Output>) -> Self {
        let manifest = crate::publish::MANIFEST.to_string();
        let found = Fingerprint::of_file(&output.join(&manifest)).ok();
        files.push(Output { path: manifest, key: None, found, stamp: None });
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let look = |file: &mut Output| file.stamp = stamp_at(&on_disk(output, &file.path));
        files.par_iter_mut().for_each(|file| part(Stage::Cache, || look(file)));
        Self { inputs, outputs: files, looked: Moment::now(), summary }
    }

    /// Whether a build now would read the same and find its output in place.
    pub(super) fn verdict(&self, root: &Path, listing: &Listing, output: &Path) -> Verdict {
        let outputs = || {
            let verdicts =
                self.outputs.par_iter().map(|file| part(Stage::Cache, || self.output_verdict(output, file)));
            verdicts.reduce(|| Verdict::Same, Verdict::and)
        };
        match self.inputs.verdict(root, listing) {
            Verdict::Changed => Verdict::Changed,
            inputs => inputs.and(outputs()),
        }
    }

    fn output_verdict(&self, output: &Path, file: &Output) -> Verdict {
        let Some(stamp) = file.stamp else { return Verdict::Changed };
        let path = on_disk(output, &file.path);
        verdict(&path, (stamp, file.found.map(|found| found.hash), self.looked), stamp_at(&path))
    }

    /// What was written to a path of the output, where that depended on the same as now, and nobody has touched it since.
    pub(super) fn current(&self, output: &Path, path: &str, key: &[u8; 32]) -> Option<&Output> {
        let at = self.outputs.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        let file = &self.outputs[at];
        let is_same = file.key.as_ref() == Some(key) && self.output_verdict(output, file) != Verdict::Changed;
        is_same.then_some(file)
    }

    /// The same build, looked at again: its files are the same, and their stamps may be others.
    #[must_use]
    pub(super) fn seen_again(self, root: &Path, listing: &Listing, output: &Path) -> Self {
        let mut inputs = self.inputs;
        inputs.begun = Some(listing.begun);
        for (old, new) in inputs.files.iter_mut().zip(&listing.files) {
            old.stamp = new.stamp;
        }
        for old in &mut inputs.beside {
            old.stamp = stamp_of(&root.join(old.path.as_str())).unwrap_or(old.stamp);
        }
        let files = self.outputs.into_iter().filter(|file| file.path != crate::publish::MANIFEST);
        Self::new(inputs, self.summary, output, files.collect())
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
            let input = Input { path: path.clone(), stamp: stamp_of(&disk).unwrap(), hash: None };
            Inputs { files: vec![input], begun: Some(Moment::now()), ..Inputs::default() }
        };
        let hash_of = |mut inputs: Inputs| {
            let published = HashMap::from([(&path, Fingerprint::of_file(&disk).unwrap())]);
            inputs.add_assets(root.path(), &published);
            inputs.files[0].hash
        };
        assert_eq!(hash_of(listed()), Some(*blake3::hash(b"one").as_bytes()));
        let inputs = listed();
        fs::write(&disk, "two").unwrap();
        assert_eq!(hash_of(inputs), None);
        // Written in the moment of the look.
        let inputs = Inputs { begun: Some(Moment::now()), ..listed() };
        fs::write(&disk, "two").unwrap();
        let just_written = Inputs {
            files: vec![Input { path: path.clone(), stamp: stamp_of(&disk).unwrap(), hash: None }],
            ..inputs
        };
        assert_eq!(hash_of(just_written), None);
    }
}
