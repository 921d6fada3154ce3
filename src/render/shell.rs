//! What all pages share: made once for the site, or once for a page where links lead from it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Serialize;
use tera::{Context, Value};

use super::Renderer;
use crate::address::Address;
use crate::diagnostic::Diagnostic;
use crate::words;

/// What every template is given as `site`.
#[derive(Debug, Serialize)]
struct SiteView {
    title: String,
    language: String,
    /// `ltr` or `rtl`.
    direction: &'static str,
    /// Link to the home page.
    home: String,
    /// Links to styles, scripts and other files of `/_stepkin/`, by name.
    assets: BTreeMap<String, String>,
    /// Whether readers can search.
    search: bool,
    generator: &'static str,
}

/// What is given to every template beside its own view.
#[derive(Clone, Debug)]
pub(super) struct Shell {
    site: Value,
    /// What these templates make of it, by the name that others are given it by.
    once: [(&'static str, Value); 3],
}

/// Templates that are filled once, by what others are given them as.
const ONCE: [(&str, &[&str]); 3] =
    [("head", &["head.html"]), ("finish", &["finish.html"]), ("parts", &["parts.html", "search.html"])];

/// The shell of a site's pages, once one of them is rendered.
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
        match self.is_by_page() {
            // Links from the page are other links on every page.
            true => Shell::of(self),
            false => self.work.shells.0.get_or_init(|| Shell::of(self)).clone(),
        }
    }

    fn site_view(&self) -> SiteView {
        SiteView {
            title: self.project.site_title(),
            language: self.site.config.language.clone(),
            direction: words::direction(&self.site.config.language),
            home: self.url(&Address::new("/")),
            assets: self
                .project
                .plan
                .assets()
                .iter()
                .map(|(name, at)| (name.clone(), self.url(at)))
                .collect(),
            search: self.site.config.search.enabled,
            generator: concat!("stepkin ", env!("CARGO_PKG_VERSION")),
        }
    }
}
