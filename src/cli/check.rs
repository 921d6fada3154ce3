//! `stepkin check`

use std::path::{Path, PathBuf};

use super::{Outcome, SiteArguments, options, print};
use crate::config::FailOn;
use crate::diagnostic::{Diagnostic, Report, Severity};
use crate::error::{Error, Result};
use crate::{check, pipeline, source};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Report only what is in these files or folders; the whole site is still known
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How to write the report
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Exit with 1 at this severity or above [default: error, or what stepkin.toml says]
    #[arg(long, value_enum)]
    fail_on: Option<FailOn>,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Format {
    /// The source line, the cause and the cure
    #[default]
    Human,
    /// One JSON object a line
    Json,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let root = &arguments.site.root;
    let only = arguments.paths.iter().map(|path| below_root(root, path)).collect::<Result<Vec<_>>>()?;
    let (mut options, cache) = options(false, None);
    options.history = true;
    let (walk, report) = pipeline::analyze(source::read(root)?, &options, &cache)?;
    let wanted =
        |diagnostic: &&Diagnostic| only.is_empty() || only.iter().any(|path| is_in(diagnostic, path));
    let report: Report = report.iter().filter(wanted).cloned().collect();
    match arguments.format {
        Format::Human => {
            print::human(&report, &walk.sources)?;
            print::summary(&report, walk.site.documents.len())?;
        }
        Format::Json => print::json(&report, &walk.sources)?,
    }
    let bar = match arguments.fail_on.or(walk.site.config.check.fail_on).unwrap_or_default() {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
        FailOn::Info => Severity::Info,
    };
    Ok(if check::fails(&report, bar) { Outcome::Findings } else { Outcome::Clean })
}

/// The path as reports write it; it may be given from here or from the site's root.
fn below_root(root: &Path, path: &Path) -> Result<PathBuf> {
    let root = root.canonicalize().map_err(Error::io("read", root))?;
    let here =
        path.canonicalize().or_else(|_| root.join(path).canonicalize()).map_err(Error::io("read", path))?;
    match here.strip_prefix(&root) {
        Ok(below) => Ok(below.to_path_buf()),
        Err(_) => Err(Error::usage(format!("cannot check `{}`: it is not in the site", path.display()))),
    }
}

fn is_in(diagnostic: &Diagnostic, path: &Path) -> bool {
    Path::new(diagnostic.file.as_str()).starts_with(path)
}
