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
        // Hugo's name for the page of a folder.
        let folders = || tree.names("content").into_iter().map(|name| format!("content/{name}"));
        let has_index = |folder: String| tree.names(&folder).iter().any(|name| name == "_index.md");
        let is_hugos = || folders().chain(["content".to_string()]).any(has_index);
        let is_ours = || tree.has_pages("content") && !plain::has_generator(tree) && !is_hugos();
        (tree.is_folder("content") && (is_configured() || is_ours())).then(Repository::default)
    },
    syntax: &[Syntax::CodeFiles],
    base: BasePath::Added,
    front_matter: FrontMatterReader::Strict,
    ..USUAL
};
