//! English words that make no difference between two texts. Texts in other languages are compared without them.

/// Whether a word has no meaning by itself.
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

/// Whether a number after this word refers to a step or section.
pub(super) fn counts(word: &str) -> bool {
    matches!(word, "step" | "steps" | "section" | "sections")
}

/// Removes a possessive ending: `web` for `web's`.
pub(super) fn without_possessive(word: &str) -> &str {
    word.strip_suffix("'s").unwrap_or(word)
}

/// Phrases with a shorter form: `to` for `in order to`, `for example` for `e.g.`.
pub(super) const LONG: [(&str, usize, &str); 6] = [
    ("in order to", 3, "to"),
    ("for example", 2, "e.g"),
    ("for instance", 2, "e.g"),
    ("that is", 2, "i.e"),
    ("make sure", 2, "ensure"),
    ("as well as", 3, "and"),
];

/// Expands a lower-case word, and passes each word to `push`: `do not` for `don't`, and `5` for `five`.
pub(super) fn in_full(text: &str, mut push: impl FnMut(&str)) {
    // All others contain an apostrophe, which few words do.
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

/// The ending of "it's".
const IS_OR_HAS: &str = "'s";

/// Contractions whose full forms don't follow from their endings.
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

/// Returns the digits of a small number.
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

/// Words with the same meaning in every sentence.
pub(super) const SYNONYMS: [(&str, &str); 9] = [
    ("e.g", "eg"),
    ("ok", "okay"),
    ("via", "through"),
    (IS_OR_HAS, "is"),
    (IS_OR_HAS, "has"),
    // Touch gestures and the corresponding mouse actions.
    ("click", "tap"),
    ("clicks", "taps"),
    ("clicked", "tapped"),
    ("clicking", "tapping"),
];

/// Whether two words are [`SYNONYMS`].
pub(super) fn are_synonyms(a: &str, b: &str) -> bool {
    SYNONYMS.contains(&(a, b)) || SYNONYMS.contains(&(b, a))
}
