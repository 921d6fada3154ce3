//! The findings about one translation.

use std::sync::Arc;

use jiff::civil::Date;
use serde_json::{Value, json};

use super::PageState;
use super::carry::{Carried, CarriedKind, Side, carried};
use super::code::{carried_over, is_compared, is_same_but_comments, is_same_but_texts, place_of};
use super::lag::{BaseSource, ChangeKind, Lag, LagBase, LaggingSection, SectionCommit, Sides, counterpart};
use super::lock::LockedPage;
use super::past::{Past, PastText};
use super::replaced::{REPLACED, Replaced, ReplacedKind, replaced};
use super::versions::{OriginalVersion, OriginalVersions};
use base::diagnostic::{Code, Problem, count, list};
use base::error::Result;
use base::front_matter::body_start;
use base::quoted::quoted;
use base::sorted::SortedSet;
use input::languages::{Languages, SiteLanguage};
use input::source::Sources;
use input::source::git::{ObjectReader, PastVersion};
use site::languages::{
    Counterpart, Sketch, SketchCode, SketchIx, SketchPair, by_history, by_structure, by_words,
};

/// Minimum number of words. A shorter section may be the same in two languages.
const FEWEST_WORDS: usize = 12;

/// Rank of differences that no change of the original explains. They come after those that one does.
pub(super) const MISMATCH: u32 = 2_000_000;

/// Number of sections above which pages aren't sorted by it.
const MOST_COUNTED: u32 = 1000;

/// Maximum number of sections in a message.
const MOST_NAMED: usize = 3;

/// Maximum number of versions before the base to search for old code.
const MOST_EARLIER: usize = 6;

/// A translation, its original, and the original that it was made from.
pub(super) struct Compared<'a> {
    language: &'a SiteLanguage,
    /// Whether the original is in the same language, such as English for a page in British English.
    is_variant: bool,
    pair: &'a Counterpart,
    text: String,
    now: Arc<OriginalVersion>,
    translation: Sketch,
    pairs: Vec<SketchPair>,
    former: Option<OriginalHistory>,
}

/// The original at the base, and its later and earlier versions.
struct OriginalHistory {
    base: LagBase,
    version: Arc<OriginalVersion>,
    /// Oldest first.
    later: Vec<PastSketch>,
    /// Versions before the base, newest first.
    earlier: Vec<PastSketch>,
}

struct PastSketch {
    commit: SectionCommit,
    version: Arc<OriginalVersion>,
    /// IDs of the sections that differ from the previous version, for versions after the base.
    changed: Arc<SortedSet<String>>,
}

impl<'a> Compared<'a> {
    pub(super) fn read(
        sources: &'a Sources,
        languages: &'a Languages,
        past: &Past<'_>,
        pair: &'a Counterpart,
        (versions, objects): (&mut OriginalVersions<'_>, Option<&mut ObjectReader>),
    ) -> Result<Self> {
        /// Key of the original on disk. No blob has this ID.
        const PRESENT: &str = "present";
        let text_of = |path| sources.text(path).map(|text| text.text().into_owned()).unwrap_or_default();
        let (original, text) = (text_of(&pair.original), text_of(&pair.translation));
        let (now, translation) = (versions.put(PRESENT, &original), versions.reader.read(&text));
        let pairs = by_structure(&now.sketch, &translation);
        let mut compared = Self {
            is_variant: languages.translations[pair.language].tag.is_variant_of(&languages.original),
            language: &languages.translations[pair.language],
            pair,
            text,
            now,
            translation,
            pairs,
            former: None,
        };
        if let Some(objects) = objects
            && let Some(former) = past.of(pair, (&compared.text, &compared.translation), versions, objects)?
        {
            let by_history = by_history(&compared.now.sketch, &former.version.sketch, &compared.translation);
            compared.pairs = by_history.unwrap_or(compared.pairs);
            compared.former = Some(compared.follow(former, past, versions, objects)?);
        }
        Ok(compared)
    }

    /// Reads the required versions of the original: all after the base, and some earlier ones if the translation
    /// contains code that none of those has.
    fn follow(
        &self,
        former: PastText<'_>,
        past: &Past<'_>,
        versions: &mut OriginalVersions<'_>,
        objects: &mut ObjectReader,
    ) -> Result<OriginalHistory> {
        let PastText { base, blob, version, later: following } = former;
        let commit_of = |version: &PastVersion| {
            let (id, day) = past.commit(version.commit);
            SectionCommit { commit: id.to_string(), day }
        };
        let mut later = Vec::new();
        let mut before = blob;
        for it in &following {
            let Some(version) = versions.get(&it.blob, objects)? else { continue };
            let changed = versions.changed(&before, &it.blob);
            later.push(PastSketch { commit: commit_of(it), version, changed });
            before.clone_from(&it.blob);
        }
        let known = || {
            later.iter().map(|it| &it.version).chain([&version, &self.now]).flat_map(|it| code_of(&it.sketch))
        };
        let is_known = |code: &str| {
            known().any(|it| it.code == code) || known().any(|it| is_same_but_texts(&it.code, code))
        };
        let code = code_of(&self.translation);
        let has_other_code = code.filter(|it| is_compared(&it.language)).any(|it| !is_known(&it.code));
        let mut earlier = Vec::new();
        if has_other_code {
            for it in past.earlier(self.pair.original.as_str(), &following).iter().take(MOST_EARLIER) {
                if let Some(version) = versions.get(&it.blob, objects)? {
                    earlier.push(PastSketch { commit: commit_of(it), version, changed: Arc::default() });
                }
            }
        }
        Ok(OriginalHistory { base, version, later, earlier })
    }

    pub(super) fn state(&self, today: Date, locked: Option<&LockedPage>) -> PageState {
        let lag = self.lag(today, locked);
        let mut problems: Vec<Problem> =
            lag.iter().filter(|lag| !lag.sections.is_empty()).map(|lag| self.behind(lag)).collect();
        problems.extend(self.former_code());
        problems.extend(self.structure(lag.as_ref()));
        problems.extend(self.untranslated());
        let replaced = self.replaced();
        PageState { lag, words: self.now.sketch.words(), problems, replaced, carried: self.carried() }
    }

    pub(super) fn lag(&self, today: Date, locked: Option<&LockedPage>) -> Option<Lag> {
        match locked {
            Some(locked) => Some(self.lag_behind_lock(locked)),
            None => self.former.as_ref().map(|former| self.lag_behind_commit(former, today)),
        }
    }

    fn lag_behind_commit(&self, former: &OriginalHistory, today: Date) -> Lag {
        let sides = Sides {
            before: &former.version.sketch,
            now: &self.now.sketch,
            translation: &self.translation,
            pairs: &self.pairs,
        };
        let mut sections = sides.sections();
        let changes: Vec<(&SectionCommit, &SortedSet<String>)> =
            former.later.iter().map(|it| (&it.commit, &*it.changed)).collect();
        for section in &mut sections {
            let ids = |sketch: &Sketch| {
                let of_title = sketch.sections.iter().filter(|it| it.title == section.original_heading);
                of_title.map(|it| it.id.clone()).collect::<Vec<_>>()
            };
            let ids: Vec<String> =
                ids(&self.now.sketch).into_iter().chain(ids(&former.version.sketch)).collect();
            let of_section = changes.iter().filter(|(_, changed)| ids.iter().any(|id| changed.contains(id)));
            section.commits = of_section.map(|(commit, _)| (*commit).clone()).collect();
        }
        let first = sections.iter().flat_map(|section| &section.commits).map(|commit| commit.day).min();
        let days = first.and_then(|first| first.until(today).ok()).map_or(0, |span| span.get_days());
        Lag { base: former.base.clone(), sections, days: u32::try_from(days).unwrap_or(0) }
    }

    fn lag_behind_lock(&self, locked: &LockedPage) -> Lag {
        let base = LagBase { commit: String::new(), day: None, by: BaseSource::Lock };
        Lag { base, sections: locked.lagging(&self.now.sketch, &self.translation, &self.pairs), days: 0 }
    }

    fn problem(&self, code: Code, span: std::ops::Range<usize>, message: String) -> Problem {
        Problem::new(code, span, message)
            .target(self.pair.original.as_str())
            .data("language", self.language.tag.as_str())
            .data("original", self.pair.original.as_str())
    }

    fn behind(&self, lag: &Lag) -> Problem {
        let named = |section: &LaggingSection| {
            let day = section.commits.first().map(|commit| format!(", {}", commit.day)).unwrap_or_default();
            let heading = match section.heading.as_str() {
                "" => "the introduction".to_string(),
                heading => format!("`{heading}`"),
            };
            format!("{heading} ({}{day})", amount(section))
        };
        let mut listed: Vec<String> = lag.sections.iter().take(MOST_NAMED).map(named).collect();
        let more = lag.sections.len().saturating_sub(MOST_NAMED);
        if more > 0 {
            listed.push(format!("and {more} more"));
        }
        let message = format!(
            "{} is behind the original in {}: {}",
            self.language.name,
            count(lag.sections.len(), "section"),
            listed.join(", ")
        );
        let sections: Vec<Value> = lag.sections.iter().map(as_json).collect();
        let needs_translator = lag.sections.iter().any(|section| section.change.needs_translator());
        let needs_numbers = lag.sections.iter().any(|section| section.change == ChangeKind::Numbers);
        let span = self.place(lag.sections[0].span.clone());
        let day = lag.base.day.map(|day| day.to_string());
        let lock = if lag.base.by == BaseSource::Lock { "--lock " } else { "" };
        let commit = Some(&lag.base.commit).filter(|commit| !commit.is_empty());
        let base = json!({ "commit": commit, "day": day, "by": lag.base.by.name() });
        let mut problem = self
            .problem(Code::TranslationBehind, span, message)
            .help(format!(
                "translate the changes, then run `stepkin translations pin {lock}{}`",
                self.pair.translation
            ))
            .data("base", base)
            .data("sections", sections)
            .data("days", lag.days)
            .data(
                "rank",
                if needs_translator { 0 } else { 1_000_000 } + 999_999_u32.saturating_sub(lag.days),
            );
        for section in
            lag.sections.iter().filter(|section| !section.original_span.is_empty()).take(MOST_NAMED)
        {
            problem = problem.related(&self.pair.original, section.original_span.clone(), "changed here");
        }
        if needs_translator || needs_numbers { problem } else { problem.as_advice() }
    }

    /// For the section before the first heading, this is the position after the front matter.
    fn place(&self, span: std::ops::Range<usize>) -> std::ops::Range<usize> {
        if span.is_empty() {
            let body = body_start(&self.text);
            return body..body;
        }
        span
    }

    /// Reports links, images, and numbers of the original at the base that the translation still contains.
    fn carried(&self) -> Vec<Problem> {
        let Some(former) = &self.former else { return Vec::new() };
        let (before, now) = (
            Side { sketch: &former.version.sketch, text: &former.version.text },
            Side { sketch: &self.now.sketch, text: &self.now.text },
        );
        let there = Side { sketch: &self.translation, text: &self.text };
        let problem = |Carried { kind, span, old, new }: Carried| {
            let (code, message) = match kind {
                CarriedKind::Link => {
                    (Code::TranslationLink, format!("the original now links to `{new}`, not to `{old}`"))
                }
                CarriedKind::Image => {
                    (Code::TranslationLink, format!("the original now shows `{new}`, not `{old}`"))
                }
                CarriedKind::Number => {
                    (Code::TranslationCode, format!("the original now has `{new}` in this row, not `{old}`"))
                }
            };
            let problem = self.problem(code, span.clone(), message).as_advice().help(format!("use `{new}`"));
            problem.edit(span, new)
        };
        carried(before, now, there, &self.pairs).into_iter().map(problem).collect()
    }

    /// Reports code blocks that are old versions of the original's.
    fn former_code(&self) -> Vec<Problem> {
        let Some(former) = &self.former else { return Vec::new() };
        let mut found = Vec::new();
        for pair in &self.pairs {
            let (now, there) = (&self.now.sketch.sections[pair.one], &self.translation.sections[pair.other]);
            let is_present = |code: &str| now.code.iter().any(|it| is_same_but_texts(&it.code, code));
            let old = there.code.iter().filter(|it| is_compared(&it.language) && !is_present(&it.code));
            for block in old {
                if let Some((day, old, new)) = self.former_block(former, pair.one, &block.code) {
                    found.push(self.old_code(block, day, &old, new.as_deref()));
                }
            }
        }
        found
    }

    /// Returns the last version of the original that contained a block, and the block that replaced it.
    fn former_block(
        &self,
        former: &OriginalHistory,
        at: SketchIx,
        code: &str,
    ) -> Option<(Option<Date>, String, Option<String>)> {
        let later = former.later.iter().rev().map(|it| (&it.version.sketch, Some(it.commit.day)));
        let earlier = former.earlier.iter().map(|it| (&it.version.sketch, Some(it.commit.day)));
        let states = later.chain([(&former.version.sketch, former.base.day)]).chain(earlier);
        states.into_iter().find_map(|(sketch, day)| {
            let pairs = by_words(sketch, &self.now.sketch);
            let before = &sketch.sections[pairs.iter().find(|pair| pair.other == at)?.one];
            let index = before.code.iter().position(|it| is_same_but_comments(&it.code, code))?;
            let now = &self.now.sketch.sections[at];
            let new = (before.code.len() == now.code.len()).then(|| now.code[index].code.clone());
            Some((day, before.code[index].code.clone(), new))
        })
    }

    fn old_code(&self, block: &SketchCode, day: Option<Date>, old: &str, new: Option<&str>) -> Problem {
        let of = day.map_or(String::new(), |day| format!(" of {day}"));
        let differing = new.and_then(|new| new.lines().find(|line| !old.lines().any(|it| it == *line)));
        let now = differing.map_or(String::new(), |line| format!("; now `{}`", line.trim()));
        let message = format!("code is the original's{of}{now}");
        let problem = self.problem(Code::TranslationCode, block.span.clone(), message).help(
            "run `stepkin fix --select translation-code`, or copy the block from the original".to_string(),
        );
        let carried = new.and_then(|new| carried_over(old, new, &block.code));
        match carried.zip(place_of(&self.text, &block.span, &block.code)) {
            Some((code, place)) => problem.edit(place, code),
            None => problem.help("copy the block from the original".to_string()),
        }
    }

    /// Returns the code and links for which the original has others. With its history, its changes show what is old.
    fn replaced(&self) -> Vec<Problem> {
        if self.former.is_some() {
            return Vec::new();
        }
        let problem = |it: Replaced<'_>| {
            let (code, what) = match it.kind {
                ReplacedKind::Code => (Code::TranslationCode, ""),
                ReplacedKind::Link => (Code::TranslationLink, "the link "),
            };
            let (new, old) = it.differing();
            let (new, old) = (quoted(&new), quoted(&old));
            let message = format!("{what}{new} of the original is {old}");
            let help = "use that of the original".to_string();
            let problem = self.problem(code, it.span.clone(), message).as_advice().help(help);
            problem.data("rank", MISMATCH).data(REPLACED, it.has_other_digits())
        };
        let page = (&self.translation, self.text.as_str());
        replaced(&self.now.sketch, page, &self.pairs, self.language).into_iter().map(problem).collect()
    }

    /// Reports sections that only the original or only the translation contains, unless this was the case when it was
    /// translated.
    fn structure(&self, lag: Option<&Lag>) -> Option<Problem> {
        // The order may differ.
        let sorted = |sketch: &Sketch| {
            let mut levels: Vec<u8> = sketch.levels().collect();
            levels.sort_unstable();
            levels
        };
        let is_same = sorted(&self.now.sketch) == sorted(&self.translation);
        let followed = || {
            self.former.as_ref().is_some_and(|it| it.version.sketch.levels().eq(self.translation.levels()))
        };
        if is_same || followed() {
            return None;
        }
        let added: Vec<&str> = lag.map_or(Vec::new(), |lag| {
            let added = lag.sections.iter().filter(|section| section.change == ChangeKind::Added);
            added.map(|section| section.original_heading.as_str()).collect()
        });
        let lacking =
            self.now.sketch.sections.indexed().filter(|(at, _)| counterpart(&self.pairs, *at).is_none());
        let lacking =
            lacking.map(|(_, section)| section.title.as_str()).filter(|title| !added.contains(title));
        let lacking: Vec<&str> = lacking.collect();
        let known: SortedSet<SketchIx> = self.pairs.iter().map(|pair| pair.other).collect();
        let surplus: Vec<(SketchIx, &str)> = self
            .translation
            .sections
            .indexed()
            .filter(|(at, _)| !known.contains(at))
            .map(|(at, section)| (at, section.title.as_str()))
            .collect();
        // Some pages list their sections, and others leave that to the generator.
        let is_contents = |title: &&str| title.eq_ignore_ascii_case("table of contents");
        let (lacking, surplus): (Vec<&str>, Vec<(SketchIx, &str)>) = (
            lacking.into_iter().filter(|title| !is_contents(title)).collect(),
            surplus.into_iter().filter(|(_, title)| !is_contents(title)).collect(),
        );
        let unmatched = lacking.len() + surplus.len();
        let place = surplus.first().map_or(0.into(), |it| it.0);
        let surplus: Vec<&str> = surplus.into_iter().map(|it| it.1).collect();
        let verb = |one: &'static str, several| if unmatched == 1 { one } else { several };
        let what = match (&lacking[..], &surplus[..]) {
            ([], []) => return None,
            (lacking, []) => format!("{} {} missing", named_sections(lacking), verb("is", "are")),
            ([], surplus) => {
                format!("{} {}", named_sections(surplus), verb("has no counterpart", "have no counterparts"))
            }
            // Some may be the same in another place or on another level.
            (lacking, surplus) => {
                format!(
                    "{} there and {} here have no counterparts",
                    named_sections(lacking),
                    named_sections(surplus)
                )
            }
        };
        // Those with the most come first.
        let rank = MISMATCH + MOST_COUNTED.saturating_sub(u32::try_from(unmatched).unwrap_or(u32::MAX));
        let number = |sketch: &Sketch| sketch.sections.len() - 1;
        let message = format!(
            "the original has {} and this page has {}: {what}",
            count(number(&self.now.sketch), "section"),
            number(&self.translation)
        );
        let span = self.place(self.translation.sections[place].span.clone());
        let problem = self
            .problem(Code::TranslationStructure, span, message)
            .help("add the section, or use the same heading levels as the original".to_string())
            .data("rank", rank);
        Some(if surplus.is_empty() { problem.data("lacking", lacking) } else { problem })
    }

    /// Reports sections with the same text as the original's.
    fn untranslated(&self) -> Vec<Problem> {
        if self.is_variant {
            return Vec::new();
        }
        let is_same = |pair: &&SketchPair| {
            let (now, there) = (&self.now.sketch.sections[pair.one], &self.translation.sections[pair.other]);
            // The text of a license isn't translated.
            let is_license = ["license", "licence"].iter().any(|it| there.title.to_lowercase().contains(it));
            there.plain_words().count() >= FEWEST_WORDS && now.words == there.words && !is_license
        };
        let problem = |pair: &SketchPair| {
            let section = &self.translation.sections[pair.other];
            let title = section.title.as_str();
            let name = if title.is_empty() { "the introduction".to_string() } else { format!("`{title}`") };
            let message = format!("{name} is word for word the original's");
            self.problem(Code::UntranslatedSection, self.place(section.span.clone()), message)
                .help("translate the section".to_string())
                .data("section", if title.is_empty() { "the introduction" } else { title })
                .data("rank", MISMATCH + MOST_COUNTED)
                .data("words", section.words.len())
        };
        self.pairs.iter().filter(is_same).map(problem).collect()
    }
}

/// Returns the first of some titles, and the number of others.
pub(super) fn named_sections(titles: &[&str]) -> String {
    let more = titles.len().saturating_sub(MOST_NAMED);
    let mut shown: Vec<String> = titles.iter().take(MOST_NAMED).map(|title| quoted(title)).collect();
    shown.extend((more > 0).then(|| format!("{more} more")));
    list(&shown)
}

fn code_of(sketch: &Sketch) -> impl Iterator<Item = &SketchCode> {
    sketch.sections.iter().flat_map(|section| &section.code)
}

/// Describes the size of a change: `12 words`, `1 link`.
fn amount(section: &LaggingSection) -> String {
    let is_unknown = section.size == 0 && !matches!(section.change, ChangeKind::Added | ChangeKind::Removed);
    let noun = match section.change {
        change if is_unknown => return change.name().to_string(),
        ChangeKind::Words => "word",
        ChangeKind::Added => return format!("new, {}", counted(section.size, "word")),
        ChangeKind::Removed => return "removed".to_string(),
        ChangeKind::Numbers => "number",
        ChangeKind::Code => "line of code",
        ChangeKind::Links => "link",
    };
    counted(section.size, noun)
}

fn counted(number: usize, noun: &str) -> String {
    match (number, noun) {
        (1, noun) => format!("1 {noun}"),
        (number, "line of code") => format!("{number} lines of code"),
        (number, noun) => format!("{number} {noun}s"),
    }
}

fn as_json(section: &LaggingSection) -> Value {
    let commits: Vec<Value> = section
        .commits
        .iter()
        .map(|commit| json!({ "commit": commit.commit, "day": commit.day.to_string() }))
        .collect();
    json!({
        "heading": section.heading,
        "original_heading": section.original_heading,
        "change": section.change.name(),
        "commits": commits,
        "changes": section.changes,
    })
}
