//! Pages with content for several platforms, marked by elements of their generator.
//!
//! In: a site with the conditions of its pages. Out: a site of editions, with one document for each page and
//! platform, all in one family. An edition is the page for readers of the platform: elements for platforms become
//! `:::platform` blocks, and the edition decides which are shown. The page itself is parsed with the content for all
//! platforms.

use std::sync::Arc;

use super::family::Family;
use super::key::{StepKey, segments};
use super::{Document, DocumentId, Site, editions, group, places};
use base::hash::HashSet;
use base::index::IndexVec;
use base::platforms::{id_named, rank};
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use input::dialect::{Dialect, PlatformBlocks};
use markup::edition::{Edition, EditionFeatures};
use markup::markdown::is_tab_label;

/// Maximum number of platforms. A page for more lists them without separate text for each.
const MOST: usize = 24;

/// Returns the editions within the pages of a site, if at least two platforms share a page.
pub(super) fn of(site: &Site) -> Option<Arc<Site>> {
    let documents = || site.documents.iter().filter(|document| !document.conditions.is_empty());
    documents().next()?;
    let of_families: HashSet<&str> = (site.families.iter().flat_map(|family| &family.platforms))
        .map(|platform| platform.id.as_str())
        .collect();
    let is_platform = |value: &str| of_families.contains(value.to_lowercase().as_str());
    let blocks = PlatformBlocks::of(documents().flat_map(|document| &document.conditions), is_platform);
    let blocks = Arc::new(blocks);
    let mut editions: SortedMap<String, Arc<Edition>> = SortedMap::new();
    let mut versions: Vec<Arc<Document>> = Vec::new();
    let mut platforms: SortedMap<String, Vec<(DocumentId, StepKey)>> = SortedMap::new();
    for document in documents() {
        let ids = ids(document, &blocks);
        if !(2..=MOST).contains(&ids.len()) {
            continue;
        }
        for id in ids {
            let edition = editions.entry(id.clone()).or_insert_with(|| of_platform(&id, document)).clone();
            let key = StepKey::of_folder(&segments(document.below()).join("/"));
            platforms.entry(id).or_default().push((versions.len().into(), key));
            versions.push(Arc::new(version(document, edition, &blocks)));
        }
    }
    if versions.is_empty() {
        return None;
    }
    let families = IndexVec::from(vec![Family::within_pages(platforms)]);
    let documents = IndexVec::from(versions);
    let platform_of_document = group::platforms_of_documents(&documents, &families);
    let places = places(&documents, &families);
    Some(Arc::new(Site {
        documents,
        families: Arc::new(families),
        places: Arc::new(places),
        platform_of_document: Arc::new(platform_of_document),
        looked_up: Arc::default(),
        none_because: None,
        versions: None,
        ..site.clone()
    }))
}

/// Returns the platforms with an edition of a page, in the order of the switcher.
fn ids(document: &Document, blocks: &PlatformBlocks) -> Vec<String> {
    let mut ids: SortedSet<String> = SortedSet::new();
    for condition in &document.conditions {
        if is_tab_label(condition) {
            // Most tabs are of other things.
            ids.extend(condition.values.iter().filter_map(|label| id_named(label)).map(str::to_string));
        } else {
            ids.extend(blocks.named(condition));
        }
    }
    let mut ids: Vec<String> = ids.into_iter().collect();
    ids.stable_sort_by_key(|id| rank(id));
    ids
}

fn of_platform(id: &str, document: &Document) -> Arc<Edition> {
    Arc::new(Edition { platform: Some(id.to_string()), ..Edition::clone(&document.edition) })
}

fn version(document: &Document, edition: Arc<Edition>, blocks: &Arc<PlatformBlocks>) -> Document {
    let dialect = Arc::new(Dialect { platforms: blocks.clone(), ..Dialect::clone(&document.dialect) });
    let features = document.features.or(EditionFeatures::of(":::platform"));
    let key = editions::key(features, document.file(), &edition, &dialect);
    let mut front = document.front.clone();
    // Editions of other pages are other steps, whatever their titles are.
    front.step = Some(segments(document.below()).join("/"));
    Document { front, features, key, edition, dialect, ..document.clone() }
}
