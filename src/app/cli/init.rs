//! `stepkin init`

use std::fs;
use std::path::{Path, PathBuf};

use super::terminal::note;
use super::{Outcome, schema};
use base::error::{Error, Result};
use base::site_path::CONFIG;
use base::write;
use input::conventions::Repository;
use input::source;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  stepkin init my-site  Create a site in `my-site`")]
pub(super) struct Arguments {
    /// Directory to create, which must be empty if it exists; or a site of another generator, which gets a `stepkin.toml`
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

/// Files of the sample tutorial, by path in the site.
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
        return configure(folder);
    }
    for (path, text) in FILES {
        write::create(&folder.join(path), text.as_bytes())?;
    }
    write::create(&folder.join("stepkin.schema.json"), schema::of_configuration().as_bytes())?;
    note!("created a sample tutorial in `{}`", folder.display());
    let enter =
        if folder == Path::new(".") { String::new() } else { format!("`cd {}`, then ", folder.display()) };
    note!("next: {enter}`stepkin serve --open`");
    Ok(Outcome::Clean)
}

/// Writes a `stepkin.toml` for a site of another generator. An existing one is not changed.
fn configure(folder: &Path) -> Result<Outcome> {
    let shown = folder.display();
    if folder.join(CONFIG).exists() {
        return Err(Error::usage(format!(
            "cannot create a site in `{shown}`: it already contains a `{CONFIG}`"
        )));
    }
    let repository = source::recognise(folder).ok().filter(|it| !it.is_ours());
    let Some(repository) = repository else {
        return Err(Error::usage(format!("cannot create a site in `{shown}`: the directory is not empty")));
    };
    if !repository.site.is_empty() {
        let site = folder.join(&repository.site);
        return Err(Error::usage(format!(
            "the site is in a subdirectory of `{shown}`; run `stepkin init {}`",
            site.display()
        )));
    }
    write::create(&folder.join(CONFIG), settings(&repository)?.as_bytes())?;
    note!("{repository}\ncreated `{}` with these settings", folder.join(CONFIG).display());
    Ok(Outcome::Clean)
}

/// Returns the configuration with the detected settings, except those in the generator's own configuration.
fn settings(repository: &Repository) -> Result<String> {
    let mut source = toml::Table::new();
    let kind = toml::Value::try_from(repository.kind()).map_err(|error| Error::usage(error.to_string()))?;
    source.insert("kind".into(), kind);
    if repository.is_calibrated() {
        let path = |path: &str| if path.is_empty() { ".".to_string() } else { path.to_string() };
        source.insert("content".into(), path(&repository.content.path).into());
        let statics: Vec<toml::Value> = repository.statics.iter().map(|it| path(&it.path).into()).collect();
        source.insert("static".into(), statics.into());
        let base = repository.base_path();
        if !base.is_empty() {
            source.insert("base".into(), format!("/{base}").into());
        }
    }
    let reasons: Vec<String> = repository.reasons().iter().map(|reason| format!("# {reason}")).collect();
    Ok(format!("{}\n[source]\n{source}", reasons.join("\n")))
}
