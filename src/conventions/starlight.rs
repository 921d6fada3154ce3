//! Astro's Starlight.

use super::{Convention, Kind, Syntax};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Starlight,
    name: "a Starlight site",
    syntax: &[Syntax::Mdx, Syntax::Directives],
    orders_by_folder: true,
};
