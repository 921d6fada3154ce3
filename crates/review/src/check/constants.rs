//! Names in capital letters that differ in one word from another one: `LAMP_DISABLE_VERSION_CHECK`, `LAMP_DISABLE_VER_CHECK`.
//!
//! One that only a single page has, less often than the other is used, is that one by a wrong name.

use std::ops::Range;

use super::text::line_at;
use base::diagnostic::{Code, Diagnostic, Problem, is_plural};
use base::hash::HashMap;
use site::content::{Document, DocumentId};
use site::project::Project;

/// Minimum number of words of a name.
const FEWEST: usize = 3;

/// Minimum number of words that a name has in common with one that has another word more.
const SEVERAL: usize = 4;

/// Minimum length of a word of which another one is the beginning.
const SHORTEST: usize = 3;

/// The uses of a name.
struct Name<'t> {
    words: Vec<&'t str>,
    count: usize,
    /// The first use.
    page: DocumentId,
    place: Range<usize>,
    is_on_one_page: bool,
}

/// Reports the wrong names of a site of another generator.
pub(super) fn misspelled(project: &Project) -> Vec<Diagnostic> {
    if project.site.repository.is_ours() {
        return Vec::new();
    }
    let texts: Vec<_> = project.site.documents.iter().map(|document| document.unwrapped_text()).collect();
    let mut names: HashMap<&str, Name<'_>> = HashMap::default();
    for ((page, document), text) in project.site.documents.indexed().zip(&texts) {
        for place in constants(text, document.body) {
            let text = &text[place.clone()];
            let words = || text.split('_').collect();
            let new = || Name { words: words(), count: 0, page, place, is_on_one_page: true };
            let name = names.entry(text).or_insert_with(new);
            name.count += 1;
            name.is_on_one_page &= name.page == page;
        }
    }
    // The number of names with a word, and with two words after each other.
    let mut uses: HashMap<&[&str], usize> = HashMap::default();
    for words in names.values().map(|name| &*name.words) {
        words.chunks(1).chain(words.windows(2)).for_each(|part| *uses.entry(part).or_default() += 1);
    }
    // By their words without one of them, without any, and in alphabetical order.
    let mut alike: HashMap<String, Vec<&Name<'_>>> = HashMap::default();
    for name in names.values() {
        for key in keys(&name.words) {
            alike.entry(key).or_default().push(name);
        }
    }
    let of_name = |name: &Name<'_>| {
        let text = &texts[usize::from(name.page)];
        let line = line_at(text, name.place.start);
        let is_own = |words: &[&str]| uses[words] == 1;
        let others = keys(&name.words).into_iter().filter_map(|key| alike.get(&key)).flatten();
        let meant = others.filter(|other| {
            // A page about both names may have one word more in one.
            let written = other.words.join("_");
            let is_beside = || name.words.len() != other.words.len() && text.contains(&written);
            other.count > name.count
                && is_wrong(&name.words, &other.words, is_own)
                && !line.contains(&written)
                && !is_beside()
        });
        let meant = meant.max_by_key(|other| (other.count, &other.words))?;
        let (written, other) = (&text[name.place.clone()], meant.words.join("_"));
        let message = format!("only this page has `{written}`, and `{other}` occurs {} times", meant.count);
        let problem = Problem::new(Code::MisspelledWord, name.place.clone(), message);
        let document: &Document = project.site.document(name.page);
        Some(problem.help(format!("did you mean `{other}`?")).at(&document.path))
    };
    names.values().filter(|name| name.is_on_one_page).filter_map(of_name).collect()
}

/// Returns the places of the names.
fn constants(text: &str, body: usize) -> impl Iterator<Item = Range<usize>> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    memchr::memchr_iter(b'_', &text.as_bytes()[body..]).filter_map({
        let mut end = body;
        move |at| {
            let at = body + at;
            if at < end {
                return None;
            }
            let bytes = text.as_bytes();
            let start = at - bytes[body..at].iter().rev().take_while(|byte| is_part(byte)).count();
            end = at + bytes[at..].iter().take_while(|byte| is_part(byte)).count();
            let name = &text[start..end];
            let is_constant = !name.bytes().any(|byte| byte.is_ascii_lowercase())
                && name.starts_with(|c: char| c.is_ascii_uppercase())
                && name.split('_').filter(|word| !word.is_empty()).count() >= FEWEST
                && !name.ends_with('_');
            is_constant.then_some(start..end)
        }
    })
}

/// Returns the keys that similar names have in common.
fn keys(words: &[&str]) -> Vec<String> {
    let mut sorted = words.to_vec();
    sorted.sort_unstable();
    let without = (0..words.len()).map(|left| {
        let others = words.iter().enumerate().filter(|(at, _)| *at != left);
        others.map(|(_, word)| *word).collect::<Vec<_>>().join("_")
    });
    without.chain([words.join("_"), format!(" {}", sorted.join("_"))]).collect()
}

/// Whether a name has the words of another one in another order, or differs from it in one word: a word that no other name has, or that
/// it lacks between two that no other name has next to each other.
fn is_wrong(name: &[&str], other: &[&str], is_own: impl Fn(&[&str]) -> bool) -> bool {
    let before = name.iter().zip(other).take_while(|(one, other)| one == other).count();
    let (rest, others) = (&name[before..], &other[before..]);
    let after = rest.iter().rev().zip(others.iter().rev()).take_while(|(one, other)| one == other).count();
    let (rest, others) = (&rest[..rest.len() - after], &others[..others.len() - after]);
    let is_inside = before > 0 && after > 0 && before + after >= SEVERAL;
    match (rest, others) {
        ([], [_]) => is_inside && is_own(&name[before - 1..=before]),
        ([_], []) => is_inside && is_own(rest),
        ([word], [other]) => {
            let (short, long) = if word.len() < other.len() { (word, other) } else { (other, word) };
            let is_begun = short.len() >= SHORTEST && long.starts_with(*short) && !is_plural(word, other);
            is_begun && before + after >= FEWEST && is_own(rest)
        }
        _ => {
            let (mut own, mut all) = (rest.to_vec(), others.to_vec());
            own.sort_unstable();
            all.sort_unstable();
            own == all
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_in_one_word_or_in_their_order() {
        let is_wrong = |name: &str, other: &str| {
            let (one, other): (Vec<&str>, Vec<&str>) =
                (name.split('_').collect(), other.split('_').collect());
            is_wrong(&one, &other, |words| words != ["DATA"] && words != ["ARC", "FETCH"])
        };
        assert!(is_wrong("LAMP_NO_VERSION_CHECK", "LAMP_NO_VER_CHECK"));
        assert!(is_wrong("LAMP_FETCH_WITH_CLI_ON", "LAMP_NET_FETCH_WITH_CLI_ON"));
        assert!(is_wrong("LAMP_DEFAULT_IF_MISSING", "LAMP_IF_MISSING_DEFAULT"));
        assert!(!is_wrong("ARC_FETCH_WITH_CLI_ON", "ARC_NET_FETCH_WITH_CLI_ON"));
        assert!(!is_wrong("LAMP_OIL_DATA_DIR", "LAMP_OIL_DATABASE_DIR"));
        assert!(!is_wrong("LAMP_OIL_KEY", "LAMP_OIL_KEYS"));
        assert!(!is_wrong("LAMP_OIL", "LAMP_OIL_URL"));
        assert!(!is_wrong("LAMP_MAX_OIL", "LAMP_MIN_OIL"));
    }
}
