//! Pairs the items of two sequences, and puts several side by side.

use crate::index::{IndexVec, Ix};

/// Pairs items in order, so that no two pairs cross and the scores add up to the most.
///
/// `score` gives `None` for what must not be paired, else a number above 0. Out: pairs in the order of the items.
pub(super) fn in_order<A: Copy, B: Copy>(
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
    // `best[row][column]` is the most that the items from there on can reach.
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

/// Pairs items with what is most like them, the surest pairs first; each item has one partner at most.
///
/// Of equally sure pairs the nearer come first, so that neither sequence is preferred. Out: pairs, ascending.
pub(super) fn best_first<A: Copy, B: Copy>(
    rows: impl IntoIterator<Item = A>,
    columns: impl IntoIterator<Item = B>,
    score: impl Fn(A, B) -> Option<f64>,
) -> Vec<(A, B)> {
    let (rows, columns) = (Vec::from_iter(rows), Vec::from_iter(columns));
    let width = columns.len();
    let all = (0..rows.len()).flat_map(|row| (0..width).map(move |column| Positions { row, column }));
    best_of(&rows, &columns, all, score)
}

/// Positions of two items in the lists that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Positions {
    pub(crate) row: usize,
    pub(crate) column: usize,
}

impl Positions {
    /// Pairs with less of it come first.
    fn apart(self) -> impl Ord {
        (self.row.abs_diff(self.column), self.row + self.column, self.row.min(self.column))
    }
}

/// Like [`best_first`], of these pairs only.
fn best_of<A: Copy, B: Copy>(
    rows: &[A],
    columns: &[B],
    pairs: impl IntoIterator<Item = Positions>,
    score: impl Fn(A, B) -> Option<f64>,
) -> Vec<(A, B)> {
    let score = |pair: Positions| score(rows[pair.row], columns[pair.column]);
    let mut candidates: Vec<(f64, Positions)> =
        pairs.into_iter().filter_map(|pair| Some((score(pair)?, pair))).collect();
    candidates.sort_by(|(a, pair), (b, other)| b.total_cmp(a).then_with(|| pair.apart().cmp(&other.apart())));
    let (mut taken_rows, mut taken_columns) = (vec![false; rows.len()], vec![false; columns.len()]);
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

/// Like [`best_first`] where items with the same key are the surest of pairs. Of the others `likely` says which may be
/// pairs at all, by their positions in the two lists that it is given, and `score` is asked for those only: so the work
/// grows with the items and not with their pairs. The items of both lists are ascending.
pub(super) fn equal_first<I: Ix, K: Ord>(
    rows: &[I],
    columns: &[I],
    keys: [&dyn Fn(I) -> K; 2],
    likely: impl FnOnce(&[I], &[I]) -> Vec<Positions>,
    score: impl Fn(I, I) -> Option<f64>,
) -> Vec<(I, I)> {
    let in_order_of_keys = |items: &[I], key: &dyn Fn(I) -> K| {
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|&at| key(items[at]));
        order
    };
    let [row_key, column_key] = keys;
    let (by_row, by_column) = (in_order_of_keys(rows, row_key), in_order_of_keys(columns, column_key));
    let (row_key, column_key) =
        (|row: usize| row_key(rows[row]), |column: usize| column_key(columns[column]));
    let mut pairs = Vec::new();
    for firsts in by_row.chunk_by(|&one, &other| row_key(one) == row_key(other)) {
        let key = row_key(firsts[0]);
        let seconds = &by_column[by_column.partition_point(|&column| column_key(column) < key)..];
        let seconds = &seconds[..seconds.partition_point(|&column| column_key(column) == key)];
        // The nearest first: the score is negative, and less so the less they are apart.
        let near = best_first(firsts.iter().copied(), seconds.iter().copied(), |row: usize, column| {
            Some(-f64::from(u32::try_from(row.abs_diff(column)).unwrap_or(u32::MAX)))
        });
        pairs.extend(near.into_iter().map(|(row, column)| (rows[row], columns[column])));
    }
    let (rows, columns) = alone(&pairs, rows.iter().copied(), columns.iter().copied());
    let likely = likely(&rows, &columns);
    pairs.extend(best_of(&rows, &columns, likely, score));
    pairs.sort_unstable();
    pairs
}

/// An item of each sequence, or nothing; and the position of the row that follows.
type Made<S, I> = (IndexVec<S, Option<I>>, Option<usize>);

/// Puts the items of several sequences side by side: each joins the row of an item it corresponds to, or
/// makes a row after the item before it.
///
/// The sequences have `lengths` and are taken in `order`; `partner(a, item, b)` is what corresponds in `b` to an
/// item of `a`. Out: rows with an item of each sequence, or nothing.
pub(crate) fn in_rows<S: Ix, I: Ix>(
    lengths: &IndexVec<S, usize>,
    order: &[S],
    partner: impl Fn(S, I, S) -> Option<I>,
) -> Vec<IndexVec<S, Option<I>>> {
    // Rows as they are made, each with the one that follows it; the first only leads the list.
    let mut made: Vec<Made<S, I>> = vec![(IndexVec::default(), None)];
    let mut row_of: IndexVec<S, IndexVec<I, usize>> =
        lengths.iter().map(|&length| vec![0; length].into()).collect();
    for (at, &sequence) in order.iter().enumerate() {
        let mut last = 0;
        for item in (0..lengths[sequence]).map(I::from) {
            let known = order[..at].iter().find_map(|&other| {
                let row = row_of[other][partner(sequence, item, other)?];
                made[row].0[sequence].is_none().then_some(row)
            });
            last = known.unwrap_or_else(|| {
                made.push((vec![None; lengths.len()].into(), made[last].1));
                made[last].1 = Some(made.len() - 1);
                made.len() - 1
            });
            made[last].0[sequence] = Some(item);
            row_of[sequence][item] = last;
        }
    }
    let order = std::iter::successors(made[0].1, |&row| made[row].1).collect::<Vec<_>>();
    order.into_iter().map(|row| std::mem::take(&mut made[row].0)).collect()
}

/// Pairs with their sides exchanged.
pub(super) fn flipped<I: Ord>(pairs: Vec<(I, I)>) -> Vec<(I, I)> {
    let mut pairs: Vec<_> = pairs.into_iter().map(|(a, b)| (b, a)).collect();
    pairs.sort_unstable();
    pairs
}

/// The partner of an item of the first sequence.
pub(super) fn partner<I: Copy + PartialEq>(pairs: &[(I, I)], item: I) -> Option<I> {
    pairs.iter().find(|(a, _)| *a == item).map(|(_, b)| *b)
}

/// What has no partner in the first, and in the second sequence.
pub(super) fn alone<I: Copy + Ord>(
    pairs: &[(I, I)],
    rows: impl IntoIterator<Item = I>,
    columns: impl IntoIterator<Item = I>,
) -> (Vec<I>, Vec<I>) {
    let sorted = |mut paired: Vec<I>| {
        paired.sort_unstable();
        paired
    };
    let paired_rows = sorted(pairs.iter().map(|(row, _)| *row).collect());
    let paired_columns = sorted(pairs.iter().map(|(_, column)| *column).collect());
    let rows = rows.into_iter().filter(|row| paired_rows.binary_search(row).is_err());
    let columns = columns.into_iter().filter(|column| paired_columns.binary_search(column).is_err());
    (rows.collect(), columns.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::newtype_index;

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
        let all = |rows: &[Letter], columns: &[Letter]| -> Vec<Positions> {
            let pairs = (0..rows.len()).flat_map(|row| (0..columns.len()).map(move |column| (row, column)));
            pairs.map(|(row, column)| Positions { row, column }).collect()
        };
        let pairs = |a: &'static str, b: &'static str, score: Option<f64>| -> Vec<(usize, usize)> {
            let letters = |text: &str| (0..text.len()).map(Letter::from).collect::<Vec<_>>();
            let key = |text: &'static str| move |at: Letter| text.as_bytes()[usize::from(at)];
            let keys: [&dyn Fn(Letter) -> u8; 2] = [&key(a), &key(b)];
            let pairs = equal_first(&letters(a), &letters(b), keys, all, |_, _| score);
            pairs.into_iter().map(|(row, column)| (row.into(), column.into())).collect()
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
