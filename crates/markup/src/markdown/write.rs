//! Turns a page's blocks into HTML, and records everything that they refer to.
//!
//! For plain CommonMark, the output is that of the specification's examples. It intentionally differs in: IDs of
//! headings, tables in a scrolling container, notes, standalone images as figures, and footnotes at the end of the
//! page.

mod elements;
mod embedded;
pub(super) mod sink;
mod video;

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use pulldown_cmark::{Alignment, BlockQuoteKind, CodeBlockKind, CowStr, Event, LinkType, Tag, TagEnd};

use self::elements::{Container, Elements, Fate, holds_end_of};
use self::sink::Sink;
use super::fence::{self, Fence};
use super::formula;
use super::html::{HtmlPart, HtmlReader, Named, Start, is_element, is_raw_text};
use super::page::{
    CodeBlock, Element, Heading, HeadingIx, Ids, Note, NoteKind, OwnBlock, Page, PageAnchor, PageTable,
    PageTableColumn, PageTableIx, PageTableRow, Placeholder, Reference, ReferenceForm, ReferenceKind,
    TableRowIx,
};
use super::parse::extract::{BlockAttribute, CutNote, Enclosure};
use super::parse::tree::{BlockTree, Item};
use super::slips::{mojibake, quotes};
use super::span::OffsetMap;
use base::address::slug_of;
use base::diagnostic::{Code, Problem};
use base::index::IndexVec;
use base::url::{Purpose, is_unsafe};
use input::conventions::AnchorRule;
use input::words::{ColumnWords, Word};

/// The `cause` of a finding about rows without a delimiter row, or with one of another length, which some generators read as a table.
pub(super) const NO_DELIMITERS: &str = "no-delimiters";

/// How headings get their IDs.
#[derive(Clone, Copy)]
pub(super) struct HeadingIds {
    pub(super) rule: AnchorRule,
    /// Whether a heading with a number also has the ID of its text without it, so that links last when steps move.
    pub(super) are_lasting: bool,
}

/// Writes a page into a new sink.
pub(super) fn page<S: Sink>(blocks: &BlockTree<'_>, ids: HeadingIds, columns: &ColumnWords) -> (Page, S) {
    let mut writer: PageWriter<S> = written(blocks, Elements::default(), ids, columns);
    // Elements without an end tag end with their block. Which ones these are is known only at the end of the page.
    let never_ended = std::mem::take(&mut writer.elements.never_ended);
    if !never_ended.is_empty() {
        writer = written(blocks, Elements::ending_with_block(never_ended), ids, columns);
    }
    let PageWriter { mut page, mut out, elements, .. } = writer;
    out.finish();
    page.problems.extend(elements.problems);
    (page, out)
}

fn written<S: Sink>(
    blocks: &BlockTree<'_>,
    elements: Elements,
    ids: HeadingIds,
    columns: &ColumnWords,
) -> PageWriter<S> {
    let mut writer: PageWriter<S> =
        PageWriter { elements, columns: columns.clone(), ..PageWriter::default() };
    writer.out.reserve(blocks.text.len());
    writer.name_headings(blocks, ids);
    writer.blocks(blocks);
    writer.leave();
    writer.footnotes();
    writer
}

#[derive(Debug, Default)]
pub(super) struct PageWriter<S> {
    columns: ColumnWords,
    pub(super) page: Page,
    pub(super) out: S,
    pub(super) ids: Ids,
    /// The IDs of the remaining headings: the current one, and one that doesn't change when headings are renumbered.
    heading_ids: VecDeque<(String, Option<String>)>,
    footnotes: Footnotes<S>,
    pub(super) elements: Elements,
    /// Whether a block of raw HTML contains an unclosed fence.
    has_fence_in_html: bool,
    /// Whether the next end tag belongs to a video frame that was replaced with a link.
    pub(super) is_video_open: bool,
    /// For each enclosing list, the number of its next item, if it is numbered.
    lists: Vec<Option<u64>>,
    /// Names of tables, with the number of times that each was used.
    table_names: HashMap<String, usize>,
}

/// The levels of headings as digits for HTML.
const LEVELS: [&str; 7] = ["0", "1", "2", "3", "4", "5", "6"];

/// Number of rows from which readers can filter a table of settings.
const LONG_TABLE: usize = 10;

/// Footnotes by first reference. Their texts are written at the end of the page.
#[derive(Debug, Default)]
struct Footnotes<S> {
    numbers: HashMap<String, usize>,
    /// In the order of their numbers: the number of references, and the text.
    notes: Vec<(usize, Option<S>)>,
}

impl<S> Footnotes<S> {
    /// Returns the number of a footnote, counted from 1.
    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.notes.push((0, None));
        self.numbers.insert(name.to_string(), self.notes.len());
        self.notes.len()
    }
}

/// The current position in a table.
#[derive(Debug)]
struct TableCursor {
    alignments: Vec<Alignment>,
    table: PageTableIx,
    /// The current row, or `None` in the header.
    row: Option<TableRowIx>,
    column: usize,
}

impl<S: Sink> PageWriter<S> {
    /// Gives an ID to every heading before a heading without a number can use it.
    fn name_headings(&mut self, blocks: &BlockTree<'_>, HeadingIds { rule, are_lasting }: HeadingIds) {
        let mut names = Vec::new();
        collect_headings(blocks, &mut names);
        let own: Vec<String> = names
            .iter()
            .map(|(id, text)| {
                let base = id.clone().unwrap_or_else(|| rule.id(text));
                self.ids.unique_by(rule, base)
            })
            .collect();
        for ((_, text), id) in names.into_iter().zip(own) {
            let bare = Heading { level: 1, text, id: String::new(), own_id: None, span: 0..0 };
            let lasting = rule.id(bare.bare_text());
            let is_new = are_lasting
                && bare.bare_text() != bare.text
                && !lasting.is_empty()
                && self.ids.taken(&lasting);
            self.heading_ids.push_back((id, is_new.then_some(lasting)));
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each event, most of them a line")]
    fn blocks(&mut self, blocks: &BlockTree<'_>) {
        let mut table: Option<TableCursor> = None;
        let mut notes: Vec<bool> = Vec::new();
        let mut definitions: Vec<(String, S)> = Vec::new();
        let items = &blocks.items;
        let mut at = 0;
        while at < items.len() {
            let here = at;
            at += 1;
            let (event, range) = match &items[here] {
                Item::Nothing => continue,
                Item::Html { html, map } => {
                    let before = here.checked_sub(1).map(|before| &items[before]);
                    if matches!(before, Some(Item::Event(Event::Start(Tag::HtmlBlock), _))) {
                        self.fence_in_html(html, map);
                    }
                    self.raw_html(html, map);
                    continue;
                }
                Item::Note { note, body } => {
                    self.enter(Container::Note);
                    self.open_enclosure(note);
                    self.blocks(body);
                    self.leave();
                    match note.enclosure {
                        Enclosure::Own { .. } => self.out.placeholder(Placeholder::BlockEnd),
                        _ => self.close_note(),
                    }
                    continue;
                }
                Item::Event(event, range) => (event, range),
            };
            self.around_html(event, &items[at..]);
            match event {
                Event::Text(text) => self.text(text, range, blocks.map),
                Event::InlineMath(tex) => self.formula(tex, false, range, blocks),
                Event::DisplayMath(tex) => self.formula(tex, true, range, blocks),
                Event::Code(code) if table.is_some() => self.code_in_cell(code),
                Event::Code(code) => self.element("code", code),
                Event::SoftBreak => self.out.push("\n"),
                Event::HardBreak => self.out.push("<br />\n"),
                Event::Rule => self.line("<hr />\n"),
                Event::TaskListMarker(done) => self.task_marker(*done),
                Event::FootnoteReference(name) => self.footnote_reference(name),
                Event::Html(_) | Event::InlineHtml(_) => {
                    unreachable!("blocks turn raw HTML into items of its own")
                }

                Event::Start(Tag::Paragraph) => {
                    if let Some(end) = lone_images(items, at) {
                        self.figures(at..end, blocks);
                        at = end + 1;
                    } else {
                        self.broken_table(&blocks.text[..range.end], range.start, blocks.span(range));
                        self.enter(Container::Paragraph);
                        self.line("<p>");
                    }
                }
                Event::End(TagEnd::Paragraph) => {
                    self.leave();
                    self.out.push("</p>\n");
                }
                Event::Start(Tag::Heading { level, id, classes, attrs }) => {
                    let span = blocks.span(range);
                    let own_id = id.as_ref().map(ToString::to_string);
                    let (level, text) = (*level as u8, plain_text(&items[at..]));
                    self.heading(Heading { level, text, id: String::new(), own_id, span }, classes, attrs);
                }
                Event::End(TagEnd::Heading(level)) => {
                    self.out.push("</h");
                    self.level((self.page.headings.len() - 1).into(), *level as u8);
                    self.out.push(">\n");
                }
                Event::Start(Tag::BlockQuote(kind)) => {
                    notes.push(kind.is_some());
                    match kind {
                        Some(kind) => {
                            self.open_note(alert(*kind), None, blocks.span(range), None);
                        }
                        None => self.line("<blockquote>\n"),
                    }
                }
                Event::End(TagEnd::BlockQuote(_)) => match notes.pop() {
                    Some(true) => self.close_note(),
                    _ => self.out.push("</blockquote>\n"),
                },
                Event::Start(Tag::CodeBlock(kind)) => {
                    at = self.code_block(kind, blocks, here);
                }
                Event::Start(Tag::List(start)) => self.open_list(*start),
                Event::End(TagEnd::List(has_numbers)) => self.close_list(*has_numbers),
                Event::Start(Tag::Item) => self.open_item(),
                Event::End(TagEnd::Item) => self.out.push("</li>\n"),
                Event::Start(Tag::FootnoteDefinition(name)) => {
                    definitions.push((name.to_string(), std::mem::take(&mut self.out)));
                }
                Event::End(TagEnd::FootnoteDefinition) => {
                    if let Some((name, outer)) = definitions.pop() {
                        let text = std::mem::replace(&mut self.out, outer);
                        let number = self.footnotes.number(&name);
                        self.footnotes.notes[number - 1].1.get_or_insert(text);
                    }
                }

                Event::Start(Tag::Table(alignments)) => {
                    let index = self.open_table(&items[at..], blocks, range);
                    table = Some(TableCursor {
                        alignments: alignments.clone(),
                        table: index,
                        row: None,
                        column: 0,
                    });
                }
                Event::End(TagEnd::Table) => {
                    self.out.push("</tbody></table></section>\n");
                    table = None;
                }
                Event::Start(Tag::TableHead) => self.out.push("<thead><tr>"),
                Event::End(TagEnd::TableHead) => self.out.push("</tr></thead><tbody>\n"),
                Event::Start(Tag::TableRow) => self.open_row(table.as_mut()),
                Event::End(TagEnd::TableRow) => self.out.push("</tr>\n"),
                Event::Start(Tag::TableCell) => self.open_cell(table.as_ref()),
                Event::End(TagEnd::TableCell) => self.close_cell(table.as_mut()),

                Event::Start(Tag::Emphasis) => self.out.push("<em>"),
                Event::End(TagEnd::Emphasis) => self.out.push("</em>"),
                Event::Start(Tag::Strong) => self.out.push("<strong>"),
                Event::End(TagEnd::Strong) => self.out.push("</strong>"),
                Event::Start(Tag::Strikethrough) => self.out.push("<del>"),
                Event::End(TagEnd::Strikethrough) => self.out.push("</del>"),
                Event::Start(Tag::Link { link_type, dest_url, title, .. }) => {
                    let span = target_span(&items[at..], blocks, range, dest_url);
                    let is_address = matches!(link_type, LinkType::Autolink | LinkType::Email);
                    let form = if is_address && !blocks.text[range.clone()].starts_with('<') {
                        ReferenceForm::Bare
                    } else {
                        ReferenceForm::Target
                    };
                    self.open_link(*link_type, dest_url, title, plain_text(&items[at..]), span, form);
                }
                Event::End(TagEnd::Link) => self.out.push("</a>"),
                Event::Start(Tag::Image { .. }) => at = self.image(here, blocks),
                // Other items contain raw HTML, images end where they begin, and other extensions are off.
                Event::Start(_) | Event::End(_) => {}
            }
        }
    }

    /// Ends the raw HTML elements that end with this event or can't contain it. `next` follows the event.
    fn around_html(&mut self, event: &Event<'_>, next: &[Item<'_>]) {
        match event {
            Event::Start(tag) if !matches!(tag, Tag::HtmlBlock) => {
                if let Some(container) = container(tag) {
                    self.enter(container);
                } else {
                    let html = self.elements.make_room(!matches!(tag, Tag::Image { .. }));
                    self.ended(&html);
                }
            }
            Event::End(TagEnd::HtmlBlock) => {
                let html = self.elements.end_block(|name| goes_on_with_end(next, name));
                self.out.push(&html);
            }
            // A paragraph ends at its end tag.
            Event::Start(_)
            | Event::End(TagEnd::Paragraph | TagEnd::CodeBlock | TagEnd::Image)
            | Event::Text(_)
            | Event::SoftBreak => {}
            Event::End(_) => self.leave(),
            _ => {
                let html = self.elements.make_room(matches!(event, Event::Rule));
                self.ended(&html);
            }
        }
    }

    fn enter(&mut self, container: Container) {
        let html = self.elements.enter(container);
        self.ended(&html);
    }

    fn leave(&mut self) {
        let html = self.elements.leave();
        self.ended(&html);
    }

    /// Writes the end tags of elements. Usually there are none.
    fn ended(&mut self, html: &str) {
        if !html.is_empty() {
            self.out.push(html);
        }
    }

    /// Writes at the start of a line.
    fn line(&mut self, html: &str) {
        if !self.out.ends_line() {
            self.out.push("\n");
        }
        self.out.push(html);
    }

    fn escaped(&mut self, text: &str) {
        self.out.escaped(text);
    }

    pub(super) fn attribute(&mut self, name: &str, value: &str) {
        attribute(&mut self.out, name, value);
    }

    pub(super) fn escaped_for_attribute(&mut self, text: &str) {
        self.out.escaped_for_attribute(text);
    }

    pub(super) fn id(&mut self, id: &str) {
        self.out.push(" id=\"");
        self.out.placeholder(Placeholder::IdPrefix);
        self.out.escaped_for_attribute(id);
        self.out.push("\"");
    }

    /// Writes a label for screen readers.
    fn label(&mut self, word: Placeholder) {
        self.out.push(" aria-label=\"");
        self.out.placeholder(word);
        self.out.push("\"");
    }

    /// Code in a table, whose words are never broken automatically. In a long word, a line may end after a
    /// punctuation mark and before a capital letter.
    fn code_in_cell(&mut self, code: &str) {
        /// Letters that a narrow column has room for.
        const MOST: usize = 24;
        if code.split_whitespace().all(|word| word.chars().count() <= MOST) {
            return self.element("code", code);
        }
        self.out.push("<code>");
        let mut start = 0;
        let letters: Vec<(usize, char)> = code.char_indices().collect();
        for pair in letters.windows(2) {
            let [(_, before), (at, after)] = *pair else { continue };
            let is_hump = before.is_lowercase() && after.is_uppercase();
            if is_hump || (matches!(before, '.' | '_' | '-' | '/' | ':') && after.is_alphanumeric()) {
                self.escaped(&code[start..at]);
                self.out.push("<wbr />");
                start = at;
            }
        }
        self.escaped(&code[start..]);
        self.out.push("</code>");
    }

    fn element(&mut self, name: &str, text: &str) {
        self.out.push("<");
        self.out.push(name);
        self.out.push(">");
        self.escaped(text);
        self.out.push("</");
        self.out.push(name);
        self.out.push(">");
    }

    fn text(&mut self, text: &str, range: &Range<usize>, map: &OffsetMap) {
        // Fast path: damaged characters are never ASCII.
        if text.is_ascii() {
            return self.escaped(text);
        }
        let place = |span: Range<usize>| map.range(range.start + span.start..range.start + span.end);
        let repaired = self.repaired(text, place);
        self.escaped(&repaired);
    }

    /// Repairs and reports mojibake. `place` converts a range in `text` to a range in the file.
    fn repaired<'t>(&mut self, text: &'t str, place: impl Fn(Range<usize>) -> Range<usize>) -> Cow<'t, str> {
        let damaged = mojibake::find(text);
        if damaged.is_empty() || damaged.iter().any(|(span, _)| is_mentioned(text, span)) {
            return Cow::Borrowed(text);
        }
        for (span, _) in damaged {
            let damaged = &text[span.clone()];
            let meant = mojibake::repair(damaged);
            let message = format!("`{damaged}` is `{meant}` in the wrong encoding");
            let help = format!("replace it with `{meant}`; pages show it repaired");
            let span = place(span);
            let problem = Problem::new(Code::Mojibake, span.clone(), message).help(help);
            self.page.problems.push(problem.edit(span, meant));
        }
        mojibake::repair(text)
    }

    fn heading(
        &mut self,
        heading: Heading,
        classes: &[CowStr<'_>],
        attributes: &[(CowStr<'_>, Option<CowStr<'_>>)],
    ) {
        let (id, lasting) = self.heading_ids.pop_front().expect("every heading was named");
        let span = heading.span.clone();
        self.line("<h");
        self.level(self.page.headings.next_index(), heading.level);
        self.id(&id);
        if !classes.is_empty() {
            self.attribute("class", &classes.join(" "));
        }
        for (name, value) in attributes {
            self.attribute(name, value.as_deref().unwrap_or_default());
        }
        self.out.push(">");
        if let Some(lasting) = &lasting {
            self.out.push("<span");
            self.id(lasting);
            self.out.push("></span>");
        }
        let anchors = [Some(id.clone()), lasting].into_iter().flatten();
        self.page.anchors.extend(anchors.map(|id| PageAnchor { id, span: span.clone() }));
        self.page.headings.push(Heading { id, ..heading });
    }

    fn level(&mut self, heading: HeadingIx, level: u8) {
        match level {
            1 => self.out.placeholder(Placeholder::Level(heading)),
            _ => self.out.push(LEVELS.get(usize::from(level)).copied().unwrap_or_default()),
        }
    }

    /// Without scripts, all tabs are shown one after the other. A script then shows one of them.
    fn open_enclosure(&mut self, it: &CutNote<'_>) {
        let (class, group) = match &it.enclosure {
            Enclosure::Note(kind, title) => {
                return self.open_note(*kind, title.as_deref(), it.span.clone(), it.trap.clone());
            }
            Enclosure::Tabs { group } => ("tabs", group),
            Enclosure::Tab { group, .. } => ("tab", group),
            Enclosure::Own { name, attributes } => return self.open_block(name, attributes),
        };
        self.line(&format!("<div class=\"{class}\""));
        if let Some(group) = group {
            self.attribute("data-group", group);
        }
        self.out.push(">\n");
        if let Enclosure::Tab { label, .. } = &it.enclosure {
            self.out.push("<p class=\"tab-label\">");
            self.escaped(label);
            self.out.push("</p>\n");
        }
    }

    /// Opens a block with a template of the site. Its attributes `href`, `src` and `poster` are references.
    fn open_block(&mut self, name: &str, attributes: &[BlockAttribute]) {
        let mut block = OwnBlock { name: name.to_string(), attributes: Vec::new(), references: Vec::new() };
        for BlockAttribute { name, value, span } in attributes {
            block.attributes.push((name.clone(), value.clone()));
            let kind = match name.as_str() {
                "href" => ReferenceKind::Link,
                "src" | "poster" => ReferenceKind::File,
                _ => continue,
            };
            if !value.is_empty() {
                block.references.push((name.clone(), self.page.references.next_index()));
                let (target, span, form) = (value.clone(), span.clone(), ReferenceForm::Target);
                self.page.references.push(Reference { kind, target, text: None, span, form });
            }
        }
        self.line("");
        self.out.placeholder(Placeholder::BlockStart(self.page.blocks.next_index()));
        self.page.blocks.push(block);
    }

    fn open_note(
        &mut self,
        kind: NoteKind,
        title: Option<&str>,
        span: Range<usize>,
        trap: Option<Range<usize>>,
    ) {
        self.line("<div class=\"note\" role=\"note\"");
        self.attribute("data-kind", kind.class());
        self.out.push(">\n<p class=\"note-label\">");
        match (kind, title) {
            (_, None) => self.out.placeholder(Placeholder::Word(kind.word())),
            (NoteKind::Note, Some(title)) => self.escaped(title),
            (_, Some(title)) => {
                self.out.placeholder(Placeholder::Word(kind.word()));
                self.escaped(&format!(": {title}"));
            }
        }
        self.out.push("</p>\n");
        self.page.notes.push(Note { kind, span, trap });
    }

    fn close_note(&mut self) {
        self.line("</div>\n");
    }

    fn open_list(&mut self, start: Option<u64>) {
        self.lists.push(start);
        match start {
            None => self.line("<ul>\n"),
            Some(1) => self.line("<ol>\n"),
            Some(start) => self.line(&format!("<ol start=\"{start}\">\n")),
        }
    }

    fn open_item(&mut self) {
        self.line("<li>");
        if let Some(Some(number)) = self.lists.last_mut() {
            *number += 1;
        }
    }

    fn close_list(&mut self, has_numbers: bool) {
        self.line(if has_numbers { "</ol>\n" } else { "</ul>\n" });
        self.lists.pop();
    }

    /// Returns the number of the current instruction, from the innermost numbered item.
    fn instruction(&self) -> Option<u64> {
        let next = self.lists.iter().rev().find_map(|number| *number)?;
        next.checked_sub(1)
    }

    /// Writes the code block that opens at `here`, and returns the position after it.
    fn code_block(&mut self, kind: &CodeBlockKind<'_>, blocks: &BlockTree<'_>, here: usize) -> usize {
        let Item::Event(_, range) = &blocks.items[here] else { unreachable!("the caller saw the event") };
        let mut code = String::new();
        let mut at = here + 1;
        while let Some(Item::Event(Event::Text(text), _)) = blocks.items.get(at) {
            code.push_str(text);
            at += 1;
        }
        let info = match kind {
            CodeBlockKind::Fenced(info) => info.trim(),
            CodeBlockKind::Indented => "",
        };
        let mut fence = fence::read(info);
        if fence.language == formula::LANGUAGE {
            if self.formula_block(&code, range, blocks) {
                return at + 1;
            }
            fence.language = "latex".to_string();
        }
        self.open_code(&fence);
        self.out.placeholder(Placeholder::Code(self.page.code.next_index()));
        self.out.push(if fence.title.is_some() { "</code></pre></figure>\n" } else { "</code></pre>\n" });
        let opening = blocks.text[range.clone()].lines().next().unwrap_or_default();
        let opening_span = range.start..range.start + opening.len();
        if matches!(kind, CodeBlockKind::Fenced(_)) && !self.has_fence_in_html {
            let place = || blocks.map.range(opening_span.clone());
            // The end of an earlier block may be missing instead. The text is read once for that: one block reaches its end, and one
            // is the first that is closed late.
            let found = if fence::is_closed(&blocks.text[range.clone()]) {
                let is_first = || !self.page.problems.iter().any(|it| it.code == Code::UnclosedFence);
                let inner = fence::opening_in(&code, opening);
                inner.map(|inner| (is_first(), fence::closed_late(opening, inner, place())))
            } else if info.is_empty() && fence::confirm_closed_late(&mut self.page.problems) {
                None
            } else {
                let is_within = !blocks.text[range.end..].trim_start().is_empty();
                let within = if is_within { " in the list item or quote" } else { "" };
                Some((!is_within, fence::unclosed(opening, place(), &code, within)))
            };
            if let Some((may_be_earlier, problem)) = found {
                let first = may_be_earlier.then(|| fence::first_unclosed(blocks.text, range.start)).flatten();
                let exchanged = |first: Range<usize>| {
                    fence::exchanged(&blocks.text[first.clone()], blocks.map.range(first))
                };
                self.page.problems.push(first.map_or(problem, exchanged));
            }
        }
        let ends = memchr::memchr_iter(b'\n', code.as_bytes()).count();
        let lines = ends + usize::from(!code.is_empty() && !code.ends_with('\n'));
        let (marks, mut wrong) = fence.marks(lines);
        let marked = fence.lines(lines, &mut wrong);
        // A program fills the block.
        wrong.retain(|_| lines > 0 && !code.contains("--8<-- "));
        let problems = wrong.into_iter().map(|written| {
            fence::missing_line(written, lines, opening_span.clone(), (blocks.text, blocks.map))
        });
        self.page.problems.extend(problems);
        let language = fence.language;
        let span = match opening.find(&language).filter(|_| !language.is_empty()) {
            Some(start) => range.start + start..range.start + start + language.len(),
            None => opening_span,
        };
        let span = blocks.map.range(span);
        self.page.code.push(CodeBlock { language, code, marks, lines: marked, span });
        at + 1
    }

    /// Writes a formula in a text. If it can't be displayed, its source is shown.
    fn formula(&mut self, tex: &str, is_block: bool, range: &Range<usize>, blocks: &BlockTree<'_>) {
        match formula::mathml(tex, is_block) {
            Ok(mathml) if is_block => self.formula_of("span", &mathml),
            Ok(mathml) => self.out.push(&mathml),
            Err(broken) => {
                self.element("code", tex);
                broken.report(tex, range.clone(), (blocks.text, blocks.map), &mut self.page);
            }
        }
    }

    /// Writes a code block as a formula, unless it can't be displayed. Returns whether it was written.
    fn formula_block(&mut self, tex: &str, range: &Range<usize>, blocks: &BlockTree<'_>) -> bool {
        match formula::mathml(tex.trim(), true) {
            Ok(mathml) => {
                self.line("");
                self.formula_of("div", &mathml);
                self.out.push("\n");
                true
            }
            Err(broken) => {
                broken.report(tex.trim(), range.clone(), (blocks.text, blocks.map), &mut self.page);
                false
            }
        }
    }

    /// Writes a formula on its own line. A wide one scrolls, also with the keyboard.
    fn formula_of(&mut self, element: &str, mathml: &str) {
        self.out.placeholder(Placeholder::FormulaStyle);
        self.out.push(&format!("<{element} class=\"formula\" tabindex=\"0\">{mathml}</{element}>"));
    }

    fn open_code(&mut self, fence: &Fence) {
        if fence.has_lines() {
            self.line("");
            self.out.placeholder(Placeholder::CodeStyle);
        }
        match &fence.title {
            Some(title) => {
                self.line("<figure class=\"code\">");
                self.element("figcaption", title);
            }
            None => self.line(""),
        }
        self.out.push("<pre tabindex=\"0\"");
        if fence.has_lines() {
            self.out.push(fence.lines_attribute());
        }
        if fence.language.is_empty() {
            self.out.push("><code>");
        } else {
            self.attribute("data-language", &fence.language);
            self.out.push("><code");
            self.attribute("class", &format!("language-{}", fence.language));
            self.out.push(">");
        }
    }

    fn open_link(
        &mut self,
        kind: LinkType,
        target: &str,
        title: &str,
        text: String,
        span: Range<usize>,
        form: ReferenceForm,
    ) {
        let target = if kind == LinkType::Email { format!("mailto:{target}") } else { target.to_string() };
        let kind = ReferenceKind::Link;
        let reference = Reference { kind, target, text: Some(text), span, form };
        self.out.push("<a");
        if !reference.is_unsafe() {
            self.out.push(" href=\"");
            self.out.placeholder(Placeholder::Address(self.page.references.next_index()));
            self.out.push("\"");
        }
        if !title.is_empty() {
            self.attribute("title", title);
        }
        self.out.push(">");
        self.page.references.push(reference);
    }

    /// Writes the image that opens at `here`, and returns the position after it.
    fn image(&mut self, here: usize, blocks: &BlockTree<'_>) -> usize {
        let Item::Event(Event::Start(Tag::Image { dest_url, title, .. }), range) = &blocks.items[here] else {
            unreachable!("the caller saw the event")
        };
        let inside = &blocks.items[here + 1..];
        let text = plain_text(inside);
        let span = target_span(inside, blocks, range, dest_url);
        let at = self.page.references.next_index();
        self.out.placeholder(Placeholder::PictureStart(at));
        self.out.push("<img src=\"");
        self.out.placeholder(Placeholder::Picture(at));
        self.out.push("\"");
        self.attribute("alt", &text);
        if !title.is_empty() {
            self.attribute("title", title);
        }
        self.out.push(" />");
        self.out.placeholder(Placeholder::PictureEnd);
        let target = dest_url.to_string();
        let text = Some(text).filter(|text| !text.is_empty());
        let kind = ReferenceKind::Image;
        self.page.references.push(Reference { kind, target, text, span, form: ReferenceForm::Target });
        here + 1 + end_of(inside) + 1
    }

    /// Writes standalone images, each linked to its file. A title becomes the caption.
    fn figures(&mut self, positions: Range<usize>, blocks: &BlockTree<'_>) {
        let mut at = positions.start;
        while at < positions.end {
            let Item::Event(Event::Start(Tag::Image { title, dest_url, .. }), _) = &blocks.items[at] else {
                at += 1;
                continue;
            };
            self.line("<figure>");
            let is_named = !plain_text(&blocks.items[at + 1..]).trim().is_empty();
            let is_linked = !dest_url.is_empty() && !is_unsafe(dest_url, Purpose::Document);
            if is_linked {
                self.out.push("<a href=\"");
                self.out.placeholder(Placeholder::Address(self.page.references.next_index()));
                self.out.push("\"");
                if !is_named {
                    match self.instruction() {
                        Some(number) => {
                            self.label(Placeholder::NumberedWord(Word::EnlargePictureOf, number));
                        }
                        None => self.label(Placeholder::Word(Word::EnlargePicture)),
                    }
                }
                self.out.push(">");
            }
            at = self.image(at, blocks);
            if is_linked {
                self.out.push("</a>");
            }
            if !title.is_empty() {
                self.element("figcaption", title);
            }
            self.out.push("</figure>\n");
        }
    }

    /// Reads a complete table ahead, because a setting's anchor precedes its name.
    fn open_table(
        &mut self,
        items: &[Item<'_>],
        blocks: &BlockTree<'_>,
        range: &Range<usize>,
    ) -> PageTableIx {
        let (header, mut rows) = table_text(items, blocks);
        let settings = header.first().is_some_and(|name| self.columns.name_settings(name));
        if settings {
            for row in rows.iter_mut() {
                let name = row.cells.first().map(|name| slug_of(name)).filter(|name| !name.is_empty());
                row.id = name.map(|name| self.ids.unique("setting-".to_string() + &name));
            }
        }
        let heading = self.page.headings.indices().next_back();
        let class = if settings { "table settings" } else { "table" };
        self.line(&format!("<section class=\"{class}\" tabindex=\"0\""));
        if settings && rows.len() > LONG_TABLE {
            self.out.push(" data-long");
        }
        self.name_table(header.first().map_or("", String::as_str), heading);
        self.out.push("><table>");
        let span = blocks.span(range);
        let header = header
            .into_iter()
            .map(|title| PageTableColumn { describes: self.columns.describe(&title), title });
        self.page.tables.push(PageTable { settings, header: header.collect(), rows, heading, span })
    }

    /// Names a table by the title of its first column and its heading. Names are unique.
    fn name_table(&mut self, title: &str, heading: Option<HeadingIx>) {
        let above =
            heading.map(|heading| format!(": {}", self.page.headings[heading].text)).unwrap_or_default();
        let uses = self.table_names.entry(format!("{title}{above}")).or_default();
        *uses += 1;
        let number = if *uses == 1 { String::new() } else { format!(" ({uses})") };
        self.out.push(" aria-label=\"");
        if title.is_empty() {
            self.out.placeholder(Placeholder::Word(Word::Table));
        }
        let rest = format!("{title}{above}{number}");
        self.out.escaped_for_attribute(&rest);
        self.out.push("\"");
    }

    fn open_row(&mut self, table: Option<&mut TableCursor>) {
        let Some(cursor) = table else { return };
        let row = cursor.row.map_or(TableRowIx::from(0), |row| row + 1);
        cursor.row = Some(row);
        cursor.column = 0;
        self.out.push("<tr");
        let its = self.page.tables[cursor.table].rows.get(row);
        if let Some((id, span)) = its.and_then(|row| Some((row.id.clone()?, row.span.clone()))) {
            self.id(&id);
            self.page.anchors.push(PageAnchor { id, span });
        }
        self.out.push(">");
    }

    fn open_cell(&mut self, table: Option<&TableCursor>) {
        let Some(cursor) = table else { return };
        self.out.push(match cell(cursor, &self.page.tables) {
            Cell::Column => "<th scope=\"col\"",
            Cell::RowHeader => "<th scope=\"row\"",
            Cell::Data => "<td",
        });
        match cursor.alignments.get(cursor.column) {
            Some(Alignment::Left) => self.attribute("class", "left"),
            Some(Alignment::Center) => self.attribute("class", "center"),
            Some(Alignment::Right) => self.attribute("class", "right"),
            _ => {}
        }
        // Narrow windows show settings as cards, in which each value has a label.
        let PageTable { settings, header, .. } = &self.page.tables[cursor.table];
        let name = header.get(cursor.column).filter(|column| *settings && !column.title.is_empty());
        if let Some(name) = name.filter(|_| cursor.row.is_some() && cursor.column > 0) {
            attribute(&mut self.out, "data-label", &name.title);
        }
        self.out.push(">");
    }

    fn close_cell(&mut self, table: Option<&mut TableCursor>) {
        let Some(cursor) = table else { return };
        let table = &self.page.tables[cursor.table];
        if let Some(row) = cursor.row.filter(|_| table.settings && cursor.column + 1 == table.header.len()) {
            self.out.placeholder(Placeholder::Setting { table: cursor.table, row });
        }
        self.out.push(match cell(cursor, &self.page.tables) {
            Cell::Column | Cell::RowHeader => "</th>",
            Cell::Data => "</td>",
        });
        cursor.column += 1;
    }

    fn footnote_reference(&mut self, name: &str) {
        let number = self.footnotes.number(name);
        let uses = &mut self.footnotes.notes[number - 1].0;
        *uses += 1;
        let again = if *uses == 1 { String::new() } else { format!("-{uses}") };
        self.out.push("<sup class=\"footnote-reference\"");
        self.id(&format!("fnref-{number}{again}"));
        self.out.push("><a href=\"#");
        self.out.placeholder(Placeholder::IdPrefix);
        self.out.push(&format!("fn-{number}\">{number}</a></sup>"));
    }

    fn footnotes(&mut self) {
        let notes = std::mem::take(&mut self.footnotes.notes);
        if notes.is_empty() {
            return;
        }
        self.line("<section class=\"footnotes\"");
        self.label(Placeholder::Word(Word::Footnotes));
        self.out.push(">\n<ol>\n");
        for (number, (_, text)) in (1..).zip(notes) {
            self.out.push("<li");
            self.id(&format!("fn-{number}"));
            self.out.push(">");
            self.out.append(text.unwrap_or_default());
            self.out.push("<a href=\"#");
            self.out.placeholder(Placeholder::IdPrefix);
            self.out.push(&format!("fnref-{number}\""));
            self.label(Placeholder::Word(Word::BackToText));
            self.out.push(">↩</a></li>\n");
        }
        self.out.push("</ol>\n</section>\n");
    }

    fn task_marker(&mut self, done: bool) {
        self.out.push("<input type=\"checkbox\" disabled");
        if done {
            self.out.push(" checked");
        }
        self.label(Placeholder::Word(if done { Word::Done } else { Word::ToDo }));
        self.out.push(" />\n");
    }

    fn raw_html(&mut self, html: &str, map: &OffsetMap) {
        let mut reader = HtmlReader::new(html);
        if let Some(name) = self.elements.raw_text().map(str::to_string) {
            let text = &html[reader.raw_text(&name).0];
            if self.elements.is_in("noscript") && holds_end_of("noscript", text) {
                // Browsers with scripts end both elements here, and browsers without end neither.
                let end = self.elements.end_text();
                self.out.push(&end);
                reader = HtmlReader::new(html);
            } else {
                self.out.push(text);
            }
        }
        while let Some(found) = reader.next(self.elements.is_foreign()) {
            match found {
                HtmlPart::Start(tag) => self.raw_start(&tag, html, map, &mut reader),
                HtmlPart::End { name, span } => {
                    let (before, is_kept) = self.elements.end(&name, &map.range(span.clone()));
                    self.out.push(&before);
                    let is_video = std::mem::take(&mut self.is_video_open);
                    self.out.push(if is_kept && !is_video { &html[span] } else { "" });
                }
                HtmlPart::Text(span) => {
                    let place =
                        |part: Range<usize>| map.range(span.start + part.start..span.start + part.end);
                    let text = self.repaired(&html[span.clone()], place);
                    self.raw_text(&text);
                }
                HtmlPart::Code(span) => self.raw_text(&html[span]),
                HtmlPart::Section(span) => self.out.push(&html[span]),
                HtmlPart::Comment(span) => self.page.comments.push(map.range(span)),
                HtmlPart::Unfinished(span) => {
                    let written = &html[span.clone()];
                    let line = span.start..span.start + written.lines().next().unwrap_or_default().len();
                    self.elements.unfinished(written, map.range(line));
                    if written.starts_with("<!--") {
                        self.page.comments.push(map.range(span));
                    } else {
                        self.escaped(written);
                    }
                }
            }
        }
    }

    /// Reports the first code fence that a block of raw HTML shows as text.
    fn fence_in_html(&mut self, html: &str, map: &OffsetMap) {
        if !html.contains("```") && !html.contains("~~~") {
            return;
        }
        let mut reader = HtmlReader::new(html);
        let mut fences = Vec::new();
        while let Some(found) = reader.next(false) {
            match found {
                HtmlPart::Text(span) => fences.extend(fence::marks_in(&html[..span.end], span.start)),
                HtmlPart::Start(tag) if is_raw_text(&tag.name) => _ = reader.raw_text(&tag.name),
                _ => {}
            }
        }
        if let Some(first) = fences.first() {
            self.page.problems.push(fence::in_html(map.range(first.clone())));
            self.has_fence_in_html ^= fences.len() % 2 == 1;
        }
    }

    /// Reports a paragraph that looks like a table without a delimiter row.
    fn broken_table(&mut self, text: &str, start: usize, span: Range<usize>) {
        let (above, paragraph) = text.split_at(start);
        if !paragraph.starts_with('|') {
            return;
        }
        let rows: Vec<&str> = paragraph.lines().map(|line| line.trim_matches([' ', '\t', '>'])).collect();
        let is_row = |row: &&str| row.len() > 2 && row.starts_with('|') && row.ends_with('|');
        if !rows.iter().all(is_row) || cells(rows[0]).count() < 2 {
            return;
        }
        let columns = cells(rows[0]).count();
        let line = format!("|{}", " --- |".repeat(columns));
        let is_delimiter =
            |cell: &str| cell.contains('-') && cell.bytes().all(|byte| matches!(byte, b'-' | b':' | b' '));
        let is_meant = |cell: &str| {
            cell.contains(['–', '—', '−', '=', '_'])
                && cell.chars().all(|c| matches!(c, '-' | '–' | '—' | '−' | '=' | '_' | ':' | ' '))
        };
        let above = above.trim_end().rsplit('\n').next().unwrap_or_default().trim_matches([' ', '\t', '>']);
        let is_apart = cells(rows[0]).all(is_delimiter) && is_row(&above);
        if rows.len() < 2 && !is_apart {
            return;
        }
        let mut cause = None;
        let (message, help) = if is_apart {
            (
                "a blank line separates the header from its delimiter row, so this is not a table"
                    .to_string(),
                "remove the blank line".to_string(),
            )
        } else if cells(rows[1]).all(is_delimiter) {
            let count = cells(rows[1]).count();
            // GitHub also reads some signs that our parser doesn't, such as tabs.
            if count == columns {
                return;
            }
            let noun = if count == 1 { "column" } else { "columns" };
            cause = Some(NO_DELIMITERS);
            (
                format!(
                    "the delimiter row has {count} {noun} but the header has {columns}, so this is not a table"
                ),
                "use the same number of cells in both".to_string(),
            )
        } else if cells(rows[1]).all(is_meant) {
            // For kramdown, it is the line above a footer.
            cause = rows[1].contains('=').then_some(NO_DELIMITERS);
            (
                "the delimiter row doesn't consist of `-`, so this is not a table".to_string(),
                format!("use `-`: `{line}`"),
            )
        } else {
            cause = Some(NO_DELIMITERS);
            (
                "these rows have no delimiter row, so they are not a table".to_string(),
                format!("add `{line}` after the first row"),
            )
        };
        let problem = Problem::new(Code::BrokenTable, span, message).help(help);
        self.page.problems.push(match cause {
            Some(cause) => problem.data("cause", cause),
            None => problem,
        });
    }

    /// Writes text of raw HTML. Character references stay. A `<` in text could otherwise begin a tag together with
    /// generated text.
    fn raw_text(&mut self, text: &str) {
        for (at, part) in text.split('<').enumerate() {
            self.out.push(if at == 0 { "" } else { "&lt;" });
            self.out.push(part);
        }
    }

    /// Writes an opening tag of raw HTML, and the raw text of its element.
    fn raw_start(&mut self, tag: &Start, html: &str, map: &OffsetMap, reader: &mut HtmlReader<'_>) {
        let Start { name, span, .. } = tag;
        let place = map.range(span.clone());
        if !self.elements.is_foreign() && !is_element(name) {
            self.page.unknown_elements.push(Element { name: name.clone(), span: place.clone() });
        }
        let is_outermost = name == "table" && !self.elements.is_in("table");
        let (before, fate) = self.elements.start(tag, &html[span.clone()], &place);
        self.out.push(&before);
        match fate {
            Fate::LeftOut => {}
            // A wide table scrolls, also with the keyboard.
            Fate::Kept if is_outermost && !tag.attributes.contains_key("tabindex") => {
                self.raw_tag_with(tag, html, map, |writer| writer.attribute("tabindex", "0"));
            }
            Fate::Kept => self.raw_tag(tag, html, map),
            Fate::Ended => {
                self.raw_tag(tag, html, map);
                self.out.push("</");
                self.out.push(name);
                self.out.push(">");
            }
            Fate::Text => {
                let (text, is_ended) = reader.raw_text(name);
                let text = &html[text];
                if let Some(video) = video::video(tag).filter(|_| is_ended && self.may_be_link()) {
                    self.video(tag, &video, map);
                    return;
                }
                // In a script, a comment that contains `<script` hides the end of both.
                let hides_end = name == "script" && text.contains("<!--") && holds(text, "<script");
                if hides_end || (self.elements.is_in("noscript") && holds_end_of("noscript", text)) {
                    self.elements.leave_out_text();
                } else {
                    self.raw_tag(tag, html, map);
                    self.out.push(text);
                }
            }
        }
    }

    fn raw_tag(&mut self, tag: &Start, html: &str, map: &OffsetMap) {
        self.raw_tag_with(tag, html, map, |writer| writer.added_attributes(tag));
    }

    /// Writes an opening tag. `add` writes additional attributes.
    fn raw_tag_with(&mut self, tag: &Start, html: &str, map: &OffsetMap, add: impl FnOnce(&mut Self)) {
        let mut at = tag.span.start + 1 + tag.name.len();
        self.out.push(&html[tag.span.start..at]);
        add(self);
        for named in &tag.named {
            match named {
                Named::Anchor { id, span } => {
                    self.ids.taken(id);
                    self.out.push(&html[at..span.start]);
                    self.out.placeholder(Placeholder::IdPrefix);
                    at = span.start;
                    self.page.anchors.push(PageAnchor { id: id.clone(), span: map.range(span.clone()) });
                }
                // The quotes are reported. The target is unknown until they are fixed.
                Named::Reference { span, .. } if quotes::begins(&html[span.clone()]) => {}
                Named::Reference { kind, target, text, span, quoted } => {
                    if !target.is_empty() {
                        let quote = if *quoted { "" } else { "\"" };
                        self.out.push(&html[at..span.start]);
                        self.out.push(quote);
                        // Content that a page loads uses the page's protocol, which fails if the page is a file on
                        // disk.
                        self.out.push(if video::lacks_protocol(tag, target) { "https:" } else { "" });
                        self.out.placeholder(Placeholder::Address(self.page.references.next_index()));
                        self.out.push(quote);
                        at = span.end;
                    }
                    let (kind, target, text) = (*kind, target.clone(), text.clone());
                    let span = map.range(span.clone());
                    self.page.references.push(Reference {
                        kind,
                        target,
                        text,
                        span,
                        form: ReferenceForm::Target,
                    });
                }
                Named::Unsafe { kind, target, span, attribute } => {
                    self.out.push(&html[at..attribute.start]);
                    at = attribute.end;
                    let (kind, target, span) = (*kind, target.clone(), map.range(span.clone()));
                    self.page.references.push(Reference {
                        kind,
                        target,
                        text: None,
                        span,
                        form: ReferenceForm::Target,
                    });
                }
            }
        }
        self.out.push(&html[at..tag.span.end]);
    }
}

/// Returns the container of a Markdown tag for raw HTML, or `None` for tags that can't contain raw HTML, and for
/// paragraphs, which may be images.
fn container(tag: &Tag<'_>) -> Option<Container> {
    match tag {
        Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } => Some(Container::Inline),
        Tag::BlockQuote(Some(_)) => Some(Container::Note),
        Tag::Item | Tag::FootnoteDefinition(_) => Some(Container::Item),
        Tag::TableCell => Some(Container::Cell),
        Tag::Paragraph | Tag::CodeBlock(_) | Tag::Image { .. } | Tag::HtmlBlock => None,
        _ => Some(Container::Block),
    }
}

/// Whether the next block is raw HTML that begins with the end tag of an element.
fn goes_on_with_end(next: &[Item<'_>], name: &str) -> bool {
    let mut next = next.iter().filter(|item| !matches!(item, Item::Event(Event::Start(Tag::HtmlBlock), _)));
    let Some(Item::Html { html, .. }) = next.next() else { return false };
    let end = html.trim_start().strip_prefix("</").and_then(|end| end.get(..name.len()));
    end.is_some_and(|end| end.eq_ignore_ascii_case(name))
}

/// Whether a text contains another, ignoring ASCII case.
fn holds(text: &str, wanted: &str) -> bool {
    text.as_bytes().windows(wanted.len()).any(|part| part.eq_ignore_ascii_case(wanted.as_bytes()))
}

fn attribute(out: &mut impl Sink, name: &str, value: &str) {
    out.push(" ");
    out.push(name);
    out.push("=\"");
    out.escaped_for_attribute(value);
    out.push("\"");
}

/// Collects the headings of a fragment and its notes: the explicit ID, and the text.
fn collect_headings(blocks: &BlockTree<'_>, names: &mut Vec<(Option<String>, String)>) {
    for (at, item) in blocks.items.iter().enumerate() {
        match item {
            Item::Event(Event::Start(Tag::Heading { id, .. }), _) => {
                names.push((id.as_ref().map(ToString::to_string), plain_text(&blocks.items[at + 1..])));
            }
            Item::Note { body, .. } => collect_headings(body, names),
            _ => {}
        }
    }
}

/// Returns the text up to the end of the container of `items`, with repaired mojibake.
fn plain_text(items: &[Item<'_>]) -> String {
    let mut text = String::new();
    let mut depth = 0_usize;
    for item in items {
        match item {
            Item::Event(Event::Start(_), _) => depth += 1,
            Item::Event(Event::End(_), _) if depth == 0 => break,
            Item::Event(Event::End(_), _) => depth -= 1,
            _ => push_plain(item, &mut text),
        }
    }
    match mojibake::repair(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(repaired) => repaired,
    }
}

/// Appends the text of an item without markup.
fn push_plain(item: &Item<'_>, text: &mut String) {
    match item {
        Item::Event(Event::Text(part) | Event::Code(part) | Event::InlineMath(part), _) => {
            text.push_str(part);
        }
        Item::Event(Event::SoftBreak | Event::HardBreak, _) => text.push(' '),
        _ => {}
    }
}

/// Returns the position of the event that closes the container of `items`.
fn end_of(items: &[Item<'_>]) -> usize {
    let mut depth = 0_usize;
    for (at, item) in items.iter().enumerate() {
        match item {
            Item::Event(Event::Start(_), _) => depth += 1,
            Item::Event(Event::End(_), _) if depth == 0 => return at,
            Item::Event(Event::End(_), _) => depth -= 1,
            _ => {}
        }
    }
    items.len()
}

/// Returns the end of the paragraph of `items[at]` if it contains only images.
fn lone_images(items: &[Item<'_>], at: usize) -> Option<usize> {
    let is_break = |item: &&Item<'_>| matches!(item, Item::Event(Event::SoftBreak | Event::HardBreak, _));
    let first = items[at..].iter().find(|item| !is_break(item));
    if !matches!(first, Some(Item::Event(Event::Start(Tag::Image { .. }), _))) {
        return None;
    }
    let end = at + end_of(&items[at..]);
    let mut images = 0;
    let mut here = at;
    while here < end {
        match &items[here] {
            Item::Event(Event::Start(Tag::Image { .. }), _) => {
                images += 1;
                here += 1 + end_of(&items[here + 1..]);
            }
            Item::Event(Event::SoftBreak | Event::HardBreak, _) => {}
            _ => return None,
        }
        here += 1;
    }
    (images > 0).then_some(end)
}

/// Returns the range of the target of a link or image, after the `](` that follows its text.
///
/// For a reference link `[text][name]` or an autolink, it is the complete link.
fn target_span(
    inside: &[Item<'_>],
    blocks: &BlockTree<'_>,
    range: &Range<usize>,
    target: &str,
) -> Range<usize> {
    let after_text = inside[..end_of(inside)]
        .iter()
        .filter_map(|item| match item {
            Item::Event(_, range) => Some(range.end),
            _ => None,
        })
        .max()
        .unwrap_or(range.start);
    let rest = blocks.text.get(after_text..range.end).unwrap_or_default();
    let whole = blocks.map.range(range.clone());
    let Some(open) = rest.find("](").filter(|_| !target.is_empty()) else { return whole };
    let written = rest[open + 2..].trim_start_matches(|c: char| c.is_whitespace() || c == '<');
    let start = range.end - written.len();
    let length = if written.starts_with(target) {
        target.len()
    } else {
        written.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(written.len() - 1)
    };
    blocks.map.range(start..start + length)
}

/// Whether a text is about damaged letters: they are in quotation marks, and the right ones are elsewhere.
fn is_mentioned(text: &str, damaged: &Range<usize>) -> bool {
    let (before, after) = (&text[..damaged.start], &text[damaged.end..]);
    let is_quoted = before.ends_with(['"', '“', '\'', '‘']) && after.starts_with(['"', '”', '\'', '’']);
    is_quoted && text.contains(&*mojibake::repair(&text[damaged.clone()]))
}

/// Returns the header cells and the rows of the table whose items follow.
fn table_text(
    items: &[Item<'_>],
    blocks: &BlockTree<'_>,
) -> (Vec<String>, IndexVec<TableRowIx, PageTableRow>) {
    let mut header: Vec<String> = Vec::new();
    let mut rows: IndexVec<TableRowIx, PageTableRow> = IndexVec::default();
    let mut cell = String::new();
    for item in items {
        match item {
            Item::Event(Event::Start(Tag::TableRow), range) => {
                let written = cell_ranges(&blocks.text[range.clone()]).count();
                let cells = Vec::with_capacity(header.len());
                rows.push(PageTableRow { id: None, cells, written, span: blocks.span(range) });
            }
            Item::Event(Event::Start(Tag::TableCell), _) => cell.clear(),
            Item::Event(Event::End(TagEnd::TableCell), _) => {
                let text = mojibake::repair(&cell).trim().to_string();
                rows.last_mut().map_or(&mut header, |row| &mut row.cells).push(text);
            }
            Item::Event(Event::End(TagEnd::Table), _) => break,
            _ => push_plain(item, &mut cell),
        }
    }
    (header, rows)
}

/// Returns the cells of a row as written, without surrounding white space. GFM, "Tables (extension)", splits at every
/// `|` without a backslash, even in code.
pub fn cells(row: &str) -> impl Iterator<Item = &str> {
    cell_ranges(row).map(|cell| row[cell].trim())
}

/// Returns the ranges of a row's cells.
fn cell_ranges(row: &str) -> impl Iterator<Item = Range<usize>> {
    let end = row.trim_end().len();
    let lead = end - row[..end].trim_start().len();
    let mut start = lead + usize::from(row[lead..end].starts_with('|'));
    let first = start;
    let mut escaped = None;
    let bytes = row.as_bytes();
    let ends =
        memchr::memchr2_iter(b'|', b'\\', &bytes[first..end]).map(move |at| first + at).filter(move |&at| {
            let is_escaped = escaped == Some(at);
            let is_pipe = bytes[at] == b'|';
            if !is_pipe && !is_escaped {
                escaped = Some(at + 1);
            }
            is_pipe && !is_escaped
        });
    ends.chain([end]).filter_map(move |cell_end| {
        let begin = std::mem::replace(&mut start, cell_end + 1);
        // A pipe at the end closes the last cell and opens no other.
        (begin < cell_end || cell_end < end || begin == first).then_some(begin..cell_end)
    })
}

enum Cell {
    Column,
    RowHeader,
    Data,
}

fn cell(cursor: &TableCursor, tables: &IndexVec<PageTableIx, PageTable>) -> Cell {
    match cursor.row {
        None => Cell::Column,
        Some(_) if cursor.column == 0 && tables[cursor.table].settings => Cell::RowHeader,
        Some(_) => Cell::Data,
    }
}

fn alert(kind: BlockQuoteKind) -> NoteKind {
    match kind {
        BlockQuoteKind::Note => NoteKind::Note,
        BlockQuoteKind::Tip => NoteKind::Tip,
        BlockQuoteKind::Important => NoteKind::Important,
        BlockQuoteKind::Warning => NoteKind::Warning,
        BlockQuoteKind::Caution => NoteKind::Caution,
    }
}
