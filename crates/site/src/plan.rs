//! The plan: every address of the site, before anything is rendered.

mod assets;
pub mod drawings;
mod facts;
mod languages;
mod link;
pub mod lists;
mod names;
mod reader;
mod renditions;
pub mod sitemaps;
mod tree;

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::OnceLock;

pub use self::assets::is_named_by_content;
pub use self::drawings::{Drawing, Drawings};
pub use self::facts::{Audience, Class, Extra, Facts, MadeAnchors, Origin};
pub use self::link::{Destination, Here, Landing, LinkStyle, Resolver};
pub use self::link::{anchor, relative, take_apart};
pub use self::reader::{End, Import, Lookups, Reader};
pub use self::renditions::{ByPicture, ImageFormat, Rendition, Renditions};
pub use self::sitemaps::Sitemap;
pub use self::tree::{Around, At, Listed, MOST_LISTED, Node, NodeIx, Tree};
use crate::built_in::BuiltIn;
use crate::content::{Document, DocumentId, FamilyId, PlatformIx, Site};
use base::address::Address;
use base::diagnostic::{Code, Diagnostic, Problem, Report, Reported, Severity};
use base::hash::{HashMap, HashSet};
use base::site_path::{self, OWN_ASSETS, SitePath};
use base::sort::StableSort as _;
use base::sorted::SortedMap;
use base::store::Key;
use input::conventions::Generator;
use input::link_map;
use input::source::{Asset, Dimensions, Navigation, Sources};

/// The style sheet of the site, which every page loads after all others.
pub const OWN_STYLE: &str = "templates/own.css";

/// The path of the feed in each language.
pub const FEED: &str = "/feed.xml";

/// The content of an address.
#[derive(Clone, Debug, PartialEq)]
pub enum Artifact {
    /// A page of the site: a step, or another page.
    Page(DocumentId),
    /// The home page, with its own text if it has any.
    Home(Option<DocumentId>),
    /// The overview of a family, with its own text if it has any.
    Overview {
        family: FamilyId,
        page: Option<DocumentId>,
    },
    /// A list of the pages in a folder without a page of its own.
    Folder(NodeIx),
    /// The comparison of a family's platforms.
    Compare {
        family: FamilyId,
    },
    /// A family as data for programs.
    Data {
        family: FamilyId,
        data: Data,
    },
    /// The settings of a family for spreadsheets.
    Spreadsheet {
        family: FamilyId,
    },
    /// All steps of a platform on one page.
    Print {
        family: FamilyId,
        platform: PlatformIx,
    },
    NotFound,
    Sitemap(Sitemap),
    /// An Atom feed of the pages that changed last.
    Feed,
    /// The state of all translations, for translators.
    Translations,
    /// The link map: pages and anchors for other sites.
    LinkMap(Form),
    /// The page at an address as Markdown.
    Twin(Address),
    /// A list of pages for language models.
    Llms(ListScope),
    /// The same for the page at an address and the tree under it, on a site with too many pages for one list.
    LlmsBelow(Address),
    /// All listed pages as Markdown.
    LlmsFull(ListScope),
    /// Rules for crawlers.
    Robots,
    /// All redirects, in the formats of hosts and other programs.
    Redirects,
    RedirectsJson,
    /// The style that the configuration describes.
    LookStyle,
    /// The style sheet of the site, `templates/own.css`.
    OwnStyle,
    /// A redirect to a target on the page of this document, or to the page itself.
    Redirect {
        to: String,
        from: DocumentId,
    },
    /// A file of the site, unchanged.
    Asset(SitePath),
    /// A smaller version of an image.
    Rendition {
        of: SitePath,
        rendition: Rendition,
    },
    /// An image that a program drew, by [`Drawing::key`] and the hash of its content.
    Drawing {
        key: Key,
        hash: Key,
    },
    /// A built-in file.
    Builtin(&'static [u8]),
}

/// The subject of a data file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Data {
    Settings,
    Family,
}

impl Data {
    pub fn schema(self) -> &'static str {
        match self {
            Self::Settings => "settings.schema.json",
            Self::Family => "family.schema.json",
        }
    }
}

/// The format of a link map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The map in the format `pages.json`.
    Pages,
    /// The map in Sphinx's format `objects.inv`.
    Inventory,
}

/// The pages in a list for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListScope {
    Site,
    Platform { family: FamilyId, platform: PlatformIx },
}

impl Artifact {
    /// Whether it is a separate HTML page for readers.
    pub fn is_page(&self) -> bool {
        self.facts().audience == Audience::Readers
    }

    /// Returns the page whose text it shows.
    pub fn document(&self) -> Option<DocumentId> {
        self.facts().text
    }
}

/// The content of a published file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Rendered content, which is in memory only until it is written.
    Bytes(Cow<'static, [u8]>),
    /// A file on disk, which is read in blocks.
    File(PathBuf),
}

/// Maps addresses to their content. `build` writes the plan, `serve` answers from it, and `check` looks links up in
/// it.
#[derive(Debug, Default)]
pub struct Plan {
    /// Sorted by address.
    artifacts: Vec<(Address, Artifact)>,
    /// The position of each address in `artifacts`, because a build looks up dozens of links for each page.
    index: HashMap<Address, usize>,
    /// Files that pages load from `/_stepkin/`, by name.
    assets: SortedMap<String, Address>,
    /// Sizes of images.
    dimensions: HashMap<Address, Dimensions>,
    /// Smaller versions of images with their addresses, in the order of
    /// [`Renditions`](crate::plan::Renditions).
    renditions: HashMap<Address, Vec<(Rendition, Address)>>,
    /// The addresses of pages that differ from the address for their file name, by the latter.
    by_file: HashMap<Address, Address>,
    /// The final targets of redirects, by old address.
    ends: HashMap<Address, End>,
    tree: Tree,
    /// Unique names of pages whose titles aren't unique.
    names: HashMap<Address, String>,
    /// For a translation, the addresses that readers find at the same path of the original.
    shared: HashSet<Address>,
    /// For a translation, the pages on which only the interface is translated.
    untranslated: HashSet<Address>,
    /// Addresses by their lower-case form, created when a link isn't found.
    folded: OnceLock<HashMap<String, Address>>,
    /// Addresses of pages and files by their last segment, created when a link isn't found.
    named: OnceLock<HashMap<String, Vec<Address>>>,
}

/// Plans the site. If two sources have the same address, this is reported and the first one keeps it: pages by path,
/// then content files, then static files, then generated files.
///
/// `is_elsewhere` returns whether another program builds an address, so that no folder list replaces it.
pub fn plan(
    site: &Site,
    sources: &Sources,
    (renditions, drawings): (&ByPicture, &Drawings),
    built_in: BuiltIn,
    is_elsewhere: &dyn Fn(&Address) -> bool,
) -> Reported<Plan> {
    let mut layout = Layout::of(site, sources, built_in);
    let overviews: HashMap<&Address, FamilyId> =
        site.families.indexed().map(|(id, family)| (&family.address, id)).collect();
    let mut documents: Vec<_> = site.documents.indexed().collect();
    if site.repository.convention.leaves_out_readme {
        documents.stable_sort_by_key(|(_, document)| document.path.as_str().ends_with("README.md"));
    }
    for (id, document) in documents {
        let overview = overviews.get(&document.address).filter(|_| site.place(id).is_none());
        let artifact = match (&document.front.redirect, overview) {
            (Some(to), _) => Artifact::Redirect { to: to.clone(), from: id },
            (None, Some(&family)) => Artifact::Overview { family, page: Some(id) },
            (None, None) if document.address.as_str() == "/" => Artifact::Home(Some(id)),
            (None, None) => Artifact::Page(id),
        };
        layout.claim(document.address.clone(), artifact);
    }
    for asset in sources.assets.values() {
        layout.claim_asset(asset);
    }
    for (path, renditions) in renditions {
        layout.fill_renditions(path, renditions);
    }
    for (address, &Drawing { key, hash, dimensions }) in drawings {
        layout.fill(address.clone(), Artifact::Drawing { key, hash });
        layout.dimensions.extend(dimensions.map(|dimensions| (address.clone(), dimensions)));
    }
    for (id, document) in site.documents.indexed() {
        for alias in &document.front.aliases {
            let to = document.address.as_str().to_string();
            layout.claim_alias(alias, document, Artifact::Redirect { to, from: id });
        }
    }
    layout.make_way_for_folders();
    let publish = &site.config.publish;
    for (family, its) in site.families.indexed() {
        layout.fill(its.address.clone(), Artifact::Overview { family, page: None });
        let beside = |name: &str| Address::new(&format!("{}{name}", its.address));
        if publish.compare && its.platforms.len() > 1 {
            layout.fill(beside("compare/"), Artifact::Compare { family });
        }
        if publish.data {
            layout.fill(beside("family.json"), Artifact::Data { family, data: Data::Family });
            layout.fill(beside("settings.json"), Artifact::Data { family, data: Data::Settings });
            layout.fill(beside("settings.csv"), Artifact::Spreadsheet { family });
        }
        if publish.print {
            for (platform, its) in its.platforms.indexed() {
                layout.fill(its.print(), Artifact::Print { family, platform });
            }
        }
    }
    layout.fill(Address::new("/"), Artifact::Home(None));
    let tree = layout.tree(&sources.navigation);
    let is_list = |node: &Node| node.at == At::Folder && !is_elsewhere(&node.address);
    for (ix, node) in tree.indexed().filter(|(_, node)| is_list(node)) {
        layout.fill(node.address.clone(), Artifact::Folder(ix));
    }
    layout.report.extend(names::duplicates(site, &layout.artifacts));
    let names = names::names(&layout, &tree);
    layout.fill(Address::new("/404.html"), Artifact::NotFound);
    layout.untranslated = languages::untranslated(site, &layout.artifacts);
    let is_published = |name: &str| match name {
        "compare.js" | "compare.css" => publish.compare,
        "diagram.css" => !site.config.diagrams.is_empty(),
        "header.css" => site.config.has_chrome(),
        "languages.css" | "languages.js" => sources.view.is_some(),
        link_map::pages::SCHEMA => publish.maps,
        _ if name.ends_with(".schema.json") => publish.data,
        _ => site.config.search.enabled || !name.starts_with("search"),
    };
    if let Some(css) = site.config.look.css() {
        layout.fill_style("look.css", css.as_bytes(), Artifact::LookStyle);
    }
    if let Some(own) = sources.templates.get(&OWN_STYLE.into()) {
        layout.fill_style("own.css", own.text().as_bytes(), Artifact::OwnStyle);
    }
    let is_one_file = !built_in.page_scripts.iter().any(|name| layout.assets.contains_key(*name));
    for (name, bytes) in built_in.published.iter().filter(|(name, _)| is_published(name)) {
        if built_in.is_loaded(name, is_one_file) {
            layout.fill_asset(name, bytes);
        }
    }
    lists_of_pages(&mut layout, &tree);
    // Crawlers and hosts look for these in the root only.
    if !sources.are_translated() {
        if sources.view.is_some() && site.config.languages.status == Some(true) {
            layout.fill(Address::new("/_translations/"), Artifact::Translations);
        }
        for_programs(&mut layout);
    }
    let (mut plan, report) = layout.finish();
    plan.ends = link::ends(&plan, site);
    (plan.tree, plan.names) = (tree, names);
    if let Some(view) = sources.view.as_ref().filter(|view| view.is_translation()) {
        plan.shared = languages::shared(&plan, site, view);
    }
    (plan, report)
}

/// Adds lists of all pages for programs.
fn lists_of_pages(layout: &mut Layout<'_>, tree: &Tree) {
    let config = &layout.site.config;
    sitemaps::add(layout);
    if config.has_feed() {
        layout.fill(Address::new(FEED), Artifact::Feed);
    }
    if config.publish.markdown {
        lists::add(tree, layout);
    }
    if config.publish.maps {
        layout.fill(Address::new(&format!("/{}", link_map::pages::NAME)), Artifact::LinkMap(Form::Pages));
        layout.fill(
            Address::new(&format!("/{}", link_map::inventory::NAME)),
            Artifact::LinkMap(Form::Inventory),
        );
    }
}

/// Adds files for programs that readers don't open.
fn for_programs(layout: &mut Layout) {
    let has_redirect = || layout.artifacts.iter().any(|(_, it)| matches!(it, Artifact::Redirect { .. }));
    // The translations may have some.
    if layout.sources.view.is_some() || has_redirect() {
        layout.fill(Address::new("/_redirects"), Artifact::Redirects);
        layout.fill(Address::new("/redirects.json"), Artifact::RedirectsJson);
    }
    layout.fill(Address::new("/robots.txt"), Artifact::Robots);
    // Without it, GitHub Pages would skip `_stepkin`.
    layout.fill(Address::new("/.nojekyll"), Artifact::Builtin(b""));
}

/// Normalizes a page's alias.
fn alias_address(alias: &str) -> Address {
    let address = Address::new(alias);
    if address.as_str().ends_with(".html") { address } else { address.as_page() }
}

/// A plan under construction.
struct Layout<'a> {
    site: &'a Site,
    sources: &'a Sources,
    built_in: BuiltIn,
    artifacts: Vec<(Address, Artifact)>,
    /// The position of each address in `artifacts`.
    index: HashMap<Address, usize>,
    assets: SortedMap<String, Address>,
    dimensions: HashMap<Address, Dimensions>,
    renditions: HashMap<Address, Vec<(Rendition, Address)>>,
    /// See [`Plan::is_untranslated`].
    untranslated: HashSet<Address>,
    report: Report,
}

impl<'a> Layout<'a> {
    fn of(site: &'a Site, sources: &'a Sources, built_in: BuiltIn) -> Self {
        Self {
            site,
            sources,
            built_in,
            artifacts: Vec::new(),
            index: HashMap::default(),
            assets: SortedMap::new(),
            dimensions: HashMap::default(),
            renditions: HashMap::default(),
            untranslated: HashSet::default(),
            report: Report::default(),
        }
    }

    fn claim_asset(&mut self, asset: &Asset) {
        let address = match (asset.path.below(OWN_ASSETS), &asset.hash) {
            (Some(name), Some(hash)) if self.built_in.is_copy(name, hash) => return,
            (Some(name), Some(hash)) => {
                let address = assets::address(name, hash, self.built_in);
                self.assets.insert(name.to_string(), address.clone());
                address
            }
            _ => self.address_of_file(&asset.path),
        };
        if let Some(dimensions) = asset.picture.as_ref().and_then(|picture| picture.dimensions) {
            self.dimensions.insert(address.clone(), dimensions);
        }
        self.claim(address, Artifact::Asset(asset.path.clone()));
    }

    fn address_of_file(&self, path: &SitePath) -> Address {
        let published = self.site.repository.published_file(self.sources.published(path).as_str());
        published.expect("files are listed where they are published")
    }

    /// Adds the smaller versions of an image. Their names contain a hash, so those of identical images have the same
    /// address.
    fn fill_renditions(&mut self, path: &SitePath, renditions: &[Rendition]) {
        let picture = self.address_of_file(path);
        let is_published =
            |asset: &Artifact| matches!(asset, Artifact::Asset(published) if published == path);
        if !self.standing(&picture).is_some_and(is_published) {
            return;
        }
        let mut addresses = Vec::new();
        for rendition in renditions {
            let address = assets::address_of_rendition(rendition);
            self.fill(address.clone(), Artifact::Rendition { of: path.clone(), rendition: *rendition });
            addresses.push((*rendition, address));
        }
        self.renditions.insert(picture, addresses);
    }

    fn claim(&mut self, address: Address, artifact: Artifact) {
        let Some(other) = self.standing(&address) else { return self.push(address, artifact) };
        let path = self.source(&artifact).expect("files claim");
        let owner = self.source(other);
        // The page that took over the address of another one is the mistake.
        let is_named = |path: &SitePath| {
            let name = site_path::file_name(path.as_str());
            address.last_segment() == name.split('.').next()
        };
        let (path, owner) = match owner {
            Some(owner) if is_named(path) && !is_named(owner) => (owner, Some(path)),
            _ => (path, owner),
        };
        let Some(severity) =
            owner.map_or(Some(Severity::Error), |owner| self.of_conflict(&address, path, owner))
        else {
            return;
        };
        let message = match owner {
            Some(owner) if owner != path => format!("`{address}` is already published from `{owner}`"),
            _ => format!("this file is published at `{address}` twice"),
        };
        let conflict = self.conflict(&address, path, message, owner, severity);
        self.report.push(conflict);
    }

    fn conflict(
        &self,
        address: &Address,
        path: &SitePath,
        message: String,
        owner: Option<&SitePath>,
        severity: Severity,
    ) -> Diagnostic {
        let key = self.site.repository.convention.key_of_slug();
        let key = key.map(|key| format!(", or change the `{key}` of a page")).unwrap_or_default();
        let help = format!("move or rename one of them{key}");
        let problem = Problem::new(Code::AddressConflict, 0..0, message).help(help).target(address.as_str());
        let problem = if severity == Severity::Error { problem } else { problem.as_warning() };
        match owner {
            Some(owner) => problem.related(owner, 0..0, "the other source").at(path),
            None => problem.at(path),
        }
    }

    /// Claims an old URL of a page.
    fn claim_alias(&mut self, alias: &str, document: &Document, redirect: Artifact) {
        let address = alias_address(alias);
        let standing = self.standing(&address);
        let is_alias = standing.is_some_and(|other| matches!(other, Artifact::Redirect { .. }));
        let owner = standing.and_then(|other| self.source(other));
        let is_ours = self.site.repository.is_ours();
        let Some(owner) = owner.filter(|owner| !is_ours || **owner != document.path) else {
            return self.claim(address, redirect);
        };
        // Pages replace aliases: `renderAliases` in hugolib/site.go. The address of a guessed page is uncertain.
        if *owner == document.path || self.site.repository.is_guessed() {
            return;
        }
        let start = document.text().find(alias);
        let span = start.map_or(0..0, |start| start..start + alias.len());
        // Which of two aliases is the last one depends on the generator.
        let (message, help) = if is_alias && !is_ours {
            let message =
                format!("`{address}` is also an alias of `{owner}`, so it leads to only one of them");
            (message, "remove it from one of them")
        } else {
            let message =
                format!("`{address}` is already published from `{owner}`, so it doesn't lead to this page");
            (message, "remove it from this page")
        };
        let problem = Problem::new(Code::AddressConflict, span, message).target(address.as_str());
        let problem = problem.help(help.to_string()).related(owner, 0..0, "the other source");
        let problem = if is_ours { problem } else { problem.as_warning() };
        self.report.push(problem.at(&document.path));
    }

    /// Returns how certain it is that a generator publishes two sources at one address, or `None` if it doesn't.
    fn of_conflict(&self, address: &Address, path: &SitePath, owner: &SitePath) -> Option<Severity> {
        let repository = &self.site.repository;
        let convention = repository.convention;
        let is_page = |path: &SitePath| repository.is_page(path.as_str());
        let is_static = |path: &SitePath| repository.below_content(path.as_str()).is_none();
        let is_index = |path: &SitePath| {
            let name = site_path::file_name(path.as_str());
            let stem = name.split('.').next().unwrap_or(name).to_lowercase();
            convention.indices.contains(&&*stem)
        };
        let is_left_beside = |path: &SitePath| !is_page(path) && !is_static(path);
        let are_files = convention.publishes_only_pages && (is_left_beside(path) || is_left_beside(owner));
        let are_pages = is_page(path) && is_page(owner);
        let of_path = |path: &SitePath| self.site.documents.iter().find(|it| it.path == *path);
        let is_written = |path: &SitePath| of_path(path).is_some_and(|it| it.front.slug.is_some());
        // The date of a post may be a part of its address.
        let date = |path: &SitePath| {
            let text = of_path(path)?.text();
            text.lines().find(|line| line.starts_with("date:")).map(str::to_string)
        };
        let is_opened = repository.openings.iter().any(|it| address.as_str().starts_with(&it.folder));
        match () {
            () if repository.is_ours() => Some(Severity::Error),
            () if are_files
                || convention.has_page_files && are_pages && is_index(path) != is_index(owner) =>
            {
                None
            }
            // An unknown generator may publish a README like any other page.
            () if convention.generator != Generator::Known && is_index(path) && is_index(owner) => None,
            // Both say it themselves.
            () if are_pages
                && is_opened
                && is_written(path)
                && is_written(owner)
                && date(path) == date(owner) =>
            {
                Some(Severity::Warning)
            }
            () if are_pages && is_opened => None,
            () if convention.leaves_out_readme && is_index(path) && is_index(owner)
                || convention.generator != Generator::Known =>
            {
                Some(Severity::Warning)
            }
            () => Some(Severity::Error),
        }
    }

    /// Sorts the artifacts, and removes files whose address other files need as a folder.
    fn make_way_for_folders(&mut self) {
        self.artifacts.stable_sort_by(|(one, _), (other, _)| one.cmp(other));
        // The content of a folder follows a file with its name, possibly with similar names in between.
        let within = |at: usize, address: &Address| {
            let longer = self.artifacts[at + 1..].iter();
            let mut longer = longer.map_while(|it| Some((it, it.0.as_str().strip_prefix(address.as_str())?)));
            longer.find(|(_, rest)| rest.starts_with('/')).map(|(it, _)| it)
        };
        let files = self.artifacts.iter().enumerate().filter(|(_, (address, _))| !address.is_page());
        let blocked: Vec<_> = files
            .filter_map(|(at, (address, file))| {
                let (inner, other) = within(at, address)?;
                let message =
                    format!("`{address}` can't be a file because `{inner}` needs a folder with this name");
                // A generated file is removed without a finding.
                let conflict = self
                    .source(file)
                    .map(|path| self.conflict(address, path, message, self.source(other), Severity::Error));
                Some((address.clone(), conflict))
            })
            .collect();
        for (address, conflict) in blocked {
            self.artifacts.retain(|(other, _)| *other != address);
            self.report.extend(conflict);
        }
        let positions = self.artifacts.iter().enumerate().map(|(at, (address, _))| (address.clone(), at));
        self.index = positions.collect();
    }

    /// Returns the artifact at an address, or at its file or folder: `/a/` is `/a/index.html`, and no folder can
    /// replace the file `/a`.
    fn standing(&self, address: &Address) -> Option<&Artifact> {
        let get = |address: &str| self.index.get(address).map(|&at| &self.artifacts[at].1);
        let address = address.as_str();
        let page = || address.strip_suffix("index.html").filter(|page| page.ends_with('/'));
        let other = || match address.strip_suffix('/') {
            Some(file) => get(file).or_else(|| get(&format!("{address}index.html"))),
            None => get(page()?),
        };
        get(address).or_else(other)
    }

    /// Returns the source file of an artifact, or `None` for built-in files and those with several sources.
    fn source<'s>(&'s self, artifact: &'s Artifact) -> Option<&'s SitePath> {
        match artifact.facts() {
            Facts { origin: Origin::File(path), .. } => Some(path),
            facts => facts.written().map(|id| &self.site.documents[id].path),
        }
    }

    fn push(&mut self, address: Address, artifact: Artifact) {
        self.index.insert(address.clone(), self.artifacts.len());
        self.artifacts.push((address, artifact));
    }

    /// Adds a built-in file, unless the site replaces it.
    fn fill_asset(&mut self, name: &str, bytes: &'static [u8]) {
        if !self.assets.contains_key(name) {
            let address = assets::address(name, &blake3::hash(bytes), self.built_in);
            self.assets.insert(name.to_string(), address.clone());
            self.fill(address, Artifact::Builtin(bytes));
        }
    }

    /// Publishes a style that is made from the site, named by its content.
    fn fill_style(&mut self, name: &str, bytes: &[u8], style: Artifact) {
        let address = assets::address_by_content(name, &blake3::hash(bytes));
        self.assets.insert(format!("made/{name}"), address.clone());
        self.fill(address, style);
    }

    /// Adds an artifact if its address is free.
    fn fill(&mut self, address: Address, artifact: Artifact) {
        if self.standing(&address).is_none() {
            self.push(address, artifact);
        }
    }

    /// Returns the tree of all families and pages that aren't steps.
    fn tree(&self, navigation: &Navigation) -> Tree {
        let at = |artifact: &Artifact| match *artifact {
            Artifact::Home(_) => Some(At::Home),
            Artifact::Overview { family, .. } => Some(At::Family(family)),
            Artifact::Page(id) => self.site.place(id).is_none().then_some(At::Page(id)),
            _ => None,
        };
        let found = self.artifacts.iter().filter_map(|(address, it)| Some((address.clone(), at(it)?)));
        tree::tree(self.site, navigation, found.collect(), |address| self.standing(address).is_none())
    }

    fn finish(mut self) -> Reported<Plan> {
        self.make_way_for_folders();
        let Self {
            site,
            sources: _,
            built_in: _,
            artifacts,
            index,
            assets,
            dimensions,
            renditions,
            untranslated,
            report,
        } = self;
        let others = site.documents.iter().filter(|document| {
            !site.repository.is_named_by_file(document.below(), document.front.slug.as_deref())
        });
        let slugged = others.filter_map(|document| {
            let file = site.repository.file_address(document.below());
            (file != document.address).then(|| (file, document.address.clone()))
        });
        let by_file = slugged.collect();
        let plan = Plan {
            artifacts,
            index,
            assets,
            dimensions,
            renditions,
            by_file,
            untranslated,
            ..Plan::default()
        };
        (plan, report)
    }
}

impl Plan {
    pub fn artifacts(&self) -> impl ExactSizeIterator<Item = (&Address, &Artifact)> {
        self.artifacts.iter().map(|(address, artifact)| (address, artifact))
    }

    /// Returns the addresses of all pages that readers should find.
    pub fn pages(&self) -> impl Iterator<Item = &Address> {
        self.artifacts().filter(|(_, artifact)| artifact.is_page()).map(|(address, _)| address)
    }

    pub fn get(&self, address: &Address) -> Option<&Artifact> {
        self.position(address.as_str()).map(|at| &self.artifacts[at].1)
    }

    /// Returns the position of an address in [`Self::artifacts`].
    pub fn position(&self, address: &str) -> Option<usize> {
        self.index.get(address).copied()
    }

    /// Returns the artifact at a position of [`Self::artifacts`] with its address.
    pub fn artifact(&self, at: usize) -> Option<(&Address, &Artifact)> {
        self.artifacts.get(at).map(|(address, artifact)| (address, artifact))
    }

    /// Returns the names and addresses of files that pages load from `/_stepkin/`.
    pub fn assets(&self) -> &SortedMap<String, Address> {
        &self.assets
    }

    /// Returns the size of the image at an address.
    pub fn dimensions(&self, address: &Address) -> Option<Dimensions> {
        self.dimensions.get(address).copied()
    }

    /// Returns the smaller versions of the image at an address with their addresses, by format, the narrowest first.
    pub fn renditions(&self, address: &Address) -> &[(Rendition, Address)] {
        self.renditions.get(address).map_or(&[], Vec::as_slice)
    }

    /// Returns the final target of the redirect at an address, or `None` if there is none or it is a loop.
    pub fn end(&self, address: &Address) -> Option<&End> {
        self.ends.get(address)
    }

    /// Returns the artifact at an address, with the plan's copy of the address.
    pub fn entry(&self, address: &Address) -> Option<(&Address, &Artifact)> {
        self.artifact(self.position(address.as_str())?)
    }

    /// Whether readers of a translation find an address at the same path of the original.
    pub fn is_shared(&self, address: &Address) -> bool {
        !self.shared.is_empty() && self.shared.contains(address)
    }

    /// Whether only the interface is translated on a page of a translation.
    pub fn is_untranslated(&self, address: &Address) -> bool {
        !self.untranslated.is_empty() && self.untranslated.contains(address)
    }

    /// Returns the tree of all pages that aren't steps.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the unique name of the page at an address if its title isn't unique.
    pub fn name(&self, address: &Address) -> Option<&str> {
        self.names.get(address).map(String::as_str)
    }

    /// Returns the address of a page by the address for its file name, if they differ.
    pub fn of_file(&self, file: &str) -> Option<&Address> {
        self.by_file.get(Address::new(file).as_str()).filter(|address| self.index.contains_key(*address))
    }

    /// Returns the address for a decoded path. A final slash and `index.html` don't matter.
    pub fn find(&self, path: &str) -> Option<&Address> {
        // Fast path: most links are written as published.
        if let Some((address, _)) = self.index.get_key_value(path) {
            return Some(address);
        }
        let (address, page) = forms(path);
        // A file of the site that servers show for its folder.
        let file = || self.key(&Address::new(&format!("{page}index.html")));
        self.key(&page).or_else(|| self.key(&address)).or_else(file)
    }

    /// Returns the address for a path, ignoring case.
    pub fn find_ignoring_case(&self, path: &str) -> Option<&Address> {
        let folded = self.folded.get_or_init(|| {
            self.artifacts().map(|(address, _)| (address.as_str().to_lowercase(), address.clone())).collect()
        });
        let (address, page) = forms(path);
        let find = |address: &Address| folded.get(&address.as_str().to_lowercase());
        find(&page).or_else(|| find(&address))
    }

    /// Returns the address that ends with the segments of a path. Of several, it is the one nearest to another address. With
    /// `is_folded`, case is ignored, and a hyphen may be a space.
    pub fn find_by_end(&self, path: &str, from: &Address, is_folded: bool) -> Option<&Address> {
        let folded = |path: &str| path.to_lowercase().replace(' ', "-");
        let last = |path: &str| folded(site_path::file_name(path));
        let named = self.named.get_or_init(|| {
            let mut named: HashMap<String, Vec<Address>> = HashMap::default();
            for (address, _) in self.artifacts().filter(|(_, it)| !matches!(it, Artifact::Folder(_))) {
                named.entry(last(address.as_str().trim_end_matches('/'))).or_default().push(address.clone());
            }
            named
        });
        let end = format!("/{path}");
        let shared = |it: &&Address| {
            it.as_str().bytes().zip(from.as_str().bytes()).take_while(|(a, b)| a == b).count()
        };
        let is_meant = |it: &&Address| {
            let address = it.as_str().trim_end_matches('/');
            address.ends_with(&end) || is_folded && folded(address).ends_with(&folded(&end))
        };
        named.get(&last(path))?.iter().rev().filter(is_meant).max_by_key(shared)
    }

    fn key(&self, address: &Address) -> Option<&Address> {
        self.index.get_key_value(address).map(|(address, _)| address)
    }
}

/// Returns a path unchanged and as a page's address.
fn forms(path: &str) -> (Address, Address) {
    let address = Address::new(path);
    let page = match address.as_str().strip_suffix("/index.html") {
        Some(folder) => Address::new(&format!("{folder}/")),
        None => address.as_page(),
    };
    (address, page)
}
