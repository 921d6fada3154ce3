//! Finds Git's conflict markers.

use std::ops::Range;

use crate::markdown::page::Page;
use base::conflict::{OURS, THEIRS, is_marker, problem};
use base::lines::placed;

/// A code block.
#[derive(Debug)]
pub(in crate::markdown) struct CodeExtent {
    /// Range in the file.
    pub(in crate::markdown) span: Range<usize>,
    /// Whether it may show a conflict to readers intentionally, by its language.
    pub(in crate::markdown) may_show: bool,
}

/// Languages of code blocks that may show a conflict intentionally.
pub(in crate::markdown) const MAY_SHOW: [&str; 9] =
    ["", "conflict", "diff", "git", "none", "output", "patch", "plaintext", "text"];

/// Records each conflict in `text`, a complete file, starting at the offset `body`. A conflict in one of the blocks
/// in `code`, which are sorted, may be intentional.
pub(in crate::markdown) fn collect(text: &str, body: usize, code: &[CodeExtent], page: &mut Page) {
    let bytes = &text.as_bytes()[body..];
    let begins_mark = |at: usize| [OURS, THEIRS].iter().any(|mark| bytes[at..].starts_with(mark.as_bytes()));
    if !memchr::memchr2_iter(OURS.as_bytes()[0], THEIRS.as_bytes()[0], bytes).any(begins_mark) {
        return;
    }
    let known = (page.problems.len(), page.conflicts.len());
    let mut open: Option<Range<usize>> = None;
    for (at, whole) in placed(&text[body..], body) {
        let line = at..at + whole.trim_end().len();
        if is_marker(&text[line.clone()], OURS) {
            // An unclosed conflict ends at the next one.
            if let Some(first) = open.replace(line.clone()) {
                note(text, first.clone(), first.end, code, page);
            }
        } else if is_marker(&text[line.clone()], THEIRS) {
            let first = open.take().unwrap_or_else(|| line.clone());
            note(text, first, line.end, code, page);
        }
    }
    if let Some(first) = open {
        note(text, first.clone(), first.end, code, page);
    }
    // A page about conflicts shows some.
    let ends = page.conflicts[known.1..].iter().map(|it| it.start).chain([text.len()]);
    let starts = [0].into_iter().chain(page.conflicts[known.1..].iter().map(|it| it.end));
    if starts.zip(ends).any(|(start, end)| text[start..end.max(start)].contains("conflict")) {
        for problem in &mut page.problems[known.0..] {
            *problem = problem.clone().as_warning();
        }
    }
}

/// Records the conflict whose first line is `first`.
fn note(text: &str, first: Range<usize>, end: usize, code: &[CodeExtent], page: &mut Page) {
    let block = code.partition_point(|block| block.span.end <= first.start);
    let around = code.get(block).filter(|block| block.span.start <= first.start && end <= block.span.end);
    // A single line of these characters may be part of the code.
    let is_whole = end > first.end && text[first.end..end].contains("\n=======");
    // Programs that edit files write such blocks with words instead of the names of commits.
    let label = text[first.clone()].trim_start_matches(['<', '>', ' ']);
    let is_example =
        label != "HEAD" && label.len() > 1 && label.bytes().all(|byte| byte.is_ascii_uppercase());
    if around.is_some_and(|block| block.may_show || is_example || !is_whole) {
        return;
    }
    // A complete one in code may be an example with other names.
    let problem = problem(text, first.clone());
    page.problems.push(if around.is_some() { problem.as_warning() } else { problem });
    page.conflicts.push(first.start..end);
}
