//! Each platform of a family has a colour, by a number that the style knows as `data-colour`.

use crate::base::index::IndexVec;
use crate::site::content::{Family, PlatformIx};

/// So many colours are in the style.
const COLOURS: usize = 8;

/// Platforms with a colour that is the same on every site.
const FIXED: [(&str, usize); 3] = [("web", 0), ("ios", 1), ("android", 2)];

/// The colours of a family's platforms; the others take those that are free, in their order.
pub(super) fn of(family: &Family) -> IndexVec<PlatformIx, usize> {
    let fixed = |id: &str| FIXED.iter().find(|(name, _)| *name == id).map(|(_, colour)| *colour);
    let taken: Vec<usize> = family.platforms.iter().filter_map(|platform| fixed(&platform.id)).collect();
    let mut free = (0..COLOURS).filter(|colour| !taken.contains(colour)).cycle();
    let colour = |id: &str| fixed(id).or_else(|| free.next()).unwrap_or_default();
    family.platforms.iter().map(|platform| &*platform.id).map(colour).collect()
}
