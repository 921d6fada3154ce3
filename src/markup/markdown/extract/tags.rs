//! Names of elements, found without parsing.

use super::Enclosure;

/// The element whose name begins here, if it encloses text.
pub(super) fn enclosing_element(bytes: &[u8]) -> Option<&'static str> {
    Enclosure::ELEMENTS.into_iter().find(|name| starts_with_name(bytes, name))
}

/// Whether an element's whole name begins here: `aside>`, `aside class`, not `asides`.
pub(super) fn starts_with_name(bytes: &[u8], name: &str) -> bool {
    let Some(start) = bytes.get(..name.len()) else { return false };
    let ends =
        bytes.get(name.len()).is_none_or(|next| matches!(next, b'>' | b'/') || next.is_ascii_whitespace());
    start.eq_ignore_ascii_case(name.as_bytes()) && ends
}

pub(super) fn find_ignoring_case(text: &[u8], wanted: &str) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window.eq_ignore_ascii_case(wanted.as_bytes()))
}
