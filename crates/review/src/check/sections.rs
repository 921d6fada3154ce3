//! Suggests sections for anchors that a page lacks: that of another link to the same anchor, or one that was moved, because exactly
//! one other page has the anchor.

use std::sync::Arc;

use memchr::memmem;
use rayon::prelude::*;

use super::lookup::letters;
use super::text::has_several_words;
use base::address::Address;
use base::diagnostic::{Code, Diagnostic, Report};
use base::hash::{HashMap, HashSet};
use base::items::only;
use base::site_path::{self, SitePath};
use base::sorted::SortedSet;
use site::content::{Document, DocumentId, Site};
use site::pages::Pages;
use site::plan::{Artifact, Destination, anchor};
use site::project::Project;

/// A page and an anchor that it lacks.
type MissingPlace = (Address, String);

/// Returns the suggestions for anchors, by the page that lacks them. The texts of links show what is meant, and differ.
fn suggestions(
    report: &Report,
    place: impl Fn(&Diagnostic) -> Option<MissingPlace>,
) -> HashMap<MissingPlace, String> {
    let found = report.iter().filter(|it| it.problem.code == Code::MissingAnchor);
    let found = found.filter_map(|it| {
        let help = it.problem.help.as_ref().filter(|help| help.starts_with("did you mean `#"))?;
        Some((place(it)?, help.clone()))
    });
    found.collect()
}

/// Adds the help of another link to the same anchor, or names the page that has it.
pub(super) fn named(project: &Project, pages: &Pages, report: Report) -> Report {
    let missing: SortedSet<String> = report.iter().filter_map(wanted).collect();
    if missing.is_empty() {
        return report;
    }
    let places = places(project, pages, &missing);
    let documents: HashMap<&SitePath, DocumentId> =
        project.site.documents.indexed().map(|(id, document)| (&document.path, id)).collect();
    let resolver = project.resolver();
    let place = |it: &Diagnostic| {
        let document = project.site.document(*documents.get(&it.file)?);
        match resolver.resolve(document, it.problem.target.as_deref()?) {
            Destination::Here(here) => Some((here.address.clone(), anchor(here.fragment?)?)),
            _ => None,
        }
    };
    let suggested = suggestions(&report, place);
    let page = |it: &Diagnostic| {
        let (id, from) = (wanted(it)?, documents.get(&it.file)?);
        only_place(&project.site, *from, places.get(&*id)?)
    };
    let with_help = |mut it: Diagnostic| {
        let lacks_help = it.problem.code == Code::MissingAnchor && it.problem.help.is_none();
        let same = if lacks_help { place(&it).and_then(|place| suggested.get(&place)) } else { None };
        if let Some(help) = same {
            Arc::make_mut(&mut it.problem).help = Some(help.clone());
        } else if let Some(page) = page(&it) {
            let address = &project.site.document(page).address;
            let help = match it.problem.code {
                Code::MissingAnchor => format!("`{address}` has this anchor"),
                _ => format!("`{address}` has an anchor with this name"),
            };
            Arc::make_mut(&mut it.problem).help = Some(help);
        }
        it
    };
    report.into_iter().map(with_help).collect()
}

/// Returns the missing anchor of a finding without a suggestion, which may lack its `#`. Sections of several pages may have a title of
/// one word.
fn wanted(it: &Diagnostic) -> Option<String> {
    let problem = Some(&it.problem).filter(|it| it.help.is_none())?;
    let target = problem.target.as_deref()?;
    let fragment = match problem.code {
        Code::MissingAnchor => target.split_once('#')?.1,
        Code::MissingPage if !target.contains(['/', '.', '#', ':']) => target,
        _ => return None,
    };
    anchor(fragment).filter(|id| has_several_words(id) || id.contains(['-', '.']))
}

/// Returns the pages that have each of the anchors.
fn places<'w>(
    project: &Project,
    pages: &Pages,
    wanted: &'w SortedSet<String>,
) -> HashMap<&'w str, Vec<DocumentId>> {
    let in_letters: HashSet<String> = wanted.iter().map(|id| letters(id)).collect();
    let finders: Vec<_> = wanted.iter().map(memmem::Finder::new).collect();
    // Few pages are parsed: those with a heading of the same letters, or the ID itself.
    let may_have = |document: &Document| {
        let text = document.text();
        let mut headings = text.lines().filter(|line| line.starts_with('#'));
        let is_wanted = |line: &str| in_letters.contains(&letters(line.split(" {#").next().unwrap_or(line)));
        headings.any(is_wanted) || finders.iter().any(|it| it.find(text.as_bytes()).is_some())
    };
    // A page may redirect, or another page may have its address.
    let is_published = |(id, document): &(DocumentId, &Arc<Document>)| {
        project.plan.get(&document.address).and_then(Artifact::document) == Some(*id)
    };
    let documents: Vec<(DocumentId, &Arc<Document>)> =
        project.site.documents.indexed().filter(is_published).collect();
    let likely: Vec<DocumentId> =
        documents.into_par_iter().filter(|(_, it)| may_have(it)).map(|(id, _)| id).collect();
    let mut places: HashMap<&str, Vec<DocumentId>> = HashMap::default();
    for page in likely {
        let known: HashSet<&str> = pages[page].anchors.iter().map(|anchor| anchor.id.as_str()).collect();
        for id in wanted.iter().filter(|id| known.contains(id.as_str())) {
            places.entry(id).or_default().push(page);
        }
    }
    places
}

/// Returns the page that has the anchor, unless there are several. Pages of other platforms and versions aren't meant.
fn only_place(site: &Site, from: DocumentId, places: &[DocumentId]) -> Option<DocumentId> {
    let place = site.place(from);
    let is_other_platform = |id: DocumentId| {
        let to = site.place(id);
        place.zip(to).is_some_and(|(from, to)| from.family == to.family && from.platform != to.platform)
    };
    let version = |id: DocumentId| {
        let path = site.document(id).path.as_str();
        path.split('/').find(|folder| site_path::is_version(folder)).map(str::to_string)
    };
    let own = version(from);
    let is_other_version = |id: DocumentId| own.is_some() && version(id).is_some_and(|it| Some(it) != own);
    let possible = places.iter().copied().filter(|&id| !is_other_platform(id) && !is_other_version(id));
    only(possible)
}
