//! GitLab Code Quality, a subset of Code Climate's format: <https://docs.gitlab.com/ci/testing/code_quality/>.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{LineIndex, fingerprints};
use base::diagnostic::{Report, Severity, visible};
use input::source::Sources;

/// Paths are relative to the root of the repository. `folder` is the site's folder in it, empty or with a final
/// slash.
pub(super) fn write(out: &mut dyn Write, report: &Report, sources: &Sources, folder: &str) -> io::Result<()> {
    let mut positions = LineIndex::new(sources);
    let entries = report.iter().zip(fingerprints(report, sources)).map(|(diagnostic, mark)| {
        let problem = &diagnostic.problem;
        let (start, _) = positions.of(diagnostic.file.as_str(), &problem.span);
        let help = problem.help.as_deref().map_or(String::new(), |help| format!(" ({help})"));
        json!({
            "check_name": problem.code.name(),
            "description": format!("{}{help}", problem.message),
            "fingerprint": mark,
            "severity": severity(diagnostic.severity),
            "location": { "path": visible(format!("{folder}{}", diagnostic.file)), "lines": { "begin": start.line } },
        })
    });
    serde_json::to_writer_pretty(&mut *out, &entries.collect::<Value>())?;
    writeln!(out)
}

/// One of info, minor, major, critical and blocker.
fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Info => "info",
    }
}
