//! The starts of lines: quotes, list markers, fences, indentation.

use std::ops::Range;

/// Returns the prefix of the next line in the same blocks. `lead` is the text before the content of the current line.
pub(in crate::markdown) fn continuation(lead: &str) -> String {
    lead.chars().map(|c| if c == '>' || c == '\t' { c } else { ' ' }).collect()
}

/// Returns the content of a line after quotes, spaces and list markers, with its offset.
pub(in crate::markdown) fn after_markers(at: usize, line: &str) -> (usize, &str) {
    let mut rest = line.trim_start_matches([' ', '\t', '>']);
    // The column doesn't matter, because spaces are skipped whatever their width.
    while let Some(Marker { bytes, .. }) = marker(rest, 0) {
        rest = rest[bytes..].trim_start_matches([' ', '\t', '>']);
    }
    (at + line.len() - rest.len(), rest)
}

/// Whether only list markers and quotes precede `at` on its line.
pub(in crate::markdown) fn begins_line(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    after_markers(start, &text[start..end]).0 == at
}

/// The length of a list marker with the spaces after it: 3 for `1. a`, 2 for `- a`.
pub(in crate::markdown) struct Marker {
    pub(in crate::markdown) bytes: usize,
    pub(in crate::markdown) columns: usize,
}

/// Returns the list marker at the start of `text`, which begins at `column`.
pub(in crate::markdown) fn marker(text: &str, column: usize) -> Option<Marker> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match text.as_bytes().get(digits) {
        Some(b'.' | b')') if (1..=9).contains(&digits) => digits + 1,
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        _ => return None,
    };
    let rest = &text[marker..];
    if rest.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
        return Some(Marker { bytes: text.len().min(marker + 1), columns: marker + 1 });
    }
    let blanks = &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()];
    match columns_after(column + marker, blanks) - column {
        width if width == marker => None,
        width if width <= marker + 4 => Some(Marker { bytes: marker + blanks.len(), columns: width }),
        // The rest of the line is code in the item.
        _ => Some(Marker { bytes: marker + 1, columns: marker + 1 }),
    }
}

pub(in crate::markdown) fn opening_fence(content: &str) -> Option<(u8, usize)> {
    let mark = *content.as_bytes().first()?;
    let length = run_length(content, mark);
    let is_fence = match mark {
        b'`' => length >= 3 && !content[length..].contains('`'),
        b'~' => length >= 3,
        _ => false,
    };
    is_fence.then_some((mark, length))
}

/// Whether a line closes a code block that opened with `length` markers in column `column`. The line is given as its
/// start, with spaces and quote markers, and the rest.
///
/// Markers that are indented by four more columns are code: CommonMark 0.31, "Fenced code blocks".
pub(in crate::markdown) fn closes_fence(
    (lead, content): (&str, &str),
    (mark, length): (u8, usize),
    column: usize,
) -> bool {
    let run = run_length(content, mark);
    run >= length && content[run..].trim().is_empty() && columns(lead) < column + 4
}

pub(in crate::markdown) fn run_length(text: &str, byte: u8) -> usize {
    text.bytes().take_while(|other| *other == byte).count()
}

/// Number of columns of leading white space. A tab ends at the next multiple of four.
pub(in crate::markdown) fn columns(blank: &str) -> usize {
    columns_after(0, blank)
}

/// Returns the column after white space that begins at `column`.
pub(in crate::markdown) fn columns_after(column: usize, blank: &str) -> usize {
    blank.chars().fold(column, |column, c| if c == '\t' { column / 4 * 4 + 4 } else { column + 1 })
}

pub(in crate::markdown) fn without_quotes(line: &str, quotes: usize) -> &str {
    let mut rest = line;
    for _ in 0..quotes {
        let Some(inner) = rest.trim_start_matches([' ', '\t']).strip_prefix('>') else { break };
        rest = inner.strip_prefix(' ').unwrap_or(inner);
    }
    rest
}

/// Removes at most `indent` columns of indentation.
pub(in crate::markdown) fn without_indent(line: &str, indent: usize) -> &str {
    let mut column = 0;
    for (at, c) in line.char_indices() {
        if column >= indent || !matches!(c, ' ' | '\t') {
            return &line[at..];
        }
        column = if c == '\t' { column / 4 * 4 + 4 } else { column + 1 };
    }
    ""
}

/// Returns the range of a marker with its complete line, if nothing else is on the line.
pub(in crate::markdown) fn whole_line(text: &str, start: usize, marker: Range<usize>) -> Range<usize> {
    let line_start = text[start..marker.start].rfind('\n').map_or(start, |newline| start + newline + 1);
    let is_alone = text[line_start..marker.start].bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'>'));
    let line_end = text[marker.end..].find('\n').map_or(text.len(), |newline| marker.end + newline + 1);
    if is_alone { line_start..line_end } else { marker }
}
