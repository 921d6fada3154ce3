//! Information about a site in git: renames, dates of changes, earlier versions.

mod history;
mod ignored;
mod log;
mod objects;

use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use jiff::Timestamp;
use jiff::civil::Date;

pub use self::history::{Commit, GitHistory};
pub use self::ignored::IgnoreRules;
pub use self::log::{CommitIx, FileLog, PastVersion, all_commits};
pub use self::objects::{GitObject, ObjectReader};
use crate::conventions::Repository;
use base::progress::{self, Task};
use base::site_path::SitePath;
use base::sorted::SortedMap;

/// The date of the last commit of each file. By default, no dates are known.
#[derive(Debug, Default)]
pub struct Days(SortedMap<SitePath, LastChange>);

/// The time of a file's last commit.
#[derive(Clone, Copy, Debug)]
struct LastChange {
    /// In the committer's time zone.
    day: Date,
    time: Timestamp,
}

impl Days {
    /// Reads the dates as of the current [`commit`].
    pub fn read(root: &Path, repository: &Repository) -> Self {
        let _running = progress::begin(Task::History, 0);
        Self(last_changes(root, repository))
    }

    /// Whether no dates are known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the date of a file's last change, or `None` if it is unknown.
    pub fn of(&self, path: &SitePath) -> Option<Date> {
        self.0.get(path).map(|change| change.day)
    }

    /// Returns the time of a file's last change, or `None` if it is unknown.
    pub fn time_of(&self, path: &SitePath) -> Option<Timestamp> {
        self.0.get(path).map(|change| change.time)
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

/// Lines that differ from a revision, with three lines of context, as in a GitHub pull request.
#[derive(Debug, Default)]
pub struct ChangedLines {
    /// Site's folder in the repository, empty or with a final slash.
    pub folder: String,
    /// By the path from the site's root: ranges of present lines, counted from 1.
    pub files: SortedMap<String, Vec<RangeInclusive<usize>>>,
}

impl ChangedLines {
    /// Reads what changed since the last common commit with `revision`. Empty without git or a repository.
    pub fn read(root: &Path, revision: &str) -> Self {
        let folder = ask_git(root, &["rev-parse", "--show-prefix"]).trim_end_matches('\n').to_string();
        let base = ask_git(root, &["merge-base", revision, "HEAD"]);
        let base = if base.is_empty() { revision } else { base.trim_end() };
        let plain = ["-c", "core.quotePath=false"];
        let diff =
            ["diff", "--no-color", "--no-ext-diff", "--no-prefix", "--relative", "--unified=3", base, "--"];
        Self { folder, files: changed_lines(&ask_git(root, &[&plain[..], &diff[..]].concat())) }
    }
}

fn changed_lines(diff: &str) -> SortedMap<String, Vec<RangeInclusive<usize>>> {
    let mut files: SortedMap<String, Vec<RangeInclusive<usize>>> = SortedMap::new();
    let mut file = "";
    // Remaining lines of the hunk. Content can look like a header.
    let mut left = (0, 0);
    for line in diff.lines() {
        match line.as_bytes().first() {
            Some(b' ') | None if left.1 > 0 => left = (left.0 - 1, left.1 - 1),
            Some(b'-') if left.0 > 0 => left.0 -= 1,
            Some(b'+') if left.1 > 0 => left.1 -= 1,
            _ => {
                if let Some(path) = line.strip_prefix("+++ ") {
                    file = path.trim_end_matches('\t');
                }
                let Some(hunk) = line.strip_prefix("@@ -") else { continue };
                let range = |text: &str| -> Option<(isize, isize)> {
                    let (start, length) = text.split_once(',').unwrap_or((text, "1"));
                    Some((start.parse().ok()?, length.parse().ok()?))
                };
                let mut words = hunk.split([' ', '+']).filter(|word| !word.is_empty());
                let (Some((_, old)), Some((start, new))) =
                    (words.next().and_then(range), words.next().and_then(range))
                else {
                    continue;
                };
                left = (old, new);
                let first = start.unsigned_abs();
                if new > 0 {
                    files.entry(file.to_string()).or_default().push(first..=first + new.unsigned_abs() - 1);
                }
            }
        }
    }
    files
}

/// Returns the time of the last commit that changed each page or related file.
///
/// Empty without git or a repository, and in a shallow clone, where every file seems to come from one commit.
fn last_changes(root: &Path, repository: &Repository) -> SortedMap<SitePath, LastChange> {
    if ask_git(root, &["rev-parse", "--is-shallow-repository"]).trim() != "false" {
        return SortedMap::new();
    }
    // The newest commit comes first: a marker and its time, then the changed files, all separated by NUL.
    let log = [
        "log",
        "-z",
        "--format=%x01%cI",
        "--name-only",
        "--no-renames",
        "--relative",
        "--",
        content(repository),
    ];
    let log = ask_git(root, &log);
    let mut changes = SortedMap::new();
    let mut last: Option<LastChange> = None;
    // `2027-01-31T08:00:00+01:00`
    let change = |written: &str| {
        Some(LastChange { day: written.get(..10)?.parse().ok()?, time: written.parse().ok()? })
    };
    for part in log.split('\0').map(|part| part.trim_start_matches('\n')) {
        match (part.strip_prefix('\u{1}'), last) {
            (Some(written), _) => last = change(written),
            (None, Some(last)) if !part.is_empty() => _ = changes.entry(part.into()).or_insert(last),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_have_the_lines_of_the_new_file() {
        let diff = "diff --git a.md a.md\nindex 1..2 100644\n--- a.md\n+++ a.md\n@@ -1,4 +1,5 @@ # A\n one\n two\n+++ more\n three\n four\n\
                    @@ -20,2 +21,0 @@\n-x\n-- y\ndiff --git b c.md b c.md\n--- b c.md\t\n+++ b c.md\t\n@@ -3 +3 @@\n-a\n+b\n";
        let files = changed_lines(diff);
        assert_eq!(files.get("a.md").map(Vec::as_slice), Some(&[1..=5][..]));
        assert_eq!(files.get("b c.md").map(Vec::as_slice), Some(&[3..=3][..]));
    }
}
