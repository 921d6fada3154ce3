//! Findings about elements, tags and comments without an end.

use std::ops::Range;

use super::html::is_html;
use base::diagnostic::{Code, Problem};

/// Returns the finding for an element without an end tag where it must end.
pub(super) fn unclosed(name: &str, span: Range<usize>) -> Problem {
    let message = format!("`<{name}>` is not closed in its block");
    let (add, show) =
        (format!("add `</{name}>` at its end"), format!("use `&lt;{name}&gt;` to show it as text"));
    // Custom elements and parts of SVG are rather placeholders in angle brackets.
    let is_placeholder = name.contains(['-', '_']);
    let help = match is_html(name) {
        true => format!("{add}, or {show}"),
        false if is_placeholder => show,
        false => format!("{show}, or {add}"),
    };
    Problem::new(Code::UnclosedElement, span, message).help(help)
}

/// Whether a finding is that an element with this name has no end tag.
pub(super) fn is_unclosed(problem: &Problem, name: &str) -> bool {
    problem.message == unclosed(name, problem.span.clone()).message
}

/// Returns the finding for a link that contains another one.
pub(super) fn nested_link(span: Range<usize>) -> Problem {
    let message = "another link begins in this link, so browsers end it there";
    let help = "remove one of the two `<a>`".to_string();
    Problem::new(Code::UnclosedElement, span, message).help(help).as_advice()
}

/// Returns the finding for a tag or comment without an end.
pub(super) fn unfinished(written: &str, span: Range<usize>) -> Problem {
    if written.starts_with("<!--") {
        return unclosed_comment(span);
    }
    let message = "the tag has no `>`";
    let help = "add `>`, or use `&lt;` to show a `<`".to_string();
    Problem::new(Code::UnclosedElement, span, message).help(help)
}

/// Returns the finding for a comment without an end.
pub(super) fn unclosed_comment(span: Range<usize>) -> Problem {
    let message = "the comment is never closed";
    let help = "add `-->` at its end; without it, it ends with its paragraph".to_string();
    Problem::new(Code::UnclosedElement, span, message).help(help)
}
