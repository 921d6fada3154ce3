//! Where text that was cut and moved stands in the file.

use std::ops::Range;

/// Maps offsets of a text made of pieces of a file back to the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct OffsetMap {
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
    }
}
