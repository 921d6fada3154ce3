//! A text for the Markdown parser, and the boxes that were cut out of it.

use std::borrow::Cow;
use std::ops::Range;

use super::attributes::BlockAttribute;
use crate::edition::Edition;
use crate::markdown::html::{StartTag, starts_with_name};
use crate::markdown::page::NoteKind;
use crate::markdown::span::OffsetMap;

/// Replaces a note. It is a comment because in CommonMark, a comment can interrupt any paragraph and ends on its
/// line. Its offset distinguishes it from authors' comments.
pub(in crate::markdown) const PLACEHOLDER: &str = "<!--note-->";

/// A text for the Markdown parser, with the notes that were cut out of it.
#[derive(Debug, Default)]
pub(in crate::markdown) struct Fragment<'a> {
    pub(in crate::markdown) text: Cow<'a, str>,
    pub(in crate::markdown) map: OffsetMap,
    /// Each note with the offset of its placeholder in `text`, ascending.
    pub(in crate::markdown) notes: Vec<(usize, CutNote<'a>)>,
}

/// A note or another box.
#[derive(Debug)]
pub(in crate::markdown) struct CutNote<'a> {
    pub(in crate::markdown) enclosure: Enclosure,
    /// Range in the file, from the opening to the closing tag.
    pub(in crate::markdown) span: Range<usize>,
    /// Text that CommonMark would treat as code, because it ends raw HTML at a blank line.
    pub(in crate::markdown) trap: Option<Range<usize>>,
    pub(in crate::markdown) body: Fragment<'a>,
}

/// The kind of a box.
#[derive(Clone, Debug)]
pub(in crate::markdown) enum Enclosure {
    /// With the author's own title.
    Note(NoteKind, Option<String>),
    /// A set of tabs. Sets in one group show the same tab.
    Tabs {
        group: Option<String>,
    },
    Tab {
        label: String,
        group: Option<String>,
    },
    /// A block with a template of the site.
    Own {
        name: String,
        attributes: Vec<BlockAttribute>,
    },
}

impl Enclosure {
    /// The elements that enclose text.
    const ELEMENTS: [&str; 3] = ["aside", "tabs", "tab"];

    /// Returns the box that a tag opens.
    pub(super) fn opened_by(tag: &StartTag, edition: &Edition) -> Self {
        let said = |name: &str| {
            let value = tag.attribute(name).map(str::trim).filter(|value| !value.is_empty())?;
            Some(edition.expand(value).into_owned())
        };
        let group = said("group");
        match tag.name.as_str() {
            "tabs" => Self::Tabs { group },
            "tab" => Self::Tab { label: said("label").or_else(|| said("title")).unwrap_or_default(), group },
            _ => Self::Note(kind_of(tag), said("title")),
        }
    }

    /// Returns its element, and its name for authors.
    pub(super) fn element(&self) -> &'static str {
        match self {
            Self::Note(..) => "aside",
            Self::Tabs { .. } => "tabs",
            Self::Tab { .. } => "tab",
            Self::Own { .. } => "block",
        }
    }
}

/// Returns the name of an element for authors.
pub(super) fn noun(element: &str) -> &str {
    match element {
        "aside" => "note",
        "tabs" => "set of tabs",
        element => element,
    }
}

fn kind_of(tag: &StartTag) -> NoteKind {
    // JSX authors write `className`, which HTML lower-cases.
    let classes =
        tag.attribute("class").or_else(|| tag.attribute("classname")).or_else(|| tag.attribute("type"));
    classes.unwrap_or_default().split_whitespace().find_map(NoteKind::named).unwrap_or(NoteKind::Note)
}

/// Returns the element whose name begins here, if it encloses text.
pub(super) fn enclosing_element(bytes: &[u8]) -> Option<&'static str> {
    Enclosure::ELEMENTS.into_iter().find(|name| starts_with_name(bytes, name))
}
