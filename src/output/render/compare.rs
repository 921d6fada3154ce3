//! Renders the comparison of a family: all settings and headings, with platforms side by side.
//!
//! It uses the pairwise comparisons that drift also reports. Rows of more than two versions are their union.

mod matrix;
pub(super) mod views;

use serde::Serialize;

use self::matrix::MatrixRow;
use self::views::{
    CauseView, CellView, ComparedStepView, DescriptionView, HeadingView, LackingPlatform, SettingView,
    TableView, Tally, TextView, TitleView, ValueOf, ValueView, VersionView,
};
use super::versions::{ComparedStep, ComparedVersion};
use super::view::{Link, PageView};
use super::{Renderer, colours, compared};
use base::address::{Address, slug_of};
use base::hash::HashMap;
use base::index::{IndexVec, Ix, newtype_index};
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use input::words::Word;
use markup::markdown::Ids;
use site::content::{DocumentId, FamilyId};
use site::family::{
    Row, VersionIx,
    compare::{Pairing, SideBySide},
    matching::in_rows,
    outline::{Cell, ColumnIx, SectionIx, SettingIx, TableColumn, TableIx},
};

/// View of `compare.html`.
#[derive(Debug, Serialize)]
pub(super) struct CompareView {
    page: PageView,
    family: Link,
    /// All platforms, so that readers can choose some of them.
    platforms: Vec<PlatformView>,
    /// Which platform has which step.
    rows: Vec<MatrixRow>,
    steps: Steps,
    /// All steps as HTML. See `compared.rs`.
    compared: String,
    tally: Tally,
}

/// The steps for `compare.html`: all data for a template of the site, or else the data that our template needs in
/// addition to the HTML.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Steps {
    Whole(Vec<ComparedStepView>),
    Named(Vec<StepName>),
}

#[derive(Debug, Serialize)]
struct StepName {
    id: String,
    title: String,
}

#[derive(Debug, Serialize)]
struct PlatformView {
    id: String,
    name: String,
    colour: usize,
}

impl Renderer<'_> {
    /// Returns the anchors on the page: steps, settings, headings.
    pub(super) fn compare_anchors(&self, family: FamilyId) -> Vec<String> {
        let of_step = |step: ComparedStepView| {
            let rows = step.tables.into_iter().flat_map(|table| table.rows).map(|row| row.id);
            let headings = step.headings.into_iter().map(|heading| heading.id);
            std::iter::once(step.id).chain(rows).chain(headings).collect::<Vec<_>>()
        };
        self.compared_steps(family).into_iter().flat_map(of_step).collect()
    }

    /// Returns every step of a family, with platforms side by side.
    fn compared_steps(&self, family: FamilyId) -> Vec<ComparedStepView> {
        let mut ids = Ids::default();
        ids.unique("main".into());
        let names: Vec<String> =
            self.families.step_names(family).iter().map(|name| ids.unique(name.clone())).collect();
        let steps: Vec<DocumentId> = self.families.rows(family).iter().map(Row::first).collect();
        let titles = self.families.rows(family).indices();
        let titles = titles.map(|row| self.families.step_title(self.site, family, row)).collect();
        let rows = self.families.rows(family).indices().zip(names).zip(self.unique_names(&steps, titles));
        rows.map(|((row, id), title)| ComparedStep::new(self, family, row).view(id, title, &mut ids))
            .collect()
    }

    pub(super) fn compare_view(&self, address: &Address, family: FamilyId) -> CompareView {
        let its = &self.site.families[family];
        let steps = self.compared_steps(family);
        let (colours, platforms) = (colours::of(its), its.platforms.indexed());
        let sum = |part: fn(&Tally) -> usize| steps.iter().map(|step| part(&step.tally)).sum();
        let tally = Tally {
            steps: sum(|tally| tally.steps),
            lacking_steps: sum(|tally| tally.lacking_steps),
            lacking_settings: sum(|tally| tally.lacking_settings),
            settings: sum(|tally| tally.settings),
            differing_settings: sum(|tally| tally.differing_settings),
            headings: sum(|tally| tally.headings),
            differing_headings: sum(|tally| tally.differing_headings),
        };
        let compared = compared::html(&steps, tally.settings > 0, self.words);
        let is_own = self.project.sources.templates.contains_key(&"templates/compare.html".into());
        let name = |ComparedStepView { id, title, .. }: ComparedStepView| StepName { id, title };
        let steps =
            if is_own { Steps::Whole(steps) } else { Steps::Named(steps.into_iter().map(name).collect()) };
        CompareView {
            page: self
                .own_or(address, None, || self.words.get(Word::SideBySide).to_string())
                .or_described(|| Some(format!("{}: {}", its.title, self.words.get(Word::SideBySideOf)))),
            family: Link { title: its.name.clone(), url: self.url(&its.address) },
            platforms: platforms
                .map(|(at, platform)| PlatformView {
                    id: platform.id.clone(),
                    name: platform.name.clone(),
                    colour: colours[at],
                })
                .collect(),
            rows: self.matrix(family),
            tally,
            compared,
            steps,
        }
    }
}

impl ComparedStep<'_> {
    fn view(&self, id: String, title: String, ids: &mut Ids) -> ComparedStepView {
        let tables = self.tables(&id, ids);
        let headings = self.headings(&id, ids);
        let rows = || tables.iter().flat_map(|table| &table.rows);
        let tally = Tally {
            steps: 1,
            lacking_steps: usize::from(!self.missing.is_empty()),
            lacking_settings: rows().filter(|row| row.cells.contains(&None)).count(),
            settings: rows().count(),
            differing_settings: rows().filter(|row| row.differs).count(),
            headings: headings.len(),
            differing_headings: headings.iter().filter(|heading| heading.differs).count(),
        };
        let version = |version: &ComparedVersion<'_>| VersionView {
            id: version.platform.id.clone(),
            colour: version.colour,
            name: version.platform.name.clone(),
            url: self.url(version),
            lacks: self.renderer.words.say(Word::NotOn, &[("platforms", &version.platform.name)]),
        };
        let names: Vec<&str> = self.versions.iter().map(|version| version.platform.name.as_str()).collect();
        ComparedStepView {
            title,
            versions: self.versions.iter().map(version).collect(),
            missing: self
                .missing
                .iter()
                .map(|it| LackingPlatform { id: it.id.clone(), name: it.name.clone() })
                .collect(),
            causes: causes(&tables, &names),
            id,
            tables,
            headings,
            tally,
        }
    }

    fn url(&self, version: &ComparedVersion<'_>) -> String {
        self.renderer.url(&self.renderer.project.site.document(version.id).address)
    }

    fn pairs<I: Copy + Eq + std::hash::Hash>(&self, of: impl Fn(&SideBySide) -> &Pairing<I>) -> Pairs<I> {
        let mut pairs = Pairs::default();
        for (&(a, b), comparison) in self.comparisons {
            let pairing = of(comparison);
            let same = pairing.same.iter().map(|pair| (pair, false));
            for (&(x, y), differs) in same.chain(pairing.differing.iter().map(|pair| (pair, true))) {
                pairs.0.insert((a, x, b), (y, differs));
                pairs.0.insert((b, y, a), (x, differs));
            }
        }
        pairs
    }

    fn headings(&self, step: &str, ids: &mut Ids) -> Vec<HeadingView> {
        let pairs = self.pairs(|comparison| &comparison.sections);
        let lengths = self.versions.iter().map(|version| version.outline.sections.len()).collect();
        // The part before the first heading has no heading.
        let rows = rows(&lengths, |a, item, b| pairs.partner(a, item, b))
            .into_iter()
            .filter(|row| !row.contains(&Some(SectionIx::TOP)));
        let view = |row: ItemRow<SectionIx>| {
            let classes = pairs.classes(&row);
            let odd = odd(&classes);
            let title = |(at, section): (VersionIx, &Option<SectionIx>)| {
                let heading = &self.versions[at].outline.page.headings[(*section)?.heading()?];
                let url = format!("{}#{}", self.url(&self.versions[at]), heading.id);
                Some((
                    TitleView {
                        text: heading.text.clone(),
                        url,
                        differs: odd[at],
                        class: classes[at].map_or(0, usize::from),
                    },
                    heading,
                ))
            };
            let titles: Vec<Option<(TitleView, _)>> = row.indexed().map(title).collect();
            let (_, first) = titles.iter().flatten().next().expect("a row is made for a heading");
            HeadingView {
                id: ids.unique(format!("{step}-section-{}", slug_of(first.bare_text()))),
                level: first.level,
                differs: odd.contains(&true) || row.contains(&None),
                is_rare: is_rare(&row),
                cells: titles.into_iter().map(|title| title.map(|(view, _)| view)).collect(),
            }
        };
        rows.map(view).collect()
    }

    fn tables(&self, step: &str, ids: &mut Ids) -> Vec<TableView> {
        let mut tables = Pairs::default();
        for (&(a, b), comparison) in self.comparisons {
            for &(x, y) in &comparison.tables {
                tables.0.insert((a, x, b), (y, false));
                tables.0.insert((b, y, a), (x, false));
            }
        }
        let comparing = Comparing {
            step: self,
            settings: self.pairs(|comparison| &comparison.settings),
            columns: self.pairs(|comparison| &comparison.columns),
            cells: self.pairs(|comparison| &comparison.cells),
        };
        let settings: SettingsByTable =
            self.versions.iter().map(|version| version.outline.settings_by_table()).collect();
        let lengths = settings.iter().map(|tables| tables.len()).collect();
        let rows = rows(&lengths, |a, item, b| tables.partner(a, item, b)).into_iter();
        rows.map(|table| comparing.table(&table, &settings, step, ids)).collect()
    }
}

/// Matching items, one for each version that contains it.
type ItemRow<I> = IndexVec<VersionIx, Option<I>>;

/// The settings of each table of each version.
type SettingsByTable = IndexVec<VersionIx, IndexVec<TableIx, Vec<SettingIx>>>;

newtype_index! {
    /// Position of a setting among those of its table.
    struct InTable
}

/// Arranges the items of all versions in rows. The version with the most items determines the order.
fn rows<I: Ix>(
    lengths: &IndexVec<VersionIx, usize>,
    partner: impl Fn(VersionIx, I, VersionIx) -> Option<I>,
) -> Vec<ItemRow<I>> {
    let mut order: Vec<VersionIx> = lengths.indices().collect();
    order.stable_sort_by_key(|&version| std::cmp::Reverse(lengths[version]));
    in_rows(lengths, &order, partner)
}

/// The match of a version's item on another version, and whether the two differ.
struct Pairs<I>(HashMap<(VersionIx, I, VersionIx), (I, bool)>);

impl<I> Default for Pairs<I> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<I: Copy + Eq + std::hash::Hash> Pairs<I> {
    fn partner(&self, a: VersionIx, item: I, b: VersionIx) -> Option<I> {
        self.0.get(&(a, item, b)).map(|(partner, _)| *partner)
    }

    /// Returns the class of each item of a row, identified by its first version, or `None` if the version lacks the
    /// item.
    fn classes(&self, row: &ItemRow<I>) -> IndexVec<VersionIx, Option<VersionIx>> {
        let each_alone = || row.indexed().map(|(at, item)| item.map(|_| at)).collect();
        let mut class: IndexVec<VersionIx, Option<VersionIx>> = each_alone();
        let mut differing = Vec::new();
        for (a, b, x, y) in pairs_of(row) {
            match self.0.get(&(a, x, b)) {
                Some(&(partner, false)) if partner == y => {
                    let (kept, gone) = (class[a].min(class[b]), class[a].max(class[b]));
                    class.iter_mut().filter(|it| **it == gone).for_each(|it| *it = kept);
                }
                Some(&(partner, true)) if partner == y => differing.push((a, b)),
                _ => {}
            }
        }
        let first = row.position(Option::is_some);
        match () {
            // Two items that equal a third one may differ from each other. In this case, each is a separate class.
            () if differing.iter().any(|&(a, b)| class[a] == class[b]) => each_alone(),
            () if differing.is_empty() => class.iter().map(|it| it.and(first)).collect(),
            () => class,
        }
    }
}

/// Returns which items of a row, by their classes, differ from the majority, or from all others without a majority.
fn odd(classes: &ItemRow<VersionIx>) -> IndexVec<VersionIx, bool> {
    let size = |class: Option<VersionIx>| classes.iter().filter(|it| **it == class).count();
    let most = classes.iter().flatten().map(|&class| size(Some(class))).max().unwrap_or(0);
    let largest: SortedSet<VersionIx> =
        classes.iter().flatten().copied().filter(|&class| size(Some(class)) == most).collect();
    let usual = largest.first().filter(|_| largest.len() == 1);
    classes.iter().map(|class| class.is_some_and(|class| Some(&class) != usual)).collect()
}

/// Whether fewer than half of the versions have an item of a row.
fn is_rare<I>(row: &ItemRow<I>) -> bool {
    2 * row.iter().filter(|item| item.is_some()).count() < row.len()
}

/// Returns all pairs of items of a row, with their versions.
fn pairs_of<I: Copy>(row: &ItemRow<I>) -> impl Iterator<Item = (VersionIx, VersionIx, I, I)> {
    row.indexed().flat_map(move |(a, x)| {
        let later = row.indexed().filter(move |(b, _)| *b > a);
        later.filter_map(move |(b, y)| Some((a, b, (*x)?, (*y)?)))
    })
}

/// The settings of a step under comparison.
struct Comparing<'a> {
    step: &'a ComparedStep<'a>,
    settings: Pairs<SettingIx>,
    columns: Pairs<TableColumn>,
    cells: Pairs<Cell>,
}

/// A column, with its position in each table.
struct Column {
    title: String,
    describes: bool,
    places: ItemRow<ColumnIx>,
}

impl Comparing<'_> {
    /// `table` is the position of the table in each version, and `settings` are the settings of all tables.
    fn table(
        &self,
        table: &ItemRow<TableIx>,
        settings: &SettingsByTable,
        step: &str,
        ids: &mut Ids,
    ) -> TableView {
        let held: IndexVec<VersionIx, &[SettingIx]> = table
            .iter()
            .zip(settings)
            .map(|(table, tables)| table.map_or(&[][..], |table| &tables[table]))
            .collect();
        let columns = self.columns(table);
        let lengths = held.iter().map(|settings| settings.len()).collect();
        // Settings of a table are sorted by position.
        let place = |version, setting| held[version].binary_search(&setting).ok().map(InTable::from);
        let setting = |version, at: InTable| held[version][usize::from(at)];
        let partner = |a, at, b| place(b, self.settings.partner(a, setting(a, at), b)?);
        let rows = rows(&lengths, partner).into_iter().map(|row| {
            let row = row.indexed().map(|(version, at)| at.map(|at| setting(version, at))).collect();
            self.setting(&row, &columns, step, ids)
        });
        let rows = rows.collect();
        let (version, first) = first(table).expect("a row is made for a table");
        let title = self.step.versions[version].outline.tables[first].columns.first();
        TableView { title: title.map_or_else(String::new, |column| column.title.shown.to_string()), rows }
    }

    /// Returns the columns of matching tables, except for the first one.
    fn columns(&self, table: &ItemRow<TableIx>) -> Vec<Column> {
        let tables =
            |version: VersionIx| table[version].map(|at| &self.step.versions[version].outline.tables[at]);
        let lengths =
            table.indices().map(|version| tables(version).map_or(0, |table| table.columns.len())).collect();
        let rows = rows(&lengths, |a, column, b| {
            let partner = self.columns.partner(a, TableColumn { table: table[a]?, column }, b)?;
            Some(partner.column)
        });
        let column = |places: ItemRow<ColumnIx>| {
            let (version, at) = first(&places)?;
            let table = tables(version)?;
            (at != ColumnIx::NAMES).then(|| Column {
                title: table.columns[at].title.shown.to_string(),
                describes: table.describes(at),
                places,
            })
        };
        let mut columns: Vec<Column> = rows.into_iter().filter_map(column).collect();
        if columns.iter().all(|column| column.describes) {
            for column in &mut columns {
                column.describes = false;
            }
        }
        columns
    }

    fn setting(
        &self,
        row: &ItemRow<SettingIx>,
        columns: &[Column],
        step: &str,
        ids: &mut Ids,
    ) -> SettingView {
        let classes: Vec<ItemRow<VersionIx>> =
            columns.iter().map(|column| self.cells.classes(&Self::cells(row, column))).collect();
        let (values, descriptions): (Vec<_>, Vec<_>) =
            columns.iter().zip(&classes).partition(|(column, _)| !column.describes);
        let odd: Vec<IndexVec<VersionIx, bool>> = values.iter().map(|(_, classes)| odd(classes)).collect();
        let values: Vec<&Column> = values.into_iter().map(|(column, _)| column).collect();
        let descriptions = descriptions.into_iter();
        let descriptions: Vec<DescriptionView> =
            descriptions.filter_map(|(column, classes)| self.description(row, column, classes)).collect();
        let classes = numbers(row.indices(), &classes);
        let value_differs = odd.iter().flatten().any(|odd| *odd);
        let description_differs = !descriptions.is_empty();
        let (version, first) = first(row).expect("a row is made for a setting");
        let name = self.text(version, Cell { setting: first, column: ColumnIx::NAMES }).to_string();
        let cell = |(version, setting): (VersionIx, &Option<SettingIx>)| {
            setting.map(|setting| self.cell((version, setting), classes[version], &values, &odd))
        };
        SettingView {
            id: ids.unique(format!("{step}-{}", slug_of(&name))),
            name,
            differs: value_differs || description_differs || row.contains(&None),
            is_rare: is_rare(row),
            label: self.label(row, value_differs, description_differs),
            cells: row.indexed().map(cell).collect(),
            descriptions,
        }
    }

    /// Returns the cell of each version in a column.
    fn cells(row: &ItemRow<SettingIx>, column: &Column) -> ItemRow<Cell> {
        let cell = |(setting, column): (&Option<SettingIx>, &Option<ColumnIx>)| {
            Some(Cell { setting: (*setting)?, column: (*column)? })
        };
        row.iter().zip(&column.places).map(cell).collect()
    }

    fn text(&self, version: VersionIx, Cell { setting, column }: Cell) -> &str {
        let setting = &self.step.versions[version].outline.settings[setting];
        setting.cells.get(column).map_or("", |cell| &cell.shown)
    }

    fn cell(
        &self,
        (version, setting): (VersionIx, SettingIx),
        class: usize,
        values: &[&Column],
        odd: &[IndexVec<VersionIx, bool>],
    ) -> CellView {
        let anchor = self.step.versions[version].outline.anchor(setting);
        let page = self.step.url(&self.step.versions[version]);
        let value = |(column, odd): (&&Column, &IndexVec<VersionIx, bool>)| {
            Some(ValueView {
                title: (values.len() > 1).then(|| column.title.clone()),
                text: self.text(version, Cell { setting, column: column.places[version]? }).to_string(),
                differs: odd[version],
            })
        };
        CellView {
            class,
            url: anchor.map_or_else(|| page.clone(), |anchor| format!("{page}#{anchor}")),
            values: values.iter().zip(odd).filter_map(value).collect(),
        }
    }

    fn description(
        &self,
        row: &ItemRow<SettingIx>,
        column: &Column,
        classes: &ItemRow<VersionIx>,
    ) -> Option<DescriptionView> {
        let cells = Self::cells(row, column);
        let mut texts: SortedMap<VersionIx, TextView> = SortedMap::new();
        for ((version, cell), class) in cells.indexed().zip(classes.iter()) {
            if let Some((cell, class)) = cell.zip(*class) {
                let text = || TextView { platforms: Vec::new(), text: self.text(version, cell).to_string() };
                let platform = self.step.versions[version].platform.name.clone();
                texts.entry(class).or_insert_with(text).platforms.push(platform);
            }
        }
        let texts: Vec<TextView> = texts.into_values().collect();
        (texts.len() > 1).then(|| DescriptionView { title: column.title.clone(), texts })
    }

    /// Describes the difference of a setting.
    fn label(
        &self,
        row: &ItemRow<SettingIx>,
        value_differs: bool,
        description_differs: bool,
    ) -> Option<String> {
        let words = &self.step.renderer.words;
        let names = |has: bool| -> Vec<&str> {
            let versions = self.step.versions.iter().zip(row).filter(|(_, item)| item.is_some() == has);
            versions.map(|(version, _)| version.platform.name.as_str()).collect()
        };
        let missing = match (names(true).as_slice(), names(false).as_slice()) {
            (_, []) => None,
            ([only], _) => Some(words.say(Word::OnlyOn, &[("platform", only)])),
            (_, missing) => Some(words.say(Word::NotOn, &[("platforms", &words.list(missing))])),
        };
        let differs = match (value_differs, description_differs) {
            (true, _) => Some(words.get(Word::Differs).to_string()),
            (false, true) => Some(words.get(Word::DescribedDifferently).to_string()),
            (false, false) => None,
        };
        let parts: Vec<String> = differs.into_iter().chain(missing).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Returns a number for a version's cells in several columns. Equal cells give equal numbers.
fn numbers(
    versions: impl Iterator<Item = VersionIx>,
    columns: &[ItemRow<VersionIx>],
) -> IndexVec<VersionIx, usize> {
    // There are few versions.
    let mut known: Vec<VersionIx> = Vec::new();
    let number = |version: VersionIx| {
        let is_same = |other: &VersionIx| columns.iter().all(|column| column[version] == column[*other]);
        known.iter().position(is_same).unwrap_or_else(|| {
            known.push(version);
            known.len() - 1
        })
    };
    versions.map(number).collect()
}

/// Returns the differences that several settings of a step have in common.
fn causes(tables: &[TableView], names: &[&str]) -> Vec<CauseView> {
    let mut order = Vec::new();
    let mut counts: HashMap<Vec<ValueOf>, usize> = HashMap::default();
    for row in tables.iter().flat_map(|table| &table.rows) {
        let Some(values) = values_of(row, names) else { continue };
        let count = counts.entry(values.clone()).or_insert_with(|| {
            order.push(values);
            0
        });
        *count += 1;
    }
    let cause = |values: Vec<ValueOf>| CauseView { settings: counts[&values], values };
    order.into_iter().map(cause).filter(|cause| cause.settings > 1).collect()
}

/// Returns the values of a row with their platforms, or `None` if they are equal or there are several columns.
fn values_of(row: &SettingView, names: &[&str]) -> Option<Vec<ValueOf>> {
    let mut values: Vec<ValueOf> = Vec::new();
    for (cell, name) in row.cells.iter().zip(names) {
        let Some(cell) = cell else { continue };
        let [ValueView { title: None, text, differs }] = cell.values.as_slice() else { return None };
        match values.iter_mut().find(|value| value.text == *text) {
            Some(value) => value.platforms.push((*name).to_string()),
            None => values.push(ValueOf {
                text: text.clone(),
                platforms: vec![(*name).to_string()],
                differs: *differs,
            }),
        }
    }
    values.stable_sort_by_key(|value| !value.differs);
    values.iter().any(|value| value.differs).then_some(values)
}

/// Returns the first version with an item of a row, and the item.
fn first<I: Copy>(row: &ItemRow<I>) -> Option<(VersionIx, I)> {
    row.indexed().find_map(|(version, item)| Some((version, (*item)?)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::output::cache::Cache;
    use crate::output::pipeline::{self, Options};
    use base::site_path::SitePath;
    use input::source::{Sources, Text};

    /// `pages` contains `platform | line; line; …` on each line, all for one step. Returns the view of that step.
    fn compare(pages: &str) -> ComparedStepView {
        let mut sources = Sources::default();
        for page in pages.lines().map(str::trim).filter(|page| !page.is_empty()) {
            let (platform, body) = page.split_once(" | ").expect("a platform");
            let path: SitePath = format!("content/tour/{platform}/step.md").as_str().into();
            let text = format!("---\ntitle: ComparedStep\norder: 1\n---\n\n{}\n", body.replace("; ", "\n"));
            sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
        }
        let cache = Arc::<Cache>::default();
        let (work, _) = pipeline::plan(sources, &Options::default(), &cache).expect("a site");
        let at = &Address::new("/tour/compare/");
        Renderer::new(&work, None, at).compared_steps(0.into()).remove(0)
    }

    /// Checks each setting as `name: cell, cell: label`, with a star after differing cells.
    #[track_caller]
    fn check_settings(pages: &str, expected: &[&str]) {
        let step = compare(pages);
        let value = |value: &ValueView| format!("{}{}", value.text, if value.differs { "*" } else { "" });
        let cell = |cell: &Option<CellView>| {
            let values = |cell: &CellView| cell.values.iter().map(value).collect::<Vec<_>>().join("/");
            cell.as_ref().map_or("-".to_string(), values)
        };
        let row = |row: &SettingView| {
            let cells: Vec<String> = row.cells.iter().map(cell).collect();
            format!("{}: {}: {}", row.name, cells.join(", "), row.label.as_deref().unwrap_or_default())
        };
        let rows: Vec<String> = step.tables.iter().flat_map(|table| &table.rows).map(row).collect();
        assert_eq!(rows, expected);
        assert_eq!(step.tally.differing_settings, rows.iter().filter(|row| !row.ends_with(": ")).count());
    }

    /// Checks each heading as `cell, cell`, with a star after differing ones.
    #[track_caller]
    fn check_headings(pages: &str, expected: &[&str]) {
        let cell = |cell: &Option<TitleView>| {
            let title = |title: &TitleView| format!("{}{}", title.text, if title.differs { "*" } else { "" });
            cell.as_ref().map_or("-".to_string(), title)
        };
        let step = compare(pages);
        let rows: Vec<String> = step
            .headings
            .iter()
            .map(|row| row.cells.iter().map(cell).collect::<Vec<_>>().join(", "))
            .collect();
        assert_eq!(rows, expected);
    }

    const HEAD: &str = "| Setting | Value |; |-|-|";

    #[test]
    fn the_deviating_one_of_three_differs_and_both_of_two_do() {
        let page = |platform: &str, value: &str| format!("{platform} | {HEAD}; | A | {value} |; | B | x |\n");
        let two = page("web", "On") + &page("ios", "Off");
        check_settings(&two, &["A: On*, Off*: differs", "B: x, x: "]);
        let three = two + &page("android", "On");
        check_settings(&three, &["A: On, Off*, On: differs", "B: x, x, x: "]);
    }

    #[test]
    fn platforms_that_lack_a_setting_are_named() {
        check_settings(
            &format!(
                "web | {HEAD}; | A | 1 |; | C | 3 |
                 ios | {HEAD}; | A | 1 |; | B | 2 |; | C | 4 |; | D | 5 |
                 android | {HEAD}; | B | 2 |; | C | 3 |"
            ),
            &[
                "A: 1, 1, -: not on Android",
                "B: -, 2, 2: not on Web",
                "C: 3, 4*, 3: differs",
                "D: -, 5, -: only on iOS",
            ],
        );
    }

    #[test]
    fn columns_are_joined_by_title_and_a_description_is_not_a_value() {
        let step = compare(
            "web | | Setting | Default | Best | Description |; |-|-|-|-|; | A | 1 | 2 | Says so. |
             ios | | Setting | Best | Default | Description |; |-|-|-|-|; | A | 2 | 1 | Says no. |",
        );
        let row = &step.tables[0].rows[0];
        assert_eq!(row.label.as_deref(), Some("described differently"));
        let texts: Vec<&str> = row.descriptions[0].texts.iter().map(|text| text.text.as_str()).collect();
        assert_eq!(texts, ["Says so.", "Says no."]);
        let titles: Vec<_> = row.cells.iter().flatten().flat_map(|cell| &cell.values).collect();
        assert!(titles.iter().all(|value| !value.differs && value.title.is_some()));
        check_settings(
            "web | | Setting | Description |; |-|-|; | A | One |\n ios | | Setting | Description |; |-|-|; | A | Two |",
            &["A: One*, Two*: differs"],
        );
    }

    #[test]
    fn rows_keep_their_anchors_when_platforms_join() {
        let one = format!("web | {HEAD}; | Send it | 1 |; | Send it | 2 |\nios | {HEAD}; | Send it | 1 |");
        let ids = |pages: &str| -> Vec<String> {
            compare(pages).tables[0].rows.iter().map(|row| row.id.clone()).collect()
        };
        assert_eq!(ids(&one), ["step-send-it", "step-send-it-1"]);
        assert_eq!(ids(&format!("{one}\nandroid | {HEAD}; | Send it | 1 |; | Send it | 2 |")), ids(&one));
    }

    #[test]
    fn headings_are_side_by_side() {
        check_headings(
            "web | ## 1.1 Open it; ; ## 1.2 Only here; ; ## 1.3 Close it
             ios | ## 4.1 Open it; ; ## 4.2 Close it",
            &["1.1 Open it, 4.1 Open it", "1.2 Only here, -", "1.3 Close it, 4.2 Close it"],
        );
        check_headings(
            "web | ## See the events arrive\n ios | ## Watch the events arrive",
            &["See the events arrive*, Watch the events arrive*"],
        );
    }
}
