//! `stepkin merge`

use std::path::PathBuf;

use super::build::MakingArguments;
use super::{Outcome, SiteArguments};
use crate::output::making::{BuildOptions, ShardResult};
use crate::output::unit::Share;
use base::error::Result;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output directories of `stepkin build --shard`
    #[arg(value_name = "SHARD", required = true)]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    making: MakingArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let (root, making) = (arguments.site.root(), &arguments.making);
    let parts = arguments.parts.iter().map(|folder| ShardResult::open(folder)).collect::<Result<Vec<_>>>()?;
    let stores = parts.iter().map(|part| part.store()).collect::<Vec<_>>();
    let settings = BuildOptions { parts, ..making.settings(root, Share::All) };
    making.run(root, &settings, || making.cache.open_with(root, stores))
}
