//! Builds a site from its folder into the output folder.
//!
//! In: the site's root and [`BuildOptions`]. Out: [`Built`]: the published site, or the findings that block the
//! build.
//!
//! The steps are: read the tree, plan the site, and list the outputs. Then, for each batch of outputs, check its
//! units and render its files into the stage. Finally, replace the output with the stage, and record the inputs and
//! outputs. If nothing has changed since the last build, all of this is skipped.

use std::path::Path;
use std::sync::OnceLock;

use rayon::prelude::*;

use super::CheckedSite;
use super::built::{BuildOptions, Built, Failure, left_out};
use super::contents::FileContents;
use super::last_build::{self, BuildSummary, Inputs, LastBuild, PublishedFile};
use super::outputs::{self, LanguageOutput, Outputs};
use super::part::{PartManifest, keep};
use super::reuse::Reuse;
use super::weight::Weight;
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::output::publish::{self, OutputFolders, Published, Publishing};
use crate::output::render::Rendering;
use crate::output::unit::{Compiler, Share};
use base::diagnostic::{Diagnostic, Report, Severity};
use base::error::Result;
use base::timings::{Stage, part, stage};
use input::source::{self, FileIndex, Listing, Sources};
use review::check;

/// Builds the site in `root`. Results are taken from `cache` if possible, and new results are stored in it.
///
/// # Errors
///
/// If the sources can't be read, the configuration is invalid, or the output folder isn't permitted or can't be
/// written.
pub fn build(root: &Path, settings: &BuildOptions, cache: &Cache) -> Result<Built> {
    let (name, output) = (settings.name(root), settings.published_to());
    let (listing, last) = rayon::join(|| source::list(root), || last_build::read(&cache.store, &name));
    let listing = listing?;
    let folders = listing.folders();
    if let Some(last) = &last
        && settings.may_skip(last)
        && publish::is_at_rest(&output, root, &folders)?
        && let Some(summary) = last.if_unchanged((root, &listing, &output), (&cache.store, &name))
    {
        return Ok(Built::unchanged(summary));
    }
    let (allowed, known) = rayon::join(|| publish::allowed(&output, root, &folders), || cache.sources());
    allowed?;
    let sources = read(&listing, &known, cache)?;
    let options = Options { renditions: true, ..settings.options.clone() };
    let (work, found) = pipeline::plan(sources, &options, cache)?;
    settings.check_against(&work)?;
    let lags = pipeline::find_lags(&work, cache)?;
    let mut inputs = Inputs::of(&work, &listing, &found);
    let place = OutputFolders::find(&output, root, &folders)?;
    let publication = Publication {
        settings,
        cache,
        work: &work,
        found,
        inputs: &inputs,
        listing: &listing,
        known: &known,
        last: last.as_ref(),
        output: &output,
        place: &place,
    };
    let made = match publication.publish() {
        Ok(made) => made,
        Err(Failure::World(error)) => return Err(error),
        Err(Failure::Content { blockers, report }) => {
            // Store parsed pages even if nothing is published.
            cache.flush();
            return Ok(Built::Refused { blockers, found: CheckedSite { report, work } });
        }
    };
    let BuildResult { published, missing, weight, files, manifest, report } = made;
    let summary = BuildSummary {
        pages: manifest.pages.len(),
        files: published.files,
        errors: report.count(Severity::Error),
        warnings: report.count(Severity::Warning),
        left_out: left_out(&work.project.site, &report),
    };
    let published_files = || files.iter().map(|(path, file)| (path.as_str(), *file));
    if cache.store.is_kept() {
        let look = || {
            inputs.add_assets(root, &outputs::unchanged_assets(&work, &files));
            LastBuild::new(inputs, summary, &output, published_files())
        };
        let ((), last) = rayon::join(|| cache.flush(), look);
        last_build::keep(&cache.store, &name, &last);
    }
    if let Share::Shard { .. } = settings.options.share {
        keep(&settings.output, published_files(), &manifest, &cache.store)?;
    }
    Ok(Built::Published {
        summary,
        published,
        missing,
        weight,
        found: Some(CheckedSite { report, work }),
        lacks_history: lags.lacks_history,
    })
}

/// Reads the listed files, and all other inputs of a build.
fn read(listing: &Listing, known: &FileIndex, cache: &Cache) -> Result<Sources> {
    let _stage = stage(Stage::Read);
    let sources = source::read_listed(listing, known)?;
    pipeline::with_parts(sources, cache).and_then(pipeline::with_hashes)
}

/// A planned site to be published.
struct Publication<'a> {
    settings: &'a BuildOptions,
    cache: &'a Cache,
    work: &'a Rendering,
    /// Findings from planning.
    found: Report,
    inputs: &'a Inputs,
    listing: &'a Listing,
    /// The files that earlier runs read.
    known: &'a FileIndex,
    last: Option<&'a LastBuild>,
    output: &'a Path,
    place: &'a OutputFolders,
}

/// Result of publishing.
struct BuildResult {
    published: Published,
    /// Number of files that none of the given shards contains.
    missing: usize,
    weight: Option<Weight>,
    /// Sorted by path.
    files: Vec<(String, PublishedFile)>,
    manifest: PartManifest,
    report: Report,
}

/// Number of batches after which results that are no longer needed are stored. A small site has fewer.
const BATCHES_TO_STORE: usize = 10;

impl Publication<'_> {
    /// Checks the site and publishes the changes since the last build.
    fn publish(&self) -> std::result::Result<BuildResult, Failure> {
        let Self { settings: BuildOptions { options, parts, .. }, cache, work, .. } = *self;
        let evidence = pipeline::evidence(work, options, cache)?;
        let of_translations = pipeline::evidence_of_translations(work, &evidence);
        let languages = work.languages().enumerate().map(|(at, work)| {
            let evidence = if at == 0 { &evidence } else { &of_translations };
            LanguageOutput::new(work, Compiler::new(work, evidence, &cache.units, &options.share))
        });
        let languages: Vec<LanguageOutput<'_>> = languages.collect();
        // If findings can block the build, check the complete site before rendering.
        let mut report = None;
        if self.settings.strict || self.found.blockers().next().is_some() {
            let _stage = stage(Stage::Check);
            for language in &languages {
                language.compiler.read_all(None);
            }
            report = Some(self.approved(&languages)?);
        }
        let outputs = Outputs::of(&languages, &options.share, self.inputs)?;
        let reuse = Reuse::of((&outputs, &languages), (self.output, self.last), parts);
        let contents = FileContents::new(cache, &reuse);
        // Store the results so far while the site is published, so that only the results of publishing remain to be
        // stored.
        let (published, found) = std::thread::scope(|scope| {
            scope.spawn(|| {
                cache.flush();
                cache.keep_sources(self.known, work.project.sources.whole(), self.listing);
            });
            let _stage = stage(Stage::Publish);
            let (published, current) = (|| reuse.published(), |at| reuse.current(at));
            let publishing = Publishing::begin(self.place, &outputs.paths, published, current)?;
            for (at, batch) in outputs.batches.iter().enumerate() {
                if (at + 1).is_multiple_of(BATCHES_TO_STORE) {
                    scope.spawn(|| cache.flush_pages());
                }
                let rendering = OnceLock::new();
                languages[batch.language].compiler.read(&batch.units, &rendering, None);
                let put = |&at: &usize| publishing.put(at, || contents.of(at, &rendering));
                batch.files.par_iter().try_for_each(put)?;
                // Free the memory in the background while the next batch starts.
                rayon::spawn(move || {
                    let _part = part(Stage::Render);
                    drop(rendering);
                });
            }
            if report.is_none() {
                report = Some(self.approved(&languages)?);
            }
            work.project.sources.are_as_read()?;
            Ok::<_, Failure>(publishing.finish(|at| outputs.files[at].origin.class())?)
        })?;
        let is_new_whole = options.share == Share::All && published.written + published.removed > 0;
        Ok(BuildResult {
            weight: is_new_whole.then(|| outputs.weight(&found)),
            files: outputs.published(&languages, &found),
            published,
            missing: contents.missing(),
            manifest: PartManifest::of(&languages, &outputs, &options.share),
            report: report.expect("what is published was approved"),
        })
    }

    /// Returns all findings, or a failure if they block the build.
    fn approved(&self, languages: &[LanguageOutput<'_>]) -> std::result::Result<Report, Failure> {
        let _part = part(Stage::Check);
        let translations = languages[1..].iter().map(|language| &language.compiler);
        let report = languages[0].compiler.join(self.found.clone(), translations);
        self.work.project.sources.are_as_read()?;
        let is_blocked = report.blockers().next().is_some();
        if is_blocked || self.settings.strict && check::fails(&report, Severity::Error) {
            let bar = if is_blocked { Diagnostic::blocks_build } else { Diagnostic::is_error };
            let blockers = report.iter().filter(|finding| bar(finding)).cloned().collect();
            return Err(Failure::Content { blockers, report });
        }
        Ok(report)
    }
}
