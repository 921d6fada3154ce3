//! Recognizes a repository by its files: its generator, its folders, and the settings in its configuration.

use super::redirects;
use super::repository::Repository;
use super::tree::{FileTree, PublishedFolder, Subtree, within};
use super::values::{JsValues, folder};
use super::{
    ABOUT, FormPlace, Kind, Overrides, Patterns, UnreadForm, are_nearly_all, calibrate, extensions,
    front_rules, named,
};
use base::language::LanguageTag;
use base::platforms::is_platform;
use base::site_path;
use base::sort::StableSort as _;
use base::sorted::SortedMap;

/// Why a repository can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnrecognizedRepository {
    /// It has no folder of pages.
    NoPages,
    /// The configured kind expects another configuration file or pages in another folder.
    NotOfKind(Kind),
    /// Several folders are separate sites.
    Several(Vec<SiteFolder>),
}

/// A folder with a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFolder {
    /// Relative to the root.
    pub path: String,
    pub kind: Kind,
    /// See [`Repository::name`].
    pub name: &'static str,
}

impl Overrides {
    /// Returns the overrides that read `sites` as one, or `None` if they aren't versions of one another: sites of one kind for several
    /// platforms or in several languages, in folders that differ in one name.
    pub fn of_versions(sites: &[SiteFolder]) -> Option<Self> {
        let (first, others) = sites.split_first()?;
        let is_version = |name: &str| is_platform(name) || LanguageTag::known(name).is_some();
        let names: Vec<&str> = first.path.split('/').collect();
        let at = (0..names.len()).rev().find(|at| is_version(names[*at]))?;
        let is_other = |it: &SiteFolder| {
            let other: Vec<&str> = it.path.split('/').collect();
            let differs = |(place, (own, other)): (usize, (&&str, &&str))| {
                own == other || place == at && is_platform(own) == is_platform(other) && is_version(other)
            };
            it.kind == first.kind
                && other.len() == names.len()
                && names.iter().zip(&other).enumerate().all(differs)
        };
        others.iter().all(is_other).then(|| Self {
            kind: Some(first.kind),
            content: Some(names[..at].join("/")),
            ..Self::default()
        })
    }
}

/// Returns the path aliases of a program's configuration, those with the longest names first.
fn path_aliases(tree: &dyn FileTree) -> Vec<(String, String)> {
    let configs = ["tsconfig.json", "jsconfig.json"].iter().filter_map(|name| tree.text(name));
    let mut aliases: Vec<(String, String)> = configs.flat_map(|text| aliases_in(&text)).collect();
    // Links in Zola: <https://www.getzola.org/documentation/content/linking/>.
    if super::plain::base_of_zola(tree).is_some() {
        aliases.push(("@/".to_string(), "content".to_string()));
    }
    aliases.stable_sort_by_key(|(alias, _)| std::cmp::Reverse(alias.len()));
    aliases
}

/// Reads a TypeScript configuration's `"paths": { "@assets/*": ["src/assets/*"] }`, relative to its `baseUrl`.
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

/// The order in which kinds are tried. A Stepkin site has no file that identifies it, and Hugo uses the same folder
/// name.
const TRIED: [Kind; 12] = [
    Kind::Docusaurus,
    Kind::Starlight,
    Kind::Vitepress,
    Kind::Hugo,
    Kind::Mkdocs,
    Kind::Mdbook,
    Kind::Mystmd,
    Kind::Sphinx,
    Kind::Vuepress,
    Kind::Mdx,
    Kind::Stepkin,
    Kind::Jekyll,
];

/// Names, or prefixes of names, of generators' configuration files. A folder without any of them is skipped.
const MARKS: [&str; 24] = [
    "docusaurus.config.",
    "astro.config.",
    ".vitepress",
    ".vuepress",
    "hugo.",
    "config.toml",
    "config.y",
    "config.json",
    "mkdocs.y",
    "properdocs.y",
    "zensical.toml",
    "book.toml",
    "conf.py",
    "myst.yml",
    "_toc.yml",
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

/// Folders of sites that are examples, rather than the published site.
const SAMPLES: [&str; 9] = [
    "examples",
    "example",
    "templates",
    "template",
    "demo",
    "demos",
    "playground",
    "playgrounds",
    "starters",
];

impl Repository {
    /// Recognizes a repository.
    ///
    /// # Errors
    ///
    /// If nothing could be a page, or if `overrides` doesn't match the repository.
    pub fn of(tree: &dyn FileTree, overrides: &Overrides) -> Result<Self, UnrecognizedRepository> {
        let read = |kind: Kind| Self::read(kind, tree);
        let content = overrides.content.as_deref().map(folder);
        let mut repository = match (overrides.kind, &content) {
            (Some(kind), None) => read(kind).ok_or(UnrecognizedRepository::NotOfKind(kind))?,
            (None, None) => match TRIED.into_iter().find_map(read) {
                Some(repository) if repository.has_pages(tree) => match repository.kind() {
                    Kind::Jekyll => Self::instead_of_theme(tree).unwrap_or(repository),
                    _ => Self::instead_of_few_pages(tree, &repository).unwrap_or(repository),
                },
                // The configuration of an earlier generator, next to the site.
                Some(former) => {
                    let other = Self::below(tree).ok().flatten();
                    other.or_else(|| Self::by_mdx_pages(tree)).unwrap_or(former)
                }
                None => match Self::below(tree)? {
                    Some(repository) => repository,
                    None => Self::by_pages(tree).ok_or(UnrecognizedRepository::NoPages)?,
                },
            },
            (kind, Some(content)) => {
                let found = match kind {
                    Some(kind) => read(kind).or_else(|| Self::by_pages(tree).filter(|it| it.kind() == kind)),
                    None => TRIED.into_iter().find_map(read).or_else(|| Self::by_pages(tree)),
                };
                let unread = || {
                    let statics = vec![PublishedFolder::at_root("static")];
                    Self { statics, ..Self::of_kind(kind.unwrap_or(Kind::Plain).convention()) }
                };
                let mut found = found.unwrap_or_else(unread);
                found.content.path.clone_from(content);
                if found.kind() == Kind::Plain {
                    (found.excluded, found.skipped) = (Patterns::default(), Vec::new());
                }
                if !tree.is_folder(content) {
                    return Err(UnrecognizedRepository::NoPages);
                }
                found
            }
        };
        if overrides.kind.is_none() && content.is_none() && repository.site.is_empty() {
            repository.beside = repository.sites_beside(tree);
        }
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
            let mut statics: Vec<&str> = repository.statics.iter().map(|it| it.path.as_str()).collect();
            // <https://www.mkdocs.org/user-guide/writing-your-docs/#file-layout>
            let publishes_files = repository.kind() == Kind::Mkdocs && !repository.content.path.is_empty();
            statics.extend(publishes_files.then_some(&*repository.content.path));
            let (redirects, is_incomplete) = redirects::read(
                tree,
                (&folder, repository.navigation.as_deref()),
                &statics,
                &repository.base_path(),
            );
            repository.redirects = redirects;
            repository.is_programmed |= is_incomplete;
            repository.data = named::read(tree, &repository);
            repository.missing_extensions = extensions::missing(tree, &repository);
            repository.front_rules = front_rules::rules(tree, &repository);
            repository.unread_pages = repository.pages_in_other_forms(tree);
            repository.read_by_programs = super::plain::folders_of_parts(tree, &repository.content.path);
            if repository.kind() == Kind::Plain {
                let content = &repository.content.path;
                // Docusaurus 1 reads the pages. Another configuration is of an earlier generator.
                let is_known = repository.has_simple_front_matter;
                repository.unknown_generator =
                    (!is_known).then(|| super::plain::unknown_generator(tree, content)).flatten();
                if repository.unknown_generator.as_ref().is_some_and(|(name, _)| *name == super::PANDOC) {
                    repository.anchors = super::AnchorRule::Pandoc;
                }
            }
            if matches!(repository.kind(), Kind::Plain | Kind::Jekyll) {
                let folders = super::plain::folders_of_programs(tree, &repository.content.path);
                repository.read_by_programs.extend(folders);
            }
            if overrides.kind.is_none() && content.is_none() {
                repository.skipped.extend(repository.folders_skipped(tree));
                repository.outside = repository.outside(tree);
            }
        }
        Ok(repository)
    }

    /// Whether its folders contain a page. Those of a Stepkin site and of Jekyll's collections aren't looked at.
    fn has_pages(&self, tree: &dyn FileTree) -> bool {
        let content = self.sets.iter().chain(self.sets.is_empty().then_some(&self.content));
        let is_page = |folder: &str, file: &String| self.is_page(&within(folder, file));
        let has = |it: &PublishedFolder| tree.files(&it.path).iter().any(|file| is_page(&it.path, file));
        matches!(self.kind(), Kind::Stepkin | Kind::Jekyll) || content.into_iter().any(has)
    }

    /// Reads a tree as a repository of one kind.
    fn read(kind: Kind, tree: &dyn FileTree) -> Option<Self> {
        (kind.convention().read)(tree).map(Self::completed)
    }

    /// Recognizes a tree without a configuration.
    fn by_pages(tree: &dyn FileTree) -> Option<Self> {
        Self::by_mdx_pages(tree).or_else(|| Self::read(Kind::Plain, tree))
    }

    fn by_mdx_pages(tree: &dyn FileTree) -> Option<Self> {
        super::mdx::read_by_pages(tree).map(Self::completed)
    }

    /// Returns the site in a folder of a repository that GitHub only shows with a theme of Jekyll: it has more pages than the rest has
    /// pages with front matter.
    fn instead_of_theme(tree: &dyn FileTree) -> Option<Self> {
        let site = Self::below(tree).ok().flatten().filter(|it| it.kind() != Kind::Jekyll)?;
        let (inside, others): (Vec<_>, Vec<_>) = tree
            .pages("", "md")
            .into_iter()
            .filter(|page| !page.split('/').any(site_path::is_of_tests))
            .partition(|page| site.below_content(page).is_some());
        let has_front = |page: &&String| tree.peek(page).is_some_and(|text| text.starts_with("---"));
        (inside.len() > others.iter().filter(has_front).count()).then_some(site)
    }

    /// Returns the site in another folder if it has nearly all pages: the configuration of an earlier generator is often left.
    fn instead_of_few_pages(tree: &dyn FileTree, repository: &Self) -> Option<Self> {
        /// Maximum number of pages that may be left.
        const FEW: usize = 4;
        // The list of all files takes long, and a site of ours with its configuration is no leftover.
        if repository.is_ours() && tree.names("").iter().any(|name| name == site_path::CONFIG) {
            return None;
        }
        let content = &repository.content.path;
        let pages = repository.convention.endings.iter().map(|ending| tree.pages(content, ending).len());
        if content.is_empty() || !repository.sets.is_empty() || pages.sum::<usize>() > FEW {
            return None;
        }
        Self::below(tree).ok().flatten().filter(|other| other.content.path != *content)
    }

    /// Reads the site in a folder at most three levels under the root, if it contains most of the repository's pages.
    /// If there are several sites, one of them must contain nine of ten of their pages.
    ///
    /// # Errors
    ///
    /// [`UnrecognizedRepository::Several`] if none of them does. Read as one site, the pages of each would be checked by the
    /// rules of another, because a site's addresses begin at its own root.
    fn below(tree: &dyn FileTree) -> Result<Option<Self>, UnrecognizedRepository> {
        /// If a site contains a smaller share of the repository's pages, the pages aren't about it.
        const SHARE: usize = 3;
        let mut sites: Vec<(String, Self)> = Vec::new();
        for folder in folders_of_sites(tree) {
            let subtree = Subtree { tree, folder: &folder };
            let is_inside = sites.iter().any(|(site, _)| site_path::is_inside(&folder, site));
            let kinds = TRIED.into_iter().filter(|kind| *kind != Kind::Stepkin && !is_inside);
            let of_zola =
                || super::plain::base_of_zola(&subtree).and_then(|_| Self::read(Kind::Plain, &subtree));
            let read = kinds.into_iter().find_map(|kind| Self::read(kind, &subtree)).or_else(of_zola);
            sites.extend(read.map(|site| (folder.clone(), site.placed(&folder))));
        }
        if sites.is_empty() {
            return Ok(None);
        }
        let endings = ["md", "mdx", "markdown"];
        let is_of_tests = |page: &String| page.split('/').any(site_path::is_of_tests);
        let pages = endings.into_iter().flat_map(|ending| tree.pages("", ending));
        let pages: Vec<String> = pages.filter(|page| !is_of_tests(page)).collect();
        let is_named = |file: &String| file.rsplit_once('.').is_some_and(|(_, it)| endings.contains(&it));
        // The names of these folders begin with `_`, so the tree's list of pages lacks them.
        let collected = |site: &Self| {
            let files = site
                .collections
                .iter()
                .map(|folder| tree.files(folder).iter().filter(|it| is_named(it)).count());
            files.sum::<usize>()
        };
        let is_content = |site: &Self, page: &str| site.below_content(page).is_some();
        let count =
            |site: &Self| pages.iter().filter(|page| is_content(site, page)).count() + collected(site);
        let counts: Vec<usize> = sites.iter().map(|(_, site)| count(site)).collect();
        let all: usize = counts.iter().sum();
        // Other versions and a blog are about the same.
        let is_about = |page: &&String| {
            sites.iter().any(|(folder, site)| is_content(site, page) || site_path::is_inside(page, folder))
        };
        let collected: usize = sites.iter().map(|(_, site)| collected(site)).sum();
        let about = pages.iter().filter(is_about).count() + collected;
        if SHARE * about < pages.len() + collected {
            return Ok(None);
        }
        let Some(at) = counts.iter().position(|&count| are_nearly_all(count, all)) else {
            let folder =
                |(path, site): (String, Self)| SiteFolder { path, kind: site.kind(), name: site.name() };
            return Err(UnrecognizedRepository::Several(sites.into_iter().map(folder).collect()));
        };
        Ok(Some(sites.swap_remove(at).1))
    }

    /// Returns the folders with most of the Markdown files, if they are outside the folder that its name alone makes the one of
    /// pages. The largest come first.
    fn folders_skipped(&self, tree: &dyn FileTree) -> Vec<String> {
        /// Maximum number of folders to mention, each with at least a tenth of the files.
        const MOST: usize = 3;
        const LEAST: usize = 10;
        if !matches!(self.kind(), Kind::Plain | Kind::Mdx) || self.content.path.is_empty() {
            return Vec::new();
        }
        let pages: Vec<String> =
            self.convention.endings.iter().flat_map(|ending| tree.pages("", ending)).collect();
        let (read, unread): (Vec<_>, Vec<_>) =
            pages.iter().partition(|page| site_path::is_inside(page, &self.content.path));
        let mut counts: SortedMap<&str, usize> = SortedMap::new();
        for (folder, _) in unread.iter().filter_map(|page| page.split_once('/')) {
            if !site_path::is_inside(&self.content.path, folder) {
                *counts.entry(folder).or_default() += 1;
            }
        }
        let total = counts.values().sum::<usize>();
        if total <= read.len() {
            return Vec::new();
        }
        let mut folders: Vec<(&str, usize)> =
            counts.into_iter().filter(|(_, count)| LEAST * count >= total).collect();
        folders.stable_sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        folders.into_iter().take(MOST).map(|(folder, _)| folder.to_string()).collect()
    }

    /// Returns the Markdown files in the root, and its folders with several of them, if the pages are in another folder. If pages are in
    /// the root, too, returns the texts about the repository that aren't, and the hidden folders with more Markdown files than pages.
    fn outside(&self, tree: &dyn FileTree) -> Vec<String> {
        /// Minimum number of files in a folder. Folders of code have a README.
        const SEVERAL: usize = 5;
        let content = &self.content.path;
        if content.is_empty() {
            let (hidden, files): (Vec<_>, Vec<_>) =
                tree.names("").into_iter().partition(|name| name.starts_with('.'));
            let is_about = |file: &String| ABOUT.contains(&file.as_str()) && !self.is_page(file);
            let files: Vec<String> = files.into_iter().filter(is_about).collect();
            let pages = tree.pages("", "md").into_iter().filter(|file| self.is_page(file)).count();
            let has_more = |folder: &String| {
                let files = || ["md", "mdx"].map(|ending| tree.pages(folder, ending).len()).into_iter();
                folder != ".git" && tree.is_folder(folder) && files().sum::<usize>() > pages.max(SEVERAL)
            };
            let hidden = hidden.into_iter().filter(has_more).map(|folder| format!("{folder}/"));
            return hidden.chain(files).collect();
        }
        let (mut files, mut folders) = (Vec::new(), SortedMap::<String, usize>::new());
        let own = site_path::parent(content).split('/').next().filter(|it| !it.is_empty()).unwrap_or(content);
        for file in tree.pages("", "md").into_iter().filter(|file| !self.is_page(file)) {
            match file.split_once('/') {
                None => files.push(file),
                Some((folder, _)) if folder == own || self.skipped.iter().any(|it| it == folder) => {}
                Some((folder, _)) => *folders.entry(folder.to_string()).or_default() += 1,
            }
        }
        let folders = folders.into_iter().filter(|(_, count)| *count >= SEVERAL);
        files.stable_sort_by_key(|file| !file.starts_with("README"));
        folders.map(|(folder, _)| format!("{folder}/")).chain(files).collect()
    }

    /// Describes the pages of the generator that Stepkin doesn't read: "3 notebooks".
    fn pages_in_other_forms(&self, tree: &dyn FileTree) -> Option<String> {
        let described = |form: &UnreadForm| {
            let (folder, endings, place) = match form.place {
                FormPlace::InSite(name) => {
                    // Private folders are next to the pages, which may be in `docs`.
                    let around = if name.starts_with('_') { &self.content.path } else { &self.site };
                    let folder = within(around, name);
                    let place = format!(" in `{folder}/`");
                    (folder, self.convention.endings, place)
                }
                FormPlace::AmongPages(endings) => (self.content.path.clone(), endings, String::new()),
            };
            // The names of private folders begin with `_`.
            let is_private = matches!(form.place, FormPlace::InSite(name) if name.starts_with('_'));
            let is_read =
                |page: &String| self.is_page(page) && (!is_private || self.collections.contains(&folder));
            let pages = endings.iter().flat_map(|ending| tree.pages(&folder, ending));
            let number = pages.filter(|page| !is_read(page) && !self.excluded.is_match(page)).count();
            let noun = if number == 1 { form.noun } else { form.plural };
            (number > 0).then(|| format!("{number} {noun}{place}"))
        };
        let forms: Vec<String> = self.convention.unread_forms.iter().filter_map(described).collect();
        (!forms.is_empty()).then(|| forms.join(" and "))
    }

    /// Returns the folders of other sites, which aren't read because the root is a site.
    fn sites_beside(&self, tree: &dyn FileTree) -> Vec<String> {
        if self.is_ours() || self.kind() == Kind::Plain {
            return Vec::new();
        }
        let own = self.folders();
        let is_apart = |folder: &String| {
            !own.iter().any(|it| {
                it.is_empty()
                    || it == folder
                    || site_path::is_inside(folder, it)
                    || site_path::is_inside(it, folder)
            })
        };
        let is_site = |folder: &String| {
            let subtree = Subtree { tree, folder };
            let kinds = TRIED.into_iter().filter(|kind| *kind != Kind::Stepkin);
            kinds
                .into_iter()
                .find_map(|kind| Self::read(kind, &subtree))
                .is_some_and(|it| it.has_pages(&subtree))
        };
        folders_of_sites(tree).into_iter().filter(is_apart).filter(is_site).collect()
    }

    /// Moves a site from the root to a folder.
    fn placed(mut self, folder: &str) -> Self {
        let at = |path: &mut String| *path = within(folder, path);
        at(&mut self.content.path);
        let folders = self.sets.iter_mut().chain(&mut self.statics).chain(&mut self.unread);
        folders.for_each(|it| at(&mut it.path));
        for translation in &mut self.translations {
            at(&mut translation.path);
            at(&mut translation.original);
        }
        let named = self.collections.iter_mut().chain(&mut self.includes).chain(&mut self.slugified);
        named.for_each(at);
        self.configuration.iter_mut().chain(&mut self.navigation).chain(&mut self.more_lists).for_each(at);
        self.unread_translations.as_mut().map(|it| &mut it.place).map(at);
        for patterns in [&mut self.excluded, &mut self.unlisted] {
            *patterns = patterns.within(folder);
        }
        self.site = folder.to_string();
        self
    }

    /// Whether a tree is a generator's site by its configuration, or a Stepkin site.
    pub fn is_configured(tree: &dyn FileTree) -> bool {
        TRIED.into_iter().any(|kind| match kind {
            // Its pages are searched in the complete tree.
            Kind::Mdx => super::mdx::is_configured(tree),
            // Only reading the pages shows whether they belong to another program.
            Kind::Stepkin => tree.has_pages("content"),
            kind => Self::read(kind, tree).is_some(),
        })
    }
}

/// Returns the folders at most three levels under the root that contain a generator's configuration, except for
/// samples. A folder of scoped packages, `@owner`, doesn't count as a level.
fn folders_of_sites(tree: &dyn FileTree) -> Vec<String> {
    const LEVELS: usize = 3;
    let mut found = Vec::new();
    let mut open = vec![(String::new(), 0)];
    while let Some((folder, level)) = open.pop() {
        let names = tree.names(&folder);
        let is_mark = |name: &String| MARKS.iter().any(|mark| name.starts_with(mark));
        let has = |wanted: &str| names.iter().any(|name| name == wanted);
        // Hugo's configuration may be in a folder.
        let is_of_hugo = || has("config") && tree.is_folder(&within(&folder, "config/_default"));
        let is_of_jekyll = || has("_config.yml") || has("_layouts");
        if level > 0 && (names.iter().any(is_mark) || is_of_jekyll() || is_of_hugo()) {
            found.push(folder.clone());
        }
        for name in names {
            let is_sample = SAMPLES.contains(&&*name) || site_path::is_of_tests(&name);
            let is_looked_into = !name.starts_with(['.', '_']) && name != "node_modules" && !is_sample;
            let levels = level + usize::from(!name.starts_with('@'));
            let path = within(&folder, &name);
            if is_looked_into && levels <= LEVELS && tree.is_folder(&path) {
                open.push((path, levels));
            }
        }
    }
    found.stable_sort();
    found
}

#[cfg(test)]
mod tests {
    use super::super::without_number;
    use base::sorted::SortedMap;

    use super::*;

    /// Files by path. Folders exist if they contain files.
    struct Files(SortedMap<&'static str, &'static str>);

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
            let below = |file: &&str| match folder {
                "" => Some((*file).to_string()),
                folder => file.strip_prefix(folder)?.strip_prefix('/').map(str::to_string),
            };
            self.0.keys().filter_map(below).collect()
        }

        fn pages(&self, folder: &str, ending: &str) -> Vec<String> {
            let has_ending = |file: &&&str| file.rsplit_once('.').is_some_and(|it| it.1 == ending);
            let is_below = |file: &&&str| folder.is_empty() || file.starts_with(&format!("{folder}/"));
            let pages = self.0.keys().filter(has_ending).filter(is_below);
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
            let names: base::sorted::SortedSet<String> = self.0.keys().filter_map(below).collect();
            names.into_iter().collect()
        }
    }

    fn repository(files: &[(&'static str, &'static str)]) -> Repository {
        recognised(files, &Overrides::default()).expect("it is recognised")
    }

    fn recognised(
        files: &[(&'static str, &'static str)],
        overrides: &Overrides,
    ) -> Result<Repository, UnrecognizedRepository> {
        Repository::of(&Files(files.iter().copied().collect()), overrides)
    }

    /// `addresses` contains, on each line, a page's path relative to the root and its address, with `slug=` or `id=`
    /// in between.
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
             docs/web/a.md slug=/x/y /x/y/
             docs/web/a.md slug=/x/y.html /x/y/",
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
            "read as a Hugo site: content/en/, base path /x/",
            "content/en/docs/_index.md /docs/
             content/en/docs/Go/Getting-Started.md /docs/go/getting-started/
             content/en/docs/go/a.md slug=b /docs/go/b/
             content/en/docs/go/a.md slug=/c/ /c/",
        );
        let repository = repository(files);
        for translated in ["content/en/docs/a.fr.md", "content/ja/docs/a.md"] {
            assert!(repository.is_page(translated));
            assert_eq!(repository.in_place(translated), "content/en/docs/a.md");
        }
        assert_eq!(
            repository.included("content/en/a.md", "shortcode:docs/intro"),
            [
                "layouts/shortcodes/docs/intro.md",
                "layouts/shortcodes/docs/intro.html",
                "layouts/_shortcodes/docs/intro.md",
                "layouts/_shortcodes/docs/intro.html"
            ]
        );
        // A folder that only contains pages may be a Stepkin site.
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
            "read as a Starlight site: src/content/docs/, base path /b/",
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
            "read as an MkDocs site: docs/",
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
        // Left over from before.
        let gitbook = ".gitbook.yaml";
        check(
            &[
                ("website/siteConfig.js", ""),
                (gitbook, "structure:\n  readme: README.md\n"),
                ("docs/a.md", ""),
            ],
            "read as a Docusaurus 1 site: docs/",
            "docs/web/a.md /web/a/",
        );
        check(
            &[
                ("mkdocs.yml", "nav:\n  - a.md\n"),
                (
                    "docs/docs.json",
                    "{\"$schema\": \"https://mintlify.com/docs.json\", \"navigation\": {\"pages\": [\"a\"]}}",
                ),
                ("docs/a.mdx", ""),
            ],
            "read as a Mintlify site: docs/",
            "docs/web/a.mdx /web/a/",
        );
        check(
            &[("web/a.md", ""), ("ios/a.md", "")],
            "read as folders of Markdown files: this folder",
            "web/a.md /web/a/",
        );
        assert_eq!(
            recognised(&[("package.json", "{}")], &Overrides::default()).err(),
            Some(UnrecognizedRepository::NoPages)
        );
    }

    #[test]
    fn the_configuration_takes_precedence() {
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
        assert_eq!(recognised(files, &said(None, "none")).err(), Some(UnrecognizedRepository::NoPages));
        let kind = Overrides { kind: Some(Kind::Hugo), ..Overrides::default() };
        assert_eq!(recognised(files, &kind).err(), Some(UnrecognizedRepository::NotOfKind(Kind::Hugo)));
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
