//! Writes the settings of a family.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::{Lazily, VERSION, schema};
use crate::output::render::Rendering;
use markup::markdown::{Page, PageTable, PageTableRow, cells, repair};
use site::content::{FamilyId, Place};
use site::plan::Data;
use site::project::place_on;

/// `settings.json`
pub(super) struct SettingsData<'a> {
    pub(super) work: &'a Rendering,
    pub(super) family: FamilyId,
}

impl Serialize for SettingsData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let family = &self.work.project.site.families[self.family];
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("$schema", &schema(&self.work.project, Data::Settings.schema()))?;
        object.serialize_entry("version", &VERSION)?;
        object.serialize_entry("family", &family.id)?;
        object.serialize_entry("title", &family.title)?;
        let tables = tables(self.work, self.family);
        let settings = || tables.iter().flat_map(|table| table.rows().map(|row| table.setting(row)));
        object.serialize_entry("settings", &Lazily(settings))?;
        object.end()
    }
}

/// A setting on a platform.
#[derive(Debug, Serialize)]
struct SettingData<'a> {
    family: &'a str,
    platform: &'a str,
    step: &'a str,
    step_title: &'a str,
    /// The section's heading.
    section: Option<Section<'a>>,
    setting: Cow<'a, str>,
    /// In the order of the table. The first one contains the name.
    columns: Vec<Column<'a>>,
    address: String,
}

#[derive(Debug, Serialize)]
struct Section<'a> {
    id: &'a str,
    title: &'a str,
}

#[derive(Debug, Serialize)]
struct Column<'a> {
    title: &'a str,
    /// Markdown of the cell.
    written: &'a str,
    text: Cow<'a, str>,
}

/// A page of a family, and its URL.
struct StepPage<'a> {
    family: &'a str,
    platform: &'a str,
    step: &'a str,
    title: Cow<'a, str>,
    address: String,
    text: Cow<'a, str>,
    page: &'a Page,
}

/// A settings table and its page.
struct SettingsTable<'a> {
    on: Arc<StepPage<'a>>,
    table: &'a PageTable,
    /// Titles of its columns.
    titles: Vec<Cow<'a, str>>,
}

/// Returns the settings tables of a family, by platform, step and position on the page.
fn tables(work: &Rendering, family: FamilyId) -> Vec<SettingsTable<'_>> {
    let its = &work.project.site.families[family];
    let mut tables = Vec::new();
    for (platform, version) in its.platforms.indexed() {
        for (step, &id) in version.steps.indexed() {
            let (document, page) = (work.project.site.document(id), &work.pages[id]);
            let of_settings = page.tables.iter().filter(|table| table.settings);
            let on = Arc::new(StepPage {
                family: &its.id,
                platform: &version.id,
                step: work.project.families.step_name(Place { family, platform, step }),
                title: repair(&document.title),
                address: work.project.place_of(&document.address),
                text: document.text(),
                page,
            });
            tables.extend(of_settings.map(|table| SettingsTable {
                on: on.clone(),
                table,
                titles: table.header.iter().map(|column| repair(&column.title)).collect(),
            }));
        }
    }
    tables
}

impl<'a> SettingsTable<'a> {
    fn rows(&self) -> impl Iterator<Item = &'a PageTableRow> + use<'a> {
        self.table.rows.iter()
    }

    fn setting<'t>(&'t self, row: &'t PageTableRow) -> SettingData<'t> {
        let StepPage { family, platform, step, title, address, page, .. } = &*self.on;
        let heading = self.table.heading.map(|heading| &page.headings[heading]);
        let anchor = row.id.as_deref().or(heading.map(|heading| heading.id.as_str()));
        SettingData {
            family,
            platform,
            step,
            step_title: title,
            section: heading.map(|heading| Section { id: &heading.id, title: &heading.text }),
            setting: repair(row.cells.first().map_or("", String::as_str)),
            columns: self.columns(row),
            address: anchor.map_or_else(|| address.clone(), |anchor| place_on(address, anchor)),
        }
    }

    fn columns<'t>(&'t self, row: &'t PageTableRow) -> Vec<Column<'t>> {
        let mut written = self.on.text.get(row.span.clone()).into_iter().flat_map(cells);
        let column = |(title, text): (&'t Cow<'a, str>, &'t String)| Column {
            title,
            written: written.next().unwrap_or_default(),
            text: repair(text),
        };
        self.titles.iter().zip(&row.cells).map(column).collect()
    }

    /// Returns unique spreadsheet names for the columns after the name.
    fn column_names(&self) -> impl Iterator<Item = String> + use<'_> {
        let mut seen: HashMap<String, usize> = FIXED.iter().map(|name| ((*name).to_string(), 1)).collect();
        self.titles.iter().enumerate().skip(1).map(move |(at, title)| {
            let name = if title.is_empty() { format!("column {}", at + 1) } else { title.to_string() };
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            if *count == 1 { name } else { format!("{name} {count}") }
        })
    }
}

/// The columns of every spreadsheet.
const FIXED: [&str; 8] =
    ["family", "platform", "step", "step title", "section", "setting", "setting (as written)", "address"];

/// Writes the settings of some families as one CSV table (RFC 4180). It has a row for each setting, and two columns
/// for each column title in any of the tables: as text, and as written.
pub fn csv(work: &Rendering, families: &[FamilyId], out: &mut dyn io::Write) -> io::Result<()> {
    let tables: Vec<SettingsTable<'_>> = families.iter().flat_map(|&family| tables(work, family)).collect();
    let mut titles: Vec<String> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for name in tables.iter().flat_map(SettingsTable::column_names) {
        places.entry(name).or_insert_with_key(|name| {
            titles.push(name.clone());
            titles.len() - 1
        });
    }
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out);
    let both = titles.iter().flat_map(|title| [title.clone(), format!("{title} (as written)")]);
    let names: Vec<String> = FIXED.iter().map(|name| (*name).to_string()).chain(both).collect();
    writer.write_record(names.iter().map(|name| no_formula(name).into_owned())).map_err(failure)?;
    for table in &tables {
        let places: Vec<usize> = table.column_names().map(|name| places[&name]).collect();
        for row in table.rows() {
            let setting = table.setting(row);
            for cell in record(&setting, &places, titles.len()) {
                writer.write_field(no_formula(cell).as_bytes()).map_err(failure)?;
            }
            writer.write_record(None::<&[u8]>).map_err(failure)?;
        }
    }
    writer.flush()
}

/// Returns a cell as text that spreadsheets don't evaluate as a formula: a cell that begins with certain characters
/// gets `'` before it, as [OWASP] recommends. A number such as `-1` and a single character such as `-` aren't
/// formulas.
///
/// [OWASP]: https://owasp.org/www-community/attacks/CSV_Injection
fn no_formula(cell: &str) -> Cow<'_, str> {
    const CALCULATED: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    let is_calculated = cell.starts_with(CALCULATED) && cell.chars().nth(1).is_some();
    let is_number = || cell.parse::<f64>().is_ok_and(f64::is_finite);
    if is_calculated && !is_number() { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}

/// Returns the writer's I/O error with the same kind, because callers ignore a closed pipe.
fn failure(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

/// `places` lists which of the `width` titles each column after the first one has.
fn record<'s>(setting: &'s SettingData<'_>, places: &[usize], width: usize) -> Vec<&'s str> {
    let name = setting.columns.first().map_or("", |column| column.written);
    let section = setting.section.as_ref().map_or("", |section| section.title);
    let fixed: [&str; FIXED.len()] = [
        setting.family,
        setting.platform,
        setting.step,
        setting.step_title,
        section,
        &setting.setting,
        name,
        &setting.address,
    ];
    let mut record = Vec::with_capacity(FIXED.len() + 2 * width);
    record.extend(fixed);
    record.resize(FIXED.len() + 2 * width, "");
    for (column, place) in setting.columns.iter().skip(1).zip(places) {
        record[FIXED.len() + 2 * place] = &column.text;
        record[FIXED.len() + 2 * place + 1] = column.written;
    }
    record
}

#[cfg(test)]
mod tests {
    use super::no_formula;

    #[test]
    fn a_cell_that_spreadsheets_would_calculate_gets_an_apostrophe() {
        for cell in
            ["=1+1", "+1+cmd|' /C calc'!A0", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "-x", "--", "＝1", "-inf"]
        {
            assert_eq!(no_formula(cell), format!("'{cell}"));
        }
        for cell in ["", "-", "+", "-1", "+1.5", "-1e3", "1-1", "Check", "'=1"] {
            assert_eq!(no_formula(cell), cell);
        }
    }
}
