//! Finds texts of two lists that may have the same meaning, without comparing all pairs.
//!
//! Texts with the same meaning have at least one of a few keys in common, so only those are compared.

use super::english::SYNONYMS;
use super::{Language, OWN, WordList};
use crate::family::matching::{FirstIx, Positions, SecondIx};
use base::hash::HashMap;
use base::index::IndexVec;

/// Maximum number of texts with one key, or words with one key, that are all compared with each other. If there are
/// more, only the nearest ones are compared. The work therefore grows linearly with the texts.
const MOST: usize = 16;

/// Returns pairs of texts, one of each list, that may have the same meaning, by position.
pub fn likely_pairs(
    rows: &IndexVec<FirstIx, &WordList>,
    columns: &IndexVec<SecondIx, &WordList>,
) -> Vec<Positions> {
    if rows.is_empty() || columns.is_empty() {
        return Vec::new();
    }
    let all = || rows.iter().chain(columns.iter()).copied();
    let spellings = Spellings::of(all());
    // Sorted by key, with the rows of each before its columns.
    let mut texts: Vec<(u64, Side)> = Vec::with_capacity(3 * (rows.len() + columns.len()));
    for (at, words) in rows.indexed() {
        each_key(words, &spellings, |key| texts.push((key, Side::Row(at))));
    }
    for (at, words) in columns.indexed() {
        each_key(words, &spellings, |key| texts.push((key, Side::Column(at))));
    }
    texts.sort_unstable();
    texts.dedup();
    let mut pairs: Vec<Positions> = Vec::new();
    for texts in texts.chunk_by(|(one, _), (other, _)| one == other) {
        let first = texts.partition_point(|(_, side)| matches!(side, Side::Row(_)));
        let (rows, columns) = texts.split_at(first);
        for &(_, row) in rows {
            let before = columns.partition_point(|&(_, column)| column.position() < row.position());
            let nearest = before.saturating_sub(MOST / 2);
            let nearest = nearest.min(columns.len().saturating_sub(MOST));
            pairs.extend(columns[nearest..].iter().take(MOST).map(|(_, column)| Positions {
                row: row.position().into(),
                column: column.position().into(),
            }));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// A text of one of the two lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Row(FirstIx),
    Column(SecondIx),
}

impl Side {
    fn position(self) -> usize {
        match self {
            Self::Row(at) => at.into(),
            Self::Column(at) => at.into(),
        }
    }
}

/// Passes each key of a text, as a hash: its words without fillers, normalized by spelling, with and without
/// replacement of the platform's name; all of its words; and its letters. Hash collisions only cause additional
/// comparisons.
fn each_key(words: &WordList, spellings: &Spellings<'_>, mut found: impl FnMut(u64)) {
    let is_filler = |at: usize| words.language.is_filler(words.word(at));
    let mut is_any_filler = false;
    let (mut named, mut written, mut all) = (Hash::default(), Hash::default(), Hash::default());
    for at in 0..words.len() {
        let word = words.word(at);
        all.add_text(word);
        if is_filler(at) {
            is_any_filler = true;
            continue;
        }
        match word {
            OWN => {
                named.add_text(OWN);
                words.shown_of(at).chars().flat_map(char::to_lowercase).for_each(|it| written.add(it));
            }
            word => {
                let name = spellings.name(word);
                named.add_text(name);
                written.add_text(name);
            }
        }
    }
    found(named.0);
    if is_any_filler || !spellings.is_empty() {
        found(all.0);
    }
    if words.has_name {
        found(written.0);
    }
    let mut letters = Hash::default();
    let shown = words.shown.chars().filter(|letter| letter.is_alphanumeric());
    shown.flat_map(char::to_lowercase).for_each(|letter| letters.add(letter));
    found(letters.0);
}

/// Maps spellings and synonyms to one name.
struct Spellings<'a>(HashMap<&'a str, &'a str>);

impl<'a> Spellings<'a> {
    fn of(texts: impl Iterator<Item = &'a WordList>) -> Self {
        let mut language = Language::Other;
        let mut words: Vec<&str> = Vec::new();
        for text in texts {
            language = text.language;
            words.extend(text.texts());
        }
        words.sort_unstable();
        words.dedup();
        let mut spellings = Self(HashMap::default());
        if language == Language::Other {
            return spellings;
        }
        // Hash collisions only cause additional comparisons.
        let mut by_key: Vec<(u64, usize)> = Vec::with_capacity(8 * words.len());
        for (at, &word) in words.iter().enumerate() {
            each_spelling_key(word, |key| by_key.push((key, at)));
        }
        keep_repeated(&mut by_key);
        by_key.sort_unstable();
        by_key.dedup();
        for alike in by_key.chunk_by(|(one, _), (other, _)| one == other) {
            for (at, &(_, one)) in alike.iter().enumerate() {
                for &(_, other) in alike[at + 1..].iter().take(MOST) {
                    let (one, other) = (words[one], words[other]);
                    if language.is_spelling(one, other) || language.are_synonyms(one, other) {
                        spellings.join(one, other);
                    }
                }
            }
        }
        spellings
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the name of a word: the first of its spellings.
    fn name<'w>(&self, word: &'w str) -> &'w str
    where
        'a: 'w,
    {
        let mut name = word;
        while let Some(&next) = self.0.get(name) {
            name = next;
        }
        name
    }

    fn join(&mut self, one: &'a str, other: &'a str) {
        let (one, other) = (self.name(one), self.name(other));
        if one != other {
            self.0.insert(one.max(other), one.min(other));
        }
    }
}

/// Removes most keys that occur once. Nearly all do, and sorting them would take longer than all other steps.
fn keep_repeated(by_key: &mut Vec<(u64, usize)>) {
    let bits = (8 * by_key.len()).next_power_of_two().max(64);
    let place = |key: u64| {
        // The product's upper bits depend on all bits of the key.
        let bit = (key.wrapping_mul(Hash::BASE) >> 32) as usize & (bits - 1);
        (bit / 64, 1_u64 << (bit % 64))
    };
    let (mut once, mut again) = (vec![0_u64; bits / 64], vec![0_u64; bits / 64]);
    for &(key, _) in by_key.iter() {
        let (at, bit) = place(key);
        again[at] |= once[at] & bit;
        once[at] |= bit;
    }
    by_key.retain(|&(key, _)| {
        let (at, bit) = place(key);
        again[at] & bit != 0
    });
}

/// Passes hashes of keys, of which two equivalent words have at least one in common: their pair of synonyms, or for
/// spellings the word, and the word without each of its letters.
fn each_spelling_key(word: &str, mut found: impl FnMut(u64)) {
    // Longer words have no spellings.
    const LONGEST: usize = 40;
    for (one, other) in SYNONYMS.iter().filter(|(one, other)| word == *one || word == *other) {
        let mut hash = Hash::default();
        hash.add_text(one);
        hash.add(' ');
        hash.add_text(other);
        found(hash.0);
    }
    // Hashes of its prefixes.
    let mut hashes = [Hash::default(); LONGEST + 1];
    let mut length = 0;
    for letter in word.chars() {
        if length == LONGEST || !(letter.is_alphabetic() || letter == '\'') {
            return;
        }
        let mut hash = hashes[length];
        hash.add(if letter == 'z' { 's' } else { letter });
        length += 1;
        hashes[length] = hash;
    }
    if length < 4 {
        return;
    }
    let whole = hashes[length];
    let mut power = 1;
    for without in (1..length).rev() {
        found(whole.without(hashes[without], hashes[without + 1], power));
        power = Hash::BASE.wrapping_mul(power);
    }
    if word.ends_with("ue") {
        found(hashes[length - 2].0);
    }
    found(whole.0);
}

/// A polynomial hash of letters modulo 2^64. The hash of a text without one letter follows from the hashes of its
/// prefixes.
#[derive(Clone, Copy, Default)]
struct Hash(u64);

impl Hash {
    /// Odd, with evenly distributed bits.
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

    fn add(&mut self, letter: char) {
        self.0 = self.0.wrapping_mul(Self::BASE).wrapping_add(u64::from(letter));
    }

    fn add_text(&mut self, text: &str) {
        text.chars().for_each(|letter| self.add(letter));
    }

    /// Returns the hash without the letter between two prefixes. `power` is the base to the power of the number of
    /// letters after it.
    fn without(self, before: Self, with: Self, power: u64) -> u64 {
        self.0.wrapping_sub(with.0.wrapping_mul(power)).wrapping_add(before.0.wrapping_mul(power))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Equivalences;
    use super::*;

    fn english(texts: &[String]) -> Vec<WordList> {
        let names = Equivalences::new(Language::English, ["web"], &[], &[]);
        texts.iter().map(|text| WordList::new(text, &names)).collect()
    }

    fn pairs(rows: &[WordList], columns: &[WordList]) -> Vec<Positions> {
        likely_pairs(&rows.iter().collect(), &columns.iter().collect())
    }

    #[test]
    fn texts_of_the_same_meaning_are_likely() {
        let vocabulary = [
            "a",
            "the",
            "other",
            "another",
            "tap",
            "click",
            "real",
            "time",
            "realtime",
            "web",
            "it's",
            "is",
            "has",
            "diagramed",
            "diagrammed",
            "organise",
            "organize",
            "catalog",
            "catalogue",
            "teh",
            "receive",
            "recieve",
        ];
        let of_two = vocabulary.iter().flat_map(|one| vocabulary.map(|other| format!("{one} {other}")));
        let texts = english(&of_two.chain(vocabulary.map(String::from)).collect::<Vec<_>>());
        for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
            if a.says_same(b) {
                let found = likely_pairs(&vec![a].into(), &vec![b].into());
                assert_eq!(found, [Positions { row: 0.into(), column: 0.into() }], "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn the_hash_of_a_word_without_a_letter_is_that_of_the_other_letters() {
        let keys = |word: &str| {
            let mut keys = Vec::new();
            each_spelling_key(word, |key| keys.push(key));
            keys
        };
        let word = "recieve";
        for without in 1..word.len() {
            let shorter = format!("{}{}", &word[..without], &word[without + 1..]);
            let mut hash = Hash::default();
            hash.add_text(&shorter);
            assert!(keys(word).contains(&hash.0), "{shorter}");
            assert!(keys(&shorter).contains(&hash.0), "{shorter}");
        }
    }

    #[test]
    fn the_nearest_of_many_similar_texts_are_likely() {
        let same = english(&vec!["send it".to_string(); 5 * MOST]);
        let all = pairs(&same, &same).into_iter();
        let of_one = all.filter(|pair| pair.row == (2 * MOST).into()).map(|pair| usize::from(pair.column));
        assert!(of_one.eq(2 * MOST - MOST / 2..2 * MOST + MOST / 2));
    }

    #[test]
    fn the_work_grows_with_the_texts_and_not_with_their_pairs() {
        let numbered = |name: &str, count: usize| -> Vec<WordList> {
            english(&(0..count).map(|at| format!("{name} {at}")).collect::<Vec<_>>())
        };
        for count in [1_000, 4_000] {
            // Each spelled differently, in reverse order, and nothing in common.
            let other =
                pairs(&numbered("Send the custom event", count), &numbered("send custom evennt", count));
            assert_eq!(other.len(), count);
            let mut back = numbered("Enable organise", count);
            back.reverse();
            assert_eq!(pairs(&back, &numbered("enable organize", count)).len(), count);
            assert!(pairs(&numbered("Send", count), &numbered("Log", count)).is_empty());
        }
        // Words that are all spellings of each other. Still, only the nearest ones are compared.
        let long = |letter: &str| english(&(4..404).map(|length| letter.repeat(length)).collect::<Vec<_>>());
        let same = english(&vec!["recieve it".to_string(); 1_000]);
        assert!(pairs(&long("a"), &long("a")).len() <= 400 * MOST * 4);
        assert_eq!(pairs(&same, &english(&vec!["receive it".to_string(); 1_000])).len(), 1_000 * MOST);
    }
}
