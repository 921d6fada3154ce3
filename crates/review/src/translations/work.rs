//! Tasks in one translation, and the work that remains.

use std::ops::Range;

use serde::Serialize;

use super::code::is_same_but_texts;
use super::lag::{ChangeKind, LaggingSection, counterpart, is_followed, neutral_target};
use super::{Compare, PageState, PageStates, compare_pages};
use base::diagnostic::Code;
use base::error::Result;
use base::site_path::SitePath;
use base::sort::StableSort as _;
use input::languages::LanguageIx;
use input::source::git::{GitObject, ObjectReader};
use input::source::{Sources, Text};
use site::languages::{
    Counterparts, Sketch, SketchIx, SketchReader, SketchSection, SketchTarget, by_structure, front_value,
};

/// A section to translate.
#[derive(Debug, Serialize)]
pub struct SectionTask {
    /// As the translation has it; that of the original if the translation lacks the section.
    pub heading: String,
    pub original_heading: String,
    /// `words`, `added`, `removed`, `numbers`, `code`, or `links`.
    pub change: &'static str,
    /// The words before and after: `[-old-]{+new+}`.
    pub changes: String,
    /// Section of the original, or `None` if it was removed.
    pub original: Option<SectionPlace>,
    /// Section of the translation, or the section before a missing one.
    pub write: SectionPlace,
    /// Elements that the translation must have in common with the original.
    pub keep: KeptParts,
}

#[derive(Debug, Serialize)]
pub struct SectionPlace {
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    pub end_line: usize,
    pub text: String,
}

#[derive(Debug, Default, Serialize)]
pub struct KeptParts {
    pub level: u8,
    pub id: String,
    pub code: Vec<String>,
    pub links: Vec<String>,
    pub images: Vec<String>,
    /// Numbers, and code in a line.
    pub values: Vec<String>,
}

/// A reason why a task isn't done.
#[derive(Debug, PartialEq, Eq)]
pub struct Remaining {
    /// Position in the translation.
    pub at: usize,
    pub message: String,
}

/// A translation and its original with their sections.
struct Page {
    texts: [String; 2],
    sketches: [Sketch; 2],
}

impl Page {
    fn read(sources: &Sources, original: &SitePath, translation: &SitePath) -> Self {
        let texts = [original, translation]
            .map(|path| sources.text(path).map(|text| text.text().into_owned()).unwrap_or_default());
        let reader = SketchReader::new(&sources.repository);
        let sketches = texts.each_ref().map(|text| reader.read(text));
        Self { texts, sketches }
    }

    /// Returns the section of the original for a change, or `None` if it was removed.
    fn original_of(&self, section: &LaggingSection) -> Option<SketchIx> {
        let [original, _] = &self.sketches;
        let is_same = |(_, it): &(SketchIx, &SketchSection)| {
            it.title == section.original_heading && it.span == section.original_span
        };
        (section.change != ChangeKind::Removed)
            .then(|| original.sections.indexed().find(is_same).map(|(at, _)| at))
            .flatten()
    }

    fn place(&self, side: usize, file: &SitePath, at: SketchIx) -> SectionPlace {
        let (text, sketch) = (&self.texts[side], &self.sketches[side]);
        let range = sketch.start_of(at)..sketch.end_of(at, text);
        let line = |at: usize| text[..at].matches('\n').count() + 1;
        SectionPlace {
            file: file.to_string(),
            line: line(range.start),
            end_line: line(range.end.saturating_sub(1).max(range.start)),
            text: text[range].to_string(),
        }
    }
}

/// Returns the sections of a translation whose original changed.
pub fn section_tasks(
    sources: &Sources,
    original: &SitePath,
    translation: &SitePath,
    state: &PageState,
) -> Vec<SectionTask> {
    let page = Page::read(sources, original, translation);
    let task = |section: &LaggingSection| {
        let at = page.original_of(section);
        let [now, there] = &page.sketches;
        let is_at = |it: &&SketchSection| it.span == section.span;
        let place = there.sections.iter().position(|it| is_at(&it)).unwrap_or(0);
        SectionTask {
            heading: section.heading.clone(),
            original_heading: section.original_heading.clone(),
            change: section.change.name(),
            changes: section.changes.clone(),
            original: at.map(|at| page.place(0, original, at)),
            write: page.place(1, translation, place.into()),
            keep: at.map_or_else(KeptParts::default, |at| KeptParts::of(&now.sections[at])),
        }
    };
    state.lag.iter().flat_map(|lag| &lag.sections).map(task).collect()
}

/// Returns all sections of a missing page. `translation` is its future path.
pub fn page_tasks(sources: &Sources, original: &SitePath, translation: &str) -> Vec<SectionTask> {
    let page = Page::read(sources, original, &translation.into());
    let task = |(at, section): (SketchIx, &SketchSection)| SectionTask {
        heading: section.title.clone(),
        original_heading: section.title.clone(),
        change: ChangeKind::Added.name(),
        changes: String::new(),
        original: Some(page.place(0, original, at)),
        write: SectionPlace { file: translation.to_string(), line: 1, end_line: 1, text: String::new() },
        keep: KeptParts::of(section),
    };
    page.sketches[0].sections.indexed().map(task).collect()
}

impl KeptParts {
    fn of(section: &SketchSection) -> Self {
        let texts = |targets: &[SketchTarget]| {
            SketchSection::targets(targets).into_iter().map(str::to_string).collect()
        };
        Self {
            level: section.level,
            id: section.id.clone(),
            code: section.code.iter().map(|it| it.code.clone()).collect(),
            links: texts(&section.links),
            images: texts(&section.images),
            values: section.neutral_words().map(str::to_string).collect(),
        }
    }
}

/// Returns the remaining work on a translation compared with its last commit, or `None` if it has no original. All sections of an
/// uncommitted page are compared.
///
/// # Errors
///
/// If git ends while it is asked.
pub fn remaining(
    sources: &Sources,
    compare: Compare<'_>,
    translation: &SitePath,
) -> Result<Option<Vec<Remaining>>> {
    let Some(languages) = sources.languages() else { return Ok(None) };
    let counterparts = Counterparts::of(sources);
    let Some(pair) = counterparts.pairs.iter().find(|pair| pair.translation == *translation) else {
        let is_to_be = |(at, page): (LanguageIx, &SitePath)| {
            languages.path_for(at, page.as_str()).as_deref() == Some(translation.as_str())
        };
        let mut missing = languages
            .translations
            .indices()
            .flat_map(|at| counterparts.missing(at).into_iter().map(move |it| (at, it)));
        return Ok(missing
            .any(is_to_be)
            .then(|| vec![Remaining { at: 0, message: "the page isn't there".to_string() }]));
    };
    let page = Page::read(sources, &pair.original, translation);
    let is_it = |path: &SitePath| path == translation;
    let state_in = |sources: &Sources| {
        let compared = compare_pages(sources, compare, &PageStates::default(), is_it)?;
        Ok(compared.and_then(|it| it.states.first().cloned()))
    };
    let Some(now) = state_in(sources)? else { return Ok(None) };
    let committed = match ObjectReader::open(&sources.root)
        .and_then(|mut it| it.read(&format!("HEAD:./{translation}")))
    {
        Ok(GitObject::Content { bytes, .. }) => Some(bytes),
        _ => None,
    };
    let mut found = Vec::new();
    if let Some(bytes) = committed {
        let mut was = sources.clone();
        was.lay_over(Text::new(translation.clone(), bytes));
        let before = Page::read(&was, &pair.original, translation);
        let lag = state_in(&was)?.and_then(|state| state.lag.clone());
        let sections = lag.map_or_else(Vec::new, |lag| lag.sections);
        found.extend(sections.iter().flat_map(|section| page.left(section, Some(&before.sketches[1]))));
    } else {
        let all = page.sketches[0].sections.indices();
        found.extend(all.flat_map(|at| page.left_in(at, None, ChangeKind::Added)));
    }
    let is_pinned = languages.pins.iter().any(|key| front_value(&page.texts[1], key).is_some());
    if is_pinned && now.is_behind() {
        let message =
            format!("the pin is older than the changes; run `stepkin translations pin {translation}`");
        found.push(Remaining { at: 0, message });
    }
    let codes = [Code::TranslationCode, Code::TranslationStructure, Code::UntranslatedSection];
    let problems = now.problems.iter().filter(|it| codes.contains(&it.code));
    found.extend(problems.map(|it| Remaining { at: it.span.start, message: it.message.clone() }));
    found.stable_sort_by_key(|it| it.at);
    Ok(Some(found))
}

impl Page {
    /// Returns the remaining work for a change of the original. `before` is the translation before the work.
    fn left(&self, section: &LaggingSection, before: Option<&Sketch>) -> Vec<Remaining> {
        if let Some(at) = self.original_of(section) {
            return self.left_in(at, before, section.change);
        }
        let [now, there] = &self.sketches;
        let old = before.into_iter().flat_map(|it| &it.sections).find(|it| it.title == section.heading);
        let is_gone_in_original = |it: &SketchSection| !now.sections.iter().any(|now| now.id == it.id);
        let kept = old.and_then(|old| {
            there.sections.iter().find(|it| it.title == old.title && is_gone_in_original(it))
        });
        let remaining = |it: &SketchSection| {
            remaining_at(&it.span, format!("{} is gone in the original", name(&it.title)))
        };
        kept.map(remaining).into_iter().collect()
    }

    fn left_in(&self, at: SketchIx, before: Option<&Sketch>, change: ChangeKind) -> Vec<Remaining> {
        let [now, there] = &self.sketches;
        let pairs = by_structure(now, there);
        let section = &now.sections[at];
        let Some(index) = counterpart(&pairs, at) else {
            return vec![remaining_at(&(0..0), format!("{} is missing", name(&section.title)))];
        };
        let translated = &there.sections[index];
        let mut found = Vec::new();
        let mut add = |message: String| found.push(remaining_at(&translated.span, message));
        let title = name(&translated.title);
        if change == ChangeKind::Words {
            let pairs = before.map(|before| by_structure(now, before));
            let was = pairs
                .and_then(|pairs| counterpart(&pairs, at))
                .zip(before)
                .map(|(at, before)| &before.sections[at]);
            if was.is_some_and(|was| was.words == translated.words) {
                add(format!("{title} has the same words as before"));
            }
        }
        if matches!(change, ChangeKind::Words | ChangeKind::Added)
            && section.plain_words().count() > 1
            && section.words == translated.words
        {
            add(format!("{title} is word for word the original's"));
        }
        if change == ChangeKind::Numbers
            && !is_followed(change, &SketchSection::default(), section, translated)
        {
            add(format!("{title} lacks numbers or values of the original"));
        }
        let has_code = |it: &&site::languages::SketchCode| {
            super::code::is_compared(&it.language)
                && !translated.code.iter().any(|there| is_same_but_texts(&there.code, &it.code))
        };
        if let Some(lost) = section.code.iter().find(has_code) {
            add(format!(
                "{title} lacks this code of the original: `{}`",
                lost.code.lines().next().unwrap_or_default()
            ));
        }
        let targets = |it: &SketchSection| {
            it.links.iter().map(|it| neutral_target(&it.target).to_string()).collect::<Vec<_>>()
        };
        let here = targets(translated);
        if let Some(lost) = targets(section).into_iter().find(|it| !here.contains(it)) {
            add(format!("{title} lacks the link to `{lost}`"));
        }
        let is_named = self.texts[0][section.span.clone()].contains("{#");
        if is_named && section.id != translated.id {
            add(format!("{title} needs the ID of the original: `{{#{}}}`", section.id));
        }
        found
    }
}

fn remaining_at(span: &Range<usize>, message: String) -> Remaining {
    Remaining { at: span.start, message }
}

fn name(title: &str) -> String {
    if title.is_empty() { "the introduction".to_string() } else { format!("`{title}`") }
}

/// A section of an original.
#[derive(Debug, PartialEq, Eq)]
pub struct OriginalSection {
    /// Counted from 1.
    pub line: usize,
    pub text: String,
    /// Range of the heading in the translation.
    pub translated: Range<usize>,
}

/// Returns the section of the original for the heading of the translation at a position.
pub fn original_section(
    sources: &Sources,
    original: &SitePath,
    translation: &SitePath,
    at: usize,
) -> Option<OriginalSection> {
    let page = Page::read(sources, original, translation);
    let [now, there] = &page.sketches;
    let is_at =
        |(_, it): &(SketchIx, &SketchSection)| it.level > 0 && it.span.start <= at && at <= it.span.end;
    let (index, section) = there.sections.indexed().find(is_at)?;
    let pair = by_structure(now, there).into_iter().find(|pair| pair.other == index)?;
    let SectionPlace { line, text, .. } = page.place(0, original, pair.one);
    Some(OriginalSection { line, text, translated: section.span.clone() })
}
