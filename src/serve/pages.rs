//! The server's own pages: what is wrong, and what keeps an open page up to date.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pulldown_cmark_escape::escape_html;
use serde_json::json;

use super::Live;
use super::answer::{FINDINGS, RELOAD};
use crate::content::DocumentId;
use crate::diagnostic::{Diagnostic, Severity};
use crate::markdown::LeftOut;
use crate::render::Work;
use crate::source::Sources;

/// A page as `live` shows it, with the script that shows its next version. The script knows which version the page is:
/// the next one may have come before it listens.
pub(super) fn with_reload(page: &str, live: &Live) -> String {
    let (base, version) = (escaped(live.work.project.site.config.base_path()), version(live));
    let script = format!("<script type=\"module\" src=\"{base}{RELOAD}?{version}\"></script>\n");
    match page.rfind("</body>") {
        Some(end) => format!("{}{script}{}", &page[..end], &page[end..]),
        None => format!("{page}{script}"),
    }
}

/// A page that is shown in another version than it was saved last, with the reason on top.
pub(super) fn with_notice(page: &str, live: &Live, reason: &Reason<'_>) -> String {
    let reason = match reason {
        Reason::Failure(failure) => escaped(failure),
        Reason::Finding(diagnostic) => {
            let Place { line: row, column, .. } = place(diagnostic, &live.latest().project.sources);
            let Diagnostic { file, problem, .. } = diagnostic;
            escaped(&format!("{file}:{row}:{column}: {}", problem.message))
        }
    };
    let href = format!("{}{FINDINGS}", escaped(live.work.project.site.config.base_path()));
    let notice = format!(
        "<div id=\"stepkin-outdated\" role=\"status\" style=\"padding:.6rem 1rem;font:1rem/1.5 system-ui,sans-serif;\
         color:#fff;background:#b3261e\">This page is old: what was saved last cannot be shown. {reason} \
         <a href=\"{href}\" style=\"color:#fff\">All findings</a></div>\n"
    );
    at_top(page, &notice)
}

/// A page with a note of what is left out of it, because it is another tool's and not understood.
pub(super) fn with_left_out(page: &str, work: &Work, id: DocumentId) -> String {
    /// Names that are listed, and lines of each.
    const MOST: usize = 12;
    let left_out = &work.pages[id].left_out;
    if left_out.is_empty() {
        return page.to_string();
    }
    let text = work.project.site.document(id).text();
    let line = |it: &LeftOut| text.get(..it.span.start).unwrap_or_default().matches('\n').count() + 1;
    let mut lines: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for it in left_out {
        lines.entry(&it.name).or_default().push(line(it).to_string());
    }
    let shown = lines.iter().take(MOST).map(|(name, lines)| {
        let more = if lines.len() > MOST { " …" } else { "" };
        format!("<code>{}</code> (line {}{more})", escaped(name), lines[..lines.len().min(MOST)].join(", "))
    });
    let named: Vec<String> = shown.collect();
    let more = if lines.len() > MOST { format!(" and {} more", lines.len() - MOST) } else { String::new() };
    let note = format!(
        "<div id=\"stepkin-left-out\" role=\"note\" style=\"padding:.6rem 1rem;font:1rem/1.5 system-ui,sans-serif;\
         color:#3b2f00;background:#ffe9a8\">Not understood, and left out of this page: {}{more}</div>\n",
        named.join(", ")
    );
    at_top(page, &note)
}

/// A page with something in front of all that it shows.
fn at_top(page: &str, html: &str) -> String {
    let body = page.find("<body").and_then(|start| Some(start + page[start..].find('>')? + 1));
    let (before, after) = page.split_at(body.unwrap_or(0));
    format!("{before}\n{html}{after}")
}

/// Why a page is shown in another version than it was saved last.
pub(super) enum Reason<'a> {
    /// The sources cannot be read or used at all.
    Failure(&'a str),
    Finding(&'a Diagnostic),
}

/// What an open page gets: the version, and how to say what is wrong.
pub(super) fn state(live: &Live) -> String {
    let (errors, warnings) = (live.report.count(Severity::Error), live.report.count(Severity::Warning));
    let text = match (&live.failure, errors, warnings) {
        (Some(_), ..) => "The site cannot be read".to_string(),
        (None, 0, 0) => String::new(),
        (None, 0, warnings) => format!("Warnings: {warnings}"),
        (None, errors, _) => format!("Errors: {errors}"),
    };
    let failed = live.failure.is_some() || errors > 0;
    json!({ "version": version(live), "text": text, "failed": failed }).to_string()
}

/// What an open page knows its version by. A server that was started again counts from 0 again.
fn version(live: &Live) -> String {
    format!("{}.{}", std::process::id(), live.version)
}

/// Everything that is wrong with the site now.
pub(super) fn findings(live: &Live) -> String {
    let mut main = String::new();
    if let Some(failure) = &live.failure {
        write!(
            main,
            "<pre class=\"error\">{}</pre>\n<p>The last version that could be used stays up.</p>\n",
            escaped(failure)
        )
        .expect("a String takes everything");
    } else if live.report.blockers().next().is_some() {
        main.push_str(
            "<p>Of files that keep the site from being published, the last good version is shown.</p>\n",
        );
    }
    if live.report.is_empty() && live.failure.is_none() {
        main.push_str("<p>Nothing to report.</p>\n");
    }
    main.push_str("<ol>\n");
    for diagnostic in live.report.iter() {
        finding(diagnostic, &live.latest().project.sources, &mut main);
    }
    main.push_str("</ol>\n");
    with_reload(&frame("Findings", &main, live.work.project.site.config.base_path()), live)
}

/// In place of a page that cannot be shown; `sources` are what the finding is about.
pub(super) fn failure(live: &Live, sources: &Sources, diagnostic: &Diagnostic) -> String {
    let mut main = String::from("<ol>\n");
    finding(diagnostic, sources, &mut main);
    main.push_str("</ol>\n");
    frame("The page cannot be shown", &main, live.work.project.site.config.base_path())
}

fn finding(diagnostic: &Diagnostic, sources: &Sources, html: &mut String) {
    let problem = &diagnostic.problem;
    let Place { line, column, text: shown } = place(diagnostic, sources);
    let severity = diagnostic.severity.name();
    let help = problem.help.as_deref().map_or(String::new(), |help| format!("<p>{}</p>\n", escaped(help)));
    write!(
        html,
        "<li class=\"{severity}\"><p><strong>{severity}: {}</strong> <small>{}</small></p>\n\
         <p><code>{}:{line}:{column}</code></p>\n<pre>{}</pre>\n{help}</li>\n",
        escaped(&problem.message),
        problem.code,
        escaped(diagnostic.file.as_str()),
        escaped(&shown)
    )
    .expect("a String takes everything");
}

/// Where a finding is, as authors count.
struct Place {
    /// From 1.
    line: usize,
    /// In characters, from 1.
    column: usize,
    /// The line itself.
    text: String,
}

fn place(diagnostic: &Diagnostic, sources: &Sources) -> Place {
    let Some(text) = sources.text(&diagnostic.file) else {
        return Place { line: 1, column: 1, text: String::new() };
    };
    let text = text.text();
    let before = text.get(..diagnostic.problem.span.start).unwrap_or_default();
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
    let shown = text.lines().nth(line).unwrap_or_default().to_string();
    Place { line: line + 1, column: column + 1, text: shown }
}

/// A page that needs no template: templates may be what is broken.
fn frame(title: &str, main: &str, base: &str) -> String {
    let home = escaped(base);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n{}</style>\n\
         </head>\n<body>\n<main>\n<h1>{title}</h1>\n{main}<p><a href=\"{home}/\">To the site</a></p>\n</main>\n</body>\n</html>\n",
        include_str!("findings.css")
    )
}

fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    escape_html(&mut html, text).expect("a String takes everything");
    html
}
