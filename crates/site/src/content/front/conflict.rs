//! Front matter with Git's conflict markers.

use std::ops::Range;

use super::lines;
use base::conflict::{self, OURS, THEIRS, is_marker};
use base::diagnostic::Problem;

/// Returns the block of `text` with only the first side of each conflict at its original position, and the finding at
/// the first line of a conflict. Returns `None` without conflicts.
pub(super) fn ours(text: &str, block: &Range<usize>) -> Option<(String, Problem)> {
    let yaml = &text[block.clone()];
    let is_end = |line: &Range<usize>| is_marker(yaml[line.clone()].trim_end(), THEIRS);
    let first = lines(yaml, 0).find(|line| is_marker(yaml[line.clone()].trim_end(), OURS))?;
    lines(yaml, first.start).find(is_end)?;
    let mut ours = String::with_capacity(yaml.len());
    let mut is_other = false;
    for whole in yaml.split_inclusive('\n') {
        let line = whole.trim_end();
        let is_start = is_marker(line, OURS);
        is_other = !is_start && (is_other || is_marker(line, "=======") || is_marker(line, "|||||||"));
        if is_start || is_other {
            // Later positions don't change.
            ours.push_str(&blanked(whole));
        } else {
            ours.push_str(whole);
        }
        is_other &= !is_marker(line, THEIRS);
    }
    let start = block.start + first.start;
    let end = start + yaml[first].trim_end().len();
    Some((ours, conflict::problem(text, start..end)))
}

fn blanked(line: &str) -> String {
    line.bytes().map(|byte| if matches!(byte, b'\r' | b'\n') { char::from(byte) } else { ' ' }).collect()
}
