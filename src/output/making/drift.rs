//! Compares the platforms of a site, currently and over its history.

use std::path::Path;

use jiff::civil::Date;

use super::CheckedSite;
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::output::render::Rendering;
use base::diagnostic::{Diagnostic, Report};
use base::error::Result;
use base::progress::{self, Task};
use input::languages::LanguageIx;
use input::source::git::GitHistory;
use review::check;
use review::drift::{self, Lasting, Scope, Timeline};
use review::translations::{self, Compare};
use site::pages::Detail;
use site::work::Work;

/// A time in git's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Since {
    LastCommit,
    Revision(String),
}

impl Since {
    /// Returns git's name for it.
    pub fn revision(&self) -> &str {
        match self {
            Self::LastCommit => "HEAD",
            Self::Revision(revision) => revision,
        }
    }

    /// Returns the name for findings.
    fn name(&self) -> String {
        match self {
            Self::LastCommit => "the last commit".to_string(),
            Self::Revision(revision) => format!("`{revision}`"),
        }
    }
}

/// The differences, and how long they lasted.
#[derive(Debug)]
pub struct Lifetimes {
    pub differences: Vec<Lasting>,
    /// Number of examined commits.
    pub commits: usize,
}

/// Compares the platforms of the site at `root`. With `since`, returns only changes on one platform after that time.
/// `scope` determines what to compare when the site is known.
///
/// # Errors
///
/// If the sources can't be read, the configuration is invalid, `scope` fails, or the revision doesn't exist.
pub fn drift(
    root: &Path,
    options: &Options,
    cache: &Cache,
    since: Option<&Since>,
    scope: impl FnOnce(&Work) -> Result<Scope>,
) -> Result<(CheckedSite, Scope)> {
    let options = &Options { parts: Detail::WithoutHtml, ..options.clone() };
    let (work, found) = pipeline::plan(pipeline::read_versions(root, cache)?, options, cache)?;
    let scope = scope(&work)?;
    let compared = in_language(&work, &scope);
    let languages = if scope.family.is_some() || scope.step.is_some() {
        Report::default()
    } else {
        of_languages(&work, &scope, since, cache)?
    };
    let report: Report = if let Some(since) = since {
        let revision = since.revision();
        let mut past = GitHistory::open(&work.project.sources)?;
        let (was, _) = pipeline::plan(past.sources(revision)?, options, cache)?;
        let was = in_language(&was, &scope);
        drift::since(compared, was, &scope, &since.name(), &past.renames(revision, None)?)
    } else {
        let doubts = found.into_iter().filter(|finding| drift::is_in_scope(compared, &scope, finding));
        doubts.chain(drift::find(compared, &scope, &cache.memo)).collect()
    };
    let report = report
        .into_iter()
        .filter(|finding| is_in_language(&work, &scope, finding))
        .chain(languages)
        .collect();
    let accepted = check::accept(&work, report);
    let accepted = match work.project.sources.languages() {
        Some(languages) => translations::joined(languages, accepted),
        None => accepted,
    };
    let report = drift::in_order_of_reading(&work, accepted);
    Ok((CheckedSite { report, work }, scope))
}

/// Returns the fixes that copy changes of originals to translations, without accepted ones.
///
/// # Errors
///
/// If git fails.
pub fn fixes_of_languages(work: &Work, today: Date, since: Option<&Since>, cache: &Cache) -> Result<Report> {
    let compare = Compare { today, since: since.map(Since::revision) };
    let compared = translations::compare(work.project.sources.whole(), compare, &cache.translations)?;
    Ok(compared.map_or_else(Report::default, |compared| check::accept(work, compared.fixes())))
}

/// Returns the differences between translations and their originals.
fn of_languages(work: &Work, scope: &Scope, since: Option<&Since>, cache: &Cache) -> Result<Report> {
    let compare = Compare { today: scope.today, since: since.map(Since::revision) };
    let Some(compared) = translations::compare(work.project.sources.whole(), compare, &cache.translations)?
    else {
        return Ok(Report::default());
    };
    cache.flush_translations();
    let only = scope.language.as_deref().and_then(|language| compared.languages.named(language));
    Ok(compared.report(only))
}

/// Returns the site in the requested language, or in that of the original.
pub fn in_language<'w>(work: &'w Rendering, scope: &Scope) -> &'w Rendering {
    let translation = requested(work, scope)
        .and_then(|index| work.translation(&work.project.sources.languages()?.translations[index].tag));
    translation.map_or(work, |work| work)
}

/// Returns the requested language, or `None` for that of the original.
fn requested(work: &Work, scope: &Scope) -> Option<LanguageIx> {
    work.project.sources.languages()?.named(scope.language.as_deref()?)
}

/// Platforms are compared in one language: that of the original, or the requested one. A page that the requested language
/// lacks is not compared again.
fn is_in_language(work: &Work, scope: &Scope, finding: &Diagnostic) -> bool {
    let languages = work.project.sources.languages();
    let of_file = languages.and_then(|it| it.translated(finding.file.as_str()));
    of_file.map(|(language, _)| language) == requested(work, scope)
}

/// Replays the commits that changed pages, and returns when each current or earlier difference appeared and
/// disappeared.
///
/// # Errors
///
/// The errors of [`drift()`], and if git or a repository is missing.
pub fn history(
    root: &Path,
    options: &Options,
    cache: &Cache,
    scope: impl FnOnce(&Work) -> Result<Scope>,
) -> Result<Lifetimes> {
    let (now, _) = pipeline::plan(pipeline::read_versions(root, cache)?, options, cache)?;
    let scope = scope(&now)?;
    let mut past = GitHistory::open(&now.project.sources)?;
    let commits = past.commits()?;
    let mut timeline = Timeline::default();
    let _running = progress::begin(Task::Commits, commits.len());
    for (at, commit) in commits.iter().enumerate() {
        progress::step(Task::Commits, 1);
        if let Some(before) = at.checked_sub(1) {
            timeline.rename(past.renames(&commits[before].id, Some(&commit.id))?);
        }
        // A commit with an invalid configuration, or without pages, is skipped.
        let Ok((work, _)) = pipeline::plan(past.sources(&commit.id)?, options, cache) else { continue };
        let found = drift::find(&work, &Scope::everything(commit.day), &cache.memo);
        timeline.note(commit, &work, &check::accept(&work, found));
    }
    Ok(Lifetimes { differences: timeline.until(&now, &scope), commits: commits.len() })
}
