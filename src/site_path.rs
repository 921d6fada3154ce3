//! Paths of a site's files, and the names that have a meaning.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The folders of a site that hold sources.
pub const FOLDERS: [&str; 3] = ["content", "static", "templates"];
/// The configuration file, below the root.
pub const CONFIG: &str = "stepkin.toml";

/// The folder of pages that several platforms share.
pub const SHARED: &str = "_shared";

/// The folder of files that pages load, beside those of this program or in their place.
pub const OWN_ASSETS: &str = "static/_stepkin";

/// The file at a path below a folder; an absolute path is taken as it is. What [`Path::join`] gives, in half the
/// time: it is needed for every file of a site.
pub fn on_disk(folder: &Path, path: &str) -> PathBuf {
    let mut file = PathBuf::with_capacity(folder.as_os_str().len() + "/".len() + path.len());
    file.push(folder);
    file.push(path);
    file
}

/// A path below the site's root, `/`-separated on every system: `content/web/install.md`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SitePath(Arc<str>);

impl SitePath {
    /// A path below `root`. `None` for a name that is not UTF-8: it could not be written as a link.
    pub fn of(root: &Path, path: &Path) -> Option<Self> {
        let relative = path.strip_prefix(root).ok()?;
        let parts: Option<Vec<&str>> = relative.components().map(|part| part.as_os_str().to_str()).collect();
        Some(parts?.join("/").into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path below `folder`, one of [`FOLDERS`] or in one; `None` when it is not in there.
    pub fn below(&self, folder: &str) -> Option<&str> {
        self.0.strip_prefix(folder)?.strip_prefix('/')
    }

    /// Of a path in a folder for shared pages: the folder below `content` that holds it, and the path
    /// below itself: `tour` and `install.md` for `content/tour/_shared/install.md`.
    pub fn shared(&self) -> Option<(&str, &str)> {
        let below = self.below("content")?;
        below.match_indices(SHARED).find_map(|(at, _)| {
            let (before, inside) = (&below[..at], &below[at + SHARED.len()..]);
            let is_whole = before.is_empty() || before.ends_with('/');
            Some((before.trim_end_matches('/'), inside.strip_prefix('/').filter(|_| is_whole)?))
        })
    }

    /// Whether it is below a folder of `content`.
    pub fn is_inside(&self, folder: &str) -> bool {
        let below = self.below("content").and_then(|below| below.strip_prefix(folder));
        below.is_some_and(|rest| rest.starts_with('/'))
    }
}

impl From<&str> for SitePath {
    fn from(path: &str) -> Self {
        Self(path.into())
    }
}

impl From<String> for SitePath {
    fn from(path: String) -> Self {
        Self(path.into())
    }
}

impl fmt::Display for SitePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_pages_are_known_by_their_folder() {
        for (path, shared) in [
            ("content/tour/_shared/a.md", Some(("tour", "a.md"))),
            ("content/_shared/a/index.md", Some(("", "a/index.md"))),
            ("content/x/my_shared/_shared/a.md", Some(("x/my_shared", "a.md"))),
            ("content/tour/_shared.md", None),
            ("content/tour/_shared_too/a.md", None),
            ("static/_shared/a.md", None),
        ] {
            assert_eq!(SitePath::from(path).shared(), shared, "{path}");
        }
    }
}
