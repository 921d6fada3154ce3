//! Paths of a site's files, and the names that have a meaning.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The configuration file, below the root.
pub const CONFIG: &str = "stepkin.toml";

/// The list of what was published, in the output.
pub const MANIFEST: &str = ".stepkin-manifest.json";

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

    /// The path below `folder`; `None` when it is not in there.
    pub fn below(&self, folder: &str) -> Option<&str> {
        self.0.strip_prefix(folder)?.strip_prefix('/')
    }
}

/// Of a path below the folder of pages that is in a folder for shared pages: the folder that holds it, and the path
/// below itself: `tour` and `install.md` for `tour/_shared/install.md`.
pub fn shared(below: &str) -> Option<(&str, &str)> {
    below.match_indices(SHARED).find_map(|(at, _)| {
        let (before, inside) = (&below[..at], &below[at + SHARED.len()..]);
        let is_whole = before.is_empty() || before.ends_with('/');
        Some((before.trim_end_matches('/'), inside.strip_prefix('/').filter(|_| is_whole)?))
    })
}

/// The path below the root that an author means by a path from there; `None` for the root itself and for what is outside.
pub fn below_root(written: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in written.trim().split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Whether a path is in a folder, both below the same one.
pub fn is_inside(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
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
        for (path, expected) in [
            ("tour/_shared/a.md", Some(("tour", "a.md"))),
            ("_shared/a/index.md", Some(("", "a/index.md"))),
            ("x/my_shared/_shared/a.md", Some(("x/my_shared", "a.md"))),
            ("tour/_shared.md", None),
            ("tour/_shared_too/a.md", None),
        ] {
            assert_eq!(shared(path), expected, "{path}");
        }
    }
}
