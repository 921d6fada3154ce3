//! Recognizes spellings of the same English word.

/// Whether two words are spellings of the same word, possibly with a typing mistake: `diagramed`, `diagrammed`;
/// `organise`, `organize`; `teh`, `the`. If a letter is replaced, they are different words (`upload`, `unload`), and
/// if they contain digits.
pub(super) fn is_spelling(a: &str, b: &str) -> bool {
    // Fast path: nearly all words begin with different letters.
    if a.chars().next() != b.chars().next() {
        return false;
    }
    let (short, long) = if a.chars().count() <= b.chars().count() { (a, b) } else { (b, a) };
    let (short, long): (Vec<char>, Vec<char>) = (short.chars().collect(), long.chars().collect());
    let in_letters = |word: &[char]| word.iter().all(|c| c.is_alphabetic() || *c == '\'');
    if short.len() < 4 || !in_letters(&short) || !in_letters(&long) {
        return false;
    }
    // For example `catalog` and `catalogue`.
    if short.ends_with(&['o', 'g']) && long.ends_with(&['u', 'e']) && long[..long.len() - 2] == *short {
        return true;
    }
    let differs = short.iter().zip(&long).position(|(a, b)| a != b).unwrap_or(short.len());
    match long.len() - short.len() {
        0 => {
            let (a, b) = (&short[differs..], &long[differs..]);
            let swapped = a.len() > 1 && (a[0], a[1]) == (b[1], b[0]) && a[2..] == b[2..];
            let sibilant = a.len() > 1 && matches!((a[0], b[0]), ('s', 'z') | ('z', 's')) && a[1..] == b[1..];
            swapped || sibilant
        }
        1 => short[differs..] == long[differs + 1..],
        _ => false,
    }
}
