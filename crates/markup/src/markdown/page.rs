//! The result of parsing a page.

mod ids;
mod prose;
mod relocate;

pub use self::ids::Ids;
pub use self::prose::{Passage, Prose, ProseKind};
use std::borrow::Cow;
use std::ops::{Deref, Range, RangeInclusive};

use serde::{Deserialize, Serialize};

use base::diagnostic::{Problem, nearest};
use base::index::{IndexVec, newtype_index};
use base::site_path::SitePath;
use base::store::Record;
use base::url::{self, Purpose};
use input::conventions::AnchorRule;
use input::words::Word;

/// A page with its HTML.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WholePage {
    pub page: Page,
    pub body: Body,
    /// Estimated time to read and follow the page, in minutes.
    pub minutes: f64,
}

impl Record for WholePage {}

impl Deref for WholePage {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}

/// Everything except HTML that is derived from a page's text and edition. Spans are byte ranges in the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    pub headings: IndexVec<HeadingIx, Heading>,
    /// Every anchor of the page in order: headings, settings, IDs in raw HTML.
    pub anchors: Vec<PageAnchor>,
    /// Anchors that another tool's generator adds to the page and that aren't in `body`: for footnotes, tabs, labels.
    pub other_anchors: Vec<PageAnchor>,
    /// Links, images and other URLs, in order.
    pub references: IndexVec<ReferenceIx, Reference>,
    /// References to documents and labels in roles and lists of Sphinx, which aren't links in `body`.
    pub roles: Vec<Reference>,
    /// Definitions of reference links: `[name]: /address`.
    pub definitions: Vec<Definition>,
    pub code: IndexVec<CodeIx, CodeBlock>,
    /// Blocks with templates of the site.
    pub blocks: IndexVec<OwnBlockIx, OwnBlock>,
    pub notes: Vec<Note>,
    pub tables: IndexVec<PageTableIx, PageTable>,
    /// The text of every paragraph, heading, item and table cell, in order.
    pub prose: Prose,
    /// Positions at which numbered lists continue although CommonMark would start new lists.
    pub joined_lists: Vec<Range<usize>>,
    /// The highest number of an item in a numbered list.
    pub highest_step: u64,
    /// Suppression comments.
    pub suppressions: Vec<Suppression>,
    /// Authors' comments, which aren't in `body`.
    pub comments: Vec<Range<usize>>,
    /// Tags in raw HTML with unknown names.
    pub unknown_elements: Vec<Element>,
    /// Hand-written previous and next links, which aren't in `body`.
    pub navigation: Vec<HandWritten>,
    /// Hand-written links to other platforms, on pages of a platform. They aren't in `body`.
    pub switchers: Vec<Switcher>,
    /// Blocks for some platforms, including those that this edition leaves out.
    pub platform_blocks: Vec<PlatformBlock>,
    /// Ranges for which readers see other words than in the source, so that edits must not change them.
    pub replaced: Vec<Range<usize>>,
    /// Git's conflict markers. If there are any, no other findings are reported there.
    pub conflicts: Vec<Range<usize>>,
    /// Unsupported content of another tool's page, which isn't in `body`.
    pub left_out: Vec<Omission>,
    /// The included files, by range.
    pub included: Vec<Included>,
    pub problems: Vec<Problem>,
}

impl Page {
    /// Returns the generated IDs of headings without an explicit ID, by a rule.
    pub fn heading_ids(&self, rule: AnchorRule) -> impl Iterator<Item = String> {
        let mut ids = Ids::default();
        let named = self.headings.iter().filter(|heading| heading.own_id.is_none());
        named.map(move |heading| ids.unique_by(rule, rule.id(&heading.text)))
    }

    /// Estimates reading time at 200 words a minute, a slow pace that suits instructions. In addition, comparing an
    /// image with the screen or looking up a setting takes a quarter of a minute, and inserting code takes a minute.
    pub(in crate::markdown) fn estimate(&self) -> f64 {
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
    pub(in crate::markdown) html: String,
    /// Offsets in `html`, ascending.
    pub(in crate::markdown) placeholders: Vec<(usize, Placeholder)>,
}

/// A value that is filled in when the site is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Placeholder {
    /// The URL of a reference, escaped for a quoted attribute.
    Address(ReferenceIx),
    /// Before an image: its smaller versions.
    PictureStart(ReferenceIx),
    /// The URL of an image and its size, with quotes in between: `…" width="…" height="…`.
    Picture(ReferenceIx),
    /// After an image: the end tags for its smaller versions, and its dark version.
    PictureEnd,
    /// The size of an image in raw HTML as attributes: both, or only the height if the author set a `width`.
    Size { at: ReferenceIx, width: Option<u32> },
    /// The attribute for lazy loading of an image in raw HTML.
    Lazy,
    /// The highlighted content of a code block.
    Code(CodeIx),
    /// Prefix of an ID or of a link to one: empty, or text that separates it from the IDs of other pages.
    IdPrefix,
    /// The level of a heading to which the author gave level 1. A page shows only one heading at that level.
    Level(HeadingIx),
    /// The end of a row in a table of settings: the values on other platforms.
    Setting { table: PageTableIx, row: TableRowIx },
    /// Before the content of a block with a template of the site.
    BlockStart(OwnBlockIx),
    /// After its content.
    BlockEnd,
    /// A link to the style of code with marked or numbered lines.
    CodeStyle,
    /// A link to the style of formulas on their own lines.
    FormulaStyle,
    /// A word in the language of the site.
    Word(Word),
    /// A word with a number in its slot `number`.
    NumberedWord(Word, u64),
}

impl Body {
    /// Returns the pieces of HTML, each with the placeholder after it, if there is one.
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

    /// Size of the HTML in bytes, without its placeholders.
    pub fn size(&self) -> usize {
        self.html.len()
    }
}

newtype_index! {
    /// Position of a heading in [`Page::headings`].
    #[derive(Serialize, Deserialize)]
    pub struct HeadingIx
}
newtype_index! {
    /// Position of a reference in [`Page::references`].
    #[derive(Serialize, Deserialize)]
    pub struct ReferenceIx
}
newtype_index! {
    /// Position of a code block in [`Page::code`].
    #[derive(Serialize, Deserialize)]
    pub struct CodeIx
}
newtype_index! {
    /// Position of a block in [`Page::blocks`].
    #[derive(Serialize, Deserialize)]
    pub struct OwnBlockIx
}
newtype_index! {
    /// Position of a table in [`Page::tables`].
    #[derive(Serialize, Deserialize)]
    pub struct PageTableIx
}
newtype_index! {
    /// Position of a row in [`PageTable::rows`].
    #[derive(Serialize, Deserialize)]
    pub struct TableRowIx
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Without markup, and with repaired mojibake.
    pub text: String,
    pub id: String,
    /// The explicit ID. If an earlier heading uses it, a unique variant.
    pub own_id: Option<String>,
    pub span: Range<usize>,
}

impl Heading {
    /// Returns the text without its section number: `Create` for `4.1 Create`.
    pub fn bare_text(&self) -> &str {
        let rest = self.text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        match rest.strip_prefix(|c: char| c.is_whitespace() || c == ')') {
            Some(bare) if rest.len() < self.text.len() && !bare.trim().is_empty() => bare.trim_start(),
            _ => &self.text,
        }
    }

    /// Returns the section number without a final dot: `4.1`.
    pub fn number(&self) -> Option<&str> {
        let bare = self.bare_text();
        let number = self.text[..self.text.len() - bare.len()].trim().trim_end_matches(['.', ')']);
        Some(number).filter(|number| !number.is_empty())
    }
}

/// The data of findings about unknown blocks: the number of their colons.
pub const COLONS: &str = "colons";

/// A suppression comment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suppression {
    /// Original text, even if it is unknown.
    pub codes: Vec<String>,
    /// Empty if the comment contains none.
    pub reason: String,
    /// The range in which findings are suppressed.
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

/// A URL on a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    pub kind: ReferenceKind,
    /// Original text, with entities decoded.
    pub target: String,
    /// The text of a link or the alternative text of an image. `None` if there is none, which differs from an empty
    /// `alt` of an HTML image.
    pub text: Option<String>,
    /// Range of the target.
    pub span: Range<usize>,
    pub form: ReferenceForm,
}

/// The syntax of a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReferenceForm {
    /// A target by itself: in the parentheses of a link, or in an attribute.
    #[default]
    Target,
    /// In running text, which is a link only if the URL is absolute.
    Bare,
    /// In another tool's syntax, so it has no valid target.
    Foreign,
    /// A document of Sphinx without its extension, in a role.
    Document,
    /// A document of Sphinx in the list of a `toctree`.
    Entry,
    /// A label of Sphinx in a role.
    Label,
    /// A term in a glossary of Sphinx, in a role.
    Term,
    /// The keys of works in a bibliography, with commas between them, in a role.
    Citation,
    /// The content of a role that Sphinx doesn't have.
    Unknown,
    /// A module that the page imports, possibly without its extension.
    Module,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReferenceKind {
    /// A link that readers can follow.
    Link,
    /// An image that the page shows.
    Image,
    /// Any other file that the page loads.
    File,
}

impl ReferenceKind {
    pub(in crate::markdown) fn purpose(self) -> Purpose {
        match self {
            Self::Link => Purpose::Document,
            Self::Image => Purpose::Picture,
            Self::File => Purpose::File,
        }
    }
}

impl Reference {
    /// Returns a link that isn't a reference of its page because it was removed as navigation.
    pub fn of_navigation(label: &str, target: &str, span: &Range<usize>) -> Self {
        let (target, text) = (target.to_string(), Some(label.to_string()));
        Self { kind: ReferenceKind::Link, target, text, span: span.clone(), form: ReferenceForm::Target }
    }

    /// Returns an image that a page names outside its Markdown.
    pub fn of_image(target: String, span: Range<usize>) -> Self {
        Self { kind: ReferenceKind::Image, target, text: None, span, form: ReferenceForm::Target }
    }

    /// Whether its target must not be published because it would run code in the reader's browser.
    pub fn is_unsafe(&self) -> bool {
        url::is_unsafe(&self.target, self.kind.purpose())
    }
}

/// The target of reference links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// In lower case, with single spaces.
    pub label: String,
    pub target: String,
    /// Range of the target.
    pub span: Range<usize>,
}

/// A block with a template of the site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnBlock {
    pub name: String,
    /// All attributes that the template uses, with an empty value if the author left it out.
    pub attributes: Vec<(String, String)>,
    /// The attributes that are links or files.
    pub references: Vec<(String, ReferenceIx)>,
}

/// The marked lines of a code block, counted from 1. All of them exist.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MarkedLines {
    pub added: Vec<RangeInclusive<usize>>,
    pub removed: Vec<RangeInclusive<usize>>,
    /// The lines that matter. If there are any, all others are less prominent.
    pub focused: Vec<RangeInclusive<usize>>,
    /// Whether the lines are numbered.
    pub numbered: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CodeBlock {
    /// The first word of the fence's info string, as written. Empty if there is none.
    pub language: String,
    pub code: String,
    /// Highlighted lines, counted from 1. All of them exist.
    pub marks: Vec<RangeInclusive<usize>>,
    /// Nothing if no line is added, removed, focused or numbered.
    pub lines: Option<Box<MarkedLines>>,
    /// Range of the language, or of the complete block if it has none.
    pub span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    pub kind: NoteKind,
    pub span: Range<usize>,
    /// Text after a blank line that CommonMark would treat as code.
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
    /// Returns the kind for a class or word, including the words of other tools.
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

    /// Returns the kind for a word with one wrong letter.
    pub(super) fn similar(word: &str) -> Option<Self> {
        Self::similar_name(word).and_then(Self::named)
    }

    /// Returns the name of the kind that a word with one wrong letter means.
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

    /// Returns the label before the text.
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
    /// Whether the rows of the table are settings.
    pub settings: bool,
    pub header: Vec<PageTableColumn>,
    pub rows: IndexVec<TableRowIx, PageTableRow>,
    /// The heading above the table.
    pub heading: Option<HeadingIx>,
    pub span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageTableColumn {
    pub title: String,
    /// Whether the column describes settings, by its title.
    pub describes: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageTableRow {
    /// Anchor of the setting.
    pub id: Option<String>,
    pub cells: Vec<String>,
    /// Number of cells in the source. Missing cells are added, and extra cells are dropped.
    pub written: usize,
    pub span: Range<usize>,
}

/// Text for some platforms: `:::platform ios android` … `:::`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlatformBlock {
    /// Original texts, each with its range.
    pub platforms: Vec<(String, Range<usize>)>,
    /// Whether it is for all other platforms: `:::platform not ios`.
    pub excludes: bool,
    /// Range of its opening line.
    pub span: Range<usize>,
}

impl PlatformBlock {
    /// Whether readers of a platform see it. Without a platform, or if the block lists none, all readers do.
    pub(in crate::markdown) fn is_for(&self, platform: Option<&str>) -> bool {
        let Some(id) = platform.filter(|_| !self.platforms.is_empty()) else { return true };
        let is_named = self.platforms.iter().any(|(name, _)| name.eq_ignore_ascii_case(id));
        is_named != self.excludes
    }
}

/// A hand-written platform switcher: links to the same step on other platforms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Switcher {
    pub links: Vec<SwitcherLink>,
    /// Range of its complete paragraph.
    pub span: Range<usize>,
}

/// A link of a [`Switcher`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwitcherLink {
    /// Name of the platform.
    pub label: String,
    pub target: String,
    pub target_span: Range<usize>,
}

/// A hand-written previous or next link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandWritten {
    pub direction: Direction,
    /// The title in its text. Empty if there is none.
    pub label: String,
    pub target: String,
    pub target_span: Range<usize>,
    pub span: Range<usize>,
    /// The range to remove with the link: adjacent links and the line breaks around them.
    pub removal: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    Previous,
    Next,
}

/// Content in another tool's syntax that was left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Omission {
    /// The kind as findings name it: `mdx-component`.
    pub kind: Cow<'static, str>,
    /// Its name there, or the missing file.
    pub name: String,
    pub why: OmissionReason,
    pub span: Range<usize>,
}

/// Why content was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum OmissionReason {
    /// Its meaning is unknown.
    Unknown,
    /// Its name is a finding of its own.
    Reported,
    /// It includes a file that doesn't exist.
    Missing,
    /// It includes a file outside the site's root, which isn't read.
    Outside,
}

/// A file that is included in a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Included {
    pub path: SitePath,
    /// Range of the include.
    pub span: Range<usize>,
}
