//! The tables of `build --timings`.

use std::fmt::Write as _;
use std::time::Duration;

use crate::base::store::TableUse;
use crate::base::timings::{Stage, Timings};

/// The stages that follow one another.
const STAGES: [(Stage, &str); 6] = [
    (Stage::Read, "read"),
    (Stage::Load, "load"),
    (Stage::Align, "align"),
    (Stage::Plan, "plan"),
    (Stage::Check, "check"),
    (Stage::Publish, "publish"),
];

/// What threads do in `align` and `publish` beside. Of a large site pages are checked in `publish`.
const PARTS: [(Stage, &str); 10] = [
    (Stage::Parse, "  parse"),
    (Stage::Pictures, "  pictures"),
    (Stage::Render, "  render"),
    (Stage::Highlight, "  highlight"),
    (Stage::Comparisons, "  compare"),
    (Stage::Data, "  data"),
    (Stage::Markdown, "  markdown"),
    (Stage::Search, "  search"),
    (Stage::Write, "  write"),
    (Stage::Cache, "  cache"),
];

/// `threads` is how many a run had.
pub(super) fn table(timings: &Timings, threads: usize) -> String {
    let mut table = format!("{:<13}{:>9}{:>14}\n", "stage", "elapsed", "on threads");
    let mut row = |name: &str, elapsed: Option<Duration>, work: Duration| {
        let elapsed = elapsed.map_or(String::new(), milliseconds);
        writeln!(table, "{name:<13}{elapsed:>9}{:>14}", milliseconds(work))
            .expect("a String takes everything");
    };
    let (mut elapsed, mut work) = (Duration::ZERO, timings.loading + timings.idle);
    row("loading", None, timings.loading);
    for (stage, name) in STAGES {
        elapsed += timings.elapsed(stage);
        work += timings.work(stage);
        row(name, Some(timings.elapsed(stage)), timings.work(stage));
    }
    for (stage, name) in PARTS {
        work += timings.work(stage);
        row(name, None, timings.work(stage));
    }
    row("idle threads", None, timings.idle);
    row("other", Some(timings.total.saturating_sub(elapsed)), timings.processor.saturating_sub(work));
    row("in all", Some(timings.total), timings.processor);
    let threads = super::count(threads, "thread");
    writeln!(table, "`on threads` adds up what {threads} did side by side, without waiting")
        .expect("a String takes everything");
    table
}

/// What took long, for `--verbose`: the stages that took a tenth of the run at least.
pub(super) fn line(timings: &Timings) -> String {
    let long = STAGES.iter().map(|(stage, name)| (timings.elapsed(*stage), name));
    let long = long.filter(|(elapsed, _)| *elapsed > timings.total / 10);
    let named: Vec<String> =
        long.map(|(elapsed, name)| format!("{name} {}", milliseconds(elapsed))).collect();
    let of_it = if named.is_empty() { String::new() } else { format!(": {}", named.join(", ")) };
    format!("{} in all{of_it}", milliseconds(timings.total))
}

/// How much of each kind a run knew and made.
pub(super) fn known(tallies: impl Iterator<Item = (&'static str, TableUse)>) -> String {
    let mut table = format!("{:<13}{:>9}{:>14}\n", "", "known", "made");
    for (name, TableUse { known, made }) in tallies {
        writeln!(table, "{name:<13}{known:>9}{made:>14}").expect("a String takes everything");
    }
    table
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
