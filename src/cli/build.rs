//! `stepkin build`

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::timings::table;
use super::{Outcome, SiteArguments, count, format, limit_threads, options, say_counts};
use crate::cache::{Cache, Inputs, LastBuild, Output, Said, Verdict};
use crate::check::{self, Check};
use crate::content::{Address, DocumentId};
use crate::diagnostic::{Diagnostic, Report, Severity};
use crate::error::{Error, Result};
use crate::pipeline::Options;
use crate::publish::{Content, Job, Published, interrupt};
use crate::render::{self, Artifact, Dependencies, LinkStyle, Walk};
use crate::source::{CONFIG, Listing};
use crate::timings::{self, Stage, part, stage};
use crate::{pipeline, publish, search, source};

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Where to publish; must be new, empty, or made by stepkin [default: `dist` below the root]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Where the site will stand: its path prefixes every link
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Write links relative to their page, so that the site can be opened from disk and stand anywhere
    #[arg(long)]
    relative: bool,
    /// Publish nothing when the check finds an error
    #[arg(long)]
    strict: bool,
    /// Publish pages marked `draft: true` too
    #[arg(long)]
    drafts: bool,
    /// Leave the search out
    #[arg(long)]
    no_search: bool,
    /// Make everything anew: neither read nor write what `.stepkin` keeps of earlier runs
    #[arg(long)]
    no_cache: bool,
    /// Threads to use [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Write every finding to a file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Say where the time went
    #[arg(long)]
    timings: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let start = Instant::now();
    interrupt::listen();
    if arguments.timings {
        timings::start();
    }
    let outcome = build(arguments, start);
    if let Some(timings) = timings::measure() {
        eprint!("{}", table(&timings, rayon::current_num_threads()));
    }
    outcome
}

fn build(arguments: &Arguments, start: Instant) -> Result<Outcome> {
    limit_threads(arguments.jobs.map(usize::from))?;
    let root = arguments.site.root();
    let build = Build {
        output: arguments.output.clone().unwrap_or_else(|| root.join("dist")),
        folders: source::FOLDERS.map(|folder| root.join(folder)),
        arguments,
    };
    let (mut options, mut cache) = options(arguments.drafts, arguments.base_url.as_deref());
    options.links = if arguments.relative { LinkStyle::FromPage } else { LinkStyle::FromRoot };
    // Browsers load no modules from disk, and the search is one.
    options.no_search = arguments.no_search || arguments.relative;
    if !arguments.no_cache {
        cache = Arc::new(Cache::of(root));
    }
    let settings = build.settings(&options);
    let (listing, last) =
        rayon::join(|| stage(Stage::Read, || source::list(root)), || cache.last_build(&settings));
    let listing = listing?;
    let last = match build.unless_changed(&settings, &listing, last, &cache)? {
        Found::Same(said) => {
            say_same(said, &build.output, start);
            return Ok(Outcome::Clean);
        }
        Found::Changed(last) => last,
    };
    let (allowed, known) =
        rayon::join(|| publish::allowed(&build.output, root, &build.folders), || cache.sources());
    allowed?;
    let sources = stage(Stage::Read, || source::read_listed(&listing, &known))?;
    let (walk, found) = pipeline::rehearsed_plan(sources, &options, &cache)?;
    // The program is about to end, and the system takes a site's pages back faster than they are freed.
    let (walk, cache) = (ManuallyDrop::new(walk), ManuallyDrop::new(cache));
    let evidence = stage(Stage::Check, || pipeline::evidence(&walk, &options))?;
    let check = ManuallyDrop::new(stage(Stage::Check, || Check::new(&walk, &evidence)));
    let inputs = Inputs::of(&walk, &listing);
    let keep_early = || {
        cache.keep();
        cache.keep_sources(&known, &walk.sources, &listing);
    };
    match build.check_and_publish(&walk, &check, found, (&inputs, last.as_ref()), keep_early) {
        Ok(Built { published, outputs, report }) => {
            let said = Said {
                pages: walk.site.documents.len(),
                files: published.files,
                errors: report.count(Severity::Error),
                warnings: report.count(Severity::Warning),
            };
            if !arguments.no_cache {
                let look = || LastBuild::new(inputs, said, &build.output, outputs);
                let ((), last) = rayon::join(|| cache.keep(), look);
                cache.keep_last_build(&settings, &last);
            }
            say_done(said.pages, &build.output, &published, start);
            if !arguments.relative && walk.site.config.origin().is_none() {
                say_no_sitemap(&published);
            }
            say_counts(said.errors, said.warnings);
            Ok(Outcome::Clean)
        }
        Err(Failure::World(error)) => Err(error),
        Err(Failure::Content(diagnostic)) => {
            format::human(&[diagnostic].into_iter().collect(), &walk.sources)?;
            eprintln!("nothing is published");
            Ok(Outcome::Findings)
        }
        Err(Failure::Refused(findings)) => {
            // Parsed pages are worth keeping even where nothing comes to be published.
            cache.keep();
            format::human(&findings, &walk.sources)?;
            eprintln!("nothing is published: {} to mend first", count(findings.iter().len(), "finding"));
            Ok(Outcome::Findings)
        }
    }
}

/// What is built, and where to.
struct Build<'a> {
    arguments: &'a Arguments,
    output: PathBuf,
    /// Where sources are.
    folders: [PathBuf; 3],
}

/// What a look at sources and output says.
enum Found {
    Same(Said),
    /// The last build, if there was one.
    Changed(Option<LastBuild>),
}

/// Why a site could not be published.
enum Failure {
    World(Error),
    /// A template that cannot be rendered.
    Content(Diagnostic),
    /// Findings that bar it.
    Refused(Report),
}

/// A site that was published.
struct Built {
    published: Published,
    /// What to remember of each file.
    outputs: Vec<Output>,
    report: Report,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::World(error)
    }
}

impl Build<'_> {
    /// What tells this build from others of the same site that make something else.
    fn settings(&self, options: &Options) -> String {
        let output = std::path::absolute(&self.output);
        format!("{} {options:?}", output.as_ref().unwrap_or(&self.output).display())
    }

    /// Finds out whether the last build has read the same sources, and its output is in place, untouched.
    fn unless_changed(
        &self,
        settings: &str,
        listing: &Listing,
        last: Option<LastBuild>,
        cache: &Cache,
    ) -> Result<Found> {
        let Arguments { site, strict, report, .. } = self.arguments;
        let Some(last) = last else { return Ok(Found::Changed(None)) };
        // Who wants to see the findings needs them found.
        let wants_findings = report.is_some() || *strict && last.said.errors > 0;
        if wants_findings || !publish::is_at_rest(&self.output, site.root(), &self.folders)? {
            return Ok(Found::Changed(Some(last)));
        }
        let said = last.said;
        match last.verdict(site.root(), listing, &self.output) {
            Verdict::Changed => return Ok(Found::Changed(Some(last))),
            Verdict::Same => {}
            Verdict::SameByContent => {
                cache.keep_last_build(settings, &last.seen_again(listing, &self.output));
            }
        }
        Ok(Found::Same(said))
    }

    /// Checks the site and publishes what has changed since the last build. `found` is what the stages before the
    /// check have reported; `keep_early` is done beside the publishing.
    fn check_and_publish(
        &self,
        walk: &Walk,
        check: &Check<'_>,
        found: Report,
        (inputs, last): (&Inputs, Option<&LastBuild>),
        keep_early: impl FnOnce() + Send,
    ) -> std::result::Result<Built, Failure> {
        let pass = |found: Report| self.pass(walk, check.finish(found));
        let (mut found, mut report) = (Some(found), None);
        // Pages that do not stay in memory are published right after their check: later they would be parsed again.
        let is_first = |found: &Report| {
            walk.cache.holds_pages() || self.arguments.strict || found.blockers().next().is_some()
        };
        if let Some(found) = found.take_if(|found| is_first(found)) {
            report = Some(stage(Stage::Check, || {
                check.all(None);
                pass(found)
            })?);
        }
        let approve = || {
            if let Some(found) = found {
                report = Some(pass(found)?);
            }
            Ok(walk.sources.are_as_read()?)
        };
        // What was parsed is kept while the site is published: only what publishing makes is left for afterwards.
        let (published, outputs) = std::thread::scope(|scope| {
            scope.spawn(keep_early);
            stage(Stage::Publish, || self.publish(walk, check, (inputs, last), approve))
        })?;
        Ok(Built { published, outputs, report: report.expect("whatever is published has passed") })
    }

    /// What was found, unless the site must not be published with it. Writes the report that was asked for.
    fn pass(&self, walk: &Walk, report: Report) -> std::result::Result<Report, Failure> {
        walk.sources.are_as_read()?;
        if let Some(file) = &self.arguments.report {
            format::json_file(file, &report, &walk.sources)?;
        }
        let is_blocked = report.blockers().next().is_some();
        if is_blocked || self.arguments.strict && check::fails(&report, Severity::Error) {
            let bar = if is_blocked { Diagnostic::blocks_build } else { Diagnostic::is_error };
            return Err(Failure::Refused(report.into_iter().filter(bar).collect()));
        }
        Ok(report)
    }

    fn publish(
        &self,
        walk: &Walk,
        check: &Check<'_>,
        (inputs, last): (&Inputs, Option<&LastBuild>),
        approve: impl FnOnce() -> std::result::Result<(), Failure>,
    ) -> std::result::Result<(Published, Vec<Output>), Failure> {
        let outputs = outputs(walk, inputs)?;
        let paths: Vec<String> = outputs.iter().map(|(output, _)| output.path.clone()).collect();
        let hashes: Vec<OnceLock<_>> = paths.iter().map(|_| OnceLock::new()).collect();
        let looks: Vec<OnceLock<_>> = paths.iter().map(|_| OnceLock::new()).collect();
        let standing = |index: usize| -> Option<&Output> {
            let key = outputs[index].0.key?;
            *looks[index].get_or_init(|| last?.standing(&self.output, &paths[index], &key))
        };
        let stands = |index: usize| {
            let standing = standing(index);
            if let Some(hash) = standing.and_then(|output| output.hash) {
                _ = hashes[index].set(hash);
            }
            standing.is_some()
        };
        let twin = |address: &Address| {
            let index = paths.binary_search(&address.output_path()).ok()?;
            standing(index)?.read(&self.output)
        };
        let documents = walk.site.parts();
        let parts = parts(walk, &documents, &outputs);
        let begin = |part: usize| {
            let made = OnceLock::new();
            if let Some(documents) = part.checked_sub(1).and_then(|part| documents.get(part)) {
                check.part(documents, &made, None);
            }
            made
        };
        let render = |made: &OnceLock<Walk>, index: usize| {
            let content = outputs[index].1.content(made.get_or_init(|| walk.anew()), twin)?;
            if let Content::Bytes(bytes) = &content {
                _ = hashes[index].set(Output::hash_of(bytes));
            }
            Ok::<_, Failure>(content)
        };
        let job = Job { paths: &paths, parts: &parts, stands, begin, render, approve };
        let published = job.publish(&self.output, &walk.sources.root, &self.folders)?;
        let outputs = outputs.into_iter().zip(hashes);
        let outputs = outputs.map(|((output, _), hash)| Output { hash: hash.into_inner(), ..output });
        Ok((published, outputs.collect()))
    }
}

/// Everything that is published, sorted by path, with what its content depends on.
fn outputs<'w>(walk: &'w Walk, inputs: &Inputs) -> Result<Vec<(Output, Origin<'w>)>> {
    let dependencies = Dependencies::of_artifacts(walk);
    let settled = inputs.settled();
    let key = |address: &Address, artifact: &Artifact| match artifact {
        Artifact::Asset(path) => settled.get(path).map(|stamp| render::asset_key(path, stamp)),
        _ => dependencies.key(walk, address, artifact),
    };
    let output =
        |address: &Address, key| Output { path: address.output_path(), key, hash: None, stamp: None };
    let planned = walk.plan.artifacts();
    let mut outputs: Vec<_> = planned
        .map(|(address, artifact)| {
            (output(address, key(address, artifact)), Origin::Planned(address, artifact))
        })
        .collect();
    outputs.extend(search::files(walk)?.into_iter().map(|(address, bytes)| {
        (output(&address, Some(*blake3::hash(&bytes).as_bytes())), Origin::Search(bytes))
    }));
    outputs.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
    Ok(outputs)
}

/// The positions of outputs, those together that are made from the same part of the site, and at the end what is made
/// from all of it. Files that are published as they are come first: they have no hash, and the next run would have to
/// take them for changed if they were written in the moment of the last look.
fn parts(walk: &Walk, parts: &[Vec<DocumentId>], outputs: &[(Output, Origin<'_>)]) -> Vec<Vec<usize>> {
    let last = parts.len() + 1;
    let mut part_of = vec![last; walk.site.documents.len()];
    for (part, documents) in (1..).zip(parts) {
        for &id in documents {
            part_of[id] = part;
        }
    }
    let mut found = vec![Vec::new(); last + 1];
    for (index, (_, origin)) in outputs.iter().enumerate() {
        let part = match origin {
            Origin::Planned(_, Artifact::Asset(_)) => 0,
            Origin::Planned(_, it) => walk.plan.made_from(&walk.site, it).map_or(last, |id| part_of[id]),
            Origin::Search(_) => last,
        };
        found[part].push(index);
    }
    found
}

/// Where the content of an output comes from.
enum Origin<'w> {
    Planned(&'w Address, &'w Artifact),
    Search(Arc<[u8]>),
}

impl Origin<'_> {
    fn content(
        &self,
        walk: &Walk,
        twin: impl Fn(&Address) -> Option<String>,
    ) -> std::result::Result<Content, Failure> {
        match self {
            Self::Planned(address, artifact) => {
                let render = || render::artifact_with(walk, address, artifact, twin);
                part(Stage::Render, render).map_err(Failure::Content)
            }
            Self::Search(bytes) => Ok(Content::Bytes(bytes.to_vec().into())),
        }
    }
}

fn say_same(said: Said, output: &Path, start: Instant) {
    let published = Published { files: said.files, written: 0, unchanged: said.files, removed: 0 };
    say_done(said.pages, output, &published, start);
    say_counts(said.errors, said.warnings);
}

fn say_done(pages: usize, output: &Path, published: &Published, start: Instant) {
    let pages = count(pages, "page");
    let Published { files, written, unchanged, removed } = published;
    let changes = match (written, unchanged, removed) {
        (0, _, 0) => "nothing changed".to_string(),
        (written, 0, 0) => format!("{written} written"),
        (written, unchanged, 0) => format!("{written} written, {unchanged} unchanged"),
        (written, unchanged, removed) => {
            format!("{written} written, {unchanged} unchanged, {removed} removed")
        }
    };
    let seconds = start.elapsed().as_secs_f32();
    eprintln!("{pages}, {} in `{}`: {changes} ({seconds:.2} s)", count(*files, "file"), output.display());
}

/// Says why there is no sitemap, when a site is published to a new place: later builds need not repeat it. Pages whose
/// links are relative may be meant for no host at all.
fn say_no_sitemap(published: &Published) {
    if published.written == published.files && published.removed == 0 {
        eprintln!(
            "no sitemap: it holds whole addresses; `base_url = \"https://…\"` in {CONFIG} or --base-url gives the site's"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Asset, SitePath, Sources, Text};

    /// A site with a family, a page outside of it, and two pictures.
    fn walk() -> Walk {
        let mut sources = Sources::default();
        for path in ["content/tour/web/a.md", "content/tour/ios/a.md", "content/guide.md"] {
            let path = SitePath::from(path);
            sources.pages.insert(path.clone(), Text::new(path, "---\ntitle: A\norder: 1\n---\n".into()));
        }
        for path in ["static/a.png", "static/z/z.png"] {
            let path = SitePath::from(path);
            sources.assets.insert(path.clone(), Asset { path, size: 1, picture: None, hash: None });
        }
        let (options, _) = options(false, None);
        pipeline::plan(sources, &options, &Arc::default()).expect("it loads").0
    }

    #[test]
    fn files_that_are_published_as_they_are_come_first() {
        let walk = walk();
        let outputs = outputs(&walk, &Inputs::default()).expect("it has an index");
        let parts = parts(&walk, &walk.site.parts(), &outputs);
        let paths = |part: &Vec<usize>| -> Vec<_> { part.iter().map(|&at| &*outputs[at].0.path).collect() };
        assert_eq!(paths(&parts[0]), ["a.png", "z/z.png"]);
        // All others follow, each once.
        let mut others: Vec<_> = parts[1..].iter().flat_map(paths).collect();
        others.sort_unstable();
        let expected = outputs.iter().map(|(output, _)| &*output.path).filter(|path| !path.ends_with(".png"));
        assert_eq!(others, expected.collect::<Vec<_>>());
    }
}
