//! Astro's Starlight: <https://starlight.astro.build/reference/configuration/>.

use std::sync::Arc;

use super::values::{JsValues, base_url, language_folders, look_through};
use super::vocabulary::{KnownNames, Vocabulary};
use super::{
    Convention, FileTree, HtmlInMdx, Kind, LeftOut, Meaning, PublishedFolder, Repository, Slugs, Syntax,
    SyntaxRule, USUAL,
};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Starlight,
    name: "a Starlight site",
    endings: &["md", "mdx"],
    is_lower_case: true,
    slugs: Slugs::WholePath,
    falls_back: true,
    has_required_titles: true,
    leaves_links: true,
    keys: &[("sidebar.order", Meaning::Order)],
    syntax: &[Syntax::Mdx, Syntax::Directives],
    left_out: LeftOut { keys: &["sidebar.hidden", "tags"], help: "add `draft: true` to its front matter" },
    publishes_only_pages: true,
    read,
    rules: &[
        SyntaxRule::Tasks,
        SyntaxRule::DirectiveNames,
        SyntaxRule::AsideTitles,
        SyntaxRule::LinesInBraces,
        SyntaxRule::ComponentsInMdx,
        SyntaxRule::HeadingsWithoutBraces,
    ],
    ..USUAL
};

const CONFIGS: &[&str] = &["astro.config.mjs", "astro.config.ts", "astro.config.js", "astro.config.mts"];

const CONTENT: &str = "src/content/docs";

fn read(tree: &dyn FileTree) -> Option<Repository> {
    let (name, text) = CONFIGS.iter().find_map(|name| Some((*name, tree.text(name)?)))?;
    if !text.contains("starlight") || !tree.is_folder(CONTENT) {
        return None;
    }
    let config = JsValues::of(&text);
    let base = config.value_outside("base", &["sidebar"]).unwrap_or_default();
    let base_url = base_url(config.value("site"), &base);
    let mut locales = config.tables("locales").next().map(|locales| locales.keys()).unwrap_or_default();
    let first = config.value("defaultLocale").filter(|locale| locale != "root");
    // The original is in its own folder, unless that is the root.
    let of_first = first.as_ref().map(|first| format!("{CONTENT}/{first}")).filter(|it| tree.is_folder(it));
    locales.retain(|locale| first.as_ref() != Some(locale));
    let content = match (of_first, &first) {
        (Some(path), Some(first)) => PublishedFolder { path, at: first.clone() },
        _ => PublishedFolder::at_root(CONTENT),
    };
    let statics = vec![
        PublishedFolder::at_root("public"),
        PublishedFolder { path: "src/assets".into(), at: "src/assets".into() },
    ];
    for folder in ["src/pages", "src/components"] {
        look_through(tree, folder);
    }
    Some(Repository {
        translations: language_folders(tree, CONTENT, &locales),
        content,
        statics,
        base_url: Some(base_url),
        title: config.value("title"),
        language: first,
        routes: routes(tree),
        navigation: text.contains("sidebar").then(|| name.to_string()),
        has_formulas: text.contains("remark-math"),
        vocabulary: Arc::new(vocabulary(&text)),
        html_in_mdx: HtmlInMdx::None,
        // The title of each page: `PAGE_TITLE_ID` in packages/starlight/constants.ts.
        layouts: Arc::new(["_top".to_string()].into()),
        ..Repository::of_kind(&CONVENTION)
    })
}

/// Asides: <https://starlight.astro.build/guides/authoring-content/#asides>. Components have to be imported, unless an integration
/// does it: <https://docs.astro.build/en/guides/integrations-guide/mdx/>.
fn vocabulary(config: &str) -> Vocabulary {
    const ASIDES: &[&str] = &["caution", "danger", "note", "tip"];
    let imports = config.contains("auto-import");
    let is_extended = config.contains("remarkPlugins") || config.contains("@astrojs/markdoc");
    Vocabulary {
        components: (!imports).then(|| KnownNames::of(&[], &[])),
        blocks: (!is_extended).then(|| KnownNames::of(ASIDES, &[])),
    }
}

/// Returns the addresses of Astro pages.
fn routes(tree: &dyn FileTree) -> Vec<String> {
    let files = tree.files("src/pages");
    let address = |file: &String| {
        let (stem, _) = file.rsplit_once('.')?;
        match stem.split_once('[') {
            Some((folder, _)) => Some(format!("/{folder}*")),
            None => Some(format!("/{}", stem.strip_suffix("index").unwrap_or(stem).trim_end_matches('/'))),
        }
    };
    files.iter().filter_map(address).collect()
}
