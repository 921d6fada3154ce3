//! `stepkin new`

use super::changes::{self, DryRunArguments};
use super::{Outcome, SiteArguments, known_family, known_steps, options, today};
use crate::app::adding::{self, NewStep};
use crate::base::diagnostic::unknown;
use crate::base::error::{Error, Result};
use crate::base::write;
use crate::output::cache::Cache;
use crate::output::pipeline;
use crate::review::drift::Scope;
use crate::site::pages::Detail;

/// Add a step to a family on every platform
///
/// Stepkin creates a page on each platform, in the same folder and with the same naming and order as the other steps, and
/// renumbers later steps if necessary. It never overwrites files.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Family ID
    #[arg(value_name = "FAMILY")]
    family: String,
    /// Page name of the step, such as `install` or `users/identify`
    #[arg(value_name = "STEP")]
    step: String,
    /// Step title [default: derived from the page name]
    #[arg(long)]
    title: Option<String>,
    /// Insert after this step, given by slug, `step:`, or title [default: at the end]
    #[arg(long, value_name = "STEP")]
    after: Option<String>,
    /// Add the step only to this platform; can be repeated [default: all]
    #[arg(long = "platform", value_name = "PLATFORM")]
    platforms: Vec<String>,
    #[command(flatten)]
    dry_run: DryRunArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let root = arguments.site.root();
    let mut options = options(true, None);
    options.parts = Detail::WithoutHtml;
    let cache = Cache::default();
    let (work, _) = pipeline::plan(pipeline::read(root, &cache)?, &options, &cache)?;
    let site = &work.project.site;
    super::only_ours(&site.repository, "new")?;
    let family = known_family(site, &arguments.family)?;
    let known = &site.families[family].platforms;
    let platform = |wanted: &String| {
        let found = known.position(|it| it.id == *wanted || it.name == *wanted);
        let ids: Vec<&str> = known.iter().map(|it| it.id.as_str()).collect();
        found.ok_or_else(|| unknown("platform", wanted, &ids))
    };
    let platforms = arguments.platforms.iter().map(platform).collect::<Result<Vec<_>>>()?;
    let after = arguments.after.as_ref().map(|after| {
        let scope = Scope {
            family: Some(arguments.family.clone()),
            step: Some(after.clone()),
            ..Scope::everything(today())
        };
        match &known_steps(&work, &scope)?[..] {
            [step] => Ok(work.project.families.row(step.versions[0.into()].place)),
            _ => Err(Error::usage(format!("`{}` has several steps named `{after}`", arguments.family))),
        }
    });
    let after = after.transpose()?;
    let step = NewStep { family, name: &arguments.step, title: arguments.title.as_deref(), after, platforms };
    let changes = adding::plan(&work, &step, &options)?;
    for it in &changes.created {
        if write::within(root, it.path.as_str())?.symlink_metadata().is_ok() {
            return Err(Error::usage(format!(
                "cannot add a step: `{}` already exists; choose another name",
                it.path
            )));
        }
    }
    work.project.sources.are_as_read()?;
    changes::make(root, &changes, &arguments.dry_run)?;
    Ok(Outcome::Clean)
}
