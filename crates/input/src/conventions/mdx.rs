//! Sites of MDX pages: Next, Gatsby, Mintlify, Fumadocs, Nextra, and custom builds.
//!
//! They have much in common: the pages are in one folder, addresses follow file paths, and navigation is data.
//! Therefore the folder is found by the locations of pages, and the configuration of a framework only adds its own
//! settings. <https://nextjs.org/docs/app/building-your-application/routing>,
//! <https://www.mintlify.com/docs/organize/navigation>, <https://fumadocs.dev/docs/page-conventions>.

use std::sync::Arc;

use super::tree::is_group;
use super::values::{JsValues, base_url, folder, look_through};
use super::vocabulary::{KnownNames, Vocabulary};
use super::{
    ABOUT, AnchorRule, Convention, FileTree, Generator, HtmlInMdx, Kind, Meaning, PublishedFolder,
    Repository, Slugs, Syntax, SyntaxRule, USUAL, Underscored, are_nearly_all,
};
use base::items::only;
use base::site_path::{self, is_inside};
use base::sort::StableSort as _;

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Mdx,
    name: "a site of MDX pages",
    endings: &["mdx", "md"],
    indices: &["index", "readme", "_index"],
    slugs: Slugs::Path,
    links_to_sources: true,
    links_from_root: true,
    keys: &[
        ("sidebar_position", Meaning::Order),
        ("weight", Meaning::Order),
        ("nav_order", Meaning::Order),
        ("id", Meaning::Id),
    ],
    no_pages: ABOUT,
    folder_files: &["meta.json", "_meta.json"],
    syntax: &[Syntax::Mdx],
    anchors: AnchorRule::Any,
    needs_titles: false,
    has_toml: true,
    read,
    underscored: Underscored::Published,
    generator: Generator::Unknown,
    rules: &[SyntaxRule::Tasks, SyntaxRule::HeadingsWithoutBraces],
    ..USUAL
};

/// Names of frameworks' configuration files, without extensions of programs.
const FRAMEWORKS: &[&str] = &[
    "next.config",
    "gatsby-config",
    "source.config",
    "astro.config",
    "nuxt.config",
    "svelte.config",
    ".eleventy",
    "eleventy.config",
];

const ENDINGS: &[&str] = &["js", "mjs", "ts", "mts", "cjs", "cts"];

/// Mintlify's configuration files. The second is the old name.
const MINTLIFY: &[&str] = &["docs.json", "mint.json"];

/// Components that Mintlify's pages need not import: <https://www.mintlify.com/docs/components>.
#[rustfmt::skip]
const OF_MINTLIFY: &[&str] = &[
    "Accordion", "AccordionGroup", "Badge", "Banner", "Callout", "Card", "CardGroup", "Cards", "Check", "CodeBlock",
    "CodeGroup", "Color", "Column", "Columns", "Danger", "Expandable", "Frame", "Fragment", "Heading", "Icon", "Info",
    "Latex", "Link", "Mermaid", "Note", "Panel", "Param", "ParamField", "Prompt", "React", "RequestExample",
    "ResponseExample", "ResponseField", "Snippet", "Step", "Steps", "Tab", "Tabs", "Tile", "Tiles", "Tip", "Tooltip",
    "Tree", "Update", "Video", "View", "Visibility", "Warning",
];

/// Router folders, whose files are published at their paths.
const ROUTERS: &[&str] = &["src/pages", "pages", "src/app", "app"];

/// Other common folders of pages.
const PLACES: &[&str] = &[
    "src/content/docs",
    "content/docs",
    "src/content",
    "content",
    "src/docs",
    "docs",
    "doc",
    "documentation",
];

/// Minimum number of MDX files that can't be a coincidence.
const ENOUGH: usize = 5;

/// Returns the base path from the configuration of a framework.
pub(super) fn base_of(config: &JsValues) -> Option<String> {
    ["basePath", "pathPrefix", "base", "baseURL"]
        .iter()
        .find_map(|key| config.value(key))
        .filter(|base| base.starts_with('/'))
}

/// Returns the folders of files that frameworks publish unchanged.
pub(super) fn statics(tree: &dyn FileTree) -> Vec<PublishedFolder> {
    ["public", "static"]
        .into_iter()
        .filter(|name| tree.is_folder(name))
        .map(PublishedFolder::at_root)
        .collect()
}

/// Returns the configuration of a framework: its name and its text.
pub(super) fn framework(tree: &dyn FileTree) -> Option<(&'static str, String)> {
    FRAMEWORKS.iter().find_map(|name| {
        let text = ENDINGS.iter().find_map(|ending| tree.text(&format!("{name}.{ending}")))?;
        Some((*name, text))
    })
}

/// Returns the Mintlify file that lists the pages.
fn mintlify(tree: &dyn FileTree) -> Option<&'static str> {
    let lists = |text: String| text.contains("\"navigation\"");
    MINTLIFY.iter().copied().find(|name| tree.text(name).is_some_and(lists))
}

/// Whether a tree contains the configuration of a framework, whatever its pages are.
pub(super) fn is_configured(tree: &dyn FileTree) -> bool {
    framework(tree).is_some() || mintlify(tree).is_some()
}

/// Reads a tree that is an MDX site because of its configuration, or because of MDX pages in `content`.
fn read(tree: &dyn FileTree) -> Option<Repository> {
    let is_said = is_configured(tree);
    let has_pages = || {
        tree.is_folder("content")
            && tree.text("stepkin.toml").is_none()
            && tree.pages("content", "mdx").len() >= ENOUGH
    };
    if !is_said && !has_pages() {
        return None;
    }
    let mut pages = tree.pages("", "mdx");
    if mintlify(tree).is_some() {
        pages.extend(tree.pages("", "md"));
    }
    (!pages.is_empty()).then(|| mdx_settings(tree, &pages))
}

/// Reads a tree that is an MDX site because of its pages alone: many MDX pages, or no others.
pub(super) fn read_by_pages(tree: &dyn FileTree) -> Option<Repository> {
    let pages = tree.pages("", "mdx");
    let is_one = match pages.len() {
        0 => false,
        few if few < ENOUGH => {
            tree.pages("", "md").iter().all(|page| CONVENTION.no_pages.contains(&page.as_str()))
        }
        _ => true,
    };
    is_one.then(|| mdx_settings(tree, &pages))
}

fn mdx_settings(tree: &dyn FileTree, pages: &[String]) -> Repository {
    let framework = framework(tree);
    let config = framework.as_ref().map(|(_, text)| JsValues::of(text));
    let list = mintlify(tree);
    let path = match list {
        Some(_) => "",
        None => place_of(pages, framework.is_some()),
    };
    let at = if ROUTERS.contains(&path) { String::new() } else { base_of_pages(tree).unwrap_or_default() };
    let base = config.as_ref().and_then(base_of);
    // A custom build usually publishes pages and files at the name of their folder.
    let is_own = framework.is_none() && list.is_none() && at.is_empty();
    let base = base.or_else(|| (is_own && path.rsplit('/').next() == Some("docs")).then(|| "docs".into()));
    let content = PublishedFolder { path: path.to_string(), at };
    for folder in ["src/components", "components"] {
        look_through(tree, folder);
    }
    let lists = if list.is_some() { Vec::new() } else { lists_of_pages(tree, path, pages) };
    let mut lists = lists.into_iter();
    Repository {
        vocabulary: Arc::new(Vocabulary {
            components: list.map(|_| KnownNames::of(OF_MINTLIFY, &[])),
            ..Vocabulary::default()
        }),
        html_in_mdx: html_in_mdx(framework.as_ref().map(|(name, _)| *name), list.is_some()),
        statics: statics(tree),
        is_numbered: framework.is_none() && list.is_none() && is_of_docusaurus(tree, pages),
        base_url: base.map(|base| base_url(config.as_ref().and_then(|it| it.value("siteUrl")), &base)),
        configuration: list.map(str::to_string),
        navigation: list.map(str::to_string).or_else(|| lists.next()),
        more_lists: lists.collect(),
        routes: routes(tree, &content.at),
        content,
        ..Repository::of_kind(&CONVENTION)
    }
}

/// Returns the HTML that pages may contain: Mintlify, Next, Fumadocs and Astro use MDX 2 or 3. What another build does before is
/// unknown.
fn html_in_mdx(framework: Option<&str>, is_of_mintlify: bool) -> HtmlInMdx {
    match framework {
        Some("next.config" | "source.config" | "astro.config") => HtmlInMdx::None,
        None if is_of_mintlify => HtmlInMdx::None,
        _ => HtmlInMdx::Unknown,
    }
}

/// Whether the pages are content for a Docusaurus site in another repository: they import modules that only it defines.
fn is_of_docusaurus(tree: &dyn FileTree, pages: &[String]) -> bool {
    /// Maximum number of pages to read.
    const MOST: usize = 50;
    let is_import = |line: &str| {
        line.starts_with("import ")
            && ["@theme/", "@site/", "@docusaurus/"].iter().any(|name| line.contains(name))
    };
    let has_import = |page: &String| tree.peek(page).is_some_and(|text| text.lines().any(is_import));
    tree.text("package.json").is_some_and(|text| text.contains("\"@docusaurus/"))
        || pages.iter().take(MOST).any(has_import)
}

/// Returns the folder with most of the pages: a common folder of frameworks or teams if it contains a third of all
/// pages, or else the innermost folder that contains all.
fn place_of(pages: &[String], has_framework: bool) -> &str {
    let count = |folder: &str| pages.iter().filter(|page| is_inside(page, folder)).count();
    // Without a framework, nothing turns folders into routes, and `pages` is a normal name.
    let places = ROUTERS.iter().filter(|_| has_framework).chain(PLACES);
    let best = places.map(|place| (count(place), *place)).filter(|(count, _)| 3 * count >= pages.len());
    // If several contain as many, the first counts, which is the deepest.
    let best = best.fold(None, |best: Option<(usize, &str)>, next| match best {
        Some(best) if best.0 >= next.0 => Some(best),
        _ => Some(next),
    });
    best.map_or_else(|| common_folder(pages), |(_, place)| place)
}

/// Returns the folder that contains all pages, if it is directly in the root. A deeper one is a section of it.
fn common_folder(pages: &[String]) -> &str {
    let first = pages.first().and_then(|page| page.split_once('/')).map_or("", |(folder, _)| folder);
    if pages.iter().all(|page| is_inside(page, first)) && is_container(first) { first } else { "" }
}

/// Whether the name of a folder means that it contains pages, rather than the topic of these pages.
fn is_container(name: &str) -> bool {
    matches!(
        name,
        "mdx"
            | "markdown"
            | "pages"
            | "posts"
            | "articles"
            | "src"
            | "site"
            | "website"
            | "www"
            | "web-docs"
            | "data"
    )
}

/// Returns the path where Fumadocs publishes its pages: `loader({ baseUrl: '/docs' })`.
fn base_of_pages(tree: &dyn FileTree) -> Option<String> {
    let files =
        ["lib/source.ts", "src/lib/source.ts", "app/source.ts", "lib/source.tsx", "src/lib/source.tsx"];
    let text = files.iter().find_map(|name| tree.text(name))?;
    let written = JsValues::of(&text).value("baseUrl").map(|base| folder(&base));
    written.or_else(|| route_of_pages(tree))
}

/// Returns the address of the only page that serves everything below it, such as `docs` for `app/docs/[[...slug]]/page.tsx`.
fn route_of_pages(tree: &dyn FileTree) -> Option<String> {
    let of_router = |router: &&str| tree.files(router).into_iter();
    let open = |file: String| {
        let (before, rest) = file.split_once("[...")?;
        let is_page = site_path::file_name(rest).starts_with("page.");
        let segments = before.trim_end_matches('[').split('/').filter(|it| !it.is_empty() && !is_group(it));
        is_page.then(|| segments.collect::<Vec<_>>().join("/"))
    };
    let found = ROUTERS.iter().flat_map(of_router).filter_map(open);
    only(found).filter(|route| !route.is_empty())
}

/// Returns the data files that list pages in order, those with most pages first. They are next to the pages or above them, and nine of
/// ten of their texts that look like paths are pages.
pub(super) fn lists_of_pages(tree: &dyn FileTree, content: &str, pages: &[String]) -> Vec<String> {
    /// A folder of pages may contain many data files.
    const MOST: usize = 40;
    let below = |page: &String| match content {
        "" => Some(page.clone()),
        folder => Some(page.strip_prefix(folder)?.strip_prefix('/')?.to_string()),
    };
    let stem = |page: String| page.rsplit_once('.').map_or(page.clone(), |(stem, _)| stem.to_string());
    let bare = |stem: String| stem.strip_suffix("/index").map_or(stem.clone(), str::to_string);
    let known: base::sorted::SortedSet<String> =
        pages.iter().filter_map(below).map(|page| bare(stem(page))).collect();
    let is_page = |named: &str| {
        let named = named.trim_matches('/');
        let named = named.split_once('.').map_or(named, |(stem, _)| stem);
        let mut ends = named.match_indices('/').map(|(at, _)| &named[at + 1..]);
        known.contains(named) || ends.any(|end| known.contains(end))
    };
    let folders = if content.is_empty() { vec![""] } else { vec![content, ""] };
    let files = folders.into_iter().flat_map(|folder| {
        let files =
            tree.names(folder).into_iter().filter(|name| name.ends_with(".json") && !is_of_tools(name));
        files.take(MOST).map(move |name| if folder.is_empty() { name } else { format!("{folder}/{name}") })
    });
    let listed_in = |file: &String| {
        let named = super::list_of(Kind::Mdx, file, &tree.text(file)?).pages;
        let paths = named.iter().filter(|path| path.contains('/') || is_page(path)).count();
        let listed = named.iter().filter(|path| is_page(path)).count();
        (listed >= ENOUGH && are_nearly_all(listed, paths)).then_some(listed)
    };
    let mut lists: Vec<(usize, String)> =
        files.filter_map(|file| listed_in(&file).map(|listed| (listed, file))).collect();
    lists.stable_sort_by_key(|(listed, _)| std::cmp::Reverse(*listed));
    lists.into_iter().map(|(_, file)| file).collect()
}

/// Files of package managers and compilers, which may be large and don't list pages.
fn is_of_tools(name: &str) -> bool {
    matches!(
        name,
        "package.json" | "package-lock.json" | "tsconfig.json" | "meta.json" | "_meta.json" | "vercel.json"
    )
}

/// Returns the addresses of pages that are programs, except for the route that renders the pages themselves.
fn routes(tree: &dyn FileTree, at: &str) -> Vec<String> {
    let mut routes = Vec::new();
    for router in ROUTERS {
        for file in tree.files(router) {
            let Some((stem, ending)) = file.rsplit_once('.') else { continue };
            let name = site_path::file_name(stem);
            let is_of_app = router.ends_with("app");
            let is_page = if is_of_app { matches!(name, "page" | "route") } else { !name.starts_with('_') };
            if !matches!(ending, "js" | "jsx" | "ts" | "tsx") || !is_page {
                continue;
            }
            let stem = if is_of_app { stem.strip_suffix(name).unwrap_or(stem) } else { stem };
            routes.extend(route(stem, at));
        }
    }
    routes.stable_sort();
    routes.dedup();
    routes
}

/// Returns the address of a route: `/a/*` for `a/[slug]/b`, `/a` for `(group)/a/index`. Returns `None` if it serves
/// everything around `at`.
fn route(path: &str, at: &str) -> Option<String> {
    let mut address = String::new();
    for segment in path.split('/').filter(|segment| !segment.is_empty() && !is_group(segment)) {
        if segment.starts_with(['[', '{']) {
            let at = format!("/{at}");
            return (!at.starts_with(&address)).then(|| format!("{address}/*"));
        }
        address.push('/');
        address.push_str(segment);
    }
    let address = address.strip_suffix("/index").unwrap_or(&address);
    Some(if address.is_empty() { "/".into() } else { address.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_of_programs_are_addresses() {
        for (path, at, expected) in [
            ("index", "", Some("/")),
            ("about", "", Some("/about")),
            ("blog/[slug]", "docs", Some("/blog/*")),
            ("blog/{Post.slug}", "docs", Some("/blog/*")),
            ("(shop)/cart/", "", Some("/cart")),
            ("docs/[[...slug]]/", "docs", None),
            ("[...slug]", "", None),
            ("[...slug]", "docs", None),
        ] {
            assert_eq!(route(path, at).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn pages_are_where_most_are() {
        let check = |pages: &[&str], has_framework, expected: &str| {
            let pages: Vec<String> = pages.iter().map(ToString::to_string).collect();
            assert_eq!(place_of(&pages, has_framework), expected, "{pages:?}");
        };
        check(&["src/pages/a.mdx", "src/pages/b/c.mdx", "README.mdx"], true, "src/pages");
        check(&["content/docs/a.mdx", "content/docs/b.mdx", "content/blog/a.mdx"], true, "content");
        check(&["content/docs/a.mdx", "content/docs/b.mdx"], true, "content/docs");
        check(&["docs/a.mdx", "docs/b.mdx", "generated/a.mdx", "generated/b.mdx"], false, "docs");
        check(&["pages/a.mdx", "guides/b.mdx", "api/c.mdx"], false, "");
        check(&["guides/a.mdx", "guides/b.mdx"], false, "");
    }
}
