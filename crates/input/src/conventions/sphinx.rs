//! Sphinx with Markdown support by `MyST`: <https://myst-parser.readthedocs.io/en/latest/>.

use std::sync::Arc;

use super::tree::within;
use super::values::{Values, folder, literal};
use super::{
    AnchorRule, Convention, FileTree, FrontMatterReader, Kind, LeftOut, NOTEBOOKS, OpenFolder,
    PublishedFolder, Publisher, RST, RelativePaths, Repository, Syntax, SyntaxRule, TEMPLATES, USUAL,
    Underscored, UnreadLinks, UnreadTranslations,
};
use base::lines::placed;
use base::site_path;
use base::sorted::SortedSet;

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Sphinx,
    name: "a Sphinx site",
    syntax: &[Syntax::Myst],
    anchors: AnchorRule::Docutils,
    needs_titles: false,
    unread_forms: &[RST, NOTEBOOKS, TEMPLATES],
    left_out: LeftOut { keys: &["orphan"], help: "add `orphan: true` to its front matter" },
    has_page_files: true,
    publishes_only_pages: true,
    read,
    underscored: Underscored::Read,
    relative: RelativePaths::AmongFiles,
    has_programs_for_texts: true,
    front_matter: FrontMatterReader::LibYaml,
    rules: &[
        SyntaxRule::Definitions,
        SyntaxRule::Roles,
        SyntaxRule::Substitutions,
        SyntaxRule::Directives,
        SyntaxRule::HtmlBlocks,
    ],
    ..USUAL
};

/// The setting with the values of `{{ name }}`.
const SUBSTITUTIONS: &str = "myst_substitutions";

/// Pages that Sphinx generates.
const ROUTES: [&str; 4] = ["/genindex.html", "/search.html", "/modindex.html", "/py-modindex.html"];

/// The beginnings of the names of published extensions. Others are programs of the site.
const PUBLISHED: &[&str] = &[
    "sphinx",
    "myst",
    "nbsphinx",
    "notfound",
    "recommonmark",
    "numpydoc",
    "jupyter",
    "ablog",
    "hoverxref",
    "IPython",
    "matplotlib",
    "m2r",
];

/// The option that makes files of any kind pages: <https://myst-nb.readthedocs.io/en/latest/authoring/custom-formats.html>.
const FORMATS: &str = "nb_custom_formats";

/// A configuration of Sphinx in a hidden folder.
pub(super) const HIDDEN: &str = ".sphinx/conf.py";

/// The setting with the patterns of files that are no pages.
const EXCLUDED: &str = "exclude_patterns";

/// Common folders of `conf.py`.
const PLACES: &[&str] = &["", "docs", "docs/source", "doc", "doc/source", "source", "documentation"];

fn read(tree: &dyn FileTree) -> Option<Repository> {
    by_program(tree).or_else(|| by_list(tree))
}

/// Reads a Jupyter Book before version 2, whose configuration is `_config.yml`: <https://jupyterbook.org/v1/customize/toc.html>.
fn by_list(tree: &dyn FileTree) -> Option<Repository> {
    let content = ["", "docs", "book"].into_iter().find(|it| tree.text(&within(it, "_toc.yml")).is_some())?;
    let config = tree.text(&within(content, "_config.yml")).unwrap_or_default();
    let config = Values::of("_config.yml", &config);
    let excluded = config.texts(EXCLUDED).into_iter().map(|pattern| within(content, &pattern));
    tree.has_pages(content).then(|| Repository {
        content: PublishedFolder::at_root(content),
        base_url: config.value("html.baseurl").filter(|url| url.contains("://")),
        title: config.value("title"),
        excluded: excluded.chain([within(content, "_build/**")]).collect(),
        includes: vec![content.to_string()],
        routes: ROUTES.map(String::from).into(),
        is_programmed: !config.texts("sphinx.local_extensions").is_empty()
            || !config.keys(&format!("sphinx.config.{FORMATS}")).is_empty(),
        // <https://jupyterbook.org/v1/content/content-blocks.html#substitutions-across-multiple-pages>
        output_names: Some(config.keys(&format!("parse.{SUBSTITUTIONS}")).into())
            .filter(|it: &SortedSet<_>| !it.is_empty()),
        layouts: Arc::new(labels_of_others(tree, content)),
        has_formulas: true,
        defines_labels: !config.texts("sphinx.extra_extensions").is_empty(),
        navigation: Some(within(content, "_toc.yml")),
        ..Repository::of_kind(&CONVENTION)
    })
}

fn by_program(tree: &dyn FileTree) -> Option<Repository> {
    let usual = || {
        PLACES.iter().find_map(|place| {
            let file = within(place, "conf.py");
            tree.text(&file).map(|text| (*place, file, text))
        })
    };
    let (content, file, config) = in_hidden_folder(tree).or_else(usual)?;
    // Without one of these, Sphinx reads only reStructuredText. Another extension may add one, and so may a program.
    let reads_markdown =
        ["myst_parser", "myst_nb", "recommonmark", "m2r"].iter().any(|name| config.contains(name));
    // `extensions += […]` adds to those of another module.
    let sets_extensions = || {
        let rest = config.lines().filter_map(|line| line.strip_prefix("extensions"));
        rest.into_iter().any(|rest| rest.trim_start().starts_with('='))
    };
    let may_read = || !sets_extensions() && has_root_page(tree, content) && imports_settings(&config);
    if !tree.has_pages(content) || !reads_markdown && !may_read() && !has_directives(tree, content) {
        return None;
    }
    let within = |path: &str| within(content, path);
    let config = with_modules(tree, content, config);
    let excluded = texts(&config, EXCLUDED);
    let writes = ["apidoc", "autosummary", "breathe", "exhale", "gallery"];
    let extensions = extensions(&config);
    // The configuration is a program, and may write pages itself, as may the programs next to it.
    let is_writing = |program: &str| [".write(", ".write_text("].iter().any(|call| program.contains(call));
    let files = tree.files(content).into_iter().filter(|file| file.ends_with(".py") && !file.contains('/'));
    let mut programs = files.filter_map(|file| tree.text(&folder(&format!("{content}/{file}"))));
    let is_programmed = !reads_markdown
        || extensions.iter().any(|name| writes.iter().any(|it| name.contains(it)))
        || is_writing(&config)
        || config.lines().any(|line| line.starts_with(FORMATS))
        || calls_programs(&config)
        || programs.any(|program| is_writing(&program));
    let has_unknown = !extensions.iter().all(|name| is_published(name));
    Some(Repository {
        configuration: Some(file),
        content: PublishedFolder::at_root(content),
        statics: texts(&config, "html_extra_path")
            .iter()
            .map(|path| PublishedFolder::at_root(&within(path)))
            .chain(static_folders(&config, content))
            .collect(),
        base_url: texts(&config, "html_baseurl").into_iter().find(|url| url.contains("://")),
        output_names: substitutions(&config).or_else(|| loaded_substitutions(tree, content, &config)),
        title: texts(&config, "html_title").into_iter().chain(texts(&config, "project")).next(),
        language: texts(&config, "language").into_iter().next(),
        unread_translations: translations(tree, content, texts(&config, "locale_dirs")),
        excluded: excluded.iter().map(|pattern| within(pattern)).collect(),
        includes: vec![content.to_string()],
        routes: ROUTES.map(String::from).into_iter().chain(others(tree, content, &config)).collect(),
        is_programmed,
        // An unknown extension may set this, and so it is certain only without one.
        unread_links: if leaves_links(&config) || has_unknown {
            UnreadLinks::None
        } else {
            UnreadLinks::Html
        },
        openings: api_folder(&config, &extensions).into_iter().collect(),
        programs: config.as_str().into(),
        listed_by_unread: listed_by_others(tree, content),
        layouts: Arc::new(
            labels_of_others(tree, content).into_iter().chain(works(tree, content, &config)).collect(),
        ),
        anchors: if has_own_ids(&config) { AnchorRule::Any } else { CONVENTION.anchors },
        has_formulas: texts(&config, "myst_enable_extensions").iter().any(|name| name == "dollarmath"),
        // Their labels are in code, or in other projects.
        defines_labels: config.lines().filter(|line| !line.trim_start().starts_with('#')).any(|line| {
            ["intersphinx", "autodoc", "autosectionlabel", "automodapi"].iter().any(|it| line.contains(it))
        }) || has_unknown
            || is_programmed,
        ..Repository::of_kind(&CONVENTION)
    })
}

/// Returns the folder of the pages that an extension writes for code:
/// <https://sphinx-autoapi.readthedocs.io/en/latest/reference/config.html#confval-autoapi_root>.
fn api_folder(config: &str, extensions: &[String]) -> Option<OpenFolder> {
    extensions.iter().find(|name| name.starts_with("autoapi"))?;
    let folder = texts(config, "autoapi_root").into_iter().next().unwrap_or_else(|| "autoapi".to_string());
    Some(OpenFolder::new(&folder, Publisher::Generator))
}

/// Returns the folder of pages, the configuration, and its text, of projects that keep the configuration in a hidden folder:
/// <https://www.sphinx-doc.org/en/master/man/sphinx-build.html#cmdoption-sphinx-build-c>.
fn in_hidden_folder(tree: &dyn FileTree) -> Option<(&'static str, String, String)> {
    let config = tree.text(HIDDEN)?;
    Some((["doc", "docs"].into_iter().find(|folder| tree.has_pages(folder))?, HIDDEN.to_string(), config))
}

/// Whether a configuration gets its settings from a package, as those of companies with many projects do.
fn imports_settings(config: &str) -> bool {
    #[rustfmt::skip]
    const LIBRARY: [&str; 10] =
        ["__future__", "collections", "datetime", "importlib", "os", "pathlib", "re", "subprocess", "sys", "typing"];
    let package = |line: &str| Some(line.strip_prefix("from ")?.split([' ', '.']).next()?.to_string());
    config.lines().filter_map(package).any(|name| !name.is_empty() && !LIBRARY.contains(&&*name))
}

/// Whether the folder has the page that contains all others: <https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-root_doc>.
fn has_root_page(tree: &dyn FileTree, content: &str) -> bool {
    ["index.rst", "index.md", "index.ipynb"].iter().any(|name| tree.peek(&within(content, name)).is_some())
}

/// Whether the function that Sphinx calls first calls others than those of Sphinx, which may write pages:
/// <https://www.sphinx-doc.org/en/master/extdev/index.html#the-setup-function>.
fn calls_programs(config: &str) -> bool {
    let body = config.lines().skip_while(|line| !line.starts_with("def setup(")).skip(1);
    let body = body.take_while(|line| line.is_empty() || line.starts_with([' ', '\t']));
    let is_call = |line: &str| {
        let called = line.trim().split_once('(').map_or("", |(called, _)| called);
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let is_called = !called.is_empty() && called.chars().all(is_name) && !called.starts_with("app.");
        // It runs before Sphinx reads the pages.
        is_called || line.contains("builder-inited")
    };
    body.into_iter().any(is_call)
}

/// Whether a link to an HTML file stays as it is:
/// <https://myst-parser.readthedocs.io/en/latest/configuration.html#global-configuration>.
fn leaves_links(config: &str) -> bool {
    config.contains("myst_all_links_external") || config.contains("recommonmark") && !config.contains("myst")
}

/// Returns the paths of documents in other formats, by which links name them, and their addresses if the parser leaves links as they
/// are. `MyST` writes `#b.html` for `[x](b.html)`.
fn others(tree: &dyn FileTree, content: &str, config: &str) -> Vec<String> {
    let has_notebooks = config.contains("myst_nb") || config.contains("nbsphinx");
    let leaves_links = leaves_links(config);
    let paths = |file: String| {
        let (stem, ending) = file.rsplit_once('.')?;
        let is_one = ending == "rst" || ending == "ipynb" && has_notebooks;
        let address = leaves_links.then(|| format!("/{stem}.html"));
        is_one.then(|| [Some(format!("/{file}")), address].into_iter().flatten())
    };
    tree.files(content).into_iter().filter_map(paths).flatten().collect()
}

/// Returns the folders whose files are published in `_static`.
fn static_folders<'c>(config: &str, content: &'c str) -> impl Iterator<Item = PublishedFolder> + use<'c> {
    let paths =
        texts(config, "html_static_path").into_iter().filter(|path| path.trim_matches('/') != "_static");
    paths.map(move |path| PublishedFolder {
        path: super::tree::within(content, path.trim_matches('/')),
        at: "_static".into(),
    })
}

/// Whether a function of the site generates the IDs of headings:
/// <https://myst-parser.readthedocs.io/en/latest/configuration.html#global-configuration>.
fn has_own_ids(config: &str) -> bool {
    config.lines().any(|line| line.starts_with("myst_heading_slug_func"))
}

/// Whether several Markdown pages contain directives, which only `MyST` reads.
fn has_directives(tree: &dyn FileTree, content: &str) -> bool {
    /// Pages with one.
    const FEWEST: usize = 2;
    /// Pages that are read.
    const MOST: usize = 50;
    let files = tree.files(content).into_iter().filter(|file| file.ends_with(".md"));
    let texts = files.filter_map(|file| tree.peek(&folder(&format!("{content}/{file}"))));
    let is_one = |line: &str| {
        let name = line.strip_prefix("```{").or_else(|| line.strip_prefix(":::{"));
        let name = name.and_then(|name| name.split_once('}')).map(|(name, _)| name);
        name.is_some_and(|name| name.starts_with(char::is_alphabetic) && !name.contains([' ', '.', '=']))
    };
    let has_one = |text: &String| text.lines().any(is_one);
    texts.take(MOST).filter(has_one).take(FEWEST).count() == FEWEST
}

/// Returns a `conf.py` with the modules next to it from which it imports all names.
fn with_modules(tree: &dyn FileTree, content: &str, config: String) -> String {
    let name = |line: &str| Some(line.strip_prefix("from ")?.strip_suffix("import *")?.trim().to_string());
    let names: Vec<String> = config.lines().filter_map(|line| name(line.trim_end())).collect();
    let modules = names.iter().filter_map(|name| tree.text(&folder(&format!("{content}/{name}.py"))));
    modules.fold(config, |all, module| all + "\n" + &module)
}

/// Whether an extension is published, and not a part of the repository.
pub(super) fn is_published(extension: &str) -> bool {
    PUBLISHED.iter().any(|it| extension.starts_with(it))
}

/// Returns the texts in `extensions`, and in all lists with a similar name, because they are often added to it.
pub(super) fn extensions(config: &str) -> Vec<String> {
    let name = |line: &str| Some(line.split_once('=')?.0.trim_end().to_string());
    // Those of MyST only change its syntax.
    let is_name = |name: &String| {
        let name = name.trim_end_matches([' ', '+']);
        name.ends_with("extensions") && name != "myst_enable_extensions"
    };
    let names: SortedSet<String> = config.lines().filter_map(name).filter(is_name).collect();
    names.iter().flat_map(|name| texts(config, name)).collect()
}

/// Finds the languages with texts for gettext: <https://www.sphinx-doc.org/en/master/usage/advanced/intl.html>.
fn translations(tree: &dyn FileTree, content: &str, mut folders: Vec<String>) -> Option<UnreadTranslations> {
    if folders.is_empty() {
        folders = vec!["locales".into(), "locale".into()];
    }
    folders.into_iter().find_map(|folder| {
        let folder = site_path::below_root(&format!("{content}/{folder}"))?;
        let mut languages = tree.names(&folder);
        languages.retain(|name| tree.is_folder(&format!("{folder}/{name}/LC_MESSAGES")));
        UnreadTranslations::of(&folder, languages, false)
    })
}

/// Returns the labels in files that aren't read because they aren't Markdown.
pub(super) fn labels_of_others(tree: &dyn FileTree, content: &str) -> SortedSet<String> {
    let is_source =
        |file: &String| [".rst", ".txt", ".ipynb", ".Rmd"].iter().any(|ending| file.ends_with(ending));
    let files = tree.files(content).into_iter().filter(is_source);
    let texts = files.filter_map(|file| tree.text(&folder(&format!("{content}/{file}"))));
    texts.flat_map(|text| labels_in(&text)).collect()
}

/// Returns the names of the documents in the lists of contents of other files, or `None` if a list has a pattern or isn't
/// reStructuredText: <https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html#directive-toctree>.
fn listed_by_others(tree: &dyn FileTree, content: &str) -> Option<SortedSet<String>> {
    const LIST: &str = "toctree::";
    let mut listed = SortedSet::new();
    for file in tree.files(content).into_iter().filter(|file| !file.ends_with(".md")) {
        let is_text = [".rst", ".txt", ".ipynb", ".Rmd", ".in"].iter().any(|ending| file.ends_with(ending));
        let text = if is_text { tree.text(&folder(&within(content, &file))) } else { None };
        let Some(text) = text.filter(|text| text.contains(LIST)) else { continue };
        if !file.ends_with(".rst") && !file.ends_with(".txt") || text.contains(":glob:") {
            return None;
        }
        let indent = |line: &str| line.len() - line.trim_start().len();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if !line.trim_start().starts_with(".. ") || !line.trim_end().ends_with(LIST) {
                continue;
            }
            while let Some(entry) = lines.next_if(|it| it.trim().is_empty() || indent(it) > indent(line)) {
                let entry = entry.trim();
                let name =
                    entry.strip_suffix('>').and_then(|it| it.rsplit_once('<')).map_or(entry, |it| it.1);
                let path = match name.strip_prefix('/') {
                    Some(path) => site_path::below_root(path),
                    None => site_path::below_root(&site_path::join(site_path::parent(&file), name)),
                };
                listed.extend(path.map(|path| document_name(&path).unwrap_or(&path).to_string()));
            }
        }
    }
    Some(listed)
}

/// Before the key of a work in a bibliography, in its label: `cite-knuth84`. <https://sphinxcontrib-bibtex.readthedocs.io>.
pub const WORK: &str = "cite-";

/// Returns the labels of the works in the bibliographies of a configuration, `@book{knuth84,`, or none if one of the files isn't there.
fn works(tree: &dyn FileTree, content: &str, config: &str) -> Vec<String> {
    let files = texts(config, "bibtex_bibfiles").into_iter();
    let texts: Option<Vec<String>> = files.map(|file| tree.text(&folder(&within(content, &file)))).collect();
    let works = |text: &String| {
        let entries = text.lines().filter_map(|line| line.trim_start().strip_prefix('@')?.split_once('{'));
        let keys = entries.filter_map(|(_, rest)| Some(rest.split_once(',')?.0.trim()));
        keys.map(|key| format!("{WORK}{key}")).collect::<Vec<_>>()
    };
    texts.unwrap_or_default().iter().flat_map(works).collect()
}

/// Before the text of a term in a glossary, in its label: `term-service`.
pub const TERM: &str = "term-";

/// Returns the labels that a source defines: `(label)=`, `.. _label:`, `{#label}`, the options `:name:` and `:label:` of
/// directives, the terms of a glossary, and the described objects.
pub fn labels_in(text: &str) -> Vec<String> {
    let label = |line: &str| -> Option<String> {
        let line = line.trim().trim_matches(['"', ',']).trim_end_matches("\\n");
        let label = match line.as_bytes().first()? {
            b'(' => line.strip_prefix('(')?.strip_suffix(")=")?,
            b'.' => line.strip_prefix(".. _")?.strip_suffix(':')?,
            b':' => line.strip_prefix(":name:").or_else(|| line.strip_prefix(":label:"))?,
            b'n' if line.starts_with("name:") => line.strip_prefix("name:")?,
            // Formulas: `$$ (name)`, `\label{name}`.
            _ => {
                let after = |sign: &str, end: &[char]| line.split_once(sign)?.1.split(end).next();
                after("{#", &[' ', '}'])
                    .or_else(|| after("$$ (", &[')']))
                    .or_else(|| after("\\label{", &['}']))?
            }
        };
        let label = label.trim().trim_matches(['`', '"', '\'']);
        (!label.is_empty()).then(|| label.to_string())
    };
    text.lines().filter_map(label).chain(terms_in(text)).chain(objects_in(text)).collect()
}

/// Returns the names by which links find the objects that a source describes: `a.b` and `b` for `{py:module} a.b`
/// (<https://www.sphinx-doc.org/en/master/usage/referencing.html#role-any>).
fn objects_in(text: &str) -> impl Iterator<Item = String> {
    let object = |line: &str| {
        let line = line.trim_start();
        let marked = line.trim_start_matches(['`', ':', '~']);
        let in_rst = line.strip_prefix(".. ").and_then(|line| line.split_once(":: "));
        let in_myst = || marked.strip_prefix('{').filter(|_| line.len() - marked.len() >= 3)?.split_once('}');
        let (directive, argument) = in_rst.or_else(in_myst)?;
        let name = argument.trim().split(['(', ' ']).next()?;
        let is_object = directive.contains(':') && !directive.contains(' ') && !name.is_empty();
        is_object.then(|| name.to_string())
    };
    let names = |name: String| {
        let end = name.rsplit_once('.').map(|(_, end)| end.to_string());
        [Some(name), end].into_iter().flatten()
    };
    text.lines().filter_map(object).flat_map(names).collect::<Vec<_>>().into_iter()
}

/// Returns the labels of the terms in a glossary: its lines with the indentation of the first
/// (<https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html#directive-glossary>).
fn terms_in(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for (start, _) in text.match_indices("glossary") {
        let after = &text[start + "glossary".len()..];
        let is_rst = after.starts_with("::");
        let opening = text[..start].lines().next_back().unwrap_or_default().trim();
        let marks = opening.trim_end_matches('{').trim();
        let is_directive = is_rst && opening == ".." || after.starts_with('}') && marks.len() > 2;
        if !is_directive || !is_rst && !marks.trim_matches([':', '`', '~']).is_empty() {
            continue;
        }
        let indent = |line: &str| line.len() - line.trim_start().len();
        let mut lines = after.lines().skip(1).filter(|line| {
            let line = line.trim();
            // A role begins like an option.
            !line.is_empty() && (!line.starts_with(':') || line.contains(":`"))
        });
        let end = |line: &&str| if is_rst { indent(line) > 0 } else { line.trim() != marks };
        let lines: Vec<&str> = lines.by_ref().take_while(end).collect();
        let column = lines.first().map_or(0, |line| indent(line));
        let of_first = lines.into_iter().filter(|line| indent(line) == column);
        terms.extend(of_first.map(|line| {
            let term = line.split(" : ").next().unwrap_or_default().trim();
            format!("{TERM}{}", shown(term))
        }));
    }
    terms
}

/// Returns a text without its code and roles, as readers see it: ``{class}`~.Function` (class)`` is "Function (class)"
/// (<https://www.sphinx-doc.org/en/master/usage/domains/index.html#cross-referencing-syntax>).
fn shown(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let mut shown = String::new();
    for (at, part) in parts.iter().enumerate() {
        let is_code = at % 2 == 1;
        if is_code {
            let title = part.split_once(" <").map_or(*part, |(title, _)| title);
            let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_string();
            shown += &title.strip_prefix('~').map_or_else(|| title.trim_start_matches('.').into(), last);
            continue;
        }
        let start = part.rfind(' ').map_or(0, |space| space + 1);
        let (before, word) = part.split_at(start);
        let is_role = word.starts_with('{') && word.ends_with('}')
            || word.len() > 2 && word.starts_with(':') && word.ends_with(':');
        shown += if is_role && at + 1 < parts.len() { before } else { part };
    }
    shown
}

/// Returns the name by which Sphinx knows a source in its folder: `guide/a` for `guide/a.md`.
pub fn document_name(path: &str) -> Option<&str> {
    let (name, ending) = path.rsplit_once('.')?;
    matches!(ending, "md" | "rst" | "ipynb" | "txt" | "markdown" | "Rmd").then_some(name)
}

/// Returns the names of the substitutions, if the configuration lists all of them in one table:
/// <https://myst-parser.readthedocs.io/en/latest/syntax/optional.html#substitutions-with-jinja2>.
fn substitutions(config: &str) -> Option<SortedSet<String>> {
    let (before, rest) = config.split_once(SUBSTITUTIONS)?;
    let table = rest.trim_start().strip_prefix('=')?.trim_start().strip_prefix('{')?;
    let is_only = (before.is_empty() || before.ends_with('\n')) && !rest.contains(SUBSTITUTIONS);
    let (mut names, mut at, mut depth) = (Vec::new(), 0, 0_usize);
    while let Some(next) =
        table[at..].find(['[', '(', '{', '}', ')', ']', '"', '\'', '#', '*']).map(|it| at + it)
    {
        at = next + 1;
        match table.as_bytes()[next] {
            b'[' | b'(' | b'{' => depth += 1,
            b'}' if depth == 0 => return is_only.then(|| SortedSet::from(names)),
            b']' | b')' | b'}' => depth = depth.checked_sub(1)?,
            b'#' => at = table[next..].find('\n').map_or(table.len(), |length| next + length),
            // Another table is inserted.
            b'*' => return None,
            _ => {
                let length = literal(&table[next..])?;
                at = next + length;
                if depth == 0 && table[at..].trim_start().starts_with(':') {
                    names.push(table[next + 1..at - 1].to_string());
                }
            }
        }
    }
    None
}

/// Returns the names of the substitutions, if the configuration loads all of them from files that it opens.
fn loaded_substitutions(tree: &dyn FileTree, content: &str, config: &str) -> Option<SortedSet<String>> {
    const LOADS: [&str; 2] = ["= ", ".update("];
    let mut names: Vec<String> = Vec::new();
    for (at, _) in config.match_indices(SUBSTITUTIONS) {
        let rest = config[at + SUBSTITUTIONS.len()..].trim_start();
        let value = LOADS.iter().find_map(|sign| rest.strip_prefix(sign))?;
        let is_loaded = value.starts_with("yaml.") || value.starts_with("json.");
        // The file is opened in the same line, or in the one above.
        let above = config[..at].trim_end().rfind('\n').map_or(0, |end| end + 1);
        let end = value.find('\n').map_or(config.len(), |end| config.len() - value.len() + end);
        let argument = config[above..end].split_once("open(")?.1;
        let quoted = &argument[..literal(argument)?];
        let file = &quoted[1..quoted.len() - 1];
        let text = tree.text(&within(content, &folder(file)));
        // Without the file, the configuration may add nothing.
        let is_optional = config.contains(&format!("exists({quoted})"));
        match text.filter(|_| is_loaded) {
            Some(text) => names.extend(Values::of(file, &text).keys("")),
            None if is_loaded && is_optional => {}
            None => return None,
        }
    }
    Some(names.into()).filter(|names: &SortedSet<_>| !names.is_empty())
}

/// Returns the texts that a Python program assigns to a name at the start of a line, or adds to it: one text, or those of a list, which
/// may have a name of its own.
pub(super) fn texts(program: &str, name: &str) -> Vec<String> {
    const DEEPEST: usize = 3;
    named_texts(program, name, DEEPEST)
}

fn named_texts(program: &str, name: &str, depth: usize) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut is_assigned = false;
    let mut found = Vec::new();
    for (at, line) in placed(program, 0) {
        let Some(rest) = line.strip_prefix(name).map(str::trim_start) else { continue };
        let assigned = rest.strip_prefix('=').filter(|value| !value.starts_with('=') && !is_assigned);
        is_assigned |= assigned.is_some();
        let added = ["+=", ".extend(", ".append("].iter().find_map(|sign| rest.strip_prefix(sign));
        let Some(value) = assigned.or(added) else { continue };
        let value = program[at + line.len() - value.len()..].trim_start();
        let other = &value[..value.find(|c| !is_part(c)).unwrap_or(value.len())];
        let is_name = other.starts_with(char::is_alphabetic)
            && !value[other.len()..].starts_with(['(', '.', '"', '\'']);
        if is_name && depth > 0 && other != name {
            found.extend(named_texts(program, other, depth - 1));
        }
        found.extend(texts_of_value(value, name));
    }
    found
}

/// Returns the texts at the start of a program, up to the end of a list or line.
fn texts_of_value(value: &str, name: &str) -> Vec<String> {
    let is_call = || {
        let rest = value.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'));
        rest.len() < value.len() && rest.starts_with('(')
    };
    // A function probably excludes its arguments.
    let is_list = value.starts_with(['[', '(']) || name == EXCLUDED && is_call();
    let end = if is_list { end_of_list(value) } else { value.find('\n').unwrap_or(value.len()) };
    let value = &value[..end];
    let (mut texts, mut at) = (Vec::new(), 0);
    while let Some(quote) = value[at..].find(['"', '\'', '#']).map(|quote| at + quote) {
        if value[quote..].starts_with('#') {
            at = value[quote..].find('\n').map_or(value.len(), |length| quote + length);
            continue;
        }
        // A text that a program modifies is unknown.
        let is_plain = !value[..quote].ends_with(|c: char| c.is_alphanumeric());
        let Some(length) = literal(&value[quote..]) else { break };
        if is_plain {
            texts.push(value[quote + 1..quote + length - 1].to_string());
        }
        at = quote + length;
    }
    texts
}

/// Returns the end of the first brackets in a text. Those in literals and comments are none.
pub(super) fn end_of_list(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(next) = text[at..].find(['[', '(', ')', ']', '"', '\'', '#']).map(|next| at + next) {
        at = next + 1;
        match text.as_bytes()[next] {
            b'[' | b'(' => depth += 1,
            b']' | b')' if depth <= 1 => return next,
            b']' | b')' => depth -= 1,
            b'#' => at = text[next..].find('\n').map_or(text.len(), |length| next + length),
            _ => at = literal(&text[next..]).map_or(text.len(), |length| next + length),
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(program: &str, name: &str, expected: &[&str]) {
        assert_eq!(texts(program, name), expected, "{program}");
    }

    #[test]
    fn values_in_a_program_are_read() {
        check("project = 'A'\n", "project", &["A"]);
        check("x = 1\nproject  =  \"A B\"  # 'c'\n", "project", &["A B"]);
        check("a = [\n  'b', # 'c'\n  \"d\",\n]\n", "a", &["b", "d"]);
        check("a = []\n", "a", &[]);
        check("a = f\"{b}\"\n", "a", &[]);
        check("ab = 'c'\nif a == 'd':\n", "a", &[]);
    }
}
