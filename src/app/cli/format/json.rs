//! One JSON object a line; `stepkin schema finding` describes the fields.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::LineIndex;
use crate::base::diagnostic::{Diagnostic, Report};
use crate::input::source::Sources;

/// Of what an object is; it changes when a field is renamed or goes away.
pub(in crate::app::cli) const VERSION: u32 = 1;

/// A finding. Lines and columns are from 1, columns in characters; new fields may be added.
#[derive(Serialize, JsonSchema)]
pub(in crate::app::cli) struct Finding<'a> {
    /// Changes when a field is renamed or goes away.
    version: u32,
    /// The kind of finding.
    code: &'a str,
    /// `error`, `warning` or `info`.
    severity: &'a str,
    /// From the site's root.
    file: &'a str,
    /// From 1.
    line: usize,
    /// From 1, in characters.
    column: usize,
    /// The line that the place ends in.
    end_line: usize,
    /// Behind the last character.
    end_column: usize,
    /// The cause.
    message: &'a str,
    /// The cure.
    help: Option<&'a str>,
    /// What a link or picture names.
    target: Option<&'a str>,
    /// Other places that have to do with it.
    related: Vec<Related<'a>>,
    /// Whether `stepkin fix` mends it.
    fixable: bool,
    /// The one right answer, if there is one: changes to the file, all or none.
    edits: Vec<Edit<'a>>,
    /// What programs may ask, by name; depends on the code.
    data: &'a BTreeMap<Cow<'static, str>, Value>,
}

/// Another place that has to do with it.
#[derive(Serialize, JsonSchema)]
struct Related<'a> {
    /// From the site's root.
    file: &'a str,
    /// From 1.
    line: usize,
    /// From 1, in characters.
    column: usize,
    /// What is there.
    label: &'a str,
}

/// A part of the file, and the text that takes its place.
#[derive(Serialize, JsonSchema)]
struct Edit<'a> {
    /// From 1.
    line: usize,
    /// From 1, in characters.
    column: usize,
    /// The line that the place ends in.
    end_line: usize,
    /// Behind the last character.
    end_column: usize,
    /// The same place in bytes of the file, from 0.
    start: usize,
    /// Behind the last byte.
    end: usize,
    /// What to put there.
    text: &'a str,
}

impl<'a> Finding<'a> {
    fn of(diagnostic: &'a Diagnostic, positions: &mut LineIndex<'_>) -> Self {
        let problem = &diagnostic.problem;
        let file = diagnostic.file.as_str();
        let (start, end) = positions.of(file, &problem.span);
        let related = problem.related.iter().map(|place| {
            let (start, _) = positions.of(place.file.as_str(), &place.span);
            let (line, column) = (start.line, start.column);
            Related { file: place.file.as_str(), line, column, label: &place.label }
        });
        let related = related.collect();
        let edits = problem.edits.iter().map(|edit| {
            let (start, end) = positions.of(file, &edit.span);
            Edit {
                line: start.line,
                column: start.column,
                end_line: end.line,
                end_column: end.column,
                start: edit.span.start,
                end: edit.span.end,
                text: &edit.text,
            }
        });
        Self {
            version: VERSION,
            code: problem.code.name(),
            severity: diagnostic.severity.name(),
            file,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            message: &problem.message,
            help: problem.help.as_deref(),
            target: problem.target.as_deref(),
            related,
            fixable: diagnostic.is_fixable(),
            edits: edits.collect(),
            data: &problem.data,
        }
    }
}

pub(super) fn write(out: &mut dyn Write, report: &Report, sources: &Sources) -> io::Result<()> {
    let mut positions = LineIndex::new(sources);
    for diagnostic in report {
        serde_json::to_writer(&mut *out, &Finding::of(diagnostic, &mut positions))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
