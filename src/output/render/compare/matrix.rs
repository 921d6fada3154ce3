//! The steps of a family by platform: which platform has which step, and how long it takes there.

use serde::Serialize;

use crate::output::render::Renderer;
use crate::output::render::title::count_unnumbered;
use base::index::IndexVec;
use site::content::{DocumentId, FamilyId, Platform, PlatformIx};
use site::family::{Row, RowIx};

#[derive(Debug, Serialize)]
pub(in crate::output::render) struct MatrixRow {
    /// Title of the section that begins at this step, or empty.
    section: String,
    /// The title without its number, and the number; see `title.rs`.
    title: String,
    number: String,
    cells: Vec<MatrixCell>,
}

/// A step on one platform. If the platform lacks it, there are no link and no minutes.
#[derive(Debug, Serialize)]
struct MatrixCell {
    url: String,
    minutes: u32,
}

impl Renderer<'_> {
    pub(super) fn matrix(&self, family: FamilyId) -> Vec<MatrixRow> {
        let its = &self.site.families[family];
        let sections: IndexVec<PlatformIx, _> = its.platforms.iter().map(Platform::sections).collect();
        let mut last = String::new();
        let mut section = |row: &Row| {
            let Some(place) = self.site.place(row.first()) else { return String::new() };
            let section = sections[place.platform][place.step];
            let is_new = std::mem::replace(&mut last, section.to_string()) != section;
            match section {
                _ if !is_new => String::new(),
                "" => its.title.clone(),
                _ => self.section_title(place, section),
            }
        };
        let row = |(at, row): (RowIx, &Row)| {
            let title = self.families.step_title(self.site, family, at);
            let numbered = self.numbered(&title);
            MatrixRow {
                section: section(row),
                title: numbered.bare.to_string(),
                number: numbered.number.to_string(),
                cells: row.steps.iter().map(|&step| self.matrix_cell(step)).collect(),
            }
        };
        let mut rows: Vec<MatrixRow> = self.families.rows(family).indexed().map(row).collect();
        count_unnumbered(&mut rows, |row| &mut row.number);
        rows
    }

    fn matrix_cell(&self, step: Option<DocumentId>) -> MatrixCell {
        match step {
            Some(step) => MatrixCell { url: self.link(step).url, minutes: self.minutes(&[step]) },
            None => MatrixCell { url: String::new(), minutes: 0 },
        }
    }
}
