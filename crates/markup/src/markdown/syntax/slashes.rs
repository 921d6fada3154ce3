//! Blocks between `/// name | Title` and `///`: <https://facelessuser.github.io/pymdown-extensions/extensions/blocks/>.

use std::ops::Range;

use super::blocks::{BlockKind, Close};
use super::boxes;
use super::construct::{Construct, is_name};
use super::indented::end_of_options;
use super::tag::attribute_text;
use super::translator::{RuleAt, Translator};
use crate::markdown::lines::run_length;
use crate::markdown::page::NoteKind;
use base::diagnostic::{Code, Problem, distance_within};
use base::quoted::quoted;
use input::conventions::Syntax;

/// `/// name | Title`.
pub(super) const BLOCK: Construct = Construct {
    name: "slash-block",
    syntaxes: &[Syntax::Indented],
    becomes: &[(&[Syntax::Indented], RuleAt::Line(line))],
    ..Construct::SILENT
};

/// Names of blocks that aren't notes.
const NAMES: [&str; 8] =
    ["admonition", "caption", "definition", "details", "figure-caption", "html", "tab", "table-caption"];

/// Names of notes without a configuration.
const NOTES: [&str; 9] =
    ["attention", "caution", "danger", "error", "hint", "important", "note", "tip", "warning"];

/// Returns the name in `name | Title`.
fn name_of(rest: &str) -> &str {
    rest.split('|').next().unwrap_or_default().trim()
}

fn is_known(name: &str) -> bool {
    NoteKind::named(name).is_some() || NAMES.contains(&name)
}

/// Reports a name that differs by a letter from one of the extension's. The configuration may define others.
fn misspelled(name: &str, span: Range<usize>) -> Option<Problem> {
    let near = NOTES.iter().chain(&NAMES).find(|known| distance_within(name, known, 1).is_some())?;
    let message = format!("unknown block `{name}`");
    let problem = Problem::new(Code::UnknownDirective, span, message).help(format!("did you mean `{near}`?"));
    Some(problem.as_warning())
}

/// Translates the opening or closing line of a block.
fn line(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    let slashes = run_length(inner, b'/');
    if slashes < 3 {
        return false;
    }
    let (rest, end) = (inner[slashes..].trim(), it.lines.at + inner.len());
    if rest.is_empty() {
        let Some(block) = it.blocks.take(|kind| *kind == BlockKind::Slashes(slashes)) else { return false };
        it.write_end(block.close, end);
        it.end_of_line();
        return true;
    }
    let (name, title) = (name_of(rest), rest.split_once('|').map_or("", |(_, title)| title.trim()));
    if !is_name(name) || !inner[slashes..].starts_with(' ') {
        return false;
    }
    if !is_closed(it, slashes, end) {
        // Without the extension, it is text.
        if !is_known(name) {
            return false;
        }
        let message = format!("the block {} is never closed", quoted(inner.trim_end()));
        let help = format!("add `{}` after its text", &inner[..slashes]);
        it.notes.problems.push(Problem::new(Code::UnbalancedBlock, it.lines.at..end, message).help(help));
        return false;
    }
    if !is_known(name) {
        let start = it.lines.at + inner.find(name).unwrap_or_default();
        it.notes.problems.extend(misspelled(name, start..start + name.len()));
    }
    let (opened, end) = (end, end_of_options(it, end));
    let options = &it.lines.text[opened..end];
    let kind = NoteKind::named(option(options, "type").filter(|_| name == "admonition").unwrap_or(name));
    let (opening, close) = match name {
        "details" => boxes::details(if title.is_empty() { "Details" } else { title }),
        "tab" => {
            let (start, end) = (boxes::tabs(), boxes::tab(title));
            (format!("{}\n{}\n", start.0, end.0), Close::Lines("</tab>\n</tabs>".into()))
        }
        _ if kind.is_some() || name == "admonition" => {
            boxes::note(&it.blocks, kind.unwrap_or_default(), title)
        }
        // The title is a selector of CSS.
        _ if title.contains('#') && name == "html" => {
            let id = title.split_once('#').map_or("", |(_, id)| id);
            let id = id.split(['.', '[', ' ']).next().unwrap_or_default();
            (format!("<a id=\"{}\"></a>\n", attribute_text(id)), Close::Nothing)
        }
        _ => (String::new(), Close::Nothing),
    };
    if opening.is_empty() {
        it.remove(end);
    } else {
        it.put_lines(&opening, end);
    }
    it.end_of_line();
    it.open_in_place(BlockKind::Slashes(slashes), close);
    true
}

/// Whether a later line consists of as many slashes, before another block with as many begins. Blocks within have more. On a page
/// with too many blocks to search, it may do so.
fn is_closed(it: &mut Translator<'_, '_>, slashes: usize, mut at: usize) -> bool {
    let marks = "/".repeat(slashes);
    loop {
        let limit = it.fuel.limit(it.lines.text, at);
        let Some(found) = it.fuel.find(it.lines.text, at, &marks) else { return limit < it.lines.text.len() };
        let line = it.lines.text[..found].rfind('\n').map_or(0, |newline| newline + 1);
        let line = it.lines.text[line..].lines().next().unwrap_or_default().trim();
        if line == marks {
            return true;
        }
        let name = line.strip_prefix(&marks).and_then(|rest| rest.strip_prefix(' ')).map(name_of);
        if name.is_some_and(is_known) {
            return false;
        }
        it.fuel.burn(found + slashes - at);
        at = found + slashes;
    }
}

/// Returns the value of an option, `name: value`.
fn option<'t>(options: &'t str, name: &str) -> Option<&'t str> {
    let values = options.lines().filter_map(|line| line.trim().split_once(':'));
    values.map(|(key, value)| (key, value.trim())).find(|(key, _)| *key == name).map(|(_, value)| value)
}
