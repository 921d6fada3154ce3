//! Pins a translation to the current original.

use jiff::civil::Date;

use super::{Compare, PageStates, TranslationComparison, compare_pages};
use crate::fix::FileEdits;
use base::diagnostic::Code;
use base::error::Result;
use base::site_path::SitePath;
use input::languages::Languages;
use input::source::git::{FileLog, GitObject, ObjectReader};
use input::source::{Sources, Text};
use site::languages::{Counterpart, front_value};

/// Why a page isn't pinned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unpinned {
    NoTranslation,
    /// The current version of the original isn't committed.
    NoCommit,
    /// The translation differs in elements that don't depend on the language.
    Differs(Vec<Code>),
}

/// Returns the text of a translation with a pin to its original.
///
/// # Errors
///
/// If the page has no original, the original isn't committed, or their code or sections differ. `anyway` ignores
/// differences.
pub fn pinned(
    sources: &Sources,
    compared: &TranslationComparison<'_>,
    page: &SitePath,
    anyway: bool,
) -> std::result::Result<String, Unpinned> {
    let pair = may_be_pinned(compared, page, anyway)?;
    let commit = newest_commit(sources, &pair.original).ok_or(Unpinned::NoCommit)?;
    let text = sources.text(page).ok_or(Unpinned::NoTranslation)?.text().into_owned();
    Ok(with_pin(&text, &compared.languages.pins, &commit))
}

/// Returns a translation and its original.
///
/// # Errors
///
/// If the page has no original, and unless `anyway`, if its code or its sections differ.
pub fn may_be_pinned<'c>(
    compared: &'c TranslationComparison<'_>,
    page: &SitePath,
    anyway: bool,
) -> std::result::Result<&'c Counterpart, Unpinned> {
    let pairs = compared.counterparts.pairs.iter().zip(&compared.states);
    let (pair, state) =
        pairs.into_iter().find(|(pair, _)| pair.translation == *page).ok_or(Unpinned::NoTranslation)?;
    let codes = state.problems.iter().map(|problem| problem.code);
    let codes: Vec<Code> =
        codes.filter(|code| matches!(code, Code::TranslationCode | Code::TranslationStructure)).collect();
    if anyway || codes.is_empty() { Ok(pair) } else { Err(Unpinned::Differs(codes)) }
}

/// Returns the text of a new translation: its original with a pin, and whether it has one. A pin requires that the original is
/// committed without later changes.
pub fn begun(sources: &Sources, languages: &Languages, original: &SitePath) -> Option<(String, bool)> {
    let text = sources.text(original)?.text().into_owned();
    Some(match newest_commit(sources, original) {
        Some(commit) => (with_pin(&text, &languages.pins, &commit), true),
        None => (text, false),
    })
}

/// Updates the pins of edited translations that are up to date after their edits. Returns the number of updated pins.
///
/// # Errors
///
/// If git ends while it is asked.
pub fn move_pins(sources: &Sources, today: Date, edits: &mut [FileEdits]) -> Result<usize> {
    let Some(languages) = sources.languages() else { return Ok(0) };
    let has_pin =
        |it: &FileEdits| languages.pins.iter().any(|key| front_value(&it.fixed.text, key).is_some());
    let is_new = |it: &FileEdits| it.fixed.text != it.before && sources.is_translation(&it.path);
    let mut edited: Vec<&mut FileEdits> = edits.iter_mut().filter(|it| is_new(it) && has_pin(it)).collect();
    if edited.is_empty() {
        return Ok(0);
    }
    let mut after = sources.clone();
    for it in &edited {
        after.lay_over(Text::new(it.path.clone(), it.fixed.text.clone().into_bytes()));
    }
    let is_edited = |path: &SitePath| edited.iter().any(|it| it.path == *path);
    let compare = Compare { today, since: None };
    let Some(compared) = compare_pages(&after, compare, &PageStates::default(), is_edited)? else {
        return Ok(0);
    };
    let mut moved = 0;
    for it in &mut edited {
        let state = compared
            .counterparts
            .pairs
            .iter()
            .zip(&compared.states)
            .find(|(pair, _)| pair.translation == it.path);
        let is_current = state.is_some_and(|(_, state)| state.lag.is_some() && !state.is_behind());
        if let Some(text) = pinned(&after, &compared, &it.path, false)
            .ok()
            .filter(|text| is_current && *text != it.fixed.text)
        {
            it.fixed.text = text;
            moved += 1;
        }
    }
    Ok(moved)
}

/// Returns the commit that last changed an original, if it has no uncommitted changes.
fn newest_commit(sources: &Sources, original: &SitePath) -> Option<String> {
    let log = FileLog::read(&sources.root, &[original.as_str()]);
    let commit = log.commits[log.versions(original.as_str()).first()?.commit].id.clone();
    let now = sources.text(original)?;
    let committed =
        ObjectReader::open(&sources.root).and_then(|mut it| it.read(&format!("{commit}:./{original}")));
    let is_same =
        matches!(committed, Ok(GitObject::Content { bytes, .. }) if blake3::hash(&bytes) == now.hash);
    is_same.then_some(commit)
}

/// Replaces the pin in a text, or adds one with the first of `keys`.
fn with_pin(text: &str, keys: &[String], commit: &str) -> String {
    if let Some(found) = keys.iter().find_map(|key| front_value(text, key)) {
        let written = &text[found.span.clone()];
        return [&text[..found.span.start], &written.replace(&found.value, commit), &text[found.span.end..]]
            .concat();
    }
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let key = keys.first().map_or("default_lang_commit", String::as_str);
    for (fence, value) in [("---", format!("{key}: {commit}")), ("+++", format!("{key} = \"{commit}\""))] {
        let Some(rest) = text.strip_prefix(fence) else { continue };
        let end = rest
            .match_indices(fence)
            .find(|(at, _)| rest[..*at].ends_with('\n'))
            .map(|(at, _)| fence.len() + at);
        if let Some(end) = end {
            return format!("{}{value}{line_end}{}", &text[..end], &text[end..]);
        }
    }
    format!("---{line_end}{key}: {commit}{line_end}---{line_end}{line_end}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_is_replaced_or_added() {
        let keys = ["pin".to_string(), "sourceCommit".to_string()];
        for (text, expected) in [
            ("---\ntitle: x\n---\nText\n", "---\ntitle: x\npin: abc\n---\nText\n"),
            ("---\nsourceCommit: \"12\" # old\n---\n", "---\nsourceCommit: \"abc\" # old\n---\n"),
            ("+++\ntitle = 'x'\n+++\n", "+++\ntitle = 'x'\npin = \"abc\"\n+++\n"),
            ("Text\r\n", "---\r\npin: abc\r\n---\r\n\r\nText\r\n"),
        ] {
            assert_eq!(with_pin(text, &keys, "abc"), expected);
            assert_eq!(with_pin(expected, &keys, "abc"), expected);
        }
    }
}
