//! The tables of `build --timings`.

use std::fmt::Write as _;
use std::time::Duration;

use crate::store::Tally;
use crate::timings::{Stage, Timings};

/// The stages that follow one another.
const STAGES: [(Stage, &str); 6] = [
    (Stage::Read, "read"),
    (Stage::Load, "load"),
    (Stage::Align, "align"),
    (Stage::Plan, "plan"),
    (Stage::Check, "check"),
    (Stage::Publish, "publish"),
];

/// What threads do in `align`, `check` and `publish`, each all of it in turn. Of a large site both happen at once.
const PARTS: [(Stage, &str); 6] = [
    (Stage::Parse, "  parse"),
    (Stage::Pictures, "  pictures"),
    (Stage::Check, "  rules"),
    (Stage::Render, "  render"),
    (Stage::Highlight, "  highlight"),
    (Stage::Write, "  write"),
];

/// `threads` is how many a run had.
pub(super) fn table(timings: &Timings, threads: usize) -> String {
    let mut table = format!("{:<12}{:>10}{:>14}\n", "stage", "elapsed", "on threads");
    let mut row = |name: &str, elapsed: Option<Duration>, work: Option<Duration>| {
        let line = format!("{name:<12}{:>10}{:>14}", milliseconds(elapsed), milliseconds(work));
        writeln!(table, "{}", line.trim_end()).expect("a String takes everything");
    };
    let mut named = Duration::ZERO;
    for (stage, name) in STAGES {
        let elapsed = timings.elapsed(stage);
        named += elapsed;
        row(name, Some(elapsed), None);
    }
    for (stage, name) in PARTS {
        row(name, None, Some(timings.work(stage)));
    }
    row("other", Some(timings.total.saturating_sub(named)), None);
    row("in all", Some(timings.total), None);
    let threads = super::count(threads, "thread");
    writeln!(table, "`on threads` adds up what {threads} did side by side")
        .expect("a String takes everything");
    table
}

/// How much of each kind a run knew and made.
pub(super) fn known(tallies: impl Iterator<Item = (&'static str, Tally)>) -> String {
    let mut table = format!("{:<12}{:>10}{:>14}\n", "", "known", "made");
    for (name, Tally { known, made }) in tallies {
        writeln!(table, "{name:<12}{known:>10}{made:>14}").expect("a String takes everything");
    }
    table
}

fn milliseconds(time: Option<Duration>) -> String {
    time.map_or(String::new(), |time| format!("{:.1} ms", time.as_secs_f64() * 1e3))
}
