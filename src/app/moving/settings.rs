//! Paths of files and folders in `stepkin.toml`.

use std::ops::Range;

use super::{Moving, present};
use crate::base::site_path::SitePath;
use crate::site::content::{Family, name_in_list};

/// Keys whose values are paths: below the root, below the folder of pages, or as readers see them.
const PATHS: &[&str] = &["root", "image", "file", "routes"];

/// The configuration with the paths of what moved.
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

/// The configuration with the steps and layouts of families that moved.
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
                    // It is listed as it is called now.
                    None => (whole_entry(&declared.steps, at), String::new()),
                });
            }
            // Platforms may call it differently from now on.
            for key in new {
                let (at, more) = listed_behind(text, entry, &key);
                edits.push((at..at, more));
            }
        }
    }
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let mut edited = text.to_string();
    for (span, new) in edits.into_iter().rev() {
        edited.replace_range(span, &new);
    }
    edited
}

/// An entry of a list with the comma that parts it from the others.
fn whole_entry(list: &[toml::Spanned<String>], at: usize) -> Range<usize> {
    let entry = list[at].span();
    match (at.checked_sub(1), list.get(at + 1)) {
        (Some(before), _) => list[before].span().end..entry.end,
        (None, Some(next)) => entry.start..next.span().start,
        (None, None) => entry,
    }
}

/// What platforms call a step afterwards: its path with the platform taken out, each once.
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

/// The key of a page that had the key `step`; `None` where its path does not say it.
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

/// What is put in where, so that a list has another entry behind one of its own.
pub(crate) fn listed_behind(text: &str, entry: &toml::Spanned<String>, new: &str) -> (usize, String) {
    let before = &text[..entry.span().start];
    let gap = &before[before.trim_end().len()..];
    let gap = if gap.is_empty() { " " } else { gap };
    (entry.span().end, format!(",{gap}\"{new}\""))
}

/// The first value of a line that may be a path, with what is before and after it.
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

/// What a path is afterwards, where it changes; it may be written below the root or below a folder of sources.
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
