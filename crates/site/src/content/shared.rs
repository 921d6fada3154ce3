//! Shared pages, which appear on every platform of a family without its own page at their address.

use std::ops::Range;
use std::sync::Arc;

use super::Document;
use super::documents::Order;
use super::group::{self, PlatformFolder};
use base::address::Address;
use base::diagnostic::{Code, Diagnostic, Problem, Report, Reported, nearest};
use base::hash::HashSet;
use base::site_path::{self, SHARED};
use input::config::Config;
use input::conventions::Repository;

/// Replaces every shared page with one document for each platform that uses it.
pub(super) fn spread(
    documents: Vec<Arc<Document>>,
    config: &Config,
    order: Order<'_>,
) -> Reported<Vec<Arc<Document>>> {
    let (shared, own): (Vec<_>, Vec<_>) =
        documents.into_iter().partition(|document| document.shared().is_some());
    let mut report: Report = own.iter().filter_map(|document| idle_platforms(document)).collect();
    if shared.is_empty() {
        return (own, report);
    }
    let platforms_of_shared = group::platforms_of_shared(&own, config, order);
    let taken: HashSet<Address> = own.iter().map(|document| document.address.clone()).collect();
    let mut all = own;
    for page in &shared {
        let (folder, _) = page.shared().expect("it was picked for that");
        let platforms = platforms_of_shared.get(folder).map_or(&[][..], Vec::as_slice);
        report.extend(unknown_platforms(page, platforms));
        let mut documents: Vec<Document> = platforms
            .iter()
            .filter(|platform| is_meant_for(page, &platform.id))
            .map(|platform| on_platform(page, platform, order.repository))
            .filter(|document| !taken.contains(&document.address))
            .collect();
        if documents.is_empty() {
            report.push(unused(page, platforms));
        }
        divide_aliases(&mut documents);
        all.extend(documents.into_iter().map(Arc::new));
    }
    (all, report)
}

/// Returns the shared page as if it were in the platform's folder.
fn on_platform(page: &Document, platform: &PlatformFolder, repository: &Repository) -> Document {
    let (_, step) = page.shared().expect("it is a shared page");
    let below = format!("{}/{step}", platform.root);
    let address = repository.address(&below, page.front.slug.as_deref(), page.front.id.as_deref());
    let title = page.front.title.clone();
    let title = title.unwrap_or_else(|| Document::untitled(page.heading.as_ref(), &address));
    Document { published_path: repository.content.with(&below).into(), address, title, ..page.clone() }
}

fn is_meant_for(page: &Document, platform: &str) -> bool {
    let named = page.front.platforms.as_ref();
    named.is_none_or(|named| named.iter().any(|name| name.eq_ignore_ascii_case(platform)))
}

/// Assigns each alias to one platform: one under a platform's folder to that platform, any other to the first.
fn divide_aliases(documents: &mut [Document]) {
    let roots: Vec<String> =
        documents.iter().map(|document| document.platform_root().unwrap_or_default().to_string()).collect();
    let leads_to = |alias: &str| {
        let place = Address::new(alias);
        let is_inside = |root: &String| site_path::is_inside(&place.as_str()[1..], root);
        roots.iter().position(is_inside).unwrap_or(0)
    };
    for (index, document) in documents.iter_mut().enumerate() {
        document.front.aliases.retain(|alias| leads_to(alias) == index);
    }
}

fn unknown_platforms(page: &Document, platforms: &[PlatformFolder]) -> Vec<Diagnostic> {
    let (Some(named), Some(span)) = (&page.front.platforms, &page.front.platforms_span) else {
        return Vec::new();
    };
    let known: Vec<&str> = platforms.iter().map(|platform| platform.id.as_str()).collect();
    let unknown = named.iter().filter(|name| !known.is_empty() && !is_known(name, &known));
    unknown.map(|name| unknown_platform(name, span.clone(), &known).at(&page.path)).collect()
}

fn is_known(name: &str, known: &[&str]) -> bool {
    known.iter().any(|id| id.eq_ignore_ascii_case(name))
}

/// Returns the finding for a name that isn't among the `known` IDs of a family's platforms.
pub fn unknown_platform(name: &str, span: Range<usize>, known: &[&str]) -> Problem {
    let help = match nearest(&name.to_lowercase(), known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the family has `{}`", known.join("`, `")),
    };
    Problem::new(Code::UnknownPlatform, span, format!("`{name}` is not a platform of this family")).help(help)
}

fn unused(page: &Document, platforms: &[PlatformFolder]) -> Diagnostic {
    let is_meant_for_some = platforms.iter().any(|platform| is_meant_for(page, &platform.id));
    let help = match (platforms.is_empty(), is_meant_for_some) {
        (true, _) => "move it to `_shared` next to a family's platform folders",
        (false, false) => "list platforms of the family in `platforms`, or remove the key",
        (false, true) => "remove it, or remove the pages that replace it on every platform",
    };
    Problem::new(Code::UnusedSharedPage, page.top(), "no platform uses this shared page")
        .help(help.to_string())
        .at(&page.path)
}

/// Reports `platforms` on a page that belongs to a single platform.
fn idle_platforms(page: &Document) -> Option<Diagnostic> {
    let span = page.front.platforms_span.clone()?;
    let message = format!("`platforms` has an effect only on pages in `{SHARED}`");
    let help = format!("remove it, or move the page to `{SHARED}` next to the platform folders");
    Some(Problem::new(Code::UnknownKey, span, message).help(help).at(&page.path))
}
