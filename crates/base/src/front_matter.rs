//! The block with a page's data, in texts that aren't parsed.

use std::ops::Range;

use crate::lines::placed;

/// Returns the range between the lines of `---` or `+++` at the start of a text, or `None` if they don't enclose a block.
pub fn block(text: &str) -> Option<Range<usize>> {
    let bare = text.trim_start_matches('\u{feff}');
    let fence = ["---", "+++"].into_iter().find(|fence| bare.starts_with(fence))?;
    let mut lines = placed(bare, text.len() - bare.len());
    let (_, first) = lines.next()?;
    let (start, _) = lines.next().filter(|_| first.trim_end() == fence)?;
    let mut end = placed(&text[start..], start).filter(|(_, line)| line.trim_end() == fence);
    Some(start..end.next()?.0)
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
