//! Paths of files and folders in `stepkin.toml`.

use std::ops::Range;

use super::{Moving, present};
use base::site_path::SitePath;
use base::sort::StableSort as _;
use site::content::{Family, name_in_list};

/// Keys whose values are paths: relative to the root or to the folder of pages, or on the published site.
const PATHS: &[&str] = &["root", "image", "file", "routes"];

/// Updates the paths of moved files in the configuration.
pub(super) fn moved(text: &str, moving: &Moving<'_>) -> String {
    let text = with_families(text, moving);
    let mut edited = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        while let Some((before, value, after)) = next_value(rest) {
            edited.push_str(before);
            edited.push_str(&path(value, moving).unwrap_or_else(|| value.to_string()));
            rest = after;
        }
        edited.push_str(rest);
    }
    edited
}

/// Updates the steps and layouts of moved families in the configuration.
fn with_families(text: &str, moving: &Moving<'_>) -> String {
    let site = &moving.old.project.site;
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for declared in &site.config.families.declared {
        edits.extend(declared.layout.as_ref().and_then(|layout| {
            let folder = layout.get_ref().folder();
            let to = present(&moving.renames, &site.repository.content.with(&folder).into());
            let to = to.below(&site.repository.content.path)?.to_string();
            (to != folder).then(|| (layout.span(), text[layout.span()].replacen(&folder, &to, 1)))
        }));
        let Some(family) = site.families.iter().find(|family| family.id == declared.id) else { continue };
        let listed: Vec<String> = declared.steps.iter().map(|step| name_in_list(step.get_ref())).collect();
        for (at, (entry, step)) in declared.steps.iter().zip(&listed).enumerate() {
            let now = keys_of(step, family, moving);
            let is_left = now.contains(step);
            let mut new = now.into_iter().filter(|key| !listed.contains(key));
            if !is_left {
                let quote = &text[entry.span()][..1];
                edits.push(match new.next() {
                    Some(key) => (entry.span(), format!("{quote}{key}{quote}")),
                    // Its new name is already listed.
                    None => (whole_entry(&declared.steps, at), String::new()),
                });
            }
            // Platforms may now use different names for it.
            for key in new {
                let (at, more) = listed_behind(text, entry, &key);
                edits.push((at..at, more));
            }
        }
    }
    edits.stable_sort_by_key(|(span, _)| (span.start, span.end));
    let mut edited = text.to_string();
    for (span, new) in edits.into_iter().rev() {
        edited.replace_range(span, &new);
    }
    edited
}

/// Returns the range of a list item with its comma.
fn whole_entry(list: &[toml::Spanned<String>], at: usize) -> Range<usize> {
    let entry = list[at].span();
    match (at.checked_sub(1), list.get(at + 1)) {
        (Some(before), _) => list[before].span().end..entry.end,
        (None, Some(next)) => entry.start..next.span().start,
        (None, None) => entry,
    }
}

/// Returns the new names of a step on its platforms: its distinct paths without the platform.
fn keys_of(step: &str, family: &Family, moving: &Moving<'_>) -> Vec<String> {
    let site = &moving.old.project.site;
    let mut keys = Vec::new();
    for platform in &family.platforms {
        let ids = platform.steps.iter().zip(&platform.keys).filter(|(_, key)| key.as_str() == step);
        for (id, _) in ids {
            let document = site.document(*id);
            let below = |path: &SitePath| path.below(&site.repository.content.path).map(name_in_list);
            let (before, after) = (below(&document.path), below(&present(&moving.renames, &document.path)));
            let key = before
                .zip(after)
                .and_then(|(before, after)| key_after(step, &platform.root, &before, &after));
            let key = key.unwrap_or_else(|| step.to_string());
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    keys
}

/// Returns the new key of a page that had the key `step`, or `None` if it doesn't follow from its path.
fn key_after(step: &str, root: &str, before: &str, after: &str) -> Option<String> {
    let below = |path: &str| Some(path.strip_prefix(root)?.strip_prefix('/')?.to_string());
    if below(before).as_deref() == Some(step) {
        return below(after);
    }
    let (before, after): (Vec<&str>, Vec<&str>) = (before.split('/').collect(), after.split('/').collect());
    let names = step.split('/').count();
    let at = before.windows(names).position(|part| part.join("/") == step)?;
    (before.len() == after.len()).then(|| after[at..at + names].join("/"))
}

/// Returns the position and text for inserting another item after an item of a list.
pub(crate) fn listed_behind(text: &str, entry: &toml::Spanned<String>, new: &str) -> (usize, String) {
    let before = &text[..entry.span().start];
    let gap = &before[before.trim_end().len()..];
    let gap = if gap.is_empty() { " " } else { gap };
    (entry.span().end, format!(",{gap}\"{new}\""))
}

/// Returns the first value in a line that may be a path, with the text before and after it.
fn next_value(line: &str) -> Option<(&str, &str, &str)> {
    let mut at = 0;
    while let Some(open) = line[at..].find('"').map(|open| at + open) {
        let close = open + 1 + line[open + 1..].find('"')?;
        let before = line[..open].trim_end();
        let key = before.strip_suffix('=').map(str::trim_end);
        let is_path = key.is_some_and(|key| {
            let name = key.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            PATHS.contains(&name) && !key.trim_start().starts_with('#')
        });
        if is_path {
            return Some((&line[..=open], &line[open + 1..close], &line[close..]));
        }
        at = close + 1;
    }
    None
}

/// Returns the new value of a path that changes. It may be relative to the root or to a folder of sources.
fn path(written: &str, moving: &Moving<'_>) -> Option<String> {
    let repository = &moving.old.project.site.repository;
    let statics = repository.statics.iter().map(|folder| folder.path.as_str());
    let bare = written.trim_start_matches('/').trim_end_matches('/');
    if bare.is_empty() {
        return None;
    }
    let starts = [""].into_iter().chain([repository.content.path.as_str()]).chain(statics);
    for start in starts {
        let gap = if start.is_empty() { "" } else { "/" };
        let from = SitePath::from(format!("{start}{gap}{bare}"));
        let to = present(&moving.renames, &from);
        if to == from {
            continue;
        }
        if let Some(below) = to.as_str().strip_prefix(&format!("{start}{gap}")) {
            return Some(written.replacen(bare, below, 1));
        }
        // From one folder of sources to another.
        return repository.published_file(to.as_str()).map(|address| address.to_string());
    }
    None
}
