//! The grammars as flat tables: `make` writes them from syntect's, and the first block that needs one reads them.
//!
//! Lists are parts of pools, so that reading takes a few allocations for all grammars together.

use serde::{Deserialize, Serialize};

/// All grammars that are shipped.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tables<'t> {
    #[serde(borrow)]
    pub(crate) grammars: Vec<Grammar<'t>>,
    /// The names of scopes.
    #[serde(borrow)]
    pub(crate) scopes: Vec<&'t str>,
    /// What each scope means for colours: the position of its class in [`super::classes::CLASSES`] plus 2, or one of the
    /// constants below.
    pub(crate) classes: Vec<u8>,
    pub(crate) contexts: Vec<Context>,
    pub(crate) patterns: Vec<Pattern>,
    /// In Oniguruma's syntax. Patterns share them.
    #[serde(borrow)]
    pub(crate) regexes: Vec<&'t str>,
    /// Of each regex the filters, one for each of the ways in which it begins; none where they are not known.
    pub(crate) ways: Vec<Span>,
    /// The sets that filters name.
    pub(crate) sets: Vec<Set>,
    /// Lists of words as bits.
    pub(crate) words: Vec<u64>,
    /// Pools.
    pub(crate) filters: Vec<Filter>,
    pub(crate) steps: Vec<Step>,
    pub(crate) scope_lists: Vec<u16>,
    pub(crate) captures: Vec<Capture>,
    pub(crate) targets: Vec<u32>,
}

/// A scope that says nothing about colours.
pub(crate) const NO_CLASS: u8 = 0;
/// A scope in which code begins again, within a string.
pub(crate) const CODE_AGAIN: u8 = 1;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Grammar<'t> {
    pub(crate) name: &'t str,
    /// File endings, and other words for it.
    #[serde(borrow)]
    pub(crate) endings: Vec<&'t str>,
    /// The context that a file begins in.
    pub(crate) start: u32,
}

/// A part of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) length: u16,
}

/// Sublime Text's documentation, "Syntax Definitions", says what each field means.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Context {
    pub(crate) meta_scope: Span,
    pub(crate) meta_content_scope: Span,
    pub(crate) clear_scopes: Option<Clear>,
    pub(crate) prototype: Option<u32>,
    /// Whether a pattern refers to what the pattern has captured that led here.
    pub(crate) uses_captures: bool,
    /// Of `steps`.
    pub(crate) steps: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Clear {
    Top(u16),
    All,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Step {
    Match(u32),
    Include(u32),
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Pattern {
    pub(crate) regex: u16,
    /// Whether the regex refers to what the pattern has captured that led to its context.
    pub(crate) refers: bool,
    pub(crate) scopes: Span,
    pub(crate) captures: Span,
    pub(crate) operation: Operation,
    /// The contexts that are pushed.
    pub(crate) targets: Span,
    pub(crate) with_prototype: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Operation {
    None,
    Pop,
    Push,
    Set,
}

/// The scopes of a group.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Capture {
    pub(crate) group: u16,
    pub(crate) scopes: Span,
}

/// How many letters of a match a filter looks at, beside the first.
pub(crate) const MORE: usize = 3;

/// What stands where a regex matches, at the most: it does not match where one of the sets lacks what is there. Each
/// names one of the tables' sets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Filter {
    /// In front of the match; the end is the start of the line.
    pub(crate) before: u16,
    /// At its start, by [`Before`].
    pub(crate) first: [u16; 4],
    /// Behind that, letter by letter.
    pub(crate) next: [u16; MORE],
    /// Behind the letters, digits and underscores that it begins with, of which there may be none.
    pub(crate) behind_word: u16,
    /// Behind those and the blanks after them.
    pub(crate) behind_blanks: u16,
    /// All of these stand somewhere behind its start.
    pub(crate) required: u16,
    /// The first word, at the match or behind its start, begins as one of these: bits of the tables' words, by
    /// [`word_bit`]. Empty where it may be any.
    pub(crate) words: Span,
    /// Where the sets say all that there is to a match of letters of ASCII.
    pub(crate) exact: Option<Exact>,
}

/// A match that needs not be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Exact {
    /// Letters.
    pub(crate) length: u8,
    pub(crate) groups: Groups,
}

/// What groups a regex has beside the whole match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Groups {
    None,
    /// One, which is the whole match too.
    Whole,
    Unknown,
}

/// How many letters of a word are looked at.
pub(crate) const LETTERS: usize = 4;

/// The key of a word's beginning with another letter.
pub(crate) fn longer(key: u32, letter: u8) -> u32 {
    (key ^ u32::from(letter)).wrapping_add(1).wrapping_mul(0x9e37_79b1).rotate_left(13)
}

/// The bit of the beginning of a word, by its key, of as many as a list has, which is a power of two.
pub(crate) fn word_bit(key: u32, bits: usize) -> usize {
    key as usize & (bits - 1)
}

/// What is in front of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    LineStart,
    Word,
    NoWord,
    /// Not ASCII.
    Other,
}

impl Before {
    pub(crate) const ALL: [Self; 4] = [Self::LineStart, Self::Word, Self::NoWord, Self::Other];
}

/// Letters of ASCII, the end of the line, and all that is not ASCII: a byte of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Set {
    pub(crate) ascii: u128,
    pub(crate) end: bool,
    pub(crate) other: bool,
}

/// `A` to `Z`, `a` to `z`, digits and underscore.
pub(crate) const WORD: u128 = {
    let (mut set, mut byte) = (0, 0);
    while byte < 128_u8 {
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            set |= 1 << byte;
        }
        byte += 1;
    }
    set
};

pub(crate) const BLANKS: u128 = 1 << b' ' | 1 << b'\t';
