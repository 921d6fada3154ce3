//! Finds files that don't have to be rendered because the last build or a shard contains them.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::last_build::{LastBuild, PublishedFile};
use super::outputs::{LanguageOutput, Outputs};
use super::part::ShardResult;
use crate::output::publish::Fingerprint;
use crate::output::unit::UnitKey;
use base::address::Address;
use base::timings::{Stage, part};

/// Existing files, which are valid as long as their keys are the same.
pub(super) struct Reuse<'a> {
    pub(super) outputs: &'a Outputs<'a>,
    pub(super) languages: &'a [LanguageOutput<'a>],
    /// The output folder of the last build.
    output: &'a Path,
    last: Option<&'a LastBuild>,
    /// For each path, its position in the last build.
    before: Vec<Option<usize>>,
    /// For each path, the file of the last build if it is still valid. Looked up on first use.
    current: Vec<OnceLock<Option<PublishedFile>>>,
    shards: &'a [Arc<ShardResult>],
}

impl<'a> Reuse<'a> {
    pub(super) fn of(
        (outputs, languages): (&'a Outputs<'a>, &'a [LanguageOutput<'a>]),
        (output, last): (&'a Path, Option<&'a LastBuild>),
        shards: &'a [Arc<ShardResult>],
    ) -> Self {
        let paths = &outputs.paths;
        let before = last.map_or_else(|| vec![None; paths.len()], |last| last.positions(paths));
        let current = paths.iter().map(|_| OnceLock::new()).collect();
        Self { outputs, languages, output, last, before, current, shards }
    }

    /// Returns the files in the manifest of the output, if the manifest is unchanged since the last build.
    pub(super) fn published(&self) -> Option<Vec<String>> {
        self.last?.published(self.output)
    }

    /// Returns the fingerprint of the file at a path in the output, if it is still valid.
    pub(super) fn current(&self, at: usize) -> Option<Fingerprint> {
        self.last_output(at)?.found
    }

    fn last_output(&self, at: usize) -> Option<PublishedFile> {
        *self.current[at].get_or_init(|| self.last?.current(self.output, self.before[at]?, &self.key(at)?))
    }

    fn key(&self, at: usize) -> Option<UnitKey> {
        self.outputs.key(at, self.languages)
    }

    /// Returns the content of a path in a shard, if it is still valid.
    pub(super) fn shard_file(&self, at: usize) -> Option<Vec<u8>> {
        if self.shards.is_empty() {
            return None;
        }
        let _part = part(Stage::Cache);
        let key = self.key(at)?;
        self.shards.iter().find_map(|shard| shard.find(&self.outputs.paths[at], &key))
    }

    /// Returns the text of the existing file at an address of a language, if there is one.
    pub(super) fn text(&self, language: usize, address: &Address) -> Option<String> {
        let path = self.languages[language].path(address);
        let at = self.outputs.paths.binary_search(&path).ok()?;
        let here = || self.last_output(at)?.read(self.output, &path);
        here().or_else(|| String::from_utf8(self.shard_file(at)?).ok())
    }
}
