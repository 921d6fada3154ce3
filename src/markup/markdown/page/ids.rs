//! The ids of a page, each given once.

use std::collections::{BTreeMap, BTreeSet};

use crate::input::conventions::AnchorRule;

/// Ids that are taken.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    taken: BTreeSet<String>,
    /// For each base the last number tried: a thousand equal headings take linear time.
    repeats: BTreeMap<String, usize>,
}

impl Ids {
    /// GitHub's rule: a repeat gets `-1`, the next `-2`; a number that is taken is skipped.
    pub(crate) fn unique(&mut self, base: String) -> String {
        self.unique_by(AnchorRule::GitHub, base)
    }

    /// Notes that an id is given; whether it was free.
    pub(in crate::markup::markdown) fn taken(&mut self, id: &str) -> bool {
        self.taken.insert(id.to_string())
    }

    pub(in crate::markup::markdown) fn unique_by(&mut self, rule: AnchorRule, base: String) -> String {
        if self.taken.insert(base.clone()) {
            return base;
        }
        let count = self.repeats.entry(base.clone()).or_default();
        loop {
            *count += 1;
            let id = rule.repeat(&base, *count);
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}
