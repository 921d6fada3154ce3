//! `stepkin build`

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::timings::table;
use super::{Outcome, SiteArguments, count, format, limit_threads, options, say_findings};
use crate::content::Address;
use crate::diagnostic::{Diagnostic, Report, Severity};
use crate::error::{Error, Result};
use crate::publish::{Content, Published};
use crate::render::{self, Artifact, LinkStyle, Walk};
use crate::timings::{self, Stage, part, stage};
use crate::{check, pipeline, publish, search, source};

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
    let root = &arguments.site.root;
    let output = arguments.output.clone().unwrap_or_else(|| root.join("dist"));
    let folders = source::FOLDERS.map(|folder| root.join(folder));
    publish::allowed(&output, root, &folders)?;
    let (mut options, cache) = options(arguments.drafts, arguments.base_url.as_deref());
    options.links = if arguments.relative { LinkStyle::FromPage } else { LinkStyle::FromRoot };
    // Browsers load no modules from disk, and the search is one.
    options.no_search = arguments.no_search || arguments.relative;
    let sources = stage(Stage::Read, || source::read(root))?;
    let (walk, report) = pipeline::analyze(sources, &options, &cache)?;
    // The program is about to end, and the system takes a site's pages back faster than they are freed.
    let (walk, _cache) = (ManuallyDrop::new(walk), ManuallyDrop::new(cache));
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
    match stage(Stage::Publish, || publish(&walk, &output, &folders)) {
        Ok(published) => {
            say_done(&walk, &output, &published, start);
            say_findings(&report);
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

fn publish(walk: &Walk, output: &Path, folders: &[PathBuf]) -> std::result::Result<Published, Failure> {
    let planned = walk
        .plan
        .artifacts()
        .map(|(address, artifact)| (address.output_path(), Output::Planned(address, artifact)));
    let search = search::files(walk)?;
    let search = search.into_iter().map(|(address, bytes)| (address.output_path(), Output::Search(bytes)));
    let mut outputs: Vec<(String, Output)> = planned.chain(search).collect();
    outputs.sort_by(|(a, _), (b, _)| a.cmp(b));
    let paths: Vec<String> = outputs.iter().map(|(path, _)| path.clone()).collect();
    publish::write(output, &walk.sources.root, folders, &paths, |index| match &outputs[index].1 {
        Output::Planned(address, artifact) => {
            part(Stage::Render, || render::artifact(walk, address, artifact)).map_err(Failure::Content)
        }
        Output::Search(bytes) => Ok(Content::Bytes(bytes.to_vec().into())),
    })
}

/// What is written at a path.
enum Output<'w> {
    Planned(&'w Address, &'w Artifact),
    Search(Arc<[u8]>),
}

fn say_done(walk: &Walk, output: &Path, published: &Published, start: Instant) {
    let pages = count(walk.site.documents.len(), "page");
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
