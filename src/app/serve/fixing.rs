//! Fixes findings for a page that requests it, in the same way as `stepkin fix`.

use std::fs;

use axum::http::StatusCode;

use super::Live;
use super::findings::{id, is_fixable_here};
use base::diagnostic::Diagnostic;
use base::error::Error;
use base::site_path::SitePath;
use base::write;
use input::source::Sources;
use review::fix::{self, FileEdits};

/// Maximum size of a request in bytes: several thousand findings.
pub(super) const MOST: usize = 100_000;

/// Why nothing was written.
#[derive(Debug)]
pub(super) enum FixRefusal {
    /// None of the findings exists any more.
    Gone,
    /// The file has changed since it was checked.
    Changed(SitePath),
    World(Error),
}

impl FixRefusal {
    /// Returns the response for the page.
    pub(super) fn response(&self, sources: &Sources) -> (StatusCode, String) {
        match self {
            Self::Gone => (StatusCode::CONFLICT, "The files have changed. Reload the page.".to_string()),
            Self::Changed(path) => {
                (StatusCode::CONFLICT, format!("{path} was just saved. Wait until it is checked."))
            }
            Self::World(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.said_below(&sources.root)),
        }
    }
}

/// Fixes the findings of a checked site whose [`id`] is in `ids`, and returns how many.
pub(super) fn fix(live: &Live, ids: &[String]) -> Result<usize, FixRefusal> {
    let sources = &live.latest().project.sources;
    let is_wanted = |finding: &&Diagnostic| is_fixable_here(finding) && ids.contains(&id(finding, sources));
    let edits = fix::fix(sources, live.report.iter().filter(is_wanted));
    if edits.is_empty() {
        return Err(FixRefusal::Gone);
    }
    let mut count = 0;
    for FileEdits { path, before, fixed } in edits {
        let disk = write::within(&sources.root, path.as_str()).map_err(FixRefusal::World)?;
        let now = fs::read(&disk).map_err(Error::io("read", &disk)).map_err(FixRefusal::World)?;
        let is_as_checked = sources.text(&path).is_some_and(|text| text.hash == blake3::hash(&now));
        if !is_as_checked || now != before.as_bytes() {
            return Err(FixRefusal::Changed(path));
        }
        write::replace(&disk, fixed.text.as_bytes()).map_err(FixRefusal::World)?;
        count += fixed.count;
    }
    Ok(count)
}
