//! How a text is written where that is not our own Markdown, and the files that it includes.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::conventions::Syntax;
use crate::site_path::SitePath;

/// The syntax of a text beside our own, with what it includes. By default a text is our own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    pub syntax: &'static [Syntax],
    /// By the name that the text gives, as [`inclusions`](crate::markdown::inclusions) says it.
    pub parts: BTreeMap<String, Part>,
    /// What the generator's configuration says, by the names that pages give it: `param version`, `site.title`.
    pub values: Arc<BTreeMap<String, String>>,
}

/// A file that a text includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub path: SitePath,
    pub text: Arc<str>,
}

impl Dialect {
    /// Whether texts are read as they are.
    pub fn is_ours(&self) -> bool {
        self.syntax.is_empty()
    }

    pub fn has(&self, syntax: Syntax) -> bool {
        self.syntax.contains(&syntax)
    }

    /// Adds all that a page is parsed from beside its text to a hash; nothing for our own.
    pub fn add_to(&self, hasher: &mut blake3::Hasher) {
        // What derives `Debug` writes every field, and quotes texts so that none can pass for two.
        if !self.is_ours() {
            hasher.update(format!("{:?}", self.syntax).as_bytes());
            hasher.update(format!("{:?}", self.values).as_bytes());
            for (name, part) in &self.parts {
                hasher.update(format!("{name:?}{:?}", part.path).as_bytes());
                hasher.update(blake3::hash(part.text.as_bytes()).as_bytes());
            }
        }
    }
}
