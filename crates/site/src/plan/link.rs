//! Resolves links: from the author's target to an address of the plan.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::reader::End;
use crate::content::{Document, Site};
use crate::plan::{Artifact, Plan, Reader};
use base::address::{Address, encode_into};
use base::hash::HashMap;
use base::site_path::{self, SitePath};
use base::url::scheme;
use input::config::Config;
use input::conventions::{RelativePaths, Repository, Syntax, UnreadLinks};

/// The destination of a target.
#[derive(Clone, Debug, PartialEq)]
pub enum Destination<'a> {
    /// Another site, an email address, or data, which isn't looked up.
    External,
    /// An empty target.
    Empty,
    /// An address of the plan.
    Here(Here<'a>),
    /// An address of this site without content. `path` is the decoded meaning of the target, and `other` is its
    /// meaning relative to the page's file.
    Missing { path: Cow<'a, str>, other: Option<Cow<'a, str>>, from_own_host: bool },
}

/// An address of this site, with the rest of the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Here<'a> {
    pub address: &'a Address,
    /// In the form `?query`, or empty.
    pub query: &'a str,
    /// After the `#`, as written. `None` without a `#`.
    pub fragment: Option<&'a str>,
    /// Whether it was written with scheme and host, and stays that way.
    pub from_own_host: bool,
}

/// The destination of a link after redirects.
#[derive(Clone, Debug, PartialEq)]
pub enum Landing<'a> {
    Here(Here<'a>),
    /// A URL on another site.
    External(String),
}

/// The form of links within the site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkStyle {
    /// Relative to the host's root: `/developers/web/install/`.
    #[default]
    FromRoot,
    /// Relative to the page, with the files of folders: `../install/index.html`. Such pages can be opened from disk
    /// and moved to any location.
    FromPage,
}

/// Resolves the targets on pages of a site.
#[derive(Clone, Copy, Debug)]
pub struct Resolver<'a> {
    pub map: Reader<'a>,
    pub config: &'a Config,
    pub repository: &'a Repository,
    /// The address to which links are relative. If `None`, they are relative to the host's root.
    pub relative_to: Option<&'a Address>,
}

/// The parts of a target, with the path still encoded.
#[derive(Debug)]
pub struct TargetParts<'a> {
    pub path: &'a str,
    pub query: &'a str,
    pub fragment: Option<&'a str>,
}

pub fn take_apart(target: &str) -> TargetParts<'_> {
    let (rest, fragment) = match target.split_once('#') {
        Some((rest, fragment)) => (rest, Some(fragment)),
        None => (target, None),
    };
    let query = rest.find('?').map_or("", |mark| &rest[mark..]);
    TargetParts { path: &rest[..rest.len() - query.len()], query, fragment }
}

/// Whether the path of a page's file leaves the folder of pages. In the browser, a URL can't leave its host, but readers of a
/// repository's files can leave the folder.
fn leaves_pages(from: &Document, path: &str, repository: &Repository) -> bool {
    let up = path.split('/').filter(|part| *part != ".").take_while(|part| *part == "..").count();
    let convention = repository.convention;
    (path.ends_with(".md") || convention.relative == RelativePaths::AmongFiles || !convention.has_generator())
        && up > from.below().matches('/').count()
}

/// The decoded paths that a target may mean: the more likely one, and possibly another.
type Meanings<'p> = (Cow<'p, str>, Option<Cow<'p, str>>);

/// Whether a path names a folder by dots, or its index page.
fn is_of_folder(path: &str) -> bool {
    path.ends_with("index.html") || path.split('/').all(|part| matches!(part, "" | "." | ".."))
}

/// Whether a name looks like a two-letter language tag with an optional script or region: `de`, `pt-br`, `zh-Hant`.
fn is_language_tag(name: &str) -> bool {
    let (language, rest) =
        name.split_once('-').map_or((name, None), |(language, rest)| (language, Some(rest)));
    let is_letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
    language.len() == 2
        && is_letters(language)
        && rest.is_none_or(|rest| matches!(rest.len(), 2 | 4) && is_letters(rest))
}

/// Whether a path is that of a page's source.
fn is_page_file(path: &str) -> bool {
    [".md", ".mdx", ".markdown"].iter().any(|ending| path.ends_with(ending))
}

impl<'a> Resolver<'a> {
    /// Resolves `target` on the page `from`.
    pub fn resolve<'t>(&self, from: &'t Document, target: &'t str) -> Destination<'t>
    where
        'a: 't,
    {
        match self.resolve_in_language(from, target) {
            // It has the address of its translation.
            Destination::Here(Here { address, from_own_host: false, .. })
                if address.is_page() && self.is_of_original(target) && from.foreign.is_none() =>
            {
                Destination::Missing { path: address.as_str().into(), other: None, from_own_host: false }
            }
            destination => destination,
        }
    }

    /// Whether a link on a translated page leads to a page of the original according to its generator.
    fn is_of_original(&self, target: &str) -> bool {
        let language = self.config.language_path.as_str();
        if language.is_empty() || self.repository.localizes_links() {
            return false;
        }
        let path = target.trim().strip_prefix(self.config.root_path()).unwrap_or(target.trim());
        path.starts_with('/') && within(path, language).is_none()
    }

    fn resolve_in_language<'t>(&self, from: &'t Document, target: &'t str) -> Destination<'t>
    where
        'a: 't,
    {
        let target = target.trim();
        if target.is_empty() {
            return Destination::Empty;
        }
        let (target, from_own_host) = match scheme(target) {
            Some("http" | "https") | None if target.contains("//") && is_absolute(target) => {
                match self.own_path(target) {
                    Some(path) => (path, true),
                    None => return Destination::External,
                }
            }
            Some(_) => return Destination::External,
            None => (target, false),
        };
        let parts = take_apart(target);
        let here = |address| {
            let TargetParts { query, fragment, .. } = parts;
            Destination::Here(Here { address, query, fragment, from_own_host })
        };
        match parts.path {
            "" if from_own_host => return here(self.map.find("/").unwrap_or(&from.address)),
            "" => return here(&from.address),
            _ => {}
        }
        if !from_own_host && let Some(found) = self.as_written(from, parts.path) {
            return match found {
                Ok(address) => here(address),
                Err((path, other)) => Destination::Missing { path, other, from_own_host },
            };
        }
        let (likely, other) = match Self::candidates(from, parts.path) {
            // If pages are files, this is the page of their folder.
            (in_page, Some(beside))
                if self.repository.convention.has_page_files && is_of_folder(parts.path) =>
            {
                (beside, Some(in_page))
            }
            both => both,
        };
        let is_inside = || self.repository.is_ours() || !leaves_pages(from, parts.path, self.repository);
        let renamed = || parts.path.ends_with(".md").then(|| self.of_file(&likely)).flatten();
        let found = || renamed().or_else(|| self.find(&likely)).or_else(|| self.find(other.as_ref()?));
        let found = is_inside().then(found).flatten();
        if let Some(found) = found.or_else(|| self.by_convention(from, parts.path)) {
            return here(found);
        }
        // Written as in the browser, with the site's base path.
        let below = self.below_base(parts.path).or_else(|| self.below_language(parts.path));
        let below = below.filter(|_| !from_own_host).map(|below| if below.is_empty() { "/" } else { below });
        let (likely, other) = match below {
            Some(below) => Self::candidates(from, below),
            None => (likely, other),
        };
        let found = || self.find(&likely).or_else(|| self.find(other.as_ref()?));
        let found = is_inside().then(found).flatten();
        let found = found.or_else(|| self.by_convention(from, below?)).or_else(|| self.original(&likely));
        let found = found.or_else(|| self.in_language(from, parts.path));
        let in_any_case =
            |path: &str| self.repository.ignores_case.then(|| self.map.find_ignoring_case(path)).flatten();
        let found = found.or_else(|| in_any_case(&likely)).or_else(|| in_any_case(other.as_ref()?));
        let found = found.or_else(|| self.by_name(from, parts.path).filter(|_| !from_own_host));
        match found {
            Some(found) => here(found),
            None if self.is_code(parts.path) => Destination::External,
            None if self.is_source(from, parts.path) => Destination::External,
            None => Destination::Missing { path: likely, other, from_own_host },
        }
    }

    /// Returns the address for a path, if the site publishes it.
    pub fn find(&self, path: &str) -> Option<&'a Address> {
        self.map.find(path).filter(|found| self.is_there(found))
    }

    /// Returns the address of the page that a path names by its file, if the site publishes it.
    fn of_file(&self, path: &str) -> Option<&'a Address> {
        self.map.of_file(path).filter(|found| self.is_there(found))
    }

    /// Whether the site publishes a planned address. Other generators don't create pages for folders.
    fn is_there(&self, found: &Address) -> bool {
        if self.repository.is_ours() {
            return true;
        }
        match self.map.get(found) {
            Some(Artifact::Folder(_)) => {
                self.repository.convention.lists_sections
                    && found.as_str().trim_matches('/').split('/').count() == 1
            }
            Some(Artifact::Twin(page)) => self.is_there(page),
            _ => true,
        }
    }

    /// Whether a target refers to code, as `ExDoc` and rustdoc read it: `` `m:name` ``, `macro@name`. A path of items, `crate::name`,
    /// already has the form of a URL.
    fn is_code(&self, path: &str) -> bool {
        /// <https://doc.rust-lang.org/rustdoc/write-documentation/linking-to-items-by-name.html>
        const KINDS: [&str; 20] = [
            "struct",
            "enum",
            "trait",
            "union",
            "mod",
            "module",
            "const",
            "constant",
            "fn",
            "function",
            "field",
            "variant",
            "method",
            "derive",
            "type",
            "value",
            "macro",
            "prim",
            "primitive",
            "static",
        ];
        let is_item = |(kind, name): (&str, &str)| {
            KINDS.contains(&kind)
                && !name.is_empty()
                && name.chars().all(|c| c.is_alphanumeric() || "_:!()<>".contains(c))
        };
        !self.repository.is_ours()
            && (self.repository.links_by_name && path.starts_with('`')
                || path.split_once('@').is_some_and(is_item))
    }

    /// Whether a path relative to the page's file leads outside the sources, in a repository whose readers see all
    /// files, or whose generator publishes linked files.
    pub fn is_source(&self, from: &Document, path: &str) -> bool {
        let repository = self.repository;
        if !repository.convention.links_to_sources || !path.starts_with('.') {
            return false;
        }
        let file = repository.path_from(from.path.as_str(), &percent_decode_str(path).decode_utf8_lossy());
        file.is_none_or(|file| {
            let is_in =
                |folder: &str| folder.is_empty() || site_path::is_inside(&file, folder) || file == folder;
            let is_page =
                repository.convention.endings.iter().any(|ending| file.ends_with(&format!(".{ending}")));
            let is_named = !repository.convention.has_generator()
                || !is_page && file.rsplit('/').next().is_some_and(|name| name.contains('.'));
            is_named && !repository.folders().into_iter().any(is_in)
        })
    }

    /// Returns the path and the rest of a URL on this site, without the path of `base_url`.
    ///
    /// The same host may contain other sites outside that path. For an old host, the site's path is unknown, so every
    /// path is looked up.
    fn own_path<'t>(&self, target: &'t str) -> Option<&'t str> {
        let rest = &target[target.find("//")? + 2..];
        let host_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (host, path) = rest.split_at(host_end);
        let is = |known: &str| known.eq_ignore_ascii_case(host);
        let own = self.config.origin().and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
        if own.is_some_and(is) {
            return match self.config.base_path() {
                "" => Some(path),
                _ => self.below_base(path),
            };
        }
        let is_named = self.config.hosts.iter().any(|known| is(known));
        is_named.then(|| self.below_base(path).unwrap_or(path))
    }

    /// Removes the path of `base_url` from the start of a target. Returns `None` if it isn't there, or is empty.
    pub fn below_base<'t>(&self, path: &'t str) -> Option<&'t str> {
        let base = self.config.base_path();
        within(path, base).filter(|_| !base.is_empty())
    }

    /// Removes the path of the page's language, or that of the original's `base_url`, from the start of a target in another
    /// generator's repository.
    fn below_language<'t>(&self, path: &'t str) -> Option<&'t str> {
        let language = self.config.language_path.as_str();
        let is_used = !language.is_empty() && !self.repository.is_ours();
        let (root, is_at_root) = (self.config.root_path(), self.config.root_path().is_empty());
        is_used.then(|| within(path, language).or_else(|| within(path, root).filter(|_| !is_at_root)))?
    }

    /// Returns the part of a target before the site's path: scheme, host and the path of `base_url`, as far as they
    /// are written.
    pub fn written_base<'t>(&self, target: &'t str) -> &'t str {
        let below = match scheme(target) {
            Some("http" | "https") | None if target.contains("//") && is_absolute(target) => {
                self.own_path(target)
            }
            _ => self.below_base(target),
        };
        &target[..target.len() - below.map_or(target.len(), str::len)]
    }

    /// Resolves a path that the generator leaves as written: the address to which it leads, or else its meanings. Returns `None` if
    /// the generator reads it.
    fn as_written<'p>(&self, from: &Document, path: &'p str) -> Option<Result<&'a Address, Meanings<'p>>> {
        let has_languages = !self.config.language_path.is_empty() || !self.repository.translations.is_empty();
        if self.repository.unread_links == UnreadLinks::None || has_languages {
            return None;
        }
        let file = |beside: &Option<Cow<'_, str>>| {
            let beside = beside.as_ref().filter(|it| site_path::file_name(it).contains('.'));
            self.find(beside?).filter(|found| !found.is_page())
        };
        if self.repository.unread_links == UnreadLinks::Html {
            if path.starts_with('/') || !path.ends_with(".html") {
                return None;
            }
            let meanings = Self::candidates(from, path);
            return file(&meanings.1).is_none().then_some(Err(meanings));
        }
        let is_file = self.repository.convention.endings.iter().any(|it| path.ends_with(&format!(".{it}")));
        match (is_file, path.starts_with('/')) {
            (true, true) => Some(Err((percent_decode_str(path).decode_utf8_lossy(), None))),
            (false, false) => {
                let (in_page, beside) = Self::candidates(from, path);
                let found = self.find(&in_page).or_else(|| file(&beside));
                let beside = beside.filter(|it| site_path::file_name(it).contains('.'));
                Some(found.ok_or((in_page, beside)))
            }
            _ => None,
        }
    }

    /// Returns the decoded paths that a target may mean: the more likely one, and possibly another.
    ///
    /// On the page `/a/b/`, browsers resolve `x` to `/a/b/x`. Authors who look at the file `a/b.md` mean `/a/x`, and
    /// authors who link to `x.md` mean that file. All of these are supported.
    fn candidates<'p>(from: &Document, path: &'p str) -> Meanings<'p> {
        let decoded = if path.contains('%') {
            percent_decode_str(path).decode_utf8_lossy()
        } else {
            Cow::Borrowed(path)
        };
        let below = from.below();
        let folder = site_path::parent(below);
        match (decoded.starts_with('/'), decoded.strip_suffix(".md")) {
            // The page takes precedence over its Markdown version at this address.
            (true, Some(file)) => (page_path(file).into(), Some(decoded)),
            (true, None) => (decoded, None),
            (false, Some(file)) => (page_path(&format!("/{folder}/{file}")).into(), None),
            (false, None) => {
                let beside_file = format!("/{folder}/{decoded}");
                // Front matter may say that the address of a page is that of a file.
                let is_file = from.front.slug.as_ref().is_some_and(|slug| slug.ends_with(".html"));
                let around = if is_file { &from.address.parent() } else { &from.address };
                (format!("{around}{decoded}").into(), Some(beside_file.into()))
            }
        }
    }

    /// Resolves a path in another generator's repository: relative to the page's file, to the folder of pages, to the
    /// root, or to the folder of the page's address, each with or without a file extension.
    fn by_convention(&self, from: &Document, path: &str) -> Option<&'a Address> {
        if self.repository.is_ours() {
            return None;
        }
        let decoded = percent_decode_str(path).decode_utf8_lossy();
        let bare = decoded.strip_suffix(".html").unwrap_or(&decoded);
        let is_alias = self.repository.path_aliases.iter().any(|(alias, _)| bare.starts_with(alias.as_str()));
        let by_address = if is_alias || bare.starts_with(['/', '@', '~']) {
            bare.to_string()
        } else {
            format!("{}{bare}", from.address.parent())
        };
        let is_above = !bare.starts_with('/') && self.is_page_of_folder(from);
        let is_found = !is_above && !leaves_pages(from, path, self.repository);
        let of_root = || self.find(&by_address).filter(|_| is_found);
        let is_below = !bare.starts_with('/');
        let beside = |page: &SitePath| self.repository.path_from(page.as_str(), bare).filter(|_| is_below);
        let in_root =
            || self.by_file(&beside(&from.path)?).or_else(|| self.by_file(&beside(&from.published_path)?));
        let from_root = match bare.strip_prefix('/') {
            None if self.repository.links_from_root && !bare.starts_with('.') => Some(bare),
            below => below,
        };
        // The address of a page isn't the path of its file.
        let is_address = !is_below && self.repository.convention.has_generator() && !is_page_file(bare);
        let from_root = from_root.filter(|_| !is_address);
        let in_content = || self.by_file(&self.repository.content.with(from_root?));
        of_root().or_else(in_root).or_else(in_content).or_else(|| self.by_file(from_root?))
    }

    /// Whether a page has the address of its file's folder, with a slash at the end, so that relative paths never begin in the folder
    /// above it.
    fn is_page_of_folder(&self, page: &Document) -> bool {
        let convention = self.repository.convention;
        let has_slash = convention.relative == RelativePaths::OfFile || convention.has(Syntax::Shortcodes);
        let name = site_path::file_name(page.below()).split('.').next().unwrap_or_default();
        let is_index = ["index", "_index", "readme"].iter().any(|it| name.eq_ignore_ascii_case(it));
        has_slash && is_index && page.address.as_str().trim_matches('/') == site_path::parent(page.below())
    }

    /// Resolves a path relative to the file of a page in a language's folder. It leads to the page or file in the language of
    /// the page, wherever the file is.
    fn in_language(&self, from: &Document, path: &str) -> Option<&'a Address> {
        if self.config.language_folders.is_empty() || path.starts_with('/') {
            return None;
        }
        let file =
            self.repository.path_from(from.path.as_str(), &percent_decode_str(path).decode_utf8_lossy())?;
        let below = |folder: &String| file.strip_prefix(folder.as_str())?.strip_prefix('/');
        let of_language = self.config.language_folders.iter().find_map(below);
        let below = of_language.or_else(|| self.repository.content.below(&file))?;
        let page = || self.of_file(self.repository.file_address(below).as_str());
        match below.strip_suffix(".md") {
            Some(stem) => page().or_else(|| self.find(&page_path(&format!("/{stem}")))),
            None => self.find(&format!("/{below}")),
        }
    }

    /// Returns the page or file with the name of a relative path, in any folder, in a repository whose links are names. `ExDoc`
    /// publishes all files in one folder. Elsewhere, the folders in the path are the last ones of the file.
    fn by_name(&self, from: &Document, path: &str) -> Option<&'a Address> {
        if !self.repository.links_by_name || path.starts_with('/') {
            return None;
        }
        let decoded = percent_decode_str(path).decode_utf8_lossy();
        let end = decoded.trim_start_matches("./");
        let end = if self.repository.convention.has_generator() { end } else { end.rsplit('/').next()? };
        let is_page = |ending: &&str| matches!(*ending, "md" | "markdown" | "livemd" | "html");
        let bare = end.rsplit_once('.').filter(|(_, ending)| is_page(ending)).map_or(end, |(bare, _)| bare);
        self.map.find_by_end(bare, &from.address, self.repository.ignores_case)
    }

    /// Returns the page that is shown at the address of a missing translation.
    fn original(&self, path: &str) -> Option<&'a Address> {
        let (language, below) = path.strip_prefix('/')?.split_once('/')?;
        let is_first = || self.repository.own_suffix.as_deref() == Some(language);
        // Hugo redirects the folder of the first language to the root: `renderMainLanguageRedirect` in hugolib/site_render.go.
        if below.is_empty() && self.repository.convention.has(Syntax::Shortcodes) && is_first() {
            return self.find("/");
        }
        let translations = &self.repository.translations;
        let is_declared = || translations.iter().any(|it| it.language == language);
        let has_pages = || self.map.find(&path[..language.len() + 2]).is_some();
        let is_language = || is_declared() || is_language_tag(language) && has_pages();
        (self.repository.convention.falls_back && is_language())
            .then(|| self.find(&path[1 + language.len()..]))?
    }

    /// Returns the artifact of a file relative to the root. The extension of a page is optional.
    fn by_file(&self, path: &str) -> Option<&'a Address> {
        let is_translation = !self.config.language_path.is_empty();
        let path = &*if is_translation { self.repository.in_place(path) } else { path.into() };
        let page = || {
            if !path.is_empty() && path == self.repository.content.path {
                return self.find("/");
            }
            let below = self.repository.below_content(path)?;
            let file = self.repository.file_address(below);
            let found = self.of_file(file.as_str()).or_else(|| self.find(file.as_str()));
            // Many generators publish `a/a.mdx` as the page of its folder.
            let name = below.rsplit('/').find(|name| !name.is_empty())?;
            let of_folder = || self.find(&format!("{file}{name}/"));
            found.or_else(|| self.repository.is_guessed().then(of_folder)?)
        };
        page().or_else(|| self.find(self.repository.published_file(path)?.as_str()))
    }

    /// Returns the address on this site to which a link points, after redirects.
    pub fn landing<'t>(&self, destination: &Destination<'t>) -> Option<Here<'t>>
    where
        'a: 't,
    {
        match destination {
            Destination::Here(here) => match self.follow(*here) {
                Landing::Here(here) => Some(here),
                Landing::External(_) => None,
            },
            _ => None,
        }
    }

    /// Returns the target for the page's HTML, without escaping.
    pub fn href(&self, from: &Document, target: &str) -> String {
        self.href_to(&self.resolve(from, target), target)
    }

    /// The same for a target that was resolved to `destination`.
    pub fn href_to(&self, destination: &Destination<'_>, target: &str) -> String {
        match destination {
            Destination::Here(here) if !here.from_own_host => {
                if target.trim().starts_with('#') {
                    return target.trim().to_string();
                }
                match self.follow(*here) {
                    Landing::Here(here) => Self::with_end(self.url(here.address), here),
                    Landing::External(url) => url,
                }
            }
            Destination::Missing { path, from_own_host: false, .. }
                if target.starts_with('/') && self.below_base(target).is_none() =>
            {
                let within =
                    |language: &String| path.strip_prefix(language.as_str()).filter(|it| it.starts_with('/'));
                // A page of another language.
                let elsewhere = self
                    .config
                    .language_paths
                    .iter()
                    .find_map(|language| Some((language, within(language)?)));
                match elsewhere {
                    Some((language, path)) => {
                        let end = target.find(['?', '#']).map_or("", |end| &target[end..]);
                        self.url_in(language, &Address::new(path)) + end
                    }
                    None if self.is_of_original(target) => {
                        let end = target.find(['?', '#']).map_or("", |end| &target[end..]);
                        self.url_in("", &Address::new(path)) + end
                    }
                    None => format!("{}{target}", self.config.base_path()),
                }
            }
            _ => target.to_string(),
        }
    }

    /// Returns the URL of a location on this site, with the rest of its target.
    pub fn with_end(mut url: String, here: Here<'_>) -> String {
        url.push_str(here.query);
        if let Some(fragment) = here.fragment {
            url.push('#');
            url.push_str(fragment);
        }
        url
    }

    /// Follows redirects of a link with a fragment, because redirect pages drop the fragment. Such a link is written
    /// with the final address. Others stay.
    pub fn follow<'t>(&self, here: Here<'t>) -> Landing<'t>
    where
        'a: 't,
    {
        let Some(written) = here.fragment else { return Landing::Here(here) };
        match self.map.end(here.address) {
            Some(End::Here { address, query, fragment }) => {
                let query = if query.is_empty() { here.query } else { query };
                let fragment = fragment.as_deref().or(here.fragment);
                Landing::Here(Here { address, query, fragment, from_own_host: here.from_own_host })
            }
            Some(End::External(url)) if url.contains('#') => Landing::External(url.clone()),
            Some(End::External(url)) => Landing::External(format!("{url}#{written}")),
            Some(End::Missing(_)) | None => Landing::Here(here),
        }
    }

    /// Returns an address as a link within the site.
    pub fn url(&self, address: &Address) -> String {
        let mut url = String::new();
        let is_shared = self.map.is_shared(address);
        if let Some(from) = self.relative_to {
            if is_shared {
                let from = format!("{}{from}", self.config.language_path);
                encode_into(&relative(&from, address.as_str()), &mut url);
            } else {
                encode_into(&relative(from.as_str(), address.as_str()), &mut url);
            }
            // On disk a folder is a list of files.
            if address.is_page() {
                url.push_str("index.html");
            }
        } else {
            url.push_str(if is_shared { self.config.root_path() } else { self.config.base_path() });
            encode_into(address.as_str(), &mut url);
        }
        url
    }
}

impl Resolver<'_> {
    /// Returns a page of another language as a link within the site.
    pub fn url_in(&self, language: &str, address: &Address) -> String {
        let mut url = String::new();
        if let Some(from) = self.relative_to {
            let (from, to) = (format!("{}{from}", self.config.language_path), format!("{language}{address}"));
            encode_into(&relative(&from, &to), &mut url);
            url.push_str(if address.is_page() { "index.html" } else { "" });
        } else {
            url.push_str(self.config.root_path());
            url.push_str(language);
            encode_into(address.as_str(), &mut url);
        }
        url
    }
}

/// Returns the final target of every redirect in a plan. Loops have none.
pub(super) fn ends(plan: &Plan, site: &Site) -> HashMap<Address, End> {
    let resolver = Resolver {
        map: Reader::new(plan, None),
        config: &site.config,
        repository: &site.repository,
        relative_to: None,
    };
    let mut ends: HashMap<Address, Option<End>> = HashMap::default();
    for (start, _) in plan.artifacts().filter(|(_, artifact)| matches!(artifact, Artifact::Redirect { .. })) {
        let mut way: Vec<Address> = Vec::new();
        let mut at = start.clone();
        let end = loop {
            if let Some(known) = ends.get(&at) {
                break known.clone();
            }
            let Some(Artifact::Redirect { to, from }) = plan.get(&at) else { break None };
            // Reaching it again before its target is known is a loop.
            ends.insert(at.clone(), None);
            way.push(at);
            match resolver.resolve(site.document(*from), to) {
                Destination::Here(here)
                    if matches!(plan.get(here.address), Some(Artifact::Redirect { .. })) =>
                {
                    at = here.address.clone();
                }
                Destination::Here(Here { address, query, fragment, .. }) => {
                    let (query, fragment) = (query.to_string(), fragment.map(str::to_string));
                    break Some(End::Here { address: address.clone(), query, fragment });
                }
                Destination::External => break Some(End::External(to.trim().to_string())),
                Destination::Missing { path, .. } => break Some(End::Missing(path.into_owned())),
                Destination::Empty => break None,
            }
        };
        ends.extend(way.into_iter().map(|address| (address, end.clone())));
    }
    ends.into_iter().filter_map(|(address, end)| Some((address, end?))).collect()
}

/// Returns the relative path from one path to another. Empty for the folder that contains `from`.
pub fn relative(from: &str, to: &str) -> String {
    let (from, _) = from.rsplit_once('/').unwrap_or_default();
    let (to, name) = to.rsplit_once('/').unwrap_or_default();
    let shared = from.split('/').zip(to.split('/')).take_while(|(a, b)| a == b).count();
    let mut way = "../".repeat(from.split('/').count() - shared);
    for segment in to.split('/').skip(shared) {
        way.push_str(segment);
        way.push('/');
    }
    way.push_str(name);
    // The text before a colon would be a scheme.
    let is_like_scheme = way.split('/').next().is_some_and(|first| first.contains(':'));
    if is_like_scheme { format!("./{way}") } else { way }
}

/// Returns the path of a page's file without its extension as an address. For `…/index`, that is its folder.
fn page_path(file: &str) -> String {
    match file.strip_suffix("/index") {
        Some(folder) => format!("{folder}/"),
        None => format!("{file}/"),
    }
}

/// Removes a folder of addresses from the start of a path.
fn within<'t>(path: &'t str, folder: &str) -> Option<&'t str> {
    path.strip_prefix(folder).filter(|below| below.is_empty() || below.starts_with(['/', '?', '#']))
}

fn is_absolute(target: &str) -> bool {
    target.starts_with("//") || scheme(target).is_some()
}

/// Returns the decoded anchor of a fragment, or `None` if nothing needs to be looked up.
///
/// The top of the page and text fragments need no anchor (HTML standard, "select the indicated part"; URL Fragment
/// Text Directives).
pub fn anchor(fragment: &str) -> Option<String> {
    let name = fragment.split(":~:").next().unwrap_or_default();
    let decoded = percent_decode_str(name).decode_utf8_lossy();
    (!decoded.is_empty() && !decoded.eq_ignore_ascii_case("top")).then(|| decoded.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::built_in::BuiltIn;
    use crate::content::{Openings, Selection, Site};
    use crate::plan::{ByPicture, Drawings};
    use base::site_path::SitePath;
    use input::source::{Asset, Sources, Text};

    fn site(config: &str) -> (Site, Plan) {
        let mut sources = Sources::default();
        for path in ["index.md", "a/b.md", "a/c/index.md", "a/d e.md"] {
            let text = format!("---\ntitle: {path}\n---\n");
            let path: SitePath = format!("content/{path}").as_str().into();
            sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
        }
        for path in ["static/x.png", "content/a/near.png"] {
            let asset = Asset { path: path.into(), size: 1, picture: None, hash: None };
            sources.assets.insert(path.into(), asset);
        }
        let config = input::config::parse(config).expect("a valid configuration");
        let (site, _) = crate::content::load(&sources, config, Selection::default(), &Openings::default())
            .expect("no roots to miss");
        let (plan, report) = crate::plan::plan(
            &site,
            &sources,
            (&ByPicture::default(), &Drawings::default()),
            BuiltIn::default(),
            &|_| false,
        );
        assert!(report.is_empty(), "{report:?}");
        (site, plan)
    }

    /// Checks targets on the page `/a/b/`, whose file is `a/b.md`.
    #[track_caller]
    fn check(config: &str, target: &str, href: &str, found: Option<&str>) {
        let (site, plan) = site(config);
        let from =
            site.documents.iter().find(|document| document.address.as_str() == "/a/b/").expect("it is there");
        let resolver = Resolver {
            map: Reader::new(&plan, None),
            config: &site.config,
            repository: &site.repository,
            relative_to: None,
        };
        let address = match resolver.resolve(from, target) {
            Destination::Here(here) => Some(here.address.as_str().to_string()),
            Destination::External => Some("elsewhere".to_string()),
            Destination::Empty | Destination::Missing { .. } => None,
        };
        assert_eq!((resolver.href(from, target).as_str(), address.as_deref()), (href, found), "{target}");
    }

    #[test]
    fn every_form_of_a_link_to_a_page_resolves() {
        for target in [
            "/a/c/",
            "/a/c",
            "/a/c/index.html",
            "../c/",
            "../c",
            "c/",
            "c",
            "../../a/c",
            "c/index.md",
            "/a/c/index.md",
            "./c/",
        ] {
            check("", target, "/a/c/", Some("/a/c/"));
        }
        check("", "/a/c?x=1#y", "/a/c/?x=1#y", Some("/a/c/"));
        check("", "#y", "#y", Some("/a/b/"));
        check("", "?x", "/a/b/?x", Some("/a/b/"));
        check("", "/a/d%20e/", "/a/d%20e/", Some("/a/d e/"));
        check("", "d e.md", "/a/d%20e/", Some("/a/d e/"));
    }

    #[test]
    fn files_are_found_from_the_address_and_from_the_file() {
        check("", "/x.png", "/x.png", Some("/x.png"));
        check("", "near.png", "/a/near.png", Some("/a/near.png"));
        check("", "../near.png", "/a/near.png", Some("/a/near.png"));
    }

    #[test]
    fn links_to_other_sites_stay_as_written() {
        for target in [
            "https://e.org/a/c/",
            "mailto:a@b.c",
            "tel:+1",
            "data:image/png;base64,AA",
            "//cdn.e.org/x",
            "vscode://x",
            "vscode:extension/x",
            "geo:1,2",
        ] {
            check("", target, target, Some("elsewhere"));
        }
    }

    #[test]
    fn a_base_path_prefixes_links_and_own_hosts_are_looked_up() {
        let config = "base_url = 'https://docs.e.org/docs/'\nhosts = ['old.e.org']";
        check(config, "/a/c/", "/docs/a/c/", Some("/a/c/"));
        check(config, "/gone/", "/docs/gone/", None);
        check(config, "https://docs.e.org/docs/a/c", "https://docs.e.org/docs/a/c", Some("/a/c/"));
        check(config, "https://OLD.e.org/a/c/", "https://OLD.e.org/a/c/", Some("/a/c/"));
        check(config, "https://old.e.org/gone", "https://old.e.org/gone", None);
        check(config, "https://old.e.org", "https://old.e.org", Some("/"));
    }

    #[track_caller]
    fn check_relative(from: &str, to: &str, way: &str) {
        let (site, plan) = site("base_url = 'https://docs.e.org/docs/'");
        let from = Address::new(from);
        let resolver = Resolver {
            map: Reader::new(&plan, None),
            config: &site.config,
            repository: &site.repository,
            relative_to: Some(&from),
        };
        assert_eq!(resolver.url(&Address::new(to)), way, "from {from} to {to}");
    }

    #[test]
    fn relative_links_lead_from_file_to_file() {
        check_relative("/", "/", "index.html");
        check_relative("/", "/a/b/", "a/b/index.html");
        check_relative("/a/b/", "/", "../../index.html");
        check_relative("/a/b/", "/a/b/", "index.html");
        check_relative("/a/b/", "/a/c/", "../c/index.html");
        check_relative("/a/b/", "/a/", "../index.html");
        check_relative("/a/", "/ab/", "../ab/index.html");
        check_relative("/a/b/", "/x.png", "../../x.png");
        check_relative("/old.html", "/a/d e/", "a/d%20e/index.html");
        check_relative("/", "/a:b/", "./a:b/index.html");
        check_relative("/a:b/", "/a:c/", "../a:c/index.html");
    }

    #[test]
    fn links_to_nothing_are_missing() {
        for target in [
            "c:x",
            "localhost:3000/x",
            "example.com:8080",
            "ab:",
            "/A/c/",
            "/nope",
            "nope.md",
            "../nope/",
            "/x.PNG",
        ] {
            check("", target, target, None);
        }
        check("", " ", " ", None);
    }

    #[test]
    fn only_real_anchors_are_looked_for() {
        assert_eq!(anchor("a%20b"), Some("a b".into()));
        assert_eq!(anchor("é"), Some("é".into()));
        assert_eq!((anchor(""), anchor("top"), anchor("TOP"), anchor(":~:text=x")), (None, None, None, None));
        assert_eq!(anchor("a:~:text=x"), Some("a".into()));
    }
}
