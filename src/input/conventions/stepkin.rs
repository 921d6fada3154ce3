//! Stepkin sites.

use super::{BasePath, Convention, FrontMatterReader, Kind, Repository, Syntax, USUAL, plain};
use crate::base::site_path::CONFIG;

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Stepkin,
    name: "a Stepkin site",
    has_other_keys: false,
    orders_by_folder: false,
    read: |tree| {
        // Other generators and programs also have a folder of this name.
        let is_configured = || tree.names("").iter().any(|name| name == CONFIG);
        let is_ours = || tree.has_pages("content") && !plain::has_generator(tree);
        (tree.is_folder("content") && (is_configured() || is_ours())).then(Repository::default)
    },
    syntax: &[Syntax::CodeFiles],
    base: BasePath::Added,
    front_matter: FrontMatterReader::Strict,
    ..USUAL
};
