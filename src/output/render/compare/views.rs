//! Template data of a compared step.

use serde::Serialize;

/// The numbers of items and differences.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(in crate::output::render) struct Tally {
    /// All steps, and those that a platform lacks.
    pub(in crate::output::render) steps: usize,
    pub(in crate::output::render) lacking_steps: usize,
    pub(in crate::output::render) settings: usize,
    /// Settings that a platform lacks, or that have another value or description there.
    pub(in crate::output::render) differing_settings: usize,
    pub(in crate::output::render) lacking_settings: usize,
    pub(in crate::output::render) headings: usize,
    pub(in crate::output::render) differing_headings: usize,
}

#[derive(Debug, Serialize)]
pub(in crate::output::render) struct ComparedStepView {
    pub(in crate::output::render) id: String,
    pub(in crate::output::render) title: String,
    /// The platforms with the step, and their links. Templates use this name.
    #[serde(rename = "tellings")]
    pub(in crate::output::render) versions: Vec<VersionView>,
    /// Names of the platforms without the step.
    pub(in crate::output::render) missing: Vec<String>,
    pub(in crate::output::render) causes: Vec<CauseView>,
    pub(in crate::output::render) tables: Vec<TableView>,
    pub(in crate::output::render) headings: Vec<HeadingView>,
    pub(in crate::output::render) tally: Tally,
}

/// Values that differ in the same way in several settings.
#[derive(Debug, Serialize)]
pub(in crate::output::render) struct CauseView {
    /// The most common value is last.
    pub(in crate::output::render) values: Vec<ValueOf>,
    pub(in crate::output::render) settings: usize,
}

/// A value, and its platforms.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(in crate::output::render) struct ValueOf {
    pub(in crate::output::render) text: String,
    pub(in crate::output::render) platforms: Vec<String>,
    pub(in crate::output::render) differs: bool,
}

#[derive(Debug, Serialize)]
pub(in crate::output::render) struct VersionView {
    pub(in crate::output::render) id: String,
    pub(in crate::output::render) name: String,
    pub(in crate::output::render) colour: usize,
    pub(in crate::output::render) url: String,
    /// The text for a missing item.
    pub(in crate::output::render) lacks: String,
}

/// A settings table on all platforms that contain it.
#[derive(Debug, Serialize)]
pub(in crate::output::render) struct TableView {
    /// Title of its first column.
    pub(in crate::output::render) title: String,
    pub(in crate::output::render) rows: Vec<SettingView>,
}

#[derive(Debug, Serialize)]
pub(in crate::output::render) struct SettingView {
    pub(in crate::output::render) id: String,
    pub(in crate::output::render) name: String,
    pub(in crate::output::render) differs: bool,
    /// Whether fewer than half of the versions contain it. In this case, these are highlighted instead of the others.
    pub(in crate::output::render) is_rare: bool,
    /// Description of the difference. `None` if all are equal.
    pub(in crate::output::render) label: Option<String>,
    /// By version. `None` if it lacks the setting.
    pub(in crate::output::render) cells: Vec<Option<CellView>>,
    pub(in crate::output::render) descriptions: Vec<DescriptionView>,
}

#[derive(Debug, PartialEq, Serialize)]
pub(in crate::output::render) struct CellView {
    /// Equal cells of a row have the same number.
    pub(in crate::output::render) class: usize,
    /// Link to the setting on this platform.
    pub(in crate::output::render) url: String,
    pub(in crate::output::render) values: Vec<ValueView>,
}

#[derive(Debug, PartialEq, Serialize)]
pub(in crate::output::render) struct ValueView {
    /// Title of the column, if there are several.
    pub(in crate::output::render) title: Option<String>,
    pub(in crate::output::render) text: String,
    pub(in crate::output::render) differs: bool,
}

/// Descriptions of a setting that differ: each text with its platforms.
#[derive(Debug, Serialize)]
pub(in crate::output::render) struct DescriptionView {
    pub(in crate::output::render) title: String,
    pub(in crate::output::render) texts: Vec<TextView>,
}

#[derive(Debug, Serialize)]
pub(in crate::output::render) struct TextView {
    pub(in crate::output::render) platforms: Vec<String>,
    pub(in crate::output::render) text: String,
}

#[derive(Debug, Serialize)]
pub(in crate::output::render) struct HeadingView {
    pub(in crate::output::render) id: String,
    pub(in crate::output::render) level: u8,
    pub(in crate::output::render) differs: bool,
    /// The same as for a setting.
    pub(in crate::output::render) is_rare: bool,
    /// By version. `None` if it lacks the section.
    pub(in crate::output::render) cells: Vec<Option<TitleView>>,
}

#[derive(Debug, Serialize)]
pub(in crate::output::render) struct TitleView {
    pub(in crate::output::render) text: String,
    pub(in crate::output::render) url: String,
    pub(in crate::output::render) differs: bool,
    /// Equal cells of a row have the same number.
    pub(in crate::output::render) class: usize,
}
