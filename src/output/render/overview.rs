//! View of `overview.html`, and data about families for other pages.

use serde::Serialize;

use super::Renderer;
use super::course::CourseView;
use super::platforms::{PlatformSummary, missing_anchor, platform_anchor};
use super::section::Entry;
use super::view::{Link, PageView, whole_minutes};
use base::address::Address;
use base::diagnostic::Diagnostic;
use input::words::Word;
use site::content::{DocumentId, FamilyId};
use site::plan::{Artifact, Data};

/// `overview.html`
#[derive(Debug, Serialize)]
pub(super) struct OverviewView {
    page: PageView,
    /// Title and first paragraph of the text, which precede the platforms, and the rest.
    intro: String,
    body: String,
    family: FamilyView,
    /// The steps of each platform.
    courses: Vec<CourseView>,
    /// Link to the comparison of the platforms.
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
    platforms: Vec<PlatformSummary>,
}

impl Renderer<'_> {
    pub(super) fn overview_view(
        &self,
        address: &Address,
        family: FamilyId,
        id: Option<DocumentId>,
    ) -> Result<OverviewView, Diagnostic> {
        let title = &self.site.families[family].title;
        let (intro, body) = self.intro_and_rest(id)?;
        let names = || self.site.families[family].platform_names();
        Ok(OverviewView {
            page: self
                .own_or(address, id, || title.clone())
                .or_described(|| Some(format!("{title}: {}", names()))),
            intro,
            body,
            family: self.family_view(family),
            courses: self.courses(family, self.versions(family)),
            compare: self.compare_url(family),
            data: self.data_links(family),
            contents: self.contents(address, id),
        })
    }

    /// Returns the time for some steps: the duration in their front matter, or else an estimate from their texts.
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

    /// Returns the link to the comparison of the platforms, if there is one.
    pub(super) fn compare_url(&self, family: FamilyId) -> Option<String> {
        self.beside(family, "compare/", &Artifact::Compare { family })
    }

    pub(super) fn family_view(&self, family: FamilyId) -> FamilyView {
        let its = &self.site.families[family];
        FamilyView {
            id: its.id.clone(),
            title: its.name.clone(),
            description: self.family_description(family),
            url: self.url(&its.address),
            steps: self.families.rows(family).len(),
            platforms: self.versions(family),
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
