//! `stepkin check`

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::cache::CacheArguments;
use super::codes::{Chosen, CodeArguments};
use super::format::{self, Format, Length};
use super::report::{ReportArguments, listed};
use super::shard::Shard;
use super::sites::{self, RepositoryReport};
use super::terminal::{self, note};
use super::{
    Outcome, PathArguments, baseline, below_root, count, files_as_text, fix, is_in, new_below_root, options,
    print_error, print_overview, print_skipped, progress, statistics, today,
};
use crate::app::serve;
use crate::output::cache::Cache;
use crate::output::making::{self, CheckedSite};
use crate::output::pipeline::{self, Options};
use crate::output::render::Rendering;
use crate::output::unit::{self, Share};
use base::diagnostic::{Code, Diagnostic, Report};
use base::error::{Error, Result};
use base::site_path::{self, SitePath};
use input::config::{FailOn, LevelledCode};
use input::source::{self, Sources, Text};
use review::check;
use review::drift::Scope;
use site::content::{self, FamilySummary};
use site::work::Work;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  stepkin check               Check the site\n  stepkin check content/tour  Report only on one folder\n  stepkin check --fix         Apply automatic fixes first\n  stepkin check --statistics  Count problems by rule"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Arguments {
    #[command(flatten)]
    site: PathArguments,
    #[command(flatten)]
    report: ReportArguments,
    /// Hide findings recorded in `<FILE>`
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    baseline: Option<PathBuf>,
    /// Record all findings in `<FILE>` instead of reporting them
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Also report drift, like `stepkin drift`
    #[arg(long)]
    drift: bool,
    /// Also check links to other sites over the network
    #[cfg(feature = "external")]
    #[arg(long, conflicts_with = "shard")]
    external: bool,
    /// With `--external`, also check links to private and local addresses
    #[cfg(feature = "external")]
    #[arg(long, requires = "external")]
    allow_private: bool,
    /// List links to other sites, one per line, without checking anything
    #[arg(long, conflicts_with = "format")]
    list_links: bool,
    #[command(flatten)]
    cache: CacheArguments,
    /// Check from scratch, without reading or writing the cache
    #[arg(long, conflicts_with = "folder")]
    no_cache: bool,
    #[command(flatten)]
    codes: CodeArguments,
    /// Apply automatic fixes first, then report what remains
    #[arg(long, conflicts_with = "list_links")]
    fix: bool,
    /// With `-` as the path, read this page from standard input and report on it only
    #[arg(long, alias = "stdin-path", value_name = "FILE", conflicts_with_all = ["fix", "list_links", "write_baseline"])]
    stdin_filename: Option<PathBuf>,
    /// Check shard I of N; `stepkin merge` runs the site-wide rules, such as `unused-image`
    #[arg(long, value_name = "I/N", conflicts_with_all = ["baseline", "drift", "fix", "list_links", "stdin_filename"])]
    shard: Option<Shard>,
    /// Check again whenever a file changes
    #[arg(long, short, conflicts_with_all = ["fix", "list_links", "write_baseline", "stdin_filename"])]
    watch: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let root = arguments.site.root();
    match of_one(arguments, root) {
        Err(Error::SeveralSites { folders, text }) if arguments.is_for_several() => {
            let folders = asked_for(folders, &below_root(root, arguments.site.paths())?);
            // A path that is in no site.
            if folders.is_empty() {
                return Err(Error::usage(text));
            }
            of_several(arguments, root, &folders)
        }
        result => result,
    }
}

impl Arguments {
    /// Whether only findings are printed, so that those of several sites can be printed together.
    fn is_for_several(&self) -> bool {
        let has_files = self.baseline.is_some() || self.write_baseline.is_some() || self.shard.is_some();
        !has_files && !self.list_links && !self.watch && self.stdin_filename.is_none()
    }
}

/// Checks one site.
fn of_one(arguments: &Arguments, root: &Path) -> Result<Outcome> {
    let start = Instant::now();
    let chosen = arguments.codes.chosen()?;
    let page = page_of_input(arguments)?;
    let is_wanted = is_in(match &page {
        Some(page) => vec![PathBuf::from(page.path.as_str())],
        None => below_root(root, arguments.site.paths())?,
    });
    let cache = cache_of(arguments, root)?;
    let options = options_of(arguments, root, &chosen);
    if arguments.list_links {
        let (work, _) = pipeline::plan(pipeline::read(root, &cache)?, &options, &cache)?;
        format::links(&check::external_links(&work), &work.project.sources)?;
        return Ok(Outcome::Clean);
    }
    if arguments.fix {
        fix::apply(root, &chosen, &is_wanted, false)?;
    }
    if arguments.watch {
        return watch(arguments, &options, &cache, &is_wanted, |report, work| {
            reported(arguments, report, work, &is_wanted, &chosen)
        });
    }
    // The process is about to exit, and the system frees the memory of a site faster.
    let cache = ManuallyDrop::new(cache);
    let CheckedSite { report, work } = match page {
        Some(page) => making::check_with(root, page, &options, &cache)?,
        None => progress::during(|| making::check(root, &options, &cache))?,
    };
    let work = ManuallyDrop::new(work);
    refuse_nothing_read(&work, &report)?;
    say_if_nothing_is_in(arguments.site.paths(), &work, &report, &is_wanted);
    if let Some(file) = &arguments.write_baseline {
        let is_chosen = |finding: &Diagnostic| is_wanted(&finding.file) && chosen.has(finding.problem.code);
        return write_baseline(file, &report.into_iter().filter(is_chosen).collect(), &work);
    }
    let report = reported(arguments, report, &work, &is_wanted, &chosen)?;
    say(arguments, &report, &work.project.sources, &work, &is_wanted, start)
}

/// Returns the folders of sites that contain one of these paths, or are in one. Without paths, all are returned.
fn asked_for(mut folders: Vec<String>, paths: &[PathBuf]) -> Vec<String> {
    folders.retain(|folder| {
        let is_around = |path: &PathBuf| path.starts_with(folder) || Path::new(folder).starts_with(path);
        paths.is_empty() || paths.iter().any(is_around)
    });
    folders
}

/// Checks several sites of a repository. People read about one after the other, and programs get one report. Paths are
/// relative to the repository.
fn of_several(arguments: &Arguments, root: &Path, folders: &[String]) -> Result<Outcome> {
    let chosen = arguments.codes.chosen()?;
    let is_wanted = is_in(below_root(root, arguments.site.paths())?);
    let is_for_people = arguments.report.format() == Format::Human;
    let (mut all, mut outcome, mut failure) = (RepositoryReport::of(root), Outcome::Clean, None);
    for (at, folder) in folders.iter().enumerate() {
        let start = Instant::now();
        let is_wanted = |file: &SitePath| is_wanted(&sites::in_folder(folder, file));
        if is_for_people && !terminal::is_quiet() {
            let before = if at > 0 { "\n" } else { "" };
            let heading = format!("{before}site {} of {}: {folder}/", at + 1, folders.len());
            format::to_stdout(|out| writeln!(out, "{heading}"))?;
        }
        let (report, work) = match checked(arguments, &root.join(folder), &is_wanted, &chosen) {
            Ok(found) => found,
            // The other sites are checked nevertheless.
            Err(error) => {
                failure.replace(error).iter().for_each(print_error);
                continue;
            }
        };
        let found = if is_for_people {
            let mut own = RepositoryReport::of(root);
            own.add(folder, &report, &work.project.sources);
            say(arguments, &own.report, &own.sources, &work, &is_wanted, start)?
        } else {
            all.add(folder, &report, &work.project.sources);
            outcome_of(arguments, &report, &work)
        };
        outcome = if found == Outcome::Clean { outcome } else { found };
    }
    if !is_for_people && !terminal::is_quiet() {
        print(arguments, &all.report, &all.sources, arguments.report.fail_on.unwrap_or_default())?;
    }
    failure.map_or(Ok(outcome), Err)
}

/// Returns the findings on one of several sites.
fn checked(
    arguments: &Arguments,
    root: &Path,
    is_wanted: &impl Fn(&SitePath) -> bool,
    chosen: &Chosen,
) -> Result<(Report, Rendering)> {
    if arguments.fix {
        fix::apply(root, chosen, is_wanted, false)?;
    }
    let cache = cache_of(arguments, root)?;
    let options = options_of(arguments, root, chosen);
    let CheckedSite { report, work } = progress::during(|| making::check(root, &options, &cache))?;
    refuse_nothing_read(&work, &report)?;
    Ok((reported(arguments, report, &work, is_wanted, chosen)?, work))
}

fn cache_of(arguments: &Arguments, root: &Path) -> Result<Cache> {
    if arguments.no_cache { Ok(Cache::default()) } else { arguments.cache.open(root) }
}

/// Refuses a site without pages: it is incomplete or was misread, so "no problems" would mean nothing. The files of a Stepkin site
/// may have problems that explain it.
fn refuse_nothing_read(work: &Work, report: &Report) -> Result<()> {
    let (site, sources) = (&work.project.site, &work.project.sources);
    let is_explained = site.repository.is_ours() && !(sources.pages.is_empty() && report.is_empty());
    if is_explained || !site.documents.is_empty() {
        return Ok(());
    }
    let content = &site.repository.content.path;
    let cause = match source::submodules(&sources.root).into_iter().find(|path| is_around(path, content)) {
        Some(path) => format!("`{path}` is a missing submodule; run `git submodule update --init`"),
        None if site.repository.is_ours() => format!("add the first one as `{content}/index.md`"),
        None => "set `content` in `[source]` of `stepkin.toml` to the directory of the pages".to_string(),
    };
    Err(Error::usage(format!("no pages found ({}): {cause}", site.repository)))
}

/// Notes that paths contain nothing of the site, because "no problems" would mean that their pages were checked.
fn say_if_nothing_is_in(
    paths: &[PathBuf],
    work: &Work,
    report: &Report,
    is_wanted: &impl Fn(&SitePath) -> bool,
) {
    let sources = work.project.sources.whole();
    let texts = [&sources.pages, &sources.templates, &sources.beside].into_iter().flat_map(BTreeMap::keys);
    let mut files = texts.chain(sources.assets.keys()).chain(report.iter().map(|it| &it.file));
    if !paths.is_empty() && !files.any(is_wanted) {
        let paths: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
        note!("nothing of the site is in {}: {}", paths.join(", "), sources.repository);
    }
}

/// Whether two directories are the same, or one contains the other.
fn is_around(path: &str, content: &str) -> bool {
    path == content || site_path::is_inside(content, path) || site_path::is_inside(path, content)
}

/// Returns the findings in the requested files and rules, without those in the baseline.
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

/// Checks, and checks again after each save. Prints nothing if nothing changed.
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
                print_error(&error);
                before = None;
                return None;
            }
        };
        let files = saves.files(work.project.sources.whole());
        if !files.is_empty() {
            note!("{}", files_as_text(&files));
        }
        if (!files.is_empty() || before.as_ref() != Some(&report))
            && let Err(error) = say(arguments, &report, &work.project.sources, &work, is_wanted, start)
        {
            print_error(&error);
        }
        before = Some(report);
        Some(work)
    })?;
    Ok(Outcome::Clean)
}

/// Returns the page on standard input, if the path is `-`.
fn page_of_input(arguments: &Arguments) -> Result<Option<Text>> {
    let is_input = |path: &PathBuf| path.as_os_str() == "-";
    match (&arguments.stdin_filename, arguments.site.paths()) {
        (Some(file), [path]) if is_input(path) => {
            let below = new_below_root(arguments.site.root(), file)?;
            let Some(path) = SitePath::of(Path::new(""), &below) else {
                return Err(Error::usage(format!("cannot use `{}`: the name is not UTF-8", file.display())));
            };
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes).map_err(Error::io("read", "standard input"))?;
            Ok(Some(Text::new(path, bytes)))
        }
        (Some(_), _) => Err(Error::usage(
            "--stdin-filename needs `-` as the path: `stepkin check - --stdin-filename FILE`",
        )),
        (None, paths) if paths.iter().any(is_input) => Err(Error::usage(
            "`-` reads a page from standard input: add `--stdin-filename FILE` with its path",
        )),
        (None, _) => Ok(None),
    }
}

/// Returns the options of the check.
fn options_of(
    arguments: &Arguments,
    #[cfg_attr(not(feature = "external"), expect(unused_variables))] root: &Path,
    chosen: &Chosen,
) -> Options {
    let mut options = options(false, None);
    options.history = true;
    options.today = Some(today);
    options.drift = arguments.drift.then(|| Scope::everything(today()));
    options.reported = chosen.asked_for();
    options.share = share(arguments);
    #[cfg(feature = "external")]
    if arguments.external {
        let memory = Some(arguments.cache.answers(root));
        let private = arguments.allow_private;
        options.external = Some(input::external::ExternalOptions { private, memory, ..Default::default() });
    }
    options
}

fn share(arguments: &Arguments) -> Share {
    arguments.shard.as_ref().map_or(Share::All, |shard| shard.0.clone())
}

fn write_baseline(file: &Path, report: &Report, work: &Work) -> Result<Outcome> {
    baseline::write(file, report, &work.project.sources)?;
    let blockers = report.blockers().count();
    let written = count(report.iter().len() - blockers, "finding");
    note!("recorded {written} in `{}`", file.display());
    if blockers == 0 {
        return Ok(Outcome::Clean);
    }
    let them = if blockers == 1 { "it first: it blocks" } else { "them first: they block" };
    eprintln!("{} not recorded: fix {them} every build", count(blockers, "error"));
    Ok(Outcome::Findings)
}

/// Returns the number of pages of a share in all languages.
fn pages(work: &Rendering, share: &Share, is_wanted: &impl Fn(&SitePath) -> bool) -> usize {
    let pages = |work: &Rendering| {
        let pages = match share {
            Share::All => work.project.site.documents.indices().collect(),
            share => unit::documents_of(&work.project, share),
        };
        let documents = pages.into_iter().map(|id| work.project.site.document(id));
        documents.filter(|document| document.foreign.is_none() && is_wanted(&document.path)).count()
    };
    work.languages().map(pages).sum()
}

/// Prints the report. `sources` contains its files.
fn say(
    arguments: &Arguments,
    report: &Report,
    sources: &Sources,
    work: &Rendering,
    is_wanted: &impl Fn(&SitePath) -> bool,
    start: Instant,
) -> Result<Outcome> {
    let site = &work.project.site;
    let format = arguments.report.format();
    let shown = &*listed(report, format);
    if !terminal::is_quiet() {
        if format == Format::Human {
            let all = pages(work, &Share::All, &|_| true);
            let summary = FamilySummary { pages: all, ..content::summary(site) };
            let is_verbose = terminal::is_verbose();
            print_overview(work, if is_verbose { summary.to_string() } else { summary.before_findings() });
            print_skipped("not checked:", making::left_out(site, report), "");
        }
        print(arguments, report, sources, bar(arguments, work))?;
    }
    if format == Format::Human || terminal::is_quiet() {
        format::summary(shown, pages(work, &share(arguments), is_wanted), start.elapsed())?;
    }
    Ok(outcome_of(arguments, report, work))
}

/// Prints the findings in the requested format.
fn print(arguments: &Arguments, report: &Report, sources: &Sources, bar: FailOn) -> Result<()> {
    let format = arguments.report.format();
    let report = &*listed(report, format);
    match format {
        format if arguments.report.statistics => statistics::write(report, format)?,
        Format::Human => format::human(report, sources, arguments.report.length(Length::Examples))?,
        format => format::write(format, report, sources, bar.into())?,
    }
    if format == Format::Human { format::hint(report) } else { Ok(()) }
}

/// Returns the lowest severity that fails the run.
fn bar(arguments: &Arguments, work: &Rendering) -> FailOn {
    arguments.report.fail_on.or(work.project.site.config.check.fail_on).unwrap_or_default()
}

fn outcome_of(arguments: &Arguments, report: &Report, work: &Rendering) -> Outcome {
    let report = &*listed(report, arguments.report.format());
    if check::fails(report, bar(arguments, work).into()) { Outcome::Findings } else { Outcome::Clean }
}
