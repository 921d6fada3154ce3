//! What a text says, whatever platform it is told for: words that can be compared.
//!
//! Neutral are: a platform's own names, letter case, quotes, emphasis, punctuation, contractions, small
//! numbers in words, references to numbered steps, and mojibake.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::markdown::repair;

/// Stands for the platform that a page is told for.
const OWN: &str = "\u{1}";
/// Stands, with the number of its group, for spellings declared equal.
const EQUAL: &str = "\u{3}";
/// Stands for the number in "step 4" or "section 6.2".
const NUMBER: &str = "\u{2}";

/// What is said alike on purpose: how a platform is called on its own pages, and spellings that the
/// configuration declares equal.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Names {
    /// Runs of words, the longest first, with what stands for them.
    runs: Vec<(Vec<String>, String)>,
    /// Whole cells, with what stands for them.
    values: Vec<(Vec<String>, String)>,
}

impl Names {
    /// `own` are a platform's names; of `words` and of `values` each group means the same.
    pub(crate) fn new<'a>(
        own: impl IntoIterator<Item = &'a str>,
        words: &[Vec<String>],
        values: &[Vec<String>],
    ) -> Self {
        let in_words = |name: &str| split(name).into_iter().map(|word| word.text).collect::<Vec<_>>();
        let groups = |groups: &[Vec<String>]| -> Vec<(Vec<String>, String)> {
            let of_group = |(index, group): (usize, &Vec<String>)| {
                group
                    .iter()
                    .map(|spelling| (in_words(spelling), format!("{EQUAL}{index}")))
                    .collect::<Vec<_>>()
            };
            groups.iter().enumerate().flat_map(of_group).filter(|(words, _)| !words.is_empty()).collect()
        };
        let own = own.into_iter().map(|name| (in_words(name), OWN.to_string()));
        let mut runs: Vec<_> = own.filter(|(words, _)| !words.is_empty()).chain(groups(words)).collect();
        runs.sort_by(|(a, _), (b, _)| (b.len(), a).cmp(&(a.len(), b)));
        runs.dedup_by(|(a, _), (b, _)| a == b);
        Self { runs, values: groups(values) }
    }

    /// What stands for the run that `words` begin with, and how many words it has.
    fn at(&self, words: &[Word]) -> Option<(usize, &str)> {
        let begins = |(run, _): &&(Vec<String>, String)| {
            run.len() <= words.len() && run.iter().zip(words).all(|(name, word)| word.is(name))
        };
        self.runs.iter().find(begins).map(|(run, stands)| (run.len(), stands.as_str()))
    }
}

/// One word of a text.
#[derive(Clone, Debug, PartialEq)]
struct Word {
    /// What is compared.
    text: String,
    /// Where it stands in the shown text.
    span: Range<usize>,
}

impl Word {
    /// Whether it is this word, be it a possessive: `web` and `web's`.
    fn is(&self, name: &str) -> bool {
        self.text.strip_suffix("'s").unwrap_or(&self.text) == name
    }
}

/// A text taken into words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Words {
    /// As readers see it.
    pub(crate) shown: String,
    words: Vec<Word>,
}

/// What became of a piece of text, from one telling to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Kept,
    Removed,
    Added,
}

impl Words {
    /// Takes `text`, as written, on a page of the platform that has these names.
    pub(crate) fn new(text: &str, names: &Names) -> Self {
        let shown = repair(text).replace(OBJECT, " ").trim().to_string();
        let words = neutral(&split(&shown), names);
        Self { shown, words }
    }

    /// Takes a cell of a settings table, which may be a value that is declared equal to others.
    pub(crate) fn of_cell(text: &str, names: &Names) -> Self {
        let mut cell = Self::new(text, names);
        let plain = split(&cell.shown);
        let is_plain = |value: &&(Vec<String>, String)| {
            value.0.len() == plain.len() && value.0.iter().zip(&plain).all(|(a, b)| *a == b.text)
        };
        if let Some((_, stands)) = names.values.iter().find(is_plain) {
            cell.words = vec![Word { text: stands.clone(), span: 0..cell.shown.len() }];
        }
        cell
    }

    /// Adds what a link of the text leads to.
    pub(crate) fn push_target(&mut self, target: &str, names: &Names) {
        self.shown.push_str(" → ");
        let start = self.shown.len();
        self.shown.push_str(target);
        let parts = neutral(&split(target), names);
        self.words.extend(
            parts
                .into_iter()
                .map(|word| Word { span: word.span.start + start..word.span.end + start, ..word }),
        );
    }

    pub(crate) fn push(&mut self, other: &Self) {
        if !self.shown.is_empty() {
            self.shown.push(' ');
        }
        let start = self.shown.len();
        self.shown.push_str(&other.shown);
        self.words.extend(other.words.iter().map(|word| Word {
            text: word.text.clone(),
            span: word.span.start + start..word.span.end + start,
        }));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The compared words, for ordering and hashing.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.text.as_str())
    }

    /// Whether both have the same words in the same order.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.words.len() == other.words.len()
            && self.words.iter().zip(&other.words).all(|(a, b)| self.is_same_word(a, other, b))
    }

    /// A platform's name is no name where the other telling writes it too: "the web".
    fn is_same_word(&self, a: &Word, other: &Self, b: &Word) -> bool {
        a.text == b.text
            || ((a.text == OWN || b.text == OWN)
                && self.shown[a.span.clone()].eq_ignore_ascii_case(&other.shown[b.span.clone()]))
    }

    /// How much of both is the same, from 0 to 1: twice the common words by all words.
    pub(crate) fn similarity(&self, other: &Self) -> f64 {
        let total = self.len() + other.len();
        if total == 0 {
            return 1.0;
        }
        if self.is_same(other) {
            return 1.0;
        }
        let common: usize = self
            .operations(other)
            .iter()
            .map(|operation| match operation {
                DiffOp::Equal { len, .. } => *len,
                _ => 0,
            })
            .sum();
        ratio(2 * common, total)
    }

    /// Whether both say the same, apart from spelling, articles and the like.
    pub(crate) fn says_same(&self, other: &Self) -> bool {
        if self.is_same(other) {
            return true;
        }
        // Most texts that are asked about share no word, and then one stands for the other as a whole.
        if !self.texts().any(|word| other.texts().any(|there| there == word)) {
            return self.is_cosmetic(other, 0..self.len(), 0..other.len());
        }
        self.operations(other).into_iter().all(|operation| match operation {
            DiffOp::Equal { .. } => true,
            operation => self.is_cosmetic(other, operation.old_range(), operation.new_range()),
        })
    }

    fn operations(&self, other: &Self) -> Vec<DiffOp> {
        let (old, new): (Vec<&str>, Vec<&str>) = (self.texts().collect(), other.texts().collect());
        capture_diff_slices(Algorithm::Myers, &old, &new)
    }

    /// Whether readers would not notice that one part stands for the other.
    fn is_cosmetic(&self, other: &Self, old: Range<usize>, new: Range<usize>) -> bool {
        let (old, new) = (&self.words[old], &other.words[new]);
        if letters(old).eq(letters(new)) {
            return true; // `real time`, `real-time`, `realtime`
        }
        let (old, mut new) = (telling(old), telling(new));
        let is_cosmetic = |a: &Word, b: &Word| {
            self.is_same_word(a, other, b) || is_spelling(&a.text, &b.text) || are_synonyms(&a.text, &b.text)
        };
        for a in old {
            if !new.next().is_some_and(|b| is_cosmetic(a, b)) {
                return false;
            }
        }
        new.next().is_none()
    }

    /// The way from this text to another, in pieces of what readers see.
    pub(crate) fn changes(&self, other: &Self) -> Vec<(Change, String)> {
        let mut changes: Vec<(Change, String)> = Vec::new();
        let (mut old_at, mut new_at) = (0, 0);
        let mut push = |change: Change, text: &str| {
            if !text.trim().is_empty() || change == Change::Kept && !text.is_empty() {
                // The last word of a text has no blank after it, and the other text goes on.
                let ends =
                    |it: &&mut (Change, String)| it.0 == Change::Kept && !it.1.ends_with(char::is_whitespace);
                if let Some((_, before)) = changes.last_mut().filter(ends) {
                    before.push(' ');
                }
                match changes.last_mut() {
                    Some((last, kept)) if *last == change => kept.push_str(text),
                    _ => changes.push((change, text.to_string())),
                }
            }
        };
        for operation in self.operations(other) {
            let (old, new) = (operation.old_range(), operation.new_range());
            let (old_end, new_end) = (self.end_of(old.end), other.end_of(new.end));
            match operation {
                DiffOp::Equal { .. } => push(Change::Kept, &self.shown[old_at..old_end]),
                _ => {
                    if !old.is_empty() {
                        push(Change::Removed, &self.shown[old_at..old_end]);
                    }
                    if !new.is_empty() {
                        push(Change::Added, &other.shown[new_at..new_end]);
                    }
                }
            }
            if !old.is_empty() {
                old_at = old_end;
            }
            if !new.is_empty() {
                new_at = new_end;
            }
        }
        changes
    }

    /// The end of what is shown of the first `words`: what follows them up to the next word goes along.
    fn end_of(&self, words: usize) -> usize {
        self.words.get(words).map_or(self.shown.len(), |next| next.span.start)
    }
}

/// As `markdown::Prose` writes what is no text.
const OBJECT: char = '\u{fffc}';

/// Words that say nothing alone.
const FILLERS: [&str; 17] = [
    "a", "an", "the", "this", "that", "these", "those", "your", "our", "its", "their", "please", "simply",
    "just", "in order", "of", "then",
];

fn neutral(words: &[Word], names: &Names) -> Vec<Word> {
    let mut neutral: Vec<Word> = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let word = &words[at];
        if let Some((length, stands)) = names.at(&words[at..]) {
            let span = word.span.start..words[at + length - 1].span.end;
            // "an iOS input", "a web input".
            if let Some(article) = neutral.last_mut().filter(|last| last.text == "an") {
                article.text = "a".into();
            }
            neutral.push(Word { text: stands.into(), span });
            at += length;
            continue;
        }
        let counts = |word: &Word| matches!(word.text.as_str(), "step" | "steps" | "section" | "sections");
        let dotted = word.text.contains('.') && neutral.last().is_some_and(|last| last.text == "see");
        let is_reference = is_number(&word.text) && (neutral.last().is_some_and(counts) || dotted);
        let text = if is_reference { NUMBER.into() } else { word.text.clone() };
        neutral.push(Word { text, span: word.span.clone() });
        at += 1;
    }
    in_short(&neutral)
}

/// `in order to` is `to`; `e.g.` is `for example`.
fn in_short(words: &[Word]) -> Vec<Word> {
    const LONG: [(&[&str], &str); 6] = [
        (&["in", "order", "to"], "to"),
        (&["for", "example"], "e.g"),
        (&["for", "instance"], "e.g"),
        (&["that", "is"], "i.e"),
        (&["make", "sure"], "ensure"),
        (&["as", "well", "as"], "and"),
    ];
    let mut short: Vec<Word> = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let starts = |(long, _): &&(&[&str], &str)| {
            long.len() <= words.len() - at
                && long.iter().zip(&words[at..]).all(|(part, word)| word.text == *part)
        };
        match LONG.iter().find(starts) {
            Some((long, text)) => {
                let span = words[at].span.start..words[at + long.len() - 1].span.end;
                short.push(Word { text: (*text).to_string(), span });
                at += long.len();
            }
            None => {
                short.push(words[at].clone());
                at += 1;
            }
        }
    }
    short
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c == '.')
}

fn letters(words: &[Word]) -> impl Iterator<Item = u8> {
    words.iter().flat_map(|word| word.text.bytes())
}

/// The words that say something.
fn telling(words: &[Word]) -> impl Iterator<Item = &Word> {
    words.iter().filter(|word| !FILLERS.contains(&word.text.as_str()))
}

/// Cuts a text into words, in lower case, contractions in full.
fn split(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some(&(start, letter)) = letters.peek() {
        if !is_letter(letter) {
            letters.next();
            continue;
        }
        let mut end = start;
        let mut before = letter;
        while let Some(&(at, letter)) = letters.peek() {
            let next = text[at + letter.len_utf8()..].chars().next().unwrap_or(' ');
            let joins = match letter {
                '\'' | '\u{2019}' => before.is_alphanumeric() && next.is_alphabetic(),
                // `7.3`, `webhook.site`, `e.g.`, but not the end of a sentence.
                '.' => before.is_alphanumeric() && next.is_alphanumeric(),
                ',' => before.is_ascii_digit() && next.is_ascii_digit(),
                '%' => before.is_ascii_digit(),
                '+' | '#' => before.is_alphabetic() && !next.is_alphanumeric(),
                letter => is_letter(letter),
            };
            if !joins {
                break;
            }
            before = letter;
            end = at + letter.len_utf8();
            letters.next();
        }
        push_word(&text[start..end], start..end, &mut words);
        // A letter that can only follow others makes no progress alone.
        if end == start {
            letters.next();
        }
    }
    words
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn push_word(text: &str, span: Range<usize>, words: &mut Vec<Word>) {
    let text = text.to_lowercase().replace('\u{2019}', "'").replace(',', "");
    let mut push = |text: &str| words.push(Word { text: text.to_string(), span: span.clone() });
    if let Some((_, parts)) = IRREGULAR.iter().find(|(short, _)| *short == text) {
        parts.iter().for_each(|part| push(part));
        return;
    }
    for (ending, full) in [("n't", "not"), ("'re", "are"), ("'ve", "have"), ("'ll", "will")] {
        if let Some(stem) = text.strip_suffix(ending).filter(|stem| !stem.is_empty()) {
            push(stem);
            push(full);
            return;
        }
    }
    match NUMBERS.iter().position(|number| *number == text) {
        Some(number) => push(&number.to_string()),
        None => push(&text),
    }
}

/// The end of "it's".
const IS_OR_HAS: &str = "'s";

/// What a contraction stands for where its ending does not tell.
const IRREGULAR: [(&str, &[&str]); 13] = [
    ("won't", &["will", "not"]),
    ("can't", &["can", "not"]),
    ("cannot", &["can", "not"]),
    ("it's", &["it", IS_OR_HAS]),
    ("that's", &["that", IS_OR_HAS]),
    ("there's", &["there", IS_OR_HAS]),
    ("here's", &["here", IS_OR_HAS]),
    ("what's", &["what", IS_OR_HAS]),
    ("let's", &["let", "us"]),
    ("you'd", &["you", "would"]),
    ("we'd", &["we", "would"]),
    ("i'm", &["i", "am"]),
    ("&", &["and"]),
];

const NUMBERS: [&str; 21] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

/// Words that mean the same wherever they stand.
const SYNONYMS: [(&str, &str); 9] = [
    ("e.g", "eg"),
    ("ok", "okay"),
    ("via", "through"),
    (IS_OR_HAS, "is"),
    (IS_OR_HAS, "has"),
    // What a finger does where another platform has a mouse.
    ("click", "tap"),
    ("clicks", "taps"),
    ("clicked", "tapped"),
    ("clicking", "tapping"),
];

fn are_synonyms(a: &str, b: &str) -> bool {
    SYNONYMS.iter().any(|pair| *pair == (a, b) || *pair == (b, a))
}

/// Whether two words are one, spelled differently or with a slip: `diagramed`, `diagrammed`; `organise`,
/// `organize`; `teh`, `the`. A letter replaced by another makes another word (`upload`, `unload`), and so do digits.
fn is_spelling(a: &str, b: &str) -> bool {
    let (short, long) = if a.chars().count() <= b.chars().count() { (a, b) } else { (b, a) };
    let (short, long): (Vec<char>, Vec<char>) = (short.chars().collect(), long.chars().collect());
    let in_letters = |word: &[char]| word.iter().all(|c| c.is_alphabetic() || *c == '\'');
    if short.len() < 4 || short.first() != long.first() || !in_letters(&short) || !in_letters(&long) {
        return false;
    }
    // `catalog`, `catalogue`
    if short.ends_with(&['o', 'g']) && long.ends_with(&['u', 'e']) && long[..long.len() - 2] == *short {
        return true;
    }
    let differs = short.iter().zip(&long).position(|(a, b)| a != b).unwrap_or(short.len());
    match long.len() - short.len() {
        0 => {
            let (a, b) = (&short[differs..], &long[differs..]);
            let swapped = a.len() > 1 && (a[0], a[1]) == (b[1], b[0]) && a[2..] == b[2..];
            let sibilant = a.len() > 1 && matches!((a[0], b[0]), ('s', 'z') | ('z', 's')) && a[1..] == b[1..];
            swapped || sibilant
        }
        1 => short[differs..] == long[differs + 1..],
        _ => false,
    }
}

/// A share of a whole, from 0 to 1.
#[expect(clippy::cast_precision_loss, reason = "pages have fewer than 2^52 words")]
pub(super) fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, names: &[&str]) -> Words {
        Words::new(text, &Names::new(names.iter().copied(), &[], &[]))
    }

    #[track_caller]
    fn check_words(text: &str, names: &[&str], expected: &str) {
        let found: Vec<String> =
            words(text, names).texts().map(|word| word.replace(OWN, "_").replace(NUMBER, "#")).collect();
        assert_eq!(found.join(" "), expected);
    }

    #[track_caller]
    fn check_same(web: &str, ios: &str, expected: bool) {
        let (web, ios) = (words(web, &["web", "JS Web"]), words(ios, &["iOS"]));
        assert_eq!(web.says_same(&ios), expected, "{:?}", web.changes(&ios));
        assert_eq!(ios.says_same(&web), expected);
    }

    #[track_caller]
    fn check_changes(old: &str, new: &str, expected: &str) {
        let changes = words(old, &[]).changes(&words(new, &[]));
        let shown: Vec<String> = changes
            .iter()
            .map(|(change, text)| match change {
                Change::Kept => text.clone(),
                Change::Removed => format!("[-{text}-]"),
                Change::Added => format!("{{+{text}+}}"),
            })
            .collect();
        assert_eq!(shown.concat(), expected);
    }

    #[test]
    fn what_is_neutral_is_gone() {
        check_words(
            "Select **JS Web**, an iOS-like input.",
            &["web", "JS Web"],
            "select _ an ios like input",
        );
        check_words("You won’t need “it’s” API (v2.1).", &[], "you will not need it 's api v2.1");
        check_words("an iOS app's", &["iOS"], "a _ app's");
        check_words("Step 7.3, five minutes, 1,000 users, 20%", &[], "step # 5 minutes 1000 users 20%");
        check_words("wonâ€™t", &[], "will not");
    }

    #[test]
    fn spelling_is_no_difference_and_another_word_is() {
        check_same("diagramed on the JS Web page", "diagrammed on an iOS page", true);
        check_same("It may take up to 5 minutes.", "It may take up to five minutes", true);
        check_same("forwarded in realtime", "forwarded in real-time", true);
        check_same("Upload it.", "Unload it.", false);
        check_same("Enable events", "Disable events", false);
        check_same("It may take up to 5 minutes.", "It may take up to 15 minutes.", false);
        check_same("Open the web dashboard", "Open the web dashboard", true);
        check_same("You can stop", "You can not stop", false);
    }

    #[test]
    fn changes_are_shown_in_what_readers_see() {
        check_changes("Take the *blue* pill.", "Take a red pill.", "Take [-the *blue* -]{+a red +}pill.");
        check_changes("One. Two.", "One.", "One. [-Two.-]");
        check_changes("", "New text.", "{+New text.+}");
    }
}
