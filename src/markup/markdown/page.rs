//! What is known of a page once it is read.

mod ids;
mod prose;
mod relocate;

pub(crate) use self::ids::Ids;
pub use self::prose::{Passage, Prose, ProseKind};
use std::borrow::Cow;
use std::ops::{Deref, Range, RangeInclusive};

use serde::{Deserialize, Serialize};

use crate::base::diagnostic::{Problem, nearest};
use crate::base::index::{IndexVec, newtype_index};
use crate::base::site_path::SitePath;
use crate::base::url::{self, Purpose};
use crate::input::conventions::AnchorRule;
use crate::input::words::Word;

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
    pub anchors: Vec<PageAnchor>,
    /// Anchors that a generator of another tool makes on the page and that are not in `body`: of footnotes, tabs, labels.
    pub other_anchors: Vec<PageAnchor>,
    /// Links, images and other addresses, in their order.
    pub references: IndexVec<ReferenceIx, Reference>,
    /// What links by reference lead to: `[name]: /address`.
    pub definitions: Vec<Definition>,
    pub code: IndexVec<CodeIx, CodeBlock>,
    pub notes: Vec<Note>,
    pub tables: IndexVec<PageTableIx, PageTable>,
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
    pub left_out: Vec<Omission>,
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

    /// Reading goes at 200 words a minute, a slow pace that suits instructions. A picture is compared with a
    /// screen, a setting looked up, and code put in its place: a quarter of a minute, and a whole one for code.
    pub(in crate::markup::markdown) fn estimate(&self) -> f64 {
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
    pub(in crate::markup::markdown) html: String,
    /// Offsets into `html`, ascending.
    pub(in crate::markup::markdown) placeholders: Vec<(usize, Placeholder)>,
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
    /// The position of a row in [`PageTable::rows`].
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
pub struct PageAnchor {
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
    pub(in crate::markup::markdown) fn purpose(self) -> Purpose {
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

    /// The kind that a word with one wrong letter was meant to name.
    pub(super) fn similar(word: &str) -> Option<Self> {
        Self::similar_name(word).and_then(Self::named)
    }

    /// The name of a kind from which a word differs by one wrong letter.
    pub(super) fn similar_name(word: &str) -> Option<&'static str> {
        let word = word.to_lowercase();
        let near = nearest(&word, ["note", "tip", "important", "warning", "caution", "danger", "info"])?;
        (strsim::damerau_levenshtein(&word, near) == 1).then_some(near)
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
pub struct PageTable {
    /// Whether the first column names settings.
    pub settings: bool,
    pub header: Vec<PageTableColumn>,
    pub rows: IndexVec<TableRowIx, PageTableRow>,
    /// The heading above.
    pub heading: Option<HeadingIx>,
    pub span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageTableColumn {
    pub title: String,
    /// Whether its title says that it describes settings.
    pub describes: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageTableRow {
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
    pub(in crate::markup::markdown) fn is_for(&self, platform: Option<&str>) -> bool {
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

/// Something of another tool that was left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Omission {
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

/// A file that is a part of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Included {
    pub path: SitePath,
    /// What includes it.
    pub span: Range<usize>,
}
