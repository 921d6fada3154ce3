//! Template data of every page.

use std::collections::HashMap;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde_json::Value;

use super::Renderer;
use super::languages::{AlternateUrl, ForeignView, LanguageLink, OutdatedView};
use base::address::{Address, encode};
use base::names::{Namesake, distinct_names};
use base::sorted::SortedMap;
use input::source::Dimensions;
use markup::markdown::{ProseKind, ReferenceKind, repair};
use site::content::DocumentId;
use site::plan::{Artifact, Destination, drawings};

/// The page itself.
#[derive(Debug, Default, Serialize)]
pub(super) struct PageView {
    title: String,
    /// The heading. For a step, without the number, which is shown separately.
    heading: String,
    /// The unique name, which is the title or begins with parent titles.
    name: String,
    description: Option<String>,
    /// The file of its text, relative to the site's root, for an edit link.
    source: Option<String>,
    /// Link to the page, and its absolute URL if the site's host is known.
    url: String,
    canonical: Option<String>,
    /// Link to the page as Markdown.
    markdown: Option<String>,
    /// The Open Graph type: `website` for the home page, `article` for others, and nothing for files that aren't
    /// pages.
    kind: Option<&'static str>,
    /// The absolute URL of its card, or else of its first image, or else of the site's, if the site's host is known.
    image: Option<String>,
    /// The size of its card.
    card: Option<Dimensions>,
    /// The edit link, and the date of its last change as `2027-01-31`, if these are configured.
    edit: Option<String>,
    changed: Option<String>,
    /// From the home page to the one above this. A folder without a page has an empty URL.
    breadcrumbs: Vec<Link>,
    /// The same with this page as JSON-LD, escaped for a script element.
    breadcrumbs_json: Option<String>,
    /// A description of its text as JSON-LD, if the site's host is known.
    article_json: Option<String>,
    /// The page in every language of a site that has several.
    languages: Vec<LanguageLink>,
    /// The absolute URLs of its translations and its original, if the site's host is known.
    alternates: Vec<AlternateUrl>,
    /// The language of its text, if it isn't translated.
    foreign: Option<ForeignView>,
    /// The changes of its original, if its translation lacks any.
    outdated: Option<OutdatedView>,
    /// Links to the site's form for feedback, if it has one.
    feedback: Option<FeedbackView>,
    draft: bool,
    /// Measured in whole minutes.
    duration: Option<u32>,
    /// Whether the body begins with the title, so that the template omits it.
    titled: bool,
    /// Front matter keys without a meaning for Stepkin.
    extra: SortedMap<String, Value>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Link {
    pub(super) title: String,
    pub(super) url: String,
}

/// Links to a form for feedback.
#[derive(Debug, Serialize)]
struct FeedbackView {
    /// Whether the page was helpful, if the form takes an answer.
    yes: Option<String>,
    no: Option<String>,
    stuck: String,
}

#[derive(Debug, Serialize)]
pub(super) struct SectionView {
    text: String,
    id: String,
    level: u8,
}

impl PageView {
    /// Returns a page that readers shouldn't find or share.
    pub(super) fn plain(title: String, url: String) -> Self {
        Self { heading: title.clone(), name: title.clone(), title, url, ..Self::default() }
    }

    /// Adds the heading of a step.
    pub(super) fn with_heading(self, heading: &str) -> Self {
        Self { heading: heading.to_string(), ..self }
    }

    /// Adds `words` as the description if there is none.
    pub(super) fn or_described(self, words: impl FnOnce() -> Option<String>) -> Self {
        Self { description: self.description.or_else(words), ..self }
    }

    /// Adds a description.
    pub(super) fn described(self, description: Option<String>) -> Self {
        Self { description, ..self }
    }
}

/// Rounded to at least one whole minute. Values that can't be a duration saturate.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, which is what is wanted"
)]
pub(super) fn whole_minutes(duration: f64) -> u32 {
    (duration.round() as u32).max(1)
}

/// Characters of the beginning of a text.
const MOST_BEGINNING: usize = 160;

/// Returns the beginning of a text for previews: complete sentences, or else complete words.
fn beginning(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(MOST_BEGINNING) else { return text.to_string() };
    let start = &text[..end];
    let sentence = start.rfind(". ").filter(|at| 2 * at > end);
    match (sentence, start.rfind(' ')) {
        (Some(at), _) => start[..=at].to_string(),
        (None, Some(at)) => format!("{}…", start[..at].trim_end_matches([',', ';', ':'])),
        (None, None) => format!("{start}…"),
    }
}

impl Renderer<'_> {
    pub(super) fn page_view(&self, address: &Address, id: DocumentId) -> PageView {
        let document = self.site.document(id);
        let description = self.lede(id);
        let (image, card) = match self.card(address) {
            Some((url, dimensions)) => (Some(url), dimensions),
            None => (self.first_picture(id).or_else(|| self.site_picture()), None),
        };
        PageView {
            titled: self.work.is_titled(id),
            source: Some(document.path.to_string()),
            article_json: self.article_json(address, id, description.as_deref(), image.as_deref()),
            description,
            image,
            card,
            edit: self
                .site
                .config
                .edit_url
                .as_ref()
                .map(|url| url.replace("{path}", &encode(document.path.as_str()))),
            changed: self.project.last_change(id).map(|day| day.to_string()),
            foreign: document.foreign.as_ref().map(|tag| self.foreign_view(tag)),
            outdated: self.outdated_view(id),
            feedback: self.feedback(address, &document.title),
            draft: document.front.draft,
            duration: document.front.duration.map(whole_minutes),
            extra: document.front.extra.clone(),
            ..self.made_view(address, repair(&document.title).into_owned(), Some(id))
        }
    }

    /// Returns the data of a page with or without its own text.
    pub(super) fn made_view(&self, address: &Address, title: String, id: Option<DocumentId>) -> PageView {
        let breadcrumbs = self.breadcrumbs(address, id);
        let twin = address.twin();
        PageView {
            name: self.map.name(address).unwrap_or(&title).to_string(),
            url: self.url(address),
            canonical: self.canonical(address),
            markdown: self.map.get(&twin).map(|_| self.url(&twin)),
            image: self.site_picture(),
            languages: self.language_links(address),
            alternates: self.alternate_urls(address),
            kind: Some(if address.as_str() == "/" { "website" } else { "article" }),
            breadcrumbs_json: self.breadcrumbs_json(&breadcrumbs, &title, address),
            breadcrumbs: breadcrumbs.into_iter().map(|(link, _)| link).collect(),
            heading: title.clone(),
            title,
            ..PageView::default()
        }
    }

    fn feedback(&self, address: &Address, title: &str) -> Option<FeedbackView> {
        let url = self.site.config.feedback.url.as_ref()?.get_ref();
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let page = self.canonical(address).unwrap_or_else(|| address.to_string());
        let url = url.replace("{page}", &encoded(&page)).replace("{title}", &encoded(title));
        let answer = |answer: &str| url.contains("{answer}").then(|| url.replace("{answer}", answer));
        Some(FeedbackView {
            yes: answer("yes"),
            no: answer("no"),
            stuck: answer("stuck").unwrap_or_else(|| url.clone()),
        })
    }

    /// Returns the absolute URL of a page's card, and its size.
    fn card(&self, page: &Address) -> Option<(String, Option<Dimensions>)> {
        self.site.config.cards.as_ref()?;
        let (card, _) = self.map.entry(&drawings::card(page))?;
        Some((self.canonical(card)?, self.map.dimensions(card)))
    }

    /// Returns the image of the site, for pages without one.
    fn site_picture(&self) -> Option<String> {
        let image = self.site.config.image.as_ref()?;
        let address = Address::new(image.get_ref());
        self.map.get(&address).and_then(|_| self.canonical(&address))
    }

    /// Returns the description of a page: the author's, or else the beginning of its text.
    pub(super) fn lede(&self, id: DocumentId) -> Option<String> {
        let said = self.site.document(id).front.description.as_ref();
        // Some generators take HTML here, which is no text.
        let is_tag =
            |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!'));
        let said = said.filter(|said| !said.split('<').skip(1).any(is_tag)).cloned();
        said.or_else(|| self.opening_words(id))
    }

    /// Returns the beginning of a page's text for previews.
    fn opening_words(&self, id: DocumentId) -> Option<String> {
        let first = self.pages[id].prose.iter().find(|passage| {
            passage.kind == ProseKind::Text && passage.text.split_whitespace().nth(2).is_some()
        })?;
        let mut text = String::new();
        for word in repair(first.text).replace('\u{fffc}', "").split_whitespace() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
            // In bytes, more than the beginning has characters.
            if text.len() > 4 * MOST_BEGINNING {
                break;
            }
        }
        Some(beginning(&text))
    }

    fn first_picture(&self, id: DocumentId) -> Option<String> {
        let images = self.pages[id].references.iter().filter(|it| it.kind == ReferenceKind::Image);
        let first =
            images.map(|image| self.resolver().resolve(self.site.document(id), &image.target)).next()?;
        match first {
            Destination::Here(here) => self.canonical(here.address),
            _ => None,
        }
    }

    /// Returns the breadcrumbs. For a step: the home page, the pages above the family, the family, and the platform.
    /// For other pages: the pages in the folders above.
    fn breadcrumbs(&self, address: &Address, id: Option<DocumentId>) -> Vec<(Link, Address)> {
        let home = Address::new("/");
        let mut crumbs = Vec::new();
        if *address != home {
            crumbs.push((self.project.site_title(), home.clone()));
        }
        if let Some(place) = id.and_then(|id| self.site.place(id)) {
            let family = self.site.family_of(place);
            let platform = self.site.platform_of(place);
            let above = self.project.pages_above(self.map, &family.address).into_iter().rev();
            crumbs.extend(above);
            if family.address != home {
                crumbs.push((family.title.clone(), family.address.clone()));
            }
            // A platform's folder may have a page. If it has none, the first step is linked.
            let folder = platform.folder();
            let has_page = self.map.get(&folder).is_some_and(Artifact::is_page);
            let first = platform.steps.first().map(|&step| self.site.document(step).address.clone());
            let to = if has_page || first.is_none() { folder } else { first.unwrap_or(folder) };
            crumbs.push((platform.name.clone(), to));
            return self.unique_crumbs(crumbs);
        }
        crumbs.extend(self.project.pages_above(self.map, address).into_iter().rev());
        self.unique_crumbs(crumbs)
    }

    /// Returns the links of breadcrumbs with unique names. A folder without a page has no link.
    fn unique_crumbs(&self, crumbs: Vec<(String, Address)>) -> Vec<(Link, Address)> {
        let namesake = |at: usize| Namesake {
            of: at,
            title: crumbs[at].0.clone(),
            above: crumbs[..at].last().map(|(above, _)| above.clone()).into_iter().collect(),
            path: crumbs[at].1.to_string(),
        };
        let titles: Vec<&str> = crumbs.iter().map(|(title, _)| title.as_str()).collect();
        let mut names: HashMap<usize, String> = distinct_names(&titles, namesake).into_iter().collect();
        let link = |(at, (title, to)): (usize, (String, Address))| {
            let title = names.remove(&at).unwrap_or(title);
            let url = self.map.get(&to).map_or_else(String::new, |_| self.url(&to));
            (Link { title, url }, to)
        };
        crumbs.into_iter().enumerate().map(link).collect()
    }

    /// Returns the page's own view, or that of a generated page.
    pub(super) fn own_or(
        &self,
        address: &Address,
        id: Option<DocumentId>,
        title: impl Fn() -> String,
    ) -> PageView {
        match id {
            Some(id) => self.page_view(address, id),
            None => self.made_view(address, title(), None),
        }
    }

    pub(super) fn toc(&self, id: DocumentId) -> Vec<SectionView> {
        let headings = self.pages[id].headings.indexed();
        headings
            .map(|(at, heading)| SectionView {
                text: heading.text.clone(),
                id: heading.id.clone(),
                level: self.work.shown_level(id, at),
            })
            .filter(|section| matches!(section.level, 2 | 3))
            .collect()
    }

    pub(super) fn link(&self, id: DocumentId) -> Link {
        let document = self.site.document(id);
        Link { title: repair(&document.title).into_owned(), url: self.url(&document.address) }
    }

    pub(super) fn url(&self, address: &Address) -> String {
        self.resolver().url(address)
    }

    pub(super) fn canonical(&self, address: &Address) -> Option<String> {
        self.project.url(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_ends_with_a_sentence_or_a_word() {
        let (word, sentence) =
            ("word ".repeat(50), format!("{}end. {}", "word ".repeat(20), "more ".repeat(50)));
        assert_eq!(beginning("Short."), "Short.");
        assert_eq!(beginning(&word), format!("{}…", "word ".repeat(32).trim_end()));
        assert_eq!(beginning(&sentence), format!("{}end.", "word ".repeat(20)));
        assert_eq!(beginning(&"ä".repeat(200)), format!("{}…", "ä".repeat(160)));
    }
}
