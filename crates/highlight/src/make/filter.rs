//! Determines which symbols may be at and around a match of a regex.
//!
//! A regex in Oniguruma's syntax is converted to a small automaton over symbols that matches wherever the regex does,
//! and possibly elsewhere: look-arounds inside it, back references and atomic groups are ignored. The sets of a
//! filter are derived from this automaton. A set that is too large costs time, but one that is too small would miss a
//! match, so a regex with unsupported syntax has no filter.

use std::collections::BTreeSet;

use fancy_regex::{Assertion, Expr, LookAround};
use regex_syntax::hir::{Class, HirKind};

use crate::tables::{BLANKS, Before, Exact, Groups, LETTERS, MORE, Set, WORD};

/// The sets of a filter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sets {
    pub(crate) before: Set,
    pub(crate) first: [Set; 4],
    pub(crate) next: [Set; MORE],
    pub(crate) behind_word: Set,
    pub(crate) behind_blanks: Set,
    pub(crate) required: Set,
    pub(crate) exact: Option<Exact>,
    /// Prefixes of the first word. Empty if there are too many.
    pub(crate) words: BTreeSet<Vec<u8>>,
}

/// Parses a regex, and returns the sets of each of its ways, or `None` if it contains unsupported syntax.
pub(crate) fn ways(regex: &str) -> Option<Vec<Sets>> {
    // `\G` is the start of the search, and `\K` moves the start of the match.
    if regex.contains("\\G") || regex.contains("\\K") {
        return None;
    }
    // Fancy-regex's flags for Oniguruma: `^` and `$` at each line, Unicode, and its syntax.
    let flags = 1 << 1 | 1 << 5 | 1 << 6;
    // A call of the enclosing group matches any text in brackets.
    let regex = regex.replace("\\g<-1>", "(?:.|\\n)*");
    let tree = Expr::parse_tree_with_flags(&regex, flags).ok()?;
    let groups = match &tree.expr {
        expr if !has_groups(expr) => Groups::None,
        Expr::Group(inner) if !has_groups(inner) => Groups::Whole,
        _ => Groups::Unknown,
    };
    let ways = split(&tree.expr);
    let mut ways = ways.iter().map(|way| sets(way, groups)).collect::<Option<Vec<Sets>>>()?;
    ways.dedup();
    Some(ways)
}

/// Maximum number of words. Longer lists exclude little.
const MOST_WORDS: usize = 3_000;

/// Maximum number of ways. If there are more, they are combined.
const MOST_WAYS: usize = 6;

/// Returns the alternatives at the start of a regex, each with everything that follows.
fn split(expr: &Expr) -> Vec<Expr> {
    let whole = || vec![expr.clone()];
    let ways = match expr {
        Expr::Group(inner) => split(inner),
        Expr::AtomicGroup(inner) => {
            // An atomic group may skip a way because an earlier one matches.
            split(inner).into_iter().map(|way| Expr::AtomicGroup(Box::new(way))).collect()
        }
        Expr::Alt(parts) => parts.iter().flat_map(split).collect(),
        Expr::LookAround(inner, LookAround::LookAhead) => {
            let ways = split(inner).into_iter();
            ways.map(|way| Expr::LookAround(Box::new(way), LookAround::LookAhead)).collect()
        }
        Expr::Repeat { child, lo: 0, hi: 1, greedy: true } => {
            let mut ways = split(child);
            ways.push(Expr::Empty);
            ways
        }
        Expr::Concat(parts) => {
            let Some(first) = parts.iter().position(|part| !takes_nothing(part)) else { return whole() };
            let with = |way: Expr| {
                let behind = parts[first + 1..].iter().cloned();
                Expr::Concat(parts[..first].iter().cloned().chain([way]).chain(behind).collect())
            };
            split(&parts[first]).into_iter().map(with).collect()
        }
        _ => whole(),
    };
    if ways.len() > MOST_WAYS { whole() } else { ways }
}

fn sets(expr: &Expr, groups: Groups) -> Option<Sets> {
    let mut automaton = Automaton::default();
    let end = automaton.add(State::Match);
    let start = automaton.read(expr, end, true)?;
    let first = Before::ALL.map(|before| automaton.first(start, before));
    let mut next = [Set::NONE; MORE];
    for before in Before::ALL {
        for (all, set) in next.iter_mut().zip(automaton.next(start, before)) {
            *all = all.or(set);
        }
    }
    let (behind_word, behind_blanks) = automaton.behind(start);
    let required = Set { ascii: required(expr), ..Set::NONE };
    let length = match expr {
        Expr::LookAround(inner, LookAround::LookAhead) => letters(inner).map(|_| 0),
        _ => letters(expr),
    };
    let exact = length.map(|length| Exact { length, groups });
    let words = automaton.words(start).unwrap_or_default();
    Some(Sets { before: before(expr), first, next, behind_word, behind_blanks, required, exact, words })
}

/// Returns the number of ASCII letters in a match if their sets describe it completely.
fn letters(expr: &Expr) -> Option<u8> {
    let count = match expr {
        Expr::Literal { val, casei: false } if val.is_ascii() => u8::try_from(val.len()).ok()?,
        Expr::Delegate { inner, casei: false } if !class(inner, false)?.other => 1,
        Expr::Group(inner) => letters(inner)?,
        Expr::Concat(parts) => parts.iter().map(letters).sum::<Option<u8>>()?,
        Expr::Alt(parts) if parts.iter().all(|part| letters(part) == Some(1)) => 1,
        _ => return None,
    };
    (count > 0 && usize::from(count) <= MORE + 1).then_some(count)
}

fn has_groups(expr: &Expr) -> bool {
    match expr {
        Expr::Group(_) => true,
        Expr::Concat(parts) | Expr::Alt(parts) => parts.iter().any(has_groups),
        Expr::AtomicGroup(inner) | Expr::LookAround(inner, _) => has_groups(inner),
        Expr::Repeat { child, .. } => has_groups(child),
        _ => false,
    }
}

impl Set {
    const ALL: Self = Self { ascii: u128::MAX, end: true, other: true };
    const NONE: Self = Self { ascii: 0, end: false, other: false };

    fn and(self, set: Self) -> Self {
        Self { ascii: self.ascii & set.ascii, end: self.end & set.end, other: self.other & set.other }
    }

    fn or(self, set: Self) -> Self {
        Self { ascii: self.ascii | set.ascii, end: self.end | set.end, other: self.other | set.other }
    }
}

#[derive(Default)]
struct Automaton {
    states: Vec<State>,
}

enum State {
    Symbol(Set, usize),
    Fork(Vec<usize>),
    Look(Look, usize),
    Match,
}

#[derive(Clone, Copy)]
enum Look {
    LineStart,
    TextStart,
    LineEnd,
    TextEnd,
    Boundary { is_one: bool },
}

/// Maximum number of copies of a part. More would exceed the number of letters that filters test.
const MOST_COPIES: usize = MORE + 2;
/// Maximum number of bytes of a UTF-8 character outside ASCII.
const MOST_BYTES: usize = 4;

impl Automaton {
    fn add(&mut self, state: State) -> usize {
        self.states.push(state);
        self.states.len() - 1
    }

    /// Returns the state that matches `expr` and then whatever `to` matches. At the tail, nothing follows, so a
    /// look-ahead can be treated as its content.
    fn read(&mut self, expr: &Expr, to: usize, is_tail: bool) -> Option<usize> {
        Some(match expr {
            Expr::Any { .. } => self.character(Set { end: false, ..Set::ALL }, to),
            Expr::Assertion(assertion) => {
                let look = match assertion {
                    Assertion::StartText => Look::TextStart,
                    Assertion::EndText => Look::TextEnd,
                    Assertion::StartLine { .. } | Assertion::StartLineOniguruma { .. } => Look::LineStart,
                    Assertion::EndLine { .. } => Look::LineEnd,
                    Assertion::WordBoundary => Look::Boundary { is_one: true },
                    Assertion::NotWordBoundary => Look::Boundary { is_one: false },
                    _ => return Some(to),
                };
                self.add(State::Look(look, to))
            }
            // One of these characters may equal several letters.
            Expr::Literal { val, casei: true } if !val.is_ascii() => return None,
            Expr::Literal { val, casei } => {
                let mut at = to;
                for letter in val.chars().rev() {
                    at = self.character(letter_set(letter, *casei), at);
                }
                at
            }
            Expr::Delegate { inner, casei } => self.character(class(inner, *casei)?, to),
            Expr::Concat(parts) => {
                let mut at = to;
                for (place, part) in parts.iter().enumerate().rev() {
                    at = self.read(part, at, is_tail && place + 1 == parts.len())?;
                }
                at
            }
            Expr::Alt(parts) => {
                let starts = parts.iter().map(|part| self.read(part, to, is_tail)).collect::<Option<_>>()?;
                self.add(State::Fork(starts))
            }
            Expr::Group(inner) => self.read(inner, to, is_tail)?,
            Expr::AtomicGroup(inner) => self.read(inner, to, is_tail)?,
            Expr::LookAround(inner, LookAround::LookAhead) if is_tail => self.read(inner, to, true)?,
            // Elsewhere, they are ignored.
            Expr::Empty | Expr::LookAround(..) => to,
            Expr::Repeat { child, lo, hi, .. } => {
                // Beyond the tested copies, anything may follow.
                let mut at = if *lo > MOST_COPIES { self.anything(to) } else { to };
                if *lo <= MOST_COPIES && hi.saturating_sub(*lo) > MOST_COPIES {
                    at = self.add(State::Fork(vec![to]));
                    let again = self.read(child, at, false)?;
                    self.join(at, again);
                } else if *lo <= MOST_COPIES {
                    for _ in *lo..*hi {
                        let more = self.read(child, at, false)?;
                        at = self.add(State::Fork(vec![to, more]));
                    }
                }
                for _ in 0..(*lo).min(MOST_COPIES) {
                    at = self.read(child, at, false)?;
                }
                at
            }
            Expr::Backref { .. } | Expr::BackrefWithRelativeRecursionLevel { .. } => self.anything(to),
            _ => return None,
        })
    }

    /// Adds a character of a set. Characters outside ASCII have up to four bytes.
    fn character(&mut self, set: Set, to: usize) -> usize {
        if !set.other {
            return self.add(State::Symbol(set, to));
        }
        let byte = Set { other: true, ..Set::NONE };
        let mut at = to;
        for _ in 1..MOST_BYTES {
            let more = self.add(State::Symbol(byte, at));
            at = self.add(State::Fork(vec![to, more]));
        }
        let other = self.add(State::Symbol(byte, at));
        let ascii = self.add(State::Symbol(Set { other: false, ..set }, to));
        self.add(State::Fork(vec![ascii, other]))
    }

    /// Adds any text followed by `to`.
    fn anything(&mut self, to: usize) -> usize {
        let fork = self.add(State::Fork(vec![to]));
        let again = self.add(State::Symbol(Set { end: false, ..Set::ALL }, fork));
        self.join(fork, again);
        fork
    }

    /// Adds a way to a fork.
    fn join(&mut self, fork: usize, way: usize) {
        if let State::Fork(ways) = &mut self.states[fork] {
            ways.push(way);
        }
    }

    fn first(&self, start: usize, before: Before) -> Set {
        self.step(&[start], Some(before)).0
    }

    fn next(&self, start: usize, before: Before) -> [Set; MORE] {
        let (first, mut states) = self.step(&[start], Some(before));
        let mut sets = [Set::NONE; MORE];
        let mut is_over = first.end;
        for set in &mut sets {
            let (here, behind) = self.step(&states, None);
            // After the end of the line, nothing can be tested.
            *set = Set { end: here.end || is_over, ..here };
            is_over |= here.end;
            states = behind;
        }
        sets
    }

    /// Returns the sets after a run of word characters, and after spaces that follow it.
    fn behind(&self, start: usize) -> (Set, Set) {
        let words = self.run(vec![start], WORD, false);
        let behind_word = self.step(&words, None).0;
        let blanks = self.run(words, BLANKS, false);
        (behind_word, self.step(&blanks, None).0)
    }

    /// Returns the states that are reached by any number of symbols of a set, including none.
    fn run(&self, mut states: Vec<usize>, ascii: u128, other: bool) -> Vec<usize> {
        let set = Set { ascii, end: false, other };
        let mut at = 0;
        while at < states.len() {
            for state in self.step_over(&[states[at]], None, set).1 {
                if !states.contains(&state) {
                    states.push(state);
                }
            }
            at += 1;
        }
        states
    }

    /// Returns the prefixes of the first word at or after the start of a match: up to [`LETTERS`] letters, fewer if
    /// anything may follow. Returns `None` if there may be no word, or too many.
    fn words(&self, start: usize) -> Option<BTreeSet<Vec<u8>>> {
        let mut words = BTreeSet::new();
        let before = self.run(vec![start], !WORD, true);
        self.words_from(&before, &mut Vec::new(), &mut words)?;
        (!words.is_empty()).then_some(words)
    }

    fn words_from(&self, states: &[usize], begun: &mut Vec<u8>, words: &mut BTreeSet<Vec<u8>>) -> Option<()> {
        let (here, _) = self.step(states, None);
        let no_word = Set { ascii: !WORD, end: true, other: true };
        let is_open = if begun.is_empty() {
            // Everything except words has been skipped.
            self.is_over(states)
        } else {
            here.and(no_word) != Set::NONE
        };
        if is_open && begun.is_empty() || words.len() > MOST_WORDS {
            return None;
        }
        // Any word with this prefix may follow.
        if is_open || begun.len() == LETTERS {
            words.insert(begun.clone());
            return Some(());
        }
        for letter in (0..128_u8).filter(|letter| (here.ascii & WORD) >> letter & 1 == 1) {
            let one = Set { ascii: 1 << letter, ..Set::NONE };
            let behind = self.step_over(states, None, one).1;
            begun.push(letter);
            self.words_from(&behind, begun, words)?;
            begun.pop();
        }
        Some(())
    }

    /// Whether a match may have ended.
    fn is_over(&self, states: &[usize]) -> bool {
        let behind = self.step(states, None).1;
        behind.iter().any(|state| matches!(self.states[*state], State::Match))
    }

    fn step(&self, states: &[usize], before: Option<Before>) -> (Set, Vec<usize>) {
        self.step_over(states, before, Set::ALL)
    }

    /// Returns the symbols in `over` that may follow in these states, and the next states. After the end of the
    /// match, anything may follow. `before` is known at the start of a match.
    fn step_over(&self, states: &[usize], before: Option<Before>, over: Set) -> (Set, Vec<usize>) {
        let mut seen = vec![Set::NONE; self.states.len()];
        let mut waiting: Vec<(usize, Set)> = states.iter().map(|state| (*state, over)).collect();
        let (mut here, mut behind) = (Set::NONE, Vec::new());
        while let Some((at, set)) = waiting.pop() {
            let all = seen[at].or(set);
            if all == seen[at] {
                continue;
            }
            seen[at] = all;
            match &self.states[at] {
                State::Symbol(symbols, to) => {
                    let fitting = symbols.and(set);
                    here = here.or(fitting);
                    if fitting != Set::NONE {
                        behind.push(*to);
                    }
                }
                State::Fork(ways) => waiting.extend(ways.iter().map(|way| (*way, set))),
                State::Look(look, to) => waiting.push((*to, set.and(look.set(before)))),
                State::Match => {
                    here = here.or(set);
                    behind.push(at);
                }
            }
        }
        behind.sort_unstable();
        behind.dedup();
        (here, behind)
    }
}

impl Look {
    /// Returns the symbols that may follow a position at which it holds.
    fn set(self, before: Option<Before>) -> Set {
        let no_word = Set { ascii: !WORD, end: true, other: true };
        let word = Set { ascii: WORD, end: false, other: true };
        match (self, before) {
            (Self::LineStart | Self::TextStart, Some(Before::LineStart) | None)
            | (Self::Boundary { .. }, Some(Before::Other) | None) => Set::ALL,
            // At the very end, the line end may be followed by the start of another line.
            (Self::LineStart, Some(_)) | (Self::TextEnd, _) => Set { end: true, ..Set::NONE },
            (Self::TextStart, Some(_)) => Set::NONE,
            (Self::LineEnd, _) => Set { ascii: 1 << b'\n', end: true, other: false },
            (Self::Boundary { is_one }, Some(before)) if is_one == (before == Before::Word) => no_word,
            (Self::Boundary { .. }, Some(_)) => word,
        }
    }
}

/// Returns the set of a letter, including its other case.
fn letter_set(letter: char, folds: bool) -> Set {
    let bit = |letter: char| if letter.is_ascii() { 1 << (letter as u32) } else { 0_u128 };
    if !folds {
        return Set { ascii: bit(letter), end: false, other: !letter.is_ascii() };
    }
    // Some letters of other scripts equal ASCII letters, like the Kelvin sign and `K`, and some equal several,
    // like `ß` and `ss`. No such letter has fewer bytes than the letters that it equals.
    let ascii = bit(letter.to_ascii_lowercase()) | bit(letter.to_ascii_uppercase());
    Set { ascii: if letter.is_ascii() { ascii } else { u128::MAX }, end: false, other: true }
}

/// Converts a character class from fancy-regex.
fn class(inner: &str, folds: bool) -> Option<Set> {
    let mut parser = regex_syntax::ParserBuilder::new().case_insensitive(folds).multi_line(true).build();
    match parser.parse(inner).ok()?.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            let mut set = Set { other: folds, ..Set::NONE };
            for range in class.ranges() {
                set.other |= !range.end().is_ascii();
                for letter in u32::from(range.start())..=u32::from(range.end()).min(127) {
                    set.ascii |= 1 << letter;
                }
            }
            Some(set)
        }
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok()?;
            let mut letters = text.chars();
            let letter = letters.next()?;
            letters.next().is_none().then(|| letter_set(letter, folds))
        }
        _ => None,
    }
}

/// Returns the symbols that can come before a match, from its leading look-behinds. The end symbol stands for the start
/// of the line.
fn before(expr: &Expr) -> Set {
    match expr {
        Expr::Concat(parts) => {
            let mut set = Set::ALL;
            for part in parts {
                set = set.and(before(part));
                if !takes_nothing(part) {
                    break;
                }
            }
            set
        }
        Expr::Alt(parts) => parts.iter().map(before).fold(Set::NONE, Set::or),
        Expr::Group(inner) => before(inner),
        Expr::AtomicGroup(inner) | Expr::LookAround(inner, LookAround::LookAhead) => before(inner),
        Expr::Repeat { child, lo, .. } if *lo > 0 => before(child),
        Expr::LookAround(inner, LookAround::LookBehind) => match last(inner) {
            (_, true) => Set::ALL,
            (set, false) => set,
        },
        Expr::LookAround(inner, LookAround::LookBehindNeg) => {
            let letters = alone(inner);
            Set { ascii: !letters, ..Set::ALL }
        }
        _ => Set::ALL,
    }
}

/// Whether it matches without consuming text.
fn takes_nothing(expr: &Expr) -> bool {
    match expr {
        Expr::Empty | Expr::Assertion(_) | Expr::LookAround(..) => true,
        Expr::Concat(parts) | Expr::Alt(parts) => parts.iter().all(takes_nothing),
        Expr::Group(inner) => takes_nothing(inner),
        Expr::AtomicGroup(inner) => takes_nothing(inner),
        _ => false,
    }
}

/// Returns the last symbols of its matches, and whether a match may be empty.
fn last(expr: &Expr) -> (Set, bool) {
    let line_start = Set { ascii: 1 << b'\n', end: true, other: false };
    match expr {
        Expr::Literal { val, casei } => {
            (val.chars().next_back().map_or(Set::ALL, |letter| letter_set(letter, *casei)), val.is_empty())
        }
        Expr::Delegate { inner, casei } => (class(inner, *casei).unwrap_or(Set::ALL), false),
        Expr::Assertion(
            Assertion::StartText | Assertion::StartLine { .. } | Assertion::StartLineOniguruma { .. },
        ) => (line_start, false),
        // A boundary is preceded by the same symbols as its position.
        Expr::Assertion(Assertion::WordBoundary | Assertion::NotWordBoundary) => (Set::NONE, true),
        Expr::Concat(parts) => {
            let mut set = Set::NONE;
            for part in parts.iter().rev() {
                let (own, may_be_empty) = last(part);
                set = set.or(own);
                if !may_be_empty {
                    return (set, false);
                }
            }
            (Set::ALL, true)
        }
        Expr::Alt(parts) => parts.iter().map(last).fold((Set::NONE, false), |all, part| {
            let set = if part.1 { Set::ALL } else { part.0 };
            (all.0.or(set), all.1)
        }),
        Expr::Group(inner) => last(inner),
        Expr::AtomicGroup(inner) => last(inner),
        Expr::Repeat { child, lo, .. } => {
            let (set, may_be_empty) = last(child);
            (set, may_be_empty || *lo == 0)
        }
        _ => (Set::ALL, true),
    }
}

/// Returns the ASCII letters that are a complete match.
fn alone(expr: &Expr) -> u128 {
    match expr {
        Expr::Literal { val, casei } if val.len() == 1 => {
            letter_set(char::from(val.as_bytes()[0]), *casei).ascii
        }
        Expr::Delegate { inner, casei } => class(inner, *casei).map_or(0, |set| set.ascii),
        Expr::Alt(parts) => parts.iter().map(alone).fold(0, |all, letters| all | letters),
        Expr::Concat(parts) if parts.len() == 1 => alone(&parts[0]),
        Expr::Group(inner) => alone(inner),
        _ => 0,
    }
}

/// Returns the ASCII letters that every match contains, or for which it looks ahead.
fn required(expr: &Expr) -> u128 {
    match expr {
        Expr::Literal { val, casei } => {
            let letters =
                val.bytes().filter(|byte| byte.is_ascii() && !(*casei && byte.is_ascii_alphabetic()));
            letters.fold(0, |all, letter| all | 1 << letter)
        }
        Expr::Delegate { inner, casei: false } => match class(inner, false) {
            Some(Set { ascii, other: false, .. }) if ascii.is_power_of_two() => ascii,
            _ => 0,
        },
        Expr::Concat(parts) => parts.iter().map(required).fold(0, |all, letters| all | letters),
        Expr::Alt(parts) => {
            parts.iter().map(required).reduce(|all, letters| all & letters).unwrap_or_default()
        }
        Expr::Group(inner) => required(inner),
        Expr::AtomicGroup(inner) | Expr::LookAround(inner, LookAround::LookAhead) => required(inner),
        Expr::Repeat { child, lo, .. } if *lo > 0 => required(child),
        _ => 0,
    }
}
