//! Compares translations with their originals, section by section.
//!
//! In: [`Sources`] with translations, and the history of their files. Out: a [`Report`], and the [`PageState`] of each translation.
//! Words are never compared between languages: a translation lags if its original changed since the commit that it was made from. That
//! is the commit that it is pinned to, or the last one that changed its words or code.

mod carry;
mod code;
mod evidence;
mod findings;
mod joined;
mod lag;
mod lock;
mod missing;
mod orphans;
mod past;
mod pinning;
mod pins;
mod replaced;
mod status;
mod table;
mod versions;
mod work;

use std::sync::Arc;

use jiff::civil::Date;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::findings::Compared;
pub use self::joined::joined;
pub use self::lag::{BaseSource, ChangeKind, Lag, LagBase, LaggingSection};
pub use self::lock::{LOCK, TranslationLock};
use self::past::{Glance, Past};
pub use self::pinning::{Unpinned, begun, may_be_pinned, move_pins, pinned};
pub use self::status::unknown_status;
pub use self::table::{TranslationCount, TranslationTask, most_linked_first};
use self::versions::OriginalVersions;
pub use self::work::{
    OriginalSection, Remaining, SectionTask, original_section, page_tasks, remaining, section_tasks,
};
use base::diagnostic::{Problem, Report};
use base::error::Result;
use base::hash::{HashMap, sum};
use base::site_path::SitePath;
use base::sorted::SortedMap;
use base::store::{Record, Table};
use input::languages::{LanguageIx, Languages};
use input::source::Sources;
use input::source::git::{self, FileLog, ObjectReader};
use markup::markdown::Suppression;
use site::lags::PageLag;
use site::languages::{Counterpart, Counterparts, SketchReader};

/// Result for one translation. It is cached by its text, the original's text, and the newest commit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageState {
    /// `None` if the original of the translation is unknown.
    pub lag: Option<Lag>,
    /// Number of words of the original.
    pub words: usize,
    problems: Vec<Problem>,
    /// Code and links for which the original has others. See [`replaced`].
    replaced: Vec<Problem>,
    /// Fixable parts of `translation-behind`, with their edits.
    carried: Vec<Problem>,
}

impl Record for PageState {}

/// The states of pages by a hash of all their dependencies.
pub type PageStates = Table<Arc<PageState>>;

/// The translations of a site, and the results of comparing them.
#[derive(Debug)]
pub struct TranslationComparison<'a> {
    pub languages: &'a Languages,
    pub counterparts: Counterparts,
    /// In the order of `counterparts.pairs`.
    pub states: Vec<Arc<PageState>>,
    /// Whether git lacks older commits, or all commits.
    pub missing: Option<MissingHistory>,
}

/// How git's history is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingHistory {
    /// A shallow clone.
    Older,
    /// No repository, or no commit.
    All,
}

impl MissingHistory {
    /// Takes the result of [`git::commit`], in which git prints `false` if the repository isn't shallow.
    pub fn of(commit: &str) -> Option<Self> {
        match commit {
            commit if commit.contains("false") => None,
            commit if commit.contains("true") => Some(Self::Older),
            _ => Some(Self::All),
        }
    }
}

/// The version of the originals to compare with.
#[derive(Clone, Copy, Debug)]
pub struct Compare<'a> {
    pub today: Date,
    /// Replaces the commits from which translations were made.
    pub since: Option<&'a str>,
}

/// Compares all translations. Returns `None` if the site has none.
///
/// # Errors
///
/// If git fails or `translations.lock` can't be read.
pub fn compare<'a>(
    sources: &'a Sources,
    compare: Compare<'_>,
    known: &PageStates,
) -> Result<Option<TranslationComparison<'a>>> {
    compare_pages(sources, compare, known, |_| true)
}

/// Finds which translations are behind, for readers of the site; `None` if the site has none. Most pages aren't, so no section of
/// a page is read if its original is the one that it was made from.
///
/// # Errors
///
/// Those of [`compare`].
pub fn compare_lags<'a>(
    sources: &'a Sources,
    known: &PageStates,
) -> Result<Option<TranslationComparison<'a>>> {
    let compare = Compare { today: Date::ZERO, since: None };
    compare_parts(sources, compare, known, (Parts::Lag, |_| true))
}

/// The parts of a [`PageState`] that are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parts {
    /// Without findings.
    Lag,
    All,
}

/// Compares some translations, by their paths; `None` if the site has none.
///
/// # Errors
///
/// Those of [`compare`].
pub fn compare_pages<'a>(
    sources: &'a Sources,
    compare: Compare<'_>,
    known: &PageStates,
    is_wanted: impl Fn(&SitePath) -> bool,
) -> Result<Option<TranslationComparison<'a>>> {
    compare_parts(sources, compare, known, (Parts::All, is_wanted))
}

fn compare_parts<'a>(
    sources: &'a Sources,
    compare: Compare<'_>,
    known: &PageStates,
    (parts, is_wanted): (Parts, impl Fn(&SitePath) -> bool),
) -> Result<Option<TranslationComparison<'a>>> {
    let Some(languages) = sources.languages() else { return Ok(None) };
    let mut counterparts = Counterparts::of(sources);
    counterparts.pairs.retain(|pair| is_wanted(&pair.translation));
    let repository = &sources.repository;
    let commit = git::commit(&sources.root);
    let head = format!("{commit}{:?}{}{parts:?}", compare.since, compare.today);
    let lock =
        if compare.since.is_some() { TranslationLock::default() } else { TranslationLock::read(sources)? };
    let locked = |pair: &Counterpart| lock.page(&pair.translation);
    let key = |pair| {
        key(sources, pair, &[&head, &locked(pair).map_or(String::new(), lock::LockedPage::text)], languages)
    };
    let keys: Vec<[u8; 32]> = counterparts.pairs.iter().map(key).collect();
    let cached: Vec<Option<Arc<PageState>>> = keys.par_iter().map(|key| known.get(key)).collect();
    let log =
        if cached.iter().all(Option::is_some) { FileLog::default() } else { read_log(sources, languages) };
    let past = Past::new(&sources.root, &log, languages, compare.since);
    let reader = SketchReader::new(repository);
    let open = || if log.commits.is_empty() { None } else { ObjectReader::open(&sources.root).ok() };
    let fresh =
        |mut objects: Option<&mut ObjectReader>, versions: &mut OriginalVersions<'_>, pair: &Counterpart| {
            let locked = locked(pair);
            if parts == Parts::Lag && locked.is_none() {
                let of = |lag| Ok(Arc::new(PageState { lag, ..PageState::default() }));
                match past.at_a_glance(sources, pair, objects.as_deref_mut())? {
                    Glance::NoBase => return of(None),
                    Glance::Unchanged(lag) => return of(Some(lag)),
                    Glance::Unclear => {}
                }
            }
            let objects = objects.filter(|_| locked.is_none());
            let compared = Compared::read(sources, languages, &past, pair, (versions, objects))?;
            Ok(Arc::new(match parts {
                Parts::Lag => PageState { lag: compared.lag(compare.today, locked), ..PageState::default() },
                Parts::All => compared.state(compare.today, locked),
            }))
        };
    // All translations of a page are compared together, because they need the same versions of the original.
    let mut by_original: SortedMap<&SitePath, Vec<usize>> = SortedMap::new();
    for (at, pair) in counterparts.pairs.iter().enumerate().filter(|(at, _)| cached[*at].is_none()) {
        by_original.entry(&pair.original).or_default().push(at);
    }
    let pages: Vec<Vec<usize>> = by_original.into_values().collect();
    let states_of =
        |objects: &mut Option<ObjectReader>, pages: &Vec<usize>| -> Result<Vec<(usize, Arc<PageState>)>> {
            let mut versions = OriginalVersions::new(&reader);
            let mut state = |at: &usize| {
                let state = fresh(objects.as_mut(), &mut versions, &counterparts.pairs[*at])?;
                known.put(keys[*at], state.clone());
                Ok((*at, state))
            };
            pages.iter().map(&mut state).collect()
        };
    // Each share starts its own git process.
    let share = pages.len().div_ceil(rayon::current_num_threads() * 4).max(1);
    let of_share = |pages: &[Vec<usize>]| -> Result<Vec<(usize, Arc<PageState>)>> {
        let mut objects = open();
        let states: Result<Vec<_>> = pages.iter().map(|page| states_of(&mut objects, page)).collect();
        Ok(states?.into_iter().flatten().collect())
    };
    let made: Result<Vec<_>> = pages.par_chunks(share).map(of_share).collect();
    let mut states = cached;
    for (at, state) in made?.into_iter().flatten() {
        states[at] = Some(state);
    }
    let states: Vec<Arc<PageState>> = states.into_iter().flatten().collect();
    let missing = MissingHistory::of(&commit);
    Ok(Some(TranslationComparison { languages, counterparts, states, missing }))
}

/// Reads the history of the pages in all languages.
fn read_log(sources: &Sources, languages: &Languages) -> FileLog {
    let content = &sources.repository.content.path;
    let own = languages.translations.iter().flat_map(|language| &language.folders);
    let mut folders: Vec<&str> =
        own.flat_map(|folder| [folder.path.as_str(), folder.original.as_str()]).collect();
    folders.push(content);
    folders.sort_unstable();
    folders.dedup();
    FileLog::read(&sources.root, &folders)
}

/// Returns the hash of all dependencies of a page's state.
fn key(sources: &Sources, pair: &Counterpart, more: &[&str], languages: &Languages) -> [u8; 32] {
    let mut bytes = Vec::new();
    for path in [&pair.original, &pair.translation] {
        bytes.extend_from_slice(path.as_str().as_bytes());
        bytes.push(0);
        if let Some(text) = sources.text(path) {
            bytes.extend_from_slice(text.hash.as_bytes());
        }
    }
    for part in
        more.iter().copied().chain([&*languages.pins.join(" "), &languages.translations[pair.language].name])
    {
        bytes.extend_from_slice(part.as_bytes());
        bytes.push(0);
    }
    let (one, other) = (sum(&bytes), sum(&[&bytes[..], b"2"].concat()));
    let mut key = [0; 32];
    key[..16].copy_from_slice(&one.to_le_bytes());
    key[16..].copy_from_slice(&other.to_le_bytes());
    key
}

impl TranslationComparison<'_> {
    /// Returns the lags for readers, and why some are unknown. In a shallow clone, the
    /// oldest commit seems to have changed all files.
    pub fn lags(&self) -> (HashMap<SitePath, PageLag>, Option<MissingHistory>) {
        let (mut lags, mut is_unknown) = (HashMap::default(), false);
        for (pair, state) in self.counterparts.pairs.iter().zip(&self.states) {
            let is_known = |lag: &&Lag| self.missing.is_none() || lag.base.by != BaseSource::History;
            match state.lag.as_ref().filter(is_known) {
                Some(lag) if !lag.sections.is_empty() => {
                    lags.insert(pair.translation.clone(), lag.for_readers());
                }
                Some(_) => {}
                None => is_unknown = true,
            }
        }
        (lags, self.missing.filter(|_| is_unknown))
    }
}

impl TranslationComparison<'_> {
    /// Returns the findings of `drift`.
    pub fn report(&self, only: Option<LanguageIx>) -> Report {
        let is_wanted = |language: LanguageIx| only.is_none_or(|only| only == language);
        let pairs =
            self.counterparts.pairs.iter().zip(&self.states).filter(|(pair, _)| is_wanted(pair.language));
        let of_pages =
            pairs.flat_map(|(pair, state)| state.problems.iter().map(|it| it.clone().at(&pair.translation)));
        let missing = missing::findings(self.languages, &self.counterparts, is_wanted);
        let all = self.counterparts.pairs.iter().zip(&self.states);
        let replaced = replaced::shared(all.map(|(pair, state)| (pair, &state.replaced[..])), is_wanted);
        of_pages.chain(replaced).chain(missing).collect()
    }
}

impl TranslationComparison<'_> {
    /// Returns all fixable findings, including those that [`Self::report`] combines in `translation-behind`.
    pub fn fixes(&self) -> Report {
        let of_page = |(pair, state): (&Counterpart, &Arc<PageState>)| {
            let problems = state.problems.iter().chain(&state.carried).filter(|it| !it.edits.is_empty());
            problems.map(|it| it.clone().at(&pair.translation)).collect::<Vec<_>>()
        };
        self.counterparts.pairs.iter().zip(&self.states).flat_map(of_page).collect()
    }
}

/// Returns the suppressions in translations that aren't pages of the site.
pub fn suppressions(sources: &Sources) -> Vec<(SitePath, Vec<Suppression>)> {
    let reader = SketchReader::new(&sources.repository);
    let pages = sources.whole().translated_pages();
    let others = pages.iter().filter(|(_, _, text)| !sources.pages.contains_key(&text.path));
    let with_comment = others.filter_map(|(_, _, text)| {
        let content = text.text();
        let suppressions =
            if content.contains("stepkin") { reader.suppressions(&content) } else { return None };
        Some((text.path.clone(), suppressions))
    });
    with_comment.collect()
}

/// Returns the findings of `check`: pages without an original, and wrong references in translations. With `asks_git`,
/// also wrong pins.
pub fn check(sources: &Sources, asks_git: bool) -> Report {
    let Some(languages) = sources.languages() else { return Report::default() };
    let counterparts = Counterparts::of(sources);
    let log = if asks_git { read_log(sources, languages) } else { FileLog::default() };
    let mut report: Report = orphans::findings(sources, languages, &counterparts, &log).into_iter().collect();
    report.extend(orphans::links(sources, languages, &counterparts));
    if asks_git {
        report.extend(pins::findings(sources, languages, &counterparts, &log));
    }
    report
}
