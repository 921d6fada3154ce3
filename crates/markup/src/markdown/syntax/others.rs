//! Constructs that are mostly reported, because hardly any supported repository uses them.

use super::construct::{AS_WRITTEN, Construct, Slip, TextPlace, closed_by, first_line};
use super::translator::{RuleAt, Translator};
use input::conventions::Syntax;

/// `[[Page name]]`.
pub(super) const WIKI_LINK: Construct = Construct {
    name: "wiki-link",
    nouns: ("a wiki link", "wiki links"),
    syntaxes: &[Syntax::WikiLinks],
    slip: Some(Slip {
        opens: &["[["],
        length: wiki_link,
        seen: AS_WRITTEN,
        help: "use `[text](page.md)`, or `![text](image.png)` for an image",
    }),
    becomes: &[(&[Syntax::WikiLinks], RuleAt::Place("[[", link))],
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
    // Attributes of C++: <https://en.cppreference.com/w/cpp/language/attributes>.
    let is_page = is_page
        && !matches!(
            inside,
            "carries_dependency"
                | "deprecated"
                | "fallthrough"
                | "likely"
                | "maybe_unused"
                | "no_unique_address"
                | "nodiscard"
                | "noreturn"
                | "unlikely"
        );
    // A call of a function: `F([[text]])`.
    let before = place.before.strip_suffix('(').unwrap_or(place.before);
    let is_apart = !before.ends_with(|c: char| c.is_alphanumeric() || "_)]".contains(c));
    let ends = !place.rest[length..].starts_with(['(', '[', ']']);
    (is_page && is_apart && ends).then_some(length)
}

/// Translates `[[Page name]]` and `[[text|Page name]]`:
/// <https://docs.github.com/en/communities/documenting-your-project-with-wikis/editing-wiki-content>.
fn link(it: &mut Translator<'_, '_>) -> bool {
    let Some(end) = it.find_in_line(it.lines.at + 2, "]]") else { return false };
    let inside = &it.lines.text[it.lines.at + 2..end];
    let (text, page) = inside.split_once('|').unwrap_or((inside, inside));
    let (text, page) = (text.trim(), page.trim());
    // The options of an image are in the place of the page.
    if text.is_empty() || page.is_empty() || page.contains(['=', '<', '>', '[']) {
        return false;
    }
    // In raw HTML, angle brackets are those of a tag.
    let is_bare = !page.contains([' ', '(', ')']);
    it.put(&if is_bare { format!("[{text}]({page})") } else { format!("[{text}](<{page}>)") }, end + 2);
    true
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
