//! Replaces the contents of the output if the folder itself can't be exchanged, which is slower.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::manifest::{self, Manifest, OutputPaths};
use super::place::{OutputFolders, look, with_parent};
use super::{RenderedSite, interrupt};
use base::error::{Error, Result};
use base::site_path;
use base::sort::StableSort as _;
use base::timings::{Stage, part};

/// Moves changed files from the stage into the output, and removes files that are no longer published.
///
/// New files are first moved to a folder inside the output, which may be on another file system than the stage. From
/// there, each file is moved to its path in one step. A killed run leaves a manifest that lists all of our files, and
/// the next run completes the rest.
pub(super) fn exchange(place: &OutputFolders, made: &RenderedSite<'_>) -> Result<()> {
    let (in_the_way, gone): (Vec<&str>, Vec<&str>) =
        made.gone.iter().partition(|path| is_in_the_way(path, made.names));
    let mut changed: Vec<&str> = made.changed().collect();
    changed.stable_sort_by_key(|path| order(path));
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

/// Pages come after the files that they load, and lists of pages come after them.
fn order(path: &str) -> u8 {
    match path.rsplit_once('.') {
        Some((_, "html")) => 1,
        Some((_, "xml" | "txt" | "md")) => 2,
        _ => 0,
    }
}

/// Whether a file of the new site needs the path of this file or of a folder around it.
pub(super) fn is_in_the_way(path: &str, names: &OutputPaths) -> bool {
    let folders =
        std::iter::successors(Some(site_path::parent(path)), |folder| Some(site_path::parent(folder)));
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

/// Removes files, and the folders that become empty.
fn remove(output: &Path, files: &[&str]) -> Result<()> {
    for path in files {
        let file: PathBuf = output.join(path);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(Error::io("remove", &file)(error));
            }
            _ => {}
        }
        let mut folder = site_path::parent(path);
        // A folder that contains other files stays.
        while !folder.is_empty() && fs::remove_dir(output.join(folder)).is_ok() {
            folder = site_path::parent(folder);
        }
    }
    Ok(())
}

/// Removes the files that a killed run left in the output.
pub(super) fn recover(place: &OutputFolders) -> Result<()> {
    match look(&place.inside)? {
        None => Ok(()),
        Some(_) => fs::remove_dir_all(&place.inside).map_err(Error::io("remove", &place.inside)),
    }
}

/// Whether an error means that a folder can't be exchanged or renamed.
pub(super) fn is_immovable(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ResourceBusy | ErrorKind::CrossesDevices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assets_are_uploaded_before_the_pages_that_load_them() {
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
