//! `stepkin export`

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Outcome, SiteArguments, format, known_family, options};
use crate::base::error::{Error, Result};
use crate::output::cache::Cache;
use crate::output::pipeline;
use crate::output::render::{Rendering, data};
use crate::site::content::FamilyId;
use crate::site::plan::Data;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// What to export
    #[arg(value_enum)]
    what: What,
    /// The family's id [default: all families, in JSON as a list]
    family: Option<String>,
    /// In which form; a family's steps have only one
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// Every row of every settings table
    Settings,
    /// Platforms, steps and sections, and what corresponds among them
    Family,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    #[default]
    Json,
    /// A table for spreadsheets
    Csv,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    if (arguments.what, arguments.format) == (What::Family, Format::Csv) {
        return Err(Error::usage("`family` is no table: export it as JSON, or `settings` as CSV"));
    }
    let options = options(false, None);
    let cache = Cache::default();
    let (work, _) = pipeline::plan(pipeline::read(arguments.site.root(), &cache)?, &options, &cache)?;
    let named = arguments.family.as_deref().map(|id| known_family(&work.project.site, id)).transpose()?;
    let write = |out: &mut dyn Write| export(&work, named, arguments, out);
    match &arguments.output {
        Some(path) => to_file(path, write),
        None => format::to_stdout(write),
    }?;
    Ok(Outcome::Clean)
}

/// One family as its file is published; all of them as a list in JSON, or in one table.
fn export(
    work: &Rendering,
    named: Option<FamilyId>,
    arguments: &Arguments,
    out: &mut dyn Write,
) -> io::Result<()> {
    let kind = match (arguments.what, arguments.format) {
        (_, Format::Csv) => {
            let families =
                named.map_or_else(|| work.project.site.families.indices().collect(), |family| vec![family]);
            return data::csv(work, &families, out);
        }
        (What::Settings, Format::Json) => Data::Settings,
        (What::Family, Format::Json) => Data::Family,
    };
    if let Some(family) = named {
        return data::json(work, family, kind, out);
    }
    out.write_all(b"[\n")?;
    for (at, family) in work.project.site.families.indices().enumerate() {
        if at > 0 {
            out.write_all(b",\n")?;
        }
        data::json(work, family, kind, out)?;
    }
    out.write_all(b"]\n")
}

fn to_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut out = BufWriter::new(File::create(path).map_err(Error::io("write", path))?);
    write(&mut out).and_then(|()| out.flush()).map_err(Error::io("write", path))
}
