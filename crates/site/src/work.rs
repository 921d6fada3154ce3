//! A planned site and its parsed pages: what `check`, `drift` and rendering read.

use std::sync::Arc;

use crate::content::DocumentId;
use crate::family::{self, outline::Outline};
use crate::memo::Memo;
use crate::pages::Pages;
use crate::project::Project;
use markup::markdown::{HeadingIx, repair};

/// A planned site and its parsed pages.
#[derive(Debug)]
pub struct Work {
    pub project: Arc<Project>,
    pub pages: Pages,
}

impl Work {
    /// Returns the same site without parsed pages. Code that processes all pages uses one for each batch, so that the
    /// pages of earlier batches are freed.
    #[must_use]
    pub fn fresh(&self) -> Self {
        Self { project: self.project.clone(), pages: self.pages.fresh() }
    }

    /// Returns the platforms' versions within pages, as a separate site without addresses, or `None` if no page
    /// contains any.
    pub fn versions(&self) -> Option<Self> {
        let Project { sources, days, links, words, key, .. } = &*self.project;
        let site = self.project.site.versions.as_deref()?.clone();
        let pages = self.pages.of_other(&site);
        let (families, _) = family::align(&site, &pages, &Memo::default(), *key);
        let project = Project {
            sources: sources.clone(),
            days: days.clone(),
            site,
            families,
            plan: Arc::default(),
            links: *links,
            words: words.clone(),
            alternates: None,
            key: *key,
        };
        Some(Self { project: Arc::new(project), pages })
    }

    /// Whether a page's text starts with its title.
    pub fn is_titled(&self, id: DocumentId) -> bool {
        let opening = self.pages[id].headings.first().filter(|heading| heading.level == 1);
        opening.is_some_and(|heading| heading.text == repair(&self.project.site.document(id).title))
    }

    /// Returns the heading level on the published page: of the level-1 headings, only the page's title keeps its
    /// level.
    pub fn shown_level(&self, id: DocumentId, heading: HeadingIx) -> u8 {
        match self.pages[id].headings[heading].level {
            1 if heading != HeadingIx::from(0) || !self.is_titled(id) => 2,
            level => level,
        }
    }

    /// A step's headings and settings, for comparison; `None` for pages that are not steps.
    pub fn outline(&self, id: DocumentId) -> Option<Outline<'_>> {
        let document = self.project.site.document(id);
        let names = self.project.families.names(self.project.site.place(id)?);
        Some(Outline::new(&self.pages[id], (&document.title, document.top()), names, |_| None))
    }
}
