//! Joins findings with one cause: sections that several languages lack, and sections of a page that aren't translated.

use std::sync::Arc;

use serde_json::Value;

use super::findings::{MISMATCH, named_sections};
use super::missing::shorten;
use super::replaced::REPLACED;
use base::diagnostic::{Code, Diagnostic, Problem, Report, count, list, texts_in};
use base::sorted::SortedMap;
use input::languages::Languages;

/// Findings that are joined.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// Translations of a page only lack the same of its sections.
    Lacking { original: String, sections: Vec<String> },
    /// Sections of a page are those of its original.
    Untranslated { page: String },
}

impl Cause {
    fn of(finding: &Diagnostic) -> Option<Self> {
        let data = &finding.problem.data;
        match finding.problem.code {
            Code::TranslationStructure => {
                let sections = texts_in(data.get("lacking")).into_iter().map(str::to_string).collect();
                let original = data.get("original")?.as_str()?.to_string();
                data.contains_key("lacking").then_some(Self::Lacking { original, sections })
            }
            Code::UntranslatedSection => Some(Self::Untranslated { page: finding.file.to_string() }),
            _ => None,
        }
    }
}

/// Joins findings with one cause, at the first of them.
pub fn joined(languages: &Languages, report: Report) -> Report {
    let mut causes: SortedMap<Cause, Vec<Diagnostic>> = SortedMap::new();
    let mut left: Vec<Diagnostic> = Vec::new();
    for finding in report {
        match Cause::of(&finding) {
            Some(cause) => causes.entry(cause).or_default().push(finding),
            None => left.push(finding),
        }
    }
    let as_one = |(cause, mut found): (Cause, Vec<Diagnostic>)| {
        if found.len() > 1 {
            let texts = |key: &str| {
                let of_one = |it: &Diagnostic| it.problem.data.get(key)?.as_str().map(str::to_string);
                found.iter().filter_map(of_one).collect::<Vec<_>>()
            };
            let (tags, titles) = (texts("language"), texts("section"));
            let size = match &cause {
                Cause::Lacking { sections, .. } => tags.len() * sections.len(),
                Cause::Untranslated { .. } => titles.len(),
            };
            found.truncate(1);
            let problem = Arc::make_mut(&mut found[0].problem);
            match cause {
                Cause::Lacking { sections, .. } => lacking(problem, languages, &sections, tags),
                Cause::Untranslated { .. } => untranslated(problem, titles),
            }
            // Those with the most sections come first.
            let rank = problem.data.get("rank").and_then(Value::as_u64).unwrap_or_default();
            let rank = rank.saturating_sub(u64::try_from(size).unwrap_or(u64::MAX)).max(MISMATCH.into());
            problem.data.insert("rank".into(), rank.into());
        }
        found
    };
    left.extend(causes.into_iter().flat_map(as_one));
    let is_of_several = |it: &Diagnostic| {
        it.problem.code == Code::UntranslatedSection || it.problem.data.contains_key(REPLACED)
    };
    let (of_several, others): (Vec<_>, Vec<_>) = left.into_iter().partition(is_of_several);
    others.into_iter().chain(in_several_languages(languages, of_several)).collect()
}

/// Joins the findings about the same text, code, or link of the original in several languages.
fn in_several_languages(languages: &Languages, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut causes: SortedMap<(String, String), Vec<Diagnostic>> = SortedMap::new();
    for it in found {
        let original = it.problem.data.get("original").and_then(Value::as_str).unwrap_or_default();
        causes.entry((original.to_string(), it.problem.message.clone())).or_default().push(it);
    }
    let as_one = |mut found: Vec<Diagnostic>| {
        let tag = |it: &Diagnostic| Some(it.problem.data.get("language")?.as_str()?.to_string());
        let tags: Vec<String> = found.iter().filter_map(tag).collect();
        let mut first = found.swap_remove(0);
        if tags.len() > 1 {
            let problem = Arc::make_mut(&mut first.problem);
            problem.message = format!("{} in {}", problem.message, named(languages, &tags));
            problem.data.insert("languages".into(), tags.into());
        }
        first
    };
    causes.into_values().map(as_one).collect()
}

/// Describes several translations: `2 translations: Deutsch and 日本語`.
fn named(languages: &Languages, tags: &[String]) -> String {
    let name = |tag: &String| Some(languages.translations[languages.named(tag)?].name.clone());
    let mut names: Vec<String> = tags.iter().filter_map(name).collect();
    shorten(&mut names);
    format!("{}: {}", count(tags.len(), "translation"), list(&names))
}

fn lacking(problem: &mut Problem, languages: &Languages, sections: &[String], tags: Vec<String>) {
    let sections: Vec<&str> = sections.iter().map(String::as_str).collect();
    problem.message = format!(
        "{} of the original {} missing in {}",
        named_sections(&sections),
        if sections.len() == 1 { "is" } else { "are" },
        named(languages, &tags)
    );
    problem.data.insert("languages".into(), tags.into());
}

fn untranslated(problem: &mut Problem, titles: Vec<String>) {
    let shown: Vec<&str> = titles.iter().map(String::as_str).collect();
    problem.message = format!("{} are word for word the original's", named_sections(&shown));
    problem.help = Some("translate the sections".to_string());
    problem.data.remove("section");
    problem.data.insert("sections".into(), titles.into());
}
