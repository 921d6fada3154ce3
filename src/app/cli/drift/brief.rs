//! The first screen of a long report: the most important differences, each in a few lines.

use std::io::{self, Write};

use serde_json::Value;

use crate::app::cli::format::{self, LineIndex, word_diff};
use base::diagnostic::{Diagnostic, Report, visible};
use base::error::Result;
use input::source::Sources;
use review::drift::is_doubtful;

/// Number of differences above which a report is long.
const LONG: usize = 10;

/// Number of differences of a long report.
const FIRST: usize = 10;

/// Maximum number of locations of a difference.
const PLACES: usize = 3;

pub(super) fn is_long(report: &Report) -> bool {
    report.iter().len() > LONG
}

/// Writes the first differences.
pub(super) fn write(report: &Report, sources: &Sources) -> Result<()> {
    let mut positions = LineIndex::new(sources);
    format::to_stdout(|out| {
        let certain = report.iter().take(FIRST).take_while(|it| !is_doubtful(it)).count();
        let first = if certain == 0 { FIRST } else { certain };
        for finding in report.iter().take(first) {
            write_one(out, finding, &mut positions)?;
        }
        let all = report.iter().len();
        writeln!(
            out,
            "the first {first} of {all} differences, the most important ones: add `--all` to list them, `--statistics` to count them, or `--html FILE` to read them in a browser"
        )
    })
}

fn write_one(out: &mut dyn Write, finding: &Diagnostic, positions: &mut LineIndex<'_>) -> io::Result<()> {
    let problem = &finding.problem;
    writeln!(out, "{}[{}]: {}", finding.severity.name(), problem.code, visible(problem.message.clone()))?;
    let own = (&finding.file, problem.span.start);
    let others = problem.related.iter().map(|place| (&place.file, place.span.start));
    let mut places: Vec<String> = Vec::new();
    for (file, at) in std::iter::once(own).chain(others) {
        let place = format!("{file}:{}", positions.at(file.as_str(), at).line);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let more = places.len().saturating_sub(PLACES);
    places.truncate(PLACES);
    places.extend((more > 0).then(|| format!("{more} more")));
    for place in places {
        writeln!(out, "  {}", visible(place))?;
    }
    let is_lacking = problem.data.contains_key("platforms_without");
    let changes = problem.data.get("changes").and_then(Value::as_array).filter(|_| !is_lacking);
    if let Some(changes) = changes {
        writeln!(out, "  = {}", visible(word_diff(changes)))?;
    }
    writeln!(out)
}
