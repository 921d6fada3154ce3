//! A summary of how much each platform differs from the others.

use std::fmt;

use serde_json::Value;

use super::together::OWN;
use super::{Scope, Step, steps};
use base::diagnostic::{self, Code, Diagnostic, Report, texts_in};
use base::index::IndexVec;
use base::quoted::quoted;
use base::sort::StableSort as _;
use base::sorted::SortedMap;
use site::content::{Family, PlatformIx};
use site::work::Work;

/// The summary of the families in scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DriftSummary {
    pub families: Vec<FamilyDrift>,
}

/// The platforms of a family, those with the fewest differences first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyDrift {
    pub title: String,
    /// Number of steps on at least two platforms.
    pub steps: usize,
    pub platforms: Vec<PlatformDrift>,
}

/// The findings about a platform in which it differs from the majority.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlatformDrift {
    pub name: String,
    /// Number of its steps that another platform also has.
    pub has: usize,
    /// Number of steps that it lacks and several others have, and that only it has.
    pub lacks: usize,
    pub alone: usize,
    pub by_cause: SortedMap<DifferenceKind, usize>,
    /// Number of steps and titles of sections that it alone has, in a family that was found by names.
    pub own_steps: usize,
    pub own_sections: Vec<String>,
}

/// The subject of a difference, in the order of the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DifferenceKind {
    Setting,
    Note,
    Section,
    Sample,
    Text,
}

impl DifferenceKind {
    fn of(code: Code) -> Option<Self> {
        match code {
            Code::SettingValue | Code::SettingDescription | Code::MissingSetting => Some(Self::Setting),
            Code::MissingNote => Some(Self::Note),
            Code::MissingSection => Some(Self::Section),
            Code::MissingCode | Code::ImageCount => Some(Self::Sample),
            Code::Wording => Some(Self::Text),
            _ => None,
        }
    }

    fn described(self, number: usize) -> String {
        let (one, several) = match self {
            Self::Setting => ("setting differs", "settings differ"),
            Self::Note => ("note differs", "notes differ"),
            Self::Section => ("section differs", "sections differ"),
            Self::Sample => ("image or code sample differs", "images or code samples differ"),
            Self::Text => ("text differs", "texts differ"),
        };
        format!("{number} {}", if number == 1 { one } else { several })
    }
}

/// Counts the findings of a comparison by platform and cause.
pub fn summary(work: &Work, scope: &Scope, report: &Report) -> DriftSummary {
    let mut by_family: SortedMap<&str, Vec<&Diagnostic>> = SortedMap::new();
    for finding in report {
        if let Some(family) = finding.problem.data.get("family").and_then(Value::as_str) {
            by_family.entry(family).or_default().push(finding);
        }
    }
    let versions = work.versions();
    let within = versions.iter().flat_map(|versions| steps(versions, scope));
    let steps: Vec<Step<'_>> = steps(work, scope).into_iter().chain(within).collect();
    let mut families = Vec::new();
    for steps in steps.chunk_by(|one, other| one.family.id == other.family.id) {
        let family = steps[0].family;
        let findings = by_family.remove(family.id.as_str()).unwrap_or_default();
        families.extend(of_family(family, &findings, steps));
    }
    DriftSummary { families }
}

/// Returns `None` if no platform differs.
fn of_family(family: &Family, findings: &[&Diagnostic], steps: &[Step<'_>]) -> Option<FamilyDrift> {
    let shared: Vec<&Step<'_>> = steps.iter().filter(|step| step.versions.len() > 1).collect();
    let has = |at: PlatformIx| shared.iter().filter(|step| step.is_on(at)).count();
    let mut platforms: IndexVec<PlatformIx, PlatformDrift> = (family.platforms.indexed())
        .map(|(at, platform)| PlatformDrift {
            name: platform.name.clone(),
            has: has(at),
            ..PlatformDrift::default()
        })
        .collect();
    for finding in findings {
        if let Some(own) = finding.problem.data.get(OWN) {
            for (at, platform) in family.platforms.indexed() {
                let Some(own) = own.get(&platform.id) else { continue };
                let steps = own["steps"].as_u64().unwrap_or_default();
                platforms[at].own_steps = usize::try_from(steps).unwrap_or(usize::MAX);
                let sections = texts_in(own.get("sections")).into_iter();
                platforms[at].own_sections = sections.map(str::to_string).collect();
            }
            continue;
        }
        let odd = deviating(finding);
        let its = family.platforms.indexed().filter(|(_, platform)| odd.contains(&platform.id.as_str()));
        for (at, _) in its {
            count(&mut platforms[at], finding);
        }
    }
    let mut platforms: Vec<PlatformDrift> = platforms.into();
    platforms.retain(|platform| platform.all() > 0 || platform.has_own());
    platforms.stable_sort_by_key(PlatformDrift::all);
    (!platforms.is_empty()).then(|| FamilyDrift {
        title: family.title.clone(),
        steps: shared.len(),
        platforms,
    })
}

fn count(platform: &mut PlatformDrift, finding: &Diagnostic) {
    let data = &finding.problem.data;
    if finding.problem.code == Code::MissingStep {
        let steps = data.get("steps").and_then(Value::as_array).map_or(1, Vec::len);
        let is_alone = texts_in(data.get("platforms_without")).len() > 1;
        *(if is_alone { &mut platform.alone } else { &mut platform.lacks }) += steps;
    } else if let Some(cause) = DifferenceKind::of(finding.problem.code) {
        *platform.by_cause.entry(cause).or_default() += 1;
    }
}

/// Returns the IDs of the platforms that differ from the majority: the smaller side, or for several texts all except
/// the most common one.
fn deviating(finding: &Diagnostic) -> Vec<&str> {
    let data = &finding.problem.data;
    let (with, without) = (texts_in(data.get("platforms_with")), texts_in(data.get("platforms_without")));
    if !without.is_empty() {
        return if with.len() < without.len() { with } else { without };
    }
    let values = data.get("values").and_then(Value::as_array).into_iter().flatten();
    values.skip(1).flat_map(|value| texts_in(value.get("platforms"))).collect()
}

impl PlatformDrift {
    fn all(&self) -> usize {
        self.lacks + self.alone + self.by_cause.values().sum::<usize>()
    }

    fn has_own(&self) -> bool {
        self.own_steps > 0 || !self.own_sections.is_empty()
    }

    fn described(&self) -> String {
        /// Maximum number of sections to name.
        const MOST_NAMED: usize = 2;
        let mut parts = Vec::new();
        if self.lacks > 0 {
            parts.push(format!(
                "lacks {} of the {} steps that other platforms have",
                self.lacks,
                self.lacks + self.has
            ));
        }
        if self.alone > 0 {
            parts.push(format!("has {} that no other platform has", diagnostic::count(self.alone, "step")));
        }
        parts.extend(self.by_cause.iter().map(|(cause, number)| cause.described(*number)));
        if self.own_steps > 0 {
            parts.push(format!("has {} of its own", diagnostic::count(self.own_steps, "step")));
        }
        // Sections in the place of others aren't counted, so the number says little.
        let named: Vec<String> =
            self.own_sections.iter().take(MOST_NAMED).map(|title| quoted(title)).collect();
        match &named[..] {
            [] => {}
            [only] => parts.push(format!("has a section of its own: {only}")),
            several => parts.push(format!("has sections of its own, such as {}", diagnostic::list(several))),
        }
        format!("{}: {}", self.name, parts.join(", "))
    }
}

/// One line for each platform. If there are several families, each has a heading.
impl fmt::Display for DriftSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for family in &self.families {
            let indent = if self.families.len() > 1 { "  " } else { "" };
            if self.families.len() > 1 {
                writeln!(f, "{}", family.title)?;
            }
            for platform in &family.platforms {
                writeln!(f, "{indent}{}", platform.described())?;
            }
        }
        Ok(())
    }
}
