//! Where a command keeps results between runs.

use std::path::{Path, PathBuf};

use super::terminal::note;
use crate::base::error::{Error, Result};
use crate::base::store::Store;
use crate::input::source;
use crate::output::cache::Cache;

/// Names the folder, where no option does.
const VARIABLE: &str = "STEPKIN_CACHE_DIR";

#[derive(Debug, clap::Args)]
pub(super) struct CacheArguments {
    /// Keep results of this site in this folder, for later runs [default: `STEPKIN_CACHE_DIR`, or `.stepkin` below the root]
    #[arg(long = "cache", value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// What other hosts answered, in the same folder.
const ANSWERS: &str = "external-links.json";

impl CacheArguments {
    /// Where answers of other hosts are remembered.
    #[cfg(feature = "external")]
    pub(super) fn answers(&self, root: &Path) -> PathBuf {
        self.folder(root).join(ANSWERS)
    }

    /// The folder with results of earlier runs.
    fn folder(&self, root: &Path) -> PathBuf {
        let variable = || std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        self.folder.clone().or_else(variable).unwrap_or_else(|| Store::folder_below(root))
    }

    /// What earlier runs kept. Prints a note where another version of the program kept it.
    ///
    /// # Errors
    ///
    /// When the folder that is named must not be written to.
    pub(super) fn open(&self, root: &Path) -> Result<Cache> {
        self.open_with(root, [])
    }

    /// As [`Self::open`]. The cache finds what `others` have, too.
    pub(super) fn open_with(&self, root: &Path, others: impl IntoIterator<Item = Store>) -> Result<Cache> {
        let folder = self.folder(root);
        let store = Store::at(&folder);
        let refuse = |reason: &str| {
            let text =
                format!("cannot keep results in `{}`: {reason}; name another folder", folder.display());
            Err(Error::usage(text))
        };
        if folder != Store::folder_below(root) {
            if store.is_foreign(ANSWERS) {
                return refuse("it holds files that stepkin did not make");
            }
            if is_among_sources(root, &folder) {
                return refuse("it is among the sources");
            }
        }
        if store.is_of_another_program() {
            note!(
                "`{}` was kept by another version of stepkin: it is dropped, and everything is made anew",
                folder.display()
            );
        }
        Ok(Cache::new(store.with(others)))
    }
}

/// Whether what is written to a folder would be read as a part of the site.
fn is_among_sources(root: &Path, folder: &Path) -> bool {
    let folder = real(folder);
    let holds = |sources: &str| !sources.is_empty() && folder.starts_with(real(&root.join(sources)));
    source::recognise(root).is_ok_and(|repository| repository.folders().into_iter().any(holds))
}

/// The absolute path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let found = absolute.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    match found {
        Some((above, real)) => absolute.strip_prefix(above).map_or(real.clone(), |rest| real.join(rest)),
        None => absolute,
    }
}
