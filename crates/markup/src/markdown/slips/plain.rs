//! The parts of a text that are shown as written, at their original positions, for rules about failed markup.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

use crate::markdown::parse::tree::{BlockTree, Item};

/// A fragment in which markup, code and alternative texts are hidden.
pub(in crate::markdown) struct Plain {
    /// The fragment's text with the same length and line ends. Hidden bytes are [`HIDDEN`].
    pub(in crate::markdown) text: String,
    /// In order.
    pub(in crate::markdown) leaves: Vec<Leaf>,
    /// Inline code including its backticks, in order.
    pub(in crate::markdown) code_spans: Vec<Range<usize>>,
}

/// Replaces every hidden byte. Authors don't use this character.
pub(in crate::markdown) const HIDDEN: char = '\u{1}';

/// A paragraph, heading, table cell, or the text of a list item.
#[derive(Debug)]
pub(in crate::markdown) struct Leaf {
    pub(in crate::markdown) range: Range<usize>,
    pub(in crate::markdown) kind: LeafKind,
    /// Whether it is outside lists, quotes and footnotes.
    pub(in crate::markdown) is_top: bool,
    /// Whether it is the first one in a quote that isn't a note.
    pub(in crate::markdown) opens_quote: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::markdown) enum LeafKind {
    Paragraph,
    Heading,
    Cell,
    Item,
}

/// A line of a leaf in [`Plain`].
#[derive(Clone, Copy, Debug)]
pub(in crate::markdown) struct Line<'p> {
    pub(in crate::markdown) leaf: &'p Leaf,
    pub(in crate::markdown) start: usize,
    pub(in crate::markdown) text: &'p str,
}

impl Plain {
    pub(in crate::markdown) fn of(blocks: &BlockTree<'_>) -> Self {
        let hidden = blocks.text.bytes().map(|byte| if byte == b'\n' { byte } else { HIDDEN as u8 });
        let mut builder = Builder {
            text: hidden.collect(),
            leaves: Vec::new(),
            code_spans: Vec::new(),
            is_open: false,
            containers: 0,
            opens_quote: false,
            quiet: 0,
        };
        for item in &blocks.items {
            builder.pass(item, blocks.text);
        }
        // Only complete characters were copied.
        let text = String::from_utf8(builder.text).unwrap_or_default();
        Self { text, leaves: builder.leaves, code_spans: builder.code_spans }
    }

    /// Returns the leaves that contain an ASCII character. On most pages, few contain characters of markup.
    pub(in crate::markdown) fn leaves_with(&self, sign: u8) -> impl Iterator<Item = &Leaf> {
        let shows = move |text: &str| memchr::memchr(sign, text.as_bytes()).is_some();
        let leaves = if shows(&self.text) { &self.leaves[..] } else { &[] };
        leaves.iter().filter(move |leaf| shows(&self.text[leaf.range.clone()]))
    }

    pub(in crate::markdown) fn lines<'p>(&'p self, leaf: &'p Leaf) -> impl Iterator<Item = Line<'p>> {
        let mut start = leaf.range.start;
        self.text[leaf.range.clone()].split_inclusive('\n').map(move |text| {
            let line = Line { leaf, start, text: text.trim_end_matches(['\n', HIDDEN]) };
            start += text.len();
            line
        })
    }
}

impl<'p> Line<'p> {
    /// Returns the text from the first visible character on, with its position.
    pub(in crate::markdown) fn shown(&self) -> (usize, &'p str) {
        let shown = self.text.trim_start_matches(HIDDEN);
        (self.start + self.text.len() - shown.len(), shown)
    }
}

/// Whether the range of `source` contains this text. Most texts are slices of it.
fn is_as_written(source: &str, place: &Range<usize>, text: &str) -> bool {
    source
        .get(place.clone())
        .is_some_and(|there| there.len() == text.len() && (there.as_ptr() == text.as_ptr() || there == text))
}

struct Builder {
    text: Vec<u8>,
    leaves: Vec<Leaf>,
    code_spans: Vec<Range<usize>>,
    /// Whether the last leaf continues.
    is_open: bool,
    /// Number of open lists, quotes and footnotes.
    containers: usize,
    opens_quote: bool,
    /// Number of open images and code blocks.
    quiet: usize,
}

impl Builder {
    fn pass(&mut self, item: &Item<'_>, source: &str) {
        let (event, range) = match item {
            Item::Event(event, range) => (event, range),
            Item::Note { .. } => {
                self.is_open = false;
                return;
            }
            Item::Html { .. } | Item::Nothing => return,
        };
        match event {
            Event::Start(Tag::Paragraph) => self.open(LeafKind::Paragraph, range.clone()),
            Event::Start(Tag::Heading { .. }) => self.open(LeafKind::Heading, range.clone()),
            Event::Start(Tag::TableCell) => self.open(LeafKind::Cell, range.clone()),
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell) => self.is_open = false,
            Event::Start(
                tag @ (Tag::BlockQuote(_) | Tag::List(_) | Tag::Item | Tag::FootnoteDefinition(_)),
            ) => {
                self.is_open = false;
                self.containers += 1;
                self.opens_quote = matches!(tag, Tag::BlockQuote(None));
            }
            Event::End(
                TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item | TagEnd::FootnoteDefinition,
            ) => {
                self.is_open = false;
                self.containers = self.containers.saturating_sub(1);
            }
            Event::Start(Tag::CodeBlock(_)) => {
                self.is_open = false;
                self.quiet += 1;
            }
            Event::Start(Tag::Image { .. }) => self.quiet += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::Image) => self.quiet = self.quiet.saturating_sub(1),
            Event::Code(_) if self.quiet == 0 => {
                self.reach(range);
                self.code_spans.push(range.clone());
            }
            Event::Text(written) if self.quiet == 0 => {
                self.reach(range);
                if is_as_written(source, range, written) {
                    self.text[range.clone()].copy_from_slice(written.as_bytes());
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, kind: LeafKind, range: Range<usize>) {
        let is_top = self.containers == 0;
        let opens_quote = std::mem::take(&mut self.opens_quote);
        self.leaves.push(Leaf { range, kind, is_top, opens_quote });
        self.is_open = true;
    }

    /// Starts a leaf for text outside any leaf, which is in an item of a tight list.
    fn reach(&mut self, range: &Range<usize>) {
        match self.leaves.last_mut().filter(|_| self.is_open) {
            Some(leaf) => leaf.range.end = leaf.range.end.max(range.end),
            None => self.open(LeafKind::Item, range.clone()),
        }
    }
}
