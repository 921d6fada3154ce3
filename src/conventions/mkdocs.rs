//! `MkDocs`, and Zensical with the same configuration: <https://www.mkdocs.org/user-guide/configuration/>.

use super::values::{Values, folder};
use super::{Convention, Folder, Kind, Meaning, Said, Slugs, Syntax, Tree};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Mkdocs,
    name: "a MkDocs site",
    endings: &["md", "markdown"],
    indices: &["index", "readme"],
    is_index_by_folder: false,
    is_numbered: false,
    is_lower_case: false,
    slugs: Slugs::Segment,
    links_from_root: false,
    keys: &[("weight", Meaning::Order)],
    has_toml: false,
    has_other_keys: true,
    no_pages: &[],
    folder_files: &[],
    syntax: &[Syntax::Indented, Syntax::Kramdown, Syntax::Snippets],
    orders_by_folder: true,
    read,
};

const CONFIGS: &[&str] = &["mkdocs.yml", "mkdocs.yaml", "zensical.toml"];

fn read(tree: &dyn Tree) -> Option<Said> {
    let (name, text) = CONFIGS.iter().find_map(|name| Some((*name, tree.text(name)?)))?;
    let config = Values::of(name, &text);
    let value = |key: &str| config.value(key).or_else(|| config.value(&format!("project.{key}")));
    let content = folder(&value("docs_dir").unwrap_or_else(|| "docs".into()));
    tree.is_folder(&content).then(|| Said {
        content: Folder::at_root(&content),
        base_url: value("site_url"),
        title: value("site_name"),
        language: value("theme.language"),
        navigation: config.has_list("nav").then(|| name.to_string()),
        ..Said::default()
    })
}
