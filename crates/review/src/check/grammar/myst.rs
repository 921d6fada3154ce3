//! Directives of `MyST` in Sphinx: their arguments, options and contents.

use std::ops::Range;

use super::Mistake;
use super::source::{PageSource, SourceLine};
use base::diagnostic::{Code, distance_within, is_plural, nearest};
use base::fences::{Fences, LineKind};
use base::lines::placed;
use base::quoted::quoted;
use base::sorted::SortedSet;
use input::conventions::SyntaxRule;

/// A directive with its lines.
struct Directive<'t> {
    name: &'t str,
    argument: &'t str,
    /// The opening line without white space around it.
    span: Range<usize>,
    /// Options directly below the opening line: names and values, each with its line.
    options: Vec<(&'t str, &'t str, Range<usize>)>,
    /// The lines after the options, each with its position.
    lines: Vec<(usize, &'t str)>,
}

/// Directives that need an argument: <https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html>,
/// <https://docutils.sourceforge.io/docs/ref/rst/directives.html>.
const WITH_ARGUMENT: [&str; 10] = [
    "admonition",
    "deprecated",
    "figure",
    "image",
    "include",
    "literalinclude",
    "tab-item",
    "topic",
    "versionadded",
    "versionchanged",
];

/// The options of directives, in addition to `class` and `name`.
#[rustfmt::skip]
const OPTIONS: &[(&[&str], &[&str])] = &[
    (&["image"], &["align", "alt", "height", "loading", "scale", "target", "width"]),
    (&["figure"], &[
        "align", "alt", "figclass", "figwidth", "height", "loading", "scale", "target", "width",
    ]),
    (&["code-block", "sourcecode"], &["caption", "dedent", "emphasize-lines", "force", "linenos", "lineno-start"]),
    (&["toctree"], &[
        "caption", "glob", "hidden", "includehidden", "maxdepth", "numbered", "reversed", "titlesonly",
    ]),
    (&["list-table"], &["align", "header-rows", "stub-columns", "width", "widths"]),
    (&["csv-table"], &[
        "align", "delim", "encoding", "escape", "file", "header", "header-rows", "keepspace", "quote", "stub-columns", "url", "width",
        "widths",
    ]),
];

/// Maximum number of lines in a directive that are examined.
const MOST_LINES: usize = 2000;

pub(super) fn mistakes(source: &PageSource<'_>) -> Vec<Mistake> {
    if !source.rules.contains(&SyntaxRule::Directives) {
        return Vec::new();
    }
    let directives = directives(source);
    let found = directives.iter().flat_map(of_directive).chain(same_tabs(&directives));
    found.chain(without_braces(source)).chain(unclosed(source)).collect()
}

/// Reports fences that only end where another directive does, so that what follows is in them.
fn unclosed<'a>(source: &'a PageSource<'_>) -> impl Iterator<Item = Mistake> + 'a {
    source.unclosed.iter().map(|span| {
        let marks = source.text[span.clone()].split(|c| !matches!(c, '`' | '~')).next().unwrap_or_default();
        Mistake {
            code: Code::UnclosedFence,
            ..Mistake::misread(
                span.clone(),
                "nothing closes this, so it ends where another directive does".to_string(),
                format!("add a line with {marks} after its content"),
            )
        }
    })
}

/// Reports the name of a directive without its braces, which is a code block in a language of that name.
fn without_braces<'a>(source: &'a PageSource<'_>) -> impl Iterator<Item = Mistake> + 'a {
    const NAMES: [&str; 12] = [
        "admonition",
        "attention",
        "caution",
        "danger",
        "important",
        "note",
        "seealso",
        "tab-item",
        "tip",
        "toctree",
        "versionadded",
        "warning",
    ];
    source.fences.iter().filter(|fence| NAMES.contains(&fence.language)).map(|fence| {
        let span = fence.info.start..fence.info.start + fence.language.len();
        let message = format!("`{}` isn't in braces, so readers see its text as code", fence.language);
        Mistake::misread(span, message, format!("use `{{{}}}`", fence.language))
    })
}

/// Reports a tab that is synchronized with another one of its set:
/// <https://sphinx-design.readthedocs.io/en/latest/tabs.html#synchronised-tabs>.
fn same_tabs(directives: &[Directive<'_>]) -> Vec<Mistake> {
    let mut keys: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for it in directives {
        match it.name {
            "tab-set" => keys.clear(),
            "tab-item" => {
                let Some((_, key, span)) = it.options.iter().find(|(name, ..)| *name == "sync") else {
                    continue;
                };
                if keys.contains(key) {
                    let message = format!("another tab of this set is also synchronized with `{key}`");
                    found.push(Mistake::value(span.clone(), message, "use a key of its own for each tab"));
                }
                keys.push(key);
            }
            _ => {}
        }
    }
    found
}

/// Reports `{{ name }}` with a name that neither the configuration nor the page defines:
/// <https://myst-parser.readthedocs.io/en/latest/syntax/optional.html#substitutions-with-jinja2>.
pub(super) fn substitutions(
    source: &PageSource<'_>,
    lines: &[SourceLine<'_>],
    known: Option<&SortedSet<String>>,
) -> Vec<Mistake> {
    let Some(known) = known else { return Vec::new() };
    let own = &source.text[..source.body];
    let is_name =
        |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let of_line = |line: &SourceLine<'_>| {
        let outputs = line.text.match_indices("{{").filter_map(|(at, _)| {
            let inside = line.text[at + 2..].split_once("}}")?.0;
            let name = inside.trim();
            let is_known = known.contains(name) || name == "env" || own.contains(&format!("{name}:"));
            let span = line.place(at..at + inside.len() + 4);
            (is_name(name) && !is_known).then(|| {
                let message =
                    format!("`{name}` isn't in `myst_substitutions`, so readers don't see its value");
                let help = match nearest(name, known.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "define it in `conf.py`, or in the front matter".to_string(),
                };
                Mistake::misread(span, message, help)
            })
        });
        outputs.collect::<Vec<_>>()
    };
    lines.iter().flat_map(of_line).collect()
}

fn directives<'t>(source: &PageSource<'t>) -> Vec<Directive<'t>> {
    let lines = placed(&source.text[source.body..], source.body);
    let lines: Vec<(usize, &str)> =
        lines.map(|(at, line)| (at, line.trim_end_matches(['\n', '\r']))).collect();
    // A block of code may show a directive.
    let is_shown = |at: usize| {
        let next = source.fences.partition_point(|fence| fence.code.end <= at);
        let around = source.fences.get(next).filter(|fence| fence.code.contains(&at));
        around.is_some_and(|fence| !source.text[fence.info.clone()].starts_with('{'))
    };
    let found = (0..lines.len()).filter_map(|index| {
        let (start, line) = lines[index];
        let written = line.trim();
        let mark = written.bytes().next().filter(|mark| matches!(mark, b'`' | b'~' | b':'))?;
        let length = run(written, mark);
        let (name, argument) = written[length..].strip_prefix('{')?.split_once('}')?;
        if length < 3 || is_shown(start) {
            return None;
        }
        // A line that is indented by four spaces more is in an item.
        let deepest = line.len() - line.trim_start().len() + 3;
        let is_end = |line: &str| {
            let marks = run(line.trim(), mark);
            marks >= length && marks == line.trim().len() && line.trim_end().len() - marks <= deepest
        };
        let below = lines[index + 1..].iter().take(MOST_LINES).take_while(|(_, line)| !is_end(line));
        let mut lines: Vec<(usize, &str)> = below.copied().collect();
        let is_option = |(start, line): &(usize, &'t str)| {
            let (name, value) = option(line)?;
            let lead = line.len() - line.trim_start().len();
            Some((name, value, start + lead..start + line.trim_end().len()))
        };
        let options: Vec<_> = lines.iter().map_while(is_option).collect();
        lines.drain(..options.len());
        let lead = line.len() - line.trim_start().len();
        let span = start + lead..start + lead + written.len();
        Some(Directive { name, argument: argument.trim(), span, options, lines })
    });
    found.collect()
}

fn run(text: &str, mark: u8) -> usize {
    text.bytes().take_while(|byte| *byte == mark).count()
}

fn option(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim().strip_prefix(':')?.split_once(':')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let is_apart = value.is_empty() || value.starts_with(' ');
    (is_name && is_apart).then_some((name, value.trim()))
}

fn of_directive(it: &Directive<'_>) -> Vec<Mistake> {
    let mut found: Vec<Mistake> =
        [no_argument(it), late_options(it), bare_option(it), rows(it), widths(it), link_of_card(it)]
            .into_iter()
            .flatten()
            .collect();
    found.extend(unknown_options(it));
    found.extend(index_entries(it));
    found.extend(markdown_in_rst(it));
    found
}

fn no_argument(it: &Directive<'_>) -> Option<Mistake> {
    let needs = WITH_ARGUMENT.contains(&it.name) && it.argument.is_empty();
    needs.then(|| {
        let message = format!("`{{{}}}` has no argument, so Sphinx leaves it out", it.name);
        let argument = match it.name {
            "admonition" | "topic" | "tab-item" => "a title",
            name if name.starts_with("version") || name == "deprecated" => "a version",
            _ => "the path of a file",
        };
        Mistake::misread(it.span.clone(), message, format!("add {argument} after `{{{}}}`", it.name))
    })
}

/// Reports options after a blank line, which are content.
fn late_options(it: &Directive<'_>) -> Option<Mistake> {
    let (_, known) = OPTIONS.iter().find(|(names, _)| names.contains(&it.name))?;
    let is_blank = it.options.is_empty() && it.lines.first().is_some_and(|(_, line)| line.trim().is_empty());
    let (start, line) = it.lines.get(1).filter(|_| is_blank)?;
    let (name, _) = option(line).filter(|(name, _)| known.contains(name) || *name == "name")?;
    let message = format!("a blank line is above the option `{name}`, so it is content");
    Some(Mistake::misread(*start..start + line.len(), message, "remove the blank line"))
}

/// Reports `name: lamp` without the colon before it, directly below the opening line or other options.
fn bare_option(it: &Directive<'_>) -> Option<Mistake> {
    let (_, known) = OPTIONS.iter().find(|(names, _)| names.contains(&it.name))?;
    let (start, line) = it.lines.first()?;
    let (name, value) = line.trim().split_once(": ")?;
    // YAML has such lines.
    let is_yaml = ["yaml", "yml"].contains(&it.argument);
    let is_option = (known.contains(&name) || name == "name") && !value.trim().is_empty() && !is_yaml;
    is_option.then(|| {
        let message = format!("no colon is before the option `{name}`, so it is content");
        let at = start + line.len() - line.trim_start().len();
        Mistake::misread(at..at + line.trim().len(), message, format!("use `:{name}: {value}`"))
    })
}

fn unknown_options(it: &Directive<'_>) -> Vec<Mistake> {
    const LONG: usize = 5;
    let Some((_, known)) = OPTIONS.iter().find(|(names, _)| names.contains(&it.name)) else {
        return misspelled_options(it);
    };
    // The translation of the page reports long ones that differ by a letter, except plurals.
    let is_near = |name: &str, it: &str| it.len() >= LONG && distance_within(name, it, 1) == Some(1);
    let is_reported =
        |name: &str| name.len() >= LONG && known.iter().any(|it| is_near(name, it) && !is_plural(name, it));
    let is_known = |name: &str| known.contains(&name) || ["class", "name"].contains(&name);
    let unknown = it.options.iter().filter(|(name, ..)| !is_known(name) && !is_reported(name));
    let mistake = |(name, _, span): &(&str, &str, Range<usize>)| {
        let message = format!("`{{{}}}` has no option `{name}`, so Sphinx ignores it", it.name);
        let help = match (*name, nearest(name, known.iter().copied())) {
            ("caption", _) => "write the caption below the options, after a blank line".to_string(),
            (_, Some(near)) => format!("did you mean `{near}`?"),
            _ => format!("use one of `{}`", known.join("`, `")),
        };
        Mistake::misread(span.clone(), message, help)
    };
    unknown.map(mistake).collect()
}

/// Reports `:clas:` of a note. Themes add options to notes.
fn misspelled_options(it: &Directive<'_>) -> Vec<Mistake> {
    #[rustfmt::skip]
    const NOTES: [&str; 13] = [
        "admonition", "attention", "caution", "danger", "dropdown", "error", "hint", "important", "note", "seealso", "tip", "topic",
        "warning",
    ];
    let options = it.options.iter().filter(|_| NOTES.contains(&it.name));
    let mistake = |(name, _, span): &(&str, &str, Range<usize>)| {
        let near = ["class", "name"].into_iter().find(|it| distance_within(name, it, 1) == Some(1))?;
        let message = format!("`{{{}}}` has no option `{name}`, so Sphinx ignores it", it.name);
        Some(Mistake::misread(span.clone(), message, format!("did you mean `{near}`?")))
    };
    options.filter_map(mistake).collect()
}

/// Reports a row of a list that has another number of cells than the first.
fn rows(it: &Directive<'_>) -> Option<Mistake> {
    if it.name != "list-table" {
        return None;
    }
    let mut rows: Vec<(Range<usize>, usize)> = Vec::new();
    let (mut column, mut fences) = (None, Fences::default());
    for (start, line) in &it.lines {
        let text = line.trim_start();
        let is_text = fences.next(text.trim_start_matches(['*', '-', ' '])) == LineKind::Text;
        if !is_text && !text.starts_with(['*', '-']) {
            continue;
        }
        let indent = line.len() - text.len();
        let inner = text.strip_prefix("* ").or_else(|| text.strip_prefix("- "));
        let Some(inner) = inner else { continue };
        let cell = indent + line[indent..].len() - inner.trim_start().len();
        let is_cell =
            |text: &str| ["- ", "* "].iter().any(|it| text.starts_with(it)) || matches!(text, "-" | "*");
        if column.is_none_or(|column| indent < column) && is_cell(inner.trim_start()) {
            column = Some(cell);
            rows.push((start + indent..start + line.len(), 1));
        } else if column == Some(indent)
            && let Some((_, count)) = rows.last_mut()
        {
            *count += 1;
        }
    }
    let first = rows.first()?.1;
    let (span, count) = rows.iter().find(|(_, count)| *count != first)?;
    let message = format!(
        "the row has {}, and the first has {first}, so Sphinx leaves out the table",
        base::diagnostic::count(*count, "cell")
    );
    Some(Mistake::misread(
        span.clone(),
        message,
        "use the same number of cells in each row; an empty one is `-`",
    ))
}

/// Reports `widths` that don't match the columns of `header`.
fn widths(it: &Directive<'_>) -> Option<Mistake> {
    let value = |wanted: &str| it.options.iter().find(|(name, ..)| *name == wanted);
    let ((_, widths, span), (_, header, _)) = (value("widths")?, value("header")?);
    let widths = widths.split([',', ' ']).filter(|it| !it.is_empty());
    let (numbers, columns) = (widths.clone().count(), header.split(',').count());
    let is_list =
        it.name == "csv-table" && widths.clone().all(|it| it.parse::<u32>().is_ok()) && !header.contains('"');
    (is_list && numbers != columns).then(|| {
        let message = format!(
            "`widths` has {numbers} numbers and `header` {columns} columns, so Sphinx leaves out the table"
        );
        Mistake::misread(span.clone(), message, "use one number for each column")
    })
}

/// Reports the link of a card to a document without its type: <https://sphinx-design.readthedocs.io/en/latest/cards.html>.
fn link_of_card(it: &Directive<'_>) -> Option<Mistake> {
    let (_, target, span) = it.options.iter().find(|(name, ..)| *name == "link")?;
    let has_type = it.options.iter().any(|(name, ..)| *name == "link-type");
    let is_card = matches!(it.name, "card" | "grid-item-card");
    let is_document =
        !target.contains([':', '#', '.', ' ']) && !target.starts_with('/') && !target.is_empty();
    (is_card && !has_type && is_document).then(|| {
        let message = format!("{} is a URL without `link-type`, and not a document", quoted(target));
        Mistake::misread(span.clone(), message, "add `:link-type: doc`, or `ref` for a label")
    })
}

/// Reports entries of an index without their second part.
fn index_entries(it: &Directive<'_>) -> Vec<Mistake> {
    if it.name != "index" {
        return Vec::new();
    }
    let first = (it.span.end - it.argument.len(), it.argument);
    let entries = [first].into_iter().chain(it.lines.iter().copied());
    let lacking = entries.filter_map(|(start, line)| {
        let (kind, rest) = line.trim().split_once(':')?;
        let parts = match kind {
            "pair" | "see" | "seealso" => 2,
            "triple" => 3,
            _ => return None,
        };
        (rest.split(';').count() < parts).then(|| {
            let message =
                format!("an entry of the type `{kind}` needs {parts} parts, so Sphinx leaves it out");
            let lead = line.len() - line.trim_start().len();
            let span = start + lead..start + line.trim_end().len();
            Mistake::misread(span, message, "separate its parts by `;`")
        })
    });
    lacking.collect()
}

/// Reports links of Markdown in reStructuredText.
fn markdown_in_rst(it: &Directive<'_>) -> Vec<Mistake> {
    let source = it.lines.iter().filter(|_| it.name == "eval-rst");
    let links = source.filter_map(|(start, line)| {
        let middle = ["](http", "](/", "](./", "](../"].iter().find_map(|sign| line.find(sign))?;
        let open = line[..middle].rfind('[')?;
        let close = middle + line[middle..].find(')')? + 1;
        let text = &line[open + 1..middle];
        let target = &line[middle + 2..close - 1];
        let message =
            format!("{} is a link of Markdown, so readers see its brackets", quoted(&line[open..close]));
        let help = format!("use {}", quoted(&format!("`{text} <{target}>`_")));
        Some(Mistake::misread(start + open..start + close, message, help))
    });
    links.collect()
}
