//! The differences of two lists of texts.
//!
//! The algorithms are those of `similar`. They are generic over what they compare, so each caller with a type of its own
//! would have them compiled again: here equal texts get equal numbers, and all callers share one instance over numbers.

use std::convert::Infallible;
use std::ops::Range;

use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, myers, patience};

use crate::base::hash::HashMap;

/// The fewest insertions and deletions that turn `old` into `new`, and what is equal, in order.
pub(crate) fn operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let (old, new) = numbered(old, new);
    captured(&old, &new, myers::diff)
}

/// The same, but anchored at texts that each side has once: blocks that moved or repeat stay together.
pub(crate) fn anchored_operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let (old, new) = numbered(old, new);
    captured(&old, &new, patience::diff)
}

type Hook<'t> = Compact<'t, 't, [u32], [u32], Replace<Capture>>;
type Algorithm<'t> =
    fn(&mut Hook<'t>, &'t [u32], Range<usize>, &'t [u32], Range<usize>) -> Result<(), Infallible>;

/// As [`similar::capture_diff`] does for every algorithm at once.
fn captured<'t>(old: &'t [u32], new: &'t [u32], algorithm: Algorithm<'t>) -> Vec<DiffOp> {
    let mut hook = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = algorithm(&mut hook, old, 0..old.len(), new, 0..new.len());
    hook.into_inner().into_inner().into_ops()
}

/// Both lists with a number in the place of each text, the same for equal texts.
fn numbered<'t>(old: &[&'t str], new: &[&'t str]) -> (Vec<u32>, Vec<u32>) {
    let mut numbers: HashMap<&'t str, u32> = HashMap::default();
    let mut number = |text: &&'t str| {
        let next = u32::try_from(numbers.len()).expect("fewer texts than a page has bytes");
        *numbers.entry(*text).or_insert(next)
    };
    (old.iter().map(&mut number).collect(), new.iter().map(&mut number).collect())
}
