//! What changed on one platform and was not followed on the others.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::findings::{Spot, excerpt, first_line, list};
use super::{Scope, Step, Telling, outline, steps};
use crate::content::Document;
use crate::diagnostic::{Code, Diagnostic, Problem, Report};
use crate::family::compare::{Comparison, Pairing, compare};
use crate::family::outline::Outline;
use crate::render::Walk;
use crate::source::SitePath;

/// Compares the site with itself as it `was`: for everything that changed on one platform, the places of
/// the others that do not say the same now. `when` is what the author calls that time.
pub fn since(walk: &Walk, was: &Walk, scope: &Scope, when: &str) -> Report {
    let old_steps = steps(was, &Scope::everything(scope.today));
    let old: BTreeMap<(&SitePath, usize), &Telling<'_>> = old_steps
        .iter()
        .flat_map(|step| &step.tellings)
        .map(|telling| ((&telling.document.path, telling.place.platform), telling))
        .collect();
    let mut report = Report::default();
    for step in steps(walk, scope) {
        for (index, telling) in step.tellings.iter().enumerate() {
            let before = old.get(&(&telling.document.path, telling.place.platform));
            match before {
                Some(before) if before.document.key == telling.document.key => {}
                Some(before) => {
                    let before = outline(was, before);
                    report.extend(Change { walk, step: &step, index, when }.unfollowed(&before));
                }
                None => report.extend(new_step(&step, index, when)),
            }
        }
    }
    report.sorted()
}

fn new_step(step: &Step<'_>, index: usize, when: &str) -> Option<Diagnostic> {
    let telling = &step.tellings[index];
    let platforms = &step.family.platforms;
    let lacking: Vec<&str> = (0..platforms.len())
        .filter(|&platform| telling.siblings[platform].is_none())
        .map(|platform| platforms[platform].name.as_str())
        .collect();
    let name = &platforms[telling.place.platform].name;
    let message = format!("the step is new on {name} since {when}; there is none on {}", list(&lacking));
    let problem = Problem::new(Code::UnfollowedChange, telling.document.top(), message);
    let problem = problem.help("tell it there too, if it holds there".to_string());
    let problem =
        problem.target(step.name()).data("family", step.family.id.as_str()).data("step", step.name());
    (!lacking.is_empty()).then(|| problem.at(&telling.document.path))
}

/// A telling that changed.
struct Change<'a> {
    walk: &'a Walk,
    step: &'a Step<'a>,
    index: usize,
    when: &'a str,
}

/// Something that changed, where it stands now or where it would stand, and what it is called.
struct Changed<I> {
    item: I,
    span: Range<usize>,
    what: String,
}

impl Change<'_> {
    fn unfollowed(&self, before: &Outline<'_>) -> Vec<Diagnostic> {
        let now = outline(self.walk, &self.step.tellings[self.index]);
        let changes = compare(before, &now);
        let siblings: Vec<(usize, Outline<'_>)> = (0..self.step.tellings.len())
            .filter(|&other| other != self.index && self.corresponds(other))
            .map(|other| (other, outline(self.walk, &self.step.tellings[other])))
            .collect();
        let mut places = Places::default();
        for (other, sibling) in &siblings {
            let (kept, told) = (compare(&now, sibling), compare(before, sibling));
            let (now, changes, places) = (&now, &changes, &mut places);
            let mut sides =
                Sides { before, now, sibling, changes, kept: &kept, told: &told, other: *other, places };
            sides.texts();
            sides.notes();
            sides.settings();
            sides.sections();
        }
        places
            .0
            .into_iter()
            .map(|((start, what), (span, places))| self.finding(start..span, &what, &places))
            .collect()
    }

    fn corresponds(&self, other: usize) -> bool {
        let (one, other) = (&self.step.tellings[self.index], &self.step.tellings[other]);
        one.siblings[other.place.platform] == Some(other.id)
    }

    fn finding(&self, span: Range<usize>, what: &str, places: &[Spot]) -> Diagnostic {
        let telling = &self.step.tellings[self.index];
        let platforms = &self.step.family.platforms;
        let names: Vec<&str> = places
            .iter()
            .map(|place| platforms[self.step.tellings[place.0].place.platform].name.as_str())
            .collect();
        let own = &platforms[telling.place.platform];
        let message = format!("{} {what} since {}, and {} did not follow", own.name, self.when, list(&names));
        let problem = Problem::new(Code::UnfollowedChange, trimmed(telling.document, span), message)
            .help("look at the places named, and change them too if it holds there".to_string())
            .target(what)
            .data("family", self.step.family.id.as_str())
            .data("step", self.step.name())
            .data("platforms_with", vec![own.id.as_str()])
            .data(
                "platforms_without",
                places
                    .iter()
                    .map(|place| platforms[self.step.tellings[place.0].place.platform].id.as_str())
                    .collect::<Vec<_>>(),
            );
        let problem = places.iter().fold(problem, |problem, (other, span)| {
            let document = self.step.tellings[*other].document;
            problem.related(&document.path, trimmed(document, span.clone()), "look here")
        });
        problem.at(&telling.document.path)
    }
}

/// A telling before and after, and one of its siblings as it is now.
struct Sides<'a, 's> {
    before: &'a Outline<'s>,
    now: &'a Outline<'s>,
    sibling: &'a Outline<'s>,
    /// From before to now, from now to the sibling, and from before to the sibling.
    changes: &'a Comparison,
    kept: &'a Comparison,
    told: &'a Comparison,
    /// The sibling's position among the tellings.
    other: usize,
    places: &'a mut Places,
}

impl Sides<'_, '_> {
    fn texts(&mut self) {
        let Self { changes, kept, told, before, now, sibling, .. } = *self;
        let section = |outline: &Outline<'_>, block: usize| outline.blocks()[block].section;
        for block in changed_now(&changes.blocks) {
            let it = &now.blocks()[block];
            let what = format!("changed `{}`", excerpt(&it.words.shown));
            let change = Changed { item: block, span: it.span.clone(), what };
            let spot = follow(
                &kept.blocks,
                change.item,
                |it| sibling.blocks()[it].span.clone(),
                || sibling.sections[counterpart(kept, section(now, block))].span.clone(),
            );
            self.note(change, spot);
        }
        for &block in &changes.blocks.only[0] {
            let it = &before.blocks()[block];
            let what = format!("removed `{}`", excerpt(&it.words.shown));
            let here = now.sections[counterpart(changes, section(before, block))].span.clone();
            let still = still(&told.blocks, block).map(|it| sibling.blocks()[it].span.clone());
            self.note(Changed { item: block, span: here, what }, still);
        }
    }

    fn settings(&mut self) {
        let Self { changes, kept, told, before, now, sibling, .. } = *self;
        let table_of =
            |outline: &Outline<'_>, setting: usize| outline.tables[outline.settings[setting].table].section;
        for &setting in &changes.settings.only[1] {
            let it = &now.settings[setting];
            let what = format!("added the setting `{}`", it.name().shown);
            let change = Changed { item: setting, span: it.span.clone(), what };
            let spot = follow(
                &kept.settings,
                setting,
                |it| sibling.settings[it].span.clone(),
                || sibling.sections[counterpart(kept, table_of(now, setting))].span.clone(),
            );
            self.note(change, spot);
        }
        let cells: BTreeSet<(usize, usize)> = changes.cells.differing.iter().map(|pair| pair.1).collect();
        for cell in cells {
            let it = &now.settings[cell.0];
            let title = &now.tables[it.table].columns[cell.1].shown;
            let what = format!("changed `{title}` of the setting `{}`", it.name().shown);
            let change = Changed { item: cell, span: it.span.clone(), what };
            let spot = follow(
                &kept.cells,
                cell,
                |it| sibling.settings[it.0].span.clone(),
                || sibling.sections[counterpart(kept, table_of(now, cell.0))].span.clone(),
            );
            self.note(change, spot);
        }
        for &setting in &changes.settings.only[0] {
            let it = &before.settings[setting];
            let what = format!("removed the setting `{}`", it.name().shown);
            let here = now.sections[counterpart(changes, table_of(before, setting))].span.clone();
            let still = still(&told.settings, setting).map(|it| sibling.settings[it].span.clone());
            self.note(Changed { item: setting, span: here, what }, still);
        }
    }

    fn notes(&mut self) {
        let Self { changes, kept, told, before, now, sibling, .. } = *self;
        for note in changed_now(&changes.notes) {
            let it = &now.notes()[note];
            let what = format!("changed the note `{}`", excerpt(&it.words.shown));
            let change = Changed { item: note, span: it.span.clone(), what };
            let spot = follow(
                &kept.notes,
                note,
                |it| sibling.notes()[it].span.clone(),
                || sibling.sections[counterpart(kept, it.section)].span.clone(),
            );
            self.note(change, spot);
        }
        for &note in &changes.notes.only[0] {
            let it = &before.notes()[note];
            let what = format!("removed the note `{}`", excerpt(&it.words.shown));
            let here = now.sections[counterpart(changes, it.section)].span.clone();
            let still = still(&told.notes, note).map(|it| sibling.notes()[it].span.clone());
            self.note(Changed { item: note, span: here, what }, still);
        }
    }

    /// Sections, and what they show.
    fn sections(&mut self) {
        let Self { changes, kept, told, before, now, sibling, .. } = *self;
        let title = |outline: &Outline<'_>, section: usize| outline.sections[section].title.shown.to_string();
        for section in changed_now(&changes.sections) {
            let what = format!("changed the heading `{}`", title(now, section));
            let change = Changed { item: section, span: now.sections[section].span.clone(), what };
            let spot = follow(
                &kept.sections,
                section,
                |it| sibling.sections[it].span.clone(),
                || sibling.sections[counterpart(kept, section - 1)].span.clone(),
            );
            self.note(change, spot);
        }
        for &section in &changes.sections.only[0] {
            let what = format!("removed the section `{}`", title(before, section));
            let here = now.sections[counterpart(changes, section - 1)].span.clone();
            let still = still(&told.sections, section).map(|it| sibling.sections[it].span.clone());
            self.note(Changed { item: section, span: here, what }, still);
        }
        for &(old, new) in changes.sections.same.iter().chain(&changes.sections.differing) {
            let place = counterpart(kept, new);
            let has_code = !sibling.samples(place).is_empty();
            if before.code_of(old) != now.code_of(new) && has_code {
                let span = now.samples(new).first().unwrap_or(&now.sections[new].span).clone();
                let change =
                    Changed { item: new, span, what: format!("changed the code in `{}`", title(now, new)) };
                self.note(change, sibling.samples(place).first().cloned());
            }
        }
        for &(_, new) in &changes.images.differing {
            let (here, there) = (&now.sections[new], &sibling.sections[counterpart(kept, new)]);
            let differs = kept.images.differing.iter().any(|pair| pair.0 == new);
            let span = here.images.last().unwrap_or(&here.span).clone();
            let change = Changed {
                item: new,
                span,
                what: format!("changed the number of images in `{}`", title(now, new)),
            };
            self.note(change, differs.then(|| there.images.last().unwrap_or(&there.span).clone()));
        }
    }

    fn note<I>(&mut self, change: Changed<I>, place: Option<Range<usize>>) {
        if let Some(place) = place {
            let key = (change.span.start, change.what);
            self.places
                .0
                .entry(key)
                .or_insert_with(|| (change.span.end, Vec::new()))
                .1
                .push((self.other, place));
        }
    }
}

/// Where to look, by what changed: start and name of the change; its end, and places by telling.
#[derive(Default)]
struct Places(BTreeMap<(usize, String), (usize, Vec<Spot>)>);

/// Items that are new, or say something else than before.
fn changed_now<I: Copy>(changes: &Pairing<I>) -> impl Iterator<Item = I> {
    changes.differing.iter().map(|pair| pair.1).chain(changes.only[1].iter().copied())
}

/// Where a sibling does not say the same as an item: at what corresponds, or where that would be.
fn follow<I: Copy + PartialEq>(
    kept: &Pairing<I>,
    item: I,
    place: impl Fn(I) -> Range<usize>,
    absent: impl Fn() -> Range<usize>,
) -> Option<Range<usize>> {
    let differs = kept.differing.iter().find(|pair| pair.0 == item).map(|pair| place(pair.1));
    differs.or_else(|| kept.only[0].contains(&item).then(absent))
}

/// What a sibling still says of something that was removed.
fn still<I: Copy + PartialEq>(told: &Pairing<I>, item: I) -> Option<I> {
    told.same.iter().chain(&told.differing).find(|pair| pair.0 == item).map(|pair| pair.1)
}

/// The section of the other telling that corresponds to this one, or to the last before it that has one.
fn counterpart(comparison: &Comparison, section: usize) -> usize {
    let pairs = comparison.sections.same.iter().chain(&comparison.sections.differing);
    pairs.filter(|pair| pair.0 <= section).max().map_or(0, |pair| pair.1)
}

fn trimmed(document: &Document, span: Range<usize>) -> Range<usize> {
    match document.text().get(span.clone()) {
        Some(text) if text.trim_end().contains('\n') => first_line(&span, &document.text()),
        Some(text) => span.start..span.start + text.trim_end().len(),
        None => span,
    }
}
