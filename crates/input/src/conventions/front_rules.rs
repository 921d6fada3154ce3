//! Values of front matter that a generator's configuration or data closes.

use super::closed::FrontRule;
use super::tree::within;
use super::values::{Values, folder};
use super::{FileTree, Kind, Repository};

/// Returns the rules of a repository.
pub(super) fn rules(tree: &dyn FileTree, repository: &Repository) -> Vec<FrontRule> {
    match (repository.kind(), repository.config(tree)) {
        (Kind::Mkdocs, Some((name, text))) => {
            of_mkdocs(tree, repository, &super::mkdocs::settings_of(&name, &text))
        }
        _ => Vec::new(),
    }
}

/// <https://squidfunk.github.io/mkdocs-material/plugins/blog/>, <https://squidfunk.github.io/mkdocs-material/plugins/tags/>,
/// <https://www.mkdocs.org/user-guide/customizing-your-theme/>, <https://squidfunk.github.io/mkdocs-material/reference/#setting-the-page-status>.
fn of_mkdocs(tree: &dyn FileTree, repository: &Repository, config: &Values) -> Vec<FrontRule> {
    const OF_THEME: [&str; 8] = [
        "404.html",
        "base.html",
        "blank.html",
        "blog.html",
        "blog-post.html",
        "home.html",
        "main.html",
        "redirect.html",
    ];
    let states = config.keys("extra.status");
    let file = repository.configuration.clone().filter(|_| !states.is_empty());
    let names = states.into_iter().chain(["deprecated", "new"].map(String::from)).collect();
    let state = file.map(|file| FrontRule::Name { key: "status", file, names });
    let plugins = config.names("plugins");
    let has = |name: &str| plugins.iter().any(|it| it.rsplit('/').next() == Some(name));
    let mut rules: Vec<FrontRule> = state.into_iter().collect();
    if has("tags") {
        rules.push(FrontRule::List { key: "tags" });
    }
    if has("blog") {
        let blog = repository.content.with("blog");
        rules.push(FrontRule::Day { key: "date", folder: blog.clone() });
        let file = within(&blog, ".authors.yml");
        if let Some(text) = tree.text(&file) {
            let names = Values::of(".authors.yml", &text).keys("authors").into_iter().collect();
            rules.push(FrontRule::Names { key: "authors", folder: blog, file, names });
        }
    }
    if let Some(path) = config.value("theme.custom_dir").map(|path| within(&repository.site, &folder(&path)))
        && tree.is_folder(&path)
    {
        let files = tree.files(&path).into_iter().filter(|file| file.ends_with(".html"));
        let names = files.chain(OF_THEME.map(String::from)).collect();
        rules.push(FrontRule::Template { key: "template", folder: path, names });
    }
    rules
}
