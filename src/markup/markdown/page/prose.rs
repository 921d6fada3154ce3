//! The running text of a page, block by block, with the place of every letter.

use std::ops::Range;

use memchr::memmem;
use serde::{Deserialize, Serialize};

use crate::markup::markdown::span::OffsetMap;

/// The running text of a page without its markup.
///
/// All of it is one text, because a page has a hundred passages: a search of all of them is one search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prose {
    /// Every passage, each followed by a line end.
    pub(in crate::markup::markdown) text: String,
    /// Parts of `text`, ascending.
    pub(in crate::markup::markdown) passages: Vec<(ProseKind, Range<usize>)>,
    /// Which parts of `text` are code, ascending.
    pub(in crate::markup::markdown) code: Vec<Range<usize>>,
    /// Which parts of `text` are the texts of images, ascending.
    pub(in crate::markup::markdown) alts: Vec<Range<usize>>,
    pub(in crate::markup::markdown) map: OffsetMap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProseKind {
    Text,
    Heading,
    Cell,
}

/// The text of a paragraph, a heading, a list item or a cell.
#[derive(Clone, Copy, Debug)]
pub struct Passage<'a> {
    pub kind: ProseKind,
    /// As written, mojibake included; a line end is a blank.
    pub text: &'a str,
    /// Where it begins in the text of `prose`.
    start: usize,
    prose: &'a Prose,
}

impl Prose {
    /// Replaces the places in a text by those in the file that `map` has for them.
    pub(in crate::markup::markdown) fn relocate(&mut self, map: &OffsetMap) {
        self.map = self.map.through(map, self.text.len());
    }

    /// Every passage, each followed by a line end.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn iter(&self) -> impl Iterator<Item = Passage<'_>> {
        (0..self.passages.len()).map(|at| self.passage(at))
    }

    fn passage(&self, at: usize) -> Passage<'_> {
        let (kind, range) = &self.passages[at];
        Passage { kind: *kind, text: &self.text[range.clone()], start: range.start, prose: self }
    }

    /// The passages that hold one of some texts, in their order.
    pub fn holding(&self, texts: &[memmem::Finder<'_>]) -> Vec<Passage<'_>> {
        let mut holding = Vec::new();
        for finder in texts {
            let mut at = 0;
            while let Some(found) = finder.find(&self.text.as_bytes()[at..]) {
                let passage = self.passages.partition_point(|(_, range)| range.end <= at + found);
                let Some((_, range)) = self.passages.get(passage) else { break };
                holding.push(passage);
                at = range.end;
            }
        }
        holding.sort_unstable();
        holding.dedup();
        holding.into_iter().map(|at| self.passage(at)).collect()
    }

    /// How many words there are.
    pub(in crate::markup::markdown) fn words(&self) -> usize {
        // Between passages are line ends.
        count_words(&self.text)
    }
}

impl Passage<'_> {
    /// Where a part of `text` is in the file.
    pub fn span(&self, part: Range<usize>) -> Range<usize> {
        self.prose.map.range(self.place(&part))
    }

    /// The text without those of images.
    pub fn without_images(&self) -> String {
        let mut text = String::with_capacity(self.text.len());
        let whole = self.place(&(0..self.text.len()));
        let mut start = whole.start;
        for alt in meeting(&self.prose.alts, &whole) {
            text.push_str(&self.prose.text[start..alt.start]);
            start = alt.end;
        }
        text + &self.prose.text[start..whole.end]
    }

    /// Whether a part of `text` is code, even in part.
    pub fn is_code(&self, part: &Range<usize>) -> bool {
        meeting(&self.prose.code, &self.place(part)).next().is_some()
    }

    /// A part of `text` as one of the whole prose.
    pub fn place(&self, part: &Range<usize>) -> Range<usize> {
        self.start + part.start..self.start + part.end
    }
}

/// As many as [`str::split_whitespace`] gives.
fn count_words(text: &str) -> usize {
    let bytes = text.as_bytes();
    // White space beyond blanks and line ends is control characters, or begins with one of these four bytes.
    let is_plain = |byte: u8| !matches!(byte, 0..=0x09 | 0x0b..=0x1f | 0xc2 | 0xe1..=0xe3);
    if bytes.is_empty() || !bytes.iter().fold(true, |plain, byte| plain & is_plain(*byte)) {
        return text.split_whitespace().count();
    }
    // In most texts a word begins at each letter behind a blank or a line end, and sums that fit a byte are made many
    // at a time.
    let begins = |(before, letter): (&u8, &u8)| u8::from(*before <= b' ' && *letter > b' ');
    let pairs = bytes.chunks(255).zip(bytes[1..].chunks(255));
    let behind_blanks = pairs.map(|(before, letters)| before.iter().zip(letters).map(begins).sum::<u8>());
    usize::from(bytes[0] > b' ') + behind_blanks.map(usize::from).sum::<usize>()
}

/// Those of ascending ranges that overlap with another.
fn meeting<'a>(ranges: &'a [Range<usize>], other: &Range<usize>) -> impl Iterator<Item = &'a Range<usize>> {
    let first = ranges.partition_point(|range| range.end <= other.start);
    let end = other.end;
    ranges[first..].iter().take_while(move |range| range.start < end)
}

impl Prose {
    /// Removes everything from `start` on.
    pub(in crate::markup::markdown) fn truncate(&mut self, start: usize) {
        self.text.truncate(start);
        self.map.truncate(start);
        for ranges in [&mut self.code, &mut self.alts] {
            while ranges.pop_if(|range| range.start >= start).is_some() {}
        }
    }
}
