//! `stepkin drift`

use std::time::Instant;

use super::format::{self, Format};
use super::{Outcome, SiteArguments, options, today};
use crate::check;
use crate::config::FailOn;
use crate::content::Site;
use crate::diagnostic::{Severity, nearest};
use crate::drift::{self, Scope};
use crate::error::{Error, Result};
use crate::{pipeline, source};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Compare only this family
    #[arg(value_name = "FAMILY")]
    family: Option<String>,
    /// Compare only this step
    #[arg(long, value_name = "STEP")]
    step: Option<String>,
    /// How to write the report [default: human, or github under GitHub Actions]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Exit with 1 at this severity or above [default: never]
    #[arg(long, value_enum)]
    fail_on: Option<FailOn>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let start = Instant::now();
    let (options, cache) = options(false, None);
    let (walk, found) = pipeline::plan(source::read(&arguments.site.root)?, &options, &cache)?;
    let scope = scope(arguments, &walk.site)?;
    let doubts = found.into_iter().filter(|finding| drift::is_in_scope(&walk, &scope, finding));
    let report = check::accept(&walk, doubts.chain(drift::find(&walk, &scope)).collect())?;
    let format = arguments.format.unwrap_or_else(Format::usual);
    let bar = arguments.fail_on.map(Severity::from);
    format::write(format, &report, &walk.sources, bar.unwrap_or(Severity::Error))?;
    if format == Format::Human {
        let pages = drift::pages(&walk, &scope);
        format::summary(&report, pages, start.elapsed())?;
    }
    Ok(if bar.is_some_and(|bar| check::fails(&report, bar)) { Outcome::Findings } else { Outcome::Clean })
}

fn scope(arguments: &Arguments, site: &Site) -> Result<Scope> {
    if let Some(id) = &arguments.family
        && site.families.iter().all(|family| family.id != *id)
    {
        let known: Vec<&str> = site.families.iter().map(|family| family.id.as_str()).collect();
        let near = nearest(id, known.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
        let hint = near.unwrap_or_else(|| format!("; known: `{}`", known.join("`, `")));
        return Err(Error::usage(format!("no family is called `{id}`{hint}")));
    }
    Ok(Scope { family: arguments.family.clone(), step: arguments.step.clone(), today: today() })
}
