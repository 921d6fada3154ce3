//! What programs and spreadsheets are given: the settings of a family, and its steps.
//!
//! Written as they are read, so that a long run of data is never held as a whole before it is. The files
//! `settings.schema.json` and `family.schema.json` beside the style describe every field.

mod settings;
mod steps;

use std::io;

use serde::{Serialize, Serializer};

pub use self::settings::csv;

use super::Walk;
use crate::address::{Address, encode};
use crate::content::FamilyId;
use crate::plan::Data;

/// Changes when a field is renamed or goes away; new ones may come at any time.
const VERSION: u32 = 1;

/// Writes the data of one family as one JSON object and a line end.
pub fn json(walk: &Walk, family: FamilyId, data: Data, out: &mut dyn io::Write) -> io::Result<()> {
    match data {
        Data::Settings => serde_json::to_writer(&mut *out, &settings::Settings { walk, family })?,
        Data::Family => serde_json::to_writer(&mut *out, &steps::Steps { walk, family })?,
    }
    out.write_all(b"\n")
}

/// A sequence that is made while it is written.
struct Lazily<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Lazily<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0())
    }
}

impl Walk {
    /// Where a page or a place on it is found: a URL where the site's host is known, else its path.
    fn place_of(&self, address: &Address, anchor: Option<&str>) -> String {
        let path = self.resolver().url(address);
        let page = self.site.config.origin().map_or(path.clone(), |origin| format!("{origin}{path}"));
        anchor.map_or_else(|| page.clone(), |anchor| format!("{page}#{}", encode(anchor)))
    }

    fn schema(&self, data: Data) -> String {
        self.place_of(&Address::new(&format!("/_stepkin/{}", data.schema())), None)
    }
}
