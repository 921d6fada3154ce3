//! The output of a translation.

use std::ops::Range;

use crate::markdown::span::OffsetMap;

#[derive(Debug, Default)]
pub(super) struct TranslatedText {
    pub(super) text: String,
    pub(super) map: OffsetMap,
    /// Start of the last line.
    pub(super) line: usize,
    /// Whether the line contains anything except spaces and markers of lists and quotes.
    pub(super) shown: bool,
    /// Whether something was removed from the line.
    pub(super) has_removed: bool,
    /// Whether to skip blank lines up to the next line with text.
    pub(super) collapses: bool,
}

impl TranslatedText {
    pub(super) fn copy(&mut self, source: &str, range: Range<usize>) {
        if !range.is_empty() {
            self.map.push(self.text.len(), range.start);
            self.push(&source[range]);
        }
    }

    /// Writes a replacement for a range of the source.
    pub(super) fn put(&mut self, new: &str, place: Range<usize>) {
        if !new.is_empty() {
            self.map.push_replacing(self.text.len(), place);
            self.push(new);
        }
    }

    fn push(&mut self, new: &str) {
        let last = memchr::memrchr(b'\n', new.as_bytes()).map(|newline| newline + 1);
        let is_shown = new[last.unwrap_or(0)..].bytes().any(|byte| !byte.is_ascii_whitespace());
        match last {
            Some(last) => {
                self.line = self.text.len() + last;
                self.shown = is_shown;
            }
            None => self.shown |= is_shown,
        }
        self.text.push_str(new);
    }

    /// Removes the last line.
    pub(super) fn truncate_line(&mut self) {
        self.text.truncate(self.line);
        self.map.truncate(self.line);
        self.shown = false;
    }

    /// Whether the second-last line is blank or outside the body.
    pub(super) fn is_after_blank(&self, body: usize) -> bool {
        self.line <= body || self.text[..self.line].ends_with("\n\n")
    }

    /// Writes the end of a block after its content, before the blank lines that follow.
    pub(super) fn end_block(&mut self, lines: &str, column: usize, at: usize) {
        let trailing = self.text.len() - self.text.trim_end_matches(['\n', '\r', ' ', '\t']).len();
        let had_blank = self.text[self.text.len() - trailing..].matches('\n').count() > 1;
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.put("\n", at..at);
        }
        let indent = " ".repeat(column);
        for line in lines.split('\n') {
            self.put(&format!("{indent}{line}\n"), at..at);
        }
        if had_blank {
            self.put("\n", at..at);
        }
    }

    /// Whether the previous line ends with a tag or a marker, so that text needn't be separated from it.
    pub(super) fn is_between_tags(&self) -> bool {
        self.text.trim_end().ends_with('>')
    }

    /// Ends the line if it isn't empty, and begins the next one with `lead`.
    pub(super) fn fresh_line(&mut self, lead: &str, place: Range<usize>) {
        if self.shown {
            self.put(&format!("\n{lead}"), place);
            self.shown = false;
        }
    }
}

/// Characters that wouldn't be shown literally.
pub(super) const NOT_LITERAL: [char; 11] = ['<', '>', '&', '*', '_', '`', '[', ']', '\\', '{', '\n'];

/// Escapes a text so that it is shown literally in Markdown and HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push(' '),
            c if NOT_LITERAL.contains(&c) => out.extend(["&#", &u32::from(c).to_string(), ";"]),
            c => out.push(c),
        }
    }
    out
}
