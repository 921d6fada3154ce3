//! The command line: arguments in, reports and an exit status out.

mod baseline;
mod build;
mod cache;
mod changes;
mod check;
mod codes;
mod completions;
mod drift;
mod explain;
mod export;
mod fix;
mod format;
mod init;
mod keys;
#[cfg(feature = "lsp")]
mod lsp;
mod manual;
#[cfg(feature = "external")]
mod maps;
mod merge;
mod migrate;
mod mv;
mod new;
mod patch;
mod progress;
mod publish;
mod schema;
mod serve;
mod shard;
mod statistics;
mod terminal;
mod theme;
mod timings;
mod tips;
mod unify;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use self::terminal::note;
use clap::{CommandFactory, Parser, Subcommand};

use crate::base::diagnostic::{Report, Severity, unknown, visible};
use crate::base::error::{Error, Result};
use crate::base::site_path::SitePath;
use crate::input::conventions::Repository;
use crate::input::source;
use crate::output::pipeline::Options;
use crate::review::drift::{Scope, Step};
use crate::site::content::{self, FamilyId, Selection, Site};
use crate::site::work::Work;

/// Builds, serves and checks tutorial families: one tutorial told for several platforms.
#[derive(Debug, Parser)]
#[command(name = "stepkin", version = env!("STEPKIN_VERSION"), max_term_width = 100)]
struct Arguments {
    #[command(flatten)]
    manner: terminal::MannerArguments,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start a site: a small tutorial for two platforms
    Init(init::Arguments),
    /// Write the site of another generator as one of Stepkin's own, into a new folder
    Migrate(migrate::Arguments),
    /// Make the site
    Build(build::Arguments),
    /// Make the site of parts that several machines made with `build --shard`
    Merge(merge::Arguments),
    /// Put the built site into a bucket or a folder, as far as it differs
    Publish(publish::Arguments),
    /// Show the site while it is written
    Serve(serve::Arguments),
    /// Tell editors what is known of a site (Language Server Protocol)
    #[cfg(feature = "lsp")]
    Lsp(lsp::Arguments),
    /// Find what is wrong with the content
    #[command(alias = "link-check")]
    Check(check::Arguments),
    /// Keep maps of other sites, by which links to them are checked
    #[cfg(feature = "external")]
    Maps(maps::Arguments),
    /// Find where the platforms of a family tell different stories
    Drift(drift::Arguments),
    /// Move pages, steps, pictures and folders, with every link that leads to them
    Mv(mv::Arguments),
    /// Add a step to a family, on all of its platforms
    New(new::Arguments),
    /// Make one shared page of a step that platforms tell nearly alike
    Unify(unify::Arguments),
    /// Mend what has one right answer
    Fix(fix::Arguments),
    /// Write settings or steps for programs and spreadsheets
    Export(export::Arguments),
    /// List, copy out and compare what the site may replace
    Theme(theme::Arguments),
    /// Say what a finding means and how to mend it
    Explain(explain::Arguments),
    /// Print the JSON Schema of what is read or written, for editors and programs
    Schema(schema::Arguments),
    /// Print what lets a shell complete commands and options
    Completions(completions::Arguments),
    /// Write the manual pages
    Man(manual::Arguments),
}

/// Which site, and how.
#[derive(Debug, clap::Args)]
struct SiteArguments {
    /// The site's folder [default: the nearest one, from here upwards, with `content`, `stepkin.toml` or what a
    /// generator is configured by]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    #[arg(skip)]
    found: OnceLock<PathBuf>,
    /// Whether it was said where the site is.
    #[arg(skip)]
    is_said: OnceLock<()>,
}

impl SiteArguments {
    /// The site's folder. Printed where it is neither named nor this one.
    fn root(&self) -> &Path {
        let root = self.root.as_deref().unwrap_or_else(|| self.found.get_or_init(nearest_site));
        self.said(root)
    }

    /// Says where the site is, once, to who wants to know much.
    fn said<'a>(&self, root: &'a Path) -> &'a Path {
        if terminal::is_verbose() {
            self.is_said.get_or_init(|| {
                let real = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
                eprintln!("the folder of the site is `{}`", visible(real.display().to_string()));
            });
        }
        root
    }
}

/// The same for commands that take nothing else: the folder may be named alone.
#[derive(Debug, clap::Args)]
struct PlainSiteArguments {
    #[command(flatten)]
    site: SiteArguments,
    /// The site's folder, as --root names it
    #[arg(value_name = "DIR", conflicts_with = "root")]
    place: Option<PathBuf>,
}

impl PlainSiteArguments {
    /// The site's folder.
    fn root(&self) -> &Path {
        match &self.place {
            Some(place) => self.site.said(place),
            None => self.site.root(),
        }
    }
}

/// The nearest folder from here upwards that is a site; this one where none is.
fn nearest_site() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    match here.ancestors().position(source::is_site) {
        None | Some(0) => PathBuf::from("."),
        Some(levels) => {
            let root: PathBuf = std::iter::repeat_n("..", levels).collect();
            note!("the site is in `{}`", root.display());
            root
        }
    }
}

/// Says what the site was read as, and which families it has.
fn say_what_was_read(work: &Work) {
    let site = &work.project.site;
    // Of a site of its own nobody wonders.
    if !site.repository.is_ours() {
        note!("{}", visible(site.repository.to_string()));
        if terminal::is_verbose() {
            site.repository.reasons().into_iter().for_each(|reason| note!("{}", visible(reason)));
        }
    }
    note!("{}", visible(content::summary(site).to_string()));
}

/// Says how much of another tool's syntax is in no page; `more` follows.
fn say_left_out(pieces: usize, more: &str) {
    if pieces > 0 {
        note!("left out: {} of foreign syntax{more}", count(pieces, "piece"));
    }
}

/// What `clap` knows of all commands.
pub fn commands() -> clap::Command {
    Arguments::command()
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Clean,
    /// Findings at or above the bar.
    Findings,
}

/// Runs the command that the process was called with.
///
/// # Errors
///
/// What prevented the command from doing its work; usage errors end the process in `clap`, with status 2.
pub fn run() -> Result<Outcome> {
    let Arguments { manner, command } = Arguments::try_parse().unwrap_or_else(|error| tips::exit(error));
    terminal::begin(&manner)?;
    let outcome = run_command(command)?;
    if terminal::is_verbose()
        && let Some(timings) = crate::base::timings::measure()
    {
        eprintln!("{}", timings::line(&timings));
    }
    Ok(outcome)
}

fn run_command(command: Command) -> Result<Outcome> {
    match command {
        Command::Init(arguments) => init::run(&arguments),
        Command::Migrate(arguments) => migrate::run(&arguments),
        Command::Build(arguments) => build::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Publish(arguments) => publish::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        #[cfg(feature = "lsp")]
        Command::Lsp(arguments) => lsp::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        #[cfg(feature = "external")]
        Command::Maps(arguments) => maps::run(&arguments),
        Command::Drift(arguments) => drift::run(&arguments),
        Command::Mv(arguments) => mv::run(&arguments),
        Command::New(arguments) => new::run(&arguments),
        Command::Unify(arguments) => unify::run(&arguments),
        Command::Fix(arguments) => fix::run(&arguments),
        Command::Theme(arguments) => theme::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => manual::run(&arguments),
    }
}

fn options(drafts: bool, base_url: Option<&str>) -> Options {
    Options { selection: Selection { drafts }, base_url: base_url.map(str::to_string), ..Options::default() }
}

/// The family that is asked for.
fn known_family(site: &Site, id: &str) -> Result<FamilyId> {
    some_family(site)?;
    site.family_named(id)
}

/// For commands that write what only a site of our own has.
fn only_ours(repository: &Repository, command: &str) -> Result<()> {
    match repository.is_ours() {
        true => Ok(()),
        false => Err(Error::usage(format!(
            "`stepkin {command}` is for sites of its own, and this is read as {}; `stepkin migrate --output DIR` makes one of it",
            repository.convention.name
        ))),
    }
}

/// For commands that have nothing to do on a site without families.
fn some_family(site: &Site) -> Result<()> {
    if !site.families.is_empty() {
        return Ok(());
    }
    if !site.repository.is_ours() {
        note!("{}", visible(site.repository.to_string()));
    }
    Err(Error::usage(content::summary(site).to_string()))
}

/// The steps of a scope, of which there is one at least.
fn known_steps<'a>(work: &'a Work, scope: &Scope) -> Result<Vec<Step<'a>>> {
    let steps = crate::review::drift::steps(work, scope);
    match &scope.step {
        Some(step) if steps.is_empty() => {
            let all = crate::review::drift::steps(work, &Scope { step: None, ..scope.clone() });
            let names: Vec<&str> = all.iter().map(Step::name).collect();
            Err(unknown("step", step, &names))
        }
        _ => Ok(steps),
    }
}

/// The day on this machine.
fn today() -> jiff::civil::Date {
    jiff::Zoned::now().date()
}

/// Which files a run is about: these, those in these folders, or all where there are none. Paths are as reports write them.
fn wanted_in(below: Vec<PathBuf>) -> impl Fn(&SitePath) -> bool {
    move |file| below.is_empty() || below.iter().any(|path| Path::new(file.as_str()).starts_with(path))
}

/// Paths as reports write them. They may be given from here or from the site's root.
fn below_root(root: &Path, paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    paths.iter().map(|path| place_below_root(root, path)).collect()
}

/// The path of a file that need not be there, as reports write it.
fn new_below_root(root: &Path, path: &Path) -> Result<PathBuf> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    Ok(place_below_root(root, folder)?.join(path.file_name().unwrap_or_default()))
}

/// The path as reports write it.
fn place_below_root(root: &Path, path: &Path) -> Result<PathBuf> {
    let root = root.canonicalize().map_err(Error::io("read", root))?;
    let here =
        path.canonicalize().or_else(|_| root.join(path).canonicalize()).map_err(Error::io("read", path))?;
    match here.strip_prefix(&root) {
        Ok(below) => Ok(below.to_path_buf()),
        Err(_) => Err(Error::usage(format!("cannot use `{}`: it is not in the site", path.display()))),
    }
}

/// Limits the threads of this process.
fn limit_threads(jobs: Option<usize>) -> Result<()> {
    let Some(jobs) = jobs else { return Ok(()) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build_global()
        .map_err(|error| Error::usage(format!("cannot start {jobs} threads: {error}")))
}

/// Prints how many findings there are, for commands that do something else.
fn say_findings(report: &Report) {
    say_counts("", report.count(Severity::Error), report.count(Severity::Warning));
}

/// `lead` is printed in front, where there is anything to count.
fn say_counts(lead: &str, errors: usize, warnings: usize) {
    let counts: Vec<String> = [(errors, "error"), (warnings, "warning")]
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, noun)| count(number, noun))
        .collect();
    if !counts.is_empty() {
        let them = if errors + warnings == 1 { "it" } else { "them" };
        note!("{lead}{}: `stepkin check` shows {them}", counts.join(" and "));
    }
}

/// Prints why something could not be done, where the process goes on.
fn say_error(error: &Error) {
    eprintln!("error: {}", visible(error.to_string()));
}

/// `content/tour/web/connect.md and 2 more files`.
fn files_as_text(files: &BTreeSet<SitePath>) -> String {
    let mut files = files.iter();
    let first = files.next().map_or_else(|| "read again".to_string(), ToString::to_string);
    let more = match files.len() {
        0 => String::new(),
        more => format!(" and {}", count(more, "more file")),
    };
    visible(format!("{first}{more}"))
}

/// `Web, iOS and Android`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_string(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// `1 page`, `2 pages`.
fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
