//! The kinds of repositories that hold tutorial families, and how each names, orders and writes its pages.
//!
//! A [`Convention`] is data: what a kind does by itself, one file for each. What a repository says of itself in the
//! files of its generator comes on top of it.

mod docusaurus;
mod hugo;
mod jekyll;
mod mdbook;
mod mkdocs;
mod plain;
mod starlight;
mod stepkin;
mod vitepress;

use serde::{Deserialize, Serialize};

/// A kind of repository.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    #[default]
    Stepkin,
    Docusaurus,
    Starlight,
    Hugo,
    Jekyll,
    Mkdocs,
    Vitepress,
    Mdbook,
    /// Folders of Markdown files that no known generator reads.
    Plain,
}

/// A syntax that is not CommonMark's, GitHub's or ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Syntax {
    /// MDX: imports, exports, expressions in braces, components.
    Mdx,
    /// Blocks between `:::name` and `:::`, of any name, with titles, nested by more colons.
    Directives,
    /// Hugo's shortcodes, `{{< name >}}` and `{{% name %}}`.
    Shortcodes,
    /// Liquid's tags and outputs, `{% name %}` and `{{ name }}`.
    Liquid,
    /// Blocks that are indented below `!!! note`, `??? note` and `=== "Tab"`.
    Indented,
    /// Kramdown's attribute lists, `{: .class #id}` and `{:toc}`.
    Kramdown,
    /// Components and outputs of Vue, `<Name>` and `{{ name }}`.
    Vue,
    /// Directives of mdBook, `{{#include file}}`.
    Mdbook,
    /// Includes of files: `--8<-- "file"`, `<<< @/file`.
    Snippets,
}

/// What a kind of repository does by itself.
#[derive(Debug)]
pub struct Convention {
    pub kind: Kind,
    /// The kind with its article, as the rest of "read as".
    pub name: &'static str,
    /// Syntax of its pages beside CommonMark's and GitHub's.
    pub syntax: &'static [Syntax],
    /// Whether `order` counts among the pages of a folder; else among all steps of a platform.
    pub orders_by_folder: bool,
}

impl Kind {
    pub const ALL: [Self; 9] = [
        Self::Stepkin,
        Self::Docusaurus,
        Self::Starlight,
        Self::Hugo,
        Self::Jekyll,
        Self::Mkdocs,
        Self::Vitepress,
        Self::Mdbook,
        Self::Plain,
    ];

    pub fn convention(self) -> &'static Convention {
        match self {
            Self::Stepkin => &stepkin::CONVENTION,
            Self::Docusaurus => &docusaurus::CONVENTION,
            Self::Starlight => &starlight::CONVENTION,
            Self::Hugo => &hugo::CONVENTION,
            Self::Jekyll => &jekyll::CONVENTION,
            Self::Mkdocs => &mkdocs::CONVENTION,
            Self::Vitepress => &vitepress::CONVENTION,
            Self::Mdbook => &mdbook::CONVENTION,
            Self::Plain => &plain::CONVENTION,
        }
    }
}
