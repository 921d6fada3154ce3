//! Rules without exceptions by the documentation or the configuration of a generator: its syntax, extensions, and values of front matter.

use base::sorted::SortedSet;

/// A rule about the syntax of pages that a generator's documentation closes. No theme or plugin adds a meaning to what it reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxRule {
    /// `[]` isn't a box.
    Tasks,
    /// A definition begins with `:` and a space.
    Definitions,
    /// Attributes directly follow their link.
    Attributes,
    /// The names of icons contain a set or a size.
    Icons,
    /// A role directly precedes its text, and its name is in braces.
    Roles,
    /// `|release|` is text.
    Substitutions,
    /// The name of a directive directly follows its colons.
    DirectiveNames,
    /// The title of an aside is in brackets.
    AsideTitles,
    /// `[toc]` is text.
    Contents,
    /// A comment that includes a file has a colon.
    IncludeComments,
    /// `{{ … }}` contains JavaScript.
    VueOutputs,
    /// The mark of an alert is alone on its line.
    Alerts,
    /// The delimiters of a formula have two backslashes.
    Formulas,
    /// `{:toc}` is on its own line.
    ContentsOfList,
    /// A list of attributes is next to its block.
    DetachedAttributes,
    /// `hl_lines="2 4-6"`.
    LinesInText,
    /// `hl_lines=[2,"4-6"]`.
    LinesInList,
    /// `ins={4-6}`.
    LinesInBraces,
    /// `highlight-start` has an end.
    HighlightComments,
    /// The tabs of a code group have labels in brackets.
    GroupLabels,
    /// `[!code ++]`.
    CodeNotation,
    /// The attributes of a block in Rust.
    RustAttributes,
    /// The options of an admonition are TOML.
    AdmonishOptions,
    /// The directives of Sphinx.
    Directives,
    /// An element contains Markdown only with the attribute `markdown`.
    MarkdownInElements,
    /// The block of an HTML tag ends at a blank line.
    HtmlBlocks,
    /// A container in another one has fewer colons.
    Containers,
    /// Relative paths in HTML begin at the address of the page.
    HtmlPaths,
    /// Paths in HTML begin with the base path.
    HtmlBase,
    /// Links in Markdown don't begin with the base path.
    LinksWithoutBase,
    /// Links to static pages have another scheme.
    StaticPages,
    /// Pages that import components end with `.mdx`.
    ComponentsInMdx,
    /// Headings have no braces.
    HeadingsWithoutBraces,
    /// The page of a `README.md` is `index.html`.
    ReadmeIsIndex,
}

/// Markup that only an extension reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionalMarkup {
    /// `!!! note`.
    Note,
    /// `??? note`.
    Fold,
    /// `=== "Title"`.
    Tab,
    /// A code block in a list, between fences.
    IndentedFence,
    /// `Term` and `:   Text`.
    Definition,
    /// `[^1]: Text`.
    Footnote,
    /// `:::{note}`.
    ColonFence,
    /// `:Name: value`.
    Field,
    /// `$$` alone on a line.
    Formula,
    /// A code block in the language `mermaid`.
    Diagram,
    /// `{.class}` on the line below a block.
    BlockAttributes,
    /// `<details>`.
    Html,
    /// The number of the first item of a list.
    ListNumber,
    /// The directives of an extension of Sphinx.
    Directives(&'static [&'static str]),
}

/// Markup that the configuration doesn't enable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingExtension {
    pub markup: OptionalMarkup,
    /// What enables it, as it is written there.
    pub name: &'static str,
    /// The list or table of the configuration that lacks it.
    pub setting: &'static str,
}

/// A rule about a value of front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrontRule {
    /// A list, because a plugin stops at a text.
    List { key: &'static str },
    /// A day with two digits for month and day in the pages of a folder, because a parser of YAML reads others as text.
    Day { key: &'static str, folder: String },
    /// Names from a file, in the pages of a folder.
    Names { key: &'static str, folder: String, file: String, names: SortedSet<String> },
    /// One of the names that a configuration defines, in a file: other ones are ignored.
    Name { key: &'static str, file: String, names: SortedSet<String> },
    /// Templates in a folder, or of the theme.
    Template { key: &'static str, folder: String, names: SortedSet<String> },
}
