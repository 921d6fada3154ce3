//! The slower way to put a new site into place: where the folder itself cannot be exchanged, its contents are.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::manifest::{self, Manifest, OutputPaths};
use super::place::{OutputFolders, look, with_parent};
use super::{Made, folder_of, interrupt};
use crate::base::error::{Error, Result};
use crate::base::timings::{Stage, part};

/// Brings what is changed from the stage into the output, and removes what is gone.
///
/// What is new is first brought into a folder within the output, which may be on another file system than the
/// stage; from there each file takes its place in one step. A run that is killed leaves a manifest that names all
/// files of ours, and the next one does the rest.
pub(super) fn exchange(place: &OutputFolders, made: &Made<'_>) -> Result<()> {
    let (in_the_way, gone): (Vec<&str>, Vec<&str>) =
        made.gone.iter().partition(|path| is_in_the_way(path, made.names));
    let mut changed: Vec<&str> = made.changed().collect();
    changed.sort_by_key(|path| order(path));
    let both = made.unchanged().and(&gone);
    remove(&place.output, &in_the_way)?;
    changed.par_iter().try_for_each(|path| {
        let _part = part(Stage::Write);
        interrupt::check()?;
        bring(&place.stage.join(path), &place.inside.join(path))
    })?;
    write_manifest(place, &both)?;
    for files in changed.chunk_by(|one, other| order(one) == order(other)) {
        files.par_iter().try_for_each(|path| {
            let _part = part(Stage::Write);
            put(&place.inside.join(path), &place.output.join(path))
        })?;
    }
    remove(&place.output, &gone)?;
    write_manifest(place, &made.manifest)?;
    fs::remove_dir_all(&place.inside).map_err(Error::io("remove", &place.inside))
}

/// Pages come after what they load, and after them what lists pages.
fn order(path: &str) -> u8 {
    match path.rsplit_once('.') {
        Some((_, "html")) => 1,
        Some((_, "xml" | "txt" | "md")) => 2,
        _ => 0,
    }
}

/// Whether a file of the new site has to be where this one, or a folder around it, is.
pub(super) fn is_in_the_way(path: &str, names: &OutputPaths) -> bool {
    let folders = std::iter::successors(Some(folder_of(path)), |folder| Some(folder_of(folder)));
    names.has_below(path)
        || folders.take_while(|folder| !folder.is_empty()).any(|folder| names.contains(folder))
}

/// Moves a file, or copies it to another file system.
fn bring(from: &Path, to: &Path) -> Result<()> {
    let brought = with_parent(to, || match fs::rename(from, to) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices => fs::copy(from, to).map(drop),
        renamed => renamed,
    });
    brought.map_err(Error::io("write", to))
}

fn put(from: &Path, to: &Path) -> Result<()> {
    with_parent(to, || fs::rename(from, to)).map_err(Error::io("replace", to))
}

fn write_manifest(place: &OutputFolders, manifest: &Manifest<'_>) -> Result<()> {
    let new = place.inside.join(manifest::NAME);
    fs::create_dir_all(&place.inside).map_err(Error::io("create", &place.inside))?;
    manifest.write(&new)?;
    put(&new, &place.output.join(manifest::NAME))
}

/// Removes files, and the folders that held nothing else.
fn remove(output: &Path, files: &[&str]) -> Result<()> {
    for path in files {
        let file: PathBuf = output.join(path);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(Error::io("remove", &file)(error));
            }
            _ => {}
        }
        let mut folder = folder_of(path);
        // It stays where it holds something, be it of somebody else.
        while !folder.is_empty() && fs::remove_dir(output.join(folder)).is_ok() {
            folder = folder_of(folder);
        }
    }
    Ok(())
}

/// Clears away what a killed run has brought into the output.
pub(super) fn recover(place: &OutputFolders) -> Result<()> {
    match look(&place.inside)? {
        None => Ok(()),
        Some(_) => fs::remove_dir_all(&place.inside).map_err(Error::io("remove", &place.inside)),
    }
}

/// How the system says that a folder cannot be exchanged for another, or renamed.
pub(super) fn is_immovable(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ResourceBusy | ErrorKind::CrossesDevices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_come_after_what_they_load() {
        let mut paths = [
            "a/index.html",
            "a/index.md",
            "_stepkin/site.css",
            "sitemap.xml",
            "a/a.png",
            "404.html",
            "llms.txt",
        ];
        paths.sort_by_key(|path| order(path));
        let expected = [
            "_stepkin/site.css",
            "a/a.png",
            "a/index.html",
            "404.html",
            "a/index.md",
            "sitemap.xml",
            "llms.txt",
        ];
        assert_eq!(paths, expected);
    }
}
