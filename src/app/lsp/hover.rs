//! Hover texts: the content of other platforms, and the target of a link.

use std::fmt::Write as _;

use super::navigation::{PagePosition, landing, reference_at, setting_row, siblings, target_of};
use super::site::document_in;
use base::site_path::SitePath;
use markup::markdown::{PageTableRow, ReferenceKind};
use site::content::{DocumentId, PlatformIx};
use site::family::compare::compare;
use site::family::outline::TableRow;
use site::work::Work;

/// Returns the Markdown text for a location on a page.
pub(super) fn at(work: &Work, path: &SitePath, text: &str, at: usize) -> Option<String> {
    let id = document_in(work, path)?;
    let page = &work.pages[id];
    if let Some(reference) = reference_at(page, text, at) {
        let here = landing(work, id, reference)?;
        return match reference.kind {
            ReferenceKind::Image => {
                let size = work.project.plan.dimensions(here.address)?;
                Some(format!("`{}`, {} × {} pixels", here.address, size.width, size.height))
            }
            ReferenceKind::Link | ReferenceKind::File => {
                let target = target_of(work, id, reference)?;
                let to = document_in(work, &target.file);
                let title = to.map(|to| work.project.site.document(to).title.as_str());
                Some(format!("{} (`{}`)", title.unwrap_or(target.file.as_str()), target.file))
            }
        };
    }
    match PagePosition::at(page, at) {
        PagePosition::Setting(row) => setting(work, id, row),
        part => block(work, id, at).or_else(|| titles(work, id, part, at)),
    }
}

/// Returns the name of each platform of a step with its page, beginning with the step's own platform.
fn versions(work: &Work, id: DocumentId) -> Option<Vec<(&str, Option<DocumentId>)>> {
    let site = &work.project.site;
    let place = site.place(id)?;
    let siblings = work.project.families.siblings(site, place);
    let platforms = &site.family_of(place).platforms;
    let is_other = |ix: &PlatformIx| *ix != place.platform;
    let others = platforms.indices().filter(is_other).map(|ix| (platforms[ix].name.as_str(), siblings[ix]));
    Some([(platforms[place.platform].name.as_str(), Some(id))].into_iter().chain(others).collect())
}

/// Returns a setting on all platforms as a table.
fn setting(work: &Work, id: DocumentId, row: TableRow) -> Option<String> {
    let table = &work.pages[id].tables[row.table];
    let columns: Vec<&str> = table.header.iter().skip(1).map(|column| column.title.as_str()).collect();
    let name = table.rows[row.row].cells.first().map_or("", String::as_str);
    let mut text =
        format!("**{name}**\n\n| | {} |\n| --- |{}\n", columns.join(" | "), " --- |".repeat(columns.len()));
    for (platform, other) in versions(work, id)? {
        let there = match other {
            Some(other) if other == id => Some((id, row)),
            Some(other) => setting_row(work, id, row, other).map(|row| (other, row)),
            None => None,
        };
        let row: Option<&PageTableRow> =
            there.map(|(id, row)| &work.pages[id].tables[row.table].rows[row.row]);
        let cells = row.map(|row| row.cells.iter().skip(1).map(|cell| cell.replace('|', "\\|")));
        let cells =
            cells.map_or_else(|| "*missing*".to_string(), |cells| cells.collect::<Vec<_>>().join(" | "));
        writeln!(text, "| {platform} | {cells} |").expect("a String takes everything");
    }
    Some(text)
}

/// Returns a paragraph or list item on the other platforms.
fn block(work: &Work, id: DocumentId, at: usize) -> Option<String> {
    let here = work.outline(id)?;
    let (block, _) =
        here.blocks().indexed().find(|(_, block)| block.span.start <= at && at <= block.span.end)?;
    let mut text = String::new();
    for (platform, other) in versions(work, id)?.into_iter().skip(1) {
        let Some(there) = other.and_then(|other| work.outline(other)) else { continue };
        let pairs = compare(&here, &there).blocks;
        let same = pairs.same.iter().any(|(one, _)| *one == block);
        let differing = pairs.differing.iter().find(|(one, _)| *one == block);
        let said = match differing {
            _ if same => "the same".to_string(),
            Some(&(_, other)) => there.blocks()[other].words.shown.replace('\n', " "),
            None => "*no similar text*".to_string(),
        };
        writeln!(text, "- {platform}: {said}").expect("a String takes everything");
    }
    (!text.is_empty()).then_some(text)
}

/// Returns the title of the step or section on the other platforms, if the location is a title.
fn titles(work: &Work, id: DocumentId, part: PagePosition, at: usize) -> Option<String> {
    let page = &work.pages[id];
    match part {
        PagePosition::Section(heading) if at > page.headings[heading].span.end => return None,
        _ => {}
    }
    let place = work.project.site.place(id)?;
    let platforms = &work.project.site.family_of(place).platforms;
    let mut text = String::new();
    for (platform, target) in siblings(work, id, part) {
        let file = work.project.sources.text(&target.file)?.text().into_owned();
        let title = file.get(target.start..target.end)?.lines().next().unwrap_or_default();
        let title = title.trim_start_matches(['#', ' ']);
        writeln!(text, "- {}: {title} (`{}`)", platforms[platform].name, target.file)
            .expect("a String takes everything");
    }
    (!text.is_empty()).then_some(text)
}
