//! Chooses which sources are shown: those saved last, or an earlier version of what cannot be published.
//!
//! In: the sources as they are on disk, and those that are shown. Out: [`Planned`], a site without anything that
//! blocks a build. Each file that blocks is replaced by the version of it that is shown, and left out where there is
//! none, so that it stops no other file. [`Outdated`] says for which files that was done, and why.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::diagnostic::{Diagnostic, Report, Reported};
use crate::base::error::{Error, Result};
use crate::base::site_path::SitePath;
use crate::input::source::Sources;
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::output::render::Rendering;
use crate::site::plan::Artifact;
use crate::site::work::Work;

/// A site that can be shown, and the site as it was saved last.
#[derive(Default)]
pub(super) struct Planned {
    /// What is shown; `None` where nothing can be shown but what is shown already.
    pub(super) shown: Option<ShownSite>,
    /// The site as it was saved last, where it is not what is shown.
    pub(super) latest: Option<Rendering>,
    /// What was found in the site as it was saved last, before it was checked.
    pub(super) found: Report,
    pub(super) outdated: Outdated,
    /// Why the site as it was saved last cannot be used at all.
    pub(super) failure: Option<Error>,
}

/// A site and what it was made from.
pub(super) struct ShownSite {
    pub(super) work: Rendering,
    pub(super) sources: Arc<Sources>,
}

/// What is shown in another version than it was saved last.
#[derive(Debug, Default)]
pub(super) struct Outdated {
    /// For each file the finding that keeps it from being shown.
    files: BTreeMap<SitePath, Diagnostic>,
    /// The finding that keeps everything from being shown.
    everything: Option<Diagnostic>,
}

impl Outdated {
    /// The finding that keeps the newest version of an artifact from being shown; `work` is what is shown.
    pub(super) fn reason(&self, work: &Work, artifact: &Artifact) -> Option<&Diagnostic> {
        let template = || self.files.iter().find(|(path, _)| path.below("templates").is_some());
        let page = || self.files.get(&work.project.site.document(artifact.facts().written()?).path);
        self.everything.as_ref().or_else(page).or_else(|| template().map(|(_, finding)| finding))
    }

    /// The finding that keeps a page of `latest` from being shown at all.
    pub(super) fn missing(&self, latest: &Work, artifact: &Artifact) -> Option<&Diagnostic> {
        self.files.get(&latest.project.site.document(artifact.facts().written()?).path)
    }
}

/// What is shown now and how sites are planned.
pub(super) struct Planner<'a> {
    /// The sources that are shown now, if any.
    pub(super) shown: Option<&'a Sources>,
    pub(super) options: &'a Options,
    pub(super) cache: &'a Cache,
}

impl Planner<'_> {
    /// Plans the site that is shown after `latest` was read. Where the configuration cannot be used, that is `latest`
    /// with the configuration that is shown now.
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

    /// What is shown of a site as it was saved last.
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
            // At the beginning there is nothing else to show.
            None => {
                let shown = Some(ShownSite { work, sources: latest.clone() });
                Planned { shown, found, outdated: everything(), ..Planned::default() }
            }
        }
    }

    /// The site with an earlier version of each file that blocks a build; `None` when that is not enough. A version
    /// that is restored may make another file block, when both claim an address.
    fn restored(&self, found: &Report, latest: &Arc<Sources>) -> Option<(ShownSite, Outdated)> {
        let mut sources = Sources::clone(latest);
        // Nothing is made from them but findings.
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
