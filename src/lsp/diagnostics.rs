//! Findings as editors show them.

use std::collections::BTreeMap;

use lsp_types::{
    Diagnostic as Shown, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    Position, Range,
};

use super::position::{Encoding, Lines};
use super::uri;
use crate::diagnostic::{Diagnostic, Report, Severity};
use crate::site_path::{CONFIG, SitePath};
use crate::source::Sources;

/// What editors name as the source of a finding.
const SOURCE: &str = "stepkin";

/// All findings of a site, by the files that they are in.
pub(super) fn by_file(
    report: &Report,
    sources: &Sources,
    encoding: Encoding,
) -> BTreeMap<SitePath, Vec<Shown>> {
    let mut texts: BTreeMap<&SitePath, String> = BTreeMap::new();
    for finding in report {
        let related = finding.problem.related.iter().map(|place| &place.file);
        for file in related.chain([&finding.file]) {
            // A file that is no text has its findings at the beginning.
            let text = || sources.text(file).map(|text| text.text().into_owned()).unwrap_or_default();
            texts.entry(file).or_insert_with(text);
        }
    }
    let lines: BTreeMap<&SitePath, Lines<'_>> =
        texts.iter().map(|(file, text)| (*file, Lines::of(text, encoding))).collect();
    let mut shown: BTreeMap<SitePath, Vec<Shown>> = BTreeMap::new();
    for finding in report {
        shown.entry(finding.file.clone()).or_default().push(one(finding, sources, &lines));
    }
    shown
}

fn one(finding: &Diagnostic, sources: &Sources, lines: &BTreeMap<&SitePath, Lines<'_>>) -> Shown {
    let problem = &finding.problem;
    let related = problem.related.iter().filter_map(|place| {
        Some(DiagnosticRelatedInformation {
            location: Location {
                uri: uri::of_path(&sources.disk_path(&place.file))?,
                range: lines[&place.file].range(&place.span),
            },
            message: place.label.clone(),
        })
    });
    let related: Vec<_> = related.collect();
    let cure = problem.help.as_ref().map_or_else(String::new, |help| format!("\nhelp: {help}"));
    Shown {
        range: lines[&finding.file].range(&problem.span),
        severity: Some(match finding.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Info => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(problem.code.name().to_string())),
        source: Some(SOURCE.to_string()),
        message: format!("{}{cure}", problem.message),
        related_information: (!related.is_empty()).then_some(related),
        ..Shown::default()
    }
}

/// Why a site cannot be read or planned, at its configuration: the place is what the text of the error begins with, where it
/// has one.
pub(super) fn of_failure(failure: &str) -> (SitePath, Shown) {
    let place = failure.strip_prefix(CONFIG).and_then(|rest| {
        let mut parts = rest.strip_prefix(':')?.splitn(3, ':');
        let mut number = || parts.next()?.trim().parse::<u32>().ok()?.checked_sub(1);
        let (line, character) = (number()?, number()?);
        Some((Position { line, character }, parts.next()?.trim_start()))
    });
    let (start, message) = place.unwrap_or((Position::default(), failure));
    let end = Position { character: start.character.saturating_add(1), ..start };
    let shown = Shown {
        range: Range { start, end },
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some(SOURCE.to_string()),
        message: message.to_string(),
        ..Shown::default()
    };
    (CONFIG.into(), shown)
}
