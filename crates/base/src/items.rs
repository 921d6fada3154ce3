//! Items of lists.

/// Returns the item of a list that has no other one.
pub fn only<T>(items: impl IntoIterator<Item = T>) -> Option<T> {
    let mut items = items.into_iter();
    items.next().filter(|_| items.next().is_none())
}
