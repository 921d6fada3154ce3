//! Targets in data: the pages and images that front matter, navigation and other lists refer to. Also other mistakes in it.

use std::ops::Range;

/// The kind of target that a value refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum TargetKind {
    /// A link, as on a page.
    Link,
    /// A page, by its path or address, without slashes at the ends and without an extension.
    Page,
    /// The file of a page, relative to the folder of pages.
    Source,
    /// An image.
    Image,
    /// A template of Jekyll, by its name: <https://jekyllrb.com/docs/layouts/>.
    Layout,
    /// A folder of pages that a list includes as a whole.
    Folder,
}

/// A value that refers to a target, and its range in the file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct NamedTarget {
    pub names: TargetKind,
    pub target: String,
    pub span: Range<usize>,
}

/// A mistake in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingSlip {
    pub kind: SlipKind,
    /// Range of the name in the file.
    pub span: Range<usize>,
}

/// The kind of a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SlipKind {
    /// A name that the generator doesn't know.
    Unknown {
        /// What it names: `key`, `plugin`, `Markdown extension`.
        noun: &'static str,
        name: String,
        meant: Option<String>,
    },
    /// A value that the generator can't use.
    Wrong { message: String, help: String },
    /// A file that doesn't exist.
    MissingFile { path: String },
    /// The file isn't valid, for a reason.
    Invalid { format: &'static str, reason: String },
}

/// A data file and its targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFile {
    /// Relative to the root.
    pub file: String,
    /// Whether the values of its keys are certain to be targets. Otherwise, most of them must exist to confirm it.
    pub is_certain: bool,
    pub named: Vec<NamedTarget>,
    /// Mistakes other than missing targets.
    pub slips: Vec<SettingSlip>,
}

pub fn is_mintlify(name: &str) -> bool {
    matches!(name, "docs.json" | "mint.json")
}

/// Whether a text is a root-relative path without template expressions.
pub(super) fn is_from_root(text: &str) -> bool {
    text.starts_with('/') && !text.starts_with("//") && !text.contains(['{', '$', '*', ' ', '<'])
}

/// Returns the targets of inline links and images in a text, as written, also those in code.
pub fn inline_targets(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ', '\n']).next())
}
