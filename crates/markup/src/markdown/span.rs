//! Maps text that was cut and moved to its ranges in the file.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Maps offsets in a text that consists of pieces of a file to offsets in the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct OffsetMap {
    /// Sorted by position in the text.
    pieces: Vec<Piece>,
}

/// A piece of the text, up to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Piece {
    /// Start in the text.
    text: usize,
    /// Start in the file.
    file: usize,
    /// If the piece replaces something, its end in the file. Every part of the piece has the complete replaced range.
    replaces_to: Option<usize>,
}

impl Piece {
    /// Returns the file's range for the byte at the offset `text`. The range of a complete file ends at the highest offset.
    fn place(&self, text: usize) -> Range<usize> {
        let at = self.file.saturating_add(text - self.text);
        self.replaces_to.map_or(at..at.saturating_add(1), |end| self.file..end)
    }
}

impl OffsetMap {
    /// Returns the map of a text that is one piece of the file.
    pub(super) fn starting_at(file: usize) -> Self {
        Self { pieces: vec![Piece { text: 0, file, replaces_to: None }] }
    }

    /// From `text` on, the text continues as the file does from `file` on.
    pub(super) fn push(&mut self, text: usize, file: usize) {
        self.push_piece(Piece { text, file, replaces_to: None });
    }

    /// From `text` on, the text replaces `file`, whatever their lengths.
    pub(super) fn push_replacing(&mut self, text: usize, file: Range<usize>) {
        self.push_piece(Piece { text, file: file.start, replaces_to: Some(file.end) });
    }

    /// Removes the text after `text`.
    pub(super) fn truncate(&mut self, text: usize) {
        while self.pieces.pop_if(|piece| piece.text > text).is_some() {}
    }

    fn push_piece(&mut self, piece: Piece) {
        let goes_on = |last: &Piece| {
            let both_copy = last.replaces_to.is_none() && piece.replaces_to.is_none();
            both_copy && last.file + (piece.text - last.text) == piece.file
        };
        if !self.pieces.last().is_some_and(goes_on) {
            self.pieces.push(piece);
        }
    }

    /// From `text` on, the text continues as `range` of the text that `other` maps.
    pub(super) fn push_from(&mut self, text: usize, other: &Self, range: Range<usize>) {
        let after = other.after(range.start);
        let first = other.before(after);
        let file = if first.replaces_to.is_some() { first.file } else { first.place(range.start).start };
        self.push_piece(Piece { text, file, ..first });
        for piece in other.pieces[after..].iter().take_while(|piece| piece.text < range.end) {
            self.push_piece(Piece { text: text + piece.text - range.start, ..*piece });
        }
    }

    fn piece(&self, text: usize) -> Piece {
        self.before(self.after(text))
    }

    /// Returns the index of the first piece after `text`.
    fn after(&self, text: usize) -> usize {
        // Fast path: most texts are one piece of their file.
        match self.pieces.last() {
            Some(last) if last.text <= text => self.pieces.len(),
            _ => self.pieces.partition_point(|piece| piece.text <= text),
        }
    }

    fn before(&self, after: usize) -> Piece {
        let outside = Piece { text: 0, file: 0, replaces_to: None };
        after.checked_sub(1).map_or(outside, |piece| self.pieces[piece])
    }

    /// Returns the position in the text of an offset in the file. Inserted text has no offset, so the caller compares
    /// the texts at both positions.
    pub(super) fn position(&self, file: usize) -> Option<usize> {
        let after = self.pieces.partition_point(|piece| piece.file <= file);
        let piece = self.pieces[after.checked_sub(1)?];
        match piece.replaces_to {
            None => Some(piece.text + (file - piece.file)),
            // A replacement has a single range.
            Some(_) => (file == piece.file).then_some(piece.text),
        }
    }

    /// Whether a part of the text is one piece of the file without insertions.
    pub(super) fn is_copy(&self, text: &Range<usize>) -> bool {
        let first = self.piece(text.start);
        let last = self.piece(text.end.max(text.start + 1) - 1);
        let is_one = first.file + (text.start - first.text) + text.len()
            == last.file + (text.end.max(last.text) - last.text);
        first.replaces_to.is_none() && last.replaces_to.is_none() && is_one
    }

    /// Returns the ranges in the file that the text replaces or omits between its pieces.
    pub(super) fn replaced(&self) -> Vec<Range<usize>> {
        let mut replaced = Vec::new();
        for (at, piece) in self.pieces.iter().enumerate() {
            match (piece.replaces_to, self.pieces.get(at + 1)) {
                (Some(end), _) => replaced.push(piece.file..end),
                (None, Some(next)) => {
                    let end = piece.file + (next.text - piece.text);
                    replaced.push(end..next.file.max(end));
                }
                (None, None) => {}
            }
        }
        replaced.retain(|place| !place.is_empty());
        replaced
    }

    /// Returns the map of the same text through `other`, which maps the file to another text. `length` is the length
    /// of the text.
    pub(super) fn through(&self, other: &Self, length: usize) -> Self {
        let mut map = Self::default();
        for (at, piece) in self.pieces.iter().enumerate() {
            let end = self.pieces.get(at + 1).map_or(length, |next| next.text).max(piece.text);
            match piece.replaces_to {
                None => map.push_from(piece.text, other, piece.file..piece.file + (end - piece.text)),
                Some(to) => map.push_replacing(piece.text, other.range(piece.file..to)),
            }
        }
        map
    }

    /// The end belongs to the piece of the last byte rather than the next piece.
    pub(super) fn range(&self, text: Range<usize>) -> Range<usize> {
        let start = self.piece(text.start).place(text.start).start;
        let last = || self.piece(text.end - 1).place(text.end - 1);
        let end = if text.is_empty() { start } else { last().end };
        start..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_has_its_own_place() {
        let mut map = OffsetMap::starting_at(10);
        map.push(5, 30);
        map.push(8, 33);
        assert_eq!([0, 4, 5, 9].map(|at| map.range(at..at).start), [10, 14, 30, 34]);
        assert_eq!(map.range(2..5), 12..15);
        assert_eq!(map.range(4..7), 14..32);
        assert_eq!(map.range(5..5), 30..30);
        assert_eq!(map.range(4..usize::MAX), 14..usize::MAX);
        assert_eq!((map.position(9), map.position(14), map.position(34)), (None, Some(4), Some(9)));
        let mut copy = OffsetMap::default();
        copy.push_from(0, &map, 3..7);
        assert_eq!((copy.range(0..2), copy.range(2..4)), (13..15, 30..32));
    }

    /// The text is `ab` of the file, `word` for `{x}` at 2 to 5, and `cd` from 5 on.
    #[test]
    fn a_word_has_the_place_of_all_that_it_replaces() {
        let mut map = OffsetMap::starting_at(0);
        map.push_replacing(2, 2..5);
        map.push(6, 5);
        assert_eq!((map.range(3..4), map.range(2..6), map.range(0..8)), (2..5, 2..5, 0..7));
        assert_eq!((map.range(1..3), map.range(5..7), map.range(6..8)), (1..5, 2..6, 5..7));
        let mut copy = OffsetMap::default();
        copy.push_from(0, &map, 4..8);
        assert_eq!((copy.range(0..1), copy.range(2..4)), (2..5, 5..7));
    }

    #[test]
    fn an_empty_word_takes_no_place() {
        let mut map = OffsetMap::starting_at(0);
        map.push_replacing(2, 2..5);
        map.push(2, 5);
        assert_eq!((map.range(0..2), map.range(2..3), map.range(0..3)), (0..2, 5..6, 0..6));
    }
}
