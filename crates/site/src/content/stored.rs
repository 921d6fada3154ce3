//! The dependencies of a loaded site, for the memo.
//!
//! It follows from the openings of all pages, from the settings, from the generator's files, and from those texts that
//! loading looks up: of pages that are compared to find families, and of pages that others include. A save that leaves
//! all this as it was changes only the page's own text.

use std::sync::Arc;

use super::{Document, DocumentId, Openings, Selection, Site, editions, read_opening, versions, views};
use crate::memo::{Dependency, MemoKey};
use base::index::IndexVec;
use base::site_path::SitePath;
use base::sorted::SortedSet;
use input::block_templates;
use input::config::Config;
use input::source::Sources;
use input::words;

/// Returns the key of a site: everything that [`load`](super::load) depends on before it runs.
pub fn key(sources: &Sources, (config, selection): (&Config, Selection), openings: &Openings) -> MemoKey {
    let Sources { repository, navigation, absent, passed_over, .. } = sources;
    let mut key = MemoKey::default();
    key.add(Dependency::Settings, &format!("{config:?} {selection:?}"));
    key.add(Dependency::Repository, &format!("{repository:?} {navigation:?} {absent:?} {passed_over:?}"));
    for text in sources.beside.values() {
        key.add(Dependency::Repository, text.path.as_str()).add(Dependency::Repository, text.hash.as_bytes());
    }
    for text in words::files(sources) {
        key.add(Dependency::Templates, text.path.as_str()).add(Dependency::Templates, text.hash.as_bytes());
    }
    let blocks = block_templates::of(sources);
    if !blocks.is_empty() {
        key.add(Dependency::Templates, &format!("{blocks:?}"));
    }
    views::add_to_key(&mut key, sources, openings);
    for text in sources.pages.values() {
        key.add(Dependency::Openings, text.path.as_str());
        if text.invalid.is_some() {
            key.add(Dependency::Openings, text.hash.as_bytes());
        } else {
            let opening = read_opening(text, repository, openings);
            key.add(Dependency::Openings, &opening.key.to_le_bytes());
        }
    }
    key
}

/// Returns the key of the texts that a site looked up while it was loaded, as they are in `sources`.
pub fn text_key(site: &Site, sources: &Sources) -> MemoKey {
    let mut key = MemoKey::default();
    for path in site.looked_up.iter() {
        let hash = sources.pages.get(path).map(|text| text.hash);
        key.add(Dependency::Texts, path.as_str());
        key.add(Dependency::Texts, hash.as_ref().map_or(&[][..], |hash| hash.as_bytes()));
    }
    key
}

/// Returns the pages whose texts were `compared`, and the files that pages include.
pub(super) fn looked_up(
    sources: &Sources,
    compared: SortedSet<SitePath>,
    documents: &IndexVec<DocumentId, Arc<Document>>,
) -> SortedSet<SitePath> {
    let included = documents.iter().flat_map(|document| document.dialect.parts.values());
    let pages = included.map(|part| &part.path).filter(|path| sources.pages.contains_key(*path));
    compared.into_iter().chain(pages.cloned()).collect()
}

impl Site {
    /// Returns the same site with the texts of `sources`. Call it only if nothing else depends on them.
    #[must_use]
    pub fn with_texts(&self, sources: &Sources) -> Self {
        let mut site = self.clone();
        let mut is_changed = false;
        for document in &mut *site.documents {
            if let Some(text) = sources.pages.get(&document.path).filter(|text| text.hash != document.file())
            {
                let key = editions::key(document.features, text.hash, &document.edition, &document.dialect);
                *document = Arc::new(Document { source: text.clone(), key, ..Document::clone(document) });
                is_changed = true;
            }
        }
        if is_changed {
            site.versions = versions::of(&site);
        }
        site
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::load;
    use input::source::Text;

    const STEP: &str = "---\ntitle: Start\norder: 1\n---\nOpen the dashboard, and choose one.\n";
    /// A page without front matter.
    const PLAIN: &str = "\nText.\n";

    fn sources(files: &[(&str, &str)]) -> Sources {
        let mut sources = Sources::default();
        for (path, text) in files {
            let path = SitePath::from(*path);
            sources.pages.insert(path.clone(), Text::new(path, text.as_bytes().to_vec()));
        }
        sources
    }

    /// Checks whether the site stays valid after one file was saved, and that it is the same as one that is loaded.
    #[track_caller]
    fn check(path: &str, text: &str, is_valid: bool) {
        let mut files = vec![
            ("content/tour/web/start.md", STEP),
            ("content/tour/ios/start.md", STEP),
            // The same order and slug and another title: a family only by its words.
            ("content/words/web/a.md", "---\ntitle: A\norder: 1\n---\nText.\n"),
            ("content/words/ios/a.md", "---\ntitle: B\norder: 1\n---\nText.\n"),
            ("content/plain.md", PLAIN),
        ];
        let openings = Openings::default();
        let load = |sources: &Sources| {
            load(sources, Config::default(), Selection::default(), &openings).expect("no roots to miss")
        };
        let old = sources(&files);
        let (site, found) = load(&old);
        files.retain(|(other, _)| *other != path);
        files.push((path, text));
        let new = sources(&files);
        let keys = |sources: &Sources| {
            let settings = (&Config::default(), Selection::default());
            (key(sources, settings, &openings).sum(), text_key(&site, sources).sum())
        };
        assert_eq!(keys(&old) == keys(&new), is_valid, "{path}: {text:?}");
        if is_valid {
            let (loaded, found_again) = load(&new);
            assert_eq!(format!("{:?}", site.with_texts(&new)), format!("{loaded:?}"));
            assert_eq!(format!("{found:?}"), format!("{found_again:?}"));
        }
    }

    #[test]
    fn a_site_stays_valid_if_a_saved_file_does_not_affect_it() {
        let (step, plain) = ("content/tour/web/start.md", "content/plain.md");
        check(step, STEP, true);
        check(step, &STEP.replace("dashboard", "console"), true);
        check(step, &STEP.replace("Start", "Begin"), false);
        check(step, &STEP.replace("order: 1", "order:  1"), false);
        check(step, &format!("{STEP}:::platform web\nText.\n:::\n"), false);
        check(plain, "\nText.\nMore.\n", true);
        check(plain, "\nAnother text.\n", true);
        check(plain, "Text.\n", false);
        check(plain, "# Heading\n", false);
        check("content/words/web/a.md", "---\ntitle: A\norder: 1\n---\nOther.\n", false);
        check("content/new.md", PLAIN, false);
    }
}
