//! `stepkin fix`

use std::path::Path;

use super::changes::DryRunArguments;
use super::codes::{Chosen, CodeArguments};
use super::terminal::note;
use super::{Outcome, PathArguments, below_root, count, format, is_in, options, patch, progress, today};
use crate::output::cache::Cache;
use crate::output::making::{self, CheckedSite};
use base::diagnostic::{Code, Diagnostic, Report};
use base::error::{Error, Result};
use base::site_path::SitePath;
use base::write;
use review::fix::{self, FileEdits};
use review::translations;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: PathArguments,
    #[command(flatten)]
    codes: CodeArguments,
    #[command(flatten)]
    dry_run: DryRunArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let root = arguments.site.root();
    let chosen = arguments.codes.chosen()?;
    if let Some(code) = chosen.selected.iter().find(|code| !fix::codes().contains(code)) {
        let fixable: Vec<&str> = fix::codes().into_iter().map(Code::name).collect();
        let text = format!("`{code}` has no automatic fix; fixable rules: {}", fixable.join(", "));
        return Err(Error::usage(text));
    }
    let is_wanted = is_in(below_root(root, arguments.site.paths())?);
    let report = apply(root, &chosen, &is_wanted, arguments.dry_run.dry_run)?;
    let manual =
        fix::without_edits(&report, &fixable(&chosen)).filter(|finding| is_wanted(&finding.file)).count();
    if manual > 0 {
        let (need, them) = if manual == 1 { ("needs", "it") } else { ("need", "them") };
        note!("{} {need} a manual fix; run `stepkin check` to see {them}", count(manual, "problem"));
    }
    Ok(Outcome::Clean)
}

/// Returns the chosen rules that have an automatic fix.
fn fixable(chosen: &Chosen) -> Vec<Code> {
    fix::codes().into_iter().filter(|code| chosen.has(*code)).collect()
}

/// Fixes the findings of the chosen rules in the requested files, and prints how many. Returns the findings from before.
pub(super) fn apply(
    root: &Path,
    chosen: &Chosen,
    is_wanted: impl Fn(&SitePath) -> bool,
    dry_run: bool,
) -> Result<Report> {
    let codes = fixable(chosen);
    let mut options = options(true, None);
    options.history = true;
    options.reported = chosen.asked_for();
    let CheckedSite { mut report, work } =
        progress::during(|| making::check(root, &options, &Cache::default()))?;
    if codes.iter().any(|code| fix::TOGETHER.contains(code)) {
        report.extend(progress::during(|| {
            making::fixes_of_languages(&work, today(), None, &Cache::default())
        })?);
    }
    let is_chosen = |finding: &&Diagnostic| codes.contains(&finding.problem.code) && is_wanted(&finding.file);
    let (mut files, mut problems, mut left) = (0, 0, 0);
    let sources = work.project.sources.whole();
    let mut edits = fix::fix(sources, report.iter().filter(is_chosen));
    let pinned = translations::move_pins(sources, today(), &mut edits)?;
    for FileEdits { path, before, fixed } in edits {
        // Files outside of the site, behind a symbolic link, are not changed.
        let disk = match write::within(root, path.as_str()) {
            Ok(disk) => disk,
            Err(error) => {
                eprintln!("{} not fixed: {error}", count(fixed.count + fixed.left, "problem"));
                continue;
            }
        };
        (problems, left) = (problems + fixed.count, left + fixed.left);
        if fixed.text == before {
            continue;
        }
        files += 1;
        if dry_run {
            let patch = patch::unified(&write::real_path(root, path.as_str()), &before, &fixed.text);
            format::to_stdout(|out| out.write_all(patch.as_bytes()))?;
        } else {
            write::replace(&disk, fixed.text.as_bytes())?;
        }
    }
    let verb = if dry_run { "would fix" } else { "fixed" };
    note!("{verb} {} in {}", count(problems, "problem"), count(files, "file"));
    if pinned > 0 {
        let verb = if dry_run { "would move" } else { "moved" };
        note!("{verb} the pins of {}, because nothing else is behind", count(pinned, "page"));
    }
    if left > 0 {
        note!(
            "skipped {} because the fixes overlap with others; run `stepkin fix` again",
            count(left, "problem")
        );
    }
    Ok(report)
}
