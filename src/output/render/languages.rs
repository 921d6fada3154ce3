//! Links between the languages of a site.

use serde::Serialize;

use super::Renderer;
use crate::base::address::Address;
use crate::base::language::LanguageTag;
use crate::input::words;
use crate::site::alternates::{Alternate, LanguageSite};
use crate::site::plan::Artifact;

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
