//! Blocks of `MkDocs` that are indented below `!!! note`, `??? note` and `=== "Tab"`.

use super::directives::attribute;
use super::{BlockKind, Close, Translator};
use crate::markup::markdown::{Anchor, NoteKind};

/// Columns that the text of a block is indented by: Python-Markdown, "Admonition".
const INDENT: usize = 4;

/// Translates a line that opens a block.
pub(super) fn line(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    let end = it.at + inner.len();
    if let Some(label) = tab_label(inner) {
        let tabs = if std::mem::take(&mut it.goes_on_with_tabs) { "" } else { "<tabs>\n" };
        it.tabs.push((without_icons(label), it.at..end));
        it.put_lines(&format!("{tabs}<tab label=\"{}\">\n", attribute(label)), end);
        open(it, Close::Tab);
        return true;
    }
    let (rest, folds) = match inner.split_at_checked(3) {
        Some(("!!!", rest)) => (rest, false),
        Some(("???", rest)) => (rest.strip_prefix('+').unwrap_or(rest), true),
        _ => return false,
    };
    let Some(rest) = rest.strip_prefix(' ') else { return false };
    let (words, title) = match rest.split_once('"') {
        Some((words, title)) => (words.trim(), Some(title.trim_end().trim_end_matches('"'))),
        None => (rest.trim(), None),
    };
    let mut classes = words.split_whitespace();
    let Some(class) =
        classes.next().filter(|class| class.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-'))
    else {
        return false;
    };
    let kind = NoteKind::named(class);
    let name = if kind.is_none() || folds { Some(capitalised(class)) } else { None };
    let title = title.map(str::to_string).or(name).filter(|title| !title.is_empty());
    let close = if folds {
        let summary = title.unwrap_or_default();
        it.put_lines(&format!("<details>\n<summary>{}</summary>\n", attribute(&summary)), end);
        Close::Lines("\n</details>".to_string())
    } else {
        let marks = ":".repeat(it.note_colons());
        let title = title.map(|title| format!(" {title}")).unwrap_or_default();
        it.put_lines(&format!("{marks}{}{title}", kind.unwrap_or_default().class()), end);
        Close::Lines(marks)
    };
    open(it, close);
    true
}

fn open(it: &mut Translator<'_, '_>, close: Close) {
    it.end_of_line();
    let least = it.column + INDENT;
    it.open_in_place(BlockKind::Indented(least), close);
    if let Some(block) = it.blocks.last_mut() {
        block.body = Some(least);
        block.shift += INDENT;
    }
}

/// The label of `=== "Label"`.
pub(super) fn tab_label(content: &str) -> Option<&str> {
    let rest = content.strip_prefix("===")?;
    let rest = rest.strip_prefix(['+', '!']).unwrap_or(rest).strip_prefix(' ')?;
    let inside = rest.trim().strip_prefix('"')?.strip_suffix('"')?;
    (!inside.is_empty()).then_some(inside)
}

/// Notes the names in a comment such as `<!-- md:setting config.language -->`: hooks of the site make elements of them, with
/// the name as the id, and of the same with a plus what lists of such elements show when it is asked for.
pub(super) fn directive(it: &mut Translator<'_, '_>, end: usize) {
    let span = it.at..end;
    let Some(inside) = it.text[span.clone()].strip_prefix("<!--").and_then(|it| it.strip_suffix("-->"))
    else {
        return;
    };
    let mut words = inside.split_whitespace();
    let is_directive = words.next().is_some_and(|word| {
        let name = word.split_once(':').filter(|(name, rest)| !name.is_empty() && !rest.is_empty());
        name.is_some() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":-_".contains(&byte))
    });
    if is_directive {
        let names = words.filter(|word| !word.contains(['<', '>', '"', '/']));
        let ids = names.flat_map(|name| [name.to_string(), format!("+{name}")]);
        it.anchors.extend(ids.map(|id| Anchor { id, span: span.clone() }));
    }
}

/// `{{ name }}` and `{% tag %}` where the site's plugins read them as a template; its values are there only then.
pub(super) fn output(it: &mut Translator<'_, '_>) -> bool {
    let rest = it.rest();
    if it.dialect.values.is_empty() {
        return false;
    }
    let (close, is_tag) = match () {
        () if rest.starts_with("{{") => ("}}", false),
        () if rest.starts_with("{%") => ("%}", true),
        () => return false,
    };
    let Some(found) = it.find_in_line(it.at + 2, close) else { return false };
    let name = it.text[it.at + 2..found].trim();
    let end = found + 2;
    match it.dialect.values.get(name).filter(|_| !is_tag).cloned() {
        Some(value) => it.put(&value, end),
        None => it.leave_out(if is_tag { "liquid-tag" } else { "template-output" }, name, end),
    }
    true
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A label without `:material-name:`.
fn without_icons(label: &str) -> String {
    let words = label.split_whitespace().filter(|word| !is_icon(word));
    words.collect::<Vec<_>>().join(" ")
}

fn is_icon(text: &str) -> bool {
    let sets = ["material-", "octicons-", "fontawesome-", "simple-"];
    let name = text.strip_prefix(':').and_then(|rest| rest.strip_suffix(':')).unwrap_or_default();
    sets.iter().any(|set| name.starts_with(set))
        && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
}

/// Translates what is within a line: keys and icons.
pub(super) fn place(it: &mut Translator<'_, '_>, byte: u8) -> bool {
    let line = it.rest_of_line(it.at);
    match byte {
        b'+' if line.starts_with("++") => {
            let Some(end) = line[2..].find("++") else { return false };
            let keys = &line[2..2 + end];
            let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '_');
            if keys.is_empty() || !keys.chars().all(is_key) {
                return false;
            }
            let start = it.at + 2;
            it.at = start;
            it.copy_to(start + end);
            it.at += 2;
            true
        }
        b':' => {
            let name = line[1..].split(':').next().unwrap_or_default();
            let is_icon = line.get(..name.len() + 2).is_some_and(is_icon);
            if is_icon {
                it.remove(it.at + name.len() + 2);
            }
            is_icon
        }
        _ => false,
    }
}
