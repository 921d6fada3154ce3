//! Finds syntax that isn't CommonMark: notes, tabs, blocks, and hand-written navigation, all outside code.

use std::ops::Range;

use super::attributes::{self, BlockAttribute};
use super::fragment::{Enclosure, enclosing_element};
use super::mark::{Cut, CutKind, Edge, Mark};
use super::navigation::{LONGEST_LABEL, navigation_label};
use super::switcher::switcher;
use crate::edition::Edition;
use crate::markdown::formula;
use crate::markdown::html::{find_ignoring_case, start_tag, starts_with_name};
use crate::markdown::lines::{
    after_markers, closes_fence, columns, marker, opening_fence, run_length, whole_line,
};
use crate::markdown::page::{COLONS, HandWritten, NoteKind, PlatformBlock, Switcher};
use crate::markdown::paragraph::{Paragraph, Ticks};
use crate::markdown::unclosed::{unclosed as unclosed_element, unclosed_comment};
use base::diagnostic::{Code, Problem, nearest};
use base::platforms::names_links;

/// Finds marks outside code.
pub(super) struct Scanner<'a> {
    text: &'a str,
    start: usize,
    edition: &'a Edition,
    /// Whether the page may contain hand-written links to other platforms.
    may_switch: bool,
    pub(super) marks: Vec<Mark>,
    pub(super) navigation: Vec<HandWritten>,
    pub(super) switchers: Vec<Switcher>,
    pub(super) platform_blocks: Vec<PlatformBlock>,
    /// Ranges to remove in addition to notes, blocks and navigation.
    pub(super) cuts: Vec<Cut>,
    pub(super) problems: Vec<Problem>,
    /// Start of the line.
    line: usize,
    /// Content columns of the list items that contain the current line.
    lists: Vec<usize>,
    /// End of the known code, comment or tag.
    skip_to: usize,
    /// The open notes and blocks: whether each is a note, and the kind of note that a `:::` opened.
    open: Vec<(bool, Option<(NoteKind, usize)>)>,
    /// Number of notes in `open`. In a note, indentation doesn't mean code.
    depth: usize,
    paragraph: Paragraph,
    ticks: Ticks,
    /// End tags that don't occur in the rest of the text. Searching for them again at every start tag would take
    /// quadratic time.
    missing: Vec<&'static str>,
    /// Start of the unclosed code block.
    pub(super) open_fence: Option<usize>,
    /// Closed code blocks.
    pub(super) fences: Vec<Range<usize>>,
}

/// End tags of elements whose content is neither Markdown nor parsed.
const VERBATIM: [&str; 5] = ["</pre", "</script", "</style", "</textarea", "</svg"];

/// Which of these elements begin without an end.
#[derive(Debug, Default)]
struct Verbatim([bool; 4]);

impl Verbatim {
    /// Handles the text after a `<`.
    fn meet(&mut self, tag: &[u8]) {
        let (name, opens) = match tag.strip_prefix(b"/") {
            Some(name) => (name, false),
            None => (tag, true),
        };
        if !matches!(name.first(), Some(b'p' | b'P' | b's' | b'S' | b't' | b'T')) {
            return;
        }
        for (is_open, close) in self.0.iter_mut().zip(VERBATIM) {
            if starts_with_name(name, &close[2..]) {
                *is_open = opens;
            }
        }
    }

    fn goes_on(&self) -> bool {
        self.0.contains(&true)
    }
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, start: usize, edition: &'a Edition) -> Self {
        Self {
            text,
            start,
            edition,
            may_switch: edition.platform.is_some() && names_links(&text[start..]),
            marks: Vec::new(),
            navigation: Vec::new(),
            switchers: Vec::new(),
            platform_blocks: Vec::new(),
            cuts: Vec::new(),
            problems: Vec::new(),
            line: start,
            lists: Vec::new(),
            skip_to: 0,
            open: Vec::new(),
            depth: 0,
            paragraph: Paragraph::default(),
            ticks: Ticks::default(),
            missing: Vec::new(),
            open_fence: None,
            fences: Vec::new(),
        }
    }

    /// Fast path: most pages contain none of it, and are parsed without a copy.
    pub(super) fn is_needed(&self) -> bool {
        let body = &self.text.as_bytes()[self.start..];
        let is_ours = |tag: &[u8]| {
            let name = tag.strip_prefix(b"/").unwrap_or(tag);
            enclosing_element(name).is_some() || starts_with_name(tag, "a")
        };
        let mut verbatim = Verbatim::default();
        let has_ours = memchr::memchr_iter(b'<', body).any(|at| {
            verbatim.meet(&body[at + 1..]);
            is_ours(&body[at + 1..])
        });
        let holds = |wanted: &str| memchr::memmem::find(body, wanted.as_bytes()).is_some();
        let is_behind_marks = |tab: usize| {
            let before = body[..tab].iter().rev().find(|byte| **byte != b' ');
            matches!(before, Some(b'`' | b'~'))
        };
        let goes_on = || {
            let last_end = memchr::memmem::rfind(body, b"-->");
            verbatim.goes_on() || memchr::memmem::rfind(body, b"<!--").is_some_and(|at| last_end < Some(at))
        };
        has_ours
            || holds(":::")
            || (self.edition.has_formulas && memchr::memchr(b'$', body).is_some())
            || memchr::memchr_iter(b'\t', body).any(is_behind_marks)
            || goes_on()
            || self.may_switch
    }

    pub(super) fn run(&mut self) {
        let mut fence: Option<((u8, usize), usize)> = None;
        let mut after_blank = true;
        let mut in_indented_code = false;
        let Self { text, start, .. } = *self;
        let ends = memchr::memchr_iter(b'\n', &text.as_bytes()[start..]).map(|newline| start + newline + 1);
        let mut at = start;
        for end in ends.chain([text.len()]) {
            let line = &self.text[at..end];
            self.line = at;
            let content = line.trim_start_matches([' ', '\t', '>']);
            let content_at = at + line.len() - content.len();
            let content = content.trim_end();
            if let Some((marks, column)) = fence {
                if closes_fence((&line[..content_at - at], content), marks, column) {
                    let run = run_length(content, marks.0);
                    fence = None;
                    self.fences.extend(self.open_fence.take().map(|start| start..end));
                    self.end_fence(content_at + run, end);
                }
            } else if content.is_empty() {
                after_blank = true;
            } else if content_at >= self.skip_to {
                let indent = columns(&line[..content_at - at]);
                self.enter_lists(indent, content);
                let deep = indent >= self.lists.last().copied().unwrap_or(0) + 4;
                in_indented_code = self.depth == 0 && deep && (after_blank || in_indented_code);
                if !in_indented_code {
                    let (inner_at, inner) = after_markers(content_at, content);
                    fence = opening_fence(inner).map(|marks| (marks, columns(&line[..inner_at - at])));
                    self.open_fence = fence.map(|_| inner_at);
                    let is_switcher = fence.is_none() && after_blank && self.switcher(at);
                    let is_apart = is_switcher || self.formula_block(inner_at, inner);
                    if fence.is_none() && !is_apart && !self.colon_fence(inner_at, inner, end) {
                        self.scan_line(content_at, end);
                    }
                }
                after_blank = false;
            } else {
                self.scan_line(self.skip_to, end);
                after_blank = false;
            }
            at = end;
        }
    }

    /// Records a platform switcher if the paragraph at `at` is one, and returns whether it is.
    fn switcher(&mut self, at: usize) -> bool {
        if !self.may_switch {
            return false;
        }
        let end = self.paragraph_end(at);
        let found = switcher(self.text, at..end);
        self.skip_to = if found.is_some() { end } else { self.skip_to };
        self.switchers.extend(found);
        self.skip_to == end && end > at
    }

    /// Makes the lines between two `$$` the code block of a formula, because CommonMark would find lists and headings
    /// in them. Returns whether one begins on this line.
    fn formula_block(&mut self, at: usize, content: &str) -> bool {
        if !self.edition.has_formulas || content != formula::BLOCK {
            return false;
        }
        let span = at..at + content.len();
        let Some(close) = formula::end_of_block(self.text, span.end, false) else { return false };
        self.skip_to = close.end;
        self.cuts.push(Cut { span, what: CutKind::End("```math") });
        self.cuts.push(Cut { span: close, what: CutKind::End("```") });
        true
    }

    /// Returns the offset after the formula that begins with the `$` at `at`. If it begins none, it is escaped, so that
    /// the Markdown parser, whose rule allows more, doesn't find one either.
    fn after_formula(&mut self, at: usize) -> usize {
        let limit = self.paragraph.end(self.text, at);
        formula::end(&self.text[..limit], at).unwrap_or_else(|| {
            let run = run_length(&self.text[at..], b'$');
            if after_markers(0, self.text[self.line..limit].lines().next().unwrap_or_default().trim()).1
                == formula::BLOCK
            {
                self.problems.push(formula::unclosed(at..at + run));
            }
            self.cuts.extend((at..at + run).map(|at| Cut { span: at..at, what: CutKind::End("\\") }));
            at + run
        })
    }

    /// Updates `lists` for this line.
    fn enter_lists(&mut self, indent: usize, content: &str) {
        while self.lists.last().is_some_and(|&column| indent < column) {
            self.lists.pop();
        }
        let mut column = indent;
        let mut rest = content;
        while let Some(marker) = marker(rest, column) {
            column += marker.columns;
            self.lists.push(column);
            rest = &rest[marker.bytes..];
        }
    }

    fn mark(&mut self, span: Range<usize>, edge: Edge) {
        match edge {
            Edge::OpenElement(_) => {
                self.open.push((true, None));
                self.depth += 1;
            }
            Edge::OpenFence(ref opened, colons) => {
                let kind = if let Enclosure::Note(kind, _) = opened { Some((*kind, colons)) } else { None };
                self.open.push((true, kind));
                self.depth += 1;
            }
            Edge::OpenBlock { .. } => self.open.push((false, None)),
            Edge::CloseElement(_) | Edge::CloseFence(_) => {
                self.depth -= usize::from(self.open.pop().is_some_and(|(is_note, _)| is_note));
            }
        }
        self.marks.push(Mark { span, edge, list_indent: self.lists.last().copied().unwrap_or(0) });
    }

    /// Removes what follows the line that ends a code block: CommonMark allows tabs there, but pulldown-cmark 0.13
    /// only spaces.
    fn end_fence(&mut self, marks_end: usize, line_end: usize) {
        let after = self.text[marks_end..line_end].trim_end_matches(['\r', '\n']);
        if after.contains('\t') {
            self.cuts.push(Cut { span: marks_end..marks_end + after.len(), what: CutKind::Nothing });
        }
    }

    /// Handles `:::note A title`, which opens a note, and `:::`, which closes it. More colons nest, as in Pandoc and
    /// Docusaurus. In a note of the same kind, `:::note` closes that note, as in Docusaurus 2, unless the next line of colons closes
    /// another one.
    fn colon_fence(&mut self, at: usize, content: &str, line_end: usize) -> bool {
        let colons = run_length(content, b':');
        if colons < 3 {
            return false;
        }
        let rest = content[colons..].trim();
        let span = at..at + content.len();
        if rest.is_empty() {
            self.mark(span, Edge::CloseFence(colons));
            return true;
        }
        let (name, title) = rest.split_at(rest.find([' ', '\t', '[', '{']).unwrap_or(rest.len()));
        if name == "platform" {
            self.platform_block(span, title, colons);
            return true;
        }
        if name.is_empty() && rest.starts_with('{') {
            return self.directive_in_braces(span, rest, colons);
        }
        let Some(kind) = NoteKind::named(name) else {
            let edition = self.edition;
            let Some(template) = edition.blocks.get(name) else {
                return self.unknown_directive(span, name, colons);
            };
            let head = span.end - rest.len()..span.end - title.len();
            let mut attributes = attributes::read((name, head), title, template, &mut self.problems);
            for BlockAttribute { value, .. } in &mut attributes {
                *value = edition.expand(value).replace('\0', "\u{fffd}");
            }
            let opened = Enclosure::Own { name: name.to_string(), attributes };
            self.mark(at..line_end.min(self.text.len()), Edge::OpenFence(opened, colons));
            return true;
        };
        let is_same = self.open.last().is_some_and(|(_, it)| *it == Some((kind, colons)));
        let marks = ":".repeat(colons);
        let mut below = self.text[line_end..].lines().map(str::trim).filter(|line| line.starts_with(&marks));
        if title.trim().is_empty() && is_same && below.next() != Some(marks.as_str()) {
            let message = format!("`{marks}{name}` ends this note, but opens another one in other tools");
            let help = format!("use `{marks}`");
            let problem = Problem::new(Code::UnbalancedBlock, span.clone(), message).help(help);
            self.problems.push(problem.as_advice());
            self.mark(span, Edge::CloseFence(colons));
            return true;
        }
        let title = self.edition.expand(title).replace('\0', "\u{fffd}");
        let title = title.trim().trim_start_matches('[').trim_end_matches(']').trim();
        let title =
            Some(title).filter(|title| !title.is_empty() && !title.starts_with('{')).map(str::to_string);
        self.mark(at..line_end.min(self.text.len()), Edge::OpenFence(Enclosure::Note(kind, title), colons));
        true
    }

    /// Handles another tool's block, whose text is parsed normally. Returns whether it is one.
    fn unknown_directive(&mut self, span: Range<usize>, name: &str, colons: usize) -> bool {
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return false;
        }
        let message = format!("unknown block `{}{name}`", ":".repeat(colons));
        let kinds = ["note", "tip", "important", "warning", "caution", "platform"];
        let own = self.edition.blocks.keys().map(String::as_str);
        let near = nearest(&name.to_ascii_lowercase(), kinds.into_iter().chain(own));
        let help = near.map_or_else(
            || {
                "its text is shown without a box; use `note`, `tip`, `important`, `warning`, or `caution`"
                    .to_string()
            },
            |near| format!("did you mean `{near}`? its text is shown without a box"),
        );
        let problem = Problem::new(Code::UnknownDirective, span.clone(), message);
        // An object of code isn't a name: `::: tool.run(arguments)`.
        let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':'));
        let problem = problem.help(help).data("directive", name).data(COLONS, colons);
        self.problems.extend(is_name.then_some(problem));
        let edge = Edge::OpenBlock { is_shown: true, is_known: false, colons };
        self.mark(whole_line(self.text, self.start, span), edge);
        true
    }

    /// Handles `MyST`'s `:::{note}` and Pandoc's `::: {.callout-note}`. Returns whether it is one.
    fn directive_in_braces(&mut self, span: Range<usize>, rest: &str, colons: usize) -> bool {
        let Some((inside, _)) = rest[1..].split_once('}') else { return false };
        let word = inside.trim_start_matches(['.', '#', ' ']);
        let word = word.split([' ', ',']).next().unwrap_or_default();
        if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return false;
        }
        let marks = ":".repeat(colons);
        let message = format!("unknown block `{marks}{{{inside}}}`");
        let kind = NoteKind::named(word.strip_prefix("callout-").unwrap_or(word));
        let help = match kind {
            Some(kind) => format!("its text is shown without a box; use `{marks}{}`", kind.class()),
            None => format!("its text is shown without a box; use `{marks}note` for a note"),
        };
        let problem = Problem::new(Code::UnknownDirective, span.clone(), message).help(help);
        self.problems.push(problem.data("directive", inside));
        let edge = Edge::OpenBlock { is_shown: true, is_known: false, colons };
        self.mark(whole_line(self.text, self.start, span), edge);
        true
    }

    /// Records a block for the platforms in `names`, the end of the line at `span`.
    fn platform_block(&mut self, span: Range<usize>, names: &str, colons: usize) {
        let mut at = span.end - names.len();
        let mut platforms = Vec::new();
        for name in names.split_inclusive([' ', '\t', ',']) {
            let bare = name.trim_end_matches([' ', '\t', ',']);
            if !bare.is_empty() {
                platforms.push((bare.to_string(), at..at + bare.len()));
            }
            at += name.len();
        }
        let excludes = platforms.first().is_some_and(|(name, _)| name == "not");
        platforms.drain(..usize::from(excludes));
        let block = PlatformBlock { platforms, excludes, span: span.clone() };
        let is_shown = block.is_for(self.edition.platform.as_deref());
        let edge = Edge::OpenBlock { is_shown, is_known: true, colons };
        self.mark(whole_line(self.text, self.start, span), edge);
        self.platform_blocks.push(block);
    }

    fn scan_line(&mut self, from: usize, end: usize) {
        let bytes = self.text.as_bytes();
        let mut at = from.max(self.skip_to);
        let has_formulas = self.edition.has_formulas;
        let next = |rest: &[u8]| {
            let found = memchr::memchr3(b'<', b'`', b'\\', rest);
            if !has_formulas {
                return found;
            }
            let before = &rest[..found.unwrap_or(rest.len())];
            memchr::memchr(b'$', before).or(found)
        };
        while let Some(found) = bytes.get(at..end).and_then(next) {
            at += found;
            at = match bytes[at] {
                b'\\' => at + 2,
                b'$' => self.after_formula(at),
                b'`' => self.after_code_span(at),
                _ => self.after_tag(at),
            };
        }
        self.skip_to = self.skip_to.max(at.min(self.text.len()));
    }

    /// Returns the offset after the code span that opens at `at`, or after its backticks if it isn't closed in the
    /// paragraph.
    fn after_code_span(&mut self, at: usize) -> usize {
        let length = run_length(&self.text[at..], b'`');
        let inside = at + length;
        let end = self.paragraph.end(self.text, inside);
        self.ticks.next(self.text, inside, end, length).map_or(inside, |close| close + length)
    }

    /// Handles the `<` at `at`, and returns the offset at which to continue.
    fn after_tag(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        let inside = &rest.as_bytes()[1..];
        if rest.starts_with("<!--") {
            return match self.find_end(at, "-->") {
                Some(end) => end + 3,
                None if self.begins_block(at) => {
                    self.problems.push(unclosed_comment(at..at + 4));
                    self.leave_out_paragraph(at)
                }
                None => at + 4,
            };
        }
        let closes = inside.strip_prefix(b"/");
        if let Some(element) = closes.and_then(enclosing_element) {
            let bytes = &rest.as_bytes()[..rest.len().min(LONGEST_LABEL)];
            let end = at + memchr::memchr(b'>', bytes).map_or(element.len() + 2, |close| close + 1);
            if !self.is_in_table_row(at) {
                self.mark(at..end, Edge::CloseElement(element));
            }
            return end;
        }
        if enclosing_element(inside).is_some() && !self.is_in_table_row(at) {
            let Some(tag) = start_tag(rest) else { return at + 1 };
            let opened = Enclosure::opened_by(&tag, self.edition);
            self.mark(at..at + tag.length, Edge::OpenElement(opened));
            return at + tag.length;
        }
        if starts_with_name(inside, "a") {
            let Some(link) = self.hand_written(at) else { return at + 1 };
            let end = link.span.end;
            self.navigation.push(link);
            return end;
        }
        match VERBATIM.iter().find(|close| starts_with_name(inside, &close[2..])) {
            Some(close) => match self.find_end(at, close) {
                Some(end) => end + close.len(),
                None if *close != "</svg" && self.begins_block(at) => {
                    self.end_with_paragraph(at, &close[2..])
                }
                None => at + 1,
            },
            None => at + 1,
        }
    }

    /// Whether a raw HTML block at `at` isn't inside anything that ends before the page.
    fn begins_block(&self, at: usize) -> bool {
        let lead = &self.text[self.line..at];
        self.depth == 0 && self.lists.is_empty() && lead.len() < 4 && lead.bytes().all(|byte| byte == b' ')
    }

    /// Ends an element with the paragraph in which it begins, or removes an element that readers don't see. Returns
    /// the offset at which to continue.
    fn end_with_paragraph(&mut self, at: usize, name: &'static str) -> usize {
        let rest = &self.text[at..];
        let tag = start_tag(rest).map_or(name.len() + 1, |tag| tag.length);
        self.problems.push(unclosed_element(name, at..at + tag));
        if matches!(name, "script" | "style") {
            return self.leave_out_paragraph(at);
        }
        let end = self.paragraph_end(at);
        let what = CutKind::End(if name == "pre" { "</pre>" } else { "</textarea>" });
        self.cuts.push(Cut { span: end..end, what });
        end
    }

    fn leave_out_paragraph(&mut self, at: usize) -> usize {
        let end = self.paragraph_end(at);
        self.cuts.push(Cut { span: at..end, what: CutKind::Nothing });
        end
    }

    /// Returns the end of the text of the paragraph around `at`.
    fn paragraph_end(&mut self, at: usize) -> usize {
        at + self.text[at..self.paragraph.end(self.text, at)].trim_end().len()
    }

    /// Returns the next position of `end` after `at`, ignoring case.
    fn find_end(&mut self, at: usize, end: &'static str) -> Option<usize> {
        if self.missing.contains(&end) {
            return None;
        }
        let found = find_ignoring_case(&self.text.as_bytes()[at..], end);
        if found.is_none() {
            self.missing.push(end);
        }
        found.map(|found| at + found)
    }

    /// A table row is one line, so nothing can be taken out of its cells.
    fn is_in_table_row(&self, at: usize) -> bool {
        self.text[self.line..at].trim_start().starts_with('|')
    }

    /// Returns the previous or next link that opens at `at`, if it is one.
    fn hand_written(&mut self, at: usize) -> Option<HandWritten> {
        let rest = &self.text[at..];
        let tag = start_tag(rest)?;
        let target = tag.attribute("href")?;
        let inner = &self.text[at + tag.length..self.paragraph.end(self.text, at + tag.length)];
        let close = find_ignoring_case(&inner.as_bytes()[..inner.len().min(LONGEST_LABEL)], "</a")?;
        let end = tag.length + close + inner[close..].find('>')? + 1;
        let text = self.edition.expand(&inner[..close]);
        let (direction, label) = navigation_label(&text, tag.attribute("style").unwrap_or_default())?;
        let target_span =
            tag.value_spans.get("href").map_or(at..at + end, |span| at + span.start..at + span.end);
        let span = at..at + end;
        let removal = span.clone();
        let target = self.edition.expand(target).into_owned();
        Some(HandWritten { direction, label, target, target_span, span, removal })
    }
}
