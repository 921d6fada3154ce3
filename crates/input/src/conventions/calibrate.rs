//! Finds the base path of a site from the links on its pages, if no configuration sets it.
//!
//! In a published site, nearly all links work. A root-relative link such as `/guide/install` and a page with the same
//! ending, such as `src/pages/guide/install.mdx`, are a vote for the folder before it, `src/pages`. The part of the
//! link that isn't in the path, such as `docs` in `/docs/guide/install`, is the base path. A folder is chosen if nine
//! of ten links vote for it and there are enough links. Folders of static files are found in the same way. If more links
//! work without the numbers of file names, as in `01-guide/02-install.mdx`, the site removes them. The rule of heading IDs is
//! chosen by the links to headings that only some rules explain. Paths without a slash begin at the root if nine of ten of them exist
//! there, and not next to the page. If nearly all elements such as `<br />` are closed, a compiler of MDX reads the pages.

use std::borrow::Cow;

use super::proof::{Overrides, Proof, are_exceptions, are_nearly_all};
use super::repository::Repository;
use super::targets::inline_targets;
use super::tree::{FileTree, Subtree, is_group};
use super::values::base_url;
use super::{AnchorRule, Generator, HtmlInMdx, Kind, PublishedFolder, mdx, without_number};
use base::fences::text_lines;
use base::items::only;
use base::site_path;
use base::sorted::{SortedMap, SortedSet};

/// Minimum number of distinct links that prove a root. Fewer may match by coincidence.
const FEWEST: usize = 10;
const FEWEST_TARGETS: usize = 5;

/// The same minimum for a folder of static files.
const FEWEST_FILES: usize = 4;

/// Maximum number of pages whose links are read. They are evenly distributed.
const MOST_PAGES: usize = 400;

/// Maximum depth of a root folder and of a base path.
const DEEPEST: usize = 4;
const LONGEST_BASE: usize = 2;

/// A folder of files, and the path that precedes their links.
type Root = (String, String);

/// Number of links by target. Targets are root-relative, without a slash at either end.
type Links = SortedMap<String, usize>;

/// Corrects the root of the pages, the base path and the folders of static files by the links on the pages, unless
/// `overrides` sets them.
pub(super) fn calibrate(tree: &dyn FileTree, repository: &mut Repository, overrides: &Overrides) {
    let is_guessed = repository.convention.generator != Generator::Known;
    let has_statics = repository.statics.iter().any(|folder| tree.is_folder(&folder.path));
    let wants_statics =
        overrides.statics.is_none() && (is_guessed || !has_statics && !repository.statics.is_empty());
    let compiled = compiled_html(repository.convention.kind);
    let wants_html = repository.html_in_mdx == HtmlInMdx::Unknown && compiled != HtmlInMdx::Unknown;
    if !is_guessed && !wants_statics && !wants_html {
        return;
    }
    let files = tree.all();
    let (pages, files): (Vec<String>, Vec<String>) = files.into_iter().partition(|file| is_page(file));
    let Written { to_pages, to_files, headings, relative, elements } =
        Written::of(tree, repository, &pages, wants_html);
    if wants_html && elements.are_closed() {
        repository.html_in_mdx = compiled;
    }
    if repository.anchors == AnchorRule::Any {
        repository.anchors = headings.rule();
    }
    if is_guessed {
        choose_root(tree, repository, overrides, &pages, &to_pages);
        repository.links_from_root |= are_from_root(&repository.content.path, &pages, &relative);
    }
    if wants_statics {
        add_statics(repository, &files, &to_files);
    }
}

/// Returns the HTML that pages of a kind may contain if MDX 2 or 3 compiles them.
fn compiled_html(kind: Kind) -> HtmlInMdx {
    match kind {
        Kind::Docusaurus => HtmlInMdx::Comments,
        Kind::Mdx => HtmlInMdx::None,
        _ => HtmlInMdx::Unknown,
    }
}

/// Whether nine of ten relative links to pages work from the root of the pages only.
fn are_from_root(content: &str, pages: &[String], links: &[(String, String)]) -> bool {
    let has = |folder: &str, path: &str| pages.binary_search(&site_path::join(folder, path)).is_ok();
    let is_telling = |(folder, _): &&(String, String)| folder != content;
    let telling =
        links.iter().filter(is_telling).map(|(folder, path)| (has(folder, path), has(content, path)));
    let (mut from_root, mut others) = (0, 0);
    for (is_beside, is_in_root) in telling {
        from_root += usize::from(is_in_root && !is_beside);
        others += usize::from(is_beside);
    }
    from_root >= FEWEST && are_nearly_all(from_root, from_root + others)
}

fn is_page(file: &str) -> bool {
    file.ends_with(".md") || file.ends_with(".mdx")
}

/// Links and headings of the pages of a site.
#[derive(Default)]
struct Written {
    /// Root-relative links to pages.
    to_pages: Links,
    /// Root-relative links to files.
    to_files: Links,
    headings: LinkedHeadings,
    /// The folders of pages, and the paths of other pages that they link to, without a sign at the start.
    relative: Vec<(String, String)>,
    elements: VoidElements,
}

impl Written {
    fn of(tree: &dyn FileTree, repository: &Repository, pages: &[String], wants_html: bool) -> Self {
        let of_site: Vec<&String> = pages
            .iter()
            .filter(|page| repository.is_page(page) && repository.original_of(page).is_none())
            .collect();
        let interval = of_site.len().div_ceil(MOST_PAGES).max(1);
        let mut written = Self::default();
        for page in of_site.into_iter().step_by(interval) {
            let text = tree.peek(page).unwrap_or_default();
            for line in text_lines(&text).map(|(_, line)| line.trim_end()) {
                for target in targets(line) {
                    let name = site_path::file_name(target);
                    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
                    let is_file = !stem.is_empty()
                        && !matches!(ending, "" | "html" | "md" | "mdx")
                        && !ending.contains(|c: char| c.is_ascii_digit());
                    let links = if is_file { &mut written.to_files } else { &mut written.to_pages };
                    *links.entry(target.to_string()).or_default() += 1;
                }
                if repository.anchors == AnchorRule::Any {
                    written.headings.read(page, line);
                }
                if wants_html && repository.is_mdx(&page.as_str().into()) {
                    written.elements.read(line);
                }
                if repository.links_from_root {
                    continue;
                }
                let paths = inline_targets(line).filter_map(|target| target.split('#').next());
                let plain = paths
                    .filter(|path| is_page(path) && !path.starts_with(['.', '/']) && !path.contains(':'));
                let folder = site_path::parent(page);
                written.relative.extend(plain.map(|path| (folder.to_string(), path.to_string())));
            }
        }
        written
    }
}

/// Number of elements without content in MDX, such as `<br />` and `<br>`. MDX 2 and 3 stop at the second form.
#[derive(Default)]
struct VoidElements {
    closed: usize,
    open: usize,
}

impl VoidElements {
    fn read(&mut self, line: &str) {
        for at in memchr::memchr_iter(b'<', line.as_bytes()) {
            let (before, rest) = (&line[..at], &line[at + 1..]);
            let name = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
            let is_code = before.bytes().filter(|byte| *byte == b'`').count() % 2 == 1;
            if !matches!(name, "br" | "hr" | "img" | "wbr") || is_code {
                continue;
            }
            match rest.find('>') {
                Some(end) if rest[..end].ends_with('/') => self.closed += 1,
                Some(_) => self.open += 1,
                None => {}
            }
        }
    }

    fn are_closed(&self) -> bool {
        self.closed >= FEWEST_TARGETS && are_exceptions(self.open, self.closed)
    }
}

/// The headings of pages, and the links to them.
#[derive(Default)]
struct LinkedHeadings {
    /// For each page, the IDs of its headings by each rule.
    ids: SortedMap<String, SortedMap<String, u32>>,
    /// Pages and fragments. Some pages are written from the root of the site, with a slash.
    links: SortedSet<(String, String)>,
}

impl LinkedHeadings {
    fn read(&mut self, page: &str, line: &str) {
        let text = line.trim_start_matches('#');
        if (1..=6).contains(&(line.len() - text.len())) && text.starts_with(' ') {
            let heading: String =
                text.trim().trim_end_matches('#').chars().filter(|c| !matches!(c, '`' | '*')).collect();
            // Links and elements are parts of some IDs.
            if !heading.contains(['[', '<', '{']) {
                let ids = self.ids.entry(page.to_string()).or_default();
                for (at, rule) in AnchorRule::Any.rules().iter().enumerate() {
                    *ids.entry(rule.id(heading.trim_end())).or_default() |= 1 << at;
                }
            }
            return;
        }
        for target in inline_targets(line) {
            let Some((path, fragment)) = target.split_once('#').filter(|(_, fragment)| !fragment.is_empty())
            else {
                continue;
            };
            // The address of a page in the same folder.
            let address = path.strip_suffix(".html").filter(|path| !path.starts_with('/'));
            let path = &*address.map_or(Cow::Borrowed(path), |stem| format!("{stem}.md").into());
            let is_page = path.is_empty() || (path.starts_with('/') || is_page(path)) && !path.contains(':');
            let to = if path.is_empty() {
                Some(page.to_string())
            } else if path.starts_with('/') {
                Some(path.trim_end_matches('/').to_string())
            } else {
                site_path::below_root(&site_path::join(site_path::parent(page), path))
            };
            self.links.extend(to.filter(|_| is_page).map(|to| (to, fragment.to_string())));
        }
    }

    /// Returns the rule by which nine of ten links work, of those that work by some rules only.
    fn rule(&self) -> AnchorRule {
        let rules = AnchorRule::Any.rules();
        let all = (1 << rules.len()) - 1;
        let pages = PagesByName::of(self.ids.keys());
        let by = |(page, fragment): &(String, String)| {
            let page = page.strip_prefix('/').map_or(Some(page.as_str()), |path| pages.find(path))?;
            self.ids.get(page)?.get(fragment).copied()
        };
        let telling: Vec<u32> = self.links.iter().filter_map(by).filter(|by| *by != all).collect();
        let count = |at: usize| telling.iter().filter(|by| **by & (1 << at) != 0).count();
        let best = (0..rules.len()).rev().max_by_key(|at| count(*at)).unwrap_or_default();
        let is_proven = telling.len() >= FEWEST_TARGETS && are_nearly_all(count(best), telling.len());
        // A program's own rule may be like one for most headings, and like another one for the rest.
        let rest = || telling.iter().filter(|by| **by & (1 << best) == 0);
        let is_mixed =
            (0..rules.len()).any(|at| rest().filter(|by| **by & (1 << at) != 0).count() >= FEWEST_TARGETS);
        if is_proven && !is_mixed { rules[best] } else { AnchorRule::Any }
    }
}

/// Pages by the last segment of their paths, without endings.
struct PagesByName<'p>(SortedMap<&'p str, Vec<&'p str>>);

impl<'p> PagesByName<'p> {
    fn of(pages: impl Iterator<Item = &'p String>) -> Self {
        let mut by_name: SortedMap<&str, Vec<&str>> = SortedMap::new();
        for page in pages {
            by_name.entry(site_path::file_name(stem(page))).or_default().push(page);
        }
        Self(by_name)
    }

    /// Returns the page whose path ends with a link from the root. Its first segments may be the base path.
    fn find(&self, link: &str) -> Option<&'p str> {
        let link = if is_page(link) { stem(link) } else { link };
        let named = self.0.get(site_path::file_name(link))?;
        let starts = std::iter::once(0).chain(link.match_indices('/').map(|(at, _)| at + 1));
        starts.take(LONGEST_BASE + 1).find_map(|start| {
            let is_it = |page: &&&str| {
                stem(page)
                    .strip_suffix(&link[start..])
                    .is_some_and(|before| before.is_empty() || before.ends_with('/'))
            };
            let found = named.iter().filter(is_it);
            only(found).copied()
        })
    }
}

/// Returns a path without its ending.
fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// Returns the root-relative paths in the links, images and attributes of a line.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    memchr::memchr_iter(b'/', line.as_bytes()).filter_map(move |at| target_at(line, at))
}

/// Returns the target that begins with this slash if it belongs to a link, an image, a definition or an attribute.
fn target_at(line: &str, slash: usize) -> Option<&str> {
    let before = &line[..slash];
    let is_target = before.ends_with("](")
        || before.ends_with("]: ")
        || before.strip_suffix(['"', '\'']).is_some_and(|it| it.trim_end_matches('{').ends_with('='));
    let rest = &line[slash + 1..];
    let end = rest.find([')', '"', '\'', ' ', '>', '#', '?']).unwrap_or(rest.len());
    let path = rest[..end].trim_matches('/');
    let is_plain =
        !path.is_empty() && !rest.starts_with('/') && !path.contains(['{', '$', '%', ':', '*', '\\', '<']);
    (is_target && is_plain).then_some(path)
}

/// Returns the segments of a page's address in its root, as far as its path shows them.
fn parts<'p>(repository: &Repository, path: &'p str, is_numbered: bool) -> Vec<&'p str> {
    let parts = stem(path).split('/').filter(|part| repository.kind() != Kind::Mdx || !is_group(part));
    let mut parts: Vec<&str> =
        parts.map(|part| if is_numbered { without_number(part).1 } else { part }).collect();
    let name = parts.last().map(|name| name.to_lowercase()).unwrap_or_default();
    if repository.convention.indices.contains(&name.as_str()) || name == "page" && path.contains("app/") {
        parts.pop();
    }
    parts
}

/// The links that vote for each root.
#[derive(Default)]
struct Votes(SortedMap<Root, SortedSet<String>>);

impl Votes {
    /// Counts a vote of each link for the folder before each path that ends like the link.
    fn of<'p>(links: &Links, paths: impl Iterator<Item = Vec<&'p str>>) -> Self {
        let mut by_name: SortedMap<&str, Vec<Vec<&str>>> = SortedMap::new();
        for path in paths {
            if let Some(name) = path.last().copied() {
                by_name.entry(name).or_default().push(path);
            }
        }
        let mut votes = Self::default();
        for link in links.keys() {
            let without_ending =
                ["html", "md", "mdx"].iter().find_map(|it| link.strip_suffix(it)?.strip_suffix('.'));
            let wanted: Vec<&str> = without_ending.unwrap_or(link).split('/').collect();
            let name = wanted.last().copied().unwrap_or_default();
            for path in by_name.get(name).into_iter().flatten() {
                let shared = wanted
                    .iter()
                    .rev()
                    .zip(path.iter().rev())
                    .take_while(|(one, other)| one == other)
                    .count();
                let (root, base) = (&path[..path.len() - shared], &wanted[..wanted.len() - shared]);
                if root.len() <= DEEPEST && base.len() <= LONGEST_BASE {
                    votes.0.entry((root.join("/"), base.join("/"))).or_default().insert(link.clone());
                }
            }
        }
        votes
    }

    fn count(links: &Links, targets: &SortedSet<String>) -> usize {
        targets.iter().filter_map(|target| links.get(target)).sum()
    }

    /// Returns the root with the most votes. If several have as many, the one with the shortest paths is returned.
    fn best(&self, links: &Links) -> Option<(&Root, &SortedSet<String>)> {
        self.0.iter().max_by_key(|(root, targets)| {
            (Self::count(links, targets), std::cmp::Reverse(root.0.len() + root.1.len()))
        })
    }

    /// Returns how many links vote for a root, out of those that vote for any.
    fn proof(&self, links: &Links, targets: &SortedSet<String>) -> Proof {
        let all: SortedSet<&String> = self.0.values().flatten().collect();
        Proof {
            links: Self::count(links, targets),
            all: all.into_iter().filter_map(|target| links.get(target)).sum(),
        }
    }
}

fn choose_root(
    tree: &dyn FileTree,
    repository: &mut Repository,
    overrides: &Overrides,
    pages: &[String],
    links: &Links,
) {
    let of_pages =
        |is_numbered| Votes::of(links, pages.iter().map(|page| parts(repository, page, is_numbered)));
    let mut votes = of_pages(repository.is_numbered);
    let has_numbers = |page: &String| page.split('/').any(|part| without_number(part).0.is_some());
    if !repository.is_numbered && pages.iter().any(has_numbers) {
        let count = |votes: &Votes| votes.best(links).map_or(0, |(_, targets)| Votes::count(links, targets));
        let without = of_pages(true);
        if count(&without) > count(&votes).max(FEWEST - 1) {
            repository.is_numbered = true;
            votes = without;
        }
    }
    let Some(((root, base), targets)) = votes.best(links) else { return };
    let proof = votes.proof(links, targets);
    if proof.links < FEWEST
        || targets.len() < FEWEST_TARGETS
        || !proof.is_enough()
        || !repository.sets.is_empty()
    {
        return;
    }
    let content = repository.content.clone();
    let is_in = |page: &&String, folder: &str| folder.is_empty() || site_path::is_inside(page, folder);
    let count = |folder: &str| pages.iter().filter(|page| is_in(page, folder)).count();
    // The part of the root that is in the folder of pages precedes every address.
    let below_root =
        if root.is_empty() { Some(content.path.as_str()) } else { content.path.strip_prefix(root.as_str()) };
    let below_root = below_root.filter(|rest| root.is_empty() || rest.is_empty() || rest.starts_with('/'));
    let (path, base) = match below_root {
        Some(rest) => {
            let rest = rest.trim_matches('/');
            let in_content = targets.iter().filter(|target| rest.is_empty() || is_below(target, base, rest));
            let is_all = are_nearly_all(in_content.count(), targets.len());
            if is_all || overrides.content.is_some() {
                (content.path.clone(), [base.as_str(), rest].join("/"))
            } else {
                (root.clone(), base.clone())
            }
        }
        None if overrides.content.is_none() && 2 * count(root) >= count(&content.path) => {
            (root.clone(), base.clone())
        }
        None => return,
    };
    let base = base.trim_matches('/').to_string();
    repository.proof = Some(proof);
    if path != content.path {
        repository.content = PublishedFolder::at_root(&path);
        if repository.kind() == Kind::Mdx && repository.navigation.is_some() {
            let mut lists = mdx::lists_of_pages(tree, &path, pages).into_iter();
            repository.navigation = lists.next();
            repository.more_lists = lists.collect();
        }
    }
    let has_framework = mdx::framework(&Subtree { tree, folder: &repository.site }).is_some();
    // The base path may come from a configuration whose framework adds it to links.
    let is_said = overrides.base.is_some() || path == content.path && content.at == base && !base.is_empty();
    let known = repository.base_path();
    let is_guess = known.is_empty() || !has_framework;
    if !is_said && is_guess && known != base {
        let host = repository.base_url.as_deref().and_then(|url| url.split_once("://"));
        let host =
            host.map(|(scheme, rest)| format!("{scheme}://{}", rest.split('/').next().unwrap_or_default()));
        repository.base_url = Some(base_url(host, &base));
    }
}

/// Whether a link is in a folder of addresses.
fn is_below(target: &str, base: &str, folder: &str) -> bool {
    let rest = target.strip_prefix(base).unwrap_or(target).trim_start_matches('/');
    rest == folder || rest.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Adds the most likely folders of static files until nine of ten links point to one of them.
fn add_statics(repository: &mut Repository, files: &[String], links: &Links) {
    /// Sites have one or two.
    const MOST: usize = 3;
    let base = repository.base_path();
    let published = |links: &Links| -> Links {
        let known: SortedSet<String> = files
            .iter()
            .filter_map(|file| Some(repository.published_file(file)?.as_str().trim_matches('/').to_string()))
            .collect();
        let below = |target: &str| target.strip_prefix(&base).unwrap_or(target).trim_matches('/').to_string();
        links
            .iter()
            .filter(|(target, _)| !known.contains(*target) && !known.contains(&below(target)))
            .map(|(target, count)| (target.clone(), *count))
            .collect()
    };
    let mut left = published(links);
    let mut votes = Votes::of(&left, files.iter().map(|file| file.split('/').collect()));
    // A folder around the pages would publish their files as static ones.
    let content = repository.content.path.clone();
    let is_around = |root: &str| root != content && (root.is_empty() || site_path::is_inside(&content, root));
    votes.0.retain(|(root, in_front), _| (in_front.is_empty() || *in_front == base) && !is_around(root));
    let all: SortedSet<String> = votes.0.values().flatten().cloned().collect();
    let all = Votes::count(&left, &all);
    let mut found: Vec<(String, usize)> = Vec::new();
    while found.len() < MOST && !are_nearly_all(found.iter().map(|it| it.1).sum(), all) {
        let Some(((root, _), targets)) =
            votes.best(&left).map(|(root, targets)| (root.clone(), targets.clone()))
        else {
            break;
        };
        let links = Votes::count(&left, &targets);
        if links < FEWEST_FILES || targets.len() < FEWEST_FILES / 2 {
            break;
        }
        left.retain(|target, _| !targets.contains(target));
        found.push((root, links));
    }
    let proof = Proof { links: found.iter().map(|it| it.1).sum(), all };
    if found.is_empty() || !proof.is_enough() {
        return;
    }
    repository.statics.extend(found.into_iter().map(|(root, _)| PublishedFolder::at_root(&root)));
    repository.statics.dedup();
    repository.proof_of_statics = Some(proof);
}
