//! The parts of a step for comparison: sections with their text, settings, notes, images and code.

use std::ops::Range;
use std::sync::OnceLock;

use super::words::{Equivalences, Label, WordList, ratio};
use base::address::letters;
use base::hash::HashMap;
use base::index::{IndexVec, newtype_index};
use base::sort::StableSort as _;
use markup::markdown::{
    self, CodeBlock, HeadingIx, NoteKind, Page, PageTableIx, ProseKind, ReferenceKind, TableRowIx,
};

newtype_index! {
    /// Position of a section in [`Outline::sections`]. The first one is the part before the first heading.
    pub struct SectionIx
}
newtype_index! {
    /// Position of a settings table in [`Outline::tables`].
    pub struct TableIx
}
newtype_index! {
    /// Position of a column in [`Settings::columns`], and of its cells in [`Setting::cells`].
    pub struct ColumnIx
}
newtype_index! {
    /// Position of a setting in [`Outline::settings`].
    pub struct SettingIx
}
newtype_index! {
    /// Position of a text in [`Outline::blocks`].
    pub struct BlockIx
}
newtype_index! {
    /// Position of a note in [`Outline::notes`].
    pub struct NoteIx
}

/// A column of a settings table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableColumn {
    pub table: TableIx,
    pub column: ColumnIx,
}

/// A setting's cell in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    pub setting: SettingIx,
    pub column: ColumnIx,
}

/// A row of a table on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableRow {
    pub table: PageTableIx,
    pub row: TableRowIx,
}

impl SectionIx {
    /// The part before the first heading.
    pub const TOP: Self = Self(0);

    /// Returns the heading at its start.
    pub fn heading(self) -> Option<HeadingIx> {
        self.0.checked_sub(1).map(HeadingIx::from)
    }

    /// Returns the position of the next section's heading, which doesn't exist after the last section.
    fn next_heading(self) -> HeadingIx {
        HeadingIx::from(self.0)
    }

    /// Returns the previous section, or the first one for itself.
    #[must_use]
    pub fn before(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

impl ColumnIx {
    /// The column with the names of settings.
    pub const NAMES: Self = Self(0);
}

/// The parts of a step.
#[expect(missing_debug_implementations, reason = "a target is a function")]
pub struct Outline<'a> {
    pub page: &'a Page,
    pub sections: IndexVec<SectionIx, Section<'a>>,
    pub tables: IndexVec<TableIx, Settings<'a>>,
    pub settings: IndexVec<SettingIx, Setting<'a>>,
    names: &'a Equivalences,
    target: Target<'a>,
    /// Created on first use, because titles are often enough.
    texts: OnceLock<Texts>,
    /// Code blocks, except those that repeat the preceding block in another language.
    code: OnceLock<IndexVec<SectionIx, Vec<Range<usize>>>>,
}

/// Returns the target of a link in a form that is the same for every platform, or `None` for a link that isn't
/// compared.
type Target<'a> = Box<dyn Fn(&str) -> Option<String> + Send + Sync + 'a>;

/// The running text of a step.
#[derive(Debug)]
struct Texts {
    blocks: IndexVec<BlockIx, Block>,
    notes: IndexVec<NoteIx, OutlineNote>,
    /// Number of occurrences of each word in a section.
    words: IndexVec<SectionIx, HashMap<String, usize>>,
}

#[derive(Debug)]
pub struct Section<'a> {
    /// The title without its number. For section 0, the title of the page.
    pub title: Label<'a>,
    /// Range of the heading or of the page's title.
    pub span: Range<usize>,
    pub images: Vec<Range<usize>>,
}

/// A paragraph, a list item, or a row of a table without settings.
#[derive(Debug)]
pub struct Block {
    pub section: SectionIx,
    /// The note that contains it.
    pub note: Option<NoteIx>,
    /// Whether it is a row.
    pub is_row: bool,
    pub words: WordList,
    pub span: Range<usize>,
}

/// A settings table.
#[derive(Debug)]
pub struct Settings<'a> {
    pub section: SectionIx,
    pub table: PageTableIx,
    pub columns: IndexVec<ColumnIx, Column<'a>>,
    pub span: Range<usize>,
}

/// A column of a [`Settings`] table.
#[derive(Debug)]
pub struct Column<'a> {
    /// Compared as words.
    pub title: Label<'a>,
    describes: bool,
}

#[derive(Debug)]
pub struct Setting<'a> {
    pub table: TableIx,
    /// One cell for each column of its table. The first one is the name.
    pub cells: IndexVec<ColumnIx, Label<'a>>,
    pub span: Range<usize>,
}

#[derive(Debug)]
pub struct OutlineNote {
    pub section: SectionIx,
    pub kind: NoteKind,
    pub words: WordList,
    pub span: Range<usize>,
}

impl<'a> Outline<'a> {
    /// `title` and its range are those of the page. `target` is described at the type `Target`.
    pub fn new(
        page: &'a Page,
        title: (&'a str, Range<usize>),
        names: &'a Equivalences,
        target: impl Fn(&str) -> Option<String> + Send + Sync + 'a,
    ) -> Self {
        let titles = page.headings.iter().map(|heading| (heading.bare_text(), heading.span.clone()));
        let mut sections: IndexVec<SectionIx, Section<'_>> = std::iter::once(title)
            .chain(titles)
            .map(|(title, span)| Section { title: Label::title(title, names), span, images: Vec::new() })
            .collect();
        let mut tables = IndexVec::<TableIx, _>::default();
        let mut settings = IndexVec::<SettingIx, _>::default();
        for (index, table) in page.tables.indexed().filter(|(_, table)| table.settings) {
            let columns = table.header.iter().map(|column| Column {
                title: Label::title(&column.title, names),
                describes: column.describes,
            });
            for row in &table.rows {
                let cells = row.cells.iter().map(|cell| Label::cell(cell, names)).collect();
                settings.push(Setting { table: tables.len().into(), cells, span: row.span.clone() });
            }
            let section = section_of(page, table.span.start);
            let columns = columns.collect();
            tables.push(Settings { section, table: index, columns, span: table.span.clone() });
        }
        for image in page.references.iter().filter(|reference| reference.kind == ReferenceKind::Image) {
            sections[section_of(page, image.span.start)].images.push(image.span.clone());
        }
        let (texts, code) = (OnceLock::new(), OnceLock::new());
        Self { page, sections, tables, settings, names, target: Box::new(target), texts, code }
    }

    /// Returns paragraphs, list items and rows of tables without settings, in order.
    pub fn blocks(&self) -> &IndexVec<BlockIx, Block> {
        &self.texts().blocks
    }

    pub fn notes(&self) -> &IndexVec<NoteIx, OutlineNote> {
        &self.texts().notes
    }

    /// Returns the similarity of two sections' texts, ignoring order, from 0 to 1, or `None` if both have no text.
    pub fn likeness(&self, section: SectionIx, other: &Self, there: SectionIx) -> Option<f64> {
        let (one, other) = (&self.texts().words[section], &other.texts().words[there]);
        let total: usize = one.values().sum::<usize>() + other.values().sum::<usize>();
        let common: usize =
            one.iter().map(|(word, count)| other.get(word).map_or(0, |other| *count.min(other))).sum();
        (total > 0).then(|| ratio(2 * common, total))
    }

    fn texts(&self) -> &Texts {
        self.texts.get_or_init(|| Texts::of(self.page, self.names, &self.target, self.sections.len()))
    }

    /// Returns the code blocks of a section, except those that repeat the preceding block in another language.
    pub fn samples(&self, section: SectionIx) -> &[Range<usize>] {
        &self.code.get_or_init(|| collect_code(self.page))[section]
    }

    /// Returns a section and its subsections. The text above the first heading has none.
    pub fn with_subsections(&self, section: SectionIx) -> impl Iterator<Item = SectionIx> {
        let level = |at: SectionIx| at.heading().map(|heading| self.page.headings[heading].level);
        let later = self.sections.indices().skip(usize::from(section) + 1);
        let below = later.take_while(move |at| section != SectionIx::TOP && level(*at) > level(section));
        std::iter::once(section).chain(below)
    }

    /// Whether a section or one of its subsections contains code, or content that was left out and may be code.
    pub(crate) fn may_have_code(&self, section: SectionIx) -> bool {
        let start = |at: SectionIx| at.heading().map_or(0, |heading| self.page.headings[heading].span.start);
        let next = self.with_subsections(section).last().unwrap_or(section) + 1;
        let end = if usize::from(next) < self.sections.len() { start(next) } else { usize::MAX };
        let places = start(section)..end;
        self.page.left_out.iter().any(|it| places.contains(&it.span.start))
            || self.with_subsections(section).any(|at| !self.samples(at).is_empty())
    }

    /// Returns the code of a section.
    pub fn code_of(&self, section: SectionIx) -> impl Iterator<Item = &'a CodeBlock> {
        let end =
            self.page.headings.get(section.next_heading()).map_or(usize::MAX, |heading| heading.span.start);
        let start = if section == SectionIx::TOP { 0 } else { self.sections[section].span.start };
        self.page.code.iter().filter(move |code| (start..end).contains(&code.span.start))
    }

    pub fn settings_by_table(&self) -> IndexVec<TableIx, Vec<SettingIx>> {
        let mut settings: IndexVec<TableIx, Vec<SettingIx>> =
            self.tables.iter().map(|_| Vec::new()).collect();
        for (at, setting) in self.settings.indexed() {
            settings[setting.table].push(at);
        }
        settings
    }

    /// Returns the table row of a setting.
    pub fn row(&self, setting: SettingIx) -> TableRow {
        // The settings of a table are its rows in order.
        let table = self.settings[setting].table;
        let before = self.settings.partition_point(|other| other.table < table);
        TableRow { table: self.tables[table].table, row: (usize::from(setting) - before).into() }
    }

    /// Returns the anchor of a setting's row.
    pub fn anchor(&self, setting: SettingIx) -> Option<&'a str> {
        let TableRow { table, row } = self.row(setting);
        self.page.tables[table].rows[row].id.as_deref()
    }
}

fn section_of(page: &Page, at: usize) -> SectionIx {
    page.headings.partition_point(|heading| heading.span.start <= at).into()
}

/// Collects code blocks. A block directly after one in another language repeats it.
fn collect_code(page: &Page) -> IndexVec<SectionIx, Vec<Range<usize>>> {
    let mut samples: IndexVec<SectionIx, Vec<_>> = vec![Vec::new(); page.headings.len() + 1].into();
    let mut languages: Vec<&str> = Vec::new();
    let mut last: Option<usize> = None;
    let texts = page.prose.iter().filter(|prose| prose.kind == ProseKind::Text);
    let texts: Vec<usize> = texts.map(|prose| prose.span(0..prose.text.len()).start).collect();
    for code in &page.code {
        let section = section_of(page, code.span.start);
        let follows = last.is_some_and(|last| {
            let text_between = texts.iter().any(|&text| last < text && text < code.span.start);
            !text_between && section_of(page, last) == section && !languages.contains(&code.language.as_str())
        });
        if !follows {
            samples[section].push(code.span.clone());
            languages.clear();
        }
        languages.push(&code.language);
        last = Some(code.span.start);
    }
    samples
}

impl Texts {
    fn of(page: &Page, names: &Equivalences, target: &Target<'_>, sections: usize) -> Self {
        let note_of = |span: &Range<usize>| {
            // The innermost one, because notes are sorted by their starts.
            let is_around =
                |note: &markdown::Note| note.span.start <= span.start && span.end <= note.span.end;
            page.notes.iter().rposition(is_around).map(NoteIx::from)
        };
        let block = |words: WordList, span: Range<usize>| Block {
            section: section_of(page, span.start),
            note: note_of(&span),
            is_row: false,
            words,
            span,
        };
        let mut blocks = Vec::new();
        let mut links =
            page.references.iter().filter(|reference| reference.kind == ReferenceKind::Link).peekable();
        for prose in page.prose.iter().filter(|prose| prose.kind == ProseKind::Text) {
            let span = prose.span(0..prose.text.len());
            let mut words = WordList::new(&prose.without_images(), names);
            if words.is_empty() {
                continue;
            }
            while links.next_if(|link| link.span.start < span.start).is_some() {}
            // The target of a link at the end of the text follows it.
            let end =
                span.end + links.peek().map_or(0, |link| usize::from(link.span.start <= span.end + 2) * 3);
            let mut linked = String::new();
            while let Some(link) = links.next_if(|link| link.span.start < end) {
                if let Some(target) = target(&link.target) {
                    words.push_target(&target, names);
                }
                if link.target.starts_with('#') {
                    linked.push_str(link.text.as_deref().unwrap_or_default());
                }
            }
            // A list of the page's sections says nothing more than their headings.
            let letters = |text: &str| letters(text).filter(|c| !c.is_numeric()).collect::<String>();
            if linked.is_empty() || letters(&linked) != letters(prose.text) {
                blocks.push(block(words, span));
            }
        }
        for row in page.tables.iter().filter(|table| !table.settings).flat_map(|table| &table.rows) {
            let words = WordList::new(&row.cells.join(" | "), names);
            if !words.is_empty() {
                blocks.push(Block { is_row: true, ..block(words, row.span.clone()) });
            }
        }
        blocks.stable_sort_by_key(|block| block.span.start);
        let note = |note: &markdown::Note| OutlineNote {
            section: section_of(page, note.span.start),
            kind: note.kind,
            words: WordList::default(),
            span: note.span.clone(),
        };
        let mut notes: IndexVec<NoteIx, OutlineNote> = page.notes.iter().map(note).collect();
        let mut words: IndexVec<SectionIx, HashMap<_, _>> = vec![HashMap::default(); sections].into();
        for block in &blocks {
            for word in block.words.texts() {
                *words[block.section].entry(word.to_string()).or_default() += 1;
            }
            if let Some(note) = block.note {
                notes[note].words.push(&block.words);
            }
        }
        Self { blocks: blocks.into(), notes, words }
    }
}

impl Setting<'_> {
    pub fn name(&self) -> &WordList {
        static NONE: WordList = WordList::none();
        self.cells.first().map_or(&NONE, Label::words)
    }
}

impl Settings<'_> {
    /// Whether a column contains values to set. If all columns are descriptions, a description counts as one.
    pub fn is_value(&self, column: ColumnIx) -> bool {
        let all_describe = || self.columns.indices().skip(1).all(|other| self.describes(other));
        column != ColumnIx::NAMES && (!self.describes(column) || all_describe())
    }

    /// Whether a column describes settings rather than giving their values.
    pub fn describes(&self, column: ColumnIx) -> bool {
        self.columns[column].describes
    }
}
