//! The moment in which the new site takes the place of the old one.
//!
//! Best is one system call that exchanges two folders. Without it, three renames do the same, and `kept` tells
//! how far they came:
//!
//! | step | output | kept | stage | the next run |
//! | --- | --- | --- | --- | --- |
//! | before | old | | new | removes the stage |
//! | output → kept | | old | new | renames kept → output, removes the stage |
//! | stage → output | new | old | | renames kept → stage, removes the stage |
//! | kept → stage | new | | old | removes the stage |
//!
//! So `kept` is always a whole site, `stage` is always rubbish, and the end is the same as that of an exchange.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use rayon::prelude::*;
use walkdir::WalkDir;

use super::contents;
use super::manifest::{self, is_empty};
use super::place::{OutputFolders, look};
use crate::base::error::{Error, Result};
use crate::base::timings::{Stage, part};

/// Exchanges two folders in one step, or leaves both as they are.
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

/// Puts the stage in the place of the output. The old output is then the stage.
pub(super) fn replace(place: &OutputFolders, exchange: Exchange) -> Result<()> {
    match exchange(&place.stage, &place.output) {
        // The second is how Linux says that it knows the call, but the file system does not.
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

/// Clears up after a run that was killed. Afterwards there is the output at most.
///
/// # Errors
///
/// [`Error::Usage`] when a folder has the name of our stage but was not made by us: it is not deleted.
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

/// Whether a killed run left this folder. It always has a manifest, unless it was struck at once or at last.
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

/// Removes a folder of ours, its manifest last, so that after an interruption it is still known to be ours.
pub(super) fn discard(folder: &Path) -> Result<()> {
    let removed = remove(folder).or_else(|error| match error.kind() {
        ErrorKind::NotFound => Ok(()),
        // Folders that others have put here may be closed for writing.
        ErrorKind::PermissionDenied => open_folders(folder).and_then(|()| remove(folder)),
        _ => Err(error),
    });
    removed.map_err(Error::io("remove", folder))
}

fn remove(folder: &Path) -> io::Result<()> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.par_iter().filter(|entry| entry.file_name() != manifest::NAME).try_for_each(|entry| {
        let _part = part(Stage::Write);
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path()),
            false => fs::remove_file(entry.path()),
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
