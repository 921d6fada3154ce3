//! The text that is translated: where in it the translation is, and what holds of its line.

use std::borrow::Cow;
use std::cell::Cell;

use crate::markup::markdown::lines::{marker, run_length};
use crate::markup::markdown::paragraph::{Paragraph, Ticks};

/// A text with a position, and the line that it is on.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of the line")]
pub(super) struct LineCursor<'t> {
    pub(super) text: &'t str,
    /// Everything before is translated.
    pub(super) at: usize,
    /// Where the front matter ends.
    pub(super) body: usize,
    /// Content columns of the list items around, as written.
    pub(super) lists: Vec<usize>,
    /// What a further line in the same list items and quotes begins with, and whether this one has their marks.
    pub(super) lead: String,
    pub(super) has_marks: bool,
    /// Columns before the line, in the text and as written.
    pub(super) column: usize,
    pub(super) out_column: usize,
    /// Whether the line is a row of a table, which has to stay one line.
    pub(super) is_row: bool,
    pub(super) is_heading: bool,
    pub(super) after_blank: bool,
    pub(super) in_code: bool,
    /// The line whose end was looked for last.
    last_line: Cell<(usize, usize)>,
    paragraph: Paragraph,
    ticks: Ticks,
}

impl<'t> LineCursor<'t> {
    /// Begins at the body of a file.
    pub(super) fn new(text: &'t str, body: usize) -> Self {
        Self { text, at: body, body, after_blank: true, ..Self::default() }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The end of the line at `at`, after its line end.
    pub(super) fn line_end(&self, at: usize) -> usize {
        let (start, end) = self.last_line.get();
        if start <= at && at < end {
            return end;
        }
        let found = memchr::memchr(b'\n', &self.text.as_bytes()[at..]);
        let end = found.map_or(self.text.len(), |length| at + length + 1);
        self.last_line.set((at, end));
        end
    }

    /// The rest of the line from `at` on, without its line end.
    pub(super) fn rest_of_line(&self, at: usize) -> &'t str {
        self.text[at..self.line_end(at)].trim_end_matches(['\n', '\r'])
    }

    /// Keeps `lists` what it is at this line.
    pub(super) fn enter_lists(&mut self, indent: usize, content: &str) {
        while self.lists.last().is_some_and(|&column| indent < column) {
            self.lists.pop();
        }
        let mut column = indent;
        let mut rest = content;
        if indent >= self.lists.last().copied().unwrap_or(0) + 4 {
            return;
        }
        while let Some(marker) = marker(rest, column) {
            column += marker.columns;
            self.lists.push(column);
            rest = &rest[marker.bytes..];
        }
    }

    pub(super) fn after_code_span(&mut self) -> usize {
        let length = run_length(self.rest(), b'`');
        let inside = self.at + length;
        let end = self.paragraph.end(self.text, inside);
        self.ticks.next(self.text, inside, end, length).map_or(inside, |close| close + length)
    }

    /// What the front matter says of a key of one line.
    pub(super) fn front(&self, key: &str) -> Option<Cow<'t, str>> {
        let mut lines = self.text[..self.body].lines().take(MOST_KEYS);
        let value = |line: &'t str| line.strip_prefix(key)?.trim_start().strip_prefix([':', '=']);
        let value = lines.find_map(value)?.trim();
        if matches!(value, ">" | ">-") {
            // A folded text of YAML.
            let words: Vec<&str> = lines.take_while(|line| line.starts_with(' ')).map(str::trim).collect();
            return Some(words.join(" ").into());
        }
        let quoted = value.strip_prefix(['"', '\'']).and_then(|inside| inside.strip_suffix(['"', '\'']));
        Some(quoted.unwrap_or(value))
            .filter(|value| !value.is_empty() && !value.starts_with(['|', '>', '[', '{']))
            .map(Cow::Borrowed)
    }
}

/// Lines of front matter that are looked at for a key.
const MOST_KEYS: usize = 200;
