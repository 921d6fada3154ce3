//! Splits texts into words for the search, and writes the files that map words to parts.
//!
//! `search-texts.js` splits texts in the same way. `tests/data/words.json` tests both.

use std::ops::Range;

use serde::Serialize;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::part::SearchPart;
use super::record::PageEntry;

use base::hash::{HashMap, Summands};

/// Maximum length of a word in bytes. Longer ones are data rather than names.
const LONGEST: usize = 64;

/// Weights of a word by where it occurs, in halves, as in `search-texts.js`.
const TITLE: u32 = 20;
const NAME: u32 = 16;
const ADDRESS: u32 = 6;
const ABOUT: u32 = 4;
const OPENING: u32 = 4;
const TEXT: u32 = 2;
const CODE: u32 = 1;

/// Weight of an identifier as it is written, such as `trackEvent` or `data-level`, in text and code.
const IDENTIFIER: u32 = 8;

/// Greatest level of a word: see [`level`].
const HIGHEST: u32 = 7;

/// Number of levels.
const LEVELS: u32 = HIGHEST + 1;

/// The character after a word in the lines of a part is this one plus the word's level. Neither is part of a word.
const LOWEST: u8 = b'!';

/// Returns the words of a part, one per line, sorted. A character for its level follows each word.
pub(super) fn of(part: &SearchPart<'_>, pages: &[PageEntry<'_>]) -> String {
    let mut words = Words::default();
    for (record, page) in part.records.iter().zip(pages) {
        words.page += 1;
        words.add_title(&record.title);
        let folder = record.address.as_str().trim_end_matches('/');
        let (folders, last) = folder.rsplit_once('/').unwrap_or(("", folder));
        words.add(last, ADDRESS, ADDRESS);
        words.add(folders, ABOUT, ABOUT);
        for name in record.above.iter().chain(&part.about) {
            words.add(name, ABOUT, ABOUT);
        }
        for (number, place) in page.places.iter().enumerate() {
            words.add(&place.name, NAME, NAME);
            words.add(&place.text, if number == 0 { OPENING } else { TEXT }, IDENTIFIER);
            words.add(&place.code, CODE, IDENTIFIER);
        }
    }
    words.lines()
}

/// Returns the binary logarithm of a weight: the importance of a word for the best page of a part.
fn level(weight: u32) -> u32 {
    (weight / TEXT).max(1).ilog2().min(HIGHEST)
}

/// The words of a part.
#[derive(Default)]
struct Words {
    known: HashMap<String, Weight>,
    /// Number of the current page.
    page: u32,
}

/// How important a word is.
#[derive(Default)]
struct Weight {
    /// Number of the last page with the word.
    page: u32,
    /// Weight of the word on that page.
    here: u32,
    /// Greatest weight of the word on earlier pages.
    best: u32,
}

impl Words {
    /// Adds the words of a text. Identifiers have a separate weight.
    fn add(&mut self, text: &str, weight: u32, identifier: u32) {
        each(text, |word, kind| {
            self.add_word(word, if kind == WordKind::Whole { identifier } else { weight });
        });
    }

    /// Adds the words of a title, and each two adjacent ones as one, because readers may write `front matter` without
    /// a space.
    fn add_title(&mut self, title: &str) {
        self.add(title, TITLE, TITLE);
        each_pair(title, |pair| self.add_word(pair, TITLE));
    }

    fn add_word(&mut self, word: &str, weight: u32) {
        if word.len() > LONGEST {
            return;
        }
        let page = self.page;
        match self.known.get_mut(word) {
            Some(known) if known.page == page => known.here += weight,
            Some(known) => {
                *known = Weight { page, here: weight, best: known.best.max(known.here) };
            }
            None => _ = self.known.insert(word.to_string(), Weight { page, here: weight, best: 0 }),
        }
    }

    fn lines(self) -> String {
        let mut words: Vec<(String, Weight)> = self.known.into_iter().collect();
        words.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let mut lines = String::new();
        for (word, weight) in words {
            let level = u8::try_from(level(weight.best.max(weight.here))).expect("levels are small");
            lines.push_str(&word);
            lines.push(char::from(LOWEST + level));
            lines.push('\n');
        }
        lines
    }
}

/// The words of one file, as in the lists of parts: the position of a part and some of its lines, in the order of the
/// parts.
#[derive(Debug, Default)]
pub(super) struct InFile<'p>(Vec<(u32, &'p str)>);

/// Groups the words of all parts by file, which their first letters determine.
pub(super) fn in_files<'p>(
    parts: impl Iterator<Item = &'p str>,
    files: usize,
    letters: usize,
) -> Vec<InFile<'p>> {
    let mut in_files: Vec<InFile<'p>> = (0..files).map(|_| InFile::default()).collect();
    for (part, lines) in (0_u32..).zip(parts) {
        each_run(lines, letters, |first, run| in_files[file_of(first, files)].0.push((part, run)));
    }
    in_files
}

/// Calls `take` with adjacent lines whose words begin with the same letters, and with these letters.
fn each_run<'p>(lines: &'p str, letters: usize, mut take: impl FnMut(&str, &'p str)) {
    let (mut start, mut at) = (0, 0);
    let mut first = "";
    while at < lines.len() {
        let end = memchr::memchr(b'\n', &lines.as_bytes()[at..]).map_or(lines.len(), |end| at + end);
        let line = &lines[at..end];
        let word = &line[..line.len() - 1];
        let begins = word.char_indices().nth(letters).map_or(word, |(end, _)| &word[..end]);
        if begins != first {
            if start < at {
                take(first, &lines[start..at]);
            }
            (start, first) = (at, begins);
        }
        at = end + 1;
    }
    if start < lines.len() {
        take(first, &lines[start..]);
    }
}

impl InFile<'_> {
    /// Returns a checksum of everything that affects the file.
    pub(super) fn sum(&self) -> u128 {
        let mut parts = Summands::default();
        for (part, lines) in &self.0 {
            parts.add(&part.to_le_bytes()).add(lines);
        }
        parts.sum()
    }

    /// Returns the file: an object with a list for each word. Each number is the difference from the previous one,
    /// starting at zero. The sums are eight times the position of a part, plus the word's level in it.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut places: HashMap<&str, (Vec<u32>, u32)> = HashMap::default();
        for (part, lines) in &self.0 {
            for line in lines.lines() {
                let (word, level) = line.split_at(line.len() - 1);
                let sum = LEVELS * part + u32::from(level.as_bytes()[0] - LOWEST);
                let (distances, last) = places.entry(word).or_default();
                distances.push(sum - *last);
                *last = sum;
            }
        }
        let words = places.into_iter().map(|(word, (distances, _))| (word, distances));
        let mut words: Vec<(&str, Vec<u32>)> = words.collect();
        words.sort_unstable();
        serde_json::to_vec(&Lists(words)).expect("strings and numbers are valid JSON")
    }
}

struct Lists<'a>(Vec<(&'a str, Vec<u32>)>);

impl Serialize for Lists<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(word, distances)| (word, distances)))
    }
}

/// Returns the index of the file for words with these first letters.
fn file_of(letters: &str, files: usize) -> usize {
    let sum = letters.chars().fold(0_u32, |sum, c| sum.wrapping_mul(31).wrapping_add(c.into()));
    sum as usize % files
}

/// The kind of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordKind {
    /// A run of letters and digits, or a part of a name such as `trackEvent`.
    Plain,
    /// A complete identifier that has parts.
    Whole,
}

/// Calls `take` with every word of a text. A word is a run of letters and digits, without accents and in lower case.
/// For a name such as `trackEvent`, its parts are also words. Runs that are joined by a single `.`, `_` or `-` are an
/// identifier, which is also a word, without these characters: `track_event` is `trackevent` too. In languages
/// without spaces between words, pairs of letters are used.
fn each(text: &str, mut take: impl FnMut(&str, WordKind)) {
    let bytes = text.as_bytes();
    let mut word = String::new();
    // Start of the identifier to which the run at `at` belongs.
    let mut joined = None;
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let (mut before, mut may_have_humps) = (b'A', false);
        word.clear();
        while let Some(&byte) = bytes.get(at).filter(|byte| byte.is_ascii_alphanumeric()) {
            may_have_humps |= byte.is_ascii_uppercase() && !before.is_ascii_uppercase();
            word.push(char::from(byte.to_ascii_lowercase()));
            before = byte;
            at += 1;
        }
        if bytes.get(at).is_some_and(|byte| !byte.is_ascii()) {
            at = text[start..].find(|c| !is_of_word(c)).map_or(text.len(), |end| start + end);
            each_of_run(&text[start..at], &mut take);
        } else if start < at {
            let mut has_humps = false;
            if may_have_humps {
                humps(&text[start..at], |_| has_humps = true);
            }
            take(&word, if has_humps { WordKind::Whole } else { WordKind::Plain });
            if has_humps {
                humps(&text[start..at], |hump| take(&word[hump], WordKind::Plain));
            }
        }
        if start < at && continues(text, at) {
            joined = joined.or(Some(start));
        } else if let Some(first) = joined.take().filter(|_| start < at) {
            let whole: String = text[first..at].chars().filter(|c| !is_joint(*c)).collect();
            if !whole.chars().any(is_dense) {
                take(&folded(&whole), WordKind::Whole);
            }
        }
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
}

/// Calls `take` with each two adjacent words of a name, without the space between them.
fn each_pair(name: &str, mut take: impl FnMut(&str)) {
    let runs: Vec<&str> = name.split(|c| !is_of_word(c)).filter(|run| !run.is_empty()).collect();
    for pair in runs.windows(2).filter(|pair| !pair.concat().chars().any(is_dense)) {
        take(&folded(&pair.concat()));
    }
}

fn is_joint(c: char) -> bool {
    matches!(c, '.' | '_' | '-')
}

/// Whether an identifier continues after the run that ends at `at`.
fn continues(text: &str, at: usize) -> bool {
    let mut after = text[at..].chars();
    after.next().is_some_and(is_joint) && after.next().is_some_and(is_of_word)
}

/// The same for one run of letters and digits.
fn each_of_run(run: &str, mut take: impl FnMut(&str, WordKind)) {
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let is_dense = is_dense(first);
        let end = rest.find(|c| self::is_dense(c) != is_dense).unwrap_or(rest.len());
        let (same, after) = rest.split_at(end);
        rest = after;
        if is_dense {
            pairs(&folded(same), &mut |pair| take(pair, WordKind::Plain));
        } else {
            let mut kind = WordKind::Plain;
            humps(same, |_| kind = WordKind::Whole);
            take(&folded(same), kind);
            humps(same, |hump| take(&folded(&same[hump]), WordKind::Plain));
        }
    }
}

fn is_of_word(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { c.is_alphanumeric() || is_combining_mark(c) }
}

/// Whether a letter belongs to a script without spaces between words: Thai, Lao, Burmese, Khmer, Chinese and
/// Japanese.
fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn folded(run: &str) -> String {
    let bare: String = run.nfkd().filter(|c| !is_combining_mark(*c)).nfc().collect();
    bare.to_lowercase()
}

/// Returns the ranges of the words in a name such as `trackEvent`, if there are several.
fn humps(run: &str, mut take: impl FnMut(Range<usize>)) {
    let mut before: Option<char> = None;
    let mut start = 0;
    for (at, c) in run.char_indices() {
        if c.is_uppercase() && before.is_some_and(|before| before.is_lowercase() || before.is_numeric()) {
            take(start..at);
            start = at;
        }
        before = Some(c);
    }
    if start > 0 {
        take(start..run.len());
    }
}

/// Passes all pairs of adjacent letters, or the only letter.
fn pairs(run: &str, take: &mut impl FnMut(&str)) {
    let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    match &*starts {
        [start, end] => take(&run[*start..*end]),
        starts => starts.windows(3).for_each(|pair| take(&run[pair[0]..pair[2]])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_as_important_as_on_its_best_page() {
        let mut words = Words::default();
        words.add_title("Lamp");
        for page in 1..=2 {
            words.page = page;
            words.add("lamp", TEXT, TEXT);
        }
        let mut title = Words::default();
        title.add_title("Lamp");
        assert_eq!(words.lines(), title.lines());
    }

    #[test]
    fn texts_have_the_words_that_the_reader_takes() {
        let cases = include_str!("../../../tests/data/words.json");
        let cases: Vec<(String, Vec<String>)> = serde_json::from_str(cases).expect("a list of cases");
        assert!(cases.len() > 10);
        for (text, expected) in cases {
            let mut words = Vec::new();
            each(&text, |word, _| words.push(word.to_string()));
            assert_eq!(words, expected, "{text:?}");
        }
    }

    #[test]
    fn a_word_is_listed_with_its_parts_and_its_level_in_each() {
        let parts = ["ab!\nac\"\n", "ac!\nbc#\n", "ac(\n"];
        let text = |files: usize| -> Vec<String> {
            let files = in_files(parts.into_iter(), files, 1);
            files.iter().map(|file| String::from_utf8(file.bytes()).expect("JSON")).collect()
        };
        assert_eq!(text(1), ["{\"ab\":[0],\"ac\":[1,7,15],\"bc\":[10]}"]);
        assert_eq!(text(2), ["{\"bc\":[10]}", "{\"ab\":[0],\"ac\":[1,7,15]}"]);
    }

    #[test]
    fn lines_that_begin_alike_are_taken_together() {
        let mut runs = Vec::new();
        each_run("a\"\nab!\nabc!\nb!\nä!\näb\"\n", 2, |first, run| runs.push(format!("{first}: {run:?}")));
        assert_eq!(
            runs,
            [r#"a: "a\"\n""#, r#"ab: "ab!\nabc!\n""#, r#"b: "b!\n""#, r#"ä: "ä!\n""#, r#"äb: "äb\"\n""#]
        );
    }
}
