//! The words of English that make no difference between two texts. Texts in other languages are read without them.

/// Whether a word has no meaning alone.
pub(super) fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "a" | "an"
            | "the"
            | "this"
            | "that"
            | "these"
            | "those"
            | "your"
            | "our"
            | "its"
            | "their"
            | "please"
            | "simply"
            | "just"
            | "of"
            | "then"
    )
}

/// Whether a number that follows this word counts steps or sections of a page.
pub(super) fn counts(word: &str) -> bool {
    matches!(word, "step" | "steps" | "section" | "sections")
}

/// A word without its possessive: `web` of `web's`.
pub(super) fn without_possessive(word: &str) -> &str {
    word.strip_suffix("'s").unwrap_or(word)
}

/// Phrases with a shorter form: `in order to` is `to`; `e.g.` is `for example`.
pub(super) const LONG: [(&str, usize, &str); 6] = [
    ("in order to", 3, "to"),
    ("for example", 2, "e.g"),
    ("for instance", 2, "e.g"),
    ("that is", 2, "i.e"),
    ("make sure", 2, "ensure"),
    ("as well as", 3, "and"),
];

/// The words that a word in lower case is short for, each given to `push`: `don't` is `do not`, and `five` is `5`.
pub(super) fn in_full(text: &str, mut push: impl FnMut(&str)) {
    // All others have an apostrophe, and few words do.
    if text == "cannot" || text.contains('\'') {
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
    }
    push(in_digits(text).unwrap_or(text));
}

/// The end of "it's".
const IS_OR_HAS: &str = "'s";

/// The full forms of contractions that do not follow from their endings.
const IRREGULAR: [(&str, &[&str]); 12] = [
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
];

/// A small number in words.
fn in_digits(word: &str) -> Option<&'static str> {
    Some(match word {
        "zero" => "0",
        "one" => "1",
        "two" => "2",
        "three" => "3",
        "four" => "4",
        "five" => "5",
        "six" => "6",
        "seven" => "7",
        "eight" => "8",
        "nine" => "9",
        "ten" => "10",
        "eleven" => "11",
        "twelve" => "12",
        "thirteen" => "13",
        "fourteen" => "14",
        "fifteen" => "15",
        "sixteen" => "16",
        "seventeen" => "17",
        "eighteen" => "18",
        "nineteen" => "19",
        "twenty" => "20",
        _ => return None,
    })
}

/// Words that mean the same in every sentence.
pub(super) const SYNONYMS: [(&str, &str); 9] = [
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

/// Whether two words are among the [`SYNONYMS`] of each other.
pub(super) fn are_synonyms(a: &str, b: &str) -> bool {
    SYNONYMS.contains(&(a, b)) || SYNONYMS.contains(&(b, a))
}
