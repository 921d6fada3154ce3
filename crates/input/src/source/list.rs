//! Lists a site's files without reading them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::admit::{Admission, Admitted, PassedOver, SkipReason};
use super::role::Role;
use super::stamp::{Moment, Stamp};
use super::tree;
use super::tree::Several;
use crate::config;
use crate::conventions::Repository;
use base::error::{Error, Result};
use base::site_path::{CONFIG, SHARED, SitePath, on_disk};
use base::timings::{Stage, part, stage};

/// The names of a site's files.
#[derive(Clone, Debug)]
pub struct Listing {
    pub(super) root: PathBuf,
    /// The repository's kind and folders.
    pub repository: Arc<Repository>,
    /// In the order of the walk, which depends only on the names.
    pub files: Vec<ListedFile>,
    /// Files that are skipped, and why, in the order of the walk.
    pub passed_over: Vec<PassedOver>,
    /// Files with several paths because of symbolic links: the main path of each additional one.
    pub links: BTreeMap<SitePath, SitePath>,
    /// When the walk began. Later changes may be missing.
    pub begun: Moment,
}

impl Listing {
    /// Returns the folders of sources on disk, except for the root, which may contain the output.
    pub fn folders(&self) -> Vec<PathBuf> {
        let folders = self.repository.folders().into_iter().filter(|folder| !folder.is_empty());
        folders.map(|folder| self.root.join(folder)).collect()
    }
}

/// A file in the listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    pub path: SitePath,
    pub stamp: Stamp,
}

/// Lists the files of the site at `root`.
///
/// Files and folders in `content/` whose names begin with `_` or `.` are private and left out, except for Markdown in
/// folders named [`SHARED`](base::site_path::SHARED). Files that programs create are left out everywhere.
/// Symbolic links are followed inside the site, and to the configured locations.
///
/// # Errors
///
/// If there is no `content/` folder, or a folder in it can't be read.
pub fn list(root: &Path) -> Result<Listing> {
    list_as(root, Several::Refused)
}

/// The same, for several sites too.
///
/// # Errors
///
/// The same.
pub(super) fn list_as(root: &Path, several: Several) -> Result<Listing> {
    let _stage = stage(Stage::Read);
    let begun = Moment::now();
    let repository = tree::recognise_as(root, several)?;
    let follow = config::source(&tree::configuration(root)).follow;
    let admission = Admission::of(root, &repository, &follow);
    let mut found = Admitted::default();
    for folder in repository.folders() {
        admission.walk(folder, &mut found)?;
    }
    let links = found.links(root);
    let Admitted { files: mut paths, passed_over, .. } = found;
    refuse_lost_content(&repository, &passed_over)?;
    // In folders of shared pages, only pages are published.
    let shared = memchr::memmem::Finder::new(SHARED);
    paths.retain(|path| {
        let may_be_shared = shared.find(path.as_str().as_bytes()).is_some();
        !may_be_shared || repository.shared(path).is_none() || Role::of(&repository, path) != Role::Asset
    });
    // Some of them are among the pages.
    let is_own = |path: &SitePath| repository.own_files.iter().any(|own| own == path.as_str());
    paths.retain(|path| !is_own(path));
    paths.extend(repository.own_files.iter().map(|path| path.as_str().into()));
    if has_config(root)? {
        paths.push(CONFIG.into());
    }
    let files = paths.into_par_iter().map(|path| stamped(root, path)).collect::<Result<_>>()?;
    Ok(Listing {
        root: root.to_path_buf(),
        repository: Arc::new(repository),
        files,
        passed_over,
        links,
        begun,
    })
}

/// Whether a configuration exists.
///
/// # Errors
///
/// If it can't be read, or if a file with a similar name exists, which would otherwise be ignored silently.
fn has_config(root: &Path) -> Result<bool> {
    let disk = root.join(CONFIG);
    match std::fs::metadata(&disk) {
        Ok(metadata) if metadata.is_dir() => Err(Error::usage(format!(
            "`{CONFIG}` is a directory, but the configuration is a file; rename the directory"
        ))),
        Ok(_) => Ok(true),
        Err(error) if disk.symlink_metadata().is_ok() => Err(Error::io("read", &disk)(error)),
        Err(_) => misnamed_config(root).map_or(Ok(false), |name| {
            Err(Error::usage(format!(
                "`{name}` is ignored because the configuration file must be named `{CONFIG}`; rename it"
            )))
        }),
    }
}

/// Returns a file that seems to be a configuration with a wrong name.
fn misnamed_config(root: &Path) -> Option<String> {
    const FORMS: [&str; 7] = [
        CONFIG,
        "stepkin.yml",
        "stepkin.yaml",
        "stepkin.json",
        "stepkin.tml",
        ".stepkin.toml",
        "stepkin.toml.txt",
    ];
    let names = std::fs::read_dir(root).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| FORMS.iter().any(|form| name.eq_ignore_ascii_case(form))).min()
}

/// Returns an error if there are no pages, because the site would be published empty.
fn refuse_lost_content(repository: &Repository, passed_over: &[PassedOver]) -> Result<()> {
    let content = &repository.content.path;
    match passed_over.iter().find(|it| it.path.as_str() == content).map(|it| &it.reason) {
        Some(SkipReason::Outside(target)) => Err(Error::usage(format!(
            "`{content}` is a symbolic link that points outside the site; allow it in {CONFIG} with `follow = [\"{target}\"]` under `[source]`"
        ))),
        _ => Ok(()),
    }
}

fn stamped(root: &Path, path: SitePath) -> Result<ListedFile> {
    let _part = part(Stage::Read);
    let disk = on_disk(root, path.as_str());
    let metadata = std::fs::metadata(&disk).map_err(Error::io("read", &disk))?;
    Ok(ListedFile { path, stamp: Stamp::of(&metadata) })
}
