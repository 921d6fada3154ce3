//! The colors of a family's platforms, as numbers that the style sheet selects by `data-colour`.

use base::index::IndexVec;
use site::content::{Family, PlatformIx};

/// Number of colors in the style sheet.
const COLOURS: usize = 8;

/// Platforms with the same color on every site.
const FIXED: [(&str, usize); 3] = [("web", 0), ("ios", 1), ("android", 2)];

/// Returns the colors of a family's platforms. Other platforms get free colors in their order.
pub(super) fn of(family: &Family) -> IndexVec<PlatformIx, usize> {
    let fixed = |id: &str| FIXED.iter().find(|(name, _)| *name == id).map(|(_, colour)| *colour);
    let taken: Vec<usize> = family.platforms.iter().filter_map(|platform| fixed(&platform.id)).collect();
    let mut free = (0..COLOURS).filter(|colour| !taken.contains(colour)).cycle();
    let colour = |id: &str| fixed(id).or_else(|| free.next()).unwrap_or_default();
    family.platforms.iter().map(|platform| &*platform.id).map(colour).collect()
}
