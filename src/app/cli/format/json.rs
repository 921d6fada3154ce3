//! JSON Lines, one object per line. `stepkin schema finding` describes the fields.

use std::borrow::Cow;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::LineIndex;
use base::diagnostic::{Diagnostic, Report};
use base::sorted::SortedMap;
use input::source::Sources;

/// Version of the object's format. It increases when a field is renamed or removed.
pub(in crate::app::cli) const VERSION: u32 = 1;

/// A finding. Lines and columns are counted from 1, with columns in characters. New fields may be added.
#[derive(Serialize, JsonSchema)]
pub(in crate::app::cli) struct Finding<'a> {
    /// Version of the format. It increases when a field is renamed or removed.
    version: u32,
    /// Name of the rule.
    code: &'a str,
    /// `error`, `warning` or `info`.
    severity: &'a str,
    /// Path relative to the site root.
    file: &'a str,
    /// Line, counted from 1.
    line: usize,
    /// Column in characters, counted from 1.
    column: usize,
    /// Last line of the range.
    end_line: usize,
    /// Column after the last character.
    end_column: usize,
    /// Description of the problem.
    message: &'a str,
    /// Suggested fix.
    help: Option<&'a str>,
    /// Target of the link or image.
    target: Option<&'a str>,
    /// Related locations.
    related: Vec<Related<'a>>,
    /// Whether `stepkin fix` can fix it.
    fixable: bool,
    /// Automatic fix, if there is one: changes to the file that must be applied together.
    edits: Vec<Edit<'a>>,
    /// Additional data for programs, by name. It depends on the rule.
    #[schemars(with = "std::collections::BTreeMap<Cow<'static, str>, Value>")]
    data: &'a SortedMap<Cow<'static, str>, Value>,
}

/// A related location.
#[derive(Serialize, JsonSchema)]
struct Related<'a> {
    /// Path relative to the site root.
    file: &'a str,
    /// Line, counted from 1.
    line: usize,
    /// Column in characters, counted from 1.
    column: usize,
    /// Description of the location.
    label: &'a str,
}

/// A replacement of a range in the file.
#[derive(Serialize, JsonSchema)]
struct Edit<'a> {
    /// Line, counted from 1.
    line: usize,
    /// Column in characters, counted from 1.
    column: usize,
    /// Last line of the range.
    end_line: usize,
    /// Column after the last character.
    end_column: usize,
    /// Start of the same range in bytes, counted from 0.
    start: usize,
    /// Position after the last byte.
    end: usize,
    /// New text.
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
