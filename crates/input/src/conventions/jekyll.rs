//! Jekyll and its documentation themes: <https://jekyllrb.com/docs/>.

use std::sync::Arc;

use serde_json::Value;

use super::tree::{Subtree, within};
use super::values::{Values, base_url, folder, ids_in};
use super::{
    ABOUT, AnchorRule, BasePath, Convention, FileTree, FormPlace, FrontMatterReader, Kind, Meaning,
    OpenFolder, PublishedFolder, Publisher, RelativePaths, Repository, Slugs, Syntax, SyntaxRule, USUAL,
    UnreadForm, UnreadTranslations, plain,
};
use base::site_path;
use base::sorted::SortedSet;

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Jekyll,
    name: "a Jekyll site",
    endings: &["md", "markdown"],
    // GitHub adds a plugin for folders without an index: <https://github.com/benbalter/jekyll-readme-index>.
    indices: &["index", "readme"],
    shows_site_title: true,
    slugs: Slugs::WholePath,
    keys: &[
        ("nav_order", Meaning::Order),
        ("permalink", Meaning::Slug),
        ("redirect_from", Meaning::Aliases),
        ("redirect_to", Meaning::Redirect),
        ("published", Meaning::Published),
    ],
    // A site may declare them as a collection.
    unread_forms: &[UnreadForm { noun: "post", plural: "posts", place: FormPlace::InSite("_posts") }],
    syntax: &[Syntax::Liquid, Syntax::Kramdown, Syntax::CodePipes],
    has_page_files: true,
    read,
    base: BasePath::AddedToData,
    relative: RelativePaths::OfFile,
    leaves_links: true,
    front_matter: FrontMatterReader::LibYaml,
    // <https://github.com/benbalter/jekyll-titles-from-headings>, which GitHub adds
    title_level: 3,
    rules: &[
        SyntaxRule::Tasks,
        SyntaxRule::Definitions,
        SyntaxRule::ContentsOfList,
        SyntaxRule::DetachedAttributes,
    ],
    ..USUAL
};

/// Whether a folder has the templates or the program of a site without a configuration, as GitHub publishes it.
fn is_unconfigured(tree: &dyn FileTree, root: &str) -> bool {
    let has_templates = tree.names(&format!("{root}_layouts")).iter().any(|name| name.ends_with(".html"));
    let is_of_eleventy =
        |name: &String| name.starts_with(".eleventy.") || name.starts_with("eleventy.config.");
    let has_program = || {
        let gems = tree.text(&format!("{root}Gemfile")).unwrap_or_default();
        ["jekyll", "github-pages"].iter().any(|gem| gems.contains(gem))
    };
    (has_templates || has_program()) && !tree.names("").iter().any(is_of_eleventy)
}

fn read(tree: &dyn FileTree) -> Option<Repository> {
    // A site in `docs/` may have moved to another generator.
    let is_of_other = |root: &&str| {
        let folder = root.trim_end_matches('/');
        !root.is_empty() && super::mdx::is_configured(&Subtree { tree, folder })
    };
    let roots = ["", "docs/"].into_iter().filter(|root| !is_of_other(root));
    let (root, name, config, is_literal) = roots.into_iter().find_map(|root| {
        let names = ["_config.yml", "_config.yaml"].map(|name| format!("{root}{name}"));
        let config = names.into_iter().find_map(|name| Some((tree.text(&name)?, Some(name))));
        let (text, name) = config.or_else(|| is_unconfigured(tree, root).then(|| (String::new(), None)))?;
        let is_literal =
            text.contains("render_with_liquid").then(|| ("render_with_liquid".into(), "false".into()));
        Some((root.trim_end_matches('/'), name, Values::of("_config.yml", &text), is_literal))
    })?;
    // Hexo's configuration file has the same name. GitHub Pages reads it for a site of docsify, too.
    let is_of_hexo = plain::is_hexo(tree, root) || plain::is_theme_of_hexo(tree, root);
    if is_of_hexo || plain::is_page_of_docsify(tree, root) || is_theme_of_gitbook(tree, root, &config) {
        return None;
    }
    let content = match config.value("source").map(|source| folder(&source)) {
        Some(source) if !source.is_empty() => source,
        _ => root.to_string(),
    };
    let within = |name: &str| within(&content, name);
    // <https://jekyllrb.com/docs/collections/#setup>
    let place_in_site = config.value("collections_dir").map(|place| folder(&place)).unwrap_or_default();
    let place = within(&place_in_site);
    let included = included(tree, &config, &content);
    let collections =
        config.keys("collections").into_iter().map(|name| self::within(&place, &format!("_{name}")));
    let collections = collections.chain(included.iter().map(|folder| folder.path.clone())).collect();
    let (elsewhere, slugified) = collections_elsewhere(&config, &place, place != content);
    let defaults = config.list_at("defaults").unwrap_or_default().iter();
    let defaults: Vec<_> = defaults.filter_map(|default| default_elsewhere(default, &content)).collect();
    let elsewhere = [elsewhere, defaults].concat();
    let sets = [elsewhere, included].concat();
    let sets = if sets.is_empty() { sets } else { [vec![PublishedFolder::at_root(&content)], sets].concat() };
    let base = config.value("baseurl").unwrap_or_default();
    let base_url = base_url(config.value("url"), &base);
    let excluded = config.keys("exclude");
    let excluded = excluded.iter().map(|path| within(path.trim_start_matches('/')));
    // They are pages only if they have front matter: <https://github.com/benbalter/jekyll-optional-front-matter>.
    let about = ABOUT.iter().map(|name| within(name));
    let is_page = |file: &String| tree.peek(file).is_some_and(|text| text.starts_with("---"));
    let files = tree.files(&content);
    let (with_index, readme) = (folders_with(&files, "index"), within("README.md"));
    // Next to an index, a README is published as it is.
    let is_about = |file: &String| !is_page(file) && (*file != readme || with_index.contains(""));
    let beside =
        files.iter().filter(|file| is_named(file, "readme") && with_index.contains(site_path::parent(file)));
    let beside: Vec<&String> = beside.collect();
    let excluded = excluded.chain(about.filter(is_about)).chain(beside.iter().map(|file| within(file)));
    let excluded = excluded.collect();
    let values = config.scalars("").into_iter().chain(is_literal);
    let layouts = ["_layouts", "_includes"].iter().flat_map(|folder| ids_in(tree, &within(folder)));
    Some(Repository {
        configuration: name,
        page_templates: Arc::new(page_templates(
            tree,
            &config,
            &within(&config.value("layouts_dir").unwrap_or_else(|| "_layouts".into())),
        )),
        excluded,
        values: Arc::new(
            values
                .chain(data(tree, &within(&config.value("data_dir").unwrap_or_else(|| "_data".into()))))
                .map(|(name, value)| (format!("site.{name}"), value))
                .collect(),
        ),
        statics: vec![PublishedFolder { path: within("assets"), at: "assets".into() }],
        routes: [
            posts(tree, &content, &self::within(&place_in_site, "_posts")),
            html_pages(tree, &content),
            beside.iter().map(|file| format!("/{}", file.trim_end_matches(".md"))).collect(),
        ]
        .concat(),
        openings: permalinks(&config),
        is_programmed: has_own_addresses(&config),
        includes: vec![within("_includes")],
        content: PublishedFolder::at_root(&content),
        anchors: match config.value("kramdown.input").as_deref() {
            Some("kramdown") => AnchorRule::Kramdown,
            _ => CONVENTION.anchors,
        },
        layouts: Arc::new(layouts.collect()),
        sets,
        slugified,
        collections,
        base_url: Some(base_url),
        title: config.value("title"),
        // <https://github.com/untra/polyglot> and similar plugins.
        unread_translations: UnreadTranslations::of(
            &super::tree::within(root, "_config.yml"),
            Some(config.texts("languages")).filter(|all| all.len() > 1).unwrap_or_default(),
            true,
        ),
        language: config.value("lang").or_else(|| config.value("default_lang")),
        ..Repository::of_kind(&CONVENTION)
    })
}

/// Returns the values in data files, by the names by which pages insert them, without `site`: <https://jekyllrb.com/docs/datafiles/>.
fn data(tree: &dyn FileTree, folder: &str) -> Vec<(String, String)> {
    /// Maximum size of a file in bytes. In larger ones, templates look for entries.
    const LARGEST: usize = 32 * 1024;
    let of_file = |file: String| {
        let (name, ending) = file.rsplit_once('.')?;
        let is_data = matches!(ending, "yml" | "yaml" | "json");
        let text =
            is_data.then(|| tree.text(&self::within(folder, &file)))?.filter(|it| it.len() <= LARGEST)?;
        let name = format!("data.{}", name.replace('/', "."));
        let values = Values::of(&file, &text).shown();
        Some(values.into_iter().map(move |(key, value)| (format!("{name}.{key}"), value)))
    };
    tree.files(folder).into_iter().filter_map(of_file).flatten().collect()
}

/// Whether GitHub only shows the pages of `GitBook` with a theme: the list of pages contains the home page as `README.md`.
fn is_theme_of_gitbook(tree: &dyn FileTree, root: &str, config: &Values) -> bool {
    let list = tree.text(&super::tree::within(root, "SUMMARY.md")).unwrap_or_default();
    config
        .names("")
        .iter()
        .all(|name| matches!(name.as_str(), "theme" | "remote_theme" | "title" | "description"))
        && list.contains("](README.md)")
}

/// Returns the names of all templates of pages, with those of a well-known theme, or of GitHub's default theme. Empty for other themes.
fn page_templates(tree: &dyn FileTree, config: &Values, folder: &str) -> SortedSet<String> {
    const OF_GITHUB: &[&str] = &["default", "home", "page", "post"];
    const OF_THEMES: [(&str, &[&str]); 2] = [
        ("minima", &["base", "default", "home", "page", "post"]),
        ("just-the-docs", &["about", "default", "home", "minimal", "page", "post", "table_wrappers"]),
    ];
    let files = tree.files(folder);
    let theme = config.value("theme").or_else(|| config.value("remote_theme"));
    let name = theme.as_ref().and_then(|theme| theme.split('@').next()?.rsplit('/').next());
    let of_theme = OF_THEMES.iter().find(|(theme, _)| Some(*theme) == name).map(|(_, names)| *names);
    if theme.is_some() && of_theme.is_none() || theme.is_none() && files.is_empty() {
        return SortedSet::new();
    }
    let names = files.iter().filter_map(|file| Some(file.rsplit_once('.')?.0.to_string()));
    let of_theme = of_theme.unwrap_or(OF_GITHUB).iter().map(ToString::to_string);
    names.chain(of_theme).collect()
}

/// Returns the folders of pages that are read although their names begin with `_`, with their addresses:
/// <https://jekyllrb.com/docs/configuration/options/#global-configuration>.
fn included(tree: &dyn FileTree, config: &Values, content: &str) -> Vec<PublishedFolder> {
    let names = config.texts("include").into_iter().map(|name| folder(&name));
    let private = names.filter(|name| name.starts_with('_') && tree.is_folder(&within(content, name)));
    private.map(|name| PublishedFolder { path: within(content, &name), at: name }).collect()
}

/// Returns the collections whose pages have the names of their files in a folder that a pattern sets, and those of them that write the
/// names in another way. If collections have a folder of their own, `place`, the pattern may be the usual one:
/// <https://jekyllrb.com/docs/permalinks/#collections>.
fn collections_elsewhere(
    config: &Values,
    place: &str,
    is_apart: bool,
) -> (Vec<PublishedFolder>, Vec<String>) {
    let (mut sets, mut slugified) = (Vec::new(), Vec::new());
    for name in config.keys("collections") {
        let pattern = config.value(&format!("collections.{name}.permalink"));
        let Some(pattern) = pattern.or_else(|| is_apart.then(|| "/:collection/:path".into())) else {
            continue;
        };
        let pattern = pattern.replace(":collection", &name);
        let Some((at, variable)) = pattern.split_once(':') else { continue };
        let path = within(place, &format!("_{name}"));
        match variable.split(['/', '.']).next() {
            Some("path") => {}
            Some("name" | "title" | "slug") => slugified.push(path.clone()),
            _ => continue,
        }
        sets.push(PublishedFolder { path, at: folder(at) });
    }
    (sets, slugified)
}

/// Returns the folder whose pages have another address by default, such as `/:basename/` for those in `manual`:
/// <https://jekyllrb.com/docs/configuration/front-matter-defaults/>.
fn default_elsewhere(default: &Value, content: &str) -> Option<PublishedFolder> {
    let path = default.pointer("/scope/path")?.as_str().filter(|path| !path.is_empty())?;
    let (at, variable) = permalink_of(default)?.split_once(':')?;
    let is_name = matches!(variable.trim_end_matches('/'), "basename" | "path");
    is_name.then(|| PublishedFolder { path: within(content, path), at: folder(at) })
}

fn permalink_of(default: &Value) -> Option<&str> {
    default.pointer("/values/permalink")?.as_str()
}

/// Returns the folders of pages with a permalink pattern, from collections and defaults.
fn permalinks(config: &Values) -> Vec<OpenFolder> {
    let patterns =
        [config.texts_below("collections", "permalink"), config.texts_below("defaults", "permalink")]
            .concat();
    let fixed = patterns.iter().map(|pattern| pattern.split(':').next().unwrap_or_default());
    fixed
        .filter(|it| !it.trim_matches('/').is_empty())
        .map(|it| OpenFolder::new(it, Publisher::Generator))
        .collect()
}

/// Whether the defaults of pages contain an address that begins with a placeholder, such as `/:title/`, so that any address may be
/// that of a page.
fn has_own_addresses(config: &Values) -> bool {
    let begins = |pattern: &str| pattern.trim_start_matches('/').starts_with(':');
    let mut defaults = config.list_at("defaults").unwrap_or_default().iter();
    defaults.any(|it| permalink_of(it).is_some_and(begins) && default_elsewhere(it, "").is_none())
}

/// Returns the addresses of HTML pages: by their path and by their front matter.
fn html_pages(tree: &dyn FileTree, content: &str) -> Vec<String> {
    let mut routes = Vec::new();
    for file in tree.files(content) {
        let Some(stem) = file.strip_suffix(".html") else { continue };
        let page = format!("/{}", stem.strip_suffix("index").unwrap_or(stem).trim_matches('/'));
        routes.extend([page.clone(), format!("{page}.html")]);
        let text = tree.peek(&within(content, &file)).unwrap_or_default();
        let front = Values::of_page(&text);
        routes.extend(["permalink", "redirect_from"].into_iter().filter_map(|key| front.value(key)));
        routes.extend(front.texts("redirect_from"));
    }
    routes
}

/// Whether a file has a name, in any case and with any extension.
fn is_named(file: &str, name: &str) -> bool {
    let stem = site_path::file_name(file).split_once('.').map(|(stem, _)| stem);
    stem.is_some_and(|stem| stem.eq_ignore_ascii_case(name))
}

/// Returns the folders that contain a file with a name.
fn folders_with<'f>(files: &'f [String], name: &str) -> SortedSet<&'f str> {
    files.iter().filter(|file| is_named(file, name)).map(|file| site_path::parent(file)).collect()
}

/// Returns the addresses of posts, `2025-03-01-name.md`, with any prefix before the date, and the paths by which
/// `{% link _posts/2025-03-01-name.md %}` finds them in the site's folder.
fn posts(tree: &dyn FileTree, content: &str, folder: &str) -> Vec<String> {
    let files = tree.files(&within(content, folder));
    let sources = files.iter().map(|file| format!("/{}", within(folder, file)));
    // The configuration may use another permalink pattern than dates.
    let name = |address: String| {
        let name = site_path::file_name(&address).to_string();
        [address, format!("/*/{name}"), format!("/*/{name}.html")]
    };
    files.iter().filter_map(|file| post_address(file)).flat_map(name).chain(sources).collect()
}

/// Returns a post's default address: `/2025/03/01/name/`.
pub fn post_address(name: &str) -> Option<String> {
    let name = name.rsplit('/').next()?;
    let stem =
        [".md", ".markdown", ".html"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    let mut parts = stem.splitn(4, '-');
    let (year, month, day, rest) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_date = [year, month, day].iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    is_date.then(|| format!("/{year}/{month}/{day}/{rest}"))
}
