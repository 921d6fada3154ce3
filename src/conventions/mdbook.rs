//! mdBook: <https://rust-lang.github.io/mdBook/format/configuration/general.html>.

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
        navigation: tree.text(&navigation).is_some().then_some(navigation),
        ..Said::default()
    })
}
