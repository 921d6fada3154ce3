//! The kinds of repositories that contain tutorial families, and how each one names, orders and writes its pages.
//!
//! A [`Convention`] is data that describes a kind's defaults, with one file for each kind. A [`Repository`] is a
//! recognized repository, with the settings of its generator. It decides which files are pages, what their addresses
//! are, and which file a path on a page refers to.

mod anchors;
mod calibrate;
mod closed;
mod configured;
mod docusaurus;
mod extensions;
mod front_rules;
mod hugo;
mod imports;
mod jekyll;
mod keys;
mod mdbook;
mod mdx;
mod mkdocs;
mod mystmd;
mod named;
mod navigation;
mod options;
mod plain;
mod proof;
mod recognize;
mod redirects;
mod repository;
mod settings;
mod sphinx;
mod starlight;
mod stepkin;
mod targets;
mod translated;
mod tree;
mod values;
mod vitepress;
mod vocabulary;
mod vuepress;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::anchors::AnchorRule;
pub use self::closed::{FrontRule, MissingExtension, OptionalMarkup, SyntaxRule};
pub use self::jekyll::post_address;
pub use self::keys::{Choice, documented_choices, documented_keys};
pub use self::named::front_matter;
pub use self::navigation::{Extent, FolderSettings, Group, PageList, folder_settings, list_of};
pub use self::plain::PANDOC;
pub use self::proof::{Overrides, Proof};
pub use self::proof::{are_exceptions, are_nearly_all};
pub use self::recognize::{SiteFolder, UnrecognizedRepository};
pub use self::redirects::Redirect;
use self::repository::Patterns;
pub use self::repository::{COMPONENT_INCLUDE, Repository, without_number};
pub use self::sphinx::{TERM, WORK, document_name, labels_in};
pub use self::targets::{
    DataFile, NamedTarget, SettingSlip, SlipKind, TargetKind, inline_targets, is_mintlify,
};
pub use self::tree::{FileTree, PublishedFolder};
pub use self::values::{InvalidData, invalid_data};
pub use self::vocabulary::Vocabulary;
use base::address::slug_of;
use base::language::LanguageTag;
use base::sorted::SortedMap;

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
    Mystmd,
    Vuepress,
    /// MDX pages that a framework or a custom build publishes.
    Mdx,
    /// Folders of Markdown files without a known generator.
    Plain,
}

/// A syntax that isn't part of CommonMark, GitHub's extensions or ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Syntax {
    /// MDX: imports, exports, expressions in braces, components.
    Mdx,
    /// Blocks between `:::name` and `:::` with any name, with titles, and nested with more colons.
    Directives,
    /// Hugo's shortcodes, `{{< name >}}` and `{{% name %}}`.
    Shortcodes,
    /// Liquid's tags and outputs: `{% name %}` and `{{ name }}`.
    Liquid,
    /// Blocks indented under `!!! note`, `??? note` and `=== "Tab"`.
    Indented,
    /// Kramdown's attribute lists: `{: .class #id}` and `{:toc}`.
    Kramdown,
    /// A `|` in code that doesn't end a cell of a table, as in kramdown, Python-Markdown, and markdown-it before version 12.
    CodePipes,
    /// Vue's components and outputs: `<Name>` and `{{ name }}`.
    Vue,
    /// mdBook's directives: `{{#include file}}`.
    Mdbook,
    /// Includes of files: `--8<-- "file"`, `<<< @/file`.
    Snippets,
    /// Directives, roles and labels of `MyST`: `` ```{note} ``, `:::{note}`, `(label)=`.
    Myst,
    /// Titles after the names of `MyST`'s notes, which are text in Sphinx: `:::{note} Title`.
    MystTitles,
    /// Our own code fences that include a file: `file="code/app.js"`.
    CodeFiles,
    /// Tags of plugins, of which those that include a file are read: `{% include "a.md" %}`.
    Tags,
    /// Links to pages by their titles: `[[Page name]]`.
    WikiLinks,
}

/// The HTML that a compiler of MDX accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HtmlInMdx {
    /// Unknown, or the page isn't MDX.
    #[default]
    Unknown,
    /// Comments, which Docusaurus removes before: <https://docusaurus.io/docs/api/docusaurus-config#markdown>.
    Comments,
    /// None: <https://mdxjs.com/docs/what-is-mdx/#markdown>.
    None,
}

/// The meaning of a front matter key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    Title,
    /// Position among the surrounding pages.
    Order,
    Description,
    /// The identity of a step across platforms.
    Step,
    /// The last segment of the address, or the complete address. See [`Slugs`].
    Slug,
    /// The complete address, relative to the site's root.
    Address,
    /// The last segment of the address, except for index pages.
    Id,
    Aliases,
    Redirect,
    Draft,
    /// The opposite of a draft.
    Published,
    /// Whether the page is published on its own.
    Rendered,
    Platforms,
    Duration,
    Drift,
}

/// The defaults of a kind of repository.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one rule of naming or order")]
pub struct Convention {
    pub kind: Kind,
    /// The kind with its article, for messages such as "read as a Docusaurus site".
    pub name: &'static str,
    /// File extensions of pages, without the dot.
    pub endings: &'static [&'static str],
    /// Lower-case names, without extension, of index pages, whose address is that of their folder.
    pub indices: &'static [&'static str],
    /// Whether a `README.md` next to an `index.md` is left out.
    pub leaves_out_readme: bool,
    /// Whether `a/a.md` is also an index page.
    pub is_index_by_folder: bool,
    /// Whether number prefixes, as in `01-install.md`, set the order and are removed from the address.
    pub is_numbered: bool,
    /// Whether addresses are always in lower case.
    pub is_lower_case: bool,
    pub slugs: Slugs,
    /// Whether links may point to repository files outside the folders of sources.
    pub links_to_sources: bool,
    /// Whether a path without `./` may be relative to the folder of pages or to the root.
    pub links_from_root: bool,
    /// Whether links are published as written, unless a theme or a plugin changes them.
    pub leaves_links: bool,
    /// Whether top-level folders without a page of their own still have a list of their pages.
    pub lists_sections: bool,
    /// Who puts the site's base path before root-relative links.
    pub base: BasePath,
    /// Whether a page without a translation is shown in the original language, at the address of the translation.
    pub falls_back: bool,
    /// Whether `a.md` becomes the file `a.html`, so that `a/index.md` is another page.
    pub has_page_files: bool,
    /// What happens to files and folders whose names begin with `_`.
    pub underscored: Underscored,
    /// Where a relative path that isn't the name of a Markdown file leads.
    pub relative: RelativePaths,
    pub generator: Generator,
    /// Whether programs of a site change the texts of pages. Those of other generators only change addresses.
    pub has_programs_for_texts: bool,
    pub front_matter: FrontMatterReader,
    /// Whether the case of front matter keys has no meaning.
    pub ignores_key_case: bool,
    /// Whether the generator publishes files next to pages only if a page shows or links to them.
    pub publishes_only_pages: bool,
    /// Front matter keys with a meaning, in addition to our own. The parts of nested keys are joined by dots.
    pub keys: &'static [(&'static str, Meaning)],
    /// Whether front matter may be TOML between `+++` lines.
    pub has_toml: bool,
    /// Whether other keys are allowed because plugins and themes may use them.
    pub has_other_keys: bool,
    /// Files that aren't pages: lists, and texts about the repository.
    pub no_pages: &'static [&'static str],
    /// Files that set the order and title of their folder.
    pub folder_files: &'static [&'static str],
    /// The rules of syntax that the documentation closes.
    pub rules: &'static [SyntaxRule],
    /// Syntax of its pages, in addition to CommonMark and GitHub's extensions.
    pub syntax: &'static [Syntax],
    /// How the IDs of headings are generated.
    pub anchors: AnchorRule,
    /// Whether pages need a title in their front matter, or a heading at the start.
    pub needs_titles: bool,
    /// Whether the title has to be in the front matter.
    pub has_required_titles: bool,
    /// Whether readers see the title of the site for a page without one.
    pub shows_site_title: bool,
    /// Last level of the headings that may be a page's title.
    pub title_level: usize,
    /// How a page is left out of lists on purpose.
    pub left_out: LeftOut,
    /// Pages that Stepkin doesn't read.
    pub unread_forms: &'static [UnreadForm],
    /// Whether `order` counts among the pages of a folder, rather than among all steps of a platform.
    pub orders_by_folder: bool,
    /// Recognizes a repository of this kind, and reads its configuration.
    read: fn(&dyn FileTree) -> Option<Repository>,
}

/// Texts about a repository, which most generators don't publish as pages.
pub const ABOUT: &[&str] =
    &["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "LICENSE.md", "SECURITY.md"];

/// The defaults of most generators. Each kind lists only its differences.
const USUAL: Convention = Convention {
    kind: Kind::Plain,
    name: "",
    endings: &["md"],
    indices: &["index"],
    leaves_out_readme: false,
    is_index_by_folder: false,
    is_numbered: false,
    is_lower_case: false,
    slugs: Slugs::Segment,
    links_to_sources: false,
    links_from_root: false,
    leaves_links: false,
    lists_sections: false,
    base: BasePath::Written,
    falls_back: false,
    has_page_files: false,
    underscored: Underscored::LeftOut,
    relative: RelativePaths::OfAddress,
    generator: Generator::Known,
    has_programs_for_texts: false,
    front_matter: FrontMatterReader::JavaScript,
    ignores_key_case: false,
    publishes_only_pages: false,
    keys: &[],
    has_toml: false,
    has_other_keys: true,
    no_pages: &[],
    folder_files: &[],
    rules: &[],
    syntax: &[],
    anchors: AnchorRule::GitHub,
    needs_titles: true,
    has_required_titles: false,
    shows_site_title: false,
    title_level: 1,
    left_out: LeftOut { keys: &[], help: "" },
    unread_forms: &[],
    orders_by_folder: true,
    read: |_| None,
};

/// How pages are excluded from the generator's lists.
#[derive(Clone, Copy, Debug)]
pub struct LeftOut {
    /// Front matter keys of pages that should not be listed, or that the generator lists elsewhere. The parts of
    /// nested keys are joined by dots.
    pub keys: &'static [&'static str],
    /// How to leave a page out on purpose, as the end of a sentence. `{list}` is replaced with the file of the list.
    pub help: &'static str,
}

/// Pages of a generator in a form or folder that Stepkin doesn't read.
#[derive(Clone, Copy, Debug)]
pub struct UnreadForm {
    pub noun: &'static str,
    pub plural: &'static str,
    pub place: FormPlace,
}

/// Where such pages are.
#[derive(Clone, Copy, Debug)]
pub enum FormPlace {
    /// In this folder of the site, with the file extensions of pages.
    InSite(&'static str),
    /// In the folder of pages, with these file extensions.
    AmongPages(&'static [&'static str]),
}

const RST: UnreadForm = UnreadForm {
    noun: "reStructuredText page",
    plural: "reStructuredText pages",
    place: FormPlace::AmongPages(&["rst"]),
};

/// A program writes them, such as `configure`, which may insert other pages.
const TEMPLATES: UnreadForm = UnreadForm {
    noun: "template of a page",
    plural: "templates of pages",
    place: FormPlace::AmongPages(&["md.in"]),
};

const NOTEBOOKS: UnreadForm =
    UnreadForm { noun: "notebook", plural: "notebooks", place: FormPlace::AmongPages(&["ipynb"]) };

/// The meaning of a [`Meaning::Slug`] value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slugs {
    /// The last segment, without a slash.
    Segment,
    /// A path relative to the page's folder, or to the site's root if it begins with a slash.
    Path,
    /// A path relative to the site's root.
    WholePath,
}

/// Who puts the site's base path before links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BasePath {
    /// Authors write it.
    Written,
    /// Authors write it, and the generator doesn't need to know it.
    Hosted,
    /// The generator adds it to root-relative links on pages.
    Added,
    /// Templates add it to links in data, and authors write it on pages.
    AddedToData,
}

/// What happens to files and folders whose names begin with `_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Underscored {
    LeftOut,
    /// The generator publishes them, but usually they are parts of pages or belong to a theme, so they aren't read.
    Published,
    /// They are pages and files like others.
    Read,
}

/// Where a relative path that isn't the name of a Markdown file leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelativePaths {
    /// A browser resolves it relative to the address of the page.
    OfAddress,
    /// The address of a page has the folders of its file, so it is relative to both.
    OfFile,
    /// The generator looks it up among its files, which it can't leave.
    AmongFiles,
}

/// Which links between pages a generator leaves as written, so that browsers resolve them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreadLinks {
    None,
    /// All that aren't the path of a file, relative to the page's file.
    NoFiles,
    /// `MyST` looks up `a.html` as a label, and writes `#a.html`.
    Html,
}

/// Whether the program that publishes the pages, and its rules, are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    Known,
    /// A framework or a program of the repository, by its own rules.
    Unknown,
    /// Perhaps none: readers may follow links from file to file.
    Maybe,
}

/// The parser of front matter, which decides where it ends and what is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontMatterReader {
    /// Ours.
    Strict,
    /// gray-matter or a similar parser: a line that begins with `---` is the end, whatever follows.
    JavaScript,
    /// libyaml or its port for Python: a `...` line is also an end, and the last of several equal keys counts.
    LibYaml,
    /// The port for Python in `MkDocs`, for which a block without keys is text: `get_data` in mkdocs/utils/meta.py.
    MkDocs,
    /// The port for Go.
    Go,
    /// Any of them.
    Any,
}

impl FrontMatterReader {
    /// Whether it accepts what libyaml accepts.
    pub fn is_of_libyaml(self) -> bool {
        matches!(self, Self::LibYaml | Self::MkDocs | Self::Go)
    }
}

/// Translations that the repository declares, but that aren't read as such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadTranslations {
    /// The file or folder that declares them, relative to the root.
    pub place: String,
    /// As the generator names them.
    pub languages: Vec<String>,
    /// Whether they are pages. Otherwise, they are texts for gettext.
    pub are_pages: bool,
}

impl UnreadTranslations {
    fn of(place: &str, languages: Vec<String>, are_pages: bool) -> Option<Self> {
        (!languages.is_empty()).then(|| Self { place: place.to_string(), languages, are_pages })
    }
}

/// Names and descriptions of folders in each language, from the generator's translations, by the original text: for a folder
/// without a name, that of the folder itself.
pub type FolderNames = SortedMap<LanguageTag, SortedMap<String, String>>;

/// A folder with the pages of one language other than the site's own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TranslationFolder {
    /// Below the root.
    pub path: String,
    /// The folder of the originals, below the root.
    pub original: String,
    /// As in the generator's configuration.
    pub language: String,
}

/// A folder of addresses for which this repository has no pages, or only pages in a folder that isn't read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenFolder {
    /// The folder, with a slash at both ends.
    pub folder: String,
    pub publisher: Publisher,
}

/// The publisher of pages that aren't read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Publisher {
    /// Another version of the documentation.
    Version,
    /// A translation.
    Translation,
    /// A folder that the configuration mounts and that is missing here because it is in another repository or
    /// generated.
    Mount,
    /// The generator itself, by rules that Stepkin doesn't implement: lists of tags, posts by date.
    Generator,
}

impl OpenFolder {
    /// `folder` may lack its slashes. An empty text is the root.
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
            Self::Mystmd => &mystmd::CONVENTION,
            Self::Vuepress => &vuepress::CONVENTION,
            Self::Mdx => &mdx::CONVENTION,
            Self::Plain => &plain::CONVENTION,
        }
    }
}

/// The convention of our own sites.
pub const OURS: &Convention = &stepkin::CONVENTION;

/// Front matter keys that mean the same in every kind of repository.
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
    /// Returns the name of a folder or file as it is in an address. Astro removes punctuation:
    /// <https://docs.astro.build/en/reference/content-loader-reference/#generateid>.
    pub fn name_in_address<'n>(&self, name: &'n str) -> Cow<'n, str> {
        match () {
            () if self.kind == Kind::Starlight => slug_of(name).into(),
            () if self.is_lower_case => name.to_lowercase().replace(' ', "-").into(),
            () => name.into(),
        }
    }

    /// Returns the meaning of a front matter key.
    pub fn meaning(&self, name: &str) -> Option<Meaning> {
        let named =
            |keys: &[(&str, Meaning)]| keys.iter().find(|(known, _)| *known == name).map(|(_, key)| *key);
        named(self.keys).or_else(|| named(OUR_KEYS))
    }

    /// Whether a generator publishes the pages. Otherwise, readers may follow links from file to file.
    pub fn has_generator(&self) -> bool {
        self.generator != Generator::Maybe
    }

    /// Returns the name of the front matter key that sets a page's address, if there is one.
    pub fn key_of_slug(&self) -> Option<&'static str> {
        let ours = OUR_KEYS.iter().filter(|_| self.kind == Kind::Stepkin);
        let is_slug = |meaning: Meaning| matches!(meaning, Meaning::Slug | Meaning::Address);
        self.keys.iter().chain(ours).find(|(_, meaning)| is_slug(*meaning)).map(|(name, _)| *name)
    }

    /// Whether a page that isn't in the list of pages isn't published.
    pub fn publishes_only_listed(&self) -> bool {
        matches!(self.kind, Kind::Mdbook | Kind::Mystmd)
    }

    pub fn has(&self, syntax: Syntax) -> bool {
        self.syntax.contains(&syntax)
    }

    /// Returns the names of all keys with a meaning.
    pub fn key_names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().chain(OUR_KEYS).map(|(name, _)| *name)
    }
}
