//! `stepkin schema`

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use super::{Outcome, format, publish};
use crate::output::embedded;
use base::error::Result;
use input::config::Config;
use input::link_map;
use site::content;
use site::plan::Data;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Schema to print
    #[arg(value_enum)]
    name: Name,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Name {
    /// `stepkin.toml`
    Config,
    /// Page front matter
    FrontMatter,
    /// One finding, as in `check --format json` and `build --report`
    Finding,
    /// Output of `publish --json`
    Publish,
    /// `settings.json`, as in `export settings FAMILY`
    Settings,
    /// `family.json`, as in `export family FAMILY`
    Family,
    /// `pages.json`
    Pages,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let text = text(arguments.name);
    format::to_stdout(|out| out.write_all(text.as_bytes()))?;
    Ok(Outcome::Clean)
}

/// Returns the schema of `stepkin.toml`, as `stepkin schema config` prints it.
pub(super) fn of_configuration() -> String {
    text(Name::Config)
}

fn text(name: Name) -> String {
    match name {
        Name::Config => written(&of::<Config>()),
        Name::FrontMatter => written(&content::front_matter_schema()),
        Name::Finding => written(&of::<format::Finding<'_>>()),
        Name::Publish => written(&of::<publish::UploadReport<'_>>()),
        Name::Settings => published(Data::Settings.schema()),
        Name::Family => published(Data::Family.schema()),
        Name::Pages => published(link_map::pages::SCHEMA),
    }
}

/// Returns the schema of a type.
fn of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>()
}

fn written(schema: &Schema) -> String {
    let text = serde_json::to_string_pretty(schema).expect("a schema is JSON");
    format!("{text}\n")
}

/// Returns a schema that sites publish next to their data.
fn published(schema: &str) -> String {
    let (_, bytes) = embedded::PUBLISHED.iter().find(|(name, _)| *name == schema).expect("it is published");
    String::from_utf8_lossy(bytes).into_owned()
}
