//! A line in the form that filters test.

use super::chain::{END, LINE_START, OTHER, Place};
use super::tables::{BLANKS, Before, LETTERS, MORE, WORD, longer, word_bit};

/// A line by position. It is reused for each line.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// The symbol of each byte. It ends after the last one.
    symbols: Vec<u8>,
    behind_word: Vec<u8>,
    behind_blanks: Vec<u8>,
    /// The ASCII bytes from each position on.
    present: Vec<u128>,
}

impl Line {
    pub(super) fn read(&mut self, line: &str) {
        self.symbols.clear();
        self.symbols.extend(line.bytes().map(|byte| if byte.is_ascii() { byte } else { OTHER }));
        self.symbols.extend([END; MORE + 1]);
        let places = line.len() + 1;
        for behind in [&mut self.behind_word, &mut self.behind_blanks] {
            behind.clear();
            behind.resize(places, END);
        }
        self.present.clear();
        self.present.resize(places, 0);
        // The symbols after a run of word characters and a run of spaces that begin here.
        let (mut word, mut blanks, mut present) = (line.len(), line.len(), 0);
        for at in (0..line.len()).rev() {
            let symbol = self.symbols[at];
            let bit = if symbol < END { 1_u128 << symbol } else { 0 };
            present |= bit;
            self.present[at] = present;
            if bit & WORD == 0 {
                word = at;
            }
            if bit & BLANKS == 0 {
                blanks = at;
            }
            self.behind_word[at] = self.symbols[word];
            self.behind_blanks[at] = if word == at { self.symbols[blanks] } else { self.behind_blanks[word] };
        }
    }

    pub(super) fn symbol(&self, at: usize) -> u8 {
        self.symbols[at]
    }

    pub(super) fn before(&self, at: usize) -> Before {
        match at.checked_sub(1).map(|at| self.symbols[at]) {
            None => Before::LineStart,
            Some(OTHER) => Before::Other,
            Some(symbol) if WORD >> symbol & 1 == 1 => Before::Word,
            Some(_) => Before::NoWord,
        }
    }

    pub(super) fn place(&self, at: usize, before: Before) -> Place {
        Place {
            before,
            symbol_before: at.checked_sub(1).map_or(LINE_START, |at| self.symbols[at]),
            symbols: std::array::from_fn(|more| self.symbols[at + more]),
            behind_word: self.behind_word[at],
            behind_blanks: self.behind_blanks[at],
        }
    }

    /// Whether the first word at or after a position begins with one of the prefixes whose bits are set.
    pub(super) fn has_word(&self, bits: &[u64], from: usize) -> bool {
        let is_word = |symbol: &u8| *symbol < END && WORD >> symbol & 1 == 1;
        let letters = self.symbols[from..]
            .iter()
            .skip_while(|symbol| !is_word(symbol))
            .take_while(|symbol| is_word(symbol));
        let mut key = 0;
        letters.take(LETTERS).any(|letter| {
            key = longer(key, *letter);
            let bit = word_bit(key, bits.len() * 64);
            bits[bit / 64] >> (bit % 64) & 1 == 1
        })
    }

    /// Whether all bytes of a set occur at or after a position.
    pub(super) fn has_all(&self, set: u128, from: usize) -> bool {
        set & !self.present[from] == 0
    }
}
