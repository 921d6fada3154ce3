//! View of `home.html`.

use rayon::prelude::*;
use serde::Serialize;

use super::Renderer;
use super::course::CourseView;
use super::overview::FamilyView;
use super::section::Entry;
use super::view::{Link, PageView};
use base::address::Address;
use base::diagnostic::Diagnostic;
use base::sort::StableSort as _;
use markup::markdown::CodeBlock;
use site::content::{DocumentId, FamilyId};

/// `home.html`
#[derive(Debug, Serialize)]
pub(super) struct HomeView {
    page: PageView,
    /// Title and first paragraph of the text, which precede the tutorials, and the rest.
    intro: String,
    body: String,
    families: Vec<FamilyView>,
    /// The steps of each platform and the comparison, if the site has one tutorial.
    courses: Vec<CourseView>,
    compare: Option<String>,
    family: Option<FamilyView>,
    /// A figure at the beginning of the text, or else the first code of the first tutorial, as HTML.
    figure: String,
    /// The step that the code is from.
    sample: Option<SampleView>,
    /// The site's content outside families.
    sections: Vec<Entry>,
}

/// Code of a step, for the home page.
#[derive(Debug, Serialize)]
struct SampleView {
    step: Link,
    platform: String,
    language: String,
    code: String,
}

/// Maximum number of lines, and of columns per line, of the code on the home page.
const MOST_LINES: usize = 14;
const MOST_COLUMNS: usize = 56;

impl Renderer<'_> {
    pub(super) fn home_view(
        &self,
        address: &Address,
        id: Option<DocumentId>,
    ) -> Result<HomeView, Diagnostic> {
        let (intro, mut body) = self.intro_and_rest(id)?;
        let rest = body.split_off(end_of_figure(&body));
        let figure = std::mem::replace(&mut body, rest);
        let families = self.families_in_order();
        let only = match families[..] {
            [only] => Some(only),
            _ => None,
        };
        let sample = || families.first().and_then(|&family| self.sample(family));
        let titles: Vec<&str> = self.site.families.iter().map(|family| family.title.as_str()).collect();
        Ok(HomeView {
            page: self
                .own_or(address, id, || self.project.site_title())
                .or_described(|| (!titles.is_empty()).then(|| titles.join(", "))),
            intro,
            body,
            sections: self.contents(address, id),
            sample: if figure.is_empty() { sample() } else { None },
            figure,
            courses: only.map(|family| self.courses(family, self.versions(family))).unwrap_or_default(),
            compare: only.and_then(|family| self.compare_url(family)),
            family: only.map(|family| self.family_view(family)),
            families: families.into_par_iter().map(|family| self.family_view(family)).collect(),
        })
    }

    /// Returns the first code of a tutorial that represents its subject: not a command, and short enough to be shown
    /// completely. Other tutorials aren't searched, because a site may have a thousand without such code.
    fn sample(&self, family: FamilyId) -> Option<SampleView> {
        // Languages of commands and of configuration.
        const OTHERS: [&str; 14] = [
            "",
            "sh",
            "bash",
            "shell",
            "console",
            "text",
            "powershell",
            "zsh",
            "yaml",
            "toml",
            "json",
            "ini",
            "md",
            "diff",
        ];
        let fits = |block: &&CodeBlock| {
            let lines = block.code.lines();
            let is_narrow = lines.clone().all(|line| line.chars().count() <= MOST_COLUMNS);
            !OTHERS.contains(&&*block.language.to_lowercase())
                && (3..=MOST_LINES).contains(&lines.count())
                && is_narrow
        };
        let platform = self.site.families[family].platforms.iter().next()?;
        platform.steps.iter().find_map(|&id| {
            let block = self.pages[id].code.iter().find(fits)?;
            let mut code = String::new();
            self.code(block, &mut code);
            let Link { title, url } = self.link(id);
            Some(SampleView {
                step: Link { title: self.numbered(&title).bare.to_string(), url },
                platform: platform.name.clone(),
                language: block.language.clone(),
                code,
            })
        })
    }

    /// Returns the families in reading order, by the tree.
    fn families_in_order(&self) -> Vec<FamilyId> {
        let place = |family: FamilyId| {
            let address = &self.site.families[family].address;
            self.project.plan.tree().position(address)
        };
        let mut families: Vec<FamilyId> = self.site.families.indices().collect();
        families.stable_sort_by_key(|&family| place(family).map_or(usize::MAX, usize::from));
        families
    }

    /// Returns the title and first paragraph of a page, which precede generated content, and the rest of its text.
    pub(super) fn intro_and_rest(&self, id: Option<DocumentId>) -> Result<(String, String), Diagnostic> {
        let mut intro = id.map(|id| self.body(id)).transpose()?.unwrap_or_default();
        let rest = intro.split_off(end_of_intro(&intro));
        Ok((intro, rest))
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

/// Returns the end of the figure with which a text begins, or 0 if it begins differently.
fn end_of_figure(html: &str) -> usize {
    const END: &str = "</figure>";
    let rest = html.trim_start();
    let end = rest.starts_with("<figure").then(|| rest.find(END)).flatten();
    end.map_or(0, |end| html.len() - rest.len() + end + END.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_at_the_beginning_is_apart() {
        assert_eq!(end_of_figure("\n<figure><img></figure>\n<p>x</p>"), 23);
        assert_eq!(end_of_figure("<p>x</p><figure></figure>"), 0);
    }

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
