//! Checks a site.

use std::path::Path;

use super::CheckedSite;
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use base::error::{Error, Result};
use input::source::{self, Text};
use site::pages::Detail;

/// Checks the site at `root`. Pages with findings in `cache` aren't checked again, and new findings are stored in it.
///
/// # Errors
///
/// If the sources can't be read, or the configuration is invalid.
pub fn check(root: &Path, options: &Options, cache: &Cache) -> Result<CheckedSite> {
    let options = &Options { parts: Detail::WithoutHtml, ..options.clone() };
    let listing = source::list(root)?;
    let known = cache.sources();
    let sources = pipeline::with_parts(source::read_listed(&listing, &known)?, cache)?;
    let (work, found) = pipeline::plan(sources, options, cache)?;
    let report = pipeline::check(&work, options, cache, found, None)?;
    work.project.sources.are_as_read()?;
    cache.flush_findings();
    cache.keep_sources(&known, work.project.sources.whole(), &listing);
    Ok(CheckedSite { report, work })
}

/// Like [`check`], with a text that replaces a file's, or as a page that isn't on disk.
///
/// # Errors
///
/// The errors of [`check`], and if the site doesn't depend on such a file.
pub fn check_with(root: &Path, text: Text, options: &Options, cache: &Cache) -> Result<CheckedSite> {
    let options = &Options { parts: Detail::WithoutHtml, ..options.clone() };
    let path = text.path.clone();
    let mut sources = source::read(root)?;
    if !sources.lay_over(text) {
        return Err(Error::usage(format!("`{path}` is not a source file of the site")));
    }
    let (work, found) = pipeline::plan(pipeline::with_parts(sources, cache)?, options, cache)?;
    let report = pipeline::check(&work, options, cache, found, None)?;
    cache.flush_findings();
    Ok(CheckedSite { report, work })
}
