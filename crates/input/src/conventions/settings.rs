//! Misspelled keys and extensions in the configuration of a generator.
//!
//! Themes and plugins have settings of their own, so only a name that resembles one of the generator's is a slip, and only if the
//! file doesn't contain that one, too.

use std::ops::Range;

use super::targets::{SettingSlip, SlipKind};
use super::values::{JsValues, Values};
use super::vocabulary::words;
use super::{FileTree, Kind, Repository};
use base::diagnostic::{distance_within, nearest};
use base::sorted::SortedSet;

/// Names that a generator knows at one place of its configuration.
struct Names {
    noun: &'static str,
    /// Keys that lead to the table or list, joined by dots.
    path: &'static str,
    /// A beginning that may be omitted.
    prefix: &'static str,
    known: &'static [&'static str],
}

/// Keys of `MkDocs` that were removed, with the keys that replace them:
/// <https://github.com/mkdocs/mkdocs/blob/master/mkdocs/config/defaults.py>.
const REPLACED: &[(&str, &str)] = &[("pages", "nav"), ("theme_dir", "theme")];

/// <https://www.mkdocs.org/user-guide/configuration/>, <https://python-markdown.github.io/extensions/>,
/// <https://facelessuser.github.io/pymdown-extensions/>, <https://github.com/mkdocs/catalog>.
#[rustfmt::skip]
const OF_MKDOCS: &[Names] = &[
    Names { noun: "key", path: "", prefix: "", known: &[
        "INHERIT", "copyright", "dev_addr", "docs_dir", "draft_docs", "edit_uri", "edit_uri_template", "exclude_docs", "extra",
        "extra_css", "extra_javascript", "extra_templates", "hooks", "markdown_extensions", "nav", "not_in_nav", "plugins",
        "remote_branch", "remote_name", "repo_name", "repo_url", "site_author", "site_description", "site_dir", "site_name",
        "site_url", "strict", "theme", "use_directory_urls", "validation", "watch",
    ] },
    Names { noun: "Markdown extension", path: "markdown_extensions", prefix: "markdown.extensions.", known: &[
        "abbr", "admonition", "attr_list", "codehilite", "def_list", "extra", "fenced_code", "footnotes", "md_in_html", "meta",
        "nl2br", "sane_lists", "smarty", "tables", "wikilinks", "pymdownx.arithmatex", "pymdownx.betterem",
        "pymdownx.blocks.admonition", "pymdownx.blocks.details", "pymdownx.blocks.html", "pymdownx.blocks.tab", "pymdownx.caret",
        "pymdownx.critic", "pymdownx.details", "pymdownx.emoji", "pymdownx.escapeall", "pymdownx.extra", "pymdownx.highlight",
        "pymdownx.inlinehilite", "pymdownx.keys", "pymdownx.magiclink", "pymdownx.mark", "pymdownx.progressbar",
        "pymdownx.saneheaders", "pymdownx.smartsymbols", "pymdownx.snippets", "pymdownx.striphtml", "pymdownx.superfences",
        "pymdownx.tabbed", "pymdownx.tasklist", "pymdownx.tilde",
    ] },
    Names { noun: "plugin", path: "plugins", prefix: "material/", known: &[
        "autorefs", "awesome-nav", "awesome-pages", "exclude", "gen-files", "git-revision-date-localized", "glightbox",
        "include-markdown", "literate-nav", "macros", "mkdocs-jupyter", "mkdocstrings", "monorepo", "offline", "optimize", "privacy",
        "redirects", "search", "section-index", "social", "swagger-ui-tag", "table-reader", "typeset",
    ] },
    // Material's: <https://squidfunk.github.io/mkdocs-material/setup/>.
    Names { noun: "theme feature", path: "theme.features", prefix: "", known: &[
        "announce.dismiss", "content.action.edit", "content.action.view", "content.code.annotate", "content.code.copy",
        "content.code.select", "content.footnote.tooltips", "content.tabs.link", "content.tooltips", "header.autohide",
        "navigation.expand", "navigation.footer", "navigation.indexes", "navigation.instant", "navigation.instant.prefetch",
        "navigation.instant.preview", "navigation.instant.progress", "navigation.path", "navigation.prune", "navigation.sections",
        "navigation.tabs", "navigation.tabs.sticky", "navigation.top", "navigation.tracking", "search.highlight", "search.share",
        "search.suggest", "toc.follow", "toc.integrate",
    ] },
];

/// <https://rust-lang.github.io/mdBook/format/configuration/>.
#[rustfmt::skip]
const OF_MDBOOK: &[Names] = &[
    Names { noun: "key", path: "", prefix: "", known: &["book", "build", "output", "preprocessor", "rust"] },
    Names { noun: "key", path: "book", prefix: "", known: &[
        "authors", "description", "language", "multilingual", "src", "text-direction", "title",
    ] },
    Names { noun: "key", path: "build", prefix: "", known: &[
        "build-dir", "create-missing", "extra-watch-dirs", "use-default-preprocessors",
    ] },
    Names { noun: "key", path: "output.html", prefix: "", known: &[
        "additional-css", "additional-js", "admonitions", "cname", "copy-fonts", "curly-quotes", "default-theme", "definition-lists",
        "edit-url-template", "git-repository-icon", "git-repository-url", "google-analytics", "hash-files", "input-404",
        "mathjax-support", "no-section-label", "playground", "preferred-dark-theme", "print", "redirect", "search",
        "sidebar-header-nav", "site-url", "smart-punctuation", "theme",
    ] },
];

/// <https://jekyllrb.com/docs/configuration/options/>, <https://jekyllrb.com/docs/configuration/default/>.
#[rustfmt::skip]
const OF_JEKYLL: &[Names] = &[Names { noun: "key", path: "", prefix: "", known: &[
    "baseurl", "collections", "collections_dir", "defaults", "description", "destination", "encoding", "exclude", "excerpt_separator",
    "future", "highlighter", "keep_files", "kramdown", "layouts_dir", "markdown", "markdown_ext", "permalink", "plugins",
    "plugins_dir", "remote_theme", "repository", "source", "strict_front_matter", "timezone",
] }];

/// <https://gohugo.io/configuration/all/>.
#[rustfmt::skip]
const OF_HUGO: &[Names] = &[Names { noun: "key", path: "", prefix: "", known: &[
    "baseURL", "buildDrafts", "buildFuture", "canonifyURLs", "contentDir", "copyright", "defaultContentLanguage",
    "defaultContentLanguageInSubdir", "disableHugoGeneratorInject", "disableKinds", "enableEmoji", "enableGitInfo",
    "enableInlineShortcodes", "enableMissingTranslationPlaceholders", "enableRobotsTXT", "frontmatter", "hasCJKLanguage",
    "languageCode", "languages", "markup", "mediaTypes", "module", "outputFormats", "outputs", "pagination", "params", "permalinks",
    "privacy", "pygmentsUseClasses", "refLinksErrorLevel", "refLinksNotFoundURL", "related", "relativeURLs", "removePathAccents",
    "sectionPagesMenu", "security", "services", "sitemap", "staticDir", "summaryLength", "taxonomies", "themesDir", "timeout",
    "titleCaseStyle", "uglyURLs",
] }];

/// <https://www.mintlify.com/docs/organize/settings>.
#[rustfmt::skip]
const OF_MINTLIFY: &[Names] = &[Names { noun: "key", path: "", prefix: "", known: &[
    "$schema", "api", "appearance", "background", "banner", "colors", "contextual", "description", "errors", "favicon", "fonts",
    "footer", "icons", "integrations", "logo", "metadata", "name", "navbar", "navigation", "redirects", "search", "seo", "styling",
    "theme", "thumbnails", "variables",
] }];

/// <https://www.sphinx-doc.org/en/master/usage/configuration.html>,
/// <https://myst-parser.readthedocs.io/en/latest/configuration.html>.
#[rustfmt::skip]
const OF_SPHINX: &[&str] = &[
    "autodoc_default_options", "autodoc_mock_imports", "exclude_patterns", "extensions", "html_baseurl", "html_context",
    "html_css_files", "html_extra_path", "html_favicon", "html_js_files", "html_logo", "html_sidebars", "html_static_path",
    "html_theme", "html_theme_options", "html_title", "intersphinx_mapping", "master_doc", "myst_enable_extensions",
    "myst_heading_anchors", "myst_substitutions", "pygments_style", "root_doc", "source_suffix", "suppress_warnings",
    "templates_path",
];

/// <https://myst-parser.readthedocs.io/en/latest/syntax/optional.html>. An unknown one stops the build.
#[rustfmt::skip]
const OF_MYST: &[&str] = &[
    "alert", "amsmath", "attrs_block", "attrs_image", "attrs_inline", "colon_fence", "deflist", "dollarmath", "fieldlist",
    "html_admonition", "html_image", "linkify", "replacements", "smartquotes", "strikethrough", "substitution", "tasklist",
];

/// Minimum length of a name in a long list, whose members resemble each other.
const SHORTEST: usize = 5;

/// Returns the configuration with its slips, if it is in one of the files that a generator of this kind reads.
pub(super) fn slips(tree: &dyn FileTree, repository: &Repository) -> Option<(String, Vec<SettingSlip>)> {
    let names: &[Names] = match repository.kind() {
        Kind::Mkdocs => OF_MKDOCS,
        Kind::Mdbook => OF_MDBOOK,
        Kind::Jekyll => OF_JEKYLL,
        Kind::Hugo => OF_HUGO,
        Kind::Mdx if repository.configuration.as_deref().is_some_and(|it| it.ends_with("docs.json")) => {
            OF_MINTLIFY
        }
        Kind::Docusaurus => return sidebars(tree, repository),
        Kind::Sphinx => {
            let (file, text) = repository.config(tree)?;
            let found = assigned(&text).into_iter().chain(extensions_of_myst(&text)).collect();
            return Some((file, found));
        }
        _ => return None,
    };
    let (file, text) = repository.config(tree)?;
    let config = match repository.kind() {
        Kind::Mkdocs => super::mkdocs::settings_of(&file, &text),
        _ => Values::of(&file, &text),
    };
    let replaced =
        REPLACED.iter().filter(|_| repository.kind() == Kind::Mkdocs).filter_map(|(name, meant)| {
            let span = place(&text, "", name).filter(|_| config.names("").iter().any(|it| it == name))?;
            Some(unknown("key", name, meant, span))
        });
    let found = names.iter().flat_map(|names| named(&config, names, &text)).chain(replaced);
    let found = found.chain(options(&config, &text)).chain(Values::invalid(&file, &text)).collect();
    Some((file, found))
}

/// The options of extensions with a list of their own:
/// <https://python-markdown.github.io/extensions/>, <https://facelessuser.github.io/pymdown-extensions/extensions/>. An unknown one stops
/// the build.
#[rustfmt::skip]
const OPTIONS: &[(&str, &[&str])] = &[
    ("footnotes", &["BACKLINK_TEXT", "BACKLINK_TITLE", "PLACE_MARKER", "SEPARATOR", "SUPERSCRIPT_TEXT", "UNIQUE_IDS", "USE_DEFINITION_ORDER"]),
    ("toc", &[
        "anchorlink", "anchorlink_class", "baselevel", "marker", "permalink", "permalink_class", "permalink_leading",
        "permalink_title", "separator", "slugify", "title", "title_class", "toc_class", "toc_depth",
    ]),
    ("pymdownx.arithmatex", &["block_syntax", "block_tag", "generic", "inline_syntax", "inline_tag", "preview", "smart_dollar"]),
    ("pymdownx.betterem", &["smart_enable"]),
    ("pymdownx.emoji", &["alt", "emoji_generator", "emoji_index", "options", "remove_variation_selector", "strict", "title"]),
    ("pymdownx.highlight", &[
        "anchor_linenums", "auto_title", "auto_title_map", "css_class", "default_lang", "extend_pygments_lang", "guess_lang",
        "language_prefix", "line_anchors", "line_spans", "linenums", "linenums_class", "linenums_special", "linenums_style",
        "noclasses", "pygments_lang_class", "pygments_style", "stripnl", "use_pygments",
    ]),
    ("pymdownx.snippets", &[
        "auto_append", "base_path", "check_paths", "dedent_subsections", "encoding", "restrict_base_path", "url_download",
        "url_max_size", "url_request_headers", "url_timeout",
    ]),
    ("pymdownx.superfences", &[
        "css_class", "custom_fences", "disable_indented_code_blocks", "preserve_tabs", "relaxed_headers",
    ]),
    ("pymdownx.tabbed", &["alternate_style", "combine_header_slug", "separator", "slugify"]),
    ("pymdownx.tasklist", &["clickable_checkbox", "custom_checkbox"]),
];

/// Returns the misspelled options of Markdown extensions.
fn options(config: &Values, text: &str) -> Vec<SettingSlip> {
    const MOST_LETTERS: usize = 3;
    let extensions = config.list_at("markdown_extensions").unwrap_or_default().iter();
    let tables = extensions.filter_map(|it| it.as_object()).flatten();
    let found = tables.flat_map(|(extension, given)| {
        let known = OPTIONS.iter().find(|(name, _)| name == extension).map_or(&[][..], |(_, known)| known);
        let written = given.as_object().into_iter().flat_map(|table| table.keys());
        written.filter(|name| !known.contains(&name.as_str())).filter_map(move |name| {
            let is_long = name.len() >= 3 * MOST_LETTERS;
            let most = if is_long { MOST_LETTERS } else { 1 };
            let near = known.iter().filter(|it| distance_within(name, it, most).is_some());
            let meant = near.min_by_key(|it| distance_within(name, it, most))?;
            Some(unknown("option", name, meant, place(text, "", name)?))
        })
    });
    found.collect()
}

fn unknown(noun: &'static str, name: &str, meant: &str, span: Range<usize>) -> SettingSlip {
    let kind = SlipKind::Unknown { noun, name: name.to_string(), meant: Some(meant.to_string()) };
    SettingSlip { kind, span }
}

fn named(config: &Values, names: &Names, text: &str) -> Vec<SettingSlip> {
    let bare = |name: &String| name.strip_prefix(names.prefix).unwrap_or(name).to_string();
    let written: Vec<String> = config.names(names.path).iter().map(bare).collect();
    let slip = |name: &String| {
        let meant = meant(name, names.known, |known| written.iter().any(|it| it == known))?;
        Some(unknown(names.noun, name, meant, place(text, names.prefix, name)?))
    };
    written.iter().filter_map(slip).collect()
}

/// Returns the sidebars that the menus of a Docusaurus site show, and that its list of sidebars doesn't contain:
/// <https://docusaurus.io/docs/api/themes/configuration#navbar-doc-sidebar>.
fn sidebars(tree: &dyn FileTree, repository: &Repository) -> Option<(String, Vec<SettingSlip>)> {
    let (file, text) = repository.config(tree)?;
    // Other instances of the plugin have other lists.
    let list =
        tree.peek(repository.navigation.as_ref()?).filter(|_| text.matches("sidebarPath").count() == 1)?;
    let known: SortedSet<&str> = words(&list).collect();
    let shown = JsValues::of(&text).texts_beside("sidebarId", &["type"]);
    let slip = |(name, span): (String, Range<usize>)| {
        let near = |known: &&&str| distance_within(&name, known, 2).is_some();
        let meant = known.iter().find(near).map(ToString::to_string);
        let is_known = known.contains(name.as_str());
        (!is_known).then_some(SettingSlip { kind: SlipKind::Unknown { noun: "sidebar", name, meant }, span })
    };
    Some((file, shown.into_iter().filter_map(slip).collect()))
}

/// Returns the misspelled variables that a `conf.py` sets and never uses.
fn assigned(text: &str) -> Vec<SettingSlip> {
    let variable = |line: &str| Some(line.split_once('=')?.0.trim_end().to_string());
    let set: Vec<String> = text.lines().filter(|line| !line.starts_with('#')).filter_map(variable).collect();
    let slip = |name: &String| {
        let meant = meant(name, OF_SPHINX, |known| text.lines().any(|line| line.starts_with(known)))?;
        let is_used = words(text).filter(|word| word == name).count() > 1;
        let span = place(text, "", name).filter(|_| !is_used)?;
        Some(unknown("key", name, meant, span))
    };
    set.iter().filter_map(slip).collect()
}

/// Returns the misspelled extensions of `MyST` that a `conf.py` enables.
fn extensions_of_myst(text: &str) -> Vec<SettingSlip> {
    let enabled = super::sphinx::texts(text, "myst_enable_extensions");
    let slip = |name: &String| {
        let meant = nearest(name, OF_MYST.iter().copied()).filter(|_| !OF_MYST.contains(&name.as_str()))?;
        Some(unknown("MyST extension", name, meant, place(text, "", name)?))
    };
    enabled.iter().filter_map(slip).collect()
}

/// Returns the known name that differs by one letter, or by two exchanged ones.
fn meant(name: &str, known: &'static [&'static str], is_set: impl Fn(&str) -> bool) -> Option<&'static str> {
    let is_near = |known: &&&str| {
        let is_long =
            name.len().max(known.len()) >= SHORTEST || known.len() >= 3 && name.len() == known.len();
        is_long && distance_within(name, known, 1) == Some(1) && !known.eq_ignore_ascii_case(name)
    };
    let is_known = known.iter().any(|it| it.eq_ignore_ascii_case(name));
    known.iter().find(is_near).filter(|near| !is_known && !is_set(near)).copied()
}

/// Returns the range of a name: the first one that begins a line or an item of a list, possibly after a prefix.
fn place(text: &str, prefix: &str, name: &str) -> Option<Range<usize>> {
    let begins = |before: &str| {
        let bare = before.trim_end_matches(['"', '\'']);
        let bare = bare.strip_suffix(prefix).unwrap_or(bare);
        let bare = bare.trim_end_matches([' ', '\t', '"', '\'']);
        bare.is_empty() || bare.ends_with(['\n', '-', '[', ',', '.', '{'])
    };
    let ends = |after: &str| !after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let found = text.match_indices(name).map(|(at, _)| at..at + name.len());
    found.into_iter().find(|it| begins(&text[..it.start]) && ends(&text[it.end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(slip: &SettingSlip) -> &str {
        match &slip.kind {
            SlipKind::Unknown { meant, .. } => meant.as_deref().unwrap_or_default(),
            SlipKind::Invalid { reason, .. } => reason,
            SlipKind::Wrong { message, .. } => message,
            SlipKind::MissingFile { path } => path,
        }
    }

    /// Checks the slips of an `MkDocs` configuration, as name and meaning.
    #[track_caller]
    fn check(names: &[Names], file: &str, text: &str, expected: &[(&str, &str)]) {
        let config = Values::of(file, text);
        let found: Vec<_> = names.iter().flat_map(|names| named(&config, names, text)).collect();
        let shown: Vec<_> = found.iter().map(|it| (&text[it.span.clone()], meant(it))).collect();
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn misspelled_settings() {
        check(OF_MKDOCS, "mkdocs.yml", "site_nam: A\nnav: []\n", &[("site_nam", "site_name")]);
        check(
            OF_MKDOCS,
            "mkdocs.yml",
            "nva:\n  - a.md\nthem:\n  name: x\n",
            &[("nva", "nav"), ("them", "theme")],
        );
        check(OF_MKDOCS, "mkdocs.yml", "nav: []\nnva: []\nx-nav: 1\n", &[]);
        check(
            OF_MKDOCS,
            "mkdocs.yml",
            "markdown_extensions:\n  - admonitions\n  - toc\n  - pymdownx.superfence:\n      a: b\n",
            &[("admonitions", "admonition"), ("pymdownx.superfence", "pymdownx.superfences")],
        );
        check(OF_MKDOCS, "mkdocs.yml", "plugins:\n- material/serach\n- my-search\n", &[("serach", "search")]);
        check(OF_MDBOOK, "book.toml", "[book]\nscr = 'a'\ntitle = 'b'\n", &[("scr", "src")]);
        check(
            OF_MDBOOK,
            "book.toml",
            "[output.html]\nsite-ulr = 'a'\n[output.pdf]\nsite-ulr = 'a'\n",
            &[("site-ulr", "site-url")],
        );
    }

    #[test]
    fn misspelled_variables() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<_> = assigned(text).iter().map(|it| text[it.span.clone()].to_string()).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("extension = ['myst_parser']\n", &["extension"]);
        check("html_them = 'furo'\nextensions = []\n", &["html_them"]);
        check("extension = 'a'\nextensions = [extension]\n", &[]);
    }
}
