//! A planned site: everything that is known before its pages are rendered.
//!
//! It is small compared with its rendered pages, of which only some are in memory at a time.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;

use crate::alternates::{Alternate, Alternates};
use crate::content::{DocumentId, Site};
use crate::family::Families;
use crate::lags::PageLag;
use crate::plan::{Artifact, Import, LinkStyle, Lookups, Plan, Reader, Resolver};
use base::address::{Address, encode};
use input::source::git::Days;
use input::source::{Dimensions, Sources};
use input::words::{Word, Words};
use markup::markdown::repair;

/// A planned site. `build` writes its artifacts, and `serve` answers with them.
#[derive(Debug)]
pub struct Project {
    pub sources: Arc<Sources>,
    /// Empty unless pages show the date of their last change, or the site has a feed.
    pub days: Arc<Days>,
    pub site: Site,
    pub families: Families,
    pub plan: Arc<Plan>,
    pub links: LinkStyle,
    pub words: Arc<Words>,
    /// The pages in other languages, if the site has several.
    pub alternates: Option<Arc<Alternates>>,
    /// A sum of everything that it is planned from but texts, templates and days.
    pub key: u128,
}

/// An image in the header of every page.
#[derive(Clone, Copy, Debug)]
pub struct Logo<'a> {
    pub address: &'a Address,
    /// Its dark version.
    pub dark: Option<&'a Address>,
    pub dimensions: Option<Dimensions>,
}

impl Project {
    /// Returns a resolver that writes links relative to the host's root.
    pub fn resolver(&self) -> Resolver<'_> {
        self.resolver_of(self.map(None))
    }

    /// Returns such a resolver that looks things up through `map`.
    pub fn resolver_of<'a>(&'a self, map: Reader<'a>) -> Resolver<'a> {
        Resolver { map, config: &self.site.config, repository: &self.site.repository, relative_to: None }
    }

    /// Returns a reader of the plan that records lookups in `asked`.
    pub fn map<'a>(&'a self, asked: Option<&'a Lookups>) -> Reader<'a> {
        Reader::new(&self.plan, asked)
    }

    /// Returns the configured title, or else the home page's.
    pub fn site_title(&self) -> String {
        let home = || match self.plan.get(&Address::new("/")) {
            Some(Artifact::Home(Some(id))) => Some(self.site.document(*id).title.clone()),
            _ => None,
        };
        self.site.config.title.clone().or_else(home).unwrap_or_else(|| self.words.get(Word::Tutorials).into())
    }

    /// Returns the image in the header, if the site contains it.
    pub fn logo(&self) -> Option<Logo<'_>> {
        let file = |address: &Address| {
            let (address, artifact) = self.map(None).entry(address)?;
            matches!(artifact, Artifact::Asset(_)).then_some(address)
        };
        let address = file(&Address::new(self.site.config.header.logo.as_ref()?.get_ref()))?;
        let dark = address.dark().and_then(|dark| file(&dark));
        Some(Logo { address, dark, dimensions: self.plan.dimensions(address) })
    }

    /// Returns the date of a page's last change, if pages show it.
    pub fn last_change(&self, id: DocumentId) -> Option<Date> {
        if self.site.config.last_change { self.days.of(&self.site.document(id).path) } else { None }
    }

    /// Returns the time of a page's last change, whether pages show it or not.
    pub fn last_commit(&self, id: DocumentId) -> Option<Timestamp> {
        self.days.time_of(&self.site.document(id).path)
    }

    /// Returns the pages in the folders above an address, the nearest first, with their titles. The home page is left
    /// out.
    pub fn pages_above(&self, map: Reader<'_>, address: &Address) -> Vec<(String, Address)> {
        let folders = address.above().filter(|folder| folder.as_str() != "/");
        let titled = folders.filter_map(|folder| {
            map.note(|| Import::Title(folder.clone()));
            Some((self.title_at(&folder)?, folder))
        });
        titled.collect()
    }

    /// Returns the title of the page, overview or folder at an address. Folders without a page are included, even if
    /// they contain only one entry.
    pub fn title_at(&self, address: &Address) -> Option<String> {
        let Some(artifact) = self.plan.get(address) else {
            return self.plan.tree().passed(address).map(str::to_string);
        };
        match artifact {
            Artifact::Overview { family, .. } => Some(self.site.families[*family].title.clone()),
            Artifact::Page(id) => Some(repair(&self.site.document(*id).title).into_owned()),
            Artifact::Folder(ix) => Some(self.plan.tree().node(*ix).title.clone()),
            _ => None,
        }
    }

    /// Returns the URL of a page if the site's host is known, or else its path.
    pub fn place_of(&self, address: &Address) -> String {
        self.url(address).unwrap_or_else(|| self.resolver().url(address))
    }

    /// Returns the absolute URL of an address, or `None` if only a path is known. A page without a translation has that of
    /// its original.
    pub fn url(&self, address: &Address) -> Option<String> {
        if self.plan.is_shared(address) || self.plan.is_untranslated(address) {
            return self.site.config.url_in("", address);
        }
        self.site.config.url(address)
    }

    /// Returns the changes of the original that a translated page lacks, or `None` if it is up to date.
    pub fn lag(&self, id: DocumentId) -> Option<PageLag> {
        self.alternates.as_ref()?.lags.of(&self.site.document(id).path)
    }

    /// Returns a page in each language that has it. A site in one language has none.
    pub fn alternates_of<'a>(&'a self, map: Reader<'_>, address: &Address) -> Vec<Alternate<'a>> {
        let Some(alternates) = &self.alternates else { return Vec::new() };
        map.note(|| Import::Alternates(address.clone()));
        self.alternates_at(alternates, address)
    }

    /// The same without a record of it.
    pub fn alternates_at<'a>(&'a self, alternates: &'a Alternates, address: &Address) -> Vec<Alternate<'a>> {
        let page = self.plan.get(address).and_then(Artifact::document).map(|id| self.site.document(id));
        alternates.of(address, page).collect()
    }
}

/// Returns the URL of an anchor on a page. `page` is the result of [`Project::place_of`].
pub fn place_on(page: &str, anchor: &str) -> String {
    format!("{page}#{}", encode(anchor))
}
