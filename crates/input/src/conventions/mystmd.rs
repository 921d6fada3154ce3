//! `MyST`'s own generator, on which Jupyter Book is based since version 2: <https://mystmd.org/guide>.

use super::mdbook::unlisted;
use super::sphinx::labels_of_others;
use super::tree::within;
use super::values::Values;
use super::{
    AnchorRule, Convention, FileTree, FrontMatterReader, Kind, NOTEBOOKS, PublishedFolder, RelativePaths,
    Repository, Syntax, SyntaxRule, USUAL,
};
use std::sync::Arc;

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Mystmd,
    name: "a MyST site",
    indices: &["index", "readme"],
    syntax: &[Syntax::Myst, Syntax::MystTitles],
    anchors: AnchorRule::Docutils,
    needs_titles: false,
    relative: RelativePaths::OfFile,
    unread_forms: &[NOTEBOOKS],
    publishes_only_pages: true,
    has_programs_for_texts: true,
    front_matter: FrontMatterReader::JavaScript,
    read,
    rules: &[SyntaxRule::Roles],
    ..USUAL
};

fn read(tree: &dyn FileTree) -> Option<Repository> {
    let (root, text) =
        ["", "docs"].into_iter().find_map(|root| Some((root, tree.text(&within(root, "myst.yml"))?)))?;
    let config = Values::of("myst.yml", &text);
    let navigation = config.has_list("project.toc").then(|| within(root, "myst.yml"));
    let excluded = config.texts("project.exclude").into_iter().map(|pattern| within(root, &pattern));
    // Patterns in the list add pages.
    let is_open = !config.texts_below("project.toc", "pattern").is_empty();
    let listed = navigation.as_deref().filter(|_| !is_open);
    let unlisted = listed.map(|list| unlisted(tree, root, list, Kind::Mystmd)).unwrap_or_default();
    tree.has_pages(root).then(|| Repository {
        content: PublishedFolder::at_root(root),
        title: config.value("site.title").or_else(|| config.value("project.title")),
        excluded: excluded.chain([within(root, "_build/**")]).chain(unlisted).collect(),
        includes: vec![root.to_string()],
        is_programmed: config.has_list("project.plugins"),
        has_formulas: true,
        // Those of `references` are in other projects.
        defines_labels: config.has_list("project.plugins"),
        layouts: Arc::new(labels_of_others(tree, root)),
        navigation,
        ..Repository::of_kind(&CONVENTION)
    })
}
