//! Numbers in the texts of a list: `- Sample #1 …`, `- Sample #2 …`.

use std::ops::Range;

use super::Mistake;
use super::source::SourceLine;
use base::diagnostic::Code;
use base::items::only;
use base::list_item::ListItem;

/// An item with a number after its first words.
struct NumberedText<'s> {
    indent: usize,
    words: &'s str,
    number: u64,
    place: Range<usize>,
}

/// Reports the only number of such a list that isn't the one after it, if that of the next item is the second next: 7, 8, 8, 10.
pub(super) fn mistakes(lines: &[SourceLine<'_>]) -> Vec<Mistake> {
    /// Minimum number of items.
    const FEWEST: usize = 4;
    let items: Vec<NumberedText<'_>> = lines.iter().filter_map(numbered).collect();
    let lists = items.chunk_by(|one, next| one.indent == next.indent && one.words == next.words);
    let wrong = lists.filter(|list| list.len() >= FEWEST).filter_map(|list| {
        let breaks: Vec<usize> =
            (1..list.len()).filter(|at| list[*at].number != list[at - 1].number + 1).collect();
        // Codes may skip numbers, but each is listed once.
        let are_codes = list[0].words.is_empty();
        let first = match breaks[..] {
            _ if are_codes => {
                let repeated = breaks.iter().filter(|at| list[**at].number == list[**at - 1].number);
                let first = *only(repeated)?;
                list.windows(2).all(|pair| pair[0].number <= pair[1].number).then_some(first)?
            }
            [first, second] if second == first + 1 && list[second].number == list[first - 1].number + 2 => {
                first
            }
            _ => return None,
        };
        let (before, item) = (&list[first - 1], &list[first]);
        Some(Mistake {
            code: Code::WrongStepNumber,
            span: item.place.clone(),
            message: format!("number {} follows number {}", item.number, before.number),
            help: format!("use {}", before.number + 1),
            data: None,
        })
    });
    wrong.collect()
}

fn numbered<'s>(line: &SourceLine<'s>) -> Option<NumberedText<'s>> {
    /// Minimum number of letters before the number.
    const SHORTEST: usize = 3;
    let item = ListItem::of(line.text).filter(|it| it.number.is_none())?;
    let at = item.text.find(|c: char| c.is_ascii_digit())?;
    let (words, rest) = item.text.split_at(at);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_whole = !rest[digits..].starts_with(|c: char| c.is_alphanumeric() || c == '.');
    let letters = words.chars().filter(|c| c.is_alphabetic()).count();
    let is_term = words == "**" && rest[digits..].starts_with("**");
    let start = line.text.len() - item.text.len() + at;
    Some(NumberedText {
        indent: item.indent,
        words: words.trim_start_matches(['[', '*', '_']),
        number: rest[..digits].parse().ok().filter(|_| is_whole && (letters >= SHORTEST || is_term))?,
        place: line.place(start..start + digits),
    })
}
