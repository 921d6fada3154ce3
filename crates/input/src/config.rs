//! Reads `stepkin.toml`. Every key is optional, and an unknown key is an error that suggests the nearest known key.

mod editor;
mod languages;
mod layout;
mod linked_site;
mod look;
mod target;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

pub use self::editor::Editor;
pub use self::languages::{Fallback, LanguageTable, LanguagesConfig, languages};
pub use self::layout::Layout;
pub use self::linked_site::{Age, FileUrl, LinkedSite, MapFile};
pub use self::look::Look;
pub use self::target::{Keep, Target};
use crate::conventions::{Kind, Overrides, Repository};
use base::address::{Address, encode_into, slug_of};
use base::diagnostic::{Code, Severity, nearest};
use base::glob::Glob;
use base::language::LanguageTag;
use base::url::{self, Purpose};

/// The configuration of a site.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Name of the site, in the title of every page. [default: the home page's title]
    pub title: Option<String>,
    /// URL where the site will be published. Its path is added to every link.
    pub base_url: String,
    /// Language of the pages, as a BCP 47 tag.
    pub language: String,
    /// Host names of this site. Stepkin checks absolute links to them like internal links.
    pub hosts: Vec<String>,
    /// Variables that pages insert with braces. Without this table, braces stay as they are.
    #[schemars(with = "Option<BTreeMap<String, Variable>>")]
    pub variables: Option<Variables>,
    /// URL where readers can edit a page. `{path}` is replaced with the path of the file.
    pub edit_url: Option<String>,
    /// Image for social media previews of pages without an image, as its path on the site.
    #[schemars(with = "Option<String>")]
    pub image: Option<toml::Spanned<String>>,
    /// Whether pages show the date of their last change in Git.
    pub last_change: bool,
    /// HTML at the end of every page's `<head>`, such as the script of an analytics service.
    #[schemars(with = "Option<String>")]
    pub head: Option<toml::Spanned<String>>,
    pub header: Header,
    pub footer: Footer,
    pub feedback: Feedback,
    /// The color, fonts and sizes of all pages.
    #[serde(rename = "theme")]
    pub look: Look,
    /// Families that Stepkin can't detect from the folders, and additional settings for detected ones.
    #[schemars(with = "Vec<FamilyTable>")]
    #[serde(rename = "family")]
    pub families: FamiliesConfig,
    pub highlight: Highlight,
    pub math: Math,
    /// Commands that draw code blocks of a language as images: see `[diagrams.NAME]`.
    pub diagrams: BTreeMap<String, DiagramCommand>,
    /// Command that draws a card of each page, an image for social networks.
    pub cards: Option<Cards>,
    pub images: Images,
    pub check: CheckConfig,
    pub drift: Drift,
    pub search: Search,
    pub publish: Publish,
    pub serve: Serve,
    pub source: Source,
    /// The languages of the pages, as far as folders and the generator don't show them.
    pub languages: LanguagesConfig,
    /// The last part of the path of `base_url`, if it is that of a translation: `/ja`.
    #[serde(skip)]
    pub language_path: String,
    /// The paths of all translations that the site is published in.
    #[serde(skip)]
    pub language_paths: Vec<String>,
    /// The folders of the pages of each language, relative to the root, if the site has several.
    #[serde(skip)]
    pub language_folders: Vec<String>,
}

/// Links to a form for feedback below the text of each page.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Feedback {
    /// URL of the form. `{page}` is replaced with the page's URL, `{title}` with its title, and `{answer}` with `yes`, `no`, or
    /// `stuck`.
    #[schemars(with = "Option<String>")]
    pub url: Option<toml::Spanned<String>>,
}

/// Variables by name.
pub type Variables = BTreeMap<toml::Spanned<String>, Variable>;

/// The values of a variable.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a variable is a text, or a table with a text for each platform")]
pub enum Variable {
    Everywhere(String),
    /// By the platform's ID.
    ByPlatform(BTreeMap<String, String>),
}

impl Default for Config {
    fn default() -> Self {
        Self {
            title: None,
            base_url: "/".into(),
            language: "en".into(),
            hosts: Vec::new(),
            variables: None,
            edit_url: None,
            image: None,
            last_change: false,
            head: None,
            header: Header::default(),
            footer: Footer::default(),
            feedback: Feedback::default(),
            look: Look::default(),
            families: FamiliesConfig::default(),
            highlight: Highlight::default(),
            math: Math::default(),
            diagrams: BTreeMap::new(),
            cards: None,
            images: Images::default(),
            check: CheckConfig::default(),
            drift: Drift::default(),
            search: Search::default(),
            publish: Publish::default(),
            serve: Serve::default(),
            source: Source::default(),
            languages: LanguagesConfig::default(),
            language_path: String::new(),
            language_paths: Vec::new(),
            language_folders: Vec::new(),
        }
    }
}

/// The header of every page.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Header {
    /// Image before the site's name, as its path on the site.
    #[schemars(with = "Option<String>")]
    pub logo: Option<toml::Spanned<String>>,
    /// Whether to show the site's name next to the logo. Without a logo, it is always shown.
    pub title: bool,
    /// Links in the header. On narrow screens, they are in the footer.
    pub links: Vec<SiteLink>,
}

impl Default for Header {
    fn default() -> Self {
        Self { logo: None, title: true, links: Vec::new() }
    }
}

/// The footer of every page.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Footer {
    /// A line of plain text.
    pub text: Option<String>,
    /// Links after the text.
    pub links: Vec<SiteLink>,
}

/// A link on every page.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SiteLink {
    /// The text of the link.
    pub title: String,
    /// Path of a page or file on the site, or an absolute URL.
    #[schemars(with = "String")]
    #[serde(deserialize_with = "site_url")]
    pub url: toml::Spanned<String>,
}

impl SiteLink {
    /// Returns the path on the site, or `None` if the link leaves the site.
    pub fn path(&self) -> Option<&str> {
        Some(self.url.get_ref().as_str()).filter(|url| url.starts_with('/'))
    }
}

/// Settings of families.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Vec<Entry>")]
pub struct FamiliesConfig {
    pub declared: Vec<FamilyConfig>,
    /// Folders in `content/` that aren't tutorials, whatever the names of their subfolders.
    pub no_tutorials: Vec<toml::Spanned<String>>,
}

/// A declared family, or additional settings for a detected one.
#[derive(Clone, Debug)]
pub struct FamilyConfig {
    pub id: String,
    pub title: Option<String>,
    pub platforms: Vec<PlatformConfig>,
    /// The pattern of its pages' paths.
    pub layout: Option<toml::Spanned<Layout>>,
    /// Steps in reading order, as paths without the platform.
    pub steps: Vec<toml::Spanned<String>>,
}

/// A `[[family]]` table.
#[derive(Deserialize)]
#[serde(try_from = "FamilyTable")]
enum Entry {
    Family(FamilyConfig),
    NoTutorial(toml::Spanned<String>),
}

/// A `[[family]]` table with all possible keys.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "FamilyConfig")]
#[serde(deny_unknown_fields)]
struct FamilyTable {
    /// Name of the family in commands and data URLs. [default: name of its folder]
    id: Option<String>,
    /// Title for readers.
    title: Option<String>,
    /// Settings of its platforms, in the order of the platform switcher.
    #[serde(default, rename = "platform")]
    platforms: Vec<PlatformConfig>,
    /// With `tutorial = false`: a folder in `content/` that isn't a tutorial although it contains folders named after
    /// platforms.
    #[schemars(with = "Option<String>")]
    root: Option<toml::Spanned<String>>,
    /// `false`, together with `root`.
    tutorial: Option<bool>,
    /// Pattern of the pages' paths, if the folders don't show the platforms.
    #[schemars(with = "Option<Layout>")]
    layout: Option<toml::Spanned<Layout>>,
    /// Steps in reading order, as paths without the platform.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    steps: Vec<toml::Spanned<String>>,
}

impl From<Vec<Entry>> for FamiliesConfig {
    fn from(entries: Vec<Entry>) -> Self {
        let mut families = Self::default();
        for entry in entries {
            match entry {
                Entry::Family(family) => families.declared.push(family),
                Entry::NoTutorial(root) => families.no_tutorials.push(root),
            }
        }
        families
    }
}

/// The message, with the help on a second line.
impl TryFrom<FamilyTable> for Entry {
    type Error = &'static str;

    fn try_from(table: FamilyTable) -> Result<Self, Self::Error> {
        let FamilyTable { id, title, platforms, root, tutorial, layout, steps } = table;
        let id = id.or_else(|| layout.as_ref().map(|layout| id_of_folder(&layout.get_ref().folder())));
        match (tutorial, root, id) {
            (Some(false), None, _) => Err(
                "`tutorial = false` needs a folder\nadd `root = \"developers/sdk\"`, its path in `content`",
            ),
            (Some(false), Some(root), None) if title.is_none() && platforms.is_empty() => {
                if folder(root.get_ref()).is_empty() {
                    Err("`root` is empty\nuse a folder in `content`, such as `root = \"developers/sdk\"`")
                } else {
                    Ok(Self::NoTutorial(root))
                }
            }
            (Some(false), Some(_), _) => Err(
                "a folder with `tutorial = false` can't have `id`, `title`, or `platform`\nremove them, or remove \
                                              `tutorial = false`",
            ),
            (_, Some(_), _) => Err(
                "a family can't have `root`, because each of its platforms has one\nmove it to `[[family.platform]]`, \
                                    or add `tutorial = false`",
            ),
            (_, None, None) => Err("missing field `id`"),
            (_, None, Some(id)) => Ok(Self::Family(FamilyConfig { id, title, platforms, layout, steps })),
        }
    }
}

/// Returns the ID of a family in a folder that doesn't configure an ID.
pub fn id_of_folder(folder: &str) -> String {
    match folder.rsplit('/').next() {
        Some(name) if !is_documentation_folder(name) => slug_of(name),
        _ => "documentation".to_string(),
    }
}

/// Whether a folder has a generic name for documentation.
pub fn is_documentation_folder(folder: &str) -> bool {
    const NAMES: [&str; 7] = ["", "docs", "doc", "documentation", "content", "pages", "src"];
    NAMES.contains(&folder)
}

/// Turns a configured root into a folder in `content/`, without a slash at either end.
pub fn folder(root: &str) -> &str {
    root.trim_matches('/').trim_start_matches("content/")
}

/// A platform of a configured family.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlatformConfig {
    /// Name of its folder, in lower case.
    #[schemars(with = "String")]
    pub id: toml::Spanned<String>,
    /// Name for readers. Known platforms have one: `ios` is iOS.
    pub name: Option<String>,
    /// Its folder in `content/`. [default: the detected folder with this ID]
    #[schemars(with = "Option<String>")]
    pub root: Option<toml::Spanned<String>>,
    /// Other names that its pages use for the platform. `drift` treats them as equivalent.
    #[serde(default)]
    pub words: Vec<String>,
}

/// Syntax highlighting.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Highlight {
    /// Whether to highlight code. Otherwise, code blocks keep their `language-…` class for your own script.
    pub enabled: bool,
}

impl Default for Highlight {
    fn default() -> Self {
        Self { enabled: true }
    }
}

/// Formulas.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Math {
    /// Whether text between `$` or `$$` is a formula in TeX. Code blocks with the language `math` always are.
    pub enabled: bool,
}

/// A `[diagrams.NAME]` table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiagramCommand {
    /// Program with its arguments. It reads a code block with the language NAME as its input, and prints an SVG image.
    #[serde(deserialize_with = "program")]
    pub command: Vec<String>,
    /// Additional arguments for the dark version of the image. Without them, the image has a white background in dark mode.
    #[serde(default)]
    pub dark: Vec<String>,
}

impl DiagramCommand {
    /// Returns the program with its arguments, or `None` if there is no dark version.
    pub fn arguments(&self, is_dark: bool) -> Option<Vec<&str>> {
        let more: &[String] = if is_dark { &self.dark } else { &[] };
        (!is_dark || !more.is_empty()).then(|| self.command.iter().chain(more).map(String::as_str).collect())
    }
}

/// Cards: images of pages for social networks.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cards {
    /// Program with its arguments. It reads an SVG image as its input, and prints it as PNG.
    #[schemars(with = "Vec<String>")]
    #[serde(deserialize_with = "card_program")]
    pub command: toml::Spanned<Vec<String>>,
}

/// Whether the program can encode AVIF: the package's `avif` feature.
pub const HAS_AVIF: bool = cfg!(feature = "avif");

/// Conversion of images.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Images {
    /// Whether to publish screenshots also as WebP, in the widths that screens need.
    pub enabled: bool,
    /// Whether to publish them also as AVIF if that is smaller.
    pub avif: bool,
}

impl Default for Images {
    fn default() -> Self {
        Self { enabled: true, avif: false }
    }
}

/// Values and terms that `drift` treats as equivalent. Each group lists equivalent spellings.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Drift {
    /// Complete cells of settings tables: `[["Check", "Enabled"]]`.
    pub values: Vec<Vec<String>>,
    /// Words anywhere: `[["page view", "screen view"]]`.
    pub words: Vec<Vec<String>>,
}

/// Full-text search.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Search {
    /// Whether the site has a search.
    pub enabled: bool,
    /// Words that answer each other in the search: `[["sign in", "log in"]]`. Each group lists words with one meaning.
    #[serde(deserialize_with = "synonyms")]
    pub synonyms: Vec<Vec<String>>,
}

impl Default for Search {
    fn default() -> Self {
        Self { enabled: true, synonyms: Vec::new() }
    }
}

/// Optional content of a site, and its upload targets.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the configuration")]
pub struct Publish {
    /// Whether each tutorial has a page that compares its platforms.
    pub compare: bool,
    /// Whether each platform has a page with all of its steps.
    pub print: bool,
    /// Whether to publish every page as Markdown, `llms.txt`, and `llms-full.txt`.
    pub markdown: bool,
    /// Whether each tutorial has `family.json`, `settings.json`, and `settings.csv`.
    pub data: bool,
    /// Whether to publish `pages.json` and `objects.inv`, so that other sites can check their links to this one.
    pub maps: bool,
    /// Whether to publish `feed.xml`, an Atom feed of the pages that changed last in Git. It needs `base_url` with a host.
    // Off by default, because it reads Git's history, which clones of CI jobs lack unless they ask for it.
    pub feed: bool,
    /// Targets of `stepkin publish NAME`, by name.
    pub to: BTreeMap<String, Target>,
}

impl Default for Publish {
    fn default() -> Self {
        Self {
            compare: true,
            print: true,
            markdown: true,
            data: true,
            maps: true,
            feed: false,
            to: BTreeMap::new(),
        }
    }
}

/// Settings of the preview server.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Serve {
    /// Editor that opens the location of a finding: its name, or a URL with `{path}`, `{line}`, and `{column}`.
    #[schemars(with = "Option<String>")]
    pub editor: Option<Editor>,
}

/// The files that Stepkin reads.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Source {
    /// Folders and files outside the site that symbolic links may point to, absolute or relative to the site root.
    pub follow: Vec<String>,
    /// Kind of the repository, if Stepkin doesn't recognize it correctly.
    pub kind: Option<Kind>,
    /// Folder of the pages, relative to the root.
    pub content: Option<String>,
    /// Folder or folders with files that are published unchanged, relative to the root.
    #[serde(rename = "static")]
    pub statics: Option<Statics>,
    /// Path of the site's root in links, if it differs from the path of `base_url`.
    pub base: Option<String>,
}

/// One folder or several.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "`static` is a folder, or a list of folders")]
pub enum Statics {
    One(String),
    Several(Vec<String>),
}

impl Source {
    /// Returns the values that replace the recognized ones.
    pub fn overrides(&self) -> Overrides {
        let statics = self.statics.clone().map(|statics| match statics {
            Statics::One(folder) => vec![folder],
            Statics::Several(folders) => folders,
        });
        Overrides { kind: self.kind, content: self.content.clone(), statics, base: self.base.clone() }
    }
}

/// Settings of `check`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CheckConfig {
    /// File with URLs that exist but are built by another program, relative to the root.
    pub routes: Option<String>,
    /// Other sites that pages link to, with their link maps.
    #[serde(rename = "site")]
    pub sites: Vec<LinkedSite>,
    /// The lowest severity for which `check` exits with 1.
    pub fail_on: Option<FailOn>,
    /// Severity by rule, or `off`.
    #[schemars(schema_with = "levels")]
    pub severity: BTreeMap<LevelledCode, Level>,
    /// Accepted findings.
    #[serde(rename = "ignore")]
    pub ignores: Vec<Ignore>,
}

/// A severity threshold in the configuration and on the command line.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    #[default]
    Error,
    Warning,
    Info,
}

impl From<FailOn> for Severity {
    fn from(bar: FailOn) -> Self {
        match bar {
            FailOn::Error => Self::Error,
            FailOn::Warning => Self::Warning,
            FailOn::Info => Self::Info,
        }
    }
}

/// The severity that the configuration sets for a rule.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Off,
    Info,
    Warning,
    Error,
}

/// Findings to accept.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ignore {
    /// Rule to ignore.
    #[schemars(with = "CodeName")]
    pub code: toml::Spanned<CodeName>,
    /// Pattern for the link target or its URL. [default: any]
    pub target: Option<Pattern>,
    /// Pattern for the path of the file. [default: any]
    pub file: Option<Pattern>,
    /// Reason for the exception. It is required.
    #[serde(deserialize_with = "reason")]
    pub reason: String,
}

/// A rule by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CodeName(pub Code);

/// A rule whose severity can be changed because it doesn't block the build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LevelledCode(pub Code);

/// A glob.
#[derive(Clone, Debug)]
pub struct Pattern(pub Glob);

impl JsonSchema for CodeName {
    fn schema_name() -> Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = Code::ALL.iter().flat_map(|code| code.names()).collect();
        json_schema!({ "description": "Name of a rule.", "enum": names })
    }
}

/// Schema of `severity`, by rule.
fn levels(generator: &mut SchemaGenerator) -> Schema {
    let level = generator.subschema_for::<Level>();
    let levelled = Code::ALL.iter().filter(|code| !code.rule().blocks_build);
    let levels: serde_json::Map<_, _> = levelled
        .flat_map(|code| code.names())
        .map(|name| (name.to_string(), level.clone().to_value()))
        .collect();
    json_schema!({ "type": "object", "properties": levels, "additionalProperties": false })
}

impl JsonSchema for Pattern {
    fn schema_name() -> Cow<'static, str> {
        "Pattern".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "`*` matches anything except `/`, and `**` matches anything." })
    }
}

// Our own messages have the help on their second line.

impl<'de> Deserialize<'de> for CodeName {
    fn deserialize<D: Deserializer<'de>>(name: D) -> Result<Self, D::Error> {
        let name = String::deserialize(name)?;
        Code::named(&name).map(Self).ok_or_else(|| {
            let near = nearest(&name, Code::ALL.iter().map(|code| code.name()));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            let help = help.unwrap_or_else(|| "run `stepkin explain --list` to see all rules".into());
            D::Error::custom(format!("unknown rule `{name}`\n{help}"))
        })
    }
}

impl<'de> Deserialize<'de> for LevelledCode {
    fn deserialize<D: Deserializer<'de>>(name: D) -> Result<Self, D::Error> {
        let CodeName(code) = CodeName::deserialize(name)?;
        if code.rule().blocks_build {
            return Err(D::Error::custom(format!(
                "the severity of `{code}` can't be changed because it blocks the build\nremove the line, and fix the \
                 problem"
            )));
        }
        Ok(Self(code))
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(pattern: D) -> Result<Self, D::Error> {
        let pattern = String::deserialize(pattern)?;
        let glob = Glob::new(&pattern);
        glob.map(Self)
            .map_err(|error| D::Error::custom(format!("`{pattern}` is not a valid pattern\n{error}")))
    }
}

fn site_url<'de, D: Deserializer<'de>>(value: D) -> Result<toml::Spanned<String>, D::Error> {
    let url = toml::Spanned::<String>::deserialize(value)?;
    let written = url.get_ref().as_str();
    let is_path = written.starts_with('/') && !written.starts_with("//");
    if url::is_unsafe(written, Purpose::Document) || !is_path && url::scheme(written).is_none() {
        return Err(D::Error::custom(format!(
            "`{written}` can't be linked from every page\nuse a path on the site, such as `/about/`, or an \
             absolute URL"
        )));
    }
    if is_path && written.contains(['#', '?']) {
        return Err(D::Error::custom(format!(
            "`{written}` has an anchor, which isn't supported here\nlink to the page: `{}`",
            written.split(['#', '?']).next().unwrap_or_default()
        )));
    }
    Ok(url)
}

/// Returns groups of synonyms that a reader can type.
fn synonyms<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<Vec<String>>, D::Error> {
    let groups = Vec::<Vec<String>>::deserialize(value)?;
    let words = groups.iter().flatten();
    if let Some(word) = words.clone().find(|word| !word.contains(char::is_alphanumeric)) {
        return Err(D::Error::custom(format!(
            "the synonym `{word}` has no letter or digit, so readers can't search for it\nremove it"
        )));
    }
    if let Some(group) = groups.iter().find(|group| group.len() < 2) {
        let word = group.first().map_or("log in", String::as_str);
        return Err(D::Error::custom(format!(
            "a group of synonyms has fewer than two words\nadd another word: `[\"{word}\", \"…\"]`"
        )));
    }
    let mut seen = BTreeSet::new();
    if let Some(word) = words.clone().find(|word| !seen.insert(word.to_lowercase())) {
        return Err(D::Error::custom(format!(
            "the synonym `{word}` is listed twice\nwrite all words with one meaning into one group"
        )));
    }
    Ok(groups)
}

/// Returns a program with its arguments.
fn program<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    let command = Vec::<String>::deserialize(value)?;
    if has_program(&command) {
        return Ok(command);
    }
    Err(D::Error::custom("the command has no program\nadd it, for example `command = [\"dot\", \"-Tsvg\"]`"))
}

fn card_program<'de, D: Deserializer<'de>>(value: D) -> Result<toml::Spanned<Vec<String>>, D::Error> {
    let command = toml::Spanned::<Vec<String>>::deserialize(value)?;
    if has_program(command.get_ref()) {
        return Ok(command);
    }
    Err(D::Error::custom("the command has no program\nadd it, for example `command = [\"rsvg-convert\"]`"))
}

fn has_program(command: &[String]) -> bool {
    command.first().is_some_and(|program| !program.trim().is_empty())
}

fn reason<'de, D: Deserializer<'de>>(value: D) -> Result<String, D::Error> {
    let reason = String::deserialize(value)?;
    if reason.trim().is_empty() {
        return Err(D::Error::custom("the reason is empty\nadd why you accept the finding"));
    }
    Ok(reason)
}

/// Why a configuration is invalid.
#[derive(Clone, Debug, PartialEq)]
pub struct Invalid {
    /// Byte range in the file.
    pub span: Range<usize>,
    pub message: String,
    pub help: Option<String>,
}

/// Formats of some values.
const FORMS: [(&str, &str); 4] = [
    ("base_url", "use `https://docs.example.com/path/`, or only its path, `/path/`"),
    ("edit_url", "use `https://git.example.com/docs/edit/main/{path}`"),
    ("url", "use `https://forms.example.com/?page={page}&answer={answer}`"),
    ("language", "use a language code, such as `language = \"en\"`"),
];

fn form_of(key: &str) -> Option<String> {
    FORMS.iter().find(|(known, _)| *known == key).map(|(_, form)| (*form).to_string())
}

/// Reads a configuration.
///
/// # Errors
///
/// The first key or value that is invalid.
pub fn parse(text: &str) -> Result<Config, Invalid> {
    let config: Config = toml::from_str(text).map_err(|error| explain(text, &error))?;
    if let Some(problem) = config.base_url_problem() {
        return Err(Invalid {
            span: value_span(text, "base_url"),
            message: problem,
            help: form_of("base_url"),
        });
    }
    if let Some(url) = config.edit_url.as_deref().filter(|url| !is_edit_url(url)) {
        let message = format!("`{url}` is not a valid edit URL");
        return Err(Invalid { span: value_span(text, "edit_url"), message, help: form_of("edit_url") });
    }
    if let Some(url) = config.feedback.url.as_ref().filter(|url| !is_feedback_url(url.get_ref())) {
        let message = format!("`{}` is not a valid URL for feedback", url.get_ref());
        return Err(Invalid { span: url.span(), message, help: form_of("url") });
    }
    if let Some(invalid) = config.languages.mistake() {
        return Err(invalid);
    }
    match config.variables.iter().flatten().find_map(|(name, variable)| variable_problem(name, variable)) {
        Some(invalid) => Err(invalid),
        None => Ok(config),
    }
}

/// Reads only the `[source]` table, which is needed to find the files of a site before any is read. Other errors in
/// the configuration are reported later.
pub fn source(text: &str) -> Source {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Only {
        source: Source,
    }
    toml::from_str::<Only>(text).unwrap_or_default().source
}

/// Returns why pages can't use a variable, or why the name can't be part of a line.
fn variable_problem(name: &toml::Spanned<String>, variable: &Variable) -> Option<Invalid> {
    let invalid =
        |message: String, help: &str| Some(Invalid { span: name.span(), message, help: Some(help.into()) });
    let text = name.get_ref();
    let is_name = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if text.is_empty() || !is_name(text) {
        return invalid(
            format!("`{text}` is not a valid variable name"),
            "use letters, digits, `_`, and `-`",
        );
    }
    if text == "platform" {
        return invalid(
            "the variable name `platform` is reserved".into(),
            "`{platform.name}` and `{platform.id}` are predefined; to change the name, use `[[family.platform]]`",
        );
    }
    let has_lines = match variable {
        Variable::Everywhere(value) => value.contains(['\n', '\r']),
        Variable::ByPlatform(values) => values.values().any(|value| value.contains(['\n', '\r'])),
    };
    if !has_lines {
        return None;
    }
    invalid(
        format!("`{text}` has several lines, but variables are part of a line"),
        "move longer text to a page in `_shared`",
    )
}

fn is_edit_url(url: &str) -> bool {
    (url.starts_with("https://") || url.starts_with("http://")) && url.contains("{path}")
}

fn is_feedback_url(url: &str) -> bool {
    ["https://", "http://", "mailto:"].iter().any(|scheme| url.starts_with(scheme)) && url.contains("{page}")
}

impl Invalid {
    /// Returns the message with the line of `text` that it is about.
    pub fn said_of(&self, text: &str) -> String {
        let before = &text[..self.span.start.min(text.len())];
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let shown = text.lines().nth(line).unwrap_or_default();
        let help = self.help.as_deref().map_or(String::new(), |help| format!("\n  = help: {help}"));
        let number = line + 1;
        format!("stepkin.toml:{number}:{column}: {}\n  | {shown}{help}", self.message)
    }
}

impl CheckConfig {
    /// Returns the files that `check` needs, relative to the root.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let maps = self.sites.iter().map(|site| site.map.get_ref().as_str());
        self.routes.iter().map(String::as_str).chain(maps)
    }
}

impl Config {
    /// Returns the links on every page, those of the header first.
    pub fn links(&self) -> impl Iterator<Item = &SiteLink> {
        self.header.links.iter().chain(&self.footer.links)
    }

    /// Whether pages have a custom header or footer.
    pub fn has_chrome(&self) -> bool {
        self.header.logo.is_some() || self.links().next().is_some()
    }

    /// Adds the settings of the generator's configuration that this one, read from `text`, doesn't contain.
    pub fn complete(&mut self, text: &str, repository: &Repository) {
        let is_said = |key: &str| !value_span(text, key).is_empty();
        if let Some(base_url) = repository.base_url.as_ref().filter(|_| !is_said("base_url")) {
            let before = std::mem::replace(&mut self.base_url, base_url.clone());
            // How the generator uses such a value is unknown.
            if self.base_url_problem().is_some() {
                self.base_url = before;
            }
        }
        // A generator may have codes of its own.
        let language = || LanguageTag::known(repository.language.as_deref()?);
        if let Some(language) = language().filter(|_| !is_said("language")) {
            self.language = language.to_string();
        }
        if self.title.is_none() {
            self.title.clone_from(&repository.title);
        }
        self.math.enabled |= repository.has_formulas && !is_said("math");
    }

    /// Returns the path of `base_url` without the final slash: `/developers`, or an empty text for a site at `/`.
    pub fn base_path(&self) -> &str {
        let url = self.base_url.trim_end_matches('/');
        match url.split_once(':').and_then(|(_, rest)| rest.strip_prefix("//")) {
            Some(rest) => rest.find('/').map_or("", |slash| &rest[slash..]),
            None => url,
        }
    }

    /// Makes this the configuration of a translation that is published at a path of the site.
    pub fn translate(&mut self, language: &str, path: &str) {
        self.language = language.to_string();
        self.base_url = format!("{}{path}/", self.base_url.trim_end_matches('/'));
        self.language_path = path.to_string();
    }

    /// Returns the base path of the original. See [`Self::base_path`].
    pub fn root_path(&self) -> &str {
        let base = self.base_path();
        &base[..base.len() - self.language_path.len()]
    }

    /// Returns `base_url` without its path: `https://docs.example.com`, or `None` if only a path is known.
    pub fn origin(&self) -> Option<&str> {
        let path_start = self.base_url.find("://").map(|scheme| scheme + 3)?;
        let end =
            self.base_url[path_start..].find('/').map_or(self.base_url.len(), |slash| path_start + slash);
        Some(&self.base_url[..end])
    }

    /// Whether programs draw images for the site.
    pub fn has_drawings(&self) -> bool {
        !self.diagrams.is_empty() || self.cards.is_some()
    }

    /// Whether the site has a feed. Its URLs are absolute.
    pub fn has_feed(&self) -> bool {
        self.publish.feed && self.origin().is_some()
    }

    /// Whether the site shows when pages changed.
    pub fn has_dates(&self) -> bool {
        self.last_change || self.has_feed()
    }

    /// Returns the absolute URL of an address, or `None` if only a path is known.
    pub fn url(&self, address: &Address) -> Option<String> {
        let mut url = [self.origin()?, self.base_path()].concat();
        encode_into(address.as_str(), &mut url);
        Some(url)
    }

    /// Returns the same for a page of the language at a path of the site.
    pub fn url_in(&self, path: &str, address: &Address) -> Option<String> {
        let mut url = [self.origin()?, self.root_path(), path].concat();
        encode_into(address.as_str(), &mut url);
        Some(url)
    }

    /// Returns an error unless `base_url` is an http(s) URL or an absolute path.
    pub fn base_url_problem(&self) -> Option<String> {
        let url = &self.base_url;
        let http = ["http://", "https://"].iter().find_map(|scheme| url.strip_prefix(scheme));
        let fits = match http {
            Some(rest) => !rest.is_empty() && !rest.starts_with('/'),
            None => url.starts_with('/') && !url.starts_with("//"),
        };
        let plain = !url.contains(['?', '#', '"', '<', '>', ' ']) && !url.contains("..");
        (!fits || !plain).then(|| format!("`{url}` is not a valid base URL"))
    }
}

/// Rewrites an error of the `toml` crate, and adds help.
fn explain(text: &str, error: &toml::de::Error) -> Invalid {
    let span = error.span().unwrap_or(0..0);
    let mut lines = error.message().lines();
    let message = lines.next().unwrap_or_default();
    let invalid = |message: String, help: Option<String>| Invalid { span: span.clone(), message, help };
    // serde writes "unknown field `x`, expected one of `a`, `b`".
    let mut names = message.split('`').skip(1).step_by(2);
    let name = names.next().unwrap_or_default();
    let known: Vec<&str> = names.collect();
    let near = || nearest(name, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
    match () {
        () if message.starts_with("unknown field") => {
            let help = near().unwrap_or_else(|| format!("known keys: `{}`", known.join("`, `")));
            invalid(format!("unknown key `{name}`"), Some(help))
        }
        () if message.starts_with("unknown variant") => {
            let help = near().unwrap_or_else(|| format!("use one of `{}`", known.join("`, `")));
            let key = key_before(text, span.start);
            invalid(format!("`{name}` is not a valid value for `{key}`"), Some(help))
        }
        () if message.starts_with("missing field") => {
            let help = match name {
                "reason" => "add a reason: `reason = \"…\"`".to_string(),
                "code" => "add the name of a rule: `code = \"missing-page\"`".to_string(),
                name => format!("add `{name} = \"…\"`"),
            };
            invalid(format!("missing key `{name}`"), Some(help))
        }
        () if message.starts_with("invalid type") => wrong_type(text, span.clone(), message),
        () => match SYNTAX.iter().find(|(said, ..)| message.starts_with(said)) {
            Some((_, cause, help)) => invalid((*cause).to_string(), Some((*help).to_string())),
            None => invalid(message.to_string(), lines.next().map(str::to_string)),
        },
    }
}

/// Errors of the TOML parser, each with our message and help.
const SYNTAX: [(&str, &str, &str); 9] = [
    ("unclosed table", "the name of the table is not closed", "add `]` after it"),
    ("unclosed array table", "the name of the table is not closed", "add `]]` after it"),
    ("unclosed array", "the list is not closed", "add `]` after its last value"),
    ("unclosed inline table", "the table is not closed", "add `}` after its last value"),
    ("invalid basic string", "the text is not closed on its line", "add `\"` at its end"),
    ("invalid literal string", "the text is not closed on its line", "add `'` at its end"),
    ("string values must be quoted", "the value has no quotes", "quote it: `key = \"text\"`"),
    ("key with no value", "this line is not a key with a value", "use `key = value`, and quote text"),
    (
        "unquoted keys cannot be empty",
        "missing name",
        "use `[check]` for a table, and `key = value` for a value",
    ),
];

/// Returns the error for a value whose type is wrong.
fn wrong_type(text: &str, span: Range<usize>, message: &str) -> Invalid {
    let key = key_before(text, span.start);
    let written = text.get(span.clone()).unwrap_or_default();
    let is_text = written.starts_with(['"', '\'']);
    let expected = message.rsplit_once("expected ").map_or("", |(_, expected)| expected);
    let before = text[..span.start.min(text.len())].rsplit('=').next().unwrap_or_default();
    let (what, help) = match expected {
        "a string" => {
            let bare = written.trim_matches(['[', ']', '{', '}', '"', '\'', ' ']);
            ("a text", form_of(key).unwrap_or_else(|| format!("use `{key} = \"{bare}\"`")))
        }
        "a sequence" if before.contains('[') && is_text => {
            ("a list, as each entry must be", format!("use a list of lists: `{key} = [[{written}, …]]`"))
        }
        "a sequence" => ("a list", format!("use `{key} = [{written}]`")),
        // `to` must be a table, because each target has a name.
        _ if key == "to" && is_text => {
            let url = written.trim_matches(['"', '\'']);
            (
                "a table",
                format!("use `[publish.to.NAME]` with `url = \"{url}\"`, and run `stepkin publish NAME`"),
            )
        }
        "a boolean" => ("`true` or `false`", format!("use `{key} = true` or `{key} = false`")),
        _ => ("a table", format!("add its keys after a line `[{key}]`")),
    };
    Invalid { span, message: format!("`{key}` is `{written}`, not {what}"), help: Some(help) }
}

/// Returns the key of the value at a position.
fn key_before(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let before = before.rsplit_once('=').map_or(before, |(before, _)| before);
    before.rsplit(['\n', '{', ',']).next().unwrap_or_default().trim()
}

/// Returns the range of a value whose key comes before every table.
pub fn value_span(text: &str, key: &str) -> Range<usize> {
    let table = toml::de::DeTable::parse(text).ok();
    table.and_then(|table| Some(table.get_ref().get(key)?.span())).unwrap_or(0..0)
}

/// Returns the range of a value in a table.
pub fn value_span_in(text: &str, table: &str, key: &str) -> Range<usize> {
    let parsed = toml::de::DeTable::parse(text).ok();
    let value = || Some(parsed.as_ref()?.get_ref().get(table)?.get_ref().get(key)?.span());
    value().unwrap_or(0..0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_base(base_url: &str, origin: Option<&str>, path: &str) {
        let config = parse(&format!("base_url = \"{base_url}\"")).expect(base_url);
        assert_eq!((config.origin(), config.base_path()), (origin, path));
    }

    #[track_caller]
    fn check_invalid(text: &str, at: &str, help: Option<&str>) {
        let invalid = parse(text).expect_err(text);
        assert_eq!((&text[invalid.span.clone()], invalid.help.as_deref()), (at, help), "{invalid:?}");
    }

    #[test]
    fn a_base_url_is_taken_apart() {
        check_base("https://docs.example.com/developers/", Some("https://docs.example.com"), "/developers");
        check_base("https://docs.example.com", Some("https://docs.example.com"), "");
        check_base("/a/b/", None, "/a/b");
        check_base("/", None, "");
    }

    #[test]
    fn invalid_values_are_reported_with_their_range() {
        check_invalid("titel = 'x'", "titel", Some("did you mean `title`?"));
        check_invalid("[check]\nroute = 'x'", "route", Some("did you mean `routes`?"));
        check_invalid("title = 5", "5", Some("use `title = \"5\"`"));
        check_invalid("[variables]\n'a b' = 'x'", "'a b'", Some("use letters, digits, `_`, and `-`"));
        check_invalid("[variables]\nx = 'a'\ny = 5", "5", None);
        let help = "move longer text to a page in `_shared`";
        check_invalid("[variables]\nx = { ios = \"a\\nb\" }", "x", Some(help));
        let help = "`{platform.name}` and `{platform.id}` are predefined; to change the name, use `[[family.platform]]`";
        check_invalid("[variables]\nplatform.name = 'x'", "platform", Some(help));
        let help = "use `https://docs.example.com/path/`, or only its path, `/path/`";
        check_invalid("base_url = 'docs.example.com'", "'docs.example.com'", Some(help));
        check_invalid("# base_url = 'a.b'\nbase_url = 'a.b'", "'a.b'", Some(help));
        let edit = Some("use `https://git.example.com/docs/edit/main/{path}`");
        check_invalid("edit_url = 'https://e.org/'", "'https://e.org/'", edit);
        check_invalid("edit_url = '/{path}'", "'/{path}'", edit);
        let feedback = Some("use `https://forms.example.com/?page={page}&answer={answer}`");
        check_invalid("[feedback]\nurl = 'https://e.org/'", "'https://e.org/'", feedback);
        check_invalid("[feedback]\nurl = 'javascript:{page}'", "'javascript:{page}'", feedback);
        check_invalid("base_url = 'https:///x'", "'https:///x'", Some(help));
        check_invalid(
            "[[check.ignore]]\ncode = 'mojibake'\nreason = ' '",
            "' '",
            Some("add why you accept the finding"),
        );
    }

    #[test]
    fn a_diagram_has_a_program() {
        let config =
            parse("[diagrams.dot]\ncommand = ['dot', '-Tsvg']\ndark = ['-Gbgcolor=black']").expect("valid");
        let arguments = |is_dark| config.diagrams["dot"].arguments(is_dark);
        assert_eq!(arguments(false), Some(vec!["dot", "-Tsvg"]));
        assert_eq!(arguments(true), Some(vec!["dot", "-Tsvg", "-Gbgcolor=black"]));
        let config = parse("[diagrams.dot]\ncommand = ['dot']").expect("valid");
        assert_eq!(config.diagrams["dot"].arguments(true), None);
        let help = "add it, for example `command = [\"dot\", \"-Tsvg\"]`";
        for empty in ["[]", "['']"] {
            check_invalid(&format!("[diagrams.dot]\ncommand = {empty}"), empty, Some(help));
        }
    }

    #[test]
    fn synonyms_are_groups_of_words() {
        let config = parse("[search]\nsynonyms = [['sign in', 'log in'], ['s3', 'bucket']]").expect("valid");
        assert_eq!(config.search.synonyms[1], ["s3", "bucket"]);
        let alone = "[['s3']]";
        check_invalid(
            &format!("[search]\nsynonyms = {alone}"),
            alone,
            Some("add another word: `[\"s3\", \"…\"]`"),
        );
        let empty = "[['s3', '–']]";
        check_invalid(&format!("[search]\nsynonyms = {empty}"), empty, Some("remove it"));
        let twice = "[['S3', 'bucket'], ['s3', 'store']]";
        let help = "write all words with one meaning into one group";
        check_invalid(&format!("[search]\nsynonyms = {twice}"), twice, Some(help));
    }

    #[test]
    fn messages_of_serde_are_reworded() {
        for (text, at, message, help) in [
            ("hosts = 'x'", "'x'", "`hosts` is `'x'`, not a list", "use `hosts = ['x']`"),
            (
                "last_change = 'yes'",
                "'yes'",
                "`last_change` is `'yes'`, not `true` or `false`",
                "use `last_change = true` or `last_change = false`",
            ),
            (
                "base_url = 3",
                "3",
                "`base_url` is `3`, not a text",
                "use `https://docs.example.com/path/`, or only its path, `/path/`",
            ),
            (
                "language = 3",
                "3",
                "`language` is `3`, not a text",
                "use a language code, such as `language = \"en\"`",
            ),
            ("title = ['a']", "['a']", "`title` is `['a']`, not a text", "use `title = \"a\"`"),
            ("[check", "", "the name of the table is not closed", "add `]` after it"),
            ("[[family]", "", "the name of the table is not closed", "add `]]` after it"),
            (
                "[\ntitle = 'x'",
                "",
                "missing name",
                "use `[check]` for a table, and `key = value` for a value",
            ),
            ("hosts = ['a'", "", "the list is not closed", "add `]` after its last value"),
            ("variables = { a = 'b'", "", "the table is not closed", "add `}` after its last value"),
            ("title = \"x", "", "the text is not closed on its line", "add `\"` at its end"),
            ("title = 'x", "", "the text is not closed on its line", "add `'` at its end"),
            ("title = x", "x", "the value has no quotes", "quote it: `key = \"text\"`"),
            (
                "base url = 'x'",
                "",
                "this line is not a key with a value",
                "use `key = value`, and quote text",
            ),
            (
                "[publish]\nto = 's3://docs/'",
                "'s3://docs/'",
                "`to` is `'s3://docs/'`, not a table",
                "use `[publish.to.NAME]` with `url = \"s3://docs/\"`, and run `stepkin publish NAME`",
            ),
            ("check = 3", "3", "`check` is `3`, not a table", "add its keys after a line `[check]`"),
            (
                "[drift]\nvalues = ['a', 'b']",
                "'a'",
                "`values` is `'a'`, not a list, as each entry must be",
                "use a list of lists: `values = [['a', …]]`",
            ),
            (
                "[check]\nfail_on = 'warn'",
                "'warn'",
                "`warn` is not a valid value for `fail_on`",
                "did you mean `warning`?",
            ),
            (
                "[check.severity]\nmissing-alt = 'loud'",
                "'loud'",
                "`loud` is not a valid value for `missing-alt`",
                "use one of `off`, `info`, `warning`, `error`",
            ),
            (
                "[check.severity]\nmissing-alts = 'off'",
                "missing-alts",
                "unknown rule `missing-alts`",
                "did you mean `missing-alt`?",
            ),
            (
                "[check.severity]\ninvalid-utf8 = 'off'",
                "invalid-utf8",
                "the severity of `invalid-utf8` can't be changed because it blocks the build",
                "remove the line, and fix the problem",
            ),
            (
                "[[check.ignore]]\ncode = 'mojibak'\nreason = 'x'",
                "'mojibak'",
                "unknown rule `mojibak`",
                "did you mean `mojibake`?",
            ),
            (
                "[[check.ignore]]\ncode = 'mojibake'",
                "[[check.ignore]]",
                "missing key `reason`",
                "add a reason: `reason = \"…\"`",
            ),
            (
                "[[check.ignore]]\ncode = 'mojibake'\nreason = 'x'\nfile = '['",
                "'['",
                "`[` is not a valid pattern",
                "unclosed character class at byte 0; missing ']' (to match a literal '[', escape it as '\\[' or '[[]')",
            ),
        ] {
            let invalid = parse(text).expect_err(text);
            assert_eq!((&text[invalid.span.clone()], invalid.message.as_str()), (at, message), "{text}");
            assert_eq!(invalid.help.as_deref(), Some(help), "{text}");
        }
    }

    #[test]
    fn a_folder_that_is_not_a_tutorial_is_named_by_its_root() {
        let config = parse("[[family]]\nroot = '/content/a/b/'\ntutorial = false\n[[family]]\nid = 'x'")
            .expect("both");
        let no_tutorials: Vec<&str> =
            config.families.no_tutorials.iter().map(|root| folder(root.get_ref())).collect();
        assert_eq!((no_tutorials, config.families.declared.len()), (vec!["a/b"], 1));
        let entry = "[[family]]";
        let help = "add `root = \"developers/sdk\"`, its path in `content`";
        check_invalid("[[family]]\ntutorial = false", entry, Some(help));
        check_invalid(
            "[[family]]\nroot = '/'\ntutorial = false",
            entry,
            Some("use a folder in `content`, such as `root = \"developers/sdk\"`"),
        );
        let help = "remove them, or remove `tutorial = false`";
        check_invalid("[[family]]\nid = 'x'\nroot = 'a'\ntutorial = false", entry, Some(help));
        let help = "move it to `[[family.platform]]`, or add `tutorial = false`";
        check_invalid("[[family]]\nid = 'x'\nroot = 'a'", entry, Some(help));
        check_invalid("[[family]]\ntitle = 'x'", entry, Some("add `id = \"…\"`"));
        check_invalid("[[family]]\ntutorail = false", "tutorail", Some("did you mean `tutorial`?"));
    }
}
