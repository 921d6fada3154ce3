//! Converts another generator's site to a Stepkin site in a new folder.
//!
//! In: the root of a repository. Out: [`Migrated`]: how much was written, and what couldn't be preserved. The
//! repository is only read. Each page has the same address as before, and the families are the same: both sites are
//! planned and compared, and families that aren't detected are declared in `stepkin.toml`. Links are changed only if
//! they would otherwise have another target.

mod families;
mod places;
mod settings;
mod translated;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use self::families::Shape;
use self::places::Places;
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::output::render::Rendering;
use base::address::Address;
use base::diagnostic::{Code, Report};
use base::error::{Error, Result};
use base::index::IndexVec;
use base::platforms::is_platform;
use base::site_path::{CONFIG, SitePath};
use base::sorted::SortedSet;
use base::write;
use input::source::{self, Sources, Text};
use markup::markdown::{self, ConversionOptions, Omission, Ours, with_targets};
use review::check;
use site::content::{Document, DocumentId, Neighbour, NewFrontMatter, Selection, in_our_form};
use site::plan::{Destination, anchor, take_apart};
use site::work::Work;

/// Options of a migration.
#[derive(Clone, Copy, Debug, Default)]
pub struct MigrateOptions {
    /// Whether to keep hand-written switchers and navigation, which pages otherwise generate.
    pub keeps_hand_written: bool,
}

/// The result of a migration.
#[derive(Debug, Default)]
pub struct Migrated {
    pub pages: usize,
    pub files: usize,
    /// Unsupported content with its page. A comment in the text replaces each.
    pub left_out: Vec<(SitePath, Omission)>,
    /// Number of removed switchers and previous/next links.
    pub removed: usize,
    /// IDs of families that differ on the new site.
    pub other_families: Vec<String>,
    /// Pages that are no longer steps, with their addresses, which are outside the folder of their platform.
    pub outside: Vec<(SitePath, Address)>,
    /// Pages that couldn't keep their address.
    pub moved: Vec<(SitePath, Address)>,
    /// Pages that aren't text.
    pub unread: Vec<SitePath>,
    /// Number of translated pages.
    pub translated: usize,
    /// Translated pages without an original, which aren't migrated.
    pub orphans: Vec<SitePath>,
}

/// Converts the site at `root` into the folder `output`, which must be new or empty.
///
/// # Errors
///
/// If the sources can't be read or are already a Stepkin site, or the output must not or can't be written.
pub fn migrate(root: &Path, output: &Path, options: MigrateOptions) -> Result<Migrated> {
    refuse(root, output)?;
    let cache = Cache::default();
    let sources = pipeline::read(root, &cache)?;
    if sources.repository.is_ours() {
        return Err(Error::usage(format!(
            "cannot migrate `{}`: it is already a Stepkin site",
            root.display()
        )));
    }
    let reading = Options { selection: Selection { drafts: true }, ..Options::default() };
    let (old, found) = pipeline::plan(sources, &reading, &cache)?;
    let migration = Migration::of(&old, found, options);
    let (config, new) = migration.planned(&reading)?;
    let (mut migration, config, new) = migration.with_steps(config, new, &reading)?;
    let new = new.work;
    let mut texts = migration.texts(&new);
    let translated = migration.translated(old.translations(), &config, &reading, options)?;
    let (count, orphans) = (translated.texts.len(), translated.orphans);
    texts.extend(translated.texts);
    for (path, from) in translated.files {
        migration.places.files.insert(path, from);
    }
    let files = migration.files(config + &translated.config)?;
    put(output, &old, &migration, &texts, &files)?;
    Ok(Migrated { translated: count, orphans, ..migration.report(&new, files.len()) })
}

/// A converted page, except for its links.
struct Page {
    path: SitePath,
    front: NewFrontMatter,
    ours: Ours,
}

/// The new site, and its findings.
struct New {
    work: Rendering,
    found: Report,
}

struct Migration<'a> {
    old: &'a Work,
    /// Its findings.
    found: Report,
    places: Places,
    /// The addresses of steps outside the folder of their platform.
    outside: SortedSet<String>,
    pages: IndexVec<DocumentId, Page>,
}

impl<'a> Migration<'a> {
    fn of(old: &'a Work, found: Report, options: MigrateOptions) -> Self {
        let site = &old.project.site;
        let places = Places::of(old);
        let outside = families::outside(old, &places);
        let (anchors, orders) = (anchors_in_use(old), orders_of_others(old));
        let ids: Vec<DocumentId> = site.documents.indices().collect();
        let page = |id: DocumentId| {
            let document = site.document(id);
            let (path, slug) = &places.pages[id];
            // A heading to which links point stays, with its anchor.
            let heading = old.pages[id].headings.first().map(|heading| heading.id.clone());
            let is_needed =
                heading.is_some_and(|anchor| anchors.contains(&(document.address.clone(), anchor)));
            let wanted = ConversionOptions {
                title: Some(document.title.as_str()).filter(|_| !is_needed),
                keeps_hand_written: options.keeps_hand_written,
                path: document.path.as_str(),
            };
            let ours = markdown::in_ours(
                &document.text(),
                document.body,
                &document.edition,
                &document.dialect,
                &wanted,
            );
            let place = site.place(id).filter(|_| !outside.contains(document.address.as_str()));
            let order = place.map(|place| usize::from(place.step) + 1);
            let order = order.or_else(|| orders.get(&document.address).copied());
            Page { path: path.clone(), front: said(document, order, slug.clone()), ours }
        };
        let pages: Vec<Page> = ids.into_par_iter().map(page).collect();
        Self { old, found, places, outside, pages: pages.into() }
    }

    /// Returns the text of a page with its original links.
    fn text(&self, id: DocumentId) -> (String, usize) {
        let page = &self.pages[id];
        let document = self.old.project.site.document(id);
        let front = in_our_form(&document.text(), self.old.project.site.repository.convention, &page.front);
        let body = front.len();
        let gap =
            if page.ours.text.starts_with(['\n', '\r']) || page.ours.text.is_empty() { "" } else { "\n" };
        (front + gap + &page.ours.text, body)
    }

    /// Returns the new site with this configuration, as it would be read.
    fn read(&self, config: &str, reading: &Options) -> Result<New> {
        let mut sources = Sources::default();
        let ids: Vec<DocumentId> = self.pages.indices().collect();
        let texts: Vec<Text> = ids
            .into_par_iter()
            .map(|id| Text::new(self.pages[id].path.clone(), self.text(id).0.into_bytes()))
            .collect();
        sources.pages = texts.into_iter().map(|text| (text.path.clone(), text)).collect();
        for (path, from) in &self.places.files {
            if let Some(asset) = self.old.project.sources.assets.get(from) {
                let asset = source::Asset { path: path.clone(), ..asset.clone() };
                sources.assets.insert(path.clone(), asset);
            }
        }
        sources.config = Some(Text::new(CONFIG.into(), config.as_bytes().to_vec()));
        let (work, found) = pipeline::plan(sources, reading, &Cache::default())?;
        Ok(New { work, found })
    }

    /// Returns the shortest configuration that preserves the families, and the site that is read with it.
    fn planned(&self, reading: &Options) -> Result<(String, New)> {
        let before = families::shapes(self.old, &self.outside);
        let plain = settings::text(self.old, "");
        let new = self.read(&plain, reading)?;
        let found = families::shapes(&new.work, &self.outside);
        if found == before {
            return Ok((plain, new));
        }
        let all: Vec<&Shape> = before.iter().collect();
        let other: Vec<&Shape> = before.iter().filter(|shape| !found.contains(shape)).collect();
        let surplus = families::surplus(&before, &found);
        let mut best = (families::difference(&before, &found), plain, new);
        for said in [&other, &all] {
            let tables = families::tables(self.old, said, &self.places);
            let config = settings::text(self.old, &format!("{surplus}{tables}"));
            // A table may be invalid, in which case the site is read without it.
            let Ok(new) = self.read(&config, reading) else { continue };
            let difference = families::difference(&before, &families::shapes(&new.work, &self.outside));
            if difference.len() < best.0.len() {
                best = (difference, config, new);
            }
            if best.0.is_empty() {
                break;
            }
        }
        Ok((best.1, best.2))
    }

    /// Declares which pages are the same step, if that wouldn't be detected.
    fn with_steps(mut self, config: String, new: New, reading: &Options) -> Result<(Self, String, New)> {
        let doubted = |report: &Report| -> SortedSet<SitePath> {
            let doubts = report.iter().filter(|it| it.problem.code == Code::AmbiguousStep);
            doubts.map(|it| it.file.clone()).collect()
        };
        let before = doubted(&self.found);
        let now = doubted(&new.found);
        let is_doubted = |id: DocumentId| {
            now.contains(&self.pages[id].path) && !before.contains(&self.old.project.site.document(id).path)
        };
        let missed = families::missed_steps(self.old, &new.work, &self.outside, &is_doubted);
        if missed.is_empty() {
            return Ok((self, config, new));
        }
        for (id, step) in missed {
            self.pages[id].front.step = Some(step);
        }
        let new = self.read(&config, reading)?;
        Ok((self, config, new))
    }

    /// Returns every page, with links to the same targets as before.
    fn texts(&self, new: &Work) -> Vec<(SitePath, String)> {
        let by_path: HashMap<&SitePath, DocumentId> =
            new.project.site.documents.indexed().map(|(id, document)| (&document.path, id)).collect();
        let ids: Vec<DocumentId> = self.pages.indices().collect();
        let text = |id: DocumentId| {
            let page = &self.pages[id];
            let (text, body) = self.text(id);
            let document = self.old.project.site.document(id);
            let Some(&now) = by_path.get(&page.path) else { return (page.path.clone(), text) };
            let target = |target: &str| relinked((self.old, document), (new, now), target);
            let text = with_targets(&text, body, &document.edition, target);
            (page.path.clone(), text)
        };
        ids.into_par_iter().map(text).collect()
    }

    /// Returns every other generated file, by path.
    fn files(&self, config: String) -> Result<Vec<(SitePath, String)>> {
        let mut files = vec![(CONFIG.into(), config)];
        let project = &self.old.project;
        let mut routes: Vec<String> = project.sources.repository.all_routes();
        if let Some(file) = &project.site.config.check.routes {
            let said = source::read_beside(&project.sources.root, file)?;
            routes.extend(said.lines().map(str::to_string));
        }
        if !routes.is_empty() {
            let text = routes.join("\n") + "\n";
            files.push((settings::ROUTES.into(), text));
        }
        Ok(files)
    }

    fn report(self, new: &Work, made: usize) -> Migrated {
        let old = &self.old.project.site;
        let by_path: HashMap<&SitePath, &Address> =
            new.project.site.documents.iter().map(|it| (&it.path, &it.address)).collect();
        let moved = self.pages.indexed().filter(|(id, page)| {
            by_path.get(&page.path).is_none_or(|address| **address != old.document(*id).address)
        });
        let moved =
            moved.map(|(id, _)| (old.document(id).path.clone(), old.document(id).address.clone())).collect();
        let read: HashSet<&SitePath> = old.documents.iter().map(|document| &document.path).collect();
        let pages = self.old.project.sources.pages.keys();
        let unread = pages.filter(|path| !read.contains(path)).cloned().collect();
        let other_families = families::difference(
            &families::shapes(self.old, &self.outside),
            &families::shapes(new, &self.outside),
        );
        let count = self.pages.indices().len();
        let files = self.places.files.len() + made;
        let outside = old.documents.iter().filter(|it| self.outside.contains(it.address.as_str()));
        let outside = outside.map(|it| (it.path.clone(), it.address.clone())).collect();
        let mut migrated =
            Migrated { outside, pages: count, files, moved, unread, other_families, ..Migrated::default() };
        for (id, page) in self.pages.indexed() {
            migrated.removed += page.ours.removed;
            let path = &old.document(id).path;
            migrated.left_out.extend(page.ours.left_out.iter().map(|it| (path.clone(), it.clone())));
        }
        migrated
    }
}

/// Returns the positions of pages outside tutorials among their siblings, unless these are sorted by title. A folder
/// that is named after a platform would count as one if its pages had positions.
fn orders_of_others(work: &Work) -> HashMap<Address, usize> {
    let (tree, is_numbered) = (work.project.plan.tree(), work.project.site.repository.is_numbered);
    let mut orders = HashMap::new();
    for (_, node) in tree.indexed() {
        let titles = tree.children(node).map(|child| Neighbour::new("", None, &child.title, is_numbered));
        if !titles.is_sorted() && !node.address.as_str().split('/').any(is_platform) {
            orders.extend((1..).zip(tree.children(node)).map(|(at, child)| (child.address.clone(), at)));
        }
    }
    orders
}

fn said(document: &Document, order: Option<usize>, slug: Option<String>) -> NewFrontMatter {
    let front = &document.front;
    NewFrontMatter {
        title: document.title.clone(),
        order,
        slug,
        aliases: front.aliases.clone(),
        redirect: front.redirect.clone(),
        step: front.step.clone(),
        draft: front.draft,
    }
}

/// Returns the anchors to which links of the site point.
fn anchors_in_use(work: &Work) -> SortedSet<(Address, String)> {
    let site = &work.project.site;
    let resolver = work.project.resolver();
    let ids: Vec<DocumentId> = site.documents.indices().collect();
    let of_page = |id: DocumentId| {
        let document = site.document(id);
        let targets = work.pages[id].references.iter().map(|reference| reference.target.as_str());
        let named = targets.filter_map(|target| match resolver.resolve(document, target) {
            Destination::Here(here) => Some((here.address.clone(), anchor(here.fragment?)?)),
            _ => None,
        });
        named.collect::<Vec<_>>()
    };
    ids.into_par_iter().flat_map_iter(of_page).collect::<Vec<_>>().into()
}

/// Returns the replacement for a target on a page that otherwise would no longer have the same destination.
fn relinked(
    (old, from): (&Work, &Document),
    (new, now): (&Work, DocumentId),
    target: &str,
) -> Option<String> {
    let Destination::Here(meant) = old.project.resolver().resolve(from, target) else { return None };
    if meant.from_own_host || take_apart(target.trim()).path.is_empty() {
        return None;
    }
    let page = new.project.site.document(now);
    let leads = match new.project.resolver().resolve(page, target) {
        Destination::Here(found) => found.address == meant.address,
        _ => false,
    };
    if leads || new.project.plan.get(meant.address).is_none() {
        return None;
    }
    Some(check::written_like(new, now, target, meant.address))
}

/// Refuses an output that isn't new, or is in the repository.
fn refuse(root: &Path, output: &Path) -> Result<()> {
    let refused = |why: &str| {
        let output = output.display();
        Err(Error::usage(format!(
            "cannot migrate into `{output}`: {why}; choose another directory with --output"
        )))
    };
    match fs::symlink_metadata(output) {
        Ok(found) if !found.is_dir() => return refused("it is not a directory"),
        Ok(_) if fs::read_dir(output).map_err(Error::io("read", output))?.next().is_some() => {
            return refused("it is not empty");
        }
        _ => {}
    }
    let real_root = root.canonicalize().map_err(Error::io("read", root))?;
    let absolute = std::path::absolute(output).map_err(Error::io("resolve", output))?;
    let there = absolute.ancestors().find_map(|part| part.canonicalize().ok());
    if there.is_some_and(|there| there.starts_with(&real_root)) {
        return refused("it is in the old site, which must not change");
    }
    Ok(())
}

/// Writes everything next to the output, and then moves it there, so that it is complete or missing.
fn put(
    output: &Path,
    old: &Work,
    migration: &Migration<'_>,
    texts: &[(SitePath, String)],
    files: &[(SitePath, String)],
) -> Result<()> {
    let absolute = std::path::absolute(output).map_err(Error::io("resolve", output))?;
    let (Some(parent), Some(name)) = (absolute.parent(), absolute.file_name()) else {
        return Err(Error::usage(format!(
            "cannot migrate into `{}`: it is not a directory",
            output.display()
        )));
    };
    fs::create_dir_all(parent).map_err(Error::io("create", parent))?;
    let stage = parent.join(format!(".{}.stepkin-{}", name.to_string_lossy(), std::process::id()));
    let written = fill(&stage, old, migration, texts, files)
        .and_then(|()| fs::rename(&stage, &absolute).map_err(Error::io("write", output)));
    if written.is_err() {
        // If writing failed, the folder may not exist.
        _ = fs::remove_dir_all(&stage);
    }
    written
}

fn fill(
    stage: &Path,
    old: &Work,
    migration: &Migration<'_>,
    texts: &[(SitePath, String)],
    files: &[(SitePath, String)],
) -> Result<()> {
    fs::create_dir(stage).map_err(Error::io("create", stage))?;
    let disk = |path: &SitePath| -> Result<PathBuf> { write::within(stage, path.as_str()) };
    texts.iter().chain(files).try_for_each(|(path, text)| write::create(&disk(path)?, text.as_bytes()))?;
    let sources: &Arc<Sources> = &old.project.sources;
    migration
        .places
        .files
        .iter()
        .try_for_each(|(path, from)| write::copy(&sources.disk_path(from), &disk(path)?))
}
