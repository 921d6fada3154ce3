//! Notes whose marks are raised digits, as below a table: `yes ²`, and `² Only on Linux`.

use super::Mistake;
use super::source::{PageSource, SourceLine};
use base::diagnostic::Code;
use base::hash::HashSet;

/// In their order.
const DIGITS: [char; 9] = ['¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// Reports the first mark without its note, if the page has the notes before and after it. Without them, it is a power.
pub(super) fn missing(source: &PageSource<'_>, lines: &[SourceLine<'_>]) -> Option<Mistake> {
    if !source.shown.contains('³') {
        return None;
    }
    let number = |c: char| DIGITS.iter().position(|digit| *digit == c);
    let of_line = |line: &SourceLine<'_>| {
        let mut text = line.text.trim_start().chars();
        let number = number(text.next()?)?;
        text.next().is_some_and(|next| next == ' ' || next.is_alphabetic()).then_some(number)
    };
    let notes: HashSet<usize> = lines.iter().filter_map(of_line).collect();
    let is_missing = |number: usize| {
        let has_one_before = number == 0 || notes.contains(&(number - 1));
        !notes.contains(&number) && has_one_before && notes.contains(&(number + 1))
    };
    lines.iter().find_map(|line| {
        let mut marks = line.text.char_indices().filter_map(|(at, c)| Some((at, c, number(c)?)));
        let (at, mark, _) = marks.find(|(_, _, number)| is_missing(*number))?;
        Some(Mistake {
            code: Code::UndefinedReference,
            span: line.place(at..at + mark.len_utf8()),
            message: format!(
                "no line begins with {mark}, but others begin with the numbers before and after it"
            ),
            help: "add the note, or remove its number".to_string(),
            data: None,
        })
    })
}
