//! The tables of `build --timings`.

use std::fmt::Write as _;
use std::time::Duration;

use base::store::TableUse;
use base::timings::{Stage, Timings};

/// Stages, which run one after the other.
const STAGES: [(Stage, &str); 6] = [
    (Stage::Read, "read"),
    (Stage::Load, "load"),
    (Stage::Align, "align"),
    (Stage::Plan, "plan"),
    (Stage::Check, "check"),
    (Stage::Publish, "write"),
];

/// Work of threads within `align` and `publish`. Pages of large sites are checked in `publish`.
const PARTS: [(Stage, &str); 10] = [
    (Stage::Parse, "  parse"),
    (Stage::Pictures, "  images"),
    (Stage::Render, "  render"),
    (Stage::Highlight, "  highlight"),
    (Stage::Comparisons, "  compare"),
    (Stage::Data, "  data"),
    (Stage::Markdown, "  markdown"),
    (Stage::Search, "  search"),
    (Stage::Write, "  files"),
    (Stage::Cache, "  cache"),
];

/// Returns the table; `threads` is the number of threads of the run.
pub(super) fn table(timings: &Timings, threads: usize) -> String {
    let mut table = format!("{:<13}{:>9}{:>14}\n", "stage", "elapsed", "on threads");
    let mut row = |name: &str, elapsed: Option<Duration>, work: Duration| {
        let elapsed = elapsed.map_or(String::new(), milliseconds);
        writeln!(table, "{name:<13}{elapsed:>9}{:>14}", milliseconds(work))
            .expect("a String takes everything");
    };
    let (mut elapsed, mut work) = (Duration::ZERO, timings.loading + timings.idle);
    row("startup", None, timings.loading);
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
    row("total", Some(timings.total), timings.processor);
    let threads = super::count(threads, "thread");
    writeln!(table, "`on threads` is the sum over {threads}, without waiting time")
        .expect("a String takes everything");
    table
}

/// Returns the line for `--verbose`: stages that took at least a tenth of the run.
pub(super) fn line(timings: &Timings) -> String {
    let long = STAGES.iter().map(|(stage, name)| (timings.elapsed(*stage), name));
    let long = long.filter(|(elapsed, _)| *elapsed > timings.total / 10);
    let named: Vec<String> =
        long.map(|(elapsed, name)| format!("{name} {}", milliseconds(elapsed))).collect();
    let of_it = if named.is_empty() { String::new() } else { format!(": {}", named.join(", ")) };
    format!("took {}{of_it}", milliseconds(timings.total))
}

/// Returns the table of results from the cache and new results.
pub(super) fn cache_table(tallies: impl Iterator<Item = (&'static str, TableUse)>) -> String {
    let mut table = format!("{:<13}{:>9}{:>14}\n", "", "cached", "new");
    for (name, TableUse { known, made }) in tallies {
        writeln!(table, "{name:<13}{known:>9}{made:>14}").expect("a String takes everything");
    }
    table
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
