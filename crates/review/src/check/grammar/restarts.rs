//! Lists that begin again at 1, because a code block between their items isn't indented.

use std::ops::Range;

use super::Mistake;
use super::source::{CodeFence, PageSource};
use base::diagnostic::{Code, count};

/// Reports the first item after such a code block, if its number and that of the item before are 1, which authors write in lists whose
/// numbers they leave to the parser: <https://spec.commonmark.org/0.31.2/#lists>.
pub(super) fn mistakes(source: &PageSource<'_>) -> Option<Mistake> {
    let mut places = source.fences.iter().filter_map(|fence| restart(source, fence));
    let span = places.next()?;
    let place = match places.count() {
        0 => String::new(),
        others => format!(", as in {}", count(others, "other place")),
    };
    Some(Mistake {
        code: Code::SplitList,
        span,
        message: format!("the list begins again at 1 because the code block above isn't indented{place}"),
        help: "indent the code block as far as the text of the item before".to_string(),
        extension: None,
    })
}

/// Returns the range of the item after a code block if the list begins again there.
fn restart(source: &PageSource<'_>, fence: &CodeFence<'_>) -> Option<Range<usize>> {
    let text = source.text;
    let open = text[..fence.info.start].rfind('\n')? + 1;
    let after = text[fence.code.end..].split_once('\n')?.1.lines().find(|line| !line.trim().is_empty())?;
    let outer = indentation(after);
    let above = text[source.body..open].lines().rev().filter(|line| !line.trim().is_empty());
    let item = above.into_iter().find(|line| indentation(line) <= outer)?;
    let is_first = |line: &str| ["1. ", "1) "].iter().any(|mark| line.trim_start().starts_with(mark));
    let is_list = indentation(item) == outer && is_first(item) && is_first(after);
    let start = after.as_ptr() as usize - text.as_ptr() as usize;
    let is_outside = indentation(&text[open..]) < outer + "1. ".len();
    (is_list && is_outside).then(|| start + outer..start + after.trim_end().len())
}

/// Returns the number of bytes of space at the start of a line.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}
