//! A table in Markdown: the summary of a step, or a comment on a change.

use std::fmt::Write as _;

use super::LineIndex;
use crate::base::diagnostic::{Report, visible};
use crate::input::source::Sources;

/// A summary of GitHub's may have 1 MiB, a comment 64 KiB; a table beyond this many rows is not read anyway.
const ROWS: usize = 200;

/// Files are named below `folder`, which is empty or ends with a slash.
pub(super) fn text(report: &Report, sources: &Sources, folder: &str) -> String {
    let mut positions = LineIndex::new(sources);
    let mut text = String::from("## Stepkin\n\n");
    if report.is_empty() {
        return text + "Nothing to report.\n";
    }
    text.push_str("| severity | place | finding |\n| --- | --- | --- |\n");
    for diagnostic in report.iter().take(ROWS) {
        let problem = &diagnostic.problem;
        let (start, _) = positions.of(diagnostic.file.as_str(), &problem.span);
        writeln!(
            text,
            "| {} | `{}:{}` | {} (`{}`) |",
            diagnostic.severity.name(),
            cell(&format!("{folder}{}", diagnostic.file)),
            start.line,
            cell(&problem.message),
            problem.code
        )
        .expect("a String takes everything");
    }
    if report.iter().len() > ROWS {
        writeln!(text, "\nand {} more", report.iter().len() - ROWS).expect("a String takes everything");
    }
    text
}

/// What a cell may hold: one line, and no mark of the next cell.
fn cell(text: &str) -> String {
    visible(text.replace('|', "\\|").replace(['\r', '\n'], " "))
}
