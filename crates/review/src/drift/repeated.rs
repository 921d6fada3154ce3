//! Merges findings about notes that the same platforms lack in several sections or steps.
//!
//! Notes with the same text that the same platforms contain and lack have one cause: one decision adds or accepts
//! them.

use std::collections::HashMap;
use std::sync::Arc;

use super::findings::MOST_PLACES;
use base::diagnostic::{Code, Diagnostic, count};

/// Merges repeated notes into the finding about the first of them. `found` is in the order of the steps.
pub(super) fn join(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut at: HashMap<String, usize> = HashMap::new();
    let mut joined: Vec<Vec<Diagnostic>> = Vec::with_capacity(found.len());
    for finding in found {
        let known = cause(&finding).map(|cause| *at.entry(cause).or_insert(joined.len()));
        match known.and_then(|known| joined.get_mut(known)) {
            Some(first) => first.push(finding),
            None => joined.push(vec![finding]),
        }
    }
    joined.into_iter().filter_map(as_one).collect()
}

/// Returns the key of a note: the platforms that contain it, those that don't, and its text.
fn cause(finding: &Diagnostic) -> Option<String> {
    let problem = &finding.problem;
    let data = ["family", "platforms_with", "platforms_without", "values"].map(|name| problem.data.get(name));
    (problem.code == Code::MissingNote).then(|| format!("{:?}", (data, &problem.message, &problem.help)))
}

fn as_one(found: Vec<Diagnostic>) -> Option<Diagnostic> {
    let mut steps: Vec<_> = found.iter().filter_map(|it| it.problem.data.get("step").cloned()).collect();
    steps.dedup();
    let mut found = found.into_iter();
    let first = found.next()?;
    if found.len() == 0 {
        return Some(first);
    }
    let mut problem = Arc::unwrap_or_clone(first.problem);
    problem.message = format!("{} ({})", problem.message, count(1 + found.len(), "place"));
    if steps.len() > 1 {
        problem.data.remove("step");
        problem.data.insert("steps".into(), steps.into());
    }
    let others = found.take(MOST_PLACES);
    let problem = others
        .fold(problem, |problem, other| problem.related(&other.file, other.problem.span.clone(), "and here"));
    Some(problem.at(&first.file))
}
