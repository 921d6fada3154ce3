//! Exchanges the old site for the new one.
//!
//! If possible, a single system call exchanges two folders. Otherwise, three renames do the same, and `kept` shows
//! which of them were completed:
//!
//! | step | output | kept | stage | the next run |
//! | --- | --- | --- | --- | --- |
//! | before | old | | new | removes the stage |
//! | output → kept | | old | new | renames kept → output, removes the stage |
//! | stage → output | new | old | | renames kept → stage, removes the stage |
//! | kept → stage | new | | old | removes the stage |
//!
//! So `kept` is always a complete site, `stage` is never needed, and the result is the same as that of an exchange.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use rayon::prelude::*;
use walkdir::WalkDir;

use super::contents;
use super::manifest::{self, is_empty};
use super::place::{OutputFolders, look};
use base::error::{Error, Result};
use base::timings::{Stage, part};

/// Exchanges two folders in one step, or leaves both unchanged.
pub(super) type Exchange = fn(&Path, &Path) -> io::Result<()>;

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Exchanges the stage with the output. The stage then contains the old output.
pub(super) fn replace(place: &OutputFolders, exchange: Exchange) -> Result<()> {
    match exchange(&place.stage, &place.output) {
        // The second error is Linux's for a supported call that the file system doesn't support.
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => {
            rename(&place.output, &place.kept)?;
            if let Err(error) = rename(&place.stage, &place.output) {
                rename(&place.kept, &place.output)?;
                return Err(error);
            }
            rename(&place.kept, &place.stage)
        }
        exchanged => exchanged.map_err(Error::io("replace", &place.output)),
    }
}

pub(super) fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(Error::io("replace", to))
}

/// Cleans up after a killed run, so that only the output remains.
///
/// # Errors
///
/// [`Error::Usage`] if a folder with the name of our stage wasn't created by Stepkin. It isn't deleted.
pub(super) fn recover(place: &OutputFolders) -> Result<()> {
    contents::recover(place)?;
    if is_left_over(&place.stage)? {
        discard(&place.stage)?;
    }
    if is_left_over(&place.kept)? {
        if look(&place.output)?.is_none() {
            return rename(&place.kept, &place.output);
        }
        rename(&place.kept, &place.stage)?;
        discard(&place.stage)?;
    }
    Ok(())
}

/// Whether a killed run left this folder. It contains a manifest unless the run was killed at its very start or end.
fn is_left_over(folder: &Path) -> Result<bool> {
    match look(folder)? {
        None => Ok(false),
        Some(found)
            if found.is_dir() && (look(&folder.join(manifest::NAME))?.is_some() || is_empty(folder)?) =>
        {
            Ok(true)
        }
        Some(_) => Err(Error::usage(format!(
            "cannot use `{}` as a temporary directory: Stepkin didn't create it; move it elsewhere",
            folder.display()
        ))),
    }
}

/// Removes one of our folders, with the manifest last, so that it is still recognized after an interruption.
pub(super) fn discard(folder: &Path) -> Result<()> {
    let removed = remove(folder).or_else(|error| match error.kind() {
        ErrorKind::NotFound => Ok(()),
        // Carried over folders may be read-only.
        ErrorKind::PermissionDenied => open_folders(folder).and_then(|()| remove(folder)),
        _ => Err(error),
    });
    removed.map_err(Error::io("remove", folder))
}

fn remove(folder: &Path) -> io::Result<()> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.par_iter().filter(|entry| entry.file_name() != manifest::NAME).try_for_each(|entry| {
        let _part = part(Stage::Write);
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())
        } else {
            fs::remove_file(entry.path())
        }
    })?;
    match fs::remove_file(folder.join(manifest::NAME)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => fs::remove_dir(folder),
    }
}

fn open_folders(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        if entry.file_type().is_dir() {
            fs::set_permissions(entry.path(), fs::Permissions::from_mode(0o700))?;
        }
    }
    Ok(())
}
