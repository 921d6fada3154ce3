//! The context of `overview.html`, and what other pages show of a family.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Renderer;
use super::view::{Link, PageView, whole_minutes};
use crate::address::{Address, slug_of};
use crate::content::{DocumentId, FamilyId, Platform, PlatformIx};
use crate::family::Row;
use crate::index::IndexVec;
use crate::plan::{Artifact, Data};
use crate::words::Word;

/// `overview.html`
#[derive(Debug, Serialize)]
pub(super) struct OverviewView {
    page: PageView,
    body: String,
    family: FamilyView,
    /// Steps by platforms; a cell is the step's link or nothing.
    rows: Vec<RowView>,
    /// Where the platforms are side by side.
    compare: Option<String>,
    /// Files for programs.
    data: Vec<Link>,
}

#[derive(Debug, Serialize)]
pub(super) struct FamilyView {
    id: String,
    title: String,
    url: String,
    platforms: Vec<VersionView>,
}

#[derive(Debug, Serialize)]
struct VersionView {
    id: String,
    name: String,
    /// Its first step.
    url: String,
    /// All its steps on one page, unless something else is there.
    print: Option<String>,
    steps: usize,
    /// The time for all steps.
    minutes: u32,
    /// The id of its place in the overview.
    anchor: String,
    /// Steps that only others have.
    missing: Vec<MissingStep>,
}

#[derive(Debug, Serialize)]
struct MissingStep {
    title: String,
    /// The id of the place where the overview says so.
    anchor: String,
    /// Names of the platforms that have it.
    platforms: Vec<String>,
}

#[derive(Debug, Serialize)]
struct RowView {
    /// What to call the steps from here on, where another section begins; else empty.
    section: String,
    title: String,
    /// What the step is called on every platform.
    name: String,
    /// The least and the most that a platform takes, or one number for all.
    minutes: Vec<u32>,
    cells: Vec<Option<Link>>,
}

/// The place on the overview that is about a platform.
fn platform_anchor(platform: &Platform) -> String {
    format!("platform-{}", slug_of(&platform.id))
}

/// Where the overview says that a platform lacks a step.
pub(super) fn missing_anchor(platform: &Platform, step: &str) -> String {
    format!("{}-without-{step}", platform_anchor(platform))
}

impl Renderer<'_> {
    pub(super) fn overview_view(
        &self,
        address: &Address,
        family: FamilyId,
        id: Option<DocumentId>,
    ) -> OverviewView {
        let title = &self.site.families[family].title;
        let names = self.families.step_names(family);
        let mut last = String::new();
        let sections: IndexVec<PlatformIx, _> =
            self.site.families[family].platforms.iter().map(Platform::sections).collect();
        let mut section = |row: &Row| {
            let Some(place) = self.site.place(row.first()) else { return String::new() };
            let section = sections[place.platform][place.step];
            let is_new = std::mem::replace(&mut last, section.to_string()) != section;
            match (is_new, section) {
                (false, _) => String::new(),
                (true, "") => title.clone(),
                (true, section) => self.section_title(place, section),
            }
        };
        let rows = self.families.rows(family).iter().zip(names).map(|(row, name)| RowView {
            section: section(row),
            name: name.clone(),
            title: self.link(row.first()).title,
            minutes: self.minutes_of(row),
            cells: row.steps.iter().map(|step| step.map(|step| self.link(step))).collect(),
        });
        OverviewView {
            page: self.own_or(address, id, || title.clone()),
            body: id.map_or_else(String::new, |id| self.body(id)),
            family: self.family_view(family),
            rows: rows.collect(),
            compare: self.beside(family, "compare/", &Artifact::Compare { family }),
            data: self.data_links(family),
        }
    }

    fn minutes_of(&self, row: &Row) -> Vec<u32> {
        let minutes: BTreeSet<u32> = row.steps.iter().flatten().map(|&step| self.minutes(&[step])).collect();
        let ends: BTreeSet<u32> = minutes.first().into_iter().chain(minutes.last()).copied().collect();
        ends.into_iter().collect()
    }

    /// The time for some steps: the duration in their front matter, or else the estimate from their texts.
    pub(super) fn minutes(&self, steps: &[DocumentId]) -> u32 {
        let of = |&id: &DocumentId| {
            self.site.document(id).front.duration.unwrap_or_else(|| self.pages.minutes(id))
        };
        whole_minutes(steps.iter().map(of).sum())
    }

    /// The files that are published for this family, without those that an author replaced.
    fn data_links(&self, family: FamilyId) -> Vec<Link> {
        let files = [
            (Word::DataSettingsCsv, "settings.csv", Artifact::Spreadsheet { family }),
            (Word::DataSettingsJson, "settings.json", Artifact::Data { family, data: Data::Settings }),
            (Word::DataFamily, "family.json", Artifact::Data { family, data: Data::Family }),
        ];
        let link = |(title, name, artifact): (Word, &str, Artifact)| {
            let url = self.beside(family, name, &artifact)?;
            Some(Link { title: self.words.get(title).to_string(), url })
        };
        files.into_iter().filter_map(link).collect()
    }

    /// The link to what is published beside the overview, if it is `artifact`.
    fn beside(&self, family: FamilyId, name: &str, artifact: &Artifact) -> Option<String> {
        let address = Address::new(&format!("{}{name}", self.site.families[family].address));
        (self.map.get(&address) == Some(artifact)).then(|| self.url(&address))
    }

    pub(super) fn family_view(&self, family: FamilyId) -> FamilyView {
        let its = &self.site.families[family];
        let version = |(index, platform): (PlatformIx, &Platform)| {
            let first = platform.steps.first();
            VersionView {
                id: platform.id.clone(),
                name: platform.name.clone(),
                url: first.map_or_else(|| self.url(&its.address), |&step| self.link(step).url),
                print: match self.map.get(&platform.print()) {
                    Some(Artifact::Print { .. }) => Some(self.url(&platform.print())),
                    _ => None,
                },
                steps: platform.steps.len(),
                minutes: self.minutes(&platform.steps),
                anchor: platform_anchor(platform),
                missing: self.missing_steps(family, index),
            }
        };
        FamilyView {
            id: its.id.clone(),
            title: its.title.clone(),
            url: self.url(&its.address),
            platforms: its.platforms.indexed().map(version).collect(),
        }
    }

    /// Everything on the overview that a link can lead to, but for its text.
    pub(super) fn overview_anchors(&self, family: FamilyId) -> Vec<String> {
        let platforms = self.site.families[family].platforms.indexed();
        let anchors = platforms.flat_map(|(index, platform)| {
            let missing = self.missing_steps(family, index).into_iter().map(|step| step.anchor);
            std::iter::once(platform_anchor(platform)).chain(missing)
        });
        anchors.collect()
    }

    fn missing_steps(&self, family: FamilyId, platform: PlatformIx) -> Vec<MissingStep> {
        let platforms = &self.site.families[family].platforms;
        let rows = self.families.rows(family).iter().zip(self.families.step_names(family));
        let missing = rows.filter(|(row, _)| row.steps[platform].is_none()).map(|(row, name)| {
            let versions = platforms.iter().zip(&row.steps).filter(|(_, step)| step.is_some());
            MissingStep {
                title: self.link(row.first()).title,
                anchor: missing_anchor(&platforms[platform], name),
                platforms: versions.map(|(platform, _)| platform.name.clone()).collect(),
            }
        });
        missing.collect()
    }
}
