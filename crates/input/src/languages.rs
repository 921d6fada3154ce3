//! The languages of a site: its translations, and the originals of translated pages.
//!
//! In: a [`Repository`], the paths of its pages, and `[languages]`. Out: [`Languages`]. If the generator's
//! configuration lists no languages, they are detected. A folder such as `ja/` contains a translation if at least two
//! of its pages, and at least half of them, have the same path in the original. A file `name.ja.md` is a translation
//! if `name.md` is next to it, and so are `README-ja.md` and `README_ja.md`.

use std::borrow::Cow;

use crate::config::LanguagesConfig;
use crate::conventions::{Repository, without_number};
use base::diagnostic::count;
use base::index::{IndexVec, newtype_index};
use base::language::LanguageTag;
use base::platforms;
use base::site_path::{self, SitePath};
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};

newtype_index! {
    /// The position of a language in [`Languages::translations`].
    pub struct LanguageIx
}

/// The languages of a site with translations.
#[derive(Clone, Debug, PartialEq)]
pub struct Languages {
    pub original: LanguageTag,
    /// Sorted by tag.
    pub translations: IndexVec<LanguageIx, SiteLanguage>,
    /// Front matter keys for the commit from which a translation was made. The first one is used for writing.
    pub pins: Vec<String>,
    /// The language of originals with names such as `page.en.md`.
    own_suffix: Option<String>,
    /// Whether number prefixes of names define an order.
    is_numbered: bool,
    endings: &'static [&'static str],
}

/// One translation of a site.
#[derive(Clone, Debug, PartialEq)]
pub struct SiteLanguage {
    pub tag: LanguageTag,
    /// The name of the language in the language itself.
    pub name: String,
    /// The path of its pages on the site, such as `/ja`.
    pub path: String,
    pub folders: Vec<CounterpartFolder>,
    /// Suffixes of file names before the extension, as in `page.pt-br.md`, or with their sign, as in `README_pt-br.md`.
    pub suffixes: Vec<String>,
    /// Whether missing pages are warnings.
    pub is_required: bool,
}

/// A folder of translated pages and the folder of their originals, both relative to the root.
#[derive(Clone, Debug, PartialEq)]
pub struct CounterpartFolder {
    pub path: String,
    pub original: String,
}

/// Front matter keys of other tools for the commit of the original.
const PINS: [&str; 4] = ["default_lang_commit", "sourceCommit", "l10n.sourceCommit", "i18n_source_sha"];

/// Minimum share of pages with an original: one out of this number.
const SHARE: usize = 2;

impl Languages {
    /// Finds the languages of a site. Returns `None` if it has no translation.
    pub fn of<'p>(
        repository: &Repository,
        pages: &(impl Iterator<Item = &'p SitePath> + Clone),
        config: &LanguagesConfig,
    ) -> Option<Self> {
        let declared = Declared::of(repository, config);
        let mut found = declared.languages;
        if found.is_empty() {
            let finder = Finder { repository, pages: pages.clone(), original: &declared.original };
            finder.folders(&mut found);
            finder.suffixes(&mut found);
        }
        for (tag, table) in &config.translations {
            if let Some(folder) = &table.folder {
                let path = folder.get_ref().trim_matches('/').trim_start_matches("./").to_string();
                let original = original_of(repository, &path, &declared.original, pages);
                found.entry(tag.clone()).or_default().folders = vec![CounterpartFolder { path, original }];
            }
        }
        found.remove(&declared.original);
        if found.is_empty() {
            return None;
        }
        let required: SortedSet<LanguageTag> = config.required().map(|(tag, _)| tag).collect();
        let translations = found.into_iter().map(|(tag, Places { folders, suffixes })| SiteLanguage {
            name: config
                .translations
                .get(&tag)
                .and_then(|table| table.name.clone())
                .unwrap_or_else(|| tag.own_name()),
            is_required: required.contains(&tag),
            path: {
                let folders = folders.iter().map(|folder| folder.path.as_str());
                repository.path_of_language(&tag, folders.chain(suffixes.iter().map(String::as_str)))
            },
            tag,
            folders,
            suffixes: suffixes.into_iter().collect(),
        });
        let others = PINS.iter().map(|key| (*key).to_string());
        let mut pins: Vec<String> = config.pin.iter().cloned().chain(others).collect();
        pins.dedup();
        Some(Self {
            original: declared.original,
            translations: translations.collect(),
            pins,
            own_suffix: repository.own_suffix.clone(),
            is_numbered: repository.is_numbered || repository.is_ours(),
            endings: repository.convention.endings,
        })
    }

    /// Returns the language of a page and the path of its original, or `None` for a page in the original language.
    pub fn translated<'p>(&self, path: &'p str) -> Option<(LanguageIx, Cow<'p, str>)> {
        self.translations.indexed().find_map(|(index, language)| Some((index, language.original_of(path)?)))
    }

    /// Returns the path of a translation whose original has another path: with a suffix if it has one, or else in the folder of
    /// its language.
    pub fn path_beside(&self, translation: &str, original: &str) -> Option<String> {
        let (index, _) = self.translated(translation)?;
        if !self.has_suffix(translation) {
            return self.path_for(index, original);
        }
        let (_, suffix, _) = suffixed(translation.rsplit('/').next()?)?;
        with_suffix(&self.bare(original), suffix)
    }

    /// Returns the path of the translation of an original page.
    pub fn path_for(&self, language: LanguageIx, original: &str) -> Option<String> {
        self.translations[language].path_for(&self.bare(original))
    }

    /// Returns the path of an original without the language in its name.
    pub fn bare<'p>(&self, original: &'p str) -> Cow<'p, str> {
        let bare = self.own_suffix.as_ref().and_then(|own| site_path::without_suffix(original, own));
        bare.map_or(Cow::Borrowed(original), Cow::Owned)
    }

    /// Returns the paths that an original may have if `bare` is its path without the language.
    pub fn originals(&self, bare: &str) -> Vec<SitePath> {
        let suffixed = self.own_suffix.as_ref().and_then(|own| site_path::with_suffix(bare, own));
        [Some(bare.to_string()), suffixed].into_iter().flatten().map(SitePath::from).collect()
    }

    /// Whether a page's file name is that of its original with a language before the extension.
    pub fn has_suffix(&self, path: &str) -> bool {
        let name = site_path::file_name(path);
        suffixed(name).is_some_and(|(_, suffix, _)| {
            self.translations.iter().any(|language| language.suffixes.iter().any(|known| known == suffix))
        })
    }

    /// Describes the translations with their numbers of pages, the largest first: `2 translations: 日本語 4 pages,
    /// Deutsch 1 page`.
    pub fn described(&self, pages: impl Fn(LanguageIx) -> usize) -> String {
        /// Maximum number of languages to list.
        const MOST: usize = 12;
        let mut counts: Vec<(usize, &str)> = self
            .translations
            .indexed()
            .map(|(index, language)| (pages(index), language.name.as_str()))
            .filter(|(count, _)| *count > 0)
            .collect();
        counts.stable_sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let named = |(pages, name): &(usize, &str)| format!("{name} {}", count(*pages, "page"));
        let mut listed: Vec<String> = counts.iter().take(MOST).map(named).collect();
        let more = counts.len().saturating_sub(MOST);
        if more > 0 {
            listed.push(format!("and {more} more"));
        }
        match counts.len() {
            0 => "no translated pages".to_string(),
            languages => format!("{}: {}", count(languages, "translation"), listed.join(", ")),
        }
    }

    /// Returns the part of a path that an original and its translation have in common: without extension, number
    /// prefixes, and the name of a folder's index page.
    pub fn key(&self, path: &str) -> String {
        key(&self.bare(path), self.is_numbered)
    }

    /// Whether a file in a page folder is a page according to its name.
    pub fn is_page_name(&self, name: &str) -> bool {
        name.rsplit_once('.').is_some_and(|(_, ending)| self.endings.contains(&ending))
    }

    pub fn named(&self, tag: &str) -> Option<LanguageIx> {
        let tag = LanguageTag::known(tag)?;
        self.translations.indexed().find(|(_, language)| language.tag == tag).map(|(index, _)| index)
    }
}

impl SiteLanguage {
    /// Returns the path of a page's original.
    fn original_of<'p>(&self, path: &'p str) -> Option<Cow<'p, str>> {
        for folder in &self.folders {
            if let Some(below) = path.strip_prefix(folder.path.as_str()).and_then(|it| it.strip_prefix('/')) {
                return Some(Cow::Owned(site_path::join(&folder.original, below)));
            }
        }
        let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
        let (stem, suffix, ending) = suffixed(name)?;
        self.suffixes
            .iter()
            .any(|known| known == suffix)
            .then(|| Cow::Owned(site_path::join(folder, &format!("{stem}.{ending}"))))
    }

    /// Returns the path of the translation of an original page.
    fn path_for(&self, original: &str) -> Option<String> {
        let in_folder = self.folders.iter().find_map(|folder| {
            let below = match folder.original.as_str() {
                "" => Some(original),
                parent => original.strip_prefix(parent).and_then(|it| it.strip_prefix('/')),
            };
            Some(site_path::join(&folder.path, below?))
        });
        in_folder.or_else(|| with_suffix(original, self.suffixes.first()?))
    }
}

/// The folders and suffixes of a language.
#[derive(Debug, Default)]
struct Places {
    folders: Vec<CounterpartFolder>,
    suffixes: SortedSet<String>,
}

/// Languages from the generator's configuration.
struct Declared {
    original: LanguageTag,
    languages: SortedMap<LanguageTag, Places>,
}

impl Declared {
    fn of(repository: &Repository, config: &LanguagesConfig) -> Self {
        let english = || LanguageTag::known("en").expect("it is in the list");
        let said = || LanguageTag::known(repository.language.as_deref()?);
        let original = config.original().or_else(said).unwrap_or_else(english);
        let mut languages: SortedMap<LanguageTag, Places> = SortedMap::new();
        for folder in &repository.translations {
            if let Some(tag) = LanguageTag::known(&folder.language) {
                let (path, original) = (folder.path.clone(), folder.original.clone());
                languages.entry(tag).or_default().folders.push(CounterpartFolder { path, original });
            }
        }
        for suffix in &repository.other_languages {
            if let Some(tag) = LanguageTag::known(suffix) {
                languages.entry(tag).or_default().suffixes.insert(suffix.clone());
            }
        }
        Self { original, languages }
    }
}

/// Returns the folder of the originals for a configured folder: the folder of the default language next to it, or the
/// page folder.
fn original_of<'p>(
    repository: &Repository,
    path: &str,
    original: &LanguageTag,
    pages: &(impl Iterator<Item = &'p SitePath> + Clone),
) -> String {
    let content = &repository.content.path;
    let beside =
        path.rsplit_once('/').map_or(original.to_string(), |(parent, _)| format!("{parent}/{original}"));
    let is_set = *content == beside || repository.sets.iter().any(|set| set.path == beside);
    let is_in =
        |page: &SitePath| page.as_str().strip_prefix(&beside).is_some_and(|rest| rest.starts_with('/'));
    let is_beside = is_set || pages.clone().any(is_in);
    if is_beside { beside } else { content.clone() }
}

/// Detects languages by the paths of pages.
struct Finder<'a, P> {
    repository: &'a Repository,
    pages: P,
    original: &'a LanguageTag,
}

impl<'p, P: Iterator<Item = &'p SitePath> + Clone> Finder<'_, P> {
    /// Finds language folders directly in the page folder.
    fn folders(&self, found: &mut SortedMap<LanguageTag, Places>) {
        let content = &self.repository.content;
        let tops = || {
            let below = self.pages.clone().filter_map(|path| content.below(path.as_str()));
            below.map(|below| below.split_once('/').map_or(("", below), |(top, rest)| (top, rest)))
        };
        let names: SortedSet<&str> = tops().map(|(top, _)| top).collect();
        let has_platform = names.iter().any(|name| platforms::is_platform(name));
        let is_language = |name: &&&str| !(has_platform && platforms::is_platform(name));
        let tags: SortedMap<&str, LanguageTag> = names
            .iter()
            .filter(is_language)
            .filter_map(|name| Some((*name, LanguageTag::known(name)?)))
            .collect();
        if tags.is_empty() {
            return;
        }
        let is_numbered = self.repository.is_numbered || self.repository.is_ours();
        let own = tags.iter().find(|(_, tag)| *tag == self.original).map(|(name, _)| *name);
        let below_original = |(top, rest): (&str, &str)| match own {
            Some(own) => (top == own).then(|| key(rest, is_numbered)),
            None => (!tags.contains_key(top)).then(|| key(&site_path::join(top, rest), is_numbered)),
        };
        let originals: SortedSet<String> = tops().filter_map(below_original).collect();
        for (name, tag) in &tags {
            let pages: Vec<String> =
                tops().filter(|(top, _)| top == name).map(|(_, rest)| key(rest, is_numbered)).collect();
            let with_original = pages.iter().filter(|page| originals.contains(*page)).count();
            if with_original >= 2 && SHARE * with_original >= pages.len() && tag != self.original {
                let path = content.with(name);
                let original = own.map_or_else(|| content.path.clone(), |own| content.with(own));
                let folder = CounterpartFolder { path, original };
                found.entry(tag.clone()).or_default().folders.push(folder);
            }
        }
    }

    /// Finds files with a language before the extension, next to files without.
    fn suffixes(&self, found: &mut SortedMap<LanguageTag, Places>) {
        let parts = |path: &'p SitePath| {
            let (folder, name) = path.as_str().rsplit_once('/').unwrap_or(("", path.as_str()));
            let (stem, suffix, ending) = suffixed(name)?;
            Some((folder, stem, suffix, ending))
        };
        let candidates: Vec<_> = self.pages.clone().filter_map(parts).collect();
        if candidates.is_empty() {
            return;
        }
        let paths: SortedSet<&str> = self.pages.clone().map(SitePath::as_str).collect();
        // One page may be about something with such a name: `request.is.md`.
        let is_alone = |stem: &str, suffix: &str| {
            paths.len() > FEW_PAGES
                && !is_readme(stem)
                && candidates.iter().filter(|(_, _, other, _)| *other == suffix).count() < 2
        };
        let has_original = |(folder, stem, _, ending): &(&str, &str, &str, &str)| {
            paths.contains(site_path::join(folder, &format!("{stem}.{ending}")).as_str())
        };
        // `log-in.md` next to `log.md` isn't in Indonesian.
        let are_several = |suffix: &str| {
            let of_language = candidates.iter().filter(|(_, _, other, _)| *other == suffix);
            let all = of_language.clone().count();
            let translated = of_language.filter(|it| has_original(it)).count();
            translated >= SEVERAL_PAGES && 2 * translated > all
        };
        for candidate @ (_, stem, suffix, _) in &candidates {
            if suffix.starts_with(SIGNS) && !is_readme(stem) && !are_several(suffix) {
                continue;
            }
            let is_language = !platforms::is_platform(suffix);
            let tag = LanguageTag::known(suffix.trim_start_matches(SIGNS));
            if let Some(tag) = tag.filter(|tag| is_language && tag != self.original)
                && (found.contains_key(&tag) || !is_alone(stem, suffix))
                && has_original(candidate)
            {
                found.entry(tag).or_default().suffixes.insert((*suffix).to_string());
            }
        }
    }
}

/// Number of pages of a site whose only translated page counts.
const FEW_PAGES: usize = 20;

/// Minimum number of pages with a language after one of the signs.
const SEVERAL_PAGES: usize = 3;

/// The name of a page, and the signs that may precede a language. Other names contain words that are also tags: `log-in`.
const README: &str = "readme";
const SIGNS: [char; 2] = ['-', '_'];

/// Length of the longest tags in names: `zh-hant`.
const LONGEST_TAG: usize = 7;

/// Whether a path without its extension is that of a README.
pub fn is_readme(stem: &str) -> bool {
    site_path::file_name(stem).eq_ignore_ascii_case(README)
}

/// Splits `page.ja.md` into `page`, `ja` and `md`, and `page_ja.md` into `page`, `_ja` and `md`.
fn suffixed(name: &str) -> Option<(&str, &str, &str)> {
    let (stem, ending) = name.rsplit_once('.')?;
    // The first sign may be in the tag: `page_zh_cn`.
    let with_tag = || {
        let mut signs = stem.match_indices(SIGNS).map(|(at, _)| at);
        signs.find(|at| stem.len() - at <= LONGEST_TAG + 1 && LanguageTag::known(&stem[at + 1..]).is_some())
    };
    let with_sign = || {
        let is_of_readme =
            stem.get(..README.len()).is_some_and(is_readme) && stem[README.len()..].starts_with(SIGNS);
        let at = if is_of_readme { README.len() } else { with_tag()? };
        Some(stem.split_at(at))
    };
    let (stem, suffix) = stem.rsplit_once('.').or_else(with_sign)?;
    (!stem.is_empty()).then_some((stem, suffix, ending))
}

/// Returns the path of a translation with a suffix.
fn with_suffix(original: &str, suffix: &str) -> Option<String> {
    let (stem, ending) = original.rsplit_once('.')?;
    if suffix.starts_with(SIGNS) {
        return Some(format!("{stem}{suffix}.{ending}"));
    }
    site_path::with_suffix(original, suffix.trim_start_matches(SIGNS))
}

fn key(path: &str, is_numbered: bool) -> String {
    let (folders, name) = path.rsplit_once('/').map_or(("", path), |(folders, name)| (folders, name));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_index = ["index", "_index", README].contains(&stem.to_ascii_lowercase().as_str());
    let names = folders.split('/').filter(|name| !name.is_empty()).chain((!is_index).then_some(stem));
    let bare = names.map(|name| if is_numbered { without_number(name).1 } else { name });
    bare.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;

    #[track_caller]
    fn check(config: &str, pages: &str, expected: &[&str]) {
        let pages: Vec<SitePath> = pages.split_whitespace().map(SitePath::from).collect();
        let found = Languages::of(&Repository::default(), &pages.iter(), &config::languages(config));
        let shown = |language: &SiteLanguage| {
            let folders = language.folders.iter().map(|it| format!(" {}<{}", it.path, it.original));
            let suffixes = language.suffixes.iter().map(|it| format!(" .{it}"));
            format!("{}{}", language.tag, folders.chain(suffixes).collect::<String>())
        };
        let found = found.map(|it| it.translations.iter().map(shown).collect::<Vec<_>>()).unwrap_or_default();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_folder_is_a_translation_if_half_of_its_pages_have_an_original() {
        let original = "content/en/a.md content/en/b.md content/en/tour/index.md ";
        check("", &format!("{original} content/ja/a.md content/ja/tour.md"), &["ja content/ja<content/en"]);
        check("", &format!("{original} content/ja/a.md content/ja/c.md content/ja/d.md"), &[]);
        check("", &format!("{original} content/ja/a.md"), &[]);
        check(
            "",
            "content/a.md content/b.md content/pt_BR/a.mdx content/pt_BR/b.md",
            &["pt-BR content/pt_BR<content"],
        );
        check("", "content/go/a.md content/go/b.md content/python/a.md content/python/b.md", &[]);
        check("", "content/ts/a.md content/ts/b.md content/python/a.md content/a.md content/b.md", &[]);
        let tags = ["zh", "zh-Hans", "zh-Hant"];
        let pages = tags.map(|tag| format!("content/{tag}/a.md content/{tag}/b.md")).join(" ");
        let expected = tags.map(|tag| format!("{tag} content/{tag}<content/en"));
        check("", &format!("{original} {pages}"), &expected.each_ref().map(String::as_str));
    }

    #[test]
    fn a_suffix_is_a_translation_next_to_its_original() {
        check("", "content/web/a.md content/web/a.ja.md", &["ja .ja"]);
        check("", "content/web/a.md content/web/b.ja.md content/web/a.ts.md content/web/a.v2.md", &[]);
        let readme = "README.md README_zh-CN.md README-ja.md README-dev.md a.md log.md log-in.md";
        check("", readme, &["ja .-ja", "zh-CN ._zh-CN"]);
        let signs = "a.md a_es.md b.md b_es.md c.md c_es.md d_zh_cn.md d.md e-in.md e.md f-it.md";
        check("", signs, &["es ._es"]);
        check("", &format!("{signs} a_zh_cn.md b_zh_cn.md"), &["es ._es", "zh-CN ._zh_cn"]);
        let mixed = "content/a.md content/b.md content/a.ja.md content/ja/a.md content/ja/b.md";
        check("", mixed, &["ja content/ja<content .ja"]);
    }

    #[test]
    fn the_configuration_declares_families_without_a_convention() {
        let config =
            "[languages]\ndefault = 'de'\n[languages.ja]\nfolder = 'content/nihongo'\nname = 'Japanisch'\n";
        check(config, "content/a.md content/nihongo/a.md", &["ja content/nihongo<content"]);
        check(config, "content/de/a.md content/nihongo/a.md", &["ja content/nihongo<content/de"]);
    }

    #[test]
    fn a_key_has_no_ending_number_or_index() {
        for (path, expected) in [
            ("tour/01-install.md", "tour/install"),
            ("02-tour/index.mdx", "tour"),
            ("README.md", ""),
            ("a.b.md", "a.b"),
        ] {
            assert_eq!(key(path, true), expected);
        }
        assert_eq!(key("tour/01-install.md", false), "tour/01-install");
    }
}
