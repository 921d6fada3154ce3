//! Differences between two lists of texts.
//!
//! The algorithms are from `similar`. They are generic over the compared type, so each caller with its own type would
//! compile another copy. Here, equal texts get equal numbers, and all callers share one copy that compares numbers.

use std::convert::Infallible;
use std::ops::Range;

use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, myers, patience};

use crate::hash::HashMap;

/// Returns the smallest set of insertions and deletions that turns `old` into `new`, and the equal parts, in order.
pub fn operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let (old, new) = numbered(old, new);
    captured(&old, &new, myers::diff)
}

/// Like [`operations`], but anchored at texts that occur once on each side, so that moved and repeated blocks stay in
/// one piece.
pub fn anchored_operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let (old, new) = numbered(old, new);
    captured(&old, &new, patience::diff)
}

type Hook<'t> = Compact<'t, 't, [u32], [u32], Replace<Capture>>;
type Algorithm<'t> =
    fn(&mut Hook<'t>, &'t [u32], Range<usize>, &'t [u32], Range<usize>) -> Result<(), Infallible>;

/// Runs one algorithm, without [`similar::capture_diff`], which compiles all of them.
fn captured<'t>(old: &'t [u32], new: &'t [u32], algorithm: Algorithm<'t>) -> Vec<DiffOp> {
    let mut hook = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = algorithm(&mut hook, old, 0..old.len(), new, 0..new.len());
    hook.into_inner().into_inner().into_ops()
}

/// Replaces the texts of both lists with numbers that are equal for equal texts.
fn numbered<'t>(old: &[&'t str], new: &[&'t str]) -> (Vec<u32>, Vec<u32>) {
    let mut numbers: HashMap<&'t str, u32> = HashMap::default();
    let mut number = |text: &&'t str| {
        let next = u32::try_from(numbers.len()).expect("fewer texts than a page has bytes");
        *numbers.entry(*text).or_insert(next)
    };
    (old.iter().map(&mut number).collect(), new.iter().map(&mut number).collect())
}
