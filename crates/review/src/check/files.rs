//! Anchors in HTML files that are published unchanged, such as a generated API reference.
//!
//! Links to them are collected with the findings of their pages. When all pages are known, the files are read to
//! which a link with an anchor points.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Checked;
use super::Subject;
use super::links::missing_anchor;
use base::diagnostic::Diagnostic;
use base::site_path::SitePath;
use base::sorted::{SortedMap, SortedSet};
use markup::markdown::{Reference, html_anchors};
use site::content::Document;
use site::plan::{Artifact, Destination, anchor};
use site::project::Project;

/// Maximum size in bytes. Larger files aren't read, and all anchors in them count as existing.
const LARGEST: u64 = 8 << 20;

/// A link to an anchor in an HTML file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct HtmlAnchorLink {
    file: SitePath,
    /// Address of the file.
    address: String,
    /// The fragment, decoded and as written.
    wanted: String,
    raw: String,
    reference: Reference,
}

/// Returns the links of a page to anchors in HTML files.
pub(super) fn links_into(subject: &Subject<'_>) -> Vec<HtmlAnchorLink> {
    let into = |link: &super::Link<'_>| {
        let (Destination::Here(here), Some(Artifact::Asset(file))) = (&link.destination, link.artifact)
        else {
            return None;
        };
        let name = file.as_str().to_ascii_lowercase();
        let raw = here.fragment?;
        // A fragment that begins with a path or a special character is for a script of that page.
        let is_for_scripts = raw.starts_with('!') || raw.contains('/');
        let wanted =
            anchor(raw).filter(|_| !is_for_scripts && (name.ends_with(".html") || name.ends_with(".htm")))?;
        let (address, reference) = (here.address.to_string(), link.reference.clone());
        Some(HtmlAnchorLink { file: file.clone(), address, wanted, raw: raw.to_string(), reference })
    };
    subject.links.iter().filter_map(into).collect()
}

/// Reports links to missing anchors in files.
pub(super) fn missing_anchors(project: &Project, pages: &[&Checked]) -> Vec<Diagnostic> {
    let links: Vec<(&Document, &HtmlAnchorLink)> = project
        .site
        .documents
        .iter()
        .zip(pages)
        .flat_map(|(document, page)| page.into_files.iter().map(move |link| (&**document, link)))
        .collect();
    let files: SortedSet<&SitePath> = links.iter().map(|(_, link)| &link.file).collect();
    // A generator fills a file with front matter.
    let read = |file: &SitePath| {
        let text = project.sources.asset_text(file, LARGEST)?;
        let is_template = !project.site.repository.is_ours() && text.starts_with("---");
        (!is_template).then(|| html_anchors(&text))?
    };
    let anchors: Vec<(&SitePath, SortedSet<String>)> =
        files.par_iter().filter_map(|file| Some((*file, read(file)?))).collect();
    let anchors = SortedMap::from(anchors);
    let missing = links.into_iter().filter_map(|(document, link)| {
        let known = anchors.get(&link.file)?;
        if known.contains(&link.wanted) || known.contains(&link.raw) {
            return None;
        }
        let place = format!("`{}`", link.address);
        let problem = missing_anchor(&link.reference, &place, &link.wanted, known, &[]);
        Some(problem.at(&document.path))
    });
    missing.collect()
}
