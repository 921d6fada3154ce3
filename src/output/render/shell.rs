//! Data that all pages share. It is created once for the site, or once per page if links are relative.

use std::sync::OnceLock;

use serde::Serialize;
use tera::{Context, Value};

use super::view::Link;
use super::{Renderer, escape};
use base::address::Address;
use base::diagnostic::Diagnostic;
use base::sorted::SortedMap;
use input::config::SiteLink;
use input::words;
use markup::css;
use markup::markdown::HeadHtml;
use site::plan::{FEED, OWN_STYLE};

/// The value of `site` in every template.
#[derive(Debug, Serialize)]
struct SiteView {
    title: String,
    language: String,
    /// `ltr` or `rtl`.
    direction: &'static str,
    /// The language for social networks, such as `pt_BR`, if the site has several.
    locale: Option<String>,
    /// Link to the home page.
    home: String,
    /// Links to styles, scripts and other files in `/_stepkin/`, by name.
    assets: SortedMap<String, String>,
    /// Link to the feed, if the site has one.
    feed: Option<String>,
    /// Whether the site has a search.
    search: bool,
    logo: Option<LogoView>,
    /// Whether the header shows the title.
    titled: bool,
    /// Links in the header.
    links: Vec<Link>,
    footer: FooterView,
    /// The site's HTML for the head of every page.
    head: Option<String>,
    generator: &'static str,
}

#[derive(Debug, Serialize)]
struct LogoView {
    src: String,
    /// The dark version.
    dark: Option<String>,
    /// In pixels, if known.
    width: Option<usize>,
    height: Option<usize>,
}

#[derive(Debug, Serialize)]
struct FooterView {
    text: Option<String>,
    links: Vec<Link>,
}

/// Data for every template in addition to its own view.
#[derive(Clone, Debug)]
pub(super) struct Shell {
    site: Value,
    /// The output of shared templates, by the variable that contains it.
    once: [(&'static str, Value); ONCE.len()],
}

/// Templates that are filled once, with the variable that contains the result.
const ONCE: [(&str, &[&str]); 5] = [
    ("head", &["head.html"]),
    ("brand", &["brand.html"]),
    ("foot", &["foot.html"]),
    ("finish", &["finish.html"]),
    ("parts", &["parts.html", "search.html"]),
];

/// The shell of a site's pages, created when the first of them is rendered.
#[derive(Debug, Default)]
pub(super) struct Shells(OnceLock<Result<Shell, Diagnostic>>);

impl Shell {
    fn of(renderer: &Renderer<'_>) -> Result<Self, Diagnostic> {
        let view = renderer.site_view();
        let site = Value::from_serializable(&view);
        let mut context = Context::new();
        context.insert_value("site", site.clone());
        let mut once = ONCE.map(|(name, _)| (name, Value::none()));
        for ((_, templates), (_, value)) in ONCE.iter().zip(&mut once) {
            let used = templates.iter().filter(|name| view.search || **name != "search.html");
            let fill = |template: &&str| {
                let filled = renderer.work.apply(template, &context)?;
                Ok::<_, Diagnostic>(filled.trim().to_string())
            };
            let filled = used.map(fill).collect::<Result<Vec<_>, _>>()?;
            *value = Value::from_serializable(&filled.join("\n"));
        }
        Ok(Self { site, once })
    }

    pub(super) fn add_to(&self, context: &mut Context) {
        context.insert_value("site", self.site.clone());
        for (name, value) in &self.once {
            context.insert_value(*name, value.clone());
        }
    }
}

impl Renderer<'_> {
    pub(super) fn shell(&self) -> Result<Shell, Diagnostic> {
        if self.is_by_page() {
            // Links from the page are other links on every page.
            Shell::of(self)
        } else {
            self.work.shells.0.get_or_init(|| Shell::of(self)).clone()
        }
    }

    fn logo(&self) -> Option<LogoView> {
        let logo = self.project.logo()?;
        let size = logo.dimensions;
        Some(LogoView {
            src: self.url(logo.address),
            dark: logo.dark.map(|dark| self.url(dark)),
            width: size.map(|size| size.width),
            height: size.map(|size| size.height),
        })
    }

    fn site_links(&self, links: &[SiteLink]) -> Vec<Link> {
        let url = |link: &SiteLink| match link.path() {
            Some(path) => self.site_path(path),
            None => link.url.get_ref().clone(),
        };
        links.iter().map(|link| Link { title: link.title.clone(), url: url(link) }).collect()
    }

    /// Returns a link to a path on the site.
    fn site_path(&self, path: &str) -> String {
        match self.resolver().find(path) {
            Some(address) => self.url(address),
            // Another program creates it, or it is missing and reported.
            None => self.url(&Address::new(path)),
        }
    }

    /// Returns the style sheet of the site, with its paths relative to the published style sheet.
    pub(super) fn own_style(&self) -> String {
        let Some(own) = self.project.sources.templates.get(&OWN_STYLE.into()) else { return String::new() };
        let css = own.text();
        let (mut written, mut at) = (String::new(), 0);
        for path in css::paths(&css).into_iter().filter(|path| css[path.clone()].starts_with('/')) {
            written.push_str(&css[at..path.start]);
            written.push_str(&self.site_path(&css[path.clone()]));
            at = path.end;
        }
        written + &css[at..]
    }

    /// Returns the site's HTML with its paths as links from this page.
    fn site_head(&self, html: &str) -> String {
        let (mut written, mut at) = (String::new(), 0);
        for path in HeadHtml::of(html).paths {
            written.push_str(&html[at..path.start]);
            escape(&self.site_path(&html[path.clone()]), &mut written);
            at = path.end;
        }
        written + &html[at..]
    }

    fn site_view(&self) -> SiteView {
        let config = &self.site.config;
        SiteView {
            title: self.project.site_title(),
            language: config.language.clone(),
            direction: words::direction(&config.language),
            locale: self.project.sources.view.as_ref().map(|_| config.language.replace('-', "_")),
            home: self.url(&Address::new("/")),
            assets: self
                .project
                .plan
                .assets()
                .iter()
                .map(|(name, at)| (name.clone(), self.url(at)))
                .collect(),
            feed: config.has_feed().then(|| self.url(&Address::new(FEED))),
            search: config.search.enabled,
            logo: self.logo(),
            titled: config.header.title || config.header.logo.is_none(),
            links: self.site_links(&config.header.links),
            footer: FooterView {
                text: config.footer.text.clone(),
                links: self.site_links(&config.footer.links),
            },
            head: config.head.as_ref().map(|head| self.site_head(head.get_ref())),
            generator: concat!("stepkin ", env!("CARGO_PKG_VERSION")),
        }
    }
}
