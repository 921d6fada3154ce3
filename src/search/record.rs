//! What a reader can find of one page: its text by section, from the parse that the page is made from.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write as _;

use pulldown_cmark_escape::escape_html;

use super::index;
use crate::address::Address;
use crate::content::DocumentId;
use crate::markdown::{CodeBlock, Heading, Page, ProseKind, Row, Table, repair};
use crate::pages::Pages;
use crate::render::Work;

/// The platform of pages that belong to none.
const EVERY_PLATFORM: &str = "every";

/// A setting is found by its name as a section is by its title.
const NAME_WEIGHT: &str = "6";

/// Code is searched, and weighs less than what is said about it.
const CODE_WEIGHT: &str = "0.5";

/// One page of an index.
#[derive(Debug)]
pub(super) struct Record<'w> {
    /// Below the site's base, which the reader knows: an index is the same wherever a site is.
    address: &'w Address,
    title: String,
    platform: &'w str,
    /// The page whose text it is; none where it is made from the site alone.
    document: Option<DocumentId>,
    work: &'w Work,
}

impl<'w> Record<'w> {
    /// `title` is for pages without a document; a document has its own.
    pub(super) fn new(
        work: &'w Work,
        address: &'w Address,
        document: Option<DocumentId>,
        title: Option<String>,
        platform: Option<&'w str>,
    ) -> Self {
        let own = document.map(|id| repair(&work.project.site.document(id).title).into_owned());
        Self {
            address,
            title: own.or(title).unwrap_or_default(),
            platform: platform.unwrap_or(EVERY_PLATFORM),
            document,
            work,
        }
    }

    /// Everything that [`Record::page`] depends on.
    pub(super) fn parts(&self) -> [&[u8]; 4] {
        // An index that is kept is known without its pages.
        let hash = self.document.map_or(&[][..], |id| self.work.project.site.documents[id].key.as_bytes());
        [self.address.as_str().as_bytes(), self.title.as_bytes(), self.platform.as_bytes(), hash]
    }

    /// The page as pagefind wants it: every `id` begins a section of the results.
    pub(super) fn page(&self, pages: &Pages, language: &str, family: Option<&str>) -> index::Page {
        let mut html = String::from("<html");
        attribute(&mut html, "lang", language);
        html.push_str("><body");
        let mut filter = String::from("platform[data-platform]");
        attribute(&mut html, "data-platform", self.platform);
        if let Some(family) = family {
            attribute(&mut html, "data-family", family);
            filter.push_str(", family[data-family]");
        }
        attribute(&mut html, "data-pagefind-filter", &filter);
        html.push_str(">\n");
        element(&mut html, "h1", &[], &self.title);
        if let Some(id) = self.document {
            for (_, part) in parts(&pages[id], &self.title) {
                part.write(&mut html);
            }
        }
        html.push_str("</body></html>\n");
        index::Page { address: self.address.clone(), html }
    }
}

/// A part of a page's text.
enum Part<'p> {
    Heading(&'p Heading),
    Setting(&'p str, &'p Row),
    /// After the last setting of a table its section goes on: its id, empty for the page's top, and its title.
    Section(&'p str, &'p str),
    Text(Cow<'p, str>),
    Code(&'p CodeBlock),
}

/// A page's text in its order, each part with its place in the file.
fn parts<'p>(page: &'p Page, title: &'p str) -> Vec<(usize, Part<'p>)> {
    let mut parts = Vec::new();
    let is_title = |at: usize, heading: &Heading| at == 0 && heading.level == 1 && heading.text == title;
    let headings = page.headings.iter().enumerate().filter(|(at, heading)| !is_title(*at, heading));
    parts.extend(headings.map(|(_, heading)| (heading.span.start, Part::Heading(heading))));
    let settings = || page.tables.iter().filter(|table| table.settings);
    for table in settings() {
        let rows = table
            .rows
            .iter()
            .filter_map(|row| Some((row.span.start, Part::Setting(row.id.as_deref()?, row))));
        parts.extend(rows);
        let above = table.heading.map(|heading| &page.headings[heading]);
        let (id, title) = above.map_or(("", title), |heading| (&*heading.id, &*heading.text));
        parts.push((table.span.end, Part::Section(id, title)));
    }
    let is_setting = |at: usize| settings().any(|table: &Table| table.span.contains(&at));
    for prose in page.prose.iter().filter(|prose| prose.kind != ProseKind::Heading) {
        let at = prose.span(0..prose.text.len()).start;
        if prose.kind == ProseKind::Text || !is_setting(at) {
            parts.push((at, Part::Text(repair(prose.text))));
        }
    }
    parts.extend(page.code.iter().map(|code| (code.span.start, Part::Code(code))));
    // Stable: what begins at one place stays in the order above.
    parts.sort_by_key(|(at, _)| *at);
    parts
}

impl Part<'_> {
    fn write(&self, html: &mut String) {
        match self {
            Self::Heading(heading) => {
                let name = ["h1", "h2", "h3", "h4", "h5", "h6"][usize::from(heading.level.clamp(1, 6)) - 1];
                element(html, name, &[("id", &heading.id)], &heading.text);
            }
            Self::Setting(id, row) => {
                let name = row.cells.first().map(|name| repair(name)).unwrap_or_default();
                open(html, "p", &[("id", id), ("data-pagefind-title", &name)]);
                element(html, "b", &[("data-pagefind-weight", NAME_WEIGHT)], &name);
                for cell in row.cells.iter().skip(1).filter(|cell| !cell.is_empty()) {
                    html.push_str(" · ");
                    text(html, &repair(cell));
                }
                html.push_str("</p>\n");
            }
            Self::Section(id, title) => element(html, "p", &[("id", id), ("data-pagefind-title", title)], ""),
            Self::Text(words) => element(html, "p", &[], words),
            Self::Code(code) => {
                element(html, "p", &[("data-pagefind-weight", CODE_WEIGHT)], &names(&code.code));
            }
        }
    }
}

/// The names in some code, each once: signs are not searched, and a name's second place is its first again.
///
/// Pagefind would take every sign for a word; without them a page with code takes a third of the time less.
fn names(code: &str) -> String {
    let mut seen = HashSet::new();
    let words = code.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | '@' | '$'));
    let words = words
        .map(|word| word.trim_matches(['-', '.']))
        .filter(|word| word.chars().any(char::is_alphanumeric));
    words.filter(|word| seen.insert(*word)).collect::<Vec<_>>().join(" ")
}

fn element(html: &mut String, name: &str, attributes: &[(&str, &str)], inside: &str) {
    open(html, name, attributes);
    text(html, inside);
    writeln!(html, "</{name}>").expect("a String takes everything");
}

fn open(html: &mut String, name: &str, attributes: &[(&str, &str)]) {
    html.push('<');
    html.push_str(name);
    for (name, value) in attributes {
        attribute(html, name, value);
    }
    html.push('>');
}

fn attribute(html: &mut String, name: &str, value: &str) {
    write!(html, " {name}=\"").expect("a String takes everything");
    escape_html(&mut *html, value).expect("a String takes everything");
    html.push('"');
}

/// Pictures are marked in the text where they are; a mark is no word.
fn text(html: &mut String, words: &str) {
    escape_html(&mut *html, &words.replace('\u{fffc}', " ")).expect("a String takes everything");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The record's text for a page that is called `Plan`.
    #[track_caller]
    fn check_text(markdown: &str, expected: &str) {
        let page = crate::markdown::parse(
            markdown,
            0,
            &crate::edition::Edition::default(),
            &crate::dialect::Dialect::default(),
        );
        let mut html = String::new();
        for (_, part) in parts(&page, "Plan") {
            part.write(&mut html);
        }
        assert_eq!(html, expected);
    }

    #[test]
    fn text_and_headings_come_in_their_order_and_the_title_only_once() {
        check_text(
            "# Plan\n\nOne ![a map](/m.png) *two*.\n\n## 4.1 Go {#go}\n\n<aside>\nMind <b>this</b>.\n</aside>\n",
            "<p>One  a map  two.</p>\n<h2 id=\"go\">4.1 Go</h2>\n<p>Mind  this .</p>\n",
        );
    }

    #[test]
    fn a_setting_is_a_place_of_its_own_and_its_section_goes_on_after_it() {
        check_text(
            "## Keys\n\n| Setting | Value |\n| --- | --- |\n| Send | `on` |\n\nAfter.\n",
            "<h2 id=\"keys\">Keys</h2>\n\
             <p id=\"setting-send\" data-pagefind-title=\"Send\"><b data-pagefind-weight=\"6\">Send</b>\n · on</p>\n\
             <p id=\"keys\" data-pagefind-title=\"Keys\"></p>\n<p>After.</p>\n",
        );
        check_text(
            "| Option |\n| --- |\n| A |\n",
            "<p id=\"setting-a\" data-pagefind-title=\"A\"><b data-pagefind-weight=\"6\">A</b>\n</p>\n\
             <p id=\"\" data-pagefind-title=\"Plan\"></p>\n",
        );
    }

    #[test]
    fn of_code_the_names_are_searched() {
        check_text(
            "```js\nconst a_b = go(process.env.KEY, 'x-y') // go.\n```\n",
            "<p data-pagefind-weight=\"0.5\">const a_b go process.env.KEY x-y</p>\n",
        );
    }
}
