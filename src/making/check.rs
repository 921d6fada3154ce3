//! Checks a site.

use std::path::Path;

use super::Found;
use crate::cache::Cache;
use crate::error::Result;
use crate::pages::Parts;
use crate::pipeline::{self, Options};
use crate::source;

/// Finds everything that is wrong with the site below `root`. Pages that `cache` has findings of are not checked
/// again, and what is found is kept in it.
///
/// # Errors
///
/// When the sources cannot be read, or the configuration cannot be used.
pub fn check(root: &Path, options: &Options, cache: &Cache) -> Result<Found> {
    let options = &Options { parts: Parts::WithoutHtml, ..options.clone() };
    let listing = source::list(root)?;
    let known = cache.sources();
    let sources = pipeline::with_parts(source::read_listed(&listing, &known)?, cache)?;
    let (work, report) = pipeline::analyze(sources, options, cache)?;
    work.project.sources.are_as_read()?;
    cache.flush_findings();
    cache.keep_sources(&known, &work.project.sources, &listing);
    Ok(Found { report, work })
}
