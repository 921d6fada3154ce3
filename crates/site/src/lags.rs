//! The changes of originals that translated pages lack, as readers see them.
//!
//! They are found in git's history, so a preview server shows pages before it knows them.

use std::sync::{Arc, Mutex};

use jiff::civil::Date;
use serde_json::Value;

use base::hash::HashMap;
use base::site_path::SitePath;
use base::store::lock;

/// The lag of each translated page that is behind its original. Empty until it is known.
#[derive(Debug, Default)]
pub struct Lags(Mutex<Arc<KnownLags>>);

/// The state of all translations.
#[derive(Debug, Default, PartialEq)]
pub struct KnownLags {
    pub pages: HashMap<SitePath, PageLag>,
    /// Data of the page with the state of all translations, if it is published.
    pub status: Option<Arc<Value>>,
}

/// A translated page that is behind its original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLag {
    /// The day of the first change, if it is committed.
    pub since: Option<Date>,
    /// In the order of the original.
    pub sections: Vec<OutdatedSection>,
}

/// A section that changed in the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutdatedSection {
    /// The ID of the section in the translation, or of the section before a new one. Empty before the first heading.
    pub here: String,
    /// The ID of the section in the original, if it has one.
    pub there: String,
    /// The heading in the original.
    pub title: String,
    pub state: OutdatedState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutdatedState {
    Changed,
    /// The translation lacks it.
    New,
    /// The original no longer has it.
    Removed,
}

impl Lags {
    /// Returns the lag of a translated page.
    pub fn of(&self, translation: &SitePath) -> Option<PageLag> {
        self.known().pages.get(translation).cloned()
    }

    /// Returns the data of the page with the state of all translations.
    pub fn status(&self) -> Option<Arc<Value>> {
        self.known().status.clone()
    }

    /// Replaces everything. Returns whether any of it has changed.
    pub fn set(&self, known: KnownLags) -> bool {
        let is_new = *self.known() != known;
        if is_new {
            *lock(&self.0) = Arc::new(known);
        }
        is_new
    }

    fn known(&self) -> Arc<KnownLags> {
        lock(&self.0).clone()
    }
}
