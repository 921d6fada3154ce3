//! Matches steps, and sections in them, across the platforms of a family.
//!
//! In: [`Site`] and its pages. Out: [`Families`]. Each pair of platforms is matched separately, and the result
//! doesn't depend on their order, so that an additional platform never changes the matches of the others. Steps that
//! match only in part are paired and reported.

pub mod compare;
pub mod matching;
pub mod outline;
mod steps;
mod titles;
pub mod words;

use std::cell::OnceCell;
use std::sync::Arc;

use rayon::prelude::*;

use self::matching::in_rows;
use self::outline::{Outline, SectionIx};
pub use self::steps::name_words;
use self::steps::{Doubt, DoubtReason, SharedSteps};
use self::words::{Equivalences, Language, WordList};
use crate::content::{DocumentId, Family, FamilyId, Place, Platform, PlatformIx, Site, StepIx};
use crate::memo::{Dependency, Memo, MemoKey};
use crate::pages::Pages;
use base::address::slug_of;
use base::diagnostic::{Code, Diagnostic, Problem, Report, Reported};
use base::index::{IndexVec, newtype_index};
use base::sorted::SortedMap;
use base::timings::{Stage, part, stage};
use markup::markdown::{HeadingIx, Ids};

/// The matched steps of all families.
#[derive(Clone, Debug, Default)]
pub struct Families {
    tables: IndexVec<FamilyId, Arc<Table>>,
}

#[derive(Debug, Default)]
struct Table {
    rows: IndexVec<RowIx, Row>,
    step_names: IndexVec<RowIx, String>,
    row_of: IndexVec<PlatformIx, IndexVec<StepIx, RowIx>>,
    partners: Partners,
    /// The names of each platform.
    names: IndexVec<PlatformIx, Equivalences>,
    /// Findings of the matching.
    found: Report,
}

/// For each pair of platforms and each step of the first one, the matching step of the second one.
type Partners = IndexVec<PlatformIx, IndexVec<PlatformIx, IndexVec<StepIx, Option<StepIx>>>>;

newtype_index! {
    /// Position of a [`Row`] in [`Families::rows`].
    pub struct RowIx
}

newtype_index! {
    /// Position of a version among those of a step.
    pub struct VersionIx
}

/// A step on all platforms.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// `None` for platforms without the step.
    pub steps: IndexVec<PlatformIx, Option<DocumentId>>,
}

impl Row {
    /// Returns the step on the first platform that has it.
    pub fn first(&self) -> DocumentId {
        self.steps.iter().flatten().copied().next().expect("a row is made for a step")
    }
}

/// Aligns the steps of every family's platforms. `site_key` is the key of everything in the site except the texts of
/// pages.
pub fn align(site: &Site, pages: &Pages, memo: &Memo, site_key: u128) -> Reported<Families> {
    let _stage = stage(Stage::Align);
    let table_of = |family: &Family| {
        let _part = part(Stage::Align);
        let mut key = MemoKey::default();
        key.add(Dependency::Stage, &site_key.to_le_bytes());
        for id in family.platforms.iter().flat_map(|platform| &platform.steps) {
            key.add(Dependency::Texts, site.document(*id).key.as_bytes());
        }
        memo.get_or_make(&family.id, &key, || table(site, pages, family))
    };
    let families: Vec<&Family> = site.families.iter().collect();
    let tables: Vec<Arc<Table>> = families.into_par_iter().map(table_of).collect();
    let report = tables.iter().flat_map(|table| &table.found).cloned().collect();
    (Families { tables: tables.into() }, report)
}

impl Families {
    /// Returns the steps of a family in reading order.
    pub fn rows(&self, family: FamilyId) -> &IndexVec<RowIx, Row> {
        &self.tables[family].rows
    }

    /// Returns a unique name for each row of a family: its `step`, or else its slug.
    pub fn step_names(&self, family: FamilyId) -> &IndexVec<RowIx, String> {
        &self.tables[family].step_names
    }

    /// Returns the name of a row's step for the family.
    pub fn step_title(&self, site: &Site, family: FamilyId, row: RowIx) -> String {
        titles::of_row(site, &site.families[family], &self.tables[family].rows[row])
    }

    /// Returns the row of a step.
    pub fn row(&self, place: Place) -> RowIx {
        self.tables[place.family].row_of[place.platform][place.step]
    }

    /// Returns the name of a step, which is the same on every platform.
    pub fn step_name(&self, place: Place) -> &str {
        &self.tables[place.family].step_names[self.row(place)]
    }

    /// Returns the same step on every platform of the family, including its own.
    pub fn siblings(&self, site: &Site, place: Place) -> IndexVec<PlatformIx, Option<DocumentId>> {
        let platforms = &site.families[place.family].platforms;
        let partners = &self.tables[place.family].partners[place.platform];
        platforms
            .iter()
            .zip(partners)
            .map(|(other, steps)| steps[place.step].map(|step| other.steps[step]))
            .collect()
    }

    /// Returns the names of a platform.
    pub fn names(&self, place: Place) -> &Equivalences {
        &self.tables[place.family].names[place.platform]
    }

    /// For every heading of `from` in order, returns the matching heading of its sibling `to`, or else the match of
    /// the last preceding heading with one. Returns `None` before the first match.
    pub fn section_map(
        &self,
        site: &Site,
        pages: &Pages,
        from: DocumentId,
        to: DocumentId,
    ) -> IndexVec<HeadingIx, Option<HeadingIx>> {
        let counterparts = self.counterparts(site, pages, from, to);
        let with_last = counterparts.into_iter().scan(None, |last, found| {
            *last = found.or(*last);
            Some(*last)
        });
        with_last.collect()
    }

    /// For every heading of `from` in order, returns the matching heading of its sibling `to`.
    pub fn counterparts(
        &self,
        site: &Site,
        pages: &Pages,
        from: DocumentId,
        to: DocumentId,
    ) -> IndexVec<HeadingIx, Option<HeadingIx>> {
        let mut counterparts: IndexVec<HeadingIx, _> = vec![None; pages[from].headings.len()].into();
        for (one, other) in self.sections(site, pages, from, to) {
            if let (Some(one), Some(other)) = (one.heading(), other.heading()) {
                counterparts[one] = Some(other);
            }
        }
        counterparts
    }

    /// Returns the matching sections of two siblings.
    pub fn sections(
        &self,
        site: &Site,
        pages: &Pages,
        from: DocumentId,
        to: DocumentId,
    ) -> Vec<(SectionIx, SectionIx)> {
        if let Some(sections) = compare::sections::by_ids(&pages[from], &pages[to]) {
            return sections;
        }
        let names = |id: DocumentId| self.names(site.place(id).expect("siblings are steps"));
        let titles = |id: DocumentId| -> IndexVec<SectionIx, WordList> {
            let headings =
                pages[id].headings.iter().map(|heading| WordList::new(heading.bare_text(), names(id)));
            std::iter::once(WordList::default()).chain(headings).collect()
        };
        let outline = |id: DocumentId| Outline::new(&pages[id], ("", 0..0), names(id), |_| None);
        let (first, second) = (OnceCell::new(), OnceCell::new());
        let likeness = |one: SectionIx, other: SectionIx| {
            let (first, second) = (first.get_or_init(|| outline(from)), second.get_or_init(|| outline(to)));
            first.likeness(one, second, other)
        };
        compare::sections::by_titles(&titles(from), &titles(to), likeness)
    }
}

fn table(site: &Site, pages: &Pages, family: &Family) -> Table {
    let mut all_doubts = Vec::new();
    let config = &site.config.drift;
    let platforms = &family.platforms;
    let itself = |platform: &Platform| platform.steps.indices().map(Some).collect();
    let mut partners: Partners = platforms
        .iter()
        .map(|platform| platforms.iter().map(|_| vec![None; platform.steps.len()].into()).collect())
        .collect();
    for a in platforms.indices() {
        partners[a][a] = itself(&platforms[a]);
        for b in platforms.indices().filter(|b| *b > a) {
            let SharedSteps { pairs, doubts } = steps::shared(site, pages, family, a, b);
            all_doubts.extend(doubts.into_iter().map(|doubt| PartialMatch { first: a, second: b, doubt }));
            for (one, other) in pairs {
                partners[a][b][one] = Some(other);
                partners[b][a][other] = Some(one);
            }
        }
    }
    let language = Language::of(&site.config.language);
    let names = platforms.iter().map(|platform| {
        let own = [&platform.id, &platform.name].into_iter().chain(&platform.words);
        Equivalences::new(language, own.map(String::as_str), &config.words, &config.values)
    });
    let names = names.collect();
    let rows = rows(family, &partners);
    let step_names = step_names(site, family, &rows);
    let mut row_of: IndexVec<PlatformIx, IndexVec<StepIx, RowIx>> =
        platforms.iter().map(|platform| platform.steps.iter().map(|_| RowIx::from(0)).collect()).collect();
    for (index, row) in rows.indexed() {
        for place in row.steps.iter().flatten().filter_map(|&id| site.place(id)) {
            row_of[place.platform][place.step] = index;
        }
    }
    let found = doubts_by_row(site, family, &row_of, &all_doubts);
    Table { rows, step_names, row_of, partners, names, found }
}

fn step_names(site: &Site, family: &Family, rows: &[Row]) -> IndexVec<RowIx, String> {
    let mut names = Ids::default();
    let name = |row: &Row| {
        let versions = || row.steps.iter().flatten().map(|&id| site.document(id));
        let said = versions().find_map(|document| document.front.step.as_deref());
        let place = || site.place(row.first());
        match (said, place()) {
            (Some(said), _) => slug_of(said),
            (None, Some(place)) => slug_of(&step_slug(site, family, place).replace('/', "-")),
            (None, None) => String::new(),
        }
    };
    let or_step = |name: String| if name.is_empty() { "step".to_string() } else { name };
    rows.iter().map(|row| names.unique(or_step(name(row)))).collect()
}

/// Returns the name of a step on every platform: its path if the family is matched by path, or else the last segment
/// of its address.
pub fn step_slug<'a>(site: &'a Site, family: &'a Family, place: Place) -> &'a str {
    let platform = &family.platforms[place.platform];
    let key = platform.keys[place.step].as_str();
    match (family.is_by_key, key) {
        // A folder with one page for each platform is itself a step.
        (true, "") => family.address.last_segment().unwrap_or("start"),
        (true, key) => key,
        (false, _) => site.document(platform.steps[place.step]).address.last_segment().unwrap_or_default(),
    }
}

/// Arranges steps in rows: each step joins the row of a matching step, or starts a row after that of its predecessor.
fn rows(family: &Family, partners: &Partners) -> IndexVec<RowIx, Row> {
    let platforms = &family.platforms;
    let lengths = platforms.iter().map(|platform| platform.steps.len()).collect();
    let order: Vec<PlatformIx> = platforms.indices().collect();
    let rows = in_rows(&lengths, &order, |platform, step, other| partners[platform][other][step]);
    let steps = |row: IndexVec<PlatformIx, Option<StepIx>>| {
        let items = platforms.iter().zip(row);
        items.map(|(platform, step)| step.map(|step| platform.steps[step])).collect()
    };
    rows.into_iter().map(|row| Row { steps: steps(row) }).collect()
}

/// Steps of two platforms that match only in part.
struct PartialMatch {
    first: PlatformIx,
    second: PlatformIx,
    doubt: Doubt,
}

/// Returns a finding for each uncertain match, or a single one for all pages of a step that match only by their
/// headings.
fn doubts_by_row(
    site: &Site,
    family: &Family,
    row_of: &IndexVec<PlatformIx, IndexVec<StepIx, RowIx>>,
    doubts: &[PartialMatch],
) -> Report {
    let mut by_row: SortedMap<RowIx, Diagnostic> = SortedMap::new();
    let mut found = Vec::new();
    for it in doubts {
        let Some(finding) = doubtful(site, family, it) else { continue };
        if it.doubt.reason != DoubtReason::HeadingsAlone {
            found.push(finding);
            continue;
        }
        let row = row_of[it.first][it.doubt.pair.0];
        let Some(of_row) = by_row.get_mut(&row) else {
            by_row.insert(row, finding);
            continue;
        };
        let document = site.document(family.platforms[it.second].steps[it.doubt.pair.1]);
        let is_named = of_row.file == document.path
            || of_row.problem.related.iter().any(|place| place.file == document.path);
        if !is_named {
            let problem = of_row.problem.as_ref().clone();
            of_row.problem =
                Arc::new(problem.related(&document.path, document.top(), "also matched with it"));
        }
    }
    found.extend(by_row.into_values());
    found.into_iter().collect()
}

/// Reports two steps that are paired although not everything matches. Returns `None` if another step has the same
/// `step`, because that is reported at its location.
fn doubtful(site: &Site, family: &Family, it: &PartialMatch) -> Option<Diagnostic> {
    let (first, second, doubt) = (&family.platforms[it.first], &family.platforms[it.second], &it.doubt);
    let one = site.document(first.steps[doubt.pair.0]);
    let other = site.document(second.steps[doubt.pair.1]);
    if doubt.reason == DoubtReason::Rival && one.front.step.is_some() && one.front.step == other.front.step {
        return None;
    }
    let is_named_alike =
        one.title == other.title || one.address.last_segment() == other.address.last_segment();
    if doubt.reason == DoubtReason::HeadingsAlone && is_named_alike {
        return None;
    }
    let message = format!(
        "uncertain match with the step `{}` on {}: {}",
        one.title,
        first.name,
        match doubt.reason {
            DoubtReason::SlugAlone => "the slug is the same, but title, order, and headings differ",
            DoubtReason::HeadingsAlone => "the headings match, but slug and title differ",
            DoubtReason::Rival => "another step matches equally well",
        }
    );
    let step = one.address.last_segment().unwrap_or("start");
    let help =
        format!("add `step: {step}` to both pages if they are the same step, or different values if not");
    let problem =
        Problem::new(Code::AmbiguousStep, other.top(), message).help(help).target(other.address.as_str());
    let problem = problem.data("family", family.id.as_str()).data("step", step);
    Some(problem.related(&one.path, one.top(), "the other step").at(&other.path))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::content::{Openings, Selection};
    use base::site_path::SitePath;
    use input::config::Config;
    use input::source::{Sources, Text};

    /// `steps` contains `platform slug order title` on each line. Checks the rows, with `-` for a missing step.
    #[track_caller]
    fn check(steps: &str, expected: &[&str]) {
        let mut sources = Sources::default();
        for line in steps.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let mut words = line.splitn(4, ' ');
            let mut word = || words.next().expect("four words");
            let (platform, slug, order, title) = (word(), word(), word(), word());
            let path: SitePath = format!("content/tour/{platform}/{slug}.md").as_str().into();
            let text = format!("---\ntitle: {title}\norder: {order}\n---\n");
            sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
        }
        let (site, _) =
            crate::content::load(&sources, Config::default(), Selection::default(), &Openings::default())
                .expect("no roots to miss");
        let name = |id: &Option<DocumentId>| {
            id.map_or("-", |id| site.document(id).address.last_segment().unwrap_or("/")).to_string()
        };
        let pages = Pages::of(&site, &Arc::default(), crate::pages::Detail::Whole);
        let rows: Vec<String> = align(&site, &pages, &Memo::default(), 0)
            .0
            .rows(0.into())
            .iter()
            .map(|row| row.steps.iter().map(name).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(rows, expected);
    }

    #[test]
    fn the_same_slug_is_the_same_step_even_at_another_place() {
        check("web a 1 A\n web b 2 B\n ios b 1 B\n ios a 2 A", &["a a", "b b"]);
    }

    #[test]
    fn a_step_that_was_renamed_is_known_by_its_title() {
        check(
            "web a 1 Step 1. Set up\n web b 2 B\n ios setup 1 Step 2. Set up\n ios b 2 B",
            &["a setup", "b b"],
        );
    }

    #[test]
    fn a_step_that_one_platform_lacks_keeps_its_place() {
        check(
            "web a 1 A\n web c 3 C\n ios a 1 A\n ios b 2 B\n ios c 3 C\n android c 1 C",
            &["a a -", "- b -", "c c c"],
        );
    }
}
