//! View of `home.html`.

use rayon::prelude::*;
use serde::Serialize;

use super::Renderer;
use super::overview::FamilyView;
use super::section::Entry;
use super::view::PageView;
use crate::base::address::Address;
use crate::site::content::{DocumentId, FamilyId};

/// `home.html`
#[derive(Debug, Serialize)]
pub(super) struct HomeView {
    page: PageView,
    /// Title and first paragraph of the text, which precede the tutorials, and the rest.
    intro: String,
    body: String,
    families: Vec<FamilyView>,
    /// The site's content outside families.
    sections: Vec<Entry>,
}

impl Renderer<'_> {
    pub(super) fn home_view(&self, address: &Address, id: Option<DocumentId>) -> HomeView {
        let (intro, body) = self.intro_and_rest(id);
        let titles: Vec<&str> = self.site.families.iter().map(|family| family.title.as_str()).collect();
        HomeView {
            page: self
                .own_or(address, id, || self.project.site_title())
                .or_described(|| (!titles.is_empty()).then(|| titles.join(", "))),
            intro,
            body,
            sections: self.contents(address, id),
            families: self
                .families_in_order()
                .into_par_iter()
                .map(|family| self.family_view(family))
                .collect(),
        }
    }

    /// Returns the families in reading order, by the tree.
    fn families_in_order(&self) -> Vec<FamilyId> {
        let place = |family: FamilyId| {
            let address = &self.site.families[family].address;
            self.project.plan.tree().position(address)
        };
        let mut families: Vec<FamilyId> = self.site.families.indices().collect();
        families.sort_by_key(|&family| place(family).map_or(usize::MAX, usize::from));
        families
    }

    /// Returns the title and first paragraph of a page, which precede generated content, and the rest of its text.
    pub(super) fn intro_and_rest(&self, id: Option<DocumentId>) -> (String, String) {
        let mut intro = id.map_or_else(String::new, |id| self.body(id));
        let rest = intro.split_off(end_of_intro(&intro));
        (intro, rest)
    }
}

/// Returns the end of the heading and first paragraph in a page's HTML.
fn end_of_intro(html: &str) -> usize {
    let after = |start: usize, open: &str, close: &str| {
        let rest = html[start..].trim_start();
        let end = rest.starts_with(open).then(|| rest.find(close)).flatten()?;
        Some(html.len() - rest.len() + end + close.len())
    };
    let heading = after(0, "<h1", "</h1>").unwrap_or(0);
    after(heading, "<p>", "</p>").unwrap_or(heading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_intro_is_the_heading_and_the_first_paragraph() {
        for (intro, rest) in [
            ("<h1 id=\"a\">A</h1>\n<p>One.</p>", "\n<p>Two.</p>"),
            ("<p>One.</p>", ""),
            ("<h1>A</h1>", "\n<ul><li><p>x</p></li></ul>"),
            ("", "<ul><li>x</li></ul>"),
            ("", "<p>never ends"),
        ] {
            assert_eq!(end_of_intro(&format!("{intro}{rest}")), intro.len(), "{intro}");
        }
    }
}
