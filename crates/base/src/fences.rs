//! Follows fenced code blocks through the lines of a text that isn't parsed: <https://spec.commonmark.org/0.31.2/#fenced-code-blocks>.
//!
//! Fences may be indented to any depth, because items, tabs and components contain them.

use crate::lines::placed;

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    Text,
    /// The first or last line of a block.
    Fence,
    Code,
}

/// The state before a line.
#[derive(Clone, Debug, Default)]
pub struct Fences {
    /// The mark of the open block, and the number of marks.
    open: Option<(u8, usize)>,
}

impl Fences {
    /// Returns the kind of the next line.
    pub fn next(&mut self, line: &str) -> LineKind {
        let content = line.trim();
        let mark = content.bytes().next().filter(|mark| matches!(mark, b'`' | b'~')).unwrap_or_default();
        let length = content.bytes().take_while(|byte| *byte == mark).count();
        match self.open {
            Some((open, least)) if mark == open && length >= least && length == content.len() => {
                self.open = None;
                LineKind::Fence
            }
            Some(_) => LineKind::Code,
            None if mark != 0 && length >= 3 && !(mark == b'`' && content[length..].contains('`')) => {
                self.open = Some((mark, length));
                LineKind::Fence
            }
            None => LineKind::Text,
        }
    }
}

/// Returns the lines of a text outside code with their line ends, each with its position.
pub fn text_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines(text, LineKind::Text)
}

/// The same for the lines of code blocks.
pub fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines(text, LineKind::Code)
}

/// Whether the last block of a text isn't closed.
pub fn is_open_at_end(text: &str) -> bool {
    let mut fences = Fences::default();
    text.lines().for_each(|line| _ = fences.next(line));
    fences.open.is_some()
}

fn lines(text: &str, kind: LineKind) -> impl Iterator<Item = (usize, &str)> {
    let mut fences = Fences::default();
    placed(text, 0).filter(move |(_, line)| fences.next(line) == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let lines: Vec<&str> = text_lines(text).map(|(_, line)| line.trim_end()).collect();
        assert_eq!(lines, expected, "{text}");
    }

    #[test]
    fn a_block_ends_with_at_least_as_many_of_its_marks() {
        check("a\n```sh\nb\n```\nc\n", &["a", "c"]);
        check("````md\n```\na\n```\n````\nb\n", &["b"]);
        check("~~~\n```\n~~~~\na\n", &["a"]);
        check("```\na\n``` js\nb\n```\nc\n", &["c"]);
        check("- ```\n  a\n", &["- ```", "  a"]);
        check("a\n  ```\n  b\n  ```\nc", &["a", "c"]);
        check("``` `a` ```\nb\n", &["``` `a` ```", "b"]);
        check("```\na\n", &[]);
        assert!(is_open_at_end("```\na\n````\n~~~\n```\n"));
        assert!(!is_open_at_end("```\na\n````\n"));
        assert_eq!(code_lines("a\n```\nb\n```\n").collect::<Vec<_>>(), [(6, "b\n")]);
    }
}
