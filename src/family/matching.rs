//! Pairs the items of two sequences.

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
    let mut candidates: Vec<(f64, usize, usize)> = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (row, column)))
        .filter_map(|(row, column)| Some((score(row, column)?, row, column)))
        .collect();
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
    fn the_best_pairs_may_cross() {
        assert_eq!(best_first(2, 2, same(b"ab", b"ba")), [(0, 1), (1, 0)]);
        assert_eq!(best_first(2, 1, |row, _| Some(if row == 0 { 0.5 } else { 0.9 })), [(1, 0)]);
    }
}
