//! Checks running text.

use std::ops::Range;

use memchr::{memchr_iter, memmem};

use super::Subject;
use base::diagnostic::{Code, Problem};
use markup::markdown::{Passage, Prose, ProseKind};

/// Pairs that are correct English, such as "had had", and terms of C++: `long long`, "template template parameter".
const LEGITIMATE: [&str; 27] = [
    "etc", "had", "that", "it", "up", "out", "very", "so", "no", "bye", "ha", "her", "you", "blah", "long",
    "extra", "template", "many", "much", "prime", "really", // German articles that are also pronouns.
    "das", "dem", "den", "der", "des", "die",
];

/// Words before pairs that are correct after them: "log in in the app", "turn it on on the phone", "what it is is".
const BEFORE_IN: [&str; 17] = [
    "built", "bring", "check", "come", "drop", "fill", "fit", "go", "kick", "log", "move", "opt", "plug",
    "sign", "step", "type", "zoom",
];
const BEFORE_ON: [&str; 20] = [
    "add", "based", "build", "carry", "click", "depend", "go", "hold", "it", "keep", "later", "listen",
    "log", "move", "rely", "run", "sign", "switch", "turn", "them",
];
const BEFORE_IS: [&str; 12] = [
    "all", "how", "issue", "point", "problem", "question", "thing", "what", "whatever", "where", "which",
    "who",
];

/// Whether a pair is correct after the words before it.
fn is_legitimate_after(before: &str, word: &str) -> bool {
    /// Maximum number of words between the start of a clause and its verb.
    const FURTHEST: usize = 8;
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let mut words = before.split_whitespace().rev().map(bare);
    // Forms of a verb begin alike.
    let mut follows =
        |verbs: &[&str]| words.next().is_some_and(|word| verbs.iter().any(|it| word.starts_with(it)));
    match word {
        "in" => follows(&BEFORE_IN),
        "on" => follows(&BEFORE_ON),
        "is" => words.take(FURTHEST).any(|word| BEFORE_IS.contains(&word.as_str())),
        _ => false,
    }
}

/// Minimum number of words of a table cell with prose. A shorter one is a value.
const FEWEST_WORDS_OF_PROSE: usize = 5;

/// Reports repeated words.
pub(super) fn doubled_words(subject: &Subject<'_>) -> Vec<Problem> {
    let mut problems = doubled_in(&subject.page.prose);
    // A compound that the page also has with a hyphen: "active active".
    let is_compound = |problem: &Problem| {
        let words = subject.text.get(problem.span.clone()).unwrap_or_default();
        let compound = words.split_whitespace().collect::<Vec<_>>().join("-").to_lowercase();
        subject.text.to_lowercase().contains(&compound)
    };
    problems.retain(|problem| !is_placeholder(&subject.text, &problem.span) && !is_compound(problem));
    problems
}

/// Reports paragraphs that repeat the one before.
pub(super) fn repeated_paragraphs(subject: &Subject<'_>) -> Vec<Problem> {
    let prose = &subject.page.prose;
    let problem = |(before, passage): (Passage<'_>, Passage<'_>)| {
        let is_same = before.text == passage.text && passage.kind == ProseKind::Text;
        if !is_same || passage.text.split_whitespace().count() < FEWEST_WORDS_OF_PROSE {
            return None;
        }
        let whole = |it: &Passage<'_>| it.span(0..it.text.len());
        let between = subject.text.get(whole(&before).end..whole(&passage).start)?;
        let message = "the paragraph repeats the one before";
        let problem = Problem::new(Code::DoubledWord, whole(&passage), message);
        between.trim().is_empty().then(|| problem.help("remove one of them".to_string()))
    };
    prose.iter().zip(prose.iter().skip(1)).filter_map(problem).collect()
}

/// Whether the repetition is meant: only one word is a link or in bold, as a term, or emphasized, as the name of a value
/// ("the path *path*"), or the second begins a line after a line break or a line in bold, begins a line with a capital letter,
/// or comes after a tab or a `|`.
pub(super) fn is_placeholder(text: &str, span: &Range<usize>) -> bool {
    let words = &text.get(span.clone()).unwrap_or_default().replace('\r', "");
    // The second may begin a line of a quote.
    let second = words.split_ascii_whitespace().skip(1).find(|word| *word != ">").unwrap_or_default();
    let begins_upper = |word: &str| word.starts_with(char::is_uppercase);
    let begins_line = words.contains('\n') && !begins_upper(words) && begins_upper(second);
    let breaks = ["\\\n", "  \n", "<br", "**\n", "\t", "|", "{{", "{%"];
    let first = words.split_ascii_whitespace().next().unwrap_or_default();
    // The text of the link is the word, or begins with it.
    let is_whole = first.contains("](") && text.get(..span.start).is_some_and(|before| before.ends_with('['));
    let is_english = ENGLISH.contains(&second.trim_start_matches('[').to_lowercase().as_str());
    let is_link = (is_whole || second.starts_with('[')) && !is_english;
    // The last word of a link may belong to its verb: "[apply for](…) for you".
    let is_particle = PARTICLES.contains(&second.to_lowercase().as_str()) && first.contains("](");
    let is_term =
        is_particle || first.ends_with("**") || is_link || first.ends_with(['*', '_']) && !is_english;
    begins_line || is_term || second.starts_with(['*', '_']) || breaks.iter().any(|it| words.contains(it))
}

pub(super) fn doubled_in(prose: &Prose) -> Vec<Problem> {
    let is_ascii = prose.text().is_ascii();
    let mut alike = neighbours_alike(prose.text().as_bytes()).into_iter().peekable();
    let mut problems = Vec::new();
    for passage in prose.iter() {
        let place = passage.place(&(0..passage.text.len()));
        if !is_ascii && !passage.text.is_ascii() {
            problems.extend(doubled_in_any_letters(passage));
            continue;
        }
        while let Some(Neighbours { first, second }) = alike.next_if(|it| it.second < place.end) {
            // The previous passage may end with the first word.
            if first >= place.start {
                problems.extend(doubled_at(passage, first - place.start, second - place.start));
            }
        }
    }
    problems
}

/// The data of findings about filler text.
pub(super) const FILLER_TEXT: &str = "filler";

/// Reports notes such as `TODO: …` and filler text.
pub(super) fn placeholders(subject: &Subject<'_>) -> Vec<Problem> {
    const NOTES: [&str; 4] = ["TODO", "FIXME", "TBD", "XXX"];
    const FILLER: &str = "orem ipsum";
    let prose = &subject.page.prose;
    let all = prose.text();
    if !NOTES.iter().chain([&FILLER]).any(|it| memmem::find(all.as_bytes(), it.as_bytes()).is_some()) {
        return Vec::new();
    }
    let places = prose.iter().flat_map(|passage| {
        let found = NOTES.iter().chain([&FILLER]).flat_map(move |it| passage.text.match_indices(*it));
        let notes = found.filter_map(move |(at, written)| {
            let (before, after) = (&passage.text[..at], &passage.text[at + written.len()..]);
            let is_whole =
                before.trim().is_empty() && after.trim_end_matches(['.', '!', ' ', '\n']).is_empty();
            let is_in_brackets = before.ends_with(['(', '[']) && after.starts_with([')', ']', ' ', ':']);
            // A section may list what is left to do, and a table what isn't decided.
            let is_value =
                written == "TBD" && passage.kind == ProseKind::Cell || passage.kind == ProseKind::Heading;
            // A comment of MDX, in a page that is no MDX here.
            let is_comment = before.trim_end().ends_with("{/*");
            let is_quoted = before.ends_with(['"', '\'', '“', '‘', '«']);
            let is_note = written == FILLER
                || !is_comment
                    && !is_quoted
                    && !before.ends_with(joins)
                    && (is_whole && !is_value || is_in_brackets || after.starts_with(':'));
            let span = at..at + written.len();
            (is_note && !passage.is_code(&span)).then(|| (passage.span(span), written == FILLER))
        });
        notes.collect::<Vec<_>>()
    });
    let problem = |(span, is_filler): (Range<usize>, bool)| {
        let help = "write the text, or put the note into a comment".to_string();
        let message = "the page is unfinished here, and readers see it";
        let problem = Problem::new(Code::PlaceholderText, span, message).help(help);
        if is_filler { problem.data(FILLER_TEXT, true) } else { problem }
    };
    places.map(problem).collect()
}

/// Reports days that don't exist: `2024-21-10`. In code, one may be an example.
pub(super) fn wrong_days(subject: &Subject<'_>) -> Vec<Problem> {
    /// The part of a day up to its first hyphen.
    const YEAR: usize = "2024".len();
    const DAY: usize = "2024-10-21".len();
    let prose = &subject.page.prose;
    let all = prose.text();
    let is_part =
        |byte: Option<&u8>| byte.is_some_and(|it| it.is_ascii_alphanumeric() || b"-_/.".contains(it));
    let starts = memchr_iter(b'-', all.as_bytes()).filter_map(|hyphen| hyphen.checked_sub(YEAR));
    let starts = starts.filter(|at| all.as_bytes().get(at + 7) == Some(&b'-'));
    let wrong: Vec<usize> = starts
        .filter(|&at| {
            let before = at.checked_sub(1).and_then(|before| all.as_bytes().get(before));
            let after = all.as_bytes().get(at + DAY);
            !is_part(before)
                && !after.is_some_and(u8::is_ascii_alphanumeric)
                && all.get(at..at + DAY).is_some_and(is_no_day)
        })
        .collect();
    let found = wrong.into_iter().filter_map(|at| {
        let passage = prose.iter().find(|it| it.place(&(0..it.text.len())).contains(&at))?;
        let start = at - passage.place(&(0..0)).start;
        let part = start..start + DAY;
        let written = passage.text.get(part.clone()).filter(|_| !passage.is_code(&part))?;
        let problem =
            Problem::new(Code::UnusualValue, passage.span(part), format!("`{written}` isn't a date"));
        let swapped = format!("{}-{}-{}", &written[..4], &written[8..], &written[5..7]);
        Some(if is_no_day(&swapped) { problem } else { problem.help(format!("did you mean `{swapped}`?")) })
    });
    found.chain(wrong_days_of_months(prose)).collect()
}

/// Reports days that a month doesn't have: `June 31, 2026`, `31 June 2026`.
fn wrong_days_of_months(prose: &Prose) -> Vec<Problem> {
    const MONTHS: [(&str, u32); 5] =
        [("February", 29), ("April", 30), ("June", 30), ("September", 30), ("November", 30)];
    let mut found = Vec::new();
    // Most pages have no date, and this is faster than a search in each passage.
    let has_month =
        |(month, _): &(&str, u32)| memchr::memmem::find(prose.text().as_bytes(), month.as_bytes()).is_some();
    if !MONTHS.iter().any(has_month) {
        return found;
    }
    for passage in prose.iter() {
        for (at, month, most) in MONTHS.iter().flat_map(|(month, most)| {
            passage.text.match_indices(month).map(move |(at, month)| (at, month, most))
        }) {
            let end = at + month.len();
            let after = passage.text[end..].strip_prefix(' ').unwrap_or_default();
            let before = passage.text[..at].strip_suffix(' ').unwrap_or_default();
            let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
            let is_year = |text: &str| {
                text.starts_with([' ', ',']) && {
                    let year = text.trim_start_matches([',', ' ']);
                    digits(year) == 4 && year.starts_with(['1', '2'])
                }
            };
            let length = digits(after);
            let last = before.bytes().rev().take_while(u8::is_ascii_digit).count();
            let (span, day) = if length > 0 && is_year(&after[length..]) {
                (at..end + 1 + length, &after[..length])
            } else if last > 0 && is_year(&passage.text[end..]) {
                (at - 1 - last..end, &before[before.len() - last..])
            } else {
                continue;
            };
            let is_wrong = day.parse::<u32>().is_ok_and(|day| day > *most && day <= 31);
            if is_wrong && !passage.is_code(&span) {
                let message = format!("{month} has {most} days");
                let problem = Problem::new(Code::UnusualValue, passage.span(span), message);
                found.push(problem.help("correct the date".to_string()));
            }
        }
    }
    found
}

/// Whether a text has the form of a day, and isn't one: `2026-02-30`.
pub(super) fn is_no_day(written: &str) -> bool {
    fn day(written: &str) -> Option<bool> {
        let mut parts = written.split('-').map(|part| part.parse::<i16>().ok());
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        let is_day = jiff::civil::Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).is_ok();
        Some(!is_day && (1000..3000).contains(&year) && (1..=31).contains(&day))
    }
    day(written).unwrap_or_default()
}

fn doubled_in_any_letters(passage: Passage<'_>) -> impl Iterator<Item = Problem> {
    let mut tokens = passage.text.split(|c| !joins(c)).filter(|token| !token.is_empty());
    let mut before = tokens.next().unwrap_or_default();
    tokens.filter_map(move |token| doubled(passage, std::mem::replace(&mut before, token), token))
}

/// Returns the finding for the two words that begin at `first` and `second`, if they are equal.
fn doubled_at(passage: Passage<'_>, first: usize, second: usize) -> Option<Problem> {
    if is_alone(passage.text, first) && is_alone(passage.text, second) {
        return doubled_article(passage, first, second);
    }
    // Fast path: most words with the same beginning differ in their third letter.
    let third = |at: usize| passage.text.as_bytes().get(at + 2).filter(|byte| byte.is_ascii_alphabetic());
    if third(first).map(u8::to_ascii_lowercase) != third(second).map(u8::to_ascii_lowercase) {
        return None;
    }
    let begins = |at: usize| !passage.text[..at].ends_with(joins);
    let token = |at: usize| passage.text[at..].split(|c| !joins(c)).next().unwrap_or_default();
    (begins(first) && begins(second)).then(|| doubled(passage, token(first), token(second)))?
}

/// Whether the letter at a position is a word.
fn is_alone(text: &str, at: usize) -> bool {
    let is_joined = |byte: Option<&u8>| byte.is_some_and(|byte| !byte.is_ascii_whitespace());
    let bytes = text.as_bytes();
    !is_joined(at.checked_sub(1).and_then(|before| bytes.get(before))) && !is_joined(bytes.get(at + 1))
}

/// Returns the finding for `a a` in an English sentence. Any other letter may be a name, and so may `a` before a
/// capital letter or the end of the sentence.
fn doubled_article(passage: Passage<'_>, first: usize, second: usize) -> Option<Problem> {
    let after = passage.text[second + 1..].trim_start();
    let next = after.split(|c: char| !c.is_ascii_lowercase()).next().unwrap_or_default();
    // "Option A a user".
    let is_label = passage.text[first..].starts_with('A') && !passage.text[..first].trim_end().is_empty();
    let is_article = passage.text[second..].starts_with('a')
        && !is_label
        && passage.text[first + 1..second].trim().is_empty()
        && next.len() > 1
        && !passage.is_code(&(first..second + 1))
        && is_prose(&passage)
        && is_english(passage.text);
    let message = "`a` is repeated";
    let help = "remove one of them".to_string();
    is_article.then(|| Problem::new(Code::DoubledWord, passage.span(first..second + 1), message).help(help))
}

/// The starts of two adjacent words.
struct Neighbours {
    first: usize,
    second: usize,
}

/// Returns the ASCII words whose first two letters are those of the previous word, ignoring case.
///
/// Every word of a site is compared, so letters are searched eight at a time: in a number of eight bytes, bit 7 of
/// each byte is set if the byte is a letter.
fn neighbours_alike(text: &[u8]) -> Vec<Neighbours> {
    const EACH: u64 = u64::MAX / 255;
    let mut alike = Vec::new();
    let (mut first, mut letters_of_first) = (0, None);
    let mut letters_before = 0;
    for (at, chunk) in (0..).step_by(8).zip(text.chunks(8)) {
        let eight = chunk.try_into().unwrap_or_else(|_| {
            let mut last = [0; 8];
            last[..chunk.len()].copy_from_slice(chunk);
            last
        });
        let eight = u64::from_le_bytes(eight);
        let lower = (eight & (EACH * 0x7f)) | (EACH * 0x20);
        let from_a = lower + EACH * u64::from(0x80 - b'a');
        let behind_z = lower + EACH * u64::from(0x7f - b'z');
        let letters = from_a & !behind_z & !eight & (EACH * 0x80);
        let mut begins = letters & !((letters << 8) | (letters_before >> 56));
        letters_before = letters;
        while begins != 0 {
            let second = at + begins.trailing_zeros() as usize / 8;
            begins &= begins - 1;
            let two = text.get(second..second + 2).map(|two| u16::from_le_bytes([two[0], two[1]]) | 0x2020);
            if two.is_some() && two == letters_of_first {
                alike.push(Neighbours { first, second });
            }
            (first, letters_of_first) = (second, two);
        }
    }
    alike
}

/// Returns the finding for a word that repeats the previous one.
fn doubled(prose: Passage<'_>, first: &str, token: &str) -> Option<Problem> {
    // A full stop ends a sentence: "… is what it is. Is it?"
    let second = token.trim_end_matches('.');
    let whole = offset(prose.text, first)..offset(prose.text, second) + second.len();
    let between = &prose.text[whole.start + first.len()..whole.end - second.len()];
    if !is_word(first) || !same_letters(first, second) || !between.chars().all(char::is_whitespace) {
        return None;
    }
    let word = second.to_lowercase();
    // A name: "Perron Cluster Cluster Analysis".
    let next = prose.text[whole.end..].trim_start();
    // Arguments of a program, "arg arg ...", and an element with its attribute, `icon icon="star"`.
    let is_assigned = next.starts_with('=') && !ENGLISH.contains(&word.as_str());
    if next.starts_with("...") || next.starts_with('…') || is_assigned {
        return None;
    }
    let before = prose.text[..whole.start].split_whitespace().next_back().unwrap_or_default();
    let begins_upper = |word: &str| word.starts_with(char::is_uppercase);
    let is_name = |words: [&str; 3]| words.into_iter().all(begins_upper);
    if is_name([first, second, next]) || is_name([before, first, second]) {
        return None;
    }
    let next_word = next.split(|c| !joins(c)).next().unwrap_or_default();
    // Three or more are on purpose.
    let are_more = same_letters(before, first) || same_letters(next_word.trim_end_matches('.'), first);
    if are_more && !ENGLISH.contains(&word.as_str()) {
        return None;
    }
    // A type with its variable, in a heading or in code, and a name with its kind: "Loc loc", "Loc loc = 1", "Go Module module".
    let is_type = begins_upper(first) && !begins_upper(second);
    let is_named =
        prose.kind == ProseKind::Heading || next.starts_with(['=', ';', ',', ')']) || begins_upper(before);
    if is_type && is_named && !ENGLISH.contains(&word.as_str()) {
        return None;
    }
    // A command with its argument, the name of a class, and other names: "\page install Install it", "<Device>Class class",
    // "the *The Organization*", "Piri Piri", "%key key", "can::tag tag".
    let is_title = second.starts_with(char::is_uppercase)
        && (!ENGLISH.contains(&word.as_str())
            || !first.starts_with(char::is_uppercase) && next.starts_with(char::is_uppercase));
    let before_both = &prose.text[..whole.start];
    if is_title || before_both.ends_with(['<', '>', '%', '$', '@', '#']) || before_both.ends_with("::") {
        return None;
    }
    // One of them is the name of an operator: "AND and OR".
    let is_capital = |word: &str| word.len() > 1 && word.chars().all(char::is_uppercase);
    // Several are arguments: "list STRING STRING".
    if is_capital(first) != is_capital(second) || is_capital(first) && prose.text.contains(char::is_lowercase)
    {
        return None;
    }
    if LEGITIMATE.contains(&word.as_str())
        || is_legitimate_after(&prose.text[..whole.start], &word)
        || prose.is_code(&whole)
        || !is_prose(&prose)
        || is_in_another_language(&prose)
    {
        return None;
    }
    let message = format!("`{word}` is repeated");
    let help = "remove one of them".to_string();
    Some(Problem::new(Code::DoubledWord, prose.span(whole), message).help(help))
}

/// Words that may end a verb, and begin what follows it.
const PARTICLES: [&str; 8] = ["for", "from", "in", "of", "on", "to", "up", "with"];

/// Words that occur in nearly every sentence, and not in other languages.
const ENGLISH: [&str; 20] = [
    "the", "of", "and", "is", "are", "for", "with", "you", "your", "this", "that", "it", "can", "be", "from",
    "not", "will", "when", "which", "have",
];

/// The same for German, French, Spanish, Italian, Portuguese, Dutch, Turkish and Indonesian.
const OTHERS: [&str; 62] = [
    "der", "das", "und", "ist", "nicht", "ein", "eine", "auf", "für", "werden", "sie", "wenn", "mit", "le",
    "les", "des", "et", "est", "vous", "pour", "une", "dans", "sur", "pas", "el", "los", "las", "para",
    "una", "con", "del", "il", "che", "di", "per", "non", "os", "uma", "com", "não", "het", "een", "van",
    "zijn", "dat", "je", "en", "voor", "niet", "bij", "bir", "ve", "bu", "için", "ile", "olarak", "yang",
    "dan", "untuk", "dengan", "ini", "tidak",
];

/// Maximum number of words for recognizing a language, because a text may repeat many words.
const MOST_WORDS: usize = 200;

/// Whether a text is in a language that this rule doesn't support: "die, die", "vous vous" and "song song" are correct in some.
fn is_in_another_language(prose: &Passage<'_>) -> bool {
    let is_vietnamese = |c: char| matches!(c, 'ơ' | 'ư' | '\u{1ea0}'..='\u{1ef9}');
    let (english, others) = languages(prose.text);
    others > english || !prose.text.is_ascii() && prose.text.contains(is_vietnamese)
}

pub(super) fn is_english(text: &str) -> bool {
    let (english, others) = languages(text);
    english > others
}

/// Returns how many words of a text are frequent ones in English, and in other languages.
fn languages(text: &str) -> (usize, usize) {
    let (mut english, mut others) = (0, 0);
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1);
    for word in words.take(MOST_WORDS) {
        let word = word.to_lowercase();
        english += usize::from(ENGLISH.contains(&word.as_str()));
        others += usize::from(OTHERS.contains(&word.as_str()));
    }
    (english, others)
}

fn is_prose(prose: &Passage<'_>) -> bool {
    prose.kind != ProseKind::Cell || prose.text.split_whitespace().nth(FEWEST_WORDS_OF_PROSE - 1).is_some()
}

/// Whether a character is part of a word or number: hyphens, apostrophes and digits join two words into another.
fn joins(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '\'' | '_' | '.' | '/' | '@' | '’')
}

fn same_letters(a: &str, b: &str) -> bool {
    a.chars().flat_map(char::to_lowercase).eq(b.chars().flat_map(char::to_lowercase))
}

/// At least two letters, of a script whose languages don't repeat words for emphasis or number.
fn is_word(token: &str) -> bool {
    // Latin, Greek, and Cyrillic.
    let is_supported = |c: char| c < '\u{530}' || ('\u{1e00}'..'\u{2000}').contains(&c);
    token.chars().count() >= 2 && token.chars().all(|c| c.is_alphabetic() && is_supported(c))
}

/// Returns the position of a slice in its text.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Reports invisible characters, which break search, copying and code.
pub(super) fn invisible_characters(subject: &Subject<'_>) -> Vec<Problem> {
    let text = &subject.text[subject.document.body..];
    let mut problems: Vec<Problem> = Vec::new();
    // Fast path: most pages are ASCII, whose bytes are compared many at a time.
    if text.bytes().fold(true, |plain, byte| plain & (matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t'))) {
        return problems;
    }
    let is_slip = |(at, letter): &(usize, char)| is_invisible(*letter) && !divides_words(text, *at, *letter);
    for (at, letter) in text.char_indices().filter(is_slip) {
        let start = subject.document.body + at;
        let end = start + letter.len_utf8();
        if let Some(problem) = problems.last_mut().filter(|problem| problem.span.end == start) {
            problem.span.end = end;
        } else {
            let message = format!("invisible character: U+{:04X}", u32::from(letter));
            let help = "remove it; it breaks search and copied text".to_string();
            problems.push(Problem::new(Code::InvisibleCharacter, start..end, message).help(help));
        }
    }
    // A line with many of them shows the bytes of a file.
    let are_in_line =
        |one: &Problem, next: &Problem| !subject.text[one.span.end..next.span.start].contains('\n');
    let is_of_text = |found: &&[Problem]| {
        let start = subject.text[..found[0].span.start].rfind('\n').map_or(0, |end| end + 1);
        let line = subject.text[start..].lines().next().unwrap_or_default();
        line.chars().filter(|letter| is_invisible(*letter)).count() <= MOST_IN_LINE
    };
    problems.chunk_by(are_in_line).filter(is_of_text).flatten().cloned().collect()
}

/// Maximum number of invisible characters in a line of text.
const MOST_IN_LINE: usize = 4;

/// Whether a zero-width space is needed: between words in a script without spaces, or next to markup that wouldn't be
/// recognized directly after a word.
fn divides_words(text: &str, at: usize, letter: char) -> bool {
    let is_of_script = |c: char| {
        matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
    };
    let before = text[..at].chars().rev().take_while(|c| *c != '\n').take(NEAR);
    let after = text[at + letter.len_utf8()..].chars().take_while(|c| *c != '\n').take(NEAR);
    letter == '\u{200b}' && before.chain(after).any(is_of_script)
}

/// Number of characters on each side that determine the script of a text.
const NEAR: usize = 24;

/// Matches zero-width spaces, direction marks, and control characters, but not joiners, because scripts and emoji
/// need them.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || letter.is_control() && !matches!(letter, '\n' | '\r' | '\t')
}

/// Returns the line around a position.
pub(super) fn line_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    text[start..].lines().next().unwrap_or_default()
}

pub(super) fn has_several_words(name: &str) -> bool {
    name.as_bytes()
        .windows(2)
        .any(|pair| pair[1] == b'_' || pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::dialect::Dialect;
    use markup::edition::Edition;
    use markup::markdown;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let page = markdown::parse(text, 0, &Edition::default(), &Dialect::default());
        let problems =
            doubled_in(&page.prose).into_iter().filter(|problem| !is_placeholder(text, &problem.span));
        let found: Vec<&str> = problems.map(|problem| &text[problem.span]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_repeated_word_is_found_anywhere() {
        for before in 0..18 {
            let before = "x".repeat(before);
            check(&format!("{before} the the end of it"), &["the the"]);
            check(&format!("{before} (The the) end"), &["The the"]);
            check(&format!("{before}: send send."), &["send send"]);
            check(&format!("{before} “the the” end"), &["the the"]);
            check(&format!("{before} über über"), &["über über"]);
        }
        check("the the the", &["the the", "the the"]);
        check("The The Garden of it", &[]);
        check("Cluster Cluster of it", &[]);
        check("lamp lamp lamp of it", &[]);
        check("# Loc loc of it", &[]);
        check("Loc loc = new Loc()", &[]);
        check("A valid Go Module module path", &[]);
        check("Add add it", &["Add add"]);
        check("The the end", &["The the"]);
        check("of the The Lamp Group, and the The Lamp", &[]);
        check("of it, the The lamp", &["the The"]);
        check("an object\nObject: it", &[]);
        check("an object\nobject", &["object\nobject"]);
        check("garden\tGarden mode", &[]);
        check("to install Install it", &[]);
        check("of Lamp Plus Plus it", &[]);
        check("a \\<Lamp>Class class of it", &[]);
        check("Je weet dat je je meldt, en dat dat mag", &[]);
        check("this is a a page of it", &["a a"]);
        check("A a page of it", &["A a"]);
        check("it is a\na page", &["a\na"]);
        check("the\u{a0}the", &["the\u{a0}the"]);
        check("an é é end\n\nthe the\n\nÀ à à à\n\n| a the | the |\n| - | - |\n", &["the the"]);
    }

    #[test]
    fn different_neighbors_are_no_repetition() {
        for text in
            ["t", "a a", "the-the", "the.the", "x-the the", "the the-x", "the, the", "the then", "the2 the"]
        {
            check(text, &[]);
        }
        check("Log in in the app, turn it on on the phone, and see what it is is.", &[]);
        check("The branch where the edit is is merged. It listens on on behalf of others.", &[]);
        check(
            "We are in in the room, with lamps on on the table. The lamp is is new.",
            &["in in", "on on", "is is"],
        );
        check("`the the` is code, had had is English", &[]);
        check("deletes the paths *paths* and the path _path_", &[]);
        check("> at a port\n> *port* of it", &[]);
        check("*the the* end, **the the** end", &["the the", "the the"]);
        check("at least *bytes* bytes and *the* the end", &["the* the"]);
        check("**The font** font of it, list KEY KEY, a long long, a template template", &[]);
        check("- [build](b) build it\n- parsing [parsing rules](b)", &[]);
        check("read [the](b) the page", &["the](b) the"]);
        check("read [the ping](b) ping", &["ping](b) ping"]);
        check("**Lamps**\\\r\nLamps are, and this is not one\n| one of them", &[]);
        check("Under Option A a lamp is on", &[]);
        check("der der Lampe, und von Lampen, die die Stadt, 그때 그때 그", &[]);
        check("nó được đặt song song", &[]);
        for text in ["of a a Big name", "of option a a", "of a `a a` word", "x a a de la une", "of b b words"]
        {
            check(text, &[]);
        }
    }
}
