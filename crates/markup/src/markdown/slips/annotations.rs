//! Finds marks of code annotations without a text in the list below the block:
//! <https://squidfunk.github.io/mkdocs-material/reference/code-blocks/#adding-annotations>.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use crate::markdown::fence;
use crate::markdown::parse::tree::{BlockTree, Item};
use base::diagnostic::{Code, Problem};

/// A mark in a comment: `# (1)!`.
#[derive(Debug, PartialEq)]
struct Mark {
    number: usize,
    /// With its parentheses.
    range: Range<usize>,
    /// Whether `!` follows, which a number in a comment doesn't have.
    is_certain: bool,
}

/// Returns the findings about a fragment's blocks.
pub(super) fn without_text(blocks: &BlockTree<'_>) -> Vec<Problem> {
    let items = &blocks.items;
    let found = items.iter().enumerate().filter_map(|(at, item)| {
        let Item::Event(Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))), range) = item else {
            return None;
        };
        // It may show how annotations are written.
        if matches!(fence::read(info.trim()).language.as_str(), "" | "md" | "markdown") {
            return None;
        }
        let marks = marks(&blocks.text[range.clone()]);
        let last = marks.iter().max_by_key(|mark| mark.number)?;
        let is_end = |item: &Item<'_>| matches!(item, Item::Event(Event::End(TagEnd::CodeBlock), _));
        let next = at + items[at..].iter().position(is_end)? + 1;
        let texts = items_of_list(items.get(next..).unwrap_or_default());
        let is_annotated = texts > 0 && marks.iter().any(|mark| mark.number == 1);
        if last.number <= texts || !last.is_certain && !is_annotated {
            return None;
        }
        let message =
            format!("the list below the code has no item {}, so readers see this mark", last.number);
        let help = "add the item, or remove the mark".to_string();
        let span = range.start + last.range.start..range.start + last.range.end;
        Some(Problem::new(Code::UnbalancedBlock, blocks.map.range(span), message).help(help).as_warning())
    });
    found.collect()
}

/// Returns the number of items of the ordered list at the start.
fn items_of_list(items: &[Item<'_>]) -> usize {
    let (mut depth, mut count) = (0, 0);
    for item in items {
        match item {
            Item::Event(Event::Start(Tag::List(first)), _) => {
                if depth == 0 && first.is_none() {
                    return 0;
                }
                depth += 1;
            }
            Item::Event(Event::End(TagEnd::List(_)), _) => {
                depth -= 1;
                if depth == 0 {
                    return count;
                }
            }
            Item::Event(Event::Start(Tag::Item), _) if depth == 1 => count += 1,
            _ if depth == 0 => return 0,
            _ => {}
        }
    }
    count
}

/// Returns the marks at the ends of a code block's comments.
fn marks(code: &str) -> Vec<Mark> {
    let mut start = 0;
    let mut marks = Vec::new();
    for line in code.split_inclusive('\n') {
        marks.extend(mark(line, start));
        start += line.len();
    }
    marks
}

fn mark(line: &str, start: usize) -> Option<Mark> {
    let end = line.trim_end().trim_end_matches("-->").trim_end_matches("*/").trim_end();
    let is_certain = end.ends_with('!');
    let end = end.strip_suffix('!').unwrap_or(end);
    let (before, number) = end.strip_suffix(')')?.rsplit_once('(')?;
    let is_comment =
        ["#", "//", "/*", "<!--", "--", ";", "%"].iter().any(|sign| before.trim_end().ends_with(sign));
    let number = number.parse().ok().filter(|_| is_comment)?;
    Some(Mark { number, range: start + before.len()..start + end.len(), is_certain })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_end_comments() {
        let numbers = |code| marks(code).iter().map(|it| (it.number, it.is_certain)).collect::<Vec<_>>();
        assert_eq!(numbers("a # (1)!\nb // (2)\n<!-- (3)! -->\n"), [(1, true), (2, false), (3, true)]);
        assert_eq!(numbers("f(1)\nf(2) # two (3) times\n"), []);
    }
}
