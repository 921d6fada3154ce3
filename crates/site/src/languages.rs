//! Translations: the counterpart of each page, and the sections that correspond.
//!
//! In: [`Sources`] with translated pages. Out: [`Counterparts`], from paths and front matter alone, and the `Sketch` of a text, with
//! which `review` compares pages without understanding their language.

mod front;
mod pairs;
mod sketch;

pub use self::front::{FrontValue, front_value};
pub use self::pairs::{SketchPair, by_history, by_structure, by_words};
pub use self::sketch::{Sketch, SketchCode, SketchIx, SketchReader, SketchSection, SketchTarget, Token};
use base::site_path::SitePath;
use base::sorted::{SortedMap, SortedSet};
use input::languages::LanguageIx;
use input::source::{Sources, Text};

/// Pairs of pages and their translations.
#[derive(Debug, Default)]
pub struct Counterparts {
    /// Sorted by the path of the translation.
    pub pairs: Vec<Counterpart>,
    pub orphans: Vec<Orphan>,
    pub duplicates: Vec<Duplicate>,
    /// All pages in the original language.
    pub originals: Vec<SitePath>,
}

/// A page of the original and its translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterpart {
    pub language: LanguageIx,
    pub original: SitePath,
    pub translation: SitePath,
}

/// A translation of a page that doesn't exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orphan {
    pub language: LanguageIx,
    pub page: SitePath,
    /// The expected path of its original.
    pub expected: String,
}

/// A second translation of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    pub language: LanguageIx,
    pub page: SitePath,
    /// The translation that is used.
    pub first: SitePath,
}

/// Front matter keys that are the same in all languages of a page, the most reliable first.
const SAME: [&str; 2] = ["translationKey", "id"];

impl Counterparts {
    /// Finds the counterparts of a site. Empty if it has no translations.
    pub fn of(sources: &Sources) -> Self {
        let Some(languages) = sources.languages() else { return Self::default() };
        let originals: Vec<&Text> = sources.original_pages().collect();
        let by_path: SortedMap<String, &SitePath> =
            originals.iter().rev().map(|text| (languages.key(text.path.as_str()), &text.path)).collect();
        // Names may differ only in a number prefix, which isn't part of a key.
        let exact: SortedMap<&str, &SitePath> =
            originals.iter().map(|text| (text.path.as_str(), &text.path)).collect();
        let translated = sources.translated_pages();
        let by_key = SAME.map(|key| ByKey::of(key, &originals, &translated));
        let mut found = Self::default();
        // A page with the path of its original replaces others with the same address: `a/index.md`, and not `a.md`.
        let mut taken: SortedMap<(LanguageIx, &SitePath), &SitePath> = SortedMap::new();
        for (language, expected, text) in &translated {
            if let Some(original) = exact.get(expected.as_str()) {
                taken.entry((*language, *original)).or_insert(&text.path);
            }
        }
        for (language, expected, text) in &translated {
            let [by_translation_key, by_id] = &by_key;
            let path =
                || exact.get(expected.as_str()).or_else(|| by_path.get(&languages.key(expected))).copied();
            let Some(original) =
                by_translation_key.of_text(text).or_else(path).or_else(|| by_id.of_text(text))
            else {
                let (page, expected) = (text.path.clone(), expected.clone());
                found.orphans.push(Orphan { language: *language, page, expected });
                continue;
            };
            let (language, page) = (*language, text.path.clone());
            if let Some(first) = taken.get(&(language, original)).filter(|first| ***first != page) {
                found.duplicates.push(Duplicate { language, page, first: (*first).clone() });
            } else {
                taken.insert((language, original), &text.path);
                found.pairs.push(Counterpart { language, original: original.clone(), translation: page });
            }
        }
        found.originals = originals.iter().map(|text| text.path.clone()).collect();
        found
    }

    /// Returns the original pages that a language lacks.
    pub fn missing(&self, language: LanguageIx) -> Vec<&SitePath> {
        let pairs = self.pairs.iter().filter(|pair| pair.language == language);
        let translated: SortedSet<&SitePath> = pairs.map(|pair| &pair.original).collect();
        self.originals.iter().filter(|page| !translated.contains(page)).collect()
    }

    /// Returns the number of pages in a language.
    pub fn pages(&self, language: LanguageIx) -> usize {
        let of_orphans = self.orphans.iter().filter(|it| it.language == language).count();
        let of_duplicates = self.duplicates.iter().filter(|it| it.language == language).count();
        self.pairs.iter().filter(|pair| pair.language == language).count() + of_orphans + of_duplicates
    }
}

/// Original pages by the value of a front matter key.
struct ByKey<'a> {
    key: &'static str,
    originals: SortedMap<String, &'a SitePath>,
}

impl<'a> ByKey<'a> {
    fn of(key: &'static str, originals: &[&'a Text], translated: &[(LanguageIx, String, &Text)]) -> Self {
        // Most sites don't use such a key, so their originals don't have to be read again.
        let is_used = translated.iter().any(|(_, _, text)| front_value(&text.text(), key).is_some());
        let value = |text: &&'a Text| Some((front_value(&text.text(), key)?.value, &text.path));
        let originals =
            if is_used { originals.iter().rev().filter_map(value).collect() } else { SortedMap::new() };
        Self { key, originals }
    }

    fn of_text(&self, text: &Text) -> Option<&'a SitePath> {
        if self.originals.is_empty() {
            return None;
        }
        self.originals.get(&front_value(&text.text(), self.key)?.value).copied()
    }
}
