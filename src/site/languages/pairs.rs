//! Pairs the sections of two sketches.

use super::sketch::{Sketch, SketchIx, SketchSection};
use crate::base::hash::{HashMap, HashSet};
use crate::base::sort::StableSort as _;
use crate::site::family::matching::{best_first, in_order};
use crate::site::family::words::ratio;

/// A section of each of two sketches that correspond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SketchPair {
    pub(crate) one: SketchIx,
    pub(crate) other: SketchIx,
}

/// Pairs an original with its translation: by equal sequences of heading levels, or else by levels, IDs, code, and
/// images.
pub(crate) fn by_structure(original: &Sketch, translation: &Sketch) -> Vec<SketchPair> {
    let levels = |sketch: &Sketch| sketch.sections.iter().map(|section| section.level).collect::<Vec<_>>();
    if levels(original) == levels(translation) {
        return original.sections.indices().map(|at| SketchPair { one: at, other: at }).collect();
    }
    let is_of_level = original.sections.len() != translation.sections.len();
    let score = |one: &SketchSection, other: &SketchSection| {
        let (is_named, has_same_level) = (one.id == other.id, one.level == other.level);
        // If nothing is missing, a section was only moved to another level.
        if is_of_level && !has_same_level && !is_named {
            return None;
        }
        let has_same_code = !one.code.is_empty() && one.has_same_code(other);
        let has_same_images = !one.images.is_empty() && one.images == other.images;
        let points = [
            (is_named, 8.0),
            (has_same_code, 4.0),
            (has_same_images, 2.0),
            (has_same_level, 1.0),
            (true, 0.1),
        ];
        let points: f64 = points.iter().filter(|(holds, _)| *holds).map(|(_, points)| points).sum();
        let titles = common(&one.title_words(), &other.title_words());
        Some(points + 3.0 * titles + common(&one.neutral(), &other.neutral()))
    };
    let mut pairs = paired(original, translation, score);
    pairs.extend(moved(original, translation, &pairs, score));
    pairs.stable_sort_by_key(|pair| pair.one);
    pairs
}

/// Pairs the remaining sections that have more in common than their levels, in any order.
fn moved(
    original: &Sketch,
    translation: &Sketch,
    pairs: &[SketchPair],
    score: impl Fn(&SketchSection, &SketchSection) -> Option<f64>,
) -> Vec<SketchPair> {
    const BY_LEVEL: f64 = 1.1;
    let rest = |sketch: &Sketch, is_known: &dyn Fn(SketchIx) -> bool| -> Vec<SketchIx> {
        sketch.sections.indices().filter(|at| !is_known(*at)).collect()
    };
    let ours = rest(original, &|at| pairs.iter().any(|pair| pair.one == at));
    let theirs = rest(translation, &|at| pairs.iter().any(|pair| pair.other == at));
    let score = |one: SketchIx, other: SketchIx| {
        score(&original.sections[one], &translation.sections[other]).filter(|score| *score > BY_LEVEL)
    };
    best_first(ours, theirs, score).into_iter().map(|(one, other)| SketchPair { one, other }).collect()
}

/// Pairs two versions of a text: by IDs, or else by common words.
pub(crate) fn by_words(before: &Sketch, now: &Sketch) -> Vec<SketchPair> {
    let ids = |sketch: &'_ Sketch| sketch.sections.iter().map(|it| it.id.clone()).collect::<HashSet<_>>();
    let (old, new) = (ids(before), ids(now));
    paired(before, now, |one, other| {
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

fn paired(
    one: &Sketch,
    other: &Sketch,
    score: impl Fn(&SketchSection, &SketchSection) -> Option<f64>,
) -> Vec<SketchPair> {
    let top = SketchPair { one: 0.into(), other: 0.into() };
    let score = |a: SketchIx, b: SketchIx| score(&one.sections[a], &other.sections[b]);
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
    use crate::input::conventions::Repository;

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
