//! Stepkin sites.

use super::{BasePath, Convention, FrontMatterReader, Kind, Repository, Syntax, USUAL, plain};
use crate::base::site_path::CONFIG;

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Stepkin,
    name: "a Stepkin site",
    has_other_keys: false,
    orders_by_folder: false,
    read: |tree| {
        // Other generators also have a folder of this name.
        let is_ours = !plain::has_generator(tree) || tree.names("").iter().any(|name| name == CONFIG);
        (is_ours && tree.is_folder("content")).then(Repository::default)
    },
    syntax: &[Syntax::CodeFiles],
    base: BasePath::Added,
    front_matter: FrontMatterReader::Strict,
    ..USUAL
};
