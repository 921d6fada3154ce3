//! Sites of this program.

use super::{Convention, Folder, Kind, Said, Slugs};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Stepkin,
    name: "a Stepkin site",
    endings: &["md"],
    indices: &["index"],
    is_index_by_folder: false,
    is_numbered: false,
    is_lower_case: false,
    slugs: Slugs::Segment,
    links_to_sources: false,
    links_from_root: false,
    keys: &[],
    has_toml: false,
    has_other_keys: false,
    no_pages: &[],
    folder_files: &[],
    syntax: &[],
    orders_by_folder: false,
    read: |tree| {
        let statics = vec![Folder::at_root("static")];
        tree.is_folder("content").then(|| Said {
            content: Folder::at_root("content"),
            statics,
            ..Said::default()
        })
    },
};
