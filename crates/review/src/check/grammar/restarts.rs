//! Lists that begin again at 1, because a block between their items isn't indented.

use std::ops::Range;

use super::Mistake;
use super::source::{PageSource, SourceLine};
use base::diagnostic::{Code, count};

/// Reports the first item after a code block or quote, if its number and that of the item before are 1, which authors write in lists
/// whose numbers they leave to the parser: <https://spec.commonmark.org/0.31.2/#lists>.
pub(super) fn mistakes(source: &PageSource<'_>, lines: &[SourceLine<'_>]) -> Option<Mistake> {
    let mut places: Vec<Range<usize>> = Vec::new();
    // The indentation of the last first item, and whether a block is below it.
    let mut item: Option<(usize, bool)> = None;
    for line in lines {
        let written = source.text.get(line.start..line.end).unwrap_or_default();
        let (bare, indent) = (written.trim(), written.len() - written.trim_start().len());
        let is_first = ["1. ", "1) "].iter().any(|mark| line.text.trim_start().starts_with(mark));
        let is_code = line.text.trim().is_empty() && !bare.is_empty();
        let begins_block = bare.starts_with("```") || bare.starts_with("~~~") || bare.starts_with('>');
        item = match item {
            _ if bare.is_empty() => item,
            Some((outer, is_apart)) if is_first && indent == outer => {
                places.extend(is_apart.then(|| line.content()));
                Some((outer, false))
            }
            _ if is_first => Some((indent, false)),
            Some((outer, _)) if begins_block && indent < outer + "1. ".len() => Some((outer, true)),
            Some((outer, _)) if is_code || indent > outer => item,
            _ => None,
        };
    }
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
        extension: None,
    })
}
