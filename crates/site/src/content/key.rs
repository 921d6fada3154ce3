//! The name of a step that is the same on every platform.

use std::fmt;

use super::Document;
use base::site_path;
use input::conventions::{Repository, without_number};

/// The path of a step's page without the platform: `users/overview` for `ios/users/overview.md`.
///
/// Without slashes at the ends, and without an extension. Empty for the page of the platform's own folder, and for
/// every page of a folder with one page for each platform.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepKey(String);

impl StepKey {
    /// `rest` is the page's path without the platform's folder.
    pub(super) fn new(rest: &str, document: &Document, repository: &Repository) -> Self {
        let convention = repository.convention;
        // A slug with folders is a complete address.
        let slug = document.front.slug.as_deref().or(document.front.id.as_deref());
        let slug = slug.filter(|slug| !slug.contains('/'));
        let mut parts = segments(rest);
        if convention.is_index_by_folder && matches!(parts[..], [.., folder, name] if folder == name) {
            parts.pop();
        }
        let last = parts.len().saturating_sub(1);
        let named = parts.iter().enumerate().map(|(at, part)| match slug {
            Some(slug) if at == last => slug,
            _ if repository.is_numbered => without_number(part).1,
            _ => part,
        });
        let key = named.collect::<Vec<_>>().join("/");
        Self(if convention.is_lower_case { key.to_lowercase() } else { key })
    }

    /// Returns the key of a step that is a folder with one page for each platform.
    pub(super) fn of_folder(name: &str) -> Self {
        Self(name.to_string())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folder of the step, relative to its platform's. Empty outside folders.
    pub fn section(&self) -> &str {
        site_path::parent(&self.0)
    }
}

impl fmt::Display for StepKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the segments of a page's path, without the extension, and without the file name of an index page.
pub(super) fn segments(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if let Some(last) = parts.last_mut() {
        *last = ENDINGS.iter().find_map(|ending| last.strip_suffix(ending)).unwrap_or(last);
    }
    if parts.last().is_some_and(|last| is_index(last)) {
        parts.pop();
    }
    parts
}

const ENDINGS: [&str; 3] = [".md", ".mdx", ".markdown"];

/// Whether a page with this name is the index page of its folder.
pub(super) fn is_index(name: &str) -> bool {
    ["index", "_index", "readme"].iter().any(|index| name.eq_ignore_ascii_case(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_a_folder_is_called_as_the_folder() {
        for (path, names) in [
            ("users/overview.md", "users/overview"),
            ("users/index.md", "users"),
            ("users/README.md", "users"),
            ("_index.md", ""),
            ("a.b.mdx", "a.b"),
            ("", ""),
        ] {
            assert_eq!(segments(path).join("/"), names, "{path}");
        }
    }
}
