//! Descriptions of pages for search engines, as JSON-LD.
//!
//! They are in script elements of data, which are never run, so a strict content security policy allows them.

use serde::Serialize;

use super::Renderer;
use super::view::{Link, whole_minutes};
use base::address::Address;
use markup::markdown::repair;
use site::content::DocumentId;

const CONTEXT: &str = "https://schema.org";

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
    /// Counted from 1.
    position: usize,
}

/// <https://schema.org/TechArticle>
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Article<'a> {
    #[serde(rename = "@context")]
    context: &'a str,
    #[serde(rename = "@type")]
    kind: &'a str,
    headline: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    in_language: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_modified: Option<String>,
    /// An ISO 8601 duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_required: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_part_of: Option<Tutorial<'a>>,
}

/// The tutorial of a step: <https://schema.org/CreativeWork>
#[derive(Debug, Serialize)]
struct Tutorial<'a> {
    #[serde(rename = "@type")]
    kind: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

impl Renderer<'_> {
    /// Returns the breadcrumbs with the page itself. A folder without a page is omitted.
    pub(super) fn breadcrumbs_json(
        &self,
        above: &[(Link, Address)],
        title: &str,
        address: &Address,
    ) -> Option<String> {
        if above.is_empty() {
            return None;
        }
        let above = above.iter().filter(|(link, _)| !link.url.is_empty());
        let above = above.map(|(link, address)| (link.title.as_str(), address));
        let items = (1..).zip(above.chain([(title, address)])).map(|(position, (name, address))| Crumb {
            kind: "ListItem",
            item: self.canonical(address).unwrap_or_else(|| self.url(address)),
            name,
            position,
        });
        Some(json(&CrumbList { context: CONTEXT, kind: "BreadcrumbList", items: items.collect() }))
    }

    /// Returns the description of a page's text, or `None` for the home page and if the site's host isn't known.
    pub(super) fn article_json(
        &self,
        address: &Address,
        id: DocumentId,
        description: Option<&str>,
        image: Option<&str>,
    ) -> Option<String> {
        if address.as_str() == "/" {
            return None;
        }
        let (document, url) = (self.site.document(id), self.canonical(address)?);
        let tutorial = self.site.place(id).map(|place| {
            let family = self.site.family_of(place);
            let url = self.canonical(&family.address);
            Tutorial { kind: "CreativeWork", name: &family.title, url }
        });
        Some(json(&Article {
            context: CONTEXT,
            kind: "TechArticle",
            headline: &repair(&document.title),
            description,
            url,
            image,
            in_language: document.foreign.as_ref().map_or(&self.site.config.language, |tag| tag.as_str()),
            date_modified: self.project.last_change(id).map(|day| day.to_string()),
            time_required: document.front.duration.map(|minutes| format!("PT{}M", whole_minutes(minutes))),
            is_part_of: tutorial,
        }))
    }
}

/// No `<` in it can end the script element.
fn json(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("texts and numbers are JSON").replace('<', "\\u003c")
}
