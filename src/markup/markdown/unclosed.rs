//! Findings about elements, tags and comments that never end.

use std::ops::Range;

use crate::base::diagnostic::{Code, Problem};

/// An element that no end tag ends where it has to end.
pub(super) fn unclosed(name: &str, span: Range<usize>) -> Problem {
    let message = format!("`<{name}>` is not closed in the block that it begins in");
    let help = format!("write `</{name}>` where it ends, or `&lt;{name}&gt;` to show it as it is");
    Problem::new(Code::UnclosedElement, span, message).help(help)
}

/// A tag or comment that never ends.
pub(super) fn unfinished(written: &str, span: Range<usize>) -> Problem {
    if written.starts_with("<!--") {
        return unclosed_comment(span);
    }
    let message = "a tag begins here that has no `>`";
    let help = "end the tag with `>`; write `&lt;` for a `<` that readers should see".to_string();
    Problem::new(Code::UnclosedElement, span, message).help(help)
}

/// A comment without an end.
pub(super) fn unclosed_comment(span: Range<usize>) -> Problem {
    let message = "a comment begins here that is never closed";
    let help = "write `-->` where it ends; until then it ends with its paragraph".to_string();
    Problem::new(Code::UnclosedElement, span, message).help(help)
}
