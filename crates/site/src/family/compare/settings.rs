//! Matches the settings of two versions, with their tables, columns and cells.

use super::Pairing;
use crate::family::matching::{FirstIx, SecondIx, alone, best_first, equal_first};
use crate::family::outline::{Cell, ColumnIx, Outline, SectionIx, SettingIx, TableColumn, TableIx};
use crate::family::words::{likely_pairs, ratio};
use base::hash::{HashMap, HashSet};
use base::index::IndexVec;

/// Matches settings tables: those with the most common settings, first in matching sections.
pub(super) fn tables(
    a: &Outline<'_>,
    b: &Outline<'_>,
    sections: &[(SectionIx, SectionIx)],
) -> Vec<(TableIx, TableIx)> {
    let (a_names, b_names) = (names_by_table(a), names_by_table(b));
    let known: IndexVec<TableIx, HashSet<&str>> =
        b_names.iter().map(|names| names.iter().copied().collect()).collect();
    let sections: HashSet<&(SectionIx, SectionIx)> = sections.iter().collect();
    best_first(a.tables.indices(), b.tables.indices(), |one, other| {
        let (one_table, other_table) = (&a.tables[one], &b.tables[other]);
        let common = match a_names[one].iter().filter(|&&name| known[other].contains(name)).count() {
            0 => same_letters(&a_names[one], &b_names[other]),
            common => common,
        };
        let all = a_names[one].len() + b_names[other].len();
        let shared = ratio(2 * common, all.max(1));
        let in_place = sections.contains(&(one_table.section, other_table.section));
        let same_columns =
            one_table.columns.iter().zip(&other_table.columns).all(|(a, b)| a.title.is_same(&b.title));
        let score = shared + if in_place { 0.3 } else { 0.0 } + if same_columns { 0.1 } else { 0.0 };
        (common > 0 || (in_place && same_columns)).then_some(score)
    })
}

/// Returns the letters and digits of a name, which languages write as `api_key` and `apiKey`.
fn letters(name: &str) -> String {
    let mut letters = String::with_capacity(name.len());
    letters.extend(name.chars().filter(|c| c.is_alphanumeric()));
    letters
}

/// Number of names with the same letters.
fn same_letters(a: &[&str], b: &[&str]) -> usize {
    let there: HashSet<String> = b.iter().map(|name| letters(name)).collect();
    a.iter().filter(|name| there.contains(&letters(name))).count()
}

fn names_by_table<'o>(outline: &'o Outline<'_>) -> IndexVec<TableIx, Vec<&'o str>> {
    let mut names: IndexVec<TableIx, Vec<&str>> = outline.tables.iter().map(|_| Vec::new()).collect();
    for setting in &outline.settings {
        names[setting.table].push(setting.name().key());
    }
    names
}

/// Matches settings by name and columns by title, and compares their cells.
pub(super) fn of_tables<'o>(
    a: &'o Outline<'_>,
    b: &'o Outline<'_>,
    tables: &[(TableIx, TableIx)],
) -> (Pairing<SettingIx>, Pairing<TableColumn>, Pairing<Cell>) {
    let mut settings = Pairing::default();
    let mut columns = Pairing::default();
    let mut cells = Pairing::default();
    let (a_tables, b_tables) = (a.settings_by_table(), b.settings_by_table());
    let (name_a, name_b) = (|at: SettingIx| a.settings[at].name(), |at: SettingIx| b.settings[at].name());
    for &(one, other) in tables {
        let rows_a: IndexVec<FirstIx, SettingIx> = a_tables[one].iter().copied().collect();
        let rows_b: IndexVec<SecondIx, SettingIx> = b_tables[other].iter().copied().collect();
        let likely = |left_a: &IndexVec<FirstIx, SettingIx>, left_b: &IndexVec<SecondIx, SettingIx>| {
            let (ours, theirs) = (left_a.iter().map(|&at| name_a(at)), left_b.iter().map(|&at| name_b(at)));
            likely_pairs(&ours.collect(), &theirs.collect())
        };
        let keys = (|at| name_a(at).key(), |at| name_b(at).key());
        let mut pairs = equal_first(&rows_a, &rows_b, keys, likely, |here, there| {
            let (a, b) = (name_a(here), name_b(there));
            if a.is_same(b) { Some(2.0) } else { a.says_same(b).then_some(1.0) }
        });
        let (only_a, only_b) = alone(&pairs, rows_a.iter().copied(), rows_b.iter().copied());
        let mut by_letters: HashMap<String, SettingIx> =
            only_b.iter().map(|&at| (letters(name_b(at).key()), at)).collect();
        pairs.extend(
            only_a.iter().filter_map(|&at| Some((at, by_letters.remove(&letters(name_a(at).key()))?))),
        );
        let (only_a, only_b) = alone(&pairs, only_a, only_b);
        settings.only[0].extend(only_a);
        settings.only[1].extend(only_b);
        let (titles_a, titles_b) = (&a.tables[one].columns, &b.tables[other].columns);
        let mut titles = best_first(titles_a.indices(), titles_b.indices(), |x, y| {
            // The first columns contain the names of settings, whatever their titles are.
            let is_name = |column| column == ColumnIx::NAMES;
            let fits =
                is_name(x) == is_name(y) && (is_name(x) || titles_a[x].title.says_same(&titles_b[y].title));
            fits.then_some(1.0)
        });
        let (mut left_a, mut left_b) = alone(&titles, titles_a.indices(), titles_b.indices());
        if left_a.len() == 1 && left_b.len() == 1 && titles_a.len() == titles_b.len() {
            titles.extend(left_a.pop().zip(left_b.pop()));
        }
        let of_a = |column: ColumnIx| TableColumn { table: one, column };
        let of_b = |column: ColumnIx| TableColumn { table: other, column };
        columns.same.extend(titles.iter().map(|&(x, y)| (of_a(x), of_b(y))));
        columns.only[0].extend(left_a.into_iter().map(of_a));
        columns.only[1].extend(left_b.into_iter().map(of_b));
        for (here, there) in pairs {
            settings.same.push((here, there));
            for &(x, y) in titles.iter().filter(|(x, _)| *x != ColumnIx::NAMES) {
                let (cell_a, cell_b) = (a.settings[here].cells.get(x), b.settings[there].cells.get(y));
                let same = match (cell_a, cell_b) {
                    (Some(a), Some(b)) => a.is_same(b),
                    (a, b) => a.is_none() && b.is_none(),
                };
                let pairs = if same { &mut cells.same } else { &mut cells.differing };
                pairs.push((Cell { setting: here, column: x }, Cell { setting: there, column: y }));
            }
        }
    }
    let (lone_a, lone_b) = alone(tables, a.tables.indices(), b.tables.indices());
    settings.only[0].extend(lone_a.into_iter().flat_map(|table| a_tables[table].clone()));
    settings.only[1].extend(lone_b.into_iter().flat_map(|table| b_tables[table].clone()));
    (settings, columns, cells)
}
