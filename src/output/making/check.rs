//! Checks a site.

use std::path::Path;

use super::CheckedSite;
use crate::base::error::{Error, Result};
use crate::input::source::{self, Text};
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::site::pages::Detail;

/// Finds everything that is wrong with the site below `root`. Pages that `cache` has findings of are not checked
/// again, and what is found is kept in it.
///
/// # Errors
///
/// When the sources cannot be read, or the configuration cannot be used.
pub fn check(root: &Path, options: &Options, cache: &Cache) -> Result<CheckedSite> {
    let options = &Options { parts: Detail::WithoutHtml, ..options.clone() };
    let listing = source::list(root)?;
    let known = cache.sources();
    let sources = pipeline::with_parts(source::read_listed(&listing, &known)?, cache)?;
    let (work, found) = pipeline::plan(sources, options, cache)?;
    let report = pipeline::check(&work, options, cache, found, None)?;
    work.project.sources.are_as_read()?;
    cache.flush_findings();
    cache.keep_sources(&known, &work.project.sources, &listing);
    Ok(CheckedSite { report, work })
}

/// As [`check`], with a text in the place of a file's, or as a page that is not on disk.
///
/// # Errors
///
/// As [`check`], and where the site is not made from such a file.
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
