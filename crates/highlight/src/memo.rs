//! Highlighted lines of code by what is before them: code repeats its lines.
//!
//! A line's colours depend on the line and what is before it alone, so a remembered line is the line. What is before is
//! numbered as it turns up, and where a line leads is remembered with it: a block whose lines are all known is never
//! read, nor is anything compared. All threads have the same memory.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock};

use syntect::util::LinesWithEndings;

use super::colour::{Before, Colourist};
use super::lock;
use super::machine::Stop;

/// Bytes of lines, their HTML and what is before them, for a grammar. Thousands of blocks fit; an editing session of
/// days does not pile up, nor does one block that nests deeper with each line.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// The lines of one grammar.
struct Memo {
    numbers: HashMap<Arc<Before>, usize>,
    /// By number.
    befores: Vec<Arc<Before>>,
    /// By the number of what is before them.
    lines: Vec<HashMap<Box<str>, Line>>,
    bytes: usize,
}

/// A highlighted line.
struct Line {
    html: Box<str>,
    /// The number of what is before the next.
    next: usize,
}

thread_local! {
    static COLOURIST: RefCell<Colourist> = RefCell::default();
}

/// The HTML of a block, by the context that its grammar begins with.
pub(super) fn coloured(context: u32, code: &str) -> Result<String, Stop> {
    COLOURIST.with_borrow_mut(|colourist| block(&memo(context), colourist, code))
}

/// What is remembered of a grammar. What is full is let go; blocks that are being read with it keep it to their ends.
fn memo(context: u32) -> Arc<RwLock<Memo>> {
    static MEMOS: LazyLock<Mutex<HashMap<u32, Arc<RwLock<Memo>>>>> = LazyLock::new(Mutex::default);
    let new = || Arc::new(RwLock::new(Memo::new(Before::start(context))));
    let mut memos = lock(&MEMOS);
    let memo = memos.entry(context).or_insert_with(new);
    if memo.read().unwrap_or_else(PoisonError::into_inner).is_full() {
        *memo = new();
    }
    memo.clone()
}

fn block(memo: &RwLock<Memo>, colourist: &mut Colourist, code: &str) -> Result<String, Stop> {
    let mut html = String::with_capacity(code.len() * 3);
    // What every block begins with.
    let mut number = 0;
    // What is before a line once there is no more room to remember it.
    let mut forgotten: Option<Before> = None;
    for line in LinesWithEndings::from(code) {
        let mut before = if let Some(before) = forgotten.take() {
            before
        } else {
            let memo = memo.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(known) = memo.lines[number].get(line) {
                html.push_str(&known.html);
                number = known.next;
                continue;
            }
            Before::clone(&memo.befores[number])
        };
        let coloured = colourist.line(&mut before, line)?;
        html.push_str(&coloured);
        let mut memo = memo.write().unwrap_or_else(PoisonError::into_inner);
        if memo.is_full() {
            forgotten = Some(before);
        } else {
            number = memo.learn(number, line, coloured, before);
        }
    }
    Ok(html)
}

impl Memo {
    fn new(start: Before) -> Self {
        let start = Arc::new(start);
        Self {
            numbers: HashMap::from([(start.clone(), 0)]),
            befores: vec![start],
            lines: vec![HashMap::new()],
            bytes: 0,
        }
    }

    fn is_full(&self) -> bool {
        self.bytes > MOST_BYTES
    }

    /// Remembers a line, and gives the number of what is behind it.
    fn learn(&mut self, number: usize, line: &str, html: String, behind: Before) -> usize {
        let behind = Arc::new(behind);
        let next = self.numbers.get(&behind).copied().unwrap_or_else(|| {
            self.bytes += behind.size();
            self.numbers.insert(behind.clone(), self.befores.len());
            self.befores.push(behind);
            self.lines.push(HashMap::new());
            self.lines.len() - 1
        });
        self.bytes += line.len() + html.len();
        self.lines[number].insert(line.into(), Line { html: html.into(), next });
        next
    }
}
