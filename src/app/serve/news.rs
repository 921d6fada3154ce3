//! What came of a save: which files changed, how long it took until they were shown, and what is found since.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch::Receiver;

use super::Live;
use crate::base::diagnostic::{Code, Report, Severity};
use crate::base::site_path::SitePath;
use crate::input::source::{Sources, Text};
use crate::site::work::Work;

/// What is told of the site while it is served.
#[derive(Debug)]
pub enum News<'a> {
    /// What is wrong with it when it is checked first.
    First(&'a Report),
    /// It was saved and checked again.
    Saved { saved: &'a Saved, before: &'a Report, after: &'a Report },
    /// It was saved and cannot be read or used.
    Failed { saved: &'a Saved, failure: &'a str },
    /// What is wrong with it was asked for; `failure` is why the newest version cannot be read or used.
    Asked { report: &'a Report, work: &'a Work, failure: Option<&'a str> },
}

/// What may be asked of a server by whoever started it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    Findings,
    End,
}

/// Files that changed since the site was last checked.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    pub files: BTreeSet<SitePath>,
    /// From the last of them being seen to its being shown.
    pub took: Duration,
}

/// Findings of one code and severity, and how many there are more of them, or fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeChange {
    pub severity: Severity,
    pub code: Code,
    pub is_more: bool,
    pub count: usize,
}

/// What two reports differ in. A finding that only has moved is the same.
pub fn changes(before: &Report, after: &Report) -> Vec<CodeChange> {
    let mut surplus: BTreeMap<(&SitePath, Code, Severity, &str), isize> = BTreeMap::new();
    for (report, step) in [(before, -1), (after, 1)] {
        for diagnostic in report {
            let problem = &diagnostic.problem;
            let key = (&diagnostic.file, problem.code, diagnostic.severity, problem.message.as_str());
            *surplus.entry(key).or_default() += step;
        }
    }
    let mut changes: BTreeMap<_, CodeChange> = BTreeMap::new();
    for ((_, code, severity, _), surplus) in surplus.into_iter().filter(|(_, surplus)| *surplus != 0) {
        let is_more = surplus > 0;
        let none = CodeChange { severity, code, is_more, count: 0 };
        changes.entry((!is_more, Reverse(severity), code)).or_insert(none).count += surplus.unsigned_abs();
    }
    changes.into_values().collect()
}

/// The files in which two readings of a site differ.
pub(super) fn differing(before: &Sources, after: &Sources) -> BTreeSet<SitePath> {
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

/// Tells of each save when it has been checked, until the site is served no more. `first` is the site as it was checked
/// first.
pub(super) async fn tell_saves(mut live: Receiver<Live>, first: Live, tell: impl Fn(&News<'_>)) {
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

/// Answers what is asked until somebody asks for the end.
pub(super) async fn answer(
    mut asks: UnboundedReceiver<Ask>,
    mut live: Receiver<Live>,
    tell: impl Fn(&News<'_>),
) {
    while let Some(ask) = asks.recv().await {
        if ask == Ask::End {
            return;
        }
        let Ok(now) = live.wait_for(|live| live.is_checked).await.map(|live| live.clone()) else { return };
        tell(&News::Asked { report: &now.report, work: now.latest(), failure: now.failure.as_deref() });
    }
    // Nobody can ask any more.
    std::future::pending::<()>().await;
}
