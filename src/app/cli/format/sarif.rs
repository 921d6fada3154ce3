//! SARIF 2.1.0, the exchange format of code scanning tools (OASIS, "Static Analysis Results Interchange
//! Format").

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{LineIndex, fingerprints};
use base::diagnostic::{Code, Report, Severity};
use base::site_path::SitePath;
use input::source::Sources;

/// Paths are relative to the root of the repository. `folder` is the site's folder in it, empty or with a final
/// slash.
pub(super) fn write(out: &mut dyn Write, report: &Report, sources: &Sources, folder: &str) -> io::Result<()> {
    let artifact = |file: &SitePath| artifact(&format!("{folder}{file}"));
    let mut positions = LineIndex::new(sources);
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
                "locations": [location(&artifact(&diagnostic.file), &region(&diagnostic.file, &problem.span, &mut positions), None)],
                "partialFingerprints": { "stepkin/v1": mark },
            });
            if !problem.related.is_empty() {
                let related = problem.related.iter().map(|place| {
                    let region = region(&place.file, &place.span, &mut positions);
                    location(&artifact(&place.file), &region, Some(&place.label))
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
            let rule = code.rule();
            json!({
                "id": rule.name,
                "shortDescription": { "text": rule.summary },
                "fullDescription": { "text": rule.why },
                "help": { "text": rule.as_text(), "markdown": rule.as_markdown() },
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

/// Returns a relative path, because a report contains nothing about the machine.
fn artifact(path: &str) -> Value {
    json!({ "uri": base::address::encode(path), "uriBaseId": "%SRCROOT%" })
}

fn region(file: &SitePath, span: &std::ops::Range<usize>, positions: &mut LineIndex<'_>) -> Value {
    let (start, end) = positions.of(file.as_str(), span);
    json!({ "startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column })
}

fn location(artifact: &Value, region: &Value, label: Option<&str>) -> Value {
    let mut location = json!({ "physicalLocation": { "artifactLocation": artifact, "region": region } });
    if let Some(label) = label {
        location["message"] = json!({ "text": label });
    }
    location
}
