//! Files of a repository to which a target may refer, at any location.

use std::cell::{OnceCell, RefCell};
use std::fs;
use std::sync::Arc;

use percent_encoding::percent_decode_str;

use base::address::Address;
use base::items::only;
use base::site_path::{self, SitePath, on_disk};
use base::sorted::SortedMap;
use input::conventions::{ABOUT, Underscored};
use input::source;
use site::content::Document;
use site::plan::{Destination, take_apart};
use site::project::Project;

/// Extensions that a target may omit, the empty one first: those of pages that aren't read or aren't Markdown.
const OTHER_ENDINGS: [&str; 11] =
    ["", ".md", ".mdx", ".rst", ".html", ".astro", ".tsx", ".jsx", ".js", ".vue", ".ipynb"];

/// Folders that frameworks publish at the root.
const ROOTS: [&str; 8] = ["pages", "src", "content", "static", "public", "app", "docs", "source"];

/// The files of a repository, listed on first use.
pub(super) struct Files<'a> {
    project: &'a Project,
    /// Their paths by name without extension.
    all: OnceCell<SortedMap<String, Vec<String>>>,
    /// The texts of the build files in each folder.
    builds: RefCell<SortedMap<String, String>>,
    /// The texts of the repository's workflows.
    workflows: OnceCell<String>,
}

impl<'a> Files<'a> {
    pub(super) fn of(project: &'a Project) -> Self {
        Self { project, all: OnceCell::new(), builds: RefCell::default(), workflows: OnceCell::new() }
    }

    /// Whether a target is a file of the repository that isn't a page, or a page that isn't read.
    pub(super) fn has(&self, from: &Document, target: &str) -> bool {
        let project = self.project;
        let repository = &project.site.repository;
        let written = take_apart(target).path;
        let named = percent_decode_str(project.resolver().below_base(written).unwrap_or(written));
        let named = named.decode_utf8_lossy();
        let files: Vec<String> = if named.starts_with('/') {
            let address = Address::new(&named);
            let below = address.as_str().trim_matches('/');
            let unread = repository.unread.iter().filter_map(|folder| folder.file_at(below));
            let of_site = format!("{}/{below}", repository.site);
            let processed = format!("{}/assets/{below}", repository.site);
            let roots = [repository.content.with(below), of_site, processed, below.to_string()];
            roots.into_iter().chain(unread).chain(self.ending_with(below)).collect()
        } else {
            let of_content = repository.links_from_root.then(|| repository.content.with(&named));
            // Hugo's resources.
            let processed = format!("{}/assets/{named}", repository.site);
            let beside = |page: &str| repository.path_from(page, &named);
            let by_link = self.linked_from(from).and_then(|page| beside(&page));
            let name = site_path::file_name(&named);
            let has_name = |file: &&String| repository.links_by_name && site_path::file_name(file) == name;
            let by_name = self.named(name).iter().filter(has_name).cloned();
            beside(from.path.as_str())
                .into_iter()
                .chain(by_name)
                .chain(by_link)
                .chain(of_content)
                .chain([processed])
                .collect()
        };
        files.iter().any(|file| self.is_there(file.trim_matches('/')))
    }

    /// Returns the file to which a page that is a symbolic link leads. Readers of the repository see it there, and its targets are
    /// those of that place.
    fn linked_from(&self, page: &Document) -> Option<String> {
        let to = fs::read_link(on_disk(&self.project.sources.root, page.path.as_str())).ok()?;
        self.project.site.repository.path_from(page.path.as_str(), to.to_str()?)
    }

    /// Whether a file exists that no rule of the site excludes, or the page of a folder. In a plain repository, a
    /// folder counts as a page for readers.
    fn is_there(&self, file: &str) -> bool {
        let (repository, sources) = (&self.project.site.repository, &self.project.sources);
        let publishes_private = repository.convention.underscored != Underscored::LeftOut;
        let is_left_out = |form: &str| {
            let ending = form.rsplit_once('.').map_or("", |(_, ending)| ending);
            let is_unread = repository.unread.iter().any(|folder| folder.below(form).is_some());
            let is_private = form.split('/').any(|name| name.starts_with('_'));
            // Readers of a repository see it, and Jekyll publishes it unchanged.
            let is_about = repository.below_content(form).is_some_and(|below| ABOUT.contains(&below));
            let is_elsewhere = is_unread || is_about || is_private && publishes_private;
            // Readers of a repository open what a program leaves out, and the rules of an unknown program aren't known.
            let is_shown = repository.is_guessed() || on_disk(&sources.root, form).is_symlink();
            !is_elsewhere
                && !is_shown
                && repository.below_content(form).is_some()
                && repository.convention.endings.contains(&ending)
        };
        // A symbolic link may lead out of the root.
        let is_on_disk = |form: &str| !form.is_empty() && on_disk(&sources.root, form).is_file();
        let has = |form: &String| !is_left_out(form) && (sources.has_file(form) || is_on_disk(form));
        let index = OTHER_ENDINGS.iter().skip(1).map(|ending| format!("{file}/index{ending}"));
        OTHER_ENDINGS.iter().map(|ending| format!("{file}{ending}")).chain(index).any(|form| has(&form))
            || !repository.convention.has_generator() && !file.is_empty() && sources.has_folder(file)
    }

    /// Returns the files whose paths end with a root-relative path, if the site's root is unknown.
    fn ending_with(&self, below: &str) -> Vec<String> {
        if !self.project.site.repository.is_guessed() || below.is_empty() {
            return Vec::new();
        }
        let bare = below.strip_suffix(".html").unwrap_or(below);
        let is_meant = |file: &&String| {
            let start = file.strip_suffix(below).or_else(|| without_ending(file).strip_suffix(bare));
            let start = start.and_then(|it| it.strip_suffix('/')).unwrap_or_default();
            // A name alone occurs in many paths.
            !start.is_empty() && (below.contains('/') || ROOTS.contains(&site_path::file_name(start)))
        };
        self.named(below).iter().filter(is_meant).cloned().collect()
    }

    /// Whether a page in a folder of sources is the template of another page, on which a link works, if the rules of the site are guessed.
    pub(super) fn has_twin_with(&self, from: &Document, target: &str) -> bool {
        const SOURCES: [&str; 2] = ["source", "src"];
        let is_source_name =
            |name: &str| SOURCES.contains(&name) || name.trim_end_matches('s').ends_with("template");
        let is_source = |path: &SitePath| path.as_str().split('/').any(is_source_name);
        let last_two = |path: &str| {
            let mut slashes = path.rmatch_indices('/').skip(1).map(|(at, _)| at);
            slashes.next().map(|at| path[at..].to_string())
        };
        if !self.project.site.repository.is_guessed() || !is_source(&from.path) {
            return false;
        }
        let Some(end) = last_two(from.path.as_str()) else { return false };
        let is_twin = |it: &&Arc<Document>| !is_source(&it.path) && it.path.as_str().ends_with(&end);
        let works = |twin: &Arc<Document>| {
            matches!(self.project.resolver().resolve(twin, target), Destination::Here(_))
        };
        self.project.site.documents.iter().filter(is_twin).any(works)
    }

    /// Whether a program makes a target: a build file in a folder around the page contains its name, unless it is a page of a known
    /// generator, or a workflow of the repository contains its path.
    pub(super) fn is_made(&self, from: &Document, target: &str) -> bool {
        let is_page = take_apart(target).path.ends_with(".md") || !site_path::file_name(target).contains('.');
        (self.project.site.repository.is_guessed() || !is_page) && self.is_built(from, target)
            || self.is_of_workflow(from, target)
    }

    fn is_of_workflow(&self, from: &Document, target: &str) -> bool {
        let written = percent_decode_str(take_apart(target).path).decode_utf8_lossy();
        let file = self.project.site.repository.path_from(from.path.as_str(), &written);
        let root = &self.project.sources.root;
        let texts = || self.workflows.get_or_init(|| source::workflows(root));
        file.is_some_and(|file| file.contains('/') && file.contains('.') && texts().contains(&file))
    }

    /// Whether a workflow of the repository writes the first folder of an address, as a part of a longer path: `site/coverage`.
    pub(super) fn is_folder_of_workflow(&self, address: &str) -> bool {
        let root = &self.project.sources.root;
        let name = address.split('/').find(|name| !name.is_empty()).unwrap_or_default();
        let text = self.workflows.get_or_init(|| source::workflows(root));
        let follows = |rest: &str| rest.starts_with(['/', ' ', '\n', '"', '\'']) || rest.is_empty();
        let is_path = |(at, _): (usize, &str)| {
            text[..at].ends_with('/') && !text[..at].ends_with("//") && follows(&text[at + name.len()..])
        };
        !name.is_empty() && !self.project.sources.has_folder(name) && text.match_indices(name).any(is_path)
    }

    fn is_built(&self, from: &Document, target: &str) -> bool {
        let name = site_path::file_name(take_apart(target).path);
        let path = from.path.as_str();
        let folders = path.rmatch_indices('/').map(|(end, _)| &path[..end]).chain([""]);
        let root = &self.project.sources.root;
        let mut builds = self.builds.borrow_mut();
        name.contains('.')
            && folders.into_iter().any(|folder| {
                let text = builds
                    .entry(folder.to_string())
                    .or_insert_with(|| source::build_files(&on_disk(root, folder)));
                text.contains(name)
            })
    }

    /// Returns the folder of the repository that contains a relative target, or a page with its name, if there is only one.
    pub(super) fn folder_with(&self, target: &str, is_page: bool) -> Option<String> {
        let path = take_apart(target).path.trim_start_matches("./");
        let endings = self.project.site.repository.convention.endings;
        let is_of_page = |file: &str| file.rsplit_once('.').is_some_and(|(_, it)| endings.contains(&it));
        let folder = |file: &String| {
            let (folder, name) = file.rsplit_once('/')?;
            if is_page {
                (stem(name) == stem(path) && is_of_page(name)).then(|| folder.to_string())
            } else {
                file.strip_suffix(path)?.strip_suffix('/').map(str::to_string)
            }
        };
        let folders = self.named(path).iter().filter(|_| !path.is_empty()).filter_map(folder);
        only(folders)
    }

    /// Returns the files with the name of a path, whatever their extensions are.
    pub(super) fn named(&self, path: &str) -> &[String] {
        let all = self.all.get_or_init(|| {
            let mut all: SortedMap<String, Vec<String>> = SortedMap::new();
            for file in self.project.sources.files() {
                all.entry(stem(&file).to_string()).or_default().push(file);
            }
            all
        });
        all.get(stem(path)).map_or(&[], Vec::as_slice)
    }
}

/// Returns the name of a file without its extension.
fn stem(path: &str) -> &str {
    without_ending(site_path::file_name(path))
}

fn without_ending(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, ending)) if !ending.contains('/') => stem,
        _ => path,
    }
}
