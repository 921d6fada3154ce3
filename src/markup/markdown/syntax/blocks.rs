//! The blocks that are open at a line: what ends each, and how far its lines are indented.

use super::tag;
use crate::markup::markdown::page::NoteKind;

/// Something that was opened and is not yet closed.
#[derive(Debug)]
pub(super) struct OpenBlock<'t> {
    pub(super) kind: BlockKind<'t>,
    /// Written where it ends.
    pub(super) close: Close,
    /// Columns before the line that opens it, in the text and as written.
    pub(super) column: usize,
    pub(super) out_column: usize,
    /// Columns before its own lines in the text, once known.
    pub(super) body: Option<usize>,
    /// How many columns each of its lines loses.
    pub(super) shift: usize,
}

#[derive(Debug, PartialEq)]
pub(super) enum BlockKind<'t> {
    /// Ended by a tag, a shortcode or the like of that name.
    Named(&'t str),
    /// Ended by a line of at least so many marks.
    Fence { mark: u8, length: usize },
    /// Ended by so many colons.
    Colons { count: usize, directive: Directive },
    /// Ended by a line that is indented less than this.
    Indented(usize),
    /// Ended by a blank line.
    Paragraph,
}

/// What ends a block.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Close {
    Nothing,
    /// What ended it in the text.
    Same,
    /// Within the line.
    Inline(String),
    /// Lines of their own.
    Lines(String),
    /// The end of a tab, and of the tabs where no other follows.
    Tab,
}

/// The open blocks, the outermost first.
#[derive(Debug, Default)]
pub(super) struct OpenBlocks<'t> {
    pub(super) open: Vec<OpenBlock<'t>>,
}

/// How many open blocks are looked at for the one that is closed.
pub(super) const FURTHEST: usize = 64;

impl<'t> OpenBlocks<'t> {
    /// Opens a block on a line; its own lines lose the indentation that they have below that one.
    pub(super) fn push(&mut self, kind: BlockKind<'t>, close: Close, (column, out_column): (usize, usize)) {
        let shift = self.open.last().map_or(0, |block| block.shift);
        self.open.push(OpenBlock { kind, close, column, out_column, body: None, shift });
    }

    /// Takes the innermost block of a kind, and all within it.
    pub(super) fn take(&mut self, is_wanted: impl Fn(&BlockKind<'t>) -> bool) -> Option<OpenBlock<'t>> {
        let near = self.open.len().saturating_sub(FURTHEST);
        let found = self.open[near..].iter().rposition(|block| is_wanted(&block.kind))?;
        self.open.truncate(near + found + 1);
        self.open.pop()
    }

    /// The columns that a line loses, and those that it keeps.
    pub(super) fn shifted(&mut self, column: usize, content: &str) -> (usize, usize) {
        let Some(last) = self.open.len().checked_sub(1) else { return (0, column) };
        // What closes a block is where it was opened.
        if let Some(block) = self.closed_by(content) {
            let block = &self.open[block];
            return (block.shift, block.out_column);
        }
        let before = last.checked_sub(1).map_or(0, |before| self.open[before].shift);
        let block = &mut self.open[last];
        if block.body.is_none() {
            block.body = Some(column);
            block.shift = before + column.saturating_sub(block.column.max(before));
        }
        let shift = block.shift;
        (shift, column.saturating_sub(shift).max(column.min(block.out_column)))
    }

    /// The block that a line ends which begins with its end.
    pub(super) fn closed_by(&self, content: &str) -> Option<usize> {
        let name = tag::closing(content, 0)?.0;
        let near = self.open.len().saturating_sub(FURTHEST);
        let found = self.open[near..].iter().rposition(|block| block.kind == BlockKind::Named(name));
        found.map(|found| near + found)
    }

    /// How many colons a note needs to be within those that are open.
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

/// What a name opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Directive {
    /// A note of our own, written as it is; with its kind where another line of the same ends it.
    Note(Option<NoteKind>),
    /// A block of our own.
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

/// The label of `=== "Label"`.
pub(super) fn tab_label(content: &str) -> Option<&str> {
    let rest = content.strip_prefix("===")?;
    let rest = rest.strip_prefix(['+', '!']).unwrap_or(rest).strip_prefix(' ')?;
    let inside = rest.trim().strip_prefix('"')?.strip_suffix('"')?;
    (!inside.is_empty()).then_some(inside)
}
