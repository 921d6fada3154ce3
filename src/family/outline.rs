//! A step taken apart for comparison: sections, and in them text, settings, notes, pictures and code.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use super::words::{Label, Names, Words, ratio};
use crate::markdown::{CodeBlock, NoteKind, Page, ProseKind, ReferenceKind};

/// A step, item by item. Sections count from 0, which is what stands above the first heading.
pub(crate) struct Outline<'a> {
    pub(crate) page: &'a Page,
    pub(crate) sections: Vec<Section<'a>>,
    pub(crate) tables: Vec<Settings<'a>>,
    pub(crate) settings: Vec<Setting<'a>>,
    names: &'a Names,
    target: Target<'a>,
    /// Taken apart when first asked for: where titles tell all, nobody asks.
    texts: OnceLock<Texts>,
    /// By section: code, without what only says the same in another language right below.
    code: OnceLock<Vec<Vec<Range<usize>>>>,
}

/// Says where a link leads, whatever the platform; `None` where that says nothing.
type Target<'a> = Box<dyn Fn(&str) -> Option<String> + Send + Sync + 'a>;

/// The running text of a step.
#[derive(Debug)]
struct Texts {
    blocks: Vec<Block>,
    notes: Vec<Note>,
    /// By section: how often each word stands there.
    words: Vec<HashMap<String, usize>>,
}

#[derive(Debug)]
pub(crate) struct Section<'a> {
    /// The title without its number; that of the page for section 0.
    pub(crate) title: Label<'a>,
    /// Where the heading, or the page's title, stands.
    pub(crate) span: Range<usize>,
    pub(crate) images: Vec<Range<usize>>,
}

/// A paragraph, a list item, or the row of a table that holds no settings.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) section: usize,
    /// Position of the note it stands in.
    pub(crate) note: Option<usize>,
    pub(crate) words: Words,
    pub(crate) span: Range<usize>,
}

/// A settings table.
#[derive(Debug)]
pub(crate) struct Settings<'a> {
    pub(crate) section: usize,
    /// Position in [`Page::tables`].
    pub(crate) table: usize,
    /// Titles of the columns, compared as words.
    pub(crate) columns: Vec<Label<'a>>,
    pub(crate) span: Range<usize>,
}

#[derive(Debug)]
pub(crate) struct Setting<'a> {
    /// Position in [`Outline::tables`].
    pub(crate) table: usize,
    /// As its table has columns; the first names it.
    pub(crate) cells: Vec<Label<'a>>,
    pub(crate) span: Range<usize>,
}

#[derive(Debug)]
pub(crate) struct Note {
    pub(crate) section: usize,
    pub(crate) kind: NoteKind,
    pub(crate) words: Words,
    pub(crate) span: Range<usize>,
}

impl<'a> Outline<'a> {
    /// `title` and its place are the page's; `target` says where a link leads, whatever the platform.
    pub(crate) fn new(
        page: &'a Page,
        title: (&'a str, Range<usize>),
        names: &'a Names,
        target: impl Fn(&str) -> Option<String> + Send + Sync + 'a,
    ) -> Self {
        let titles = page.headings.iter().map(|heading| (heading.bare_text(), heading.span.clone()));
        let mut sections: Vec<Section<'_>> = std::iter::once(title)
            .chain(titles)
            .map(|(title, span)| Section { title: Label::title(title, names), span, images: Vec::new() })
            .collect();
        let mut tables = Vec::new();
        let mut settings = Vec::new();
        for (index, table) in page.tables.iter().enumerate().filter(|(_, table)| table.settings) {
            let columns = table.header.iter().map(|title| Label::title(title, names)).collect();
            for row in &table.rows {
                let cells = row.cells.iter().map(|cell| Label::cell(cell, names)).collect();
                settings.push(Setting { table: tables.len(), cells, span: row.span.clone() });
            }
            let section = section_of(page, table.span.start);
            tables.push(Settings { section, table: index, columns, span: table.span.clone() });
        }
        for image in page.references.iter().filter(|reference| reference.kind == ReferenceKind::Image) {
            sections[section_of(page, image.span.start)].images.push(image.span.clone());
        }
        let (texts, code) = (OnceLock::new(), OnceLock::new());
        Self { page, sections, tables, settings, names, target: Box::new(target), texts, code }
    }

    /// Paragraphs, list items and rows of tables without settings, in their order.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.texts().blocks
    }

    pub(crate) fn notes(&self) -> &[Note] {
        &self.texts().notes
    }

    /// How much of the text of two sections is the same, order aside, from 0 to 1; `None` where both have none.
    pub(crate) fn likeness(&self, section: usize, other: &Self, there: usize) -> Option<f64> {
        let (one, other) = (&self.texts().words[section], &other.texts().words[there]);
        let total: usize = one.values().sum::<usize>() + other.values().sum::<usize>();
        let common: usize =
            one.iter().map(|(word, count)| other.get(word).map_or(0, |other| *count.min(other))).sum();
        (total > 0).then(|| ratio(2 * common, total))
    }

    fn texts(&self) -> &Texts {
        self.texts.get_or_init(|| Texts::of(self.page, self.names, &self.target, self.sections.len()))
    }

    /// Where a section shows code, but for what only says the same in another language right below.
    pub(crate) fn samples(&self, section: usize) -> &[Range<usize>] {
        &self.code.get_or_init(|| collect_code(self.page))[section]
    }

    /// The code of a section.
    pub(crate) fn code_of(&self, section: usize) -> impl Iterator<Item = &'a CodeBlock> {
        let end = self.page.headings.get(section).map_or(usize::MAX, |heading| heading.span.start);
        let start = if section == 0 { 0 } else { self.sections[section].span.start };
        self.page.code.iter().filter(move |code| (start..end).contains(&code.span.start))
    }
}

fn section_of(page: &Page, at: usize) -> usize {
    page.headings.partition_point(|heading| heading.span.start <= at)
}

/// By section: samples of code. A block right below another in another language shows the same again.
fn collect_code(page: &Page) -> Vec<Vec<Range<usize>>> {
    let mut samples = vec![Vec::new(); page.headings.len() + 1];
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
    fn of(page: &Page, names: &Names, target: &Target<'_>, sections: usize) -> Self {
        let note_of = |span: &Range<usize>| {
            // The innermost: notes stand in the order of their openings.
            page.notes.iter().rposition(|note| note.span.start <= span.start && span.end <= note.span.end)
        };
        let block = |words: Words, span: Range<usize>| Block {
            section: section_of(page, span.start),
            note: note_of(&span),
            words,
            span,
        };
        let mut blocks = Vec::new();
        let mut links =
            page.references.iter().filter(|reference| reference.kind == ReferenceKind::Link).peekable();
        for prose in page.prose.iter().filter(|prose| prose.kind == ProseKind::Text) {
            let span = prose.span(0..prose.text.len());
            let mut words = Words::new(&prose.without_images(), names);
            if words.is_empty() {
                continue;
            }
            while links.next_if(|link| link.span.start < span.start).is_some() {}
            // The target of a link that ends the text stands after it.
            let end =
                span.end + links.peek().map_or(0, |link| usize::from(link.span.start <= span.end + 2) * 3);
            while let Some(link) = links.next_if(|link| link.span.start < end) {
                if let Some(target) = target(&link.target) {
                    words.push_target(&target, names);
                }
            }
            blocks.push(block(words, span));
        }
        for row in page.tables.iter().filter(|table| !table.settings).flat_map(|table| &table.rows) {
            let words = Words::new(&row.cells.join(" | "), names);
            if !words.is_empty() {
                blocks.push(block(words, row.span.clone()));
            }
        }
        blocks.sort_by_key(|block| block.span.start);
        let note = |note: &crate::markdown::Note| Note {
            section: section_of(page, note.span.start),
            kind: note.kind,
            words: Words::default(),
            span: note.span.clone(),
        };
        let mut notes: Vec<Note> = page.notes.iter().map(note).collect();
        let mut words = vec![HashMap::new(); sections];
        for block in &blocks {
            for word in block.words.texts() {
                *words[block.section].entry(word.to_string()).or_default() += 1;
            }
            if let Some(note) = block.note {
                notes[note].words.push(&block.words);
            }
        }
        Self { blocks, notes, words }
    }
}

impl Setting<'_> {
    pub(crate) fn name(&self) -> &Words {
        static NONE: Words = Words::none();
        self.cells.first().map_or(&NONE, Label::words)
    }
}

impl Settings<'_> {
    /// Whether a column says what to set; one that describes does where no other could.
    pub(crate) fn is_value(&self, column: usize) -> bool {
        column > 0 && (!self.describes(column) || (1..self.columns.len()).all(|other| self.describes(other)))
    }

    /// Whether a column says what a setting is for, and not what to set.
    pub(crate) fn describes(&self, column: usize) -> bool {
        const WORDS: [&str; 12] = [
            "description",
            "descriptions",
            "explanation",
            "details",
            "notes",
            "note",
            "comment",
            "comments",
            "meaning",
            "purpose",
            "about",
            "why",
        ];
        self.columns[column].words().texts().any(|word| WORDS.contains(&word))
    }
}
