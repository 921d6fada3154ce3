//! Hugo.

use super::{Convention, Kind, Syntax};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Hugo,
    name: "a Hugo site",
    syntax: &[Syntax::Shortcodes],
    orders_by_folder: true,
};
