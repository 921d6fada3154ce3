//! mdBook: <https://rust-lang.github.io/mdBook/format/configuration/general.html>.

use super::navigation::pages_of_list;
use super::values::{Values, folder};
use super::{Convention, Folder, Kind, Said, Slugs, Syntax, Tree};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Mdbook,
    name: "an mdBook",
    endings: &["md"],
    indices: &["index", "readme"],
    is_index_by_folder: false,
    is_numbered: false,
    is_lower_case: false,
    slugs: Slugs::Segment,
    links_to_sources: false,
    links_from_root: false,
    keys: &[],
    has_toml: false,
    has_other_keys: true,
    no_pages: &["SUMMARY.md"],
    folder_files: &[],
    syntax: &[Syntax::Mdbook],
    orders_by_folder: true,
    read,
};

fn read(tree: &dyn Tree) -> Option<Said> {
    let config = Values::of("book.toml", &tree.text("book.toml")?);
    let content = folder(&config.value("book.src").unwrap_or_else(|| "src".into()));
    let navigation = format!("{content}/SUMMARY.md");
    tree.is_folder(&content).then(|| Said {
        content: Folder::at_root(&content),
        base_url: config.value("output.html.site-url"),
        title: config.value("book.title"),
        language: config.value("book.language"),
        excluded: unlisted(tree, &content, &navigation),
        navigation: tree.text(&navigation).is_some().then_some(navigation),
        ..Said::default()
    })
}

/// Files that the list of chapters does not name: they are no pages, and others may include them.
fn unlisted(tree: &dyn Tree, content: &str, navigation: &str) -> Vec<String> {
    let Some(list) = tree.text(navigation) else { return Vec::new() };
    let listed = pages_of_list(Kind::Mdbook, navigation, &list);
    let is_unlisted = |file: &String| file.ends_with(".md") && !listed.contains(file);
    let files = tree.files(content).into_iter().filter(is_unlisted);
    files.map(|file| format!("{content}/{}", globset::escape(&file))).collect()
}
