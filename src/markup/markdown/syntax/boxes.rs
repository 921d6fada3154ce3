//! Our own boxes, which most syntaxes have under other names: what opens each, and what ends it.

use super::blocks::{Close, OpenBlocks};
use super::tag::attribute_text;
use crate::markup::markdown::page::NoteKind;

/// The lines that open a box, and those that end it.
pub(super) type Edges = (String, Close);

/// A note within the blocks that are open.
pub(super) fn note(blocks: &OpenBlocks<'_>, kind: NoteKind, title: &str) -> Edges {
    let marks = ":".repeat(blocks.note_colons());
    let blank = if title.is_empty() { "" } else { " " };
    (format!("{marks}{}{blank}{}", kind.class(), title.replace('\n', " ")), Close::Lines(marks))
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
