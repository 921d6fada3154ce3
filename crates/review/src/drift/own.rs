//! Recognizes content that a version describes in its own way, so that nothing is missing.
//!
//! Platforms that are found by the names of their folders and files often have pages with the same name and other
//! content. A gap in such a page isn't one if other content fills it. All of this is about two versions, as all facts are.

use super::names::stems;
use base::hash::{HashMap, HashSet};
use base::index::IndexVec;
use base::sorted::{SortedMap, SortedSet};
use site::family::VersionIx;
use site::family::compare::{Comparison, Pairing};
use site::family::outline::{BlockIx, Outline, Section, SectionIx};
use site::family::words::ratio;

/// Minimum share of sections and texts that two pages have in common. Below it, they are different pages.
const RELATED: f64 = 0.2;

/// Number of sections and texts of two pages up to which they are always compared.
const SHORT: usize = 8;

/// Maximum number of sections and texts of a page that says only that it isn't written yet.
const STUB: usize = 3;

/// Minimum share of texts that two sections have in common, so that their code and images can be compared.
const ALIKE: f64 = 0.5;

/// Number of letters in which forms of a word are the same: `install` and `installation`.
pub(super) const FORM: usize = 6;

/// Part of the words that replace a gap.
const FILLS: usize = 3;

/// Returns the pairs of versions that are compared: those with enough in common, directly or through others. A page with
/// almost nothing on it lacks what others have in common.
pub(super) fn related(
    outlines: &IndexVec<VersionIx, Outline<'_>>,
    comparisons: &SortedMap<(VersionIx, VersionIx), Comparison>,
) -> SortedSet<(VersionIx, VersionIx)> {
    let mut groups: IndexVec<VersionIx, VersionIx> = outlines.indices().collect();
    let alike: Vec<(VersionIx, VersionIx)> = comparisons
        .iter()
        .filter(|((a, b), comparison)| are_alike(comparison, &outlines[*a], &outlines[*b]))
        .map(|(pair, _)| *pair)
        .collect();
    for (a, b) in &alike {
        let (from, to) = (groups[*b], groups[*a]);
        groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
    }
    let has_others = |version: VersionIx| alike.iter().any(|(a, b)| *a == version || *b == version);
    let is_stub = |version: VersionIx| contents(&outlines[version]) <= STUB;
    let is_related = |&(a, b): &(VersionIx, VersionIx)| {
        groups[a] == groups[b] || is_stub(a) && has_others(b) || is_stub(b) && has_others(a)
    };
    comparisons.keys().copied().filter(is_related).collect()
}

/// Number of sections and texts.
fn contents(outline: &Outline<'_>) -> usize {
    outline.sections.len() - 1 + outline.blocks().len()
}

/// Whether two pages have enough in common to be compared.
fn are_alike(comparison: &Comparison, a: &Outline<'_>, b: &Outline<'_>) -> bool {
    let sections = comparison.sections.same.iter().chain(&comparison.sections.differing);
    // The parts before the first heading always match.
    let sections = sections.count() - 1;
    let [texts_a, texts_b] = paired(&comparison.blocks);
    let all = contents(a) + contents(b);
    let texts = texts_a.len() + texts_b.len();
    all <= SHORT || ratio(2 * sections + texts, all) >= RELATED
}

/// Returns the paired items of both sides.
fn paired<I: Copy + Ord>(pairing: &Pairing<I>) -> [SortedSet<I>; 2] {
    let pairs = || pairing.same.iter().chain(&pairing.differing);
    [pairs().map(|pair| pair.0).collect(), pairs().map(|pair| pair.1).collect()]
}

/// The titles and texts that most versions of a step have, which nothing replaces.
pub(super) struct Common<'o> {
    titles: HashSet<&'o str>,
    texts: HashSet<&'o str>,
}

impl<'o> Common<'o> {
    pub(super) fn of(outlines: &'o IndexVec<VersionIx, Outline<'_>>) -> Self {
        let titles = |outline: &'o Outline<'_>| -> HashSet<&'o str> {
            outline.sections.iter().skip(1).map(|section| section.title.words().key()).collect()
        };
        let texts = |outline: &'o Outline<'_>| -> HashSet<&'o str> {
            outline.blocks().iter().map(|block| block.words.key()).collect()
        };
        // Two platforms may share a text by chance of their history, but hardly a section.
        Self {
            titles: in_most(outlines.iter().map(titles), 2),
            texts: in_most(outlines.iter().map(texts), 3),
        }
    }
}

/// Returns the items of two thirds of several lists, and of at least this number.
fn in_most<'o>(lists: impl Iterator<Item = HashSet<&'o str>>, fewest: usize) -> HashSet<&'o str> {
    let mut counts: HashMap<&str, usize> = HashMap::default();
    let mut all = 0;
    for item in lists.inspect(|_| all += 1).flatten() {
        *counts.entry(item).or_default() += 1;
    }
    counts
        .into_iter()
        .filter(|(_, count)| all > 2 && *count >= fewest && 3 * count >= 2 * all)
        .map(|(item, _)| item)
        .collect()
}

/// Removes gaps that the other version fills with content of its own.
pub(super) fn forget_filled_gaps(
    comparison: &mut Comparison,
    a: &Outline<'_>,
    b: &Outline<'_>,
    common: &Common<'_>,
) {
    let outlines = [a, b];
    let slots = [0, 1].map(|side| Slots::of(comparison, outlines[side], side));
    // If a section lacks texts, these lack their images.
    let lacks = [0, 1].map(|side: usize| {
        let section = |text: &BlockIx| outlines[side].blocks()[*text].section;
        comparison.blocks.only[side].iter().map(section).collect::<SortedSet<SectionIx>>()
    });
    for side in [0, 1] {
        let (own, other) = (&slots[side], &slots[1 - side]);
        let title = |section: SectionIx| outlines[side].sections[section].title.words().key();
        let text = |text: BlockIx| outlines[side].blocks()[text].words.key();
        // A common title is replaced only by a similar one.
        let is_replaced = |section: &SectionIx| {
            own.is_section_filled(*section, other)
                && (!common.titles.contains(title(*section))
                    || own.has_akin(*section, other, [outlines[side], outlines[1 - side]]))
        };
        let stays = |section: &SectionIx| {
            !has_like_title(outlines[side], *section, outlines[1 - side])
                && !is_replaced(section)
                && !is_repeated(outlines[side], *section, outlines[1 - side])
        };
        comparison.sections.only[side].retain(stays);
        let stays =
            |block: &BlockIx| common.texts.contains(text(*block)) || !own.is_text_filled(*block, other);
        comparison.blocks.only[side].retain(stays);
    }
    let alike = alike_sections(comparison, a, b);
    let is_alike = |pair: &(SectionIx, SectionIx)| alike.contains(pair);
    let is_complete =
        |(one, other): &(SectionIx, SectionIx)| !lacks[0].contains(one) && !lacks[1].contains(other);
    let is_same_below =
        |(one, other): &(SectionIx, SectionIx)| images_below(a, *one) == images_below(b, *other);
    comparison.images.differing.retain(|pair| is_alike(pair) && is_complete(pair) && !is_same_below(pair));
    let of_a: SortedSet<SectionIx> = alike.iter().map(|pair| pair.0).collect();
    let of_b: SortedSet<SectionIx> = alike.iter().map(|pair| pair.1).collect();
    comparison.code.only[0].retain(|section| of_a.contains(section));
    comparison.code.only[1].retain(|section| of_b.contains(section));
}

/// Whether another version has a section with nearly the same title, which may have another level, or one of the pages has this title.
fn has_like_title(own: &Outline<'_>, section: SectionIx, other: &Outline<'_>) -> bool {
    let title_of_page = &own.sections[SectionIx::TOP].title;
    let own = &own.sections[section].title;
    let title = stems(&own.shown);
    let form = |word: &String| word.chars().take(FORM).collect::<String>();
    let is_long = |word: &&String| word.chars().count() >= FORM;
    let has_form = |there: &SortedSet<String>| {
        let mut forms = title.iter().filter(is_long).map(form);
        title.len() == 1 && forms.any(|wanted| there.iter().any(|word| form(word) == wanted))
    };
    // Titles such as "Example" occur several times, so one of them may be missing.
    let is_like = |it: &Section<'_>| {
        !own.is_same(&it.title) && {
            let there = stems(&it.title.shown);
            let has_all = title.len() > 1 && title.is_subset(&there) || has_form(&there);
            own.says_same(&it.title) || !title.is_empty() && (title == there || has_all)
        }
    };
    let repeats_title = own.says_same(title_of_page) || own.says_same(&other.sections[SectionIx::TOP].title);
    repeats_title || other.sections.iter().skip(1).any(is_like)
}

/// Whether an earlier section of the page has the same title and the same title before or after it, as the tabs of two languages,
/// and the other version has it once.
fn is_repeated(own: &Outline<'_>, section: SectionIx, other: &Outline<'_>) -> bool {
    let title = |at: SectionIx| own.sections.get(at).filter(|_| at != SectionIx::TOP).map(|it| &it.title);
    let is_same = |one: SectionIx, other: SectionIx| {
        title(one).zip(title(other)).is_some_and(|(one, other)| one.is_same(other))
    };
    let is_run = |earlier: SectionIx| {
        is_same(earlier, section)
            && (is_same(earlier.before(), section.before()) || is_same(earlier + 1, section + 1))
    };
    let is_there = other.sections.iter().any(|it| own.sections[section].title.is_same(&it.title));
    is_there && own.sections.indices().skip(1).take_while(|at| *at < section).any(is_run)
}

/// Number of images of a section and of the sections below it.
fn images_below(outline: &Outline<'_>, section: SectionIx) -> usize {
    outline.with_subsections(section).map(|at| outline.sections[at].images.len()).sum()
}

/// Returns the matching sections with enough texts in common.
fn alike_sections(
    comparison: &Comparison,
    a: &Outline<'_>,
    b: &Outline<'_>,
) -> SortedSet<(SectionIx, SectionIx)> {
    let [texts_a, texts_b] = paired(&comparison.blocks);
    let of = |outline: &Outline<'_>, texts: &SortedSet<BlockIx>, section: SectionIx| {
        let of_section = outline.blocks().indexed().filter(|(_, block)| block.section == section);
        of_section.fold((0, 0), |(all, common), (at, _)| (all + 1, common + usize::from(texts.contains(&at))))
    };
    let sections = comparison.sections.same.iter().chain(&comparison.sections.differing).copied();
    let is_alike = |&(one, other): &(SectionIx, SectionIx)| {
        let ((all_a, common_a), (all_b, common_b)) = (of(a, &texts_a, one), of(b, &texts_b, other));
        all_a + all_b == 0 || ratio(common_a + common_b, all_a + all_b) >= ALIKE
    };
    sections.filter(is_alike).collect()
}

/// The place of unmatched content: after these matching sections, and in them after these matching texts.
type Slot = ((SectionIx, SectionIx), Option<(BlockIx, BlockIx)>);

/// The unmatched content of one version by its place, with numbers of words.
struct Slots {
    sections: SortedMap<(SectionIx, SectionIx), usize>,
    texts: SortedMap<Slot, usize>,
    slot_of_section: SortedMap<SectionIx, (SectionIx, SectionIx)>,
    slot_of_text: SortedMap<BlockIx, Slot>,
}

impl Slots {
    fn of(comparison: &Comparison, outline: &Outline<'_>, side: usize) -> Self {
        let pairs = comparison.sections.same.iter().chain(&comparison.sections.differing);
        let matching: SortedMap<SectionIx, (SectionIx, SectionIx)> =
            pairs.map(|pair| ([pair.0, pair.1][side], *pair)).collect();
        let before = |section: SectionIx| {
            matching.iter().take_while(|(at, _)| **at <= section).last().map(|(_, pair)| *pair)
        };
        let words = |section: SectionIx| -> usize {
            let texts = outline.blocks().iter().filter(|block| block.section == section);
            texts.map(|block| block.words.len()).sum::<usize>()
                + outline.sections[section].title.words().len()
        };
        let mut slots = Self {
            sections: SortedMap::new(),
            texts: SortedMap::new(),
            slot_of_section: SortedMap::new(),
            slot_of_text: SortedMap::new(),
        };
        for &section in &comparison.sections.only[side] {
            let Some(pair) = before(section) else { continue };
            *slots.sections.entry(pair).or_default() += words(section);
            slots.slot_of_section.insert(section, pair);
        }
        let pairs = comparison.blocks.same.iter().chain(&comparison.blocks.differing);
        let texts: SortedMap<BlockIx, (BlockIx, BlockIx)> =
            pairs.map(|pair| ([pair.0, pair.1][side], *pair)).collect();
        for &text in &comparison.blocks.only[side] {
            let block = &outline.blocks()[text];
            let Some(pair) = matching.get(&block.section) else { continue };
            let last = texts
                .iter()
                .take_while(|(at, _)| **at < text)
                .last()
                .filter(|(at, _)| outline.blocks()[**at].section == block.section);
            let slot = (*pair, last.map(|(_, pair)| *pair));
            *slots.texts.entry(slot).or_default() += block.words.len();
            slots.slot_of_text.insert(text, slot);
        }
        slots
    }

    /// Whether the other version has enough sections and texts of its own at the place of this section.
    fn is_section_filled(&self, section: SectionIx, other: &Self) -> bool {
        let Some(pair) = self.slot_of_section.get(&section) else { return false };
        let texts = other.texts.iter().filter(|((it, _), _)| it == pair).map(|(_, words)| words);
        let theirs = texts.sum::<usize>() + other.sections.get(pair).copied().unwrap_or_default();
        theirs > 0 && FILLS * theirs >= self.sections[pair]
    }

    /// Whether the other version has a section at the place of this section whose title has a word in common.
    fn has_akin(&self, section: SectionIx, other: &Self, [ours, theirs]: [&Outline<'_>; 2]) -> bool {
        let place = self.slot_of_section.get(&section);
        let title = stems(&ours.sections[section].title.shown);
        let at_place = other.slot_of_section.iter().filter(|(_, pair)| Some(*pair) == place);
        at_place.into_iter().any(|(it, _)| !title.is_disjoint(&stems(&theirs.sections[*it].title.shown)))
    }

    /// Whether the other version has enough text of its own at the place of this text, or a section after it.
    fn is_text_filled(&self, text: BlockIx, other: &Self) -> bool {
        let Some(slot) = self.slot_of_text.get(&text) else { return false };
        let words = self.texts[slot];
        let texts = other.texts.get(slot).copied().unwrap_or_default();
        let sections = other.sections.get(&slot.0).copied().unwrap_or_default();
        texts > 0 && FILLS * texts >= words || sections > 0 && FILLS * sections >= words
    }
}
