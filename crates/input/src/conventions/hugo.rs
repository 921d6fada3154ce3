//! Hugo: <https://gohugo.io/content-management/>.

use std::sync::Arc;

use super::tree::within;
use super::values::{Values, folder, ids_in, language_folders};
use super::{
    AnchorRule, Convention, FileTree, FrontMatterReader, Kind, Meaning, OpenFolder, Patterns,
    PublishedFolder, Publisher, Repository, Slugs, Syntax, SyntaxRule, TranslationFolder, USUAL,
};
use base::glob;
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Hugo,
    name: "a Hugo site",
    endings: &["md", "markdown"],
    indices: &["_index", "index"],
    is_lower_case: true,
    slugs: Slugs::Path,
    links_from_root: true,
    leaves_links: true,
    lists_sections: true,
    keys: &[
        ("weight", Meaning::Order),
        // <https://gohugo.io/content-management/urls/#url>
        ("url", Meaning::Address),
        ("build.render", Meaning::Rendered),
        ("_build.render", Meaning::Rendered),
    ],
    has_toml: true,
    syntax: &[Syntax::Shortcodes],
    anchors: AnchorRule::Trimmed,
    read,
    front_matter: FrontMatterReader::Go,
    ignores_key_case: true,
    rules: &[SyntaxRule::Tasks, SyntaxRule::Definitions, SyntaxRule::LinesInList, SyntaxRule::HtmlBlocks],
    ..USUAL
};

const CONFIGS: &[&str] = &[
    "hugo.toml",
    "hugo.yaml",
    "hugo.yml",
    "hugo.json",
    "config/_default/hugo.toml",
    "config/_default/hugo.yaml",
    "config/_default/hugo.yml",
    "config/_default/config.toml",
    "config/_default/config.yaml",
    "config.toml",
    "config.yaml",
    "config.json",
];

fn read(tree: &dyn FileTree) -> Option<Repository> {
    let (name, config) =
        CONFIGS.iter().find_map(|name| Some((*name, Values::of(name, &tree.text(name)?))))?;
    let known = ["baseURL", "baseurl", "theme", "languageCode", "defaultContentLanguage", "contentDir"];
    // Other programs also have a `config.toml`.
    let is_own = name.contains("hugo.") || name.contains('/');
    // Zola's has another form of the name.
    let is_of_zola = config.value("base_url").is_some() && config.value("baseURL").is_none();
    let has_key = |key: &&str| config.value(key).is_some() || !config.keys(key).is_empty();
    if !is_own && (is_of_zola || !known.iter().any(has_key)) {
        return None;
    }
    let whole = folder(&config.value("contentDir").unwrap_or_else(|| "content".into()));
    let (of_languages, path) = LANGUAGE_FILES
        .iter()
        .find_map(|name| Some((Values::of(name, &tree.text(name)?), "")))
        .filter(|_| config.keys("languages").is_empty())
        .unwrap_or((config.clone(), "languages."));
    let languages = if path.is_empty() { of_languages.all_keys() } else { config.keys("languages") };
    let folder_of =
        |language: &str| of_languages.value(&format!("{path}{language}.contentDir")).map(|it| folder(&it));
    let first = config.value("defaultContentLanguage").unwrap_or_else(|| "en".into());
    let by_folder =
        folder_of(&first).or_else(|| Some(format!("{whole}/{first}")).filter(|path| tree.is_folder(path)));
    let others: Vec<String> = languages.into_iter().filter(|language| *language != first).collect();
    let content = by_folder.unwrap_or_else(|| whole.clone());
    let is_below = config.value("defaultContentLanguageInSubdir").as_deref() == Some("true");
    let at = if is_below { first.clone() } else { String::new() };
    let mut statics = vec![PublishedFolder::at_root(&folder(
        &config.value("staticDir").unwrap_or_else(|| "static".into()),
    ))];
    let themes = config.texts("theme").into_iter().map(|theme| format!("themes/{theme}/static"));
    statics.extend(themes.filter(|path| tree.is_folder(path)).map(|path| PublishedFolder::at_root(&path)));
    let mounts = Mounts::of(tree, &config, &first);
    statics.extend(mounts.statics);
    let content = mounts.root.filter(|_| !tree.is_folder(&content)).unwrap_or(content);
    let content = PublishedFolder { path: content, at };
    let sets =
        if mounts.sets.is_empty() { Vec::new() } else { [vec![content.clone()], mounts.sets].concat() };
    let mut openings = mounts.openings;
    openings.extend(taxonomies(&config));
    let permalinks = Permalinks::of(&config);
    openings.extend(permalinks.openings);
    let mut translations = language_folders(tree, &whole, &others);
    let by_folder = |language: &String| {
        let original = String::new();
        Some(TranslationFolder { path: folder_of(language)?, original, language: language.clone() })
    };
    translations.extend(others.iter().filter_map(by_folder));
    translations.stable_sort();
    translations.dedup();
    let goldmark = |key: &str| config.value(&format!("markup.goldmark.parser.{key}"));
    let anchors = match goldmark("autoIDType").or_else(|| goldmark("autoHeadingIDType")).as_deref() {
        Some("github-ascii") => Some(AnchorRule::Ascii),
        Some("blackfriday") => Some(AnchorRule::Blackfriday),
        _ => None,
    };
    tree.is_folder(&content.path).then(|| Repository {
        configuration: Some(name.to_string()),
        has_all_shortcodes: has_all_shortcodes(tree, &config),
        simple_shortcodes: simple_shortcodes(tree),
        shortcode_arguments: Arc::new(shortcode_arguments(tree)),
        values: Arc::new(parameters(tree)),
        anchors: anchors.unwrap_or(CONVENTION.anchors),
        layouts: Arc::new(
            ["_vendor", "layouts", "themes"].iter().flat_map(|folder| ids_in(tree, folder)).collect(),
        ),
        translations,
        own_suffix: Some(first.clone()),
        other_languages: others,
        content: if sets.is_empty() { content } else { PublishedFolder::default() },
        sets,
        statics,
        openings,
        is_programmed: permalinks.are_dated,
        may_break_links: config.at("blackfriday").is_some(),
        excluded: resources(tree, &whole),
        ignores_case: looks_up_links(tree, &config),
        base_url: config.value("baseURL").or_else(|| config.value("baseurl")),
        title: config.value("title"),
        language: Some(first),
        includes: shortcode_folders(tree, &config),
        ..Repository::of_kind(&CONVENTION)
    })
}

/// The folders of the site's own shortcodes.
const SHORTCODES: [&str; 2] = ["layouts/shortcodes", "layouts/_shortcodes"];

/// Returns the folders of the site's shortcodes, and those of its themes and copied modules.
fn shortcode_folders(tree: &dyn FileTree, config: &Values) -> Vec<String> {
    let all = template_folders(tree, config).into_iter();
    let all = all.flat_map(|folder| SHORTCODES.map(|name| (format!("{folder}{name}"), folder.is_empty())));
    all.filter(|(path, is_own)| *is_own || tree.is_folder(path)).map(|(path, _)| path).collect()
}

/// Returns the folders that contain `layouts`, each with a slash at its end: that of the site, and those of its themes and copied
/// modules, <https://gohugo.io/hugo-modules/use-modules/#vendor-your-modules>.
fn template_folders(tree: &dyn FileTree, config: &Values) -> Vec<String> {
    let themes = config.texts("theme").into_iter().map(|theme| format!("themes/{theme}/"));
    let module = module_of(tree);
    let imports = imports_of(module.as_ref(), config);
    let imports = imports.filter_map(|it| it.get("path")?.as_str().map(|path| format!("_vendor/{path}/")));
    [String::new()].into_iter().chain(themes).chain(imports).collect()
}

/// Returns the part of the configuration about modules that has a file of its own.
fn module_of(tree: &dyn FileTree) -> Option<Values> {
    MODULE_FILES.iter().find_map(|name| Some(Values::of(name, &tree.text(name)?)))
}

fn imports_of<'v>(
    module: Option<&'v Values>,
    config: &'v Values,
) -> impl Iterator<Item = &'v serde_json::Value> {
    let imports = module.and_then(|it| it.list_at("imports"));
    imports.or_else(|| config.list_at("module.imports")).into_iter().flatten()
}

/// Returns the files without front matter in leaf bundles, which the bundle's page may show:
/// <https://gohugo.io/content-management/page-bundles/#leaf-bundles>.
fn resources(tree: &dyn FileTree, content: &str) -> Patterns {
    let files = tree.files(content);
    let parts = |file: &str| -> Option<(String, String)> {
        let (folder, name) = file.rsplit_once('/')?;
        Some((folder.to_string(), name.split('.').next()?.to_string()))
    };
    let is_page = |file: &&String| CONVENTION.endings.iter().any(|it| file.ends_with(&format!(".{it}")));
    let pages = || files.iter().filter(is_page).filter_map(|file| Some((file, parts(file)?)));
    let bundles: SortedSet<String> =
        pages().filter(|(_, (_, name))| name == "index").map(|(_, (folder, _))| folder).collect();
    let is_in_bundle = |folder: &str| {
        let above = folder.match_indices('/').map(|(end, _)| &folder[..end]);
        above.chain([folder]).any(|it| bundles.contains(it))
    };
    let others = pages().filter(|(_, (folder, name))| name != "index" && is_in_bundle(folder));
    let others = others.map(|(file, _)| within(content, file));
    let has_front_matter =
        |text: String| ["---", "+++"].iter().any(|fence| text.trim_start().starts_with(fence));
    let is_text = |file: &String| !tree.peek(file).is_some_and(has_front_matter);
    others.filter(is_text).map(|file| glob::escape(&file).into_owned()).collect()
}

/// Whether no theme or module that may have templates of shortcodes is missing. Private folders aren't listed.
fn has_all_shortcodes(tree: &dyn FileTree, config: &Values) -> bool {
    let of_modules = ["go.mod", "config/_default/module.toml", "config/_default/module.yaml"];
    let has_modules = ["module.imports", "imports"].iter().any(|key| config.at(key).is_some())
        || of_modules.iter().any(|name| tree.text(name).is_some());
    let is_here = |theme: &String| tree.is_folder(&format!("themes/{theme}"));
    let has_layouts = tree.is_folder("layouts") && !tree.is_folder("layouts/_shortcodes");
    !has_modules && has_layouts && config.texts("theme").iter().all(is_here)
}

/// Returns the names of the shortcodes of the site whose templates contain no ID, no other template, and no content.
fn simple_shortcodes(tree: &dyn FileTree) -> SortedSet<String> {
    /// What may write an ID.
    const SIGNS: [&str; 7] =
        ["id=", "Inner", "arkdownify", "RenderString", "partial", "template", "readFile"];
    let is_simple = |text: &str| !SIGNS.iter().any(|sign| text.contains(sign));
    templates(tree).into_iter().filter(|(_, text)| is_simple(text)).map(|(name, _)| name).collect()
}

/// Returns the names of the site's own shortcodes with their templates.
fn templates(tree: &dyn FileTree) -> Vec<(String, String)> {
    let files = SHORTCODES
        .iter()
        .flat_map(|folder| tree.files(folder).into_iter().map(|file| (within(folder, &file), file)));
    let named =
        |(path, file): (String, String)| Some((file.strip_suffix(".html")?.to_string(), tree.text(&path)?));
    files.filter_map(named).collect()
}

/// Returns the names of the arguments that a shortcode reads, of those whose templates name all of them:
/// <https://gohugo.io/methods/shortcode/get/>.
fn shortcode_arguments(tree: &dyn FileTree) -> SortedMap<String, SortedSet<String>> {
    /// <https://gohugo.io/shortcodes/figure/>
    const OF_FIGURE: [&str; 12] = [
        "alt", "attr", "attrlink", "caption", "class", "height", "link", "loading", "rel", "src", "target",
        "title",
    ];
    let templates = templates(tree);
    // A shortcode in another one reads its arguments.
    if templates.iter().any(|(_, text)| text.contains(".Parent")) {
        return SortedMap::new();
    }
    let arguments = |text: &str| -> Option<SortedSet<String>> {
        let is_passed_on = ["partial", "template", "inline"].iter().any(|word| text.contains(word));
        let of_page = |(at, _): &(usize, &str)| {
            ["Page", "ite", "File"].iter().any(|owner| text[..*at].ends_with(owner))
        };
        if is_passed_on || text.match_indices(".Params").any(|it| !of_page(&it)) {
            return None;
        }
        let reads = text.match_indices(".Get ").filter(|(at, _)| !text[..*at].ends_with("esources"));
        let named = |(at, read): (usize, &str)| {
            let argument = text[at + read.len()..].trim_start();
            let mark = argument.chars().next()?;
            match mark {
                '"' | '`' => Some(argument[1..].split(mark).next()?.to_string()),
                _ => mark.is_ascii_digit().then(String::new),
            }
        };
        reads.map(named).collect()
    };
    let figure = OF_FIGURE.iter().chain(&["width"]).map(ToString::to_string).collect();
    let own = templates.into_iter().map(|(name, text)| (name, arguments(&text)));
    let all = std::iter::once(("figure".to_string(), Some(figure))).chain(own);
    let known: SortedMap<String, Option<SortedSet<String>>> = all.collect();
    known.into_iter().filter_map(|(name, arguments)| Some((name, arguments?))).collect()
}

/// Whether a render hook looks up the pages of links, as Hugo's own does: <https://gohugo.io/render-hooks/links/>. The names
/// of pages are then in any case.
fn looks_up_links(tree: &dyn FileTree, config: &Values) -> bool {
    let setting = |key: &str| config.value(&format!("markup.goldmark.renderHooks.link.{key}"));
    let is_embedded = setting("enableDefault").is_some_and(|it| it == "true")
        || setting("useEmbedded").is_some_and(|it| matches!(&*it, "always" | "fallback"));
    let hooks = template_folders(tree, config).into_iter().flat_map(|folder| {
        ["_default/_markup", "_markup"].map(|name| format!("{folder}layouts/{name}/render-link.html"))
    });
    is_embedded || hooks.filter_map(|name| tree.text(&name)).any(|hook| hook.contains("GetPage"))
}

/// Folders mounted in addition to the default ones: <https://gohugo.io/configuration/module/#mounts>.
#[derive(Default)]
struct Mounts {
    /// The folder in place of `content`.
    root: Option<String>,
    sets: Vec<PublishedFolder>,
    statics: Vec<PublishedFolder>,
    openings: Vec<OpenFolder>,
}

impl Mounts {
    /// Returns the mounts of the first language.
    fn of(tree: &dyn FileTree, config: &Values, language: &str) -> Self {
        let in_file = module_of(tree);
        let in_config = config.list_at("module.mounts").map(<[_]>::to_vec).unwrap_or_default();
        let mut mounts =
            in_file.as_ref().and_then(|it| it.list_at("mounts")).map_or(in_config, <[_]>::to_vec);
        let imports = imports_of(in_file.as_ref(), config);
        // The sources of an import are folders of the imported module.
        let of_imports = imports.filter_map(|it| it.get("mounts")?.as_array());
        let imported: Vec<_> = of_imports.flatten().map(|mount| (mount.clone(), false)).collect();
        let all = mounts.drain(..).map(|mount| (mount, true)).chain(imported);
        let mut found = Self::default();
        for (mount, is_local) in all {
            let text = |key: &str| mount.get(key).and_then(serde_json::Value::as_str).map(folder);
            let (Some(source), Some(target)) = (text("source"), text("target")) else { continue };
            let is_other =
                text("lang").or_else(|| text("sites.matrix.languages")).is_some_and(|it| it != language);
            if is_other || mount.get("sites").is_some() {
                continue;
            }
            let (kind, at) = target.split_once('/').unwrap_or((&target, ""));
            let is_usual = source == kind || at.is_empty();
            let set = PublishedFolder { path: source, at: at.to_string() };
            match (kind, is_local && tree.is_folder(&set.path)) {
                ("content" | "static", _) if is_usual && !is_local => {}
                ("content", true) if !is_usual => found.sets.push(set),
                ("content", true) if set.path != kind => found.root = Some(set.path),
                ("static", true) => found.statics.push(set),
                ("content", false) => found.openings.push(OpenFolder::new(
                    at.trim_end_matches("/_index.md").trim_end_matches(".md"),
                    Publisher::Mount,
                )),
                ("static", false) if !at.is_empty() => {
                    found.openings.push(OpenFolder::new(at, Publisher::Mount));
                }
                _ => {}
            }
        }
        found.openings.retain(|it| it.folder != "/");
        found
    }
}

/// Returns the taxonomy lists.
fn taxonomies(config: &Values) -> Vec<OpenFolder> {
    let mut names: Vec<String> = config.scalars("taxonomies").into_iter().map(|(_, name)| name).collect();
    if names.is_empty() {
        names = vec!["tags".into(), "categories".into()];
    }
    names.iter().map(|name| OpenFolder::new(name, Publisher::Generator)).collect()
}

/// Addresses of sections with a permalink pattern: <https://gohugo.io/configuration/permalinks/>.
struct Permalinks {
    openings: Vec<OpenFolder>,
    /// Whether some patterns begin with a value of the page, such as its date.
    are_dated: bool,
}

impl Permalinks {
    fn of(config: &Values) -> Self {
        let patterns = config.scalars("permalinks");
        let fixed =
            |pattern: &str| pattern.split(':').next().unwrap_or_default().trim_matches('/').to_string();
        let fixed: Vec<String> = patterns.iter().map(|(_, pattern)| fixed(pattern)).collect();
        let openings =
            fixed.iter().filter(|it| !it.is_empty()).map(|it| OpenFolder::new(it, Publisher::Generator));
        Self { openings: openings.collect(), are_dated: fixed.iter().any(String::is_empty) }
    }
}

/// Returns the site's parameters by the lower-case names that pages use. All files are merged, and files that contain
/// only parameters take precedence.
fn parameters(tree: &dyn FileTree) -> SortedMap<String, String> {
    let mut parameters = SortedMap::new();
    let of_configs = CONFIGS.iter().rev().map(|name| (*name, "params"));
    for (name, path) in of_configs.chain(PARAMETER_FILES.iter().rev().map(|name| (*name, ""))) {
        let Some(text) = tree.text(name) else { continue };
        let scalars = Values::of(name, &text).scalars(path).into_iter();
        parameters.extend(scalars.map(|(name, value)| (format!("param {}", name.to_lowercase()), value)));
    }
    parameters
}

const PARAMETER_FILES: &[&str] =
    &["config/_default/params.toml", "config/_default/params.yaml", "config/_default/params.yml"];

const MODULE_FILES: &[&str] =
    &["config/_default/module.toml", "config/_default/module.yaml", "config/_default/module.yml"];

const LANGUAGE_FILES: &[&str] =
    &["config/_default/languages.toml", "config/_default/languages.yaml", "config/_default/languages.yml"];
