//! One JSON object a line; README.md describes the fields.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::Positions;
use crate::diagnostic::Report;
use crate::source::Sources;

/// Of what an object is; it changes when a field is renamed or goes away.
pub(in crate::cli) const VERSION: u32 = 1;

pub(super) fn write(out: &mut dyn Write, report: &Report, sources: &Sources) -> io::Result<()> {
    let mut positions = Positions::new(sources);
    for diagnostic in report {
        let problem = &diagnostic.problem;
        let (start, end) = positions.of(diagnostic.file.as_str(), &problem.span);
        let related: Vec<Value> = problem
            .related
            .iter()
            .map(|place| {
                let (start, _) = positions.of(place.file.as_str(), &place.span);
                json!({ "file": place.file.as_str(), "line": start.line, "column": start.column, "label": place.label })
            })
            .collect();
        let edits: Vec<Value> = problem
            .edits
            .iter()
            .map(|edit| {
                let (start, end) = positions.of(diagnostic.file.as_str(), &edit.span);
                json!({
                    "line": start.line,
                    "column": start.column,
                    "end_line": end.line,
                    "end_column": end.column,
                    "start": edit.span.start,
                    "end": edit.span.end,
                    "text": edit.text,
                })
            })
            .collect();
        let object = json!({
            "version": VERSION,
            "code": problem.code.name(),
            "severity": diagnostic.severity.name(),
            "file": diagnostic.file.as_str(),
            "line": start.line,
            "column": start.column,
            "end_line": end.line,
            "end_column": end.column,
            "message": problem.message,
            "help": problem.help,
            "target": problem.target,
            "related": related,
            "fixable": diagnostic.is_fixable(),
            "edits": edits,
            "data": problem.data,
        });
        writeln!(out, "{object}")?;
    }
    Ok(())
}
