//! Matches the sections of two versions, and compares their images and code.

use super::Pairing;
use crate::family::matching::{alone, best_first, flipped, in_order};
use crate::family::outline::{Outline, SectionIx};
use crate::family::words::WordList;
use base::hash::HashMap;
use base::index::IndexVec;
use markup::markdown::Page;

pub(super) fn of_outlines(a: &Outline<'_>, b: &Outline<'_>) -> Vec<(SectionIx, SectionIx)> {
    if let Some(sections) = by_ids(a.page, b.page) {
        return sections;
    }
    let titles = |outline: &Outline<'_>| -> IndexVec<SectionIx, WordList> {
        outline.sections.iter().map(|section| section.title.words().clone()).collect()
    };
    let likeness = |one: SectionIx, other: SectionIx| a.likeness(one, b, other);
    by_titles(&titles(a), &titles(b), likeness)
}

/// Matches the sections of two pages if all their headings have the same IDs in the same order. Most siblings do, so
/// nothing needs to be compared.
pub(in crate::family) fn by_ids(a: &Page, b: &Page) -> Option<Vec<(SectionIx, SectionIx)>> {
    let same = a.headings.iter().map(|heading| &heading.id).eq(b.headings.iter().map(|heading| &heading.id));
    let sections = (0..=a.headings.len()).map(SectionIx::from);
    same.then(|| sections.map(|section| (section, section)).collect())
}

/// Matches sections first by title, then by the similarity of title and text between adjacent matches. The parts
/// before the first heading always match.
///
/// `likeness` compares the texts of two sections. It is used only if titles aren't enough.
pub(in crate::family) fn by_titles(
    a: &IndexVec<SectionIx, WordList>,
    b: &IndexVec<SectionIx, WordList>,
    likeness: impl Fn(SectionIx, SectionIx) -> Option<f64>,
) -> Vec<(SectionIx, SectionIx)> {
    // Titles, rather than the order of the platforms, break ties.
    if a.iter().map(WordList::key).gt(b.iter().map(WordList::key)) {
        flipped(in_their_order(b, a, |one, other| likeness(other, one)))
    } else {
        in_their_order(a, b, likeness)
    }
}

/// Minimum similarity of titles and texts about the same topic.
const LIKE: f64 = 0.45;
/// Minimum similarity of sections in a different order.
const LIKE_ELSEWHERE: f64 = 0.5;

fn in_their_order(
    a: &IndexVec<SectionIx, WordList>,
    b: &IndexVec<SectionIx, WordList>,
    likeness: impl Fn(SectionIx, SectionIx) -> Option<f64>,
) -> Vec<(SectionIx, SectionIx)> {
    let mut by_title: HashMap<&str, Vec<SectionIx>> = HashMap::default();
    for (at, title) in b.indexed().skip(1) {
        by_title.entry(title.key()).or_default().push(at);
    }
    let mut seen: HashMap<&str, usize> = HashMap::default();
    let mut pairs = vec![(SectionIx::TOP, SectionIx::TOP)];
    for (at, title) in a.indexed().skip(1) {
        let count = seen.entry(title.key()).or_default();
        pairs.extend(by_title.get(title.key()).and_then(|found| found.get(*count)).map(|&found| (at, found)));
        *count += 1;
    }
    let like = |one: SectionIx, other: SectionIx| -> Option<f64> {
        let title = a[one].similarity(&b[other]);
        Some(likeness(one, other).map_or(title, |text| f64::midpoint(title, text)))
    };
    let (free_a, free_b) = alone(&pairs, a.indices(), b.indices());
    // Only sections with the same number of preceding pairs are compared.
    let (firsts, seconds): (Vec<SectionIx>, Vec<SectionIx>) = pairs.iter().copied().unzip();
    let before = |free: &[SectionIx], paired: &[SectionIx]| -> HashMap<SectionIx, usize> {
        free.iter().map(|at| (*at, paired.iter().filter(|it| *it < at).count())).collect()
    };
    let (before_a, before_b) = (before(&free_a, &firsts), before(&free_b, &seconds));
    let found = in_order(free_a, free_b, |one, other| {
        let may_meet = before_a[&one] == before_b[&other];
        if may_meet { like(one, other).filter(|like| *like >= LIKE) } else { None }
    });
    pairs.extend(found);
    // Finally, similar sections at different positions.
    let (free_a, free_b) = alone(&pairs, a.indices(), b.indices());
    let moved =
        best_first(free_a, free_b, |one, other| like(one, other).filter(|like| *like >= LIKE_ELSEWHERE));
    pairs.extend(moved);
    pairs.sort_unstable();
    pairs
}

pub(super) fn titles_of_pairs(
    a: &Outline<'_>,
    b: &Outline<'_>,
    pairs: &[(SectionIx, SectionIx)],
) -> Pairing<SectionIx> {
    let (same, differing) =
        pairs.iter().partition(|&&(one, other)| a.sections[one].title.says_same(&b.sections[other].title));
    let (only_a, only_b) = alone(pairs, a.sections.indices(), b.sections.indices());
    Pairing { same, differing, only: [only_a, only_b] }
}

pub(super) fn images(
    a: &Outline<'_>,
    b: &Outline<'_>,
    sections: &[(SectionIx, SectionIx)],
) -> Pairing<SectionIx> {
    let (same, differing) = sections
        .iter()
        .partition(|&&(one, other)| a.sections[one].images.len() == b.sections[other].images.len());
    Pairing { same, differing, only: [Vec::new(), Vec::new()] }
}

pub(super) fn code(
    a: &Outline<'_>,
    b: &Outline<'_>,
    sections: &[(SectionIx, SectionIx)],
) -> Pairing<SectionIx> {
    let mut code = Pairing::default();
    for &(one, other) in sections {
        // A sample may have a heading of its own on one platform.
        match (a.samples(one).is_empty(), b.samples(other).is_empty()) {
            (false, true) if !b.may_have_code(other) => code.only[0].push(one),
            (true, false) if !a.may_have_code(one) => code.only[1].push(other),
            (true, true) => {}
            _ => code.same.push((one, other)),
        }
    }
    code
}
