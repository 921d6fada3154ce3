//! Parses the opening line of a code block: ```` ```kotlin title="App.kt" {3,5-7} ````.
//!
//! The syntax for the title and the highlighted lines is that of Docusaurus and Starlight, with Material's
//! `hl_lines="3 5-7"` in addition. Other attributes are ignored.

use std::ops::{Range, RangeInclusive};

use memchr::memmem;

use super::page::MarkedLines;
use super::span::OffsetMap;
use base::diagnostic::{Code, Problem, Severity};
use base::fences::{Fences, LineKind};

/// The opening line of a code block.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Fence {
    /// Original text. Empty if there is none.
    pub(super) language: String,
    pub(super) title: Option<String>,
    /// Original text, one per item.
    marks: Vec<String>,
    added: Vec<String>,
    removed: Vec<String>,
    focused: Vec<String>,
    numbered: bool,
}

/// Parses the text after the backticks.
pub(super) fn read(info: &str) -> Fence {
    let info = info.trim();
    let mut fence = Fence { language: language(info).to_string(), ..Fence::default() };
    for said in attributes(info) {
        match said {
            FenceAttribute::Lines(lines) | FenceAttribute::Value { name: "hl_lines", value: lines, .. } => {
                fence.mark(lines);
            }
            FenceAttribute::Value { name: "title", value, .. } if !value.is_empty() => {
                fence.title = Some(value.to_string());
            }
            FenceAttribute::Value { name: "ins", value, .. } => fence.added.extend(line_numbers(value)),
            FenceAttribute::Value { name: "del", value, .. } => fence.removed.extend(line_numbers(value)),
            FenceAttribute::Value { name: "focus", value, .. } => fence.focused.extend(line_numbers(value)),
            FenceAttribute::Value { name: "showLineNumbers" | "linenums", value, .. } => {
                fence.numbered = !matches!(value, "false" | "{false}");
            }
            FenceAttribute::Value { .. } => {}
        }
    }
    fence.numbered |= info.split_whitespace().any(|word| word == "showLineNumbers");
    fence
}

/// Returns the end of the language.
fn after_language(info: &str) -> usize {
    info.find(|c: char| c.is_whitespace() || c == '{' || c == ',').unwrap_or(info.len())
}

/// Returns the first word, or the first class of an attribute list: `{.python title="a.py"}`, `{: .language-python}`. A dot may be before
/// the word as well: <https://python-markdown.github.io/extensions/fenced_code_blocks/>.
fn language(info: &str) -> &str {
    let list = info.strip_prefix('{').map(|list| list.trim_start_matches([':', ' ']));
    let class =
        |list: &'_ str| -> Option<usize> { list.starts_with(['.', '#']).then(|| list.find('.')).flatten() };
    let Some((list, class)) = list.and_then(|list| Some((list, class(list)?))) else {
        let word = &info[..after_language(info)];
        return word.strip_prefix('.').unwrap_or(word);
    };
    let word = &list[class + 1..];
    let word = &word[..word.find([' ', '\t', '}']).unwrap_or(word.len())];
    word.strip_prefix("language-").unwrap_or(word)
}

/// An attribute after the language.
pub(super) enum FenceAttribute<'i> {
    /// `{3,5-7}`
    Lines(&'i str),
    /// `name="value"`
    Value {
        name: &'i str,
        value: &'i str,
        /// Range of the value in the text, without quotes.
        place: Range<usize>,
        /// Range of the complete attribute.
        span: Range<usize>,
    },
}

/// Returns the attributes after the language, in order. Other words are skipped.
pub(super) fn attributes(info: &str) -> Vec<FenceAttribute<'_>> {
    let mut all = Vec::new();
    add_attributes(info, after_language(info), &mut all);
    all
}

/// Adds the attributes from `from` on, including those in an attribute list in braces.
fn add_attributes<'i>(info: &'i str, from: usize, all: &mut Vec<FenceAttribute<'i>>) {
    let mut rest = &info[from..];
    while let Some(start) = rest.find(|c: char| !c.is_whitespace() && c != ',') {
        rest = &rest[start..];
        if let Some((lines, after)) = rest.strip_prefix('{').and_then(|inside| inside.split_once('}')) {
            if lines.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
                all.push(FenceAttribute::Lines(lines));
            } else {
                let end = info.len() - after.len() - 1;
                add_attributes(&info[..end], end - lines.len(), all);
            }
            rest = after;
            continue;
        }
        let begin = info.len() - rest.len();
        let end = rest.find(|c: char| c.is_whitespace() || c == '=' || c == ',').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        rest = after;
        if let Some(written) = after.strip_prefix('=') {
            let (value, after) = quoted(written);
            let is_quoted = written.len() > value.len() + after.len();
            let start = info.len() - written.len() + usize::from(is_quoted);
            let span = begin..info.len() - after.len();
            all.push(FenceAttribute::Value { name, value, place: start..start + value.len(), span });
            rest = after;
        }
    }
}

/// Splits a text after a quoted value or a single word.
fn quoted(text: &str) -> (&str, &str) {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''));
    let close = quote.or_else(|| text.starts_with('{').then_some('}'));
    match close.and_then(|close| text[1..].split_once(close)) {
        Some(parts) => parts,
        None => text.split_at(text.find(char::is_whitespace).unwrap_or(text.len())),
    }
}

/// Splits the line numbers `3,5-7`. Other tools also mark words: those don't begin with a digit.
fn line_numbers(lines: &str) -> Vec<String> {
    let parts = lines.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.map(str::to_string).collect();
    let are_numbers = parts.first().is_some_and(|first| first.starts_with(|c: char| c.is_ascii_digit()));
    if are_numbers { parts } else { Vec::new() }
}

/// Returns the ranges of `written` in a block with `count` lines, and adds the ones that it doesn't have to `wrong`.
fn ranges<'w>(written: &'w [String], count: usize, wrong: &mut Vec<&'w str>) -> Vec<RangeInclusive<usize>> {
    let mut ranges = Vec::new();
    for written in written {
        let (first, last) = written.split_once('-').unwrap_or((written, written));
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if 0 < first && first <= last && last <= count => ranges.push(first..=last),
            _ => wrong.push(written.as_str()),
        }
    }
    ranges
}

impl Fence {
    /// Other tools use braces for other purposes. Our line numbers begin with a digit.
    fn mark(&mut self, lines: &str) {
        self.marks.extend(line_numbers(lines));
    }

    /// Returns the highlighted lines of a block with `count` lines, counted from 1, and the lines that it doesn't
    /// have.
    pub(super) fn marks(&self, count: usize) -> (Vec<RangeInclusive<usize>>, Vec<&str>) {
        let mut wrong = Vec::new();
        (ranges(&self.marks, count, &mut wrong), wrong)
    }

    /// Whether lines are added, removed, focused or numbered.
    pub(super) fn has_lines(&self) -> bool {
        self.numbered || !(self.added.is_empty() && self.removed.is_empty() && self.focused.is_empty())
    }

    /// Returns these lines, and adds the ones that a block with `count` lines doesn't have to `wrong`.
    pub(super) fn lines<'w>(&'w self, count: usize, wrong: &mut Vec<&'w str>) -> Option<Box<MarkedLines>> {
        self.has_lines().then(|| {
            Box::new(MarkedLines {
                added: ranges(&self.added, count, wrong),
                removed: ranges(&self.removed, count, wrong),
                focused: ranges(&self.focused, count, wrong),
                numbered: self.numbered,
            })
        })
    }

    /// Returns the attribute of a code block with such lines, for its style.
    pub(super) fn lines_attribute(&self) -> &'static str {
        match (self.numbered, self.focused.is_empty()) {
            (true, true) => " data-lines=\"numbered\"",
            (true, false) => " data-lines=\"numbered focused\"",
            (false, true) => " data-lines=\"\"",
            (false, false) => " data-lines=\"focused\"",
        }
    }
}

/// Whether the last line of a code block closes it.
pub(super) fn is_closed(block: &str) -> bool {
    let mut lines = block.lines();
    let opening = lines.next().unwrap_or_default();
    // The block's lines may be quoted, and indented.
    let marks = |line: &str| line.trim_matches([' ', '\t', '>']).to_string();
    let marks_of_opening = marks_of(opening);
    let closing = lines.next_back().map(marks).unwrap_or_default();
    closing.len() >= marks_of_opening.len() && closing.chars().all(|other| opening.starts_with(other))
}

/// Returns the finding for an unclosed code block, which may be a mark that is left from another block.
///
/// It ends with the list item, quote or block that contains it, which `within` names.
pub(super) fn unclosed(opening: &str, span: Range<usize>, code: &str, within: &str) -> Problem {
    let marks = marks_of(opening);
    let (message, help) = if code.trim().is_empty() {
        ("the code block has neither code nor an end".to_string(), format!("remove {marks}"))
    } else {
        let message = format!("the code block is never closed, so everything after {marks}{within} is code");
        (message, format!("add a line with {marks} after the code"))
    };
    Problem::new(Code::UnclosedFence, span, message).help(help)
}

/// Returns the opening line of the block that lacks its end, if a later one is never closed because of that. `last` is where the later one
/// begins.
///
/// A blank line is above the opening of a block and not below it, and at its end the other way round. From the block without its end on,
/// every fence is on the other side, or most of them if a section of the page begins in this block.
pub(super) fn first_unclosed(text: &str, last: usize) -> Option<Range<usize>> {
    let mut fences = Fences::default();
    // The opening and closing lines, each with whether it looks like the other kind, if it looks like one.
    let mut found: Vec<(Range<usize>, Option<bool>)> = Vec::new();
    // The blocks with a heading between blank lines.
    let mut with_heading: Vec<usize> = Vec::new();
    let (mut at, mut is_below_blank) = (0, true);
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        if at > last {
            break;
        }
        if fences.next(line) == LineKind::Fence {
            let is_above_blank = lines.peek().is_none_or(|next| next.trim().is_empty());
            let opens = found.len().is_multiple_of(2);
            let is_other = match (is_below_blank, is_above_blank) {
                (false, true) => Some(opens),
                (true, false) => Some(!opens),
                _ => None,
            };
            found.push((at..at + line.trim_end().len(), is_other));
        } else if is_below_blank
            && !found.len().is_multiple_of(2)
            && is_section(line)
            && lines.peek().is_some_and(|next| next.trim().is_empty())
        {
            with_heading.push(found.len() - 1);
        }
        is_below_blank = line.trim().is_empty();
        at += line.len();
    }
    let are_others = |block: &&usize| {
        let rest = &found[**block + 1..];
        let count = |wanted: bool| rest.iter().filter(|(_, is_other)| *is_other == Some(wanted)).count();
        count(true) > count(false)
    };
    if let Some(block) =
        with_heading.iter().find(are_others).filter(|_| found.last().is_some_and(|it| it.0.contains(&last)))
    {
        // What opens it looks like an end, so an earlier block lacks its own.
        let ends = (1..=*block / 2).take_while(|back| found[*block + 2 - 2 * back].1 == Some(true)).count();
        return Some(found[*block - 2 * ends].0.clone());
    }
    let first = found.iter().rposition(|(_, is_other)| *is_other != Some(true))? + 1;
    let is_exchanged = found.last()?.0.contains(&last) && !first.is_multiple_of(2) && first < found.len() - 1;
    is_exchanged.then(|| found[first - 1].0.clone())
}

/// Whether a line is the heading of a section. A comment of a program has one `#`, or begins in lower case.
fn is_section(line: &str) -> bool {
    let text = line.trim_start_matches('#');
    (2..=6).contains(&(line.len() - text.len()))
        && text.strip_prefix(' ').is_some_and(|text| text.starts_with(char::is_uppercase))
}

/// Returns the finding for the block that lacks its end, so that it ends where the next one begins.
pub(super) fn exchanged(opening: &str, span: Range<usize>) -> Problem {
    let marks = marks_of(opening.trim_start());
    let message = "the code block ends where the next one begins, so below it, text is code and code is text";
    Problem::new(Code::UnclosedFence, span, message).help(format!("add a line with {marks} after its code"))
}

/// Returns the first line of a block's code that would open another block if this one had ended before it.
pub(super) fn opening_in<'c>(code: &'c str, opening: &str) -> Option<&'c str> {
    let marks = marks_of(opening);
    let is_opening = |line: &&str| {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let info = line.trim_start_matches(' ').strip_prefix(marks);
        let info = info.map(|rest| rest.trim_start_matches(&marks[..1]));
        indent < 4
            && info.is_some_and(|it| {
                it.trim_start().starts_with(|c: char| c.is_alphabetic() || c == '{') && !it.contains('`')
            })
    };
    memmem::find(code.as_bytes(), marks.as_bytes()).and_then(|_| code.lines().find(is_opening))
}

/// Returns the finding for a code block that another block's end seems to close. A block of Markdown contains that one.
pub(super) fn closed_late(opening: &str, inner: &str, span: Range<usize>) -> Problem {
    let (marks, inner) = (marks_of(opening), inner.trim());
    let language = opening[marks.len()..].split_whitespace().next().unwrap_or_default();
    let is_markdown = ["markdown", "md", "mdx"].contains(&language);
    let consequence = if is_markdown { "the end of that ends it too" } else { "it may end too late" };
    let message = format!("the code block contains the line {inner}, so {consequence}");
    let longer = format!("begin and end the block with {marks}{}", &marks[..1]);
    let help =
        if is_markdown { longer } else { format!("add a line with {marks} after the code, or {longer}") };
    Problem::new(Code::UnclosedFence, span, message).help(help).as_warning()
}

/// Raises the last such finding to an error, because the marks that should have closed its block open another one, which has no end.
pub(super) fn confirm_closed_late(problems: &mut [Problem]) -> bool {
    let is_late =
        |it: &&mut Problem| it.code == Code::UnclosedFence && it.severity == Some(Severity::Warning);
    problems.iter_mut().rfind(is_late).map(|it| it.severity = None).is_some()
}

/// Returns the backticks or tildes of an opening line.
fn marks_of(opening: &str) -> &str {
    let mark = opening.chars().next().unwrap_or_default();
    &opening[..opening.len() - opening.trim_start_matches(mark).len()]
}

/// Returns the fence markers in the lines of `text` that begin at or after `start`.
pub(super) fn marks_in(text: &str, start: usize) -> Vec<Range<usize>> {
    let mut at = start;
    let mut found = Vec::new();
    for line in text[start..].split_inclusive('\n') {
        let begins = at == 0 || text[..at].ends_with('\n');
        let bare = line.trim_start_matches([' ', '\t']);
        let marks = bare.bytes().take_while(|byte| *byte == b'`').count();
        let waves = bare.bytes().take_while(|byte| *byte == b'~').count();
        let is_fence = waves >= 3 || (marks >= 3 && !bare[marks..].contains('`'));
        if begins && is_fence {
            let from = at + line.len() - bare.len();
            found.push(from..from + marks.max(waves));
        }
        at += line.len();
    }
    found
}

/// Returns the finding for a fence that is shown as text.
pub(super) fn in_html(span: Range<usize>) -> Problem {
    let message = "the code block is in raw HTML, so readers see it as text";
    let help = "add a blank line before it, after the tag".to_string();
    Problem::new(Code::FenceInHtml, span, message).help(help)
}

/// Returns the finding for highlighted lines that a block doesn't have. `opening` is the range of its first line in
/// `text`, whose ranges `map` converts.
pub(super) fn missing_line(
    written: &str,
    count: usize,
    opening: Range<usize>,
    (text, map): (&str, &OffsetMap),
) -> Problem {
    let line = &text[opening.clone()];
    // After the language, whose name may also contain a digit.
    let after = line.find(['{', '=']).unwrap_or(0);
    let place = match line[after..].find(written) {
        Some(at) => opening.start + after + at..opening.start + after + at + written.len(),
        None => opening,
    };
    let (lines, help) = match count {
        0 => ("no lines".to_string(), "remove it".to_string()),
        1 => ("one line".to_string(), "use 1, or remove it".to_string()),
        count => (format!("{count} lines"), format!("use numbers from 1 to {count}")),
    };
    let message = format!("`{written}` is outside this block, which has {lines}");
    Problem::new(Code::MissingHighlightedLine, map.range(place), message).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a fence around ten lines: its language, title, highlighted lines, and missing lines.
    #[track_caller]
    fn check(
        info: &str,
        language: &str,
        title: Option<&str>,
        marks: &[RangeInclusive<usize>],
        wrong: &[&str],
    ) {
        let fence = read(info);
        assert_eq!((fence.language.as_str(), fence.title.as_deref()), (language, title), "{info}");
        let found = fence.marks(10);
        assert_eq!(found, (marks.to_vec(), wrong.to_vec()), "{info}");
    }

    #[test]
    fn title_and_lines_are_read_in_any_order() {
        check("kotlin", "kotlin", None, &[], &[]);
        check("", "", None, &[], &[]);
        check(".sh", "sh", None, &[], &[]);
        check("kotlin title=\"My App.kt\" {3,5-7}", "kotlin", Some("My App.kt"), &[3..=3, 5..=7], &[]);
        check("js {1} title='a \"b\"'", "js", Some("a \"b\""), &[1..=1], &[]);
        check("js{1, 10}", "js", None, &[1..=1, 10..=10], &[]);
        check("py title=app.py hl_lines=\"2 4-5\"", "py", Some("app.py"), &[2..=2, 4..=5], &[]);
    }

    /// Checks the added, removed and focused lines of ten, whether they are numbered, and the missing lines.
    #[track_caller]
    fn check_lines(info: &str, expected: [&[RangeInclusive<usize>]; 3], numbered: bool, missing: &[&str]) {
        let fence = read(info);
        let mut wrong = Vec::new();
        let lines = fence.lines(10, &mut wrong).expect("lines are marked");
        let found = [&lines.added[..], &lines.removed, &lines.focused];
        assert_eq!((found, lines.numbered, &wrong[..]), (expected, numbered, missing), "{info}");
    }

    #[test]
    fn lines_are_added_removed_focused_and_numbered() {
        check_lines("js ins={2,4-5} del={1}", [&[2..=2, 4..=5], &[1..=1], &[]], false, &[]);
        check_lines("js {3} focus=\"2-3, 7\" showLineNumbers", [&[], &[], &[2..=3, 7..=7]], true, &[]);
        check_lines("py linenums=\"1\" ins={11}", [&[], &[], &[]], true, &["11"]);
        assert_eq!(read("js {3} ins={\"word\"} showLineNumbers={false}").lines(10, &mut Vec::new()), None);
    }

    #[test]
    fn attribute_lists_say_the_same() {
        check("{.python title=\"a.py\" hl_lines=\"2\"}", "python", Some("a.py"), &[2..=2], &[]);
        check("{ #id .py .x }", "py", None, &[], &[]);
        check("{: .language-ruby}", "ruby", None, &[], &[]);
        check("js { .x title='a b' } {3}", "js", Some("a b"), &[3..=3], &[]);
        check("js\ttitle=\"a\"", "js", Some("a"), &[], &[]);
    }

    #[test]
    fn attributes_of_other_tools_are_ignored() {
        check("js {.line-numbers #id} key=\"{1}\"", "js", None, &[], &[]);
        check("{ prettier: false, del: [1] }", "", None, &[], &[]);
        check("jsx {{ prettier: false, del: [1] }}", "jsx", None, &[], &[]);
        check("rust,ignore", "rust", None, &[], &[]);
        check("js title= title=\"", "js", Some("\""), &[], &[]);
        check("js {1", "js", None, &[], &[]);
    }

    #[test]
    fn lines_that_do_not_exist_are_found() {
        check("js {0,3-2,11,1-x,4}", "js", None, &[4..=4], &["0", "3-2", "11", "1-x"]);
    }

    #[test]
    fn the_first_block_without_its_end_is_above_a_heading_in_another() {
        let text = "a\n\n```\nb\n\nc\n\n```\nd\n```\n\ne\n\n```\nf\n```\n\n## G\n\n```\nh\n```\n";
        let last = text.trim_end().rfind("```").expect("a fence");
        assert_eq!(first_unclosed(text, last), Some(3..6));
    }
}
