//! `stepkin completions`

use clap_complete::Shell;

use super::{Outcome, commands, format};
use base::error::Result;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut commands(), "stepkin", &mut script);
    format::to_stdout(|out| out.write_all(&script))?;
    Ok(Outcome::Clean)
}
