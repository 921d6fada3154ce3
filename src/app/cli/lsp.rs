//! `stepkin lsp`

use super::{Outcome, options, today};
use crate::app::lsp;
use base::error::Result;
use review::drift::Scope;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Don't report drift
    #[arg(long)]
    no_drift: bool,
    /// Accepted because editors pass it; standard input and output are the only transport
    #[arg(long, hide = true)]
    stdio: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    // Authors also edit drafts.
    let mut options = options(true, None);
    options.history = true;
    options.today = Some(today);
    options.drift = (!arguments.no_drift).then(|| Scope::everything(today()));
    lsp::run(&options)?;
    Ok(Outcome::Clean)
}
