//! The changes of originals that translated pages lack, as readers see them.
//!
//! They are found in git's history, so a preview server shows pages before it knows them.

use std::sync::{Arc, Mutex};

use jiff::civil::Date;

use crate::base::hash::HashMap;
use crate::base::site_path::SitePath;
use crate::base::store::lock;

/// The lag of each translated page that is behind its original. Empty until it is known.
#[derive(Debug, Default)]
pub struct Lags(Mutex<Arc<HashMap<SitePath, PageLag>>>);

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
        self.all().get(translation).cloned()
    }

    /// Replaces all lags. Returns whether any has changed.
    pub fn set(&self, lags: HashMap<SitePath, PageLag>) -> bool {
        let is_new = *self.all() != lags;
        if is_new {
            *lock(&self.0) = Arc::new(lags);
        }
        is_new
    }

    fn all(&self) -> Arc<HashMap<SitePath, PageLag>> {
        lock(&self.0).clone()
    }
}
