//! Text that only some generators show as written.

use super::{emphasis, sources};
use crate::base::diagnostic::Problem;
use crate::input::conventions::Syntax;
use crate::input::dialect::Dialect;
use crate::markup::markdown::parse::LONE_TAB;

/// Whether the page's generator interprets the text of a problem as its author meant it, or may do so.
pub(in crate::markup::markdown) fn is_read_by(dialect: &Dialect, problem: &Problem) -> bool {
    match problem.data.get("cause").and_then(|cause| cause.as_str()) {
        // Python-Markdown accepts these characters everywhere.
        Some(emphasis::BLANK) => dialect.has(Syntax::Indented),
        // kramdown does so if punctuation surrounds them.
        Some(emphasis::PUNCTUATION) => dialect.has(Syntax::Indented) || dialect.has(Syntax::Liquid),
        Some(sources::NO_SOURCE | LONE_TAB) => !dialect.is_ours(),
        _ => false,
    }
}
