//! `stepkin build`

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::cache::CacheArguments;
use super::timings::{known, table};
use super::{Outcome, SiteArguments, count, format, limit_threads, options, say_counts};
use crate::cache::Cache;
use crate::error::Result;
use crate::making::{self, Built, Found, Settings};
use crate::plan::LinkStyle;
use crate::publish::{Published, interrupt};
use crate::site_path::CONFIG;
use crate::store::Tally;
use crate::timings;

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
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
    // Browsers load no modules from disk, and the search is one.
    options.no_search = arguments.no_search || arguments.relative;
    let settings = Settings {
        output: arguments.output.clone().unwrap_or_else(|| root.join("dist")),
        options,
        strict: arguments.strict,
        wants_findings: arguments.report.is_some(),
    };
    // The program is about to end, and the system takes a site's pages back faster than they are freed.
    let cache = match arguments.no_cache {
        true => Cache::default(),
        false => arguments.cache.open(root)?,
    };
    let cache = ManuallyDrop::new(cache);
    let built = ManuallyDrop::new(making::build(root, &settings, &cache)?);
    let found = match &*built {
        Built::Published { found, .. } => found.as_ref(),
        Built::Refused { found, .. } => Some(found),
    };
    if let (Some(file), Some(Found { report, walk })) = (&arguments.report, found) {
        format::json_file(file, report, &walk.sources)?;
    }
    let outcome = report(arguments, &settings, &built, start);
    if arguments.timings {
        let outputs = match &*built {
            Built::Published { published: Published { files, known, .. }, .. } => {
                Tally { known: *known, made: files - known }
            }
            Built::Refused { .. } => Tally::default(),
        };
        eprint!("{}", known(cache.tallies().into_iter().chain([("outputs", outputs)])));
    }
    outcome
}

/// Says how a build ended.
fn report(arguments: &Arguments, settings: &Settings, built: &Built, start: Instant) -> Result<Outcome> {
    match built {
        Built::Published { summary, published, found } => {
            say_done(summary.pages, &settings.output, published, start);
            let is_without_host = |found: &Found| found.walk.site.config.origin().is_none();
            if !arguments.relative && found.as_ref().is_some_and(is_without_host) {
                say_no_sitemap(published);
            }
            say_counts(summary.errors, summary.warnings);
            Ok(Outcome::Clean)
        }
        Built::Refused { blockers, found } => {
            format::human(blockers, &found.walk.sources)?;
            eprintln!("nothing is published: {} to mend first", count(blockers.iter().len(), "finding"));
            Ok(Outcome::Findings)
        }
    }
}

fn say_done(pages: usize, output: &Path, published: &Published, start: Instant) {
    let pages = count(pages, "page");
    let Published { files, written, unchanged, removed, .. } = published;
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
