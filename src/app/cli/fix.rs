//! `stepkin fix`

use std::path::{Path, PathBuf};

use super::terminal::note;
use super::{Outcome, SiteArguments, below_root, count, format, options, patch, progress, wanted_in};
use crate::base::diagnostic::{Code, Diagnostic, Report, nearest};
use crate::base::error::{Error, Result};
use crate::base::site_path::SitePath;
use crate::base::write;
use crate::output::cache::Cache;
use crate::output::making::{self, CheckedSite};
use crate::review::fix::{self, FileEdits};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Mend only what is in these files or folders
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Mend only findings with these codes
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    only: Vec<String>,
    /// Change nothing; print a patch that `git apply` takes
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let root = arguments.site.root();
    let only = codes(&arguments.only)?;
    let is_wanted = wanted_in(below_root(root, &arguments.paths)?);
    let asked_for = if arguments.only.is_empty() { &[][..] } else { &only };
    let report = mend(root, &only, asked_for, &is_wanted, arguments.dry_run)?;
    let not_mended = fix::not_mended(&report, &only).filter(|diagnostic| is_wanted(&diagnostic.file)).count();
    if not_mended > 0 {
        note!(
            "{} left, because there is more than one way to mend: `stepkin check` shows them",
            count(not_mended, "finding")
        );
    }
    Ok(Outcome::Clean)
}

/// Mends findings with the codes of `only` that are wanted, and says how many. Out: what was found before. Those of
/// `asked_for` are found even where they are off.
pub(super) fn mend(
    root: &Path,
    only: &[Code],
    asked_for: &[Code],
    is_wanted: impl Fn(&SitePath) -> bool,
    dry_run: bool,
) -> Result<Report> {
    let mut options = options(true, None);
    options.history = true;
    options.reported = asked_for.to_vec();
    let CheckedSite { report, work } = progress::during(|| making::check(root, &options, &Cache::default()))?;
    let chosen =
        |diagnostic: &&Diagnostic| only.contains(&diagnostic.problem.code) && is_wanted(&diagnostic.file);
    let (mut files, mut mended, mut left) = (0, 0, 0);
    for FileEdits { path, before, fixed } in fix::mend(&work.project.sources, report.iter().filter(chosen)) {
        // A file outside of the site, which a symbolic link leads to, is not changed.
        let disk = match write::within(root, path.as_str()) {
            Ok(disk) => disk,
            Err(error) => {
                eprintln!("{} left: {error}", count(fixed.mended + fixed.left, "finding"));
                continue;
            }
        };
        (mended, left) = (mended + fixed.mended, left + fixed.left);
        if fixed.text == before {
            continue;
        }
        files += 1;
        match dry_run {
            true => {
                let patch = patch::unified(&write::real_path(root, path.as_str()), &before, &fixed.text);
                format::to_stdout(|out| out.write_all(patch.as_bytes()))?;
            }
            false => write::replace(&disk, fixed.text.as_bytes())?,
        }
    }
    let verb = if dry_run { "would mend" } else { "mended" };
    note!("{verb} {} in {}", count(mended, "finding"), count(files, "file"));
    if left > 0 {
        note!("{} left, because they overlap with others: run it again", count(left, "finding"));
    }
    Ok(report)
}

/// The codes to mend; all that can be where none are named.
fn codes(named: &[String]) -> Result<Vec<Code>> {
    let codes = fix::codes();
    if named.is_empty() {
        return Ok(codes);
    }
    let code = |name: &String| {
        let known = codes.iter().copied().find(|code| code.name() == name);
        known.ok_or_else(|| {
            let near = nearest(name, codes.iter().map(|code| code.name()));
            let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            let all: Vec<&str> = codes.iter().map(|code| code.name()).collect();
            Error::usage(format!("`{name}` is not mended by fix{hint} (it mends {})", all.join(", ")))
        })
    };
    named.iter().map(code).collect()
}
