//! A translated text that is being written.

use std::ops::Range;

use crate::markup::markdown::span::OffsetMap;

#[derive(Debug, Default)]
pub(super) struct TranslatedText {
    pub(super) text: String,
    pub(super) map: OffsetMap,
    /// Where the last line begins.
    pub(super) line: usize,
    /// Whether anything but blanks and marks of lists and quotes is on it.
    pub(super) shown: bool,
    /// Whether something of the line was left out.
    pub(super) has_removed: bool,
    /// Whether blank lines are left out until the next line with text.
    pub(super) collapses: bool,
}

impl TranslatedText {
    pub(super) fn copy(&mut self, source: &str, range: Range<usize>) {
        if !range.is_empty() {
            self.map.push(self.text.len(), range.start);
            self.push(&source[range]);
        }
    }

    /// Writes something instead of a place of the source.
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

    /// Takes the last line away.
    pub(super) fn truncate_line(&mut self) {
        self.text.truncate(self.line);
        self.map.truncate(self.line);
        self.shown = false;
    }

    /// Whether the line before the last is blank, or there is none in the body.
    pub(super) fn is_after_blank(&self, body: usize) -> bool {
        self.line <= body || self.text[..self.line].ends_with("\n\n")
    }

    /// Writes lines that end a block below all that it holds: before the blank lines that follow it.
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

    /// Whether the line before ends with a tag or a marker, so that no text has to be kept apart from it.
    pub(super) fn is_between_tags(&self) -> bool {
        self.text.trim_end().ends_with('>')
    }

    /// Ends the line, where something is on it, for a further one that begins with `lead`.
    pub(super) fn fresh_line(&mut self, lead: &str, place: Range<usize>) {
        if self.shown {
            self.put(&format!("\n{lead}"), place);
            self.shown = false;
        }
    }
}
