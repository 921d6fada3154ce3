//! Highlights code with syntect's own parser: for blocks that our tables can't process with certainty, and for
//! comparison in tests.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use syntect::easy::ScopeRegionIterator;
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};
use syntect::util::LinesWithEndings;

use super::classes::{self, CLASSES};
use super::colour::Html;
use super::lock;

pub(super) static GRAMMARS: LazyLock<SyntaxSet> = LazyLock::new(|| {
    syntect::dumps::from_uncompressed_data(include_bytes!("../data/grammars.bin"))
        .expect("a test makes the dump with the same syntect")
});

/// Returns the HTML of a block, or `None` if its grammar fails on it.
pub(super) fn coloured(grammar: &str, code: &str) -> Option<String> {
    let grammar = GRAMMARS.find_syntax_by_name(grammar)?;
    let (mut parser, mut scopes) = (ParseState::new(grammar), ScopeStack::new());
    let mut html = String::with_capacity(code.len() * 3);
    for line in LinesWithEndings::from(code) {
        let mut coloured = Html::with_capacity(line.len() * 3);
        let changes = parser.parse_line(line, &GRAMMARS).ok()?;
        for (text, change) in ScopeRegionIterator::new(&changes, line) {
            scopes.apply(change).ok()?;
            coloured.token(text, || class_of(&scopes));
        }
        html.push_str(&coloured.close());
    }
    Some(html)
}

/// The effect of a scope on colors.
#[derive(Clone, Copy)]
enum Meaning {
    None,
    Class(&'static str),
    CodeAgain,
}

/// Returns the class of the innermost scope that has one. An interpolation in a string is code again.
fn class_of(stack: &ScopeStack) -> Option<&'static str> {
    for scope in stack.as_slice().iter().rev() {
        match meaning(*scope) {
            Meaning::None => {}
            Meaning::Class(class) => return Some(class),
            Meaning::CodeAgain => return None,
        }
    }
    None
}

fn meaning(scope: Scope) -> Meaning {
    static KNOWN: LazyLock<Mutex<HashMap<Scope, Meaning>>> = LazyLock::new(Mutex::default);
    *lock(&KNOWN).entry(scope).or_insert_with(|| {
        let name = scope.build_string();
        match classes::position(&name) {
            _ if classes::is_code_again(&name) => Meaning::CodeAgain,
            Some(position) => Meaning::Class(CLASSES[position].1),
            None => Meaning::None,
        }
    })
}
