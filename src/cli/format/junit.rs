//! JUnit XML: a test case for each file, failed by findings at or above the bar.

use std::collections::BTreeMap;
use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::Positions;
use crate::diagnostic::{Diagnostic, Report, Severity};
use crate::source::Sources;

pub(super) fn write(
    out: &mut dyn Write,
    report: &Report,
    sources: &Sources,
    bar: Severity,
) -> io::Result<()> {
    let mut by_file: BTreeMap<&str, Vec<&Diagnostic>> =
        sources.pages.keys().map(|page| (page.as_str(), Vec::new())).collect();
    for diagnostic in report {
        by_file.entry(diagnostic.file.as_str()).or_default().push(diagnostic);
    }
    let mut positions = Positions::new(sources);
    let mut suite = TestSuite::new("stepkin check");
    for (file, findings) in by_file {
        let failing: Vec<&Diagnostic> =
            findings.into_iter().filter(|diagnostic| diagnostic.severity >= bar).collect();
        let status = match failing.split_first() {
            None => TestCaseStatus::success(),
            Some((first, _)) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                let said: Vec<String> =
                    failing.iter().map(|diagnostic| line(diagnostic, &mut positions)).collect();
                status
                    .set_type(first.problem.code.name())
                    .set_message(said[0].clone())
                    .set_description(said.join("\n"));
                status
            }
        };
        suite.add_test_case(TestCase::new(file, status));
    }
    let mut junit = Junit::new("stepkin");
    junit.add_test_suite(suite);
    let text = junit.to_string().map_err(io::Error::other)?;
    writeln!(out, "{}", text.trim_end())
}

fn line(diagnostic: &Diagnostic, positions: &mut Positions<'_>) -> String {
    let problem = &diagnostic.problem;
    let (start, _) = positions.of(diagnostic.file.as_str(), &problem.span);
    let help = problem.help.as_deref().map_or(String::new(), |help| format!(" ({help})"));
    format!("line {}: {}{help} [{}]", start.line, problem.message, problem.code)
}
