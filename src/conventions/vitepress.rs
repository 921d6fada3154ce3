//! VitePress.

use super::{Convention, Kind, Syntax};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Vitepress,
    name: "a VitePress site",
    syntax: &[Syntax::Directives, Syntax::Vue, Syntax::Snippets],
    orders_by_folder: true,
};
