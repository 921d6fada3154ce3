//! View of `step.html`.

use serde::Serialize;

use super::end::EndView;
use super::platforms::missing_anchor;
use super::view::{Link, PageView, SectionView};
use super::{Renderer, colours};
use base::address::Address;
use base::diagnostic::Diagnostic;
use markup::markdown::HeadingIx;
use site::content::{DocumentId, Place, Platform};
use site::plan::Artifact;

/// `step.html`
#[derive(Debug, Serialize)]
pub(super) struct StepView {
    page: PageView,
    body: String,
    family: FamilyLink,
    platform: PlatformView,
    platforms: Vec<PlatformLink>,
    /// The output of `steps.html`, with the current step marked.
    steps: String,
    /// The name of the step on every platform.
    step: String,
    /// The number in its title. Empty if there is none.
    number: String,
    /// Its position among the steps of the platform, from 1.
    place: usize,
    /// Whether something on the page can be done and ticked.
    tickable: bool,
    minutes: u32,
    /// Minutes from here to the end.
    left: u32,
    previous: Option<StepLink>,
    next: Option<StepLink>,
    /// Links for the end of the tutorial, on the last step only.
    end: Option<EndView>,
    toc: Vec<SectionView>,
}

/// Another step.
#[derive(Debug, Serialize)]
struct StepLink {
    title: String,
    /// The title without its number.
    bare_title: String,
    url: String,
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
    colour: usize,
    /// Link to the same step, or to the overview if the platform lacks it.
    url: String,
    current: bool,
    missing: bool,
    /// `here#there` for every section whose counterpart has another ID, separated by spaces.
    sections: String,
}

#[derive(Debug, Serialize)]
pub(super) struct PlatformView {
    id: String,
    name: String,
    colour: usize,
    /// Number of its steps.
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
    ) -> Result<StepView, Diagnostic> {
        let family = self.site.family_of(place);
        let (previous, next) = self.turn(place);
        let title = self.link(id).title;
        let numbered = self.numbered(&title);
        let body = self.without_prefix(id, numbered.prefix)?;
        Ok(StepView {
            page: self.page_view(address, id).with_heading(numbered.bare),
            family: FamilyLink {
                id: family.id.clone(),
                title: family.title.clone(),
                url: self.url(&family.address),
            },
            platform: self.platform_view(place),
            platforms: self.switcher(place),
            steps,
            step: self.families.step_name(place).to_string(),
            number: numbered.number.to_string(),
            place: usize::from(place.step) + 1,
            tickable: self.is_tickable(id, &body),
            body,
            minutes: self.minutes(&[id]),
            left: self.minutes(self.site.steps_from(place)),
            previous,
            next,
            end: self.end_view(place),
            toc: self.toc(id),
        })
    }

    /// Returns the previous and next step. If both have the same title, it is preceded by their sections.
    fn turn(&self, place: Place) -> (Option<StepLink>, Option<StepLink>) {
        let (previous, next) = self.site.neighbours(place);
        let ids: Vec<DocumentId> = previous.into_iter().chain(next).collect();
        let bare = self.titles(&ids).iter().map(|title| self.numbered(title).bare.to_string()).collect();
        let mut links = ids.iter().zip(self.unique_names(&ids, bare)).map(|(&id, bare_title)| {
            let Link { title, url } = self.link(id);
            StepLink { title, bare_title, url }
        });
        (previous.and_then(|_| links.next()), next.and_then(|_| links.next()))
    }

    /// Whether a step has instructions, settings or code. Others are only read.
    fn is_tickable(&self, id: DocumentId, body: &str) -> bool {
        let page = &self.pages[id];
        !page.code.is_empty() || body.contains("<ol") || body.contains("class=\"table settings")
    }

    /// Returns the body of a page, without the step's number in the title heading.
    fn without_prefix(&self, id: DocumentId, prefix: &str) -> Result<String, Diagnostic> {
        let mut body = self.body(id)?;
        let start = body.find('>').map_or(0, |end| end + 1);
        if !prefix.is_empty() && self.work.is_titled(id) && body[start..].starts_with(prefix) {
            body.drain(start..start + prefix.len());
        }
        Ok(body)
    }

    pub(super) fn platform_view(&self, place: Place) -> PlatformView {
        let platform = self.site.platform_of(place);
        PlatformView {
            id: platform.id.clone(),
            name: platform.name.clone(),
            colour: colours::of(self.site.family_of(place))[place.platform],
            steps: platform.steps.len(),
        }
    }

    fn switcher(&self, place: Place) -> Vec<PlatformLink> {
        let family = self.site.family_of(place);
        let here = self.site.platform_of(place).steps[place.step];
        let siblings = self.families.siblings(self.site, place);
        let colours = colours::of(family);
        // Two pages that don't match directly can match through a third platform: the overview has them in one row.
        let row = &self.families.rows(place.family)[self.families.row(place)];
        let steps = siblings.into_iter().zip(&row.steps).map(|(sibling, &step)| sibling.or(step));
        let links = family.platforms.indexed().zip(steps).map(|((index, platform), sibling)| {
            let current = index == place.platform;
            let other = sibling.filter(|_| !current);
            PlatformLink {
                id: platform.id.clone(),
                name: platform.name.clone(),
                colour: colours[index],
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

    /// Returns the link to the text that a platform lacks a step: in the overview, or else its first page.
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

    /// Returns the IDs of matching sections of two siblings for the platform switcher, if they differ.
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
