//! The parts of a text that are shown as they are written, in place, for rules that look for failed markup.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

use crate::markup::markdown::parse::tree::{BlockTree, Item};

/// A fragment in which everything that is markup, code or a picture's text is hidden.
pub(in crate::markup::markdown) struct Plain {
    /// As long as the fragment's text, with line ends where it has them; what is hidden is [`HIDDEN`].
    pub(in crate::markup::markdown) text: String,
    /// In order.
    pub(in crate::markup::markdown) leaves: Vec<Leaf>,
    /// Code within lines, backquotes included, in order.
    pub(in crate::markup::markdown) code_spans: Vec<Range<usize>>,
}

/// Takes the place of every hidden byte: no author writes it.
pub(in crate::markup::markdown) const HIDDEN: char = '\u{1}';

/// A paragraph, heading, cell, or the text of a list's item.
#[derive(Debug)]
pub(in crate::markup::markdown) struct Leaf {
    pub(in crate::markup::markdown) range: Range<usize>,
    pub(in crate::markup::markdown) kind: LeafKind,
    /// In no list, quote or footnote.
    pub(in crate::markup::markdown) is_top: bool,
    /// The first of a quote that is not a note.
    pub(in crate::markup::markdown) opens_quote: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::markup::markdown) enum LeafKind {
    Paragraph,
    Heading,
    Cell,
    Item,
}

/// A line of a leaf, as [`Plain`] shows it.
#[derive(Clone, Copy, Debug)]
pub(in crate::markup::markdown) struct Line<'p> {
    pub(in crate::markup::markdown) leaf: &'p Leaf,
    pub(in crate::markup::markdown) start: usize,
    pub(in crate::markup::markdown) text: &'p str,
}

impl Plain {
    pub(in crate::markup::markdown) fn of(blocks: &BlockTree<'_>) -> Self {
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
        // Whole letters were copied.
        let text = String::from_utf8(builder.text).unwrap_or_default();
        Self { text, leaves: builder.leaves, code_spans: builder.code_spans }
    }

    /// The leaves that show a sign of ASCII. Most pages show few of those that markup is made of.
    pub(in crate::markup::markdown) fn leaves_with(&self, sign: u8) -> impl Iterator<Item = &Leaf> {
        let shows = move |text: &str| memchr::memchr(sign, text.as_bytes()).is_some();
        let leaves = if shows(&self.text) { &self.leaves[..] } else { &[] };
        leaves.iter().filter(move |leaf| shows(&self.text[leaf.range.clone()]))
    }

    pub(in crate::markup::markdown) fn lines<'p>(&'p self, leaf: &'p Leaf) -> impl Iterator<Item = Line<'p>> {
        let mut start = leaf.range.start;
        self.text[leaf.range.clone()].split_inclusive('\n').map(move |text| {
            let line = Line { leaf, start, text: text.trim_end_matches(['\n', HIDDEN]) };
            start += text.len();
            line
        })
    }
}

impl<'p> Line<'p> {
    /// The text from the first letter on that is shown, and where that is.
    pub(in crate::markup::markdown) fn shown(&self) -> (usize, &'p str) {
        let shown = self.text.trim_start_matches(HIDDEN);
        (self.start + self.text.len() - shown.len(), shown)
    }
}

/// Whether a place of `source` has this text. Most texts are a part of it themselves.
fn is_as_written(source: &str, place: &Range<usize>, text: &str) -> bool {
    source
        .get(place.clone())
        .is_some_and(|there| there.len() == text.len() && (there.as_ptr() == text.as_ptr() || there == text))
}

struct Builder {
    text: Vec<u8>,
    leaves: Vec<Leaf>,
    code_spans: Vec<Range<usize>>,
    /// Whether the last leaf goes on.
    is_open: bool,
    /// How many lists, quotes and footnotes are open.
    containers: usize,
    opens_quote: bool,
    /// How many pictures and blocks of code are open.
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

    /// Text outside of any leaf is that of an item whose list is tight.
    fn reach(&mut self, range: &Range<usize>) {
        match self.leaves.last_mut().filter(|_| self.is_open) {
            Some(leaf) => leaf.range.end = leaf.range.end.max(range.end),
            None => self.open(LeafKind::Item, range.clone()),
        }
    }
}
