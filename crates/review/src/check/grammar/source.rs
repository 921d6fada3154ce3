//! The source of a page, with its code hidden.

use std::ops::Range;

use base::list_item::ListItem;
use input::conventions::{Convention, Syntax, SyntaxRule};
use markup::markdown::{ElementTag, element_tags, holds_markdown};

/// The source of a page.
pub(super) struct PageSource<'t> {
    pub(super) syntax: &'static [Syntax],
    pub(super) rules: &'static [SyntaxRule],
    /// Whether Mintlify publishes the page.
    pub(super) is_of_mintlify: bool,
    /// Whether the page is MDX in which braces contain JavaScript everywhere.
    pub(super) is_compiled: bool,
    pub(super) text: &'t str,
    /// Where the body begins.
    pub(super) body: usize,
    /// The text with spaces in place of code, with the same length and lines.
    pub(super) shown: String,
    pub(super) fences: Vec<CodeFence<'t>>,
    /// The opening lines of fences in `MyST` that only end with a directive around them, or where the next one begins.
    pub(super) unclosed: Vec<Range<usize>>,
}

/// A fence around Markdown: a note or tab of `MyST`.
struct BoxFence {
    mark: u8,
    /// Minimum number of marks in the line that closes it.
    least: usize,
    /// Its opening line.
    place: Range<usize>,
}

/// Returns the opening line of a code block, without its indentation.
fn opening(text: &str, fence: &CodeFence<'_>) -> Range<usize> {
    let before = text[..fence.info.start].trim_end();
    before.len() - before.bytes().rev().take_while(|byte| matches!(byte, b'`' | b'~')).count()..fence.info.end
}

/// Returns the outermost box that a line of `length` marks closes although it contains another fence of `inner` marks.
fn closed_around(boxes: &[BoxFence], mark: u8, length: usize, inner: usize) -> Option<usize> {
    boxes.iter().position(|it| it.mark == mark && it.least <= length && it.least > inner)
}

/// A code block, or a directive of `MyST` in a fence.
#[derive(Debug)]
pub(super) struct CodeFence<'t> {
    /// Range of the text after the marks of the opening line.
    pub(super) info: Range<usize>,
    pub(super) language: &'t str,
    /// Its lines without the fences.
    pub(super) code: Range<usize>,
}

impl CodeFence<'_> {
    /// Returns the place of its language in the text of the page.
    pub(super) fn language_in(&self, text: &str) -> Range<usize> {
        let start = self.language.as_ptr() as usize - text.as_ptr() as usize;
        start..start + self.language.len()
    }
}

/// A line of a page outside code.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceLine<'s> {
    /// Its range in the file, without the line end.
    pub(super) start: usize,
    pub(super) end: usize,
    /// With inline code hidden, without white space at its end. Empty in code.
    pub(super) text: &'s str,
    /// The same for the line before, or empty.
    pub(super) before: &'s str,
}

/// Returns the language of a directive of `MyST` with code: `json` for `{code-block} json`.
fn argument_of_code(info: &str) -> Option<&str> {
    let (name, argument) = info.strip_prefix('{')?.split_once('}')?;
    let language = argument.split_whitespace().next()?;
    ["code", "code-block", "sourcecode"].contains(&name).then_some(language)
}

/// Returns where the lines with options end: `:caption: lamp.json`.
fn after_options(text: &str, start: usize) -> usize {
    let lines = text[start..].split_inclusive('\n');
    start + lines.take_while(|line| line.trim_start().starts_with(':')).map(str::len).sum::<usize>()
}

/// Returns the content of a line: without its indentation and the marks of quotes, and without those of list items before a fence.
fn fence_of(line: &str) -> &str {
    let content = line.trim_start_matches([' ', '\t', '>']);
    let may_hold = content.contains("```") || content.contains("~~~");
    let mut inner = content;
    while let Some(item) = ListItem::of(inner).filter(|_| may_hold) {
        inner = item.text;
    }
    if inner.starts_with("```") || inner.starts_with("~~~") { inner } else { content }
}

impl<'t> PageSource<'t> {
    pub(super) fn of(text: &'t str, body: usize, convention: &'static Convention) -> Self {
        let mut shown = text.as_bytes().to_vec();
        let mut fences = Vec::new();
        let mut open: Option<(u8, usize, CodeFence<'t>)> = None;
        let (mut boxes, mut unclosed): (Vec<BoxFence>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
        let has_directives = convention.syntax.contains(&Syntax::Myst);
        let mut is_below_box = false;
        let mut at = body;
        for line in text[body..].split_inclusive('\n') {
            let (start, content) = (at, fence_of(line));
            at += line.len();
            let mark = content.bytes().next().filter(|byte| matches!(byte, b'`' | b'~'));
            let length = mark.map_or(0, |mark| content.bytes().take_while(|byte| *byte == mark).count());
            let info = content[length..].trim();
            let is_option =
                std::mem::take(&mut is_below_box) && content.starts_with(':') && !content.starts_with(":::");
            match &mut open {
                Some((opened, least, _)) if mark == Some(*opened) && length >= *least && info.is_empty() => {
                    let around = closed_around(&boxes, *opened, length, *least);
                    let (_, _, mut fence) = open.take().expect("it is open");
                    fence.code.end = start;
                    if let Some(around) = around {
                        let inner = boxes.drain(around..).nth(1).map(|it| it.place);
                        unclosed.push(inner.unwrap_or_else(|| opening(text, &fence)));
                    }
                    hide(&mut shown, start..at);
                    fences.push(fence);
                }
                Some(_) => hide(&mut shown, start..at),
                None if info.is_empty()
                    && boxes.last().is_some_and(|it| mark == Some(it.mark) && length >= it.least) =>
                {
                    let inner = boxes.pop().expect("there is one");
                    if let Some(around) = closed_around(&boxes, inner.mark, length, inner.least) {
                        let next = boxes.drain(around..).nth(1);
                        unclosed.push(next.unwrap_or(inner).place);
                    }
                    hide(&mut shown, start..at);
                }
                None if length >= 3 && has_directives && is_box(info) => {
                    let place = at - content.len()..start + line.trim_end().len();
                    // A directive contains only fences with fewer marks: its end is missing, or the next one is in it.
                    if let Some(outer) = boxes.pop_if(|it| mark == Some(it.mark) && length >= it.least) {
                        unclosed.push(outer.place);
                    }
                    boxes.extend(mark.map(|mark| BoxFence { mark, least: length, place }));
                    is_below_box = true;
                    hide(&mut shown, start..at);
                }
                None if is_option => {
                    is_below_box = true;
                    hide(&mut shown, start..at);
                }
                None if length >= 3 && !(mark == Some(b'`') && info.contains('`')) => {
                    let after = start + (line.len() - content.len()) + length;
                    let from = after + content[length..].len() - content[length..].trim_start().len();
                    let word = info.split([' ', ',', '{', '\t']).next().unwrap_or_default();
                    let (word, code) = match argument_of_code(info).filter(|_| has_directives) {
                        Some(language) => (language, after_options(text, at)),
                        None => (word, at),
                    };
                    let fence = CodeFence { info: from..from + info.len(), language: word, code: code..code };
                    open = mark.map(|mark| (mark, length, fence));
                    hide(&mut shown, start..at);
                }
                None => hide_spans(&mut shown, text, start..at),
            }
        }
        hide_comments(&mut shown, body);
        // Without an end, the rest of the page is code.
        fences.extend(open.map(|(.., fence)| CodeFence { code: fence.code.start..text.len(), ..fence }));
        Self {
            syntax: convention.syntax,
            rules: convention.rules,
            is_of_mintlify: false,
            is_compiled: false,
            text,
            body,
            shown: String::from_utf8(shown).unwrap_or_default(),
            fences,
            unclosed,
        }
    }

    /// Returns the start tags of the components in the body. Pages in other syntaxes have none.
    pub(super) fn components(&self) -> Vec<ElementTag<'t>> {
        if !self.syntax.contains(&Syntax::Mdx) && !self.syntax.contains(&Syntax::Vue) {
            return Vec::new();
        }
        self.tags().filter(ElementTag::is_component).collect()
    }

    /// Returns the start tags in the body.
    pub(super) fn tags(&self) -> impl Iterator<Item = ElementTag<'t>> {
        let starts = memchr::memchr_iter(b'<', self.shown.as_bytes()).filter(|at| *at >= self.body);
        element_tags(self.text, starts)
    }

    /// Returns the lines of the body. Those of code are empty.
    pub(super) fn lines(&self) -> impl Iterator<Item = SourceLine<'_>> {
        let body = self.shown.get(self.body..).unwrap_or_default();
        let mut start = self.body;
        let mut before = "";
        body.split_inclusive('\n').map(move |line| {
            let at = start;
            start += line.len();
            let end = at + line.trim_end_matches(['\n', '\r']).len();
            let text = line.trim_end();
            SourceLine { start: at, end, text, before: std::mem::replace(&mut before, text) }
        })
    }
}

impl SourceLine<'_> {
    /// Returns the range of a part of this line in the file.
    pub(super) fn place(&self, part: Range<usize>) -> Range<usize> {
        self.start + part.start..self.start + part.end
    }

    /// Returns the range of its text without the white space around it.
    pub(super) fn content(&self) -> Range<usize> {
        let lead = self.text.len() - self.text.trim_start().len();
        self.place(lead..lead + self.text.trim().len())
    }

    /// Returns the position of its first visible character.
    pub(super) fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start().len()
    }
}

/// Whether the text after the marks of a fence begins a directive with Markdown.
fn is_box(info: &str) -> bool {
    info.strip_prefix('{').and_then(|it| it.split_once('}')).is_some_and(|(name, _)| holds_markdown(name))
}

fn hide(shown: &mut [u8], range: Range<usize>) {
    for byte in shown[range].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
        *byte = b' ';
    }
}

/// Hides HTML comments, except those with a command that includes a file.
fn hide_comments(shown: &mut [u8], body: usize) {
    let mut at = body;
    while let Some(open) = memchr::memmem::find(&shown[at..], b"<!--").map(|found| at + found) {
        let inside = open + 4;
        let end =
            memchr::memmem::find(&shown[inside..], b"-->").map_or(shown.len(), |found| inside + found + 3);
        let is_include = shown[inside..end].trim_ascii_start().starts_with(b"@");
        if !is_include {
            hide(shown, open..end);
        }
        at = end;
    }
}

/// Hides inline code in a line.
fn hide_spans(shown: &mut [u8], text: &str, line: Range<usize>) {
    let mut at = line.start;
    while let Some(open) = text[at..line.end].find('`').map(|found| at + found) {
        let marks = text[open..line.end].bytes().take_while(|byte| *byte == b'`').count();
        let inside = open + marks;
        let sign = &text[open..inside];
        let close = text[inside..line.end].match_indices(sign).find_map(|(found, _)| {
            let end = inside + found + marks;
            let is_whole = !text[..inside + found].ends_with('`') && !text[end..].starts_with('`');
            is_whole.then_some(end)
        });
        if let Some(end) = close {
            hide(shown, open..end);
        }
        at = close.unwrap_or(inside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::conventions::Kind;

    #[test]
    fn code_is_hidden() {
        let text = "a `b` c\n```js x=1\nd\n```\n- e\n  ~~~\n  f\n";
        let source = PageSource::of(text, 0, Kind::default().convention());
        let shown: Vec<&str> = source.lines().map(|line| line.text.trim()).collect();
        assert_eq!(shown, ["a     c", "", "", "", "- e", "", ""]);
        let fences: Vec<(&str, &str)> =
            source.fences.iter().map(|it| (&text[it.info.clone()], &text[it.code.clone()])).collect();
        assert_eq!(fences, [("js x=1", "d\n"), ("", "  f\n")]);
    }
}
