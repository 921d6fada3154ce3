//! Finds the target of a link, the same step, section or setting on other platforms, and links to a location.

use std::ops::Range;

use lsp_types::Location;

use super::position::{Encoding, Lines};
use super::site::document_in;
use super::uri;
use base::site_path::SitePath;
use base::sorted::SortedSet;
use markup::markdown::{HeadingIx, Page, Reference};
use site::content::{Document, DocumentId, PlatformIx};
use site::family::compare::side_by_side;
use site::family::outline::TableRow;
use site::plan::{Artifact, Here, anchor};
use site::work::Work;

/// A location in a file of a site.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FilePosition {
    pub(super) file: SitePath,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl FilePosition {
    fn new(document: &Document, span: Range<usize>) -> Self {
        Self { file: document.path.clone(), start: span.start, end: span.end }
    }

    /// Converts it for the editor.
    pub(super) fn location(&self, work: &Work, encoding: Encoding) -> Option<Location> {
        let sources = &work.project.sources;
        let text = sources.text(&self.file).map(|text| text.text().into_owned()).unwrap_or_default();
        let range = Lines::of(&text, encoding).range(&(self.start..self.end));
        Some(Location { uri: uri::of_path(&sources.disk_path(&self.file))?, range })
    }
}

/// The part of a page at a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PagePosition {
    /// Before the first heading.
    Top,
    Section(HeadingIx),
    Setting(TableRow),
}

impl PagePosition {
    pub(super) fn at(page: &Page, at: usize) -> Self {
        let tables = page.tables.indexed().filter(|(_, table)| table.settings);
        for (index, table) in tables {
            if let Some((row, _)) = table.rows.indexed().find(|(_, row)| touches(&row.span, at)) {
                return Self::Setting(TableRow { table: index, row });
            }
        }
        match page.headings.partition_point(|heading| heading.span.start <= at).checked_sub(1) {
            Some(heading) => Self::Section(heading.into()),
            None => Self::Top,
        }
    }

    /// Returns the anchor of this part.
    fn anchor(self, page: &Page) -> Option<&str> {
        match self {
            Self::Top => None,
            Self::Section(heading) => Some(&page.headings[heading].id),
            Self::Setting(TableRow { table, row }) => page.tables[table].rows[row].id.as_deref(),
        }
    }
}

fn touches(span: &Range<usize>, at: usize) -> bool {
    span.start <= at && at <= span.end
}

/// Returns the link or image at a location on a page: at its target or its text.
pub(super) fn reference_at<'p>(page: &'p Page, text: &str, at: usize) -> Option<&'p Reference> {
    page.references.iter().find(|reference| {
        let start = reference.span.start;
        let opens = || {
            let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
            text[line..start].rfind('[').map_or(start, |open| line + open)
        };
        at <= reference.span.end && (start <= at || opens() <= at)
    })
}

/// Returns the same part of the step on each other platform that has it.
pub(super) fn siblings(work: &Work, id: DocumentId, part: PagePosition) -> Vec<(PlatformIx, FilePosition)> {
    let (site, families) = (&work.project.site, &work.project.families);
    let Some(place) = site.place(id) else { return Vec::new() };
    let siblings = families.siblings(site, place);
    let others = siblings.indexed().filter(|(platform, _)| *platform != place.platform);
    others.filter_map(|(platform, other)| Some((platform, counterpart(work, id, part, (*other)?)))).collect()
}

fn counterpart(work: &Work, id: DocumentId, part: PagePosition, other: DocumentId) -> FilePosition {
    let (site, families) = (&work.project.site, &work.project.families);
    let (document, page) = (site.document(other), &work.pages[other]);
    let section = |heading: HeadingIx| {
        let map = families.section_map(site, &work.pages, id, other);
        map[heading].map_or(document.top(), |there| page.headings[there].span.clone())
    };
    let span = match part {
        PagePosition::Top => document.top(),
        PagePosition::Section(heading) => section(heading),
        PagePosition::Setting(row) => {
            setting(work, id, row, other).unwrap_or_else(|| match work.pages[id].tables[row.table].heading {
                Some(heading) => section(heading),
                None => document.top(),
            })
        }
    };
    FilePosition::new(document, span)
}

/// Returns the location of the same setting on a sibling.
fn setting(work: &Work, id: DocumentId, row: TableRow, other: DocumentId) -> Option<Range<usize>> {
    let there = setting_row(work, id, row, other)?;
    Some(work.pages[other].tables[there.table].rows[there.row].span.clone())
}

/// Returns the row of the same setting on a sibling.
pub(super) fn setting_row(work: &Work, id: DocumentId, row: TableRow, other: DocumentId) -> Option<TableRow> {
    let (one, two) = (work.outline(id)?, work.outline(other)?);
    let pairs = side_by_side(&one, &two).settings;
    let pair = pairs.same.iter().chain(&pairs.differing).find(|(here, _)| one.row(*here) == row);
    pair.map(|&(_, there)| two.row(there))
}

/// Returns the target of a link: a page or one of its anchors, or a file of the site.
pub(super) fn target_of(work: &Work, from: DocumentId, reference: &Reference) -> Option<FilePosition> {
    let here = landing(work, from, reference)?;
    match work.project.plan.get(here.address)? {
        Artifact::Asset(file) => Some(FilePosition { file: file.clone(), start: 0, end: 0 }),
        artifact => {
            let id = artifact.document()?;
            let document = work.project.site.document(id);
            let wanted = here.fragment.and_then(anchor);
            let named = work.pages[id].anchors.iter().find(|anchor| Some(&anchor.id) == wanted.as_ref());
            let heading = || {
                let headings = &work.pages[id].headings;
                headings.iter().find(|heading| Some(&heading.id) == wanted.as_ref()).map(|it| it.span.clone())
            };
            let span = heading().or_else(|| named.map(|anchor| anchor.span.clone()));
            Some(FilePosition::new(document, span.unwrap_or_else(|| document.top())))
        }
    }
}

/// Returns the address on this site to which a link points, after redirects.
pub(super) fn landing<'w>(work: &'w Work, from: DocumentId, reference: &'w Reference) -> Option<Here<'w>> {
    let resolver = work.project.resolver();
    resolver.landing(&resolver.resolve(work.project.site.document(from), &reference.target))
}

/// Returns the URL of a location on a page, with the nearest anchor before it.
pub(super) fn url_of(work: &Work, path: &SitePath, at: usize) -> Option<String> {
    let id = document_in(work, path)?;
    let url = work.project.resolver().url(&work.project.site.document(id).address);
    let page = &work.pages[id];
    Some(match PagePosition::at(page, at).anchor(page) {
        Some(anchor) => format!("{url}#{anchor}"),
        None => url,
    })
}

/// Returns every link to a part of a page, or to the target of the link at the location.
pub(super) fn references(work: &Work, path: &SitePath, text: &str, at: usize) -> Vec<FilePosition> {
    let Some(id) = document_in(work, path) else { return Vec::new() };
    let page = &work.pages[id];
    let wanted = if let Some(reference) = reference_at(page, text, at) {
        let Some(here) = landing(work, id, reference) else { return Vec::new() };
        (here.address.clone(), here.fragment.and_then(anchor))
    } else {
        let part = PagePosition::at(page, at).anchor(page).map(str::to_string);
        (work.project.site.document(id).address.clone(), part)
    };
    let mut found = SortedSet::new();
    for (from, document) in work.project.site.documents.indexed().filter(|(_, it)| it.foreign.is_none()) {
        for reference in &work.pages[from].references {
            let leads_here = landing(work, from, reference).is_some_and(|here| {
                let is_part = || here.fragment.and_then(anchor) == wanted.1;
                *here.address == wanted.0 && (wanted.1.is_none() || is_part())
            });
            if leads_here {
                found.insert(FilePosition::new(document, reference.span.clone()));
            }
        }
    }
    found.into_iter().collect()
}
