//! Reports differences between the versions of a step.
//!
//! In: [`Work`]. Out: [`Report`] of findings, each with one cause: six settings that are `Enabled` on iOS and `Check`
//! on the others are one finding. Pages with the same content have no findings.
//!
//! Every finding consists of facts about two versions, which `gather` joins, so the findings about some platforms
//! don't depend on the others.

mod findings;
mod gather;
mod history;
mod missing;
mod names;
mod own;
mod rank;
mod repeated;
mod rules;
mod since;
mod summary;
mod terms;
mod together;
mod topics;
mod worth;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use jiff::civil::Date;
use rayon::prelude::*;
use serde_json::Value;

use self::findings::Findings;
pub use self::history::{Lasting, Timeline, platform_groups};
use self::missing::MissingStep;
use self::own::Common;
use self::rank::{RankKind, rank};
pub use self::since::since;
pub use self::summary::{DriftSummary, summary};
pub use self::together::is_about_own_content;
pub use self::worth::is_doubtful;
use self::worth::{PageWords, content_words};
use base::address::Address;
use base::diagnostic::{Code, Diagnostic, Problem, Report};
use base::hash::HashMap;
use base::index::IndexVec;
use base::site_path::{self, SitePath};
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use markup::markdown::{Page, Passage};
use site::content::{Document, DocumentId, Family, FamilyId, Place, PlatformIx, StepIx};
use site::family::{
    VersionIx,
    compare::{Comparison, compare},
    outline::Outline,
    step_slug,
};
use site::memo::{Dependency, Memo, MemoKey};
use site::plan::Destination;
use site::work::Work;

/// Options of a comparison.
#[derive(Clone, Debug)]
pub struct Scope {
    /// A family's ID. `None` for all.
    pub family: Option<String>,
    /// A step's slug, `step` or title. `None` for all.
    pub step: Option<String>,
    /// A language tag, for only this translation and its platforms. `None` for all translations and the platforms of the original.
    pub language: Option<String>,
    /// The current date. Acceptances that ended earlier don't count.
    pub today: Date,
}

impl Scope {
    /// Returns the scope with all families.
    pub fn everything(today: Date) -> Self {
        Self { family: None, step: None, language: None, today }
    }
}

/// Number of steps whose pages are in memory at a time.
const STEPS_AT_ONCE: usize = 300;

/// Compares all versions in scope, also those within pages.
pub fn find(work: &Work, scope: &Scope, memo: &Memo) -> Report {
    let versions = work.versions();
    let within = versions.iter().flat_map(|versions| find_in_pages(versions, scope, memo));
    find_in_pages(work, scope, memo).into_iter().chain(within).collect::<Report>().sorted()
}

/// Compares the versions in scope that have separate pages. Unchanged families are taken from `memo`.
pub fn find_in_pages(work: &Work, scope: &Scope, memo: &Memo) -> Report {
    let steps: Vec<Step<'_>> = steps(work, scope);
    let families: Vec<&[Step<'_>]> = steps.chunk_by(is_same_family).collect();
    let reports = of_families(work, &families, scope, memo);
    reports.iter().flat_map(|family| &family.0).cloned().collect::<Report>().sorted()
}

fn is_same_family(one: &Step<'_>, other: &Step<'_>) -> bool {
    std::ptr::eq::<Family>(one.family, other.family)
}

/// The findings of a family, in the memo.
struct FamilyFindings(Report);

/// Returns the findings of each family. `steps` must be grouped by family.
fn of_families(
    work: &Work,
    families: &[&[Step<'_>]],
    scope: &Scope,
    memo: &Memo,
) -> Vec<Arc<FamilyFindings>> {
    let mut reports = Vec::with_capacity(families.len());
    let mut rest = families;
    while !rest.is_empty() {
        let mut steps = 0;
        let fits = |family: &&&[Step<'_>]| {
            let is_room = steps < STEPS_AT_ONCE;
            steps += family.len();
            is_room
        };
        let (batch, others) = rest.split_at(rest.iter().take_while(fits).count());
        let fresh = OnceLock::new();
        let report = |steps: &&[Step<'_>]| {
            let family = steps.first().map_or("", |step| step.family.id.as_str());
            let find = || of_family(fresh.get_or_init(|| work.fresh()), steps, scope);
            memo.get_or_make(family, &key(work, steps, scope), || FamilyFindings(find()))
        };
        reports.par_extend(batch.par_iter().map(report));
        rest = others;
    }
    reports
}

/// Returns the key of a family's findings: everything that they depend on.
fn key(work: &Work, steps: &[Step<'_>], scope: &Scope) -> MemoKey {
    let mut key = MemoKey::default();
    key.add(Dependency::Stage, &work.project.key.to_le_bytes());
    key.add(Dependency::Settings, &format!("{:?} {:?}", scope.family, scope.step));
    key.add(Dependency::Time, &scope.today.to_string());
    for version in steps.iter().flat_map(|step| &step.versions) {
        let Document { path, key: text, .. } = version.document;
        key.add(Dependency::Texts, path.as_str()).add(Dependency::Texts, text.as_bytes());
    }
    for platform in steps.iter().flat_map(|step| step.with_other_pages(work)) {
        key.add(Dependency::Texts, &usize::from(platform).to_le_bytes());
    }
    key
}

fn of_family(work: &Work, steps: &[Step<'_>], scope: &Scope) -> Report {
    let found: Vec<_> = steps.par_iter().map(|step| findings(work, step, scope)).collect();
    let mut differences: Vec<Diagnostic> = Vec::new();
    let mut absences: Vec<Vec<MissingStep>> = Vec::with_capacity(steps.len());
    for (found, missing) in found {
        differences.extend(found);
        absences.push(missing);
    }
    let mut found = repeated::join(differences);
    found.extend(missing::findings(steps, &absences, scope));
    let found = match steps.first() {
        Some(step) => {
            let known: RefCell<HashMap<SitePath, Rc<PageWords>>> = RefCell::default();
            let words = |path: &SitePath| {
                let words = || Rc::new(words_on(work, steps, path));
                known.borrow_mut().entry(path.clone()).or_insert_with(words).clone()
            };
            worth::worth(step.family, found, &words)
        }
        None => found,
    };
    found.into_iter().collect()
}

/// Returns the words of a page of a family.
fn words_on(work: &Work, steps: &[Step<'_>], path: &SitePath) -> PageWords {
    let version = steps.iter().flat_map(|step| &step.versions).find(|it| it.document.path == *path);
    let page = version.map(|version| &work.pages[version.id]);
    let text = version.map(|version| version.document.text()).unwrap_or_default();
    let comments = page.into_iter().flat_map(|page| &page.comments).filter_map(|it| text.get(it.clone()));
    // Markdown has no comments, so authors define unused labels.
    let labels = text.lines().filter(|line| line.starts_with("[//]: #"));
    PageWords {
        comments: comments.chain(labels).flat_map(content_words).collect(),
        all: page.map(|page| content_words(page.prose.text())).unwrap_or_default(),
        texts: page.map(texts).unwrap_or_default(),
        headings: page
            .into_iter()
            .flat_map(|page| &page.headings)
            .map(|it| content_words(&it.text))
            .collect(),
    }
}

/// Returns the words of each text of a page, with those of the heading above it.
fn texts(page: &Page) -> Vec<(SortedSet<String>, SortedSet<String>)> {
    let words = |passage: Passage<'_>| {
        let at = passage.span(0..0).start;
        let above = page.headings.iter().take_while(|heading| heading.span.start <= at).last();
        let heading = above.map(|heading| content_words(&heading.text));
        (content_words(passage.text), heading.unwrap_or_default())
    };
    page.prose.iter().map(words).collect()
}

/// The position of translations among differences: before what platforms lack.
const TRANSLATIONS: u64 = 695;

/// Sorts findings about differences in reading order: the smallest differences first, because they are the easiest to
/// overlook, and those of the first family before others. Uncertain matches of steps come before them, and other findings
/// outside families come last.
pub fn in_order_of_reading(work: &Work, report: Report) -> Report {
    let families: SortedMap<&str, usize> =
        work.project.site.families.iter().enumerate().map(|(at, family)| (family.id.as_str(), at)).collect();
    let place = |finding: &Diagnostic| {
        let data = &finding.problem.data;
        let id = data.get("family").and_then(Value::as_str);
        let family = id.and_then(|id| families.get(id).copied()).unwrap_or(usize::MAX);
        let rank = data.get("rank").and_then(Value::as_u64).unwrap_or_default();
        let is_of_translation = matches!(
            finding.problem.code,
            Code::TranslationBehind | Code::TranslationStructure | Code::UntranslatedSection
        );
        let among = match id {
            None if is_of_translation => TRANSLATIONS,
            None => u64::MAX,
            Some(_) => rank,
        };
        (among, rank, family)
    };
    let mut findings: Vec<Diagnostic> = report.into_iter().collect();
    findings.stable_sort_by_cached_key(place);
    findings.into_iter().collect()
}

/// Whether a finding is about an ambiguous step in scope.
pub fn is_in_scope(work: &Work, scope: &Scope, finding: &Diagnostic) -> bool {
    let paths = steps(work, scope).into_iter().flat_map(|step| step.versions);
    finding.problem.code == Code::AmbiguousStep
        && paths.into_iter().any(|version| version.document.path == finding.file)
}

/// Number of compared pages.
pub fn pages(work: &Work, scope: &Scope) -> usize {
    let within = work.project.site.versions.as_ref();
    let within = within.filter(|site| scope.family.as_ref().is_none_or(|id| site.family_named(id).is_ok()));
    let own: usize = steps(work, scope).iter().map(|step| step.versions.len()).sum();
    own + within.map_or(0, |site| site.pages_with_versions())
}

/// Returns the steps in scope, for every family in reading order.
pub fn steps<'a>(work: &'a Work, scope: &Scope) -> Vec<Step<'a>> {
    let families = work.project.site.families.indexed();
    let wanted = families.filter(|(_, family)| scope.family.as_ref().is_none_or(|id| *id == family.id));
    let steps = wanted.flat_map(|(index, family)| steps_of(work, index, family));
    steps.filter(|step| scope.step.as_ref().is_none_or(|name| step.is_called(name))).collect()
}

/// A step with all its versions.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    pub family: &'a Family,
    pub versions: IndexVec<VersionIx, Version<'a>>,
}

/// A step on one platform.
#[derive(Clone, Debug)]
pub struct Version<'a> {
    pub id: DocumentId,
    pub place: Place,
    pub document: &'a Document,
    /// Its name on every platform, except for `step`.
    slug: &'a str,
    /// The matching step on each platform.
    siblings: IndexVec<PlatformIx, Option<DocumentId>>,
}

impl Step<'_> {
    /// Returns its identifier: `step`, or its name on every platform.
    pub fn name(&self) -> &str {
        let said = self.versions.iter().find_map(|version| version.document.front.step.as_deref());
        let slug = || self.versions.iter().map(|version| version.slug).find(|slug| !slug.is_empty());
        said.or_else(slug).unwrap_or_default()
    }

    /// Returns the platforms that have a page of the right name next to this step, which is too different to be compared.
    fn with_other_pages(&self, work: &Work) -> SortedSet<PlatformIx> {
        let platforms = &self.family.platforms;
        let has_page = |version: &Version<'_>, platform: PlatformIx| {
            let (own, other) = (&platforms[version.place.platform].id, &platforms[platform].id);
            let path = version.document.path.as_str();
            let name = site_path::file_name(path);
            let other = site_path::join(site_path::parent(path), &name.replacen(own.as_str(), other, 1));
            other != path && work.project.sources.pages.contains_key(&SitePath::from(other))
        };
        let is_absent = |it: PlatformIx| self.versions.iter().all(|version| version.siblings[it].is_none());
        let absent = platforms.indices().filter(|it| self.family.is_by_key && is_absent(*it));
        absent.filter(|it| self.versions.iter().any(|version| has_page(version, *it))).collect()
    }

    /// Whether its name shows that it lists the releases of each platform.
    fn is_release_notes(&self) -> bool {
        const NAMES: [&str; 6] =
            ["releases", "release-notes", "changelog", "change-log", "whats-new", "version-history"];
        let last = |version: &Version<'_>| {
            let name = site_path::file_name(version.slug);
            NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
        };
        self.family.is_by_key && self.versions.iter().any(last)
    }

    /// Whether the title of a version mentions a platform of the family that has the step, so that the step is about
    /// that platform. If several platforms mention themselves, the step is about each.
    fn names_another(&self, version: &Version<'_>, lacking: PlatformIx) -> bool {
        let names = |version: &Version<'_>, platform: PlatformIx| {
            self.family.platforms[platform].is_named_in(&version.document.title)
        };
        let names_own = |version: &Version<'_>| names(version, version.place.platform);
        let own: SortedSet<PlatformIx> =
            self.versions.iter().filter(|it| names_own(it)).map(|it| it.place.platform).collect();
        let is_of_each = own.len() > 1 && own.contains(&version.place.platform);
        let names_other = |at: PlatformIx| at != lacking && names(version, at);
        self.family.is_by_key
            && !is_of_each
            && self.family.platforms.indices().any(names_other)
            && !names(version, lacking)
    }

    fn is_called(&self, name: &str) -> bool {
        self.versions.iter().any(|version| {
            let document = version.document;
            document.front.step.as_deref() == Some(name)
                || document.address.last_segment() == Some(name)
                || version.slug == name
                || document.title.eq_ignore_ascii_case(name)
        })
    }
}

/// Returns the steps of a family. Pages that match directly or through a third platform are one step.
fn steps_of<'a>(work: &'a Work, id: FamilyId, family: &'a Family) -> Vec<Step<'a>> {
    let mut seen: SortedSet<DocumentId> = SortedSet::new();
    let mut steps = Vec::new();
    for row in work.project.families.rows(id) {
        let mut versions: SortedMap<(PlatformIx, StepIx), Version<'a>> = SortedMap::new();
        let mut open: Vec<DocumentId> = row.steps.iter().flatten().copied().collect();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let place = work.project.site.place(id).expect("rows hold steps");
            let siblings = work.project.families.siblings(&work.project.site, place);
            open.extend(siblings.iter().flatten());
            let slug = step_slug(&work.project.site, family, place);
            let version = Version { id, place, document: work.project.site.document(id), slug, siblings };
            versions.insert((place.platform, place.step), version);
        }
        if !versions.is_empty() {
            steps.push(Step { family, versions: versions.into_values().collect() });
        }
    }
    steps
}

/// Returns the differences in a step, and the platforms that lack it.
fn findings(work: &Work, step: &Step<'_>, scope: &Scope) -> (Vec<Diagnostic>, Vec<MissingStep>) {
    let outlines: IndexVec<VersionIx, Outline<'_>> =
        step.versions.iter().map(|version| outline(work, version)).collect();
    let mut comparisons: SortedMap<(VersionIx, VersionIx), Comparison> = SortedMap::new();
    // Releases differ between platforms.
    let compared = step.versions.indexed().filter(|_| !step.is_release_notes());
    for (a, one) in compared {
        for (b, other) in step.versions.indexed().filter(|(b, _)| *b > a) {
            // A shared page marks its own differences. If another generator's pages do so, texts are copied for each
            // platform.
            let is_one_source = one.document.path == other.document.path && !step.family.is_within_pages;
            if one.siblings[other.place.platform] != Some(other.id) || is_one_source {
                continue;
            }
            comparisons.insert((a, b), compare(&outlines[a], &outlines[b]));
        }
    }
    if step.family.is_by_key {
        let common = Common::of(&outlines);
        let related = own::related(&outlines, &comparisons);
        comparisons.retain(|pair, _| related.contains(pair));
        for ((a, b), comparison) in &mut comparisons {
            own::forget_filled_gaps(comparison, &outlines[*a], &outlines[*b], &common);
        }
    }
    let mut accepted = Accepted { step, today: scope.today, used: SortedSet::new() };
    // Such a page decides for which platforms it is.
    let mut absences = if step.family.is_within_pages { Vec::new() } else { accepted.absences() };
    let others = step.with_other_pages(work);
    absences.retain(|it| !others.contains(&it.platform));
    let mut found =
        Findings { step, outlines: &outlines, comparisons: &comparisons, accepted: &mut accepted }.all();
    found.extend(accepted.idle());
    (found, absences)
}

/// Returns the parts of a version, with links in a form that is the same for every platform.
pub fn outline<'a>(work: &'a Work, version: &Version<'a>) -> Outline<'a> {
    let document = version.document;
    let title = (document.title.as_str(), document.top());
    let place = version.place;
    let target = move |target: &str| neutral_target(work, document, place, target);
    Outline::new(&work.pages[version.id], title, work.project.families.names(version.place), target)
}

/// Returns a link's target in a form that is the same for every platform: without the platform's folder and section
/// numbers.
fn neutral_target(work: &Work, from: &Document, place: Place, target: &str) -> Option<String> {
    let fragment = |fragment: Option<&str>| {
        let bare = fragment.map(|it| it.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-'));
        bare.map_or(String::new(), |bare| format!("#{bare}"))
    };
    let site = &work.project.site;
    let root = format!("/{}/", site.platform_of(place).root);
    // A step of the same platform is equal on all platforms, whatever its address is.
    let step_at = |address: &Address| {
        let family = site.family_of(place);
        let id = work.project.plan.get(address).filter(|_| family.is_by_key)?.document()?;
        let there = site.place(id).filter(|it| (it.family, it.platform) == (place.family, place.platform))?;
        Some(format!("{}/", step_slug(site, family, there)))
    };
    let path = |path: &str| path.strip_prefix(&root).unwrap_or(path).to_string();
    match work.project.resolver().resolve(from, target) {
        Destination::Empty => None,
        Destination::External => Some(target.to_string()),
        Destination::Here(here) => {
            let neutral = step_at(here.address).unwrap_or_else(|| path(here.address.as_str()));
            Some(neutral + &fragment(here.fragment))
        }
        Destination::Missing { path: missing, .. } => {
            Some(path(&missing) + &fragment(target.split_once('#').map(|(_, fragment)| fragment)))
        }
    }
}

/// The differences that authors accept, and which acceptances are used.
struct Accepted<'a> {
    step: &'a Step<'a>,
    today: Date,
    used: SortedSet<Used>,
}

/// An acceptance in the front matter of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Used {
    version: VersionIx,
    acceptance: usize,
    entry: usize,
}

impl Accepted<'_> {
    /// Whether a version accepts a difference in the item with this name.
    fn covers(&mut self, version: VersionIx, code: Code, name: &str) -> bool {
        let mut covered = false;
        let acceptances = &self.step.versions[version].document.front.drift;
        for (acceptance, it) in acceptances.iter().enumerate() {
            for (entry, accepted) in it.accepted.iter().enumerate() {
                let fits =
                    accepted.code == code && accepted.name.as_ref().is_none_or(|it| is_named(name, it));
                if fits && it.until.is_none_or(|until| until >= self.today) {
                    self.used.insert(Used { version, acceptance, entry });
                    covered = true;
                }
            }
        }
        covered
    }

    /// Returns the platforms that lack the step, unless those with the step accept that.
    fn absences(&mut self) -> Vec<MissingStep> {
        let step = self.step;
        let mut without: SortedMap<PlatformIx, Vec<VersionIx>> = SortedMap::new();
        for (version, it) in step.versions.indexed() {
            for platform in it.siblings.indices().filter(|&platform| it.siblings[platform].is_none()) {
                let is_code = step.family.is_by_key && names::is_code(&it.document.title);
                if is_code || step.names_another(it, platform) {
                    continue;
                }
                if !self.covers(version, Code::MissingStep, &it.document.title) {
                    without.entry(platform).or_default().push(version);
                }
            }
        }
        let absence = |(platform, with): (PlatformIx, Vec<VersionIx>)| {
            let title = &step.versions[with[0]].document.title;
            let ended = self.ended(&with, Code::MissingStep, title);
            let ended = ended.map_or(String::new(), |until| format!("; it was allowed until {until}"));
            MissingStep { platform, with, ended }
        };
        without.into_iter().map(absence).collect()
    }

    /// Returns the date until which one of these versions accepted such a difference.
    fn ended(&self, versions: &[VersionIx], code: Code, name: &str) -> Option<Date> {
        let acceptances =
            versions.iter().flat_map(|&version| &self.step.versions[version].document.front.drift);
        let fits = acceptances.filter(|acceptance| {
            acceptance
                .accepted
                .iter()
                .any(|it| it.code == code && it.name.as_ref().is_none_or(|wanted| is_named(name, wanted)))
        });
        fits.filter_map(|acceptance| acceptance.until.filter(|until| *until < self.today)).max()
    }

    /// Reports unused acceptances.
    fn idle(&self) -> Vec<Diagnostic> {
        let mut idle = Vec::new();
        for (version, it) in self.step.versions.indexed() {
            for (at, acceptance) in it.document.front.drift.iter().enumerate() {
                let is_over = acceptance.until.is_some_and(|until| until < self.today);
                for (entry, accepted) in acceptance.accepted.iter().enumerate() {
                    if is_over || self.used.contains(&Used { version, acceptance: at, entry }) {
                        continue;
                    }
                    let about =
                        accepted.name.as_ref().map_or(String::new(), |name| format!(" about `{name}`"));
                    let message = format!("there is no `{}`{about} to allow here", accepted.code);
                    let help = "remove it from `drift`";
                    let problem = Problem::new(Code::UnusedSuppression, acceptance.span.clone(), message)
                        .data("family", self.step.family.id.as_str())
                        .data("rank", rank(RankKind::Idle));
                    idle.push(problem.help(help.to_string()).at(&it.document.path));
                }
            }
        }
        idle
    }
}

/// Settings and headings are matched by name, and texts by a part of them.
fn is_named(name: &str, wanted: &str) -> bool {
    name.to_lowercase().contains(&wanted.to_lowercase())
}
