//! Stable sorting that is compiled once, for all types.
//!
//! The sort of the standard library generates some two thousand instructions for each type and each way to compare it, and the
//! crate sorts 150 kinds of lists. Here a list's positions are sorted, and its items are swapped into their places.

use std::cmp::Ordering;

/// The methods of slices that sort, under their names in the standard library.
pub trait StableSort<T> {
    fn stable_sort(&mut self)
    where
        T: Ord;

    fn stable_sort_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    fn stable_sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K);

    /// Computes each key once.
    fn stable_sort_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> StableSort<T> for [T] {
    fn stable_sort(&mut self)
    where
        T: Ord,
    {
        let swaps = swaps(self.len(), &|one, other| self[one].cmp(&self[other]));
        swap_all(self, &swaps);
    }

    fn stable_sort_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let swaps = swaps(self.len(), &|one, other| compare(&self[one], &self[other]));
        swap_all(self, &swaps);
    }

    fn stable_sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        let swaps = swaps(self.len(), &|one, other| key(&self[one]).cmp(&key(&self[other])));
        swap_all(self, &swaps);
    }

    fn stable_sort_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        let keys: Vec<K> = self.iter().map(key).collect();
        let swaps = swaps(keys.len(), &|one, other| keys[one].cmp(&keys[other]));
        swap_all(self, &swaps);
    }
}

fn swap_all<T>(items: &mut [T], swaps: &[(usize, usize)]) {
    for &(one, other) in swaps {
        items.swap(one, other);
    }
}

/// The pairs of positions whose items change places, one pair after the other, so that a list is sorted.
fn swaps(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    if (1..length).all(|at| compare(at - 1, at).is_le()) {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|one, other| compare(*one, *other));
    let mut swaps = Vec::new();
    for start in 0..length {
        let mut at = start;
        while order[at] != start {
            let from = std::mem::replace(&mut order[at], at);
            swaps.push((at, from));
            at = from;
        }
        order[at] = at;
    }
    swaps
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lists_are_sorted_as_by_the_standard_library(items in prop::collection::vec((0u8..20, any::<u8>()), 0..80)) {
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            let mut by_key = items.clone();
            by_key.stable_sort_by_key(|(key, _)| *key);
            prop_assert_eq!(&by_key, &expected);
            let mut by = items.clone();
            by.stable_sort_by(|(one, _), (other, _)| one.cmp(other));
            prop_assert_eq!(&by, &expected);
            let mut cached = items.clone();
            cached.stable_sort_by_cached_key(|(key, _)| *key);
            prop_assert_eq!(&cached, &expected);
            let mut all = items.clone();
            all.stable_sort();
            expected.sort_unstable();
            prop_assert_eq!(all, expected);
        }
    }
}
