//! Blocks between `:::name` and `:::`.
//!
//! Notes that we know are ours already. Others become notes with their names as titles, `details`, or tabs of code.

use super::{BlockKind, Close, Translator};
use crate::markup::markdown::NoteKind;
use crate::markup::markdown::extract::run_length;

/// What a name opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Directive {
    /// A note of our own, written as it is; with its kind where another line of the same ends it.
    Note(Option<NoteKind>),
    /// A block of our own.
    Platform,
    /// A note under another name.
    Other,
    Details,
    CodeGroup,
    /// Only its text.
    Plain,
}

impl Directive {
    fn named(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "platform" => Self::Platform,
            "details" | "collapse" | "expand" | "spoiler" => Self::Details,
            "code-group" => Self::CodeGroup,
            "raw" | "v-pre" => Self::Plain,
            _ => NoteKind::named(name).map_or(Self::Other, |kind| Self::Note(Some(kind))),
        }
    }
}

/// Translates a line that begins with `:::`.
pub(super) fn line(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    let colons = run_length(inner, b':');
    let rest = inner[colons..].trim();
    if rest.is_empty() {
        close(it, colons);
        return true;
    }
    let name = &rest[..rest.find([' ', '\t', '[', '{']).unwrap_or(rest.len())];
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return false;
    }
    let after = rest[name.len()..].trim();
    let end = it.at + inner.len();
    let directive = Directive::named(name);
    let same = BlockKind::Colons { count: colons, directive };
    if after.is_empty()
        && matches!(directive, Directive::Note(_))
        && it.blocks.last().is_some_and(|block| block.kind == same)
    {
        // The same kind within one ends it, as in Docusaurus 2.
        it.blocks.pop();
        copy_line(it, end);
        return true;
    }
    let close = open(it, directive, (colons, name, after), end);
    finish_line(it);
    it.open_in_place(BlockKind::Colons { count: colons, directive }, close);
    true
}

/// Writes what opens the block; gives what ends it.
fn open(
    it: &mut Translator<'_, '_>,
    directive: Directive,
    (colons, name, after): (usize, &str, &str),
    end: usize,
) -> Close {
    let marks = ":".repeat(colons);
    let title = title(after);
    match directive {
        Directive::Note(_) if after.ends_with('}') || after.starts_with('[') => {
            it.put(format!("{marks}{name} {title}").trim_end(), end);
            Close::Same
        }
        Directive::Note(_) | Directive::Platform => {
            it.copy_to(end);
            Close::Same
        }
        Directive::Other => {
            let title = if title.is_empty() { capitalised(name) } else { title.to_string() };
            it.put(&format!("{marks}note {title}"), end);
            Close::Same
        }
        Directive::Details => {
            let title = if title.is_empty() { "Details" } else { title };
            it.put_lines(&format!("<details>\n<summary>{title}</summary>\n"), end);
            Close::Lines("\n</details>".to_string())
        }
        Directive::CodeGroup => {
            it.put("<tabs>", end);
            Close::Lines("</tabs>".to_string())
        }
        Directive::Plain => {
            it.remove(end);
            Close::Nothing
        }
    }
}

fn close(it: &mut Translator<'_, '_>, colons: usize) {
    let end = it.at + it.rest_of_line(it.at).trim_end().len();
    let is_partner =
        |kind: &BlockKind<'_>| matches!(kind, BlockKind::Colons { count, .. } if *count <= colons);
    let Some(partner) = it.blocks.iter().rposition(|block| is_partner(&block.kind)) else {
        copy_line(it, end);
        return;
    };
    it.blocks.truncate(partner + 1);
    let block = it.blocks.pop().expect("it was found");
    match block.close {
        Close::Lines(lines) => it.put_lines(&lines, end),
        Close::Inline(text) => it.put(&text, end),
        Close::Same => it.copy_to(end),
        Close::Nothing | Close::Tab => it.remove(end),
    }
    finish_line(it);
}

fn copy_line(it: &mut Translator<'_, '_>, end: usize) {
    it.copy_to(end);
    finish_line(it);
}

fn finish_line(it: &mut Translator<'_, '_>) {
    let blanks = it.rest_of_line(it.at).len();
    it.at += blanks;
    if it.rest().starts_with('\r') {
        it.copy_to(it.at + 1);
    }
    it.end_of_line();
}

/// The title in `[Title]{.class}`, `Title {open}` or `Title`.
fn title(after: &str) -> &str {
    let after = match after.strip_prefix('[') {
        Some(inside) => inside.rfind(']').map_or(inside, |end| &inside[..end]),
        None => after,
    };
    let attributes = after.rfind('{').filter(|_| after.ends_with('}'));
    after[..attributes.unwrap_or(after.len())].trim()
}

fn capitalised(name: &str) -> String {
    let name = name.replace(['-', '_'], " ");
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Writes the opening of a tab before a fence in a group of code, and the fence's line without the label.
pub(super) fn begin_code_tab(it: &mut Translator<'_, '_>, length: usize, end: usize) -> bool {
    let line = it.rest_of_line(it.at);
    let info = &line[length..];
    let label = info.rfind('[').filter(|_| info.trim_end().ends_with(']'));
    let label_text = match label {
        Some(at) => info[at + 1..info.trim_end().len() - 1].trim(),
        None => info.split_whitespace().next().unwrap_or_default(),
    };
    let opening = format!("<tab label=\"{}\">\n\n", attribute(label_text));
    it.put(&opening, it.at);
    match label {
        Some(at) => {
            let bare = length + info[..at].trim_end().len();
            it.copy_to(it.at + bare);
            it.at += line.len() - bare;
            it.copy_to(end);
        }
        None => it.copy_to(end),
    }
    true
}

/// A text in the quotes of an attribute.
pub(super) fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace(['\n', '\r'], " ")
}
