//! Reports changes on one platform that the others didn't follow.

use std::collections::HashMap;
use std::ops::Range;

use super::findings::{MOST_PLACES, Spot, changes_alone, first_line, several};
use super::rank::{RankKind, rank, rank_of};
use super::{Scope, Step, Version, outline, steps};
use base::diagnostic::{Code, Diagnostic, Problem, Report, count, list};
use base::quoted::quoted;
use base::site_path::SitePath;
use base::sorted::{SortedMap, SortedSet};
use site::content::{Document, Place, PlatformIx, PlatformOf};
use site::family::{
    VersionIx,
    compare::{Comparison, Pairing, compare},
    outline::{BlockIx, Cell, NoteIx, Outline, SectionIx, SettingIx, TableIx},
    words::{Change as Piece, WordList},
};
use site::work::Work;

/// Compares the site with its earlier version `was`: for every change on one platform, reports the locations on other
/// platforms with different content. `when` is the author's word for that time, and `renames` are old and new paths.
pub fn since(work: &Work, was: &Work, scope: &Scope, when: &str, renames: &[(SitePath, SitePath)]) -> Report {
    let former: HashMap<&SitePath, &SitePath> = renames.iter().map(|(from, to)| (to, from)).collect();
    let old_steps = steps(was, &Scope::everything(scope.today));
    let old: SortedMap<&SitePath, Vec<&Version<'_>>> =
        old_steps.iter().flat_map(|step| &step.versions).fold(SortedMap::new(), |mut old, version| {
            old.entry(&version.document.path).or_insert_with(Vec::new).push(version);
            old
        });
    // A shared page belongs to several platforms. The platform of a moved page may have another name now.
    let before = |version: &Version<'_>| -> Option<&Version<'_>> {
        let path = &version.document.path;
        let candidates = old.get(path).or_else(|| old.get(*former.get(path)?))?;
        let id = |work: &Work, version: &Version<'_>| work.project.site.platform_of(version.place).id.clone();
        let same = candidates.iter().find(|it| id(was, it) == id(work, version));
        same.or_else(|| candidates.first()).copied()
    };
    let mut report = Report::default();
    let mut new: SortedMap<NewSteps, Vec<(Step<'_>, VersionIx)>> = SortedMap::new();
    for step in steps(work, scope) {
        let mut is_new_on = Vec::new();
        for (index, version) in step.versions.indexed() {
            match before(version) {
                Some(before) if before.document.key == version.document.key => {}
                Some(before) => {
                    let before = outline(was, before);
                    report.extend(Change { work, step: &step, index, when }.unfollowed(&before));
                }
                None => is_new_on.push(index),
            }
        }
        // If a platform lacks several steps that are new on another, they are one finding.
        for index in is_new_on {
            let place = step.versions[index].place;
            let siblings = &step.versions[index].siblings;
            let lacking: Vec<PlatformIx> = siblings.indices().filter(|&it| siblings[it].is_none()).collect();
            if !lacking.is_empty() {
                let Place { family, platform, .. } = place;
                let of = NewSteps { of: PlatformOf { family, platform }, lacking };
                new.entry(of).or_default().push((step.clone(), index));
            }
        }
    }
    report.extend(new.iter().map(|(on, steps)| new_steps(on, steps, when)));
    report.sorted()
}

/// The platform with new steps, and those of its family that lack them.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NewSteps {
    of: PlatformOf,
    lacking: Vec<PlatformIx>,
}

fn new_steps(on: &NewSteps, steps: &[(Step<'_>, VersionIx)], when: &str) -> Diagnostic {
    let NewSteps { of: PlatformOf { platform, .. }, lacking } = on;
    let family = steps[0].0.family;
    let name = |platform: PlatformIx| family.platforms[platform].name.as_str();
    let lack = list(&lacking.iter().map(|&platform| name(platform)).collect::<Vec<_>>());
    let page = |(step, index): &(Step<'_>, VersionIx)| step.versions[*index].document.clone();
    let pages: Vec<Document> = steps.iter().map(page).collect();
    let titles: Vec<&str> = pages.iter().map(|page| page.title.as_str()).collect();
    let own = name(*platform);
    let message = match steps.len() {
        1 => format!("{} is new on {own} since {when}; there is none on {lack}", several("step", &titles)),
        _ => format!("{} are new on {own} since {when}; there are none on {lack}", several("step", &titles)),
    };
    let names: Vec<&str> = steps.iter().map(|(step, _)| step.name()).collect();
    let ids = |platforms: &[PlatformIx]| -> Vec<&str> {
        platforms.iter().map(|&it| family.platforms[it].id.as_str()).collect()
    };
    let mut problem = Problem::new(Code::UnfollowedChange, pages[0].top(), message)
        .help(format!(
            "add the {} there if the change applies",
            if steps.len() == 1 { "step" } else { "steps" }
        ))
        .target(names[0])
        .data("family", family.id.as_str())
        .data("platforms_with", ids(&[*platform]))
        .data("platforms_without", ids(lacking))
        .data("rank", rank(RankKind::Step));
    if let [step] = names[..] {
        problem = problem.data("step", step);
    }
    let more = pages.iter().skip(1).take(MOST_PLACES);
    let problem = more.fold(problem.data("steps", names.clone()), |problem, page| {
        problem.related(&page.path, page.top(), "and this one")
    });
    problem.at(&pages[0].path)
}

/// A version that changed.
struct Change<'a> {
    work: &'a Work,
    step: &'a Step<'a>,
    index: VersionIx,
    when: &'a str,
}

/// A change, at its current location or where it would be.
struct Changed {
    cause: Cause,
    /// The name of a setting, the title of a section, or the beginning of a text.
    name: String,
    span: Range<usize>,
    rank: u32,
}

/// Changes with the same cause are one finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// The cells of a column, by their changed words.
    Cells(String, Vec<(Piece, String)>),
    /// The settings that were added to a table, and removed from it.
    AddedSettings(TableIx),
    RemovedSettings(TableIx),
    /// Texts, by their changed words.
    Texts(Vec<(Piece, String)>),
    /// Adjacent texts, by the first of them.
    AddedTexts(BlockIx),
    RemovedTexts(BlockIx),
    ChangedNote(NoteIx),
    AddedNote(NoteIx),
    RemovedNote(NoteIx),
    Heading(SectionIx),
    /// A section with its subsections.
    AddedSections(SectionIx),
    RemovedSections(SectionIx),
    Code(SectionIx),
    Images(SectionIx),
}

impl Cause {
    /// Describes the change of the things with these names.
    fn described(&self, names: &[&str]) -> String {
        let (first, more) = (quoted(names[0]), names.len() - 1);
        let and =
            |noun: &str| if more > 0 { format!(" and {} more", count(more, noun)) } else { String::new() };
        match self {
            Self::Cells(column, _) => format!("changed `{column}` of {}", several("setting", names)),
            Self::AddedSettings(_) => format!("added {}", several("setting", names)),
            Self::RemovedSettings(_) => format!("removed {}", several("setting", names)),
            Self::Texts(_) if more > 0 => {
                format!("changed {first} and {} in the same way", count(more, "other text"))
            }
            Self::Texts(_) => format!("changed {first}"),
            Self::AddedTexts(_) => format!("added {first}{}", and("paragraph")),
            Self::RemovedTexts(_) => format!("removed {first}{}", and("paragraph")),
            Self::ChangedNote(_) => format!("changed the kind of the note {first}"),
            Self::AddedNote(_) => format!("added the note {first}"),
            Self::RemovedNote(_) => format!("removed the note {first}"),
            Self::Heading(_) => format!("changed the heading {first}"),
            Self::AddedSections(_) => format!("added the section {first}{}", and("section")),
            Self::RemovedSections(_) => format!("removed the section {first}{}", and("section")),
            Self::Code(_) => format!("changed the code in {first}"),
            Self::Images(_) => format!("changed the number of images in {first}"),
        }
    }
}

impl Change<'_> {
    fn unfollowed(&self, before: &Outline<'_>) -> Vec<Diagnostic> {
        let now = outline(self.work, &self.step.versions[self.index]);
        let changes = compare(before, &now);
        let mut places = Places::default();
        for other in self.step.versions.indices().filter(|&it| it != self.index && self.corresponds(it)) {
            let sibling = outline(self.work, &self.step.versions[other]);
            let (kept, former) = (compare(&now, &sibling), compare(before, &sibling));
            let mut sides = Sides {
                before,
                now: &now,
                sibling: &sibling,
                changes: &changes,
                kept: &kept,
                former: &former,
                other,
                places: &mut places,
            };
            sides.texts();
            sides.notes();
            sides.settings();
            sides.sections();
            sides.code();
        }
        // One finding for changes with one cause that the same platforms didn't follow.
        let mut causes: SortedMap<(Cause, Vec<VersionIx>), Vec<Unfollowed>> = SortedMap::new();
        for unfollowed in places.0.into_values() {
            let others = unfollowed.places.iter().map(|place| place.0).collect();
            causes.entry((unfollowed.changed.cause.clone(), others)).or_default().push(unfollowed);
        }
        causes.iter().map(|((cause, _), changes)| self.finding(cause, changes)).collect()
    }

    fn corresponds(&self, other: VersionIx) -> bool {
        let (one, other) = (&self.step.versions[self.index], &self.step.versions[other]);
        one.siblings[other.place.platform] == Some(other.id)
    }

    fn finding(&self, cause: &Cause, changes: &[Unfollowed]) -> Diagnostic {
        let version = &self.step.versions[self.index];
        let platforms = &self.step.family.platforms;
        let first = &changes[0];
        let others =
            || first.places.iter().map(|place| &platforms[self.step.versions[place.0].place.platform]);
        let names: Vec<&str> = others().map(|platform| platform.name.as_str()).collect();
        let own = &platforms[version.place.platform];
        let things: Vec<&str> = changes.iter().map(|it| it.changed.name.as_str()).collect();
        let what = cause.described(&things);
        let message = format!("{} {what} since {}, but {} didn't change", own.name, self.when, list(&names));
        let ids: Vec<&str> = others().map(|platform| platform.id.as_str()).collect();
        let span = trimmed(version.document, first.changed.span.clone());
        let mut problem = Problem::new(Code::UnfollowedChange, span, message)
            .help("check whether the other platforms need the same change".to_string())
            .target(&*what)
            .data("family", self.step.family.id.as_str())
            .data("step", self.step.name())
            .data("platforms_with", vec![own.id.as_str()])
            .data("platforms_without", ids)
            .data("rank", changes.iter().map(|it| it.changed.rank).min().unwrap_or_default());
        if let Cause::Cells(..) | Cause::AddedSettings(_) | Cause::RemovedSettings(_) = cause {
            problem = problem.data("settings", things);
        }
        let more = changes[1..].iter().flat_map(|it| &it.places).take(MOST_PLACES);
        let problem = first.places.iter().chain(more).fold(problem, |problem, (other, span)| {
            let document = self.step.versions[*other].document;
            problem.related(&document.path, trimmed(document, span.clone()), "compare with this")
        });
        problem.at(&version.document.path)
    }
}

/// A version before and after the change, and the current version of a sibling.
struct Sides<'a, 's> {
    before: &'a Outline<'s>,
    now: &'a Outline<'s>,
    sibling: &'a Outline<'s>,
    /// From before to now, from now to the sibling, and from before to the sibling.
    changes: &'a Comparison,
    kept: &'a Comparison,
    former: &'a Comparison,
    /// The version of the sibling.
    other: VersionIx,
    places: &'a mut Places,
}

impl Sides<'_, '_> {
    fn texts(&mut self) {
        let Self { changes, kept, former, before, now, sibling, .. } = *self;
        let section = |outline: &Outline<'_>, block: BlockIx| outline.blocks()[block].section;
        let follows = |outline: &Outline<'_>, one: BlockIx, next: BlockIx| {
            next == one + 1 && section(outline, one) == section(outline, next)
        };
        let kept = Followed::of(&kept.blocks);
        let absent =
            |block: BlockIx| sibling.sections[counterpart(self.kept, section(now, block))].span.clone();
        let here = |block: BlockIx| sibling.blocks()[block].span.clone();
        let words = |block: BlockIx| &now.blocks()[block].words;
        for &(old, new) in &changes.blocks.differing {
            let from = &before.blocks()[old].words;
            let cause = Cause::Texts(changes_alone(from, words(new)));
            let changed = Changed::text(
                cause,
                words(new),
                &now.blocks()[new].span,
                rank_of(RankKind::Text, from, words(new)),
            );
            self.note(changed, kept.place(new, here, absent));
        }
        for (first, block) in runs(&changes.blocks.only[1], |one, next| follows(now, one, next)) {
            let cause = Cause::AddedTexts(first);
            let changed =
                Changed::text(cause, words(block), &now.blocks()[block].span, rank(RankKind::Passage));
            self.note(changed, kept.place(block, here, absent));
        }
        let former = Followed::of(&former.blocks);
        for (first, block) in runs(&changes.blocks.only[0], |one, next| follows(before, one, next)) {
            let span = &now.sections[counterpart(changes, section(before, block))].span;
            let cause = Cause::RemovedTexts(first);
            let changed = Changed::text(cause, &before.blocks()[block].words, span, rank(RankKind::Passage));
            self.note(changed, former.still(block).map(here));
        }
    }

    fn settings(&mut self) {
        let Self { changes, kept, former, before, now, sibling, .. } = *self;
        let table_of = |outline: &Outline<'_>, setting: SettingIx| {
            outline.tables[outline.settings[setting].table].section
        };
        let absent =
            |setting: SettingIx| sibling.sections[counterpart(kept, table_of(now, setting))].span.clone();
        let here = |setting: SettingIx| sibling.settings[setting].span.clone();
        let name = |outline: &Outline<'_>, setting: SettingIx| outline.settings[setting].name().shown.clone();
        let followed = Followed::of(&kept.settings);
        for &setting in &changes.settings.only[1] {
            let it = &now.settings[setting];
            let cause = Cause::AddedSettings(it.table);
            let changed = Changed {
                cause,
                name: name(now, setting),
                span: it.span.clone(),
                rank: rank(RankKind::Setting),
            };
            self.note(changed, followed.place(setting, here, absent));
        }
        let followed = Followed::of(&kept.cells);
        for &(old, new) in &changes.cells.differing {
            let it = &now.settings[new.setting];
            let table = &now.tables[it.table];
            let kind = if table.describes(new.column) { RankKind::Description } else { RankKind::Value };
            let none = WordList::none();
            let words = |outline: &Outline<'_>, Cell { setting, column }: Cell| {
                outline.settings[setting].cells.get(column).map_or(none.clone(), |cell| cell.words().clone())
            };
            let (from, to) = (words(before, old), words(now, new));
            let rank = if kind == RankKind::Value { rank(kind) } else { rank_of(kind, &from, &to) };
            let cause =
                Cause::Cells(table.columns[new.column].title.shown.to_string(), changes_alone(&from, &to));
            let changed = Changed { cause, name: name(now, new.setting), span: it.span.clone(), rank };
            self.note(changed, followed.place(new, |cell| here(cell.setting), |cell| absent(cell.setting)));
        }
        let former = Followed::of(&former.settings);
        for &setting in &changes.settings.only[0] {
            let span = now.sections[counterpart(changes, table_of(before, setting))].span.clone();
            let cause = Cause::RemovedSettings(before.settings[setting].table);
            let changed = Changed { cause, name: name(before, setting), span, rank: rank(RankKind::Setting) };
            self.note(changed, former.still(setting).map(here));
        }
    }

    fn notes(&mut self) {
        let Self { changes, kept, former, before, now, sibling, .. } = *self;
        let here = |note: NoteIx| sibling.notes()[note].span.clone();
        let absent =
            |note: NoteIx| sibling.sections[counterpart(kept, now.notes()[note].section)].span.clone();
        let followed = Followed::of(&kept.notes);
        let changed = changes.notes.differing.iter().map(|pair| (pair.1, Cause::ChangedNote(pair.1)));
        let added = changes.notes.only[1].iter().map(|&note| (note, Cause::AddedNote(note)));
        for (note, cause) in changed.chain(added) {
            let it = &now.notes()[note];
            let changed = Changed::text(cause, &it.words, &it.span, rank(RankKind::Note));
            self.note(changed, followed.place(note, here, absent));
        }
        let former = Followed::of(&former.notes);
        for &note in &changes.notes.only[0] {
            let it = &before.notes()[note];
            let span = &now.sections[counterpart(changes, it.section)].span;
            let changed = Changed::text(Cause::RemovedNote(note), &it.words, span, rank(RankKind::Note));
            self.note(changed, former.still(note).map(here));
        }
    }

    /// Compares sections, and their number of images.
    fn sections(&mut self) {
        let Self { changes, kept, former, before, now, sibling, .. } = *self;
        let here = |section: SectionIx| sibling.sections[section].span.clone();
        let absent = |section: SectionIx| sibling.sections[counterpart(kept, section.before())].span.clone();
        let is_in = |outline: &Outline<'_>, one: SectionIx, next: SectionIx| {
            let level =
                |section: SectionIx| section.heading().map(|heading| outline.page.headings[heading].level);
            next == one + 1 && level(next) >= level(one)
        };
        let title =
            |outline: &Outline<'_>, section: SectionIx| outline.sections[section].title.shown.to_string();
        let followed = Followed::of(&kept.sections);
        let changed =
            changes.sections.differing.iter().map(|&(_, new)| (new, Cause::Heading(new), RankKind::Text));
        let added = runs(&changes.sections.only[1], |one, next| is_in(now, one, next));
        let added = added.map(|(first, new)| (new, Cause::AddedSections(first), RankKind::Section));
        for (section, cause, kind) in changed.chain(added) {
            let span = now.sections[section].span.clone();
            let changed = Changed { cause, name: title(now, section), span, rank: rank(kind) };
            self.note(changed, followed.place(section, here, absent));
        }
        let former = Followed::of(&former.sections);
        for (first, section) in runs(&changes.sections.only[0], |one, next| is_in(before, one, next)) {
            let span = now.sections[counterpart(changes, section.before())].span.clone();
            let cause = Cause::RemovedSections(first);
            let changed =
                Changed { cause, name: title(before, section), span, rank: rank(RankKind::Section) };
            self.note(changed, former.still(section).map(here));
        }
        for &(_, new) in &changes.images.differing {
            let (ours, theirs) = (&now.sections[new], &sibling.sections[counterpart(kept, new)]);
            let differs = kept.images.differing.iter().any(|pair| pair.0 == new);
            let span = ours.images.last().unwrap_or(&ours.span).clone();
            let changed = Changed {
                cause: Cause::Images(new),
                name: title(now, new),
                span,
                rank: rank(RankKind::Sample),
            };
            self.note(changed, differs.then(|| theirs.images.last().unwrap_or(&theirs.span).clone()));
        }
    }

    /// Compares code if the sibling's was equal to this version's earlier code, because code in another language
    /// can't be compared.
    fn code(&mut self) {
        let Self { changes, kept, before, now, sibling, .. } = *self;
        for &(old, new) in changes.sections.same.iter().chain(&changes.sections.differing) {
            let code = |outline: &Outline<'_>, section: SectionIx| -> Vec<String> {
                outline.code_of(section).map(|code| code.code.trim().to_string()).collect()
            };
            let (was, is) = (code(before, old), code(now, new));
            let place = counterpart(kept, new);
            let is_still_shown =
                |code: &str| was.iter().any(|it| it == code) && is.iter().all(|it| it != code);
            let still = sibling.code_of(place).find(|code| is_still_shown(code.code.trim()));
            let is_added = is.len() > was.len() && was.iter().all(|it| is.contains(it));
            let added = || {
                let all_same = !was.is_empty() && code(sibling, place) == was;
                sibling.code_of(place).last().filter(|_| is_added && all_same)
            };
            let first_new = now.code_of(new).find(|code| was.iter().all(|it| it != code.code.trim()));
            let span = first_new.map_or_else(|| now.sections[new].span.clone(), |code| code.span.clone());
            let name = now.sections[new].title.shown.to_string();
            let changed = Changed { cause: Cause::Code(new), name, span, rank: rank(RankKind::Sample) };
            self.note(changed, still.or_else(added).map(|code| code.span.clone()));
        }
    }

    fn note(&mut self, changed: Changed, place: Option<Range<usize>>) {
        if let Some(place) = place {
            let key = (changed.span.start, changed.cause.clone(), changed.name.clone());
            let unfollowed =
                self.places.0.entry(key).or_insert_with(|| Unfollowed { changed, places: Vec::new() });
            unfollowed.places.push((self.other, place));
        }
    }
}

impl Changed {
    fn text(cause: Cause, words: &WordList, span: &Range<usize>, rank: u32) -> Self {
        Self { cause, name: words.shown.clone(), span: span.clone(), rank }
    }
}

/// A change that wasn't followed, and where to look.
struct Unfollowed {
    changed: Changed,
    places: Vec<Spot>,
}

/// By the location, the cause and the name of the change.
#[derive(Default)]
struct Places(SortedMap<(usize, Cause, String), Unfollowed>);

/// Returns each of some ascending items with the first item of its uninterrupted sequence.
fn runs<I: Copy>(items: &[I], follows: impl Fn(I, I) -> bool) -> impl Iterator<Item = (I, I)> {
    let mut last: Option<(I, I)> = None;
    items.iter().map(move |&item| {
        let first = last.filter(|&(_, last)| follows(last, item)).map_or(item, |(first, _)| first);
        last = Some((first, item));
        (first, item)
    })
}

/// The matches of a version's items on another version.
struct Followed<I> {
    differing: SortedMap<I, I>,
    same: SortedMap<I, I>,
    absent: SortedSet<I>,
}

impl<I: Copy + Ord> Followed<I> {
    fn of(pairing: &Pairing<I>) -> Self {
        // If several match, the first counts.
        let first = |pairs: &[(I, I)]| pairs.iter().rev().copied().collect();
        Self {
            differing: first(&pairing.differing),
            same: first(&pairing.same),
            absent: pairing.only[0].iter().copied().collect(),
        }
    }

    /// Returns the location at which the other version differs from an item: the matching item, or where it would be.
    fn place(
        &self,
        item: I,
        here: impl Fn(I) -> Range<usize>,
        absent: impl Fn(I) -> Range<usize>,
    ) -> Option<Range<usize>> {
        let differs = self.differing.get(&item).map(|&there| here(there));
        differs.or_else(|| self.absent.contains(&item).then(|| absent(item)))
    }

    /// Returns the other version's item if it differs.
    fn still(&self, item: I) -> Option<I> {
        self.same.get(&item).or_else(|| self.differing.get(&item)).copied()
    }
}

/// Returns the matching section of the other version, or that of the last preceding section with a match.
fn counterpart(comparison: &Comparison, section: SectionIx) -> SectionIx {
    let pairs = comparison.sections.same.iter().chain(&comparison.sections.differing);
    pairs.filter(|pair| pair.0 <= section).max().map_or(SectionIx::TOP, |pair| pair.1)
}

fn trimmed(document: &Document, span: Range<usize>) -> Range<usize> {
    match document.text().get(span.clone()) {
        Some(text) if text.trim_end().contains('\n') => first_line(&span, &document.text()),
        Some(text) => span.start..span.start + text.trim_end().len(),
        None => span,
    }
}
