//! A site that is being edited: the files on disk, replaced by the texts that are open.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::output::render::Rendering;
use base::diagnostic::Report;
use base::error::Result;
use base::site_path::SitePath;
use base::sorted::{SortedMap, SortedSet};
use input::source::{self, Sources, Text};
use review::translations::{Compare, PageState, compare_pages};
use site::content::DocumentId;
use site::languages::Counterpart;
use site::pages::Detail;
use site::work::Work;

/// A text that is open in the editor, and the editor's version number.
pub(super) struct Open {
    pub(super) text: String,
    pub(super) version: i32,
}

/// A site with one root.
pub(super) struct EditorSite {
    pub(super) root: PathBuf,
    options: Options,
    cache: Cache,
    /// The files on disk, or `None` if they can't be read.
    disk: Option<Sources>,
    /// Texts that are open in the editor, saved or not.
    open: SortedMap<SitePath, Open>,
    /// Files that changed since the editor last received findings.
    changed: SortedSet<SitePath>,
    /// The site with these texts, as last planned.
    work: Option<Arc<Rendering>>,
    /// Findings before the check.
    found: Report,
    /// Why it can't be read or planned.
    failure: Option<String>,
    /// Its findings, or `None` before the check.
    report: Option<Report>,
    is_planned: bool,
    /// Whether the editor has received its findings.
    is_told: bool,
}

impl EditorSite {
    /// Returns the site at `root`, a real path. It is read on first use.
    pub(super) fn at(root: PathBuf, options: &Options) -> Self {
        Self {
            // The editor doesn't publish anything.
            options: Options { parts: Detail::WithoutHtml, ..options.clone() },
            cache: Cache::of(&root),
            disk: None,
            open: SortedMap::new(),
            changed: SortedSet::new(),
            work: None,
            found: Report::default(),
            failure: None,
            report: None,
            is_planned: false,
            is_told: false,
            root,
        }
    }

    /// Returns the path of a file relative to the root.
    pub(super) fn path_of(&self, file: &Path) -> Option<SitePath> {
        SitePath::of(&self.root, file)
    }

    /// Replaces the text of a file with the editor's, or with the one on disk if `text` is `None`.
    pub(super) fn edit(&mut self, path: SitePath, text: Option<Open>) {
        match text {
            Some(text) => _ = self.open.insert(path.clone(), text),
            None => _ = self.open.remove(&path),
        }
        self.changed.insert(path);
        self.forget_plan();
    }

    /// Returns an open file.
    pub(super) fn open(&self, path: &SitePath) -> Option<&Open> {
        self.open.get(path)
    }

    /// Returns the text of an open file.
    pub(super) fn open_text(&self, path: &SitePath) -> Option<&str> {
        self.open(path).map(|open| open.text.as_str())
    }

    /// Reads the files again that changed on disk.
    pub(super) fn refresh(&mut self, changed: &[PathBuf]) {
        let may_change = |disk: &Sources, path: &PathBuf| {
            SitePath::of(&disk.root, path).is_some_and(|path| disk.may_change_with(&path))
        };
        if let Some(disk) = &mut self.disk {
            let changed: Vec<PathBuf> =
                changed.iter().filter(|path| may_change(disk, path)).cloned().collect();
            if changed.is_empty() {
                return;
            }
            self.changed.extend(changed.iter().filter_map(|file| SitePath::of(&self.root, file)));
            match disk.refresh(&changed) {
                Ok(()) => self.failure = None,
                // All of it is read on next use.
                Err(_) => self.disk = None,
            }
        }
        self.forget_plan();
    }

    fn forget_plan(&mut self) {
        (self.is_planned, self.is_told) = (false, false);
        self.report = None;
    }

    /// Returns the current site. If it can't be planned, returns the last one that could.
    pub(super) fn work(&mut self) -> Option<Arc<Rendering>> {
        if !self.is_planned {
            self.is_planned = true;
            match self.planned() {
                Ok((work, found)) => {
                    (self.work, self.found, self.failure) = (Some(Arc::new(work)), found, None);
                }
                Err(error) => self.failure = Some(error.said_below(&self.root)),
            }
        }
        self.work.clone()
    }

    /// Returns the current site in the language of a file.
    pub(super) fn work_with(&mut self, path: &SitePath) -> Option<Arc<Rendering>> {
        let work = self.work()?;
        Some(work.translation_with(path).unwrap_or(&work).clone())
    }

    /// Returns the current site.
    ///
    /// # Errors
    ///
    /// Why it can't be read or planned.
    pub(super) fn work_now(&mut self) -> std::result::Result<Arc<Rendering>, String> {
        let work = self.work();
        match (&self.failure, work) {
            (None, Some(work)) => Ok(work),
            (Some(failure), _) => Err(failure.clone()),
            (None, None) => Err("the site has not been read".to_string()),
        }
    }

    /// Returns the options for planning.
    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    fn planned(&mut self) -> Result<(Rendering, Report)> {
        let disk = match &mut self.disk {
            Some(disk) => disk,
            none => none.insert(source::read(&self.root)?),
        };
        let mut sources = disk.clone();
        for (path, open) in &self.open {
            sources.lay_over(Text::new(path.clone(), open.text.clone().into_bytes()));
        }
        let sources = pipeline::with_parts(sources, &self.cache)?;
        pipeline::plan(sources, &self.options, &self.cache)
    }

    /// Returns the findings of the current site, or why it can't be read.
    pub(super) fn report(&mut self) -> std::result::Result<&Report, &str> {
        let work = self.work();
        if let (Some(work), None, None) = (work, &self.report, &self.failure) {
            match pipeline::check(&work, &self.options, &self.cache, self.found.clone(), None) {
                Ok(report) => self.report = Some(report),
                Err(error) => self.failure = Some(error.said_below(&self.root)),
            }
        }
        match (&self.failure, &self.report) {
            (Some(failure), _) => Err(failure),
            (None, Some(report)) => Ok(report),
            (None, None) => Err("the site has not been read"),
        }
    }

    /// Returns what changed in the original of a translation, or `None` for another page.
    pub(super) fn translation(&self, work: &Work, path: &SitePath) -> Option<(Counterpart, Arc<PageState>)> {
        let sources = work.project.sources.whole();
        sources.languages().filter(|_| sources.is_translation(path))?;
        let compare = Compare { today: jiff::Zoned::now().date(), since: None };
        let compared = compare_pages(sources, compare, &self.cache.translations, |it| it == path).ok()??;
        Some((compared.counterparts.pairs.into_iter().next()?, compared.states.into_iter().next()?))
    }

    /// Returns the files that changed since the last call, or `None` if the site is unchanged.
    pub(super) fn news(&mut self) -> Option<SortedSet<SitePath>> {
        let is_told = std::mem::replace(&mut self.is_told, true);
        (!is_told).then(|| std::mem::take(&mut self.changed))
    }
}

/// Returns the page in a file. If several platforms share it, returns that of the first one.
pub(super) fn document_in(work: &Work, path: &SitePath) -> Option<DocumentId> {
    work.project.site.documents.indexed().find(|(_, document)| document.path == *path).map(|(id, _)| id)
}
