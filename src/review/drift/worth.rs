//! Removes findings about necessary differences.
//!
//! In a family that was found by the names of its folders and files, authors write platform-specific text: packages,
//! files, ports, and additional passages. Nobody needs to act on these. Differences between one platform and most of
//! the others, and sentences that differ in a few words, stay.

use std::sync::Arc;

use serde_json::Value;

use super::names::{TextToken, differ_in_meaning, differ_in_words, is_code, names, tokens, words};
use super::topics::Topics;
use super::{terms, together};
use crate::base::diagnostic::{Code, Diagnostic, Problem, texts_in};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::site::content::{Family, Platform};
use crate::site::family::words::ratio;

/// Minimum similarity of texts. Below it, each platform uses its own words.
const LIKE: f64 = 0.85;

/// The same if at least two platforms are equal and one differs, or if a number or a negation differs.
const LIKE_THE_MOST: f64 = 0.7;

/// The same for the words around names if the names also differ, because each text then describes its own platform.
const LIKE_AROUND_NAMES: f64 = 0.85;

/// The same on a page that marks content for platforms, where texts are separate on purpose.
const LIKE_WITHIN: f64 = 0.85;

/// Ranks of texts that differ in a few words.
const FEW_WORDS: std::ops::Range<u64> = 500..700;

/// The distance by which texts are put back if no two are the same.
const BACK: usize = 200;

/// The distance by which sentences that differ in plain words are put back.
const PLAIN: usize = super::rank::rank(super::rank::RankKind::Section) as usize;

/// Twice the distance by which texts on which half of the platforms agree are put back.
const AGREED: usize = 200;

/// Maximum number of words of a label. Missing labels aren't missing content.
const LABEL: usize = 2;

/// Returns the findings of a family on which its authors would act.
pub(super) fn worth(family: &Family, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if !family.is_by_key {
        return found.into_iter().map(|finding| with_style_last(family, finding)).collect();
    }
    let topics = Topics::of(family, &found);
    let is_noise = |it: &Diagnostic| {
        must_differ(family, &topics, &it.problem)
            || topics.explain_missing(family, &it.problem)
            || is_not_missed(family, &it.problem)
            || is_style(family, &it.problem)
            || is_image_of_few(&it.problem)
            || family.is_within_pages && is_marked(&it.problem)
    };
    let found = terms::join(family, found.into_iter().filter(|it| !is_noise(it)).collect());
    together::join(family, found).into_iter().map(|it| in_order(family, it)).collect()
}

/// Puts texts that differ only in names, endings and fillers behind those with other words.
fn with_style_last(family: &Family, mut finding: Diagnostic) -> Diagnostic {
    let rank = rank_in(&finding.problem);
    let is_of_texts = !finding.problem.data.contains_key("platforms_with");
    let texts: Vec<Vec<TextToken>> =
        values(&finding.problem).iter().map(|value| tokens(family, value.text)).collect();
    if let Some((first, others)) = texts.split_first()
        && is_of_texts
        && FEW_WORDS.contains(&rank)
        && others.iter().all(|text| !differ_in_meaning(first, text, true, |_| false))
    {
        put_back(&mut finding, BACK);
    }
    finding
}

fn rank_in(problem: &Problem) -> u64 {
    problem.data.get("rank").and_then(Value::as_u64).unwrap_or_default()
}

fn put_back(finding: &mut Diagnostic, by: usize) {
    let rank = rank_in(&finding.problem);
    let rank = rank.saturating_add(u64::try_from(by).unwrap_or(u64::MAX));
    Arc::make_mut(&mut finding.problem).data.insert("rank".into(), rank.into());
}

/// Sorts texts with a few other words by how many platforms agree. If no two do, neither text is known to be outdated.
/// Sentences that differ in plain words come after everything that platforms lack: most authors chose them freely.
fn in_order(family: &Family, mut finding: Diagnostic) -> Diagnostic {
    let rank = rank_in(&finding.problem);
    let texts: Vec<Vec<TextToken>> =
        values(&finding.problem).iter().map(|value| tokens(family, value.text)).collect();
    let is_sentence = finding.problem.code == Code::Wording && !finding.problem.data.contains_key("heading");
    if FEW_WORDS.contains(&rank)
        && is_sentence
        && texts
            .split_first()
            .is_some_and(|(first, others)| others.iter().all(|it| differ_in_words(first, it)))
    {
        put_back(&mut finding, PLAIN);
    }
    let counts: Vec<usize> = values(&finding.problem).iter().map(|value| value.platforms.len()).collect();
    let (most, all) = (counts.iter().copied().max().unwrap_or_default(), counts.iter().sum::<usize>());
    if FEW_WORDS.contains(&rank) && most > 0 {
        let back = if most == 1 { BACK } else { AGREED * (all - most) / all };
        put_back(&mut finding, back);
    }
    finding
}

/// Whether a finding is about content that some platforms lack on a page that marks content for platforms, which is
/// intentional. A missing row of a table isn't.
fn is_marked(problem: &Problem) -> bool {
    problem.data.contains_key("platforms_without") && problem.code != Code::MissingSetting
        || problem.code == Code::ImageCount
}

/// Whether an image is additional on a few platforms. A screenshot that most platforms have is missed on the others.
fn is_image_of_few(problem: &Problem) -> bool {
    if problem.code != Code::ImageCount {
        return false;
    }
    let values = problem.data.get("values").and_then(Value::as_array).into_iter().flatten();
    let counts =
        values.map(|value| (texts_in(value.get("platforms")).len(), value["value"].as_u64().unwrap_or(0)));
    let counts: Vec<(usize, u64)> = counts.collect();
    let all: usize = counts.iter().map(|(platforms, _)| platforms).sum();
    let most = counts.iter().max().copied().unwrap_or_default();
    2 * most.0 <= all || counts.iter().any(|(_, images)| *images > most.1)
}

/// Whether platforms don't need the content that they lack: it is about other platforms, each platform with it
/// describes its own, or it is a label or a function.
fn is_not_missed(family: &Family, problem: &Problem) -> bool {
    let is_of_texts = matches!(problem.code, Code::Wording | Code::MissingNote | Code::MissingSection);
    if !is_of_texts || !problem.data.contains_key("platforms_without") {
        return false;
    }
    let lacking = texts_in(problem.data.get("platforms_without"));
    let values = values(problem);
    let tokens: Vec<Vec<TextToken>> = values.iter().map(|value| tokens(family, value.text)).collect();
    let is_label = |text: &Vec<TextToken>| words(text).len() <= LABEL;
    let is_of_another = |value: &PlatformValue<'_>| {
        family.platforms.iter().any(|platform| {
            let is_of_others = value.platforms.iter().any(|id| *id != platform.id);
            is_of_others && !lacking.contains(&platform.id.as_str()) && is_named_in(platform, value.text)
        })
    };
    let own_names: SortedSet<Vec<String>> = tokens.iter().map(|text| names(text)).collect();
    let is_section = problem.code == Code::MissingSection;
    let is_own_title = |value: &PlatformValue<'_>| is_code(value.text);
    let is_needless = if is_section {
        let names_platform = |title: &Vec<TextToken>| title.contains(&TextToken::Platform);
        values.iter().any(is_own_title) || tokens.iter().all(names_platform)
    } else {
        tokens.iter().all(is_label)
    };
    is_needless || own_names.len() > 1 || values.iter().any(is_of_another)
}

/// Whether a text mentions a platform outside the targets of its links.
fn is_named_in(platform: &Platform, text: &str) -> bool {
    platform.is_named_in(&without_targets(text))
}

/// Returns a text without the targets of its links.
fn without_targets(text: &str) -> String {
    let mut is_target = false;
    let words = text.split_whitespace().filter(move |word| {
        let is_of_link = std::mem::replace(&mut is_target, *word == "→");
        !is_of_link && !is_target
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether the texts of a finding differ only in names, or have too little in common.
fn must_differ(family: &Family, topics: &Topics, problem: &Problem) -> bool {
    let is_of_texts = matches!(problem.code, Code::Wording | Code::SettingDescription);
    if !is_of_texts || problem.data.contains_key("platforms_with") {
        return false;
    }
    let values = values(problem);
    let mut forms: SortedMap<Vec<String>, usize> = SortedMap::new();
    let mut all_names: SortedSet<Vec<String>> = SortedSet::new();
    let texts: Vec<Vec<TextToken>> = values.iter().map(|value| tokens(family, value.text)).collect();
    for (value, text) in values.iter().zip(&texts) {
        let mut words = words(text);
        // The same words in another order have the same meaning.
        words.sort_unstable();
        all_names.insert(names(text));
        *forms.entry(words).or_default() += value.platforms.len();
    }
    let first = texts.first();
    let most = forms.values().copied().max().unwrap_or_default();
    let all: usize = forms.values().sum();
    // A number or a negation that differs is no other word for the same. Versions in a page were copied from each other, so
    // a word that differs was changed on purpose, or forgotten.
    let rank = problem.data.get("rank").and_then(Value::as_u64);
    let is_known = most > 1 || family.is_within_pages || rank.is_some_and(|rank| rank < FEW_WORDS.start);
    let says_same = |(value, text): (&PlatformValue<'_>, &Vec<TextToken>)| {
        let platforms = [&values[0].platforms[..], &value.platforms[..]];
        let is_explained = |sides: [&[TextToken]; 2]| topics.explain(sides, platforms);
        first.is_some_and(|first| !differ_in_meaning(first, text, is_known, is_explained))
    };
    // Authors give sections their own titles.
    let is_own_title = most == 1 && problem.data.contains_key("heading");
    let similarity = problem.data.get("similarity").and_then(Value::as_f64).unwrap_or(1.0);
    let (least, around) = if family.is_within_pages {
        // In this case, other names are enough of a reason.
        (LIKE_WITHIN, f64::INFINITY)
    } else {
        (if is_known { LIKE_THE_MOST } else { LIKE }, LIKE_AROUND_NAMES)
    };
    // If most versions have their own form, no form is the standard for the others.
    let has_no_form = forms.len() > 2 && 2 * most <= all;
    let are_of_own_names = || all_names.len() > 1 && most_alike(&forms) < around;
    forms.len() == 1
        || similarity < least
        || has_no_form
        || is_own_title
        || are_of_own_names()
        || values.iter().zip(&texts).skip(1).all(says_same)
}

/// Whether a sentence differs only in plain words, and not on one of several platforms. Authors chose these words freely, or one group of
/// platforms does something else. If a single platform differs, a correction may have missed it.
fn is_style(family: &Family, problem: &Problem) -> bool {
    /// Minimum number of platforms that agree, and the same if only a few words differ.
    const MANY: usize = 3;
    const MANY_FOR_FEW_WORDS: usize = 2;
    let rank = rank_in(problem);
    let is_sentence = problem.code == Code::Wording
        && !problem.data.contains_key("heading")
        && !problem.data.contains_key("platforms_with");
    if family.is_within_pages || !is_sentence || rank < FEW_WORDS.start {
        return false;
    }
    // The targets of links often differ, and the text around them may be outdated.
    let values = values(problem);
    let texts: Vec<Vec<TextToken>> =
        values.iter().map(|value| tokens(family, &without_targets(value.text))).collect();
    let mut counts: SortedMap<Vec<String>, usize> = SortedMap::new();
    for (value, text) in values.iter().zip(&texts) {
        *counts.entry(words(text)).or_default() += value.platforms.len();
    }
    let most = counts.values().copied().max().unwrap_or_default();
    let all = counts.values().sum::<usize>();
    let many = if FEW_WORDS.contains(&rank) { MANY_FOR_FEW_WORDS } else { MANY };
    let is_forgotten = counts.len() == 1 || most >= many && all == most + 1;
    let are_plain = |(first, others): (&Vec<TextToken>, &[Vec<TextToken>])| {
        others.iter().all(|it| differ_in_words(first, it))
    };
    !is_forgotten && texts.split_first().is_some_and(are_plain)
}

/// Returns the similarity of the two most similar forms, from 0 to 1.
fn most_alike(forms: &SortedMap<Vec<String>, usize>) -> f64 {
    let sets: Vec<SortedSet<&String>> = forms.keys().map(|words| words.iter().collect()).collect();
    let pairs =
        sets.iter().enumerate().flat_map(|(at, one)| sets[..at].iter().map(move |other| (one, other)));
    let alike = pairs.map(|(one, other)| ratio(2 * one.intersection(other).count(), one.len() + other.len()));
    alike.fold(0.0, f64::max)
}

/// A text of a finding, and the IDs of the platforms that contain it.
struct PlatformValue<'a> {
    text: &'a str,
    platforms: Vec<&'a str>,
}

/// Returns the texts of a finding.
fn values(problem: &Problem) -> Vec<PlatformValue<'_>> {
    let values = problem.data.get("values").and_then(Value::as_array).into_iter().flatten();
    let said = |value| {
        Some(PlatformValue {
            text: Value::as_str(Value::get(value, "value")?)?,
            platforms: texts_in(value.get("platforms")),
        })
    };
    values.filter_map(said).collect()
}
