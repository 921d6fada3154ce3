//! The stages whose results a process keeps, each with the key of its result: everything that the result depends on.
//!
//! What follows from one family or one part of the search has its key where it is made: [`family::align`](crate::site::family::align),
//! [`drift::find`](crate::review::drift::find), [`search::Kept`](crate::output::search::Kept).

use std::sync::Arc;

use super::{Options, configuration};
use crate::base::address::Address;
use crate::base::diagnostic::Report;
use crate::base::error::Result;
use crate::base::memo::{Dependency, MemoKey};
use crate::base::timings::{Stage, part, stage};
use crate::input::config::Config;
use crate::input::source::git::{self, Days};
use crate::input::source::{Asset, Sources};
use crate::input::words::{self, Words};
use crate::output::cache::Cache;
use crate::output::render::{self, Theme};
use crate::review::check::Routes;
use crate::site::content::{self, Site};
use crate::site::plan::{self, ByPicture, Plan};

/// A site with its key, and what was found while it was loaded.
pub(super) struct LoadedSite {
    pub(super) site: Site,
    pub(super) found: Report,
    /// Of everything that the site follows from but the texts that are the pages' own.
    pub(super) key: u128,
    /// Of the texts that were looked up.
    texts: u128,
}

/// A plan with its key, and what was found while it was laid out.
pub(super) struct LaidOut {
    pub(super) plan: Arc<Plan>,
    pub(super) found: Report,
    pub(super) key: u128,
}

/// What a site is rendered with, and what was found in its words and templates.
pub(super) struct LoadedTheme {
    pub(super) words: Arc<Words>,
    pub(super) theme: Arc<Theme>,
    pub(super) found: Report,
}

/// The site of some sources. Its texts may be older; [`Site::with_texts`] has theirs.
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

/// The words and templates of a site in its language.
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
        let theme = Theme::new(templates, cache.code.clone(), cache.pictures.clone());
        LoadedTheme { words, theme: Arc::new(theme), found }
    })
}

/// The plan of a site, with the smaller versions of its pictures if `options` ask for them.
pub(super) fn plan(
    LoadedSite { site, key: site_key, .. }: &LoadedSite,
    (sources, routes): (&Sources, &str),
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
            let (plan, found) = plan::plan(site, sources, &renditions, &is_elsewhere);
            Ok(LaidOut { plan: Arc::new(plan), found, key: key.sum() })
        },
    )
}

/// The days on which pages were changed, if readers see them. The site's own templates may show a day or none.
pub(super) fn days(sources: &Sources, config: &Config, options: &Options, cache: &Cache) -> Arc<Days> {
    if !config.last_change || !options.days && sources.templates.is_empty() {
        return Arc::default();
    }
    let Sources { root, repository, .. } = sources;
    let mut key = MemoKey::default();
    key.add(Dependency::Repository, root.as_os_str().as_encoded_bytes());
    key.add(Dependency::Repository, &repository.content.path);
    key.add(Dependency::Time, &git::commit(root));
    cache.memo.get_or_make("", &key, || Days::read(root, repository))
}
