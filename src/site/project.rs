//! A site as it is planned: everything that is known of it before its pages are made.
//!
//! It is small beside what can be made of its pages, which is held for some of them at a time.

use std::sync::Arc;

use jiff::civil::Date;

use crate::base::address::{Address, encode};
use crate::input::source::git::Days;
use crate::input::source::{Dimensions, Sources};
use crate::input::words::{Word, Words};
use crate::markup::markdown::repair;
use crate::site::content::{DocumentId, Site};
use crate::site::family::Families;
use crate::site::plan::{Artifact, Asked, Import, LinkStyle, Plan, Reader, Resolver};

/// A site as it is planned; what `build` writes and `serve` answers from is made of it.
#[derive(Debug)]
pub struct Project {
    pub sources: Arc<Sources>,
    /// Nothing, where pages are not to say when they were changed.
    pub days: Arc<Days>,
    pub site: Site,
    pub families: Families,
    pub plan: Arc<Plan>,
    pub links: LinkStyle,
    pub words: Arc<Words>,
    /// A sum of everything that it is planned from but texts, templates and days.
    pub(crate) key: u128,
}

/// A picture in the header of every page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Logo<'a> {
    pub(crate) address: &'a Address,
    /// The same for dark colours.
    pub(crate) dark: Option<&'a Address>,
    pub(crate) dimensions: Option<Dimensions>,
}

impl Project {
    /// Resolves links, and writes them from the host's root.
    pub fn resolver(&self) -> Resolver<'_> {
        self.resolver_of(self.map(None))
    }

    /// The same for one who looks things up by `map`.
    pub fn resolver_of<'a>(&'a self, map: Reader<'a>) -> Resolver<'a> {
        Resolver { map, config: &self.site.config, repository: &self.site.repository, relative_to: None }
    }

    /// Looks things up in the plan, and notes in `asked` what was asked for.
    pub fn map<'a>(&'a self, asked: Option<&'a Asked>) -> Reader<'a> {
        Reader::new(&self.plan, asked)
    }

    /// The configured title, else the home page's.
    pub(crate) fn site_title(&self) -> String {
        let home = || match self.plan.get(&Address::new("/")) {
            Some(Artifact::Home(Some(id))) => Some(self.site.document(*id).title.clone()),
            _ => None,
        };
        self.site.config.title.clone().or_else(home).unwrap_or_else(|| self.words.get(Word::Tutorials).into())
    }

    /// The picture of the header, where the site has it.
    pub(crate) fn logo(&self) -> Option<Logo<'_>> {
        let file = |address: &Address| {
            let (address, artifact) = self.map(None).entry(address)?;
            matches!(artifact, Artifact::Asset(_)).then_some(address)
        };
        let address = file(&Address::new(self.site.config.header.logo.as_ref()?.get_ref()))?;
        let dark = address.dark().and_then(|dark| file(&dark));
        Some(Logo { address, dark, dimensions: self.plan.dimensions(address) })
    }

    /// The day of a page's last change, where pages are to say it.
    pub(crate) fn last_change(&self, id: DocumentId) -> Option<Date> {
        self.days.of(&self.site.document(id).path)
    }

    /// The pages in the folders above an address, by title, the home page left out; the nearest comes first.
    pub(crate) fn pages_above(&self, map: Reader<'_>, address: &Address) -> Vec<(String, Address)> {
        let folders = address.above().filter(|folder| folder.as_str() != "/");
        let titled = folders.filter_map(|folder| {
            map.note(|| Import::Title(folder.clone()));
            Some((self.title_at(&folder)?, folder))
        });
        titled.collect()
    }

    /// The title of the page, of the overview or of the folder at an address.
    pub(crate) fn title_at(&self, address: &Address) -> Option<String> {
        match self.plan.get(address)? {
            Artifact::Overview { family, .. } => Some(self.site.families[*family].title.clone()),
            Artifact::Page(id) => Some(repair(&self.site.document(*id).title).into_owned()),
            Artifact::Folder(ix) => Some(self.plan.tree().node(*ix).title.clone()),
            _ => None,
        }
    }

    /// Where a page is found: a URL where the site's host is known, else its path.
    pub(crate) fn place_of(&self, address: &Address) -> String {
        self.site.config.url(address).unwrap_or_else(|| self.resolver().url(address))
    }
}

/// Where a place on a page is found; `page` is what [`Project::place_of`] says.
pub(crate) fn place_on(page: &str, anchor: &str) -> String {
    format!("{page}#{}", encode(anchor))
}
