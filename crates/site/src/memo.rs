//! The results of stages, cached in memory while the process runs. When a site is planned again after an edit, all
//! results that the edit doesn't affect are reused.
//!
//! The rule is the same as for units and for every [`Table`](base::store::Table): a stored result stays valid
//! while its key and the facts that it looked up stay the same. The *key* is a hash of everything that the result is
//! known to depend on before it is computed. The *facts* are the results of its lookups in the rest of the site.
//!
//! A result has a name, such as the ID of its family. For each type and name, the two most recently used results are
//! cached, because a server that shows an earlier version of a site that can't be built plans both versions after
//! each edit. Keys depend only on contents, never on memory addresses, so they are the same in another process.

use std::any::{Any, TypeId, type_name};
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use base::hash::{HashMap, Summands};
use base::store::lock;

/// Maximum number of cached results per type and name, for each language of a site.
const HELD: usize = 2;

/// The results of stages, by type, name and key.
#[derive(Debug, Default)]
pub struct Memo {
    /// The most recently used result is last.
    results: Mutex<HashMap<TypeId, ResultsByName>>,
    /// Number of languages that the site has in addition to the first.
    more_languages: AtomicUsize,
    /// For tests: a dependency that is left out of a stage's keys, so that its results become stale.
    forgotten: Option<IgnoredDependency>,
}

type ResultsByName = HashMap<Box<str>, Vec<StoredResult>>;

#[derive(Debug)]
struct StoredResult {
    key: u128,
    value: Arc<dyn Any + Send + Sync>,
}

/// Dependencies of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependency {
    /// The configuration, and options that affect planning.
    Settings,
    /// The kind of repository, and the configuration files of its generator.
    Repository,
    /// The names of pages, with their front matter and first headings.
    Openings,
    /// Texts of pages.
    Texts,
    /// Templates and words.
    Templates,
    /// Files that are published unchanged.
    Assets,
    /// Addresses that other programs generate.
    Routes,
    /// The result of an earlier stage.
    Stage,
    /// The current day, or the current commit.
    Time,
}

/// The dependencies of a result.
#[derive(Debug, Default)]
pub struct MemoKey {
    summands: Summands,
}

impl Memo {
    /// Sets the number of languages of the site, whose results are cached at the same time.
    pub fn hold_languages(&self, languages: usize) {
        self.more_languages.store(languages.saturating_sub(1), Ordering::Relaxed);
    }

    /// Returns the result for a key, and computes it if it isn't cached.
    pub fn get_or_make<T: Send + Sync + 'static>(
        &self,
        name: &str,
        key: &MemoKey,
        make: impl FnOnce() -> T,
    ) -> Arc<T> {
        let Ok(value) = self.get_or_try_make(name, key, |_| true, || Ok::<_, Infallible>(make()));
        value
    }

    /// The same for a result that looks up facts. `holds` returns whether they are unchanged. Errors aren't cached.
    /// If two threads need the same result at the same time, both compute it.
    pub fn get_or_try_make<T: Send + Sync + 'static, E>(
        &self,
        name: &str,
        key: &MemoKey,
        holds: impl Fn(&T) -> bool,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let forgotten = self.forgotten_of(type_name::<T>());
        let key = forgotten.map_or_else(|| key.sum(), |forgotten| key.sum_without(forgotten));
        // The facts that stages look up are texts.
        let forgets_facts = forgotten == Some(Dependency::Texts);
        if let Some(value) = self.get(name, key).filter(|value| forgets_facts || holds(value)) {
            return Ok(value);
        }
        let value = Arc::new(make()?);
        // Dropped after the lock is released, because freeing a replaced site takes time.
        let _replaced = self.put(name, StoredResult { key, value: value.clone() }, TypeId::of::<T>());
        Ok(value)
    }

    fn get<T: Send + Sync + 'static>(&self, name: &str, key: u128) -> Option<Arc<T>> {
        let mut results = lock(&self.results);
        let held = results.get_mut(&TypeId::of::<T>())?.get_mut(name)?;
        let at = held.iter().position(|stored| stored.key == key)?;
        held[at..].rotate_left(1);
        held.last()?.value.clone().downcast().ok()
    }

    fn put(&self, name: &str, stored: StoredResult, kind: TypeId) -> Vec<StoredResult> {
        let most = HELD * (1 + self.more_languages.load(Ordering::Relaxed));
        let mut results = lock(&self.results);
        let held = results.entry(kind).or_default().entry(name.into()).or_default();
        let (mut replaced, others): (Vec<_>, Vec<_>) = held.drain(..).partition(|it| it.key == stored.key);
        held.extend(others);
        held.push(stored);
        replaced.extend(held.drain(..held.len().saturating_sub(most)));
        replaced
    }
}

impl MemoKey {
    /// Adds a dependency of the result.
    pub fn add(&mut self, dependency: Dependency, part: &(impl AsRef<[u8]> + ?Sized)) -> &mut Self {
        self.summands.add(&[dependency as u8]).add(part);
        self
    }

    pub fn sum(&self) -> u128 {
        self.summands.sum()
    }

    /// Returns the sum of the key of a stage that has forgotten a dependency.
    fn sum_without(&self, forgotten: Dependency) -> u128 {
        let mut summands = Summands::default();
        let mut parts = self.summands.parts();
        while let (Some(dependency), Some(part)) = (parts.next(), parts.next()) {
            if dependency != [forgotten as u8] {
                summands.add(dependency).add(part);
            }
        }
        summands.sum()
    }
}

/// A stage whose keys lack one of its dependencies, for tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IgnoredDependency {
    /// The name of the type of its results.
    pub stage: &'static str,
    pub dependency: Dependency,
}

impl Memo {
    /// Returns a memo with a mistake that tests must notice.
    #[doc(hidden)]
    pub fn that_forgets(forgotten: IgnoredDependency) -> Self {
        Self { forgotten: Some(forgotten), ..Self::default() }
    }

    fn forgotten_of(&self, stage: &str) -> Option<Dependency> {
        let forgotten = self.forgotten.filter(|it| stage.rsplit("::").next() == Some(it.stage))?;
        Some(forgotten.dependency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests results with one name and these keys, and checks which of them are computed.
    #[track_caller]
    fn check(keys: &str, expected: &str) {
        let memo = Memo::default();
        let mut made = String::new();
        for letter in keys.chars() {
            let mut key = MemoKey::default();
            key.add(Dependency::Texts, &letter.to_string());
            let value = memo.get_or_make("name", &key, || {
                made.push(letter);
                letter
            });
            assert_eq!(*value, letter);
        }
        assert_eq!(made, expected);
    }

    #[test]
    fn the_two_most_recent_results_are_cached() {
        check("aaa", "a");
        check("abab", "ab");
        check("abcbcb", "abc");
        check("abcab", "abcab");
        check("abacada", "abcd");
    }

    #[test]
    fn results_of_other_names_and_types_are_other_results() {
        let memo = Memo::default();
        let key = MemoKey::default();
        assert_eq!(*memo.get_or_make("one", &key, || 1), 1);
        assert_eq!(*memo.get_or_make("other", &key, || 2), 2);
        assert_eq!(*memo.get_or_make("one", &key, || "a text"), "a text");
        assert_eq!(*memo.get_or_make("one", &key, || 3), 1);
    }

    #[test]
    fn a_result_whose_facts_have_changed_is_made_again() {
        let memo = Memo::default();
        let get = |fact: u8| {
            let made =
                memo.get_or_try_make("name", &MemoKey::default(), |held| *held == fact, || Ok::<_, ()>(fact));
            *made.expect("no error")
        };
        assert_eq!((get(1), get(1), get(2), get(2)), (1, 1, 2, 2));
    }
}
