//! JUnit XML: a test case for each file, which fails if it has findings at or above the threshold.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::LineIndex;
use base::diagnostic::{Diagnostic, Report, Severity, visible};
use base::sorted::SortedMap;
use input::source::Sources;

/// Elements and attributes follow the schema of Apache Ant's JUnit task, which CI servers support.
pub(super) fn write(
    out: &mut dyn Write,
    report: &Report,
    sources: &Sources,
    bar: Severity,
) -> io::Result<()> {
    let mut by_file: SortedMap<&str, Vec<&Diagnostic>> =
        sources.pages.keys().map(|page| (page.as_str(), Vec::new())).collect();
    for diagnostic in report {
        let failing = by_file.entry(diagnostic.file.as_str()).or_default();
        failing.extend(Some(diagnostic).filter(|diagnostic| diagnostic.severity >= bar));
    }
    let tests = by_file.len().to_string();
    let failures = by_file.values().filter(|failing| !failing.is_empty()).count().to_string();
    let mut positions = LineIndex::new(sources);
    let mut xml = Writer::new_with_indent(out, b' ', 4);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let counts = [("tests", &*tests), ("skipped", "0"), ("failures", &*failures), ("errors", "0")];
    let suites = xml.create_element("testsuites").with_attribute(("name", "stepkin")).with_attributes(counts);
    suites.write_inner_content(|xml| {
        let suite = xml.create_element("testsuite").with_attribute(("name", "stepkin check"));
        suite.with_attributes(counts).write_inner_content(|xml| {
            by_file.iter().try_for_each(|(file, failing)| test_case(xml, file, failing, &mut positions))
        })?;
        Ok(())
    })?;
    writeln!(xml.into_inner())
}

/// Writes a file with its findings, at least one of which fails the test.
fn test_case(
    xml: &mut Writer<&mut dyn Write>,
    file: &str,
    failing: &[&Diagnostic],
    positions: &mut LineIndex<'_>,
) -> io::Result<()> {
    let file = allowed(file);
    let case = xml.create_element("testcase").with_attribute(("name", &*file));
    let Some(first) = failing.first() else {
        return case.write_empty().map(drop);
    };
    let lines: Vec<String> = failing.iter().map(|diagnostic| line(diagnostic, positions)).collect();
    let (message, text) = (allowed(&lines[0]), lines.join("\n"));
    case.write_inner_content(|xml| {
        let failure = xml.create_element("failure");
        let failure = failure.with_attributes([("message", &*message), ("type", first.problem.code.name())]);
        failure.write_text_content(BytesText::new(&allowed(&text)))?;
        Ok(())
    })?;
    Ok(())
}

/// Replaces control characters with symbols, and removes the two other characters that XML 1.0 doesn't allow: section
/// 2.2.
fn allowed(text: &str) -> String {
    let mut text = visible(text.into());
    text.retain(|c| !matches!(c, '\u{fffe}' | '\u{ffff}'));
    text
}

fn line(diagnostic: &Diagnostic, positions: &mut LineIndex<'_>) -> String {
    let problem = &diagnostic.problem;
    let (start, _) = positions.of(diagnostic.file.as_str(), &problem.span);
    let help = problem.help.as_deref().map_or(String::new(), |help| format!(" ({help})"));
    format!("line {}: {}{help} [{}]", start.line, problem.message, problem.code)
}
