//! Numbered titles: `Step 4. Create a connection`.
//!
//! Lists of steps show the number in a circle, and pages show it above the heading, so that it appears once.

use super::Renderer;
use input::words::{Word, Words};

/// A title in two parts. The number is empty if the author gives none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Numbered<'t> {
    /// For example `4`.
    pub(super) number: &'t str,
    /// For example `Create a connection`.
    pub(super) bare: &'t str,
    /// For example `Step 4. `, with the space.
    pub(super) prefix: &'t str,
}

impl<'t> Numbered<'t> {
    /// `words` are the words for "step" in the site's language and in English. A number without such a word needs a
    /// punctuation mark after it, so that `3 ways to begin` isn't split.
    pub(super) fn read(title: &'t str, words: &[&str]) -> Self {
        let unnumbered = Self { number: "", bare: title, prefix: "" };
        let word = words.iter().find_map(|word| {
            let start = title.get(..word.len())?;
            (start.to_lowercase() == word.to_lowercase()).then_some(word.len())
        });
        let start = word.unwrap_or_default();
        let rest = title[start..].trim_start();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = rest.split_at(digits);
        let after = rest.trim_start();
        let bare = after.trim_start_matches(['.', ':', ')', '-', '–', '—']);
        let has_sign = bare.len() < after.len();
        let bare = bare.trim_start();
        let is_apart = rest.len() > bare.len() && (word.is_some() || has_sign && after.len() == rest.len());
        // `2.1 Install` and `3-D` don't begin with step numbers.
        let is_numbered = digits > 0 && digits < 4 && is_apart && bare.starts_with(char::is_alphabetic);
        let is_numbered = is_numbered && rest[..rest.len() - bare.len()].ends_with(char::is_whitespace);
        if !is_numbered {
            return unnumbered;
        }
        Self { number, bare, prefix: &title[..title.len() - bare.len()] }
    }
}

/// Numbers the steps of a list from 1 if the author numbers none of them.
pub(super) fn count_unnumbered<T>(steps: &mut [T], number: impl Fn(&mut T) -> &mut String) {
    if steps.iter_mut().all(|step| number(step).is_empty()) {
        for (count, step) in (1_usize..).zip(steps) {
            *number(step) = count.to_string();
        }
    }
}

/// Returns the title of a step without its number.
pub(in crate::output) fn bare_title<'t>(title: &'t str, words: &Words) -> &'t str {
    Numbered::read(title, &[words.get(Word::Step), "Step"]).bare
}

impl Renderer<'_> {
    /// Splits the title of a page into two parts.
    pub(super) fn numbered<'t>(&self, title: &'t str) -> Numbered<'t> {
        Numbered::read(title, &[self.words.get(Word::Step), "Step"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(title: &str, number: &str, bare: &str) {
        let read = Numbered::read(title, &["Schritt", "Step"]);
        assert_eq!((read.number, read.bare), (number, bare));
        assert_eq!(format!("{}{}", read.prefix, read.bare), title);
    }

    #[test]
    fn a_number_in_front_is_apart_from_the_title() {
        check("Step 4. Create a connection", "4", "Create a connection");
        check("step 12: Install", "12", "Install");
        check("Schritt 3 – Öffnen", "3", "Öffnen");
        check("Step 1 Install", "1", "Install");
        check("4. Create", "4", "Create");
        check("4) Create", "4", "Create");
    }

    #[test]
    fn numbers_that_are_not_step_numbers_stay() {
        for title in [
            "Overview",
            "3 ways to begin",
            "2.1 Install",
            "3-D models",
            "Step",
            "Step 4",
            "Step 4.",
            "Stepping 4. on",
            "Step by step",
            "2026. A year",
            "4.",
            "",
            "Step 4.5 Install",
            "ǅ 4. x",
        ] {
            check(title, "", title);
        }
    }
}
