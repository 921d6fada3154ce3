//! Markup that is text because the configuration of a generator doesn't enable it.

use super::closed::{MissingExtension, OptionalMarkup};
use super::tree::within;
use super::values::Values;
use super::{FileTree, Kind, Repository};

/// Returns what a repository's configuration doesn't enable. If a program may do so, nothing.
pub(super) fn missing(tree: &dyn FileTree, repository: &Repository) -> Vec<MissingExtension> {
    let site = &repository.site;
    match repository.kind() {
        Kind::Mkdocs => repository
            .config(tree)
            .map(|(name, text)| of_mkdocs(&super::mkdocs::settings_of(&name, &text)))
            .unwrap_or_default(),
        Kind::Sphinx => repository.config(tree).map(|(_, text)| of_sphinx(&text)).unwrap_or_default(),
        Kind::Hugo => of_hugo(tree, site),
        Kind::Vitepress if !repository.has_formulas => {
            let text = repository.navigation.as_ref().and_then(|file| tree.peek(file));
            let is_unknown = |text: &String| text.contains("math") || text.contains("katex");
            let missing =
                MissingExtension { markup: OptionalMarkup::Formula, name: "math: true", setting: "markdown" };
            text.filter(|text| !is_unknown(text)).map(|_| missing).into_iter().collect()
        }
        Kind::Docusaurus => {
            let text = repository.config(tree).map(|(_, text)| text);
            // A part of the configuration may be elsewhere.
            let has = |text: &String| {
                text.replace([' ', '\n'], "").contains("mermaid:true") || text.contains("...")
            };
            let missing = MissingExtension {
                markup: OptionalMarkup::Diagram,
                name: "mermaid: true",
                setting: "markdown",
            };
            text.filter(|text| !has(text)).map(|_| missing).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// <https://python-markdown.github.io/extensions/>, <https://facelessuser.github.io/pymdown-extensions/>.
fn of_mkdocs(config: &Values) -> Vec<MissingExtension> {
    /// Each markup with the extensions of which one reads it.
    const ALL: [(OptionalMarkup, &[&str]); 7] = [
        (OptionalMarkup::Note, &["admonition"]),
        (OptionalMarkup::Fold, &["pymdownx.details"]),
        (OptionalMarkup::Tab, &["pymdownx.tabbed"]),
        (OptionalMarkup::IndentedFence, &["pymdownx.superfences", "pymdownx.extra"]),
        (OptionalMarkup::Definition, &["def_list", "extra", "pymdownx.extra"]),
        (OptionalMarkup::Footnote, &["footnotes", "extra", "pymdownx.extra"]),
        (OptionalMarkup::ListNumber, &["sane_lists"]),
    ];
    let listed = config.names("markdown_extensions");
    // This plugin adds its own list, and so do other configurations.
    let plugins = config.names("plugins");
    if listed.is_empty()
        || config.value("INHERIT").is_some()
        || plugins.iter().any(|it| it == "techdocs-core")
    {
        return Vec::new();
    }
    let last = |name: &str| name.rsplit('.').next().map(str::to_string);
    let has = |extension: &&str| listed.iter().any(|name| last(name) == last(extension));
    let missing = ALL.into_iter().filter(|(_, names)| !names.iter().any(has));
    let setting = "markdown_extensions";
    missing.map(|(markup, names)| MissingExtension { markup, name: names[0], setting }).collect()
}

/// <https://myst-parser.readthedocs.io/en/latest/syntax/optional.html>.
fn of_sphinx(config: &str) -> Vec<MissingExtension> {
    const ALL: [(OptionalMarkup, &str); 3] = [
        (OptionalMarkup::ColonFence, "colon_fence"),
        (OptionalMarkup::Field, "fieldlist"),
        (OptionalMarkup::Definition, "deflist"),
    ];
    // A program, another extension or another module may set them.
    let is_known = config.contains("myst_parser")
        && !config.contains("import *")
        && !["myst_enable_extensions.", "myst_enable_extensions +", "setattr"]
            .iter()
            .any(|it| config.contains(it));
    let missing = ALL.into_iter().filter(|(_, name)| is_known && !config.contains(name));
    let setting = "myst_enable_extensions";
    let missing = missing.map(|(markup, name)| MissingExtension { markup, name, setting });
    missing.chain(directives(config)).collect()
}

/// Returns the directives of common extensions that `extensions` doesn't contain. An unknown extension may add those of another one.
fn directives(config: &str) -> impl Iterator<Item = MissingExtension> {
    const ALL: [(&[&str], &str); 6] = [
        (&["argparse"], "sphinxarg"),
        (&["bibliography"], "sphinxcontrib.bibtex"),
        (&["click"], "sphinx_click"),
        (&["card", "grid", "grid-item", "grid-item-card", "tab-item", "tab-set"], "sphinx_design"),
        (&["mermaid"], "sphinxcontrib.mermaid"),
        (&["todolist"], "sphinx.ext.todo"),
    ];
    let listed = super::sphinx::extensions(config);
    let is_call = |line: &str| line.trim_start().starts_with("extensions.");
    let is_complete =
        config.contains("extensions = [") && !config.contains("import *") && !config.lines().any(is_call);
    let is_known = is_complete && listed.iter().all(|name| super::sphinx::is_published(name));
    let missing =
        ALL.into_iter().filter(move |(_, name)| is_known && !listed.iter().any(|it| it.starts_with(name)));
    missing.map(|(names, name)| MissingExtension {
        markup: OptionalMarkup::Directives(names),
        name,
        setting: "extensions",
    })
}

/// <https://gohugo.io/configuration/markup/#goldmark>. A theme can't set them.
fn of_hugo(tree: &dyn FileTree, site: &str) -> Vec<MissingExtension> {
    let names = tree.names(site).into_iter().map(|name| within(site, &name));
    let folder = within(site, "config");
    let of_folder = tree.files(&folder).into_iter().map(|name| within(&folder, &name));
    // The walk skips names with `_`.
    let default = within(&folder, "_default");
    let of_default = tree.names(&default).into_iter().map(|name| within(&default, &name));
    let is_config = |file: &String| {
        let is_data = [".toml", ".yaml", ".yml", ".json"].iter().any(|ending| file.ends_with(ending));
        is_data && (file.contains("config") || file.contains("hugo."))
    };
    let texts: String = names
        .chain(of_folder)
        .chain(of_default)
        .filter(is_config)
        .filter_map(|file| tree.peek(&file))
        .collect();
    let is_set = |name: &str| {
        let values = texts
            .match_indices(name)
            .map(|(at, _)| texts[at + name.len()..].trim_start_matches(['"', ' ', ':', '=']));
        values.into_iter().any(|value| value.starts_with("true"))
    };
    // Other configurations are in modules or in the environment.
    if texts.is_empty() || texts.contains("_merge") {
        return Vec::new();
    }
    let html = MissingExtension {
        markup: OptionalMarkup::Html,
        name: "unsafe = true",
        setting: "markup.goldmark.renderer",
    };
    let attributes = MissingExtension {
        markup: OptionalMarkup::BlockAttributes,
        name: "block = true",
        setting: "markup.goldmark.parser.attribute",
    };
    let missing = [("unsafe", html), ("block", attributes)].into_iter().filter(|(name, _)| !is_set(name));
    missing.map(|(_, missing)| missing).collect()
}
