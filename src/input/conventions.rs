//! The kinds of repositories that hold tutorial families, and how each names, orders and writes its pages.
//!
//! A [`Convention`] is data: what a kind does by itself, one file for each. A [`Repository`] is one that was
//! recognised, with what its generator's own configuration says of it. It decides which files are pages, at which
//! address each is, and where a path that a page names leads.

mod anchors;
mod calibrate;
mod docusaurus;
mod hugo;
mod imports;
mod jekyll;
mod keys;
mod mdbook;
mod mdx;
mod mkdocs;
mod named;
mod navigation;
mod plain;
mod proof;
mod recognize;
mod redirects;
mod repository;
mod sphinx;
mod starlight;
mod stepkin;
mod targets;
mod tree;
mod values;
mod vitepress;
mod vuepress;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::anchors::AnchorRule;
pub use self::jekyll::post_address;
pub use self::keys::documented_keys;
pub use self::named::front_matter;
pub use self::navigation::{Extent, FolderSaid, Group, PageList, list_of, said_of_folder};
pub use self::proof::{Overrides, Proof};
pub use self::recognize::Unrecognised;
pub use self::redirects::Redirect;
pub use self::repository::{Repository, without_number};
pub use self::targets::{DataFile, NamedTarget, Names};
pub use self::tree::{FileTree, PublishedFolder};

/// A kind of repository.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    #[default]
    Stepkin,
    Docusaurus,
    Starlight,
    Hugo,
    Jekyll,
    Mkdocs,
    Vitepress,
    Mdbook,
    Sphinx,
    Vuepress,
    /// Pages of MDX that a framework or a build of one's own publishes.
    Mdx,
    /// Folders of Markdown files that no known generator reads.
    Plain,
}

/// A syntax that is not CommonMark's, GitHub's or ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Syntax {
    /// MDX: imports, exports, expressions in braces, components.
    Mdx,
    /// Blocks between `:::name` and `:::`, of any name, with titles, nested by more colons.
    Directives,
    /// Hugo's shortcodes, `{{< name >}}` and `{{% name %}}`.
    Shortcodes,
    /// Liquid's tags and outputs, `{% name %}` and `{{ name }}`.
    Liquid,
    /// Blocks that are indented below `!!! note`, `??? note` and `=== "Tab"`.
    Indented,
    /// Kramdown's attribute lists, `{: .class #id}` and `{:toc}`.
    Kramdown,
    /// Components and outputs of Vue, `<Name>` and `{{ name }}`.
    Vue,
    /// Directives of mdBook, `{{#include file}}`.
    Mdbook,
    /// Includes of files: `--8<-- "file"`, `<<< @/file`.
    Snippets,
    /// Directives, roles and labels of `MyST`: `` ```{note} ``, `:::{note}`, `(label)=`.
    Myst,
    /// Fences that take their code from a file, of our own: `file="code/app.js"`.
    CodeFiles,
}

/// What a key of front matter means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    Title,
    /// The place among the pages around.
    Order,
    Description,
    /// The identity of a step across platforms.
    Step,
    /// The last segment of the address, or the whole of it, see [`Slugs`].
    Slug,
    /// The last segment of the address of a page that is not its folder's.
    Id,
    Aliases,
    Redirect,
    Draft,
    /// The opposite of a draft.
    Published,
    /// Whether a page of its own is made.
    Rendered,
    Platforms,
    Duration,
    Drift,
}

/// What a kind of repository does by itself.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one rule of naming or order")]
pub struct Convention {
    pub kind: Kind,
    /// The kind with its article, as the rest of "read as".
    pub name: &'static str,
    /// Endings of pages, without the point.
    pub endings: &'static [&'static str],
    /// Names without ending, in lower case, of the page that is at the address of its folder.
    pub indices: &'static [&'static str],
    /// Whether `a/a.md` is at the address of its folder, too.
    pub is_index_by_folder: bool,
    /// Whether numbers in front of names, `01-install.md`, are an order and no part of the address.
    pub is_numbered: bool,
    /// Whether addresses are in lower case, whatever the case of names.
    pub is_lower_case: bool,
    pub slugs: Slugs,
    /// Whether links may name files of the repository that are in no folder of sources.
    pub links_to_sources: bool,
    /// Whether a path without `./` may be one from the folder of pages or from the root.
    pub links_from_root: bool,
    /// Whether folders directly in the folder of pages have a list of their pages without having a page of their own.
    pub lists_sections: bool,
    /// Whether the generator puts the base path of the site before a link from the root. If it doesn't, authors write it.
    pub adds_base: bool,
    /// Whether a page that a language lacks is shown in the language of the original, at the address of the translation.
    pub falls_back: bool,
    /// Keys of front matter that mean something, beside those of this program. Parts of a path are joined by points.
    pub keys: &'static [(&'static str, Meaning)],
    /// Whether front matter may be in TOML, between lines of `+++`.
    pub has_toml: bool,
    /// Whether any other key may mean something to somebody else, so that it is no mistake.
    pub has_other_keys: bool,
    /// Files without which pages are complete: lists, and texts about the repository.
    pub no_pages: &'static [&'static str],
    /// Files beside the pages of a folder that say its order and title.
    pub folder_files: &'static [&'static str],
    /// Syntax of its pages beside CommonMark's and GitHub's.
    pub syntax: &'static [Syntax],
    /// How the ids of headings are made.
    pub anchors: AnchorRule,
    /// Whether pages say their titles in their front matter, or by a heading at their beginning.
    pub needs_titles: bool,
    /// How a page says that lists leave it out on purpose.
    pub left_out: LeftOut,
    /// Whether `order` counts among the pages of a folder; else among all steps of a platform.
    pub orders_by_folder: bool,
    /// Recognises a repository of the kind, and reads its own configuration.
    read: fn(&dyn FileTree) -> Option<Said>,
}

/// What most generators do. A kind says what it does otherwise.
const USUAL: Convention = Convention {
    kind: Kind::Plain,
    name: "",
    endings: &["md"],
    indices: &["index"],
    is_index_by_folder: false,
    is_numbered: false,
    is_lower_case: false,
    slugs: Slugs::Segment,
    links_to_sources: false,
    links_from_root: false,
    lists_sections: false,
    adds_base: false,
    falls_back: false,
    keys: &[],
    has_toml: false,
    has_other_keys: true,
    no_pages: &[],
    folder_files: &[],
    syntax: &[],
    anchors: AnchorRule::GitHub,
    needs_titles: true,
    left_out: LeftOut { keys: &[], cure: "" },
    orders_by_folder: true,
    read: |_| None,
};

/// Pages that no list of their generator has.
#[derive(Clone, Copy, Debug)]
pub struct LeftOut {
    /// Keys of front matter of pages that are to be in no list, or that the generator lists elsewhere. Parts of a path are joined by
    /// points.
    pub keys: &'static [&'static str],
    /// How to leave a page out on purpose, as the end of a sentence; `{list}` is the file of the list.
    pub cure: &'static str,
}

/// What the value of [`Meaning::Slug`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slugs {
    /// The last segment, without a slash.
    Segment,
    /// A path from the page's folder, or from the site's root where it begins with a slash.
    Path,
    /// A path from the site's root.
    WholePath,
}

/// What a repository says of itself, as far as it differs from what its kind does.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one rule of addresses or links")]
struct Said {
    /// The folder of its pages, and where they are published. Without it, what the kind does by itself.
    content: PublishedFolder,
    /// Several folders of pages in `content`, each published elsewhere. Without any, all of it is pages.
    sets: Vec<PublishedFolder>,
    statics: Vec<PublishedFolder>,
    /// The whole URL of the site, or its path.
    base_url: Option<String>,
    title: Option<String>,
    language: Option<String>,
    /// Folders of translations, below the root.
    translations: Vec<String>,
    /// Languages whose pages have names such as `page.fr.md`.
    other_languages: Vec<String>,
    /// Folders whose names begin with `_` and hold pages all the same, below the root.
    collections: Vec<String>,
    /// The file that lists the pages in their order.
    navigation: Option<String>,
    /// Folders of files that pages include, below the root.
    includes: Vec<String>,
    /// How the ids of headings are made, where the configuration says so.
    anchors: Option<AnchorRule>,
    /// Whether plugins define labels of links that no page does.
    defines_labels: bool,
    /// Ids that templates write into every page.
    layouts: BTreeSet<String>,
    /// Values that pages may show, by the names that they give them.
    values: BTreeMap<String, String>,
    /// Patterns of files below the root that are no pages.
    excluded: Vec<String>,
    /// Patterns of pages that are in no list on purpose.
    unlisted: Vec<String>,
    /// Addresses that something else of the generator makes; one that ends with `*` is that of all below.
    routes: Vec<String>,
    /// Addresses that other pages have, which are not read.
    openings: Vec<OpenFolder>,
    /// Folders of such pages that are in the repository.
    unread: Vec<PublishedFolder>,
    /// Whether a program of the site's own makes addresses that no file shows.
    is_programmed: bool,
    /// Whether numbers in front of names are no part of addresses, where the kind doesn't say so.
    is_numbered: bool,
    /// Whether a path without `./` may start at the root of the pages, where the kind doesn't say so.
    links_from_root: bool,
}

/// A folder of addresses whose pages this repository doesn't hold, or holds where nothing is read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenFolder {
    /// With a slash at both ends.
    pub folder: String,
    pub publisher: Publisher,
}

/// What publishes pages that are not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Publisher {
    /// Another version of the documentation.
    Version,
    /// A translation.
    Translation,
    /// A folder that the configuration mounts and that is not there: of another repository, or written by a program.
    Mount,
    /// The generator itself, by a rule that is not followed here: lists of tags, posts by their dates.
    Generator,
}

impl OpenFolder {
    /// `folder` may lack its slashes, and be empty for the root.
    fn new(folder: &str, publisher: Publisher) -> Self {
        let folder = values::folder(folder);
        let folder = if folder.is_empty() { "/".into() } else { format!("/{folder}/") };
        Self { folder, publisher }
    }
}

impl Kind {
    pub fn convention(self) -> &'static Convention {
        match self {
            Self::Stepkin => &stepkin::CONVENTION,
            Self::Docusaurus => &docusaurus::CONVENTION,
            Self::Starlight => &starlight::CONVENTION,
            Self::Hugo => &hugo::CONVENTION,
            Self::Jekyll => &jekyll::CONVENTION,
            Self::Mkdocs => &mkdocs::CONVENTION,
            Self::Vitepress => &vitepress::CONVENTION,
            Self::Mdbook => &mdbook::CONVENTION,
            Self::Sphinx => &sphinx::CONVENTION,
            Self::Vuepress => &vuepress::CONVENTION,
            Self::Mdx => &mdx::CONVENTION,
            Self::Plain => &plain::CONVENTION,
        }
    }
}

/// Keys of front matter that mean the same in every kind of repository.
pub const OUR_KEYS: &[(&str, Meaning)] = &[
    ("title", Meaning::Title),
    ("order", Meaning::Order),
    ("description", Meaning::Description),
    ("step", Meaning::Step),
    ("slug", Meaning::Slug),
    ("aliases", Meaning::Aliases),
    ("redirect", Meaning::Redirect),
    ("draft", Meaning::Draft),
    ("platforms", Meaning::Platforms),
    ("duration", Meaning::Duration),
    ("drift", Meaning::Drift),
];

impl Convention {
    /// What a key of front matter means.
    pub fn meaning(&self, name: &str) -> Option<Meaning> {
        let named =
            |keys: &[(&str, Meaning)]| keys.iter().find(|(known, _)| *known == name).map(|(_, key)| *key);
        named(self.keys).or_else(|| named(OUR_KEYS))
    }

    /// The names of all keys that mean something.
    pub fn key_names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().chain(OUR_KEYS).map(|(name, _)| *name)
    }
}
