//! Converts the translated pages of a site.

use std::fmt::Write as _;
use std::sync::Arc;

use super::{MigrateOptions, Migration};
use crate::output::pipeline::Options;
use crate::output::render::Rendering;
use base::diagnostic::Report;
use base::error::Result;
use base::hash::HashMap;
use base::site_path::SitePath;
use site::content::DocumentId;
use site::languages::Counterparts;

/// The translated pages of the new site.
#[derive(Debug, Default)]
pub(super) struct TranslatedPages {
    pub(super) texts: Vec<(SitePath, String)>,
    /// New files that a language has instead of those of the original, with the files from which they are copied.
    pub(super) files: Vec<(SitePath, SitePath)>,
    /// The tables of the languages in the configuration.
    pub(super) config: String,
    /// Pages without an original.
    pub(super) orphans: Vec<SitePath>,
}

impl Migration<'_> {
    /// Returns all translated pages and files, in a folder for each language. `languages` are the sites in these languages.
    pub(super) fn translated(
        &self,
        languages: &[Arc<Rendering>],
        config: &str,
        reading: &Options,
        options: MigrateOptions,
    ) -> Result<TranslatedPages> {
        let orphans = Counterparts::of(self.old.project.sources.whole()).orphans;
        let mut all = TranslatedPages {
            orphans: orphans.into_iter().map(|orphan| orphan.page).collect(),
            ..TranslatedPages::default()
        };
        let documents = &self.old.project.site.documents;
        let place_of: HashMap<&SitePath, &SitePath> =
            documents.indexed().map(|(id, document)| (&document.path, &self.pages[id].path)).collect();
        for old in languages {
            let Some(view) = &old.project.sources.view else { continue };
            let tag = &view.language().tag;
            let place = |path: &SitePath| -> Option<SitePath> {
                Some(format!("content/{tag}/{}", path.below("content")?).as_str().into())
            };
            let migration = Migration::of(old, Report::default(), options);
            let new = migration.read(config, reading)?.work;
            for (at, (_, text)) in migration.texts(&new).into_iter().enumerate() {
                let page = &old.project.site.document(DocumentId::from(at)).path;
                let original = view.originals.get(page).and_then(|original| place_of.get(original));
                all.texts.extend(original.and_then(|original| place(original)).map(|place| (place, text)));
            }
            let files = migration.places.files.iter().filter(|(_, from)| view.is_own(from));
            all.files.extend(files.filter_map(|(path, from)| Some((place(path)?, from.clone()))));
            writeln!(all.config, "\n[languages.{tag}]\nfolder = \"content/{tag}\"")
                .expect("a String takes everything");
        }
        Ok(all)
    }
}
