//! Words that pages show.

use super::Rule;
use super::Severity::Warning;

pub(super) const MISSING_WORD: Rule = Rule {
    summary: "a language lacks words that pages show",
    why: "Readers meet a few English words on pages in another language.",
    example: "language = \"fr\"",
    cure: "translate what is named, in `templates/words/fr.toml`: `stepkin theme eject words/en.toml` writes out the English words, and the file is renamed to `fr.toml`.",
    ..Rule::new("missing-word", Warning)
};
