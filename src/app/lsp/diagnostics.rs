//! Converts findings to LSP diagnostics.

use lsp_types::{
    Diagnostic as Shown, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    Position, Range,
};

use super::position::{Encoding, Lines};
use super::uri;
use base::diagnostic::{Diagnostic, Report, Severity};
use base::site_path::{CONFIG, SitePath};
use base::sorted::{SortedMap, SortedSet};
use input::source::Sources;

/// The source of findings that editors show.
const SOURCE: &str = "stepkin";

/// The findings that an editor has received for a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SentFindings {
    Findings(Vec<Diagnostic>),
    /// Why the site can't be read or planned.
    Failure(String),
}

/// Groups the findings of a sorted report by file.
pub(super) fn by_file(report: &Report) -> SortedMap<SitePath, SentFindings> {
    report
        .by_file()
        .map(|(file, findings)| (file.clone(), SentFindings::Findings(findings.to_vec())))
        .collect()
}

impl SentFindings {
    /// Whether it refers to a location in one of these files, whose lines may have changed.
    pub(super) fn points_into(&self, files: &SortedSet<SitePath>) -> bool {
        match self {
            Self::Findings(findings) => {
                let mut related = findings.iter().flat_map(|finding| &finding.problem.related);
                !files.is_empty() && related.any(|place| files.contains(&place.file))
            }
            Self::Failure(_) => false,
        }
    }

    /// Converts it for the editor. `sources` are the files of the findings.
    pub(super) fn shown(&self, sources: Option<&Sources>, encoding: Encoding) -> Vec<Shown> {
        match (self, sources) {
            (Self::Findings(findings), Some(sources)) => all(findings, sources, encoding),
            (Self::Findings(_), None) => Vec::new(),
            (Self::Failure(failure), _) => vec![of_failure(failure)],
        }
    }
}

fn all(findings: &[Diagnostic], sources: &Sources, encoding: Encoding) -> Vec<Shown> {
    let mut texts: SortedMap<&SitePath, String> = SortedMap::new();
    for finding in findings {
        let related = finding.problem.related.iter().map(|place| &place.file);
        for file in related.chain([&finding.file]) {
            // In a file that isn't text, findings are at its start.
            let text = || sources.text(file).map(|text| text.text().into_owned()).unwrap_or_default();
            texts.entry(file).or_insert_with(text);
        }
    }
    let lines: SortedMap<&SitePath, Lines<'_>> =
        texts.iter().map(|(file, text)| (*file, Lines::of(text, encoding))).collect();
    findings.iter().map(|finding| one(finding, sources, &lines)).collect()
}

fn one(finding: &Diagnostic, sources: &Sources, lines: &SortedMap<&SitePath, Lines<'_>>) -> Shown {
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
    let help = problem.help.as_ref().map_or_else(String::new, |help| format!("\nhelp: {help}"));
    Shown {
        range: lines[&finding.file].range(&problem.span),
        severity: Some(match finding.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Info => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(problem.code.name().to_string())),
        source: Some(SOURCE.to_string()),
        message: format!("{}{help}", problem.message),
        related_information: (!related.is_empty()).then_some(related),
        ..Shown::default()
    }
}

/// Converts the error for a site that can't be read or planned. Its location in the configuration is the start of the
/// error's text, if that contains one.
fn of_failure(failure: &str) -> Shown {
    let place = failure.strip_prefix(CONFIG).and_then(|rest| {
        let mut parts = rest.strip_prefix(':')?.splitn(3, ':');
        let mut number = || parts.next()?.trim().parse::<u32>().ok()?.checked_sub(1);
        let (line, character) = (number()?, number()?);
        Some((Position { line, character }, parts.next()?.trim_start()))
    });
    let (start, message) = place.unwrap_or((Position::default(), failure));
    let end = Position { character: start.character.saturating_add(1), ..start };
    Shown {
        range: Range { start, end },
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some(SOURCE.to_string()),
        message: message.to_string(),
        ..Shown::default()
    }
}
