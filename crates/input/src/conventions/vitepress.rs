//! `VitePress`: <https://vitepress.dev/reference/site-config>.

use std::sync::Arc;

use super::values::{JsValues, base_url, folder, language_folders, look_through};
use super::vocabulary::{KnownNames, Vocabulary, words};
use super::{
    AnchorRule, BasePath, Convention, FileTree, Kind, LeftOut, PublishedFolder, RelativePaths, Repository,
    Syntax, SyntaxRule, USUAL, Underscored,
};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Vitepress,
    name: "a VitePress site",
    syntax: &[Syntax::Directives, Syntax::Vue, Syntax::Snippets],
    anchors: AnchorRule::Vue,
    left_out: LeftOut { keys: &["sidebar", "layout"], help: "add it to `srcExclude` in `{list}`" },
    // Its Markdown plugin for links adds it: vitepress/src/node/markdown/plugins/link.ts.
    base: BasePath::Added,
    has_page_files: true,
    publishes_only_pages: true,
    shows_site_title: true,
    read,
    underscored: Underscored::Published,
    relative: RelativePaths::AmongFiles,
    rules: &[
        SyntaxRule::Tasks,
        SyntaxRule::Contents,
        SyntaxRule::IncludeComments,
        SyntaxRule::VueOutputs,
        SyntaxRule::GroupLabels,
        SyntaxRule::CodeNotation,
        SyntaxRule::HtmlBlocks,
        SyntaxRule::Containers,
        SyntaxRule::LinksWithoutBase,
    ],
    ..USUAL
};

/// Parts of the configuration with other base paths, also in `VuePress`.
pub(super) const PARTS: [&str; 3] = ["sidebar", "themeConfig", "plugins"];

fn read(tree: &dyn FileTree) -> Option<Repository> {
    let (root, name, text) = ["", "docs/"].into_iter().find_map(|root| {
        let folder = format!("{root}.vitepress/config");
        ["ts", "mts", "js", "mjs", "cjs"].into_iter().find_map(|ending| {
            let alone = || Some((format!("{folder}.{ending}"), tree.text(&format!("{folder}.{ending}"))?));
            let (name, text) = alone().or_else(|| {
                let name = format!("{folder}/index.{ending}");
                let text = tree.text(&name)?;
                // The other files are modules of it.
                let others = tree.files(&folder).into_iter().filter(|file| !file.starts_with("index."));
                let others = others.filter_map(|file| tree.text(&format!("{folder}/{file}")));
                Some((name, others.fold(text, |text, other| text + "\n" + &other)))
            })?;
            Some((root.trim_end_matches('/'), name, text))
        })
    })?;
    let config = JsValues::of(&text);
    let within = |path: &str| folder(&format!("{root}/{path}"));
    let content = within(&config.value("srcDir").unwrap_or_default());
    let statics = if content.is_empty() { "public".to_string() } else { format!("{content}/public") };
    let locales = config.tables("locales").next().map(|locales| locales.keys()).unwrap_or_default();
    look_through(tree, &within(".vitepress"));
    Some(Repository {
        translations: language_folders(tree, &content, &locales),
        content: PublishedFolder::at_root(&content),
        statics: vec![PublishedFolder::at_root(&statics)],
        base_url: Some(base_url(host(&text), &config.value_outside("base", &PARTS).unwrap_or_default())),
        excluded: config.list("srcExclude").iter().map(|glob| within(glob)).collect(),
        title: config.value("title"),
        language: config.value("lang"),
        anchors: if words(&text).any(|word| word == "slugify") {
            AnchorRule::Any
        } else {
            CONVENTION.anchors
        },
        navigation: text.contains("sidebar").then_some(name),
        routes: dynamic(tree, &content),
        vocabulary: Arc::new(Vocabulary { components: None, blocks: blocks(&text) }),
        sets: rewritten(tree, &config, &content),
        is_programmed: text.contains("rewrites"),
        has_formulas: config.tables("markdown").any(|it| it.keys().iter().any(|key| key == "math")),
        ..Repository::of_kind(&CONVENTION)
    })
}

/// Returns the names after `:::`: vitepress/src/node/markdown/plugins/containers.ts. Plugins of markdown-it add others.
fn blocks(config: &str) -> Option<Arc<KnownNames>> {
    const BUILT_IN: &[&str] = &["code-group", "danger", "details", "info", "raw", "tip", "v-pre", "warning"];
    let options: Vec<String> = config.contains("markdown").then(|| config.to_string()).into_iter().collect();
    (!config.contains(".use(")).then(|| KnownNames::of(BUILT_IN, &options))
}

/// The scheme and host of the site, which its sitemap needs: <https://vitepress.dev/guide/sitemap-generation>. Programs that write one
/// themselves have it in a constant.
fn host(text: &str) -> Option<String> {
    const NAMES: [&str; 5] = ["hostname", "siteUrl", "SITE_URL", "baseUrl", "domain"];
    let urls = NAMES.into_iter().flat_map(|name| {
        text.match_indices(name).filter_map(move |(at, _)| {
            let value = text[at + name.len()..].trim_start().strip_prefix([':', '='])?.trim_start();
            value.strip_prefix(['\'', '"'])?.split(['\'', '"']).next()
        })
    });
    let mut hosts = urls.filter_map(|url| {
        let (scheme, rest) = url.split_once("://").filter(|(scheme, _)| scheme.starts_with("http"))?;
        Some(format!("{scheme}://{}", rest.trim_end_matches('/')))
            .filter(|_| !rest.trim_end_matches('/').contains('/'))
    });
    hosts.next()
}

/// Returns the addresses of pages that are generated for several values: `pkg/[name].md`.
/// <https://vitepress.dev/guide/routing#dynamic-routes>
fn dynamic(tree: &dyn FileTree, content: &str) -> Vec<String> {
    let pages = tree.files(content).into_iter().filter(|file| file.ends_with(".md"));
    pages.filter_map(|file| Some(format!("/{}*", file.split_once('[')?.0))).collect()
}

/// Returns the folders with another place among addresses: `rewrites: { 'en/:rest*': ':rest*' }`,
/// `rewrites: { 'packages/:name/docs/:rest*': ':name/:rest*' }`. Other rewrites are ignored.
/// <https://vitepress.dev/guide/routing#route-rewrites>
fn rewritten(tree: &dyn FileTree, config: &JsValues, content: &str) -> Vec<PublishedFolder> {
    let tables = config
        .tables("rewrites")
        .flat_map(|table| table.keys().into_iter().map(move |key| (table.value(&key), key)));
    let files = tree.files(content);
    let mut sets: Vec<PublishedFolder> = Vec::new();
    for (to, from) in tables.filter_map(|(to, from)| Some((to?, from))) {
        let Some((path, rest)) = from.rsplit_once("/:") else { continue };
        let Some(at) = to.strip_suffix(&format!(":{rest}")) else { continue };
        let pattern: Vec<&str> = path.split('/').collect();
        for file in &files {
            let Some((named, values)) = matching(&pattern, file) else { continue };
            let at = values.iter().fold(at.to_string(), |at, (name, value)| at.replace(name, value));
            let set = PublishedFolder {
                path: folder(&format!("{content}/{named}")),
                at: at.trim_matches('/').to_string(),
            };
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
    }
    if sets.is_empty() { sets } else { [vec![PublishedFolder::at_root(content)], sets].concat() }
}

/// Returns the folder of a file that a pattern with parameters such as `:name` names, with their values.
fn matching<'f>(pattern: &[&'f str], file: &'f str) -> Option<(String, Vec<(&'f str, &'f str)>)> {
    let parts: Vec<&str> = file.split('/').collect();
    let named = parts.get(..pattern.len()).filter(|_| parts.len() > pattern.len())?;
    let is_one = |(name, part): (&&str, &&str)| name.starts_with(':') || name == part;
    let values =
        || pattern.iter().copied().zip(named.iter().copied()).filter(|(name, _)| name.starts_with(':'));
    pattern.iter().zip(named).all(is_one).then(|| (named.join("/"), values().collect()))
}
