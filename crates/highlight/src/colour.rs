//! Writes the HTML of lines, with one short class for each kind of token.

use pulldown_cmark_escape::escape_html_body_text;
use syntect::util::LinesWithEndings;

use super::classes::CLASSES;
use super::machine::{Change, GRAMMARS, Machine, State, Stop};
use super::tables::{CODE_AGAIN, Clear, NO_CLASS};

/// Everything except its text on which the colors of a line depend.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Before {
    state: State,
    scopes: Vec<Scope>,
    cleared: Vec<Vec<Scope>>,
}

/// A scope on the stack: its number, and the class of its text, either its own or that of an enclosing scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Scope {
    number: u16,
    class: Option<u8>,
}

impl Before {
    /// Returns the state before the first line of a grammar that begins with this context.
    pub(super) fn start(context: u32) -> Self {
        Self { state: State::new(context), scopes: Vec::new(), cleared: Vec::new() }
    }

    /// Returns the approximate size in bytes.
    pub(super) fn size(&self) -> usize {
        self.state.size() + 8 * self.scopes.len()
    }

    fn apply(&mut self, change: Change) -> Result<(), Stop> {
        match change {
            Change::Push(number) => {
                let around = self.scopes.last().and_then(|scope| scope.class);
                let class = match GRAMMARS.tables.classes[usize::from(number)] {
                    NO_CLASS => around,
                    CODE_AGAIN => None,
                    class => Some(class),
                };
                self.scopes.push(Scope { number, class });
            }
            Change::Pop(count) => self.scopes.truncate(self.scopes.len().saturating_sub(count)),
            Change::Clear(clear) => {
                let left = match clear {
                    Clear::All => 0,
                    Clear::Top(count) => self.scopes.len().saturating_sub(usize::from(count)),
                };
                self.cleared.push(self.scopes.split_off(left));
            }
            Change::Restore => {
                for scope in self.cleared.pop().ok_or(Stop::Uncertain)? {
                    self.apply(Change::Push(scope.number))?;
                }
            }
        }
        Ok(())
    }

    fn class(&self) -> Option<u8> {
        self.scopes.last().and_then(|scope| scope.class)
    }
}

/// Highlights lines as HTML.
#[derive(Default)]
pub(super) struct Colorizer {
    machine: Machine,
    changes: Vec<(usize, Change)>,
}

impl Colorizer {
    /// Returns the HTML of a line, in which every span is closed. Afterwards, `before` is the state before the next
    /// line.
    pub(super) fn line(&mut self, before: &mut Before, line: &str) -> Result<String, Stop> {
        let mut changes = std::mem::take(&mut self.changes);
        changes.clear();
        self.machine.read(&mut before.state, line, &mut changes)?;
        let mut html = Html::with_capacity(line.len() * 3);
        let mut written = 0;
        for (at, change) in &changes {
            let at = (*at).max(written);
            html.token(&line[written..at], || before.class().map(name));
            written = at;
            before.apply(*change)?;
        }
        html.token(&line[written..], || before.class().map(name));
        self.changes = changes;
        Ok(html.close())
    }
}

/// Whether a grammar reaches the end of a block.
pub(super) fn ends(context: u32, code: &str) -> bool {
    let mut machine = Machine::rough();
    let (mut state, mut changes) = (State::new(context), Vec::new());
    LinesWithEndings::from(code).all(|line| {
        changes.clear();
        machine.read(&mut state, line, &mut changes) != Err(Stop::Endless)
    })
}

fn name(class: u8) -> &'static str {
    CLASSES[usize::from(class) - 2].1
}

/// A line under construction.
pub(super) struct Html {
    text: String,
    open: Option<&'static str>,
}

impl Html {
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), open: None }
    }

    /// Appends text. White space needs no color, so a span may continue across it.
    pub(super) fn token(&mut self, text: &str, class: impl FnOnce() -> Option<&'static str>) {
        if text.is_empty() {
            return;
        }
        let class = if text.trim().is_empty() { self.open } else { class() };
        if class != self.open {
            self.end();
            if let Some(class) = class {
                self.text.extend(["<span class=\"", class, "\">"]);
            }
            self.open = class;
        }
        escape(text, &mut self.text);
    }

    pub(super) fn close(mut self) -> String {
        self.end();
        self.text
    }

    fn end(&mut self) {
        if self.open.is_some() {
            self.text.push_str("</span>");
        }
    }
}

pub(super) fn escape(text: &str, html: &mut String) {
    escape_html_body_text(html, text).expect("a String takes everything");
}
