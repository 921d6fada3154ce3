//! Finds lines with the marker of a list item that are text: without a space after the marker, `2.Press Save`, or because a paragraph
//! continues in them. Only a list that begins with 1 ends a paragraph: <https://spec.commonmark.org/0.31.2/#list-items>.

use super::Fragment;
use base::diagnostic::{Code, Problem};
use base::quoted::quoted;

/// Maximum number of lines between an item and the one before or after it.
const FURTHEST: usize = 40;

/// The same for items with the same marker.
const NEXT: usize = 2;

/// From this number of spaces on, a line isn't the start of an item: <https://spec.commonmark.org/0.31.2/#list-items>.
const MOST_SPACES: usize = 4;

/// Signs of emphasis, code and links, with which neither a version nor a number continues.
const OPENING: [&str; 4] = ["**", "__", "`", "["];

/// The data of findings about such a line.
pub(super) const DEEP: &str = "deep";

/// The marker of an item, without the space after it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Marker {
    /// `2.` or `2)`.
    Number(u64, char),
    /// `-`.
    Bullet,
}

impl Fragment<'_> {
    /// Returns findings for lines with the marker of an item that are text.
    pub(super) fn items_as_text(&self) -> Vec<Problem> {
        let text = self.blocks.text;
        let (bytes, shown) = (text.as_bytes(), self.plain.text.as_bytes());
        let mut found: Vec<Problem> = Vec::new();
        // Where the last line that continues a paragraph ends.
        let mut joined = None;
        let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1));
        for start in starts {
            let spaces = bytes[start..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            let at = start + spaces;
            // Code, and the markers of items, are hidden.
            let may_begin =
                bytes.get(at).is_some_and(|byte| matches!(byte, b'-' | b'0'..=b'9') && shown[at] == *byte);
            if !may_begin {
                continue;
            }
            let written = text[at..].lines().next().unwrap_or_default().trim_end();
            let Some((marker, length)) = marker(written) else { continue };
            let (mark, rest) = written.split_at(length);
            let has_space = rest.starts_with(' ');
            if !has_space && !begins_item(marker, rest) || !self.has_neighbour(marker, at) {
                continue;
            }
            let problem =
                |message| Problem::new(Code::ItemAsText, self.place(at..at + written.len()), message);
            if !has_space {
                let message = format!("no space follows `{mark}`, so readers see text instead of an item");
                let help = format!("use {}", quoted(&format!("{mark} {rest}")));
                let end = self.place(at + length..at + length);
                found.push(problem(message).help(help).edit(end, " "));
                continue;
            }
            let is_next = |end: usize| text[end..start].lines().skip(1).all(|line| !line.trim().is_empty());
            // A line break is on purpose.
            let is_broken = ["\\\n", "  \n"].iter().any(|it| text[..start].ends_with(it));
            // Some generators read definitions, which may contain lists.
            let mut before = text[..start].lines().rev().take_while(|line| !line.trim().is_empty());
            let is_definition = before.any(|line| line.starts_with(": "));
            if !joined.replace(at + written.len()).is_some_and(is_next) && !is_broken && !is_definition {
                let problem =
                    problem("this line continues the text above, so readers see no item".to_string());
                found.push(match spaces {
                    MOST_SPACES.. => problem
                        .help("indent the list by at most three spaces more than the text above".to_string())
                        .data(DEEP, true),
                    _ => problem.help("add a blank line above the list".to_string()),
                });
            }
        }
        found
    }

    /// Whether an item before or after this position has the marker before or after this one, or the same one. Only a line directly
    /// before or after may have the same one, because text may begin with a minus.
    fn has_neighbour(&self, wanted: Marker, at: usize) -> bool {
        let text = self.blocks.text;
        let lines = match wanted {
            Marker::Number(..) => FURTHEST,
            Marker::Bullet => NEXT,
        };
        let is_neighbour = |(distance, line): (usize, &str), step: i64| {
            let line = line.trim_start();
            let has_space = |length: usize| line[length..].starts_with(' ');
            let Some((found, length)) = marker(line) else { return false };
            has_space(length)
                && match (wanted, found) {
                    (Marker::Number(number, sign), Marker::Number(other, its)) => {
                        let is_same = number == other && distance < NEXT;
                        sign == its && (is_same || number.checked_add_signed(step) == Some(other))
                    }
                    (Marker::Bullet, Marker::Bullet) => true,
                    _ => false,
                }
        };
        let before = text[..at].lines().rev().take(lines).enumerate();
        let after = text[at..].lines().skip(1).take(lines).enumerate();
        before.into_iter().any(|line| is_neighbour(line, -1))
            || after.into_iter().any(|line| is_neighbour(line, 1))
    }
}

/// Returns the marker at the start of a line, and its length.
fn marker(line: &str) -> Option<(Marker, usize)> {
    if line.starts_with('-') {
        return Some((Marker::Bullet, 1));
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let sign = line[digits..].chars().next().filter(|sign| matches!(sign, '.' | ')'))?;
    Some((Marker::Number(line[..digits].parse().ok()?, sign), digits + 1))
}

/// Whether the text after a marker begins like a sentence, unlike a version (`2.x`), a number (`-1`) or an option (`-v`).
fn begins_item(marker: Marker, rest: &str) -> bool {
    let word = rest
        .trim_start_matches(['*', '_', '[', '`', '"', '(', '<'])
        .split_whitespace()
        .next()
        .unwrap_or_default();
    let word = word.trim_end_matches(|c: char| c.is_ascii_punctuation());
    let letters = word.chars().take_while(|c| c.is_alphabetic()).count();
    let is_word = letters >= 2 && !word.contains(['.', '/', '=', '_', '-']);
    match marker {
        Marker::Number(..) => is_word || OPENING.iter().any(|sign| rest.starts_with(sign)),
        Marker::Bullet => {
            is_word && word.starts_with(char::is_uppercase) && word.chars().skip(1).all(|c| !c.is_uppercase())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn an_item_without_its_space_is_text() {
        check(
            "1. Open it\n2.Press **Save**\n3. Close it",
            &["item-as-text: 2.Press **Save**"],
            "1. Open it\n2. Press **Save**\n3. Close it",
        );
        check("1. Open\n\n2.Press it", &["item-as-text: 2.Press it"], "1. Open\n\n2. Press it");
        check("1.Open\n2. Press it", &["item-as-text: 1.Open"], "1. Open\n2. Press it");
        check(
            "1) Open\n\n   Then\n\n2)Press it",
            &["item-as-text: 2)Press it"],
            "1) Open\n\n   Then\n\n2) Press it",
        );
        check(
            "Do this:\n1.Open it\n1. Press it",
            &["item-as-text: 1.Open it"],
            "Do this:\n1. Open it\n1. Press it",
        );
        check(
            "1. Open\n2.**`.env`** is it\n3. Close",
            &["item-as-text: 2.**`.env`** is it"],
            "1. Open\n2. **`.env`** is it\n3. Close",
        );
        check("- Red\n-Green\n- Blue", &["item-as-text: -Green"], "- Red\n- Green\n- Blue");
    }

    #[test]
    fn a_paragraph_continues_in_what_looks_like_an_item() {
        let text = "1. Open\n\n**Then:**\n2. Press it\n3. Close it";
        check(text, &["item-as-text: 2. Press it"], text);
        let text = "Do this:\n    - Open it\n    - Close it\n";
        check(text, &["item-as-text: - Open it"], text);
    }

    #[test]
    fn other_text_with_a_number_or_a_minus_is_no_item() {
        for text in [
            "1. Open it\n2. Press Save",
            "1. Use\n2.x of the program",
            "1. Use\n2.5 volts",
            "2.Press Save",
            "1. Open it\n\n   ```\n   2.Press Save\n   ```\n",
            "- a\n-v is an option\n-XMAX",
            "- a\n\n\n-Green",
            "Do this:\n- Open it\n- Close it\n",
            "It was released in\n2019. Then it was\nfree.",
        ] {
            check(text, &[], text);
        }
    }
}
