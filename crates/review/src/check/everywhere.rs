//! Checks the links and images that the configuration adds to every page.

use std::ops::Range;

use super::near::nearest_page;
use super::{Evidence, links};
use base::address::Address;
use base::diagnostic::{Code, Diagnostic, Problem, nearest};
use base::site_path::CONFIG;
use input::config::SiteLink;
use markup::css;
use markup::markdown::HeadHtml;
use site::plan::{Artifact, Destination, OWN_STYLE};
use site::project::Project;

pub(super) fn missing(project: &Project, evidence: &Evidence) -> Vec<Diagnostic> {
    let config = &project.site.config;
    let preview = config.image.as_ref().and_then(|image| missing_picture(project, image, "for previews"));
    let logo = config.header.logo.as_ref().and_then(|logo| missing_picture(project, logo, "of the header"));
    let missing = config.links().filter_map(|link| {
        let path = link.path().filter(|path| !is_there(project, evidence, path))?;
        let near = nearest_page(project, path);
        let message = format!("page `{path}`, which every page links to, doesn't exist");
        Some(problem(Code::MissingPage, link.url.span(), message, path, near))
    });
    let head = config.head.iter().flat_map(|head| in_head(project, evidence, head));
    let outside = config.links().filter(|link| link.path().is_none());
    let unanswered = outside.filter_map(|link| {
        let (target, span) = (link.url.get_ref(), link.url.span());
        let dead = || links::unanswered(evidence, &Destination::External, target, &span);
        evidence.sites.problem(target, span.clone()).or_else(dead)
    });
    let own_style = own_style(project, evidence).into_iter().map(|problem| problem.at(&OWN_STYLE.into()));
    let problems = preview.into_iter().chain(logo).chain(missing).chain(unanswered).chain(head);
    problems.map(|problem| problem.at(&CONFIG.into())).chain(own_style).collect()
}

/// Returns the addresses on the site that the configuration adds to every page or to previews.
pub(super) fn named(project: &Project) -> impl Iterator<Item = &Address> {
    let config = &project.site.config;
    let head = config.head.as_ref().map(|head| head.get_ref().as_str()).unwrap_or_default();
    let in_head = HeadHtml::of(head).paths.into_iter().map(move |span| &head[span]);
    let pictures = config.image.iter().chain(&config.header.logo).map(|picture| picture.get_ref().as_str());
    let resolver = project.resolver();
    let paths = config.links().filter_map(SiteLink::path).chain(pictures).chain(in_head);
    let in_style = in_own_style(project).into_iter().map(|(path, _)| path);
    let paths: Vec<String> = paths.map(str::to_string).chain(in_style).collect();
    paths.into_iter().filter_map(move |path| resolver.find(&path))
}

fn problem(code: Code, span: Range<usize>, message: String, target: &str, near: Option<&str>) -> Problem {
    let help = match (near, code) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, Code::MissingPage) => "use the path of a page as in its URL, such as `/about/`".into(),
        (None, _) => {
            "use the path of a file as in its URL, such as `/images/card.png` for `static/images/card.png`"
                .into()
        }
    };
    Problem::new(code, span, message).help(help).target(target)
}

/// Returns the paths in the site's style sheet, relative to the root, with their locations. Paths that don't start at
/// the root are relative to the published style sheet.
fn in_own_style(project: &Project) -> Vec<(String, Range<usize>)> {
    let Some(own) = project.sources.templates.get(&OWN_STYLE.into()) else { return Vec::new() };
    let css = own.text();
    let from_root = |span: Range<usize>| {
        let path = &css[span.clone()];
        let path = if path.starts_with('/') { path.to_string() } else { format!("/_stepkin/{path}") };
        (path, span)
    };
    css::paths(&css).into_iter().map(from_root).collect()
}

fn own_style(project: &Project, evidence: &Evidence) -> Vec<Problem> {
    let paths = in_own_style(project).into_iter().filter(|(path, _)| !is_there(project, evidence, path));
    let missing = |(path, span): (String, Range<usize>)| {
        let message = format!("file `{path}`, which the style of every page loads, doesn't exist");
        problem(Code::MissingFile, span, message, &path, nearest(&path, files(project)))
    };
    paths.map(missing).collect()
}

/// Whether a path on the site exists.
fn is_there(project: &Project, evidence: &Evidence, path: &str) -> bool {
    project.resolver().find(path).is_some() || evidence.routes.contains(path)
}

fn is_file(artifact: &Artifact) -> bool {
    matches!(artifact, Artifact::Asset(_))
}

fn files(project: &Project) -> impl Iterator<Item = &str> {
    project.plan.artifacts().filter(|(_, artifact)| is_file(artifact)).map(|(address, _)| address.as_str())
}

fn missing_picture(project: &Project, picture: &toml::Spanned<String>, what: &str) -> Option<Problem> {
    let path = picture.get_ref();
    let address = Address::new(path);
    if project.plan.get(&address).is_some_and(is_file) {
        return None;
    }
    let near = nearest(address.as_str(), files(project));
    let message = format!("image `{path}` {what} doesn't exist");
    Some(problem(Code::MissingImage, picture.span(), message, address.as_str(), near))
}

fn in_head(project: &Project, evidence: &Evidence, head: &toml::Spanned<String>) -> Vec<Problem> {
    let html = head.get_ref();
    let HeadHtml { paths, stranger } = HeadHtml::of(html);
    let paths = paths.into_iter().map(|span| &html[span]).filter(|path| !is_there(project, evidence, path));
    let missing = paths.map(|path| {
        let message = format!("file `{path}`, which every page loads, doesn't exist");
        problem(Code::MissingFile, head.span(), message, path, nearest(path, files(project)))
    });
    let stranger = stranger.map(|what| {
        let message = format!("{what} ends the page's head, so everything after it is in the body");
        let help = "use only elements that belong in the head: `<script>`, `<link>`, `<meta>`, `<style>`";
        Problem::new(Code::DisallowedElement, head.span(), message).help(help.to_string())
    });
    missing.chain(stranger).collect()
}
