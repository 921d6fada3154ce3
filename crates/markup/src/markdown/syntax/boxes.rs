//! Our own boxes, which most syntaxes have under other names: their opening and end.

use std::ops::Range;

use super::blocks::{Close, OpenBlocks};
use super::tag::attribute_text;
use crate::markdown::page::NoteKind;
use base::diagnostic::{Code, Problem};

/// The opening lines of a box, and its end.
pub(super) type Edges = (String, Close);

/// Returns a note inside the open blocks.
pub(super) fn note(blocks: &OpenBlocks<'_>, kind: NoteKind, title: &str) -> Edges {
    let marks = ":".repeat(blocks.note_colons());
    let blank = if title.is_empty() { "" } else { " " };
    (format!("{marks}{}{blank}{}", kind.class(), title.replace('\n', " ")), Close::Lines(marks))
}

/// A box whose name is nearly that of a note. Any other name may be one that the site's theme has.
pub(super) fn slip_of_note(name: &str, span: Range<usize>) -> Option<Problem> {
    let near = NoteKind::similar_name(name).filter(|_| NoteKind::named(name).is_none())?;
    let message = format!("unknown kind of note `{name}`");
    Some(Problem::new(Code::UnknownDirective, span, message).help(format!("did you mean `{near}`?")))
}

pub(super) fn details(summary: &str) -> Edges {
    let opening = format!("<details>\n<summary>{}</summary>\n", attribute_text(summary));
    (opening, Close::Lines("\n</details>".to_string()))
}

pub(super) fn tabs() -> Edges {
    ("<tabs>".to_string(), Close::Lines("</tabs>".to_string()))
}

pub(super) fn tab(label: &str) -> Edges {
    (format!("<tab label=\"{}\">", attribute_text(label)), Close::Lines("</tab>".to_string()))
}
