//! Findings about elements, tags and comments without an end.

use std::ops::Range;

use crate::base::diagnostic::{Code, Problem};

/// Returns the finding for an element without an end tag where it must end.
pub(super) fn unclosed(name: &str, span: Range<usize>) -> Problem {
    let message = format!("`<{name}>` is not closed in the block that it begins in");
    let help = format!("write `</{name}>` where it ends, or `&lt;{name}&gt;` to show it as it is");
    Problem::new(Code::UnclosedElement, span, message).help(help)
}

/// Returns the finding for a tag or comment without an end.
pub(super) fn unfinished(written: &str, span: Range<usize>) -> Problem {
    if written.starts_with("<!--") {
        return unclosed_comment(span);
    }
    let message = "a tag begins here that has no `>`";
    let help = "end the tag with `>`; write `&lt;` for a `<` that readers should see".to_string();
    Problem::new(Code::UnclosedElement, span, message).help(help)
}

/// Returns the finding for a comment without an end.
pub(super) fn unclosed_comment(span: Range<usize>) -> Problem {
    let message = "a comment begins here that is never closed";
    let help = "write `-->` where it ends; until then it ends with its paragraph".to_string();
    Problem::new(Code::UnclosedElement, span, message).help(help)
}
