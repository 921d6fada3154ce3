//! Paths of files and folders in `stepkin.toml`.

use super::{Moving, present};
use crate::site_path::SitePath;

/// Keys whose values are paths: below the root, below the folder of pages, or as readers see them.
const PATHS: &[&str] = &["root", "image", "file", "routes"];

/// The configuration with the paths of what moved.
pub(super) fn moved(text: &str, moving: &Moving<'_>) -> String {
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
