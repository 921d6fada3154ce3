//! A Markdown table, for the summary of a CI step or a pull request comment.

use std::fmt::Write as _;

use super::LineIndex;
use base::diagnostic::{Report, visible};
use input::source::Sources;

/// Maximum number of rows. GitHub allows 1 MiB in a summary and 64 KiB in a comment, and longer tables aren't useful.
const ROWS: usize = 200;

/// Paths are relative to `folder`, which is empty or ends with a slash.
pub(super) fn text(report: &Report, sources: &Sources, folder: &str) -> String {
    let mut positions = LineIndex::new(sources);
    let mut text = String::from("## Stepkin\n\n");
    if report.is_empty() {
        return text + "No problems found.\n";
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

/// Escapes a cell: one line, without the separator of cells.
fn cell(text: &str) -> String {
    visible(text.replace('|', "\\|").replace(['\r', '\n'], " "))
}
