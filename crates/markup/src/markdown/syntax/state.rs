//! The state that each syntax keeps between constructs.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::script::ScriptValue;
use base::sorted::{SortedMap, SortedSet};

/// State of MDX.
#[derive(Debug, Default)]
pub(super) struct Mdx<'t> {
    pub(super) names: ImportedNames<'t>,
    /// Components that the page uses without importing them.
    pub(super) undeclared: SortedSet<String>,
    /// The open sets of tabs.
    pub(super) tab_sets: Vec<TabSet>,
    /// Closing braces whose opening braces were left out.
    pub(super) braces: Vec<usize>,
    /// The names of the open elements whose content became blocks of its own.
    pub(super) elements: Vec<&'t str>,
    pub(super) ends: ExpressionEnds,
}

/// An open set of tabs.
#[derive(Debug, Default)]
pub(super) struct TabSet {
    /// The values and labels that the set lists.
    pub(super) listed: Vec<(String, String)>,
    /// The number of tabs without a name. They get the listed labels in turn.
    pub(super) unnamed: usize,
    /// The names of the tabs so far.
    pub(super) names: Vec<String>,
}

/// The next positions at which an expression may end, or 0. They are kept so that a text is searched once.
#[derive(Debug, Default)]
pub(super) struct ExpressionEnds {
    pub(super) brace: usize,
    pub(super) paragraph: usize,
    /// The end of the text for which an unclosed expression was reported.
    pub(super) reported: usize,
}

/// The values of a page's imports and constants.
#[derive(Debug, Default)]
pub(super) struct ImportedNames<'t> {
    /// The imported files.
    pub(super) files: HashMap<&'t str, &'t str>,
    pub(super) constants: HashMap<&'t str, ScriptValue<'t>>,
    /// The words of all imports and exports.
    pub(super) declared: HashSet<&'t str>,
}

/// State of Hugo's shortcodes.
#[derive(Debug, Default)]
pub(super) struct Shortcodes<'t> {
    /// For each open set of tabs, its language if its content is code.
    pub(super) code_tabs: Vec<Option<String>>,
    /// Those without a closing one so far that aren't blocks.
    pub(super) single: Vec<SingleShortcode<'t>>,
    /// Names of closed ones.
    pub(super) closed: SortedSet<&'t str>,
}

/// A shortcode without a closing one.
#[derive(Debug)]
pub(super) struct SingleShortcode<'t> {
    pub(super) name: &'t str,
    pub(super) span: Range<usize>,
    /// Whether its template shows the content up to the closing one.
    pub(super) has_content: bool,
}

/// State of Liquid.
#[derive(Debug, Default)]
pub(super) struct Liquid {
    /// Whether a branch of a choice was taken.
    pub(super) has_branch: bool,
    /// The objects that outputs in code may name, once one is looked up. Empty if Jekyll reads no outputs.
    pub(super) objects: Option<SortedSet<String>>,
}

/// The last definition of a link label.
#[derive(Debug)]
pub(super) struct LastDefinition {
    pub(super) at: usize,
    pub(super) target: String,
    /// Whether the label is also used.
    pub(super) is_used: bool,
}

/// State of `MyST`.
#[derive(Debug, Default)]
pub(super) struct Myst {
    /// Whether a directive with colons was found inside another one.
    pub(super) has_nested: bool,
    /// The opening lines of blocks, by their depth.
    pub(super) openings: SortedMap<usize, Range<usize>>,
}

/// State of indented blocks.
#[derive(Debug, Default)]
pub(super) struct Indented {
    /// Whether the next tab continues the previous set of tabs.
    pub(super) goes_on_with_tabs: bool,
}
