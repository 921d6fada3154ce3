//! `MkDocs`, and Zensical and `ProperDocs` with the same configuration: <https://www.mkdocs.org/user-guide/configuration/>.

use std::sync::Arc;

use super::sphinx;
use super::tree::within;
use super::values::{Values, folder, ids_in, language_folders, look_through};
use super::{
    AnchorRule, BasePath, Convention, FileTree, FrontMatterReader, Kind, LeftOut, Meaning, NOTEBOOKS,
    OpenFolder, Patterns, PublishedFolder, Publisher, RelativePaths, Repository, Syntax, SyntaxRule, USUAL,
    Underscored, UnreadLinks, are_nearly_all,
};
use crate::dialect::{self, LinkDefinitions};
use base::site_path::{self, is_inside};
use base::sorted::SortedMap;

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Mkdocs,
    name: "an MkDocs site",
    endings: &["md", "markdown"],
    indices: &["index", "readme"],
    leaves_out_readme: true,
    keys: &[("weight", Meaning::Order)],
    syntax: &[Syntax::Indented, Syntax::Kramdown, Syntax::CodePipes, Syntax::Snippets],
    anchors: AnchorRule::Python,
    needs_titles: false,
    unread_forms: &[NOTEBOOKS],
    left_out: LeftOut { keys: &["tags"], help: "add it to `not_in_nav` in `{list}`" },
    read,
    base: BasePath::Hosted,
    underscored: Underscored::Read,
    relative: RelativePaths::OfFile,
    has_programs_for_texts: true,
    front_matter: FrontMatterReader::MkDocs,
    rules: &[
        SyntaxRule::Tasks,
        SyntaxRule::Definitions,
        SyntaxRule::Attributes,
        SyntaxRule::Icons,
        SyntaxRule::LinesInText,
        SyntaxRule::MarkdownInElements,
        SyntaxRule::HtmlPaths,
    ],
    ..USUAL
};

/// A site with the configuration of Zensical, which reads `MkDocs` sites: <https://zensical.org/docs/setup/basics/>.
const ZENSICAL: Convention = Convention { name: "a Zensical site", ..CONVENTION };

/// A site with a plugin that reads tags: <https://mrkeo.github.io/mkdocs-include-markdown-plugin/>,
/// <https://mkdocs-macros-plugin.readthedocs.io>.
const WITH_TAGS: Convention = Convention {
    syntax: &[Syntax::Indented, Syntax::Kramdown, Syntax::CodePipes, Syntax::Snippets, Syntax::Tags],
    ..CONVENTION
};

const CONFIGS: &[&str] = &["mkdocs.yml", "mkdocs.yaml", CONFIG_OF_ZENSICAL];
const CONFIG_OF_ZENSICAL: &str = "zensical.toml";

/// Returns the name and text of the configuration. The commands take a file with another name: `--config-file`.
fn config_of(tree: &dyn FileTree) -> Option<(String, String)> {
    let usual = CONFIGS.iter().find_map(|name| Some(((*name).to_string(), tree.text(name)?)));
    let is_yaml = |name: &String| name.ends_with(".yml") || name.ends_with(".yaml");
    let others = || tree.names("").into_iter().filter(is_yaml);
    usual.or_else(|| {
        others().filter_map(|name| Some((tree.text(&name)?, name))).find_map(|(text, name)| {
            let has = |key: &str| {
                text.lines().any(|line| line.strip_prefix(key).is_some_and(|it| it.starts_with(':')))
            };
            let is_config = has("site_name") && ["docs_dir", "nav", "theme", "plugins"].into_iter().any(has);
            is_config.then_some((name, text))
        })
    })
}

/// Parses a configuration. Plugins and extensions may be lists or tables. That of Zensical has its settings in a table
/// (<https://zensical.org/docs/setup/basics/>), in which some names of extensions are split (`_convert_markdown_extensions`).
pub(super) fn settings_of(name: &str, text: &str) -> Values {
    let config = Values::of(name, text);
    let config = if name.ends_with(CONFIG_OF_ZENSICAL) { config.table("project") } else { config };
    config
        .listed("plugins", &[])
        .listed("markdown_extensions", &["pymdownx", "pymdownx.blocks", "zensical", "zensical.extensions"])
}

/// Whether nearly all pages are MDX, which `MkDocs` doesn't read: its configuration is left from before.
fn was_replaced(tree: &dyn FileTree, content: &str) -> bool {
    let files = tree.files(content);
    let count = |ending: &str| files.iter().filter(|file| file.ends_with(ending)).count();
    let components = count(".mdx");
    components > 0 && are_nearly_all(components, components + count(".md"))
}

fn read(tree: &dyn FileTree) -> Option<Repository> {
    let (name, text) = config_of(tree).filter(|_| tree.text(sphinx::HIDDEN).is_none())?;
    let config = settings_of(&name, &text);
    // <https://www.mkdocs.org/user-guide/configuration/#configuration-inheritance>
    let parent = config.value("INHERIT").and_then(|file| {
        let file = folder(&within(site_path::parent(&name), &file));
        Some(settings_of(&file, &tree.text(&file)?))
    });
    let value = |key: &str| config.value(key);
    let content = folder(&value("docs_dir").unwrap_or_else(|| "docs".into()));
    // A build writes the pages there. One that copies them with the configuration changes none.
    let is_built = !tree.is_folder(&content);
    let content = if is_built { source_of(tree, &config, &content)? } else { content };
    if was_replaced(tree, &content) {
        return None;
    }
    // A theme may be the folder of the pages, or contain it.
    let theme = value("theme.custom_dir").map(|path| folder(&path));
    if let Some(theme) = theme.filter(|theme| *theme != content && !is_inside(&content, theme)) {
        look_through(tree, &theme);
    }
    let languages = Languages::of(&config);
    let first = languages.first.as_ref().filter(|_| languages.have_folders);
    let of_first = first.map(|first| format!("{content}/{first}"));
    let of_first = of_first.filter(|path| tree.is_folder(path));
    // The pages of the original language may be next to the folders of the others.
    let translations =
        if languages.have_folders { language_folders(tree, &content, &languages.others) } else { Vec::new() };
    // Each language has a copy of the other folders.
    let is_language =
        |name: &String| languages.others.contains(name) || languages.first.as_ref() == Some(name);
    let has_others = of_first.is_some();
    let is_shared =
        |name: &String| has_others && !is_language(name) && tree.is_folder(&within(&content, name));
    let shared: Vec<String> = tree.names(&content).into_iter().filter(is_shared).collect();
    let shared_openings = shared.iter().map(|name| OpenFolder::new(name, Publisher::Generator));
    let unread = shared.iter().map(|name| PublishedFolder { path: within(&content, name), at: name.clone() });
    let convention = match () {
        () if reads_tags(&config) => &WITH_TAGS,
        () if name == CONFIG_OF_ZENSICAL => &ZENSICAL,
        () => &CONVENTION,
    };
    let configs = || [Some(&config), parent.as_ref()].into_iter().flatten();
    let appended: Vec<Option<String>> = configs().flat_map(|config| appended(tree, config)).collect();
    Some(Repository {
        openings: openings(tree, &config)
            .into_iter()
            .chain(shared_openings)
            .chain(parts(tree, &name, &config))
            .collect(),
        unread: unread.collect(),
        routes: [redirects(&config), notebooks(tree, &config, &content)].concat(),
        programs: programs(tree, &config),
        is_programmed: is_built && !content.is_empty() || configs().any(is_programmed),
        own_suffix: languages.first.clone().filter(|_| !languages.have_folders),
        other_languages: if languages.have_folders { Vec::new() } else { languages.others },
        translations,
        content: PublishedFolder::at_root(of_first.as_deref().unwrap_or(&content)),
        // The text may be the name of an environment variable.
        base_url: value("site_url").filter(|url| url.contains("://")),
        title: value("site_name"),
        // The plugin sets the language of the theme.
        language: languages.first.or_else(|| value("theme.language")),
        includes: snippet_folders(&config),
        has_own_alerts: has_own_alerts(&config),
        excluded: value("exclude_docs").map(|text| excluded(&content, &text)).unwrap_or_default(),
        unlisted: value("not_in_nav").map(|text| excluded(&content, &text)).unwrap_or_default(),
        navigation: config.has_list("nav").then(|| name.clone()),
        configuration: Some(name),
        anchors: anchors(&config).or_else(|| anchors(parent.as_ref()?)).unwrap_or(CONVENTION.anchors),
        layouts: Arc::new(
            value("theme.custom_dir").map(|path| ids_in(tree, &folder(&path))).unwrap_or_default(),
        ),
        values: Arc::new(values(&config)),
        unread_links: unread_links(&config, parent.as_ref()),
        definitions: Arc::new(definitions(&appended)),
        defines_labels: appended.contains(&None) || configs().any(defines_labels),
        links_by_name: configs().any(links_by_name),
        has_formulas: configs().any(has_formulas),
        has_own_lists: configs().any(has_own_lists),
        ..Repository::of_kind(convention)
    })
}

/// Returns the folders of addresses that other configurations next to this one publish: languages, versions.
fn parts(tree: &dyn FileTree, name: &str, config: &Values) -> Vec<OpenFolder> {
    let Some(own) = config.value("site_url").filter(|url| url.contains("://")) else { return Vec::new() };
    let is_config =
        |it: &String| it != name && [".yml", ".yaml", ".toml"].iter().any(|ending| it.ends_with(ending));
    let part = |file: String| {
        let text = tree.text(&file).filter(|text| text.contains("site_url"))?;
        let config = Values::of(&file, &text);
        let url = config.value("site_url").or_else(|| config.value("project.site_url"))?;
        let below = url.strip_prefix(own.trim_end_matches('/'))?.trim_matches('/');
        (!below.is_empty()).then(|| OpenFolder::new(below, Publisher::Generator))
    };
    tree.names("").into_iter().filter(is_config).filter_map(part).collect()
}

/// Returns the addresses of notebooks that a plugin publishes: <https://github.com/danielfrg/mkdocs-jupyter>.
fn notebooks(tree: &dyn FileTree, config: &Values, content: &str) -> Vec<String> {
    let is_read = plugins_of(config).iter().any(|name| name == "mkdocs-jupyter");
    let files = tree.files(content).into_iter().filter(|_| is_read);
    let pages = files.filter(|file| file.ends_with(".ipynb")).map(|file| format!("/{file}"));
    // Links name the file, too.
    let addresses = |file: String| {
        let page = file.trim_end_matches(".ipynb").to_string();
        [format!("{page}/"), page, file]
    };
    pages.flat_map(addresses).collect()
}

fn reads_tags(config: &Values) -> bool {
    has_macros(config) || plugins_of(config).iter().any(|name| name == "include-markdown")
}

/// Whether a plugin treats pages as templates.
fn has_macros(config: &Values) -> bool {
    let is_one = |name: &String| matches!(name.as_str(), "macros" | "markdownextradata" | "mkdocs-macros");
    plugins_of(config).iter().any(is_one)
}

/// Returns the folder of the pages that a build writes to `content`: the one around it, or that of the configuration if it contains
/// most pages of its list.
fn source_of(tree: &dyn FileTree, config: &Values, content: &str) -> Option<String> {
    let around = site_path::parent(content);
    if !around.is_empty() && tree.has_pages(around) {
        return Some(around.to_string());
    }
    let listed = config.texts("nav");
    let files = tree.files("");
    let is_there = |page: &&String| files.contains(page);
    (!listed.is_empty() && 2 * listed.iter().filter(is_there).count() >= listed.len()).then(String::new)
}

/// Returns the texts of the hooks: <https://www.mkdocs.org/user-guide/configuration/#hooks>.
fn programs(tree: &dyn FileTree, config: &Values) -> Arc<str> {
    let hooks = config.texts("hooks");
    hooks.iter().filter_map(|file| tree.text(&folder(file))).collect::<String>().into()
}

/// Whether the configuration contains the extension for formulas.
fn has_formulas(config: &Values) -> bool {
    config.names("markdown_extensions").iter().any(|name| name == "pymdownx.arithmatex")
}

/// Whether an extension such as `mdx_truly_sane_lists` or `mdx_breakless_lists` reads lists.
fn has_own_lists(config: &Values) -> bool {
    let extensions = config.names("markdown_extensions");
    extensions.iter().any(|name| name.starts_with("mdx_") && name.ends_with("lists"))
}

/// Whether a plugin looks up the files of links by their names.
fn links_by_name(config: &Values) -> bool {
    plugins_of(config).iter().any(|name| matches!(name.as_str(), "autolinks" | "ezlinks" | "roamlinks"))
}

/// Returns the names of all plugins.
fn plugins_of(config: &Values) -> Vec<String> {
    config.names("plugins")
}

/// Returns the settings of a plugin.
fn plugin<'a>(config: &'a Values, name: &str) -> Option<&'a serde_json::Value> {
    config.list_at("plugins")?.iter().find_map(|it| it.get(name))
}

/// The languages that `mkdocs-static-i18n` configures.
#[derive(Default)]
struct Languages {
    /// The language of the original.
    first: Option<String>,
    others: Vec<String>,
    have_folders: bool,
}

impl Languages {
    fn of(config: &Values) -> Self {
        let Some(settings) = plugin(config, "i18n") else { return Self::default() };
        let by_folder = settings.get("docs_structure").and_then(serde_json::Value::as_str) == Some("folder");
        // Version 0 of the plugin has a table of languages.
        if let Some(table) = settings.get("languages").and_then(serde_json::Value::as_object) {
            let first =
                settings.get("default_language").and_then(serde_json::Value::as_str).map(String::from);
            let others = table.keys().filter(|it| *it != "default" && Some(*it) != first.as_ref());
            return Self { others: others.cloned().collect(), first, have_folders: by_folder };
        }
        let languages = settings.get("languages").and_then(serde_json::Value::as_array).into_iter().flatten();
        let locale = |it: &serde_json::Value| Some(it.get("locale")?.as_str()?.to_string());
        let is_first =
            |it: &&serde_json::Value| it.get("default").and_then(serde_json::Value::as_str) == Some("true");
        let (first, others): (Vec<_>, Vec<_>) = languages.partition(is_first);
        Self {
            first: first.into_iter().find_map(locale),
            others: others.into_iter().filter_map(locale).collect(),
            have_folders: by_folder,
        }
    }
}

/// Returns the folders of pages that plugins publish by their own rules: blog posts, and folders of other
/// configurations.
fn openings(tree: &dyn FileTree, config: &Values) -> Vec<OpenFolder> {
    let names = plugins_of(config);
    let has = |name: &str| names.iter().any(|it| it.rsplit('/').next() == Some(name));
    let blog = blog_folder(config).unwrap_or("blog");
    let posts = ["", "/archive", "/category", "/author", "/page"].map(|name| format!("{blog}{name}"));
    let dated =
        posts.into_iter().filter(|_| has("blog")).map(|it| OpenFolder::new(&it, Publisher::Generator));
    // The monorepo plugin's `nav: [Other: '!include ./other/mkdocs.yml']`.
    let included = config.texts("nav").into_iter().filter_map(|it| {
        let file = folder(it.strip_prefix("!include")?.trim());
        Values::of("mkdocs.yml", &tree.text(&file)?).value("site_name")
    });
    // <https://github.com/jimporter/mike>: each version is published in a folder, and often with a second name.
    let has_versions = config.value("extra.version.provider").as_deref() == Some("mike") || has("mike");
    let latest = config
        .value("extra.version.default")
        .into_iter()
        .chain(["latest", "stable", "dev"].map(String::from));
    let versions: Vec<OpenFolder> =
        latest.filter(|_| has_versions).map(|name| OpenFolder::new(&name, Publisher::Version)).collect();
    dated
        .chain(versions)
        .chain(included.map(|name| OpenFolder::new(&name.to_lowercase().replace(' ', "-"), Publisher::Mount)))
        .collect()
}

/// Returns the folder of a blog: <https://squidfunk.github.io/mkdocs-material/plugins/blog/#config.blog_dir>.
pub(super) fn blog_folder(config: &Values) -> Option<&str> {
    let settings = plugin(config, "blog").or_else(|| plugin(config, "material/blog"))?;
    settings.get("blog_dir")?.as_str()
}

/// Pages and files that plugins add: <https://timvink.github.io/mkdocs-print-site-plugin/>, <https://guts.github.io/mkdocs-rss-plugin/>.
#[rustfmt::skip]
const ADDED: [(&str, &[&str]); 2] = [
    ("print-site", &["/print_page.html", "/print_page"]),
    ("rss", &[
        "/feed_rss_created.xml", "/feed_rss_updated.xml", "/feed_json_created.json", "/feed_json_updated.json",
    ]),
];

/// Returns the old paths of `mkdocs-redirects`, as files and as addresses, and what plugins add.
fn redirects(config: &Values) -> Vec<String> {
    let maps = plugin(config, "redirects").and_then(|it| it.get("redirect_maps")?.as_object());
    let former = maps.into_iter().flat_map(|map| map.keys());
    let page = |path: &String| format!("/{}", path.trim_end_matches(".md").trim_end_matches("index"));
    let plugins = plugins_of(config);
    let added = ADDED.iter().filter(|(plugin, _)| plugins.iter().any(|name| name == plugin));
    let added = added.flat_map(|(_, paths)| *paths).map(|path| (*path).to_string());
    former.flat_map(|path| [format!("/{path}"), page(path)]).chain(added).collect()
}

/// Plugins that add no pages, or only those that are read elsewhere in this file: <https://github.com/mkdocs/catalog>.
#[rustfmt::skip]
const WITHOUT_PAGES: &[&str] = &[
    "abbrevs", "alias", "asciinema-player", "autolinks", "autorefs", "awesome-nav", "awesome-pages", "badges", "bibtex", "blog",
    "build_plantuml", "callouts", "caption", "charts", "codeinclude", "d2", "document-dates", "drawio", "encryptcontent",
    "enumerate-headings", "exclude", "exclude-search", "ezlinks", "file-filter", "git-authors", "git-committers", "git-committers-2",
    "git-latest-changes", "git-revision-date", "git-revision-date-localized", "glightbox", "graphviz", "group", "htmlproofer", "i18n",
    "image-captions", "img2fig", "include-markdown", "info", "jupyter", "kroki", "link-marker", "literate-nav", "llmstxt", "macros",
    "markdown-exec", "markdownextradata", "markmap", "material-plausible", "mermaid2", "meta", "mike", "minify", "mkdocstrings",
    "monorepo", "nav-weight", "offline", "open-in-new-tab", "optimize", "panzoom", "pdf-export", "plantuml", "print-site", "privacy",
    "projects", "puml", "pymdownx", "redirects", "replace-markdown", "roamlinks", "rss", "same-dir", "search", "section-index",
    "site-urls", "social", "spellcheck", "swagger-ui-tag", "table-reader", "tags", "techdocs-core", "termynal", "tooltips", "typeset",
    "version-annotations", "video", "with-pdf",
];

/// Whether hooks or a plugin may generate pages.
fn is_programmed(config: &Values) -> bool {
    let bare = |name: &String| {
        let name = name.rsplit('/').next().unwrap_or_default();
        name.strip_prefix("mkdocs-").unwrap_or(name).to_string()
    };
    let plugins = plugins_of(config);
    plugins.iter().map(bare).any(|name| !WITHOUT_PAGES.contains(&name.as_str())) || config.has_list("hooks")
}

/// Returns the `toc` rule if the configuration replaces Python-Markdown's default.
fn anchors(config: &Values) -> Option<AnchorRule> {
    let of_toc = |list: &serde_json::Value| Some(list.get("toc")?.get("slugify").is_some());
    let mut items = config.list_at("markdown_extensions")?.iter();
    items.find_map(of_toc).filter(|is_set| *is_set).map(|_| AnchorRule::Trimmed)
}

/// Whether a plugin or one of the site's programs resolves link labels, as `autorefs` does.
fn defines_labels(config: &Values) -> bool {
    let plugins = plugins_of(config);
    let by_plugin = plugins.iter().any(|name| matches!(name.as_str(), "autorefs" | "mkdocstrings"));
    by_plugin || config.has_list("hooks")
}

/// Returns the texts that `pymdownx.snippets` appends to every page, and `None` for one that isn't in the repository:
/// <https://facelessuser.github.io/pymdown-extensions/extensions/snippets/#auto-append-snippets>.
fn appended(tree: &dyn FileTree, config: &Values) -> Vec<Option<String>> {
    /// Maximum depth of files that include each other.
    const DEEPEST: usize = 4;
    fn add(file: &str, text: &dyn Fn(&str) -> Option<String>, depth: usize, all: &mut Vec<Option<String>>) {
        let found = text(file).filter(|_| depth < DEEPEST);
        for included in found.iter().flat_map(|text| snippets_in(text)) {
            add(included, text, depth + 1, all);
        }
        all.push(found);
    }
    let folders = snippet_folders(config);
    let text = |file: &str| {
        let below = folders.iter().find_map(|folder| tree.text(&format!("{folder}/{file}")));
        below.or_else(|| tree.text(file))
    };
    let mut all = Vec::new();
    for file in config.texts_below("markdown_extensions", "auto_append") {
        add(&file, &text, 0, &mut all);
    }
    all
}

/// Returns the files that a text includes with `--8<-- "file"`, or in lines between two `--8<--`.
fn snippets_in(text: &str) -> impl Iterator<Item = &str> {
    let mut is_inside = false;
    text.lines().map(str::trim).filter_map(move |line| match line.strip_prefix("--8<--") {
        Some("") => {
            is_inside = !is_inside;
            None
        }
        Some(file) => Some(file.trim().trim_matches(['"', '\''])),
        None => Some(line).filter(|file| is_inside && !file.is_empty()),
    })
}

/// Returns the link definitions of these texts.
fn definitions(texts: &[Option<String>]) -> LinkDefinitions {
    let lines = texts.iter().flatten().flat_map(|text| text.lines());
    let definition = |line: &str| {
        let (label, rest) = line.strip_prefix('[')?.split_once("]:")?;
        let (target, title) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
        let target = target.trim_start_matches('<').trim_end_matches('>');
        let title = title.trim().trim_matches(['"', '\'']);
        let is_link = !label.starts_with('^') && !target.is_empty();
        is_link.then(|| (dialect::label(label), (target.to_string(), title.to_string())))
    };
    lines.filter_map(definition).collect()
}

/// `MkDocs` reads links to files relative to the page: `path_to_url` in its `structure/pages.py`. Paths from the root need a setting:
/// <https://www.mkdocs.org/user-guide/configuration/#validation-of-absolute-links>. A program may change any link.
fn unread_links(config: &Values, parent: Option<&Values>) -> UnreadLinks {
    let configs = || [Some(config), parent].into_iter().flatten();
    let value = |path: &str| configs().find_map(|config| config.value(path));
    let is_about_links = |name: &String| name.contains("link") || name.contains("url");
    let changes_links =
        |config: &Values| config.has_list("hooks") || plugins_of(config).iter().any(is_about_links);
    let has_files = value("use_directory_urls").as_deref() == Some("false");
    let is_relative = ["validation.links.absolute_links", "validation.absolute_links"]
        .into_iter()
        .any(|path| value(path).as_deref() == Some("relative_to_docs"));
    let reads_all = configs().any(changes_links) || has_files || is_relative;
    if reads_all { UnreadLinks::None } else { UnreadLinks::NoFiles }
}

/// Returns the values that pages can insert as templates.
fn values(config: &Values) -> SortedMap<String, String> {
    if !has_macros(config) {
        return SortedMap::new();
    }
    let mut values: SortedMap<String, String> = config.scalars("extra").into_iter().collect();
    values.extend(config.scalars("").into_iter().map(|(name, value)| (format!("config.{name}"), value)));
    values
}

/// Returns the folders from which `pymdownx.snippets` includes files.
fn snippet_folders(config: &Values) -> Vec<String> {
    let found = config.texts_below("markdown_extensions", "base_path");
    found.iter().map(|path| folder(path)).filter(|path| !path.is_empty()).collect()
}

/// Whether `pymdownx.quotes` makes notes of quotes that begin with `[!name]`, whatever the name is.
fn has_own_alerts(config: &Values) -> bool {
    let is_on = |item: &serde_json::Value| {
        let callouts = item.get("pymdownx.quotes").and_then(|quotes| quotes.get("callouts"));
        callouts.is_some_and(|value| value.as_str() == Some("true") || value.as_bool() == Some(true))
    };
    config.list_at("markdown_extensions").unwrap_or_default().iter().any(is_on)
}

/// Converts the lines of `exclude_docs`, which use the syntax of `.gitignore`, to patterns relative to the root.
fn excluded(content: &str, written: &str) -> Patterns {
    let lines =
        written.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '!']));
    let pattern = |line: &str| {
        if line.trim_end_matches('/').contains('/') {
            format!("{content}/{}", line.trim_start_matches('/'))
        } else {
            format!("{content}/**/{line}")
        }
    };
    lines.map(pattern).collect()
}
