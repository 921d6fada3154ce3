//! The comparisons of all steps, each created on first use.
//!
//! The comparison page and the settings tables on pages show the same differences, from the same comparisons.

use std::sync::OnceLock;

use super::Renderer;
use super::other_platforms::{Differences, differences};
use super::versions::{ComparedStep, Pairs};
use base::index::IndexVec;
use base::timings::{Stage, part};
use site::content::{FamilyId, Place, Site};
use site::family::{Families, RowIx};

/// The comparisons of each step.
#[derive(Debug)]
pub(super) struct Comparisons {
    steps: IndexVec<FamilyId, IndexVec<RowIx, Slot>>,
}

#[derive(Debug, Default)]
struct Slot {
    pairs: OnceLock<Pairs>,
    differences: OnceLock<Differences>,
}

impl Comparisons {
    pub(super) fn of(site: &Site, families: &Families) -> Self {
        Self { steps: site.families.indices().map(|family| unknown(families, family)).collect() }
    }

    /// Returns the comparisons of a step's versions, if they exist.
    pub(super) fn pairs(&self, family: FamilyId, row: RowIx) -> &OnceLock<Pairs> {
        &self.steps[family][row].pairs
    }

    /// Returns the differences on the other platforms of a step.
    pub(super) fn differences(&self, renderer: &Renderer<'_>, place: Place) -> &Differences {
        let row = renderer.families.row(place);
        let slot = &self.steps[place.family][row];
        slot.differences.get_or_init(|| {
            let _part = part(Stage::Comparisons);
            differences(&ComparedStep::new(renderer, place.family, row))
        })
    }
}

fn unknown(families: &Families, family: FamilyId) -> IndexVec<RowIx, Slot> {
    families.rows(family).iter().map(|_| Slot::default()).collect()
}
