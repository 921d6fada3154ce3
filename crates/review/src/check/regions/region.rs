//! The links into a region, whether it is open, and its finding.

use super::folders::{around, first_folder, last_name};
use base::diagnostic::{Code, Diagnostic, Problem, list};
use base::site_path::SitePath;
use base::sorted::SortedSet;
use input::conventions::Publisher;
use site::plan::take_apart;

/// Minimum number of distinct missing targets in one folder that open it.
pub(super) const FEWEST: usize = 4;

/// Number of pages with links to one folder or address that open it.
pub(super) const FEWEST_PAGES: usize = 10;

/// Number of distinct anchors in links to one missing address that open it. Links to that many sections worked once,
/// so a program writes the page.
pub(super) const FEWEST_ANCHORS: usize = 10;

/// Minimum number of distinct missing names that begin alike. Several pages on one topic may be missing.
pub(super) const FEWEST_NAMES: usize = 10;

/// Minimum number of distinct links that lead to published pages without the folder.
const FEWEST_VARIANTS: usize = 2;

/// Number of pages that lack the same anchor, so that a template of the site adds it.
const FEWEST_SHARING: usize = 3;

/// Why an address may exist, in the order in which they are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cause {
    /// The target begins with a special character.
    Sign,
    /// The target begins with a name in braces or bars.
    Placeholder,
    /// The target begins with a path alias of a program's configuration.
    Alias,
    Ignored,
    /// The folder of a git submodule that is empty.
    Submodule,
    /// The configuration contains additional content.
    Opening(Publisher),
    /// In a folder above the site's.
    Above,
    /// Above the root, which nothing is read from.
    AboveRoot,
    /// A file of the repository.
    Present,
    /// A file of the repository in a folder that the target doesn't name.
    Copied,
    /// Outside the published part of this repository.
    Outside,
    /// A root-relative file, if the repository has no folder for such files.
    NoStatics,
    Folder,
    /// A folder into which no link from the root works.
    Unproven,
    /// Names with the same beginning.
    Names,
    /// A folder with hardly any of the pages to which links from other pages lead.
    Unwritten,
    /// A folder in which most pages are missing that a list of pages contains.
    Listed,
    /// A fragment that is a path.
    Route,
    /// Anchors of a page, or of the pages in a folder.
    Anchors,
    /// An anchor of many pages.
    SharedAnchor,
    /// Anchors with the same beginning.
    AnchorNames,
}

/// Cause and name of a region.
pub(super) type RegionKey = (Cause, String);

/// A missing target, and the regions that may contain it.
pub(super) struct MissingTarget {
    pub(super) keys: Vec<RegionKey>,
    pub(super) path: String,
    /// Whether a page is published at its address without the folder.
    pub(super) is_variant: bool,
    /// Whether it may exist in spite of that.
    pub(super) is_guess: bool,
    /// Whether it is an anchor that consists of a part of a heading of its page.
    pub(super) is_derived: bool,
}

impl MissingTarget {
    pub(super) fn of(keys: Vec<RegionKey>, path: &str) -> Self {
        Self { keys, path: path.to_string(), is_variant: false, is_guess: false, is_derived: false }
    }
}

#[derive(Default)]
pub(super) struct RegionLinks<'a> {
    pub(super) links: usize,
    pub(super) paths: SortedSet<&'a str>,
    /// Pages with links that resemble no known address.
    pub(super) pages: SortedSet<&'a SitePath>,
    /// All pages with links.
    pub(super) files: SortedSet<&'a SitePath>,
    pub(super) variants: SortedSet<&'a str>,
    /// The anchors of the links, and those that are parts of headings.
    pub(super) anchors: SortedSet<&'a str>,
    pub(super) derived: SortedSet<&'a str>,
    /// The first finding in it.
    pub(super) first: Option<&'a Diagnostic>,
}

impl<'a> RegionLinks<'a> {
    pub(super) fn add(&mut self, it: &'a Diagnostic, target: &'a MissingTarget) {
        self.links += 1;
        self.paths.insert(&target.path);
        self.files.insert(&it.file);
        // A similar address was found, so it may be a misspelling.
        if it.problem.help.is_none() {
            self.pages.insert(&it.file);
        }
        self.variants.extend(target.is_variant.then_some(target.path.as_str()));
        let anchor = it.problem.target.as_deref().and_then(|target| take_apart(target).fragment);
        self.anchors.extend(anchor);
        self.derived.extend(anchor.filter(|_| target.is_derived));
        self.first.get_or_insert(it);
    }

    /// Returns the first folders of the addresses without duplicates, or the complete address if it is at the root.
    pub(super) fn first_folders(&self) -> Vec<String> {
        let first = |path: &&str| first_folder(path).unwrap_or_else(|| path.to_string());
        let folders: SortedSet<String> = self.paths.iter().filter(|path| path.len() > 1).map(first).collect();
        folders.into_iter().collect()
    }

    /// Returns the number of pages to whose anchors the links point.
    pub(super) fn pages_of_anchors(&self) -> usize {
        let pages = self.paths.iter().filter_map(|path| path.split('#').next());
        pages.collect::<SortedSet<_>>().len()
    }

    /// `published` returns the number of published names that begin like those of the region, of its linked anchors that exist, or
    /// whether a link into it works.
    /// `fills_pages` is set if a program of the site may write anchors into a page, and `headings` is the number of the page's own.
    pub(super) fn is_open(
        &self,
        cause: Cause,
        (fills_pages, headings): (bool, usize),
        published: impl Fn() -> usize,
    ) -> bool {
        match cause {
            Cause::Placeholder
            | Cause::Alias
            | Cause::Ignored
            | Cause::Submodule
            | Cause::Opening(_)
            | Cause::Above
            | Cause::AboveRoot
            | Cause::Present
            | Cause::NoStatics
            | Cause::Listed
            | Cause::Outside => true,
            Cause::Sign => self.links >= FEWEST,
            Cause::Route => self.paths.len() >= FEWEST,
            Cause::Anchors => {
                let (count, pages) = (self.anchors.len(), self.pages_of_anchors());
                // Those of two pages in a folder may have different causes, and those of one page its author's mistake, unless other
                // pages link to more than it has headings.
                let are_of_others = self.files.len() >= FEWEST && 2 * headings < count;
                let are_of_page = 2 * self.derived.len() >= count || are_of_others;
                (pages >= FEWEST || pages == 1 && are_of_page)
                    && count >= FEWEST_ANCHORS
                    && 10 * published() <= count
                    || fills_pages && pages == 1 && count >= FEWEST && 2 * published() <= count
            }
            Cause::SharedAnchor => self.pages_of_anchors() >= FEWEST_SHARING && published() == 0,
            Cause::AnchorNames => self.anchors.len() >= FEWEST && published() == 0,
            Cause::Unproven | Cause::Copied => self.paths.len() >= FEWEST && published() == 0,
            Cause::Names => {
                let names: SortedSet<&str> = self.paths.iter().map(|path| last_name(path)).collect();
                names.len() >= FEWEST_NAMES && 10 * published() <= names.len()
            }
            Cause::Unwritten => self.paths.len() >= FEWEST_NAMES && 10 * published() <= self.paths.len(),
            Cause::Folder => {
                self.paths.len() >= FEWEST
                    || self.variants.len() >= FEWEST_VARIANTS
                    || self.pages.len() >= FEWEST_PAGES
                    || self.paths.len() == 1 && self.anchors.len() >= FEWEST_ANCHORS
            }
        }
    }

    /// Whether the region is a single page with an extension.
    pub(super) fn is_page(&self, name: &str) -> bool {
        let page = name.trim_end_matches('/');
        self.paths.len() == 1 && self.paths.contains(&page) && last_name(page).contains('.')
    }

    pub(super) fn finding(&self, (cause, name): &RegionKey) -> Option<Diagnostic> {
        let first = self.first?;
        let links = count(self.links, "link points", "links point");
        let addresses = count(self.paths.len(), "address", "addresses");
        let (message, help) = match cause {
            // Their links keep their findings.
            Cause::Copied | Cause::AnchorNames => return None,
            Cause::Sign | Cause::Placeholder => (
                format!(
                    "{} that {} with `{name}`, unlike any URL",
                    count(self.links, "link has a target", "links have targets"),
                    if self.links == 1 { "begins" } else { "begin" },
                ),
                "Stepkin doesn't know their meaning and doesn't check them".to_string(),
            ),
            Cause::Alias => (
                format!(
                    "{links} to {} in `{name}`, which is not a known path alias",
                    count(self.paths.len(), "file", "files")
                ),
                format!("add `{name}/*` to `paths` in `tsconfig.json` or `jsconfig.json`"),
            ),
            Cause::Ignored => (
                format!(
                    "{links} to {} in `{name}/` that Git ignores",
                    count(self.paths.len(), "file", "files")
                ),
                "a program generates such files; run it first so that Stepkin can check the links"
                    .to_string(),
            ),
            Cause::Present => {
                let found = "which this repository contains but doesn't publish";
                let files = count(self.paths.len(), "file", "files");
                let message = if name.ends_with('/') {
                    format!("{links} to {files} in `{name}`, {found}")
                } else {
                    format!("{links} to `{name}`, {found}")
                };
                let help = format!(
                    "if a build publishes it, add the folder to `static` under `[source]`, or {}",
                    settled(name)
                );
                (message, help)
            }
            Cause::Opening(publisher) => {
                let by = match publisher {
                    Publisher::Version => "where another version is published, which isn't read",
                    Publisher::Translation => "where a translation is published, which isn't read",
                    Publisher::Mount => "where a missing folder is mounted",
                    Publisher::Generator => "where the generator publishes its own pages",
                };
                (
                    format!("{links} to {addresses} in `{name}`, {by}"),
                    format!("to accept these links, {}", settled(name)),
                )
            }
            Cause::Submodule => (
                format!("{links} to {addresses} in `{name}`, a missing submodule"),
                format!("run `git submodule update --init`, or {}", settled(name)),
            ),
            Cause::Above => {
                let folders = self.first_folders();
                (
                    format!(
                        "{links} to {addresses} above the folder of this site, in {}",
                        in_words(&folders)
                    ),
                    format!("if something else publishes this, {}", all_settled(&folders)),
                )
            }
            Cause::AboveRoot => (
                format!("{links} to {} above the root", count(self.paths.len(), "file", "files")),
                "if the repository begins in a folder above, use that folder as `--root`".to_string(),
            ),
            Cause::NoStatics => (
                format!(
                    "{links} to {} in `{name}`, and no folder of static files is here",
                    count(self.paths.len(), "file", "files")
                ),
                format!(
                    "name the folder of static files as `static` in `[source]`; if something else publishes this, {}",
                    settled(name)
                ),
            ),
            Cause::Names => {
                let begins = self.paths.iter().map(|path| format!("{}{name}*", around(path)));
                let begins: Vec<String> = begins.collect::<SortedSet<_>>().into_vec();
                (
                    format!(
                        "{links} to {addresses} whose names begin with `{name}`, which this repository doesn't publish"
                    ),
                    format!("if a program generates them, {}", all_settled(&begins)),
                )
            }
            Cause::Unwritten => (
                format!(
                    "{links} to {addresses} in `{name}`, where this repository publishes hardly any page"
                ),
                format!("if a program generates them, {}", settled(name)),
            ),
            Cause::Listed => (
                format!(
                    "{links} to {addresses} in `{name}`, where most pages in the site's list aren't in this repository"
                ),
                format!("if a program generates them, {}", settled(name)),
            ),
            Cause::Route => (
                format!(
                    "{} that {} a path, as a route of an app does",
                    count(self.links, "link has a fragment", "links have fragments"),
                    if self.links == 1 { "contains" } else { "contain" },
                ),
                "Stepkin doesn't know the routes and doesn't check them".to_string(),
            ),
            Cause::Anchors => (
                format!(
                    "{links} to {} in `{name}`, where few of the linked anchors exist",
                    count(self.paths.len(), "anchor", "anchors")
                ),
                "if a program generates the anchors by its own rule, Stepkin can't check them".to_string(),
            ),
            Cause::SharedAnchor => (
                format!("{links} to the anchor `#{name}` of several pages, and no page has such a heading"),
                "if a template adds it, Stepkin can't check it".to_string(),
            ),
            Cause::Folder if self.is_page(name) => {
                let page = name.trim_end_matches('/');
                let message = format!("{links} to `{page}`, which this repository doesn't publish");
                (message, format!("if another program publishes this, {}", settled(page)))
            }
            Cause::Unproven => (
                format!("{links} to {addresses} in `{name}`, where no link from the root leads to a page"),
                format!("if the URLs follow a rule of their own, {}", settled(name)),
            ),
            Cause::Folder | Cause::Outside => (
                format!("{links} to {addresses} in `{name}`, where this repository publishes nothing"),
                format!(
                    "if another program publishes this, {}; if a folder of this repository does, add it under `[source]`",
                    settled(name)
                ),
            ),
        };
        let problem = Problem::new(Code::OpenRegion, first.problem.span.clone(), message).help(help);
        let problem = problem.data(REGION, name.as_str()).data("links", self.links);
        Some(Diagnostic::new(problem.data("addresses", self.paths.len()).into(), &first.file))
    }
}

/// The data of findings about a region: its name.
pub(in crate::check) const REGION: &str = "region";

/// Lists folders in a sentence: `` `/a/` and `/b/` ``.
pub(super) fn in_words(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    list(&quoted)
}

/// Describes how to settle a region, as the end of a sentence. For a file outside folders, describes it for the file.
pub(super) fn settled(name: &str) -> String {
    all_settled(&[name.to_string()])
}

pub(super) fn all_settled(names: &[String]) -> String {
    let line = |name: &String| if name.ends_with('/') { format!("{name}*") } else { name.clone() };
    let lines: Vec<String> = names.iter().map(line).collect();
    let word = if lines.len() == 1 { "line" } else { "lines" };
    format!(
        "add the {word} {} to a file, and name it in stepkin.toml: `check.routes = \"routes.txt\"`",
        in_words(&lines)
    )
}

pub(super) fn count(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}
