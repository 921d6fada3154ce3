//! Jekyll.

use super::{Convention, Kind, Syntax};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Jekyll,
    name: "a Jekyll site",
    syntax: &[Syntax::Liquid, Syntax::Kramdown],
    orders_by_folder: true,
};
