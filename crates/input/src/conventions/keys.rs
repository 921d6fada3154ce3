//! Front matter keys that generators document and that have no meaning for Stepkin.

use super::Kind;

/// Returns the keys. The parts of nested keys are joined by dots.
///
/// Sources: <https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs#markdown-front-matter>,
/// <https://starlight.astro.build/reference/frontmatter/>, <https://vitepress.dev/reference/frontmatter-config>,
/// <https://gohugo.io/content-management/front-matter/>, <https://jekyllrb.com/docs/front-matter/> with
/// <https://just-the-docs.com/docs/navigation/>, <https://squidfunk.github.io/mkdocs-material/reference/>.
pub fn documented_keys(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Docusaurus => &[
            "custom_edit_url",
            "description",
            "displayed_sidebar",
            "draft",
            "hide_table_of_contents",
            "hide_title",
            "image",
            "keywords",
            "last_update",
            "pagination_label",
            "pagination_next",
            "pagination_prev",
            "parse_number_prefixes",
            "sidebar_class_name",
            "sidebar_custom_props",
            "sidebar_label",
            "sidebar_position",
            "title_meta",
            "toc_max_heading_level",
            "toc_min_heading_level",
            "unlisted",
        ],
        Kind::Starlight => &[
            "banner",
            "editUrl",
            "lastUpdated",
            "pagefind",
            "sidebar.attrs",
            "sidebar.badge",
            "sidebar.hidden",
            "sidebar.label",
            "tableOfContents",
            "tableOfContents.maxHeadingLevel",
            "tableOfContents.minHeadingLevel",
            "template",
        ],
        Kind::Vitepress => &[
            "aside",
            "editLink",
            "features",
            "footer",
            "isHome",
            "lastUpdated",
            "layout",
            "navbar",
            "outline",
            "pageClass",
            "sidebar",
            "titleTemplate",
        ],
        Kind::Hugo => &[
            "cascade",
            "categories",
            "expiryDate",
            "headless",
            "isCJKLanguage",
            "keywords",
            "lastmod",
            "layout",
            "linkTitle",
            "markup",
            "menus",
            "outputs",
            "params",
            "publishDate",
            "resources",
            "sitemap",
            "summary",
            "translationKey",
        ],
        Kind::Jekyll => &[
            "author",
            "categories",
            "category",
            "excerpt",
            "grand_parent",
            "has_children",
            "has_toc",
            "image",
            "layout",
            "nav_exclude",
            "parent",
            "sitemap",
        ],
        Kind::Mkdocs => {
            &["authors", "categories", "links", "readtime", "search", "status", "subtitle", "template"]
        }
        Kind::Stepkin
        | Kind::Mdbook
        | Kind::Sphinx
        | Kind::Mystmd
        | Kind::Vuepress
        | Kind::Mdx
        | Kind::Plain => &[],
    }
}

/// A front matter key whose values are a choice. The parts of a nested key are joined by dots, and lists in between are omitted.
#[derive(Debug)]
pub struct Choice {
    pub key: &'static str,
    pub values: &'static [&'static str],
    /// Whether the generator stops at any other value.
    pub is_closed: bool,
}

/// Returns the documented choices: <https://starlight.astro.build/reference/frontmatter/>,
/// <https://vitepress.dev/reference/frontmatter-config>, <https://squidfunk.github.io/mkdocs-material/setup/>,
/// <https://www.mintlify.com/docs/organize/pages>.
pub fn documented_choices(kind: Kind) -> &'static [Choice] {
    const BADGES: &[&str] = &["caution", "danger", "default", "note", "success", "tip"];
    const HEAD: &[&str] = &["base", "link", "meta", "noscript", "script", "style", "template", "title"];
    const BUTTONS: &[&str] = &["minimal", "primary", "secondary"];
    match kind {
        Kind::Starlight => &[
            Choice { key: "template", values: &["doc", "splash"], is_closed: true },
            Choice { key: "hero.actions.variant", values: BUTTONS, is_closed: true },
            Choice { key: "sidebar.badge.variant", values: BADGES, is_closed: true },
            Choice { key: "head.tag", values: HEAD, is_closed: true },
        ],
        Kind::Vitepress => &[
            Choice { key: "layout", values: &["doc", "home", "page"], is_closed: false },
            Choice { key: "hero.actions.theme", values: &["alt", "brand", "sponsor"], is_closed: true },
        ],
        Kind::Mkdocs => &[Choice {
            key: "hide",
            values: &["feedback", "footer", "navigation", "path", "tags", "toc"],
            is_closed: false,
        }],
        Kind::Mdx => &[Choice {
            key: "mode",
            values: &["center", "custom", "default", "frame", "wide"],
            is_closed: false,
        }],
        _ => &[],
    }
}
