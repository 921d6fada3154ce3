//! Stepkin sites.

use super::{Convention, Kind, PublishedFolder, RepositorySettings, Syntax, USUAL, plain};
use crate::base::site_path::CONFIG;

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Stepkin,
    name: "a Stepkin site",
    has_other_keys: false,
    orders_by_folder: false,
    read: |tree| {
        let statics = vec![PublishedFolder::at_root("static")];
        // Other generators also have a folder of this name.
        let is_ours = !plain::has_generator(tree) || tree.names("").iter().any(|name| name == CONFIG);
        (is_ours && tree.is_folder("content")).then(|| RepositorySettings {
            content: PublishedFolder::at_root("content"),
            statics,
            ..RepositorySettings::default()
        })
    },
    syntax: &[Syntax::CodeFiles],
    adds_base: true,
    ..USUAL
};
