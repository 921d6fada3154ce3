//! Takes notes, tabs and hand-written navigation out of a page before the Markdown parser sees it.
//!
//! CommonMark reads `<aside>` as raw HTML up to the next blank line, and what is indented after
//! that as code. Authors mean a box with Markdown in it. So each note is cut out, a comment marks its
//! place, and its dedented body becomes a [`Fragment`] of its own. Previous and next links typed by
//! hand are dropped: the site makes its own. `<tabs>` and each `<tab>` in them are boxes of the same kind.
//!
//! What depends on the platform is settled here too: a `:::platform` block is read in place or vanishes, and
//! words stand where the text names variables. The parser sees the page as this platform's readers do.
//!
//! Code stays as it is, but for variables: fenced and indented blocks, code spans, comments, `<pre>` and
//! its kind. Where a comment or one of these would go on to the end of the page because nothing ends it, it ends
//! with its paragraph.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::elements::{unclosed as unclosed_element, unclosed_comment};
use super::html::{StartTag, start_tag};
use super::span::OffsetMap;
use super::{Direction, HandWritten, NoteKind, PlatformBlock};
use crate::diagnostic::{Code, Problem, nearest};
use crate::edition::Mention;
use crate::edition::Telling;

/// Stands where a note was. A comment, because CommonMark lets one interrupt any paragraph and ends
/// it on its line; told from an author's own comment by its offset.
pub(super) const PLACEHOLDER: &str = "<!--note-->";

/// A text for the Markdown parser, with the notes that were cut out of it.
#[derive(Debug, Default)]
pub(super) struct Fragment<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) map: OffsetMap,
    /// Each note with the offset of its placeholder in `text`, ascending.
    pub(super) notes: Vec<(usize, Note<'a>)>,
}

/// A note or another box.
#[derive(Debug)]
pub(super) struct Note<'a> {
    pub(super) enclosure: Enclosure,
    /// In the file, from the opening to the closing tag.
    pub(super) span: Range<usize>,
    /// Where CommonMark, which ends raw HTML at a blank line, would see code.
    pub(super) trap: Option<Range<usize>>,
    pub(super) body: Fragment<'a>,
}

/// What a box is.
#[derive(Clone, Debug)]
pub(super) enum Enclosure {
    /// With the author's own title.
    Note(NoteKind, Option<String>),
    /// A set of tabs; sets of one group show the same tab.
    Tabs {
        group: Option<String>,
    },
    Tab {
        label: String,
        group: Option<String>,
    },
}

impl Enclosure {
    /// The elements that enclose text.
    const ELEMENTS: [&str; 3] = ["aside", "tabs", "tab"];

    /// What a tag opens that is one of them.
    fn opened_by(tag: &StartTag, telling: &Telling) -> Self {
        let said = |name: &str| {
            let value = tag.attribute(name).map(str::trim).filter(|value| !value.is_empty())?;
            Some(telling.expand(value).into_owned())
        };
        let group = said("group");
        match tag.name.as_str() {
            "tabs" => Self::Tabs { group },
            "tab" => Self::Tab { label: said("label").or_else(|| said("title")).unwrap_or_default(), group },
            _ => Self::Note(kind_of(tag), said("title")),
        }
    }

    /// Its element, and what it is to its author.
    fn element(&self) -> &'static str {
        match self {
            Self::Note(..) => "aside",
            Self::Tabs { .. } => "tabs",
            Self::Tab { .. } => "tab",
        }
    }
}

/// What an element is to its author.
fn noun(element: &str) -> &str {
    if element == "aside" { "note" } else { element }
}

/// What was taken out of a page.
#[derive(Debug, Default)]
pub(super) struct Lifted<'a> {
    pub(super) page: Fragment<'a>,
    pub(super) navigation: Vec<HandWritten>,
    pub(super) platform_blocks: Vec<PlatformBlock>,
    /// Where words stand instead of what is written.
    pub(super) replaced: Vec<Range<usize>>,
    pub(super) problems: Vec<Problem>,
}

/// Lifts notes and navigation out of `text`, a whole file, from the offset `start` on.
pub(super) fn lift<'a>(text: &'a str, start: usize, telling: &Telling) -> Lifted<'a> {
    let mut scanner = Scanner::new(text, start, telling);
    let mut mentions: Vec<Mention<'_>> = telling.mentions(text, start).collect();
    mentions.extend(nulls(text, start));
    mentions.sort_by_key(|mention| mention.span.start);
    if !scanner.is_needed() && mentions.is_empty() {
        let page =
            Fragment { text: text[start..].into(), map: OffsetMap::starting_at(start), notes: Vec::new() };
        return Lifted { page, ..Lifted::default() };
    }
    scanner.run();
    let Scanner { marks, mut navigation, platform_blocks, cuts: mut kept, mut problems, open_fence, .. } =
        scanner;
    let mut cuts = pair_up(text, start, marks, open_fence, &mut problems);
    cuts.append(&mut kept);
    let removed = widen(text, start, navigation.iter().map(|link| link.span.clone()).collect());
    for link in &mut navigation {
        let after = removed.partition_point(|span| span.start <= link.span.start);
        link.removal = removed[after.checked_sub(1).expect("removals are made from links")].clone();
    }
    cuts.extend(removed.into_iter().map(|span| Cut { span, what: What::Nothing }));
    cuts.sort_by_key(|cut| (cut.span.start, std::cmp::Reverse(cut.span.end)));
    let cuts = nested(text, cuts);
    let mut untold: Vec<Range<usize>> = Vec::new();
    for block in cuts.iter().filter(|cut| cut.is_untold()) {
        // By their starts; one within another says nothing new.
        if untold.last().is_none_or(|before| before.end < block.span.end) {
            untold.push(block.span.clone());
        }
    }
    let is_told = |place: &Range<usize>| {
        let after = untold.partition_point(|block| block.start <= place.start);
        after.checked_sub(1).is_none_or(|before| untold[before].end < place.end)
    };
    navigation.retain(|link| is_told(&link.span));
    let undefined = mentions.iter().filter(|mention| mention.word.is_none() && is_told(&mention.span));
    problems.extend(undefined.map(|it| telling.undefined_variable(it.span.clone(), it.name)));
    let cuts = without_blocks(text, cuts);
    let page =
        Builder { text, cuts: &cuts, mentions: &mentions }.fragment(start..text.len(), &Frame::default());
    let replaced = mentions.into_iter().filter(|mention| mention.word.is_some()).map(|it| it.span).collect();
    Lifted { page, navigation, platform_blocks, replaced, problems }
}

/// Null characters, in whose place U+FFFD stands: CommonMark 0.31, "Insecure characters".
fn nulls<'t>(text: &str, start: usize) -> impl Iterator<Item = Mention<'t>> {
    memchr::memchr_iter(0, &text.as_bytes()[start..]).map(move |at| Mention {
        span: start + at..start + at + 1,
        name: "",
        word: Some("\u{fffd}"),
    })
}

/// An opening or closing of a note or a block, as met in the text.
#[derive(Debug)]
struct Mark {
    span: Range<usize>,
    edge: Edge,
    /// Columns that belong to the list item around it.
    list_indent: usize,
}

#[derive(Debug)]
enum Edge {
    OpenElement(Enclosure),
    CloseElement(&'static str),
    OpenFence(Enclosure, usize),
    /// A block that is read in place, or left out. One that is not `known` has been reported.
    OpenBlock {
        is_told: bool,
        is_known: bool,
        colons: usize,
    },
    CloseFence(usize),
}

/// Finds marks outside of code.
struct Scanner<'a> {
    text: &'a str,
    start: usize,
    telling: &'a Telling,
    marks: Vec<Mark>,
    navigation: Vec<HandWritten>,
    platform_blocks: Vec<PlatformBlock>,
    /// What is taken out beside notes, blocks and navigation.
    cuts: Vec<Cut>,
    problems: Vec<Problem>,
    /// The start of the line.
    line: usize,
    /// Content columns of the list items around the current line.
    lists: Vec<usize>,
    /// Up to here the text is known to be code, a comment or a tag.
    skip_to: usize,
    /// What is open at this point: whether it is a note, and of what kind a `:::` opened it.
    open: Vec<(bool, Option<(NoteKind, usize)>)>,
    /// How many of `open` are notes; inside one, indentation does not make code.
    depth: usize,
    paragraph: Paragraph,
    ticks: Ticks,
    /// Ends that do not come any more: looked for once and not again, or a page full of openings would take its
    /// square.
    missing: Vec<&'static str>,
    /// Where the fence begins that is not closed up to here.
    open_fence: Option<usize>,
}

/// Where the paragraph ends that was asked for last; most questions are about the same.
#[derive(Debug, Default)]
struct Paragraph(Range<usize>);

impl Paragraph {
    /// The end of the paragraph around `at`.
    fn end(&mut self, text: &str, at: usize) -> usize {
        if !self.0.contains(&at) {
            self.0 = at..at + paragraph_end(&text[at..]);
        }
        self.0.end
    }
}

/// The runs of backticks from a place to the end of its paragraph, by length and place.
#[derive(Debug, Default)]
struct Ticks {
    within: Range<usize>,
    runs: HashMap<usize, Vec<usize>>,
}

impl Ticks {
    /// Where the next run of a length begins from `at` on, in the paragraph that ends at `end`.
    fn next(&mut self, text: &str, at: usize, end: usize, length: usize) -> Option<usize> {
        if self.within.end != end || at < self.within.start {
            *self = Self { within: at..end, runs: HashMap::new() };
            let mut from = at;
            while let Some(found) = memchr::memchr(b'`', &text.as_bytes()[from..end]) {
                let run = run_length(&text[from + found..end], b'`');
                self.runs.entry(run).or_default().push(from + found);
                from += found + run;
            }
        }
        let runs = self.runs.get(&length)?;
        runs.get(runs.partition_point(|run| *run < at)).copied()
    }
}

/// The ends of elements whose content is not Markdown and not ours to read.
const VERBATIM: [&str; 5] = ["</pre", "</script", "</style", "</textarea", "</svg"];

/// Which of these elements begins and does not end.
#[derive(Debug, Default)]
struct Verbatim([bool; 4]);

impl Verbatim {
    /// What follows a `<`.
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
    fn new(text: &'a str, start: usize, telling: &'a Telling) -> Self {
        Self {
            text,
            start,
            telling,
            marks: Vec::new(),
            navigation: Vec::new(),
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
        }
    }

    /// Most pages of most sites hold none of it and are parsed where they stand.
    fn is_needed(&self) -> bool {
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
        has_ours || holds(":::") || memchr::memchr_iter(b'\t', body).any(is_behind_marks) || goes_on()
    }

    fn run(&mut self) {
        let mut fence: Option<(u8, usize)> = None;
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
            if let Some((mark, length)) = fence {
                let run = run_length(content, mark);
                if run >= length && content[run..].trim().is_empty() {
                    fence = None;
                    self.open_fence = None;
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
                    fence = opening_fence(inner);
                    self.open_fence = fence.map(|_| inner_at);
                    if fence.is_none() && !self.colon_fence(inner_at, inner, end) {
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

    /// Keeps `lists` what it is at this line.
    fn enter_lists(&mut self, indent: usize, content: &str) {
        while self.lists.last().is_some_and(|&column| indent < column) {
            self.lists.pop();
        }
        let mut column = indent;
        let mut rest = content;
        while let Some((length, width)) = marker(rest, column) {
            column += width;
            self.lists.push(column);
            rest = &rest[length..];
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

    /// What follows the line that ends a fence goes: CommonMark allows tabs there, pulldown-cmark 0.13 blanks only.
    fn end_fence(&mut self, marks_end: usize, line_end: usize) {
        let after = self.text[marks_end..line_end].trim_end_matches(['\r', '\n']);
        if after.contains('\t') {
            self.cuts.push(Cut { span: marks_end..marks_end + after.len(), what: What::Nothing });
        }
    }

    /// `:::note A title` opens, `:::` closes; more colons nest, as in Pandoc and Docusaurus. A note in one of its own
    /// kind is none: `:::note` closes it too, as Docusaurus 2 has it.
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
        let Some(kind) = NoteKind::named(name) else { return self.unknown_directive(span, name, colons) };
        if title.trim().is_empty() && self.open.last().is_some_and(|(_, it)| *it == Some((kind, colons))) {
            self.mark(span, Edge::CloseFence(colons));
            return true;
        }
        let title = self.telling.expand(title).replace('\0', "\u{fffd}");
        let title = title.trim().trim_start_matches('[').trim_end_matches(']').trim();
        let title =
            Some(title).filter(|title| !title.is_empty() && !title.starts_with('{')).map(str::to_string);
        self.mark(at..line_end.min(self.text.len()), Edge::OpenFence(Enclosure::Note(kind, title), colons));
        true
    }

    /// A block of another tool: its text is read as any other. Whether it is one.
    fn unknown_directive(&mut self, span: Range<usize>, name: &str, colons: usize) -> bool {
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return false;
        }
        let message =
            format!("`{}{name}` opens no note and no block that this program knows", ":".repeat(colons));
        let kinds = ["note", "tip", "important", "warning", "caution", "platform"];
        let near = nearest(&name.to_ascii_lowercase(), kinds);
        let help = near.map_or_else(
            || "its text is shown without a box; the kinds of notes are note, tip, important, warning and caution".to_string(),
            |near| format!("did you mean `{near}`? its text is shown without a box"),
        );
        let problem = Problem::new(Code::UnknownDirective, span.clone(), message);
        self.problems.push(problem.help(help));
        let edge = Edge::OpenBlock { is_told: true, is_known: false, colons };
        self.mark(whole_line(self.text, self.start, span), edge);
        true
    }

    /// `:::{note}` of `MyST` and `::: {.callout-note}` of Pandoc. Whether it is one.
    fn directive_in_braces(&mut self, span: Range<usize>, rest: &str, colons: usize) -> bool {
        let Some((inside, _)) = rest[1..].split_once('}') else { return false };
        let word = inside.trim_start_matches(['.', '#', ' ']);
        let word = word.split([' ', ',']).next().unwrap_or_default();
        if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return false;
        }
        let marks = ":".repeat(colons);
        let message = format!("`{marks}{{{inside}}}` opens no note and no block that this program knows");
        let kind = NoteKind::named(word.strip_prefix("callout-").unwrap_or(word));
        let help = match kind {
            Some(kind) => format!("write `{marks}{}`; its text is shown without a box", kind.class()),
            None => format!("write `{marks}note` for a note; its text is shown without a box"),
        };
        self.problems.push(Problem::new(Code::UnknownDirective, span.clone(), message).help(help));
        let edge = Edge::OpenBlock { is_told: true, is_known: false, colons };
        self.mark(whole_line(self.text, self.start, span), edge);
        true
    }

    /// Notes a block for the platforms that `names`, the end of the line at `span`, lists.
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
        let is_told = block.is_told(self.telling.platform.as_deref());
        let edge = Edge::OpenBlock { is_told, is_known: true, colons };
        self.mark(whole_line(self.text, self.start, span), edge);
        self.platform_blocks.push(block);
    }

    fn scan_line(&mut self, from: usize, end: usize) {
        let bytes = self.text.as_bytes();
        let mut at = from.max(self.skip_to);
        while let Some(found) = bytes.get(at..end).and_then(|rest| memchr::memchr3(b'<', b'`', b'\\', rest)) {
            at += found;
            at = match bytes[at] {
                b'\\' => at + 2,
                b'`' => self.after_code_span(at),
                _ => self.after_tag(at),
            };
        }
        self.skip_to = self.skip_to.max(at.min(self.text.len()));
    }

    /// The offset after a code span that opens at `at`, or after its backticks when none closes them
    /// within the paragraph.
    fn after_code_span(&mut self, at: usize) -> usize {
        let length = run_length(&self.text[at..], b'`');
        let inside = at + length;
        let end = self.paragraph.end(self.text, inside);
        self.ticks.next(self.text, inside, end, length).map_or(inside, |close| close + length)
    }

    /// Notes what opens at the `<` at `at`; gives the offset to go on from.
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
            let opened = Enclosure::opened_by(&tag, self.telling);
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

    /// Whether a block of raw HTML that begins at `at` is in nothing that ends before the page.
    fn begins_block(&self, at: usize) -> bool {
        let lead = &self.text[self.line..at];
        self.depth == 0 && self.lists.is_empty() && lead.len() < 4 && lead.bytes().all(|byte| byte == b' ')
    }

    /// Ends an element with the paragraph that it begins in, or leaves it out where readers see nothing of it.
    /// Gives the offset to go on from.
    fn end_with_paragraph(&mut self, at: usize, name: &'static str) -> usize {
        let rest = &self.text[at..];
        let tag = start_tag(rest).map_or(name.len() + 1, |tag| tag.length);
        self.problems.push(unclosed_element(name, at..at + tag));
        if matches!(name, "script" | "style") {
            return self.leave_out_paragraph(at);
        }
        let end = self.paragraph_end(at);
        let what = What::End(if name == "pre" { "</pre>" } else { "</textarea>" });
        self.cuts.push(Cut { span: end..end, what });
        end
    }

    fn leave_out_paragraph(&mut self, at: usize) -> usize {
        let end = self.paragraph_end(at);
        self.cuts.push(Cut { span: at..end, what: What::Nothing });
        end
    }

    /// The end of the text of the paragraph around `at`.
    fn paragraph_end(&mut self, at: usize) -> usize {
        at + self.text[at..self.paragraph.end(self.text, at)].trim_end().len()
    }

    /// Where `end` comes next after `at`, in either case.
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

    /// A table row is one line: nothing can be lifted out of its cells.
    fn is_in_table_row(&self, at: usize) -> bool {
        self.text[self.line..at].trim_start().starts_with('|')
    }

    /// The previous or next link that opens at `at`, if that is what it is.
    fn hand_written(&mut self, at: usize) -> Option<HandWritten> {
        let rest = &self.text[at..];
        let tag = start_tag(rest)?;
        let target = tag.attribute("href")?;
        let inner = &self.text[at + tag.length..self.paragraph.end(self.text, at + tag.length)];
        let close = find_ignoring_case(&inner.as_bytes()[..inner.len().min(LONGEST_LABEL)], "</a")?;
        let end = tag.length + close + inner[close..].find('>')? + 1;
        let text = self.telling.expand(&inner[..close]);
        let (direction, label) = navigation_label(&text, tag.attribute("style").unwrap_or_default())?;
        let target_span =
            tag.value_spans.get("href").map_or(at..at + end, |span| at + span.start..at + span.end);
        let span = at..at + end;
        let removal = span.clone();
        let target = self.telling.expand(target).into_owned();
        Some(HandWritten { direction, label, target, target_span, span, removal })
    }
}

/// Bytes of what a navigation link holds; a title that long is none.
const LONGEST_LABEL: usize = 1000;

/// Whether the text says previous or next, and the title it gives.
///
/// Two of three signs make a navigation link: an arrow at either end, the word, a floated style.
/// One alone is an ordinary link: `Next steps`, `Back → home`.
fn navigation_label(text: &str, style: &str) -> Option<(Direction, String)> {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&laquo;", "«").replace("&raquo;", "»");
    let text = text.replace("&larr;", "←").replace("&rarr;", "→");
    let arrows: &[char] = &['<', '>', '«', '»', '←', '→', '‹', '›', '⟵', '⟶'];
    let bare = text.trim().trim_matches(|c: char| arrows.contains(&c) || c.is_whitespace());
    let before = text.trim().starts_with(arrows);
    let after = text.trim().ends_with(arrows);
    let lower = bare.to_lowercase();
    let word = [("previous", Direction::Previous), ("prev", Direction::Previous), ("next", Direction::Next)]
        .into_iter()
        .find(|(word, _)| {
            lower.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
        });
    let rest = word.map_or(bare, |(word, _)| &bare[word.len()..]);
    let label =
        rest.trim_start_matches(|c: char| arrows.contains(&c) || c.is_whitespace() || ":.-–".contains(c));
    let inner_arrow = word.is_some() && rest.trim_start().starts_with(arrows);
    let style = style.to_ascii_lowercase();
    let floated = style.contains("float");
    let signs =
        [before || after || inner_arrow, word.is_some(), floated].into_iter().filter(|sign| *sign).count();
    if signs < 2 {
        return None;
    }
    let direction = match word {
        Some((_, direction)) => direction,
        None if before || style.contains("left") => Direction::Previous,
        None => Direction::Next,
    };
    Some((direction, label.trim().to_string()))
}

fn kind_of(tag: &StartTag) -> NoteKind {
    // JSX authors write `className`; HTML lower-cases it.
    let classes =
        tag.attribute("class").or_else(|| tag.attribute("classname")).or_else(|| tag.attribute("type"));
    classes.unwrap_or_default().split_whitespace().find_map(NoteKind::named).unwrap_or(NoteKind::Note)
}

/// The element of which a tag's name stands here, if it encloses text.
fn enclosing_element(bytes: &[u8]) -> Option<&'static str> {
    Enclosure::ELEMENTS.into_iter().find(|name| starts_with_name(bytes, name))
}

/// Something to take out of the text.
#[derive(Debug)]
struct Cut {
    span: Range<usize>,
    what: What,
}

#[derive(Debug)]
enum What {
    Note {
        enclosure: Enclosure,
        body: Range<usize>,
        list_indent: usize,
    },
    /// Text for some platforms only, between two lines.
    Block {
        body: Range<usize>,
        is_told: bool,
    },
    /// The end tag that is missing here.
    End(&'static str),
    Nothing,
}

/// Joins openings and closings. A close without an opening is dropped; a note or block that is never closed
/// ends with its paragraph, so that it cannot eat the rest of the page. Both are reported.
///
/// What a fence that is never closed hides may be the closing: then the fence is the finding.
fn pair_up(
    text: &str,
    start: usize,
    marks: Vec<Mark>,
    open_fence: Option<usize>,
    problems: &mut Vec<Problem>,
) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut open: Vec<Mark> = Vec::new();
    let mut paragraph = Paragraph::default();
    let mut unclosed =
        |mark: Mark, problems: &mut Vec<Problem>| unclosed(text, mark, &mut paragraph, problems);
    for mark in marks {
        let is_partner = |opening: &Mark| match (&opening.edge, &mark.edge) {
            (Edge::OpenElement(opened), Edge::CloseElement(closed)) => opened.element() == *closed,
            (
                Edge::OpenFence(_, opened) | Edge::OpenBlock { colons: opened, .. },
                Edge::CloseFence(closed),
            ) => closed >= opened,
            _ => false,
        };
        match mark.edge {
            Edge::OpenElement(_) | Edge::OpenFence(..) | Edge::OpenBlock { .. } => open.push(mark),
            Edge::CloseElement(_) | Edge::CloseFence(_) => match open.iter().rposition(is_partner) {
                Some(partner) => {
                    let inner = open.split_off(partner + 1);
                    cuts.extend(inner.into_iter().map(|mark| unclosed(mark, problems)));
                    let opening = open.pop().expect("rposition found it");
                    let close = match opening.edge {
                        Edge::OpenBlock { .. } => whole_line(text, start, mark.span),
                        _ => mark.span,
                    };
                    cuts.push(cut(opening, close));
                }
                None => {
                    let name = &text[mark.span.clone()];
                    let what = match mark.edge {
                        Edge::CloseElement(element) => noun(element),
                        _ => "note or block",
                    };
                    let message = format!("`{name}` closes a {what} that was never opened");
                    let help = format!("remove `{name}`, or open the {what} before its text");
                    problems.push(Problem::new(Code::UnbalancedAside, mark.span.clone(), message).help(help));
                    // A lone `:::` may be anything; a lone `</aside>` would close the page's own element.
                    if matches!(mark.edge, Edge::CloseElement(_)) {
                        cuts.push(Cut { span: mark.span, what: What::Nothing });
                    }
                }
            },
        }
    }
    let hidden = open_fence.map_or("", |fence| &text[fence..]);
    let hides_fence = hidden.lines().any(|line| line.trim_start().starts_with(":::"));
    for mark in open {
        let is_hidden = match &mark.edge {
            Edge::OpenElement(it) => hidden.contains(&format!("</{}", it.element())),
            _ => hides_fence,
        };
        let mut silent = Vec::new();
        cuts.push(unclosed(mark, if is_hidden { &mut silent } else { problems }));
    }
    cuts
}

fn cut(opening: Mark, close: Range<usize>) -> Cut {
    let Mark { span, edge, list_indent } = opening;
    let body = span.end..close.start;
    let what = match edge {
        Edge::OpenElement(enclosure) | Edge::OpenFence(enclosure, _) => {
            What::Note { enclosure, body, list_indent }
        }
        Edge::OpenBlock { is_told, .. } => What::Block { body, is_told },
        Edge::CloseElement(_) | Edge::CloseFence(_) => unreachable!("only openings are kept open"),
    };
    Cut { span: span.start..close.end, what }
}

/// A marker with the rest of its line, where nothing else stands on it.
fn whole_line(text: &str, start: usize, marker: Range<usize>) -> Range<usize> {
    let line_start = text[start..marker.start].rfind('\n').map_or(start, |newline| start + newline + 1);
    let is_alone = text[line_start..marker.start].bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'>'));
    let line_end = text[marker.end..].find('\n').map_or(text.len(), |newline| marker.end + newline + 1);
    if is_alone { line_start..line_end } else { marker }
}

fn unclosed(text: &str, opening: Mark, paragraph: &mut Paragraph, problems: &mut Vec<Problem>) -> Cut {
    let span = opening.span.clone();
    let name = text[span.clone()].trim_end().trim_start_matches([' ', '\t', '>']);
    let (what, close) = match &opening.edge {
        Edge::OpenBlock { .. } => ("block", ":::".to_string()),
        Edge::OpenElement(it) => (noun(it.element()), format!("</{}>", it.element())),
        _ => ("note", ":::".to_string()),
    };
    let is_reported = matches!(opening.edge, Edge::OpenBlock { is_known: false, .. });
    let message = format!("the {what} that `{name}` opens is never closed");
    let help = format!("write `{close}` after its text; until then it ends at the first blank line");
    let name_start = span.start + text[span.clone()].find(name).unwrap_or(0);
    let reported = name_start..name_start + name.len();
    if !is_reported {
        problems.push(Problem::new(Code::UnbalancedAside, reported, message).help(help));
    }
    let rest = &text[span.end..];
    let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    let end = paragraph.end(text, span.end + blank);
    let end = span.end + text[span.end..end].trim_end().len();
    cut(opening, end..end)
}

/// Notes nested deeper lose their boxes and keep their text: reading calls itself once per level, and a
/// page where no `<aside>` is ever closed has as many levels as notes.
const DEEPEST: usize = 8;

/// Makes every cut stand within another or beside it, and not too deep. `cuts` are sorted.
///
/// Only what is never closed crosses others: the paragraph it ends with may reach into the next note or
/// block, or out of the one around. It ends there.
fn nested(text: &str, cuts: Vec<Cut>) -> Vec<Cut> {
    let mut nested: Vec<Cut> = Vec::with_capacity(cuts.len());
    // Positions of the notes and blocks around.
    let mut around: Vec<usize> = Vec::new();
    for mut cut in cuts {
        while let Some(&outer) = around.last() {
            let outer = &mut nested[outer];
            if outer.span.end <= cut.span.start {
                around.pop();
            } else if outer.body_end() >= cut.span.end {
                break;
            } else if outer.is_unclosed() {
                outer.end_before(cut.span.start, text);
                around.pop();
            } else {
                cut.end_before(outer.body_end(), text);
                break;
            }
        }
        match &cut.what {
            What::Note { body, .. } if around.len() >= DEEPEST => {
                let tags = [cut.span.start..body.start, body.end..cut.span.end];
                nested.extend(tags.map(|span| Cut { span, what: What::Nothing }));
            }
            What::Note { .. } | What::Block { .. } => {
                around.push(nested.len());
                nested.push(cut);
            }
            What::End(_) | What::Nothing => nested.push(cut),
        }
    }
    nested.sort_by_key(|cut| (cut.span.start, std::cmp::Reverse(cut.span.end)));
    nested
}

/// Makes of each block what is cut for it: its two marker lines, or all of it.
fn without_blocks(text: &str, cuts: Vec<Cut>) -> Vec<Cut> {
    let mut flat = Vec::with_capacity(cuts.len());
    for Cut { span, what } in cuts {
        let spans = match what {
            What::Block { body, is_told: true } => [span.start..body.start, body.end..span.end],
            What::Block { is_told: false, .. } => {
                // A line that begins with something else keeps its end.
                let is_whole = span.start == 0 || text[..span.start].ends_with('\n');
                let kept =
                    if is_whole { text[span.clone()].len() } else { text[span.clone()].trim_end().len() };
                [span.start..span.start + kept, span.end..span.end]
            }
            what => {
                flat.push(Cut { span, what });
                continue;
            }
        };
        let spans = spans.into_iter().filter(|span| !span.is_empty());
        flat.extend(spans.map(|span| Cut { span, what: What::Nothing }));
    }
    flat.sort_by_key(|cut| (cut.span.start, std::cmp::Reverse(cut.span.end)));
    flat
}

impl Cut {
    fn is_untold(&self) -> bool {
        matches!(self.what, What::Block { is_told: false, .. })
    }

    fn body_end(&self) -> usize {
        match &self.what {
            What::Note { body, .. } | What::Block { body, .. } => body.end,
            What::End(_) | What::Nothing => self.span.end,
        }
    }

    fn is_unclosed(&self) -> bool {
        match &self.what {
            What::Note { body, .. } | What::Block { body, .. } => body.end == self.span.end,
            What::End(_) | What::Nothing => false,
        }
    }

    /// Ends an unclosed note or block at `limit`.
    fn end_before(&mut self, limit: usize, text: &str) {
        if let What::Note { body, .. } | What::Block { body, .. } = &mut self.what {
            body.end = body.start + text[body.start..limit.max(body.start)].trim_end().len();
            self.span.end = body.end;
        }
    }
}

/// Takes along the `<br>`s around navigation links, and joins links that follow each other.
fn widen(text: &str, start: usize, links: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    for link in links {
        let from = before_breaks(text, start, link.start);
        let span = from..after_breaks(text, link.end);
        match spans.last_mut() {
            Some(last) if last.end >= span.start => last.end = last.end.max(span.end),
            _ => spans.push(span),
        }
    }
    spans
}

/// The end of the last `<br>` that follows `at` with only blanks between.
fn after_breaks(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let gap = rest.len() - rest.trim_start().len();
        match start_tag(&rest[gap..]).filter(|tag| tag.name == "br") {
            Some(tag) => at += gap + tag.length,
            None => return at,
        }
    }
}

/// The start of the first `<br>` that leads up to `at` with only blanks between.
fn before_breaks(text: &str, start: usize, mut at: usize) -> usize {
    loop {
        let before = text[start..at].trim_end();
        let open = before.rfind('<').filter(|_| before.ends_with('>'));
        match open.and_then(|open| Some((open, start_tag(&before[open..])?))) {
            Some((open, tag)) if tag.name == "br" && open + tag.length == before.len() => at = start + open,
            _ => return at,
        }
    }
}

/// What to take off the lines of a note's body.
#[derive(Clone, Debug, Default)]
struct Frame {
    /// `>` signs of the block quotes around the note.
    quotes: usize,
    /// Columns of indentation.
    indent: usize,
}

impl Frame {
    fn is_empty(&self) -> bool {
        self.quotes == 0 && self.indent == 0
    }
}

/// Puts texts together from what is left between the cuts.
struct Builder<'a, 'c> {
    text: &'a str,
    /// By start; of two with the same start the longer first.
    cuts: &'c [Cut],
    /// By start.
    mentions: &'c [Mention<'c>],
}

impl<'a> Builder<'a, '_> {
    /// The text of `range` without its cuts, its lines freed from `frame`.
    fn fragment(&self, range: Range<usize>, frame: &Frame) -> Fragment<'a> {
        let mut made = Made {
            source: self.text,
            mentions: self.mentions,
            text: String::with_capacity(range.len()),
            map: OffsetMap::default(),
        };
        let mut notes = Vec::new();
        let mut at = range.start;
        for cut in self.outermost(&range) {
            made.copy(at..cut.span.start, frame);
            at = cut.span.end;
            if let What::End(tag) = &cut.what {
                made.map.push_replacing(made.text.len(), at..at);
                made.text.push_str(tag);
            }
            if let What::Note { enclosure, body, list_indent } = &cut.what {
                let lead = made.begin_block(*list_indent);
                made.map.push(made.text.len(), cut.span.start);
                notes.push((made.text.len(), self.note(enclosure.clone(), cut.span.clone(), body.clone())));
                made.text.push_str(PLACEHOLDER);
                // What ends with the note ends where the note does, and not a comment's length further on.
                made.map.push(made.text.len() - 1, cut.span.end - 1);
                let rest = self.text[at..range.end].split('\n').next().unwrap_or_default();
                if self.text[..at].ends_with('\n') {
                    // The note was an opening line and nothing more: what follows has a line of its own.
                    made.text.push('\n');
                } else if !rest.trim().is_empty() {
                    made.text.push('\n');
                    made.text.push_str(&lead);
                    at += rest.len() - rest.trim_start().len();
                }
            }
        }
        made.copy(at..range.end, frame);
        Fragment { text: made.text.into(), map: made.map, notes }
    }

    fn note(&self, enclosure: Enclosure, span: Range<usize>, body: Range<usize>) -> Note<'a> {
        let line_start =
            memchr::memrchr(b'\n', &self.text.as_bytes()[..span.start]).map_or(0, |newline| newline + 1);
        let (content, _) = after_markers(line_start, &self.text[line_start..span.start]);
        let quotes = self.text[line_start..content].bytes().filter(|byte| *byte == b'>').count();
        let frame = Frame { quotes, indent: self.body_indent(&body, quotes) };
        // The text of a first line starts wherever its tag ends.
        let first = &self.text[body.clone()];
        let first = body.start + first.len() - first.trim_start_matches([' ', '\t']).len();
        let is_element = self.text[span.start..].starts_with('<');
        let trap = is_element.then(|| self.code_trap(&body, quotes)).flatten();
        Note { enclosure, span, trap, body: self.fragment(first.min(body.end)..body.end, &frame) }
    }

    /// The indentation of the first line of the body that stands on its own.
    fn body_indent(&self, body: &Range<usize>, quotes: usize) -> usize {
        let lines = self.text[body.clone()].split('\n').skip(1);
        let line = lines.map(|line| without_quotes(line, quotes)).find(|line| !line.trim().is_empty());
        line.map_or(0, |line| columns(&line[..line.len() - line.trim_start().len()]))
    }

    /// The first line of a note that stands after a blank one and is indented like code.
    fn code_trap(&self, body: &Range<usize>, quotes: usize) -> Option<Range<usize>> {
        let mut at = body.start;
        let mut after_blank = false;
        for line in self.text[body.clone()].split_inclusive('\n') {
            let content = without_quotes(line, quotes);
            let text = content.trim();
            let indent = columns(&content[..content.len() - content.trim_start().len()]);
            if opening_fence(text).is_some() || marker(text, 0).is_some() {
                return None; // Indented for other reasons.
            }
            if after_blank && indent >= 4 && !text.is_empty() {
                let start = at + line.len() - line.trim_start().len();
                return Some(start..start + text.len());
            }
            after_blank = text.is_empty() && at > body.start;
            at += line.len();
        }
        None
    }

    /// The cuts in `range` that lie in no other.
    fn outermost(&self, range: &Range<usize>) -> impl Iterator<Item = &Cut> {
        let first = self.cuts.partition_point(|cut| cut.span.start < range.start);
        let (mut end, limit) = (range.start, range.end);
        self.cuts[first..].iter().take_while(move |cut| cut.span.start < limit).filter(move |cut| {
            let is_outer = cut.span.start >= end && cut.span.end <= limit;
            if is_outer {
                end = cut.span.end;
            }
            is_outer
        })
    }
}

/// A text in the making.
struct Made<'a> {
    source: &'a str,
    mentions: &'a [Mention<'a>],
    text: String,
    map: OffsetMap,
}

impl Made<'_> {
    /// Copies a piece of the file, taking `frame` off every line that it holds the start of.
    fn copy(&mut self, piece: Range<usize>, frame: &Frame) {
        if frame.is_empty() {
            return self.copy_unframed(piece);
        }
        let mut at = piece.start;
        for line in self.source[piece].split_inclusive('\n') {
            let kept = match self.source[..at].ends_with('\n') {
                true => without_indent(without_quotes(line, frame.quotes), frame.indent),
                false => line,
            };
            let end = at + line.len();
            self.copy_unframed(end - kept.len()..end);
            at = end;
        }
    }

    /// Copies a part of the file, with words in the place of its variables.
    fn copy_unframed(&mut self, mut part: Range<usize>) {
        let first = self.mentions.partition_point(|mention| mention.span.start < part.start);
        for Mention { span, word, .. } in &self.mentions[first..] {
            if span.end > part.end {
                break;
            }
            let Some(word) = word else { continue };
            self.copy_as_written(part.start..span.start);
            self.map.push_replacing(self.text.len(), span.clone());
            self.text.push_str(word);
            part.start = span.end;
        }
        self.copy_as_written(part);
    }

    fn copy_as_written(&mut self, part: Range<usize>) {
        self.map.push(self.text.len(), part.start);
        self.text.push_str(&self.source[part]);
    }

    /// Goes where a block may begin: to a line of its own within the same quotes and list item.
    /// Gives the lead of further lines there.
    fn begin_block(&mut self, list_indent: usize) -> String {
        let line_start = self.text.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[line_start..].to_string();
        let (content_at, content) = after_markers(0, &line);
        let lead: String = continuation(&line[..content_at]);
        if content.trim().is_empty() {
            // Indented too far it would be code, or the end of a paragraph.
            let blank = line.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
            if blank && columns(&line) > list_indent + 3 {
                self.text.truncate(line_start);
                self.map.truncate(line_start);
                self.text.push_str(&" ".repeat(list_indent));
                return " ".repeat(list_indent);
            }
        } else {
            self.text.push('\n');
            self.text.push_str(&lead);
        }
        lead
    }
}

/// What stands before the content of a line, as a further line in the same blocks would have it.
pub(super) fn continuation(lead: &str) -> String {
    lead.chars().map(|c| if c == '>' || c == '\t' { c } else { ' ' }).collect()
}

/// The content of a line after quotes, blanks and list markers, with its offset.
pub(super) fn after_markers(at: usize, line: &str) -> (usize, &str) {
    let mut rest = line.trim_start_matches([' ', '\t', '>']);
    // Where the line stands does not matter: blanks are skipped however wide they are.
    while let Some((length, _)) = marker(rest, 0) {
        rest = rest[length..].trim_start_matches([' ', '\t', '>']);
    }
    (at + line.len() - rest.len(), rest)
}

/// Whether nothing but the marks of lists and quotes leads up to `at` on its line.
pub(super) fn begins_line(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    after_markers(start, &text[start..end]).0 == at
}

/// The list marker at the start of `text`, which stands at `column`: its bytes and its columns, the blanks
/// after it included: 3 for `1. a`, 2 for `- a`.
fn marker(text: &str, column: usize) -> Option<(usize, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match text.as_bytes().get(digits) {
        Some(b'.' | b')') if (1..=9).contains(&digits) => digits + 1,
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        _ => return None,
    };
    let rest = &text[marker..];
    if rest.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
        return Some((text.len().min(marker + 1), marker + 1));
    }
    let blanks = &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()];
    match columns_after(column + marker, blanks) - column {
        width if width == marker => None,
        width if width <= marker + 4 => Some((marker + blanks.len(), width)),
        // What follows is code within the item.
        _ => Some((marker + 1, marker + 1)),
    }
}

fn opening_fence(content: &str) -> Option<(u8, usize)> {
    let mark = *content.as_bytes().first()?;
    let length = run_length(content, mark);
    let is_fence = match mark {
        b'`' => length >= 3 && !content[length..].contains('`'),
        b'~' => length >= 3,
        _ => false,
    };
    is_fence.then_some((mark, length))
}

fn run_length(text: &str, byte: u8) -> usize {
    text.bytes().take_while(|other| *other == byte).count()
}

/// Columns of leading white space, a tab going to the next multiple of four.
fn columns(blank: &str) -> usize {
    columns_after(0, blank)
}

/// The column that white space leads to from `column`.
fn columns_after(column: usize, blank: &str) -> usize {
    blank.chars().fold(column, |column, c| if c == '\t' { column / 4 * 4 + 4 } else { column + 1 })
}

fn without_quotes(line: &str, quotes: usize) -> &str {
    let mut rest = line;
    for _ in 0..quotes {
        let Some(inner) = rest.trim_start_matches([' ', '\t']).strip_prefix('>') else { break };
        rest = inner.strip_prefix(' ').unwrap_or(inner);
    }
    rest
}

/// Takes off at most `indent` columns.
fn without_indent(line: &str, indent: usize) -> &str {
    let mut column = 0;
    for (at, c) in line.char_indices() {
        if column >= indent || !matches!(c, ' ' | '\t') {
            return &line[at..];
        }
        column = if c == '\t' { column / 4 * 4 + 4 } else { column + 1 };
    }
    ""
}

/// Where the paragraph at the start of `text` ends: at a blank line or the end.
fn paragraph_end(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() && at > 0 {
            break;
        }
        at += line.len();
    }
    at
}

/// Whether an element's name stands here, whole: `aside>`, `aside class`, not `asides`.
fn starts_with_name(bytes: &[u8], name: &str) -> bool {
    let Some(start) = bytes.get(..name.len()) else { return false };
    let ends =
        bytes.get(name.len()).is_none_or(|next| matches!(next, b'>' | b'/') || next.is_ascii_whitespace());
    start.eq_ignore_ascii_case(name.as_bytes()) && ends
}

fn find_ignoring_case(text: &[u8], wanted: &str) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window.eq_ignore_ascii_case(wanted.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_ends_where_it_did_when_it_was_asked_first() {
        for text in ["", "a\nb\n\nc", "\n\na\n \nb\nc\n", "\r\na\r\n\r\n", "a", "\n\n\n", " \na\n\t\n\nb\n"] {
            let expected = |at: usize| at + paragraph_end(&text[at..]);
            for step in 1..4 {
                let mut paragraph = Paragraph::default();
                for at in (0..=text.len()).chain((0..=text.len()).rev()).step_by(step) {
                    assert_eq!(paragraph.end(text, at), expected(at), "{text:?} at {at}");
                }
            }
        }
    }
}
