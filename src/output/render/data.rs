//! Writes data for programs and spreadsheets: the settings of a family, and its steps.
//!
//! Records are written one by one, so that the complete data is never in memory. The files `settings.schema.json` and
//! `family.schema.json` describe every field.

mod settings;
mod steps;

use std::io;

use serde::{Serialize, Serializer};

pub use self::settings::csv;

use super::Rendering;
use base::address::Address;
use site::content::FamilyId;
use site::plan::Data;
use site::project::Project;

/// Increased when a field is renamed or removed. New fields don't change it.
const VERSION: u32 = 1;

/// Writes the data of a family as one JSON object and a line end.
pub fn json(work: &Rendering, family: FamilyId, data: Data, out: &mut dyn io::Write) -> io::Result<()> {
    match data {
        Data::Settings => serde_json::to_writer(&mut *out, &settings::SettingsData { work, family })?,
        Data::Family => serde_json::to_writer(&mut *out, &steps::Steps { work, family })?,
    }
    out.write_all(b"\n")
}

/// A sequence that is created while it is written.
struct Lazily<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Lazily<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0())
    }
}

/// Returns the URL of a schema by its name.
pub(super) fn schema(project: &Project, name: &str) -> String {
    project.place_of(&Address::new(&format!("/_stepkin/{name}")))
}
