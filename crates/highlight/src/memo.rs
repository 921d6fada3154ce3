//! Caches highlighted lines by the state before them, because code repeats its lines.
//!
//! The colors of a line depend only on the line and the state before it. States are numbered as they occur, and each
//! line is stored with the number of its next state. A block whose lines are all cached is neither parsed nor
//! compared. All threads share the cache.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock};

use syntect::util::LinesWithEndings;

use super::colour::{Before, Colorizer};
use super::lock;
use super::machine::Stop;

/// Maximum size in bytes of a grammar's lines, their HTML and states. Thousands of blocks fit, but neither a long
/// editing session nor a block with deeper nesting on each line grows without limit.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// The lines of one grammar.
struct Memo {
    numbers: HashMap<Arc<Before>, usize>,
    /// States by number.
    befores: Vec<Arc<Before>>,
    /// Lines by the number of the state before them.
    lines: Vec<HashMap<Box<str>, Line>>,
    bytes: usize,
}

/// A highlighted line.
struct Line {
    html: Box<str>,
    /// The number of the state before the next line.
    next: usize,
}

thread_local! {
    static COLOURIST: RefCell<Colorizer> = RefCell::default();
}

/// Returns the HTML of a block whose grammar begins with this context.
pub(super) fn coloured(context: u32, code: &str) -> Result<String, Stop> {
    COLOURIST.with_borrow_mut(|colourist| block(&memo(context), colourist, code))
}

/// Returns the cache of a grammar. A full cache is dropped, but blocks that are being processed continue to use it.
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

fn block(memo: &RwLock<Memo>, colourist: &mut Colorizer, code: &str) -> Result<String, Stop> {
    let mut html = String::with_capacity(code.len() * 3);
    // The state before every block.
    let mut number = 0;
    // The state before a line if the cache is full.
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

    /// Stores a line, and returns the number of the state after it.
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
