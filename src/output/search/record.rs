//! The searchable content of a page: its text by section, from the same parse as its HTML.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use base::address::{Address, encode};
use base::hash::{HashSet, Summands};
use base::sort::StableSort as _;
use markup::markdown::{self, ProseKind};
use markup::markdown::{CodeBlock, Heading, PageTable, PageTableRow, repair};
use site::content::DocumentId;
use site::pages::Pages;
use site::work::Work;

/// A page of a part.
#[derive(Debug)]
pub(super) struct PageRecord<'w> {
    /// Relative to the site's base path, so that a part is independent of the site's URL.
    pub(super) address: &'w Address,
    pub(super) title: String,
    /// The description in the front matter, which may contain words that the text doesn't.
    description: String,
    /// Titles of parent pages, from the top. Empty for pages of a family.
    pub(super) above: Vec<String>,
    /// The page with its text, or `None` for a generated page.
    pub(super) document: Option<DocumentId>,
    /// Hash of that text.
    key: &'w [u8],
}

/// A page as it is written: a list of its link from the home page, its title, the titles of parents, and its
/// sections.
#[derive(Debug)]
pub(super) struct PageEntry<'w> {
    record: &'w PageRecord<'w>,
    pub(super) places: Vec<SectionRecord>,
}

impl Serialize for PageEntry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let PageRecord { address, title, above, .. } = self.record;
        (encode(address.as_str().trim_start_matches('/')), title, above, &self.places).serialize(serializer)
    }
}

/// A section of a page, or a setting. The first one is the content before any section. It is written as a list of
/// these fields.
#[derive(Debug, Default, PartialEq)]
pub(super) struct SectionRecord {
    id: String,
    pub(super) name: String,
    pub(super) text: String,
    /// Names in code.
    pub(super) code: String,
}

impl Serialize for SectionRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.id, &self.name, &self.text, &self.code).serialize(serializer)
    }
}

impl<'w> PageRecord<'w> {
    /// `title` is for pages without a document. A document has its own.
    pub(super) fn new(
        work: &'w Work,
        address: &'w Address,
        document: Option<DocumentId>,
        title: Option<String>,
    ) -> Self {
        let site = &work.project.site;
        let own = document.map(|id| repair(&site.document(id).title).into_owned());
        let description = document.and_then(|id| site.document(id).front.description.as_deref());
        let is_of_family = document.is_some_and(|id| site.place(id).is_some());
        Self {
            address,
            title: own.or(title).unwrap_or_default(),
            description: description.map(repair).unwrap_or_default().into_owned(),
            above: if is_of_family { Vec::new() } else { above(work, address) },
            document,
            key: document.map_or(&[], |id| site.documents[id].key.as_bytes()),
        }
    }

    /// Adds everything on which [`PageRecord::page`] depends.
    pub(super) fn add_to(&self, parts: &mut Summands) {
        parts
            .add(self.address.as_str())
            .add(&self.title)
            .add(&self.description)
            .add(&self.above.len().to_le_bytes());
        self.above.iter().for_each(|title| _ = parts.add(title));
        parts.add(self.key);
    }

    pub(super) fn page(&self, pages: &Pages) -> PageEntry<'_> {
        let mut places = self
            .document
            .map_or_else(|| vec![SectionRecord::default()], |id| places(&pages[id], &self.title));
        let opening = std::mem::take(&mut places[0].text);
        places[0].text.clone_from(&self.description);
        append(&mut places[0].text, &opening);
        PageEntry { record: self, places }
    }
}

/// Returns the titles of the pages in the folders above an address, from the top, without the home page.
fn above(work: &Work, address: &Address) -> Vec<String> {
    let folders = address.above().filter(|folder| folder.as_str() != "/");
    let mut titles: Vec<String> = folders.filter_map(|folder| work.project.title_at(&folder)).collect();
    titles.reverse();
    titles
}

/// A part of a page's text.
enum Piece<'p> {
    Heading(&'p Heading),
    Setting(&'p str, &'p PageTableRow),
    /// After the last setting of a table, its section continues: its ID, or an empty text for the start of the page.
    Section(&'p str),
    Text(Cow<'p, str>),
    Code(&'p CodeBlock),
}

/// Returns a page's sections in order.
fn places(page: &markdown::Page, title: &str) -> Vec<SectionRecord> {
    let mut places = vec![SectionRecord::default()];
    let mut current = 0;
    for (_, piece) in pieces(page, title) {
        match piece {
            Piece::Heading(heading) => {
                current = places.len();
                places.push(SectionRecord {
                    id: heading.id.clone(),
                    name: bare(&heading.text),
                    ..SectionRecord::default()
                });
            }
            Piece::Setting(id, row) => {
                let mut cells = row.cells.iter().map(|cell| bare(&repair(cell)));
                let name = cells.next().unwrap_or_default();
                let text = cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" · ");
                current = places.len();
                places.push(SectionRecord { id: id.to_string(), name, text, ..SectionRecord::default() });
            }
            Piece::Section(id) => current = places.iter().position(|place| place.id == id).unwrap_or(0),
            Piece::Text(words) => append(&mut places[current].text, &bare(&words)),
            Piece::Code(code) => append(&mut places[current].code, &names(&code.code)),
        }
    }
    places
}

/// Removes the markers of images from a text.
fn bare(text: &str) -> String {
    text.replace('\u{fffc}', " ").trim().to_string()
}

fn append(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push('\n');
    }
    text.push_str(more);
}

/// Returns a page's text in order, each piece with its position in the file.
fn pieces<'p>(page: &'p markdown::Page, title: &'p str) -> Vec<(usize, Piece<'p>)> {
    let mut pieces = Vec::new();
    let is_title = |at: usize, heading: &Heading| at == 0 && heading.level == 1 && heading.text == title;
    let headings = page.headings.iter().enumerate().filter(|(at, heading)| !is_title(*at, heading));
    pieces.extend(headings.map(|(_, heading)| (heading.span.start, Piece::Heading(heading))));
    let settings = || page.tables.iter().filter(|table| table.settings);
    for table in settings() {
        let rows = table
            .rows
            .iter()
            .filter_map(|row| Some((row.span.start, Piece::Setting(row.id.as_deref()?, row))));
        pieces.extend(rows);
        let above = table.heading.map(|heading| &page.headings[heading]);
        pieces.push((table.span.end, Piece::Section(above.map_or("", |heading| &heading.id))));
    }
    let is_setting = |at: usize| settings().any(|table: &PageTable| table.span.contains(&at));
    for prose in page.prose.iter().filter(|prose| prose.kind != ProseKind::Heading) {
        let at = prose.span(0..prose.text.len()).start;
        if prose.kind == ProseKind::Text || !is_setting(at) {
            pieces.push((at, Piece::Text(repair(prose.text))));
        }
    }
    pieces.extend(page.code.iter().map(|code| (code.span.start, Piece::Code(code))));
    // Stable, so that pieces at the same position stay in the order above.
    pieces.stable_sort_by_key(|(at, _)| *at);
    pieces
}

/// Returns the distinct names in code. Special characters aren't searched.
fn names(code: &str) -> String {
    let mut seen = HashSet::default();
    let words = code.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | '@' | '$'));
    let words = words
        .map(|word| word.trim_matches(['-', '.']))
        .filter(|word| word.chars().any(char::is_alphanumeric));
    words.filter(|word| seen.insert(*word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the sections of a page with the title `Plan`: ID, name, text and code of each.
    #[track_caller]
    fn check_places(markdown: &str, expected: &[[&str; 4]]) {
        let page = markup::markdown::parse(
            markdown,
            0,
            &markup::edition::Edition::default(),
            &input::dialect::Dialect::default(),
        );
        let places = places(&page, "Plan");
        let found = places.iter().map(|it| [&*it.id, &*it.name, &*it.text, &*it.code]);
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn text_and_headings_come_in_their_order_and_the_title_only_once() {
        check_places(
            "# Plan\n\nOne ![a map](/m.png) *two*.\n\n## 4.1 Go {#go}\n\n<aside>\nMind <b>this</b>.\n</aside>\n",
            &[["", "", "One  a map  two.", ""], ["go", "4.1 Go", "Mind  this .", ""]],
        );
    }

    #[test]
    fn a_setting_is_a_part_of_its_own_and_its_section_continues_after_it() {
        check_places(
            "## Keys\n\nBefore.\n\n| Setting | Value |\n| --- | --- |\n| Send | `on` |\n\nAfter.\n",
            &[["", "", "", ""], ["keys", "Keys", "Before.\nAfter.", ""], ["setting-send", "Send", "on", ""]],
        );
        check_places(
            "| Option |\n| --- |\n| A |\n\nAfter.\n",
            &[["", "", "After.", ""], ["setting-a", "A", "", ""]],
        );
    }

    #[test]
    fn names_in_code_are_searched() {
        check_places(
            "```js\nconst a_b = go(process.env.KEY, 'x-y') // go.\n```\n",
            &[["", "", "", "const a_b go process.env.KEY x-y"]],
        );
    }
}
