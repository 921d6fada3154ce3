//! Folders of Markdown files that no known generator reads.

use super::{Convention, Folder, Kind, Meaning, Said, Slugs, Tree};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Plain,
    name: "folders of Markdown files",
    endings: &["md", "markdown"],
    indices: &["index", "readme", "_index"],
    is_index_by_folder: false,
    is_numbered: false,
    is_lower_case: false,
    slugs: Slugs::Segment,
    links_to_sources: true,
    links_from_root: false,
    keys: &[("sidebar_position", Meaning::Order), ("weight", Meaning::Order), ("nav_order", Meaning::Order)],
    has_toml: false,
    has_other_keys: true,
    no_pages: &["CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "LICENSE.md", "SECURITY.md"],
    folder_files: &[],
    syntax: &[],
    orders_by_folder: true,
    read,
};

/// Folders that documentation is usually in.
const USUAL: &[&str] = &["docs", "doc", "documentation"];

fn read(tree: &dyn Tree) -> Option<Said> {
    let content = USUAL.iter().find(|folder| tree.has_pages(folder)).copied();
    let content = content.or_else(|| tree.has_pages("").then_some(""))?;
    Some(Said { content: Folder::at_root(content), ..Said::default() })
}
