//! Records of a translation in addition to its text.

use std::ops::Range;

use crate::markdown::page::{Included, Omission, PageAnchor, Reference};
use base::diagnostic::Problem;

/// A file that a text includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inclusion {
    /// Original text: `@site/code/a.swift?raw`, `_partial.mdx`.
    pub name: String,
    pub kind: InclusionKind,
    pub span: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InclusionKind {
    Code,
    Markdown,
}

/// The constructs found in a text.
#[derive(Debug, Default)]
pub(super) struct TranslationNotes {
    pub(super) left_out: Vec<Omission>,
    /// Positions in the output of the parts that were left out.
    pub(super) gaps: Vec<usize>,
    pub(super) asked: Vec<Inclusion>,
    pub(super) included: Vec<Included>,
    pub(super) anchors: Vec<PageAnchor>,
    /// References that don't become links.
    pub(super) roles: Vec<Reference>,
    /// Labels of tabs with IDs.
    pub(super) tabs: Vec<(String, Range<usize>)>,
    pub(super) problems: Vec<Problem>,
    /// Lines that replace a line of an included text, each with the range of the include and the original line.
    pub(super) renamed: Vec<(Range<usize>, String, String)>,
}
