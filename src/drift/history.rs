//! When each difference appeared, and how long it lasted.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::Value;

use crate::diagnostic::{Code, Diagnostic, Report};
use crate::source::Commit;

/// A difference, from the commit that it came with to the one that it went with.
#[derive(Clone, Debug)]
pub struct Lasting {
    /// As it was found last.
    pub finding: Diagnostic,
    pub appeared: Commit,
    pub gone: Option<Commit>,
    /// Up to `gone`, or to today.
    pub days: i32,
}

/// Differences through time; commits are told in their order.
#[derive(Debug, Default)]
pub struct Timeline {
    open: BTreeMap<Key, (Commit, Diagnostic)>,
    over: Vec<Lasting>,
}

/// What makes two findings of different days the same difference: not what is said, but of what, and between
/// which two platforms.
type Key = (Code, [String; 5]);

impl Timeline {
    /// What was found at a commit.
    pub fn note(&mut self, commit: &Commit, report: &Report) {
        let mut found: BTreeMap<Key, &Diagnostic> = BTreeMap::new();
        for finding in report.iter().filter(|finding| finding.problem.code.is_drift()) {
            found.extend(keys(finding).into_iter().map(|key| (key, finding)));
        }
        let gone: Vec<Key> = self.open.keys().filter(|key| !found.contains_key(*key)).cloned().collect();
        for key in gone {
            let (appeared, finding) = self.open.remove(&key).expect("it was just seen");
            let days = days(appeared.day, commit.day);
            self.over.push(Lasting { finding, appeared, gone: Some(commit.clone()), days });
        }
        for (key, finding) in found {
            let first = self.open.remove(&key).map_or_else(|| commit.clone(), |(first, _)| first);
            self.open.insert(key, (first, finding.clone()));
        }
    }

    /// All differences, the earliest first; those that are one finding and lasted as long are one.
    pub fn until(self, today: Date) -> Vec<Lasting> {
        let open = self.open.into_values().map(|(appeared, finding)| {
            let days = days(appeared.day, today);
            Lasting { finding, appeared, gone: None, days }
        });
        let mut all: Vec<Lasting> = self.over.into_iter().chain(open).collect();
        let order = |it: &Lasting| {
            let gone = it.gone.as_ref().map(|commit| (commit.day, commit.id.clone()));
            (it.appeared.day, gone.is_none(), gone, it.finding.file.clone(), it.finding.problem.span.start)
        };
        all.sort_by(|a, b| {
            order(a).cmp(&order(b)).then_with(|| a.finding.problem.message.cmp(&b.finding.problem.message))
        });
        all.dedup_by(|a, b| a.finding == b.finding && a.appeared == b.appeared && a.gone == b.gone);
        all
    }
}

fn keys(finding: &Diagnostic) -> Vec<Key> {
    let problem = &finding.problem;
    let text = |name: &str| problem.data.get(name).and_then(Value::as_str).unwrap_or_default().to_string();
    let settings = problem.data.get("settings").map(texts);
    let names = settings.unwrap_or_else(|| vec![problem.target.clone().unwrap_or_default()]);
    let mut keys = Vec::new();
    for name in names {
        let about = format!("{} {name}", text("column"));
        keys.extend(
            sides(finding)
                .into_iter()
                .map(|sides| (problem.code, [text("family"), text("step"), about.clone(), sides.0, sides.1])),
        );
    }
    keys
}

/// The platforms that differ, two at a time: a third that joins in is another difference.
fn sides(finding: &Diagnostic) -> Vec<(String, String)> {
    let data = &finding.problem.data;
    let (with, without) = (data.get("platforms_with").map(texts), data.get("platforms_without").map(texts));
    let groups: Vec<Vec<String>> = match (with, without) {
        (Some(with), Some(without)) => vec![with, without],
        _ => {
            let values = data.get("values").and_then(Value::as_array).into_iter().flatten();
            values.map(|value| texts(&value["platforms"])).collect()
        }
    };
    let mut sides = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        for other in groups[index + 1..].iter().flatten() {
            sides.extend(group.iter().map(|one| {
                if one < other { (one.clone(), other.clone()) } else { (other.clone(), one.clone()) }
            }));
        }
    }
    sides
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
}

fn days(from: Date, to: Date) -> i32 {
    (to - from).get_days()
}
