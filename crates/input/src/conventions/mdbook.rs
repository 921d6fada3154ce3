//! mdBook: <https://rust-lang.github.io/mdBook/format/configuration/general.html>.

use super::navigation::list_of;
use super::tree::within;
use super::values::{Values, folder};
use super::{
    AnchorRule, BasePath, Convention, FileTree, FrontMatterReader, Kind, PublishedFolder, RelativePaths,
    Repository, Syntax, SyntaxRule, USUAL, Underscored, UnreadTranslations,
};
use base::glob;

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Mdbook,
    name: "an mdBook",
    indices: &["index", "readme"],
    no_pages: &["SUMMARY.md"],
    syntax: &[Syntax::Mdbook],
    anchors: AnchorRule::Trimmed,
    needs_titles: false,
    has_page_files: true,
    read,
    base: BasePath::Hosted,
    underscored: Underscored::Published,
    relative: RelativePaths::OfFile,
    has_programs_for_texts: true,
    front_matter: FrontMatterReader::Any,
    rules: &[
        SyntaxRule::Tasks,
        SyntaxRule::Alerts,
        SyntaxRule::Formulas,
        SyntaxRule::RustAttributes,
        SyntaxRule::AdmonishOptions,
        SyntaxRule::HtmlBlocks,
        SyntaxRule::ReadmeIsIndex,
    ],
    ..USUAL
};

const CONFIG: &str = "book.toml";

fn read(tree: &dyn FileTree) -> Option<Repository> {
    let config = Values::of(CONFIG, &tree.text(CONFIG)?);
    let content = folder(&config.value("book.src").unwrap_or_else(|| "src".into()));
    let navigation = within(&content, "SUMMARY.md");
    tree.is_folder(&content).then(|| Repository {
        configuration: Some(CONFIG.to_string()),
        content: PublishedFolder::at_root(&content),
        base_url: config.value("output.html.site-url"),
        title: config.value("book.title"),
        language: config.value("book.language"),
        excluded: unlisted(tree, &content, &navigation, Kind::Mdbook).into_iter().collect(),
        defines_labels: has_own_program(&config),
        is_programmed: tree.text(&navigation).is_none() || has_own_program(&config),
        navigation: tree.text(&navigation).is_some().then_some(navigation),
        // <https://github.com/google/mdbook-i18n-helpers>
        unread_translations: UnreadTranslations::of("po", translations(tree), false),
        routes: vec!["/print.html".into(), "/404.html".into()],
        ..Repository::of_kind(&CONVENTION)
    })
}

/// Returns the languages with texts for gettext.
fn translations(tree: &dyn FileTree) -> Vec<String> {
    tree.names("po").iter().filter_map(|name| Some(name.strip_suffix(".po")?.to_string())).collect()
}

/// Whether a program of the repository changes the book, which may add chapters. Published ones are named `mdbook-NAME`.
fn has_own_program(config: &Values) -> bool {
    let command = |name: &String| config.value(&format!("preprocessor.{name}.command"));
    config.keys("preprocessor").iter().filter_map(command).any(|command| !command.starts_with("mdbook-"))
}

/// Returns the files that aren't in the list of chapters. They aren't pages, but pages may include them.
pub(super) fn unlisted(tree: &dyn FileTree, content: &str, navigation: &str, kind: Kind) -> Vec<String> {
    let Some(list) = tree.text(navigation) else { return Vec::new() };
    let listed = list_of(kind, navigation, &list).pages;
    let is_unlisted = |file: &String| file.ends_with(".md") && !listed.contains(file);
    let files = tree.files(content).into_iter().filter(is_unlisted);
    files.map(|file| within(content, &glob::escape(&file))).collect()
}
