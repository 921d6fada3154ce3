//! MkDocs, and Zensical with the same configuration.

use super::{Convention, Kind, Syntax};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Mkdocs,
    name: "a MkDocs site",
    syntax: &[Syntax::Indented, Syntax::Kramdown, Syntax::Snippets],
    orders_by_folder: true,
};
