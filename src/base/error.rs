//! Failures of the world: files, folders, sockets, configuration.
//!
//! Content that is wrong is never an [`Error`]; it is a [`Diagnostic`](crate::base::diagnostic::Diagnostic)
//! and the run goes on. An error ends the run with exit status 2.

use std::path::{Path, PathBuf};
use std::{fmt, io};

pub type Result<T> = std::result::Result<T, Error>;

/// Why a run cannot go on. Its text always carries a verb and a path.
#[derive(Debug)]
pub enum Error {
    /// The system refused: `cannot read `content/a.md`: permission denied`.
    Io { verb: &'static str, path: PathBuf, source: io::Error },
    /// `stepkin.toml` or an argument cannot be used; the text is complete as it is.
    Usage(String),
    /// A signal that ends the process came; what was half made has been cleared away.
    Interrupted(i32),
}

impl Error {
    /// Makes the closure that `map_err` wants: `.map_err(Error::io("read", path))`.
    pub fn io(verb: &'static str, path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_path_buf();
        move |source| Self::Io { verb, path, source }
    }

    pub fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }

    /// The text with paths below `root`, an absolute path, instead of paths of this machine.
    pub fn said_below(&self, root: &Path) -> String {
        let root = root.display().to_string();
        self.to_string().replace(&format!("{root}/"), "").replace(&root, ".")
    }

    /// The system's own kind of error, where there is one.
    pub fn kind(&self) -> Option<io::ErrorKind> {
        match self {
            Self::Io { source, .. } => Some(source.kind()),
            Self::Usage(_) | Self::Interrupted(_) => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { verb, path, source } => write!(f, "cannot {verb} `{}`: {source}", path.display()),
            Self::Usage(text) => f.write_str(text),
            Self::Interrupted(signal) => write!(f, "interrupted by signal {signal}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Usage(_) | Self::Interrupted(_) => None,
        }
    }
}
