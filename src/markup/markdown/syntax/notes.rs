//! What a translation notes beside the text.

use std::ops::Range;

use crate::base::diagnostic::Problem;
use crate::markup::markdown::page::{Included, Omission, PageAnchor};

/// A file that a text includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inclusion {
    /// As written: `@site/code/a.swift?raw`, `_partial.mdx`.
    pub name: String,
    pub kind: InclusionKind,
    pub span: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InclusionKind {
    Code,
    Markdown,
}

/// What was met in a text.
#[derive(Debug, Default)]
pub(super) struct TranslationNotes {
    pub(super) left_out: Vec<Omission>,
    /// Where in the output each of them would be.
    pub(super) gaps: Vec<usize>,
    pub(super) asked: Vec<Inclusion>,
    pub(super) included: Vec<Included>,
    pub(super) anchors: Vec<PageAnchor>,
    /// The labels of tabs that have ids.
    pub(super) tabs: Vec<(String, Range<usize>)>,
    pub(super) problems: Vec<Problem>,
    /// Lines that were written in an included text, each with the place of what includes it and what its author wrote.
    pub(super) renamed: Vec<(Range<usize>, String, String)>,
}
