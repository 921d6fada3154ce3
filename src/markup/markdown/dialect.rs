//! Translates pages of other tools into our own Markdown, with the place of each piece.
//!
//! A text is read from its beginning to its end, line by line. What is Markdown is copied; a file for each syntax says
//! what another construct becomes. Blocks that are indented below what opens them lose that indentation. Fenced code,
//! code spans and comments are copied as they are.
//!
//! What is not understood is left out as a whole and noted, so that it is never taken for text, a link or a heading.

mod arguments;
mod attributes;
mod conditions;
mod directives;
mod files;
mod indented;
mod liquid;
mod mdbook;
mod mdx;
mod myst;
mod output;
mod parts;
mod script;
mod shortcodes;
mod snippets;
mod tag;
#[cfg(test)]
mod tests;
mod vue;

pub use self::conditions::{conditions, is_tab_label};
pub(super) use self::myst::mark_labels;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use self::output::Output;
use self::script::Fuel;
use super::extract::{
    Paragraph, Ticks, after_markers, columns, continuation, marker, opening_fence, run_length,
};
use super::slips::similar_kind;
use super::span::OffsetMap;
use super::{Anchor, NoteKind};
use crate::base::diagnostic::Problem;
use crate::base::site_path::SitePath;
use crate::input::conventions::Syntax;
use crate::input::dialect::{Absence, Dialect};

/// Something of another tool that was left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    /// As findings name it: `mdx-component`.
    pub kind: Cow<'static, str>,
    /// What it is called there, or the file that is missing.
    pub name: String,
    pub why: Why,
    pub span: Range<usize>,
}

/// Why something was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Why {
    /// It is not known what it becomes.
    Unknown,
    /// It includes a file that is not there.
    Missing,
    /// It includes a file outside of the site's root, where nothing is read.
    Outside,
}

/// A file that a text includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inclusion {
    /// As written: `@site/code/a.swift?raw`, `_partial.mdx`.
    pub name: String,
    pub kind: InclusionKind,
    pub span: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InclusionKind {
    Code,
    Markdown,
}

/// A file that is a part of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Included {
    pub path: SitePath,
    /// What includes it.
    pub span: Range<usize>,
}

/// A text in our own Markdown.
#[derive(Clone, Debug, PartialEq)]
pub struct Translated {
    /// The front matter as it was, and the body.
    pub text: String,
    /// Where the body begins.
    pub body: usize,
    pub left_out: Vec<LeftOut>,
    /// What is included, by its place.
    pub included: Vec<Included>,
    /// Anchors that the generator makes of something other than a heading or HTML.
    pub(super) anchors: Vec<Anchor>,
    /// The labels of tabs that have ids, with their places.
    pub(super) tabs: Vec<(String, Range<usize>)>,
    /// What is wrong with the code of files, by its place in the file.
    pub(super) problems: Vec<Problem>,
    /// Where in `text` each of them would be.
    pub gaps: Vec<usize>,
    /// To the file.
    pub(super) map: OffsetMap,
}

/// Translates `text`, a whole file with its body from `body` on.
pub fn translate(text: &str, body: usize, dialect: &Dialect) -> Translated {
    translate_with(text, body, dialect, false)
}

/// The same with [`UNKNOWN`] in an address where a piece of it was left out, so that nothing takes the rest for the whole.
pub(super) fn translate_marked(text: &str, body: usize, dialect: &Dialect) -> Translated {
    translate_with(text, body, dialect, true)
}

fn translate_with(text: &str, body: usize, dialect: &Dialect, marks_unknown: bool) -> Translated {
    let mut budget = MOST_INCLUDED;
    let mut translator = Translator::new(text, body, dialect, BTreeMap::new(), 0, &mut budget);
    translator.marks_unknown = marks_unknown;
    translator.run();
    if dialect.has(Syntax::Liquid) {
        liquid::listed_files(&mut translator);
    }
    let Translator { out, left_out, included, anchors, tabs, problems, gaps, .. } = translator;
    Translated { text: out.text, body, left_out, included, anchors, tabs, problems, gaps, map: out.map }
}

/// Takes the place of a piece of an address that only the generator knows. No text has it: it is no character.
pub(super) const UNKNOWN: char = '\u{fdd0}';

/// The files that a text names, in the order of their places.
pub fn inclusions(text: &str, body: usize, syntax: &'static [Syntax]) -> Vec<Inclusion> {
    let may_include: &[&str] = match syntax.contains(&Syntax::CodeFiles) {
        true => &["file="],
        false => &["import ", "{{", "{%", "--8<--", "<<<", "@include", "raw-loader", "include}"],
    };
    let mut asked = Vec::new();
    if syntax.contains(&Syntax::Liquid) {
        let file = |name: String| Inclusion { name, kind: InclusionKind::Markdown, span: body..body };
        asked.extend(liquid::listed(&text[..body]).map(file));
    }
    if syntax.is_empty() || !may_include.iter().any(|sign| text[body..].contains(sign)) {
        return asked;
    }
    let dialect = Dialect { syntax, ..Dialect::default() };
    let mut budget = 0;
    let mut translator = Translator::new(text, body, &dialect, BTreeMap::new(), 0, &mut budget);
    translator.run();
    asked.append(&mut translator.asked);
    // A template of Hugo names the file that it passes on in its actions.
    if syntax.contains(&Syntax::Shortcodes)
        && let Some(file) = shortcodes::passed_on(&text[body..])
    {
        asked.push(Inclusion { name: file.to_string(), kind: InclusionKind::Markdown, span: body..body });
    }
    asked
}

/// Bytes that a page may include at most: files may include each other.
const MOST_INCLUDED: usize = 1 << 20;

/// Files that include files are followed to this depth.
const DEEPEST: usize = 8;

/// Bytes of a line of its own that may hold something other than Markdown, in any syntax.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let signs = b"\n\\`<{}:+";
    let mut at = 0;
    while at < signs.len() {
        special[signs[at] as usize] = true;
        at += 1;
    }
    special
};

/// Something that was opened and is not yet closed.
#[derive(Debug)]
struct Block<'t> {
    kind: BlockKind<'t>,
    /// Written where it ends.
    close: Close,
    /// Columns before the line that opens it, in the text and as written.
    column: usize,
    out_column: usize,
    /// Columns before its own lines in the text, once known.
    body: Option<usize>,
    /// How many columns each of its lines loses.
    shift: usize,
}

#[derive(Debug, PartialEq)]
enum BlockKind<'t> {
    /// Ended by a tag, a shortcode or the like of that name.
    Named(&'t str),
    /// Ended by a line of at least so many marks.
    Fence { mark: u8, length: usize },
    /// Ended by so many colons.
    Colons { count: usize, directive: directives::Directive },
    /// Ended by a line that is indented less than this.
    Indented(usize),
    /// Ended by a blank line.
    Paragraph,
}

/// What ends a block.
#[derive(Clone, Debug, PartialEq)]
enum Close {
    Nothing,
    /// What ended it in the text.
    Same,
    /// Within the line.
    Inline(String),
    /// Lines of their own.
    Lines(String),
    /// The end of a tab, and of the tabs where no other follows.
    Tab,
}

#[expect(clippy::struct_excessive_bools, reason = "each says one thing of the line")]
struct Translator<'t, 'd> {
    text: &'t str,
    /// Everything before is translated.
    at: usize,
    body: usize,
    dialect: &'d Dialect,
    out: Output,
    /// Content columns of the list items around, as written.
    lists: Vec<usize>,
    /// What a further line in the same list items and quotes begins with, and whether this one has their marks.
    lead: String,
    has_marks: bool,
    /// Columns before the line, in the text and as written.
    column: usize,
    out_column: usize,
    /// Whether the line is a row of a table, which has to stay one line.
    is_row: bool,
    is_heading: bool,
    blocks: Vec<Block<'t>>,
    after_blank: bool,
    in_code: bool,
    /// Whether something of the line was left out.
    has_removed: bool,
    /// Whether blank lines are left out until the next line with text.
    collapses: bool,
    fuel: Fuel,
    /// The line whose end was looked for last.
    known_line: Cell<(usize, usize)>,
    paragraph: Paragraph,
    ticks: Ticks,
    left_out: Vec<LeftOut>,
    /// Where in the output each of them would be.
    gaps: Vec<usize>,
    asked: Vec<Inclusion>,
    included: Vec<Included>,
    anchors: Vec<Anchor>,
    tabs: Vec<(String, Range<usize>)>,
    marks_unknown: bool,
    /// Whether all of the text is within an address of the text that includes it.
    is_address: bool,
    problems: Vec<Problem>,
    /// Values with their labels of the tabs that were opened.
    tab_labels: Vec<Vec<(String, String)>>,
    /// The language of the tabs around where their text is code.
    code_tabs: Vec<Option<String>>,
    /// Whether the next tab belongs to the tabs of the last.
    goes_on_with_tabs: bool,
    /// Whether a branch of a choice was taken.
    has_branch: bool,
    /// Closing braces that belong to opening ones that were left out.
    braces: Vec<usize>,
    /// What imports and constants of MDX stand for.
    names: mdx::Names<'t>,
    /// What the text that includes this one gives to it.
    arguments: BTreeMap<String, String>,
    depth: usize,
    budget: &'d mut usize,
}

impl<'t, 'd> Translator<'t, 'd> {
    fn new(
        text: &'t str,
        body: usize,
        dialect: &'d Dialect,
        arguments: BTreeMap<String, String>,
        depth: usize,
        budget: &'d mut usize,
    ) -> Self {
        let mut fuel = Fuel::for_text(text.len() - body);
        let names = match dialect.has(Syntax::Mdx) {
            true => mdx::Names::of(text, body, &mut fuel),
            false => mdx::Names::default(),
        };
        let mut out = Output::default();
        out.copy(text, 0..body);
        Self {
            text,
            at: body,
            body,
            dialect,
            out,
            lists: Vec::new(),
            lead: String::new(),
            has_marks: false,
            column: 0,
            out_column: 0,
            is_row: false,
            is_heading: false,
            blocks: Vec::new(),
            after_blank: true,
            in_code: false,
            has_removed: false,
            collapses: false,
            fuel,
            known_line: Cell::default(),
            paragraph: Paragraph::default(),
            ticks: Ticks::default(),
            left_out: Vec::new(),
            gaps: Vec::new(),
            asked: Vec::new(),
            included: Vec::new(),
            anchors: Vec::new(),
            tabs: Vec::new(),
            marks_unknown: false,
            is_address: false,
            problems: Vec::new(),
            tab_labels: Vec::new(),
            code_tabs: Vec::new(),
            goes_on_with_tabs: false,
            has_branch: false,
            braces: Vec::new(),
            names,
            arguments,
            depth,
            budget,
        }
    }

    fn run(&mut self) {
        while self.at < self.text.len() {
            self.line();
        }
        let end = self.text.len();
        self.blank_line(end);
        self.end_indented(0, end);
    }

    fn has(&self, syntax: Syntax) -> bool {
        self.dialect.has(syntax)
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The end of the line at `at`, after its line end.
    fn line_end(&self, at: usize) -> usize {
        let (start, end) = self.known_line.get();
        if start <= at && at < end {
            return end;
        }
        let found = memchr::memchr(b'\n', &self.text.as_bytes()[at..]);
        let end = found.map_or(self.text.len(), |length| at + length + 1);
        self.known_line.set((at, end));
        end
    }

    /// Where something begins on this line from `from` on.
    fn find_in_line(&mut self, from: usize, wanted: &str) -> Option<usize> {
        let end = self.line_end(self.at);
        let found = self.fuel.find(self.text, from.min(end), wanted)?;
        (found < end).then_some(found)
    }

    /// The rest of the line from `at` on, without its line end.
    fn rest_of_line(&self, at: usize) -> &'t str {
        self.text[at..self.line_end(at)].trim_end_matches(['\n', '\r'])
    }

    /// Translates a line, and what goes on after it of what begins there.
    fn line(&mut self) {
        let start = self.at;
        let end = self.line_end(start);
        let line = &self.text[start..end];
        let content = line.trim_start_matches([' ', '\t']);
        if content.trim().is_empty() {
            self.blank_line(end);
            return;
        }
        self.collapses = false;
        self.lead.clear();
        if content.len() == line.len() && self.has(Syntax::Mdx) && self.statement() {
            return;
        }
        let blank = start..end - content.len();
        let column = columns(&self.text[blank.clone()]);
        self.end_indented(column, start);
        let (mut shift, out_column) = self.shifted(column, content);
        self.enter_lists(out_column, content);
        let around = self.lists.iter().rev().copied().find(|list| *list <= out_column).unwrap_or(0);
        let mut out_column = out_column;
        if out_column >= around + 4 && (self.after_blank || self.in_code) {
            if !self.has(Syntax::Mdx) {
                self.in_code = true;
                self.indent(&blank, column, out_column);
                self.copy_to(end);
                return;
            }
            // MDX has no code by indentation.
            shift += out_column - around;
            let block = Block {
                kind: BlockKind::Indented(column),
                close: Close::Nothing,
                column,
                out_column: around,
                body: Some(column),
                shift,
            };
            self.blocks.push(block);
            out_column = around;
            self.lists.retain(|list| *list <= around);
            self.enter_lists(out_column, content);
        }
        self.in_code = false;
        self.after_blank = false;
        self.indent(&blank, column, out_column);
        let (begin, inner) = after_markers(blank.end, content.trim_end());
        self.copy_to(begin);
        self.lead = continuation(&self.out.text[self.out.line..]);
        self.has_marks = !self.out.text[self.out.line..].trim().is_empty();
        self.out.shown = false;
        self.is_row = inner.starts_with('|');
        self.is_heading = inner.starts_with('#');
        (self.column, self.out_column) = (column, out_column);
        if self.has(Syntax::Myst) && myst::line(self, inner) {
            return;
        }
        if let Some((mark, length)) = opening_fence(inner) {
            self.fence(mark, length, column, out_column);
        } else if !self.begins(inner) {
            self.inline();
        }
    }

    fn blank_line(&mut self, end: usize) {
        self.after_blank = true;
        while let Some(block) = self.blocks.pop_if(|block| block.kind == BlockKind::Paragraph) {
            if let Close::Lines(lines) = block.close {
                self.out.end_block(&lines, block.out_column, self.at);
            }
        }
        if self.collapses {
            self.at = end;
        } else {
            self.copy_to(end);
        }
    }

    /// Translates what has to begin a line, if it is here; then all of it is translated, with its line end.
    fn begins(&mut self, inner: &'t str) -> bool {
        if inner.starts_with(":::") && self.has(Syntax::Directives) {
            return directives::line(self, inner);
        }
        let has_lists =
            self.has(Syntax::Kramdown) || self.has(Syntax::Indented) || self.has(Syntax::Shortcodes);
        if self.has(Syntax::Kramdown) {
            attributes::opens_markdown(self, inner);
        }
        self.has(Syntax::Indented) && (indented::line(self, inner) || self.contents(inner))
            || self.has(Syntax::Snippets) && snippets::line(self, inner)
            || self.has(Syntax::Vue) && vue::line(self, inner)
            || has_lists && attributes::line(self, inner)
            || self.has(Syntax::Shortcodes) && self.alert(inner)
    }

    /// `[TOC]` alone on its line.
    fn contents(&mut self, inner: &str) -> bool {
        let is_contents = inner == "[TOC]";
        if is_contents {
            self.remove(self.at + inner.len());
            self.end_of_line();
        }
        is_contents
    }

    /// `> [!NOTE] Title` is an alert with its title in bold.
    fn alert(&mut self, inner: &str) -> bool {
        let Some((name, title)) = inner.strip_prefix("[!").and_then(|inside| inside.split_once(']')) else {
            return false;
        };
        let title = title.trim_start_matches(['+', '-']).trim();
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_name || !self.lead.contains('>') {
            return false;
        }
        let kind = NoteKind::named(name).unwrap_or_default();
        // A slip of a known kind is reported where alerts are read.
        let is_slip = NoteKind::named(name).is_none() && similar_kind(name).is_some();
        if is_slip || title.is_empty() && kind.class().eq_ignore_ascii_case(name) {
            return false;
        }
        let title = if title.is_empty() && NoteKind::named(name).is_none() { name } else { title };
        let end = self.at + inner.len();
        let lead = self.lead.trim_end().to_string();
        let name = kind.class().to_uppercase();
        match title {
            "" => self.put(&format!("[!{name}]"), end),
            title => self.put(&format!("[!{name}]\n{lead} **{title}**\n{lead}"), end),
        }
        self.inline();
        true
    }

    /// Translates the rest of the line, and what goes on after it of what begins there.
    fn inline(&mut self) {
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let next = rest.iter().position(|byte| SPECIAL[usize::from(*byte)]).unwrap_or(rest.len());
            self.copy_to(self.at + next);
            let Some(&byte) = self.text.as_bytes().get(self.at) else {
                self.end_of_line();
                return;
            };
            match byte {
                b'\n' => {
                    if self.is_heading && self.has(Syntax::Kramdown) {
                        attributes::id_below(self);
                    }
                    self.end_of_line();
                    return;
                }
                b'\\' => self.copy_escaped(),
                b'`' => {
                    let end = self.after_code_span();
                    self.copy_code(end);
                }
                byte => {
                    if !self.place(byte) {
                        self.copy_to(self.at + 1);
                    }
                }
            }
        }
    }

    /// Translates what is here, if it is something; then `at` is behind it.
    fn place(&mut self, byte: u8) -> bool {
        let rest = self.rest();
        if byte == b'<' && rest.starts_with("<!--") {
            if self.has(Syntax::Vue) && snippets::comment(self) {
                return true;
            }
            let end = self.fuel.find(self.text, self.at, "-->").map_or(self.at + 4, |end| end + 3);
            if self.has(Syntax::Indented) {
                indented::directive(self, end);
            }
            self.copy_to(end);
            return true;
        }
        if byte == b'}' {
            return self.braces.pop_if(|brace| *brace <= self.at).is_some_and(|brace| {
                let is_here = brace == self.at;
                if is_here {
                    self.remove(brace + 1);
                }
                is_here
            });
        }
        let has_lists = self.has(Syntax::Kramdown) || self.has(Syntax::Indented) || self.has(Syntax::Vue);
        self.has(Syntax::Mdx) && mdx::place(self, byte)
            || self.has(Syntax::Mdbook) && byte == b'{' && mdbook::place(self)
            || self.has(Syntax::Shortcodes) && byte == b'{' && shortcodes::place(self)
            || self.has(Syntax::Liquid) && byte == b'{' && liquid::place(self)
            || self.has(Syntax::Vue) && vue::place(self, byte)
            || self.has(Syntax::Myst) && byte == b'{' && myst::place(self)
            || has_lists && byte == b'{' && attributes::place(self)
            || self.has(Syntax::Indented)
                && (indented::place(self, byte) || byte == b'{' && indented::output(self))
    }

    /// Copies code up to `end`: only what says that it is not to be read is left out of it.
    fn copy_code(&mut self, end: usize) {
        let code = &self.text[self.at..end];
        if self.has(Syntax::Shortcodes) && (code.contains("{{</*") || code.contains("{{%/*")) {
            // An example may end behind the code that it begins in.
            while let Some(at) = self.text.get(self.at..end).and_then(|rest| rest.find("{{")) {
                self.copy_to(self.at + at);
                let is_example = self.rest().starts_with("{{</*") || self.rest().starts_with("{{%/*");
                if !is_example || !shortcodes::example(self, "") || self.at > end {
                    self.copy_to((self.at + 2).min(end).max(self.at));
                }
            }
        } else if self.has(Syntax::Liquid) && code.contains("raw") && code.contains("{%") {
            while let Some(at) = self.text[self.at..end].find("{%").map(|at| self.at + at) {
                self.copy_to(at);
                let close = self.text[at..end].find("%}").map(|close| at + close + 2);
                let inside = |close: usize| self.text[at + 2..close - 2].trim_matches('-').trim();
                match close.filter(|close| matches!(inside(*close), "raw" | "endraw")) {
                    Some(close) => self.at = close,
                    None => self.copy_to(at + 2),
                }
            }
        }
        if self.at < end {
            self.copy_to(end);
        }
    }

    /// What the front matter says of a key of one line.
    fn front(&self, key: &str) -> Option<Cow<'t, str>> {
        let mut lines = self.text[..self.body].lines().take(MOST_KEYS);
        let value = |line: &'t str| line.strip_prefix(key)?.trim_start().strip_prefix([':', '=']);
        let value = lines.find_map(value)?.trim();
        if matches!(value, ">" | ">-") {
            // A folded text of YAML.
            let words: Vec<&str> = lines.take_while(|line| line.starts_with(' ')).map(str::trim).collect();
            return Some(words.join(" ").into());
        }
        let quoted = value.strip_prefix(['"', '\'']).and_then(|inside| inside.strip_suffix(['"', '\'']));
        Some(quoted.unwrap_or(value))
            .filter(|value| !value.is_empty() && !value.starts_with(['|', '>', '[', '{']))
            .map(Cow::Borrowed)
    }

    fn copy_escaped(&mut self) {
        let next = self.text[self.at + 1..].chars().next();
        let length = next.filter(|next| *next != '\n' && *next != '\r').map_or(0, char::len_utf8);
        self.copy_to(self.at + 1 + length);
    }

    fn after_code_span(&mut self) -> usize {
        let length = run_length(self.rest(), b'`');
        let inside = self.at + length;
        let end = self.paragraph.end(self.text, inside);
        self.ticks.next(self.text, inside, end, length).map_or(inside, |close| close + length)
    }

    fn copy_to(&mut self, end: usize) {
        self.out.copy(self.text, self.at..end);
        self.at = end;
    }

    /// Writes something within the line instead of what is up to `end`.
    fn put(&mut self, new: &str, end: usize) {
        self.out.put(new, self.at..end);
        self.at = end;
    }

    /// Leaves out what is up to `end`.
    fn remove(&mut self, end: usize) {
        self.at = end;
        self.has_removed = true;
    }

    /// Leaves out what is not understood.
    fn leave_out(&mut self, kind: &'static str, name: &str, end: usize) {
        self.note(kind, name, Why::Unknown, self.at..end);
        if self.marks_unknown && self.is_in_address() {
            let unknown = UNKNOWN.to_string();
            self.put(&unknown, end);
        } else {
            self.remove(end);
        }
    }

    /// Whether what is written next belongs to an address: in the parentheses of a link, in an attribute that names one,
    /// or in the definition of a link.
    fn is_in_address(&self) -> bool {
        const NAMES: [&str; 9] = ["href", "src", "to", "srcset", "poster", "data", "action", "url", "link"];
        let line = near_end(&self.out.text[self.out.line..]);
        let rest = near_start(self.rest_of_line(self.at));
        let tail = line.rsplit([' ', '\t']).next().unwrap_or_default();
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

    fn note(&mut self, kind: &'static str, name: &str, why: Why, span: Range<usize>) {
        let is_outside = why == Why::Missing && self.dialect.absent.get(name) == Some(&Absence::Outside);
        let why = if is_outside { Why::Outside } else { why };
        self.left_out.push(LeftOut { kind: kind.into(), name: name.to_string(), why, span });
        self.gaps.push(self.out.text.len());
    }

    /// Ends the output's line, where something is on it.
    fn fresh_line(&mut self, end: usize) {
        if self.out.shown {
            let lead = format!("\n{}", self.lead);
            self.out.put(&lead, self.at..end);
            self.out.shown = false;
        }
    }

    /// Writes lines of their own instead of what is up to `end`; what follows on the line gets one of its own.
    fn put_lines(&mut self, lines: &str, end: usize) {
        self.fresh_line(end);
        let lead = format!("\n{}", self.lead);
        let span = self.at..end;
        let mut is_first = true;
        for line in lines.split('\n') {
            if !is_first {
                let lead = if line.is_empty() { lead.trim_end_matches([' ', '\t']) } else { &lead };
                self.out.put(lead, span.clone());
            }
            self.out.put(line, span.clone());
            is_first = false;
        }
        self.at = end;
        let rest = self.rest_of_line(end);
        let bare = rest.trim_start_matches([' ', '\t']);
        self.at += rest.len() - bare.len();
        if !bare.is_empty() {
            self.out.put(&lead, span);
            self.out.shown = false;
        }
    }

    /// Ends the line, or drops it where nothing is left of it.
    fn end_of_line(&mut self) {
        let end = (self.at + 1).min(self.text.len());
        let is_dropped = std::mem::take(&mut self.has_removed) && !self.out.shown && !self.has_marks;
        if !is_dropped {
            self.copy_to(end);
            return;
        }
        self.out.truncate_line();
        let end_of_text = self.out.text.len();
        self.gaps.iter_mut().rev().take_while(|gap| **gap > end_of_text).for_each(|gap| *gap = end_of_text);
        let span = self.at..end;
        self.at = end;
        let next_is_blank = self.rest_of_line(end).trim().is_empty();
        let after_blank = self.out.text.len() <= self.body || self.out.text.ends_with("\n\n");
        if after_blank {
            self.collapses = true;
        } else if !next_is_blank && !self.is_between_tags() {
            self.out.put("\n", span);
        }
    }

    /// Whether the line before ends with a tag or a marker, so that no text has to be kept apart from it.
    fn is_between_tags(&self) -> bool {
        self.out.text.trim_end().ends_with('>')
    }

    /// Writes the indentation of a line.
    fn indent(&mut self, blank: &Range<usize>, column: usize, out_column: usize) {
        let written = &self.text[blank.clone()];
        if column == out_column {
            self.copy_to(blank.end);
        } else if written.bytes().all(|byte| byte == b' ') && out_column < column {
            self.at = blank.start + (column - out_column);
            self.copy_to(blank.end);
        } else {
            self.put(&" ".repeat(out_column), blank.end);
        }
    }

    /// The columns that a line loses, and those that it keeps.
    fn shifted(&mut self, column: usize, content: &str) -> (usize, usize) {
        let Some(last) = self.blocks.len().checked_sub(1) else { return (0, column) };
        // What closes a block is where it was opened.
        if let Some(block) = self.closed_by(content) {
            let block = &self.blocks[block];
            return (block.shift, block.out_column);
        }
        let before = last.checked_sub(1).map_or(0, |before| self.blocks[before].shift);
        let block = &mut self.blocks[last];
        if block.body.is_none() {
            block.body = Some(column);
            block.shift = before + column.saturating_sub(block.column.max(before));
        }
        let shift = block.shift;
        (shift, column.saturating_sub(shift).max(column.min(block.out_column)))
    }

    /// The block that a line ends which begins with its end.
    fn closed_by(&self, content: &str) -> Option<usize> {
        let name = tag::closing(content, 0)?.0;
        let near = self.blocks.len().saturating_sub(FURTHEST);
        let found = self.blocks[near..].iter().rposition(|block| block.kind == BlockKind::Named(name));
        found.map(|found| near + found)
    }

    /// Ends the blocks that go on as long as lines are indented, before a line at `column`.
    fn end_indented(&mut self, column: usize, at: usize) {
        while let Some(Block { kind: BlockKind::Indented(least), .. }) = self.blocks.last() {
            if column >= *least && at < self.text.len() {
                return;
            }
            let block = self.blocks.pop().expect("it is the last");
            match block.close {
                Close::Lines(lines) => self.out.end_block(&lines, block.out_column, at),
                Close::Tab => {
                    let next = self.rest_of_line(at).trim();
                    self.goes_on_with_tabs =
                        column == block.column && indented::tab_label(next).is_some() && at < self.text.len();
                    let lines = if self.goes_on_with_tabs { "</tab>" } else { "</tab>\n</tabs>" };
                    self.out.end_block(lines, block.out_column, at);
                }
                _ => {}
            }
        }
    }

    /// Opens a block whose lines lose the indentation that they have below this one.
    fn open(&mut self, kind: BlockKind<'t>, close: Close) {
        let shift = self.blocks.last().map_or(0, |block| block.shift);
        let (column, out_column) = (self.column, self.out_column);
        self.blocks.push(Block { kind, close, column, out_column, body: None, shift });
    }

    /// Opens one whose lines stay where they are.
    fn open_in_place(&mut self, kind: BlockKind<'t>, close: Close) {
        self.open(kind, close);
        if let Some(block) = self.blocks.last_mut() {
            block.body = Some(block.column);
        }
    }

    /// How many colons a note needs to be within those that are open.
    fn note_colons(&self) -> usize {
        let count = |block: &Block<'_>| match (&block.kind, &block.close) {
            (BlockKind::Colons { count, .. }, _) => Some(*count),
            (_, Close::Lines(lines)) => {
                let last = lines.rsplit('\n').next().filter(|last| last.starts_with(":::"));
                last.map(str::len)
            }
            _ => None,
        };
        self.blocks.iter().rev().take(FURTHEST).find_map(count).map_or(3, |count| count + 1)
    }

    /// Takes the innermost block of a name, and all within it.
    fn close_named(&mut self, name: &str) -> Option<Block<'t>> {
        let near = self.blocks.len().saturating_sub(FURTHEST);
        let found = self.blocks[near..].iter().rposition(|block| block.kind == BlockKind::Named(name))?;
        self.blocks.truncate(near + found + 1);
        self.blocks.pop()
    }

    /// Writes what ends the block that a tag of a name closes; one that closes nothing is left out.
    fn close_block(&mut self, name: &str, end: usize) {
        let Some(block) = self.close_named(name) else { return self.remove(end) };
        match block.close {
            Close::Lines(lines) => {
                if lines == "</tabs>" {
                    self.tab_labels.pop();
                    self.code_tabs.pop();
                }
                self.put_lines(&lines, end);
            }
            Close::Inline(text) => self.put(&text, end),
            Close::Same => self.copy_to(end),
            Close::Nothing | Close::Tab => self.remove(end),
        }
    }

    /// Keeps `lists` what it is at this line.
    fn enter_lists(&mut self, indent: usize, content: &str) {
        while self.lists.last().is_some_and(|&column| indent < column) {
            self.lists.pop();
        }
        let mut column = indent;
        let mut rest = content;
        if indent >= self.lists.last().copied().unwrap_or(0) + 4 {
            return;
        }
        while let Some(marker) = marker(rest, column) {
            column += marker.columns;
            self.lists.push(column);
            rest = &rest[marker.bytes..];
        }
    }

    /// Copies fenced code, from its opening line to its closing one.
    fn fence(&mut self, mark: u8, length: usize, column: usize, out_column: usize) {
        if self.has(Syntax::CodeFiles) && files::fence(self, mark, length) {
            return;
        }
        let info_end = self.line_end(self.at);
        let info = self.rest_of_line(self.at)[length..].trim_start();
        if info.contains('{') {
            attributes::id_of_fence(self, length);
        }
        let is_rust = info.starts_with("rust") || info.starts_with("rs");
        let group = self.begin_fence(length, info_end);
        self.copy_to(info_end);
        let taken = column.saturating_sub(out_column);
        // What MDX does not read as code ends nothing.
        let least = self.blocks.iter().rev().find_map(|block| match block.kind {
            BlockKind::Indented(least) if block.close != Close::Nothing => Some(least),
            _ => None,
        });
        while self.at < self.text.len() {
            let start = self.at;
            let end = self.line_end(start);
            let line = &self.text[start..end];
            let content = line.trim_start_matches([' ', '\t']);
            let blank = line.len() - content.len();
            if !content.trim().is_empty() && least.is_some_and(|least| columns(&line[..blank]) < least) {
                break;
            }
            let bare = content.trim_start_matches(['>', ' ', '\t']).trim_end();
            self.at += line.bytes().take(taken.min(blank)).take_while(|byte| *byte == b' ').count();
            let is_include = self.has(Syntax::Mdbook) && mdbook::in_code(self, is_rust, end)
                || self.has(Syntax::Snippets) && snippets::in_code(self, end);
            if is_include {
                continue;
            }
            self.copy_code(end);
            let run = run_length(bare, mark);
            if run >= length && bare[run..].trim().is_empty() {
                break;
            }
        }
        if group {
            self.out.end_block("</tab>", out_column, self.at);
        }
    }

    /// Writes what comes before a fence, and what of its line is to be changed; gives whether it is a tab.
    fn begin_fence(&mut self, length: usize, end: usize) -> bool {
        let is_in_group = matches!(
            self.blocks.last().map(|block| &block.kind),
            Some(BlockKind::Colons { directive: directives::Directive::CodeGroup, .. })
        );
        is_in_group && directives::begin_code_tab(self, length, end)
    }

    /// The text of a file that is included, if it is there, and notes that it was asked for.
    fn part(&mut self, name: &str, kind: InclusionKind, span: Range<usize>) -> Option<&'d str> {
        if !self.asked.iter().rev().take(FURTHEST).any(|asked| asked.name == name) {
            self.asked.push(Inclusion { name: name.to_string(), kind, span: span.clone() });
        }
        let part = self.dialect.parts.get(name)?;
        let left = self.budget.checked_sub(part.text.len())?;
        *self.budget = left;
        self.included.push(Included { path: part.path.clone(), span });
        Some(&part.text)
    }

    /// The text of an included page, translated, without its front matter; all of it has the place up to `end`.
    fn included(&mut self, text: &str, arguments: BTreeMap<String, String>, end: usize) -> String {
        if self.depth >= DEEPEST {
            return String::new();
        }
        let body = body_of(text);
        let is_address = self.marks_unknown && self.is_in_address();
        let mut translator =
            Translator::new(text, body, self.dialect, arguments, self.depth + 1, self.budget);
        translator.marks_unknown = self.marks_unknown;
        translator.is_address = is_address;
        translator.run();
        let Translator { out, left_out, asked, anchors, included, .. } = translator;
        let place = self.at..end;
        self.included.extend(included.into_iter().map(|it| Included { span: place.clone(), ..it }));
        self.anchors.extend(anchors.into_iter().map(|it| Anchor { span: place.clone(), ..it }));
        self.gaps.extend(left_out.iter().map(|_| self.out.text.len()));
        self.left_out.extend(left_out.into_iter().map(|it| LeftOut { span: place.clone(), ..it }));
        self.asked.extend(asked.into_iter().map(|it| Inclusion { span: place.clone(), ..it }));
        out.text[body..].trim_matches(['\n', '\r']).to_string()
    }

    /// Writes Markdown in lines of its own, apart from what is around.
    fn put_markdown(&mut self, markdown: &str, end: usize) {
        if markdown.trim().is_empty() {
            self.remove(end);
            return;
        }
        if !markdown.contains('\n') {
            self.put(markdown, end);
            return;
        }
        let is_apart = !self.out.shown && self.out.is_after_blank(self.body);
        let before = if is_apart { "" } else { "\n" };
        let next = self.line_end(end);
        let follows = !self.rest_of_line(end).trim().is_empty() || !self.rest_of_line(next).trim().is_empty();
        let after = if follows { "\n" } else { "" };
        self.put_lines(&format!("{before}{markdown}{after}"), end);
    }
}

/// Bytes of the longest address that is looked for around a piece of it.
const LONGEST_ADDRESS: usize = 2_000;

fn near_end(text: &str) -> &str {
    let from = text.len().saturating_sub(LONGEST_ADDRESS);
    (from..).find_map(|from| text.get(from..)).unwrap_or_default()
}

fn near_start(text: &str) -> &str {
    let to = LONGEST_ADDRESS.min(text.len());
    (0..=to).rev().find_map(|to| text.get(..to)).unwrap_or_default()
}

/// Lines of front matter that are looked at for a key.
const MOST_KEYS: usize = 200;

/// How many open blocks are looked at for the one that is closed.
const FURTHEST: usize = 64;

/// Where the body of an included page begins.
pub(crate) fn body_of(text: &str) -> usize {
    let bare = text.trim_start_matches('\u{feff}');
    let is_opened = bare.starts_with("---\n") || bare.starts_with("---\r\n");
    // With the end of the first line: the block may be empty.
    let Some(inside) = bare.strip_prefix("---").filter(|_| is_opened) else { return 0 };
    let end = inside.find("\n---").map(|at| at + 4);
    let end = end.filter(|end| inside[*end..].lines().next().is_none_or(|rest| rest.trim().is_empty()));
    let line = |end: usize| inside[end..].find('\n').map_or(inside.len(), |length| end + length + 1);
    end.map_or(0, |end| text.len() - inside.len() + line(end))
}
