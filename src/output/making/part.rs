//! What one of several machines makes of a site, for the one that puts all together.
//!
//! A part is a folder. Below `site` are files as they are published; `made` is a store of what was found on the pages, what
//! their units asked for, how long they take to read, which anchors they have, the words of the search, and smaller versions
//! of pictures. It is a cache like any other: what a part does not have, or was made from other sources, is made by the build
//! that is given the part. So with any parts the same site is published.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::FileRecords;
use super::last_build::PublishedFile;
use crate::base::error::{Error, Result};
use crate::base::hash::HashSet;
use crate::base::store::{Flush, Key, Store};
use crate::base::timings::{Stage, part};
use crate::output::pictures::Pictures;
use crate::output::publish::Fingerprint;
use crate::output::search::SearchTables;
use crate::output::unit::{UnitKeys, UnitTables};
use crate::site::pages::Parsed;

/// Where its files are, in its folder.
const SITE: &str = "site";

/// Where its store is, in its folder.
const MADE: &str = "made";

/// Which files it has, in its store.
const FILES: &str = "part.last";

/// A part that was made before.
#[derive(Debug)]
pub struct ShardResult {
    /// As it was named.
    folder: PathBuf,
    site: PathBuf,
    store: Store,
    /// Sorted by path.
    files: FileRecords<PublishedFile>,
}

impl ShardResult {
    /// The part in a folder.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] where there is none that this program has made.
    pub fn open(folder: &Path) -> Result<Arc<Self>> {
        let store = Store::at(&folder.join(MADE));
        let Some(files) = store.read(FILES) else {
            let text = match store.is_of_another_program() {
                true => {
                    "is from another Stepkin version; build all shards and merge them with the same version"
                }
                false => "is not a shard; run `stepkin build --shard I/N --output DIR` to build one",
            };
            return Err(Error::usage(format!("`{}` {text}", folder.display())));
        };
        Ok(Arc::new(Self { folder: folder.to_path_buf(), site: site_in(folder), store, files }))
    }

    /// Refuses a part of another site, of which nothing could be used.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] where `paths`, the files of this site, have less than half of the part's pages.
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

    /// What was found and made beside its files.
    pub fn store(&self) -> Store {
        self.store.clone()
    }

    /// The content of a file that depends on what `key` says, as it was made.
    pub(super) fn find(&self, path: &str, key: &Key) -> Option<Vec<u8>> {
        let file = self.files.find(path).filter(|file| file.key.as_ref() == Some(key))?;
        let bytes = fs::read(self.site.join(path)).ok()?;
        (file.found? == Fingerprint::of(&bytes)).then_some(bytes)
    }
}

/// Where the files of a part are.
pub(super) fn site_in(folder: &Path) -> PathBuf {
    folder.join(SITE)
}

/// What a part is made of, beside its files.
#[derive(Debug, Default)]
pub(super) struct PartManifest {
    pub(super) units: Vec<UnitKeys>,
    /// Of its pages: the home page says how long all take, and maps of the site have their anchors.
    pub(super) pages: Vec<Key>,
    /// Of parts of the search.
    pub(super) words: Vec<Key>,
    /// The hashes of pictures. Pages of every part show some, so who makes a part has the versions of all.
    pub(super) pictures: Vec<Key>,
}

/// Puts beside the files of a part what else was made of it, out of the store that has all that this run has made.
///
/// # Errors
///
/// When the folder cannot be written to.
pub(super) fn keep<'o>(
    folder: &Path,
    outputs: impl Iterator<Item = (&'o str, PublishedFile)>,
    contents: &PartManifest,
    made: &Store,
) -> Result<()> {
    let _part = part(Stage::Cache);
    let store = Store::at(&folder.join(MADE));
    let Some(writer) = store.writer() else {
        let text = format!("cannot write `{}`: another run is writing to it", folder.join(MADE).display());
        return Err(Error::usage(text));
    };
    let (units, known_units) = (UnitTables::of(&store), UnitTables::of(made));
    for keys in &contents.units {
        known_units.copy(keys, &units);
    }
    let (pages, known_pages) = (Parsed::of(&store), Parsed::of(made));
    for key in &contents.pages {
        known_pages.copy_facts(key, &pages);
    }
    let (words, known_words) = (SearchTables::of(&store), SearchTables::of(made));
    for key in &contents.words {
        known_words.copy_words(key, &words);
    }
    let (pictures, known_pictures) = (Pictures::of(&store), Pictures::of(made));
    for picture in &contents.pictures {
        known_pictures.copy(picture, &pictures);
    }
    let ([_, minutes, anchors], [words, _], [renditions, bytes]) =
        (pages.tables(), words.tables(), pictures.tables());
    for table in
        [units.findings() as &dyn Flush, units.rendered(), minutes, anchors, words, renditions, bytes]
    {
        writer.flush(table);
    }
    // This comes last: without it there is no part.
    writer.write(FILES, &outputs.collect::<FileRecords<PublishedFile>>());
    Ok(())
}
