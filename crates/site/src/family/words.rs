//! The words of a text in a form that can be compared across platforms.
//!
//! These differences are ignored: a platform's own names, letter case, quotes, emphasis, punctuation and mojibake. In
//! English, also contractions, small numbers as words, references to numbered steps, spelling, and filler words.

mod english;
mod likely;
mod spelling;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use similar::DiffOp;

pub use self::likely::likely_pairs;
use self::spelling::is_spelling;
use base::diff;
use base::sort::StableSort as _;
use markup::markdown::repair;

/// Replaces the name of a page's own platform.
const OWN: &str = "\u{1}";
/// Replaces equivalent terms, together with the number of their group.
const EQUAL: &str = "\u{3}";
/// Replaces the number in "step 4" or "section 6.2".
const NUMBER: &str = "\u{2}";

/// Languages with rules. In other languages, only identical texts are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    English,
    #[default]
    Other,
}

impl Language {
    /// Parses a configured language tag: `en`, `en-GB`, `de`.
    pub fn of(tag: &str) -> Self {
        let language = tag.split(['-', '_']).next().unwrap_or_default();
        if language.eq_ignore_ascii_case("en") { Self::English } else { Self::Other }
    }

    fn is_english(self) -> bool {
        self == Self::English
    }

    /// Whether a word has no meaning by itself.
    fn is_filler(self, word: &str) -> bool {
        self.is_english() && english::is_filler(word)
    }

    /// Whether a sentence without the word means the opposite.
    fn is_negation(self, word: &str) -> bool {
        self.is_english() && matches!(word, "not" | "no" | "never" | "without" | "cannot")
    }

    /// Whether two words have the same meaning in every sentence.
    fn are_synonyms(self, a: &str, b: &str) -> bool {
        self.is_english() && english::are_synonyms(a, b)
    }

    /// Whether two words are spellings of the same word.
    fn is_spelling(self, a: &str, b: &str) -> bool {
        self.is_english() && is_spelling(a, b)
    }
}

/// Equivalent terms: the names of a platform on its own pages, and terms that the configuration declares equivalent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Equivalences {
    language: Language,
    /// Sequences of words, the longest first, with their replacements.
    runs: Vec<(Vec<String>, String)>,
    /// Complete cells with their replacements.
    values: Vec<(Vec<String>, String)>,
}

impl Equivalences {
    /// `own` are a platform's names. Each group in `words` and `values` lists equivalent terms.
    pub fn new<'a>(
        language: Language,
        own: impl IntoIterator<Item = &'a str>,
        words: &[Vec<String>],
        values: &[Vec<String>],
    ) -> Self {
        let in_words = |name: &str| split(name, language).texts().map(str::to_string).collect::<Vec<_>>();
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
        runs.stable_sort_by(|(a, _), (b, _)| (b.len(), a).cmp(&(a.len(), b)));
        runs.dedup_by(|(a, _), (b, _)| a == b);
        Self { language, runs, values: groups(values) }
    }

    /// Returns the length of the term that begins at the word `at` of `text`, and its replacement.
    fn at(&self, text: &WordList, at: usize) -> Option<(usize, &str)> {
        let begins = |(run, _): &&(Vec<String>, String)| {
            run.len() <= text.len() - at
                && run.iter().zip(at..).all(|(name, at)| self.bare(text.word(at)) == name)
        };
        self.runs.iter().find(begins).map(|(run, replacement)| (run.len(), replacement.as_str()))
    }

    /// Normalizes a word for comparison with names.
    fn bare<'w>(&self, word: &'w str) -> &'w str {
        if self.language.is_english() { english::without_possessive(word) } else { word }
    }
}

/// A text as a list of words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordList {
    /// The text that readers see.
    pub shown: String,
    language: Language,
    /// The compared text: all words in order, separated by spaces.
    letters: String,
    places: Vec<Word>,
    /// The first word that isn't a filler.
    first: Option<usize>,
    /// Whether it contains the platform's name.
    has_name: bool,
}

/// A title or a cell of a settings table. Its words are created on demand because most are never compared.
#[derive(Debug)]
pub struct Label<'a> {
    /// The text that readers see.
    pub shown: Cow<'a, str>,
    names: &'a Equivalences,
    /// Whether it may be a value that is equivalent to others.
    is_cell: bool,
    words: OnceLock<WordList>,
}

impl<'a> Label<'a> {
    /// Returns the label for a title, as written, on a page of the platform with these names.
    pub fn title(text: &'a str, names: &'a Equivalences) -> Self {
        Self { shown: shown(text), names, is_cell: false, words: OnceLock::new() }
    }

    /// Like [`Self::title`], for the text of a cell.
    pub fn cell(text: &'a str, names: &'a Equivalences) -> Self {
        Self { is_cell: true, ..Self::title(text, names) }
    }

    pub fn words(&self) -> &WordList {
        self.words.get_or_init(|| {
            if self.is_cell {
                WordList::of_cell(&self.shown, self.names)
            } else {
                WordList::of_shown(&self.shown, self.names)
            }
        })
    }

    /// Whether both have the same words in the same order.
    pub fn is_same(&self, other: &Self) -> bool {
        self.shown == other.shown || self.words().is_same(other.words())
    }

    /// Whether both have the same meaning, ignoring spelling, articles and similar differences.
    pub fn says_same(&self, other: &Self) -> bool {
        self.shown == other.shown || self.words().says_same(other.words())
    }
}

/// A word of a text.
#[derive(Clone, Debug, PartialEq)]
struct Word {
    /// Range in [`WordList::letters`].
    letters: Range<usize>,
    /// Range in the visible text.
    span: Range<usize>,
}

/// How a piece of text changed between two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    Kept,
    Removed,
    Added,
}

/// The amount of change between two texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// For a replaced piece, the words of the longer side count.
    pub words: usize,
    /// Whether the change includes a number or a negation.
    pub turns_meaning: bool,
}

impl WordList {
    /// Splits `text`, as written, on a page of the platform with these names.
    pub fn new(text: &str, names: &Equivalences) -> Self {
        Self::of_shown(&shown(text), names)
    }

    fn of_shown(shown: &str, names: &Equivalences) -> Self {
        Self { shown: shown.to_string(), ..neutral(&split(shown, names.language), names) }
    }

    pub const fn none() -> Self {
        Self {
            shown: String::new(),
            language: Language::Other,
            letters: String::new(),
            places: Vec::new(),
            first: None,
            has_name: false,
        }
    }

    fn with_room_for(other: &Self) -> Self {
        Self {
            language: other.language,
            letters: String::with_capacity(other.letters.len()),
            places: Vec::with_capacity(other.places.len()),
            ..Self::none()
        }
    }

    /// Splits the visible text of a cell, which may be a value that is equivalent to others.
    fn of_cell(shown: &str, names: &Equivalences) -> Self {
        if !names.values.is_empty() {
            let plain = split(shown, names.language);
            let is_plain = |value: &&(Vec<String>, String)| plain.texts().eq(value.0.iter());
            if let Some((_, replacement)) = names.values.iter().find(is_plain) {
                let mut cell = Self { shown: shown.to_string(), language: names.language, ..Self::default() };
                cell.push_word(replacement, 0..shown.len());
                return cell;
            }
        }
        Self::of_shown(shown, names)
    }

    fn push_word(&mut self, word: &str, span: Range<usize>) {
        if !self.places.is_empty() {
            self.letters.push(' ');
        }
        if self.first.is_none() && !self.language.is_filler(word) {
            self.first = Some(self.places.len());
        }
        self.has_name |= word == OWN;
        let start = self.letters.len();
        self.letters.push_str(word);
        self.places.push(Word { letters: start..self.letters.len(), span });
    }

    /// Appends the words of a text that is shown from `start` on.
    fn push_words(&mut self, other: &Self, start: usize) {
        for (at, word) in other.places.iter().enumerate() {
            self.push_word(other.word(at), word.span.start + start..word.span.end + start);
        }
    }

    /// Appends the target of a link in the text.
    pub(crate) fn push_target(&mut self, target: &str, names: &Equivalences) {
        self.shown.push_str(" → ");
        let start = self.shown.len();
        self.shown.push_str(target);
        self.push_words(&neutral(&split(target, names.language), names), start);
    }

    pub fn push(&mut self, other: &Self) {
        if self.is_empty() {
            self.language = other.language;
        }
        if !self.shown.is_empty() {
            self.shown.push(' ');
        }
        let start = self.shown.len();
        self.shown.push_str(&other.shown);
        self.push_words(other, start);
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    fn word(&self, at: usize) -> &str {
        &self.letters[self.places[at].letters.clone()]
    }

    fn shown_of(&self, word: usize) -> &str {
        &self.shown[self.places[word].span.clone()]
    }

    /// Returns the compared words, separated by spaces.
    pub fn key(&self) -> &str {
        &self.letters
    }

    /// Returns the compared words.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts_of(0..self.len())
    }

    fn texts_of(&self, part: Range<usize>) -> impl Iterator<Item = &str> {
        part.map(|at| self.word(at))
    }

    /// Whether both have the same words in the same order.
    pub fn is_same(&self, other: &Self) -> bool {
        // Texts that are written identically are equal, even if they contain the name of only one of the two
        // platforms. No word contains a space, so `letters` can be compared directly.
        if self.letters == other.letters || self.shown == other.shown {
            return true;
        }
        (self.has_name || other.has_name)
            && self.len() == other.len()
            && (0..self.len()).all(|at| self.is_same_word(at, other, at))
    }

    /// A platform's name isn't replaced if the other version also contains it: "the web".
    fn is_same_word(&self, at: usize, other: &Self, there: usize) -> bool {
        let (a, b) = (self.word(at), other.word(there));
        a == b || ((a == OWN || b == OWN) && self.shown_of(at).eq_ignore_ascii_case(other.shown_of(there)))
    }

    /// Returns the similarity from 0 to 1: twice the common words divided by all words.
    pub fn similarity(&self, other: &Self) -> f64 {
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

    /// Returns the amount of change from this text to another.
    pub fn changed(&self, other: &Self) -> Changed {
        let mut changed = Changed::default();
        for operation in self.operations(other) {
            if let DiffOp::Equal { .. } = operation {
                continue;
            }
            let (old, new) = (operation.old_range(), operation.new_range());
            changed.words += old.len().max(new.len());
            let turns = |words: Vec<&str>| {
                words.iter().enumerate().any(|(at, word)| {
                    // "If it is on or not" means the same as "whether it is on".
                    let is_alternative = at > 0 && words[at - 1] == "or";
                    word.contains(|c: char| c.is_ascii_digit())
                        || self.language.is_negation(word) && !is_alternative
                })
            };
            changed.turns_meaning |=
                turns(self.texts_of(old).collect()) || turns(other.texts_of(new).collect());
        }
        changed
    }

    /// Whether both have the same meaning, ignoring spelling, articles and similar differences.
    pub fn says_same(&self, other: &Self) -> bool {
        self.is_same(other) || self.begins_alike(other) && self.is_cosmetic_throughout(other)
    }

    /// Whether readers would notice none of the differences.
    fn is_cosmetic_throughout(&self, other: &Self) -> bool {
        let (old, new) = self.differing(other);
        // Fast path: most compared texts share no further word, so the two parts are compared as a whole.
        if !self.texts_of(old.clone()).any(|word| other.texts_of(new.clone()).any(|there| there == word)) {
            return self.is_cosmetic(other, old, new);
        }
        self.operations(other).into_iter().all(|operation| match operation {
            DiffOp::Equal { .. } => true,
            operation => self.is_cosmetic(other, operation.old_range(), operation.new_range()),
        })
    }

    /// Whether the first words of both may have the same meaning, with or without filler words. If not, the texts
    /// differ, as most names of settings do.
    fn begins_alike(&self, other: &Self) -> bool {
        let (Some(one), Some(there)) = (self.first, other.first) else { return true };
        let (one, there) = (self.word(one), other.word(there));
        let same_letter = |a: &str, b: &str| a.chars().next() == b.chars().next();
        same_letter(one, there)
            || same_letter(&self.letters, &other.letters)
            || self.language.are_synonyms(one, there)
            || self.has_name
            || other.has_name
    }

    /// Returns the words of both between their common beginning and end.
    fn differing(&self, other: &Self) -> (Range<usize>, Range<usize>) {
        let most = self.len().min(other.len());
        let alike = |at: usize, there: usize| self.word(at) == other.word(there);
        let start = (0..most).take_while(|&at| alike(at, at)).count();
        let from_end = |at: &usize| alike(self.len() - 1 - at, other.len() - 1 - at);
        let end = (0..most - start).take_while(from_end).count();
        (start..self.len() - end, start..other.len() - end)
    }

    fn operations(&self, other: &Self) -> Vec<DiffOp> {
        let (old, new): (Vec<&str>, Vec<&str>) = (self.texts().collect(), other.texts().collect());
        diff::operations(&old, &new)
    }

    /// Whether readers would notice no difference between the two parts.
    fn is_cosmetic(&self, other: &Self, old: Range<usize>, new: Range<usize>) -> bool {
        let (ours, theirs) = (self.texts_of(old.clone()), other.texts_of(new.clone()));
        if ours.flat_map(str::bytes).eq(theirs.flat_map(str::bytes)) {
            return true; // `real time`, `real-time`, `realtime`
        }
        let is_cosmetic = |a: usize, b: usize| {
            self.is_same_word(a, other, b)
                || self.language.is_spelling(self.word(a), other.word(b))
                || self.language.are_synonyms(self.word(a), other.word(b))
        };
        // Filler words don't count.
        let mut new = new.filter(|&at| !self.language.is_filler(other.word(at)));
        let mut old = old.filter(|&at| !self.language.is_filler(self.word(at)));
        old.all(|a| new.next().is_some_and(|b| is_cosmetic(a, b))) && new.next().is_none()
    }

    /// Returns the changes from this text to another, in pieces of visible text.
    pub fn changes(&self, other: &Self) -> Vec<(Change, String)> {
        let mut changes: Vec<(Change, String)> = Vec::new();
        let (mut old_at, mut new_at) = (0, 0);
        let mut push = |change: Change, text: &str| {
            if !text.trim().is_empty() || change == Change::Kept && !text.is_empty() {
                // The last word of a text isn't followed by a space, but the other text continues.
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
            if matches!(operation, DiffOp::Equal { .. }) {
                push(Change::Kept, &self.shown[old_at..old_end]);
            } else {
                if !old.is_empty() {
                    push(Change::Removed, &self.shown[old_at..old_end]);
                }
                if !new.is_empty() {
                    push(Change::Added, &other.shown[new_at..new_end]);
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

    /// Returns the end of the first `words` in the visible text, including the text up to the next word. Punctuation directly
    /// before a word belongs to it: `(` in `Store (Alpha)`.
    fn end_of(&self, words: usize) -> usize {
        let Some(next) = self.places.get(words) else { return self.shown.len() };
        let start = words.checked_sub(1).map_or(0, |last| self.places[last].span.end);
        let between = self.shown.get(start..next.span.start).unwrap_or_default();
        let space = between.char_indices().rfind(|(_, c)| c.is_whitespace());
        space.map_or(next.span.start, |(at, space)| start + at + space.len_utf8())
    }
}

/// Replaces content that isn't text in `markdown::Prose`.
const OBJECT: char = '\u{fffc}';

/// Returns the visible text.
fn shown(text: &str) -> Cow<'_, str> {
    match repair(text) {
        Cow::Borrowed(text) if !text.contains(OBJECT) => Cow::Borrowed(text.trim()),
        text => Cow::Owned(text.replace(OBJECT, " ").trim().to_string()),
    }
}

fn neutral(words: &WordList, names: &Equivalences) -> WordList {
    let mut neutral = WordList::with_room_for(words);
    let is_english = words.language.is_english();
    let mut at = 0;
    while at < words.len() {
        if let Some((length, replacement)) = names.at(words, at) {
            let span = words.places[at].span.start..words.places[at + length - 1].span.end;
            // "an iOS input", "a web input".
            let is_article = |last: &mut Word| is_english && &neutral.letters[last.letters.clone()] == "an";
            if let Some(article) = neutral.places.pop_if(is_article) {
                neutral.letters.truncate(article.letters.start.saturating_sub(1));
                neutral.push_word("a", article.span);
            }
            neutral.push_word(replacement, span);
            at += length;
            continue;
        }
        let word = words.word(at);
        let before = neutral.len().checked_sub(1).map_or("", |last| neutral.word(last));
        let counts = english::counts(before) || before == "see" && word.contains('.');
        let is_reference = is_english && is_number(word) && counts;
        neutral.push_word(if is_reference { NUMBER } else { word }, words.places[at].span.clone());
        at += 1;
    }
    if is_english { in_short(neutral) } else { neutral }
}

/// Replaces phrases with their shorter form: [`english::LONG`].
fn in_short(words: WordList) -> WordList {
    // Returns the number of words from `at` on that have a shorter form, and that form.
    let short_at = |at: usize| {
        let word = words.word(at);
        let starts = |(long, count, _): &&(&str, usize, &str)| {
            if !long.starts_with(word) {
                return false;
            }
            let end = words.places.get(at + count - 1).map(|last| last.letters.end);
            end.is_some_and(|end| &words.letters[words.places[at].letters.start..end] == *long)
        };
        english::LONG.iter().find(starts).map(|(_, count, text)| (*count, *text))
    };
    if !(0..words.len()).any(|at| short_at(at).is_some()) {
        return words;
    }
    let mut short = WordList::with_room_for(&words);
    let mut at = 0;
    while at < words.len() {
        let (count, text) = short_at(at).unwrap_or((1, words.word(at)));
        short.push_word(text, words.places[at].span.start..words.places[at + count - 1].span.end);
        at += count;
    }
    short
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// Splits a text into lower-case words, and expands contractions.
fn split(text: &str, language: Language) -> WordList {
    let mut words = WordList { language, ..WordList::default() };
    words.letters.reserve(text.len());
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let end = if is_letter(letter) { word_end(text, at) } else { at };
        if end > at {
            let word = in_lower_case(&text[at..end], language);
            match language {
                Language::English => english::in_full(&word, |word| words.push_word(word, at..end)),
                Language::Other => words.push_word(&word, at..end),
            }
        }
        at = end.max(at + letter.len_utf8());
    }
    words
}

/// Returns the end of the word at `start`.
fn word_end(text: &str, start: usize) -> usize {
    let plain =
        text.as_bytes()[start..].iter().take_while(|byte| is_letter(char::from(**byte)) && byte.is_ascii());
    let end = start + plain.count();
    if matches!(text.as_bytes().get(end), None | Some(b' ')) {
        return end;
    }
    let mut before = ' ';
    let mut letters = text[start..].char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map_or(' ', |(_, next)| *next);
        let joins = match letter {
            '\'' | '\u{2019}' => before.is_alphanumeric() && next.is_alphabetic(),
            // `7.3`, `webhook.site`, `e.g.`, but not the end of a sentence.
            '.' => before.is_alphanumeric() && next.is_alphanumeric(),
            ',' => before.is_ascii_digit() && next.is_ascii_digit(),
            '%' => before.is_ascii_digit(),
            '+' | '#' => before.is_alphabetic() && !next.is_alphanumeric(),
            // Scripts without spaces between words may have them around words of others.
            letter => is_letter(letter) && (before == ' ' || has_no_spaces(before) == has_no_spaces(letter)),
        };
        if !joins {
            return start + at;
        }
        before = letter;
    }
    text.len()
}

/// Whether a letter is of Chinese or Japanese.
fn has_no_spaces(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns a word in lower case with straight apostrophes. In English, thousands separators are removed.
fn in_lower_case(word: &str, language: Language) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase() && byte != b',') {
        return Cow::Borrowed(word);
    }
    let lower = if word.is_ascii() {
        word.to_ascii_lowercase()
    } else {
        word.to_lowercase().replace('\u{2019}', "'")
    };
    let has_commas = language.is_english() && lower.contains(',');
    Cow::Owned(if has_commas { lower.replace(',', "") } else { lower })
}

/// Returns a ratio from 0 to 1.
#[expect(clippy::cast_precision_loss, reason = "pages have fewer than 2^52 words")]
pub fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, names: &[&str]) -> WordList {
        WordList::new(text, &Equivalences::new(Language::English, names.iter().copied(), &[], &[]))
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
    fn ignored_differences_are_removed() {
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
    fn spelling_makes_no_difference_and_another_word_does() {
        check_same("diagramed on the JS Web page", "diagrammed on an iOS page", true);
        check_same("It may take up to 5 minutes.", "It may take up to five minutes", true);
        check_same("forwarded in realtime", "forwarded in real-time", true);
        check_same("Upload it.", "Unload it.", false);
        check_same("Enable events", "Disable events", false);
        check_same("It may take up to 5 minutes.", "It may take up to 15 minutes.", false);
        check_same("Open the web dashboard", "Open the web dashboard", true);
        check_same("You can stop", "You can not stop", false);
        check_same("You cannot stop", "You can not stop", true);
        check_same("Open the web's page.", "Open the iOS's page.", true);
        check_same("It is for one use.", "It is for one user.", false);
        check_same("It is casual.", "It is causes.", false);
    }

    #[test]
    fn texts_with_other_first_words_never_say_the_same() {
        let vocabulary = [
            "a", "an", "the", "other", "another", "tap", "click", "real", "time", "realtime", "web", "it's",
            "is",
        ];
        let of_two = vocabulary.iter().flat_map(|one| vocabulary.map(|other| format!("{one} {other}")));
        let texts: Vec<WordList> =
            of_two.chain(vocabulary.map(String::from)).map(|text| words(&text, &["web"])).collect();
        for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
            assert_eq!(a.says_same(b), a.is_same(b) || a.is_cosmetic_throughout(b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn rules_of_english_are_for_english_only() {
        let same = |language: &str, one: &str, other: &str| {
            let names = Equivalences::new(Language::of(language), ["web"], &[], &[]);
            WordList::new(one, &names).says_same(&WordList::new(other, &names))
        };
        for (one, other) in [
            ("Das Kabel an", "Das Kabel"),
            ("Wasser", "Waser"),
            ("an die Web", "a die Web"),
            ("Er will die Karte", "Er will die Karet"),
            ("Bis zu 1,5 Sekunden", "Bis zu 15 Sekunden"),
            ("Step 4", "Step 5"),
            ("can't", "can not"),
            ("click", "tap"),
            ("ten", "10"),
            ("make sure", "ensure"),
            ("the web's key", "a web key"),
        ] {
            assert!(!same("de", one, other), "{one}: {other}");
        }
        for language in ["en", "EN-gb", "en_US"] {
            assert!(same(language, "Step 4: don't click", "Step 5: do not tap"));
        }
        assert!(
            same("de", "„Real-Time“ Web", "realtime web"),
            "joined words and quotes are no words of a language"
        );
    }

    #[test]
    fn changes_are_shown_as_readers_see_them() {
        check_changes("Take the *blue* pill.", "Take a red pill.", "Take [-the *blue* -]{+a red +}pill.");
        check_changes("One. Two.", "One.", "One. [-Two.-]");
        check_changes("The store", "The store (Alpha)", "The store {+(Alpha)+}");
        check_changes("", "New text.", "{+New text.+}");
    }
}
