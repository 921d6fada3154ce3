//! The grammars as flat tables, which `make` writes from syntect's, and which are loaded for the first block.
//!
//! Lists are ranges of pools, so that loading needs only a few allocations for all grammars together.

#[cfg(test)]
use super::record::Writer;
use super::record::{Reader, Record, record, record_of_variant};

record! {
    /// All shipped grammars.
    #[derive(Debug, Default)]
    pub(crate) struct Tables<'t> {
        pub(crate) grammars: Vec<Grammar<'t>>,
        /// The color of each scope in `data/scopes.txt`: the position of its class in [`super::classes::CLASSES`] plus 2, or one of the
        /// constants below.
        pub(crate) classes: Vec<u8>,
        pub(crate) contexts: Vec<Context>,
        pub(crate) patterns: Vec<Pattern>,
        /// In Oniguruma's syntax. Patterns share them.
        pub(crate) regexes: Vec<&'t str>,
        /// The filters of each regex, one for each of the ways in which it begins. Empty if they are unknown.
        pub(crate) ways: Vec<Span>,
        /// The sets of filters.
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
}

/// A scope without effect on colors.
pub(crate) const NO_CLASS: u8 = 0;
/// A scope in which code begins again inside a string.
pub(crate) const CODE_AGAIN: u8 = 1;

record! {
    #[derive(Debug)]
    pub(crate) struct Grammar<'t> {
        pub(crate) name: &'t str,
        /// File extensions and other names.
        pub(crate) endings: Vec<&'t str>,
        /// The context at the start of a file.
        pub(crate) start: u32,
    }
}

record! {
    /// A range of a pool.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub(crate) struct Span {
        pub(crate) start: u32,
        pub(crate) length: u16,
    }
}

record! {
    /// Sublime Text's documentation, "Syntax Definitions", describes each field.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Context {
        pub(crate) meta_scope: Span,
        pub(crate) meta_content_scope: Span,
        pub(crate) clear_scopes: Option<Clear>,
        pub(crate) prototype: Option<u32>,
        /// Whether a pattern refers to the captures of the pattern that led here.
        pub(crate) uses_captures: bool,
        /// Range in `steps`.
        pub(crate) steps: Span,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clear {
    Top(u16),
    All,
}

/// All scopes are the highest number.
impl Record<'_> for Clear {
    fn read(reader: &mut Reader<'_>) -> Self {
        match u16::read(reader) {
            u16::MAX => Self::All,
            count => Self::Top(count),
        }
    }

    #[cfg(test)]
    fn write(&self, writer: &mut Writer) {
        match self {
            Self::Top(count) => *count,
            Self::All => u16::MAX,
        }
        .write(writer);
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Match(u32),
    Include(u32),
}

/// The lowest bit is set for an include.
impl Record<'_> for Step {
    fn read(reader: &mut Reader<'_>) -> Self {
        match u32::read(reader) {
            number if number % 2 == 0 => Self::Match(number / 2),
            number => Self::Include(number / 2),
        }
    }

    #[cfg(test)]
    fn write(&self, writer: &mut Writer) {
        match self {
            Self::Match(number) => 2 * number,
            Self::Include(number) => 2 * number + 1,
        }
        .write(writer);
    }
}

record! {
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Pattern {
        pub(crate) regex: u16,
        /// Whether the regex refers to the captures of the pattern that led to its context.
        pub(crate) refers: bool,
        pub(crate) scopes: Span,
        pub(crate) captures: Span,
        pub(crate) operation: Operation,
        /// The contexts to push.
        pub(crate) targets: Span,
        pub(crate) with_prototype: Option<u32>,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    None,
    Pop,
    Push,
    Set,
}

record_of_variant! { Operation: None Pop Push Set }

record! {
    /// The scopes of a group.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Capture {
        pub(crate) group: u16,
        pub(crate) scopes: Span,
    }
}

/// Number of letters of a match that a filter tests, in addition to the first.
pub(crate) const MORE: usize = 3;

record! {
    /// Conditions at a match of a regex: it doesn't match if one of the sets lacks the actual symbol. Each field is the
    /// index of a set in the tables.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) struct Filter {
        /// The character before the match, or the end symbol at the start of a line.
        pub(crate) before: u16,
        /// At its start, by [`Before`].
        pub(crate) first: [u16; 4],
        /// After that, letter by letter.
        pub(crate) next: [u16; MORE],
        /// After the letters, digits and underscores at its start, of which there may be none.
        pub(crate) behind_word: u16,
        /// After those and the spaces that follow them.
        pub(crate) behind_blanks: u16,
        /// All of these occur at or after its start.
        pub(crate) required: u16,
        /// Prefixes of the first word at or after the start of the match: bits of the tables' words, by [`word_bit`].
        /// Empty if any word is possible.
        pub(crate) words: Span,
        /// Set if the sets describe a match of ASCII letters completely.
        pub(crate) exact: Option<Exact>,
    }
}

record! {
    /// A match that doesn't need to be tried.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) struct Exact {
        /// Measured in letters.
        pub(crate) length: u8,
        pub(crate) groups: Groups,
    }
}

/// The groups of a regex in addition to the complete match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Groups {
    None,
    /// One group, which equals the complete match.
    Whole,
    Unknown,
}

record_of_variant! { Groups: None Whole Unknown }

/// Number of tested letters of a word.
pub(crate) const LETTERS: usize = 4;

/// Returns the key of a word's prefix with another letter.
pub(crate) fn longer(key: u32, letter: u8) -> u32 {
    (key ^ u32::from(letter)).wrapping_add(1).wrapping_mul(0x9e37_79b1).rotate_left(13)
}

/// Returns the bit of a word's prefix by its key. `bits` is the number of bits in the list, a power of two.
pub(crate) fn word_bit(key: u32, bits: usize) -> usize {
    key as usize & (bits - 1)
}

/// The symbol before a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    LineStart,
    Word,
    NoWord,
    /// Outside ASCII.
    Other,
}

impl Before {
    pub(crate) const ALL: [Self; 4] = [Self::LineStart, Self::Word, Self::NoWord, Self::Other];
}

record! {
    /// A set of ASCII characters, the end of the line, and bytes outside ASCII.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub(crate) struct Set {
        pub(crate) ascii: u128,
        pub(crate) end: bool,
        pub(crate) other: bool,
    }
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
