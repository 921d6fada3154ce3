//! `stepkin mv`

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::terminal::note;
use super::{Outcome, SiteArguments, count, format, options, patch};
use crate::cache::Cache;
use crate::error::{Error, Result};
use crate::moving::{self, Changes, Move};
use crate::pages::Parts;
use crate::pipeline;
use crate::render::Work;
use crate::site_path::{self, MANIFEST, SitePath};
use crate::source::git;
use crate::write;

/// Moves a page, a picture, another file, or a folder of such. Links and pictures in all pages, redirects, and paths in
/// stepkin.toml lead where they led, each in its author's style, and former addresses of pages become aliases. Where a link
/// could not be kept nothing is moved. Templates and files that are published as they are stay as they are; look for
/// addresses in them.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// The file or folder, as a path from here or from the site's root
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// Its new path, or a folder that it goes into
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Move the same step on each platform of the family
    #[arg(long)]
    all_platforms: bool,
    /// Change nothing; print a patch that `git apply` takes
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let root = arguments.site.root();
    let (from, to) = named(root, &arguments.old, &arguments.new)?;
    let mut options = options(true, None);
    options.parts = Parts::WithoutHtml;
    let cache = Cache::default();
    let (work, _) = pipeline::plan(pipeline::read(root, &cache)?, &options, &cache)?;
    super::only_ours(&work.project.site.repository, "mv")?;
    let renames = match arguments.all_platforms {
        true => on_all_platforms(&work, &from, &to)?,
        false => with_dark(&work, Move { from, to }),
    };
    for it in &renames {
        if write::within(root, it.to.as_str())?.symlink_metadata().is_ok() {
            return Err(refused(&it.from, &format!("`{}` exists already; name another place", it.to)));
        }
        write::within(root, it.from.as_str())?;
    }
    let changes = moving::plan(&work, renames, &options)?;
    work.project.sources.are_as_read()?;
    match arguments.dry_run {
        true => print(root, &changes)?,
        false => write(root, &changes)?,
    }
    say(&changes, arguments.dry_run);
    Ok(Outcome::Clean)
}

fn refused(path: &SitePath, why: &str) -> Error {
    Error::usage(format!("cannot move `{path}`: {why}"))
}

/// Both paths below the root. Those that are not from here are from the root.
fn named(root: &Path, old: &Path, new: &Path) -> Result<(SitePath, SitePath)> {
    let real = root.canonicalize().map_err(Error::io("read", root))?;
    let here = std::env::current_dir().map_err(Error::io("read", "."))?;
    let start = if here.join(old).symlink_metadata().is_ok() { here } else { real.clone() };
    let below = |path: &Path| {
        let whole = resolved(&start.join(path));
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

/// A path without `.` and `..`, with the links of folders that are there followed.
fn resolved(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    let Some(folder) = plain.parent() else { return plain };
    let there = folder.ancestors().find_map(|part| Some((part, part.canonicalize().ok()?)));
    match there.and_then(|(part, real)| Some(real.join(plain.strip_prefix(part).ok()?))) {
        Some(real) => real,
        None => plain,
    }
}

/// A picture goes with its version for dark colours.
fn with_dark(work: &Work, it: Move) -> Vec<Move> {
    let dark = |path: &SitePath| {
        let (stem, ending) = path.as_str().rsplit_once('.')?;
        Some(SitePath::from(format!("{stem}.dark.{ending}")))
    };
    let both = dark(&it.from).zip(dark(&it.to));
    let both = both.filter(|(from, _)| work.project.sources.assets.contains_key(from));
    [Some(it), both.map(|(from, to)| Move { from, to })].into_iter().flatten().collect()
}

/// The moves of a step on each platform that has it.
fn on_all_platforms(work: &Work, from: &SitePath, to: &SitePath) -> Result<Vec<Move>> {
    let site = &work.project.site;
    let index = SitePath::from(format!("{from}/index.md"));
    let page = |path: &SitePath| site.documents.position(|it| it.path == *path && !it.is_shared());
    let id = page(from).or_else(|| page(&index));
    let Some(place) = id.and_then(|id| site.place(id)) else {
        return Err(refused(from, "it is no step of a platform's own; leave --all-platforms out"));
    };
    let family = &site.families[place.family];
    let root = |root: &str| site.repository.content.with(root);
    let own = root(&family.platforms[place.platform].root);
    let Some(below) = to.below(&own) else {
        return Err(refused(from, &format!("with --all-platforms its new path is below `{own}` too")));
    };
    let stem = stem(below);
    let siblings = work.project.families.siblings(site, place);
    let mut renames = Vec::new();
    for (platform, sibling) in siblings.indexed() {
        let Some(document) = sibling.map(|id| site.document(id)) else { continue };
        if document.is_shared() {
            return Err(refused(&document.path, "platforms share it; move it without --all-platforms"));
        }
        let folder = root(&family.platforms[platform].root);
        let path = document.path.as_str();
        if !site_path::is_inside(path, &folder) {
            return Err(refused(&document.path, &format!("it is not below `{folder}`; move it by itself")));
        }
        renames.push(match path.strip_suffix("/index.md") {
            Some(own) if own != folder => Move { from: own.into(), to: format!("{folder}/{stem}").into() },
            _ => Move { from: path.into(), to: format!("{folder}/{stem}.md").into() },
        });
    }
    renames.retain(|it| it.from != it.to);
    Ok(renames)
}

fn stem(below: &str) -> &str {
    let stem = below.strip_suffix(".md").unwrap_or(below);
    stem.strip_suffix("/index").unwrap_or(stem)
}

/// The patch: every file that is renamed, and every text that changes.
fn print(root: &Path, changes: &Changes) -> Result<()> {
    let mut patches = String::new();
    let edit = |path: &SitePath| changes.edits.iter().find(|edit| edit.path == *path);
    for file in changes.renames.iter().flat_map(|it| files_below(root, &it.from)) {
        let to = changes.present(&file);
        let (before, after) = edit(&file).map_or(("", ""), |edit| (&edit.before, &edit.after));
        patches.push_str(&patch::renamed((file.as_str(), to.as_str()), before, after));
    }
    for edit in changes.edits.iter().filter(|edit| changes.present(&edit.path) == edit.path) {
        patches.push_str(&patch::unified(
            &write::real_path(root, edit.path.as_str()),
            &edit.before,
            &edit.after,
        ));
    }
    format::to_stdout(|out| out.write_all(patches.as_bytes()))
}

/// The files in a folder, or the file itself.
fn files_below(root: &Path, path: &SitePath) -> Vec<SitePath> {
    let walk = walkdir::WalkDir::new(root.join(path.as_str())).sort_by_file_name().into_iter();
    let files = walk.filter_map(std::result::Result::ok).filter(|entry| !entry.file_type().is_dir());
    files.filter_map(|entry| SitePath::of(root, entry.path())).collect()
}

/// Renames, and then writes the texts at their new places. Where one of it fails, everything is put back.
fn write(root: &Path, changes: &Changes) -> Result<()> {
    for edit in &changes.edits {
        let disk = write::within(root, edit.path.as_str())?;
        let text = fs::read(&disk).map_err(Error::io("read", &disk))?;
        if text != edit.before.as_bytes() {
            return Err(Error::usage(format!(
                "cannot move: `{}` changed while this ran; run it again",
                edit.path
            )));
        }
    }
    let mut done = Done::default();
    let written = put(root, changes, &mut done);
    if written.is_err() {
        done.take_back(root, changes);
    }
    written
}

/// What was done so far.
#[derive(Default)]
struct Done {
    folders: Vec<PathBuf>,
    renames: usize,
    edits: usize,
}

fn put(root: &Path, changes: &Changes, done: &mut Done) -> Result<()> {
    for it in &changes.renames {
        let to = write::within(root, it.to.as_str())?;
        let folder = to.parent().unwrap_or(root);
        let missing = folder.ancestors().take_while(|folder| !folder.exists());
        let missing: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
        done.folders.extend(missing);
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        rename(root, &it.from, &it.to)?;
        done.renames += 1;
    }
    for edit in &changes.edits {
        let disk = write::within(root, changes.present(&edit.path).as_str())?;
        write::replace(&disk, edit.after.as_bytes())?;
        done.edits += 1;
    }
    Ok(())
}

impl Done {
    /// As far as it can be: the reason for this is what the run fails with.
    fn take_back(&self, root: &Path, changes: &Changes) {
        for edit in &changes.edits[..self.edits] {
            _ = write::replace(&root.join(changes.present(&edit.path).as_str()), edit.before.as_bytes());
        }
        for it in changes.renames[..self.renames].iter().rev() {
            _ = rename(root, &it.to, &it.from);
        }
        for folder in &self.folders {
            _ = fs::remove_dir(folder);
        }
    }
}

/// By git where it knows the file.
fn rename(root: &Path, from: &SitePath, to: &SitePath) -> Result<()> {
    let disk = root.join(from.as_str());
    let renamed = match git::is_tracked(root, from.as_str()) {
        true => git::rename(root, from.as_str(), to.as_str()),
        false => fs::rename(&disk, root.join(to.as_str())),
    };
    renamed.map_err(Error::io("move", disk))
}

fn say(changes: &Changes, is_dry: bool) {
    let verb = if is_dry { "would move" } else { "moved" };
    for it in &changes.renames {
        note!("{verb} `{}` to `{}`", it.from, it.to);
    }
    let verb = if is_dry { "would change" } else { "changed" };
    if changes.relinked > 0 {
        note!("{verb} links in {}", count(changes.relinked, "file"));
    }
}
