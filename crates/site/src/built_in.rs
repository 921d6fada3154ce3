//! The files that every site publishes in `/_stepkin/`: styles, scripts, and schemas. The program has them, and the plan gives
//! each an address.

use blake3::Hash;

/// The files of the program, each with its name in `/_stepkin/`.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltIn {
    /// As they are written.
    pub originals: &'static [(&'static str, &'static [u8])],
    /// As they are published, without comments. Contains [`Self::page_script`] in addition.
    pub published: &'static [(&'static str, &'static [u8])],
    /// The scripts that all pages load, in this order.
    pub page_scripts: &'static [&'static str],
    /// The name of the file that contains all of them.
    pub page_script: &'static str,
}

impl BuiltIn {
    /// Whether a file with this name is published.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.published.iter().any(|(own, _)| *own == name)
    }

    /// Whether pages load a published file. Files that are loaded together are combined (`is_one_file`) unless the site replaces
    /// one of them.
    pub(crate) fn is_loaded(&self, name: &str, is_one_file: bool) -> bool {
        if name == self.page_script {
            is_one_file
        } else {
            !is_one_file || !self.page_scripts.contains(&name)
        }
    }

    /// Whether a file of the site is a copy of the built-in one, which is then published instead, without comments as
    /// always.
    pub(crate) fn is_copy(&self, name: &str, hash: &Hash) -> bool {
        self.originals.iter().any(|(own, bytes)| *own == name && blake3::hash(bytes) == *hash)
    }
}
