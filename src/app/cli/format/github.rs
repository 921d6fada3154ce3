//! GitHub Actions annotations: "Workflow commands for GitHub Actions", `::error file=…::message`.

use std::fs::OpenOptions;
use std::io::{self, Write};

use super::{LineIndex, markdown};
use base::diagnostic::{Report, Severity, visible};
use base::error::{Error, Result};
use input::source::Sources;

/// Maximum number of annotations of each kind. GitHub shows ten per step, and more would hide the first ones.
const SHOWN: usize = 10;

/// Paths in annotations are relative to the root of the repository. `folder` is the site's folder in it, empty or
/// with a final slash.
pub(super) fn write(out: &mut dyn Write, report: &Report, sources: &Sources, folder: &str) -> io::Result<()> {
    let mut positions = LineIndex::new(sources);
    let mut more = 0;
    for (severity, command) in
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Info, "notice")]
    {
        let mut findings = report.iter().filter(|diagnostic| diagnostic.severity == severity);
        for diagnostic in findings.by_ref().take(SHOWN) {
            let problem = &diagnostic.problem;
            let (start, end) = positions.of(diagnostic.file.as_str(), &problem.span);
            let help = problem.help.as_deref().map_or(String::new(), |help| format!("\n{help}"));
            // Columns can only be given for a finding on one line.
            let columns = if start.line == end.line {
                format!(",col={},endColumn={}", start.column, end.column)
            } else {
                String::new()
            };
            writeln!(
                out,
                "::{command} file={},line={},endLine={}{columns},title={}::{}",
                property(&format!("{folder}{}", diagnostic.file)),
                start.line,
                end.line,
                property(problem.code.name()),
                data(&format!("{}{help}", problem.message)),
            )?;
        }
        more += findings.count();
    }
    let total = report.iter().len();
    if more > 0 {
        writeln!(out, "{total} findings, {more} of them only in the summary of this step")?;
    }
    Ok(())
}

/// Appends all findings to the summary of the step, if GitHub provides a file for it.
pub(super) fn step_summary(report: &Report, sources: &Sources, folder: &str) -> Result<()> {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let mut file =
        OpenOptions::new().append(true).create(true).open(&path).map_err(Error::io("write", &path))?;
    file.write_all(markdown::text(report, sources, folder).as_bytes()).map_err(Error::io("write", &path))
}

/// Escapes text after `::`.
fn data(text: &str) -> String {
    visible(text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A"))
}

/// Escapes a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_commands_are_escaped() {
        assert_eq!(data("100%\r\n: , x"), "100%25%0D%0A: , x");
        assert_eq!(property("a:b,c%"), "a%3Ab%2Cc%25");
        assert_eq!(property("a\u{1b}[31m\u{9b}b"), "a␛[31m\u{fffd}b");
    }
}
