//! Relative links that only work on disk, in sites whose generator leaves links as they are written.
//!
//! The page `a/b.md` has the address `/a/b/`, from which browsers resolve its links: `[x](c)` leads to `/a/b/c`, and `[x](c.md)` to a
//! file that isn't published. A theme or a plugin may rewrite such links, so the other links of the site decide. If nearly all work
//! without it, these are mistakes.

use percent_encoding::percent_decode_str;

use super::Subject;
use super::lookup::{Lookup, exactly};
use super::missing::missing;
use super::written::end_of;
use base::diagnostic::{Diagnostic, Problem};
use base::sorted::SortedSet;
use base::url::scheme;
use input::conventions::{RelativePaths, Syntax, UnreadLinks, are_exceptions, inline_targets};
use markup::markdown::{Reference, ReferenceKind};
use site::content::Document;
use site::plan::{Destination, Here, Resolver, relative, take_apart};
use site::project::Project;

/// What precedes the paths in Jekyll's and Hugo's sites that generators complete.
const LOOKED_UP: [&str; 4] = ["site.baseurl }}/", "{% link ", "< ref ", "< relref "];

/// The data of these findings.
pub(super) const ON_DISK: &str = "on_disk";

/// Reports a link to a page that leads there on disk, but not in a browser.
pub(super) fn on_disk(subject: &Subject<'_>, reference: &Reference, here: &Here<'_>) -> Option<Problem> {
    let Subject { resolver, document, text, .. } = subject;
    let target = reference.target.as_str();
    // Astro looks up images in the folder of the page's file.
    let is_literal = matches!(reference.kind, ReferenceKind::Link)
        || reference.kind == ReferenceKind::Image && resolver.repository.convention.has(Syntax::Shortcodes);
    let is_link = is_literal
        && text.get(reference.span.clone()) == Some(target)
        && text.get(..reference.span.start).is_some_and(|before| before.ends_with("]("));
    let is_found = reference.kind == ReferenceKind::Image || here.address.is_page();
    if !is_link || !is_found || works_in_browsers(resolver, document, target) {
        return None;
    }
    let problem = missing(reference).as_warning().data(ON_DISK, true);
    if is_beside_file(resolver) {
        let meant = format!("{}{}", resolver.url(here.address), end_of(target));
        return Some(
            problem.help(format!("use `{meant}`; the link leads to the file, which isn't published")),
        );
    }
    let way = match relative(document.address.as_str(), here.address.as_str()) {
        way if way.is_empty() => "./".to_string(),
        way => way,
    };
    let meant = format!("{way}{}", end_of(target));
    let help = subject.help(reference, &meant, here.address);
    let problem = problem.help(format!("{help}; this page is published as a folder"));
    Some(exactly(problem, subject, reference, meant))
}

/// Reports the path of a file that only browsers find, in a site whose generator looks for files relative to the file of the page.
pub(super) fn in_browser(
    lookup: &Lookup<'_>,
    subject: &Subject<'_>,
    reference: &Reference,
    here: &Here<'_>,
) -> Option<Problem> {
    let Subject { resolver, document, text, .. } = subject;
    let (repository, path) = (resolver.repository, take_apart(&reference.target).path);
    // The generator leaves HTML as it is written.
    // A file of another language may take its place.
    let has_languages = !resolver.config.language_path.is_empty() || !repository.translations.is_empty();
    let is_read = repository.unread_links == UnreadLinks::NoFiles
        && !has_languages
        && text.get(..reference.span.start).is_some_and(|before| before.ends_with("]("));
    let is_relative = !path.is_empty() && !path.starts_with('/') && !here.from_own_host;
    if !is_read || !is_relative || here.address.is_page() {
        return None;
    }
    let file = repository.path_from(document.path.as_str(), &percent_decode_str(path).decode_utf8_lossy());
    let found = file.as_deref().and_then(|file| repository.below_content(file));
    // The same file may be in the repository, for its readers.
    let is_file = file.as_deref().is_some_and(|file| lookup.work.project.sources.has_file(file));
    if is_file || found.is_some_and(|below| resolver.find(&format!("/{below}")).is_some()) {
        return None;
    }
    let meant = format!(
        "{}{}",
        relative(&format!("/{}", document.below()), here.address.as_str()),
        end_of(&reference.target)
    );
    Some(missing(reference).as_warning().help(format!("use `{meant}`, which is relative to the page's file")))
}

/// Whether the address of a page has the folders of its file, so that only the name of a page's file is wrong.
fn is_beside_file(resolver: &Resolver<'_>) -> bool {
    resolver.repository.convention.relative == RelativePaths::OfFile
}

/// Whether browsers find the page to which a target leads without the help of the generator.
fn works_in_browsers(resolver: &Resolver<'_>, from: &Document, target: &str) -> bool {
    let repository = resolver.repository;
    let path = take_apart(target).path;
    let is_relative = !path.is_empty() && !path.starts_with('/') && scheme(target).is_none();
    !is_relative
        || !repository.convention.leaves_links
        || repository.ignores_case
        || repository.is_guessed()
        || is_beside_file(resolver) && !path.ends_with(".md")
        || resolver.find(&format!("{}{path}", from.address)).is_some()
}

/// Drops these findings, unless nearly all links to pages work in browsers.
pub(super) fn decide(project: &Project, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if is_habit(project) { Vec::new() } else { found }
}

/// Whether more than a few links of the site work only on disk.
fn is_habit(project: &Project) -> bool {
    let resolver = project.resolver();
    let (mut all, mut working) = (SortedSet::new(), 0);
    for document in &project.site.documents {
        let text = document.text();
        for target in inline_targets(&text) {
            // Astro looks up the files of images.
            let is_browsed = |here: &Here<'_>| {
                here.address.is_page() || resolver.repository.convention.has(Syntax::Shortcodes)
            };
            let to_other = |here: &Here<'_>| *here.address != document.address && is_browsed(here);
            let is_new = matches!(resolver.resolve(document, target), Destination::Here(here) if to_other(&here))
                && all.insert((document.path.clone(), target.to_string()));
            if is_new && works_in_browsers(&resolver, document, target) {
                working += 1;
            }
        }
    }
    let looked_up = |text: &str| LOOKED_UP.iter().map(|start| text.matches(start).count()).sum::<usize>();
    let others: usize = project.site.documents.iter().map(|document| looked_up(&document.text())).sum();
    !are_exceptions(all.len() - working, working + others)
}
