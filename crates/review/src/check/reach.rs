//! Finds pages that readers of the original site can't reach: its navigation leaves them out, and no reachable page
//! links to them.
//!
//! Stepkin sites have no such pages, because the generated lists of folders reach every page.
//!
//! References outside texts aren't interpreted as the generator would. Therefore any path in a configuration, a
//! component or front matter counts as a link to every page that it may refer to.

use std::collections::{HashMap, HashSet};

use super::lookup::included;
use super::{Checked, Subject, everywhere};
use base::address::letters;
use base::diagnostic::{Code, Diagnostic, Problem};
use base::site_path::{self, below_root};
use input::conventions::{are_exceptions, document_name};
use markup::markdown::{ReferenceForm, ReferenceKind};
use site::content::{Document, DocumentId, name_in_list, names_in_list, place_in_lists};
use site::plan::{Artifact, Destination, End};
use site::project::Project;

/// Minimum percentage of entries that are pages. If fewer are, the list isn't fully understood.
const UNDERSTOOD: usize = 75;

/// Returns the addresses of pages to which a page links, if the generator's navigation may leave pages out.
pub(super) fn linked_by(subject: &Subject<'_>) -> Vec<String> {
    if subject.document.dialect.is_ours() {
        return Vec::new();
    }
    let links = subject.links_of_kind(ReferenceKind::Link);
    let pages = links.filter_map(|link| match &link.destination {
        Destination::Here(here) => Some(match subject.map.end(here.address) {
            Some(End::Here { address, .. }) => address,
            _ => here.address,
        }),
        _ => None,
    });
    let mut pages: Vec<String> =
        pages.filter(|address| address.is_page()).map(|address| address.as_str().to_string()).collect();
    pages.sort_unstable();
    pages.dedup();
    pages
}

/// In a list, this means that a pattern adds pages to it.
const ANY: &str = "*";

/// Returns the names of the documents in the lists of contents on a page of Sphinx.
pub(super) fn listed_by(subject: &Subject<'_>) -> Vec<String> {
    let folder = site_path::parent(subject.document.below());
    let entries = subject.page.roles.iter().filter(|role| role.form == ReferenceForm::Entry);
    let named = entries.filter_map(|role| {
        let path = match role.target.strip_prefix('/') {
            Some(rest) => below_root(rest),
            None => below_root(&format!("{folder}/{}", role.target)),
        }?;
        Some(document_name(&path).unwrap_or(&path).to_string())
    });
    let mut named: Vec<String> = named.collect();
    if !named.is_empty() || subject.text.contains("{toctree}") {
        let has_patterns = [":glob:", "glob: true"].iter().any(|it| subject.text.contains(it));
        named.extend(has_patterns.then(|| ANY.to_string()));
    }
    named.sort_unstable();
    named.dedup();
    named
}

/// Reports the few pages that no list of contents of a Sphinx site contains. Sphinx warns about them, also if other pages link to them
/// (<https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html#directive-toctree>). Sources that aren't read
/// contain lists, too.
pub(super) fn unlisted(project: &Project, pages: &[&Checked]) -> Vec<Diagnostic> {
    let repository = &project.site.repository;
    let mut listed: HashSet<&str> = pages.iter().flat_map(|it| &it.contents).map(String::as_str).collect();
    if listed.is_empty() || listed.contains(ANY) {
        return Vec::new();
    }
    match &repository.listed_by_unread {
        Some(others) => listed.extend(others.iter().map(String::as_str)),
        None if repository.unread_pages.is_some() => return Vec::new(),
        None => {}
    }
    let included = included(project);
    let documents = project.site.documents.indexed().map(|(id, document)| (id, &**document));
    let is_listed =
        |document: &Document| document_name(document.below()).is_some_and(|name| listed.contains(name));
    let (others, left): (Vec<_>, Vec<_>) = documents
        .filter(|(id, document)| is_to_be_found(project, *id, document) && !included.contains(&document.path))
        .map(|(_, document)| document)
        .partition(|document| is_listed(document));
    if !are_exceptions(left.len(), others.len()) {
        return Vec::new();
    }
    let finding = |document: &Document| {
        let problem = Problem::new(Code::UnreachablePage, document.top(), "no `toctree` contains the page");
        let help =
            format!("add it to a `toctree`; if you want to hide it, {}", repository.convention.left_out.help);
        problem.help(help).at(&document.path)
    };
    left.into_iter().map(finding).collect()
}

/// Reports the unreachable pages.
pub(super) fn unreachable(project: &Project, pages: &[&Checked]) -> Vec<Diagnostic> {
    let repository = &project.site.repository;
    let Some(list) = &repository.navigation else { return Vec::new() };
    let mut left = LeftOut::of(project);
    if left.by_address.is_empty() {
        return Vec::new();
    }
    everywhere::named(project).for_each(|address| left.take_address(address.as_str()));
    for text in project.sources.beside.values() {
        left.take_mentioned(&text.text());
    }
    let documents = project.site.documents.indexed();
    let is_reached = |id: &DocumentId| !left.names.contains_key(id);
    let mut waiting: Vec<DocumentId> = documents.map(|(id, _)| id).filter(is_reached).collect();
    waiting.append(&mut left.reached);
    while let Some(id) = waiting.pop() {
        if left.names.is_empty() {
            break;
        }
        for address in &pages[usize::from(id)].links {
            left.take_address(address);
        }
        left.take_mentioned(&project.site.document(id).text());
        waiting.append(&mut left.reached);
    }
    let mut left: Vec<DocumentId> = left.names.into_keys().collect();
    left.sort_unstable();
    let finding = |id: DocumentId| {
        let document = project.site.document(id);
        let message = format!("`{list}` doesn't contain the page, and no page in it links to the page");
        let help = format!(
            "add it to `{list}`, or link to it; if you want to hide it, {}",
            repository.convention.left_out.help.replace("{list}", list)
        );
        let problem = Problem::new(Code::UnreachablePage, document.top(), message).help(help);
        // A plugin or a hook may list it.
        let problem = if repository.is_programmed { problem.as_advice() } else { problem };
        problem.at(&document.path)
    };
    left.into_iter().map(finding).collect()
}

/// The page that mdBook publishes for missing ones: <https://rust-lang.github.io/mdBook/format/configuration/renderers.html>.
const NOT_FOUND: &str = "404.md";

/// Reports the few files that the list of a book lacks, which publishes only those in it. Files that another one names may be parts
/// of it.
pub(super) fn unpublished(project: &Project) -> Vec<Diagnostic> {
    let (repository, sources) = (&project.site.repository, &project.sources);
    let Some(list) = repository.navigation.as_ref().filter(|_| repository.convention.publishes_only_listed())
    else {
        return Vec::new();
    };
    let is_left = |file: &&String| {
        file.ends_with(".md")
            && *file != list
            && site_path::file_name(file) != NOT_FOUND
            && repository.below_content(file).is_some()
            && repository.excluded.is_match(file)
    };
    let files = sources.files();
    let mut left: Vec<&String> = files.iter().filter(is_left).collect();
    let text = sources.text(&list.as_str().into()).map(|it| it.text()).unwrap_or_default();
    let mut found: Vec<Diagnostic> = Vec::new();
    left.retain(|file| match repeated_instead(&text, file, list) {
        Some(problem) => {
            found.push(problem);
            false
        }
        None => true,
    });
    let texts = project.site.documents.iter().map(|document| document.text());
    for text in texts.chain(sources.beside.values().map(|it| it.text())) {
        left.retain(|file| !text.contains(site_path::file_name(file)));
    }
    if !are_exceptions(left.len(), project.site.documents.iter().count()) {
        return found;
    }
    let finding = |file: &String| {
        let message = format!("`{list}` doesn't contain the page, so it isn't published");
        let problem = Problem::new(Code::UnreachablePage, 0..0, message);
        problem.help(format!("add it to `{list}`")).at(&file.as_str().into())
    };
    found.extend(left.into_iter().map(finding));
    found
}

/// Reports the entry of a list that has the name of a file as its text, but the page of another entry.
fn repeated_instead(text: &str, file: &str, list: &str) -> Option<Diagnostic> {
    let stem = site_path::file_name(file).split('.').next().unwrap_or_default();
    let mut entries = text.match_indices("](").filter_map(|(at, sign)| {
        let title = &text[text[..at].rfind('[')? + 1..at];
        let start = at + sign.len();
        let target = &text[start..start + text[start..].find(')')?];
        (letters(title).eq(letters(stem)) && text.matches(&format!("({target})")).count() > 1)
            .then_some((start, target))
    });
    let (start, target) = entries.next()?;
    let folder = site_path::parent(target);
    let name = site_path::file_name(file);
    let meant = if folder.is_empty() { name.to_string() } else { format!("{folder}/{name}") };
    let message = format!("`{target}` is listed twice, and `{name}` isn't, which this entry names");
    let problem = Problem::new(Code::UnusualValue, start..start + target.len(), message).as_warning();
    Some(problem.help(format!("did you mean `{meant}`?")).at(&list.into()))
}

/// Pages outside the navigation that haven't been reached so far.
#[derive(Default)]
struct LeftOut {
    by_address: HashMap<String, DocumentId>,
    /// The possible names of each page.
    names: HashMap<DocumentId, Vec<String>>,
    /// By complete name.
    whole: HashMap<String, Vec<DocumentId>>,
    /// By the end of the name.
    ends: HashMap<String, Vec<DocumentId>>,
    /// The pages that were reached since the last call.
    reached: Vec<DocumentId>,
}

impl LeftOut {
    fn of(project: &Project) -> Self {
        let (site, list) = (&project.site, &project.sources.navigation.list);
        let repository = &site.repository;
        let places = place_in_lists(&project.sources.navigation);
        let mut left = Self::default();
        let mut listed: HashSet<usize> = HashSet::new();
        for (id, document) in site.documents.indexed() {
            if let Some(place) = places.of(document, repository) {
                listed.insert(place);
            } else if list.extends_to(document.address.as_str()) && is_to_be_found(project, id, document) {
                left.add(names_of(project, document), id, document.address.as_str());
            }
        }
        let entries = places.named().filter(|name| !name.contains("://")).count();
        if entries == 0 || 100 * listed.len() < UNDERSTOOD * entries { Self::default() } else { left }
    }

    fn add(&mut self, names: Vec<String>, id: DocumentId, address: &str) {
        self.by_address.insert(address.to_string(), id);
        for name in &names {
            self.whole.entry(name.clone()).or_default().push(id);
            let starts = name.match_indices('/').map(|(at, _)| at + 1);
            for start in starts.chain([0]) {
                self.ends.entry(name[start..].to_string()).or_default().push(id);
            }
        }
        self.names.insert(id, names);
    }

    fn take_address(&mut self, address: &str) {
        if let Some(&id) = self.by_address.get(address) {
            self.take(id);
        }
    }

    fn take(&mut self, id: DocumentId) {
        if self.names.remove(&id).is_some() {
            self.reached.push(id);
        }
    }

    /// Marks the pages that any part of a text may refer to.
    fn take_mentioned(&mut self, text: &str) {
        let is_end = |c: char| c.is_whitespace() || "\"'`()[]{}<>=,;|*".contains(c);
        for word in text.split(is_end).filter(|word| !word.is_empty()) {
            let path = word.split(['#', '?']).next().unwrap_or_default();
            let bare = path.trim_start_matches(['.', '/']);
            let name = name_in_list(bare);
            // A single word may have any meaning.
            let is_path = path.contains('/') || name.len() < bare.len();
            if is_path {
                self.take_all(&name, |left, name| left.ends.remove(name));
            }
            let starts = name.match_indices('/').map(|(at, _)| at + 1).filter(|_| is_path);
            for start in starts.chain([0]).filter(|start| *start < name.len()) {
                self.take_all(&name[start..], |left, name| left.whole.remove(name));
            }
        }
    }

    fn take_all(&mut self, name: &str, named: impl Fn(&mut Self, &str) -> Option<Vec<DocumentId>>) {
        for id in named(self, name).unwrap_or_default() {
            self.take(id);
        }
    }
}

/// Whether readers should find a page through the navigation or links. This excludes redirects, included pages, the
/// home page, and pages that their author excludes.
fn is_to_be_found(project: &Project, id: DocumentId, document: &Document) -> bool {
    let repository = &project.site.repository;
    let is_published = matches!(
        project.plan.get(&document.address).and_then(Artifact::document),
        Some(published) if published == id
    );
    let start = format!("/{}", repository.content.at);
    let is_start =
        matches!(document.address.as_str().trim_end_matches('/'), at if at == start.trim_end_matches('/'));
    let says = |key: &&str| {
        let mut parts = key.split('.');
        // Tables whose keys have a meaning are flattened.
        let whole = document.front.extra.get(*key);
        let first = document.front.extra.get(parts.next().unwrap_or_default());
        parts.fold(first, |value, part| value?.get(part)).or(whole).is_some()
    };
    is_published
        && !is_start
        && document.front.redirect.is_none()
        && !project.sources.beside.contains_key(&document.path)
        && !repository.unlisted.is_match(document.path.as_str())
        && !repository.convention.left_out.keys.iter().any(says)
}

/// Returns the names by which a text may refer to a page.
fn names_of(project: &Project, document: &Document) -> Vec<String> {
    let repository = &project.site.repository;
    let mut names = names_in_list(document, repository);
    names.push(name_in_list(document.path.as_str()));
    names.sort_unstable();
    names.dedup();
    names.retain(|name| !name.is_empty());
    names
}
