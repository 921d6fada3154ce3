//! The pages of a site, each parsed when somebody first asks for it.
//!
//! In: [`Site`]. Out: [`Pages`], by document. A stage that looks at a few pages costs no more than these: a
//! server answers before the site is parsed. What goes through all of them does so part by part, each with
//! `Pages` of its own, and holds no more than a part at once; see [`Site::parts`].

use std::ops::Index;
use std::sync::{Arc, OnceLock};

use crate::cache::Cache;
use crate::content::{Document, DocumentId, Site};
use crate::markdown::Page;

/// Every page of a site.
#[derive(Debug)]
pub struct Pages {
    /// By document.
    pages: Vec<Lazy>,
    cache: Arc<Cache>,
}

#[derive(Debug)]
struct Lazy {
    document: Arc<Document>,
    page: OnceLock<Arc<Page>>,
}

impl Lazy {
    fn of(document: &Arc<Document>) -> Self {
        Self { document: document.clone(), page: OnceLock::new() }
    }
}

impl Pages {
    pub fn of(site: &Site, cache: &Arc<Cache>) -> Self {
        Self { pages: site.documents.iter().map(Lazy::of).collect(), cache: cache.clone() }
    }

    /// How many minutes it takes to read and to follow a page, as [`Page::minutes`].
    pub(crate) fn minutes(&self, id: DocumentId) -> f64 {
        let document = &self.pages[id].document;
        // Who asks for those of all pages does not want to hold them.
        self.cache.minutes(document, || self.cache.page(document).minutes)
    }
}

impl Index<DocumentId> for Pages {
    type Output = Page;

    fn index(&self, id: DocumentId) -> &Page {
        let Lazy { document, page } = &self.pages[id];
        page.get_or_init(|| self.cache.page(document))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{self, Options};
    use crate::render::{self, Walk};
    use crate::source::{SitePath, Sources, Text};

    fn parsed(walk: &Walk) -> Vec<&str> {
        let parsed = walk.site.documents.iter().filter(|document| walk.cache.has_page(document));
        parsed.map(|document| document.address.as_str()).collect()
    }

    #[test]
    fn a_page_is_answered_without_parsing_others_than_its_siblings_and_the_steps_that_follow() {
        let mut sources = Sources::default();
        for page in ["tour/web/a", "tour/web/b", "tour/ios/a", "tour/ios/b", "other"] {
            let path = SitePath::from(format!("content/{page}.md"));
            let order = if page.ends_with('a') { 1 } else { 2 };
            let text = format!("---\ntitle: Step {order}\norder: {order}\n---\n\n[b](/tour/web/b/) {page}\n");
            sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
        }
        let (walk, report) = pipeline::plan(sources, &Options::default(), &Arc::default()).expect("it loads");
        assert!(report.is_empty() && parsed(&walk).is_empty(), "{:?}", parsed(&walk));
        let (address, artifact) =
            walk.plan.artifacts().find(|(address, _)| address.as_str() == "/tour/web/a/").expect("a page");
        render::artifact(&walk, address, artifact).expect("built-in templates");
        assert_eq!(parsed(&walk), ["/tour/ios/a/", "/tour/web/a/", "/tour/web/b/"]);
    }
}
