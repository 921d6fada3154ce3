//! Pairs the sections of two sketches.

use super::sketch::{Sketch, SketchIx, SketchSection};
use crate::family::matching::{best_first, in_order};
use crate::family::words::ratio;
use base::hash::{HashMap, HashSet};
use base::sort::StableSort as _;

/// A section of each of two sketches that correspond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SketchPair {
    pub one: SketchIx,
    pub other: SketchIx,
}

/// Pairs an original with its translation: by equal sequences of heading levels, or else by code, names, and numbers, levels, and
/// lengths.
pub fn by_structure(original: &Sketch, translation: &Sketch) -> Vec<SketchPair> {
    if original.levels().eq(translation.levels()) {
        return original.sections.indices().map(|at| SketchPair { one: at, other: at }).collect();
    }
    let sizes = (original.size(), translation.size());
    // If nothing is missing, a section was only moved to another level.
    let is_of_level = original.sections.len() != translation.sections.len();
    let score = |one: SketchIx, other: SketchIx| {
        let (one, other) = (&original.sections[one], &translation.sections[other]);
        let (evidence, has_same_level) = (evidence(one, other), one.level == other.level);
        let size = likeness(ratio(one.size, sizes.0), ratio(other.size, sizes.1));
        let around = SIZE * size + 0.1;
        if is_of_level && !has_same_level && evidence < ON_ANOTHER_LEVEL {
            let is_near = one.level.abs_diff(other.level) == 1 && size >= LIKE;
            return is_near.then_some(around / 2.0);
        }
        Some(evidence + f64::from(u8::from(has_same_level)) + around)
    };
    let mut pairs = in_both(original, translation, score);
    pairs.extend(opposite(original, translation, &pairs));
    pairs.extend(moved(original, translation, &pairs, score));
    pairs.stable_sort_by_key(|pair| pair.one);
    pairs
}

/// Pairs an original with a translation of its earlier version `before`, if only these two have the same sections.
pub fn by_history(original: &Sketch, before: &Sketch, translation: &Sketch) -> Option<Vec<SketchPair>> {
    if original.levels().eq(translation.levels()) || !before.levels().eq(translation.levels()) {
        return None;
    }
    let pairs = by_words(before, original).into_iter();
    let mut pairs: Vec<SketchPair> =
        pairs.map(|pair| SketchPair { one: pair.other, other: pair.one }).collect();
    pairs.extend(opposite(original, translation, &pairs));
    pairs.stable_sort_by_key(|pair| pair.one);
    Some(pairs)
}

/// Minimum evidence for two sections on different levels, if one page has more sections.
const ON_ANOTHER_LEVEL: f64 = 2.0;

/// Minimum likeness of the lengths of two sections with nothing else in common, of which one is a level deeper.
const LIKE: f64 = 0.6;

/// The weight of equal lengths, in relation to equal levels. Sections of pages in two languages are of similar relative length.
const SIZE: f64 = 0.6;

/// Returns how much of two sections is the same in every language.
fn evidence(one: &SketchSection, other: &SketchSection) -> f64 {
    let points = [
        (one.id == other.id, 8.0),
        (!one.code.is_empty() && one.has_same_code(other), 4.0),
        (!one.images.is_empty() && one.images == other.images, 2.0),
        (!one.links.is_empty() && one.links == other.links, 1.0),
    ];
    let points: f64 = points.iter().filter(|(holds, _)| *holds).map(|(_, points)| points).sum();
    let titles = common(&one.title_words(), &other.title_words());
    points + 3.0 * titles + common(&one.neutral(), &other.neutral())
}

/// Returns the ratio of two numbers, from 0 to 1.
fn likeness(one: f64, other: f64) -> f64 {
    let most = one.max(other);
    if most > 0.0 { one.min(other) / most } else { 1.0 }
}

/// Pairs the remaining sections between two pairs if both pages have equally many there, on whatever levels.
fn opposite(original: &Sketch, translation: &Sketch, pairs: &[SketchPair]) -> Vec<SketchPair> {
    let ends = SketchPair { one: original.sections.len().into(), other: translation.sections.len().into() };
    let between = |(before, after): (&SketchPair, &SketchPair)| {
        let inside =
            |from: SketchIx, to: SketchIx| (usize::from(from) + 1..usize::from(to)).map(SketchIx::from);
        let (ours, theirs) = (inside(before.one, after.one), inside(before.other, after.other));
        let both = (ours.len() == theirs.len()).then(|| ours.zip(theirs));
        both.into_iter().flatten().map(|(one, other)| SketchPair { one, other })
    };
    pairs.iter().zip(pairs.iter().skip(1).chain([&ends])).flat_map(between).collect()
}

/// Pairs the remaining sections that have something in common, in any order.
fn moved(
    original: &Sketch,
    translation: &Sketch,
    pairs: &[SketchPair],
    score: impl Fn(SketchIx, SketchIx) -> Option<f64>,
) -> Vec<SketchPair> {
    let rest = |sketch: &Sketch, is_known: &dyn Fn(SketchIx) -> bool| -> Vec<SketchIx> {
        sketch.sections.indices().filter(|at| !is_known(*at)).collect()
    };
    let ours = rest(original, &|at| pairs.iter().any(|pair| pair.one == at));
    let theirs = rest(translation, &|at| pairs.iter().any(|pair| pair.other == at));
    let score = |one: SketchIx, other: SketchIx| {
        let has_evidence = evidence(&original.sections[one], &translation.sections[other]) > 0.0;
        score(one, other).filter(|_| has_evidence)
    };
    best_first(ours, theirs, score).into_iter().map(|(one, other)| SketchPair { one, other }).collect()
}

/// Pairs two versions of a text: by IDs, or else by common words.
pub fn by_words(before: &Sketch, now: &Sketch) -> Vec<SketchPair> {
    let ids = |sketch: &'_ Sketch| sketch.sections.iter().map(|it| it.id.clone()).collect::<HashSet<_>>();
    let (old, new) = (ids(before), ids(now));
    in_both(before, now, |one, other| {
        let (one, other) = (&before.sections[one], &now.sections[other]);
        if one.id == other.id {
            return Some(2.0 + share(one, other));
        }
        // Words are compared only if an id is gone and another is new: comparing them is slow.
        if new.contains(&one.id) || old.contains(&other.id) {
            return None;
        }
        let share = share(one, other);
        (share >= 0.5).then_some(share)
    })
}

/// Pairs sections in order, and the beginnings of both texts.
fn in_both(
    one: &Sketch,
    other: &Sketch,
    score: impl Fn(SketchIx, SketchIx) -> Option<f64>,
) -> Vec<SketchPair> {
    let top = SketchPair { one: 0.into(), other: 0.into() };
    let pairs = in_order(one.sections.indices().skip(1), other.sections.indices().skip(1), score);
    [top].into_iter().chain(pairs.into_iter().map(|(one, other)| SketchPair { one, other })).collect()
}

/// Returns the share of the words that two short lists have in common, from 0 to 1.
fn common(one: &[String], other: &[String]) -> f64 {
    let both = one.iter().filter(|word| other.contains(word)).count();
    if both == 0 {
        return 0.0;
    }
    ratio(2 * both.min(other.len()), one.len() + other.len())
}

/// Returns the share of common words in two sections, from 0 to 1.
fn share(one: &SketchSection, other: &SketchSection) -> f64 {
    let all = one.words.len() + other.words.len();
    if all == 0 {
        return 0.0;
    }
    let mut counts: HashMap<&str, usize> = HashMap::default();
    for word in &one.words {
        *counts.entry(word.bare()).or_default() += 1;
    }
    let mut take = |word: &str| match counts.get_mut(word) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    let common = other.words.iter().filter(|word| take(word.bare())).count();
    ratio(2 * common, all)
}

#[cfg(test)]
mod tests {
    use super::super::SketchReader;
    use super::*;
    use input::conventions::Repository;

    #[track_caller]
    fn check(pairs: impl Fn(&Sketch, &Sketch) -> Vec<SketchPair>, one: &str, other: &str, expected: &str) {
        let reader = SketchReader::new(&Repository::default());
        let (one, other) = (reader.read(one), reader.read(other));
        let shown = |pair: SketchPair| {
            format!("{}={}", one.sections[pair.one].title, other.sections[pair.other].title)
        };
        let pairs = pairs(&one, &other).into_iter().skip(1).map(shown);
        assert_eq!(pairs.collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn a_translation_is_paired_without_its_words() {
        check(by_structure, "# A\n## B\n### C\n", "# X\n## Y\n### Z\n", "A=X B=Y C=Z");
        check(by_structure, "# A\n## B\n## C {#c}\n## D\n", "# X\n## Z {#c}\n## V\n", "A=X C=Z D=V");
        let code = "# A\n## B\ntext\n## C\n\n```\nrun\n```\n";
        check(by_structure, code, "# X\n## Z\n\n```\nrun\n```\n", "A=X C=Z");
        // Numbers, code, and names are the same in every language.
        let modes = "# A\n## 1. Static\n## 2. Dynamic `get`\n## 3. Fetch\n";
        check(by_structure, modes, "# X\n## 3. Z\n", "A=X 3. Fetch=3. Z");
        check(by_structure, modes, "# X\n## `get` Y\n", "A=X 2. Dynamic get=get Y");
        check(by_structure, "# A\n## B\nUse 42.\n## C\nUse 7.\n", "# X\n## Z\n7\n", "A=X C=Z");
        check(by_structure, "# A\n## B\n### C\n", "# X\n## Y\n## Z\n", "A=X B=Y C=Z");
        // Symbols in titles, and lengths.
        check(by_structure, "# A\n## 🏛️ B\n## 🚀 C\n", "# X\n## 🚀 Y\n", "A=X 🚀 C=🚀 Y");
        let long = "# A\n\n## B\n\nOne two three four.\n\n## C\n\nOne.\n\n## D\n\nOne two three four.\n";
        check(by_structure, long, "# X\n\n## Y\n\nEins zwei.\n\n## Z\n\nEins zwei.\n", "A=X B=Y D=Z");
        // Another level, with the same code, or between two pairs.
        let code = "# A\n## B\n\n```\nrun\n```\n\n## C\n## D\n";
        check(by_structure, code, "# X\n### Y\n\n```\nrun\n```\n\n## Z\n", "A=X B=Y C=Z");
        let named = "# A\n## B `b`\n### C\n## D `d`\n## E\n";
        check(by_structure, named, "# X\n## Y `b`\n## Z\n## V `d`\n", "A=X B b=Y b C=Z D d=V d");
        // Sections in another order.
        check(by_structure, modes, "# X\n## 3. Z\n## 1. Y\n", "A=X 1. Static=1. Y 3. Fetch=3. Z");
    }

    #[test]
    fn two_states_are_paired_through_a_new_title() {
        let before = "# A\n## Start\nalpha beta gamma delta\n## End\nlast\n";
        let now = "# A\n## New\nother things\n## Begin\nalpha beta gamma delta epsilon\n## End\nlast words\n";
        check(by_words, before, now, "A=A Start=Begin End=End");
    }
}
