//! The contents of output files: from a shard, or rendered.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::built::Failure;
use super::outputs::{LanguageOutput, Output, OutputOrigin};
use super::reuse::Reuse;
use crate::output::cache::Cache;
use crate::output::render::Rendering;
use crate::output::unit::Unit;
use base::diagnostic::Report;
use base::timings::{Stage, part};
use site::plan::{Artifact, Content};

/// Creates the files of a site, on any thread.
pub(super) struct FileContents<'a> {
    cache: &'a Cache,
    reuse: &'a Reuse<'a>,
    /// Number of units' files that none of the given shards contains.
    missing: AtomicUsize,
}

impl<'a> FileContents<'a> {
    pub(super) fn new(cache: &'a Cache, reuse: &'a Reuse<'a>) -> Self {
        Self { cache, reuse, missing: AtomicUsize::new(0) }
    }

    pub(super) fn missing(self) -> usize {
        self.missing.into_inner()
    }

    /// Returns the content of a file. `rendering` is that of its batch.
    pub(super) fn of(&self, at: usize, rendering: &OnceLock<Rendering>) -> Result<Content, Failure> {
        let Output { language, origin, .. } = &self.reuse.outputs.files[at];
        let LanguageOutput { work, compiler, .. } = &self.reuse.languages[*language];
        if let Some(bytes) = self.reuse.shard_file(at) {
            return Ok(Content::Bytes(bytes.into()));
        }
        if origin.made_with(compiler).is_some_and(|unit| !matches!(unit, Unit::Site | Unit::LinkMap)) {
            self.missing.fetch_add(1, Ordering::Relaxed);
        }
        let work = rendering.get_or_init(|| work.fresh());
        match origin {
            OutputOrigin::Search(file) => {
                let _part = part(Stage::Search);
                Ok(Content::Bytes(file.bytes(work, self.cache.stored_search()).to_vec().into()))
            }
            OutputOrigin::Planned(address, artifact) => {
                let _part = part(stage_of(artifact));
                let text_at = |address: &_| self.reuse.text(*language, address);
                compiler.render(work, (address, artifact), text_at).map_err(|finding| {
                    let report: Report = [finding].into_iter().collect();
                    Failure::Content { blockers: report.clone(), report }
                })
            }
        }
    }
}

/// Returns the stage to which the time of an artifact counts.
fn stage_of(artifact: &Artifact) -> Stage {
    match artifact {
        Artifact::Compare { .. } => Stage::Comparisons,
        Artifact::Data { .. } | Artifact::Spreadsheet { .. } => Stage::Data,
        Artifact::Twin(_) | Artifact::Llms(_) | Artifact::LlmsBelow(_) | Artifact::LlmsFull(_) => {
            Stage::Markdown
        }
        Artifact::Rendition { .. } => Stage::Pictures,
        _ => Stage::Render,
    }
}
