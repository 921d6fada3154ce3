//! The stages whose results are cached in memory, each with its key: a hash of everything that the result depends on.
//!
//! Results for one family or one part of the search have their keys elsewhere: see
//! [`family::align`](site::family::align), [`drift::find`](review::drift::find), and
//! [`search::StoredSearch`](crate::output::search::StoredSearch).

use std::sync::Arc;

use super::{Options, configuration};
use crate::output::cache::Cache;
use crate::output::embedded::BUILT_IN;
use crate::output::render::{self, Theme};
use crate::output::{cards, diagrams};
use base::address::Address;
use base::diagnostic::{Report, Reported};
use base::error::Result;
use base::timings::{Stage, part, stage};
use input::config::Config;
use input::source::git::{self, Days};
use input::source::{Asset, Sources};
use input::words::{self, Words};
use review::check::Routes;
use site::content::{self, Site};
use site::memo::{Dependency, MemoKey};
use site::pages::Pages;
use site::plan::{self, ByPicture, Drawings, Plan};

/// A site with its key, and the findings from loading it.
pub(super) struct LoadedSite {
    pub(super) site: Site,
    pub(super) found: Report,
    /// Hash of everything that the site depends on, except the texts of pages.
    pub(super) key: u128,
    /// Hash of the texts that were looked up.
    texts: u128,
}

/// A plan with its key, and the findings from planning.
pub(super) struct LaidOut {
    pub(super) plan: Arc<Plan>,
    pub(super) found: Report,
    pub(super) key: u128,
}

/// Words and templates for rendering, and the findings in them.
pub(super) struct LoadedTheme {
    pub(super) words: Arc<Words>,
    pub(super) theme: Arc<Theme>,
    pub(super) found: Report,
}

/// Loads a site. Its texts may be out of date: use [`Site::with_texts`].
pub(super) fn site(sources: &Sources, options: &Options, cache: &Cache) -> Result<Arc<LoadedSite>> {
    let _stage = stage(Stage::Load);
    let Cache { memo, openings, .. } = cache;
    let (config, selection) = (configuration(sources, options)?, options.selection);
    let key = content::key(sources, (&config, selection), openings);
    let texts = |site: &Site| content::text_key(site, sources).sum();
    let load = || {
        let (site, found) = content::load(sources, config, selection, openings)?;
        let texts = texts(&site);
        let mut whole = MemoKey::default();
        whole.add(Dependency::Stage, &key.sum().to_le_bytes()).add(Dependency::Texts, &texts.to_le_bytes());
        Ok(LoadedSite { site, found, key: whole.sum(), texts })
    };
    memo.get_or_try_make("", &key, |loaded: &LoadedSite| texts(&loaded.site) == loaded.texts, load)
}

/// Loads the words and templates of a site in its language.
pub(super) fn theme(sources: &Sources, language: &str, cache: &Cache) -> Arc<LoadedTheme> {
    let mut key = MemoKey::default();
    key.add(Dependency::Settings, language);
    for text in sources.templates.values() {
        key.add(Dependency::Templates, text.path.as_str()).add(Dependency::Templates, text.hash.as_bytes());
    }
    cache.memo.get_or_make("", &key, || {
        let _part = part(Stage::Render);
        let (words, mut found) = words::load(sources, language);
        let words = Arc::new(words);
        let templates = found.absorb(render::templates(sources, &words));
        let theme = Theme::new(templates, cache.code.clone(), cache.pictures.clone(), cache.drawn.clone());
        LoadedTheme { words, theme: Arc::new(theme), found }
    })
}

/// Plans a site, with smaller versions of its images if `options` request them.
pub(super) fn plan(
    LoadedSite { site, key: site_key, .. }: &LoadedSite,
    (sources, routes, drawings): (&Sources, &str, &Drawings),
    options: &Options,
    cache: &Cache,
) -> Result<Arc<LaidOut>> {
    let mut key = MemoKey::default();
    key.add(Dependency::Stage, &site_key.to_le_bytes());
    key.add(Dependency::Routes, routes);
    key.add(Dependency::Settings, &[u8::from(options.renditions)]);
    for Asset { path, size, picture, hash } in sources.assets.values() {
        key.add(Dependency::Assets, path.as_str()).add(Dependency::Assets, &size.to_le_bytes());
        key.add(Dependency::Assets, &format!("{picture:?}"));
        key.add(Dependency::Assets, hash.as_ref().map_or(&[][..], |hash| hash.as_bytes()));
    }
    for (address, drawing) in drawings {
        key.add(Dependency::Assets, address.as_str()).add(Dependency::Assets, &drawing.hash);
    }
    cache.memo.get_or_try_make(
        "",
        &key,
        |_| true,
        || {
            let renditions = if options.renditions && site.config.images.enabled {
                cache.pictures.renditions(sources, site.config.images)?
            } else {
                ByPicture::default()
            };
            let _stage = stage(Stage::Plan);
            let known = Routes::parse(routes, site.config.base_path());
            let is_elsewhere = |address: &Address| known.contains(address.as_str());
            let (plan, found) = plan::plan(site, sources, (&renditions, drawings), BUILT_IN, &is_elsewhere);
            Ok(LaidOut { plan: Arc::new(plan), found, key: key.sum() })
        },
    )
}

/// Has the diagrams and cards of pages drawn, if `options` allow it.
pub(super) fn drawings(
    (site, pages): (&Site, &Pages),
    sources: &Sources,
    options: &Options,
    cache: &Cache,
) -> Reported<Drawings> {
    let config = &site.config;
    if !config.has_drawings() {
        return Reported::default();
    }
    if !options.draw {
        let has_template = sources.templates.contains_key(&"templates/card.svg".into());
        let invalid = config.cards.as_ref().filter(|_| has_template).and_then(|_| {
            let themed = theme(sources, &config.language, cache);
            cards::check(site, &themed.theme, &themed.words)
        });
        return (Drawings::new(), invalid.into_iter().collect());
    }
    let (root, drawn) = (&*sources.root, &*cache.drawn);
    let (mut drawings, mut report) = (Drawings::new(), Report::default());
    if !config.diagrams.is_empty() {
        (drawings, report) = diagrams::draw(site, pages, root, drawn);
    }
    if let Some(cards) = &config.cards {
        let themed = theme(sources, &config.language, cache);
        let (of_cards, found) = cards::draw(site, cards, (&themed.theme, &themed.words), (root, drawn));
        drawings.extend(of_cards);
        report.extend(found);
    }
    (drawings, report)
}

/// Returns the dates of the last changes to pages, if pages or the feed show them. The site's own templates may show them or
/// not.
pub(super) fn days(sources: &Sources, config: &Config, options: &Options, cache: &Cache) -> Arc<Days> {
    if !config.has_dates() || !options.days && sources.templates.is_empty() {
        return Arc::default();
    }
    let Sources { root, repository, .. } = sources;
    let mut key = MemoKey::default();
    key.add(Dependency::Repository, root.as_os_str().as_encoded_bytes());
    key.add(Dependency::Repository, &repository.content.path);
    key.add(Dependency::Time, &git::commit(root));
    cache.memo.get_or_make("", &key, || Days::read(root, repository))
}
