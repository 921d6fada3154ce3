//! Rules for front matter and the order of steps.

use super::Rule;
use super::Severity::{Error, Info, Warning};

pub(super) const UNCLOSED_FRONT_MATTER: Rule = Rule {
    summary: "front matter has no closing `---`",
    why: "Other tools treat the whole page as front matter, or none of it.",
    example: "---\ntitle: Install\n\nText.",
    instead: "---\ntitle: Install\n---\n\nText.",
    fix: "Add a line with `---` after the last key.",
    ..Rule::new("unclosed-front-matter", Error)
};

pub(super) const FRONT_MATTER_SHADOWED: Rule = Rule {
    summary: "blank line or byte order mark before the front matter",
    why: "Most tools recognize front matter only at the very start of the file and otherwise show it as text.",
    example: "(blank line)\n---\ntitle: Install\n---",
    instead: "---\ntitle: Install\n---",
    fix: "Remove everything before the first `---`.",
    is_fixable: true,
    ..Rule::new("front-matter-shadowed", Warning)
};

pub(super) const UNKNOWN_KEY: Rule = Rule {
    summary: "unknown key in front matter, a words file, or a configuration",
    why: "Misspelled keys and keys of other generators have no effect. In the configuration of another generator, so does a misspelled plugin, or the build stops.",
    example: "titel: Install\nsidebar_position: 1",
    instead: "title: Install\norder: 1",
    fix: "Use the name in the message. Keys that don't resemble a known key are available to templates as `page.extra.KEY` and are not reported.",
    is_fixable: true,
    ..Rule::new("unknown-key", Warning)
};

pub(super) const UNUSUAL_VALUE: Rule = Rule {
    summary: "value differs from those of similar places, or is unknown",
    why: "A value that one place has, and several nearly have, is usually a typing mistake: a label of tabs, a class, a layout, or the target of a link whose text names another section. A generator ignores values that it doesn't know, or stops at them.",
    example: "parent: Instalation (nine other pages: `parent: Installation`)",
    instead: "parent: Installation",
    fix: "Use the suggested value, or suppress the finding if both are correct. Only sites of other generators are checked.",
    ..Rule::new("unusual-value", Warning)
};

pub(super) const MISSING_TITLE: Rule = Rule {
    summary: "page has no `title` and doesn't start with a heading",
    why: "Navigation, search, and the browser tab show the file name instead of a title.",
    example: "---\norder: 2\n---",
    instead: "---\ntitle: Install\norder: 2\n---",
    fix: "Add `title`, or start the page with a heading: `# Install`.",
    ..Rule::new("missing-title", Warning)
};

pub(super) const DUPLICATE_TITLE: Rule = Rule {
    summary: "two pages in the same folder have the same title",
    why: "The two pages look the same in lists, search results, and browser tabs. The same title in different folders is not reported.",
    example: "content/integrations/braze/event.md: `title: Event`\ncontent/integrations/braze/feed.md: `title: Event`",
    instead: "content/integrations/braze/event.md: `title: Event`\ncontent/integrations/braze/feed.md: `title: Feed`",
    fix: "Change one of the titles.",
    ..Rule::new("duplicate-title", Warning)
};

pub(super) const MISSING_ORDER: Rule = Rule {
    summary: "step has no `order`",
    why: "Stepkin places the step last, wherever it belongs.",
    example: "---\ntitle: Install\n---",
    instead: "---\ntitle: Install\norder: 1\n---",
    fix: "Add `order` with the step's position, such as `order: 3`.",
    ..Rule::new("missing-order", Warning)
};

pub(super) const DUPLICATE_ORDER: Rule = Rule {
    summary: "two steps on a platform have the same `order`",
    why: "The file paths decide which step comes first.",
    example: "install.md: `order: 3`\nconnect.md: `order: 3`",
    instead: "install.md: `order: 3`\nconnect.md: `order: 4`",
    fix: "Change one of the numbers; `3.5` comes between 3 and 4.",
    ..Rule::new("duplicate-order", Warning)
};

pub(super) const ORDER_GAP: Rule = Rule {
    summary: "gap in the `order` numbers of a platform's steps",
    why: "A missing number often means a lost page. Regular gaps, such as 10, 20, 30 or 1, 3, 5, are not reported.",
    example: "orders 1, 2, and 4",
    instead: "orders 1, 2, and 3",
    fix: "Renumber the steps, or restore the page.",
    ..Rule::new("order-gap", Info)
};
