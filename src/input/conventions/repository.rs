//! A repository that was recognised: which of its files are pages, and at which address each is.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::named::{self, DataFile};
use super::redirects::{self, Redirect};
use super::values::{JsValues, folder};
use super::{AnchorRule, Convention, Kind, Opening, Proof, Publisher, Said, Slugs, Syntax, calibrate};
use crate::base::address::Address;
use crate::base::site_path::{self, SitePath};

/// The tree of a repository, as far as recognising it needs.
pub trait FileTree {
    /// The text of a file below the root.
    fn text(&self, path: &str) -> Option<String>;
    /// Whether there is a folder at a path below the root.
    fn is_folder(&self, path: &str) -> bool;
    /// Whether a folder below the root, or one in it, has a Markdown file.
    fn has_pages(&self, folder: &str) -> bool;
    /// The files in a folder below the root and in those in it, by their paths below it.
    fn files(&self, folder: &str) -> Vec<String>;
    /// The files below the root whose names have an ending, wherever they are, but for hidden and private folders; sorted.
    fn pages(&self, ending: &str) -> Vec<String>;
    /// The names in a folder below the root, sorted.
    fn names(&self, folder: &str) -> Vec<String>;
    /// All files below the root, but for those in hidden and private folders; sorted.
    fn all(&self) -> Vec<String>;
    /// The text of a page, which is no configuration: nothing that is read depends on it alone.
    fn peek(&self, page: &str) -> Option<String>;
}

/// A folder of a tree, seen as the root of one.
pub(super) struct Subtree<'a> {
    pub(super) tree: &'a dyn FileTree,
    pub(super) folder: &'a str,
}

impl Subtree<'_> {
    fn at(&self, path: &str) -> String {
        within(self.folder, path)
    }
}

impl FileTree for Subtree<'_> {
    fn text(&self, path: &str) -> Option<String> {
        self.tree.text(&self.at(path))
    }

    fn is_folder(&self, path: &str) -> bool {
        self.tree.is_folder(&self.at(path))
    }

    fn has_pages(&self, folder: &str) -> bool {
        self.tree.has_pages(&self.at(folder))
    }

    fn files(&self, folder: &str) -> Vec<String> {
        self.tree.files(&self.at(folder))
    }

    fn pages(&self, ending: &str) -> Vec<String> {
        let below = |page: String| Some(page.strip_prefix(self.folder)?.strip_prefix('/')?.to_string());
        self.tree.pages(ending).into_iter().filter_map(below).collect()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        self.tree.names(&self.at(folder))
    }

    fn all(&self) -> Vec<String> {
        let below = |file: String| Some(file.strip_prefix(self.folder)?.strip_prefix('/')?.to_string());
        self.tree.all().into_iter().filter_map(below).collect()
    }

    fn peek(&self, page: &str) -> Option<String> {
        self.tree.peek(&self.at(page))
    }
}

/// A path that starts in a folder as one from where that folder is; `..` leads out of it, but never out of the root.
pub(super) fn within(start: &str, path: &str) -> String {
    let mut parts: Vec<&str> = start.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// A folder of files and where they are published.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublishedFolder {
    /// Below the root, without a slash at either end; empty for the root itself.
    pub path: String,
    /// The folder of their addresses, without a slash at either end; empty for the site's root.
    pub at: String,
}

impl PublishedFolder {
    /// A folder that is published at the site's root.
    pub fn at_root(path: &str) -> Self {
        Self { path: path.to_string(), at: String::new() }
    }

    /// A path below the root as one below this folder.
    pub fn below<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.path.as_str() {
            "" => Some(path),
            folder => path.strip_prefix(folder)?.strip_prefix('/'),
        }
    }

    /// The file whose content is published at a path below the site's root, which need not exist.
    pub fn file_at(&self, published: &str) -> Option<String> {
        let below = published.strip_prefix(self.at.as_str())?;
        let is_below = self.at.is_empty() || below.starts_with('/') || below.is_empty();
        is_below.then(|| self.with(below.trim_start_matches('/')))
    }

    /// A path below this folder as one below the root.
    pub fn with(&self, below: &str) -> String {
        if self.path.is_empty() { below.to_string() } else { format!("{}/{below}", self.path) }
    }

    /// The address of a path below this folder, without the first slash.
    pub fn at_address(&self, below: &str) -> String {
        if self.at.is_empty() { below.to_string() } else { format!("{}/{below}", self.at) }
    }
}

/// What the configuration says in the place of what was recognised.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    pub kind: Option<Kind>,
    pub content: Option<String>,
    pub statics: Option<Vec<String>>,
    /// The path of the site's root in links.
    pub base: Option<String>,
}

/// Why nothing can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unrecognised {
    /// There is no folder of pages.
    NoPages,
    /// The kind that the configuration names has its own configuration or pages elsewhere.
    NotOfKind(Kind),
    /// Several folders are sites of their own: their paths, and what each is.
    Several(Vec<(String, &'static str)>),
}

/// A repository, what it is read as, and where it has what.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one rule of addresses or links")]
pub struct Repository {
    pub convention: &'static Convention,
    /// The folder of the generator's configuration, below the root.
    pub site: String,
    pub content: PublishedFolder,
    /// Several folders of pages in `content`, each published elsewhere. Without any, all of it is pages.
    pub sets: Vec<PublishedFolder>,
    /// Folders of files that are published as they are.
    pub statics: Vec<PublishedFolder>,
    /// The whole URL of the site, or its path, as the generator's configuration has it.
    pub base_url: Option<String>,
    pub title: Option<String>,
    pub language: Option<String>,
    /// Folders of translations, below the root, which are not read.
    pub translations: Vec<String>,
    /// Languages whose pages, `page.fr.md`, are not read.
    pub other_languages: Vec<String>,
    /// Folders whose names begin with `_` and hold pages all the same, below the root.
    pub collections: Vec<String>,
    /// The file that lists the pages in their order, below the root.
    pub navigation: Option<String>,
    /// Folders of files that pages include, below the root.
    pub includes: Vec<String>,
    /// How the ids of headings are made.
    pub anchors: AnchorRule,
    /// Whether plugins define labels of links that no page does.
    pub defines_labels: bool,
    /// Ids that templates write into every page.
    pub layouts: Arc<BTreeSet<String>>,
    /// Values that pages may show, by the names that they give them.
    pub values: Arc<BTreeMap<String, String>>,
    /// Files that are no pages, though they are among them.
    pub excluded: Patterns,
    /// Pages that are in no list on purpose.
    pub unlisted: Patterns,
    /// Addresses that something else of the generator makes; one that ends with `*` is that of all below.
    pub routes: Vec<String>,
    /// Addresses that other pages have, which are not read.
    pub openings: Vec<Opening>,
    /// Folders of such pages that are in the repository.
    pub unread: Vec<PublishedFolder>,
    /// Whether a program of the site's own makes addresses that no file shows.
    pub is_programmed: bool,
    /// Whether numbers in front of names are no part of addresses.
    pub is_numbered: bool,
    /// Whether a path without `./` may start at the root of the pages.
    pub links_from_root: bool,
    /// How many links show where the addresses of pages begin, if nothing else says it.
    pub proof: Option<Proof>,
    /// How many links show where the files are that are published as they are.
    pub proof_of_statics: Option<Proof>,
    /// Redirects in the configuration of its host or generator.
    pub redirects: Vec<Redirect>,
    /// What files beside its pages name.
    pub data: Vec<DataFile>,
    /// Beginnings of paths that stand for folders, with these folders below the root: `@assets/`, `src/assets/`.
    pub path_aliases: Vec<(String, String)>,
    /// The files from which all of this was read, below the root.
    pub own_files: Vec<String>,
}

/// A site of our own.
impl Default for Repository {
    fn default() -> Self {
        let said = Said {
            content: PublishedFolder::at_root("content"),
            statics: vec![PublishedFolder::at_root("static")],
            ..Said::default()
        };
        Self::new(Kind::Stepkin.convention(), said)
    }
}

/// The paths that a program's configuration gives other names to, those of the longest names first.
fn path_aliases(tree: &dyn FileTree) -> Vec<(String, String)> {
    let configs = ["tsconfig.json", "jsconfig.json"].iter().filter_map(|name| tree.text(name));
    let mut aliases: Vec<(String, String)> = configs.flat_map(|text| aliases_in(&text)).collect();
    aliases.sort_by_key(|(alias, _)| std::cmp::Reverse(alias.len()));
    aliases
}

/// `"paths": { "@assets/*": ["src/assets/*"] }` of a configuration of TypeScript, from its `baseUrl`.
fn aliases_in(config: &str) -> Vec<(String, String)> {
    let config = JsValues::of(config);
    let base = config.value("baseUrl").unwrap_or_default();
    let Some(paths) = config.tables("paths").next() else { return Vec::new() };
    let alias = |name: String| {
        let target = paths.list(&name).into_iter().next()?;
        let (alias, path) = (name.strip_suffix('*')?, target.strip_suffix('*')?.to_string());
        Some((alias.to_string(), folder(&format!("{base}/{path}"))))
    };
    paths.keys().into_iter().filter_map(alias).filter(|(alias, _)| !alias.is_empty()).collect()
}

/// The order in which kinds are tried. A site of our own has no file that says so, and its folder is Hugo's too.
const TRIED: [Kind; 11] = [
    Kind::Docusaurus,
    Kind::Starlight,
    Kind::Vitepress,
    Kind::Hugo,
    Kind::Mkdocs,
    Kind::Mdbook,
    Kind::Sphinx,
    Kind::Vuepress,
    Kind::Mdx,
    Kind::Stepkin,
    Kind::Jekyll,
];

/// Names, or their beginnings, of what generators are configured by: where a folder has none, it is not looked into.
const MARKS: [&str; 20] = [
    "docusaurus.config.",
    "astro.config.",
    ".vitepress",
    ".vuepress",
    "hugo.",
    "config.toml",
    "config.y",
    "mkdocs.y",
    "zensical.toml",
    "book.toml",
    "conf.py",
    "next.config.",
    "gatsby-config.",
    "source.config.",
    "nuxt.config.",
    "svelte.config.",
    ".eleventy.",
    "eleventy.config.",
    "docs.json",
    "mint.json",
];

/// Folders of sites that show how something is used or tested, beside the one that is published.
const SAMPLES: [&str; 14] = [
    "examples",
    "example",
    "templates",
    "template",
    "fixtures",
    "fixture",
    "test",
    "tests",
    "e2e",
    "demo",
    "demos",
    "playground",
    "playgrounds",
    "starters",
];

impl Repository {
    fn new(convention: &'static Convention, said: Said) -> Self {
        let Said { content, sets, statics, base_url, title, language: first_language, .. } = said;
        let Said {
            translations,
            other_languages,
            collections,
            navigation,
            includes,
            anchors,
            defines_labels,
            layouts,
            values,
            excluded,
            unlisted,
            routes,
            mut openings,
            mut unread,
            is_programmed,
            is_numbered,
            links_from_root,
            ..
        } = said;
        let language = |path: &String| path.rsplit('/').next().unwrap_or_default().to_string();
        if convention.falls_back {
            let folder = |path: &String| PublishedFolder { path: path.clone(), at: language(path) };
            unread.extend(translations.iter().map(folder));
        } else {
            let languages = translations.iter().map(language).chain(other_languages.iter().cloned());
            openings.extend(languages.map(|name| Opening::new(&name, Publisher::Translation)));
        }
        openings.sort();
        openings.dedup();
        Self {
            convention,
            site: String::new(),
            content,
            sets,
            statics,
            base_url,
            title,
            language: first_language,
            translations,
            other_languages,
            collections,
            navigation,
            includes,
            anchors: anchors.unwrap_or(convention.anchors),
            defines_labels,
            layouts: Arc::new(layouts),
            values: Arc::new(values),
            excluded: Patterns::of(excluded),
            unlisted: Patterns::of(unlisted),
            routes,
            openings,
            unread,
            is_programmed,
            is_numbered: is_numbered || convention.is_numbered,
            links_from_root: links_from_root || convention.links_from_root,
            proof: None,
            proof_of_statics: None,
            redirects: Vec::new(),
            data: Vec::new(),
            path_aliases: Vec::new(),
            own_files: Vec::new(),
        }
    }

    /// Recognises a repository.
    ///
    /// # Errors
    ///
    /// Where there is nothing that could be a page, or not what `overrides` says.
    pub fn of(tree: &dyn FileTree, overrides: &Overrides) -> Result<Self, Unrecognised> {
        let read = |kind: Kind| Self::read(kind, tree);
        let content = overrides.content.as_deref().map(folder);
        let mut repository = match (overrides.kind, &content) {
            (Some(kind), None) => read(kind).ok_or(Unrecognised::NotOfKind(kind))?,
            (None, None) => match TRIED.into_iter().find_map(read) {
                Some(repository) => repository,
                None => match Self::below(tree)? {
                    Some(repository) => repository,
                    None => Self::by_pages(tree).ok_or(Unrecognised::NoPages)?,
                },
            },
            (kind, Some(content)) => {
                let found = match kind {
                    Some(kind) => read(kind).or_else(|| Self::by_pages(tree).filter(|it| it.kind() == kind)),
                    None => TRIED.into_iter().find_map(read).or_else(|| Self::by_pages(tree)),
                };
                let unread = || {
                    let statics = vec![PublishedFolder::at_root("static")];
                    Self::new(kind.unwrap_or(Kind::Plain).convention(), Said { statics, ..Said::default() })
                };
                let mut found = found.unwrap_or_else(unread);
                found.content.path.clone_from(content);
                if !tree.is_folder(content) {
                    return Err(Unrecognised::NoPages);
                }
                found
            }
        };
        if let Some(statics) = &overrides.statics {
            repository.statics = statics.iter().map(|path| PublishedFolder::at_root(&folder(path))).collect();
        }
        if let Some(base) = &overrides.base {
            repository.base_url = Some(base.clone());
        }
        if !repository.is_ours() {
            let folder = repository.site.clone();
            let aliases = path_aliases(&Subtree { tree, folder: &folder });
            let placed = |(alias, path): (String, String)| (alias, within(&folder, &path));
            repository.path_aliases = aliases.into_iter().map(placed).collect();
            calibrate::calibrate(tree, &mut repository, overrides);
            let statics: Vec<&str> = repository.statics.iter().map(|it| it.path.as_str()).collect();
            repository.redirects = redirects::read(tree, &folder, &statics);
            repository.data = named::read(tree, &repository);
        }
        Ok(repository)
    }

    /// Reads a tree as one of a kind.
    fn read(kind: Kind, tree: &dyn FileTree) -> Option<Self> {
        (kind.convention().read)(tree).map(|said| Self::new(kind.convention(), said))
    }

    /// Reads a tree without any configuration.
    fn by_pages(tree: &dyn FileTree) -> Option<Self> {
        let mdx = || Some(Self::new(Kind::Mdx.convention(), super::mdx::read_by_pages(tree)?));
        mdx().or_else(|| Self::read(Kind::Plain, tree))
    }

    /// Reads the site in a folder up to two levels below the root, where that has most of the repository's pages. Of several sites
    /// one is read that has nine of ten of their pages.
    ///
    /// # Errors
    ///
    /// [`Unrecognised::Several`] where none of them does. To read them as one site would be to judge each by the rules of another:
    /// addresses of a site begin at its own root.
    fn below(tree: &dyn FileTree) -> Result<Option<Self>, Unrecognised> {
        /// A site with fewer of the repository's pages is not what these are about.
        const SHARE: usize = 3;
        let mut sites: Vec<(String, Self)> = Vec::new();
        for folder in folders_of_sites(tree) {
            let subtree = Subtree { tree, folder: &folder };
            let is_inside = sites.iter().any(|(site, _)| site_path::is_inside(&folder, site));
            let kinds = TRIED.into_iter().filter(|kind| *kind != Kind::Stepkin && !is_inside);
            let read = kinds.into_iter().find_map(|kind| Self::read(kind, &subtree));
            sites.extend(read.map(|site| (folder.clone(), site.placed(&folder))));
        }
        if sites.is_empty() {
            return Ok(None);
        }
        let pages: Vec<String> = ["md", "mdx"].into_iter().flat_map(|ending| tree.pages(ending)).collect();
        let count = |site: &Self| pages.iter().filter(|page| site.below_content(page).is_some()).count();
        let counts: Vec<usize> = sites.iter().map(|(_, site)| count(site)).collect();
        let all: usize = counts.iter().sum();
        if SHARE * all < pages.len() {
            return Ok(None);
        }
        match counts.iter().position(|count| 10 * count >= 9 * all) {
            Some(at) => Ok(Some(sites.swap_remove(at).1)),
            None => {
                let named = sites.into_iter().map(|(folder, site)| (folder, site.convention.name));
                Err(Unrecognised::Several(named.collect()))
            }
        }
    }

    /// The same for a site that is not at the root but in a folder below it.
    fn placed(mut self, folder: &str) -> Self {
        let at = |path: &mut String| *path = within(folder, path);
        at(&mut self.content.path);
        let folders = self.sets.iter_mut().chain(&mut self.statics).chain(&mut self.unread);
        folders.for_each(|it| at(&mut it.path));
        self.translations.iter_mut().chain(&mut self.collections).chain(&mut self.includes).for_each(at);
        self.navigation.as_mut().map(at);
        for patterns in [&mut self.excluded, &mut self.unlisted] {
            *patterns =
                Patterns::of(patterns.written.iter().map(|pattern| within(folder, pattern)).collect());
        }
        self.site = folder.to_string();
        self
    }

    /// Whether a tree is that of a generator, by its configuration, or a site of our own.
    pub fn is_configured(tree: &dyn FileTree) -> bool {
        TRIED.into_iter().any(|kind| match kind {
            // Its pages are looked for in the whole tree.
            Kind::Mdx => super::mdx::is_configured(tree),
            kind => Self::read(kind, tree).is_some(),
        })
    }

    pub fn kind(&self) -> Kind {
        self.convention.kind
    }

    /// Addresses that exist beside those of sources, as `[check] routes` has them: one a line.
    pub fn all_routes(&self) -> Vec<String> {
        let redirects = self.redirects.iter().map(|it| match &it.to {
            Some(to) => format!("{} -> {to}", it.from),
            None => it.from.clone(),
        });
        self.routes.iter().cloned().chain(redirects).collect()
    }

    /// Whether nobody can tell all addresses of the site: a framework publishes it by rules of its own, or a program does.
    pub fn is_guessed(&self) -> bool {
        matches!(self.kind(), Kind::Mdx | Kind::Plain) || self.is_programmed
    }

    /// The path of the site's root, without a slash at either end.
    pub fn base_path(&self) -> String {
        let url = self.base_url.as_deref().unwrap_or_default();
        let path =
            url.split_once("://").map_or(url, |(_, rest)| rest.find('/').map_or("", |slash| &rest[slash..]));
        path.trim_matches('/').to_string()
    }

    /// What is read, and what shows it, in more than one line.
    pub fn reasons(&self) -> Vec<String> {
        let proof = |proof: Option<Proof>| match proof {
            Some(proof) => format!(", by {proof}"),
            None => String::new(),
        };
        let shown = |path: &str| if path.is_empty() { "this folder".into() } else { format!("{path}/") };
        let statics: Vec<String> = self.statics.iter().map(|folder| shown(&folder.path)).collect();
        let mut reasons = vec![format!("root of pages: {}{}", shown(&self.content.path), proof(self.proof))];
        if !statics.is_empty() {
            reasons.push(format!("static files: {}{}", statics.join(", "), proof(self.proof_of_statics)));
        }
        let openings: Vec<&str> = self.openings.iter().map(|it| it.folder.as_str()).collect();
        if !openings.is_empty() {
            reasons.push(format!("published by others: {}", openings.join(", ")));
        }
        reasons
    }

    /// Whether links of pages may have a say in where addresses begin.
    pub fn is_calibrated(&self) -> bool {
        matches!(self.kind(), Kind::Mdx | Kind::Plain) || self.proof_of_statics.is_some()
    }

    /// Whether the links of pages show the same.
    pub fn is_calibrated_as(&self, other: &Self) -> bool {
        let shown = |it: &Self| (it.content.clone(), it.base_url.clone(), it.statics.clone());
        shown(self) == shown(other)
    }

    /// Whether the repository is a site of our own.
    pub fn is_ours(&self) -> bool {
        self.kind() == Kind::Stepkin
    }

    /// The folder of templates, where there is one.
    pub fn templates(&self) -> Option<&'static str> {
        self.is_ours().then_some("templates")
    }

    /// The folders that hold sources, none of them in another.
    pub fn folders(&self) -> Vec<&str> {
        let statics = self.statics.iter().map(|folder| folder.path.as_str());
        let content = Some(self.content.path.as_str()).filter(|_| self.sets.is_empty());
        let sets = self.sets.iter().map(|folder| folder.path.as_str());
        let all = content.into_iter().chain(sets).chain(statics).chain(self.templates());
        let all: Vec<&str> = all.collect();
        // A hidden folder is not walked with the one that it is in.
        let within = |path: &str, other: &str| {
            let rest = if other.is_empty() {
                Some(path)
            } else {
                path.strip_prefix(other).and_then(|it| it.strip_prefix('/'))
            };
            path != other && rest.is_some_and(|rest| !rest.split('/').any(|name| name.starts_with('.')))
        };
        let mut folders: Vec<&str> = Vec::new();
        for path in all.iter().copied() {
            if !folders.contains(&path) && !all.iter().any(|other| within(path, other)) {
                folders.push(path);
            }
        }
        folders
    }

    /// The path below the folder of pages, of a file that is no file to publish as it is.
    pub fn below_content<'p>(&self, path: &'p str) -> Option<&'p str> {
        let below = self.content.below(path)?;
        if !self.sets.is_empty() && !self.sets.iter().any(|set| set.path == path || set.below(path).is_some())
        {
            return None;
        }
        let is_other =
            |folder: &PublishedFolder| folder.path != self.content.path && folder.below(path).is_some();
        (!self.statics.iter().any(is_other) && !self.is_template(path)).then_some(below)
    }

    /// Whether a file is a template of the site.
    pub fn is_template(&self, path: &str) -> bool {
        let is_within = |folder| path.strip_prefix(folder).is_some_and(|rest: &str| rest.starts_with('/'));
        self.templates().is_some_and(is_within)
    }

    /// Whether a file is a page, by its path alone.
    pub fn is_page(&self, path: &str) -> bool {
        let Some(below) = self.below_content(path) else { return false };
        let name = below.rsplit('/').next().unwrap_or(below);
        let Some((stem, ending)) = name.rsplit_once('.') else { return false };
        let language = stem.rsplit_once('.').map(|(_, language)| language);
        self.convention.endings.contains(&ending)
            && !self.convention.no_pages.contains(&below)
            && !self.excluded.is_match(path)
            && !language.is_some_and(|language| self.other_languages.iter().any(|other| other == language))
    }

    /// A page's path below the folder of pages, without its ending.
    pub fn stem<'b>(&self, below: &'b str) -> &'b str {
        let stem = self.convention.endings.iter().find_map(|it| below.strip_suffix(it)?.strip_suffix('.'));
        stem.unwrap_or(below)
    }

    /// Where a file that is published as it is goes; `None` where it is none.
    pub fn published_file(&self, path: &str) -> Option<Address> {
        let mut fixed = self.statics.iter().filter(|folder| folder.path != self.content.path);
        let place = fixed.find_map(|folder| Some(folder.at_address(folder.below(path)?)));
        let place = place.or_else(|| Some(self.published(self.below_content(path)?)))?;
        Some(Address::new(&format!("/{place}")))
    }

    /// The address of a path below the folder of pages, without the first slash: that of the innermost set that it is in.
    fn published(&self, below: &str) -> String {
        match self.set_of(below) {
            Some((set, rest)) => set.at_address(&rest),
            None => self.content.at_address(below),
        }
    }

    /// The innermost set that a path below the folder of pages is in, and the path in it.
    fn set_of(&self, below: &str) -> Option<(&PublishedFolder, String)> {
        let path = self.content.with(below);
        let sets = self.sets.iter().filter_map(|set| Some((set, set.below(&path)?.to_string())));
        sets.max_by_key(|(set, _)| set.path.len())
    }

    /// The path by which links name a page's file, below the folder of pages and without its ending: `/a/b/` for
    /// `a/b.md` and `a/b/index.md`.
    pub fn file_address(&self, below: &str) -> Address {
        Address::of_page(&format!("{}.md", self.stem(below)), None)
    }

    /// Whether a page has the address that its file's name gives, as all of our own kind without a `slug` have.
    pub fn is_named_by_file(&self, below: &str, slug: Option<&str>) -> bool {
        self.is_ours() && slug.is_none() && below.ends_with(".md")
    }

    /// The address of a page: `below` is its path below the folder of pages, `slug` what its front matter says of the
    /// address, and `id` what it says of the last segment.
    pub fn address(&self, below: &str, slug: Option<&str>, id: Option<&str>) -> Address {
        if self.is_ours() {
            return Address::of_page(below, slug);
        }
        let (set, below) = match self.set_of(below) {
            Some((set, rest)) => (set, Cow::Owned(rest)),
            None => (&self.content, Cow::Borrowed(below)),
        };
        let (folder, name) = self.segments(&below);
        let is_index = name.is_none();
        let name = match id.filter(|_| !is_index) {
            Some(id) => Some(Cow::Borrowed(id)),
            None => name,
        };
        let join = |folder: &str, name: &str| {
            if folder.is_empty() { name.to_string() } else { format!("{folder}/{name}") }
        };
        let usual = name.as_deref().map_or(folder.clone(), |name| join(&folder, name));
        let path = match (slug.filter(|slug| !slug.is_empty()), self.convention.slugs) {
            (None, _) => usual,
            (Some(slug), Slugs::WholePath) => slug.trim_start_matches('/').to_string(),
            (Some(slug), Slugs::Path) if slug.starts_with('/') => slug[1..].to_string(),
            (Some(slug), Slugs::Segment) if is_index => {
                join(folder.rsplit_once('/').map_or("", |it| it.0), slug)
            }
            (Some(slug), Slugs::Path | Slugs::Segment) => join(&folder, slug),
        };
        // Only the whole path of Jekyll's pages ends as a file does.
        let path = path.strip_suffix(".html").unwrap_or(&path);
        Address::new(&format!("/{}/", set.at_address(path.trim_matches('/'))))
    }

    /// The folder of a page's address and its last segment; none where the page is at the address of its folder.
    fn segments<'b>(&self, below: &'b str) -> (String, Option<Cow<'b, str>>) {
        let convention = self.convention;
        let stem = self.stem(below);
        let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
        let segment = |name: &'b str| -> Cow<'b, str> {
            let name = if self.is_numbered { without_number(name).1 } else { name };
            let name = name.strip_prefix('_').filter(|_| !self.collections.is_empty()).unwrap_or(name);
            match convention.is_lower_case {
                true => name.to_lowercase().replace(' ', "-").into(),
                false => name.into(),
            }
        };
        let is_mdx = convention.kind == Kind::Mdx;
        let is_dropped = |it: &str| it.is_empty() || is_mdx && super::mdx::is_group(it);
        let folders = folder.split('/').filter(|it| !is_dropped(it));
        let folders: Vec<Cow<'_, str>> = folders.map(segment).collect();
        let path = folders.join("/");
        let is_of_router = is_mdx && name == "page" && super::mdx::has_pages_by_folder(&self.content);
        let is_index =
            is_of_router || convention.indices.iter().any(|index| index.eq_ignore_ascii_case(name));
        let name = segment(name);
        let is_folders =
            convention.is_index_by_folder && folders.last().is_some_and(|folder| *folder == name);
        (path, (!is_index && !is_folders).then_some(name))
    }

    /// The path below the root that a file names by a path from its own folder, or from the root by `@site/` and the
    /// like; `None` where it leads out of the repository.
    pub fn path_from(&self, page: &str, named: &str) -> Option<String> {
        let alias =
            self.path_aliases.iter().find_map(|(alias, folder)| Some((folder, named.strip_prefix(alias)?)));
        let by_alias = alias.map(|(folder, rest)| (folder.as_str(), rest));
        let of_root =
            || Some((self.site.as_str(), named.strip_prefix("@site/").or_else(|| named.strip_prefix("~/"))?));
        let (start, rest) = match by_alias.or_else(of_root) {
            Some(found) => found,
            None => match named.strip_prefix("@/") {
                Some(rest) => (self.content.path.as_str(), rest),
                None => (page.rsplit_once('/').map_or("", |(folder, _)| folder), named),
            },
        };
        let mut parts: Vec<&str> = start.split('/').filter(|part| !part.is_empty()).collect();
        for part in rest.split('/') {
            match part {
                "" | "." => {}
                ".." => _ = parts.pop()?,
                part => parts.push(part),
            }
        }
        Some(parts.join("/"))
    }

    /// Whether pages name the files of their code from the root.
    pub fn names_code_files(&self) -> bool {
        self.convention.syntax.contains(&Syntax::CodeFiles)
    }

    /// Whether a file is in a folder of files that pages include by name, wherever the page is.
    pub fn is_template_of_includes(&self, path: &str) -> bool {
        self.includes.iter().any(|folder| site_path::is_inside(path, folder))
    }

    /// The files that a page may mean by the name of one that it includes, the likeliest first, below the root.
    pub fn included(&self, page: &str, named: &str) -> Vec<String> {
        if self.names_code_files() {
            return site_path::below_root(named).into_iter().collect();
        }
        // Loaders of webpack come first: `!!raw-loader!./a.js`.
        let named = named.rsplit('!').next().unwrap_or(named);
        let named = named.split(['?', '#']).next().unwrap_or(named);
        let mut paths: Vec<String> = Vec::new();
        if let Some(shortcode) = named.strip_prefix("shortcode:") {
            let files =
                |folder: &String| ["md", "html"].map(|ending| format!("{folder}/{shortcode}.{ending}"));
            return self.includes.iter().flat_map(files).collect();
        }
        // Lists in front matter name files of this folder, and pages for other reasons.
        if let Some(file) = named.strip_prefix("listed:") {
            return self.includes.iter().map(|folder| format!("{folder}/{file}")).collect();
        }
        paths.extend(self.path_from(page, named));
        let rest = named.trim_start_matches('/');
        if !named.starts_with(['.', '/', '@']) {
            // From the folders around the page, the nearest first.
            let folders = page.rmatch_indices('/').map(|(end, _)| &page[..end]);
            paths.extend(folders.map(|folder| format!("{folder}/_includes/{rest}")));
        }
        paths.extend(self.includes.iter().map(|folder| format!("{folder}/{rest}")));
        paths.extend([self.content.with(rest), within(&self.site, rest), rest.to_string()]);
        paths.retain(|path| !path.split('/').any(|part| matches!(part, "" | "." | "..")));
        paths.dedup();
        paths
    }

    /// Of a path below the folder of pages that is in a folder for shared pages: the folder that holds it, and the
    /// path below itself: `tour` and `install.md` for `tour/_shared/install.md`.
    pub fn shared<'p>(&self, path: &'p SitePath) -> Option<(&'p str, &'p str)> {
        site_path::shared(self.below_content(path.as_str())?)
    }
}

/// Patterns of paths below the root: each is a file, or a folder with all in it. What is none matches nothing.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    written: Vec<String>,
    set: GlobSet,
}

impl Patterns {
    fn of(written: Vec<String>) -> Self {
        let mut set = GlobSetBuilder::new();
        for pattern in written.iter().map(|pattern| pattern.trim_end_matches('/')) {
            for pattern in [pattern.to_string(), format!("{pattern}/**")] {
                if let Ok(glob) = GlobBuilder::new(&pattern).literal_separator(true).build() {
                    set.add(glob);
                }
            }
        }
        Self { written, set: set.build().unwrap_or_default() }
    }

    pub fn is_match(&self, path: &str) -> bool {
        !self.set.is_empty() && self.set.is_match(path)
    }
}

/// The folders up to two levels below the root that have what a generator is configured by, samples left out. A folder of packages
/// of one owner, `@owner`, is no level.
fn folders_of_sites(tree: &dyn FileTree) -> Vec<String> {
    const LEVELS: usize = 2;
    let mut found = Vec::new();
    let mut open = vec![(String::new(), 0)];
    while let Some((folder, level)) = open.pop() {
        let names = tree.names(&folder);
        let is_mark = |name: &String| MARKS.iter().any(|mark| name.starts_with(mark));
        if level > 0 && (names.iter().any(is_mark) || names.iter().any(|name| name == "_config.yml")) {
            found.push(folder.clone());
        }
        for name in names {
            let is_looked_into =
                !name.starts_with(['.', '_']) && name != "node_modules" && !SAMPLES.contains(&&*name);
            let levels = level + usize::from(!name.starts_with('@'));
            let path = within(&folder, &name);
            if is_looked_into && levels <= LEVELS && tree.is_folder(&path) {
                open.push((path, levels));
            }
        }
    }
    found.sort();
    found
}

/// The number in front of a name, by which files are sorted, and the name without it: `2` and `install` of `02-install`.
/// Dates and versions are no such numbers. Source: Docusaurus' `DefaultNumberPrefixParser`.
pub fn without_number(name: &str) -> (Option<u64>, &str) {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &name[digits..];
    let bare = rest.trim_start_matches(['-', '_', '.', ' ']);
    let is_name = bare.len() < rest.len() && bare.starts_with(|c: char| !c.is_ascii_digit());
    match digits > 0 && is_name {
        true => (Some(name[..digits].parse().unwrap_or(u64::MAX)), bare),
        false => (None, name),
    }
}

/// What is read, in one line without an end.
impl fmt::Display for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |path: &str| if path.is_empty() { "this folder".to_string() } else { format!("{path}/") };
        write!(f, "read as {}: ", self.convention.name)?;
        match self.sets.as_slice() {
            [] => write!(f, "{}", shown(&self.content.path))?,
            sets => {
                let names: Vec<String> = sets.iter().map(|set| shown(&set.path)).collect();
                write!(f, "{}", names.join(", "))?;
            }
        }
        let base = self.base_path();
        if !base.is_empty() {
            write!(f, ", base path /{base}/")?;
        }
        if let Some(proof) = self.proof {
            write!(f, " (by {proof})")?;
        }
        match self.translations.as_slice() {
            [] => Ok(()),
            [one] => write!(f, "; {} is a translation and not read", shown(one)),
            several => {
                let names: Vec<String> = several.iter().map(|path| shown(path)).collect();
                write!(f, "; {} are translations and not read", names.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Files by their path; folders are where files are.
    struct Files(BTreeMap<&'static str, &'static str>);

    impl FileTree for Files {
        fn text(&self, path: &str) -> Option<String> {
            self.0.get(path).map(|text| (*text).to_string())
        }

        fn is_folder(&self, path: &str) -> bool {
            path.is_empty() || self.0.keys().any(|file| site_path::is_inside(file, path))
        }

        fn has_pages(&self, folder: &str) -> bool {
            let is_in = |file: &&&str| folder.is_empty() || site_path::is_inside(file, folder);
            self.0.keys().filter(is_in).any(|file| file.ends_with(".md"))
        }

        fn files(&self, folder: &str) -> Vec<String> {
            let below = |file: &&str| file.strip_prefix(folder)?.strip_prefix('/').map(str::to_string);
            self.0.keys().filter_map(below).collect()
        }

        fn pages(&self, ending: &str) -> Vec<String> {
            let pages = self.0.keys().filter(|file| file.rsplit_once('.').is_some_and(|it| it.1 == ending));
            pages.map(ToString::to_string).collect()
        }

        fn all(&self) -> Vec<String> {
            self.0.keys().map(ToString::to_string).collect()
        }

        fn peek(&self, page: &str) -> Option<String> {
            self.text(page)
        }

        fn names(&self, folder: &str) -> Vec<String> {
            let below = |file: &&str| {
                let rest =
                    if folder.is_empty() { file } else { file.strip_prefix(folder)?.strip_prefix('/')? };
                rest.split('/').next().map(str::to_string)
            };
            let names: std::collections::BTreeSet<String> = self.0.keys().filter_map(below).collect();
            names.into_iter().collect()
        }
    }

    fn repository(files: &[(&'static str, &'static str)]) -> Repository {
        recognised(files, &Overrides::default()).expect("it is recognised")
    }

    fn recognised(
        files: &[(&'static str, &'static str)],
        overrides: &Overrides,
    ) -> Result<Repository, Unrecognised> {
        Repository::of(&Files(files.iter().copied().collect()), overrides)
    }

    /// `addresses` has a page's path below the root and its address on each line, with `slug=` or `id=` between.
    #[track_caller]
    fn check(files: &[(&'static str, &'static str)], said: &str, addresses: &str) {
        let repository = repository(files);
        assert_eq!(repository.to_string(), said);
        for line in addresses.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (path, address) = (words[0], words[words.len() - 1]);
            let given = |name: &str| words.iter().find_map(|word| word.strip_prefix(name));
            assert!(repository.is_page(path), "{path}");
            let below = repository.below_content(path).expect("a page");
            let found = repository.address(below, given("slug="), given("id="));
            assert_eq!(found.as_str(), address, "{line}");
        }
    }

    #[test]
    fn a_docusaurus_site_is_read_by_its_configuration() {
        let config = "module.exports = { title: 'T', url: 'https://a.example', baseUrl: '/docs/', presets: [['classic', \
                      { docs: { routeBasePath: '/', sidebarPath: './sidebars.js' } }]] };";
        let files = &[("docusaurus.config.js", config), ("sidebars.js", ""), ("docs/a.md", "")];
        check(
            files,
            "read as a Docusaurus site: docs/, base path /docs/",
            "docs/web/install.mdx /web/install/
             docs/01-web/02.install.md /web/install/
             docs/web/2024-01-notes.md /web/2024-01-notes/
             docs/web/README.md /web/
             docs/web/web.md /web/
             docs/web/a.md id=b /web/b/
             docs/web/index.md id=b /web/
             docs/web/a.md slug=c id=b /web/c/
             docs/web/a.md slug=/x/y /x/y/",
        );
        let repository = repository(files);
        assert_eq!(repository.navigation.as_deref(), Some("sidebars.js"));
        assert_eq!(repository.base_url.as_deref(), Some("https://a.example/docs/"));
        assert_eq!(repository.published_file("static/img/a.png").expect("a file").as_str(), "/img/a.png");
        assert_eq!(repository.path_from("docs/web/a.md", "../../code/x.js").as_deref(), Some("code/x.js"));
        assert_eq!(repository.path_from("docs/a.md", "../../x.js"), None);
        assert_eq!(repository.included("docs/web/a.mdx", "@site/code/a.kt?raw")[0], "code/a.kt");
        check(
            &[("docusaurus.config.ts", "export default { baseUrl: '/' }"), ("docs/a.md", "")],
            "read as a Docusaurus site: docs/",
            "docs/web/install.md /docs/web/install/",
        );
    }

    #[test]
    fn a_hugo_site_is_read_in_its_first_language() {
        let config = "baseURL: https://a.example/x/\ndefaultContentLanguage: en\nlanguages:\n  en: {}\n  ja: {}\n  fr: {}\n";
        let files = &[("hugo.yaml", config), ("content/en/_index.md", ""), ("content/ja/_index.md", "")];
        check(
            files,
            "read as a Hugo site: content/en/, base path /x/; content/ja/ is a translation and not read",
            "content/en/docs/_index.md /docs/
             content/en/docs/Go/Getting-Started.md /docs/go/getting-started/
             content/en/docs/go/a.md slug=b /docs/go/b/
             content/en/docs/go/a.md slug=/c/ /c/",
        );
        let repository = repository(files);
        assert!(!repository.is_page("content/en/docs/a.fr.md"));
        assert!(!repository.is_page("content/ja/docs/a.md"));
        assert_eq!(
            repository.included("content/en/a.md", "shortcode:docs/intro"),
            [
                "layouts/shortcodes/docs/intro.md",
                "layouts/shortcodes/docs/intro.html",
                "layouts/_shortcodes/docs/intro.md",
                "layouts/_shortcodes/docs/intro.html"
            ]
        );
        // A folder of pages alone may be our own.
        check(&[("content/a.md", "")], "read as a Stepkin site: content/", "content/a.md /a/");
    }

    #[test]
    fn other_generators_are_recognised_by_their_files() {
        check(
            &[
                ("astro.config.mjs", "starlight({ title: 'x', locales: { root: {}, fr: {} } }), base: '/b'"),
                ("src/content/docs/a.md", ""),
                ("src/content/docs/fr/a.md", ""),
            ],
            "read as a Starlight site: src/content/docs/, base path /b/; src/content/docs/fr/ is a translation and not read",
            "src/content/docs/Web/Install.mdx /web/install/
             src/content/docs/web/a.md slug=x/y /x/y/",
        );
        check(
            &[("_config.yml", "baseurl: /b\ncollections:\n  guides:\n    output: true\n"), ("a.md", "")],
            "read as a Jekyll site: this folder, base path /b/",
            "web/install.md /web/install/
             _guides/web/install.md /guides/web/install/
             a.md slug=/x/y.html /x/y/",
        );
        check(
            &[("mkdocs.yml", "site_name: T\nnav:\n  - A: a.md\n"), ("docs/a.md", "")],
            "read as a MkDocs site: docs/",
            "docs/web/README.md /web/
             docs/web/install.md /web/install/",
        );
        check(
            &[("docs/.vitepress/config.mts", "export default { base: '/b/' }"), ("docs/a.md", "")],
            "read as a VitePress site: docs/, base path /b/",
            "docs/web/install.md /web/install/",
        );
        check(
            &[("book.toml", "[book]\nsrc = 'text'\n"), ("text/SUMMARY.md", ""), ("text/a.md", "")],
            "read as an mdBook: text/",
            "text/web/README.md /web/
             text/web/install.md /web/install/",
        );
        check(&[("docs/a.md", "")], "read as folders of Markdown files: docs/", "docs/web/a.md /web/a/");
        check(
            &[("web/a.md", ""), ("ios/a.md", "")],
            "read as folders of Markdown files: this folder",
            "web/a.md /web/a/",
        );
        assert_eq!(
            recognised(&[("package.json", "{}")], &Overrides::default()).err(),
            Some(Unrecognised::NoPages)
        );
    }

    #[test]
    fn what_the_configuration_says_comes_first() {
        let files = &[("mkdocs.yml", ""), ("docs/a.md", ""), ("guide/a.md", ""), ("public/a.png", "")];
        let said = |kind, content: &str| Overrides {
            kind,
            content: Some(content.into()),
            statics: Some(vec!["./public/".into()]),
            base: Some("/b/".into()),
        };
        let plain = recognised(files, &said(Some(Kind::Plain), "/guide/")).expect("it is there");
        assert_eq!(plain.to_string(), "read as folders of Markdown files: guide/, base path /b/");
        assert_eq!(plain.published_file("public/a.png").expect("a file").as_str(), "/a.png");
        let mkdocs = recognised(files, &said(None, "guide")).expect("it is there");
        assert_eq!((mkdocs.kind(), mkdocs.content.path.as_str()), (Kind::Mkdocs, "guide"));
        assert_eq!(recognised(files, &said(None, "none")).err(), Some(Unrecognised::NoPages));
        let kind = Overrides { kind: Some(Kind::Hugo), ..Overrides::default() };
        assert_eq!(recognised(files, &kind).err(), Some(Unrecognised::NotOfKind(Kind::Hugo)));
    }

    #[test]
    fn folders_in_others_are_walked_once() {
        let files = &[("docs/.vitepress/config.js", "{}"), ("docs/a.md", ""), ("docs/public/a.png", "")];
        let vitepress = repository(files);
        assert_eq!(vitepress.folders(), ["docs"]);
        assert_eq!(vitepress.published_file("docs/public/a.png").expect("a file").as_str(), "/a.png");
        assert_eq!(vitepress.published_file("docs/b/a.png").expect("a file").as_str(), "/b/a.png");
        assert!(!vitepress.is_page("docs/public/a.md"));
        assert_eq!(Repository::default().folders(), ["content", "static", "templates"]);
    }

    #[test]
    fn a_number_in_front_is_no_part_of_a_name() {
        for (name, number, rest) in [
            ("02-install", Some(2), "install"),
            ("3_a", Some(3), "a"),
            ("10. More", Some(10), "More"),
            ("2.0", None, "2.0"),
            ("2024-01-05", None, "2024-01-05"),
            ("404", None, "404"),
            ("7zip", None, "7zip"),
            ("install", None, "install"),
        ] {
            assert_eq!(without_number(name), (number, rest));
        }
    }
}
