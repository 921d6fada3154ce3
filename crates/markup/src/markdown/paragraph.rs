//! Paragraphs, and the code spans that end with them.

use std::collections::HashMap;
use std::ops::Range;

use super::lines::run_length;

/// The last requested paragraph. Most requests are for the same one.
#[derive(Debug, Default)]
pub(in crate::markdown) struct Paragraph(Range<usize>);

impl Paragraph {
    /// Returns the end of the paragraph around `at`.
    pub(in crate::markdown) fn end(&mut self, text: &str, at: usize) -> usize {
        if !self.0.contains(&at) {
            self.0 = at..at + paragraph_end(&text[at..]);
        }
        self.0.end
    }
}

/// The runs of backticks from a position to the end of its paragraph, by length and position.
#[derive(Debug, Default)]
pub(in crate::markdown) struct Ticks {
    within: Range<usize>,
    runs: HashMap<usize, Vec<usize>>,
}

impl Ticks {
    /// Returns the start of the next run of this length at or after `at`, in the paragraph that ends at `end`.
    pub(in crate::markdown) fn next(
        &mut self,
        text: &str,
        at: usize,
        end: usize,
        length: usize,
    ) -> Option<usize> {
        if self.within.end != end || at < self.within.start {
            *self = Self { within: at..end, runs: HashMap::new() };
            let mut from = at;
            while let Some(found) = memchr::memchr(b'`', &text.as_bytes()[from..end]) {
                let run = run_length(&text[from + found..end], b'`');
                self.runs.entry(run).or_default().push(from + found);
                from += found + run;
            }
        }
        let runs = self.runs.get(&length)?;
        runs.get(runs.partition_point(|run| *run < at)).copied()
    }
}

/// Returns the end of the paragraph at the start of `text`: a blank line or the end.
fn paragraph_end(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() && at > 0 {
            break;
        }
        at += line.len();
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_paragraph_is_the_same_from_every_place_in_it() {
        for text in ["", "a\nb\n\nc", "\n\na\n \nb\nc\n", "\r\na\r\n\r\n", "a", "\n\n\n", " \na\n\t\n\nb\n"] {
            let expected = |at: usize| at + paragraph_end(&text[at..]);
            for step in 1..4 {
                let mut paragraph = Paragraph::default();
                for at in (0..=text.len()).chain((0..=text.len()).rev()).step_by(step) {
                    assert_eq!(paragraph.end(text, at), expected(at), "{text:?} at {at}");
                }
            }
        }
    }
}
