//! Text that was meant to be markup.

use super::Rule;
use super::Severity::{Error, Warning};

pub(super) const MERGE_CONFLICT: Rule = Rule {
    summary: "a merge conflict was left in the text",
    why: "Readers see both versions of the text, and the lines that git put around them.",
    example: "<<<<<<< HEAD\nOpen the app.\n=======\nStart the app.\n>>>>>>> main",
    cure: "keep the lines that are meant, and remove the three that git wrote.",
    ..Rule::new("merge-conflict", Error)
};

pub(super) const LINK_AS_TEXT: Rule = Rule {
    summary: "a link or image is written so that readers see text",
    why: "Readers see brackets and an address, and no link or picture: a target ends at a blank, nothing may stand between `]` and `(`, the text comes first, and what is opened must be closed.",
    example: "![Shot](/images/my shot.png), [Guide] (https://example.com), (Guide)[guide.md]",
    cure: "write a blank in a target as `%20`, a heading's id as it is, and links as `[text](target)`.",
    is_mended: true,
    ..Rule::new("link-as-text", Error)
};

pub(super) const EMPHASIS_AS_TEXT: Rule = Rule {
    summary: "emphasis written so that readers see the asterisks",
    why: "Markdown doesn't take `**` for emphasis if a space is inside of it, or if it is between punctuation and a letter. Readers see the asterisks.",
    example: "Press **Save ** now.",
    cure: "remove the space inside of the signs, or add one outside: `Press **Save** now` is right.",
    is_mended: true,
    ..Rule::new("emphasis-as-text", Warning)
};

pub(super) const UNDEFINED_REFERENCE: Rule = Rule {
    summary: "a link names an address that nothing defines",
    why: "Readers see the brackets, and no link.",
    example: "See the [guide][guide].",
    cure: "define the label on a line of its own, `[guide]: /guide/`, or write the address: `[guide](/guide/)`.",
    ..Rule::new("undefined-reference", Warning)
};

pub(super) const HEADING_AS_TEXT: Rule = Rule {
    summary: "no blank follows the signs of a heading, so it is text",
    why: "Readers see `##` in front of a line of text; the heading is missing from the contents, and nothing can link to it.",
    example: "##Connect the app",
    cure: "write a blank behind the signs: `## Connect the app`.",
    is_mended: true,
    ..Rule::new("heading-as-text", Warning)
};

pub(super) const UNKNOWN_ALERT: Rule = Rule {
    summary: "an alert has no known kind, or is not written as one",
    why: "Readers see a quote that begins with `[!DANGER]`, and no note.",
    example: "> [!DANGER]\n> This deletes everything.",
    cure: "write one of `[!NOTE]`, `[!TIP]`, `[!IMPORTANT]`, `[!WARNING]` and `[!CAUTION]`, alone on the first line of a quote.",
    is_mended: true,
    ..Rule::new("unknown-alert", Warning)
};

pub(super) const TYPOGRAPHIC_QUOTES: Rule = Rule {
    summary: "typographic quotes stand around an attribute of raw HTML",
    why: "HTML takes the quotes for a part of the value, so a link leads nowhere and a class is another one.",
    example: "<a href=”connect.md”>",
    cure: "write `\"` before and after the value.",
    is_mended: true,
    ..Rule::new("typographic-quotes", Error)
};

pub(super) const FOREIGN_SYNTAX: Rule = Rule {
    summary: "the text holds syntax of another tool",
    why: "Pages are Markdown and HTML. What another tool would replace, readers see as it is written, or not at all. In the repository of a generator its syntax is read; what of it is not understood, is left out of the pages.",
    example: "{{< alert >}}, {% include a.html %}, <TabItem value=\"a\">, !!! note, [[page]]",
    cure: "write it in Markdown or HTML, as the finding says; put it in backquotes where readers are meant to see it.",
    ..Rule::new("foreign-syntax", Warning)
};
