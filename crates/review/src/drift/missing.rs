//! Reports steps that a platform lacks, with one finding per platform, however many steps there are.

use std::borrow::Cow;

use super::findings::{MOST_PLACES, several, verb};
use super::own::FORM;
use super::rank::{RankKind, rank};
use super::{Scope, Step, Version};
use base::address::slug_of;
use base::diagnostic::{Code, Diagnostic, Problem, Severity, list};
use base::sorted::{SortedMap, SortedSet};
use base::{names, site_path};
use site::content::{Document, PlatformIx};
use site::family::{VersionIx, name_words};

/// A step that a platform lacks without accepting it.
#[derive(Clone, Debug)]
pub(super) struct MissingStep {
    pub(super) platform: PlatformIx,
    /// The versions with the step.
    pub(super) with: Vec<VersionIx>,
    /// Additional text for an acceptance that has ended.
    pub(super) ended: String,
}

/// Describes a page of a platform that lacks a step.
pub(super) const MAY_BE_THE_SAME: &str = "may be the same step under another name";

/// Missing steps with the same cause are one finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// Items that a platform lacks and others have.
    Lacking(PlatformIx),
    /// One platform has what several others lack, or a few have what most lack.
    Own(Vec<PlatformIx>),
}

/// Returns the missing steps of a family. `absences` are those of each of its `steps`.
pub(super) fn findings(steps: &[Step<'_>], absences: &[Vec<MissingStep>], scope: &Scope) -> Vec<Diagnostic> {
    let mut causes: SortedMap<Cause, Vec<Missing<'_>>> = SortedMap::new();
    for (step, absences) in steps.iter().zip(absences) {
        let with: SortedSet<PlatformIx> =
            absences.iter().flat_map(|it| it.with.iter().map(|&it| step.platform(it))).collect();
        let missing = |absence: &MissingStep| Missing {
            step,
            absence: absence.clone(),
            without: vec![absence.platform],
        };
        // In families that were found by names, platforms have many pages of their own.
        let most_own = if step.family.is_by_key { absences.len() } else { 1 };
        match &absences[..] {
            [first, _, ..] if !with.is_empty() && with.len() <= most_own => {
                let without = absences.iter().map(|it| it.platform).collect();
                let missing = Missing { without, ..missing(first) };
                causes.entry(Cause::Own(with.into_iter().collect())).or_default().push(missing);
            }
            _ => {
                for absence in absences {
                    causes.entry(Cause::Lacking(absence.platform)).or_default().push(missing(absence));
                }
            }
        }
    }
    causes.iter().map(|(cause, missing)| finding(steps, cause, missing, scope)).collect()
}

/// A step that some platform lacks.
struct Missing<'a> {
    step: &'a Step<'a>,
    absence: MissingStep,
    /// The platforms that lack it, if these absences have one cause.
    without: Vec<PlatformIx>,
}

impl Missing<'_> {
    fn first_page(&self) -> &Document {
        self.step.versions[self.absence.with[0]].document
    }

    /// Returns the title of the step, which isn't that of the platform that has it.
    fn title(&self) -> Cow<'_, str> {
        let version = &self.step.versions[self.absence.with[0]];
        let title = version.document.title.as_str();
        let name = site_path::file_name(self.step.name());
        let is_of_platform = self.step.family.platforms[version.place.platform].is_named_in(title);
        if is_of_platform && !name.is_empty() { names::of_segment(name).into() } else { title.into() }
    }
}

fn finding(steps: &[Step<'_>], cause: &Cause, missing: &[Missing<'_>], scope: &Scope) -> Diagnostic {
    let family = missing[0].step.family;
    let (platforms_with, platforms_without) = sides(cause, missing);
    let names_of = |platforms: &[PlatformIx]| -> String {
        list(&platforms.iter().map(|&it| family.platforms[it].name.as_str()).collect::<Vec<_>>())
    };
    let ids = |platforms: &[PlatformIx]| -> Vec<&str> {
        platforms.iter().map(|&it| family.platforms[it].id.as_str()).collect()
    };
    let has = match cause {
        Cause::Lacking(platform) => shared(steps, *platform),
        Cause::Own(_) => 0,
    };
    let titles: Vec<Cow<'_, str>> = missing.iter().map(Missing::title).collect();
    let titles: Vec<&str> = titles.iter().map(|title| &**title).collect();
    let (with, without) = (names_of(&platforms_with), names_of(&platforms_without));
    let message = match cause {
        Cause::Own(own) => {
            let have = verb(own.len(), "have");
            format!("only {with} {have} {}: {without} don't", several("step", &titles))
        }
        Cause::Lacking(_) if missing.len() == 1 => {
            let have = verb(platforms_with.len(), "have");
            format!("{without} lacks {}, which {with} {have}", several("step", &titles))
        }
        Cause::Lacking(_) if scope.step.is_none() => {
            let all = has + missing.len();
            let lacks = several("step", &titles);
            let have = match &platforms_with[..] {
                [_] => format!("{with} has"),
                _ => "others have".to_string(),
            };
            format!("{without} has {has} of the {all} steps that {have}: it lacks {lacks}")
        }
        Cause::Lacking(_) => format!("{without} lacks {}", several("step", &titles)),
    };
    let primary = missing[0].first_page();
    let renamed = match (cause, missing) {
        (Cause::Lacking(platform), [only]) => renamed(steps, only, *platform),
        _ => None,
    };
    let is_small = family.is_by_key && matches!(cause, Cause::Lacking(_)) && has < missing.len();
    let steps: Vec<&str> = missing.iter().map(|it| it.step.name()).collect();
    let mut problem = Problem::new(Code::MissingStep, primary.top(), message)
        .help(help(missing, &without, primary, renamed))
        .target(steps[0])
        .data("family", family.id.as_str())
        .data("platforms_with", ids(&platforms_with))
        .data("platforms_without", ids(&platforms_without))
        .data("rank", rank(RankKind::Step) + u32::from(is_small));
    // A platform with fewer than half of the steps has its own scope.
    if is_small {
        problem.severity = Some(Severity::Info);
    }
    if let [step] = steps[..] {
        problem = problem.data("step", step);
    }
    problem = problem.data("steps", steps).data("has", has);
    let versions = missing.iter().flat_map(|it| it.absence.with.iter().map(|&with| &it.step.versions[with]));
    let others = versions.filter(|it| it.document.path != primary.path).take(MOST_PLACES);
    let place = |problem: Problem, version: &Version<'_>| {
        let label = format!("{} has it here", family.platforms[version.place.platform].name);
        problem.related(&version.document.path, version.document.top(), label)
    };
    let problem = others.fold(problem, place);
    let renamed = renamed.filter(|page| page.path != primary.path);
    match renamed {
        Some(page) => problem.related(&page.path, page.top(), MAY_BE_THE_SAME),
        None => problem,
    }
    .at(&primary.path)
}

/// Number of steps that a platform shares with others.
fn shared(steps: &[Step<'_>], platform: PlatformIx) -> usize {
    steps.iter().filter(|step| step.is_on(platform) && step.versions.len() > 1).count()
}

/// Returns the platforms with the steps, and those without.
fn sides(cause: &Cause, missing: &[Missing<'_>]) -> (Vec<PlatformIx>, Vec<PlatformIx>) {
    match cause {
        Cause::Own(own) => {
            let without: SortedSet<PlatformIx> = missing.iter().flat_map(|it| it.without.clone()).collect();
            (own.clone(), without.into_iter().collect())
        }
        Cause::Lacking(platform) => {
            let with =
                missing.iter().flat_map(|it| it.absence.with.iter().map(|&with| it.step.platform(with)));
            (with.collect::<SortedSet<_>>().into_iter().collect(), vec![*platform])
        }
    }
}

/// Returns the page of a platform that may be the missing step under another name: no other platform has it, and its
/// name or title has the most words in common.
fn renamed<'a>(steps: &[Step<'a>], missing: &Missing<'_>, platform: PlatformIx) -> Option<&'a Document> {
    let words_of = |names: &mut dyn Iterator<Item = &str>, title: &str| -> SortedSet<String> {
        let words = names.flat_map(|name| name_words(name, title));
        words.map(|word| word.chars().take(FORM).collect()).collect()
    };
    let wanted = words_of(&mut std::iter::once(missing.step.name()), &missing.first_page().title);
    let alone = steps.iter().filter(|step| step.versions.len() == 1 && step.is_on(platform));
    let alike = alone.filter_map(|step| {
        let document = step.versions[VersionIx::from(0)].document;
        // One page may be several in a folder with its name.
        let common = wanted.intersection(&words_of(&mut step.name().split('/'), &document.title)).count();
        (common > 0 && document.front.step.is_none()).then_some((common, document))
    });
    // The first of equally similar pages.
    alike.reduce(|best, other| if other.0 > best.0 { other } else { best }).map(|(_, document)| document)
}

fn help(missing: &[Missing<'_>], without: &str, primary: &Document, renamed: Option<&Document>) -> String {
    let accept = "`drift: {allow: [missing-step], reason: …}`";
    let ended: &str = missing.iter().map(|it| it.absence.ended.as_str()).max().unwrap_or_default();
    match (missing, renamed) {
        ([only], Some(page)) => format!(
            "add the step for {without}; if `{}` is that step, add `step: {}` to both pages; or allow the \
             difference with {accept} on the page that has it{ended}",
            page.path,
            slug_of(site_path::file_name(only.step.name()))
        ),
        ([_], None) => format!(
            "add the step for {without}, or allow the difference with {accept} on the page that has it{ended}"
        ),
        _ => format!(
            "add the steps for {without}, or allow the difference with {accept} on the pages that have them, or \
             in stepkin.toml with `[[check.ignore]]`, `code = \"missing-step\"`, `file = \"{}\"`, and a \
             `reason`{ended}",
            primary.path
        ),
    }
}

impl Step<'_> {
    fn platform(&self, version: VersionIx) -> PlatformIx {
        self.versions[version].place.platform
    }

    pub(super) fn is_on(&self, platform: PlatformIx) -> bool {
        self.versions.iter().any(|it| it.place.platform == platform)
    }
}
