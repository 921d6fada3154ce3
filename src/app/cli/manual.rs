//! `stepkin man`

use std::fs;
use std::path::PathBuf;

use super::{Outcome, commands};
use base::error::{Error, Result};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Directory to write the man pages to
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let folder = &arguments.folder;
    fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
    clap_mangen::generate_to(commands(), folder).map_err(Error::io("write", folder))?;
    Ok(Outcome::Clean)
}
