//! Code lenses above a step, with its state on each other platform.

use lsp_types::{CodeLens, Command, Position, Range};
use serde_json::json;

use super::SHOW;
use super::navigation::{PagePosition, siblings};
use super::position::Encoding;
use super::site::document_in;
use base::diagnostic::Report;
use base::site_path::SitePath;
use site::work::Work;

/// Returns one for each other platform: "iOS ✓", "iOS differs in 2", "iOS lacks it". It links to the step there. Platforms
/// are compared in the original only, so a translated page has none.
pub(super) fn of(work: &Work, path: &SitePath, report: &Report, encoding: Encoding) -> Vec<CodeLens> {
    let Some(id) = document_in(work, path) else { return Vec::new() };
    let site = &work.project.site;
    if work.project.sources.are_translated() {
        return Vec::new();
    }
    let Some(place) = site.place(id) else { return Vec::new() };
    let there = siblings(work, id, PagePosition::Top);
    let others = site.family_of(place).platforms.indexed().filter(|(ix, _)| *ix != place.platform);
    let lens = |title: String, arguments: Option<Vec<serde_json::Value>>| {
        let command = if arguments.is_some() { SHOW } else { "" };
        let top = Position::default();
        CodeLens {
            range: Range { start: top, end: top },
            command: Some(Command { title, command: command.to_string(), arguments }),
            data: None,
        }
    };
    let lenses = others.map(|(ix, platform)| {
        let Some((_, target)) = there.iter().find(|(other, _)| *other == ix) else {
            return lens(format!("{} lacks it", platform.name), None);
        };
        let is_between = |one: &SitePath, other: &SitePath| *one == *path && *other == target.file;
        let differences = report.iter().filter(|finding| {
            let is_drift = finding.problem.data.contains_key("family");
            let mut related = finding.problem.related.iter().map(|place| &place.file);
            is_drift && related.any(|file| is_between(&finding.file, file) || is_between(file, &finding.file))
        });
        let title = match differences.count() {
            0 => format!("{} ✓", platform.name),
            count => format!("{} differs in {count}", platform.name),
        };
        let location = target.location(work, encoding);
        lens(title, location.map(|location| vec![json!(location)]))
    });
    lenses.collect()
}
