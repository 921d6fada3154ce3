//! How a text is written where that is not our own Markdown, and the files that it includes.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::site_path::SitePath;
use crate::input::conventions::{AnchorRule, Syntax};

/// The syntax of a text beside our own, with what it includes. By default a text is our own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    pub syntax: &'static [Syntax],
    /// How the ids of headings are made.
    pub anchors: AnchorRule,
    /// Whether plugins of the generator define labels of links that no page does.
    pub defines_labels: bool,
    /// By the name that the text gives, as [`inclusions`](crate::markup::markdown::inclusions) says it.
    pub parts: BTreeMap<String, IncludedFile>,
    /// Why there is no text for a name of code, where there is none.
    pub absent: BTreeMap<String, Absence>,
    /// What the generator's configuration says, by the names that pages give it: `param version`, `site.title`.
    pub values: Arc<BTreeMap<String, String>>,
}

/// A file that a text includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludedFile {
    pub path: SitePath,
    pub text: Arc<str>,
}

/// Why a file that a page names has no text to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absence {
    /// It does not exist, and what may be meant by its name.
    Missing(Option<String>),
    Folder,
    /// A link leads out of the site.
    Outside,
    /// Its name or its content is a secret's.
    Secret,
    /// This program published it.
    Published,
    /// It has this many bytes.
    TooLarge(u64),
    NotUtf8,
}

impl Dialect {
    /// Whether texts are our own Markdown.
    pub fn is_ours(&self) -> bool {
        self.syntax.iter().all(|syntax| *syntax == Syntax::CodeFiles)
    }

    /// Whether texts are read as they are.
    pub fn is_as_written(&self) -> bool {
        self.syntax.is_empty()
    }

    pub fn has(&self, syntax: Syntax) -> bool {
        self.syntax.contains(&syntax)
    }

    /// Adds all that a page is parsed from beside its text to a hash; nothing where it is read as it is.
    pub fn add_to(&self, hasher: &mut blake3::Hasher) {
        // What derives `Debug` writes every field, and quotes texts so that none can pass for two.
        if !self.is_as_written() {
            hasher.update(format!("{:?}{:?}{}", self.syntax, self.anchors, self.defines_labels).as_bytes());
            hasher.update(format!("{:?}{:?}", self.values, self.absent).as_bytes());
            for (name, part) in &self.parts {
                hasher.update(format!("{name:?}{:?}", part.path).as_bytes());
                hasher.update(blake3::hash(part.text.as_bytes()).as_bytes());
            }
        }
    }
}
