//! Creates the findings: one for each cause, on the page of the version that deviates.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use serde_json::{Value, json};

use super::gather::{Incomplete, ItemGroup, Lacking, groups};
use super::rank::{RankKind, rank, rank_of};
use super::{Accepted, Step};
use base::diagnostic::{Code, Diagnostic, Problem, count, list};
use base::index::IndexVec;
use base::quoted::{in_quotes, quoted};
use base::sort::StableSort as _;
use base::sorted::SortedMap;
use site::content::PlatformIx;
use site::family::VersionIx;
use site::family::compare::{Comparison, Pairing};
use site::family::outline::{Outline, SectionIx, TableIx};
use site::family::words::{Change, WordList};

/// The differences between the versions of one step.
pub(super) struct Findings<'a, 'b> {
    pub(super) step: &'a Step<'a>,
    pub(super) outlines: &'a IndexVec<VersionIx, Outline<'a>>,
    pub(super) comparisons: &'a SortedMap<(VersionIx, VersionIx), Comparison>,
    pub(super) accepted: &'b mut Accepted<'a>,
}

/// A location on the page of a version.
pub(super) type Spot = (VersionIx, Range<usize>);

impl Findings<'_, '_> {
    /// Creates one finding for differing texts, and for all that differ in the same way.
    pub(super) fn texts<'w, I: Copy>(
        &self,
        code: Code,
        alike: &[Variants<I>],
        what: &str,
        words: impl Fn(&(VersionIx, I)) -> &'w WordList,
        spot: impl Fn(&(VersionIx, I)) -> Spot,
    ) -> Diagnostic {
        let classes = &alike[0];
        let (first, last) = (classes[0][0], classes[classes.len() - 1][0]);
        let said: Vec<Wordings> = alike
            .iter()
            .map(|classes| {
                classes.iter().map(|class| (words(&class[0]).shown.clone(), versions(class))).collect()
            })
            .collect();
        let all: Vec<VersionIx> = said[0].iter().flat_map(|value| value.1.clone()).collect();
        let shown = &words(&last).shown;
        let message = match alike.len() {
            1 => self.who_differs("word", what, &said[0]),
            more => format!(
                "{}, and {} in the same way",
                self.who_differs("word", what, &said[0]),
                count(more - 1, "other text")
            ),
        };
        let problem = self.problem(code, spot(&last), message, shown);
        let problem = changed(self.with_values(problem, &said), words(&first), words(&last));
        let problem =
            problem.data("rank", rank_of(RankKind::Text, words(&first), words(&last))).help(format!(
                "align the text, or allow the difference with `drift:` in the front matter{}",
                self.ended(&all, code, shown)
            ));
        let others =
            classes.iter().rev().skip(1).map(|class| (spot(&class[0]), "compare with this".to_string()));
        let more =
            alike[1..].iter().map(|classes| (spot(&classes[classes.len() - 1][0]), "and here".to_string()));
        let places: Vec<_> = others.chain(more.take(MOST_PLACES)).collect();
        self.relate(problem, places.into_iter()).at(&self.step.versions[last.0].document.path)
    }

    /// Groups variants of the same platforms with the same differing words, in the order of the first of each group.
    pub(super) fn alike<'w, I: Copy + Ord>(
        variants: impl Iterator<Item = Variants<I>>,
        words: impl Fn(&(VersionIx, I)) -> Option<&'w WordList>,
    ) -> Vec<Vec<Variants<I>>> {
        let mut at: HashMap<Way, usize> = HashMap::new();
        let mut alike: Vec<Vec<Variants<I>>> = Vec::new();
        for classes in variants {
            let classes = ranked(classes, &words);
            let index = *at.entry(way(&classes, &words)).or_insert(alike.len());
            match alike.get_mut(index) {
                Some(known) => known.push(classes),
                None => alike.push(vec![classes]),
            }
        }
        alike
    }

    /// Returns the facts of one kind, without accepted ones.
    pub(super) fn groups<I: Copy + Ord>(
        &mut self,
        code: Code,
        pairing: impl Fn(&Comparison) -> &Pairing<I>,
        name: impl Fn(VersionIx, I) -> String,
    ) -> Vec<ItemGroup<I>> {
        let mut about = String::new();
        let incomplete = if self.step.family.is_by_key { Incomplete::Together } else { Incomplete::InPairs };
        groups(self.comparisons, pairing, incomplete, |version, item| {
            // The version that lacks the item may accept the other version's item.
            if let Some(item) = item {
                about = name(version, item);
            }
            self.accepted.covers(version, code, &about)
        })
    }

    /// Creates a finding about an item that `it.without` lack, with the version that contains it.
    pub(super) fn lacking<I: Copy>(
        &self,
        code: Code,
        it: &Lacking<I>,
        what: &str,
        name: &str,
        spot: impl Fn(&(VersionIx, I)) -> Spot,
        counterparts: Vec<Spot>,
    ) -> (VersionIx, Problem) {
        let (with, without) = (versions(&it.with), &it.without);
        let (have, lack) = (self.names(&with), self.names(without));
        let is_majority = with.len() > without.len();
        let message = if code == Code::Wording && !is_majority {
            format!("only {have} {} {what}: {lack} {}n't", verb(with.len(), "say"), verb(without.len(), "do"))
        } else if is_majority {
            format!(
                "{lack} {} {what}, which {have} {}",
                verb(without.len(), "lack"),
                verb(with.len(), "have")
            )
        } else {
            format!(
                "only {have} {} {what}: {lack} {}n't",
                verb(with.len(), "have"),
                verb(without.len(), "do")
            )
        };
        let present = spot(&it.with[0]);
        let missing: Vec<Spot> = counterparts.into_iter().filter(|spot| without.contains(&spot.0)).collect();
        let (primary, others) = if is_majority && !missing.is_empty() {
            let have = it.with.iter().map(|item| (spot(item), PRESENT.to_string()));
            (
                missing[0].clone(),
                missing[1..]
                    .iter()
                    .map(|spot| (spot.clone(), ABSENT.to_string()))
                    .chain(have)
                    .collect::<Vec<_>>(),
            )
        } else {
            let more = it.with[1..].iter().map(|item| (spot(item), "also here".to_string()));
            (present, more.chain(missing.iter().map(|spot| (spot.clone(), ABSENT.to_string()))).collect())
        };
        let mut all = with.clone();
        all.extend(without);
        let problem = self
            .problem(code, primary.clone(), message, name)
            .data("rank", rank(kind_of(code)))
            .data("platforms_with", self.ids(&with))
            .data("platforms_without", self.ids(without))
            .data("versions", self.step.versions.len())
            .help(format!(
                "add it, or allow the difference with `drift:` in the front matter{}",
                self.ended(&all, code, name)
            ));
        (primary.0, self.relate(problem, others.into_iter()))
    }

    /// For every other version, returns the last section before `section` that it also contains.
    pub(super) fn before(&self, version: VersionIx, section: SectionIx) -> Vec<Spot> {
        let others = self.outlines.indices().filter(|&other| other != version);
        let spot = |other: VersionIx| {
            let pairs = self.comparison(version, other, |it| {
                it.sections.same.iter().chain(&it.sections.differing).copied().collect()
            });
            let before = pairs.into_iter().filter(|pair| pair.0 < section).max();
            (other, self.outlines[other].sections[before.map_or(SectionIx::TOP, |pair| pair.1)].span.clone())
        };
        others.map(spot).collect()
    }

    /// Returns the pairs of a comparison with the side of `one` first.
    pub(super) fn comparison<I>(
        &self,
        one: VersionIx,
        other: VersionIx,
        pairs: impl Fn(&Comparison) -> Vec<(I, I)>,
    ) -> Vec<(I, I)> {
        match (self.comparisons.get(&(one, other)), self.comparisons.get(&(other, one))) {
            (Some(comparison), _) => pairs(comparison),
            (None, Some(comparison)) => pairs(comparison).into_iter().map(|(a, b)| (b, a)).collect(),
            (None, None) => Vec::new(),
        }
    }

    pub(super) fn who_writes(&self, values: &[(String, Vec<VersionIx>)]) -> String {
        let says = |(value, versions): &(String, Vec<VersionIx>), verb: &str| {
            let value = if value.is_empty() { "nothing".to_string() } else { quoted(value) };
            format!("{} {verb} {value}", self.names(versions))
        };
        let last = values.last().expect("values are two or more");
        let others: Vec<String> = values[..values.len() - 1]
            .iter()
            .map(|value| says(value, verb(value.1.len(), "write")))
            .collect();
        format!("{} where {}", says(last, verb(last.1.len(), "write")), list(&others))
    }

    /// Describes which platforms' `what` differs from the others. The verb is in the plural.
    pub(super) fn who_differs(
        &self,
        verb_of_several: &'static str,
        what: &str,
        values: &[(String, Vec<VersionIx>)],
    ) -> String {
        let last = values.last().expect("values are two or more");
        let others: Vec<VersionIx> =
            values[..values.len() - 1].iter().flat_map(|value| value.1.clone()).collect();
        let says = verb(last.1.len(), verb_of_several);
        if values.len() == 2 {
            format!("{} {says} {what} differently from {}", self.names(&last.1), self.names(&others))
        } else {
            let all: Vec<VersionIx> = last.1.iter().chain(&others).copied().collect();
            format!("{} {verb_of_several} {what} in different ways", self.names(&all))
        }
    }

    /// Adds the texts with their platforms: those at the first location as `values`, those at all others as `more`.
    pub(super) fn with_values(&self, problem: Problem, places: &[Wordings]) -> Problem {
        let values = |said: &Wordings| -> Vec<Value> {
            said.iter()
                .map(|(value, versions)| json!({ "value": value, "platforms": self.ids(versions) }))
                .collect()
        };
        let problem = problem.data("values", values(&places[0]));
        match &places[1..] {
            [] => problem,
            more => problem.data("more", more.iter().map(|said| values(said).into()).collect::<Vec<Value>>()),
        }
    }

    pub(super) fn problem(&self, code: Code, spot: Spot, message: String, name: &str) -> Problem {
        Problem::new(code, self.tight(spot), message)
            .target(name)
            .data("family", self.step.family.id.as_str())
            .data("step", self.step.name())
    }

    pub(super) fn at(&self, version: VersionIx, problem: Problem) -> Diagnostic {
        problem.at(&self.step.versions[version].document.path)
    }

    pub(super) fn relate(&self, problem: Problem, spots: impl Iterator<Item = (Spot, String)>) -> Problem {
        spots.fold(problem, |problem, (spot, label)| {
            let path = &self.step.versions[spot.0].document.path;
            problem.related(path, self.tight(spot), label)
        })
    }

    /// Removes the line end after a location.
    pub(super) fn tight(&self, (version, span): Spot) -> Range<usize> {
        let text = self.text(version);
        let text = text.get(span.clone()).unwrap_or_default();
        span.start..span.start + text.trim_end().len()
    }

    /// Returns the additional text for an acceptance that has ended.
    pub(super) fn ended(&self, versions: &[VersionIx], code: Code, name: &str) -> String {
        self.accepted
            .ended(versions, code, name)
            .map_or(String::new(), |until| format!("; it was allowed until {until}"))
    }

    pub(super) fn names(&self, versions: &[VersionIx]) -> String {
        let names: Vec<&str> =
            self.platforms(versions).into_iter().map(|platform| platform.name.as_str()).collect();
        list(&names)
    }

    pub(super) fn ids(&self, versions: &[VersionIx]) -> Vec<&str> {
        self.platforms(versions).into_iter().map(|platform| platform.id.as_str()).collect()
    }

    pub(super) fn platforms(&self, versions: &[VersionIx]) -> Vec<&site::content::Platform> {
        let mut places: Vec<PlatformIx> =
            versions.iter().map(|&version| self.step.versions[version].place.platform).collect();
        places.sort_unstable();
        places.dedup();
        places.into_iter().map(|platform| &self.step.family.platforms[platform]).collect()
    }

    pub(super) fn heading(&self, version: VersionIx, section: SectionIx) -> Value {
        match section {
            SectionIx::TOP => Value::Null,
            _ => self.outlines[version].sections[section].title.shown.as_ref().into(),
        }
    }

    pub(super) fn text(&self, version: VersionIx) -> Cow<'_, str> {
        self.step.versions[version].document.text()
    }
}

/// Tables with settings, and the versions that lack these.
pub(super) type TableLack = (Vec<(VersionIx, TableIx)>, Vec<VersionIx>);

/// Each text, with the versions that contain it.
pub(super) type Wordings = Vec<(String, Vec<VersionIx>)>;

/// Matching items, with one list for each variant of equal ones.
pub(super) type Variants<I> = Vec<Vec<(VersionIx, I)>>;

/// Returns the texts of the items, each with its versions.
pub(super) fn said<'w, I>(
    items: &'w [(VersionIx, I)],
    words: impl Fn(&'w (VersionIx, I)) -> &'w WordList,
) -> Wordings {
    let mut said: Wordings = Vec::new();
    for item in items {
        let text = &words(item).shown;
        match said.iter_mut().find(|(known, _)| known == text) {
            Some((_, versions)) => versions.push(item.0),
            None => said.push((text.clone(), vec![item.0])),
        }
    }
    said
}

/// Sorts variants so that the most common one comes first. Ties are sorted by text, independent of the platform, with
/// the empty text last. Equal texts are one variant, also if they weren't compared with each other.
pub(super) fn ranked<'w, I: Copy + Ord>(
    variants: Variants<I>,
    words: impl Fn(&(VersionIx, I)) -> Option<&'w WordList>,
) -> Variants<I> {
    let mut classes: Variants<I> = Vec::with_capacity(variants.len());
    for class in variants {
        let text = words(&class[0]).map(WordList::key);
        match classes.iter_mut().find(|known| text.is_some() && words(&known[0]).map(WordList::key) == text) {
            Some(known) => known.extend(class),
            None => classes.push(class),
        }
    }
    classes.stable_sort_by_key(|class| {
        let text = words(&class[0]).map(|words| words.shown.clone()).unwrap_or_default();
        (std::cmp::Reverse(class.len()), text.is_empty(), text)
    });
    classes
}

pub(super) fn versions<I>(items: &[(VersionIx, I)]) -> Vec<VersionIx> {
    items.iter().map(|item| item.0).collect()
}

/// Which versions differ, and in which words. Differences with the same value are one finding.
pub(super) type Way = (Vec<Vec<VersionIx>>, Vec<(Change, String)>);

/// Returns the way in which classes differ. If there are three or more, each counts with its complete text.
pub(super) fn way<'w, I: Copy>(
    classes: &[Vec<(VersionIx, I)>],
    words: impl Fn(&(VersionIx, I)) -> Option<&'w WordList>,
) -> Way {
    let of = |class: &Vec<(VersionIx, I)>| words(&class[0]).cloned().unwrap_or_default();
    let changes = match classes {
        [one, other] => changes_alone(&of(one), &of(other)),
        more => more.iter().map(|class| (Change::Added, of(class).shown)).collect(),
    };
    (classes.iter().map(|class| versions(class)).collect(), changes)
}

/// Returns the changed pieces of a text without the unchanged ones.
pub(super) fn changes_alone(from: &WordList, to: &WordList) -> Vec<(Change, String)> {
    let changed = from.changes(to).into_iter().filter(|(change, _)| *change != Change::Kept);
    changed.map(|(change, text)| (change, text.trim().to_lowercase())).collect()
}

/// Returns the kind of item that a finding of this rule reports as missing.
fn kind_of(code: Code) -> RankKind {
    match code {
        Code::MissingSetting => RankKind::Setting,
        Code::SettingValue => RankKind::Value,
        Code::MissingNote => RankKind::Note,
        Code::MissingCode => RankKind::Sample,
        Code::MissingSection => RankKind::Section,
        _ => RankKind::Passage,
    }
}

/// Adds the changes from one text to another.
pub(super) fn changed(problem: Problem, from: &WordList, to: &WordList) -> Problem {
    problem.data("similarity", rounded(from.similarity(to))).data("changes", changes(&from.changes(to)))
}

pub(super) fn changes(changes: &[(Change, String)]) -> Vec<Value> {
    let change = |(change, text): &(Change, String)| match change {
        Change::Kept => json!({ "kept": text }),
        Change::Removed => json!({ "removed": text }),
        Change::Added => json!({ "added": text }),
    };
    changes.iter().map(change).collect()
}

pub(super) fn rounded(similarity: f64) -> f64 {
    (similarity * 100.0).round() / 100.0
}

pub(super) fn verb(subjects: usize, plural: &'static str) -> &'static str {
    match (subjects, plural) {
        (1, "have") => "has",
        (1, "lack") => "lacks",
        (1, "write") => "writes",
        (1, "do") => "does",
        (1, "say") => "says",
        (1, "word") => "words",
        (1, "describe") => "describes",
        (1, "contain") => "contains",
        _ => plural,
    }
}

/// Label of a place with content that others lack.
pub(super) const PRESENT: &str = "present here";

/// Label of a place where content is missing.
pub(super) const ABSENT: &str = "missing here";

/// Maximum number of further locations of one cause that a finding shows. Its data contains all.
pub(super) const MOST_PLACES: usize = 10;

/// Returns the name of a single item. For several, returns the first ones by name and the number of others.
pub(super) fn several(noun: &str, names: &[&str]) -> String {
    /// Maximum number of names, so that the message stays readable.
    const MOST: usize = 3;
    match names {
        [name] => format!("the {noun} {}", in_quotes(name)),
        names => {
            let mut listed: Vec<String> = names.iter().take(MOST).map(|name| quoted(name)).collect();
            listed.extend((names.len() > MOST).then(|| format!("{} more", names.len() - MOST)));
            format!("the {noun}s {}", list(&listed))
        }
    }
}

/// Returns the first line of a long location, such as a table's header.
pub(super) fn first_line(span: &Range<usize>, text: &str) -> Range<usize> {
    let line = text.get(span.clone()).and_then(|text| text.lines().next()).unwrap_or_default();
    span.start..span.start + line.trim_end().len()
}
