//! `VitePress`: <https://vitepress.dev/reference/site-config>.

use super::values::{JsValues, base_url, folder, language_folders, look_through};
use super::{AnchorRule, Convention, FileTree, Kind, LeftOut, PublishedFolder, Said, Syntax, USUAL};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Vitepress,
    name: "a VitePress site",
    syntax: &[Syntax::Directives, Syntax::Vue, Syntax::Snippets],
    anchors: AnchorRule::Vue,
    left_out: LeftOut { keys: &["sidebar", "layout"], cure: "name it in `srcExclude` of `{list}`" },
    // Its Markdown plugin for links adds it: vitepress/src/node/markdown/plugins/link.ts.
    adds_base: true,
    read,
    ..USUAL
};

fn read(tree: &dyn FileTree) -> Option<Said> {
    let (root, name, text) = ["", "docs/"].into_iter().find_map(|root| {
        ["ts", "mts", "js", "mjs", "cjs"].into_iter().find_map(|ending| {
            let name = format!("{root}.vitepress/config.{ending}");
            let text = tree.text(&name)?;
            Some((root.trim_end_matches('/'), name, text))
        })
    })?;
    let config = JsValues::of(&text);
    let within = |path: &str| folder(&format!("{root}/{path}"));
    let content = within(&config.value("srcDir").unwrap_or_default());
    let statics = if content.is_empty() { "public".to_string() } else { format!("{content}/public") };
    let locales = config.tables("locales").next().map(|locales| locales.keys()).unwrap_or_default();
    look_through(tree, &within(".vitepress"));
    Some(Said {
        translations: language_folders(tree, &content, &locales),
        content: PublishedFolder::at_root(&content),
        statics: vec![PublishedFolder::at_root(&statics)],
        base_url: Some(base_url(None, &config.value_outside("base", "sidebar").unwrap_or_default())),
        excluded: config.list("srcExclude").iter().map(|glob| within(glob)).collect(),
        title: config.value("title"),
        language: config.value("lang"),
        navigation: text.contains("sidebar").then_some(name),
        ..Said::default()
    })
}
