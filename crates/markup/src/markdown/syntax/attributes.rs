//! Attribute lists in kramdown, Python-Markdown and goldmark: `{: .class #id}`, `{ .class }`.

use std::ops::Range;

use super::blocks::{BlockKind, Close};
use super::construct::{AS_WRITTEN, Construct, Slip, TextPlace, closed_by, first_line, is_name};
use super::translator::{RuleAt, Translator};
use crate::markdown::page::{NoteKind, PageAnchor};
use base::diagnostic::{Code, Problem};
use base::quoted::quoted;
use input::conventions::Syntax;

/// `{: .class #id}`, `{ .class }`.
pub(super) const LIST: Construct = Construct {
    name: "attribute-list",
    nouns: ("a kramdown attribute list", "kramdown attribute lists"),
    syntaxes: &[Syntax::Kramdown, Syntax::Shortcodes],
    slip: Some(Slip {
        opens: &["{"],
        length: attribute_list,
        seen: AS_WRITTEN,
        help: "remove it; add the ID of a heading after it as `{#id}`, and use HTML for classes",
    }),
    becomes: &[
        (&[Syntax::Kramdown], RuleAt::Line(opens_markdown)),
        (&[Syntax::Kramdown, Syntax::Indented, Syntax::Shortcodes, Syntax::Myst], RuleAt::Line(line)),
        (&[Syntax::Kramdown, Syntax::Indented, Syntax::Vue, Syntax::Myst], RuleAt::Place("{", place)),
        (&[Syntax::Kramdown], RuleAt::HeadingEnd(id_below)),
    ],
};

/// The same in the opening line of a code block.
pub(super) const OF_FENCE: Construct = Construct {
    name: "fence-attributes",
    syntaxes: ANY,
    becomes: &[(ANY, RuleAt::Fence(id_of_fence))],
    ..Construct::SILENT
};

/// A `|` in code that doesn't end a cell.
pub(super) const PIPE: Construct = Construct {
    name: "pipe-in-code",
    syntaxes: &[Syntax::CodePipes],
    becomes: &[(&[Syntax::CodePipes], RuleAt::Code(escape_pipes))],
    ..Construct::SILENT
};

/// Lists without a dot in kramdown: `{:toc}`, `{:.no_toc}`, `{::comment}`.
const KRAMDOWN: [&str; 5] = ["toc", ":comment", ":/comment", ":nomarkdown", ":/nomarkdown"];

/// Matches `{: .class}`, `{:toc}`, and `{.class}` or `{width=300}` directly after a link, an image or code.
fn attribute_list(place: &TextPlace<'_>) -> Option<usize> {
    let length = closed_by(first_line(place.written), "}")?;
    let inside = &place.written[1..length - 1];
    let list = inside.strip_prefix(':').unwrap_or(inside).trim();
    let is_attribute = |word: &str| match word.split_once('=') {
        Some((name, value)) => is_name(name) && !value.is_empty(),
        None => word.strip_prefix(['.', '#']).is_some_and(is_name),
    };
    let is_list = !list.is_empty() && words(list).all(is_attribute);
    let is_kramdown = inside.starts_with(':') && (is_list || KRAMDOWN.contains(&list));
    let follows_markup = place.before.ends_with([')', ']', '`', '*']);
    let is_alone = place.begins_line && first_line(place.written).trim_end().len() == length;
    (is_kramdown || is_list && (follows_markup || is_alone && inside.starts_with([' ', '.'])))
        .then_some(length)
}

/// Every syntax, including our own with included code.
const ANY: &[Syntax] = &[
    Syntax::Mdx,
    Syntax::Directives,
    Syntax::Shortcodes,
    Syntax::Liquid,
    Syntax::Indented,
    Syntax::Kramdown,
    Syntax::CodePipes,
    Syntax::Vue,
    Syntax::Mdbook,
    Syntax::Snippets,
    Syntax::Myst,
    Syntax::CodeFiles,
];

/// Maximum length of a list in bytes.
const LONGEST: usize = 400;

/// Parses the list in braces at the start of a text, and returns its length and words.
fn list(text: &str, needs_colon: bool) -> Option<(usize, Vec<&str>)> {
    let start = &text.as_bytes()[..text.len().min(LONGEST)];
    let end = start.iter().position(|byte| matches!(byte, b'}' | b'\n')).filter(|end| start[*end] == b'}')?;
    let inside = text[1..end].strip_prefix(':');
    if inside.is_none() && needs_colon {
        return None;
    }
    let inside = inside.unwrap_or(&text[1..end]);
    let words: Vec<&str> = words(inside).collect();
    let is_attribute = |word: &&str| match word.split_once('=') {
        Some((name, _)) => is_name(name),
        None => {
            word.strip_prefix(['.', '#']).is_some_and(|name| is_name(&unescaped(name)))
                || is_contents_word(word)
        }
    };
    let is_special = inside.starts_with(':') || inside.starts_with('/');
    (is_special || !words.is_empty() && words.iter().all(is_attribute)).then_some((end + 1, words))
}

/// Whether a word inserts a table of contents, or excludes a heading from one.
fn is_contents_word(word: &str) -> bool {
    matches!(word, "toc" | "no_toc")
}

/// Returns the words of a list. Quoted values may contain spaces.
fn words(list: &str) -> impl Iterator<Item = &str> {
    let mut in_quotes = false;
    let words = list.split(move |c: char| {
        in_quotes ^= c == '"';
        c.is_whitespace() && !in_quotes
    });
    words.filter(|word| !word.is_empty())
}

/// Translates a list that is alone on its line, including the table of contents for which it may stand.
pub(super) fn line(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    if is_contents(it, inner) {
        let next = it.lines.line_end(it.lines.at);
        let length = it.lines.rest_of_line(next).len();
        it.out.shown = false;
        it.lines.has_marks = false;
        it.remove(next + length);
        it.end_of_line();
        return true;
    }
    if !inner.starts_with('{') || inner.starts_with("{{") || inner.starts_with("{%") {
        return false;
    }
    if let Some(end) =
        inner.strip_prefix("{::comment}").and(it.fuel.find(it.lines.text, it.lines.at, "{:/comment}"))
    {
        it.remove(end + "{:/comment}".len());
        it.inline();
        return true;
    }
    let needs_colon = it.has(Syntax::Kramdown) && !it.has(Syntax::Indented);
    let Some((length, words)) = list(inner, needs_colon) else {
        let is_alone = needs_colon && list(inner, false).is_some_and(|(length, _)| length == inner.len());
        let problem = if is_alone { without_colon(it, inner) } else { None };
        it.notes.problems.extend(problem);
        return false;
    };
    if length != inner.len() {
        // The list of an item, before its text: "Lists" on <https://kramdown.gettalong.org/syntax.html>.
        let is_of_item = it.lines.has_marks && inner.starts_with("{:") && inner[length..].starts_with(' ');
        if is_of_item {
            note_id(it, &words, it.lines.at..it.lines.at + length);
            it.remove(it.lines.at + length + 1);
            it.inline();
        }
        return is_of_item;
    }
    note_id(it, &words, it.lines.at..it.lines.at + length);
    let kind =
        words.iter().find_map(|word| NoteKind::named(word.strip_prefix('.')?.trim_end_matches("-title")));
    let next = it.lines.line_end(it.lines.at);
    let follows = !it.lines.rest_of_line(next).trim().is_empty() && it.out.is_after_blank(it.lines.body);
    let end = it.lines.at + length;
    match kind.filter(|_| follows) {
        Some(kind) => {
            let marks = ":".repeat(it.blocks.note_colons());
            it.put(&format!("{marks}{}", kind.class()), end);
            it.open_in_place(BlockKind::Paragraph, Close::Lines(marks));
        }
        None => it.remove(end),
    }
    it.inline();
    true
}

/// Reports `{ .class }` alone on a line or after a link, which only Python-Markdown and goldmark read:
/// <https://kramdown.gettalong.org/syntax.html#attribute-list-definitions>.
fn without_colon(it: &Translator<'_, '_>, inner: &str) -> Option<Problem> {
    let (length, words) = list(inner, false)?;
    let is_list = words.iter().all(|word| word.starts_with(['.', '#']) || word.contains('='));
    let start = it.lines.at;
    let message = format!("kramdown has no {}, so readers see it", quoted(&inner[..length]));
    let help = "use `{:` at its start".to_string();
    let problem = Problem::new(Code::UnsupportedSyntax, start..start + length, message).help(help);
    (is_list && it.depth == 0).then(|| problem.as_warning().edit(start + 1..start + 1, ":"))
}

/// Writes the ID from the list on the line after a heading.
pub(super) fn id_below(it: &mut Translator<'_, '_>) {
    let below = it.lines.rest_of_line(it.lines.at + 1).trim();
    if !below.starts_with("{:") {
        return;
    }
    let Some((length, words)) = list(below, true) else { return };
    if let Some(id) = id_in(&words).filter(|_| length == below.len()) {
        it.out.put(&format!(" {{#{id}}}"), it.lines.at..it.lines.at);
    }
}

/// Returns the ID in a list: `#id`, `id=id`.
fn id_in(words: &[&str]) -> Option<String> {
    let id = |word: &&str| {
        let quoted = || word.strip_prefix("id=").map(|id| id.trim_matches(['"', '\'']));
        let id = word.strip_prefix('#').or_else(quoted)?;
        (!id.is_empty() && !id.contains('}')).then(|| unescaped(id))
    };
    words.iter().find_map(id)
}

/// Returns a name without the backslashes before signs, which Python-Markdown removes in lists as it does in text.
fn unescaped(name: &str) -> String {
    name.replace("\\_", "_").replace("\\-", "-").replace("\\.", ".")
}

/// Records the ID in a list for content other than a heading.
fn note_id(it: &mut Translator<'_, '_>, words: &[&str], span: Range<usize>) {
    if let Some(id) = id_in(words) {
        it.notes.anchors.push(PageAnchor { id, span });
    }
}

/// Records the ID in the opening line of a code block.
fn id_of_fence(it: &mut Translator<'_, '_>, _mark: u8, length: usize) -> bool {
    let line = it.lines.rest_of_line(it.lines.at);
    let Some(open) = line[length..].find('{').map(|at| length + at) else { return false };
    if let Some((_, words)) = list(&line[open..], false) {
        note_id(it, &words, it.lines.at + open..it.lines.at + line.len());
    }
    false
}

/// Escapes the pipes in the code of a table's row.
fn escape_pipes(it: &mut Translator<'_, '_>, end: usize) {
    if !it.lines.is_row {
        return;
    }
    while let Some(at) = it.lines.text.get(it.lines.at..end).and_then(|code| code.find('|')) {
        it.copy_to(it.lines.at + at);
        let is_escaped = it.lines.text[..it.lines.at].ends_with('\\');
        it.put(if is_escaped { "|" } else { "\\|" }, it.lines.at + 1);
    }
}

/// Separates a tag with the attribute `markdown`, alone on its line, from the Markdown after it.
fn opens_markdown(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    let is_tag = inner.starts_with('<') && inner.ends_with('>') && !inner.starts_with("</");
    let says = inner.split([' ', '\t', '>']).any(|word| word == "markdown" || word.starts_with("markdown="));
    let next = it.lines.line_end(it.lines.at);
    if is_tag && says && inner.matches('<').count() == 1 && !it.lines.rest_of_line(next).trim().is_empty() {
        it.copy_to(it.lines.at + inner.len());
        let blank = format!("\n{}", it.lines.lead.trim_end());
        it.out.put(&blank, it.lines.at..it.lines.at);
    }
    false
}

/// Whether this is a list item followed by `{:toc}`, or another marker for a table of contents.
fn is_contents(it: &Translator<'_, '_>, inner: &str) -> bool {
    if !it.lines.has_marks || inner.is_empty() {
        return false;
    }
    let next = it.lines.line_end(it.lines.at);
    let next = it.lines.rest_of_line(next).trim();
    next.starts_with("{:toc") && it.has(Syntax::Kramdown)
}

/// A link without text and target.
const EMPTY_LINK: &str = "[]()";

/// Translates a list after a heading, a link, an image or code. The ID of a heading stays.
pub(super) fn place(it: &mut Translator<'_, '_>) -> bool {
    let rest = it.lines.rest();
    if rest.starts_with("{{") || rest.starts_with("{%") {
        return false;
    }
    let before = it.out.text.as_bytes().last().copied().unwrap_or(b'\n');
    // The last ones are of `pymdownx.caret`, `mark` and `tilde`.
    let follows = matches!(before, b')' | b']' | b'`' | b'*' | b'>' | b'"')
        || it.has(Syntax::Indented) && matches!(before, b'^' | b'=' | b'~');
    let is_heading = it.lines.is_heading && matches!(before, b' ' | b'\t');
    if rest.starts_with("{::") || rest.starts_with("{:/") {
        let Some(end) = it.lines.rest_of_line(it.lines.at).find('}') else { return false };
        it.remove(it.lines.at + end + 1);
        return true;
    }
    let needs_colon = it.has(Syntax::Kramdown) && !it.has(Syntax::Indented);
    if before == b'`' && it.has(Syntax::Vue) {
        // The language of a code span.
        let end = rest[1..].bytes().take_while(u8::is_ascii_alphanumeric).count() + 1;
        if end > 1 && rest[end..].starts_with('}') {
            it.remove(it.lines.at + end + 1);
            return true;
        }
    }
    let Some((length, words)) = list(rest, needs_colon) else {
        if needs_colon && matches!(before, b')' | b']' | b'`' | b'*') {
            let problem = without_colon(it, rest);
            it.notes.problems.extend(problem);
        }
        return false;
    };
    let ends = it.lines.rest_of_line(it.lines.at + length).trim().is_empty();
    if is_heading && ends {
        match id_in(&words) {
            Some(id) => it.put(&format!("{{#{id}}}"), it.lines.at + length),
            None => it.remove(it.lines.at + length),
        }
        return true;
    }
    let is_behind_block = ends && it.has(Syntax::Indented) && rest.starts_with("{ .");
    let begins_definition = needs_colon && it.out.text[it.out.line..].trim() == ":";
    // Without the list, `[a]{#b}(c)` would become a link.
    let is_in_brackets = before == b']' && rest[length..].starts_with(['(', '[']);
    if !follows && !is_behind_block && !begins_definition || is_in_brackets {
        return false;
    }
    // An empty link carries an ID: `[](){#id}`.
    if id_in(&words).is_some() && it.out.text.ends_with(EMPTY_LINK) {
        let length = it.out.text.len() - EMPTY_LINK.len();
        it.out.text.truncate(length);
        it.out.map.truncate(length);
    }
    note_id(it, &words, it.lines.at..it.lines.at + length);
    it.remove(it.lines.at + length);
    true
}
