//! Removes findings about necessary differences, and merges content that only one platform has.
//!
//! In a family that was found by the names of its folders and files, authors write platform-specific text: packages,
//! files, ports, and additional passages. Nobody needs to act on these. Differences between one platform and most of
//! the others, and sentences that differ in a few words, stay.

use std::sync::Arc;

use serde_json::Value;

use super::findings::{MOST_PLACES, count, excerpt, list};
use super::rank::{RankKind, rank};
use crate::base::diagnostic::{Code, Diagnostic, Problem, RelatedSpan};
use crate::base::platforms::is_platform_name;
use crate::base::site_path::SitePath;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::site::content::{Family, Platform};
use crate::site::family::words::ratio;

/// Content that only one platform has is ranked after all differences of a family except missing steps.
const LAST: u32 = rank(RankKind::Step) - 1;

/// Minimum similarity of texts. Below it, each platform uses its own words.
const LIKE: f64 = 0.72;

/// The same if at least two platforms are equal and one differs.
const LIKE_THE_MOST: f64 = 0.6;

/// The same for the words around names if the names also differ, because each text then describes its own platform.
const LIKE_AROUND_NAMES: f64 = 0.85;

/// The same on a page that marks content for platforms, where texts are separate on purpose.
const LIKE_WITHIN: f64 = 0.85;

/// Maximum number of words of a label. Missing labels aren't missing content.
const LABEL: usize = 2;

/// Returns the findings of a family on which its authors would act.
pub(super) fn worth(family: &Family, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if !family.is_by_key {
        return found;
    }
    let is_noise = |it: &Diagnostic| {
        must_differ(family, &it.problem)
            || is_missed(family, &it.problem)
            || family.is_within_pages && is_marked(&it.problem)
    };
    extras_together(family, found.into_iter().filter(|it| !is_noise(it)).collect())
}

/// Whether a finding is about content that some platforms lack on a page that marks content for platforms, which is
/// intentional. A missing row of a table isn't.
fn is_marked(problem: &Problem) -> bool {
    problem.data.contains_key("platforms_without") && problem.code != Code::MissingSetting
        || problem.code == Code::ImageCount
}

/// Whether platforms need the content that they lack: it isn't about another platform of the family, and isn't a
/// label.
fn is_missed(family: &Family, problem: &Problem) -> bool {
    let is_of_texts = matches!(problem.code, Code::Wording | Code::MissingNote | Code::MissingSection);
    if !is_of_texts || !problem.data.contains_key("platforms_without") {
        return false;
    }
    let lacking = ids(problem.data.get("platforms_without"));
    let values = values(problem);
    let is_label = |text: &str| bare_words(text).count() <= LABEL;
    let is_of_another = |value: &PlatformValue<'_>| {
        family.platforms.iter().any(|platform| {
            let is_of_others = value.platforms.iter().any(|id| *id != platform.id);
            is_of_others && !lacking.contains(&platform.id.as_str()) && names(platform, value.text)
        })
    };
    problem.code == Code::Wording && values.iter().all(|value| is_label(value.text))
        || values.iter().any(is_of_another)
}

/// Whether a text mentions a platform outside the targets of its links.
fn names(platform: &Platform, text: &str) -> bool {
    let text = bare_words(text).collect::<Vec<_>>().join(" ");
    platform.is_named_in(&text)
}

/// Returns the words of a text without the targets of its links.
fn bare_words(text: &str) -> impl Iterator<Item = &str> {
    let mut is_target = false;
    text.split_whitespace().filter(move |word| {
        let is_of_link = std::mem::replace(&mut is_target, *word == "→");
        !is_of_link && !is_target
    })
}

/// Whether the texts of a finding differ only in names, or have too little in common.
fn must_differ(family: &Family, problem: &Problem) -> bool {
    let is_of_texts = matches!(problem.code, Code::Wording | Code::SettingDescription);
    if !is_of_texts || problem.data.contains_key("platforms_with") {
        return false;
    }
    let values = values(problem);
    let mut forms: SortedMap<Vec<String>, usize> = SortedMap::new();
    let mut names: SortedSet<Vec<String>> = SortedSet::new();
    for value in &values {
        let Named { mut words, names: its } = named(family, value.text);
        // The same words in another order have the same meaning.
        words.sort_unstable();
        names.insert(its);
        *forms.entry(words).or_default() += value.platforms.len();
    }
    let most = forms.values().copied().max().unwrap_or_default();
    let all: usize = forms.values().sum();
    let similarity = problem.data.get("similarity").and_then(Value::as_f64).unwrap_or(1.0);
    let (least, around) = if family.is_within_pages {
        // In this case, other names are enough of a reason.
        (LIKE_WITHIN, f64::INFINITY)
    } else {
        (if most > 1 { LIKE_THE_MOST } else { LIKE }, LIKE_AROUND_NAMES)
    };
    // If most versions have their own form, no form is the standard for the others.
    let has_no_form = forms.len() > 2 && 2 * most <= all;
    let are_of_own_names = || names.len() > 1 && most_alike(&forms) < around;
    forms.len() == 1 || similarity < least || has_no_form || are_of_own_names()
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
            platforms: ids(value.get("platforms")),
        })
    };
    values.filter_map(said).collect()
}

fn ids(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Returns the words of a text in lower case, without names: of platforms, files, packages, versions, products, and
/// targets of links.
pub(super) fn without_names(family: &Family, text: &str) -> Vec<String> {
    named(family, text).words
}

/// The words of a text in lower case, with the names among them separate.
struct Named {
    words: Vec<String>,
    names: Vec<String>,
}

fn named(family: &Family, text: &str) -> Named {
    let mut words: Vec<String> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut begins = true;
    let mut is_target = false;
    let begin = |small: bool| {
        text.split_whitespace()
            .filter(|word| word.chars().filter(|c| !c.is_alphabetic()).count() < 2)
            .filter(|word| word.starts_with(|c: char| c.is_alphabetic() && c.is_lowercase() == small))
            .count()
    };
    // In a title, every word is capitalized.
    let is_sentence = begin(true) >= begin(false);
    for word in text.split_whitespace() {
        if word == "→" {
            is_target = true;
            continue;
        }
        // A target is shown as one or two words.
        if std::mem::take(&mut is_target) || word.starts_with("http") {
            continue;
        }
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '@' | '#' | '<' | '/'));
        if is_platform(family, bare) {
            continue;
        }
        let is_quoted = word.len() > 2 && word.starts_with(['"', '“', '`']) && word.contains(['"', '”', '`']);
        let is_name = is_quoted || word.contains('`') || is_name(bare, begins || !is_sentence);
        begins = word.ends_with(['.', ':', '!', '?']);
        if is_name {
            // An article before a name is part of the name.
            while words.last().is_some_and(|last| matches!(last.as_str(), "a" | "an" | "the")) {
                words.pop();
            }
            names.push(bare.to_string());
        } else if !bare.is_empty() {
            words.push(bare.to_lowercase().replace(['’', '‘'], "'"));
        }
    }
    Named { words, names }
}

fn is_platform(family: &Family, word: &str) -> bool {
    let of_family = |part: &str| {
        family.platforms.iter().any(|platform| {
            let names = [&platform.name, &platform.id].into_iter().chain(&platform.words);
            names.into_iter().any(|name| name.eq_ignore_ascii_case(part))
        })
    };
    word.split('-').any(|part| of_family(part) || part.len() > 3 && is_platform_name(part))
}

fn is_name(word: &str, begins: bool) -> bool {
    let mut letters = word.chars();
    let is_capital = letters.next().is_some_and(char::is_uppercase);
    let has_capital = letters.any(char::is_uppercase);
    has_capital
        || is_capital && !begins
        || word.contains(|c: char| c.is_ascii_digit() || "/._@#:()=<>{}$|&+".contains(c))
}

/// Merges content on a page that only the same platforms have into one finding, and content that only one of several
/// platforms has across all pages.
fn extras_together(family: &Family, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let of_family = |finding: &Diagnostic| format!("{:?}", finding.problem.data.get("platforms_with"));
    let of_page = |finding: &Diagnostic| {
        format!("{} {:?} {}", finding.file, finding.problem.data.get("step"), of_family(finding))
    };
    // With two platforms, content that one lacks is content that only the other has. Each page with such a section or
    // note has its own finding.
    let is_substantial =
        |it: &&Diagnostic| matches!(it.problem.code, Code::MissingSection | Code::MissingNote);
    let extras = || found.iter().filter(|it| is_extra(&it.problem));
    let substantial: SortedSet<String> = extras().filter(is_substantial).map(&of_page).collect();
    let key = |finding: &Diagnostic| {
        let page = of_page(finding);
        let is_apart = family.platforms.len() == 2 && substantial.contains(&page);
        if is_apart { page } else { of_family(finding) }
    };
    let keys: Vec<Option<String>> = found.iter().map(|it| is_extra(&it.problem).then(|| key(it))).collect();
    let mut at: SortedMap<String, usize> = SortedMap::new();
    let mut together: Vec<Vec<Diagnostic>> = Vec::new();
    for (finding, key) in found.into_iter().zip(keys) {
        let known = key.map(|key| *at.entry(key).or_insert(together.len()));
        match known.and_then(|known| together.get_mut(known)) {
            Some(others) => others.push(finding),
            None => together.push(vec![finding]),
        }
    }
    together.into_iter().filter_map(|found| as_one(family, found)).collect()
}

fn length(problem: &Problem, name: &str) -> usize {
    problem.data.get(name).and_then(Value::as_array).map_or(0, Vec::len)
}

/// Whether at most as many platforms contain something as lack it.
fn is_extra(problem: &Problem) -> bool {
    let is_lacking =
        matches!(problem.code, Code::Wording | Code::MissingNote | Code::MissingSection | Code::MissingCode);
    let (with, without) = (length(problem, "platforms_with"), length(problem, "platforms_without"));
    is_lacking && without > 0 && with <= without
}

fn as_one(family: &Family, mut found: Vec<Diagnostic>) -> Option<Diagnostic> {
    if found.len() == 1 {
        let mut only = found.pop()?;
        if is_extra(&only.problem) {
            Arc::make_mut(&mut only.problem).data.insert("rank".into(), LAST.into());
        }
        return Some(only);
    }
    let of = |code: Code| found.iter().filter(|it| it.problem.code == code).count();
    let counts = [
        (of(Code::MissingSection), "section"),
        (of(Code::MissingNote), "note"),
        (of(Code::MissingCode), "code sample"),
        (of(Code::Wording), "text"),
    ];
    let mut without: SortedSet<String> = SortedSet::new();
    for finding in &found {
        let ids = finding.problem.data.get("platforms_without").and_then(Value::as_array);
        without.extend(ids.into_iter().flatten().filter_map(Value::as_str).map(str::to_string));
    }
    // A section is more important than a sentence of another.
    let order = [Code::MissingSection, Code::MissingNote, Code::MissingCode, Code::Wording];
    let code = order.into_iter().find(|code| of(*code) > 0)?;
    let names: Vec<String> = found.iter().filter_map(|it| it.problem.target.clone()).collect();
    let first = found.iter().find(|it| it.problem.code == code)?.clone();
    let mut problem = Arc::unwrap_or_clone(first.problem);
    let counts: Vec<String> =
        counts.iter().filter(|(number, _)| *number > 0).map(|(number, noun)| count(*number, noun)).collect();
    let with = ids(problem.data.get("platforms_with"));
    let platforms = family.platforms.iter().filter(|platform| with.contains(&platform.id.as_str()));
    let platforms: Vec<&str> = platforms.map(|platform| platform.name.as_str()).collect();
    let (have, their) = if platforms.len() > 1 { ("have", "their") } else { ("has", "its") };
    let examples: Vec<String> = names.iter().take(2).map(|name| format!("`{}`", excerpt(name))).collect();
    let pages: SortedSet<&SitePath> = found.iter().map(|it| &it.file).collect();
    let on = if pages.len() > 1 { format!(" on {} pages", pages.len()) } else { String::new() };
    problem.message = format!(
        "only {} {have} {} of {their} own{on}, such as {}",
        list(&platforms),
        list(&counts),
        list(&examples)
    );
    let others = pages.into_iter().filter(|page| **page != first.file).take(MOST_PLACES);
    let others: Vec<RelatedSpan> = others
        .map(|page| RelatedSpan { file: page.clone(), span: 0..0, label: "and here".to_string() })
        .collect();
    if !others.is_empty() {
        problem.related = others;
        problem.data.remove("step");
    }
    problem.data.remove("values");
    problem.data.remove("changes");
    problem.data.remove("similarity");
    problem.data.insert("platforms_without".into(), without.into_iter().collect::<Vec<_>>().into());
    problem.data.insert("texts".into(), names.into());
    problem.data.insert("rank".into(), LAST.into());
    Some(problem.at(&first.file))
}
