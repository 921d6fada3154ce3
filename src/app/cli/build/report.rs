//! The result of a build, printed.

use std::path::Path;
use std::time::Instant;

use super::hosts;
use crate::app::cli::terminal::note;
use crate::app::cli::{
    Outcome, count, format, print_broken_drawings, print_counts, print_not_drawn, print_skipped,
};
use crate::output::making::{BuildOptions, Built, CheckedSite};
use crate::output::publish::Published;
use crate::output::unit::Share;
use base::diagnostic::Severity;
use base::error::Result;
use base::site_path::CONFIG;
use input::source::git;
use review::translations::MissingHistory;
use site::plan::LinkStyle;

/// Prints the result of a build, after `after`: the files whose change started it.
pub(super) fn print(built: &Built, settings: &BuildOptions, start: Instant, after: &str) -> Result<Outcome> {
    match built {
        Built::Published { summary, published, missing, weight, found, lacks_history } => {
            print_summary(summary.pages, &settings.published_to(), published, start, after);
            if !settings.parts.is_empty() && *missing > 0 {
                print_missing(*missing);
            }
            if let Some(word) = weight.as_ref().and_then(hosts::word) {
                note!("{word}");
            }
            if let Some(found) = found.as_ref().filter(|_| settings.options.share == Share::All) {
                print_missing_lists(found, settings.options.links, published);
            }
            if let (false, Some(found)) = (settings.options.draw, found) {
                print_not_drawn(&found.work.project.site.config);
            }
            if let Some(missing) = *lacks_history {
                print_without_history(
                    "outdated translations have no notice",
                    missing,
                    "`banner = false` in `[languages]`",
                );
            }
            print_skipped("skipped", summary.left_out, "; run `stepkin check` for details");
            let lead = if summary.errors > 0 { "built with " } else { "" };
            let print = |found: &CheckedSite| print_broken_drawings(&found.report, &found.work);
            let printed = found.as_ref().map(print).transpose()?.unwrap_or_default();
            let others = |severity, all: usize| all.saturating_sub(printed.count(severity));
            let (errors, warnings) =
                (others(Severity::Error, summary.errors), others(Severity::Warning, summary.warnings));
            print_counts(lead, errors, warnings);
            Ok(Outcome::Clean)
        }
        Built::Refused { blockers, found } => {
            format::human(blockers, &found.work.project.sources, format::Length::All)?;
            let errors = count(blockers.iter().len(), "error");
            let why = match blockers.blockers().next() {
                Some(_) => " to fix first",
                None => {
                    ". Errors fail the build because `--strict` is on (default when `CI` is set); use `--no-strict` to build anyway"
                }
            };
            eprintln!("{after}build failed: {errors}{why}");
            Ok(Outcome::Findings)
        }
    }
}

fn print_summary(pages: usize, output: &Path, published: &Published, start: Instant, after: &str) {
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
    note!(
        "{after}built {pages} into `{}`: {}, {changes} ({seconds:.2} s)",
        output.display(),
        count(*files, "file")
    );
}

/// Prints that the shards are incomplete.
fn print_missing(files: usize) {
    note!(
        "{} missing from the shards and built here; pass all N shards, built from the same sources and options",
        count(files, "file")
    );
}

/// Prints a consequence of a history that isn't complete, and the setting that avoids it.
fn print_without_history(effect: &str, missing: MissingHistory, setting: &str) {
    let (cause, fix) = match missing {
        MissingHistory::Older => ("Git has only the last commits", "run `git fetch --unshallow`"),
        MissingHistory::All => ("the site isn't committed to Git", "commit it"),
    };
    note!("warning: {effect} because {cause}; {fix}, or set {setting} of `{CONFIG}`");
}

/// Prints why lists of pages are missing or empty. A missing URL is reported on the first build into a directory only. Sites
/// with relative links may not need one.
fn print_missing_lists(found: &CheckedSite, links: LinkStyle, published: &Published) {
    let project = &found.work.project;
    let config = &project.site.config;
    if config.origin().is_none() {
        let is_first = published.written == published.files && published.removed == 0;
        let skipped = match (config.publish.feed, links) {
            (true, _) => "sitemap.xml and feed.xml",
            (false, LinkStyle::FromRoot) => "sitemap.xml",
            (false, LinkStyle::FromPage) => return,
        };
        if is_first {
            note!("skipped {skipped}: set `base_url` in `{CONFIG}` or pass `--base-url`");
        }
    } else if config.has_feed() && project.days.is_empty() {
        let missing = MissingHistory::of(&git::commit(&project.sources.root)).unwrap_or(MissingHistory::All);
        print_without_history("feed.xml has no entries", missing, "`feed = false` in `[publish]`");
    }
}
