//! Chooses the sources to show: the saved ones, or an earlier version of files that can't be published.
//!
//! In: the sources on disk, and those that are shown. Out: [`Planned`], a site without findings that block the build.
//! Each file with such a finding is replaced with the version that is shown, or left out if there is none, so that it
//! doesn't affect other files. [`Outdated`] lists these files and the reasons.

use std::sync::Arc;

use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::output::render::Rendering;
use base::diagnostic::{Diagnostic, Report, Reported};
use base::error::{Error, Result};
use base::site_path::SitePath;
use base::sorted::SortedMap;
use input::source::Sources;
use site::plan::Artifact;
use site::work::Work;

/// The site to show, and the site as last saved.
#[derive(Default)]
pub(super) struct Planned {
    /// The site to show, or `None` to continue showing the current one.
    pub(super) shown: Option<ShownSite>,
    /// The site as last saved, if it isn't the one that is shown.
    pub(super) latest: Option<Rendering>,
    /// Findings of the saved site before the check.
    pub(super) found: Report,
    pub(super) outdated: Outdated,
    /// Why the saved site can't be used at all.
    pub(super) failure: Option<Error>,
}

/// A site and its sources.
pub(super) struct ShownSite {
    pub(super) work: Rendering,
    pub(super) sources: Arc<Sources>,
}

/// The files of which an earlier version is shown.
#[derive(Debug, Default)]
pub(super) struct Outdated {
    /// For each file, the finding that blocks its current version.
    files: SortedMap<SitePath, Diagnostic>,
    /// The finding that blocks the complete site.
    everything: Option<Diagnostic>,
}

impl Outdated {
    /// Returns the finding that blocks the newest version of an artifact. `work` is the site that is shown.
    pub(super) fn reason(&self, work: &Work, artifact: &Artifact) -> Option<&Diagnostic> {
        let template = || self.files.iter().find(|(path, _)| path.below("templates").is_some());
        let page = || self.files.get(&work.project.site.document(artifact.facts().written()?).path);
        self.everything.as_ref().or_else(page).or_else(|| template().map(|(_, finding)| finding))
    }

    /// Returns the finding that prevents a page of `latest` from being shown at all.
    pub(super) fn missing(&self, latest: &Work, artifact: &Artifact) -> Option<&Diagnostic> {
        self.files.get(&latest.project.site.document(artifact.facts().written()?).path)
    }
}

/// The current state, and how to plan sites.
pub(super) struct Planner<'a> {
    /// The sources that are shown.
    pub(super) shown: Option<&'a Sources>,
    pub(super) options: &'a Options,
    pub(super) cache: &'a Cache,
}

impl Planner<'_> {
    /// Plans the site to show after `latest` was read. If the configuration is invalid, the one that is shown is
    /// used.
    pub(super) fn plan(&self, latest: &Arc<Sources>) -> Planned {
        let failure = match self.planned(latest) {
            Ok((work, found)) => return self.without_blockers(work, found, latest),
            Err(failure) => failure,
        };
        let mut sources = Sources::clone(latest);
        sources.config = self.shown.and_then(|shown| shown.config.clone());
        let sources = Arc::new(sources);
        let planned = self.shown.and_then(|_| self.planned(&sources).ok());
        let shown = planned.and_then(|(work, found)| self.without_blockers(work, found, &sources).shown);
        Planned { shown, failure: Some(failure), ..Planned::default() }
    }

    fn planned(&self, sources: &Arc<Sources>) -> Result<Reported<Rendering>> {
        pipeline::plan(sources.clone(), self.options, self.cache)
    }

    /// Returns the part of a saved site that can be shown.
    fn without_blockers(&self, work: Rendering, found: Report, latest: &Arc<Sources>) -> Planned {
        let Some(blocker) = found.blockers().next().cloned() else {
            let shown = Some(ShownSite { work, sources: latest.clone() });
            return Planned { shown, found, ..Planned::default() };
        };
        let everything = || Outdated { everything: Some(blocker), ..Outdated::default() };
        match self.restored(&found, latest) {
            Some((shown, outdated)) => {
                Planned { shown: Some(shown), latest: Some(work), found, outdated, failure: None }
            }
            None if self.shown.is_some() => {
                Planned { latest: Some(work), found, outdated: everything(), ..Planned::default() }
            }
            // At the start, there is nothing else to show.
            None => {
                let shown = Some(ShownSite { work, sources: latest.clone() });
                Planned { shown, found, outdated: everything(), ..Planned::default() }
            }
        }
    }

    /// Returns the site with an earlier version of each file that blocks the build, or `None` if that isn't enough.
    /// Restoring a version may make another file block the build if both have the same address.
    fn restored(&self, found: &Report, latest: &Arc<Sources>) -> Option<(ShownSite, Outdated)> {
        let mut sources = Sources::clone(latest);
        // They only cause findings.
        sources.passed_over.clear();
        let (mut outdated, mut found) = (Outdated::default(), found.clone());
        loop {
            let files = outdated.files.len();
            for blocker in found.blockers() {
                let related = blocker.problem.related.iter().map(|place| &place.file);
                let restored = [&blocker.file].into_iter().chain(related);
                if let Some(file) = restored.into_iter().find(|file| sources.restore(file, self.shown)) {
                    outdated.files.insert(file.clone(), blocker.clone());
                }
            }
            let planned = Arc::new(sources.clone());
            let (work, next) = self.planned(&planned).ok()?;
            if next.blockers().next().is_none() {
                return Some((ShownSite { work, sources: planned }, outdated));
            }
            if files == outdated.files.len() {
                return None;
            }
            found = next;
        }
    }
}
