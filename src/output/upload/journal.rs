//! The journal of a target: current uploads, and later deletions.
//!
//! The journal is a file in the target. The run that locks it may upload. Each write fails if another run has written
//! it since it was read. It lists all of our files in the target that aren't in the manifest, so that later runs know
//! everything that a killed run leaves.

use serde::{Deserialize, Serialize};

use super::before;
use crate::output::publish;
use base::sorted::{SortedMap, SortedSet};

/// Path in the target.
pub(super) const NAME: &str = ".stepkin-publish.json";

/// Increased when an older version of Stepkin would misread the file.
const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Journal {
    pub(super) version: u32,
    /// Increased by one with each write, so that no two contents are equal.
    pub(super) writes: u64,
    /// The run that is uploading.
    pub(super) holder: Option<Holder>,
    /// Whether the target is known to support conditional writes.
    pub(super) has_conditions: bool,
    /// Paths whose content may differ from the manifest, because they were about to be uploaded when a run ended.
    pub(super) pending: SortedSet<String>,
    /// Paths that are no longer published, with the time from which they may be deleted, in seconds since 1970.
    pub(super) kept: SortedMap<String, u64>,
    /// Paths in [`before::FOLDER`] that may have files. If nothing is stored for restoring, there are none.
    #[serde(default, skip_serializing_if = "<[String]>::is_empty")]
    pub(super) before: SortedSet<String>,
}

/// Whether a site must not contain a file at this path, because targets use it.
pub(super) fn is_reserved(path: &str) -> bool {
    path == NAME || path.starts_with(before::FOLDER)
}

/// The run that is uploading, and when its lock expires, in seconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Holder {
    pub(super) name: String,
    pub(super) until: u64,
}

impl Default for Journal {
    fn default() -> Self {
        Self {
            version: VERSION,
            writes: 0,
            holder: None,
            has_conditions: false,
            pending: SortedSet::new(),
            kept: SortedMap::new(),
            before: SortedSet::new(),
        }
    }
}

impl Journal {
    /// Returns `None` if Stepkin didn't write it. The content isn't trusted: all paths must be possible in an output.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let journal: Self = serde_json::from_slice(text).ok()?;
        let is_possible = |path: &String| publish::is_plain(path) && !is_reserved(path);
        let is_ours = journal.version == VERSION
            && journal.pending.iter().chain(journal.kept.keys()).all(is_possible)
            && journal.before.iter().all(|path| before::is_path(path));
        is_ours.then_some(journal)
    }

    pub(super) fn text(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).expect("texts and numbers are valid JSON")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::publish::Fingerprint;

    #[test]
    fn a_journal_is_read_as_it_was_written_and_no_other_is() {
        let journal = Journal {
            writes: 3,
            holder: Some(Holder { name: "a@b".into(), until: 9 }),
            pending: ["a b/ü+%.html".to_string()].into(),
            kept: [("x.css".to_string(), 5)].into(),
            before: [before::MANIFEST.to_string(), before::path(&Fingerprint::of(b"x"))].into(),
            ..Journal::default()
        };
        let text = String::from_utf8(journal.text()).unwrap();
        assert_eq!(Journal::parse(text.as_bytes()), Some(journal));
        for (old, new) in [
            ("x.css", "../x.css"),
            ("x.css", "/x.css"),
            ("x.css", NAME),
            ("x.css", ".stepkin-manifest.json"),
            ("a b/", "a b/../../"),
            ("x.css", ".stepkin-before/x.css"),
            ("manifest.json", "../index.html"),
            ("manifest.json", "manifest.html"),
            ("\"version\": 1", "\"version\": 2"),
            ("\"writes\"", "\"wrote\""),
        ] {
            let hostile = text.replace(old, new);
            assert_ne!(hostile, text);
            assert_eq!(Journal::parse(hostile.as_bytes()), None, "{hostile}");
        }
        assert_eq!(Journal::parse("[".repeat(1_000_000).as_bytes()), None);
    }
}
