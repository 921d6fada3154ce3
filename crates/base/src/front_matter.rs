//! The block with a page's data, in texts that aren't parsed.

use std::ops::Range;

/// Returns the range between the lines of `---` or `+++` at the start of a text, or `None` if they don't enclose a block.
pub fn block(text: &str) -> Option<Range<usize>> {
    let bare = text.trim_start_matches('\u{feff}');
    let fence = ["---", "+++"].into_iter().find(|fence| bare.starts_with(fence))?;
    let mut lines = bare.split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == fence && line.ends_with('\n'))?;
    let start = text.len() - bare.len() + first.len();
    let mut at = start;
    for line in lines {
        if line.trim_end() == fence {
            return Some(start..at);
        }
        at += line.len();
    }
    None
}

/// Returns where the body of a page begins.
pub fn body_start(text: &str) -> usize {
    match block(text) {
        Some(block) => text[block.end..].find('\n').map_or(text.len(), |end| block.end + end + 1),
        None => text.len() - text.trim_start_matches('\u{feff}').len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_begins_after_the_front_matter() {
        for (text, body) in [
            ("---\na: b\n---\nText\n", "Text\n"),
            ("+++\na = 1\n+++\nText\n", "Text\n"),
            ("---\na: |\n---x\n---\nText\n", "Text\n"),
            ("Text\n", "Text\n"),
            ("---\na: b\n---", ""),
            ("---\na: b\n", "---\na: b\n"),
            ("\u{feff}---\n---\nText", "Text"),
            ("\u{feff}Text\nof a page", "Text\nof a page"),
            ("---", "---"),
            ("", ""),
        ] {
            assert_eq!(&text[body_start(text)..], body, "{text:?}");
        }
    }
}
