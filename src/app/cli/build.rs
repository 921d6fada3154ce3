//! `stepkin build`

mod hosts;
mod report;

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::cache::CacheArguments;
use super::shard::Shard;
use super::terminal;
use super::timings::{cache_table, table};
use super::{
    Outcome, PlainSiteArguments, files_as_text, format, limit_threads, options, print_error, progress,
};
use crate::app::serve;
use crate::output::cache::Cache;
use crate::output::making::{self, BuildOptions, Built, CheckedSite};
use crate::output::publish::interrupt;
use crate::output::unit::Share;
use base::error::{Error, Result};
use base::timings;
use site::plan::LinkStyle;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: PlainSiteArguments,
    #[command(flatten)]
    making: MakingArguments,
    /// Build from scratch, without reading or writing the cache
    #[arg(long, conflicts_with = "folder")]
    no_cache: bool,
    /// Rebuild whenever a file changes
    #[arg(long, short, conflicts_with = "timings")]
    watch: bool,
    /// Build only this family, without search; can be repeated
    #[arg(long = "family", alias = "only", value_name = "FAMILY", requires = "output", conflicts_with_all = ["shard", "watch"])]
    families: Vec<String>,
    /// Build shard I of N; combine all shards with `stepkin merge`
    #[arg(long, value_name = "I/N", requires = "output", conflicts_with_all = ["no_cache", "watch"])]
    shard: Option<Shard>,
}

/// Options of `build` and `merge`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct MakingArguments {
    /// Output directory; must be new, empty, or from an earlier build [default: `dist` in the site root]
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// URL the site will be served from; its path is added to every link
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Use relative links, so the site works from disk and under any path
    #[arg(long)]
    relative: bool,
    /// Fail without writing the site if there are errors [default when `CI` is set]
    #[arg(long, overrides_with = "no_strict")]
    strict: bool,
    /// Write the site despite errors, except those that block every build [default when `CI` is not set]
    #[arg(long, overrides_with = "strict")]
    no_strict: bool,
    /// Include pages marked `draft: true`
    #[arg(long)]
    drafts: bool,
    /// Build without search
    #[arg(long)]
    no_search: bool,
    /// Run the commands in `[diagrams]` and `[cards]`, which draw images
    #[arg(long, alias = "diagrams")]
    draw: bool,
    #[command(flatten)]
    pub(super) cache: CacheArguments,
    /// Number of threads [default: number of CPU cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Write all findings to `<FILE>` as JSON Lines
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print the time of each stage and the number of cached results
    #[arg(long)]
    timings: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let (root, making) = (arguments.site.root(), &arguments.making);
    let share = match (&arguments.shard, &arguments.families[..]) {
        (Some(shard), _) => shard.0.clone(),
        (None, []) => Share::All,
        (None, families) => Share::Families(families.to_vec()),
    };
    let mut settings = making.settings(root, share);
    // The search index would list pages that are not built.
    settings.options.no_search |= !arguments.families.is_empty();
    let cache = || if arguments.no_cache { Ok(Cache::default()) } else { making.cache.open(root) };
    if !arguments.watch {
        return making.run(root, &settings, cache);
    }
    interrupt::listen();
    limit_threads(making.jobs.map(usize::from))?;
    watch(making, root, &BuildOptions { wants_findings: true, ..settings }, &cache()?)
}

impl MakingArguments {
    /// Runs a single build.
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
        // The process is about to exit, and the system frees the memory of a site faster.
        let cache = ManuallyDrop::new(cache()?);
        let built = ManuallyDrop::new(progress::during(|| making::build(root, settings, &cache))?);
        write_report(self, &built)?;
        let outcome = report::print(&built, settings, start, "")?;
        if self.timings {
            eprint!("{}", cache_table(cache.tallies().into_iter().chain([("outputs", built.outputs())])));
        }
        Ok(outcome)
    }

    /// Returns the build options for the site at a root.
    pub(super) fn settings(&self, root: &Path, share: Share) -> BuildOptions {
        let mut options = options(self.drafts, self.base_url.as_deref());
        options.days = true;
        options.draw = self.draw;
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

/// Whether errors fail the build: by default only in CI, where the result isn't looked at.
fn is_strict(arguments: &MakingArguments, in_ci: bool) -> bool {
    arguments.strict || in_ci && !arguments.no_strict
}

/// Writes the findings to the `--report` file.
fn write_report(arguments: &MakingArguments, built: &Built) -> Result<()> {
    match (&arguments.report, built.found()) {
        (Some(file), Some(CheckedSite { report, work })) => {
            format::json_file(file, report, &work.project.sources)
        }
        _ => Ok(()),
    }
}

/// Builds, and rebuilds after each save.
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
                print_error(&error);
                return None;
            }
        };
        let files =
            built.found().map(|found| saves.files(found.work.project.sources.whole())).unwrap_or_default();
        let after = if files.is_empty() { String::new() } else { format!("{}: ", files_as_text(&files)) };
        let said =
            write_report(arguments, &built).and_then(|()| report::print(&built, settings, start, &after));
        if let Err(error) = said {
            print_error(&error);
        }
        built.into_found().map(|found| found.work)
    })?;
    Ok(Outcome::Clean)
}
