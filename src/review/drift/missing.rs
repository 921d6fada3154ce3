//! Steps that a platform lacks: one finding for each platform, however many steps there are.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::{MOST_PLACES, list, several, verb};
use super::rank::{RankKind, rank};
use super::{Scope, Step};
use crate::base::diagnostic::{Code, Diagnostic, Problem};
use crate::site::content::{Document, PlatformIx};
use crate::site::family::VersionIx;

/// A step that a platform lacks, where that is not accepted.
#[derive(Clone, Debug)]
pub(super) struct MissingStep {
    pub(super) platform: PlatformIx,
    /// The versions that have the step.
    pub(super) with: Vec<VersionIx>,
    /// What to add where an acceptance has ended.
    pub(super) ended: String,
}

/// Missing steps with the same cause are one finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// A platform lacks what others have.
    Lacking(PlatformIx),
    /// One platform has what several others do not.
    Alone(PlatformIx, Vec<PlatformIx>),
}

/// The missing steps of one family. `absences` are those of each of its `steps`.
pub(super) fn findings(steps: &[Step<'_>], absences: &[Vec<MissingStep>], scope: &Scope) -> Vec<Diagnostic> {
    let mut causes: BTreeMap<Cause, Vec<Missing<'_>>> = BTreeMap::new();
    for (at, (step, absences)) in steps.iter().zip(absences).enumerate() {
        let with: BTreeSet<PlatformIx> =
            absences.iter().flat_map(|it| it.with.iter().map(|&it| step.platform(it))).collect();
        let missing = |absence: &MissingStep| Missing { at, step, absence: absence.clone() };
        match (with.iter().next(), &absences[..]) {
            (Some(&alone), [first, _, ..]) if with.len() == 1 => {
                let without = absences.iter().map(|it| it.platform).collect();
                causes.entry(Cause::Alone(alone, without)).or_default().push(missing(first));
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

/// A step that is missing somewhere.
struct Missing<'a> {
    /// Its position among the steps.
    at: usize,
    step: &'a Step<'a>,
    absence: MissingStep,
}

impl Missing<'_> {
    fn first_page(&self) -> &Document {
        self.step.versions[self.absence.with[0]].document
    }
}

fn finding(steps: &[Step<'_>], cause: &Cause, missing: &[Missing<'_>], scope: &Scope) -> Diagnostic {
    let family = missing[0].step.family;
    let (platforms_with, platforms_without) = sides(cause, missing);
    let names = |platforms: &[PlatformIx]| -> String {
        list(&platforms.iter().map(|&it| family.platforms[it].name.as_str()).collect::<Vec<_>>())
    };
    let ids = |platforms: &[PlatformIx]| -> Vec<&str> {
        platforms.iter().map(|&it| family.platforms[it].id.as_str()).collect()
    };
    let titles: Vec<&str> = missing.iter().map(|it| it.first_page().title.as_str()).collect();
    let (with, without) = (names(&platforms_with), names(&platforms_without));
    let message = match cause {
        Cause::Alone(..) => {
            format!("only {with} has {}: {without} do not", several("step", &titles))
        }
        Cause::Lacking(_) if missing.len() == 1 => {
            let have = verb(platforms_with.len(), "have");
            format!("{without} lacks {}, which {with} {have}", several("step", &titles))
        }
        Cause::Lacking(platform) if scope.step.is_none() => {
            // The steps that it alone has do not count.
            let is_shared = |step: &&Step<'_>| step.is_on(*platform) && step.versions.len() > 1;
            let has = steps.iter().filter(is_shared).count();
            let all = has + missing.len();
            let lacks = several("step", &titles);
            format!("{without} has {has} of the {all} steps that others have: it lacks {lacks}")
        }
        Cause::Lacking(_) => format!("{without} lacks {}", several("step", &titles)),
    };
    let primary = match cause {
        Cause::Alone(..) => missing[0].first_page(),
        Cause::Lacking(platform) => {
            before(steps, missing[0].at, *platform).unwrap_or(missing[0].first_page())
        }
    };
    let steps: Vec<&str> = missing.iter().map(|it| it.step.name()).collect();
    let mut problem = Problem::new(Code::MissingStep, primary.top(), message)
        .help(help(missing, &without, primary))
        .target(steps[0])
        .data("family", family.id.as_str())
        .data("platforms_with", ids(&platforms_with))
        .data("platforms_without", ids(&platforms_without))
        .data("rank", rank(RankKind::Step));
    if let [step] = steps[..] {
        problem = problem.data("step", step);
    }
    problem = problem.data("steps", steps);
    let places =
        missing.iter().flat_map(|it| it.absence.with.iter().map(|&with| it.step.versions[with].document));
    let places = places.filter(|page| page.path != primary.path).take(MOST_PLACES);
    let label = match cause {
        Cause::Alone(..) => "and this one",
        Cause::Lacking(_) => "missing there",
    };
    places.fold(problem, |problem, page| problem.related(&page.path, page.top(), label)).at(&primary.path)
}

/// The platforms that have the steps, and those that do not.
fn sides(cause: &Cause, missing: &[Missing<'_>]) -> (Vec<PlatformIx>, Vec<PlatformIx>) {
    match cause {
        Cause::Alone(alone, without) => (vec![*alone], without.clone()),
        Cause::Lacking(platform) => {
            let with =
                missing.iter().flat_map(|it| it.absence.with.iter().map(|&with| it.step.platform(with)));
            (with.collect::<BTreeSet<_>>().into_iter().collect(), vec![*platform])
        }
    }
}

/// The page after which the missing step would come, or the platform's first.
fn before<'a>(steps: &[Step<'a>], at: usize, platform: PlatformIx) -> Option<&'a Document> {
    let page =
        |step: &Step<'a>| step.versions.iter().find(|it| it.place.platform == platform).map(|it| it.document);
    steps[..at].iter().rev().chain(&steps[at..]).find_map(page)
}

fn help(missing: &[Missing<'_>], without: &str, primary: &Document) -> String {
    let accept = "`drift: {allow: [missing-step], reason: …}`";
    let ended: &str = missing.iter().map(|it| it.absence.ended.as_str()).max().unwrap_or_default();
    match missing.len() {
        1 => format!(
            "write the step for {without} too, or accept the difference with {accept} on the page that has it{ended}"
        ),
        _ => format!(
            "write the steps for {without} too, or accept the difference with {accept} on the pages that have them, or in \
             stepkin.toml with `[[check.ignore]]`, `code = \"missing-step\"`, `file = \"{}\"` and a `reason`{ended}",
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
