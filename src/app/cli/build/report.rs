//! What a build prints at its end.

use std::path::Path;
use std::time::Instant;

use super::hosts;
use crate::app::cli::terminal::note;
use crate::app::cli::{Outcome, count, format, say_counts, say_left_out};
use crate::base::error::Result;
use crate::base::site_path::CONFIG;
use crate::output::making::{BuildOptions, Built, CheckedSite};
use crate::output::publish::Published;
use crate::output::unit::Share;
use crate::site::plan::LinkStyle;

/// Prints how a build ended; `after` names what was saved before, where that is told.
pub(super) fn say(built: &Built, settings: &BuildOptions, start: Instant, after: &str) -> Result<Outcome> {
    match built {
        Built::Published { summary, published, missing, weight, found } => {
            say_done(summary.pages, &settings.published_to(), published, start, after);
            if !settings.parts.is_empty() && *missing > 0 {
                say_missing(*missing);
            }
            if let Some(word) = weight.as_ref().and_then(hosts::word) {
                note!("{word}");
            }
            let is_without_host = |found: &CheckedSite| found.work.project.site.config.origin().is_none();
            let is_from_root = settings.options.links == LinkStyle::FromRoot;
            let has_lists = settings.options.share == Share::All;
            if has_lists && is_from_root && found.as_ref().is_some_and(is_without_host) {
                say_no_sitemap(published);
            }
            say_left_out(summary.left_out, "; `stepkin check` names them");
            let lead = if summary.errors > 0 { "published with " } else { "" };
            say_counts(lead, summary.errors, summary.warnings);
            Ok(Outcome::Clean)
        }
        Built::Refused { blockers, found } => {
            format::human(blockers, &found.work.project.sources, format::Length::All)?;
            let findings = count(blockers.iter().len(), "finding");
            let why = match blockers.blockers().next() {
                Some(_) => "",
                None => {
                    "; --strict, the default where `CI` is set, lets errors bar a build, --no-strict does not"
                }
            };
            eprintln!("{after}nothing is published: {findings} to mend first{why}");
            Ok(Outcome::Findings)
        }
    }
}

fn say_done(pages: usize, output: &Path, published: &Published, start: Instant, after: &str) {
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
    note!("{after}{pages}, {} in `{}`: {changes} ({seconds:.2} s)", count(*files, "file"), output.display());
}

/// Prints that parts do not hold what they should.
fn say_missing(files: usize) {
    note!(
        "{} no part has, so they were made here: give all N parts, made of the same sources with the same settings",
        count(files, "file")
    );
}

/// Prints why there is no sitemap, when a site is published to a new place: later builds do not repeat it. Pages whose
/// links are relative may be meant for no host at all.
fn say_no_sitemap(published: &Published) {
    if published.written == published.files && published.removed == 0 {
        note!(
            "no sitemap: it holds whole addresses; `base_url = \"https://…\"` in {CONFIG} or --base-url gives the site's"
        );
    }
}
