//! Splits texts into words for the search, and writes the files that map words to parts.
//!
//! `search-texts.js` splits texts in the same way. `tests/data/words.json` tests both.

use std::ops::Range;

use serde::Serialize;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::part::SearchPart;
use super::record::PageEntry;

use crate::base::hash::{HashMap, Summands};

/// Maximum length of a word. Nobody types longer ones.
const LONGEST: usize = 40;

/// Marks a word that occurs in a name: the title of a page, a heading, a setting, or the end of a URL.
const IN_NAME: char = '!';

/// Returns the words of a part, one per line, sorted.
pub(super) fn of(part: &SearchPart<'_>, pages: &[PageEntry<'_>]) -> String {
    let mut words = Words::default();
    for (record, page) in part.records.iter().zip(pages) {
        let names = page.places.iter().map(|place| &*place.name);
        for name in
            [&*record.title, record.address.last_segment().unwrap_or_default()].into_iter().chain(names)
        {
            words.add(name, true);
        }
        for place in &page.places {
            words.add(&place.text, false);
            words.add(&place.code, false);
        }
    }
    let mut words: Vec<(String, bool)> = words.0.into_iter().collect();
    words.sort_unstable();
    let mut lines = String::new();
    for (word, is_name) in words {
        lines.push_str(&word);
        if is_name {
            lines.push(IN_NAME);
        }
        lines.push('\n');
    }
    lines
}

/// Words, and whether they occur in a name.
#[derive(Default)]
struct Words(HashMap<String, bool>);

impl Words {
    fn add(&mut self, text: &str, is_name: bool) {
        each(text, |word| {
            if word.len() > LONGEST {
                return;
            }
            match self.0.get_mut(word) {
                Some(known) => *known |= is_name,
                None => _ = self.0.insert(word.to_string(), is_name),
            }
        });
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
        let word = line.strip_suffix(IN_NAME).unwrap_or(line);
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
    /// starting at zero. The sums are twice the position of a part, plus one if the word occurs in a name.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut places: HashMap<&str, (Vec<u32>, u32)> = HashMap::default();
        for (part, lines) in &self.0 {
            for line in lines.lines() {
                let word = line.strip_suffix(IN_NAME);
                let sum = 2 * part + u32::from(word.is_some());
                let (distances, last) = places.entry(word.unwrap_or(line)).or_default();
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

/// Calls `take` with every word of a text. A word is a run of letters and digits, without accents and in lower case.
/// For a name such as `trackEvent`, its parts are also words. In languages without spaces between words, pairs of
/// letters are used.
fn each(text: &str, mut take: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut word = String::new();
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
            let end = text[start..].find(|c| !is_of_word(c)).map_or(text.len(), |end| start + end);
            each_of_run(&text[start..end], &mut take);
            at = end + text[end..].chars().next().map_or(0, char::len_utf8);
            continue;
        }
        if start < at {
            take(&word);
        }
        if may_have_humps {
            humps(&text[start..at], |hump| take(&word[hump]));
        }
        at += 1;
    }
}

/// The same for one run of any letters.
fn each_of_run(run: &str, mut take: impl FnMut(&str)) {
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let is_dense = is_dense(first);
        let end = rest.find(|c| self::is_dense(c) != is_dense).unwrap_or(rest.len());
        let (same, after) = rest.split_at(end);
        rest = after;
        if is_dense {
            pairs(&folded(same), &mut take);
        } else {
            take(&folded(same));
            humps(same, |hump| take(&folded(&same[hump])));
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
    fn texts_have_the_words_that_the_reader_takes() {
        let cases = include_str!("../../../tests/data/words.json");
        let cases: Vec<(String, Vec<String>)> = serde_json::from_str(cases).expect("a list of cases");
        assert!(cases.len() > 10);
        for (text, expected) in cases {
            let mut words = Vec::new();
            each(&text, |word| words.push(word.to_string()));
            assert_eq!(words, expected, "{text:?}");
        }
    }

    #[test]
    fn a_word_is_listed_with_its_parts_and_whether_it_is_in_a_name() {
        let parts = ["ab\nac!\n", "ac\nbc!\n", "ac!\n"];
        let text = |files: usize| -> Vec<String> {
            let files = in_files(parts.into_iter(), files, 1);
            files.iter().map(|file| String::from_utf8(file.bytes()).expect("JSON")).collect()
        };
        assert_eq!(text(1), ["{\"ab\":[0],\"ac\":[1,1,3],\"bc\":[3]}"]);
        assert_eq!(text(2), ["{\"bc\":[3]}", "{\"ab\":[0],\"ac\":[1,1,3]}"]);
    }

    #[test]
    fn lines_that_begin_alike_are_taken_together() {
        let mut runs = Vec::new();
        each_run("a!\nab\nabc\nb\nä\näb!\n", 2, |first, run| runs.push(format!("{first}: {run:?}")));
        assert_eq!(
            runs,
            [r#"a: "a!\n""#, r#"ab: "ab\nabc\n""#, r#"b: "b\n""#, r#"ä: "ä\n""#, r#"äb: "äb!\n""#]
        );
    }
}
