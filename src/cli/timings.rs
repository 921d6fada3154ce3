//! The table of `build --timings`.

use std::fmt::Write as _;
use std::time::Duration;

use crate::timings::{Stage, Timings};

/// The stages that follow one another, and whether their threads were measured too.
const STAGES: [(Stage, &str, bool); 7] = [
    (Stage::Read, "read", false),
    (Stage::Load, "load", false),
    (Stage::Parse, "parse", true),
    (Stage::Align, "align", false),
    (Stage::Plan, "plan", false),
    (Stage::Check, "check", false),
    (Stage::Publish, "publish", false),
];

/// What `publish` consists of; each thread does all of it in turn.
const PARTS: [(Stage, &str); 3] =
    [(Stage::Render, "  render"), (Stage::Highlight, "  highlight"), (Stage::Write, "  write")];

/// `threads` is how many a run had.
pub(super) fn table(timings: &Timings, threads: usize) -> String {
    let mut table = format!("{:<12}{:>10}{:>14}\n", "stage", "elapsed", "on threads");
    let mut row = |name: &str, elapsed: Option<Duration>, work: Option<Duration>| {
        let line = format!("{name:<12}{:>10}{:>14}", milliseconds(elapsed), milliseconds(work));
        writeln!(table, "{}", line.trim_end()).expect("a String takes everything");
    };
    let mut named = Duration::ZERO;
    for (stage, name, on_threads) in STAGES {
        let elapsed = timings.elapsed(stage);
        named += elapsed;
        row(name, Some(elapsed), on_threads.then(|| timings.work(stage)));
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

fn milliseconds(time: Option<Duration>) -> String {
    time.map_or(String::new(), |time| format!("{:.1} ms", time.as_secs_f64() * 1e3))
}
