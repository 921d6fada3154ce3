//! Matches the texts and notes of two versions.

use super::Pairing;
use crate::family::matching::{FirstIx, SecondIx, alone, best_first, flipped, in_order};
use crate::family::outline::{BlockIx, NoteIx, Outline, SectionIx};
use crate::family::words::{WordList, ratio};
use base::hash::{HashMap, HashSet};
use base::index::IndexVec;

/// Minimum similarity of notes, ignoring word order.
const LIKE_NOTE: f64 = 0.4;
/// Minimum similarity in different sections.
const LIKE_NOTE_ELSEWHERE: f64 = 0.6;

/// Minimum similarity if neither section contains another note.
const LIKE_ONLY_NOTE: f64 = 0.25;

/// Pairs notes with similar texts, first in matching sections, then in others, and finally those that are the only
/// ones in their sections.
pub(super) fn notes(
    a: &Outline<'_>,
    b: &Outline<'_>,
    sections: &[(SectionIx, SectionIx)],
) -> Pairing<NoteIx> {
    let sections: HashSet<(SectionIx, SectionIx)> = sections.iter().copied().collect();
    let only_one = |outline: &Outline<'_>, note: NoteIx| {
        let section = outline.notes()[note].section;
        outline.notes().iter().filter(|other| other.section == section).count() == 1
    };
    let pairs = best_first(a.notes().indices(), b.notes().indices(), |row, column| {
        let (one, other) = (&a.notes()[row], &b.notes()[column]);
        let likeness = one.words.similarity(&other.words);
        let in_place = sections.contains(&(one.section, other.section));
        let same = || one.words.says_same(&other.words);
        if in_place && (likeness >= LIKE_NOTE || same()) {
            Some(2.0 + likeness)
        } else if likeness >= LIKE_NOTE_ELSEWHERE || same() {
            Some(1.0 + likeness)
        } else {
            let is_one = in_place && likeness >= LIKE_ONLY_NOTE && only_one(a, row) && only_one(b, column);
            is_one.then_some(likeness)
        }
    });
    let (same, differing) =
        pairs.iter().partition(|&&(one, other)| a.notes()[one].kind == b.notes()[other].kind);
    let (mut only_a, mut only_b) = alone(&pairs, a.notes().indices(), b.notes().indices());
    // A note in a section that the other version lacks isn't reported in addition to the section.
    let (known_a, known_b): (HashSet<SectionIx>, HashSet<SectionIx>) = sections.iter().copied().unzip();
    only_a.retain(|&note| known_a.contains(&a.notes()[note].section));
    only_b.retain(|&note| known_b.contains(&b.notes()[note].section));
    Pairing { same, differing, only: [only_a, only_b] }
}

/// Pairs texts of matching sections in their order. A text that is identical in another section has only moved.
pub(super) fn blocks(
    a: &Outline<'_>,
    b: &Outline<'_>,
    sections: &[(SectionIx, SectionIx)],
    notes: &Pairing<NoteIx>,
) -> Pairing<BlockIx> {
    let mut blocks = Pairing::default();
    let of_section = |outline: &Outline<'_>, section: SectionIx| -> Vec<BlockIx> {
        outline.blocks().indices().filter(|&at| outline.blocks()[at].section == section).collect()
    };
    let of_note = |outline: &Outline<'_>, note: NoteIx| -> Vec<BlockIx> {
        outline.blocks().indices().filter(|&at| outline.blocks()[at].note == Some(note)).collect()
    };
    let moved = moved(a, b, sections);
    let mut met_a: IndexVec<BlockIx, bool> = vec![false; a.blocks().len()].into();
    let mut met_b: IndexVec<BlockIx, bool> = vec![false; b.blocks().len()].into();
    for &(x, y) in &moved {
        met_a[x] = true;
        met_b[y] = true;
    }
    // Matching notes are compared completely, wherever they are.
    for &(one, other) in notes.same.iter().chain(&notes.differing) {
        let here = of_note(a, one).into_iter().filter(|&x| !met_a[x]).collect();
        let there = of_note(b, other).into_iter().filter(|&y| !met_b[y]).collect();
        let mut found = texts(a, b, &here, &there);
        let left_a: Vec<BlockIx> =
            here.iter().copied().filter(|x| !found.iter().any(|it| it.pair.0 == *x)).collect();
        let left_b: Vec<BlockIx> =
            there.iter().copied().filter(|y| !found.iter().any(|it| it.pair.1 == *y)).collect();
        if let ([x], [y]) = (&left_a[..], &left_b[..]) {
            found.push(Paired { pair: (*x, *y), differs: true });
        }
        for Paired { pair: (x, y), differs } in found {
            met_a[x] = true;
            met_b[y] = true;
            let pairs = if differs { &mut blocks.differing } else { &mut blocks.same };
            pairs.push((x, y));
        }
    }
    for &(one, other) in sections {
        let here = of_section(a, one).into_iter().filter(|&x| !met_a[x]).collect();
        let there = of_section(b, other).into_iter().filter(|&y| !met_b[y]).collect();
        for Paired { pair: (x, y), differs } in texts(a, b, &here, &there) {
            met_a[x] = true;
            met_b[y] = true;
            let pairs = if differs { &mut blocks.differing } else { &mut blocks.same };
            pairs.push((x, y));
        }
    }
    blocks.same.extend(moved);
    let lacks = |outline: &Outline<'_>, at: BlockIx, side: usize| {
        let block = &outline.blocks()[at];
        let section_known = sections.iter().any(|pair| [pair.0, pair.1][side] == block.section);
        let note_missing = block.note.is_some_and(|note| notes.only[side].contains(&note));
        section_known && !note_missing
    };
    let rest = |outline: &Outline<'_>, met: &IndexVec<BlockIx, bool>| -> Vec<BlockIx> {
        outline.blocks().indices().filter(|&at| !met[at]).collect()
    };
    let (rest_a, rest_b) = (rest(a, &met_a), rest(b, &met_b));
    if rest_a.is_empty() && rest_b.is_empty() {
        return blocks;
    }
    for (x, y) in reworded_elsewhere(a, b, &rest_a, &rest_b) {
        if lacks(a, x, 0) || lacks(b, y, 1) {
            met_a[x] = true;
            met_b[y] = true;
            blocks.differing.push((x, y));
        }
    }
    let (texts_a, texts_b) = (whole_text(a), whole_text(b));
    let is_lacking = |key: &str, own: &str, other: &str| occurrences(key, own) > occurrences(key, other);
    blocks.only[0] = rest_a.into_iter().filter(|&at| !met_a[at] && lacks(a, at, 0)).collect();
    blocks.only[0].retain(|&at| is_lacking(a.blocks()[at].words.key(), &texts_a, &texts_b));
    blocks.only[1] = rest_b.into_iter().filter(|&at| !met_b[at] && lacks(b, at, 1)).collect();
    blocks.only[1].retain(|&at| is_lacking(b.blocks()[at].words.key(), &texts_b, &texts_a));
    blocks
}

/// Minimum similarity of texts in sections that don't match.
const LIKE_ELSEWHERE: f64 = 0.6;

/// Minimum number of words of such texts. Shorter ones are similar by chance.
const LONG_ENOUGH: usize = 6;

/// Pairs similar texts of any sections.
fn reworded_elsewhere(
    a: &Outline<'_>,
    b: &Outline<'_>,
    rest_a: &[BlockIx],
    rest_b: &[BlockIx],
) -> Vec<(BlockIx, BlockIx)> {
    let long = |outline: &Outline<'_>, rest: &[BlockIx]| -> Vec<BlockIx> {
        rest.iter().copied().filter(|&at| outline.blocks()[at].words.len() >= LONG_ENOUGH).collect()
    };
    let (here, there): (IndexVec<FirstIx, _>, IndexVec<SecondIx, _>) =
        (long(a, rest_a).into(), long(b, rest_b).into());
    if here.is_empty() || there.is_empty() {
        return Vec::new();
    }
    let (ours, theirs) = (bags(a, &here), bags(b, &there));
    let pairs = best_first(here.indices(), there.indices(), |x, y| {
        let (one, other) = (&ours[x], &theirs[y]);
        if ratio(2 * common(one, other), one.len() + other.len()) < LIKE_ELSEWHERE {
            return None;
        }
        let likeness = a.blocks()[here[x]].words.similarity(&b.blocks()[there[y]].words);
        (likeness >= LIKE_ELSEWHERE).then_some(likeness)
    });
    pairs.into_iter().map(|(x, y)| (here[x], there[y])).collect()
}

/// Returns the words of all texts of a page, separated by spaces.
fn whole_text(outline: &Outline<'_>) -> String {
    let mut text = String::from(" ");
    for block in outline.blocks() {
        text.push_str(block.words.key());
        text.push(' ');
    }
    text
}

/// Counts how often words occur in a text of [`whole_text`]. A text that both pages contain equally often isn't missing:
/// it is at another place, or part of another paragraph.
fn occurrences(words: &str, text: &str) -> usize {
    let is_word = |at: usize, end: usize| text[..at].ends_with(' ') && text[end..].starts_with(' ');
    text.match_indices(words).filter(|(at, found)| is_word(*at, at + found.len())).count()
}

/// Returns pairs of identical texts in unmatched sections. Each text occurs once on its page.
fn moved(a: &Outline<'_>, b: &Outline<'_>, sections: &[(SectionIx, SectionIx)]) -> Vec<(BlockIx, BlockIx)> {
    let mut places: HashMap<&str, (Vec<BlockIx>, Vec<BlockIx>)> = HashMap::default();
    for (x, block) in a.blocks().indexed() {
        places.entry(block.words.key()).or_default().0.push(x);
    }
    for (y, block) in b.blocks().indexed() {
        places.entry(block.words.key()).or_default().1.push(y);
    }
    // A text that occurs several times, such as "Click Save", could have moved from any of its positions.
    let once = places.into_values().filter_map(|(xs, ys)| match (&xs[..], &ys[..]) {
        (&[x], &[y]) => Some((x, y)),
        _ => None,
    });
    let mut moved: Vec<(BlockIx, BlockIx)> =
        once.filter(|&(x, y)| !sections.contains(&(a.blocks()[x].section, b.blocks()[y].section))).collect();
    moved.sort_unstable();
    moved
}

/// Minimum similarity of paired texts. A replacement by an unrelated text is two findings.
const RELATED: f64 = 0.4;

/// Returns the words of some texts.
fn keys<'o>(outline: &'o Outline<'_>, blocks: &[BlockIx]) -> impl Iterator<Item = &'o str> {
    blocks.iter().map(|&at| outline.blocks()[at].words.key())
}

/// Returns the sorted words of each text.
fn bags<'o, I>(outline: &'o Outline<'_>, blocks: &IndexVec<I, BlockIx>) -> IndexVec<I, Vec<&'o str>> {
    let bag = |&at: &BlockIx| {
        let mut words: Vec<&str> = outline.blocks()[at].words.texts().collect();
        words.sort_unstable();
        words
    };
    blocks.iter().map(bag).collect()
}

/// Two matching texts.
struct Paired {
    pair: (BlockIx, BlockIx),
    differs: bool,
}

/// Pairs the texts of two sections, and determines whether they differ.
fn texts(
    a: &Outline<'_>,
    b: &Outline<'_>,
    here: &IndexVec<FirstIx, BlockIx>,
    there: &IndexVec<SecondIx, BlockIx>,
) -> Vec<Paired> {
    let turned = keys(a, here).gt(keys(b, there));
    // Fast path: common words are counted before their order is compared, because most pairs have too few.
    let (ours, theirs) = (bags(a, here), bags(b, there));
    let score = |x: FirstIx, y: SecondIx| {
        if ratio(2 * common(&ours[x], &theirs[y]), ours[x].len() + theirs[y].len()) < RELATED {
            return None;
        }
        let likeness = a.blocks()[here[x]].words.similarity(&b.blocks()[there[y]].words);
        (likeness >= RELATED).then_some(likeness * likeness)
    };
    let pairs = if turned {
        flipped(in_order(there.indices(), here.indices(), |y, x| score(x, y)))
    } else {
        in_order(here.indices(), there.indices(), score)
    };
    // Splitting or joining paragraphs isn't a difference, so the texts between identical ones are also compared
    // together.
    let mut paired: Vec<Paired> = Vec::new();
    let says_same =
        |x: FirstIx, y: SecondIx| a.blocks()[here[x]].words.says_same(&b.blocks()[there[y]].words);
    let anchors = pairs.iter().copied().filter(|&(x, y)| says_same(x, y)).collect::<Vec<_>>();
    let ends = anchors.iter().copied().chain([(here.len().into(), there.len().into())]);
    let mut start = (FirstIx::from(0), SecondIx::from(0));
    for end in ends {
        let (xs, ys) = (here.slice(start.0..end.0), there.slice(start.1..end.1));
        let whole = |outline: &Outline<'_>, blocks: &[BlockIx]| {
            let mut words = WordList::default();
            for &at in blocks {
                words.push(&outline.blocks()[at].words);
            }
            words
        };
        if !xs.is_empty() && !ys.is_empty() && whole(a, xs).says_same(&whole(b, ys)) {
            // Every text has a partner: the remaining texts of the longer side get the last one of the shorter side.
            let longer = xs.len().max(ys.len());
            paired.extend((0..longer).map(|at| {
                let pair = (xs[at.min(xs.len() - 1)], ys[at.min(ys.len() - 1)]);
                Paired { pair, differs: false }
            }));
        } else {
            let inside = pairs.iter().filter(|(x, _)| (start.0..end.0).contains(x));
            paired.extend(inside.map(|&(x, y)| Paired { pair: (here[x], there[y]), differs: true }));
        }
        if let (Some(&x), Some(&y)) = (here.get(end.0), there.get(end.1)) {
            paired.push(Paired { pair: (x, y), differs: false });
        }
        start = (end.0 + 1, end.1 + 1);
    }
    paired
}

/// Counts the common items of two sorted lists.
fn common(a: &[&str], b: &[&str]) -> usize {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut common = 0;
    while let (Some(one), Some(other)) = (a.peek(), b.peek()) {
        match one.cmp(other) {
            std::cmp::Ordering::Less => _ = a.next(),
            std::cmp::Ordering::Greater => _ = b.next(),
            std::cmp::Ordering::Equal => {
                common += 1;
                a.next();
                b.next();
            }
        }
    }
    common
}
