//! `stepkin check`

use std::io::{self, Read};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::cache::CacheArguments;
use super::codes::{Chosen, CodeArguments};
use super::format::{self, Format, Length};
use super::shard::Shard;
use super::terminal::{self, note};
use super::{
    Outcome, SiteArguments, baseline, below_root, count, files_as_text, fix, new_below_root, options,
    progress, say_error, say_left_out, say_what_was_read, statistics, today, wanted_in,
};
use crate::app::serve;
use crate::base::diagnostic::{Code, Diagnostic, Report};
use crate::base::error::{Error, Result};
use crate::base::site_path::{self, SitePath};
use crate::input::config::{FailOn, LevelledCode};
use crate::input::source::{self, Text};
use crate::output::cache::Cache;
use crate::output::making::{self, CheckedSite};
use crate::output::pipeline::{self, Options};
use crate::output::unit::{self, Share};
use crate::review::check;
use crate::review::drift::Scope;
use crate::site::work::Work;

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Report only what is in these files or folders; the whole site is still known. `-` reads one page from standard
    /// input
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
    #[arg(long, conflicts_with = "shard")]
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
    #[command(flatten)]
    codes: CodeArguments,
    /// Count findings by rule and cause instead of listing them, errors first
    #[arg(long)]
    statistics: bool,
    /// Print N findings at most, and how many more there are; other formats than human contain all
    #[arg(long, value_name = "N", conflicts_with = "statistics")]
    max: Option<usize>,
    /// Print every finding of a long report [default: ten examples; other formats than human contain all]
    #[arg(long, conflicts_with_all = ["max", "statistics"])]
    all: bool,
    /// Mend what has one right answer first, as `stepkin fix` does, and report what is left
    #[arg(long, conflicts_with = "list_links")]
    fix: bool,
    /// With `-` as PATH: standard input takes the place of this file, and only what is in it is reported
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fix", "list_links", "write_baseline"])]
    stdin_path: Option<PathBuf>,
    /// Check the pages of one of N parts of the site; what needs all pages, such as files that nobody uses, `stepkin merge`
    /// finds
    #[arg(long, value_name = "I/N", conflicts_with_all = ["baseline", "drift", "fix", "list_links", "stdin_path"])]
    shard: Option<Shard>,
    /// Check again after each save, until the process is ended
    #[arg(long, conflicts_with_all = ["fix", "list_links", "write_baseline", "stdin_path"])]
    watch: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let start = Instant::now();
    let root = arguments.site.root();
    let chosen = arguments.codes.chosen()?;
    let page = page_of_input(arguments)?;
    let is_wanted = wanted_in(match &page {
        Some(page) => vec![PathBuf::from(page.path.as_str())],
        None => below_root(root, &arguments.paths)?,
    });
    let cache = match arguments.no_cache {
        true => Cache::default(),
        false => arguments.cache.open(root)?,
    };
    let options = wishes(arguments, &chosen);
    if arguments.list_links {
        let (work, _) = pipeline::plan(pipeline::read(root, &cache)?, &options, &cache)?;
        format::links(&check::external_links(&work), &work.project.sources)?;
        return Ok(Outcome::Clean);
    }
    if arguments.fix {
        let codes: Vec<Code> =
            crate::review::fix::codes().into_iter().filter(|code| chosen.has(*code)).collect();
        fix::mend(root, &codes, &chosen.asked_for(), &is_wanted, false)?;
    }
    if arguments.watch {
        return watch(arguments, &options, &cache, &is_wanted, |report, work| {
            reported(arguments, report, work, &is_wanted, &chosen)
        });
    }
    // The program is about to end, and the system frees the memory of a site faster.
    let cache = ManuallyDrop::new(cache);
    let CheckedSite { report, work } = match page {
        Some(page) => making::check_with(root, page, &options, &cache)?,
        None => progress::during(|| making::check(root, &options, &cache))?,
    };
    let work = ManuallyDrop::new(work);
    refuse_nothing_read(&work)?;
    if let Some(file) = &arguments.write_baseline {
        let is_chosen = |finding: &Diagnostic| is_wanted(&finding.file) && chosen.has(finding.problem.code);
        return write_baseline(file, &report.into_iter().filter(is_chosen).collect(), &work);
    }
    let report = reported(arguments, report, &work, &is_wanted, &chosen)?;
    say(arguments, &report, &work, &is_wanted, start)
}

/// A site of another generator without a page was read wrongly, or is not there: that it has no findings says nothing.
fn refuse_nothing_read(work: &Work) -> Result<()> {
    let (site, sources) = (&work.project.site, &work.project.sources);
    if site.repository.is_ours() || !site.documents.is_empty() {
        return Ok(());
    }
    let content = &site.repository.content.path;
    let cause = match source::submodules(&sources.root).into_iter().find(|path| is_around(path, content)) {
        Some(path) => format!("`{path}` is a submodule that is not there: run `git submodule update --init`"),
        None => "name the folder of the pages as `content` in `[source]` of stepkin.toml".to_string(),
    };
    Err(Error::usage(format!("no page was found ({}): {cause}", site.repository)))
}

/// Whether a folder is another or around it, or in it.
fn is_around(path: &str, content: &str) -> bool {
    path == content || site_path::is_inside(content, path) || site_path::is_inside(path, content)
}

/// The findings that are wanted and chosen, without those that the baseline knows.
fn reported(
    arguments: &Arguments,
    report: Report,
    work: &Work,
    is_wanted: &impl Fn(&SitePath) -> bool,
    chosen: &Chosen,
) -> Result<Report> {
    let mut report: Report = report.into_iter().filter(|finding| is_wanted(&finding.file)).collect();
    if let Some(file) = &arguments.baseline {
        let level = work.project.site.config.check.severity.get(&LevelledCode(Code::StaleBaseline)).copied();
        report = baseline::apply(file, report, &work.project.sources, is_wanted, level)?;
    }
    Ok(report.into_iter().filter(|finding| chosen.has(finding.problem.code)).collect())
}

/// Checks, and again after each save. What changed nothing says nothing.
fn watch(
    arguments: &Arguments,
    options: &Options,
    cache: &Cache,
    is_wanted: &impl Fn(&SitePath) -> bool,
    reported: impl Fn(Report, &Work) -> Result<Report>,
) -> Result<Outcome> {
    let root = arguments.site.root();
    let mut before: Option<Report> = None;
    serve::follow(root, |saves| {
        let start = Instant::now();
        let found = progress::during(|| making::check(root, options, cache));
        let found = found.and_then(|CheckedSite { report, work }| Ok((reported(report, &work)?, work)));
        let (report, work) = match found {
            Ok(found) => found,
            Err(error) => {
                say_error(&error);
                before = None;
                return None;
            }
        };
        let files = saves.files(&work.project.sources);
        if !files.is_empty() {
            note!("{}", files_as_text(&files));
        }
        if (!files.is_empty() || before.as_ref() != Some(&report))
            && let Err(error) = say(arguments, &report, &work, is_wanted, start)
        {
            say_error(&error);
        }
        before = Some(report);
        Some(work)
    })?;
    Ok(Outcome::Clean)
}

/// The text of standard input and the file that it takes the place of, where that is asked for.
fn page_of_input(arguments: &Arguments) -> Result<Option<Text>> {
    let is_input = |path: &PathBuf| path.as_os_str() == "-";
    match (&arguments.stdin_path, &arguments.paths[..]) {
        (Some(file), [path]) if is_input(path) => {
            let below = new_below_root(arguments.site.root(), file)?;
            let Some(path) = SitePath::of(Path::new(""), &below) else {
                return Err(Error::usage(format!("cannot use `{}`: its name is not UTF-8", file.display())));
            };
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes).map_err(Error::io("read", "standard input"))?;
            Ok(Some(Text::new(path, bytes)))
        }
        (Some(_), _) => Err(Error::usage("--stdin-path is for `stepkin check -`, which reads one page")),
        (None, paths) if paths.iter().any(is_input) => {
            Err(Error::usage("`-` is standard input: --stdin-path names the file whose place it takes"))
        }
        (None, _) => Ok(None),
    }
}

/// What is looked for.
fn wishes(arguments: &Arguments, chosen: &Chosen) -> Options {
    let mut options = options(false, None);
    options.history = true;
    options.today = Some(today());
    options.drift = arguments.drift.then(|| Scope::everything(today()));
    options.reported = chosen.asked_for();
    options.share = arguments.shard.as_ref().map_or(Share::All, |shard| shard.0.clone());
    #[cfg(feature = "external")]
    if arguments.external {
        let memory = Some(arguments.cache.answers(arguments.site.root()));
        let private = arguments.allow_private;
        options.external =
            Some(crate::input::external::ExternalOptions { private, memory, ..Default::default() });
    }
    options
}

fn write_baseline(file: &Path, report: &Report, work: &Work) -> Result<Outcome> {
    baseline::keep(file, report, &work.project.sources)?;
    let blockers = report.blockers().count();
    let written = count(report.iter().len() - blockers, "finding");
    note!("{written} written to `{}`", file.display());
    if blockers == 0 {
        return Ok(Outcome::Clean);
    }
    eprintln!("{} left out: nothing is published until it is mended", count(blockers, "finding"));
    Ok(Outcome::Findings)
}

/// How many pages are reported on.
fn pages(arguments: &Arguments, work: &Work, is_wanted: &impl Fn(&SitePath) -> bool) -> usize {
    let pages = match &arguments.shard {
        Some(shard) => unit::documents_of(&work.project, &shard.0),
        None => work.project.site.documents.indices().collect(),
    };
    pages.into_iter().filter(|&id| is_wanted(&work.project.site.document(id).path)).count()
}

/// How much of a long report is printed.
fn length(arguments: &Arguments) -> Length {
    match arguments.max {
        Some(most) => Length::Most(most),
        None if arguments.all => Length::All,
        None => Length::Examples,
    }
}

/// Prints the report.
fn say(
    arguments: &Arguments,
    report: &Report,
    work: &Work,
    is_wanted: &impl Fn(&SitePath) -> bool,
    start: Instant,
) -> Result<Outcome> {
    let (site, sources) = (&work.project.site, &work.project.sources);
    let bar = arguments.fail_on.or(site.config.check.fail_on).unwrap_or_default().into();
    let usual = if arguments.statistics { Format::Human } else { Format::usual() };
    let format = arguments.format.unwrap_or(usual);
    if !terminal::is_quiet() {
        if format == Format::Human {
            say_what_was_read(work);
            say_left_out(making::left_out(site, report), "");
        }
        match format {
            format if arguments.statistics => statistics::write(report, format)?,
            Format::Human => format::human(report, sources, length(arguments))?,
            format => format::write(format, report, sources, bar)?,
        }
        if format == Format::Human {
            format::hint(report)?;
        }
    }
    if format == Format::Human || terminal::is_quiet() {
        format::summary(report, pages(arguments, work, is_wanted), start.elapsed())?;
    }
    Ok(if check::fails(report, bar) { Outcome::Findings } else { Outcome::Clean })
}
