//! mdBook.

use super::{Convention, Kind, Syntax};

pub(super) const CONVENTION: Convention =
    Convention { kind: Kind::Mdbook, name: "an mdBook", syntax: &[Syntax::Mdbook], orders_by_folder: true };
