//! Constructs that are only reported, because no supported repository uses them.

use super::construct::{AS_WRITTEN, Construct, Slip, TextPlace, closed_by, first_line};

/// `[[Page name]]`.
pub(super) const WIKI_LINK: Construct = Construct {
    name: "wiki-link",
    nouns: ("a wiki link", "wiki links"),
    syntaxes: &[],
    slip: Some(Slip {
        opens: &["[["],
        length: wiki_link,
        seen: AS_WRITTEN,
        help: "use `[text](page.md)`, or `![text](image.png)` for an image",
    }),
    becomes: &[],
};

/// `.. note::`.
pub(super) const RST_DIRECTIVE: Construct = Construct {
    name: "rst-directive",
    nouns: ("a reStructuredText directive", "reStructuredText directives"),
    syntaxes: &[],
    slip: Some(Slip {
        opens: &[".. "],
        length: rst_directive,
        seen: AS_WRITTEN,
        help: "use `:::note` … `:::` for a box, and a code block for code",
    }),
    becomes: &[],
};

/// `[block:callout]`.
pub(super) const README_BLOCK: Construct = Construct {
    name: "readme-block",
    nouns: ("a ReadMe block", "ReadMe blocks"),
    syntaxes: &[],
    slip: Some(Slip {
        opens: &["[block:"],
        length: readme_block,
        seen: AS_WRITTEN,
        help: "use `:::note` … `:::` for a callout, a code block for code, and `![text](…)` for an image",
    }),
    becomes: &[],
};

/// Matches `[[Page name]]` and `[[page|text]]`.
fn wiki_link(place: &TextPlace<'_>) -> Option<usize> {
    let length = closed_by(first_line(place.rest), "]]")?;
    let inside = &place.rest[2..length - 2];
    let is_page = inside.starts_with(|c: char| c.is_alphabetic() || c == '/')
        && inside.chars().filter(|c| c.is_alphabetic()).count() > 1
        && !inside.ends_with(' ')
        && !inside.contains(['[', ']', '"', '\'', ',', '=', ';', '$', '\u{1}']);
    let is_apart = !place.before.ends_with(|c: char| c.is_alphanumeric() || "_)]".contains(c));
    let ends = !place.rest[length..].starts_with(['(', '[', ']']);
    (is_page && is_apart && ends).then_some(length)
}

/// Matches `.. note::`.
fn rst_directive(place: &TextPlace<'_>) -> Option<usize> {
    let line = first_line(place.written).trim_end();
    let (name, _) = line.strip_prefix(".. ")?.split_once("::").filter(|_| place.begins_line)?;
    (!name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-')).then_some(line.len())
}

/// Matches `[block:callout]`.
fn readme_block(place: &TextPlace<'_>) -> Option<usize> {
    let length = closed_by(first_line(place.rest), "]")?;
    let name = &place.rest["[block:".len()..length - 1];
    (place.begins_line && !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
        .then_some(length)
}
