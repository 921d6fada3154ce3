//! Hugo: <https://gohugo.io/content-management/>.

use std::collections::BTreeMap;

use super::values::{Values, folder, ids_in, language_folders};
use super::{AnchorRule, Convention, FileTree, Kind, Meaning, PublishedFolder, Said, Slugs, Syntax, USUAL};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Hugo,
    name: "a Hugo site",
    endings: &["md", "markdown"],
    indices: &["_index", "index"],
    is_lower_case: true,
    slugs: Slugs::Path,
    links_from_root: true,
    keys: &[
        ("weight", Meaning::Order),
        ("url", Meaning::Slug),
        ("build.render", Meaning::Rendered),
        ("_build.render", Meaning::Rendered),
    ],
    has_toml: true,
    syntax: &[Syntax::Shortcodes],
    anchors: AnchorRule::Trimmed,
    read,
    ..USUAL
};

const CONFIGS: &[&str] = &[
    "hugo.toml",
    "hugo.yaml",
    "hugo.yml",
    "hugo.json",
    "config/_default/hugo.toml",
    "config/_default/hugo.yaml",
    "config/_default/hugo.yml",
    "config/_default/config.toml",
    "config/_default/config.yaml",
    "config.toml",
    "config.yaml",
];

fn read(tree: &dyn FileTree) -> Option<Said> {
    let config = CONFIGS.iter().find_map(|name| Some(Values::of(name, &tree.text(name)?)))?;
    let known = ["baseURL", "baseurl", "theme", "languageCode", "defaultContentLanguage", "contentDir"];
    if !known.iter().any(|key| config.value(key).is_some() || !config.keys(key).is_empty()) {
        return None;
    }
    let whole = folder(&config.value("contentDir").unwrap_or_else(|| "content".into()));
    let mut languages = config.keys("languages");
    if languages.is_empty() {
        languages = LANGUAGE_FILES
            .iter()
            .find_map(|name| Some(Values::of(name, &tree.text(name)?).all_keys()))
            .unwrap_or_default();
    }
    let first = config.value("defaultContentLanguage").unwrap_or_else(|| "en".into());
    let by_folder = config.value(&format!("languages.{first}.contentDir")).map(|path| folder(&path));
    let by_folder =
        by_folder.or_else(|| Some(format!("{whole}/{first}")).filter(|path| tree.is_folder(path)));
    let others: Vec<String> = languages.into_iter().filter(|language| *language != first).collect();
    let content = by_folder.unwrap_or_else(|| whole.clone());
    let is_below = config.value("defaultContentLanguageInSubdir").as_deref() == Some("true");
    let at = if is_below { first.clone() } else { String::new() };
    let statics = folder(&config.value("staticDir").unwrap_or_else(|| "static".into()));
    let goldmark = |key: &str| config.value(&format!("markup.goldmark.parser.{key}"));
    let by_ascii = |it: &String| it == "github-ascii";
    let anchors = goldmark("autoIDType").or_else(|| goldmark("autoHeadingIDType")).filter(by_ascii);
    tree.is_folder(&content).then(|| Said {
        values: parameters(tree),
        anchors: anchors.map(|_| AnchorRule::Ascii),
        layouts: ["layouts", "themes"].iter().flat_map(|folder| ids_in(tree, folder)).collect(),
        translations: language_folders(tree, &whole, &others),
        other_languages: others,
        content: PublishedFolder { path: content, at },
        statics: vec![PublishedFolder::at_root(&statics)],
        base_url: config.value("baseURL").or_else(|| config.value("baseurl")),
        title: config.value("title"),
        language: Some(first),
        includes: vec!["layouts/shortcodes".into(), "layouts/_shortcodes".into()],
        ..Said::default()
    })
}

/// The parameters of the site, by the names that pages give them, in lower case. All files are merged; what a file of
/// parameters alone says counts more.
fn parameters(tree: &dyn FileTree) -> BTreeMap<String, String> {
    let mut parameters = BTreeMap::new();
    let of_configs = CONFIGS.iter().rev().map(|name| (*name, "params"));
    for (name, path) in of_configs.chain(PARAMETER_FILES.iter().rev().map(|name| (*name, ""))) {
        let Some(text) = tree.text(name) else { continue };
        let scalars = Values::of(name, &text).scalars(path).into_iter();
        parameters.extend(scalars.map(|(name, value)| (format!("param {}", name.to_lowercase()), value)));
    }
    parameters
}

const PARAMETER_FILES: &[&str] =
    &["config/_default/params.toml", "config/_default/params.yaml", "config/_default/params.yml"];

const LANGUAGE_FILES: &[&str] =
    &["config/_default/languages.toml", "config/_default/languages.yaml", "config/_default/languages.yml"];
