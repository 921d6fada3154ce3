//! The context of `home.html`.

use rayon::prelude::*;
use serde::Serialize;

use super::Renderer;
use super::overview::FamilyView;
use super::view::PageView;
use crate::address::Address;
use crate::content::DocumentId;

/// `home.html`
#[derive(Debug, Serialize)]
pub(super) struct HomeView {
    page: PageView,
    body: String,
    families: Vec<FamilyView>,
}

impl Renderer<'_> {
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
}
