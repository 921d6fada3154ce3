//! `stepkin serve`

use super::{Outcome, SiteArguments};
use crate::error::Result;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let _ = &arguments.site.root;
    Ok(Outcome::Clean)
}
