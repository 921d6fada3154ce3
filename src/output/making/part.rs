//! The shard of a site that one of several machines builds, for merging.
//!
//! A part is a folder. `site` contains files as they are published. `made` is a store with findings, imports of
//! units, reading times, anchors, words of the search, smaller images, diagrams, and cards. It is a cache like any other: results that
//! a part lacks, or that depend on other sources, are created by the merging build. So any parts give the same site.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::FileRecords;
use super::last_build::PublishedFile;
use super::outputs::{LanguageOutput, Outputs};
use crate::output::cache::store_at;
use crate::output::drawn::Drawn;
use crate::output::pictures::Pictures;
use crate::output::publish::Fingerprint;
use crate::output::render::Rendering;
use crate::output::search::SearchTables;
use crate::output::unit::{Share, UnitKeys, UnitTables};
use base::error::{Error, Result};
use base::hash::HashSet;
use base::store::{Flush, Key, Store};
use base::timings::{Stage, part};
use site::pages::Parsed;
use site::plan::Artifact;

/// The folder of its files.
const SITE: &str = "site";

/// The folder of its store.
const MADE: &str = "made";

/// The list of its files, in its store.
const FILES: &str = "part.last";

/// A part of an earlier run.
#[derive(Debug)]
pub struct ShardResult {
    /// As specified.
    folder: PathBuf,
    site: PathBuf,
    store: Store,
    /// Sorted by path.
    files: FileRecords<PublishedFile>,
}

impl ShardResult {
    /// Opens the part in a folder.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] if this version of the program didn't write it.
    pub fn open(folder: &Path) -> Result<Arc<Self>> {
        let store = store_at(&folder.join(MADE));
        let Some(files) = store.read(FILES) else {
            let text = if store.is_of_another_program() {
                "is from another Stepkin version; build all shards and merge them with the same version"
            } else {
                "is not a shard; run `stepkin build --shard I/N --output DIR` to build one"
            };
            return Err(Error::usage(format!("`{}` {text}", folder.display())));
        };
        Ok(Arc::new(Self { folder: folder.to_path_buf(), site: site_in(folder), store, files }))
    }

    /// Refuses a part of another site, from which nothing could be used.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] if `paths`, the files of this site, contain less than half of the part's pages.
    pub(super) fn belongs_to(&self, paths: &HashSet<String>) -> Result<()> {
        let pages: Vec<&str> = self.files.paths().filter(|path| path.ends_with(".html")).collect();
        let known = pages.iter().filter(|path| paths.contains(**path)).count();
        if 2 * known >= pages.len() {
            return Ok(());
        }
        let folder = self.folder.display();
        let text = format!(
            "`{folder}` is a shard of another site: this site has {known} of its {} pages; build the shards again, or merge them in \
             the site that they are from",
            pages.len()
        );
        Err(Error::usage(text))
    }

    /// Returns its cached results.
    pub fn store(&self) -> Store {
        self.store.clone()
    }

    /// Returns the content of a file with this key, as it was built.
    pub(super) fn find(&self, path: &str, key: &Key) -> Option<Vec<u8>> {
        let file = self.files.find(path).filter(|file| file.key.as_ref() == Some(key))?;
        let bytes = fs::read(self.site.join(path)).ok()?;
        (file.found? == Fingerprint::of(&bytes)).then_some(bytes)
    }
}

/// Returns the folder of a part's files.
pub(super) fn site_in(folder: &Path) -> PathBuf {
    folder.join(SITE)
}

/// The results of a part in addition to its files.
#[derive(Debug, Default)]
pub(super) struct PartManifest {
    units: Vec<UnitKeys>,
    /// Keys of its pages, because the home page shows the total reading time, and the site's link map contains their
    /// anchors.
    pub(super) pages: Vec<Key>,
    /// Keys of parts of the search.
    words: Vec<Key>,
    /// Hashes of images. Pages in every part show some, so each part contains the versions of all.
    pictures: Vec<Key>,
    /// Keys of the images that programs drew, likewise.
    drawings: Vec<Key>,
}

impl PartManifest {
    pub(super) fn of(languages: &[LanguageOutput<'_>], outputs: &Outputs<'_>, share: &Share) -> Self {
        Self {
            units: languages.iter().flat_map(|language| language.compiler.keys()).collect(),
            pages: languages.iter().flat_map(LanguageOutput::page_keys).collect(),
            words: outputs.files.iter().filter_map(|file| file.origin.words()).collect(),
            pictures: pictures(languages[0].work, share),
            drawings: languages.iter().flat_map(|language| drawings(language.work, share)).collect(),
        }
    }
}

/// Returns the hashes of the images whose smaller versions a shard contains.
fn pictures(work: &Rendering, share: &Share) -> Vec<Key> {
    let Share::Shard { at, of } = share else { return Vec::new() };
    let assets = work.project.sources.whole().assets.values().filter(|asset| asset.may_be_smaller());
    let hashes = assets.filter_map(|asset| Some(*asset.hash?.as_bytes()));
    every(*at, *of, hashes)
}

/// Returns the keys of the images that programs drew and a shard contains.
fn drawings(work: &Rendering, share: &Share) -> Vec<Key> {
    let Share::Shard { at, of } = share else { return Vec::new() };
    let all = work.project.plan.artifacts().filter_map(|(_, artifact)| match artifact {
        Artifact::Drawing { key, .. } => Some(*key),
        _ => None,
    });
    every(*at, *of, all)
}

/// Returns the keys that the shard `at` of `of` contains.
fn every(at: usize, of: usize, keys: impl Iterator<Item = Key>) -> Vec<Key> {
    keys.enumerate().filter(|(index, _)| index % of == at).map(|(_, key)| key).collect()
}

/// Copies the results of a part into its store, from the store with all results of this run.
///
/// # Errors
///
/// If the folder isn't writable.
pub(super) fn keep<'o>(
    folder: &Path,
    outputs: impl Iterator<Item = (&'o str, PublishedFile)>,
    manifest: &PartManifest,
    made: &Store,
) -> Result<()> {
    let _part = part(Stage::Cache);
    let store = store_at(&folder.join(MADE));
    let Some(writer) = store.writer() else {
        let text = format!("cannot write `{}`: another run is writing to it", folder.join(MADE).display());
        return Err(Error::usage(text));
    };
    let (units, known_units) = (UnitTables::of(&store), UnitTables::of(made));
    for keys in &manifest.units {
        known_units.copy(keys, &units);
    }
    let (pages, known_pages) = (Parsed::of(&store), Parsed::of(made));
    for key in &manifest.pages {
        known_pages.copy_facts(key, &pages);
    }
    let (words, known_words) = (SearchTables::of(&store), SearchTables::of(made));
    for key in &manifest.words {
        known_words.copy_words(key, &words);
    }
    let (pictures, known_pictures) = (Pictures::of(&store), Pictures::of(made));
    for picture in &manifest.pictures {
        known_pictures.copy(picture, &pictures);
    }
    let (drawn, known_drawn) = (Drawn::of(&store), Drawn::of(made));
    for key in &manifest.drawings {
        known_drawn.copy(key, &drawn);
    }
    let ([_, minutes, anchors], [words, _], [renditions, bytes]) =
        (pages.tables(), words.tables(), pictures.tables());
    let of_units = [units.findings() as &dyn Flush, units.rendered(), minutes, anchors];
    for table in of_units.into_iter().chain([words as &dyn Flush, renditions, bytes, drawn.table()]) {
        writer.flush(table, true);
    }
    // Written last, because without it the folder isn't a part.
    writer.write(FILES, &outputs.collect::<FileRecords<PublishedFile>>());
    Ok(())
}
