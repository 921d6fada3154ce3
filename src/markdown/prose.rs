//! The running text of a page, block by block, with the place of every letter.

use pulldown_cmark::{Event, Tag, TagEnd};

use super::blocks::{Blocks, Item};
use super::html::{Found, scan};
use super::span::OffsetMap;
use super::{Definition, Page, Prose, ProseKind};

/// Notes the text of a fragment and its notes, what its links by reference lead to, and how its lists count.
pub(super) fn collect(blocks: &Blocks<'_>, page: &mut Page) {
    let mut open = Open::default();
    let mut numbers: Vec<Option<u64>> = Vec::new();
    page.definitions.extend(
        blocks.definitions.iter().map(|(target, range)| Definition {
            target: target.clone(),
            span: blocks.map.range(range.clone()),
        }),
    );
    page.joined_lists.extend(blocks.joined.iter().map(|list| blocks.map.range(list.clone())));
    for item in &blocks.items {
        let (event, range) = match item {
            Item::Nothing => continue,
            Item::Note { body, .. } => {
                open.end(page);
                collect(body, page);
                continue;
            }
            Item::Html { html, map } => {
                html_text(html, map, &mut open, page);
                continue;
            }
            Item::Event(event, range) => (event, range),
        };
        match event {
            Event::Text(text) => open.push(text, range.start, blocks.map),
            Event::Code(code) => {
                let start = open.text.len();
                // The range covers the backticks; the code stands between them.
                let ticks = (range.len().saturating_sub(code.len())) / 2;
                open.push(code, range.start + ticks, blocks.map);
                open.code.push(start..open.text.len());
            }
            Event::Start(Tag::Image { .. }) => {
                open.push(OBJECT, range.start, blocks.map);
                open.alt = open.text.len();
            }
            Event::End(TagEnd::Image) => {
                open.alts.push(open.alt..open.text.len());
                open.push(OBJECT, range.start, blocks.map);
            }
            Event::SoftBreak | Event::HardBreak => open.push(" ", range.start, blocks.map),
            Event::Start(Tag::Heading { .. }) => open.begin(ProseKind::Heading, page),
            Event::Start(Tag::TableCell) => open.begin(ProseKind::Cell, page),
            Event::Start(Tag::CodeBlock(_)) => open.skip = true,
            Event::End(TagEnd::CodeBlock) => open.skip = false,
            Event::Start(Tag::List(start)) => {
                open.begin(ProseKind::Text, page);
                numbers.push(*start);
            }
            Event::End(TagEnd::List(_)) => {
                open.begin(ProseKind::Text, page);
                numbers.pop();
            }
            Event::Start(Tag::Item) => {
                open.begin(ProseKind::Text, page);
                if let Some(Some(number)) = numbers.last_mut() {
                    page.highest_step = page.highest_step.max(*number);
                    *number += 1;
                }
            }
            Event::Start(tag) if !is_inline(tag) => open.begin(ProseKind::Text, page),
            Event::End(end) if !is_inline_end(*end) => open.begin(ProseKind::Text, page),
            _ => {}
        }
    }
    open.end(page);
}

/// Stands for what is no text, so that the words around it do not meet.
const OBJECT: &str = "\u{fffc}";

/// A run of text that still goes on.
#[derive(Default)]
struct Open {
    kind: Option<ProseKind>,
    text: String,
    code: Vec<std::ops::Range<usize>>,
    alts: Vec<std::ops::Range<usize>>,
    /// Where the last alternative text began.
    alt: usize,
    map: OffsetMap,
    /// In a code block.
    skip: bool,
}

impl Open {
    fn begin(&mut self, kind: ProseKind, page: &mut Page) {
        self.end(page);
        self.kind = Some(kind);
    }

    fn end(&mut self, page: &mut Page) {
        let Self { kind, text, code, alts, map, skip, .. } = std::mem::take(self);
        self.skip = skip;
        if !text.trim_matches(|c: char| c.is_whitespace() || OBJECT.contains(c)).is_empty() {
            page.prose.push(Prose { kind: kind.unwrap_or(ProseKind::Text), text, code, alts, map });
        }
    }

    fn push(&mut self, text: &str, at: usize, map: &OffsetMap) {
        if self.skip {
            return;
        }
        self.map.push_from(self.text.len(), map, at..at + text.len());
        self.text.push_str(text);
    }
}

/// Inline, a piece of raw HTML is a tag or two, which may be a picture.
///
/// Each text between tags of a block stands alone: `<td>a</td><td>a</td>` is not `a a`.
fn html_text(html: &str, map: &OffsetMap, open: &mut Open, page: &mut Page) {
    open.push(OBJECT, 0, map);
    for found in scan(html) {
        if let Found::Text(span) = found {
            open.begin(ProseKind::Text, page);
            open.push(&html[span.clone()], span.start, map);
        }
    }
}

fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. })
}

fn is_inline_end(end: TagEnd) -> bool {
    matches!(end, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image)
}
