//! Collects the running text of a page, block by block.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

use super::tree::{BlockTree, Item};
use crate::markdown::html::{HtmlPart, HtmlReader, is_raw_text};
use crate::markdown::page::{Definition, Page, ProseKind};
use crate::markdown::span::OffsetMap;

/// Collects the text of a page, its link definitions, and the numbers of its lists.
pub(in crate::markdown) fn collect(blocks: &BlockTree<'_>, page: &mut Page) {
    page.prose.text.reserve(blocks.text.len());
    let mut collector = Collector { page, kind: None, start: 0, alts: Vec::new(), skip: false };
    collector.blocks(blocks);
    collector.end();
    page.prose.text.shrink_to_fit();
}

/// Replaces content that isn't text, so that the words around it stay separate.
const OBJECT: &str = "\u{fffc}";
const OBJECT_SIGN: char = '\u{fffc}';

/// Collects passages. The last one isn't complete.
struct Collector<'p> {
    page: &'p mut Page,
    kind: Option<ProseKind>,
    /// Start of the passage.
    start: usize,
    /// Starts of the open alternative texts, because one may contain another image.
    alts: Vec<usize>,
    /// Whether the position is in a code block.
    skip: bool,
}

impl Collector<'_> {
    /// Collects a fragment and its notes.
    fn blocks(&mut self, blocks: &BlockTree<'_>) {
        let mut numbers: Vec<Option<u64>> = Vec::new();
        self.page.definitions.extend(
            blocks
                .definitions
                .iter()
                .map(|it| Definition { span: blocks.map.range(it.span.clone()), ..it.clone() }),
        );
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
                Event::Code(code) | Event::InlineMath(code) | Event::DisplayMath(code) => {
                    self.code(code, range, blocks);
                }
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

    /// Ends the passage, and drops it if it is empty.
    #[inline]
    fn end(&mut self) {
        let kind = self.kind.take().unwrap_or(ProseKind::Text);
        // Containers also start and end between texts.
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

    /// Adds inline code, whose range includes the backticks.
    fn code(&mut self, code: &str, range: &Range<usize>, blocks: &BlockTree<'_>) {
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
            // The indentation of a second line and backslashes in tables aren't part of the code, so each part has
            // the range of all of it.
            let prose = &mut self.page.prose;
            prose.map.push_replacing(start, blocks.map.range(range.clone()));
            prose.text.push_str(code);
        }
        self.page.prose.code.push(start..self.page.prose.text.len());
    }

    /// Handles inline raw HTML: a tag or two, which may be an image.
    ///
    /// Texts between the tags of a block are separate: `<td>a</td><td>a</td>` isn't `a a`.
    fn html_text(&mut self, html: &str, map: &OffsetMap) {
        self.push(OBJECT, 0, map);
        let mut reader = HtmlReader::new(html);
        while let Some(found) = reader.next(false) {
            match found {
                HtmlPart::Text(span) => {
                    self.begin(ProseKind::Text);
                    self.push(&html[span.clone()], span.start, map);
                }
                HtmlPart::Start(tag) if is_raw_text(&tag.name) => _ = reader.raw_text(&tag.name),
                _ => {}
            }
        }
    }
}

fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. })
}

fn is_inline_end(end: TagEnd) -> bool {
    matches!(end, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image)
}
