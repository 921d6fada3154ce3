//! Errors outside the content: files, folders, sockets, configuration.
//!
//! Wrong content is never an [`Error`]. It is reported as a [`Diagnostic`](crate::diagnostic::Diagnostic), and
//! the run continues. An error ends the run with exit status 2.

use std::path::{Path, PathBuf};
use std::{fmt, io};

pub type Result<T> = std::result::Result<T, Error>;

/// The reason why a run can't continue. Its text always contains a verb and a path.
#[derive(Debug)]
pub enum Error {
    /// An I/O error: ``cannot read `content/a.md`: permission denied``.
    Io { verb: &'static str, path: PathBuf, source: io::Error },
    /// An unusable argument or value in `stepkin.toml`. The text is complete.
    Usage(String),
    /// A folder that contains several sites, and none itself.
    SeveralSites {
        /// The complete text.
        text: String,
        /// The folders of the sites, relative to it.
        folders: Vec<String>,
    },
    /// A signal to end the process. Unfinished work has been removed.
    Interrupted(i32),
}

impl Error {
    /// Returns a closure for `map_err`: `.map_err(Error::io("read", path))`.
    pub fn io(verb: &'static str, path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_path_buf();
        move |source| Self::Io { verb, path, source }
    }

    pub fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }

    /// Returns the text with paths relative to `root`, an absolute path, so that it doesn't depend on this machine.
    pub fn said_below(&self, root: &Path) -> String {
        let root = root.display().to_string();
        self.to_string().replace(&format!("{root}/"), "").replace(&root, ".")
    }

    /// Returns the kind of the I/O error, if it is one.
    pub fn kind(&self) -> Option<io::ErrorKind> {
        match self {
            Self::Io { source, .. } => Some(source.kind()),
            Self::Usage(_) | Self::SeveralSites { .. } | Self::Interrupted(_) => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { verb, path, source } => write!(f, "cannot {verb} `{}`: {source}", path.display()),
            Self::Usage(text) | Self::SeveralSites { text, .. } => f.write_str(text),
            Self::Interrupted(signal) => write!(f, "interrupted by signal {signal}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Usage(_) | Self::SeveralSites { .. } | Self::Interrupted(_) => None,
        }
    }
}
