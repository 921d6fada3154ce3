//! Where text that was cut and moved stands in the file.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Maps offsets of a text made of pieces of a file back to the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct OffsetMap {
    /// `(offset in the text, offset in the file)` of each piece, ascending in the first.
    pieces: Vec<(usize, usize)>,
}

impl OffsetMap {
    /// A text that is one piece of the file.
    pub(super) fn starting_at(file: usize) -> Self {
        Self { pieces: vec![(0, file)] }
    }

    /// From `text` on, the text continues as the file does from `file` on.
    pub(super) fn push(&mut self, text: usize, file: usize) {
        if self.pieces.last().is_some_and(|&(last, start)| start + (text - last) == file) {
            return;
        }
        self.pieces.push((text, file));
    }

    /// From `text` on, the text continues as `range` of the text that `other` maps.
    pub(super) fn push_from(&mut self, text: usize, other: &Self, range: Range<usize>) {
        self.push(text, other.offset(range.start));
        let first = other.pieces.partition_point(|&(start, _)| start <= range.start);
        for &(start, file) in other.pieces[first..].iter().take_while(|(start, _)| *start < range.end) {
            self.push(text + start - range.start, file);
        }
    }

    pub(super) fn offset(&self, text: usize) -> usize {
        let after = self.pieces.partition_point(|&(start, _)| start <= text);
        match after.checked_sub(1).map(|piece| self.pieces[piece]) {
            Some((start, file)) => file + (text - start),
            None => text,
        }
    }

    /// The end belongs to the piece of the last byte, not to the one that follows.
    pub(super) fn range(&self, text: Range<usize>) -> Range<usize> {
        let start = self.offset(text.start);
        let end = if text.is_empty() { start } else { self.offset(text.end - 1) + 1 };
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
        assert_eq!((map.offset(0), map.offset(4), map.offset(5), map.offset(9)), (10, 14, 30, 34));
        assert_eq!(map.range(2..5), 12..15);
        assert_eq!(map.range(4..7), 14..32);
        assert_eq!(map.range(5..5), 30..30);
        let mut copy = OffsetMap::default();
        copy.push_from(0, &map, 3..7);
        assert_eq!((copy.range(0..2), copy.range(2..4)), (13..15, 30..32));
    }
}
