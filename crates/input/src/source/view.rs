//! The sources of a site in one of its languages.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Sources;
use base::language::LanguageTag;
use base::site_path::SitePath;

/// The language of some sources, from which the site in this language is planned like any other site.
#[derive(Clone, Debug)]
pub struct LanguageView {
    /// The sources of all languages.
    pub whole: Arc<Sources>,
    /// All languages of the site, the original first.
    pub languages: Arc<Vec<PublishedLanguage>>,
    /// The position of this language among them.
    pub at: usize,
    /// Pages and files that are published as if they had another path, with that path: a translation has its original's.
    pub published: BTreeMap<SitePath, SitePath>,
    /// The original of each translated page.
    pub originals: BTreeMap<SitePath, SitePath>,
}

/// A language in which a site is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedLanguage {
    pub tag: LanguageTag,
    /// The name of the language in the language itself.
    pub name: String,
    /// The path of its pages on the site, such as `/ja`. It is empty for the original.
    pub path: String,
}

impl LanguageView {
    pub fn language(&self) -> &PublishedLanguage {
        &self.languages[self.at]
    }

    /// The language in which the site is written.
    pub fn original(&self) -> &PublishedLanguage {
        &self.languages[0]
    }

    pub fn is_translation(&self) -> bool {
        self.at > 0
    }

    /// Returns the language of a page that is shown in place of a missing translation.
    pub fn foreign(&self, page: &SitePath) -> Option<LanguageTag> {
        (!self.is_own(page)).then(|| self.original().tag.clone())
    }

    /// Whether a page or file is of this language, and not of the original in its place.
    pub fn is_own(&self, path: &SitePath) -> bool {
        !self.is_translation() || self.published.contains_key(path) && self.whole.is_translation(path)
    }
}

impl Sources {
    /// The sources of all languages.
    pub fn whole(&self) -> &Self {
        self.view.as_ref().map_or(self, |view| &view.whole)
    }

    /// The path by which a page or file is published.
    pub fn published<'a>(&'a self, path: &'a SitePath) -> &'a SitePath {
        self.view.as_ref().and_then(|view| view.published.get(path)).unwrap_or(path)
    }

    /// Whether these are the sources of a translation.
    pub fn are_translated(&self) -> bool {
        self.view.as_ref().is_some_and(|view| view.is_translation())
    }
}
