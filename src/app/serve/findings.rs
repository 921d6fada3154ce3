//! Renders findings as HTML: highlighted lines, suggested fixes, and available actions.

use std::fmt::{self, Write as _};
use std::ops::Range;

use pulldown_cmark_escape::escape_html;

use base::diagnostic::{Diagnostic, Report, letter_at, visible};
use base::quoted::parts;
use base::site_path::SitePath;
use input::config::Editor;
use input::source::Sources;
use review::fix;

/// Maximum number of lines of a location.
const MOST_LINES: usize = 6;

/// How to show findings.
#[derive(Clone, Copy, Debug)]
pub(super) struct FindingsView<'a> {
    /// The files of the findings.
    pub(super) sources: &'a Sources,
    pub(super) editor: Option<&'a Editor>,
    /// Whether the viewer may have files fixed.
    pub(super) may_fix: bool,
}

/// Returns an identifier for a finding, which changes with its file.
pub(super) fn id(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let problem = &diagnostic.problem;
    let mut hasher = blake3::Hasher::new();
    for part in [diagnostic.file.as_str(), problem.code.name(), &problem.message] {
        hasher.update(part.as_bytes()).update(b"\0");
    }
    for place in [problem.span.start, problem.span.end] {
        hasher.update(&place.to_le_bytes());
    }
    if let Some(text) = sources.text(&diagnostic.file) {
        hasher.update(text.hash.as_bytes());
    }
    hasher.finalize().to_hex()[..16].to_string()
}

/// Whether `stepkin fix` fixes a finding.
pub(super) fn is_fixable_here(diagnostic: &Diagnostic) -> bool {
    diagnostic.is_fixable() && fix::codes().contains(&diagnostic.problem.code)
}

/// Returns the findings in a file, in the order of its text.
pub(super) fn in_file<'a>(report: &'a Report, file: &'a SitePath) -> impl Iterator<Item = &'a Diagnostic> {
    report.iter().filter(move |diagnostic| diagnostic.file == *file)
}

impl FindingsView<'_> {
    /// Returns a list of findings, preceded by a button that fixes several at once.
    pub(super) fn list(self, findings: &[&Diagnostic]) -> String {
        let mut html = String::new();
        let fixable: Vec<String> =
            findings.iter().filter(|it| is_fixable_here(it)).map(|it| id(it, self.sources)).collect();
        if self.may_fix && fixable.len() > 1 {
            let (ids, count) = (fixable.join(" "), fixable.len());
            writing(writeln!(
                html,
                "<p><button type=\"button\" data-fixes=\"{ids}\">Fix {count} of these</button></p>"
            ));
        }
        html.push_str("<ol>\n");
        for finding in findings {
            self.finding(finding, &mut html);
        }
        html.push_str("</ol>\n");
        html
    }

    fn finding(self, diagnostic: &Diagnostic, html: &mut String) {
        let problem = &diagnostic.problem;
        let (severity, code) = (diagnostic.severity.name(), problem.code);
        writing(write!(
            html,
            "<li class=\"{severity}\">\n<p class=\"what\"><strong>{severity}</strong> {} <small>{code}</small></p>\n",
            with_code(&problem.message)
        ));
        self.place(&diagnostic.file, &problem.span, None, html);
        for related in &problem.related {
            self.place(&related.file, &related.span, Some(&related.label), html);
        }
        if let Some(help) = &problem.help {
            writing(writeln!(html, "<p class=\"help\">{}</p>", with_code(help)));
        }
        let fix = (self.may_fix && is_fixable_here(diagnostic)).then(|| {
            let label = escaped(&problem.message);
            let id = id(diagnostic, self.sources);
            format!("<button type=\"button\" data-fixes=\"{id}\" aria-label=\"Fix: {label}\">Fix</button>")
        });
        let open = self.address(&diagnostic.file, problem.span.start).map(|(address, place)| {
            let (address, place) = (escaped(&address), escaped(&place));
            format!("<a href=\"{address}\" aria-label=\"Open in the editor: {place}\">Open in the editor</a>")
        });
        let actions: Vec<String> = fix.into_iter().chain(open).collect();
        if !actions.is_empty() {
            writing(writeln!(html, "<p class=\"actions\">{}</p>", actions.join(" ")));
        }
        html.push_str("</li>\n");
    }

    /// Writes a location, and its lines if it is in a text.
    fn place(self, file: &SitePath, span: &Range<usize>, label: Option<&str>, html: &mut String) {
        let label = label.map_or(String::new(), |label| format!("{}: ", with_code(label)));
        let Some(text) = self.sources.text(file) else {
            return writing(writeln!(
                html,
                "<p class=\"place\">{label}<code>{}</code></p>",
                shown(file.as_str())
            ));
        };
        let text = text.text();
        let span = letter_at(&text, span.start)..letter_at(&text, span.end);
        let (line, column) = position(&text, span.start);
        writing(writeln!(
            html,
            "<p class=\"place\">{label}<code>{}:{line}:{column}</code></p>",
            shown(file.as_str())
        ));
        let start = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
        let mut lines = String::new();
        let mut at = start;
        for (number, whole) in text[start..].split_inclusive('\n').enumerate().take(MOST_LINES) {
            if number > 0 && at >= span.end {
                break;
            }
            let written = whole.trim_end_matches(['\n', '\r']);
            let marked = marked(written, at, &span);
            // A line end between them would be shown as a separate line.
            writing(write!(lines, "<span data-line=\"{}\">{marked}</span>", line + number));
            at += whole.len();
        }
        if !lines.is_empty() {
            writing(writeln!(html, "<pre>{lines}</pre>"));
        }
    }

    /// Returns the editor's URL for a location, and the location as text.
    fn address(self, file: &SitePath, at: usize) -> Option<(String, String)> {
        let (line, column) = match self.sources.text(file) {
            Some(text) => position(&text.text(), at),
            None => (1, 1),
        };
        let address = self.editor?.address(&self.sources.disk_path(file), line, column);
        Some((address, format!("{file}:{line}:{column}")))
    }
}

/// Highlights the part of a span in a line that begins at `at` in its text. An empty span is also highlighted.
fn marked(line: &str, at: usize, span: &Range<usize>) -> String {
    let within = |place: usize| letter_at(line, place.saturating_sub(at));
    let (start, end) = (within(span.start), within(span.end));
    let (before, mark, after) = (&line[..start], &line[start..end.max(start)], &line[end.max(start)..]);
    let mark = match mark {
        "" if span.start > at + line.len() || span.end < at => return shown(line),
        // Something must be there to highlight.
        "" => "\u{a0}".to_string(),
        mark => shown(mark),
    };
    format!("{}<mark>{mark}</mark>{}", shown(before), shown(after))
}

/// Returns the line and column of a byte, counted from 1, with columns in characters.
pub(super) fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..letter_at(text, at)];
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
    (before.matches('\n').count() + 1, column + 1)
}

/// Converts quotes in a message to code elements.
pub(super) fn with_code(message: &str) -> String {
    let mut html = String::new();
    for (is_quoted, text) in parts(message) {
        if is_quoted {
            writing(write!(html, "<code>{}</code>", escaped(text)));
        } else {
            html.push_str(&escaped(text));
        }
    }
    html
}

fn shown(text: &str) -> String {
    escaped(&visible(text.to_string()))
}

pub(super) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    writing(escape_html(&mut html, text));
    html
}

/// Writing to a string can't fail.
fn writing(written: fmt::Result) {
    written.expect("a String takes everything");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_marked(line: &str, at: usize, span: Range<usize>, expected: &str) {
        assert_eq!(marked(line, at, &span), expected);
    }

    #[test]
    fn a_span_is_marked_on_each_of_its_lines() {
        check_marked("one two", 0, 4..7, "one <mark>two</mark>");
        check_marked("one two", 10, 14..30, "one <mark>two</mark>");
        check_marked("one two", 10, 2..13, "<mark>one</mark> two");
        check_marked("a <b>", 0, 2..5, "a <mark>&lt;b&gt;</mark>");
    }

    #[test]
    fn a_place_without_letters_is_marked() {
        check_marked("one", 0, 3..3, "one<mark>\u{a0}</mark>");
        check_marked("one", 0, 1..1, "o<mark>\u{a0}</mark>ne");
        check_marked("", 5, 5..5, "<mark>\u{a0}</mark>");
    }

    #[test]
    fn names_in_a_message_are_code() {
        assert_eq!(with_code("page `/<x>/` is & was"), "page <code>/&lt;x&gt;/</code> is &amp; was");
        assert_eq!(with_code("a ` b"), "a ` b");
    }

    #[test]
    fn columns_are_those_of_reports() {
        assert_eq!(position("a\nüb", 4), (2, 2));
        assert_eq!(position("a", 9), (1, 2));
    }
}
