//! Files that pages include, and with them the dialect of each page.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::{Openings, read_opening};
use crate::dialect::{Dialect, Part};
use crate::error::Result;
use crate::site_path::SitePath;
use crate::source::{Sources, Text};

/// Files that include files are followed to this depth.
const DEEPEST: usize = 8;

/// Adds the files that pages include, and those that these include.
///
/// # Errors
///
/// When one of them is there and cannot be read.
pub fn include(sources: &mut Sources, openings: &Openings) -> Result<()> {
    if sources.repository.convention.syntax.is_empty() {
        return Ok(());
    }
    for _ in 0..DEEPEST {
        let texts: Vec<&Text> = sources.pages.values().chain(sources.beside.values()).collect();
        let wanted: Vec<Vec<String>> = texts
            .into_par_iter()
            .filter(|text| is_markdown(&text.path))
            .flat_map_iter(|text| candidates(sources, text, openings))
            .map(|(_, candidates)| candidates)
            .filter(|candidates| named(sources, candidates).is_none())
            .collect();
        if !sources.read_beside(&wanted)? {
            break;
        }
    }
    Ok(())
}

/// How a page is written, with the files that it includes.
pub(super) fn dialect(sources: &Sources, page: &Text, openings: &Openings) -> Arc<Dialect> {
    let syntax = sources.repository.convention.syntax;
    if syntax.is_empty() {
        return Arc::default();
    }
    let mut parts = BTreeMap::new();
    let mut seen = BTreeSet::from([&page.path]);
    let mut texts = vec![page];
    while let Some(text) = texts.pop() {
        for (name, candidates) in candidates(sources, text, openings) {
            let Some(part) = named(sources, &candidates) else { continue };
            if is_markdown(&part.path) && seen.insert(&part.path) {
                texts.push(part);
            }
            let of_part = || Part { path: part.path.clone(), text: part.text().into() };
            parts.entry(name).or_insert_with(of_part);
        }
    }
    Arc::new(Dialect { syntax, parts })
}

/// The names of the files that a text includes, each with the files that it may mean.
fn candidates(sources: &Sources, text: &Text, openings: &Openings) -> Vec<(String, Vec<String>)> {
    if text.invalid.is_some() {
        return Vec::new();
    }
    let repository = &sources.repository;
    let opening = read_opening(text, repository, openings);
    let of_name = |name: &String| (name.clone(), repository.included(text.path.as_str(), name));
    opening.inclusions.iter().map(of_name).collect()
}

/// The first file of those that are known.
fn named<'s>(sources: &'s Sources, candidates: &[String]) -> Option<&'s Text> {
    candidates.iter().find_map(|path| sources.text(&path.as_str().into()))
}

/// Whether a file may include others: code is taken as it is.
fn is_markdown(path: &SitePath) -> bool {
    let ending = path.as_str().rsplit('.').next().unwrap_or_default();
    matches!(ending, "md" | "mdx" | "markdown" | "html")
}
