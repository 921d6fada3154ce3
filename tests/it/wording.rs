//! Differences in wording are distinguished from differences in spelling.

use crate::support::pairs;

#[test]
fn real_differences_are_found_and_spelling_is_not() {
    let measured = pairs::measure();
    println!("{} {} {}", measured.precision, measured.recall, measured.mistakes.join("\n"));
    assert!(measured.pairs >= 60);
    assert!(measured.precision >= 0.9 && measured.recall >= 0.9, "{}", measured.mistakes.join("\n"));
}
