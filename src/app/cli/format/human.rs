//! The `human` format: source excerpt, message, and suggested fix.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;
use std::time::Duration;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{LineIndex, on_characters, to_stdout};
use crate::app::cli::count;
use crate::app::cli::terminal::is_colored;
use base::diagnostic::{Code, Diagnostic, Report, Severity, visible};
use base::error::Result;
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use input::source::Sources;

/// How much of a long report to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app::cli) enum Length {
    All,
    /// At most N findings, errors first.
    Most(usize),
    /// If the report is long, examples of each rule. Errors come first.
    Examples,
}

/// Number of findings above which a report is long: about two screens.
const LONG: usize = 10;

/// Number of findings to print of a long report.
const EXAMPLES: usize = 10;

/// Writes findings. Locations are plain text, which terminals turn into links.
pub(in crate::app::cli) fn findings(report: &Report, sources: &Sources, length: Length) -> Result<()> {
    let renderer = if is_colored() { Renderer::styled() } else { Renderer::plain() };
    let count_of_all = report.iter().len();
    let is_long = count_of_all > LONG;
    let shown: Vec<Example<'_>> = match length {
        Length::Examples if is_long => examples(report),
        Length::Examples => errors_first(report).map(Example::alone).collect(),
        Length::Most(most) => errors_first(report).take(most).map(Example::alone).collect(),
        Length::All => report.iter().map(Example::alone).collect(),
    };
    let mut positions = LineIndex::new(sources);
    to_stdout(|out| {
        for example in &shown {
            let group = group(example.finding, sources, &mut positions);
            let more = example.more();
            let group = match &more {
                Some(more) => group.element(Level::NOTE.message(more.as_str())),
                None => group,
            };
            writeln!(out, "{}\n", renderer.render(&[group]))?;
        }
        match (count_of_all - shown.len(), length) {
            (0, _) => Ok(()),
            (more, Length::Most(_)) => writeln!(out, "… and {more} more"),
            (_, length) => {
                let which = if length == Length::Examples { " examples" } else { "" };
                writeln!(
                    out,
                    "showing {}{which} of {count_of_all} findings: add `--all` to list them, or `--statistics` to count them by rule and cause",
                    shown.len()
                )
            }
        }
    })
}

/// A finding, and the number of findings of its rule that are not shown.
struct Example<'a> {
    finding: &'a Diagnostic,
    more: usize,
    /// Number of files with these.
    files: usize,
}

impl<'a> Example<'a> {
    fn alone(finding: &'a Diagnostic) -> Self {
        Self { finding, more: 0, files: 0 }
    }

    fn more(&self) -> Option<String> {
        let (code, files) = (self.finding.problem.code, count(self.files, "file"));
        (self.more > 0).then(|| format!("{} more of `{code}` in {files}", self.more))
    }
}

fn errors_first(report: &Report) -> impl Iterator<Item = &Diagnostic> {
    let mut findings: Vec<&Diagnostic> = report.iter().collect();
    findings.stable_sort_by_key(|finding| Reverse(finding.severity));
    findings.into_iter()
}

/// Selects examples from a report: for each rule, the finding with the most frequent message. Errors come first, with half of the
/// examples if there are as many, then frequent rules. If there are fewer rules than examples, the first rules get several.
fn examples(report: &Report) -> Vec<Example<'_>> {
    let mut rules: SortedMap<(Reverse<Severity>, Code), Vec<&Diagnostic>> = SortedMap::new();
    for finding in report {
        rules.entry((Reverse(finding.severity), finding.problem.code)).or_default().push(finding);
    }
    let mut rules: Vec<_> = rules.into_iter().collect();
    rules.stable_sort_by_key(|((severity, code), findings)| (*severity, Reverse(findings.len()), *code));
    for (_, findings) in &mut rules {
        by_frequency(findings);
    }
    let mut taken = vec![0; rules.len()];
    let errors = rules.partition_point(|((Reverse(severity), _), _)| *severity == Severity::Error);
    share(&rules[..errors], &mut taken, EXAMPLES / 2);
    let left = EXAMPLES - taken.iter().sum::<usize>();
    share(&rules, &mut taken, left);
    let mut examples = Vec::new();
    for ((_, findings), taken) in rules.iter().zip(taken) {
        let (shown, others) = findings.split_at(taken);
        let start = examples.len();
        examples.extend(shown.iter().map(|finding| Example::alone(finding)));
        if let Some(last) = examples[start..].last_mut() {
            let files: SortedSet<&str> = others.iter().map(|finding| finding.file.as_str()).collect();
            (last.more, last.files) = (others.len(), files.len());
        }
    }
    examples
}

/// The findings of a rule.
type RuleFindings<'a> = ((Reverse<Severity>, Code), Vec<&'a Diagnostic>);

/// Takes further findings, one of each rule in turn.
fn share(rules: &[RuleFindings<'_>], taken: &mut [usize], mut left: usize) {
    while left > 0 && rules.iter().zip(&*taken).any(|((_, findings), taken)| *taken < findings.len()) {
        for ((_, findings), taken) in rules.iter().zip(&mut *taken) {
            if left > 0 && *taken < findings.len() {
                (*taken, left) = (*taken + 1, left - 1);
            }
        }
    }
}

/// Sorts findings of a rule so that the first have different messages, the most frequent first.
fn by_frequency(findings: &mut [&Diagnostic]) {
    let mut counts: SortedMap<&str, usize> = SortedMap::new();
    for finding in findings.iter() {
        *counts.entry(&finding.problem.message).or_default() += 1;
    }
    let mut seen: SortedMap<&str, usize> = SortedMap::new();
    let mut keyed: Vec<(usize, Reverse<usize>, &Diagnostic)> = Vec::with_capacity(findings.len());
    for finding in findings.iter() {
        let message: &str = &finding.problem.message;
        let turn = seen.entry(message).or_default();
        keyed.push((*turn, Reverse(counts[message]), finding));
        *turn += 1;
    }
    keyed.stable_sort_by_key(|(turn, frequency, _)| (*turn, *frequency));
    for (place, (_, _, finding)) in findings.iter_mut().zip(keyed) {
        *place = finding;
    }
}

/// Prints the number of fixable findings and how to read about the most frequent rule, errors first.
pub(in crate::app::cli) fn hint(report: &Report) -> Result<()> {
    let mut counts: SortedMap<(Severity, Code), usize> = SortedMap::new();
    for diagnostic in report {
        *counts.entry((diagnostic.severity, diagnostic.problem.code)).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|((severity, code), count)| (*severity, *count, Reverse(*code)));
    let Some(((_, code), _)) = most else {
        return Ok(());
    };
    let explain = format!("for details, run `stepkin explain {code}`");
    let line = match report.iter().filter(|diagnostic| diagnostic.is_fixable()).count() {
        0 => explain,
        fixable => format!("{fixable} fixable with `stepkin fix`; {explain}"),
    };
    to_stdout(|out| writeln!(out, "{line}"))
}

/// Prints the last line of a report.
pub(in crate::app::cli) fn summary(report: &Report, pages: usize, time: Duration) -> Result<()> {
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
        let found = if counts.is_empty() { "no problems found".to_string() } else { counts.join(", ") };
        writeln!(out, "{found} in {} ({:.2} s)", count(pages, "page"), time.as_secs_f32())
    })
}

fn group<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources, positions: &mut LineIndex<'_>) -> Group<'a> {
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

/// Replaces the control characters U+0080 to U+009F, which terminals execute and the renderer keeps, with a character of the
/// same length in bytes.
fn harmless(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_command = |c: char| ('\u{80}'..'\u{a0}').contains(&c);
    if text.contains(is_command) { text.replace(is_command, "\u{b7}").into() } else { text }
}

/// Number of unchanged words around a change.
const CONTEXT: usize = 5;

/// Number of removed and added texts that are shown of a comparison.
const SHOWN_CHANGES: usize = 8;

/// Formats changes like `git diff --word-diff`: `taken [-out-]{+in+}`. Of many changes, it shows the first ones.
pub(in crate::app::cli) fn word_diff(changes: &[serde_json::Value]) -> String {
    let mut shown = String::new();
    let mut left = SHOWN_CHANGES;
    for (index, change) in changes.iter().enumerate() {
        let text = |name: &str| change[name].as_str();
        if text("kept").is_none() {
            if left == 0 {
                let more = changes[index..].iter().filter(|change| change["kept"].is_null()).count();
                shown.extend([" … ", &count(more, "more change")]);
                break;
            }
            left -= 1;
        }
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

/// Shortens unchanged text to the words next to changes: its end if it comes first, its beginning if it comes last.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(times: usize, expected: &str) {
        let change = [json!({"kept": "Open "}), json!({"removed": "a"}), json!({"added": "the"})];
        let changes: Vec<_> = change.iter().cycle().take(3 * times).cloned().collect();
        assert_eq!(word_diff(&changes), expected);
    }

    #[test]
    fn of_many_changes_the_first_are_shown() {
        check(1, "Open [-a-]{+the+}");
        let most = "Open [-a-]{+the+}Open [-a-]{+the+}Open [-a-]{+the+}Open [-a-]{+the+}";
        check(4, most);
        check(6, &format!("{most}Open … 4 more changes"));
    }
}
