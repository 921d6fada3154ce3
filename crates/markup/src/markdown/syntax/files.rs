//! Code blocks that include a file of the site: ```` ```kotlin file="code/App.kt" region="init" ````.
//!
//! The attributes that select the file are removed from the opening line. The code replaces the content of the block.

use std::ops::{Range, RangeInclusive};

use super::construct::Construct;
use super::notes::InclusionKind;
use super::parts::{self, Region};
use super::translator::{RuleAt, Translator};
use crate::markdown::fence::{FenceAttribute, attributes};
use crate::markdown::lines::{columns, run_length};
use base::diagnostic::{Code, Problem, nearest};
use base::site_path;
use input::conventions::Syntax;
use input::dialect::Absence;

/// A code block with `file="…"`.
pub(super) const FILE: Construct = Construct {
    name: "code-file",
    syntaxes: &[Syntax::CodeFiles],
    becomes: &[(&[Syntax::CodeFiles], RuleAt::Fence(fence))],
    ..Construct::SILENT
};

/// The attributes that select the code, with their ranges in the text.
#[derive(Debug, Default)]
struct Named<'t> {
    file: Option<(&'t str, Range<usize>)>,
    region: Option<(&'t str, Range<usize>)>,
    lines: Option<(&'t str, Range<usize>)>,
    has_title: bool,
    /// Ranges to remove from the line, each with the spaces after it.
    spans: Vec<Range<usize>>,
}

/// The range of a code block in the text.
struct Fence {
    /// The marker character and the number of markers.
    mark: u8,
    length: usize,
    /// End of the opening line, without its line end.
    opened: usize,
    body: Range<usize>,
}

/// Translates a code block that includes a file, up to its closing line.
pub(super) fn fence(it: &mut Translator<'_, '_>, mark: u8, length: usize) -> bool {
    let line = it.lines.rest_of_line(it.lines.at);
    if !line.contains("file=") {
        return false;
    }
    let opened = it.lines.at + line.len();
    let named = named(&line[length..], it.lines.at + length);
    let Some((path, place)) = named.file.clone() else { return false };
    // An unclosed block is reported, and the text after it isn't leftover code.
    let Some(body) = body(it, mark, length) else { return false };
    let fence = Fence { mark, length, opened, body };
    let path = path.trim();
    let between = opened..fence.body.end;
    let code = if let Some(text) = it.part(path, InclusionKind::Code, between) {
        selected(it, path, text, &named)
    } else {
        let problem = missing(path, it.dialect.absent.get(path), place);
        it.notes.problems.push(problem);
        String::new()
    };
    unused(it, path, &fence);
    write(it, &fence, &named, path, &code);
    true
}

fn named(info: &str, start: usize) -> Named<'_> {
    let mut named = Named::default();
    for said in attributes(info) {
        let FenceAttribute::Value { name, value, place, span } = said else { continue };
        let place = start + place.start..start + place.end;
        let what = match name {
            "file" => &mut named.file,
            "region" => &mut named.region,
            "lines" => &mut named.lines,
            "title" => {
                named.has_title = true;
                continue;
            }
            _ => continue,
        };
        *what = Some((value, place));
        let behind = info[span.end..].len() - info[span.end..].trim_start().len();
        named.spans.push(start + span.start..start + span.end + behind);
    }
    named
}

/// Returns the lines between the line at `at` and the closing line of its block, or `None` if it isn't closed.
pub(super) fn body(it: &Translator<'_, '_>, mark: u8, length: usize) -> Option<Range<usize>> {
    let start = it.lines.line_end(it.lines.at);
    let column = it.lines.lists.last().copied().unwrap_or(0);
    let is_quoted = it.lines.lead.contains('>');
    let mut at = start;
    while at < it.lines.text.len() {
        let end = it.lines.line_end(at);
        let line = &it.lines.text[at..end];
        let content = line.trim_start_matches(['>', ' ', '\t']);
        let before = &line[..line.len() - content.len()];
        let is_within = if is_quoted {
            before.contains('>')
        } else {
            content.trim().is_empty() || columns(before) >= column
        };
        if !is_within {
            return None;
        }
        let run = run_length(content, mark);
        if run >= length && content[run..].trim().is_empty() {
            return Some(start..at);
        }
        at = end;
    }
    None
}

/// Returns the selected part of a file, as far as it exists.
fn selected(it: &mut Translator<'_, '_>, path: &str, text: &str, named: &Named<'_>) -> String {
    let text = text.trim_start_matches('\u{feff}');
    if let (Some((region, place)), lines) = (&named.region, &named.lines) {
        if let Some((_, place)) = lines {
            it.notes.problems.push(both(place.clone()));
        }
        let Some(Region { code, unended }) = parts::region(text, region.trim()) else {
            let marked = "add comments with `#region NAME` and `#endregion` around the lines to show";
            it.notes.problems.push(no_region(path, text, region.trim(), marked, place.clone()));
            return String::new();
        };
        if let Some((line, end)) = unended {
            it.notes.problems.push(unended_region(path, region.trim(), line, &end, place.clone()));
        }
        return code;
    }
    let Some((written, place)) = &named.lines else { return parts::whole(text) };
    let count = text.lines().count();
    let code = range(written, count).and_then(|lines| parts::lines(text, &lines));
    code.unwrap_or_else(|| {
        it.notes.problems.push(no_lines(path, written, count, place.clone()));
        String::new()
    })
}

/// Parses `3-9`, `3` or `3-` for a file with `count` lines.
fn range(written: &str, count: usize) -> Option<RangeInclusive<usize>> {
    let (first, last) = written.split_once('-').unwrap_or((written, written));
    let first = first.trim().parse().ok()?;
    let last = if last.trim().is_empty() { count } else { last.trim().parse().ok()? };
    Some(first..=last)
}

/// Writes the code block with its code.
fn write(it: &mut Translator<'_, '_>, fence: &Fence, named: &Named<'_>, path: &str, code: &str) {
    let Fence { mark, length, opened, ref body } = *fence;
    // The code must not contain a line that closes the block.
    let runs = code.lines().map(|line| run_length(line.trim_start(), mark));
    let longest = runs.filter(|run| *run >= length).max();
    let more = longest.map_or(0, |longest| longest + 1 - length);
    let more = char::from(mark).to_string().repeat(more);
    it.copy_to(it.lines.at + length);
    it.put(&more, it.lines.at);
    for span in &named.spans {
        it.copy_to(span.start);
        it.lines.at = span.end;
    }
    it.copy_to(opened);
    let mut new = String::new();
    let title = site_path::file_name(path);
    if !named.has_title && !title.is_empty() {
        let blank = if it.out.text.ends_with(' ') { "" } else { " " };
        new.extend([blank, "title=\"", &title.replace('"', "'"), "\""]);
    }
    let lead = it.lines.lead.trim_end().to_string();
    new.push('\n');
    for line in code.lines() {
        if line.is_empty() { new.extend([&lead, "\n"]) } else { new.extend([&it.lines.lead, line, "\n"]) }
    }
    it.put(&new, body.end);
    let closing = it.lines.rest_of_line(it.lines.at);
    let end = it.lines.at + closing.trim_end().len();
    let next = it.lines.line_end(it.lines.at);
    it.copy_to(end);
    it.put(&more, end);
    it.copy_to(next);
}

/// Reports hand-written code in the block, which isn't shown.
fn unused(it: &mut Translator<'_, '_>, path: &str, fence: &Fence) {
    let is_text = |c: char| !c.is_whitespace() && c != '>';
    let body = &it.lines.text[fence.body.clone()];
    let (Some(first), Some(last)) = (body.find(is_text), body.rfind(is_text)) else { return };
    let last = last + body[last..].chars().next().map_or(0, char::len_utf8);
    let span = fence.body.start + first..fence.body.start + last;
    let message = format!("this code is not shown because the block includes the file `{path}`");
    let help = "remove it, or remove `file` from the line above".to_string();
    it.notes.problems.push(Problem::new(Code::IgnoredCode, span, message).help(help));
}

fn missing(path: &str, why: Option<&Absence>, place: Range<usize>) -> Problem {
    let below = "use the path of a file, relative to the site root";
    let (message, help) = match why {
        _ if path.is_empty() => ("`file` is empty".to_string(), below.to_string()),
        None | Some(Absence::Outside) => {
            (format!("`{path}` is outside the site and can't be included"), below.to_string())
        }
        Some(Absence::Missing(near)) => {
            let help = near.as_ref().map(|near| format!("did you mean `{near}`?"));
            (format!("`{path}` doesn't exist"), help.unwrap_or_else(|| below.to_string()))
        }
        Some(Absence::Folder) => (format!("`{path}` is a folder"), "use a file in it".to_string()),
        Some(Absence::Secret) => (
            format!("`{path}` looks like a secret and can't be included"),
            "use a copy without secrets".to_string(),
        ),
        Some(Absence::Published) => {
            (format!("`{path}` is in the output of a build"), "use its source file".to_string())
        }
        Some(Absence::TooLarge(size)) => (
            format!("`{path}` has {size} bytes, which is too large"),
            "move the part that readers need to a separate file".to_string(),
        ),
        Some(Absence::NotUtf8) => {
            (format!("`{path}` is not UTF-8"), "save it as UTF-8, or use a text file".to_string())
        }
    };
    Problem::new(Code::MissingCodeFile, place, message).help(help).target(path)
}

/// Maximum number of names in a finding.
const MOST_NAMES: usize = 6;

/// Returns the lines or the region that an include of another generator selects, and reports a missing region.
pub(super) fn part(it: &mut Translator<'_, '_>, path: &str, text: &str, wanted: &str, end: usize) -> String {
    let place = it.lines.at..end;
    let region = parts::region(text, wanted.trim()).filter(|_| it.has(Syntax::Mdbook));
    if let Some((line, mark)) = region.and_then(|region| region.unended) {
        let problem = unended_region(path, wanted.trim(), line, &mark, place.clone());
        it.notes.problems.push(problem.as_warning());
    }
    parts::selected_if_present(text, wanted).unwrap_or_else(|| {
        let marked = "mark its first and last line there";
        it.notes.problems.push(no_region(path, text, wanted.trim(), marked, place));
        String::new()
    })
}

/// `marked` is how to mark a region, for a text that has none.
pub(super) fn no_region(path: &str, text: &str, name: &str, marked: &str, place: Range<usize>) -> Problem {
    let names = parts::region_names(text);
    let help = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => marked.to_string(),
        None => {
            let listed: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
            let more = match names.len().saturating_sub(MOST_NAMES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("it has {}{more}", listed.join(", "))
        }
    };
    let message = match name {
        "" => "`region` is empty".to_string(),
        name => format!("`{path}` has no region `{name}`"),
    };
    Problem::new(Code::MissingCodePart, place, message).help(help)
}

fn unended_region(path: &str, name: &str, line: usize, end: &str, place: Range<usize>) -> Problem {
    let message = format!("the region `{name}` in line {line} of `{path}` is never closed");
    let help = format!("add a comment with `{end}` at its end");
    Problem::new(Code::MissingCodePart, place, message).help(help)
}

fn no_lines(path: &str, written: &str, count: usize, place: Range<usize>) -> Problem {
    let lines = if count == 1 { "one line".to_string() } else { format!("{count} lines") };
    let message = format!("`{written}` is outside `{path}`, which has {lines}");
    let help = format!("use a range of line numbers, such as `1-{}` for all lines", count.max(1));
    Problem::new(Code::MissingCodePart, place, message).help(help)
}

fn both(place: Range<usize>) -> Problem {
    let message = "`lines` is ignored because `region` selects the lines";
    let help = "remove one of them".to_string();
    Problem::new(Code::MissingCodePart, place, message).help(help)
}
