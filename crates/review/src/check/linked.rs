//! Merges the findings in files with several paths because of symbolic links.

use std::ops::Range;
use std::sync::Arc;

use base::diagnostic::{Code, Diagnostic, Report};
use base::hash::HashMap;
use base::site_path::SitePath;
use base::sorted::SortedSet;
use input::source::Sources;

/// A finding in a file: the file's main path, the rule and the range.
type Finding = (SitePath, Code, Range<usize>);

/// Reports a finding in a file once: at its main path, or else at the first link at which it was found.
///
/// An edit changes the file for all paths, so it stays only if it is valid at every path.
pub(super) fn once(sources: &Sources, report: Report) -> Report {
    if sources.links.is_empty() {
        return report;
    }
    let mut names: HashMap<&SitePath, usize> = HashMap::default();
    for own in sources.links.values() {
        *names.entry(own).or_insert(1) += 1;
    }
    let key = |it: &Diagnostic| -> Finding {
        (sources.own_path(&it.file).clone(), it.problem.code, it.problem.span.clone())
    };
    // The paths at which a finding occurs, the main path first.
    let mut places: HashMap<Finding, SortedSet<(bool, SitePath)>> = HashMap::default();
    for it in &report {
        let is_link = sources.links.contains_key(&it.file);
        places.entry(key(it)).or_default().insert((is_link, it.file.clone()));
    }
    let said = |mut it: Diagnostic| {
        let Some(&names) = names.get(sources.own_path(&it.file)) else { return Some(it) };
        let places = &places[&key(&it)];
        let is_everywhere = places.len() == names;
        let is_first = places.first().is_some_and(|(_, first)| *first == it.file);
        // A comment is unused only if it is unused at every path.
        let is_needed = it.problem.code != Code::UnusedSuppression || is_everywhere;
        if !is_everywhere {
            Arc::make_mut(&mut it.problem).edits.clear();
        }
        (is_first && is_needed).then_some(it)
    };
    report.into_iter().filter_map(said).collect()
}
