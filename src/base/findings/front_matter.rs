//! Front matter and the order of steps.

use super::Rule;
use super::Severity::{Error, Info, Warning};

pub(super) const FRONT_MATTER_UNCLOSED: Rule = Rule {
    summary: "the front matter has no closing line of `---`",
    why: "Other tools take the whole page for front matter, or none of it.",
    example: "---\ntitle: Install\n\nText.",
    cure: "close the block with a line of `---` after the last key.",
    ..Rule::new("front-matter-unclosed", Error)
};

pub(super) const FRONT_MATTER_SHADOWED: Rule = Rule {
    summary: "a byte order mark or a blank line stands before the front matter",
    why: "Most tools see front matter only at the first byte of the file, and show it as text otherwise.",
    example: "(blank line)\n---\ntitle: Install\n---",
    cure: "remove what stands before the first `---`.",
    is_mended: true,
    ..Rule::new("front-matter-shadowed", Warning)
};

pub(super) const UNKNOWN_KEY: Rule = Rule {
    summary: "a key of front matter or of a file of words is mistyped, or another generator's",
    why: "A mistyped key, or another generator's, does nothing, silently.",
    example: "titel: Install, or sidebar_position: 1",
    cure: "write the key that is meant. Keys that resemble none of this program are your own: templates see them as `page.extra.KEY`.",
    is_mended: true,
    ..Rule::new("unknown-key", Warning)
};

pub(super) const MISSING_TITLE: Rule = Rule {
    summary: "a page has no title, and does not open with a heading",
    why: "Navigation, search and the browser's tab have nothing to show but the file's name.",
    example: "---\norder: 2\n---",
    cure: "add `title:`, or open the text with a heading: `# Install`.",
    ..Rule::new("missing-title", Warning)
};

pub(super) const DUPLICATE_TITLE: Rule = Rule {
    summary: "two pages of a folder have the same title",
    why: "Pages of other folders are told apart by what they are in; these two look the same in lists, in search results and in the tabs of a browser.",
    example: "content/integrations/braze/event.md and content/integrations/braze/feed.md, both with `title: Event`",
    cure: "give one of them another title.",
    ..Rule::new("duplicate-title", Warning)
};

pub(super) const MISSING_ORDER: Rule = Rule {
    summary: "a step has no order",
    why: "The step comes last, whatever its place in the tutorial.",
    example: "---\ntitle: Install\n---",
    cure: "add `order:` with its place among the steps.",
    ..Rule::new("missing-order", Warning)
};

pub(super) const DUPLICATE_ORDER: Rule = Rule {
    summary: "two steps of a platform have the same order",
    why: "Which of the two comes first is decided by their paths.",
    example: "order: 3 in two pages of one platform",
    cure: "give one of them another number; `3.5` comes between 3 and 4.",
    ..Rule::new("duplicate-order", Warning)
};

pub(super) const ORDER_GAP: Rule = Rule {
    summary: "a number is left out between two steps",
    why: "A missing number is often a page that was lost. Numbers that leave room behind every step, as 10, 20, 30 or 1, 3, 5, miss none.",
    example: "orders 1, 2 and 4",
    cure: "renumber the steps, or find the page.",
    ..Rule::new("order-gap", Info)
};
