//! The link maps of the site: `pages.json` and `objects.inv`.

use std::borrow::Cow;

use super::{Renderer, data};
use base::address::{Address, encode};
use input::link_map::{Anchor, AnchorList, Contents, MapPage, MapRedirect, inventory, pages};
use markup::markdown::repair;
use site::plan::{Artifact, Class, End, Form, MadeAnchors};

impl Renderer<'_> {
    pub(super) fn link_map(&self, form: Form) -> Vec<u8> {
        let is_page = |it: &Artifact| it.facts().class == Class::Page && *it != Artifact::NotFound;
        let pages = self.project.plan.artifacts().filter(|(_, artifact)| is_page(artifact));
        let mut pages = pages.map(|(address, artifact)| self.listed(address, artifact));
        let title = repair(&self.project.site_title()).into_owned();
        let contents = Contents { title, pages: &mut pages, redirects: self.map_redirects() };
        match form {
            Form::Inventory => inventory::write(contents),
            Form::Pages => {
                let (schema, mut bytes) = (data::schema(self.project, pages::SCHEMA), Vec::new());
                pages::write(contents, &schema, &mut bytes).expect("a Vec takes everything");
                bytes
            }
        }
    }

    /// Returns the targets of old URLs.
    fn map_redirects(&self) -> Vec<MapRedirect> {
        let redirects = self.project.plan.artifacts().filter_map(|(address, _)| {
            let to = match self.project.plan.end(address)? {
                End::Here { address, query, fragment } => {
                    let fragment = fragment.as_ref().map_or_else(String::new, |it| format!("#{it}"));
                    [&path(address), query.as_str(), &fragment].concat()
                }
                End::External(url) => url.clone(),
                End::Missing(_) => return None,
            };
            Some(MapRedirect { from: path(address), to })
        });
        redirects.collect()
    }

    fn listed(&self, address: &Address, artifact: &Artifact) -> MapPage {
        let document = artifact.document();
        let place = document.and_then(|id| self.site.place(id));
        let step = place.map(|place| {
            let (family, name) = (&self.site.families[place.family].id, self.families.step_name(place));
            format!("{family}/{name}@{}", self.site.platform_of(place).id)
        });
        let title = match (artifact, document) {
            (Artifact::Compare { family } | Artifact::Print { family, .. }, _) => {
                Cow::Borrowed(self.site.families[*family].title.as_str())
            }
            (_, Some(id)) => repair(&self.site.document(id).title),
            (_, None) => {
                Cow::Owned(self.project.title_at(address).unwrap_or_else(|| self.project.site_title()))
            }
        };
        MapPage { path: path(address), title: title.into_owned(), step, anchors: self.anchors(artifact) }
    }

    /// Returns all anchors of a page. Pages that are generated from the texts of others have none, because listing
    /// them would require all of these texts.
    fn anchors(&self, artifact: &Artifact) -> Option<AnchorList> {
        let made = match artifact.facts().anchors {
            Some(MadeAnchors::Overview { family }) => self.overview_anchors(family),
            Some(MadeAnchors::Folder) => Vec::new(),
            Some(MadeAnchors::Compare { .. } | MadeAnchors::Print { .. }) => return None,
            None => {
                artifact.document()?;
                Vec::new()
            }
        };
        let written = artifact.document().map(|id| self.pages.anchors(id));
        if made.is_empty() && written.is_some() {
            return written;
        }
        let made = made.iter().map(|id| Anchor { id, title: None });
        Some(AnchorList::of(written.iter().flat_map(AnchorList::iter).chain(made)))
    }
}

/// Relative to the site, as in a URL.
fn path(address: &Address) -> String {
    encode(address.as_str().trim_start_matches('/'))
}
