//! Targets in HTML, which generators leave as they are, and links to files that generators treat as pages.

use std::ops::Range;

use super::super::{Lookup, Subject, links};
use super::source::PageSource;
use super::{IMAGES, Mistake};
use base::diagnostic::Problem;
use base::quoted::quoted;
use base::url::scheme;
use input::conventions::{HtmlInMdx, Syntax, SyntaxRule, UnreadLinks};
use markup::markdown::Reference;
use site::plan::{Destination, relative, take_apart};

pub(super) fn mistakes(subject: &Subject<'_>) -> Vec<Mistake> {
    let rules = subject.resolver.repository.convention.rules;
    let find = |rule: &SyntaxRule| -> Option<fn(&Subject<'_>, &Reference) -> Option<Mistake>> {
        match rule {
            SyntaxRule::HtmlPaths => Some(relative_in_html),
            SyntaxRule::HtmlBase => Some(without_base),
            SyntaxRule::StaticPages => Some(static_page),
            SyntaxRule::LinksWithoutBase => Some(second_base),
            _ => None,
        }
    };
    let checks: Vec<_> = rules.iter().filter_map(find).collect();
    if checks.is_empty() {
        return Vec::new();
    }
    let references = subject.page.references.iter();
    references
        .flat_map(|reference| checks.iter().filter_map(move |check| check(subject, reference)))
        .collect()
}

/// Returns findings for images in expressions that aren't evaluated: `{{ dark: '/lamp-dark.svg' }}`, `figure={<img src={useBaseUrl('lamp.svg')} />}`.
pub(super) fn in_expressions(
    lookup: &Lookup<'_>,
    subject: &Subject<'_>,
    source: &PageSource<'_>,
) -> Vec<Problem> {
    if !source.syntax.contains(&Syntax::Mdx) {
        return Vec::new();
    }
    let starts = [": ", "useBaseUrl("].into_iter().flat_map(|before| {
        source.shown.match_indices(before).map(move |(at, _)| (at + before.len(), before.ends_with('(')))
    });
    let images = starts.filter_map(|(at, has_root)| {
        let quote = source.shown[at..].chars().next().filter(|it| matches!(it, '\'' | '"'))?;
        let place = at + 1..at + 1 + source.text[at + 1..].find(quote)?;
        let path = &source.text[place.clone()];
        let is_image = IMAGES.iter().any(|it| path.ends_with(it)) && (has_root || path.starts_with('/'));
        is_image.then(|| (format!("/{}", path.trim_start_matches('/')), place))
    });
    let is_read = |place: &Range<usize>| {
        subject.page.references.iter().any(|it| it.span.start < place.end && place.start < it.span.end)
    };
    let problem = |(target, place): (String, Range<usize>)| {
        let reference = Reference::of_image(target, place);
        links::problem(lookup, subject, &subject.link(&reference)).map(Problem::as_warning)
    };
    images.filter(|(_, place)| !is_read(place)).filter_map(problem).collect()
}

/// Whether a target is written in an attribute of HTML.
fn is_in_html(subject: &Subject<'_>, reference: &Reference) -> bool {
    let before = subject.text.get(..reference.span.start).unwrap_or_default();
    let is_written = subject.text.get(reference.span.clone()) == Some(reference.target.as_str());
    let is_attribute = ["src=\"", "href=\"", "src='", "href='"].iter().any(|it| before.ends_with(it));
    // A component completes its paths itself.
    let tag = before.rfind('<').map_or("", |open| &before[open + 1..]);
    is_written && is_attribute && tag.starts_with(|c: char| c.is_ascii_lowercase())
}

/// A relative path from the file of the page, which is published as a folder:
/// <https://www.mkdocs.org/user-guide/writing-your-docs/#writing-your-docs>.
fn relative_in_html(subject: &Subject<'_>, reference: &Reference) -> Option<Mistake> {
    let target = reference.target.as_str();
    let path = take_apart(target).path;
    let is_relative = !path.is_empty() && !path.starts_with('/') && scheme(target).is_none();
    // Another configuration, or a plugin, changes addresses.
    let is_folder = subject.resolver.repository.unread_links == UnreadLinks::NoFiles;
    if !is_relative || !is_folder || !is_in_html(subject, reference) {
        return None;
    }
    let from = subject.document.address.as_str();
    let Destination::Here(here) = subject.resolver.resolve(subject.document, target) else { return None };
    if !from.ends_with('/') || subject.resolver.find(&format!("{from}{path}")).is_some() {
        return None;
    }
    let message = format!("{} leads to the file on disk; browsers look it up below `{from}`", quoted(target));
    let help =
        format!("use `{}`, because MkDocs leaves HTML as it is", relative(from, here.address.as_str()));
    Some(Mistake::misread(reference.span.clone(), message, help))
}

/// A path without the base path: <https://docusaurus.io/docs/static-assets#referencing-your-static-asset>.
fn without_base(subject: &Subject<'_>, reference: &Reference) -> Option<Mistake> {
    let base = subject.resolver.config.base_path();
    let target = reference.target.as_str();
    let is_rooted = target.starts_with('/') && !target.starts_with("//");
    // Before MDX 2, Docusaurus also completed elements.
    let is_new = subject.resolver.repository.html_in_mdx != HtmlInMdx::Unknown;
    let lacks = is_new && is_rooted && !base.is_empty() && subject.resolver.below_base(target).is_none();
    (lacks && is_in_html(subject, reference)).then(|| {
        let message =
            format!("{} lacks the base path `{base}`, which Docusaurus doesn't add in HTML", quoted(target));
        Mistake::misread(reference.span.clone(), message, format!("use `{base}{target}`, or Markdown"))
    })
}

/// A link with the base path, which `VitePress` adds again: vitepress/src/node/markdown/plugins/link.ts.
fn second_base(subject: &Subject<'_>, reference: &Reference) -> Option<Mistake> {
    let target = reference.target.as_str();
    let below = subject.resolver.below_base(target).filter(|below| below.starts_with('/'))?;
    let is_link = subject.text.get(..reference.span.start).is_some_and(|before| before.ends_with("]("));
    let is_address = subject.resolver.find(take_apart(target).path).is_some();
    (is_link && !is_address).then(|| {
        let message = format!("{} begins with the base path, which VitePress adds again", quoted(target));
        Mistake::misread(reference.span.clone(), message, format!("use `{below}`"))
    })
}

/// A static page, which Docusaurus treats as one of its own: <https://docusaurus.io/docs/advanced/routing#escaping-from-spa-redirects>.
fn static_page(subject: &Subject<'_>, reference: &Reference) -> Option<Mistake> {
    let target = reference.target.as_str();
    let before = subject.text.get(..reference.span.start).unwrap_or_default();
    let is_link =
        before.ends_with("](") && target.starts_with('/') && take_apart(target).path.ends_with(".html");
    let Destination::Here(here) = subject.resolver.resolve(subject.document, target) else { return None };
    (is_link && !here.address.is_page()).then(|| {
        let message = format!("{} is a static page, which Docusaurus doesn't find", quoted(target));
        Mistake::misread(reference.span.clone(), message, format!("use `pathname://{target}`"))
    })
}
