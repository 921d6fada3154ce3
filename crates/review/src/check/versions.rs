//! Checks links within a page to headings that only readers of another platform see.

use std::ops::Range;

use super::Subject;
use base::diagnostic::{Code, Problem};
use base::platforms::display_name;
use base::sorted::{SortedMap, SortedSet};
use markup::markdown::{Page, ReferenceKind, parse_without_html};
use site::content::Document;
use site::work::Work;

/// An edition of a page.
struct Version<'a> {
    platform: &'a str,
    page: Page,
}

impl Version<'_> {
    fn has(&self, id: &str) -> bool {
        self.page.anchors.iter().any(|anchor| anchor.id == id)
    }
}

/// Reports links in an edition of the page to anchors that only other editions contain.
pub(super) fn anchors(work: &Work, subject: &Subject<'_>) -> Vec<Problem> {
    let site = &work.project.site;
    let documents = site.versions.iter().flat_map(|versions| versions.versions_of(subject.document));
    let links = || subject.links_of_kind(ReferenceKind::Link);
    if !links().any(|link| link.reference.target.starts_with('#')) {
        return Vec::new();
    }
    let versions: Vec<Version<'_>> = documents.filter_map(version).collect();
    let mut lost: SortedMap<(usize, usize), HiddenTarget<'_>> = SortedMap::new();
    for version in &versions {
        let shown = version.page.references.iter().filter(|it| it.kind == ReferenceKind::Link);
        for reference in shown {
            let Some(id) = reference.target.strip_prefix('#').filter(|id| !version.has(id)) else { continue };
            let with: SortedSet<&str> =
                versions.iter().filter(|other| other.has(id)).map(|other| other.platform).collect();
            if !with.is_empty() {
                let place = (reference.span.start, reference.span.end);
                let lost = lost.entry(place).or_insert_with(|| HiddenTarget {
                    id: id.to_string(),
                    with,
                    without: Vec::new(),
                });
                lost.without.push(version.platform);
            }
        }
    }
    lost.into_iter().map(|((start, end), lost)| lost.problem(start..end)).collect()
}

fn version(document: &Document) -> Option<Version<'_>> {
    let platform = document.edition.platform.as_deref()?;
    let Document { body, edition, dialect, .. } = document;
    Some(Version { platform, page: parse_without_html(&document.text(), *body, edition, dialect) })
}

/// A link that readers of some platforms see without its target.
struct HiddenTarget<'a> {
    id: String,
    with: SortedSet<&'a str>,
    without: Vec<&'a str>,
}

impl HiddenTarget<'_> {
    fn problem(&self, span: Range<usize>) -> Problem {
        let names = |ids: &mut dyn Iterator<Item = &&str>| {
            ids.map(|id| display_name(id)).collect::<Vec<_>>().join(", ")
        };
        let (with, without) = (names(&mut self.with.iter()), names(&mut self.without.iter()));
        let message = format!(
            "`#{}` exists on this page only for {with}, but the link is also shown for {without}",
            self.id
        );
        let help = format!("show the link only for {with}, or add the section for {without}");
        let problem = Problem::new(Code::MissingAnchor, span, message).help(help);
        // Some generators show all versions on one page and hide none.
        problem.target(format!("#{}", self.id)).as_warning()
    }
}
