//! `stepkin lsp`

use super::{Outcome, options, today};
use crate::app::lsp;
use crate::base::error::Result;
use crate::review::drift::Scope;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Do not report where the platforms tell different stories
    #[arg(long)]
    no_drift: bool,
    /// What editors add, and nothing else is there
    #[arg(long, hide = true)]
    stdio: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    // Drafts are written too.
    let mut options = options(true, None);
    options.history = true;
    options.today = Some(today());
    options.drift = (!arguments.no_drift).then(|| Scope::everything(today()));
    lsp::run(&options)?;
    Ok(Outcome::Clean)
}
