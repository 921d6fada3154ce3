//! Slips in running text.

use std::ops::Range;

use super::Subject;
use crate::diagnostic::{Code, Problem};
use crate::markdown::{Passage, ProseKind};

/// Pairs that are good English: "had had", "log in in the app", "what it is is".
const LEGITIMATE: [&str; 16] = [
    "had", "that", "in", "on", "is", "it", "up", "out", "very", "so", "no", "bye", "ha", "her", "you", "blah",
];

/// A cell with fewer words is a value, not prose.
const FEWEST_WORDS_OF_PROSE: usize = 5;

/// The same word twice.
pub(super) fn doubled_words(subject: &Subject<'_>) -> Vec<Problem> {
    subject.page.prose.iter().filter(is_prose).flat_map(doubled_in).collect()
}

fn is_prose(prose: &Passage<'_>) -> bool {
    prose.kind != ProseKind::Cell || prose.text.split_whitespace().nth(FEWEST_WORDS_OF_PROSE - 1).is_some()
}

fn doubled_in(prose: Passage<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut before = None;
    for second in words(prose.text) {
        let Some(first) = before.replace(second.clone()) else { continue };
        let between = &prose.text[first.end..second.start];
        if !same_letters(&prose.text[first.clone()], &prose.text[second.clone()])
            || !between.chars().all(char::is_whitespace)
        {
            continue;
        }
        let word = prose.text[second.clone()].to_lowercase();
        let whole = first.start..second.end;
        if between.is_empty() || LEGITIMATE.contains(&word.as_str()) || prose.is_code(&whole) {
            continue;
        }
        let message = format!("`{word}` stands twice");
        let help = "remove one of them".to_string();
        problems.push(Problem::new(Code::DoubledWord, prose.span(whole), message).help(help));
    }
    problems
}

fn same_letters(a: &str, b: &str) -> bool {
    a.chars().flat_map(char::to_lowercase).eq(b.chars().flat_map(char::to_lowercase))
}

/// Runs of two or more letters; a hyphen, an apostrophe or a digit makes another word of them.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\'' | '’' | '_' | '.' | '/' | '@');
    let mut at = 0;
    text.split_inclusive(move |c: char| !joins(c)).filter_map(move |piece| {
        let start = at;
        at += piece.len();
        let token = piece.trim_end_matches(|c: char| !joins(c));
        let word = token.trim_end_matches('.');
        let is_word = word.chars().count() >= 2 && word.chars().all(char::is_alphabetic);
        // A full stop ends a sentence: "… is what it is. Is it?"
        is_word.then(|| start..start + word.len())
    })
}

/// Letters that nobody sees, which break searching, copying and code.
pub(super) fn invisible_characters(subject: &Subject<'_>) -> Vec<Problem> {
    let text = &subject.document.text[subject.document.body..];
    let mut problems: Vec<Problem> = Vec::new();
    // Most pages hold letters of ASCII alone: their bytes are looked at many at a time.
    if text.bytes().fold(true, |plain, byte| plain & (matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t'))) {
        return problems;
    }
    for (at, letter) in text.char_indices().filter(|(_, letter)| is_invisible(*letter)) {
        let start = subject.document.body + at;
        let end = start + letter.len_utf8();
        match problems.last_mut().filter(|problem| problem.span.end == start) {
            Some(problem) => problem.span.end = end,
            None => {
                let message = format!("an invisible character stands here: U+{:04X}", u32::from(letter));
                let help = "remove it; it is not seen, but copied and searched".to_string();
                problems.push(Problem::new(Code::InvisibleCharacter, start..end, message).help(help));
            }
        }
    }
    problems
}

/// Zero-width spaces, marks of direction, and control characters. Joiners are left alone: scripts and emoji
/// need them.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || letter.is_control() && !matches!(letter, '\n' | '\r' | '\t')
}
