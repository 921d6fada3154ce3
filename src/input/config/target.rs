//! Where a site is published, as the configuration says it.

use std::time::Duration;

use jiff::{Span, SpanRelativeTo};
use schemars::JsonSchema;
use serde::Deserialize;

/// One `[publish.to.NAME]`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// `s3://bucket/prefix/`, `gs://…`, `az://…` or `file:///…`.
    pub url: String,
    /// The address of the store, where it is not that of the cloud which the URL names: R2, `MinIO`, Garage.
    pub endpoint: Option<String>,
    /// How long files that pages load stay when they are published no longer, such as `12 hours`; by default `7 days`.
    #[serde(default)]
    #[schemars(with = "String")]
    pub keep: Keep,
    /// Maximum number of files that one run may delete without `--force-delete`; by default 100.
    #[serde(default = "max_deletes", alias = "most_deletes")]
    pub max_deletes: usize,
    /// Keep what a run replaces or deletes, so that `stepkin publish --rollback` can put the site of before back.
    #[serde(default)]
    pub rollback: bool,
}

/// How long something is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Keep(pub Duration);

impl Default for Keep {
    /// Longer than most pages stay open in a browser.
    fn default() -> Self {
        Self(Duration::from_secs(7 * 24 * 60 * 60))
    }
}

/// Enough for a cleanup by hand; the upload of a wrong directory would delete more.
fn max_deletes() -> usize {
    100
}

impl Target {
    /// One that is named by its URL alone.
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

/// The message, and on a second line the cure.
impl TryFrom<String> for Keep {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        duration(&text).map(Self).ok_or_else(|| {
            format!("`{text}` is no time to keep files for\nwrite `7 days`, `12 hours` or `0 s`")
        })
    }
}

/// A time as people write it, `7 days`; a day has 24 hours.
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
