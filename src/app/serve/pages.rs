//! The server's own pages, and its additions to pages of the site.
//!
//! All additions are in a custom element with its own style, so they look the same on every site: they use the site's
//! colors, but not its rules.

use std::fmt::Write as _;

use percent_encoding::percent_decode_str;
use serde_json::json;

use super::Live;
use super::findings::{FindingsView, escaped, in_file, position, with_code};
use base::address::Address;
use base::diagnostic::{self, Diagnostic, Severity};
use base::site_path::SitePath;
use base::sorted::SortedMap;
use markup::markdown::Omission;
use site::content::{Document, DocumentId};
use site::plan::Artifact;
use site::work::Work;

/// The paths of this server's own pages, relative to the site's base path.
pub(super) const EVENTS: &str = "/_stepkin/events";
pub(super) const RELOAD: &str = "/_stepkin/reload.js";
pub(super) const FINDINGS: &str = "/_stepkin/findings";
pub(super) const PANEL: &str = "/_stepkin/panel";
pub(super) const PANEL_SCRIPT: &str = "/_stepkin/panel.js";
pub(super) const PANEL_STYLE: &str = "/_stepkin/panel.css";
/// The only path that changes files.
pub(super) const FIX: &str = "/_stepkin/fix";

/// Adds the script that reloads a page when `live` changes. The script knows the version of the page, because the
/// next one may arrive before it connects.
pub(super) fn with_reload(page: &str, live: &Live) -> String {
    let (base, version) = (base(live), version(live));
    let script = format!("<script type=\"module\" src=\"{base}{RELOAD}?{version}\"></script>\n");
    match page.rfind("</body>") {
        Some(end) => format!("{}{script}{}", &page[..end], &page[end..]),
        None => format!("{page}{script}"),
    }
}

/// The viewer of a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Viewer<'a> {
    /// Path of the page in the browser.
    pub(super) path: &'a str,
    /// Whether the viewer may have files fixed.
    pub(super) may_fix: bool,
}

/// Adds a notice with the reason to a page of which an earlier version is shown.
pub(super) fn with_notice(page: &str, live: &Live, reason: &StaleReason<'_>, viewer: Viewer<'_>) -> String {
    let mut notice = String::from(
        "<p><strong>This page is outdated:</strong> the saved version can't be shown, so this is the last \
         valid version.</p>\n",
    );
    match reason {
        StaleReason::Failure(failure) => notice.push_str(&failure_said(failure)),
        StaleReason::Finding(diagnostic) => notice.push_str(&shower(live, viewer).list(&[diagnostic])),
    }
    notice.push_str(&to_all("All findings", live, viewer));
    at_top(
        page,
        &element(
            "stepkin-outdated",
            &Place::Notice { label: "Outdated page", severity: Severity::Error },
            &notice,
            live,
        ),
    )
}

/// Adds a note about another tool's syntax that was left out of a page.
pub(super) fn with_left_out(page: &str, live: &Live, id: DocumentId) -> String {
    /// Maximum number of names, and of lines of each.
    const MOST: usize = 12;
    let left_out = &live.work.pages[id].left_out;
    if left_out.is_empty() {
        return page.to_string();
    }
    let text = live.work.project.site.document(id).text();
    let row = |it: &Omission| position(&text, it.span.start).0;
    let mut lines: SortedMap<&str, Vec<String>> = SortedMap::new();
    for it in left_out {
        lines.entry(&it.name).or_default().push(row(it).to_string());
    }
    let shown = lines.iter().take(MOST).map(|(name, lines)| {
        let more = if lines.len() > MOST { " …" } else { "" };
        format!("<code>{}</code> (line {}{more})", escaped(name), lines[..lines.len().min(MOST)].join(", "))
    });
    let named: Vec<String> = shown.collect();
    let more = if lines.len() > MOST { format!(" and {} more", lines.len() - MOST) } else { String::new() };
    let note =
        format!("<p>Unsupported syntax that is left out of this page: {}{more}</p>\n", named.join(", "));
    at_top(
        page,
        &element(
            "stepkin-left-out",
            &Place::Notice { label: "Unsupported syntax", severity: Severity::Warning },
            &note,
            live,
        ),
    )
}

/// Adds HTML before all content of a page except for its skip link.
fn at_top(page: &str, html: &str) -> String {
    let end_of = |tag: &str, from: usize| Some(from + page[from..].find(tag)? + tag.len());
    let body = page.find("<body").and_then(|start| end_of(">", start)).unwrap_or(0);
    let has_link = page[body..].trim_start().starts_with("<a class=\"skip\"");
    let skip = if has_link { end_of("</a>", body) } else { None };
    let (before, after) = page.split_at(skip.unwrap_or(body));
    format!("{before}\n{html}{after}")
}

/// The role of additional HTML for screen readers.
enum Place {
    Page,
    Notice { label: &'static str, severity: Severity },
}

/// Returns HTML in an element that the site's style doesn't affect.
fn element(id: &str, place: &Place, html: &str, live: &Live) -> String {
    let style = format!("{}{PANEL_STYLE}", base(live));
    let (opening, closing) = match place {
        Place::Page => ("<main class=\"page\">".to_string(), "</main>"),
        Place::Notice { label, severity } => {
            let severity = severity.name();
            (format!("<section class=\"notice {severity}\" aria-label=\"{label}\">"), "</section>")
        }
    };
    format!(
        "<stepkin-findings id=\"{id}\" lang=\"en\" dir=\"ltr\"><template shadowrootmode=\"open\">\
         <link rel=\"stylesheet\" href=\"{style}\">\n{opening}\n{html}{closing}\n\
         </template></stepkin-findings>\n"
    )
}

/// Why an earlier version of a page is shown.
pub(super) enum StaleReason<'a> {
    /// The sources can't be read or used at all.
    Failure(&'a str),
    Finding(&'a Diagnostic),
}

/// The findings on one page.
struct PageFindings<'a> {
    /// Why an earlier version is shown.
    reason: Option<StaleReason<'a>>,
    findings: Vec<&'a Diagnostic>,
}

/// Returns the findings on the page at a path in the browser.
fn here<'a>(live: &'a Live, path: &str) -> PageFindings<'a> {
    let shown = artifact_at(&live.work, path);
    let reason = shown.and_then(|(_, artifact)| live.reason(artifact));
    // A new page that can't be shown exists only in the newest version.
    let latest = || Some((live.latest(), artifact_at(live.latest(), path)?.1));
    let file = shown.map(|(_, artifact)| (&live.work, artifact)).or_else(latest);
    let file = file.and_then(|(work, artifact)| file_of(work, artifact));
    let mut findings: Vec<&Diagnostic> =
        file.into_iter().flat_map(|file| in_file(&live.report, file)).collect();
    // A template may keep a page outdated whose own file is elsewhere.
    if let Some(StaleReason::Finding(finding)) = reason
        && !findings.contains(&finding)
    {
        findings.insert(0, finding);
    }
    PageFindings { reason, findings }
}

/// Returns the file that an author edits to change an artifact.
fn file_of<'a>(work: &'a Work, artifact: &Artifact) -> Option<&'a SitePath> {
    Some(&work.project.site.document(artifact.facts().written()?).path)
}

/// Returns the state for an open page: its version, and texts about findings on it and elsewhere. Before the check,
/// there are no texts.
pub(super) fn state(live: &Live, path: &str) -> String {
    let PageFindings { findings, .. } = here(live, path);
    let count = |severity: Severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let all = live.report.count(Severity::Error) + live.report.count(Severity::Warning);
    let counted = |number: usize, noun: &str| (number > 0).then(|| diagnostic::count(number, noun));
    let text = match (&live.failure, findings.is_empty()) {
        (Some(_), _) => "The site can't be read".to_string(),
        (None, false) => {
            let infos = (errors + warnings == 0).then(|| format!("{} info", findings.len()));
            let counts = [counted(errors, "error"), counted(warnings, "warning"), infos];
            format!("{} here", counts.into_iter().flatten().collect::<Vec<_>>().join(", "))
        }
        (None, true) => counted(all, "finding").map_or(String::new(), |all| format!("{all} on other pages")),
    };
    let text = live.is_checked.then_some(text);
    let failed = live.failure.is_some() || errors > 0;
    json!({ "version": version(live), "text": text, "failed": failed }).to_string()
}

/// Returns the version for an open page. A restarted server counts from 0 again.
fn version(live: &Live) -> String {
    format!("{}.{}", std::process::id(), live.version)
}

/// Returns the findings on the viewer's page, as a panel on that page.
pub(super) fn panel(live: &Live, viewer: Viewer<'_>) -> String {
    let PageFindings { reason, findings } = here(live, viewer.path);
    let mut html = String::from("<h2 id=\"title\">On this page</h2>\n");
    if reason.is_some() {
        html.push_str("<p>This page is outdated because the saved version can't be shown.</p>\n");
    }
    if let Some(StaleReason::Failure(failure)) = &reason {
        html.push_str(&failure_said(failure));
    }
    match (&reason, findings.is_empty()) {
        (Some(StaleReason::Failure(_)), true) => {}
        (_, true) => html.push_str("<p>No problems found.</p>\n"),
        (_, false) => html.push_str(&shower(live, viewer).list(&findings)),
    }
    html.push_str(&to_all(&format!("All findings ({})", live.report.iter().len()), live, viewer));
    html
}

/// Returns all findings of the site, by file. A link leads back to the viewer's page.
pub(super) fn findings(live: &Live, viewer: Viewer<'_>) -> String {
    let mut main = String::new();
    if let Some(failure) = &live.failure {
        main.push_str(&failure_said(failure));
        main.push_str("<p>The last valid version is shown.</p>\n");
    } else if live.report.blockers().next().is_some() {
        main.push_str(
            "<p>For files with problems that block the build, the last valid version is shown.</p>\n",
        );
    }
    if live.report.is_empty() && live.failure.is_none() {
        main.push_str("<p>No problems found.</p>\n");
    }
    let mut by_file: SortedMap<&SitePath, Vec<&Diagnostic>> = SortedMap::new();
    for diagnostic in live.report.iter() {
        by_file.entry(&diagnostic.file).or_default().push(diagnostic);
    }
    let pages = pages_of(live);
    for (file, findings) in by_file {
        let links = pages.get(file).into_iter().flatten().map(|url| format!(" <a href=\"{url}\">{url}</a>"));
        let links: String = links.collect();
        let file = escaped(file.as_str());
        write!(main, "<h2><code>{file}</code></h2>\n<p class=\"pages\">{links}</p>\n")
            .expect("a String takes everything");
        main.push_str(&shower(live, viewer).list(&findings));
    }
    with_reload(&frame("Findings", &main, live, viewer), live)
}

/// Returns the addresses of the pages of each file.
fn pages_of(live: &Live) -> SortedMap<&SitePath, Vec<String>> {
    let mut pages: SortedMap<&SitePath, Vec<String>> = SortedMap::new();
    for project in live.work.languages().map(|work| &work.project) {
        let is_shown = |it: &Document| it.foreign.is_none() && project.plan.get(&it.address).is_some();
        for document in project.site.documents.iter().filter(|it| is_shown(it)) {
            let url = escaped(&project.resolver().url(&document.address));
            pages.entry(&document.path).or_default().push(url);
        }
    }
    pages
}

/// Returns a page in place of one that can't be shown.
pub(super) fn failure(
    live: &Live,
    shower: FindingsView<'_>,
    diagnostic: &Diagnostic,
    viewer: Viewer<'_>,
) -> String {
    frame("The page can't be shown", &shower.list(&[diagnostic]), live, viewer)
}

/// Returns how to show findings of the site as last read.
pub(super) fn shower<'a>(live: &'a Live, viewer: Viewer<'_>) -> FindingsView<'a> {
    FindingsView {
        sources: &live.latest().project.sources,
        editor: live.work.project.site.config.serve.editor.as_ref(),
        may_fix: viewer.may_fix,
    }
}

/// Describes why the sources can't be read or used at all.
fn failure_said(failure: &str) -> String {
    format!("<pre class=\"error\">{}</pre>\n", escaped(failure))
}

/// Returns a link to all findings, which remembers the current page.
fn to_all(text: &str, live: &Live, viewer: Viewer<'_>) -> String {
    let from = percent_encoding::utf8_percent_encode(viewer.path, percent_encoding::NON_ALPHANUMERIC);
    format!("<p><a href=\"{}{FINDINGS}?page={from}\">{text}</a></p>\n", base(live))
}

/// Returns a page that needs no template, because templates may be broken.
fn frame(title: &str, main: &str, live: &Live, viewer: Viewer<'_>) -> String {
    let project = &live.work.project;
    let asset = |name: &str| {
        let address = project.plan.assets().get(name)?;
        Some(escaped(&project.resolver().url(address)))
    };
    // The reader's colors, and the site's.
    let script = asset("theme.js").map_or(String::new(), |url| format!("<script src=\"{url}\"></script>\n"));
    let style =
        asset("site.css").map_or(String::new(), |url| format!("<link rel=\"stylesheet\" href=\"{url}\">\n"));
    let back = match artifact_at(&live.work, viewer.path) {
        Some((address, _)) => {
            format!("<a href=\"{}\">Back to the page</a>", escaped(&project.resolver().url(address)))
        }
        None => format!("<a href=\"{}/\">To the site</a>", base(live)),
    };
    let main = format!("<p>{back}</p>\n<h1>{}</h1>\n{main}", with_code(title));
    let main = element("stepkin-page", &Place::Page, &main, live);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n{script}{style}</head>\n\
         <body>\n{main}</body>\n</html>\n"
    )
}

/// Returns the base path of all URLs, escaped for HTML.
fn base(live: &Live) -> String {
    escaped(live.work.project.site.config.root_path())
}

/// Returns the path relative to the site's base path. `None` means that the client is redirected there.
pub(super) fn below_base<'p>(path: &'p str, base: &str) -> Option<&'p str> {
    path.strip_prefix(base).filter(|rest| rest.starts_with('/'))
}

/// Returns the site in the language of a path in the browser.
pub(super) fn in_language(live: &Live, path: &str) -> Live {
    let below = below_base(path, live.work.project.site.config.root_path());
    below.map_or_else(|| live.clone(), |below| live.in_language(below))
}

/// Returns the artifact at a path in the browser.
pub(super) fn artifact_at<'a>(work: &'a Work, path: &str) -> Option<(&'a Address, &'a Artifact)> {
    let below = below_base(path, work.project.site.config.base_path())?;
    let plan = &work.project.plan;
    let address = plan.find(&percent_decode_str(below).decode_utf8_lossy())?;
    Some((address, plan.get(address)?))
}
