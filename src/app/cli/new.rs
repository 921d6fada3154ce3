//! `stepkin new`

use std::path::{Path, PathBuf};

use super::changes::{self, DryRunArguments};
use super::terminal::note;
use super::{Outcome, SiteArguments, below_root, known_family, known_steps, options, today};
use crate::app::adding::{self, NewStep};
use crate::app::moving::Created;
use crate::output::cache::Cache;
use crate::output::pipeline;
use base::diagnostic::unknown;
use base::error::{Error, Result};
use base::site_path::{CONFIG, SitePath};
use base::write;
use review::drift::Scope;
use site::pages::Detail;

/// Add a step to a family on every platform, or the translation of a page
///
/// Stepkin creates a page on each platform, in the same folder and with the same naming and order as the other steps, and
/// renumbers later steps if necessary. With `--language`, it copies a page of the original to the folder of the language, and
/// pins it. It declares a new language in `stepkin.toml`. It never overwrites files.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  stepkin new tour install --after plan                  Add the step `install` to the family `tour`\n  stepkin new --language ja content/en/tour/install.md   Begin the translation of a page into Japanese"
)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Family ID, or with `--language`, the path of the original page
    #[arg(value_name = "FAMILY")]
    family: String,
    /// Page name of the step, such as `install` or `users/identify`
    #[arg(value_name = "STEP", required_unless_present = "language")]
    step: Option<String>,
    /// Create the translation of a page into this language, such as `ja`
    #[arg(long, value_name = "LANGUAGE", conflicts_with_all = ["step", "title", "after", "platforms"])]
    language: Option<String>,
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
    match (&arguments.language, &arguments.step) {
        (Some(language), _) => translation(arguments, language),
        (None, step) => add(arguments, step.as_deref().unwrap_or_default()),
    }
}

/// Copies a page of the original to a language.
fn translation(arguments: &Arguments, language: &str) -> Result<Outcome> {
    let root = arguments.site.root();
    let sources = pipeline::read(root, &Cache::default())?;
    let paths = below_root(root, &[PathBuf::from(&arguments.family)])?;
    let original: SitePath =
        paths.first().map(|path| path.to_string_lossy()).unwrap_or_default().as_ref().into();
    let adding::NewTranslation { created, has_pin, config } =
        adding::translation(&sources, language, &original)?;
    refuse_existing(root, &created, "create the translation")?;
    if !has_pin {
        note!("`{}` has no pin, because `{original}` isn't committed as it is", created.path);
    }
    if config.is_some() {
        let would = if arguments.dry_run.dry_run { "would add" } else { "added" };
        note!("{would} the language to `{CONFIG}`");
    }
    let mut changes = config.unwrap_or_default();
    changes.created.insert(0, created);
    changes::make(root, &changes, &arguments.dry_run)?;
    Ok(Outcome::Clean)
}

fn refuse_existing(root: &Path, created: &Created, what: &str) -> Result<()> {
    if write::within(root, created.path.as_str())?.symlink_metadata().is_ok() {
        return Err(Error::usage(format!(
            "cannot {what}: `{}` already exists; choose another name",
            created.path
        )));
    }
    Ok(())
}

fn add(arguments: &Arguments, name: &str) -> Result<Outcome> {
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
    let step = NewStep { family, name, title: arguments.title.as_deref(), after, platforms };
    let changes = adding::plan(&work, &step, &options)?;
    for it in &changes.created {
        refuse_existing(root, it, "add a step")?;
    }
    work.project.sources.are_as_read()?;
    changes::make(root, &changes, &arguments.dry_run)?;
    Ok(Outcome::Clean)
}
