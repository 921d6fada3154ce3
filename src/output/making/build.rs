//! Builds a site: from its folder to a published one.
//!
//! In: the site's root and [`BuildOptions`]. Out: [`Built`]: what was published, or what keeps it from being published.
//! What the last build read and wrote is remembered: where nothing has changed, nothing is made.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::CheckedSite;
use super::last_build::{self, BuildSummary, DiskState, Inputs, LastBuild, PublishedFile};
use super::part::{PartManifest, ShardResult, keep, site_in};
use super::weight::Weight;
use crate::base::address::Address;
use crate::base::diagnostic::{Code, Diagnostic, Report, Severity};
use crate::base::error::{Error, Result};
use crate::base::hash::HashMap;
use crate::base::store::TableUse;
use crate::base::timings::{Stage, part, stage};
use crate::input::source::{self, FileIndex, Listing};
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::output::publish::{self, Fingerprint, Published};
use crate::output::render::Rendering;
use crate::output::search::{self, MadeWith};
use crate::output::unit::{Compiler, Share, Unit, UnitKey};
use crate::review::check;
use crate::site::content;
use crate::site::plan::{Artifact, Class, Content, Extra};

/// What is built, and where to.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Where to publish; must be new, empty, or made by a build. A shard's files come into the folder `site` in it, see
    /// [`ShardResult`].
    pub output: PathBuf,
    pub options: Options,
    /// Publish nothing when the check finds an error.
    pub strict: bool,
    /// Find everything again where nothing has changed: somebody wants to read it.
    pub wants_findings: bool,
    /// What was made of the site elsewhere. The cache should know their stores.
    pub parts: Vec<Arc<ShardResult>>,
}

impl BuildOptions {
    /// Where the files go.
    pub fn published_to(&self) -> PathBuf {
        match self.options.share {
            Share::Shard { .. } => site_in(&self.output),
            Share::All | Share::Families(_) => self.output.clone(),
        }
    }
}

/// How a build ended.
#[derive(Debug)]
pub enum Built {
    /// The site is in its output folder. `weight` is what a host has to take of a whole site, and `found` what was found;
    /// nothing where nothing has changed. So many files are `missing` in the parts that were given.
    Published {
        summary: BuildSummary,
        published: Published,
        missing: usize,
        weight: Option<Weight>,
        found: Option<CheckedSite>,
    },
    /// The output is as it was, for these findings.
    Refused { blockers: Report, found: CheckedSite },
}

impl Built {
    /// What was found; nothing where nothing has changed.
    pub fn found(&self) -> Option<&CheckedSite> {
        match self {
            Self::Published { found, .. } => found.as_ref(),
            Self::Refused { found, .. } => Some(found),
        }
    }

    /// The same, for good.
    pub fn into_found(self) -> Option<CheckedSite> {
        match self {
            Self::Published { found, .. } => found,
            Self::Refused { found, .. } => Some(found),
        }
    }

    /// How many published files were known from the build before, and how many were made.
    pub fn outputs(&self) -> TableUse {
        match self {
            Self::Published { published, .. } => {
                TableUse { known: published.known, made: published.files - published.known }
            }
            Self::Refused { .. } => TableUse::default(),
        }
    }
}

/// Builds the site below `root`. What `cache` knows is not made again, and what is made is kept in it.
///
/// # Errors
///
/// When the sources cannot be read, the configuration cannot be used, or the output must not or cannot be written.
pub fn build(root: &Path, settings: &BuildOptions, cache: &Cache) -> Result<Built> {
    let name = name(root, settings);
    let (listing, last) = rayon::join(
        || stage(Stage::Read, || source::list(root)),
        || part(Stage::Cache, || last_build::read(&cache.store, &name)),
    );
    let listing = listing?;
    let making =
        Making { root, settings, output: settings.published_to(), cache, folders: listing.folders() };
    let last = match making.unless_changed(&listing, last)? {
        LookedAt::Same(summary) => {
            let BuildSummary { files, .. } = summary;
            let published = Published { files, written: 0, unchanged: files, known: files, removed: 0 };
            return Ok(Built::Published { summary, published, missing: 0, weight: None, found: None });
        }
        LookedAt::Changed(last) => last,
    };
    let (allowed, known) = rayon::join(
        || part(Stage::Write, || publish::allowed(&making.output, root, &making.folders)),
        || part(Stage::Cache, || cache.sources()),
    );
    allowed?;
    let sources = stage(Stage::Read, || {
        let sources = source::read_listed(&listing, &known)?;
        pipeline::with_parts(sources, cache).and_then(pipeline::with_hashes)
    })?;
    let options = Options { renditions: true, ..settings.options.clone() };
    let (work, found) = pipeline::plan(sources, &options, cache)?;
    if !settings.parts.is_empty() {
        let paths = work.project.plan.artifacts().map(|(address, _)| address.output_path()).collect();
        settings.parts.iter().try_for_each(|part| part.belongs_to(&paths))?;
    }
    if let Share::Families(ids) = &options.share {
        ids.iter().try_for_each(|id| work.project.site.family_named(id).map(drop))?;
    }
    let mut inputs = part(Stage::Cache, || Inputs::of(&work, &listing));
    let made = making.publish(&work, found, (&inputs, last.as_deref()), (&known, &listing));
    let Made { published, missing, weight, pages, outputs, contents, report } = match made {
        Ok(made) => made,
        Err(Failure::World(error)) => return Err(error),
        Err(Failure::Content { blockers, report }) => {
            // Parsed pages are worth keeping even where nothing comes to be published.
            cache.flush();
            return Ok(Built::Refused { blockers, found: CheckedSite { report, work } });
        }
    };
    let summary = BuildSummary {
        pages,
        files: published.files,
        errors: report.count(Severity::Error),
        warnings: report.count(Severity::Warning),
        left_out: left_out(&work.project.site, &report),
    };
    let published_files = || outputs.iter().map(|(path, output)| (path.as_str(), *output));
    if cache.store.is_kept() {
        let look = || {
            inputs.add_assets(root, &published_assets(&work, &outputs));
            LastBuild::new(inputs, summary, &making.output, published_files())
        };
        let ((), last) = rayon::join(|| cache.flush(), || part(Stage::Cache, look));
        part(Stage::Cache, || last_build::keep(&cache.store, &name, &last));
    }
    if let Share::Shard { .. } = settings.options.share {
        part(Stage::Cache, || keep(&settings.output, published_files(), &contents, &cache.store))?;
    }
    Ok(Built::Published { summary, published, missing, weight, found: Some(CheckedSite { report, work }) })
}

/// How many pieces of another tool's syntax were left out of a site's pages.
pub fn left_out(site: &content::Site, report: &Report) -> usize {
    if site.repository.is_ours() {
        return 0;
    }
    let foreign = report.iter().filter(|finding| finding.problem.code == Code::UnsupportedSyntax);
    let places = foreign.filter_map(|finding| finding.problem.data.get("places")?.as_u64());
    places.map(|places| usize::try_from(places).unwrap_or(usize::MAX)).sum()
}

struct Making<'a> {
    root: &'a Path,
    settings: &'a BuildOptions,
    /// Where the files go.
    output: PathBuf,
    cache: &'a Cache,
    /// Where sources are.
    folders: Vec<PathBuf>,
}

/// What a look at sources and output says.
enum LookedAt {
    Same(BuildSummary),
    /// The last build, if there was one.
    Changed(Option<Box<LastBuild>>),
}

/// Why a site could not be published.
enum Failure {
    World(Error),
    /// Findings that bar it, and all there are.
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

/// What tells this build from others of the same site that make something else. It is the same for a copy of the
/// site elsewhere: of an output that is not below the root, only the settings count.
fn name(root: &Path, settings: &BuildOptions) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let output = absolute(&settings.output);
    let below = output.strip_prefix(absolute(root)).unwrap_or(Path::new("elsewhere/"));
    format!("{} {:?}", below.display(), settings.options)
}

impl Making<'_> {
    /// Finds out whether the last build has read the same sources, and its output is in place, untouched.
    fn unless_changed(&self, listing: &Listing, last: Option<LastBuild>) -> Result<LookedAt> {
        let (BuildOptions { strict, wants_findings, options, .. }, output) = (self.settings, &self.output);
        let Some(last) = last else { return Ok(LookedAt::Changed(None)) };
        // A reader of findings, and a strict build with errors, need them found. A shard is more than its files.
        let must_find = *wants_findings
            || *strict && last.summary.errors > 0
            || matches!(options.share, Share::Shard { .. });
        if must_find || !publish::is_at_rest(output, self.root, &self.folders)? {
            return Ok(LookedAt::Changed(Some(last.into())));
        }
        let summary = last.summary;
        match part(Stage::Cache, || last.verdict(self.root, listing, output)) {
            DiskState::Changed => return Ok(LookedAt::Changed(Some(last.into()))),
            DiskState::Same => {}
            DiskState::SameByContent => {
                last_build::keep(
                    &self.cache.store,
                    &name(self.root, self.settings),
                    &last.seen_again(self.root, listing, output),
                );
            }
        }
        Ok(LookedAt::Same(summary))
    }

    /// Checks the site and publishes what has changed since the last build. `found` is what the stages before the
    /// check have reported.
    fn publish(
        &self,
        work: &Rendering,
        found: Report,
        (inputs, last): (&Inputs, Option<&LastBuild>),
        (known, listing): (&FileIndex, &Listing),
    ) -> std::result::Result<Made, Failure> {
        let options = &self.settings.options;
        let share = &options.share;
        let evidence = stage(Stage::Check, || pipeline::evidence(work, options, self.cache))?;
        let compiler = stage(Stage::Check, || Compiler::new(work, &evidence, &self.cache.units, share));
        let report = OnceLock::new();
        if self.settings.strict || found.blockers().next().is_some() {
            // What may be refused is not rendered before all is known that is wrong with it.
            stage(Stage::Check, || compiler.read_all(None));
            _ = report.set(self.pass(&compiler, work, found.clone())?);
        }
        let made = |(_, planned): &(String, Planned<'_>)| planned.origin.is_made(share, &compiler);
        let (paths, outputs): (Vec<_>, Vec<_>) =
            part(Stage::Publish, || outputs(work, inputs).into_iter().filter(made).unzip());
        let batches = compiler.units().batches();
        let parts = part(Stage::Publish, || parts(&compiler, &batches, &outputs));
        let current = paths.iter().map(|_| OnceLock::new()).collect();
        let site = Publication {
            making: self,
            work,
            compiler: &compiler,
            last,
            before: last.map_or_else(|| vec![None; paths.len()], |last| last.positions(&paths)),
            found,
            outputs,
            paths,
            parts,
            batches,
            current,
            missing: AtomicUsize::new(0),
            report,
        };
        // What was made before is kept while the site is published: only what publishing makes is left for afterwards.
        let (published, found) = std::thread::scope(|scope| {
            scope.spawn(|| {
                self.cache.flush();
                part(Stage::Cache, || self.cache.keep_sources(known, &work.project.sources, listing));
            });
            let replace = || publish::replace(&site, &self.output, self.root, &self.folders);
            stage(Stage::Publish, replace)
        })?;
        let Publication { paths, outputs, missing, report, .. } = site;
        let rendered = compiler.all_rendered();
        let words = outputs.iter().filter_map(|planned| planned.origin.words()).collect();
        let contents = PartManifest {
            units: compiler.keys(),
            pages: compiler.documents().map(|id| *work.project.site.document(id).key.as_bytes()).collect(),
            words,
            pictures: pictures(work, share),
        };
        let is_new_whole = *share == Share::All && published.written + published.removed > 0;
        let weight = is_new_whole.then(|| {
            let files = paths.iter().zip(&outputs).zip(&found);
            Weight::of(files.map(|((path, planned), found)| (&**path, found.size, planned.origin.extra())))
        });
        let outputs = paths.into_iter().zip(outputs).zip(found).map(|((path, planned), found)| {
            let key = planned.origin.unit(&compiler).map_or(planned.key, |unit| rendered.get(&unit).copied());
            (path, PublishedFile { key, found: Some(found), stamp: None })
        });
        let outputs = part(Stage::Cache, || outputs.collect());
        let report = report.into_inner().expect("whatever is published has been approved");
        Ok(Made {
            published,
            missing: missing.into_inner(),
            weight,
            pages: contents.pages.len(),
            outputs,
            contents,
            report,
        })
    }

    /// Everything that was found, unless the site must not be published with it.
    fn pass(
        &self,
        compiler: &Compiler<'_>,
        work: &Rendering,
        found: Report,
    ) -> std::result::Result<Report, Failure> {
        let report = part(Stage::Check, || compiler.join(found));
        work.project.sources.are_as_read()?;
        let is_blocked = report.blockers().next().is_some();
        if is_blocked || self.settings.strict && check::fails(&report, Severity::Error) {
            let bar = if is_blocked { Diagnostic::blocks_build } else { Diagnostic::is_error };
            let blockers = report.iter().filter(|finding| bar(finding)).cloned().collect();
            return Err(Failure::Content { blockers, report });
        }
        Ok(report)
    }
}

/// What a build has made.
struct Made {
    published: Published,
    /// Files that no part has, and one should.
    missing: usize,
    pages: usize,
    weight: Option<Weight>,
    /// Sorted by path.
    outputs: Vec<(String, PublishedFile)>,
    contents: PartManifest,
    report: Report,
}

/// The site as it is published.
struct Publication<'a> {
    making: &'a Making<'a>,
    work: &'a Rendering,
    compiler: &'a Compiler<'a>,
    last: Option<&'a LastBuild>,
    /// Of the outputs, the positions in the last build.
    before: Vec<Option<usize>>,
    /// What the stages before the check have reported.
    found: Report,
    outputs: Vec<Planned<'a>>,
    /// Of the outputs.
    paths: Vec<String>,
    /// Positions of outputs.
    parts: Vec<Vec<usize>>,
    /// The units that a part is made of; the first part has none.
    batches: Vec<Vec<Unit>>,
    /// What the last build wrote to a path, where that is still right.
    current: Vec<OnceLock<Option<PublishedFile>>>,
    /// Files that no part has, and one should.
    missing: AtomicUsize,
    /// Everything that was found, once the site is approved.
    report: OnceLock<Report>,
}

impl Publication<'_> {
    /// What the last build wrote to a path, where that is still right.
    fn last_output(&self, path: usize) -> Option<PublishedFile> {
        *self.current[path]
            .get_or_init(|| self.last?.current(&self.making.output, self.before[path]?, &self.key(path)?))
    }

    /// A hash of everything that an output depends on, if it is known before it is made.
    fn key(&self, path: usize) -> Option<UnitKey> {
        let Planned { key, origin } = &self.outputs[path];
        origin.unit(self.compiler).map_or(*key, |unit| self.compiler.rendered(unit))
    }

    /// What one of the parts has for a path, if that is right here.
    fn elsewhere(&self, path: usize) -> Option<Vec<u8>> {
        let parts = &self.making.settings.parts;
        if parts.is_empty() {
            return None;
        }
        let key = self.key(path)?;
        parts.iter().find_map(|part| part.find(&self.paths[path], &key))
    }

    fn twin(&self, address: &Address) -> Option<String> {
        let path = self.paths.binary_search(&address.output_path()).ok()?;
        let here = || self.last_output(path)?.read(&self.making.output, &self.paths[path]);
        here().or_else(|| String::from_utf8(self.elsewhere(path)?).ok())
    }
}

impl publish::PublishSource for Publication<'_> {
    type Part = OnceLock<Rendering>;
    type Error = Failure;

    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn parts(&self) -> &[Vec<usize>] {
        &self.parts
    }

    fn class(&self, path: usize) -> Class {
        match &self.outputs[path].origin {
            Origin::Planned(_, artifact) => artifact.facts().class,
            Origin::Search(_) => Class::Search,
        }
    }

    fn published(&self) -> Option<Vec<String>> {
        self.last?.published(&self.making.output)
    }

    fn current(&self, path: usize) -> Option<Fingerprint> {
        self.last_output(path)?.found
    }

    fn begin(&self, part: usize) -> OnceLock<Rendering> {
        let made = OnceLock::new();
        if let Some(units) = part.checked_sub(1).and_then(|part| self.batches.get(part)) {
            self.compiler.read(units, &made, None);
        }
        made
    }

    fn render(&self, made: &OnceLock<Rendering>, path: usize) -> std::result::Result<Content, Failure> {
        if let Some(bytes) = part(Stage::Cache, || self.elsewhere(path)) {
            return Ok(Content::Bytes(bytes.into()));
        }
        if self.outputs[path].origin.made_with(self.compiler).is_some_and(|unit| unit != Unit::Site) {
            self.missing.fetch_add(1, Ordering::Relaxed);
        }
        let work = made.get_or_init(|| self.work.fresh());
        let (address, artifact) = match &self.outputs[path].origin {
            Origin::Planned(address, artifact) => (*address, *artifact),
            Origin::Search(file) => {
                let bytes = part(Stage::Search, || file.bytes(work, self.making.cache.stored_search()));
                return Ok(Content::Bytes(bytes.to_vec().into()));
            }
        };
        let render = || self.compiler.render(work, (address, artifact), |address| self.twin(address));
        part(stage_of(artifact), render).map_err(|finding| {
            let report: Report = [finding].into_iter().collect();
            Failure::Content { blockers: report.clone(), report }
        })
    }

    fn approve(&self) -> std::result::Result<(), Failure> {
        if self.report.get().is_none() {
            let report = self.making.pass(self.compiler, self.work, self.found.clone())?;
            _ = self.report.set(report);
        }
        Ok(self.work.project.sources.are_as_read()?)
    }
}

/// As what the time counts that an artifact takes.
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

/// A file that is to be published.
struct Planned<'w> {
    /// As [`PublishedFile::key`]; that of a unit's files comes when the unit is made.
    key: Option<UnitKey>,
    origin: Origin<'w>,
}

/// Everything that is published, sorted by path.
fn outputs<'w>(work: &'w Rendering, inputs: &Inputs) -> Vec<(String, Planned<'w>)> {
    let settled = inputs.settled();
    let key = |artifact: &Artifact| match artifact {
        Artifact::Asset(path) => settled.get(path.as_str()).map(|stamp| last_build::asset_key(path, stamp)),
        Artifact::Rendition { rendition, .. } => Some(rendition.hash),
        Artifact::Builtin(bytes) => Some(*blake3::hash(bytes).as_bytes()),
        _ => None,
    };
    let planned = work.project.plan.artifacts().map(|(address, artifact)| {
        let origin = Origin::Planned(address, artifact);
        (address.output_path(), Planned { key: key(artifact), origin })
    });
    let mut outputs: Vec<_> = planned.collect();
    let searched = part(Stage::Search, || search::files(work)).into_iter();
    outputs.extend(searched.map(|file| {
        (file.address.output_path(), Planned { key: Some(file.key), origin: Origin::Search(file.into()) })
    }));
    // No two have one path.
    outputs.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    outputs
}

/// The hashes of the pictures whose smaller versions a shard hands on.
fn pictures(work: &Rendering, share: &Share) -> Vec<UnitKey> {
    let Share::Shard { at, of } = share else { return Vec::new() };
    let assets = work.project.sources.assets.values().filter(|asset| asset.may_be_smaller());
    let hashes = assets.filter_map(|asset| Some(*asset.hash?.as_bytes()));
    hashes.enumerate().filter(|(index, _)| index % of == *at).map(|(_, hash)| hash).collect()
}

/// What was published of files that are published as they are.
fn published_assets<'w>(
    work: &'w Rendering,
    outputs: &[(String, PublishedFile)],
) -> HashMap<&'w str, Fingerprint> {
    let assets = work.project.plan.artifacts().filter_map(|(address, artifact)| {
        let Artifact::Asset(path) = artifact else { return None };
        let at = outputs.binary_search_by(|(it, _)| it.cmp(&address.output_path())).ok()?;
        Some((path.as_str(), outputs[at].1.found?))
    });
    assets.collect()
}

/// The positions of outputs, those together that are made of the same batch of units, and at the end what is made
/// from the whole site. Files that are published as they are come first: they have no hash, and the next run would have
/// to take them for changed if they were written in the moment of the last look.
fn parts(compiler: &Compiler<'_>, batches: &[Vec<Unit>], outputs: &[Planned<'_>]) -> Vec<Vec<usize>> {
    let last = batches.len() + 1;
    let mut part_of: HashMap<Unit, usize> = HashMap::default();
    for (part, units) in (1..).zip(batches) {
        part_of.extend(units.iter().map(|&unit| (unit, part)));
    }
    let mut found = vec![Vec::new(); last + 1];
    for (index, Planned { origin, .. }) in outputs.iter().enumerate() {
        let part = match origin {
            Origin::Planned(_, Artifact::Asset(_)) => 0,
            origin => {
                origin.made_with(compiler).and_then(|unit| part_of.get(&unit)).map_or(last, |part| *part)
            }
        };
        found[part].push(index);
    }
    found
}

/// Where the content of an output comes from.
enum Origin<'w> {
    Planned(&'w Address, &'w Artifact),
    Search(Box<search::File<'w>>),
}

impl Origin<'_> {
    /// Whether it is made of a share: what is made of the share's units. With families comes what a site must have to be
    /// looked at, and no list of all pages.
    fn is_made(&self, share: &Share, compiler: &Compiler<'_>) -> bool {
        let of_share = |unit: Unit| compiler.makes(unit);
        match (share, self.made_with(compiler), self) {
            (Share::All, ..) => true,
            (Share::Shard { .. }, unit, _) => unit.is_some_and(of_share),
            (Share::Families(_), Some(Unit::Site), Self::Planned(_, artifact)) => {
                artifact.facts().class == Class::Page
            }
            (Share::Families(_), unit, _) => unit.is_none_or(of_share),
        }
    }

    /// By what its words are kept, of a part of the search.
    fn words(&self) -> Option<UnitKey> {
        match self {
            Self::Search(file) => file.words(),
            Self::Planned(..) => None,
        }
    }

    fn unit(&self, compiler: &Compiler<'_>) -> Option<Unit> {
        match self {
            Self::Planned(_, artifact) => compiler.units().of_artifact(artifact),
            Self::Search(_) => None,
        }
    }

    fn extra(&self) -> Option<Extra> {
        match self {
            Self::Planned(_, artifact) => artifact.extra(),
            Self::Search(_) => Some(Extra::Search),
        }
    }

    /// The unit whose pages it is made of, so that it is made while they are there.
    fn made_with(&self, compiler: &Compiler<'_>) -> Option<Unit> {
        match self {
            Self::Search(file) => match file.made_with() {
                MadeWith::Family(family) => Some(Unit::Family(family)),
                MadeWith::Page(id) => Some(compiler.units().of_document(id)),
                MadeWith::Site => None,
            },
            Self::Planned(..) => self.unit(compiler),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::site_path::SitePath;
    use crate::input::source::{Asset, Sources, Text};

    /// A site with a family, a page outside of it, and two pictures.
    fn work() -> Rendering {
        let mut sources = Sources::default();
        for path in ["content/tour/web/a.md", "content/tour/ios/a.md", "content/guide.md"] {
            let path = SitePath::from(path);
            sources.pages.insert(path.clone(), Text::new(path, "---\ntitle: A\norder: 1\n---\n".into()));
        }
        for path in ["static/a.png", "static/z/z.png"] {
            let path = SitePath::from(path);
            sources.assets.insert(path.clone(), Asset { path, size: 1, picture: None, hash: None });
        }
        pipeline::plan(sources, &Options::default(), &Cache::default()).expect("it loads").0
    }

    #[test]
    fn files_that_are_published_as_they_are_come_first() {
        let work = work();
        let (evidence, known) = (check::Evidence::default(), crate::output::unit::UnitTables::default());
        let compiler = Compiler::new(&work, &evidence, &known, &Share::All);
        let outputs = outputs(&work, &Inputs::default());
        let (outputs, planned): (Vec<_>, Vec<_>) = outputs.into_iter().unzip();
        let parts = parts(&compiler, &compiler.units().batches(), &planned);
        let paths = |part: &Vec<usize>| -> Vec<_> { part.iter().map(|&at| &*outputs[at]).collect() };
        assert_eq!(paths(&parts[0]), ["a.png", "z/z.png"]);
        // All others follow, each once.
        let mut others: Vec<_> = parts[1..].iter().flat_map(paths).collect();
        others.sort_unstable();
        let expected = outputs.iter().map(|path| &**path).filter(|path| !path.ends_with(".png"));
        assert_eq!(others, expected.collect::<Vec<_>>());
    }
}
