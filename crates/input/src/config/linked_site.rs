//! Other sites that pages link to, from the configuration.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::target::duration;
use crate::link_map::SiteUrl;

/// A `[[check.site]]` table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkedSite {
    /// URL of the site. Links that begin with it are looked up in its map.
    #[schemars(with = "String")]
    pub url: SiteUrl,
    /// Link map of the site, a file relative to the root: its `pages.json`, `objects.inv`, or `sitemap.xml`.
    #[schemars(with = "String")]
    pub map: toml::Spanned<MapFile>,
    /// URL from which `stepkin maps update` downloads the map, if it isn't next to the site's home page.
    #[schemars(with = "Option<String>")]
    pub from: Option<FileUrl>,
    /// Maximum age of the map when it is checked, such as `30 days`.
    #[schemars(with = "Option<String>")]
    pub max_age: Option<Age>,
}

/// URL of a file, over http or https.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct FileUrl(pub String);

/// Path relative to the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct MapFile(String);

/// A maximum age.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Age(pub Duration);

impl MapFile {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the file that records when the map was fetched, and from where.
    pub fn record(&self) -> String {
        format!("{}.fetched", self.0)
    }
}

// The messages, with the help on a second line.

impl TryFrom<String> for FileUrl {
    type Error = String;

    fn try_from(url: String) -> Result<Self, Self::Error> {
        let place = url.split(['?', '#']).next().unwrap_or_default();
        match SiteUrl::parse(place) {
            Some(_) => Ok(Self(url)),
            None => Err(format!(
                "`{url}` is not the URL of a file\nuse an absolute URL, such as `https://docs.example.com/pages.json`"
            )),
        }
    }
}

impl TryFrom<String> for MapFile {
    type Error = String;

    fn try_from(path: String) -> Result<Self, Self::Error> {
        let is_name = |name: &str| !matches!(name, "" | "." | "..");
        if !path.split('/').all(is_name) || path.contains('\\') {
            return Err(format!(
                "`{path}` is not a file in the site\nuse a path relative to the site root, such as `maps/sdk.json`"
            ));
        }
        Ok(Self(path))
    }
}

impl TryFrom<String> for Age {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        duration(&text)
            .map(Self)
            .ok_or_else(|| format!("`{text}` is not a valid age\nuse a value such as `30 days` or `2 weeks`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_files_below_the_root() {
        for (path, is_good) in [
            ("a.json", true),
            ("maps/a b.inv", true),
            ("../a", false),
            ("/a", false),
            ("a//b", false),
            ("", false),
            ("a\\b", false),
        ] {
            assert_eq!(MapFile::try_from(path.to_string()).is_ok(), is_good, "{path}");
        }
    }
}
