//! Findings counted by rule and cause.

use std::cmp::Reverse;
use std::io::{self, Write};

use serde_json::json;

use super::count;
use super::format::{self, Format};
use base::diagnostic::{Code, Diagnostic, Report, Severity};
use base::error::{Error, Result};
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};

/// Maximum number of causes per rule in the table.
const CAUSES: usize = 3;

/// Findings of one rule and severity.
#[derive(Debug)]
struct Group<'a> {
    code: Code,
    severity: Severity,
    count: usize,
    /// Number of findings with an automatic fix.
    fixable: usize,
    /// The most frequent first.
    causes: Vec<Cause<'a>>,
}

/// Findings with the same message.
#[derive(Debug)]
struct Cause<'a> {
    message: &'a str,
    count: usize,
    files: usize,
}

/// Writes the table, or JSON Lines.
pub(super) fn write(report: &Report, format: Format) -> Result<()> {
    let groups = groups(report);
    match format {
        Format::Human => format::to_stdout(|out| write_table(out, &groups)),
        Format::Json => format::to_stdout(|out| write_objects(out, &groups)),
        Format::Github
        | Format::Gitlab
        | Format::Markdown
        | Format::Sarif
        | Format::Junit
        | Format::Review => {
            Err(Error::usage("`--statistics` supports only `--format human` and `--format json`"))
        }
    }
}

/// Groups findings: errors first, then the most frequent.
fn groups(report: &Report) -> Vec<Group<'_>> {
    let mut by_code: SortedMap<(Code, Severity), Vec<&Diagnostic>> = SortedMap::new();
    for diagnostic in report {
        by_code.entry((diagnostic.problem.code, diagnostic.severity)).or_default().push(diagnostic);
    }
    let mut groups: Vec<Group<'_>> = by_code
        .into_iter()
        .map(|((code, severity), findings)| Group {
            code,
            severity,
            count: findings.len(),
            fixable: findings.iter().filter(|diagnostic| diagnostic.is_fixable()).count(),
            causes: causes(&findings),
        })
        .collect();
    groups.stable_sort_by_key(|group| (Reverse(group.severity), Reverse(group.count), group.code));
    groups
}

fn causes<'a>(findings: &[&'a Diagnostic]) -> Vec<Cause<'a>> {
    let mut by_message: SortedMap<&str, (usize, SortedSet<&str>)> = SortedMap::new();
    for diagnostic in findings {
        let (count, files) = by_message.entry(&diagnostic.problem.message).or_default();
        *count += 1;
        files.insert(diagnostic.file.as_str());
    }
    let cause = |(message, (count, files)): (&'a str, (usize, SortedSet<&str>))| Cause {
        message,
        count,
        files: files.len(),
    };
    let mut causes: Vec<Cause<'_>> = by_message.into_iter().map(cause).collect();
    causes.stable_sort_by_key(|cause| (Reverse(cause.count), cause.message));
    causes
}

/// Lists repeated causes under each rule.
fn write_table(out: &mut dyn Write, groups: &[Group<'_>]) -> io::Result<()> {
    let width = groups.iter().map(|group| group.code.name().len()).max().unwrap_or(0);
    for group in groups {
        let fixable = match group.fixable {
            0 => String::new(),
            fixable => format!("  {fixable} fixable"),
        };
        let (severity, name) = (group.severity.name(), group.code.name());
        let line = format!("{:>6}  {severity:7}  {name:width$}{fixable}", group.count);
        writeln!(out, "{}", line.trim_end())?;
        for cause in group.causes.iter().filter(|cause| cause.count > 1).take(CAUSES) {
            writeln!(out, "{:>14}  {}, in {}", cause.count, cause.message, count(cause.files, "file"))?;
        }
    }
    if groups.is_empty() {
        return Ok(());
    }
    writeln!(out)
}

fn write_objects(out: &mut dyn Write, groups: &[Group<'_>]) -> io::Result<()> {
    for group in groups {
        let cause = |cause: &Cause<'_>| json!({ "message": cause.message, "count": cause.count, "files": cause.files });
        let object = json!({
            "version": format::JSON_VERSION,
            "code": group.code.name(),
            "severity": group.severity.name(),
            "count": group.count,
            "fixable": group.fixable,
            "causes": group.causes.iter().map(cause).collect::<Vec<_>>(),
        });
        writeln!(out, "{object}")?;
    }
    Ok(())
}
