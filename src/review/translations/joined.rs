//! Joins findings about sections that several languages lack.

use std::sync::Arc;

use serde_json::Value;

use super::findings::{MISMATCH, named_sections};
use super::missing::shorten;
use crate::base::diagnostic::{Code, Diagnostic, Report, count, list, texts_in};
use crate::base::sorted::SortedMap;
use crate::input::languages::Languages;

/// Joins findings on translations of one page that only lack the same sections, at the first of them.
pub fn joined(languages: &Languages, report: Report) -> Report {
    let key = |finding: &Diagnostic| {
        let data = &finding.problem.data;
        let lacking: Vec<String> = texts_in(data.get("lacking")).into_iter().map(str::to_string).collect();
        let is_joined = finding.problem.code == Code::TranslationStructure && !lacking.is_empty();
        let original = data.get("original").and_then(Value::as_str)?;
        is_joined.then(|| (original.to_string(), lacking))
    };
    let found: Vec<Diagnostic> = report.into_iter().collect();
    let mut groups: SortedMap<(String, Vec<String>), Vec<usize>> = SortedMap::new();
    for (at, finding) in found.iter().enumerate() {
        if let Some(key) = key(finding) {
            groups.entry(key).or_default().push(at);
        }
    }
    let mut found: Vec<Option<Diagnostic>> = found.into_iter().map(Some).collect();
    for ((_, lacking), group) in groups.into_iter().filter(|(_, group)| group.len() > 1) {
        let mut group: Vec<Diagnostic> = group.iter().filter_map(|at| found[*at].take()).collect();
        let tags: Vec<String> = group
            .iter()
            .filter_map(|it| it.problem.data.get("language").and_then(Value::as_str).map(str::to_string))
            .collect();
        let mut names: Vec<String> = tags
            .iter()
            .filter_map(|tag| Some(languages.translations[languages.named(tag)?].name.clone()))
            .collect();
        shorten(&mut names);
        let lacking: Vec<&str> = lacking.iter().map(String::as_str).collect();
        let is = if lacking.len() == 1 { "is" } else { "are" };
        let mut first = group.swap_remove(0);
        let problem = Arc::make_mut(&mut first.problem);
        problem.message = format!(
            "{} of the original {is} missing in {}: {}",
            named_sections(&lacking),
            count(tags.len(), "translation"),
            list(&names)
        );
        let rank = problem.data.get("rank").and_then(Value::as_u64).unwrap_or_default();
        let more = u64::try_from((tags.len() - 1) * lacking.len()).unwrap_or(u64::MAX);
        problem.data.insert("rank".into(), rank.saturating_sub(more).max(MISMATCH.into()).into());
        problem.data.insert("languages".into(), tags.into());
        found.push(Some(first));
    }
    found.into_iter().flatten().collect()
}
