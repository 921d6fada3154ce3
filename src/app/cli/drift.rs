//! `stepkin drift`

mod brief;
mod page;
mod review;
mod todo;

use std::path::PathBuf;
use std::time::Instant;

use serde_json::json;

use super::format::{self, Format, Length};
use super::report::{ReportArguments, listed};
use super::terminal::{self, note};
use super::{
    FamilyArguments, Outcome, count, known_family, known_steps, options, print_overview, progress,
    some_family, statistics, today,
};
use crate::output::cache::Cache;
use crate::output::making::{self, CheckedSite, Lifetimes, Since};
use crate::output::pipeline::Options;
use crate::output::render::Rendering;
use crate::review::check;
use crate::review::drift::{self, Lasting, Scope};
use base::diagnostic::{Diagnostic, Report, Severity, unknown, visible};
use base::error::{Error, Result};
use input::languages::Languages;
use input::source::git::{ChangedLines, Commit};
use site::content;
use site::work::Work;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  stepkin drift                    Compare all families\n  stepkin drift --since main       Show what others still have to follow since `main`\n  stepkin drift --html drift.html  Write a report for the browser\n  stepkin drift --todo --json      List what to write, for a person or a program"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Arguments {
    #[command(flatten)]
    site: FamilyArguments,
    /// Compare only this step
    #[arg(long, value_name = "STEP")]
    step: Option<String>,
    /// Compare only this translation, such as `ja`
    #[arg(long, value_name = "LANGUAGE", conflicts_with_all = ["step", "history"])]
    language: Option<String>,
    #[command(flatten)]
    report: ReportArguments,
    /// Write the report to `<FILE>` as a self-contained HTML page
    #[arg(long, value_name = "FILE", conflicts_with_all = ["history", "max_findings", "all", "statistics"])]
    html: Option<PathBuf>,
    /// Show changes on one platform since `<REVISION>` that the others haven't followed
    #[arg(long, value_name = "REVISION", group = "time")]
    since: Option<String>,
    /// Like `--since`, but for uncommitted changes
    #[arg(long, group = "time")]
    diff: bool,
    /// Print a list of tasks: what to write where, what must stay the same, and the command that verifies it
    #[arg(long, conflicts_with_all = ["history", "html", "max_findings", "all", "statistics"])]
    todo: bool,
    /// Print the tasks as JSON Lines
    #[arg(long, requires = "todo")]
    json: bool,
    /// Show when each difference appeared and how long it lasted, from Git history
    #[arg(long, group = "time", conflicts_with_all = ["max_findings", "all", "statistics"])]
    history: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let start = Instant::now();
    let root = arguments.site.root();
    let options = Options { original_only: arguments.language.is_none(), ..options(false, None) };
    let cache = Cache::of_translations(root);
    let scope = |work: &Work| scope(arguments, work);
    let format = arguments.report.format();
    if arguments.history {
        return print_history(&progress::during(|| making::history(root, &options, &cache, scope))?, format);
    }
    let since = arguments.since.clone().map(Since::Revision).or(arguments.diff.then_some(Since::LastCommit));
    let is_review = format == Format::Review;
    if is_review && since.is_none() {
        return Err(Error::usage(
            "`--format review` needs the base of the pull request; add `--since <REVISION>`".to_string(),
        ));
    }
    let (CheckedSite { mut report, work }, scope) =
        progress::during(|| making::drift(root, &options, &cache, since.as_ref(), scope))?;
    let bar = arguments.report.fail_on.map(Severity::from);
    if let Some(since) = since.as_ref().filter(|_| is_review) {
        let fixes = making::fixes_of_languages(&work, scope.today, Some(since), &cache)?;
        let is_new = |it: &Diagnostic| !report.iter().any(|known| known == it);
        let fixes: Vec<Diagnostic> = fixes.into_iter().filter(is_new).collect();
        let found = outcome(bar, &report);
        report.extend(fixes);
        review::write(
            &report.sorted(),
            work.project.sources.whole(),
            &ChangedLines::read(root, since.revision()),
        )?;
        return Ok(found);
    }
    if arguments.todo {
        let json = arguments.json || format == Format::Json;
        todo::write(&work, &report, &scope, since.as_ref().map(Since::revision), json)?;
        return Ok(outcome(bar, &report));
    }
    write(arguments, &work, &scope, &report, format, start)
}

fn write(
    arguments: &Arguments,
    work: &Rendering,
    scope: &Scope,
    report: &Report,
    format: Format,
    start: Instant,
) -> Result<Outcome> {
    let bar = arguments.report.fail_on.map(Severity::from);
    let work = making::in_language(work, scope);
    let all = report;
    let report = &*listed(all, format);
    if let Some(file) = &arguments.html {
        page::write(file, work, scope, all)?;
        note!("wrote {} to `{}`", count(all.iter().len(), "difference"), file.display());
        return Ok(outcome(bar, report));
    }
    if format == Format::Human && !terminal::is_quiet() {
        print_overview(work, content::summary(&work.project.site).to_string());
        let summary = drift::summary(work, scope, all).to_string();
        let summary = if arguments.report.all { summary } else { shortened(&summary) };
        format::to_stdout(|out| match summary.as_str() {
            "" => Ok(()),
            summary => writeln!(out, "{}", visible(summary.to_string())),
        })?;
    }
    let sources = &work.project.sources;
    match format {
        _ if terminal::is_quiet() => {}
        format if arguments.report.statistics => statistics::write(report, format)?,
        Format::Human => match arguments.report.length(Length::Examples) {
            Length::Examples if brief::is_long(report) => brief::write(report, sources)?,
            length => format::human(report, sources, length)?,
        },
        format => format::write(format, report, sources, bar.unwrap_or(Severity::Error))?,
    }
    if format == Format::Human || terminal::is_quiet() {
        let translated = work.project.sources.whole().translated_pages().len();
        format::summary(report, drift::pages(work, scope) + translated, start.elapsed())?;
    }
    Ok(outcome(bar, report))
}

/// Shortens a long text to its first lines and the number of the others.
fn shortened(text: &str) -> String {
    const MOST: usize = 12;
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() <= MOST + 1 {
        return text.to_string();
    }
    let more = lines[MOST..].iter().filter(|line| !line.trim().is_empty()).count();
    let end = if text.ends_with('\n') { "\n" } else { "" };
    format!("{}\n… and {}{end}", lines[..MOST].join("\n"), count(more, "more line"))
}

fn outcome(bar: Option<Severity>, report: &Report) -> Outcome {
    if bar.is_some_and(|bar| check::fails(report, bar)) { Outcome::Findings } else { Outcome::Clean }
}

/// Returns the requested scope, of which every part must exist.
fn scope(arguments: &Arguments, work: &Work) -> Result<Scope> {
    let site = &work.project.site;
    let versions = site.versions.as_deref();
    let scope = Scope {
        family: arguments.site.family()?.map(String::from),
        step: arguments.step.clone(),
        language: arguments.language.clone(),
        today: today(),
    };
    let languages = work.project.sources.languages();
    if let Some(language) = &scope.language {
        some_language(languages, language)?;
    }
    let is_within = |id: &String| versions.is_some_and(|versions| versions.family_named(id).is_ok());
    match &scope.family {
        Some(id) if is_within(id) => return Ok(scope),
        Some(id) => _ = known_family(site, id)?,
        None if versions.is_some() || languages.is_some() => {}
        None => some_family(site)?,
    }
    if versions.is_none() && (languages.is_none() || scope.family.is_some() || scope.step.is_some()) {
        known_steps(work, &scope)?;
    }
    Ok(scope)
}

/// Refuses a language that the site isn't translated into.
fn some_language(languages: Option<&Languages>, language: &str) -> Result<()> {
    let Some(languages) = languages else {
        return Err(Error::usage(
            "the site has no translations; run `stepkin explain translation-behind`".to_string(),
        ));
    };
    if languages.named(language).is_some() {
        return Ok(());
    }
    let known: Vec<&str> = languages.translations.iter().map(|it| it.tag.as_str()).collect();
    Err(unknown("language", language, &known))
}

fn print_history(lifetimes: &Lifetimes, format: Format) -> Result<Outcome> {
    let Lifetimes { differences, commits } = lifetimes;
    format::to_stdout(|out| {
        for it in differences {
            match format {
                Format::Json => writeln!(out, "{}", as_json(it))?,
                _ => writeln!(out, "{}", visible(as_text(it)))?,
            }
        }
        if format != Format::Json {
            let gone = differences.iter().filter(|it| it.gone.is_some()).count();
            let (all, commits) = (count(differences.len(), "difference"), count(*commits, "commit"));
            writeln!(out, "{all} in {commits}, {gone} resolved")?;
        }
        Ok(())
    })?;
    Ok(Outcome::Clean)
}

fn as_json(it: &Lasting) -> serde_json::Value {
    let problem = &it.finding.problem;
    let commit = |commit: &Commit| json!({ "commit": commit.id, "date": commit.day.to_string() });
    json!({
        "code": problem.code.name(),
        "file": it.finding.file.as_str(),
        "message": problem.message,
        "appeared": commit(&it.appeared),
        "gone": it.gone.as_ref().map(commit),
        "days": it.days,
        "data": problem.data,
    })
}

fn as_text(it: &Lasting) -> String {
    let short = |commit: &Commit| commit.id.chars().take(7).collect::<String>();
    let days = if it.days == 1 { "1 day".to_string() } else { format!("{} days", it.days) };
    let problem = &it.finding.problem;
    let step = problem.data.get("step").and_then(|step| step.as_str()).unwrap_or_default();
    let ended = match &it.gone {
        Some(commit) => format!("to {} ({})", commit.day, short(commit)),
        None => "until now".to_string(),
    };
    format!(
        "{} ({}) {ended}, {days}\n    {}: {step}: {}",
        it.appeared.day,
        short(&it.appeared),
        problem.code,
        problem.message
    )
}
