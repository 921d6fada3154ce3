//! Docusaurus 2 and 3: <https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs>.

use super::values::{JsValues, base_url, folder, language_folders, look_through};
use super::{Convention, Folder, Kind, LeftOut, Meaning, Said, Slugs, Syntax, Tree, USUAL};

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
        cure: "write `unlisted: true` into its front matter",
    },
    read,
    ..USUAL
};

const CONFIGS: &[&str] =
    &["docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs", "docusaurus.config.cjs"];

const SIDEBARS: &[&str] = &["sidebars.js", "sidebars.ts", "sidebars.json", "sidebars.mjs", "sidebars.cjs"];

fn read(tree: &dyn Tree) -> Option<Said> {
    let text = CONFIGS.iter().find_map(|name| tree.text(name))?;
    let config = JsValues::of(&text);
    // Presets and plugins have a `docs` each; the theme's has other keys.
    let keys = ["routeBasePath", "sidebarPath", "path", "editUrl", "remarkPlugins"];
    let docs = config.tables("docs").find(|docs| keys.iter().any(|key| docs.value(key).is_some()));
    let said = |key: &str| docs.as_ref().and_then(|docs| docs.value(key));
    let content = folder(&said("path").unwrap_or_else(|| "docs".into()));
    let at = folder(&said("routeBasePath").unwrap_or_else(|| "docs".into()));
    let mut statics: Vec<Folder> =
        config.list("staticDirectories").iter().map(|name| Folder::at_root(&folder(name))).collect();
    if statics.is_empty() {
        statics.push(Folder::at_root("static"));
    }
    let base = config.value("baseUrl").unwrap_or_else(|| "/".into());
    let base_url = base_url(config.value("url"), &base);
    let navigation = said("sidebarPath").map(|path| folder(&path)).filter(|path| tree.text(path).is_some());
    let navigation = navigation
        .or_else(|| SIDEBARS.iter().find(|name| tree.text(name).is_some()).map(|name| (*name).to_string()));
    if navigation.is_some() {
        look_through(tree, "src");
    }
    tree.is_folder(&content).then(|| Said {
        translations: language_folders(tree, "i18n", &config.list("locales")),
        statics,
        base_url: Some(base_url),
        title: config.value("title"),
        language: config.value("defaultLocale"),
        navigation,
        excluded: excluded(docs.as_ref(), &content),
        content: Folder { path: content, at },
        routes: routes(tree, &config),
        ..Said::default()
    })
}

/// Patterns of files that are no pages.
fn excluded(docs: Option<&JsValues>, content: &str) -> Vec<String> {
    let patterns = docs.map(|docs| docs.list("exclude")).unwrap_or_default();
    patterns.iter().map(|pattern| format!("{content}/{pattern}")).collect()
}

/// Addresses of pages that are written in React, of the blog, and of what plugins make.
fn routes(tree: &dyn Tree, config: &JsValues) -> Vec<String> {
    let by_plugins = config.values("route").filter(|route| route.starts_with('/'));
    let mut routes: Vec<String> = by_plugins.map(|route| format!("/{}/*", folder(&route))).collect();
    for file in tree.files("src/pages") {
        let Some((stem, ending)) = file.rsplit_once('.') else { continue };
        if matches!(ending, "js" | "jsx" | "ts" | "tsx" | "md" | "mdx") {
            routes.push(format!("/{}", stem.strip_suffix("index").unwrap_or(stem).trim_end_matches('/')));
        }
    }
    if tree.is_folder("blog") {
        routes.push("/blog/*".into());
    }
    routes
}
