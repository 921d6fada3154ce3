//! Reads one page: its HTML, and everything that later stages ask about it.
//!
//! In: the text of a page. Out: [`WholePage`], whose HTML has placeholders where link and image targets and code
//! go, because those depend on the rest of the site. What asks for no HTML gets the [`Page`] alone. Pure in the text and its [`Edition`], so a page
//! can be kept by the hash of both. Code is highlighted later, so `check` does without it.
//!
//! `extract` applies what depends on the platform and takes notes and hand-written navigation out, `pulldown-cmark`
//! reads the rest, `blocks` mends its structure, and `write` turns it into HTML and notes what the page names.
//! `slips` and `foreign` look for failed markup in what is shown as text.
//!
//! A page of another tool is translated first (`dialect`), read as one of ours, and given the places of the file
//! (`relocate`).

mod autolink;
mod blocks;
mod conflict;
mod dialect;
mod elements;
mod embedded;
mod extract;
mod fence;
mod foreign;
mod html;
mod mojibake;
mod ours;
mod plain;
mod prose;
mod quotes;
mod relocate;
mod sink;
mod slips;
mod span;
mod suppress;
#[cfg(test)]
mod tests;
mod twin;
mod write;

use std::ops::{Deref, Range, RangeInclusive};

use serde::{Deserialize, Serialize};

pub(crate) use self::dialect::body_of;
pub use self::dialect::{
    Included, Inclusion, InclusionKind, LeftOut, Translated, Why, conditions, inclusions, is_tab_label,
    translate,
};
pub(crate) use self::extract::wholes;
pub use self::html::{HeadHtml, anchors as html_anchors};
pub use self::mojibake::repair;
pub(crate) use self::ours::{Ours, Wanted, in_ours, with_targets};
pub use self::prose::{Passage, Prose, ProseKind};
use self::sink::{Nowhere, Sink};
pub use self::twin::twin;
pub(crate) use self::write::Ids;
pub use self::write::cells;

use crate::base::diagnostic::{Code, Problem};
use crate::base::index::{IndexVec, newtype_index};
use crate::base::url::{self, Purpose};
use crate::input::conventions::{AnchorRule, Syntax};
use crate::input::dialect::Dialect;
use crate::input::words::Word;
use crate::markup::edition::Edition;

/// A page with its HTML.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WholePage {
    pub page: Page,
    pub body: Body,
}

impl Deref for WholePage {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}

/// Everything known about a page from its text and its edition, but for its HTML. Spans are byte ranges into the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    pub headings: IndexVec<HeadingIx, Heading>,
    /// Every anchor of the page, in its order: headings, settings, ids of raw HTML.
    pub anchors: Vec<Anchor>,
    /// Anchors that a generator of another tool makes on the page and that are not in `body`: of footnotes, tabs, labels.
    pub other_anchors: Vec<Anchor>,
    /// Links, images and other addresses, in their order.
    pub references: IndexVec<ReferenceIx, Reference>,
    /// What links by reference lead to: `[name]: /address`.
    pub definitions: Vec<Definition>,
    pub code: IndexVec<CodeIx, CodeBlock>,
    pub notes: Vec<Note>,
    pub tables: IndexVec<PageTableIx, Table>,
    /// The text of every paragraph, heading, item and cell, in their order.
    pub prose: Prose,
    /// Where numbered lists go on that CommonMark would show as lists of their own.
    pub joined_lists: Vec<Range<usize>>,
    /// The highest number that an item of a numbered list has.
    pub highest_step: u64,
    /// Comments that accept findings on purpose.
    pub suppressions: Vec<Suppression>,
    /// Comments of authors; they are not in `body`.
    pub comments: Vec<Range<usize>>,
    /// Tags in raw HTML that HTML does not know.
    pub unknown_elements: Vec<Element>,
    /// Previous and next links that were typed by hand; they are not in `body`.
    pub navigation: Vec<HandWritten>,
    /// Links to other platforms that were typed by hand, on pages of a platform; they are not in `body`.
    pub switchers: Vec<Switcher>,
    /// Blocks for some platforms only, those left out of this edition included.
    pub platform_blocks: Vec<PlatformBlock>,
    /// Where readers see other words than are written: no edit may write over them.
    pub replaced: Vec<Range<usize>>,
    /// How many minutes it takes to read and to follow, judged by its text.
    pub minutes: f64,
    /// Where git left what it could not merge: nothing else is reported there.
    pub conflicts: Vec<Range<usize>>,
    /// What a page of another tool has that is not understood; it is not in `body`.
    pub left_out: Vec<LeftOut>,
    /// The files that are parts of it, by their places.
    pub included: Vec<Included>,
    pub problems: Vec<Problem>,
}

impl Page {
    /// The ids that headings without one of their own have by a rule.
    pub fn heading_ids(&self, rule: AnchorRule) -> impl Iterator<Item = String> {
        let mut ids = Ids::default();
        let named = self.headings.iter().filter(|heading| heading.own_id.is_none());
        named.map(move |heading| ids.unique_by(rule, rule.id(&heading.text)))
    }

    /// Adds the ids that generators give to footnotes and tabs.
    fn anchors_of_generator(&mut self, text: &str, body: usize, tabs: &[(String, Range<usize>)]) {
        let mut count = 0;
        let mut at = body;
        for line in text[body..].split_inclusive('\n') {
            let indent = line.len() - line.trim_start().len();
            let name = line[indent..].strip_prefix("[^").and_then(|rest| rest.split_once("]:"));
            if let Some((name, _)) = name.filter(|(name, _)| !name.contains(']')) {
                count += 1;
                let span = at + indent..at + indent + name.len() + 3;
                // By Python-Markdown, kramdown and goldmark, by markdown-it, by remark; some take the name, others a number.
                for name in [name, &count.to_string()] {
                    let ids = ["fn:", "fnref:", "fn", "fnref", "user-content-fn-", "user-content-fnref-"];
                    let ids = ids.iter().map(|it| Anchor { id: format!("{it}{name}"), span: span.clone() });
                    self.other_anchors.extend(ids);
                }
            }
            at += line.len();
        }
        let mut headings = self.headings.iter().peekable();
        let mut above: Option<&Heading> = None;
        for (label, span) in tabs {
            while headings.peek().is_some_and(|heading| heading.span.start <= span.start) {
                above = headings.next();
            }
            for rule in [AnchorRule::Trimmed, AnchorRule::Python] {
                let id = rule.id(label);
                let joined = above.map(|heading| format!("{}-{id}", heading.id));
                let ids = joined.into_iter().chain([id]);
                self.other_anchors.extend(ids.map(|id| Anchor { id, span: span.clone() }));
            }
        }
    }

    /// What is not included may begin or end the elements that seem to have no other tag.
    fn doubt_tags(&mut self) {
        if self.left_out.iter().all(|it| it.why == Why::Unknown) {
            return;
        }
        let is_of_tags =
            |problem: &&mut Problem| matches!(problem.code, Code::StrayEndTag | Code::UnclosedElement);
        for problem in self.problems.iter_mut().filter(is_of_tags) {
            *problem = problem.clone().as_advice();
        }
    }

    /// Marks the addresses that hold a piece which only the generator knows.
    fn set_unknown_apart(&mut self, text: &str) {
        // An expression, or a piece that was left out.
        let is_unknown = |target: &str| target.contains(dialect::UNKNOWN) || target.contains("${");
        let written = |span: &Range<usize>, target: &str| match text.get(span.clone()) {
            Some(written) if !written.is_empty() => written.to_string(),
            _ => target.replace(dialect::UNKNOWN, ""),
        };
        for it in self.references.iter_mut().filter(|it| is_unknown(&it.target)) {
            it.target = written(&it.span, &it.target);
            it.form = ReferenceForm::Foreign;
        }
        for it in self.definitions.iter_mut().filter(|it| is_unknown(&it.target)) {
            it.target = written(&it.span, &it.target);
        }
    }

    /// Reading goes at 200 words a minute, a slow pace that suits instructions. A picture is compared with a
    /// screen, a setting looked up, and code put in its place: a quarter of a minute, and a whole one for code.
    fn estimate(&self) -> f64 {
        let words = self.prose.words();
        let pictures = self.references.iter().filter(|it| it.kind == ReferenceKind::Image).count();
        let settings: usize = self.tables.iter().filter(|it| it.settings).map(|it| it.rows.len()).sum();
        let quarters = u32::try_from(pictures + settings + 4 * self.code.len()).unwrap_or(u32::MAX);
        f64::from(u32::try_from(words).unwrap_or(u32::MAX)) / 200.0 + f64::from(quarters) / 4.0
    }
}

/// HTML with placeholders.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Body {
    html: String,
    /// Offsets into `html`, ascending.
    placeholders: Vec<(usize, Placeholder)>,
}

/// What is filled in once the site is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Placeholder {
    /// The address of a reference, ready for a quoted attribute.
    Address(ReferenceIx),
    /// In front of an image: its smaller versions.
    PictureStart(ReferenceIx),
    /// The address of an image, quotes closed, and its size: `…" width="…" height="…`.
    Picture(ReferenceIx),
    /// After an image: what its smaller versions need, and the same image for dark colours.
    PictureEnd,
    /// The size of an image of raw HTML, as attributes: all of it, or the height for a `width` that its author gave.
    Size { at: ReferenceIx, width: Option<u32> },
    /// That an image of raw HTML may load when it comes into view, as an attribute.
    Lazy,
    /// The highlighted inside of a code block.
    Code(CodeIx),
    /// In front of an id, and of one that a link names: nothing, or what sets it apart from those of another page.
    IdPrefix,
    /// The level of a heading that its author gave level 1: only one on a page is shown at it.
    Level(HeadingIx),
    /// The end of a row of a settings table: what other platforms say of the setting.
    Setting { table: PageTableIx, row: TableRowIx },
    /// A word in the language of the site.
    Word(Word),
    /// The same with a number in its slot `number`.
    NumberedWord(Word, u64),
}

impl Body {
    /// Text and placeholders in turn: each piece of HTML with the placeholder after it, if one follows.
    pub fn pieces(&self) -> impl Iterator<Item = (&str, Option<Placeholder>)> {
        let ends = self
            .placeholders
            .iter()
            .map(|&(at, placeholder)| (at, Some(placeholder)))
            .chain([(self.html.len(), None)]);
        ends.scan(0, |start, (end, placeholder)| {
            Some((&self.html[std::mem::replace(start, end)..end], placeholder))
        })
    }

    /// Bytes of HTML, with nothing in its placeholders.
    pub fn size(&self) -> usize {
        self.html.len()
    }
}

newtype_index! {
    /// The position of a heading in [`Page::headings`].
    #[derive(Serialize, Deserialize)]
    pub struct HeadingIx
}
newtype_index! {
    /// The position of a reference in [`Page::references`].
    #[derive(Serialize, Deserialize)]
    pub struct ReferenceIx
}
newtype_index! {
    /// The position of a block of code in [`Page::code`].
    #[derive(Serialize, Deserialize)]
    pub struct CodeIx
}
newtype_index! {
    /// The position of a table in [`Page::tables`].
    #[derive(Serialize, Deserialize)]
    pub struct PageTableIx
}
newtype_index! {
    /// The position of a row in [`Table::rows`].
    #[derive(Serialize, Deserialize)]
    pub struct TableRowIx
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Without markup, mojibake repaired.
    pub text: String,
    pub id: String,
    /// The id that the author gave; another one where an earlier heading has it.
    pub own_id: Option<String>,
    pub span: Range<usize>,
}

impl Heading {
    /// The text without its leading section number: `4.1 Create` is `Create`.
    pub fn bare_text(&self) -> &str {
        let rest = self.text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        match rest.strip_prefix(|c: char| c.is_whitespace() || c == ')') {
            Some(bare) if rest.len() < self.text.len() && !bare.trim().is_empty() => bare.trim_start(),
            _ => &self.text,
        }
    }

    /// The leading section number without a final dot: `4.1`.
    pub fn number(&self) -> Option<&str> {
        let bare = self.bare_text();
        let number = self.text[..self.text.len() - bare.len()].trim().trim_end_matches(['.', ')']);
        Some(number).filter(|number| !number.is_empty())
    }
}

/// A comment that accepts findings on purpose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suppression {
    /// As written, known or not.
    pub codes: Vec<String>,
    /// Empty when none is given.
    pub reason: String,
    /// Where findings are accepted.
    pub covers: Range<usize>,
    pub span: Range<usize>,
}

/// A tag in raw HTML.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Element {
    pub name: String,
    pub span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    pub id: String,
    pub span: Range<usize>,
}

/// An address that the page names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    pub kind: ReferenceKind,
    /// As written, entities decoded.
    pub target: String,
    /// The text of a link, or the alternative text of an image; `None` where none was written, which
    /// for an image in HTML is not the same as an empty one.
    pub text: Option<String>,
    /// Where the target is.
    pub span: Range<usize>,
    pub form: ReferenceForm,
}

/// How a target is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReferenceForm {
    /// Alone: in the parentheses of a link, in an attribute.
    #[default]
    Target,
    /// As text, which is a link only as a whole URL.
    Bare,
    /// In the syntax of another tool, so it leads nowhere.
    Foreign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReferenceKind {
    /// Somewhere a reader can go.
    Link,
    /// A picture the page shows.
    Image,
    /// Any other file the page loads.
    File,
}

impl ReferenceKind {
    fn purpose(self) -> Purpose {
        match self {
            Self::Link => Purpose::Document,
            Self::Image => Purpose::Picture,
            Self::File => Purpose::File,
        }
    }
}

impl Reference {
    /// A link that is no reference of its page, because it was taken out as navigation.
    pub fn of_navigation(label: &str, target: &str, span: &Range<usize>) -> Self {
        let (target, text) = (target.to_string(), Some(label.to_string()));
        Self { kind: ReferenceKind::Link, target, text, span: span.clone(), form: ReferenceForm::Target }
    }

    /// Whether its target must not be published: it would run in the reader's browser.
    pub fn is_unsafe(&self) -> bool {
        url::is_unsafe(&self.target, self.kind.purpose())
    }
}

/// The target of links by reference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    pub target: String,
    /// Where the target is.
    pub span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CodeBlock {
    /// The first word of the fence's info string, as written; empty when there is none.
    pub language: String,
    pub code: String,
    /// Lines that the author marks, from 1; all of them are there.
    pub marks: Vec<RangeInclusive<usize>>,
    /// Where the language is, or the whole block when it names none.
    pub span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    pub kind: NoteKind,
    pub span: Range<usize>,
    /// Text after a blank line that CommonMark would take for code.
    pub trap: Option<Range<usize>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoteKind {
    #[default]
    Note,
    Tip,
    Important,
    Warning,
    Caution,
}

impl NoteKind {
    /// The kind that a class or word names, with the words other tools use for it.
    pub fn named(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "note" | "info" | "aside" => Some(Self::Note),
            "tip" | "hint" | "success" => Some(Self::Tip),
            "important" => Some(Self::Important),
            "warning" | "warn" => Some(Self::Warning),
            "caution" | "danger" | "error" => Some(Self::Caution),
            _ => None,
        }
    }

    pub fn class(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Tip => "tip",
            Self::Important => "important",
            Self::Warning => "warning",
            Self::Caution => "caution",
        }
    }

    /// What readers see in front of the text.
    pub fn word(self) -> Word {
        match self {
            Self::Note => Word::Note,
            Self::Tip => Word::Tip,
            Self::Important => Word::Important,
            Self::Warning => Word::Warning,
            Self::Caution => Word::Caution,
        }
    }
}

/// A table's text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Whether the first column names settings.
    pub settings: bool,
    pub header: Vec<Column>,
    pub rows: IndexVec<TableRowIx, Row>,
    /// The heading above.
    pub heading: Option<HeadingIx>,
    pub span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    pub title: String,
    /// Whether its title says that it describes settings.
    pub describes: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The anchor of a setting.
    pub id: Option<String>,
    pub cells: Vec<String>,
    /// How many cells were written; missing ones are added and surplus ones dropped.
    pub written: usize,
    pub span: Range<usize>,
}

/// Text for some platforms only: `:::platform ios android` … `:::`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlatformBlock {
    /// As written, each with its place.
    pub platforms: Vec<(String, Range<usize>)>,
    /// Whether it is for all others: `:::platform not ios`.
    pub excludes: bool,
    /// The line that opens it.
    pub span: Range<usize>,
}

impl PlatformBlock {
    /// Whether the readers of a platform see it. Where there is no platform, or none is named, all do.
    fn is_for(&self, platform: Option<&str>) -> bool {
        let Some(id) = platform.filter(|_| !self.platforms.is_empty()) else { return true };
        let is_named = self.platforms.iter().any(|(name, _)| name.eq_ignore_ascii_case(id));
        is_named != self.excludes
    }
}

/// Links to the same step on other platforms, typed by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Switcher {
    pub links: Vec<SwitcherLink>,
    /// The whole of its paragraph.
    pub span: Range<usize>,
}

/// A link of a [`Switcher`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwitcherLink {
    /// The name of a platform.
    pub label: String,
    pub target: String,
    pub target_span: Range<usize>,
}

/// A previous or next link typed by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandWritten {
    pub direction: Direction,
    /// The title it gives; empty when it gives none.
    pub label: String,
    pub target: String,
    pub target_span: Range<usize>,
    pub span: Range<usize>,
    /// What goes with the link when it is removed: the links beside it and the breaks around them.
    pub removal: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    Previous,
    Next,
}

/// Reads the page in `text`, a whole file, from the offset `body` on, as it is shown to the
/// readers of one platform.
pub fn parse(text: &str, body: usize, edition: &Edition, dialect: &Dialect) -> WholePage {
    let (page, body) = parse_into(text, body, edition, dialect);
    WholePage { page, body }
}

/// Reads a page as [`parse`] does, and keeps none of its HTML.
pub fn parse_without_html(text: &str, body: usize, edition: &Edition, dialect: &Dialect) -> Page {
    let (page, Nowhere) = parse_into(text, body, edition, dialect);
    page
}

fn parse_into<S: Sink>(text: &str, body: usize, edition: &Edition, dialect: &Dialect) -> (Page, S) {
    if dialect.is_as_written() {
        return parse_named(text, body, edition, AnchorRule::GitHub);
    }
    let translated = dialect::translate_marked(text, body, dialect);
    let (mut page, sink) = parse_named(&translated.text, translated.body, edition, dialect.anchors);
    // What was left of it in the text is no syntax there: an example in a sentence, or the value of an expression.
    page.problems.retain(|problem| problem.code != Code::ForeignSyntax || !is_of(dialect, problem));
    page.problems.retain(|problem| !slips::is_read_by(dialect, problem));
    if dialect.defines_labels {
        let is_footnote = |problem: &Problem| translated.text[problem.span.clone()].starts_with("[^");
        page.problems.retain(|problem| problem.code != Code::UndefinedReference || is_footnote(problem));
    }
    page.name_as_written(text, &translated);
    page.relocate(&translated.map);
    page.replaced.extend(translated.map.replaced());
    page.replaced.sort_by_key(|span| (span.start, span.end));
    page.left_out = translated.left_out;
    page.included = translated.included;
    page.other_anchors = translated.anchors;
    if !dialect.is_ours() {
        page.anchors_of_generator(text, body, &translated.tabs);
        page.set_unknown_apart(text);
    }
    if dialect.has(Syntax::Myst) {
        dialect::mark_labels(&mut page);
    }
    page.problems.extend(translated.problems);
    page.doubt_tags();
    page.report_left_out();
    (page, sink)
}

/// Whether a finding is about syntax that the translation takes care of.
fn is_of(dialect: &Dialect, problem: &Problem) -> bool {
    let kind = problem.data.get("syntax").and_then(|kind| kind.as_str()).unwrap_or_default();
    match kind {
        "mdx-import" | "mdx-component" | "jsx-comment" | "jsx-expression" => {
            dialect.has(Syntax::Mdx) || dialect.has(Syntax::Vue) && kind == "mdx-component"
        }
        "hugo-shortcode" => dialect.has(Syntax::Shortcodes),
        "liquid-tag" => dialect.has(Syntax::Liquid),
        "template-output" => [Syntax::Liquid, Syntax::Vue, Syntax::Mdx].iter().any(|it| dialect.has(*it)),
        "attribute-list" => dialect.has(Syntax::Kramdown) || dialect.has(Syntax::Shortcodes),
        "mkdocs-admonition" | "mkdocs-tab" => dialect.has(Syntax::Indented),
        "snippet" => dialect.has(Syntax::Snippets),
        "table-of-contents" => dialect.has(Syntax::Vue) || dialect.has(Syntax::Indented),
        "mdbook-directive" => dialect.has(Syntax::Mdbook),
        _ => false,
    }
}

/// Reads a page in our own Markdown.
fn parse_ours(text: &str, body: usize, edition: &Edition) -> WholePage {
    let (page, body) = parse_named(text, body, edition, AnchorRule::GitHub);
    WholePage { page, body }
}

fn parse_named<S: Sink>(text: &str, body: usize, edition: &Edition, anchors: AnchorRule) -> (Page, S) {
    let extracted = extract::extract(text, body, edition);
    let tree = blocks::read(&extracted.page);
    let (mut page, sink) = write::page(&tree, anchors, &edition.columns);
    prose::collect(&tree, &mut page);
    slips::collect(&tree, text, body, edition, &mut page);
    // Few pages accept anything; a variable may say the word.
    if suppress::may_be_in(text) || !extracted.replaced.is_empty() {
        suppress::collect(&tree, &mut page);
    }
    page.navigation = extracted.navigation;
    page.switchers = extracted.switchers;
    page.platform_blocks = extracted.platform_blocks;
    page.replaced = extracted.replaced;
    page.problems.extend(extracted.problems);
    page.minutes = page.estimate();
    (page, sink)
}
