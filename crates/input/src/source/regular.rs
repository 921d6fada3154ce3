//! Reads regular files only, because reading a named pipe or a device may never end.

use std::fs::File;
use std::io::{Error, Read, Result};
use std::path::Path;

/// Opens a file, also through a symbolic link.
///
/// # Errors
///
/// If it doesn't exist or isn't a regular file. Such a file isn't opened, because opening a pipe waits for a writer.
pub(super) fn open(path: &Path) -> Result<File> {
    if path.metadata()?.is_file() { File::open(path) } else { Err(Error::other("it is not a regular file")) }
}

/// Reads a complete file after opening it with [`open`].
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map(|_| bytes)
}

/// Returns the text of a file, or an empty text if it can't be read.
pub(super) fn text_or_empty(path: &Path) -> String {
    bytes(path).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_is_never_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success());
        for name in ["stepkin.toml", ".gitmodules", "routes.txt"] {
            let link = folder.path().join(name);
            std::os::unix::fs::symlink("pipe", &link).expect("a link");
            assert!(open(&link).is_err() && text_or_empty(&link).is_empty(), "{name}");
        }
        let device = folder.path().join("device");
        std::os::unix::fs::symlink("/dev/zero", &device).expect("a link");
        assert!(bytes(&device).is_err());
    }

    #[test]
    fn no_file_of_a_site_is_opened_if_it_is_a_pipe() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        std::fs::create_dir(root.join("content")).expect("a folder");
        std::fs::write(root.join("content/a.md"), "text").expect("a page");
        let pipe = root.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        std::os::unix::fs::symlink("pipe", root.join("stepkin.toml")).expect("a link");
        std::os::unix::fs::symlink("../pipe", root.join("content/b.md")).expect("a link");
        // The call must return, whatever the result.
        _ = crate::source::read(root);
        assert!(crate::source::read_beside(root, "pipe").is_err());
        assert!(crate::source::read_bytes_beside(root, "pipe", 9).is_err());
    }
}
