//! Folders of Markdown files without a known generator.

use super::tree::within;
use super::values::{JsValues, Values, base_url, folder};
use super::{
    AnchorRule, Convention, FileTree, FormPlace, FrontMatterReader, Generator, Kind, Meaning,
    PublishedFolder, RST, RelativePaths, Repository, Slugs, Syntax, SyntaxRule, TEMPLATES, USUAL,
    Underscored, UnreadForm, mdx,
};
use base::site_path;
use base::sorted::SortedSet;

pub(super) const CONVENTION: Convention = Convention {
    kind: Kind::Plain,
    name: "folders of Markdown files",
    endings: &["md", "markdown"],
    indices: &["index", "readme", "_index"],
    links_to_sources: true,
    slugs: Slugs::Path,
    keys: &[
        ("sidebar_position", Meaning::Order),
        ("weight", Meaning::Order),
        ("nav_order", Meaning::Order),
        ("id", Meaning::Id),
    ],
    no_pages: &["CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "LICENSE.md", "SECURITY.md"],
    read,
    anchors: AnchorRule::Any,
    needs_titles: false,
    // `ExDoc` reads them: <https://hexdocs.pm/ex_doc/cheatsheet.html>.
    unread_forms: &[
        UnreadForm { noun: "cheatsheet", plural: "cheatsheets", place: FormPlace::AmongPages(&["cheatmd"]) },
        RST,
        TEMPLATES,
        UnreadForm {
            noun: "AsciiDoc page",
            plural: "AsciiDoc pages",
            place: FormPlace::AmongPages(&["adoc"]),
        },
        UnreadForm {
            noun: "Quarto page",
            plural: "Quarto pages",
            place: FormPlace::AmongPages(&["qmd", "Rmd"]),
        },
    ],
    has_toml: true,
    has_page_files: true,
    underscored: Underscored::Published,
    relative: RelativePaths::OfFile,
    generator: Generator::Maybe,
    front_matter: FrontMatterReader::Any,
    rules: &[SyntaxRule::Tasks, SyntaxRule::Alerts, SyntaxRule::HtmlBlocks],
    ..USUAL
};

/// A wiki on GitHub, or the folder from which a program copies its pages there.
const WIKI: Convention = Convention { name: "a GitHub wiki", syntax: &[Syntax::WikiLinks], ..CONVENTION };

/// Sites of generators whose pages are otherwise read as any Markdown.
const ZOLA: Convention = Convention { name: "a Zola site", ..CONVENTION };
const DOCSIFY: Convention = Convention { name: "a docsify site", ..CONVENTION };

/// Docusaurus before version 2: <https://v1.docusaurus.io/docs/en/site-config>.
const DOCUSAURUS_1: Convention = Convention { name: "a Docusaurus 1 site", ..CONVENTION };

/// Pages of `GitBook`, whose rules for addresses aren't known: <https://gitbook.com/docs/getting-started/git-sync>.
const GITBOOK: Convention = Convention { name: "a GitBook site", syntax: &[Syntax::Liquid], ..CONVENTION };

/// Common folders of documentation.
const PLACES: &[&str] = &["docs", "doc", "documentation"];

/// Common folders of frameworks' pages.
const PLACES_OF_FRAMEWORKS: &[&str] = &["src/content", "content", "src/pages", "pages", "source"];

/// Files of programs that write folders such as `build` next to them.
#[rustfmt::skip]
const MANIFESTS: &[&str] = &[
    "CMakeLists.txt", "Cargo.toml", "Gemfile", "Makefile", "build.gradle", "composer.json", "go.mod", "meson.build",
    "package.json", "pom.xml", "pyproject.toml", "setup.py",
];

/// Whether a folder has the settings that only Docusaurus reads. Its configuration may be in another repository.
fn has_category_settings(tree: &dyn FileTree, content: &str) -> bool {
    let mut pages = tree.pages(content, "md");
    pages.dedup_by(|page, before| site_path::parent(page) == site_path::parent(before));
    let settings = ["_category_.json", "_category_.yml"];
    let has_one = |page: &String| {
        settings.iter().any(|name| tree.text(&within(site_path::parent(page), name)).is_some())
    };
    pages.iter().any(has_one)
}

fn read(tree: &dyn FileTree) -> Option<Repository> {
    let framework = mdx::framework(tree);
    let of_frameworks = PLACES_OF_FRAMEWORKS.iter().filter(|_| has_generator(tree));
    let is_at_root = is_page_of_docsify(tree, "");
    let content = of_frameworks.chain(PLACES).find(|folder| !is_at_root && tree.has_pages(folder)).copied();
    let content = content.or_else(|| tree.has_pages("").then_some(""))?;
    let config = framework.as_ref().map(|(_, text)| JsValues::of(text));
    let of_zola = base_of_zola(tree);
    let is_wiki = is_wiki(tree, content);
    let is_docsify = is_docsify(tree, content);
    let is_docusaurus =
        ["siteConfig.js", "website/siteConfig.js"].iter().any(|file| tree.text(file).is_some());
    let convention = match () {
        () if is_wiki => &WIKI,
        () if of_zola.is_some() => &ZOLA,
        () if is_docsify => &DOCSIFY,
        () if is_docusaurus => &DOCUSAURUS_1,
        () if gitbook(tree, content).is_some() => &GITBOOK,
        () => &CONVENTION,
    };
    let base = config.as_ref().and_then(mdx::base_of).map(|base| base_url(None, &base)).or(of_zola);
    let inputs = if content.is_empty() { inputs_of_tests(tree) } else { Vec::new() };
    Some(Repository {
        excluded: inputs.iter().map(|folder| format!("{folder}/*/**")).chain([ARCHETYPES.into()]).collect(),
        skipped: inputs,
        content: PublishedFolder::at_root(content),
        statics: if has_generator(tree) { mdx::statics(tree) } else { Vec::new() },
        base_url: base,
        is_numbered: framework.is_some_and(|(name, _)| name == "nuxt.config")
            || has_category_settings(tree, content),
        links_from_root: is_docsify,
        links_by_name: is_wiki || ex_doc(tree).is_some() || gi_docgen(tree, content).is_some(),
        ignores_case: is_wiki,
        is_built_in_place: tree.names("").iter().any(|name| MANIFESTS.contains(&name.as_str())),
        has_simple_front_matter: is_docusaurus,
        ..Repository::of_kind(convention)
    })
}

/// Returns the folders of tests with Markdown files below them, which are inputs of the tests, if there are other pages. Those that
/// aren't in the root contain code, too, because a page may be about tests.
fn inputs_of_tests(tree: &dyn FileTree) -> Vec<String> {
    const CODE: [&str; 16] = [
        "c", "cc", "cpp", "cs", "dart", "go", "java", "js", "kt", "php", "py", "rb", "rs", "scala", "swift",
        "ts",
    ];
    /// Returns the folder of tests around a page, if the page is in a folder of it.
    fn folder(page: &str) -> Option<&str> {
        let mut folders = page.match_indices('/').map(|(end, _)| &page[..end]);
        let folder = folders.find(|path| site_path::is_of_tests(site_path::file_name(path)))?;
        page[folder.len() + 1..].contains('/').then_some(folder)
    }
    let pages = tree.pages("", "md");
    let is_code = |file: &String| file.rsplit_once('.').is_some_and(|(_, ending)| CODE.contains(&ending));
    let folders: SortedSet<&str> = pages.iter().filter_map(|page| folder(page)).collect();
    let is_of_code = |folder: &&str| !folder.contains('/') || tree.files(folder).iter().any(is_code);
    let folders: SortedSet<&str> = folders.into_iter().filter(is_of_code).collect();
    let is_input = |page: &String| folder(page).is_some_and(|folder| folders.contains(folder));
    if pages.iter().all(is_input) {
        return Vec::new();
    }
    folders.into_iter().map(String::from).collect()
}

/// Whether another program publishes the tree.
pub(super) fn has_generator(tree: &dyn FileTree) -> bool {
    mdx::framework(tree).is_some() || base_of_zola(tree).is_some() || is_hexo(tree, "")
}

/// <https://www.getzola.org/documentation/getting-started/configuration/>
pub(super) fn base_of_zola(tree: &dyn FileTree) -> Option<String> {
    Values::of("config.toml", &tree.text("config.toml")?).value("base_url")
}

/// <https://hexo.io/docs/configuration>
pub(super) fn is_hexo(tree: &dyn FileTree, root: &str) -> bool {
    const FILE: &str = "_config.yml";
    let config = tree.text(&within(root, FILE)).map(|text| Values::of(FILE, &text));
    config.is_some_and(|config| ["source_dir", "public_dir"].iter().any(|key| config.value(key).is_some()))
}

/// Whether the configuration is that of a Hexo theme, whose templates are in `layout`.
pub(super) fn is_theme_of_hexo(tree: &dyn FileTree, root: &str) -> bool {
    let is_folder = |name: &str| tree.is_folder(&within(root, name));
    is_folder("layout") && is_folder("source") && !is_folder("_layouts")
}

/// Returns the configuration of `ExDoc`, which publishes all pages in one folder: <https://hexdocs.pm/ex_doc>. It is in that of the
/// package, or in a file for its command.
fn ex_doc(tree: &dyn FileTree) -> Option<String> {
    let is_named = |name: &&str| tree.text(name).is_some_and(|text| text.contains("ex_doc"));
    let is_own = |file: &String| file.ends_with("docs.exs");
    let named = ["mix.exs", "rebar.config"].into_iter().find(is_named).map(str::to_string);
    named.or_else(|| tree.all().into_iter().find(is_own))
}

/// The folder of templates for pages in sites and themes of Hugo: <https://gohugo.io/content-management/archetypes/>.
const ARCHETYPES: &str = "**/archetypes/**";

/// A configuration of Doxygen: <https://www.doxygen.nl/manual/config.html>.
struct Doxyfile {
    path: String,
    text: String,
}

impl Doxyfile {
    /// Returns those in the root and among the pages.
    fn all(tree: &dyn FileTree, content: &str) -> Vec<Self> {
        let below = tree.files(content).into_iter().map(|file| within(content, &file));
        let paths: SortedSet<String> = tree.names("").into_iter().chain(below).collect();
        let read = |path: String| Some(Self { text: tree.text(&path)?, path });
        paths.into_iter().filter(|path| is_doxyfile(path)).filter_map(read).collect()
    }

    /// Whether it reads all pages, as far as is known.
    fn reads(&self, content: &str) -> bool {
        /// Lists of patterns also contain `*.md`.
        const FEWEST: usize = 3;
        self.text.split(".md").filter(|before| !before.ends_with('*')).count() > FEWEST
            || self.values("USE_MDFILE_AS_MAINPAGE").next().is_some()
            || !content.is_empty() && self.inputs().any(|path| path == content)
    }

    /// Returns the files and folders that it reads. Paths are relative to the folder in which Doxygen starts: usually the root, that
    /// of the configuration, or the one around it.
    fn inputs(&self) -> impl Iterator<Item = String> {
        let own = site_path::parent(&self.path);
        let starts = ["", own, site_path::parent(own)];
        self.values("INPUT").flat_map(move |path| starts.map(|start| within(start, path)))
    }

    /// Returns the values of a setting. A backslash at the end of a line continues it.
    fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        let mut is_value = false;
        let lines = self.text.lines().filter_map(move |line| {
            let values = match line.split_once('=').filter(|_| !is_value) {
                Some((key, values)) if key.trim_end_matches('+').trim() == name => values,
                _ if is_value => line,
                _ => return None,
            };
            is_value = values.trim_end().ends_with('\\');
            Some(values)
        });
        let words = lines.flat_map(str::split_whitespace).map(|word| word.trim_matches('"'));
        words.filter(|word| !matches!(*word, "" | "\\"))
    }
}

fn is_doxyfile(file: &str) -> bool {
    let name = site_path::file_name(file);
    name.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("doxyfile"))
}

/// The pages with lines that only one generator understands.
struct SignedPages {
    generator: &'static str,
    is_sign: fn(&str) -> bool,
    /// Whether a file is its configuration, so that one page is enough.
    is_configuration: fn(&str) -> bool,
    pages: Vec<String>,
}

impl SignedPages {
    fn of(generator: &'static str, is_sign: fn(&str) -> bool, is_configuration: fn(&str) -> bool) -> Self {
        Self { generator, is_sign, is_configuration, pages: Vec::new() }
    }
}

/// Returns the generator whose commands several pages contain, or one page if its configuration is somewhere, and that page.
pub(super) fn by_commands(tree: &dyn FileTree, content: &str) -> Option<(&'static str, String)> {
    const FEWEST: usize = 3;
    /// Maximum number of pages that are read. They are evenly distributed.
    const MOST: usize = 200;
    let mut found = [
        SignedPages::of("DocumentJS", has_parent, |_| false),
        SignedPages::of("Doxygen", has_command, is_doxyfile),
        SignedPages::of("MakeCode", has_hint, |_| false),
    ];
    let is_page = |file: &String| file.ends_with(".md") || file.ends_with(".markdown");
    let pages: Vec<String> = tree.files(content).into_iter().filter(is_page).collect();
    let interval = pages.len().div_ceil(MOST).max(1);
    for file in pages.iter().step_by(interval).map(|file| within(content, file)) {
        let Some(text) = tree.peek(&file) else { continue };
        for SignedPages { is_sign, pages, .. } in &mut found {
            pages.extend(is_sign(&text).then(|| file.clone()));
        }
        if found.iter().any(|it| it.pages.len() == FEWEST) {
            break;
        }
    }
    let is_certain = |it: &SignedPages| {
        let has_configuration = || tree.all().iter().any(|file| (it.is_configuration)(file));
        it.pages.len() == FEWEST || !it.pages.is_empty() && has_configuration()
    };
    let known = found.into_iter().find(is_certain)?;
    Some((known.generator, known.pages.into_iter().next()?))
}

/// Whether a page names its parent for `DocumentJS`: <https://documentjs.com/docs/documentjs.tags.parent.html>.
fn has_parent(text: &str) -> bool {
    text.starts_with('@') && text.lines().take(9).any(|line| line.starts_with("@parent "))
}

/// Whether a line of a page ends a box of `MakeCode`: <https://makecode.com/writing-docs/macros>.
fn has_hint(text: &str) -> bool {
    text.match_indices("### ~").any(|(at, sign)| {
        let line = text[at + sign.len()..].lines().next().unwrap_or_default();
        line.trim().is_empty() && (at == 0 || text[..at].ends_with('\n'))
    })
}

/// Returns the folders and pages that a program reads by rules that aren't known: folders with the configuration of a generator, what
/// Doxygen reads, folders next to a Rust source that includes pages, and `src` in a Rust package. `rustdoc` reads these pages as part
/// of items, at whose addresses they are shown: <https://doc.rust-lang.org/rustdoc/write-documentation/the-doc-attribute.html>.
pub(super) fn folders_of_programs(tree: &dyn FileTree, content: &str) -> Vec<String> {
    let pages = tree.pages(content, "md");
    let package = |page: &String| match page.split_once("src/")?.0 {
        "" => Some(String::new()),
        before => before.strip_suffix('/').map(String::from),
    };
    let packages: SortedSet<String> = pages.iter().filter_map(package).collect();
    let packages = packages.iter().filter(|package| tree.text(&within(package, "Cargo.toml")).is_some());
    let is_below = |folder: &&str| content.is_empty() || site_path::is_inside(folder, content);
    let around = pages.iter().flat_map(|page| page.match_indices('/').map(|(end, _)| &page[..end]));
    let around: SortedSet<&str> = around.filter(is_below).collect();
    let beside: SortedSet<&str> = pages.iter().map(|page| site_path::parent(page)).collect();
    let is_configuration = |name: &String| CONFIGURATIONS.iter().any(|(file, _)| file == name);
    let is_read = |folder: &&&str| {
        let names = tree.names(folder);
        around.contains(*folder) && names.iter().any(is_configuration)
            || beside.contains(*folder) && has_source_with_pages(tree, folder, &names)
    };
    let folders = around.union(&beside).filter(is_read);
    let inputs = Doxyfile::all(tree, content).into_iter().flat_map(|it| it.inputs().collect::<Vec<_>>());
    let inputs = inputs.filter(|path| !path.is_empty() && path != content);
    packages
        .map(|package| within(package, "src"))
        .chain(folders.map(ToString::to_string))
        .chain(inputs)
        .collect()
}

/// Returns the folders next to templates of pages, whose pages may be parts that the templates insert.
pub(super) fn folders_of_parts(tree: &dyn FileTree, content: &str) -> Vec<String> {
    let templates = tree.pages(content, "md.in");
    let around: SortedSet<&str> = templates.iter().map(|template| site_path::parent(template)).collect();
    let below = around
        .into_iter()
        .flat_map(|folder| tree.names(folder).into_iter().map(move |name| within(folder, &name)));
    below.filter(|path| tree.is_folder(path)).collect()
}

/// Whether a folder with these names contains a Rust source that includes pages. A package includes its README in its root, and it is
/// also read there.
fn has_source_with_pages(tree: &dyn FileTree, folder: &str, names: &[String]) -> bool {
    let includes = |source: String| {
        tree.peek(&source).is_some_and(|text| text.contains("include_str!(") && text.contains(".md\""))
    };
    let mut sources = names.iter().filter(|name| name.ends_with(".rs")).map(|name| within(folder, name));
    !names.iter().any(|name| name == "Cargo.toml") && sources.any(includes)
}

/// Whether a line of a page begins with a command of Doxygen, or refers to another page or symbol:
/// <https://www.doxygen.nl/manual/commands.html>.
fn has_command(text: &str) -> bool {
    let is_in = |line: &str| {
        let mut signs = memchr::memchr2_iter(b'\\', b'@', line.as_bytes());
        signs.any(|at| is_command(&line[..at], &line[at + 1..]))
    };
    text.lines().any(is_in)
}

/// Whether the text after a `@` or `\` is a command. It isn't split into words, because a line may have many signs.
fn is_command(before: &str, rest: &str) -> bool {
    let is_alone = |name: &&str| rest.strip_prefix(*name).is_some_and(|rest| rest.trim_end().is_empty());
    let has_name = |name: &&str| {
        rest.strip_prefix(*name).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
    };
    let is_block = ["endcode", "tableofcontents"].iter().any(is_alone)
        || ["page ", "subpage ", "snippet ", "image "].iter().any(has_name);
    is_block && before.trim().is_empty()
        || rest.starts_with("ref ") && (before.is_empty() || before.ends_with([' ', '(']))
}

/// Whether a folder contains the home page of a wiki and the lists that surround its pages. A wiki has a page for each name, in
/// whatever folder its file is, and ignores case: <https://docs.github.com/en/communities/documenting-your-project-with-wikis>.
fn is_wiki(tree: &dyn FileTree, content: &str) -> bool {
    let names = tree.names(content);
    let has = |name: &str| names.iter().any(|it| it.as_str() == name);
    has("Home.md") && (has("_Sidebar.md") || has("_Footer.md"))
}

/// Whether the folder of pages, or one in the root that is published with it, contains a docsify page, which shows the Markdown
/// files in the browser. Their links are relative to their root. <https://docsify.js.org>
fn is_docsify(tree: &dyn FileTree, content: &str) -> bool {
    is_page_of_docsify(tree, content) || tree.names("").iter().any(|name| is_page_of_docsify(tree, name))
}

pub(super) fn is_page_of_docsify(tree: &dyn FileTree, place: &str) -> bool {
    tree.text(&folder(&format!("{place}/index.html"))).is_some_and(|text| text.contains("$docsify"))
}

/// The name of a generator that joins pages.
pub const PANDOC: &str = "Pandoc";

/// The configuration files of generators whose rules aren't known.
#[rustfmt::skip]
const CONFIGURATIONS: [(&str, &str); 26] = [
    ("_quarto.yml", "Quarto"), ("great-docs.yml", "Quarto"), ("_bookdown.yml", "bookdown"), ("_pkgdown.yml", "pkgdown"),
    ("book.json", "GitBook"), ("antora.yml", "Antora"), ("docfx.json", "DocFX"),
    ("make.jl", "Documenter"), ("writerside.cfg", "Writerside"), ("retype.yml", "Retype"), ("redocly.yaml", "Redocly"),
    (".eleventy.js", "Eleventy"), ("eleventy.config.js", "Eleventy"), ("eleventy.config.mjs", "Eleventy"),
    ("rspress.config.ts", "Rspress"), (".dumirc.ts", "dumi"), (".dumirc.js", "dumi"), ("vocs.config.ts", "Vocs"),
    ("vocs.config.tsx", "Vocs"), ("pelicanconf.py", "Pelican"), ("lume.config.ts", "Lume"),
    (".rdoc_options", "RDoc"), ("livemark.yaml", "Livemark"), ("hotdoc.json", "hotdoc"), (".verb.md", "verb"),
    ("docset.yml", "docs-builder"),
];

/// Returns the generator by whose rules Stepkin can't read the pages, and its configuration file, or a page that shows it.
pub(super) fn unknown_generator(tree: &dyn FileTree, content: &str) -> Option<(&'static str, String)> {
    configured_generator(tree, content).or_else(|| by_commands(tree, content))
}

/// Returns such a generator with a configuration file.
pub(super) fn configured_generator(tree: &dyn FileTree, content: &str) -> Option<(&'static str, String)> {
    let found = CONFIGURATIONS
        .iter()
        .flat_map(|(file, name)| ["", content].map(|place| (*name, within(place, file))));
    found
        .into_iter()
        .find(|(_, file)| tree.text(file).is_some())
        .or_else(|| Some(("GitBook", gitbook(tree, content)?)))
        .or_else(|| maven(tree, content))
        .or_else(|| Some(("Slate", slate(tree, content)?)))
        .or_else(|| Some(("gi-docgen", gi_docgen(tree, content)?)))
        .or_else(|| Some(("ExDoc", ex_doc(tree)?)))
        .or_else(|| Some((PANDOC, pandoc(tree, content)?)))
        .or_else(|| {
            Some(("Doxygen", Doxyfile::all(tree, content).into_iter().find(|it| it.reads(content))?.path))
        })
}

/// Returns the configuration of `GitBook`, or the folder of files that it writes next to its list of pages.
fn gitbook(tree: &dyn FileTree, content: &str) -> Option<String> {
    const CONFIGURATION: &str = ".gitbook.yaml";
    let is_written = |place: &&&str| {
        let names = tree.names(place);
        let has = |name: &str| names.iter().any(|it| it == name);
        has(".gitbook") && has("SUMMARY.md")
    };
    let configured = ["", content].map(|place| within(place, CONFIGURATION));
    let configured = configured.into_iter().find(|file| tree.text(file).is_some());
    // <https://github.com/GitbookIO/gitbook/blob/master/docs/config.md>
    let in_script = || {
        let script = tree.text("book.js").filter(|it| it.contains("module.exports"))?;
        let root = JsValues::of(&script).value("root").map_or_else(String::new, |root| folder(&root));
        tree.names(&root).iter().any(|name| name == "SUMMARY.md").then(|| "book.js".to_string())
    };
    let configured = configured.or_else(in_script);
    configured.or_else(|| Some(within([content, ""].iter().find(is_written)?, ".gitbook")))
}

/// Returns the page that includes all others: <https://github.com/slatedocs/slate/wiki/Using-Slate-Natively>.
fn slate(tree: &dyn FileTree, content: &str) -> Option<String> {
    let page = within(content, "index.html.md");
    let includes = |text: String| Values::of_page(&text).list_at("includes").is_some();
    tree.peek(&page).is_some_and(includes).then_some(page)
}

/// Returns the Makefile next to the pages that runs Pandoc, which may join pages: <https://pandoc.org/MANUAL.html>.
fn pandoc(tree: &dyn FileTree, content: &str) -> Option<String> {
    let file = within(content, "Makefile");
    tree.peek(&file).is_some_and(|text| text.contains("pandoc")).then_some(file)
}

/// Returns the configuration of a Maven site if the pages are its own: <https://maven.apache.org/plugins/maven-site-plugin/>.
fn maven(tree: &dyn FileTree, content: &str) -> Option<(&'static str, String)> {
    const FILE: &str = "pom.xml";
    let has_pages = content.starts_with("src/site") || tree.has_pages("src/site");
    (has_pages && tree.text(FILE).is_some()).then(|| ("Maven's site plugin", FILE.to_string()))
}

/// Returns the file in the folder of pages that lists them for gi-docgen:
/// <https://gnome.pages.gitlab.gnome.org/gi-docgen/project-configuration.html>.
fn gi_docgen(tree: &dyn FileTree, content: &str) -> Option<String> {
    let is_config = |name: &String| name.ends_with(".toml") || name.ends_with(".toml.in");
    let mut files = tree.files(content).into_iter().filter(is_config).map(|name| within(content, &name));
    files.find(|file| tree.text(file).is_some_and(|text| text.contains("content_files")))
}
