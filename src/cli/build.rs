//! `stepkin build`

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::{Outcome, SiteArguments, count, format, limit_threads, options, say_counts};
use crate::cache::{Cache, Inputs, LastBuild, Output, Said, Verdict};
use crate::content::Address;
use crate::diagnostic::{Diagnostic, Report, Severity};
use crate::error::{Error, Result};
use crate::publish::{Content, Published};
use crate::render::{self, Artifact, Dependencies, Walk};
use crate::source::Listing;
use crate::{check, pipeline, publish, source};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Where to publish; must be new, empty, or made by stepkin [default: `dist` below the root]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Where the site will stand: its path prefixes every link
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Publish nothing when the check finds an error
    #[arg(long)]
    strict: bool,
    /// Publish pages marked `draft: true` too
    #[arg(long)]
    drafts: bool,
    /// Make everything anew: neither read nor write what `.stepkin` keeps of earlier runs
    #[arg(long)]
    no_cache: bool,
    /// Threads to use [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Write every finding to a file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let start = Instant::now();
    limit_threads(arguments.jobs.map(usize::from))?;
    let root = &arguments.site.root;
    let build = Build {
        output: arguments.output.clone().unwrap_or_else(|| root.join("dist")),
        folders: source::FOLDERS.map(|folder| root.join(folder)),
        arguments,
    };
    let (options, mut cache) = options(arguments.drafts, arguments.base_url.as_deref());
    if !arguments.no_cache {
        cache = Arc::new(Cache::of(root));
    }
    let settings = build.settings();
    let last = cache.last_build(&settings);
    let listing = source::list(root)?;
    let last = match build.unless_changed(last, &listing, &cache)? {
        Found::Same(said) => {
            let published = Published { files: said.files, written: 0, unchanged: said.files, removed: 0 };
            say_done(said.pages, &build.output, &published, start);
            say_counts(said.errors, said.warnings);
            return Ok(Outcome::Clean);
        }
        Found::Changed(last) => last,
    };
    publish::allowed(&build.output, root, &build.folders)?;
    let (walk, report) = pipeline::analyze(source::read_listed(listing.clone())?, &options, &cache)?;
    // Parsed pages are worth keeping even where nothing comes to be published.
    cache.keep();
    if let Some(file) = &arguments.report {
        format::json_file(file, &report, &walk.sources)?;
    }
    let blocked = report.blockers().next().is_some();
    if blocked || arguments.strict && check::fails(&report, Severity::Error) {
        let bar = if blocked { Diagnostic::blocks_build } else { Diagnostic::is_error };
        let shown: Report = report.iter().filter(|diagnostic| bar(diagnostic)).cloned().collect();
        format::human(&shown, &walk.sources)?;
        eprintln!("nothing is published: {} to mend first", count(shown.iter().len(), "finding"));
        return Ok(Outcome::Findings);
    }
    let inputs =
        Inputs::new(&listing, walk.site.config.check.routes.clone(), root).with_hashes(&walk.sources);
    match build.publish(&walk, &inputs, last.as_ref()) {
        Ok((published, outputs)) => {
            cache.keep();
            let said = Said {
                pages: walk.site.documents.len(),
                files: published.files,
                errors: report.count(Severity::Error),
                warnings: report.count(Severity::Warning),
            };
            if !arguments.no_cache {
                cache.keep_last_build(&settings, &LastBuild::new(inputs, said, &build.output, outputs));
            }
            say_done(said.pages, &build.output, &published, start);
            say_counts(said.errors, said.warnings);
            Ok(Outcome::Clean)
        }
        Err(Failure::World(error)) => Err(error),
        Err(Failure::Content(diagnostic)) => {
            format::human(&[*diagnostic].into_iter().collect(), &walk.sources)?;
            eprintln!("nothing is published");
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
    Content(Box<Diagnostic>),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::World(error)
    }
}

impl Build<'_> {
    /// What tells this build from others of the same site that make something else.
    fn settings(&self) -> String {
        let Arguments { base_url, drafts, .. } = self.arguments;
        let output = std::path::absolute(&self.output);
        format!("{} {base_url:?} {drafts}", output.as_ref().unwrap_or(&self.output).display())
    }

    /// Finds out whether the last build has read the same sources, and its output is in place, untouched.
    fn unless_changed(&self, last: Option<LastBuild>, listing: &Listing, cache: &Cache) -> Result<Found> {
        let Arguments { site, strict, report, .. } = self.arguments;
        let Some(last) = last else { return Ok(Found::Changed(None)) };
        // Who wants to see the findings needs them found.
        let wants_findings = report.is_some() || *strict && last.said.errors > 0;
        if wants_findings || !publish::is_at_rest(&self.output, &site.root, &self.folders)? {
            return Ok(Found::Changed(Some(last)));
        }
        let said = last.said;
        match last.verdict(&site.root, listing, &self.output) {
            Verdict::Changed => return Ok(Found::Changed(Some(last))),
            Verdict::Same => {}
            Verdict::SameByContent => {
                cache.keep_last_build(&self.settings(), &last.seen_again(listing, &self.output));
            }
        }
        Ok(Found::Same(said))
    }

    /// Publishes what has changed since the last build. Out: also what to remember of each file.
    fn publish(
        &self,
        walk: &Walk,
        inputs: &Inputs,
        last: Option<&LastBuild>,
    ) -> std::result::Result<(Published, Vec<Output>), Failure> {
        let dependencies = Dependencies::of(walk);
        let settled = inputs.settled();
        let key = |artifact: &Artifact| match artifact {
            Artifact::Asset(path) => settled.get(path).map(|stamp| render::asset_key(path, stamp)),
            _ => dependencies.key(walk, artifact),
        };
        let mut planned: Vec<(Output, &Address, &Artifact)> = walk
            .plan
            .artifacts()
            .map(|(address, artifact)| {
                let (path, key) = (address.output_path(), key(artifact));
                (Output { path, key, hash: None, stamp: None }, address, artifact)
            })
            .collect();
        planned.sort_by(|(a, ..), (b, ..)| a.path.cmp(&b.path));
        let paths: Vec<String> = planned.iter().map(|(output, ..)| output.path.clone()).collect();
        let hashes: Vec<OnceLock<_>> = paths.iter().map(|_| OnceLock::new()).collect();
        let stands = |index: usize| {
            let standing =
                planned[index].0.key.and_then(|key| last?.standing(&self.output, &paths[index], &key));
            if let Some(hash) = standing.and_then(|output| output.hash) {
                _ = hashes[index].set(hash);
            }
            standing.is_some()
        };
        let root = &walk.sources.root;
        let published = publish::update(&self.output, root, &self.folders, &paths, stands, |index| {
            let (_, address, artifact) = &planned[index];
            let content = render::artifact(walk, address, artifact).map_err(Failure::Content)?;
            if let Content::Bytes(bytes) = &content {
                _ = hashes[index].set(Output::hash_of(bytes));
            }
            Ok::<_, Failure>(content)
        })?;
        let outputs = planned.into_iter().zip(hashes);
        let outputs = outputs.map(|((output, ..), hash)| Output { hash: hash.into_inner(), ..output });
        Ok((published, outputs.collect()))
    }
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
