//! `stepkin mv`

use std::path::{Path, PathBuf};

use super::changes::{self, DryRunArguments};
use super::{Outcome, SiteArguments, options};
use crate::app::moving::{self, Move, refused};
use crate::output::cache::Cache;
use crate::output::pipeline;
use base::error::{Error, Result};
use base::site_path::{self, MANIFEST, SitePath};
use base::write;
use site::pages::Detail;

/// Move or rename pages, steps, images, and folders, and update links
///
/// Stepkin updates links and images in all pages, redirects, and paths in `stepkin.toml`, and keeps each author's style. Old
/// URLs of pages become aliases. If a link can't be updated, nothing changes. Templates and static files are not edited; search
/// them for old URLs.
///
/// To rename a section, run `stepkin mv PAGE#anchor "New title"`. Its anchor changes with the title, unless the heading sets
/// one, such as `## Title {#anchor}`. To keep links from other sites working, end the new title with the old anchor:
/// `New title {#anchor}`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// File, folder, or section (`PAGE#anchor`) to move; relative to here or to the site root
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// New path or destination folder; for a section, its new title
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Apply to the same step or section on every platform
    #[arg(long)]
    all_platforms: bool,
    #[command(flatten)]
    dry_run: DryRunArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let root = arguments.site.root();
    let request = move_request(root, &arguments.old, &arguments.new)?;
    let mut options = options(true, None);
    options.parts = Detail::WithoutHtml;
    let cache = Cache::default();
    let (work, _) = pipeline::plan(pipeline::read(root, &cache)?, &options, &cache)?;
    super::only_ours(&work.project.site.repository, "mv")?;
    let changes = match request {
        MoveRequest::Files { from, to } => {
            let renames = if arguments.all_platforms {
                moving::on_all_platforms(&work, &from, &to)?
            } else {
                moving::with_dark(&work, Move { from, to })
            };
            let changes = moving::plan(&work, renames, &options)?;
            for it in &changes.renames {
                if write::within(root, it.to.as_str())?.symlink_metadata().is_ok() {
                    return Err(refused(
                        &it.from,
                        &format!("`{}` already exists; choose another path", it.to),
                    ));
                }
                write::within(root, it.from.as_str())?;
            }
            changes
        }
        MoveRequest::Title { page, anchor, title } => {
            let work = work.translation_with(&page).map_or(&work, |work| &**work);
            let section = moving::section_at(work, &page, &anchor)?;
            let sections = if arguments.all_platforms {
                moving::section_on_all_platforms(work, section)
            } else {
                vec![section]
            };
            moving::retitle(work, &sections, &title, &options)?
        }
    };
    work.project.sources.are_as_read()?;
    changes::make(root, &changes, &arguments.dry_run)?;
    Ok(Outcome::Clean)
}

/// The requested change.
enum MoveRequest {
    Files { from: SitePath, to: SitePath },
    Title { page: SitePath, anchor: String, title: String },
}

/// `OLD` is a section if it contains a `#` and is not a file.
fn move_request(root: &Path, old: &Path, new: &Path) -> Result<MoveRequest> {
    let section = old.to_str().and_then(|written| written.rsplit_once('#'));
    let is_file = || old.symlink_metadata().is_ok() || root.join(old).symlink_metadata().is_ok();
    let Some((page, anchor)) = section.filter(|_| !is_file()) else {
        let (from, to) = named(root, old, new)?;
        return Ok(MoveRequest::Files { from, to });
    };
    let title =
        new.to_str().ok_or_else(|| Error::usage("cannot rename the section: the title is not UTF-8"))?;
    // The path of the page doesn't change.
    let (page, _) = named(root, Path::new(page), Path::new(page))?;
    Ok(MoveRequest::Title { page, anchor: anchor.to_string(), title: title.to_string() })
}

/// Returns both paths relative to the root. They are given relative to the current directory, or else to the root.
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
        return Err(refused(&from, "the file or folder doesn't exist"));
    }
    if disk
        .ancestors()
        .take_while(|folder| folder.starts_with(&real))
        .any(|folder| folder.join(MANIFEST).is_file())
    {
        return Err(refused(&from, "it is a build output; move its source and build again"));
    }
    let name = site_path::file_name(from.as_str());
    if real.join(to.as_str()).is_dir() {
        return Ok((from.clone(), format!("{to}/{name}").into()));
    }
    Ok((from, to))
}
