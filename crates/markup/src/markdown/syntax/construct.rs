//! The description of a construct that another tool adds to Markdown.

use std::ops::Range;

use super::translator::RuleAt;
use base::diagnostic::{Code, Problem, misspelled};
use input::conventions::Syntax;

/// A construct of another tool.
///
/// On pages in a syntax that includes it, it is translated. On all other pages, it is reported once per page.
#[derive(Debug)]
pub(in crate::markdown) struct Construct {
    /// Name for programs: `hugo-shortcode`.
    pub(in crate::markdown) name: &'static str,
    /// Noun with its article, and its plural.
    pub(in crate::markdown) nouns: (&'static str, &'static str),
    /// The syntaxes that include it.
    pub(in crate::markdown) syntaxes: &'static [Syntax],
    /// How to find it in a text of another syntax. `None` if such a text may use it with another meaning.
    pub(in crate::markdown) slip: Option<Slip>,
    /// How to translate it on pages in these syntaxes.
    pub(super) becomes: &'static [(&'static [Syntax], RuleAt)],
}

impl Construct {
    /// A construct that is neither reported nor left out.
    pub(super) const SILENT: Self = Self {
        name: "",
        nouns: ("another tool's syntax", "pieces of another tool's syntax"),
        syntaxes: &[],
        slip: None,
        becomes: &[],
    };
}

/// A construct that readers see because it isn't translated.
#[derive(Debug)]
pub(in crate::markdown) struct Slip {
    /// Possible first characters.
    pub(in crate::markdown) opens: &'static [&'static str],
    /// Returns the length in bytes of the construct at a position.
    pub(in crate::markdown) length: fn(&TextPlace<'_>) -> Option<usize>,
    /// The effect for readers, as the rest of a sentence.
    pub(in crate::markdown) seen: &'static str,
    pub(in crate::markdown) help: &'static str,
}

/// The effect of most constructs for readers.
pub(super) const AS_WRITTEN: &str = "readers see it as text";

/// A position in running text.
pub(in crate::markdown) struct TextPlace<'p> {
    /// The text up to the end of the leaf, at most 400 bytes. Markup is hidden.
    pub(in crate::markdown) rest: &'p str,
    /// The same text as written.
    pub(in crate::markdown) written: &'p str,
    /// Whether the position begins a line of a paragraph outside lists and quotes.
    pub(in crate::markdown) begins_line: bool,
    /// Whether it begins such a line, or an unindented line that continues a list or quote.
    pub(in crate::markdown) begins_page: bool,
    /// Whether the previous line is also an import.
    pub(in crate::markdown) follows_import: bool,
    /// The text directly before it.
    pub(in crate::markdown) before: &'p str,
}

/// Reports a directive whose name differs by one letter from a known one. Extensions define others.
pub(super) fn misspelled_directive(name: &str, known: &[&str], span: Range<usize>) -> Option<Problem> {
    let near = misspelled(name, known.iter().copied())?;
    let message = format!("unknown directive `{name}`");
    Some(Problem::new(Code::UnknownDirective, span, message).help(format!("did you mean `{near}`?")))
}

/// Returns the length up to the end of `close`, on one or more lines.
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
