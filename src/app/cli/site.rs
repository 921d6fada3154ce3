//! The site on which a command runs, and the part of it.
//!
//! The same rule applies to every command on a complete site: if the first operand is a site, it is the root, as with
//! `--root`. Operands that limit the command to a part of the site follow it, or are options.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::terminal::{self, note};
use base::diagnostic::visible;
use base::error::{Error, Result};
use base::site_path::SitePath;
use input::source;

#[derive(Debug, clap::Args)]
pub(super) struct SiteArguments {
    /// Site root [default: the current directory or the nearest parent that contains a site]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    #[arg(skip)]
    found: OnceLock<PathBuf>,
    /// Whether the root was printed.
    #[arg(skip)]
    is_printed: OnceLock<()>,
}

impl SiteArguments {
    /// Returns the site root. Prints it if it is a parent directory that no option specifies.
    pub(super) fn root(&self) -> &Path {
        let root = self.root.as_deref().unwrap_or_else(|| self.found.get_or_init(nearest_site));
        self.printed(root)
    }

    /// Prints the root once if `--verbose` is on.
    fn printed<'a>(&self, root: &'a Path) -> &'a Path {
        if terminal::is_verbose() {
            self.is_printed.get_or_init(|| {
                let real = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
                eprintln!("site root: `{}`", visible(real.display().to_string()));
            });
        }
        root
    }

    /// Whether an operand is the site root: a directory that contains a site, if `--root` is not set.
    fn is_root(&self, operand: &Path) -> bool {
        self.root.is_none() && source::is_site(operand)
    }
}

/// For commands on a complete site.
#[derive(Debug, clap::Args)]
pub(super) struct PlainSiteArguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Site root, same as `--root`
    #[arg(value_name = "DIR", conflicts_with = "root")]
    operand: Option<PathBuf>,
}

impl PlainSiteArguments {
    pub(super) fn root(&self) -> &Path {
        match &self.operand {
            Some(operand) => self.site.printed(operand),
            None => self.site.root(),
        }
    }
}

/// For commands on a site or some of its files.
#[derive(Debug, clap::Args)]
pub(super) struct PathArguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Files or directories to limit the command to [default: all files]; if the first is a directory that contains a
    /// site, it is the site root, same as `--root`
    #[arg(value_name = "PATH")]
    operands: Vec<PathBuf>,
}

impl PathArguments {
    fn split(&self) -> (Option<&Path>, &[PathBuf]) {
        match &self.operands[..] {
            [first, paths @ ..] if self.site.is_root(first) => (Some(first), paths),
            paths => (None, paths),
        }
    }

    pub(super) fn root(&self) -> &Path {
        self.split().0.map_or_else(|| self.site.root(), |root| self.site.printed(root))
    }

    /// Returns the files and directories to limit the command to, or nothing for all.
    pub(super) fn paths(&self) -> &[PathBuf] {
        self.split().1
    }
}

/// For commands on all families of a site or one of them.
#[derive(Debug, clap::Args)]
pub(super) struct FamilyArguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Site root, same as `--root`, if it is a directory that contains a site; otherwise a family ID, same as `--family`
    #[arg(value_name = "DIR")]
    operand: Option<String>,
    /// Family ID [default: all families]
    #[arg(long, value_name = "FAMILY")]
    family: Option<String>,
}

impl FamilyArguments {
    fn split(&self) -> (Option<&Path>, Option<&str>) {
        match self.operand.as_deref() {
            Some(root) if self.site.is_root(Path::new(root)) => (Some(Path::new(root)), None),
            other => (None, other),
        }
    }

    pub(super) fn root(&self) -> &Path {
        self.split().0.map_or_else(|| self.site.root(), |root| self.site.printed(root))
    }

    pub(super) fn family(&self) -> Result<Option<&str>> {
        match (self.split().1, &self.family) {
            (Some(operand), Some(_)) => {
                Err(Error::usage(format!("`{operand}` is not a directory that contains a site")))
            }
            (operand, family) => Ok(operand.or(family.as_deref())),
        }
    }
}

/// Returns the nearest site among the current directory and its parents, or else the current directory.
fn nearest_site() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    match here.ancestors().position(source::is_site) {
        None | Some(0) => PathBuf::from("."),
        Some(levels) => {
            let root: PathBuf = std::iter::repeat_n("..", levels).collect();
            note!("using site root `{}`", root.display());
            root
        }
    }
}

/// Returns a filter for the files that a run is about: these, those in these directories, or all if there are none. Paths
/// are relative to the site root, as reports print them.
pub(super) fn is_in(paths: Vec<PathBuf>) -> impl Fn(&SitePath) -> bool {
    move |file| paths.is_empty() || paths.iter().any(|path| Path::new(file.as_str()).starts_with(path))
}

/// Converts paths, relative to the current directory or the site root, to paths relative to the root.
pub(super) fn below_root(root: &Path, paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    paths.iter().map(|path| path_below_root(root, path)).collect()
}

/// Same as [`below_root`], for a file that may not exist.
pub(super) fn new_below_root(root: &Path, path: &Path) -> Result<PathBuf> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    Ok(path_below_root(root, folder)?.join(path.file_name().unwrap_or_default()))
}

fn path_below_root(root: &Path, path: &Path) -> Result<PathBuf> {
    let root = root.canonicalize().map_err(Error::io("read", root))?;
    let here =
        path.canonicalize().or_else(|_| root.join(path).canonicalize()).map_err(Error::io("read", path))?;
    match here.strip_prefix(&root) {
        Ok(below) => Ok(below.to_path_buf()),
        Err(_) => Err(Error::usage(format!("cannot use `{}`: it is not in the site", path.display()))),
    }
}
