//! Joins facts about two versions into facts about all of them.
//!
//! A difference is a fact about two versions. Facts about matching items are joined: "iOS writes `Enabled` where Web
//! and Android write `Check`" consists of two.

use base::index::{IndexVec, Ix, newtype_index};
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use site::family::VersionIx;
use site::family::compare::{Comparison, Pairing};

newtype_index! {
    /// Number of an item among all that are joined.
    struct ItemIx
}
newtype_index! {
    /// Position of an item in [`Set::members`].
    struct MemberIx
}

/// Matching items of several versions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ItemGroup<I> {
    /// The versions that lack the item, and the items that they lack.
    pub(super) lacking: Vec<Lacking<I>>,
    /// Differing items, in classes of equal ones. Empty if none differ.
    pub(super) variants: Vec<Vec<(VersionIx, I)>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lacking<I> {
    pub(super) with: Vec<(VersionIx, I)>,
    pub(super) without: Vec<VersionIx>,
}

/// How differing items are grouped if not every pair matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Incomplete {
    /// In pairs, so that the findings about some platforms don't depend on the others.
    InPairs,
    /// All that match through others, as one difference, because twelve platforms have 66 pairs.
    Together,
}

/// Joins the facts of one kind. `accepts` returns whether a version's difference in an item is accepted.
pub(super) fn groups<I: Copy + Ord>(
    comparisons: &SortedMap<(VersionIx, VersionIx), Comparison>,
    pairing: impl Fn(&Comparison) -> &Pairing<I>,
    incomplete: Incomplete,
    mut accepts: impl FnMut(VersionIx, Option<I>) -> bool,
) -> Vec<ItemGroup<I>> {
    let mut items: SortedMap<(VersionIx, I), ItemIx> = SortedMap::new();
    for (&(a, b), comparison) in comparisons {
        let pairing = pairing(comparison);
        let paired = pairing.same.iter().chain(&pairing.differing).flat_map(|&(x, y)| [(a, x), (b, y)]);
        let alone = pairing.only[0].iter().map(|&x| (a, x)).chain(pairing.only[1].iter().map(|&y| (b, y)));
        for item in paired.chain(alone) {
            let next = items.len().into();
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
    let mut sets: SortedMap<ItemIx, Set<I>> = SortedMap::new();
    for (&item, &index) in &items {
        sets.entry(together.of(index)).or_default().members.push(item);
    }
    let mut lacked_by: SortedMap<(VersionIx, I), Vec<VersionIx>> = SortedMap::new();
    for (&(a, b), comparison) in comparisons {
        let Pairing { same, differing, only } = pairing(comparison);
        let set_of = |item: (VersionIx, I)| together.of(items[&item]);
        for &(x, y) in same {
            sets.entry(set_of((a, x))).or_default().same.push(((a, x), (b, y)));
        }
        for &(x, y) in differing {
            sets.entry(set_of((a, x))).or_default().differing.push(((a, x), (b, y)));
        }
        for &x in &only[0] {
            lacked_by.entry((a, x)).or_default().push(b);
        }
        for &y in &only[1] {
            lacked_by.entry((b, y)).or_default().push(a);
        }
    }
    let mut groups: Vec<ItemGroup<I>> = Vec::new();
    for set in sets.into_values() {
        let lacking = lacking(&set.members, &lacked_by, &mut accepts);
        groups.push(ItemGroup { lacking, variants: Vec::new() });
        let variants = variants(&set, incomplete, &mut accepts);
        groups.extend(variants.into_iter().map(|variants| ItemGroup { lacking: Vec::new(), variants }));
    }
    groups.retain(|group| !group.lacking.is_empty() || !group.variants.is_empty());
    // In the order of the first version's items.
    groups.stable_sort_by_key(|group| {
        let with = group.lacking.iter().flat_map(|lacking| &lacking.with);
        with.chain(group.variants.iter().flatten()).map(|&(version, item)| (item, version)).min()
    });
    groups
}

/// An item of one version, and the matching item of another.
type Pair<I> = ((VersionIx, I), (VersionIx, I));

/// Items that match directly or through others, with the facts about pairs of them.
struct Set<I> {
    /// Sorted.
    members: IndexVec<MemberIx, (VersionIx, I)>,
    same: Vec<Pair<I>>,
    differing: Vec<Pair<I>>,
}

impl<I> Default for Set<I> {
    fn default() -> Self {
        Self { members: IndexVec::default(), same: Vec::new(), differing: Vec::new() }
    }
}

fn lacking<I: Copy + Ord>(
    members: &[(VersionIx, I)],
    lacked_by: &SortedMap<(VersionIx, I), Vec<VersionIx>>,
    accepts: &mut impl FnMut(VersionIx, Option<I>) -> bool,
) -> Vec<Lacking<I>> {
    let mut with: SortedMap<VersionIx, SortedSet<(VersionIx, I)>> = SortedMap::new();
    for &(version, item) in members {
        for &without in lacked_by.get(&(version, item)).into_iter().flatten() {
            // Both are evaluated, so that both acceptances count as used.
            if !(accepts(version, Some(item)) | accepts(without, None)) {
                with.entry(without).or_default().insert((version, item));
            }
        }
    }
    let mut without: SortedMap<SortedSet<(VersionIx, I)>, Vec<VersionIx>> = SortedMap::new();
    for (version, with) in with {
        without.entry(with).or_default().push(version);
    }
    without.into_iter().map(|(with, without)| Lacking { with: with.into_iter().collect(), without }).collect()
}

/// Returns the ways in which matching items differ. If two items differ although both equal a third one, only pairs
/// are reported. If not every pair matches, `incomplete` determines the grouping.
fn variants<I: Copy + Ord>(
    set: &Set<I>,
    incomplete: Incomplete,
    accepts: &mut impl FnMut(VersionIx, Option<I>) -> bool,
) -> Vec<Vec<Vec<(VersionIx, I)>>> {
    let members = &set.members;
    if set.differing.is_empty() {
        return Vec::new();
    }
    let position = |item: &(VersionIx, I)| -> MemberIx {
        members.binary_search(item).expect("pairs are made of members").into()
    };
    let pairs = |pairs: &[Pair<I>]| -> Vec<_> {
        pairs.iter().map(|(one, other)| (position(one), position(other))).collect()
    };
    let (same, differing) = (pairs(&set.same), pairs(&set.differing));
    let accepted: IndexVec<MemberIx, bool> =
        members.iter().map(|&(version, item)| accepts(version, Some(item))).collect();
    let is_complete = 2 * (same.len() + differing.len()) == members.len() * (members.len() - 1);
    let mut alike = Sets::new(members.len());
    for &(x, y) in &same {
        alike.join(x, y);
    }
    let differing: Vec<_> = differing.into_iter().filter(|&(x, y)| !accepted[x] && !accepted[y]).collect();
    let contradicts = differing.iter().any(|&(x, y)| alike.of(x) == alike.of(y));
    if contradicts || !is_complete && incomplete == Incomplete::InPairs {
        return differing.into_iter().map(|(x, y)| vec![vec![members[x]], vec![members[y]]]).collect();
    }
    if !is_complete {
        return joined(members, &mut alike, &differing);
    }
    let mut classes: SortedMap<MemberIx, Vec<(VersionIx, I)>> = SortedMap::new();
    for (at, &member) in members.indexed().filter(|&(at, _)| !accepted[at]) {
        classes.entry(alike.of(at)).or_default().push(member);
    }
    if differing.is_empty() { Vec::new() } else { vec![classes.into_values().collect()] }
}

/// Returns the ways in which items differ that match through others: one list for each set of items of which each
/// differs from another, with the classes of equal ones. Only the first of two items of one version is included.
fn joined<I: Copy + Ord>(
    members: &IndexVec<MemberIx, (VersionIx, I)>,
    alike: &mut Sets<MemberIx>,
    differing: &[(MemberIx, MemberIx)],
) -> Vec<Vec<Vec<(VersionIx, I)>>> {
    let mut connected: Sets<MemberIx> = Sets::new(members.len());
    for &(x, y) in differing {
        let (x, y) = (alike.of(x), alike.of(y));
        connected.join(x, y);
    }
    let mut lists: SortedMap<MemberIx, SortedMap<MemberIx, Vec<(VersionIx, I)>>> = SortedMap::new();
    let mut met: SortedSet<(MemberIx, VersionIx)> = SortedSet::new();
    let classes: SortedSet<MemberIx> =
        differing.iter().flat_map(|&(x, y)| [alike.of(x), alike.of(y)]).collect();
    for (at, &member) in members.indexed() {
        let class = alike.of(at);
        let list = connected.of(class);
        if classes.contains(&class) && met.insert((list, member.0)) {
            lists.entry(list).or_default().entry(class).or_default().push(member);
        }
    }
    let lists = lists.into_values().map(|classes| classes.into_values().collect::<Vec<_>>());
    lists.filter(|classes| classes.len() > 1).collect()
}

/// Disjoint sets of numbers. Each number refers to another one in its set, or to itself if it represents the set.
struct Sets<N>(IndexVec<N, N>);

impl<N: Ix> Sets<N> {
    fn new(count: usize) -> Self {
        Self((0..count).map(N::from).collect())
    }

    /// Returns the number that represents the set.
    fn of(&self, number: N) -> N {
        let mut root = number;
        while self.0[root] != root {
            root = self.0[root];
        }
        root
    }

    fn join(&mut self, a: N, b: N) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b)] = a.min(b);
    }
}
