//! What a build is asked for, and how it ended.

use std::path::PathBuf;
use std::sync::Arc;

use super::CheckedSite;
use super::last_build::BuildSummary;
use super::part::{ShardResult, site_in};
use super::weight::Weight;
use crate::base::diagnostic::Report;
use crate::base::error::Result;
use crate::base::store::TableUse;
use crate::output::pipeline::Options;
use crate::output::publish::Published;
use crate::output::unit::Share;
use crate::site::work::Work;

/// What is built, and where to.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Where to publish; must be new, empty, or made by a build. A shard's files come into the folder `site` in it, see
    /// [`ShardResult`].
    pub output: PathBuf,
    pub options: Options,
    /// Publish nothing when the check finds an error.
    pub strict: bool,
    /// Find everything again where nothing has changed: somebody wants to read it.
    pub wants_findings: bool,
    /// What was made of the site elsewhere. The cache should know their stores.
    pub parts: Vec<Arc<ShardResult>>,
}

impl BuildOptions {
    /// Where the files go.
    pub fn published_to(&self) -> PathBuf {
        match self.options.share {
            Share::Shard { .. } => site_in(&self.output),
            Share::All | Share::Families(_) => self.output.clone(),
        }
    }

    /// Refuses parts of another site, and families that the site doesn't have.
    pub(super) fn check_against(&self, work: &Work) -> Result<()> {
        if !self.parts.is_empty() {
            let paths = work.project.plan.artifacts().map(|(address, _)| address.output_path()).collect();
            self.parts.iter().try_for_each(|part| part.belongs_to(&paths))?;
        }
        match &self.options.share {
            Share::Families(ids) => {
                ids.iter().try_for_each(|id| work.project.site.family_named(id).map(drop))
            }
            Share::All | Share::Shard { .. } => Ok(()),
        }
    }
}

/// How a build ended.
#[derive(Debug)]
pub enum Built {
    /// The site is in its output folder. `weight` is what a host has to take of a whole site, and `found` what was found;
    /// nothing where nothing has changed. So many files are `missing` in the parts that were given.
    Published {
        summary: BuildSummary,
        published: Published,
        missing: usize,
        weight: Option<Weight>,
        found: Option<CheckedSite>,
    },
    /// The output is as it was, for these findings.
    Refused { blockers: Report, found: CheckedSite },
}

impl Built {
    /// Nothing was made: the last build, which made as much as `summary` says, is still right.
    pub(super) fn unchanged(summary: BuildSummary) -> Self {
        let BuildSummary { files, .. } = summary;
        let published = Published { files, written: 0, unchanged: files, known: files, removed: 0 };
        Self::Published { summary, published, missing: 0, weight: None, found: None }
    }

    /// What was found; nothing where nothing has changed.
    pub fn found(&self) -> Option<&CheckedSite> {
        match self {
            Self::Published { found, .. } => found.as_ref(),
            Self::Refused { found, .. } => Some(found),
        }
    }

    /// Returns what was found, consuming `self`.
    pub fn into_found(self) -> Option<CheckedSite> {
        match self {
            Self::Published { found, .. } => found,
            Self::Refused { found, .. } => Some(found),
        }
    }

    /// How many published files were known from the build before, and how many were made.
    pub fn outputs(&self) -> TableUse {
        match self {
            Self::Published { published, .. } => {
                TableUse { known: published.known, made: published.files - published.known }
            }
            Self::Refused { .. } => TableUse::default(),
        }
    }
}
