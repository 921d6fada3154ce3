//! Lists that begin again at 1, because a block between their items isn't indented.

use std::ops::Range;

use super::Mistake;
use super::source::{PageSource, SourceLine};
use base::diagnostic::{Code, count};
use base::list_item::ListItem;

/// An item of a list.
#[derive(Clone, Copy)]
struct Item {
    indent: usize,
    number: u64,
    /// Whether a block that isn't indented is below it.
    is_apart: bool,
}

/// Reports the first item after a code block or quote, if its number and that of the item before are 1, which authors write in lists
/// whose numbers they leave to the parser: <https://spec.commonmark.org/0.31.2/#lists>. A parser that doesn't keep the number of the
/// first item begins at 1 with any number: `LAZY_OL` in Python-Markdown's `blockprocessors.py`.
pub(super) fn mistakes(
    source: &PageSource<'_>,
    lines: &[SourceLine<'_>],
    keeps_numbers: bool,
) -> Option<Mistake> {
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut item: Option<Item> = None;
    let mut is_below_blank = false;
    for line in lines {
        let written = source.text.get(line.start..line.end).unwrap_or_default();
        let (bare, indent) = (written.trim(), written.len() - written.trim_start().len());
        let number = ListItem::of(line.text).and_then(|it| it.number);
        let is_code = line.text.trim().is_empty() && !bare.is_empty();
        // Directly below an item, Python-Markdown continues it with the block.
        let is_block = bare.starts_with("```") || bare.starts_with("~~~") || bare.starts_with('>');
        let begins_block = is_block && (keeps_numbers || is_below_blank);
        is_below_blank = bare.is_empty();
        item = match (item, number) {
            _ if bare.is_empty() => item,
            (Some(before), Some(number)) if indent == before.indent => {
                let is_same = number == before.number;
                let begins_again =
                    if keeps_numbers { is_same } else { is_same || number == before.number + 1 };
                // Other repeated numbers are reported for each page.
                if before.is_apart && begins_again && (number < 2 || !keeps_numbers) {
                    places.push(line.content());
                }
                Some(Item { number, is_apart: false, ..before })
            }
            (_, Some(number)) => Some(Item { indent, number, is_apart: false }),
            (Some(it), None) if begins_block && indent < it.indent + "1. ".len() => {
                Some(Item { is_apart: true, ..it })
            }
            (Some(it), None) if is_code || indent > it.indent => item,
            _ => None,
        };
    }
    restarted(&places)
}

fn restarted(places: &[Range<usize>]) -> Option<Mistake> {
    let (first, others) = places.split_first()?;
    let others = match others.len() {
        0 => String::new(),
        several => format!(", as in {}", count(several, "other place")),
    };
    Some(Mistake {
        code: Code::SplitList,
        span: first.clone(),
        message: format!("the list begins again at 1 because the block above isn't indented{others}"),
        help: "indent the block as far as the text of the item before".to_string(),
        data: None,
    })
}
