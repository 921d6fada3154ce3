//! A step on all platforms that have it, with its comparisons.

use super::{Renderer, Rendering, colours};
use base::index::IndexVec;
use base::sorted::SortedMap;
use site::content::{DocumentId, FamilyId, Platform};
use site::family::compare::{SideBySide, side_by_side};
use site::family::outline::Outline;
use site::family::{RowIx, VersionIx};

/// Two versions of a step, the first before the second.
pub(super) type Pairs = SortedMap<(VersionIx, VersionIx), SideBySide>;

/// A step on the platforms that have it.
pub(super) struct ComparedStep<'a> {
    pub(super) renderer: &'a Renderer<'a>,
    /// Its pages, and the platforms that lack it.
    pub(super) versions: IndexVec<VersionIx, ComparedVersion<'a>>,
    pub(super) missing: Vec<&'a Platform>,
    pub(super) comparisons: &'a Pairs,
}

pub(super) struct ComparedVersion<'a> {
    pub(super) id: DocumentId,
    pub(super) platform: &'a Platform,
    pub(super) colour: usize,
    pub(super) outline: Outline<'a>,
}

impl<'a> ComparedStep<'a> {
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
                    versions.push(ComparedVersion { id, platform, colour, outline });
                }
                None => missing.push(platform),
            }
        }
        let comparisons = work.comparisons.pairs(family, row).get_or_init(|| compare(work, &versions));
        Self { renderer, versions, missing, comparisons }
    }
}

fn compare(work: &Rendering, versions: &IndexVec<VersionIx, ComparedVersion<'_>>) -> Pairs {
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
