//! Blocks between `:::name` and `:::`.
//!
//! Our own notes stay. Others become notes with their names as titles, `details`, or tabs of code.

use super::blocks::{BlockKind, Close, Directive};
use super::boxes;
use super::construct::Construct;
use super::mdx::well_known::CODE_GROUP;
use super::tag::attribute_text;
use super::translator::{RuleAt, Translator};
use crate::markdown::lines::run_length;
use crate::markdown::page::NoteKind;
use base::diagnostic::{Code, Problem, nearest};
use input::conventions::Syntax;

/// `:::name`.
pub(super) const DIRECTIVE: Construct = Construct {
    name: "directive",
    syntaxes: &[Syntax::Directives],
    becomes: &[
        (&[Syntax::Directives], RuleAt::Line(line)),
        (&[Syntax::Directives, Syntax::Mdx], RuleAt::Fence(code_tab)),
    ],
    ..Construct::SILENT
};

/// Translates a line that begins with `:::`.
pub(super) fn line(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    let colons = run_length(inner, b':');
    if colons < 3 {
        return false;
    }
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
    let end = it.lines.at + inner.len();
    let directive = Directive::named(name);
    let same = BlockKind::Colons { count: colons, directive };
    if after.is_empty()
        && matches!(directive, Directive::Note(_))
        && it.blocks.open.last().is_some_and(|block| block.kind == same)
    {
        // The same kind inside a note ends it, as in Docusaurus 2.
        it.blocks.open.pop();
        copy_line(it, end);
        return true;
    }
    let close = open(it, directive, (colons, name, after), end);
    finish_line(it);
    it.open_in_place(BlockKind::Colons { count: colons, directive }, close);
    true
}

/// Writes the opening of the block, and returns its end.
fn open(
    it: &mut Translator<'_, '_>,
    directive: Directive,
    (colons, name, after): (usize, &str, &str),
    end: usize,
) -> Close {
    let marks = ":".repeat(colons);
    let start = it.lines.at + it.lines.rest().find(name).unwrap_or_default();
    let slip =
        unknown_name(it, &marks, name, start).or_else(|| unclosed_title(it, after, start + name.len()));
    let is_other = slip.is_none() && directive == Directive::Other;
    let span = start..start + name.len();
    it.notes.problems.extend(slip.or_else(|| boxes::slip_of_note(name, span).filter(|_| is_other)));
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

/// Reports a block whose name the site doesn't define.
fn unknown_name(it: &Translator<'_, '_>, marks: &str, name: &str, start: usize) -> Option<Problem> {
    let known = it.dialect.vocabulary.blocks.as_ref().filter(|known| !known.contains(name))?;
    let message = format!("the site has no block `{marks}{name}`, so readers see this line as text");
    let kinds = ["note", "tip", "info", "important", "warning", "caution", "danger", "details"];
    let kinds = kinds.into_iter().filter(|kind| known.contains(kind));
    let same =
        NoteKind::named(name).and_then(|kind| kinds.clone().find(|it| NoteKind::named(it) == Some(kind)));
    let help = match same.or_else(|| nearest(name, kinds.clone())) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of `{}`", kinds.collect::<Vec<_>>().join("`, `")),
    };
    let problem = Problem::new(Code::UnknownDirective, start..start + name.len(), message).help(help);
    Some(problem.data("directive", name))
}

/// Reports a title in brackets without its end. `VitePress` has titles without brackets.
fn unclosed_title(it: &Translator<'_, '_>, after: &str, start: usize) -> Option<Problem> {
    if it.has(Syntax::Vue) || !after.starts_with('[') || after.contains(']') {
        return None;
    }
    let message = "the `[` of the title is never closed, so readers see this line as text";
    let start = start + it.lines.text[start..].find('[')?;
    let problem = Problem::new(Code::UnbalancedBlock, start..start + after.len(), message);
    Some(problem.help("add `]` after the title".to_string()).as_warning())
}

fn close(it: &mut Translator<'_, '_>, colons: usize) {
    let end = it.lines.at + it.lines.rest_of_line(it.lines.at).trim_end().len();
    match it.blocks.take(|kind| matches!(kind, BlockKind::Colons { count, .. } if *count <= colons)) {
        // markdown-it-container ignores the lists around its end.
        Some(block) if it.has(Syntax::Vue) && block.out_column < it.lines.out_column + blank_before(it) => {
            let lines = match block.close {
                Close::Lines(lines) => lines,
                _ => ":".repeat(colons),
            };
            it.remove(end);
            it.out.end_block(&lines, block.out_column, end);
        }
        Some(block) => it.write_end(block.close, end),
        None => it.copy_to(end),
    }
    finish_line(it);
}

/// Returns the number of spaces that begin the line.
fn blank_before(it: &Translator<'_, '_>) -> usize {
    let line = it.lines.text[..it.lines.at].rfind('\n').map_or(0, |newline| newline + 1);
    let before = &it.lines.text[line..it.lines.at];
    if before.trim().is_empty() { before.len() } else { 0 }
}

fn copy_line(it: &mut Translator<'_, '_>, end: usize) {
    it.copy_to(end);
    finish_line(it);
}

fn finish_line(it: &mut Translator<'_, '_>) {
    let blanks = it.lines.rest_of_line(it.lines.at).len();
    it.lines.at += blanks;
    if it.lines.rest().starts_with('\r') {
        it.copy_to(it.lines.at + 1);
    }
    it.end_of_line();
}

/// Returns the title in `[Title]{.class}`, `Title {open}` or `Title`.
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

/// Writes a code block in a code group as a tab, and moves its label out of the opening line.
fn code_tab(it: &mut Translator<'_, '_>, mark: u8, length: usize) -> bool {
    let around = it.blocks.open.last().map(|block| &block.kind);
    let is_component = matches!(around, Some(BlockKind::Named(CODE_GROUP)));
    if !is_component && !matches!(around, Some(BlockKind::Colons { directive: Directive::CodeGroup, .. })) {
        return false;
    }
    let (line, out_column) = (it.lines.rest_of_line(it.lines.at), it.lines.out_column);
    let end = it.lines.line_end(it.lines.at);
    let info = &line[length..];
    let label = info.rfind('[').filter(|_| info.trim_end().ends_with(']'));
    let mut words = info.split_whitespace();
    let language = words.next().unwrap_or_default();
    // Mintlify: "```js app.js {2} expandable=true".
    let title: Vec<&str> =
        words.take_while(|it| is_component && !it.starts_with('{') && !it.contains('=')).collect();
    let label_text = match label {
        Some(at) => info[at + 1..info.trim_end().len() - 1].trim(),
        None if title.is_empty() => language,
        None => &title.join(" "),
    };
    it.put(&format!("<tab label=\"{}\">\n\n", attribute_text(label_text)), it.lines.at);
    if let Some(at) = label {
        let bare = length + info[..at].trim_end().len();
        it.copy_to(it.lines.at + bare);
        it.lines.at += line.len() - bare;
    }
    it.copy_to(end);
    it.rest_of_fence(mark, length, info);
    it.out.end_block("</tab>", out_column, it.lines.at);
    true
}
