//! `stepkin publish`

#[cfg(feature = "publish")]
mod run;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

#[cfg(feature = "publish")]
pub(super) use self::run::run;

use super::SiteArguments;

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Target name from `[publish.to]` in `stepkin.toml`, or a URL such as `s3://bucket/prefix/`
    target: String,
    /// Directory to upload [default: `dist` in the site root]
    #[arg(long, alias = "output", value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Restore the previously published version; the target needs `rollback = true`
    #[arg(long, conflicts_with = "dir")]
    rollback: bool,
    /// Show what would be uploaded and deleted, without changing anything
    #[arg(long)]
    dry_run: bool,
    /// Print uploads, deletions, and the URLs to purge from a CDN as JSON
    #[arg(long)]
    json: bool,
    /// Delete files even if there are more than the target's `max_deletes`
    #[arg(long, alias = "delete")]
    force_delete: bool,
    /// Publish to a target that contains other files, replacing those with the same path
    #[arg(long)]
    overwrite: bool,
    /// Skip the lock against concurrent runs, for targets without conditional writes
    #[arg(long, alias = "single-publisher")]
    no_lock: bool,
    /// Take over from an interrupted run
    #[arg(long)]
    take_over: bool,
}

/// Uploaded and deleted files, or for a dry run, those that would be uploaded and deleted. Paths are relative to the
/// output. New fields may be added.
#[derive(Serialize, JsonSchema)]
pub(super) struct UploadReport<'a> {
    /// Version of the format. It increases when a field is renamed or removed.
    version: u32,
    /// The URL of the target.
    target: &'a str,
    /// Whether this was a dry run, which changes nothing.
    dry_run: bool,
    /// Number of files on the site.
    files: usize,
    /// Uploaded files, in order.
    put: &'a [String],
    /// Deleted files, which are no longer published.
    deleted: &'a [String],
    /// Files that are no longer published, but stay for open pages.
    kept: &'a [String],
    /// URLs to purge from a CDN: those of uploaded and deleted files, under `base_url`.
    urls: Vec<String>,
}

#[cfg(not(feature = "publish"))]
pub(super) fn run(_: &Arguments) -> base::error::Result<super::Outcome> {
    Err(base::error::Error::usage(
        "this build of Stepkin cannot publish: it was compiled without the feature `publish`",
    ))
}
