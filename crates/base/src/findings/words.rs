//! Rules for translations.

use super::Rule;
use super::Severity::Warning;

pub(super) const MISSING_WORD: Rule = Rule {
    summary: "interface text is not translated",
    why: "Readers see a few English words on pages in another language.",
    example: "language = \"sv\", without templates/words/sv.toml",
    fix: "Translate the words in `templates/words/LANGUAGE.toml`. To start from the English words, run `stepkin theme eject words/en.toml` and rename the file.",
    ..Rule::new("missing-word", Warning)
};
