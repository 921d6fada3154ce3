//! Merges findings about content that the same platforms lack, in families that were found by names.
//!
//! The sections that platforms lack on a page are one finding, and so are the texts. The content that few platforms
//! have is one finding for a family.

use std::sync::Arc;

use serde_json::{Value, json};

use super::findings::{MOST_PLACES, PRESENT, several, verb};
use super::rank::{RankKind, rank};
use base::diagnostic::{Code, Diagnostic, Problem, RelatedSpan, count, list, texts_in};
use base::quoted::quoted;
use base::site_path::SitePath;
use base::sorted::{SortedMap, SortedSet};
use site::content::Family;

/// Content that few platforms have comes after all differences of a family.
const LAST: u32 = rank(RankKind::Doubtful) + 500;

/// Maximum number of things that few platforms have and that authors may compare.
const FEW: usize = 6;

/// The data of a finding about content that few platforms have: for each platform, the number of steps and the titles of sections that
/// it alone has.
pub(super) const OWN: &str = "own";

/// Whether a finding is about content that few platforms have, which is rather information than a difference.
pub fn is_about_own_content(finding: &Diagnostic) -> bool {
    finding.problem.data.contains_key(OWN)
}

/// Findings that are merged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    /// Content that the same platforms lack on a page, and whether it may be elsewhere on it.
    Page(String, bool),
    /// Content that few platforms have.
    Own,
}

/// Merges findings, in the order of the first of each group. `is_elsewhere` returns whether the page may have the content elsewhere.
pub(super) fn join(
    family: &Family,
    found: Vec<Diagnostic>,
    is_elsewhere: impl Fn(&Diagnostic) -> bool,
) -> Vec<Diagnostic> {
    let groups: Vec<Option<Group>> = found.iter().map(|it| group(family, it, &is_elsewhere)).collect();
    let mut at: SortedMap<Group, usize> = SortedMap::new();
    let mut together: Vec<(Option<Group>, Vec<Diagnostic>)> = Vec::new();
    for (finding, group) in found.into_iter().zip(groups) {
        let known = group.clone().map(|group| *at.entry(group).or_insert(together.len()));
        match known.and_then(|known| together.get_mut(known)) {
            Some((_, others)) => others.push(finding),
            None => together.push((group, vec![finding])),
        }
    }
    let as_one = |(group, found): (Option<Group>, Vec<Diagnostic>)| match group {
        Some(Group::Own) => own(family, &found),
        _ => of_a_page(family, found),
    };
    without_stubs(together.into_iter().filter_map(as_one).collect())
}

/// Drops the findings about texts that a page lacks where it also lacks several sections: nothing is written there.
fn without_stubs(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    /// Minimum number of sections.
    const SEVERAL: usize = 3;
    let stubs: SortedSet<(SitePath, usize)> = found
        .iter()
        .filter(|it| {
            it.problem.code == Code::MissingSection && texts_in(it.problem.data.get("texts")).len() >= SEVERAL
        })
        .map(|it| (it.file.clone(), it.problem.span.start))
        .collect();
    let is_of_stub = |it: &Diagnostic| {
        it.problem.code == Code::Wording
            && it.problem.data.contains_key("platforms_without")
            && stubs.contains(&(it.file.clone(), it.problem.span.start))
    };
    found.into_iter().filter(|it| !is_of_stub(it)).collect()
}

fn group(
    family: &Family,
    finding: &Diagnostic,
    is_elsewhere: &impl Fn(&Diagnostic) -> bool,
) -> Option<Group> {
    let problem = &finding.problem;
    let is_of_two = family.platforms.len() == 2;
    let ids = |name: &str| texts_in(problem.data.get(name));
    let (with, without) = (ids("platforms_with").len(), ids("platforms_without").len());
    match problem.code {
        Code::MissingStep if is_of_two && has_own_steps(problem) => Some(Group::Own),
        Code::MissingSetting | Code::MissingStep if is_of_two => None,
        // Half of the platforms warn their readers, or have a section.
        Code::MissingNote if with == without && with > 1 => None,
        Code::MissingSection if with == without && with > 1 && with + without == versions_of(problem) => None,
        _ if is_of_few(problem) => Some(Group::Own),
        Code::MissingSection | Code::Wording if without > 0 => {
            let step = problem.data.get("step");
            let place = format!("{step:?} {:?} {:?}", problem.code, ids("platforms_without"));
            Some(Group::Page(place, is_elsewhere(finding)))
        }
        _ => None,
    }
}

/// Whether at most as many platforms contain something as lack it, or fewer than half of those with the step.
fn is_of_few(problem: &Problem) -> bool {
    let is_content = matches!(
        problem.code,
        Code::Wording
            | Code::MissingNote
            | Code::MissingSection
            | Code::MissingCode
            | Code::MissingSetting
            | Code::MissingStep
    );
    let of = |name: &str| texts_in(problem.data.get(name)).len();
    let (with, without) = (of("platforms_with"), of("platforms_without"));
    is_content && without > 0 && (with <= without || 2 * with < versions_of(problem))
}

/// Whether one of two platforms has several steps that the other lacks, and fewer than four times as many that both have.
fn has_own_steps(problem: &Problem) -> bool {
    const SEVERAL: usize = 3;
    let own = texts_in(problem.data.get("steps")).len();
    let has = problem.data.get("has").and_then(Value::as_u64).and_then(|it| usize::try_from(it).ok());
    own >= SEVERAL && has.is_some_and(|has| has < 4 * own)
}

/// Number of versions of the step.
fn versions_of(problem: &Problem) -> usize {
    let versions = problem.data.get("versions").and_then(Value::as_u64).unwrap_or_default();
    usize::try_from(versions).unwrap_or_default()
}

/// Returns the names of platforms, in the order of the family.
fn names<'f>(family: &'f Family, ids: &SortedSet<&str>) -> Vec<&'f str> {
    let known = family.platforms.iter().filter(|platform| ids.contains(platform.id.as_str()));
    known.map(|platform| platform.name.as_str()).collect()
}

/// Returns the platforms of several findings.
fn all<'f>(found: &'f [Diagnostic], name: &str) -> SortedSet<&'f str> {
    found.iter().flat_map(|it| texts_in(it.problem.data.get(name))).collect()
}

/// Returns the text of each finding, once. A code sample has none: its target is the title around it.
fn texts(found: &[Diagnostic]) -> Vec<&str> {
    let mut seen: SortedSet<&str> = SortedSet::new();
    let has_text = |it: &&Diagnostic| it.problem.code != Code::MissingCode;
    let has_texts = found.iter().any(|it| has_text(&it));
    let found = found.iter().filter(|it| !has_texts || has_text(it));
    found.filter_map(|it| it.problem.target.as_deref()).filter(|text| seen.insert(text)).collect()
}

/// Merges content that platforms lack on a page.
fn of_a_page(family: &Family, mut found: Vec<Diagnostic>) -> Option<Diagnostic> {
    if found.len() == 1 {
        return found.pop();
    }
    let (with, without) = (all(&found, "platforms_with"), all(&found, "platforms_without"));
    let (have, lack) = (names(family, &with), names(family, &without));
    let texts = texts(&found);
    let first = first_of(&found)?;
    let code = first.problem.code;
    let message = if code == Code::MissingSection {
        let (lacks, sections) = (verb(lack.len(), "lack"), several("section", &texts));
        format!("{} {lacks} {sections}, which {} {}", list(&lack), list(&have), verb(have.len(), "have"))
    } else {
        let (lacks, number) = (verb(lack.len(), "lack"), count(found.len(), "text"));
        let have = format!("{} {}", list(&have), verb(have.len(), "have"));
        format!("{} {lacks} {number} that {have}, such as {}", list(&lack), examples(&texts))
    };
    let mut problem = merged(first, message, texts);
    problem.data.insert("platforms_with".into(), with.into_iter().collect::<Vec<_>>().into());
    problem.data.insert("platforms_without".into(), without.into_iter().collect::<Vec<_>>().into());
    // Of each, the first location of the content.
    let with = |it: &&RelatedSpan| it.label == PRESENT;
    let content = |it: &Diagnostic| match it.problem.related.iter().find(with) {
        Some(place) => place.clone(),
        None => RelatedSpan { file: it.file.clone(), span: it.problem.span.clone(), label: String::new() },
    };
    let own =
        RelatedSpan { file: first.file.clone(), span: first.problem.span.clone(), label: String::new() };
    let mut places: Vec<RelatedSpan> = Vec::new();
    for place in found.iter().map(content) {
        let is_known = |it: &RelatedSpan| it.file == place.file && it.span == place.span;
        if !is_known(&own) && !places.iter().any(is_known) {
            places.push(RelatedSpan { label: PRESENT.to_string(), ..place });
        }
    }
    places.truncate(MOST_PLACES);
    problem.related = places;
    Some(problem.at(&first.file))
}

/// Merges the content that few platforms of a family have.
fn own(family: &Family, found: &[Diagnostic]) -> Option<Diagnostic> {
    let first = first_of(found)?;
    let with = all(found, "platforms_with");
    let texts = texts(found);
    let of_platform = |id: &str| -> Vec<Diagnostic> {
        found
            .iter()
            .filter(|it| texts_in(it.problem.data.get("platforms_with")).contains(&id))
            .cloned()
            .collect()
    };
    let mut counts = serde_json::Map::new();
    let mut platforms: Vec<String> = Vec::new();
    for platform in family.platforms.iter().filter(|platform| with.contains(platform.id.as_str())) {
        let of_it = of_platform(&platform.id);
        platforms.push(format!("{} ({})", platform.name, list(&counted(&of_it))));
        let is_alone = |it: &&Diagnostic| texts_in(it.problem.data.get("platforms_with")).len() == 1;
        let alone: Vec<Diagnostic> = of_it.iter().filter(is_alone).cloned().collect();
        let is_section = |it: &&Diagnostic| it.problem.code == Code::MissingSection;
        let titles = alone.iter().filter(is_section).filter_map(|it| it.problem.target.as_deref());
        let titles: Vec<&str> = titles.collect();
        let own = json!({ "steps": number(&alone, Code::MissingStep), "sections": titles });
        counts.insert(platform.id.clone(), own);
    }
    let message = match &platforms[..] {
        [only] => format!("content that only one platform has: {only}, such as {}", examples(&texts)),
        several => {
            format!("content that only a few platforms have: {}, such as {}", list(several), examples(&texts))
        }
    };
    let mut problem = merged(first, message, texts);
    problem.data.insert("platforms_with".into(), with.into_iter().collect::<Vec<_>>().into());
    problem.data.remove("platforms_without");
    problem.data.remove("step");
    problem.data.insert("rank".into(), LAST.into());
    problem.data.insert(OWN.into(), counts.into());
    // A long list is only information: it is too much to review.
    if found.len() > FEW {
        problem = problem.as_advice();
    }
    let pages: SortedSet<&SitePath> = found.iter().map(|it| &it.file).collect();
    let others = pages.into_iter().filter(|page| **page != first.file).take(MOST_PLACES);
    problem.related = others
        .map(|page| RelatedSpan { file: page.clone(), span: 0..0, label: "and here".to_string() })
        .collect();
    Some(problem.at(&first.file))
}

/// Returns the most important finding: a section is more important than a sentence of another.
fn first_of(found: &[Diagnostic]) -> Option<&Diagnostic> {
    let order = [
        Code::MissingSection,
        Code::MissingNote,
        Code::MissingSetting,
        Code::MissingCode,
        Code::Wording,
        Code::MissingStep,
    ];
    found.iter().min_by_key(|it| order.iter().position(|code| *code == it.problem.code))
}

/// Returns the number of things of a kind that findings are about.
fn number(found: &[Diagnostic], code: Code) -> usize {
    let things = |it: &Diagnostic| match code {
        Code::MissingStep => texts_in(it.problem.data.get("steps")).len(),
        Code::MissingSetting => texts_in(it.problem.data.get("settings")).len(),
        _ => 1,
    };
    found.iter().filter(|it| it.problem.code == code).map(things).sum()
}

/// Returns how many things there are of each kind.
fn counted(found: &[Diagnostic]) -> Vec<String> {
    let kinds = [
        (Code::MissingStep, "step"),
        (Code::MissingSection, "section"),
        (Code::MissingNote, "note"),
        (Code::MissingSetting, "setting"),
        (Code::MissingCode, "code sample"),
        (Code::Wording, "text"),
    ];
    let counts = kinds.map(|(code, noun)| (number(found, code), noun));
    counts.into_iter().filter(|(number, _)| *number > 0).map(|(number, noun)| count(number, noun)).collect()
}

fn examples(texts: &[&str]) -> String {
    let mut shown: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    // Long texts may begin in the same way.
    shown.dedup();
    shown.truncate(2);
    list(&shown)
}

/// Returns the problem of the first of several findings, with another message and the texts of all.
fn merged(first: &Diagnostic, message: String, texts: Vec<&str>) -> Problem {
    let mut problem = Arc::unwrap_or_clone(Arc::clone(&first.problem));
    problem.message = message;
    for of_one in ["values", "changes", "similarity", "heading", "settings", "steps", "has"] {
        problem.data.remove(of_one);
    }
    problem.data.insert("texts".into(), texts.into());
    problem
}
