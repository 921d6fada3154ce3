//! `stepkin fix`

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::{Outcome, SiteArguments, count, options, wanted};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::error::{Error, Result};
use crate::fix::{self, CODES, Fixed};
use crate::source::{SitePath, Sources};
use crate::{pipeline, source};

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
    let root = &arguments.site.root;
    let only = codes(&arguments.only)?;
    let is_wanted = wanted(root, &arguments.paths)?;
    let (mut options, cache) = options(true, None);
    options.history = true;
    let (walk, report) = pipeline::analyze(source::read(root)?, &options, &cache)?;
    let chosen = |diagnostic: &&Diagnostic| only.contains(&diagnostic.problem.code) && is_wanted(diagnostic);
    let mut by_file: BTreeMap<&SitePath, Vec<&Diagnostic>> = BTreeMap::new();
    for diagnostic in report.iter().filter(chosen).filter(|diagnostic| diagnostic.is_fixable()) {
        by_file.entry(&diagnostic.file).or_default().push(diagnostic);
    }
    let (mut files, mut mended, mut left) = (0, 0, 0);
    for (path, findings) in by_file {
        // A file with invalid UTF-8 would not survive being written.
        let Some(text) = walk.sources.text(path).filter(|text| text.invalid.is_none()) else { continue };
        let text = text.text();
        let fixed = fix::apply(&text, findings);
        (mended, left) = (mended + fixed.mended, left + fixed.left);
        if *fixed.text == *text {
            continue;
        }
        files += 1;
        match arguments.dry_run {
            true => print_patch(path, &text, &fixed)?,
            false => replace(&walk.sources, path, &fixed.text)?,
        }
    }
    let verb = if arguments.dry_run { "would mend" } else { "mended" };
    eprintln!("{verb} {} in {}", count(mended, "finding"), count(files, "file"));
    if left > 0 {
        eprintln!("{} left, because they overlap with others: run it again", count(left, "finding"));
    }
    let not_dared = fix::not_dared(&report, &only).filter(|diagnostic| is_wanted(diagnostic)).count();
    if not_dared > 0 {
        eprintln!(
            "{} left, because there is more than one way to mend: `stepkin check` shows them",
            count(not_dared, "finding")
        );
    }
    Ok(Outcome::Clean)
}

/// The codes to mend; all that can be where none are named.
fn codes(named: &[String]) -> Result<Vec<Code>> {
    if named.is_empty() {
        return Ok(CODES.to_vec());
    }
    let code = |name: &String| {
        let known = CODES.iter().copied().find(|code| code.name() == name);
        known.ok_or_else(|| {
            let near = nearest(name, CODES.iter().map(|code| code.name()));
            let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            let all: Vec<&str> = CODES.iter().map(|code| code.name()).collect();
            Error::usage(format!("`{name}` is not mended by fix{hint} (it mends {})", all.join(", ")))
        })
    };
    named.iter().map(code).collect()
}

fn print_patch(path: &SitePath, before: &str, fixed: &Fixed) -> Result<()> {
    let diff = TextDiff::from_lines(before, &fixed.text);
    let mut out = std::io::stdout().lock();
    let header = (format!("a/{path}"), format!("b/{path}"));
    let written = write!(
        out,
        "diff --git {} {}\n{}",
        header.0,
        header.1,
        diff.unified_diff().header(&header.0, &header.1)
    );
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::io("write", "standard output")(error))
        }
        _ => Ok(()),
    }
}

/// Writes a file beside the old one and puts it in its place, so that a reader never meets half of it.
/// Permissions stay.
fn replace(sources: &Sources, path: &SitePath, text: &str) -> Result<()> {
    // A link stays a link: what it leads to is replaced.
    let disk = sources.disk_path(path);
    let disk = disk.canonicalize().map_err(Error::io("read", &disk))?;
    let beside = beside(&disk);
    let permissions = fs::metadata(&disk).map_err(Error::io("read", &disk))?.permissions();
    let written = fs::write(&beside, text)
        .and_then(|()| fs::set_permissions(&beside, permissions))
        .and_then(|()| fs::rename(&beside, &disk));
    written.map_err(|error| {
        // What cannot be written may not be there to be removed either.
        _ = fs::remove_file(&beside);
        Error::io("write", &disk)(error)
    })
}

/// A name that the reader of sources leaves out.
fn beside(disk: &Path) -> PathBuf {
    let name = disk.file_name().unwrap_or_default().to_string_lossy();
    disk.with_file_name(format!(".{name}.stepkin-{}", std::process::id()))
}
