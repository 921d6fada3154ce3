//! Leaves out what must differ, and puts together what one platform alone has.
//!
//! In a family that is found by the names of its folders and files, authors write for each platform what it needs: its
//! packages, files and ports, and passages of its own. Nobody has to act on those. What most platforms share and one does
//! not, and sentences that differ in a few words, are left as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::findings::{MOST_PLACES, count, excerpt, list};
use super::rank::{RankKind, rank};
use crate::base::diagnostic::{Code, Diagnostic, Problem, RelatedSpan};
use crate::base::platforms::is_platform_name;
use crate::base::site_path::SitePath;
use crate::site::content::Family;

/// What one platform has for itself is read after all differences of a family but missing steps.
const LAST: u32 = rank(RankKind::Step) - 1;

/// Two texts that have less in common say the same in words of their own.
const LIKE: f64 = 0.72;

/// The same where two platforms or more agree and one differs.
const LIKE_THE_MOST: f64 = 0.6;

/// The findings of a family that its authors would act on.
pub(super) fn worth(family: &Family, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if !family.is_by_key {
        return found;
    }
    let found = found.into_iter().filter(|it| !must_differ(family, &it.problem)).collect();
    extras_together(found)
}

/// Whether the texts of a finding differ in names alone, or have too little in common.
fn must_differ(family: &Family, problem: &Problem) -> bool {
    let is_of_texts = matches!(problem.code, Code::Wording | Code::SettingDescription);
    if !is_of_texts || problem.data.contains_key("platforms_with") {
        return false;
    }
    let values = values(problem);
    let mut forms: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for (text, platforms) in &values {
        *forms.entry(without_names(family, text)).or_default() += platforms;
    }
    let most = forms.values().copied().max().unwrap_or_default();
    let all: usize = forms.values().sum();
    let similarity = problem.data.get("similarity").and_then(Value::as_f64).unwrap_or(1.0);
    let least = if most > 1 { LIKE_THE_MOST } else { LIKE };
    // Where most have forms of their own, none is the one that others should have.
    let has_no_form = forms.len() > 2 && 2 * most <= all;
    forms.len() == 1 || similarity < least || has_no_form
}

/// The texts of a finding, each with the number of platforms that have it.
fn values(problem: &Problem) -> Vec<(&str, usize)> {
    let values = problem.data.get("values").and_then(Value::as_array).into_iter().flatten();
    values
        .filter_map(|value| Some((value.get("value")?.as_str()?, value.get("platforms")?.as_array()?.len())))
        .collect()
}

/// The words of a text in lower case, without names: of platforms, files, packages, versions and the like, of products, and of
/// what links lead to.
pub(super) fn without_names(family: &Family, text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut begins = true;
    let mut is_target = false;
    let begin = |small: bool| {
        text.split_whitespace()
            .filter(|word| word.starts_with(|c: char| c.is_alphabetic() && c.is_lowercase() == small))
            .count()
    };
    // In a title every word has a capital.
    let is_sentence = begin(true) > begin(false);
    for word in text.split_whitespace() {
        if word == "→" {
            is_target = true;
            continue;
        }
        // A target is shown as one word or two.
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
            // `a` and `an`, `the` and nothing go with the name.
            while words.last().is_some_and(|last| matches!(last.as_str(), "a" | "an" | "the")) {
                words.pop();
            }
        } else if !bare.is_empty() {
            words.push(bare.to_lowercase());
        }
    }
    words
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

/// Puts what the same platforms alone have on a page into one finding, and what one alone of several has on all pages.
fn extras_together(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut at: BTreeMap<String, usize> = BTreeMap::new();
    let mut together: Vec<Vec<Diagnostic>> = Vec::new();
    for finding in found {
        let key = is_extra(&finding.problem).then(|| {
            let data = &finding.problem.data;
            let with = data.get("platforms_with");
            match is_alone(&finding.problem) {
                true => format!("{with:?}"),
                false => format!("{} {:?} {with:?}", finding.file, data.get("step")),
            }
        });
        let known = key.map(|key| *at.entry(key).or_insert(together.len()));
        match known.and_then(|known| together.get_mut(known)) {
            Some(others) => others.push(finding),
            None => together.push(vec![finding]),
        }
    }
    together.into_iter().filter_map(as_one).collect()
}

/// Whether one platform has what several others do not.
fn is_alone(problem: &Problem) -> bool {
    length(problem, "platforms_with") == 1 && length(problem, "platforms_without") > 1
}

fn length(problem: &Problem, name: &str) -> usize {
    problem.data.get(name).and_then(Value::as_array).map_or(0, Vec::len)
}

/// Whether a finding says that no more platforms have something than lack it.
fn is_extra(problem: &Problem) -> bool {
    let is_lacking =
        matches!(problem.code, Code::Wording | Code::NoteMissing | Code::MissingHeading | Code::CodeMissing);
    let (with, without) = (length(problem, "platforms_with"), length(problem, "platforms_without"));
    is_lacking && without > 0 && with <= without
}

fn as_one(mut found: Vec<Diagnostic>) -> Option<Diagnostic> {
    if found.len() == 1 {
        let mut only = found.pop()?;
        if is_extra(&only.problem) {
            Arc::make_mut(&mut only.problem).data.insert("rank".into(), LAST.into());
        }
        return Some(only);
    }
    let of = |code: Code| found.iter().filter(|it| it.problem.code == code).count();
    let counts = [
        (of(Code::MissingHeading), "section"),
        (of(Code::NoteMissing), "note"),
        (of(Code::CodeMissing), "code sample"),
        (of(Code::Wording), "text"),
    ];
    let mut without: BTreeSet<String> = BTreeSet::new();
    for finding in &found {
        let ids = finding.problem.data.get("platforms_without").and_then(Value::as_array);
        without.extend(ids.into_iter().flatten().filter_map(Value::as_str).map(str::to_string));
    }
    // A section says more than a sentence of another.
    let order = [Code::MissingHeading, Code::NoteMissing, Code::CodeMissing, Code::Wording];
    let code = order.into_iter().find(|code| of(*code) > 0)?;
    let names: Vec<String> = found.iter().filter_map(|it| it.problem.target.clone()).collect();
    let first = found.iter().find(|it| it.problem.code == code)?.clone();
    let mut problem = Arc::unwrap_or_clone(first.problem);
    let counts: Vec<String> =
        counts.iter().filter(|(number, _)| *number > 0).map(|(number, noun)| count(*number, noun)).collect();
    let platforms = problem.message.split(" has ").next().unwrap_or_default();
    let platforms = platforms.split(" have ").next().unwrap_or_default();
    let platforms = platforms.split(" say").next().unwrap_or_default();
    let examples: Vec<String> = names.iter().take(2).map(|name| format!("`{}`", excerpt(name))).collect();
    let pages: BTreeSet<&SitePath> = found.iter().map(|it| &it.file).collect();
    let on = if pages.len() > 1 { format!(" on {} pages", pages.len()) } else { String::new() };
    problem.message = format!(
        "{platforms} {} {} of {} own{on}, such as {}",
        if platforms.contains(" and ") { "have" } else { "has" },
        list(&counts),
        if platforms.contains(" and ") { "their" } else { "its" },
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
