//! Docusaurus.

use super::{Convention, Kind, Syntax};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Docusaurus,
    name: "a Docusaurus site",
    syntax: &[Syntax::Mdx, Syntax::Directives],
    orders_by_folder: true,
};
