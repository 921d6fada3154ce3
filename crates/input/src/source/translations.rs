//! The translated pages of a site. Those that aren't among its sources are read when they are first needed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::{Sources, Text, regular};
use crate::config::{self, Invalid, LanguagesConfig};
use crate::conventions::Repository;
use crate::languages::{LanguageIx, Languages};
use base::language::LanguageTag;
use base::site_path::SitePath;
use base::sort::StableSort as _;

/// The languages of a site, and the texts of those pages that aren't among its sources.
#[derive(Debug)]
pub struct Translations {
    pub languages: Languages,
    root: PathBuf,
    repository: Arc<Repository>,
    texts: OnceLock<BTreeMap<SitePath, Text>>,
}

impl Translations {
    /// Returns the texts that aren't among the sources, by path.
    pub(super) fn texts(&self) -> &BTreeMap<SitePath, Text> {
        self.texts.get_or_init(|| self.read())
    }

    pub(super) fn text(&self, path: &SitePath) -> Option<&Text> {
        self.languages.translated(path.as_str())?;
        self.texts().get(path)
    }

    fn read(&self) -> BTreeMap<SitePath, Text> {
        let folders = self.languages.translations.iter().flat_map(|language| &language.folders);
        let mut starts: Vec<&str> = folders.map(|folder| folder.path.as_str()).collect();
        if self.languages.translations.iter().any(|language| !language.suffixes.is_empty()) {
            let sets = self.repository.sets.iter().map(|set| set.path.as_str());
            starts.extend(sets.chain([self.repository.content.path.as_str()]));
        }
        let mut files: Vec<PathBuf> = starts.iter().flat_map(|start| self.pages_in(start)).collect();
        files.sort_unstable();
        files.dedup();
        let text = |file: PathBuf| {
            let path = SitePath::of(&self.root, &file)?;
            self.languages.translated(path.as_str())?;
            // Files that can't be read are skipped, as are deleted pages.
            Some((path.clone(), Text::new(path, regular::bytes(&file).ok()?)))
        };
        files.into_par_iter().filter_map(text).collect()
    }

    /// Returns the files in a folder that are pages according to their names.
    fn pages_in(&self, folder: &str) -> Vec<PathBuf> {
        let indices = self.repository.convention.indices;
        let is_private = |name: &str| {
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            name.starts_with('.')
                || name.starts_with('_') && !indices.contains(&stem)
                || name == "node_modules"
        };
        let is_shown = |entry: &walkdir::DirEntry| {
            entry.depth() == 0 || entry.file_name().to_str().is_some_and(|name| !is_private(name))
        };
        let walk = walkdir::WalkDir::new(self.root.join(folder)).into_iter().filter_entry(is_shown);
        let files = walk.filter_map(std::result::Result::ok).filter(|entry| entry.file_type().is_file());
        let is_page =
            |name: &std::ffi::OsStr| name.to_str().is_some_and(|name| self.languages.is_page_name(name));
        files.filter(|entry| is_page(entry.file_name())).map(walkdir::DirEntry::into_path).collect()
    }
}

impl Sources {
    /// Finds the languages of the site. Its pages must be known.
    pub fn find_languages(&mut self) {
        let config = self.config.as_ref().map(|text| config::languages(&text.text())).unwrap_or_default();
        let languages = Languages::of(&self.repository, &self.pages.keys(), &config);
        if self.repository.declares_languages() {
            // `[languages]` may have another original.
            let of_site = |path: &SitePath| {
                let path = path.as_str();
                self.repository.original_of(path).is_none()
                    || languages.as_ref().is_some_and(|languages| languages.translated(path).is_some())
            };
            self.pages.retain(|path, _| of_site(path));
            self.assets.retain(|path, _| of_site(path));
        }
        self.translations = languages.map(|languages| {
            let (root, repository) = (self.root.clone(), self.repository.clone());
            let mut folders = languages.translations.iter().flat_map(|language| &language.folders);
            let is_declared = |path: &str| repository.translations.iter().any(|folder| folder.path == path);
            // They are among the sources, perhaps at other paths than on disk.
            let are_known = folders
                .all(|it| is_declared(&it.path) || repository.below_content(it.path.as_str()).is_some());
            let texts = if are_known { OnceLock::from(BTreeMap::new()) } else { OnceLock::new() };
            Arc::new(Translations { languages, root, repository, texts })
        });
    }

    /// Returns the languages, if there is a translation.
    pub fn languages(&self) -> Option<&Languages> {
        self.translations.as_ref().map(|it| &it.languages)
    }

    /// Returns the translated pages with the paths of their originals, sorted by path.
    pub fn translated_pages<'a>(&'a self) -> Vec<(LanguageIx, String, &'a Text)> {
        let Some(translations) = &self.translations else { return Vec::new() };
        let texts = self.pages.values().chain(translations.texts().values());
        let of = |text: &'a Text| {
            let (language, original) = translations.languages.translated(text.path.as_str())?;
            Some((language, original.into_owned(), text))
        };
        let mut pages: Vec<_> = texts.filter_map(of).collect();
        pages.stable_sort_by(|one, other| one.2.path.cmp(&other.2.path));
        pages.dedup_by(|one, other| one.2.path == other.2.path);
        pages
    }

    /// Returns the text of the lock file with this name, if it exists.
    pub fn translation_lock(&self, name: &str) -> Option<String> {
        let bytes = regular::bytes(&self.root.join(name)).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A folder in `[languages]` that isn't there, or a required language without a page.
    pub fn language_mistake(&self, config: &LanguagesConfig) -> Option<Invalid> {
        let folders = config.translations.values().filter_map(|table| table.folder.as_ref());
        if let Some(lost) = folders.into_iter().find(|folder| !self.has_folder(folder.get_ref())) {
            let message = format!("there is no folder `{}`", lost.get_ref());
            let help = "use the path of the folder from the site root".to_string();
            return Some(Invalid { span: lost.span(), message, help: Some(help) });
        }
        let is_known = |tag: &LanguageTag| {
            let languages = self.languages();
            languages.is_some_and(|languages| languages.translations.iter().any(|it| it.tag == *tag))
        };
        let (tag, span) = config.required().find(|(tag, _)| !is_known(tag))?;
        let message = format!("the site has no translation into `{tag}`");
        let help = format!("name its folder: `[languages.{tag}]` and `folder = \"…\"`");
        Some(Invalid { span, message, help: Some(help) })
    }

    /// Describes the kind of repository and its languages in one line.
    pub fn description(&self) -> String {
        let Some(languages) = self.languages() else { return self.repository.to_string() };
        let translated = self.translated_pages();
        let pages = |index: LanguageIx| translated.iter().filter(|(language, ..)| *language == index).count();
        let folders = languages.translations.iter().flat_map(|language| &language.folders);
        let original = folders.map(|folder| folder.original.as_str()).next();
        self.repository.described(original, &languages.original.english_name(), &languages.described(pages))
    }

    /// Returns the pages in the original language.
    pub fn original_pages(&self) -> impl Iterator<Item = &Text> {
        let languages = self.languages();
        let is_original = move |text: &&Text| {
            languages.is_none_or(|languages| languages.translated(text.path.as_str()).is_none())
        };
        self.pages.values().filter(is_original)
    }

    /// Whether a page among the sources is a translation.
    pub fn is_translation(&self, path: &SitePath) -> bool {
        self.languages().is_some_and(|languages| languages.translated(path.as_str()).is_some())
    }
}
