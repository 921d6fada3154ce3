//! Moves files and folders of a site without breaking links.
//!
//! In: a planned site, and [`Move`]s. Out: [`Changes`]: the renames, and the texts that change with them. Nothing is
//! written here. The site is planned again with its files at their new paths. Links are changed only if they would
//! otherwise have another target, and old URLs become aliases. The result is planned once more and compared with the
//! original site: if a link can't be preserved, the result is a reason instead of changes.

mod aliases;
mod headings;
mod places;
mod settings;
mod together;

#[cfg(feature = "lsp")]
pub(crate) use self::headings::words_of;
pub(crate) use self::headings::{PageSection, retitle, section_at};
use self::places::Correspondence;
pub(crate) use self::settings::listed_behind;
use self::together::with_translations;
pub(crate) use self::together::{on_all_platforms, section_on_all_platforms, with_dark};
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::output::render::Rendering;
use base::error::{Error, Result};
use base::index::IndexVec;
use base::site_path::{self, SitePath};
use base::sorted::SortedMap;
use input::source::{Asset, Sources, Text, is_admitted_by_name};
use markup::markdown::with_targets;
use site::content::{Document, DocumentId};
use site::work::Work;

/// A file or folder of a site, and its new path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub from: SitePath,
    pub to: SitePath,
}

impl Move {
    /// Returns the new path of a path, or `None` if it isn't moved.
    fn apply(&self, path: &str) -> Option<String> {
        let rest = path.strip_prefix(self.from.as_str())?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{}{rest}", self.to))
    }
}

/// A text that changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// Its path before the renames.
    pub path: SitePath,
    pub before: String,
    pub after: String,
}

/// All changes of a move.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pub renames: Vec<Move>,
    /// By path.
    pub edits: Vec<Edited>,
    /// Number of texts with changed links or paths, in addition to their own aliases and titles.
    pub relinked: usize,
    /// Sections with a new title.
    pub sections: Vec<Retitled>,
    pub created: Vec<Created>,
}

/// A new page.
#[derive(Clone, Debug, PartialEq)]
pub struct Created {
    pub path: SitePath,
    pub text: String,
}

/// A section with a new title.
#[derive(Clone, Debug, PartialEq)]
pub struct Retitled {
    pub path: SitePath,
    /// Its anchor before and after.
    pub from: String,
    pub to: String,
}

impl Changes {
    /// Returns the new path of a file.
    pub fn present(&self, path: &SitePath) -> SitePath {
        present(&self.renames, path)
    }
}

fn present(renames: &[Move], path: &SitePath) -> SitePath {
    renames.iter().find_map(|it| it.apply(path.as_str())).map_or_else(|| path.clone(), SitePath::from)
}

/// Returns the changes that move files of a Stepkin site, and their translations with them. `options` are those with which
/// `site` was planned.
///
/// # Errors
///
/// Why the files can't be moved: their current or new paths, or a link that can't be preserved.
pub fn plan(site: &Rendering, renames: Vec<Move>, options: &Options) -> Result<Changes> {
    let sources = site.project.sources.whole();
    refuse(sources, &renames)?;
    let subject = renames[0].from.clone();
    let refused = |why: String| refused(&subject, &why);
    let renames = with_translations(sources, renames)?;
    let old: &Work = site;
    let moving = Moving { old, renames, options };
    let mut texts = SortedMap::new();
    if let Some(config) = &old.project.sources.config {
        texts.insert(config.path.clone(), settings::moved(&config.text(), &moving));
    }
    let new = moving.planned(&texts)?;
    let mut former = Vec::new();
    for old in site.languages() {
        let places = moving.places(old, &new).map_err(refused)?;
        for (path, documents) in by_path(old) {
            let text = old.project.sources.text(path).filter(|text| text.invalid.is_none());
            let Some(text) = text else { continue };
            texts.insert(path.clone(), relinked(old, &documents, &text.text(), &places));
        }
        former.extend(places.former(&moving.renames));
    }
    let relinked = moving.edits(&texts).count();
    for (path, former) in former {
        let text = texts.get(&path).cloned().unwrap_or_else(|| moving.text(&path));
        texts.insert(path.clone(), former.noted(&path, &text)?);
    }
    let last = moving.planned(&texts)?;
    for old in site.languages() {
        moving.places(old, &last).and_then(|places| places.verify()).map_err(refused)?;
    }
    let edits = moving.edits(&texts).collect();
    Ok(Changes { renames: moving.renames, edits, relinked, ..Changes::default() })
}

/// Returns the site after changes.
///
/// # Errors
///
/// If it can't be planned.
pub(crate) fn planned(old: &Work, changes: &Changes, options: &Options) -> Result<Rendering> {
    let moving = Moving { old, renames: changes.renames.clone(), options };
    let texts = changes.edits.iter().map(|edit| (edit.path.clone(), edit.after.clone())).collect();
    moving.planned_with(&texts, &changes.created)
}

/// Returns the documents of each file. A shared page has one for each platform. Pages of the original that a translation shows
/// are edited as parts of the original.
fn by_path(work: &Work) -> SortedMap<&SitePath, Vec<DocumentId>> {
    let mut by_path: SortedMap<&SitePath, Vec<DocumentId>> = SortedMap::new();
    let own = work.project.site.documents.indexed().filter(|(_, document)| document.foreign.is_none());
    for (id, document) in own {
        by_path.entry(&document.path).or_default().push(id);
    }
    by_path
}

struct Moving<'a> {
    old: &'a Work,
    renames: Vec<Move>,
    options: &'a Options,
}

impl Moving<'_> {
    fn text(&self, path: &SitePath) -> String {
        self.old.project.sources.whole().text(path).map(|text| text.text().into_owned()).unwrap_or_default()
    }

    /// Returns the texts that changed.
    fn edits(&self, texts: &SortedMap<SitePath, String>) -> impl Iterator<Item = Edited> {
        let edit = |(path, after): (&SitePath, &String)| {
            let before = self.text(path);
            (before != *after).then(|| Edited { path: path.clone(), before, after: after.clone() })
        };
        texts.iter().filter_map(edit)
    }

    /// Returns the site with its files at their new paths and with these texts, which are given by old path.
    fn planned(&self, texts: &SortedMap<SitePath, String>) -> Result<Rendering> {
        self.planned_with(texts, &[])
    }

    fn planned_with(&self, texts: &SortedMap<SitePath, String>, created: &[Created]) -> Result<Rendering> {
        let mut sources = Sources::clone(self.old.project.sources.whole());
        let moved = |(path, text): (SitePath, Text)| {
            let to = present(&self.renames, &path);
            let new = match texts.get(&path) {
                Some(text) => Text::new(to.clone(), text.clone().into_bytes()),
                None if to == path => text,
                None => {
                    let mut new = Text::new(to.clone(), text.text().into_owned().into_bytes());
                    new.invalid = text.invalid;
                    new
                }
            };
            (to, new)
        };
        sources.pages = std::mem::take(&mut sources.pages).into_iter().map(moved).collect();
        for Created { path, text } in created {
            let text = Text::new(path.clone(), text.clone().into_bytes());
            sources.pages.insert(path.clone(), text);
        }
        sources.config = sources.config.take().map(|text| moved((text.path.clone(), text)).1);
        let asset = |(path, asset): (SitePath, Asset)| {
            let path = present(&self.renames, &path);
            (path.clone(), Asset { path, ..asset })
        };
        sources.assets = std::mem::take(&mut sources.assets).into_iter().map(asset).collect();
        let cache = Cache::default();
        let sources = pipeline::with_parts(sources, &cache)?;
        Ok(pipeline::plan(sources, self.options, &cache)?.0)
    }

    /// Returns the correspondence of documents on the site with moved files, in the language of `old`, or why it is unclear.
    fn places<'w>(
        &'w self,
        old: &'w Work,
        new: &'w Rendering,
    ) -> std::result::Result<Correspondence<'w>, String> {
        let new = in_language_of(old, new).ok_or("the languages of the site would be others")?;
        let key = |document: &Document, path: SitePath| {
            let (holder, root) = (document.shared().map(|it| it.0), document.platform_root());
            let platform = holder.zip(root).and_then(|(holder, root)| root.strip_prefix(holder));
            (path, platform.map(|it| it.trim_matches('/').to_string()))
        };
        let site = &new.project.site;
        let by_key: SortedMap<_, DocumentId> =
            site.documents.indexed().map(|(id, it)| (key(it, it.path.clone()), id)).collect();
        let documents = &old.project.site.documents;
        let pair = |document: &Document| {
            let to = present(&self.renames, &document.path);
            by_key
                .get(&key(document, to.clone()))
                .copied()
                .ok_or_else(|| format!("`{}` would belong to another platform at `{to}`", document.path))
        };
        let pairs: IndexVec<DocumentId, DocumentId> = documents
            .iter()
            .map(|document| pair(document))
            .collect::<std::result::Result<Vec<_>, _>>()?
            .into();
        Ok(Correspondence::new(old, new, pairs, &self.renames))
    }
}

/// Returns the site in the language of another one.
fn in_language_of<'w>(old: &Work, new: &'w Rendering) -> Option<&'w Work> {
    let tag = |work: &Work| work.project.sources.view.as_ref().map(|view| view.language().tag.clone());
    new.languages().map(|work| &**work).find(|work| tag(work) == tag(old))
}

/// Returns a page with links that have the same targets as before.
fn relinked(old: &Work, documents: &[DocumentId], text: &str, places: &Correspondence<'_>) -> String {
    let mut text = with_links(old, documents, text, |id, target| places.relinked(id, target));
    for &id in documents {
        for (key, target) in places.named_in_front(id) {
            text = with_value(&text, key, &target);
        }
    }
    text
}

/// Replaces the targets of a page's links, images and redirect. `target` returns the new target for a document, if it
/// changes. A shared page must have the same text for all platforms.
fn with_links(
    old: &Work,
    documents: &[DocumentId],
    text: &str,
    target: impl Fn(DocumentId, &str) -> Option<String>,
) -> String {
    let mut text = text.to_string();
    for &id in documents {
        let document = old.project.site.document(id);
        let before = document.body.min(text.len());
        text = with_targets(&text, before, &document.edition, |written| target(id, written));
        let redirect = document.front.redirect.as_deref().zip(document.front.redirect_span.clone());
        if let Some((written, span)) = redirect
            && document.body == before
            && let Some(target) = target(id, written)
            && let Some(value) = text.get(span.clone())
        {
            let value = value.replacen(written, &target, 1);
            text.replace_range(span, &value);
        }
    }
    text
}

/// Replaces the value of a front matter key, if it is on the same line.
fn with_value(text: &str, key: &str, (old, new): &(&str, String)) -> String {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let value = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(':'));
        if let Some(value) = value.filter(|value| value.contains(old)) {
            let start = at + line.len() - value.len();
            return format!("{}{}{}", &text[..start], value.replacen(old, new, 1), &text[at + line.len()..]);
        }
        at += line.len();
    }
    text.to_string()
}

pub(crate) fn refused(path: &SitePath, why: &str) -> Error {
    Error::usage(format!("cannot move `{path}`: {why}"))
}

/// Refuses files that aren't part of the site, and destinations outside it.
fn refuse(sources: &Sources, renames: &[Move]) -> Result<()> {
    let repository = &sources.repository;
    for it in renames {
        if it.from == it.to || site_path::is_inside(it.to.as_str(), it.from.as_str()) {
            return Err(refused(&it.from, "it would move into itself; choose another path"));
        }
        let holds =
            |folder: &&str| **folder == *it.from.as_str() || site_path::is_inside(folder, it.from.as_str());
        if let Some(folder) = repository.folders().iter().find(|folder| holds(folder)) {
            let why = format!("`{folder}` contains the sources of the site; move its contents instead");
            return Err(refused(&it.from, &why));
        }
        let is_moved = |path: &SitePath| it.apply(path.as_str()).is_some();
        if let Some((path, _)) = sources.links.iter().find(|(path, own)| is_moved(path) || is_moved(own)) {
            let why = format!("a symbolic link gives it several paths, such as `{path}`; move it by hand");
            return Err(refused(&it.from, &why));
        }
        if let Some(path) = sources.beside.keys().find(|path| is_moved(path)) {
            let why = format!("pages include code from `{path}`; move it by hand and update these pages");
            return Err(refused(&it.from, &why));
        }
        let pages = sources.pages.keys().map(|path| (path, true));
        let files = pages.chain(sources.assets.keys().map(|path| (path, false)));
        let mut files = files.filter(|(path, _)| is_moved(path)).peekable();
        if files.peek().is_none() {
            return Err(refused(
                &it.from,
                "it is not a page, image, or other file of the site, and no folder of such",
            ));
        }
        for (path, is_page) in files {
            let to = present(renames, path);
            if sources.pages.contains_key(&to) || sources.assets.contains_key(&to) {
                return Err(refused(path, &format!("`{to}` already exists; choose another path")));
            }
            let is_published = repository.published_file(to.as_str()).is_some();
            if !is_admitted_by_name(repository, to.as_str())
                || repository.is_page(to.as_str()) != is_page
                || !is_published
            {
                let why = if is_page {
                    format!(
                        "`{to}` would not be a page; pages are in `{}` and end in `.md`",
                        repository.content.path
                    )
                } else {
                    format!("`{to}` would not be published; files are in `static` or next to pages")
                };
                return Err(refused(path, &why));
            }
        }
    }
    Ok(())
}
