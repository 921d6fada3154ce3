//! Maps and sets in the order of their keys, as sorted lists.
//!
//! They have the methods of `BTreeMap` and `BTreeSet`, and generate a tenth of the code for each pair of types; the
//! crate has two hundred pairs. A lookup needs as many comparisons, and iterating is cheaper. An insertion moves all later
//! entries, so maps that get tens of thousands of keys in random order, one at a time, are `BTreeMap`s.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::iter::Map;
use std::ops::{Deref, Index};
use std::{slice, vec};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::sort::StableSort as _;

/// A map in the order of its keys.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedMap<K, V> {
    entries: Vec<(K, V)>,
}

/// A set in the order of its items. It is a slice as well.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedSet<T> {
    items: Vec<T>,
}

/// The position of a key in a map, with or without a value.
#[derive(Debug)]
pub struct MapEntry<'m, K, V> {
    map: &'m mut SortedMap<K, V>,
    key: K,
    /// `Err` is the position at which the key would be inserted.
    position: Result<usize, usize>,
}

impl<K, V> SortedMap<K, V> {
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn iter(&self) -> <&Self as IntoIterator>::IntoIter {
        self.into_iter()
    }

    pub fn iter_mut(&mut self) -> <&mut Self as IntoIterator>::IntoIter {
        self.into_iter()
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.entries.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.entries.iter().map(|(_, value)| value)
    }

    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> + ExactSizeIterator {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator {
        self.entries.into_iter().map(|(key, _)| key)
    }

    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> + ExactSizeIterator {
        self.entries.into_iter().map(|(_, value)| value)
    }

    pub fn into_vec(self) -> Vec<(K, V)> {
        self.entries
    }

    pub fn retain(&mut self, mut keeps: impl FnMut(&K, &mut V) -> bool) {
        self.entries.retain_mut(|(key, value)| keeps(key, value));
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.position(key).ok().map(|at| &self.entries[at].1)
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.position(key).ok().map(|at| &mut self.entries[at].1)
    }

    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        self.position(key).ok().map(|at| (&self.entries[at].0, &self.entries[at].1))
    }

    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.position(key).is_ok()
    }

    /// Sets the value of a key, and returns the value that it had before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.position(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.entries[at].1, value)),
            Err(at) => {
                self.entries.insert(at, (key, value));
                None
            }
        }
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.position(key).ok().map(|at| self.entries.remove(at).1)
    }

    pub fn entry(&mut self, key: K) -> MapEntry<'_, K, V> {
        let position = self.position(&key);
        MapEntry { map: self, key, position }
    }

    fn position<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        // Keys often arrive in their order.
        match self.entries.last() {
            Some((last, _)) if last.borrow() < key => Err(self.entries.len()),
            _ => self.entries.binary_search_by(|(it, _)| it.borrow().cmp(key)),
        }
    }
}

impl<'m, K: Ord, V> MapEntry<'m, K, V> {
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'m mut V {
        let entries = &mut self.map.entries;
        let at = match self.position {
            Ok(at) => at,
            Err(at) => {
                entries.insert(at, (self.key, value()));
                at
            }
        };
        &mut entries[at].1
    }

    pub fn or_insert(self, value: V) -> &'m mut V {
        self.or_insert_with(|| value)
    }

    pub fn or_default(self) -> &'m mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    #[must_use]
    pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
        if let Ok(at) = self.position {
            change(&mut self.map.entries[at].1);
        }
        self
    }
}

impl<T> SortedSet<T> {
    pub const fn new() -> Self {
        Self { items: Vec::new() }
    }

    pub fn retain(&mut self, keeps: impl FnMut(&T) -> bool) {
        self.items.retain(keeps);
    }

    pub fn into_vec(self) -> Vec<T> {
        self.items
    }
}

impl<T: Ord> SortedSet<T> {
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.position(item).is_ok()
    }

    /// Whether the item is new.
    pub fn insert(&mut self, item: T) -> bool {
        let Err(at) = self.position(&item) else { return false };
        self.items.insert(at, item);
        true
    }

    /// Whether the set had the item.
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        let found = self.position(item);
        if let Ok(at) = found {
            self.items.remove(at);
        }
        found.is_ok()
    }

    pub fn union<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = &'s T> + Clone {
        let rest: SortedSet<&T> = self.iter().chain(other.iter()).collect();
        rest.items.into_iter()
    }

    pub fn intersection<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = &'s T> + Clone {
        self.iter().filter(|item| other.contains(*item))
    }

    pub fn difference<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = &'s T> + Clone {
        self.iter().filter(|item| !other.contains(*item))
    }

    pub fn is_subset(&self, other: &Self) -> bool {
        self.iter().all(|item| other.contains(item))
    }

    pub fn is_disjoint(&self, other: &Self) -> bool {
        !self.iter().any(|item| other.contains(item))
    }

    fn position<Q: Ord + ?Sized>(&self, item: &Q) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        match self.items.last() {
            Some(last) if last.borrow() < item => Err(self.items.len()),
            _ => self.items.binary_search_by(|it| it.borrow().cmp(item)),
        }
    }
}

/// Sorts a list whose first items are `sorted`, and keeps only the last of equal items.
fn sort<T>(items: &mut Vec<T>, sorted: usize, compare: impl Fn(&T, &T) -> Ordering) {
    if items[sorted.saturating_sub(1)..].is_sorted_by(|one, next| compare(one, next).is_lt()) {
        return;
    }
    items.stable_sort_by(&compare);
    let mut last = 0;
    for at in 1..items.len() {
        if compare(&items[last], &items[at]).is_ne() {
            last += 1;
        }
        items.swap(last, at);
    }
    items.truncate(last + 1);
}

fn by_key<K: Ord, V>(one: &(K, V), other: &(K, V)) -> Ordering {
    one.0.cmp(&other.0)
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self::from(entries.into_iter().collect::<Vec<_>>())
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::from(items.into_iter().collect::<Vec<_>>())
    }
}

impl<K: Ord, V> From<Vec<(K, V)>> for SortedMap<K, V> {
    fn from(mut entries: Vec<(K, V)>) -> Self {
        sort(&mut entries, 0, by_key);
        Self { entries }
    }
}

impl<T: Ord> From<Vec<T>> for SortedSet<T> {
    fn from(mut items: Vec<T>) -> Self {
        sort(&mut items, 0, T::cmp);
        Self { items }
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        Self::from_iter(entries)
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(items: [T; N]) -> Self {
        Self::from_iter(items)
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        let sorted = self.entries.len();
        self.entries.extend(entries);
        sort(&mut self.entries, sorted, by_key);
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        let sorted = self.items.len();
        self.items.extend(items);
        sort(&mut self.items, sorted, T::cmp);
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for SortedSet<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    /// # Panics
    ///
    /// If the map doesn't contain the key.
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("a key of the map")
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'m, K, V> IntoIterator for &'m SortedMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = Map<slice::Iter<'m, (K, V)>, fn(&'m (K, V)) -> (&'m K, &'m V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter().map(|(key, value)| (key, value))
    }
}

impl<'m, K, V> IntoIterator for &'m mut SortedMap<K, V> {
    type Item = (&'m K, &'m mut V);
    type IntoIter = Map<slice::IterMut<'m, (K, V)>, fn(&'m mut (K, V)) -> (&'m K, &'m mut V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter_mut().map(|(key, value)| (&*key, value))
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'s, T> IntoIterator for &'s SortedSet<T> {
    type Item = &'s T;
    type IntoIter = slice::Iter<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

impl<K: Serialize, V: Serialize> Serialize for SortedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<T: Serialize> Serialize for SortedSet<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.items.serialize(serializer)
    }
}

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Deserialize<'de> for SortedMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        std::collections::BTreeMap::deserialize(deserializer).map(Self::from_iter)
    }
}

impl<'de, T: Deserialize<'de> + Ord> Deserialize<'de> for SortedSet<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from_iter)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_map_is_a_b_tree(entries: Vec<(u8, u16)>, more: Vec<(u8, u16)>, gone: Vec<u8>) {
            let mut map: SortedMap<u8, u16> = entries.iter().copied().collect();
            let mut tree: BTreeMap<u8, u16> = entries.into_iter().collect();
            let same = |map: &SortedMap<u8, u16>, tree: &BTreeMap<u8, u16>| map.iter().eq(tree);
            prop_assert!(same(&map, &tree));
            for (key, value) in more.iter().copied() {
                prop_assert_eq!(map.get(&key), tree.get(&key));
                prop_assert_eq!(map.insert(key, value), tree.insert(key, value));
                *map.entry(key / 2).and_modify(|it| *it ^= 1).or_default() ^= value;
                *tree.entry(key / 2).and_modify(|it| *it ^= 1).or_default() ^= value;
            }
            prop_assert!(same(&map, &tree));
            for key in gone {
                prop_assert_eq!(map.remove(&key), tree.remove(&key));
            }
            map.extend(more.iter().map(|(key, value)| (value.to_le_bytes()[0], u16::from(*key))));
            tree.extend(more.iter().map(|(key, value)| (value.to_le_bytes()[0], u16::from(*key))));
            prop_assert!(same(&map, &tree));
            let written = postcard::to_stdvec(&map).expect("bytes");
            prop_assert_eq!(&written, &postcard::to_stdvec(&tree).expect("bytes"));
            prop_assert_eq!(postcard::from_bytes::<SortedMap<u8, u16>>(&written).expect("a map"), map);
        }

        #[test]
        fn a_set_is_a_b_tree(items: Vec<u8>, others: Vec<u8>) {
            let [mut set, other]: [SortedSet<u8>; 2] = [&items, &others].map(|it| it.iter().copied().collect());
            let [mut tree, theirs]: [BTreeSet<u8>; 2] = [&items, &others].map(|it| it.iter().copied().collect());
            prop_assert!(set.union(&other).eq(tree.union(&theirs)));
            prop_assert!(set.intersection(&other).eq(tree.intersection(&theirs)));
            prop_assert!(set.difference(&other).eq(tree.difference(&theirs)));
            prop_assert_eq!(set.is_subset(&other), tree.is_subset(&theirs));
            prop_assert_eq!(set.is_disjoint(&other), tree.is_disjoint(&theirs));
            for item in others {
                prop_assert_eq!(set.contains(&item), tree.contains(&item));
                prop_assert_eq!(set.remove(&(item / 2)), tree.remove(&(item / 2)));
                prop_assert_eq!(set.insert(item), tree.insert(item));
            }
            prop_assert!(set.iter().eq(&tree));
        }
    }
}
