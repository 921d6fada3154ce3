//! The original as the translator saw it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::base::error::Result;
use crate::base::hash::HashMap;
use crate::input::languages::Languages;
use crate::input::source::git::{CommitIx, FileLog, GitObject, ObjectReader, PastVersion, all_commits};
use crate::site::languages::{Counterpart, FrontValue, SketchReader, front_value};

/// The commit of the original that a translation was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LagBase {
    pub commit: String,
    /// The committer's day; `None` for a commit that isn't in the present history.
    pub day: Option<Date>,
    pub by: BaseSource,
}

/// What shows the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BaseSource {
    /// The front matter names it.
    Pin,
    /// The last commit that changed the words or the code of the translation.
    History,
    /// The revision that the user named.
    Since,
}

impl BaseSource {
    pub fn name(self) -> &'static str {
        match self {
            Self::Pin => "pin",
            Self::History => "history",
            Self::Since => "since",
        }
    }
}

/// The history of a site, as far as translations need it.
pub(super) struct Past<'a> {
    root: PathBuf,
    log: &'a FileLog,
    languages: &'a Languages,
    since: Option<&'a str>,
    /// All commits of the present history, with their days.
    all: OnceLock<HashMap<String, Date>>,
}

/// A former text of an original.
pub(super) struct FormerText<'a> {
    pub(super) base: LagBase,
    pub(super) text: String,
    /// What came after it, the oldest first.
    pub(super) later: Vec<&'a PastVersion>,
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

    /// The commit and the day of a version.
    pub(super) fn commit(&self, at: CommitIx) -> (&'a str, Date) {
        let commit = &self.log.commits[at];
        (&commit.id, commit.day)
    }

    /// The versions of an original before the first of `later`, the newest first.
    pub(super) fn earlier(&self, original: &str, later: &[&PastVersion]) -> &'a [PastVersion] {
        let versions = self.log.versions(original);
        &versions[later.len().min(versions.len())..]
    }

    /// The original that a translation was made from; `None` if history doesn't show it.
    pub(super) fn of(
        &self,
        pair: &Counterpart,
        translation: &str,
        reader: &SketchReader,
        objects: &mut ObjectReader,
    ) -> Result<Option<FormerText<'a>>> {
        let original = pair.original.as_str();
        if let Some(since) = self.since {
            return self.since(since, pair, translation, reader, objects);
        }
        if let Some(pin) = pin(self.languages, translation)
            && let Some(found) = self.at_commit(&pin.value, original, BaseSource::Pin, objects)?
        {
            return Ok(Some(found));
        }
        self.by_history(pair, reader, objects)
    }

    /// The original at a commit, under the name that it had then.
    fn at_commit(
        &self,
        commit: &str,
        original: &str,
        by: BaseSource,
        objects: &mut ObjectReader,
    ) -> Result<Option<FormerText<'a>>> {
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
                return Ok(Some(FormerText { base, text: text(bytes), later: self.later(original, &id) }));
            }
        }
        Ok(None)
    }

    /// The original at a revision, if it changed since and the translation didn't.
    fn since(
        &self,
        since: &str,
        pair: &Counterpart,
        translation: &str,
        reader: &SketchReader,
        objects: &mut ObjectReader,
    ) -> Result<Option<FormerText<'a>>> {
        let found = self.at_commit(since, pair.original.as_str(), BaseSource::Since, objects)?;
        let Some(found) = found else { return Ok(None) };
        let GitObject::Content { bytes, .. } = objects.read(&format!("{since}:./{}", pair.translation))?
        else {
            return Ok(None);
        };
        let is_same = reader.read(&text(bytes)).says_the_same(&reader.read(translation));
        Ok(Some(found).filter(|_| is_same))
    }

    /// The original as of the last commit that changed words or code of the translation.
    fn by_history(
        &self,
        pair: &Counterpart,
        reader: &SketchReader,
        objects: &mut ObjectReader,
    ) -> Result<Option<FormerText<'a>>> {
        let versions = self.log.versions(pair.translation.as_str());
        let Some(newest) = versions.first().filter(|_| !self.log.is_shallow) else { return Ok(None) };
        let mut read = |blob: &str| match objects.read(blob)? {
            GitObject::Content { bytes, .. } => Ok(Some(text(bytes))),
            GitObject::Missing | GitObject::Ambiguous => Ok(None),
        };
        let mut commit = newest.commit;
        let mut newer = read(&newest.blob)?.map(|text| reader.read(&text));
        for version in &versions[1..] {
            let older = read(&version.blob)?.map(|text| reader.read(&text));
            match (&newer, &older) {
                (Some(newer), Some(older)) if newer.says_the_same(older) => {}
                _ => break,
            }
            (commit, newer) = (version.commit, older);
        }
        let original = pair.original.as_str();
        let version = self.log.version_at(original, commit).or_else(|| self.log.oldest(original));
        let Some(version) = version else { return Ok(None) };
        let Some(text) = read(&version.blob)? else { return Ok(None) };
        let (id, day) = self.commit(commit);
        let base = LagBase { commit: id.to_string(), day: Some(day), by: BaseSource::History };
        Ok(Some(FormerText { base, text, later: self.later(original, &version.blob) }))
    }

    /// The versions of an original after the one with this content, the oldest first.
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

/// The commit that a translation is pinned to.
pub(super) fn pin(languages: &Languages, text: &str) -> Option<FrontValue> {
    languages.pins.iter().find_map(|key| front_value(text, key))
}

/// Whether a text can be the id of a commit. Git's own shortest abbreviation has seven letters.
pub(super) fn is_commit_id(text: &str) -> bool {
    (7..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
