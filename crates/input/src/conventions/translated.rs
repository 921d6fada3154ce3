//! The translated pages of another generator, and the pages and files of the original whose place they take.

use std::borrow::Cow;

use super::{Kind, PublishedFolder, Repository, TranslationFolder};
use base::language::LanguageTag;
use base::site_path::{self, is_inside};

impl Repository {
    /// Completes the folders of translations with those of their originals. Folders of unknown languages aren't read.
    pub(super) fn with_originals(mut self) -> Self {
        let all = std::mem::take(&mut self.translations);
        for folder in all.into_iter().filter(|it| LanguageTag::known(&it.language).is_some()) {
            // Languages may share a folder and differ by suffix.
            let is_apart =
                |(path, original): &(String, String)| path != original && !is_inside(original, path);
            let pairs = self.pairs(&folder.path).into_iter().filter(is_apart);
            let language = || folder.language.clone();
            self.translations.extend(pairs.map(|(path, original)| TranslationFolder {
                path,
                original,
                language: language(),
            }));
        }
        self
    }

    /// Returns the folders with the pages of a language, each with the folder of its originals. `path` is the generator's folder
    /// for the language.
    fn pairs(&self, path: &str) -> Vec<(String, String)> {
        let one = [self.content.clone()];
        let sets = if self.sets.is_empty() { &one[..] } else { &self.sets };
        let is_root = |path: &str| path == self.content.path;
        match self.kind() {
            // <https://docusaurus.io/docs/i18n/introduction#translation-files-location>. For further instances of the
            // plugin, the folder name contains their ID.
            Kind::Docusaurus => {
                let id = |at: usize, path: &str| match at {
                    0 => String::new(),
                    _ => format!("-{}", site_path::file_name(path)),
                };
                let path = |id: String| format!("{path}/docusaurus-plugin-content-docs{id}/current");
                let pair = |(at, set): (usize, &PublishedFolder)| (path(id(at, &set.path)), set.path.clone());
                sets.iter().enumerate().map(pair).collect()
            }
            // The folder of the original may be published at the root, where its parent is.
            Kind::Vitepress => {
                let moved = sets.iter().find(|set| set.at.is_empty() && !is_root(&set.path));
                vec![(path.to_string(), moved.unwrap_or(&sets[0]).path.clone())]
            }
            _ => vec![(path.to_string(), sets[0].path.clone())],
        }
    }

    /// Whether the generator's configuration contains translations.
    pub fn declares_languages(&self) -> bool {
        !self.translations.is_empty() || !self.other_languages.is_empty()
    }

    /// Returns the path that a file of a translation has in the original, or `None` for a file of the original.
    pub fn original_of<'p>(&self, path: &'p str) -> Option<Cow<'p, str>> {
        for folder in &self.translations {
            if let Some(below) = path.strip_prefix(folder.path.as_str()).and_then(|it| it.strip_prefix('/')) {
                let is_at_root = folder.original.is_empty();
                return Some(if is_at_root {
                    below.into()
                } else {
                    format!("{}/{below}", folder.original).into()
                });
            }
        }
        if self.other_languages.is_empty() {
            return None;
        }
        let (stem, ending) = path.rsplit_once('.')?;
        let (stem, suffix) = stem.rsplit_once('.').filter(|(_, suffix)| !suffix.contains('/'))?;
        let is_language = self.convention.endings.contains(&ending)
            && self.other_languages.iter().any(|it| it == suffix)
            && LanguageTag::known(suffix).is_some();
        is_language.then(|| format!("{stem}.{ending}").into())
    }

    /// Returns the path of a file as in the original, without a language in its name.
    pub fn in_place<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let of_original = || self.without_own_suffix(path).map(Cow::Owned);
        self.original_of(path).or_else(of_original).unwrap_or(Cow::Borrowed(path))
    }

    /// Returns the path without the language of the original, if the name of the page or of the file next to it contains it.
    pub fn without_own_suffix(&self, path: &str) -> Option<String> {
        let bare = site_path::without_suffix(path, self.own_suffix.as_ref()?)?;
        self.below_content(path).map(|_| bare)
    }

    /// Returns the path of a language on the site, such as `/pt-br`. `places` are its folders and suffixes.
    pub fn path_of_language<'p>(
        &self,
        tag: &LanguageTag,
        mut places: impl Iterator<Item = &'p str>,
    ) -> String {
        let named =
            |place: &str| self.translations.iter().find(|it| it.path == place).map(|it| it.language.clone());
        let own = places.find_map(|place| {
            named(place).or_else(|| self.other_languages.iter().find(|it| *it == place).cloned())
        });
        match own {
            Some(name) if self.convention.is_lower_case => format!("/{}", name.to_lowercase()),
            Some(name) => format!("/{name}"),
            None => format!("/{tag}"),
        }
    }

    /// Returns the repository as the generator publishes a translation of it: not in the folder of the original's language.
    pub fn of_translation(&self) -> Option<Self> {
        let language = self.language.as_ref().filter(|language| *language == &self.content.at)?;
        let at_root = |folder: &PublishedFolder| {
            if folder.at == *language { PublishedFolder::at_root(&folder.path) } else { folder.clone() }
        };
        let sets = self.sets.iter().map(at_root).collect();
        Some(Self { content: at_root(&self.content), sets, ..self.clone() })
    }

    /// Whether a link on a translated page that begins with a slash leads to the page in the language of that page. Docusaurus adds
    /// the language, and Hugo's own render hook looks up the page: <https://gohugo.io/render-hooks/links/>.
    pub fn localizes_links(&self) -> bool {
        matches!(self.kind(), Kind::Stepkin | Kind::Docusaurus | Kind::Hugo)
    }
}
