//! `stepkin unify`

use std::path::Path;

use super::terminal::note;
use super::{Outcome, SiteArguments, count, options, today};
use crate::output::cache::Cache;
use crate::output::pipeline;
use crate::output::render::Rendering;
use base::error::{Error, Result};
use base::site_path::SitePath;
use base::write;
use review::drift::{self, Scope, Version};
use review::unify::{Unified, unify};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Family ID
    #[arg(value_name = "FAMILY")]
    family: String,
    /// Step to unify, given by slug, `step:`, or title
    #[arg(value_name = "STEP")]
    step: String,
    /// Print the shared page instead of writing it
    #[arg(long)]
    dry_run: bool,
    /// Unify even if the pages differ more than they agree
    #[arg(long)]
    force: bool,
}

/// Minimum share of common lines. With less, one source is harder to read than several.
const WORTH_UNIFYING: f64 = 0.3;

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let root = arguments.site.root();
    let cache = Cache::default();
    let (work, _) = pipeline::plan(pipeline::read(root, &cache)?, &options(true, None), &cache)?;
    super::only_ours(&work.project.site.repository, "unify")?;
    super::known_family(&work.project.site, &arguments.family)?;
    let (family, step) = (Some(arguments.family.clone()), Some(arguments.step.clone()));
    let steps = super::known_steps(&work, &Scope { family, step, ..Scope::everything(today()) })?;
    let [step] = &steps[..] else {
        return Err(Error::usage(format!(
            "`{}` has several steps named `{}`",
            arguments.family, arguments.step
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
            "cannot unify `{}`: the platforms share only {:.0} % of their lines; preview the page with `--dry-run`, or unify \
             anyway with `--force`; to replace names and paths that differ, use `[variables]` in `stepkin.toml`",
            arguments.step,
            unified.shared * 100.0
        )));
    }
    let (translated, left) = unify_translations(&work, &arguments.family, &unified);
    write_shared(root, &unified)?;
    let platform = |version: &Version<'_>| work.project.site.platform_of(version.place).name.as_str();
    let platforms: Vec<&str> = step.versions.iter().map(platform).collect();
    let removed: Vec<String> = unified.replaced.iter().map(|path| format!("`{path}`")).collect();
    note!("created `{}` ({}); removed {}", unified.path, platforms.join(", "), removed.join(", "));
    for unified in translated {
        write_shared(root, &unified)?;
        let removed = count(unified.replaced.len(), "page");
        note!("created `{}`, its translation; removed {removed}", unified.path);
    }
    for left in left {
        note!("{left}");
    }
    Ok(Outcome::Clean)
}

/// Returns the translations of a shared page, each made from those of the pages that it replaces, and hints for those that can't
/// be unified, which remain as they are.
fn unify_translations(work: &Rendering, family: &str, original: &Unified) -> (Vec<Unified>, Vec<String>) {
    let (mut unified, mut left) = (Vec::new(), Vec::new());
    let Some(languages) = work.project.sources.languages() else { return (unified, left) };
    let scope = Scope { family: Some(family.to_string()), ..Scope::everything(today()) };
    for work in work.translations() {
        let Some(view) = &work.project.sources.view else { continue };
        let is_of_page = |version: &&Version<'_>| {
            let translated = view.originals.get(&version.document.path);
            translated.is_some_and(|of| original.replaced.contains(of))
        };
        let steps = drift::steps(work, &scope);
        let step = steps.iter().find(|step| step.versions.iter().any(|version| is_of_page(&version)));
        let Some(step) = step else { continue };
        let pages: Vec<&SitePath> =
            step.versions.iter().filter(is_of_page).map(|version| &version.document.path).collect();
        let made = if pages.len() < original.replaced.len() {
            Err("the others aren't translated".to_string())
        } else {
            unify(work, step)
        };
        let path = languages.path_beside(pages[0].as_str(), original.path.as_str());
        match (made, path) {
            (Ok(made), Some(path)) => unified.push(Unified { path: path.into(), ..made }),
            (made, _) => {
                let pages: Vec<String> = pages.iter().map(|path| format!("`{path}`")).collect();
                let why = made.err().map_or_else(String::new, |why| format!(": {why}"));
                let name = &view.language().name;
                left.push(format!("{name}: unify {} by hand{why}", pages.join(" and ")));
            }
        }
    }
    (unified, left)
}

/// Writes the shared page, and then removes the pages that it replaces.
fn write_shared(root: &Path, unified: &Unified) -> Result<()> {
    let shared = write::within(root, unified.path.as_str())?;
    let own = unified.replaced.iter().map(|path| write::within(root, path.as_str()));
    let own = own.collect::<Result<Vec<_>>>()?;
    write::create(&shared, unified.text.as_bytes())?;
    for file in own {
        std::fs::remove_file(&file).map_err(Error::io("remove", &file))?;
        // The page's folder is removed if it is empty.
        if let Some(folder) = file.parent().filter(|_| file.ends_with("index.md")) {
            _ = std::fs::remove_dir(folder);
        }
    }
    Ok(())
}
