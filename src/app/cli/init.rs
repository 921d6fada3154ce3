//! `stepkin init`

use std::fs;
use std::path::PathBuf;

use super::terminal::note;
use super::{Outcome, schema};
use crate::base::error::{Error, Result};
use crate::base::write;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The folder to make; it may exist, but has to be empty
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// A small tutorial for two platforms, each file by its path below the site's folder.
const FILES: &[(&str, &str)] = &[
    (".gitignore", include_str!("init/site/gitignore")),
    ("stepkin.toml", include_str!("init/site/stepkin.toml")),
    ("content/index.md", include_str!("init/site/content/index.md")),
    (
        "content/first-tutorial/web/install.md",
        include_str!("init/site/content/first-tutorial/web/install.md"),
    ),
    (
        "content/first-tutorial/web/connect.md",
        include_str!("init/site/content/first-tutorial/web/connect.md"),
    ),
    (
        "content/first-tutorial/ios/install.md",
        include_str!("init/site/content/first-tutorial/ios/install.md"),
    ),
    (
        "content/first-tutorial/ios/connect.md",
        include_str!("init/site/content/first-tutorial/ios/connect.md"),
    ),
];

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let folder = &arguments.folder;
    fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
    if fs::read_dir(folder).map_err(Error::io("read", folder))?.next().is_some() {
        return Err(Error::usage(format!("cannot start a site in `{}`: it is not empty", folder.display())));
    }
    for (path, text) in FILES {
        write::create(&folder.join(path), text.as_bytes())?;
    }
    write::create(&folder.join("stepkin.schema.json"), schema::of_configuration().as_bytes())?;
    note!(
        "a tutorial for two platforms is in `{0}`\nsee it: stepkin serve --watch --open --root {0}",
        folder.display()
    );
    Ok(Outcome::Clean)
}
