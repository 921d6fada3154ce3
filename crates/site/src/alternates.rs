//! The same page in the other languages of a site.

use std::sync::Arc;

use crate::content::{Document, Site};
use crate::lags::Lags;
use crate::pages::Parsed;
use crate::plan::{Artifact, Plan};
use base::address::Address;
use base::hash::HashMap;
use base::site_path::SitePath;
use input::source::{LanguageView, PublishedLanguage};

/// The sites of all languages, the original's first.
#[derive(Debug)]
pub struct Alternates {
    pub sites: Vec<LanguageSite>,
    parsed: Arc<Parsed>,
    /// The translated pages that are behind their originals.
    pub lags: Arc<Lags>,
}

/// The site in one language, as far as those in the others show it.
#[derive(Debug)]
pub struct LanguageSite {
    pub language: PublishedLanguage,
    plan: Arc<Plan>,
    documents: HashMap<SitePath, Arc<Document>>,
}

/// A page in one of the languages.
#[derive(Clone, Copy, Debug)]
pub struct Alternate<'a> {
    pub language: &'a PublishedLanguage,
    pub address: &'a Address,
    /// The page with its text; generated pages have none.
    pub document: Option<&'a Arc<Document>>,
    /// Whether anything on it is in this language, other than the interface.
    pub is_translated: bool,
    /// Whether readers of this language find it in the original only.
    pub is_shared: bool,
}

impl LanguageSite {
    pub fn new(view: &LanguageView, site: &Site, plan: Arc<Plan>) -> Self {
        let documents =
            site.documents.iter().map(|document| (document.published_path.clone(), document.clone()));
        Self { language: view.language().clone(), plan, documents: documents.collect() }
    }

    fn alternate<'a>(&'a self, address: &Address, page: Option<&Document>) -> Option<Alternate<'a>> {
        let document = page.map(|page| self.documents.get(&page.published_path));
        let address = match document {
            Some(document) => &document?.address,
            None => address,
        };
        let (address, _) = self.plan.entry(address)?;
        let is_translated = !self.plan.is_untranslated(address);
        let is_shared = self.plan.is_shared(address);
        let (language, document) = (&self.language, document.flatten());
        Some(Alternate { language, address, document, is_translated, is_shared })
    }
}

impl Alternates {
    pub fn new(sites: Vec<LanguageSite>, parsed: Arc<Parsed>, lags: Arc<Lags>) -> Self {
        Self { sites, parsed, lags }
    }

    /// Returns a page in each language that has it; `page` is its text, if it has one.
    pub fn of<'a>(
        &'a self,
        address: &Address,
        page: Option<&Document>,
    ) -> impl Iterator<Item = Alternate<'a>> {
        self.sites.iter().filter_map(move |site| site.alternate(address, page))
    }

    /// Returns the redirects in all languages: the path of the language, the old address, and the target.
    pub fn redirects(&self) -> impl Iterator<Item = (&str, &Address, String)> {
        self.sites.iter().flat_map(|site| {
            site.plan.artifacts().filter_map(|(address, artifact)| {
                let Artifact::Redirect { to, .. } = artifact else { return None };
                let target = format!("{to} {:?}", site.plan.end(address));
                Some((site.language.path.as_str(), address, target))
            })
        })
    }

    /// Returns the IDs of the headings of a page.
    pub fn headings(&self, document: &Document) -> Vec<String> {
        self.parsed.headings(document)
    }

    /// Returns pairs `here#there` of the sections of a page that have another ID in another language, separated by
    /// spaces. Nearly all translations have the headings of their original in the same order.
    pub fn sections(&self, here: &Document, there: &Document) -> String {
        if here.foreign.is_some() || there.foreign.is_some() || here.file() == there.file() {
            return String::new();
        }
        let (from, to) = (self.headings(here), self.headings(there));
        let is_parallel = from.len() == to.len();
        let named = |id: &String| to.iter().find(|there| *there == id).cloned().unwrap_or_default();
        let pairs = from.iter().enumerate();
        let pairs = pairs.map(|(at, id)| (id, if is_parallel { to[at].clone() } else { named(id) }));
        let differing = pairs.filter(|(id, there)| *id != there);
        differing.map(|(id, there)| format!("{id}#{there}")).collect::<Vec<_>>().join(" ")
    }
}
