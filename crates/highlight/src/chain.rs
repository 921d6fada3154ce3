//! Selects the patterns that may match at a position in a line.
//!
//! A parser tries a chain of contexts at each position: their patterns, in order. The filters of all patterns are
//! stored as bits, grouped by test and by the symbol at the position, so that a few words of bits show which of
//! hundreds of patterns need to be tried.

use super::tables::{Before, Exact, Filter, MORE, Operation, Set, Span, Step, Tables};

/// The symbols of a line: each ASCII character is its own symbol, followed by the line's end, and a byte outside
/// ASCII.
pub(super) const END: u8 = 128;
pub(super) const OTHER: u8 = 129;
const SYMBOLS: usize = 130;
/// The symbol before the first one, for filters that test the previous symbol.
pub(super) const LINE_START: u8 = END;

/// A context of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Link {
    pub context: u32,
    /// Whether a pattern adds it before all contexts: Sublime Text's `with_prototype`.
    pub is_with_prototype: bool,
}

#[derive(Debug)]
pub(super) struct Chain {
    pub links: Box<[Link]>,
    pub items: Vec<Item>,
    /// In the order of the items.
    pub ways: Vec<Way>,
    /// Number of words with a bit for each way.
    words: usize,
    /// Bits of ways by [`Row`] and symbol.
    rows: Box<[u64]>,
    /// Whether the rows of [`Row::First`] contain any bit.
    begins: Box<[[bool; SYMBOLS]; 4]>,
    /// The items without a filter, which are searched for.
    pub searched: Vec<usize>,
}

/// A pattern of a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub pattern: u32,
    /// Position of its context in the chain.
    pub link: usize,
    /// Whether its groups are used.
    pub has_groups: bool,
    pub operation: Operation,
    pub regex: u16,
}

/// One of the ways in which a pattern begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Position of the pattern in the chain.
    pub item: usize,
    /// Bytes that must occur later in the line, as a set.
    pub required: u128,
    /// The prefixes of the first word, as a range in the tables' words.
    pub words: Span,
    pub exact: Option<Exact>,
}

/// The items that filters test.
#[derive(Clone, Copy)]
enum Row {
    First(Before),
    Before,
    Next(usize),
    BehindWord,
    BehindBlanks,
}

const ROWS: usize = 4 + 1 + MORE + 2;

impl Row {
    fn position(self) -> usize {
        match self {
            Self::First(before) => before as usize,
            Self::Before => 4,
            Self::Next(at) => 5 + at,
            Self::BehindWord => 5 + MORE,
            Self::BehindBlanks => 6 + MORE,
        }
    }

    fn all() -> impl Iterator<Item = Self> {
        let first = Before::ALL.into_iter().map(Self::First);
        let next = (0..MORE).map(Self::Next);
        first.chain([Self::Before]).chain(next).chain([Self::BehindWord, Self::BehindBlanks])
    }

    fn of(self, filter: &Filter) -> u16 {
        match self {
            Self::First(before) => filter.first[before as usize],
            Self::Before => filter.before,
            Self::Next(at) => filter.next[at],
            Self::BehindWord => filter.behind_word,
            Self::BehindBlanks => filter.behind_blanks,
        }
    }
}

/// The symbols at and around a position.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub before: Before,
    pub symbol_before: u8,
    pub symbols: [u8; MORE + 1],
    pub behind_word: u8,
    pub behind_blanks: u8,
}

impl Chain {
    pub(super) fn new(tables: &Tables<'_>, links: &[Link]) -> Self {
        let mut items = Vec::new();
        for (at, link) in links.iter().enumerate() {
            collect(tables, link.context, at, &mut items);
        }
        let mut searched = Vec::new();
        let (mut ways, mut filters) = (Vec::new(), Vec::new());
        for (at, item) in items.iter().enumerate() {
            let own = filters_of(tables, item);
            if own.is_empty() {
                searched.push(at);
            }
            for filter in own {
                let required = tables.sets[usize::from(filter.required)].ascii;
                ways.push(Way { item: at, required, words: filter.words, exact: filter.exact });
                filters.push(filter);
            }
        }
        let words = ways.len().div_ceil(64);
        let mut chain = Self {
            links: links.into(),
            items,
            ways,
            words,
            rows: vec![0; ROWS * SYMBOLS * words].into(),
            begins: Box::new([[false; SYMBOLS]; 4]),
            searched,
        };
        for row in Row::all() {
            let sets: Vec<Set> =
                filters.iter().map(|filter| tables.sets[usize::from(row.of(filter))]).collect();
            chain.fill(row, &sets);
        }
        for before in Before::ALL {
            for symbol in 0..SYMBOLS {
                chain.begins[before as usize][symbol] =
                    chain.bits(Row::First(before), symbol).iter().any(|bits| *bits != 0);
            }
        }
        chain
    }

    /// Sets the bits of all ways in the rows of one kind. Ways whose set contains most symbols have a bit in all rows
    /// first.
    fn fill(&mut self, row: Row, sets: &[Set]) {
        let is_full = |set: &Set| set.ascii.count_ones() > 64;
        let mut full = vec![0_u64; self.words];
        for (at, _) in sets.iter().enumerate().filter(|(_, set)| is_full(set)) {
            full[at / 64] |= 1 << (at % 64);
        }
        let start = row.position() * SYMBOLS * self.words;
        let rows = &mut self.rows[start..start + SYMBOLS * self.words];
        for row in rows.chunks_mut(self.words.max(1)) {
            row.copy_from_slice(&full);
        }
        for (at, set) in sets.iter().enumerate() {
            let is_full = is_full(set);
            let mut rest = if is_full { !set.ascii } else { set.ascii };
            let mut flip = |symbol: usize| rows[symbol * self.words + at / 64] ^= 1 << (at % 64);
            while rest != 0 {
                flip(rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
            for (symbol, is_in) in [(END, set.end), (OTHER, set.other)] {
                if is_in != is_full {
                    flip(usize::from(symbol));
                }
            }
        }
    }

    fn bits(&self, row: Row, symbol: usize) -> &[u64] {
        let start = (row.position() * SYMBOLS + symbol) * self.words;
        &self.rows[start..start + self.words]
    }

    /// Whether any pattern may match before a symbol.
    pub(super) fn may_begin(&self, before: Before, symbol: u8) -> bool {
        self.begins[before as usize][usize::from(symbol)]
    }

    /// Returns the positions of the ways that may match at a position, in order.
    pub(super) fn at(&self, place: Place) -> impl Iterator<Item = usize> + '_ {
        let bits = |row: Row, symbol: u8| self.bits(row, usize::from(symbol));
        let first = bits(Row::First(place.before), place.symbols[0]);
        let before = bits(Row::Before, place.symbol_before);
        let next: [&[u64]; MORE] = std::array::from_fn(|at| bits(Row::Next(at), place.symbols[at + 1]));
        let behind_word = bits(Row::BehindWord, place.behind_word);
        let behind_blanks = bits(Row::BehindBlanks, place.behind_blanks);
        (0..self.words).flat_map(move |word| {
            let mut found = first[word];
            if found != 0 {
                found &= before[word] & behind_word[word] & behind_blanks[word];
                for next in next {
                    found &= next[word];
                }
            }
            std::iter::from_fn(move || {
                let at = (found != 0).then(|| word * 64 + found.trailing_zeros() as usize);
                found &= found.wrapping_sub(1);
                at
            })
        })
    }
}

/// Returns the filters of an item. They don't cover text captured elsewhere.
fn filters_of<'t>(tables: &'t Tables<'_>, item: &Item) -> &'t [Filter] {
    if tables.patterns[item.pattern as usize].refers {
        return &[];
    }
    &tables.filters[range(tables.ways[usize::from(item.regex)])]
}

/// Collects the patterns of a context and of all contexts that it includes.
fn collect(tables: &Tables<'_>, context: u32, link: usize, items: &mut Vec<Item>) {
    for step in &tables.steps[range(tables.contexts[context as usize].steps)] {
        match *step {
            Step::Include(context) => collect(tables, context, link, items),
            Step::Match(number) => {
                let pattern = &tables.patterns[number as usize];
                let uses = |context: u32| tables.contexts[context as usize].uses_captures;
                let mut leads_to =
                    tables.targets[range(pattern.targets)].iter().chain(&pattern.with_prototype);
                items.push(Item {
                    pattern: number,
                    link,
                    has_groups: pattern.captures.length > 0 || leads_to.any(|context| uses(*context)),
                    operation: pattern.operation,
                    regex: pattern.regex,
                });
            }
        }
    }
}

/// Returns a range of a pool.
pub(super) fn range(span: Span) -> std::ops::Range<usize> {
    let start = span.start as usize;
    start..start + usize::from(span.length)
}
