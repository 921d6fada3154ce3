//! The content of the output before a run: our files, and those of other programs.

use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::manifest::{self, FoundManifest, Manifest, OutputPaths};
use base::error::{Error, Result};
use base::site_path;
use base::sort::StableSort as _;
use base::timings::{Stage, part};

#[derive(Debug)]
pub(super) struct Previous<'a> {
    output: &'a Path,
    found: Option<FoundManifest>,
}

/// A plan compared with the published files.
#[derive(Debug)]
pub(super) struct PathComparison<'a> {
    /// Whether each file of the plan was published. It may have been deleted since.
    pub(super) was_published: Vec<bool>,
    /// Published files that are no longer planned.
    pub(super) gone: Vec<&'a str>,
}

/// A file, link or folder that another program added to the output.
#[derive(Debug)]
pub(super) struct UnmanagedFile {
    /// Relative to the output.
    pub(super) path: PathBuf,
    pub(super) kind: FileType,
}

impl<'a> Previous<'a> {
    /// `published` returns the paths in the manifest, if they are known.
    pub(super) fn read(output: &'a Path, published: impl FnOnce() -> Option<Vec<String>>) -> Result<Self> {
        Ok(Self { output, found: FoundManifest::read(output, published)? })
    }

    /// Returns everything in a folder that isn't ours, sorted by path, so that a folder precedes its content.
    ///
    /// Refuses a plan that needs the path of another program's file: as a file, as a folder, or because the plan has
    /// a file at the path of that file's folder.
    pub(super) fn foreign(&self, folder: &str, plan: &OutputPaths) -> Result<Vec<UnmanagedFile>> {
        let Some(FoundManifest { names, .. }) = &self.found else { return Ok(Vec::new()) };
        // A folder that was removed contains nothing.
        if !self.output.join(folder).is_dir() {
            return Ok(Vec::new());
        }
        let mut foreign = foreign_below(self.output, names, Path::new(folder))?;
        foreign.stable_sort_by(|one, other| one.path.cmp(&other.path));
        for UnmanagedFile { path, kind } in &foreign {
            let taken = path.ancestors().filter_map(Path::to_str).any(|name| plan.contains(name));
            let in_the_way = !kind.is_dir() && path.to_str().is_some_and(|name| plan.has_below(name));
            if taken || in_the_way {
                return Err(self.in_the_way(path));
            }
        }
        Ok(foreign)
    }

    /// Refuses a plan with published files if one of them, or a folder around it, was replaced by another program.
    /// `paths` are sorted.
    pub(super) fn refuse_replaced(&self, paths: &[&str]) -> Result<()> {
        let check = |paths: &[&str]| {
            let _part = part(Stage::Write);
            let mut files = paths.iter().map(Path::new);
            let file = || files.find(|file| self.kind(file).is_some_and(|kind| !kind.is_file()));
            let in_the_way = self.no_folder_around(paths[0]).or_else(file);
            in_the_way.map_or(Ok(()), |path| Err(self.in_the_way(path)))
        };
        let folders = paths.par_chunk_by(|one, other| site_path::parent(one) == site_path::parent(other));
        folders.try_for_each(check)
    }

    /// Whether the paths of new files are all free. `paths` are sorted.
    pub(super) fn is_free(&self, paths: &[&str]) -> bool {
        let is_free = |paths: &[&str]| {
            let _part = part(Stage::Write);
            self.no_folder_around(paths[0]).is_none()
                && (self.kind(Path::new(site_path::parent(paths[0]))).is_none()
                    || paths.iter().all(|path| self.kind(Path::new(path)).is_none()))
        };
        let folders = || paths.par_chunk_by(|one, other| site_path::parent(one) == site_path::parent(other));
        !self.exists() || folders().all(is_free)
    }

    /// Returns the path of a folder that a file needs, if it exists and isn't a folder.
    fn no_folder_around<'p>(&self, file: &'p str) -> Option<&'p Path> {
        let mut folders = Path::new(file).ancestors().skip(1);
        folders.find(|folder| self.kind(folder).is_some_and(|kind| !kind.is_dir()))
    }

    fn kind(&self, path: &Path) -> Option<FileType> {
        fs::symlink_metadata(self.output.join(path)).ok().map(|found| found.file_type())
    }

    fn in_the_way(&self, path: &Path) -> Error {
        Error::usage(format!(
            "cannot replace `{}`: the build has a file with this path, but Stepkin didn't create the existing one; \
             move it elsewhere, or choose another directory with --output",
            self.output.join(path).display()
        ))
    }

    /// Whether there is a site to be exchanged, rather than a missing or empty folder.
    pub(super) fn exists(&self) -> bool {
        self.found.is_some()
    }

    /// Whether its manifest has exactly the content of `manifest`.
    pub(super) fn says(&self, manifest: &Manifest<'_>) -> Result<bool> {
        Ok(self.found.is_some() && manifest::says(self.output, manifest)?)
    }

    pub(super) fn compare(&self, plan: &OutputPaths) -> PathComparison<'_> {
        let mut before = self.found.iter().flat_map(|found| found.names.iter()).peekable();
        let mut gone = Vec::new();
        // Both are sorted.
        let was_published = plan.iter().map(|path| {
            gone.extend(std::iter::from_fn(|| before.next_if(|earlier| *earlier < path)));
            before.next_if_eq(&path).is_some()
        });
        let was_published = was_published.collect();
        gone.extend(before);
        PathComparison { was_published, gone }
    }
}

/// Returns everything that isn't ours in a folder of the output and its subfolders.
fn foreign_below(output: &Path, ours: &OutputPaths, folder: &Path) -> Result<Vec<UnmanagedFile>> {
    let _part = part(Stage::Write);
    let on_disk = output.join(folder);
    let entries = fs::read_dir(&on_disk).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let below = entries.map_err(Error::io("read", &on_disk))?.into_par_iter().map(|entry| {
        let _part = part(Stage::Write);
        let path = folder.join(entry.file_name());
        let kind = entry.file_type().map_err(Error::io("read", &on_disk))?;
        let mut foreign = if kind.is_dir() { foreign_below(output, ours, &path)? } else { Vec::new() };
        if !is_ours(ours, &path, kind) {
            foreign.push(UnmanagedFile { path, kind });
        }
        Ok(foreign)
    });
    let below: Vec<Vec<UnmanagedFile>> = below.collect::<Result<_>>()?;
    Ok(below.into_iter().flatten().collect())
}

/// Stepkin publishes regular files and the folders that they need. Anything else was added later.
fn is_ours(ours: &OutputPaths, path: &Path, kind: FileType) -> bool {
    let Some(name) = path.to_str() else { return false };
    if kind.is_dir() {
        ours.has_below(name)
    } else {
        kind.is_file() && (ours.contains(name) || name == manifest::NAME)
    }
}
