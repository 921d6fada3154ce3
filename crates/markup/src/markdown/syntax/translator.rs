//! Translates a text from start to end.

use std::ops::Range;

use super::blocks::{BlockKind, Close, FURTHEST, OpenBlock, OpenBlocks, tab_label};
use super::boxes::Edges;
use super::lines::LineCursor;
use super::notes::{Inclusion, InclusionKind, TranslationNotes};
use super::output::TranslatedText;
use super::script::Fuel;
use super::state::{Indented, LastDefinition, Liquid, Mdx, Myst, Shortcodes};
use crate::markdown::lines::{
    after_markers, closes_fence, columns, columns_after, continuation, opening_fence,
};
use crate::markdown::page::{Included, Omission, OmissionReason, PageAnchor};
use crate::markdown::unwrapped::unwrapped;
use crate::markdown::{fence, formula};
use base::diagnostic::Problem;
use base::front_matter::body_start;
use base::sorted::SortedMap;
use input::conventions::Syntax;
use input::dialect::{Absence, Dialect};

/// Replaces a part of a URL that only the generator can determine. It is a noncharacter, so no text contains it.
pub(in crate::markdown) const UNKNOWN: char = '\u{fdd0}';

/// A position where a construct may occur, and its translation. Each function returns whether it translated
/// something, and then it has processed all of it.
///
/// Functions of one kind are tried in the order of the table.
#[derive(Clone, Copy, Debug)]
pub(super) enum RuleAt {
    /// Before the first line.
    Start(fn(&mut Translator<'_, '_>)),
    /// An unindented line.
    Margin(fn(&mut Translator<'_, '_>) -> bool),
    /// A line before the search for code. The text is the line without the markers of lists and quotes.
    Opening(fn(&mut Translator<'_, '_>, &str) -> bool),
    /// The opening line of a code block, with the number of its markers.
    Fence(fn(&mut Translator<'_, '_>, u8, usize) -> bool),
    /// A line, with the text of [`RuleAt::Opening`].
    Line(LineRule),
    /// A position in a line that begins with this text.
    Place(&'static str, PlaceRule),
    /// A line of a code block that ends here, with the block's info string.
    CodeLine(fn(&mut Translator<'_, '_>, usize, &str) -> bool),
    /// Code up to here, in a line or a block. Literal markers are removed from it.
    Code(fn(&mut Translator<'_, '_>, usize)),
    /// The end of a heading's line.
    HeadingEnd(fn(&mut Translator<'_, '_>)),
    /// After the last line.
    End(fn(&mut Translator<'_, '_>)),
}

/// Translates the construct at a position.
pub(super) type PlaceRule = fn(&mut Translator<'_, '_>) -> bool;

/// Translates a line that may begin a block.
pub(super) type LineRule = for<'t> fn(&mut Translator<'t, '_>, &'t str) -> bool;

/// Maximum depth of nested includes.
const DEEPEST: usize = 8;

/// Bytes that may begin something other than Markdown at the start of a line, in any syntax.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let signs = b"\n\\`<{}:+$[";
    let mut at = 0;
    while at < signs.len() {
        special[signs[at] as usize] = true;
        at += 1;
    }
    special
};

/// The functions to try for the texts of a dialect, by position.
#[derive(Default)]
pub(super) struct Rules {
    start: Vec<fn(&mut Translator<'_, '_>)>,
    margin: Vec<fn(&mut Translator<'_, '_>) -> bool>,
    opening: Vec<fn(&mut Translator<'_, '_>, &str) -> bool>,
    fence: Vec<fn(&mut Translator<'_, '_>, u8, usize) -> bool>,
    line: Vec<LineRule>,
    place: Vec<(&'static str, PlaceRule)>,
    code_line: Vec<fn(&mut Translator<'_, '_>, usize, &str) -> bool>,
    code: Vec<fn(&mut Translator<'_, '_>, usize)>,
    heading_end: Vec<fn(&mut Translator<'_, '_>)>,
    end: Vec<fn(&mut Translator<'_, '_>)>,
}

impl Rules {
    pub(super) fn add(&mut self, rule: RuleAt) {
        match rule {
            RuleAt::Start(rule) => self.start.push(rule),
            RuleAt::Margin(rule) => self.margin.push(rule),
            RuleAt::Opening(rule) => self.opening.push(rule),
            RuleAt::Fence(rule) => self.fence.push(rule),
            RuleAt::Line(rule) => self.line.push(rule),
            RuleAt::Place(open, rule) => self.place.push((open, rule)),
            RuleAt::CodeLine(rule) => self.code_line.push(rule),
            RuleAt::Code(rule) => self.code.push(rule),
            RuleAt::HeadingEnd(rule) => self.heading_end.push(rule),
            RuleAt::End(rule) => self.end.push(rule),
        }
    }
}

pub(super) struct Translator<'t, 'd> {
    pub(super) lines: LineCursor<'t>,
    pub(super) blocks: OpenBlocks<'t>,
    pub(super) out: TranslatedText,
    pub(super) notes: TranslationNotes,
    pub(super) mdx: Mdx<'t>,
    pub(super) shortcodes: Shortcodes<'t>,
    pub(super) myst: Myst,
    pub(super) liquid: Liquid,
    /// The last definition of each link label in lower case. `None` until it is needed.
    pub(super) labels: Option<SortedMap<String, LastDefinition>>,
    pub(super) indented: Indented,
    pub(super) fuel: Fuel,
    /// The arguments from the including text.
    pub(super) arguments: SortedMap<String, String>,
    pub(super) dialect: &'d Dialect,
    rules: &'d Rules,
    /// Number of nested includes around this text.
    pub(super) depth: usize,
    /// Remaining number of bytes that may be included.
    budget: &'d mut usize,
    pub(super) marks_unknown: bool,
    /// Whether the complete text is inside a URL of the including text.
    is_address: bool,
}

/// Whether a line begins a block below a paragraph: <https://spec.commonmark.org/0.31.2/#paragraph-interruption>.
fn interrupts(content: &str) -> bool {
    let begins = |signs: &[&str]| signs.iter().any(|sign| content.starts_with(sign));
    opening_fence(content).is_some() || begins(&["- ", "* ", "+ ", "1. ", "1) ", "# ", "## ", "### ", ">"])
}

impl<'t, 'd> Translator<'t, 'd> {
    /// Begins at the body of a file.
    pub(super) fn new(
        text: &'t str,
        body: usize,
        (dialect, rules): (&'d Dialect, &'d Rules),
        budget: &'d mut usize,
    ) -> Self {
        let mut out = TranslatedText::default();
        out.copy(text, 0..body);
        Self {
            lines: LineCursor::new(text, body),
            blocks: OpenBlocks::default(),
            out,
            notes: TranslationNotes::default(),
            mdx: Mdx::default(),
            shortcodes: Shortcodes::default(),
            myst: Myst::default(),
            liquid: Liquid::default(),
            labels: None,
            indented: Indented::default(),
            fuel: Fuel::for_text(text.len() - body),
            arguments: SortedMap::new(),
            dialect,
            rules,
            depth: 0,
            budget,
            marks_unknown: false,
            is_address: false,
        }
    }

    /// Translates the complete text.
    pub(super) fn run(&mut self) {
        self.rules.start.iter().for_each(|rule| rule(self));
        while self.lines.at < self.lines.text.len() {
            self.line();
        }
        let end = self.lines.text.len();
        self.blank_line(end);
        self.end_indented(0, end);
        self.rules.end.iter().for_each(|rule| rule(self));
    }

    pub(super) fn has(&self, syntax: Syntax) -> bool {
        self.dialect.has(syntax)
    }

    /// Returns the next position of a text on this line, at or after `from`.
    pub(super) fn find_in_line(&mut self, from: usize, wanted: &str) -> Option<usize> {
        let end = self.lines.line_end(self.lines.at);
        let found = self.fuel.find(self.lines.text, from.min(end), wanted)?;
        (found < end).then_some(found)
    }

    /// Translates a line, and the following lines of a construct that begins on it.
    fn line(&mut self) {
        let start = self.lines.at;
        let end = self.lines.line_end(start);
        let line = &self.lines.text[start..end];
        let content = line.trim_start_matches([' ', '\t']);
        if content.trim().is_empty() {
            self.blank_line(end);
            return;
        }
        self.out.collapses = false;
        self.lines.lead.clear();
        if content.len() == line.len() && self.rules.margin.iter().any(|rule| rule(self)) {
            return;
        }
        let blank = start..end - content.len();
        let column = columns(&self.lines.text[blank.clone()]);
        self.end_indented(column, start);
        let (mut shift, out_column) = self.blocks.shifted(column, content);
        self.lines.enter_lists(out_column, content);
        let around = self.lines.lists.iter().rev().copied().find(|list| *list <= out_column).unwrap_or(0);
        let mut out_column = out_column;
        let is_mdx = self.has(Syntax::Mdx);
        let begins = self.lines.after_blank || self.lines.in_code || is_mdx && interrupts(content);
        if out_column >= around + 4 && begins {
            if !is_mdx {
                self.lines.in_code = true;
                self.indent(&blank, column, out_column);
                self.copy_to(end);
                return;
            }
            // MDX has no indented code.
            shift += out_column - around;
            let block = OpenBlock {
                kind: BlockKind::Indented(column),
                close: Close::Nothing,
                column,
                out_column: around,
                body: Some(column),
                shift,
                tag: None,
            };
            self.blocks.open.push(block);
            out_column = around;
            self.lines.lists.retain(|list| *list <= around);
            self.lines.enter_lists(out_column, content);
        }
        self.lines.in_code = false;
        self.lines.after_blank = false;
        self.indent(&blank, column, out_column);
        let (begin, inner) = after_markers(blank.end, content.trim_end());
        self.copy_to(begin);
        self.lines.lead = continuation(&self.out.text[self.out.line..]);
        self.lines.has_marks = !self.out.text[self.out.line..].trim().is_empty();
        self.out.shown = false;
        self.lines.is_row = inner.starts_with('|');
        self.lines.is_heading = inner.starts_with('#');
        (self.lines.column, self.lines.out_column) = (column, out_column);
        if self.rules.opening.iter().any(|rule| rule(self, inner)) {
            return;
        }
        if self.dialect.has_formulas
            && inner == formula::BLOCK
            && let Some(close) =
                formula::end_of_block(self.lines.text, self.lines.at + inner.len(), self.has(Syntax::Myst))
        {
            self.copy_lines(close.end);
            let label = self.lines.rest_of_line(close.end).trim();
            if let Some(id) = label.strip_prefix('(').and_then(|label| label.strip_suffix(')')) {
                self.notes.anchors.push(PageAnchor { id: id.to_string(), span: close.clone() });
                self.remove(close.end + self.lines.rest_of_line(close.end).trim_end().len());
            }
            return;
        }
        if let Some((mark, length)) = opening_fence(inner) {
            self.fence(mark, length);
        } else if !self.rules.line.iter().any(|rule| rule(self, inner)) {
            self.inline();
        }
    }

    fn blank_line(&mut self, end: usize) {
        self.lines.after_blank = true;
        while let Some(block) = self.blocks.open.pop_if(|block| block.kind == BlockKind::Paragraph) {
            if let Close::Lines(lines) = block.close {
                self.out.end_block(&lines, block.out_column, self.lines.at);
            }
        }
        if self.out.collapses {
            self.lines.at = end;
        } else {
            self.copy_to(end);
        }
    }

    /// Translates the rest of the line, and the following lines of a construct that begins on it.
    pub(super) fn inline(&mut self) {
        loop {
            let rest = &self.lines.text.as_bytes()[self.lines.at..];
            let next = rest.iter().position(|byte| SPECIAL[usize::from(*byte)]).unwrap_or(rest.len());
            self.copy_to(self.lines.at + next);
            let Some(&byte) = self.lines.text.as_bytes().get(self.lines.at) else {
                self.end_of_line();
                return;
            };
            match byte {
                b'\n' => {
                    if self.lines.is_heading {
                        self.rules.heading_end.iter().for_each(|rule| rule(self));
                    }
                    self.end_of_line();
                    return;
                }
                b'\\' => {
                    if !self.place(byte) {
                        self.copy_escaped();
                    }
                }
                b'`' => {
                    let end = self.lines.after_code_span();
                    self.copy_code(end);
                }
                b'$' if self.dialect.has_formulas => {
                    let end = self.lines.after_formula();
                    self.copy_lines(end);
                }
                byte => {
                    if !self.place(byte) {
                        self.copy_to(self.lines.at + 1);
                    }
                }
            }
        }
    }

    /// Translates the construct at this position, if there is one. Then `at` is after it.
    fn place(&mut self, byte: u8) -> bool {
        let rest = self.lines.rest();
        if rest.starts_with("<!--") {
            let is_translated = self.rules.place.iter().any(|(open, rule)| *open == "<!--" && rule(self));
            if !is_translated {
                let end = self
                    .fuel
                    .find(self.lines.text, self.lines.at, "-->")
                    .map_or(self.lines.at + 4, |end| end + 3);
                self.copy_to(end);
            }
            return true;
        }
        if byte == b'}' {
            return self.mdx.braces.pop_if(|brace| *brace <= self.lines.at).is_some_and(|brace| {
                let is_here = brace == self.lines.at;
                if is_here {
                    self.remove(brace + 1);
                }
                is_here
            });
        }
        self.rules.place.iter().any(|(open, rule)| rest.starts_with(open) && rule(self))
    }

    /// Copies code up to `end`, without markers for literal text.
    fn copy_code(&mut self, end: usize) {
        self.rules.code.iter().for_each(|rule| rule(self, end));
        if self.lines.at < end {
            self.copy_to(end);
        }
    }

    fn copy_escaped(&mut self) {
        let next = self.lines.text[self.lines.at + 1..].chars().next();
        let length = next.filter(|next| *next != '\n' && *next != '\r').map_or(0, char::len_utf8);
        self.copy_to(self.lines.at + 1 + length);
    }

    /// Copies up to a position in a later line, with the indentation that the block around it leaves.
    fn copy_lines(&mut self, end: usize) {
        let taken = self.lines.column.saturating_sub(self.lines.out_column);
        while let Some(line) = memchr::memchr(b'\n', &self.lines.text.as_bytes()[self.lines.at..end]) {
            self.copy_to(self.lines.at + line + 1);
            let rest = &self.lines.text[self.lines.at..end];
            self.skip_columns(&rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()], taken);
        }
        self.copy_to(end);
    }

    pub(super) fn copy_to(&mut self, end: usize) {
        self.out.copy(self.lines.text, self.lines.at..end);
        self.lines.at = end;
    }

    /// Writes a replacement for the source up to `end` in the line.
    pub(super) fn put(&mut self, new: &str, end: usize) {
        self.note_names(new, end);
        self.out.put(new, self.lines.at..end);
        self.lines.at = end;
    }

    /// Records the original of an included line for the opening lines of blocks.
    fn note_names(&mut self, lines: &str, end: usize) {
        if self.depth > 0 {
            let written = self.lines.text[self.lines.at..end].trim().lines().next().unwrap_or_default();
            let ours = lines.lines().filter(|line| line.starts_with(['<', ':']));
            let names = ours.map(|ours| (self.lines.at..end, ours.to_string(), written.to_string()));
            self.notes.renamed.extend(names);
        }
    }

    /// Removes the source up to `end`.
    pub(super) fn remove(&mut self, end: usize) {
        self.lines.at = end;
        self.out.has_removed = true;
    }

    /// Leaves out unsupported syntax.
    pub(super) fn leave_out(&mut self, kind: &'static str, name: &str, end: usize) {
        self.note(kind, name, OmissionReason::Unknown, self.lines.at..end);
        if self.marks_unknown && self.is_in_address(end) {
            let unknown = UNKNOWN.to_string();
            self.put(&unknown, end);
        } else {
            self.remove(end);
        }
    }

    /// Whether the output for the source up to `end` belongs to a URL: in the parentheses of a link, in an attribute with a URL, or
    /// in a link definition.
    fn is_in_address(&self, end: usize) -> bool {
        const NAMES: [&str; 9] = ["href", "src", "to", "srcset", "poster", "data", "action", "url", "link"];
        let line = near_end(&self.out.text[self.out.line..], LONGEST_ADDRESS);
        let rest = near_start(self.lines.rest_of_line(end), LONGEST_ADDRESS);
        let bare = line.trim_end();
        let tail = if bare.ends_with("](") { bare } else { line };
        let tail = tail.rsplit([' ', '\t']).next().unwrap_or_default();
        if let Some(open) = tail.rfind("](") {
            return !tail[open..].contains(')') && rest.contains(')');
        }
        if let Some(open) = line.rfind(['"', '\''])
            && let Some(name) = line[..open].strip_suffix('=')
        {
            let quote = &line[open..=open];
            let is_named = NAMES.iter().any(|it| {
                name.strip_suffix(it).is_some_and(|it| it.ends_with([' ', '\t', '<', ':']) || it.is_empty())
            });
            return is_named && rest.contains(quote);
        }
        let definition = line.trim_end().trim_end_matches('<').trim_end();
        definition.ends_with("]:") || tail.starts_with('<') && line.contains("]:") || self.is_address
    }

    /// Writes an address that the generator inserts in place of the source up to `end`. In text it becomes a link, so that it is
    /// checked.
    pub(super) fn put_address(&mut self, address: &str, end: usize) {
        let line = &self.out.text[self.out.line..];
        let is_in_element = line.rfind('<').is_some_and(|open| !line[open..].contains('>'));
        let is_text = !self.is_in_address(end) && !is_in_element;
        let start = self.lines.at;
        let place =
            self.lines.text[start..end].find(address).map(|at| start + at..start + at + address.len());
        let around = place.clone().unwrap_or(start..end);
        if is_text {
            self.out.put(&format!("[{}](<", address.replace(['[', ']'], "")), start..around.start);
        }
        match place {
            Some(place) => self.out.copy(self.lines.text, place),
            None => self.out.put(address, start..end),
        }
        if is_text {
            self.out.put(">)", around.end..end);
        }
        self.lines.at = end;
    }

    pub(super) fn note(&mut self, kind: &'static str, name: &str, why: OmissionReason, span: Range<usize>) {
        let is_outside =
            why == OmissionReason::Missing && self.dialect.absent.get(name) == Some(&Absence::Outside);
        let why = if is_outside { OmissionReason::Outside } else { why };
        self.notes.left_out.push(Omission { kind: kind.into(), name: name.to_string(), why, span });
        self.notes.gaps.push(self.out.text.len());
    }

    /// Writes separate lines in place of the source up to `end`. Further text on the line moves to a new line.
    pub(super) fn put_lines(&mut self, lines: &str, end: usize) {
        self.note_names(lines, end);
        self.out.fresh_line(&self.lines.lead, self.lines.at..end);
        let lead = format!("\n{}", self.lines.lead);
        let span = self.lines.at..end;
        let mut is_first = true;
        for line in lines.split('\n') {
            if !is_first {
                let lead = if line.is_empty() { lead.trim_end_matches([' ', '\t']) } else { &lead };
                self.out.put(lead, span.clone());
            }
            self.out.put(line, span.clone());
            is_first = false;
        }
        self.lines.at = end;
        let rest = self.lines.rest_of_line(end);
        let bare = rest.trim_start_matches([' ', '\t']);
        self.lines.at += rest.len() - bare.len();
        if !bare.is_empty() {
            self.out.put(&lead, span);
            self.out.shown = false;
        }
    }

    /// Ends the line, or removes it if nothing of it is left.
    pub(super) fn end_of_line(&mut self) {
        let end = (self.lines.at + 1).min(self.lines.text.len());
        let is_dropped =
            std::mem::take(&mut self.out.has_removed) && !self.out.shown && !self.lines.has_marks;
        if !is_dropped {
            self.copy_to(end);
            return;
        }
        self.out.truncate_line();
        let end_of_text = self.out.text.len();
        self.notes
            .gaps
            .iter_mut()
            .rev()
            .take_while(|gap| **gap > end_of_text)
            .for_each(|gap| *gap = end_of_text);
        let span = self.lines.at..end;
        self.lines.at = end;
        let next_is_blank = self.lines.rest_of_line(end).trim().is_empty();
        let after_blank = self.out.text.len() <= self.lines.body || self.out.text.ends_with("\n\n");
        if after_blank {
            self.out.collapses = true;
        } else if !next_is_blank && !self.out.is_between_tags() {
            self.out.put("\n", span);
        }
    }

    /// Writes the indentation of a line.
    fn indent(&mut self, blank: &Range<usize>, column: usize, out_column: usize) {
        let written = &self.lines.text[blank.clone()];
        if column == out_column {
            self.copy_to(blank.end);
        } else if written.bytes().all(|byte| byte == b' ') && out_column < column {
            self.lines.at = blank.start + (column - out_column);
            self.copy_to(blank.end);
        } else {
            self.put(&" ".repeat(out_column), blank.end);
        }
    }

    /// Ends the indented blocks before a line at `column`.
    pub(super) fn end_indented(&mut self, column: usize, at: usize) {
        while let Some(OpenBlock { kind: BlockKind::Indented(least), .. }) = self.blocks.open.last() {
            if column >= *least && at < self.lines.text.len() {
                return;
            }
            let block = self.blocks.open.pop().expect("it is the last");
            match block.close {
                Close::Lines(lines) => self.out.end_block(&lines, block.out_column, at),
                Close::Tab => {
                    let next = self.lines.rest_of_line(at).trim();
                    // `===!` begins another set: <https://facelessuser.github.io/pymdown-extensions/extensions/tabbed/>.
                    let is_tab = tab_label(next).is_some() && !next.starts_with("===!");
                    self.indented.goes_on_with_tabs =
                        column == block.column && is_tab && at < self.lines.text.len();
                    let lines = if self.indented.goes_on_with_tabs { "</tab>" } else { "</tab>\n</tabs>" };
                    self.out.end_block(lines, block.out_column, at);
                }
                _ => {}
            }
        }
    }

    /// Writes the opening of a box in place of the source up to `end`. A box without content ends immediately.
    pub(super) fn open_box(
        &mut self,
        kind: BlockKind<'t>,
        (opening, close): Edges,
        end: usize,
        is_empty: bool,
    ) {
        self.put_lines(&opening, end);
        match close {
            Close::Lines(lines) if is_empty => self.put_lines(lines.trim_start(), end),
            close => self.open(kind, close),
        }
    }

    /// Opens a block whose content loses its indentation relative to this line.
    pub(super) fn open(&mut self, kind: BlockKind<'t>, close: Close) {
        self.blocks.push(kind, close, (self.lines.column, self.lines.out_column));
    }

    /// Opens a block whose lines keep their indentation.
    pub(super) fn open_in_place(&mut self, kind: BlockKind<'t>, close: Close) {
        self.open(kind, close);
        if let Some(block) = self.blocks.open.last_mut() {
            block.body = Some(block.column);
        }
    }

    /// Writes the end of the block that a tag with this name closes. A tag that closes nothing is removed.
    pub(super) fn close_block(&mut self, name: &str, end: usize) {
        let inside = OpenBlock::without_end(self.blocks.inside(name));
        self.notes.problems.extend(inside);
        match self.blocks.take(|kind| matches!(kind, BlockKind::Named(opened) if *opened == name)) {
            Some(block) => {
                if block.close == Close::Lines("</tabs>".to_string()) {
                    self.mdx.tab_sets.pop();
                    self.shortcodes.code_tabs.pop();
                }
                self.write_end(block.close, end);
            }
            None => self.remove(end),
        }
    }

    /// Writes the end of a block in place of the source up to `end`.
    pub(super) fn write_end(&mut self, close: Close, end: usize) {
        match close {
            Close::Lines(lines) => self.put_lines(&lines, end),
            Close::Inline(text) => self.put(&text, end),
            Close::Same => self.copy_to(end),
            Close::Nothing | Close::Tab => self.remove(end),
        }
    }

    /// Translates a code block.
    fn fence(&mut self, mark: u8, length: usize) {
        if !self.rules.fence.iter().any(|rule| rule(self, mark, length)) {
            let info = &self.lines.rest_of_line(self.lines.at)[length..];
            self.copy_to(self.lines.line_end(self.lines.at));
            self.rest_of_fence(mark, length, info);
        }
    }

    /// Copies a code block after its opening line, up to its closing line.
    pub(super) fn rest_of_fence(&mut self, mark: u8, length: usize, info: &str) {
        let info = info.trim_start();
        let opening = self.lines.at;
        let taken = self.lines.column.saturating_sub(self.lines.out_column);
        let column = columns(&self.lines.lead) + taken;
        // A line that MDX doesn't treat as code ends nothing.
        let least = self.blocks.open.iter().rev().find_map(|block| match block.kind {
            BlockKind::Indented(least) if block.close != Close::Nothing => Some(least),
            _ => None,
        });
        while self.lines.at < self.lines.text.len() {
            let start = self.lines.at;
            let end = self.lines.line_end(start);
            let line = &self.lines.text[start..end];
            let content = line.trim_start_matches([' ', '\t']);
            let blank = line.len() - content.len();
            if !content.trim().is_empty() && least.is_some_and(|least| columns(&line[..blank]) < least) {
                self.end_unclosed_fence((mark, length), opening);
                break;
            }
            let bare = content.trim_start_matches(['>', ' ', '\t']);
            let lead = &line[..line.len() - bare.len()];
            // It ends with the fence around it.
            if self.blocks.fence_ended_by((lead, bare)).is_some() {
                self.end_fence(&char::from(mark).to_string().repeat(length));
                break;
            }
            // MDX has no indented code, so its fences end at any indentation.
            let is_end = self.dialect.has(Syntax::Mdx) && closes_fence(("", bare), (mark, length), 0);
            let deeper = if is_end { columns(lead).saturating_sub(column) } else { 0 };
            let ends_deeper = deeper >= 4;
            self.skip_columns(&line[..blank], if ends_deeper { taken + deeper } else { taken });
            if self.rules.code_line.iter().any(|rule| rule(self, end, info)) {
                continue;
            }
            self.copy_code(end);
            if ends_deeper || closes_fence((lead, bare), (mark, length), column) {
                break;
            }
        }
    }

    /// Removes columns of a line's indentation. A tab that extends beyond them is replaced by spaces.
    fn skip_columns(&mut self, blank: &str, count: usize) {
        let (mut column, mut bytes) = (0, 0);
        for byte in blank.bytes() {
            if column >= count {
                break;
            }
            column = columns_after(column, if byte == b'\t' { "\t" } else { " " });
            bytes += 1;
        }
        let end = self.lines.at + bytes;
        self.out.put(&" ".repeat(column.saturating_sub(count)), self.lines.at..end);
        self.lines.at = end;
    }

    /// Ends an unclosed code block with its enclosing block, and reports it. Its opening line ends at `opening`.
    fn end_unclosed_fence(&mut self, (mark, length): (u8, usize), opening: usize) {
        let marks = char::from(mark).to_string().repeat(length);
        let line = self.lines.text[..opening].trim_end();
        let start = line.rfind(&marks).unwrap_or(line.len());
        let code = self.lines.text.get(opening..self.lines.at).unwrap_or_default();
        self.notes.problems.push(fence::unclosed(&marks, start..line.len(), code, " in the block"));
        self.end_fence(&marks);
    }

    /// Ends a code block where the block around it ends.
    pub(super) fn end_fence(&mut self, marks: &str) {
        self.out.end_block(marks, self.lines.out_column, self.lines.at);
    }

    /// Returns the text of an included file, if it exists, and records the include.
    pub(super) fn part(&mut self, name: &str, kind: InclusionKind, span: Range<usize>) -> Option<&'d str> {
        if !self.notes.asked.iter().rev().take(FURTHEST).any(|asked| asked.name == name) {
            self.notes.asked.push(Inclusion { name: name.to_string(), kind, span: span.clone() });
        }
        let part = self.dialect.parts.get(name)?;
        let left = self.budget.checked_sub(part.text.len())?;
        *self.budget = left;
        self.notes.included.push(Included { path: part.path.clone(), span });
        Some(&part.text)
    }

    /// Returns the translated text of an included page without its front matter. All of it has the range up to `end`.
    pub(super) fn included(
        &mut self,
        text: &str,
        arguments: SortedMap<String, String>,
        end: usize,
    ) -> String {
        if self.depth >= DEEPEST {
            return String::new();
        }
        let text = &*unwrapped(text.into(), self.dialect);
        let body = body_start(text);
        let is_address = self.marks_unknown && self.is_in_address(end);
        let mut translator = Translator::new(text, body, (self.dialect, self.rules), self.budget);
        translator.arguments = arguments;
        translator.depth = self.depth + 1;
        translator.marks_unknown = self.marks_unknown;
        translator.is_address = is_address;
        translator.run();
        let Translator {
            out,
            notes: TranslationNotes { left_out, asked, anchors, included, renamed, problems, .. },
            ..
        } = translator;
        let place = self.lines.at..end;
        let here = |it: Problem| Problem { span: place.clone(), edits: Vec::new(), ..it };
        self.notes.problems.extend(problems.into_iter().map(here));
        self.notes
            .renamed
            .extend(renamed.into_iter().map(|(_, ours, written)| (place.clone(), ours, written)));
        self.notes.included.extend(included.into_iter().map(|it| Included { span: place.clone(), ..it }));
        self.notes.anchors.extend(anchors.into_iter().map(|it| PageAnchor { span: place.clone(), ..it }));
        self.notes.gaps.extend(left_out.iter().map(|_| self.out.text.len()));
        self.notes.left_out.extend(left_out.into_iter().map(|it| Omission { span: place.clone(), ..it }));
        self.notes.asked.extend(asked.into_iter().map(|it| Inclusion { span: place.clone(), ..it }));
        out.text[body..].trim_matches(['\n', '\r']).to_string()
    }

    /// Writes Markdown on separate lines, apart from the surrounding text.
    pub(super) fn put_markdown(&mut self, markdown: &str, end: usize) {
        if markdown.trim().is_empty() {
            self.remove(end);
            return;
        }
        if !markdown.contains('\n') {
            self.put(markdown, end);
            return;
        }
        let is_apart = !self.out.shown && self.out.is_after_blank(self.lines.body);
        let before = if is_apart { "" } else { "\n" };
        let next = self.lines.line_end(end);
        let follows = !self.lines.rest_of_line(end).trim().is_empty()
            || !self.lines.rest_of_line(next).trim().is_empty();
        let after = if follows { "\n" } else { "" };
        self.put_lines(&format!("{before}{markdown}{after}"), end);
    }
}

/// Maximum length in bytes of a URL that is searched around a part of it.
const LONGEST_ADDRESS: usize = 2_000;

/// Returns the end of a text, of at most this number of bytes.
pub(super) fn near_end(text: &str, most: usize) -> &str {
    let from = text.len().saturating_sub(most);
    (from..).find_map(|from| text.get(from..)).unwrap_or_default()
}

/// Returns the start of a text, of at most this number of bytes.
pub fn near_start(text: &str, most: usize) -> &str {
    let to = most.min(text.len());
    (0..=to).rev().find_map(|to| text.get(..to)).unwrap_or_default()
}
