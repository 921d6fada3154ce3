//! The sources of each language of a site.
//!
//! In: the [`Sources`] of a site, and which of its pages are translations. Out: for each language the sources from which
//! the site in that language is planned, as a site of its own. A translation takes the place of its original, so families,
//! steps and their order are those of the original. A page that a language lacks is there as it is in the original.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::languages::Counterparts;
use base::site_path::SitePath;
use input::config::{Fallback, LanguagesConfig};
use input::languages::{LanguageIx, Languages, SiteLanguage};
use input::source::{LanguageView, PublishedLanguage, Sources};

/// Returns the sources of each language, the original's first, or only the original's. A site in one language has no such views.
pub fn views(whole: &Arc<Sources>, config: &LanguagesConfig, original_only: bool) -> Vec<Arc<Sources>> {
    // Otherwise, the pages of languages are at the addresses that the generator gives them.
    let are_known = whole.repository.is_ours() || whole.repository.declares_languages();
    let Some(languages) = whole.languages().filter(|_| are_known) else { return Vec::new() };
    let counterparts = Counterparts::of(whole);
    let is_published = |language: &LanguageIx| counterparts.pages(*language) > 0;
    let published: Vec<LanguageIx> = languages.translations.indices().filter(is_published).collect();
    if published.is_empty() {
        return Vec::new();
    }
    let table = config.translations.get(&languages.original);
    let name = table.and_then(|table| table.name.clone());
    let original = PublishedLanguage {
        name: name.unwrap_or_else(|| languages.original.own_name()),
        tag: languages.original.clone(),
        path: String::new(),
    };
    let translation = |ix: &LanguageIx| {
        let language = &languages.translations[*ix];
        let SiteLanguage { tag, name, path, .. } = language;
        PublishedLanguage { tag: tag.clone(), name: name.clone(), path: path.clone() }
    };
    let all = std::iter::once(original).chain(published.iter().map(translation));
    let all = Arc::new(all.collect::<Vec<_>>());
    let views = Views { whole, languages, counterparts, all };
    let translations =
        published.iter().zip(1..).map(|(&language, at)| views.translation(language, at, config));
    let most = if original_only { 1 } else { usize::MAX };
    std::iter::once(views.original()).chain(translations).take(most).map(Arc::new).collect()
}

struct Views<'a> {
    whole: &'a Arc<Sources>,
    languages: &'a Languages,
    counterparts: Counterparts,
    all: Arc<Vec<PublishedLanguage>>,
}

impl Views<'_> {
    fn original(&self) -> Sources {
        let mut view = Sources::clone(self.whole);
        view.pages.retain(|path, _| !self.whole.is_translation(path));
        view.assets.retain(|path, _| self.translated_file(path).is_none());
        self.with(view, 0, BTreeMap::new(), BTreeMap::new())
    }

    fn translation(&self, language: LanguageIx, at: usize, config: &LanguagesConfig) -> Sources {
        let mut view = Sources::clone(self.whole);
        view.pages.clear();
        if let Some(repository) = self.whole.repository.of_translation() {
            view.repository = Arc::new(repository);
        }
        let mut published = BTreeMap::new();
        let mut originals: BTreeMap<SitePath, SitePath> = BTreeMap::new();
        let pairs = self.counterparts.pairs.iter().filter(|pair| pair.language == language);
        let own = pairs.map(|pair| (&pair.translation, self.in_place(&pair.original), Some(&pair.original)));
        let orphans = self.counterparts.orphans.iter().filter(|orphan| orphan.language == language);
        let orphans = orphans.map(|it| (&it.page, self.in_place(&it.expected.as_str().into()), None));
        for (page, place, original) in own.chain(orphans) {
            // A page in the place of a file that isn't one would have no URL.
            if let Some(text) =
                self.whole.text(page).filter(|_| self.whole.repository.is_page(place.as_str()))
            {
                view.pages.insert(page.clone(), text.clone());
                published.insert(page.clone(), place);
                originals.extend(original.map(|original| (page.clone(), original.clone())));
            }
        }
        if config.fallback != Some(Fallback::None) {
            let translated: BTreeSet<&SitePath> = originals.values().collect();
            let others = self.counterparts.originals.iter().filter(|page| !translated.contains(page));
            view.pages
                .extend(others.filter_map(|page| Some((page.clone(), self.whole.pages.get(page)?.clone()))));
        }
        let mut files = BTreeMap::new();
        for path in self.whole.assets.keys() {
            if let Some((_, place)) = self.translated_file(path).filter(|(of, _)| *of == language) {
                files.insert(path.clone(), place);
            }
        }
        let replaced: BTreeSet<&SitePath> = files.values().collect();
        view.assets.retain(|path, _| {
            files.contains_key(path)
                || self.translated_file(path).is_none() && !replaced.contains(&self.in_place(path))
        });
        published.extend(files);
        self.with(view, at, published, originals)
    }

    /// Completes the sources of a language: `published` has the places of its own pages and files.
    fn with(
        &self,
        mut view: Sources,
        at: usize,
        mut published: BTreeMap<SitePath, SitePath>,
        originals: BTreeMap<SitePath, SitePath>,
    ) -> Sources {
        for path in view.pages.keys().chain(view.assets.keys()) {
            if !published.contains_key(path) {
                let place = self.in_place(path);
                if place != *path {
                    published.insert(path.clone(), place);
                }
            }
        }
        if let Some(names) = self.whole.repository.folder_names.get(&self.all[at].tag) {
            view.navigation.translate(names);
        }
        let (whole, languages) = (self.whole.clone(), self.all.clone());
        view.view = Some(Arc::new(LanguageView { whole, languages, at, published, originals }));
        view
    }

    /// The place of a page or file of the original: without the folder of its language.
    fn in_place(&self, path: &SitePath) -> SitePath {
        let content = &self.whole.repository.content;
        if !self.whole.repository.is_ours() {
            let bare = self.whole.repository.without_own_suffix(path.as_str());
            return bare.map_or_else(|| path.clone(), SitePath::from);
        }
        let folders = self.languages.translations.iter().flat_map(|language| &language.folders);
        let own = folders.map(|folder| folder.original.as_str()).find(|own| *own != content.path);
        let below = own.and_then(|own| path.as_str().strip_prefix(own)?.strip_prefix('/'));
        below.map_or_else(|| path.clone(), |below| content.with(below).into())
    }

    /// The language of a file next to translated pages, and the place that it takes.
    fn translated_file(&self, path: &SitePath) -> Option<(LanguageIx, SitePath)> {
        let (language, original) = self.languages.translated(path.as_str())?;
        let is_suffixed = self.languages.has_suffix(path.as_str());
        let has_original = || {
            let originals = self.languages.originals(&original);
            originals.iter().any(|original| self.whole.assets.contains_key(original))
        };
        (!is_suffixed || has_original())
            .then(|| (language, self.in_place(&SitePath::from(original.as_ref()))))
    }
}
