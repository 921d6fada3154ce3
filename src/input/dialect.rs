//! How a text is written where that is not our own Markdown, and the files that it includes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base::address::slug_of;
use crate::base::platforms;
use crate::base::site_path::SitePath;
use crate::input::conventions::{AnchorRule, Syntax};

/// The syntax of a text beside our own, with what it includes. By default a text is our own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    pub syntax: &'static [Syntax],
    /// How the ids of headings are made.
    pub anchors: AnchorRule,
    /// Whether plugins of the generator define labels of links that no page does.
    pub defines_labels: bool,
    /// By the name that the text gives, as [`inclusions`](crate::markup::markdown::inclusions) says it.
    pub parts: BTreeMap<String, IncludedFile>,
    /// Why there is no text for a name of code, where there is none.
    pub absent: BTreeMap<String, Absence>,
    /// What the generator's configuration says, by the names that pages give it: `param version`, `site.title`.
    pub values: Arc<BTreeMap<String, String>>,
    /// Which elements are for some platforms alone; empty where the page is read as a whole.
    pub platforms: Arc<PlatformBlocks>,
}

/// What one attribute of an element with content says: `<If sdk={["ios", "android"]}>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Condition {
    pub element: String,
    /// Empty for what a shortcode is given without a name.
    pub attribute: String,
    /// Empty where it says something else than words.
    pub values: Vec<String>,
}

/// Elements that show their content on some platforms alone, as the pages of a site write them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlatformBlocks {
    /// Whether a page is read as one platform has it.
    is_of_version: bool,
    /// Element, attribute, and whether the content is for all platforms but those that it names.
    attributes: BTreeMap<(String, String), bool>,
}

/// A site has fewer platforms than that. What has more values is something else.
const MOST_PLATFORMS: usize = 40;

/// Words of attributes and elements that name those for whom something is not.
const NEGATIONS: [&str; 9] =
    ["not", "no", "hide", "hidden", "exclude", "excludes", "except", "unless", "without"];

/// Attributes that list what is inside of an element.
const LISTS: [&str; 6] = ["items", "options", "values", "tabs", "labels", "languages"];

impl PlatformBlocks {
    /// Finds them in what the pages of a site say: the values of such an attribute are a small set, and half of them or more are
    /// names of platforms, here or by `is_platform_of_site`.
    pub fn of<'c>(
        conditions: impl Iterator<Item = &'c Condition>,
        is_platform_of_site: impl Fn(&str) -> bool,
    ) -> Self {
        let mut said: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
        for Condition { element, attribute, values } in conditions {
            let known = said.entry((element, attribute)).or_default();
            // Another text is one more value.
            let text = values.is_empty().then_some("");
            known.extend(values.iter().map(String::as_str).chain(text));
        }
        let is_platform = |value: &&&str| platforms::id_named(value).is_some() || is_platform_of_site(value);
        let names_platforms = |values: &BTreeSet<&str>| {
            let known = values.iter().filter(is_platform).count();
            known >= 2 && 2 * known >= values.len() && values.len() <= MOST_PLATFORMS
        };
        let of_sets: BTreeSet<(&str, &str)> = said
            .iter()
            .filter(|((_, attribute), values)| !LISTS.contains(attribute) && names_platforms(values))
            .map(|(key, _)| *key)
            .collect();
        // `<If notSdk="ios">` is one too where `<If sdk="…">` is, however few values it has.
        let is_beside = |element: &str, values: &BTreeSet<&str>| {
            let is_known = of_sets.iter().any(|(other, _)| *other == element);
            is_known && values.iter().all(|value| is_platform(&value))
        };
        let is_one = |((element, attribute), values): &(&(&str, &str), &BTreeSet<&str>)| {
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

    /// The ids of the platforms that a condition names.
    pub fn named(&self, condition: &Condition) -> Vec<String> {
        let is_known = self.excludes(condition).is_some();
        let ids = condition.values.iter().filter(|_| is_known).map(|value| id_of(value));
        ids.filter(|id| !id.is_empty()).collect()
    }

    /// What follows `:::platform` for an element with this condition.
    pub(crate) fn block(&self, condition: &Condition) -> Option<String> {
        let ids = self.named(condition).join(" ");
        let excludes = self.excludes(condition).filter(|_| !ids.is_empty())?;
        Some(if excludes { format!("not {ids}") } else { ids })
    }

    /// The platform of a tab.
    pub(crate) fn of_label(&self, label: &str) -> Option<&'static str> {
        platforms::id_named(label).filter(|_| !self.is_empty())
    }

    fn excludes(&self, condition: &Condition) -> Option<bool> {
        self.attributes.get(&(condition.element.clone(), condition.attribute.clone())).copied()
    }
}

fn id_of(value: &str) -> String {
    platforms::id_named(value).map_or_else(|| slug_of(value), str::to_string)
}

/// The words of `hideFor`, `not-sdk`, in lower case.
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

/// Why a file that a page names has no text to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absence {
    /// It does not exist, and what may be meant by its name.
    Missing(Option<String>),
    Folder,
    /// A link leads out of the site.
    Outside,
    /// Its name or its content is a secret's.
    Secret,
    /// This program published it.
    Published,
    /// It has this many bytes.
    TooLarge(u64),
    NotUtf8,
}

impl Dialect {
    /// Whether texts are our own Markdown.
    pub fn is_ours(&self) -> bool {
        self.syntax.iter().all(|syntax| *syntax == Syntax::CodeFiles)
    }

    /// Whether texts are read as they are.
    pub fn is_as_written(&self) -> bool {
        self.syntax.is_empty()
    }

    pub fn has(&self, syntax: Syntax) -> bool {
        self.syntax.contains(&syntax)
    }

    /// Adds all that a page is parsed from beside its text to a hash; nothing where it is read as it is.
    pub fn add_to(&self, hasher: &mut blake3::Hasher) {
        // What derives `Debug` writes every field, and quotes texts so that none can pass for two.
        if !self.is_as_written() {
            hasher.update(format!("{:?}{:?}{}", self.syntax, self.anchors, self.defines_labels).as_bytes());
            hasher.update(format!("{:?}{:?}", self.values, self.absent).as_bytes());
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
