//! The comparisons of all steps, each made when it is first asked for.
//!
//! The page with the platforms side by side and the rows of settings tables on the pages show the same differences:
//! both are made from these.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::other_platforms::{Differences, differences};
use super::{Renderer, Rendering, colours};
use crate::base::index::IndexVec;
use crate::base::timings::{Stage, part};
use crate::site::content::{DocumentId, FamilyId, Place, Platform, Site};
use crate::site::family::compare::{SideBySide, side_by_side};
use crate::site::family::outline::Outline;
use crate::site::family::{Families, RowIx, VersionIx};

/// What is known of each step.
#[derive(Debug)]
pub(super) struct Comparisons {
    steps: IndexVec<FamilyId, IndexVec<RowIx, Slot>>,
}

#[derive(Debug, Default)]
struct Slot {
    pairs: OnceLock<Pairs>,
    differences: OnceLock<Differences>,
}

/// Two versions that are siblings, the first before the second.
type Pairs = BTreeMap<(VersionIx, VersionIx), SideBySide>;

impl Comparisons {
    pub(super) fn of(site: &Site, families: &Families) -> Self {
        Self { steps: site.families.indices().map(|family| unknown(families, family)).collect() }
    }

    /// What differs on the other platforms of a step.
    pub(super) fn differences(&self, renderer: &Renderer<'_>, place: Place) -> &Differences {
        let row = renderer.families.row(place);
        let slot = &self.steps[place.family][row];
        let find = || differences(&Step::new(renderer, place.family, row));
        slot.differences.get_or_init(|| part(Stage::Comparisons, find))
    }
}

fn unknown(families: &Families, family: FamilyId) -> IndexVec<RowIx, Slot> {
    families.rows(family).iter().map(|_| Slot::default()).collect()
}

/// One step, on the platforms that have it.
pub(super) struct Step<'a> {
    pub(super) renderer: &'a Renderer<'a>,
    /// Its pages, and the names of the platforms that lack it.
    pub(super) versions: IndexVec<VersionIx, Version<'a>>,
    pub(super) missing: Vec<String>,
    pub(super) comparisons: &'a Pairs,
}

pub(super) struct Version<'a> {
    pub(super) id: DocumentId,
    pub(super) platform: &'a Platform,
    pub(super) colour: usize,
    pub(super) outline: Outline<'a>,
}

impl<'a> Step<'a> {
    pub(super) fn new(renderer: &'a Renderer<'a>, family: FamilyId, row: RowIx) -> Self {
        let work = renderer.work;
        let mut versions = IndexVec::default();
        let mut missing = Vec::new();
        let steps = &work.project.families.rows(family)[row].steps;
        let its = &work.project.site.families[family];
        let colours = colours::of(its);
        for ((platform, step), &colour) in its.platforms.iter().zip(steps).zip(&colours) {
            match *step {
                Some(id) => {
                    let outline = work.outline(id).expect("rows hold steps");
                    versions.push(Version { id, platform, colour, outline });
                }
                None => missing.push(platform.name.clone()),
            }
        }
        let slot = &work.comparisons.steps[family][row];
        let comparisons = slot.pairs.get_or_init(|| compare(work, &versions));
        Self { renderer, versions, missing, comparisons }
    }
}

fn compare(work: &Rendering, versions: &IndexVec<VersionIx, Version<'_>>) -> Pairs {
    let mut pairs = Pairs::new();
    for (a, one) in versions.indexed() {
        let place = work.project.site.place(one.id).expect("rows hold steps");
        let siblings = work.project.families.siblings(&work.project.site, place);
        for (b, other) in versions.indexed().filter(|(b, _)| *b > a) {
            if siblings.contains(&Some(other.id)) {
                pairs.insert((a, b), side_by_side(&one.outline, &other.outline));
            }
        }
    }
    pairs
}
