//! Compares the families of two sites, and writes them to `stepkin.toml`.

use std::collections::HashMap;

use super::places::Places;
use super::settings::quoted;
use base::platforms::also_called;
use base::site_path::is_inside;
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use site::content::{DocumentId, Family, Platform};
use site::work::Work;

/// A family with the properties that readers and authors see.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shape {
    address: String,
    id: String,
    title: String,
    /// ID, name, and the addresses of the steps in order.
    platforms: Vec<(String, String, Vec<String>)>,
}

/// Returns the families of a site without some steps.
pub(super) fn shapes(work: &Work, without: &SortedSet<String>) -> Vec<Shape> {
    let site = &work.project.site;
    let address = |id: &DocumentId| site.document(*id).address.as_str().to_string();
    let platform = |it: &Platform| {
        (
            it.id.clone(),
            it.name.clone(),
            it.steps.iter().map(address).filter(|it| !without.contains(it)).collect::<Vec<String>>(),
        )
    };
    let shape = |family: &Family| Shape {
        address: family.address.as_str().to_string(),
        id: family.id.clone(),
        title: family.title.clone(),
        platforms: family.platforms.iter().map(platform).collect(),
    };
    let mut shapes: Vec<Shape> = site.families.iter().map(shape).collect();
    shapes.stable_sort();
    shapes
}

/// Returns the IDs of families that differ between two sites, or that only one contains.
pub(super) fn difference(before: &[Shape], found: &[Shape]) -> Vec<String> {
    let one = before.iter().filter(|shape| !found.contains(shape));
    let other = found.iter().filter(|shape| !before.contains(shape));
    one.chain(other).map(|shape| shape.id.clone()).collect::<SortedSet<_>>().into_iter().collect()
}

/// Returns tables that prevent folders from being detected as new families.
pub(super) fn surplus(before: &[Shape], found: &[Shape]) -> String {
    let steps = |shape: &Shape| -> SortedSet<String> {
        shape.platforms.iter().flat_map(|(_, _, steps)| steps.iter().cloned()).collect()
    };
    let known: SortedSet<String> = before.iter().flat_map(steps).collect();
    let is_new = |shape: &&Shape| steps(shape).is_disjoint(&known);
    let table = |shape: &Shape| {
        let folder = shape.address.trim_matches('/');
        if folder.is_empty() {
            String::new()
        } else {
            format!("\n[[family]]\nroot = {}\ntutorial = false\n", quoted(folder))
        }
    };
    found.iter().filter(is_new).map(table).collect()
}

/// Returns tables that declare these families of the old site for the new one.
pub(super) fn tables(old: &Work, shapes: &[&Shape], places: &Places) -> String {
    let site = &old.project.site;
    let is_said = |family: &&Family| shapes.iter().any(|shape| shape.id == family.id);
    site.families.iter().filter(is_said).map(|family| table(family, places)).collect()
}

fn table(family: &Family, places: &Places) -> String {
    let mut text = format!("\n[[family]]\nid = {}\ntitle = {}\n", quoted(&family.id), quoted(&family.title));
    let layout = layout_of(family, places);
    let has_folders = layout.is_none();
    if let Some(layout) = layout {
        text.extend([format!("layout = {}\n", quoted(&layout))]);
    }
    for platform in &family.platforms {
        let (id, name) = (quoted(&platform.id), quoted(&platform.name));
        text.extend([format!("\n[[family.platform]]\nid = {id}\nname = {name}\n")]);
        if has_folders {
            text.extend([format!("root = {}\n", quoted(&root(platform)))]);
        }
        let known = also_called(&platform.id);
        let words: Vec<String> = platform
            .words
            .iter()
            .filter(|word| !known.contains(&word.as_str()))
            .map(|word| quoted(word))
            .collect();
        if !words.is_empty() {
            text.extend([format!("words = [{}]\n", words.join(", "))]);
        }
    }
    text
}

/// Returns the folder of a platform relative to `content`.
fn root(platform: &Platform) -> String {
    platform.folder().as_str().trim_matches('/').to_string()
}

/// Whether a step is in the folder of its platform.
fn is_in_folder(platform: &Platform, id: DocumentId, places: &Places) -> bool {
    places.pages[id].0.below("content").is_some_and(|path| is_inside(path, &root(platform)))
}

/// Returns the layout of a family whose platforms have no folders, or nothing if all or most of their steps are in
/// platform folders.
fn layout_of(family: &Family, places: &Places) -> Option<String> {
    let are_in_folders =
        family.platforms.iter().all(|it| it.steps.iter().all(|&id| is_in_folder(it, id, places)));
    let below = |id: DocumentId| places.pages[id].0.below("content").unwrap_or_default();
    if are_in_folders { None } else { layout(family, &below) }
}

/// Returns the addresses of steps that can't be in a folder of their platform.
pub(super) fn outside(old: &Work, places: &Places) -> SortedSet<String> {
    let site = &old.project.site;
    let with_folders = site.families.iter().filter(|family| layout_of(family, places).is_none());
    let platforms = with_folders.flat_map(|family| &family.platforms);
    let steps = platforms.flat_map(|it| it.steps.iter().filter(|&&id| !is_in_folder(it, id, places)));
    steps.map(|&id| site.document(id).address.as_str().to_string()).collect()
}

/// Returns the layout of a family with one page for each platform: the last segment of each path is the platform.
fn layout<'a>(family: &Family, below: &dyn Fn(DocumentId) -> &'a str) -> Option<String> {
    let folder = family.address.as_str().trim_matches('/');
    let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let mut depths = SortedSet::new();
    for platform in &family.platforms {
        for &id in &platform.steps {
            let path = below(id).strip_prefix(&start)?;
            let path = path.strip_suffix(".md")?;
            let path = path.strip_suffix("/index").unwrap_or(path);
            let (steps, name) = path.rsplit_once('/').unwrap_or(("", path));
            if !name.eq_ignore_ascii_case(&platform.id) {
                return None;
            }
            depths.insert(steps.split('/').filter(|step| !step.is_empty()).count());
        }
    }
    let steps = match (depths.first(), depths.last()) {
        (Some(0), Some(0)) => "",
        (Some(1), Some(1)) => "{step}/",
        (Some(first), _) if *first > 0 => "{section}/{step}/",
        _ => return None,
    };
    Some(format!("{start}{steps}{{platform}}"))
}

/// Returns steps with their names if the new site lacks their row or matches it with uncertainty, so that they
/// wouldn't be the same step.
pub(super) fn missed_steps(
    old: &Work,
    new: &Work,
    outside: &SortedSet<String>,
    is_doubted: &dyn Fn(DocumentId) -> bool,
) -> Vec<(DocumentId, String)> {
    let mut missed = Vec::new();
    let known = rows(new, outside);
    for (row, ids, name) in named_rows(old, outside) {
        let is_known = known.contains(&row) && !ids.iter().any(|&id| is_doubted(id));
        if !is_known && ids.len() > 1 {
            missed.extend(ids.into_iter().map(|id| (id, name.clone())));
        }
    }
    // Pages that would be matched as the same step, although they aren't.
    let own: SortedMap<DocumentId, String> = named_rows(old, outside)
        .into_iter()
        .flat_map(|(_, ids, name)| ids.into_iter().map(move |id| (id, name.clone())))
        .collect();
    let by_address: HashMap<&str, DocumentId> =
        old.project.site.documents.indexed().map(|(id, document)| (document.address.as_str(), id)).collect();
    let before = rows(old, outside);
    for row in known.iter().filter(|row| row.len() > 1 && !before.contains(*row)) {
        for id in row.iter().filter_map(|address| by_address.get(address.as_str())) {
            missed.extend(own.get(id).map(|name| (*id, name.clone())));
        }
    }
    missed.retain(|(id, _)| old.project.site.document(*id).front.step.is_none());
    missed.stable_sort();
    missed.dedup();
    missed
}

fn rows(work: &Work, outside: &SortedSet<String>) -> SortedSet<Vec<String>> {
    named_rows(work, outside).into_iter().map(|(row, ..)| row).collect()
}

/// Returns the rows of all families: the addresses of their pages, the pages, and the name of the step.
fn named_rows(work: &Work, outside: &SortedSet<String>) -> Vec<(Vec<String>, Vec<DocumentId>, String)> {
    let (site, families) = (&work.project.site, &work.project.families);
    let of_family = |family| {
        let rows = families.rows(family).indexed();
        let row = move |(at, row): (_, &site::family::Row)| {
            let is_inside = |id: &DocumentId| !outside.contains(site.document(*id).address.as_str());
            let ids: Vec<DocumentId> = row.steps.iter().flatten().copied().filter(is_inside).collect();
            let addresses = ids.iter().map(|&id| site.document(id).address.as_str().to_string()).collect();
            (addresses, ids, families.step_names(family)[at].clone())
        };
        rows.map(row).collect::<Vec<_>>()
    };
    site.families.indices().flat_map(of_family).collect()
}
