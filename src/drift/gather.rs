//! Gathers what pairs of tellings show into what all of them show.
//!
//! A difference is a fact about two tellings. Facts about corresponding items belong together: "iOS writes
//! `Enabled` where Web and Android write `Check`" is made of two.

use std::collections::{BTreeMap, BTreeSet};

use crate::family::compare::{Comparison, Pairing};

/// Position among the tellings of a step.
pub(super) type Telling = usize;

/// Items of several tellings that correspond.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group<I> {
    /// Who lacks the item, and who has it and is lacked by them.
    pub(super) lacking: Vec<Lacking<I>>,
    /// Items that differ, those that agree with each other together; empty where none differ.
    pub(super) variants: Vec<Vec<(Telling, I)>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lacking<I> {
    pub(super) with: Vec<(Telling, I)>,
    pub(super) without: Vec<Telling>,
}

/// Gathers one kind of items. `accepts` says whether a telling's difference in an item is there on purpose.
pub(super) fn groups<I: Copy + Ord>(
    comparisons: &BTreeMap<(Telling, Telling), Comparison>,
    pairing: impl Fn(&Comparison) -> &Pairing<I>,
    mut accepts: impl FnMut(Telling, Option<I>) -> bool,
) -> Vec<Group<I>> {
    let mut items: BTreeMap<(Telling, I), usize> = BTreeMap::new();
    for (&(a, b), comparison) in comparisons {
        let pairing = pairing(comparison);
        let paired = pairing.same.iter().chain(&pairing.differing).flat_map(|&(x, y)| [(a, x), (b, y)]);
        let alone = pairing.only[0].iter().map(|&x| (a, x)).chain(pairing.only[1].iter().map(|&y| (b, y)));
        for item in paired.chain(alone) {
            let next = items.len();
            items.entry(item).or_insert(next);
        }
    }
    let mut together = Sets::new(items.len());
    for (&(a, b), comparison) in comparisons {
        let pairing = pairing(comparison);
        for &(x, y) in pairing.same.iter().chain(&pairing.differing) {
            together.join(items[&(a, x)], items[&(b, y)]);
        }
    }
    let mut members: BTreeMap<usize, Vec<(Telling, I)>> = BTreeMap::new();
    for (&item, &index) in &items {
        members.entry(together.of(index)).or_default().push(item);
    }
    let mut groups: Vec<Group<I>> = Vec::new();
    for members in members.into_values() {
        let lacking = lacking(&members, comparisons, &pairing, &mut accepts);
        groups.push(Group { lacking, variants: Vec::new() });
        let variants = variants(&members, comparisons, &pairing, &mut accepts);
        groups.extend(variants.into_iter().map(|variants| Group { lacking: Vec::new(), variants }));
    }
    groups.retain(|group| !group.lacking.is_empty() || !group.variants.is_empty());
    // In the order of the first telling's items.
    groups.sort_by_key(|group| {
        let with = group.lacking.iter().flat_map(|lacking| &lacking.with);
        with.chain(group.variants.iter().flatten()).map(|&(telling, item)| (item, telling)).min()
    });
    groups
}

fn lacking<I: Copy + Ord>(
    members: &[(Telling, I)],
    comparisons: &BTreeMap<(Telling, Telling), Comparison>,
    pairing: &impl Fn(&Comparison) -> &Pairing<I>,
    accepts: &mut impl FnMut(Telling, Option<I>) -> bool,
) -> Vec<Lacking<I>> {
    let mut with: BTreeMap<Telling, BTreeSet<(Telling, I)>> = BTreeMap::new();
    for &(telling, item) in members {
        for (&(a, b), comparison) in comparisons {
            let only = &pairing(comparison).only;
            let without = match telling {
                _ if telling == a && only[0].contains(&item) => b,
                _ if telling == b && only[1].contains(&item) => a,
                _ => continue,
            };
            // Both are asked, so that both count as used.
            if !(accepts(telling, Some(item)) | accepts(without, None)) {
                with.entry(without).or_default().insert((telling, item));
            }
        }
    }
    let mut without: BTreeMap<BTreeSet<(Telling, I)>, Vec<Telling>> = BTreeMap::new();
    for (telling, with) in with {
        without.entry(with).or_default().push(telling);
    }
    without.into_iter().map(|(with, without)| Lacking { with: with.into_iter().collect(), without }).collect()
}

/// The ways in which corresponding items differ. Where not each corresponds to each, or what is the same as
/// a third differs, only two at a time can be said to differ.
fn variants<I: Copy + Ord>(
    members: &[(Telling, I)],
    comparisons: &BTreeMap<(Telling, Telling), Comparison>,
    pairing: &impl Fn(&Comparison) -> &Pairing<I>,
    accepts: &mut impl FnMut(Telling, Option<I>) -> bool,
) -> Vec<Vec<Vec<(Telling, I)>>> {
    let position = |item: &(Telling, I)| members.iter().position(|member| member == item);
    let pairs = |pick: fn(&Pairing<I>) -> &Vec<(I, I)>| -> Vec<(usize, usize)> {
        let of_two = |(&(a, b), comparison)| -> Vec<_> {
            let pairs = pick(pairing(comparison)).iter();
            pairs.filter_map(|&(x, y)| Some((position(&(a, x))?, position(&(b, y))?))).collect()
        };
        comparisons.iter().flat_map(of_two).collect()
    };
    let (same, differing) = (pairs(|pairing| &pairing.same), pairs(|pairing| &pairing.differing));
    if differing.is_empty() {
        return Vec::new();
    }
    let accepted: Vec<bool> = members.iter().map(|&(telling, item)| accepts(telling, Some(item))).collect();
    let is_complete = 2 * (same.len() + differing.len()) == members.len() * (members.len() - 1);
    let mut alike = Sets::new(members.len());
    for &(x, y) in &same {
        alike.join(x, y);
    }
    let differing: Vec<_> = differing.into_iter().filter(|&(x, y)| !accepted[x] && !accepted[y]).collect();
    if !is_complete || differing.iter().any(|&(x, y)| alike.of(x) == alike.of(y)) {
        return differing.into_iter().map(|(x, y)| vec![vec![members[x]], vec![members[y]]]).collect();
    }
    let mut classes: BTreeMap<usize, Vec<(Telling, I)>> = BTreeMap::new();
    for (at, &member) in members.iter().enumerate().filter(|&(at, _)| !accepted[at]) {
        classes.entry(alike.of(at)).or_default().push(member);
    }
    if differing.is_empty() { Vec::new() } else { vec![classes.into_values().collect()] }
}

/// Disjoint sets of numbers.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn of(&self, item: usize) -> usize {
        let mut root = item;
        while self.0[root] != root {
            root = self.0[root];
        }
        root
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b)] = a.min(b);
    }
}
