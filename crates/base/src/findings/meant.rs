//! Rules for malformed Markdown that readers see as text.

use super::Rule;
use super::Severity::{Error, Warning};

pub(super) const MERGE_CONFLICT: Rule = Rule {
    summary: "unresolved merge conflict",
    why: "Readers see both versions and Git's conflict markers.",
    example: "<<<<<<< HEAD\nOpen the app.\n=======\nStart the app.\n>>>>>>> main",
    instead: "Start the app.",
    fix: "Keep the correct lines, and remove the three markers.",
    ..Rule::new("merge-conflict", Error)
};

pub(super) const LINK_AS_TEXT: Rule = Rule {
    summary: "malformed link or image that is shown as text",
    why: "Readers see brackets and a URL instead of a link or image. Targets can't contain spaces, there must be no space between `]` and `(`, the text comes first, and every bracket and quote must be closed.",
    example: "![Shot](/images/my shot.png)\n[Guide] (https://example.com)\n(Guide)[guide.md]",
    instead: "![Shot](/images/my%20shot.png)\n[Guide](https://example.com)\n[Guide](guide.md)",
    fix: "Use `[text](target)`, write `%20` for a space in the target, and use the exact ID of a heading.",
    is_fixable: true,
    ..Rule::new("link-as-text", Error)
};

pub(super) const EMPHASIS_AS_TEXT: Rule = Rule {
    summary: "malformed emphasis or code whose marks are shown as text",
    why: "Markdown doesn't treat `**` as emphasis next to a space on the inner side, or between punctuation and a letter. Without its counterpart in the same paragraph, it is text, as is a backtick. Readers see these marks.",
    example: "Press **Save ** now.",
    instead: "Press **Save** now.",
    fix: "Remove the space inside the asterisks, or add one outside: `Press **Save** now`.",
    is_fixable: true,
    ..Rule::new("emphasis-as-text", Warning)
};

pub(super) const UNDEFINED_REFERENCE: Rule = Rule {
    summary: "reference link or footnote has no definition",
    why: "Readers see brackets instead of a link.",
    example: "See the [guide][guide].",
    instead: "See the [guide][guide].\n\n[guide]: /guide/",
    fix: "Define the label on its own line, `[guide]: /guide/`, or use an inline link: `[guide](/guide/)`.",
    ..Rule::new("undefined-reference", Warning)
};

pub(super) const DUPLICATE_DEFINITION: Rule = Rule {
    summary: "two definitions of a link label have different targets",
    why: "All links with the label go to the first target. In MkDocs sites, they go to the last one.",
    example: "See the [guide][guide].\n\n[guide]: /guide/\n[guide]: /start/",
    instead: "See the [guide][guide].\n\n[guide]: /guide/",
    fix: "Remove one of the definitions, or use another label.",
    ..Rule::new("duplicate-definition", Warning)
};

pub(super) const HEADING_AS_TEXT: Rule = Rule {
    summary: "heading without a space after `#` is shown as text",
    why: "Readers see `##` in the text. The heading is missing from the table of contents and can't be linked.",
    example: "##Connect the app",
    instead: "## Connect the app",
    fix: "Add a space after the `#` characters: `## Connect the app`.",
    is_fixable: true,
    ..Rule::new("heading-as-text", Warning)
};

pub(super) const ITEM_AS_TEXT: Rule = Rule {
    summary: "list item shown as text, without a space or in a paragraph",
    why: "Readers see the number or bullet in the text above, instead of a list.",
    example: "1. Open the console.\n2.Press **Save**.",
    instead: "1. Open the console.\n2. Press **Save**.",
    fix: "Add a space after the number, `2. Press **Save**`, or a blank line above the list.",
    is_fixable: true,
    ..Rule::new("item-as-text", Warning)
};

pub(super) const TEXT_AS_HEADING: Rule = Rule {
    summary: "paragraph directly above `---` is shown as a heading",
    why: "Readers see a long heading, also in the table of contents, and no line.",
    example: "Save the file. Then close it.\n---",
    instead: "Save the file. Then close it.\n\n---",
    fix: "Add a blank line above `---`.",
    is_fixable: true,
    ..Rule::new("text-as-heading", Warning)
};

pub(super) const UNKNOWN_ALERT: Rule = Rule {
    summary: "unknown or malformed alert, such as `[!DANGER]`",
    why: "Readers see a quote that begins with `[!DANGER]` instead of a note.",
    example: "> [!DANGER]\n> This deletes everything.",
    instead: "> [!CAUTION]\n> This deletes everything.",
    fix: "Use `[!NOTE]`, `[!TIP]`, `[!IMPORTANT]`, `[!WARNING]`, or `[!CAUTION]`, alone on the first line of the quote.",
    is_fixable: true,
    ..Rule::new("unknown-alert", Warning)
};

pub(super) const TYPOGRAPHIC_QUOTES: Rule = Rule {
    summary: "curly quotes around an HTML attribute value",
    why: "HTML treats curly quotes as part of the value, so links break and classes don't match.",
    example: "<a href=”connect.md”>",
    instead: "<a href=\"connect.md\">",
    fix: "Use straight quotes (`\"`).",
    is_fixable: true,
    ..Rule::new("typographic-quotes", Error)
};

pub(super) const UNSUPPORTED_SYNTAX: Rule = Rule {
    summary: "syntax is not complete, or unknown to the site's generator",
    why: "Readers see it as text, or nothing. In repositories of other generators, Stepkin supports most of their syntax, skips the rest, and reports what their documentation doesn't allow. Pages of Stepkin are Markdown and HTML.",
    example: "!!! note\n    Restart the app.",
    instead: ":::note\nRestart the app.\n:::",
    fix: "Complete or replace it as suggested, or wrap it in backticks to show it.",
    ..Rule::new("unsupported-syntax", Warning)
};
