//! Which texts of two lists may say the same, found without comparing each with each.
//!
//! Texts that say the same have at least one of a few keys in common: only those that do are compared.

use std::collections::HashMap;

use super::english::SYNONYMS;
use super::{Language, OWN, Words};
use crate::family::matching::{FirstIx, Positions, SecondIx};
use crate::index::IndexVec;

/// Of so many texts with one key, or words with one, each is compared with each; of more only those that are nearest
/// to each other. So the work grows with the texts, whatever they are.
const MOST: usize = 16;

/// Pairs of a text of each list that may say the same, by position.
pub(crate) fn likely_pairs(
    rows: &IndexVec<FirstIx, &Words>,
    columns: &IndexVec<SecondIx, &Words>,
) -> Vec<Positions> {
    if rows.is_empty() || columns.is_empty() {
        return Vec::new();
    }
    let all = || rows.iter().chain(columns.iter()).copied();
    let spellings = Spellings::of(all());
    let mut by_key: HashMap<String, (Vec<FirstIx>, Vec<SecondIx>)> = HashMap::new();
    for (at, words) in rows.indexed() {
        for key in keys(words, &spellings) {
            by_key.entry(key).or_default().0.push(at);
        }
    }
    for (at, words) in columns.indexed() {
        for key in keys(words, &spellings) {
            by_key.entry(key).or_default().1.push(at);
        }
    }
    let mut pairs: Vec<Positions> = Vec::new();
    for (rows, columns) in by_key.into_values() {
        for row in rows {
            let before = columns.partition_point(|&column| usize::from(column) < row.into());
            let nearest = before.saturating_sub(MOST / 2);
            let nearest = nearest.min(columns.len().saturating_sub(MOST));
            pairs.extend(columns[nearest..].iter().take(MOST).map(|&column| Positions { row, column }));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The keys of a text: its words without fillers, each by the name of its spellings, once with the platform's name
/// replaced and once as it is written; all its words; and its letters.
fn keys(words: &Words, spellings: &Spellings<'_>) -> Vec<String> {
    let by_spelling = |of_name: &dyn Fn(usize) -> String| -> String {
        let known = |at: usize| match words.word(at) {
            OWN => of_name(at),
            word => spellings.name(word).to_string(),
        };
        (0..words.len()).filter(|&at| !words.language.is_filler(words.word(at))).map(known).collect()
    };
    let mut keys = vec![by_spelling(&|_| OWN.to_string()), words.texts().collect()];
    if words.has_name {
        keys.push(by_spelling(&|at| words.shown_of(at).to_lowercase()));
    }
    let letters = words.shown.chars().filter(|letter| letter.is_alphanumeric());
    keys.push(letters.flat_map(char::to_lowercase).collect());
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Words that are spelled differently or mean the same, under one name.
struct Spellings<'a>(HashMap<&'a str, &'a str>);

impl<'a> Spellings<'a> {
    fn of(texts: impl Iterator<Item = &'a Words>) -> Self {
        let mut language = Language::Other;
        let mut words: Vec<&str> = Vec::new();
        for text in texts {
            language = text.language;
            words.extend(text.texts());
        }
        words.sort_unstable();
        words.dedup();
        let mut spellings = Self(HashMap::new());
        if language == Language::Other {
            return spellings;
        }
        // By hash: words that have one in common by chance are compared, and no more.
        let mut by_key: Vec<(u64, &'a str)> = Vec::new();
        for &word in &words {
            each_spelling_key(word, |key| by_key.push((key, word)));
        }
        by_key.sort_unstable();
        by_key.dedup();
        for words in by_key.chunk_by(|(one, _), (other, _)| one == other) {
            for (at, (_, one)) in words.iter().enumerate() {
                for (_, other) in words[at + 1..].iter().take(MOST) {
                    if language.is_spelling(one, other) || language.are_synonyms(one, other) {
                        spellings.join(one, other);
                    }
                }
            }
        }
        spellings
    }

    /// The name of a word: the first of its spellings.
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

/// Hashes of keys of which two words that mean the same have one in common: their pair of synonyms, or for spellings
/// the word, and the word without each of its letters.
fn each_spelling_key(word: &str, mut found: impl FnMut(u64)) {
    // Longer words have no spellings.
    const LONGEST: usize = 40;
    for (one, other) in SYNONYMS.iter().filter(|(one, other)| word == *one || word == *other) {
        found(hash_of(one.chars().chain([' ']).chain(other.chars())));
    }
    let letters: Vec<char> = word.chars().map(|letter| if letter == 'z' { 's' } else { letter }).collect();
    let has_spellings = letters.iter().all(|letter| letter.is_alphabetic() || *letter == '\'');
    if letters.len() < 4 || letters.len() > LONGEST || !has_spellings {
        return;
    }
    for without in 1..letters.len() {
        found(hash_of(letters[..without].iter().chain(&letters[without + 1..]).copied()));
    }
    if let Some(stem) = letters.strip_suffix(&['u', 'e']) {
        found(hash_of(stem.iter().copied()));
    }
    found(hash_of(letters.into_iter()));
}

/// FNV-1a of letters.
fn hash_of(letters: impl Iterator<Item = char>) -> u64 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    letters.fold(START, |hash, letter| (hash ^ u64::from(letter)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::super::Names;
    use super::*;

    fn english(texts: &[String]) -> Vec<Words> {
        let names = Names::new(Language::English, ["web"], &[], &[]);
        texts.iter().map(|text| Words::new(text, &names)).collect()
    }

    fn pairs(rows: &[Words], columns: &[Words]) -> Vec<Positions> {
        likely_pairs(&rows.iter().collect(), &columns.iter().collect())
    }

    #[test]
    fn texts_that_say_the_same_are_likely() {
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
    fn of_many_that_are_alike_the_nearest_are_likely() {
        let same = english(&vec!["send it".to_string(); 5 * MOST]);
        let all = pairs(&same, &same).into_iter();
        let of_one = all.filter(|pair| pair.row == (2 * MOST).into()).map(|pair| usize::from(pair.column));
        assert!(of_one.eq(2 * MOST - MOST / 2..2 * MOST + MOST / 2));
    }

    #[test]
    fn the_work_grows_with_the_texts_and_not_with_their_pairs() {
        let numbered = |name: &str, count: usize| -> Vec<Words> {
            english(&(0..count).map(|at| format!("{name} {at}")).collect::<Vec<_>>())
        };
        for count in [1_000, 4_000] {
            // Each spelled differently; the same in reverse order; and nothing in common.
            let other =
                pairs(&numbered("Send the custom event", count), &numbered("send custom evennt", count));
            assert_eq!(other.len(), count);
            let mut back = numbered("Enable organise", count);
            back.reverse();
            assert_eq!(pairs(&back, &numbered("enable organize", count)).len(), count);
            assert!(pairs(&numbered("Send", count), &numbered("Log", count)).is_empty());
        }
        // Words that are all spellings of each other: still only the nearest are compared.
        let long = |letter: &str| english(&(4..404).map(|length| letter.repeat(length)).collect::<Vec<_>>());
        let same = english(&vec!["recieve it".to_string(); 1_000]);
        assert!(pairs(&long("a"), &long("a")).len() <= 400 * MOST * 4);
        assert_eq!(pairs(&same, &english(&vec!["receive it".to_string(); 1_000])).len(), 1_000 * MOST);
    }
}
