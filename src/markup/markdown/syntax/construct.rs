//! What is known of a construct that another tool adds to Markdown.

use super::translator::RuleAt;
use crate::input::conventions::Syntax;

/// A construct of another tool.
///
/// On pages in a syntax that has it, it is translated. On all others it is reported, once for a page.
#[derive(Debug)]
pub(in crate::markup::markdown) struct Construct {
    /// For machines: `hugo-shortcode`.
    pub(in crate::markup::markdown) name: &'static str,
    /// What one is called, with its article, and what many are called.
    pub(in crate::markup::markdown) nouns: (&'static str, &'static str),
    /// The syntaxes that have it.
    pub(in crate::markup::markdown) syntaxes: &'static [Syntax],
    /// How it is found in a text of another syntax; nothing where such a text may mean something else by it.
    pub(in crate::markup::markdown) slip: Option<Slip>,
    /// How pages of some syntaxes are translated where it may be.
    pub(super) becomes: &'static [(&'static [Syntax], RuleAt)],
}

impl Construct {
    /// One that is not reported, and of which nothing is left out.
    pub(super) const SILENT: Self = Self {
        name: "",
        nouns: ("a construct of another tool", "constructs of another tool"),
        syntaxes: &[],
        slip: None,
        becomes: &[],
    };
}

/// A construct that readers see, because nothing translates it.
#[derive(Debug)]
pub(in crate::markup::markdown) struct Slip {
    /// What every place begins with; one of them.
    pub(in crate::markup::markdown) opens: &'static [&'static str],
    /// How many bytes of it are at a place, if it is there.
    pub(in crate::markup::markdown) length: fn(&TextPlace<'_>) -> Option<usize>,
    /// What becomes of it, as the rest of a sentence about readers.
    pub(in crate::markup::markdown) seen: &'static str,
    pub(in crate::markup::markdown) cure: &'static str,
}

/// What readers see of most constructs.
pub(super) const AS_WRITTEN: &str = "readers see it as it is written";

/// A place in running text.
pub(in crate::markup::markdown) struct TextPlace<'p> {
    /// From the place to the end of its leaf, at most 400 bytes; markup is hidden.
    pub(in crate::markup::markdown) rest: &'p str,
    /// The same as it is written.
    pub(in crate::markup::markdown) written: &'p str,
    /// Whether the place begins a line, and a paragraph outside of lists and quotes.
    pub(in crate::markup::markdown) begins_line: bool,
    /// Or a line at the margin that goes on with a list or quote.
    pub(in crate::markup::markdown) begins_page: bool,
    /// Whether the line before was an import too.
    pub(in crate::markup::markdown) follows_import: bool,
    /// What comes right before.
    pub(in crate::markup::markdown) before: &'p str,
}

/// From the start to the end of what `close` ends, on one line or several.
pub(super) fn closed_by(text: &str, close: &str) -> Option<usize> {
    text.find(close).map(|at| at + close.len())
}

pub(super) fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_end_matches('\u{1}')
}

/// Whether a text may be the name of an attribute, a class or a function.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "-_:.".contains(c))
}
