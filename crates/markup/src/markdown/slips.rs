//! Finds failed markup: links, headings and alerts that readers see as text.
//!
//! Each of them costs the page a link, an image or a heading.

mod annotations;
mod conflict;
mod copied;
mod definitions;
mod emphasis;
mod foreign;
mod items;
pub(super) mod mojibake;
mod plain;
pub(super) mod quotes;
pub(super) mod readings;
pub(super) mod reopened;
mod sources;
pub(super) mod suppress;
mod unclosed_links;

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag};

use self::conflict::CodeExtent;
use self::foreign::ForeignConstructs;
pub use self::foreign::SEEN;
use self::plain::{HIDDEN, Leaf, LeafKind, Line, Plain};
use self::readings::SAME_TAB;
pub(super) use self::readings::{
    as_shown_by, as_written, ends_later, has_footnote, is_indented_code, is_manual, is_read_by,
    is_tab_of_component, is_undefined,
};
use super::fence;
use super::html::is_element;
use super::lines::begins_line;
use super::page::{Definition, NoteKind, Page};
use super::parse::extract::Enclosure;
use super::parse::tree::{BlockTree, Item, Misnumbered};
use super::unclosed::unfinished;
use crate::edition::Edition;
use base::address::slug_of;
use base::diagnostic::{Code, Problem, Severity, distance_within};
use base::items::only;
use base::quoted::quoted;
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use input::conventions::Syntax;
use input::dialect::LinkDefinitions;

/// Collects the failed markup of a page in the given syntaxes. `text` is the complete file, and its body begins at
/// `body`.
pub(super) fn collect(
    blocks: &BlockTree<'_>,
    (text, body): (&str, usize),
    edition: &Edition,
    (syntaxes, definitions): (&[Syntax], &LinkDefinitions),
    page: &mut Page,
) {
    let mut collector = Collector {
        file: text,
        edition,
        // <https://github.com/Python-Markdown/markdown/blob/master/markdown/inlinepatterns.py>, `getLink`
        reads_loosely: syntaxes.contains(&Syntax::Indented),
        syntaxes,
        definitions,
        page,
        foreign: ForeignConstructs::default(),
        code: Vec::new(),
        shown_tags: SortedMap::new(),
    };
    collector.fragment(blocks);
    let Collector { page, foreign, mut code, shown_tags, .. } = collector;
    foreign.finish(syntaxes, page);
    without_their_ends(shown_tags, text, page);
    code.stable_sort_by_key(|block| block.span.start);
    definitions::collect(text, body, &code, syntaxes, page);
    conflict::collect(text, body, &code, page);
}

/// Whether the text begins with a quote or block of a note, and contains nothing but its opening and closing lines.
fn is_empty_note(text: &str) -> bool {
    let mut lines = text.lines();
    let opening = lines.next().unwrap_or_default();
    let is_alert =
        opening.trim_start_matches(['>', ' ']).starts_with("[!") && opening.trim_end().ends_with(']');
    let is_block = opening.starts_with(":::");
    // A block inside has a name.
    let closes = |line: &str| line.len() > 2 && line.bytes().all(|byte| byte == b':');
    let ends = |line: &str| if is_block { closes(line.trim()) } else { line.trim().is_empty() };
    let inside = lines.take_while(|line| !ends(line));
    (is_alert || is_block) && inside.flat_map(str::chars).all(|c| c == '>' || c.is_whitespace())
}

/// The data of findings about unknown alerts without a text.
pub const EMPTY_ALERT: &str = "empty";

/// The data of findings about labels without a definition.
pub const UNDEFINED_LABEL: &str = "label";

/// Returns the finding for a note without a text.
pub fn empty_note(span: Range<usize>) -> Problem {
    let help = "write its text, or remove it".to_string();
    Problem::new(Code::PlaceholderText, span, "the note has no text").help(help)
}

/// Keys that texts show in brackets.
const KEYS: [&str; 8] = ["alt", "ctrl", "del", "enter", "esc", "return", "space", "tab"];

/// Drops the findings about end tags whose start tag is text, because the start tag is reported.
fn without_their_ends(mut shown: SortedMap<String, BinaryHeap<Reverse<usize>>>, text: &str, page: &mut Page) {
    if shown.is_empty() {
        return;
    }
    page.problems.retain(|problem| {
        let is_end = problem.code == Code::StrayEndTag;
        let Some(tag) = text.get(problem.span.clone()).filter(|_| is_end) else { return true };
        let name = tag.trim_matches(['<', '/', '>', ' ', '\n']).to_ascii_lowercase();
        let Some(starts) = shown.get_mut(&name) else { return true };
        match starts.peek() {
            Some(Reverse(start)) if *start < problem.span.start => {
                starts.pop();
                false
            }
            _ => true,
        }
    });
}

struct Collector<'c> {
    file: &'c str,
    edition: &'c Edition,
    /// Whether a target may contain spaces, and continue on the next line.
    reads_loosely: bool,
    syntaxes: &'c [Syntax],
    /// The definitions that the generator adds.
    definitions: &'c LinkDefinitions,
    page: &'c mut Page,
    foreign: ForeignConstructs,
    code: Vec<CodeExtent>,
    /// Positions in the file of tags that are text, by name.
    shown_tags: SortedMap<String, BinaryHeap<Reverse<usize>>>,
}

impl Collector<'_> {
    /// Checks a fragment and its notes.
    fn fragment(&mut self, blocks: &BlockTree<'_>) {
        let plain = Plain::of(blocks);
        let fragment = Fragment { blocks, plain: &plain };
        let is_link = |it: &Problem| unclosed_links::is_link(it, self.file, self.syntaxes);
        for leaf in plain.leaves_with(b'#') {
            let headings = plain.lines(leaf).filter_map(|line| fragment.heading(line));
            self.page.problems.extend(headings);
        }
        // After a fence without its end, text is code, and code text.
        if !self.page.problems.iter().any(|it| it.code == Code::UnclosedFence) {
            self.page.problems.extend(fragment.items_as_text());
        }
        for leaf in plain.leaves_with(b'[') {
            self.page.problems.extend(fragment.alert(leaf));
            let anchors = &self.page.anchors;
            let is_anchor = |id: &str| anchors.iter().any(|anchor| anchor.id == id);
            let links = fragment.links(leaf, &is_anchor);
            self.page.problems.extend(links.into_iter().filter(|it| !is_link(it)));
        }
        for leaf in plain.leaves_with(b'<') {
            let tags = quotes::in_html(&plain.text[leaf.range.clone()]);
            for tag in tags {
                let start = leaf.range.start;
                let problem = tag.problem(|part| blocks.map.range(start + part.start..start + part.end));
                self.shows_tag(start + tag.start(), &problem, blocks);
                self.page.problems.push(problem);
            }
            for (at, problem) in fragment.unfinished(leaf) {
                self.shows_tag(at, &problem, blocks);
                self.page.problems.push(problem);
            }
        }
        for sign in [b'*', b'_'] {
            for leaf in plain.leaves_with(sign) {
                self.page.problems.extend(fragment.emphasis(leaf, sign));
            }
        }
        self.page.problems.extend(fragment.unbalanced());
        self.page.problems.extend(fragment.open_attributes(self.reads_loosely));
        if self.reads_loosely {
            self.page.problems.extend(annotations::without_text(blocks));
        }
        self.page.problems.extend(plain.leaves.iter().filter_map(|leaf| fragment.paragraph_above_line(leaf)));
        let without_colon = fragment.definitions_without_colon();
        let is_known = |it: &Problem| {
            without_colon.iter().any(|(label, _)| it.data.get("label").is_some_and(|its| its == label))
        };
        let undefined = fragment.undefined_references(self.definitions);
        self.page.problems.extend(undefined.into_iter().filter(|it| !is_known(it)));
        self.page.problems.extend(without_colon.into_iter().map(|(_, problem)| problem));
        self.page.problems.extend(fragment.misspelled_labels());
        // The item between may be text.
        let as_text = self.page.problems.iter().filter(|it| it.code == Code::ItemAsText);
        let first_text = as_text.map(|it| it.span.start).min();
        let is_text = |it: &Misnumbered| {
            first_text.is_some_and(|first| first < blocks.map.range(it.span.clone()).start)
        };
        let misnumbered: Vec<&Misnumbered> = blocks.misnumbered.iter().filter(|it| !is_text(it)).collect();
        self.page.problems.extend(misnumbered.into_iter().map(|it| {
            let message = format!("number {} follows number {}", it.number, it.before);
            let message = match it.shown {
                Some(shown) => format!("{message}, and readers see {shown}"),
                None => message,
            };
            let help = if it.number > it.before {
                "renumber the list, or add the missing step"
            } else {
                "renumber the items from here on"
            };
            let span = blocks.map.range(it.span.clone());
            Problem::new(Code::WrongStepNumber, span, message).help(help.to_string())
        }));
        self.page.problems.extend(fragment.variables(self.edition));
        self.page.problems.extend(copied::collect(blocks));
        self.foreign.fragment(blocks, &plain);
        for item in &blocks.items {
            self.item(item, blocks);
        }
    }

    /// Reports the tabs of a set with the label of another one.
    fn same_tabs(&mut self, set: &BlockTree<'_>) {
        let mut labels: SortedSet<&str> = SortedSet::default();
        let tabs = set.items.iter().filter_map(|item| match item {
            Item::Note { note, .. } => match &note.enclosure {
                Enclosure::Tab { label, .. } => Some((label, note.span.clone())),
                _ => None,
            },
            _ => None,
        });
        for (label, span) in tabs {
            let opening = self.file[span.clone()].lines().next().map_or(0, str::len);
            let opening = span.start..span.start + opening;
            if label.is_empty() || labels.insert(label) {
                continue;
            }
            let message = format!("another tab of this set is also {}", quoted(label));
            let help = "give each tab another name".to_string();
            let problem = Problem::new(Code::UnknownDirective, opening, message).help(help);
            self.page.problems.push(problem.data(SAME_TAB, true));
        }
    }

    /// Records the tag at `at` that is text, which `problem` is about.
    fn shows_tag(&mut self, at: usize, problem: &Problem, blocks: &BlockTree<'_>) {
        let name = blocks.text[at + 1..].bytes().take_while(u8::is_ascii_alphanumeric).count();
        let name = blocks.text[at + 1..at + 1 + name].to_ascii_lowercase();
        self.shown_tags.entry(name).or_default().push(Reverse(problem.span.start));
    }

    fn item(&mut self, item: &Item<'_>, blocks: &BlockTree<'_>) {
        match item {
            Item::Note { note, body } => {
                let whole = &self.file[note.span.clone()];
                let tag = whole.find('>').filter(|_| whole.starts_with('<')).map_or("", |end| &whole[..=end]);
                let start = note.span.start;
                let is_empty = matches!(note.enclosure, Enclosure::Note(_, None)) && is_empty_note(whole);
                let opening = start..start + whole.lines().next().map_or(0, str::len);
                // Its text may be outside, which is reported.
                let is_known = |it: &Problem| it.span.start < note.span.end && note.span.start < it.span.end;
                let is_empty = is_empty && !self.page.problems.iter().any(is_known);
                self.page.problems.extend(is_empty.then(|| empty_note(opening)));
                if matches!(note.enclosure, Enclosure::Tabs { .. }) {
                    self.same_tabs(body);
                }
                let tags = quotes::in_html(tag).into_iter();
                let problems = tags.map(|it| it.problem(|part| start + part.start..start + part.end));
                self.page.problems.extend(problems);
                self.fragment(body);
            }
            Item::Html { html, map } => {
                let tags = quotes::in_html(html);
                self.page.problems.extend(tags.into_iter().map(|tag| tag.problem(|part| map.range(part))));
                self.page.problems.extend(sources::in_html(html, |part| map.range(part)));
            }
            Item::Event(Event::Start(Tag::BlockQuote(Some(_))), range) => {
                let written = &blocks.text[range.clone()];
                let opening = range.start..range.start + written.lines().next().map_or(0, str::len);
                self.page
                    .problems
                    .extend(is_empty_note(written).then(|| empty_note(blocks.map.range(opening))));
            }
            Item::Event(Event::Start(Tag::CodeBlock(kind)), range) => {
                let may_show = match kind {
                    CodeBlockKind::Fenced(info) => {
                        let language = fence::read(info.trim()).language.to_ascii_lowercase();
                        let code = &blocks.text[range.clone()];
                        let place = |part: Range<usize>| {
                            blocks.map.range(range.start + part.start..range.start + part.end)
                        };
                        self.page.problems.extend(quotes::in_info(code, place));
                        self.page.problems.extend(quotes::in_code(&language, code, place));
                        conflict::MAY_SHOW.contains(&language.as_str())
                    }
                    CodeBlockKind::Indented => true,
                };
                self.page.problems.extend(open_quote(blocks, kind, range));
                self.code.push(CodeExtent { span: blocks.map.range(range.clone()), may_show });
            }
            Item::Event(..) | Item::Nothing => {}
        }
    }
}

/// Reports an attribute of a code block without its closing quote: the rest of the line belongs to it, and Python-Markdown shows no block.
fn open_quote(blocks: &BlockTree<'_>, kind: &CodeBlockKind<'_>, range: &Range<usize>) -> Option<Problem> {
    let CodeBlockKind::Fenced(info) = kind else { return None };
    let is_open = info.contains("=\"") && !info.matches('"').count().is_multiple_of(2);
    let line = blocks.text[range.clone()].lines().next().filter(|_| is_open)?;
    let message = "a `\"` in the first line of this code block has no counterpart";
    let problem =
        Problem::new(Code::UnbalancedBlock, blocks.map.range(range.start..range.start + line.len()), message);
    Some(problem.help("add the other `\"`, or remove it".to_string()).as_warning())
}

/// A fragment, and the parts of it that are shown as written.
struct Fragment<'f> {
    blocks: &'f BlockTree<'f>,
    plain: &'f Plain,
}

impl Fragment<'_> {
    fn place(&self, range: Range<usize>) -> Range<usize> {
        self.blocks.map.range(range)
    }

    /// Returns the finding for `##Heading`, without a space after the `#` characters.
    fn heading(&self, line: Line<'_>) -> Option<Problem> {
        if !matches!(line.leaf.kind, LeafKind::Paragraph | LeafKind::Item) {
            return None;
        }
        let (at, text) = line.shown();
        let signs = text.bytes().take_while(|byte| *byte == b'#').count();
        if !(1..=6).contains(&signs) || !begins_line(self.blocks.text, at) {
            return None;
        }
        let title = &text[signs..];
        let is_other_space = |c: char| c.is_whitespace() && !c.is_ascii();
        let blank = title.len() - title.trim_start_matches(is_other_space).len();
        let written = self.blocks.text[at + signs..].lines().next().unwrap_or_default();
        let is_code = written.starts_with('`');
        let title = if is_code { written } else { title[blank..].trim_end_matches(HIDDEN) };
        let is_heading = match signs {
            1 => blank > 0 || self.is_lone_title(line, title),
            _ => {
                (is_code || title.starts_with(char::is_alphanumeric))
                    && !first_word(title).contains(['[', ']'])
            }
        };
        if !is_heading {
            return None;
        }
        let signs_end = at + signs;
        let marks = "#".repeat(signs);
        let what = match text[signs..].chars().next() {
            Some('\u{a0}') => "a no-break space",
            Some(_) if blank > 0 => "a space of another script",
            _ => "no space",
        };
        let end = if is_code { signs_end + written.trim_end().len() } else { at + text.len() };
        let message = format!("{what} follows `{marks}`, so readers see the characters instead of a heading");
        let help = format!("use {}", quoted(&format!("{marks} {}", title.trim())));
        let problem = Problem::new(Code::HeadingAsText, self.place(at..end), message).help(help);
        Some(problem.edit(self.place(signs_end..signs_end + blank), " "))
    }

    /// Whether `#Title` is the only line of a paragraph and reads like a title, unlike `#1`, `#include` or
    /// `#HashTag`.
    fn is_lone_title(&self, line: Line<'_>, title: &str) -> bool {
        let is_alone = line.leaf.is_top
            && line.leaf.kind == LeafKind::Paragraph
            && !self.blocks.text[line.leaf.range.clone()].trim_end().contains('\n');
        let word = first_word(title);
        let mut letters = word.chars();
        let is_capitalised =
            letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_lowercase);
        is_alone
            && is_capitalised
            && !title.contains(['#', HIDDEN])
            && !title.ends_with(['.', '!', '?', ':', ';'])
            && title.chars().any(char::is_lowercase)
    }

    /// Returns the finding for `> [!DANGER]`, and for known kinds that aren't alone on their line.
    fn alert(&self, leaf: &Leaf) -> Option<Problem> {
        let inside = self.plain.text[leaf.range.clone()].strip_prefix("[!")?;
        let may_begin = leaf.opens_quote || leaf.is_top && leaf.kind == LeafKind::Paragraph;
        if !may_begin {
            return None;
        }
        let length = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_')?;
        let word = &inside[..length];
        let rest = inside[length..].strip_prefix(']').filter(|_| !word.is_empty())?;
        let start = leaf.range.start;
        let end = start + 2 + length + 1;
        let source = self.blocks.text[end..leaf.range.end].lines().next().unwrap_or_default().trim();
        let is_lonely = !self.blocks.text[end..leaf.range.end].trim_end().contains('\n');
        let kind = NoteKind::named(word).filter(|kind| kind.class().eq_ignore_ascii_case(word));
        let span = self.place(start..end);
        let problem = |message: String, help: String| {
            Some(Problem::new(Code::UnknownAlert, span.clone(), message).help(help))
        };
        if rest.starts_with('(') || rest.starts_with('[') {
            return None;
        }
        match kind {
            Some(kind) if !leaf.opens_quote => {
                let word = kind.class().to_uppercase();
                let message = format!("`[!{word}]` is outside a quote, so readers see it as text");
                problem(message, format!("begin this line and the note's lines with `> `: `> [!{word}]`"))
            }
            None if !leaf.opens_quote => None,
            Some(kind) => {
                let word = kind.class().to_uppercase();
                let message =
                    format!("`[!{word}]` is not alone on its line, so readers see a quote instead of a note");
                let help = "move the text after it to the next line".to_string();
                let problem = problem(message, help)?;
                // The first of several lines may be a title.
                let after = &self.blocks.text[end..];
                let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
                Some(if is_lonely && !source.is_empty() && self.is_plain_quote(start) {
                    problem.edit(self.place(end..end + blank), "\n> ")
                } else {
                    problem
                })
            }
            None => {
                let meant = NoteKind::named(word).or_else(|| NoteKind::similar(word));
                let message = format!("unknown alert `[!{word}]`, so readers see a quote instead of a note");
                let Some(meant) = meant.map(|kind| kind.class().to_uppercase()) else {
                    let help = "write `[!NOTE]`, `[!TIP]`, `[!IMPORTANT]`, `[!WARNING]` or `[!CAUTION]`";
                    let problem = problem(message, help.into())?.data("alert", word);
                    let is_empty = is_empty_note(&self.blocks.text[start..]);
                    return Some(if is_empty { problem.data(EMPTY_ALERT, true) } else { problem });
                };
                let problem = problem(message, format!("write `[!{meant}]`"))?.data("alert", word);
                let place = self.place(start + 2..start + 2 + length);
                Some(if source.is_empty() { problem.edit(place, meant) } else { problem })
            }
        }
    }

    /// Whether the line of `at` begins with `> ` and nothing else, so that another line can be added after it.
    fn is_plain_quote(&self, at: usize) -> bool {
        let start = self.blocks.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        &self.blocks.text[start..at] == "> "
    }

    /// Returns links and images that are shown as text, in a leaf.
    fn links(&self, leaf: &Leaf, is_anchor: &dyn Fn(&str) -> bool) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut brackets: Vec<usize> = Vec::new();
        let mut parens: Vec<usize> = Vec::new();
        let bytes = self.plain.text.as_bytes();
        let mut at = leaf.range.start;
        while at < leaf.range.end {
            let here = at;
            at += 1;
            match bytes[here] {
                b'[' => brackets.push(here),
                b'(' => {
                    parens.push(here);
                    problems.extend(self.unclosed_image_link(here, leaf));
                    problems.extend(brackets.last().and_then(|open| self.unclosed_text(*open, here, leaf)));
                }
                b']' => {
                    let Some(open) = brackets.pop() else { continue };
                    let paren = self.after_blank(at, leaf.range.end);
                    let problem = if bytes.get(at) == Some(&b'(') {
                        self.blank_in_target(open, at, leaf.range.end, is_anchor)
                            .or_else(|| self.unclosed(open, at, leaf.range.end))
                            .or_else(|| self.exchanged(open, at, leaf.range.end))
                    } else if bytes.get(paren) == Some(&b'(') {
                        self.blank_before_target(open, at..paren, leaf.range.end)
                    } else {
                        self.wide_parentheses(open, at, leaf.range.end).or_else(|| self.footnote(open, at))
                    };
                    problems.extend(problem);
                }
                b')' => {
                    let Some(open) = parens.pop() else { continue };
                    if bytes.get(at) == Some(&b'[') {
                        problems.extend(self.reversed(open, at, leaf.range.end));
                    }
                }
                _ => {}
            }
        }
        problems
    }

    /// Returns the finding for `[text(https://example.com)`, whose text has no end before the next link.
    fn unclosed_text(&self, bracket: usize, open: usize, leaf: &Leaf) -> Option<Problem> {
        let inside = self.in_parentheses(open, leaf.range.end)?;
        let text = &self.plain.text[bracket + 1..open];
        let is_link =
            is_address(&self.blocks.text[inside]) && !text.is_empty() && !text.contains(['\n', '[', '(']);
        let next = || self.plain.text[open..leaf.range.end].bytes().find(|byte| matches!(byte, b'[' | b']'));
        let has_end = || next() == Some(b']');
        (is_link && !text.ends_with(' ') && !has_end()).then(|| {
            let message = "no `]` is at the end of the text, so readers see it instead of a link";
            let problem = Problem::new(Code::LinkAsText, self.place(bracket..open), message);
            problem.help("add `]` before the parenthesis".to_string()).edit(self.place(open..open), "]")
        })
    }

    /// Returns the start of the link whose text begins at `bracket`: for an image, the `!`.
    fn link_start(&self, bracket: usize) -> usize {
        bracket - usize::from(self.plain.text[..bracket].ends_with('!'))
    }

    /// Returns the range between the parenthesis at `open` and the matching one on the same line.
    fn in_parentheses(&self, open: usize, limit: usize) -> Option<Range<usize>> {
        let mut depth = 0_usize;
        for (at, byte) in self.blocks.text.as_bytes()[open..limit].iter().enumerate().take(LONGEST_TARGET) {
            match byte {
                b'\n' => return None,
                b'(' => depth += 1,
                b')' if depth == 1 => return Some(open + 1..open + at),
                b')' => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Returns the finding for `[text](my page.md)`, because a target ends at a space.
    fn blank_in_target(
        &self,
        bracket: usize,
        open: usize,
        limit: usize,
        is_anchor: &dyn Fn(&str) -> bool,
    ) -> Option<Problem> {
        let inside = self.in_parentheses(open, limit)?;
        let written = &self.blocks.text[inside.clone()];
        let written = without_title(written);
        let lead = written.len() - written.trim_start().len();
        let target = written.trim();
        let start = inside.start + lead;
        let span = start..start + target.len();
        if let Some(title) = title_without_start(target) {
            let at = self.place(span.end - title.len()..span.end);
            let message =
                "the title of the target has no quote at its start, so readers see text instead of a link";
            let (start, quote) = (at.start..at.start, &title[title.len() - 1..]);
            let problem =
                Problem::new(Code::LinkAsText, at, message).help(format!("add `{quote}` before it"));
            return Some(problem.edit(start, quote));
        }
        if !target.contains(' ') || !target.chars().all(is_in_target) {
            return None;
        }
        let text = &self.blocks.text[bracket + 1..open - 1];
        if text.strip_prefix('#').is_some_and(is_anchor) {
            let place = self.place(bracket..inside.end + 1);
            let message = "the text and the target of the link are exchanged";
            let written = format!("[{target}]({text})");
            let problem = Problem::new(Code::LinkAsText, place.clone(), message);
            return Some(problem.help(format!("use `{written}`")).edit(place, written));
        }
        let image = self.link_start(bracket) < bracket;
        let what = if image { "an image" } else { "a link" };
        let message =
            format!("the target {} contains a space, so readers see text instead of {what}", quoted(target));
        let problem = |help: String| {
            let problem = Problem::new(Code::LinkAsText, self.place(span.clone()), message.clone());
            Some(problem.help(help).target(target))
        };
        if let Some(title) = target.strip_prefix('#') {
            let slug = slug_of(title);
            if !is_anchor(&slug) {
                return problem("use the ID of the heading, which has no spaces".into());
            }
            let written = format!("#{slug}");
            return Some(problem(format!("use `{written}`"))?.edit(self.place(span.clone()), written));
        }
        let escaped = target.replace(' ', "%20");
        match kind_of_target(target)? {
            Target::Whole => {
                Some(problem(format!("use `{escaped}`"))?.edit(self.place(span.clone()), escaped))
            }
            Target::Unsure => problem(
                "remove the space, or replace it with `%20`; quote a title: `(/page/ \"Title\")`".into(),
            ),
        }
    }

    /// Returns the position after a space, or after a line break and the indentation of the next line.
    fn after_blank(&self, at: usize, limit: usize) -> usize {
        let rest = &self.blocks.text.as_bytes()[at..limit];
        match rest.first() {
            Some(b' ') => at + 1,
            Some(b'\n') => at + 1 + rest[1..].iter().take_while(|byte| **byte == b' ').count(),
            _ => at,
        }
    }

    /// Returns the finding for `[text] (https://example.com)`, because the link must not contain a space or a line break there.
    fn blank_before_target(&self, bracket: usize, blank: Range<usize>, limit: usize) -> Option<Problem> {
        let inside = self.in_parentheses(blank.end, limit)?;
        let target = &self.blocks.text[inside.clone()];
        let text = &self.blocks.text[bracket + 1..blank.start - 1];
        let is_image = self.link_start(bracket) < bracket;
        let is_address = is_address(target);
        let is_text = text.chars().filter(|c| c.is_alphabetic()).count() > 1;
        if !is_address || !is_text && !is_image || target.contains(char::is_whitespace) {
            return None;
        }
        let what = if is_image { "an image" } else { "a link" };
        let is_in_line = &self.blocks.text[blank.clone()] == " ";
        let between = if is_in_line { "space" } else { "line break" };
        let message = format!("there is a {between} before `(`, so readers see text instead of {what}");
        let help = format!("use {}", quoted(&format!("]({target})")));
        let place = self.place(self.link_start(bracket)..inside.end + 1);
        let mut problem = Problem::new(Code::LinkAsText, place, message).help(help).target(target);
        // The text in parentheses may be another kind of path, or the address of a name in brackets.
        if !is_in_line || !is_url(target) && !is_image {
            problem.severity = Some(Severity::Warning);
            return Some(problem);
        }
        Some(problem.edit(self.place(blank), ""))
    }

    /// Returns the finding for `[![image](a.png)(/page)`, in which the link's text has no end.
    fn unclosed_image_link(&self, paren: usize, leaf: &Leaf) -> Option<Problem> {
        let near = leaf.range.start.max(paren.saturating_sub(LONGEST_TARGET))..paren;
        let before = &self.blocks.text.as_bytes()[near.clone()];
        let open =
            before.ends_with(b")").then(|| memchr::memmem::rfind(before, b"[![")).flatten()? + near.start;
        let image = &self.blocks.text[open + 1..paren];
        let is_image = image.matches("](").count() == 1 && !image.contains('\n');
        // The image is one, and the bracket isn't part of a link.
        let (plain, bytes) = (&self.plain.text, self.plain.text.as_bytes());
        let is_text = bytes[open] == b'[' && plain[..paren].ends_with(HIDDEN);
        let inside = self.in_parentheses(paren, leaf.range.end).filter(|_| is_image && is_text)?;
        let target = &self.blocks.text[inside];
        let is_address = is_address(target);
        is_address.then(|| {
            let message = "the text of the link has no `]`, so readers see its address";
            let problem = Problem::new(Code::LinkAsText, self.place(paren..paren + 1), message);
            problem.help("add `]` before the parenthesis".to_string()).target(target)
        })
    }

    /// Returns the finding for `[text]（/page）`, with the parentheses of Chinese and Japanese.
    fn wide_parentheses(&self, bracket: usize, open: usize, limit: usize) -> Option<Problem> {
        let inside = self.blocks.text[open..limit].strip_prefix('（')?.lines().next()?;
        let target = &inside[..inside.find(['）', ')'])?];
        let is_address = is_address(target);
        if !is_address || target.contains(char::is_whitespace) {
            return None;
        }
        let end = open + '（'.len_utf8() + target.len();
        let end = end + self.blocks.text[end..].chars().next()?.len_utf8();
        let is_image = self.link_start(bracket) < bracket;
        let what = if is_image { "an image" } else { "a link" };
        let message = format!("the parentheses are full-width, so readers see text instead of {what}");
        let written = format!("({target})");
        let problem = Problem::new(Code::LinkAsText, self.place(self.link_start(bracket)..end), message);
        let problem = problem.help(format!("use {}", quoted(&format!("]{written}")))).target(target);
        Some(problem.edit(self.place(open..end), written))
    }

    /// Returns findings for `[^1]` and `word[^name]` if no footnote has that number or name.
    fn footnote(&self, open: usize, end: usize) -> Option<Problem> {
        let written = &self.blocks.text[open..end];
        let label = written.strip_prefix("[^")?.strip_suffix(']')?;
        let is_number = !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit());
        // At the end of a word or a sentence, a name refers to a footnote. Elsewhere it may be a set of letters, unless the page has
        // footnotes.
        let is_name = label.len() > 2
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        let ends_word =
            self.blocks.text[..open].ends_with(|c: char| c.is_alphanumeric() || ".,;:!?)\"".contains(c));
        let begins_word = self.blocks.text[end..].starts_with(char::is_alphanumeric);
        let is_apart = || self.blocks.text[..open].ends_with(' ') && self.blocks.text.contains("\n[^");
        let is_footnote = is_number || is_name && !begins_word && (ends_word || is_apart());
        if !is_footnote || self.blocks.text[end..].starts_with(['(', '[', ':', '*', '+']) {
            return None;
        }
        let message = format!("the footnote `{label}` doesn't exist, so readers see {}", quoted(written));
        let help = format!("add its text on a separate line: `[^{label}]: …`");
        Some(Problem::new(Code::UndefinedReference, self.place(open..end), message).help(help))
    }

    /// Returns tags and comments that begin in a leaf and never end, each with its position.
    fn unfinished(&self, leaf: &Leaf) -> Vec<(usize, Problem)> {
        let shown = &self.plain.text[leaf.range.clone()];
        let opens: Vec<usize> = memchr::memchr_iter(b'<', shown.as_bytes()).collect();
        let nexts = opens.iter().skip(1).copied().chain([shown.len()]);
        let found = opens.iter().zip(nexts).filter_map(|(open, next)| {
            let at = leaf.range.start + open;
            let tag = &shown[*open..next];
            let line = tag.lines().next().unwrap_or_default().trim_end_matches([HIDDEN, ' ']);
            let is_tag = tag.starts_with("<!--") || !tag.contains('>') && is_start_of_tag(tag);
            if !is_tag || self.blocks.text[..at].ends_with('\\') {
                return None;
            }
            Some((at, unfinished(tag, self.place(at..at + line.len()))))
        });
        found.collect()
    }

    /// Returns the finding for `[install.md](how to install)`, with the text in the place of the target.
    fn exchanged(&self, bracket: usize, paren: usize, limit: usize) -> Option<Problem> {
        let inside = self.in_parentheses(paren, limit)?;
        let (target, text) = (&self.blocks.text[bracket + 1..paren - 1], &self.blocks.text[inside.clone()]);
        let path = target.split('#').next().unwrap_or_default();
        let is_page = [".md", ".mdx", ".rst"].iter().any(|ending| path.ends_with(ending));
        let is_text = text.contains(' ') && text.chars().all(|c| c.is_alphabetic() || " -".contains(c));
        if !is_page || target.contains(char::is_whitespace) || !is_text {
            return None;
        }
        let place = self.place(bracket..inside.end + 1);
        let message = "the text and the target of the link are exchanged, so readers see both";
        let help = format!("use {}", quoted(&format!("[{text}]({target})")));
        Some(Problem::new(Code::LinkAsText, place, message).help(help).target(target))
    }

    /// Returns the finding for `(text)[address]`, with swapped brackets and parentheses.
    fn reversed(&self, open: usize, bracket: usize, limit: usize) -> Option<Problem> {
        let text = &self.blocks.text[open + 1..bracket - 1];
        let rest = &self.blocks.text[bracket + 1..limit];
        let length = rest.bytes().take(LONGEST_TARGET).position(|byte| byte == b']')?;
        let target = &rest[..length];
        let end = bracket + 1 + length + 1;
        let is_call = self.blocks.text[..open].ends_with(|c: char| c.is_alphanumeric() || "])_`".contains(c));
        let goes_on = self.blocks.text[end..].starts_with(['(', '[']);
        let is_target = is_address(target);
        if is_call || goes_on || text.trim().is_empty() || !is_target || target.contains(char::is_whitespace)
        {
            return None;
        }
        let message = "the brackets of the link are reversed, so readers see text instead of a link";
        let scheme = if target.starts_with("www.") { "https://" } else { "" };
        let target = format!("{scheme}{target}");
        let help = format!("use {}", quoted(&format!("[{text}]({target})")));
        let problem =
            Problem::new(Code::LinkAsText, self.place(open..end), message).help(help).target(&target);
        let is_simple = !text.contains(['[', ']', '(', ')', '\n']) && !target.contains(['(', ')']);
        Some(if is_simple {
            problem.edit(self.place(open..end), format!("[{text}]({target})"))
        } else {
            problem
        })
    }

    /// Returns findings for `[text][label]` without a definition of the label, also among the `added` ones. `array[row][column]` isn't a
    /// link.
    fn undefined_references(&self, added: &LinkDefinitions) -> Vec<Problem> {
        /// Minimum number of labels that differ in a number.
        const SERIES: usize = 3;
        let text = self.blocks.text;
        let defines = !self.blocks.definitions.is_empty() || !added.is_empty();
        if self.blocks.undefined.is_empty() {
            return Vec::new();
        }
        let unused = self.unused_definitions();
        let known: Vec<&str> =
            unused.iter().map(|it| it.label.as_str()).chain(added.keys().map(String::as_str)).collect();
        let uses: Vec<&str> = self.blocks.undefined.iter().map(|(label, _)| label.as_str()).collect();
        // Several definitions have the label with another number: `[PEP 508]`.
        let without_number = |label: &str| label.to_lowercase().replace(|c: char| c.is_ascii_digit(), "");
        let series = || {
            let own = self.blocks.definitions.iter().map(|it| it.label.as_str());
            let mut series: SortedMap<String, usize> = SortedMap::new();
            for label in own.chain(added.keys().map(String::as_str)) {
                *series.entry(without_number(label)).or_default() += 1;
            }
            series
        };
        let counted = OnceCell::new();
        let is_in_series = |label: &str| {
            let bare = without_number(label);
            let counted = || counted.get_or_init(series).get(&bare);
            bare.len() < label.len() && counted().is_some_and(|labels| *labels >= SERIES)
        };
        let mut misspelled: Vec<&Definition> = Vec::new();
        let undefined = self.blocks.undefined.iter().filter_map(|(label, range)| {
            // The `[]` of `[text][]` isn't in the range.
            let own = if text[range.end..].starts_with("[]") { "[]".len() } else { 0 };
            let range = range.start..range.end + own;
            let written = text.get(range.clone())?;
            let sign = if written.starts_with('!') { "!" } else { "" };
            let shown = written.trim_start_matches('!').strip_prefix('[')?.split(']').next()?;
            let meant = meant_label(label, &known);
            let is_phrase =
                own > 0 && shown.contains(' ') && shown.matches(char::is_alphabetic).nth(1).is_some();
            let is_link = (!sign.is_empty() || meant.is_some() || is_phrase) && is_label(label)
                || is_link_text(shown, label, defines);
            // `rustdoc` links the path of an item: `[text][crate::Item]`, and `[float, float][]` is the type of an array.
            let is_type = own > 0 && shown.contains(", ") && shown.split(", ").all(is_lower_name);
            // An index, `Options["value"][]`, and a key that is pressed twice: `[tab][tab]`.
            let is_index = own > 0 && shown.starts_with(['"', '\'']);
            let is_key = own == 0 && shown == label.as_str() && KEYS.contains(&shown.to_lowercase().as_str());
            if !is_link || label.contains("::") || is_type || is_index || is_key || !self.is_apart(&range) {
                return None;
            }
            if let Some(definition) =
                meant.and_then(|meant| definition_of_several(label, meant, &unused, &uses))
            {
                return self.misspelled_definition(shown, definition, &mut misspelled);
            }
            let (name, written) = (quoted(label), quoted(written));
            let message = format!("{name} is not defined, so readers see {written} as text");
            let help = match meant {
                Some(meant) => format!("did you mean {}?", quoted(&format!("[{meant}]"))),
                None => format!(
                    "add the target: {}, or define it on a separate line: {}",
                    quoted(&format!("{sign}[{shown}](…)")),
                    quoted(&format!("[{label}]: …"))
                ),
            };
            let problem = Problem::new(Code::UndefinedReference, self.place(range), message).help(help);
            let is_certain = meant.is_some() || is_in_series(label);
            Some(if is_certain { problem } else { problem.data(UNDEFINED_LABEL, label.as_str()) })
        });
        undefined.collect()
    }

    /// Returns the finding for sentences above `---`, which makes a heading of them.
    fn paragraph_above_line(&self, leaf: &Leaf) -> Option<Problem> {
        let text = self.blocks.text;
        if leaf.kind != LeafKind::Heading || text[leaf.range.clone()].starts_with('#') {
            return None;
        }
        let written = text[leaf.range.clone()].trim_end();
        let (sentences, line) = written.rsplit_once('\n')?;
        let is_line = line.trim().len() >= 3 && line.trim().bytes().all(|byte| byte == b'-');
        let sentences = sentences.trim_end();
        let is_key =
            |line: &str| line.split_once(": ").is_some_and(|(key, _)| !key.contains(char::is_whitespace));
        if is_line && text[..leaf.range.start].trim() == "---" && sentences.lines().all(is_key) {
            let message = "a second block of front matter follows the first, so readers see it as a heading";
            let problem = Problem::new(Code::TextAsHeading, self.place(leaf.range.clone()), message);
            return Some(problem.help("merge it into the first block".to_string()));
        }
        let are_sentences = sentences.ends_with(['.', ':'])
            && (sentences.contains('\n') || sentences.contains(". "))
            && sentences.split_whitespace().nth(5).is_some();
        (is_line && are_sentences).then(|| {
            let at = leaf.range.start + written.len() - line.len();
            let message = "no blank line is above `---`, so readers see the paragraph as a heading";
            let problem =
                Problem::new(Code::TextAsHeading, self.place(leaf.range.start..at + line.len()), message);
            problem.help("add a blank line above it".to_string()).edit(self.place(at..at), "\n")
        })
    }

    /// Returns findings for `[label] https://example.com` in a paragraph of its own, if a link has this label, with the label.
    fn definitions_without_colon(&self) -> Vec<(&str, Problem)> {
        let text = self.blocks.text;
        let found = self.plain.leaves_with(b'[').filter_map(|leaf| {
            let written = text[leaf.range.clone()].trim();
            let (label, target) = written.strip_prefix('[')?.split_once("] ")?;
            let is_definition = is_url(target) && !target.contains(char::is_whitespace) && is_label(label);
            let is_used = || text.matches(&written[..label.len() + 2]).count() > 1;
            (leaf.kind == LeafKind::Paragraph && leaf.is_top && is_definition && is_used()).then(|| {
                let end = leaf.range.start + label.len() + 2;
                let message = format!("no colon follows `[{label}]`, so readers see the definition as text");
                let problem = Problem::new(Code::LinkAsText, self.place(leaf.range.start..end), message);
                let help = format!("use {}", quoted(&format!("[{label}]: {target}")));
                (label, problem.help(help).edit(self.place(end..end), ":"))
            })
        });
        found.collect()
    }

    /// Returns findings for attributes without an end: of a heading, `## Save {#save`, and in Python-Markdown of a link or image,
    /// `![](a.png){ width=300`: <https://python-markdown.github.io/extensions/attr_list/>.
    fn open_attributes(&self, of_links: bool) -> Vec<Problem> {
        let text = self.blocks.text;
        let places = self.plain.leaves_with(b'{').flat_map(|leaf| {
            let shown = &self.plain.text.as_bytes()[leaf.range.clone()];
            memchr::memchr_iter(b'{', shown).map(move |at| (leaf, leaf.range.start + at))
        });
        let is_after_link = |at: usize| text[..at].ends_with(')') && self.plain.text[..at].ends_with(HIDDEN);
        let is_open = |(leaf, at): &(&Leaf, usize)| {
            let rest = text[at + 1..].lines().next().unwrap_or_default().trim_end();
            let first = rest.trim_start_matches([':', ' ']);
            let (name, more) = first.split_once(' ').unwrap_or((first, ""));
            let is_id = name.len() > 1
                && name.starts_with('#')
                && name[1..].chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':'))
                && (more.trim().is_empty() || more.starts_with(['.', '#']) || more.contains('='));
            match leaf.kind {
                _ if rest.contains('}') => false,
                LeafKind::Heading if is_id => true,
                _ => {
                    of_links
                        && is_after_link(*at)
                        && first.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '.' | '#'))
                }
            }
        };
        let problem = |at: usize| {
            let message = "the `{` of the attributes is never closed, so readers see them";
            let help = "add `}` after them".to_string();
            Problem::new(Code::UnbalancedBlock, self.place(at..at + 1), message).help(help).as_warning()
        };
        places.filter(is_open).map(|(_, at)| problem(at)).collect()
    }

    /// Returns the finding for the definition that several links with another label mean, if `found` doesn't contain it.
    fn misspelled_definition<'d>(
        &self,
        label: &str,
        definition: &'d Definition,
        found: &mut Vec<&'d Definition>,
    ) -> Option<Problem> {
        if found.iter().any(|it| it.span == definition.span) {
            return None;
        }
        found.push(definition);
        let (range, written) = self.label_of(definition)?;
        let message =
            format!("no link has the label {}, and several have {}", quoted(written), quoted(label));
        let help = format!("did you mean {}?", quoted(&format!("[{label}]:")));
        Some(Problem::new(Code::UndefinedReference, self.place(range), message).help(help))
    }

    /// Returns the label of a definition in the text, and its range with its brackets.
    fn label_of(&self, definition: &Definition) -> Option<(Range<usize>, &str)> {
        let before = self.blocks.text[..definition.span.start].trim_end_matches(['<', ' ', '\n']);
        let end = before.strip_suffix(':')?.len();
        let start = before.rfind('[')?;
        Some((start..end, before.get(start + 1..end - 1)?))
    }

    /// Returns the definitions without a link. Empty if there are many.
    fn unused_definitions(&self) -> Vec<&Definition> {
        /// Maximum number of definitions without a link. More belong to another page.
        const MOST: usize = 8;
        let definitions = &self.blocks.definitions;
        if definitions.is_empty() {
            return Vec::new();
        }
        let mut written: SortedMap<String, usize> = SortedMap::new();
        for label in brackets(self.blocks.text).map(|(_, label)| label.to_lowercase()) {
            *written.entry(label).or_default() += 1;
        }
        let unused: Vec<&Definition> =
            definitions.iter().filter(|it| written.get(it.label.as_str()) == Some(&1)).collect();
        if unused.len() > MOST { Vec::new() } else { unused }
    }

    /// Returns findings for `[text]` alone that resembles the label of a definition without a link, and for code in brackets if code is
    /// the label of other definitions.
    fn misspelled_labels(&self) -> Vec<Problem> {
        /// Minimum number of definitions whose labels are code.
        const FEWEST: usize = 2;
        let unused = self.unused_definitions();
        let known: Vec<&str> = unused.iter().map(|it| it.label.as_str()).collect();
        let is_code = |label: &str| {
            label.len() > 2
                && label.starts_with('`')
                && label.ends_with('`')
                && label.matches('`').count() == 2
        };
        let defines_code = self.blocks.definitions.iter().filter(|it| is_code(&it.label)).count() >= FEWEST;
        if unused.is_empty() && !defines_code {
            return Vec::new();
        }
        let shown = self.plain.leaves_with(b'[').flat_map(|leaf| {
            brackets(&self.plain.text[leaf.range.clone()]).map(|(at, label)| (leaf.range.start + at, label))
        });
        // With their markup.
        let shown = shown.map(|(at, label)| at..at + label.len() + 2);
        let shown: Vec<(Range<usize>, &str)> =
            shown.map(|range| (range.clone(), &self.blocks.text[range.start + 1..range.end - 1])).collect();
        let uses: Vec<&str> = shown.iter().map(|(_, label)| *label).collect();
        let mut misspelled: Vec<&Definition> = Vec::new();
        let problem = |(range, label): &(Range<usize>, &str)| {
            let is_alone =
                !self.blocks.text[range.end..].starts_with(['(', '[', ':', '{']) && self.is_apart(range);
            let meant = meant_label(label, &known).filter(|_| is_alone);
            if let Some(definition) =
                meant.and_then(|meant| definition_of_several(label, meant, &unused, &uses))
            {
                return self.misspelled_definition(label, definition, &mut misspelled);
            }
            let meant = meant.map(|meant| {
                let definition = unused.iter().find(|it| it.label == meant);
                let written = definition.and_then(|it| self.label_of(it)).map_or(meant, |(_, label)| label);
                format!("did you mean {}?", quoted(&format!("[{written}]")))
            });
            let is_link = defines_code && is_alone && is_code(label) && self.is_undefined(label);
            let define = || format!("define it on a separate line: {}", quoted(&format!("[{label}]: …")));
            let message = format!("{} is not defined, so readers see brackets", quoted(label));
            let problem = Problem::new(Code::UndefinedReference, self.place(range.clone()), message);
            match meant {
                Some(meant) => Some(problem.help(meant)),
                None => is_link.then(|| problem.help(define()).data(UNDEFINED_LABEL, *label)),
            }
        };
        shown.iter().filter_map(problem).chain(self.open_labels(&unused)).collect()
    }

    /// Returns findings for the labels of definitions without a link, `[label` without its end.
    fn open_labels(&self, unused: &[&Definition]) -> Vec<Problem> {
        let text = self.blocks.text;
        let open = |definition: &&Definition| {
            let (own, label) = self.label_of(definition)?;
            let mut places = text.match_indices(&text[own.start..own.end - 1]).map(|(at, _)| at);
            let start = places.find(|at| *at != own.start && self.plain.text.as_bytes()[*at] == b'[')?;
            let end = start + 1 + label.len();
            let is_open = text[end..].starts_with([' ', '.', ',', ';', '\n']);
            let message = "no `]` is at the end of the label, so readers see `[` instead of a link";
            let problem = Problem::new(Code::LinkAsText, self.place(start..end), message);
            let help = format!("use {}", quoted(&format!("[{label}]")));
            is_open.then(|| problem.help(help).edit(self.place(end..end), "]"))
        };
        unused.iter().filter_map(open).collect()
    }

    fn is_undefined(&self, label: &str) -> bool {
        !self.blocks.definitions.iter().any(|it| it.label.eq_ignore_ascii_case(label))
    }

    /// Whether a link isn't part of an expression: `a[i][j]`, `[a][b](c)`.
    fn is_apart(&self, range: &Range<usize>) -> bool {
        let (before, after) = (&self.blocks.text[..range.start], &self.blocks.text[range.end..]);
        !before.ends_with(|c: char| c.is_alphanumeric() || "_)]}$".contains(c))
            && !after.starts_with(['[', '(', '{'])
    }

    /// Returns findings for names in braces that differ from a variable by one letter.
    fn variables(&self, edition: &Edition) -> Vec<Problem> {
        if edition.words.is_empty() {
            return Vec::new();
        }
        let text = self.blocks.text;
        let code = self.fenced_code();
        let found = memchr::memchr_iter(b'{', text.as_bytes()).filter_map(|open| {
            let is_shown = self.plain.text.as_bytes()[open] == b'{' || self.is_in_code_span(open);
            let name = edition.mistyped(text, open)?;
            // In a code block, a name in another case is a different name.
            let is_in_code = || !name.written.eq_ignore_ascii_case(name.meant) && is_within(&code, open);
            if !is_shown && !is_in_code() {
                return None;
            }
            let span = open..open + name.written.len() + 2;
            let message = format!("unknown variable `{{{}}}`, so readers see its name", name.written);
            let help = format!("did you mean `{{{}}}`?", name.meant);
            Some(Problem::new(Code::UndefinedVariable, self.place(span), message).help(help))
        });
        found.collect()
    }

    fn is_in_code_span(&self, at: usize) -> bool {
        is_within(&self.plain.code_spans, at)
    }

    /// Returns the code blocks, without their opening lines.
    fn fenced_code(&self) -> Vec<Range<usize>> {
        let fenced = self.blocks.items.iter().filter_map(|item| match item {
            Item::Event(Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))), range) => {
                let opening = self.blocks.text[range.clone()].find('\n')?;
                Some(range.start + opening..range.end)
            }
            _ => None,
        });
        fenced.collect()
    }
}

/// Whether one of the sorted `spans` contains `at`.
fn is_within(spans: &[Range<usize>], at: usize) -> bool {
    let first = spans.partition_point(|span| span.end <= at);
    spans.get(first).is_some_and(|span| span.contains(&at))
}

/// Maximum length of a target in bytes.
const LONGEST_TARGET: usize = 400;

/// Returns the text between the parentheses of a link, without a quoted title at its end.
fn without_title(written: &str) -> &str {
    let bare = written.trim_end();
    let Some(quote) = bare.chars().next_back().filter(|last| matches!(last, '"' | '\'')) else { return bare };
    let inside = &bare[..bare.len() - 1];
    match inside.rfind(quote) {
        Some(open) if inside[..open].ends_with(' ') => inside[..open].trim_end(),
        _ => bare,
    }
}

/// Returns the title after a target that only ends with a quote: `Lamp"` of `lamp.png Lamp"`.
fn title_without_start(written: &str) -> Option<&str> {
    let (target, title) = written.split_once(' ')?;
    let title = title.trim_start();
    let quote = title.chars().next_back().filter(|last| matches!(last, '"' | '\''))?;
    (is_address(target) && title.len() > 1 && title.matches(quote).count() == 1).then_some(title)
}

/// Whether a character may be in a target with a space. Other characters belong to code, templates or a title.
fn is_in_target(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '<' | '>' | '"' | '`' | '{' | '}' | '|' | '\\' | '[' | ']')
}

/// How much of the text in parentheses is a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// All of it.
    Whole,
    /// A part of it. The rest may be a title.
    Unsure,
}

fn kind_of_target(written: &str) -> Option<Target> {
    let path = written.split(['?', '#']).next().unwrap_or_default();
    let has_ending = |path: &str| {
        let ending = path.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
        ending.is_some_and(|(name, ending)| {
            !name.is_empty() && ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
        })
    };
    let first = path.split(' ').next().unwrap_or_default();
    let is_rooted = is_url(written) || ["/", "./", "../"].iter().any(|root| written.starts_with(root));
    if !has_ending(path) {
        return is_rooted.then_some(Target::Unsure);
    }
    if path.contains(' ') && (has_ending(first) || is_url(written)) {
        return Some(Target::Unsure);
    }
    // `(see install.md)` and `(a note, for readme.txt)` are remarks.
    let is_remark = path.contains(' ') && !is_rooted && !path.contains('/') && !is_short(path);
    (!is_remark).then_some(Target::Whole)
}

/// File extensions in targets.
const ENDINGS: [&str; 16] = [
    "md", "mdx", "html", "htm", "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "pdf", "zip", "mp4",
    "txt", "json",
];

/// Whether a file name with spaces is too short to be part of a sentence.
fn is_short(path: &str) -> bool {
    path.split(' ').count() <= 4
        && !path.contains([',', ':', ';'])
        && !["see", "in", "the", "a", "from", "e.g."].contains(&first_word(path).to_lowercase().as_str())
}

/// Whether a text is certainly the target of a link: a URL, or a path.
fn is_address(target: &str) -> bool {
    is_url(target) || is_local(target) || kind_of_target(target) == Some(Target::Whole)
}

/// Whether this is a path on the site, an anchor or `www.…`, unlike the character class in `(a)[/b]`.
fn is_local(target: &str) -> bool {
    let is_path = |path: &str| {
        path.starts_with(|c: char| c.is_alphanumeric())
            && path.chars().filter(|c| c.is_alphabetic()).count() > 1
            && path.chars().all(|c| c.is_alphanumeric() || "-_./#%~".contains(c))
    };
    let rest = target.strip_prefix("www.").filter(|rest| rest.contains('.'));
    let rest = rest.or_else(|| ["/", "./", "../", "#"].iter().find_map(|root| target.strip_prefix(root)));
    rest.is_some_and(is_path)
}

fn is_url(target: &str) -> bool {
    ["https://", "http://", "mailto:"]
        .iter()
        .any(|scheme| target.starts_with(scheme) && target.len() > scheme.len())
}

/// Returns the texts in brackets on one line that contain no other brackets, with the positions of the opening ones. Only the marks
/// around a text may be hidden.
fn brackets(text: &str) -> impl Iterator<Item = (usize, &str)> {
    memchr::memchr_iter(b'[', text.as_bytes()).filter_map(|at| {
        let rest = &text[at + 1..];
        let end = rest.find(['[', ']', '\n']).filter(|end| rest[*end..].starts_with(']'))?;
        let inside = &rest[..end];
        (!inside.trim_matches(HIDDEN).contains(HIDDEN)).then_some((at, inside))
    })
}

/// Returns the definition without a link that several links with the same label mean, so that its own label is misspelled.
fn definition_of_several<'d>(
    label: &str,
    meant: &str,
    unused: &[&'d Definition],
    uses: &[&str],
) -> Option<&'d Definition> {
    let has_several = uses.iter().filter(|it| **it == label).nth(1).is_some();
    unused.iter().find(|it| has_several && it.label == meant).copied()
}

/// Returns the label among some that another one probably means.
fn meant_label<'u>(label: &str, unused: &[&'u str]) -> Option<&'u str> {
    let label = label.to_lowercase();
    unused.iter().find(|it| are_alike(&label, it)).copied()
}

/// Whether a label, in lower case, differs from another one by a letter or two, by a word that it lacks, or by the form of a word.
fn are_alike(label: &str, other: &str) -> bool {
    /// Minimum number of words of labels that differ in one word.
    const FEWEST_WORDS: usize = 4;
    /// Number of letters that the forms of a word share.
    const STEM: usize = 6;
    let is_between = |c: char| c.is_whitespace() || matches!(c, '-' | '_' | '`');
    let words = |text: &str| {
        let words = text.split(is_between).filter(|word| !word.is_empty());
        words.map(str::to_string).collect::<Vec<_>>()
    };
    let (own, others) = (words(label), words(other));
    let lacks = |few: &[String], many: &[String]| {
        few.len() + 1 == many.len() && few.iter().all(|word| many.contains(word))
    };
    let lacks_one = own.len() > 1 && lacks(&own, &others) || other.len() > 3 && lacks(&others, &own);
    let is_other = |(word, other): &(&String, &String)| word != other;
    // `overriding blocks` and `override blocks`.
    let have_stem = |(one, other): (&String, &String)| {
        one.len() > STEM && one.get(..STEM).is_some_and(|stem| other.starts_with(stem))
    };
    let are_as_long = own.len() > 1 && own.len() == others.len();
    let differing = own.iter().zip(&others).filter(is_other);
    let first = only(differing).filter(|_| are_as_long);
    let differs_in_one = first.is_some_and(|pair| own.len() >= FEWEST_WORDS || have_stem(pair));
    let limit = if label.len() > 8 { (label.len() / 6).clamp(2, 4) } else { 1 };
    let is_near = label != other
        && label.len() > 3
        && label.starts_with(|c: char| other.starts_with(c))
        && !label.ends_with(|c: char| c.is_ascii_digit())
        && distance_within(label, other, limit).is_some();
    // `_uv` and `uv`.
    let is_same = own.concat() == others.concat() && label != other;
    is_same || lacks_one || differs_in_one || is_near
}

fn is_lower_name(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte.is_ascii_digit())
}

/// Whether the text in brackets before a label was meant as a link text.
fn is_link_text(shown: &str, label: &str, page_defines_some: bool) -> bool {
    let letters = shown.chars().filter(|c| c.is_alphabetic()).count();
    let has_lower_case = shown.chars().any(char::is_lowercase) || label.chars().any(char::is_lowercase);
    // `#a` and `page#a` are addresses, and `C#` isn't.
    let has_fragment = label.split_once('#').is_some_and(|(_, id)| id.starts_with(char::is_alphabetic));
    let is_phrase = shown.trim().contains(' ') || label.contains([' ', '-', '/', '.']) || has_fragment;
    letters > 1
        && has_lower_case
        && is_label(label)
        && (page_defines_some
            || is_phrase
            || letters > 2 && shown.eq_ignore_ascii_case(label)
            || (is_word(shown) || is_word(label)) && !is_index(shown) && !is_index(label))
}

fn is_label(label: &str) -> bool {
    label.chars().any(char::is_alphanumeric) && !label.starts_with('^')
}

fn is_word(text: &str) -> bool {
    text.chars().count() > 2 && text.chars().all(char::is_alphabetic)
}

/// Whether the text in brackets reads like an index: `[row][col]`, `[matrix][i]`, `[list][0]`.
fn is_index(text: &str) -> bool {
    const INDEXES: [&str; 14] = [
        "col", "column", "count", "end", "idx", "index", "key", "len", "line", "offset", "pos", "row",
        "start", "value",
    ];
    text.chars().count() < 3
        || !text.chars().any(char::is_alphabetic)
        || INDEXES.contains(&text.to_lowercase().as_str())
}

/// Whether a text is the start of a tag with a quoted value. `a <b` isn't.
fn is_start_of_tag(text: &str) -> bool {
    let name = text[1..].bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (name, rest) = text[1..].split_at(name);
    let attribute = rest.trim_start();
    let length = attribute.bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'-').count();
    let value = &attribute[length..];
    is_element(&name.to_ascii_lowercase())
        && attribute.len() < rest.len()
        && length > 0
        && (value.starts_with("=\"") || value.starts_with("='"))
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::read::parse_ours as parse;
    use super::*;

    /// Checks the findings of a page with a variable `package`, as `code: their text`, and the page after all edits.
    #[track_caller]
    pub(super) fn check(markdown: &str, expected: &[&str], fixed: &str) {
        let words = [("package".to_string(), Some("kit".to_string()))];
        let page = parse(markdown, 0, &Edition { platform: None, words: words.into(), ..Edition::default() });
        let found: Vec<_> =
            page.problems.iter().map(|it| format!("{}: {}", it.code, &markdown[it.span.clone()])).collect();
        assert_eq!(found, expected, "{markdown}\n{:?}", page.problems);
        let mut text = markdown.to_string();
        let mut edits: Vec<_> = page.problems.iter().flat_map(|it| &it.edits).collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        for edit in edits {
            text.replace_range(edit.span.clone(), &edit.text);
        }
        assert_eq!(text, fixed, "from {markdown}");
    }

    #[test]
    fn a_space_ends_a_target() {
        check("![S](/a/my shot.png)", &["link-as-text: /a/my shot.png"], "![S](/a/my%20shot.png)");
        check(
            "> - [*a* `b`](my page.md \"T\")",
            &["link-as-text: my page.md"],
            "> - [*a* `b`](my%20page.md \"T\")",
        );
        check("## A b\n\n[x](#A b)", &["link-as-text: #A b"], "## A b\n\n[x](#a-b)");
        check("[x](#A b)", &["link-as-text: #A b"], "[x](#A b)");
        check("[x](/a/ b)", &["link-as-text: /a/ b"], "[x](/a/ b)");
        check("[![x](my b.png)](/c)", &["link-as-text: my b.png"], "[![x](my%20b.png)](/c)");
        for silent in ["[x](as it is)", "[x](see a.md)", "[x](<a b.md>)", "\\[x](a b.md)", "[x](a, b.md)"] {
            check(silent, &[], silent);
        }
    }

    #[test]
    fn a_title_has_two_quotes_and_a_definition_a_colon() {
        check("![S](./a.png The shot\")", &["link-as-text: The shot\""], "![S](./a.png \"The shot\")");
        check("[S](see a.md of \"b\")", &[], "[S](see a.md of \"b\")");
        check(
            "See [one].\n\n[one] https://e.org/a",
            &["link-as-text: [one]"],
            "See [one].\n\n[one]: https://e.org/a",
        );
        check(
            "See [it][one].\n\n[one] https://e.org/a",
            &["link-as-text: [one]"],
            "See [it][one].\n\n[one]: https://e.org/a",
        );
        check("[one] https://e.org/a", &[], "[one] https://e.org/a");
        let text = "Save the file. Then close it, or leave.\n---\n";
        check(
            text,
            &["text-as-heading: Save the file. Then close it, or leave.\n---"],
            "Save the file. Then close it, or leave.\n\n---\n",
        );
        check("Save the file\n---\n", &[], "Save the file\n---\n");
        check("A [b c(https://e.org) d", &["link-as-text: [b c"], "A [b c](https://e.org) d");
        check("A [b c(./d.md), [e](f.md)", &["link-as-text: [b c"], "A [b c](./d.md), [e](f.md)");
        check("A [b c(d.md)] and [f(x)", &[], "A [b c(d.md)] and [f(x)");
        check("A [b (https://e.org)] d", &[], "A [b (https://e.org)] d");
    }

    #[test]
    fn a_link_has_its_text_first_and_no_blank_between() {
        check(
            "[The site] (https://e.org)",
            &["link-as-text: [The site] (https://e.org)"],
            "[The site](https://e.org)",
        );
        check("(text)[a/b.md]", &["link-as-text: (text)[a/b.md]"], "[text](a/b.md)");
        check("(g)[/a/web/]", &["link-as-text: (g)[/a/web/]"], "[g](/a/web/)");
        check("(g)[#add]", &["link-as-text: (g)[#add]"], "[g](#add)");
        check("[The guide] (/a/web/)", &["link-as-text: [The guide] (/a/web/)"], "[The guide] (/a/web/)");
        check("[The guide]\n(a.md)", &["link-as-text: [The guide]\n(a.md)"], "[The guide]\n(a.md)");
        for item in ["- [The guide]\n  (a.md)", "- b\n   - c [The guide]\n     (a.md)"] {
            check(item, &[&format!("link-as-text: {}", &item[item.find('[').expect("a link")..])], item);
        }
        check("(z)[www.x.com]", &["link-as-text: (z)[www.x.com]"], "[z](https://www.x.com)");
        for silent in [
            "(a)[/b]",
            "(a)[#1]",
            "(a|b)[/*+]",
            "f(x)[/yes]",
            "f(x)[/y]",
            "(a)[1]",
            "[1] (https://e.org)",
            "[x] (or y)",
            "(a)[b](c)",
            "(a)[/b][c]",
        ] {
            check(silent, &[], silent);
        }
    }

    #[test]
    fn a_label_needs_a_definition() {
        for link in [
            "[documentation][docs]",
            "![pic][shot]",
            "![a][b]",
            "[guide][guide]",
            "[the guide][]",
            "[Guide][install-guide]",
            "[-list][#list]",
            "[list][more#list]",
            "![a shot][shot]",
        ] {
            check(link, &[&format!("undefined-reference: {link}")], link);
        }
        check("a[^1] b[^2]\n\n[^2]: c", &["undefined-reference: [^1]"], "a[^1] b[^2]\n\n[^2]: c");
        check("[a]: /b\n\n[cd][e]", &["undefined-reference: [cd][e]"], "[a]: /b\n\n[cd][e]");
        for silent in [
            "a[i][j]",
            "[i][j]",
            "[row][col]",
            "array[first][second]",
            "`[first][second]`",
            "[matrix][i]",
            "[array][C#]",
            "vec![one][two]",
            "[A][B]",
            "[a] [b]",
            "x[the row][]",
            "[a b][c][d]",
            "`[a b][c]`",
            "[^0-9] [^1]*",
        ] {
            check(silent, &[], silent);
        }
    }

    #[test]
    fn number_signs_of_a_heading_need_a_space() {
        check("##Add it", &["heading-as-text: ##Add it"], "## Add it");
        check("##`Add` it", &["heading-as-text: ##`Add` it"], "## `Add` it");
        check("###`--add`", &["heading-as-text: ###`--add`"], "### `--add`");
        check("a\n##Add", &["heading-as-text: ##Add"], "a\n## Add");
        check("> 1. ###Add", &["heading-as-text: ###Add"], "> 1. ### Add");
        check("#\u{a0}Add", &["heading-as-text: #\u{a0}Add"], "# Add");
        check("#Add the package", &["heading-as-text: #Add the package"], "# Add the package");
        for silent in [
            "#1 is out",
            "#include <x.h>",
            "#Tag and #another",
            "#Great!",
            "a ##b",
            "\\##A",
            "####### A",
            "##[x]",
            "#Tag\ntext",
            "#Great news!",
            "#Tip of the day.",
        ] {
            check(silent, &[], silent);
        }
    }

    #[test]
    fn an_alert_is_of_a_known_kind_and_alone_on_its_line() {
        check("> [!DANGER]\n> a", &["unknown-alert: [!DANGER]"], "> [!CAUTION]\n> a");
        check("> [!Nte]\n> a", &["unknown-alert: [!Nte]"], "> [!NOTE]\n> a");
        check("> [!NOTE] a", &["unknown-alert: [!NOTE]"], "> [!NOTE]\n> a");
        check("> [!NOTE] A title\n> a", &["unknown-alert: [!NOTE]"], "> [!NOTE] A title\n> a");
        check("> [!TODO]\n> a", &["unknown-alert: [!TODO]"], "> [!TODO]\n> a");
        check("[!TIP]\na", &["unknown-alert: [!TIP]"], "[!TIP]\na");
        // The following text or the quote around it would be lost.
        check("> [!DANGER] a", &["unknown-alert: [!DANGER]"], "> [!DANGER] a");
        check("> > [!NOTE] a", &["unknown-alert: [!NOTE]"], "> > [!NOTE] a");
        for silent in [
            "> [!note]\n> a",
            "[!x]",
            "> a\n> [!DANGER]",
            "> [!x](/y)",
            "> [!tip](as it is)\n> a",
            "> [!tip][2]\n> a",
        ] {
            check(silent, &[], silent);
        }
    }

    #[test]
    fn a_name_in_braces_is_reported_where_it_is_shown() {
        check(
            "{pakage} `{Package}` {other}",
            &["undefined-variable: {pakage}", "undefined-variable: {Package}"],
            "{pakage} `{Package}` {other}",
        );
        check(
            "```\n{pakage} {Package}\n```",
            &["undefined-variable: {pakage}"],
            "```\n{pakage} {Package}\n```",
        );
        check("``` {pakage}\na\n```", &[], "``` {pakage}\na\n```");
        check("    {pakage}\n\n[a]({pakage})", &[], "    {pakage}\n\n[a]({pakage})");
    }

    #[test]
    fn quotes_of_a_tag_are_fixed_and_its_target_is_not_checked() {
        check("<a href=”/b”>c</a>", &["typographic-quotes: ”/b”"], "<a href=\"/b\">c</a>");
        check("<a href=‘/b’>c</a>", &["typographic-quotes: ‘/b’"], "<a href=\"/b\">c</a>");
        check(
            "<a href=\"/x/\" class=“big b”>y</a>",
            &["typographic-quotes: “big b”"],
            "<a href=\"/x/\" class=\"big b\">y</a>",
        );
        check("<a class=“b c” href=“/d”>e", &["typographic-quotes: “b c”"], "<a class=\"b c\" href=\"/d\">e");
        check(
            "<aside class=”tip”>a</aside>",
            &["typographic-quotes: ”tip”"],
            "<aside class=\"tip\">a</aside>",
        );
        let page = parse("<a href=”/b”>c</a>", 0, &Edition::default());
        assert!(page.references.is_empty());
    }

    #[test]
    fn a_conflict_is_reported_once_and_not_in_code() {
        let conflict = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n";
        check(conflict, &["merge-conflict: <<<<<<< HEAD"], conflict);
        let two = format!("{conflict}\nc\n\n{conflict}");
        check(&two, &["merge-conflict: <<<<<<< HEAD"; 2], &two);
        check(">>>>>>> main", &["merge-conflict: >>>>>>> main"], ">>>>>>> main");
        for language in ["", "diff", "text"] {
            let code = format!("~~~{language}\n{conflict}~~~\n");
            check(&code, &[], &code);
        }
        let code = format!("~~~js\n{conflict}~~~\n");
        check(&code, &["merge-conflict: <<<<<<< HEAD"], &code);
        check("~~~js\n>>>>>>> a\n~~~", &[], "~~~js\n>>>>>>> a\n~~~");
        check("<<<<<<<< HEAD", &[], "<<<<<<<< HEAD");
    }

    #[test]
    fn a_tag_that_never_ends_is_reported_where_it_is_text() {
        for tag in ["<img src=\"/b.png\" alt=\"a\"", "<div class=\"x", "<!-- open"] {
            let text = format!("a {tag}\nb");
            check(&text, &[&format!("unclosed-element: {tag}")], &text);
        }
        let image = "<img src=\"/b.png\" alt=\"a\"";
        check(image, &[&format!("unclosed-element: {image}")], image);
        let ended = "a <span class=\"x\nb</span>";
        check(ended, &["unclosed-element: <span class=\"x"], ended);
        for silent in ["a <b c", "a < b=\"", "\\<div class=\"x", "`<div class=\"x`", "a <x y=\"z"] {
            check(silent, &[], silent);
        }
    }

    #[test]
    fn a_page_of_openings_takes_linear_time() {
        for opening in [
            "](",
            "[a](",
            "[a](b c.md) ",
            "(a)[",
            "[[",
            "{",
            "{{",
            "{%",
            "<A",
            "{pakage}",
            "[a b][c]",
            "> [!X",
            "#A ",
            "<b c=”",
        ] {
            parse(&opening.repeat(5_000), 0, &Edition::default());
        }
    }
}
