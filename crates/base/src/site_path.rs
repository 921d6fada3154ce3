//! Paths of a site's files, and file names with a special meaning.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The configuration file in the root.
pub const CONFIG: &str = "stepkin.toml";

/// The list of published files, in the output folder.
pub const MANIFEST: &str = ".stepkin-manifest.json";

/// The folder with pages that several platforms share.
pub const SHARED: &str = "_shared";

/// The folder with the site's files for `/_stepkin/`, which add to the built-in ones or replace them.
pub const OWN_ASSETS: &str = "static/_stepkin";

/// Returns the file at a path in a folder; absolute paths stay. The result is that of [`Path::join`] in half the
/// time, which matters because every file of a site needs it.
pub fn on_disk(folder: &Path, path: &str) -> PathBuf {
    let mut file = PathBuf::with_capacity(folder.as_os_str().len() + "/".len() + path.len());
    file.push(folder);
    file.push(path);
    file
}

/// A path relative to the site's root, separated by `/` on every system: `content/web/install.md`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SitePath(Arc<str>);

impl SitePath {
    /// Returns the path relative to `root`, or `None` if the name is not UTF-8, because links can't contain such
    /// names.
    pub fn of(root: &Path, path: &Path) -> Option<Self> {
        let relative = path.strip_prefix(root).ok()?;
        let parts: Option<Vec<&str>> = relative.components().map(|part| part.as_os_str().to_str()).collect();
        Some(parts?.join("/").into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the path relative to `folder`, or `None` if it is outside.
    pub fn below(&self, folder: &str) -> Option<&str> {
        self.0.strip_prefix(folder)?.strip_prefix('/')
    }
}

/// Splits the path of a shared page into the folder that contains `_shared` and the path inside it: `tour` and
/// `install.md` for `tour/_shared/install.md`.
pub fn shared(below: &str) -> Option<(&str, &str)> {
    below.match_indices(SHARED).find_map(|(at, _)| {
        let (before, inside) = (&below[..at], &below[at + SHARED.len()..]);
        let is_whole = before.is_empty() || before.ends_with('/');
        Some((before.trim_end_matches('/'), inside.strip_prefix('/').filter(|_| is_whole)?))
    })
}

/// Normalizes a path that an author wrote relative to the root. Returns `None` for the root itself and for paths
/// outside.
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

/// Adds a suffix before the extension: `tour/page.en.md` for `tour/page.md` and `en`.
pub fn with_suffix(path: &str, suffix: &str) -> Option<String> {
    let (stem, ending) = path.rsplit_once('.').filter(|(_, ending)| !ending.contains('/'))?;
    Some(format!("{stem}.{suffix}.{ending}"))
}

/// Removes a suffix before the extension: `tour/page.md` for `tour/page.en.md` and `en`.
pub fn without_suffix(path: &str, suffix: &str) -> Option<String> {
    let (stem, ending) = path.rsplit_once('.').filter(|(_, ending)| !ending.contains('/'))?;
    let bare = stem.strip_suffix(suffix)?.strip_suffix('.')?;
    (!bare.is_empty() && !bare.ends_with('/')).then(|| format!("{bare}.{ending}"))
}

/// Returns the folder of a path without its final slash: `a/b` for `a/b/c.md`. Empty for a path without a folder.
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the last name of a path: `c.md` for `a/b/c.md`.
pub fn file_name(path: &str) -> &str {
    &path[memchr::memrchr(b'/', path.as_bytes()).map_or(0, |slash| slash + 1)..]
}

/// Returns the last name of a path up to its first dot: `c` for `a/b/c.en.md`.
pub fn stem(path: &str) -> &str {
    file_name(path).split('.').next().unwrap_or_default()
}

/// Returns the path of a name in a folder, which is empty for the root.
pub fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_string() } else { format!("{folder}/{name}") }
}

/// Whether a path is in a folder. Both are relative to the same folder.
pub fn is_inside(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a name is that of a version: `1.2`, `v3`, `2.x`.
pub fn is_version(name: &str) -> bool {
    let number = name.strip_prefix('v').unwrap_or(name);
    let is_part =
        |part: &str| part == "x" || !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    number.starts_with(|c: char| c.is_ascii_digit())
        && (number.contains('.') || number.len() < name.len())
        && number.split('.').all(is_part)
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

/// Whether a folder with this name contains tests and their inputs, which may be wrong on purpose.
pub fn is_of_tests(name: &str) -> bool {
    is_only_of_tests(name)
        || matches!(name, "corpora" | "corpus" | "e2e" | "fixture" | "fixtures" | "fuzz" | "test" | "tests")
}

/// The same for names that no folder of pages has.
pub fn is_only_of_tests(name: &str) -> bool {
    matches!(name, "testdata" | "__fixtures__" | "__snapshots__" | "__tests__")
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
