//! The pattern of a family's paths: `docs/{platform}/{section}/{step}`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// A layout from `[[family]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The layout as written.
    pub text: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// A fixed folder name.
    Fixed(String),
    Platform,
    /// Any number of folders.
    Section,
    Step,
}

/// A page that matches a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit<'a> {
    pub platform: &'a str,
    /// The path relative to the family's folder, without the platform.
    pub rest: Vec<&'a str>,
}

impl Layout {
    /// # Errors
    ///
    /// The message, with the help on a second line.
    fn parse(text: &str) -> Result<Self, String> {
        const FORM: &str =
            "use `docs/{platform}/{section}/{step}`, `docs/{step}/{platform}`, or `docs/{platform}`";
        let names = text.split('/').filter(|name| !name.is_empty());
        let part = |name: &str| match name {
            "{platform}" => Ok(Part::Platform),
            "{section}" => Ok(Part::Section),
            "{step}" => Ok(Part::Step),
            name if name.contains(['{', '}']) => Err(format!(
                "`{name}` is not a valid part of a layout\nuse folder names, `{{platform}}`, `{{section}}`, and \
                 `{{step}}`"
            )),
            name => Ok(Part::Fixed(name.to_string())),
        };
        let parts = names.map(part).collect::<Result<Vec<Part>, String>>()?;
        let count = |wanted: &Part| parts.iter().filter(|part| *part == wanted).count();
        match (count(&Part::Platform), count(&Part::Section), count(&Part::Step)) {
            (0, ..) => Err(format!("the layout has no `{{platform}}`\n{FORM}")),
            (1, 1, 0) => Err(format!("the layout has a `{{section}}` but no `{{step}}`\n{FORM}")),
            (1, 0 | 1, 0 | 1)
                if parts.last().is_some_and(|last| !matches!(last, Part::Fixed(_) | Part::Section)) =>
            {
                Ok(Self { text: text.to_string(), parts })
            }
            (1, 0 | 1, 0 | 1) => {
                Err(format!("the layout doesn't end with `{{platform}}` or `{{step}}`\n{FORM}"))
            }
            _ => Err(format!("a part is repeated in the layout\n{FORM}")),
        }
    }

    /// Returns the folder of the family: the fixed names at the start of the layout.
    pub fn folder(&self) -> String {
        self.prefix().collect::<Vec<_>>().join("/")
    }

    /// Whether each platform has a folder: the platform directly follows the family's folder and isn't last.
    pub fn has_platform_folders(&self) -> bool {
        self.parts.get(self.prefix().count()) == Some(&Part::Platform)
            && self.parts.last() != Some(&Part::Platform)
    }

    fn prefix(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map_while(|part| match part {
            Part::Fixed(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// `names` is the path of a page without its ending, and without its name if it is the index page of its folder
    /// (`is_folders_page`).
    pub fn fit<'a>(&self, names: &[&'a str], is_folders_page: bool) -> Option<Fit<'a>> {
        let whole = fit(&self.parts, names);
        match self.parts.split_last() {
            // The index page of a folder of steps.
            Some((Part::Step, parts)) if is_folders_page => whole.or_else(|| fit(parts, names)),
            _ => whole,
        }
    }
}

fn fit<'a>(parts: &[Part], names: &[&'a str]) -> Option<Fit<'a>> {
    let section = parts.iter().position(|part| *part == Part::Section);
    let (before, after) = match section {
        Some(at) => (&parts[..at], &parts[at + 1..]),
        None => (parts, &[][..]),
    };
    let between = names.len().checked_sub(before.len() + after.len())?;
    if section.is_none() && between > 0 {
        return None;
    }
    let (first, last) = names.split_at(before.len());
    let (sections, last) = last.split_at(between);
    let mut fit = Fit { platform: "", rest: Vec::new() };
    take(before, first, &mut fit)?;
    fit.rest.extend(sections);
    take(after, last, &mut fit)?;
    Some(fit)
}

fn take<'a>(parts: &[Part], names: &[&'a str], fit: &mut Fit<'a>) -> Option<()> {
    for (part, name) in parts.iter().zip(names) {
        match part {
            Part::Fixed(fixed) if fixed != name => return None,
            // A fixed name after the first variable part is the same on all pages.
            Part::Fixed(_) | Part::Section => {}
            Part::Platform => fit.platform = name,
            Part::Step => fit.rest.push(name),
        }
    }
    Some(())
}

impl JsonSchema for Layout {
    fn schema_name() -> Cow<'static, str> {
        "Layout".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "Pattern of the paths of a family's pages, such as `docs/{platform}/{section}/{step}`.",
            "pattern": r"\{platform\}",
        })
    }
}

impl<'de> Deserialize<'de> for Layout {
    fn deserialize<D: Deserializer<'de>>(layout: D) -> Result<Self, D::Error> {
        let layout = String::deserialize(layout)?;
        Self::parse(&layout).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(layout: &str, path: &str, expected: Option<(&str, &str)>) {
        let layout = Layout::parse(layout).expect("a layout");
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        let fit = layout.fit(&names, path.ends_with('/'));
        assert_eq!(
            fit.map(|fit| (fit.platform, fit.rest.join("/"))),
            expected.map(|(a, b)| (a, b.to_string()))
        );
    }

    #[test]
    fn a_path_is_taken_apart_as_the_layout_says() {
        let first = "docs/{platform}/{section}/{step}";
        check(first, "docs/ios/install", Some(("ios", "install")));
        check(first, "docs/ios/users/deep/identify", Some(("ios", "users/deep/identify")));
        check(first, "docs/ios/users/", Some(("ios", "users")));
        check(first, "docs/ios/", Some(("ios", "")));
        check(first, "docs/ios", None);
        check(first, "other/ios/install", None);
        check("/docs/{platform}/{step}/", "docs/ios/install", Some(("ios", "install")));
        check("docs/{platform}/{step}", "docs/ios/users/install", None);
        check("{step}/{platform}", "install/ios", Some(("ios", "install")));
        check("{step}/{platform}", "install/ios/", Some(("ios", "install")));
        check("a/{section}/{step}/{platform}", "a/b/c/d/ios", Some(("ios", "b/c/d")));
        check("a/{platform}", "a/ios", Some(("ios", "")));
        check("a/{platform}", "a/ios/more", None);
        check("a/{platform}/guide/{step}", "a/ios/guide/install", Some(("ios", "install")));
    }

    #[test]
    fn invalid_layouts_are_reported_with_a_fix() {
        for (layout, message) in [
            ("docs/{step}", "the layout has no `{platform}`"),
            ("docs/{plattform}/{step}", "`{plattform}` is not a valid part of a layout"),
            ("docs/{platform}/{section}", "the layout has a `{section}` but no `{step}`"),
            ("docs/{platform}/pages", "the layout doesn't end with `{platform}` or `{step}`"),
            ("docs/{platform}/{platform}", "a part is repeated in the layout"),
            ("", "the layout has no `{platform}`"),
        ] {
            let error = Layout::parse(layout).expect_err(layout);
            assert_eq!(error.lines().next(), Some(message));
            assert_eq!(error.lines().count(), 2, "{error}");
        }
    }
}
