//! View of `overview.html`, and data about families for other pages.

use serde::Serialize;

use super::section::Entry;
use super::title::count_unnumbered;
use super::view::{Link, PageView, whole_minutes};
use super::{Renderer, colours};
use crate::base::address::{Address, slug_of};
use crate::base::index::IndexVec;
use crate::input::words::Word;
use crate::site::content::{DocumentId, FamilyId, Platform, PlatformIx};
use crate::site::family::Row;
use crate::site::plan::{Artifact, Data};

/// `overview.html`
#[derive(Debug, Serialize)]
pub(super) struct OverviewView {
    page: PageView,
    /// Title and first paragraph of the text, which precede the platforms, and the rest.
    intro: String,
    body: String,
    family: FamilyView,
    /// Steps by platform.
    rows: Vec<RowView>,
    /// Link to the comparison.
    compare: Option<String>,
    /// Files for programs.
    data: Vec<Link>,
    /// The pages in its folder that aren't steps.
    contents: Vec<Entry>,
}

#[derive(Debug, Serialize)]
pub(super) struct FamilyView {
    id: String,
    title: String,
    description: Option<String>,
    url: String,
    /// Number of distinct steps on all platforms.
    steps: usize,
    platforms: Vec<VersionView>,
}

#[derive(Debug, Serialize)]
struct VersionView {
    id: String,
    name: String,
    colour: usize,
    /// Its first step.
    url: String,
    /// Page with all of its steps, if that is published.
    print: Option<String>,
    steps: usize,
    /// Time for all steps.
    minutes: u32,
    /// ID of its location in the overview.
    anchor: String,
    /// Number of steps that it lacks.
    lacks: usize,
}

#[derive(Debug, Serialize)]
struct RowView {
    /// Title of the section that begins here. Otherwise, empty.
    section: String,
    title: String,
    /// The title without its number, and the number. See `title.rs`.
    bare_title: String,
    number: String,
    /// The name of the step on every platform.
    name: String,
    cells: Vec<CellView>,
}

/// A step on one platform. A missing one has neither link nor minutes.
#[derive(Debug, Serialize)]
struct CellView {
    /// ID of the text that the platform lacks the step. Otherwise, empty.
    anchor: String,
    url: String,
    minutes: u32,
    /// Its title without number, if it differs from the row's.
    title: Option<String>,
}

/// Returns the anchor of a platform in the overview.
fn platform_anchor(platform: &Platform) -> String {
    format!("platform-{}", slug_of(&platform.id))
}

/// Returns the anchor of a missing step in the overview.
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
        let rows = self.families.rows(family).iter().zip(names).map(|(row, name)| {
            let title = self.link(row.first()).title;
            let numbered = self.numbered(&title);
            let cells =
                row.steps.indexed().map(|(at, &step)| self.cell(family, at, (name, numbered.bare), step));
            RowView {
                section: section(row),
                name: name.clone(),
                bare_title: numbered.bare.to_string(),
                number: numbered.number.to_string(),
                cells: cells.collect(),
                title: title.clone(),
            }
        });
        let mut rows: Vec<RowView> = rows.collect();
        count_unnumbered(&mut rows, |row| &mut row.number);
        let (intro, body) = self.intro_and_rest(id);
        let names = || self.site.families[family].platform_names();
        OverviewView {
            page: self
                .own_or(address, id, || title.clone())
                .or_described(|| Some(format!("{title}: {}", names()))),
            intro,
            body,
            family: self.family_view(family),
            rows,
            compare: self.beside(family, "compare/", &Artifact::Compare { family }),
            data: self.data_links(family),
            contents: self.contents(address, id),
        }
    }

    /// Returns the cell of a step on a platform, by its name and title.
    fn cell(
        &self,
        family: FamilyId,
        at: PlatformIx,
        (name, title): (&str, &str),
        step: Option<DocumentId>,
    ) -> CellView {
        let Some(step) = step else {
            let anchor = missing_anchor(&self.site.families[family].platforms[at], name);
            return CellView { anchor, url: String::new(), minutes: 0, title: None };
        };
        let link = self.link(step);
        let own = self.numbered(&link.title).bare;
        let title = (own != title).then(|| own.to_string());
        CellView { anchor: String::new(), url: link.url, minutes: self.minutes(&[step]), title }
    }

    /// Returns the time for some steps: the duration in their front matter, or else the estimate.
    pub(super) fn minutes(&self, steps: &[DocumentId]) -> u32 {
        let of = |&id: &DocumentId| {
            self.site.document(id).front.duration.unwrap_or_else(|| self.pages.minutes(id))
        };
        whole_minutes(steps.iter().map(of).sum())
    }

    /// Returns the files that are published for this family, except those that an author replaced.
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

    /// Returns the link to a file next to the overview, if it is `artifact`.
    fn beside(&self, family: FamilyId, name: &str, artifact: &Artifact) -> Option<String> {
        let address = Address::new(&format!("{}{name}", self.site.families[family].address));
        (self.map.get(&address) == Some(artifact)).then(|| self.url(&address))
    }

    pub(super) fn family_view(&self, family: FamilyId) -> FamilyView {
        let its = &self.site.families[family];
        let (colours, rows) = (colours::of(its), self.families.rows(family));
        let version = |(index, platform): (PlatformIx, &Platform)| {
            let first = platform.steps.first();
            VersionView {
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
                lacks: rows.iter().filter(|row| row.steps[index].is_none()).count(),
            }
        };
        FamilyView {
            id: its.id.clone(),
            title: its.name.clone(),
            description: self.family_description(family),
            url: self.url(&its.address),
            steps: rows.len(),
            platforms: its.platforms.indexed().map(version).collect(),
        }
    }

    /// Returns the anchors of the overview, except those in its text.
    pub(super) fn overview_anchors(&self, family: FamilyId) -> Vec<String> {
        let platforms = self.site.families[family].platforms.indexed();
        let anchors = platforms.flat_map(|(index, platform)| {
            let rows = self.families.rows(family).iter().zip(self.families.step_names(family));
            let missing = rows.filter(move |(row, _)| row.steps[index].is_none());
            let missing = missing.map(move |(_, name)| missing_anchor(platform, name));
            std::iter::once(platform_anchor(platform)).chain(missing)
        });
        anchors.collect()
    }

    fn family_description(&self, family: FamilyId) -> Option<String> {
        match self.map.get(&self.site.families[family].address) {
            Some(Artifact::Overview { page: Some(page), .. }) => {
                self.site.document(*page).front.description.clone()
            }
            _ => None,
        }
    }
}
