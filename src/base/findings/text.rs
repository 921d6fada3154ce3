//! Text as readers see it.

use super::Rule;
use super::Severity::Warning;

pub(super) const MOJIBAKE: Rule = Rule {
    summary: "text was read in the wrong encoding and saved",
    why: "Readers see `wonâ€™t` in other tools; here it is repaired on the page.",
    example: "You wonâ€™t",
    cure: "write the letters that are meant, and save as UTF-8.",
    is_mended: true,
    ..Rule::new("mojibake", Warning)
};

pub(super) const DOUBLED_WORD: Rule = Rule {
    summary: "a word stands twice",
    why: "It is a slip of the keyboard that readers stumble over.",
    example: "Open the the dashboard.",
    cure: "remove one of them.",
    ..Rule::new("doubled-word", Warning)
};

pub(super) const INVISIBLE_CHARACTER: Rule = Rule {
    summary: "the text holds a character that nobody sees",
    why: "It breaks searching, and code that is copied with it.",
    example: "a zero-width space before a function's name",
    cure: "remove it.",
    ..Rule::new("invisible-character", Warning)
};

pub(super) const OTHER_PLATFORM_WORD: Rule = Rule {
    summary: "a page speaks of another platform in a copied sentence",
    why: "The sentence was copied from another platform's page and not adapted.",
    example: "on an Android page: Select **iOS** from the list.",
    cure: "write what holds for this platform.",
    ..Rule::new("other-platform-word", Warning)
};
