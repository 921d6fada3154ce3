//! Positions in the editor's units: lines, and characters of the negotiated encoding (LSP 3.17, "Position").

use std::ops::Range;

use lsp_types::{Position, PositionEncodingKind};

use base::diagnostic::letter_at;

/// The unit of a position's `character`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Utf16,
}

impl Encoding {
    /// Returns bytes if the editor supports them, or else the unit that every editor supports.
    pub(super) fn among(offered: Option<&[PositionEncodingKind]>) -> Self {
        if offered.is_some_and(|offered| offered.contains(&PositionEncodingKind::UTF8)) {
            Self::Utf8
        } else {
            Self::Utf16
        }
    }

    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn length(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
        }
    }
}

/// The lines of a text.
#[derive(Debug)]
pub(super) struct Lines<'t> {
    text: &'t str,
    /// Start of each line.
    starts: Vec<usize>,
    encoding: Encoding,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes);
        // `\r\n` is one line end.
        let ends = ends.filter(|&at| bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
        Self { text, starts: std::iter::once(0).chain(ends.map(|at| at + 1)).collect(), encoding }
    }

    /// Returns the position of a byte. After the end or inside a character, the nearest position before it.
    pub(super) fn position(&self, at: usize) -> Position {
        let at = letter_at(self.text, at);
        let line = self.starts.partition_point(|start| *start <= at) - 1;
        let character = self.encoding.length(&self.text[self.starts[line]..at]);
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Position { line: number(line), character: number(character) }
    }

    pub(super) fn range(&self, span: &Range<usize>) -> lsp_types::Range {
        lsp_types::Range { start: self.position(span.start), end: self.position(span.end) }
    }

    /// Returns the byte at a position. After the end of its line, the end of the line, as the protocol requires.
    pub(super) fn offset(&self, position: Position) -> usize {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX);
        let Some(&start) = self.starts.get(line) else { return self.text.len() };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let line = self.text[start..end].trim_end_matches(['\n', '\r']);
        let wanted = usize::try_from(position.character).unwrap_or(usize::MAX);
        let mut count = 0;
        for (at, letter) in line.char_indices() {
            if count >= wanted {
                return start + at;
            }
            count += self.encoding.length(&line[at..at + letter.len_utf8()]);
        }
        start + line.len()
    }

    pub(super) fn span(&self, range: lsp_types::Range) -> Range<usize> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }

    /// Returns the line that contains a byte, up to that byte.
    pub(super) fn line_before(&self, at: usize) -> &'t str {
        let line = self.starts.partition_point(|start| *start <= at) - 1;
        &self.text[self.starts[line]..at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, at: usize, utf8: (u32, u32), utf16: (u32, u32)) {
        for (encoding, (line, character)) in [(Encoding::Utf8, utf8), (Encoding::Utf16, utf16)] {
            let lines = Lines::of(text, encoding);
            assert_eq!(lines.position(at), Position { line, character }, "{encoding:?}");
            assert_eq!(lines.offset(Position { line, character }), at, "{encoding:?}");
        }
    }

    #[test]
    fn positions_count_lines_and_units() {
        let text = "a\u{e4}\u{1f600}b\r\nc\rd\n";
        check(text, 0, (0, 0), (0, 0));
        check(text, 3, (0, 3), (0, 2));
        check(text, 7, (0, 7), (0, 4));
        check(text, 8, (0, 8), (0, 5));
        check(text, 10, (1, 0), (1, 0));
        check(text, 12, (2, 0), (2, 0));
        check(text, 14, (3, 0), (3, 0));
    }

    #[test]
    fn positions_that_are_not_there_are_the_nearest_before() {
        let lines = Lines::of("ab\ncd", Encoding::Utf16);
        let at = |line, character| lines.offset(Position { line, character });
        assert_eq!([at(0, 9), at(1, 9), at(7, 0)], [2, 5, 5]);
        assert_eq!(lines.position(99), Position { line: 1, character: 2 });
        // Between the surrogates of a character.
        assert_eq!(Lines::of("\u{1f600}b", Encoding::Utf16).offset(Position { line: 0, character: 1 }), 4);
    }
}
