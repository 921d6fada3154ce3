//! Which steps of two platforms are the same step.

use std::collections::{BTreeMap, BTreeSet};

use super::matching::best_first;
use crate::address::slug_of;
use crate::content::{Document, DocumentId, Site, bare_title};
use crate::pages::Pages;

/// The steps that two platforms share.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shared {
    /// Positions among the steps of the first and of the second platform, ascending.
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) doubts: Vec<Doubt>,
}

/// A pair that only half agrees.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Doubt {
    pub(super) pair: (usize, usize),
    pub(super) reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The same slug; neither title nor order nor headings agree.
    SlugAlone,
    /// Neither slug nor title agrees, but the headings do.
    HeadingsAlone,
    /// Another step agrees just as well.
    Rival,
}

/// More steps than this without a partner are not compared by their headings: that is quadratic, and a
/// platform that differs so much tells another tutorial.
const MOST_COMPARED: usize = 100;

/// Pairs the steps of two platforms: by `step:`, then by slug with an agreeing title or order, then by title,
/// by slug alone, and at last by headings. Surest signs first, so that a weak one never takes a step from a
/// strong one. The same pairs, turned round, whichever platform comes first.
pub(super) fn shared(site: &Site, pages: &Pages, a: &[DocumentId], b: &[DocumentId]) -> Shared {
    let mut pairing = Pairing {
        site,
        pages,
        a,
        b,
        taken_a: BTreeSet::new(),
        taken_b: BTreeSet::new(),
        shared: Shared::default(),
    };
    pairing.by(|document| document.front.step.clone(), |_, _| true);
    pairing.by(slug_and_title, may_be_same);
    pairing.by(slug_and_order, may_be_same);
    pairing.by(|document| Some(bare_title(&document.title)), may_be_same);
    pairing.by_slug_alone();
    pairing.by_headings();
    pairing.shared.pairs.sort_unstable();
    pairing.shared
}

struct Pairing<'a> {
    site: &'a Site,
    pages: &'a Pages,
    a: &'a [DocumentId],
    b: &'a [DocumentId],
    taken_a: BTreeSet<usize>,
    taken_b: BTreeSet<usize>,
    shared: Shared,
}

impl Pairing<'_> {
    fn first(&self, at: usize) -> &Document {
        self.site.document(self.a[at])
    }

    fn second(&self, at: usize) -> &Document {
        self.site.document(self.b[at])
    }

    fn take(&mut self, pair: (usize, usize)) {
        self.taken_a.insert(pair.0);
        self.taken_b.insert(pair.1);
        self.shared.pairs.push(pair);
    }

    /// Pairs free steps with the same key.
    fn by<K: Ord>(
        &mut self,
        key: impl Fn(&Document) -> Option<K>,
        fits: impl Fn(&Document, &Document) -> bool,
    ) {
        let mut groups: BTreeMap<K, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for at in (0..self.a.len()).filter(|at| !self.taken_a.contains(at)) {
            if let Some(key) = key(self.first(at)) {
                groups.entry(key).or_default().0.push(at);
            }
        }
        for at in (0..self.b.len()).filter(|at| !self.taken_b.contains(at)) {
            if let Some(key) = key(self.second(at)) {
                groups.entry(key).or_default().1.push(at);
            }
        }
        for (firsts, seconds) in groups.into_values() {
            let rivals = firsts.len() * seconds.len() > 1;
            let likeness = |row: usize, column: usize| {
                let (a, b) = (firsts[row], seconds[column]);
                fits(self.first(a), self.second(b))
                    .then(|| if rivals { 1.0 + self.likeness(a, b).unwrap_or(0.0) } else { 1.0 })
            };
            let scores: Vec<Option<f64>> = (0..firsts.len())
                .flat_map(|row| (0..seconds.len()).map(move |column| (row, column)))
                .map(|(row, column)| likeness(row, column))
                .collect();
            let score = |row: usize, column: usize| scores[row * seconds.len() + column];
            for (row, column) in best_first(firsts.len(), seconds.len(), score) {
                let pair = (firsts[row], seconds[column]);
                let best = score(row, column);
                let equals = (0..firsts.len()).filter(|&other| score(other, column) == best).count()
                    + (0..seconds.len()).filter(|&other| score(row, other) == best).count();
                self.take(pair);
                if equals > 2 {
                    self.shared.doubts.push(Doubt { pair, reason: Reason::Rival });
                }
            }
        }
    }

    fn by_slug_alone(&mut self) {
        let before = self.shared.pairs.len();
        self.by(|document| document.address.last_segment().map(str::to_string), may_be_same);
        for &pair in &self.shared.pairs[before..] {
            let agrees = self.likeness(pair.0, pair.1).is_some_and(|likeness| likeness >= 0.5);
            let is_known = self.shared.doubts.iter().any(|doubt| doubt.pair == pair);
            if !agrees && !is_known {
                self.shared.doubts.push(Doubt { pair, reason: Reason::SlugAlone });
            }
        }
    }

    fn by_headings(&mut self) {
        let free = |length: usize, taken: &BTreeSet<usize>| -> Vec<usize> {
            (0..length).filter(|at| !taken.contains(at)).collect()
        };
        let (firsts, seconds) = (free(self.a.len(), &self.taken_a), free(self.b.len(), &self.taken_b));
        if firsts.len().max(seconds.len()) > MOST_COMPARED {
            return;
        }
        // Two headings that agree by chance are one; most of several are a step under another name.
        let score = |row: usize, column: usize| {
            let (a, b) = (firsts[row], seconds[column]);
            let enough = self.headings(self.a[a]).len().min(self.headings(self.b[b]).len()) >= 2;
            let fits = enough && may_be_same(self.first(a), self.second(b));
            self.likeness(a, b).filter(|likeness| fits && *likeness >= 0.6)
        };
        for (row, column) in best_first(firsts.len(), seconds.len(), score) {
            let pair = (firsts[row], seconds[column]);
            self.take(pair);
            self.shared.doubts.push(Doubt { pair, reason: Reason::HeadingsAlone });
        }
    }

    /// How many headings two steps share, of all they have, from 0 to 1; `None` where one has none.
    fn likeness(&self, a: usize, b: usize) -> Option<f64> {
        let (a, b) = (self.headings(self.a[a]), self.headings(self.b[b]));
        let common = a.intersection(&b).count();
        (!a.is_empty() && !b.is_empty()).then(|| super::words::ratio(2 * common, a.len() + b.len()))
    }

    fn headings(&self, id: DocumentId) -> BTreeSet<String> {
        self.pages[id].headings.iter().map(|heading| slug_of(heading.bare_text())).collect()
    }
}

fn slug_and_title(document: &Document) -> Option<(String, String)> {
    Some((document.address.last_segment()?.to_string(), bare_title(&document.title)))
}

/// Orders are compared as they are written: 2.5 is 2.5 on every platform.
fn slug_and_order(document: &Document) -> Option<(String, u64)> {
    Some((document.address.last_segment()?.to_string(), document.front.order?.to_bits()))
}

/// Authors who name both steps, and differently, mean two.
fn may_be_same(a: &Document, b: &Document) -> bool {
    a.front.step.is_none() || b.front.step.is_none() || a.front.step == b.front.step
}
