//! The syntax of a text, if it isn't our own Markdown, and the files that it includes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::conventions::{AnchorRule, HtmlInMdx, Syntax, Vocabulary};
use base::address::slug_of;
use base::platforms;
use base::site_path::SitePath;
use base::sorted::{SortedMap, SortedSet};

/// Link definitions by their [`label`]: each target with its title.
pub type LinkDefinitions = SortedMap<String, (String, String)>;

/// Returns the form in which labels of link definitions are compared. CommonMark compares labels by case folding and white space. Lower
/// case is a sufficient approximation.
pub fn label(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The syntax of a text in addition to our own, and its included files. The default is our own syntax.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    pub syntax: &'static [Syntax],
    /// How the IDs of headings are generated.
    pub anchors: AnchorRule,
    /// Whether the generator's plugins define link labels that no page defines.
    pub defines_labels: bool,
    /// The link definitions that the generator adds to every page.
    pub definitions: Arc<LinkDefinitions>,
    /// Whether `$` begins a formula.
    pub has_formulas: bool,
    /// Included files, by the name that the text uses. See `markup::markdown::inclusions`.
    pub parts: SortedMap<String, IncludedFile>,
    /// Code files that can't be included, and why.
    pub absent: SortedMap<String, Absence>,
    /// Names of components and blocks that the text may use.
    pub vocabulary: Arc<Vocabulary>,
    /// The HTML that the text may contain, if it is MDX.
    pub html: HtmlInMdx,
    /// Values of the generator's configuration, by the names that pages use: `param version`, `site.title`.
    pub values: Arc<SortedMap<String, String>>,
    /// Elements that appear on some platforms only. Empty if the page is read for all platforms.
    pub platforms: Arc<PlatformBlocks>,
}

/// An attribute of an element with content: `<If sdk={["ios", "android"]}>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Condition {
    pub element: String,
    /// Empty for an unnamed argument of a shortcode.
    pub attribute: String,
    /// Empty if the value isn't a list of words.
    pub values: Vec<String>,
}

/// The elements that show their content on some platforms only, as the site's pages write them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlatformBlocks {
    /// Whether a page is read for one platform.
    is_of_version: bool,
    /// Element, attribute, and whether the content is for all platforms except the listed ones.
    attributes: SortedMap<(String, String), bool>,
}

/// Maximum number of platforms of a site. Attributes with more values have another purpose.
const MOST_PLATFORMS: usize = 40;

/// Words of attributes and elements that list excluded platforms.
const NEGATIONS: [&str; 9] =
    ["not", "no", "hide", "hidden", "exclude", "excludes", "except", "unless", "without"];

/// The beginnings of attributes that choose what an element shows first, such as `defaultValue`.
const CHOICES: [&str; 4] = ["default", "initial", "selected", "active"];

/// Attributes that list the content of an element.
const LISTS: [&str; 6] = ["items", "options", "values", "tabs", "labels", "languages"];

impl PlatformBlocks {
    /// Finds the platform attributes on the pages of a site: the values are a small set, and at least half of them
    /// are names of platforms, either well-known or by `is_platform_of_site`.
    pub fn of<'c>(
        conditions: impl Iterator<Item = &'c Condition>,
        is_platform_of_site: impl Fn(&str) -> bool,
    ) -> Self {
        let mut said: SortedMap<(&str, &str), SortedSet<&str>> = SortedMap::new();
        let is_choice = |attribute: &str| CHOICES.iter().any(|it| attribute.starts_with(it));
        for Condition { element, attribute, values } in conditions.filter(|it| !is_choice(&it.attribute)) {
            let known = said.entry((element, attribute)).or_default();
            // A text value counts as one more value.
            let text = values.is_empty().then_some("");
            known.extend(values.iter().map(String::as_str).chain(text));
        }
        let is_platform = |value: &&&str| platforms::id_named(value).is_some() || is_platform_of_site(value);
        let names_platforms = |values: &SortedSet<&str>| {
            let known = values.iter().filter(is_platform).count();
            known >= 2 && 2 * known >= values.len() && values.len() <= MOST_PLATFORMS
        };
        let of_sets: SortedSet<(&str, &str)> = said
            .iter()
            .filter(|((_, attribute), values)| !LISTS.contains(attribute) && names_platforms(values))
            .map(|(key, _)| *key)
            .collect();
        // `<If notSdk="ios">` counts if `<If sdk="…">` does, however few values it has.
        let is_beside = |element: &str, values: &SortedSet<&str>| {
            let is_known = of_sets.iter().any(|(other, _)| *other == element);
            is_known && values.iter().all(|value| is_platform(&value))
        };
        let is_one = |((element, attribute), values): &(&(&str, &str), &SortedSet<&str>)| {
            let is_of_set = of_sets.contains(&(*element, *attribute));
            is_of_set || !LISTS.contains(attribute) && is_beside(element, values)
        };
        let excludes = |name: &str| name_words(name).any(|word| NEGATIONS.contains(&word.as_str()));
        let attributes = said.iter().filter(is_one).map(|((element, attribute), _)| {
            ((element.to_string(), attribute.to_string()), excludes(element) || excludes(attribute))
        });
        let attributes = attributes.collect();
        Self { is_of_version: true, attributes }
    }

    pub fn is_empty(&self) -> bool {
        !self.is_of_version
    }

    /// Returns the IDs of the platforms in a condition.
    pub fn named(&self, condition: &Condition) -> Vec<String> {
        let is_known = self.excludes(condition).is_some();
        let ids = condition.values.iter().filter(|_| is_known).map(|value| id_of(value));
        ids.filter(|id| !id.is_empty()).collect()
    }

    /// Returns the arguments of the `:::platform` block that replaces an element with this condition.
    pub fn block(&self, condition: &Condition) -> Option<String> {
        let ids = self.named(condition).join(" ");
        let excludes = self.excludes(condition).filter(|_| !ids.is_empty())?;
        Some(if excludes { format!("not {ids}") } else { ids })
    }

    /// Returns the platform of a tab.
    pub fn of_label(&self, label: &str) -> Option<&'static str> {
        platforms::id_named(label).filter(|_| !self.is_empty())
    }

    fn excludes(&self, condition: &Condition) -> Option<bool> {
        self.attributes.get(&(condition.element.clone(), condition.attribute.clone())).copied()
    }
}

fn id_of(value: &str) -> String {
    platforms::id_named(value).map_or_else(|| slug_of(value), str::to_string)
}

/// Returns the words of a name such as `hideFor` or `not-sdk`, in lower case.
fn name_words(name: &str) -> impl Iterator<Item = String> {
    let mut apart = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_uppercase() {
            apart.push(' ');
        }
        apart.extend(letter.to_lowercase());
    }
    apart.split([' ', '-', '_', '.', ':']).map(str::to_string).collect::<Vec<_>>().into_iter()
}

/// A file that a text includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludedFile {
    pub path: SitePath,
    pub text: Arc<str>,
}

/// Why a file on a page has no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absence {
    /// It doesn't exist. Contains the most similar name.
    Missing(Option<String>),
    Folder,
    /// A symbolic link points outside the site.
    Outside,
    /// Its name or content is that of a secret.
    Secret,
    /// It was published by Stepkin.
    Published,
    /// It is too large: its size in bytes.
    TooLarge(u64),
    NotUtf8,
}

impl Dialect {
    /// Whether texts are in our own Markdown.
    pub fn is_ours(&self) -> bool {
        self.syntax.iter().all(|syntax| *syntax == Syntax::CodeFiles)
    }

    /// Whether texts are read without changes.
    pub fn is_as_written(&self) -> bool {
        self.syntax.is_empty()
    }

    pub fn has(&self, syntax: Syntax) -> bool {
        self.syntax.contains(&syntax)
    }

    /// Hashes everything that affects the parsing of a page in addition to its text. Adds nothing if the text is read
    /// without changes, and headings have the usual IDs.
    pub fn add_to(&self, hasher: &mut blake3::Hasher) {
        // The derived `Debug` writes every field and quotes texts, so different values have different output.
        if self.is_as_written() {
            if !matches!(self.anchors, AnchorRule::GitHub | AnchorRule::Any) {
                hasher.update(format!("{:?}", self.anchors).as_bytes());
            }
        } else {
            hasher.update(format!("{:?}{:?}{}", self.syntax, self.anchors, self.defines_labels).as_bytes());
            hasher.update(format!("{:?}", self.html).as_bytes());
            hasher
                .update(format!("{:?}{:?}{:?}", self.values, self.absent, self.vocabulary.key()).as_bytes());
            if !self.definitions.is_empty() {
                hasher.update(format!("{:?}", self.definitions).as_bytes());
            }
            if self.has_formulas {
                hasher.update(b"formulas");
            }
            if !self.platforms.is_empty() {
                hasher.update(format!("{:?}", self.platforms).as_bytes());
            }
            for (name, part) in &self.parts {
                hasher.update(format!("{name:?}{:?}", part.path).as_bytes());
                hasher.update(blake3::hash(part.text.as_bytes()).as_bytes());
            }
        }
    }
}
