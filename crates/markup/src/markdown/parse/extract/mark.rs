//! The start and end tags of notes and blocks, and the cuts that they produce.

use std::ops::Range;

use super::fragment::Enclosure;

/// The start or end of a note or block in the text.
#[derive(Debug)]
pub(super) struct Mark {
    pub(super) span: Range<usize>,
    pub(super) edge: Edge,
    /// Columns that belong to the list item that contains it.
    pub(super) list_indent: usize,
}

#[derive(Debug)]
pub(super) enum Edge {
    OpenElement(Enclosure),
    CloseElement(&'static str),
    OpenFence(Enclosure, usize),
    /// A block whose content is included or left out. If it isn't `known`, it has been reported.
    OpenBlock {
        is_shown: bool,
        is_known: bool,
        colons: usize,
    },
    CloseFence(usize),
}

/// A range to remove from the text.
#[derive(Debug)]
pub(super) struct Cut {
    pub(super) span: Range<usize>,
    pub(super) what: CutKind,
}

#[derive(Debug)]
pub(super) enum CutKind {
    Note {
        enclosure: Enclosure,
        body: Range<usize>,
        list_indent: usize,
    },
    /// Text for some platforms, between two lines.
    Block {
        body: Range<usize>,
        is_shown: bool,
    },
    /// A replacement, such as the missing end tag.
    End(&'static str),
    Nothing,
}

impl Cut {
    pub(super) fn is_hidden(&self) -> bool {
        matches!(self.what, CutKind::Block { is_shown: false, .. })
    }

    pub(super) fn body_end(&self) -> usize {
        match &self.what {
            CutKind::Note { body, .. } | CutKind::Block { body, .. } => body.end,
            CutKind::End(_) | CutKind::Nothing => self.span.end,
        }
    }

    pub(super) fn is_unclosed(&self) -> bool {
        match &self.what {
            CutKind::Note { body, .. } | CutKind::Block { body, .. } => body.end == self.span.end,
            CutKind::End(_) | CutKind::Nothing => false,
        }
    }

    /// Ends an unclosed note or block at `limit`.
    pub(super) fn end_before(&mut self, limit: usize, text: &str) {
        if let CutKind::Note { body, .. } | CutKind::Block { body, .. } = &mut self.what {
            body.end = body.start + text[body.start..limit.max(body.start)].trim_end().len();
            self.span.end = body.end;
        }
    }
}
