//! The running text of a page, block by block, with the place of every letter.

use std::ops::Range;

use memchr::memmem;
use pulldown_cmark::{Event, Tag, TagEnd};
use serde::{Deserialize, Serialize};

use super::blocks::{Blocks, Item};
use super::html::{Found, Reader, is_raw_text};
use super::span::OffsetMap;
use super::{Definition, Page};

/// The running text of a page without its markup.
///
/// All of it is one text, because a page has a hundred passages: a search of all of them is one search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prose {
    /// Every passage, each followed by a line end.
    text: String,
    /// Parts of `text`, ascending.
    passages: Vec<(ProseKind, Range<usize>)>,
    /// Which parts of `text` are code, ascending.
    code: Vec<Range<usize>>,
    /// Which parts of `text` are the texts of images, ascending.
    alts: Vec<Range<usize>>,
    map: OffsetMap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProseKind {
    Text,
    Heading,
    Cell,
}

/// The text of a paragraph, a heading, a list item or a cell.
#[derive(Clone, Copy, Debug)]
pub struct Passage<'a> {
    pub kind: ProseKind,
    /// As written, mojibake included; a line end is a blank.
    pub text: &'a str,
    /// Where it begins in the text of `prose`.
    start: usize,
    prose: &'a Prose,
}

impl Prose {
    /// Replaces the places in a text by those in the file that `map` has for them.
    pub(super) fn relocate(&mut self, map: &OffsetMap) {
        self.map = self.map.through(map, self.text.len());
    }

    /// Every passage, each followed by a line end.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn iter(&self) -> impl Iterator<Item = Passage<'_>> {
        (0..self.passages.len()).map(|at| self.passage(at))
    }

    fn passage(&self, at: usize) -> Passage<'_> {
        let (kind, range) = &self.passages[at];
        Passage { kind: *kind, text: &self.text[range.clone()], start: range.start, prose: self }
    }

    /// The passages that hold one of some texts, in their order.
    pub fn holding(&self, texts: &[memmem::Finder<'_>]) -> Vec<Passage<'_>> {
        let mut holding = Vec::new();
        for finder in texts {
            let mut at = 0;
            while let Some(found) = finder.find(&self.text.as_bytes()[at..]) {
                let passage = self.passages.partition_point(|(_, range)| range.end <= at + found);
                let Some((_, range)) = self.passages.get(passage) else { break };
                holding.push(passage);
                at = range.end;
            }
        }
        holding.sort_unstable();
        holding.dedup();
        holding.into_iter().map(|at| self.passage(at)).collect()
    }

    /// How many words there are.
    pub(super) fn words(&self) -> usize {
        // Between passages are line ends.
        count_words(&self.text)
    }
}

impl Passage<'_> {
    /// Where a part of `text` is in the file.
    pub fn span(&self, part: Range<usize>) -> Range<usize> {
        self.prose.map.range(self.place(&part))
    }

    /// The text without those of images.
    pub fn without_images(&self) -> String {
        let mut text = String::with_capacity(self.text.len());
        let whole = self.place(&(0..self.text.len()));
        let mut start = whole.start;
        for alt in meeting(&self.prose.alts, &whole) {
            text.push_str(&self.prose.text[start..alt.start]);
            start = alt.end;
        }
        text + &self.prose.text[start..whole.end]
    }

    /// Whether a part of `text` is code, even in part.
    pub fn is_code(&self, part: &Range<usize>) -> bool {
        meeting(&self.prose.code, &self.place(part)).next().is_some()
    }

    /// A part of `text` as one of the whole prose.
    pub fn place(&self, part: &Range<usize>) -> Range<usize> {
        self.start + part.start..self.start + part.end
    }
}

/// As many as [`str::split_whitespace`] gives.
fn count_words(text: &str) -> usize {
    let bytes = text.as_bytes();
    // White space beyond blanks and line ends is control characters, or begins with one of these four bytes.
    let is_plain = |byte: u8| !matches!(byte, 0..=0x09 | 0x0b..=0x1f | 0xc2 | 0xe1..=0xe3);
    if bytes.is_empty() || !bytes.iter().fold(true, |plain, byte| plain & is_plain(*byte)) {
        return text.split_whitespace().count();
    }
    // In most texts a word begins at each letter behind a blank or a line end, and sums that fit a byte are made many
    // at a time.
    let begins = |(before, letter): (&u8, &u8)| u8::from(*before <= b' ' && *letter > b' ');
    let pairs = bytes.chunks(255).zip(bytes[1..].chunks(255));
    let behind_blanks = pairs.map(|(before, letters)| before.iter().zip(letters).map(begins).sum::<u8>());
    usize::from(bytes[0] > b' ') + behind_blanks.map(usize::from).sum::<usize>()
}

/// Those of ascending ranges that overlap with another.
fn meeting<'a>(ranges: &'a [Range<usize>], other: &Range<usize>) -> impl Iterator<Item = &'a Range<usize>> {
    let first = ranges.partition_point(|range| range.end <= other.start);
    let end = other.end;
    ranges[first..].iter().take_while(move |range| range.start < end)
}

/// Notes the text of a page, what its links by reference lead to, and how its lists count.
pub(super) fn collect(blocks: &Blocks<'_>, page: &mut Page) {
    page.prose.text.reserve(blocks.text.len());
    let mut collector = Collector { page, kind: None, start: 0, alts: Vec::new(), skip: false };
    collector.blocks(blocks);
    collector.end();
    page.prose.text.shrink_to_fit();
}

/// Takes the place of what is not text, so that the words around it stay apart.
const OBJECT: &str = "\u{fffc}";
const OBJECT_SIGN: char = '\u{fffc}';

/// Collects passages; the last one is not complete.
struct Collector<'p> {
    page: &'p mut Page,
    kind: Option<ProseKind>,
    /// Where the passage began.
    start: usize,
    /// Where the alternative texts began that still go on: one may hold another image.
    alts: Vec<usize>,
    /// In a code block.
    skip: bool,
}

impl Collector<'_> {
    /// A fragment and its notes.
    fn blocks(&mut self, blocks: &Blocks<'_>) {
        let mut numbers: Vec<Option<u64>> = Vec::new();
        self.page.definitions.extend(blocks.definitions.iter().map(|(target, range)| Definition {
            target: target.clone(),
            span: blocks.map.range(range.clone()),
        }));
        self.page.joined_lists.extend(blocks.joined.iter().map(|list| blocks.map.range(list.clone())));
        for item in &blocks.items {
            let (event, range) = match item {
                Item::Nothing => continue,
                Item::Note { body, .. } => {
                    self.end();
                    self.blocks(body);
                    self.end();
                    continue;
                }
                Item::Html { html, map } => {
                    self.html_text(html, map);
                    continue;
                }
                Item::Event(event, range) => (event, range),
            };
            match event {
                Event::Text(text) => self.push(text, range.start, blocks.map),
                Event::Code(code) => self.code(code, range, blocks),
                Event::Start(Tag::Image { .. }) => {
                    self.push(OBJECT, range.start, blocks.map);
                    self.alts.push(self.page.prose.text.len());
                }
                Event::End(TagEnd::Image) => {
                    if let (Some(start), true) = (self.alts.pop(), self.alts.is_empty()) {
                        self.page.prose.alts.push(start..self.page.prose.text.len());
                    }
                    self.push(OBJECT, range.start, blocks.map);
                }
                Event::SoftBreak | Event::HardBreak => self.push(" ", range.start, blocks.map),
                Event::Start(Tag::Heading { .. }) => self.begin(ProseKind::Heading),
                Event::Start(Tag::TableCell) => self.begin(ProseKind::Cell),
                Event::Start(Tag::CodeBlock(_)) => self.skip = true,
                Event::End(TagEnd::CodeBlock) => self.skip = false,
                Event::Start(Tag::List(start)) => {
                    self.begin(ProseKind::Text);
                    numbers.push(*start);
                }
                Event::End(TagEnd::List(_)) => {
                    self.begin(ProseKind::Text);
                    numbers.pop();
                }
                Event::Start(Tag::Item) => {
                    self.begin(ProseKind::Text);
                    if let Some(Some(number)) = numbers.last_mut() {
                        self.page.highest_step = self.page.highest_step.max(*number);
                        *number += 1;
                    }
                }
                Event::Start(tag) if !is_inline(tag) => self.begin(ProseKind::Text),
                Event::End(end) if !is_inline_end(*end) => self.begin(ProseKind::Text),
                _ => {}
            }
        }
    }

    fn begin(&mut self, kind: ProseKind) {
        self.end();
        self.kind = Some(kind);
    }

    /// Ends the passage, and drops an empty one.
    #[inline]
    fn end(&mut self) {
        let kind = self.kind.take().unwrap_or(ProseKind::Text);
        // Containers begin and end where no text is.
        if self.start < self.page.prose.text.len() {
            self.end_with_text(kind);
        }
    }

    fn end_with_text(&mut self, kind: ProseKind) {
        let prose = &mut self.page.prose;
        let is_blank = |c: char| c.is_whitespace() || c == OBJECT_SIGN;
        if prose.text[self.start..].chars().all(is_blank) {
            prose.truncate(self.start);
            return;
        }
        prose.passages.push((kind, self.start..prose.text.len()));
        prose.text.push('\n');
        self.start = prose.text.len();
    }

    fn push(&mut self, text: &str, at: usize, map: &OffsetMap) {
        if self.skip {
            return;
        }
        let prose = &mut self.page.prose;
        prose.map.push_from(prose.text.len(), map, at..at + text.len());
        prose.text.push_str(text);
    }

    /// Code in a line, whose range covers the backticks.
    fn code(&mut self, code: &str, range: &Range<usize>, blocks: &Blocks<'_>) {
        if self.skip {
            return;
        }
        let between = range.start + range.len().saturating_sub(code.len()) / 2;
        let written = blocks.text.get(between..between + code.len()).unwrap_or_default();
        let is_same = written.len() == code.len()
            && written.bytes().zip(code.bytes()).all(|(a, b)| a == b || (a, b) == (b'\n', b' '));
        let start = self.page.prose.text.len();
        if is_same {
            self.push(code, between, blocks.map);
        } else {
            // Indentation of a second line and backslashes in tables are left out: each part has the place of all.
            let prose = &mut self.page.prose;
            prose.map.push_replacing(start, blocks.map.range(range.clone()));
            prose.text.push_str(code);
        }
        self.page.prose.code.push(start..self.page.prose.text.len());
    }

    /// Inline, a piece of raw HTML is a tag or two, which may be a picture.
    ///
    /// Each text between tags of a block is another text: `<td>a</td><td>a</td>` is not `a a`.
    fn html_text(&mut self, html: &str, map: &OffsetMap) {
        self.push(OBJECT, 0, map);
        let mut reader = Reader::new(html);
        while let Some(found) = reader.next(false) {
            match found {
                Found::Text(span) => {
                    self.begin(ProseKind::Text);
                    self.push(&html[span.clone()], span.start, map);
                }
                Found::Start(tag) if is_raw_text(&tag.name) => _ = reader.raw_text(&tag.name),
                _ => {}
            }
        }
    }
}

impl Prose {
    /// Removes everything from `start` on.
    fn truncate(&mut self, start: usize) {
        self.text.truncate(start);
        self.map.truncate(start);
        for ranges in [&mut self.code, &mut self.alts] {
            while ranges.pop_if(|range| range.start >= start).is_some() {}
        }
    }
}

fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. })
}

fn is_inline_end(end: TagEnd) -> bool {
    matches!(end, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image)
}
