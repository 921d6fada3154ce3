//! Slips in running text.

use super::Subject;
use crate::diagnostic::{Code, Problem};
use crate::markdown::{Passage, ProseKind};

/// Pairs that are correct English: "had had", "log in in the app", "what it is is".
const LEGITIMATE: [&str; 16] = [
    "had", "that", "in", "on", "is", "it", "up", "out", "very", "so", "no", "bye", "ha", "her", "you", "blah",
];

/// A cell with fewer words is a value, not prose.
const FEWEST_WORDS_OF_PROSE: usize = 5;

/// The same word twice.
pub(super) fn doubled_words(subject: &Subject<'_>) -> Vec<Problem> {
    subject.page.prose.iter().flat_map(doubled_in).collect()
}

fn doubled_in(prose: Passage<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut before = "";
    let mut look_at = |token| {
        let first = std::mem::replace(&mut before, token);
        if begin_alike(first, token) {
            problems.extend(doubled(prose, first, token));
        }
    };
    let (bytes, mut at) = (prose.text.as_bytes(), 0);
    while at < bytes.len() {
        let kinds =
            bytes[at..].iter().map(|byte| KINDS[usize::from(*byte)]).take_while(|kind| *kind != APART);
        let (length, kinds) = kinds.fold((0, 0), |(length, all), kind| (length + 1, all | kind));
        let run = &prose.text[at..at + length];
        match kinds & FOREIGN {
            0 if run.is_empty() => {}
            0 => look_at(run),
            _ => run.split(|c| !joins(c)).filter(|token| !token.is_empty()).for_each(&mut look_at),
        }
        at += length + 1;
    }
    problems
}

/// The finding for a token that repeats the one before it.
fn doubled(prose: Passage<'_>, first: &str, token: &str) -> Option<Problem> {
    // A full stop ends a sentence: "… is what it is. Is it?"
    let second = token.trim_end_matches('.');
    let whole = offset(prose.text, first)..offset(prose.text, second) + second.len();
    let between = &prose.text[whole.start + first.len()..whole.end - second.len()];
    if !is_word(first) || !same_letters(first, second) || !between.chars().all(char::is_whitespace) {
        return None;
    }
    let word = second.to_lowercase();
    if LEGITIMATE.contains(&word.as_str()) || prose.is_code(&whole) || !is_prose(&prose) {
        return None;
    }
    let message = format!("`{word}` stands twice");
    let help = "remove one of them".to_string();
    Some(Problem::new(Code::DoubledWord, prose.span(whole), message).help(help))
}

fn is_prose(prose: &Passage<'_>) -> bool {
    prose.kind != ProseKind::Cell || prose.text.split_whitespace().nth(FEWEST_WORDS_OF_PROSE - 1).is_some()
}

/// Whether a letter is part of a word, a number or the like: a hyphen, an apostrophe or a digit joins two words into
/// another.
fn joins(letter: char) -> bool {
    u8::try_from(letter).is_ok_and(joins_in_ascii)
        || !letter.is_ascii() && (letter.is_alphanumeric() || letter == '’')
}

const fn joins_in_ascii(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'\'' | b'_' | b'.' | b'/' | b'@')
}

/// Bytes of ASCII that join no words; those that do; and all others, whose letters have to be looked at.
const APART: u8 = 0;
const JOINING: u8 = 1;
const FOREIGN: u8 = 2;

/// The kind of each byte. A page has thousands, and nearly all of ASCII.
const KINDS: [u8; 256] = {
    let mut kinds = [FOREIGN; 256];
    let mut byte = 0;
    while byte < 128_u8 {
        kinds[byte as usize] = if joins_in_ascii(byte) { JOINING } else { APART };
        byte += 1;
    }
    kinds
};

/// Whether two texts may be the same but for case: for most a few bytes decide.
fn begin_alike(a: &str, b: &str) -> bool {
    match (a.as_bytes().first(), b.as_bytes().first()) {
        (Some(a), Some(b)) => a.eq_ignore_ascii_case(b) || !(a.is_ascii() && b.is_ascii()),
        _ => false,
    }
}

fn same_letters(a: &str, b: &str) -> bool {
    a.chars().flat_map(char::to_lowercase).eq(b.chars().flat_map(char::to_lowercase))
}

/// Two or more letters.
fn is_word(token: &str) -> bool {
    token.chars().count() >= 2 && token.chars().all(char::is_alphabetic)
}

/// Where a part of a text begins in it.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Invisible letters, which break searching, copying and code.
pub(super) fn invisible_characters(subject: &Subject<'_>) -> Vec<Problem> {
    let text = &subject.text[subject.document.body..];
    let mut problems: Vec<Problem> = Vec::new();
    // Most pages are ASCII: their bytes are compared many at a time.
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
