//! Sitemaps and their pages. The limits are from <https://www.sitemaps.org/protocol.html>.

use super::{Artifact, Layout};
use base::address::Address;
use input::config::Config;

/// The content of a sitemap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sitemap {
    /// The index of the sitemaps of a site with too many pages for one.
    Index { parts: usize },
    /// `pages` of the pages with suitable URLs, starting at the position `from`.
    Part { from: usize, pages: usize },
}

/// Maximum number of URLs in a sitemap.
const MOST_URLS: usize = 50_000;

/// Maximum uncompressed size of a sitemap in bytes.
const MOST_BYTES: usize = 52_428_800;

/// Number of characters from which a URL is too long.
const TOO_LONG: usize = 2_048;

/// Bytes for the text that a template may write around each URL. Ours writes at most 73: tags, a date and a line end.
const AROUND_URL: usize = 256;

/// Returns the URL of a page for sitemaps, or `None` if it is too long for crawlers or the site has no host.
pub fn url(config: &Config, address: &Address) -> Option<String> {
    config.url(address).filter(|url| url.len() < TOO_LONG)
}

/// Returns the path of one of several sitemaps.
pub fn path(part: usize) -> String {
    format!("/sitemap-{}.xml", part + 1)
}

/// Adds the sitemaps. They contain absolute URLs, so a site without a host has none.
pub(super) fn add(layout: &mut Layout<'_>) {
    let config = &layout.site.config;
    if config.origin().is_none() {
        return;
    }
    let is_listed = |address: &Address| !layout.untranslated.contains(address);
    let pages = layout.artifacts.iter().filter(|(address, it)| it.is_page() && is_listed(address));
    let lengths: Vec<usize> = pages.filter_map(|(address, _)| Some(url(config, address)?.len())).collect();
    for (path, sitemap) in of(lengths.len(), lengths.iter().copied().max().unwrap_or(0)) {
        layout.fill(Address::new(&path), Artifact::Sitemap(sitemap));
    }
}

/// Returns the sitemaps for `urls` URLs of at most `longest` bytes, with the path of each. All contain as many URLs
/// as fit if each has the maximum length. Few sites have URLs so long that this is less than [`MOST_URLS`].
fn of(urls: usize, longest: usize) -> Vec<(String, Sitemap)> {
    let first = "/sitemap.xml".to_string();
    // The bytes of one URL are reserved for the text around all of them.
    let most = MOST_URLS.min(MOST_BYTES / (longest + AROUND_URL) - 1);
    if urls <= most {
        return vec![(first, Sitemap::Part { from: 0, pages: urls })];
    }
    let parts = urls.div_ceil(most);
    let numbered = (0..parts).map(|part| {
        let from = part * most;
        (path(part), Sitemap::Part { from, pages: most.min(urls - from) })
    });
    numbered.chain([(first, Sitemap::Index { parts })]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the number of URLs in each sitemap. An index contains none.
    #[track_caller]
    fn check(urls: usize, longest: usize, expected: &[usize]) {
        let all = of(urls, longest);
        let mut next = 0;
        let counts = all.iter().filter_map(|(_, sitemap)| match *sitemap {
            Sitemap::Part { from, pages } => {
                assert_eq!(from, next, "every URL is in one");
                assert!(pages * (longest + AROUND_URL) < MOST_BYTES);
                next += pages;
                Some(pages)
            }
            Sitemap::Index { parts } => {
                assert_eq!(parts + 1, all.len());
                None
            }
        });
        assert_eq!(counts.collect::<Vec<_>>(), expected);
        assert_eq!(next, urls);
        assert_eq!(all.last().map(|(path, _)| path.as_str()), Some("/sitemap.xml"));
    }

    #[test]
    fn no_sitemap_has_more_urls_than_crawlers_read() {
        check(1, 100, &[1]);
        check(50_000, 100, &[50_000]);
        check(50_001, 100, &[50_000, 1]);
        check(120_000, 100, &[50_000, 50_000, 20_000]);
    }

    #[test]
    fn no_sitemap_has_more_bytes_than_crawlers_read() {
        check(50_000, TOO_LONG - 1, &[22_764, 22_764, 4_472]);
    }
}
