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
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::CheckedSite;
use super::built::{BuildOptions, Built};
use super::last_build::{self, BuildSummary, DiskState, Inputs, LastBuild, PublishedFile};
use super::outputs::{LanguageOutput, Output, OutputOrigin, Outputs};
use super::part::{PartManifest, keep};
use super::reuse::Reuse;
use super::weight::Weight;
use crate::base::diagnostic::{Code, Diagnostic, Report, Severity};
use crate::base::error::{Error, Result};
use crate::base::hash::HashMap;
use crate::base::timings::{Stage, part, stage};
use crate::input::source::{self, FileIndex, Listing, Sources};
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::output::publish::{self, Fingerprint, OutputFolders, Published, Publishing};
use crate::output::render::Rendering;
use crate::output::unit::{Compiler, Share, Unit, UnitKey};
use crate::review::check::{self, TranslationFindings};
use crate::site::content;
use crate::site::plan::{Artifact, Content};

/// Builds the site in `root`. Results are taken from `cache` if possible, and new results are stored in it.
///
/// # Errors
///
/// If the sources can't be read, the configuration is invalid, or the output folder isn't permitted or can't be
/// written.
pub fn build(root: &Path, settings: &BuildOptions, cache: &Cache) -> Result<Built> {
    let (name, output) = (name(root, settings), settings.published_to());
    let (listing, last) = rayon::join(|| source::list(root), || last_build::read(&cache.store, &name));
    let listing = listing?;
    let folders = listing.folders();
    if let Some(last) = &last
        && may_be_unchanged(settings, last)
        && publish::is_at_rest(&output, root, &folders)?
        && let Some(summary) = unchanged(last, (root, &listing, &output), (cache, &name))
    {
        return Ok(Built::unchanged(summary));
    }
    let (allowed, known) = rayon::join(|| publish::allowed(&output, root, &folders), || cache.sources());
    allowed?;
    let sources = read(&listing, &known, cache)?;
    let options = Options { renditions: true, by_language: true, ..settings.options.clone() };
    let (work, found) = pipeline::plan(sources, &options, cache)?;
    settings.check_against(&work)?;
    let mut inputs = Inputs::of(&work, &listing);
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
    let BuildResult { published, missing, weight, files, contents, report } = made;
    let summary = BuildSummary {
        pages: contents.pages.len(),
        files: published.files,
        errors: report.count(Severity::Error),
        warnings: report.count(Severity::Warning),
        left_out: left_out(&work.project.site, &report),
    };
    let published_files = || files.iter().map(|(path, file)| (path.as_str(), *file));
    if cache.store.is_kept() {
        let look = || {
            inputs.add_assets(root, &published_assets(&work, &files));
            LastBuild::new(inputs, summary, &output, published_files())
        };
        let ((), last) = rayon::join(|| cache.flush(), look);
        last_build::keep(&cache.store, &name, &last);
    }
    if let Share::Shard { .. } = settings.options.share {
        keep(&settings.output, published_files(), &contents, &cache.store)?;
    }
    Ok(Built::Published { summary, published, missing, weight, found: Some(CheckedSite { report, work }) })
}

/// Identifies a build by its settings and its output folder. If the output folder is outside `root`, only the
/// settings count, so that a copy of the site elsewhere has the same name.
fn name(root: &Path, settings: &BuildOptions) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let output = absolute(&settings.output);
    let below = output.strip_prefix(absolute(root)).unwrap_or(Path::new("elsewhere/"));
    format!("{} {:?}", below.display(), settings.options)
}

/// Whether the build may end early if no file has changed. It may not if the caller needs the findings, or if a
/// strict build has errors. A shard consists of more than its files.
fn may_be_unchanged(
    BuildOptions { wants_findings, strict, options, .. }: &BuildOptions,
    last: &LastBuild,
) -> bool {
    let must_find = *wants_findings || *strict && last.summary.errors > 0;
    !must_find && !matches!(options.share, Share::Shard { .. })
}

/// Returns the figures of the last build if its inputs and outputs are unchanged.
fn unchanged(
    last: &LastBuild,
    (root, listing, output): (&Path, &Listing, &Path),
    (cache, name): (&Cache, &str),
) -> Option<BuildSummary> {
    match last.verdict(root, listing, output) {
        DiskState::Changed => return None,
        DiskState::Same => {}
        DiskState::SameByContent => {
            last_build::keep(&cache.store, name, &last.seen_again(root, listing, output));
        }
    }
    Some(last.summary)
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
    contents: PartManifest,
    report: Report,
}

/// Why a site couldn't be published.
enum Failure {
    World(Error),
    /// Findings that block the build, and all findings.
    Content {
        blockers: Report,
        report: Report,
    },
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::World(error)
    }
}

impl Publication<'_> {
    /// Checks the site and publishes the changes since the last build.
    fn publish(&self) -> std::result::Result<BuildResult, Failure> {
        let Self { settings: BuildOptions { options, parts, .. }, cache, work, .. } = *self;
        let evidence = pipeline::evidence(work, options, cache)?;
        let of_translations = pipeline::evidence_of_translations(&evidence);
        let languages = work.languages().enumerate().map(|(at, work)| {
            let evidence = if at == 0 { &evidence } else { &of_translations };
            LanguageOutput::new(work, compiler(work, evidence, cache, &options.share))
        });
        let languages: Vec<LanguageOutput<'_>> = languages.collect();
        // If findings can block the build, check the complete site before rendering.
        let mut report = None;
        if self.settings.strict || self.found.blockers().next().is_some() {
            for language in &languages {
                check_all(&language.compiler);
            }
            report = Some(self.approved(&languages)?);
        }
        let outputs = Outputs::of(&languages, &options.share, self.inputs)?;
        let reuse = Reuse::of((&outputs, &languages), (self.output, self.last), parts);
        let missing = AtomicUsize::new(0);
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
            for batch in &outputs.batches {
                let made = OnceLock::new();
                languages[batch.language].compiler.read(&batch.units, &made, None);
                let put = |&at: &usize| publishing.put(at, || self.render(at, &reuse, &made, &missing));
                batch.files.par_iter().try_for_each(put)?;
                // Free the memory in the background while the next batch starts.
                rayon::spawn(move || free(made));
            }
            if report.is_none() {
                report = Some(self.approved(&languages)?);
            }
            work.project.sources.are_as_read()?;
            Ok::<_, Failure>(publishing.finish(|at| outputs.files[at].origin.class())?)
        })?;
        let contents = PartManifest {
            units: languages.iter().flat_map(|language| language.compiler.keys()).collect(),
            pages: languages.iter().flat_map(LanguageOutput::page_keys).collect(),
            words: outputs.files.iter().filter_map(|file| file.origin.words()).collect(),
            pictures: pictures(work, &options.share),
        };
        let is_new_whole = options.share == Share::All && published.written + published.removed > 0;
        Ok(BuildResult {
            weight: is_new_whole.then(|| outputs.weight(&found)),
            files: outputs.published(&languages, &found),
            published,
            missing: missing.into_inner(),
            contents,
            report: report.expect("what is published was approved"),
        })
    }

    /// Returns all findings, or a failure if they block the build.
    fn approved(&self, languages: &[LanguageOutput<'_>]) -> std::result::Result<Report, Failure> {
        let _part = part(Stage::Check);
        let mut of_translations = TranslationFindings::default();
        for LanguageOutput { work, compiler, .. } in &languages[1..] {
            let of_one = compiler.of_translation();
            of_translations.add(TranslationFindings { found: pipeline::own(work, of_one.found), ..of_one });
        }
        let mut found = self.found.clone();
        found.extend(of_translations.found);
        let report = languages[0].compiler.join(found, &of_translations.files);
        self.work.project.sources.are_as_read()?;
        let is_blocked = report.blockers().next().is_some();
        if is_blocked || self.settings.strict && check::fails(&report, Severity::Error) {
            let bar = if is_blocked { Diagnostic::blocks_build } else { Diagnostic::is_error };
            let blockers = report.iter().filter(|finding| bar(finding)).cloned().collect();
            return Err(Failure::Content { blockers, report });
        }
        Ok(report)
    }

    /// Returns the content of a file. `made` is the rendering of its batch.
    fn render(
        &self,
        at: usize,
        reuse: &Reuse<'_>,
        made: &OnceLock<Rendering>,
        missing: &AtomicUsize,
    ) -> std::result::Result<Content, Failure> {
        let Output { language, origin, .. } = &reuse.outputs.files[at];
        let LanguageOutput { work, compiler, .. } = &reuse.languages[*language];
        if let Some(bytes) = reuse.shard_file(at) {
            return Ok(Content::Bytes(bytes.into()));
        }
        if origin.made_with(compiler).is_some_and(|unit| unit != Unit::Site) {
            missing.fetch_add(1, Ordering::Relaxed);
        }
        let work = made.get_or_init(|| work.fresh());
        match origin {
            OutputOrigin::Search(file) => {
                let _part = part(Stage::Search);
                Ok(Content::Bytes(file.bytes(work, self.cache.stored_search()).to_vec().into()))
            }
            OutputOrigin::Planned(address, artifact) => {
                let _part = part(stage_of(artifact));
                compiler.render(work, (address, artifact), |address| reuse.text(*language, address)).map_err(
                    |finding| {
                        let report: Report = [finding].into_iter().collect();
                        Failure::Content { blockers: report.clone(), report }
                    },
                )
            }
        }
    }
}

fn compiler<'a>(
    work: &'a Rendering,
    evidence: &'a check::Evidence,
    cache: &'a Cache,
    share: &Share,
) -> Compiler<'a> {
    let _stage = stage(Stage::Check);
    Compiler::new(work, evidence, &cache.units, share)
}

fn check_all(compiler: &Compiler<'_>) {
    let _stage = stage(Stage::Check);
    compiler.read_all(None);
}

/// Frees the rendering of a batch.
fn free(made: OnceLock<Rendering>) {
    let _part = part(Stage::Render);
    drop(made);
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

/// Returns the number of unsupported constructs that were left out of a site's pages.
pub fn left_out(site: &content::Site, report: &Report) -> usize {
    if site.repository.is_ours() {
        return 0;
    }
    let foreign = report.iter().filter(|finding| finding.problem.code == Code::UnsupportedSyntax);
    let places = foreign.filter_map(|finding| finding.problem.data.get("places")?.as_u64());
    places.map(|places| usize::try_from(places).unwrap_or(usize::MAX)).sum()
}

/// Returns the hashes of the images whose smaller versions a shard contains.
fn pictures(work: &Rendering, share: &Share) -> Vec<UnitKey> {
    let Share::Shard { at, of } = share else { return Vec::new() };
    let assets = work.project.sources.whole().assets.values().filter(|asset| asset.may_be_smaller());
    let hashes = assets.filter_map(|asset| Some(*asset.hash?.as_bytes()));
    hashes.enumerate().filter(|(index, _)| index % of == *at).map(|(_, hash)| hash).collect()
}

/// Returns the fingerprints of files that are published unchanged.
fn published_assets<'w>(
    work: &'w Rendering,
    files: &[(String, PublishedFile)],
) -> HashMap<&'w str, Fingerprint> {
    let assets = work.project.plan.artifacts().filter_map(|(address, artifact)| {
        let Artifact::Asset(path) = artifact else { return None };
        let at = files.binary_search_by(|(it, _)| it.cmp(&address.output_path())).ok()?;
        Some((path.as_str(), files[at].1.found?))
    });
    assets.collect()
}
