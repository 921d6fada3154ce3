//! `stepkin fix`

use std::path::PathBuf;

use super::{Outcome, SiteArguments, count, format, options, patch, wanted};
use crate::cache::Cache;
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::error::{Error, Result};
use crate::fix::{self, Mended};
use crate::making::{self, Found};
use crate::write;

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
    let is_wanted = wanted(root, &arguments.paths)?;
    let mut options = options(true, None);
    options.history = true;
    if !arguments.only.is_empty() {
        options.reported.clone_from(&only);
    }
    let Found { report, work } = making::check(root, &options, &Cache::default())?;
    let chosen = |diagnostic: &&Diagnostic| only.contains(&diagnostic.problem.code) && is_wanted(diagnostic);
    let (mut files, mut mended, mut left) = (0, 0, 0);
    for Mended { path, before, fixed } in fix::mend(&work.project.sources, report.iter().filter(chosen)) {
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
        match arguments.dry_run {
            true => {
                let patch = patch::unified(&write::real_path(root, path.as_str()), &before, &fixed.text);
                format::to_stdout(|out| out.write_all(patch.as_bytes()))?;
            }
            false => write::replace(&disk, fixed.text.as_bytes())?,
        }
    }
    let verb = if arguments.dry_run { "would mend" } else { "mended" };
    eprintln!("{verb} {} in {}", count(mended, "finding"), count(files, "file"));
    if left > 0 {
        eprintln!("{} left, because they overlap with others: run it again", count(left, "finding"));
    }
    let not_mended = fix::not_mended(&report, &only).filter(|diagnostic| is_wanted(diagnostic)).count();
    if not_mended > 0 {
        eprintln!(
            "{} left, because there is more than one way to mend: `stepkin check` shows them",
            count(not_mended, "finding")
        );
    }
    Ok(Outcome::Clean)
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
