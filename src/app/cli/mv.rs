//! `stepkin mv`

use std::path::{Path, PathBuf};

use super::{Outcome, SiteArguments, changes, options};
use crate::app::moving::{self, Move, refused};
use crate::base::error::{Error, Result};
use crate::base::site_path::{MANIFEST, SitePath};
use crate::base::write;
use crate::output::cache::Cache;
use crate::output::pipeline;
use crate::site::pages::Detail;

/// Moves a page, a picture, another file, or a folder of such; or gives a section another title. Links and pictures in all
/// pages, redirects, and paths in stepkin.toml lead where they led, each in its author's style, and former addresses of
/// pages become aliases. Where a link could not be kept nothing is changed. Templates and files that are published as they
/// are stay as they are; look for addresses in them.
///
/// `stepkin mv PAGE#anchor "New title"` titles a section; its anchor follows, unless its heading gives one, as
/// `## Title {#anchor}`. A section has no aliases: for links from other sites to last, end the new title with the
/// former anchor, `New title {#anchor}`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// The file or folder, as a path from here or from the site's root; or a section, as PAGE#anchor
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// Its new path, or a folder that it goes into; of a section its new title
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Move the same step on each platform of the family, or title the same section on each that titles it the same
    #[arg(long)]
    all_platforms: bool,
    /// Change nothing; print a patch that `git apply` takes
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let root = arguments.site.root();
    let wanted = wanted(root, &arguments.old, &arguments.new)?;
    let mut options = options(true, None);
    options.parts = Detail::WithoutHtml;
    let cache = Cache::default();
    let (work, _) = pipeline::plan(pipeline::read(root, &cache)?, &options, &cache)?;
    super::only_ours(&work.project.site.repository, "mv")?;
    let changes = match wanted {
        Wanted::Files { from, to } => {
            let renames = match arguments.all_platforms {
                true => moving::on_all_platforms(&work, &from, &to)?,
                false => moving::with_dark(&work, Move { from, to }),
            };
            for it in &renames {
                if write::within(root, it.to.as_str())?.symlink_metadata().is_ok() {
                    return Err(refused(
                        &it.from,
                        &format!("`{}` exists already; name another place", it.to),
                    ));
                }
                write::within(root, it.from.as_str())?;
            }
            moving::plan(&work, renames, &options)?
        }
        Wanted::Title { page, anchor, title } => {
            let section = moving::section_at(&work, &page, &anchor)?;
            let sections = match arguments.all_platforms {
                true => moving::section_on_all_platforms(&work, section),
                false => vec![section],
            };
            moving::retitle(&work, &sections, &title, &options)?
        }
    };
    work.project.sources.are_as_read()?;
    changes::make(root, &changes, arguments.dry_run)?;
    Ok(Outcome::Clean)
}

/// What is to be done.
enum Wanted {
    Files { from: SitePath, to: SitePath },
    Title { page: SitePath, anchor: String, title: String },
}

/// `OLD` is a section where it has a `#` and is no file.
fn wanted(root: &Path, old: &Path, new: &Path) -> Result<Wanted> {
    let section = old.to_str().and_then(|written| written.rsplit_once('#'));
    let is_file = || old.symlink_metadata().is_ok() || root.join(old).symlink_metadata().is_ok();
    let Some((page, anchor)) = section.filter(|_| !is_file()) else {
        let (from, to) = named(root, old, new)?;
        return Ok(Wanted::Files { from, to });
    };
    let title = new.to_str().ok_or_else(|| Error::usage("cannot title a section: the title is not UTF-8"))?;
    // A page has one path: where it is goes for where it is to be.
    let (page, _) = named(root, Path::new(page), Path::new(page))?;
    Ok(Wanted::Title { page, anchor: anchor.to_string(), title: title.to_string() })
}

/// Both paths below the root. Those that are not from here are from the root.
fn named(root: &Path, old: &Path, new: &Path) -> Result<(SitePath, SitePath)> {
    let real = root.canonicalize().map_err(Error::io("read", root))?;
    let here = std::env::current_dir().map_err(Error::io("read", "."))?;
    let start = if here.join(old).symlink_metadata().is_ok() { here } else { real.clone() };
    let below = |path: &Path| {
        let whole = write::resolved(&start.join(path));
        let outside = || Error::usage(format!("cannot move `{}`: it is not in the site", path.display()));
        SitePath::of(&real, &whole).filter(|path| !path.as_str().is_empty()).ok_or_else(outside)
    };
    let (from, to) = (below(old)?, below(new)?);
    let disk = real.join(from.as_str());
    if disk.symlink_metadata().is_err() {
        return Err(refused(&from, "there is no such file or folder"));
    }
    if disk
        .ancestors()
        .take_while(|folder| folder.starts_with(&real))
        .any(|folder| folder.join(MANIFEST).is_file())
    {
        return Err(refused(&from, "it is generated; move what it is made from, and build again"));
    }
    let name = from.as_str().rsplit('/').next().unwrap_or_default();
    match real.join(to.as_str()).is_dir() {
        true => Ok((from.clone(), format!("{to}/{name}").into())),
        false => Ok((from, to)),
    }
}
