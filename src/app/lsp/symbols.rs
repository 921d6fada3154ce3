//! Symbols of pages: for outlines, search in the workspace, and folding.

use lsp_types::{DocumentSymbol, FoldingRange, FoldingRangeKind, Location, SymbolInformation, SymbolKind};

use super::position::{Encoding, Lines};
use super::site::document_in;
use super::uri;
use base::site_path::SitePath;
use base::sort::StableSort as _;
use markup::markdown::Page;
use site::content::{Document, DocumentId};
use site::work::Work;

/// Maximum number of search results.
const MOST: usize = 200;

/// A heading or setting.
struct Entry {
    name: String,
    kind: SymbolKind,
    /// 1 to 6 for headings. Settings have a lower level than all headings.
    level: u8,
    span: std::ops::Range<usize>,
    /// Start of the next entry at the same level.
    end: usize,
}

/// Returns headings with their settings, in order.
fn entries(page: &Page, end: usize) -> Vec<Entry> {
    const BELOW_ALL: u8 = 7;
    let mut parts: Vec<Entry> = page
        .headings
        .iter()
        .map(|heading| Entry {
            name: heading.text.clone(),
            kind: SymbolKind::STRING,
            level: heading.level,
            span: heading.span.clone(),
            end,
        })
        .collect();
    for row in page.tables.iter().filter(|table| table.settings).flat_map(|table| &table.rows) {
        if let Some(name) = row.cells.first().filter(|name| !name.is_empty()) {
            let (kind, span) = (SymbolKind::KEY, row.span.clone());
            parts.push(Entry { name: name.clone(), kind, level: BELOW_ALL, end: span.end, span });
        }
    }
    parts.stable_sort_by_key(|part| part.span.start);
    let mut open: Vec<usize> = Vec::new();
    for at in 0..parts.len() {
        let (level, start) = (parts[at].level, parts[at].span.start);
        while let Some(last) = open.pop_if(|last| parts[*last].level >= level) {
            parts[last].end = parts[last].end.min(start);
        }
        open.push(at);
    }
    parts
}

/// Returns the headings of a page as a tree, with its settings.
pub(super) fn of_page(work: &Work, path: &SitePath, text: &str, lines: &Lines<'_>) -> Vec<DocumentSymbol> {
    let Some(id) = document_in(work, path) else { return Vec::new() };
    let parts = entries(&work.pages[id], text.len());
    let mut parts = parts.into_iter().peekable();
    tree(&mut parts, 0, lines)
}

fn tree(
    parts: &mut std::iter::Peekable<std::vec::IntoIter<Entry>>,
    above: u8,
    lines: &Lines<'_>,
) -> Vec<DocumentSymbol> {
    let mut symbols = Vec::new();
    while let Some(part) = parts.next_if(|part| part.level > above) {
        let children = tree(parts, part.level, lines);
        let end = part.end.max(part.span.end);
        #[expect(deprecated, reason = "the type has no other way to be made")]
        symbols.push(DocumentSymbol {
            name: if part.name.is_empty() { "…".to_string() } else { part.name },
            detail: None,
            kind: part.kind,
            tags: None,
            deprecated: None,
            range: lines.range(&(part.span.start..end)),
            selection_range: lines.range(&part.span),
            children: (!children.is_empty()).then_some(children),
        });
    }
    symbols
}

/// Returns pages, headings and settings whose names contain all words of a query.
pub(super) fn of_site(work: &Work, query: &str, encoding: Encoding) -> Vec<SymbolInformation> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let fits = |name: &str| {
        let name = name.to_lowercase();
        words.iter().all(|word| name.contains(word.as_str()))
    };
    let mut found = Vec::new();
    for (id, document) in work.project.site.documents.indexed().filter(|(_, it)| it.foreign.is_none()) {
        let wanted: Vec<Entry> =
            entries(&work.pages[id], usize::MAX).into_iter().filter(|part| fits(&part.name)).collect();
        let is_wanted = fits(&document.title);
        if wanted.is_empty() && !is_wanted {
            continue;
        }
        let text = document.text();
        let lines = Lines::of(&text, encoding);
        let title = Entry {
            name: document.title.clone(),
            kind: SymbolKind::FILE,
            level: 0,
            span: document.top(),
            end: 0,
        };
        let parts = is_wanted.then_some(title).into_iter().chain(wanted);
        found.extend(parts.filter_map(|part| symbol(work, (id, document), &part, &lines)));
        if found.len() >= MOST {
            break;
        }
    }
    found.truncate(MOST);
    found
}

fn symbol(
    work: &Work,
    (id, document): (DocumentId, &Document),
    part: &Entry,
    lines: &Lines<'_>,
) -> Option<SymbolInformation> {
    let site = &work.project.site;
    let platform = site.place(id).map(|place| site.platform_of(place).name.clone());
    let uri = uri::of_path(&work.project.sources.disk_path(&document.path))?;
    #[expect(deprecated, reason = "the type has no other way to be made")]
    let symbol = SymbolInformation {
        name: part.name.clone(),
        kind: part.kind,
        tags: None,
        deprecated: None,
        location: Location { uri, range: lines.range(&part.span) },
        container_name: platform.or_else(|| Some(document.title.clone())),
    };
    Some(symbol)
}

/// Returns the foldable front matter, sections and notes of a page.
pub(super) fn folds(work: &Work, path: &SitePath, text: &str, lines: &Lines<'_>) -> Vec<FoldingRange> {
    let Some(id) = document_in(work, path) else { return Vec::new() };
    let (page, document) = (&work.pages[id], work.project.site.document(id));
    let sections = entries(page, text.len()).into_iter().filter(|part| part.kind == SymbolKind::STRING);
    let spans = std::iter::once(0..document.body)
        .chain(sections.map(|part| part.span.start..part.end))
        .chain(page.notes.iter().map(|note| note.span.clone()));
    let fold = |span: std::ops::Range<usize>| {
        let written = text.get(span.clone())?.trim_end();
        let end = lines.position(span.start + written.len()).line;
        let start = lines.position(span.start).line;
        (end > start).then(|| FoldingRange {
            start_line: start,
            end_line: end,
            kind: Some(FoldingRangeKind::Region),
            ..FoldingRange::default()
        })
    };
    spans.filter_map(fold).collect()
}
