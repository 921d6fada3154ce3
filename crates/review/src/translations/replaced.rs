//! Finds code and links for which the original has others at the same place, without the history of the original.
//!
//! Code is the same in every language. If a section of a translation has exactly one name or line of code that the original has nowhere, and
//! the original's section one that the translation has nowhere, the original was changed after it was translated, or the translator
//! changed the code.

use std::ops::Range;

use super::code::{bare, is_compared, is_same_but_texts};
use base::diagnostic::{Diagnostic, Problem};
use base::items::only;
use base::site_path::SitePath;
use base::sorted::{SortedMap, SortedSet};
use input::languages::{LanguageIx, SiteLanguage};
use site::languages::{Counterpart, Sketch, SketchPair, SketchSection};

/// Minimum length of a name in code.
const SHORTEST: usize = 3;

/// An element of a translation, and the one that the original has instead.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Replaced<'a> {
    pub(super) kind: ReplacedKind,
    /// Range in the translation of the element, or of the block with it.
    pub(super) span: Range<usize>,
    pub(super) old: &'a str,
    pub(super) new: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplacedKind {
    Code,
    Link,
}

/// The data of these findings: whether the elements differ only in digits, so that no translator chose another name.
pub(super) const REPLACED: &str = "only_digits";

impl Replaced<'_> {
    /// Returns the new and the old element, from the word before their first difference on if they are long.
    pub(super) fn differing(&self) -> (String, String) {
        const LONG: usize = 40;
        let pairs = self.new.chars().zip(self.old.chars()).take_while(|(one, other)| one == other);
        let same: usize = pairs.map(|(letter, _)| letter.len_utf8()).sum();
        let mut words = self.new[..same].rmatch_indices(' ').map(|(at, _)| at + 1).skip(1);
        match words.next().filter(|at| *at > 0 && self.new.len().max(self.old.len()) > LONG) {
            Some(at) => (format!("…{}", &self.new[at..]), format!("…{}", &self.old[at..])),
            None => (self.new.to_string(), self.old.to_string()),
        }
    }

    pub(super) fn has_other_digits(&self) -> bool {
        let without = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
        without(self.old) == without(self.new)
    }
}

/// Returns the findings about such elements that several languages share, or that differ only in digits. `pages` are the translations
/// with their findings.
pub(super) fn shared<'p>(
    pages: impl Iterator<Item = (&'p Counterpart, &'p [Problem])> + Clone,
    is_wanted: impl Fn(LanguageIx) -> bool,
) -> Vec<Diagnostic> {
    let mut languages: SortedMap<(&SitePath, &str), SortedSet<LanguageIx>> = SortedMap::new();
    for (pair, problems) in pages.clone() {
        for it in problems {
            languages.entry((&pair.original, &it.message)).or_default().insert(pair.language);
        }
    }
    let is_shared = |pair: &Counterpart, it: &Problem| {
        it.data.get(REPLACED).is_some_and(|it| *it == true)
            || languages.get(&(&pair.original, it.message.as_str())).is_some_and(|it| it.len() > 1)
    };
    let mut found = Vec::new();
    for (pair, problems) in pages.filter(|(pair, _)| is_wanted(pair.language)) {
        // The same name may be in several sections.
        let mut messages: SortedSet<&str> = SortedSet::new();
        let shared = problems.iter().filter(|it| is_shared(pair, it) && messages.insert(&it.message));
        found.extend(shared.map(|it| it.clone().at(&pair.translation)));
    }
    found
}

/// Returns the differences between an original and its translation with this text, in the order of the sections.
pub(super) fn replaced<'a>(
    original: &'a Sketch,
    (translation, text): (&'a Sketch, &str),
    pairs: &[SketchPair],
    language: &SiteLanguage,
) -> Vec<Replaced<'a>> {
    let (all, there) = (Elements::of(original), Elements::of(translation));
    let mut found = Vec::new();
    for pair in pairs {
        let (one, other) = (&original.sections[pair.one], &translation.sections[pair.other]);
        let section = translation.start_of(pair.other)..translation.end_of(pair.other, text);
        let place = |old: &str| {
            let at = text.get(section.clone())?.find(old)? + section.start;
            Some(at..at + old.len())
        };
        let (new, old) = (there.missing(names(one)), all.missing(names(other)));
        let names = only(new).zip(only(old)).filter(|(new, old)| {
            are_names_alike(new, old) && are_at_one_place((names(one), new), (names(other), old))
        });
        let (new, old) = (there.missing(lines(one)), all.missing(lines(other)));
        let lines = only(new).zip(only(old)).filter(|(new, old)| {
            are_lines_alike(new, old) && are_at_one_place((lines(one), new), (lines(other), old))
        });
        let (new, old) = (there.missing(urls(one)), all.missing(urls(other)));
        let urls = only(new).zip(only(old)).filter(|(new, old)| !are_versions(new, old, language));
        let kinds = [(ReplacedKind::Code, names), (ReplacedKind::Code, lines), (ReplacedKind::Link, urls)];
        for (kind, (new, old)) in kinds.into_iter().filter_map(|(kind, pair)| Some((kind, pair?))) {
            found.extend(place(old).map(|span| Replaced { kind, span, old, new }));
        }
    }
    found
}

/// The code and links of a page.
struct Elements<'a> {
    known: SortedSet<&'a str>,
    code: Vec<&'a str>,
}

impl<'a> Elements<'a> {
    fn of(page: &'a Sketch) -> Self {
        let known = page.sections.iter().flat_map(|it| names(it).chain(lines(it)).chain(urls(it))).collect();
        let code = page.sections.iter().flat_map(|it| &it.code).map(|it| it.code.as_str()).collect();
        Self { known, code }
    }

    /// Returns the elements that the page doesn't have, each once.
    fn missing(&self, elements: impl Iterator<Item = &'a str>) -> SortedSet<&'a str> {
        let is_known = |it: &&str| self.known.contains(it) || self.code.iter().any(|code| code.contains(it));
        elements.filter(|it| !is_known(it)).collect()
    }
}

/// Returns the names in inline code that no translator translates: with signs between their letters, and without spaces.
fn names(section: &SketchSection) -> impl Iterator<Item = &str> {
    let is_name = |it: &&str| {
        it.len() >= SHORTEST
            && it.is_ascii()
            && it.contains(|c: char| c.is_ascii_alphabetic())
            && it.contains(['.', '_', '(', '=', ':', '@'])
            && !it.contains(['<', '>', '"', '\'', '…'])
    };
    section.neutral_names().filter(is_name)
}

/// Returns the lines of code blocks without comments.
fn lines(section: &SketchSection) -> impl Iterator<Item = &str> {
    let blocks = section.code.iter().filter(|block| is_compared(&block.language));
    blocks.flat_map(|block| bare(&block.code)).map(str::trim).filter(|line| line.is_ascii())
}

/// Returns the absolute URLs of links.
fn urls(section: &SketchSection) -> impl Iterator<Item = &str> {
    let links = section.links.iter().map(|link| link.target.as_str());
    links.filter(|target| target.starts_with("https://") || target.starts_with("http://"))
}

/// Whether as many elements of their sections precede two elements.
fn are_at_one_place<'a>(
    (mut ones, one): (impl Iterator<Item = &'a str>, &str),
    (mut others, other): (impl Iterator<Item = &'a str>, &str),
) -> bool {
    ones.position(|it| it == one) == others.position(|it| it == other)
}

/// Whether two names begin or end alike, such as names of files with the same ending.
fn are_names_alike(one: &str, other: &str) -> bool {
    const FEWEST: usize = 3;
    let start = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let end = one.bytes().rev().zip(other.bytes().rev()).take_while(|(a, b)| a == b).count();
    start.max(end) >= FEWEST
}

/// Whether two lines have half of their words in common, and differ in more than comments and quoted texts.
fn are_lines_alike(one: &str, other: &str) -> bool {
    let words = |line: &'_ str| -> SortedSet<String> {
        let words = line.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_string).collect()
    };
    let (ours, theirs) = (words(one), words(other));
    2 * ours.intersection(&theirs).count() >= ours.len().max(theirs.len()) && !is_same_but_texts(one, other)
}

/// Whether two URLs may be those of one page in two languages: of other hosts, or with a language in one of them.
fn are_versions(new: &str, old: &str, language: &SiteLanguage) -> bool {
    let tag = language.tag.as_str().to_ascii_lowercase();
    let short = tag.split('-').next().unwrap_or(&tag).to_string();
    let has_language = |url: &str| {
        let mut parts = url.split(['/', '.', '=', '?', '&', '#', '-', '_']).map(str::to_ascii_lowercase);
        parts.any(|part| part == short)
    };
    let host = |url: &'_ str| url.split('/').nth(2).map(str::to_ascii_lowercase);
    host(new) != host(old) || has_language(new) || has_language(old)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_several_bytes_that_start_alike_are_different() {
        let differing =
            |new: &str, old: &str| Replaced { kind: ReplacedKind::Link, span: 0..0, old, new }.differing();
        assert_eq!(differing("./ä.md", "./ö.md"), ("./ä.md".to_string(), "./ö.md".to_string()));
    }
}
