//! Stepkin sites.

use super::{Convention, Kind, Repository, Syntax, USUAL, plain};
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
    adds_base: true,
    ..USUAL
};
