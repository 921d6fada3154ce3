//! The structure of a page as a sequence of items.

use std::ops::Range;

use pulldown_cmark::Event;

use super::extract::CutNote;
use crate::markdown::page::Definition;
use crate::markdown::span::OffsetMap;

/// A fragment as a sequence of items. Containers open and close as in pulldown-cmark.
#[derive(Debug)]
pub(in crate::markdown) struct BlockTree<'a> {
    /// The text to which the items' ranges refer.
    pub(in crate::markdown) text: &'a str,
    pub(in crate::markdown) map: &'a OffsetMap,
    pub(in crate::markdown) items: Vec<Item<'a>>,
    /// Link definitions, with ranges in `text`.
    pub(in crate::markdown) definitions: Vec<Definition>,
    /// Reference links without a definition: each label with the range of the link in `text`.
    pub(in crate::markdown) undefined: Vec<(String, Range<usize>)>,
    /// Positions where lists continue that were joined to an earlier one.
    pub(in crate::markdown) joined: Vec<Range<usize>>,
    /// Items that skip or repeat a number, so that the list after them doesn't continue an earlier one.
    pub(in crate::markdown) misnumbered: Vec<Misnumbered>,
}

/// An item with the wrong number.
#[derive(Clone, Debug)]
pub(in crate::markdown) struct Misnumbered {
    /// The item's first line in the text of the tree.
    pub(in crate::markdown) span: Range<usize>,
    pub(in crate::markdown) number: u64,
    /// Number of the item before.
    pub(in crate::markdown) before: u64,
    /// Number that readers see, if it is another one.
    pub(in crate::markdown) shown: Option<u64>,
}

impl BlockTree<'_> {
    /// Returns the range of a block in the file, without the line ends after it.
    pub(in crate::markdown) fn span(&self, range: &Range<usize>) -> Range<usize> {
        let written = self.text[range.clone()].trim_end();
        self.map.range(range.start..range.start + written.len())
    }
}

#[derive(Debug)]
pub(in crate::markdown) enum Item<'a> {
    Event(Event<'a>, Range<usize>),
    /// A complete piece of raw HTML, with the range of each line.
    Html {
        html: String,
        map: OffsetMap,
    },
    Note {
        note: &'a CutNote<'a>,
        body: Box<BlockTree<'a>>,
    },
    /// The position of a marker that was removed when lists were joined.
    Nothing,
}
