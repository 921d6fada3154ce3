//! SARIF 2.1.0, the exchange format of code scanning tools (OASIS, "Static Analysis Results Interchange
//! Format").

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Positions, fingerprints};
use crate::diagnostic::{Code, Report, Severity};
use crate::site_path::SitePath;
use crate::source::Sources;

pub(super) fn write(out: &mut dyn Write, report: &Report, sources: &Sources) -> io::Result<()> {
    let mut positions = Positions::new(sources);
    let marks = fingerprints(report, sources);
    let results: Vec<Value> = report
        .iter()
        .zip(marks)
        .map(|(diagnostic, mark)| {
            let problem = &diagnostic.problem;
            let help = problem.help.as_deref().map_or(String::new(), |help| format!(" ({help})"));
            let mut result = json!({
                "ruleId": problem.code.name(),
                "ruleIndex": Code::ALL.iter().position(|code| *code == problem.code),
                "level": level(diagnostic.severity),
                "message": { "text": format!("{}{help}", problem.message) },
                "locations": [location(&diagnostic.file, &problem.span, &mut positions, None)],
                "partialFingerprints": { "stepkin/v1": mark },
            });
            if !problem.related.is_empty() {
                let related = problem.related.iter().map(|place| {
                    location(&place.file, &place.span, &mut positions, Some(&place.label))
                });
                result["relatedLocations"] = related.collect();
            }
            if diagnostic.is_fixable() {
                let replacements: Vec<Value> = problem
                    .edits
                    .iter()
                    .map(|edit| {
                        json!({
                            "deletedRegion": region(&diagnostic.file, &edit.span, &mut positions),
                            "insertedContent": { "text": edit.text },
                        })
                    })
                    .collect();
                result["fixes"] = json!([{
                    "description": { "text": problem.help },
                    "artifactChanges": [{ "artifactLocation": artifact(&diagnostic.file), "replacements": replacements }],
                }]);
            }
            result
        })
        .collect();
    let rules: Vec<Value> = Code::ALL
        .iter()
        .map(|code| {
            json!({
                "id": code.name(),
                "shortDescription": { "text": code.rule().summary },
                "defaultConfiguration": { "level": level(code.severity()) },
            })
        })
        .collect();
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "stepkin", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// Relative to the site's root: a report says nothing about the machine it was made on.
fn artifact(file: &SitePath) -> Value {
    json!({ "uri": crate::address::encode(file.as_str()), "uriBaseId": "%SRCROOT%" })
}

fn region(file: &SitePath, span: &std::ops::Range<usize>, positions: &mut Positions<'_>) -> Value {
    let (start, end) = positions.of(file.as_str(), span);
    json!({ "startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column })
}

fn location(
    file: &SitePath,
    span: &std::ops::Range<usize>,
    positions: &mut Positions<'_>,
    label: Option<&str>,
) -> Value {
    let mut location = json!({
        "physicalLocation": { "artifactLocation": artifact(file), "region": region(file, span, positions) },
    });
    if let Some(label) = label {
        location["message"] = json!({ "text": label });
    }
    location
}
