//! Names of files and options in code that differ from another name of the page by a slip.

use super::Mistake;
use super::source::PageSource;
use crate::check::text::line_at;
use crate::check::words::exchanged;
use base::diagnostic::{distance_within, is_plural};
use base::hash::HashMap;
use base::quoted::quoted;
use base::sort::StableSort as _;

/// Minimum length of a name in bytes.
const SHORTEST: usize = 8;

/// Reports a name of several words that the page has once, in code, if another one has the same words in another order, or one letter more
/// or less. Of two that occur once, the second is wrong.
pub(super) fn mistakes(source: &PageSource<'_>) -> Vec<Mistake> {
    let body = &source.text[source.body..];
    let is_in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'-' | b'_' | b'.');
    let bytes = body.as_bytes();
    let mut names: HashMap<&str, Name<'_>> = HashMap::default();
    let mut end = 0;
    // Each name has one of these signs.
    for at in memchr::memchr2_iter(b'-', b'_', bytes) {
        if at < end {
            continue;
        }
        let start = at - bytes[end..at].iter().rev().take_while(is_in_name).count();
        end = at + bytes[at..].iter().take_while(is_in_name).count();
        let text = body[start..end].trim_end_matches(SIGNS);
        if text.len() >= SHORTEST && (is_file(text) || is_option(text)) {
            let at = source.body + start;
            names.entry(text).or_insert(Name { text, count: 0, at }).count += 1;
        }
    }
    let mut by_kind: HashMap<(bool, u8), Vec<&Name<'_>>> = HashMap::default();
    for name in names.values() {
        by_kind.entry(name.kind()).or_default().push(name);
    }
    let of_name = |name: &Name<'_>| {
        let is_code = source.shown.as_bytes().get(name.at) == Some(&b' ');
        let others = by_kind.get(&name.kind()).filter(|_| name.count == 1 && is_code)?;
        // The author compares both.
        let line = line_at(source.text, name.at);
        let is_compared =
            |other: &str| line.contains(other) && !other.contains(name.text) && !name.text.contains(other);
        if line[..line.find(name.text).unwrap_or(0)].contains("typo") {
            return None;
        }
        let is_meant = |other: &&&Name<'_>| {
            (other.count > 1 || other.at < name.at)
                && !is_compared(other.text)
                && (is_one_letter_off(name.text, other.text)
                    || has_words_of(name.text, other.text)
                    || is_joined_otherwise(name.text, other.text)
                    || is_option(name.text) && other.count > 1 && exchanged(name.text, other.text).is_some()
                    || is_plural_of_listed(name, other, source.text))
        };
        let meant = others.iter().filter(is_meant).max_by_key(|it| (it.count, it.text))?;
        // Of two names that differ in their signs, none is more likely.
        let is_even = meant.count == 1 && is_joined_otherwise(name.text, meant.text);
        let (name, at, meant) = (name.text, name.at, quoted(meant.text));
        let message = format!("only this place has {}, and the page has {meant} elsewhere", quoted(name));
        let help =
            if is_even { "use one of them in both places".into() } else { format!("did you mean {meant}?") };
        Some(Mistake::value(at..at + name.len(), message, help))
    };
    let mut found: Vec<Mistake> = names.values().filter_map(of_name).collect();
    found.stable_sort_by_key(|it| it.span.start);
    found
}

/// A name of a page.
struct Name<'t> {
    text: &'t str,
    /// Number of its uses.
    count: usize,
    /// Position of the first.
    at: usize,
}

impl Name<'_> {
    /// Returns what similar names have in common: whether they are options, and their last letter, which a slip rarely changes.
    fn kind(&self) -> (bool, u8) {
        (
            is_option(self.text),
            if is_file(self.text) { self.text.bytes().next_back().unwrap_or_default() } else { 0 },
        )
    }
}

/// Whether a name has a sign between words, and the ending of a file.
fn is_file(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    !name.starts_with(['-', '.'])
        && stem.contains(['-', '_'])
        && (1..=5).contains(&ending.len())
        && ending.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whether it is an option of several words: `--keep-logs`.
fn is_option(name: &str) -> bool {
    let words = name.strip_prefix("--").filter(|words| words.starts_with(|c: char| c.is_ascii_alphabetic()));
    words.is_some_and(|words| words.contains(SIGNS))
}

/// Signs between the words of a name.
const SIGNS: [char; 3] = ['-', '_', '.'];

/// Whether two options have the same words with other signs between them: `--oil.level`, `--oil-level`.
fn is_joined_otherwise(name: &str, other: &str) -> bool {
    is_option(name) && name != other && words(name) == words(other)
}

/// Whether the page lists another option with an explanation, and this one, which no list contains, is its plural or singular.
fn is_plural_of_listed(name: &Name<'_>, other: &Name<'_>, text: &str) -> bool {
    let is_listed = |it: &Name<'_>| {
        let line = line_at(text, it.at).trim_start();
        let rest = line.find(it.text).filter(|_| line.starts_with('-')).map(|at| &line[at + it.text.len()..]);
        rest.is_some_and(|rest| rest.contains("  "))
    };
    let are_plurals = is_plural(name.text, other.text) || is_plural(other.text, name.text);
    is_option(name.text) && are_plurals && is_listed(other) && !is_listed(name)
}

/// Returns the words of a name: the last one of a file is its ending.
fn words(name: &str) -> Vec<&str> {
    name.split(SIGNS).filter(|word| !word.is_empty()).collect()
}

/// Whether a letter is missing, added, or exchanged with the next one in one word. Another short word may be meant, as in `--use-npm` and
/// `--use-pnpm`, and so may the plural.
fn is_one_letter_off(name: &str, other: &str) -> bool {
    const SHORTEST: usize = 5;
    let (own, others) = (words(name), words(other));
    let mut differing = own.iter().zip(&others).filter(|(one, other)| one != other);
    let Some((one, other)) = differing.next().filter(|_| own.len() == others.len()) else { return false };
    let are_letters = [one, other].iter().all(|word| word.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let is_ending = is_file(name) && own.last() != others.last();
    let has_same_letters = one.len() != other.len() || exchanged(one, other).is_some();
    differing.next().is_none()
        && are_letters
        && !is_ending
        && one.len().min(other.len()) >= SHORTEST
        && has_same_letters
        && !is_plural(one, other)
        && distance_within(one, other, 1) == Some(1)
}

/// Whether two names of files have the same words in another order.
fn has_words_of(name: &str, other: &str) -> bool {
    let (mut own, mut others) = (words(name), words(other));
    let is_other = own != others && is_file(name) && !name.bytes().any(|byte| byte.is_ascii_digit());
    own.sort_unstable();
    others.sort_unstable();
    is_other && own == others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_by_a_letter_or_in_the_order_of_their_words() {
        assert!(is_one_letter_off("--frozen-lockfil", "--frozen-lockfile"));
        assert!(is_one_letter_off("lantren_config.py", "lantern_config.py"));
        for (name, other) in [
            ("--use-npm", "--use-pnpm"),
            ("--keep-log", "--keep-logs"),
            ("lamp-oil.js", "lamp-oil.mjs"),
            ("lamp_oil.get", "lamp_oil.Get"),
        ] {
            assert!(!is_one_letter_off(name, other), "{name} {other}");
        }
        assert!(!is_one_letter_off("--max-x", "--max-y"));
        assert!(has_words_of("age-ci.txt", "ci-age.txt"));
        assert!(!has_words_of("age-ci.txt", "age-ca.txt"));
    }
}
