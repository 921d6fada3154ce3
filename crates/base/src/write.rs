//! Writes authors' files: each atomically, and only inside the site's folder.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::error::{Error, Result};

/// Returns the file on disk for a path in the site.
///
/// # Errors
///
/// If symbolic links lead out of the site.
pub fn within(root: &Path, path: &str) -> Result<PathBuf> {
    let disk = root.join(path);
    let real_root = root.canonicalize().map_err(Error::io("read", root))?;
    // For a new file, the nearest existing folder determines the real location.
    let there = disk.ancestors().find(|part| part.symlink_metadata().is_ok()).unwrap_or(root);
    let real = there.canonicalize().map_err(Error::io("write", &disk))?;
    if !real.starts_with(&real_root) {
        return Err(Error::usage(format!("cannot write `{path}`: a symbolic link points outside the site")));
    }
    Ok(disk)
}

/// Returns a path without `.` and `..`, with the symbolic links of existing folders resolved.
pub fn resolved(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    let Some(folder) = plain.parent() else { return plain };
    let there = folder.ancestors().find_map(|part| Some((part, part.canonicalize().ok()?)));
    match there.and_then(|(part, real)| Some(real.join(plain.strip_prefix(part).ok()?))) {
        Some(real) => real,
        None => plain,
    }
}

/// Returns the real path of a file relative to the root, because git doesn't write through symbolic links.
pub fn real_path(root: &Path, path: &str) -> String {
    let real = root.canonicalize().ok().zip(root.join(path).canonicalize().ok());
    let below = real.as_ref().and_then(|(root, real)| real.strip_prefix(root).ok()?.to_str());
    below.unwrap_or(path).to_string()
}

/// Writes a file and keeps the permissions of the one that it replaces. If the path is a symbolic link, its target is
/// replaced.
pub fn replace(disk: &Path, bytes: &[u8]) -> Result<()> {
    let target = disk.canonicalize().unwrap_or_else(|_| disk.to_path_buf());
    let permissions = fs::metadata(&target).ok().map(|metadata| metadata.permissions());
    aside(&target, bytes, |beside| {
        if let Some(permissions) = permissions {
            fs::set_permissions(beside, permissions)?;
        }
        fs::rename(beside, &target)
    })
    .map_err(Error::io("write", disk))
}

/// Creates a file and its folders. Doesn't replace an existing file.
pub fn create(disk: &Path, bytes: &[u8]) -> Result<()> {
    make_folder(disk)?;
    aside(disk, bytes, |beside| put_new(beside, disk)).map_err(Error::io("create", disk))
}

/// Copies a file in the way that [`create`] writes one.
pub fn copy(from: &Path, disk: &Path) -> Result<()> {
    make_folder(disk)?;
    let copied = made_aside(disk, |beside| fs::copy(from, beside).map(drop), |beside| put_new(beside, disk));
    copied.map_err(Error::io("copy", from))
}

/// Creates the folder of a file.
fn make_folder(disk: &Path) -> Result<()> {
    let folder = disk.parent().expect("a file is in a folder");
    fs::create_dir_all(folder).map_err(Error::io("create", folder))
}

/// Moves a new file to its path unless a file exists there.
fn put_new(beside: &Path, disk: &Path) -> io::Result<()> {
    match fs::hard_link(beside, disk) {
        Ok(()) => fs::remove_file(beside),
        // Some file systems don't support hard links.
        Err(_) if disk.symlink_metadata().is_err() => fs::rename(beside, disk),
        Err(_) => Err(io::Error::from(io::ErrorKind::AlreadyExists)),
    }
}

/// Writes a temporary file next to the file and has `place` move it. If that fails, the temporary file is removed.
fn aside(disk: &Path, bytes: &[u8], place: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    made_aside(disk, |beside| fs::write(beside, bytes), place)
}

/// Like [`aside`], for a file that `make` writes.
fn made_aside(
    disk: &Path,
    make: impl FnOnce(&Path) -> io::Result<()>,
    place: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    // The reader of sources skips such names in `content`, `static` and `templates`.
    let name = disk.file_name().unwrap_or(OsStr::new("file")).to_string_lossy();
    let beside = disk.with_file_name(format!(".{name}.stepkin-{}.tmp", std::process::id()));
    let written = make(&beside).and_then(|()| place(&beside));
    if written.is_err() {
        // If writing failed, the file may not exist.
        _ = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("a folder of our own")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_completely_and_keeps_its_permissions() {
        let root = tempfile::tempdir().expect("a folder");
        let file = root.path().join("a.md");
        fs::write(&file, "old").expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("our own");
        let other = root.path().join("same");
        fs::hard_link(&file, &other).expect("a link");
        replace(&file, b"new").expect("it is written");
        assert_eq!(fs::read_to_string(&file).expect("it is there"), "new");
        assert_eq!(fs::read_to_string(&other).expect("it is there"), "old", "the old file is another one");
        assert_eq!(fs::metadata(&file).expect("it is there").permissions().mode() & 0o777, 0o640);
        assert_eq!(names(root.path()), ["a.md", "same"]);
    }

    #[test]
    fn a_new_file_is_never_written_over_another() {
        let root = tempfile::tempdir().expect("a folder");
        let file = root.path().join("deep/a.md");
        create(&file, b"one").expect("it is new");
        assert!(create(&file, b"two").is_err());
        assert_eq!(fs::read_to_string(&file).expect("it is there"), "one");
        assert_eq!(names(&root.path().join("deep")), ["a.md"]);
    }

    #[test]
    fn nothing_is_written_outside_of_the_site() {
        let (root, outside) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("another"));
        fs::write(outside.path().join("a.md"), "theirs").expect("a file");
        fs::create_dir(root.path().join("content")).expect("a folder");
        symlink(outside.path(), root.path().join("content/out")).expect("a link");
        symlink(outside.path().join("a.md"), root.path().join("content/a.md")).expect("a link");
        symlink("b.md", root.path().join("content/inside.md")).expect("a link");
        fs::write(root.path().join("content/b.md"), "ours").expect("a file");
        for path in ["content/out/a.md", "content/out/new/b.md", "content/a.md", "../x.md"] {
            assert!(within(root.path(), path).is_err(), "{path}");
        }
        for path in ["content/b.md", "content/new/deep/c.md", "content/inside.md"] {
            assert!(within(root.path(), path).is_ok(), "{path}");
        }
        replace(&root.path().join("content/inside.md"), b"new").expect("it is written");
        assert_eq!(fs::read_to_string(root.path().join("content/b.md")).expect("it is there"), "new");
    }
}
