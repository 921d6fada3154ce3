//! Links between the languages of a site.

use std::fmt::Write as _;

use pulldown_cmark_escape::escape_html;
use serde::Serialize;

use super::{Renderer, escape};
use base::address::{Address, encode};
use base::language::LanguageTag;
use input::words::{self, Word};
use site::alternates::{Alternate, LanguageSite};
use site::content::DocumentId;
use site::lags::OutdatedState;
use site::plan::Artifact;

/// A page in one of the languages of the site.
#[derive(Debug, Serialize)]
pub(super) struct LanguageLink {
    tag: String,
    name: String,
    /// `ltr` or `rtl`.
    direction: &'static str,
    /// Link to the page, or to the home page of a language that lacks it.
    url: String,
    current: bool,
    /// Whether the page isn't translated.
    missing: bool,
    /// `here#there` for every section with another ID, separated by spaces.
    sections: String,
}

/// The absolute URL of a page in one of the languages.
#[derive(Debug, Serialize)]
pub(super) struct AlternateUrl {
    /// A language, or `x-default` for the original.
    tag: String,
    url: String,
}

/// A translation that is behind its original.
#[derive(Debug, Serialize)]
pub(super) struct OutdatedView {
    /// Number of sections that changed in the original.
    sections: usize,
    /// The day of the first change, as `2027-01-31`. Empty if it is unknown.
    day: String,
    /// Link to the original, and its language.
    url: String,
    tag: String,
}

/// The language of a text that isn't that of the site.
#[derive(Debug, Serialize)]
pub(super) struct ForeignView {
    tag: String,
    name: String,
    direction: &'static str,
}

impl Renderer<'_> {
    pub(super) fn language_links(&self, address: &Address) -> Vec<LanguageLink> {
        let (Some(alternates), Some(view)) = (&self.project.alternates, &self.project.sources.view) else {
            return Vec::new();
        };
        let found = self.project.alternates_of(self.map, address);
        let here = self.map.get(address).and_then(Artifact::document);
        let here = here.map(|id| self.site.document(id));
        let home = Address::new("/");
        let link = |(at, site): (usize, &LanguageSite)| {
            let language = &site.language;
            let found = found.iter().find(|alternate| alternate.language == language && !alternate.is_shared);
            let address = found.map_or(&home, |alternate| alternate.address);
            let there = found.and_then(|alternate| alternate.document);
            let current = at == view.at;
            LanguageLink {
                tag: language.tag.to_string(),
                name: language.name.clone(),
                direction: words::direction(language.tag.as_str()),
                url: self.resolver().url_in(&language.path, address),
                current,
                missing: found.is_none_or(|alternate| !alternate.is_translated),
                sections: match (here, there) {
                    (Some(here), Some(there)) if !current => alternates.sections(here, there),
                    _ => String::new(),
                },
            }
        };
        alternates.sites.iter().enumerate().map(link).collect()
    }

    /// Returns the URLs of a page for crawlers: of its original, which is also the default, and of its translations.
    pub(super) fn alternate_urls(&self, address: &Address) -> Vec<AlternateUrl> {
        if self.site.config.origin().is_none() || self.project.plan.is_untranslated(address) {
            return Vec::new();
        }
        let found = self.project.alternates_of(self.map, address);
        let translated: Vec<&Alternate<'_>> = found.iter().filter(|it| it.is_translated).collect();
        if translated.len() < 2 {
            return Vec::new();
        }
        let url = |alternate: &Alternate<'_>| {
            self.site.config.url_in(&alternate.language.path, alternate.address).unwrap_or_default()
        };
        let of = |alternate: &&Alternate<'_>| AlternateUrl {
            tag: alternate.language.tag.to_string(),
            url: url(alternate),
        };
        let original = translated.iter().find(|alternate| alternate.language.path.is_empty());
        let default = original.map(|it| AlternateUrl { tag: "x-default".to_string(), url: url(it) });
        translated.iter().map(of).chain(default).collect()
    }

    /// Returns the original of a translated page.
    fn original(&self, id: DocumentId) -> Option<Alternate<'_>> {
        let found = self.project.alternates_of(self.map, &self.site.document(id).address);
        found.into_iter().find(|alternate| alternate.language.path.is_empty())
    }

    pub(super) fn outdated_view(&self, id: DocumentId) -> Option<OutdatedView> {
        let lag = self.project.lag(id)?;
        let original = self.original(id)?;
        Some(OutdatedView {
            sections: lag.sections.len(),
            day: lag.since.map_or_else(String::new, |day| day.to_string()),
            url: self.resolver().url_in("", original.address),
            tag: original.language.tag.to_string(),
        })
    }

    /// Adds a link to the original below the headings of outdated sections. The notice above the page is near the title.
    pub(super) fn mark_outdated(&self, id: DocumentId, html: &mut String) {
        let Some(lag) = self.project.lag(id) else { return };
        let (Some(original), Some(alternates)) = (self.original(id), &self.project.alternates) else {
            return;
        };
        let ids = original.document.map(|document| alternates.headings(document)).unwrap_or_default();
        let page = self.resolver().url_in("", original.address);
        // Marks of the same heading keep their order.
        for section in lag.sections.iter().rev() {
            let Some(at) = end_of_heading(html, &section.here) else { continue };
            let word = match section.state {
                OutdatedState::Changed => Word::SectionOutdated,
                OutdatedState::New => Word::SectionNew,
                OutdatedState::Removed => Word::SectionRemoved,
            };
            let mut mark = String::from("\n<p class=\"outdated\"><a href=\"");
            escape(&page, &mut mark);
            if ids.contains(&section.there) {
                mark.push('#');
                escape(&encode(&section.there), &mut mark);
            }
            write!(mark, "\" hreflang=\"{}\">", original.language.tag).expect("a String takes everything");
            let text = self.words.say(word, &[("title", &section.title)]);
            escape_html(&mut mark, &text).expect("a String takes everything");
            mark.push_str("</a></p>");
            html.insert_str(at, &mark);
        }
    }

    pub(super) fn foreign_view(&self, tag: &LanguageTag) -> ForeignView {
        let languages = self.project.sources.view.as_ref().map(|view| &*view.languages);
        let known = languages.and_then(|languages| languages.iter().find(|it| it.tag == *tag));
        ForeignView {
            tag: tag.to_string(),
            name: known.map_or_else(|| tag.own_name(), |language| language.name.clone()),
            direction: words::direction(tag.as_str()),
        }
    }
}

/// Returns the end of the heading with an ID, except of the title.
fn end_of_heading(html: &str, id: &str) -> Option<usize> {
    let mut attribute = String::from(" id=\"");
    escape_html(&mut attribute, id).expect("a String takes everything");
    attribute.push('"');
    let is_heading = |at: &usize| {
        let tag = html[..*at].rsplit_once('<').map_or("", |(_, tag)| tag);
        matches!(tag.split(' ').next(), Some("h2" | "h3" | "h4" | "h5" | "h6"))
    };
    let start = html.match_indices(&attribute).map(|(at, _)| at).find(is_heading)?;
    let close = start + html[start..].find("</h")?;
    Some(close + html[close..].find('>')? + 1)
}
