//! The cache directory of a command.

use std::path::{Path, PathBuf};

use super::terminal::note;
use crate::output::cache::{Cache, store_at};
use base::error::{Error, Result};
use base::store::Store;
use input::source;

/// Variable with the directory, if the option is not set.
const VARIABLE: &str = "STEPKIN_CACHE_DIR";

#[derive(Debug, clap::Args)]
pub(super) struct CacheArguments {
    /// Cache directory [default: `$STEPKIN_CACHE_DIR`, or `.stepkin` in the site root]
    #[arg(long = "cache", value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// File with the results of external links, in the same directory.
const ANSWERS: &str = "external-links.json";

impl CacheArguments {
    /// Returns the file with the results of external links.
    #[cfg(feature = "external")]
    pub(super) fn answers(&self, root: &Path) -> PathBuf {
        self.folder(root).join(ANSWERS)
    }

    /// Returns the cache directory.
    fn folder(&self, root: &Path) -> PathBuf {
        let variable = || std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        self.folder.clone().or_else(variable).unwrap_or_else(|| Store::folder_below(root))
    }

    /// Opens the cache. Prints a note if it is from another version of Stepkin.
    ///
    /// # Errors
    ///
    /// If the specified directory must not be written to.
    pub(super) fn open(&self, root: &Path) -> Result<Cache> {
        self.open_with(root, [])
    }

    /// Same as [`Self::open`], with additional stores for reading.
    pub(super) fn open_with(&self, root: &Path, others: impl IntoIterator<Item = Store>) -> Result<Cache> {
        let folder = self.folder(root);
        let store = store_at(&folder);
        let refuse = |reason: &str| {
            let text =
                format!("cannot use `{}` as the cache: {reason}; choose another directory", folder.display());
            Err(Error::usage(text))
        };
        if folder != Store::folder_below(root) {
            if store.is_foreign(ANSWERS) {
                return refuse("it contains files that Stepkin didn't create");
            }
            if is_among_sources(root, &folder) {
                return refuse("it is in a source directory");
            }
        }
        if store.is_of_another_program() {
            note!("cache `{}` is from another Stepkin version; rebuilding it", folder.display());
        }
        Ok(Cache::new(store.with(others)))
    }
}

/// Whether files in a directory would be read as a part of the site.
fn is_among_sources(root: &Path, folder: &Path) -> bool {
    let folder = real(folder);
    let holds = |sources: &str| !sources.is_empty() && folder.starts_with(real(&root.join(sources)));
    source::recognise(root).is_ok_and(|repository| repository.folders().into_iter().any(holds))
}

/// Returns the absolute path, with links resolved as far as it exists.
fn real(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let found = absolute.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    match found {
        Some((above, real)) => absolute.strip_prefix(above).map_or(real.clone(), |rest| real.join(rest)),
        None => absolute,
    }
}
