//! Converts the translated pages of a site.

use std::fmt::Write as _;

use super::{MigrateOptions, Migration};
use crate::base::error::Result;
use crate::base::hash::HashMap;
use crate::base::site_path::SitePath;
use crate::input::source::{Sources, Text};
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::site::content::DocumentId;
use crate::site::languages::Counterparts;

/// The translated pages of the new site.
#[derive(Debug, Default)]
pub(super) struct TranslatedPages {
    pub(super) texts: Vec<(SitePath, String)>,
    /// The tables of the languages in the configuration.
    pub(super) config: String,
    /// Pages without an original.
    pub(super) orphans: Vec<SitePath>,
}

impl Migration<'_> {
    /// Returns all translated pages, in a folder for each language. The pages of a language are converted in the places of their
    /// originals, because their links are written as in the originals.
    pub(super) fn translated(
        &self,
        config: &str,
        reading: &Options,
        options: MigrateOptions,
    ) -> Result<TranslatedPages> {
        let sources = &self.old.project.sources;
        let Some(languages) = sources.languages() else { return Ok(TranslatedPages::default()) };
        let counterparts = Counterparts::of(sources);
        let mut all = TranslatedPages {
            orphans: counterparts.orphans.iter().map(|orphan| orphan.page.clone()).collect(),
            ..TranslatedPages::default()
        };
        let documents = &self.old.project.site.documents;
        let place_of: HashMap<&SitePath, &SitePath> =
            documents.indexed().map(|(id, document)| (&document.path, &self.pages[id].path)).collect();
        for (index, language) in languages.translations.indexed() {
            let mut places: HashMap<&SitePath, SitePath> = HashMap::default();
            let mut translated = Sources::clone(sources);
            for pair in counterparts.pairs.iter().filter(|pair| pair.language == index) {
                let below = place_of.get(&pair.original).and_then(|place| place.below("content"));
                let (Some(below), Some(text)) = (below, sources.text(&pair.translation)) else { continue };
                places.insert(&pair.original, format!("content/{}/{below}", language.tag).as_str().into());
                let text = Text::new(pair.original.clone(), text.text().into_owned().into_bytes());
                translated.pages.insert(pair.original.clone(), text);
            }
            if places.is_empty() {
                continue;
            }
            let (old, found) = pipeline::plan(translated, reading, &Cache::default())?;
            let migration = Migration::of(&old, found, options);
            let new = migration.read(config, reading)?.work;
            for (at, (_, text)) in migration.texts(&new).into_iter().enumerate() {
                let original = &old.project.site.document(DocumentId::from(at)).path;
                all.texts.extend(places.remove(original).map(|place| (place, text)));
            }
            let tag = &language.tag;
            writeln!(all.config, "\n[languages.{tag}]\nfolder = \"content/{tag}\"")
                .expect("a String takes everything");
        }
        Ok(all)
    }
}
