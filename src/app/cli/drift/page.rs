//! The report as a single HTML page without other files, for people who don't write code.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::app::cli::format::LineIndex;
use crate::output::render::Rendering;
use base::diagnostic::{Diagnostic, Report};
use base::error::{Error, Result};
use base::quoted::parts;
use base::sorted::{SortedMap, SortedSet};
use review::drift::{Scope, Step, platform_groups, steps};
use site::content::{Platform, PlatformIx};
use site::family::VersionIx;
use site::project::Project;
use site::work::Work;

/// `drift.html`
#[derive(Debug, Serialize)]
struct PageView {
    title: String,
    /// ISO 8601.
    day: String,
    pages: usize,
    differences: usize,
    families: Vec<FamilyView>,
}

#[derive(Debug, Serialize)]
struct FamilyView {
    id: String,
    title: String,
    platforms: Vec<String>,
    steps: Vec<StepView>,
    /// Differences in single steps, after those in several.
    groups: Vec<GroupView>,
}

/// Differences under a heading.
#[derive(Debug, Serialize)]
struct GroupView {
    id: String,
    title: String,
    differences: Vec<Difference>,
}

#[derive(Debug, Serialize)]
struct StepView {
    id: String,
    title: String,
    /// By platform.
    cells: Vec<Cell>,
    /// Number of differences.
    differences: usize,
}

#[derive(Clone, Debug, Default, Serialize)]
struct Cell {
    missing: bool,
    /// Number of differences in which this platform deviates.
    differs: usize,
}

#[derive(Debug, Serialize)]
struct Difference {
    severity: &'static str,
    summary: &'static str,
    message: String,
    heading: Option<String>,
    settings: Vec<String>,
    values: Vec<DifferentValue>,
    changes: Value,
    places: Vec<PlaceView>,
}

#[derive(Debug, Serialize)]
struct DifferentValue {
    platforms: String,
    value: Value,
}

#[derive(Debug, Serialize)]
struct PlaceView {
    file: String,
    line: usize,
    label: String,
}

/// Writes the report to a file.
pub(super) fn write(file: &Path, work: &Rendering, scope: &Scope, report: &Report) -> Result<()> {
    let html = work
        .fill("drift.html", &view(work, scope, report))
        .map_err(|found| Error::usage(format!("{}: {}", found.file, found.problem.message)))?;
    std::fs::write(file, html).map_err(Error::io("write", file))
}

fn view(work: &Work, scope: &Scope, report: &Report) -> PageView {
    let mut positions = LineIndex::new(&work.project.sources);
    let mut families: Vec<FamilyView> = Vec::new();
    let mut pages = 0;
    let versions = work.versions();
    let all = std::iter::once(work).chain(versions.iter());
    let all: Vec<_> =
        all.flat_map(|work| steps(work, scope).into_iter().map(move |step| (work, step))).collect();
    let known: SortedSet<(&str, &str)> =
        all.iter().map(|(_, step)| (step.family.id.as_str(), step.name())).collect();
    // By family and step. Differences in several steps, and doubts about steps, are under an empty name.
    let mut of_step: SortedMap<(String, String), Vec<&Diagnostic>> = SortedMap::new();
    for finding in report {
        let text = |name: &str| finding.problem.data.get(name).and_then(Value::as_str);
        if let Some(family) = text("family") {
            let step = text("step").filter(|step| known.contains(&(family, step))).unwrap_or_default();
            of_step.entry((family.to_string(), step.to_string())).or_default().push(finding);
        }
    }
    for (work, step) in all {
        pages += step.versions.len();
        let platforms = &step.family.platforms;
        let names = |ids: &Value| -> String {
            let ids = texts(ids);
            let known = platforms.iter().filter(|platform| ids.contains(&platform.id));
            known.map(|platform| platform.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let mut group = |id: String, title: &str, found: &[&Diagnostic]| GroupView {
            id,
            title: title.to_string(),
            differences: found.iter().map(|finding| difference(finding, &names, &mut positions)).collect(),
        };
        if families.last().is_none_or(|family| family.id != step.family.id) {
            families.push(FamilyView {
                id: step.family.id.clone(),
                title: step.family.title.clone(),
                platforms: platforms.iter().map(|platform| platform.name.clone()).collect(),
                steps: Vec::new(),
                groups: Vec::new(),
            });
            let of_several = of_step.remove(&(step.family.id.clone(), String::new())).unwrap_or_default();
            if !of_several.is_empty() {
                let group = group(step.family.id.clone() + "-steps", "Steps", &of_several);
                families.last_mut().expect("it was just made").groups.push(group);
            }
        }
        let found = of_step.remove(&(step.family.id.clone(), step.name().to_string())).unwrap_or_default();
        let apart: Vec<SortedSet<String>> = found.iter().map(|finding| standing_apart(finding)).collect();
        let has: SortedSet<PlatformIx> = step.versions.iter().map(|version| version.place.platform).collect();
        let cell = |(index, platform): (PlatformIx, &Platform)| Cell {
            missing: !has.contains(&index),
            differs: apart.iter().filter(|apart| apart.contains(&platform.id)).count(),
        };
        let view = StepView {
            id: format!("{}-{}", step.family.id, step.name()),
            title: title(work, &step),
            cells: platforms.indexed().map(cell).collect(),
            differences: found.len(),
        };
        let family = families.last_mut().expect("it was just made");
        if !found.is_empty() {
            family.groups.push(group(view.id.clone(), &view.title, &found));
        }
        family.steps.push(view);
    }
    let title = match &families[..] {
        [only] => only.title.clone(),
        _ => work.project.site.config.title.clone().unwrap_or_else(|| "Tutorials".into()),
    };
    PageView { title, day: scope.today.to_string(), pages, differences: report.iter().len(), families }
}

/// Returns the family's title for a step.
fn title(work: &Work, step: &Step<'_>) -> String {
    let Project { site, families, .. } = &*work.project;
    let place = step.versions[VersionIx::from(0)].place;
    families.step_title(site, place.family, families.row(place))
}

fn difference(
    finding: &Diagnostic,
    names: &dyn Fn(&Value) -> String,
    positions: &mut LineIndex<'_>,
) -> Difference {
    let problem = &finding.problem;
    let data = |name: &str| problem.data.get(name).cloned().unwrap_or_default();
    let said = |value: &Value| DifferentValue {
        platforms: names(&value["platforms"]),
        value: value["value"].clone(),
    };
    let places = std::iter::once((&finding.file, problem.span.start, ""))
        .chain(problem.related.iter().map(|place| (&place.file, place.span.start, place.label.as_str())));
    Difference {
        severity: finding.severity.name(),
        summary: problem.code.rule().summary,
        message: quoted(&problem.message),
        heading: data("heading").as_str().map(str::to_string),
        settings: texts(&data("settings")),
        values: data("values").as_array().into_iter().flatten().map(said).collect(),
        changes: data("changes"),
        places: places
            .map(|(file, at, label)| PlaceView {
                file: file.to_string(),
                line: positions.at(file.as_str(), at).line,
                label: label.to_string(),
            })
            .collect(),
    }
}

/// Turns a message into a sentence: with quotes instead of backticks, and a capital letter at the start.
fn quoted(message: &str) -> String {
    let part = |(is_quoted, text): (bool, &str)| {
        if is_quoted { format!("“{text}”") } else { text.to_string() }
    };
    let quoted: String = parts(message).into_iter().map(part).collect();
    // Names of platforms keep their capitals: `iOS`.
    match quoted.split_once(' ') {
        Some((first, rest)) if first.chars().all(char::is_lowercase) => {
            let mut letters = first.chars();
            let large: String =
                letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
            format!("{large} {rest}")
        }
        _ => quoted,
    }
}

/// Returns the platforms that deviate: those that lack something, that alone have something, or that differ from the
/// majority.
fn standing_apart(finding: &Diagnostic) -> SortedSet<String> {
    let groups = platform_groups(&finding.problem.data);
    let most = groups.iter().map(Vec::len).max().unwrap_or_default();
    let is_majority =
        |group: &Vec<String>| group.len() == most && groups.iter().filter(|it| it.len() == most).count() == 1;
    groups.iter().filter(|group| !is_majority(group)).flatten().cloned().collect()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
}
