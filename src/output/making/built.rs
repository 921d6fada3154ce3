//! Options of a build, and its result.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::CheckedSite;
use super::last_build::{BuildSummary, LastBuild};
use super::outputs::folder_of;
use super::part::{ShardResult, site_in};
use super::weight::Weight;
use crate::output::pipeline::Options;
use crate::output::publish::Published;
use crate::output::render::Rendering;
use crate::output::unit::Share;
use base::diagnostic::{Code, Report};
use base::error::{Error, Result};
use base::store::TableUse;
use review::translations::MissingHistory;
use site::content::Site;

/// Options of a build.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The output folder. It must be new, empty, or the output of a previous build. The files of a shard are written
    /// to its subfolder `site`: see [`ShardResult`].
    pub output: PathBuf,
    pub options: Options,
    /// Whether errors block the build.
    pub strict: bool,
    /// Whether to return all findings even if nothing has changed.
    pub wants_findings: bool,
    /// Shards that were built elsewhere. Their stores must be open in the cache.
    pub parts: Vec<Arc<ShardResult>>,
}

impl BuildOptions {
    /// Returns the folder for the published files.
    pub fn published_to(&self) -> PathBuf {
        match self.options.share {
            Share::Shard { .. } => site_in(&self.output),
            Share::All | Share::Families(_) => self.output.clone(),
        }
    }

    /// Identifies a build by its settings and its output folder. If the output folder is outside `root`, only the
    /// settings count, so that a copy of the site elsewhere has the same name.
    pub(super) fn name(&self, root: &Path) -> String {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let output = absolute(&self.output);
        let below = output.strip_prefix(absolute(root)).unwrap_or(Path::new("elsewhere/"));
        format!("{} {:?}", below.display(), self.options)
    }

    /// Whether the build may end early if no file has changed. It may not if the caller needs the findings, or if a
    /// strict build has errors. A shard consists of more than its files.
    pub(super) fn may_skip(&self, last: &LastBuild) -> bool {
        let must_find = self.wants_findings || self.strict && last.summary.errors > 0;
        !must_find && !matches!(self.options.share, Share::Shard { .. })
    }

    /// Rejects shards of another site, and families that the site doesn't contain.
    pub(super) fn check_against(&self, work: &Rendering) -> Result<()> {
        if !self.parts.is_empty() {
            let paths = |work: &Rendering| {
                let folder = folder_of(work);
                let artifacts = work.project.plan.artifacts();
                artifacts.map(|(address, _)| format!("{folder}{}", address.output_path())).collect::<Vec<_>>()
            };
            let paths = work.languages().flat_map(paths).collect();
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

/// Result of a build.
#[derive(Debug)]
pub enum Built {
    /// The site was published. `weight` is the size of a complete site on its host. `found` contains the findings, or
    /// `None` if nothing has changed. `missing` is the number of files that none of the given shards contains. With
    /// `lacks_history`, it is unknown which translations are behind their originals.
    Published {
        summary: BuildSummary,
        published: Published,
        missing: usize,
        weight: Option<Weight>,
        found: Option<CheckedSite>,
        lacks_history: Option<MissingHistory>,
    },
    /// Nothing was published because of these findings.
    Refused { blockers: Report, found: CheckedSite },
}

impl Built {
    /// Creates the result of a build that had nothing to do. `summary` contains the figures of the last build.
    pub(super) fn unchanged(summary: BuildSummary) -> Self {
        let BuildSummary { files, .. } = summary;
        let published = Published { files, written: 0, unchanged: files, known: files, removed: 0 };
        Self::Published { summary, published, missing: 0, weight: None, found: None, lacks_history: None }
    }

    /// Returns the findings, or `None` if nothing has changed.
    pub fn found(&self) -> Option<&CheckedSite> {
        match self {
            Self::Published { found, .. } => found.as_ref(),
            Self::Refused { found, .. } => Some(found),
        }
    }

    /// Consumes the result and returns the findings.
    pub fn into_found(self) -> Option<CheckedSite> {
        match self {
            Self::Published { found, .. } => found,
            Self::Refused { found, .. } => Some(found),
        }
    }

    /// Returns the number of reused and of rendered files.
    pub fn outputs(&self) -> TableUse {
        match self {
            Self::Published { published, .. } => {
                TableUse { known: published.known, made: published.files - published.known }
            }
            Self::Refused { .. } => TableUse::default(),
        }
    }
}

/// Why a site couldn't be published.
pub(super) enum Failure {
    World(Error),
    /// Findings that block the build, and all findings.
    Content {
        blockers: Report,
        report: Report,
    },
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::World(error)
    }
}

/// Returns the number of unsupported constructs that were left out of a site's pages.
pub fn left_out(site: &Site, report: &Report) -> usize {
    if site.repository.is_ours() {
        return 0;
    }
    let foreign = report.iter().filter(|finding| finding.problem.code == Code::UnsupportedSyntax);
    let places = foreign.filter_map(|finding| finding.problem.data.get("places")?.as_u64());
    places.map(|places| usize::try_from(places).unwrap_or(usize::MAX)).sum()
}
