//! Extracts notes, tabs and hand-written navigation before the Markdown parser sees the page.
//!
//! CommonMark treats `<aside>` as raw HTML up to the next blank line, and indented text after that as code. Authors
//! mean a box that contains Markdown. Therefore each note is cut out, a comment marks its position, and its dedented
//! body becomes a separate [`Fragment`]. `<tabs>` and each `<tab>` are boxes of the same kind. Hand-written previous
//! and next links are removed because the site generates its own.
//!
//! This is also where the platform is applied: the content of a `:::platform` block is included or removed, and
//! variables are replaced with their values. The parser sees the page of one platform.
//!
//! Code stays as it is, except for variables: fenced and indented blocks, code spans, comments, `<pre>` and similar
//! elements. If a comment or one of these isn't closed, it ends with its paragraph instead of the page.

mod attributes;
mod fragment;
mod mark;
mod navigation;
mod pair;
mod rebuild;
mod scan;
mod switcher;

use std::ops::Range;

pub(in crate::markdown) use self::attributes::BlockAttribute;
pub(in crate::markdown) use self::fragment::{CutNote, Enclosure, Fragment, PLACEHOLDER};
use self::mark::{Cut, CutKind};
use self::navigation::widen;
pub(in crate::markdown) use self::pair::LONE_TAB;
use self::pair::{nested, pair_up, without_blocks};
use self::rebuild::{Builder, Frame};
use self::scan::Scanner;
use crate::edition::{Edition, Mention};
use crate::markdown::page::{HandWritten, PlatformBlock, Switcher};
use crate::markdown::span::OffsetMap;
use base::diagnostic::Problem;
use base::sort::StableSort as _;

/// The parts that were extracted from a page.
#[derive(Debug, Default)]
pub(in crate::markdown) struct Extracted<'a> {
    pub(in crate::markdown) page: Fragment<'a>,
    pub(in crate::markdown) navigation: Vec<HandWritten>,
    pub(in crate::markdown) switchers: Vec<Switcher>,
    pub(in crate::markdown) platform_blocks: Vec<PlatformBlock>,
    /// Ranges for which other words are shown than in the source.
    pub(in crate::markdown) replaced: Vec<Range<usize>>,
    pub(in crate::markdown) problems: Vec<Problem>,
}

/// Extracts notes and navigation from `text`, a complete file, starting at the offset `start`.
pub(in crate::markdown) fn extract<'a>(text: &'a str, start: usize, edition: &Edition) -> Extracted<'a> {
    let mut scanner = Scanner::new(text, start, edition);
    let mut mentions: Vec<Mention<'_>> = edition.mentions(text, start).collect();
    mentions.extend(nulls(text, start));
    mentions.stable_sort_by_key(|mention| mention.span.start);
    if !scanner.is_needed() && mentions.is_empty() {
        let page =
            Fragment { text: text[start..].into(), map: OffsetMap::starting_at(start), notes: Vec::new() };
        return Extracted { page, ..Extracted::default() };
    }
    scanner.run();
    let Scanner { marks, mut navigation, mut switchers, platform_blocks, .. } = scanner;
    let Scanner { cuts: mut kept, mut problems, open_fence, .. } = scanner;
    let mut cuts = pair_up(text, start, marks, open_fence, &mut problems);
    cuts.append(&mut kept);
    let removed = widen(text, start, navigation.iter().map(|link| link.span.clone()).collect());
    for link in &mut navigation {
        let after = removed.partition_point(|span| span.start <= link.span.start);
        link.removal = removed[after.checked_sub(1).expect("removals are made from links")].clone();
    }
    cuts.extend(removed.into_iter().map(|span| Cut { span, what: CutKind::Nothing }));
    cuts.extend(switchers.iter().map(|it| Cut { span: it.span.clone(), what: CutKind::Nothing }));
    cuts.stable_sort_by_key(|cut| (cut.span.start, std::cmp::Reverse(cut.span.end)));
    let cuts = nested(text, cuts);
    let mut hidden: Vec<Range<usize>> = Vec::new();
    for block in cuts.iter().filter(|cut| cut.is_hidden()) {
        // Sorted by start. A range inside another adds nothing.
        if hidden.last().is_none_or(|before| before.end < block.span.end) {
            hidden.push(block.span.clone());
        }
    }
    let is_shown = |place: &Range<usize>| {
        let after = hidden.partition_point(|block| block.start <= place.start);
        after.checked_sub(1).is_none_or(|before| hidden[before].end < place.end)
    };
    navigation.retain(|link| is_shown(&link.span));
    switchers.retain(|it| is_shown(&it.span));
    let undefined = mentions.iter().filter(|mention| mention.word.is_none() && is_shown(&mention.span));
    problems.extend(undefined.map(|it| edition.undefined_variable(it.span.clone(), it.name)));
    let cuts = without_blocks(text, cuts);
    let page =
        Builder { text, cuts: &cuts, mentions: &mentions }.fragment(start..text.len(), &Frame::default());
    let replaced = mentions.into_iter().filter(|mention| mention.word.is_some()).map(|it| it.span).collect();
    Extracted { page, navigation, switchers, platform_blocks, replaced, problems }
}

/// Returns the ranges in `text` that must not be split: fenced code, notes and blocks. They are sorted and don't
/// contain each other.
pub fn wholes(text: &str) -> Vec<Range<usize>> {
    let edition = Edition::default();
    let mut scanner = Scanner::new(text, 0, &edition);
    scanner.run();
    let Scanner { marks, open_fence, fences, .. } = scanner;
    let cuts = pair_up(text, 0, marks, open_fence, &mut Vec::new());
    let blocks = cuts.into_iter().filter(|cut| !matches!(cut.what, CutKind::Nothing | CutKind::End(_)));
    let open_fence = open_fence.map(|start| start..text.len());
    let mut wholes: Vec<Range<usize>> = fences.into_iter().chain(open_fence).collect();
    wholes.extend(blocks.map(|cut| cut.span));
    wholes.stable_sort_by_key(|whole| (whole.start, std::cmp::Reverse(whole.end)));
    wholes.dedup_by(|inner, outer| inner.end <= outer.end);
    wholes
}

/// Returns the null characters, which are shown as U+FFFD: CommonMark 0.31, "Insecure characters".
fn nulls<'t>(text: &str, start: usize) -> impl Iterator<Item = Mention<'t>> {
    memchr::memchr_iter(0, &text.as_bytes()[start..]).map(move |at| Mention {
        span: start + at..start + at + 1,
        name: "",
        word: Some("\u{fffd}"),
    })
}
