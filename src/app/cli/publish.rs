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
    /// A name below `[publish.to]` in `stepkin.toml`, or a URL such as `s3://bucket/prefix/`
    target: String,
    /// The folder that `build` has written [default: `dist` below the root]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Put back what was published before, which targets with `rollback = true` keep
    #[arg(long, conflicts_with = "output")]
    rollback: bool,
    /// Say what would be put and deleted, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Print what was put and deleted as JSON, with the URLs that a cache should forget
    #[arg(long)]
    json: bool,
    /// Take away more files than `most_deletes` of the target allows
    #[arg(long)]
    delete: bool,
    /// Publish into a place that holds files of others; those that have the path of a page or file are replaced
    #[arg(long)]
    overwrite: bool,
    /// Do without the conditions that keep two runs apart, for stores and folders that have none
    #[arg(long)]
    single_publisher: bool,
    /// Go on where another run was killed
    #[arg(long)]
    take_over: bool,
}

/// What a run put and deleted, or, where it was dry, would have put and deleted; new fields may be added. Paths are
/// those of the output.
#[derive(Serialize, JsonSchema)]
pub(super) struct UploadReport<'a> {
    /// Changes when a field is renamed or goes away.
    version: u32,
    /// The URL of the target.
    target: &'a str,
    /// Whether nothing was changed.
    dry_run: bool,
    /// How many files the site has.
    files: usize,
    /// In the order of putting.
    put: &'a [String],
    /// Published no longer, and gone.
    deleted: &'a [String],
    /// Published no longer, and still there for pages that are open.
    kept: &'a [String],
    /// What a cache in front of the target should forget: the URLs of what was put and deleted, below `base_url`.
    urls: Vec<String>,
}

#[cfg(not(feature = "publish"))]
pub(super) fn run(_: &Arguments) -> crate::base::error::Result<super::Outcome> {
    Err(crate::base::error::Error::usage(
        "this program cannot publish: it was made without the feature `publish`; `cargo install stepkin --features publish` \
         makes one that can",
    ))
}
