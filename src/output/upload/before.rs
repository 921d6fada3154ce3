//! What a target held before: kept beside the site, so that it can be put back.
//!
//! In [`FOLDER`] are the manifest of then and, named by its hash, every content that it names and the site has no longer.
//! The journal names all files of this folder. Nothing of it is trusted: a content is compared with the hash that the
//! manifest says.

use crate::output::publish::Fingerprint;

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
