//! The files that pages include, which complete the dialect of each page.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Openings, read_opening};
use base::error::Result;
use base::site_path::SitePath;
use base::sorted::{SortedMap, SortedSet};
use base::timings::{Stage, part};
use input::conventions::{AnchorRule, COMPONENT_INCLUDE, are_nearly_all};
use input::dialect::{Absence, Dialect, IncludedFile};
use input::source::{Sources, Text};

/// An include on a page.
struct Inclusion {
    name: String,
    /// The files that it may refer to, the most likely first.
    candidates: Vec<String>,
    /// Whether the path leaves the site's root.
    is_outside: bool,
}

/// Maximum depth of nested includes.
const DEEPEST: usize = 8;

/// Adds the files that pages include, directly or indirectly.
///
/// # Errors
///
/// If an existing one can't be read.
pub fn include(sources: &mut Sources, openings: &Openings) -> Result<()> {
    if sources.repository.convention.syntax.is_empty() {
        return Ok(());
    }
    sources.absent.clear();
    sources.components_include = false;
    for _ in 0..DEEPEST {
        let pages: Vec<&Text> = sources.pages.values().collect();
        // A file that was read may be a less likely candidate than one that wasn't.
        let unknown = |Inclusion { mut candidates, .. }: Inclusion| {
            let known = candidates.iter().position(|path| sources.text(&path.as_str().into()).is_some());
            candidates.truncate(known.unwrap_or(candidates.len()));
            (!candidates.is_empty()).then_some(candidates)
        };
        let wanted = pages.into_par_iter().flat_map_iter(|page| {
            let _part = part(Stage::Load);
            inclusions(sources, page, openings).into_iter().filter_map(unknown)
        });
        let wanted = SortedSet::from(wanted.collect::<Vec<Vec<String>>>());
        // Files that are included as code include nothing.
        if !sources.read_beside(wanted)? || sources.repository.names_code_files() {
            break;
        }
    }
    sources.components_include = do_components_include(sources, openings);
    Ok(())
}

/// Whether nearly all components that are named like an include name a file that exists, so the others are mistakes.
fn do_components_include(sources: &Sources, openings: &Openings) -> bool {
    let pages: Vec<&Text> = sources.pages.values().collect();
    let counts = pages.into_par_iter().flat_map_iter(|page| {
        let all = candidates(sources, page, page, openings);
        all.into_iter()
            .filter(|it| it.name.starts_with(COMPONENT_INCLUDE))
            .map(|it| usize::from(named(sources, &it.candidates).is_some()))
    });
    let counts: Vec<usize> = counts.collect();
    are_nearly_all(counts.iter().sum(), counts.len())
}

/// Returns the syntax of a page with its included files.
pub(super) fn dialect(sources: &Sources, page: &Text, openings: &Openings) -> Arc<Dialect> {
    let syntax = sources.repository.convention.syntax;
    if syntax.is_empty() {
        // The rule may have been found by links.
        return match sources.repository.anchors {
            AnchorRule::GitHub | AnchorRule::Any => Arc::default(),
            anchors => Arc::new(Dialect { anchors, ..Dialect::default() }),
        };
    }
    let inclusions = inclusions(sources, page, openings);
    let names_code = sources.repository.names_code_files();
    if names_code && inclusions.is_empty() {
        return Arc::default();
    }
    let mut parts = SortedMap::new();
    let mut absent = SortedMap::new();
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
                // A path with one `../` too many is a mistake, if the file is there and not above.
                let is_above = sources.has_file_beside(&page.path, &name);
                let meant = name.strip_prefix("../").filter(|_| !is_above).filter(|meant| {
                    let files = sources.repository.included(page.path.as_str(), meant);
                    files.iter().any(|file| sources.has_file(file))
                });
                let why = meant.map_or(Absence::Outside, |meant| Absence::Missing(Some(meant.to_string())));
                absent.insert(name, why);
            }
            None if name.starts_with(COMPONENT_INCLUDE) => {
                absent.extend(sources.components_include.then_some((name, Absence::Missing(None))));
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
    let definitions = repository.definitions.clone();
    let (vocabulary, html) = (repository.vocabulary_of(&page.path), repository.html_in(&page.path));
    // The edition knows whether the site has formulas.
    Arc::new(Dialect {
        syntax,
        anchors,
        defines_labels,
        definitions,
        has_formulas: false,
        parts,
        absent,
        vocabulary,
        html,
        values,
        platforms,
    })
}

/// Returns the direct and indirect includes of a page, as far as they are known: each name with the files that it may
/// refer to.
fn inclusions(sources: &Sources, page: &Text, openings: &Openings) -> Vec<Inclusion> {
    let mut all = Vec::new();
    let mut seen = SortedSet::from([&page.path]);
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

/// Returns the includes in a text that a page includes, each with the files that it may refer to: relative to the
/// text unless it is a template, then to the page.
fn candidates(sources: &Sources, page: &Text, text: &Text, openings: &Openings) -> Vec<Inclusion> {
    if text.invalid.is_some() {
        return Vec::new();
    }
    let repository = &sources.repository;
    let opening = read_opening(text, repository, openings);
    let of_name = |name: &String| {
        let is_page = text.path == page.path;
        let is_template = !is_page && repository.is_template_of_includes(text.path.as_str());
        let mut candidates =
            if is_template { Vec::new() } else { repository.included(text.path.as_str(), name) };
        if !is_page {
            candidates.extend(repository.included(page.path.as_str(), name));
        }
        let is_outside = name.starts_with("../") && repository.path_from(text.path.as_str(), name).is_none();
        Inclusion { name: name.clone(), candidates, is_outside }
    };
    opening.inclusions.iter().map(of_name).collect()
}

/// Returns the first known file.
fn named<'s>(sources: &'s Sources, candidates: &[String]) -> Option<&'s Text> {
    candidates.iter().find_map(|path| sources.text(&path.as_str().into()))
}

/// Whether a file may include others. Code is included unchanged.
fn is_markdown(path: &SitePath) -> bool {
    let ending = path.as_str().rsplit('.').next().unwrap_or_default();
    matches!(ending, "md" | "mdx" | "markdown" | "html")
}
