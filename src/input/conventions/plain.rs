//! Folders of Markdown files that no known generator reads.

use super::{AnchorRule, Convention, FileTree, Kind, Meaning, PublishedFolder, Said, Syntax, USUAL};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Plain,
    name: "folders of Markdown files",
    endings: &["md", "markdown"],
    indices: &["index", "readme", "_index"],
    links_to_sources: true,
    keys: &[("sidebar_position", Meaning::Order), ("weight", Meaning::Order), ("nav_order", Meaning::Order)],
    no_pages: &["CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "LICENSE.md", "SECURITY.md"],
    read,
    syntax: &[Syntax::CodeFiles],
    anchors: AnchorRule::Any,
    needs_titles: false,
    ..USUAL
};

/// Folders that documentation is usually in.
const PLACES: &[&str] = &["docs", "doc", "documentation"];

fn read(tree: &dyn FileTree) -> Option<Said> {
    let content = PLACES.iter().find(|folder| tree.has_pages(folder)).copied();
    let content = content.or_else(|| tree.has_pages("").then_some(""))?;
    Some(Said { content: PublishedFolder::at_root(content), ..Said::default() })
}
