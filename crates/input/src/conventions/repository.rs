//! A recognized repository: which of its files are pages, and their addresses.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::closed::{FrontRule, MissingExtension, OptionalMarkup};
use super::redirects::Redirect;
use super::targets::{DataFile, is_mintlify};
use super::tree::{FileTree, PublishedFolder, has_pages_by_folder, is_group, within};
use super::vocabulary::Vocabulary;
use super::{
    AnchorRule, Convention, FolderNames, Generator, HtmlInMdx, Kind, OpenFolder, Proof, Publisher, Slugs,
    Syntax, TranslationFolder, UnreadLinks, UnreadTranslations,
};
use crate::dialect::LinkDefinitions;
use base::address::Address;
use base::glob::{self, Glob};
use base::language::LanguageTag;
use base::site_path::{self, SitePath, join};
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};

/// A repository, its kind, and its folders.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one rule of addresses or links")]
pub struct Repository {
    pub convention: &'static Convention,
    /// The folder of the generator's configuration, relative to the root.
    pub site: String,
    pub content: PublishedFolder,
    /// Folders of pages in `content`, each with its own address. If there are none, `content` is a single folder of
    /// pages.
    pub sets: Vec<PublishedFolder>,
    /// Folders of files that are published unchanged.
    pub statics: Vec<PublishedFolder>,
    /// The site's absolute URL or its path, from the generator's configuration.
    pub base_url: Option<String>,
    pub title: Option<String>,
    pub language: Option<String>,
    /// Folders of translations.
    pub translations: Vec<TranslationFolder>,
    /// Languages whose pages have names such as `page.fr.md`.
    pub other_languages: Vec<String>,
    /// The language of originals with names such as `page.en.md`.
    pub own_suffix: Option<String>,
    /// Names of folders in other languages.
    pub folder_names: FolderNames,
    /// Declared translations that aren't read.
    pub unread_translations: Option<UnreadTranslations>,
    /// Folders that contain pages although their names begin with `_`, relative to the root.
    pub collections: Vec<String>,
    /// The generator's configuration, relative to the root.
    pub configuration: Option<String>,
    /// The file that lists the pages in order, relative to the root.
    pub navigation: Option<String>,
    /// Other files that list pages, relative to the root.
    pub more_lists: Vec<String>,
    /// Folders with files that pages include, relative to the root.
    pub includes: Vec<String>,
    /// How the IDs of headings are generated.
    pub anchors: AnchorRule,
    pub unread_links: UnreadLinks,
    /// Whether plugins define link labels that the pages don't define.
    pub defines_labels: bool,
    /// The link definitions that the generator adds to every page.
    pub definitions: Arc<LinkDefinitions>,
    /// Whether the generator displays text between `$` as a formula.
    pub has_formulas: bool,
    /// Markup that is text because the configuration doesn't enable it.
    pub missing_extensions: Vec<MissingExtension>,
    /// The names that outputs such as `{{ name }}` may contain, or `None` if not all are known.
    pub output_names: Option<SortedSet<String>>,
    /// Values of front matter that the configuration or data closes.
    pub front_rules: Vec<FrontRule>,
    /// Whether an extension reads lists by its own rules.
    pub has_own_lists: bool,
    /// IDs that templates add to every page.
    pub layouts: Arc<SortedSet<String>>,
    /// The sets whose pages have the letters and digits of their file names as addresses, with `-` for other signs.
    pub slugified: Vec<String>,
    /// The names of the templates that pages may choose. Empty if not all are known.
    pub page_templates: Arc<SortedSet<String>>,
    /// Whether the repository contains the templates of all of Hugo's shortcodes that aren't built in.
    pub has_all_shortcodes: bool,
    /// The names of shortcodes whose templates write no IDs, and no content from elsewhere.
    pub simple_shortcodes: SortedSet<String>,
    /// The names of the arguments that shortcodes read, of those whose templates show all of them.
    pub shortcode_arguments: Arc<SortedMap<String, SortedSet<String>>>,
    /// Names of components and blocks that pages may use.
    pub vocabulary: Arc<Vocabulary>,
    /// File extensions of pages that MDX compiles, whose components must be imported.
    pub imports_in: &'static [&'static str],
    /// The HTML in these pages.
    pub html_in_mdx: HtmlInMdx,
    /// Values that pages can insert, by name.
    pub values: Arc<SortedMap<String, String>>,
    /// Files among the pages that aren't pages.
    pub excluded: Patterns,
    /// Pages that are unlisted on purpose.
    pub unlisted: Patterns,
    /// Addresses that the generator creates in other ways. An address that ends with `*` includes everything under
    /// it.
    pub routes: Vec<String>,
    /// Addresses of pages that aren't read.
    pub openings: Vec<OpenFolder>,
    /// Folders in the repository with such pages.
    pub unread: Vec<PublishedFolder>,
    /// Whether the site has its own program that creates unknown addresses.
    pub is_programmed: bool,
    /// Whether programs may write folders such as `build` into the root.
    pub is_built_in_place: bool,
    /// The texts of its programs that change pages.
    pub programs: Arc<str>,
    /// Whether number prefixes are removed from addresses.
    pub is_numbered: bool,
    /// Whether a path without `./` may be relative to the root of the pages.
    pub links_from_root: bool,
    /// Whether links find pages whatever their case, and by their names also with hyphens for spaces.
    pub ignores_case: bool,
    /// Whether links find pages and files by their names, in any folder.
    pub links_by_name: bool,
    /// Whether white space may precede the target of a link, or be in it, as in Blackfriday, Hugo's parser before version 0.60.
    pub may_break_links: bool,
    /// Whether any `[!name]` at the start of a quote is an alert.
    pub has_own_alerts: bool,
    /// Whether the value of a key in front matter is the rest of its line, as in Docusaurus 1.
    pub has_simple_front_matter: bool,
    /// How many links confirm the base path, if no configuration sets it.
    pub proof: Option<Proof>,
    /// How many links confirm the folders of static files.
    pub proof_of_statics: Option<Proof>,
    /// Redirects in the configuration of the host or generator.
    pub redirects: Vec<Redirect>,
    /// Targets in data files.
    pub data: Vec<DataFile>,
    /// Path aliases and the folders, relative to the root, that they stand for: `@assets/`, `src/assets/`.
    pub path_aliases: Vec<(String, String)>,
    /// The folders of other sites in the repository, which aren't read.
    pub beside: Vec<String>,
    /// The folders of Markdown files that aren't read, if most files of a repository without a generator are in them.
    pub skipped: Vec<String>,
    /// The Markdown files and folders in the root that aren't pages.
    pub outside: Vec<String>,
    /// Pages of its generator in a form that Stepkin doesn't read, as a noun: "3 notebooks".
    pub unread_pages: Option<String>,
    /// The names of the documents in the lists of contents of such pages, or `None` if some of the lists aren't known.
    pub listed_by_unread: Option<SortedSet<String>>,
    /// The generator whose rules aren't known, and its configuration file.
    pub unknown_generator: Option<(&'static str, String)>,
    /// The folders and pages that a program reads by rules that aren't known: sources, whose compiler includes pages in the documentation
    /// of code, and folders with the configuration of a generator.
    pub read_by_programs: Vec<String>,
    /// The files from which these settings were read, relative to the root.
    pub own_files: Vec<String>,
}

/// A Stepkin site.
impl Default for Repository {
    fn default() -> Self {
        let (content, statics) =
            (PublishedFolder::at_root("content"), vec![PublishedFolder::at_root("static")]);
        Self { content, statics, ..Self::of_kind(Kind::Stepkin.convention()) }
    }
}

/// Precedes the path in the name of a file that a component of an unknown program includes.
pub const COMPONENT_INCLUDE: &str = "component:";

impl Repository {
    /// Returns the defaults of a kind, without folders.
    pub(super) fn of_kind(convention: &'static Convention) -> Self {
        Self {
            convention,
            site: String::new(),
            content: PublishedFolder::default(),
            sets: Vec::new(),
            statics: Vec::new(),
            base_url: None,
            title: None,
            language: None,
            translations: Vec::new(),
            other_languages: Vec::new(),
            own_suffix: None,
            folder_names: FolderNames::new(),
            unread_translations: None,
            collections: Vec::new(),
            configuration: None,
            navigation: None,
            more_lists: Vec::new(),
            includes: Vec::new(),
            anchors: convention.anchors,
            unread_links: UnreadLinks::None,
            defines_labels: false,
            definitions: Arc::default(),
            has_formulas: false,
            missing_extensions: Vec::new(),
            output_names: None,
            front_rules: Vec::new(),
            has_own_lists: false,
            layouts: Arc::default(),
            slugified: Vec::new(),
            page_templates: Arc::default(),
            has_all_shortcodes: false,
            simple_shortcodes: SortedSet::new(),
            shortcode_arguments: Arc::default(),
            vocabulary: Arc::default(),
            imports_in: &["mdx"],
            html_in_mdx: HtmlInMdx::Unknown,
            values: Arc::default(),
            excluded: Patterns::default(),
            unlisted: Patterns::default(),
            routes: Vec::new(),
            openings: Vec::new(),
            unread: Vec::new(),
            is_programmed: false,
            is_built_in_place: true,
            programs: Arc::from(""),
            is_numbered: convention.is_numbered,
            links_from_root: convention.links_from_root,
            ignores_case: false,
            links_by_name: false,
            may_break_links: false,
            has_own_alerts: false,
            has_simple_front_matter: false,
            proof: None,
            proof_of_statics: None,
            redirects: Vec::new(),
            data: Vec::new(),
            path_aliases: Vec::new(),
            beside: Vec::new(),
            skipped: Vec::new(),
            outside: Vec::new(),
            unread_pages: None,
            listed_by_unread: None,
            unknown_generator: None,
            read_by_programs: Vec::new(),
            own_files: Vec::new(),
        }
    }

    /// Adds what follows from the settings that were read.
    pub(super) fn completed(mut self) -> Self {
        let is_unknown = |it: &&TranslationFolder| LanguageTag::known(&it.language).is_none();
        if self.convention.falls_back {
            let folder =
                |it: &TranslationFolder| PublishedFolder { path: it.path.clone(), at: it.language.clone() };
            self.unread.extend(self.translations.iter().map(folder));
        } else {
            // The folders of all others are read.
            let by_folder = |name: &&String| self.translations.iter().any(|it| it.language == **name);
            let others = self.other_languages.iter().filter(|name| !by_folder(name));
            let languages = self.translations.iter().filter(is_unknown).map(|it| &it.language).chain(others);
            self.openings.extend(languages.map(|name| OpenFolder::new(name, Publisher::Translation)));
        }
        let unread = self.translations.iter().filter(is_unknown).map(|it| it.path.clone());
        self.excluded = self.excluded.written.iter().cloned().chain(unread).collect();
        self.openings.stable_sort();
        self.openings.dedup();
        // The address of a repository isn't that of a site.
        self.base_url = self.base_url.take().filter(|url| !is_repository(url));
        self.with_originals()
    }

    pub fn kind(&self) -> Kind {
        self.convention.kind
    }

    /// Whether a path with a slash at its start is known to begin at the site's root. In folders of Markdown files, that may be the
    /// root of a repository around them.
    pub fn has_known_root(&self) -> bool {
        self.convention.has_generator()
            || self.links_from_root
            || self.base_url.is_some()
            || self.proof.is_some()
            || !self.statics.is_empty()
    }

    /// Returns addresses that exist in addition to those of sources, one per line, in the format of `[check] routes`.
    pub fn all_routes(&self) -> Vec<String> {
        let redirects = self.redirects.iter().map(|it| match &it.to {
            Some(to) => format!("{} -> {to}", it.from),
            None => it.from.clone(),
        });
        self.routes.iter().cloned().chain(redirects).collect()
    }

    /// Whether some addresses of the site are unknown because a framework or a program publishes it by its own rules.
    pub fn is_guessed(&self) -> bool {
        self.convention.generator != Generator::Known || self.is_programmed
    }

    /// Returns the name of the kind with an article: `a Hugo site`. Sites of MDX pages have no generator in common.
    pub fn name(&self) -> &'static str {
        let list = self.navigation.as_deref().map(site_path::file_name);
        if self.kind() == Kind::Mdx && list.is_some_and(is_mintlify) {
            "a Mintlify site"
        } else {
            self.convention.name
        }
    }

    /// Whether a list begins with the number of its first item, and not always with 1.
    pub fn keeps_list_numbers(&self) -> bool {
        self.has_own_lists || !self.lacks(OptionalMarkup::ListNumber)
    }

    /// Whether the configuration doesn't enable a markup.
    pub fn lacks(&self, markup: OptionalMarkup) -> bool {
        self.missing_extensions.iter().any(|it| it.markup == markup)
    }

    /// Returns the base path, without a slash at either end.
    pub fn base_path(&self) -> String {
        let url = self.base_url.as_deref().unwrap_or_default();
        let path =
            url.split_once("://").map_or(url, |(_, rest)| rest.find('/').map_or("", |slash| &rest[slash..]));
        path.trim_matches('/').to_string()
    }

    /// Returns the folders that are read and the reasons, as several lines.
    pub fn reasons(&self) -> Vec<String> {
        let proof = |proof: Option<Proof>| match proof {
            Some(proof) => format!(", {proof}"),
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
            reasons.push(format!("published by other programs: {}", openings.join(", ")));
        }
        reasons
    }

    /// Whether the links of pages may determine the base path.
    pub fn is_calibrated(&self) -> bool {
        matches!(self.kind(), Kind::Mdx | Kind::Plain) || self.proof_of_statics.is_some()
    }

    /// Whether calibration gave the same result.
    pub fn is_calibrated_as(&self, other: &Self) -> bool {
        let shown = |it: &Self| (it.content.clone(), it.base_url.clone(), it.statics.clone());
        shown(self) == shown(other)
    }

    /// Returns the HTML that a page may contain.
    pub fn html_in(&self, page: &SitePath) -> HtmlInMdx {
        if self.is_mdx(page) { self.html_in_mdx } else { HtmlInMdx::Unknown }
    }

    pub fn is_mdx(&self, page: &SitePath) -> bool {
        let ending = page.as_str().rsplit_once('.').map_or("", |(_, ending)| ending);
        self.imports_in.contains(&ending)
    }

    /// Returns the names that a page may use.
    pub fn vocabulary_of(&self, page: &SitePath) -> Arc<Vocabulary> {
        if self.vocabulary.components.is_none() || self.is_mdx(page) {
            return Arc::clone(&self.vocabulary);
        }
        Arc::new(Vocabulary { components: None, blocks: self.vocabulary.blocks.clone() })
    }

    /// Whether the repository is a Stepkin site.
    pub fn is_ours(&self) -> bool {
        self.kind() == Kind::Stepkin
    }

    /// Returns the folder of templates, if there is one.
    pub fn templates(&self) -> Option<&'static str> {
        self.is_ours().then_some("templates")
    }

    /// Returns the folders of sources, none of which contains another.
    pub fn folders(&self) -> Vec<&str> {
        let statics = self.statics.iter().map(|folder| folder.path.as_str());
        let content = Some(self.content.path.as_str()).filter(|_| self.sets.is_empty());
        let sets = self.sets.iter().map(|folder| folder.path.as_str());
        let translations = self.translations.iter().map(|folder| folder.path.as_str());
        let all = content.into_iter().chain(sets).chain(translations).chain(statics).chain(self.templates());
        let all: Vec<&str> = all.collect();
        // A hidden folder is skipped in the walk of the folder that contains it.
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

    /// Returns the path relative to the folder of pages, unless the file is published unchanged.
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

    /// Whether a file is one of the site's templates.
    pub fn is_template(&self, path: &str) -> bool {
        let is_within = |folder| path.strip_prefix(folder).is_some_and(|rest: &str| rest.starts_with('/'));
        self.templates().is_some_and(is_within)
    }

    /// Whether a file is a page, by its path alone.
    pub fn is_page(&self, path: &str) -> bool {
        let path = &*self.in_place(path);
        let Some(below) = self.below_content(path) else { return false };
        let name = site_path::file_name(below);
        let Some((stem, ending)) = name.rsplit_once('.') else { return false };
        let language = stem.rsplit_once('.').map(|(_, language)| language);
        self.convention.endings.contains(&ending)
            && !self.convention.no_pages.contains(&below)
            && !self.excluded.is_match(path)
            && !language.is_some_and(|language| self.other_languages.iter().any(|other| other == language))
    }

    /// Returns a page's path relative to the folder of pages, without its extension and the language of an original.
    pub fn stem<'b>(&self, below: &'b str) -> &'b str {
        let stem = self.convention.endings.iter().find_map(|it| below.strip_suffix(it)?.strip_suffix('.'));
        let Some(own) = &self.own_suffix else { return stem.unwrap_or(below) };
        let bare = stem.and_then(|stem| stem.strip_suffix(own)?.strip_suffix('.'));
        bare.filter(|bare| !bare.is_empty() && !bare.ends_with('/')).or(stem).unwrap_or(below)
    }

    /// Returns the address of a file that is published unchanged, or `None` for other files.
    pub fn published_file(&self, path: &str) -> Option<Address> {
        let path = &*self.in_place(path);
        let mut fixed = self.statics.iter().filter(|folder| folder.path != self.content.path);
        let place = fixed.find_map(|folder| Some(folder.at_address(folder.below(path)?)));
        let place = place.or_else(|| Some(self.published(self.below_content(path)?)))?;
        Some(Address::new(&format!("/{place}")))
    }

    /// Returns the address of a path in the folder of pages, without the first slash, by the innermost set that
    /// contains it.
    fn published(&self, below: &str) -> String {
        match self.set_of(below) {
            Some((set, rest)) => set.at_address(&rest),
            None => self.content.at_address(below),
        }
    }

    /// Returns the innermost set that contains a path in the folder of pages, and the path in it.
    fn set_of(&self, below: &str) -> Option<(&PublishedFolder, String)> {
        let path = self.content.with(below);
        let sets = self.sets.iter().filter_map(|set| Some((set, set.below(&path)?.to_string())));
        sets.max_by_key(|(set, _)| set.path.len())
    }

    /// Returns the path that links to a page's file use, relative to the folder of pages and without its extension:
    /// `/a/b/` for `a/b.md` and `a/b/index.md`.
    pub fn file_address(&self, below: &str) -> Address {
        Address::of_page(&format!("{}.md", self.stem(below)), None)
    }

    /// Whether a page's address follows from its file name, as for all pages of Stepkin sites without a `slug`.
    pub fn is_named_by_file(&self, below: &str, slug: Option<&str>) -> bool {
        self.is_ours() && slug.is_none() && below.ends_with(".md")
    }

    /// Returns the address of a page. `below` is its path relative to the folder of pages, `slug` its front matter
    /// value for the address, and `id` for the last segment.
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
            None if self.slugified.contains(&set.path) => name.map(|name| Cow::Owned(slugified(&name))),
            None => name,
        };
        let usual = name.as_deref().map_or(folder.clone(), |name| join(&folder, name));
        let (place, path) = match (slug.filter(|slug| !slug.is_empty()), self.convention.slugs) {
            (None, _) => (set, usual),
            (Some(slug), Slugs::WholePath) => (&self.content, slug.trim_start_matches('/').to_string()),
            (Some(slug), Slugs::Path) if slug.starts_with('/') => (set, slug[1..].to_string()),
            (Some(slug), Slugs::Segment) if is_index => {
                (set, join(folder.rsplit_once('/').map_or("", |it| it.0), slug))
            }
            (Some(slug), Slugs::Path | Slugs::Segment) => (set, join(&folder, slug)),
        };
        // A complete path may be that of a file.
        let path = path.strip_suffix(".html").unwrap_or(&path);
        Address::new(&format!("/{}/", place.at_address(path.trim_matches('/'))))
    }

    /// Returns the folder of a page's address and its last segment, which is `None` for an index page.
    fn segments<'b>(&self, below: &'b str) -> (String, Option<Cow<'b, str>>) {
        let convention = self.convention;
        let stem = self.stem(below);
        let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
        let segment = |name: &'b str| -> Cow<'b, str> {
            let name = if self.is_numbered { without_number(name).1 } else { name };
            let name = name.strip_prefix('_').filter(|_| !self.collections.is_empty()).unwrap_or(name);
            convention.name_in_address(name)
        };
        let is_mdx = convention.kind == Kind::Mdx;
        let is_dropped = |it: &str| it.is_empty() || is_mdx && is_group(it);
        let folders = folder.split('/').filter(|it| !is_dropped(it));
        let folders: Vec<Cow<'_, str>> = folders.map(segment).collect();
        let path = folders.join("/");
        let is_of_router = is_mdx && name == "page" && has_pages_by_folder(&self.content);
        let is_index =
            is_of_router || convention.indices.iter().any(|index| index.eq_ignore_ascii_case(name));
        let name = segment(name);
        let is_folders =
            convention.is_index_by_folder && folders.last().is_some_and(|folder| *folder == name);
        (path, (!is_index && !is_folders).then_some(name))
    }

    /// Whether a program of the site probably writes a missing file: the configuration of Sphinx, with this text, is one and names the file
    /// or its first folder, or an mdBook gets its list of chapters from one.
    pub fn is_written(&self, file: &str, config: &str) -> bool {
        let mut parts = file.split('/').filter(|part| !part.starts_with('.'));
        let ends = [parts.next(), parts.next_back()];
        let is_named = |part: &str| {
            let mut places = config.match_indices(part).filter(|_| !part.is_empty());
            places.any(|(at, _)| {
                config[..at].ends_with(['"', '\'', '/']) && config[at + part.len()..].starts_with(['"', '\''])
            })
        };
        match self.kind() {
            Kind::Sphinx => ends.into_iter().flatten().any(is_named),
            Kind::Mdbook => self.navigation.is_none(),
            _ => false,
        }
    }

    /// Returns the path and text of the generator's configuration.
    pub(super) fn config(&self, tree: &dyn FileTree) -> Option<(String, String)> {
        let file = self.configuration.clone()?;
        tree.peek(&file).map(|text| (file, text))
    }

    /// Resolves a path in a file, relative to the file's folder, or to the root with `@site/` and similar prefixes.
    /// Returns the path relative to the root, or `None` if it leaves the repository.
    pub fn path_from(&self, page: &str, named: &str) -> Option<String> {
        let alias =
            self.path_aliases.iter().find_map(|(alias, folder)| Some((folder, named.strip_prefix(alias)?)));
        let by_alias = alias.map(|(folder, rest)| (folder.as_str(), rest));
        let of_root =
            || Some((self.site.as_str(), named.strip_prefix("@site/").or_else(|| named.strip_prefix("~/"))?));
        let (start, rest) = match by_alias.or_else(of_root) {
            Some(found) => found,
            // Docusaurus has no such alias: <https://docusaurus.io/docs/docusaurus-core#aliases>.
            None => match named.strip_prefix("@/").filter(|_| self.kind() != Kind::Docusaurus) {
                Some(rest) => (self.content.path.as_str(), rest),
                None => (site_path::parent(page), named),
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

    /// Whether paths of code files on pages are relative to the root.
    pub fn names_code_files(&self) -> bool {
        self.convention.has(Syntax::CodeFiles)
    }

    /// Whether a file is in a folder of files that any page can include by name.
    pub fn is_template_of_includes(&self, path: &str) -> bool {
        self.includes.iter().any(|folder| site_path::is_inside(path, folder))
    }

    /// Returns the files that an include on a page may refer to, the most likely first, relative to the root.
    pub fn included(&self, page: &str, named: &str) -> Vec<String> {
        if self.names_code_files() {
            return site_path::below_root(named).into_iter().collect();
        }
        // webpack loaders come first: `!!raw-loader!./a.js`.
        let named = named.rsplit('!').next().unwrap_or(named);
        let named = named.split(['?', '#']).next().unwrap_or(named);
        let mut paths: Vec<String> = Vec::new();
        if let Some(shortcode) = named.strip_prefix("shortcode:") {
            let files =
                |folder: &String| ["md", "html"].map(|ending| format!("{folder}/{shortcode}.{ending}"));
            return self.includes.iter().flat_map(files).collect();
        }
        // Lists in front matter refer to files in this folder, and to pages for other purposes.
        if let Some(file) = named.strip_prefix("listed:") {
            return self.includes.iter().map(|folder| format!("{folder}/{file}")).collect();
        }
        // Components of unknown programs: the folder of such names is one of these.
        if let Some(path) = named.strip_prefix(COMPONENT_INCLUDE) {
            let rest = path.trim_start_matches("./").trim_start_matches('/');
            let folders = [self.content.with(rest), within(&self.site, rest), rest.to_string()];
            let named = self.path_from(page, path).into_iter().chain(folders);
            let endings: &[&str] =
                if path.ends_with(".md") || path.ends_with(".mdx") { &[""] } else { &[".mdx", ".md"] };
            return named
                .flat_map(|name| endings.iter().map(move |ending| format!("{name}{ending}")))
                .collect();
        }
        let beside = self.path_from(page, named);
        // Another file with this name in the site is another file.
        if beside.is_none() && named.starts_with("../") {
            return paths;
        }
        // Such a path is relative to the page, except for plugins of MkDocs.
        if named.starts_with('.') && self.kind() != Kind::Mkdocs {
            // <https://github.com/camelaissani/markdown-it-include> gets the folder of all pages from the configuration.
            let of_plugin = (self.kind() == Kind::Vuepress).then(|| named.strip_prefix("./")).flatten();
            return beside.into_iter().chain(of_plugin.map(|rest| self.content.with(rest))).collect();
        }
        let rest = named.strip_prefix("./").unwrap_or(named).trim_start_matches('/');
        // <https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html#directive-literalinclude>
        if self.kind() == Kind::Sphinx {
            let of_root = named.starts_with('/').then(|| self.content.with(rest));
            return of_root.or(beside).into_iter().collect();
        }
        // The folder of the configuration, not of the page: <https://facelessuser.github.io/pymdown-extensions/extensions/snippets/>.
        if self.kind() == Kind::Mkdocs && !named.starts_with('.') {
            paths.extend(self.includes.iter().map(|folder| format!("{folder}/{rest}")));
            paths.extend(self.includes.is_empty().then(|| within(&self.site, rest)));
        }
        paths.extend(beside);
        if !named.starts_with(['.', '/', '@']) {
            // Relative to the folders around the page, the nearest first.
            let folders = page.rmatch_indices('/').map(|(end, _)| &page[..end]);
            paths.extend(folders.map(|folder| format!("{folder}/_includes/{rest}")));
        }
        paths.extend(self.includes.iter().map(|folder| format!("{folder}/{rest}")));
        // In VuePress 1, the folder in which it is started: the root, or the folder around it.
        let at = named.strip_prefix("@/");
        let within_root = at.and_then(|path| path.split_once('/')).map(|(_, rest)| rest);
        paths.extend(at.into_iter().chain(within_root).map(str::to_string));
        paths.extend([self.content.with(rest), within(&self.site, rest), rest.to_string()]);
        paths.retain(|path| !path.split('/').any(|part| matches!(part, "" | "." | "..")));
        paths.dedup();
        paths
    }

    /// Splits the path of a shared page into the folder that contains `_shared` and the path inside it: `tour` and
    /// `install.md` for `tour/_shared/install.md`.
    pub fn shared<'p>(&self, path: &'p SitePath) -> Option<(&'p str, &'p str)> {
        site_path::shared(self.below_content(path.as_str())?)
    }
}

/// Path patterns relative to the root: each matches a file, or a folder with its content. An invalid pattern matches
/// nothing.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    written: Vec<String>,
    /// Files and folders. A generator may list thousands of files.
    paths: SortedSet<String>,
    globs: Vec<Glob>,
}

impl FromIterator<String> for Patterns {
    fn from_iter<I: IntoIterator<Item = String>>(written: I) -> Self {
        let written: Vec<String> = written.into_iter().collect();
        let (mut paths, mut globs) = (Vec::new(), Vec::new());
        for pattern in written.iter().map(|pattern| pattern.trim_end_matches('/')) {
            if glob::is_path(pattern) {
                paths.push(pattern.to_string());
            } else {
                let both = [pattern, &format!("{pattern}/**")].map(Glob::new);
                globs.extend(both.into_iter().flatten());
            }
        }
        Self { written, paths: paths.into_iter().collect(), globs }
    }
}

impl Patterns {
    /// Returns the same patterns in a folder.
    pub(super) fn within(&self, folder: &str) -> Self {
        self.written.iter().map(|pattern| within(folder, pattern)).collect()
    }

    pub fn is_match(&self, path: &str) -> bool {
        let mut folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        !self.paths.is_empty() && (self.paths.contains(path) || folders.any(|it| self.paths.contains(it)))
            || self.globs.iter().any(|glob| glob.is_match(path))
    }
}

/// Whether a URL is on a host of repositories.
fn is_repository(url: &str) -> bool {
    const HOSTS: [&str; 4] = ["github.com", "gitlab.com", "bitbucket.org", "codeberg.org"];
    let host = url.split_once("://").map_or("", |(_, rest)| rest.split('/').next().unwrap_or_default());
    HOSTS.contains(&host.trim_start_matches("www."))
}

/// Splits a name into the number by which files are sorted and the rest: `2` and `install` for `02-install`. Dates
/// and versions don't count as numbers. Source: Docusaurus's `DefaultNumberPrefixParser`.
pub fn without_number(name: &str) -> (Option<u64>, &str) {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &name[digits..];
    let bare = rest.trim_start_matches(['-', '_', '.', ' ']);
    let is_name = bare.len() < rest.len() && bare.starts_with(|c: char| !c.is_ascii_digit());
    if digits > 0 && is_name {
        (Some(name[..digits].parse().unwrap_or(u64::MAX)), bare)
    } else {
        (None, name)
    }
}

/// Describes the repository in one line, without a line end.
impl fmt::Display for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = match self.sets.as_slice() {
            [] => vec![shown(&self.content.path)],
            sets => {
                let is_in = |path: &str, set: &PublishedFolder| path != set.path && set.below(path).is_some();
                let outer = sets.iter().filter(|it| !sets.iter().any(|set| is_in(&it.path, set)));
                outer.map(|set| shown(&set.path)).collect()
            }
        };
        let (base, limits) = (self.shown_base(), self.shown_limits());
        write!(f, "read as {}: {}{base}{limits}", self.name(), names.join(", "))
    }
}

/// Describes them as the end of the line about the repository.
impl fmt::Display for UnreadTranslations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Maximum number of languages to list.
        const MOST: usize = 12;
        let mut languages: Vec<String> = self.languages.iter().take(MOST).cloned().collect();
        let more = self.languages.len().saturating_sub(MOST);
        languages.extend((more > 0).then(|| format!("and {more} more")));
        let (place, languages) = (&self.place, languages.join(", "));
        if self.are_pages {
            write!(f, "; pages in the languages of `{place}` ({languages}) are read as ordinary pages")
        } else {
            write!(f, "; the translations in `{place}/` ({languages}) aren't read")
        }
    }
}

fn shown(path: &str) -> String {
    if path.is_empty() { "this folder".to_string() } else { format!("{path}/") }
}

impl Repository {
    fn shown_base(&self) -> String {
        let base = self.base_path();
        let base = if base.is_empty() { String::new() } else { format!(", base path /{base}/") };
        let proof = self.proof.map_or(String::new(), |proof| format!(" ({proof})"));
        let listed = |folders: &[String], end: &str| -> String {
            folders.iter().map(|folder| format!("`{folder}{end}`")).collect::<Vec<_>>().join(", ")
        };
        let beside = match (self.beside.len(), listed(&self.beside, "")) {
            (0, _) => String::new(),
            (1, one) => format!("; {one} is another site: use -C to check it"),
            (_, several) => format!("; other sites, each to check with -C: {several}"),
        };
        let skipped = match (self.skipped.len(), listed(&self.skipped, "/")) {
            (0, _) => String::new(),
            (count, folders) => {
                let verb = if count == 1 { "isn't" } else { "aren't" };
                format!("; {folders} {verb} read: set `content` under `[source]`, or use -C")
            }
        };
        let unread = self.unread_translations.as_ref().map_or(String::new(), UnreadTranslations::to_string);
        base + &proof + &beside + &skipped + &unread
    }

    /// Describes what Stepkin doesn't read or know, as the end of the line about the repository.
    fn shown_limits(&self) -> String {
        let pages = self
            .unread_pages
            .as_ref()
            .map_or(String::new(), |pages| format!("; it has {pages}, which Stepkin doesn't read"));
        let generator = self.unknown_generator.as_ref();
        let generator = generator.map_or(String::new(), |(name, file)| {
            format!("; Stepkin doesn't know the rules of {name} (`{file}`), so findings are warnings")
        });
        let outside = match self.outside.as_slice() {
            [] => String::new(),
            [one] => format!("; `{one}` isn't among its pages, so it isn't checked"),
            [one, other] => format!("; `{one}` and `{other}` aren't among its pages, so they aren't checked"),
            [one, other, more @ ..] => {
                let more = more.len();
                format!("; `{one}`, `{other}` and {more} more aren't among its pages, so they aren't checked")
            }
        };
        pages + &generator + &outside
    }

    /// Reads the languages of a site with translations: the folder of the original, its language, and the other
    /// languages.
    pub fn described(&self, original: Option<&str>, language: &str, translations: &str) -> String {
        let original = shown(original.unwrap_or(&self.content.path));
        let base = self.shown_base();
        let limits = self.shown_limits();
        format!("read as {}: {original} ({language}){base}, and {translations}{limits}", self.name())
    }
}

/// `slugify` in jekyll/lib/jekyll/utils.rb.
fn slugified(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}
