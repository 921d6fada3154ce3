//! Lines of texts that aren't parsed.

/// Returns the lines of a text with their line ends, each with its position if the text begins at `start`.
pub fn placed(text: &str, start: usize) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(start, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    })
}
