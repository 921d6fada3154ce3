//! Targets of `stepkin publish`, from the configuration.

use std::time::Duration;

use jiff::{Span, SpanRelativeTo};
use schemars::JsonSchema;
use serde::Deserialize;

/// A `[publish.to.NAME]` table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// `s3://bucket/prefix/`, `gs://…`, `az://…` or `file:///…`.
    pub url: String,
    /// Endpoint of the store, if it differs from the endpoint of the URL's cloud: R2, `MinIO`, Garage.
    pub endpoint: Option<String>,
    /// How long to keep outdated page assets, such as `12 hours`. [default: `7 days`]
    #[serde(default)]
    #[schemars(with = "String")]
    pub keep: Keep,
    /// Maximum number of files that one run may delete without `--force-delete`. [default: 100]
    #[serde(default = "max_deletes", alias = "most_deletes")]
    pub max_deletes: usize,
    /// Keep replaced and deleted files, so that `stepkin publish --rollback` can restore the previous site.
    #[serde(default)]
    pub rollback: bool,
}

/// A duration for which files are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Keep(pub Duration);

impl Default for Keep {
    /// Longer than most pages stay open in a browser.
    fn default() -> Self {
        Self(Duration::from_secs(7 * 24 * 60 * 60))
    }
}

/// Enough for normal cleanups. Uploading a wrong folder would delete more.
fn max_deletes() -> usize {
    100
}

impl Target {
    /// Returns a target with default settings.
    pub fn at(url: &str) -> Self {
        Self {
            url: url.into(),
            endpoint: None,
            keep: Keep::default(),
            max_deletes: max_deletes(),
            rollback: false,
        }
    }
}

/// The message, with the help on a second line.
impl TryFrom<String> for Keep {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        duration(&text).map(Self).ok_or_else(|| {
            format!("`{text}` is not a valid duration\nuse a value such as `7 days`, `12 hours`, or `0 s`")
        })
    }
}

/// Parses a duration such as `7 days`. A day has 24 hours.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let span = text.parse::<Span>().ok()?;
    Duration::try_from(span.to_duration(SpanRelativeTo::days_are_24_hours()).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, hours: Option<u64>) {
        let keep = Keep::try_from(text.to_string()).ok();
        assert_eq!(keep, hours.map(|hours| Keep(Duration::from_secs(hours * 60 * 60))), "{text}");
    }

    #[test]
    fn times_are_read_as_people_write_them() {
        check("7 days", Some(7 * 24));
        check("1 day", Some(24));
        check("2 weeks", Some(14 * 24));
        check("90 minutes 30 minutes", None);
        check("12 hours", Some(12));
        check("0 s", Some(0));
        check("-1 day", None);
        check("soon", None);
        check("", None);
    }
}
