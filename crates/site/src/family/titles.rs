//! Chooses a name for a step that may have different titles on its platforms.

use super::{Row, step_slug};
use crate::content::{Document, Family, Place, Site, bare_title};
use base::hash::HashMap;
use base::names;
use base::platforms::is_platform_name;
use base::site_path;
use markup::markdown::repair;

/// Returns the most common title of a step's versions, ignoring numbers. If all titles differ, returns their common `step` key
/// or slug. The page that introduces a platform has the family's title, because a platform's name isn't the title of a step.
pub(super) fn of_row(site: &Site, family: &Family, row: &Row) -> String {
    let versions: Vec<&Document> = row.steps.iter().flatten().map(|&id| site.document(id)).collect();
    let titles: Vec<String> = versions.iter().map(|document| repair(&document.title).into_owned()).collect();
    let names_platform = |title: &str| {
        let is_name = |name: &str| name.eq_ignore_ascii_case(title);
        is_platform_name(title)
            || family.platforms.iter().any(|platform| is_name(&platform.name) || is_name(&platform.id))
    };
    let telling: Vec<&String> = titles.iter().filter(|title| !names_platform(title)).collect();
    let shared = most_common(telling.iter().map(|title| bare_title(title)));
    let shared = shared.and_then(|bare| telling.iter().find(|title| bare_title(title) == bare));
    if let Some(title) = shared.or(telling.first().filter(|_| versions.len() == 1)) {
        return (*title).clone();
    }
    if let Some(said) = versions.iter().find_map(|document| document.front.step.as_deref()) {
        return names::of_segment(said);
    }
    let places = || row.steps.iter().flatten().filter_map(|&id| site.place(id));
    let is_introduction =
        |place: Place| family.platforms[place.platform].keys[place.step].as_str().is_empty();
    if places().all(is_introduction) {
        return family.title.clone();
    }
    let last = |slug: &str| site_path::file_name(slug).to_string();
    let slug = most_common(places().map(|place| last(step_slug(site, family, place))));
    let slug = slug.filter(|slug| slug.contains(char::is_alphabetic) && !names_platform(slug));
    let by_title = || telling.first().map_or(titles[0].as_str(), |title| title).to_string();
    slug.map_or_else(by_title, |slug| names::of_segment(&slug))
}

/// Returns the most frequent title, or the first of several. Returns `None` if no title occurs twice.
fn most_common(texts: impl Iterator<Item = String>) -> Option<String> {
    let mut counts: HashMap<String, usize> = HashMap::default();
    let mut most: Vec<String> = Vec::new();
    for text in texts {
        let count = counts.entry(text.clone()).or_default();
        *count += 1;
        if *count == 1 {
            most.push(text);
        }
    }
    let count = |text: &String| counts[text];
    let best = most.iter().map(count).max().filter(|&best| best > 1)?;
    most.iter().find(|text| count(text) == best).cloned()
}
