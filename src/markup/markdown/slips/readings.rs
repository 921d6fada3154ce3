//! Text that only some generators show as it is written.

use super::{emphasis, sources};
use crate::base::diagnostic::Problem;
use crate::input::conventions::Syntax;
use crate::input::dialect::Dialect;
use crate::markup::markdown::parse::LONE_TAB;

/// Whether the generator that a page is written for reads the text of a problem as its author meant it, or may do so.
pub(in crate::markup::markdown) fn is_read_by(dialect: &Dialect, problem: &Problem) -> bool {
    match problem.data.get("cause").and_then(|cause| cause.as_str()) {
        // Python-Markdown looks for the signs alone.
        Some(emphasis::BLANK) => dialect.has(Syntax::Indented),
        // So does kramdown where punctuation is around them.
        Some(emphasis::PUNCTUATION) => dialect.has(Syntax::Indented) || dialect.has(Syntax::Liquid),
        Some(sources::NO_SOURCE | LONE_TAB) => !dialect.is_ours(),
        _ => false,
    }
}
