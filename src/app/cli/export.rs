//! `stepkin export`

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{FamilyArguments, Outcome, format, known_family, options};
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::output::render::{Rendering, data};
use base::error::{Error, Result};
use site::content::FamilyId;
use site::plan::Data;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What to export
    #[arg(value_enum)]
    what: ExportData,
    #[command(flatten)]
    site: FamilyArguments,
    /// Output format; `csv` applies to `settings` only
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write to `<FILE>` instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ExportData {
    /// Every row of every settings table
    Settings,
    /// Platforms, steps, and sections, and how they correspond
    Family,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    #[default]
    Json,
    /// CSV, for spreadsheets
    Csv,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    if (arguments.what, arguments.format) == (ExportData::Family, Format::Csv) {
        return Err(Error::usage("cannot export `family` as CSV: use `--format json`, or export `settings`"));
    }
    let options = Options { original_only: true, ..options(false, None) };
    let cache = Cache::default();
    let (work, _) = pipeline::plan(pipeline::read(arguments.site.root(), &cache)?, &options, &cache)?;
    let named = arguments.site.family()?.map(|id| known_family(&work.project.site, id)).transpose()?;
    let write = |out: &mut dyn Write| export(&work, named, arguments, out);
    match &arguments.output {
        Some(path) => to_file(path, write),
        None => format::to_stdout(write),
    }?;
    Ok(Outcome::Clean)
}

/// Writes one family as its file on the site; all of them as a JSON list or one table.
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
        (ExportData::Settings, Format::Json) => Data::Settings,
        (ExportData::Family, Format::Json) => Data::Family,
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
