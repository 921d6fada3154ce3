//! What each template is given: one type per template, and never the whole site.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::Walk;
use super::plan::Artifact;
use crate::content::{Address, DocumentId, Family, Place, Platform};

/// What every template is given.
#[derive(Debug, Serialize)]
pub(super) struct SiteView {
    title: String,
    language: String,
    /// Links to the home page and to what this program publishes beside pages.
    home: String,
    assets: String,
    generator: &'static str,
}

/// The page itself.
#[derive(Debug, Default, Serialize)]
pub(super) struct PageView {
    title: String,
    description: Option<String>,
    /// Link to the page, and its absolute URL where the site's host is known.
    url: String,
    canonical: Option<String>,
    draft: bool,
    /// Whole minutes.
    duration: Option<u32>,
    /// Whether the body begins with the title, so that the template leaves it out.
    titled: bool,
    /// Keys of the front matter that this program does not know.
    extra: BTreeMap<String, Value>,
}

#[derive(Debug, Serialize)]
pub(super) struct Link {
    title: String,
    url: String,
}

#[derive(Debug, Serialize)]
struct StepLink {
    title: String,
    url: String,
    current: bool,
}

#[derive(Debug, Serialize)]
struct PlatformLink {
    id: String,
    name: String,
    /// The same step, or the platform's first one where it lacks the step.
    url: String,
    current: bool,
    missing: bool,
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
    site: SiteView,
    page: PageView,
    body: String,
    family: Link,
    platform: PlatformName,
    platforms: Vec<PlatformLink>,
    steps: Vec<StepLink>,
    /// Position among the steps, from 1.
    position: usize,
    previous: Option<Link>,
    next: Option<Link>,
    toc: Vec<Section>,
}

#[derive(Debug, Serialize)]
struct PlatformName {
    id: String,
    name: String,
}

/// `page.html` and `404.html`
#[derive(Debug, Serialize)]
pub(super) struct PlainView {
    site: SiteView,
    page: PageView,
    body: String,
    toc: Vec<Section>,
}

/// `home.html`
#[derive(Debug, Serialize)]
pub(super) struct HomeView {
    site: SiteView,
    page: PageView,
    body: String,
    families: Vec<FamilyView>,
}

#[derive(Debug, Serialize)]
struct FamilyView {
    title: String,
    url: String,
    platforms: Vec<TellingView>,
}

#[derive(Debug, Serialize)]
struct TellingView {
    id: String,
    name: String,
    /// Its first step.
    url: String,
    steps: usize,
}

/// `overview.html`
#[derive(Debug, Serialize)]
pub(super) struct OverviewView {
    site: SiteView,
    page: PageView,
    body: String,
    family: FamilyView,
    /// Steps by platforms; a cell is the step's link or nothing.
    rows: Vec<RowView>,
}

#[derive(Debug, Serialize)]
struct RowView {
    title: String,
    cells: Vec<Option<Link>>,
}

/// `redirect.html`
#[derive(Debug, Serialize)]
pub(super) struct RedirectView {
    site: SiteView,
    title: String,
    url: String,
}

/// `sitemap.xml`
#[derive(Debug, Serialize)]
pub(super) struct SitemapView {
    urls: Vec<String>,
}

/// Readers plan by the minute; what cannot be a duration saturates.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, which is what is wanted"
)]
fn whole_minutes(duration: f64) -> u32 {
    duration.round() as u32
}

impl Walk {
    pub(super) fn step_view(&self, address: &Address, id: DocumentId, place: Place) -> StepView {
        let family = self.site.family_of(place);
        let platform = self.site.platform_of(place);
        let (previous, next) = self.site.neighbours(place);
        let steps = platform.steps.iter().map(|&step| {
            let Link { title, url } = self.link(step);
            StepLink { title, url, current: step == id }
        });
        StepView {
            site: self.site_view(),
            page: self.page_view(address, id),
            body: self.body(id),
            family: Link { title: family.title.clone(), url: self.url(&family.address) },
            platform: PlatformName { id: platform.id.clone(), name: platform.name.clone() },
            platforms: self.switcher(place),
            steps: steps.collect(),
            position: place.step + 1,
            previous: previous.map(|step| self.link(step)),
            next: next.map(|step| self.link(step)),
            toc: self.toc(id),
        }
    }

    pub(super) fn plain_view(&self, address: &Address, id: DocumentId) -> PlainView {
        PlainView {
            site: self.site_view(),
            page: self.page_view(address, id),
            body: self.body(id),
            toc: self.toc(id),
        }
    }

    pub(super) fn not_found_view(&self) -> PlainView {
        let page = PageView {
            title: "Page not found".into(),
            url: self.url(&Address::new("/404.html")),
            ..PageView::default()
        };
        PlainView { site: self.site_view(), page, body: String::new(), toc: Vec::new() }
    }

    pub(super) fn home_view(&self, address: &Address, id: Option<DocumentId>) -> HomeView {
        HomeView {
            site: self.site_view(),
            page: self.own_or(address, id, || self.site_title()),
            body: id.map_or_else(String::new, |id| self.body(id)),
            families: self.site.families.iter().map(|family| self.family_view(family)).collect(),
        }
    }

    pub(super) fn overview_view(
        &self,
        address: &Address,
        family: usize,
        id: Option<DocumentId>,
    ) -> OverviewView {
        let told = &self.site.families[family];
        let rows = self.families.rows(family).iter().map(|row| RowView {
            title: self.link(row.first()).title,
            cells: row.steps.iter().map(|step| step.map(|step| self.link(step))).collect(),
        });
        OverviewView {
            site: self.site_view(),
            page: self.own_or(address, id, || told.title.clone()),
            body: id.map_or_else(String::new, |id| self.body(id)),
            family: self.family_view(told),
            rows: rows.collect(),
        }
    }

    pub(super) fn redirect_view(&self, to: &str, from: DocumentId) -> RedirectView {
        let document = self.site.document(from);
        let url = self.resolver().href(document, to);
        RedirectView { site: self.site_view(), title: document.title.clone(), url }
    }

    /// Every page that readers are meant to find.
    pub(super) fn sitemap_view(&self) -> SitemapView {
        let is_page = |artifact: &Artifact| {
            matches!(artifact, Artifact::Page(_) | Artifact::Home(_) | Artifact::Overview { .. })
        };
        let pages = self.plan.artifacts().filter(|(_, artifact)| is_page(artifact));
        let urls = pages.map(|(address, _)| self.canonical(address).unwrap_or_else(|| self.url(address)));
        SitemapView { urls: urls.collect() }
    }

    fn site_view(&self) -> SiteView {
        SiteView {
            title: self.site_title(),
            language: self.site.config.language.clone(),
            home: self.url(&Address::new("/")),
            assets: self.url(&Address::new("/_stepkin/")),
            generator: concat!("stepkin ", env!("CARGO_PKG_VERSION")),
        }
    }

    /// The configured title, else the home page's.
    pub(super) fn site_title(&self) -> String {
        let home = || match self.plan.get(&Address::new("/")) {
            Some(Artifact::Home(Some(id))) => Some(self.site.document(*id).title.clone()),
            _ => None,
        };
        self.site.config.title.clone().or_else(home).unwrap_or_else(|| "Tutorials".into())
    }

    fn page_view(&self, address: &Address, id: DocumentId) -> PageView {
        let document = self.site.document(id);
        let opening = self.pages[id].headings.first().filter(|heading| heading.level == 1);
        let title = crate::markdown::repair(&document.title).into_owned();
        PageView {
            titled: opening.is_some_and(|heading| heading.text == title),
            title,
            description: document.front.description.clone(),
            url: self.url(address),
            canonical: self.canonical(address),
            draft: document.front.draft,
            duration: document.front.duration.map(whole_minutes),
            extra: document.front.extra.clone(),
        }
    }

    /// The page's own view, or that of a page made from the site alone.
    fn own_or(&self, address: &Address, id: Option<DocumentId>, title: impl Fn() -> String) -> PageView {
        match id {
            Some(id) => self.page_view(address, id),
            None => PageView {
                title: title(),
                url: self.url(address),
                canonical: self.canonical(address),
                ..PageView::default()
            },
        }
    }

    fn family_view(&self, family: &Family) -> FamilyView {
        let telling = |platform: &Platform| TellingView {
            id: platform.id.clone(),
            name: platform.name.clone(),
            url: platform
                .steps
                .first()
                .map_or_else(|| self.url(&family.address), |&step| self.link(step).url),
            steps: platform.steps.len(),
        };
        FamilyView {
            title: family.title.clone(),
            url: self.url(&family.address),
            platforms: family.platforms.iter().map(telling).collect(),
        }
    }

    fn switcher(&self, place: Place) -> Vec<PlatformLink> {
        let family = self.site.family_of(place);
        let siblings = self.families.siblings(&self.site, place);
        let links = family.platforms.iter().zip(siblings).enumerate().map(|(index, (platform, sibling))| {
            let target = sibling.or_else(|| platform.steps.first().copied());
            PlatformLink {
                id: platform.id.clone(),
                name: platform.name.clone(),
                url: target.map_or_else(|| self.url(&family.address), |step| self.link(step).url),
                current: index == place.platform,
                missing: sibling.is_none(),
            }
        });
        links.collect()
    }

    fn toc(&self, id: DocumentId) -> Vec<Section> {
        let sections = self.pages[id].headings.iter().filter(|heading| matches!(heading.level, 2 | 3));
        sections
            .map(|heading| Section {
                text: heading.text.clone(),
                id: heading.id.clone(),
                level: heading.level,
            })
            .collect()
    }

    fn link(&self, id: DocumentId) -> Link {
        let document = self.site.document(id);
        Link {
            title: crate::markdown::repair(&document.title).into_owned(),
            url: self.url(&document.address),
        }
    }

    fn url(&self, address: &Address) -> String {
        self.resolver().url(address)
    }

    fn canonical(&self, address: &Address) -> Option<String> {
        self.site.config.origin().map(|origin| format!("{origin}{}", self.url(address)))
    }
}
