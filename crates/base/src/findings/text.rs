//! Rules for words and characters.

use super::Rule;
use super::Severity::Warning;

pub(super) const MOJIBAKE: Rule = Rule {
    summary: "text is garbled by a wrong encoding",
    why: "The text was saved in the wrong encoding. Stepkin repairs it on the page; other tools show `wonâ€™t`.",
    example: "You wonâ€™t",
    instead: "You won’t",
    fix: "Type the correct characters, and save the file as UTF-8.",
    is_fixable: true,
    ..Rule::new("mojibake", Warning)
};

pub(super) const DOUBLED_WORD: Rule = Rule {
    summary: "word or paragraph is repeated",
    why: "A repeated word is usually a typing mistake, and a repeated paragraph was pasted twice.",
    example: "Open the the dashboard.",
    instead: "Open the dashboard.",
    fix: "Remove one of them.",
    ..Rule::new("doubled-word", Warning)
};

pub(super) const MISSPELLED_WORD: Rule = Rule {
    summary: "word or name is misspelled",
    why: "The word occurs once, and nearly the same word several times. Readers copy a name that doesn't exist.",
    example: "`backgroudImage`, and `backgroundImage` three times on other pages",
    instead: "`backgroundImage`",
    fix: "Use the word that the other places have, or suppress the finding if both are correct.",
    ..Rule::new("misspelled-word", Warning)
};

pub(super) const PLACEHOLDER_TEXT: Rule = Rule {
    summary: "note to the author, filler text, or empty note is published",
    why: "Readers see that the page is unfinished.",
    example: "TODO: describe the limits.",
    fix: "Write the text, or put the note into a comment: `<!-- TODO: … -->`.",
    ..Rule::new("placeholder-text", Warning)
};

pub(super) const INVISIBLE_CHARACTER: Rule = Rule {
    summary: "invisible character in the text",
    why: "Invisible characters break search and copied code.",
    example: "a zero-width space before the name of a function",
    fix: "Remove the character.",
    ..Rule::new("invisible-character", Warning)
};

pub(super) const WRONG_PLATFORM_NAME: Rule = Rule {
    summary: "copied text names another platform",
    why: "The sentence, title, or description was copied from another platform's page and not adapted.",
    example: "Select **iOS** from the list. (on an Android page)",
    instead: "Select **Android** from the list.",
    fix: "Adapt the text to this platform.",
    ..Rule::new("wrong-platform-name", Warning)
};
