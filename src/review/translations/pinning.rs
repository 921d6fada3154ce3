//! Pins a translation to the current original.

use super::TranslationComparison;
use crate::base::diagnostic::Code;
use crate::base::site_path::SitePath;
use crate::input::source::Sources;
use crate::input::source::git::{FileLog, GitObject, ObjectReader};
use crate::site::languages::front_value;

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
) -> Result<String, Unpinned> {
    let pairs = compared.counterparts.pairs.iter().zip(&compared.states);
    let (pair, state) =
        pairs.into_iter().find(|(pair, _)| pair.translation == *page).ok_or(Unpinned::NoTranslation)?;
    let codes = state.problems.iter().map(|problem| problem.code);
    let codes: Vec<Code> =
        codes.filter(|code| matches!(code, Code::TranslationCode | Code::TranslationStructure)).collect();
    if !anyway && !codes.is_empty() {
        return Err(Unpinned::Differs(codes));
    }
    let original = pair.original.as_str();
    let log = FileLog::read(&sources.root, &[original]);
    let commit = log.versions(original).first().map(|version| log.commits[version.commit].id.clone());
    let commit = commit.ok_or(Unpinned::NoCommit)?;
    let now = sources.text(&pair.original).ok_or(Unpinned::NoTranslation)?;
    let committed =
        ObjectReader::open(&sources.root).and_then(|mut it| it.read(&format!("{commit}:./{original}")));
    let is_committed =
        matches!(committed, Ok(GitObject::Content { bytes, .. }) if blake3::hash(&bytes) == now.hash);
    if !is_committed {
        return Err(Unpinned::NoCommit);
    }
    let text = sources.text(page).ok_or(Unpinned::NoTranslation)?.text().into_owned();
    Ok(with_pin(&text, &compared.languages.pins, &commit))
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
