//! Finds the version of the original from which a translation was made.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use jiff::civil::Date;

use super::evidence;
use super::lag::{BaseSource, Lag, LagBase};
use super::versions::{OriginalVersion, OriginalVersions};
use base::error::Result;
use base::hash::HashMap;
use input::languages::Languages;
use input::source::Sources;
use input::source::git::{CommitIx, FileLog, GitObject, ObjectReader, PastVersion, all_commits};
use site::languages::{Counterpart, FrontValue, Sketch, front_value};

/// The parts of a site's history that translations require.
pub(super) struct Past<'a> {
    root: PathBuf,
    log: &'a FileLog,
    languages: &'a Languages,
    since: Option<&'a str>,
    /// All commits of the current history with their dates.
    all: OnceLock<HashMap<String, Date>>,
}

/// A past version of an original.
pub(super) struct PastText<'a> {
    pub(super) base: LagBase,
    /// Git's ID of its content.
    pub(super) blob: String,
    pub(super) version: Arc<OriginalVersion>,
    /// Later versions, oldest first.
    pub(super) later: Vec<&'a PastVersion>,
}

/// What Git shows of a translation's original without its sections.
pub(super) enum Glance {
    /// No version is known from which the translation was made.
    NoBase,
    /// The original hasn't changed since. The lag is empty.
    Unchanged(Lag),
    /// The sections must be compared.
    Unclear,
}

impl<'a> Past<'a> {
    pub(super) fn new(
        root: &Path,
        log: &'a FileLog,
        languages: &'a Languages,
        since: Option<&'a str>,
    ) -> Self {
        Self { root: root.to_path_buf(), log, languages, since, all: OnceLock::new() }
    }

    /// Returns the commit and the date of a version.
    pub(super) fn commit(&self, at: CommitIx) -> (&'a str, Date) {
        let commit = &self.log.commits[at];
        (&commit.id, commit.day)
    }

    /// Returns the versions of an original before the first of `later`, newest first.
    pub(super) fn earlier(&self, original: &str, later: &[&PastVersion]) -> &'a [PastVersion] {
        let versions = self.log.versions(original);
        &versions[later.len().min(versions.len())..]
    }

    /// Returns the original from which a translation was made, or `None` if the history doesn't contain it.
    pub(super) fn of(
        &self,
        pair: &Counterpart,
        (text, translation): (&str, &Sketch),
        versions: &mut OriginalVersions<'_>,
        objects: &mut ObjectReader,
    ) -> Result<Option<PastText<'a>>> {
        let original = pair.original.as_str();
        if let Some(since) = self.since {
            return self.since(since, pair, translation, versions, objects);
        }
        if let Some(pin) = pin(self.languages, text)
            && let Some(found) = self.at_commit(&pin.value, original, BaseSource::Pin, versions, objects)?
        {
            return Ok(Some(found));
        }
        self.by_history(pair, (text, translation), versions, objects)
    }

    /// Returns what is certain without reading any section.
    pub(super) fn at_a_glance(
        &self,
        sources: &Sources,
        pair: &Counterpart,
        objects: Option<&mut ObjectReader>,
    ) -> Result<Glance> {
        let Some(objects) = objects else { return Ok(Glance::NoBase) };
        let text_of = |path| sources.text(path).map(|text| text.text()).unwrap_or_default();
        let original = pair.original.as_str();
        let pin = pin(self.languages, &text_of(&pair.translation)).filter(|pin| is_commit_id(&pin.value));
        let (blob, by) = match pin {
            Some(pin) => (format!("{}:./{original}", pin.value), BaseSource::Pin),
            None if self.log.is_shallow => return Ok(Glance::NoBase),
            None => {
                let versions = (self.log.versions(original), self.log.versions(pair.translation.as_str()));
                let ([newest, ..], [.., first]) = versions else { return Ok(Glance::NoBase) };
                // If the original is older than every version of the translation, any of them was made from it.
                if newest.commit < first.commit {
                    return Ok(Glance::Unclear);
                }
                (newest.blob.clone(), BaseSource::History)
            }
        };
        let GitObject::Content { bytes, .. } = objects.read(&blob)? else { return Ok(Glance::Unclear) };
        let base = LagBase { commit: String::new(), day: None, by };
        let is_same = bytes == text_of(&pair.original).as_bytes();
        if is_same {
            return Ok(Glance::Unchanged(Lag { base, sections: Vec::new(), days: 0 }));
        }
        Ok(Glance::Unclear)
    }

    /// Returns the original at a commit, under its name at that time.
    fn at_commit(
        &self,
        commit: &str,
        original: &str,
        by: BaseSource,
        versions: &mut OriginalVersions<'_>,
        objects: &mut ObjectReader,
    ) -> Result<Option<PastText<'a>>> {
        if by == BaseSource::Pin && !is_commit_id(commit) {
            return Ok(None);
        }
        for name in self.log.names(original) {
            if let GitObject::Content { id, bytes } = objects.read(&format!("{commit}:./{name}"))? {
                let known = self.all().iter().find(|(known, _)| known.starts_with(commit));
                let base = LagBase {
                    commit: known.map_or_else(|| commit.to_string(), |(id, _)| id.clone()),
                    day: known.map(|(_, day)| *day),
                    by,
                };
                let (version, later) = (versions.put(&id, &text(bytes)), self.later(original, &id));
                return Ok(Some(PastText { base, blob: id, version, later }));
            }
        }
        Ok(None)
    }

    /// Returns the original at a revision, if it has changed since and its translation hasn't.
    fn since(
        &self,
        since: &str,
        pair: &Counterpart,
        translation: &Sketch,
        versions: &mut OriginalVersions<'_>,
        objects: &mut ObjectReader,
    ) -> Result<Option<PastText<'a>>> {
        let found = self.at_commit(since, pair.original.as_str(), BaseSource::Since, versions, objects)?;
        let Some(found) = found else { return Ok(None) };
        let GitObject::Content { bytes, .. } = objects.read(&format!("{since}:./{}", pair.translation))?
        else {
            return Ok(None);
        };
        let is_same = versions.reader.read(&text(bytes)).says_the_same(translation);
        Ok(Some(found).filter(|_| is_same))
    }

    /// Returns the original at the last commit that changed words or code of the translation, or a later version whose code,
    /// links, and numbers the translation contains.
    fn by_history(
        &self,
        pair: &Counterpart,
        (present, translation): (&str, &Sketch),
        originals: &mut OriginalVersions<'_>,
        objects: &mut ObjectReader,
    ) -> Result<Option<PastText<'a>>> {
        let versions = self.log.versions(pair.translation.as_str());
        let Some(newest) = versions.first().filter(|_| !self.log.is_shallow) else { return Ok(None) };
        let reader = originals.reader;
        let mut read = |blob: &str| match objects.read(blob)? {
            // Most pages have no uncommitted changes.
            GitObject::Content { bytes, .. } if bytes == present.as_bytes() => {
                Ok(Some(Cow::Borrowed(translation)))
            }
            GitObject::Content { bytes, .. } => Ok(Some(Cow::Owned(reader.read(&text(bytes))))),
            GitObject::Missing | GitObject::Ambiguous => Ok(None),
        };
        let mut commit = newest.commit;
        let mut newer = read(&newest.blob)?;
        for version in &versions[1..] {
            let older = read(&version.blob)?;
            match (&newer, &older) {
                (Some(newer), Some(older)) if newer.says_the_same(older) => {}
                _ => break,
            }
            (commit, newer) = (version.commit, older);
        }
        let original = pair.original.as_str();
        let version = self.log.version_at(original, commit).or_else(|| self.log.oldest(original));
        let Some(mut base) = version else { return Ok(None) };
        let Some(mut version) = originals.get(&base.blob, objects)? else { return Ok(None) };
        for later in self.later(original, &base.blob) {
            let Some(next) = originals.get(&later.blob, objects)? else { continue };
            if evidence::proves(translation, &version.sketch, &next.sketch) {
                (base, commit, version) = (later, later.commit, next);
            }
        }
        let (blob, later) = (base.blob.clone(), self.later(original, &base.blob));
        let (id, day) = self.commit(commit);
        let base = LagBase { commit: id.to_string(), day: Some(day), by: BaseSource::History };
        Ok(Some(PastText { base, blob, version, later }))
    }

    /// Returns the versions of an original after the one with this content, oldest first.
    fn later(&self, original: &str, blob: &str) -> Vec<&'a PastVersion> {
        let versions = self.log.versions(original);
        let mut later: Vec<_> = match versions.iter().position(|version| version.blob == blob) {
            Some(at) => versions[..at].iter().collect(),
            None => Vec::new(),
        };
        later.reverse();
        later
    }

    fn all(&self) -> &HashMap<String, Date> {
        self.all.get_or_init(|| all_commits(&self.root))
    }
}

/// Returns the pinned commit of a translation.
pub(super) fn pin(languages: &Languages, text: &str) -> Option<FrontValue> {
    languages.pins.iter().find_map(|key| front_value(text, key))
}

/// Whether a text may be a commit ID. Git's shortest abbreviation has seven letters.
pub(super) fn is_commit_id(text: &str) -> bool {
    (7..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
