//! The link maps of the site: `pages.json` and `objects.inv`.

use std::borrow::Cow;

use super::{Renderer, data};
use base::address::{Address, encode};
use input::link_map::{Anchor, Contents, MapPage, MapRedirect, inventory, pages};
use markup::markdown::repair;
use site::plan::{Artifact, Class, End, Form, MadeAnchors};

impl Renderer<'_> {
    pub(super) fn link_map(&self, form: Form) -> Vec<u8> {
        let contents = self.map_contents();
        match form {
            Form::Inventory => inventory::write(&contents),
            Form::Pages => {
                let (schema, mut bytes) = (data::schema(self.project, pages::SCHEMA), Vec::new());
                pages::write(&contents, &schema, &mut bytes).expect("a Vec takes everything");
                bytes
            }
        }
    }

    /// Returns every page to which others may link, and the targets of old URLs.
    fn map_contents(&self) -> Contents {
        let is_page = |it: &Artifact| it.facts().class == Class::Page && *it != Artifact::NotFound;
        let artifacts = || self.project.plan.artifacts();
        let pages = artifacts().filter(|(_, artifact)| is_page(artifact));
        let redirects = artifacts().filter_map(|(address, _)| {
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
        Contents {
            title: repair(&self.project.site_title()).into_owned(),
            pages: pages.map(|(address, artifact)| self.listed(address, artifact)).collect(),
            redirects: redirects.collect(),
        }
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
    fn anchors(&self, artifact: &Artifact) -> Option<Vec<Anchor>> {
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
        let made = made.into_iter().map(|id| Anchor { id, title: None });
        Some(written.into_iter().flatten().chain(made).collect())
    }
}

/// Relative to the site, as in a URL.
fn path(address: &Address) -> String {
    encode(address.as_str().trim_start_matches('/'))
}
