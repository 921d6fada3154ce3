//! `stepkin new`

use super::{Outcome, SiteArguments, changes, known_family, known_steps, options, today};
use crate::app::adding::{self, NewStep};
use crate::base::diagnostic::unknown;
use crate::base::error::{Error, Result};
use crate::base::write;
use crate::output::cache::Cache;
use crate::output::pipeline;
use crate::review::drift::Scope;
use crate::site::pages::Detail;

/// Adds a step to a family, as a page on each of its platforms: where the pages of the other steps are, and named and
/// ordered as they are. Steps that come later count on as far as they must. Nothing that is there is written over.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// The family's id
    #[arg(value_name = "FAMILY")]
    family: String,
    /// The name of its pages, as `install` or `users/identify`
    #[arg(value_name = "STEP")]
    step: String,
    /// Its title [default: its name in words]
    #[arg(long)]
    title: Option<String>,
    /// The step that it comes after: its slug, its `step:`, or its title [default: the last one]
    #[arg(long, value_name = "STEP")]
    after: Option<String>,
    /// A platform that gets it; may be given several times [default: all]
    #[arg(long = "platform", value_name = "PLATFORM")]
    platforms: Vec<String>,
    /// Change nothing; print a patch that `git apply` takes
    #[arg(long)]
    dry_run: bool,
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
        let scope =
            Scope { family: Some(arguments.family.clone()), step: Some(after.clone()), today: today() };
        match &known_steps(&work, &scope)?[..] {
            [step] => Ok(work.project.families.row(step.versions[0.into()].place)),
            _ => Err(Error::usage(format!("several steps are called `{after}` in `{}`", arguments.family))),
        }
    });
    let after = after.transpose()?;
    let step = NewStep { family, name: &arguments.step, title: arguments.title.as_deref(), after, platforms };
    let changes = adding::plan(&work, &step, &options)?;
    for it in &changes.created {
        if write::within(root, it.path.as_str())?.symlink_metadata().is_ok() {
            return Err(Error::usage(format!(
                "cannot add a step: `{}` exists already; choose another name",
                it.path
            )));
        }
    }
    work.project.sources.are_as_read()?;
    changes::make(root, &changes, arguments.dry_run)?;
    Ok(Outcome::Clean)
}
