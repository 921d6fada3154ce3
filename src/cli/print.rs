//! Writes reports: for people, and for programs.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use serde_json::{Value, json};

use super::count;
use crate::diagnostic::{Diagnostic, Report, Severity};
use crate::error::{Error, Result};
use crate::source::Sources;

/// Writes every finding with its source line, cause and cure.
pub(super) fn human(report: &Report, sources: &Sources) -> Result<()> {
    let renderer = if is_coloured() { Renderer::styled() } else { Renderer::plain() };
    to_stdout(|out| {
        for diagnostic in report {
            writeln!(out, "{}\n", renderer.render(&[group(diagnostic, sources)]))?;
        }
        Ok(())
    })
}

/// The last line of a report.
pub(super) fn summary(report: &Report, pages: usize) -> Result<()> {
    to_stdout(|out| {
        let counts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Info]
            .into_iter()
            .map(|severity| (report.count(severity), severity))
            .filter(|(number, _)| *number > 0)
            .map(|(number, severity)| match severity {
                Severity::Info => format!("{number} info"),
                severity => count(number, severity.name()),
            })
            .collect();
        let found = if counts.is_empty() { "nothing to report".to_string() } else { counts.join(", ") };
        writeln!(out, "{found} in {}", count(pages, "page"))
    })
}

/// Writes one JSON object a line.
pub(super) fn json(report: &Report, sources: &Sources) -> Result<()> {
    to_stdout(|out| write_json(out, report, sources))
}

/// Writes one JSON object a line to a file.
pub(super) fn json_file(path: &Path, report: &Report, sources: &Sources) -> Result<()> {
    let file = File::create(path).map_err(Error::io("write", path))?;
    let mut out = BufWriter::new(file);
    write_json(&mut out, report, sources).and_then(|()| out.flush()).map_err(Error::io("write", path))
}

fn is_coloured() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused && io::stdout().is_terminal()
}

/// A reader that has seen enough and closed the pipe is no error.
fn to_stdout(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::io("write", "standard output")(error))
        }
        _ => Ok(()),
    }
}

fn group<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Group<'a> {
    let problem = &diagnostic.problem;
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let title = level.primary_title(problem.message.as_str()).id(problem.code.name());
    let place = |file: &'a str, span: Range<usize>, kind: AnnotationKind, label: Option<&'a str>| {
        let text = sources.text(&file.into()).map(|text| &*text.text)?;
        let span = on_characters(text, span);
        Some(Snippet::source(text).path(file).fold(true).annotation(kind.span(span).label(label)))
    };
    let mut group = Group::with_title(title);
    match place(diagnostic.file.as_str(), problem.span.clone(), AnnotationKind::Primary, None) {
        Some(snippet) => group = group.element(snippet),
        None => group = group.element(Origin::path(diagnostic.file.as_str())),
    }
    for related in &problem.related {
        let label = Some(related.label.as_str());
        match place(related.file.as_str(), related.span.clone(), AnnotationKind::Context, label) {
            Some(snippet) => group = group.element(snippet),
            None => group = group.element(Origin::path(related.file.as_str())),
        }
    }
    match &problem.help {
        Some(help) => group.element(Level::HELP.message(help.as_str())),
        None => group,
    }
}

/// A span that a text can be cut at, and that is within it.
fn on_characters(text: &str, span: Range<usize>) -> Range<usize> {
    let floor = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let start = floor(span.start);
    start..floor(span.end).max(start)
}

fn write_json(out: &mut dyn Write, report: &Report, sources: &Sources) -> io::Result<()> {
    let mut lines = LineIndexes { sources, starts: BTreeMap::new() };
    for diagnostic in report {
        let problem = &diagnostic.problem;
        let (line, column) = lines.position(diagnostic.file.as_str(), problem.span.start);
        let (end_line, end_column) = lines.position(diagnostic.file.as_str(), problem.span.end);
        let related: Vec<Value> = problem
            .related
            .iter()
            .map(|place| {
                let (line, column) = lines.position(place.file.as_str(), place.span.start);
                json!({ "file": place.file.as_str(), "line": line, "column": column, "label": place.label })
            })
            .collect();
        let object = json!({
            "code": problem.code.name(),
            "severity": diagnostic.severity().name(),
            "file": diagnostic.file.as_str(),
            "line": line,
            "column": column,
            "end_line": end_line,
            "end_column": end_column,
            "message": problem.message,
            "help": problem.help,
            "target": problem.target,
            "related": related,
            "fixable": false,
            "data": problem.data,
        });
        writeln!(out, "{object}")?;
    }
    Ok(())
}

/// Where lines start, worked out once per file.
struct LineIndexes<'a> {
    sources: &'a Sources,
    starts: BTreeMap<String, Vec<usize>>,
}

impl LineIndexes<'_> {
    /// Line and column of a byte offset, both from 1, columns in characters.
    fn position(&mut self, file: &str, offset: usize) -> (usize, usize) {
        let Some(text) = self.sources.text(&file.into()).map(|text| text.text.clone()) else { return (1, 1) };
        let starts = self.starts.entry(file.to_string()).or_insert_with(|| {
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
        });
        let offset = on_characters(&text, offset..offset).start;
        let line = starts.partition_point(|&start| start <= offset);
        (line, text[starts[line - 1]..offset].chars().count() + 1)
    }
}
