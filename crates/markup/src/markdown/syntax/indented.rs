//! Indented `MkDocs` blocks under `!!! note`, `??? note` and `=== "Tab"`.

use super::blocks::{BlockKind, Close, tab_label};
use super::construct::{Construct, Slip, TextPlace, first_line, is_name};
use super::tag::attribute_text;
use super::translator::{RuleAt, Translator};
use super::{boxes, files, liquid};
use crate::markdown::fence::{FenceAttribute, attributes};
use crate::markdown::lines::columns;
use crate::markdown::page::{NoteKind, PageAnchor};
use base::diagnostic::{Code, Problem};
use base::quoted::quoted;
use input::conventions::Syntax;

/// `!!! note`, `??? note`.
pub(super) const ADMONITION: Construct = Construct {
    name: "mkdocs-admonition",
    nouns: ("an MkDocs admonition", "MkDocs admonitions"),
    syntaxes: &[Syntax::Indented],
    slip: Some(Slip {
        opens: &["!!! ", "??? ", "???+ "],
        length: admonition,
        seen: "readers see it as text, and the indented content as code",
        help: "use `:::note Title`, the text without indentation, and `:::`",
    }),
    becomes: &[(&[Syntax::Indented], RuleAt::Line(admonition_line))],
};

/// `=== "Tab"`.
pub(super) const TAB: Construct = Construct {
    name: "mkdocs-tab",
    nouns: ("an MkDocs tab", "MkDocs tabs"),
    syntaxes: &[Syntax::Indented],
    slip: Some(Slip {
        opens: &["=== \"", "===+ \"", "===! \""],
        length: mkdocs_tab,
        seen: "readers see it as text, and the indented content as code",
        help: "use `<tabs>`, with each tab as `<tab label=\"…\">` … `</tab>`",
    }),
    becomes: &[(&[Syntax::Indented], RuleAt::Line(tab_line))],
};

/// `::: package.module` of mkdocstrings, `::: mkdocs-click`: what they insert is made from code.
pub(super) const AUTODOC: Construct = Construct {
    name: "mkdocs-autodoc",
    nouns: (
        "documentation that a program reads from code",
        "places with documentation that a program reads from code",
    ),
    syntaxes: &[Syntax::Indented],
    becomes: &[(&[Syntax::Indented], RuleAt::Line(autodoc))],
    ..Construct::SILENT
};

/// `<!-- md:setting name -->`.
pub(super) const COMMENT: Construct = Construct {
    name: "mkdocs-comment",
    syntaxes: &[Syntax::Indented],
    becomes: &[(&[Syntax::Indented], RuleAt::Place("<!--", directive))],
    ..Construct::SILENT
};

/// `++key++`, `:material-name:`.
pub(super) const INLINE: Construct = Construct {
    name: "mkdocs-sign",
    syntaxes: &[Syntax::Indented],
    becomes: &[
        (&[Syntax::Indented], RuleAt::Place("+", place)),
        (&[Syntax::Indented], RuleAt::Place(":", place)),
    ],
    ..Construct::SILENT
};

/// ```` ```python exec="true" ````: <https://pawamoy.github.io/markdown-exec/>.
pub(super) const EXECUTED: Construct = Construct {
    name: "executed-code",
    nouns: ("code that the build executes", "blocks of code that the build executes"),
    syntaxes: &[Syntax::Indented],
    becomes: &[(&[Syntax::Indented], RuleAt::Fence(executed))],
    ..Construct::SILENT
};

/// `{{ name }}` and `{% tag %}` for a plugin.
pub(super) const OUTPUT: Construct = Construct {
    name: "mkdocs-output",
    syntaxes: &[Syntax::Indented],
    becomes: &[
        (&[Syntax::Indented], RuleAt::Place("{{", output)),
        (&[Syntax::Indented], RuleAt::Place("{%", output)),
    ],
    ..Construct::SILENT
};

/// Matches `!!! note "Title"` and `??? tip`.
fn admonition(place: &TextPlace<'_>) -> Option<usize> {
    let line = first_line(place.written).trim_end();
    let (_, rest) = line.split_once(' ').filter(|_| place.begins_line)?;
    let (words, title) = rest.split_once('"').map_or((rest, None), |(words, title)| (words, Some(title)));
    let is_title = title.is_none_or(|title| title.ends_with('"'));
    let mut words = words.split_whitespace();
    let are_words = words.clone().next().is_some()
        && words.clone().count() <= 4
        && words.all(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
    (is_title && are_words).then_some(line.len())
}

/// Matches `=== "Title"`.
fn mkdocs_tab(place: &TextPlace<'_>) -> Option<usize> {
    let line = first_line(place.written).trim_end();
    (place.begins_line && line.ends_with('"') && line.matches('"').count() == 2).then_some(line.len())
}

/// Leaves out a code block whose output is part of the page.
fn executed(it: &mut Translator<'_, '_>, mark: u8, length: usize) -> bool {
    let line = it.lines.rest_of_line(it.lines.at);
    let has_output = attributes(&line[length..]).into_iter().any(|attribute| match attribute {
        FenceAttribute::Value { name: "exec", value, .. } => matches!(value, "true" | "yes" | "on" | "1"),
        _ => false,
    });
    let body = if has_output { files::body(it, mark, length) } else { None };
    let Some(body) = body else { return false };
    let end = body.end + it.lines.rest_of_line(body.end).trim_end().len();
    let language = line[length..].split_whitespace().next().unwrap_or_default();
    it.leave_out(EXECUTED.name, language, end);
    true
}

/// Columns of indentation of a block's content: Python-Markdown, "Admonition".
const INDENT: usize = 4;

/// Translates the opening line of a tab.
fn tab_line(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    let end = it.lines.at + inner.len();
    let Some(label) = tab_label(inner) else {
        let title = inner.strip_prefix("===").filter(|_| it.has(Syntax::Indented));
        let title = title.map(|rest| rest.strip_prefix(['+', '!']).unwrap_or(rest));
        let title =
            title.and_then(|rest| rest.strip_prefix(' ')).filter(|it| it.trim_start().starts_with('"'));
        it.notes.problems.extend(title.and_then(|title| unclosed_title(it, title, inner)));
        return false;
    };
    // All tabs of an example may be empty.
    let may_be_empty = it.indented.goes_on_with_tabs && is_after_empty_tab(it);
    it.notes.problems.extend(without_content(it, end, &format!("=== \"{label}\""), may_be_empty));
    let tabs = if std::mem::take(&mut it.indented.goes_on_with_tabs) { "" } else { "<tabs>\n" };
    it.notes.tabs.push((without_icons(label), it.lines.at..end));
    it.put_lines(&format!("{tabs}<tab label=\"{}\">\n", attribute_text(label)), end);
    open(it, Close::Tab);
    true
}

/// Whether the tab before this one has no content.
fn is_after_empty_tab(it: &Translator<'_, '_>) -> bool {
    let mut before = it.lines.text[..it.lines.at].lines().rev().skip_while(|line| line.trim().is_empty());
    before.next().is_none_or(|line| line.trim_start().starts_with("==="))
}

/// Translates the opening line of an admonition.
fn admonition_line(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    let end = it.lines.at + inner.len();
    if let Some(problem) = short_marker(it, inner) {
        it.notes.problems.push(problem);
        return false;
    }
    let (rest, folds) = match inner.split_at_checked(3) {
        Some(("!!!", rest)) => (rest, false),
        Some(("???", rest)) => (rest.strip_prefix('+').unwrap_or(rest), true),
        _ => return false,
    };
    let Some(rest) = rest.strip_prefix(' ') else { return false };
    if let Some(problem) = unclosed_title(it, rest, inner) {
        it.notes.problems.push(problem);
        return false;
    }
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
    it.notes.problems.extend(unquoted_title(
        it,
        inner,
        words.split_once(' ').filter(|_| title.is_none()).map(|(_, rest)| rest),
    ));
    let kind = NoteKind::named(class);
    let start = it.lines.at + inner.find(class).unwrap_or_default();
    it.notes.problems.extend(boxes::slip_of_note(class, start..start + class.len()));
    it.notes.problems.extend(without_content(it, end, inner.trim_end(), false));
    let name = if kind.is_none() || folds { Some(capitalised(class)) } else { None };
    let title = title.map(str::to_string).or(name).filter(|title| !title.is_empty());
    let title = title.unwrap_or_default();
    let (lines, close) = if folds {
        boxes::details(&title)
    } else {
        boxes::note(&it.blocks, kind.unwrap_or_default(), &title)
    };
    it.put_lines(&lines, end);
    open(it, close);
    true
}

/// Reports a title in quotes without an end, because of which the line is text.
fn unclosed_title(it: &Translator<'_, '_>, title: &str, inner: &str) -> Option<Problem> {
    let message = format!("the title in {} is never closed, so readers see text", quoted(inner.trim_end()));
    let span = it.lines.at..it.lines.at + inner.trim_end().len();
    let problem = Problem::new(Code::UnbalancedBlock, span, message).help("add `\"` at its end".to_string());
    (title.matches('"').count() == 1).then(|| problem.as_warning())
}

/// Reports a block whose text isn't indented, so that it comes after the block.
fn without_content(
    it: &Translator<'_, '_>,
    end: usize,
    opening: &str,
    may_be_empty: bool,
) -> Option<Problem> {
    let next = it.lines.line_end(end);
    let text = &it.lines.text[next..];
    let content = text.trim_start_matches([' ', '\t', '\n', '\r']);
    let between = &text[..text.len() - content.len()];
    let is_next = !between.contains('\n');
    let indent = &between[between.rfind('\n').map_or(0, |newline| newline + 1)..];
    let line = content.lines().next().unwrap_or_default();
    // A heading, a quote, or another block has its own meaning, and after a blank line also a list or a table.
    let starts = ["#", "!!!", "???", "===", "<", ">", "[", "{", "---", "***", ":::", "--8<--"];
    let after_blank = ["- ", "* ", "+ ", "|", "1."].iter().filter(|_| !is_next);
    let may_belong =
        !line.is_empty() && !starts.iter().chain(after_blank).any(|start| line.starts_with(start));
    let is_part = may_belong && (is_next || !may_be_empty) && columns(indent) < it.lines.column + INDENT;
    // A line outside of the list or quote around the block ends it.
    (is_part && columns(indent) >= it.lines.column).then(|| {
        let message = format!("{} has no content: the text after it isn't indented", quoted(opening));
        let help = "indent the text by four spaces".to_string();
        let start = it.lines.at;
        Problem::new(Code::UnbalancedBlock, start..end, message).help(help).as_warning()
    })
}

/// Reports a title without quotes, whose words Python-Markdown reads as names of CSS classes.
fn unquoted_title(it: &Translator<'_, '_>, inner: &str, words: Option<&str>) -> Option<Problem> {
    let words = words?.trim();
    // `[\w\-]+(?: +[\w\-]+)*`: the line of a note contains nothing else before the quotes.
    let is_class = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
    let are_classes = words.chars().all(is_class);
    let shown = if are_classes { "so readers don't see it" } else { "so readers see this line as text" };
    let has_capital = || words.split_whitespace().any(|word| word.starts_with(char::is_uppercase));
    if !has_capital() && !words.starts_with('[') {
        return None;
    }
    let message = format!("the title {} isn't in quotes, {shown}", quoted(words));
    let start = it.lines.at + inner.find(words)?;
    let problem = Problem::new(Code::UnbalancedBlock, start..start + words.len(), message);
    Some(problem.help(format!("use {}", quoted(&format!("\"{words}\"")))).as_warning())
}

/// Whether the rest of a line is that of a note: a name, and perhaps a title in quotes.
fn is_note(rest: &str) -> bool {
    let (name, title) = rest.trim_end().split_once(' ').unwrap_or((rest.trim_end(), "\"\""));
    let is_name = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') && !name.is_empty();
    is_name && title.len() > 1 && title.starts_with('"') && title.ends_with('"')
}

/// Reports `!! note`, `== "Tab"` and `=== Tab` with indented text, which Python-Markdown shows as text and code.
fn short_marker(it: &Translator<'_, '_>, inner: &str) -> Option<Problem> {
    let (marks, rest) = inner.split_once(' ')?;
    let is_meant = match marks {
        "!!" | "??" | "!!!!" | "????" => is_note(rest),
        "==" => rest.len() > 2 && rest.starts_with('"') && rest.trim_end().ends_with('"'),
        "===" => !rest.contains(['"', '=']),
        _ => false,
    };
    if !is_meant {
        return None;
    }
    let after = &it.lines.text[it.lines.line_end(it.lines.at)..];
    let line = after.trim_start_matches(['\n', '\r']).lines().next().unwrap_or_default();
    let content = line.trim_start();
    let is_body = columns(&line[..line.len() - content.len()]) >= it.lines.column + INDENT;
    // Tabs without content may show how they look.
    let is_tab = |line: &str| line.trim_start().starts_with("=== \"");
    let before = it.lines.text[..it.lines.at].trim_end().lines().next_back().unwrap_or_default();
    if marks == "===" && is_tab(before) && is_tab(line) {
        let meant = quoted(&format!("=== \"{}\"", rest.trim()));
        let span = it.lines.at..it.lines.at + inner.trim_end().len();
        let message = format!("readers see {} between the tabs", quoted(inner.trim_end()));
        return Some(Problem::new(Code::UnknownDirective, span, message).help(format!("use {meant}")));
    }
    let (mark, span) = (&inner[..1], it.lines.at..it.lines.at + marks.len());
    (is_body && !content.is_empty()).then(|| {
        let message = format!("readers see {}, and the text after it as code", quoted(inner));
        let help = match marks {
            "===" => format!("use {}", quoted(&format!("=== \"{}\"", rest.trim()))),
            _ if marks.len() > 3 => format!("use {}", quoted(&inner[1..])),
            _ => format!("add another `{mark}`: {}", quoted(&format!("{mark}{inner}"))),
        };
        Problem::new(Code::UnknownDirective, span, message).help(help)
    })
}

/// Leaves out the name of an object and its indented options.
fn autodoc<'t>(it: &mut Translator<'t, '_>, inner: &'t str) -> bool {
    // The space is optional for the path of a module, and number signs make it a heading:
    // <https://mkdocstrings.github.io/usage/#autodoc-syntax>.
    let bare = inner.trim_start_matches('#').trim_start();
    let rest = bare.strip_prefix(":::").unwrap_or_default();
    let name = if rest.starts_with(' ') || rest.contains('.') { rest.trim() } else { "" };
    if name.is_empty() || !is_name(name) || NoteKind::named(name).is_some() {
        return false;
    }
    let end = end_of_options(it, it.lines.at + inner.len());
    it.leave_out(AUTODOC.name, name, end);
    it.end_of_line();
    true
}

/// Returns the end of the indented lines after the opening line of a block.
pub(super) fn end_of_options(it: &Translator<'_, '_>, opened: usize) -> usize {
    let mut end = opened;
    loop {
        let line = it.lines.line_end(end);
        let options = it.lines.rest_of_line(line);
        let is_option =
            columns(&options[..options.len() - options.trim_start().len()]) >= it.lines.column + INDENT;
        if line >= it.lines.text.len() || options.trim().is_empty() || !is_option {
            return end;
        }
        end = line + options.len();
    }
}

fn open(it: &mut Translator<'_, '_>, close: Close) {
    it.end_of_line();
    let least = it.lines.column + INDENT;
    it.open_in_place(BlockKind::Indented(least), close);
    if let Some(block) = it.blocks.open.last_mut() {
        block.body = Some(least);
        block.shift += INDENT;
    }
}

/// Records the names in a comment such as `<!-- md:setting config.language -->`. The site's hooks turn them into
/// elements with the name as their ID, and lists of such elements use the name with a plus as their ID.
fn directive(it: &mut Translator<'_, '_>) -> bool {
    let Some(end) = it.fuel.find(it.lines.text, it.lines.at, "-->").map(|end| end + 3) else { return false };
    let span = it.lines.at..end;
    let Some(inside) = it.lines.text[span.clone()].strip_prefix("<!--").and_then(|it| it.strip_suffix("-->"))
    else {
        return false;
    };
    let mut words = inside.split_whitespace();
    let is_directive = words.next().is_some_and(|word| {
        let name = word.split_once(':').filter(|(name, rest)| !name.is_empty() && !rest.is_empty());
        name.is_some() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":-_".contains(&byte))
    });
    if is_directive {
        let names = words.filter(|word| !word.contains(['<', '>', '"', '/']));
        let ids = names.flat_map(|name| [name.to_string(), format!("+{name}")]);
        it.notes.anchors.extend(ids.map(|id| PageAnchor { id, span: span.clone() }));
    }
    it.copy_to(end);
    true
}

/// Translates `{{ name }}` and `{% tag %}` if the site's plugins treat pages as templates. Values are available only
/// in that case.
pub(super) fn output(it: &mut Translator<'_, '_>) -> bool {
    let rest = it.lines.rest();
    if it.dialect.values.is_empty() {
        return false;
    }
    let is_tag = rest.starts_with("{%");
    let close = if is_tag { "%}" } else { "}}" };
    let Some(found) = it.find_in_line(it.lines.at + 2, close) else { return false };
    let name = it.lines.text[it.lines.at + 2..found].trim();
    let end = found + 2;
    match it.dialect.values.get(name).filter(|_| !is_tag).cloned() {
        Some(value) => it.put(&value, end),
        None => it.leave_out(if is_tag { liquid::TAG.name } else { liquid::OUTPUT.name }, name, end),
    }
    true
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns a label without `:material-name:`.
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

/// Translates inline syntax: keys and icons.
fn place(it: &mut Translator<'_, '_>) -> bool {
    let line = it.lines.rest_of_line(it.lines.at);
    match line.as_bytes()[0] {
        b'+' if line.starts_with("++") => {
            let Some(end) = line[2..].find("++") else { return false };
            let keys = &line[2..2 + end];
            let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '_');
            if keys.is_empty() || !keys.chars().all(is_key) {
                return false;
            }
            let start = it.lines.at + 2;
            it.lines.at = start;
            it.copy_to(start + end);
            it.lines.at += 2;
            true
        }
        b':' => {
            let name = line[1..].split(':').next().unwrap_or_default();
            let is_icon = line.get(..name.len() + 2).is_some_and(is_icon);
            if is_icon {
                it.remove(it.lines.at + name.len() + 2);
            }
            is_icon
        }
        _ => false,
    }
}
