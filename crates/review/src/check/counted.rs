//! Lists with more or fewer items than the sentence before them counts: "There are three ways:" before four items.

use std::ops::Range;

use super::Subject;
use base::diagnostic::{Code, Problem};
use base::fences::{Fences, LineKind};
use base::items::only;
use base::list_item::ListItem;

/// Numbers as words. The first is 2.
const NUMBERS: [&str; 9] = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// Nouns for the items of lists. Others are counted for another reason: "assigned to two groups".
#[rustfmt::skip]
const NOUNS: [&str; 41] = [
    "approaches", "arguments", "attributes", "cases", "categories", "commands", "components", "directories", "examples", "features",
    "fields", "files", "flags", "formats", "forms", "functions", "items", "keys", "kinds", "levels", "methods", "modes", "options",
    "packages", "parameters", "parts", "phases", "properties", "reasons", "rules", "scenarios", "sections", "settings", "stages",
    "states", "steps", "strategies", "types", "values", "variants", "ways",
];

/// Maximum number of adjectives between a number and its noun.
const MOST_ADJECTIVES: usize = 2;

/// Maximum number of words after the noun.
const MOST_AFTER: usize = 6;

/// A number in a sentence that ends with a colon.
#[derive(Debug, PartialEq)]
struct CountedItems<'t> {
    number: usize,
    noun: &'t str,
    place: Range<usize>,
}

/// Reports the numbers that differ by one from the number of items. Other differences have another cause.
pub(super) fn lists(subject: &Subject<'_>) -> Vec<Problem> {
    let wrong = found(&subject.text, subject.document.body);
    wrong.into_iter().map(|(counted, items)| problem(&counted, items)).collect()
}

fn problem(CountedItems { number, noun, place }: &CountedItems<'_>, items: usize) -> Problem {
    let message = format!("the sentence counts {number} {noun}, and the list below it has {items}");
    let help = "correct the number, or the list".to_string();
    Problem::new(Code::WrongCount, place.clone(), message).help(help)
}

/// Returns the wrong numbers, each with the number of items.
fn found(text: &str, body: usize) -> Vec<(CountedItems<'_>, usize)> {
    let colons = memchr::memmem::find_iter(&text.as_bytes()[body..], b":\n").map(|at| body + at + 1);
    let wrong = colons.filter_map(|end| {
        let items = items(&text[end..])?;
        let counted = counted(text, paragraph(text, body, end)?)?;
        let is_wrong = items.abs_diff(counted.number) == 1;
        (is_wrong && is_shown(&text[body..], counted.place.start - body)).then_some((counted, items))
    });
    wrong.collect()
}

/// Returns the lines that end at a place and are neither items nor other blocks.
fn paragraph(text: &str, body: usize, end: usize) -> Option<Range<usize>> {
    let is_text = |line: &&str| {
        line.starts_with(|c: char| c.is_alphanumeric() || c == '*') && ListItem::of(line).is_none()
    };
    let first = text[body..end].rsplit('\n').take_while(is_text).last()?;
    Some(first.as_ptr() as usize - text.as_ptr() as usize..end)
}

/// Returns `false` in code, and in comments of HTML and MDX.
fn is_shown(body: &str, at: usize) -> bool {
    let is_open = |(open, close)| body[..at].rfind(open).is_some_and(|open| !body[open..at].contains(close));
    let mut fences = Fences::default();
    body[..at].split_inclusive('\n').for_each(|line| _ = fences.next(line));
    fences.next("") == LineKind::Text && ![("<!--", "-->"), ("{/*", "*/}")].into_iter().any(is_open)
}

/// Returns the only number in the last sentence of a paragraph, if it counts something that lists consist of.
fn counted(text: &str, paragraph: Range<usize>) -> Option<CountedItems<'_>> {
    let whole = &text[paragraph.clone()];
    let sentence = [". ", "! ", "? "].iter().filter_map(|end| Some(whole.rfind(end)? + 2)).max().unwrap_or(0);
    let words: Vec<&str> = whole[sentence..].trim_end_matches(':').split_whitespace().collect();
    let number = |word: &str| {
        let by_name = || NUMBERS.iter().position(|name| name.eq_ignore_ascii_case(word)).map(|at| at + 2);
        word.parse().ok().filter(|number| (2..=NUMBERS.len() + 1).contains(number)).or_else(by_name)
    };
    let numbers = words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.starts_with(|c: char| c.is_ascii_digit()) || number(word).is_some());
    let (at, written) = only(numbers)?;
    let after = &words[at + 1..];
    let noun = after.iter().take(MOST_ADJECTIVES + 1).position(|word| NOUNS.contains(word))?;
    // Of two nouns, the other one may be that of the items: "two kinds of maps in a few ways".
    let has_other = after[noun + 1..].iter().any(|word| NOUNS.contains(word));
    let is_plain = |word: &&str| word.chars().all(|c| c.is_lowercase() || c == '-');
    let ends_soon =
        after.len() <= noun + 1 + MOST_AFTER && after[noun..].iter().all(|word| !word.ends_with([',', ';']));
    let start = written.as_ptr() as usize - text.as_ptr() as usize;
    let counted =
        CountedItems { number: number(written)?, noun: after[noun], place: start..start + written.len() };
    (after[..noun].iter().all(is_plain) && ends_soon && !has_other).then_some(counted)
}

/// Returns the number of items of the list with which a text begins, unless an item is about all others.
fn items(text: &str) -> Option<usize> {
    let mut lines = text.lines().skip_while(|line| line.trim().is_empty()).peekable();
    let first = ListItem::of(lines.peek()?)?;
    let (mut fences, mut count, mut is_blank) = (Fences::default(), 0, false);
    for line in lines {
        if fences.next(line) != LineKind::Text {
            continue;
        }
        let depth = line.len() - line.trim_start().len();
        match ListItem::of(line) {
            Some(item) if item.indent == first.indent => {
                if item.mark != first.mark || item.text.to_lowercase().starts_with("both ") {
                    return None;
                }
                count += 1;
            }
            Some(item) if item.indent < first.indent => break,
            None if is_blank && depth <= first.indent && !line.trim().is_empty() => break,
            _ => {}
        }
        is_blank = line.trim().is_empty();
    }
    (count > 1).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(usize, usize)>) {
        let found: Vec<_> = found(text, 0).into_iter().map(|(it, items)| (it.number, items)).collect();
        assert_eq!(found, Vec::from_iter(expected), "{text}");
    }

    #[test]
    fn only_a_number_of_the_items_is_compared() {
        let list = "\n- a\n- b\n\n  c\n- d\n\nText.\n";
        check(&format!("There are two ways:\n{list}"), Some((2, 3)));
        check(&format!("Text. It has 4 different\nmodes of use:\n{list}"), Some((4, 3)));
        check(&format!("There are three ways:\n{list}"), None);
        check(&format!("There are five ways:\n{list}"), None);
        check(&format!("Of two ways, one has 3 steps:\n{list}"), None);
        check(&format!("In two groups:\n{list}"), None);
        check(&format!("Of two kinds of lamps in a few ways:\n{list}"), None);
        check(&format!("- There are two ways:\n{list}"), None);
        check("There are two ways:\n\n1. a\n1. b\n1. c\n", Some((2, 3)));
        check("There are two ways:\n\n- a\n- b\n- both of them\n", None);
        check("There are two ways:\n\n- a\n  - b\n  - c\n- d\n", None);
        check("There are two ways:\n\n- a\n- b\n\n```\n- c\n```\n", None);
        check("```\nThere are two ways:\n\n- a\n- b\n- c\n```\n", None);
    }
}
