//! The structure of a page as a sequence of items.

use std::ops::Range;

use pulldown_cmark::Event;

use super::extract::CutNote;
use crate::markup::markdown::span::OffsetMap;

/// A fragment as a sequence of items; containers open and close as in pulldown-cmark.
#[derive(Debug)]
pub(in crate::markup::markdown) struct BlockTree<'a> {
    /// The text that the items' ranges point into.
    pub(in crate::markup::markdown) text: &'a str,
    pub(in crate::markup::markdown) map: &'a OffsetMap,
    pub(in crate::markup::markdown) items: Vec<Item<'a>>,
    /// What links by reference lead to: each target with its place in `text`.
    pub(in crate::markup::markdown) definitions: Vec<(String, Range<usize>)>,
    /// Links by reference to what nothing defines: each label with the place of the link in `text`.
    pub(in crate::markup::markdown) undefined: Vec<(String, Range<usize>)>,
    /// Where lists go on that were joined to one before.
    pub(in crate::markup::markdown) joined: Vec<Range<usize>>,
}

impl BlockTree<'_> {
    /// Where a block is in the file, without the line ends after it.
    pub(in crate::markup::markdown) fn span(&self, range: &Range<usize>) -> Range<usize> {
        let written = self.text[range.clone()].trim_end();
        self.map.range(range.start..range.start + written.len())
    }
}

#[derive(Debug)]
pub(in crate::markup::markdown) enum Item<'a> {
    Event(Event<'a>, Range<usize>),
    /// A whole piece of raw HTML; each line of it has its place.
    Html {
        html: String,
        map: OffsetMap,
    },
    Note {
        note: &'a CutNote<'a>,
        body: Box<BlockTree<'a>>,
    },
    /// Left where joining lists took a marker away.
    Nothing,
}
