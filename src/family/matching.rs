//! Pairs the items of two sequences, and puts several side by side.

/// Pairs items in order, so that no two pairs cross and the scores add up to the most.
///
/// `score` gives `None` for what must not be paired, else a number above 0. Out: positions, ascending.
pub(super) fn in_order(
    rows: usize,
    columns: usize,
    score: impl Fn(usize, usize) -> Option<f64>,
) -> Vec<(usize, usize)> {
    let width = columns + 1;
    let scores: Vec<Option<f64>> = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (row, column)))
        .map(|(a, b)| score(a, b))
        .collect();
    // `best[row][column]` is the most that the items from there on can reach.
    let mut best = vec![0.0_f64; (rows + 1) * width];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let skip = best[(row + 1) * width + column].max(best[row * width + column + 1]);
            let pair = scores[row * columns + column]
                .map_or(0.0, |score| score + best[(row + 1) * width + column + 1]);
            best[row * width + column] = skip.max(pair);
        }
    }
    let mut pairs = Vec::new();
    let (mut row, mut column) = (0, 0);
    while row < rows && column < columns {
        let here = best[row * width + column];
        let pair = scores[row * columns + column].map(|score| score + best[(row + 1) * width + column + 1]);
        if pair.is_some_and(|pair| pair >= here) {
            pairs.push((row, column));
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
/// Of equally sure pairs the nearer come first, so that neither sequence is preferred.
pub(super) fn best_first(
    rows: usize,
    columns: usize,
    score: impl Fn(usize, usize) -> Option<f64>,
) -> Vec<(usize, usize)> {
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    best_of(rows, columns, all.collect(), score)
}

/// Like [`best_first`], of these pairs only.
fn best_of(
    rows: usize,
    columns: usize,
    pairs: Vec<(usize, usize)>,
    score: impl Fn(usize, usize) -> Option<f64>,
) -> Vec<(usize, usize)> {
    let mut candidates: Vec<(f64, usize, usize)> =
        pairs.into_iter().filter_map(|(row, column)| Some((score(row, column)?, row, column))).collect();
    candidates.sort_by(|(a, row, column), (b, other_row, other_column)| {
        let apart = |row: &usize, column: &usize| (row.abs_diff(*column), row + column, *row.min(column));
        b.total_cmp(a).then_with(|| apart(row, column).cmp(&apart(other_row, other_column)))
    });
    let (mut taken_rows, mut taken_columns) = (vec![false; rows], vec![false; columns]);
    let mut pairs = Vec::new();
    for (_, row, column) in candidates {
        if !taken_rows[row] && !taken_columns[column] {
            taken_rows[row] = true;
            taken_columns[column] = true;
            pairs.push((row, column));
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Like [`best_first`] where items with the same key are the surest of pairs. Of the others `likely` says which may be
/// pairs at all, by their positions in the two lists that it is given, and `score` is asked for those only: so the work
/// grows with the items and not with their pairs.
pub(super) fn equal_first(
    rows: &[&str],
    columns: &[&str],
    likely: impl FnOnce(&[usize], &[usize]) -> Vec<(usize, usize)>,
    score: impl Fn(usize, usize) -> Option<f64>,
) -> Vec<(usize, usize)> {
    let by_key = |keys: &[&str]| {
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|&at| keys[at]);
        order
    };
    let (by_row, by_column) = (by_key(rows), by_key(columns));
    let mut pairs = Vec::new();
    for firsts in by_row.chunk_by(|&one, &other| rows[one] == rows[other]) {
        let key = rows[firsts[0]];
        let seconds = &by_column[by_column.partition_point(|&column| columns[column] < key)..];
        let seconds = &seconds[..seconds.partition_point(|&column| columns[column] == key)];
        // The nearest first: the score is negative, and less so the less they are apart.
        let near = best_first(firsts.len(), seconds.len(), |row, column| {
            let apart = u32::try_from(firsts[row].abs_diff(seconds[column])).unwrap_or(u32::MAX);
            Some(-f64::from(apart))
        });
        pairs.extend(near.into_iter().map(|(row, column)| (firsts[row], seconds[column])));
    }
    let (rows, columns) = alone(&pairs, rows.len(), columns.len());
    let likely = likely(&rows, &columns);
    let others = best_of(rows.len(), columns.len(), likely, |row, column| score(rows[row], columns[column]));
    pairs.extend(others.into_iter().map(|(row, column)| (rows[row], columns[column])));
    pairs.sort_unstable();
    pairs
}

/// Puts the items of several sequences side by side: each joins the row of an item it corresponds to, or
/// makes a row after the item before it.
///
/// The sequences have `lengths` and are taken in `order`; `partner(a, item, b)` is what corresponds in `b` to an
/// item of `a`. Out: rows with an item of each sequence, or nothing.
pub(crate) fn in_rows(
    lengths: &[usize],
    order: &[usize],
    partner: impl Fn(usize, usize, usize) -> Option<usize>,
) -> Vec<Vec<Option<usize>>> {
    // Rows as they are made, each with the one that follows it; the first only leads the list.
    let mut made: Vec<(Vec<Option<usize>>, Option<usize>)> = vec![(Vec::new(), None)];
    let mut row_of: Vec<Vec<usize>> = lengths.iter().map(|&length| vec![0; length]).collect();
    for (at, &sequence) in order.iter().enumerate() {
        let mut last = 0;
        for item in 0..lengths[sequence] {
            let known = order[..at].iter().find_map(|&other| {
                let row: usize = row_of[other][partner(sequence, item, other)?];
                made[row].0[sequence].is_none().then_some(row)
            });
            last = known.unwrap_or_else(|| {
                made.push((vec![None; lengths.len()], made[last].1));
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
pub(super) fn flipped(pairs: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut pairs: Vec<_> = pairs.into_iter().map(|(a, b)| (b, a)).collect();
    pairs.sort_unstable();
    pairs
}

/// The partner of an item of the first sequence.
pub(super) fn partner(pairs: &[(usize, usize)], item: usize) -> Option<usize> {
    pairs.iter().find(|(a, _)| *a == item).map(|(_, b)| *b)
}

/// What has no partner in the first, and in the second sequence.
pub(super) fn alone(pairs: &[(usize, usize)], rows: usize, columns: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut first, mut second) = (vec![true; rows], vec![true; columns]);
    for &(row, column) in pairs {
        first[row] = false;
        second[column] = false;
    }
    let left = |flags: Vec<bool>| (0..flags.len()).filter(|&at| flags[at]).collect();
    (left(first), left(second))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &[u8], b: &[u8]) -> impl Fn(usize, usize) -> Option<f64> {
        move |row, column| (a[row] == b[column]).then_some(1.0)
    }

    #[test]
    fn pairs_in_order_never_cross() {
        assert_eq!(in_order(3, 3, same(b"abc", b"abc")), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(in_order(4, 3, same(b"axbc", b"abc")), [(0, 0), (2, 1), (3, 2)]);
        assert_eq!(in_order(2, 2, same(b"ab", b"ba")).len(), 1);
        assert_eq!(in_order(0, 2, |_, _| Some(1.0)), []);
    }

    #[test]
    fn items_with_the_same_key_are_paired_before_all_others() {
        let keys = |text: &'static str| -> Vec<&str> { (0..text.len()).map(|at| &text[at..=at]).collect() };
        let all = |rows: &[usize], columns: &[usize]| -> Vec<(usize, usize)> {
            (0..rows.len()).flat_map(|row| (0..columns.len()).map(move |column| (row, column))).collect()
        };
        let alike = |a, b| equal_first(&keys(a), &keys(b), all, |_, _| Some(1.0));
        assert_eq!(alike("xab", "aby"), [(0, 2), (1, 0), (2, 1)]);
        assert_eq!(alike("aa", "a"), [(0, 0)]);
        assert_eq!(alike("a", "ba"), [(0, 1)]);
        assert_eq!(equal_first(&keys("ab"), &keys("bc"), all, |_, _| None), [(1, 0)]);
    }

    #[test]
    fn items_of_many_sequences_join_the_rows_of_their_partners() {
        let texts = ["abc", "xbc", "bycx"];
        let partner = |a: usize, item: usize, b: usize| texts[b].find(&texts[a][item..=item]);
        let check = |order: &[usize], expected: &[&str]| {
            let rows = in_rows(&[3, 3, 4], order, partner);
            let shown: Vec<String> = rows
                .iter()
                .map(|row| {
                    let item = |(text, item): (&&str, &Option<usize>)| {
                        item.map_or("-", |item| &text[item..=item]).to_string()
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
        assert_eq!(best_first(2, 2, same(b"ab", b"ba")), [(0, 1), (1, 0)]);
        assert_eq!(best_first(2, 1, |row, _| Some(if row == 0 { 0.5 } else { 0.9 })), [(1, 0)]);
    }
}
