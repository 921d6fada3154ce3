//! `stepkin build`

mod hosts;
mod report;

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::cache::CacheArguments;
use super::shard::Shard;
use super::terminal;
use super::timings::{known, table};
use super::{
    Outcome, PlainSiteArguments, files_as_text, format, limit_threads, options, progress, say_error,
};
use crate::app::serve;
use crate::base::error::{Error, Result};
use crate::base::timings;
use crate::output::cache::Cache;
use crate::output::making::{self, BuildOptions, Built, CheckedSite};
use crate::output::publish::interrupt;
use crate::output::unit::Share;
use crate::site::plan::LinkStyle;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: PlainSiteArguments,
    #[command(flatten)]
    making: MakingArguments,
    /// Make everything again: neither read nor write what earlier runs have kept
    #[arg(long, conflicts_with = "folder")]
    no_cache: bool,
    /// Build again after each save, until the process is ended
    #[arg(long, conflicts_with = "timings")]
    watch: bool,
    /// Make this family and no other page, without search; may be given several times
    #[arg(long, value_name = "FAMILY", requires = "output", conflicts_with_all = ["shard", "watch"])]
    only: Vec<String>,
    /// Make one of N parts of the site, for `stepkin merge`
    #[arg(long, value_name = "I/N", requires = "output", conflicts_with_all = ["no_cache", "watch"])]
    shard: Option<Shard>,
}

/// How a site is made and where to, of parts or at once.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct MakingArguments {
    /// Where to publish; must be new, empty, or made by stepkin [default: `dist` below the root]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Where the site will be: its path prefixes every link
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Write links relative to their page, so that the site can be opened from disk and put anywhere
    #[arg(long)]
    relative: bool,
    /// Publish nothing when the check finds an error [default where the variable `CI` is set]
    #[arg(long, overrides_with = "no_strict")]
    strict: bool,
    /// Publish with errors too, but for those that no site can be published with [default elsewhere]
    #[arg(long, overrides_with = "strict")]
    no_strict: bool,
    /// Publish pages marked `draft: true` too
    #[arg(long)]
    drafts: bool,
    /// Leave the search out
    #[arg(long)]
    no_search: bool,
    #[command(flatten)]
    pub(super) cache: CacheArguments,
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
    let (root, making) = (arguments.site.root(), &arguments.making);
    let share = match (&arguments.shard, &arguments.only[..]) {
        (Some(shard), _) => shard.0.clone(),
        (None, []) => Share::All,
        (None, families) => Share::Families(families.to_vec()),
    };
    let mut settings = making.settings(root, share);
    // Its catalogue would name pages that are not there.
    settings.options.no_search |= !arguments.only.is_empty();
    let cache = || match arguments.no_cache {
        true => Ok(Cache::default()),
        false => making.cache.open(root),
    };
    match arguments.watch {
        true => {
            interrupt::listen();
            limit_threads(making.jobs.map(usize::from))?;
            watch(making, root, &BuildOptions { wants_findings: true, ..settings }, &cache()?)
        }
        false => making.run(root, &settings, cache),
    }
}

impl MakingArguments {
    /// Builds once.
    pub(super) fn run(
        &self,
        root: &Path,
        settings: &BuildOptions,
        cache: impl FnOnce() -> Result<Cache>,
    ) -> Result<Outcome> {
        let start = Instant::now();
        interrupt::listen();
        if self.timings {
            timings::start();
        }
        let outcome = self.build(root, settings, cache, start);
        if let Some(timings) = timings::measure() {
            eprint!("{}", table(&timings, rayon::current_num_threads()));
        }
        outcome
    }

    fn build(
        &self,
        root: &Path,
        settings: &BuildOptions,
        cache: impl FnOnce() -> Result<Cache>,
        start: Instant,
    ) -> Result<Outcome> {
        limit_threads(self.jobs.map(usize::from))?;
        // The program is about to end, and the system frees the memory of a site faster.
        let cache = ManuallyDrop::new(cache()?);
        let built = ManuallyDrop::new(progress::during(|| making::build(root, settings, &cache))?);
        write_report(self, &built)?;
        let outcome = report::say(&built, settings, start, "")?;
        if self.timings {
            eprint!("{}", known(cache.tallies().into_iter().chain([("outputs", built.outputs())])));
        }
        Ok(outcome)
    }

    /// What is built of the site below a root.
    pub(super) fn settings(&self, root: &Path, share: Share) -> BuildOptions {
        let mut options = options(self.drafts, self.base_url.as_deref());
        options.days = true;
        options.links = if self.relative { LinkStyle::FromPage } else { LinkStyle::FromRoot };
        options.no_search = self.no_search;
        options.share = share;
        BuildOptions {
            output: self.output.clone().unwrap_or_else(|| root.join("dist")),
            options,
            strict: is_strict(self, terminal::is_in_ci()),
            wants_findings: self.report.is_some(),
            parts: Vec::new(),
        }
    }
}

/// Whether errors keep the site from being published: nobody looks at what a server of continuous integration publishes.
fn is_strict(arguments: &MakingArguments, in_ci: bool) -> bool {
    arguments.strict || in_ci && !arguments.no_strict
}

/// Writes the findings to the file that is named for them.
fn write_report(arguments: &MakingArguments, built: &Built) -> Result<()> {
    match (&arguments.report, built.found()) {
        (Some(file), Some(CheckedSite { report, work })) => {
            format::json_file(file, report, &work.project.sources)
        }
        _ => Ok(()),
    }
}

/// Builds, and again after each save.
fn watch(
    arguments: &MakingArguments,
    root: &Path,
    settings: &BuildOptions,
    cache: &Cache,
) -> Result<Outcome> {
    serve::follow(root, |saves| {
        let start = Instant::now();
        let built = match progress::during(|| making::build(root, settings, cache)) {
            Ok(built) => built,
            Err(Error::Interrupted(signal)) => interrupt::end_by(signal),
            Err(error) => {
                say_error(&error);
                return None;
            }
        };
        let files = built.found().map(|found| saves.files(&found.work.project.sources)).unwrap_or_default();
        let after = if files.is_empty() { String::new() } else { format!("{}: ", files_as_text(&files)) };
        let said =
            write_report(arguments, &built).and_then(|()| report::say(&built, settings, start, &after));
        if let Err(error) = said {
            say_error(&error);
        }
        built.into_found().map(|found| found.work)
    })?;
    Ok(Outcome::Clean)
}
