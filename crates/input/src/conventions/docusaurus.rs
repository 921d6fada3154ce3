//! Docusaurus 2 and 3: <https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs>.

use std::sync::Arc;

use super::tree::within;
use super::values::{JsValues, base_url, folder, language_folders, look_through, without_comments};
use super::vocabulary::{KnownNames, Vocabulary, programs};
use super::{
    BasePath, Convention, FileTree, FolderNames, FormPlace, HtmlInMdx, Kind, LeftOut, Meaning, OpenFolder,
    Patterns, PublishedFolder, Publisher, Repository, Slugs, Syntax, SyntaxRule, USUAL, UnreadForm,
};
use base::glob::{self, Glob};
use base::language::LanguageTag;
use base::site_path;

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Docusaurus,
    name: "a Docusaurus site",
    endings: &["md", "mdx"],
    indices: &["index", "readme"],
    is_index_by_folder: true,
    is_numbered: true,
    slugs: Slugs::Path,
    links_to_sources: true,
    links_from_root: true,
    keys: &[("sidebar_position", Meaning::Order), ("id", Meaning::Id)],
    folder_files: &["_category_.json", "_category_.yml", "_category_.yaml"],
    syntax: &[Syntax::Mdx, Syntax::Directives],
    left_out: LeftOut {
        keys: &["unlisted", "displayed_sidebar", "tags"],
        help: "add `unlisted: true` to its front matter",
    },
    // `useBaseUrl` adds it to URLs that don't begin with it: docusaurus/src/client/exports/useBaseUrl.ts.
    base: BasePath::Added,
    unread_forms: &[
        UnreadForm { noun: "post", plural: "posts", place: FormPlace::InSite("blog") },
        UnreadForm {
            noun: "page of another version",
            plural: "pages of other versions",
            place: FormPlace::InSite("versioned_docs"),
        },
    ],
    falls_back: true,
    publishes_only_pages: true,
    read,
    rules: &[
        SyntaxRule::Tasks,
        SyntaxRule::DirectiveNames,
        SyntaxRule::HighlightComments,
        SyntaxRule::HtmlBase,
        SyntaxRule::StaticPages,
    ],
    ..USUAL
};

const CONFIGS: [&str; 6] = [
    "docusaurus.config.js",
    "docusaurus.config.ts",
    "docusaurus.config.mjs",
    "docusaurus.config.cjs",
    "docusaurus.config.mts",
    "docusaurus.config.cts",
];

const SIDEBARS: &[&str] = &["sidebars.js", "sidebars.ts", "sidebars.json", "sidebars.mjs", "sidebars.cjs"];

fn read(tree: &dyn FileTree) -> Option<Repository> {
    let (name, text) = CONFIGS.iter().find_map(|name| Some((*name, tree.text(name)?)))?;
    // A file for other programs, which only look for its name.
    if without_comments(&text).trim().is_empty() {
        return None;
    }
    let config = JsValues::of(&text);
    // Presets, plugins and the theme each have a `docs` key. The theme's has other keys.
    let keys = ["routeBasePath", "sidebarPath", "path", "editUrl", "remarkPlugins"];
    let docs = config.tables("docs").find(|docs| keys.iter().any(|key| docs.value(key).is_some()));
    let said = |key: &str| docs.as_ref().and_then(|docs| docs.value_outside(key, &["versions"]));
    let first = PublishedFolder {
        path: folder(&said("path").unwrap_or_else(|| "docs".into())),
        at: folder(&said("routeBasePath").unwrap_or_else(|| "docs".into())),
    };
    // The current version may have its own path: `versions: { current: { path: '3.x' } }`.
    let current = config.tables("versions").find_map(|it| it.tables("current").next()?.value("path"));
    let mut versions = Versions::of(tree, &config, &first.at);
    let at = folder(&format!("{}/{}", first.at, current.unwrap_or_default()));
    let first = PublishedFolder { at, ..first };
    // A site may contain only the pages of its versions.
    let is_latest = |it: &mut PublishedFolder| !tree.is_folder(&first.path) && tree.is_folder(&it.path);
    let first = versions.latest.take_if(is_latest).unwrap_or(first);
    let mut sets = sets(tree, &config);
    // If only instances are configured, the plugin has no default instance.
    let is_default_made = docs.is_some() || sets.is_empty();
    match sets.iter_mut().find(|set| set.path == first.path) {
        Some(set) => *set = first.clone(),
        None if is_default_made && tree.is_folder(&first.path) => sets.insert(0, first.clone()),
        None => {}
    }
    let content = match sets.as_slice() {
        [] => first,
        [one] => one.clone(),
        several => PublishedFolder::at_root(&folder_around(several)),
    };
    if sets.len() < 2 {
        sets.clear();
    }
    let mut statics: Vec<PublishedFolder> =
        config.list("staticDirectories").iter().map(|name| PublishedFolder::at_root(&folder(name))).collect();
    if statics.is_empty() {
        statics.push(PublishedFolder::at_root("static"));
    }
    let base = config.value("baseUrl").unwrap_or_else(|| "/".into());
    let base_url = base_url(config.value("url"), &base);
    let navigation = said("sidebarPath").map(|path| folder(&path)).filter(|path| tree.text(path).is_some());
    let navigation = navigation
        .or_else(|| SIDEBARS.iter().find(|name| tree.text(name).is_some()).map(|name| (*name).to_string()));
    if navigation.is_some() {
        look_through(tree, "src");
    }
    tree.is_folder(&content.path).then(|| Repository {
        configuration: Some(name.to_string()),
        folder_names: folder_names(tree, &config.list("locales")),
        translations: language_folders(tree, "i18n", &config.list("locales")),
        statics,
        base_url: Some(base_url),
        title: config.value("title"),
        language: config.value("defaultLocale"),
        navigation,
        excluded: excluded(tree, docs.as_ref(), &content.path),
        openings: versions.openings.into_iter().chain(generated(&config, &text, &content)).collect(),
        content,
        sets,
        routes: routes(tree, &config, &text),
        unread: versions.latest.into_iter().collect(),
        is_programmed: text.contains("createRedirects"),
        has_formulas: text.contains("remark-math"),
        vocabulary: Arc::new(vocabulary(tree, &config, &text)),
        // `format: 'detect'`: <https://docusaurus.io/docs/api/docusaurus-config#markdown>.
        imports_in: if text.contains("detect") { &["mdx"] } else { CONVENTION.endings },
        html_in_mdx: if is_version_3(tree) { HtmlInMdx::Comments } else { HtmlInMdx::Unknown },
        ..Repository::of_kind(&CONVENTION)
    })
}

/// Whether the site uses Docusaurus 3, whose compiler is MDX 3: <https://docusaurus.io/docs/migration/v3>.
fn is_version_3(tree: &dyn FileTree) -> bool {
    let package = tree.text("package.json").map(|text| JsValues::of(&text));
    let version = package.and_then(|package| package.value("@docusaurus/core"));
    version.is_some_and(|it| it.trim_start_matches(['^', '~', '>', '=']).starts_with('3'))
}

/// Returns the names that pages may use, unless the program of the site is incomplete.
fn vocabulary(tree: &dyn FileTree, config: &JsValues, text: &str) -> Vocabulary {
    if text.contains("src/") && !tree.is_folder("src") {
        return Vocabulary::default();
    }
    Vocabulary { components: components(tree, config), blocks: blocks(tree, text) }
}

/// Returns the components that pages may use without importing them:
/// <https://docusaurus.io/docs/markdown-features/react#mdx-component-scope>. Other themes may add some.
fn components(tree: &dyn FileTree, config: &JsValues) -> Option<Arc<KnownNames>> {
    const BUILT_IN: &[&str] = &["Details", "Head"];
    let is_own = |name: &String| name.starts_with("@docusaurus/") || name.contains("search");
    let themes = programs(tree, "src/theme", "MDXComponents");
    // `...MDXComponents` adds those of Docusaurus, and anything else unknown ones.
    let is_listed = themes.iter().all(|text| text.matches("...").count() <= 1);
    let is_known = is_listed && config.list("themes").iter().all(is_own);
    is_known.then(|| KnownNames::of(BUILT_IN, &themes))
}

/// Returns the names after `:::`: <https://docusaurus.io/docs/markdown-features/admonitions>.
fn blocks(tree: &dyn FileTree, config: &str) -> Option<Arc<KnownNames>> {
    const BUILT_IN: &[&str] =
        &["caution", "danger", "important", "info", "note", "secondary", "success", "tip", "warning"];
    let mut programs = programs(tree, "src/theme", "Admonition");
    // `admonitions: { keywords: [...] }`.
    programs.extend(config.contains("admonitions").then(|| config.to_string()));
    let is_extended = config.contains("irective") || config.contains("remark-admonitions");
    (!is_extended).then(|| KnownNames::of(BUILT_IN, &programs))
}

/// A plugin that publishes pages of its own, and their default folder: <https://www.npmjs.com/package/docusaurus-plugin-typedoc-api>.
const PLUGIN_WITH_PAGES: (&str, &str) = ("docusaurus-plugin-typedoc-api", "api");

/// Returns the folders of pages that plugins write, also by `docusaurus-plugin-openapi-docs`:
/// <https://docusaurus-openapi.tryingpan.dev>.
fn generated(config: &JsValues, text: &str, content: &PublishedFolder) -> Vec<OpenFolder> {
    let (plugin, at) = PLUGIN_WITH_PAGES;
    let of_plugin = text.contains(plugin).then(|| OpenFolder::new(at, Publisher::Generator));
    let folders: Vec<String> = config.values("outputDir").map(|path| folder(&path)).collect();
    let below = folders.iter().filter_map(|path| content.below(path));
    let below = below.map(|below| OpenFolder::new(&content.at_address(below), Publisher::Generator));
    of_plugin.into_iter().chain(below).collect()
}

/// Returns the translated labels and descriptions of categories in each language:
/// <https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs#translation-files-location>. Docusaurus doesn't use
/// translated `_category_.json` files: <https://github.com/facebook/docusaurus/issues/8996>.
fn folder_names(tree: &dyn FileTree, languages: &[String]) -> FolderNames {
    let mut all = FolderNames::new();
    for language in languages {
        let Some(tag) = LanguageTag::known(language) else { continue };
        let instances = tree.names(&format!("i18n/{language}")).into_iter();
        for instance in instances.filter(|name| name.starts_with("docusaurus-plugin-content-docs")) {
            let Some(text) = tree.text(&format!("i18n/{language}/{instance}/current.json")) else { continue };
            let messages: serde_json::Map<String, serde_json::Value> =
                serde_json::from_str(&text).unwrap_or_default();
            // The key of a label is `sidebar.NAME.category.LABEL`.
            for (key, value) in &messages {
                let label = key.strip_prefix("sidebar.").and_then(|rest| rest.split_once(".category."));
                let message = value.get("message").and_then(serde_json::Value::as_str);
                if let (Some((_, label)), Some(message)) = (label, message) {
                    let names = all.entry(tag.clone()).or_default();
                    names.entry(label.to_string()).or_insert_with(|| message.to_string());
                }
            }
        }
    }
    all
}

/// Returns the folders of pages of every instance of the plugin, wherever the program creates it: each is a table
/// with the folder and the path of its addresses. Blogs and React pages have the same keys.
fn sets(tree: &dyn FileTree, config: &JsValues) -> Vec<PublishedFolder> {
    let is_other = |before: &str| {
        let before = before.trim_end().trim_end_matches([',', '\'', '"', '`', ':', ' ', '\n']);
        before.ends_with("blog") || before.ends_with("pages")
    };
    let mut sets: Vec<PublishedFolder> = Vec::new();
    for (path, at, before) in config.pairs("path", "routeBasePath") {
        let set = PublishedFolder { path: folder(&path), at: folder(&at) };
        let is_known = sets.iter().any(|other| other.path == set.path);
        if !is_other(before) && !is_known && !path.starts_with("..") && tree.is_folder(&set.path) {
            sets.push(set);
        }
    }
    sets
}

/// Published pages that aren't read: other versions, and lists that the plugin generates.
/// <https://docusaurus.io/docs/versioning>
struct Versions {
    openings: Vec<OpenFolder>,
    /// The folder that is published at the addresses of the current pages, if these aren't the latest version.
    latest: Option<PublishedFolder>,
}

impl Versions {
    fn of(tree: &dyn FileTree, config: &JsValues, at: &str) -> Self {
        let text = tree.text("versions.json").unwrap_or_default();
        let names: Vec<String> = serde_json::from_str(&text).unwrap_or_default();
        let renamed: Vec<String> =
            config.tables("versions").flat_map(|it| it.values("path").collect::<Vec<_>>()).collect();
        let next = if names.is_empty() { None } else { Some("next") };
        // A version with an empty path is published with the pages that are read.
        let folders = names.iter().chain(&renamed).map(String::as_str).chain(next);
        let folders = folders.filter(|name| !folder(name).is_empty());
        let opening = |name: &str, publisher| OpenFolder::new(&format!("{at}/{name}"), publisher);
        let mut openings: Vec<OpenFolder> = folders.map(|name| opening(name, Publisher::Version)).collect();
        openings.extend(["tags", "category"].map(|name| opening(name, Publisher::Generator)));
        let latest = names
            .first()
            .map(|name| PublishedFolder { path: format!("versioned_docs/version-{name}"), at: at.into() });
        Self { openings, latest }
    }
}

/// Returns the innermost folder that contains all folders.
fn folder_around(folders: &[PublishedFolder]) -> String {
    let mut parts: Vec<&str> = folders[0].path.split('/').collect();
    for other in folders {
        let shared = parts.iter().zip(other.path.split('/')).take_while(|(one, other)| *one == other).count();
        parts.truncate(shared);
    }
    parts.join("/")
}

/// Returns patterns of files that aren't pages: those of `exclude`, and all files that `include` doesn't match.
/// Source: <https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs#configuration>.
fn excluded(tree: &dyn FileTree, docs: Option<&JsValues>, content: &str) -> Patterns {
    let patterns = |key: &str| docs.map(|docs| docs.list(key)).unwrap_or_default();
    let excluded = patterns("exclude").into_iter().map(|pattern| within(content, &pattern));
    let included: Vec<Glob> =
        patterns("include").iter().filter_map(|pattern| Glob::new(pattern).ok()).collect();
    let is_included = |file: &String| included.iter().any(|glob| glob.is_match(file));
    let files = if included.is_empty() { Vec::new() } else { tree.files(content) };
    // Patterns that match nothing are computed.
    let is_known = files.iter().any(is_included);
    let others = files.iter().filter(|file| is_known && !is_included(file));
    excluded.chain(others.map(|file| within(content, &glob::escape(file)))).collect()
}

/// Returns the addresses of React pages, the blog, the search, and pages that plugins generate.
fn routes(tree: &dyn FileTree, config: &JsValues, text: &str) -> Vec<String> {
    let by_plugins = config.values("route").filter(|route| route.starts_with('/'));
    let mut routes: Vec<String> = by_plugins.map(|route| format!("/{}/*", folder(&route))).collect();
    for file in tree.files("src/pages") {
        let Some((stem, ending)) = file.rsplit_once('.') else { continue };
        if matches!(ending, "js" | "jsx" | "ts" | "tsx" | "md" | "mdx") {
            routes.push(format!("/{}", stem.strip_suffix("index").unwrap_or(stem).trim_end_matches('/')));
        }
    }
    let blogs: Vec<String> = config.tables("blog").filter_map(|blog| blog.value("routeBasePath")).collect();
    if blogs.is_empty() && tree.is_folder("blog") {
        routes.push("/blog/*".into());
    }
    routes.extend(blogs.iter().map(|blog| format!("/{}/*", folder(blog))));
    // Search themes have a page for the results.
    if text.contains("search") || text.contains("algolia") {
        routes.push("/search".into());
    }
    routes
}

/// Returns the files of categories with their texts:
/// <https://docusaurus.io/docs/sidebar/autogenerated#category-item-metadata>.
pub(super) fn categories(tree: &dyn FileTree, content: &str) -> Vec<(String, String)> {
    let is_category = |file: &String| site_path::file_name(file).starts_with("_category_.");
    // The walk skips names with `_`.
    let mut folders: Vec<String> =
        tree.files(content).iter().map(|file| site_path::parent(file).to_string()).collect();
    folders.sort_unstable();
    folders.dedup();
    let names = folders.iter().flat_map(|folder| {
        let place = within(content, folder);
        tree.names(&place).into_iter().map(move |name| within(&place, &name))
    });
    names.filter(is_category).filter_map(|file| tree.peek(&file).map(|text| (file, text))).collect()
}
