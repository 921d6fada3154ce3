//! `stepkin theme`

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::patch;
use super::terminal::note;
use super::{Outcome, PlainSiteArguments, SiteArguments, format};
use crate::output::embedded;
use base::diagnostic::nearest;
use base::error::{Error, Result};
use base::site_path::OWN_ASSETS;
use base::write;
use input::{source, words};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List built-in theme files and which ones the site overrides
    List {
        #[command(flatten)]
        site: PlainSiteArguments,
    },
    /// Copy a built-in file into the site so you can edit it
    Eject {
        #[command(flatten)]
        site: SiteArguments,
        /// Theme file, such as `step.html`, `site.css`, or `words/en.toml`
        #[arg(value_name = "NAME")]
        name: String,
        /// Overwrite the site's copy
        #[arg(long)]
        force: bool,
    },
    /// Compare the site's theme files with the built-in versions
    Diff {
        #[command(flatten)]
        site: SiteArguments,
        /// Theme file to compare [default: all overridden files]
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    match &arguments.command {
        Command::List { site } => list(site.root())?,
        Command::Eject { site, name, force } => eject(site.root(), &named(name)?, *force)?,
        Command::Diff { site, name: None } => diff(site.root(), &all())?,
        Command::Diff { site, name: Some(name) } => diff(site.root(), &[named(name)?])?,
    }
    Ok(Outcome::Clean)
}

/// A built-in file.
#[derive(Debug)]
struct BuiltIn {
    /// Folder in the site.
    folder: &'static str,
    name: String,
    bytes: &'static [u8],
}

impl BuiltIn {
    /// Returns the path relative to the site root.
    fn path(&self) -> String {
        format!("{}/{}", self.folder, self.name)
    }

    /// Returns the site's copy, if it exists.
    fn own(&self, root: &Path) -> Result<Option<Vec<u8>>> {
        let disk = root.join(self.path());
        match fs::read(&disk) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io("read", &disk)(error)),
        }
    }

    /// Returns the description: the first comment, or a schema's `description`.
    fn purpose(&self) -> &'static str {
        let text = std::str::from_utf8(self.bytes).expect("every built-in file is text");
        let text = text.trim_start();
        let between = |open: &str, close: &str| text.strip_prefix(open)?.split(close).next();
        let comment = between("{#-", "-#}")
            .or_else(|| between("/*", "*/"))
            .or_else(|| between("<!--", "-->"))
            .or_else(|| between("//", "\n"))
            .or_else(|| between("# ", "\n"))
            .or_else(|| text.split_once("\"description\": \"")?.1.split('"').next());
        comment.unwrap_or_default().trim()
    }
}

/// Returns templates, words, then styles, scripts, and schemas.
fn all() -> Vec<BuiltIn> {
    let templates = embedded::TEMPLATES.iter().map(|(name, text)| BuiltIn {
        folder: "templates",
        name: (*name).to_string(),
        bytes: text.as_bytes(),
    });
    let words = words::BUILT_IN.iter().map(|(name, text)| BuiltIn {
        folder: "templates",
        name: format!("words/{name}"),
        bytes: text.as_bytes(),
    });
    let assets = embedded::ASSETS.iter().map(|(name, bytes)| BuiltIn {
        folder: OWN_ASSETS,
        name: (*name).to_string(),
        bytes,
    });
    templates.chain(words).chain(assets).collect()
}

/// Returns the file with this name or path.
fn named(name: &str) -> Result<BuiltIn> {
    let all = all();
    let near = nearest(name, all.iter().map(|file| file.name.as_str()));
    let hint = near.map_or("run `stepkin theme list` to list all files".into(), |near| {
        format!("did you mean `{near}`?")
    });
    let found = all.into_iter().find(|file| file.name == name || file.path() == name);
    found.ok_or_else(|| Error::usage(format!("unknown theme file `{name}`; {hint}")))
}

fn list(root: &Path) -> Result<()> {
    let files = all();
    let width = files.iter().map(|file| file.path().len()).max().unwrap_or(0);
    let mut lines = String::new();
    for file in files {
        let state = match file.own(root)? {
            None => "",
            Some(own) if own == file.bytes => "same",
            Some(_) => "yours",
        };
        writeln!(lines, "{:width$}  {state:5}  {}", file.path(), file.purpose())
            .expect("a String takes everything");
    }
    format::to_stdout(|out| out.write_all(lines.as_bytes()))
}

fn eject(root: &Path, file: &BuiltIn, force: bool) -> Result<()> {
    // A new site may have a theme before its first page.
    if let Ok(repository) = source::recognise(root) {
        super::only_ours(&repository, "theme eject")?;
    }
    let path = file.path();
    if file.own(root)?.is_some() && !force {
        return Err(Error::usage(format!(
            "cannot create `{path}`: it already exists; use `--force` to overwrite it"
        )));
    }
    let disk = write::within(root, &path)?;
    if force {
        let folder = disk.parent().expect("a path in the site has a parent");
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        write::replace(&disk, file.bytes)?;
    } else {
        write::create(&disk, file.bytes)?;
    }
    note!("created `{path}`; compare with the built-in version using `stepkin theme diff`");
    Ok(())
}

fn diff(root: &Path, files: &[BuiltIn]) -> Result<()> {
    let mut replaced = 0;
    for file in files {
        let Some(own) = file.own(root)? else { continue };
        replaced += 1;
        let (built_in, own) = (String::from_utf8_lossy(file.bytes), String::from_utf8_lossy(&own));
        let path = file.path();
        let hunks = patch::hunks(&built_in, &own);
        let head =
            if hunks.is_empty() { String::new() } else { format!("--- built-in/{path}\n+++ {path}\n") };
        format::to_stdout(|out| out.write_all((head + &hunks).as_bytes()))?;
    }
    if replaced == 0 {
        note!("the site doesn't override {}", if files.len() == 1 { "this file" } else { "any theme files" });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_description() {
        for file in all() {
            let purpose = file.purpose();
            assert!(purpose.ends_with('.'), "the first comment of {} says `{purpose}`", file.path());
            assert!(!purpose.contains('\n'), "{} says it in several lines", file.path());
        }
    }
}
