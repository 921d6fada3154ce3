//! The context of `step.html`.

use serde::Serialize;

use super::Renderer;
use super::overview::missing_anchor;
use super::view::{Link, PageView, Section};
use crate::address::Address;
use crate::content::{DocumentId, Place, Platform};
use crate::markdown::HeadingIx;
use crate::plan::Artifact;

/// `step.html`
#[derive(Debug, Serialize)]
pub(super) struct StepView {
    page: PageView,
    body: String,
    family: FamilyLink,
    platform: PlatformView,
    platforms: Vec<PlatformLink>,
    /// `steps.html`, the page's own step marked.
    steps: String,
    /// What the step is called on every platform.
    step: String,
    /// Position among the steps, from 1, and the minutes from here to the end.
    position: usize,
    left: u32,
    previous: Option<Link>,
    next: Option<Link>,
    toc: Vec<Section>,
}

/// The family of a step.
#[derive(Debug, Serialize)]
struct FamilyLink {
    id: String,
    title: String,
    url: String,
}

#[derive(Debug, Serialize)]
struct PlatformLink {
    id: String,
    name: String,
    /// The same step, or where the overview says that the platform lacks it.
    url: String,
    current: bool,
    missing: bool,
    /// `here#there` for every section whose counterpart has another id, separated by blanks.
    sections: String,
}

#[derive(Debug, Serialize)]
pub(super) struct PlatformView {
    id: String,
    name: String,
    /// How many it has.
    steps: usize,
}

impl Renderer<'_> {
    /// `steps` is the list of the platform's steps for this page.
    pub(super) fn step_view(
        &self,
        address: &Address,
        id: DocumentId,
        place: Place,
        steps: String,
    ) -> StepView {
        let family = self.site.family_of(place);
        let (previous, next) = self.site.neighbours(place);
        StepView {
            page: self.page_view(address, id),
            body: self.body(id),
            family: FamilyLink {
                id: family.id.clone(),
                title: family.title.clone(),
                url: self.url(&family.address),
            },
            platform: self.platform_view(place),
            platforms: self.switcher(place),
            steps,
            step: self.families.step_name(place).to_string(),
            position: usize::from(place.step) + 1,
            left: self.minutes(self.site.steps_from(place)),
            previous: previous.map(|step| self.link(step)),
            next: next.map(|step| self.link(step)),
            toc: self.toc(id),
        }
    }

    pub(super) fn platform_view(&self, place: Place) -> PlatformView {
        let platform = self.site.platform_of(place);
        PlatformView { id: platform.id.clone(), name: platform.name.clone(), steps: platform.steps.len() }
    }

    fn switcher(&self, place: Place) -> Vec<PlatformLink> {
        let family = self.site.family_of(place);
        let here = self.site.platform_of(place).steps[place.step];
        let siblings = self.families.siblings(self.site, place);
        let links = family.platforms.indexed().zip(siblings).map(|((index, platform), sibling)| {
            let current = index == place.platform;
            let other = sibling.filter(|_| !current);
            PlatformLink {
                id: platform.id.clone(),
                name: platform.name.clone(),
                url: sibling.map_or_else(
                    || self.lack_of(place, platform),
                    |step| self.url(&self.site.document(step).address),
                ),
                current,
                missing: sibling.is_none(),
                sections: other.map_or_else(String::new, |there| self.sections_elsewhere(here, there)),
            }
        });
        links.collect()
    }

    /// Where it is shown that a platform lacks a step: in the overview, or where there is none, on its first page.
    fn lack_of(&self, place: Place, platform: &Platform) -> String {
        let family = self.site.family_of(place);
        match (self.map.get(&family.address), platform.steps.first()) {
            (Some(Artifact::Overview { .. }), _) | (_, None) => {
                let anchor = missing_anchor(platform, self.families.step_name(place));
                format!("{}#{anchor}", self.url(&family.address))
            }
            (_, Some(&first)) => self.link(first).url,
        }
    }

    /// The ids of corresponding sections of two siblings, for the switcher, where they differ.
    fn sections_elsewhere(&self, here: DocumentId, there: DocumentId) -> String {
        let map = self.families.section_map(self.site, self.pages, here, there);
        let id = |page: DocumentId, heading: HeadingIx| self.pages[page].headings[heading].id.as_str();
        let differing = map.indexed().filter_map(|(heading, counterpart)| {
            let (from, to) = (id(here, heading), counterpart.map_or("", |found| id(there, found)));
            (from != to).then(|| format!("{from}#{to}"))
        });
        differing.collect::<Vec<_>>().join(" ")
    }
}
