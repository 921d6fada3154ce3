//! Compares two versions of a step.
//!
//! In: two [`Outline`]s. Out: [`Comparison`], which is the same, turned round, whichever of the two comes
//! first, and knows of no third platform: so a new version never changes what is found among the others.

use std::collections::{HashMap, HashSet};

use super::matching::{alone, best_first, equal_first, flipped, in_order, partner};
use super::outline::{BlockIx, Cell, ColumnIx, NoteIx, Outline, SectionIx, SettingIx, TableColumn, TableIx};
use super::words::{Words, likely_pairs, ratio};
use crate::index::IndexVec;
use crate::markdown::Page;

/// What corresponds, item by item, and what does not.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Comparison {
    /// A pair that differs has other titles.
    pub(crate) sections: Pairing<SectionIx>,
    pub(crate) tables: Vec<(TableIx, TableIx)>,
    /// Pairs never differ, their cells do.
    pub(crate) settings: Pairing<SettingIx>,
    pub(crate) columns: Pairing<TableColumn>,
    pub(crate) cells: Pairing<Cell>,
    /// A pair that differs is of two kinds.
    pub(crate) notes: Pairing<NoteIx>,
    /// By how many images sections show.
    pub(crate) images: Pairing<SectionIx>,
    /// By whether sections show code.
    pub(crate) code: Pairing<SectionIx>,
    pub(crate) blocks: Pairing<BlockIx>,
}

/// Items of two versions that correspond, and items that one of them lacks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pairing<I> {
    pub(crate) same: Vec<(I, I)>,
    pub(crate) differing: Vec<(I, I)>,
    /// What only the first, and only the second has.
    pub(crate) only: [Vec<I>; 2],
}

impl<I> Default for Pairing<I> {
    fn default() -> Self {
        Self { same: Vec::new(), differing: Vec::new(), only: [Vec::new(), Vec::new()] }
    }
}

/// Compares two versions of one step.
pub(crate) fn compare(a: &Outline<'_>, b: &Outline<'_>) -> Comparison {
    let sections = sections_of_outlines(a, b);
    let tables = tables(a, b, &sections);
    let notes = notes(a, b, &sections);
    let (settings, columns, cells) = settings(a, b, &tables);
    Comparison {
        images: images(a, b, &sections),
        code: code(a, b, &sections),
        blocks: blocks(a, b, &sections, &notes),
        sections: section_titles(a, b, &sections),
        tables,
        settings,
        columns,
        cells,
        notes,
    }
}

/// The part of a [`Comparison`] that readers see side by side; it comes without the work of comparing texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SideBySide {
    pub(crate) sections: Pairing<SectionIx>,
    pub(crate) tables: Vec<(TableIx, TableIx)>,
    pub(crate) settings: Pairing<SettingIx>,
    pub(crate) columns: Pairing<TableColumn>,
    pub(crate) cells: Pairing<Cell>,
}

/// Compares headings and settings, just as [`compare`] does.
pub(crate) fn side_by_side(a: &Outline<'_>, b: &Outline<'_>) -> SideBySide {
    let sections = sections_of_outlines(a, b);
    let tables = tables(a, b, &sections);
    let (settings, columns, cells) = settings(a, b, &tables);
    SideBySide { sections: section_titles(a, b, &sections), tables, settings, columns, cells }
}

fn sections_of_outlines(a: &Outline<'_>, b: &Outline<'_>) -> Vec<(SectionIx, SectionIx)> {
    if let Some(sections) = sections_by_id(a.page, b.page) {
        return sections;
    }
    let titles = |outline: &Outline<'_>| -> IndexVec<SectionIx, Words> {
        outline.sections.iter().map(|section| section.title.words().clone()).collect()
    };
    let likeness = |one: SectionIx, other: SectionIx| a.likeness(one, b, other);
    sections(&titles(a), &titles(b), likeness)
}

/// The sections of two pages that give all their headings the same ids, in the same order: most siblings do, and
/// nothing has to be compared.
pub(super) fn sections_by_id(a: &Page, b: &Page) -> Option<Vec<(SectionIx, SectionIx)>> {
    let same = a.headings.iter().map(|heading| &heading.id).eq(b.headings.iter().map(|heading| &heading.id));
    let sections = (0..=a.headings.len()).map(SectionIx::from);
    same.then(|| sections.map(|section| (section, section)).collect())
}

/// Which sections correspond: by title; what is left, by similarity of title and text, between those before
/// and after that correspond. What is above the first heading always does.
///
/// `likeness` of two sections' texts is asked for only where titles do not tell.
pub(super) fn sections(
    a: &IndexVec<SectionIx, Words>,
    b: &IndexVec<SectionIx, Words>,
    likeness: impl Fn(SectionIx, SectionIx) -> Option<f64>,
) -> Vec<(SectionIx, SectionIx)> {
    // Ties are broken by what the titles say, and not by which platform comes first.
    if a.iter().map(Words::key).gt(b.iter().map(Words::key)) {
        flipped(sections_in_order(b, a, |one, other| likeness(other, one)))
    } else {
        sections_in_order(a, b, likeness)
    }
}

/// Below it two titles and texts are not about the same thing.
const LIKE: f64 = 0.45;
/// Out of order, more must agree.
const LIKE_ELSEWHERE: f64 = 0.5;

fn sections_in_order(
    a: &IndexVec<SectionIx, Words>,
    b: &IndexVec<SectionIx, Words>,
    likeness: impl Fn(SectionIx, SectionIx) -> Option<f64>,
) -> Vec<(SectionIx, SectionIx)> {
    let mut by_title: HashMap<&str, Vec<SectionIx>> = HashMap::new();
    for (at, title) in b.indexed().skip(1) {
        by_title.entry(title.key()).or_default().push(at);
    }
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut pairs = vec![(SectionIx::TOP, SectionIx::TOP)];
    for (at, title) in a.indexed().skip(1) {
        let count = seen.entry(title.key()).or_default();
        pairs.extend(by_title.get(title.key()).and_then(|found| found.get(*count)).map(|&found| (at, found)));
        *count += 1;
    }
    let like = |one: SectionIx, other: SectionIx| -> Option<f64> {
        let title = a[one].similarity(&b[other]);
        Some(likeness(one, other).map_or(title, |text| f64::midpoint(title, text)))
    };
    let (free_a, free_b) = alone(&pairs, a.indices(), b.indices());
    // Only sections meet that have as many pairs before them.
    let (firsts, seconds): (Vec<SectionIx>, Vec<SectionIx>) = pairs.iter().copied().unzip();
    let before = |free: &[SectionIx], paired: &[SectionIx]| -> HashMap<SectionIx, usize> {
        free.iter().map(|at| (*at, paired.iter().filter(|it| *it < at).count())).collect()
    };
    let (before_a, before_b) = (before(&free_a, &firsts), before(&free_b, &seconds));
    let found = in_order(free_a, free_b, |one, other| {
        let may_meet = before_a[&one] == before_b[&other];
        if may_meet { like(one, other).filter(|like| *like >= LIKE) } else { None }
    });
    pairs.extend(found);
    // At last, what is alike and in another place.
    let (free_a, free_b) = alone(&pairs, a.indices(), b.indices());
    let moved =
        best_first(free_a, free_b, |one, other| like(one, other).filter(|like| *like >= LIKE_ELSEWHERE));
    pairs.extend(moved);
    pairs.sort_unstable();
    pairs
}

fn section_titles(a: &Outline<'_>, b: &Outline<'_>, pairs: &[(SectionIx, SectionIx)]) -> Pairing<SectionIx> {
    let (same, differing) =
        pairs.iter().partition(|&&(one, other)| a.sections[one].title.says_same(&b.sections[other].title));
    let (only_a, only_b) = alone(pairs, a.sections.indices(), b.sections.indices());
    Pairing { same, differing, only: [only_a, only_b] }
}

/// Which settings tables correspond: those with the most settings in common, in corresponding sections first.
fn tables(a: &Outline<'_>, b: &Outline<'_>, sections: &[(SectionIx, SectionIx)]) -> Vec<(TableIx, TableIx)> {
    let (a_names, b_names) = (names_by_table(a), names_by_table(b));
    let known: IndexVec<TableIx, HashSet<&str>> =
        b_names.iter().map(|names| names.iter().copied().collect()).collect();
    let sections: HashSet<&(SectionIx, SectionIx)> = sections.iter().collect();
    best_first(a.tables.indices(), b.tables.indices(), |one, other| {
        let (one_table, other_table) = (&a.tables[one], &b.tables[other]);
        let common = a_names[one].iter().filter(|&&name| known[other].contains(name)).count();
        let all = a_names[one].len() + b_names[other].len();
        let shared = ratio(2 * common, all.max(1));
        let in_place = sections.contains(&(one_table.section, other_table.section));
        let same_columns = one_table.columns.iter().zip(&other_table.columns).all(|(a, b)| a.is_same(b));
        let score = shared + if in_place { 0.3 } else { 0.0 } + if same_columns { 0.1 } else { 0.0 };
        (common > 0 || (in_place && same_columns)).then_some(score)
    })
}

fn names_by_table<'o>(outline: &'o Outline<'_>) -> IndexVec<TableIx, Vec<&'o str>> {
    let mut names: IndexVec<TableIx, Vec<&str>> = outline.tables.iter().map(|_| Vec::new()).collect();
    for setting in &outline.settings {
        names[setting.table].push(setting.name().key());
    }
    names
}

/// Settings by name, columns by title, and the cells of both.
fn settings<'o>(
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
        let (rows_a, rows_b) = (&a_tables[one], &b_tables[other]);
        let likely = |left_a: &[SettingIx], left_b: &[SettingIx]| {
            let ours: Vec<&Words> = left_a.iter().map(|&at| name_a(at)).collect();
            let theirs: Vec<&Words> = left_b.iter().map(|&at| name_b(at)).collect();
            likely_pairs(&ours, &theirs)
        };
        let keys: [&dyn Fn(SettingIx) -> &'o str; 2] = [&|at| name_a(at).key(), &|at| name_b(at).key()];
        let pairs = equal_first(rows_a, rows_b, keys, likely, |here, there| {
            let (a, b) = (name_a(here), name_b(there));
            if a.is_same(b) { Some(2.0) } else { a.says_same(b).then_some(1.0) }
        });
        let (only_a, only_b) = alone(&pairs, rows_a.iter().copied(), rows_b.iter().copied());
        settings.only[0].extend(only_a);
        settings.only[1].extend(only_b);
        let (titles_a, titles_b) = (&a.tables[one].columns, &b.tables[other].columns);
        let mut titles = best_first(titles_a.indices(), titles_b.indices(), |x, y| {
            // The first columns name the settings, whatever they are called.
            let is_name = |column| column == ColumnIx::NAMES;
            let fits = is_name(x) == is_name(y) && (is_name(x) || titles_a[x].says_same(&titles_b[y]));
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

/// Notes that have less in common, in order aside, are two notes.
const LIKE_NOTE: f64 = 0.4;
/// In another section, more must agree.
const LIKE_NOTE_ELSEWHERE: f64 = 0.6;

/// Where both sections have no other note, less.
const LIKE_ONLY_NOTE: f64 = 0.25;

/// Notes that say much the same in corresponding sections, then those that do elsewhere; then those that are the only
/// ones of their sections.
fn notes(a: &Outline<'_>, b: &Outline<'_>, sections: &[(SectionIx, SectionIx)]) -> Pairing<NoteIx> {
    let sections: HashSet<(SectionIx, SectionIx)> = sections.iter().copied().collect();
    let only_one = |outline: &Outline<'_>, note: NoteIx| {
        let section = outline.notes()[note].section;
        outline.notes().iter().filter(|other| other.section == section).count() == 1
    };
    let pairs = best_first(a.notes().indices(), b.notes().indices(), |row, column| {
        let (one, other) = (&a.notes()[row], &b.notes()[column]);
        let likeness = one.words.similarity(&other.words);
        let in_place = sections.contains(&(one.section, other.section));
        let same = || one.words.says_same(&other.words);
        if in_place && (likeness >= LIKE_NOTE || same()) {
            Some(2.0 + likeness)
        } else if likeness >= LIKE_NOTE_ELSEWHERE || same() {
            Some(1.0 + likeness)
        } else {
            let is_one = in_place && likeness >= LIKE_ONLY_NOTE && only_one(a, row) && only_one(b, column);
            is_one.then_some(likeness)
        }
    });
    let (same, differing) =
        pairs.iter().partition(|&&(one, other)| a.notes()[one].kind == b.notes()[other].kind);
    let (mut only_a, mut only_b) = alone(&pairs, a.notes().indices(), b.notes().indices());
    // What is in a section that the other lacks goes with the section.
    let (known_a, known_b): (HashSet<SectionIx>, HashSet<SectionIx>) = sections.iter().copied().unzip();
    only_a.retain(|&note| known_a.contains(&a.notes()[note].section));
    only_b.retain(|&note| known_b.contains(&b.notes()[note].section));
    Pairing { same, differing, only: [only_a, only_b] }
}

fn images(a: &Outline<'_>, b: &Outline<'_>, sections: &[(SectionIx, SectionIx)]) -> Pairing<SectionIx> {
    let (same, differing) = sections
        .iter()
        .partition(|&&(one, other)| a.sections[one].images.len() == b.sections[other].images.len());
    Pairing { same, differing, only: [Vec::new(), Vec::new()] }
}

fn code(a: &Outline<'_>, b: &Outline<'_>, sections: &[(SectionIx, SectionIx)]) -> Pairing<SectionIx> {
    let mut code = Pairing::default();
    for &(one, other) in sections {
        match (a.samples(one).is_empty(), b.samples(other).is_empty()) {
            (false, true) => code.only[0].push(one),
            (true, false) => code.only[1].push(other),
            (false, false) => code.same.push((one, other)),
            (true, true) => {}
        }
    }
    code
}

/// Texts of corresponding sections in their order; what is told the same in another section has only moved.
fn blocks(
    a: &Outline<'_>,
    b: &Outline<'_>,
    sections: &[(SectionIx, SectionIx)],
    notes: &Pairing<NoteIx>,
) -> Pairing<BlockIx> {
    let mut blocks = Pairing::default();
    let of_section = |outline: &Outline<'_>, section: SectionIx| -> Vec<BlockIx> {
        outline.blocks().indices().filter(|&at| outline.blocks()[at].section == section).collect()
    };
    let of_note = |outline: &Outline<'_>, note: NoteIx| -> Vec<BlockIx> {
        outline.blocks().indices().filter(|&at| outline.blocks()[at].note == Some(note)).collect()
    };
    let moved = moved(a, b, sections);
    let mut met_a: IndexVec<BlockIx, bool> = vec![false; a.blocks().len()].into();
    let mut met_b: IndexVec<BlockIx, bool> = vec![false; b.blocks().len()].into();
    for &(x, y) in &moved {
        met_a[x] = true;
        met_b[y] = true;
    }
    // Notes that correspond are compared with each other, wherever they are, and as a whole.
    for &(one, other) in notes.same.iter().chain(&notes.differing) {
        let here: Vec<BlockIx> = of_note(a, one).into_iter().filter(|&x| !met_a[x]).collect();
        let there: Vec<BlockIx> = of_note(b, other).into_iter().filter(|&y| !met_b[y]).collect();
        let mut found = texts(a, b, &here, &there);
        let left_a: Vec<BlockIx> =
            here.iter().copied().filter(|x| !found.iter().any(|it| it.pair.0 == *x)).collect();
        let left_b: Vec<BlockIx> =
            there.iter().copied().filter(|y| !found.iter().any(|it| it.pair.1 == *y)).collect();
        if let ([x], [y]) = (&left_a[..], &left_b[..]) {
            found.push(Paired { pair: (*x, *y), differs: true });
        }
        for Paired { pair: (x, y), differs } in found {
            met_a[x] = true;
            met_b[y] = true;
            let pairs = if differs { &mut blocks.differing } else { &mut blocks.same };
            pairs.push((x, y));
        }
    }
    for &(one, other) in sections {
        let here: Vec<BlockIx> = of_section(a, one).into_iter().filter(|&x| !met_a[x]).collect();
        let there: Vec<BlockIx> = of_section(b, other).into_iter().filter(|&y| !met_b[y]).collect();
        for Paired { pair: (x, y), differs } in texts(a, b, &here, &there) {
            met_a[x] = true;
            met_b[y] = true;
            let pairs = if differs { &mut blocks.differing } else { &mut blocks.same };
            pairs.push((x, y));
        }
    }
    blocks.same.extend(moved);
    let lacks = |outline: &Outline<'_>, at: BlockIx, side: usize| {
        let block = &outline.blocks()[at];
        let section_known = sections.iter().any(|pair| [pair.0, pair.1][side] == block.section);
        let note_missing = block.note.is_some_and(|note| notes.only[side].contains(&note));
        section_known && !note_missing
    };
    blocks.only[0] = a.blocks().indices().filter(|&at| !met_a[at] && lacks(a, at, 0)).collect();
    blocks.only[1] = b.blocks().indices().filter(|&at| !met_b[at] && lacks(b, at, 1)).collect();
    blocks
}

/// Texts that are word for word in another section than the corresponding one, and nowhere in that.
fn moved(a: &Outline<'_>, b: &Outline<'_>, sections: &[(SectionIx, SectionIx)]) -> Vec<(BlockIx, BlockIx)> {
    let mut places: HashMap<&str, (Vec<BlockIx>, Vec<BlockIx>)> = HashMap::new();
    for (x, block) in a.blocks().indexed() {
        places.entry(block.words.key()).or_default().0.push(x);
    }
    for (y, block) in b.blocks().indexed() {
        places.entry(block.words.key()).or_default().1.push(y);
    }
    // A text that is there several times, such as "Click Save", says nothing of where it came from.
    let once = places.into_values().filter_map(|(xs, ys)| match (&xs[..], &ys[..]) {
        (&[x], &[y]) => Some((x, y)),
        _ => None,
    });
    let mut moved: Vec<(BlockIx, BlockIx)> =
        once.filter(|&(x, y)| !sections.contains(&(a.blocks()[x].section, b.blocks()[y].section))).collect();
    moved.sort_unstable();
    moved
}

/// Texts that have less in common tell different things; one replaced by another is told as two findings.
const RELATED: f64 = 0.4;

/// The words of some texts.
fn keys<'o>(outline: &'o Outline<'_>, blocks: &[BlockIx]) -> impl Iterator<Item = &'o str> {
    blocks.iter().map(|&at| outline.blocks()[at].words.key())
}

/// The words of each of some texts, sorted.
fn bags<'o>(outline: &'o Outline<'_>, blocks: &[BlockIx]) -> Vec<Vec<&'o str>> {
    let bag = |&at: &BlockIx| {
        let mut words: Vec<&str> = outline.blocks()[at].words.texts().collect();
        words.sort_unstable();
        words
    };
    blocks.iter().map(bag).collect()
}

/// Two texts that correspond.
struct Paired {
    pair: (BlockIx, BlockIx),
    differs: bool,
}

/// Pairs the texts of two sections, and says whether they differ.
fn texts(a: &Outline<'_>, b: &Outline<'_>, here: &[BlockIx], there: &[BlockIx]) -> Vec<Paired> {
    let turned = keys(a, here).gt(keys(b, there));
    // Common words are counted before their order is looked at: most pairs have too few.
    let (ours, theirs) = (bags(a, here), bags(b, there));
    let score = |row: usize, column: usize| {
        if ratio(2 * common(&ours[row], &theirs[column]), ours[row].len() + theirs[column].len()) < RELATED {
            return None;
        }
        let likeness = a.blocks()[here[row]].words.similarity(&b.blocks()[there[column]].words);
        (likeness >= RELATED).then_some(likeness * likeness)
    };
    let pairs = if turned {
        flipped(in_order(0..there.len(), 0..here.len(), |y, x| score(x, y)))
    } else {
        in_order(0..here.len(), 0..there.len(), score)
    };
    // A paragraph cut in two, or two made one, says the same as before: between texts that are the same,
    // the rest is compared as a whole too.
    let mut paired: Vec<Paired> = Vec::new();
    let says_same = |x: usize, y: usize| a.blocks()[here[x]].words.says_same(&b.blocks()[there[y]].words);
    let anchors = pairs.iter().copied().filter(|&(x, y)| says_same(x, y)).collect::<Vec<_>>();
    let ends = anchors.iter().copied().chain([(here.len(), there.len())]);
    let mut start = (0, 0);
    for end in ends {
        let (xs, ys) = (start.0..end.0, start.1..end.1);
        let whole = |outline: &Outline<'_>, blocks: &[BlockIx]| {
            let mut words = Words::default();
            for &at in blocks {
                words.push(&outline.blocks()[at].words);
            }
            words
        };
        let same_together = !xs.is_empty()
            && !ys.is_empty()
            && whole(a, &here[xs.clone()]).says_same(&whole(b, &there[ys.clone()]));
        if same_together {
            // Every text has a partner: the last of the shorter side stands for the rest.
            let longer = xs.len().max(ys.len());
            paired.extend((0..longer).map(|at| {
                let (x, y) = (xs.start + at.min(xs.len() - 1), ys.start + at.min(ys.len() - 1));
                Paired { pair: (here[x], there[y]), differs: false }
            }));
        } else {
            let pair = |x: usize| partner(&pairs, x).map(|y| (here[x], there[y]));
            paired.extend(xs.filter_map(pair).map(|pair| Paired { pair, differs: true }));
        }
        if end.0 < here.len() && end.1 < there.len() {
            paired.push(Paired { pair: (here[end.0], there[end.1]), differs: false });
        }
        start = (end.0 + 1, end.1 + 1);
    }
    paired
}

/// How many items two sorted lists have in common.
fn common(a: &[&str], b: &[&str]) -> usize {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut common = 0;
    while let (Some(one), Some(other)) = (a.peek(), b.peek()) {
        match one.cmp(other) {
            std::cmp::Ordering::Less => _ = a.next(),
            std::cmp::Ordering::Greater => _ = b.next(),
            std::cmp::Ordering::Equal => {
                common += 1;
                a.next();
                b.next();
            }
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edition::Edition;
    use crate::family::words::{Language, Names};
    use crate::markdown::Page;

    fn parse(text: &str) -> Page {
        crate::markdown::parse(text, 0, &Edition::default())
    }

    fn outline<'a>(page: &'a Page, names: &'a Names) -> Outline<'a> {
        Outline::new(page, ("Title", 0..0), names, |_| None)
    }

    fn names(own: &str) -> Names {
        Names::new(Language::English, [own], &[], &[])
    }

    /// `expected`: pairs of headings as `web = ios`; what one alone has as `web = -`.
    #[track_caller]
    fn check_sections(web: &str, ios: &str, expected: &[&str]) {
        let (web, ios) = (parse(web), parse(ios));
        let (web_names, ios_names) = (names("web"), names("iOS"));
        let (web, ios) = (outline(&web, &web_names), outline(&ios, &ios_names));
        let Pairing { same, differing, only } = compare(&web, &ios).sections;
        let title =
            |outline: &Outline<'_>, section: SectionIx| outline.sections[section].title.shown.to_string();
        let mut found: Vec<String> = same
            .iter()
            .chain(&differing)
            .filter(|pair| pair.0 != SectionIx::TOP)
            .map(|pair| format!("{} = {}", title(&web, pair.0), title(&ios, pair.1)))
            .collect();
        found.extend(only[0].iter().map(|&section| format!("{} = -", title(&web, section))));
        found.extend(only[1].iter().map(|&section| format!("- = {}", title(&ios, section))));
        found.sort();
        assert_eq!(found, expected);
        // The same, turned round.
        let back = compare(&ios, &web).sections;
        let turn = |pairs: &[(SectionIx, SectionIx)]| -> Vec<(SectionIx, SectionIx)> {
            let mut pairs: Vec<_> = pairs.iter().map(|&(a, b)| (b, a)).collect();
            pairs.sort_unstable();
            pairs
        };
        assert_eq!((turn(&back.same), turn(&back.differing)), (same, differing));
    }

    #[test]
    fn sections_are_known_by_their_titles_without_numbers() {
        check_sections(
            "## 4.1 Create it\n## 4.2 About the Web SDK\n",
            "## 3.1 About the iOS SDK\n## 3.2 Create it\n",
            &["About the Web SDK = About the iOS SDK", "Create it = Create it"],
        );
    }

    #[test]
    fn what_is_left_is_known_by_title_and_text_in_order() {
        let text = "The SDK reports each view with its name, so that you see where customers go.";
        check_sections(
            &format!(
                "## 6.1 Events in the shop\nOther words stand here.\n## 6.2 Track page views\n{text}\n## 6.3 Track custom events\n"
            ),
            &format!("## 6.1 Track screen views\n{text}\n## 6.2 Track custom events\n"),
            &[
                "Events in the shop = -",
                "Track custom events = Track custom events",
                "Track page views = Track screen views",
            ],
        );
        check_sections(
            "## Clear the cache\nPress it.\n",
            "## Open the simulator\nIn Xcode.\n",
            &["- = Open the simulator", "Clear the cache = -"],
        );
    }

    #[test]
    fn settings_are_known_by_name_whatever_their_order() {
        let table = |rows: &str| format!("## Set it up\n\n| Setting | Value |\n| --- | --- |\n{rows}");
        let web = parse(&table("| Status | On |\n| **Batch** | Off |\n| Views | On |\n"));
        let ios = parse(&table("| Batch | Off |\n| Status | Off |\n"));
        let found = compare(&outline(&web, &names("web")), &outline(&ios, &names("iOS")));
        let setting = SettingIx::from;
        assert_eq!(found.settings.same, [(setting(0), setting(1)), (setting(1), setting(0))]);
        assert_eq!(found.settings.only, [vec![setting(2)], vec![]]);
        let cell = |at: usize| Cell { setting: at.into(), column: 1.into() };
        assert_eq!(found.cells.differing, [(cell(0), cell(1))]);
    }

    #[test]
    fn a_paragraph_cut_in_two_says_the_same_and_so_does_one_that_moved() {
        let web = parse("## A\n\nOpen the log. Wait a minute.\n\nThis text is told in A.\n\n## B\n");
        let ios = parse("## A\n\nOpen the log.\n\nWait a minute.\n\n## B\n\nThis text is told in A.\n");
        let found = compare(&outline(&web, &names("web")), &outline(&ios, &names("iOS"))).blocks;
        assert_eq!((found.differing, found.only), (Vec::new(), [Vec::new(), Vec::new()]));
    }
}
