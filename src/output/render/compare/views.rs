//! What templates are given of a compared step.

use serde::Serialize;

/// How much there is, and how much of it differs.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(in crate::output::render) struct Tally {
    /// All steps, and those that a platform lacks.
    pub(in crate::output::render) steps: usize,
    pub(in crate::output::render) lacking_steps: usize,
    pub(in crate::output::render) settings: usize,
    /// Settings that a platform lacks, or has with another value or description.
    pub(in crate::output::render) differing_settings: usize,
    pub(in crate::output::render) lacking_settings: usize,
    pub(in crate::output::render) headings: usize,
    pub(in crate::output::render) differing_headings: usize,
}

#[derive(Debug, Serialize)]
pub(in crate::output::render) struct ComparedStepView {
    pub(in crate::output::render) id: String,
    pub(in crate::output::render) title: String,
    /// The platforms that have it, and where. Templates know them by this name.
    #[serde(rename = "tellings")]
    pub(in crate::output::render) versions: Vec<VersionView>,
    /// The platforms that lack it.
    pub(in crate::output::render) missing: Vec<LackingPlatform>,
    pub(in crate::output::render) causes: Vec<CauseView>,
    pub(in crate::output::render) tables: Vec<TableView>,
    pub(in crate::output::render) headings: Vec<HeadingView>,
    pub(in crate::output::render) tally: Tally,
}

/// A platform that lacks a step.
#[derive(Debug, Serialize)]
pub(in crate::output::render) struct LackingPlatform {
    pub(in crate::output::render) id: String,
    pub(in crate::output::render) name: String,
}

/// Values that differ in the same way in several settings.
#[derive(Debug, Serialize)]
pub(in crate::output::render) struct CauseView {
    /// What most write is the last.
    pub(in crate::output::render) values: Vec<ValueOf>,
    pub(in crate::output::render) settings: usize,
}

/// A value, and the platforms that write it.
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
    /// Says that this platform lacks something.
    pub(in crate::output::render) lacks: String,
}

/// A settings table on all platforms that have it.
#[derive(Debug, Serialize)]
pub(in crate::output::render) struct TableView {
    /// The name of its first column.
    pub(in crate::output::render) title: String,
    pub(in crate::output::render) rows: Vec<SettingView>,
}

#[derive(Debug, Serialize)]
pub(in crate::output::render) struct SettingView {
    pub(in crate::output::render) id: String,
    pub(in crate::output::render) name: String,
    pub(in crate::output::render) differs: bool,
    /// Whether fewer than half of the versions have it: then these stand out, and not the others.
    pub(in crate::output::render) is_rare: bool,
    /// What differs, in words; nothing where all agree.
    pub(in crate::output::render) label: Option<String>,
    /// By version; nothing where it lacks the setting.
    pub(in crate::output::render) cells: Vec<Option<CellView>>,
    pub(in crate::output::render) descriptions: Vec<DescriptionView>,
}

#[derive(Debug, PartialEq, Serialize)]
pub(in crate::output::render) struct CellView {
    /// Cells of a row with the same number agree.
    pub(in crate::output::render) class: usize,
    /// Where this platform has the setting.
    pub(in crate::output::render) url: String,
    pub(in crate::output::render) values: Vec<ValueView>,
}

#[derive(Debug, PartialEq, Serialize)]
pub(in crate::output::render) struct ValueView {
    /// The column, where there is more than one.
    pub(in crate::output::render) title: Option<String>,
    pub(in crate::output::render) text: String,
    pub(in crate::output::render) differs: bool,
}

/// What a setting is for, where platforms say it differently: each text with the platforms that have it.
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
    /// As of a setting.
    pub(in crate::output::render) is_rare: bool,
    /// By version; nothing where it lacks the section.
    pub(in crate::output::render) cells: Vec<Option<TitleView>>,
}

#[derive(Debug, Serialize)]
pub(in crate::output::render) struct TitleView {
    pub(in crate::output::render) text: String,
    pub(in crate::output::render) url: String,
    pub(in crate::output::render) differs: bool,
    /// Cells of a row with the same number agree.
    pub(in crate::output::render) class: usize,
}
