//! Data about each platform of a family, for pages.

use serde::Serialize;

use super::{Renderer, colours};
use base::address::slug_of;
use site::content::{FamilyId, Platform, PlatformIx};
use site::plan::Artifact;

#[derive(Debug, Serialize)]
pub(super) struct PlatformSummary {
    id: String,
    name: String,
    colour: usize,
    /// Its first step.
    url: String,
    /// All its steps on one page, unless something else is there.
    print: Option<String>,
    steps: usize,
    /// The time for all steps.
    minutes: u32,
    /// The id of its place in the overview.
    anchor: String,
}

/// Returns the ID of a platform's element in the overview.
pub(super) fn platform_anchor(platform: &Platform) -> String {
    format!("platform-{}", slug_of(&platform.id))
}

/// Returns the ID of the element in the overview that shows that a platform lacks a step.
pub(super) fn missing_anchor(platform: &Platform, step: &str) -> String {
    format!("{}-without-{step}", platform_anchor(platform))
}

impl Renderer<'_> {
    /// Returns data about each platform for the overview.
    pub(super) fn versions(&self, family: FamilyId) -> Vec<PlatformSummary> {
        let its = &self.site.families[family];
        let colours = colours::of(its);
        let version = |(index, platform): (PlatformIx, &Platform)| {
            let first = platform.steps.first();
            PlatformSummary {
                id: platform.id.clone(),
                name: platform.name.clone(),
                colour: colours[index],
                url: first.map_or_else(|| self.url(&its.address), |&step| self.link(step).url),
                print: match self.map.get(&platform.print()) {
                    Some(Artifact::Print { .. }) => Some(self.url(&platform.print())),
                    _ => None,
                },
                steps: platform.steps.len(),
                minutes: self.minutes(&platform.steps),
                anchor: platform_anchor(platform),
            }
        };
        its.platforms.indexed().map(version).collect()
    }
}
