//! Views of `sitemap.xml` and `sitemap-index.xml`.

use serde::Serialize;

use super::Renderer;
use super::languages::AlternateUrl;
use base::address::Address;
use site::plan::{Artifact, sitemaps};

/// `sitemap.xml`
#[derive(Debug, Serialize)]
pub(super) struct SitemapView {
    urls: Vec<SitemapUrl>,
}

#[derive(Debug, Serialize)]
struct SitemapUrl {
    url: String,
    changed: Option<String>,
    /// The same page in every language of a site that has several.
    alternates: Vec<AlternateUrl>,
}

/// `sitemap-index.xml`
#[derive(Debug, Serialize)]
pub(super) struct SitemapIndexView {
    urls: Vec<String>,
}

impl Renderer<'_> {
    /// Returns `pages` of the pages in sitemaps, starting at the position `from`.
    pub(super) fn sitemap_view(&self, from: usize, pages: usize) -> SitemapView {
        let plan = &self.project.plan;
        let listed = plan.pages().filter(|address| !plan.is_untranslated(address)).filter_map(|address| {
            let url = sitemaps::url(&self.site.config, address)?;
            Some((address, url))
        });
        let urls = listed.skip(from).take(pages).map(|(address, url)| SitemapUrl {
            url,
            alternates: self.alternate_urls(address),
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
        let url = |part: usize| self.site.config.url(&Address::new(&sitemaps::path(part)));
        SitemapIndexView { urls: (0..parts).filter_map(url).collect() }
    }
}
