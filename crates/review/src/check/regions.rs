//! Targets that may exist although the repository doesn't show them.
//!
//! A link checker may call an address missing only if it knows all addresses. Stepkin knows those of its own sites.
//! Other generators also publish the output of programs, content from other repositories, and routes of plugins. Such
//! addresses form *open regions*. Each is reported once, below the severity of an error, and no edits are suggested
//! for links into it. There are these kinds:
//!
//! - A folder of addresses in which no source of the repository is published, unless its name is a slip of a folder's that is.
//!   One link into it may be a mistake, and so may be two. But nearly all links of a published site work for its readers, so
//!   several show that the folder exists. So does one URL that many pages link to, if no published URL resembles it. So do two
//!   links that work without the folder, or several such links to folders next to it: languages, versions, or platforms.
//! - Names that begin alike, if many are missing and hardly any is published: a program writes such references, with a page
//!   for each command or class.
//! - Folders of a site whose rules are only guessed, if links to many of their pages are missing and hardly any page is published
//!   there.
//! - Addresses outside the folder that contains all pages of the repository, and links with the site's own host to
//!   other parts of that host.
//! - Files that git ignores, because a program writes them.
//! - Files from the root of a site, if no folder of static files is in the repository.
//! - Files that are in the repository, but outside the folders of published files that its configuration specifies.
//! - Files that are all in one folder of the repository, if only this folder is missing or another one in several links: a program
//!   copies them. Links to them are warnings, because the authors may have moved the folder.
//! - Addresses in the configuration whose pages aren't read: versions, translations, mounts, lists of tags.
//! - Addresses above the site's folder.
//! - Folders in which most pages are missing that a list of the site's pages contains, because a program writes them.
//! - Folders of a site whose rules are only guessed, if several links from the root into one are missing and none works.
//! - Fragments that contain a path, which an app uses as a route, and the anchors of a page or folder, if links use many and hardly
//!   any of them exists, or several pages lack the same one, or several begin alike: the program that publishes the site has a rule
//!   of its own.
//!
//! If a framework or a program generates addresses by its own rules, a root-relative address or a name such as `page.html` that
//! doesn't resemble a known one is a warning, because it may exist.

mod files;
mod folders;
mod region;

use std::borrow::Cow;
use std::sync::OnceLock;

use self::files::Files;
use self::folders::{Linked, PublishedFolders, around, first_folder, folder_of, folder_of_all, last_name};
pub(super) use self::region::REGION;
use self::region::{Cause, FEWEST, FEWEST_NAMES, MissingTarget, RegionKey, RegionLinks, settled};
use super::links::is_after_ref;
use super::lookup::letters;
use super::slips::MAY_BE_FILE;
use super::{Evidence, named};
use base::address::Address;
use base::diagnostic::{Code, Diagnostic, Problem, Report, Severity, nearest, texts_in};
use base::hash::HashMap;
use base::site_path::{self, SitePath, on_disk};
use base::sorted::{SortedMap, SortedSet};
use input::config::LevelledCode;
use input::conventions::{
    AnchorRule, BasePath, OpenFolder, PANDOC, Publisher, RelativePaths, Syntax, are_exceptions,
    inline_targets,
};
use input::source;
use input::source::git::IgnoreRules;
use markup::markdown::INCLUDES;
use site::content::Document;
use site::plan::{Artifact, Destination, Here, take_apart};
use site::project::Project;

/// Reports the targets of each open region once. A Stepkin site has none.
pub(super) fn open(project: &Project, evidence: &Evidence, report: Report) -> Report {
    if project.site.repository.is_ours() {
        return report;
    }
    let is_missing = |it: &&Diagnostic| {
        matches!(
            it.problem.code,
            Code::MissingPage | Code::MissingImage | Code::MissingFile | Code::WrongCase
        ) || it.problem.code == Code::MissingAnchor
            && it.problem.severity.is_none()
            && project.site.repository.is_guessed()
            || it.problem.data.contains_key(MAY_BE_FILE)
    };
    let has_unknown = project.site.repository.unknown_generator.is_some();
    if !has_unknown && !report.iter().any(|it| is_missing(&it) || is_include(it)) {
        return report;
    }
    let mut world = World::of(project, evidence);
    let report = report.into_iter().filter_map(|it| {
        let it = Some(it).filter(|it| !world.is_joined(it))?;
        let it = world.copied(it);
        let it = world.included(it);
        Some(world.in_another_language(it))
    });
    let report: Report = report.collect();
    let targets: Vec<Option<MissingTarget>> =
        report.iter().map(|it| Some(it).filter(is_missing).and_then(|it| world.missing(it))).collect();
    let mut regions: SortedMap<&RegionKey, RegionLinks> = SortedMap::new();
    for (it, target) in report.iter().zip(&targets) {
        let Some(target) = target else { continue };
        for key in &target.keys {
            regions.entry(key).or_default().add(it, target);
        }
    }
    let mut variants: HashMap<&str, usize> = HashMap::default();
    for ((_, folder), region) in regions.iter().filter(|((cause, _), _)| *cause == Cause::Folder) {
        *variants.entry(around(folder)).or_default() += region.variants.len();
    }
    regions.retain(|(cause, folder), region| {
        let headings = || world.headings.get(folder.as_str()).map_or(0, Vec::len);
        region.is_open(*cause, (fills_pages(project), headings()), || match cause {
            Cause::Anchors => world.linked().anchors(folder).saturating_sub(region.anchors.len()),
            Cause::Unproven if folder == "/" => world.proof_of_root(region),
            Cause::Unproven => usize::from(world.linked().folders.contains(folder)),
            Cause::Copied => world.linked().files_in(folder),
            Cause::Unwritten => world.pages_in(folder),
            Cause::SharedAnchor => usize::from(world.heading_ids().contains(folder)),
            Cause::AnchorNames => {
                world.heading_ids().iter().filter(|id| id.starts_with(folder.as_str())).count()
            }
            _ => world.published(folder),
        }) || *cause == Cause::Folder && !region.variants.is_empty() && variants[around(folder)] >= FEWEST
    });
    let is_at_root = |it: &Diagnostic| {
        it.problem.code == Code::MissingPage
            && it
                .problem
                .target
                .as_deref()
                .is_some_and(|target| target.trim_end_matches('/').rfind('/') == Some(0))
    };
    let at_root = |is_guess: bool| {
        let all = report.iter().zip(&targets).filter(|(it, _)| is_at_root(it));
        let wanted = all.filter_map(|(_, target)| target.as_ref().filter(|it| it.is_guess == is_guess));
        wanted.map(|target| &target.path).collect::<SortedSet<_>>().len()
    };
    // Many pages at the root are those of a program, one of which resembles a page by chance.
    let serves_root = project.site.repository.is_guessed() && at_root(true) >= FEWEST * at_root(false).max(1);
    // Without a generator or docsify, readers see all files.
    let repository = &project.site.repository;
    let shows_files = !repository.convention.has_generator()
        && repository.unknown_generator.is_none()
        && !repository.links_from_root;
    let signs = regions.iter().filter(|((cause, _), _)| *cause == Cause::Sign);
    let named_files: SortedMap<&RegionKey, NamedFiles> =
        signs.filter_map(|(key, region)| Some((*key, world.named_files(region, &key.1)?))).collect();
    // A target in two regions counts in the first.
    let mut open: SortedMap<&RegionKey, RegionLinks> = SortedMap::new();
    let mut left = Vec::new();
    for (it, target) in report.iter().zip(&targets) {
        let region = |target: &MissingTarget| target.keys.iter().position(|key| regions.contains_key(key));
        match target.as_ref().and_then(|target| Some((target, region(target)?))) {
            // Several mistakes may begin alike, and authors may have moved a folder.
            Some((target, key)) if matches!(target.keys[key].0, Cause::AnchorNames | Cause::Copied) => {
                let is_advice = it.severity == Severity::Info;
                left.push(if is_advice { it.clone() } else { guessed(it, None, shows_files) });
            }
            Some((target, key)) => match named_files.get(&target.keys[key]) {
                Some(files) => left.extend(files.finding(it, target)),
                None => open.entry(&target.keys[key]).or_default().add(it, target),
            },
            None if it.severity == Severity::Error
                && (target.as_ref().is_some_and(|it| it.is_guess) || serves_root && is_at_root(it)) =>
            {
                left.push(guessed(it, target.as_ref(), shows_files));
            }
            None => left.push(it.clone()),
        }
    }
    let open = open.iter().filter(|(key, _)| !shows_files || key.0 != Cause::Present);
    left.into_iter().chain(open.filter_map(|(key, region)| region.finding(key))).collect()
}

/// Whether the site has a program that changes texts of pages. Those of other generators only change addresses.
fn fills_pages(project: &Project) -> bool {
    let repository = &project.site.repository;
    repository.is_programmed && repository.convention.has_programs_for_texts
}

/// Turns the finding for a missing target into a warning. `shows_files` is true if readers see the files themselves.
fn guessed(it: &Diagnostic, target: Option<&MissingTarget>, shows_files: bool) -> Diagnostic {
    let mut problem = Problem::clone(&it.problem).as_warning();
    let is_of_file = shows_files && !problem.target.as_deref().is_some_and(|target| target.starts_with('/'));
    if let Some(target) = target {
        let add = || "add the file, or correct its path".to_string();
        let settle = || format!("if a program publishes this, {}", settled(&target.path));
        problem.help.get_or_insert_with(|| if is_of_file { add() } else { settle() });
    }
    Diagnostic::new(problem.into(), &it.file)
}

/// The files of a folder that links name after a sign, such as `terms/otp.md` for `(!otp)`.
struct NamedFiles {
    folder: String,
    /// Without extensions.
    names: SortedSet<String>,
}

impl NamedFiles {
    /// Returns the finding for a link if no file has its name.
    fn finding(&self, it: &Diagnostic, target: &MissingTarget) -> Option<Diagnostic> {
        let name = target.path.get(1..).unwrap_or_default();
        if self.names.contains(name) {
            return None;
        }
        let message = format!("no file in `{}/` has the name `{name}`", self.folder);
        let near = nearest(name, self.names.iter().map(String::as_str));
        let problem = Problem::new(Code::MissingFile, it.problem.span.clone(), message).target(&target.path);
        Some(problem.help(near.map(|near| format!("did you mean `{near}`?"))).as_warning().at(&it.file))
    }
}

/// The known addresses and files of a repository.
struct World<'a> {
    project: &'a Project,
    documents: HashMap<&'a SitePath, &'a Document>,
    known: PublishedFolders,
    /// The folder of addresses that contains all pages.
    pages: String,
    ignored: HashMap<String, Option<IgnoreRules>>,
    /// The rules in folders above the root, each with the root's path in its folder.
    ignored_above: Vec<(String, IgnoreRules)>,
    files: Files<'a>,
    /// Folders of missing submodules.
    submodules: Vec<String>,
    /// The last segments of the addresses of pages.
    names: SortedSet<String>,
    /// Whether a folder of static files exists, or files are published from the page folder.
    has_statics: bool,
    /// Folders of addresses, with many missing pages that lists contain.
    listed: SortedSet<String>,
    linked: OnceLock<Linked>,
    /// The letters of the headings of pages, by their addresses.
    headings: HashMap<String, Vec<String>>,
    heading_ids: OnceLock<SortedSet<String>>,
    joined_ids: OnceLock<SortedSet<String>>,
}

impl<'a> World<'a> {
    fn of(project: &'a Project, evidence: &Evidence) -> Self {
        let documents = || project.site.documents.iter().map(|document| &**document);
        Self {
            project,
            documents: documents().map(|document| (&document.path, document)).collect(),
            known: PublishedFolders::of(project),
            // Few pages are in one folder by chance.
            pages: if project.site.documents.len() >= FEWEST {
                folder_of_all(documents().map(|document| document.address.as_str()))
            } else {
                "/".to_string()
            },
            ignored: HashMap::default(),
            ignored_above: IgnoreRules::above(&project.sources.root),
            files: Files::of(project),
            submodules: source::submodules(&project.sources.root),
            names: {
                let pages = project.plan.artifacts().filter(|(address, _)| address.is_page());
                pages.map(|(address, _)| last_name(address.as_str()).to_lowercase()).collect()
            },
            has_statics: {
                let folders = &project.site.repository.statics;
                let is_there = |path: &str| on_disk(&project.sources.root, path).is_dir();
                folders.is_empty() || folders.iter().any(|folder| is_there(&folder.path))
            },
            listed: {
                let mut folders: SortedMap<String, usize> = SortedMap::new();
                for path in named::unwritten(project, evidence) {
                    *folders.entry(around(&path).to_string()).or_default() += 1;
                }
                folders
                    .into_iter()
                    .filter(|(folder, count)| folder != "/" && *count >= FEWEST_NAMES)
                    .map(|(folder, _)| folder)
                    .collect()
            },
            linked: OnceLock::new(),
            headings: HashMap::default(),
            heading_ids: OnceLock::new(),
            joined_ids: OnceLock::new(),
        }
    }

    fn linked(&self) -> &Linked {
        self.linked.get_or_init(|| {
            let resolver = self.project.resolver();
            let mut linked = Linked::default();
            for document in &self.project.site.documents {
                let text = document.text();
                for target in inline_targets(&text) {
                    let Destination::Here(Here { address, fragment, .. }) =
                        resolver.resolve(document, target)
                    else {
                        continue;
                    };
                    if target.starts_with('/') {
                        linked.folders.extend(first_folder(address.as_str()));
                        linked.from_root += usize::from(address.is_page());
                        let is_without_base = resolver.below_base(target).is_none();
                        linked
                            .without_base
                            .extend(first_folder(address.as_str()).filter(|_| is_without_base));
                    }
                    if let Some(Artifact::Asset(file)) = self.project.plan.get(address) {
                        linked.files.insert(file.to_string());
                    }
                    if let Some(fragment) = fragment {
                        let fragments = linked.fragments.entry(address.to_string()).or_default();
                        fragments.insert(fragment.to_string());
                    }
                }
            }
            linked
        })
    }

    /// Returns the number of links from the root that lead to a page, if most of the missing ones have the names of pages, so that a
    /// program probably publishes these at the root.
    fn proof_of_root(&self, region: &RegionLinks<'_>) -> usize {
        let stem = |path: &str| last_name(path).split(['.', '#']).next().unwrap_or_default().to_string();
        let names: SortedSet<String> =
            self.project.site.documents.iter().map(|it| stem(it.address.as_str())).collect();
        let twins = region.paths.iter().filter(|path| names.contains(&stem(path))).count();
        if 2 * twins >= region.paths.len() { self.linked().from_root } else { usize::MAX }
    }

    fn missing(&mut self, it: &Diagnostic) -> Option<MissingTarget> {
        let project = self.project;
        let target = it.problem.target.as_deref()?;
        // Configurations also contain addresses. Root-relative ones mean the same on every page.
        let any = || project.site.documents.iter().next().map(|document| &**document);
        let is_from_root = target.starts_with('/');
        let Some(from) = self.documents.get(&it.file).copied().or_else(|| any().filter(|_| is_from_root))
        else {
            let ignored = self.ignored_at(target.trim_start_matches("./"))?;
            return Some(MissingTarget::of(vec![(Cause::Ignored, ignored)], target));
        };
        if it.problem.code == Code::WrongCase {
            let ignored = self.ignored(from, target)?;
            return Some(MissingTarget::of(vec![(Cause::Ignored, ignored)], target));
        }
        let resolver = project.resolver();
        let (path, other, from_own_host) = match resolver.resolve(from, target) {
            Destination::Missing { path, other, from_own_host } => (path, other, from_own_host),
            Destination::External => return self.missing_source(from, target),
            Destination::Here(Here { address, fragment: Some(fragment), .. })
                if it.problem.code == Code::MissingAnchor =>
            {
                return Some(self.missing_anchor(from, address, fragment));
            }
            _ => return None,
        };
        let (path, other) = (Address::new(&path), other.as_deref().map(Address::new));
        let by_file = other.as_ref().unwrap_or(&path).as_str();
        // A page whose URL ends with `.html` is a file, and so are those next to it.
        let is_of_file = take_apart(target).path.ends_with(".html")
            || !is_from_root
                && has_file_name(target)
                && project.site.repository.convention.relative != RelativePaths::OfAddress;
        let in_browser = self.in_browser(from, target).filter(|_| !from_own_host);
        let path = match &in_browser {
            Some(in_browser) if has_own_address(from) => in_browser.as_str(),
            _ if is_of_file => by_file,
            _ => path.as_str(),
        };
        if let Some(cause) = self.own_start_of(target) {
            return Some(MissingTarget::of(vec![cause], target));
        }
        let folder = self.known.region(path);
        let is_page = it.problem.code == Code::MissingPage;
        let in_browser = in_browser.clone().unwrap_or_else(|| Address::new(path));
        let is_url = is_page && !self.is_ref(it);
        let outside = is_url.then(|| self.outside(target, path, from_own_host)).flatten();
        let bundles = project.site.repository.convention.publishes_only_pages;
        let is_file = !is_from_root && (self.is_source(target) || bundles && !is_page);
        let opening = [path, by_file].into_iter().find_map(|path| self.opening(path, is_file));
        let is_variant = is_page
            && is_from_root
            && folder.as_deref().is_some_and(|folder| {
                let (around, _) = folder.trim_end_matches('/').rsplit_once('/').unwrap_or_default();
                let below = format!("{around}/{}", &path[folder.len()..]);
                let bare = below.strip_suffix(".html").unwrap_or(&below);
                let forms = [below.as_str(), bare, bare.strip_suffix("index").unwrap_or(bare)];
                forms.into_iter().any(|form| resolver.find(form).is_some())
            });
        let repository = &project.site.repository;
        let keys = [
            self.ignored(from, target).map(|file| (Cause::Ignored, file)),
            self.submodule(from, target, path),
            opening,
            // One cause, wherever they lead.
            self.is_above(from, target).then(|| (Cause::Above, String::new())),
            self.files.has(from, target).then(|| (Cause::Present, folder_of(by_file))),
            // Readers of a repository follow links from file to file.
            repository
                .convention
                .has_generator()
                .then(|| self.ignored_at(in_browser.as_str().trim_start_matches('/')))
                .flatten()
                .map(|file| (Cause::Ignored, file)),
            outside.map(|name| (Cause::Outside, name)),
            (!is_page && is_from_root && !self.has_statics)
                .then(|| folder.clone())
                .flatten()
                .map(|folder| (Cause::NoStatics, folder)),
            Some((Cause::Listed, around(path).to_string()))
                .filter(|(_, folder)| it.problem.help.is_none() && self.listed.contains(folder)),
            folder.map(|folder| (Cause::Folder, folder)),
            first_folder(path)
                .filter(|_| is_page && is_from_root && repository.is_guessed())
                .map(|folder| (Cause::Unproven, folder)),
            (is_page && is_from_root && first_folder(path).is_none())
                .then(|| (Cause::Unproven, "/".to_string())),
            (is_page && (is_from_root || repository.is_guessed() || !self.is_source(target)))
                .then(|| (Cause::Folder, format!("{}/", path.trim_end_matches('/')))),
            beginning(path).filter(|_| is_page).map(|beginning| (Cause::Names, beginning)),
            // The page of a program, next to those of its commands: `git` and `git-add`.
            family(path, "-").filter(|_| is_page),
            family(path, "_").filter(|_| is_page),
            (!is_from_root && repository.is_guessed())
                .then(|| self.files.folder_with(target, is_page))
                .flatten()
                .map(|folder| (Cause::Copied, folder)),
            (is_page && !is_from_root && repository.is_guessed())
                .then(|| (Cause::Unwritten, around(path).to_string())),
        ];
        let is_guess = self.is_guess(from, it, (path, from_own_host), &in_browser);
        let may_be_file = it.problem.data.contains_key(MAY_BE_FILE);
        let is_asked = |(cause, _): &RegionKey| !may_be_file || *cause == Cause::Present;
        let (keys, is_guess) =
            (keys.into_iter().flatten().filter(is_asked).collect(), is_guess && !may_be_file);
        Some(MissingTarget { is_variant, is_guess, ..MissingTarget::of(keys, path) })
    }

    /// Returns the address to which a relative target leads in a browser, if the addresses of pages are those of files.
    fn in_browser(&self, from: &Document, target: &str) -> Option<Address> {
        let below = take_apart(target).path;
        let has_page_files = self.project.site.repository.convention.has_page_files;
        let is_relative = has_page_files && !below.starts_with('/');
        is_relative.then(|| Address::new(&format!("{}{below}", from.address.parent())))
    }

    /// Whether a missing target may exist although it is in no region.
    fn is_guess(
        &self,
        from: &Document,
        it: &Diagnostic,
        (path, from_own_host): (&str, bool),
        in_browser: &Address,
    ) -> bool {
        let repository = &self.project.site.repository;
        let target = it.problem.target.as_deref().unwrap_or_default();
        if self.project.site.config.check.severity.contains_key(&LevelledCode(it.problem.code)) {
            return false;
        }
        let is_page_file = take_apart(target).path.ends_with(".html");
        let has_unknown_base =
            repository.base_url.is_none() && repository.convention.base == BasePath::Hosted;
        let may_be = repository.is_programmed
            || has_unknown_base && target.starts_with('/') && !self.is_source(target)
            || repository.is_guessed() && (target.starts_with('/') || is_page_file)
            // Authors write the host out for what the generator doesn't publish itself, such as the output of another program.
            || from_own_host
            || it.problem.help.is_none() && self.is_in_lacking_folder(from, target)
            // Swift-DocC finds an image by its name anywhere in its catalog.
            || it.problem.code != Code::MissingPage
                && from.path.as_str().contains(".docc/")
                && !target.contains('/');
        // A router may show a folder whose pages are tabs of one page.
        let is_apart = || self.known.has_folder(path) || !self.known.is_near(path);
        // Files are read last.
        may_be && is_apart()
            || it.problem.code == Code::MissingPage && self.is_of_workflow(in_browser)
            || self.files.has_twin_with(from, target)
            || self.files.is_made(from, target)
    }

    fn is_of_workflow(&self, address: &Address) -> bool {
        let is_published = self.project.site.repository.convention.has_generator();
        is_published
            && self.files.is_folder_of_workflow(address.as_str())
            && !self.known.is_near(address.as_str())
    }

    fn missing_anchor(&mut self, from: &Document, address: &Address, fragment: &str) -> MissingTarget {
        let places = [around(address.as_str()).to_string(), address.to_string()];
        let keys = if fragment.contains('/') {
            vec![(Cause::Route, String::new())]
        } else {
            // Headings on one topic begin with the same word.
            let second = fragment.match_indices(['-', '_']).nth(1).map(|(at, _)| &fragment[..=at]);
            let beginning = second.map(|beginning| (Cause::AnchorNames, beginning.to_string()));
            // Pages link to their own.
            let shared = (*address == from.address).then(|| (Cause::SharedAnchor, fragment.to_string()));
            places.into_iter().map(|place| (Cause::Anchors, place)).chain(shared).chain(beginning).collect()
        };
        let is_derived = self.is_in_heading(address, fragment);
        MissingTarget { is_derived, ..MissingTarget::of(keys, &format!("{address}#{fragment}")) }
    }

    /// Returns the start of a target to which the site gives a meaning of its own: a placeholder, a sign, or the name of a folder that
    /// it doesn't contain.
    fn own_start_of(&self, target: &str) -> Option<RegionKey> {
        let aliases = &self.project.site.repository.path_aliases;
        let is_known = aliases.iter().any(|(alias, _)| target.starts_with(alias.as_str()));
        let alias = || alias_of(target).filter(|_| !is_known).map(|alias| (Cause::Alias, alias.to_string()));
        let sign = || sign_of(target).map(|sign| (Cause::Sign, sign.to_string()));
        let placeholder = placeholder_of(target).map(|name| (Cause::Placeholder, name.to_string()));
        placeholder.or_else(sign).or_else(alias)
    }

    /// Returns the files that the links of a region name after its sign, if nearly all names are those of files in one folder.
    fn named_files(&self, region: &RegionLinks<'_>, sign: &str) -> Option<NamedFiles> {
        let wanted = region.paths.iter().filter_map(|path| path.strip_prefix(sign));
        let wanted: SortedSet<&str> = wanted.collect();
        if wanted.len() < FEWEST {
            return None;
        }
        let files = self.project.sources.all_files();
        let mut folders: SortedMap<&str, SortedSet<&str>> = SortedMap::new();
        for file in &files {
            let name = site_path::file_name(file).split('.').next().unwrap_or_default();
            folders.entry(site_path::parent(file)).or_default().insert(name);
        }
        let count = |names: &SortedSet<&str>| names.intersection(&wanted).count();
        let (folder, names) = folders.iter().max_by_key(|(_, names)| count(names))?;
        are_exceptions(wanted.len() - count(names), count(names)).then(|| NamedFiles {
            folder: folder.to_string(),
            names: names.iter().map(ToString::to_string).collect(),
        })
    }

    /// Returns a missing file that isn't published, if a program may create it.
    fn missing_source(&mut self, from: &Document, target: &str) -> Option<MissingTarget> {
        let ignored = self.ignored(from, target).map(|file| (Cause::Ignored, file));
        let submodule = self.submodule(from, target, target);
        let above = self.is_above_root(from, target).then(|| (Cause::AboveRoot, String::new()));
        let keys: Vec<RegionKey> = ignored.into_iter().chain(submodule).chain(above).collect();
        (!keys.is_empty()).then(|| MissingTarget::of(keys, target))
    }

    /// Whether the letters of an anchor are a part of a heading on its page, whose own anchor differs.
    fn is_in_heading(&mut self, address: &Address, fragment: &str) -> bool {
        let wanted = letters(fragment);
        let Some(id) = self.project.plan.get(address).and_then(Artifact::document) else { return false };
        let headings = self.headings.entry(address.to_string()).or_insert_with(|| {
            let text = self.project.site.document(id).text();
            text.lines().filter(|line| line.starts_with('#')).map(letters).collect()
        });
        headings.iter().any(|heading| heading.contains(&wanted))
    }

    /// Returns the IDs of all headings by GitHub's rule, which is that of most sites.
    fn heading_ids(&self) -> &SortedSet<String> {
        self.heading_ids
            .get_or_init(|| self.ids_of_headings(|line| AnchorRule::Trimmed.id(line.trim_start_matches('#'))))
    }

    /// Returns the IDs of the headings that begin with `#`, by a rule for their lines.
    fn ids_of_headings(&self, id: impl Fn(&str) -> String) -> SortedSet<String> {
        let texts = self.project.site.documents.iter().map(|document| document.text());
        let ids = |text: Cow<'_, str>| -> Vec<String> {
            text.lines().filter(|line| line.starts_with('#')).map(&id).collect()
        };
        texts.flat_map(ids).collect()
    }

    /// Returns the number of pages in a folder of addresses.
    fn pages_in(&self, folder: &str) -> usize {
        let pages = self.project.plan.artifacts().filter(|(address, _)| address.is_page());
        pages.filter(|(address, _)| around(address.as_str()) == folder).count()
    }

    /// Returns how many published names begin alike.
    fn published(&self, beginning: &str) -> usize {
        self.names.iter().filter(|name| name.starts_with(beginning)).count()
    }

    /// Whether a target is in a folder of the repository that isn't here, neither below the page nor below the root. A copy may
    /// lack complete folders.
    fn is_in_lacking_folder(&self, from: &Document, target: &str) -> bool {
        let repository = &self.project.site.repository;
        let path = take_apart(target).path;
        let files = [repository.path_from(from.path.as_str(), path), Some(path.to_string())];
        let mut folders =
            files.iter().flatten().filter_map(|file| file.trim_end_matches('/').rsplit_once('/'));
        repository.is_guessed()
            && !path.starts_with('/')
            && folders.clone().next().is_some()
            && !folders.any(|(folder, _)| folder == "." || self.project.sources.has_folder(folder))
    }

    /// Whether a target is the name of a page's file, which no program needs to publish.
    fn is_source(&self, target: &str) -> bool {
        let ending = take_apart(target).path.rsplit_once('.').map(|(_, ending)| ending);
        ending.is_some_and(|ending| self.project.site.repository.convention.endings.contains(&ending))
    }

    /// Returns the folder of the empty submodule that contains a target.
    fn submodule(&self, from: &Document, target: &str, path: &str) -> Option<RegionKey> {
        let repository = &self.project.site.repository;
        let file = if target.starts_with('/') {
            repository.content.file_at(path.trim_start_matches('/'))
        } else {
            repository.path_from(from.path.as_str(), take_apart(target).path)
        }?;
        let folder = self.submodules.iter().find(|it| file == **it || site_path::is_inside(&file, it))?;
        let below = repository.below_content(folder)?;
        Some((Cause::Submodule, format!("/{}/", repository.content.at_address(below))))
    }

    /// Returns the published part of the site, from its configuration, that isn't read. Other versions and the generator publish
    /// no files that a page refers to by a relative path.
    fn opening(&self, path: &str, is_file: bool) -> Option<RegionKey> {
        let is_read =
            |it: &OpenFolder| is_file && matches!(it.publisher, Publisher::Version | Publisher::Generator);
        let path = format!("{}/", path.trim_end_matches('/'));
        let openings = &self.project.site.repository.openings;
        let opening = openings.iter().rfind(|it| path.starts_with(&it.folder) && !is_read(it));
        // A site with versions has more of them than its configuration lists.
        let has_versions = || !is_file && openings.iter().any(|it| it.publisher == Publisher::Version);
        let version = || path.split('/').nth(1).filter(|name| site_path::is_version(name) && has_versions());
        opening
            .map(|it| (Cause::Opening(it.publisher), it.folder.clone()))
            .or_else(|| Some((Cause::Opening(Publisher::Version), format!("/{}/", version()?))))
    }

    fn is_above_root(&self, from: &Document, target: &str) -> bool {
        self.project.site.repository.path_from(from.path.as_str(), take_apart(target).path).is_none()
    }

    /// Whether a path leaves the folder of the site, if the host may contain several sites.
    fn is_above(&self, from: &Document, target: &str) -> bool {
        let (repository, base) = (&self.project.site.repository, self.project.resolver().config.base_path());
        if target.starts_with('/') || repository.base_url.is_some() && base.is_empty() {
            return false;
        }
        // Bundlers resolve files relative to the page's file.
        let file = repository.path_from(from.path.as_str(), take_apart(target).path);
        let is_in = |file: &String| repository.folders().iter().any(|it| site_path::is_inside(file, it));
        if file.as_ref().is_some_and(is_in) {
            return false;
        }
        let up = take_apart(target).path.split('/').filter(|part| *part != ".");
        let up = up.take_while(|part| *part == "..").count();
        let depth = match repository.convention.relative {
            RelativePaths::OfAddress => from.address.as_str().matches('/').count().saturating_sub(1),
            RelativePaths::OfFile | RelativePaths::AmongFiles => from.below().matches('/').count(),
        };
        up > depth
    }

    /// Whether a target is that of Hugo's `ref`, which looks up pages without the base path.
    fn is_ref(&self, it: &Diagnostic) -> bool {
        let text = self.project.sources.pages.get(&it.file).map(|page| page.text());
        let before = text.as_ref().and_then(|text| text.get(..it.problem.span.start)).unwrap_or_default();
        self.project.site.repository.convention.has(Syntax::Shortcodes) && is_after_ref(before)
    }

    /// Returns the part of the host to which a target belongs, if it isn't this site.
    fn outside(&self, target: &str, path: &str, from_own_host: bool) -> Option<String> {
        let resolver = self.project.resolver();
        let repository = &self.project.site.repository;
        let base = resolver.config.base_path();
        // The name of a source refers to a page of this repository.
        if self.is_source(target) {
            return None;
        }
        if from_own_host {
            // A site without a base path may have neighbors on its host. A site with one owns all addresses in it.
            return self.known.outside(path).filter(|_| base.is_empty());
        }
        // If the generator adds the base path to links, they can't leave the site.
        if repository.convention.base == BasePath::Added || !target.starts_with('/') {
            return None;
        }
        if !base.is_empty() && resolver.below_base(target).is_none() {
            // A component may add the base path, as other links show.
            if first_folder(path).is_some_and(|folder| self.linked().without_base.contains(&folder)) {
                return self.known.region(path);
            }
            let below = format!("{}/x", take_apart(target).path.trim_end_matches('/'));
            return PublishedFolders::with([format!("{base}/x").as_str()].into_iter()).region(&below);
        }
        self.known.outside(path).filter(|_| !path.starts_with(&self.pages))
    }

    /// Returns the folder, relative to the root, of the file to which a target refers, if git ignores that file.
    fn ignored(&mut self, from: &Document, target: &str) -> Option<String> {
        let repository = &self.project.site.repository;
        let path = take_apart(target).path;
        match self.project.resolver().below_base(path).unwrap_or(path).strip_prefix('/') {
            Some(below) => self.ignored_at(below),
            None => self.ignored_file(&repository.path_from(from.path.as_str(), path)?),
        }
    }

    /// The same for a path of the published site.
    fn ignored_at(&mut self, below: &str) -> Option<String> {
        let repository = &self.project.site.repository;
        let folders = repository.statics.iter().chain([&repository.content]);
        let mut files: Vec<String> = folders.filter_map(|folder| folder.file_at(below)).collect();
        // Documents of Sphinx have no ending.
        if repository.convention.has(Syntax::Myst) {
            files.extend(files.clone().iter().map(|file| format!("{file}.ipynb")));
        }
        files.iter().find_map(|file| self.ignored_file(file))
    }

    fn ignored_file(&mut self, file: &str) -> Option<String> {
        let endings =
            self.project.site.repository.convention.endings.iter().map(|ending| format!(".{ending}"));
        let file = file.trim_end_matches('/');
        // Without an extension, it may be the folder of a page.
        let itself = (!file.rsplit('/').next().is_some_and(|name| name.contains('.'))).then_some(file);
        let mut folders = file.match_indices('/').map(|(end, _)| &file[..end]).chain(itself);
        if let Some(folder) = folders.find(|folder| self.is_ignored(folder, true)) {
            return Some(folder.to_string());
        }
        let is_ignored = [String::new()]
            .into_iter()
            .chain(endings)
            .any(|ending| self.is_ignored(&format!("{file}{ending}"), false));
        is_ignored.then(|| site_path::parent(file).to_string())
    }

    /// Whether Pandoc joins the pages, so that an anchor of another page is on the same.
    fn is_joined(&self, it: &Diagnostic) -> bool {
        let generator = self.project.site.repository.unknown_generator.as_ref();
        let anchor = it.problem.target.as_deref().and_then(|target| target.strip_prefix('#'));
        it.problem.code == Code::MissingAnchor
            && generator.is_some_and(|(name, _)| *name == PANDOC)
            && anchor.is_some_and(|anchor| self.joined_ids().contains(anchor))
    }

    /// Returns the IDs of all headings by Pandoc's rule, and those that their authors wrote.
    fn joined_ids(&self) -> &SortedSet<String> {
        self.joined_ids.get_or_init(|| {
            self.ids_of_headings(|line| match line.rsplit_once("{#") {
                Some((_, own)) => own.split([' ', '}']).next().unwrap_or_default().to_string(),
                None => AnchorRule::Pandoc.id(line.trim_start_matches('#')),
            })
        })
    }

    /// Returns a finding about a missing image as information if an unknown generator may copy it from the folder of another file.
    fn copied(&self, it: Diagnostic) -> Diagnostic {
        let path = it.problem.target.as_deref().map_or("", |target| take_apart(target).path);
        let name = site_path::file_name(path);
        let is_possible = self.project.site.repository.unknown_generator.is_some()
            && it.problem.code == Code::MissingImage
            && it.severity != Severity::Info;
        let files = if is_possible { self.files.named(name) } else { &[] };
        let Some(file) = files.iter().find(|file| site_path::file_name(file) == name) else { return it };
        let help = format!("the generator may find `{file}` by its name");
        Diagnostic::new(Problem::clone(&it.problem).as_advice().help(help).into(), &it.file)
    }

    /// Returns a finding about missing included files as information if all of them exist, or if Git ignores them.
    fn included(&mut self, it: Diagnostic) -> Diagnostic {
        let names = texts_in(it.problem.data.get("names"));
        if !is_include(&it) || names.is_empty() {
            return it;
        }
        let project = self.project;
        let sources = project.sources.whole();
        let paths = |name: &str| {
            let file = name.split(':').next().unwrap_or(name);
            project.site.repository.included(it.file.as_str(), file).into_iter()
        };
        let repository = &project.site.repository;
        let config = repository.configuration.as_deref().and_then(|file| sources.text(&file.into()));
        let config = config.map(|text| text.text()).unwrap_or_default();
        // A text with an unknown extension isn't read.
        let help = if names.iter().all(|name| paths(name).any(|path| sources.has_file(&path))) {
            "the file exists, but Stepkin doesn't read it"
        } else if names.iter().all(|name| paths(name).any(|path| self.ignored_file(&path).is_some())) {
            "Git ignores it, so a program probably writes it"
        } else if names.iter().all(|name| repository.is_written(name, &config)) {
            "a program of the site probably writes it"
        } else {
            return it;
        };
        let problem = Problem::clone(&it.problem).as_advice().help(help.to_string());
        Diagnostic::new(problem.into(), &it.file)
    }

    /// Describes a link to the file of a page in another language. A generator looks for files of the same language only.
    fn in_another_language(&self, it: Diagnostic) -> Diagnostic {
        let sources = &self.project.sources;
        let Some(target) = it.problem.target.as_deref().filter(|_| it.problem.code == Code::MissingPage)
        else {
            return it;
        };
        let file = sources.repository.path_from(it.file.as_str(), take_apart(target).path);
        let is_other = file.map(SitePath::from).is_some_and(|file| {
            sources.whole().pages.contains_key(&file) && !sources.pages.contains_key(&file)
        });
        if !is_other {
            return it;
        }
        let message = format!("`{target}` is a page in another language, and only a URL can lead to it");
        let help = "use its URL instead of its file".to_string();
        let problem = Problem { message, edits: Vec::new(), ..Problem::clone(&it.problem) };
        Diagnostic::new(problem.help(help).into(), &it.file)
    }

    /// Whether a `.gitignore` in a folder above a file or folder lists it.
    fn is_ignored(&mut self, file: &str, is_folder: bool) -> bool {
        let root = &self.project.sources.root;
        if self
            .ignored_above
            .iter()
            .any(|(root, rules)| rules.is_ignored(&format!("{root}/{file}"), is_folder))
        {
            return true;
        }
        let folders = file.match_indices('/').map(|(end, _)| &file[..end]);
        [""].into_iter().chain(folders).any(|folder| {
            let rules = self
                .ignored
                .entry(folder.to_string())
                .or_insert_with(|| IgnoreRules::read(&on_disk(root, folder).join(".gitignore")));
            let below = file[folder.len()..].trim_start_matches('/');
            rules.as_ref().is_some_and(|rules| rules.is_ignored(below, is_folder))
        })
    }
}

/// Whether the address of a page isn't in the folder of its file, as `/docs/bind.html` of `docs/parameter/bind.md`.
fn has_own_address(page: &Document) -> bool {
    let folder = Address::new(&format!("/{}/", site_path::parent(page.below())));
    page.address != folder && page.address.parent() != folder
}

/// Whether a finding is about included files that don't exist.
fn is_include(it: &Diagnostic) -> bool {
    it.problem.data.contains_key(INCLUDES)
}

/// Whether a target names a file rather than a folder or word.
pub(super) fn has_file_name(target: &str) -> bool {
    last_name(take_apart(target).path).trim_start_matches('.').contains('.')
}

/// Returns the name in braces or bars at the start of a target: `{filename}/a.md` and `|filename|a.md` in Pelican,
/// <https://docs.getpelican.com/en/latest/content.html#linking-to-internal-content>.
fn placeholder_of(target: &str) -> Option<&str> {
    let bare = target.trim_start_matches('$');
    let close = match bare.chars().next()? {
        '{' => '}',
        '|' => '|',
        _ => return None,
    };
    let name = bare[1..].split_once(close)?.0;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-. ".contains(c));
    is_name.then(|| &target[..target.len() - bare.len() + name.len() + 2])
}

/// Returns the special character at the start of a target, if no address begins with it: sites define their own
/// meaning for such targets, as in `[code](!otp)`.
fn sign_of(target: &str) -> Option<char> {
    /// Paths begin with these characters, names of files and folders with some of them, and encoded characters with
    /// the last one.
    const ALLOWED: &str = "./#?_-~@([%";
    if target.starts_with("[[") {
        return Some('[');
    }
    // An alias has a path, and the name of a package an ending or a version.
    if target.starts_with('@') && !target.contains(['/', '.']) {
        return Some('@');
    }
    target.chars().next().filter(|c| c.is_ascii_punctuation() && !ALLOWED.contains(*c))
}

/// Returns the name of a folder at the start of a target, `@assets` or `~`, unless the site contains it.
pub(super) fn alias_of(target: &str) -> Option<&str> {
    let (name, _) = target.split_once('/')?;
    let is_alias = name.starts_with('~') || name.starts_with('@') && !matches!(name, "@site" | "@");
    is_alias.then_some(name)
}

/// Returns the beginning of the last segment of a path: `tool_` of `/guide/tool_list/`.
fn beginning(path: &str) -> Option<String> {
    let name = last_name(path).to_lowercase();
    let end = name.find(['_', '-', '.']).filter(|length| *length > 1)?;
    Some(name[..=end].to_string())
}

/// Returns the region of the names that begin with the complete last segment of a path: `git-` for `/guide/git/`.
fn family(path: &str, separator: &str) -> Option<RegionKey> {
    let name = last_name(path).to_lowercase();
    (name.len() > 1 && !name.contains(['_', '-', '.'])).then(|| (Cause::Names, name + separator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_character_begins_no_address() {
        for (target, sign) in [
            ("!otp", Some('!')),
            ("$x", Some('$')),
            ("_a/b", None),
            ("../a", None),
            ("(a)/b", None),
            ("é", None),
        ] {
            assert_eq!(sign_of(target), sign, "{target}");
        }
        for (target, placeholder) in [
            ("{filename}/a.md", Some("{filename}")),
            ("|static|a.png", Some("|static|")),
            ("${base}", Some("${base}")),
            ("{}/a", None),
            ("{a", None),
            ("$a", None),
        ] {
            assert_eq!(placeholder_of(target), placeholder, "{target}");
        }
    }
}
