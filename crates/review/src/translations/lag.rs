//! Finds the changes of an original since it was translated.

use std::ops::Range;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use similar::DiffOp;

use super::code::is_same_but_comments;
use base::diff;
use base::hash::HashMap;
use base::sorted::SortedSet;
use site::lags::{OutdatedSection, OutdatedState, PageLag};
use site::languages::{Sketch, SketchIx, SketchPair, SketchSection, Token, by_structure, by_words};

/// The commit of the original from which a translation was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LagBase {
    /// Empty if only the sections are known.
    pub commit: String,
    /// The committer's date, or `None` for a commit outside the current history.
    pub day: Option<Date>,
    pub by: BaseSource,
}

/// The source of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BaseSource {
    /// The pin in the front matter.
    Pin,
    /// The last commit that changed words or code of the translation.
    History,
    /// The revision that the user specified.
    Since,
    /// `translations.lock` has its sections.
    Lock,
}

impl BaseSource {
    pub fn name(self) -> &'static str {
        match self {
            Self::Pin => "pin",
            Self::History => "history",
            Self::Since => "since",
            Self::Lock => "lock",
        }
    }
}

/// Changes of an original that its translation lacks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lag {
    pub base: LagBase,
    /// In the order of the original. Empty if the translation is up to date.
    pub sections: Vec<LaggingSection>,
    /// Days since the first of these changes, or 0 if none is committed.
    pub days: u32,
}

impl Lag {
    /// Returns the lag as a notice for readers shows it.
    pub fn for_readers(&self) -> PageLag {
        let section = |it: &LaggingSection| OutdatedSection {
            here: it.id.clone(),
            there: it.original_id.clone(),
            title: it.original_heading.clone(),
            state: match it.change {
                ChangeKind::Removed => OutdatedState::Removed,
                _ if !it.is_translated => OutdatedState::New,
                _ => OutdatedState::Changed,
            },
        };
        let days = self.sections.iter().flat_map(|section| &section.commits).map(|commit| commit.day);
        PageLag { since: days.min(), sections: self.sections.iter().map(section).collect() }
    }
}

/// A changed section of the original.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaggingSection {
    /// ID in the translation, or of the section after which it is missing. Empty before the first heading.
    pub id: String,
    /// ID in the original, or empty if the original no longer has it.
    pub original_id: String,
    /// Whether the translation has the section.
    pub is_translated: bool,
    /// Heading in the translation, or in the original if the translation lacks the section. Empty before the first
    /// heading.
    pub heading: String,
    pub original_heading: String,
    /// Start of the section in the translation, or of the section after which it is missing.
    pub span: Range<usize>,
    /// Start of the section in the original.
    pub original_span: Range<usize>,
    pub change: ChangeKind,
    /// Number of changed words, lines of code, numbers, or links.
    pub size: usize,
    /// The commits that changed it, oldest first.
    pub commits: Vec<SectionCommit>,
    /// The words before and after: `[-old-]{+new+}`.
    pub changes: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionCommit {
    pub commit: String,
    pub day: Date,
}

/// Kinds of changes in a section, most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    Words,
    Added,
    Removed,
    Numbers,
    Code,
    Links,
}

impl ChangeKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Numbers => "numbers",
            Self::Code => "code",
            Self::Links => "links",
        }
    }

    /// Whether a translator has to look at it.
    pub fn needs_translator(self) -> bool {
        matches!(self, Self::Words | Self::Added | Self::Removed)
    }

    fn of(before: &SketchSection, now: &SketchSection) -> Option<Self> {
        match () {
            () if !before.plain_words().eq(now.plain_words()) => Some(Self::Words),
            () if !before.neutral_words().eq(now.neutral_words()) => Some(Self::Numbers),
            () if !before.has_same_code(now) => Some(Self::Code),
            () if !before.has_same_targets(now) => Some(Self::Links),
            () => None,
        }
    }
}

/// Two versions of an original, and its translation.
pub(super) struct Sides<'a> {
    pub(super) before: &'a Sketch,
    pub(super) now: &'a Sketch,
    pub(super) translation: &'a Sketch,
    /// Pairs of corresponding sections in the current original and the translation.
    pub(super) pairs: &'a [SketchPair],
}

impl Sides<'_> {
    /// Returns the changed sections that the translation lacks.
    pub(super) fn sections(&self) -> Vec<LaggingSection> {
        let same = by_words(self.before, self.now);
        let of_before = by_structure(self.before, self.translation);
        let before_of: HashMap<SketchIx, SketchIx> = same.iter().map(|pair| (pair.other, pair.one)).collect();
        let kept: SortedSet<SketchIx> = same.iter().map(|pair| pair.one).collect();
        let mut found = Vec::new();
        for (at, now) in self.now.sections.indexed() {
            let there = counterpart(self.pairs, at);
            let before = before_of.get(&at).map(|before| &self.before.sections[*before]);
            let change = match before {
                Some(before) => ChangeKind::of(before, now),
                None => Some(ChangeKind::Added),
            };
            let Some(change) = change else { continue };
            let empty = SketchSection::default();
            let before = before.unwrap_or(&empty);
            let translated = there.map(|there| &self.translation.sections[there]);
            if translated.is_some_and(|translated| is_followed(change, before, now, translated)) {
                continue;
            }
            found.push(self.changed(at, before, change));
        }
        for (at, before) in self.before.sections.indexed().filter(|(at, _)| !kept.contains(at)) {
            let there = counterpart(&of_before, at);
            let heading =
                there.map_or_else(|| before.title.clone(), |it| self.translation.sections[it].title.clone());
            let (place, empty) = (there.unwrap_or(0.into()), SketchSection::default());
            found.push(self.lagging(heading, place, (before, &empty), ChangeKind::Removed, 0..0));
        }
        found
    }

    /// A section of the original now that changed.
    pub(super) fn changed(&self, at: SketchIx, before: &SketchSection, change: ChangeKind) -> LaggingSection {
        let (now, there) = (&self.now.sections[at], counterpart(self.pairs, at));
        let place = there.unwrap_or_else(|| self.place_of(at));
        let title = there.map_or(&now.title, |there| &self.translation.sections[there].title);
        let section = self.lagging(title.clone(), place, (before, now), change, now.span.clone());
        LaggingSection { is_translated: there.is_some(), ..section }
    }

    /// Returns the section of the translation after which a section is missing.
    fn place_of(&self, at: SketchIx) -> SketchIx {
        let before = self.pairs.iter().filter(|pair| pair.one < at).map(|pair| pair.other);
        before.max().unwrap_or(0.into())
    }

    fn lagging(
        &self,
        heading: String,
        place: SketchIx,
        (before, now): (&SketchSection, &SketchSection),
        change: ChangeKind,
        original_span: Range<usize>,
    ) -> LaggingSection {
        let (changes, words) = difference(&before.words, &now.words);
        let lists = |of: fn(&SketchSection) -> Vec<&str>| symmetric(&of(before), &of(now));
        let size = match change {
            ChangeKind::Code => lists(|it| it.code.iter().flat_map(|block| block.code.lines()).collect()),
            ChangeKind::Links => {
                lists(|it| it.links.iter().chain(&it.images).map(|it| it.target.as_str()).collect()).max(1)
            }
            _ => words,
        };
        let title = if now.title.is_empty() { &before.title } else { &now.title };
        LaggingSection {
            id: self.translation.sections[place].id.clone(),
            original_id: now.id.clone(),
            is_translated: true,
            heading,
            original_heading: title.clone(),
            span: self.translation.sections[place].span.clone(),
            original_span,
            change,
            size,
            commits: Vec::new(),
            changes,
        }
    }
}

/// Returns the section of a translation for a section of the original.
pub(super) fn counterpart(pairs: &[SketchPair], at: SketchIx) -> Option<SketchIx> {
    pairs.iter().find(|pair| pair.one == at).map(|pair| pair.other)
}

/// Whether a translation contains the new elements of a section and none of the removed ones. Only elements that
/// don't depend on the language are compared.
pub(super) fn is_followed(
    change: ChangeKind,
    before: &SketchSection,
    now: &SketchSection,
    there: &SketchSection,
) -> bool {
    type Items<'a> = Vec<&'a str>;
    fn code(section: &SketchSection) -> Items<'_> {
        section.code.iter().map(|block| block.code.as_str()).collect()
    }
    fn numbers(section: &SketchSection) -> Items<'_> {
        section.neutral_words().collect()
    }
    fn targets(section: &SketchSection) -> Items<'_> {
        section.links.iter().chain(&section.images).map(|it| neutral_target(&it.target)).collect()
    }
    let follows = |of: fn(&SketchSection) -> Items<'_>, is_same: fn(&str, &str) -> bool| {
        let (before, now, there) = (of(before), of(now), of(there));
        let has = |items: &Items<'_>, item: &str| items.iter().any(|it| is_same(it, item));
        let is_new_there = now.iter().filter(|it| !has(&before, it)).all(|it| has(&there, it));
        is_new_there && !before.iter().filter(|it| !has(&now, it)).any(|it| has(&there, it))
    };
    let has_same_notes = before.notes == now.notes || now.notes == there.notes;
    let follows_targets = || follows(targets, |one, other| one == other) && has_same_notes;
    let follows_code = || follows(code, is_same_but_comments);
    let follows_numbers = || follows(numbers, |one, other| one == other);
    match change {
        ChangeKind::Numbers => follows_numbers() && follows_code() && follows_targets(),
        ChangeKind::Code => follows_code() && follows_targets(),
        ChangeKind::Links => follows_targets(),
        ChangeKind::Words | ChangeKind::Added | ChangeKind::Removed => false,
    }
}

/// Removes a language at the start of a target: `/ja/docs/a/` becomes `/docs/a/`.
pub(super) fn neutral_target(target: &str) -> &str {
    let rest = target.strip_prefix('/').and_then(|rest| rest.split_once('/'));
    match rest {
        Some((first, below)) if base::language::LanguageTag::known(first).is_some() => {
            &target[target.len() - below.len() - 1..]
        }
        _ => target,
    }
}

/// Returns the number of items that only one of two lists contains.
fn symmetric(one: &[&str], other: &[&str]) -> usize {
    let only = |one: &[&str], other: &[&str]| one.iter().filter(|it| !other.contains(it)).count();
    only(one, other).max(only(other, one))
}

/// Returns the differences of two texts, `[-old-]{+new+}` with some context, and the number of changed words.
fn difference(before: &[Token], now: &[Token]) -> (String, usize) {
    /// Number of unchanged words of context.
    const AROUND: usize = 4;
    let texts = |words: &'_ [Token]| -> Vec<String> { words.iter().map(|it| it.text.clone()).collect() };
    let (old, new) = (texts(before), texts(now));
    let (one, other): (Vec<&str>, Vec<&str>) =
        (before.iter().map(Token::bare).collect(), now.iter().map(Token::bare).collect());
    let operations = diff::operations(&one, &other);
    let (mut shown, mut size): (Vec<String>, usize) = (Vec::new(), 0);
    for (at, operation) in operations.iter().enumerate() {
        let (from, to) = (&old[operation.old_range()], &new[operation.new_range()]);
        if let DiffOp::Equal { .. } = operation {
            let (first, last) = (at == 0, at + 1 == operations.len());
            let keep = AROUND * (usize::from(!first) + usize::from(!last));
            if to.len() <= keep {
                shown.push(to.join(" "));
                continue;
            }
            let head = if first { String::new() } else { to[..AROUND].join(" ") + " " };
            let tail =
                if last { String::new() } else { String::from(" ") + &to[to.len() - AROUND..].join(" ") };
            shown.push(format!("{head}…{tail}"));
            continue;
        }
        size += from.len().max(to.len());
        let old = if from.is_empty() { String::new() } else { format!("[-{}-]", from.join(" ")) };
        let new = if to.is_empty() { String::new() } else { format!("{{+{}+}}", to.join(" ")) };
        shown.push(old + &new);
    }
    (if size == 0 { String::new() } else { shown.join(" ") }, size)
}

/// Returns the IDs of the sections that differ between two versions of a text.
pub(super) fn changed_ids(before: &Sketch, now: &Sketch) -> SortedSet<String> {
    let pairs = by_words(before, now);
    let (kept, known): (SortedSet<SketchIx>, SortedSet<SketchIx>) =
        pairs.iter().map(|pair| (pair.one, pair.other)).unzip();
    let changed = pairs.iter().filter_map(|pair| {
        let (one, other) = (&before.sections[pair.one], &now.sections[pair.other]);
        (ChangeKind::of(one, other).is_some() || one.id != other.id)
            .then(|| [one.id.clone(), other.id.clone()])
    });
    let gone = before.sections.indexed().filter(|(at, _)| !kept.contains(at)).map(|(_, it)| it.id.clone());
    let new = now.sections.indexed().filter(|(at, _)| !known.contains(at)).map(|(_, it)| it.id.clone());
    changed.flatten().chain(gone).chain(new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::conventions::Repository;
    use site::languages::SketchReader;

    #[track_caller]
    fn check(before: &str, now: &str, translation: &str, expected: &[&str]) {
        let reader = SketchReader::new(&Repository::default());
        let (before, now, translation) = (reader.read(before), reader.read(now), reader.read(translation));
        let pairs = by_structure(&now, &translation);
        let sides = Sides { before: &before, now: &now, translation: &translation, pairs: &pairs };
        let shown =
            |it: LaggingSection| format!("{}: {} {} {}", it.heading, it.change.name(), it.size, it.changes);
        let found: Vec<String> = sides.sections().into_iter().map(shown).collect();
        assert_eq!(found.iter().map(|it| it.trim_end()).collect::<Vec<_>>(), expected);
    }

    const BEFORE: &str =
        "# Start\n\nInstall version 1.2 of it.\n\n## Run\n\nSee [more](a.md).\n\n```sh\nrun\n```\n";
    const JA: &str = "# 開始\n\nそれの 1.2 を。\n\n## 実行\n\n[詳細](a.md)。\n\n```sh\nrun\n```\n";

    #[test]
    fn a_change_is_named_by_the_section_of_the_translation() {
        check(BEFORE, BEFORE, JA, &[]);
        check(
            BEFORE,
            &BEFORE.replace("Install", "Download"),
            JA,
            &["開始: words 1 Start [-Install-]{+Download+} version 1.2 of it."],
        );
        check(BEFORE, &BEFORE.replace("```sh\nrun", "```sh\nrun --all"), JA, &["実行: code 1"]);
        check(BEFORE, &BEFORE.replace("a.md", "b.md"), JA, &["実行: links 1"]);
        check(
            BEFORE,
            &BEFORE.replace("1.2", "1.3"),
            JA,
            &["開始: numbers 1 Start Install version [-1.2-]{+1.3+} of it."],
        );
        let added = format!("{BEFORE}\n## Stop\n\nStop it.\n");
        check(BEFORE, &added, JA, &["Stop: added 3 {+Stop Stop it.+}"]);
        check(
            &added,
            BEFORE,
            &format!("{JA}\n## 停止\n\n止める。\n"),
            &["停止: removed 3 [-Stop Stop it.-]"],
        );
    }

    #[test]
    fn translated_changes_are_not_reported() {
        check(BEFORE, &BEFORE.replace("run\n", "go\n"), &JA.replace("run\n", "go\n"), &[]);
        check(BEFORE, &BEFORE.replace("a.md", "/b/"), &JA.replace("a.md", "/ja/b/"), &[]);
        check(BEFORE, &BEFORE.replace("1.2", "1.3"), &JA.replace("1.2", "1.3"), &[]);
        check(
            BEFORE,
            &BEFORE.replace("1.2 of it", "1.3 of that"),
            &JA.replace("1.2", "1.3"),
            &["開始: words 2 Start Install version [-1.2-]{+1.3+} of [-it.-]{+that.+}"],
        );
    }
}
