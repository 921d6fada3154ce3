//! A tutorial as a course: for each platform, the list of its steps, and the steps that only other platforms have.

use serde::Serialize;

use super::Renderer;
use super::platforms::{PlatformSummary, missing_anchor};
use super::title::count_unnumbered;
use super::view::Link;
use base::names::{self, Namesake};
use site::content::{DocumentId, FamilyId, Place, PlatformIx, StepIx};

/// A platform in `course.html`.
#[derive(Debug, Serialize)]
pub(super) struct CourseView {
    #[serde(flatten)]
    version: PlatformSummary,
    items: Vec<StepItem>,
    /// The steps that the platform lacks.
    away: Vec<AwayItem>,
}

#[derive(Debug, Serialize)]
struct StepItem {
    /// Title of the section that begins at this step, or empty.
    section: String,
    /// The title without its number, and the number; see `title.rs`.
    bare_title: String,
    number: String,
    /// Text before the title that distinguishes the step from others with the same title, or empty.
    within: String,
    /// The name of the step on every platform.
    name: String,
    url: String,
    minutes: u32,
    description: Option<String>,
}

#[derive(Debug, Serialize)]
struct AwayItem {
    /// ID of the element that shows that the platform lacks the step.
    anchor: String,
    title: String,
    /// The step on the first platform that has it.
    url: String,
    /// The names of the platforms that have it.
    platforms: String,
}

impl Renderer<'_> {
    /// Returns the courses of a family, by platform.
    pub(super) fn courses(&self, family: FamilyId, versions: Vec<PlatformSummary>) -> Vec<CourseView> {
        let platforms = self.site.families[family].platforms.indices();
        let course = |(platform, version)| CourseView {
            version,
            items: self.course_items(family, platform),
            away: self.away_items(family, platform),
        };
        platforms.zip(versions).map(course).collect()
    }

    fn course_items(&self, family: FamilyId, platform: PlatformIx) -> Vec<StepItem> {
        let its = &self.site.families[family].platforms[platform];
        let steps: Vec<DocumentId> = its.steps.iter().copied().collect();
        let sections = its.sections();
        let bare: Vec<String> =
            self.titles(&steps).iter().map(|title| self.numbered(title).bare.to_string()).collect();
        let within = self.in_front(&steps, &bare);
        let mut last = "";
        let items =
            steps.iter().zip(bare).zip(within).enumerate().map(|(at, ((&id, bare_title), within))| {
                let place = Place { family, platform, step: StepIx::from(at) };
                let section: &str = sections[place.step];
                let is_new = std::mem::replace(&mut last, section) != section;
                let Link { title, url } = self.link(id);
                StepItem {
                    section: if is_new { self.section_title(place, section) } else { String::new() },
                    number: self.numbered(&title).number.to_string(),
                    bare_title,
                    within,
                    name: self.families.step_name(place).to_string(),
                    url,
                    minutes: self.minutes(&[id]),
                    description: self.lede(id),
                }
            });
        let mut items: Vec<StepItem> = items.collect();
        count_unnumbered(&mut items, |item| &mut item.number);
        items
    }

    fn away_items(&self, family: FamilyId, platform: PlatformIx) -> Vec<AwayItem> {
        let its = &self.site.families[family];
        let rows = self.families.rows(family).indexed().zip(self.families.step_names(family));
        let missing = rows.filter(|((_, row), _)| row.steps[platform].is_none());
        let (mut items, mut listed) = (Vec::new(), Vec::new());
        for ((at, row), name) in missing {
            let title = self.families.step_title(self.site, family, at);
            let address = &self.site.document(row.first()).address;
            let having = its.platforms.iter().zip(&row.steps).filter(|(_, step)| step.is_some());
            let having: Vec<&str> = having.map(|(platform, _)| platform.name.as_str()).collect();
            let title = self.numbered(&title).bare.to_string();
            listed.push(Namesake {
                of: items.len(),
                title: title.clone(),
                above: vec![having.join(", ")],
                path: address.to_string(),
            });
            items.push(AwayItem {
                anchor: missing_anchor(&its.platforms[platform], name),
                title,
                url: self.url(address),
                platforms: having.join(", "),
            });
        }
        for (at, name) in names::distinct_names_in(&listed) {
            items[at].title = name;
        }
        items
    }
}
