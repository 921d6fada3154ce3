//! Files that pages include, and with them the dialect of each page.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::{Openings, read_opening};
use crate::base::error::Result;
use crate::base::site_path::SitePath;
use crate::base::timings::{Stage, part};
use crate::input::dialect::{Absence, Dialect, IncludedFile};
use crate::input::source::{Sources, Text};

/// A file that a page names.
struct Inclusion {
    name: String,
    /// The files that the name may mean, the likeliest first.
    candidates: Vec<String>,
    /// Whether the name leads out of the site's root.
    is_outside: bool,
}

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
    sources.absent.clear();
    for _ in 0..DEEPEST {
        let pages: Vec<&Text> = sources.pages.values().collect();
        let is_unknown = |it: &Inclusion| named(sources, &it.candidates).is_none();
        let wanted = pages.into_par_iter().flat_map_iter(|page| {
            let _part = part(Stage::Load);
            let inclusions = inclusions(sources, page, openings).into_iter();
            inclusions.filter(is_unknown).map(|it| it.candidates)
        });
        let wanted: BTreeSet<Vec<String>> = wanted.collect();
        // What code is taken from includes nothing.
        if !sources.read_beside(wanted)? || sources.repository.names_code_files() {
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
    let inclusions = inclusions(sources, page, openings);
    let names_code = sources.repository.names_code_files();
    if names_code && inclusions.is_empty() {
        return Arc::default();
    }
    let mut parts = BTreeMap::new();
    let mut absent = BTreeMap::new();
    for Inclusion { name, candidates, is_outside } in inclusions {
        match named(sources, &candidates) {
            Some(part) if names_code && part.invalid.is_some() => {
                absent.insert(name, Absence::NotUtf8);
            }
            Some(part) => {
                let of_part = || IncludedFile { path: part.path.clone(), text: part.text().into() };
                parts.entry(name).or_insert_with(of_part);
            }
            None if is_outside && !names_code => {
                absent.insert(name, Absence::Outside);
            }
            None => {
                let why = candidates.iter().find_map(|path| sources.absent.get(path.as_str()));
                absent.extend(why.map(|why| (name, why.clone())));
            }
        }
    }
    let repository = &sources.repository;
    let (anchors, defines_labels) = (repository.anchors, repository.defines_labels);
    let (values, platforms) = (repository.values.clone(), Arc::default());
    Arc::new(Dialect { syntax, anchors, defines_labels, parts, absent, values, platforms })
}

/// What a page includes, and what that includes, as far as it is known: each name with the files that it may mean.
fn inclusions(sources: &Sources, page: &Text, openings: &Openings) -> Vec<Inclusion> {
    let mut all = Vec::new();
    let mut seen = BTreeSet::from([&page.path]);
    let mut texts = vec![page];
    while let Some(text) = texts.pop() {
        for inclusion in candidates(sources, page, text, openings) {
            if !sources.repository.names_code_files()
                && let Some(part) =
                    named(sources, &inclusion.candidates).filter(|part| is_markdown(&part.path))
                && seen.insert(&part.path)
            {
                texts.push(part);
            }
            all.push(inclusion);
        }
    }
    all
}

/// The names of the files that a text, itself included by a page, includes, each with the files that it may mean: from its
/// own place, unless it is a template, then from the page's.
fn candidates(sources: &Sources, page: &Text, text: &Text, openings: &Openings) -> Vec<Inclusion> {
    if text.invalid.is_some() {
        return Vec::new();
    }
    let repository = &sources.repository;
    let opening = read_opening(text, repository, openings);
    let of_name = |name: &String| {
        let mut candidates = match repository.is_template_of_includes(text.path.as_str()) {
            true => Vec::new(),
            false => repository.included(text.path.as_str(), name),
        };
        if text.path != page.path {
            candidates.extend(repository.included(page.path.as_str(), name));
        }
        candidates.retain(|path| *path != text.path.as_str());
        let is_outside = name.starts_with("../") && repository.path_from(text.path.as_str(), name).is_none();
        Inclusion { name: name.clone(), candidates, is_outside }
    };
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
