//! Information about a site in git: renames, dates of changes, earlier versions.

mod history;
mod log;
mod objects;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use jiff::civil::Date;

pub use self::history::{Commit, GitHistory};
pub use self::log::{CommitIx, FileLog, PastVersion, all_commits};
pub use self::objects::{GitObject, ObjectReader};
use crate::base::progress::{self, Task};
use crate::base::site_path::SitePath;
use crate::input::conventions::Repository;

/// The date of the last commit of each file. By default, no dates are known.
#[derive(Debug, Default)]
pub struct Days(BTreeMap<SitePath, Date>);

impl Days {
    /// Reads the dates as of the current [`commit`].
    pub fn read(root: &Path, repository: &Repository) -> Self {
        let _running = progress::begin(Task::History, 0);
        Self(last_changes(root, repository))
    }

    /// Returns the date of a file's last change, or `None` if it is unknown.
    pub fn of(&self, path: &SitePath) -> Option<Date> {
        self.0.get(path).copied()
    }
}

/// Returns renamed pages as old and new paths, first from the index, then from git's history, newest first.
///
/// Empty without git or a repository. Used only if a page is missing, because git needs some time for a long history.
pub fn renames(root: &Path, repository: &Repository) -> Vec<(SitePath, SitePath)> {
    let _running = progress::begin(Task::History, 0);
    // Prevents git from escaping names that aren't ASCII.
    let plain = ["-c", "core.quotePath=false"];
    // Unlike `git diff`, this takes no lock, which a server that watches for commits would notice.
    let content = content(repository);
    let staged =
        ["diff-index", "-M", "--diff-filter=R", "--name-status", "--relative", "HEAD", "--", content];
    let log = [
        "log",
        "-M",
        "--diff-filter=R",
        "--name-status",
        "--format=",
        "--relative",
        "--max-count=2000",
        "--",
        content,
    ];
    let mut lines = ask_git(root, &[&plain[..], &staged[..]].concat());
    lines.push_str(&ask_git(root, &[&plain[..], &log[..]].concat()));
    let rename = |line: &str| {
        // `R100<tab>content/old.md<tab>content/new.md`
        let mut parts = line.split('\t').skip(1);
        Some((parts.next()?.into(), parts.next()?.into()))
    };
    lines.lines().filter_map(rename).collect()
}

/// Returns the folder of the pages as a git argument.
fn content(repository: &Repository) -> &str {
    if repository.content.path.is_empty() { "." } else { &repository.content.path }
}

/// Returns the current commit, and whether git has its history. Empty without git or a repository.
pub fn commit(root: &Path) -> String {
    ask_git(root, &["rev-parse", "HEAD", "--is-shallow-repository"])
}

/// Returns the folder of git's history for the site at `root`, or `None` without git or a repository.
pub fn git_folder(root: &Path) -> Option<PathBuf> {
    let folder = ask_git(root, &["rev-parse", "--absolute-git-dir"]);
    Some(PathBuf::from(folder.trim_end_matches('\n'))).filter(|folder| folder.is_dir())
}

/// Returns the date of the last commit that changed each page or related file, in the committer's time zone.
///
/// Empty without git or a repository, and in a shallow clone, where every file seems to come from one commit.
fn last_changes(root: &Path, repository: &Repository) -> BTreeMap<SitePath, Date> {
    if ask_git(root, &["rev-parse", "--is-shallow-repository"]).trim() != "false" {
        return BTreeMap::new();
    }
    // The newest commit comes first: a marker and its date, then the changed files, all separated by NUL.
    let log = [
        "log",
        "-z",
        "--format=%x01%cs",
        "--name-only",
        "--no-renames",
        "--relative",
        "--",
        content(repository),
    ];
    let log = ask_git(root, &log);
    let mut changes = BTreeMap::new();
    let mut day: Option<Date> = None;
    for part in log.split('\0').map(|part| part.trim_start_matches('\n')) {
        match (part.strip_prefix('\u{1}'), day) {
            (Some(written), _) => day = written.parse().ok(),
            (None, Some(day)) if !part.is_empty() => _ = changes.entry(part.into()).or_insert(day),
            _ => {}
        }
    }
    changes
}

/// Whether git's index contains this file, or a file in this folder.
pub fn is_tracked(root: &Path, path: &str) -> bool {
    !ask_git(root, &["--literal-pathspecs", "ls-files", "-z", "--", path]).is_empty()
}

/// Renames a file or folder on disk and in git's index.
///
/// # Errors
///
/// git's error message.
pub fn rename(root: &Path, from: &str, to: &str) -> io::Result<()> {
    let mut git = std::process::Command::new("git");
    let output = git.arg("-C").arg(root).args(["mv", "--", from, to]).stdin(Stdio::null()).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_string()));
    }
    Ok(())
}

/// Returns git's standard output, or an empty text on failure.
fn ask_git(root: &Path, arguments: &[&str]) -> String {
    let mut git = std::process::Command::new("git");
    let output = git.arg("-C").arg(root).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}
