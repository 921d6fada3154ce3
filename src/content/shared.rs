//! Shared pages: told by every platform of a family that has no page of its own at their address.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::Document;
use super::group::{self, Teller};
use crate::address::Address;
use crate::config::Config;
use crate::diagnostic::{Code, Diagnostic, Problem, Report, Reported, nearest};
use crate::site_path::{SHARED, SitePath};

/// Puts a document for each platform that tells it in the place of every shared page.
pub(super) fn spread(documents: Vec<Arc<Document>>, config: &Config) -> Reported<Vec<Arc<Document>>> {
    let (shared, own): (Vec<_>, Vec<_>) =
        documents.into_iter().partition(|document| document.path.shared().is_some());
    let mut report: Report = own.iter().filter_map(|document| idle_platforms(document)).collect();
    if shared.is_empty() {
        return (own, report);
    }
    let platform_of_document = group::platform_of_document(&own, config);
    let taken: HashSet<Address> = own.iter().map(|document| document.address.clone()).collect();
    let mut told = own;
    for page in &shared {
        let (folder, _) = page.path.shared().expect("it was picked for that");
        let platform_of_document = platform_of_document.get(folder).map_or(&[][..], Vec::as_slice);
        report.extend(unknown_platforms(page, platform_of_document));
        let mut tellings: Vec<Document> = platform_of_document
            .iter()
            .filter(|teller| is_meant_for(page, &teller.id))
            .map(|teller| told_by(page, teller))
            .filter(|document| !taken.contains(&document.address))
            .collect();
        if tellings.is_empty() {
            report.push(unused(page, platform_of_document));
        }
        divide_aliases(&mut tellings);
        told.extend(tellings.into_iter().map(Arc::new));
    }
    (told, report)
}

/// The shared page as if it stood in the platform's folder.
fn told_by(page: &Document, teller: &Teller) -> Document {
    let (_, step) = page.path.shared().expect("it is a shared page");
    let below = format!("{}/{step}", teller.root);
    let address = Address::of_page(&below, page.front.slug.as_deref());
    let title = page.front.title.clone();
    let title = title.unwrap_or_else(|| Document::untitled(page.heading.as_ref(), &address));
    Document { published_path: format!("content/{below}").as_str().into(), address, title, ..page.clone() }
}

fn is_meant_for(page: &Document, platform: &str) -> bool {
    let named = page.front.platforms.as_ref();
    named.is_none_or(|named| named.iter().any(|name| name.eq_ignore_ascii_case(platform)))
}

/// Former addresses lead to one telling each: one below a platform's folder to that platform's, any other
/// to the first.
fn divide_aliases(tellings: &mut [Document]) {
    let roots: Vec<String> =
        tellings.iter().map(|document| document.platform_root().unwrap_or_default().to_string()).collect();
    let leads_to = |alias: &str| {
        let place = SitePath::from(format!("content{}", Address::new(alias)).as_str());
        roots.iter().position(|root| place.is_inside(root)).unwrap_or(0)
    };
    for (index, document) in tellings.iter_mut().enumerate() {
        document.front.aliases.retain(|alias| leads_to(alias) == index);
    }
}

fn unknown_platforms(page: &Document, platform_of_document: &[Teller]) -> Vec<Diagnostic> {
    let (Some(named), Some(span)) = (&page.front.platforms, &page.front.platforms_span) else {
        return Vec::new();
    };
    let known: Vec<&str> = platform_of_document.iter().map(|teller| teller.id.as_str()).collect();
    let unknown = named.iter().filter(|name| !known.is_empty() && !is_known(name, &known));
    unknown.map(|name| unknown_platform(name, span.clone(), &known).at(&page.path)).collect()
}

fn is_known(name: &str, known: &[&str]) -> bool {
    known.iter().any(|id| id.eq_ignore_ascii_case(name))
}

/// The finding at a name that is none of the `known` ids of a family's platforms.
pub(crate) fn unknown_platform(name: &str, span: Range<usize>, known: &[&str]) -> Problem {
    let help = match nearest(&name.to_lowercase(), known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the family is told for `{}`", known.join("`, `")),
    };
    Problem::new(Code::UnknownPlatform, span, format!("`{name}` is no platform of this family")).help(help)
}

fn unused(page: &Document, platform_of_document: &[Teller]) -> Diagnostic {
    let is_meant_for_some = platform_of_document.iter().any(|teller| is_meant_for(page, &teller.id));
    let help = match (platform_of_document.is_empty(), is_meant_for_some) {
        (true, _) => "put it beside the folders of a family's platforms, into `_shared`",
        (false, false) => "name platforms of the family in `platforms`, or leave the key out",
        (false, true) => "remove it, or the pages that stand in its place: every platform has one of its own",
    };
    Problem::new(Code::UnusedSharedPage, page.top(), "no platform tells this shared page")
        .help(help.to_string())
        .at(&page.path)
}

/// `platforms` on a page that belongs to one.
fn idle_platforms(page: &Document) -> Option<Diagnostic> {
    let span = page.front.platforms_span.clone()?;
    let message = format!("`platforms` says something of pages in `{SHARED}` only");
    let help = format!("remove it, or move the page into `{SHARED}` beside the platforms' folders");
    Some(Problem::new(Code::UnknownKey, span, message).help(help).at(&page.path))
}
