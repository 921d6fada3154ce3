//! Misspelled words and names: those that occur once, and differ by a typing mistake from one that occurs several times.
//!
//! The pages are the dictionary, so there is none to maintain, and product names are in it. A word has letters only, and is also found
//! in names: `decremntButton`. A name has several words. Other sites are compared as a whole, and on a Stepkin site the steps of a
//! family, or a single page, because these are checked again when one of them changes.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::{Ordering, Reverse};
use std::ops::Range;

use memchr::memmem;

use super::text::{has_several_words, is_english};
use base::diagnostic::{Code, Diagnostic, Problem, Report};
use base::hash::{HashMap, HashSet};
use base::sort::StableSort as _;
use site::content::{Document, FamilyId, Site};
use site::project::Project;

/// Minimum length of a word. Shorter ones resemble each other.
const SHORTEST: usize = 6;

/// Minimum length of a word that lacks a letter, or has one too many.
const LONG: usize = 8;

/// Minimum length of a name.
const SHORTEST_NAME: usize = 10;

/// Minimum number of uses of the word that is meant, and of a short one.
const SEVERAL: usize = 3;
const MANY: usize = 10;

/// Minimum length of a word of a name in which a letter is doubled. A shorter one is an abbreviation: `uuid`.
const SHORTEST_DOUBLED: usize = 5;

/// Minimum length of a word of which another one is a form.
const SHORTEST_STEM: usize = 4;

/// Maximum number of words with the same shape. More are the names of a program's objects: `case_0001`.
const MOST_ALIKE: usize = 400;

/// Correct words that differ by a typing mistake from another one.
#[rustfmt::skip]
const CORRECT: &[&str] = &[
    "alteration", "aluminum", "casually", "causality", "causally", "competes", "competing", "compiles", "complains",
    "complaint", "completing", "compliant", "complies", "constrains", "deceased", "farmer", "framer",
    "licensees", "lighting", "lightning", "parametrization", "parametrize", "parametrized", "parsable", "parseable",
    "perfect", "prefect", "priorities", "prioritizes", "relaying", "remainder", "reminder",
    "replaying", "replying", "retired", "retried", "salted", "sharable", "shareable", "signer", "signing", "singer", "singing",
    "slated", "speciality", "specialty", "summaries", "summarizes", "trails", "trialing", "trials",
    "troubleshot",
];

/// American and British spelling.
const VARIANTS: [(&str, &str); 7] = [
    ("our", "or"),
    ("lled", "led"),
    ("lling", "ling"),
    ("ller", "ler"),
    ("llment", "lment"),
    ("llful", "lful"),
    ("gem", "gm"),
];

/// Endings of the forms of a word, and what the word has instead.
const ENDINGS: [(&str, &str); 14] = [
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("d", ""),
    ("ed", ""),
    ("ied", "y"),
    ("r", ""),
    ("er", ""),
    ("rs", ""),
    ("ers", ""),
    ("or", ""),
    ("ors", ""),
    ("ing", ""),
    ("ly", ""),
];

/// The uses of a word: their number, and the first one.
struct Uses {
    count: usize,
    text: usize,
    place: Range<usize>,
}

impl Uses {
    /// Returns the word in lower case, or the name as it is written.
    fn word<'t>(&self, texts: &[&'t str]) -> Cow<'t, str> {
        let written = &texts[self.text][self.place.clone()];
        let is_spelled = is_name(written) || !written.bytes().any(|byte| byte.is_ascii_uppercase());
        if is_spelled { written.into() } else { written.to_ascii_lowercase().into() }
    }
}

/// The properties of a word that a mistake rarely changes, and its length.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Shape {
    first: u8,
    last: u8,
    length: usize,
}

impl Shape {
    fn of(word: &str) -> Self {
        let bytes = word.as_bytes();
        Self { first: bytes[0], last: bytes[bytes.len() - 1], length: bytes.len() }
    }
}

/// A word that is misspelled.
struct Misspelled {
    /// Position of its text.
    text: usize,
    /// Range in the text.
    place: Range<usize>,
    meant: String,
    /// Number of uses of `meant`.
    others: usize,
}

/// Reports the misspelled words of a site of another generator.
pub(super) fn misspelled_in_site(project: &Project) -> Vec<Diagnostic> {
    if project.site.repository.is_ours() {
        return Vec::new();
    }
    let files = OnceCell::new();
    // The path of a file is spelled as it is.
    let is_in_path = |word: &str| {
        let files: &Vec<String> = files.get_or_init(|| project.sources.all_files());
        files.iter().any(|path| path.contains(word))
    };
    let found = misspelled(project.site.documents.iter().map(|document| &**document), is_in_path);
    found.into_iter().map(|(document, problem)| problem.at(&document.path)).collect()
}

/// Returns the misspelled words on a page that is compared with no other.
pub(super) fn misspelled_on_page(document: &Document) -> Vec<Problem> {
    misspelled([document], |_| false).into_iter().map(|(_, problem)| problem).collect()
}

/// Returns the misspelled words on the steps of a family.
pub(super) fn misspelled_in_family(site: &Site, family: FamilyId) -> Vec<(&Document, Problem)> {
    let steps = site.families[family].platforms.iter().flat_map(|platform| &platform.steps);
    misspelled(steps.map(|step| site.document(*step)), |_| false)
}

/// Drops misspelled words in the place of another finding, which has the same cause. Findings about blocks are longer.
pub(super) fn without_other_findings(report: Report) -> Report {
    /// Maximum length of a name or target with a misspelled word, in bytes.
    const LONGEST: usize = 200;
    let (words, mut others): (Vec<Diagnostic>, Vec<Diagnostic>) =
        report.into_iter().partition(|it| it.problem.code == Code::MisspelledWord);
    let is_in_other = |word: &Diagnostic| {
        let place = &word.problem.span;
        let spans = others.iter().filter(|it| it.file == word.file).map(|it| &it.problem.span);
        let mut short = spans.filter(|span| span.len() <= LONGEST);
        short.any(|span| span.start <= place.start && place.end <= span.end)
    };
    let alone: Vec<Diagnostic> = words.into_iter().filter(|it| !is_in_other(it)).collect();
    others.extend(alone);
    others.into_iter().collect()
}

/// `is_in_path` returns whether the path of a file contains a word.
fn misspelled<'p>(
    documents: impl IntoIterator<Item = &'p Document>,
    is_in_path: impl Fn(&str) -> bool,
) -> Vec<(&'p Document, Problem)> {
    let mut paths = HashSet::default();
    let documents = documents.into_iter().filter(|it| it.foreign.is_none() && paths.insert(&it.path));
    let documents: Vec<(&Document, Cow<'_, str>)> = documents.map(|it| (it, it.unwrapped_text())).collect();
    let bodies: Vec<&str> =
        documents.iter().map(|(document, text)| text.get(document.body..).unwrap_or_default()).collect();
    let problem = |Misspelled { text, place, meant, others }: Misspelled| {
        let (document, written) = (documents[text].0, &bodies[text][place.clone()]);
        let meant = cased(&meant, written);
        let message = format!("`{written}` occurs once, and `{meant}` {others} times");
        let span = document.body + place.start..document.body + place.end;
        let problem = Problem::new(Code::MisspelledWord, span, message);
        (document, problem.help(format!("did you mean `{meant}`?")))
    };
    let found = in_texts(&bodies).into_iter();
    found.filter(|it| !is_in_path(&bodies[it.text][it.place.clone()])).map(problem).collect()
}

/// Returns a word with the capital letters of a misspelling of it: `NSDictionary` for `NSDictonary`.
fn cased(word: &str, written: &str) -> String {
    let same = |(one, other): &(u8, u8)| one.eq_ignore_ascii_case(other);
    let start = word.bytes().zip(written.bytes()).take_while(same).count();
    let most = word.len().min(written.len()) - start;
    let end = word.bytes().rev().zip(written.bytes().rev()).take_while(same).take(most).count();
    let middle = &word[start..word.len() - end];
    let is_capital = |letter: u8| !letter.is_ascii_lowercase();
    let middle =
        if written.bytes().all(is_capital) { middle.to_ascii_uppercase() } else { middle.to_string() };
    format!("{}{middle}{}", &written[..start], &written[written.len() - end..])
}

/// Returns the misspelled words of some texts.
fn in_texts(texts: &[&str]) -> Vec<Misspelled> {
    let mut all: HashMap<u64, Uses> = HashMap::default();
    for (text, content) in texts.iter().enumerate() {
        each_word(content, |key, place| {
            all.entry(key).or_insert(Uses { count: 0, text, place }).count += 1;
        });
    }
    let mut known: HashMap<Shape, Vec<(Cow<'_, str>, usize)>> = HashMap::default();
    for uses in all.values().filter(|uses| uses.count > 1) {
        let word = uses.word(texts);
        known.entry(Shape::of(&word)).or_default().push((word, uses.count));
    }
    let slip = |uses: &Uses| {
        let word = &*uses.word(texts);
        let shape = Shape::of(word);
        let lengths = word.len() - 1..=word.len() + 1;
        let near = lengths.filter_map(|length| known.get(&Shape { length, ..shape }));
        let near = near.filter(|it| it.len() <= MOST_ALIKE).flatten();
        // Exchanged letters are no other word.
        let is_meant = |(meant, times): &&(Cow<'_, str>, usize)| {
            let is_exchanged = meant.len() == word.len();
            let least = match word.len() {
                ..LONG if is_exchanged => MANY,
                ..LONG => return false,
                _ if is_exchanged && has_several_words(word) => 2,
                _ => SEVERAL,
            };
            *times >= least && is_slip_of(word, meant)
        };
        let (meant, others) = near.filter(is_meant).max_by_key(|(meant, times)| (*times, meant))?;
        let (text, place) = (uses.text, uses.place.clone());
        let found = Misspelled { text, place, meant: meant.to_string(), others: *others };
        (is_mistake(texts, &found)).then_some(found)
    };
    let mut found: Vec<Misspelled> = all.values().filter(|uses| uses.count == 1).filter_map(slip).collect();
    found.stable_sort_by_key(|it| (it.text, it.place.start, Reverse(it.place.end)));
    // A name and a word in it.
    found.dedup_by(|next, one| next.text == one.text && next.place.start < one.place.end);
    found
}

/// Whether a word that resembles another one is a mistake that readers see.
fn is_mistake(texts: &[&str], found: &Misspelled) -> bool {
    /// Maximum distance of a sign in the same line, in characters.
    const FURTHEST: usize = 1000;
    /// Minimum number of words of a line that shows its language.
    const LONG_LINE: usize = 8;
    let (text, Range { start, end }) = (texts[found.text], found.place.clone());
    let is_on_line = |letter: &char| *letter != '\n';
    let before =
        text[..start].chars().rev().take(FURTHEST).take_while(is_on_line).map(char::len_utf8).sum::<usize>();
    let after = text[end..].chars().take(FURTHEST).take_while(is_on_line).map(char::len_utf8).sum::<usize>();
    let (before, after) = (&text[start - before..start], &text[end..end + after]);
    // Letters of another alphabet are parts of it, and one letter is a placeholder.
    let is_placeholder = text[start..end].bytes().all(|byte| byte == text.as_bytes()[start]);
    if is_placeholder || before.ends_with(is_foreign) || after.starts_with(is_foreign) {
        return false;
    }
    // A word in an address, in the target of a link, and the name of a person or package.
    let token = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_package = token.ends_with('@')
        || after.strip_prefix('@').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if token.contains("://") || token.contains("www.") || token.contains("](") || is_package {
        return false;
    }
    let (written, is_meant) =
        (&text[start..end], |part: &str| part.to_ascii_lowercase().contains(&found.meant));
    // An alias may be a mistake that users make, and an example of a mistake is one.
    if ["alias", "typo"].iter().any(|word| before.contains(word)) {
        return false;
    }
    let is_correct = if is_name(written) {
        let part = part_with_difference(written, &found.meant);
        let is_abbreviation = written.len() > found.meant.len() && part.len() < SHORTEST_DOUBLED;
        is_abbreviation || occurs(texts, part)
    } else {
        // The author compares both words.
        is_meant(before)
            || is_meant(after)
            || CORRECT.contains(&&*written.to_ascii_lowercase())
            || stems(written).any(|stem| occurs(texts, &stem))
    };
    // Other languages join words with hyphens, too. A page may have code in English, and a long line of another language none of its words.
    let is_of_any_language = has_several_words(written);
    let is_long = || before.split_whitespace().chain(after.split_whitespace()).count() >= LONG_LINE;
    let is_of_other = || [before, after].iter().any(|part| part.contains(is_foreign));
    let has_english = || is_english(before) || is_english(after);
    let is_english = || is_english(text) && (!is_long() || !is_of_other() || has_english());
    // The lines of a list with a name each: `strtoll`, `strtoull`.
    let is_listed = || {
        let meant = format!("{before}{}{after}", found.meant);
        let previous = text[..start - before.len()].trim_end_matches('\n').rsplit('\n').next();
        let next = text[end + after.len()..].lines().nth(1);
        previous == Some(&*meant) || next == Some(&*meant)
    };
    let is_commented = || text[..start].rfind("<!--").is_some_and(|open| !text[open..start].contains("-->"));
    !is_correct && (is_of_any_language || is_english()) && !is_commented() && !is_listed()
}

/// Whether a text consists of several words: `lamp_oil`, `lampOil`, `lamp-oil`.
fn is_name(text: &str) -> bool {
    has_several_words(text) || text.contains('-')
}

fn is_foreign(letter: char) -> bool {
    !letter.is_ascii() && letter.is_alphabetic()
}

/// Returns the words of which one may be a form: `observe` for `observes`, `trial` for `trialing`.
fn stems(word: &str) -> impl Iterator<Item = String> {
    let word = word.to_ascii_lowercase();
    let stems = ENDINGS.iter();
    let stems = stems.filter_map(move |(end, other)| Some(format!("{}{other}", word.strip_suffix(end)?)));
    let stems = stems.filter(|stem| stem.len() >= SHORTEST_STEM);
    stems
        .flat_map(|stem| {
            let bytes = stem.as_bytes();
            let is_doubled = bytes[bytes.len() - 1] == bytes[bytes.len() - 2];
            let single = is_doubled.then(|| stem[..stem.len() - 1].to_string());
            [Some(format!("{stem}e")), single, Some(stem)]
        })
        .flatten()
}

/// Whether a text has a word that is part of no other one.
fn occurs(texts: &[&str], word: &str) -> bool {
    let finder = memmem::Finder::new(word);
    let is_part = |byte: Option<&u8>| byte.is_some_and(|it| KINDS[usize::from(*it)] != 0);
    texts.iter().map(|text| text.as_bytes()).any(|text| {
        let mut places = finder.find_iter(text);
        places.any(|at| {
            !is_part(at.checked_sub(1).and_then(|it| text.get(it))) && !is_part(text.get(at + word.len()))
        })
    })
}

/// Returns the word of a name that differs in another name.
fn part_with_difference<'n>(name: &'n str, other: &str) -> &'n str {
    let start = name.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let parts = parts(name).filter(|(at, _)| *at <= start);
    parts.last().map_or(name, |(_, part)| part)
}

/// The kinds of bytes in names, as bits.
const LOWER: u8 = 1;
const UPPER: u8 = 2;
const SEPARATOR: u8 = 4;

/// The kind of each byte, or 0 if it is in no name. Every byte of a site is looked up.
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < kinds.len() {
        #[expect(clippy::cast_possible_truncation, reason = "the table has an entry for each byte")]
        let letter = byte as u8;
        kinds[byte] = match letter {
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' | b'_' | b'-' => SEPARATOR,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

/// Returns the hash of a word or name with [`SHORTEST`] bytes or more, which is its key in tables. Collisions are too
/// unlikely to matter.
///
/// Every word of a site is hashed, so eight bytes are read at a time, and the last ones may be read twice. `ignored` has
/// the bits of a byte that don't matter.
fn key(word: &[u8], ignored: u8) -> u64 {
    const SEED: u64 = 0xcbf2_9ce4_8422_2325;
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let ignored = u64::from(ignored) * (u64::MAX / 255);
    let add = |key: u64, bytes: u64| (key ^ (bytes | ignored)).wrapping_mul(ODD).rotate_left(29);
    let (eights, rest) = word.as_chunks::<8>();
    let key = eights.iter().fold(SEED ^ word.len() as u64, |key, eight| add(key, u64::from_le_bytes(*eight)));
    let last = match (rest, word.last_chunk::<8>(), word.first_chunk::<4>(), word.last_chunk::<4>()) {
        ([], ..) => return add(key, 0),
        (_, Some(last), ..) => u64::from_le_bytes(*last),
        (.., Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        _ => 0,
    };
    add(add(key, last), 0)
}

/// The bit that differs between capital and small letters.
const CASE: u8 = 0x20;

/// Calls `add` with the key and place of each word and name of a text. A word may have capital letters.
fn each_word(text: &str, mut add: impl FnMut(u64, Range<usize>)) {
    let bytes = text.as_bytes();
    let kind = |at: usize| KINDS[usize::from(bytes[at])];
    let mut start = 0;
    while start + SHORTEST <= bytes.len() {
        // A word of this length contains every byte of the window, so most others are skipped after one or two of them.
        let (mut last, mut kinds) = (start + SHORTEST, 0);
        while last > start && kind(last - 1) != 0 {
            last -= 1;
            kinds |= kind(last);
        }
        if last > start {
            start = last;
            continue;
        }
        let mut end = start + SHORTEST;
        while end < bytes.len() && kind(end) != 0 {
            kinds |= kind(end);
            end += 1;
        }
        // Most words have only small letters, or a capital at the beginning, and all others are taken apart.
        let is_word = match kinds {
            LOWER => true,
            SEPARATOR => false,
            _ => {
                bytes[start].is_ascii_uppercase() && bytes[start + 1..end].iter().all(u8::is_ascii_lowercase)
            }
        };
        if is_word {
            add(key(&bytes[start..end], CASE), start..end);
        } else if kinds != SEPARATOR {
            each_part(text, start..end, &mut add);
        }
        start = end;
    }
}

/// The same for the characters in a range, of which each may be part of a name.
fn each_part(text: &str, run: Range<usize>, add: &mut impl FnMut(u64, Range<usize>)) {
    let name = text[run.clone()].trim_start_matches(['_', '-']);
    let at = run.end - name.len();
    let name = name.trim_end_matches(['_', '-']);
    if name.len() >= SHORTEST_NAME && is_name(name) {
        add(key(name.as_bytes(), 0), at..at + name.len());
    }
    for (inside, part) in parts(name).filter(|(_, part)| part.len() >= SHORTEST) {
        let start = at + inside;
        add(key(part.as_bytes(), CASE), start..start + part.len());
    }
}

/// Returns the words of a name, each with its position: `decremnt` and `Button` of `decremntButton`.
fn parts(name: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_same = |one: &u8, next: &u8| {
        one.is_ascii_alphabetic()
            && next.is_ascii_alphabetic()
            && !(one.is_ascii_lowercase() && next.is_ascii_uppercase())
    };
    let mut end = 0;
    let parts = name.as_bytes().chunk_by(is_same).map(move |part| {
        end += part.len();
        (end - part.len(), &name[end - part.len()..end])
    });
    parts.filter(|(_, part)| part.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Returns the two adjacent bytes of a name that are exchanged in the other one, if nothing else differs.
pub(super) fn exchanged<'n>(name: &'n str, other: &str) -> Option<&'n [u8]> {
    let (one, other) = (name.as_bytes(), other.as_bytes());
    let start = one.iter().zip(other).position(|(a, b)| a != b)?;
    let (pair, meant) = (one.get(start..start + 2)?, other.get(start..start + 2)?);
    let is_all = one[start + 2..] == other[start + 2..];
    (is_all && pair[0] == meant[1] && pair[1] == meant[0]).then_some(pair)
}

/// Whether two letters are exchanged, a letter inside is missing or doubled, or a name lacks one of its separators.
fn is_slip_of(name: &str, meant: &str) -> bool {
    let (one, other) = (name.as_bytes(), meant.as_bytes());
    let start = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let rest = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let are_letters = |letters: &[u8]| letters.iter().all(u8::is_ascii_alphabetic);
    let is_constant = || !name.bytes().any(|byte| byte.is_ascii_lowercase());
    match one.len().cmp(&other.len()) {
        Ordering::Equal => exchanged(name, meant).is_some_and(are_letters),
        Ordering::Less => {
            let is_one_less = start + rest >= one.len() && other.len() == one.len() + 1;
            // A word may be in its plural, and an abbreviation have another letter.
            let ends_word = other.get(start + 1).is_none_or(|next| !next.is_ascii_lowercase());
            let is_plural = other[start].eq_ignore_ascii_case(&b's') && ends_word;
            let is_letter = are_letters(&other[start..=start]) && start > 1;
            // A verb, and those who do it: `provides`, `providers`.
            let is_agent = !is_name(name) && name.ends_with("es") && meant.ends_with("ers");
            // `LOGLEVEL` for `LOG_LEVEL`, and `hsplit_window` for `h_split_window`.
            let is_separator = matches!(other[start], b'_' | b'-') && (is_constant() || is_name(name));
            is_one_less
                && (is_letter && !is_plural && !is_agent && !is_constant() && !is_variant(name, meant)
                    || is_separator)
        }
        Ordering::Greater => {
            let is_doubled = one[start] == one[start - 1] || one.get(start + 1) == Some(&one[start]);
            let is_one_more = start + rest >= other.len() && one.len() == other.len() + 1;
            // `-rrequirements.txt` is an option with its value.
            let is_letter = are_letters(&one[start..=start]) && start > 1;
            is_one_more && is_doubled && is_letter && !is_variant(name, meant)
        }
    }
}

/// Whether one of two words is the American, and the other the British one.
fn is_variant(one: &str, other: &str) -> bool {
    VARIANTS.iter().any(|(long, short)| one.replace(long, short) == other.replace(long, short))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An English text without misspelled words.
    const ENGLISH: &str = "You can see that the lamp is on when it is not for you. ";

    #[track_caller]
    fn check(texts: &[&str], expected: &[&str]) {
        let texts: Vec<String> = texts.iter().map(|text| format!("{ENGLISH}\n{text}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let found = in_texts(&texts).into_iter().map(|it| texts[it.text][it.place].to_string());
        assert_eq!(found.collect::<Vec<_>>(), expected, "{texts:?}");
    }

    #[test]
    fn a_word_is_compared_with_frequent_ones() {
        let filament = "the filaments, FILAMENTS, and\nmyFilaments of it";
        for slip in
            ["filametns", "filments", "filamments", "Filments", "`filments`", "my_filments", "onFilmentsOn"]
        {
            let word = slip.trim_matches('`').trim_start_matches("my_");
            let word = if word.starts_with("on") { "Filments" } else { word };
            check(&[filament, slip], &[word]);
            check(&[&format!("{filament}\n{slip}")], &[word]);
            check(&[filament, &format!("{slip}\n{slip}")], &[]);
        }
        check(&["two filaments and filaments", "filments"], &[]);
        check(&[filament, "filavents and xilaments"], &[]);
        check(&["of wicks, wicks, wicks", "wikcs"], &[]);
        check(&["burner ".repeat(10).as_str(), "brunner, brner"], &[]);
        check(&["burner ".repeat(10).as_str(), "brunre"], &[]);
        check(&["burner ".repeat(10).as_str(), "bunrer"], &["bunrer"]);
        check(&["burner ".repeat(9).as_str(), "bunrer"], &[]);
        check(&["h_split_lamp h_split_lamp h_split_lamp", "hsplit_lamp"], &["hsplit_lamp"]);
        check(&["lamp_watts lamp_watts", "lamp_wtats"], &["lamp_wtats"]);
        check(&["aLampWatt aLampWatt aLampWatt", "aLmpWatt"], &[]);
        check(&["oilLampWatt oilLampWatt oilLampWatt", "oilLmpWatt"], &["oilLmpWatt"]);
        check(&["auto-ignite, auto-ignite, auto-ignite", "auto-ingite"], &["auto-ingite"]);
        check(&["LAMP_LOG_LEVEL LAMP_LOG_LEVEL LAMP_LOG_LEVEL", "LAMP_LOGLEVEL"], &["LAMP_LOGLEVEL"]);
    }

    #[test]
    fn correct_words_resemble_others() {
        check(&["observers, observers, observers", "it observes"], &[]);
        check(&["scrapping, scrapping, scrapping", "scraping"], &["scraping"]);
        check(&["scrapping, scrapping, scrapping", "scraping", "scrape"], &[]);
        check(&["observational, observational, observational", "observatonal"], &["observatonal"]);
        check(&["trailing, trailing, trailing", "trialing"], &[]);
        check(&["neighbors, neighbors, neighbors", "neighbours"], &[]);
        check(&["fulfillment, fulfillment, fulfillment", "fulfilment"], &[]);
        check(
            &["fromData fromData fromData2 fromLampData fromLampData fromLampData", "formLampData, a form"],
            &[],
        );
        check(&["filaments filaments filaments", "filaments, not filments"], &[]);
        check(
            &[
                "filaments filaments filaments",
                "[it](filments.md) https://filments.example @filments <!-- filments",
            ],
            &[],
        );
        check(&["filaments filaments filaments", "filmentsé"], &[]);
        check(&["modifiers, modifiers, modifiers", "modifies", "modify"], &[]);
        check(&["filaments filaments filaments", "-ffilaments"], &[]);
        check(&["xxxxxxxxx xxxxxxxxx xxxxxxxxx", "xxxxxxxx"], &[]);
        check(&["container_uid container_uid container_uid", "container_uuid"], &[]);
        check(&["lampLogs1 lampLogs1 lampLogs1", "lampLog1"], &[]);
    }

    #[test]
    fn a_word_is_suggested_with_the_capital_letters_of_its_misspelling() {
        for (word, written, expected) in [
            ("filament", "filment", "filament"),
            ("filament", "Filment", "Filament"),
            ("filament", "FILAMETN", "FILAMENT"),
            ("nsfilament", "NSFilment", "NSFilament"),
            ("filament", "filamment", "filament"),
            ("aLampWatt", "aLmpWatt", "aLampWatt"),
        ] {
            assert_eq!(cased(word, written), expected, "{written}");
        }
    }

    #[test]
    fn only_english_words_are_compared() {
        let texts =
            ["der Lampenschirm, der Lampenschirm, der Lampenschirm ist", "der Lampnschirm ist nicht das"];
        assert!(in_texts(&texts).is_empty());
        let texts = ["lampenSchirm lampenSchirm lampenSchirm", "der lampnSchirm ist nicht das"];
        assert_eq!(in_texts(&texts).len(), 1);
    }

    #[test]
    fn names_consist_of_words() {
        let parts = |name| parts(name).map(|(_, part)| part).collect::<Vec<_>>().join(" ");
        assert_eq!(parts("decremntButton"), "decremnt Button");
        assert_eq!(parts("HTTP_lamp2Oil"), "HTTP lamp Oil");
        assert_eq!(parts("a_b"), "a b");
    }
}
