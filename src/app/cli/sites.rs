//! One report on several sites of a repository, with paths relative to the repository.

use std::path::Path;
use std::sync::Arc;

use base::diagnostic::Report;
use base::site_path::{self, SitePath};
use input::source::Sources;

/// The findings of several sites, and the texts in which they are located.
pub(super) struct RepositoryReport {
    pub(super) report: Report,
    pub(super) sources: Sources,
}

impl RepositoryReport {
    /// Returns a report without findings.
    pub(super) fn of(root: &Path) -> Self {
        let mut sources = Sources::default();
        sources.root = root.to_path_buf();
        Self { report: Report::default(), sources }
    }

    /// Adds the findings of the site in a folder, and its pages.
    pub(super) fn add(&mut self, folder: &str, report: &Report, sources: &Sources) {
        let pages = sources.pages.iter();
        self.sources.pages.extend(pages.map(|(path, text)| (in_folder(folder, path), text.clone())));
        for finding in report {
            let mut finding = finding.clone();
            self.move_file(folder, &mut finding.file, sources);
            if !finding.problem.related.is_empty() {
                for place in &mut Arc::make_mut(&mut finding.problem).related {
                    self.move_file(folder, &mut place.file, sources);
                }
            }
            self.report.push(finding);
        }
    }

    /// Changes the path of a file, and adds its text.
    fn move_file(&mut self, folder: &str, file: &mut SitePath, sources: &Sources) {
        let moved = in_folder(folder, file);
        if self.sources.text(&moved).is_none()
            && let Some(text) = sources.text(file)
        {
            self.sources.beside.insert(moved.clone(), text.clone());
        }
        *file = moved;
    }
}

/// Returns the path of a file in a folder.
pub(super) fn in_folder(folder: &str, file: &SitePath) -> SitePath {
    SitePath::from(site_path::join(folder, file.as_str()).as_str())
}
