//! Merges findings about texts in which some platforms use one term instead of another: `agent` for `chatbot`.

use std::sync::Arc;

use serde_json::Value;

use super::findings::MOST_PLACES;
use base::diagnostic::{Code, Diagnostic, RelatedSpan, count, list};
use base::sorted::{SortedMap, SortedSet};
use site::content::Family;

/// A term of most platforms, and the one that others use.
type Terms = (String, String);

/// Number of texts from which on a replaced word is a term.
const TEXTS: usize = 3;

/// Merges the findings about texts that differ in terms only, for each group of platforms that use other terms.
pub(super) fn join(family: &Family, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let replaced: Vec<Option<SortedSet<Terms>>> = found.iter().map(replaced).collect();
    let mut texts: SortedMap<(String, &Terms), usize> = SortedMap::new();
    for (finding, terms) in found.iter().zip(&replaced) {
        for terms in terms.iter().flatten() {
            *texts.entry((others(finding), terms)).or_default() += number_of_texts(finding);
        }
    }
    let is_of_terms = |finding: &Diagnostic, terms: &Option<SortedSet<Terms>>| {
        let is_term =
            |terms: &Terms| texts.get(&(others(finding), terms)).is_some_and(|texts| *texts >= TEXTS);
        terms.as_ref().is_some_and(|terms| terms.iter().all(is_term))
    };
    let keys: Vec<Option<String>> =
        found.iter().zip(&replaced).map(|(it, terms)| is_of_terms(it, terms).then(|| others(it))).collect();
    let mut at: SortedMap<String, usize> = SortedMap::new();
    let mut together: Vec<Vec<(Diagnostic, SortedSet<Terms>)>> = Vec::new();
    for ((finding, terms), key) in found.into_iter().zip(replaced).zip(keys) {
        let known = key.map(|key| *at.entry(key).or_insert(together.len()));
        let finding = (finding, terms.unwrap_or_default());
        match known.and_then(|known| together.get_mut(known)) {
            Some(others) => others.push(finding),
            None => together.push(vec![finding]),
        }
    }
    together.into_iter().filter_map(|found| as_one(family, found)).collect()
}

/// Returns the replaced words of two texts that differ in nothing else.
fn replaced(finding: &Diagnostic) -> Option<SortedSet<Terms>> {
    let problem = &finding.problem;
    let is_of_two =
        problem.data.get("values").and_then(Value::as_array).is_some_and(|values| values.len() == 2);
    if problem.code != Code::Wording || !is_of_two || problem.data.contains_key("platforms_with") {
        return None;
    }
    let changes = problem.data.get("changes").and_then(Value::as_array)?;
    let changes: Vec<&Value> = changes.iter().filter(|change| change.get("kept").is_none()).collect();
    let term = |change: &Value, kind: &str| {
        let text = change.get(kind)?.as_str()?.trim_matches(|c: char| !c.is_alphanumeric());
        let text = text.strip_suffix("'s").unwrap_or(text);
        (!text.is_empty() && text.chars().all(char::is_alphabetic)).then(|| text.to_lowercase())
    };
    let pairs = changes.chunks(2).map(|pair| match pair {
        [removed, added] => Some((term(removed, "removed")?, term(added, "added")?)),
        _ => None,
    });
    pairs.collect::<Option<SortedSet<Terms>>>().filter(|terms| !terms.is_empty())
}

/// Returns the platforms whose text differs.
fn others(finding: &Diagnostic) -> String {
    let values = finding.problem.data.get("values").and_then(Value::as_array);
    values.and_then(|values| values.last()).map(|value| value["platforms"].to_string()).unwrap_or_default()
}

fn number_of_texts(finding: &Diagnostic) -> usize {
    1 + finding.problem.data.get("more").and_then(Value::as_array).map_or(0, Vec::len)
}

fn as_one(family: &Family, mut found: Vec<(Diagnostic, SortedSet<Terms>)>) -> Option<Diagnostic> {
    if found.len() == 1 {
        return found.pop().map(|(finding, _)| finding);
    }
    let texts = found.iter().map(|(finding, _)| number_of_texts(finding)).sum();
    let all: SortedSet<&Terms> = found.iter().flat_map(|(_, terms)| terms).collect();
    let terms: Vec<String> = all.iter().map(|(from, to)| format!("`{to}` instead of `{from}`")).collect();
    let first = found.first()?.0.clone();
    let platforms = others(&first);
    let is_other = |id: &str| platforms.contains(&format!("\"{id}\""));
    let names: Vec<&str> =
        family.platforms.iter().filter(|it| is_other(&it.id)).map(|it| it.name.as_str()).collect();
    let verb = if names.len() == 1 { "uses" } else { "use" };
    let mut problem = Arc::unwrap_or_clone(first.problem);
    problem.message = format!("{} {verb} {} ({})", list(&names), list(&terms), count(texts, "text"));
    let place = |finding: &Diagnostic| RelatedSpan {
        file: finding.file.clone(),
        span: finding.problem.span.clone(),
        label: "and here".to_string(),
    };
    problem.related.truncate(1);
    problem.related.extend(found[1..].iter().take(MOST_PLACES).map(|(finding, _)| place(finding)));
    Some(problem.at(&first.file))
}
