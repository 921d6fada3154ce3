//! The open blocks at a line: what ends each of them, and how far its lines are indented.

use std::ops::Range;

use super::tag;
use crate::markdown::lines::{closes_fence, columns};
use crate::markdown::page::NoteKind;
use base::diagnostic::{Code, Problem};
use base::quoted::quoted;

/// An open block.
#[derive(Debug)]
pub(super) struct OpenBlock<'t> {
    pub(super) kind: BlockKind<'t>,
    /// The text that is written at its end.
    pub(super) close: Close,
    /// Column of its opening line, in the source and as written.
    pub(super) column: usize,
    pub(super) out_column: usize,
    /// Column of its content in the source, once known.
    pub(super) body: Option<usize>,
    /// Number of columns that are removed from each of its lines.
    pub(super) shift: usize,
    /// Range of the opening tag of an MDX component whose missing end nothing else reports.
    pub(super) tag: Option<Range<usize>>,
}

impl OpenBlock<'_> {
    /// Returns the findings for MDX components without an end, of open blocks from outside to inside:
    /// <https://mdxjs.com/docs/troubleshooting-mdx/>.
    pub(super) fn without_end(blocks: &[Self]) -> Vec<Problem> {
        // `<Frame>…<Frame>` has one cause.
        let repeats =
            |one: &Self, next: &Self| one.kind == next.kind && one.tag.is_some() && next.tag.is_some();
        let alike = blocks.chunk_by(repeats);
        let found = alike.filter_map(|blocks| {
            let [.., last] = blocks else { return None };
            let (BlockKind::Named(name), Some(span)) = (&last.kind, &last.tag) else { return None };
            let message = format!("{} is never closed", quoted(&format!("<{name}>")));
            let help = match blocks.len() {
                2 => format!("did you mean `</{name}>`? MDX stops here"),
                _ => format!("add `</{name}>` at its end; MDX stops here"),
            };
            Some(Problem::new(Code::UnclosedElement, span.clone(), message).help(help).as_warning())
        });
        found.collect()
    }
}

#[derive(Debug, PartialEq)]
pub(super) enum BlockKind<'t> {
    /// Ends with a tag or shortcode of this name.
    Named(&'t str),
    /// Ends with a line of at least this many markers.
    Fence { mark: u8, length: usize },
    /// Ends with this many colons.
    Colons { count: usize, directive: Directive },
    /// Ends with this many slashes.
    Slashes(usize),
    /// Ends before a line that is indented less.
    Indented(usize),
    /// Ends with a blank line.
    Paragraph,
}

/// The text at the end of a block.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Close {
    Nothing,
    /// The same as in the source.
    Same,
    /// Text in the line.
    Inline(String),
    /// Separate lines.
    Lines(String),
    /// The end of a tab, and of the set of tabs if no other tab follows.
    Tab,
}

/// The open blocks, from the outermost.
#[derive(Debug, Default)]
pub(super) struct OpenBlocks<'t> {
    pub(super) open: Vec<OpenBlock<'t>>,
}

/// Maximum number of open blocks that are searched for the one to close.
pub(super) const FURTHEST: usize = 512;

impl<'t> OpenBlocks<'t> {
    /// Opens a block on a line. Its content loses its indentation relative to that line.
    pub(super) fn push(&mut self, kind: BlockKind<'t>, close: Close, (column, out_column): (usize, usize)) {
        let shift = self.open.last().map_or(0, |block| block.shift);
        self.open.push(OpenBlock { kind, close, column, out_column, body: None, shift, tag: None });
    }

    /// Removes the innermost block of a kind, and all blocks in it.
    pub(super) fn take(&mut self, is_wanted: impl Fn(&BlockKind<'t>) -> bool) -> Option<OpenBlock<'t>> {
        let near = self.open.len().saturating_sub(FURTHEST);
        let found = self.open[near..].iter().rposition(|block| is_wanted(&block.kind))?;
        self.open.truncate(near + found + 1);
        self.open.pop()
    }

    /// Returns the index of the fence that a line of markers ends: the outermost one, because the content of a fence is parsed
    /// after its end is found.
    pub(super) fn fence_ended_by(&self, (lead, content): (&str, &str)) -> Option<usize> {
        let ends = |block: &OpenBlock<'_>| match block.kind {
            BlockKind::Fence { mark, length } => closes_fence((lead, content), (mark, length), block.column),
            _ => false,
        };
        let near = self.open.len().saturating_sub(FURTHEST);
        let open = &self.open[near..];
        // A fence in a list item is further to the right.
        let outermost = open.iter().position(|block| ends(block) && block.column <= columns(lead));
        outermost.or_else(|| open.iter().rposition(ends)).map(|found| near + found)
    }

    /// Returns the blocks in the innermost block with this name.
    pub(super) fn inside(&self, name: &str) -> &[OpenBlock<'t>] {
        let near = self.open.len().saturating_sub(FURTHEST);
        let found = self.open[near..].iter().rposition(|block| block.kind == BlockKind::Named(name));
        found.map_or(&[], |found| &self.open[near + found + 1..])
    }

    /// Returns the columns that a line loses and keeps.
    pub(super) fn shifted(&mut self, column: usize, content: &str) -> (usize, usize) {
        let Some(last) = self.open.len().checked_sub(1) else { return (0, column) };
        // An end marker has the column of its opening line.
        if let Some(block) = self.closed_by(content) {
            let block = &self.open[block];
            return (block.shift, block.out_column);
        }
        let before = last.checked_sub(1).map_or(0, |before| self.open[before].shift);
        let block = &mut self.open[last];
        if block.body.is_none() {
            block.body = Some(column);
            // The content of a fence isn't indented, so indented lines are code.
            let is_fence = matches!(block.kind, BlockKind::Fence { .. });
            let start = if is_fence { column } else { block.column.max(before) };
            block.shift = before + column.saturating_sub(start);
        }
        let shift = block.shift;
        (shift, column.saturating_sub(shift).max(column.min(block.out_column)))
    }

    /// Returns the index of the block that this line ends.
    pub(super) fn closed_by(&self, content: &str) -> Option<usize> {
        let name = tag::closing(content, 0)?.0;
        let near = self.open.len().saturating_sub(FURTHEST);
        let found = self.open[near..].iter().rposition(|block| block.kind == BlockKind::Named(name));
        found.map(|found| near + found)
    }

    /// Returns the number of colons for a note inside the open ones.
    pub(super) fn note_colons(&self) -> usize {
        let count = |block: &OpenBlock<'_>| match (&block.kind, &block.close) {
            (BlockKind::Colons { count, .. }, _) => Some(*count),
            (_, Close::Lines(lines)) => {
                let last = lines.rsplit('\n').next().filter(|last| last.starts_with(":::"));
                last.map(str::len)
            }
            _ => None,
        };
        self.open.iter().rev().take(FURTHEST).find_map(count).map_or(3, |count| count + 1)
    }
}

/// The kind of block that a name opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Directive {
    /// Our own note, written unchanged, with its kind if another opening line of the same kind ends it.
    Note(Option<NoteKind>),
    /// Our own platform block.
    Platform,
    /// A note under another name.
    Other,
    Details,
    CodeGroup,
    /// Only its text.
    Plain,
}

impl Directive {
    pub(super) fn named(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "platform" => Self::Platform,
            "details" | "collapse" | "expand" | "spoiler" => Self::Details,
            "code-group" => Self::CodeGroup,
            "raw" | "v-pre" => Self::Plain,
            _ => NoteKind::named(name).map_or(Self::Other, |kind| Self::Note(Some(kind))),
        }
    }
}

/// Returns the label of `=== "Label"`.
pub(super) fn tab_label(content: &str) -> Option<&str> {
    let rest = content.strip_prefix("===")?;
    let rest = rest.strip_prefix(['+', '!']).unwrap_or(rest).strip_prefix(' ')?;
    let inside = rest.trim().strip_prefix('"')?.strip_suffix('"')?;
    (!inside.is_empty()).then_some(inside)
}
