//! Removes findings about necessary differences.
//!
//! In a family that was found by the names of its folders and files, authors write platform-specific text: packages,
//! files, ports, and additional passages. Nobody needs to act on these. Differences between one platform and most of
//! the others, and sentences that differ in a few words, stay.

use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::findings::{ABSENT, PRESENT};
use super::missing::MAY_BE_THE_SAME;
use super::names::{
    TextToken, are_same_literal, differ_in_additions, differ_in_meaning, differ_in_words, have_own_names,
    is_code, lacks_sentence, names, stem, tokens, words, words_beside_targets,
};
use super::rules::{FORGOTTEN, LINE};
use super::topics::Topics;
use super::{terms, together};
use base::diagnostic::{Code, Diagnostic, Problem, texts_in};
use base::platforms::{Surroundings, runs_on};
use base::site_path::SitePath;
use base::sorted::{SortedMap, SortedSet};
use site::content::{Family, Platform, bare_title};
use site::family::words::ratio;

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

/// The distance by which texts that differ only in names, endings and fillers are put back.
const BACK: u64 = 200;

/// Maximum number of words of a label. Missing labels aren't missing content.
const LABEL: usize = 2;

/// Ranks of texts on which authors act most: a page names another platform, its title or status differs, and several platforms have
/// words of their own.
const NAMES_ANOTHER: u64 = 0;
const OTHER_TITLE: u64 = 1;
const SEVERAL_WAYS: u64 = 2;

/// Minimum number of ways in which platforms say the same.
const WAYS: usize = 3;

/// Ranks of what platforms lack: a complete step, and what several of them lack. One platform alone often doesn't need it, or has it
/// under another heading.
const MISSING_STEP: u64 = 700;
const MISSING_ON_SEVERAL: u64 = 710;

/// Ranks of what may be no difference for readers. Authors act on half of the first kind, and on fewer of each of the next.
const DOUBTFUL: u64 = super::rank::rank(super::rank::RankKind::Doubtful) as u64;
const MISSING_TEXTS: u64 = DOUBTFUL;
const OTHER_WORDS: u64 = DOUBTFUL + 1;
const MISSING_SECTION: u64 = DOUBTFUL + 2;
const MISSING_PART: u64 = DOUBTFUL + 3;
const ELSEWHERE: u64 = DOUBTFUL + 4;
const OTHER_KIND: u64 = DOUBTFUL + 5;
const MISSING_TEXT: u64 = DOUBTFUL + 6;
const MISSING_SAMPLE: u64 = DOUBTFUL + 7;
const OF_TWO: u64 = 100;

/// Whether a finding may be no difference for readers, so that people see others first.
pub fn is_doubtful(finding: &Diagnostic) -> bool {
    finding.problem.data.contains_key("family") && rank_in(&finding.problem) >= DOUBTFUL
}

/// The [`content_words`] of a page, of each of its texts and the heading above it, of each of its headings, and of its comments.
pub(super) struct PageWords {
    pub(super) all: SortedSet<String>,
    pub(super) texts: Vec<(SortedSet<String>, SortedSet<String>)>,
    pub(super) headings: Vec<SortedSet<String>>,
    pub(super) comments: SortedSet<String>,
}

/// Returns the findings of a family on which its authors would act. `words_on` returns the words of a page.
pub(super) fn worth(
    family: &Family,
    found: Vec<Diagnostic>,
    words_on: &dyn Fn(&SitePath) -> Rc<PageWords>,
) -> Vec<Diagnostic> {
    if !family.is_by_key {
        return found.into_iter().map(|finding| with_style_last(family, finding)).collect();
    }
    let topics = Topics::of(family, &found);
    let is_noise = |it: &Diagnostic| {
        must_differ(family, &topics, &it.problem)
            || topics.explain_missing(family, &it.problem)
            || is_not_missed(family, &it.problem)
            || is_style(family, &it.problem)
            || is_free_heading(&it.problem)
            || is_image_of_few(&it.problem)
            || is_count(family, &it.problem)
            || is_contents(&it.problem)
            || is_of_language(&it.problem)
            || family.is_within_pages && is_marked(&it.problem)
    };
    let is_commented_out = |it: &Diagnostic| {
        it.problem.data.contains_key("platforms_without") && is_among(it, &words_on(&it.file).comments)
    };
    let is_copied = |it: &Diagnostic| {
        it.problem.code == Code::Wording
            && !it.problem.data.contains_key("platforms_without")
            && names_another(family, &values(&it.problem))
    };
    let is_noise = |it: &Diagnostic| {
        let is_noise = is_noise(it)
            || is_commented_out(it)
            || is_worded_otherwise(it, words_on)
            || is_divided_otherwise(it, words_on);
        is_noise && !is_copied(it)
    };
    let found = terms::join(family, found.into_iter().filter(|it| !is_noise(it)).collect());
    let ranked = |mut finding: Diagnostic| {
        if together::is_about_own_content(&finding) {
            return finding;
        }
        let rank = rank_of_text(family, &finding.problem).or_else(|| rank_of_missing(&finding, words_on));
        let Some(mut rank) = rank else { return finding };
        // Authors compare the tabs of a page when they write them.
        if family.is_within_pages && (SEVERAL_WAYS..DOUBTFUL).contains(&rank) {
            rank += DOUBTFUL;
        }
        // With two platforms, no majority shows which of them is right.
        if family.platforms.len() == 2 && rank >= DOUBTFUL {
            rank += OF_TWO;
        }
        Arc::make_mut(&mut finding.problem).data.insert("rank".into(), rank.into());
        finding
    };
    // A section that the page may have under another heading says nothing about the others.
    let is_elsewhere =
        |it: &Diagnostic| it.problem.code == Code::MissingSection && has_headings(it, words_on);
    together::join(family, found, is_elsewhere).into_iter().map(ranked).collect()
}

/// Returns the rank of texts that differ between platforms.
fn rank_of_text(family: &Family, problem: &Problem) -> Option<u64> {
    if problem.code != Code::Wording || problem.data.contains_key("platforms_without") {
        return None;
    }
    let values = values(problem);
    let heading = problem.data.get("heading_of").and_then(Value::as_str);
    Some(match heading {
        _ if names_another(family, &values) => NAMES_ANOTHER,
        Some("page") if !differ_in_style(family, &values) => OTHER_TITLE,
        Some("section") if differs_in_status(problem) => OTHER_TITLE,
        None if values.len() >= WAYS || problem.data.contains_key(FORGOTTEN) => SEVERAL_WAYS,
        _ => OTHER_WORDS,
    })
}

/// Whether platforms name themselves at a place where one names another instead, on which it doesn't run. Versions in a page
/// also refer to each other.
fn names_another(family: &Family, values: &[PlatformValue<'_>]) -> bool {
    if family.is_within_pages {
        return false;
    }
    let named = |value: &PlatformValue<'_>, is_wanted: &dyn Fn(&str) -> bool| {
        let mut wanted = family.platforms.iter().filter(|platform| is_wanted(&platform.id));
        wanted.any(|platform| is_named_in(platform, value.text))
    };
    let names_own = |value: &PlatformValue<'_>| named(value, &|id| value.platforms.contains(&id));
    let names_other = |value: &PlatformValue<'_>| {
        named(value, &|id| value.platforms.iter().all(|own| *own != id && !runs_on(own, id)))
    };
    let words_of = |value: &PlatformValue<'_>| -> SortedSet<String> {
        words(&tokens(family, value.text)).into_iter().collect()
    };
    let are_alike = |one: &PlatformValue<'_>, other: &PlatformValue<'_>| {
        let (one, other) = (words_of(one), words_of(other));
        ratio(2 * one.intersection(&other).count(), one.len() + other.len()) >= LIKE_THE_MOST
    };
    let copied = values.iter().filter(|value| !names_own(value) && names_other(value));
    let mut pairs =
        copied.flat_map(|one| values.iter().filter(|it| names_own(it)).map(move |other| (one, other)));
    pairs.any(|(one, other)| are_alike(one, other))
}

/// Returns the rank of what platforms lack.
fn rank_of_missing(finding: &Diagnostic, words_on: &dyn Fn(&SitePath) -> Rc<PageWords>) -> Option<u64> {
    let problem = &finding.problem;
    let data = &problem.data;
    let is_renamed = problem.related.iter().any(|it| it.label == MAY_BE_THE_SAME);
    let is_several = |name: &str| texts_in(data.get(name)).len() > 1;
    Some(match problem.code {
        Code::MissingStep if data.contains_key("step") && !is_renamed => MISSING_STEP,
        Code::MissingStep => ELSEWHERE,
        Code::MissingSection if has_headings(finding, words_on) => ELSEWHERE,
        Code::MissingSection | Code::MissingNote | Code::MissingCode | Code::Wording
            if lacks_as_another_kind(problem) =>
        {
            OTHER_KIND
        }
        Code::MissingSection if is_several("platforms_without") => MISSING_ON_SEVERAL,
        Code::MissingSection => MISSING_SECTION,
        Code::MissingNote | Code::Wording if is_said(finding, words_on) => ELSEWHERE,
        Code::MissingNote => MISSING_PART,
        Code::MissingCode if data.contains_key(LINE) => return None,
        Code::MissingCode | Code::ImageCount => MISSING_SAMPLE,
        Code::Wording if is_several("texts") => MISSING_TEXTS,
        Code::Wording => MISSING_TEXT,
        _ => return None,
    })
}

/// Returns the words of a text that aren't on every page, in lower case and without endings.
pub(super) fn content_words(text: &str) -> SortedSet<String> {
    const SHORTEST: usize = 4;
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() >= SHORTEST);
    words.map(|word| stem(&word.to_lowercase()).to_string()).collect()
}

/// Whether the page has headings with most words of each section that it lacks.
fn has_headings(finding: &Diagnostic, words_on: &dyn Fn(&SitePath) -> Rc<PageWords>) -> bool {
    let titles: Vec<SortedSet<String>> =
        values(&finding.problem).iter().map(|value| content_words(&bare_title(value.text))).collect();
    let page = words_on(&finding.file);
    let is_in = |title: &SortedSet<String>| page.headings.iter().any(|heading| contains_most(heading, title));
    !titles.is_empty() && titles.iter().all(|title| !title.is_empty() && is_in(title))
}

/// Whether the only platform without something runs somewhere else than all platforms with it, as a web page next to apps.
fn lacks_as_another_kind(problem: &Problem) -> bool {
    let (with, without) =
        (texts_in(problem.data.get("platforms_with")), texts_in(problem.data.get("platforms_without")));
    let [lacking] = without[..] else { return false };
    let place = Surroundings::of(lacking);
    !with.is_empty() && with.iter().all(|id| Surroundings::of(id) != place)
}

/// Whether all texts that platforms lack are among some words.
fn is_among(finding: &Diagnostic, words: &SortedSet<String>) -> bool {
    let values = values(&finding.problem);
    let is_in = |value: &PlatformValue<'_>| {
        let content = content_words(value.text);
        !content.is_empty() && content.iter().all(|word| words.contains(word))
    };
    !words.is_empty() && !values.is_empty() && values.iter().all(is_in)
}

/// Whether each page that lacks a sentence has one with most of its words below the same heading.
fn is_worded_otherwise(finding: &Diagnostic, words_on: &dyn Fn(&SitePath) -> Rc<PageWords>) -> bool {
    const FEWEST: usize = 4;
    let is_sentence = finding.problem.code == Code::Wording
        && finding.problem.data.contains_key("platforms_without")
        && texts_in(finding.problem.data.get("texts")).len() < 2;
    if !is_sentence {
        return false;
    }
    let values = values(&finding.problem);
    let wanted: Vec<SortedSet<String>> = values.iter().map(|value| content_words(value.text)).collect();
    let heading = finding.problem.data.get("heading").and_then(Value::as_str).unwrap_or_default();
    let heading = content_words(heading);
    let has = |page: &Rc<PageWords>| {
        let is_in = |words: &SortedSet<String>| {
            let mut texts = page.texts.iter().filter(|(_, above)| !above.is_empty() && *above == heading);
            words.len() >= FEWEST && texts.any(|(text, _)| 4 * shared_words(text, words) >= 3 * words.len())
        };
        wanted.iter().any(is_in)
    };
    let pages = pages_without(finding);
    !pages.is_empty() && pages.into_iter().map(words_on).all(|page| has(&page))
}

/// Whether a text lacks only words that another text of its page has.
fn is_divided_otherwise(finding: &Diagnostic, words_on: &dyn Fn(&SitePath) -> Rc<PageWords>) -> bool {
    const FEWEST: usize = 2;
    let data = &finding.problem.data;
    let values = values(&finding.problem);
    let [most, own] = &values[..] else { return false };
    if finding.problem.code != Code::Wording || data.contains_key("platforms_without") {
        return false;
    }
    let (most, own) = (content_words(most.text), content_words(own.text));
    let lacking: Vec<&String> = most.iter().filter(|word| !own.contains(*word)).collect();
    let page = words_on(&finding.file);
    lacking.len() >= FEWEST
        && own.iter().all(|word| most.contains(word))
        && page.texts.iter().any(|(text, _)| lacking.iter().all(|word| text.contains(*word)))
}

/// Whether at least six of ten words are among others.
fn contains_most(all: &SortedSet<String>, words: &SortedSet<String>) -> bool {
    10 * shared_words(all, words) >= 6 * words.len()
}

/// Returns how many words are among others, in any form.
fn shared_words(all: &SortedSet<String>, words: &SortedSet<String>) -> usize {
    const SHORTEST: usize = 5;
    let is_form = |one: &str, other: &str| one.len() >= SHORTEST && other.starts_with(one);
    let has = |word: &&String| {
        all.contains(*word) || all.iter().any(|other| is_form(word, other) || is_form(other, word))
    };
    words.iter().filter(has).count()
}

/// Whether the page contains most words of the texts that it lacks, or the first cell of a row, so that it says the same in another
/// way.
fn is_said(finding: &Diagnostic, words_on: &dyn Fn(&SitePath) -> Rc<PageWords>) -> bool {
    /// Minimum number of different words, because few words are on a page by chance, and the same for one of its texts.
    const FEWEST: usize = 5;
    const FEWEST_IN_TEXT: usize = 3;
    let pages: Vec<Rc<PageWords>> = pages_without(finding).into_iter().map(words_on).collect();
    let is_on = |page: &PageWords, value: &PlatformValue<'_>| {
        let cell = value.text.split_once(" | ").map(|(cell, _)| content_words(cell));
        let has_row =
            cell.is_some_and(|cell| !cell.is_empty() && cell.iter().all(|word| page.all.contains(word)));
        let words = content_words(value.text);
        has_row
            || words.len() >= FEWEST && contains_most(&page.all, &words)
            || words.len() >= FEWEST_IN_TEXT && page.texts.iter().any(|(text, _)| contains_most(text, &words))
    };
    let values = values(&finding.problem);
    let is_on_page = |page: &Rc<PageWords>| values.iter().all(|value| is_on(page, value));
    !values.is_empty() && !pages.is_empty() && pages.iter().all(is_on_page)
}

/// Returns the pages that lack the content of a finding. It is on the first of these if most platforms have the content.
fn pages_without(finding: &Diagnostic) -> Vec<&SitePath> {
    let related = &finding.problem.related;
    let first = related.iter().any(|it| it.label == PRESENT).then_some(&finding.file);
    let others = related.iter().filter(|it| it.label == ABSENT).map(|it| &it.file);
    first.into_iter().chain(others).collect()
}

/// Whether only some platforms call something experimental or outdated.
fn differs_in_status(problem: &Problem) -> bool {
    const WORDS: [&str; 6] = ["alpha", "beta", "deprecated", "experimental", "legacy", "preview"];
    let says = |text: &str| {
        text.split(|c: char| !c.is_alphabetic()).any(|word| WORDS.contains(&word.to_lowercase().as_str()))
    };
    let values = values(problem);
    let count = values.iter().filter(|value| says(value.text)).count();
    count > 0 && count < values.len()
}

/// Puts texts that differ only in names, endings and fillers behind those with other words.
fn with_style_last(family: &Family, mut finding: Diagnostic) -> Diagnostic {
    let rank = rank_in(&finding.problem);
    let is_of_texts = !finding.problem.data.contains_key("platforms_with");
    if is_of_texts && FEW_WORDS.contains(&rank) && differ_in_style(family, &values(&finding.problem)) {
        Arc::make_mut(&mut finding.problem).data.insert("rank".into(), (rank + BACK).into());
    }
    finding
}

/// Whether texts differ only in names, endings and fillers.
fn differ_in_style(family: &Family, values: &[PlatformValue<'_>]) -> bool {
    let texts: Vec<Vec<TextToken>> = values.iter().map(|value| tokens(family, value.text)).collect();
    let is_alike = |(first, others): (&Vec<TextToken>, &[Vec<TextToken>])| {
        others.iter().all(|text| !differ_in_meaning(first, text, true, |_| false))
    };
    texts.split_first().is_some_and(is_alike)
}

fn rank_in(problem: &Problem) -> u64 {
    problem.data.get("rank").and_then(Value::as_u64).unwrap_or_default()
}

/// Whether a finding is about content that some platforms lack on a page that marks content for platforms, which is
/// intentional. A missing row of a table isn't.
fn is_marked(problem: &Problem) -> bool {
    problem.data.contains_key("platforms_without") && problem.code != Code::MissingSetting
        || problem.code == Code::ImageCount
}

/// Whether sentences before a list differ only in how many things it has: "There are two ways:".
fn is_count(family: &Family, problem: &Problem) -> bool {
    const NUMBERS: [&str; 12] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let values = values(problem);
    let is_number = |word: &str| {
        NUMBERS.contains(&word.to_lowercase().as_str()) || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let rest = |value: &PlatformValue<'_>| -> Vec<String> {
        let text: Vec<&str> = words_beside_targets(value.text).filter(|word| !is_number(word)).collect();
        words(&tokens(family, &text.join(" ")))
    };
    let forms: SortedSet<Vec<String>> = values.iter().map(rest).collect();
    problem.code == Code::Wording
        && !problem.data.contains_key("platforms_without")
        && values.len() > 1
        && values.iter().all(|value| value.text.trim_end().ends_with(':'))
        && forms.len() == 1
}

/// Whether a section that platforms lack lists the sections of its page.
fn is_contents(problem: &Problem) -> bool {
    const TITLES: [&str; 8] =
        ["contents", "on this page", "table of contents", "toc", "inhalt", "sommaire", "目录", "目次"];
    let values = values(problem);
    problem.code == Code::MissingSection
        && !values.is_empty()
        && values.iter().all(|value| TITLES.contains(&bare_title(value.text).as_str()))
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
    words_beside_targets(text).collect::<Vec<_>>().join(" ")
}

/// Whether the texts of a finding differ only in names, or have too little in common.
fn must_differ(family: &Family, topics: &Topics, problem: &Problem) -> bool {
    let is_of_texts = matches!(problem.code, Code::Wording | Code::SettingDescription);
    if !is_of_texts || problem.data.contains_key("platforms_with") {
        return false;
    }
    let values = values(problem);
    if problem.data.contains_key(FORGOTTEN) || lacks_sentence_of_most(family, &values) {
        return false;
    }
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
    let describe_their_own = || match &texts[..] {
        [one, other] => most == 1 && !family.is_within_pages && have_own_names(one, other),
        _ => false,
    };
    forms.len() == 1
        || similarity < least
        || describe_their_own()
        || has_no_form
        || is_own_title
        || are_of_own_names()
        || values.iter().zip(&texts).skip(1).all(says_same)
}

/// Whether only one platform lacks a sentence that several others have, so that no name in it belongs to a platform.
fn lacks_sentence_of_most(family: &Family, values: &[PlatformValue<'_>]) -> bool {
    const MOST: usize = 3;
    let tokens = |value: &PlatformValue<'_>| tokens(family, value.text);
    match values {
        [most, one] if most.platforms.len() >= MOST && one.platforms.len() == 1 => {
            lacks_sentence(&tokens(one), &tokens(most))
        }
        _ => false,
    }
}

/// Whether the value of a setting differs because each platform has its programming language: its type, or no value.
fn is_of_language(problem: &Problem) -> bool {
    let column = problem.data.get("column").and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let values = values(problem);
    let texts: Vec<&str> = values.iter().map(|value| value.text).collect();
    problem.code == Code::SettingValue
        && (matches!(column.as_str(), "type" | "data type" | "typ" | "tipo")
            || texts.len() > 1 && are_same_literal(&texts))
}

/// Whether a section has another heading on some platforms that doesn't call it experimental or outdated there. Authors
/// chose its words freely.
fn is_free_heading(problem: &Problem) -> bool {
    problem.code == Code::Wording
        && problem.data.get("heading_of").is_some_and(|it| it == "section")
        && !differs_in_status(problem)
}

/// Whether a sentence differs only in plain words, and not on one of several platforms. Authors chose these words freely, or one group of
/// platforms does something else. If a single platform differs in more than additional words, a correction may have missed it.
fn is_style(family: &Family, problem: &Problem) -> bool {
    /// Minimum number of platforms that agree, and the same if only a few words differ.
    const MANY: usize = 3;
    const MANY_FOR_FEW_WORDS: usize = 2;
    let rank = rank_in(problem);
    let is_sentence = problem.code == Code::Wording
        && !problem.data.contains_key("heading")
        && !problem.data.contains_key("platforms_with");
    if family.is_within_pages
        || !is_sentence
        || rank < FEW_WORDS.start
        || problem.data.contains_key(FORGOTTEN)
    {
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
        others
            .iter()
            .all(|it| differ_in_words(first, it) && (!is_forgotten || differ_in_additions(first, it)))
    };
    texts.split_first().is_some_and(are_plain)
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(code: Code, text: &str, with: &[&str], expected: u64) {
        check_lacking(&["flutter"], code, text, with, expected);
    }

    #[track_caller]
    fn check_lacking(lacking: &[&str], code: Code, text: &str, with: &[&str], expected: u64) {
        let page = |_: &SitePath| {
            Rc::new(PageWords {
                all: content_words("lamps glow orange while their battery charges"),
                texts: vec![(content_words("See how orange lamps glow"), SortedSet::new())],
                headings: vec![content_words("How to charge the lamps")],
                comments: SortedSet::new(),
            })
        };
        let problem = Problem::new(code, 0..0, "")
            .data("platforms_with", with.to_vec())
            .data("platforms_without", lacking.to_vec())
            .data("values", json!([{ "value": text, "platforms": with }]))
            .related(&SitePath::from("b.md"), 0..0, PRESENT);
        let finding = Diagnostic::new(problem.into(), &SitePath::from("a.md"));
        assert_eq!(rank_of_missing(&finding, &page), Some(expected), "{text}");
    }

    #[test]
    fn what_several_platforms_lack_comes_before_what_a_page_may_contain() {
        check(Code::MissingSection, "Charge lamps", &["ios", "android"], ELSEWHERE);
        check(Code::MissingSection, "Dim lamps slowly at night", &["ios", "android"], MISSING_SECTION);
        check(Code::Wording, "Orange lamps charge their battery while they glow", &["ios"], ELSEWHERE);
        check(Code::Wording, "Battery | It is full after an hour", &["ios"], ELSEWHERE);
        check(Code::Wording, "Charger | It is full after an hour", &["ios"], MISSING_TEXT);
        check(Code::MissingNote, "Lamps glow", &["ios"], MISSING_PART);
        check(Code::MissingNote, "Orange lamps charge their battery while they glow", &["ios"], ELSEWHERE);
        // A web page has other features than apps, and another app the same.
        check_lacking(&["web"], Code::MissingNote, "Lamps glow", &["ios", "android"], OTHER_KIND);
        check_lacking(&["web"], Code::MissingNote, "Lamps glow", &["ios", "react"], MISSING_PART);
        let two = ["web", "flutter"];
        check_lacking(&two, Code::MissingSection, "Next steps", &["ios", "android"], MISSING_ON_SEVERAL);
        check_lacking(&two, Code::MissingSection, "Charge lamps", &["ios", "android"], ELSEWHERE);
    }
}
