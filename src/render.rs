//! Lays out the site and turns what stands at an address into bytes.
//!
//! In: [`Walk`], everything the stages before have made. Out: a [`Plan`] that holds every address, and
//! for one [`Artifact`] its [`Content`]. Nothing is rendered before it is asked for.

mod dependencies;
mod embedded;
pub mod highlight;
pub mod link;
mod plan;
mod templates;
mod view;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use pulldown_cmark_escape::escape_href;
use serde::Serialize;
use tera::{Context, Tera};

pub use self::dependencies::{Dependencies, Key, asset_key};
pub use self::link::{Destination, Resolver};
pub use self::plan::{Artifact, Plan, plan};
pub use self::templates::load as templates;

use crate::cache::Cache;
use crate::content::{Address, DocumentId, Site};
use crate::diagnostic::Diagnostic;
use crate::family::Families;
use crate::markdown::{Hole, Page};
use crate::publish::Content;
use crate::source::Sources;

/// Everything that is known about a site; what `build` writes and `serve` answers from.
#[derive(Debug)]
pub struct Walk {
    pub sources: Sources,
    pub site: Site,
    /// By document.
    pub pages: Vec<Arc<Page>>,
    pub families: Families,
    pub plan: Plan,
    pub templates: Tera,
    pub cache: Arc<Cache>,
}

/// The content of one artifact.
///
/// # Errors
///
/// A `template-error` where a template cannot be rendered.
pub fn artifact(walk: &Walk, address: &Address, artifact: &Artifact) -> Result<Content, Box<Diagnostic>> {
    let html = match artifact {
        Artifact::Page(id) => match walk.site.place(*id) {
            Some(place) => walk.fill("step.html", &walk.step_view(address, *id, place)),
            None => walk.fill("page.html", &walk.plain_view(address, *id)),
        },
        Artifact::Home(id) => walk.fill("home.html", &walk.home_view(address, *id)),
        Artifact::Overview { family, page } => {
            walk.fill("overview.html", &walk.overview_view(address, *family, *page))
        }
        Artifact::NotFound => walk.fill("404.html", &walk.not_found_view()),
        Artifact::Sitemap => walk.fill("sitemap.xml", &walk.sitemap_view()),
        Artifact::Redirect { to, from } => walk.fill("redirect.html", &walk.redirect_view(to, *from)),
        Artifact::Asset(path) => return Ok(Content::File(walk.sources.disk_path(path))),
        Artifact::Builtin(bytes) => return Ok(Content::Bytes(Cow::Borrowed(bytes))),
    };
    Ok(Content::Bytes(Cow::Owned(html?.into_bytes())))
}

/// Renders one artifact of each kind, so that a template's mistake is known before the site is published.
pub fn rehearse(walk: &Walk) -> Vec<Diagnostic> {
    let mut seen = std::collections::HashSet::new();
    let kind = |artifact: &Artifact| match artifact {
        Artifact::Page(id) => (std::mem::discriminant(artifact), walk.site.place(*id).is_some()),
        _ => (std::mem::discriminant(artifact), false),
    };
    let one_of_each = walk.plan.artifacts().filter(|(_, artifact)| seen.insert(kind(artifact)));
    one_of_each.filter_map(|(address, it)| artifact(walk, address, it).err()).map(|found| *found).collect()
}

impl Walk {
    pub fn resolver(&self) -> Resolver<'_> {
        Resolver { plan: &self.plan, config: &self.site.config }
    }

    fn fill(&self, template: &str, view: &impl Serialize) -> Result<String, Box<Diagnostic>> {
        Context::from_serialize(view)
            .and_then(|context| self.templates.render(template, &context))
            .map_err(|error| Box::new(templates::diagnostic(template, &error)))
    }

    /// A page's HTML with its holes filled.
    fn body(&self, id: DocumentId) -> String {
        let document = self.site.document(id);
        let page = &self.pages[id];
        let resolver = self.resolver();
        let mut html = String::new();
        let mut pictures = 0;
        for (piece, hole) in page.body.pieces() {
            html.push_str(piece);
            match hole {
                Some(Hole::Address(at)) => {
                    escape(&resolver.href(document, &page.references[at].target), &mut html);
                }
                Some(Hole::Picture(at)) => {
                    self.picture(document, &page.references[at].target, pictures, &mut html);
                    pictures += 1;
                }
                Some(Hole::Code(at)) => {
                    let block = &page.code[at];
                    html.push_str(&self.cache.highlighted(&block.language, &block.code));
                }
                None => {}
            }
        }
        html
    }

    /// An image's address and size. The first picture of a page is likely in view and loads at once.
    fn picture(&self, from: &crate::content::Document, target: &str, position: usize, html: &mut String) {
        let resolver = self.resolver();
        escape(&resolver.href(from, target), html);
        if let Destination::Here(here) = resolver.resolve(from, target)
            && let Some((width, height)) = self.plan.dimensions(&here.address)
        {
            write!(html, "\" width=\"{width}\" height=\"{height}").expect("a String takes everything");
        }
        if position > 0 {
            html.push_str("\" loading=\"lazy");
        }
    }
}

/// Makes an address fit for a quoted attribute: what a URL may not hold is percent-encoded, as the examples
/// of CommonMark show it, and what is encoded already stays.
fn escape(address: &str, html: &mut String) {
    escape_href(html, address).expect("a String takes everything");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_percent_encoded_once() {
        for (address, expected) in [
            ("/my uri", "/my%20uri"),
            ("/f\u{f6}%C3%B6/?a=1&b=2#x", "/f%C3%B6%C3%B6/?a=1&amp;b=2#x"),
            ("\"><script>", "%22%3E%3Cscript%3E"),
        ] {
            let mut html = String::new();
            escape(address, &mut html);
            assert_eq!(html, expected);
        }
    }
}
