//! Options of the commands that report findings.

use std::borrow::Cow;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::format::{Format, Length};
use base::diagnostic::Report;
use input::config::FailOn;
use review::drift::is_about_own_content;

#[derive(Debug, clap::Args)]
pub(super) struct ReportArguments {
    /// Output format [default: `human`, or `github` in GitHub Actions]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Lowest severity that makes the exit status 1 [default: `error` for `check`, or `fail_on` in `stepkin.toml`; none for
    /// `drift`]
    #[arg(long, value_parser = fail_on(), value_name = "SEVERITY")]
    pub(super) fail_on: Option<FailOn>,
    /// Print at most N findings (`human` format only)
    #[arg(long, value_name = "N", alias = "max")]
    max_findings: Option<usize>,
    /// Print every finding of a long report [default: ten findings; other formats contain all findings]
    #[arg(long, conflicts_with = "max_findings")]
    pub(super) all: bool,
    /// Count findings by rule and cause instead of listing them
    #[arg(long, conflicts_with_all = ["all", "max_findings"])]
    pub(super) statistics: bool,
}

/// Parses a severity as the configuration does.
fn fail_on() -> impl TypedValueParser<Value = FailOn> {
    PossibleValuesParser::new(["error", "warning", "info"]).map(|name| match name.as_str() {
        "error" => FailOn::Error,
        "warning" => FailOn::Warning,
        _ => FailOn::Info,
    })
}

impl ReportArguments {
    /// Returns the requested format, or the default one. Statistics have no form for GitHub.
    pub(super) fn format(&self) -> Format {
        let default = || if self.statistics { Format::Human } else { Format::usual() };
        self.format.unwrap_or_else(default)
    }

    /// Returns how much of a report to print. `long` applies to a long one.
    pub(super) fn length(&self, long: Length) -> Length {
        match self.max_findings {
            Some(most) => Length::Most(most),
            None if self.all => Length::All,
            None => long,
        }
    }
}

/// Returns the findings to print. Content that few platforms have is counted before them, and is a finding only for programs.
pub(super) fn listed(report: &Report, format: Format) -> Cow<'_, Report> {
    if format != Format::Human || !report.iter().any(is_about_own_content) {
        return Cow::Borrowed(report);
    }
    Cow::Owned(report.iter().filter(|finding| !is_about_own_content(finding)).cloned().collect())
}
