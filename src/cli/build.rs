//! `stepkin build`

mod report;

use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::time::Instant;

use super::cache::CacheArguments;
use super::timings::{known, table};
use super::{Outcome, PlainSiteArguments, format, limit_threads, options};
use crate::cache::Cache;
use crate::error::Result;
use crate::making::{self, Found, Settings};
use crate::plan::LinkStyle;
use crate::publish::interrupt;
use crate::timings;

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Arguments {
    #[command(flatten)]
    site: PlainSiteArguments,
    /// Where to publish; must be new, empty, or made by stepkin [default: `dist` below the root]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Where the site will be: its path prefixes every link
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Write links relative to their page, so that the site can be opened from disk and put anywhere
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
    #[command(flatten)]
    cache: CacheArguments,
    /// Make everything again: neither read nor write what earlier runs have kept
    #[arg(long, conflicts_with = "folder")]
    no_cache: bool,
    /// Threads to use [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Write every finding to a file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Say where the time went, and what was known of earlier runs
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
    let mut options = options(arguments.drafts, arguments.base_url.as_deref());
    options.days = true;
    options.links = if arguments.relative { LinkStyle::FromPage } else { LinkStyle::FromRoot };
    options.no_search = arguments.no_search;
    let settings = Settings {
        output: arguments.output.clone().unwrap_or_else(|| root.join("dist")),
        options,
        strict: arguments.strict,
        wants_findings: arguments.report.is_some(),
    };
    // The program is about to end, and the system frees the memory of a site faster.
    let cache = match arguments.no_cache {
        true => Cache::default(),
        false => arguments.cache.open(root)?,
    };
    let cache = ManuallyDrop::new(cache);
    let built = ManuallyDrop::new(making::build(root, &settings, &cache)?);
    if let (Some(file), Some(Found { report, work })) = (&arguments.report, built.found()) {
        format::json_file(file, report, &work.project.sources)?;
    }
    let outcome = report::say(&built, &settings, start)?;
    if arguments.timings {
        eprint!("{}", known(cache.tallies().into_iter().chain([("outputs", built.outputs())])));
    }
    Ok(outcome)
}
