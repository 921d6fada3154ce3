//! Joins the texts between the cuts, and records the original range of each piece.

use std::ops::Range;

use super::fragment::{CutNote, Enclosure, Fragment, PLACEHOLDER};
use super::mark::{Cut, CutKind};
use crate::edition::Mention;
use crate::markdown::lines::{
    after_markers, columns, continuation, marker, opening_fence, without_indent, without_quotes,
};
use crate::markdown::span::OffsetMap;

/// The prefix to remove from each line of a note's body.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// Number of `>` characters for the block quotes around the note.
    quotes: usize,
    /// Columns of indentation.
    indent: usize,
}

impl Frame {
    fn is_empty(&self) -> bool {
        self.quotes == 0 && self.indent == 0
    }
}

/// Joins the texts between the cuts.
pub(super) struct Builder<'a, 'c> {
    pub(super) text: &'a str,
    /// Sorted by start. Of two with the same start, the longer one is first.
    pub(super) cuts: &'c [Cut],
    /// Sorted by start.
    pub(super) mentions: &'c [Mention<'c>],
}

impl<'a> Builder<'a, '_> {
    /// Returns the text of `range` without its cuts, with `frame` removed from its lines.
    pub(super) fn fragment(&self, range: Range<usize>, frame: &Frame) -> Fragment<'a> {
        let mut made = RebuiltText {
            source: self.text,
            mentions: self.mentions,
            text: String::with_capacity(range.len()),
            map: OffsetMap::default(),
        };
        let mut notes = Vec::new();
        let mut at = range.start;
        for cut in self.outermost(&range) {
            made.copy(at..cut.span.start, frame);
            at = cut.span.end;
            if let CutKind::End(tag) = &cut.what {
                made.map.push_replacing(made.text.len(), cut.span.clone());
                made.text.push_str(tag);
            }
            if let CutKind::Note { enclosure, body, list_indent } = &cut.what {
                let lead = made.begin_block(*list_indent);
                made.map.push(made.text.len(), cut.span.start);
                notes.push((made.text.len(), self.note(enclosure.clone(), cut.span.clone(), body.clone())));
                made.text.push_str(PLACEHOLDER);
                // Markup that ends with the note ends at its end, not after its comment.
                made.map.push(made.text.len() - 1, cut.span.end - 1);
                let rest = &self.text[at..range.end];
                let after = rest.trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
                if self.text[..at].ends_with('\n') {
                    // The note was only an opening line, so the following text needs its own line.
                    made.text.push('\n');
                } else if !after.is_empty() && !after.starts_with('\n') {
                    made.text.push('\n');
                    made.text.push_str(&lead);
                    at += rest.len() - after.len();
                }
            }
        }
        made.copy(at..range.end, frame);
        Fragment { text: made.text.into(), map: made.map, notes }
    }

    fn note(&self, enclosure: Enclosure, span: Range<usize>, body: Range<usize>) -> CutNote<'a> {
        let line_start =
            memchr::memrchr(b'\n', &self.text.as_bytes()[..span.start]).map_or(0, |newline| newline + 1);
        let (content, _) = after_markers(line_start, &self.text[line_start..span.start]);
        let quotes = self.text[line_start..content].bytes().filter(|byte| *byte == b'>').count();
        let frame = Frame { quotes, indent: self.body_indent(&body, quotes) };
        // The text of a first line may begin at any column after its tag.
        let first = &self.text[body.clone()];
        let first = body.start + first.len() - first.trim_start_matches([' ', '\t']).len();
        let is_element = self.text[span.start..].starts_with('<');
        let trap = is_element.then(|| self.code_trap(&body, quotes)).flatten();
        CutNote { enclosure, span, trap, body: self.fragment(first.min(body.end)..body.end, &frame) }
    }

    /// Returns the indentation of the first line of the body after the line of the tag.
    fn body_indent(&self, body: &Range<usize>, quotes: usize) -> usize {
        let is_on_line = !self.text[..body.start].ends_with('\n');
        let lines = self.text[body.clone()].split('\n').skip(usize::from(is_on_line));
        let line = lines.map(|line| without_quotes(line, quotes)).find(|line| !line.trim().is_empty());
        line.map_or(0, |line| columns(&line[..line.len() - line.trim_start().len()]))
    }

    /// Returns the first line of a note that follows a blank line and is indented like code.
    fn code_trap(&self, body: &Range<usize>, quotes: usize) -> Option<Range<usize>> {
        let mut at = body.start;
        let mut after_blank = false;
        for line in self.text[body.clone()].split_inclusive('\n') {
            let content = without_quotes(line, quotes);
            let text = content.trim();
            let indent = columns(&content[..content.len() - content.trim_start().len()]);
            if opening_fence(text).is_some() || marker(text, 0).is_some() {
                return None; // Indented for other reasons.
            }
            if after_blank && indent >= 4 && !text.is_empty() {
                let start = at + line.len() - line.trim_start().len();
                return Some(start..start + text.len());
            }
            after_blank = text.is_empty() && at > body.start;
            at += line.len();
        }
        None
    }

    /// Returns the cuts in `range` that aren't inside another.
    fn outermost(&self, range: &Range<usize>) -> impl Iterator<Item = &Cut> {
        let first = self.cuts.partition_point(|cut| cut.span.start < range.start);
        let (mut end, limit) = (range.start, range.end);
        self.cuts[first..].iter().take_while(move |cut| cut.span.start < limit).filter(move |cut| {
            let is_outer = cut.span.start >= end && cut.span.end <= limit;
            if is_outer {
                end = cut.span.end;
            }
            is_outer
        })
    }
}

/// A text under construction.
struct RebuiltText<'a> {
    source: &'a str,
    mentions: &'a [Mention<'a>],
    text: String,
    map: OffsetMap,
}

impl RebuiltText<'_> {
    /// Copies a piece of the file, and removes `frame` from every line that starts in it.
    fn copy(&mut self, piece: Range<usize>, frame: &Frame) {
        if frame.is_empty() {
            return self.copy_unframed(piece);
        }
        let mut at = piece.start;
        for line in self.source[piece].split_inclusive('\n') {
            let kept = if self.source[..at].ends_with('\n') {
                without_indent(without_quotes(line, frame.quotes), frame.indent)
            } else {
                line
            };
            let end = at + line.len();
            self.copy_unframed(end - kept.len()..end);
            at = end;
        }
    }

    /// Copies a part of the file, with variables replaced.
    fn copy_unframed(&mut self, mut part: Range<usize>) {
        let first = self.mentions.partition_point(|mention| mention.span.start < part.start);
        for Mention { span, word, .. } in &self.mentions[first..] {
            if span.end > part.end {
                break;
            }
            let Some(word) = word else { continue };
            self.copy_as_written(part.start..span.start);
            self.map.push_replacing(self.text.len(), span.clone());
            self.text.push_str(word);
            part.start = span.end;
        }
        self.copy_as_written(part);
    }

    fn copy_as_written(&mut self, part: Range<usize>) {
        self.map.push(self.text.len(), part.start);
        self.text.push_str(&self.source[part]);
    }

    /// Starts a new line in the same quotes and list item if necessary, so that a block may begin. Returns the prefix
    /// of further lines.
    fn begin_block(&mut self, list_indent: usize) -> String {
        let line_start = self.text.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[line_start..].to_string();
        let (content_at, content) = after_markers(0, &line);
        let lead: String = continuation(&line[..content_at]);
        if content.trim().is_empty() {
            // With too much indentation, it would be code or the end of a paragraph.
            let blank = line.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
            if blank && columns(&line) > list_indent + 3 {
                self.text.truncate(line_start);
                self.map.truncate(line_start);
                self.text.push_str(&" ".repeat(list_indent));
                return " ".repeat(list_indent);
            }
        } else {
            self.text.push('\n');
            self.text.push_str(&lead);
        }
        lead
    }
}
