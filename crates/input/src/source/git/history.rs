//! Reads earlier versions of a site from git.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use jiff::civil::Date;

use super::{GitObject, ObjectReader, content};
use crate::conventions::Repository;
use crate::source::{Sources, Text, is_admitted_by_name};
use base::error::{Error, Result};
use base::site_path::{CONFIG, SitePath};

/// The git history of a site.
#[derive(Debug)]
pub struct GitHistory {
    root: PathBuf,
    /// The current repository settings, which also apply to earlier versions.
    repository: Arc<Repository>,
    /// Files next to pages in the current version.
    beside: HashSet<SitePath>,
    /// Contents by git's object ID, because most files are equal in most commits.
    blobs: HashMap<String, Vec<u8>>,
}

/// A commit that changed pages of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    pub id: String,
    /// The date in the committer's time zone.
    pub day: Date,
}

impl GitHistory {
    /// Opens the history of a site.
    ///
    /// # Errors
    ///
    /// If git is missing or the folder isn't in a repository.
    pub fn open(present: &Sources) -> Result<Self> {
        let (root, repository) = (present.root.clone(), present.repository.clone());
        let beside = present.beside.keys().cloned().collect();
        let past = Self { root, repository, beside, blobs: HashMap::new() };
        past.git(&["rev-parse", "--show-prefix"])?;
        Ok(past)
    }

    /// Returns the commits that changed pages or the configuration, oldest first. Of merges, only the main line is
    /// included.
    pub fn commits(&self) -> Result<Vec<Commit>> {
        let log = [
            "log",
            "--reverse",
            "--first-parent",
            "--format=%H %cs",
            "--",
            content(&self.repository),
            CONFIG,
        ];
        let log = self.git(&log)?;
        let log = String::from_utf8_lossy(&log).into_owned();
        let commit = |line: &str| {
            let (id, day) = line.split_once(' ')?;
            Some(Commit { id: id.to_string(), day: day.parse().ok()? })
        };
        Ok(log.lines().filter_map(commit).collect())
    }

    /// Returns pages that were renamed between two revisions, or up to the current files without a second revision,
    /// as old and new paths.
    pub fn renames(&self, from: &str, to: Option<&str>) -> Result<Vec<(SitePath, SitePath)>> {
        let diff =
            ["diff", "-z", "-M", "--diff-filter=R", "--name-status", "--relative", "--end-of-options", from];
        let arguments: Vec<&str> =
            diff.into_iter().chain(to).chain(["--", content(&self.repository)]).collect();
        let renames = self.git(&arguments)?;
        let renames = String::from_utf8_lossy(&renames).into_owned();
        // `R100`, the old and the new path, each followed by NUL.
        let parts: Vec<&str> = renames.split('\0').collect();
        Ok(parts.chunks_exact(3).map(|rename| (rename[1].into(), rename[2].into())).collect())
    }

    /// Returns the pages and the configuration at a revision, without other files.
    ///
    /// # Errors
    ///
    /// If the revision doesn't exist.
    pub fn sources(&mut self, revision: &str) -> Result<Sources> {
        // A text that begins with a dash would be an option.
        let revision = format!("{revision}^{{tree}}");
        let tree = self.git(&["rev-parse", "--verify", "--end-of-options", &revision])?;
        let tree = String::from_utf8_lossy(&tree).trim().to_string();
        let prefix = self.git(&["rev-parse", "--show-prefix"])?;
        let prefix = String::from_utf8_lossy(&prefix).trim_end_matches(['\n', '/']).to_string();
        let tree = if prefix.is_empty() { tree } else { format!("{tree}:{prefix}") };
        let list = self.git(&["ls-tree", "-r", "-z", "--full-tree", &tree])?;
        let list = String::from_utf8_lossy(&list).into_owned();
        let listed = |entry| listed(&self.repository, &self.beside, entry);
        let files: Vec<(String, SitePath)> = list.split('\0').filter_map(listed).collect();
        self.fetch(files.iter().map(|file| &file.0))?;
        let repository = self.repository.clone();
        let mut sources = Sources { root: self.root.clone(), repository, ..Sources::default() };
        for (id, path) in files {
            if let Some(bytes) = self.blobs.get(&id) {
                sources.insert_text(Text::new(path, bytes.clone()));
            }
        }
        Ok(sources)
    }

    /// Reads the contents that aren't in memory yet, with one process.
    fn fetch<'a>(&mut self, ids: impl Iterator<Item = &'a String>) -> Result<()> {
        let mut wanted: Vec<String> = ids.filter(|id| !self.blobs.contains_key(*id)).cloned().collect();
        wanted.sort_unstable();
        wanted.dedup();
        if wanted.is_empty() {
            return Ok(());
        }
        let mut objects = ObjectReader::open(&self.root)?;
        for id in wanted {
            match objects.read(&id)? {
                GitObject::Content { bytes, .. } => _ = self.blobs.insert(id, bytes),
                GitObject::Missing | GitObject::Ambiguous => {
                    let missing = std::io::Error::other("git doesn't have it");
                    return Err(Error::io("read", format!("git object {id}"))(missing));
                }
            }
        }
        Ok(())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.root).args(arguments);
        command
    }

    fn git(&self, arguments: &[&str]) -> Result<Vec<u8>> {
        let output = self.command(arguments).output().map_err(Error::io("run", "git"))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or("no reason").trim_start_matches("fatal: ").to_string();
        Err(Error::usage(format!(
            "cannot read the history of `{}`: Git reports: {said}",
            self.root.display()
        )))
    }
}

/// Parses `100644 blob ID<tab>content/web/install.md`, if Stepkin reads that file.
fn listed(repository: &Repository, beside: &HashSet<SitePath>, entry: &str) -> Option<(String, SitePath)> {
    let (kind, path) = entry.split_once('\t')?;
    let mut words = kind.split(' ');
    let is_file = words.next()?.starts_with("100") && words.next()? == "blob";
    let is_page = repository.is_page(path) && is_admitted_by_name(repository, path);
    let is_beside = beside.contains(&SitePath::from(path));
    (is_file && (path == CONFIG || is_page || is_beside))
        .then(|| (words.next().unwrap_or_default().into(), path.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_former_tree_is_listed_by_the_same_rules() {
        for (path, expected) in [
            ("content/web/a.md", true),
            ("content/_shared/a.md", true),
            ("content/web/.a.md", false),
            ("content/_web/a.md", false),
            ("content/web/a.md~", false),
            ("static/a.md", false),
            ("stepkin.toml", true),
        ] {
            let entry = format!("100644 blob 0123\t{path}");
            assert_eq!(listed(&Repository::default(), &HashSet::new(), &entry).is_some(), expected, "{path}");
        }
    }
}
