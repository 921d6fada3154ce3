//! Builds the structure of a page: the parser's events, with notes inserted, URLs linked, and broken lists joined.

use std::ops::Range;

use pulldown_cmark::{
    BrokenLink, BrokenLinkCallback, CowStr, Event, LinkType, OffsetIter, Options, Parser, Tag, TagEnd,
};

use super::autolink;
use super::extract::{Fragment, PLACEHOLDER};
use super::tree::{BlockTree, Item, Misnumbered};
use crate::markdown::page::Definition;
use crate::markdown::span::OffsetMap;
use base::sort::StableSort as _;
use input::dialect::{LinkDefinitions, label};

/// Extensions of CommonMark: GitHub's, and explicit IDs of headings.
///
/// `ENABLE_GFM` enables alerts. Smart punctuation is off, because pages must be shown as written.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_GFM);

/// Parses a page's fragment and those of its notes. `definitions` are those that the generator adds to the page.
pub(in crate::markdown) fn read<'a>(
    fragment: &'a Fragment<'a>,
    has_formulas: bool,
    definitions: &LinkDefinitions,
) -> BlockTree<'a> {
    let options = if has_formulas { OPTIONS | Options::ENABLE_MATH } else { OPTIONS };
    read_fragment(fragment, options, definitions)
}

/// `outer` are the definitions around the fragment, which it can use.
fn read_fragment<'a>(fragment: &'a Fragment<'a>, options: Options, outer: &LinkDefinitions) -> BlockTree<'a> {
    let text: &'a str = &fragment.text;
    let mut undefined = Vec::new();
    let lookup = |link: BrokenLink<'_>| {
        if let Some((target, title)) = outer.get(&label(&link.reference)) {
            Some((CowStr::from(target.clone()), CowStr::from(title.clone())))
        } else {
            // A lone `[x]` is text more often than not.
            if matches!(link.link_type, LinkType::Reference | LinkType::Collapsed) {
                undefined.push((link.reference.to_string(), link.span));
            }
            None
        }
    };
    let mut parser = Parser::new_with_broken_link_callback(text, options, Some(lookup)).into_offset_iter();
    let places = definition_places(&parser, text);
    let definitions = if fragment.notes.is_empty() {
        LinkDefinitions::new()
    } else {
        let own = parser.reference_definitions().iter().map(|(name, link)| {
            let title = link.title.as_deref().unwrap_or_default();
            (label(name), (link.dest.to_string(), title.to_string()))
        });
        outer.clone().into_iter().chain(own).collect()
    };
    // Expect an event for every few words.
    let mut items = Vec::with_capacity(text.len() / 12 + 8);
    let mut numbered_lists = 0_usize;
    let mut notes = fragment.notes.iter().peekable();
    for (event, range) in parser.by_ref() {
        let (Event::Html(html) | Event::InlineHtml(html)) = &event else {
            numbered_lists += usize::from(matches!(event, Event::Start(Tag::List(Some(_)))));
            items.push(Item::Event(event, range));
            continue;
        };
        let mut html: &str = html;
        let mut at = range.start;
        while let Some((offset, note)) = notes.next_if(|(offset, _)| *offset < range.end) {
            // The first line of a block may begin with spaces outside its range.
            let found = html.find(PLACEHOLDER);
            push_html(&mut items, &html[..found.unwrap_or(0)], at, &fragment.map);
            let body = Box::new(read_fragment(&note.body, options, &definitions));
            items.push(Item::Note { note, body });
            // In indented code, the placeholder isn't HTML.
            if let Some(found) = found {
                html = &html[found + PLACEHOLDER.len()..];
                at = offset + PLACEHOLDER.len();
            }
        }
        push_html(&mut items, html, at, &fragment.map);
    }
    drop(parser);
    let mut items = autolink::link(items, text);
    let (joined, misnumbered) =
        if numbered_lists > 0 { join_lists(&mut items, text) } else { (Vec::new(), Vec::new()) };
    BlockTree { text, map: &fragment.map, items, definitions: places, undefined, joined, misnumbered }
}

/// Returns every target of a link definition with its range. Targets with escapes have no range.
fn definition_places<'a, F: BrokenLinkCallback<'a>>(
    parser: &OffsetIter<'a, F>,
    text: &str,
) -> Vec<Definition> {
    let place = |target: &str, range: Range<usize>| {
        let after = range.start + text.get(range)?.find("]:")? + 2;
        let written = text[after..].trim_start_matches(|c: char| c.is_whitespace() || c == '<');
        let start = text.len() - written.len();
        written.starts_with(target).then(|| start..start + target.len())
    };
    let definitions = parser.reference_definitions().iter();
    let places = definitions.filter_map(|(name, link)| {
        let span = place(&link.dest, link.span.clone())?;
        Some(Definition { label: label(name), target: link.dest.to_string(), span })
    });
    let mut places: Vec<_> = places.collect();
    places.stable_sort_by_key(|it| it.span.start);
    places
}

/// Adds raw HTML, to the previous piece if there is one, because a tag may span lines.
fn push_html(items: &mut Vec<Item<'_>>, html: &str, at: usize, map: &OffsetMap) {
    // pulldown-cmark returns a CRLF after a block's line as a separate piece.
    let ends_a_note = matches!(items.last(), Some(Item::Note { .. })) && html.trim().is_empty();
    if html.is_empty() || ends_a_note {
        return;
    }
    if let Some(Item::Html { html: whole, map: own }) = items.last_mut() {
        own.push_from(whole.len(), map, at..at + html.len());
        whole.push_str(html);
        return;
    }
    let mut own = OffsetMap::default();
    own.push_from(0, map, at..at + html.len());
    items.push(Item::Html { html: html.to_string(), map: own });
}

/// Joins numbered lists that unindented content split.
///
/// Authors often don't indent an image, a table, a note or code between step 2 and step 3. CommonMark ends the list
/// there and begins another one at 3. The lists are joined if the second one begins with the next number, and the
/// content in between becomes part of the step before it. A heading, a rule or raw HTML keeps them separate.
/// Returns the positions of the joined lists, and the items because of whose numbers lists aren't joined.
fn join_lists(items: &mut [Item<'_>], text: &str) -> (Vec<Range<usize>>, Vec<Misnumbered>) {
    let (mut joined, mut misnumbered) = (Vec::new(), Vec::new());
    // The page itself, and every open container in it.
    let mut around = vec![Around::default()];
    for at in 0..items.len() {
        match &items[at] {
            Item::Event(Event::Start(Tag::List(Some(first))), range) => {
                let (next, delimiter, start) = (*first, delimiter(text, range.start), range.start);
                let before = around.last_mut().and_then(|it| it.candidate.take());
                let before = before.filter(|it| it.list.delimiter == delimiter);
                // A line may begin many lists.
                let line = || start..line_end(text, start);
                let wrong = before.as_ref().and_then(|it| it.list.misnumbered(next, line));
                let list = NumberedList {
                    next,
                    delimiter,
                    written: None,
                    count: 0,
                    breaks: Vec::new(),
                    is_wrong: wrong.is_some(),
                };
                around.push(Around { numbered: Some(list), candidate: None });
                misnumbered.extend(wrong);
                if let Some(before) = before.filter(|it| it.list.next == next) {
                    joined.push(line());
                    items[at] = Item::Event(Event::End(TagEnd::Item), 0..0);
                    items[before.last_item_end] = Item::Nothing;
                    items[before.list_end] = Item::Nothing;
                }
            }
            Item::Event(Event::Start(tag), range) => {
                match around.last_mut() {
                    Some(Around { numbered: Some(list), .. }) if matches!(tag, Tag::Item) => {
                        list.add(text, range.start);
                    }
                    Some(Around { candidate, .. }) if separates_lists(tag) => *candidate = None,
                    _ => {}
                }
                around.push(Around::default());
            }
            Item::Event(Event::End(_), _) => {
                let list = around.pop().and_then(|it| it.numbered);
                if let (Some(mut list), Some(around)) = (list, around.last_mut()) {
                    if let Some(slip) = list.slip() {
                        list.is_wrong = true;
                        misnumbered.push(slip);
                    }
                    let (last_item_end, list_end) = (at - 1, at);
                    around.candidate = Some(Candidate { list, last_item_end, list_end });
                }
            }
            Item::Event(Event::Rule, _) => forget(&mut around),
            Item::Html { html, .. } if !is_comment(html) => forget(&mut around),
            _ => {}
        }
    }
    (joined, misnumbered)
}

/// Returns the number of the item that begins at a position.
fn number_at(text: &str, start: usize) -> Option<u64> {
    let marker = text[start..].trim_start_matches(' ');
    let digits = marker.bytes().take_while(u8::is_ascii_digit).count();
    marker[..digits].parse().ok()
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find(['\r', '\n']).map_or(text.len(), |end| at + end)
}

fn forget(around: &mut [Around]) {
    if let Some(innermost) = around.last_mut() {
        innermost.candidate = None;
    }
}

/// An open container.
#[derive(Debug, Default)]
struct Around {
    numbered: Option<NumberedList>,
    /// The list that may continue in it.
    candidate: Option<Candidate>,
}

/// A numbered list up to its last item.
#[derive(Clone, Debug)]
struct NumberedList {
    /// Number that readers see at its next item.
    next: u64,
    /// `.` or `)`. CommonMark begins another list when it changes.
    delimiter: Option<u8>,
    /// Number in the source of its last item.
    written: Option<u64>,
    /// Number of its items.
    count: usize,
    /// The first items whose numbers don't follow those before them, each with its position in the list.
    breaks: Vec<(usize, Misnumbered)>,
    /// Whether a wrong number in it was found, so that the next ones say nothing.
    is_wrong: bool,
}

impl NumberedList {
    /// Adds the item that begins at `start`.
    fn add(&mut self, text: &str, start: usize) {
        /// Number of breaks that are stored. Authors of lists with more leave the numbers to the parser.
        const MOST: usize = 3;
        let number = number_at(text, start);
        if let (Some(before), Some(number)) = (self.written, number)
            && number != before + 1
            && self.breaks.len() < MOST
        {
            let span = start..line_end(text, start);
            let wrong = Misnumbered { span, number, before, shown: Some(self.next) };
            self.breaks.push((self.count, wrong));
        }
        self.written = number;
        self.next += 1;
        self.count += 1;
    }

    /// Returns the only item that skips a number, or has another one than its place.
    fn slip(&self) -> Option<Misnumbered> {
        /// Minimum number of items, if one has another number than its place.
        const FEWEST: usize = 4;
        let is_slip = match &self.breaks[..] {
            [(_, only)] => only.number == only.before + 2,
            [(first, wrong), (second, next)] => {
                self.count >= FEWEST && *second == first + 1 && next.number == wrong.before + 2
            }
            _ => false,
        };
        let first = self.breaks.first().filter(|_| is_slip && !self.is_wrong)?;
        Some(first.1.clone())
    }

    /// Returns the item because of whose number the list that begins with `first` in `line` doesn't continue this one.
    fn misnumbered(&self, first: u64, line: impl FnOnce() -> Range<usize>) -> Option<Misnumbered> {
        let before = self.next - 1;
        let jump = self.breaks.first().map(|(_, it)| it).filter(|it| it.number == it.before + 2);
        match jump.filter(|_| self.written.is_some_and(|last| last + 1 == first)) {
            Some(_) if self.is_wrong => None,
            Some(jump) => Some(jump.clone()),
            None => {
                let is_wrong = first == before + 2 || first == before && first > 1;
                is_wrong.then(|| Misnumbered { span: line(), number: first, before, shown: None })
            }
        }
    }
}

/// A numbered list that may continue later.
#[derive(Clone, Debug)]
struct Candidate {
    list: NumberedList,
    /// Positions of the events that close its last item and the list.
    last_item_end: usize,
    list_end: usize,
}

fn delimiter(text: &str, list_start: usize) -> Option<u8> {
    text[list_start..].bytes().find(|byte| !byte.is_ascii_digit() && *byte != b' ')
}

fn separates_lists(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::Heading { .. } | Tag::FootnoteDefinition(_))
}

fn is_comment(html: &str) -> bool {
    let html = html.trim();
    html.starts_with("<!--") && html.ends_with("-->")
}
