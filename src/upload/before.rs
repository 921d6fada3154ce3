//! What a target held before: kept beside the site, so that it can be put back.
//!
//! In [`FOLDER`] are the manifest of then and, named by its hash, every content that it names and the site has no longer.
//! The journal names all files of this folder. Nothing of it is trusted: a content is compared with the hash that the
//! manifest says.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::publish::Fingerprint;

/// Where it is in the target.
pub(super) const FOLDER: &str = ".stepkin-before/";

/// The path of its manifest in the target.
pub(super) const MANIFEST: &str = ".stepkin-before/manifest.json";

/// The path of a content in the target.
pub(super) fn path(content: &Fingerprint) -> String {
    format!("{FOLDER}{}", blake3::Hash::from_bytes(content.hash))
}

/// Whether this is a path of what is kept.
pub(super) fn is_path(path: &str) -> bool {
    let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_content = |name: &str| name.len() == 64 && name.bytes().all(is_digit);
    path == MANIFEST || path.strip_prefix(FOLDER).is_some_and(is_content)
}

/// A file that is filled with a content piece by piece.
pub(super) struct Filling {
    file: File,
    hasher: blake3::Hasher,
    content: Fingerprint,
}

impl Filling {
    pub(super) fn begin(path: &Path, content: Fingerprint) -> std::io::Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        Ok(Self { file: File::create(path)?, hasher: blake3::Hasher::new(), content })
    }

    /// Adds a piece. Out: whether it may be one of the content: there are no more bytes than it has.
    pub(super) fn add(&mut self, piece: &[u8]) -> std::io::Result<bool> {
        self.hasher.update(piece);
        let may_be = self.hasher.count() <= self.content.size;
        if may_be {
            self.file.write_all(piece)?;
        }
        Ok(may_be)
    }

    /// Whether the file holds the content.
    pub(super) fn is_whole(&self) -> bool {
        Fingerprint::found_by(&self.hasher) == self.content
    }
}
