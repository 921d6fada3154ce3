//! Hand-written links to the previous or next page.

use std::ops::Range;

use crate::markdown::html::start_tag;
use crate::markdown::page::Direction;

/// Maximum size in bytes of a navigation link's content.
pub(super) const LONGEST_LABEL: usize = 1000;

/// Whether the text is a previous or next link, and its title.
///
/// A navigation link has two of three features: an arrow at either end, the word, a floated style. With one feature,
/// it is an ordinary link: `Next steps`, `Back → home`.
pub(super) fn navigation_label(text: &str, style: &str) -> Option<(Direction, String)> {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&laquo;", "«").replace("&raquo;", "»");
    let text = text.replace("&larr;", "←").replace("&rarr;", "→");
    let arrows: &[char] = &['<', '>', '«', '»', '←', '→', '‹', '›', '⟵', '⟶'];
    let bare = text.trim().trim_matches(|c: char| arrows.contains(&c) || c.is_whitespace());
    let before = text.trim().starts_with(arrows);
    let after = text.trim().ends_with(arrows);
    let lower = bare.to_lowercase();
    let word = [("previous", Direction::Previous), ("prev", Direction::Previous), ("next", Direction::Next)]
        .into_iter()
        .find(|(word, _)| {
            lower.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
        });
    let rest = word.map_or(bare, |(word, _)| &bare[word.len()..]);
    let label =
        rest.trim_start_matches(|c: char| arrows.contains(&c) || c.is_whitespace() || ":.-–".contains(c));
    let inner_arrow = word.is_some() && rest.trim_start().starts_with(arrows);
    let style = style.to_ascii_lowercase();
    let floated = style.contains("float");
    let signs =
        [before || after || inner_arrow, word.is_some(), floated].into_iter().filter(|sign| *sign).count();
    if signs < 2 {
        return None;
    }
    let direction = match word {
        Some((_, direction)) => direction,
        None if before || style.contains("left") => Direction::Previous,
        None => Direction::Next,
    };
    Some((direction, label.trim().to_string()))
}

/// Includes the `<br>`s around navigation links, and joins adjacent links.
pub(super) fn widen(text: &str, start: usize, links: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    for link in links {
        let from = before_breaks(text, start, link.start);
        let span = from..after_breaks(text, link.end);
        match spans.last_mut() {
            Some(last) if last.end >= span.start => last.end = last.end.max(span.end),
            _ => spans.push(span),
        }
    }
    spans
}

/// Returns the end of the last `<br>` after `at` with only spaces in between.
fn after_breaks(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let gap = rest.len() - rest.trim_start().len();
        match start_tag(&rest[gap..]).filter(|tag| tag.name == "br") {
            Some(tag) => at += gap + tag.length,
            None => return at,
        }
    }
}

/// Returns the start of the first `<br>` before `at` with only spaces in between.
fn before_breaks(text: &str, start: usize, mut at: usize) -> usize {
    loop {
        let before = text[start..at].trim_end();
        let open = before.rfind('<').filter(|_| before.ends_with('>'));
        match open.and_then(|open| Some((open, start_tag(&before[open..])?))) {
            Some((open, tag)) if tag.name == "br" && open + tag.length == before.len() => at = start + open,
            _ => return at,
        }
    }
}
