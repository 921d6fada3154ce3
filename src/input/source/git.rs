//! What git knows of a site: renames, days of changes, former versions.

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

/// The day on which each file was changed last, as git knows it at a commit. The default knows none.
#[derive(Debug, Default)]
pub struct Days {
    commit: Option<String>,
    days: BTreeMap<SitePath, Date>,
}

impl Days {
    pub fn read(root: &Path, repository: &Repository) -> Self {
        let _running = progress::begin(Task::History, 0);
        Self { commit: Some(commit(root)), days: last_changes(root, repository) }
    }

    /// Whether they are those of the present commit.
    pub fn are_of(&self, root: &Path) -> bool {
        self.commit.as_ref().is_some_and(|known| *known == commit(root))
    }

    /// The day of a file's last change; nothing where git cannot tell.
    pub fn of(&self, path: &SitePath) -> Option<Date> {
        self.days.get(path).copied()
    }
}

/// Pages that were renamed, as the index and then git's history know it, the newest first: former and present path.
///
/// Empty without git or a repository. Asked for only where a page is missing, since a long history
/// takes git a while.
pub fn renames(root: &Path, repository: &Repository) -> Vec<(SitePath, SitePath)> {
    let _running = progress::begin(Task::History, 0);
    // Names of other letters are written as they are.
    let plain = ["-c", "core.quotePath=false"];
    // Unlike `git diff` it takes no lock, which a server that watches for commits would see.
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

/// The folder of the pages, as git takes it.
fn content(repository: &Repository) -> &str {
    if repository.content.path.is_empty() { "." } else { &repository.content.path }
}

/// The present commit, and whether git knows those before it; empty without git or a repository.
pub fn commit(root: &Path) -> String {
    ask_git(root, &["rev-parse", "HEAD", "--is-shallow-repository"])
}

/// The folder in which git keeps the history of the site below `root`; `None` without git or a repository.
pub fn git_folder(root: &Path) -> Option<PathBuf> {
    let folder = ask_git(root, &["rev-parse", "--absolute-git-dir"]);
    Some(PathBuf::from(folder.trim_end_matches('\n'))).filter(|folder| folder.is_dir())
}

/// The day of the last commit that changed each file beside the pages, as its committer's clock showed it.
///
/// Empty without git or a repository, and in a shallow clone, where every file seems to come from one commit.
fn last_changes(root: &Path, repository: &Repository) -> BTreeMap<SitePath, Date> {
    if ask_git(root, &["rev-parse", "--is-shallow-repository"]).trim() != "false" {
        return BTreeMap::new();
    }
    // The newest commit comes first: a mark and its day, then the files it changed, all ended by NUL.
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

/// Whether git has a file of this path in its index, or one below it.
pub fn is_tracked(root: &Path, path: &str) -> bool {
    !ask_git(root, &["--literal-pathspecs", "ls-files", "-z", "--", path]).is_empty()
}

/// Renames a file or folder on disk and in git's index.
///
/// # Errors
///
/// What git says where it does not.
pub fn rename(root: &Path, from: &str, to: &str) -> io::Result<()> {
    let mut git = std::process::Command::new("git");
    let output = git.arg("-C").arg(root).args(["mv", "--", from, to]).stdin(Stdio::null()).output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_string())),
    }
}

/// What git says on its standard output; nothing where there is none.
fn ask_git(root: &Path, arguments: &[&str]) -> String {
    let mut git = std::process::Command::new("git");
    let output = git.arg("-C").arg(root).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}
