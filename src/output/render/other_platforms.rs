//! Shows the differing values of other platforms in the row of a setting.
//!
//! They come from the comparisons that the comparison page also shows. Pages without differences contain nothing of
//! it.

use std::fmt::Write as _;

use pulldown_cmark_escape::escape_html;

use super::Renderer;
use super::versions::ComparedStep;
use base::hash::HashMap;
use base::sorted::SortedMap;
use input::words::Word;
use site::content::DocumentId;
use site::family::compare::SideBySide;
use site::family::outline::{Cell, Outline, SettingIx, TableIx, TableRow};

/// Values on other platforms, by page and row.
pub(super) type Differences = SortedMap<(DocumentId, TableRow), Vec<OtherSetting>>;

/// A setting on another platform.
#[derive(Debug)]
pub(super) struct OtherSetting {
    platform: String,
    page: DocumentId,
    /// Its row, or `None` if the platform lacks the setting.
    row: Option<Setting>,
}

#[derive(Debug)]
struct Setting {
    id: Option<String>,
    /// The differing values. Never empty.
    values: Vec<Value>,
}

#[derive(Debug)]
struct Value {
    /// Title of the column, if there are several.
    title: Option<String>,
    text: String,
}

/// The values of other platforms in the rows of a page's settings tables.
pub(super) struct OtherPlatforms<'r> {
    renderer: &'r Renderer<'r>,
    page: DocumentId,
    differences: Option<&'r Differences>,
    /// URLs of other platforms' pages, escaped for HTML.
    urls: SortedMap<DocumentId, String>,
}

impl<'r> OtherPlatforms<'r> {
    pub(super) fn of(renderer: &'r Renderer<'r>, page: DocumentId) -> Self {
        let place = renderer.site.place(page);
        let differences = place.map(|place| renderer.work.comparisons.differences(renderer, place));
        Self { renderer, page, differences, urls: SortedMap::new() }
    }

    /// Writes the content of a row: each different value with its platforms. Writes nothing if all are equal.
    pub(super) fn push_row(&mut self, row: TableRow, html: &mut String) {
        let Some(there) = self.differences.and_then(|it| it.get(&(self.page, row))) else { return };
        let mut said: Vec<(Option<String>, String)> = Vec::new();
        for there in there {
            let (value, link) = (self.value(there), self.link(there));
            match said.iter_mut().find(|(other, _)| *other == value) {
                Some((_, links)) => {
                    links.push_str(", ");
                    links.push_str(&link);
                }
                None => said.push((value, link)),
            }
        }
        html.push_str("<ul class=\"elsewhere\">");
        let words = self.renderer.words;
        for (value, platforms) in said {
            let said = match value {
                Some(value) => words.say(Word::ValueOn, &[("value", &value), ("platforms", &platforms)]),
                None => words.say(Word::NotOn, &[("platforms", &platforms)]),
            };
            write!(html, "<li>{said}</li>").expect("a String takes everything");
        }
        html.push_str("</ul>");
    }

    /// Returns another platform's value as HTML, or `None` if it lacks the setting.
    fn value(&self, there: &OtherSetting) -> Option<String> {
        let mut html = String::new();
        for (position, value) in there.row.as_ref()?.values.iter().enumerate() {
            html.push_str(if position > 0 { ", " } else { "" });
            if let Some(title) = &value.title {
                text(&mut html, title);
                html.push_str(": ");
            }
            let said = if value.text.is_empty() { self.renderer.words.get(Word::Empty) } else { &value.text };
            text(&mut html, said);
        }
        Some(html)
    }

    /// Returns the link to the row on another platform, or to its page.
    fn link(&mut self, there: &OtherSetting) -> String {
        let renderer = self.renderer;
        let url = self.urls.entry(there.page).or_insert_with(|| {
            let mut url = String::new();
            super::escape(&renderer.url(&renderer.site.document(there.page).address), &mut url);
            url
        });
        let mut html = format!("<a href=\"{url}");
        if let Some(id) = there.row.as_ref().and_then(|row| row.id.as_ref()) {
            html.push('#');
            super::escape(id, &mut html);
        }
        html.push_str("\">");
        text(&mut html, &there.platform);
        html.push_str("</a>");
        html
    }
}

fn text(html: &mut String, text: &str) {
    escape_html(html, text).expect("a String takes everything");
}

pub(super) fn differences(step: &ComparedStep<'_>) -> Differences {
    let mut found = Differences::new();
    for (&(a, b), comparison) in step.comparisons {
        for (here, there, is_turned) in [(a, b, false), (b, a, true)] {
            let (here, there) = (&step.versions[here], &step.versions[there]);
            for (at, row) in differing(&there.outline, &here.outline, comparison, is_turned) {
                let it = OtherSetting { platform: there.platform.name.clone(), page: there.id, row };
                found.entry((here.id, here.outline.row(at))).or_default().push(it);
            }
        }
    }
    found
}

/// Returns the settings of `here` that `there` lacks or that have another value there. `is_turned` means that the
/// first version of the comparison is `there`.
fn differing(
    there: &Outline<'_>,
    here: &Outline<'_>,
    comparison: &SideBySide,
    is_turned: bool,
) -> Vec<(SettingIx, Option<Setting>)> {
    let tables: HashMap<TableIx, TableIx> =
        comparison.tables.iter().map(|&pair| turned(pair, is_turned)).collect();
    let pairs: HashMap<SettingIx, SettingIx> =
        comparison.settings.same.iter().map(|&pair| turned(pair, is_turned)).collect();
    let mut cells: HashMap<SettingIx, Vec<Cell>> = HashMap::default();
    for &pair in &comparison.cells.differing {
        let (its, cell) = turned(pair, is_turned);
        cells.entry(its.setting).or_default().push(cell);
    }
    let mut found = Vec::new();
    for (at, setting) in here.settings.indexed() {
        match pairs.get(&at) {
            Some(&its) => {
                let values = values(there, cells.get(&at).map_or(&[], Vec::as_slice));
                if !values.is_empty() {
                    found.push((at, Some(Setting { id: there.anchor(its).map(str::to_string), values })));
                }
            }
            // If the complete table is missing, the rows of its settings show nothing.
            None if tables.contains_key(&setting.table) => found.push((at, None)),
            None => {}
        }
    }
    found
}

fn turned<T>((one, other): (T, T), is_turned: bool) -> (T, T) {
    if is_turned { (other, one) } else { (one, other) }
}

/// Returns the content of cells that contain values to set.
fn values(outline: &Outline<'_>, cells: &[Cell]) -> Vec<Value> {
    let value = |&Cell { setting, column }: &Cell| {
        let setting = &outline.settings[setting];
        let table = &outline.tables[setting.table];
        let is_only = table.columns.indices().filter(|&column| table.is_value(column)).count() == 1;
        table.is_value(column).then(|| Value {
            title: (!is_only).then(|| table.columns[column].title.shown.to_string()),
            text: setting.cells.get(column).map_or_else(String::new, |cell| cell.shown.to_string()),
        })
    };
    cells.iter().filter_map(value).collect()
}
