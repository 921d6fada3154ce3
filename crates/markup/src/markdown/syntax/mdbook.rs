//! mdBook's directives: `{{#include file}}`.

use super::construct::{AS_WRITTEN, Construct, Slip, TextPlace, closed_by, misspelled_directive};
use super::notes::InclusionKind;
use super::translator::{RuleAt, Translator};
use super::{files, parts};
use crate::markdown::page::{OmissionReason, PageAnchor};
use base::diagnostic::{Code, Problem};
use base::sorted::SortedMap;
use input::conventions::{AnchorRule, Syntax};

/// `{{#include file}}`.
pub(in crate::markdown) const DIRECTIVE: Construct = Construct {
    name: "mdbook-directive",
    nouns: ("an mdBook directive", "mdBook directives"),
    syntaxes: &[Syntax::Mdbook],
    slip: Some(Slip {
        opens: &["{{#"],
        length: mdbook_directive,
        seen: AS_WRITTEN,
        help: "insert the text or code itself",
    }),
    becomes: &[
        (&[Syntax::Mdbook], RuleAt::Place("{{#", place)),
        (&[Syntax::Mdbook], RuleAt::CodeLine(in_code)),
    ],
};

/// A directive with other braces, which readers see as text: `{{include file}}`, `{#include file}`.
pub(super) const SLIP: Construct = Construct {
    name: "mdbook-slip",
    syntaxes: &[Syntax::Mdbook],
    becomes: &[(&[Syntax::Mdbook], RuleAt::Place("{", misspelled))],
    ..Construct::SILENT
};

fn misspelled(it: &mut Translator<'_, '_>) -> bool {
    /// Maximum length of a name with its braces and spaces.
    const LONGEST: usize = 24;
    let (text, at) = (it.lines.text, it.lines.at);
    let is_mark = |byte: &u8| matches!(byte, b'{' | b'#' | b' ');
    let marks = text.as_bytes()[at..].iter().take(LONGEST).take_while(|byte| is_mark(byte)).count();
    let bare = &text[at + marks..];
    let name = KNOWN.iter().find(|name| bare.strip_prefix(**name).is_some_and(|rest| rest.starts_with(' ')));
    let Some(name) = name.filter(|_| !text[..at].ends_with(['{', '\\'])) else { return false };
    let written = &text[at..at + marks + name.len()];
    let rest = it.lines.rest_of_line(at + written.len());
    let names_file = rest.split('}').next().is_some_and(|path| path.trim().contains('.'));
    if names_file && (!written.replace(' ', "").starts_with("{{#") || !rest.contains("}}")) {
        let message = format!("`{written}` is no directive of mdBook, so readers see it as text");
        let help = format!("use `{{{{#{name} …}}}}`");
        it.notes
            .problems
            .push(Problem::new(Code::UnknownDirective, at..at + written.len(), message).help(help));
    }
    false
}

/// The definition of a term: the line below it begins with a colon. The term's ID is like that of a heading.
/// <https://rust-lang.github.io/mdBook/format/markdown.html#definition-lists>
pub(super) const DEFINITION: Construct = Construct {
    name: "mdbook-definition",
    syntaxes: &[Syntax::Mdbook],
    becomes: &[(&[Syntax::Mdbook], RuleAt::Line(definition))],
    ..Construct::SILENT
};

fn definition(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    if !inner.starts_with(": ") {
        return false;
    }
    let line = it.lines.text[..it.lines.at].rfind('\n').unwrap_or_default();
    let end = it.lines.text[..line].trim_end().len();
    let start = it.lines.text[..end].rfind('\n').map_or(0, |at| at + 1);
    let id = AnchorRule::Trimmed.id(&it.lines.text[start..end]);
    if !id.is_empty() {
        it.notes.anchors.push(PageAnchor { id, span: start..end });
    }
    false
}

/// The names of directives.
const KNOWN: &[&str] = &["include", "rustdoc_include", "playground", "template", "title"];

/// Matches `{{#include file.rs}}`.
fn mdbook_directive(place: &TextPlace<'_>) -> Option<usize> {
    let inside = &place.rest[3..];
    KNOWN.iter().any(|name| inside.starts_with(name)).then(|| closed_by(place.rest, "}}")).flatten()
}

struct Directive<'t> {
    name: &'t str,
    path: &'t str,
    wanted: &'t str,
    /// The text after the file: `name=value` for a template.
    rest: &'t str,
    end: usize,
}

fn read<'t>(it: &mut Translator<'t, '_>, at: usize) -> Option<Directive<'t>> {
    let end = it.find_in_line(at + 3, "}}")?;
    let inside = it.lines.text[at + 3..end].trim();
    let (name, rest) = inside.split_once(char::is_whitespace)?;
    let rest = rest.trim();
    let file = rest.split_whitespace().next().unwrap_or_default();
    let (path, wanted) = file.split_once(':').unwrap_or((file, ""));
    let rest = rest[file.len()..].trim();
    if !KNOWN.contains(&name) {
        // Preprocessors have directives of their own.
        let start = at + 3 + it.lines.text[at + 3..end].find(name)?;
        it.notes.problems.extend(misspelled_directive(name, KNOWN, start..start + name.len()));
        return None;
    }
    Some(Directive { name, path, wanted, rest, end: end + 2 })
}

/// Translates `{{#…}}` in the text.
pub(super) fn place(it: &mut Translator<'_, '_>) -> bool {
    let Some(Directive { name, path, wanted, rest, end }) = read(it, it.lines.at) else { return false };
    if name == "title" {
        it.remove(end);
        return true;
    }
    let kind = if name == "playground" { InclusionKind::Code } else { InclusionKind::Markdown };
    match it.part(path, kind, it.lines.at..end) {
        Some(text) if kind == InclusionKind::Code => {
            let code = files::part(it, path, text, wanted, end);
            it.put_lines(&parts::fenced(&code, "rust"), end);
        }
        Some(text) => {
            let mut text = files::part(it, path, text, wanted, end);
            if name == "template" {
                text = filled(&text, rest);
            }
            let markdown = it.included(&text, SortedMap::new(), end);
            it.put_markdown(&markdown, end);
        }
        None => {
            let span = it.lines.at..end;
            it.note(DIRECTIVE.name, path, OmissionReason::Missing, span);
            it.remove(end);
        }
    }
    true
}

/// Fills a template with its values: `[[#name]]`, or `[[#name default]]`.
fn filled(template: &str, given: &str) -> String {
    let value =
        |name: &str| given.split_whitespace().find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    let mut text = String::new();
    let mut rest = template;
    while let Some(open) = rest.find("[[#") {
        let Some(close) = rest[open..].find("]]").map(|close| open + close) else { break };
        text.push_str(&rest[..open]);
        let inside = rest[open + 3..close].trim();
        let (name, otherwise) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        text.push_str(value(name).unwrap_or(otherwise.trim()));
        rest = &rest[close + 2..];
    }
    text + rest
}

/// Translates a line of a code block: an include, or a line that readers don't see.
pub(super) fn in_code(it: &mut Translator<'_, '_>, end: usize, info: &str) -> bool {
    let is_rust = info.starts_with("rust") || info.starts_with("rs");
    let line = it.lines.rest_of_line(it.lines.at);
    let content = line.trim_start();
    if is_rust && (content == "#" || content.starts_with("# ")) {
        it.lines.at = end;
        return true;
    }
    if !content.starts_with("{{#") {
        return false;
    }
    let Some(directive) = read(it, it.lines.at + line.len() - content.len()) else { return false };
    let Some(text) = it.part(directive.path, InclusionKind::Code, it.lines.at..end) else {
        let span = it.lines.at..end;
        it.note(DIRECTIVE.name, directive.path, OmissionReason::Missing, span);
        it.lines.at = end;
        return true;
    };
    let code = files::part(it, directive.path, text, directive.wanted, end);
    let is_hidden = |line: &&str| {
        let content = line.trim_start();
        is_rust && (content == "#" || content.starts_with("# "))
    };
    let lines: Vec<String> =
        code.lines().filter(|line| !is_hidden(line)).map(|line| format!("{line}\n")).collect();
    it.put(&lines.concat(), end);
    true
}
