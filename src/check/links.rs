//! Links, images and other files that a page names.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use super::{Routes, Subject};
use crate::content::{Address, DocumentId};
use crate::diagnostic::{Code, Problem, nearest};
use crate::markdown::{Reference, ReferenceKind};
use crate::render::link::{Here, anchor};
use crate::render::{Artifact, Destination, Walk};

/// What links are looked up in.
pub(super) struct Lookup<'a> {
    walk: &'a Walk,
    routes: &'a Routes,
    /// By document: its anchors.
    anchors: Vec<HashSet<&'a str>>,
    /// The nearest address for each one that is missing; many links often miss the same.
    suggestions: Mutex<HashMap<(String, bool), Option<String>>>,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(walk: &'a Walk, routes: &'a Routes) -> Self {
        let anchors =
            walk.pages.iter().map(|page| page.anchors.iter().map(|anchor| anchor.id.as_str()).collect());
        Self { walk, routes, anchors: anchors.collect(), suggestions: Mutex::default() }
    }

    /// The address nearest to a path that nothing stands at; of pictures, or of pages and files.
    fn nearest(&self, path: &str, picture: bool) -> Option<String> {
        let key = (path.to_string(), picture);
        let lock = || self.suggestions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return known.clone();
        }
        let addresses = || {
            let fit = self.walk.plan.artifacts().map(|(address, _)| address.as_str());
            fit.filter(move |address| is_picture(address) == picture && !address.starts_with("/_stepkin/"))
        };
        // The same page below another folder is likelier meant than one with a similar name here.
        let last = |path: &str| path.trim_end_matches('/').rsplit('/').next().map(str::to_string);
        let same_name: Vec<&str> = addresses().filter(|address| last(address) == last(path)).collect();
        let near = nearest(path, same_name.iter().copied()).or_else(|| nearest(path, addresses()));
        let near = near.or(match same_name.as_slice() {
            [only] => Some(only),
            _ => None,
        });
        let near = near.map(str::to_string);
        lock().insert(key, near.clone());
        near
    }
}

/// Everything a page names that is not there.
pub(super) fn references(lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    subject.page.references.iter().filter_map(|reference| problem(lookup, subject, reference)).collect()
}

/// What is wrong with one reference.
pub(super) fn problem(lookup: &Lookup<'_>, subject: &Subject<'_>, reference: &Reference) -> Option<Problem> {
    match subject.resolver.resolve(subject.document, &reference.target) {
        Destination::Elsewhere => None,
        Destination::Nowhere => Some(empty_target(reference)),
        Destination::Here(here) => wrong_anchor(lookup, subject.id, reference, &here),
        Destination::Missing { path, .. } if lookup.routes.contains(&path) => None,
        Destination::Missing { path, .. } => Some(missing(lookup, subject, reference, &path)),
    }
}

fn empty_target(reference: &Reference) -> Problem {
    let what = match reference.kind {
        ReferenceKind::Link => "the link leads nowhere",
        ReferenceKind::Image => "the image names no file",
        ReferenceKind::File => "the attribute names no file",
    };
    let help = "write the address, or take the markup away".to_string();
    Problem::new(Code::EmptyTarget, reference.span.clone(), what).help(help).target("")
}

fn wrong_anchor(
    lookup: &Lookup<'_>,
    from: DocumentId,
    reference: &Reference,
    here: &Here,
) -> Option<Problem> {
    let artifact = lookup.walk.plan.get(&here.address)?;
    if reference.kind == ReferenceKind::Image && here.address.is_page() && artifact.document().is_some() {
        let message = format!("`{}` is a page, not an image", reference.target);
        return Some(
            Problem::new(Code::MissingImage, reference.span.clone(), message).target(&reference.target),
        );
    }
    let wanted = anchor(here.fragment.as_deref()?)?;
    let document = artifact.document().filter(|_| !matches!(artifact, Artifact::Redirect { .. }))?;
    let anchors = &lookup.anchors[document];
    let raw = here.fragment.as_deref().unwrap_or_default();
    if anchors.contains(wanted.as_str()) || anchors.contains(raw) {
        return None;
    }
    let place = if document == from { "this page".to_string() } else { format!("`{}`", here.address) };
    let message = format!("{place} has no anchor `{wanted}`");
    let known = lookup.walk.pages[document].anchors.iter().map(|anchor| anchor.id.as_str());
    let help = nearest(&wanted, known).map(|near| format!("did you mean `#{near}`?"));
    Some(
        Problem::new(Code::MissingAnchor, reference.span.clone(), message)
            .help(help)
            .target(&reference.target),
    )
}

fn missing(lookup: &Lookup<'_>, subject: &Subject<'_>, reference: &Reference, path: &str) -> Problem {
    let span = reference.span.clone();
    if let Some(actual) = lookup.walk.plan.find_ignoring_case(path) {
        let message = format!("`{}` differs in case from `{actual}`", reference.target);
        let help = format!("write `{actual}`: most web servers tell upper from lower case");
        return Problem::new(Code::WrongCase, span, message).help(help).target(&reference.target);
    }
    let (code, what) = kind(reference, path);
    let near = lookup.nearest(path, code == Code::MissingImage);
    // Nobody means to link a page to itself.
    let near = near.filter(|near| near != subject.document.address.as_str());
    let near = near.map(|near| format!("did you mean `{near}`?"));
    let message = format!("{what} `{}` does not exist", reference.target);
    Problem::new(code, span, message).help(near).target(&reference.target)
}

/// What a missing thing would have been.
fn kind(reference: &Reference, path: &str) -> (Code, &'static str) {
    let address = Address::new(path);
    let name = address.last_segment().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension).filter(|_| !address.is_page());
    match (reference.kind, extension) {
        (ReferenceKind::Image, _) => (Code::MissingImage, "image"),
        (ReferenceKind::File, _) => (Code::MissingFile, "file"),
        (ReferenceKind::Link, None | Some("html" | "htm" | "md")) => (Code::MissingPage, "page"),
        (ReferenceKind::Link, Some(extension)) if extension.chars().all(char::is_alphanumeric) => {
            (Code::MissingFile, "file")
        }
        (ReferenceKind::Link, Some(_)) => (Code::MissingPage, "page"),
    }
}

fn is_picture(address: &str) -> bool {
    [".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".ico", ".bmp"]
        .iter()
        .any(|ending| address.to_ascii_lowercase().ends_with(ending))
}
