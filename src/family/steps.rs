//! Which steps of two platforms are the same step.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::matching::best_first;
use crate::address::slug_of;
use crate::content::{Document, DocumentId, Site, StepIx, bare_title};
use crate::index::IndexVec;
use crate::pages::Pages;

/// The steps that two platforms share.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shared {
    /// Steps of the first and of the second platform, ascending.
    pub(super) pairs: Vec<(StepIx, StepIx)>,
    pub(super) doubts: Vec<Doubt>,
}

/// A pair that agrees only in part.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Doubt {
    pub(super) pair: (StepIx, StepIx),
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
/// platform that differs so much has another tutorial.
const MOST_COMPARED: usize = 100;

/// Pairs the steps of two platforms: by `step:`, then by slug with an agreeing title or order, then by title,
/// by slug alone, and at last by headings. The surest rules come first, so that a weak one never takes a step from
/// a strong one. The pairs do not depend on the order of the platforms.
pub(super) fn shared(site: &Site, pages: &Pages, a: &Steps, b: &Steps) -> Shared {
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

/// The steps of a platform.
type Steps = IndexVec<StepIx, DocumentId>;

struct Pairing<'a> {
    site: &'a Site,
    pages: &'a Pages,
    a: &'a Steps,
    b: &'a Steps,
    taken_a: BTreeSet<StepIx>,
    taken_b: BTreeSet<StepIx>,
    shared: Shared,
}

impl Pairing<'_> {
    fn first(&self, at: StepIx) -> &Document {
        self.site.document(self.a[at])
    }

    fn second(&self, at: StepIx) -> &Document {
        self.site.document(self.b[at])
    }

    fn take(&mut self, pair: (StepIx, StepIx)) {
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
        let mut groups: BTreeMap<K, (Vec<StepIx>, Vec<StepIx>)> = BTreeMap::new();
        for at in self.a.indices().filter(|at| !self.taken_a.contains(at)) {
            if let Some(key) = key(self.first(at)) {
                groups.entry(key).or_default().0.push(at);
            }
        }
        for at in self.b.indices().filter(|at| !self.taken_b.contains(at)) {
            if let Some(key) = key(self.second(at)) {
                groups.entry(key).or_default().1.push(at);
            }
        }
        for (firsts, seconds) in groups.into_values() {
            let rivals = firsts.len() * seconds.len() > 1;
            let likeness = |a: StepIx, b: StepIx| {
                fits(self.first(a), self.second(b))
                    .then(|| if rivals { 1.0 + self.likeness(a, b).unwrap_or(0.0) } else { 1.0 })
            };
            let pairs = firsts.iter().flat_map(|&a| seconds.iter().map(move |&b| (a, b)));
            let scores: HashMap<_, _> = pairs.map(|(a, b)| ((a, b), likeness(a, b))).collect();
            for (a, b) in best_first(firsts.iter().copied(), seconds.iter().copied(), |a, b| scores[&(a, b)])
            {
                let best = scores[&(a, b)];
                let equals = firsts.iter().filter(|&&other| scores[&(other, b)] == best).count()
                    + seconds.iter().filter(|&&other| scores[&(a, other)] == best).count();
                self.take((a, b));
                if equals > 2 {
                    self.shared.doubts.push(Doubt { pair: (a, b), reason: Reason::Rival });
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
        let free = |steps: &Steps, taken: &BTreeSet<StepIx>| -> Vec<StepIx> {
            steps.indices().filter(|at| !taken.contains(at)).collect()
        };
        let (firsts, seconds) = (free(self.a, &self.taken_a), free(self.b, &self.taken_b));
        if firsts.len().max(seconds.len()) > MOST_COMPARED {
            return;
        }
        // One heading may agree by chance; where most of several agree, it is the same step under another name.
        let score = |a: StepIx, b: StepIx| {
            let enough = self.headings(self.a[a]).len().min(self.headings(self.b[b]).len()) >= 2;
            let fits = enough && may_be_same(self.first(a), self.second(b));
            self.likeness(a, b).filter(|likeness| fits && *likeness >= 0.6)
        };
        for pair in best_first(firsts, seconds, score) {
            self.take(pair);
            self.shared.doubts.push(Doubt { pair, reason: Reason::HeadingsAlone });
        }
    }

    /// How many headings two steps share, of all they have, from 0 to 1; `None` where one has none.
    fn likeness(&self, a: StepIx, b: StepIx) -> Option<f64> {
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

/// Two different `step:` are two steps.
fn may_be_same(a: &Document, b: &Document) -> bool {
    a.front.step.is_none() || b.front.step.is_none() || a.front.step == b.front.step
}
