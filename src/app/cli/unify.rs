//! `stepkin unify`

use std::path::Path;

use super::terminal::note;
use super::{Outcome, SiteArguments, listed, options, today};
use crate::base::error::{Error, Result};
use crate::base::write;
use crate::output::cache::Cache;
use crate::output::pipeline;
use crate::review::drift::{Scope, Version};
use crate::review::unify::{Unified, unify};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// The family's id
    #[arg(value_name = "FAMILY")]
    family: String,
    /// The step's slug, its `step:`, or its title
    #[arg(value_name = "STEP")]
    step: String,
    /// Print the shared page, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Unify also what says more differently than alike
    #[arg(long)]
    force: bool,
}

/// The least share of common lines: below it one source is harder to read than several.
const WORTH_UNIFYING: f64 = 0.3;

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let root = arguments.site.root();
    let options = options(true, None);
    let cache = Cache::default();
    let (work, _) = pipeline::plan(pipeline::read(root, &cache)?, &options, &cache)?;
    super::only_ours(&work.project.site.repository, "unify")?;
    super::known_family(&work.project.site, &arguments.family)?;
    let (family, step) = (Some(arguments.family.clone()), Some(arguments.step.clone()));
    let steps = super::known_steps(&work, &Scope { family, step, today: today() })?;
    let [step] = &steps[..] else {
        return Err(Error::usage(format!(
            "several steps are called `{}` in `{}`",
            arguments.step, arguments.family
        )));
    };
    let unified = unify(&work, step)
        .map_err(|why| Error::usage(format!("cannot unify `{}`: {why}", arguments.step)))?;
    if arguments.dry_run {
        super::format::to_stdout(|out| out.write_all(unified.text.as_bytes()))?;
        return Ok(Outcome::Clean);
    }
    if unified.shared < WORTH_UNIFYING && !arguments.force {
        return Err(Error::usage(format!(
            "cannot unify `{}`: its platforms share only {:.0} % of their lines; --dry-run shows it, --force does it; \
             with `[variables]` in stepkin.toml names and paths of platforms are told once",
            arguments.step,
            unified.shared * 100.0
        )));
    }
    put(root, &unified)?;
    let platform = |version: &Version<'_>| work.project.site.platform_of(version.place).name.as_str();
    let platforms: Vec<&str> = step.versions.iter().map(platform).collect();
    let removed: Vec<String> = unified.replaced.iter().map(|path| format!("`{path}`")).collect();
    note!("wrote `{}` for {}; removed {}", unified.path, listed(&platforms), removed.join(", "));
    Ok(Outcome::Clean)
}

/// Writes the shared page, and then removes those that it replaces.
fn put(root: &Path, unified: &Unified) -> Result<()> {
    let shared = write::within(root, unified.path.as_str())?;
    let own = unified.replaced.iter().map(|path| write::within(root, path.as_str()));
    let own = own.collect::<Result<Vec<_>>>()?;
    write::create(&shared, unified.text.as_bytes())?;
    for file in own {
        std::fs::remove_file(&file).map_err(Error::io("remove", &file))?;
        // A folder that held only the page is removed too; one that holds pictures stays.
        if let Some(folder) = file.parent().filter(|_| file.ends_with("index.md")) {
            _ = std::fs::remove_dir(folder);
        }
    }
    Ok(())
}
