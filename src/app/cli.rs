//! The command line: arguments in, reports and an exit status out.

mod baseline;
mod build;
mod cache;
mod changes;
mod check;
mod codes;
mod commands;
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
mod report;
mod schema;
mod serve;
mod shard;
mod site;
mod sites;
mod statistics;
mod tasks;
mod terminal;
mod theme;
mod timings;
mod tips;
mod translations;
mod unify;
mod verify;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::site::{
    FamilyArguments, PathArguments, PlainSiteArguments, SiteArguments, below_root, is_in, new_below_root,
};
use self::terminal::note;
use base::sorted::SortedSet;

use crate::output::pipeline::Options;
use crate::site::content::{self, FamilyId, Selection, Site};
use crate::site::work::Work;
use base::diagnostic::{Report, count, unknown, visible};
use base::error::{Error, Result};
use base::site_path::SitePath;
use input::config::Config;
use input::conventions::Repository;
use review::drift::{Scope, Step};

/// Build and check tutorials written for several platforms, and keep them in step
#[derive(Debug, Parser)]
#[command(name = "stepkin", version = env!("STEPKIN_VERSION"), max_term_width = 100)]
struct Arguments {
    #[command(flatten)]
    global: terminal::GlobalArguments,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create a new site with a sample tutorial
    Init(init::Arguments),
    /// Convert a site from another generator into a new Stepkin site
    Migrate(migrate::Arguments),
    /// Build the site
    Build(build::Arguments),
    /// Combine the output of `build --shard` runs into one site
    Merge(merge::Arguments),
    /// Upload the changed files of the built site to a bucket or directory
    Publish(publish::Arguments),
    /// Preview the site locally
    Serve(serve::Arguments),
    /// Run the language server
    #[cfg(feature = "lsp")]
    Lsp(lsp::Arguments),
    /// Check links, anchors, images, and text
    #[command(alias = "link-check")]
    Check(check::Arguments),
    /// Download link maps of other sites
    #[cfg(feature = "external")]
    Maps(maps::Arguments),
    /// Show where platforms have drifted apart
    Drift(drift::Arguments),
    /// Show which translations are behind
    Translations(translations::Arguments),
    /// Check whether a task of `drift --todo` is done
    Verify(verify::Arguments),
    /// Move or rename pages, steps, images, and folders, and update links
    Mv(mv::Arguments),
    /// Add a step to a family on every platform, or the translation of a page
    New(new::Arguments),
    /// Merge near-identical pages of a step into one shared page
    Unify(unify::Arguments),
    /// Apply automatic fixes
    Fix(fix::Arguments),
    /// Export settings or steps as JSON or CSV
    Export(export::Arguments),
    /// List, customize, and compare theme files
    Theme(theme::Arguments),
    /// Explain a rule
    Explain(explain::Arguments),
    /// Print a JSON Schema
    Schema(schema::Arguments),
    /// Generate shell completions
    Completions(completions::Arguments),
    /// Generate man pages
    Man(manual::Arguments),
}

/// Prints how the repository was read, and a summary of its families.
fn print_overview(work: &Work, summary: String) {
    let site = &work.project.site;
    let sources = work.project.sources.whole();
    // A Stepkin site in one language needs no explanation.
    if !site.repository.is_ours() || sources.languages().is_some() {
        note!("{}", visible(sources.description()));
        if terminal::is_verbose() {
            site.repository.reasons().into_iter().for_each(|reason| note!("{}", visible(reason)));
        }
    }
    note!("{}", visible(summary));
}

/// Prints the number of elements with unsupported syntax after their state, such as `skipped`, and before `more`.
fn print_skipped(state: &str, elements: usize, more: &str) {
    if elements > 0 {
        note!("{state} {} with unsupported syntax{more}", count(elements, "element"));
    }
}

/// Prints that no command of the configuration was run.
fn print_not_drawn(config: &Config) {
    let (effect, tables) = match (config.diagrams.is_empty(), config.cards.is_some()) {
        (false, true) => {
            ("diagrams are shown as code, and pages have no cards", "`[diagrams]` and `[cards]`")
        }
        (false, false) => ("diagrams are shown as code", "`[diagrams]`"),
        (true, true) => ("pages have no cards", "`[cards]`"),
        (true, false) => return,
    };
    note!("{effect}: pass `--draw` to run the commands in {tables}");
}

/// Returns the definition of all commands and options.
pub fn commands() -> clap::Command {
    commands::grouped(Arguments::command())
}

/// Result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Clean,
    /// Findings at or above the threshold.
    Findings,
}

/// Runs the command that the process was started with.
///
/// # Errors
///
/// Why the command failed. Wrong arguments end the process in `clap`, with status 2.
pub fn run() -> Result<Outcome> {
    let parsed = commands().try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    let Arguments { global, command } = parsed.unwrap_or_else(|error| tips::exit(error));
    terminal::begin(&global)?;
    let outcome = run_command(command)?;
    if terminal::is_verbose()
        && let Some(timings) = base::timings::measure()
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
        Command::Translations(arguments) => translations::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
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

/// Returns the requested family.
fn known_family(site: &Site, id: &str) -> Result<FamilyId> {
    some_family(site)?;
    site.family_named(id)
}

/// Refuses the sites of other generators, for commands that write Stepkin's own files.
fn only_ours(repository: &Repository, command: &str) -> Result<()> {
    if repository.is_ours() {
        return Ok(());
    }
    Err(Error::usage(format!(
        "`stepkin {command}` needs a Stepkin site, but this is {}; run `stepkin migrate --output DIR` to convert it",
        repository.name()
    )))
}

/// Refuses a site without families.
fn some_family(site: &Site) -> Result<()> {
    if !site.families.is_empty() {
        return Ok(());
    }
    if !site.repository.is_ours() {
        note!("{}", visible(site.repository.to_string()));
    }
    Err(Error::usage(content::summary(site).to_string()))
}

/// Returns the steps of a scope, which has at least one.
fn known_steps<'a>(work: &'a Work, scope: &Scope) -> Result<Vec<Step<'a>>> {
    let steps = review::drift::steps(work, scope);
    match &scope.step {
        Some(step) if steps.is_empty() => {
            let all = review::drift::steps(work, &Scope { step: None, ..scope.clone() });
            let names: Vec<&str> = all.iter().map(Step::name).collect();
            Err(unknown("step", step, &names))
        }
        _ => Ok(steps),
    }
}

/// Returns the current date.
fn today() -> jiff::civil::Date {
    jiff::Zoned::now().date()
}

/// Limits the number of threads of this process.
fn limit_threads(jobs: Option<usize>) -> Result<()> {
    let Some(jobs) = jobs else { return Ok(()) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build_global()
        .map_err(|error| Error::usage(format!("cannot start {jobs} threads: {error}")))
}

/// Prints and returns the findings on diagrams and cards, which a check doesn't draw.
fn print_broken_drawings(report: &Report, work: &Work) -> Result<Report> {
    let broken = report.iter().filter(|it| it.problem.code.rule().is_of_drawing);
    let broken: Report = broken.cloned().collect();
    if !broken.is_empty() {
        format::human(&broken, &work.project.sources, format::Length::All)?;
    }
    Ok(broken)
}

/// Prints the numbers after `lead` if there are any findings.
fn print_counts(lead: &str, errors: usize, warnings: usize) {
    let counts: Vec<String> = [(errors, "error"), (warnings, "warning")]
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, noun)| count(number, noun))
        .collect();
    if !counts.is_empty() {
        let them = if errors + warnings == 1 { "it" } else { "them" };
        note!("{lead}{}; run `stepkin check` to see {them}", counts.join(" and "));
    }
}

/// Prints an error after which the process continues.
fn print_error(error: &Error) {
    eprintln!("error: {}", visible(error.to_string()));
}

/// `content/tour/web/connect.md and 2 more files`.
fn files_as_text(files: &SortedSet<SitePath>) -> String {
    let mut files = files.iter();
    let first = files.next().map_or_else(|| "site".to_string(), ToString::to_string);
    let more = match files.len() {
        0 => String::new(),
        more => format!(" and {}", count(more, "more file")),
    };
    visible(format!("{first}{more}"))
}
