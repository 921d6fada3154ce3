//! Pairs the items of two sequences, and arranges several sequences side by side.

use base::index::{IndexVec, Ix, newtype_index};
use base::sort::StableSort as _;

newtype_index! {
    /// Position of an item in the first of two lists.
    pub struct FirstIx
}
newtype_index! {
    /// Position of an item in the second of two lists.
    pub struct SecondIx
}

/// Pairs items in order, without crossing pairs, so that the sum of their scores is the largest possible.
///
/// `score` returns `None` for items that must not be paired, or else a number above 0. Out: pairs in the order of the
/// items.
pub(crate) fn in_order<A: Copy, B: Copy>(
    rows: impl IntoIterator<Item = A>,
    columns: impl IntoIterator<Item = B>,
    score: impl Fn(A, B) -> Option<f64>,
) -> Vec<(A, B)> {
    let (rows, columns) = (Vec::from_iter(rows), Vec::from_iter(columns));
    let width = columns.len() + 1;
    let scores: Vec<Option<f64>> = rows
        .iter()
        .flat_map(|&row| columns.iter().map(move |&column| (row, column)))
        .map(|(a, b)| score(a, b))
        .collect();
    // `best[row][column]` is the largest sum that the items from there on can reach.
    let mut best = vec![0.0_f64; (rows.len() + 1) * width];
    for row in (0..rows.len()).rev() {
        for column in (0..columns.len()).rev() {
            let skip = best[(row + 1) * width + column].max(best[row * width + column + 1]);
            let pair = scores[row * columns.len() + column]
                .map_or(0.0, |score| score + best[(row + 1) * width + column + 1]);
            best[row * width + column] = skip.max(pair);
        }
    }
    let mut pairs = Vec::new();
    let (mut row, mut column) = (0, 0);
    while row < rows.len() && column < columns.len() {
        let here = best[row * width + column];
        let pair =
            scores[row * columns.len() + column].map(|score| score + best[(row + 1) * width + column + 1]);
        if pair.is_some_and(|pair| pair >= here) {
            pairs.push((rows[row], columns[column]));
            row += 1;
            column += 1;
        } else if best[(row + 1) * width + column] >= here {
            row += 1;
        } else {
            column += 1;
        }
    }
    pairs
}

/// Pairs items by score, the highest first. Each item has at most one partner.
///
/// Among pairs with the same score, nearer ones come first, so that neither sequence is preferred. Returns pairs in
/// ascending order.
pub(crate) fn best_first<A: Copy, B: Copy>(
    rows: impl IntoIterator<Item = A>,
    columns: impl IntoIterator<Item = B>,
    score: impl Fn(A, B) -> Option<f64>,
) -> Vec<(A, B)> {
    let rows: IndexVec<FirstIx, A> = rows.into_iter().collect();
    let columns: IndexVec<SecondIx, B> = columns.into_iter().collect();
    let of_row = |row: FirstIx| columns.indices().map(move |column| Positions { row, column });
    best_of(&rows, &columns, rows.indices().flat_map(of_row), score)
}

/// Positions of two items in the compared lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Positions {
    pub row: FirstIx,
    pub column: SecondIx,
}

impl Positions {
    fn distance(self) -> usize {
        usize::from(self.row).abs_diff(self.column.into())
    }

    /// Among pairs with the same score, the one with the lowest rank comes first.
    fn rank(self) -> impl Ord {
        let (row, column) = (usize::from(self.row), usize::from(self.column));
        (self.distance(), row + column, row.min(column))
    }
}

/// Like [`best_first`], for these pairs only.
fn best_of<A: Copy, B: Copy>(
    rows: &IndexVec<FirstIx, A>,
    columns: &IndexVec<SecondIx, B>,
    pairs: impl IntoIterator<Item = Positions>,
    score: impl Fn(A, B) -> Option<f64>,
) -> Vec<(A, B)> {
    let score = |pair: Positions| score(rows[pair.row], columns[pair.column]);
    let mut candidates: Vec<(f64, Positions)> =
        pairs.into_iter().filter_map(|pair| Some((score(pair)?, pair))).collect();
    candidates
        .stable_sort_by(|(a, pair), (b, other)| b.total_cmp(a).then_with(|| pair.rank().cmp(&other.rank())));
    let mut taken_rows: IndexVec<FirstIx, bool> = vec![false; rows.len()].into();
    let mut taken_columns: IndexVec<SecondIx, bool> = vec![false; columns.len()].into();
    let mut pairs = Vec::new();
    for (_, pair) in candidates {
        if !taken_rows[pair.row] && !taken_columns[pair.column] {
            taken_rows[pair.row] = true;
            taken_columns[pair.column] = true;
            pairs.push(pair);
        }
    }
    pairs.sort_unstable();
    pairs.into_iter().map(|pair| (rows[pair.row], columns[pair.column])).collect()
}

/// Like [`best_first`], but pairs items with the same key first. For the others, `likely` returns the possible pairs
/// as positions in its two lists, and only these are scored. The work therefore grows with the number of items rather
/// than pairs. The items of both lists are ascending.
pub(super) fn equal_first<A: Copy + Ord, B: Copy + Ord, K: Ord>(
    rows: &IndexVec<FirstIx, A>,
    columns: &IndexVec<SecondIx, B>,
    (row_key, column_key): (impl Fn(A) -> K, impl Fn(B) -> K),
    likely: impl FnOnce(&IndexVec<FirstIx, A>, &IndexVec<SecondIx, B>) -> Vec<Positions>,
    score: impl Fn(A, B) -> Option<f64>,
) -> Vec<(A, B)> {
    let row_key = |row: FirstIx| row_key(rows[row]);
    let column_key = |column: SecondIx| column_key(columns[column]);
    let (mut by_row, mut by_column): (Vec<_>, Vec<_>) =
        (rows.indices().collect(), columns.indices().collect());
    by_row.stable_sort_by_key(|&row| row_key(row));
    by_column.stable_sort_by_key(|&column| column_key(column));
    let mut pairs = Vec::new();
    for firsts in by_row.chunk_by(|&one, &other| row_key(one) == row_key(other)) {
        let key = row_key(firsts[0]);
        let seconds = &by_column[by_column.partition_point(|&column| column_key(column) < key)..];
        let seconds = &seconds[..seconds.partition_point(|&column| column_key(column) == key)];
        // The nearest items have the highest score.
        let near = best_first(firsts.iter().copied(), seconds.iter().copied(), |row, column| {
            let distance = Positions { row, column }.distance();
            Some(-f64::from(u32::try_from(distance).unwrap_or(u32::MAX)))
        });
        pairs.extend(near.into_iter().map(|(row, column)| (rows[row], columns[column])));
    }
    let (rows, columns) = alone(&pairs, rows.iter().copied(), columns.iter().copied());
    let (rows, columns) = (rows.into(), columns.into());
    let likely = likely(&rows, &columns);
    pairs.extend(best_of(&rows, &columns, likely, score));
    pairs.sort_unstable();
    pairs
}

newtype_index! {
    /// Position of a row among the existing ones.
    struct MadeIx
}

struct Made<S, I> {
    /// The item of each sequence, if there is one.
    items: IndexVec<S, Option<I>>,
    next: Option<MadeIx>,
}

/// Arranges the items of several sequences in rows: each joins the row of a matching item, or starts a row after that
/// of its predecessor.
///
/// The sequences have `lengths` and are processed in `order`. `partner(a, item, b)` returns the match in `b` for an
/// item of `a`. Returns rows with the item of each sequence, if there is one.
pub fn in_rows<S: Ix, I: Ix>(
    lengths: &IndexVec<S, usize>,
    order: &[S],
    partner: impl Fn(S, I, S) -> Option<I>,
) -> Vec<IndexVec<S, Option<I>>> {
    // A linked list of the rows. The first one is its head and contains no items.
    let mut made: IndexVec<MadeIx, Made<S, I>> = IndexVec::default();
    let head = made.push(Made { items: IndexVec::default(), next: None });
    let mut row_of: IndexVec<S, IndexVec<I, MadeIx>> =
        lengths.iter().map(|&length| vec![head; length].into()).collect();
    for (at, &sequence) in order.iter().enumerate() {
        let mut last = head;
        for item in (0..lengths[sequence]).map(I::from) {
            let known = order[..at].iter().find_map(|&other| {
                let row = row_of[other][partner(sequence, item, other)?];
                made[row].items[sequence].is_none().then_some(row)
            });
            last = known.unwrap_or_else(|| {
                let row = Made { items: vec![None; lengths.len()].into(), next: made[last].next };
                let row = made.push(row);
                made[last].next = Some(row);
                row
            });
            made[last].items[sequence] = Some(item);
            row_of[sequence][item] = last;
        }
    }
    let order = std::iter::successors(made[head].next, |&row| made[row].next).collect::<Vec<_>>();
    order.into_iter().map(|row| std::mem::take(&mut made[row].items)).collect()
}

/// Returns pairs with their sides swapped, ascending.
pub(super) fn flipped<A: Ord, B: Ord>(pairs: Vec<(B, A)>) -> Vec<(A, B)> {
    let mut pairs: Vec<_> = pairs.into_iter().map(|(a, b)| (b, a)).collect();
    pairs.sort_unstable();
    pairs
}

/// Returns the items without a partner in the first and in the second sequence.
pub(super) fn alone<A: Copy + Ord, B: Copy + Ord>(
    pairs: &[(A, B)],
    rows: impl IntoIterator<Item = A>,
    columns: impl IntoIterator<Item = B>,
) -> (Vec<A>, Vec<B>) {
    let (mut paired_rows, mut paired_columns): (Vec<A>, Vec<B>) = pairs.iter().copied().unzip();
    paired_rows.sort_unstable();
    paired_columns.sort_unstable();
    let rows = rows.into_iter().filter(|row| paired_rows.binary_search(row).is_err());
    let columns = columns.into_iter().filter(|column| paired_columns.binary_search(column).is_err());
    (rows.collect(), columns.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    newtype_index! {
        struct Text
    }
    newtype_index! {
        struct Letter
    }

    fn same(a: &[u8], b: &[u8]) -> impl Fn(usize, usize) -> Option<f64> {
        move |row, column| (a[row] == b[column]).then_some(1.0)
    }

    #[test]
    fn pairs_in_order_never_cross() {
        assert_eq!(in_order(0..3, 0..3, same(b"abc", b"abc")), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(in_order(0..4, 0..3, same(b"axbc", b"abc")), [(0, 0), (2, 1), (3, 2)]);
        assert_eq!(in_order(0..2, 0..2, same(b"ab", b"ba")).len(), 1);
        assert_eq!(in_order(0..0, 0..2, |_, _| Some(1.0)), []);
    }

    #[test]
    fn items_with_the_same_key_are_paired_before_all_others() {
        let all = |rows: &IndexVec<FirstIx, usize>, columns: &IndexVec<SecondIx, usize>| -> Vec<Positions> {
            let of_row = |row| columns.indices().map(move |column| Positions { row, column });
            rows.indices().flat_map(of_row).collect()
        };
        let pairs = |a: &'static str, b: &'static str, score: Option<f64>| {
            let key = |text: &'static str| move |at: usize| text.as_bytes()[at];
            let (rows, columns) = ((0..a.len()).collect(), (0..b.len()).collect());
            equal_first(&rows, &columns, (key(a), key(b)), all, |_, _| score)
        };
        let alike = |a, b| pairs(a, b, Some(1.0));
        assert_eq!(alike("xab", "aby"), [(0, 2), (1, 0), (2, 1)]);
        assert_eq!(alike("aa", "a"), [(0, 0)]);
        assert_eq!(alike("a", "ba"), [(0, 1)]);
        assert_eq!(pairs("ab", "bc", None), [(1, 0)]);
    }

    #[test]
    fn items_of_many_sequences_join_the_rows_of_their_partners() {
        let texts = ["abc", "xbc", "bycx"];
        let letter = |text: &'static str, at: Letter| &text[usize::from(at)..=usize::from(at)];
        let texts: IndexVec<Text, &'static str> = texts.into_iter().collect();
        let partner =
            |a: Text, item: Letter, b: Text| texts[b].find(letter(texts[a], item)).map(Letter::from);
        let check = |order: &[usize], expected: &[&str]| {
            let order: Vec<Text> = order.iter().copied().map(Text::from).collect();
            let rows = in_rows(&vec![3, 3, 4].into(), &order, partner);
            let shown: Vec<String> = rows
                .iter()
                .map(|row| {
                    let item = |(text, item): (&&'static str, &Option<Letter>)| {
                        item.map_or("-", |item| letter(text, item)).to_string()
                    };
                    texts.iter().zip(row).map(item).collect()
                })
                .collect();
            assert_eq!(shown, expected);
        };
        check(&[0, 1, 2], &["-xx", "a--", "bbb", "--y", "ccc"]);
        check(&[2, 0, 1], &["a--", "bbb", "--y", "ccc", "-xx"]);
    }

    #[test]
    fn the_best_pairs_may_cross() {
        assert_eq!(best_first(0..2, 0..2, same(b"ab", b"ba")), [(0, 1), (1, 0)]);
        assert_eq!(best_first(0..2, 0..1, |row, _| Some(if row == 0 { 0.5 } else { 0.9 })), [(1, 0)]);
    }
}
