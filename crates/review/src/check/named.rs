//! Checks pages and files in data: front matter of other generators, lists of pages, menus.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use serde_json::Value;

use super::Evidence;
use super::near::nearest_page;
use super::unread::{Unread, left_out, why_left_out};
use base::address::encode;
use base::diagnostic::{Code, Diagnostic, Problem, distance_within, nearest};
use base::hash::{HashMap, HashSet};
use base::items::only;
use base::site_path::{self, SitePath, on_disk, with_suffix};
use base::sorted::SortedMap;
use base::url::scheme;
use input::conventions::{
    BasePath, DataFile, Extent, NamedTarget, SettingSlip, SlipKind, TargetKind, are_exceptions,
};
use site::content::{Document, name_in_list, names_in_list};
use site::plan::{Destination, Resolver, take_apart};
use site::project::Project;

pub(super) fn missing(project: &Project, evidence: &Evidence) -> Vec<Diagnostic> {
    let repository = &project.site.repository;
    let documents = || project.site.documents.iter().map(|document| &**document);
    let Some(any) = documents().next().filter(|_| !repository.is_ours()) else { return Vec::new() };
    let is_named = documents().any(|document| !document.front.named.is_empty());
    if !is_named && repository.data.is_empty() {
        return Vec::new();
    }
    let world = World::of(project, evidence);
    let mut found = Vec::new();
    for document in documents() {
        let problems = document.front.named.iter().filter_map(|it| world.problem(document, it));
        found.extend(problems.map(|problem| problem.at(&document.path)));
    }
    for data in &repository.data {
        let DataFile { file, is_certain, named, slips } = data;
        found.extend(slips.iter().map(|it| slip(it).at(&file.as_str().into())));
        found.extend(
            world.copied(any, file, named).into_iter().map(|problem| problem.at(&file.as_str().into())),
        );
        let problems = named.iter().filter_map(|it| Some(from_root(world.problem(any, it)?, it)));
        let problems: Vec<Problem> = problems.collect();
        if are_few(data, problems.len()) {
            // A program may write them.
            let may_differ = repository.is_programmed || file.contains("/src/") && !file.ends_with(".md");
            let certain = |problem: Problem| if may_differ { problem.as_warning() } else { problem };
            found.extend(problems.into_iter().map(|problem| certain(problem).at(&file.as_str().into())));
        } else if *is_certain {
            found.extend(
                most_missing(&problems, named.len()).map(|problem| problem.at(&file.as_str().into())),
            );
        }
    }
    found
}

/// Completes the target of a link in data, which is relative to the root of the site, with its slash.
fn from_root(problem: Problem, named: &NamedTarget) -> Problem {
    match problem.target.clone() {
        Some(target) if named.names == TargetKind::Link && !target.starts_with(['/', '.']) => {
            problem.target(format!("/{target}"))
        }
        _ => problem,
    }
}

/// Reports a mistake in a generator's configuration.
fn slip(SettingSlip { kind, span }: &SettingSlip) -> Problem {
    let (code, message, help) = match kind {
        SlipKind::Unknown { noun, name, meant } => (
            Code::UnknownKey,
            format!("unknown {noun} `{name}` in the generator's configuration"),
            meant.as_ref().map(|meant| format!("did you mean `{meant}`?")),
        ),
        SlipKind::Wrong { message, help } => (Code::UnusualValue, message.clone(), Some(help.clone())),
        SlipKind::MissingFile { path } => (Code::MissingFile, format!("file `{path}` doesn't exist"), None),
        SlipKind::Invalid { format, reason } => {
            (Code::InvalidData, format!("the file isn't valid {format}: {reason}"), None)
        }
    };
    let problem = Problem::new(code, span.clone(), message).help(help);
    // Parsers of YAML differ, and a program may write a file.
    let is_doubtful = matches!(kind, SlipKind::Invalid { format: "YAML", .. } | SlipKind::MissingFile { .. });
    if is_doubtful { problem.as_warning() } else { problem }
}

/// Whether few targets in a file are missing. If many are, the file has another purpose or refers to files outside this repository.
fn are_few(DataFile { is_certain, named, .. }: &DataFile, missing: usize) -> bool {
    let is_few = if *is_certain { 2 * missing < named.len() } else { 10 * missing <= named.len() };
    is_few || *is_certain && missing == 1
}

/// Reports a name in a list that is a program, if it belongs to no page and resembles that of the only page with such a name that the
/// list lacks, or if the same function gets names of pages nearly everywhere else. Functions may complete names, so others aren't known
/// to be pages.
pub(super) fn misspelled(project: &Project) -> Vec<Diagnostic> {
    const SHORTEST: usize = 6;
    let repository = &project.site.repository;
    let list = &project.sources.navigation.list;
    let Some(file) = repository.navigation.as_ref().filter(|_| list.extent == Extent::Unknown) else {
        return Vec::new();
    };
    let Some(text) = project.sources.beside.get(&SitePath::from(file.as_str())).map(|it| it.text()) else {
        return Vec::new();
    };
    // The pages that a list names as data are checked.
    if repository.data.iter().any(|it| it.file == *file && it.named.len() >= list.pages.len()) {
        return Vec::new();
    }
    let listed: HashSet<&str> = list.pages.iter().map(|page| site_path::file_name(page)).collect();
    let names: Vec<String> =
        project.site.documents.iter().flat_map(|it| names_in_list(it, repository)).collect();
    let names: HashSet<&str> = names.iter().map(|name| site_path::file_name(name)).collect();
    let lacking: Vec<&str> = names.difference(&listed).copied().collect();
    let problem = |page: &str| {
        let name = site_path::file_name(page);
        let near = lacking.iter().filter(|it| distance_within(it, name, 1) == Some(1));
        let meant = only(near).filter(|_| name.len() >= SHORTEST)?;
        let places = text.match_indices(page).filter(|(at, _)| text[..*at].ends_with(['"', '\'']));
        let (at, _) = only(places)?;
        let message = format!("no page has the name `{name}`, and the list lacks `{meant}`");
        let problem = Problem::new(Code::MissingPage, at..at + page.len(), message).as_warning();
        Some(problem.help(format!("did you mean `{}`?", page.replace(name, meant))).at(&file.as_str().into()))
    };
    // Those that the list names as data are looked up.
    let data = repository.data.iter().filter(|it| it.file == *file);
    let looked_up: HashSet<&str> =
        data.flat_map(|it| &it.named).map(|it| it.target.trim_matches('/')).collect();
    let unknown = list.pages.iter().filter(|page| !names.contains(site_path::file_name(page)));
    let unknown = unknown.filter(|page| !looked_up.contains(page.trim_matches('/')));
    let mut found: Vec<Diagnostic> = unknown.filter_map(|page| problem(page)).collect();
    let is_new = |place: &Range<usize>| found.iter().all(|it| it.problem.span != *place);
    let in_calls = names_in_calls(&text, |page| names.contains(site_path::file_name(page)));
    let in_calls = in_calls.into_iter().filter(|(place, ..)| is_new(place)).map(|(place, call, others)| {
        let name = site_path::file_name(&text[place.clone()]);
        let message =
            format!("no page has the name `{name}`, and `{call}` names pages in {others} other places");
        Problem::new(Code::MissingPage, place, message).as_warning().at(&file.as_str().into())
    });
    let in_calls: Vec<Diagnostic> = in_calls.collect();
    found.extend(in_calls);
    found
}

/// Returns the few names that aren't pages in calls such as `Page({ slug: "install" })`, each with the name of the function and the
/// number of its calls with a page.
fn names_in_calls(text: &str, is_page: impl Fn(&str) -> bool) -> Vec<(Range<usize>, &str, usize)> {
    /// Maximum number of names that belong to no page, and minimum number of others.
    const MOST: usize = 2;
    const FEWEST: usize = 20;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut calls: SortedMap<(&str, &str), Vec<Range<usize>>> = SortedMap::new();
    for (at, sign) in text.match_indices("({") {
        let before = &text[..at];
        let function = &before[before.trim_end_matches(is_part).len()..];
        let Some((key, value)) = text[at + sign.len()..].split_once(':') else { continue };
        let value = value.trim_start();
        let Some(quote) = value.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else { continue };
        let Some(length) = value[1..].find(quote) else { continue };
        let start = value.as_ptr() as usize + 1 - text.as_ptr() as usize;
        calls.entry((function, key.trim())).or_default().push(start..start + length);
    }
    let few =
        calls.into_iter().filter(|((function, key), _)| !function.is_empty() && key.chars().all(is_part));
    let few = few.flat_map(|((function, _), places)| {
        let (pages, others): (Vec<_>, Vec<_>) =
            places.into_iter().partition(|place| is_page(text[place.clone()].trim_end_matches('/')));
        let are_few = others.len() <= MOST && pages.len() >= FEWEST;
        others.into_iter().filter(move |_| are_few).map(move |place| (place, function, pages.len()))
    });
    few.collect()
}

/// Reports the missing pages among the values of a front matter key, if nearly all others are pages.
pub(super) fn missing_in_front(project: &Project) -> Vec<Diagnostic> {
    /// Minimum number of values that are pages.
    const FEWEST: usize = 5;
    fn texts<'v>(path: String, value: &'v Value, found: &mut Vec<(String, &'v str)>) {
        match value {
            Value::String(text) => found.push((path, text)),
            Value::Array(items) => items.iter().for_each(|it| texts(path.clone(), it, found)),
            Value::Object(keys) => {
                keys.iter().for_each(|(key, it)| texts(format!("{path}.{key}"), it, found));
            }
            _ => {}
        }
    }
    /// The number of pages and the other values, by key.
    type Uses<'p> = SortedMap<String, (usize, Vec<(&'p Document, &'p str)>)>;
    if project.site.repository.is_ours() {
        return Vec::new();
    }
    let resolver = project.resolver();
    let is_page = |document: &Document, target: &str| {
        [target.to_string(), format!("/{target}")]
            .iter()
            .any(|it| !matches!(resolver.resolve(document, it), Destination::Missing { .. }))
    };
    let mut uses = Uses::new();
    for document in project.site.documents.iter().map(|document| &**document) {
        let named: HashSet<&str> = document.front.named.iter().map(|it| it.target.as_str()).collect();
        for (key, value) in &document.front.extra {
            let mut found = Vec::new();
            texts(key.clone(), value, &mut found);
            for (key, target) in found.into_iter().filter(|(_, it)| !named.contains(it)) {
                let path = take_apart(target).path;
                let is_file = path.ends_with(".md") || path.ends_with(".mdx");
                let is_address = path.contains('/') && !site_path::file_name(path).contains('.');
                if scheme(target).is_some() || target.contains([' ', '*', '{']) || !(is_file || is_address) {
                    continue;
                }
                let (pages, others) = uses.entry(key).or_default();
                if is_page(document, target) {
                    *pages += 1;
                } else {
                    others.push((document, target));
                }
            }
        }
    }
    let missing =
        uses.into_values().filter(|(pages, others)| *pages >= FEWEST && are_exceptions(others.len(), *pages));
    let problem = |(document, target): (&Document, &str)| {
        let text = document.text();
        let at = text.get(..document.body)?.find(target)?;
        let message = format!("page `{target}` doesn't exist");
        let problem =
            Problem::new(Code::MissingPage, at..at + target.len(), message).target(target).as_warning();
        let files = project
            .sources
            .pages
            .keys()
            .filter_map(|path| project.site.repository.below_content(path.as_str()));
        let near = nearest(take_apart(target).path, files).map(|near| format!("did you mean `{near}`?"));
        Some(problem.help(near).at(&document.path))
    };
    missing.flat_map(|(_, others)| others).filter_map(problem).collect()
}

/// Reports pages that readers see twice in the same group of the list.
pub(super) fn repeated(project: &Project) -> Vec<Diagnostic> {
    let Some(file) = &project.site.repository.navigation else { return Vec::new() };
    let problem = |it: &NamedTarget| {
        let message = format!("`{}` is listed twice in the same group", it.target);
        let problem = Problem::new(Code::UnusualValue, it.span.clone(), message).as_warning();
        problem.help("remove one of the two".to_string()).at(&file.as_str().into())
    };
    project.sources.navigation.list.repeated.iter().map(problem).collect()
}

/// Returns the addresses of the missing pages in lists with many of them.
pub(super) fn unwritten(project: &Project, evidence: &Evidence) -> Vec<String> {
    let repository = &project.site.repository;
    let Some(any) = project.site.documents.iter().next() else { return Vec::new() };
    if !repository.data.iter().any(|it| it.is_certain) {
        return Vec::new();
    }
    let world = World::of(project, evidence);
    let mut found = Vec::new();
    for data in repository.data.iter().filter(|it| it.is_certain) {
        let pages = data.named.iter().filter(|it| matches!(it.names, TargetKind::Page | TargetKind::Source));
        let missing: Vec<&NamedTarget> = pages.filter(|it| world.problem(any, it).is_some()).collect();
        if !are_few(data, missing.len()) {
            let address = |it: &&NamedTarget| {
                let below = it.target.trim().trim_start_matches("./").trim_start_matches('/');
                repository.address(below, None, None).as_str().to_string()
            };
            found.extend(missing.iter().map(address));
        }
    }
    found
}

/// Returns one finding for a list with many missing targets, which may belong to another site.
fn most_missing(problems: &[Problem], count: usize) -> Option<Problem> {
    let first = problems.first()?;
    let message =
        format!("{} of {count} targets in this file don't exist: {}", problems.len(), first.message);
    let help = "if they belong to another site, ignore the file under `[[check.ignore]]`".to_string();
    let problem = Problem::new(first.code, first.span.clone(), message).help(help).as_advice();
    Some(problem.target(first.target.as_deref().unwrap_or_default()))
}

/// Replaces the first folder in which a path differs from another one: `android/end.md` next to `ios/start.md` becomes
/// `ios/end.md`.
fn in_folder_of(other: &str, path: &str) -> Option<String> {
    let mut segments: Vec<&str> = path.split('/').collect();
    let (at, folder) = other.split('/').enumerate().find(|(at, it)| segments.get(*at) != Some(it))?;
    let is_folder = at + 1 < segments.len() && at + 1 < other.split('/').count();
    *segments.get_mut(at)? = folder;
    let meant = segments.join("/");
    (is_folder && !meant.trim_matches('/').is_empty()).then_some(meant)
}

/// The endings that a list of sources may omit.
const ENDINGS: [&str; 6] = ["md", "ipynb", "rst", "txt", "Rmd", "py"];

struct World<'a> {
    project: &'a Project,
    evidence: &'a Evidence,
    resolver: Resolver<'a>,
    unread: Unread,
    /// The names of pages in lists, and those of their folders.
    pages: HashSet<String>,
    folders: HashSet<String>,
    /// All files of the repository, collected on first use.
    files: OnceCell<Vec<String>>,
}

impl<'a> World<'a> {
    fn of(project: &'a Project, evidence: &'a Evidence) -> Self {
        let repository = &project.site.repository;
        let names = project.site.documents.iter().flat_map(|document| names_in_list(document, repository));
        let pages: HashSet<String> = names.collect();
        let folders =
            pages.iter().flat_map(|page| page.match_indices('/').map(|(end, _)| page[..end].to_string()));
        Self {
            project,
            evidence,
            resolver: project.resolver(),
            unread: Unread::of(&project.sources, &project.site),
            folders: folders.collect(),
            pages,
            files: OnceCell::new(),
        }
    }

    fn problem(&self, from: &Document, named: &NamedTarget) -> Option<Problem> {
        let target = named.target.trim();
        let aliases = &self.project.site.repository.path_aliases;
        let is_file =
            named.names == TargetKind::Image && aliases.iter().any(|(alias, _)| target.starts_with(&**alias));
        if scheme(target).is_some()
            || target.contains(['{', '$', '*', '<'])
            || target.starts_with(['#', '~', '@']) && !is_file
        {
            return None;
        }
        // In VitePress, `next` is a link or its text.
        if named.names == TargetKind::Link && !target.contains('/') && !target.contains('.') {
            return None;
        }
        match named.names {
            TargetKind::Link => self.link(from, target),
            TargetKind::Page => self.page(target),
            TargetKind::Folder => Some(self.folder(target)),
            TargetKind::Source => self.source(target),
            TargetKind::Image => self.image(from, target),
            TargetKind::Layout => return self.layout(named),
        }
        .map(|(code, what, help)| {
            let message = format!("{what} `{target}` doesn't exist");
            // Templates add the base path, so it is a part of the address.
            let base = self.resolver.config.base_path();
            let is_added = self.project.site.repository.convention.base == BasePath::AddedToData
                && named.names == TargetKind::Link;
            let added = if is_added && self.resolver.below_base(target).is_none() { base } else { "" };
            Problem::new(code, named.span.clone(), message).help(help).target(format!("{added}{target}"))
        })
    }

    /// Reports an entry of a list that repeats another one, although the entry next to it shows which page is meant: a second
    /// `android/end.md` after `ios/start.md`, if `ios/end.md` exists and isn't listed.
    fn copied(&self, from: &Document, file: &str, named: &[NamedTarget]) -> Vec<Problem> {
        let of_pages = named
            .iter()
            .filter(|it| matches!(it.names, TargetKind::Page | TargetKind::Source | TargetKind::Link));
        let of_pages: Vec<&NamedTarget> = of_pages.collect();
        let mut counts: HashMap<&str, usize> = HashMap::default();
        for it in &of_pages {
            *counts.entry(it.target.trim()).or_default() += 1;
        }
        let of_pair = |pair: &[&NamedTarget]| {
            let [before, it] = pair else { return None };
            let (before, target) = (before.target.trim(), it.target.trim());
            let meant = (counts[target] > 1).then(|| in_folder_of(before, target))??;
            let meant = NamedTarget { target: meant, ..(*it).clone() };
            if counts.contains_key(&*meant.target) || self.problem(from, &meant).is_some() {
                return None;
            }
            let message = format!("`{target}` is listed twice, and `{}` isn't", meant.target);
            let help = format!("did you mean `{}`?", meant.target);
            Some(Problem::new(Code::UnusualValue, it.span.clone(), message).help(help).as_warning())
        };
        // One that directly follows itself is meant as another page, unless it is the first in its group.
        let text = self.project.sources.text(&file.into()).map(|it| it.text()).unwrap_or_default();
        let is_beside = |pair: &[&NamedTarget]| {
            let between = text.get(pair[0].span.end..pair[1].span.start);
            between.is_some_and(|it| !it.contains('['))
        };
        let known = &self.project.sources.navigation.list.repeated;
        let is_repeated = |pair: &&[&NamedTarget]| {
            let is_known = known.iter().any(|it| it.span == pair[1].span);
            pair[0].target.trim() == pair[1].target.trim() && is_beside(pair) && !is_known
        };
        let repeated = of_pages.windows(2).filter(is_repeated);
        let repeated = only(repeated).map(|pair| {
            let message = format!("`{}` is also the target of the entry before", pair[1].target.trim());
            let help = "use the page of this entry, or remove one of the two".to_string();
            Problem::new(Code::UnusualValue, pair[1].span.clone(), message).help(help).as_warning()
        });
        of_pages.windows(2).filter_map(of_pair).chain(repeated).collect()
    }

    /// Returns the missing target of a link, and the help.
    fn link(&self, from: &Document, target: &str) -> Option<(Code, &'static str, Option<String>)> {
        let Destination::Missing { path, other, .. } = self.resolver.resolve(from, target) else {
            return None;
        };
        let base = self.resolver.config.base_path();
        // If the site has a base path, its host contains other sites. Jekyll's templates add the base path to data.
        let is_beside = !base.is_empty()
            && matches!(self.project.site.repository.convention.base, BasePath::Written | BasePath::Hosted)
            && target.starts_with('/')
            && self.resolver.below_base(target).is_none();
        let is_known = |path: &Cow<'_, str>| self.evidence.routes.contains(path);
        if is_beside || is_known(&path) || other.as_ref().is_some_and(is_known) {
            return None;
        }
        let is_page = self
            .project
            .site
            .repository
            .convention
            .endings
            .iter()
            .any(|it| path.ends_with(&format!(".{it}")));
        if !is_page && path.rsplit('/').next().is_some_and(|name| name.contains('.')) {
            return (!self.exists(from, target)).then_some((Code::MissingFile, "file", None));
        }
        let help = self.unread.help(&path).or_else(|| {
            let near = nearest_page(self.project, &path)?;
            Some(format!("did you mean `{}{}`?", self.resolver.written_base(target), encode(near)))
        });
        Some((Code::MissingPage, "page", help))
    }

    /// Reports a page that is listed by path if its folder contains other pages, or a page has a similar name.
    fn page(&self, target: &str) -> Option<(Code, &'static str, Option<String>)> {
        let repository = &self.project.site.repository;
        let mut name = name_in_list(target.trim_matches('/'));
        if repository.convention.is_lower_case {
            name = name.to_lowercase();
        }
        let end = format!("/{name}");
        // Each of several sets of pages has its own folder.
        let is_of_set = || !repository.sets.is_empty() && self.pages.iter().any(|page| page.ends_with(&end));
        if self.pages.contains(&name) || is_of_set() || self.evidence.routes.contains(&end) {
            return None;
        }
        // A page of another version isn't meant. One with a longer name was renamed.
        let version = |page: &str| page.split('/').find(|it| site_path::is_version(it)).map(str::to_string);
        let own = version(&name);
        let of_version = || self.pages.iter().map(String::as_str).filter(|page| version(page) == own);
        let goes_on = |page: &&str| {
            let rest = page.strip_prefix(name.as_str()).filter(|rest| !rest.contains('/'));
            rest.is_some_and(|rest| rest.starts_with(['-', '_']))
        };
        let longer = of_version().filter(goes_on);
        let longer = only(longer);
        let near = longer.or_else(|| nearest(&name, of_version()));
        let folder = name.rsplit_once('/').map(|(folder, _)| folder);
        if let Some(file) = left_out(self.project, &name) {
            return Some((Code::MissingPage, "page", Some(why_left_out(self.project, &file))));
        }
        if near.is_none() && folder.is_some_and(|folder| !self.folders.contains(folder)) {
            return None;
        }
        let ending = target.rfind(".md").map_or("", |at| &target[at..]);
        // The list has the name of the file, whose front matter contains another ID.
        let of_file = self.project.site.documents.iter().find(|it| name_in_list(it.below()) == name);
        let with_id =
            of_file.and_then(|it| it.front.id.as_ref()).map(|id| site_path::join(folder.unwrap_or(""), id));
        let near = with_id.as_deref().or(near);
        let help =
            self.unread.help(&name).or_else(|| near.map(|near| format!("did you mean `{near}{ending}`?")));
        Some((Code::MissingPage, "page", help))
    }

    /// Reports a folder of pages, which is missing.
    fn folder(&self, target: &str) -> (Code, &'static str, Option<String>) {
        let near = nearest(target.trim_matches('/'), self.folders.iter().map(String::as_str));
        (Code::MissingPage, "folder", near.map(|near| format!("did you mean `{near}`?")))
    }

    fn source(&self, target: &str) -> Option<(Code, &'static str, Option<String>)> {
        let repository = &self.project.site.repository;
        // It may refer to another book outside the folder of pages.
        if target.starts_with("../") {
            return None;
        }
        let below = target.trim_start_matches("./").trim_start_matches('/');
        let path = repository.content.with(below);
        // A list omits the language of an original's file.
        let suffixed = repository.own_suffix.as_ref().and_then(|own| with_suffix(&path, own));
        let is_file = |path: &str| self.project.sources.text(&path.into()).is_some() || self.is_on_disk(path);
        let is_there = |path: &String| {
            is_file(path) || ENDINGS.iter().any(|ending| is_file(&format!("{path}.{ending}")))
        };
        let mut unread = repository.unread.iter().filter_map(|folder| folder.file_at(below));
        if is_there(&path) || suffixed.as_ref().is_some_and(is_there) || unread.any(|path| is_there(&path)) {
            return None;
        }
        let content = &repository.content;
        // A file that is in no list isn't read.
        let ending = below.rsplit_once('.').map(|(_, ending)| ending);
        let is_alike = |path: &&str| path.rsplit_once('.').map(|(_, ending)| ending) == ending;
        let pages = self.project.sources.pages.keys().filter_map(|path| content.below(path.as_str()));
        let all = || self.files.get_or_init(|| self.project.sources.all_files()).iter();
        let files = || all().filter_map(|path| content.below(path)).filter(is_alike);
        let help = nearest(below, pages).or_else(|| nearest(below, files()));
        let help = help.map(|near| format!("did you mean `{near}`?"));
        Some((Code::MissingPage, "page", help))
    }

    /// Reports a template that the site lacks. Jekyll publishes the text of the page alone.
    fn layout(&self, named: &NamedTarget) -> Option<Problem> {
        let (name, templates) = (named.target.trim(), &self.project.site.repository.page_templates);
        let is_known = matches!(name, "none" | "null" | "nil" | "") || templates.contains(name);
        if templates.is_empty() || is_known {
            return None;
        }
        let near = nearest(name, templates.iter().map(String::as_str));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("add `_layouts/{name}.html`, or a theme to `_config.yml`"),
        };
        let message = format!("there is no layout `{name}`");
        Some(Problem::new(Code::MissingFile, named.span.clone(), message).help(help).as_warning())
    }

    fn image(&self, from: &Document, target: &str) -> Option<(Code, &'static str, Option<String>)> {
        let name = target.split(['?', '#']).next().unwrap_or_default();
        let is_picture =
            PICTURES.iter().any(|it| name.to_ascii_lowercase().ends_with(it)) && name.contains('/');
        let is_there =
            |target: &str| !matches!(self.resolver.resolve(from, target), Destination::Missing { .. });
        let bare = name.trim_start_matches(['.', '/']);
        if !is_picture || is_there(target) || is_there(&format!("/{bare}")) || self.exists(from, name) {
            return None;
        }
        let end = format!("/{bare}");
        // Themes have their own folders for such images.
        let mut assets = self.project.sources.assets.keys();
        if assets.any(|path| path.as_str().ends_with(&end)) || self.evidence.routes.contains(&end) {
            return None;
        }
        let images = self.project.plan.artifacts().map(|(address, _)| address.as_str());
        let images = images.filter(|address| PICTURES.iter().any(|it| address.ends_with(it)));
        let help = nearest(&end, images).map(|near| {
            format!(
                "did you mean `{}`?",
                if target.starts_with('/') { near } else { near.trim_start_matches('/') }
            )
        });
        Some((Code::MissingImage, "image", help))
    }

    /// Whether a file exists anywhere that a generator or theme may look for it.
    fn exists(&self, from: &Document, target: &str) -> bool {
        let repository = &self.project.site.repository;
        let bare = target.trim_start_matches(['.', '/']);
        let beside = repository.path_from(from.path.as_str(), target);
        let folders =
            repository.statics.iter().chain([&repository.content]).filter_map(|it| it.file_at(bare));
        let site =
            ["", "assets/", "src/", "static/", "public/"].map(|folder| match repository.site.as_str() {
                "" => format!("{folder}{bare}"),
                site => format!("{site}/{folder}{bare}"),
            });
        beside.into_iter().chain(folders).chain(site).any(|path| self.is_on_disk(&path))
    }

    fn is_on_disk(&self, path: &str) -> bool {
        let known = SitePath::from(path);
        self.project.sources.assets.contains_key(&known) || on_disk(&self.project.sources.root, path).exists()
    }
}

/// File extensions of images.
const PICTURES: [&str; 8] = [".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".ico"];
