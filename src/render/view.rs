//! The contexts of the templates: one type per template.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

use super::Renderer;
use super::steps::Item;
use crate::address::{self, Address, encode, slug_of};
use crate::content::{DocumentId, FamilyId, Place, Platform, PlatformIx};
use crate::family::Row;
use crate::index::IndexVec;
use crate::markdown::{HeadingIx, ReferenceKind, repair};
use crate::plan::{Artifact, Data, Destination, sitemap_path};
use crate::url::encoded;
use crate::words::Word;

/// The page itself.
#[derive(Debug, Default, Serialize)]
pub(super) struct PageView {
    title: String,
    description: Option<String>,
    /// The file that its text is in, below the site's root; for a link that edits it.
    source: Option<String>,
    /// Link to the page, and its absolute URL where the site's host is known.
    url: String,
    canonical: Option<String>,
    /// Link to the page as Markdown.
    markdown: Option<String>,
    /// `website` for the first page, `article` for others, nothing for what is no page (Open Graph).
    kind: Option<&'static str>,
    /// The absolute URL of its first picture, where the site's host is known.
    image: Option<String>,
    /// Where its file can be edited, and the day of its last change, `2027-01-31`, where these are configured.
    edit: Option<String>,
    changed: Option<String>,
    /// From the home page to the one above this.
    breadcrumbs: Vec<Link>,
    /// The same with this page as JSON-LD, fit for a script element.
    breadcrumbs_json: Option<String>,
    draft: bool,
    /// Whole minutes.
    duration: Option<u32>,
    /// Whether the body begins with the title, so that the template leaves it out.
    titled: bool,
    /// Keys of the front matter that this program does not know.
    extra: BTreeMap<String, Value>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Link {
    pub(super) title: String,
    pub(super) url: String,
}

/// <https://schema.org/BreadcrumbList>
#[derive(Debug, Serialize)]
struct CrumbList<'a> {
    #[serde(rename = "@context")]
    context: &'a str,
    #[serde(rename = "@type")]
    kind: &'a str,
    #[serde(rename = "itemListElement")]
    items: Vec<Crumb<'a>>,
}

#[derive(Debug, Serialize)]
struct Crumb<'a> {
    #[serde(rename = "@type")]
    kind: &'a str,
    item: String,
    name: &'a str,
    /// From 1.
    position: usize,
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
struct Section {
    text: String,
    id: String,
    level: u8,
}

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
pub(super) struct PlatformName {
    pub(super) id: String,
    pub(super) name: String,
}

/// `steps.html`
#[derive(Debug, Serialize)]
pub(super) struct StepsView {
    family: Link,
    platform: PlatformView,
    steps: Vec<Item>,
}

#[derive(Debug, Serialize)]
struct PlatformView {
    id: String,
    name: String,
    /// How many it has.
    steps: usize,
}

/// `page.html` and `404.html`
#[derive(Debug, Serialize)]
pub(super) struct PlainView {
    page: PageView,
    body: String,
    toc: Vec<Section>,
}

/// `home.html`
#[derive(Debug, Serialize)]
pub(super) struct HomeView {
    page: PageView,
    body: String,
    families: Vec<FamilyView>,
}

#[derive(Debug, Serialize)]
struct FamilyView {
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

/// `redirect.html`
#[derive(Debug, Serialize)]
pub(super) struct RedirectView {
    title: String,
    url: String,
}

/// `sitemap.xml`
#[derive(Debug, Serialize)]
pub(super) struct SitemapView {
    urls: Vec<SitemapUrl>,
}

/// `sitemap-index.xml`
#[derive(Debug, Serialize)]
pub(super) struct SitemapIndexView {
    urls: Vec<String>,
}

#[derive(Debug, Serialize)]
struct SitemapUrl {
    url: String,
    changed: Option<String>,
}

impl PageView {
    /// A page that readers are not meant to find or share.
    pub(super) fn plain(title: String, url: String) -> Self {
        Self { title, url, ..Self::default() }
    }
}

/// The place on the overview that is about a platform.
fn platform_anchor(platform: &Platform) -> String {
    format!("platform-{}", slug_of(&platform.id))
}

/// Where the overview says that a platform lacks a step.
fn missing_anchor(platform: &Platform, step: &str) -> String {
    format!("{}-without-{step}", platform_anchor(platform))
}

/// Rounded to a whole minute, one at least; what cannot be a duration saturates.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, which is what is wanted"
)]
fn whole_minutes(duration: f64) -> u32 {
    (duration.round() as u32).max(1)
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

    pub(super) fn steps_view(&self, place: Place) -> StepsView {
        let family = self.site.family_of(place);
        let mut last = "";
        let sections = self.site.platform_of(place).sections();
        let steps = self.site.platform_of(place).steps.indexed().map(|(step, &id)| {
            let name = self.families.step_name(Place { step, ..place });
            let place = Place { step, ..place };
            let is_new = std::mem::replace(&mut last, sections[step]) != sections[step];
            let section = if is_new { self.section_title(place, sections[step]) } else { String::new() };
            Item::new(step, name.to_string(), section, self.link(id))
        });
        StepsView {
            family: Link { title: family.title.clone(), url: self.url(&family.address) },
            platform: self.platform_view(place),
            steps: steps.collect(),
        }
    }

    /// What a section of a platform is called: as its own page, else by its folder. Steps in no section are the
    /// platform's.
    fn section_title(&self, place: Place, section: &str) -> String {
        let platform = self.site.platform_of(place);
        let own = platform.keys.position(|key| key.as_str() == section && !section.is_empty());
        match (own, section.rsplit('/').next()) {
            (Some(step), _) => self.link(platform.steps[step]).title,
            (None, Some(name)) if !name.is_empty() => address::words(name),
            (None, _) => platform.name.clone(),
        }
    }

    pub(super) fn plain_view(&self, address: &Address, id: DocumentId) -> PlainView {
        PlainView { page: self.page_view(address, id), body: self.body(id), toc: self.toc(id) }
    }

    pub(super) fn not_found_view(&self) -> PlainView {
        let page =
            PageView::plain(self.words.get(Word::NotFound).into(), self.url(&Address::new("/404.html")));
        PlainView { page, body: String::new(), toc: Vec::new() }
    }

    pub(super) fn home_view(&self, address: &Address, id: Option<DocumentId>) -> HomeView {
        HomeView {
            page: self.own_or(address, id, || self.project.site_title()),
            body: id.map_or_else(String::new, |id| self.body(id)),
            families: (self.site.families.indices().collect::<Vec<_>>())
                .into_par_iter()
                .map(|family| self.family_view(family))
                .collect(),
        }
    }

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
    fn minutes(&self, steps: &[DocumentId]) -> u32 {
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

    pub(super) fn redirect_view(&self, to: &str, from: DocumentId) -> RedirectView {
        let document = self.site.document(from);
        let url = encoded(&self.resolver().href(document, to));
        RedirectView { title: document.title.clone(), url }
    }

    /// The pages of one part of the sitemap, `most` in each.
    pub(super) fn sitemap_view(&self, part: usize, most: usize) -> SitemapView {
        let urls = self.project.plan.pages().skip(part * most).take(most).map(|address| SitemapUrl {
            url: self.canonical(address).unwrap_or_else(|| self.url(address)),
            changed: self
                .map
                .get(address)
                .and_then(Artifact::document)
                .and_then(|id| self.project.last_change(id))
                .map(|day| day.to_string()),
        });
        SitemapView { urls: urls.collect() }
    }

    pub(super) fn sitemap_index_view(&self, parts: usize) -> SitemapIndexView {
        let url = |part: usize| {
            let address = Address::new(&sitemap_path(part));
            self.canonical(&address).unwrap_or_else(|| self.url(&address))
        };
        SitemapIndexView { urls: (0..parts).map(url).collect() }
    }

    fn page_view(&self, address: &Address, id: DocumentId) -> PageView {
        let document = self.site.document(id);
        PageView {
            titled: self.work.is_titled(id),
            description: document.front.description.clone(),
            source: Some(document.path.to_string()),
            image: self.first_picture(id),
            edit: self
                .site
                .config
                .edit_url
                .as_ref()
                .map(|url| url.replace("{path}", &encode(document.path.as_str()))),
            changed: self.project.last_change(id).map(|day| day.to_string()),
            draft: document.front.draft,
            duration: document.front.duration.map(whole_minutes),
            extra: document.front.extra.clone(),
            ..self.made_view(address, repair(&document.title).into_owned(), Some(id))
        }
    }

    /// What is known of every page, with a text of its own or without.
    fn made_view(&self, address: &Address, title: String, id: Option<DocumentId>) -> PageView {
        let breadcrumbs = self.breadcrumbs(address, id);
        let twin = address.twin();
        PageView {
            url: self.url(address),
            canonical: self.canonical(address),
            markdown: self.map.get(&twin).map(|_| self.url(&twin)),
            kind: Some(if address.as_str() == "/" { "website" } else { "article" }),
            breadcrumbs_json: self.breadcrumbs_json(&breadcrumbs, &title, address),
            breadcrumbs: breadcrumbs.into_iter().map(|(link, _)| link).collect(),
            title,
            ..PageView::default()
        }
    }

    fn first_picture(&self, id: DocumentId) -> Option<String> {
        let images = self.pages[id].references.iter().filter(|it| it.kind == ReferenceKind::Image);
        let first =
            images.map(|image| self.resolver().resolve(self.site.document(id), &image.target)).next()?;
        match first {
            Destination::Here(here) => self.canonical(here.address),
            _ => None,
        }
    }

    /// Home, family and platform of a step; for other pages those in the folders above.
    fn breadcrumbs(&self, address: &Address, id: Option<DocumentId>) -> Vec<(Link, Address)> {
        let crumb = |title: String, to: &Address| (Link { title, url: self.url(to) }, to.clone());
        let home = Address::new("/");
        let mut crumbs = Vec::new();
        if *address != home {
            crumbs.push(crumb(self.project.site_title(), &home));
        }
        if let Some(place) = id.and_then(|id| self.site.place(id)) {
            let family = self.site.family_of(place);
            let platform = self.site.platform_of(place);
            if family.address != home {
                crumbs.push(crumb(family.title.clone(), &family.address));
            }
            // A platform's folder may have a page; where it has none the first step is linked.
            let folder = platform.folder();
            let has_page = self.map.get(&folder).is_some_and(Artifact::is_page);
            let first = platform.steps.first().map(|&step| self.site.document(step).address.clone());
            let to = if has_page || first.is_none() { folder } else { first.unwrap_or(folder) };
            crumbs.push(crumb(platform.name.clone(), &to));
            return crumbs;
        }
        let above = self.project.pages_above(self.map, address).into_iter().rev();
        crumbs.extend(above.map(|(title, folder)| crumb(title, &folder)));
        crumbs
    }

    /// <https://schema.org/BreadcrumbList>. It is in a script element that is data and is never run, so a
    /// strict content security policy lets it be; no `<` in it can end that element.
    fn breadcrumbs_json(&self, above: &[(Link, Address)], title: &str, address: &Address) -> Option<String> {
        if above.is_empty() {
            return None;
        }
        let above = above.iter().map(|(link, address)| (link.title.as_str(), address));
        let items = (1..).zip(above.chain([(title, address)])).map(|(position, (name, address))| Crumb {
            kind: "ListItem",
            item: self.canonical(address).unwrap_or_else(|| self.url(address)),
            name,
            position,
        });
        let list =
            CrumbList { context: "https://schema.org", kind: "BreadcrumbList", items: items.collect() };
        let json = serde_json::to_string(&list).expect("texts and numbers are JSON");
        Some(json.replace('<', "\\u003c"))
    }

    /// The page's own view, or that of a page made from the site alone.
    pub(super) fn own_or(
        &self,
        address: &Address,
        id: Option<DocumentId>,
        title: impl Fn() -> String,
    ) -> PageView {
        match id {
            Some(id) => self.page_view(address, id),
            None => self.made_view(address, title(), None),
        }
    }

    fn family_view(&self, family: FamilyId) -> FamilyView {
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

    fn platform_view(&self, place: Place) -> PlatformView {
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

    fn toc(&self, id: DocumentId) -> Vec<Section> {
        let headings = self.pages[id].headings.indexed();
        headings
            .map(|(at, heading)| Section {
                text: heading.text.clone(),
                id: heading.id.clone(),
                level: self.work.shown_level(id, at),
            })
            .filter(|section| matches!(section.level, 2 | 3))
            .collect()
    }

    pub(super) fn link(&self, id: DocumentId) -> Link {
        let document = self.site.document(id);
        Link { title: repair(&document.title).into_owned(), url: self.url(&document.address) }
    }

    pub(super) fn url(&self, address: &Address) -> String {
        self.resolver().url(address)
    }

    pub(super) fn canonical(&self, address: &Address) -> Option<String> {
        self.site.config.origin().map(|origin| format!("{origin}{}", self.project.resolver().url(address)))
    }
}
