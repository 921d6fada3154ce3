//! Sentences that mention a platform, and the words around its name.

use std::collections::HashSet;
use std::ops::Range;

use memchr::memmem;

use base::sort::StableSort as _;
use base::sorted::SortedMap;
use markup::markdown::{Passage, Prose, ProseKind};
use site::content::{Family, Platform, PlatformIx};

/// A sentence that mentions a platform.
#[derive(Debug)]
pub(super) struct Naming<'a> {
    pub(super) sentence: &'a str,
    pub(super) passage: Passage<'a>,
    /// Start of the sentence in the passage.
    pub(super) start: usize,
    /// The mentioned platforms with their ranges in the sentence.
    pub(super) named: SortedMap<PlatformIx, Range<usize>>,
}

/// The names of a family's platforms, which are searched ignoring case.
#[derive(Debug)]
pub(super) struct PlatformNames<'f> {
    pub(super) family: &'f Family,
    /// Well-known names with capitals and in lower case, and IDs. A text without any of them mentions no platform.
    pub(super) forms: Vec<memmem::Finder<'static>>,
    /// In lower case, with their platform. The ID follows the name.
    pub(super) finders: Vec<(PlatformIx, NameKind, memmem::Finder<'static>)>,
}

/// The form of a platform's name, the most certain first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameKind {
    AsKnown,
    InAnotherCase,
    Id,
}

impl<'f> PlatformNames<'f> {
    pub(super) fn of(family: &'f Family) -> Self {
        let finder = |name: &str| memmem::Finder::new(name).into_owned();
        let of = |(at, it): (PlatformIx, &Platform)| {
            let (name, id) = (it.name.to_ascii_lowercase(), it.id.to_ascii_lowercase());
            [(at, NameKind::InAnotherCase, finder(&name)), (at, NameKind::Id, finder(&id))]
        };
        let finders = family.platforms.indexed().flat_map(of);
        let finders: Vec<_> = finders.filter(|(.., finder)| !finder.needle().is_empty()).collect();
        let known = family.platforms.iter().map(|it| finder(&it.name));
        let mut forms: Vec<_> = known.chain(finders.iter().map(|it| it.2.clone())).collect();
        forms.stable_sort_by(|a, b| a.needle().cmp(b.needle()));
        forms.dedup_by(|a, b| a.needle() == b.needle());
        Self { family, forms, finders }
    }

    /// Returns the sorted sentences of a page's prose that mention a platform.
    pub(super) fn in_sentences<'a>(&self, prose: &'a Prose) -> Vec<Naming<'a>> {
        let passages = prose.holding(&self.forms).into_iter();
        let mut naming: Vec<Naming<'_>> = passages.flat_map(|passage| self.sentences(passage)).collect();
        naming.stable_sort_by_key(|it| it.sentence);
        naming
    }

    /// Returns the sentences of a passage that mention a platform.
    pub(super) fn sentences<'a>(&self, passage: Passage<'a>) -> Vec<Naming<'a>> {
        let text = passage.text;
        let lower = text.to_ascii_lowercase();
        let mut places: Vec<(Range<usize>, PlatformIx, NameKind)> = Vec::new();
        for &(platform, kind, ref finder) in &self.finders {
            for start in finder.find_iter(lower.as_bytes()) {
                let place = start..start + finder.needle().len();
                let is_known = text[place.clone()] == self.family.platforms[platform].name;
                let kind = if is_known { NameKind::AsKnown } else { kind };
                if is_word(text, &place) {
                    places.push((place, platform, kind));
                }
            }
        }
        places.sort_unstable_by_key(|(place, ..)| place.start);
        if places.is_empty() {
            return Vec::new();
        }
        let of = |range: Range<usize>| {
            let first = places.partition_point(|(place, ..)| place.start < range.start);
            let mut named: SortedMap<PlatformIx, (NameKind, Range<usize>)> = SortedMap::new();
            for (place, platform, kind) in places[first..].iter().take_while(|it| it.0.start < range.end) {
                let is_surer = named.get(platform).is_none_or(|(known, _)| kind < known);
                if place.end <= range.end && is_surer {
                    let place = place.start - range.start..place.end - range.start;
                    named.insert(*platform, (*kind, place));
                }
            }
            let named: SortedMap<_, _> = named.into_iter().map(|(at, (_, place))| (at, place)).collect();
            let naming = Naming { sentence: &text[range.clone()], passage, start: range.start, named };
            (!naming.named.is_empty()).then_some(naming)
        };
        sentences(text).filter_map(of).collect()
    }
}

/// The words around a platform's name, in lower case.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Context {
    pub(super) before: Vec<String>,
    pub(super) after: Vec<String>,
}

impl Context {
    /// Number of words on each side. Fewer than four in total are too common to identify a sentence.
    const AROUND: usize = 3;
    const FEWEST: usize = 4;

    pub(super) fn of(sentence: &str, word: &Range<usize>) -> Option<Self> {
        let lower = |word: &str| word.to_lowercase();
        let mut before: Vec<String> =
            words_back(&sentence[..word.start]).take(Self::AROUND).map(lower).collect();
        before.reverse();
        // A sentence may begin with the name.
        let most = if before.is_empty() { 2 * Self::AROUND } else { Self::AROUND };
        let after: Vec<String> = words(&sentence[word.end..]).take(most).map(lower).collect();
        (before.len() + after.len() >= Self::FEWEST).then_some(Self { before, after })
    }
}

/// Returns the words around a platform's name on a page, in sentences that mention no other platform.
pub(super) fn contexts(naming: &[Naming<'_>], platform: PlatformIx) -> HashSet<Context> {
    let running = naming.iter().filter(|it| it.passage.kind != ProseKind::Cell);
    running.filter_map(|it| Context::of(it.sentence, it.named.get(&platform)?)).collect()
}

/// Splits a text after each `.`, `!` or `?` that is followed by a space.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = Range<usize>> {
    let ends = memchr::memchr3_iter(b'.', b'!', b'?', text.as_bytes()).map(|at| at + 1);
    let ends = ends.filter(|end| text.as_bytes().get(*end) == Some(&b' ')).chain([text.len()]);
    ends.scan(0, |start, end| Some(std::mem::replace(start, end)..end)).filter_map(|range| {
        let sentence = &text[range.clone()];
        let start = range.start + sentence.len() - sentence.trim_start().len();
        let end = start + sentence.trim().len();
        (start < end).then_some(start..end)
    })
}

/// Whether the range of a text is a complete word.
pub(super) fn is_word(text: &str, place: &Range<usize>) -> bool {
    let ends_word = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    ends_word(text[..place.start].chars().next_back()) && ends_word(text[place.end..].chars().next())
}

pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The same, from the end of the text.
pub(super) fn words_back(text: &str) -> impl Iterator<Item = &str> {
    text.rsplit(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_known_by_the_words_around_a_name_or_by_more_of_them_after_it() {
        let of = |sentence: &str| {
            let start = sentence.find("Web").expect("it is there");
            Context::of(sentence, &(start..start + "Web".len())).map(|it| (it.before.len(), it.after.len()))
        };
        assert_eq!(of("Open the page for Web in your new browser"), Some((3, 3)));
        assert_eq!(of("Web SDK lets you share the screen of a device"), Some((0, 6)));
        assert_eq!(of("Web SDK lets you"), None);
    }
}
