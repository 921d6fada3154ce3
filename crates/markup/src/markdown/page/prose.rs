//! The running text of a page, by block, with the range of every character.

use std::ops::Range;

use memchr::memmem;
use serde::{Deserialize, Serialize};

use crate::markdown::span::OffsetMap;

/// The running text of a page without its markup.
///
/// All passages are in one text, so that one search covers all of them. A page has about a hundred.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prose {
    /// All passages, each followed by a line end.
    pub(in crate::markdown) text: String,
    /// Ranges in `text`, ascending.
    pub(in crate::markdown) passages: Vec<(ProseKind, Range<usize>)>,
    /// Ranges of code in `text`, ascending.
    pub(in crate::markdown) code: Vec<Range<usize>>,
    /// Ranges of images' alternative texts in `text`, ascending.
    pub(in crate::markdown) alts: Vec<Range<usize>>,
    pub(in crate::markdown) map: OffsetMap,
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
    /// Original text, including mojibake. A line end becomes a space.
    pub text: &'a str,
    /// Its start in the text of `prose`.
    start: usize,
    prose: &'a Prose,
}

impl Prose {
    /// Converts ranges in a text to ranges in the file, with `map`.
    pub(in crate::markdown) fn relocate(&mut self, map: &OffsetMap) {
        self.map = self.map.through(map, self.text.len());
    }

    /// Returns all passages, each followed by a line end.
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

    /// Returns the passages that contain one of the texts, in order.
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

    /// Number of words.
    pub(in crate::markdown) fn words(&self) -> usize {
        // Passages are separated by line ends.
        count_words(&self.text)
    }
}

impl Passage<'_> {
    /// Converts a part of `text` to a range in the file.
    pub fn span(&self, part: Range<usize>) -> Range<usize> {
        self.prose.map.range(self.place(&part))
    }

    /// Returns the text without images' alternative texts.
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

    /// Whether any part of this range in `text` is code.
    pub fn is_code(&self, part: &Range<usize>) -> bool {
        meeting(&self.prose.code, &self.place(part)).next().is_some()
    }

    /// Converts a range in `text` to a range in the complete prose.
    pub fn place(&self, part: &Range<usize>) -> Range<usize> {
        self.start + part.start..self.start + part.end
    }
}

/// Counts words like [`str::split_whitespace`].
fn count_words(text: &str) -> usize {
    let bytes = text.as_bytes();
    // Other white space than spaces and line ends is a control character, or begins with one of these four bytes.
    let is_plain = |byte: u8| !matches!(byte, 0..=0x09 | 0x0b..=0x1f | 0xc2 | 0xe1..=0xe3);
    if bytes.is_empty() || !bytes.iter().fold(true, |plain, byte| plain & is_plain(*byte)) {
        return text.split_whitespace().count();
    }
    // In most texts, a word begins at each letter after a space or a line end. Sums that fit into a byte are
    // vectorized.
    let begins = |(before, letter): (&u8, &u8)| u8::from(*before <= b' ' && *letter > b' ');
    let pairs = bytes.chunks(255).zip(bytes[1..].chunks(255));
    let behind_blanks = pairs.map(|(before, letters)| before.iter().zip(letters).map(begins).sum::<u8>());
    usize::from(bytes[0] > b' ') + behind_blanks.map(usize::from).sum::<usize>()
}

/// Returns those of the ascending ranges that overlap with another range.
fn meeting<'a>(ranges: &'a [Range<usize>], other: &Range<usize>) -> impl Iterator<Item = &'a Range<usize>> {
    let first = ranges.partition_point(|range| range.end <= other.start);
    let end = other.end;
    ranges[first..].iter().take_while(move |range| range.start < end)
}

impl Prose {
    /// Removes everything from `start` on.
    pub(in crate::markdown) fn truncate(&mut self, start: usize) {
        self.text.truncate(start);
        self.map.truncate(start);
        for ranges in [&mut self.code, &mut self.alts] {
            while ranges.pop_if(|range| range.start >= start).is_some() {}
        }
    }
}
