//! Includes of files: `--8<-- "file"`, `<<< @/file`, `<!--@include: file-->`, `!!!include(file)!!!`, `{!file!}`,
//! `{% include "file" %}`.

use std::borrow::Cow;

use super::construct::{AS_WRITTEN, Construct, Slip, TextPlace, first_line};
use super::notes::InclusionKind;
use super::translator::{RuleAt, Translator};
use super::{files, parts};
use crate::markdown::page::OmissionReason;
use base::diagnostic::{Code, Problem};
use base::quoted::quoted;
use base::site_path;
use base::sorted::SortedMap;
use input::conventions::Syntax;

/// `--8<-- "file"`, `<<< @/file`.
pub(super) const SNIPPET: Construct = Construct {
    name: "snippet",
    nouns: ("another tool's include", "includes"),
    syntaxes: &[Syntax::Snippets],
    slip: Some(Slip {
        opens: &["<<< @/", "<<< ./", "<<< ../", "--8<-- ", ";--8<-- ", "@[code"],
        length: snippet,
        seen: AS_WRITTEN,
        help: "insert the text or code itself",
    }),
    becomes: &[(&[Syntax::Snippets], RuleAt::Line(line)), (&[Syntax::Snippets], RuleAt::CodeLine(in_code))],
};

/// `<!--@include: file-->`.
pub(super) const COMMENT: Construct = Construct {
    name: "vue-include",
    syntaxes: &[Syntax::Vue],
    becomes: &[(&[Syntax::Vue], RuleAt::Place("<!--", comment))],
    ..Construct::SILENT
};

/// Matches `<<< @/snippets/a.js` and `--8<-- "a.md"`.
fn snippet(place: &TextPlace<'_>) -> Option<usize> {
    let line = first_line(place.written).trim_end();
    let is_include = match line.split_once("--8<-- ") {
        Some((_, path)) => path.starts_with('"') && path.ends_with('"') && path.len() > 2,
        None => !line.starts_with("@[code") || line.contains("]("),
    };
    (place.begins_line && is_include).then_some(line.len())
}

const SCISSORS: &str = "--8<--";

/// Translates a line that includes a file.
pub(super) fn line(it: &mut Translator<'_, '_>, inner: &str) -> bool {
    let end = it.lines.at + inner.len();
    if let Some(rest) = inner.strip_prefix("<<<") {
        let is_path = rest.trim_start().starts_with(['@', '.', '/']);
        if is_path {
            code(it, rest.trim(), end);
            it.end_of_line();
        }
        return is_path;
    }
    // <https://github.com/camelaissani/markdown-it-include>
    if let Some(path) =
        inner.strip_prefix("!!!include(").and_then(|rest| rest.trim_end().strip_suffix(")!!!"))
    {
        include(it, path.trim(), end);
        it.end_of_line();
        return true;
    }
    if inner.starts_with(';') && inner[1..].starts_with(SCISSORS) {
        it.lines.at += 1;
        it.copy_to(end);
        it.end_of_line();
        return true;
    }
    if parts::after_scissors(inner) == Some("") {
        return block(it, inner, end);
    }
    if let Some(name) = in_exclamation_marks(inner) {
        // It is relative to the folder of the configuration.
        if name.starts_with("../") {
            it.note(SNIPPET.name, &name, OmissionReason::Outside, it.lines.at..end);
            it.remove(end);
        } else {
            include(it, &name, end);
        }
        it.end_of_line();
        return true;
    }
    let text = &it.lines.text[it.lines.at..];
    if let Some(tag) = IncludeTag::of(text).filter(|_| it.has(Syntax::Tags)) {
        include_between(it, &tag);
        it.end_of_line();
        return true;
    }
    let Some(name) = name_of(inner) else { return false };
    include(it, name, end);
    it.end_of_line();
    true
}

/// Returns the file in `--8<-- "file"`.
fn name_of(content: &str) -> Option<&str> {
    let quoted = parts::after_scissors(content.trim())?.trim();
    let quote = quoted.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let name = quoted[1..].strip_suffix(quote)?.trim();
    (!name.is_empty()).then_some(name)
}

/// Returns the file in `{!file!}`, in the form of `--8<--`: <https://github.com/cmacmackin/markdown-include>,
/// <https://github.com/neurobin/mdx_include>. A sign after the first mark is about recursion or indentation.
fn in_exclamation_marks(line: &str) -> Option<Cow<'_, str>> {
    let name = line.trim().strip_prefix("{!")?.strip_suffix("!}")?.split('|').next()?;
    let name = name.trim_start_matches(['>', '+', '-']).trim();
    let (path, slices) = name.split_once('[').map_or((name, None), |(path, slices)| {
        (path.trim_end(), slices.strip_prefix("ln:").and_then(|it| it.strip_suffix(']')))
    });
    let path = path.strip_prefix("./").unwrap_or(path);
    if path.is_empty() || path.contains(['*', '{', '!']) {
        return None;
    }
    Some(match slices {
        // Lines may have columns: `4.2-6.8`.
        Some(slices) => {
            let line = |it: &str| it.split('.').next().unwrap_or_default().to_string();
            let range = |it: &str| it.split('-').map(line).collect::<Vec<_>>().join(":");
            let ranges: Vec<String> = slices.split(',').map(str::trim).map(range).collect();
            format!("{path}:{}", ranges.join(",")).into()
        }
        None => path.into(),
    })
}

/// `{% include "file" %}` and `{% include-markdown "file" start="…" end="…" %}`, on one or more lines:
/// <https://github.com/mondeja/mkdocs-include-markdown-plugin#documentation>.
struct IncludeTag<'t> {
    path: &'t str,
    /// Whether links in the file are relative to it. A path without dots is that in the folder of all pages.
    is_relocated: bool,
    /// The text above and below the part of the file.
    delimiters: [Option<&'t str>; 2],
    length: usize,
}

impl<'t> IncludeTag<'t> {
    /// Reads the tag at the start of a text, unless it is a pattern of several files.
    fn of(text: &'t str) -> Option<Self> {
        const LONGEST: usize = 1000;
        let inside = text.trim_start_matches([' ', '\t']).strip_prefix("{%")?;
        let close = inside.as_bytes().iter().take(LONGEST).position(|byte| *byte == b'%')?;
        let rest = inside[close..].strip_prefix("%}")?;
        let tag = inside[..close].trim_matches(['-', ' ', '\t', '\r', '\n']);
        let arguments = tag.strip_prefix("include-markdown").or_else(|| tag.strip_prefix("include"))?;
        let path = quoted_value(arguments.strip_prefix(char::is_whitespace)?.trim_start())?;
        let delimiter = |name: &str| quoted_value(arguments.split_once(name)?.1);
        let is_whole_line = rest.lines().next().unwrap_or_default().trim().is_empty();
        (is_whole_line && !path.is_empty() && !path.contains(['*', '{'])).then_some(Self {
            path,
            is_relocated: tag.starts_with("include-markdown")
                && path.starts_with('.')
                && !arguments.contains("rewrite-relative-urls=false"),
            delimiters: [delimiter("start="), delimiter("end=")],
            length: text.len() - rest.len(),
        })
    }

    /// Returns the part of the file's text, or the delimiter that it lacks.
    fn part<'f>(&self, text: &'f str) -> Result<&'f str, &'t str> {
        let [start, end] = self.delimiters;
        let below = start.map_or(Ok(text), |it| text.split_once(it).map(|(_, below)| below).ok_or(it))?;
        end.map_or(Ok(below), |it| below.split_once(it).map(|(part, _)| part).ok_or(it))
    }
}

/// Returns the value in quotes at the start of a text.
fn quoted_value(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    text[1..].split_once(quote).map(|(value, _)| value)
}

/// Splits a file name into its path and the selected part: `a.md:2:5`, `a.md:section`.
fn path_and_part(name: &str) -> (&str, &str) {
    let from = name.find("://").map_or(0, |at| at + 3);
    match name[from..].find(':') {
        Some(at) => (&name[..from + at], &name[from + at + 1..]),
        None => (name, ""),
    }
}

fn include(it: &mut Translator<'_, '_>, name: &str, end: usize) {
    let (path, wanted) = path_and_part(name);
    match it.part(path, InclusionKind::Markdown, it.lines.at..end) {
        Some(text) => {
            let text =
                if wanted.is_empty() { text.to_string() } else { files::part(it, path, text, wanted, end) };
            let markdown = it.included(&text, SortedMap::new(), end);
            it.put_markdown(&markdown, end);
        }
        None => missing(it, path, end),
    }
}

/// Includes the part of a file between two delimiters.
fn include_between(it: &mut Translator<'_, '_>, tag: &IncludeTag<'_>) {
    let end = it.lines.at + tag.length;
    let Some(text) = it.part(tag.path, InclusionKind::Markdown, it.lines.at..end) else {
        return missing(it, tag.path, end);
    };
    let part = tag.part(text).unwrap_or_else(|delimiter| {
        let message =
            format!("{} doesn't contain {}, so nothing is included", quoted(tag.path), quoted(delimiter));
        let problem = Problem::new(Code::MissingCodePart, it.lines.at..end, message).as_warning();
        let help = "add it there, or correct the `start` or `end` of the tag";
        it.notes.problems.push(problem.help(help.to_string()));
        ""
    });
    let folder = if tag.is_relocated { site_path::parent(tag.path) } else { "" };
    let part = parts::relocated(part, folder, |target, _| parts::is_relative(target));
    let markdown = it.included(&part, SortedMap::new(), end);
    it.put_markdown(&markdown, end);
}

fn missing(it: &mut Translator<'_, '_>, path: &str, end: usize) {
    let span = it.lines.at..end;
    it.note(SNIPPET.name, path, OmissionReason::Missing, span);
    it.remove(end);
}

/// Includes the files between two equal lines of `--8<--`, one per line.
fn block(it: &mut Translator<'_, '_>, scissors: &str, end: usize) -> bool {
    let Some(close) = it.fuel.find(it.lines.text, end, scissors) else { return false };
    let names: Vec<&str> = it.lines.text[end..close].lines().map(str::trim).collect();
    let names: Vec<&str> =
        names.into_iter().filter(|name| !name.is_empty() && !name.starts_with(';')).collect();
    let close = close + scissors.len();
    let mut markdown = Vec::new();
    for name in names {
        let (path, wanted) = path_and_part(name);
        if let Some(text) = it.part(path, InclusionKind::Markdown, it.lines.at..close) {
            let text = files::part(it, path, text, wanted, close);
            markdown.push(it.included(&text, SortedMap::new(), close));
        } else {
            let span = it.lines.at..close;
            it.note(SNIPPET.name, path, OmissionReason::Missing, span);
        }
    }
    it.put_markdown(&markdown.join("\n\n"), close);
    it.lines.at += it.lines.rest_of_line(it.lines.at).len();
    it.end_of_line();
    true
}

/// Includes `<<< @/a.js#region{1,3} [Title]`.
fn code(it: &mut Translator<'_, '_>, written: &str, end: usize) {
    let (written, title) = match written.split_once('[') {
        Some((written, title)) => (written.trim_end(), Some(title.trim_end_matches(']').trim())),
        None => (written, None),
    };
    let (written, marks) = match written.split_once('{') {
        Some((written, marks)) => (written.trim_end(), marks.trim_end_matches('}')),
        None => (written, ""),
    };
    let (path, section) = written.split_once('#').unwrap_or((written, ""));
    let path = path.trim();
    let mut words = marks.split_whitespace();
    let lines = words.clone().find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let said = words.find(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
    let Some(text) = it.part(path, InclusionKind::Code, it.lines.at..end) else {
        return missing(it, path, end);
    };
    let mut info = said.unwrap_or_else(|| parts::language(path)).to_string();
    if let Some(title) = title.filter(|title| !title.is_empty()) {
        info.extend([" title=\"", &title.replace('"', "'"), "\""]);
    }
    if let Some(lines) = lines {
        info.extend([" {", lines, "}"]);
    }
    let shown = parts::selected_if_present(text, section).unwrap_or_else(|| {
        let problem = files::no_region(path, text, section, "", it.lines.at..end);
        let has_regions = !parts::region_names(text).is_empty();
        it.notes.problems.extend(has_regions.then(|| problem.as_warning()));
        // VitePress shows the complete file.
        parts::selected(text, "")
    });
    it.put_lines(&parts::fenced(&shown, &info), end);
}

/// Translates a line of a code block that includes a file.
pub(super) fn in_code(it: &mut Translator<'_, '_>, end: usize, _info: &str) -> bool {
    let line = it.lines.rest_of_line(it.lines.at);
    let tag = || Some(IncludeTag::of(line).filter(|_| it.has(Syntax::Tags))?.path.into());
    let (scissors, marks) = (name_of(line).map(Cow::from), in_exclamation_marks(line));
    let (has_scissors, has_marks) = (scissors.is_some(), marks.is_some());
    let Some(name) = scissors.or(marks).or_else(tag) else { return false };
    let (path, wanted) = path_and_part(&name);
    let indent = &line[..line.len() - line.trim_start().len()];
    let Some(text) = it.part(path, InclusionKind::Code, it.lines.at..end) else {
        // Other programs have tags of their own, and lines in braces without the name of a file.
        let is_name =
            |path: &str| site_path::file_name(path).contains('.') && !path.contains([' ', '(', '$']);
        let is_ours = has_scissors || has_marks && is_name(path);
        if is_ours && !path.contains("://") {
            let span = it.lines.at..end;
            it.note(SNIPPET.name, path, OmissionReason::Missing, span);
        }
        return false;
    };
    let code = files::part(it, path, text, wanted, end);
    let lines: Vec<String> = code.lines().map(|line| format!("{indent}{line}\n")).collect();
    it.put(&lines.concat(), end);
    true
}

/// Translates `<!--@include: ./a.md{2,5}-->`.
pub(super) fn comment(it: &mut Translator<'_, '_>) -> bool {
    let rest = it.lines.rest();
    let Some(inside) = rest.strip_prefix("<!--").map(str::trim_start) else { return false };
    let Some(inside) = inside.strip_prefix("@include:") else { return false };
    let Some(close) = it.find_in_line(it.lines.at, "-->") else { return false };
    let end = close + 3;
    let written = inside[..inside.find("-->").unwrap_or(0)].trim();
    let (written, lines) = match written.split_once('{') {
        Some((written, lines)) => (written.trim_end(), lines.trim_end_matches('}').replace(',', ":")),
        None => (written, String::new()),
    };
    let (path, section) = written.split_once('#').unwrap_or((written, ""));
    let path = path.trim();
    let wanted = if section.is_empty() { lines } else { section.to_string() };
    match it.part(path, InclusionKind::Markdown, it.lines.at..end) {
        Some(text) => {
            // A region comes before a heading with the same name.
            let is_heading = parts::region(text, section).is_none();
            let text = match parts::below_heading(text, section).filter(|_| is_heading) {
                Some(part) => part.to_string(),
                None if wanted.is_empty() => text.to_string(),
                None => files::part(it, path, text, &wanted, end),
            };
            let markdown = it.included(&text, SortedMap::new(), end);
            it.put_markdown(&markdown, end);
        }
        None => missing(it, path, end),
    }
    true
}
