//! Slips in running text.

use std::ops::Range;

use super::Subject;
use crate::diagnostic::{Code, Problem};
use crate::markdown::{Prose, ProseKind};

/// Pairs that are good English: "had had", "log in in the app", "what it is is".
const LEGITIMATE: [&str; 16] = [
    "had", "that", "in", "on", "is", "it", "up", "out", "very", "so", "no", "bye", "ha", "her", "you", "blah",
];

/// A cell with fewer words is a value, not prose.
const FEWEST_WORDS_OF_PROSE: usize = 5;

/// The same word twice.
pub(super) fn doubled_words(subject: &Subject<'_>) -> Vec<Problem> {
    subject.page.prose.iter().filter(|prose| is_prose(prose)).flat_map(doubled_in).collect()
}

fn is_prose(prose: &Prose) -> bool {
    prose.kind != ProseKind::Cell || prose.text.split_whitespace().count() >= FEWEST_WORDS_OF_PROSE
}

fn doubled_in(prose: &Prose) -> Vec<Problem> {
    let words: Vec<Range<usize>> = words(&prose.text).collect();
    let mut problems = Vec::new();
    for pair in words.windows(2) {
        let [first, second] = pair else { continue };
        let (one, other) = (&prose.text[first.clone()], &prose.text[second.clone()]);
        // Nearly every pair ends here, before anything is copied.
        if one.is_ascii() && other.is_ascii() && !one.eq_ignore_ascii_case(other) {
            continue;
        }
        let word = other.to_lowercase();
        let between = &prose.text[first.end..second.start];
        let same = one.to_lowercase() == word && between.chars().all(char::is_whitespace);
        let whole = first.start..second.end;
        if !same || between.is_empty() || LEGITIMATE.contains(&word.as_str()) || prose.is_code(&whole) {
            continue;
        }
        let message = format!("`{word}` stands twice");
        let help = "remove one of them".to_string();
        problems.push(Problem::new(Code::DoubledWord, prose.span(whole), message).help(help));
    }
    problems
}

/// Runs of two or more letters; a hyphen, an apostrophe or a digit makes another word of them.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\'' | '’' | '_' | '.' | '/' | '@');
    text.split(move |c: char| !joins(c)).filter_map(move |token| {
        let start = token.as_ptr() as usize - text.as_ptr() as usize;
        let word = token.trim_end_matches('.');
        let is_word = word.chars().count() >= 2 && word.chars().all(char::is_alphabetic);
        // A full stop ends a sentence: "… is what it is. Is it?"
        let whole = if token.ends_with('.') { start..start + word.len() } else { start..start + token.len() };
        is_word.then_some(whole)
    })
}

/// Letters that nobody sees, which break searching, copying and code.
pub(super) fn invisible_characters(subject: &Subject<'_>) -> Vec<Problem> {
    let text = &subject.document.text[subject.document.body..];
    let mut problems: Vec<Problem> = Vec::new();
    if !text.bytes().any(may_begin_invisible) {
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

/// The first bytes of what [`is_invisible`] knows, and of some other letters: a quick no for most pages.
fn may_begin_invisible(byte: u8) -> bool {
    matches!(byte, 0..=8 | 11 | 12 | 14..=31 | 127 | 0xc2 | 0xe2 | 0xef)
}

/// Zero-width spaces, marks of direction, and control characters. Joiners are left alone: scripts and emoji
/// need them.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || letter.is_control() && !matches!(letter, '\n' | '\r' | '\t')
}
