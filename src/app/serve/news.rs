//! Reports the result of a save: the changed files, the time until they were shown, and changed findings.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch::Receiver;

use super::Live;
use base::diagnostic::{Code, Report, Severity};
use base::site_path::SitePath;
use base::sorted::{SortedMap, SortedSet};
use input::source::{Sources, Text};
use site::work::Work;

/// A message about the site while it is served.
#[derive(Debug)]
pub enum News<'a> {
    /// The findings of the first check.
    First { report: &'a Report, work: &'a Work },
    /// The site was saved and checked again.
    Saved { saved: &'a Saved, before: &'a Report, after: &'a Report },
    /// The site was saved and can't be read or used.
    Failed { saved: &'a Saved, failure: &'a str },
    /// Response to a request for the findings. `failure` is why the newest version can't be read or used.
    Requested { report: &'a Report, work: &'a Work, failure: Option<&'a str> },
}

/// Requests by the program that started the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerRequest {
    Findings,
    End,
}

/// Files that changed since the last check.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    pub files: SortedSet<SitePath>,
    /// Time between the last change and its display.
    pub took: Duration,
}

/// Change in the number of findings of one rule and severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeChange {
    pub severity: Severity,
    pub code: Code,
    pub is_more: bool,
    pub count: usize,
}

/// Returns the differences between two reports. A finding that only moved isn't a difference.
pub fn changes(before: &Report, after: &Report) -> Vec<CodeChange> {
    let mut surplus: SortedMap<(&SitePath, Code, Severity, &str), isize> = SortedMap::new();
    for (report, step) in [(before, -1), (after, 1)] {
        for diagnostic in report {
            let problem = &diagnostic.problem;
            let key = (&diagnostic.file, problem.code, diagnostic.severity, problem.message.as_str());
            *surplus.entry(key).or_default() += step;
        }
    }
    let mut changes: SortedMap<_, CodeChange> = SortedMap::new();
    for ((_, code, severity, _), surplus) in surplus.into_iter().filter(|(_, surplus)| *surplus != 0) {
        let is_more = surplus > 0;
        let none = CodeChange { severity, code, is_more, count: 0 };
        changes.entry((!is_more, Reverse(severity), code)).or_insert(none).count += surplus.unsigned_abs();
    }
    changes.into_values().collect()
}

/// Returns the files in which two versions of a site differ.
pub(super) fn differing(before: &Sources, after: &Sources) -> SortedSet<SitePath> {
    let texts = |sources: &Sources| -> BTreeMap<SitePath, blake3::Hash> {
        let all = sources.pages.values().chain(sources.templates.values()).chain(sources.beside.values());
        all.chain(&sources.config).map(|text: &Text| (text.path.clone(), text.hash)).collect()
    };
    let (one, other) = (texts(before), texts(after));
    let changed = keys_of_change(&one, &other).chain(keys_of_change(&before.assets, &after.assets));
    changed.cloned().collect()
}

fn keys_of_change<'a, V: PartialEq>(
    one: &'a BTreeMap<SitePath, V>,
    other: &'a BTreeMap<SitePath, V>,
) -> impl Iterator<Item = &'a SitePath> {
    let gone = one.keys().filter(|path| !other.contains_key(*path));
    other.iter().filter(|(path, value)| one.get(*path) != Some(value)).map(|(path, _)| path).chain(gone)
}

/// Reports each save after its check, until the server ends. `first` is the site after its first check.
pub(super) async fn report_saves(mut live: Receiver<Live>, first: Live, tell: impl Fn(&News<'_>)) {
    let (mut version, mut before) = (first.version, first.report);
    loop {
        let is_news = |live: &Live| live.is_checked && live.version != version;
        let Ok(now) = live.wait_for(is_news).await.map(|live| live.clone()) else { return };
        version = now.version;
        if let Some(failure) = &now.failure {
            tell(&News::Failed { saved: &now.saved, failure });
        } else {
            tell(&News::Saved { saved: &now.saved, before: &before, after: &now.report });
            before = now.report;
        }
    }
}

/// Responds to requests until one of them ends the server.
pub(super) async fn answer(
    mut asks: UnboundedReceiver<ServerRequest>,
    mut live: Receiver<Live>,
    tell: impl Fn(&News<'_>),
) {
    while let Some(ask) = asks.recv().await {
        if ask == ServerRequest::End {
            return;
        }
        let Ok(now) = live.wait_for(|live| live.is_checked).await.map(|live| live.clone()) else { return };
        tell(&News::Requested { report: &now.report, work: now.latest(), failure: now.failure.as_deref() });
    }
    // No more requests are possible.
    std::future::pending::<()>().await;
}
