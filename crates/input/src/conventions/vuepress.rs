//! `VuePress`, 1 and 2: <https://vuepress.vuejs.org/reference/config.html>.

use super::imports;
use super::values::{JsValues, base_url, folder, language_folders, look_through};
use super::vitepress::PARTS;
use super::{
    AnchorRule, BasePath, Convention, FileTree, Kind, Meaning, OpenFolder, PublishedFolder, Publisher,
    RelativePaths, Repository, Slugs, Syntax, USUAL,
};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Vuepress,
    name: "a VuePress site",
    indices: &["index", "readme"],
    slugs: Slugs::WholePath,
    // The last is of the plugin for redirects: <https://ecosystem.vuejs.press/plugins/tools/redirect.html>.
    keys: &[("permalink", Meaning::Slug), ("order", Meaning::Order), ("redirectFrom", Meaning::Aliases)],
    syntax: &[Syntax::Directives, Syntax::Vue, Syntax::Snippets],
    anchors: AnchorRule::Vue,
    // Its Markdown plugin for links adds it, as in VitePress.
    base: BasePath::Added,
    has_page_files: true,
    publishes_only_pages: true,
    shows_site_title: true,
    read,
    relative: RelativePaths::AmongFiles,
    ..USUAL
};

/// Version 1, whose parser is markdown-it 8.
const VERSION_1: Convention = Convention {
    syntax: &[Syntax::Directives, Syntax::Vue, Syntax::Snippets, Syntax::CodePipes],
    ..CONVENTION
};

fn read(tree: &dyn FileTree) -> Option<Repository> {
    let mut names = ["ts", "mts", "js", "mjs", "cjs", "yml"].into_iter();
    let (file, text) = names.find_map(|ending| {
        let file = format!(".vuepress/config.{ending}");
        Some((file.clone(), tree.text(&file)?))
    })?;
    let config = JsValues::of(&text);
    let locales = config.tables("locales").next().map(|locales| locales.keys()).unwrap_or_default();
    let locales: Vec<String> =
        locales.iter().map(|path| folder(path)).filter(|path| !path.is_empty()).collect();
    look_through(tree, ".vuepress");
    // Version 2 reads modules only: <https://vuepress.vuejs.org/reference/config.html>.
    let is_script = text.contains("module.exports");
    let is_version_1 = is_script && !text.contains("defineUserConfig") || text.contains("vuepress/config");
    Some(Repository {
        translations: language_folders(tree, "", &locales),
        statics: vec![PublishedFolder::at_root(".vuepress/public")],
        base_url: Some(base_url(None, &config.value_outside("base", &PARTS).unwrap_or_default())),
        title: config.value("title"),
        language: config.value("lang"),
        anchors: if is_script { AnchorRule::VueFromTwo } else { AnchorRule::Vue },
        navigation: text.contains("sidebar").then_some(file),
        // The folder of the plugin for API documentation: <https://typedoc-plugin-markdown.org/plugins/vuepress>.
        openings: text
            .contains("plugin-typedoc")
            .then(|| {
                OpenFolder::new(&config.value("out").unwrap_or_else(|| "api".into()), Publisher::Generator)
            })
            .into_iter()
            .collect(),
        is_programmed: imports::writes_files(tree, ".vuepress", &text),
        // <https://vuepress.github.io/en/plugin/redirect>
        routes: config.texts_beside("base", &["alternative"]).into_iter().map(|(base, _)| base).collect(),
        ..Repository::of_kind(if is_version_1 { &VERSION_1 } else { &CONVENTION })
    })
}
