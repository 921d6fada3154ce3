//! Parses the opening line of a code block: ```` ```kotlin title="App.kt" {3,5-7} ````.
//!
//! The syntax for the title and the highlighted lines is that of Docusaurus and Starlight, with Material's
//! `hl_lines="3 5-7"` in addition. Other attributes are ignored.

use std::ops::{Range, RangeInclusive};

use super::span::OffsetMap;
use crate::base::diagnostic::{Code, Problem};

/// The opening line of a code block.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Fence {
    /// Original text. Empty if there is none.
    pub(super) language: String,
    pub(super) title: Option<String>,
    /// Original text, one per item.
    marks: Vec<String>,
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
            FenceAttribute::Value { .. } => {}
        }
    }
    fence
}

/// Returns the end of the language.
fn after_language(info: &str) -> usize {
    info.find(|c: char| c.is_whitespace() || c == '{' || c == ',').unwrap_or(info.len())
}

/// Returns the first word, or the first class of an attribute list: `{.python title="a.py"}`, `{: .language-python}`.
fn language(info: &str) -> &str {
    let list = info.strip_prefix('{').map(|list| list.trim_start_matches([':', ' ']));
    let class =
        |list: &'_ str| -> Option<usize> { list.starts_with(['.', '#']).then(|| list.find('.')).flatten() };
    let Some((list, class)) = list.and_then(|list| Some((list, class(list)?))) else {
        return &info[..after_language(info)];
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
    match quote.and_then(|quote| text[1..].split_once(quote)) {
        Some(parts) => parts,
        None => text.split_at(text.find(char::is_whitespace).unwrap_or(text.len())),
    }
}

impl Fence {
    /// Other tools use braces for other purposes. Our line numbers begin with a digit.
    fn mark(&mut self, lines: &str) {
        let parts = lines.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty());
        let parts: Vec<String> = parts.map(str::to_string).collect();
        if parts.first().is_some_and(|first| first.starts_with(|c: char| c.is_ascii_digit())) {
            self.marks.extend(parts);
        }
    }

    /// Returns the highlighted lines of a block with `count` lines, counted from 1, and the lines that it doesn't
    /// have.
    pub(super) fn marks(&self, count: usize) -> (Vec<RangeInclusive<usize>>, Vec<&str>) {
        let mut marks = Vec::new();
        let mut wrong = Vec::new();
        for written in &self.marks {
            let (first, last) = written.split_once('-').unwrap_or((written, written));
            match (first.parse(), last.parse()) {
                (Ok(first), Ok(last)) if 0 < first && first <= last && last <= count => {
                    marks.push(first..=last);
                }
                _ => wrong.push(written.as_str()),
            }
        }
        (marks, wrong)
    }
}

/// Whether the last line of a code block closes it.
pub(super) fn is_closed(block: &str) -> bool {
    let mut lines = block.lines();
    let opening = lines.next().unwrap_or_default();
    // The block's lines may be quoted, and indented.
    let marks = |line: &str| line.trim_matches([' ', '\t', '>']).to_string();
    let mark = opening.chars().next().unwrap_or_default();
    let length = opening.chars().take_while(|other| *other == mark).count();
    let closing = lines.next_back().map(marks).unwrap_or_default();
    closing.len() >= length && closing.chars().all(|other| other == mark)
}

/// Returns the finding for an unclosed code block.
///
/// It ends with the list item, quote or block that contains it, which `within` names.
pub(super) fn unclosed(opening: &str, span: Range<usize>, within: &str) -> Problem {
    let mark = opening.chars().next().unwrap_or_default();
    let marks: String = opening.chars().take_while(|other| *other == mark).collect();
    let message = format!("the code block is never closed, so everything after {marks}{within} is code");
    let help = format!("add a line with {marks} after the code");
    Problem::new(Code::UnclosedFence, span, message).help(help)
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
    let lines = if count == 1 { "one line".to_string() } else { format!("{count} lines") };
    let message = format!("`{written}` is outside this block, which has {lines}");
    let help = "use line numbers of the block, counted from 1: `{2,4-5}`".to_string();
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
        check("kotlin title=\"My App.kt\" {3,5-7}", "kotlin", Some("My App.kt"), &[3..=3, 5..=7], &[]);
        check("js {1} title='a \"b\"'", "js", Some("a \"b\""), &[1..=1], &[]);
        check("js{1, 10}", "js", None, &[1..=1, 10..=10], &[]);
        check("py title=app.py hl_lines=\"2 4-5\"", "py", Some("app.py"), &[2..=2, 4..=5], &[]);
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
        check("js {.line-numbers #id} showLineNumbers key=\"{1}\"", "js", None, &[], &[]);
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
}
