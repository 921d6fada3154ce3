//! The history of files: which commits changed each, and under which names.

use std::path::Path;

use jiff::civil::Date;

use super::{Commit, ask_git};
use base::hash::HashMap;
use base::index::{IndexVec, newtype_index};
use base::progress::{self, Task};

newtype_index! {
    /// The position of a commit in [`FileLog::commits`]: the newest is first.
    pub struct CommitIx
}

/// The commits that changed some folders, along the main line.
#[derive(Debug, Default)]
pub struct FileLog {
    pub commits: IndexVec<CommitIx, Commit>,
    /// By the present path, the newest version first.
    versions: HashMap<String, Vec<PastVersion>>,
    /// By a path that is gone: the path that the file has now, or had last.
    moved: HashMap<String, String>,
    /// Whether git lacks the older commits.
    pub is_shallow: bool,
}

/// A file as a commit left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastVersion {
    pub commit: CommitIx,
    /// The path at this commit.
    pub path: String,
    /// Git's name for the content.
    pub blob: String,
}

impl FileLog {
    /// Reads the history of the folders in `root`. Empty without git or a repository.
    pub fn read(root: &Path, folders: &[&str]) -> Self {
        let _running = progress::begin(Task::History, 0);
        let mut arguments = vec![
            "-c",
            "core.quotePath=false",
            "log",
            "--first-parent",
            "--diff-merges=first-parent",
            "--raw",
            "-z",
            "-M",
            "--no-abbrev",
            "--relative",
            "--format=%x01%H %cs",
            "--",
        ];
        arguments.extend(folders.iter().map(|folder| if folder.is_empty() { "." } else { folder }));
        let is_shallow = ask_git(root, &["rev-parse", "--is-shallow-repository"]).trim() == "true";
        Self { is_shallow, ..Self::of(&ask_git(root, &arguments)) }
    }

    fn of(log: &str) -> Self {
        let mut found = Self::default();
        // Returns the current path of a file that has another path at the current commit.
        let mut present: HashMap<String, String> = HashMap::default();
        let mut parts = log.split('\0').map(|part| part.trim_start_matches('\n'));
        while let Some(part) = parts.next() {
            if let Some((id, day)) = part.strip_prefix('\u{1}').and_then(|commit| commit.split_once(' ')) {
                let day: Date = day.trim_end().parse().unwrap_or_default();
                found.commits.push(Commit { id: id.to_string(), day });
            }
            let Some(header) = part.strip_prefix(':') else { continue };
            // `100644 100644 OLD NEW R100`
            let mut words = header.split(' ').skip(3);
            let (blob, status) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let Some(first) = parts.next() else { break };
            let (from, path) = if status.starts_with(['R', 'C']) {
                let Some(second) = parts.next() else { break };
                (Some(first).filter(|_| status.starts_with('R')), second)
            } else {
                (None, first)
            };
            let Some(commit) = found.commits.len().checked_sub(1).map(CommitIx::from) else { continue };
            let now = present.get(path).cloned().unwrap_or_else(|| path.to_string());
            if !status.starts_with('D') {
                let version = PastVersion { commit, path: path.to_string(), blob: blob.to_string() };
                found.versions.entry(now.clone()).or_default().push(version);
            }
            if let Some(from) = from {
                present.remove(path);
                present.insert(from.to_string(), now.clone());
                found.moved.entry(from.to_string()).or_insert(now);
            }
        }
        found
    }

    /// Returns the versions of a file by its current path, newest first.
    pub fn versions(&self, path: &str) -> &[PastVersion] {
        self.versions.get(path).map_or(&[], Vec::as_slice)
    }

    /// Returns the new path of a deleted file.
    pub fn moved(&self, path: &str) -> Option<&str> {
        self.moved.get(path).map(String::as_str)
    }

    /// Returns the names of a file in its history, newest first.
    pub fn names<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a str> {
        let mut names: Vec<&str> = vec![path];
        for version in self.versions(path) {
            if names.last() != Some(&version.path.as_str()) {
                names.push(&version.path);
            }
        }
        names.into_iter()
    }

    /// Returns the version of a file at a commit.
    pub fn version_at(&self, path: &str, commit: CommitIx) -> Option<&PastVersion> {
        self.versions(path).iter().find(|version| version.commit >= commit)
    }

    /// Returns the oldest version.
    pub fn oldest(&self, path: &str) -> Option<&PastVersion> {
        self.versions(path).last()
    }

    /// Returns the commit with an ID, which may be abbreviated.
    pub fn commit(&self, id: &str) -> Option<CommitIx> {
        self.commits.position(|commit| commit.id.starts_with(id))
    }
}

/// Returns the IDs of all commits of the current history with their dates.
pub fn all_commits(root: &Path) -> HashMap<String, Date> {
    let log = ask_git(root, &["log", "--format=%H %cs"]);
    let commit = |line: &str| {
        let (id, day) = line.split_once(' ')?;
        Some((id.to_string(), day.parse().ok()?))
    };
    log.lines().filter_map(commit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_follow_a_file_through_its_names() {
        let log = "\u{1}ccc 2024-03-01\0\n:100644 100644 b2 b3 M\0docs/new.md\0\
                   \u{1}bbb 2024-02-01\0\n:100644 100644 b1 b2 R090\0docs/old.md\0docs/new.md\0\
                   \u{1}aaa 2024-01-01\0\n:000000 100644 00 b1 A\0docs/old.md\0:000000 100644 00 c1 A\0docs/x.md\0";
        let log = FileLog::of(log);
        let versions = log.versions("docs/new.md").iter();
        let shown: Vec<String> =
            versions.map(|it| format!("{} {} {}", log.commits[it.commit].id, it.path, it.blob)).collect();
        assert_eq!(shown, ["ccc docs/new.md b3", "bbb docs/new.md b2", "aaa docs/old.md b1"]);
        assert_eq!(log.names("docs/new.md").collect::<Vec<_>>(), ["docs/new.md", "docs/old.md"]);
        assert_eq!((log.moved("docs/old.md"), log.moved("docs/x.md")), (Some("docs/new.md"), None));
        assert_eq!(log.version_at("docs/new.md", 1.into()).map(|it| it.blob.as_str()), Some("b2"));
        assert_eq!(log.version_at("docs/x.md", 0.into()).map(|it| it.blob.as_str()), Some("c1"));
    }
}
