//! Changes to the files of a site: printed as a patch, or applied all or nothing.

use std::fs;
use std::path::{Path, PathBuf};

use super::terminal::note;
use super::{count, format, patch};
use crate::app::moving::{Changes, Created, Retitled};
use base::error::{Error, Result};
use base::site_path::SitePath;
use base::write;
use input::source::git;

#[derive(Debug, clap::Args)]
pub(super) struct DryRunArguments {
    /// Print a patch instead of changing files
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// Applies changes, or prints them as a patch, and prints a summary.
pub(super) fn make(
    root: &Path,
    changes: &Changes,
    DryRunArguments { dry_run }: &DryRunArguments,
) -> Result<()> {
    if *dry_run {
        print(root, changes)?;
    } else {
        write(root, changes)?;
    }
    print_summary(changes, *dry_run);
    Ok(())
}

/// Prints the patch: renamed files and changed texts.
fn print(root: &Path, changes: &Changes) -> Result<()> {
    let mut patches = String::new();
    let edit = |path: &SitePath| changes.edits.iter().find(|edit| edit.path == *path);
    for file in changes.renames.iter().flat_map(|it| files_below(root, &it.from)) {
        let to = changes.present(&file);
        let (before, after) = edit(&file).map_or(("", ""), |edit| (&edit.before, &edit.after));
        patches.push_str(&patch::renamed((file.as_str(), to.as_str()), before, after));
    }
    for edit in changes.edits.iter().filter(|edit| changes.present(&edit.path) == edit.path) {
        patches.push_str(&patch::unified(
            &write::real_path(root, edit.path.as_str()),
            &edit.before,
            &edit.after,
        ));
    }
    for Created { path, text } in &changes.created {
        patches.push_str(&patch::created(path.as_str(), text));
    }
    format::to_stdout(|out| out.write_all(patches.as_bytes()))
}

/// Returns the files in a directory, or the file itself.
fn files_below(root: &Path, path: &SitePath) -> Vec<SitePath> {
    let walk = walkdir::WalkDir::new(root.join(path.as_str())).sort_by_file_name().into_iter();
    let files = walk.filter_map(std::result::Result::ok).filter(|entry| !entry.file_type().is_dir());
    files.filter_map(|entry| SitePath::of(root, entry.path())).collect()
}

/// Renames files, and then writes the changed texts. If a step fails, all steps are undone.
fn write(root: &Path, changes: &Changes) -> Result<()> {
    for edit in &changes.edits {
        let disk = write::within(root, edit.path.as_str())?;
        let text = fs::read(&disk).map_err(Error::io("read", &disk))?;
        if text != edit.before.as_bytes() {
            return Err(Error::usage(format!(
                "cannot change `{}`: it changed in the meantime; run the command again",
                edit.path
            )));
        }
    }
    let mut done = Done::default();
    let written = apply(root, changes, &mut done);
    if written.is_err() {
        done.undo(root, changes);
    }
    written
}

/// Completed steps.
#[derive(Default)]
struct Done {
    folders: Vec<PathBuf>,
    renames: usize,
    edits: usize,
    created: usize,
}

fn apply(root: &Path, changes: &Changes, done: &mut Done) -> Result<()> {
    for it in &changes.renames {
        done.make_folder_of(root, &write::within(root, it.to.as_str())?)?;
        rename(root, &it.from, &it.to)?;
        done.renames += 1;
    }
    for edit in &changes.edits {
        let disk = write::within(root, changes.present(&edit.path).as_str())?;
        write::replace(&disk, edit.after.as_bytes())?;
        done.edits += 1;
    }
    for Created { path, text } in &changes.created {
        let disk = write::within(root, path.as_str())?;
        done.make_folder_of(root, &disk)?;
        write::create(&disk, text.as_bytes())?;
        done.created += 1;
    }
    for it in &changes.renames {
        remove_emptied(root, &it.from);
    }
    Ok(())
}

/// Removes directories that a move left empty, except those in the root, where Stepkin looks for sources.
fn remove_emptied(root: &Path, from: &SitePath) {
    let folders =
        Path::new(from.as_str()).ancestors().skip(1).filter(|folder| folder.components().count() > 1);
    // The first directory with other files stays, and so do its parents.
    _ = folders
        .map(|folder| fs::remove_dir(root.join(folder)))
        .take_while(std::result::Result::is_ok)
        .count();
}

impl Done {
    fn make_folder_of(&mut self, root: &Path, disk: &Path) -> Result<()> {
        let folder = disk.parent().unwrap_or(root);
        let missing = folder.ancestors().take_while(|folder| !folder.exists());
        self.folders.extend(missing.map(Path::to_path_buf));
        fs::create_dir_all(folder).map_err(Error::io("create", folder))
    }

    /// Ignores errors: the run already fails with the first one.
    fn undo(&self, root: &Path, changes: &Changes) {
        for it in &changes.created[..self.created] {
            _ = fs::remove_file(root.join(it.path.as_str()));
        }
        for edit in &changes.edits[..self.edits] {
            _ = write::replace(&root.join(changes.present(&edit.path).as_str()), edit.before.as_bytes());
        }
        for it in changes.renames[..self.renames].iter().rev() {
            _ = rename(root, &it.to, &it.from);
        }
        for folder in &self.folders {
            _ = fs::remove_dir(folder);
        }
    }
}

/// Renames a file, with Git if it tracks the file.
fn rename(root: &Path, from: &SitePath, to: &SitePath) -> Result<()> {
    let disk = root.join(from.as_str());
    let renamed = if git::is_tracked(root, from.as_str()) {
        git::rename(root, from.as_str(), to.as_str())
    } else {
        fs::rename(&disk, root.join(to.as_str()))
    };
    renamed.map_err(Error::io("move", disk))
}

fn print_summary(changes: &Changes, is_dry: bool) {
    let verb = if is_dry { "would move" } else { "moved" };
    for it in &changes.renames {
        note!("{verb} `{}` to `{}`", it.from, it.to);
    }
    let verb = if is_dry { "would create" } else { "created" };
    for it in &changes.created {
        note!("{verb} `{}`", it.path);
    }
    let verb = if is_dry { "would rename section" } else { "renamed section" };
    for Retitled { path, from, to } in &changes.sections {
        let anchor = if from == to { String::new() } else { format!(" to `#{to}`") };
        note!("{verb} `{path}#{from}`{anchor}");
    }
    let verb = if is_dry { "would update" } else { "updated" };
    if changes.relinked > 0 {
        note!("{verb} links in {}", count(changes.relinked, "file"));
    }
}
