//! Separates the names in a text from its words: platforms, products, packages, files, versions, code.

use similar::DiffOp;

use base::diff;
use base::items::only;
use base::platforms::is_platform_name;
use base::sorted::SortedSet;
use site::content::Family;

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TextToken {
    /// In lower case, without ending.
    Word(String),
    /// One of [`FILLERS`].
    Filler(String),
    Name(String),
    /// The name of a platform, which differs between platforms.
    Platform,
}

impl TextToken {
    fn text(&self) -> &str {
        match self {
            Self::Word(text) | Self::Filler(text) | Self::Name(text) => text,
            Self::Platform => "",
        }
    }

    fn is_word(&self) -> bool {
        matches!(self, Self::Word(_) | Self::Filler(_))
    }
}

/// Words by which authors differ without saying anything else: kinds of code, which are often left out (`call load()`,
/// `call the load() method`), pronouns, prepositions, and fillers.
const FILLERS: [&str; 102] = [
    "a",
    "about",
    "above",
    "actually",
    "also",
    "an",
    "and",
    "are",
    "argument",
    "as",
    "at",
    "attribute",
    "be",
    "being",
    "below",
    "but",
    "by",
    "can",
    "class",
    "component",
    "could",
    "currently",
    "do",
    "example",
    "field",
    "finally",
    "first",
    "following",
    "for",
    "from",
    "function",
    "had",
    "has",
    "have",
    "here",
    "hook",
    "how",
    "if",
    "in",
    "instance",
    "into",
    "is",
    "it",
    "it's",
    "its",
    "just",
    "let's",
    "like",
    "may",
    "me",
    "method",
    "might",
    "my",
    "native",
    "note",
    "now",
    "object",
    "of",
    "on",
    "onto",
    "or",
    "our",
    "over",
    "own",
    "parameter",
    "please",
    "prop",
    "property",
    "simple",
    "simply",
    "so",
    "some",
    "such",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "through",
    "to",
    "type",
    "us",
    "via",
    "was",
    "we",
    "we'll",
    "we're",
    "were",
    "which",
    "will",
    "with",
    "within",
    "would",
    "you",
    "you'll",
    "you're",
    "your",
];

/// Removes the ending of an English word: `creat` for `creates`, `creating` and `created`.
pub(super) fn stem(word: &str) -> &str {
    const SHORTEST: usize = 4;
    let without = |end: &str| word.strip_suffix(end).filter(|stem| stem.len() >= SHORTEST);
    let stem = ["ing", "ed", "es", "s"].into_iter().find_map(without).unwrap_or(word);
    stem.strip_suffix('e').filter(|stem| stem.len() >= SHORTEST).unwrap_or(stem)
}

/// Returns the words of a title in lower case, without endings and fillers.
pub(super) fn stems(title: &str) -> SortedSet<String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let words = title.split_whitespace().map(bare).filter(|word| !word.is_empty());
    let words = words.filter(|word| FILLERS.binary_search(&word.as_str()).is_err());
    words.map(|word| stem(&word).to_string()).collect()
}

/// Whether two texts differ only in words, and in no number.
pub(super) fn differ_in_words(one: &[TextToken], other: &[TextToken]) -> bool {
    let is_plain =
        |token: &TextToken| token.is_word() && !token.text().starts_with(|c: char| c.is_ascii_digit());
    let sides = |part: &DiffOp| [&one[part.old_range()], &other[part.new_range()]];
    differing(one, other).iter().flat_map(sides).flatten().all(is_plain)
}

/// Whether each part in which two texts differ is a word or two that only one of them has, and neither a verb that the other lacks nor
/// another thing in a list.
pub(super) fn differ_in_additions(one: &[TextToken], other: &[TextToken]) -> bool {
    const MOST: usize = 2;
    let lists = |token: &TextToken| matches!(token.text(), "and" | "or");
    differing(one, other).iter().all(|part| {
        let sides = [&one[part.old_range()], &other[part.new_range()]];
        if sides.into_iter().flatten().any(lists) {
            return false;
        }
        let [ours, theirs] =
            sides.map(|side| side.iter().filter(|token| matches!(token, TextToken::Word(_))).count());
        ours.min(theirs) == 0 && ours.max(theirs) <= MOST && !is_grammar(sides)
    })
}

/// Whether the first text lacks a sentence or a clause of the second, and they are the same without it.
pub(super) fn lacks_sentence(lacking: &[TextToken], complete: &[TextToken]) -> bool {
    const FEWEST_WORDS: usize = 4;
    const FEWEST: usize = 5;
    let [part] = &differing(lacking, complete)[..] else { return false };
    let sentence = &complete[part.new_range()];
    let words = sentence.iter().filter(|token| matches!(token, TextToken::Word(_))).count();
    part.old_range().is_empty() && (words >= FEWEST_WORDS || words > 0 && sentence.len() >= FEWEST)
}

/// Whether each of two texts has a name that the other lacks, so that each describes its own platform.
pub(super) fn have_own_names(one: &[TextToken], other: &[TextToken]) -> bool {
    let [one, other] = [one, other].map(|text| names(text).into_iter().collect::<SortedSet<_>>());
    !one.is_subset(&other) && !other.is_subset(&one)
}

/// Whether values are the same but for the language of the code: `nil` and `null`.
pub(super) fn are_same_literal(values: &[&str]) -> bool {
    let folded = |value: &str| {
        let bare = value.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        if matches!(bare.as_str(), "nil" | "none" | "null" | "undefined") { "null".to_string() } else { bare }
    };
    let folded: SortedSet<String> = values.iter().map(|value| folded(value)).collect();
    folded.len() == 1 && !folded.contains("")
}

/// Returns the parts in which two texts differ.
fn differing(one: &[TextToken], other: &[TextToken]) -> Vec<DiffOp> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (one.iter().map(TextToken::text).collect(), other.iter().map(TextToken::text).collect());
    differences(&old, &new)
}

fn differences(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let parts = diff::operations(old, new).into_iter();
    parts.filter(|part| !matches!(part, DiffOp::Equal { .. })).collect()
}

/// Returns the words of a text in lower case, without endings and names.
pub(super) fn without_names(family: &Family, text: &str) -> Vec<String> {
    words(&tokens(family, text))
}

/// Returns the words among tokens.
pub(super) fn words(tokens: &[TextToken]) -> Vec<String> {
    tokens.iter().filter(|token| token.is_word()).map(|token| token.text().to_string()).collect()
}

/// Returns the words among tokens, without fillers.
pub(super) fn only_words(tokens: &[TextToken]) -> Vec<String> {
    let words = tokens.iter().filter(|token| matches!(token, TextToken::Word(_)));
    words.map(|token| token.text().to_string()).collect()
}

/// Returns the names among tokens, except those of platforms.
pub(super) fn names(tokens: &[TextToken]) -> Vec<String> {
    tokens
        .iter()
        .filter(|token| matches!(token, TextToken::Name(_)))
        .map(|token| token.text().to_string())
        .collect()
}

/// Whether two texts differ in words that matter. Another name often needs other words next to it, as in `the method
/// load()` and `the property loaded`, and a sentence about a platform is for that platform. Unless `is_known`, no
/// version is known to be right, and authors may have chosen other words.
///
/// `is_explained` decides whether two parts differ for a known reason.
pub(super) fn differ_in_meaning(
    one: &[TextToken],
    other: &[TextToken],
    is_known: bool,
    is_explained: impl Fn([&[TextToken]; 2]) -> bool,
) -> bool {
    /// Number of equal words up to which a difference is next to another.
    const NEAR: usize = 3;
    /// Maximum number of words that belong to a name.
    const WITH_NAME: usize = 12;
    let differing = differing(one, other);
    let sides = |part: &DiffOp| [&one[part.old_range()], &other[part.new_range()]];
    let has = |part: &DiffOp, is: fn(&TextToken) -> bool| sides(part).into_iter().flatten().any(is);
    let names: Vec<&DiffOp> = differing.iter().filter(|part| has(part, |token| !token.is_word())).collect();
    let is_near = |part: &DiffOp| {
        let (start, end) = (part.old_range().start, part.old_range().end);
        names.iter().any(|name| {
            let name = name.old_range();
            start <= name.end + NEAR && name.start <= end + NEAR
        })
    };
    let may_reword = !is_known || !names.is_empty();
    differing.iter().any(|part| {
        let sides = sides(part);
        let words = sides.map(|side| side.iter().filter(|token| matches!(token, TextToken::Word(_))).count());
        let most = words[0].max(words[1]);
        let is_of_platform = has(part, |token| *token == TextToken::Platform);
        if is_grammar(sides) {
            return true;
        }
        let is_of_name = most <= WITH_NAME && is_near(part);
        let is_other_word = may_reword && is_reworded(sides, words);
        let is_reason = most == 0 || is_of_platform || is_of_name || is_other_word || is_explained(sides);
        !is_reason
    })
}

/// Whether only one of two texts has an auxiliary verb, without which its sentence is broken.
fn is_grammar(sides: [&[TextToken]; 2]) -> bool {
    match sides {
        [[], [TextToken::Filler(word)]] | [[TextToken::Filler(word)], []] => {
            matches!(word.as_str(), "is" | "are" | "be" | "to")
        }
        _ => false,
    }
}

/// Whether two parts may say the same in about as many words. A number, or a word with a prefix, says something else.
fn is_reworded(sides: [&[TextToken]; 2], words: [usize; 2]) -> bool {
    let [one, other] = sides;
    let is_number = |token: &TextToken| token.text().starts_with(|c: char| c.is_ascii_digit());
    let is_prefixed = match (one, other) {
        ([one], [other]) => one.text().ends_with(other.text()) || other.text().ends_with(one.text()),
        _ => false,
    };
    words[0] > 0
        && words[1] > 0
        && words[0].abs_diff(words[1]) < 3
        && !is_prefixed
        && !one.iter().chain(other).any(is_number)
}

/// Whether a title is nothing but code, such as a function: other platforms have other functions.
pub(super) fn is_code(title: &str) -> bool {
    let is_code = |word: &str| {
        let word = word.trim_matches(['`', '\'', '"', ',']);
        let mut before = ' ';
        word.contains(['(', ')', '_', '<', '>', '/', '=', '@', '{', '$'])
            || word.contains("::")
            || word.trim_end_matches('.').contains('.')
            || word.starts_with("--")
            || word.chars().any(|c| std::mem::replace(&mut before, c).is_lowercase() && c.is_uppercase())
    };
    let mut parts = title.split_whitespace().peekable();
    parts.peek().is_some() && parts.all(is_code)
}

/// Splits a text. Targets of links are left out.
pub(super) fn tokens(family: &Family, text: &str) -> Vec<TextToken> {
    let mut tokens: Vec<TextToken> = Vec::new();
    let mut begins = true;
    let mut is_target = false;
    let begin = |small: bool| {
        text.split_whitespace()
            .filter(|word| word.chars().filter(|c| !c.is_alphabetic()).count() < 2)
            .filter(|word| word.starts_with(|c: char| c.is_alphabetic() && c.is_lowercase() == small))
            .count()
    };
    // In a title, every word is capitalized.
    let is_sentence = begin(true) >= begin(false);
    let mut parts = text.split_whitespace().peekable();
    while let Some(word) = parts.next() {
        if word == "→" {
            is_target = true;
            continue;
        }
        // A target is shown as one or two words.
        if std::mem::take(&mut is_target) || word.starts_with("http") {
            continue;
        }
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '@' | '#' | '<' | '/'));
        if is_platform(family, bare) {
            tokens.push(TextToken::Platform);
            continue;
        }
        let is_quoted = word.len() > 2 && word.starts_with(['"', '“', '`']) && word.contains(['"', '”', '`']);
        let is_quantity = is_quantity(bare, tokens.last(), parts.peek().copied());
        let is_name =
            is_quoted || word.contains('`') || !is_quantity && is_name(bare, begins || !is_sentence);
        begins = word.ends_with(['.', ':', '!', '?']);
        if is_name {
            // An article before a name is part of the name.
            let is_article = |last: &TextToken| matches!(last, TextToken::Filler(word) if ["a", "an", "the"].contains(&&**word));
            while tokens.last().is_some_and(is_article) {
                tokens.pop();
            }
            // A component and a function have the same name without their brackets.
            let name = bare.trim_matches(['<', '>', '/', '(', ')']);
            tokens.push(TextToken::Name(if name.is_empty() { bare } else { name }.to_string()));
        } else if !bare.is_empty() {
            let word = bare.to_lowercase().replace(['’', '‘'], "'");
            let is_filler = FILLERS.binary_search(&word.as_str()).is_ok();
            tokens.push(if is_filler {
                TextToken::Filler(word)
            } else {
                TextToken::Word(stem(&word).to_string())
            });
        }
    }
    tokens
}

/// Returns the only name in a platform's text that the others don't have, and the one that they all have instead, if the page has that
/// elsewhere: `HelloResponse` above code with `HelloReply`. The platform hardly has its own name for this.
pub(super) fn other_name<'t>(
    family: &Family,
    own: &'t str,
    others: &[&'t str],
    page: &str,
) -> Option<(&'t str, &'t str)> {
    const SHORTEST: usize = 4;
    let (own, others) = (shown_words(own), others.iter().map(|text| shown_words(text)).collect::<Vec<_>>());
    let is_of_code = |word: &str| word.len() >= SHORTEST && is_name(word, true) && !is_platform(family, word);
    let first = others.first().filter(|_| others.len() > 1)?;
    let is_additional = |word: &&&str| is_of_code(word) && others.iter().all(|it| !it.contains(word));
    let is_usual =
        |word: &&&str| is_of_code(word) && !own.contains(word) && others.iter().all(|it| it.contains(word));
    let (name, usual) = only(own.iter().filter(is_additional)).zip(only(first.iter().filter(is_usual)))?;
    let is_there = page.matches(*usual).count() > name.matches(*usual).count();
    (page.matches(*name).count() == 1 && is_there && are_alike(name, usual)).then_some((*name, *usual))
}

/// Whether two names have the same form and a word in common. One in a path or after a prefix means the same.
fn are_alike(name: &str, other: &str) -> bool {
    const SHORTEST: usize = 2;
    let form = |name: &str| {
        let has = |is: fn(char) -> bool| name.chars().any(is);
        let begins = name.starts_with(char::is_uppercase);
        (begins, has(char::is_lowercase), ['_', '/', '-', '.', '('].map(|sign| name.contains(sign)))
    };
    let words = |name: &str| -> SortedSet<String> {
        let is_same = |one: &char, next: &char| {
            one.is_alphanumeric() && next.is_alphanumeric() && !(one.is_lowercase() && next.is_uppercase())
        };
        let letters: Vec<char> = name.chars().collect();
        let words = letters.chunk_by(is_same).filter(|word| word.len() >= SHORTEST);
        words.map(|word| word.iter().collect::<String>().to_lowercase()).collect()
    };
    let is_relative = name.starts_with("..");
    form(name) == form(other)
        && (is_relative || !name.ends_with(other) && !other.ends_with(name))
        && words(name).intersection(&words(other)).next().is_some()
}

/// Whether a platform's text differs from that of several others in numbers only.
pub(super) fn has_other_numbers(family: &Family, own: &str, usual: &str) -> bool {
    /// Maximum number of words in which the texts differ.
    const MOST: usize = 8;
    let (own, usual) = (shown_words(own), shown_words(usual));
    let parts = differences(&own, &usual);
    let mine: Vec<&str> = parts.iter().flat_map(|part| &own[part.old_range()]).copied().collect();
    let theirs: Vec<&str> = parts.iter().flat_map(|part| &usual[part.new_range()]).copied().collect();
    let is_number = |word: &&&str| word.starts_with(|c: char| c.is_ascii_digit());
    let numbers = |words: &'_ [&str]| -> SortedSet<String> {
        words.iter().filter(is_number).map(ToString::to_string).collect()
    };
    let is_of_number = |word: &&str| {
        is_number(&word) || word.starts_with(char::is_uppercase) || matches!(*word, "and" | "or")
    };
    // Each platform has its own.
    let is_its_own = |part: &DiffOp| {
        let before = part.old_range().start.checked_sub(1).map(|at| own[at].to_lowercase());
        before.is_some_and(|word| ["port", "release", "sdk", "v", "version"].contains(&word.as_str()))
    };
    let mut all = mine.iter().chain(&theirs);
    mine.len() + theirs.len() <= MOST
        && all.all(|word| is_of_number(word) && !is_platform(family, word))
        && numbers(&mine) != numbers(&theirs)
        && !parts.iter().any(is_its_own)
}

/// Returns the words of a text without the targets of its links.
pub(super) fn words_beside_targets(text: &str) -> impl Iterator<Item = &str> {
    let mut is_target = false;
    text.split_whitespace().filter(move |word| {
        let is_of_link = std::mem::replace(&mut is_target, *word == "→");
        !is_of_link && !is_target
    })
}

/// The same without the signs around them.
fn shown_words(text: &str) -> Vec<&str> {
    let is_around =
        |c: char| matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '"' | '“' | '”' | '`' | '(' | ')');
    // A path may begin with dots.
    let words = words_beside_targets(text).map(|word| word.trim_start_matches(|c| c != '.' && is_around(c)));
    words.map(|word| word.trim_end_matches(is_around)).filter(|word| !word.is_empty()).collect()
}

/// Whether a number counts something, as in "5 minutes". Versions, such as "Android 10", are names.
fn is_quantity(word: &str, before: Option<&TextToken>, after: Option<&str>) -> bool {
    let counts = match before {
        Some(TextToken::Word(word)) => {
            !matches!(word.as_str(), "version" | "level" | "releas" | "port" | "v")
        }
        Some(TextToken::Name(_) | TextToken::Platform) => false,
        Some(TextToken::Filler(_)) | None => true,
    };
    let is_noun = |word: &str| {
        word.starts_with(|c: char| c.is_lowercase())
            && !matches!(word, "and" | "or" | "to" | "is" | "for" | "in" | "on")
    };
    counts && !word.is_empty() && word.chars().all(|c| c.is_ascii_digit()) && after.is_some_and(is_noun)
}

fn is_platform(family: &Family, word: &str) -> bool {
    let of_family = |part: &str| {
        family.platforms.iter().any(|platform| {
            let names = [&platform.name, &platform.id].into_iter().chain(&platform.words);
            names.into_iter().any(|name| name.eq_ignore_ascii_case(part))
        })
    };
    word.split('-').any(|part| of_family(part) || part.len() > 3 && is_platform_name(part))
}

/// Types and values that programming languages call by different names.
const TYPES: [&str; 12] = [
    "bool",
    "boolean",
    "dict",
    "double",
    "float",
    "int",
    "integer",
    "nil",
    "none",
    "null",
    "undefined",
    "void",
];

fn is_name(word: &str, begins: bool) -> bool {
    let mut letters = word.chars();
    let is_capital = letters.next().is_some_and(char::is_uppercase);
    let has_capital = letters.any(char::is_uppercase);
    has_capital
        || TYPES.contains(&word.to_lowercase().as_str())
        || is_capital && !begins
        || word.contains(|c: char| c.is_ascii_digit() || "/._@#:()=<>{}$|&+".contains(c))
}
