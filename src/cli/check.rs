//! `stepkin check`

use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::time::Instant;

use super::cache::CacheArguments;
use super::format::{self, Format};
use super::{
    Outcome, SiteArguments, baseline, count, options, say_left_out, say_what_was_read, today, wanted,
};
use crate::cache::Cache;
use crate::check;
use crate::config::{FailOn, LevelledCode};
use crate::diagnostic::{Code, Report};
use crate::drift::Scope;
use crate::error::Result;
use crate::making::{self, Found};
use crate::pipeline;

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Report only what is in these files or folders; the whole site is still known
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How to write the report [default: human, or github under GitHub Actions]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Exit with 1 at this severity or above [default: error, or what stepkin.toml says]
    #[arg(long, value_enum)]
    fail_on: Option<FailOn>,
    /// Leave out the findings that this file knows
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    baseline: Option<PathBuf>,
    /// Write all findings to this file, and report none
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Report where the platforms tell different stories too, as `stepkin drift` does
    #[arg(long)]
    drift: bool,
    /// Ask other sites whether links to them are alive
    #[cfg(feature = "external")]
    #[arg(long)]
    external: bool,
    /// With --external: ask addresses of this machine and its network too
    #[cfg(feature = "external")]
    #[arg(long, requires = "external")]
    allow_private: bool,
    /// Check nothing; list the links to other sites, one a line, for other tools
    #[arg(long, conflicts_with = "format")]
    list_links: bool,
    #[command(flatten)]
    cache: CacheArguments,
    /// Check everything again: neither read nor write what earlier runs have kept
    #[arg(long, conflicts_with = "folder")]
    no_cache: bool,
    /// Print nothing but the last line
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let start = Instant::now();
    let root = arguments.site.root();
    let is_wanted = wanted(root, &arguments.paths)?;
    let mut options = options(false, None);
    let cache = match arguments.no_cache {
        true => Cache::default(),
        false => arguments.cache.open(root)?,
    };
    options.history = true;
    options.drift = arguments.drift.then(|| Scope::everything(today()));
    if arguments.list_links {
        let (work, _) = pipeline::plan(pipeline::read(root, &cache)?, &options, &cache)?;
        format::links(&check::external_links(&work), &work.project.sources)?;
        return Ok(Outcome::Clean);
    }
    #[cfg(feature = "external")]
    if arguments.external {
        let memory = Some(arguments.cache.answers(root));
        let private = arguments.allow_private;
        options.external = Some(crate::external::Settings { private, memory, ..Default::default() });
    }
    // The program is about to end, and the system frees the memory of a site faster.
    let cache = ManuallyDrop::new(cache);
    let Found { report, work } = making::check(root, &options, &cache)?;
    let work = ManuallyDrop::new(work);
    let mut report: Report = report.into_iter().filter(&is_wanted).collect();
    if let Some(file) = &arguments.write_baseline {
        baseline::keep(file, &report, &work.project.sources)?;
        let blockers = report.blockers().count();
        let written = count(report.iter().len() - blockers, "finding");
        eprintln!("{written} written to `{}`", file.display());
        if blockers > 0 {
            eprintln!("{} left out: nothing is published until it is mended", count(blockers, "finding"));
            return Ok(Outcome::Findings);
        }
        return Ok(Outcome::Clean);
    }
    if let Some(file) = &arguments.baseline {
        let level = work.project.site.config.check.severity.get(&LevelledCode(Code::StaleBaseline)).copied();
        report = baseline::apply(file, report, &work.project.sources, &is_wanted, level)?;
    }
    let bar = arguments.fail_on.or(work.project.site.config.check.fail_on).unwrap_or_default().into();
    let format = arguments.format.unwrap_or_else(Format::usual);
    if !arguments.quiet {
        if format == Format::Human {
            say_what_was_read(&work);
            say_left_out(making::left_out(&work.project.site, &report), "");
        }
        format::write(format, &report, &work.project.sources, bar)?;
    }
    if format == Format::Human || arguments.quiet {
        format::summary(&report, work.project.site.documents.len(), start.elapsed())?;
    }
    Ok(if check::fails(&report, bar) { Outcome::Findings } else { Outcome::Clean })
}
