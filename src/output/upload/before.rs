//! The previous content of a target, stored next to the site so that it can be restored.
//!
//! [`FOLDER`] contains the previous manifest and, named by their hashes, all contents in it that the site no longer
//! has. The journal lists all files of this folder. Nothing in it is trusted: contents are compared with the hashes
//! in the manifest.

use crate::output::publish::Fingerprint;

/// The folder in the target.
pub(super) const FOLDER: &str = ".stepkin-before/";

/// Path of its manifest in the target.
pub(super) const MANIFEST: &str = ".stepkin-before/manifest.json";

/// Returns the path of a content in the target.
pub(super) fn path(content: &Fingerprint) -> String {
    format!("{FOLDER}{}", blake3::Hash::from_bytes(content.hash))
}

/// Whether a path is in this folder.
pub(super) fn is_path(path: &str) -> bool {
    let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_content = |name: &str| name.len() == 64 && name.bytes().all(is_digit);
    path == MANIFEST || path.strip_prefix(FOLDER).is_some_and(is_content)
}
