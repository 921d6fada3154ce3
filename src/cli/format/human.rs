//! For people: the source line, the cause and the cure.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Positions, on_characters, to_stdout};
use crate::cli::count;
use crate::cli::terminal::is_coloured;
use crate::diagnostic::{Code, Diagnostic, Report, Severity, visible};
use crate::error::Result;
use crate::source::Sources;

/// Writes findings, `most` of them at most. Places are plain text, which terminals recognise with their lines.
pub(in crate::cli) fn findings(report: &Report, sources: &Sources, most: Option<usize>) -> Result<()> {
    let renderer = if is_coloured() { Renderer::styled() } else { Renderer::plain() };
    let most = most.unwrap_or(usize::MAX);
    let mut positions = Positions::new(sources);
    to_stdout(|out| {
        for diagnostic in report.iter().take(most) {
            let text = renderer.render(&[group(diagnostic, sources, &mut positions)]);
            writeln!(out, "{text}\n")?;
        }
        match report.iter().len().saturating_sub(most) {
            0 => Ok(()),
            more => writeln!(out, "and {}", count(more, "more finding")),
        }
    })
}

/// The line before the last: what mends findings, and what is said of the most frequent ones.
pub(in crate::cli) fn hint(report: &Report) -> Result<()> {
    let mut counts: BTreeMap<Code, usize> = BTreeMap::new();
    for diagnostic in report {
        *counts.entry(diagnostic.problem.code).or_default() += 1;
    }
    let Some((code, _)) = counts.into_iter().max_by_key(|(code, count)| (*count, Reverse(*code))) else {
        return Ok(());
    };
    let explain = format!("`stepkin explain {code}` says why it matters and how to mend it");
    let line = match report.iter().filter(|diagnostic| diagnostic.is_fixable()).count() {
        0 => explain,
        mended => format!("`stepkin fix` mends {mended} of these; {explain}"),
    };
    to_stdout(|out| writeln!(out, "{line}"))
}

/// The last line of a report.
pub(in crate::cli) fn summary(report: &Report, pages: usize, time: Duration) -> Result<()> {
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
        writeln!(out, "{found} in {} ({:.2} s)", count(pages, "page"), time.as_secs_f32())
    })
}

fn group<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources, positions: &mut Positions<'_>) -> Group<'a> {
    let problem = &diagnostic.problem;
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let title = level.primary_title(problem.message.as_str()).id(problem.code.name());
    let mut place = |file: &'a str, span: Range<usize>, kind: AnnotationKind, label: Option<&'a str>| {
        sources.text(&file.into())?;
        let lines = positions.lines(file, &span);
        let (first, start) = (lines.first, lines.start);
        let shown = harmless(Cow::Borrowed(lines.text)).into_owned();
        let span = on_characters(&shown, span.start.saturating_sub(start)..span.end.saturating_sub(start));
        let snippet = Snippet::source(shown).line_start(first).path(visible(file.into())).fold(true);
        Some(snippet.annotation(kind.span(span).label(label)))
    };
    let mut group = Group::with_title(title);
    match place(diagnostic.file.as_str(), problem.span.clone(), AnnotationKind::Primary, None) {
        Some(snippet) => group = group.element(snippet),
        None => group = group.element(Origin::path(visible(diagnostic.file.to_string()))),
    }
    for related in &problem.related {
        let label = Some(related.label.as_str());
        match place(related.file.as_str(), related.span.clone(), AnnotationKind::Context, label) {
            Some(snippet) => group = group.element(snippet),
            None => group = group.element(Origin::path(visible(related.file.to_string()))),
        }
    }
    if let Some(changes) = problem.data.get("changes").and_then(|changes| changes.as_array()) {
        group = group.element(Level::NOTE.message(visible(word_diff(changes))));
    }
    match &problem.help {
        Some(help) => group.element(Level::HELP.message(help.as_str())),
        None => group,
    }
}

/// A text without the control characters of Unicode's second block, which terminals obey and the renderer keeps; their
/// replacement has as many bytes.
fn harmless(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_command = |c: char| ('\u{80}'..'\u{a0}').contains(&c);
    match text.contains(is_command) {
        true => text.replace(is_command, "\u{b7}").into(),
        false => text,
    }
}

/// Words of a text that stayed, and how many around a change help to find it.
const CONTEXT: usize = 5;

/// As `git diff --word-diff` writes it: `taken [-out-]{+in+}`.
fn word_diff(changes: &[serde_json::Value]) -> String {
    let mut shown = String::new();
    for (index, change) in changes.iter().enumerate() {
        let text = |name: &str| change[name].as_str();
        if let Some(kept) = text("kept") {
            let (first, last) = (index == 0, index + 1 == changes.len());
            shown.push_str(&shortened(kept, first, last));
        } else if let Some(removed) = text("removed") {
            let end = removed.trim_end();
            shown.extend(["[-", end, "-]", &removed[end.len()..]]);
        } else if let Some(added) = text("added") {
            let end = added.trim_end();
            shown.extend(["{+", end, "+}", &added[end.len()..]]);
        }
    }
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a kept text next to changes: its end where it comes first, its beginning where it comes last.
fn shortened(text: &str, first: bool, last: bool) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let most = if first || last { CONTEXT } else { 2 * CONTEXT };
    if words.len() <= most {
        return text.to_string();
    }
    match (first, last) {
        (true, true) => text.to_string(),
        (true, false) => format!("…{} ", words[words.len() - CONTEXT..].join(" ")),
        (false, true) => format!(" {}…", words[..CONTEXT].join(" ")),
        (false, false) => {
            format!(" {} … {} ", words[..CONTEXT].join(" "), words[words.len() - CONTEXT..].join(" "))
        }
    }
}
