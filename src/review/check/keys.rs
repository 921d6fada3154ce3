//! Finds misspelled front matter keys of other generators.

use crate::base::diagnostic::{Code, Diagnostic, Problem};
use crate::base::hash::HashMap;
use crate::input::conventions::{Kind, documented_keys};
use crate::site::content::Document;
use crate::site::project::Project;

/// Maximum number of pages with a misspelled key. A key on more pages is the site's own.
const MOST_SLIPS: usize = 2;

/// Number of pages from which a key is the site's own.
const ENOUGH: usize = 10;

/// Minimum length of a key. Many shorter keys differ by one letter.
const SHORTEST: usize = 5;

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
    let meant: HashMap<&str, &String> =
        slips.filter_map(|(slip, _)| Some((*slip, meant_by(slip, &known, repository.kind())?))).collect();
    if meant.is_empty() {
        return Vec::new();
    }
    let found = documents().flat_map(|document| {
        let slips = document.front.extra.keys().filter_map(|key| meant.get_key_value(key.as_str()));
        slips.filter_map(move |(written, meant)| finding(document, written, meant))
    });
    found.collect()
}

/// Returns the known key from which a misspelled one differs by one letter or in case.
fn meant_by<'k>(written: &str, known: &'k [String], kind: Kind) -> Option<&'k String> {
    let is_plural = |one: &str, other: &str| one.strip_suffix('s') == Some(other);
    let is_near = |key: &&String| {
        let is_other_case = key.eq_ignore_ascii_case(written);
        written.len() >= SHORTEST
            && key.len() >= SHORTEST
            && !is_plural(key, written)
            && !is_plural(written, key)
            // Hugo ignores the case of keys.
            && if is_other_case { kind != Kind::Hugo } else { strsim::osa_distance(key, written) == 1 }
    };
    known.iter().find(is_near)
}

fn finding(document: &Document, written: &str, meant: &str) -> Option<Diagnostic> {
    let text = document.text();
    let block = text.get(..document.body)?;
    let place = |key: &str| {
        let name = key.rsplit('.').next().unwrap_or(key);
        let mut start = 0;
        block.split_inclusive('\n').find_map(|line| {
            let key = line.trim_start().trim_start_matches(['"', '\'']);
            let at = start + line.len() - key.len();
            start += line.len();
            let after = key.strip_prefix(name)?.trim_start_matches(['"', '\'', ' ']);
            after.starts_with([':', '=']).then(|| at..at + name.len())
        })
    };
    // A page with both keys means different things. Keys of tables may also be in other tables.
    let has_both =
        if meant.contains('.') { document.front.extra.contains_key(meant) } else { place(meant).is_some() };
    if has_both {
        return None;
    }
    let name = |key: &str| key.rsplit('.').next().unwrap_or(key).to_string();
    let message = format!("`{}` is no key that the generator knows, so it does nothing", name(written));
    let help = format!("did you mean `{}`?", name(meant));
    Some(Problem::new(Code::UnknownKey, place(written)?, message).help(help).at(&document.path))
}
