//! Matches the steps of two platforms.

use super::matching::best_first;
use crate::content::{Document, DocumentId, Family, Platform, PlatformIx, Site, StepIx, StepKey, bare_title};
use crate::pages::Pages;
use base::address::slug_of;
use base::hash::HashMap;
use base::index::IndexVec;
use base::platforms::is_platform;
use base::site_path;
use base::sorted::{SortedMap, SortedSet};

/// The steps that two platforms share.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SharedSteps {
    /// Steps of the first and the second platform, ascending.
    pub(super) pairs: Vec<(StepIx, StepIx)>,
    pub(super) doubts: Vec<Doubt>,
}

/// A pair that matches only in part.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Doubt {
    pub(super) pair: (StepIx, StepIx),
    pub(super) reason: DoubtReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DoubtReason {
    /// The slugs are equal, but neither titles nor orders nor headings match.
    SlugAlone,
    /// Neither slugs nor titles match, but the headings do.
    HeadingsAlone,
    /// Another step matches equally well.
    Rival,
}

/// Maximum number of unmatched steps that are compared by headings, which takes quadratic time. If more steps are
/// unmatched, the tutorials are different.
const MOST_COMPARED: usize = 100;

/// Pairs the steps of two platforms: by `step`, then by key with a matching title or order, then by title, by key
/// alone, and finally by headings. The strictest rules come first, so that a weak match never takes a step from a
/// strong one. The pairs don't depend on the order of the platforms.
///
/// In a family that is matched by keys alone, equal keys are certain. Titles match only within a folder, because many
/// sections contain an overview.
pub(super) fn shared(
    site: &Site,
    pages: &Pages,
    family: &Family,
    a: PlatformIx,
    b: PlatformIx,
) -> SharedSteps {
    let (a, b) = (&family.platforms[a], &family.platforms[b]);
    let mut pairing = Pairing {
        site,
        pages,
        a,
        b,
        taken_a: SortedSet::new(),
        taken_b: SortedSet::new(),
        shared: SharedSteps::default(),
    };
    pairing.by(|step| step.document.front.step.clone(), |_, _| true);
    if family.is_by_key {
        pairing.by(|step| Some(step.key.clone()), may_be_same);
        pairing.by(|step| Some(section_and_title(step)), may_be_same);
    } else {
        pairing.by(|step| Some(key_and_title(step)), may_be_same);
        pairing.by(key_and_order, may_be_same);
        pairing.by(|step| Some(section_and_title(step)), may_be_same);
        pairing.by_key_alone();
    }
    // Pages of the same kind have equal headings, so if paths identify steps, names must also be similar.
    pairing.by_headings(|one, other| !family.is_by_key || have_like_names(one, other));
    pairing.shared.pairs.sort_unstable();
    pairing.shared
}

/// A step of a platform.
#[derive(Clone, Copy)]
struct Step<'a> {
    document: &'a Document,
    key: &'a StepKey,
}

struct Pairing<'a> {
    site: &'a Site,
    pages: &'a Pages,
    a: &'a Platform,
    b: &'a Platform,
    taken_a: SortedSet<StepIx>,
    taken_b: SortedSet<StepIx>,
    shared: SharedSteps,
}

impl<'a> Pairing<'a> {
    fn first(&self, at: StepIx) -> Step<'a> {
        Step { document: self.site.document(self.a.steps[at]), key: &self.a.keys[at] }
    }

    fn second(&self, at: StepIx) -> Step<'a> {
        Step { document: self.site.document(self.b.steps[at]), key: &self.b.keys[at] }
    }

    fn take(&mut self, pair: (StepIx, StepIx)) {
        self.taken_a.insert(pair.0);
        self.taken_b.insert(pair.1);
        self.shared.pairs.push(pair);
    }

    /// Pairs unmatched steps with the same key.
    fn by<K: Ord>(
        &mut self,
        key: impl Fn(Step<'a>) -> Option<K>,
        fits: impl Fn(&Document, &Document) -> bool,
    ) {
        let mut groups: SortedMap<K, (Vec<StepIx>, Vec<StepIx>)> = SortedMap::new();
        for at in self.a.steps.indices().filter(|at| !self.taken_a.contains(at)) {
            if let Some(key) = key(self.first(at)) {
                groups.entry(key).or_default().0.push(at);
            }
        }
        for at in self.b.steps.indices().filter(|at| !self.taken_b.contains(at)) {
            if let Some(key) = key(self.second(at)) {
                groups.entry(key).or_default().1.push(at);
            }
        }
        for (firsts, seconds) in groups.into_values() {
            match (&*firsts, &*seconds) {
                ([], _) | (_, []) => continue,
                (&[a], &[b]) => {
                    if fits(self.first(a).document, self.second(b).document) {
                        self.take((a, b));
                    }
                    continue;
                }
                _ => {}
            }
            let rivals = firsts.len() * seconds.len() > 1;
            let likeness = |a: StepIx, b: StepIx| {
                fits(self.first(a).document, self.second(b).document)
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
                    self.shared.doubts.push(Doubt { pair: (a, b), reason: DoubtReason::Rival });
                }
            }
        }
    }

    fn by_key_alone(&mut self) {
        let before = self.shared.pairs.len();
        self.by(|step| Some(step.key.clone()), may_be_same);
        for &pair in &self.shared.pairs[before..] {
            let agrees = self.likeness(pair.0, pair.1).is_some_and(|likeness| likeness >= 0.5);
            let is_known = self.shared.doubts.iter().any(|doubt| doubt.pair == pair);
            if !agrees && !is_known {
                self.shared.doubts.push(Doubt { pair, reason: DoubtReason::SlugAlone });
            }
        }
    }

    /// Pairs unmatched steps with matching headings, among those that may be the same.
    fn by_headings(&mut self, fits: impl Fn(Step<'a>, Step<'a>) -> bool) {
        let free = |steps: &IndexVec<StepIx, DocumentId>, taken: &SortedSet<StepIx>| -> Vec<StepIx> {
            steps.indices().filter(|at| !taken.contains(at)).collect()
        };
        let (firsts, seconds) = (free(&self.a.steps, &self.taken_a), free(&self.b.steps, &self.taken_b));
        if firsts.len().max(seconds.len()) > MOST_COMPARED || firsts.is_empty() || seconds.is_empty() {
            return;
        }
        let templates: SortedSet<String> =
            self.template_headings(self.a).union(&self.template_headings(self.b)).cloned().collect();
        // A single heading may match by coincidence. If most of several match, it is the same step with another name.
        let score = |a: StepIx, b: StepIx| {
            let (one, other) = (self.headings(self.a.steps[a]), self.headings(self.b.steps[b]));
            let of_their_own = |heading: &&String| !templates.contains(*heading) && !is_template(heading);
            let enough = one.intersection(&other).filter(of_their_own).count() >= 2;
            let (first, second) = (self.first(a), self.second(b));
            let fits = enough && may_be_same(first.document, second.document) && fits(first, second);
            self.likeness(a, b).filter(|likeness| fits && *likeness >= 0.6)
        };
        for pair in best_first(firsts, seconds, score) {
            self.take(pair);
            self.shared.doubts.push(Doubt { pair, reason: DoubtReason::HeadingsAlone });
        }
    }

    /// Returns the share of common headings of two steps, from 0 to 1, or `None` if one has none.
    fn likeness(&self, a: StepIx, b: StepIx) -> Option<f64> {
        let (a, b) = (self.headings(self.a.steps[a]), self.headings(self.b.steps[b]));
        let common = a.intersection(&b).count();
        (!a.is_empty() && !b.is_empty()).then(|| super::words::ratio(2 * common, a.len() + b.len()))
    }

    /// Returns the headings that many pages of a platform contain, which therefore don't identify a step.
    fn template_headings(&self, platform: &Platform) -> SortedSet<String> {
        let mut counts: SortedMap<String, usize> = SortedMap::new();
        for heading in platform.steps.iter().flat_map(|id| self.headings(*id)) {
            *counts.entry(heading).or_default() += 1;
        }
        let many = (platform.steps.len() / 5).max(3);
        counts.into_iter().filter(|(_, count)| *count >= many).map(|(heading, _)| heading).collect()
    }

    fn headings(&self, id: DocumentId) -> SortedSet<String> {
        self.pages[id].headings.iter().map(|heading| slug_of(heading.bare_text())).collect()
    }
}

/// Whether reference pages contain this heading, whatever their topic.
fn is_template(heading: &str) -> bool {
    const HEADINGS: [&str; 44] = [
        "arguments",
        "attributes",
        "code",
        "constants",
        "constructor",
        "constructors",
        "custom-properties",
        "definition",
        "description",
        "errors",
        "event",
        "events",
        "example",
        "examples",
        "exceptions",
        "fields",
        "inherited-members",
        "interfaces",
        "introduction",
        "members",
        "methods",
        "next-steps",
        "notes",
        "options",
        "overview",
        "parameters",
        "prerequisites",
        "properties",
        "props",
        "purpose",
        "reference",
        "remarks",
        "request",
        "requirements",
        "response",
        "return-value",
        "returns",
        "see-also",
        "signature",
        "slots",
        "summary",
        "syntax",
        "type-parameters",
        "usage",
    ];
    HEADINGS.binary_search(&heading).is_ok()
}

fn key_and_title(step: Step<'_>) -> (StepKey, String) {
    (step.key.clone(), bare_title(&step.document.title))
}

fn section_and_title(step: Step<'_>) -> (String, String) {
    (step.key.section().to_string(), bare_title(&step.document.title))
}

/// Orders are compared as written: 2.5 equals 2.5 on every platform.
fn key_and_order(step: Step<'_>) -> Option<(StepKey, u64)> {
    Some((step.key.clone(), step.document.front.order?.to_bits()))
}

fn have_like_names(one: Step<'_>, other: Step<'_>) -> bool {
    let words = |step: Step<'_>| name_words(step.key.as_str(), &step.document.title);
    !words(one).is_disjoint(&words(other))
}

/// Returns the distinctive words of a step's name and title, in lower case.
pub fn name_words(key: &str, title: &str) -> SortedSet<String> {
    const SHORTEST: usize = 3;
    let last = site_path::file_name(key);
    let words = [slug_of(last), slug_of(&bare_title(title))];
    let words = words.iter().flat_map(|words| words.split('-'));
    let says_something = |word: &&str| {
        word.len() >= SHORTEST && !is_template(word) && !is_platform(word) && !COMMON.contains(word)
    };
    words.filter(says_something).map(str::to_string).collect()
}

/// Words in the names of pages about any topic.
const COMMON: [&str; 16] = [
    "add", "and", "api", "app", "for", "get", "guide", "how", "sdk", "set", "setup", "start", "the", "use",
    "using", "with",
];

/// Two different `step` values are different steps.
fn may_be_same(a: &Document, b: &Document) -> bool {
    a.front.step.is_none() || b.front.step.is_none() || a.front.step == b.front.step
}
