//! Renders artifacts.
//!
//! In: [`Rendering`], a planned site and its parsed pages. Out: for one [`Artifact`] its [`Content`]. Artifacts are
//! rendered on demand.

mod colours;
mod compare;
mod compared;
mod comparisons;
mod course;
pub mod data;
mod diagram;
mod end;
mod feed;
mod home;
mod languages;
mod link_maps;
mod other_platforms;
mod overview;
mod pictures;
mod plain;
mod platforms;
mod print;
mod redirect;
mod section;
mod shell;
mod sitemap;
mod step;
mod steps;
mod structured;
mod templates;
mod text_formats;
mod title;
mod versions;
mod view;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;
use std::ops::{Deref, RangeInclusive};
use std::sync::Arc;

use pulldown_cmark_escape::{escape_href, escape_html};
use serde::Serialize;
use tera::Context;

pub use self::templates::{Templates, load as templates};
pub(super) use self::title::bare_title;

use comparisons::Comparisons;
use other_platforms::OtherPlatforms;
use print::Printed;
use shell::Shells;
use steps::StepLists;
use text_formats::Twins;

use crate::output::drawn::Drawn;
use crate::output::pictures::Pictures;
use base::address::Address;
use base::diagnostic::Diagnostic;
use base::language::LanguageTag;
use base::site_path::SitePath;
use base::sorted::SortedMap;
use base::timings::{Stage, part};
use input::block_templates;
use input::words::Words;
use markup::highlight::HighlightedCode;
use markup::markdown::{CodeBlock, MarkedLines, OwnBlock, OwnBlockIx, Placeholder, Reference, ReferenceIx};
use review::check::GeneratedPages;
use review::translations::unknown_status;
use site::content::{DocumentId, FamilyId, Site};
use site::family::Families;
use site::family::outline::TableRow;
use site::pages::Pages;
use site::plan::{Artifact, Content, LinkStyle, Lookups, MadeAnchors, Reader, Resolver, Sitemap};
use site::project::Project;
use site::work::Work;

/// A planned site, its parsed pages, and everything that rendering computes once for several pages.
///
/// It dereferences to its [`Work`], which is all that most code reads.
#[derive(Debug)]
pub struct Rendering {
    work: Work,
    theme: Arc<Theme>,
    shells: Arc<Shells>,
    step_lists: StepLists,
    twins: Arc<Twins>,
    comparisons: Comparisons,
    /// The site in its other languages.
    translations: Vec<Arc<Rendering>>,
}

impl Deref for Rendering {
    type Target = Work;

    fn deref(&self) -> &Work {
        &self.work
    }
}

/// The templates and texts for all pages.
#[derive(Debug)]
pub struct Theme {
    templates: Templates,
    code: Arc<HighlightedCode>,
    pictures: Arc<Pictures>,
    drawn: Arc<Drawn>,
}

impl Theme {
    pub fn new(
        templates: Templates,
        code: Arc<HighlightedCode>,
        pictures: Arc<Pictures>,
        drawn: Arc<Drawn>,
    ) -> Self {
        Self { templates, code, pictures, drawn }
    }

    /// Fills a template with data.
    pub(super) fn filled(&self, template: &str, view: &impl Serialize) -> Result<String, Diagnostic> {
        self.apply(template, &context_of(template, view)?)
    }

    fn apply(&self, template: &str, context: &Context) -> Result<String, Diagnostic> {
        let filled = self.templates.render(template, context);
        filled.map_err(|error| templates::diagnostic(template, &error))
    }
}

/// Returns the content of an artifact.
///
/// # Errors
///
/// A `template-error` if a template can't be rendered.
pub fn artifact(work: &Rendering, address: &Address, artifact: &Artifact) -> Result<Content, Diagnostic> {
    artifact_with(work, (address, artifact), None, |_| None)
}

/// Like [`artifact`]. Records in `asked` on what the result depends in addition to its unit. `twin` returns the
/// content at the address of an [`Artifact::Twin`], if it is available without rendering.
///
/// # Errors
///
/// See [`artifact`].
pub fn artifact_with(
    work: &Rendering,
    (address, artifact): (&Address, &Artifact),
    asked: Option<&Lookups>,
    twin: impl Fn(&Address) -> Option<String>,
) -> Result<Content, Diagnostic> {
    let renderer = Renderer::new(work, asked, address);
    let text = match artifact {
        Artifact::Page(id) => match work.project.site.place(*id) {
            Some(place) => {
                let steps = work.step_lists.marked(&renderer, place)?;
                renderer.fill("step.html", &renderer.step_view(address, *id, place, steps)?)
            }
            None => renderer.fill("page.html", &renderer.plain_view(address, *id)?),
        },
        Artifact::Home(id) => renderer.fill("home.html", &renderer.home_view(address, *id)?),
        Artifact::Overview { family, page } => {
            renderer.fill("overview.html", &renderer.overview_view(address, *family, *page)?)
        }
        Artifact::Folder(ix) => {
            renderer.fill("section.html", &renderer.folder_view(address, work.project.plan.tree().node(*ix)))
        }
        Artifact::Compare { family } => {
            renderer.fill("compare.html", &renderer.compare_view(address, *family))
        }
        Artifact::Data { family, data } => return Ok(held(|out| data::json(work, *family, *data, out))),
        Artifact::Spreadsheet { family } => return Ok(held(|out| data::csv(work, &[*family], out))),
        Artifact::Print { family, platform } => {
            renderer.fill("print.html", &renderer.print_view(address, *family, *platform)?)
        }
        Artifact::NotFound => renderer.fill("404.html", &renderer.not_found_view()),
        Artifact::Sitemap(Sitemap::Part { from, pages }) => {
            renderer.fill("sitemap.xml", &renderer.sitemap_view(*from, *pages))
        }
        Artifact::Sitemap(Sitemap::Index { parts }) => {
            renderer.fill("sitemap-index.xml", &renderer.sitemap_index_view(*parts))
        }
        Artifact::Feed => renderer.fill("feed.xml", &renderer.feed_view(address)),
        Artifact::Translations => {
            let status = work.project.alternates.as_ref().and_then(|alternates| alternates.lags.status());
            let title = work.project.site.config.title.as_deref();
            translations(work, &status.unwrap_or_else(|| unknown_status(title).into()))
        }
        Artifact::LinkMap(form) => return Ok(Content::Bytes(Cow::Owned(renderer.link_map(*form)))),
        Artifact::Redirect { to, from } => renderer.fill("redirect.html", &renderer.redirect_view(to, *from)),
        Artifact::Twin(page) => Ok(renderer.twin(page)),
        Artifact::Llms(scope) => Ok(renderer.llms(*scope)),
        Artifact::LlmsBelow(page) => Ok(renderer.llms_below(page)),
        Artifact::LlmsFull(scope) => Ok(renderer.llms_full(*scope, twin)),
        Artifact::LookStyle => Ok(work.project.site.config.look.css().unwrap_or_default()),
        Artifact::OwnStyle => Ok(renderer.own_style()),
        Artifact::Robots => Ok(renderer.robots()),
        Artifact::Redirects => Ok(renderer.redirects()),
        Artifact::RedirectsJson => Ok(json(&renderer.moved())),
        Artifact::Asset(path) => return Ok(Content::File(work.project.sources.disk_path(path))),
        Artifact::Rendition { of, rendition } => {
            let original = work.project.sources.disk_path(of);
            let bytes = work.theme.pictures.bytes(&original, rendition);
            // This fails if an earlier run created it and its image has changed in the meantime, which the next build
            // detects.
            let content = bytes.map(|bytes| Content::Bytes(Cow::Owned(bytes.to_vec())));
            return Ok(content.unwrap_or(Content::File(original)));
        }
        Artifact::Drawing { key, .. } => {
            let bytes = work.theme.drawn.bytes(key).expect("the plan lists what was drawn");
            return Ok(Content::Bytes(Cow::Owned(bytes.to_vec())));
        }
        Artifact::Builtin(bytes) => return Ok(Content::Bytes(Cow::Borrowed(bytes))),
    };
    Ok(Content::Bytes(Cow::Owned(text?.into_bytes())))
}

/// Renders the state of all translations as a page without other files.
///
/// # Errors
///
/// A `template-error` if the template can't be rendered.
pub fn translations(work: &Rendering, status: &serde_json::Value) -> Result<String, Diagnostic> {
    work.fill("translations.html", status)
}

fn json(value: &impl Serialize) -> String {
    let json = serde_json::to_string_pretty(value).expect("strings and lists of them are JSON");
    format!("{json}\n")
}

/// Returns written content in memory.
fn held(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Content {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("a Vec takes everything");
    Content::Bytes(Cow::Owned(bytes))
}

/// Renders one artifact of each kind to find mistakes in templates before the site is published.
pub fn check_templates(work: &Rendering) -> Vec<Diagnostic> {
    let mut seen = std::collections::HashSet::new();
    let kind = |artifact: &Artifact| {
        let facts = artifact.facts();
        let is_step = facts.text.is_some_and(|id| work.project.site.place(id).is_some());
        (facts.templates, is_step)
    };
    let one_of_each = work.project.plan.artifacts().filter(|(_, artifact)| seen.insert(kind(artifact)));
    let mut found: Vec<Diagnostic> =
        one_of_each.filter_map(|(address, it)| artifact(work, address, it).err()).collect();
    for (name, template) in &block_templates::of(&work.project.sources) {
        let values = template.attributes.keys().map(|name| (name.as_str(), Cow::from("x"))).collect();
        found.extend(work.block(name, &values, "x").err());
    }
    // Kinds that share a template have different variables, which the engine lists.
    let mut places = std::collections::HashSet::new();
    found.retain(|it| places.insert((it.file.clone(), it.problem.span.clone())));
    found
}

impl Rendering {
    pub fn new(project: Arc<Project>, theme: Arc<Theme>, pages: Pages) -> Self {
        let (step_lists, twins) = (StepLists::of(&project.site), Arc::new(Twins::of(&project.site)));
        let comparisons = Comparisons::of(&project.site, &project.families);
        let work = Work { project, pages };
        let translations = Vec::new();
        Self { work, theme, shells: Arc::default(), step_lists, twins, comparisons, translations }
    }

    /// Adds the site in its other languages.
    #[must_use]
    pub fn with_translations(self, translations: Vec<Arc<Self>>) -> Self {
        Self { translations, ..self }
    }

    /// Returns the site in each language, that of the original first.
    pub fn languages(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.translations.iter().map(|work| &**work))
    }

    /// Returns the translations of the site.
    pub fn translations(&self) -> &[Arc<Self>] {
        &self.translations
    }

    /// Returns the site in a language other than the original's, if it is published in it.
    pub fn translation(&self, tag: &LanguageTag) -> Option<&Arc<Self>> {
        let is_in = |work: &&Arc<Self>| {
            work.project.sources.view.as_ref().is_some_and(|view| view.language().tag == *tag)
        };
        self.translations.iter().find(is_in)
    }

    /// Returns the site in the language of a translated page or file.
    pub fn translation_with(&self, path: &SitePath) -> Option<&Arc<Self>> {
        let languages = self.project.sources.languages()?;
        let (index, _) = languages.translated(path.as_str())?;
        self.translation(&languages.translations[index].tag)
    }

    /// Returns the same site without rendered results. Code that processes all pages uses one for each batch, so that
    /// the results of the others are freed. Pages as Markdown are shared if all of them are also published as one
    /// file, because such a site is small.
    #[must_use]
    pub fn fresh(&self) -> Self {
        let new = Self::new(self.project.clone(), self.theme.clone(), self.pages.fresh());
        let is_one_text = self.project.plan.get(&Address::new("/llms-full.txt")).is_some();
        let twins = if is_one_text { self.twins.clone() } else { new.twins };
        Self { shells: self.shells.clone(), twins, translations: self.translations.clone(), ..new }
    }

    /// Fills a template with data.
    pub(crate) fn fill(&self, template: &str, view: &impl Serialize) -> Result<String, Diagnostic> {
        self.theme.filled(template, view)
    }

    /// Fills the template of the block `name` with the values of its attributes and its content.
    fn block(
        &self,
        name: &str,
        values: &SortedMap<&str, Cow<'_, str>>,
        body: &str,
    ) -> Result<String, Diagnostic> {
        let mut context = Context::new();
        context.insert("block", values);
        context.insert("body", body);
        self.apply(&format!("blocks/{name}.html"), &context)
    }

    fn apply(&self, template: &str, context: &Context) -> Result<String, Diagnostic> {
        self.theme.apply(template, context)
    }
}

impl GeneratedPages for Rendering {
    fn anchors(&self, artifact: &Artifact) -> Option<Vec<String>> {
        let renderer =
            |family: FamilyId| Renderer::new(self, None, &self.project.site.families[family].address);
        Some(match artifact.facts().anchors? {
            MadeAnchors::Overview { family } => renderer(family).overview_anchors(family),
            MadeAnchors::Compare { family } => renderer(family).compare_anchors(family),
            MadeAnchors::Print { family, platform } => renderer(family).print_anchors(family, platform),
            MadeAnchors::Folder => Vec::new(),
        })
    }
}

fn context_of(template: &str, view: &impl Serialize) -> Result<Context, Diagnostic> {
    Context::from_serialize(view).map_err(|error| templates::diagnostic(template, &error))
}

/// Renders one address of a site. It looks things up through [`Self::map`], and accesses only pages of its own unit
/// directly.
struct Renderer<'a> {
    work: &'a Rendering,
    project: &'a Project,
    site: &'a Site,
    families: &'a Families,
    words: &'a Words,
    pages: &'a Pages,
    map: Reader<'a>,
    at: &'a Address,
}

impl<'a> Renderer<'a> {
    fn new(work: &'a Rendering, asked: Option<&'a Lookups>, at: &'a Address) -> Self {
        let project = &*work.project;
        let Project { site, families, words, .. } = project;
        Self { work, project, site, families, words, pages: &work.pages, map: project.map(asked), at }
    }

    /// Fills a template with its view and the data that all pages share.
    fn fill(&self, template: &str, view: &impl Serialize) -> Result<String, Diagnostic> {
        let mut context = context_of(template, view)?;
        self.shell()?.add_to(&mut context);
        self.work.apply(template, &context)
    }

    /// Returns a resolver for links on this address. The 404 page is shown at any depth, so its links are
    /// root-relative.
    fn resolver(&self) -> Resolver<'a> {
        let is_anywhere = || matches!(self.map.get(self.at), Some(Artifact::NotFound));
        let relative_to = (self.is_by_page() && !is_anywhere()).then_some(self.at);
        Resolver { relative_to, ..self.project.resolver_of(self.map) }
    }

    /// Whether links to the same address differ between pages.
    fn is_by_page(&self) -> bool {
        self.project.links == LinkStyle::FromPage
    }

    /// Returns a page's HTML with its placeholders filled, or the first error in a template of a block.
    fn body(&self, id: DocumentId) -> Result<String, Diagnostic> {
        let mut html = self.filled(id, None)?;
        self.mark_outdated(id, &mut html);
        Ok(html)
    }

    /// The same, as a step of a page with several if it is `printed`.
    fn filled(&self, id: DocumentId, printed: Option<&Printed>) -> Result<String, Diagnostic> {
        let document = self.site.document(id);
        let page = self.pages.whole(id);
        let href = |reference: &Reference| match printed {
            _ if reference.is_unsafe() => String::new(),
            Some(printed) => self.printed_href(printed, document, &reference.target),
            None => self.resolver().href(document, &reference.target),
        };
        let prefix = printed.map_or_else(String::new, |printed| printed.prefix(&document.address));
        let mut html = String::with_capacity(2 * page.body.size());
        let mut pictures = 0;
        // The first image is likely to be visible, and a printed page loads all images immediately.
        let is_lazy = |pictures: usize| pictures > 0 && printed.is_none();
        let mut shown = None;
        let mut elsewhere = None;
        // The open blocks, each with the position of its content.
        let mut blocks: Vec<(OwnBlockIx, usize)> = Vec::new();
        let (mut has_code_style, mut has_formula_style) = (false, false);
        let (mut has_diagram, mut is_drawn) = (false, false);
        for (piece, placeholder) in page.body.pieces() {
            let piece = if std::mem::take(&mut is_drawn) { diagram::after_code(piece) } else { piece };
            html.push_str(piece);
            match placeholder {
                Some(Placeholder::BlockStart(at)) => blocks.push((at, html.len())),
                Some(Placeholder::BlockEnd) => {
                    let Some((at, start)) = blocks.pop() else { continue };
                    let body = html.split_off(start);
                    html.push_str(&self.own_block(&page.blocks[at], &body, |at| href(&page.references[at]))?);
                }
                Some(Placeholder::CodeStyle) => {
                    if !std::mem::replace(&mut has_code_style, true) {
                        self.style("code.css", &mut html);
                    }
                }
                Some(Placeholder::FormulaStyle) => {
                    if !std::mem::replace(&mut has_formula_style, true) {
                        self.style("formula.css", &mut html);
                    }
                }
                Some(Placeholder::Address(at)) => {
                    escape(&href(&page.references[at]), &mut html);
                }
                Some(Placeholder::PictureStart(at)) => {
                    let picture = self.shown(document, &page.references[at], is_lazy(pictures));
                    self.before_picture(shown.insert(picture), &mut html);
                    pictures += 1;
                }
                Some(Placeholder::Picture(_)) => {
                    if let Some(picture) = &shown {
                        self.in_picture(picture, &mut html);
                    }
                }
                Some(Placeholder::PictureEnd) => {
                    if let Some(picture) = shown.take() {
                        self.after_picture(&picture, piece, &mut html);
                    }
                }
                Some(Placeholder::Size { at, width }) => {
                    self.size(document, &page.references[at], width, &mut html);
                }
                Some(Placeholder::Lazy) => {
                    html.push_str(if is_lazy(pictures) { " loading=\"lazy\"" } else { "" });
                    pictures += 1;
                }
                Some(Placeholder::Code(at)) => {
                    is_drawn = self.diagram(&page.code[at], !has_diagram, &mut html);
                    has_diagram |= is_drawn;
                    if !is_drawn {
                        self.code(&page.code[at], &mut html);
                    }
                }
                // A page with several steps has a separate title.
                Some(Placeholder::Level(_)) if printed.is_some() => html.push('2'),
                Some(Placeholder::Level(at)) => {
                    write!(html, "{}", self.work.shown_level(id, at)).expect("a String takes everything");
                }
                // Readers can't open details on a printed page.
                Some(Placeholder::Setting { table, row }) if printed.is_none() => {
                    elsewhere
                        .get_or_insert_with(|| OtherPlatforms::of(self, id))
                        .push_row(TableRow { table, row }, &mut html);
                }
                Some(Placeholder::IdPrefix) => html.push_str(&prefix),
                Some(Placeholder::Word(word)) => {
                    escape_html(&mut html, self.words.get(word)).expect("a String takes everything");
                }
                Some(Placeholder::NumberedWord(word, number)) => {
                    let said = self.words.say(word, &[("number", &number)]);
                    escape_html(&mut html, &said).expect("a String takes everything");
                }
                Some(Placeholder::Setting { .. }) | None => {}
            }
        }
        Ok(html)
    }

    /// Fills the template of one of the site's own blocks.
    fn own_block(
        &self,
        block: &OwnBlock,
        body: &str,
        href: impl Fn(ReferenceIx) -> String,
    ) -> Result<String, Diagnostic> {
        let mut values: SortedMap<&str, Cow<'_, str>> = SortedMap::new();
        for (name, value) in &block.attributes {
            values.insert(name, value.into());
        }
        for (name, at) in &block.references {
            values.insert(name, href(*at).into());
        }
        self.work.block(&block.name, &values, body)
    }

    /// Writes a link to a style for content that few pages contain.
    fn style(&self, name: &str, html: &mut String) {
        if let Some(style) = self.project.plan.assets().get(name) {
            html.push_str("<link rel=\"stylesheet\" href=\"");
            escape(&self.url(style), html);
            html.push_str("\">\n");
        }
    }

    /// Writes the content of a code block.
    fn code(&self, block: &CodeBlock, html: &mut String) {
        let mut push = |inside: &str| {
            let marked = stepkin_highlight::mark(inside, &block.marks);
            match &block.lines {
                Some(lines) => html.push_str(&marked_lines(&marked, lines)),
                None => html.push_str(&marked),
            }
        };
        if self.site.config.highlight.enabled {
            let _part = part(Stage::Highlight);
            push(&self.work.theme.code.html(&block.language, &block.code));
        } else {
            push(&stepkin_highlight::plain(&block.code));
        }
    }
}

/// Marks the lines of a code block in its HTML. No element continues on the next line.
fn marked_lines(html: &str, lines: &MarkedLines) -> String {
    let is_in = |ranges: &[RangeInclusive<usize>], number| ranges.iter().any(|range| range.contains(&number));
    stepkin_highlight::lines(html, |number| {
        let class = if is_in(&lines.focused, number) { " class=\"focused\"" } else { "" };
        let (start, end) = if is_in(&lines.added, number) {
            ("<ins>", "</ins>")
        } else if is_in(&lines.removed, number) {
            ("<del>", "</del>")
        } else {
            ("", "")
        };
        Some((format!("<span data-line=\"{number}\"{class}>{start}"), format!("{end}</span>")))
    })
}

/// Escapes a URL for a quoted attribute. Characters that aren't allowed in URLs are percent-encoded, as in
/// CommonMark's examples, and encoded ones stay.
fn escape(address: &str, html: &mut String) {
    escape_href(html, address).expect("a String takes everything");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::pipeline::{self, Options};
    use base::site_path::SitePath;
    use input::source::{Sources, Text};

    #[test]
    fn a_step_list_of_the_site_marks_the_step_of_the_page() {
        let mut sources = Sources::default();
        for (platform, order) in [("ios", 1), ("ios", 2), ("web", 1), ("web", 2)] {
            let path: SitePath = format!("content/tour/{platform}/s{order}.md").as_str().into();
            let text = format!("---\ntitle: S <{order}>\norder: {order}\n---\n");
            sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
        }
        let path = SitePath::from("templates/steps.html");
        let list = "{{ platform.name }} {{ platform.steps }}{% for step in steps %}\n{{ step.url }}{{ step.aria_current }} {{ step.title }}{% endfor %}";
        sources.templates.insert(path.clone(), Text::new(path, list.into()));
        let path = SitePath::from("templates/step.html");
        sources.templates.insert(path.clone(), Text::new(path, "{{ steps | safe }}".into()));

        let (work, report) =
            pipeline::plan(sources, &Options::default(), &crate::output::cache::Cache::default())
                .expect("it loads");
        assert!(report.is_empty(), "{report:?}");
        for (address, expected) in [
            (
                "/tour/ios/s1/",
                "iOS 2\n/tour/ios/s1/ aria-current=\"page\" S &lt;1&gt;\n/tour/ios/s2/ S &lt;2&gt;",
            ),
            (
                "/tour/web/s2/",
                "Web 2\n/tour/web/s1/ S &lt;1&gt;\n/tour/web/s2/ aria-current=\"page\" S &lt;2&gt;",
            ),
        ] {
            let address = Address::new(address);
            let content = artifact(&work, &address, work.project.plan.get(&address).expect("a page"));
            assert_eq!(content.expect("it renders"), Content::Bytes(expected.as_bytes().into()));
        }
    }

    #[test]
    fn one_text_of_all_pages_is_for_sites_that_can_be_read_at_once() {
        for (pages, expected) in [(1000, true), (1001, false)] {
            let mut sources = Sources::default();
            for page in 0..pages {
                let (platform, step) = (["web", "ios"][page % 2], page / 2);
                let path: SitePath = format!("content/tour/{platform}/s{step}.md").as_str().into();
                let text = format!("---\ntitle: S\norder: {step}\n---\n");
                sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
            }
            let (work, _) =
                pipeline::plan(sources, &Options::default(), &crate::output::cache::Cache::default())
                    .expect("it loads");
            assert_eq!(work.project.plan.get(&Address::new("/llms-full.txt")).is_some(), expected);
            assert!(work.project.plan.get(&Address::new("/tour/web/llms-full.txt")).is_some());
        }
    }

    #[test]
    fn a_large_site_has_several_sitemaps_and_a_list_of_them() {
        let mut sources = Sources::default();
        let config = "base_url = 'https://e.org'".into();
        sources.config = Some(Text::new(base::site_path::CONFIG.into(), config));
        for page in ["a", "b", "c", "d"] {
            let path: SitePath = format!("content/{page}.md").as_str().into();
            sources.pages.insert(path.clone(), Text::new(path, "---\ntitle: T\n---\n".into()));
        }
        let (work, _) = pipeline::plan(sources, &Options::default(), &crate::output::cache::Cache::default())
            .expect("it loads");
        let at = Address::new("/sitemap.xml");
        let renderer = Renderer::new(&work, None, &at);
        let part = |from| renderer.fill("sitemap.xml", &renderer.sitemap_view(from, 2)).expect("it renders");
        // The home page and four others.
        let urls: Vec<_> =
            [0, 2, 4].map(|from| part(from).matches("<url><loc>https://e.org/").count()).into();
        assert_eq!(urls, [2, 2, 1]);
        let index =
            artifact(&work, &at, &Artifact::Sitemap(Sitemap::Index { parts: 2 })).expect("it renders");
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
            <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
            <sitemap><loc>https://e.org/sitemap-1.xml</loc></sitemap>\n\
            <sitemap><loc>https://e.org/sitemap-2.xml</loc></sitemap>\n</sitemapindex>\n";
        assert_eq!(index, Content::Bytes(expected.as_bytes().into()));
    }

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
