//! Writes files for programs: pages as Markdown, lists of them, redirects, and rules for crawlers.
//!
//! URLs are absolute if the site's host is known, because these texts are read outside the site.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::OnceLock;

use serde::Serialize;

use super::Renderer;
use base::address::Address;
use base::index::IndexVec;
use base::url::encoded;
use input::words::Word;
use markup::markdown::{repair, twin};
use site::content::{Document, DocumentId, Family, Platform, Site};
use site::plan::{Artifact, At, Destination, Landing, ListScope, Node, Resolver, lists};

/// Pages as Markdown, each created on first use, because it is published separately and in two lists.
#[derive(Debug)]
pub(super) struct Twins(IndexVec<DocumentId, OnceLock<String>>);

impl Twins {
    pub(super) fn of(site: &Site) -> Self {
        Self(site.documents.iter().map(|_| OnceLock::new()).collect())
    }
}

/// An old address and its target, both relative to the host's root.
#[derive(Debug, Serialize)]
pub(super) struct Moved {
    from: String,
    to: String,
}

/// Pages under a heading.
struct Section {
    title: String,
    /// The family and platform of its pages. `None` for pages outside families.
    version: Option<String>,
    pages: Vec<DocumentId>,
}

/// The tree under a page: titles, addresses and descriptions.
#[derive(Default)]
struct Below<'s> {
    /// With the addresses of their lists.
    families: Vec<(&'s str, Address, Option<String>)>,
    sections: Vec<(&'s str, Address, Option<String>)>,
    pages: Vec<(&'s str, &'s Address, Option<String>)>,
}

impl Renderer<'_> {
    /// Returns a page as Markdown: its title, its text, and for overviews their lists.
    pub(super) fn twin(&self, page: &Address) -> String {
        match self.map.get(page) {
            Some(Artifact::Home(own)) => {
                let mut text = own.map_or_else(
                    || titled(&self.project.site_title(), ""),
                    |id| self.page_as_markdown(id).into_owned(),
                );
                let tutorials = self
                    .site
                    .families
                    .iter()
                    .map(|family| (&*family.name, &family.address, Some(family.platform_names())));
                self.list(&mut text, self.words.get(Word::Tutorials), tutorials);
                let is_other = |node: &Node| !matches!(node.at, At::Family(_));
                self.list(&mut text, self.words.get(Word::Sections), self.nodes(page, is_other));
                text
            }
            Some(Artifact::Overview { family, page: own }) => {
                let title = &self.site.families[*family].title;
                let mut text =
                    own.map_or_else(|| titled(title, ""), |id| self.page_as_markdown(id).into_owned());
                let platforms = &self.site.families[*family].platforms;
                for platform in platforms {
                    self.list(&mut text, &platform.name, self.entries(&platform.steps));
                }
                text
            }
            Some(Artifact::Folder(ix)) => {
                let mut text = titled(&self.project.plan.tree().node(*ix).title, "");
                self.list(&mut text, self.words.get(Word::InSection), self.nodes(page, |_| true));
                text
            }
            Some(artifact) => {
                artifact.document().map_or_else(String::new, |id| self.page_as_markdown(id).into_owned())
            }
            None => String::new(),
        }
    }

    /// Returns a list in the format of <https://llmstxt.org>: a title, a summary, and lists of links to pages as
    /// Markdown.
    pub(super) fn llms(&self, scope: ListScope) -> String {
        let mut text = self.heading_of(scope);
        if scope == ListScope::Site && !lists::are_one(self.site) {
            self.below(&mut text, &Address::new("/"));
            return text;
        }
        for section in self.sections(scope) {
            self.list(&mut text, &section.title, self.entries(&section.pages));
        }
        text
    }

    /// Returns the same for the page at an address and the tree under it.
    pub(super) fn llms_below(&self, page: &Address) -> String {
        let artifact = self.map.get(page);
        let own = artifact.and_then(Artifact::document);
        let title = self.project.title_at(page).unwrap_or_default();
        let mut text = heading(&title, own.and_then(|id| self.description(id)));
        if let Some(Artifact::Overview { family, .. }) = artifact {
            for platform in &self.site.families[*family].platforms {
                self.list(&mut text, &platform.name, self.entries(&platform.steps));
            }
        }
        self.below(&mut text, page);
        text
    }

    /// Appends the tree under a page: links to the lists of families and sections with their own list, and to the
    /// page itself and all others as Markdown.
    fn below(&self, text: &mut String, page: &Address) {
        let own = Vec::from_iter(self.map.get(page).and_then(Artifact::document));
        let mut below = Below { pages: self.entries(&own).collect(), ..Below::default() };
        self.gather(page, &mut below);
        self.links(text, self.words.get(Word::Tutorials), below.families.into_iter());
        self.links(text, self.words.get(Word::Sections), below.sections.into_iter());
        self.list(text, self.words.get(Word::OtherPages), below.pages.into_iter());
    }

    fn gather<'s>(&'s self, page: &Address, below: &mut Below<'s>) {
        for node in self.map.around(page).children {
            let title = self.map.name(&node.address).unwrap_or(&node.name);
            let description = node.description.clone();
            let list = node.address.list();
            let has_list = || matches!(self.map.get(&list), Some(Artifact::LlmsBelow(_)));
            match node.at {
                At::Family(_) if has_list() => below.families.push((title, list, description)),
                At::Family(_) => below.families.push((title, node.address.twin(), description)),
                _ if !node.is_leaf() && has_list() => below.sections.push((title, list, description)),
                at => {
                    if matches!(at, At::Page(_)) {
                        below.pages.push((title, &node.address, description));
                    }
                    if !node.is_leaf() {
                        self.gather(&node.address, below);
                    }
                }
            }
        }
    }

    /// Returns every page in scope as Markdown. `twin` is described at [`super::artifact_with`].
    pub(super) fn llms_full(&self, scope: ListScope, twin: impl Fn(&Address) -> Option<String>) -> String {
        let mut text = self.heading_of(scope);
        for section in self.sections(scope) {
            for &id in &section.pages {
                let address = &self.site.document(id).address;
                let url = self.public_url(address);
                write!(text, "\n---\n\n{}: {url}\n", self.words.get(Word::Source))
                    .expect("a String takes everything");
                if let Some(version) = &section.version {
                    writeln!(text, "{}: {version}", self.words.get(Word::Tutorial))
                        .expect("a String takes everything");
                }
                text.push('\n');
                // The Markdown of the home page and overviews contains more than their text.
                let is_page = self.map.get(address) == Some(&Artifact::Page(id));
                let known = if is_page && self.is_same_anywhere() { twin(&address.twin()) } else { None };
                text.push_str(&known.map_or_else(|| self.page_as_markdown(id), Cow::Owned));
            }
        }
        text
    }

    /// Returns rules that allow everything.
    pub(super) fn robots(&self) -> String {
        let sitemap = Address::new("/sitemap.xml");
        let own = self.map.get(&sitemap).and_then(|_| self.canonical(&sitemap));
        let others = self.project.alternates_of(self.map, &sitemap).into_iter().skip(1);
        let others = others.filter_map(|it| self.site.config.url_in(&it.language.path, &sitemap));
        let urls: Vec<String> = own.into_iter().chain(others).collect();
        let mut rules = String::from("User-agent: *\nAllow: /\n");
        rules.push_str(if urls.is_empty() { "" } else { "\n" });
        for url in urls {
            writeln!(rules, "Sitemap: {url}").expect("a String takes everything");
        }
        rules
    }

    /// Returns every redirect that a server can be configured with, by old address, and those of translated pages.
    pub(super) fn moved(&self) -> Vec<Moved> {
        let mut moved = self.moved_in_language();
        for work in self.work.translations() {
            moved.extend(Renderer::new(work, None, self.at).moved_in_language());
        }
        moved
    }

    fn moved_in_language(&self) -> Vec<Moved> {
        let resolver = self.project.resolver();
        let moved = self.project.plan.artifacts().filter_map(|(address, artifact)| {
            let Artifact::Redirect { to, from } = artifact else { return None };
            let document = self.site.document(*from);
            if document.foreign.is_some() {
                return None;
            }
            let to = encoded(&resolver.href(document, to));
            let is_address = to.starts_with('/') || to.contains("://");
            is_address.then(|| Moved { from: resolver.url(address), to })
        });
        moved.collect()
    }

    /// Returns redirects in the format of Netlify and Cloudflare Pages, one per line.
    ///
    /// Doesn't use Netlify's `301!`, which Cloudflare rejects. If a host serves files first, the page at the old
    /// address redirects.
    pub(super) fn redirects(&self) -> String {
        let mut lines = String::new();
        for Moved { from, to } in self.moved() {
            // Hosts interpret `*` as any path and `:name` as a segment.
            let from = from.replace('*', "%2A").replace(':', "%3A");
            writeln!(lines, "{from} {to} 301").expect("a String takes everything");
        }
        lines
    }

    /// Whether the Markdown of a page is the same at any address. Relative links depend on the address.
    fn is_same_anywhere(&self) -> bool {
        !self.is_by_page() || self.site.config.origin().is_some()
    }

    fn page_as_markdown(&self, id: DocumentId) -> Cow<'_, str> {
        if !self.is_same_anywhere() {
            return Cow::Owned(self.as_markdown(id));
        }
        Cow::Borrowed(self.work.twins.0[id].get_or_init(|| self.as_markdown(id)))
    }

    fn as_markdown(&self, id: DocumentId) -> String {
        let document = self.site.document(id);
        let address = |target: &str| self.public_href(document, target);
        let text = twin(
            &document.text(),
            document.body,
            &document.edition,
            &document.dialect,
            &self.pages[id],
            address,
        );
        if self.work.is_titled(id) { text } else { titled(&repair(&document.title), &text) }
    }

    /// Returns the title of a scope, and its summary if it has one.
    fn heading_of(&self, scope: ListScope) -> String {
        let (title, page) = match scope {
            ListScope::Site => (self.project.site_title(), Address::new("/")),
            ListScope::Platform { family, platform } => {
                let family = &self.site.families[family];
                (format!("{} ({})", family.title, family.platforms[platform].name), family.address.clone())
            }
        };
        let own = self.map.get(&page).and_then(Artifact::document);
        let said = own.and_then(|id| self.description(id));
        // Large sites list their tutorials, which may be many.
        let is_short = scope == ListScope::Site && lists::are_one(self.site);
        let summary = said.or_else(|| is_short.then(|| self.tutorials()).flatten());
        heading(&repair(&title), summary)
    }

    /// Returns the author's description of a page, as one line.
    fn description(&self, id: DocumentId) -> Option<String> {
        self.site.document(id).front.description.as_deref().map(line_of)
    }

    /// For example `Tutorials: Send your first event (Web, iOS).`
    fn tutorials(&self) -> Option<String> {
        let families = self
            .site
            .families
            .iter()
            .map(|family| format!("{} ({})", repair(&family.name), family.platform_names()));
        let families: Vec<String> = families.collect();
        let list = || format!("{}: {}.", self.words.get(Word::Tutorials), families.join("; "));
        (!families.is_empty()).then(list)
    }

    fn sections(&self, scope: ListScope) -> Vec<Section> {
        match scope {
            ListScope::Platform { family, platform } => {
                let family = &self.site.families[family];
                let section = steps_of(family, &family.platforms[platform]);
                vec![Section { title: self.words.get(Word::Steps).into(), ..section }]
            }
            ListScope::Site => {
                let mut sections = Vec::new();
                for family in self.site.families.iter() {
                    sections.extend(family.platforms.iter().map(|platform| steps_of(family, platform)));
                }
                let is_other = |&id: &DocumentId| {
                    let artifact = self.map.get(&self.site.document(id).address);
                    self.site.place(id).is_none() && artifact.and_then(Artifact::document) == Some(id)
                };
                let is_translated = |id: &DocumentId| self.site.document(*id).foreign.is_none();
                for section in &mut sections {
                    section.pages.retain(is_translated);
                }
                sections.retain(|section| !section.pages.is_empty());
                let pages = self.site.documents.indices().filter(is_other).filter(is_translated);
                let pages: Vec<DocumentId> = pages.collect();
                if !pages.is_empty() {
                    sections.push(Section {
                        title: self.words.get(Word::OtherPages).into(),
                        version: None,
                        pages,
                    });
                }
                sections
            }
        }
    }

    /// Returns the titles, addresses and descriptions of pages.
    fn entries<'s>(
        &'s self,
        pages: &'s [DocumentId],
    ) -> impl Iterator<Item = (&'s str, &'s Address, Option<String>)> {
        pages.iter().map(|&id| {
            let document = self.site.document(id);
            (
                self.map.name(&document.address).unwrap_or(&document.title),
                &document.address,
                self.description(id),
            )
        })
    }

    /// Returns the children of an address in the tree.
    fn nodes(
        &self,
        address: &Address,
        is_listed: impl Fn(&Node) -> bool,
    ) -> impl Iterator<Item = (&str, &Address, Option<String>)> {
        let nodes = self.map.around(address).children.into_iter().filter(move |node| is_listed(node));
        nodes.map(|node| (&*node.name, &node.address, node.description.clone()))
    }

    /// Appends a heading and links to the Markdown of pages, if there are any.
    fn list<'s>(
        &self,
        text: &mut String,
        title: &str,
        entries: impl Iterator<Item = (&'s str, &'s Address, Option<String>)>,
    ) {
        self.links(text, title, entries.map(|(title, page, description)| (title, page.twin(), description)));
    }

    /// Appends a heading and links, if there are any.
    fn links<'s>(
        &self,
        text: &mut String,
        title: &str,
        entries: impl Iterator<Item = (&'s str, Address, Option<String>)>,
    ) {
        let mut entries = entries.peekable();
        if entries.peek().is_some() {
            write!(text, "\n## {}\n\n", line_of(title)).expect("a String takes everything");
        }
        for (title, address, description) in entries {
            let mut title = line_of(title);
            if title.contains(['[', ']']) {
                title = title.replace('[', "\\[").replace(']', "\\]");
            }
            let url = self.public_url(&address);
            let description = description.map_or_else(String::new, |text| format!(": {text}"));
            writeln!(text, "- [{title}]({url}){description}").expect("a String takes everything");
        }
    }

    /// Returns the URL of an address, or its path if the host is unknown.
    fn public_url(&self, address: &Address) -> String {
        let url = self.canonical(address).unwrap_or_else(|| self.url(address));
        if url.contains(['(', ')']) { url.replace('(', "%28").replace(')', "%29") } else { url }
    }

    /// Returns a page's target as a URL that is valid everywhere.
    fn public_href(&self, from: &Document, target: &str) -> String {
        let destination = self.resolver().resolve(from, target);
        match &destination {
            Destination::Here(here) if !here.from_own_host => match self.resolver().follow(*here) {
                Landing::Here(here) => Resolver::with_end(self.public_url(here.address), here),
                Landing::External(url) => url,
            },
            destination => self.resolver().href_to(destination, target),
        }
    }
}

/// Returns the steps of a platform.
fn steps_of(family: &Family, platform: &Platform) -> Section {
    let title = format!("{} ({})", repair(&family.title), platform.name);
    Section { version: Some(title.clone()), title, pages: platform.steps.to_vec() }
}

/// Returns a title, and a summary if there is one.
fn heading(title: &str, summary: Option<String>) -> String {
    titled(title, &summary.map_or_else(String::new, |summary| format!("> {summary}\n")))
}

fn titled(title: &str, text: &str) -> String {
    let gap = if text.is_empty() { "" } else { "\n" };
    format!("# {}\n{gap}{text}", line_of(title))
}

fn line_of(text: &str) -> String {
    let text = repair(text);
    let mut last = b' ';
    let is_one_line = text.bytes().all(|byte| {
        let before = std::mem::replace(&mut last, byte);
        byte.is_ascii_graphic() || byte == b' ' && before != b' '
    });
    // Fast path: nearly all are one line.
    if is_one_line && last != b' ' {
        return text.into_owned();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
