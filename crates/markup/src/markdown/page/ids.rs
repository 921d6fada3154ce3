//! The IDs of a page, without duplicates.

use base::sorted::{SortedMap, SortedSet};
use input::conventions::AnchorRule;

/// The used IDs.
#[derive(Debug, Default)]
pub struct Ids {
    taken: SortedSet<String>,
    /// The last number that was tried for each base, so that a thousand equal headings take linear time.
    repeats: SortedMap<String, usize>,
}

impl Ids {
    /// Makes an ID unique by GitHub's rule: the first repetition gets `-1`, the next one `-2`. Used numbers are
    /// skipped.
    pub fn unique(&mut self, base: String) -> String {
        self.unique_by(AnchorRule::GitHub, base)
    }

    /// Marks an ID as used, and returns whether it was free.
    pub(in crate::markdown) fn taken(&mut self, id: &str) -> bool {
        self.taken.insert(id.to_string())
    }

    pub(in crate::markdown) fn unique_by(&mut self, rule: AnchorRule, base: String) -> String {
        // Python-Markdown numbers all headings without letters of ASCII: `unique` in its `toc` extension.
        let needs_number = rule == AnchorRule::Python && base.is_empty();
        if !needs_number && self.taken.insert(base.clone()) {
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
