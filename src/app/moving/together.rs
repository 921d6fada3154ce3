//! Finds files and sections that move together.

use super::{Move, PageSection, present, refused};
use base::address::dark_of;
use base::error::Result;
use base::site_path::{self, SitePath};
use input::languages::Languages;
use input::source::Sources;
use site::languages::Counterparts;
use site::work::Work;

/// Adds the dark version of an image.
pub(crate) fn with_dark(work: &Work, it: Move) -> Vec<Move> {
    let dark = |path: &SitePath| dark_of(path.as_str()).map(SitePath::from);
    let both = dark(&it.from).zip(dark(&it.to));
    let both = both.filter(|(from, _)| work.project.sources.assets.contains_key(from));
    [Some(it), both.map(|(from, to)| Move { from, to })].into_iter().flatten().collect()
}

/// Adds the translations of moved pages and files, so that they have the same path again.
///
/// # Errors
///
/// If a translation would lose its original.
pub(super) fn with_translations(sources: &Sources, mut renames: Vec<Move>) -> Result<Vec<Move>> {
    let Some(languages) = sources.languages() else { return Ok(renames) };
    let pairs = Counterparts::of(sources).pairs.into_iter().map(|pair| (pair.translation, pair.original));
    let file = |path: &SitePath| {
        let originals = languages.originals(&languages.translated(path.as_str())?.1);
        let original = originals.into_iter().find(|original| sources.assets.contains_key(original))?;
        Some((path.clone(), original))
    };
    let all: Vec<(SitePath, SitePath)> = pairs.chain(sources.assets.keys().filter_map(file)).collect();
    for (translation, original) in all {
        let is_by_path = |translation: &SitePath, original: &SitePath| {
            let expected = languages.translated(translation.as_str());
            expected.is_some_and(|(_, path)| languages.key(&path) == languages.key(original.as_str()))
        };
        // A key in the front matter may refer to the original instead.
        if !is_by_path(&translation, &original) {
            continue;
        }
        let (now, of) = (present(&renames, &translation), present(&renames, &original));
        // Paths with other numbers are counterparts, too, but only if they were different before.
        if is_by_path(&now, &of)
            && (is_at(languages, &now, &of) || !is_at(languages, &translation, &original))
        {
            continue;
        }
        if now != translation {
            let why = format!(
                "it is the translation of `{original}`; move that page, and all translations move with it"
            );
            return Err(refused(&translation, &why));
        }
        let to = languages.path_beside(translation.as_str(), of.as_str());
        let to = to.ok_or_else(|| {
            refused(&translation, "its language has no folder for the new path of its original")
        })?;
        renames.push(Move { from: translation, to: to.into() });
    }
    Ok(renames)
}

/// Whether a translation has the path of its original, including number prefixes.
fn is_at(languages: &Languages, translation: &SitePath, original: &SitePath) -> bool {
    languages
        .translated(translation.as_str())
        .is_some_and(|(_, path)| path == languages.bare(original.as_str()))
}

/// Returns the moves of a step on each platform that has it.
pub(crate) fn on_all_platforms(work: &Work, from: &SitePath, to: &SitePath) -> Result<Vec<Move>> {
    let site = &work.project.site;
    let index = SitePath::from(format!("{from}/index.md"));
    let page = |path: &SitePath| site.documents.position(|it| it.path == *path && !it.is_shared());
    let id = page(from).or_else(|| page(&index));
    let Some(place) = id.and_then(|id| site.place(id)) else {
        return Err(refused(from, "it is not a step of a single platform; remove `--all-platforms`"));
    };
    let family = &site.families[place.family];
    let root = |root: &str| site.repository.content.with(root);
    let own = root(&family.platforms[place.platform].root);
    let Some(below) = to.below(&own) else {
        return Err(refused(from, &format!("with `--all-platforms`, the new path must also be in `{own}`")));
    };
    let stem = stem(below);
    let siblings = work.project.families.siblings(site, place);
    let mut renames = Vec::new();
    for (platform, sibling) in siblings.indexed() {
        let Some(document) = sibling.map(|id| site.document(id)) else { continue };
        if document.is_shared() {
            return Err(refused(&document.path, "platforms share it; move it without `--all-platforms`"));
        }
        let folder = root(&family.platforms[platform].root);
        let path = document.path.as_str();
        if !site_path::is_inside(path, &folder) {
            return Err(refused(&document.path, &format!("it is not in `{folder}`; move it separately")));
        }
        renames.push(match path.strip_suffix("/index.md") {
            Some(own) if own != folder => Move { from: own.into(), to: format!("{folder}/{stem}").into() },
            _ => Move { from: path.into(), to: format!("{folder}/{stem}.md").into() },
        });
    }
    renames.retain(|it| it.from != it.to);
    Ok(renames)
}

/// Returns a section and the same section on each other platform with the same title. Sections with another title
/// aren't included.
pub(crate) fn section_on_all_platforms(work: &Work, section: PageSection) -> Vec<PageSection> {
    let (site, families) = (&work.project.site, &work.project.families);
    let mut sections = vec![section];
    let Some(place) = site.place(section.document) else { return sections };
    let siblings = families.siblings(site, place);
    for other in siblings.iter().flatten().copied().filter(|other| *other != section.document) {
        let counterparts = families.counterparts(site, &work.pages, section.document, other);
        let there = counterparts[section.heading].map(|heading| PageSection { document: other, heading });
        sections.extend(there.filter(|there| there.title(work) == section.title(work)));
    }
    sections
}

fn stem(below: &str) -> &str {
    let stem = below.strip_suffix(".md").unwrap_or(below);
    stem.strip_suffix("/index").unwrap_or(stem)
}
