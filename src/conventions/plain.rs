//! Folders of Markdown files.

use super::{Convention, Kind};

pub(super) const CONVENTION: Convention =
    Convention { kind: Kind::Plain, name: "a folder of Markdown files", syntax: &[], orders_by_folder: true };
