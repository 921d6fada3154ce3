//! Targets in data: the pages and images that front matter, navigation and other lists refer to.

use std::ops::Range;

/// What a value names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Names {
    /// What a link on a page does.
    Link,
    /// A page, by its path or address, without slashes at the ends and without an ending.
    Page,
    /// The file of a page, below the folder of pages.
    Source,
    /// An image.
    Image,
}

/// A value that names something, and where it is in its file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct NamedTarget {
    pub names: Names,
    pub target: String,
    pub span: Range<usize>,
}

/// What a file beside the pages names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFile {
    /// Below the root.
    pub file: String,
    /// Whether the values of its keys are known to name something, or whether most of them have to show it.
    pub is_certain: bool,
    pub named: Vec<NamedTarget>,
}

pub(super) fn is_mintlify(name: &str) -> bool {
    matches!(name, "docs.json" | "mint.json")
}

/// Whether a text is a path from the site's root, of which no part is made by a template.
pub(super) fn is_from_root(text: &str) -> bool {
    text.starts_with('/') && !text.starts_with("//") && !text.contains(['{', '$', '*', ' ', '<'])
}
