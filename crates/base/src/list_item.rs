//! Lines that begin an item of a list in a text that isn't parsed: <https://spec.commonmark.org/0.31.2/#list-items>.

/// The first line of an item. Items may be indented to any depth, because other items contain them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListItem<'t> {
    /// Number of bytes before the mark.
    pub indent: usize,
    /// `None` for an item without a number.
    pub number: Option<u64>,
    /// `-`, `*` or `+`, or the sign after the number: `.` or `)`.
    pub mark: char,
    /// Where its text begins, in bytes. Lines that are indented as far belong to the item.
    pub column: usize,
    pub text: &'t str,
}

impl<'t> ListItem<'t> {
    /// Maximum number of digits.
    const DIGITS: usize = 9;
    /// Maximum number of spaces after the mark. With more, the text is code.
    const SPACES: usize = 4;

    /// Parses a line. An item without text, such as `-`, is none.
    pub fn of(line: &'t str) -> Option<Self> {
        let bare = line.trim_start();
        let indent = line.len() - bare.len();
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        let mark = char::from(*bare.as_bytes().get(digits)?);
        let marks: &[char] = if digits == 0 { &['-', '*', '+'] } else { &['.', ')'] };
        let text = bare.get(digits + 1..).filter(|_| marks.contains(&mark) && digits <= Self::DIGITS)?;
        let spaces = text.len() - text.trim_start_matches(' ').len();
        let column = indent + digits + 1 + if spaces > Self::SPACES { 1 } else { spaces };
        let number = bare[..digits].parse().ok();
        (spaces > 0 && spaces < text.len()).then(|| Self {
            indent,
            number,
            mark,
            column,
            text: &text[spaces..],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<(usize, Option<u64>, char, usize, &str)>) {
        let found = ListItem::of(line);
        assert_eq!(found.map(|it| (it.indent, it.number, it.mark, it.column, it.text)), expected, "{line}");
    }

    #[test]
    fn items_begin_with_a_mark_and_a_space() {
        check("- a", Some((0, None, '-', 2, "a")));
        check("  12)  a", Some((2, Some(12), ')', 7, "a")));
        check("*      a", Some((0, None, '*', 2, "a")));
        for line in ["", "-", "- ", "-a", "1 a", "1.5", "1234567890. a", "é. a", "a - b", "12"] {
            check(line, None);
        }
    }
}
