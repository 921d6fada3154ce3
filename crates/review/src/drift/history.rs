//! When each difference appeared, and how long it lasted.
//!
//! A difference is identified by its subject and by the two pages that differ. It stays the same when a page or
//! folder is renamed, and when another platform also begins to differ.

use std::collections::HashMap;

use jiff::civil::Date;
use serde_json::Value;

use super::{Scope, steps};
use base::diagnostic::{Code, Diagnostic, Report};
use base::site_path::SitePath;
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use input::source::git::Commit;
use site::work::Work;

/// A difference, from the commit in which it appeared to the one that removed it.
#[derive(Clone, Debug)]
pub struct Lasting {
    /// The last version of the finding.
    pub finding: Diagnostic,
    pub appeared: Commit,
    pub gone: Option<Commit>,
    /// Number of days up to `gone`, or to today.
    pub days: i32,
}

/// Differences over time. Commits are added in order.
#[derive(Debug, Default)]
pub struct Timeline {
    open: SortedMap<Key, Open>,
    over: Vec<(Key, Part, Lasting)>,
    identities: Identities,
}

/// One of a finding's steps, texts or settings, because these may differ since different dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    step: usize,
    text: usize,
}

/// A current difference.
#[derive(Clone, Debug)]
struct Open {
    appeared: Commit,
    part: Part,
    /// The last version of the finding.
    finding: Diagnostic,
}

/// Findings in different commits with the same key are the same difference: with the same subject, between the same
/// two sides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    code: Code,
    /// Sorted.
    sides: [Side; 2],
    /// A setting and its column, or the text of the first side that has one.
    about: String,
}

/// The identities of a platform and its page, if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    platform: Identity,
    page: Option<Identity>,
}

/// The number of a page or a platform's folder, which stays the same when it is renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Identity(usize);

/// The identities of pages and platform folders across renames.
#[derive(Debug, Default)]
struct Identities {
    pages: HashMap<SitePath, Identity>,
    /// By folder in `content/`.
    platforms: HashMap<String, Identity>,
    /// The last assigned number.
    last: usize,
    /// The renames in the current commit.
    renames: Vec<(SitePath, SitePath)>,
}

impl Identities {
    fn rename(&mut self, renames: Vec<(SitePath, SitePath)>) {
        let moved: Vec<(&SitePath, Option<Identity>)> =
            renames.iter().map(|(from, to)| (to, self.pages.remove(from))).collect();
        for (to, id) in moved {
            self.pages.extend(id.map(|id| (to.clone(), id)));
        }
        self.renames = renames;
    }

    fn page(&mut self, path: &SitePath) -> Identity {
        if let Some(&known) = self.pages.get(path) {
            return known;
        }
        let id = self.new_identity();
        self.pages.insert(path.clone(), id);
        id
    }

    /// A new folder gets the number of the folder that contained its pages before.
    fn platform(&mut self, root: &str) -> Identity {
        if let Some(&known) = self.platforms.get(root) {
            return known;
        }
        let former = self.renames.iter().find_map(|(from, to)| {
            let inside = to.as_str().strip_prefix(&format!("content/{root}/"))?;
            let folder = from.as_str().strip_suffix(inside)?.trim_end_matches('/');
            self.platforms.get(folder.strip_prefix("content/")?).copied()
        });
        let id = former.unwrap_or_else(|| self.new_identity());
        self.platforms.insert(root.to_string(), id);
        id
    }

    fn new_identity(&mut self) -> Identity {
        self.last += 1;
        Identity(self.last)
    }
}

impl Timeline {
    /// Records the renames in a commit as old and new paths. Called before the findings of the commit are added.
    pub fn rename(&mut self, renames: Vec<(SitePath, SitePath)>) {
        self.identities.rename(renames);
    }

    /// Adds the findings of a commit.
    pub fn note(&mut self, commit: &Commit, work: &Work, report: &Report) {
        let sides = Sides::of(work, &mut self.identities);
        let mut found: SortedMap<Key, (Part, &Diagnostic)> = SortedMap::new();
        for finding in report.iter().filter(|finding| finding.problem.code.rule().is_drift) {
            found.extend(sides.keys(finding).into_iter().map(|(key, part)| (key, (part, finding))));
        }
        let mut gone: Vec<Key> = self.open.keys().filter(|key| !found.contains_key(*key)).cloned().collect();
        let new: Vec<Key> = found.keys().filter(|key| !self.open.contains_key(*key)).cloned().collect();
        // An edited text is still the same difference.
        for key in new {
            if let Some(at) = nearest(&key, &gone) {
                let open = self.open.remove(&gone.swap_remove(at)).expect("it is open");
                self.open.insert(key, open);
            }
        }
        for key in gone {
            let Open { appeared, part, finding } = self.open.remove(&key).expect("it was just seen");
            let days = days(appeared.day, commit.day);
            self.over.push((key, part, Lasting { finding, appeared, gone: Some(commit.clone()), days }));
        }
        for (key, (part, finding)) in found {
            let appeared = self.open.remove(&key).map_or_else(|| commit.clone(), |open| open.appeared);
            self.open.insert(key, Open { appeared, part, finding: finding.clone() });
        }
    }

    /// Returns all differences in scope, the earliest first. A finding is one difference, which begins when the first
    /// two of its platforms differ.
    ///
    /// The scope refers to names in `work`. Old names are followed.
    pub fn until(mut self, work: &Work, scope: &Scope) -> Vec<Lasting> {
        let wanted = HistoryFilter::of(work, scope, &mut self.identities);
        let open = self.open.into_iter().map(|(key, Open { appeared, part, finding })| {
            let days = days(appeared.day, scope.today);
            (key, part, Lasting { finding, appeared, gone: None, days })
        });
        let all = self.over.into_iter().chain(open).filter(|(key, ..)| wanted.has(key));
        let mut all: Vec<(Part, Lasting)> = all.map(|(_, part, lasting)| (part, lasting)).collect();
        let id = |commit: &Commit| (commit.day, commit.id.clone());
        let place = |it: &Diagnostic| (it.file.clone(), it.problem.span.start, it.problem.message.clone());
        all.stable_sort_by_cached_key(|(part, it)| {
            (it.gone.as_ref().map(id), place(&it.finding), *part, it.appeared.day)
        });
        all.dedup_by(|(a_part, a), (b_part, b)| {
            a.finding == b.finding && a_part == b_part && a.gone == b.gone
        });
        let mut all: Vec<Lasting> = all.into_iter().map(|(_, lasting)| lasting).collect();
        all.stable_sort_by_cached_key(|it| {
            (it.appeared.day, it.gone.is_none(), it.gone.as_ref().map(id), place(&it.finding))
        });
        // Parts of one finding with the same dates are combined.
        all.dedup_by(|a, b| a.finding == b.finding && a.appeared == b.appeared && a.gone == b.gone);
        all
    }
}

/// The requested differences.
struct HistoryFilter {
    /// The platforms of the family, and the pages of the step. `None` for all.
    platforms: Option<SortedSet<Identity>>,
    pages: Option<SortedSet<Identity>>,
}

impl HistoryFilter {
    fn of(work: &Work, scope: &Scope, identities: &mut Identities) -> Self {
        let versions = || steps(work, scope).into_iter().flat_map(|step| step.versions);
        let platforms = scope.family.as_ref().map(|_| {
            versions().map(|it| identities.platform(&work.project.site.platform_of(it.place).root)).collect()
        });
        let pages =
            scope.step.as_ref().map(|_| versions().map(|it| identities.page(&it.document.path)).collect());
        Self { platforms, pages }
    }

    fn has(&self, key: &Key) -> bool {
        let is_platform = |side: &Side| self.platforms.as_ref().is_none_or(|it| it.contains(&side.platform));
        let is_page = |side: &Side| {
            side.page.is_some_and(|page| self.pages.as_ref().is_none_or(|it| it.contains(&page)))
        };
        key.sides.iter().all(is_platform) && key.sides.iter().any(is_page)
    }
}

/// The sides of a site at a commit: by family and platform, and by step, family and platform.
struct Sides {
    platforms: SortedMap<(String, String), Identity>,
    pages: SortedMap<(String, String, String), Identity>,
}

impl Sides {
    fn of(work: &Work, identities: &mut Identities) -> Self {
        let mut sides = Self { platforms: SortedMap::new(), pages: SortedMap::new() };
        for family in work.project.site.families.iter() {
            for platform in &family.platforms {
                let id = identities.platform(&platform.root);
                sides.platforms.insert((family.id.clone(), platform.id.clone()), id);
            }
        }
        for step in steps(work, &Scope::everything(Date::default())) {
            for version in &step.versions {
                let platform = work.project.site.platform_of(version.place).id.clone();
                let id = identities.page(&version.document.path);
                let key = (step.name().to_string(), step.family.id.clone(), platform);
                sides.pages.entry(key).or_insert(id);
            }
        }
        sides
    }

    fn keys(&self, finding: &Diagnostic) -> Vec<(Key, Part)> {
        let data = &finding.problem.data;
        let text = |name: &str| data.get(name).and_then(Value::as_str).unwrap_or_default();
        let list = |name: &str| data.get(name).map(texts);
        let steps = list("steps").unwrap_or_else(|| vec![text("step").to_string()]);
        let mut keys = Vec::new();
        for (step, name) in steps.iter().enumerate() {
            for (one, other) in pairs(data) {
                let side = |platform: &String| -> Option<Side> {
                    let family = text("family").to_string();
                    let page = (name.clone(), family.clone(), platform.clone());
                    let platform = *self.platforms.get(&(family, platform.clone()))?;
                    Some(Side { platform, page: self.pages.get(&page).copied() })
                };
                let Some(mut sides) = side(&one).zip(side(&other)).map(|(one, other)| [one, other]) else {
                    continue;
                };
                // A page that lacks a step may contain another one. A platform without both has no difference.
                if sides.iter().all(|side| side.page.is_none()) {
                    continue;
                }
                let ordered = sides[0] <= sides[1];
                let said_by = if ordered { [&one, &other] } else { [&other, &one] };
                sides.stable_sort();
                let abouts = about(finding, said_by);
                let key = |about| Key { code: finding.problem.code, sides, about };
                keys.extend(abouts.into_iter().map(|(text, about)| (key(about), Part { step, text })));
            }
        }
        keys
    }
}

/// Returns the subjects of a finding for two platforms: settings by name and column, an empty text for a step, and
/// for a text the words of the first platform that has any. Each has its position in the finding.
fn about(finding: &Diagnostic, platforms: [&String; 2]) -> Vec<(usize, String)> {
    let problem = &finding.problem;
    let data = &problem.data;
    if problem.code == Code::MissingStep {
        return vec![(0, String::new())];
    }
    if let Some(settings) = data.get("settings").map(texts) {
        let column = data.get("column").and_then(Value::as_str).unwrap_or_default();
        return settings.iter().map(|name| format!("{column} {name}")).enumerate().collect();
    }
    let said = |values: &Value| -> Option<String> {
        let values = values.as_array()?;
        let by = |platform: &String| {
            let value = values.iter().find(|value| texts(&value["platforms"]).contains(platform))?;
            value["value"].as_str().map(str::to_string)
        };
        platforms.into_iter().find_map(by)
    };
    let more = data.get("more").and_then(Value::as_array).into_iter().flatten();
    let texts = data.get("values").into_iter().chain(more).enumerate();
    let texts: Vec<(usize, String)> = texts.filter_map(|(at, text)| Some((at, said(text)?))).collect();
    if texts.is_empty() { vec![(0, problem.target.clone().unwrap_or_default())] } else { texts }
}

/// Groups the platforms of a difference by their values: those with something and those without, or those with the
/// same value.
pub fn platform_groups(data: &SortedMap<std::borrow::Cow<'static, str>, Value>) -> Vec<Vec<String>> {
    let (with, without) = (data.get("platforms_with").map(texts), data.get("platforms_without").map(texts));
    if let (Some(with), Some(without)) = (with, without) {
        return vec![with, without];
    }
    let values = data.get("values").and_then(Value::as_array).into_iter().flatten();
    values.map(|value| texts(&value["platforms"])).collect()
}

/// Returns the pairs of platforms that differ. A third platform adds another difference.
fn pairs(data: &SortedMap<std::borrow::Cow<'static, str>, Value>) -> Vec<(String, String)> {
    let groups = platform_groups(data);
    let mut pairs = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        for other in groups[index + 1..].iter().flatten() {
            pairs.extend(group.iter().map(|one| (one.clone(), other.clone())));
        }
    }
    pairs
}

/// Among the differences that are gone, returns the one between the same pages with the most similar text.
fn nearest(key: &Key, gone: &[Key]) -> Option<usize> {
    /// Minimum similarity of the same text after an edit.
    const MOSTLY: f64 = 0.5;
    let candidates = gone.iter().enumerate().filter(|(_, it)| it.code == key.code && it.sides == key.sides);
    let scored = candidates.map(|(at, it)| (likeness(&it.about, &key.about), at));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
    best.filter(|(likeness, _)| *likeness >= MOSTLY).map(|(_, at)| at)
}

/// Returns the share of common words in two texts, from 0 to 1.
fn likeness(one: &str, other: &str) -> f64 {
    let words = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<SortedSet<_>>();
    let (one, other) = (words(one), words(other));
    let all = one.len() + other.len();
    site::family::words::ratio(2 * one.intersection(&other).count(), all.max(1))
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
}

fn days(from: Date, to: Date) -> i32 {
    (to - from).get_days()
}
