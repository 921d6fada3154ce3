//! What each syntax remembers from one construct to the next.

use std::collections::HashMap;

use super::script::ScriptValue;

/// MDX.
#[derive(Debug, Default)]
pub(super) struct Mdx<'t> {
    pub(super) names: ImportedNames<'t>,
    /// Values with their labels of the tabs that are open.
    pub(super) tab_labels: Vec<Vec<(String, String)>>,
    /// Closing braces that belong to opening ones that were left out.
    pub(super) braces: Vec<usize>,
}

/// What the imports and constants of a page of MDX stand for.
#[derive(Debug, Default)]
pub(super) struct ImportedNames<'t> {
    /// The files that are imported.
    pub(super) files: HashMap<&'t str, &'t str>,
    pub(super) constants: HashMap<&'t str, ScriptValue<'t>>,
}

/// Hugo's shortcodes.
#[derive(Debug, Default)]
pub(super) struct Shortcodes {
    /// The language of the tabs around where their text is code.
    pub(super) code_tabs: Vec<Option<String>>,
}

/// Liquid.
#[derive(Debug, Default)]
pub(super) struct Liquid {
    /// Whether a branch of a choice was taken.
    pub(super) has_branch: bool,
}

/// Indented blocks.
#[derive(Debug, Default)]
pub(super) struct Indented {
    /// Whether the next tab belongs to the tabs of the last.
    pub(super) goes_on_with_tabs: bool,
}
