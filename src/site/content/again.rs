//! Updates the site after changes to texts that affect only their own pages.
//!
//! The result of [`load`](super::load) depends on the openings of all pages, on the configuration, and on the texts
//! that it compares. If these haven't changed, the site is the same except for the texts.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Document, Openings, Site, editions, versions};
use crate::base::site_path::SitePath;
use crate::input::source::{Sources, Text};
use crate::input::words;

impl Site {
    /// Returns the site of `sources` if loading it would give this site, the site of `old`, with other texts. Returns
    /// `None` if it must be loaded.
    pub fn again(&self, old: &Sources, sources: &Sources, openings: &Openings) -> Option<Self> {
        let config = |sources: &Sources| sources.config.as_ref().map(|text| text.hash);
        if config(old) != config(sources)
            || !old.has_same_beside(sources)
            || old.passed_over != sources.passed_over
            || old.navigation != sources.navigation
            || !words::are_same_files(old, sources)
            || old.pages.len() != sources.pages.len()
        {
            return None;
        }
        let mut changed: BTreeMap<&SitePath, &Text> = BTreeMap::new();
        for ((path, before), (same_path, now)) in old.pages.iter().zip(&sources.pages) {
            if path != same_path {
                return None;
            }
            if before.hash != now.hash {
                changed.insert(path, now);
            }
        }
        let opens_alike = |(path, now): (&&SitePath, &&Text)| {
            let opening = |text: &Text| self.opening(text, openings);
            let before = &old.pages[*path];
            let are_texts = before.invalid.is_none() && now.invalid.is_none();
            are_texts && !self.compared.contains(*path) && opening(before) == opening(now)
        };
        changed.iter().all(opens_alike).then(|| self.with(&changed))
    }

    fn with(&self, changed: &BTreeMap<&SitePath, &Text>) -> Self {
        let mut site = self.clone();
        if changed.is_empty() {
            return site;
        }
        for document in &mut *site.documents {
            if let Some(&text) = changed.get(&document.path) {
                let key = editions::key(document.features, text.hash, &document.edition, &document.dialect);
                *document = Arc::new(Document { source: text.clone(), key, ..Document::clone(document) });
            }
        }
        site.versions = versions::of(&site);
        site
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::config::Config;
    use crate::site::content::{Selection, load};

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

    /// Checks whether the site is reused after one file was saved, and that the result equals a newly loaded site.
    #[track_caller]
    fn check(path: &str, text: &str, is_taken_over: bool) {
        let mut files = vec![
            ("content/tour/web/start.md", STEP),
            ("content/tour/ios/start.md", STEP),
            // With the same order and slug but another title, it is a family only because of its words.
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
        let again = site.again(&old, &new, &openings);
        assert_eq!(again.is_some(), is_taken_over, "{path}: {text:?}");
        if let Some(again) = again {
            let (loaded, found_again) = load(&new);
            assert_eq!(format!("{again:?}"), format!("{loaded:?}"));
            assert_eq!(format!("{found:?}"), format!("{found_again:?}"));
        }
    }

    #[test]
    fn a_site_is_taken_over_where_nothing_of_it_follows_from_what_was_saved() {
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

    #[test]
    fn a_site_is_not_taken_over_where_words_were_saved() {
        let old = sources(&[("content/plain.md", PLAIN)]);
        let openings = Openings::default();
        let (site, _) =
            load(&old, Config::default(), Selection::default(), &openings).expect("no roots to miss");
        let mut new = sources(&[("content/plain.md", PLAIN)]);
        let path = SitePath::from("templates/words/en.toml");
        new.templates.insert(path.clone(), Text::new(path, b"setting_columns = ['Knob']".to_vec()));
        assert!(site.again(&old, &new, &openings).is_none());
    }
}
