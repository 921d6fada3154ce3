//! `MkDocs`, and Zensical with the same configuration: <https://www.mkdocs.org/user-guide/configuration/>.

use std::collections::BTreeMap;

use super::values::{Values, folder, ids_in, look_through};
use super::{AnchorRule, Convention, FileTree, Kind, LeftOut, Meaning, PublishedFolder, Said, Syntax, USUAL};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Mkdocs,
    name: "a MkDocs site",
    endings: &["md", "markdown"],
    indices: &["index", "readme"],
    keys: &[("weight", Meaning::Order)],
    syntax: &[Syntax::Indented, Syntax::Kramdown, Syntax::Snippets],
    anchors: AnchorRule::Python,
    needs_titles: false,
    left_out: LeftOut { keys: &["tags"], cure: "name it in `not_in_nav` of `{list}`" },
    read,
    ..USUAL
};

const CONFIGS: &[&str] = &["mkdocs.yml", "mkdocs.yaml", "zensical.toml"];

fn read(tree: &dyn FileTree) -> Option<Said> {
    let (name, text) = CONFIGS.iter().find_map(|name| Some((*name, tree.text(name)?)))?;
    let config = Values::of(name, &text);
    let value = |key: &str| config.value(key).or_else(|| config.value(&format!("project.{key}")));
    let content = folder(&value("docs_dir").unwrap_or_else(|| "docs".into()));
    if let Some(theme) = value("theme.custom_dir") {
        look_through(tree, &folder(&theme));
    }
    tree.is_folder(&content).then(|| Said {
        content: PublishedFolder::at_root(&content),
        base_url: value("site_url"),
        title: value("site_name"),
        language: value("theme.language"),
        includes: snippet_folders(&config),
        excluded: value("exclude_docs").map(|text| excluded(&content, &text)).unwrap_or_default(),
        unlisted: value("not_in_nav").map(|text| excluded(&content, &text)).unwrap_or_default(),
        navigation: config.has_list("nav").then(|| name.to_string()),
        anchors: anchors(&config),
        layouts: value("theme.custom_dir").map(|path| ids_in(tree, &folder(&path))).unwrap_or_default(),
        values: values(&config),
        defines_labels: defines_labels(&config),
        ..Said::default()
    })
}

/// The rule of `toc`, where the configuration names another than that of Python-Markdown.
fn anchors(config: &Values) -> Option<AnchorRule> {
    let of_toc = |list: &serde_json::Value| Some(list.get("toc")?.get("slugify").is_some());
    let lists = ["markdown_extensions", "project.markdown_extensions"];
    let items = lists.iter().filter_map(|path| config.list_at(path)).flatten();
    items.filter_map(of_toc).any(|it| it).then_some(AnchorRule::Trimmed)
}

/// Whether a plugin or a program of the site's own makes links of labels, as `autorefs` does.
fn defines_labels(config: &Values) -> bool {
    let plugins = config.names("plugins");
    let by_plugin = plugins.iter().any(|name| matches!(name.as_str(), "autorefs" | "mkdocstrings"));
    by_plugin || config.has_list("hooks")
}

/// What templates in pages may show, where a plugin reads pages as templates.
fn values(config: &Values) -> BTreeMap<String, String> {
    let plugins = config.names("plugins");
    if !plugins.iter().any(|name| matches!(name.as_str(), "macros" | "markdownextradata" | "mkdocs-macros")) {
        return BTreeMap::new();
    }
    let mut values: BTreeMap<String, String> = config.scalars("extra").into_iter().collect();
    values.extend(config.scalars("").into_iter().map(|(name, value)| (format!("config.{name}"), value)));
    values
}

/// The folders that `pymdownx.snippets` includes from.
fn snippet_folders(config: &Values) -> Vec<String> {
    let found = ["markdown_extensions", "project.markdown_extensions"];
    let found = found.iter().flat_map(|path| config.texts_below(path, "base_path"));
    found.map(|path| folder(&path)).filter(|path| !path.is_empty()).collect()
}

/// The lines of `exclude_docs`, which are written as those of `.gitignore`, as patterns below the root.
fn excluded(content: &str, written: &str) -> Vec<String> {
    let lines =
        written.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '!']));
    let pattern = |line: &str| match line.trim_end_matches('/').contains('/') {
        true => format!("{content}/{}", line.trim_start_matches('/')),
        false => format!("{content}/**/{line}"),
    };
    lines.map(pattern).collect()
}
