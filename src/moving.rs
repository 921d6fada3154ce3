//! Moves files and folders of a site, so that everything still leads where it led.
//!
//! In: a site as it is planned, and [`Move`]s. Out: [`Changes`]: what is renamed, and the texts that change with it. Nothing
//! is written here. The site is planned anew with its files at their new places; links are written anew only where they would
//! lead elsewhere, and former addresses become aliases. The result is planned once more and compared with the site before:
//! where a link could not be kept, there are no changes but a reason.

mod aliases;
mod places;
mod settings;

use std::collections::BTreeMap;

use self::places::Places;
use crate::cache::Cache;
use crate::content::{Document, DocumentId};
use crate::error::{Error, Result};
use crate::index::IndexVec;
use crate::markdown::with_targets;
use crate::pipeline::{self, Options};
use crate::render::Work;
use crate::site_path::{self, SitePath};
use crate::source::{Asset, Sources, Text, is_admitted_by_name};

/// A file or folder of a site, and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub from: SitePath,
    pub to: SitePath,
}

impl Move {
    /// Where this takes a path; `None` where it does not.
    fn apply(&self, path: &str) -> Option<String> {
        let rest = path.strip_prefix(self.from.as_str())?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{}{rest}", self.to))
    }
}

/// A text that changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// Its path before anything is renamed.
    pub path: SitePath,
    pub before: String,
    pub after: String,
}

/// Everything that moves bring about.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pub renames: Vec<Move>,
    /// By path.
    pub edits: Vec<Edited>,
    /// How many texts are edited for a link or path in them, and not just for their own former address.
    pub relinked: usize,
}

impl Changes {
    /// Where a file is afterwards.
    pub fn present(&self, path: &SitePath) -> SitePath {
        present(&self.renames, path)
    }
}

fn present(renames: &[Move], path: &SitePath) -> SitePath {
    renames.iter().find_map(|it| it.apply(path.as_str())).map_or_else(|| path.clone(), SitePath::from)
}

/// What moves bring about in a site of our own. `options` are those that `old` was planned with.
///
/// # Errors
///
/// Why the files cannot be moved: where they are or go, or a link that would not lead where it led.
pub fn plan(old: &Work, renames: Vec<Move>, options: &Options) -> Result<Changes> {
    refuse(&old.project.sources, &renames)?;
    let moving = Moving { old, renames, options };
    let mut texts = BTreeMap::new();
    if let Some(config) = &old.project.sources.config {
        texts.insert(config.path.clone(), settings::moved(&config.text(), &moving));
    }
    let new = moving.planned(&texts)?;
    let places = moving.places(&new)?;
    for text in old.project.sources.pages.values().filter(|text| text.invalid.is_none()) {
        texts.insert(text.path.clone(), moving.relinked(&text.path, &text.text(), &places));
    }
    let changed = |texts: &BTreeMap<SitePath, String>| {
        let before = |path: &SitePath| moving.text(path);
        texts.iter().filter(|(path, text)| before(path) != **text).count()
    };
    let relinked = changed(&texts);
    for (path, former) in places.former(&moving.renames) {
        let text = texts.get(&path).cloned().unwrap_or_else(|| moving.text(&path));
        texts.insert(path.clone(), former.noted(&path, &text)?);
    }
    let last = moving.planned(&texts)?;
    moving.places(&last)?.verify()?;
    let edits = texts.into_iter().map(|(path, after)| Edited { before: moving.text(&path), path, after });
    let edits = edits.filter(|edit| edit.before != edit.after).collect();
    Ok(Changes { renames: moving.renames, edits, relinked })
}

struct Moving<'a> {
    old: &'a Work,
    renames: Vec<Move>,
    options: &'a Options,
}

impl Moving<'_> {
    fn text(&self, path: &SitePath) -> String {
        self.old.project.sources.text(path).map(|text| text.text().into_owned()).unwrap_or_default()
    }

    /// The site with its files at their new places, and with these texts, by their former paths.
    fn planned(&self, texts: &BTreeMap<SitePath, String>) -> Result<Work> {
        let mut sources = Sources::clone(&self.old.project.sources);
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

    /// Which document is which in the site with its files moved.
    fn places<'w>(&'w self, new: &'w Work) -> Result<Places<'w>> {
        let key = |document: &Document, path: SitePath| {
            let (holder, root) = (document.shared().map(|it| it.0), document.platform_root());
            let platform = holder.zip(root).and_then(|(holder, root)| root.strip_prefix(holder));
            (path, platform.map(|it| it.trim_matches('/').to_string()))
        };
        let site = &new.project.site;
        let by_key: BTreeMap<_, DocumentId> =
            site.documents.indexed().map(|(id, it)| (key(it, it.path.clone()), id)).collect();
        let documents = &self.old.project.site.documents;
        let pair = |document: &Document| {
            let to = present(&self.renames, &document.path);
            by_key.get(&key(document, to.clone())).copied().ok_or_else(|| {
                refused(&document.path, &format!("it would not be the page of the same platform at `{to}`"))
            })
        };
        let pairs: IndexVec<DocumentId, DocumentId> =
            documents.iter().map(|document| pair(document)).collect::<Result<Vec<_>>>()?.into();
        Ok(Places::new(self.old, new, pairs, &self.renames))
    }

    /// A page whose links lead where they led. Of a page that several platforms share all see the same text.
    fn relinked(&self, path: &SitePath, text: &str, places: &Places<'_>) -> String {
        let documents = self.old.project.site.documents.indexed();
        let mut text = text.to_string();
        for (id, document) in documents.filter(|(_, document)| document.path == *path) {
            let target = |target: &str| places.relinked(id, target);
            let before = document.body.min(text.len());
            text = with_targets(&text, before, &document.edition, target);
            let redirect = document.front.redirect.as_deref().zip(document.front.redirect_span.clone());
            if let Some((written, span)) = redirect
                && document.body == before
                && let Some(target) = places.relinked(id, written)
                && let Some(value) = text.get(span.clone())
            {
                let value = value.replacen(written, &target, 1);
                text.replace_range(span, &value);
            }
            for (key, target) in places.named_in_front(id) {
                text = with_value(&text, key, &target);
            }
        }
        text
    }
}

/// The text with another value of a key in its front matter, where that is on the line of the key.
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

fn refused(path: &SitePath, why: &str) -> Error {
    Error::usage(format!("cannot move `{path}`: {why}"))
}

/// Refuses what is no file of the site, and places where it would be none.
fn refuse(sources: &Sources, renames: &[Move]) -> Result<()> {
    let repository = &sources.repository;
    for it in renames {
        if it.from == it.to || site_path::is_inside(it.to.as_str(), it.from.as_str()) {
            return Err(refused(&it.from, "it would go into itself; name another place"));
        }
        let holds =
            |folder: &&str| **folder == *it.from.as_str() || site_path::is_inside(folder, it.from.as_str());
        if let Some(folder) = repository.folders().iter().find(|folder| holds(folder)) {
            let why = format!("`{folder}` holds the sources of the site; move what is in it");
            return Err(refused(&it.from, &why));
        }
        let is_moved = |path: &SitePath| it.apply(path.as_str()).is_some();
        if let Some((path, _)) = sources.links.iter().find(|(path, own)| is_moved(path) || is_moved(own)) {
            let why = format!("a symbolic link gives it several paths, `{path}` is one; move it by hand");
            return Err(refused(&it.from, &why));
        }
        if let Some(path) = sources.beside.keys().find(|path| is_moved(path)) {
            let why = format!("pages take code from `{path}`; move it by hand and change its name there");
            return Err(refused(&it.from, &why));
        }
        let pages = sources.pages.keys().map(|path| (path, true));
        let files = pages.chain(sources.assets.keys().map(|path| (path, false)));
        let mut files = files.filter(|(path, _)| is_moved(path)).peekable();
        if files.peek().is_none() {
            return Err(refused(
                &it.from,
                "it is no page, picture or other file of the site, and no folder of such",
            ));
        }
        for (path, is_page) in files {
            let to = present(renames, path);
            if sources.pages.contains_key(&to) || sources.assets.contains_key(&to) {
                return Err(refused(path, &format!("`{to}` exists already; name another place")));
            }
            let is_published = repository.published_file(to.as_str()).is_some();
            if !is_admitted_by_name(repository, to.as_str())
                || repository.is_page(to.as_str()) != is_page
                || !is_published
            {
                let why = match is_page {
                    true => format!(
                        "`{to}` would be no page; pages are below `{}` and end in `.md`",
                        repository.content.path
                    ),
                    false => {
                        format!("`{to}` would be no published file; these are in `static`, or beside pages")
                    }
                };
                return Err(refused(path, &why));
            }
        }
    }
    Ok(())
}
