//! Sites of this program.

use super::{Convention, Kind};

pub(super) const CONVENTION: Convention =
    Convention { kind: Kind::Stepkin, name: "a site of its own", syntax: &[], orders_by_folder: false };
