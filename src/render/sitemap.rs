//! The contexts of `sitemap.xml` and `sitemap-index.xml`.

use serde::Serialize;

use super::Renderer;
use crate::address::Address;
use crate::plan::{Artifact, sitemap_path};

/// `sitemap.xml`
#[derive(Debug, Serialize)]
pub(super) struct SitemapView {
    urls: Vec<SitemapUrl>,
}

#[derive(Debug, Serialize)]
struct SitemapUrl {
    url: String,
    changed: Option<String>,
}

/// `sitemap-index.xml`
#[derive(Debug, Serialize)]
pub(super) struct SitemapIndexView {
    urls: Vec<String>,
}

impl Renderer<'_> {
    /// The pages of one part of the sitemap, `most` in each.
    pub(super) fn sitemap_view(&self, part: usize, most: usize) -> SitemapView {
        let urls = self.project.plan.pages().skip(part * most).take(most).map(|address| SitemapUrl {
            url: self.canonical(address).unwrap_or_else(|| self.url(address)),
            changed: self
                .map
                .get(address)
                .and_then(Artifact::document)
                .and_then(|id| self.project.last_change(id))
                .map(|day| day.to_string()),
        });
        SitemapView { urls: urls.collect() }
    }

    pub(super) fn sitemap_index_view(&self, parts: usize) -> SitemapIndexView {
        let url = |part: usize| {
            let address = Address::new(&sitemap_path(part));
            self.canonical(&address).unwrap_or_else(|| self.url(&address))
        };
        SitemapIndexView { urls: (0..parts).map(url).collect() }
    }
}
