//! The source text of a translation: the current position, and properties of its line.

use std::borrow::Cow;
use std::cell::Cell;

use crate::markdown::formula;
use crate::markdown::lines::{marker, run_length};
use crate::markdown::paragraph::{Paragraph, Ticks};

/// A text with a position and its line.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of the line")]
pub(super) struct LineCursor<'t> {
    pub(super) text: &'t str,
    /// The end of the translated text.
    pub(super) at: usize,
    /// End of the front matter.
    pub(super) body: usize,
    /// Content columns of the enclosing list items in the source.
    pub(super) lists: Vec<usize>,
    /// Prefix of the next line in the same list items and quotes, and whether this line contains their markers.
    pub(super) lead: String,
    pub(super) has_marks: bool,
    /// Column at the start of the line, in the source and as written.
    pub(super) column: usize,
    pub(super) out_column: usize,
    /// Whether the line is a row of a table, which must stay on one line.
    pub(super) is_row: bool,
    pub(super) is_heading: bool,
    pub(super) after_blank: bool,
    pub(super) in_code: bool,
    /// The last line whose end was requested.
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

    /// Returns the end of the line at `at`, after its line end.
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

    /// Returns the rest of the line from `at` on, without its line end.
    pub(super) fn rest_of_line(&self, at: usize) -> &'t str {
        self.text[at..self.line_end(at)].trim_end_matches(['\n', '\r'])
    }

    /// Updates `lists` for this line.
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

    /// Returns the offset after the formula or the `$` here.
    pub(super) fn after_formula(&mut self) -> usize {
        let limit = self.paragraph.end(self.text, self.at);
        let after = self.at + run_length(self.rest(), b'$');
        formula::end(&self.text[..limit], self.at).unwrap_or(after)
    }

    /// Returns the single-line value of a front matter key.
    pub(super) fn front(&self, key: &str) -> Option<Cow<'t, str>> {
        let mut lines = self.text[..self.body].lines().take(MOST_KEYS);
        let value = |line: &'t str| line.strip_prefix(key)?.trim_start().strip_prefix([':', '=']);
        let value = lines.find_map(value)?.trim();
        if matches!(value, ">" | ">-") {
            // A folded YAML text.
            let words: Vec<&str> = lines.take_while(|line| line.starts_with(' ')).map(str::trim).collect();
            return Some(words.join(" ").into());
        }
        let quoted = value.strip_prefix(['"', '\'']).and_then(|inside| inside.strip_suffix(['"', '\'']));
        Some(quoted.unwrap_or(value))
            .filter(|value| !value.is_empty() && !value.starts_with(['|', '>', '[', '{']))
            .map(Cow::Borrowed)
    }
}

/// Maximum number of front matter lines that are searched for a key.
const MOST_KEYS: usize = 200;
