//! Adds a step to a family: a page on each of its platforms, in the same folder as the pages of other steps, and with
//! the same naming.
//!
//! In: a planned site, and a [`NewStep`]. Out: [`Changes`]: the new pages, and the renumbering that they require:
//! `order` in front matter, number prefixes, the list of steps in `stepkin.toml`. Later steps are renumbered only up
//! to the next gap. Nothing is written here. The site is planned again and compared: if the pages wouldn't be one
//! step at the requested position, the result is a reason instead of changes.

use std::ops::Range;

use crate::app::moving::{self, Changes, Created, Edited, Move};
use crate::output::pipeline::Options;
use crate::output::render::Rendering;
use base::diagnostic::unknown;
use base::error::{Error, Result};
use base::index::IndexVec;
use base::language::LanguageTag;
use base::names;
use base::site_path::{self, CONFIG, SitePath};
use base::sort::StableSort as _;
use base::sorted::SortedMap;
use input::config;
use input::conventions::{OURS, without_number};
use input::source::{Sources, Text};
use review::translations;
use site::content::{
    Document, DocumentId, Family, FamilyId, NewFrontMatter, Platform, PlatformIx, in_our_form, name_in_list,
    number_mark, title_number, with_title_number,
};
use site::family::RowIx;
use site::languages::{Counterpart, Counterparts};
use site::work::Work;

/// A translation to create.
#[derive(Debug)]
pub struct NewTranslation {
    pub created: Created,
    /// Whether it is pinned to its original.
    pub has_pin: bool,
    /// The change that declares the language in the configuration, if it is the first page in it.
    pub config: Option<Changes>,
}

/// Returns the translation of a page into a language: a copy with the pin of its original. A Stepkin site gets a folder for a
/// new language.
///
/// # Errors
///
/// If the language is unknown, the page is none of the original, or the language has it already.
pub fn translation(sources: &Sources, language: &str, original: &SitePath) -> Result<NewTranslation> {
    let (with, config) = language_begun(sources, language).unzip();
    let sources = with.as_ref().unwrap_or(sources);
    let none = || {
        let text = "the site has no translations; name the directory of the language with `[languages.ja]` and `folder = \"…\"` in stepkin.toml";
        Error::usage(text.to_string())
    };
    let languages = sources.languages().ok_or_else(none)?;
    let known: Vec<&str> = languages.translations.iter().map(|it| it.tag.as_str()).collect();
    let index = languages.named(language).ok_or_else(|| unknown("language", language, &known))?;
    let name = &languages.translations[index].name;
    let refused = |why: String| Error::usage(format!("cannot translate `{original}` into {name}: {why}"));
    let counterparts = Counterparts::of(sources);
    if let Some(pair) = counterparts.pairs.iter().find(|pair| pair.translation == *original) {
        return Err(refused(format!("it is a translation of `{}`; use that page", pair.original)));
    }
    if !counterparts.originals.contains(original) {
        return Err(refused("the site has no such page".to_string()));
    }
    let of_page = |pair: &&Counterpart| pair.original == *original && pair.language == index;
    if let Some(pair) = counterparts.pairs.iter().find(of_page) {
        return Err(refused(format!("`{}` is its translation", pair.translation)));
    }
    let path = languages.path_for(index, original.as_str());
    let path = path.ok_or_else(|| refused("no folder of the language belongs to it".to_string()))?;
    let (text, has_pin) = translations::begun(sources, languages, original)
        .ok_or_else(|| refused("the site has no such page".to_string()))?;
    Ok(NewTranslation { created: Created { path: path.into(), text }, has_pin, config })
}

/// Returns the sources of a Stepkin site with a new language in its configuration, and the change of that file.
fn language_begun(sources: &Sources, language: &str) -> Option<(Sources, Changes)> {
    let tag = LanguageTag::known(language)?;
    let is_known = sources.languages().is_some_and(|languages| languages.named(language).is_some());
    if is_known || !sources.repository.is_ours() {
        return None;
    }
    let before = sources.config.as_ref().map(|text| text.text().into_owned());
    let folder = sources.repository.content.with(tag.as_str());
    let table = format!("[languages.{tag}]\nfolder = \"{folder}\"\n");
    let after = match before.as_deref().map(str::trim_end) {
        None | Some("") => table,
        Some(text) => format!("{text}\n\n{table}"),
    };
    config::parse(&after).ok()?;
    let mut with = sources.clone();
    with.config = Some(Text::new(CONFIG.into(), after.clone().into_bytes()));
    with.find_languages();
    let (path, mut changes) = (SitePath::from(CONFIG), Changes::default());
    match before {
        Some(before) => changes.edits.push(Edited { path, before, after }),
        None => changes.created.push(Created { path, text: after }),
    }
    Some((with, changes))
}

/// The step to add.
#[derive(Clone, Debug)]
pub struct NewStep<'a> {
    pub family: FamilyId,
    /// Its path without the platform, such as `install` or `users/identify`. A name alone is in the folder of the
    /// previous step.
    pub name: &'a str,
    /// If `None`, it is derived from the name.
    pub title: Option<&'a str>,
    /// The step after which it is inserted. If `None`, it becomes the last one.
    pub after: Option<RowIx>,
    /// The platforms that get it. All if empty.
    pub platforms: Vec<PlatformIx>,
}

/// Returns the changes that add a step to a Stepkin site. `options` are those with which `old` was planned.
///
/// # Errors
///
/// Why it can't be added: its name, existing files, or the layout of the family's pages.
pub fn plan(old: &Rendering, step: &NewStep<'_>, options: &Options) -> Result<Changes> {
    let adding = Adding { old, step, family: &old.project.site.families[step.family] };
    adding.refuse_name()?;
    let all = adding.family.platforms.indices();
    let slots = all.filter(|platform| step.platforms.is_empty() || step.platforms.contains(platform));
    let slots = slots.map(|platform| adding.slot(platform)).collect::<Result<Vec<_>>>()?;
    let renames: Vec<Move> = slots.iter().flat_map(|slot| slot.renames.clone()).collect();
    let mut changes =
        if renames.is_empty() { Changes::default() } else { moving::plan(old, renames, options)? };
    for (path, (order, document)) in adding.orders(&slots)? {
        let document = old.project.site.document(document);
        let span = document.front.order_span.clone();
        let span =
            span.ok_or_else(|| adding.refused(&format!("the `order` of `{path}` can't be changed")))?;
        let mut edits = vec![(span, order.to_string())];
        edits.extend(counted_title(document, order));
        edits.stable_sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        adding.edit(&mut changes, &path, |text| {
            for (span, new) in &edits {
                text.replace_range(span.clone(), new);
            }
        });
    }
    if let Some((path, at, entry)) = adding.listed(&slots) {
        adding.edit(&mut changes, &path, |text| text.insert_str(at, &entry));
    }
    for slot in &slots {
        changes.created.push(Created { path: slot.path.clone(), text: adding.text(slot) });
    }
    adding.verify(&slots, &changes, options)?;
    Ok(changes)
}

struct Adding<'a> {
    old: &'a Work,
    step: &'a NewStep<'a>,
    family: &'a Family,
}

/// The position of a step on a platform.
struct Slot {
    platform: PlatformIx,
    /// The previous step, if there is one.
    before: Option<DocumentId>,
    /// A step that shows the conventions for pages. It is the platform's own if it has any.
    model: DocumentId,
    path: SitePath,
    /// Its path without the platform.
    key: String,
    /// Its `order`, if the platform's pages have one.
    order: Option<i64>,
    /// Pages and folders to renumber, from the last to the first.
    renames: Vec<Move>,
}

impl Adding<'_> {
    fn refused(&self, why: &str) -> Error {
        Error::usage(format!("cannot add the step `{}` to `{}`: {why}", self.step.name, self.family.id))
    }

    fn refuse_name(&self) -> Result<()> {
        let is_name = |part: &str| {
            part.starts_with(char::is_alphanumeric)
                && part.chars().all(|letter| letter.is_alphanumeric() || "-_.".contains(letter))
                && !part.ends_with(".md")
        };
        if self.step.name.split('/').all(is_name) && self.step.name.rsplit('/').next() != Some("index") {
            return Ok(());
        }
        let parts = self.step.name.trim_end_matches(".md").split('/').map(base::address::slug_of);
        let near: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        let hint = if near.is_empty() { "install".to_string() } else { near.join("/") };
        Err(self.refused(&format!("use the page name without an extension, such as `{hint}`")))
    }

    fn slot(&self, platform: PlatformIx) -> Result<Slot> {
        let its = &self.family.platforms[platform];
        let steps = &its.steps;
        let rows = self.old.project.families.rows(self.step.family);
        let before = match self.step.after {
            None => steps.iter().last().copied(),
            Some(after) => {
                let until: IndexVec<RowIx, _> =
                    rows.indexed().take_while(|(row, _)| *row <= after).map(|(_, row)| row).collect();
                until.iter().rev().find_map(|row| row.steps[platform])
            }
        };
        let is_own = |id: &DocumentId| {
            let key = its.keys.iter().zip(steps).find(|(_, step)| *step == id).map(|(key, _)| key.as_str());
            !self.old.project.site.document(*id).is_shared() && key.is_some_and(|key| !key.is_empty())
        };
        let model = before.filter(is_own).or_else(|| steps.iter().copied().find(is_own));
        let model = model.or_else(|| steps.iter().next().copied());
        let model =
            model.ok_or_else(|| self.refused(&format!("`{}` has no step to use as a model", its.id)))?;
        let (path, key, renames) = self.path(its, before, model)?;
        let sources = &self.old.project.sources;
        let twin = twin_of(&path);
        for path in [&path, &twin] {
            if sources.pages.contains_key(path) {
                return Err(self.refused(&format!("`{path}` already exists; choose another name")));
            }
        }
        let order = self.order(its, before)?;
        Ok(Slot { platform, before, model, path, key, order, renames })
    }

    /// Returns the path of its page without the platform, and the renames that it requires.
    fn path(
        &self,
        platform: &Platform,
        before: Option<DocumentId>,
        model: DocumentId,
    ) -> Result<(SitePath, String, Vec<Move>)> {
        let site = &self.old.project.site;
        let content = |below: String| SitePath::from(site.repository.content.with(&below));
        let model_below = site.document(model).below();
        let key = platform.keys.iter().zip(&platform.steps).find(|(_, step)| **step == model);
        let key = key.map_or("", |(key, _)| key.as_str());
        let (section, name) = match self.step.name.rsplit_once('/') {
            Some(whole) => whole,
            None => (site_path::parent(key), self.step.name),
        };
        let (_, old_name) = key.rsplit_once('/').unwrap_or(("", key));
        let in_section = |name: &str| match section {
            "" => name.to_string(),
            section => format!("{section}/{name}"),
        };
        if let Some(rest) = model_below.strip_prefix(&format!("{}/", platform.root)) {
            let is_folder = rest.ends_with("/index.md");
            let (name, renames) = if self.step.name.contains('/') {
                (name.to_string(), Vec::new())
            } else {
                self.numbered(platform, before, old_name, name)
            };
            let key = in_section(&name);
            let end = if is_folder { "/index.md" } else { ".md" };
            return Ok((content(format!("{}/{key}{end}", platform.root)), key, renames));
        }
        // A folder for each step, with a page for each platform.
        let by_step = model_below.rsplit_once(&format!("/{old_name}/")).filter(|_| !old_name.is_empty());
        match by_step {
            Some((_, file)) if !self.step.name.contains('/') => {
                let start = &model_below[..model_below.len() - file.len() - old_name.len() - 1];
                Ok((content(format!("{start}{name}/{file}")), in_section(name), Vec::new()))
            }
            _ => {
                let example = &site.document(model).path;
                let why = format!("the location can't be derived from `{example}`; create the files by hand");
                Err(self.refused(&why))
            }
        }
    }

    /// Returns the name with a number prefix, if adjacent names have one, and the names to renumber.
    fn numbered(
        &self,
        platform: &Platform,
        before: Option<DocumentId>,
        old_name: &str,
        name: &str,
    ) -> (String, Vec<Move>) {
        let site = &self.old.project.site;
        let (Some(_), bare) = without_number(old_name) else { return (name.to_string(), Vec::new()) };
        if without_number(name).0.is_some() {
            return (name.to_string(), Vec::new());
        }
        let mark = &old_name[..old_name.len() - bare.len()];
        let digits = mark.chars().take_while(char::is_ascii_digit).count();
        let with = |number: u64, name: &str| format!("{number:0digits$}{}{name}", &mark[digits..]);
        let file = |id: DocumentId| {
            let path = &site.document(id).path;
            let path = path.as_str().strip_suffix("/index.md").unwrap_or(path.as_str());
            let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
            (folder.to_string(), file.to_string())
        };
        let folder = before.map(|id| file(id).0);
        let number = before.and_then(|id| without_number(&file(id).1).0).map_or(1, |number| number + 1);
        let following = platform.steps.iter().skip_while(|step| before.is_some_and(|id| id != **step));
        let following = following.skip(usize::from(before.is_some()));
        let mut need = number;
        let mut renames = Vec::new();
        for &id in following {
            let (its_folder, its_file) = file(id);
            let (Some(its), _) = without_number(&its_file) else { break };
            if folder.as_ref().is_some_and(|folder| *folder != its_folder) || its > need {
                break;
            }
            need += 1;
            let bare = without_number(&its_file).1;
            let from = SitePath::from(format!("{its_folder}/{its_file}"));
            renames.push(Move { from, to: format!("{its_folder}/{}", with(need, bare)).into() });
        }
        renames.reverse();
        (with(number, name), renames)
    }

    /// Returns its `order`, if the platform's pages have one.
    fn order(&self, platform: &Platform, before: Option<DocumentId>) -> Result<Option<i64>> {
        let site = &self.old.project.site;
        let order = |id: DocumentId| site.document(id).front.order;
        if platform.steps.iter().all(|&id| order(id).is_none()) {
            return Ok(None);
        }
        let Some(before) = before else {
            let first = platform.steps.iter().find_map(|&id| order(id)).unwrap_or(1.0);
            return Ok(Some(whole(first.min(1.0))));
        };
        let before = site.document(before);
        let Some(order) = before.front.order else {
            return Err(self.refused(&format!("`{}` has no `order` to continue from; add one", before.path)));
        };
        Ok(Some(whole(order) + 1))
    }

    /// Returns the pages to renumber, by path, with their old and new `order`.
    fn orders(&self, slots: &[Slot]) -> Result<SortedMap<SitePath, (i64, DocumentId)>> {
        let site = &self.old.project.site;
        let mut orders: SortedMap<SitePath, (i64, DocumentId)> = SortedMap::new();
        for slot in slots {
            let Some(mut need) = slot.order else { continue };
            let steps = &self.family.platforms[slot.platform].steps;
            let later = steps.iter().skip_while(|step| slot.before.is_some_and(|before| before != **step));
            for &id in later.skip(usize::from(slot.before.is_some())) {
                let document = site.document(id);
                let Some(order) = document.front.order else { break };
                #[expect(clippy::cast_precision_loss, reason = "no step has a number yet")]
                if order > need as f64 {
                    break;
                }
                need += 1;
                let known = orders.insert(document.path.clone(), (need, id));
                if known.is_some_and(|(other, _)| other != need) {
                    let why = format!(
                        "platforms share `{}`, which would get two positions; change `order` by hand",
                        document.path
                    );
                    return Err(self.refused(&why));
                }
            }
        }
        Ok(orders)
    }

    /// Returns the insertion into the configuration's list of steps: its path, the position, and the text.
    fn listed(&self, slots: &[Slot]) -> Option<(SitePath, usize, String)> {
        let site = &self.old.project.site;
        let text = self.old.project.sources.config.as_ref()?;
        let declared = site.config.families.declared.iter().find(|family| family.id == self.family.id)?;
        let slot = slots.first()?;
        let before = self.key_of(slot.platform, slot.before?)?;
        let entry = declared.steps.iter().find(|step| name_in_list(step.get_ref()) == before)?;
        let (at, more) = moving::listed_behind(&text.text(), entry, &slot.key);
        Some((text.path.clone(), at, more))
    }

    fn key_of(&self, platform: PlatformIx, id: DocumentId) -> Option<&str> {
        let platform = &self.family.platforms[platform];
        let known = platform.keys.iter().zip(&platform.steps).find(|(_, step)| **step == id);
        known.map(|(key, _)| key.as_str())
    }

    fn edit(&self, changes: &mut Changes, path: &SitePath, change: impl FnOnce(&mut String)) {
        if let Some(edit) = changes.edits.iter_mut().find(|edit| edit.path == *path) {
            change(&mut edit.after);
            return;
        }
        let text = self.old.project.sources.text(path);
        let before = text.map(|text| text.text().into_owned()).unwrap_or_default();
        let mut after = before.clone();
        change(&mut after);
        changes.edits.push(Edited { path: path.clone(), before, after });
        changes.edits.stable_sort_by(|one, other| one.path.cmp(&other.path));
    }

    /// Returns the text of the page: only a title, in the form that the others use.
    fn text(&self, slot: &Slot) -> String {
        let model = self.old.project.site.document(slot.model);
        let name = site_path::file_name(self.step.name);
        let title = self.step.title.map_or_else(|| names::of_segment(without_number(name).1), str::to_string);
        let title = match (number_mark(&model.title), title_offset(model), slot.order) {
            // For example `Step 4. Connect` after `Step 3. Install`.
            (Some(mark), Some(offset), Some(order)) if title_number(&title).is_none() => {
                format!("{}{title}", with_title_number(mark, order - offset))
            }
            _ => title,
        };
        let order = slot.order.and_then(|order| usize::try_from(order).ok());
        let is_heading = model.front.title.is_none() && order.is_none();
        let text = if is_heading {
            format!("# {title}\n")
        } else {
            let front = NewFrontMatter { title, order, ..NewFrontMatter::default() };
            format!("{}\n", in_our_form("", OURS, &front))
        };
        if model.text().contains("\r\n") { text.replace('\n', "\r\n") } else { text }
    }

    fn verify(&self, slots: &[Slot], changes: &Changes, options: &Options) -> Result<()> {
        let new = moving::planned(self.old, changes, options)?;
        let site = &new.project.site;
        let mut row = None;
        for slot in slots {
            let name = &self.family.platforms[slot.platform].id;
            let id = site.documents.position(|document| document.path == slot.path);
            let place = id.and_then(|id| site.place(id)).filter(|place| site.platform_of(*place).id == *name);
            let Some(place) = place.filter(|place| site.family_of(*place).id == self.family.id) else {
                return Err(self.refused(&format!("`{}` would not be a step of `{name}`", slot.path)));
            };
            let its = new.project.families.row(place);
            if *row.get_or_insert(its) != its {
                return Err(
                    self.refused("its pages would not become the same step; use another name or title")
                );
            }
            let (before, _) = site.neighbours(place);
            let before = before.map(|id| &site.document(id).path);
            let wanted = slot.before.map(|id| changes.present(&self.old.project.site.document(id).path));
            if before != wanted.as_ref() {
                let after = before.map_or("the first".to_string(), |path| format!("after `{path}`"));
                let why = format!(
                    "on `{name}` it would be {after} because steps are sorted by name; use another name or `--after`"
                );
                return Err(self.refused(&why));
            }
        }
        Ok(())
    }
}

/// Returns the difference between the `order` of a step and the number in its title.
fn title_offset(document: &Document) -> Option<i64> {
    Some(whole(document.front.order?) - title_number(&document.title)?)
}

/// Returns the renumbered title of a page with a new `order`: its range in the file, and the new text.
fn counted_title(document: &Document, order: i64) -> Option<(Range<usize>, String)> {
    let number = order - title_offset(document)?;
    let span = document.front.title_span.clone()?;
    let text = document.text();
    let written = text.get(span.clone())?;
    let bare = written.trim_start_matches(['"', '\'']);
    let quote = &written[..written.len() - bare.len()];
    (title_number(bare) == title_number(&document.title))
        .then(|| (span, format!("{quote}{}", with_title_number(bare, number))))
}

/// Returns the other possible path of a step's page: `install/index.md` for `install.md`.
fn twin_of(path: &SitePath) -> SitePath {
    let path = path.as_str();
    match path.strip_suffix("/index.md") {
        Some(folder) => format!("{folder}.md"),
        None => format!("{}/index.md", path.strip_suffix(".md").unwrap_or(path)),
    }
    .into()
}

#[expect(clippy::cast_possible_truncation, reason = "no step has a number yet")]
fn whole(order: f64) -> i64 {
    order.floor() as i64
}
