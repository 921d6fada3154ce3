//! What is written down beside a site in its target while it is published there, and of what is deleted later.
//!
//! The journal is a file of the target. Whoever holds it publishes; each write of it is on condition that nobody else has
//! written it since it was read. It names whatever the target may hold of ours beside what the manifest names, so a
//! run that is killed leaves nothing behind that no later run knows of.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::before;
use crate::output::publish;

/// Its path in the target.
pub(super) const NAME: &str = ".stepkin-publish.json";

/// Raised when an older stepkin would misread the file.
const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Journal {
    pub(super) version: u32,
    /// One more with each write, so that no two have the same content.
    pub(super) writes: u64,
    /// Who publishes at the moment.
    pub(super) holder: Option<Holder>,
    /// Whether the target was seen to refuse a write whose condition does not hold.
    pub(super) has_conditions: bool,
    /// Paths that may hold something else than the manifest says: they were about to be put when a run ended.
    pub(super) pending: BTreeSet<String>,
    /// Paths that are published no longer, with the time from which they may be deleted, in seconds since 1970.
    pub(super) kept: BTreeMap<String, u64>,
    /// Paths below [`before::FOLDER`] at which there may be files: where nothing is kept to be put back, there are none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) before: BTreeSet<String>,
}

/// Whether no file of a site can have this path, because a target has something else there.
pub(super) fn is_reserved(path: &str) -> bool {
    path == NAME || path.starts_with(before::FOLDER)
}

/// Who publishes, and until when that is believed, in seconds since 1970.
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
            pending: BTreeSet::new(),
            kept: BTreeMap::new(),
            before: BTreeSet::new(),
        }
    }
}

impl Journal {
    /// `None` for what no run has written. Nothing of it is trusted: it may name no path that could not be published.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let journal: Self = serde_json::from_slice(text).ok()?;
        let mut paths = journal.pending.iter().chain(journal.kept.keys());
        let is_ours = journal.version == VERSION
            && paths.all(|path| publish::is_plain(path) && !is_reserved(path))
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
