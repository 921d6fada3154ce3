//! Finds misspelled front matter keys of other generators, and values that differ by one letter from one that pages share.

use std::ops::Range;

use crate::base::diagnostic::{self, Code, Diagnostic, Problem};
use crate::base::hash::HashMap;
use crate::base::sorted::SortedMap;
use crate::input::conventions::documented_keys;
use crate::site::content::Document;
use crate::site::project::Project;

/// Maximum number of pages with a misspelled key. A key on more pages is the site's own.
const MOST_SLIPS: usize = 2;

/// Number of pages from which a key is the site's own.
const ENOUGH: usize = 10;

/// Minimum length of a key. Many shorter keys differ by one letter.
const SHORTEST: usize = 5;

/// Minimum number of pages with the same value of a key, if another value can be a slip.
const FEWEST_SHARED: usize = 5;

/// Maximum number of values that several pages have. A key with more isn't a choice.
const MOST_SHARED: usize = 100;

/// Reports keys that no generator reads, and values such as the name of a layout, a category, or a parent.
pub(super) fn misspelled(project: &Project) -> Vec<Diagnostic> {
    let repository = &project.site.repository;
    if repository.is_ours() {
        return Vec::new();
    }
    let documents = || project.site.documents.iter().map(|document| &**document);
    let mut counts: HashMap<&str, usize> = HashMap::default();
    for key in documents().flat_map(|document| document.front.extra.keys()) {
        *counts.entry(key).or_default() += 1;
    }
    let documented: &[&str] = documented_keys(repository.kind());
    let own = counts.iter().filter(|(_, count)| **count >= ENOUGH).map(|(key, _)| (*key).to_string());
    let documented = documented.iter().copied().chain(repository.convention.key_names());
    let mut known: Vec<String> = own.chain(documented.map(str::to_string)).collect();
    known.sort_unstable();
    known.dedup();
    let slips = counts
        .iter()
        .filter(|(key, count)| **count <= MOST_SLIPS && !known.iter().any(|known| known == *key));
    let meant: HashMap<&str, &String> = slips
        .filter_map(|(slip, _)| {
            Some((*slip, meant_by(slip, &known, repository.convention.ignores_key_case)?))
        })
        .collect();
    let found = documents().flat_map(|document| {
        let slips = document.front.extra.keys().filter_map(|key| meant.get_key_value(key.as_str()));
        slips.filter_map(move |(written, meant)| finding(document, written, meant))
    });
    found.chain(unusual_values(project)).collect()
}

/// Finds values that one page has, and that differ by one letter from the value that several pages have. Titles differ by page,
/// and versions by a digit.
fn unusual_values(project: &Project) -> Vec<Diagnostic> {
    fn names(document: &Document) -> impl Iterator<Item = (&str, &str)> {
        let names =
            document.front.extra.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)));
        names.filter(|(_, value)| !value.contains(|letter: char| letter.is_ascii_digit()))
    }
    let documents = || project.site.documents.iter().map(|document| &**document);
    let mut counts: HashMap<&str, SortedMap<&str, usize>> = HashMap::default();
    for (key, value) in documents().flat_map(names) {
        *counts.entry(key).or_default().entry(value).or_default() += 1;
    }
    let shared = counts.iter().map(|(key, values)| {
        let shared = values.iter().filter(|(_, count)| **count >= FEWEST_SHARED);
        (*key, shared.map(|(value, _)| *value).collect())
    });
    let shared: HashMap<&str, Vec<&str>> = shared.collect();
    let mut found = Vec::new();
    for document in documents() {
        for (key, value) in names(document) {
            let candidates = &shared[key];
            if counts[key][value] > 1 || candidates.len() > MOST_SHARED {
                continue;
            }
            let meant = diagnostic::misspelled(value, candidates.iter().copied());
            if let Some(meant) = meant.filter(|meant| !meant.eq_ignore_ascii_case(value)) {
                found.extend(unusual(document, key, value, meant, counts[key][meant]));
            }
        }
    }
    found
}

fn unusual(document: &Document, key: &str, value: &str, meant: &str, count: usize) -> Option<Diagnostic> {
    let key = place(document, key)?;
    let text = document.text();
    let line = text[key.end..].lines().next()?;
    let start = key.end + line.find(value)?;
    let message = format!("only this page has `{value}`, and {count} pages have `{meant}`");
    let problem = Problem::new(Code::UnusualValue, start..start + value.len(), message);
    Some(problem.help(format!("did you mean `{meant}`?")).at(&document.path))
}

/// Returns the known key from which a misspelled one differs by one letter or in case.
fn meant_by<'k>(written: &str, known: &'k [String], ignores_case: bool) -> Option<&'k String> {
    let is_plural = |one: &str, other: &str| one.strip_suffix('s') == Some(other);
    let is_near = |key: &&String| {
        let is_other_case = key.eq_ignore_ascii_case(written);
        written.len() >= SHORTEST
            && key.len() >= SHORTEST
            && !is_plural(key, written)
            && !is_plural(written, key)
            && if is_other_case { !ignores_case } else { strsim::osa_distance(key, written) == 1 }
    };
    known.iter().find(is_near)
}

fn finding(document: &Document, written: &str, meant: &str) -> Option<Diagnostic> {
    // A page with both keys means different things. Keys of tables may also be in other tables.
    let has_both = if meant.contains('.') {
        document.front.extra.contains_key(meant)
    } else {
        place(document, meant).is_some()
    };
    if has_both {
        return None;
    }
    let name = |key: &str| key.rsplit('.').next().unwrap_or(key).to_string();
    let message = format!("unknown key `{}`, which the generator ignores", name(written));
    let help = format!("did you mean `{}`?", name(meant));
    Some(Problem::new(Code::UnknownKey, place(document, written)?, message).help(help).at(&document.path))
}

/// Returns the range of the last part of a key in the front matter.
fn place(document: &Document, key: &str) -> Option<Range<usize>> {
    let text = document.text();
    let block = text.get(..document.body)?;
    let name = key.rsplit('.').next().unwrap_or(key);
    let mut start = 0;
    block.split_inclusive('\n').find_map(|line| {
        let key = line.trim_start().trim_start_matches(['"', '\'']);
        let at = start + line.len() - key.len();
        start += line.len();
        let after = key.strip_prefix(name)?.trim_start_matches(['"', '\'', ' ']);
        after.starts_with([':', '=']).then(|| at..at + name.len())
    })
}
