//! Tests that the machine performs syntect's operations on scopes, in every language.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestRunner;
use syntect::parsing::{ClearAmount, ParseState, Scope, ScopeStackOp};
use syntect::util::LinesWithEndings;

use super::by_syntect;
use super::chain::range;
use super::machine::{Change, GRAMMARS, Machine, State};
use super::tables::{Clear, Grammar, Step};

/// The names of scopes, by number. Only tests compare them.
static SCOPES: LazyLock<Vec<&str>> = LazyLock::new(|| include_str!("../data/scopes.txt").lines().collect());

fn operation(change: Change) -> ScopeStackOp {
    match change {
        Change::Push(scope) => {
            let name = SCOPES[usize::from(scope)];
            ScopeStackOp::Push(Scope::new(name).expect("it is a scope's name"))
        }
        Change::Pop(count) => ScopeStackOp::Pop(count),
        Change::Clear(Clear::All) => ScopeStackOp::Clear(ClearAmount::All),
        Change::Clear(Clear::Top(count)) => ScopeStackOp::Clear(ClearAmount::TopN(usize::from(count))),
        Change::Restore => ScopeStackOp::Restore,
    }
}

/// Checks all lines up to an uncertain one, and returns how many were compared.
fn check(machine: &mut Machine, grammar: &Grammar<'_>, code: &str) -> Result<usize, String> {
    let theirs = by_syntect::GRAMMARS.find_syntax_by_name(grammar.name).expect("both have it");
    let (mut state, mut parser) = (State::new(grammar.start), ParseState::new(theirs));
    let mut changes = Vec::new();
    for (number, line) in LinesWithEndings::from(code).enumerate() {
        changes.clear();
        if machine.read(&mut state, line, &mut changes).is_err() {
            return Ok(number);
        }
        let operations: Vec<_> = changes.iter().map(|(at, change)| (*at, operation(*change))).collect();
        let expected = parser.parse_line(line, &by_syntect::GRAMMARS).expect("the grammar is whole");
        if operations != expected {
            let name = grammar.name;
            return Err(format!("{name}, {line:?} of {code:?}:\n{operations:?}\nsyntect: {expected:?}"));
        }
    }
    Ok(LinesWithEndings::from(code).count())
}

/// Returns the words in a grammar's regexes.
fn vocabulary(grammar: &Grammar<'_>) -> Vec<String> {
    let tables = &GRAMMARS.tables;
    let mut words = BTreeSet::new();
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![grammar.start]);
    while let Some(context) = waiting.pop() {
        if !seen.insert(context) {
            continue;
        }
        let its = &tables.contexts[context as usize];
        waiting.extend(its.prototype);
        for step in &tables.steps[range(its.steps)] {
            match *step {
                Step::Include(context) => waiting.push(context),
                Step::Match(pattern) => {
                    let pattern = &tables.patterns[pattern as usize];
                    waiting.extend(&tables.targets[range(pattern.targets)]);
                    waiting.extend(pattern.with_prototype);
                    let regex = tables.regexes[usize::from(pattern.regex)];
                    words.extend(regex.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1));
                }
            }
        }
    }
    // If a grammar embeds others, most of its words are theirs.
    let step = words.len().div_ceil(400).max(1);
    let words = words.into_iter().step_by(step).flat_map(|word| {
        // A case-insensitive regex treats these as equal.
        let folded = FOLDED.iter().filter(move |(plain, _)| word.contains(plain));
        let folded = folded.map(move |(plain, other)| word.replacen(plain, other, 1));
        folded.chain([word.to_string(), word.to_uppercase()])
    });
    words.collect()
}

/// Unicode's `CaseFolding.txt`: one or two letters, and a character that equals them without case.
const FOLDED: &[(&str, &str)] =
    &[("ss", "ß"), ("st", "\u{fb06}"), ("fi", "\u{fb01}"), ("s", "ſ"), ("k", "\u{212a}")];

/// Text around words in code.
#[rustfmt::skip] // A list of pieces reads better in paragraphs.
const AROUND: &[&str] = &[
    " ", "  ", "\t", "\n", "\n", "\n\n", "a", "Ab", "x1", "_", "$", "0", "12", "0x1F", "1.5e3", "\"", "'", "`",
    "\\", "/", "//", "/*", "*/", "#", "##", "--", "<!--", "-->", "<", ">", "</", "/>", "=>", "->", "(", ")", "[",
    "]", "{", "}", "${", "#{", "\\(", ".", ",", ";", ":", "::", "=", "==", "!", "?", "?.", "&", "|", "+", "-", "*",
    "%", "^", "~", "@", "@@", "<<EOF\n", "EOF\n", "r#\"", "\"\"\"", "'''", "%w[", "<<~A\n", "A\n", "é", "日本", "ſ",
    "K", "ß", "“", "\u{a0}", "=begin\n", "=end\n", "---\n", "```\n", "<?php", "?>", "<script>", "</script>",
    "<style>", "</style>", "{%", "%}", "{{", "}}", "\r", "\n  ", "\n    ", ": ", "- ",
];

/// Number of random texts for each grammar. `STEPKIN_CASES` sets another number.
fn cases() -> u32 {
    env::var("STEPKIN_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(6)
}

#[test]
fn lines_of_any_language_are_equal() {
    let mut machine = Machine::default();
    for grammar in &GRAMMARS.tables.grammars {
        let vocabulary = vocabulary(grammar);
        let around = || select(AROUND).prop_map(str::to_string).boxed();
        let word = if vocabulary.is_empty() {
            around()
        } else {
            any::<Index>().prop_map(move |index| index.get(&vocabulary).clone()).boxed()
        };
        let piece = prop_oneof![1 => word, 2 => around()];
        let code = prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat());
        let config =
            ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() };
        let compare =
            |code: String| check(&mut machine, grammar, &code).map(drop).map_err(TestCaseError::fail);
        let compare = std::cell::RefCell::new(compare);
        if let Err(error) = TestRunner::new(config).run(&code, |code| (compare.borrow_mut())(code)) {
            panic!("{error}");
        }
    }
}

/// The sample's code, and that of another folder in `STEPKIN_CODE`: files by extension, and code blocks of pages.
#[test]
fn real_code_is_equal() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = ["content", "code", "static", "crates/highlight/src", "tests/browser/support.mjs"];
    let mut places: Vec<PathBuf> = own.iter().map(|place| root.join(place)).collect();
    places.extend(env::var_os("STEPKIN_CODE").map(PathBuf::from));
    let (mut machine, mut lines) = (Machine::default(), 0);
    for file in places.iter().flat_map(walkdir::WalkDir::new).flatten() {
        let Ok(text) = fs::read_to_string(file.path()) else { continue };
        let ending = file.path().extension().unwrap_or_default().to_string_lossy();
        for (word, code) in blocks(&text).into_iter().chain([(&*ending, text.clone())]) {
            let super::Language::Known(token) = super::language(word) else { continue };
            if super::is_within_budget(&code) {
                let grammar = super::find(&token).expect("it is one of ours");
                lines += check(&mut machine, grammar, &code).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
    assert!(lines > 1_000, "{lines} lines");
}

/// Returns the code blocks of a page, each with its language.
fn blocks(text: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(word) = line.trim_start().strip_prefix("```") else { continue };
        let inside = lines.by_ref().take_while(|line| !line.trim_start().starts_with("```"));
        let code = inside.flat_map(|line| [line, "\n"]).collect();
        blocks.push((word.split_whitespace().next().unwrap_or_default(), code));
    }
    blocks
}
