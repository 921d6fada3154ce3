//! Highlighted lines of code by the state of the parser before them: code repeats its lines.
//!
//! A line's colours depend on the line and the state alone, so a remembered line is the line. States are
//! numbered as they turn up, and where a line leads is remembered with it: a block whose lines are all known
//! is never parsed, nor is any state compared.
//!
//! Every thread has its own, because a state holds pointers of the C library for regular expressions.

use std::cell::RefCell;
use std::collections::HashMap;

use syntect::parsing::SyntaxReference;
use syntect::util::LinesWithEndings;

use crate::highlight::State;

/// Bytes of lines, their HTML and the states, for a grammar and a thread. Thousands of blocks fit; an editing
/// session of days does not pile up, nor does one block that nests deeper with each line.
const MOST_BYTES: usize = 4 * 1024 * 1024;
/// A new state is compared with all of these.
const MOST_STATES: usize = 2048;

/// The lines of one grammar.
struct Memo {
    states: Vec<State>,
    /// By the number of the state before the line.
    lines: Vec<HashMap<Box<str>, Line>>,
    bytes: usize,
}

/// A highlighted line.
struct Line {
    html: Box<str>,
    /// The number of the state behind it.
    next: usize,
}

/// The HTML of a block; `None` where its grammar fails on it.
pub(super) fn coloured(grammar: &SyntaxReference, code: &str) -> Option<String> {
    thread_local! {
        static MEMOS: RefCell<HashMap<String, Memo>> = RefCell::default();
    }
    MEMOS.with_borrow_mut(|memos| {
        if memos.get(&grammar.name).is_none_or(Memo::is_full) {
            memos.insert(grammar.name.clone(), Memo::new(grammar));
        }
        memos.get_mut(&grammar.name)?.block(code)
    })
}

impl Memo {
    fn new(grammar: &SyntaxReference) -> Self {
        Self { states: vec![State::new(grammar)], lines: vec![HashMap::new()], bytes: 0 }
    }

    fn is_full(&self) -> bool {
        self.bytes > MOST_BYTES || self.states.len() > MOST_STATES
    }

    fn block(&mut self, code: &str) -> Option<String> {
        let mut html = String::with_capacity(code.len() * 3);
        // The state that every block begins with.
        let mut state = 0;
        let mut rest = code;
        while let Some(line) = LinesWithEndings::from(rest).next() {
            if !self.lines[state].contains_key(line) {
                if self.is_full() {
                    return self.states[state].clone().colour_all(rest).map(|rest| html + &rest);
                }
                self.learn(state, line)?;
            }
            rest = &rest[line.len()..];
            let known = &self.lines[state][line];
            html.push_str(&known.html);
            state = known.next;
        }
        Some(html)
    }

    fn learn(&mut self, state: usize, line: &str) -> Option<()> {
        let mut after = self.states[state].clone();
        let html = after.colour(line)?.into_boxed_str();
        let next = self.states.iter().position(|known| *known == after).unwrap_or_else(|| {
            self.bytes += after.size();
            self.states.push(after);
            self.lines.push(HashMap::new());
            self.states.len() - 1
        });
        self.bytes += line.len() + html.len();
        self.lines[state].insert(line.into(), Line { html, next });
        Some(())
    }
}
