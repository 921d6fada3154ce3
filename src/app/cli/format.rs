//! Output formats of reports.

mod github;
mod gitlab;
mod human;
mod json;
mod junit;
mod markdown;
mod sarif;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

pub(super) use self::human::{Length, findings as human, hint, summary, word_diff};
pub(super) use self::json::{Finding, VERSION as JSON_VERSION};

use base::diagnostic::{Diagnostic, Report, Severity, letter_at, visible};
use base::error::{Error, Result};
use input::source::{Sources, Text};
use review::check::ExternalLink;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Source excerpt, message, and suggested fix
    Human,
    /// JSON Lines, one object per finding
    Json,
    /// GitHub Actions annotations
    Github,
    /// GitLab Code Quality report
    Gitlab,
    /// Markdown table, for a pull request comment
    Markdown,
    /// SARIF 2.1.0
    Sarif,
    /// JUnit XML
    Junit,
    /// Pull request review for the GitHub API (`drift --since` only)
    Review,
}

impl Format {
    /// Returns the default format.
    pub(super) fn usual() -> Self {
        match std::env::var("GITHUB_ACTIONS").as_deref() {
            Ok("true") => Self::Github,
            _ => Self::Human,
        }
    }
}

/// Writes a report to standard output. `bar` is the lowest severity that fails the run.
pub(super) fn write(format: Format, report: &Report, sources: &Sources, bar: Severity) -> Result<()> {
    match format {
        Format::Human => human(report, sources, Length::All),
        Format::Json => to_stdout(|out| json::write(out, report, sources)),
        Format::Github => {
            let folder = folder_in_repository(sources);
            to_stdout(|out| github::write(out, report, sources, &folder))?;
            github::step_summary(report, sources, &folder)
        }
        Format::Gitlab => {
            to_stdout(|out| gitlab::write(out, report, sources, &folder_in_repository(sources)))
        }
        Format::Markdown => {
            let text = markdown::text(report, sources, &folder_in_repository(sources));
            to_stdout(|out| out.write_all(text.as_bytes()))
        }
        Format::Sarif => to_stdout(|out| sarif::write(out, report, sources, &folder_in_repository(sources))),
        Format::Review => Err(Error::usage(
            "`--format review` is for pull requests; use `stepkin drift --since <REVISION>`".to_string(),
        )),
        Format::Junit => to_stdout(|out| junit::write(out, report, sources, bar)),
    }
}

/// Variables with the directory of the repository in CI: GitHub and GitLab.
const REPOSITORY: [&str; 2] = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"];

/// Returns the site root relative to the repository, with a final slash, because CI expects such paths. Empty if it is unknown
/// or the repository's root.
fn folder_in_repository(sources: &Sources) -> String {
    let below = |variable| {
        let repository = Path::new(&std::env::var_os(variable)?).canonicalize().ok()?;
        let root = sources.root.canonicalize().ok()?;
        Some(root.strip_prefix(repository).ok()?.to_str()?.replace(std::path::MAIN_SEPARATOR, "/"))
    };
    let folder = REPOSITORY.into_iter().find_map(below);
    folder.filter(|folder| !folder.is_empty()).map_or_else(String::new, |folder| folder + "/")
}

/// Writes JSON Lines to a file.
pub(super) fn json_file(path: &Path, report: &Report, sources: &Sources) -> Result<()> {
    let file = File::create(path).map_err(Error::io("write", path))?;
    let mut out = BufWriter::new(file);
    json::write(&mut out, report, sources).and_then(|()| out.flush()).map_err(Error::io("write", path))
}

/// Writes links to other sites, as `file:line:column<tab>url`.
pub(super) fn links(links: &[ExternalLink], sources: &Sources) -> Result<()> {
    let mut positions = LineIndex::new(sources);
    to_stdout(|out| {
        for link in links {
            let Position { line, column } = positions.at(link.file.as_str(), link.span.start);
            let line = format!("{}:{line}:{column}\t{}", link.file, link.url);
            writeln!(out, "{}", visible(line))?;
        }
        Ok(())
    })
}

/// Writes to standard output. A closed pipe is not an error, because the reader has all it needs.
pub(super) fn to_stdout(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::io("write", "standard output")(error))
        }
        _ => Ok(()),
    }
}

/// Limits a span to the text and to character boundaries.
fn on_characters(text: &str, span: Range<usize>) -> Range<usize> {
    let start = letter_at(text, span.start);
    start..letter_at(text, span.end).max(start)
}

/// A line and a column, both counted from 1, with columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Some complete lines of a file.
struct Lines<'a> {
    /// The number of the first, from 1.
    first: usize,
    /// Offset of the first line in the file.
    start: usize,
    text: &'a str,
}

/// Finds positions, with an index of line starts per file.
pub(super) struct LineIndex<'a> {
    sources: &'a Sources,
    starts: HashMap<String, (Cow<'a, str>, Vec<usize>)>,
}

impl<'a> LineIndex<'a> {
    pub(super) fn new(sources: &'a Sources) -> Self {
        Self { sources, starts: HashMap::new() }
    }

    /// Returns the first and last position of a span, or the start of a file that isn't text.
    fn of(&mut self, file: &str, span: &Range<usize>) -> (Position, Position) {
        (self.at(file, span.start), self.at(file, span.end))
    }

    /// Returns the complete lines of a span.
    fn lines(&mut self, file: &str, span: &Range<usize>) -> Lines<'_> {
        let (text, starts) = self.file(file);
        let first = starts.partition_point(|&start| start <= span.start).max(1);
        let next = starts.partition_point(|&start| start <= span.end);
        let start = starts[first - 1];
        let end = starts.get(next).copied().unwrap_or(text.len());
        Lines { first, start, text: &text[start..end] }
    }

    /// Returns the text of a file and the offsets of its lines.
    fn file(&mut self, file: &str) -> &(Cow<'a, str>, Vec<usize>) {
        let sources = self.sources;
        self.starts.entry(file.to_string()).or_insert_with(|| {
            let text = sources.text(&file.into()).map(Text::text).unwrap_or_default();
            let ends = memchr::memchr_iter(b'\n', text.as_bytes());
            let starts = std::iter::once(0).chain(ends.map(|at| at + 1)).collect();
            (text, starts)
        })
    }

    pub(super) fn at(&mut self, file: &str, offset: usize) -> Position {
        let (text, starts) = self.file(file);
        let offset = on_characters(text, offset..offset).start;
        let line = starts.partition_point(|&start| start <= offset);
        Position { line, column: text[starts[line - 1]..offset].chars().count() + 1 }
    }
}

/// Returns a fingerprint of each finding, which stays the same when lines move: a hash of rule, file, target, the text of its
/// lines, and a count among equals.
pub(super) fn fingerprints(report: &Report, sources: &Sources) -> Vec<String> {
    let mut seen: HashMap<blake3::Hash, usize> = HashMap::new();
    let mark = |diagnostic: &Diagnostic| {
        let mut hasher = blake3::Hasher::new();
        let problem = &diagnostic.problem;
        for part in [
            problem.code.first_name(),
            diagnostic.file.as_str(),
            problem.target.as_deref().unwrap_or_default(),
        ] {
            hasher.update(part.as_bytes());
            hasher.update(b"\0");
        }
        hasher.update(lines_of(diagnostic, sources).as_bytes());
        let count = seen.entry(hasher.finalize()).or_default();
        *count += 1;
        hasher.update(&count.to_le_bytes());
        hasher.finalize().to_hex()[..16].to_string()
    };
    report.iter().map(mark).collect()
}

/// Returns the complete lines of a finding, with white space collapsed.
fn lines_of(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let Some(text) = sources.text(&diagnostic.file).map(Text::text) else { return String::new() };
    let span = on_characters(&text, diagnostic.problem.span.clone());
    let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |newline| span.end + newline);
    text[start..end].split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::diagnostic::{Code, Problem};
    use base::site_path::SitePath;

    /// Checks the reported position of the first `at` in a page.
    #[track_caller]
    fn check(text: &str, at: &str, line: usize, columns: Range<usize>) {
        let path = SitePath::from("content/a.md");
        let mut sources = Sources::default();
        sources.pages.insert(path.clone(), Text::new(path.clone(), text.into()));
        let start = text.find(at).expect("it is there");
        let problem = Problem::new(Code::MissingPage, start..start + at.len(), "x");
        let report: Report = [problem.at(&path)].into_iter().collect();
        let mut out = Vec::new();
        json::write(&mut out, &report, &sources).expect("memory takes everything");
        let said: serde_json::Value = serde_json::from_slice(&out).expect("an object");
        let expected = serde_json::json!([line, columns.start, line, columns.end]);
        let said = ["line", "column", "end_line", "end_column"].map(|name| said[name].clone());
        assert_eq!(serde_json::json!(said), expected, "`{at}` in {text:?}");
    }

    #[test]
    fn columns_count_characters_and_not_bytes() {
        check("[x](/nowhere/)", "[x]", 1, 1..4);
        check("Müsli: [x](/nowhere/)", "[x]", 1, 8..11);
        check("ä\nñandú 🦀 [ü](/nowhere/)\n", "[ü]", 2, 9..12);
        check("ä\r\n\r\nö [x]", "[x]", 3, 3..6);
    }
}
